/* Reads the document on several data sets into what the view shows. */
#include "sets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "buf.h"
#include "effects.h"
#include "facts.h"
#include "go.h"
#include "json.h"

static const double PAUSE = 3; /* seconds between two documents while results come in */

/* ---- life ---- */

static void forget_rows(es_sets *s) {
    for (size_t k = 0; s->row && k < s->rows; k++)
        es_free(s->row[k].name);
    for (size_t k = 0; k < s->count; k++) {
        es_free(s->set[k].missing);
        s->set[k].missing = NULL;
        s->set[k].column = ES_NONE;
    }
    es_free(s->row);
    es_free(s->value);
    es_free(s->sentence);
    s->row = NULL;
    s->value = NULL;
    s->sentence = NULL;
    s->rows = s->columns = 0;
}

static void free_sets(es_sets *s) {
    if (s == NULL)
        return;
    forget_rows(s);
    for (size_t k = 0; s->set && k < s->count; k++)
        es_free(s->set[k].name);
    es_free(s->set);
    es_free(s->problem);
    es_free(s);
}

void es_sets_free(es_app *app) {
    free_sets(app->sets);
    app->sets = NULL;
}

void es_app_sets(es_app *app, const char *const *names, size_t count, size_t here) {
    es_sets *s = es_alloc_zero(1, sizeof *s);
    es_set_about *set = s ? es_alloc_zero(count, sizeof *set) : NULL;
    bool whole = set != NULL;
    es_sets_free(app);
    if (s == NULL)
        return;
    s->set = set;
    s->count = whole ? count : 0;
    for (size_t k = 0; k < s->count; k++) {
        set[k].name = es_strdup(names[k]);
        set[k].column = ES_NONE;
        whole = whole && set[k].name != NULL;
    }
    s->here = s->at = here;
    s->from = ES_VIEW_RANK;
    s->at_work = ES_NONE;
    s->asked_at = -1e9;
    if (whole)
        app->sets = s;
    else
        free_sets(s);
}

/* ---- the document ---- */

typedef struct reading {
    es_sets *s;
    es_json_value pools, left_out, ranking, line;
} reading;

static es_status get_size(const es_json_value *o, const char *key, size_t *out, es_error *err) {
    uint64_t value = 0;
    es_status st = es_json_get_size(o, key, ES_JSON_OPTIONAL, &value, err);
    *out = (size_t)value;
    return st;
}

static es_status get_number(const es_json_value *o, const char *key, double *out, es_error *err) {
    *out = (double)NAN;
    return es_json_get_number(o, key, ES_JSON_OPTIONAL, out, err);
}

static es_status get_copy(const es_json_value *o, const char *key, char **out, es_error *err) {
    const char *text = NULL;
    es_status st = es_json_get_text(o, key, ES_JSON_OPTIONAL, &text, err);
    if (st == ES_OK && text && (*out = es_strdup(text)) == NULL)
        st = es_no_memory(err);
    return st;
}

static es_set_about *find_set(es_sets *s, const es_json_value *o, es_error *err) {
    const char *name = "";
    if (es_json_get_text(o, "name", ES_JSON_REQUIRED, &name, err) != ES_OK)
        return NULL;
    for (size_t k = 0; k < s->count; k++)
        if (strcmp(s->set[k].name, name) == 0)
            return &s->set[k];
    (void)es_fail(err, ES_EFORMAT, "%s is no data set that is open", name);
    return NULL;
}

static es_status read_pools(reading *r, es_error *err) {
    size_t column = 0;
    es_status st = ES_OK;
    for (es_json_value p = es_json_first(&r->pools); p.node; p = es_json_next(&p)) {
        es_set_about *set = find_set(r->s, &p, err);
        if (set == NULL)
            return ES_EFORMAT;
        set->column = column++;
        ES_TRY(get_size(&p, "rows", &set->rows, err));
        ES_TRY(get_size(&p, "embedders", &set->embedders, err));
        ES_TRY(get_size(&p, "pairs", &set->pairs, err));
        ES_TRY(get_size(&p, "pairs_known", &set->known, err));
    }
    for (es_json_value p = es_json_first(&r->left_out); p.node; p = es_json_next(&p)) {
        es_set_about *set = find_set(r->s, &p, err);
        if (set == NULL)
            return ES_EFORMAT;
        ES_TRY(get_copy(&p, "reason", &set->missing, err));
    }
done:
    return st;
}

static es_status read_places(es_sets *s, const es_json_value *o, size_t k, es_error *err) {
    es_json_value list = {0};
    size_t column = 0, cells = s->rows * s->columns;
    es_status st = ES_OK;
    ES_TRY(es_json_get(o, "data_sets", ES_JSON_ARRAY, ES_JSON_REQUIRED, &list, err));
    for (es_json_value p = es_json_first(&list); p.node && column < s->columns;
         p = es_json_next(&p), column++) {
        double *cell = s->value + k * s->columns + column;
        if (es_json_type_of(&p) != ES_JSON_OBJECT)
            continue;
        ES_TRY(get_number(&p, "share", cell + ES_WITHIN_SHARE * cells, err));
        ES_TRY(get_number(&p, "score", cell + ES_WITHIN_SCORE * cells, err));
        ES_TRY(get_number(&p, "rank", cell + ES_WITHIN_RANK * cells, err));
    }
done:
    return st;
}

static es_status read_row(const es_app *app, es_sets *s, const es_json_value *o, size_t k,
                          es_error *err) {
    es_set_row *row = &s->row[k];
    es_status st = ES_OK;
    ES_TRY(get_copy(o, "model", &row->name, err));
    ES_FAIL_IF(row->name == NULL, es_fail(err, ES_EFORMAT, "an embedder has no name"));
    ES_TRY(get_size(o, "rank", &row->rank, err));
    ES_TRY(get_size(o, "in", &row->in, err));
    ES_TRY(get_size(o, "first_in", &row->first, err));
    ES_TRY(get_number(o, "share", &row->share, err));
    ES_TRY(get_number(o, "ci_low", &row->low, err));
    ES_TRY(get_number(o, "ci_high", &row->high, err));
    ES_TRY(es_json_get_bool(o, "in_best_set", ES_JSON_OPTIONAL, &row->best, err));
    row->item = es_app_find(app, row->name);
    ES_TRY(read_places(s, o, k, err));
done:
    return st;
}

static es_status read_all(const es_app *app, reading *r, es_error *err) {
    es_sets *s = r->s;
    size_t k = 0;
    es_status st = ES_OK;
    ES_TRY(read_pools(r, err));
    ES_TRY(get_copy(&r->line, "sentence", &s->sentence, err));
    ES_TRY(es_json_get_bool(&r->line, "said_of_others", ES_JSON_OPTIONAL, &s->said, err));
    s->columns = es_json_count(&r->pools);
    s->rows = es_json_count(&r->ranking);
    s->row = es_alloc_zero(s->rows, sizeof *s->row);
    s->value = es_alloc(3 * s->rows * s->columns, sizeof *s->value);
    ES_FAIL_IF(!s->row || !s->value, es_no_memory(err));
    for (size_t c = 0; c < 3 * s->rows * s->columns; c++)
        s->value[c] = (double)NAN;
    for (es_json_value o = es_json_first(&r->ranking); o.node; o = es_json_next(&o))
        ES_TRY(read_row(app, s, &o, k++, err));
done:
    return st;
}

/* The cursor stays on its embedder. */
static void keep_line(es_sets *s, const char *name) {
    for (size_t k = 0; name && k < s->rows; k++)
        if (strcmp(s->row[k].name, name) == 0)
            s->line = k;
    if (s->line >= s->rows)
        s->line = s->rows > 0 ? s->rows - 1 : 0;
}

void es_app_sets_known(es_app *app, const char *json, size_t length) {
    es_json_doc *doc = NULL;
    es_error err = {0};
    es_sets *s = app->sets;
    reading r = {.s = s};
    es_status st = ES_OK;
    if (s == NULL)
        return;
    char *name = s->line < s->rows ? es_strdup(s->row[s->line].name) : NULL;
    s->asking = false;
    es_free(s->problem);
    s->problem = NULL;
    ES_TRY(es_json_parse(json, length, "data sets", &doc, &err));
    es_json_value root = es_json_root(doc);
    ES_TRY(es_json_get(&root, "pools", ES_JSON_ARRAY, ES_JSON_REQUIRED, &r.pools, &err));
    ES_TRY(es_json_get(&root, "left_out", ES_JSON_ARRAY, ES_JSON_REQUIRED, &r.left_out, &err));
    ES_TRY(es_json_get(&root, "ranking", ES_JSON_ARRAY, ES_JSON_REQUIRED, &r.ranking, &err));
    ES_TRY(es_json_get(&root, "bottom_line", ES_JSON_OBJECT, ES_JSON_REQUIRED, &r.line, &err));
    forget_rows(s);
    ES_TRY(read_all(app, &r, &err));
done:
    if (st != ES_OK) {
        forget_rows(s);
        es_app_sets_failed(app, err.message);
    }
    keep_line(s, name);
    es_free(name);
    es_json_free(doc);
    app->dirty = true;
}

void es_app_set_gone(es_app *app, size_t set) {
    es_sets *s = app->sets;
    es_buf missing = {0}, sentence = {0};
    if (s == NULL || set >= s->count || s->set[set].column != ES_NONE)
        return;
    es_buf_printf(&missing, "%s: its folder is gone", s->set[set].name);
    es_buf_printf(&sentence, "%s Without %s: its folder is gone.", s->sentence ? s->sentence : "",
                  s->set[set].name);
    if (!missing.failed && !sentence.failed) { /* else it is not said */
        es_free(s->set[set].missing);
        es_free(s->sentence);
        s->set[set].missing = es_buf_take(&missing);
        s->sentence = es_buf_take(&sentence);
    }
    es_buf_free(&missing);
    es_buf_free(&sentence);
}

void es_app_sets_failed(es_app *app, const char *why) {
    es_sets *s = app->sets;
    if (s == NULL)
        return;
    s->asking = false;
    es_free(s->problem);
    s->problem = es_strdup(why);
    app->dirty = true;
}

void es_app_show_sets(es_app *app, bool first) {
    if (app->sets != NULL && first != (app->view == ES_VIEW_SETS))
        es_go(app, first ? ES_VIEW_SETS : ES_VIEW_RANK);
}

/* ---- asking ---- */

void es_app_ask_folders(es_app *app) {
    if (app->source->folders_question == NULL || app->set.same_rows || app->mode != ES_MODE_NORMAL)
        return;
    app->mode = ES_MODE_ASK;
    app->ask = ES_ASK_FOLDERS;
}

void es_app_sets_elsewhere(es_app *app) {
    if (app->sets != NULL)
        app->sets->elsewhere = true;
}

static bool is_stale(const es_app *app) {
    const es_sets *s = app->sets;
    uint64_t revision = app->results ? app->revision : 0;
    return !s->asked || s->revision != revision || s->phase != app->phase ||
           s->published != app->set.published;
}

static bool may_ask(const es_app *app) {
    return app->sets != NULL && app->view == ES_VIEW_SETS && !app->sets->asking &&
           app->phase != ES_PHASE_CHECKING && (app->sets->elsewhere || is_stale(app));
}

void es_sets_ask(es_app *app, es_effects *effects) {
    es_sets *s = app->sets;
    if (!may_ask(app) || app->now < s->asked_at + PAUSE)
        return;
    s->silent = !is_stale(app);
    s->elsewhere = false;
    s->asking = s->asked = true;
    s->asked_at = app->now;
    s->revision = app->results ? app->revision : 0;
    s->phase = app->phase;
    s->published = app->set.published;
    es_effect_add(app, effects, ES_FX_SETS, 0, false, NULL);
}

double es_sets_deadline(const es_app *app) {
    return may_ask(app) ? app->sets->asked_at + PAUSE : (double)INFINITY;
}

bool es_sets_soon(const es_app *app) {
    return app->sets->asking ? !app->sets->silent : may_ask(app) && is_stale(app);
}

/* ---- estimating the others ---- */

void es_app_sets_start(es_app *app) {
    if (app->sets != NULL)
        app->sets->due = true;
}

/* A set that cannot be estimated must not hold up the others. */
static bool is_open_one_over(const es_app *app) {
    return app->phase == ES_PHASE_DONE || (app->phase == ES_PHASE_IDLE && es_app_too_few(app));
}

bool es_sets_estimating(const es_app *app) {
    const es_sets *s = app->sets;
    return s != NULL && (s->at_work != ES_NONE || (s->due && is_open_one_over(app)));
}

static void end_estimating(es_app *app) {
    es_sets *s = app->sets;
    s->due = false;
    if (s->failed > 0)
        es_app_notice(app, ES_EINVAL, "%zu of %zu data sets could not be estimated", s->failed,
                      s->count);
    else if (s->tried > 0)
        es_app_notice(app, ES_OK, "All %zu data sets are estimated", s->count);
}

void es_sets_estimate(es_app *app, es_effects *effects) {
    es_sets *s = app->sets;
    if (s == NULL || !s->due || s->at_work != ES_NONE || !is_open_one_over(app) ||
        app->source->growing_to > 0)
        return;
    s->next += s->next == s->here;
    if (s->next >= s->count || app->source->store_path == NULL) {
        end_estimating(app);
        return;
    }
    s->at_work = s->next++;
    s->tried++;
    s->work[0] = '\0';
    es_app_notice(app, ES_OK, "Estimating %s (%zu of %zu)", s->set[s->at_work].name, s->at_work + 1,
                  s->count);
    es_effect_add(app, effects, ES_FX_SET_ESTIMATE, s->at_work, false, NULL);
}

void es_app_set_progress(es_app *app, const char *text) {
    static const char own[] = "embedscope: ";
    es_sets *s = app->sets;
    text += strncmp(text, own, sizeof own - 1) == 0 ? sizeof own - 1 : 0;
    if (s == NULL || s->at_work == ES_NONE || text[strcspn(text, "\n")] == '\0')
        return;
    (void)snprintf(s->work, sizeof s->work, "%.*s", (int)strcspn(text, "\n"), text);
    app->dirty = true;
}

void es_app_set_estimated(es_app *app, es_status status, const char *why) {
    es_sets *s = app->sets;
    if (s == NULL || s->at_work == ES_NONE) /* stopped before */
        return;
    if (status != ES_OK) {
        es_app_notice(app, status, "%s: %s", s->set[s->at_work].name, why);
        s->failed++;
    }
    s->at_work = ES_NONE;
    s->elsewhere = true;
    app->dirty = true;
}

void es_sets_stop(es_app *app, es_effects *effects) {
    es_sets *s = app->sets;
    s->due = false;
    s->at_work = ES_NONE;
    es_effect_add(app, effects, ES_FX_SET_STOP, 0, false, NULL);
    es_app_notice(app, ES_OK, "Stopped; finished pairs are kept");
}

double es_sets_value(const es_sets *s, es_within what, size_t row, size_t set) {
    size_t column = s->set[set].column;
    if (column == ES_NONE || row >= s->rows || column >= s->columns)
        return (double)NAN;
    return s->value[((size_t)what * s->rows + row) * s->columns + column];
}
