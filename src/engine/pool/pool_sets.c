/* Sets of rows: the column `set` of rows.csv makes several data sets of one pool. */
#include <string.h>
#include <strings.h>

#include "engine_pool_parts.h"

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
