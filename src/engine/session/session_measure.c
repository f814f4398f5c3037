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
    for (size_t i = 0; i < x->n_annotations; i++)
        es_annotations_free(x->annotations[i]);
    es_free(x->entry);
    es_free(x->annotations);
    es_free(x->annotations_values);
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
    for (size_t i = 0; i < x->n_annotations; i++)
        if (same_values(x->annotations_values[i], values)) {
            *out = x->annotations[i];
            return ES_OK;
        }
    es_annotations **more = /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
        es_realloc(x->annotations, x->n_annotations + 1, sizeof *more);
    if (more)
        x->annotations = more;
    void *wider =
        es_realloc(x->annotations_values, x->n_annotations + 1, sizeof *x->annotations_values);
    if (wider)
        x->annotations_values = wider;
    if (!more || !wider)
        return es_no_memory(err);
    es_status st = es_annotations_new(s->pool, values, s->seed, out, err);
    if (st != ES_OK)
        return st;
    memcpy(x->annotations_values[x->n_annotations], values, sizeof *x->annotations_values);
    x->annotations[x->n_annotations++] = *out;
    return ES_OK;
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
    es_digest among = {0, 0};
    if (m->among)
        ES_TRY(es_measure_pool_digest(s, &among, err));
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
    measure_entry **more = /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
        es_realloc(x->entry, x->count + 1, sizeof *more);
    ES_FAIL_IF(!more, es_no_memory(err));
    x->entry = more;
    *at = x->count;
    x->entry[x->count++] = e;
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

es_status es_measure_annotations(es_session *s, const es_measure *measure,
                                 const char *const *settings, es_annotations **out, es_error *err) {
    double own[ES_MEASURE_FIELDS], data[ES_ANNOTATIONS_SETTINGS];
    es_status st = es_measure_begin(s, err);
    if (st == ES_OK)
        st = es_measure_settings(measure, settings, false, own, data, err);
    return st == ES_OK ? annotations_of(s, data, out, err) : st;
}

es_status es_measure_times(const es_measure *measure, es_annotations *annotations, size_t *out,
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
    ES_TRY(es_measure_times(measure, annotations, &times, err));
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
    return s->measuring && s->measuring->n_annotations > 0
               ? s->measuring->annotations[s->measuring->n_annotations - 1]
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
static es_status compute(void *data, const es_run *run, es_error *err) {
    const prepare_work *work = data;
    size_t times = 0;
    es_measure_data given;
    const char *task;
    es_digest digest;
    es_status st = es_measure_times(work->measure, work->annotations, &times, err);
    for (size_t k = 0; k < times && st == ES_OK; k++) {
        st = es_run_check(run, err);
        if (st == ES_OK)
            st = es_annotations_take(work->annotations, work->measure->needs, k, &given, &task,
                                     &digest, err);
    }
    return st;
}

static void work_deinit(void *data) {
    (void)data; /* all borrowed */
}

/* Above what is computed from it. */
static const es_latest_task_kind kind = {compute, work_deinit, 1.0, NULL};

es_status es_session_measure_prepare(es_session *s, const es_measure *measure,
                                     const char *const *settings, es_error *err) {
    es_annotations *annotations = NULL;
    if (s->prepare.job)
        return es_fail(err, ES_EBUSY, "the pool's files are being read");
    es_status st = es_measure_annotations(s, measure, settings, &annotations, err);
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
