/* Reads the document of `embedscope agree --by-task --runs`. */
#include "task_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agreement.h"
#include "alloc.h"
#include "corr.h"
#include "effects.h"
#include "select.h"

static void forget(struct es_task_runs *r) {
    es_json_free(r->doc);
    es_free(r->cell);
    es_free(r->problem);
    r->doc = NULL;
    r->cell = NULL;
    r->problem = NULL;
    r->cells = 0;
}

void es_task_runs_free(es_app *app) {
    if (app->task_runs == NULL)
        return;
    forget(app->task_runs);
    es_free(app->task_runs);
    app->task_runs = NULL;
}

/* ---- asking ---- */

const char *es_task_runs_refusal(const es_app *app) {
    es_buf names = {0};
    es_agreement_measures(app, &names);
    bool none = names.length == 0;
    es_buf_free(&names);
    if (app->source->path == NULL || app->source->rows == 0)
        return "there are no rows, only results";
    if (es_task_runs_busy(app))
        return "they are being measured";
    return none ? "no measure is shown; gm computes one" : NULL;
}

void es_task_runs_ask(es_app *app, size_t runs, es_effects *effects) {
    struct es_task_runs *r = app->task_runs;
    if (r == NULL && (r = app->task_runs = es_alloc_zero(1, sizeof *r)) == NULL)
        return;
    forget(r);
    r->runs = runs;
    r->asking = true;
    es_effect_add(app, effects, ES_FX_RUNS, runs, false, NULL);
}

bool es_task_runs_busy(const es_app *app) {
    return app->task_runs != NULL && app->task_runs->asking;
}

void es_task_runs_stop(es_app *app, es_effects *effects) {
    forget(app->task_runs);
    app->task_runs->asking = false;
    es_effect_add(app, effects, ES_FX_RUNS, 0, false, NULL);
    es_app_notice(app, ES_OK, "Stopped; R in gt measures more seeds again");
}

/* ---- the document ---- */

static es_status read_cell(const es_json_value *o, es_task_spread *cell, es_error *err) {
    es_status st = es_json_get_text(o, "score", ES_JSON_REQUIRED, &cell->score, err);
    if (st == ES_OK)
        st = es_json_get_text(o, "task", ES_JSON_REQUIRED, &cell->task, err);
    for (int kind = 0; kind < ES_CORRELATIONS && st == ES_OK; kind++) {
        char key[40];
        (void)snprintf(key, sizeof key, "%s_sd", es_correlation_name((es_correlation)kind));
        cell->sd[kind] = (double)NAN;
        st = es_json_get_number(o, key, ES_JSON_OPTIONAL, &cell->sd[kind], err);
    }
    return st;
}

static es_status read_all(struct es_task_runs *r, const es_json_value *root, es_error *err) {
    es_json_value list = {0};
    uint64_t runs = 0;
    es_status st = ES_OK;
    ES_TRY(es_json_get_size(root, "runs", ES_JSON_REQUIRED, &runs, err));
    ES_TRY(es_json_get(root, "correlations", ES_JSON_ARRAY, ES_JSON_REQUIRED, &list, err));
    r->runs = (size_t)runs;
    r->cell = es_alloc_zero(es_json_count(&list), sizeof *r->cell);
    ES_FAIL_IF(r->cell == NULL, es_no_memory(err));
    for (es_json_value v = es_json_first(&list); v.node; v = es_json_next(&v)) {
        ES_TRY(read_cell(&v, &r->cell[r->cells], err));
        r->cells++;
    }
done:
    return st;
}

void es_app_runs_known(es_app *app, const char *json, size_t length) {
    struct es_task_runs *r = app->task_runs;
    es_error err = {0};
    if (r == NULL)
        return;
    forget(r);
    r->asking = false;
    es_status st = es_json_parse(json, length, "runs", &r->doc, &err);
    if (st == ES_OK) {
        es_json_value root = es_json_root(r->doc);
        st = read_all(r, &root, &err);
    }
    if (st != ES_OK)
        es_app_runs_failed(app, err.message);
    app->dirty = true;
}

void es_app_runs_failed(es_app *app, const char *why) {
    struct es_task_runs *r = app->task_runs;
    if (r == NULL)
        return;
    forget(r);
    r->asking = false;
    r->problem = es_strdup(why);
    es_app_notice(app, ES_EIO, "runs: %s", why);
}

/* ---- reading ---- */

double es_task_runs_sd(const es_app *app, const char *score, const char *task,
                       es_correlation kind) {
    const struct es_task_runs *r = app->task_runs;
    bool all = es_select_hidden(app) == 0 && app->set.filter[0] == '\0' &&
               es_corr_excluded(app) == 0 && !app->set.with_derived;
    for (size_t i = 0; r != NULL && all && i < r->cells; i++)
        if (strcmp(r->cell[i].score, score) == 0 && strcmp(r->cell[i].task, task) == 0)
            return r->cell[i].sd[kind] > 0 ? r->cell[i].sd[kind] : (double)NAN;
    return (double)NAN;
}
