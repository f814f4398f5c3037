/* Rows matched by their ids. One list is the reference: rows.csv where it knows the embedders'
 * rows, else the one that most embedders have. Of every other one is kept which of its rows is
 * which row of the reference, and reading goes by that: no file is copied. Rows that not all have
 * are no part of the pool, as those outside a set are. */
#include "engine_pool_parts.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { SAID_MOST = 12 }; /* embedders of which it is said what does not match; `info` has all */

static void pool_maybe_deinit(pool_maybe_ids *one);

void pool_ids_deinit(pool_id_lists *lists) {
    for (size_t i = 0; i < lists->count; i++)
        es_row_ids_free(lists->list[i].ids);
    for (size_t g = 0; g < lists->n_maybe; g++)
        pool_maybe_deinit(&lists->maybe[g]);
    es_free(lists->maybe);
    es_free(lists->list);
    es_free(lists->whose);
    *lists = (pool_id_lists){0};
}

/* ---- reading ---- */

/* Adds a list, which is taken in any case. *out: its number, for pool_item.ids. ES_ENOMEM. */
static es_status pool_ids_add(pool_id_lists *lists, es_row_ids *ids, size_t *out, es_error *err) {
    struct pool_id_list entry = {.ids = ids};
    es_status st = es_row_ids_make_whole(ids, err);
    entry.digest = es_row_ids_digest(ids);
    *out = lists->count;
    if (st == ES_OK)
        st = es_append(&lists->list, &lists->count, &lists->capacity, &entry, sizeof entry, err);
    if (st != ES_OK)
        es_row_ids_free(ids);
    return st;
}

/* The path of the ids beside an embedder, below the pool; *out NULL: there are none. */
static es_status find_beside(const char *root, const char *path, char **out, es_error *err) {
    static const char *const endings[] = {ES_ROW_IDS_TEXT, ES_ROW_IDS_CSV};
    es_status st = ES_OK;
    *out = NULL;
    for (size_t i = 0; i < 2 && st == ES_OK && !*out; i++) {
        es_buf name = {0};
        es_buf_add(&name, path, es_loader_stem(path));
        es_buf_puts(&name, endings[i]);
        st = es_buf_check(&name, err);
        if (st == ES_OK)
            st = pool_beside(root, name.data, out, err);
        es_buf_free(&name);
    }
    return st;
}

/* True: one of the file's tensors has n rows. */
static bool has_rows(const es_tensors *tensors, size_t n) {
    for (size_t i = 0; i < tensors->count; i++)
        if (!tensors->items[i].skipped && tensors->items[i].array.n == n)
            return true;
    return false;
}

static size_t rows_of(const es_tensors *tensors) {
    for (size_t i = 0; i < tensors->count; i++)
        if (!tensors->items[i].skipped)
            return tensors->items[i].array.n;
    return 0;
}

/* What helps if all matrices have as many columns as there are ids; else empty. */
static const char *turned_by(const es_tensors *tensors, size_t ids) {
    size_t matrices = 0, turned = 0;
    for (size_t i = 0; i < tensors->count; i++)
        if (!tensors->items[i].skipped) {
            matrices++;
            turned += tensors->items[i].array.d == ids;
        }
    return matrices > 0 && turned == matrices
               ? "; its columns are as many: it is transposed; save x.T"
               : "";
}

static es_status read_beside(pool_id_lists *lists, const char *path, const es_tensors *tensors,
                             size_t *out, es_error *err) {
    es_row_ids *ids = es_alloc_zero(1, sizeof *ids);
    if (!ids)
        return es_no_memory(err);
    es_status st = es_row_ids_read(path, 0, rows_of(tensors), ids, err);
    if (st == ES_OK && !has_rows(tensors, ids->n))
        st =
            es_fail(err, ES_EFORMAT, "%s: %zu ids, the matrix has %zu rows%s",
                    es_path_shown(path).text, ids->n, rows_of(tensors), turned_by(tensors, ids->n));
    if (st != ES_OK) {
        es_row_ids_free(ids);
        return st;
    }
    return pool_ids_add(lists, ids, out, err);
}

/* Those that the file itself says are all its arrays'. */
static es_status take_inside(pool_id_lists *lists, const char *path, es_tensors *tensors,
                             size_t *out, es_error *err) {
    char label[ES_PATH_LABEL];
    es_row_ids *own = tensors->ids;
    const char *turned = turned_by(tensors, own->n);
    if (!has_rows(tensors, own->n))
        return es_fail(err, ES_EFORMAT, "%s: %zu ids in it, the matrix has %zu rows%s",
                       es_path_label(label, path), own->n, rows_of(tensors),
                       *turned ? turned
                               : "; correct them, or call them otherwise if they are not of its "
                                 "rows");
    tensors->ids = NULL;
    return pool_ids_add(lists, own, out, err);
}

es_status pool_ids_read(pool_id_lists *lists, const char *root, const char *path, es_loaded *file,
                        size_t *out, es_error *err) {
    char *beside = NULL;
    *out = SIZE_MAX;
    es_status st = find_beside(root, path, &beside, err);
    if (st == ES_OK && beside) {
        st = read_beside(lists, beside, &file->tensors, out, err);
    } else if (st == ES_OK && file->tensors.ids) {
        st = take_inside(lists, path, &file->tensors, out, err);
    }
    es_free(beside);
    return st;
}

es_status pool_ids_take(pool_id_lists *lists, es_tensor *tensor, size_t *out, es_error *err) {
    es_row_ids *own = tensor->ids;
    tensor->ids = NULL;
    *out = SIZE_MAX;
    return own ? pool_ids_add(lists, own, out, err) : ES_OK;
}

/* ---- the reference ---- */

/* A match in progress. */
typedef struct joining {
    es_pool *pool;
    const pool_id_lists *lists;
    const es_row_ids *reference;
    const char *whose;    /* for messages */
    bool texts;           /* there is a rows.csv that has other ids */
    size_t texts_found;   /* of the reference's rows it has so many */
    char texts_first[64]; /* its first id, fit for a message */
    es_row_index *index;
    es_row_match *match; /* (count of models); all zero bytes: it has no ids */
    size_t best;         /* most rows that one shares with the reference */
    size_t said;
} joining;

static bool has_ids(const pool_item *item) {
    return item->ids < SIZE_MAX && item->model.state != ES_MODEL_EXCLUDED;
}

static bool only_counts(const pool_id_lists *lists, const pool_item *item) {
    return lists->list[item->ids].ids->counted;
}

/* The list that most have, among those the longest, among those the first; `named`: of those that
 * more than count the rows. SIZE_MAX: there is none. */
static size_t commonest(const es_pool *pool, const pool_id_lists *lists, bool named) {
    size_t best = SIZE_MAX, most = 0;
    for (size_t i = 0; i < pool->count; i++) {
        if (!has_ids(&pool->item[i]) || (named && only_counts(lists, &pool->item[i])))
            continue;
        const struct pool_id_list *one = &lists->list[pool->item[i].ids];
        size_t same = 0;
        for (size_t k = 0; k < pool->count; k++)
            same += has_ids(&pool->item[k]) &&
                    es_digest_equal(lists->list[pool->item[k].ids].digest, one->digest);
        if (best == SIZE_MAX || same > most ||
            (same == most && one->ids->n > lists->list[pool->item[best].ids].ids->n)) {
            best = i;
            most = same;
        }
    }
    return best;
}

/* The list of ids that most embedders have; NULL: none has any. */
static const es_row_ids *pool_ids_commonest(const es_pool *pool, const pool_id_lists *lists) {
    size_t first = commonest(pool, lists, false);
    return first == SIZE_MAX ? NULL : lists->list[pool->item[first].ids].ids;
}

/* Row numbers, as a table is written with them, say who the rows are where the ids of others are
 * such numbers, too; else they are no ids. */
static es_status settle_counted(es_pool *pool, const pool_id_lists *lists, es_error *err) {
    es_row_index *index = NULL;
    size_t first = commonest(pool, lists, true);
    const es_row_ids *named = first < SIZE_MAX ? lists->list[pool->item[first].ids].ids : NULL;
    es_status st = named ? es_row_index_new(named, &index, err) : ES_OK;
    for (size_t i = 0; i < pool->count && st == ES_OK; i++) {
        pool_item *item = &pool->item[i];
        es_row_match match = {0};
        if (!has_ids(item) || !only_counts(lists, item))
            continue;
        const es_row_ids *ids = lists->list[item->ids].ids;
        if (named)
            st = es_row_index_match(index, ids, &match, err);
        if (!named || match.found < (ids->n < named->n ? ids->n : named->n))
            item->ids = SIZE_MAX;
        es_row_match_deinit(&match);
    }
    es_row_index_free(index);
    return st;
}

/* Sets *out if this id is no row of the embedders. */
static es_status is_strange(const es_row_index *index, const char *cell, bool *out, es_error *err) {
    es_row_ids one = {0};
    es_row_match match = {0};
    es_status st = es_row_ids_push(&one, cell, strlen(cell), err);
    if (st == ES_OK)
        st = es_row_ids_make_whole(&one, err);
    if (st == ES_OK)
        st = es_row_index_match(index, &one, &match, err);
    *out = match.strangers > 0;
    es_row_match_deinit(&match);
    es_row_ids_deinit(&one);
    return st;
}

/* A column of rows.csv, without its header: the first line is one if it is called "id", or if it
 * alone is no row of the embedders. */
static es_status read_texts_ids(const es_table *table, size_t column, const es_row_index *index,
                                es_row_ids *out, es_error *err) {
    bool header = strcasecmp(es_table_cell(table, 0, column), "id") == 0;
    es_row_ids ids = {0};
    es_status st =
        header ? ES_OK : is_strange(index, es_table_cell(table, 0, column), &header, err);
    for (size_t r = header; r < table->rows && st == ES_OK; r++) {
        const char *id = es_table_cell(table, r, column);
        st = es_row_ids_push(&ids, id, strlen(id), err);
    }
    if (st == ES_OK)
        st = es_row_ids_make_whole(&ids, err);
    if (st == ES_OK)
        *out = ids;
    else
        es_row_ids_deinit(&ids);
    return st;
}

/* What the columns of rows.csv that may hold ids come to. */
typedef struct texts_ids {
    es_row_ids ids; /* of the one that has the most rows of the embedders, of equals the first */
    size_t column, found;
    bool any;
} texts_ids;

/* Tries a column of rows.csv as ids and keeps it if it matches more rows. */
static es_status try_column(const es_table *table, size_t column, const es_row_index *index,
                            texts_ids *best, es_error *err) {
    es_row_ids ids = {0};
    es_row_match match = {0};
    es_status st = read_texts_ids(table, column, index, &ids, err);
    if (st == ES_OK)
        st = es_row_index_match(index, &ids, &match, err);
    if (st == ES_OK && (!best->any || match.found > best->found)) {
        es_row_ids_deinit(&best->ids);
        *best = (texts_ids){.ids = ids, .column = column, .found = match.found, .any = true};
        ids = (es_row_ids){0};
    }
    es_row_match_deinit(&match);
    es_row_ids_deinit(&ids);
    return st;
}

/* Columns that the header names as ids, the first, and what stands behind an index. */
static es_status try_columns(const es_table *table, const es_row_index *index, texts_ids *best,
                             es_error *err) {
    es_status st = ES_OK;
    const char *first = es_table_cell(table, 0, 0);
    bool numbered = es_column_sort_of(first, strlen(first)) == ES_COLUMN_NUMBERS;
    for (size_t j = 0; j < table->columns && st == ES_OK; j++) {
        const char *header = es_table_cell(table, 0, j);
        if (es_column_sort_of(header, strlen(header)) == ES_COLUMN_IDS)
            st = try_column(table, j, index, best, err);
    }
    for (size_t j = 0; j < table->columns && j < 1u + numbered && st == ES_OK; j++)
        st = try_column(table, j, index, best, err);
    return st;
}

/* Of how many rows of a list the best column of rows.csv has the id. ES_ENOMEM. */
static es_status pool_ids_texts_found(const es_table *table, const es_row_ids *ids, size_t *found,
                                      es_error *err) {
    es_row_index *index = NULL;
    texts_ids best = {0};
    es_status st = es_row_index_new(ids, &index, err);
    if (st == ES_OK)
        st = try_columns(table, index, &best, err);
    *found = best.found;
    es_row_ids_deinit(&best.ids);
    es_row_index_free(index);
    return st;
}

/* Makes the ids of rows.csv the reference if they name at least half of the rows: texts and row
 * numbers in labels follow that order. Faults of the file are reported when it is read. */
static es_status try_texts(joining *j, es_row_ids *out, es_error *err) {
    char *path = NULL;
    es_table table = {0};
    texts_ids best = {0};
    es_row_index *index = NULL;
    size_t length;
    es_status st = j->pool->root ? pool_beside(j->pool->root, "rows.csv", &path, err) : ES_OK;
    j->pool->matches_texts = false;
    if (st == ES_OK && path)
        st = es_table_read(path, 0, &table, err);
    if (st != ES_OK || !path) {
        st = st == ES_ENOMEM ? st : ES_OK;
        goto done;
    }
    ES_TRY(try_columns(&table, j->index, &best, err));
    j->texts = best.found * 2 < j->reference->n;
    j->texts_found = best.found;
    const char *id = best.ids.n > 0 ? es_row_ids_get(&best.ids, 0, &length) : "";
    es_text_clean_into(j->texts_first, sizeof j->texts_first, id, best.ids.n > 0 ? length : 0);
    if (j->texts)
        goto done;
    *out = best.ids;
    best.ids = (es_row_ids){0};
    ES_TRY(es_row_index_new(out, &index, err));
    es_row_index_free(j->index);
    j->index = index;
    j->reference = out;
    j->whose = "rows.csv";
    j->pool->matches_texts = true;
    j->pool->id_column = best.column;
done:
    es_row_ids_deinit(&best.ids);
    es_table_deinit(&table);
    es_free(path);
    return st;
}

/* ---- what does not match ---- */

/* An id between quotes, fit for a message. */
typedef struct shown_id {
    char text[64];
} shown_id;

/* Returns the id of a row, cleaned for a message. */
static shown_id shown_id_of(const es_row_ids *ids, size_t row) {
    shown_id out;
    size_t length;
    const char *id = es_row_ids_get(ids, row, &length);
    es_text_clean_into(out.text, sizeof out.text, id, length);
    return out;
}

/* True if this embedder's ids are the reference, whose faults are reported once. */
static bool has_reference(const joining *j, const pool_item *item) {
    const struct pool_id_list *own = &j->lists->list[item->ids];
    return j->reference == j->lists->reference->ids &&
           es_digest_equal(own->digest, j->lists->reference->digest);
}

/* Rows without an id, which are matched with none. */
static void tell_empty(es_pool *pool, const char *whose, size_t empty, size_t first) {
    if (empty == 1)
        pool_warn(pool, whose, "row %zu has an empty id and is left out", first);
    else if (empty > 1)
        pool_warn(pool, whose, "%zu rows have an empty id and are left out, first row %zu", empty,
                  first);
}

/* Warns of ids that are doubled, missing, or known to no other embedder. */
static void warn_of_ids(joining *j, const pool_item *item, const es_row_match *m) {
    const es_model *model = &item->model;
    const es_row_ids *ids = j->lists->list[item->ids].ids;
    es_pool *pool = j->pool;
    size_t strangers = m->strangers - m->empty;
    if (m->strangers + m->doubled + m->missing == 0 || has_reference(j, item) ||
        j->said++ >= SAID_MOST)
        return;
    if (m->doubled > 0)
        pool_warn(pool, model->file,
                  "the id \"%s\" stands in rows %zu and %zu, and which is meant cannot be "
                  "known: rows whose id stands several times are left out (%zu repeat%s one)",
                  shown_id_of(ids, m->first_doubled).text, m->doubled_with, m->first_doubled,
                  m->doubled, m->doubled == 1 ? "s" : "");
    tell_empty(pool, model->file, m->empty, m->first_empty);
    if (strangers > 0)
        pool_warn(pool, model->file,
                  "%zu of its %zu rows %s not among those of %s, first row %zu (\"%s\")", strangers,
                  ids->n, strangers == 1 ? "is" : "are", j->whose, m->first_stranger,
                  shown_id_of(ids, m->first_stranger).text);
    if (m->missing > 0)
        pool_warn(pool, model->file, "lacks %zu of the %zu rows of %s, first \"%s\"", m->missing,
                  m->n, j->whose, shown_id_of(j->reference, m->first_missing).text);
}

/* Ids that tell too few rows apart match none, not even where all go by them. */
static es_status exclude_stranger(joining *j, pool_item *item, const es_row_match *m,
                                  es_error *err) {
    char reason[512];
    const es_row_ids *ids = j->lists->list[item->ids].ids;
    size_t first = m->first_stranger < ids->n ? m->first_stranger : 0;
    if (has_reference(j, item))
        (void)snprintf(
            reason, sizeof reason,
            "%s: %zu of its %zu ids are empty or stand several times (that of row 0 is "
            "\"%s\"), and do not say which row is which; correct them, or leave them out",
            item->model.file, ids->n - m->found, ids->n, shown_id_of(ids, 0).text);
    else
        (void)snprintf(reason, sizeof reason,
                       "%s: of its %zu rows %s%zu %s among the %zu of %s by their ids (row %zu is "
                       "\"%s\")",
                       item->model.file, ids->n, m->found > 0 ? "only " : "", m->found,
                       m->found == 1 ? "is" : "are", m->n, j->whose, first,
                       shown_id_of(ids, first).text);
    return pool_exclude(j->pool, item, reason, err);
}

static es_status exclude_count(joining *j, pool_item *item, es_error *err) {
    es_buf reason = {0};
    es_buf_printf(&reason, "%s: %zu rows without ids (NAME" ES_ROW_IDS_TEXT "), the pool has %zu",
                  item->model.file, item->model.rows, j->reference->n);
    pool_put_count_finding(&item->model, j->reference->n, &reason);
    es_status st = es_buf_check(&reason, err);
    if (st == ES_OK)
        st = pool_exclude(j->pool, item, reason.data, err);
    es_buf_free(&reason);
    return st;
}

/* ---- matching ---- */

/* In whose order: of an embedder, or of rows.csv. */
static es_status begin(joining *j, es_row_ids *texts, es_error *err) {
    es_status st = ES_OK;
    j->reference = j->lists->reference->ids;
    j->whose = j->lists->whose;
    j->match = es_alloc_zero(j->pool->count, sizeof *j->match);
    if (!j->match)
        return es_no_memory(err);
    ES_TRY(es_row_index_new(j->reference, &j->index, err));
    ES_TRY(try_texts(j, texts, err));
done:
    return st;
}

static void joining_deinit(joining *j, size_t count) {
    for (size_t i = 0; j->match && i < count; i++)
        es_row_match_deinit(&j->match[i]);
    es_free(j->match);
    es_row_index_free(j->index);
}

static es_status match_all(joining *j, es_error *err) {
    for (size_t i = 0; i < j->pool->count; i++) {
        const pool_item *item = &j->pool->item[i];
        if (!has_ids(item))
            continue;
        es_status st =
            es_row_index_match(j->index, j->lists->list[item->ids].ids, &j->match[i], err);
        if (st != ES_OK)
            return st;
        j->best = j->match[i].found > j->best ? j->match[i].found : j->best;
    }
    return ES_OK;
}

/* True if the embedder shares too few ids and is left out. */
static bool is_stranger(const joining *j, size_t i) {
    return j->match[i].found == 0 || j->match[i].found * 2 < j->best;
}

static es_status exclude_others(joining *j, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < j->pool->count && st == ES_OK; i++) {
        pool_item *item = &j->pool->item[i];
        if (item->model.state == ES_MODEL_EXCLUDED)
            continue;
        if (!has_ids(item) && item->model.rows != j->reference->n)
            st = exclude_count(j, item, err);
        else if (has_ids(item) && is_stranger(j, i))
            st = exclude_stranger(j, item, &j->match[i], err);
    }
    return st;
}

/* What is known of a model's rows, and where they are. */
static void place_rows(joining *j, size_t i, bool *shared) {
    pool_item *item = &j->pool->item[i];
    es_row_match *m = &j->match[i];
    es_model *model = &item->model;
    bool same = es_row_match_is_same(m);
    model->order = same ? ES_ORDER_SAME : ES_ORDER_MATCHED;
    model->strangers = m->strangers;
    model->doubled_ids = m->doubled;
    warn_of_ids(j, item, m);
    for (size_t q = 0; q < m->n; q++)
        shared[q] = shared[q] && m->row[q] != ES_ROW_NONE;
    if (same)
        return;
    item->place = m->row;
    m->row = NULL;
}

/* How the rows of one are taken that has no ids, while others are put in order. */
static void assume_order(joining *j, size_t *assumed, const char **first) {
    for (size_t i = 0; i < j->pool->count; i++) {
        es_model *model = &j->pool->item[i].model;
        if (model->state == ES_MODEL_EXCLUDED || has_ids(&j->pool->item[i]))
            continue;
        model->order = ES_ORDER_ASSUMED;
        if ((*assumed)++ == 0)
            *first = model->name;
    }
}

/* The rows of whoever has most. */
static size_t most_rows(const es_pool *pool) {
    size_t most = 0;
    for (size_t i = 0; i < pool->count; i++)
        if (has_ids(&pool->item[i]) && es_model_rows(&pool->item[i].model) > most)
            most = es_model_rows(&pool->item[i].model);
    return most;
}

/* Warns of what matching by ids has changed: order, missing rows, assumed order. */
static void warn_of_matches(joining *j, size_t moved, size_t shared) {
    es_pool *pool = j->pool;
    size_t assumed = 0, first_doubled, first_empty;
    const char *first = NULL;
    assume_order(j, &assumed, &first);
    size_t doubled = j->best > 0 ? es_row_index_doubled(j->index, &first_doubled) : 0;
    size_t empty = j->best > 0 ? es_row_index_empty(j->index, &first_empty) : 0;
    if (doubled > 0)
        pool_warn(pool, j->whose,
                  "the id \"%s\" stands in it twice, and which is meant cannot be known: rows "
                  "whose id stands several times are left out (%zu repeat%s one, first row %zu)",
                  shown_id_of(j->reference, first_doubled).text, doubled, doubled == 1 ? "s" : "",
                  first_doubled);
    if (empty > 0)
        tell_empty(pool, j->whose, empty, first_empty);
    if (j->said > SAID_MOST)
        pool_warn(pool, NULL,
                  "rows of %zu more embedder%s do not all match; `embedscope info` has all",
                  j->said - SAID_MOST, j->said == SAID_MOST + 1 ? "" : "s");
    if (moved > 0) /* values may be of fewer rows */
        pool_report(
            pool, shared < most_rows(pool) ? POOL_ROWS : POOL_NOTED, NULL,
            "rows are matched by their ids, in the order of %s: all have %zu of its %zu, and %zu "
            "embedder%s them in another order or number",
            j->whose, shared, j->reference->n, moved, moved == 1 ? " holds" : "s hold");
    if (j->lists->some && shared != j->lists->all_shared)
        pool_report(
            pool, POOL_ROWS, NULL,
            "these embedders share %zu rows by their ids, all of the pool %zu: results on the "
            "ones are not those on the others, and are stored apart",
            shared, j->lists->all_shared);
    if (j->texts)
        pool_warn(pool, "rows.csv",
                  "it has %zu of the %zu ids of the embedders (its first is \"%s\", theirs "
                  "\"%s\"): its lines, and row numbers in labels.csv and the like, are taken to be "
                  "in the order of %s",
                  j->texts_found, j->reference->n, j->texts_first,
                  shown_id_of(j->reference, 0).text, j->whose);
    if (moved > 0 && assumed > 0)
        pool_warn(pool, NULL, "%s%s %s no ids: %s rows are taken to be in the order of %s", first,
                  assumed > 1 ? " and others" : "", assumed > 1 ? "have" : "has",
                  assumed > 1 ? "their" : "its", j->whose);
}

/* The rows that all have. */
static es_status settle_rows(joining *j, es_error *err) {
    es_pool *pool = j->pool;
    size_t n = j->reference->n, moved = 0, count = 0;
    bool *shared = es_alloc(n, sizeof *shared);
    if (!shared)
        return es_no_memory_for(err, "%zu rows", n);
    memset(shared, true, n);
    for (size_t i = 0; i < pool->count; i++) {
        if (!has_ids(&pool->item[i]))
            continue;
        place_rows(j, i, shared);
        moved += pool->item[i].place != NULL;
    }
    pool->common_rows = n;
    size_t considered = pool_considered_rows(pool), all = 0;
    for (size_t q = 0; q < n; q++) {
        all += shared[q];
        count += q < considered && shared[q];
    }
    warn_of_matches(j, moved, all);
    pool->rows = count;
    if (count == considered)
        es_free(shared);
    else
        pool->in_set = shared;
    return ES_OK;
}

/* Ids decide where embedders with ids are at least as many as those without. */
static bool ids_decide(const es_pool *pool, size_t reference_rows) {
    size_t with = 0, others = 0;
    for (size_t i = 0; i < pool->count; i++) {
        const pool_item *item = &pool->item[i];
        if (item->model.state == ES_MODEL_EXCLUDED)
            continue;
        with += has_ids(item);
        others += !has_ids(item) && item->model.rows != reference_rows;
    }
    return with >= others;
}

/* Rows that all have who are not left out. */
static es_status count_shared(joining *j, size_t *out, es_error *err) {
    size_t n = j->reference->n;
    bool *shared = es_alloc(n, sizeof *shared);
    if (!shared)
        return es_no_memory_for(err, "%zu rows", n);
    memset(shared, true, n);
    for (size_t i = 0; i < j->pool->count; i++)
        for (size_t q = 0; has_ids(&j->pool->item[i]) && !is_stranger(j, i) && q < n; q++)
            shared[q] = shared[q] && j->match[i].row[q] != ES_ROW_NONE;
    *out = 0;
    for (size_t q = 0; q < n; q++)
        *out += shared[q];
    es_free(shared);
    return ES_OK;
}

es_status pool_ids_choose(es_pool *pool, pool_id_lists *lists, bool some, es_error *err) {
    joining j = {.pool = pool, .lists = lists};
    es_row_ids texts = {0};
    es_status st = settle_counted(pool, lists, err);
    size_t first = commonest(pool, lists, false);
    if (st != ES_OK || first == SIZE_MAX)
        return st;
    lists->reference = &lists->list[pool->item[first].ids];
    lists->whose = es_strdup(pool->item[first].model.name);
    if (!lists->whose)
        return es_no_memory(err);
    lists->some = some;
    if (!some)
        return ES_OK;
    ES_TRY(begin(&j, &texts, err));
    ES_TRY(match_all(&j, err));
    ES_TRY(count_shared(&j, &lists->all_shared, err));
done:
    joining_deinit(&j, pool->count);
    es_row_ids_deinit(&texts);
    return st;
}

/* In whose order rows are is kept: what people said of rows may name them by these ids. */
static es_status keep_reference(joining *j, es_row_ids *texts, es_error *err) {
    if (j->reference == texts) {
        j->pool->ids = *texts;
        *texts = (es_row_ids){0};
        return ES_OK;
    }
    return es_row_ids_add_all(&j->pool->ids, j->reference, 0, err);
}

es_status pool_ids_match(es_pool *pool, const pool_id_lists *lists, bool *out, es_error *err) {
    joining j = {.pool = pool, .lists = lists};
    es_row_ids texts = {0};
    es_status st = ES_OK;
    *out = false;
    if (!lists->reference || commonest(pool, lists, false) == SIZE_MAX)
        return ES_OK;
    ES_TRY(begin(&j, &texts, err));
    if (!ids_decide(pool, j.reference->n)) {
        pool->matches_texts = false;
        goto done;
    }
    ES_TRY(match_all(&j, err));
    ES_TRY(exclude_others(&j, err));
    ES_TRY(settle_rows(&j, err));
    ES_TRY(keep_reference(&j, &texts, err));
    *out = true;
done:
    joining_deinit(&j, pool->count);
    es_row_ids_deinit(&texts);
    return st;
}

void pool_ids_digest(const pool_item *item, es_digest *contents) {
    es_hasher hasher;
    if (!item->place)
        return;
    es_hasher_init(&hasher);
    es_hasher_add_text(&hasher, "rows by id");
    es_hasher_add_digest(&hasher, *contents);
    for (size_t q = 0; q < item->pool->common_rows; q++)
        es_hasher_add_u64(&hasher, item->place[q]);
    *contents = es_hasher_result(&hasher);
}

/* ---- without ids ---- */

/* True if two embedders hold the same rows in different order. Single columns, such as 0 and 1, do
 * not count. */
static bool are_shuffled(const pool_item *a, const pool_item *b) {
    return a->model.dim == b->model.dim && a->model.dim > 1 && a->model.kind != ES_KIND_BINARY &&
           b->model.kind != ES_KIND_BINARY && es_digest_equal(a->any_order, b->any_order) &&
           !es_digest_equal(a->in_order, b->in_order);
}

void pool_warn_shuffled(es_pool *pool) {
    for (size_t i = 0; i < pool->count; i++)
        for (size_t k = 0; k < i; k++) {
            const pool_item *a = &pool->item[k], *b = &pool->item[i];
            if (a->model.state != ES_MODEL_READY || b->model.state != ES_MODEL_READY ||
                es_is_control(a->model.family) || es_is_control(b->model.family) ||
                !are_shuffled(a, b))
                continue;
            pool_report(pool, POOL_GRAVE, b->model.file,
                        "holds the rows of %s in another order: one of them is not in the order of "
                        "the pool, and its values mean nothing; give both ids (NAME" ES_ROW_IDS_TEXT
                        ") or sort one",
                        a->model.file);
            break;
        }
}

/* Lists that may be ids although nothing is called so (es_named_list): a first column of whole
 * numbers, an array of texts under any name. Values of embedders do not tell the same rows apart in
 * several files; ids do. */

enum { TOLD_MOST = 12, NAMES = 3 };
enum { REFERENCES_MOST = 32 }; /* lists that all others are compared with */

es_status pool_ids_offer(pool_id_lists *lists, const char *path, es_tensors *from, size_t *out,
                         es_error *err) {
    const pool_maybe_ids one = {es_text_clean(path, strlen(path), 0), from->maybe, from->n_maybe,
                                false};
    *out = lists->n_maybe;
    es_status st = one.file ? es_append(&lists->maybe, &lists->n_maybe, &lists->maybe_room, &one,
                                        sizeof one, err)
                            : es_no_memory(err);
    if (st != ES_OK) {
        es_free(one.file);
        return st;
    }
    from->maybe = NULL;
    from->n_maybe = 0;
    return ES_OK;
}

static void pool_maybe_deinit(pool_maybe_ids *one) {
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
static es_status try_maybe_texts(const es_pool *pool, const pool_id_lists *lists, size_t *scratch,
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
        st = try_maybe_texts(pool, lists, scratch, best, err);
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
        pool_warn(pool, NULL,
                  "read as ids because other files hold the same: %s, and rows are matched by %s",
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
        pool_warn(pool, file->file,
                  "\"%s\" differs in every row, but no other file has the same ids: rows are "
                  "taken in their order; if it holds ids, call it \"ids\"",
                  list->name);
    else
        pool_warn(pool, file->file,
                  "its first column%s%s%s is taken as values, although it holds a different "
                  "whole number in every row; if it says which row is which, save it as csv under "
                  "the heading \"id\"",
                  list->name ? " (\"" : "", list->name ? list->name : "", list->name ? "\")" : "");
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
