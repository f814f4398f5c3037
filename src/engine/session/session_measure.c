/* Measures in the background.
 *
 * Embedder measures are a job an embedder. Pairwise ones go through a list of pairs that is worked
 * by one job a thread, in blocks of embedders whose prepared sides fit the cache. Each finished
 * value is committed to the store by the worker, then posted to the owner. Jobs read what `fixed`
 * says; the rest is the owner's. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "buf.h"
#include "clock.h"
#include "measure_settings.h"
#include "measuring.h"
#include "session_state.h"
#include "stats.h"
#include "words.h"

/* Above the work on pairs of estimators, which gives way: a measure was asked for by name and takes
 * seconds. */
#define PRIORITY 0.5

/* A list of pairs that the tickets of all threads work through. */
typedef struct pairing {
    es_session *session;
    struct measure_entry *entry;
    uint32_t (*pair)[2]; /* (count) */
    size_t count;
    atomic_size_t next;
    es_cache *cache;
    size_t tickets; /* the owner's */
    bool stopped;
    bool rereads; /* sides may read their rows again for a pair */
} pairing;

/* What embedders are measured against; made by whichever job needs it first. */
typedef struct pooling {
    es_session *session;
    struct measure_entry *entry;
    es_cache *cache; /* of one state; NULL: not needed yet */
} pooling;

typedef struct measure_entry {
    es_measured shown;
    es_digest data; /* of what people said */
    bool started;
    pairing *pairing; /* NULL: none under way */
    es_job **job;     /* (m) of embedder measures under way; tickets of pairwise ones */
    pooling pooling;  /* of measures of one embedder among all */
    /* fixed once jobs run */
    es_measure_data given;
    double values[ES_MEASURE_FIELDS];
    char estimator[80]; /* of the key */
    es_store_key key;
} measure_entry;

/** Values of a measure, for an embedder (source and target are the same) or a pair. */
typedef struct measured_item {
    es_item item;
    es_session *session;
    measure_entry *entry;
    size_t source, target;
    char *reason;                                  /* of a failure of this pair alone; NULL: none */
    es_measure_value value[ES_MEASURE_FIELDS + 1]; /* behind the fields: the seconds it took */
} measured_item;

typedef struct measure_ticket {
    es_item item;
    size_t number;
    pairing *pairing;
} measure_ticket;

struct es_measuring {
    es_annotations **annotations; /* (n_annotations) one for each set of their settings */
    double (*annotations_values)[ES_ANNOTATIONS_SETTINGS];
    size_t n_annotations;
    measure_entry **entry; /* (count) */
    size_t count;
    es_words texts; /* what values refer to */
};

/* ---- results ---- */

static void pairing_free(pairing *p) {
    if (!p)
        return;
    es_cache_free(p->cache);
    es_free(p->pair);
    es_free(p);
}

static void entry_free(measure_entry *e) {
    if (!e)
        return;
    for (size_t i = 0; e->shown.reason && i < e->shown.of; i++)
        es_free(e->shown.reason[i]);
    es_free(e->shown.reason);
    es_free(e->shown.value);
    es_free(e->shown.state);
    es_free(e->shown.task);
    for (size_t f = 0; e->shown.field && f < e->shown.measure->n_fields; f++)
        es_free(e->shown.field[f]);
    es_free(e->shown.field);
    es_free(e->shown.name);
    es_free(e->shown.settings);
    es_free(e->job);
    es_cache_free(e->pooling.cache);
    pairing_free(e->pairing);
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

/* A text that lives as long as the session; NULL stays NULL. What cannot be kept is a plain word.
 */
static const char *intern(es_measuring *x, const char *text) {
    if (!text)
        return NULL;
    for (size_t i = 0; i < x->texts.count; i++)
        if (strcmp(x->texts.word[i], text) == 0)
            return x->texts.word[i];
    es_status st = es_words_add(&x->texts, text, NULL);
    return st == ES_OK ? x->texts.word[x->texts.count - 1] : "not known";
}

static bool is_pairwise(const es_measured *s) {
    return s->measure->pair != NULL;
}

/* Place of a value in `state`. */
static size_t place_of(const es_measured *s, size_t source, size_t target) {
    return is_pairwise(s) ? source * s->m + target : source;
}

/* Where field f of that value is. */
static size_t at_field(const es_measured *s, size_t place, size_t f) {
    return is_pairwise(s) ? f * s->m * s->m + place : place * s->width + f;
}

static void set_values(es_measured *s, size_t place, const es_measure_value *value) {
    for (size_t f = 0; f < s->measure->n_fields; f++)
        s->value[at_field(s, place, f)] = value[f];
    if (s->state[place] == ES_PAIR_FAILED)
        s->failed--;
    if (s->state[place] != ES_PAIR_DONE)
        s->done++;
    s->state[place] = ES_PAIR_DONE;
    es_free(s->reason[place]);
    s->reason[place] = NULL;
    s->revision++;
}

static void set_failed(es_measured *s, size_t place, const char *reason) {
    if (s->state[place] == ES_PAIR_DONE)
        return;
    if (s->state[place] != ES_PAIR_FAILED)
        s->failed++;
    s->state[place] = ES_PAIR_FAILED;
    es_free(s->reason[place]);
    s->reason[place] = es_strdup(reason);
    s->revision++;
}

/* The same for the other direction, where the measure knows none. */
static void apply_values(es_measured *s, size_t source, size_t target,
                         const es_measure_value *value) {
    set_values(s, place_of(s, source, target), value);
    if (is_pairwise(s) && s->symmetric && source != target)
        set_values(s, place_of(s, target, source), value);
}

static void apply_failure(es_measured *s, size_t source, size_t target, const char *reason) {
    set_failed(s, place_of(s, source, target), reason);
    if (is_pairwise(s) && s->symmetric)
        set_failed(s, place_of(s, target, source), reason);
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

static es_status allocate(const es_session *s, measure_entry *e, es_error *err) {
    es_measured *r = &e->shown;
    r->m = s->m;
    r->width = is_pairwise(r) ? s->m : r->measure->n_fields;
    r->of = is_pairwise(r) ? s->m * s->m : s->m;
    size_t values = r->of * r->measure->n_fields;
    r->value = es_alloc(values, sizeof *r->value);
    r->state = es_alloc_zero(r->of, sizeof *r->state);
    r->reason = es_alloc_zero(r->of, sizeof *r->reason);
    if (!r->value || !r->state || !r->reason)
        return es_no_memory(err);
    for (size_t i = 0; i < values; i++)
        r->value[i] = (es_measure_value){NAN, NAN, NAN, "not computed yet", NULL};
    return ES_OK;
}

typedef struct loading {
    es_session *session;
    measure_entry *entry;
    size_t *fields;  /* (of) fields that were there */
    double *seconds; /* (of) NaN: not stored */
} loading;

static es_status take_stored(void *context, es_digest source, es_digest target, size_t field,
                             const es_measure_value *value, es_error *err) {
    loading *l = context;
    es_measured *r = &l->entry->shown;
    es_measuring *x = l->session->measuring;
    es_measure_value kept = *value;
    (void)err;
    if (field > r->measure->n_fields)
        return ES_OK;
    kept.why = intern(x, value->why);
    kept.warning = intern(x, value->warning);
    for (size_t a = 0; a < r->m; a++) {
        if (!es_digest_equal(l->session->sources.digest[a], source))
            continue;
        for (size_t b = is_pairwise(r) ? 0 : a; b < (is_pairwise(r) ? r->m : a + 1); b++) {
            if (!es_digest_equal(l->session->sources.digest[b], target))
                continue;
            size_t at = place_of(r, a, b), back = place_of(r, b, a);
            if (field == r->measure->n_fields) {
                l->seconds[at] = value->value;
                continue;
            }
            r->value[at_field(r, at, field)] = kept;
            l->fields[at]++;
            if (is_pairwise(r) && r->symmetric && a != b) {
                r->value[at_field(r, back, field)] = kept;
                l->fields[back]++;
            }
        }
    }
    return ES_OK;
}

/* A value is known when all its fields are there. */
static es_status load_stored(es_session *s, measure_entry *e, es_error *err) {
    es_measured *r = &e->shown;
    loading l = {.session = s, .entry = e};
    es_status st = ES_OK;
    if (!s->store || s->refresh)
        return ES_OK;
    l.fields = es_alloc_zero(r->of, sizeof *l.fields);
    l.seconds = es_alloc(r->of, sizeof *l.seconds);
    ES_FAIL_IF(!l.fields || !l.seconds, es_no_memory(err));
    for (size_t i = 0; i < r->of; i++)
        l.seconds[i] = (double)NAN;
    ES_TRY(es_store_measured_load(s->store, &e->key, take_stored, &l, err));
    for (size_t i = 0; i < r->of; i++)
        if (l.fields[i] >= r->measure->n_fields) {
            bool twin = is_pairwise(r) && r->symmetric && i / r->m > i % r->m;
            r->state[i] = ES_PAIR_DONE;
            r->done++;
            r->reused++;
            r->seconds += twin ? 0 : l.seconds[i];
        }
done:
    es_free(l.fields);
    es_free(l.seconds);
    return st;
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

/* Of what the embedders hold, in their order. */
static es_digest digest_of_pool(const es_session *s) {
    return es_digest_bytes(s->sources.digest, s->m * sizeof *s->sources.digest);
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
    ES_TRY(es_measure_settings_text(m, own, data, e->data,
                                    m->among ? digest_of_pool(s) : (es_digest){0, 0},
                                    &e->shown.settings, err));
    *at = find_entry(x, m, task, e->shown.settings);
    if (*at != SIZE_MAX)
        goto done;
    ES_TRY(name_entry(e, task, times, label, err));
    ES_TRY(allocate(s, e, err));
    (void)snprintf(e->estimator, sizeof e->estimator, "measure %s", m->name);
    e->key = (es_store_key){e->estimator, m->version, e->shown.settings, s->seed,
                            es_pool_rowset(s->pool)};
    ES_TRY(load_stored(s, e, err));
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

static es_status begin(es_session *s, es_error *err) {
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
    es_status st = begin(s, err);
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
    ES_TRY(begin(s, err));
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

/* ---- what workers tell ---- */

/* What was shared goes with the last job. */
static void pooling_end(const measure_entry *e) {
    for (size_t i = 0; i < e->shown.m; i++)
        if (e->job[i])
            return;
    if (e->pooling.cache)
        es_cache_clear(e->pooling.cache);
}

/* An embedder's job has ended, or one pair of a ticket's. */
static void end_values(es_item *base, const es_event *event) {
    const measured_item *item = (measured_item *)base;
    measure_entry *e = item->entry;
    es_measured *r = &e->shown;
    if (event->final) {
        e->job[item->source] = NULL;
        r->state[item->source] = ES_PAIR_PENDING;
        r->revision++;
        pooling_end(e);
    }
    if (event->status == ES_ECANCELED)
        return;
    const char *reason = event->status != ES_OK ? event->error.message : item->reason;
    if (reason) {
        apply_failure(r, item->source, item->target, reason);
        const es_results *names = es_session_results(item->session, 0);
        es_log_write(item->session->log, ES_LOG_WARN, "%s: %s: %s", r->name,
                     names->name[item->source], reason);
    } else {
        apply_values(r, item->source, item->target, item->value);
        r->seconds += item->value[r->measure->n_fields].value;
    }
}

static void values_deinit(es_item *base) {
    es_free(((measured_item *)base)->reason);
}

static measured_item *new_item(es_session *s, measure_entry *e, size_t source, size_t target) {
    measured_item *item = es_alloc_zero(1, sizeof *item);
    if (item)
        *item = (measured_item){.item = {end_values, values_deinit},
                                .session = s,
                                .entry = e,
                                .source = source,
                                .target = target};
    return item;
}

/* ---- jobs ---- */

/* All columns of an embedder, constant ones too, as the definitions have it. */
es_status es_session_matrix(es_session *s, size_t model, es_matrix *out, es_error *err) {
    return es_pool_matrix(s->pool, es_session_results(s, 0)->model[model], NULL, out, err);
}

/* With the seconds since `began`, as one more field. */
static void keep(es_session *s, const measure_entry *e, double began, measured_item *item) {
    size_t fields = e->shown.measure->n_fields;
    const es_store_measured m = {s->sources.digest[item->source], s->sources.digest[item->target],
                                 fields + 1, item->value};
    es_error error = {0};
    item->value[fields] = (es_measure_value){es_clock_thread() - began, NAN, NAN, NULL, NULL};
    if (!s->store || s->read_only)
        return;
    es_status st = es_store_measured_put(s->store, &e->key, &m, s->provenance, &error);
    if (st != ES_OK)
        es_save_note_lost(s, st, &error);
}

static es_status read_one(void *context, size_t model, es_matrix *out, es_error *err) {
    return es_session_matrix(context, model, out, err);
}

static es_status make_pool(void *context, size_t entry, es_cache_kind kind, size_t model,
                           es_run *run, void **out, es_error *err) {
    const pooling *p = context;
    const es_embedders all = {p->session->m, p->session, read_one};
    (void)entry;
    (void)kind;
    (void)model;
    return p->entry->shown.measure->pool_new(&all, &p->entry->given, p->entry->values, run, out,
                                             err);
}

static size_t pool_bytes(void *context, size_t entry, es_cache_kind kind, const void *pool) {
    (void)entry;
    (void)kind;
    return ((const pooling *)context)->entry->shown.measure->pool_bytes(pool);
}

static void drop_pool(void *context, size_t entry, es_cache_kind kind, void *pool) {
    (void)entry;
    (void)kind;
    ((const pooling *)context)->entry->shown.measure->pool_free(pool);
}

static es_status pooling_begin(es_session *s, measure_entry *e, es_error *err) {
    const es_cache_maker maker = {&e->pooling, make_pool, pool_bytes, drop_pool};
    e->pooling.session = s;
    e->pooling.entry = e;
    return e->pooling.cache || !e->shown.measure->among
               ? ES_OK
               : es_cache_new(1, 1, es_measure_room_budget(s), &maker, &e->pooling.cache, err);
}

/* Of one embedder, by itself or among all. */
static es_status measure_one(const measure_entry *e, const es_measure_data *given,
                             const es_matrix *m, es_run *run, es_measure_value *out,
                             es_error *err) {
    const es_measure *measure = e->shown.measure;
    const void *pool = NULL;
    if (!measure->among)
        return es_measure_embedder(measure, m, given, e->values, run, out, err);
    es_status st = es_cache_hold(e->pooling.cache, 0, ES_CACHE_SOURCE, 0, run, &pool, err);
    if (st != ES_OK)
        return st;
    es_measure_undefined(measure, out);
    st = measure->among(pool, m, run, out, err);
    es_cache_release(e->pooling.cache, 0, ES_CACHE_SOURCE, 0, true);
    return st;
}

es_status es_session_measure_queries(es_session *s, size_t model, es_measure_data *data,
                                     es_matrix *queries, es_error *err) {
    *queries = (es_matrix){0};
    if (!data->own_queries)
        return ES_OK;
    es_status st = es_pool_queries(s->pool, es_session_results(s, 0)->model[model], queries, err);
    data->query_vectors = queries;
    return st;
}

static es_status measure_embedder(void *data, es_job_context *context, es_error *err) {
    measured_item *item = data;
    es_session *s = item->session;
    const measure_entry *e = item->entry;
    es_matrix m = {0}, queries = {0};
    es_measure_data given = e->given;
    size_t held = 0;
    double room = es_measure_room_of(s, e->shown.measure, e->values, item->source, SIZE_MAX);
    double began = es_clock_thread();
    es_status st = es_measure_room_enter(s, room, context->run, &held, err);
    if (st == ES_OK)
        st = es_run_check(context->run, err);
    if (st == ES_OK)
        st = es_session_matrix(s, item->source, &m, err);
    if (st == ES_OK)
        st = es_session_measure_queries(s, item->source, &given, &queries, err);
    if (st == ES_OK)
        st = measure_one(e, &given, &m, context->run, item->value, err);
    es_matrix_free(&queries);
    es_matrix_free(&m);
    es_measure_room_leave(s, &held);
    if (st == ES_OK)
        keep(s, e, began, item);
    return st;
}

/* A side that reads rows in blocks. */
typedef struct reading {
    const pairing *pairing;
    const es_rows *rows;
    es_run *run;
    void *side;
} reading;

static es_status read_side(void *context, es_error *err) {
    reading *r = context;
    const es_measure *measure = r->pairing->entry->shown.measure;
    return measure->side_of_rows(r->rows, es_measure_room_keeps(r->pairing->session), r->run,
                                 &r->side, err);
}

static void undo_side(void *context) {
    reading *r = context;
    r->pairing->entry->shown.measure->side_free(r->side);
    r->side = NULL;
}

static es_status make_side_of_rows(const pairing *p, size_t model, es_run *run, void **out,
                                   es_error *err) {
    const es_pool *pool = p->session->pool;
    size_t index = es_session_results(p->session, 0)->model[model];
    es_rows rows;
    reading r = {p, &rows, run, NULL};
    es_status st = es_pool_whole_rows_of(pool, index, &rows, err);
    if (st != ES_OK)
        return st;
    st = es_pool_read_watched(pool, index, run, read_side, undo_side, &r, err);
    es_pool_rest(pool, index);
    *out = r.side;
    return st;
}

static es_status make_side(void *context, size_t entry, es_cache_kind kind, size_t model,
                           es_run *run, void **out, es_error *err) {
    const pairing *p = context;
    const measure_entry *e = p->entry;
    es_matrix m = {0};
    (void)entry;
    (void)kind;
    if (e->shown.measure->side_of_rows)
        return make_side_of_rows(p, model, run, out, err);
    es_status st = es_session_matrix(p->session, model, &m, err);
    if (st == ES_OK)
        st = e->shown.measure->side_new(&m, &e->given, e->values, run, out, err);
    es_matrix_free(&m);
    return st;
}

static size_t side_bytes(void *context, size_t entry, es_cache_kind kind, const void *side) {
    const pairing *p = context;
    (void)entry;
    (void)kind;
    return p->entry->shown.measure->side_bytes(side);
}

static void drop_side(void *context, size_t entry, es_cache_kind kind, void *side) {
    const pairing *p = context;
    (void)entry;
    (void)kind;
    p->entry->shown.measure->side_free(side);
}

/* A pair at work. */
typedef struct computing {
    const pairing *pairing;
    const void *a, *b;
    es_run *run;
    measured_item *out;
} computing;

static es_status compute_pair(void *context, es_error *err) {
    const computing *c = context;
    memset(c->out->value, 0, sizeof c->out->value);
    return c->pairing->entry->shown.measure->pair(c->a, c->b, c->run, c->out->value, err);
}

static es_status compute_beside(void *context, es_error *err) {
    const computing *c = context;
    const es_session *s = c->pairing->session;
    size_t target = es_session_results(s, 0)->model[c->out->target];
    return es_pool_read_watched(s->pool, target, c->run, compute_pair, NULL, context, err);
}

/* Where sides read their rows again both files are watched, one around the other. */
static es_status compute_watched(computing *c, es_error *err) {
    const es_session *s = c->pairing->session;
    const size_t *model = es_session_results(s, 0)->model;
    if (!c->pairing->rereads)
        return compute_pair(c, err);
    es_status st =
        es_pool_read_watched(s->pool, model[c->out->source], c->run, compute_beside, NULL, c, err);
    es_pool_rest(s->pool, model[c->out->source]);
    es_pool_rest(s->pool, model[c->out->target]);
    return st;
}

/* One pair; its failure is its own, but for a cancel. */
static es_status of_sides(pairing *p, es_run *run, measured_item *out, es_error *err) {
    const void *a = NULL, *b = NULL;
    es_status st = es_cache_hold(p->cache, 0, ES_CACHE_SOURCE, out->source, run, &a, err);
    if (st != ES_OK)
        return st;
    st = es_cache_hold(p->cache, 0, ES_CACHE_SOURCE, out->target, run, &b, err);
    if (st == ES_OK) {
        st = compute_watched(&(computing){p, a, b, run, out}, err);
        es_cache_release(p->cache, 0, ES_CACHE_SOURCE, out->target, true);
    }
    es_cache_release(p->cache, 0, ES_CACHE_SOURCE, out->source, true);
    return st;
}

static es_status measure_pair(pairing *p, es_run *run, measured_item *out, es_error *err) {
    const measure_entry *e = p->entry;
    es_session *s = p->session;
    size_t held = 0;
    double room = es_measure_room_of(s, e->shown.measure, e->values, out->source, out->target);
    double began = es_clock_thread();
    es_status st = es_measure_room_enter(s, room, run, &held, err);
    if (st != ES_OK)
        return st;
    if (s->room)
        es_cache_spare(p->cache, es_room_left(s->room) / 2);
    st = of_sides(p, run, out, err);
    es_measure_room_leave(s, &held);
    if (st == ES_OK)
        keep(s, e, began, out);
    return st;
}

static es_status post_pair(pairing *p, size_t at, es_job_context *context, es_error *err) {
    es_error why = {0};
    measured_item *item = new_item(p->session, p->entry, p->pair[at][0], p->pair[at][1]);
    if (!item)
        return es_no_memory(err);
    es_status st = es_run_check(context->run, &why);
    if (st == ES_OK)
        st = measure_pair(p, context->run, item, &why);
    if (st == ES_ECANCELED || (st != ES_OK && !(item->reason = es_strdup(why.message)))) {
        es_item_free(&item->item);
        return es_fail(err, st, "%s", why.message);
    }
    return es_item_post(context, &item->item, err);
}

static es_status work_pairs(void *data, es_job_context *context, es_error *err) {
    pairing *p = ((measure_ticket *)data)->pairing;
    es_status st = ES_OK;
    while (st == ES_OK && es_workers_wanted(context)) {
        size_t at = atomic_fetch_add(&p->next, 1);
        if (at >= p->count)
            break;
        st = post_pair(p, at, context, err);
    }
    return st;
}

/* ---- starting ---- */

static es_status add_embedder(es_session *s, measure_entry *e, size_t model, es_error *err) {
    measured_item *item = new_item(s, e, model, model);
    if (!item)
        return es_no_memory(err);
    es_status st =
        es_item_add(s->workers, &item->item, measure_embedder, PRIORITY, &e->job[model], err);
    if (st != ES_OK)
        return st;
    if (e->shown.state[model] == ES_PAIR_FAILED)
        e->shown.failed--;
    e->shown.state[model] = ES_PAIR_RUNNING;
    e->shown.revision++;
    return ES_OK;
}

static void end_ticket(es_item *base, const es_event *event);

static es_status add_ticket(es_session *s, measure_entry *e, size_t number, es_error *err) {
    measure_ticket *ticket = es_alloc(1, sizeof *ticket);
    if (!ticket)
        return es_no_memory(err);
    *ticket = (measure_ticket){{.apply = end_ticket}, number, e->pairing};
    es_status st =
        es_item_add(s->workers, &ticket->item, work_pairs, PRIORITY, &e->job[number], err);
    e->pairing->tickets += st == ES_OK;
    return st;
}

/* A ticket that gave way to something more urgent is followed by another one. */
static void end_ticket(es_item *base, const es_event *event) {
    const measure_ticket *ticket = (measure_ticket *)base;
    pairing *p = ticket->pairing;
    measure_entry *e = p->entry;
    e->job[ticket->number] = NULL;
    p->tickets--;
    if (event->status == ES_ECANCELED)
        p->stopped = true;
    else if (event->status != ES_OK)
        es_log_write(p->session->log, ES_LOG_ERROR, "%s: %s", e->shown.name, event->error.message);
    bool left = atomic_load(&p->next) < p->count;
    if (left && !p->stopped && (event->status == ES_OK || p->tickets == 0) &&
        add_ticket(p->session, e, ticket->number, NULL) == ES_OK)
        return;
    if (p->tickets == 0) {
        e->pairing = NULL;
        pairing_free(p);
        e->shown.revision++;
    }
}

/* How many embedders of a block: two blocks of sides fit the cache. */
static size_t block_size(const es_session *s, const measure_entry *e, size_t budget) {
    double most = 1;
    for (size_t i = 0; i < s->m; i++)
        most = fmax(most, es_measure_room_side(s, e->shown.measure, e->values, i));
    double block = floor((double)budget / 2 / most);
    return block < 1 ? 1 : block > (double)s->m ? s->m : (size_t)block;
}

/* Missing pairs, block by block, so that a side is made about as often as there are blocks. */
static void list_pairs(const es_measured *r, size_t block, pairing *p) {
    for (size_t a = 0; a < r->m; a += block)
        for (size_t b = r->symmetric ? a : 0; b < r->m; b += block)
            for (size_t i = a; i < a + block && i < r->m; i++)
                for (size_t j = b; j < b + block && j < r->m; j++) {
                    bool twin = r->symmetric && j < i;
                    if (twin || r->state[i * r->m + j] == ES_PAIR_DONE)
                        continue;
                    p->pair[p->count][0] = (uint32_t)i;
                    p->pair[p->count++][1] = (uint32_t)j;
                }
}

/* Is there an embedder whose floats are more than a side may keep? */
static bool rows_are_large(const es_session *s) {
    for (size_t i = 0; i < s->m; i++) {
        const es_model *m = es_pool_model(s->pool, es_session_results(s, 0)->model[i]);
        if (es_pool_rows(s->pool) > es_measure_room_keeps(s) / sizeof(float) / m->dim)
            return true;
    }
    return false;
}

static es_status start_pairs(es_session *s, measure_entry *e, es_error *err) {
    const es_cache_maker maker = {NULL, make_side, side_bytes, drop_side};
    size_t budget = es_measure_room_budget(s), threads = es_workers_threads(s->workers);
    es_status st = ES_OK;
    pairing *p = es_alloc_zero(1, sizeof *p);
    if (!p)
        return es_no_memory(err);
    p->session = s;
    p->entry = e;
    p->rereads = e->shown.measure->side_of_rows && rows_are_large(s);
    p->pair = es_alloc(e->shown.of, sizeof *p->pair);
    ES_FAIL_IF(!p->pair, es_no_memory(err));
    list_pairs(&e->shown, block_size(s, e, budget), p);
    es_cache_maker own = maker;
    own.context = p;
    ES_TRY(es_cache_new(1, s->m, budget, &own, &p->cache, err));
    e->pairing = p;
    for (size_t t = 0; t < threads && t < p->count && t < s->m && st == ES_OK; t++)
        st = add_ticket(s, e, t, err);
    if (p->tickets > 0)
        return ES_OK; /* those under way do it all */
    e->pairing = NULL;
done:
    pairing_free(p);
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
    if (e->shown.done == e->shown.of || e->pairing)
        goto done;
    if (is_pairwise(&e->shown)) {
        st = start_pairs(s, e, err);
        goto done;
    }
    ES_TRY(pooling_begin(s, e, err));
    for (size_t i = 0; i < s->m; i++)
        if (e->shown.state[i] != ES_PAIR_DONE && e->shown.state[i] != ES_PAIR_RUNNING)
            ES_TRY(add_embedder(s, e, i, err));
done:
    return st;
}

void es_session_measure_stop(es_session *s) {
    for (size_t i = 0; s->measuring && i < s->measuring->count; i++) {
        measure_entry *e = s->measuring->entry[i];
        if (e->pairing)
            e->pairing->stopped = true;
        for (size_t k = 0; e->job && k < s->m; k++)
            if (e->job[k])
                es_workers_cancel(s->workers, e->job[k]);
    }
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
}

const es_measure_value *es_measured_matrix(const es_measured *r, size_t field) {
    return r->value + field * r->m * r->m;
}

es_status es_measured_column(const es_measured *r, size_t field, double *out, es_error *err) {
    double *row = es_alloc(r->m, sizeof *row);
    if (!row)
        return es_no_memory(err);
    bool lower = es_measure_is_lower_better(r->measure, field);
    for (size_t i = 0; i < r->m; i++) {
        double v = (double)NAN;
        if (is_pairwise(r)) {
            size_t n = 0;
            for (size_t j = 0; j < r->m; j++)
                if (j != i && isfinite(r->value[at_field(r, i * r->m + j, field)].value))
                    row[n++] = r->value[at_field(r, i * r->m + j, field)].value;
            v = es_stat_median(row, n);
        } else if (r->state[i] == ES_PAIR_DONE) {
            v = r->value[i * r->width + field].value;
        }
        out[i] = lower ? -v : v;
    }
    es_free(row);
    return ES_OK;
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

/* The first field of an embedder, or of two, each pair once; NULL: not known. */
static const es_measure_value *value_at(const es_measured *r, size_t i) {
    size_t source = i / r->m, target = i % r->m;
    bool pair = is_pairwise(r), twin = pair && r->symmetric && target < source;
    const es_measure_value *v = &r->value[pair ? i : i * r->width];
    return r->state[i] != ES_PAIR_DONE || !isfinite(v->value) || twin || (pair && source == target)
               ? NULL
               : v;
}

typedef struct told {
    const char *warning;
    size_t count;
} told;

/* One more value with this warning; the place of it, or of the last where there is no more room. */
static size_t count_warning(told *list, size_t places, const char *warning) {
    size_t at = 0;
    while (at + 1 < places && list[at].warning && strcmp(list[at].warning, warning) != 0)
        at++;
    list[at].warning = warning;
    list[at].count++;
    return at;
}

/* What is unsteady about one field is so of all. */
bool es_measured_remark(const es_measured *r, char *out, size_t capacity) {
    enum { WARNINGS = 8 }; /* more than any measure has */
    told list[WARNINGS] = {0};
    size_t most = 0, of = 0;
    for (size_t i = 0; i < r->of; i++) {
        const es_measure_value *v = value_at(r, i);
        of += v ? 1 : 0;
        size_t at = v && v->warning ? count_warning(list, WARNINGS, v->warning) : most;
        most = list[at].count > list[most].count ? at : most;
    }
    if (!list[most].warning)
        return false;
    (void)snprintf(out, capacity, "%s (%zu of %zu %s)", list[most].warning, list[most].count, of,
                   is_pairwise(r) ? "pairs" : "embedders");
    return true;
}
