/* Shared dimensions of the ranked embedders (core_ranking.h), from the states of the default
 * score's sources: taken from the store, or computed and stored under a digest of all that they
 * depend on. A worker computes them for the explorer; commands wait. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_session_parts.h"

enum { WIDTH_VERSION = 1 };

typedef struct width_work {
    es_session *session;
    size_t m, entry;
    uint32_t *number; // (3, m) position in the results, kind, family
    bool *votes;      // (m)
    double *out;      // (m)
} width_work;

static void work_deinit(void *data) {
    width_work *work = data;
    es_free(work->number);
    es_free(work->votes);
    es_free(work->out);
    *work = (width_work){0};
}

static es_status work_init(es_session *s, const es_width_ask *ask, width_work *work,
                           es_error *err) {
    size_t m = ask->m, entry = es_session_predictive(s);
    if (s->pool == NULL || entry == SIZE_MAX)
        return es_fail(err, ES_EEMPTY, "no embedders by the default score");
    *work = (width_work){.session = s, .m = m, .entry = entry};
    work->number = es_alloc(m + 1, 3 * sizeof *work->number);
    work->votes = es_alloc(m + 1, sizeof *work->votes);
    work->out = es_alloc(m + 1, sizeof *work->out);
    if (!work->number || !work->votes || !work->out) {
        work_deinit(work);
        return es_no_memory_for(err, "the shared dimensions of %zu embedders", m);
    }
    memcpy(work->number, ask->position, m * sizeof *work->number);
    memcpy(work->number + m, ask->kind, m * sizeof *work->number);
    memcpy(work->number + 2 * m, ask->family, m * sizeof *work->number);
    memcpy(work->votes, ask->votes, m * sizeof *work->votes);
    return ES_OK;
}

/* ---- Computed ---- */

/* One fold of it; the state at hand stays until the next one is. */
typedef struct fold_work {
    width_work *work;
    size_t fold;
    void *made;      /* a state that the cache does not hold; NULL: none */
    size_t held;     /* in the cache; SIZE_MAX: none */
    float *rows;     /* of a streamed source */
    es_arena *arena; /* of its reader */
} fold_work;

static void let_go(fold_work *f) {
    es_session *s = f->work->session;
    if (f->held != SIZE_MAX)
        es_cache_release(s->cache, f->work->entry, ES_CACHE_SOURCE, f->held, true);
    es_work_state_drop(s, f->work->entry, f->made);
    f->held = SIZE_MAX;
    f->made = NULL;
}

/* Sessions that only show have no cache. */
static es_status hold(fold_work *f, size_t position, es_run *run, const es_ridge **out,
                      es_error *err) {
    es_session *s = f->work->session;
    const void *state = NULL;
    es_status st;
    let_go(f);
    if (s->cache) {
        st = es_cache_hold(s->cache, f->work->entry, ES_CACHE_SOURCE, position, run, &state, err);
        f->held = st == ES_OK ? position : SIZE_MAX;
    } else {
        st = es_work_state_new(s, f->work->entry, position, run, &f->made, err);
        state = f->made;
    }
    if (st == ES_OK) {
        const es_fold_states *folds = es_work_state_of(state);
        *out = folds->fold[f->fold].ridge;
    }
    return st;
}

/* Coordinates of a streamed source, block by block. */
static es_status read_rows(fold_work *f, const es_ridge *ridge, es_run *run, es_error *err) {
    const es_part parts[2] = {ES_PART_TRAIN, ES_PART_TEST};
    const size_t n[2] = {ridge->n_train, ridge->n_test};
    es_ridge_reader reader;
    es_free(f->rows);
    f->rows = es_alloc(n[0] + n[1], (ridge->rank + 1) * sizeof *f->rows);
    f->arena = f->arena ? f->arena : es_arena_new();
    if (!f->rows || !f->arena)
        return es_no_memory_for(err, "%zu components", ridge->rank);
    es_arena_reset(f->arena);
    es_status st = es_ridge_reader_init(&reader, ridge, f->arena, err);
    float *to = f->rows;
    for (size_t p = 0; p < 2; p++)
        for (size_t at = 0; st == ES_OK && at < n[p]; at += ES_FOLD_BLOCK) {
            const float *z = NULL;
            size_t count = es_fold_block(at, n[p]);
            st = es_ridge_reader_read(&reader, parts[p], at, count, run, &z, err);
            if (st == ES_OK)
                memcpy(to, z, count * ridge->rank * sizeof *to);
            to += count * ridge->rank;
        }
    return st;
}

/* Gives the directions of embedder i, from its factorisation. */
static es_status give_side(void *context, size_t i, es_run *run, es_width_side *out,
                           es_error *err) {
    fold_work *f = context;
    const es_ridge *ridge = NULL;
    ES_PASS(hold(f, f->work->number[i], run, &ridge, err));
    *out = (es_width_side){ridge->rank, ridge->s, ridge->z_train, ridge->z_test};
    if (ridge->z_train)
        return ES_OK;
    es_status st = read_rows(f, ridge, run, err);
    out->train = f->rows;
    out->test = f->rows + ridge->n_train * ridge->rank;
    return st;
}

/* The mean over folds, by their evaluated rows. */
static es_status compute_widths(width_work *work, es_run *run, es_error *err) {
    const es_split *split = work->session->entries[work->entry].split;
    double *one = es_alloc(work->m + 1, sizeof *one), rows = 0;
    es_status st = one ? ES_OK : es_no_memory(err);
    memset(work->out, 0, work->m * sizeof *work->out);
    for (size_t k = 0; st == ES_OK && k < split->n_folds; k++) {
        fold_work f = {.work = work, .fold = k, .held = SIZE_MAX};
        const es_fold *fold = &split->folds[k];
        const es_width_problem problem = {.m = work->m,
                                          .n_train = fold->n_train,
                                          .n_test = fold->n_test,
                                          .pool = work->session->m,
                                          .kind = work->number + work->m,
                                          .family = work->number + 2 * work->m,
                                          .votes = work->votes,
                                          .side = give_side,
                                          .context = &f};
        st = es_width_shared(&problem, run, one, err);
        for (size_t i = 0; st == ES_OK && i < work->m; i++)
            work->out[i] += one[i] * (double)fold->n_test;
        rows += (double)fold->n_test;
        let_go(&f);
        es_free(f.rows);
        es_arena_free(f.arena);
    }
    for (size_t i = 0; st == ES_OK && i < work->m; i++)
        work->out[i] /= rows;
    es_free(one);
    return st;
}

/* ---- Stored ---- */

/* Everything that widths depend on beside the key of the default score. */
static void name_key(const width_work *work, char *text, size_t capacity) {
    const es_session *s = work->session;
    char hex[ES_DIGEST_HEX];
    es_hasher hasher;
    es_hasher_init(&hasher);
    es_hasher_add_text(&hasher, s->entries[work->entry].key.settings);
    es_hasher_add_u64(&hasher, s->entries[work->entry].key.version);
    es_hasher_add_u64(&hasher, s->m);
    for (size_t i = 0; i < work->m; i++) {
        es_hasher_add_digest(&hasher, s->sources.digest[work->number[i]]);
        es_hasher_add_u64(&hasher, work->number[work->m + i]);
        es_hasher_add_u64(&hasher, work->number[2 * work->m + i]);
        es_hasher_add_u64(&hasher, work->votes[i]);
    }
    (void)snprintf(text, capacity, "kinds=%s", es_digest_hex(es_hasher_result(&hasher), hex));
}

static es_store_key key_of(const width_work *work, const char *settings) {
    const es_session *s = work->session;
    return (es_store_key){"measure width", WIDTH_VERSION, settings, s->seed,
                          s->entries[work->entry].key.rowset};
}

static es_status take_stored_width(void *context, es_digest source, es_digest target, size_t field,
                                   const es_measure_value *value, es_error *err) {
    width_work *work = context;
    (void)target;
    (void)err;
    for (size_t i = 0; field == 0 && i < work->m; i++)
        if (es_digest_equal(work->session->sources.digest[work->number[i]], source))
            work->out[i] = value->value;
    return ES_OK;
}

/* False: not all are stored. */
static bool load(width_work *work, const char *settings) {
    const es_store_key key = key_of(work, settings);
    es_session *s = work->session;
    bool whole = s->store != NULL && !s->refresh;
    for (size_t i = 0; i < work->m; i++)
        work->out[i] = (double)NAN;
    whole = whole && es_store_measured_load(s->store, &key, take_stored_width, work, NULL) == ES_OK;
    for (size_t i = 0; whole && i < work->m; i++)
        whole = isfinite(work->out[i]);
    return whole;
}

/* A store that cannot be written makes no difference to the values. */
static void save(const width_work *work, const char *settings) {
    const es_store_key key = key_of(work, settings);
    es_session *s = work->session;
    for (size_t i = 0; s->store && i < work->m; i++) {
        const es_measure_value value = {
            .value = work->out[i], .low = (double)NAN, .high = (double)NAN};
        es_digest digest = s->sources.digest[work->number[i]];
        const es_store_measured one = {digest, digest, 1, &value};
        if (es_store_measured_put(s->store, &key, &one, s->provenance, NULL) != ES_OK)
            return;
    }
}

/* Loads the widths of the embedders, or computes and stores them. */
static es_status find_widths(void *data, es_run *run, es_error *err) {
    width_work *work = data;
    char settings[64];
    name_key(work, settings, sizeof settings);
    if (load(work, settings))
        return ES_OK;
    ES_PASS(compute_widths(work, run, err));
    save(work, settings);
    return ES_OK;
}

es_status es_session_width(es_session *s, const es_width_ask *ask, es_run *run, double *out,
                           es_error *err) {
    width_work work;
    ES_PASS(work_init(s, ask, &work, err));
    es_status st = find_widths(&work, run, err);
    if (st == ES_OK)
        memcpy(out, work.out, work.m * sizeof *out);
    work_deinit(&work);
    return st;
}

/* ---- In the background ---- */

static const es_latest_task_kind kind = {find_widths, work_deinit, 0.5, "width"};

es_status es_session_width_start(es_session *s, const es_width_ask *ask, uint64_t tag,
                                 es_error *err) {
    width_work *work = es_alloc_zero(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    es_status st = work_init(s, ask, work, err);
    if (st == ES_OK)
        return es_latest_task_start(&s->width, s->workers, s->log, &kind, work, tag, err);
    es_free(work);
    return st;
}

const double *es_session_width_known(const es_session *s, size_t *m, uint64_t *tag) {
    const width_work *newest = s->width.newest;
    *tag = s->width.tag;
    *m = newest ? newest->m : 0;
    return newest ? newest->out : NULL;
}
