/* Lists to choose from: orders, hidden embedders, columns, themes. */
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "measure_names.h"

static void fill(es_app *app) {
    es_pick *pick = &app->pick;
    pick->count = 0;
    switch (pick->kind) {
    case ES_PICK_ORDER:
        pick->count = ES_ORDER_COUNT;
        break;
    case ES_PICK_HIDDEN:
        for (size_t i = 0; i < app->n; i++)
            if (app->hidden[i])
                pick->item[pick->count++] = i;
        break;
    case ES_PICK_COLUMNS:
        pick->count = es_columns_count(app, es_table_of_view(app->view));
        break;
    case ES_PICK_THEME:
        pick->count = app->theme_count;
        break;
    case ES_PICK_MEASURE:
        while (es_measure_name_at(pick->count) != NULL)
            pick->count++;
        break;
    case ES_PICK_DERIVE:
        while (es_derive_way(pick->count) != NULL)
            pick->count++;
        break;
    case ES_PICK_SIDE:
        for (size_t i = 0; i < app->n; i++)
            if (es_select_in_matrix(app, i))
                pick->item[pick->count++] = i;
        break;
    }
    if (pick->at >= pick->count)
        pick->at = pick->count == 0 ? 0 : pick->count - 1;
}

void es_pick_themes(es_app *app) {
    fill(app);
    for (size_t i = 0; i < app->theme_count; i++)
        if (strcmp(app->themes[i], app->theme) == 0)
            app->pick.at = i;
}

void es_pick_open(es_app *app, es_pick_kind kind) {
    es_pick *pick = &app->pick;
    pick->kind = kind;
    pick->at = 0;
    fill(app);
    if (kind == ES_PICK_ORDER)
        pick->at = app->set.order;
    if (kind == ES_PICK_COLUMNS)
        pick->at = app->set.table[es_table_of_view(app->view)].column;
    if (kind == ES_PICK_THEME)
        es_pick_themes(app);
    const es_compare_settings *sides = &app->set.compare;
    for (size_t i = 0; kind == ES_PICK_SIDE && i < pick->count; i++)
        if (app->compare.side < sides->count && sides->item[app->compare.side] == pick->item[i])
            pick->at = i;
    (void)snprintf(pick->before, sizeof pick->before, "%s", app->theme);
    app->mode = ES_MODE_PICK;
}

static void use_theme(es_app *app, const char *name, es_effects *effects) {
    if (strcmp(app->theme, name) == 0)
        return;
    (void)snprintf(app->theme, sizeof app->theme, "%s", name);
    es_effect_add(app, effects, ES_FX_THEME, 0, false, name);
}

static void toggle_column(es_app *app) {
    es_table_id table = es_table_of_view(app->view);
    es_table_settings *set = &app->set.table[table];
    size_t column = app->pick.at;
    if (column == (table == ES_TABLE_POOL ? (size_t)ES_POOL_NAME : (size_t)ES_RANK_NAME)) {
        es_app_notice(app, ES_EINVAL, "The name stays");
        return;
    }
    es_history_push(app);
    set->hidden[column] = !set->hidden[column];
    if (set->hidden[column] && set->column == column)
        set->column =
            (uint8_t)(table == ES_TABLE_POOL ? (size_t)ES_POOL_NAME : (size_t)ES_RANK_NAME);
}

static void choose(es_app *app, bool close, es_effects *effects) {
    es_pick *pick = &app->pick;
    if (pick->count == 0)
        return;
    switch (pick->kind) {
    case ES_PICK_ORDER:
        es_history_push(app);
        app->set.order = (es_order)pick->at;
        close = true;
        break;
    case ES_PICK_HIDDEN:
        es_history_push(app);
        app->hidden[pick->item[pick->at]] = false;
        close = false;
        break;
    case ES_PICK_COLUMNS:
        if (!close)
            toggle_column(app);
        break;
    case ES_PICK_THEME:
        break;
    case ES_PICK_MEASURE:
        es_effect_add(app, effects, ES_FX_MEASURE, 0, false, es_measure_name_at(pick->at));
        break;
    case ES_PICK_DERIVE:
        es_command_run(app, ES_COMMAND_DERIVE, 0, es_derive_way(pick->at), effects);
        close = true;
        break;
    case ES_PICK_SIDE:
        es_compare_assign(app, pick->item[pick->at]);
        close = true;
        break;
    }
    es_select_refresh(app, true);
    fill(app);
    if (close || pick->count == 0)
        app->mode = ES_MODE_NORMAL;
}

/* A list of themes shows them at once. */
void es_pick_moved(es_app *app, es_effects *effects) {
    if (app->pick.kind == ES_PICK_THEME && app->pick.count > 0 && app->mode == ES_MODE_PICK)
        use_theme(app, app->themes[app->pick.at], effects);
}

void es_pick_key(es_app *app, uint32_t key, es_effects *effects) {
    es_pick *pick = &app->pick;
    switch (key) {
    case 'j':
    case ES_KEY_DOWN:
        pick->at += pick->at + 1 < pick->count;
        break;
    case 'k':
    case ES_KEY_UP:
        pick->at -= pick->at > 0;
        break;
    case 'g':
    case ES_KEY_HOME:
        pick->at = 0;
        break;
    case 'G':
    case ES_KEY_END:
        pick->at = pick->count - (pick->count > 0);
        break;
    case ' ':
        choose(app, false, effects);
        break;
    case ES_KEY_ENTER:
        choose(app, true, effects);
        break;
    case ES_KEY_ESC:
    case 'q':
        app->mode = ES_MODE_NORMAL;
        if (pick->kind == ES_PICK_THEME)
            use_theme(app, pick->before, effects);
        return;
    default:
        return;
    }
    es_pick_moved(app, effects);
}
