/* Sweeps of settings: what is asked for, and reading the document of `embedscope rank --sweep`. */
#include "setting_sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "combination.h"
#include "effects.h"
#include "estimator.h"
#include "facts.h"
#include "json.h"

/* ---- life ---- */

static void forget(struct es_setting_sweep *s) {
    es_free(s->value);
    es_free(s->score);
    es_free(s->rank);
    es_free(s->problem);
    *s = (struct es_setting_sweep){.at = s->at};
}

void es_sweep_free(es_app *app) {
    if (app->sweep == NULL)
        return;
    forget(app->sweep);
    es_free(app->sweep);
    app->sweep = NULL;
}

static void put_label(const char *text, size_t at, char out[ES_SWEEP_LABEL]) {
    es_buf name = {0};
    (void)es_combination(text, at, &name);
    const char *open = name.data ? strchr(name.data, '[') : NULL;
    size_t length = open ? strlen(open) : 0;
    (void)snprintf(out, ES_SWEEP_LABEL, "%.*s", length > 2 ? (int)length - 2 : 0,
                   open ? open + 1 : "");
    es_buf_free(&name);
}

static size_t count_of(const char *text) {
    es_buf name = {0};
    size_t count = es_combination(text, 0, &name);
    es_buf_free(&name);
    return count;
}

/* Makes the state of what the settings of the view name. */
static bool begin(es_app *app) {
    struct es_setting_sweep *s = app->sweep;
    size_t count = count_of(app->set.sweep);
    if (s == NULL && (s = app->sweep = es_alloc_zero(1, sizeof *s)) == NULL)
        return false;
    forget(s);
    s->value = es_alloc_zero(count, sizeof *s->value);
    s->score = es_alloc(count, (app->n + 1) * sizeof *s->score);
    s->rank = es_alloc_zero(count, (app->n + 1) * sizeof *s->rank);
    if (s->value == NULL || s->score == NULL || s->rank == NULL) {
        es_sweep_free(app);
        return false;
    }
    (void)snprintf(s->text, sizeof s->text, "%s", app->set.sweep);
    s->values = count;
    s->at = s->at < count ? s->at : 0;
    s->stale = true;
    for (size_t k = 0; k < count; k++) {
        put_label(s->text, k, s->value[k].label);
        s->value[k].first = s->value[k].spearman = s->value[k].kendall = (double)NAN;
        s->value[k].seconds = (double)NAN;
    }
    for (size_t c = 0; c < count * app->n; c++)
        s->score[c] = (double)NAN;
    return true;
}

/* ---- what is asked for ---- */

static const es_results *shown(const es_app *app) {
    const es_source *source = app->source;
    size_t entry = app->wanted_entry != ES_NONE ? app->wanted_entry : source->best;
    return entry < source->plan ? source->results[entry] : NULL;
}

static const es_estimator *named(const char *text) {
    size_t length = strcspn(text, " "), k = 0;
    while (es_estimators[k] != NULL && (strlen(es_estimators[k]->name) != length ||
                                        memcmp(es_estimators[k]->name, text, length) != 0))
        k++;
    return es_estimators[k];
}

static const es_estimator *with_setting(const es_app *app, const char *text) {
    const es_results *r = shown(app);
    char key[ES_SWEEP_LABEL];
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

/* Every combination is one of the estimator's, and none comes twice. */
static es_status check(const es_estimator *e, const char *text, es_error *err) {
    size_t count = count_of(text);
    double *values = es_alloc(e->n_settings + 1, sizeof *values);
    es_status st = ES_OK;
    ES_FAIL_IF(values == NULL, es_no_memory(err));
    ES_FAIL_IF(count == 0 || strchr(text, '=') == NULL,
               es_fail(err, ES_EINVAL, "expected KEY=VALUE,VALUE, such as modes=1,2,4"));
    ES_FAIL_IF(count > ES_SWEEP_MOST,
               es_fail(err, ES_EINVAL, "%d combinations at most", (int)ES_SWEEP_MOST));
    for (size_t k = 0; k < count; k++) {
        char label[ES_SWEEP_LABEL];
        put_label(text, k, label);
        ES_TRY(es_estimator_preset(e, NULL, values, err));
        for (char *at = label, *end; at != NULL && *at != '\0'; at = end) {
            end = strchr(at, ' ');
            if (end != NULL)
                *end++ = '\0';
            ES_TRY(es_estimator_set(e, at, values, err));
        }
    }
done:
    es_free(values);
    return st;
}

bool es_sweep_begin(es_app *app, const char *text) {
    char line[ES_APP_LINE];
    es_error err = {0};
    size_t first = strcspn(text, " ");
    if (es_sweep_busy(app)) {
        es_app_notice(app, ES_EBUSY, "sweep: %s is under way; X stops it", app->sweep->text);
        return false;
    }
    if (app->source->store_path == NULL) {
        es_app_notice(app, ES_EUNSUPPORTED, "sweep: %s",
                      app->source->rows == 0 ? "there are no rows, only results"
                                             : "there is no store to keep it in");
        return false;
    }
    bool has = memchr(text, '=', first) == NULL;
    const es_estimator *e = has ? named(text) : with_setting(app, text);
    if (e == NULL) {
        es_app_notice(app, ES_ENOTFOUND,
                      has ? "sweep: no estimator is called '%.*s'; of measures: :measure NAME "
                            "KEY=VALUE,VALUE, then gs"
                          : "sweep: no estimator has the setting of '%.*s'",
                      (int)first, text);
        return false;
    }
    int length = snprintf(line, sizeof line, "%s%s%s", has ? "" : e->name, has ? "" : " ", text);
    if (length >= (int)sizeof line || check(e, line, &err) != ES_OK) {
        es_app_notice(app, ES_EINVAL, "sweep: %s", err.message[0] ? err.message : "too long");
        return false;
    }
    (void)snprintf(app->set.sweep, sizeof app->set.sweep, "%s", line);
    if (!begin(app)) {
        es_app_notice(app, ES_ENOMEM, "out of memory: nothing is swept");
        return false;
    }
    app->sweep->running = true;
    return true;
}

bool es_sweep_busy(const es_app *app) {
    return app->sweep != NULL && app->sweep->running;
}

bool es_sweep_whole(const es_app *app) {
    const struct es_setting_sweep *s = app->sweep;
    bool whole = s != NULL && s->known && s->values > 0;
    for (size_t k = 0; whole && k < s->values; k++)
        whole = s->value[k].of > 0 && s->value[k].known == s->value[k].of;
    return whole;
}

void es_sweep_stop(es_app *app, es_effects *effects) {
    struct es_setting_sweep *s = app->sweep;
    if (!es_sweep_busy(app))
        return;
    if (s->working)
        es_effect_add(app, effects, ES_FX_SWEEP_STOP, 0, false, NULL);
    s->running = s->working = false;
    s->stale = true;
    es_app_notice(app, ES_OK, "Stopped; finished pairs are kept, and R goes on in gw");
}

/* The first from `next` on that is not whole; those that failed are tried once a sweep. */
static size_t due(const struct es_setting_sweep *s) {
    size_t k = s->next;
    while (k < s->values && s->value[k].of > 0 && s->value[k].known == s->value[k].of)
        k++;
    return k;
}

/* What the view was left with, or u has brought back. */
static bool is_other(const es_app *app) {
    return app->set.sweep[0] != '\0' && !es_sweep_busy(app) &&
           (app->sweep == NULL || strcmp(app->sweep->text, app->set.sweep) != 0);
}

bool es_sweep_seen(const es_app *app) {
    return app->view == ES_VIEW_CORR && app->set.corr_sweep;
}

static bool has_work(const es_app *app) {
    const struct es_setting_sweep *s = app->sweep;
    if (app->source->path == NULL || app->phase == ES_PHASE_CHECKING)
        return false;
    if (es_sweep_seen(app) && is_other(app))
        return true;
    return s != NULL && !s->asking && !s->working && (s->stale || s->running);
}

void es_sweep_ask(es_app *app, es_effects *effects) {
    if (!has_work(app))
        return;
    if (es_sweep_seen(app) && is_other(app) &&
        (named(app->set.sweep) == NULL ||
         check(named(app->set.sweep), app->set.sweep, NULL) != ES_OK || !begin(app)))
        app->set.sweep[0] = '\0'; /* of another version of the program */
    struct es_setting_sweep *s = app->sweep;
    if (s == NULL || s->asking || s->working)
        return;
    if (s->stale) {
        s->stale = false;
        s->asking = true;
        es_effect_add(app, effects, ES_FX_SWEEP, ES_NONE, false, NULL);
        return;
    }
    s->next = s->running ? due(s) : 0;
    if (s->running && s->next == s->values) {
        s->running = false;
        es_app_notice(app, ES_OK, "The sweep %s is finished; gw shows it", s->text);
    } else if (s->running) {
        s->working = true;
        s->progress[0] = '\0';
        es_effect_add(app, effects, ES_FX_SWEEP, s->next, false, NULL);
    }
}

double es_sweep_deadline(const es_app *app) {
    return has_work(app) ? app->now : (double)INFINITY;
}

/* ---- command lines ---- */

static es_status add(es_words *line, const char *option, const char *word, size_t length,
                     es_error *err) {
    char value[ES_APP_LINE];
    (void)snprintf(value, sizeof value, "%.*s", (int)length, word);
    es_status st = es_words_add(line, option, err);
    return st == ES_OK ? es_words_add(line, value, err) : st;
}

es_status es_sweep_words(const es_app *app, size_t at, es_words *line, es_error *err) {
    const struct es_setting_sweep *s = app->sweep;
    const es_results *r = shown(app);
    size_t name = strcspn(s->text, " ");
    const char *word = s->text + name;
    char label[ES_SWEEP_LABEL];
    es_status st = ES_OK;
    ES_TRY(add(line, "--estimator", s->text, name, err));
    if (r != NULL && r->estimator == named(s->text) && r->preset != NULL &&
        strcmp(r->preset, "default") != 0)
        ES_TRY(add(line, "--preset", r->preset, strlen(r->preset), err));
    if (at != ES_NONE) {
        put_label(s->text, at, label);
        word = label;
    }
    for (word += strspn(word, " "); *word != '\0'; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        ES_TRY(add(line, "--sweep", word, length, err));
        word += length;
    }
done:
    return st;
}

/* ---- the document ---- */

static es_status get_size(const es_json_value *o, const char *key, size_t *out, es_error *err) {
    uint64_t value = 0;
    es_status st = es_json_get_size(o, key, ES_JSON_REQUIRED, &value, err);
    *out = (size_t)value;
    return st;
}

static es_status get_number(const es_json_value *o, const char *key, double *out, es_error *err) {
    *out = (double)NAN;
    return es_json_get_number(o, key, ES_JSON_OPTIONAL, out, err);
}

static es_status get_band(const es_json_value *o, const char *key, size_t k, es_sweep_value *v,
                          es_error *err) {
    double end[2] = {(double)NAN, (double)NAN};
    es_json_value list = {0};
    size_t at = 0;
    es_status st = es_json_get(o, key, ES_JSON_ARRAY, ES_JSON_OPTIONAL, &list, err);
    for (es_json_value e = es_json_first(&list); st == ES_OK && e.node && at < 2;
         e = es_json_next(&e), at++)
        if (es_json_type_of(&e) == ES_JSON_NUMBER)
            st = es_json_as_number(&e, &end[at], err);
    v->low[k] = end[0];
    v->high[k] = end[1];
    return st;
}

static es_status read_downstream(const es_json_value *o, es_sweep_value *v, es_error *err) {
    es_json_value down = {0};
    es_status st = ES_OK;
    v->n = 0;
    v->spearman = v->kendall = (double)NAN;
    ES_TRY(es_json_get(o, "downstream", ES_JSON_OBJECT, ES_JSON_OPTIONAL, &down, err));
    if (down.node == NULL)
        goto done;
    ES_TRY(get_size(&down, "n", &v->n, err));
    ES_TRY(get_number(&down, "spearman", &v->spearman, err));
    ES_TRY(get_number(&down, "kendall", &v->kendall, err));
    ES_TRY(get_band(&down, "spearman_ci", 0, v, err));
    ES_TRY(get_band(&down, "kendall_ci", 1, v, err));
done:
    return st;
}

static es_status read_ranking(const es_app *app, const es_json_value *o, double *score,
                              uint32_t *rank, es_error *err) {
    es_json_value list = {0};
    es_status st = ES_OK;
    ES_TRY(es_json_get(o, "ranking", ES_JSON_ARRAY, ES_JSON_REQUIRED, &list, err));
    for (size_t i = 0; i < app->n; i++) {
        score[i] = (double)NAN;
        rank[i] = 0;
    }
    for (es_json_value m = es_json_first(&list); m.node; m = es_json_next(&m)) {
        const char *name = "";
        uint64_t place = 0;
        double value;
        ES_TRY(es_json_get_text(&m, "model", ES_JSON_REQUIRED, &name, err));
        ES_TRY(get_number(&m, "score", &value, err));
        ES_TRY(es_json_get_size(&m, "rank", ES_JSON_OPTIONAL, &place, err));
        size_t item = es_app_find(app, name);
        if (item != ES_NONE) {
            score[item] = value;
            rank[item] = (uint32_t)place;
        }
    }
done:
    return st;
}

static es_status read_value(const es_app *app, const es_json_value *o, size_t k, es_error *err) {
    const struct es_setting_sweep *s = app->sweep;
    es_sweep_value *v = &s->value[k];
    const char *name = "", *best = "";
    es_status st = ES_OK;
    ES_TRY(es_json_get_text(o, "name", ES_JSON_REQUIRED, &name, err));
    ES_FAIL_IF(strcmp(name, v->label) != 0,
               es_fail(err, ES_EFORMAT, "%s where %s was asked for", name, v->label));
    ES_TRY(get_size(o, "known", &v->known, err));
    ES_TRY(get_size(o, "of", &v->of, err));
    ES_TRY(get_size(o, "failed", &v->failed, err));
    ES_TRY(get_number(o, "seconds", &v->seconds, err));
    ES_TRY(es_json_get_text(o, "best", ES_JSON_OPTIONAL, &best, err));
    (void)snprintf(v->best, sizeof v->best, "%s", best ? best : "");
    ES_TRY(get_number(o, "kendall_first", &v->first, err));
    ES_TRY(read_downstream(o, v, err));
    ES_TRY(read_ranking(app, o, s->score + k * app->n, s->rank + k * app->n, err));
done:
    return st;
}

static es_status read_all(const es_app *app, const es_json_value *root, es_error *err) {
    struct es_setting_sweep *s = app->sweep;
    es_json_value list = {0};
    const char *task = NULL;
    size_t k = 0;
    es_status st = ES_OK;
    ES_TRY(es_json_get_bool(root, "lower_is_better", ES_JSON_OPTIONAL, &s->lower, err));
    ES_TRY(es_json_get_text(root, "downstream", ES_JSON_OPTIONAL, &task, err));
    (void)snprintf(s->downstream, sizeof s->downstream, "%s", task ? task : "");
    ES_TRY(es_json_get(root, "sweep", ES_JSON_ARRAY, ES_JSON_REQUIRED, &list, err));
    ES_FAIL_IF(es_json_count(&list) != s->values,
               es_fail(err, ES_EFORMAT, "%zu values where %zu were asked for", es_json_count(&list),
                       s->values));
    for (es_json_value v = es_json_first(&list); v.node; v = es_json_next(&v), k++)
        ES_TRY(read_value(app, &v, k, err));
done:
    return st;
}

void es_app_sweep_known(es_app *app, const char *json, size_t length) {
    struct es_setting_sweep *s = app->sweep;
    es_json_doc *doc = NULL;
    es_error err = {0};
    es_status st = ES_OK;
    if (s == NULL)
        return;
    s->asking = false;
    app->dirty = true;
    if (json != NULL) {
        st = es_json_parse(json, length, "sweep", &doc, &err);
        es_json_value root = es_json_root(doc);
        st = st == ES_OK ? read_all(app, &root, &err) : st;
    }
    s->known = st == ES_OK;
    es_json_free(doc);
    if (st != ES_OK)
        es_app_sweep_failed(app, err.message);
}

void es_app_sweep_failed(es_app *app, const char *why) {
    struct es_setting_sweep *s = app->sweep;
    if (s == NULL)
        return;
    s->asking = s->working = s->running = false;
    es_free(s->problem);
    s->problem = es_strdup(why);
    es_app_notice(app, ES_EIO, "sweep: %s", why);
}

void es_app_sweep_progress(es_app *app, const char *line) {
    static const char own[] = "embedscope: ";
    struct es_setting_sweep *s = app->sweep;
    if (s == NULL)
        return;
    if (strncmp(line, own, sizeof own - 1) == 0)
        line += sizeof own - 1;
    size_t length = strcspn(line, "\n");
    if (length < strlen(line) && strncmp(s->progress, line, sizeof s->progress - 1) != 0) {
        (void)snprintf(s->progress, sizeof s->progress, "%.*s", (int)length, line);
        app->dirty = true;
    }
}

void es_app_sweep_over(es_app *app, es_status status, const char *why) {
    struct es_setting_sweep *s = app->sweep;
    if (s == NULL)
        return;
    if (status != ES_OK)
        es_app_sweep_failed(app, why);
    s->working = false;
    s->progress[0] = '\0';
    s->next++;
    s->stale = true; /* what there is now is shown */
    app->dirty = true;
}

/* ---- reading ---- */

size_t es_sweep_ranked(const es_app *app, size_t value, size_t place) {
    const uint32_t *rank = app->sweep->rank + value * app->n;
    for (size_t i = 0; i < app->n; i++) {
        size_t before = 0;
        for (size_t j = 0; rank[i] > 0 && j < app->n; j++)
            before += rank[j] > 0 && (rank[j] < rank[i] || (rank[j] == rank[i] && j < i));
        if (rank[i] > 0 && before == place)
            return i;
    }
    return ES_NONE;
}

char *es_sweep_note(const es_app *app, size_t value) {
    const struct es_setting_sweep *s = app->sweep;
    es_buf text = {0};
    es_buf_printf(&text, "rank  at %s  score  embedder\n", s->value[0].label);
    for (size_t place = 0; es_sweep_ranked(app, value, place) != ES_NONE; place++) {
        size_t i = es_sweep_ranked(app, value, place);
        uint32_t first = s->rank[i];
        es_buf_printf(&text, "%4u", (unsigned)s->rank[value * app->n + i]);
        if (first > 0)
            es_buf_printf(&text, "  %*u", (int)strlen(s->value[0].label) + 3, (unsigned)first);
        else
            es_buf_printf(&text, "  %*s", (int)strlen(s->value[0].label) + 3, "-");
        es_buf_printf(&text, "  %5.3f  %s\n", s->score[value * app->n + i], es_app_name(app, i));
    }
    return es_buf_take(&text);
}
