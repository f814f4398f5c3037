/* Lists to choose from: orders, hidden embedders, columns, themes. */
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "measure_names.h"
#include "columns.h"
#include "pick.h"
#include "select.h"

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

void es_pick_fill(es_app *app) {
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
        pick->count = es_columns_count(app, es_view_table[app->view].table);
        break;
    case ES_PICK_THEME:
        pick->count = app->themes.count;
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
    es_pick_fill(app);
    for (size_t i = 0; i < app->themes.count; i++)
        if (strcmp(app->themes.word[i], app->theme) == 0)
            app->pick.at = i;
}

void es_pick_open(es_app *app, es_pick_kind kind) {
    es_pick *pick = &app->pick;
    pick->kind = kind;
    pick->at = 0;
    es_pick_fill(app);
    if (kind == ES_PICK_ORDER)
        pick->at = app->set.order;
    if (kind == ES_PICK_COLUMNS)
        pick->at = app->set.table[es_view_table[app->view].table].column;
    if (kind == ES_PICK_THEME)
        es_pick_themes(app);
    const es_compare_settings *sides = &app->set.compare;
    for (size_t i = 0; kind == ES_PICK_SIDE && i < pick->count; i++)
        if (app->compare.side < sides->count && sides->item[app->compare.side] == pick->item[i])
            pick->at = i;
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
