/* Lists to choose from: orders, hidden embedders, columns, themes. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "app_state.h"
#include "app_lists.h"
#include "app_dialogs.h"

bool es_pick_move(size_t *at, size_t count, size_t page, uint32_t key) {
    size_t last = count > 0 ? count - 1 : 0;
    switch (key) {
    case 'j':
    case ES_KEY_DOWN:
    case 'n' - ES_KEY_CTRL:
        *at += *at < last;
        return true;
    case 'k':
    case ES_KEY_UP:
    case 'p' - ES_KEY_CTRL:
        *at -= *at > 0;
        return true;
    case 'd' - ES_KEY_CTRL:
    case ES_KEY_PAGE_DOWN:
        *at = *at + page < last ? *at + page : last;
        return true;
    case 'u' - ES_KEY_CTRL:
    case ES_KEY_PAGE_UP:
        *at -= *at < page ? *at : page;
        return true;
    case 'g':
    case ES_KEY_HOME:
        *at = 0;
        return true;
    case 'G':
    case ES_KEY_END:
        *at = last;
        return true;
    default:
        return false;
    }
}

void es_pick_text(const es_app *app, size_t item, char *out, size_t capacity) {
    const es_pick *pick = &app->pick;
    es_table_id table = es_view_table[app->view].table;
    switch (pick->kind) {
    case ES_PICK_ORDER:
        (void)snprintf(out, capacity, "%s%s", es_matrix_order_names[item],
                       (size_t)app->set.order == item ? "  (now)" : "");
        break;
    case ES_PICK_HIDDEN:
        (void)snprintf(out, capacity, "%s", es_app_name(app, item));
        break;
    case ES_PICK_COLUMNS: {
        const char *title = es_columns_at(app, table, item).title;
        (void)snprintf(out, capacity, "[%s] %s", app->set.table[table].hidden[item] ? " " : "x",
                       title[0] == '\0' ? "interval" : title);
        break;
    }
    case ES_PICK_THEME:
        (void)snprintf(out, capacity, "%s%s", app->themes.word[item],
                       strcmp(app->themes.word[item], pick->before) == 0 ? "  (was)" : "");
        break;
    case ES_PICK_MEASURE:
        (void)snprintf(out, capacity, "%-20s %s", es_measure_name_at(item),
                       es_measure_title_at(item));
        break;
    case ES_PICK_DERIVE:
        (void)snprintf(out, capacity, "%-20s %s", es_derive_way(item), es_derive_about(item));
        break;
    case ES_PICK_OPTIONS:
        (void)pick->line(item, out, capacity);
        break;
    case ES_PICK_SIDE: {
        const es_live_rank *live = &app->live[item];
        const char *name = es_app_name(app, item);
        if (live->place > 0)
            (void)snprintf(out, capacity, "%3zu  %s", live->place, name);
        else
            (void)snprintf(out, capacity, "  -  %s", name);
        break;
    }
    }
}

/* Is what was typed in it, in letters of either case? */
static bool passes(const es_app *app, size_t item) {
    char text[300];
    const char *typed = app->pick.typed.text;
    size_t length = strlen(typed);
    es_pick_text(app, item, text, sizeof text);
    for (const char *at = text; *at != '\0'; at++)
        if (strncasecmp(at, typed, length) == 0)
            return true;
    return false;
}

static void add_item(es_app *app, size_t item) {
    es_pick *pick = &app->pick;
    pick->all++;
    if (pick->typed.length > 0 && !passes(app, item))
        return;
    if (pick->count == pick->room) {
        size_t *more = es_realloc(pick->item, 2 * pick->room + 16, sizeof *more);
        if (more == NULL)
            return;
        pick->item = more;
        pick->room = 2 * pick->room + 16;
    }
    pick->item[pick->count++] = item;
}

static size_t count_all(const es_app *app) {
    size_t count = 0;
    char line[ES_APP_LINE];
    switch (app->pick.kind) {
    case ES_PICK_ORDER:
        return ES_ORDER_COUNT;
    case ES_PICK_COLUMNS:
        return es_columns_count(app, es_view_table[app->view].table);
    case ES_PICK_THEME:
        return app->themes.count;
    case ES_PICK_MEASURE:
        while (es_measure_name_at(count) != NULL)
            count++;
        return count;
    case ES_PICK_OPTIONS:
        while (app->pick.line(count, line, sizeof line))
            count++;
        return count;
    case ES_PICK_DERIVE:
        while (es_derive_way(count) != NULL)
            count++;
        return count;
    default:
        return app->n; /* of embedders */
    }
}

void es_pick_fill(es_app *app) {
    es_pick *pick = &app->pick;
    pick->count = pick->all = 0;
    for (size_t i = 0, all = count_all(app); i < all; i++)
        if ((pick->kind != ES_PICK_HIDDEN || app->hidden[i]) &&
            (pick->kind != ES_PICK_SIDE || es_select_in_matrix(app, i)))
            add_item(app, i);
    if (pick->at >= pick->count)
        pick->at = pick->count == 0 ? 0 : pick->count - 1;
}

void es_pick_typed(es_app *app) {
    es_pick *pick = &app->pick;
    char text[300];
    es_pick_fill(app);
    pick->at = 0;
    for (size_t k = pick->count; k-- > 0;) {
        es_pick_text(app, pick->item[k], text, sizeof text);
        if (strncasecmp(text, pick->typed.text, pick->typed.length) == 0)
            pick->at = k;
    }
}

static void go_to_item(es_app *app, size_t item) {
    for (size_t k = 0; k < app->pick.count; k++)
        if (app->pick.item[k] == item)
            app->pick.at = k;
}

void es_pick_themes(es_app *app) {
    es_pick_fill(app);
    for (size_t i = 0; i < app->themes.count; i++)
        if (strcmp(app->themes.word[i], app->theme) == 0)
            go_to_item(app, i);
}

void es_pick_open(es_app *app, es_pick_kind kind) {
    es_pick *pick = &app->pick;
    pick->kind = kind;
    pick->at = 0;
    pick->typing = false;
    es_line_set(&pick->typed, "");
    es_pick_fill(app);
    if (kind == ES_PICK_ORDER)
        go_to_item(app, app->set.order);
    if (kind == ES_PICK_COLUMNS)
        go_to_item(app, app->set.table[es_view_table[app->view].table].column);
    if (kind == ES_PICK_THEME)
        es_pick_themes(app);
    const es_compare_settings *sides = &app->set.compare;
    if (kind == ES_PICK_SIDE && app->compare.side < sides->count)
        go_to_item(app, sides->item[app->compare.side]);
    (void)snprintf(pick->before, sizeof pick->before, "%s", app->theme);
    app->mode = ES_MODE_PICK;
}

/* ---- Ways to derive an embedder ---- */

/* What the list offers; :derive takes any number of axes. */
static const struct {
    const char *way, *about;
} ways[] = {
    {"whiten", "all directions at the same variance"},
    {"whiten 64", "the 64 of most variance, at the same variance"},
    {"abtt 1", "centred, without the direction of most variance"},
    {"abtt 2", "without two"},
    {"abtt 3", "without three"},
    {"center", "without the mean"},
    {"normalize", "every row at length 1"},
    {"flow", "to a standard normal, trained without labels"},
    {"pca 64", "the 64 directions of most variance"},
    {"random-projection 64", "64 random directions"},
    {"concat", "with the marked one beside it"},
    {"cmim 64", "trained without labels, on marked ones too"},
};

const char *es_derive_way(size_t k) {
    return k < sizeof ways / sizeof *ways ? ways[k].way : NULL;
}

const char *es_derive_about(size_t k) {
    return ways[k].about;
}
