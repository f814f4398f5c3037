/* Deriving an embedder in the background of a session. */
#include <math.h>
#include <string.h>

#include "engine_session_parts.h"

/* One of the two: a linear map, or training. */
typedef struct derive_work {
    const es_pool *pool;
    es_derivation derivation;
    es_derived out;
    bool trains;
    es_cmim_order order; /* sources and name are the work's own */
    es_cmim_live *live;  /* the session's */
    es_cmim_made made;
} derive_work;

static es_status derive_in_worker(void *data, const es_run *run, es_error *err) {
    derive_work *work = data;
    if (work->trains)
        return es_cmim_derive(work->pool, &work->order, run, work->live, &work->made, err);
    return es_derived_make(work->pool, &work->derivation, run, &work->out, err);
}

static void work_deinit(void *data) {
    derive_work *work = data;
    es_derived_deinit(&work->out);
    es_cmim_made_deinit(&work->made);
    es_free((void *)(uintptr_t)work->order.source);
    es_free((char *)(uintptr_t)work->order.name);
}

static const es_latest_task_kind kind = {derive_in_worker, work_deinit, 0.75, NULL};

/* Takes `work`. */
static es_status start(es_session *s, derive_work *work, es_error *err) {
    es_latest_task_stop(&s->derive, s->workers);
    return es_latest_task_start(&s->derive, s->workers, s->log, &kind, work, 0, err);
}

static es_status may_start(const es_session *s, es_error *err) {
    if (!s->pool || !s->ready)
        return es_fail(err, ES_EEMPTY, "there are no embedders to derive from");
    if (s->derive.job)
        return es_fail(err, ES_EBUSY,
                       "another embedder is being derived; wait for it, or cancel it");
    return ES_OK;
}

es_status es_session_derive_fits(const es_session *s, const es_derivation *d, es_error *err) {
    return es_room_refuses(s, "derive", es_derived_bytes(s->pool, d), false, err);
}

/* All sources as doubles, once more what is made of their columns, and the states of both. */
es_status es_session_train_fits(const es_session *s, const es_cmim_order *order, es_error *err) {
    double columns = 0;
    for (size_t i = 0; i < order->n_sources; i++)
        columns += (double)es_pool_model(s->pool, order->source[i])->dim;
    return es_room_refuses(s, "derive --cmim",
                           2 * sizeof(double) * columns * (double)es_pool_rows(s->pool), false,
                           err);
}

es_status es_session_derive(es_session *s, const es_derivation *derivation, es_error *err) {
    es_status st = may_start(s, err);
    if (st == ES_OK)
        st = es_session_derive_fits(s, derivation, err);
    if (st != ES_OK)
        return st;
    derive_work *work = es_alloc(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    *work = (derive_work){.pool = s->pool, .derivation = *derivation};
    work->derivation.name = NULL;
    return start(s, work, err);
}

es_status es_session_train(es_session *s, const es_cmim_order *order, es_error *err) {
    es_status st = may_start(s, err);
    if (st == ES_OK)
        st = es_session_train_fits(s, order, err);
    if (st != ES_OK)
        return st;
    derive_work *work = es_alloc(1, sizeof *work);
    size_t *sources = es_alloc(order->n_sources, sizeof *sources);
    char *name = es_strdup(order->name);
    if (!work || !sources || !name) {
        es_free(work);
        es_free(sources);
        es_free(name);
        return es_no_memory(err);
    }
    memcpy(sources, order->source, order->n_sources * sizeof *sources);
    *work = (derive_work){.pool = s->pool, .trains = true, .order = *order, .live = &s->training};
    work->order.source = sources;
    work->order.name = name;
    s->training.steps = 0;
    return start(s, work, err);
}

bool es_session_deriving(const es_session *s) {
    return s->derive.job != NULL;
}

const es_cmim_live *es_session_training(const es_session *s) {
    return s->derive.job && s->training.steps > 0 ? &s->training : NULL;
}

const es_cmim_made *es_session_trained(const es_session *s) {
    const derive_work *work = s->derive.newest;
    return work && work->trains ? &work->made : NULL;
}

es_status es_session_derived(es_session *s, const char **name, es_error *err) {
    es_status st = es_latest_task_outcome(&s->derive, err);
    const derive_work *work = s->derive.newest;
    if (st == ES_OK)
        *name = work->trains ? work->made.name : work->out.name;
    return st;
}

/* "int8", or nothing; false: no such storage. */
static bool read_storage(const char *text, unsigned *bits) {
    static const unsigned widths[] = {16, 8, 4, 1};
    *bits = 0;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (strcmp(text, es_derive_storage(widths[i])) == 0)
            *bits = widths[i];
    return *text == '\0' || *bits > 0;
}

/* "WAY [K][, STORAGE]", or a storage alone. */
es_status es_derive_parse(const char *text, es_derive *out, es_error *err) {
    static const struct {
        const char *word;
        es_derive_kind kind;
        bool needs;
    } ways[] = {{"whiten", ES_DERIVE_WHITEN, false},
                {"abtt", ES_DERIVE_ABTT, true},
                {"pcr", ES_DERIVE_PCR, true},
                {"pca", ES_DERIVE_PCA, true},
                {"first", ES_DERIVE_FIRST, true},
                {"center", ES_DERIVE_CENTRE, false},
                {"normalize", ES_DERIVE_NORMALISE, false},
                {"flow", ES_DERIVE_FLOW, false},
                {"random-projection", ES_DERIVE_RANDOM, true}};
    size_t length = strcspn(text, " ,");
    const char *number = text + length + strspn(text + length, " ");
    size_t digits = strcspn(number, " ,");
    const char *storage = number + digits + strspn(number + digits, " ,");
    double axes = 0;
    unsigned bits = 0;
    if (*number == '\0' && read_storage(text, &bits) && bits > 0) {
        *out = (es_derive){.bits = bits};
        return ES_OK;
    }
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strlen(ways[i].word) != length || strncmp(ways[i].word, text, length) != 0)
            continue;
        if ((ways[i].needs || digits > 0) && (!es_text_parse_double(number, digits, &axes) ||
                                              axes < 1 || axes > 1e6 || axes != floor(axes)))
            return es_fail(err, ES_EINVAL, "%s takes a number of directions: %s 2", ways[i].word,
                           ways[i].word);
        if (!read_storage(storage, &bits))
            return es_fail(err, ES_EINVAL,
                           "'%s' is not a way to store values; use float16, int8, int4 or binary",
                           storage);
        *out = (es_derive){.kind = ways[i].kind, .k = (size_t)axes, .bits = bits};
        return ES_OK;
    }
    return es_fail(err, ES_EINVAL,
                   "derive: whiten [K], abtt D, pcr D, pca K, first K, center, normalize, flow, "
                   "random-projection K or cmim [K]; float16, int8, int4 or binary, alone or "
                   "after one of them");
}
