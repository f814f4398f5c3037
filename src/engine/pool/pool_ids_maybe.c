/* Lists that may be ids although nothing is called so (es_named_list): a first column of whole
 * numbers, an array of texts under any name. Values of embedders do not tell the same rows apart in
 * several files; ids do. */
#include <stdio.h>
#include <string.h>

#include "engine_pool_parts.h"

enum { TOLD_MOST = 12, NAMES = 3 };
enum { REFERENCES_MOST = 32 }; /* lists that all others are compared with */

es_status pool_ids_offer(pool_id_lists *lists, const char *path, es_tensors *from, size_t *out,
                         es_error *err) {
    char *file = es_text_clean(path, strlen(path), 0);
    pool_maybe_ids *larger =
        es_grow(lists->maybe, lists->n_maybe, &lists->maybe_room, sizeof *larger);
    if (larger)
        lists->maybe = larger;
    if (!larger || !file) {
        es_free(file);
        return es_no_memory(err);
    }
    larger[lists->n_maybe] =
        (pool_maybe_ids){.file = file, .list = from->maybe, .count = from->n_maybe};
    from->maybe = NULL;
    from->n_maybe = 0;
    *out = lists->n_maybe++;
    return ES_OK;
}

void pool_maybe_deinit(pool_maybe_ids *one) {
    es_named_lists_free(one->list, one->count);
    es_free(one->file);
}

/* ---- which lists are of the same rows ---- */

/* chosen[g]: the list of file g that is taken as its ids; SIZE_MAX: none. */
typedef struct choice {
    size_t *chosen; /* (n_maybe) */
    size_t files;   /* that have the same ids, the reference's among them */
} choice;

/* At least half of the shorter one's rows are the same. */
static bool is_shared(size_t found, size_t a, size_t b) {
    return found > 1 && 2 * found >= (a < b ? a : b);
}

/* The list of a file that shares most rows with the reference. */
static es_status choose_list(const pool_maybe_ids *file, const es_row_index *index, size_t rows,
                             size_t *out, es_error *err) {
    size_t most = 0;
    es_status st = ES_OK;
    *out = SIZE_MAX;
    for (size_t c = 0; c < file->count && st == ES_OK; c++) {
        es_row_match match = {0};
        st = es_row_index_match(index, file->list[c].ids, &match, err);
        if (st == ES_OK && match.found > most &&
            is_shared(match.found, file->list[c].ids->n, rows)) {
            *out = c;
            most = match.found;
        }
        es_row_match_deinit(&match);
    }
    return st;
}

/* Keeps what a reference comes to if more files share it than any before. `others`: files that have
 * it beside those with lists of this kind. */
static es_status try_reference(const pool_id_lists *lists, const es_row_ids *reference,
                               size_t others, size_t *scratch, choice *best, es_error *err) {
    es_row_index *index = NULL;
    size_t files = others;
    es_status st = es_row_index_new(reference, &index, err);
    for (size_t g = 0; g < lists->n_maybe && st == ES_OK; g++) {
        st = choose_list(&lists->maybe[g], index, reference->n, &scratch[g], err);
        files += st == ES_OK && scratch[g] != SIZE_MAX;
    }
    es_row_index_free(index);
    if (st == ES_OK && files > 1 && files > others && files > best->files) {
        memcpy(best->chosen, scratch, lists->n_maybe * sizeof *scratch);
        best->files = files;
    }
    return st;
}

/* rows.csv as the other file. */
static es_status try_texts(const es_pool *pool, const pool_id_lists *lists, size_t *scratch,
                           choice *best, es_error *err) {
    char *path = NULL;
    es_table table = {0};
    size_t files = 1;
    es_status st = pool_beside(pool->root, "rows.csv", &path, NULL);
    if (st == ES_OK && path)
        st = es_table_read(path, 0, &table, NULL);
    bool there = st == ES_OK && path;
    st = ES_OK;
    for (size_t g = 0; there && g < lists->n_maybe && st == ES_OK; g++) {
        scratch[g] = SIZE_MAX;
        for (size_t c = 0; c < lists->maybe[g].count && scratch[g] == SIZE_MAX && st == ES_OK;
             c++) {
            const es_row_ids *ids = lists->maybe[g].list[c].ids;
            size_t found = 0;
            st = pool_ids_texts_found(&table, ids, &found, err);
            if (st == ES_OK && is_shared(found, ids->n, table.rows))
                scratch[g] = c;
        }
        files += scratch[g] != SIZE_MAX;
    }
    es_table_deinit(&table);
    es_free(path);
    if (st == ES_OK && there && files > 1 && files > best->files) {
        memcpy(best->chosen, scratch, lists->n_maybe * sizeof *scratch);
        best->files = files;
    }
    return st;
}

/* Tries each list of possible ids as the reference and keeps the one that matches most files. */
static es_status choose_reference(const es_pool *pool, const pool_id_lists *lists, size_t *scratch,
                                  choice *best, es_error *err) {
    const es_row_ids *named = pool_ids_commonest(pool, lists);
    size_t tried = 0;
    es_status st = named ? try_reference(lists, named, 1, scratch, best, err) : ES_OK;
    if (st == ES_OK && pool->root)
        st = try_texts(pool, lists, scratch, best, err);
    for (size_t g = 0; g < lists->n_maybe && best->files < lists->n_maybe; g++)
        for (size_t c = 0; c < lists->maybe[g].count && st == ES_OK; c++)
            if (tried++ < REFERENCES_MOST)
                st = try_reference(lists, lists->maybe[g].list[c].ids, 0, scratch, best, err);
    return st;
}

/* ---- what becomes of them ---- */

/* Gives the list to the embedders of its file. */
static es_status take(es_pool *pool, pool_id_lists *lists, size_t g, size_t c, es_error *err) {
    es_named_list *one = &lists->maybe[g].list[c];
    size_t n = one->ids->n, list = SIZE_MAX;
    es_row_ids *ids = one->ids;
    one->ids = NULL;
    es_status st = pool_ids_add(lists, ids, &list, err);
    for (size_t i = 0; i < pool->count && st == ES_OK; i++) {
        pool_item *item = &pool->item[i];
        if (item->maybe != g || item->model.rows != n)
            continue;
        item->ids = list;
        item->ids_first = one->column;
        item->model.dim -= one->column;
    }
    return st;
}

static void put_name(const pool_maybe_ids *file, const es_named_list *list, es_buf *out) {
    if (!list->name)
        es_buf_printf(out, "the first column of %s", file->file);
    else
        es_buf_printf(out, "\"%s\" of %s", list->name, file->file);
}

/* Notes which arrays or columns are read as ids since other files hold the same. */
static es_status note_taken_ids(es_pool *pool, const pool_id_lists *lists, const size_t *chosen,
                                es_error *err) {
    es_buf text = {0};
    size_t count = 0;
    bool counted = true;
    for (size_t g = 0; g < lists->n_maybe; g++) {
        es_buf name = {0};
        if (chosen[g] == SIZE_MAX)
            continue;
        const es_named_list *list = &lists->maybe[g].list[chosen[g]];
        counted = counted && list->ids->counted;
        put_name(&lists->maybe[g], list, &name);
        es_buf_name(&text, &count, NAMES, name.data ? name.data : "");
        es_buf_free(&name);
    }
    es_buf_names_end(&text, count, NAMES);
    es_status st = es_buf_check(&text, err);
    if (st == ES_OK && !counted) /* rows that count in every file are in one order anyway */
        pool_warn(pool, "read as ids because other files hold the same: %s; rows are matched by %s",
                  text.data, count == 1 ? "it" : "them");
    es_buf_free(&text);
    return st;
}

/* Warns of a list that looks like ids but matches no other file. */
static void warn_of_unused_ids(es_pool *pool, const pool_maybe_ids *file) {
    const es_named_list *list = &file->list[0];
    if (list->ids->counted)
        return;
    if (!list->column)
        pool_warn(pool,
                  "%s: \"%s\" differs in every row, but no other file has the same ids: rows are "
                  "taken in their order; if it holds ids, call it \"ids\"",
                  file->file, list->name);
    else
        pool_warn(pool,
                  "%s: its first column%s%s%s is taken as values, although it holds a different "
                  "whole number in every row; if it says which row is which, save it as csv under "
                  "the heading \"id\"",
                  file->file, list->name ? " (\"" : "", list->name ? list->name : "",
                  list->name ? "\")" : "");
}

es_status pool_ids_settle_maybe(es_pool *pool, pool_id_lists *lists, es_error *err) {
    size_t n = lists->n_maybe, left = 0;
    if (n == 0)
        return ES_OK;
    size_t *scratch = es_alloc(2 * n, sizeof *scratch);
    if (!scratch)
        return es_no_memory(err);
    choice best = {.chosen = scratch + n};
    for (size_t g = 0; g < n; g++)
        best.chosen[g] = SIZE_MAX;
    es_status st = choose_reference(pool, lists, scratch, &best, err);
    for (size_t g = 0; g < n; g++)
        if (lists->maybe[g].confirmed && best.chosen[g] == SIZE_MAX)
            best.chosen[g] = 0;
    if (st == ES_OK)
        st = note_taken_ids(pool, lists, best.chosen, err);
    for (size_t g = 0; g < n && st == ES_OK; g++) {
        if (best.chosen[g] != SIZE_MAX)
            st = take(pool, lists, g, best.chosen[g], err);
        else if (left++ < TOLD_MOST)
            warn_of_unused_ids(pool, &lists->maybe[g]);
    }
    es_free(scratch);
    return st;
}
