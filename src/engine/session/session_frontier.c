/* What compressions keep of embedders (core_frontier.h): a job an embedder, most columns first, so
 * that all threads end together. Values are taken from the store or computed, then stored under a
 * key of all that they depend on. Jobs read what `fixed` says and this file's state, which does not
 * change while they run; the rest is the owner's. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_session_parts.h"

enum { VERSION = 1, FIELDS = 3 }; /* of a compression: kept with its interval, neighbours, probe */

#define PRIORITY 0.5

typedef struct frontier_one {
    es_job *job;   /* under way; NULL: none */
    es_kept *kept; /* (count) NULL: not known */
    size_t count;  /* compressions */
    char *problem; /* NULL: none */
    bool asked;
} frontier_one;

struct es_frontiers {
    es_annotations *annotations;
    es_task *task; /* (tasks) */
    size_t tasks;
    es_split *split;
    char settings[64]; /* of the store's key */
    double until;      /* es_clock_now() after which no embedder is begun; 0: none */
    frontier_one *one; /* (m) */
    size_t m;
};

typedef struct frontier_item {
    es_item item;
    es_session *session;
    size_t model, count;
    es_kept *kept;
} frontier_item;

void es_frontiers_free(es_frontiers *f) {
    if (!f)
        return;
    for (size_t i = 0; f->one && i < f->m; i++) {
        es_free(f->one[i].kept);
        es_free(f->one[i].problem);
    }
    es_annotations_free(f->annotations);
    es_split_free(f->split);
    es_free(f->task);
    es_free(f->one);
    es_free(f);
}

/* ---- setting up ---- */

/* All label columns, and a digest of them. Without labels there is no probe. */
static es_status read_tasks(es_session *s, es_frontiers *f, es_error *err) {
    char hex[ES_DIGEST_HEX] = "none";
    es_error why = {0};
    es_hasher h;
    es_hasher_init(&h);
    ES_PASS(es_annotations_new(s->pool, NULL, s->seed, &f->annotations, err));
    es_status st = es_annotations_times(f->annotations, ES_NEED_TASK, &f->tasks, &why);
    if (st == ES_ENOTFOUND) {
        f->tasks = 0;
        st = ES_OK;
    }
    if (st != ES_OK)
        return es_fail(err, st, "%s", why.message);
    f->task = es_alloc(f->tasks + 1, sizeof *f->task);
    if (!f->task)
        return es_no_memory(err);
    for (size_t k = 0; k < f->tasks; k++) {
        es_measure_data data;
        const char *name;
        es_digest digest;
        ES_PASS(es_annotations_take(f->annotations, ES_NEED_TASK, k, &data, &name, &digest, err));
        f->task[k] = *data.task;
        es_hasher_add_digest(&h, digest);
    }
    if (f->tasks > 0)
        (void)es_digest_hex(es_hasher_result(&h), hex);
    (void)snprintf(f->settings, sizeof f->settings, "labels=%s", hex);
    return ES_OK;
}

/* ---- the store ---- */

static es_store_key key_of(const es_session *s) {
    return (es_store_key){"measure frontier", VERSION, s->frontiers->settings, s->seed,
                          es_pool_rowset(s->pool)};
}

typedef struct loading {
    const es_session *session;
    size_t *known; /* (m) compressions that are stored */
} loading;

/* Embedders of equal contents share their values. */
static es_status take_field(void *context, es_digest source, es_digest target, size_t field,
                            const es_measure_value *v, es_error *err) {
    const loading *l = context;
    const es_session *s = l->session;
    size_t c = field / FIELDS;
    (void)target;
    (void)err;
    for (size_t i = es_identities_first(&s->sources, s->m, source);
         es_identities_at(&s->sources, s->m, i, source); i++) {
        size_t model = s->sources.order[i];
        const frontier_one *one = &s->frontiers->one[model];
        if (c >= one->count)
            continue;
        if (field % FIELDS == 0) {
            one->kept[c].kept = v->value;
            one->kept[c].low = v->low;
            one->kept[c].high = v->high;
            l->known[model]++;
        } else if (field % FIELDS == 1)
            one->kept[c].neighbours = v->value;
        else
            one->kept[c].probe = v->value;
    }
    return ES_OK;
}

static es_kept *no_values(size_t count) {
    es_kept *kept = es_alloc(count, sizeof *kept);
    for (size_t c = 0; kept && c < count; c++)
        kept[c] = (es_kept){(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    return kept;
}

/* What the store has of all embedders; one whose values are not all there has none. */
static es_status load(es_session *s, es_error *err) {
    es_frontiers *f = s->frontiers;
    loading l = {s, es_alloc_zero(s->m, sizeof *l.known)};
    const es_store_key key = key_of(s);
    es_status st = ES_OK;
    ES_FAIL_IF(!l.known, es_no_memory(err));
    for (size_t i = 0; i < s->m; i++) {
        f->one[i].kept = no_values(f->one[i].count);
        ES_FAIL_IF(!f->one[i].kept, es_no_memory(err));
    }
    bool read = s->store && !s->refresh &&
                es_store_measured_load(s->store, &key, take_field, &l, NULL) == ES_OK;
    for (size_t i = 0; i < s->m; i++)
        if (!read || l.known[i] != f->one[i].count) {
            es_free(f->one[i].kept);
            f->one[i].kept = NULL;
        }
done:
    es_free(l.known);
    return st;
}

static es_measure_value value_of(double value, double low, double high, const char *why) {
    return (es_measure_value){
        .value = value, .low = low, .high = high, .why = isfinite(value) ? NULL : why};
}

/* A store that cannot be written makes no difference to the values. */
static void save(es_session *s, const frontier_item *item) {
    const es_store_key key = key_of(s);
    es_digest digest = s->sources.digest[item->model];
    es_measure_value *value = es_alloc(item->count, FIELDS * sizeof *value);
    es_error error = {0};
    for (size_t c = 0; value && c < item->count; c++) {
        const es_kept *k = &item->kept[c];
        value[FIELDS * c] = value_of(k->kept, k->low, k->high, "not known");
        value[FIELDS * c + 1] = value_of(k->neighbours, (double)NAN, (double)NAN, "no rows");
        value[FIELDS * c + 2] = value_of(k->probe, (double)NAN, (double)NAN, "no labels");
    }
    const es_store_measured one = {digest, digest, FIELDS * item->count, value};
    if (value && s->store && !s->read_only) {
        es_status st = es_store_measured_put(s->store, &key, &one, s->provenance, &error);
        if (st != ES_OK)
            es_save_note_lost(s, st, &error);
    }
    es_free(value);
}

/* Lists the compressions of every embedder that are to be measured. */
static es_status frontiers_new(es_session *s, es_error *err) {
    es_frontiers *f = NULL;
    es_derive grid[ES_FRONTIER_MOST];
    es_status st = ES_OK;
    if (s->frontiers)
        return ES_OK;
    if (!s->pool || !s->ready || s->m == 0)
        return es_fail(err, ES_EEMPTY, "there are no embedders to compress");
    f = es_alloc_zero(1, sizeof *f);
    ES_FAIL_IF(!f, es_no_memory(err));
    f->m = s->m;
    f->one = es_alloc_zero(s->m, sizeof *f->one);
    ES_FAIL_IF(!f->one, es_no_memory(err));
    ES_TRY(es_split_new(es_pool_rows(s->pool), s->seed, 0, &f->split, err));
    ES_TRY(read_tasks(s, f, err));
    for (size_t i = 0; i < s->m; i++)
        f->one[i].count = es_frontier_grid(es_session_results(s, 0)->dim[i], grid);
    s->frontiers = f;
    f = NULL;
    ES_TRY(load(s, err));
done:
    es_frontiers_free(f);
    return st;
}

/* ---- jobs ---- */

/* Two copies of the rows in double, a compression, what a regression keeps of both sides, and the
 * neighbours. */
static double bytes_of(const es_session *s, size_t model) {
    double n = (double)es_pool_rows(s->pool),
           d = (double)es_pool_model(s->pool, es_session_results(s, 0)->model[model])->dim;
    return n * d * (3 * sizeof(double) + 5 * sizeof(float)) + 6 * d * d * sizeof(double) +
           2 * ES_FRONTIER_QUERIES * n * sizeof(float);
}

typedef struct computing {
    frontier_item *item;
    es_rows rows;
    es_run *run;
} computing;

static es_status measure_frontier(void *context, es_error *err) {
    computing *c = context;
    const es_session *s = c->item->session;
    const es_frontier_problem problem = {.rows = &c->rows,
                                         .split = s->frontiers->split,
                                         .task = s->frontiers->task,
                                         .tasks = s->frontiers->tasks,
                                         .seed = s->seed};
    return es_frontier_measure(&problem, c->run, c->item->kept, err);
}

/* A worker's job: reads an embedder's rows, once memory has room, and measures its compressions. */
static es_status frontier_job(void *data, es_job_context *context, es_error *err) {
    frontier_item *item = data;
    es_session *s = item->session;
    size_t index = es_session_results(s, 0)->model[item->model], held = 0;
    computing c = {.item = item, .run = context->run};
    es_status st = ES_OK;
    if (s->frontiers->until > 0 && es_clock_now() >= s->frontiers->until)
        return es_fail(err, ES_ECANCELED, "not started within the time limit");
    st = es_measure_room_enter(s, bytes_of(s, item->model), context->run, &held, err);
    if (st == ES_OK)
        st = es_pool_whole_rows_of(s->pool, index, &c.rows, err);
    if (st == ES_OK)
        st = es_pool_read_watched(s->pool, index, context->run, measure_frontier, NULL, &c, err);
    es_pool_rest(s->pool, index);
    es_measure_room_leave(s, &held);
    if (st == ES_OK)
        save(s, item);
    return st;
}

/* Takes the result of a job to the session's thread. */
static void take_frontier(es_item *base, const es_event *event) {
    frontier_item *item = (frontier_item *)base;
    frontier_one *one = &item->session->frontiers->one[item->model];
    one->job = NULL;
    if (event->status == ES_OK) {
        one->kept = item->kept;
        item->kept = NULL;
    } else if (event->status != ES_ECANCELED)
        one->problem = es_strdup(event->error.message);
}

static void deinit(es_item *base) {
    es_free(((frontier_item *)base)->kept);
}

static es_status start_one(es_session *s, size_t model, es_error *err) {
    frontier_one *one = &s->frontiers->one[model];
    frontier_item *item = es_alloc_zero(1, sizeof *item);
    es_kept *kept = no_values(one->count);
    if (!item || !kept) {
        es_free(item);
        es_free(kept);
        return es_no_memory(err);
    }
    *item = (frontier_item){.item = {take_frontier, deinit},
                            .session = s,
                            .model = model,
                            .count = one->count,
                            .kept = kept};
    return es_item_add(s->workers, &item->item, frontier_job, PRIORITY, &one->job, err);
}

es_status es_session_frontier_start(es_session *s, const size_t *model, size_t count,
                                    double seconds, es_error *err) {
    es_status st = ES_OK;
    ES_TRY(frontiers_new(s, err));
    s->frontiers->until = seconds > 0 ? es_clock_now() + seconds : 0;
    if (es_workers_threads(s->workers) == 0)
        ES_TRY(es_workers_resize(s->workers, 1, err));
    for (size_t i = 0; i < count; i++) {
        frontier_one *one = &s->frontiers->one[model[i]];
        one->asked = true;
        if (one->kept || one->job || one->problem)
            continue;
        ES_TRY(es_room_refuses(s, "frontier", bytes_of(s, model[i]), true, err));
        ES_TRY(start_one(s, model[i], err));
    }
done:
    return st;
}

const es_kept *es_session_frontier(const es_session *s, size_t model, size_t *count,
                                   const char **problem) {
    const frontier_one *one = s->frontiers ? &s->frontiers->one[model] : NULL;
    *count = one ? one->count : 0;
    *problem = one ? one->problem : NULL;
    return one ? one->kept : NULL;
}

size_t es_session_frontier_tasks(const es_session *s) {
    return s->frontiers ? s->frontiers->tasks : 0;
}

size_t es_session_frontier_rows(const es_session *s) {
    return s->frontiers ? s->frontiers->split->n_eval : 0;
}

void es_frontiers_progress(const es_session *s, es_measure_progress *out) {
    for (size_t i = 0; s->frontiers && i < s->frontiers->m; i++) {
        const frontier_one *one = &s->frontiers->one[i];
        out->total += one->asked;
        out->done += one->asked && one->kept;
        out->failed += one->problem != NULL;
        out->running = out->running || one->job;
    }
}
