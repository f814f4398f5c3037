/* Which sheet stands for which view, and the ways between them. */
#include "app_sheets.h"

#include <stdio.h>
#include <string.h>

#include "app_lists.h"
#include "app_state.h"

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
    size_t item[2] = {ES_NONE, ES_NONE}, marks = es_app_marked(app, item, 2);
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

/* Estimations beside the session: when they begin, and the notices that they give. */

/* ---- data sets ---- */

void es_app_sets(es_app *app, const char *const *names, size_t count, size_t here) {
    app->sets = (es_sets){.name = names, .count = count, .here = here};
}

size_t es_set_find(const es_app *app, const char *name) {
    for (size_t k = 0; k < app->sets.count; k++)
        if (strcmp(app->sets.name[k], name) == 0)
            return k;
    return ES_NONE;
}

void es_app_show_sets(es_app *app) {
    es_go(app, ES_VIEW_SHEETS);
    es_sheets_show(app, es_analysis_find("sets"), NULL);
}

void es_app_ask_folders(es_app *app) {
    if (app->source->folders_question == NULL || app->set.same_rows || app->mode != ES_MODE_NORMAL)
        return;
    app->mode = ES_MODE_ASK;
    app->ask = ES_ASK_FOLDERS;
}

void es_app_sets_start(es_app *app) {
    app->sets.due = app->sets.count > 1;
}

/* A set that cannot be estimated must not hold up the others. */
static bool is_open_one_over(const es_app *app) {
    return app->phase == ES_PHASE_DONE || (app->phase == ES_PHASE_IDLE && es_app_too_few(app));
}

static bool is_due(const es_app *app) {
    return app->sets.due && is_open_one_over(app) && app->source->growing_to == 0;
}

void es_beside_follow(es_app *app, es_effects *effects) {
    if (app->beside.again)
        es_beside_start(app, app->beside.of_sets, effects);
    if (!is_due(app) || app->beside.on)
        return;
    app->sets.due = false;
    if (app->source->store_path != NULL)
        es_beside_start(app, true, effects);
}

/* ---- a sweep ---- */

/* Returns the estimator that the first word names; NULL: none. */
static const es_estimator *estimator_named(const char *text) {
    size_t length = strcspn(text, " "), k = 0;
    while (es_estimators[k] != NULL && (strlen(es_estimators[k]->name) != length ||
                                        memcmp(es_estimators[k]->name, text, length) != 0))
        k++;
    return es_estimators[k];
}

static const es_estimator *with_setting(const es_app *app, const char *text) {
    const es_results *r = es_app_chosen(app);
    char key[64];
    size_t k = 0;
    (void)snprintf(key, sizeof key, "%.*s", (int)strcspn(text, "="), text);
    if (r != NULL && r->estimator != NULL &&
        es_estimator_setting(r->estimator, key) < r->estimator->n_settings)
        return r->estimator;
    while (es_estimators[k] != NULL &&
           es_estimator_setting(es_estimators[k], key) == es_estimators[k]->n_settings)
        k++;
    return es_estimators[k];
}

static const char *why_not_now(const es_app *app) {
    return app->beside.on                    ? "an estimation is under way; X stops it"
           : app->source->store_path != NULL ? NULL
           : app->source->rows == 0          ? es_app_without_rows(app)
                                             : "there is no store to keep it in";
}

bool es_sweep_take(es_app *app, const char *text) {
    const char *why = why_not_now(app);
    size_t first = strcspn(text, " ");
    bool has = memchr(text, '=', first) == NULL;
    const es_estimator *e = has ? estimator_named(text) : with_setting(app, text);
    if (why != NULL)
        es_app_notice(app, ES_EBUSY, "sweep: %s", why);
    else if (e == NULL)
        es_app_notice(app, ES_ENOTFOUND,
                      has ? "sweep: no estimator is called '%.*s'; of measures: :measure NAME "
                            "KEY=VALUE,VALUE, then gs"
                          : "sweep: no estimator has the setting of '%.*s'",
                      (int)first, text);
    else if (strchr(text, '=') == NULL)
        es_app_notice(app, ES_EINVAL, "sweep: expected KEY=VALUE,VALUE, such as modes=1,2,4");
    else {
        (void)snprintf(app->set.sweep, sizeof app->set.sweep, "%s%s%.*s", has ? "" : e->name,
                       has ? "" : " ", (int)sizeof app->set.sweep - 32, text);
        return true;
    }
    return false;
}

static es_status add_option(es_words *line, const char *option, const char *word, size_t length,
                            es_error *err) {
    char value[ES_APP_LINE];
    (void)snprintf(value, sizeof value, "%.*s", (int)length, word);
    es_status st = es_words_add(line, option, err);
    return st == ES_OK ? es_words_add(line, value, err) : st;
}

es_status es_sweep_words(const es_app *app, es_words *line, es_error *err) {
    const char *text = app->set.sweep;
    const es_results *r = es_app_chosen(app);
    size_t name = strcspn(text, " ");
    es_status st = add_option(line, "--estimator", text, name, err);
    if (st == ES_OK && r != NULL && r->estimator == estimator_named(text) && r->preset != NULL &&
        strcmp(r->preset, "default") != 0)
        st = add_option(line, "--preset", r->preset, strlen(r->preset), err);
    for (const char *word = text + name + strspn(text + name, " "); st == ES_OK && *word != '\0';
         word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        st = add_option(line, "--sweep", word, length, err);
        word += length;
    }
    return st;
}

/* ---- under way ---- */

void es_beside_start(es_app *app, bool sets, es_effects *effects) {
    app->beside = (es_beside){.on = true, .of_sets = sets};
    es_effect_add(app, effects, ES_FX_BESIDE, 0, sets, NULL);
}

bool es_beside_busy(const es_app *app) {
    return app->beside.on || is_due(app);
}

void es_beside_stop(es_app *app, es_effects *effects) {
    app->sets.due = app->beside.on = false;
    es_effect_add(app, effects, ES_FX_BESIDE_STOP, 0, false, NULL);
    es_app_notice(app, ES_OK, "Stopped; finished pairs are kept, and the same command continues");
}

void es_app_beside_says(es_app *app, const char *text) {
    if (!app->beside.on || strcmp(app->beside.says, text) == 0)
        return;
    (void)snprintf(app->beside.says, sizeof app->beside.says, "%s", text);
    es_sheets_elsewhere(app);
    app->dirty = true;
}

void es_app_beside_over(es_app *app, es_status status, const char *why) {
    bool sets = app->beside.of_sets;
    es_sheets_elsewhere(app);
    app->dirty = true;
    if (!app->beside.on) /* stopped before */
        return;
    app->beside.on = false;
    if (status != ES_OK || why[0] != '\0')
        es_app_notice(app, status == ES_OK ? ES_EINVAL : status, "%s%s",
                      sets ? "" : "sweep: ", why);
    else if (sets)
        es_app_notice(app, ES_OK, "All %zu data sets are estimated", app->sets.count);
    else
        es_app_notice(app, ES_OK, "The sweep %s is finished; gw shows it", app->set.sweep);
}
