/* Measures that were asked for: what they are given, what of them is stored, how far they are.
 * Their jobs are in measure_jobs.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_session_parts.h"

static void entry_free(measure_entry *e) {
    if (!e)
        return;
    es_measure_jobs_free(e);
    es_measured_deinit(&e->shown);
    es_free(e->job);
    es_free(e);
}

void es_measuring_free(es_measuring *x) {
    if (!x)
        return;
    for (size_t i = 0; i < x->count; i++)
        entry_free(x->entry[i]);
    for (size_t i = 0; i < x->n_annotated; i++)
        es_annotations_free(x->annotated[i].annotations);
    es_free(x->entry);
    es_free(x->annotated);
    es_words_deinit(&x->texts);
    es_free(x);
}

/* ---- setting up ---- */

static bool same_values(const double *a, const double *b) {
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static es_status annotations_of(es_session *s, const double *values, es_annotations **out,
                                es_error *err) {
    es_measuring *x = s->measuring;
    for (size_t i = 0; i < x->n_annotated; i++)
        if (same_values(x->annotated[i].values, values)) {
            *out = x->annotated[i].annotations;
            return ES_OK;
        }
    struct es_annotated one = {0};
    memcpy(one.values, values, sizeof one.values);
    ES_PASS(es_annotations_new(s->pool, values, s->seed, &one.annotations, err));
    es_status st =
        es_append(&x->annotated, &x->n_annotated, &x->annotated_room, &one, sizeof one, err);
    if (st == ES_OK)
        *out = one.annotations;
    else
        es_annotations_free(one.annotations);
    return st;
}

/* "evalrank.hits1[preprocess=none]"; a task stands behind the measure's name. */
static void put_label(const char *label, es_buf *name) {
    if (label[0])
        es_buf_printf(name, "[%s]", label);
}

/* `base`: the name without the label. */
static es_status name_fields(es_measured *r, const char *base, const char *label, es_error *err) {
    size_t count = r->measure->n_fields;
    r->field = es_alloc_zero(count, sizeof *r->field);
    for (size_t f = 0; r->field && f < count; f++) {
        es_buf name = {0};
        es_buf_puts(&name, base);
        if (f > 0)
            es_buf_printf(&name, ".%s", r->measure->fields[f].name);
        put_label(label, &name);
        if (!(r->field[f] = es_buf_take(&name)))
            return es_no_memory(err);
    }
    return r->field ? ES_OK : es_no_memory(err);
}

static es_status name_entry(measure_entry *e, const char *task, size_t times, const char *label,
                            es_error *err) {
    es_buf name = {0};
    es_status st = ES_OK;
    if (task && !(e->shown.task = es_strdup(task)))
        return es_no_memory(err);
    es_buf_puts(&name, e->shown.measure->name);
    if (task && times > 1)
        es_buf_printf(&name, ":%s", task);
    st = es_buf_check(&name, err);
    if (st == ES_OK)
        st = name_fields(&e->shown, name.data, label, err);
    put_label(label, &name);
    e->shown.name = es_buf_take(&name);
    return st == ES_OK && !e->shown.name ? es_no_memory(err) : st;
}

static size_t find_entry(const es_measuring *x, const es_measure *m, const char *task,
                         const char *settings) {
    for (size_t i = 0; i < x->count; i++) {
        const es_measured *r = &x->entry[i]->shown;
        bool same_task = r->task && task ? strcmp(r->task, task) == 0 : r->task == task;
        if (r->measure == m && same_task && strcmp(r->settings, settings) == 0)
            return i;
    }
    return SIZE_MAX;
}

/* Time number k of a measure as an entry; *at is its number. */
static es_status add_entry(es_session *s, const es_measure *m, es_annotations *annotations,
                           const double *own, const double *data, size_t k, size_t times,
                           const char *label, size_t *at, es_error *err) {
    es_measuring *x = s->measuring;
    const char *task = NULL;
    es_status st = ES_OK;
    measure_entry *e = es_alloc_zero(1, sizeof *e);
    if (!e)
        return es_no_memory(err);
    e->shown.measure = m;
    memcpy(e->values, own, m->n_settings * sizeof *own);
    e->shown.symmetric = m->symmetric && !(m->directed && m->directed(own));
    ES_TRY(es_annotations_take(annotations, m->needs, k, &e->given, &task, &e->data, err));
    es_digest among = m->among ? es_measure_pool_digest(s) : (es_digest){0, 0};
    ES_TRY(es_measure_settings_text(m, own, data, e->data, among, &e->shown.settings, err));
    *at = find_entry(x, m, task, e->shown.settings);
    if (*at != SIZE_MAX)
        goto done;
    ES_TRY(name_entry(e, task, times, label, err));
    ES_TRY(es_measured_init(&e->shown, s->m, err));
    (void)snprintf(e->estimator, sizeof e->estimator, "measure %s", m->name);
    e->key = (es_store_key){e->estimator, m->version, e->shown.settings, s->seed,
                            es_pool_rowset(s->pool)};
    if (s->store && !s->refresh)
        ES_TRY(es_measure_load_stored(s, &e->key, &x->texts, &e->shown, err));
    *at = x->count;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    ES_TRY(es_append(&x->entry, &x->count, &x->room, &e, sizeof e, err));
    e = NULL;
done:
    entry_free(e);
    return st;
}

es_status es_measure_begin(es_session *s, es_error *err) {
    if (!s->pool || !s->ready || s->m == 0)
        return es_fail(err, ES_EEMPTY,
                       s->pool && !s->ready ? "the pool is still being checked: ask again"
                                            : "there are no embedders to measure");
    if (s->prepare.job)
        return es_fail(err, ES_EBUSY, "the pool's files are being read: ask again");
    if (!s->measuring && !(s->measuring = es_alloc_zero(1, sizeof *s->measuring)))
        return es_no_memory(err);
    return ES_OK;
}

/* Returns the annotations of rows that a measure with default settings uses; borrowed. */
static es_status measure_annotations(es_session *s, const es_measure *measure,
                                     const char *const *settings, es_annotations **out,
                                     es_error *err) {
    double own[ES_MEASURE_FIELDS], data[ES_ANNOTATIONS_SETTINGS];
    ES_PASS(es_measure_begin(s, err));
    ES_PASS(es_measure_settings(measure, settings, false, own, data, err));
    return annotations_of(s, data, out, err);
}

/* es_annotations_times, with the measure's name in the message. */
static es_status measure_times(const es_measure *measure, es_annotations *annotations, size_t *out,
                               es_error *err) {
    es_error why = {0};
    es_status st = es_annotations_times(annotations, measure->needs, out, &why);
    if (st == ES_ENOTFOUND)
        return es_fail(err, st, "%s %s", measure->name, why.message);
    return st == ES_OK ? ES_OK : es_fail(err, st, "%s", why.message);
}

es_status es_session_measure(es_session *s, const es_measure *measure, const char *const *settings,
                             bool lenient, size_t *first, size_t *count, es_error *err) {
    return es_session_measure_as(s, measure, settings, lenient, "", first, count, err);
}

es_status es_session_measure_as(es_session *s, const es_measure *measure,
                                const char *const *settings, bool lenient, const char *label,
                                size_t *first, size_t *count, es_error *err) {
    double own[ES_MEASURE_FIELDS], data[ES_ANNOTATIONS_SETTINGS];
    es_annotations *annotations = NULL;
    size_t times = 0, at = 0;
    es_status st = ES_OK;
    ES_TRY(es_measure_begin(s, err));
    ES_TRY(es_measure_settings(measure, settings, lenient, own, data, err));
    ES_TRY(annotations_of(s, data, &annotations, err));
    ES_TRY(measure_times(measure, annotations, &times, err));
    for (size_t k = 0; k < times; k++) {
        ES_TRY(add_entry(s, measure, annotations, own, data, k, times, label, &at, err));
        if (k == 0)
            *first = at;
    }
    *count = times;
done:
    return st;
}

es_status es_session_measure_start(es_session *s, size_t entry, es_error *err) {
    measure_entry *e = s->measuring->entry[entry];
    es_status st = ES_OK;
    if (es_workers_threads(s->workers) == 0)           /* a session that only shows */
        ES_TRY(es_workers_resize(s->workers, 1, err)); /* as many tickets as threads */
    if (e->shown.done < e->shown.of)
        ES_TRY(es_measure_room_fits(s, e->shown.measure, e->values, e->shown.name, err));
    ES_FAIL_IF(!e->job && !(e->job = es_alloc_zero(s->m, sizeof(es_job *))), es_no_memory(err));
    e->started = true;
    if (e->shown.done < e->shown.of && !e->pairing)
        st = es_measure_jobs_start(s, e, err);
done:
    return st;
}

/* ---- looking ---- */

size_t es_session_measured_count(const es_session *s) {
    return s->measuring ? s->measuring->count : 0;
}

const es_measured *es_session_measured(const es_session *s, size_t entry) {
    return entry < es_session_measured_count(s) ? &s->measuring->entry[entry]->shown : NULL;
}

void es_session_measure_inputs(const es_session *s, size_t entry, es_measure_data *data,
                               const double **values) {
    *data = s->measuring->entry[entry]->given;
    *values = s->measuring->entry[entry]->values;
}

const es_annotations *es_session_annotations(const es_session *s) {
    return s->measuring && s->measuring->n_annotated > 0
               ? s->measuring->annotated[s->measuring->n_annotated - 1].annotations
               : NULL;
}

void es_session_measure_progress(const es_session *s, es_measure_progress *out) {
    *out = (es_measure_progress){0};
    for (size_t i = 0; s->measuring && i < s->measuring->count; i++) {
        const measure_entry *e = s->measuring->entry[i];
        if (!e->started)
            continue;
        out->total += e->shown.of;
        out->done += e->shown.done;
        out->failed += e->shown.failed;
        out->running = out->running || e->pairing;
        for (size_t k = 0; e->job && k < s->m; k++)
            out->running = out->running || e->job[k];
    }
    es_frontiers_progress(s, out);
}

double es_session_measure_memory(const es_session *s) {
    double most = 0;
    for (size_t i = 0; i < es_session_measured_count(s); i++) {
        const measure_entry *e = s->measuring->entry[i];
        if (e->shown.done < e->shown.of)
            most = fmax(most, es_measure_room_most(s, e->shown.measure, e->values));
    }
    return most > 0 ? most + es_room_standing(s) : 0;
}

/* ---- what people said about the rows ---- */

/* What people said about the rows, read by a worker: labels.csv may be large, and whoever draws
 * must not wait for it. While it reads, nobody else touches the annotations. */

typedef struct prepare_work {
    const es_measure *measure;
    es_annotations *annotations; /* the session's */
} prepare_work;

/* Files are read and counted when they are first asked for; later askers find it done. */
static es_status compute(void *data, es_run *run, es_error *err) {
    const prepare_work *work = data;
    size_t times = 0;
    es_measure_data given;
    const char *task;
    es_digest digest;
    es_status st = measure_times(work->measure, work->annotations, &times, err);
    for (size_t k = 0; k < times && st == ES_OK; k++) {
        st = es_run_check(run, err);
        if (st == ES_OK)
            st = es_annotations_take(work->annotations, work->measure->needs, k, &given, &task,
                                     &digest, err);
    }
    return st;
}

/* Above what is computed from it. */
static const es_latest_task_kind kind = {compute, NULL, 1.0, NULL};

es_status es_session_measure_prepare(es_session *s, const es_measure *measure,
                                     const char *const *settings, es_error *err) {
    es_annotations *annotations = NULL;
    if (s->prepare.job)
        return es_fail(err, ES_EBUSY, "the pool's files are being read");
    es_status st = measure_annotations(s, measure, settings, &annotations, err);
    if (st != ES_OK)
        return st;
    prepare_work *work = es_alloc(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    *work = (prepare_work){measure, annotations};
    return es_latest_task_start(&s->prepare, s->workers, s->log, &kind, work, 0, err);
}

es_status es_session_measure_prepared(es_session *s, es_error *err) {
    return es_latest_task_outcome(&s->prepare, err);
}

/* Reads what the store holds beside the plan: the published score of the ranking's baseline "l2" or
 * of any other estimator that was run at its defaults, and the names of all runs. A session shows
 * one plan. */

typedef struct loading {
    const es_session *session;
    const es_run *run; /* NULL: not stopped */
    double *error;     /* (m, m) NaN: not known */
    size_t pairs;      /* of two embedders */
    double seconds;
} loading;

void es_stored_score_deinit(es_stored_score *baseline) {
    es_free(baseline->score);
    *baseline = (es_stored_score){0};
}

/* Embedders of equal contents share their results. */
static es_status take_pair(void *context, es_store_pair *pair, es_error *err) {
    loading *l = context;
    const es_session *s = l->session;
    size_t first = es_identities_first(&s->targets, s->m, pair->target);
    es_status st = es_run_check(l->run, err);
    if (st != ES_OK || pair->failed)
        return st;
    for (size_t i = es_identities_first(&s->sources, s->m, pair->source);
         es_identities_at(&s->sources, s->m, i, pair->source); i++)
        for (size_t k = first; es_identities_at(&s->targets, s->m, k, pair->target); k++) {
            size_t source = s->sources.order[i], target = s->targets.order[k];
            l->pairs += source != target;
            l->seconds += isfinite(pair->seconds) ? pair->seconds : 0;
            l->error[source * s->m + target] = pair->result.is;
        }
    return ES_OK;
}

/* The published score, errors with their sign turned. */
static es_status sum_up(const loading *l, const es_estimator *estimator, es_stored_score *out,
                        es_error *err) {
    const es_score_rule published = {.aggregate = ES_AGGREGATE_MEDIAN};
    es_ranking *ranking = NULL;
    size_t m = l->session->m;
    double *score = es_alloc(m, sizeof *score);
    if (score == NULL)
        return es_no_memory(err);
    es_status st = es_ranking_new(l->error, m, &published, &ranking, err);
    for (size_t i = 0; st == ES_OK && i < m; i++)
        score[i] = !isfinite(ranking->score[i]) ? (double)NAN
                   : estimator->lower_is_better ? -ranking->score[i]
                                                : ranking->score[i];
    if (st == ES_OK) {
        *out = (es_stored_score){estimator, m, score, l->pairs, m * (m - 1), l->seconds, NULL};
        score = NULL;
    }
    es_ranking_free(ranking);
    es_free(score);
    return st;
}

static es_status read_score(const es_session *s, const char *estimator, const es_run *run,
                            es_stored_score *out, es_error *err) {
    const es_session_options options = {.estimator = estimator, .seed = s->seed};
    es_entry *entry = NULL;
    size_t count = 0, cells = s->m * s->m;
    bool all_binary = false;
    loading l = {.session = s, .run = run};
    es_status st = ES_OK;
    ES_TRY(es_plan_new(&options, es_estimators, &entry, &count, &all_binary, err));
    ES_FAIL_IF(!(l.error = es_alloc(cells, sizeof *l.error)), es_no_memory(err));
    for (size_t i = 0; i < cells; i++)
        l.error[i] = (double)NAN;
    const es_store_key key = {entry->config.estimator->name, entry->config.estimator->version,
                              entry->config.text, s->seed, es_pool_rowset(s->pool)};
    ES_TRY(es_store_load(s->store, &key, false, take_pair, &l, err));
    if (l.pairs > 0) {
        const es_problem problem = {s->entries[0].split, entry->config.values, s->seed, 0};
        ES_TRY(sum_up(&l, entry->config.estimator, out, err));
        out->remark = es_estimator_remark(entry->config.estimator, &problem);
    }
done:
    es_free(l.error);
    es_plan_free(entry, count);
    return st;
}

static bool has_store(const es_session *s) {
    return s->store && s->ready && s->problem.code == ES_OK;
}

/* Nothing to ask where it begins the plan. */
static bool has_baseline(const es_session *s) {
    return has_store(s) && strcmp(s->entries[0].config.estimator->name, "l2") != 0;
}

static bool is_planned(const es_session *s, const char *estimator) {
    for (size_t i = 0; i < s->n_entries; i++)
        if (strcmp(s->entries[i].config.estimator->name, estimator) == 0 &&
            strcmp(s->entries[i].config.preset, "default") == 0)
            return true;
    return false;
}

es_status es_session_baseline_read(const es_session *s, es_stored_score *out, es_error *err) {
    *out = (es_stored_score){0};
    return has_baseline(s) ? read_score(s, "l2", NULL, out, err) : ES_OK;
}

es_status es_session_stored_read(const es_session *s, const char *estimator, es_stored_score *out,
                                 es_error *err) {
    *out = (es_stored_score){0};
    return has_store(s) && !is_planned(s, estimator) ? read_score(s, estimator, NULL, out, err)
                                                     : ES_OK;
}

/* ---- in the background ---- */

typedef struct baseline_work {
    const es_session *session;
    es_stored_score out;
} baseline_work;

/* In a worker: computes the score by the baseline estimator l2, if it is stored. */
static es_status compute_baseline(void *data, es_run *run, es_error *err) {
    baseline_work *work = data;
    return has_baseline(work->session) ? read_score(work->session, "l2", run, &work->out, err)
                                       : ES_OK;
}

static void work_baseline_deinit(void *data) {
    es_stored_score_deinit(&((baseline_work *)data)->out);
}

/* As for intervals: short, and somebody looks at the place where it will stand. */
static const es_latest_task_kind baseline_kind = {compute_baseline, work_baseline_deinit, 1.0,
                                                  "stored scores"};

es_status es_session_baseline_start(es_session *s, es_error *err) {
    if (!has_store(s))
        return es_fail(err, ES_ENOTFOUND, "there is no store to read");
    if (s->stored.job)
        return ES_OK;
    baseline_work *work = es_alloc_zero(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    work->session = s;
    return es_latest_task_start(&s->stored, s->workers, s->log, &baseline_kind, work, 0, err);
}

const es_stored_score *es_session_baseline(const es_session *s, bool *busy) {
    const baseline_work *newest = s->stored.newest;
    *busy = s->stored.job != NULL;
    return newest && newest->out.score ? &newest->out : NULL;
}

/* ---- the names of all runs ---- */

typedef struct runs_work {
    const es_session *session;
    es_buf text;
} runs_work;

static es_status name_runs(void *data, es_run *run, es_error *err) {
    runs_work *work = data;
    (void)run; /* a query of a few rows */
    const es_session *s = work->session;
    return es_store_runs_put(s->store, s->seed, es_pool_rowset(s->pool), &work->text, err);
}

static void release_runs(void *data) {
    es_buf_free(&((runs_work *)data)->text);
}

const char *es_session_other_runs(es_session *s) {
    static const es_latest_task_kind names = {name_runs, release_runs, 1.0, "stored results"};
    const runs_work *newest = s->runs.newest;
    if (!newest && has_store(s) && !s->runs.job && s->runs.error.code == ES_OK) {
        runs_work *work = es_alloc_zero(1, sizeof *work);
        if (work) {
            work->session = s;
            (void)es_latest_task_start(&s->runs, s->workers, s->log, &names, work, 0, NULL);
        }
    }
    return newest && newest->text.length > 0 ? newest->text.data : NULL;
}
