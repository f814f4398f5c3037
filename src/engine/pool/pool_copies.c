/* Rows that stand more than once: the same values in every embedder. With copies on both sides of a
 * split whatever tells rows apart seems to be predicted, noise too. */
#include "engine_pool_parts.h"

/* Controls and derived embedders are no witnesses: the ones are drawn, the others follow. */
static bool is_witness(const es_model *m) {
    return m->state == ES_MODEL_READY && !m->derived && !es_is_control(m->family);
}

/* Adds to each row's key which row it is a copy of here: keys are equal where all embedders say the
 * same. `of` (all) is scratch. */
static void add_witness(const pool_item *item, uint64_t *key, uint32_t *of, size_t all) {
    for (size_t q = 0; q < all; q++)
        of[q] = (uint32_t)q;
    for (size_t k = 0; k < item->n_copies; k++)
        of[item->copy[k].row] = item->copy[k].of;
    for (size_t q = 0; q < all; q++) {
        uint64_t chain[2] = {key[q], of[q]};
        key[q] = es_digest_bytes(chain, sizeof chain).lo;
    }
}

es_status pool_count_copies(const es_pool *pool, const uint32_t *rows, size_t count, size_t *out,
                            es_error *err) {
    size_t all = pool_considered_rows(pool), witnesses = 0;
    uint64_t *key = NULL;
    uint32_t *of = NULL;
    es_seen seen = {0};
    es_status st = ES_OK;
    *out = 0;
    for (size_t i = 0; i < pool->count; i++)
        if (is_witness(&pool->item[i].model)) {
            witnesses++;
            if (pool->item[i].n_copies == 0)
                return ES_OK;
        }
    if (witnesses == 0)
        return ES_OK;
    key = es_alloc_zero(all, sizeof *key);
    of = es_alloc(all, sizeof *of);
    ES_FAIL_IF(!key || !of, es_no_memory(err));
    ES_TRY(es_seen_init(&seen, all, err));
    for (size_t i = 0; i < pool->count; i++)
        if (is_witness(&pool->item[i].model))
            add_witness(&pool->item[i], key, of, all);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = rows ? rows[i] : (uint32_t)i;
        *out += es_seen_put(&seen, row, key[row]) != row;
    }
done:
    es_seen_deinit(&seen);
    es_free(key);
    es_free(of);
    return st;
}

void pool_warn_copies(es_pool *pool, size_t copies, size_t rows) {
    if ((double)copies < 0.01 * (double)rows)
        return;
    pool_warn(pool,
              "%zu of %zu rows are copies of others in every embedder: estimates evaluated on rows "
              "that were trained on are too high, even of noise; keep one row of each",
              copies, rows);
    pool_warned_gravely(pool);
}
