/* Samples of a pool's rows. All rows are put into an order once, by a seed; a sample is the first
 * so many of them, so that a smaller one is part of every larger one. */
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "array.h"
#include "pool_state.h"
#include "rng.h"
#include "row_request.h"

/* ---- drawing ---- */

static void list_rows(const es_pool *pool, uint32_t *out) {
    size_t count = 0;
    for (size_t r = 0; r < pool_considered_rows(pool); r++)
        if (!pool->in_set || pool->in_set[r])
            out[count++] = (uint32_t)r;
}

/* Before it: how many rows there are is known. After it: the request is ALL, FIRST, or one of
 * samples that are smaller than all rows. */
es_status pool_draw(es_pool *pool, es_error *err) {
    es_row_request *request = &pool->request;
    size_t all = pool->rows;
    es_rng rng;
    pool->available = all;
    if (request->choice == ES_ROWS_AUTO_LARGE)
        request->choice = all > ES_ROWS_LARGE ? ES_ROWS_AUTO : ES_ROWS_ALL;
    size_t least = request->choice == ES_ROWS_AUTO ? ES_ROWS_FIRST_SAMPLE : request->count;
    if (request->choice == ES_ROWS_ALL || request->choice == ES_ROWS_FIRST ||
        (least >= all && request->choice != ES_ROWS_GROWN))
        return ES_OK;
    uint32_t *drawn = es_alloc(all, sizeof *drawn);
    if (!drawn)
        return es_no_memory_for(err, "%zu rows", all);
    list_rows(pool, drawn);
    es_rng_init(&rng, pool->seed, es_rng_stream(ES_STREAM_ROWS, all));
    for (size_t i = 0; i + 1 < all; i++) { /* from the front: larger samples go on */
        size_t other = i + (size_t)es_rng_below(&rng, all - i);
        uint32_t row = drawn[i];
        drawn[i] = drawn[other];
        drawn[other] = row;
    }
    pool->drawn = drawn;
    pool->n_drawn = all;
    es_pool_use_sample(pool, request->count);
    return ES_OK;
}

bool es_pool_grows(const es_pool *pool) {
    es_row_choice choice = pool->request.choice;
    return pool->drawn && (choice == ES_ROWS_AUTO || choice == ES_ROWS_GROWN);
}

bool es_pool_chooses_rows(const es_pool *pool) {
    return pool->drawn && pool->request.choice == ES_ROWS_AUTO && !pool->settled;
}

bool es_pool_is_sample(const es_pool *pool) {
    return pool->drawn && pool->rows < pool->available;
}

const char *es_pool_rows_choice(const es_pool *pool) {
    if (es_pool_is_sample(pool))
        return "sample";
    return pool_considered_rows(pool) < pool->common_rows ? "first" : "all";
}

void es_pool_use_sample(es_pool *pool, size_t rows) {
    pool->request.count = rows;
    pool->rows = rows < pool->n_drawn ? rows : pool->n_drawn;
}

/* ---- taking ---- */

enum { LOOK_EVERY = 256 }; /* rows between two looks whether to go on */

es_status pool_find_varying(const es_pool *pool, const es_array *array, const bool *constant,
                            const es_run *run, uint32_t **out, es_error *err) {
    size_t d = array->d, open = 0;
    double *first = es_alloc(d, sizeof *first), *row = es_alloc(d, sizeof *row);
    uint32_t *varies = es_alloc(d, sizeof *varies);
    es_status st = first && row && varies ? ES_OK : es_no_memory(err);
    if (st == ES_OK)
        es_array_read(array, pool->drawn, 1, first);
    for (size_t j = 0; st == ES_OK && j < d; j++) {
        varies[j] = UINT32_MAX;
        open += !constant[j];
    }
    /* Nearly every column shows it within a few rows. */
    for (size_t i = 1; st == ES_OK && i < pool->n_drawn && open > 0; i++) {
        es_array_read(array, pool->drawn + i, 1, row);
        for (size_t j = 0; j < d; j++)
            if (varies[j] == UINT32_MAX && row[j] != first[j]) {
                varies[j] = (uint32_t)i + 1;
                open -= !constant[j];
            }
        if (i % LOOK_EVERY == 0)
            st = es_run_check(run, err);
    }
    es_free(first);
    es_free(row);
    if (st != ES_OK) {
        es_free(varies);
        return st;
    }
    *out = varies;
    return ES_OK;
}

static int compare_rows(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

es_status pool_take_sample(const es_pool *pool, size_t count, const bool *bad, uint32_t **out,
                           size_t *taken, size_t *used, es_error *err) {
    uint32_t *rows = es_alloc(count, sizeof *rows);
    size_t n = 0, at = 0;
    if (!rows)
        return es_no_memory_for(err, "%zu rows", count);
    for (; at < pool->n_drawn && n < count; at++)
        if (!(bad && bad[pool->drawn[at]]))
            rows[n++] = pool->drawn[at];
    qsort(rows, n, sizeof *rows, compare_rows);
    *out = rows;
    *taken = n;
    *used = at;
    return ES_OK;
}

size_t es_pool_rows_available(const es_pool *pool) {
    return pool ? pool->available : 0;
}
