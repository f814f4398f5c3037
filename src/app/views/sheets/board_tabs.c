/* Which sheet stands for which view, and the ways between them. */
#include "app_sheets.h"

#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "app_lists.h"

es_view_id es_board_tab(const es_app *app) {
    return app->source->table && app->view == ES_VIEW_SHEETS ? app->tab : app->view;
}

/* NULL: of none, which the list of sheets has. */
static const es_analysis *analysis_of(es_view_id view) {
    static const char *const ids[ES_VIEW_COUNT] = {
        [ES_VIEW_OVERVIEW] = "leaderboard",  [ES_VIEW_RANK] = "leaderboard",
        [ES_VIEW_CORR] = "task-correlation", [ES_VIEW_COMPARE] = "versus",
        [ES_VIEW_TREE] = "task-tree",
    };
    return ids[view] == NULL ? NULL : es_analysis_find(ids[view]);
}

es_view_id es_board_next(const es_app *app, bool forward) {
    size_t view = es_board_tab(app);
    do
        view = (view + (forward ? 1 : ES_VIEW_COUNT - 1)) % ES_VIEW_COUNT;
    while (app->source->table && view != ES_VIEW_SHEETS && analysis_of((es_view_id)view) == NULL);
    return (es_view_id)view;
}

/* Puts the sheet of this view in the place of the one shown, which is kept. */
static void turn(es_app *app, es_view_id view) {
    struct es_sheets_state *s = app->sheets;
    if (s != NULL && s->asking) /* its answer would come to the other one */
        s->asking = s->asked = false;
    app->tabs[app->tab] = s;
    app->sheets = app->tabs[view];
    app->tabs[view] = NULL;
    app->tab = view;
    if (app->sheets != NULL)
        app->sheets->asked_at = -1e9;
    es_go(app, ES_VIEW_SHEETS);
}

/* The key of a line, if the column has this name; NULL: it has not. */
static const char *key_at(const es_app *app, const char *column, size_t line) {
    const struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    for (size_t j = 0; t != NULL && line < s->rows && j < s->columns; j++)
        if (strcmp(es_table_out_column(t, j)->key, column) == 0 &&
            (es_table_out_column(t, j)->flags & ES_COLUMN_KEY) != 0)
            return es_table_out_text_at(t, s->order[line], j);
    return NULL;
}

/* Number k from the top of the board, whatever the order on the screen. */
static const char *placed(const es_app *app, size_t k) {
    static const es_view_id boards[] = {ES_VIEW_OVERVIEW, ES_VIEW_RANK};
    for (size_t v = 0; v < sizeof boards / sizeof *boards; v++) {
        const struct es_sheets_state *s =
            app->tab == boards[v] ? app->sheets : app->tabs[boards[v]];
        const es_table_out *t =
            s != NULL && s->sheet != NULL && s->sheet->tables > 0 ? s->sheet->table[0] : NULL;
        for (size_t j = 0; t != NULL && k < es_table_out_rows(t) && j < es_table_out_columns(t);
             j++)
            if (strcmp(es_table_out_column(t, j)->key, "model") == 0)
                return es_table_out_text_at(t, k, j);
    }
    return NULL;
}

void es_board_compare(es_app *app, const char *a, const char *b) {
    es_buf of = {0};
    es_buf_printf(&of, "%s\n%s", a, b); /* before the sheet that holds the names goes */
    if (app->tab != ES_VIEW_COMPARE)
        app->tab_from = app->tab;
    turn(app, ES_VIEW_COMPARE);
    if (!of.failed)
        es_sheets_show(app, analysis_of(ES_VIEW_COMPARE), of.data);
    es_buf_free(&of);
}

void es_board_compare_here(es_app *app) {
    const char *here = key_at(app, "model", es_sheets_line(app)), *other = placed(app, 0);
    size_t marks = 0, item[2] = {ES_NONE, ES_NONE};
    for (size_t i = 0; i < app->n; i++)
        if (app->marked[i] && marks++ < 2)
            item[marks - 1] = i;
    if (marks == 2) {
        es_board_compare(app, es_app_model(app, item[0])->name, es_app_model(app, item[1])->name);
        return;
    }
    if (here != NULL && other != NULL && strcmp(here, other) == 0)
        other = placed(app, 1);
    else if (here == NULL)
        here = placed(app, 1);
    bool first = other != NULL && strcmp(other, placed(app, 0)) == 0;
    if (marks > 2)
        es_app_notice(app, ES_EINVAL, "compare: %zu are marked, it takes two", marks);
    else if (here == NULL || other == NULL)
        es_app_notice(app, ES_EBUSY, "compare: the board is not known yet");
    else
        es_board_compare(app, first ? other : here, first ? here : other);
}

void es_board_go(es_app *app, es_view_id view) {
    const es_analysis *analysis = analysis_of(view);
    if (analysis == NULL && view != ES_VIEW_SHEETS) {
        es_app_notice(app, ES_ENOTFOUND,
                      view == ES_VIEW_HEATMAP ? "%s needs embedders' matrices: embedscope POOL"
                                              : "%s needs a pool of embedders: embedscope POOL",
                      es_view_table[view].name);
        return;
    }
    bool first = view != app->tab && app->tabs[view] == NULL;
    if (view == ES_VIEW_COMPARE && (first || es_sheets(app) == NULL)) {
        es_board_compare_here(app);
        return;
    }
    if (view == ES_VIEW_COMPARE && app->tab != view)
        app->tab_from = app->tab;
    turn(app, view);
    if (es_sheets(app) != NULL && app->sheets->shown == NULL && analysis != NULL)
        es_sheets_show(app, analysis, NULL);
}

bool es_board_open(es_app *app) {
    const char *task = key_at(app, "task", es_sheets_line(app));
    if (key_at(app, "model", es_sheets_line(app)) != NULL) {
        es_board_compare_here(app);
        return true;
    }
    if (task == NULL || app->tab == ES_VIEW_COMPARE)
        return false;
    es_buf of = {0};
    es_buf_printf(&of, "--against=%s", task);
    if (app->tab != ES_VIEW_CORR)
        es_board_go(app, ES_VIEW_CORR);
    if (!of.failed)
        es_sheets_show(app, analysis_of(ES_VIEW_CORR), of.data);
    es_buf_free(&of);
    return true;
}

bool es_board_close(es_app *app) {
    const struct es_sheets_state *s = app->sheets;
    if (app->tab == ES_VIEW_CORR && s != NULL && s->of != NULL) {
        es_sheets_show(app, analysis_of(ES_VIEW_CORR), NULL);
        return true;
    }
    if (app->tab != ES_VIEW_COMPARE)
        return false;
    es_board_go(app, app->tab_from);
    return true;
}
