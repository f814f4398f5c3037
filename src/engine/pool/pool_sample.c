/* Samples of a pool's rows. All rows are put into an order once, by a seed; a sample is the first
 * so many of them, so that a smaller one is part of every larger one. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine_pool_parts.h"

/* ---- drawing ---- */

/* So many are drawn at once, and looked at while contents are checked. */
enum { DRAWN_AT_ONCE = 1 << 16 };

/* Rows of the set in the order of the files: (available), es_free; *out NULL: there is no set. */
static es_status list_set(const es_pool *pool, uint32_t **out, es_error *err) {
    size_t count = 0;
    *out = NULL;
    if (!pool->in_set)
        return ES_OK;
    uint32_t *rows = es_alloc(pool->available, sizeof *rows);
    if (!rows)
        return es_no_memory_for(err, "%zu rows", pool->available);
    for (size_t r = 0; r < pool_considered_rows(pool); r++)
        if (pool->in_set[r])
            rows[count++] = (uint32_t)r;
    *out = rows;
    return ES_OK;
}

/* Draws rows without replacement until there are `count`: each is the next number drawn that has
 * not come before, so that how far one goes makes no difference to what comes first. */
static es_status draw_on(es_pool *pool, size_t count, es_error *err) {
    size_t all = pool->available, n = 0;
    count = count < all ? count : all;
    if (count <= pool->n_drawn)
        return ES_OK;
    uint32_t *set = NULL, *drawn = es_alloc(count, sizeof *drawn);
    uint8_t *taken = es_alloc_zero(all / 8 + 1, 1);
    es_rng rng;
    es_status st =
        drawn && taken ? list_set(pool, &set, err) : es_no_memory_for(err, "%zu rows", all);
    es_rng_init(&rng, pool->seed, es_rng_stream(ES_STREAM_ROWS, all));
    while (st == ES_OK && n < count) {
        size_t at = (size_t)es_rng_below(&rng, all);
        if (taken[at / 8] >> at % 8 & 1)
            continue;
        taken[at / 8] |= (uint8_t)(1U << at % 8);
        drawn[n++] = set ? set[at] : (uint32_t)at;
    }
    es_free(set);
    es_free(taken);
    if (st != ES_OK) {
        es_free(drawn);
        return st;
    }
    es_free(pool->drawn);
    pool->drawn = drawn;
    pool->n_drawn = n;
    return ES_OK;
}

/* Before it: how many rows there are is known. After it: the request is ALL, FIRST, or one of
 * samples that are smaller than all rows. */
es_status pool_draw(es_pool *pool, es_error *err) {
    es_row_request *request = &pool->request;
    size_t all = pool->rows;
    pool->available = all;
    if (request->choice == ES_ROWS_AUTO_LARGE)
        request->choice = all > ES_ROWS_LARGE ? ES_ROWS_AUTO : ES_ROWS_ALL;
    size_t least = request->choice == ES_ROWS_AUTO ? ES_ROWS_FIRST_SAMPLE : request->count;
    if (request->choice == ES_ROWS_ALL || request->choice == ES_ROWS_FIRST ||
        (least >= all && request->choice != ES_ROWS_GROWN))
        return ES_OK;
    es_status st = draw_on(pool, DRAWN_AT_ONCE, err);
    pool->sampled = st == ES_OK;
    pool->n_looked = pool->n_drawn;
    if (st == ES_OK)
        es_pool_use_sample(pool, request->count);
    return st;
}

bool es_pool_grows(const es_pool *pool) {
    es_row_choice choice = pool->request.choice;
    return pool->sampled && (choice == ES_ROWS_AUTO || choice == ES_ROWS_GROWN);
}

bool es_pool_chooses_rows(const es_pool *pool) {
    return pool->sampled && pool->request.choice == ES_ROWS_AUTO && !pool->settled;
}

bool es_pool_is_sample(const es_pool *pool) {
    return pool->sampled && pool->rows < pool->available;
}

static bool takes_first(const es_pool *pool) {
    size_t all = pool->of_set ? pool->set_rows : pool->common_rows;
    return pool->request.choice == ES_ROWS_FIRST && pool->request.count < all;
}

const char *es_pool_rows_choice(const es_pool *pool) {
    if (es_pool_is_sample(pool))
        return "sample";
    return takes_first(pool) ? "first" : "all";
}

void es_pool_use_sample(es_pool *pool, size_t rows) {
    pool->request.count = rows;
    pool->rows = rows < pool->available ? rows : pool->available;
}

/* ---- taking ---- */

enum { LOOK_EVERY = 256 }; /* rows between two looks whether to go on */

es_status pool_find_varying(const pool_item *item, const es_array *array, const bool *constant,
                            const es_run *run, uint32_t **out, es_error *err) {
    const es_pool *pool = item->pool;
    size_t d = array->d, open = 0;
    double *first = es_alloc(d, sizeof *first), *row = es_alloc(d, sizeof *row);
    uint32_t *varies = es_alloc(d, sizeof *varies);
    es_status st = first && row && varies ? ES_OK : es_no_memory(err);
    if (st == ES_OK)
        es_array_read(array, &(uint32_t){pool_place(item, pool->drawn[0])}, 1, first);
    for (size_t j = 0; st == ES_OK && j < d; j++) {
        varies[j] = UINT32_MAX;
        open += !constant[j];
    }
    /* Nearly every column shows it within a few rows. */
    for (size_t i = 1; st == ES_OK && i < pool->n_drawn && open > 0; i++) {
        es_array_read(array, &(uint32_t){pool_place(item, pool->drawn[i])}, 1, row);
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

es_status pool_take_sample(es_pool *pool, size_t count, const bool *bad, uint32_t **out,
                           size_t *taken, size_t *used, es_error *err) {
    uint32_t *rows = es_alloc(count, sizeof *rows);
    size_t n = 0, at = 0;
    es_status st = rows ? ES_OK : es_no_memory_for(err, "%zu rows", count);
    while (st == ES_OK && n < count && at < pool->available) {
        if (at == pool->n_drawn)
            st = draw_on(pool, at + (count - n), err);
        for (; st == ES_OK && at < pool->n_drawn && n < count; at++)
            if (!(bad && bad[pool->drawn[at]]))
                rows[n++] = pool->drawn[at];
    }
    if (st != ES_OK) {
        es_free(rows);
        return st;
    }
    if (n > 1)
        qsort(rows, n, sizeof *rows, compare_rows);
    *out = rows;
    *taken = n;
    *used = at;
    return ES_OK;
}

size_t es_pool_rows_whole(const es_pool *pool) {
    if (!pool)
        return 0;
    if (!takes_first(pool))
        return pool->available;
    return pool->of_set ? pool->set_rows : pool->common_rows;
}

size_t es_pool_rows_dropped(const es_pool *pool) {
    return pool ? pool->dropped : 0;
}

size_t es_pool_rows_available(const es_pool *pool) {
    return pool ? pool->available : 0;
}

/* ---- sets of rows ---- */

/* Sets of rows: the column `set` of rows.csv makes several data sets of one pool. */

enum { NAMED_MOST = 8 }; /* sets that a message names */

/* The column of rows.csv that is called `set`; SIZE_MAX: there is none. */
static size_t find_column(const es_row_texts *texts) {
    for (size_t c = 0; texts && texts->has_header && c < texts->columns; c++) {
        const char *name = es_row_texts_name(texts, c);
        if (name && strcasecmp(name, "set") == 0)
            return c;
    }
    return SIZE_MAX;
}

es_status es_pool_sets(es_pool *pool, es_words *out, es_error *err) {
    const es_row_texts *texts = NULL;
    es_words found = {0};
    es_status st = es_pool_texts(pool, &texts, err);
    if (st != ES_OK)
        return st;
    size_t column = find_column(texts);
    for (size_t r = 0; st == ES_OK && column != SIZE_MAX && r < pool->common_rows; r++) {
        const char *cell = es_row_texts_cell(texts, r, column);
        bool known = cell[0] == '\0'; /* of no set */
        for (size_t k = found.count; k > 0 && !known; k--)
            known = strcmp(found.word[k - 1], cell) == 0;
        if (!known)
            st = es_words_add(&found, cell, err);
    }
    if (st != ES_OK) {
        es_words_deinit(&found);
        return st;
    }
    *out = found;
    return ES_OK;
}

/* Which there are, for whoever asked for another one. */
static es_status unknown_set(es_pool *pool, const char *name, es_error *err) {
    es_words sets = {0};
    es_buf list = {0};
    char *shown = es_text_clean(name, strlen(name), 80);
    es_status st = shown ? es_pool_sets(pool, &sets, err) : es_no_memory(err);
    for (size_t k = 0; st == ES_OK && k < sets.count && k < NAMED_MOST; k++) {
        char *clean = es_text_clean(sets.word[k], strlen(sets.word[k]), 40);
        es_buf_printf(&list, "%s%s", k ? ", " : "", clean ? clean : "?");
        es_free(clean);
    }
    if (st == ES_OK && sets.count == 0)
        st = es_fail(err, ES_ENOTFOUND,
                     "%s: --set-rows needs a column `set` in a rows.csv with a header and a line "
                     "for each of the %zu rows",
                     pool->name, pool->common_rows);
    else if (st == ES_OK)
        st = es_fail(err, ES_ENOTFOUND, "%s: no row of rows.csv is in the set '%s'; there are %s%s",
                     pool->name, shown, list.data, sets.count > NAMED_MOST ? ", ..." : "");
    es_words_deinit(&sets);
    es_buf_free(&list);
    es_free(shown);
    return st;
}

/* "pool/set". */
static es_status name_set(es_pool *pool, const char *set, es_error *err) {
    es_buf text = {0};
    es_buf_printf(&text, "%s/%s", pool->name, set);
    char *name = text.failed ? NULL : es_text_clean(text.data, text.length, 240);
    es_buf_free(&text);
    if (!name)
        return es_no_memory(err);
    es_free(pool->name);
    pool->name = name;
    return ES_OK;
}

/* Of the set the first so many rows, where that is what is asked for; no others are looked at. */
static void take_first(es_pool *pool, bool *in, size_t rows) {
    size_t taken = 0;
    for (size_t r = 0; r < rows; r++) {
        in[r] = in[r] && taken < pool->request.count;
        taken += in[r];
        if (in[r])
            pool->set_end = r + 1;
    }
    pool->rows = taken;
}

es_status pool_choose_set(es_pool *pool, const char *name, es_error *err) {
    const es_row_texts *texts = NULL;
    size_t rows = pool->common_rows, count = 0;
    es_status st = es_pool_texts(pool, &texts, err);
    if (st != ES_OK)
        return st;
    size_t column = find_column(texts);
    bool *in = es_alloc_zero(rows, sizeof *in);
    if (!in)
        return es_no_memory(err);
    for (size_t r = 0; column != SIZE_MAX && r < rows; r++) {
        in[r] = (!pool->in_set || pool->in_set[r]) &&
                strcmp(es_row_texts_cell(texts, r, column), name) == 0;
        count += in[r];
    }
    if (count == 0) {
        es_free(in);
        return unknown_set(pool, name, err);
    }
    es_free(pool->in_set);
    pool->in_set = in;
    pool->rows = pool->set_rows = count;
    if (pool->request.choice == ES_ROWS_FIRST)
        take_first(pool, in, rows);
    return name_set(pool, name, err);
}
