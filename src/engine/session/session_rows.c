/* Which sample of rows is shown where that is left open: the largest of which the store knows every
 * pair of the plan's first entry, else the one of which it knows most. */
#include <stdlib.h>

#include "alloc.h"
#include "session_state.h"

/* Contents that are in use, each once. */
typedef struct contents {
    es_digest *source, *target; /* (count) ascending */
    size_t count;
} contents;

static int compare_digests(const void *a, const void *b) {
    const es_digest *x = a, *y = b;
    if (x->hi != y->hi)
        return x->hi < y->hi ? -1 : 1;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

static size_t sort_once(es_digest *digest, size_t count) {
    size_t kept = 0;
    qsort(digest, count, sizeof *digest, compare_digests);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || !es_digest_equal(digest[kept - 1], digest[i]))
            digest[kept++] = digest[i];
    return kept;
}

static es_status list_contents(const es_session *s, contents *out, es_error *err) {
    size_t n = es_pool_count(s->pool), count = 0;
    out->source = es_alloc(n, sizeof *out->source);
    out->target = es_alloc(n, sizeof *out->target);
    if (!out->source || !out->target)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const es_model *m = es_pool_model(s->pool, i);
        if (m->state != ES_MODEL_READY)
            continue;
        out->source[count] = m->digest;
        out->target[count++] = es_model_target_digest(m);
    }
    out->count = sort_once(out->source, count);
    (void)sort_once(out->target, count);
    return ES_OK;
}

typedef struct tally {
    const contents *of;
    size_t pairs;
} tally;

static es_status count_pair(void *context, es_store_pair *pair, es_error *err) {
    tally *t = context;
    (void)err;
    t->pairs += bsearch(&pair->source, t->of->source, t->of->count, sizeof pair->source,
                        compare_digests) != NULL &&
                bsearch(&pair->target, t->of->target, t->of->count, sizeof pair->target,
                        compare_digests) != NULL;
    return ES_OK;
}

es_status es_session_choose_rows(es_session *s, es_error *err) {
    const es_config *config = &s->entries[0].config;
    contents of = {0};
    es_digest rowset;
    size_t rows = 0, best = 0, most = 0;
    es_status st = list_contents(s, &of, err);
    for (size_t step = 0; st == ES_OK && s->store; step++) {
        st = es_pool_sample(s->pool, step, &rows, &rowset, err);
        if (st != ES_OK)
            break;
        const es_store_key key = {config->estimator->name, config->estimator->version, config->text,
                                  s->seed, rowset};
        tally t = {&of, 0};
        st = es_store_load(s->store, &key, false, count_pair, &t, err);
        if (t.pairs > 0 && (t.pairs > most || t.pairs >= of.count * of.count)) {
            most = t.pairs;
            best = rows;
        }
    }
    es_free(of.source);
    es_free(of.target);
    if (best > 0)
        es_pool_use_sample(s->pool, best);
    /* A store that cannot be read is said when it is loaded. */
    return st == ES_ENOMEM ? st : ES_OK;
}
