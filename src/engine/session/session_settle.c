/* From a checked pool to a session that can compute: the row set, and for every entry of the plan
 * its results, split and key. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "alloc.h"
#include "session_state.h"

static es_status refuse_exclusions(const es_session *s, es_error *err) {
    for (size_t i = 0; i < es_pool_count(s->pool); i++) {
        const es_model *m = es_pool_model(s->pool, i);
        if (m->state == ES_MODEL_EXCLUDED)
            return es_fail(err, ES_EFORMAT, "%s (and --strict is set)",
                           m->reason ? m->reason : m->name);
    }
    return ES_OK;
}

static es_status copy_text(const char *text, char **out, es_error *err) {
    if (text && !(*out = es_strdup(text)))
        return es_no_memory(err);
    return ES_OK;
}

static es_status describe(es_results *r, size_t at, const es_model *model, es_error *err) {
    r->dim[at] = model->dim;
    r->dim_used[at] = model->dim_used;
    r->dropped[at] = model->dropped_columns;
    es_status st = ES_OK;
    ES_TRY(copy_text(model->name, &r->name[at], err));
    ES_TRY(copy_text(model->label, &r->label[at], err));
    ES_TRY(copy_text(model->family, &r->family[at], err));
    ES_TRY(copy_text(model->series, &r->series[at], err));
done:
    return st;
}

static es_status new_results(es_session *s, const es_entry *e, es_results **out, es_error *err) {
    es_results *r = NULL;
    es_status st = es_results_new(s->m, &r, err);
    size_t at = 0;
    for (size_t i = 0; i < es_pool_count(s->pool) && st == ES_OK; i++) {
        const es_model *model = es_pool_model(s->pool, i);
        if (model->state != ES_MODEL_READY)
            continue;
        r->model[at] = i;
        st = describe(r, at++, model, err);
    }
    if (st == ES_OK)
        st = copy_text(e->config.text, &r->settings, err);
    if (st != ES_OK) {
        es_results_free(r);
        return st;
    }
    r->estimator = e->config.estimator;
    r->preset = e->config.preset;
    r->seed = s->seed;
    *out = r;
    return ES_OK;
}

/* An in-sample estimator gives a value to every row; who reads them by the split must find that. */
static es_status evaluate_all_rows(es_split *split, es_error *err) {
    uint32_t *all = es_alloc(split->n, sizeof *all);
    if (!all)
        return es_no_memory_for(err, "%zu rows", split->n);
    for (size_t i = 0; i < split->n; i++)
        all[i] = (uint32_t)i;
    es_free(split->eval);
    split->eval = all;
    split->n_eval = split->n;
    return ES_OK;
}

/* ---- a share of the pairs ----
 *
 * For machines that have nothing in common but the pool. All pairs are put in one row, source after
 * source, and the row is cut where equal parts of the cost end. So a share is whole sources, but
 * for its first and last, and every machine finds the same cuts by itself. */

/* As pair_queue.c has it; the parts of a share are of one estimator, so that units do not matter.
 */
static double cost_of(const es_session *s, size_t source, size_t target) {
    const es_results *r = s->entries[0].results;
    enum { FLOOR = 32 };
    return ((double)r->dim_used[source] + FLOOR) * ((double)r->dim_used[target] + FLOOR);
}

static double cost_of_all(const es_session *s) {
    double sum = 0;
    for (size_t source = 0; source < s->m; source++)
        for (size_t target = 0; target < s->m; target++)
            sum += cost_of(s, source, target);
    for (size_t t = 0; t < s->m && s->with_null; t++)
        sum += cost_of(s, t, t);
    return sum;
}

/* The share of a pair whose middle lies here in the row, which is 1 long. */
static bool is_ours(const es_session *s, double before, double cost, double all) {
    double share = (before + cost / 2) / all * (double)s->shards;
    size_t number = share < 0 ? 0 : (size_t)share;
    number = number < s->shards ? number : s->shards - 1;
    return number + 1 == s->shard;
}

static es_status choose_share(es_session *s, es_entry *e, es_error *err) {
    double all = cost_of_all(s), before = 0;
    if (s->shards < 2)
        return ES_OK;
    e->only = es_alloc_zero(s->m * s->m + s->m, 1);
    if (!e->only)
        return es_no_memory(err);
    for (size_t i = 0; i < s->m * s->m; i++) {
        double cost = cost_of(s, i / s->m, i % s->m);
        e->only[i] = is_ours(s, before, cost, all);
        before += cost;
    }
    for (size_t t = 0; t < s->m && s->with_null; t++) {
        double cost = cost_of(s, t, t);
        e->only[s->m * s->m + t] = is_ours(s, before, cost, all);
        before += cost;
    }
    return ES_OK;
}

/* ---- entries of the plan ---- */

static es_status settle_entry(es_session *s, es_entry *e, es_error *err) {
    const es_estimator *estimator = e->config.estimator;
    size_t setting = es_estimator_setting(estimator, "folds");
    double folds = setting < estimator->n_settings ? e->config.values[setting] : (double)NAN;
    es_status st = es_split_new(es_pool_rows(s->pool), s->seed, isnan(folds) ? 0 : (size_t)folds,
                                &e->split, err);
    if (st == ES_OK && estimator->in_sample && estimator->in_sample(e->config.values))
        st = evaluate_all_rows(e->split, err);
    if (st == ES_OK)
        st = new_results(s, e, &e->results, err);
    if (st == ES_OK)
        st = choose_share(s, e, err);
    /* What would not stay in the cache anyhow is read again instead. */
    e->problem = (es_problem){e->split, e->config.values, s->seed, es_cache_default_budget() / 2};
    e->key = (es_store_key){estimator->name, estimator->version, e->config.text, s->seed,
                            es_pool_rowset(s->pool)};
    return st;
}

/* Insertion sort: a few hundred models, once. */
static void order_identities(es_identities *ids, size_t m) {
    for (size_t i = 0; i < m; i++) {
        size_t at = i;
        es_digest d = ids->digest[i];
        for (; at > 0; at--) {
            es_digest other = ids->digest[ids->order[at - 1]];
            if (other.hi < d.hi || (other.hi == d.hi && other.lo <= d.lo))
                break;
            ids->order[at] = ids->order[at - 1];
        }
        ids->order[at] = i;
    }
}

static es_status new_identities(const es_session *s, bool targets, es_identities *out,
                                es_error *err) {
    out->digest = es_alloc(s->m, sizeof *out->digest);
    out->order = es_alloc(s->m, sizeof *out->order);
    if (!out->digest || !out->order)
        return es_no_memory(err);
    for (size_t i = 0, at = 0; i < es_pool_count(s->pool); i++) {
        const es_model *model = es_pool_model(s->pool, i);
        if (model->state == ES_MODEL_READY)
            out->digest[at++] = targets ? es_model_target_digest(model) : model->digest;
    }
    order_identities(out, s->m);
    return ES_OK;
}

/* Is the embedder at this place of the order of the same contents as the one before it? */
static bool is_twin(const es_identities *ids, size_t place) {
    return place > 0 &&
           es_digest_equal(ids->digest[ids->order[place]], ids->digest[ids->order[place - 1]]);
}

static es_status settle_models(es_session *s, es_error *err) {
    s->m = 0;
    for (size_t i = 0; i < es_pool_count(s->pool); i++)
        s->m += es_pool_model(s->pool, i)->state == ES_MODEL_READY;
    s->rows = es_alloc_zero(s->m, sizeof *s->rows);
    s->nulls = es_alloc_zero(s->m, sizeof *s->nulls);
    if (!s->rows || !s->nulls)
        return es_no_memory(err);
    es_status st = new_identities(s, false, &s->sources, err);
    if (st == ES_OK)
        st = new_identities(s, true, &s->targets, err);
    for (size_t i = 0; i < s->m && st == ES_OK; i++) {
        s->nulls[i] = es_null_digest(s->targets.digest[i]);
        s->twins = s->twins || is_twin(&s->sources, i) || is_twin(&s->targets, i);
    }
    return st;
}

static es_status new_work(es_session *s, es_error *err) {
    es_cache_maker maker = es_work_maker;
    maker.context = s;
    es_status st =
        es_cache_new(s->n_entries, 2 * s->m, es_cache_default_budget(), &maker, &s->cache, err);
    if (st != ES_OK)
        return st;
    /* Two processes that share a source are rarely after the same targets. */
    st = es_pair_queue_new(s->n_entries, s->m, s->entries[0].results->dim_used, (size_t)getpid(),
                           s->cache, &s->queue, err);
    return st == ES_OK ? es_claims_new(s, err) : st;
}

es_status es_session_settle(es_session *s, es_error *err) {
    es_status st = ES_OK;
    if (es_pool_chooses_rows(s->pool))
        st = es_session_choose_rows(s, err);
    if (st == ES_OK)
        st = es_pool_settle(s->pool, err);
    if (st == ES_OK && s->strict)
        st = refuse_exclusions(s, err);
    if (st == ES_OK)
        st = settle_models(s, err);
    for (size_t e = 0; e < s->n_entries && st == ES_OK; e++)
        st = settle_entry(s, &s->entries[e], err);
    if (st == ES_OK && !s->read_only)
        st = new_work(s, err);
    return st;
}

/* ---- what results are stored under ---- */

enum { NAMES = 4 }; /* an embedder, as a binary target, and both with its rows shuffled */

static int order_digests(const void *a, const void *b) {
    return es_digest_order(*(const es_digest *)a, *(const es_digest *)b);
}

es_status es_session_contents(const es_session *s, es_digest **out, size_t *count, es_error *err) {
    size_t models = es_pool_count(s->pool), n = 0;
    es_digest *all = es_alloc(models * NAMES, sizeof *all);
    if (!all)
        return es_no_memory(err);
    for (size_t i = 0; i < models; i++) {
        const es_model *m = es_pool_model(s->pool, i);
        if (m->state != ES_MODEL_READY)
            continue;
        es_digest binary = es_target_digest(m->digest, ES_KIND_BINARY);
        all[n++] = m->digest;
        all[n++] = binary;
        all[n++] = es_null_digest(m->digest);
        all[n++] = es_null_digest(binary);
    }
    qsort(all, n, sizeof *all, order_digests);
    *out = all;
    *count = n;
    return ES_OK;
}
