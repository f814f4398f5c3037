/* Which question comes next. */
#include "core_duel.h"

es_status es_duel_order_new(uint64_t seed, size_t rows, size_t embedders, es_duel_order *out,
                            es_error *err) {
    es_rng rng;
    if (rows < 3 || embedders < 2)
        return es_fail(err, ES_EINVAL,
                       "a question needs three rows and two embedders; there are %zu and %zu", rows,
                       embedders);
    uint32_t *row = es_alloc(rows, sizeof *row);
    if (!row)
        return es_no_memory_for(err, "%zu rows", rows);
    for (size_t i = 0; i < rows; i++)
        row[i] = (uint32_t)i;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_DUEL, 0));
    es_rng_shuffle(&rng, row, rows);
    *out = (es_duel_order){.seed = seed, .rows = rows, .embedders = embedders, .row = row};
    return ES_OK;
}

void es_duel_order_deinit(es_duel_order *order) {
    es_free(order->row);
    *order = (es_duel_order){0};
}

es_duel_draw es_duel_order_at(const es_duel_order *order, uint64_t at) {
    es_rng rng;
    es_rng_init(&rng, order->seed, es_rng_stream(ES_STREAM_DUEL, 1 + at));
    uint32_t left = (uint32_t)es_rng_below(&rng, order->embedders);
    uint32_t right = (uint32_t)es_rng_below(&rng, order->embedders - 1);
    return (es_duel_draw){
        .row = order->row[at % order->rows], .left = left, .right = right + (right >= left)};
}
