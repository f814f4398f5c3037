#include <stdlib.h>

#include "alloc.h"
#include "file.h"
#include "session_internal.h"

/* ---- contents ---- */

/* The digest cache is keyed by file and array; the model's name tells arrays of one file apart. */
static es_status check_model(void *data, es_job_context *context, es_error *err) {
    es_check_item *c = data;
    es_session *s = c->item.session;
    const es_model *model = es_pool_model(s->pool, c->model);
    es_map file = {0};
    es_digest known;
    bool identified = s->store && es_file_identify(model->path, 0, &file, NULL) == ES_OK;
    bool found =
        identified && !s->refresh &&
        es_store_digest_get(s->store, model->path, model->name, file.size, file.mtime_ns, &known);
    es_status st =
        es_pool_check_model(s->pool, c->model, found ? &known : NULL, context->run, &c->check, err);
    if (st == ES_OK && c->check.status == ES_OK && identified && !found && !s->read_only)
        es_store_digest_put(s->store, model->path, model->name, file.size, file.mtime_ns,
                            c->check.digest, NULL); /* a cache: not keeping it costs time only */
    return st;
}

static es_status add_check(es_session *s, size_t model, es_error *err) {
    es_check_item *c = es_alloc_zero(1, sizeof *c);
    if (!c)
        return es_no_memory(err);
    c->item = (es_item){ES_ITEM_CHECK, s};
    c->model = model;
    /* The largest first, so that the last one to finish is short. */
    double priority = (double)es_pool_model(s->pool, model)->file_bytes;
    es_status st = es_workers_add(s->workers, check_model, c, 0, priority, NULL, err);
    if (st == ES_OK)
        s->checks++;
    else
        es_item_free(&c->item);
    return st;
}

es_status es_check_start(es_session *s, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < es_pool_count(s->pool) && st == ES_OK; i++)
        if (es_pool_model(s->pool, i)->state == ES_MODEL_UNCHECKED)
            st = add_check(s, i, err);
    return st;
}

/* ---- stored results ---- */

typedef struct loading {
    es_session *session;
    es_job_context *context;
    size_t entry;
    es_stored_item *batch;
} loading;

static int order(es_digest a, es_digest b) {
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return a.lo < b.lo ? -1 : a.lo > b.lo;
}

size_t es_identities_first(const es_identities *ids, size_t m, es_digest digest) {
    size_t low = 0, high = m;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order(ids->digest[ids->order[middle]], digest) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool es_identities_at(const es_identities *ids, size_t m, size_t place, es_digest digest) {
    return place < m && es_digest_equal(ids->digest[ids->order[place]], digest);
}

static es_status flush(loading *l, es_error *err) {
    if (!l->batch)
        return ES_OK;
    es_status st = es_workers_post(l->context, l->batch, err);
    if (st == ES_OK)
        l->batch = NULL;
    return st;
}

static es_status append(loading *l, size_t source, size_t target, const es_store_pair *pair,
                        es_error *err) {
    if (!l->batch) {
        l->batch = es_alloc(1, sizeof *l->batch);
        if (!l->batch)
            return es_no_memory(err);
        l->batch->item = (es_item){ES_ITEM_STORED, l->session};
        l->batch->count = 0;
    }
    es_pair_item item = {.item = {ES_ITEM_PAIR, l->session},
                         .pair = {l->entry, source, target},
                         .failed = pair->failed,
                         .reused = true,
                         .result = pair->result,
                         .seconds = pair->seconds};
    item.result.pmi = NULL;
    if (pair->failed && !(item.reason = es_strdup(pair->reason ? pair->reason : "failed")))
        return es_no_memory(err);
    if (pair->result.pmi) {
        size_t n = pair->result.n_eval;
        item.result.pmi = es_alloc(n, sizeof(float));
        if (!item.result.pmi) {
            es_free(item.reason);
            return es_no_memory(err);
        }
        for (size_t i = 0; i < n; i++)
            item.result.pmi[i] = pair->result.pmi[i];
    }
    l->batch->pairs[l->batch->count++] = item;
    return l->batch->count == ES_BATCH ? flush(l, err) : ES_OK;
}

/* Embedders of equal contents share their results. */
static es_status take_stored(void *data, es_store_pair *pair, es_error *err) {
    loading *l = data;
    const es_session *s = l->session;
    es_status st = es_run_check(l->context->run, err);
    size_t first = es_identities_first(&s->targets, s->m, pair->target);
    for (size_t i = es_identities_first(&s->sources, s->m, pair->source);
         es_identities_at(&s->sources, s->m, i, pair->source); i++)
        for (size_t k = first; st == ES_OK && es_identities_at(&s->targets, s->m, k, pair->target);
             k++)
            st = append(l, s->sources.order[i], s->targets.order[k], pair, err);
    for (size_t k = first; st == ES_OK && es_identities_at(&s->targets, s->m, k, pair->target);
         k++) {
        size_t target = s->targets.order[k];
        if (es_digest_equal(s->nulls[target], pair->source))
            st = append(l, s->m + target, target, pair, err);
    }
    return st;
}

static es_status load_entry(void *data, es_job_context *context, es_error *err) {
    const es_load_item *item = data;
    es_session *s = item->item.session;
    loading l = {s, context, item->entry, NULL};
    es_status st =
        es_store_load(s->store, &s->entries[item->entry].key, s->with_pmi, take_stored, &l, err);
    if (st == ES_OK)
        st = flush(&l, err);
    if (l.batch)
        es_item_free(&l.batch->item);
    return st;
}

es_status es_load_start(es_session *s, es_error *err) {
    es_status st = ES_OK;
    for (size_t e = 0; e < s->n_entries && st == ES_OK; e++) {
        es_load_item *item = es_alloc(1, sizeof *item);
        if (!item)
            return es_no_memory(err);
        *item = (es_load_item){{ES_ITEM_LOAD, s}, e};
        st = es_workers_add(s->workers, load_entry, item, 0, 0, NULL, err);
        if (st == ES_OK)
            s->loads++;
        else
            es_item_free(&item->item);
    }
    return st;
}
