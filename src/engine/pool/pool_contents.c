/* A pool's contents: each model's values are checked by a job, and the rows and columns that all
 * can use are settled once. A file that changes meanwhile is an error, never other values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_pool_parts.h"

/* ---- checking ---- */

/* Squares of smaller deviations vanish, as those above its inverse overflow. */
#define LEAST_SD 1e-150

/* Why contents with these statistics cannot be used; ES_OK when they can. */
static es_status judge(const es_pool *pool, const es_model *m, const es_array_stats *stats,
                       es_error *err) {
    const char *value = isnan(stats->first_value) ? "NaN" : stats->first_value > 0 ? "inf" : "-inf";
    if (stats->bad_rows > 0 && (!pool->drop_rows || stats->bad_rows == stats->rows))
        return es_fail(err, ES_ENONFINITE,
                       "%s: %s at row %zu, column %zu (counted from 0); %zu of %zu rows %s hit%s",
                       m->file, value, stats->first_row, stats->first_column, stats->bad_rows,
                       stats->rows, stats->bad_rows == 1 ? "is" : "are",
                       stats->bad_rows < stats->rows ? "; " ES_POOL_DROP_ADVICE : "");
    if (stats->constant_columns == m->dim)
        return es_fail(err, ES_EEMPTY, "%s: every one of its %zu columns is constant", m->file,
                       m->dim);
    for (size_t j = 0; j < m->dim; j++)
        if (!stats->constant[j] && !(isfinite(stats->mean[j]) && isfinite(stats->sd[j])))
            return es_fail(err, ES_ENONFINITE,
                           "%s: column %zu (counted from 0) holds values too large to standardise",
                           m->file, j);
    for (size_t j = 0; j < m->dim; j++)
        if (!stats->constant[j] && stats->sd[j] < LEAST_SD)
            return es_fail(err, ES_ENONFINITE,
                           "%s: column %zu (counted from 0) varies, but by too little to "
                           "standardise (%.1g); multiply the matrix by a power of 2",
                           m->file, j, stats->sd[j]);
    return ES_OK;
}

/* The rows of a model's file that are rows of the pool's, in the pool's order, and these; *file
 * NULL: the first so many. Both (count), es_free. */
static es_status list_rows(const pool_item *item, uint32_t **file, uint32_t **own, size_t *count,
                           es_error *err) {
    size_t all = pool_considered_rows(item->pool), n = 0;
    *file = *own = NULL;
    *count = all;
    if (!item->place)
        return ES_OK;
    *file = es_alloc(all, sizeof **file);
    *own = es_alloc(all, sizeof **own);
    if (!*file || !*own)
        return es_no_memory_for(err, "%zu rows", all);
    for (size_t q = 0; q < all; q++)
        if (item->place[q] != ES_ROW_NONE) {
            (*file)[n] = item->place[q];
            (*own)[n++] = (uint32_t)q;
        }
    *count = n;
    return ES_OK;
}

/* One pass over the rows of the pool that a model has, and a second where their lengths vary by
 * more than their mean. Its bad rows are listed as the pool's. */
static es_status scan_rows(const pool_item *item, const es_array *array, es_run *run,
                           es_array_stats *out, es_long_row *longest, es_error *err) {
    uint32_t *file = NULL, *own = NULL;
    size_t count = 0, at = 0;
    es_status st = list_rows(item, &file, &own, &count, err);
    if (st == ES_OK)
        st = es_array_scan(array, file, count, run, out, err);
    if (st == ES_OK && out->norm_sd > out->norm_mean)
        st = es_array_find_long(array, file, count, longest, err);
    if (own && longest->times > 0)
        longest->row = own[longest->row];
    for (size_t k = 0; st == ES_OK && file && k < out->bad_rows; k++) { /* in the order looked at */
        while (file[at] != out->bad_row_list[k])
            at++;
        out->bad_row_list[k] = own[at];
    }
    for (size_t k = 0; st == ES_OK && own && k < out->copies; k++)
        out->copy[k] = (es_copy){.row = own[out->copy[k].row], .of = own[out->copy[k].of]};
    es_free(file);
    es_free(own);
    return st;
}

/* Hands the lists over from `stats` to `out`. */
static void take_stats(const es_pool *pool, es_array_stats *stats, es_model_check *out) {
    out->bad_rows = stats->bad_rows;
    out->constant_columns = stats->constant_columns;
    out->norm_mean = stats->norm_mean;
    out->norm_sd = stats->norm_sd;
    out->zero_rows = stats->zero_rows;
    out->any_order = (es_digest){stats->any_order[0], stats->any_order[1]};
    out->in_order = (es_digest){stats->in_order[0], stats->in_order[1]};
    out->constant = stats->constant;
    stats->constant = NULL;
    out->n_copies = stats->copies;
    out->copy = stats->copy;
    stats->copy = NULL;
    if (pool->drop_rows) {
        out->bad_row_list = stats->bad_row_list;
        stats->bad_row_list = NULL;
    }
}

/* Everything that es_pool_check_model goes by, except the contents. False: there is
 * nobody to ask. */
static bool digest_question(const pool_item *item, es_digest *out) {
    const es_pool *pool = item->pool;
    const es_model *m = &item->model;
    es_hasher hasher;
    if (!item->pool->looks || item->memory.data)
        return false;
    es_hasher_init(&hasher);
    es_hasher_add_text(&hasher, m->path);
    es_hasher_add_text(&hasher, m->file);
    es_hasher_add_text(&hasher, m->dtype);
    es_hasher_add_u64(&hasher, item->tensor);
    es_hasher_add_u64(&hasher, item->bits);
    es_hasher_add_u64(&hasher, m->rows);
    es_hasher_add_u64(&hasher, m->dim);
    es_hasher_add_u64(&hasher, pool->drop_rows);
    es_hasher_add_u64(&hasher, pool_considered_rows(pool));
    es_hasher_add_u64(&hasher, pool->common_rows);
    es_hasher_add_u64(&hasher, item->place != NULL);
    if (item->place)
        es_hasher_add(&hasher, item->place, pool->common_rows * sizeof *item->place);
    es_hasher_add_u64(&hasher, pool->sampled);
    if (pool->sampled)
        es_hasher_add(&hasher, pool->drawn, pool->n_drawn * sizeof *pool->drawn);
    *out = es_hasher_result(&hasher);
    return true;
}

/* All values, and what the bytes come to. */
static es_status look_at_contents(const pool_item *item, const es_loaded *loaded, es_run *run,
                                  es_array_stats *stats, es_model_check *out, es_error *err) {
    const es_array *array = pool_array(item, loaded);
    size_t ids = SIZE_MAX;
    es_run_begin(run, NULL, "looking at every value");
    es_status st = pool_verify(item, loaded, run, err);
    if (st == ES_OK)
        st = scan_rows(item, array, run, stats, &out->longest, err);
    if (st == ES_OK && !item->bits)
        st = es_array_looks_packed(array, &out->packed, err);
    if (st == ES_OK)
        st = es_array_find_ids(array, &ids, err);
    out->ids = ids == SIZE_MAX ? 0 : ids == 0 ? 1 : 2;
    if (st == ES_OK && item->pool->sampled)
        st = pool_find_varying(item, array, stats->constant, run, &out->varies, err);
    es_run_begin(run, NULL, "making its digest");
    if (st == ES_OK)
        st = es_array_digest(array, run, &out->digest, err);
    pool_ids_digest(item, &out->digest);
    return st == ES_OK ? pool_check_loaded(item, loaded, err) : st;
}

/* remembered: an earlier look will do. */
static es_status check_model(const es_pool *pool, size_t index, bool remembered, es_run *run,
                             es_model_check *out, es_error *err) {
    const pool_item *item = &pool->item[index];
    es_model_check check = {.status = ES_OK};
    es_array_stats stats = {0};
    es_loaded loaded = {0};
    es_error why = {0};
    es_digest question = {0, 0};
    double start = es_clock_now();
    es_run_begin(run, item->model.file, "reading it");
    es_status st = pool_load(item, run, &loaded, &why);
    size_t rows = pool_considered_rows(pool), dim = item->model.dim;
    bool asked = st == ES_OK && digest_question(item, &question);
    if (asked && remembered &&
        es_looks_find(pool->looks, question, &loaded.map, rows, dim, &check)) {
        es_loaded_close(&loaded);
        *out = check;
        out->question = question;
        out->known = true;
        return ES_OK;
    }
    bool settled = asked && es_looks_settled(&loaded.map);
    if (st == ES_OK)
        st = look_at_contents(item, &loaded, run, &stats, &check, &why);
    bool whole = st == ES_OK;
    if (st == ES_OK) {
        st = judge(pool, &item->model, &stats, &why);
        take_stats(pool, &stats, &check);
    }
    check.status = st;
    check.seconds = es_clock_now() - start;
    if (st != ES_OK)
        snprintf(check.reason, sizeof check.reason, "%s", why.message);
    if (whole && settled && st != ES_ENOMEM)
        es_looks_put(pool->looks, question, &loaded.map, rows, dim, &check);
    check.question = question;
    es_array_stats_deinit(&stats);
    es_loaded_close(&loaded);
    if (st == ES_ENOMEM || st == ES_ECANCELED) {
        es_model_check_deinit(&check);
        return es_fail(err, st, "%s", why.message);
    }
    *out = check;
    return ES_OK;
}

es_status es_pool_check_model(const es_pool *pool, size_t index, es_run *run, es_model_check *out,
                              es_error *err) {
    return check_model(pool, index, true, run, out, err);
}

size_t es_pool_remembered(const es_pool *pool, double *seconds) {
    size_t count = 0;
    *seconds = 0;
    for (size_t i = 0; i < pool->count; i++)
        if (es_pool_is_remembered(pool, i)) {
            count++;
            *seconds += pool->item[i].look_seconds;
        }
    return count;
}

bool es_pool_is_remembered(const es_pool *pool, size_t index) {
    const pool_item *item = &pool->item[index];
    return item->remembered && item->model.state == ES_MODEL_READY;
}

es_status es_pool_look_again(const es_pool *pool, size_t index, es_run *run, bool *same,
                             es_error *err) {
    es_model_check check;
    ES_PASS(check_model(pool, index, false, run, &check, err));
    *same = check.status == ES_OK && es_digest_equal(check.digest, pool->item[index].model.digest);
    es_model_check_deinit(&check);
    return ES_OK;
}

void es_pool_looked_again(es_pool *pool) {
    pool->looked = true;
    es_pool_looks_write(pool);
}

es_status es_pool_apply(es_pool *pool, size_t index, const es_model_check *check, es_error *err) {
    pool_item *item = &pool->item[index];
    es_model *m = &item->model;
    if (m->state == ES_MODEL_EXCLUDED)
        return ES_OK;
    m->digest = check->digest;
    item->question = check->question;
    item->remembered = check->known;
    item->look_seconds = check->seconds;
    pool->looked = pool->looked || !check->known;
    if (check->status != ES_OK)
        return pool_exclude(pool, item, check->reason, err);
    size_t bad = pool->drop_rows ? check->bad_rows : 0;
    uint32_t *rows = es_alloc(bad, sizeof *rows);
    bool *constant = es_alloc(m->dim, sizeof *constant);
    uint32_t *varies = check->varies ? es_alloc(m->dim, sizeof *varies) : NULL;
    es_copy *copies = es_alloc(check->n_copies, sizeof *copies);
    if (!rows || !constant || !copies || (check->varies && !varies)) {
        es_free(rows);
        es_free(copies);
        es_free(constant);
        es_free(varies);
        return es_no_memory(err);
    }
    if (varies)
        memcpy(varies, check->varies, m->dim * sizeof *varies);
    if (bad > 0)
        memcpy(rows, check->bad_row_list, bad * sizeof *rows);
    if (check->n_copies > 0)
        memcpy(copies, check->copy, check->n_copies * sizeof *copies);
    memcpy(constant, check->constant, m->dim * sizeof *constant);
    es_free(item->bad_row);
    es_free(item->constant);
    es_free(item->varies);
    item->varies = varies;
    es_free(item->copy);
    item->copy = copies;
    item->n_copies = check->n_copies;
    item->bad_row = rows;
    item->n_bad_rows = bad;
    item->constant = constant;
    item->any_order = check->any_order;
    item->in_order = check->in_order;
    item->packed = check->packed;
    item->ids_among = check->ids;
    item->longest = check->longest;
    m->dropped_columns = check->constant_columns;
    m->dim_used = m->dim - check->constant_columns;
    m->norm_mean = check->norm_mean;
    m->norm_sd = check->norm_sd;
    m->zero_rows = check->zero_rows;
    m->state = ES_MODEL_READY;
    return ES_OK;
}

/* ---- settling ---- */

/* Rows of the files with a non-finite value in a usable embedder: (considered), es_free; *out NULL:
 * there are none. */
static es_status find_bad_rows(const es_pool *pool, bool **out, es_error *err) {
    size_t hit = 0;
    for (size_t i = 0; i < pool->count; i++)
        if (pool->item[i].model.state == ES_MODEL_READY)
            hit += pool->item[i].n_bad_rows;
    *out = NULL;
    if (hit == 0)
        return ES_OK;
    bool *bad = es_alloc_zero(pool_considered_rows(pool), sizeof *bad);
    if (!bad)
        return es_no_memory(err);
    for (size_t i = 0; i < pool->count; i++)
        for (size_t k = 0; k < pool->item[i].n_bad_rows; k++)
            if (pool->item[i].model.state == ES_MODEL_READY)
                bad[pool->item[i].bad_row[k]] = true;
    *out = bad;
    return ES_OK;
}

/* The rows of the set that are not bad; *out NULL when that is all of them. */
static es_status unite_rows(const es_pool *pool, const bool *bad, uint32_t **out, size_t *count,
                            es_error *err) {
    size_t all = pool_considered_rows(pool), kept = 0;
    *out = NULL;
    *count = all;
    if (!bad && !pool->in_set)
        return ES_OK;
    uint32_t *rows = es_alloc(all, sizeof *rows);
    if (!rows)
        return es_no_memory(err);
    for (size_t r = 0; r < all; r++)
        if (!(bad && bad[r]) && (!pool->in_set || pool->in_set[r]))
            rows[kept++] = (uint32_t)r;
    *out = rows;
    *count = kept;
    return ES_OK;
}

/* Rows to settle on. */
typedef struct chosen_rows {
    uint32_t *row; /* (count) of the files, ascending; NULL: the first `count` */
    size_t count;
    size_t finite; /* of so many that could be taken */
    size_t drawn;  /* the first so many drawn ones, except bad ones; 0: no sample */
    bool with_bad; /* there were rows that cannot be taken */
} chosen_rows;

static es_status choose_rows(es_pool *pool, size_t sample, chosen_rows *out, es_error *err) {
    chosen_rows c = {0};
    bool *bad = NULL;
    es_status st = ES_OK;
    ES_TRY(find_bad_rows(pool, &bad, err));
    c.with_bad = bad != NULL;
    ES_TRY(unite_rows(pool, bad, &c.row, &c.finite, err));
    c.count = c.finite;
    if (pool->sampled && sample < c.finite) {
        es_free(c.row);
        c.row = NULL;
        ES_TRY(pool_take_sample(pool, sample, bad, &c.row, &c.count, &c.drawn, err));
    }
done:
    es_free(bad);
    if (st == ES_OK)
        *out = c;
    else
        es_free(c.row);
    return st;
}

/* With fewer rows more columns may be constant. A column that varies shows it within a few rows, so
 * this ends early nearly always. constant (dim) is updated. */
static es_status recheck_columns(const pool_item *item, const es_array *array, const uint32_t *rows,
                                 size_t count, bool *constant, es_error *err) {
    size_t d = array->d, open = 0;
    double *first = es_alloc(d, sizeof *first), *row = es_alloc(d, sizeof *row);
    bool *varies = es_alloc(d, sizeof *varies);
    es_status st = first && row && varies ? ES_OK : es_no_memory(err);
    if (st == ES_OK) {
        es_array_read(array, &(uint32_t){pool_place(item, rows[0])}, 1, first);
        for (size_t j = 0; j < d; j++) {
            varies[j] = false;
            open += !constant[j];
        }
        for (size_t i = 1; i < count && open > 0; i++) {
            es_array_read(array, &(uint32_t){pool_place(item, rows[i])}, 1, row);
            for (size_t j = 0; j < d; j++)
                if (!constant[j] && !varies[j] && row[j] != first[j]) {
                    varies[j] = true;
                    open--;
                }
        }
        for (size_t j = 0; j < d; j++)
            constant[j] = !varies[j];
    }
    es_free(first);
    es_free(row);
    es_free(varies);
    return st;
}

/* Which columns of a model are in use, given the rows in use. What a sample comes to was seen when
 * the contents were checked. */
static es_status settle_columns(pool_item *item, const chosen_rows *c, uint32_t **out, size_t *used,
                                es_error *err) {
    const es_model *m = &item->model;
    const uint32_t *rows = c->row;
    size_t kept = 0, count = c->count;
    if (c->drawn > 0 && c->drawn <= item->pool->n_looked && !c->with_bad && item->varies) {
        for (size_t j = 0; j < m->dim; j++)
            item->constant[j] = item->varies[j] > c->drawn;
    } else if (rows && item->n_bad_rows + count < pool_considered_rows(item->pool)) {
        es_loaded loaded = {0};
        es_status st = pool_load(item, NULL, &loaded, err);
        if (st == ES_OK)
            st = recheck_columns(item, pool_array(item, &loaded), rows, count, item->constant, err);
        if (st == ES_OK)
            st = pool_check_digest(item, &loaded, NULL, err);
        es_loaded_close(&loaded);
        if (st != ES_OK)
            return st;
    }
    for (size_t j = 0; j < m->dim; j++)
        kept += !item->constant[j];
    *used = kept;
    *out = NULL;
    if (kept == m->dim)
        return ES_OK;
    uint32_t *column = es_alloc(kept, sizeof *column);
    if (!column)
        return es_no_memory(err);
    kept = 0;
    for (size_t j = 0; j < m->dim; j++)
        if (!item->constant[j])
            column[kept++] = (uint32_t)j;
    *out = column;
    return ES_OK;
}

/* Columns of all models. A model that cannot be read any more, or has nothing left that varies, is
 * excluded; the row set stays as it is. */
static es_status settle_models(es_pool *pool, const chosen_rows *rows, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < pool->count && st == ES_OK; i++) {
        pool_item *item = &pool->item[i];
        es_model *m = &item->model;
        es_error why = {0};
        uint32_t *column = NULL;
        size_t used = 0;
        if (m->state != ES_MODEL_READY)
            continue;
        st = settle_columns(item, rows, &column, &used, &why);
        if (st == ES_OK && used == 0)
            st = es_fail(&why, ES_EEMPTY, "%s: every column is constant over the rows in use",
                         m->file);
        if (st == ES_ENOMEM)
            return es_no_memory(err);
        if (st != ES_OK) {
            es_free(column);
            st = pool_exclude(pool, item, why.message, err);
            continue;
        }
        es_free(item->column);
        item->column = column;
        m->dim_used = used;
        m->dropped_columns = m->dim - used;
    }
    return st;
}

/* Finds embedders with equal contents. */
static void find_duplicates(es_pool *pool) {
    for (size_t i = 0; i < pool->count; i++) {
        es_model *m = &pool->item[i].model;
        m->duplicate_of = SIZE_MAX;
        for (size_t j = 0; j < i && m->state == ES_MODEL_READY; j++) {
            const es_model *earlier = &pool->item[j].model;
            if (earlier->state == ES_MODEL_READY && es_digest_equal(earlier->digest, m->digest)) {
                m->duplicate_of = j;
                break;
            }
        }
    }
}

static es_digest digest_rows(const uint32_t *rows, size_t count) {
    es_hasher hasher;
    es_hasher_init(&hasher);
    es_hasher_add_text(&hasher, "rows");
    es_hasher_add_u64(&hasher, count);
    for (size_t i = 0; i < count; i++)
        es_hasher_add_u64(&hasher, rows ? rows[i] : i);
    return es_hasher_result(&hasher);
}

/* A source that is not what it was; NULL: none. */
static const char *changed_source(const es_pool *pool, const derived_source *source, size_t count) {
    for (size_t k = 0; k < count; k++) {
        size_t at = es_pool_find(pool, source[k].name);
        const es_model *m = at == SIZE_MAX ? NULL : es_pool_model(pool, at);
        bool out = m && m->state == ES_MODEL_EXCLUDED && m->derived; /* a source of it changed */
        if (out ||
            (m && m->state == ES_MODEL_READY && !es_digest_equal(m->digest, source[k].digest)))
            return source[k].name;
    }
    return NULL;
}

static const char outdated[] =
    "%s: %.120s has changed since it was derived; run `embedscope derive` again";

/* Of one that is left out: a source that is not what it was; of these some are left out, too. */
static const char *changed_source_of_left(const es_pool *pool, size_t i) {
    const pool_left *left = &pool->left[i];
    const char *changed = changed_source(pool, left->source, left->n_sources);
    for (size_t k = 0; !changed && k < left->n_sources; k++)
        for (size_t j = 0; !changed && j < pool->derived.count; j++)
            if (pool->left[j].changed && strcmp(pool->derived.word[j], left->source[k].name) == 0)
                changed = left->source[k].name;
    return changed;
}

/* Those are not what could be let in. */
static es_status forget_outdated(es_pool *pool, es_error *err) {
    es_error why;
    es_words *names = &pool->derived;
    size_t kept = 0;
    for (size_t i = 0; i < names->count; i++) {
        const char *source = pool->left[i].changed ? NULL : changed_source_of_left(pool, i);
        if (!source)
            continue;
        (void)es_fail(&why, ES_EINVAL, outdated, names->word[i], source);
        if (es_words_add(&pool->outdated, why.message, err) != ES_OK)
            return ES_ENOMEM;
        pool->left[i].changed = true;
        i = SIZE_MAX; /* what was derived from it stands anywhere */
    }
    for (size_t i = 0; i < names->count; i++) {
        if (pool->left[i].changed) {
            derived_sources_free(pool->left[i].source, pool->left[i].n_sources);
            es_free(names->word[i]);
            continue;
        }
        pool->left[kept] = pool->left[i];
        names->word[kept++] = names->word[i];
    }
    for (size_t i = kept; i < names->count; i++)
        names->word[i] = NULL;
    names->count = kept;
    return ES_OK;
}

/* A derived embedder whose source has changed since says something about the old one. */
static es_status exclude_outdated(es_pool *pool, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < pool->count && st == ES_OK; i++) {
        pool_item *item = &pool->item[i];
        const char *source = item->model.state == ES_MODEL_READY
                                 ? changed_source(pool, item->source, item->n_sources)
                                 : NULL;
        char reason[400];
        if (!source)
            continue;
        (void)snprintf(reason, sizeof reason, outdated, item->model.file, source);
        st = pool_exclude(pool, item, reason, err);
        i = SIZE_MAX; /* what was derived from it stands anywhere */
    }
    return st == ES_OK ? forget_outdated(pool, err) : st;
}

/* It stays what it was, but nobody can tell whether its source has changed. */
static void warn_without_source(es_pool *pool) {
    for (size_t i = 0; i < pool->count; i++) {
        const pool_item *item = &pool->item[i];
        for (size_t k = 0; k < item->n_sources; k++) {
            const char *source = item->source[k].name;
            bool here = es_pool_find(pool, source) != SIZE_MAX;
            for (size_t n = 0; n < pool->all_names.count && !here; n++)
                here = strcmp(pool->all_names.word[n], source) == 0;
            if (!here)
                pool_warn(pool, item->model.name, "%.120s, which it was derived from, is not here",
                          source);
        }
    }
}

static es_status check_all_read(const es_pool *pool, es_error *err) {
    for (size_t i = 0; i < pool->count; i++)
        if (pool->item[i].model.state == ES_MODEL_UNCHECKED)
            return es_fail(err, ES_EINVAL, "%s has not been checked yet", pool->item[i].model.name);
    return ES_OK;
}

es_status es_pool_sample(es_pool *pool, size_t step, size_t *rows, es_digest *rowset,
                         es_error *err) {
    chosen_rows c = {0};
    ES_PASS(check_all_read(pool, err));
    ES_PASS(exclude_outdated(pool, err));
    size_t most = pool->available, before = 0, size = ES_ROWS_FIRST_SAMPLE;
    for (; step > 0 && before < most; step--, size *= 2)
        before = size;
    if (before >= most)
        return es_fail(err, ES_ENOTFOUND, "no larger sample");
    ES_PASS(choose_rows(pool, size, &c, err));
    *rowset = digest_rows(c.row, c.count);
    *rows = c.count;
    es_free(c.row);
    return ES_OK;
}

/* How many of the rows in use (NULL: the first `count`) have in every embedder the values of an
 * earlier one. */
static es_status pool_count_copies(const es_pool *pool, const uint32_t *rows, size_t count,
                                   size_t *out, es_error *err);

/* Says so, where they are one in a hundred or more. */
static void warn_copies(es_pool *pool);

static void warn_dropped(es_pool *pool) {
    if (pool->dropped > 0)
        pool_warn(pool, NULL, "%zu of %zu rows hold non-finite values and are dropped everywhere",
                  pool->dropped, pool->available + pool->dropped);
}

/* What is looked for in the contents once the rows are settled; each reports what it finds. */
static void (*const content_checks[])(es_pool *pool) = {
    warn_without_source, pool_warn_shuffled, warn_copies, pool_warn_contents, warn_dropped};

es_status es_pool_settle(es_pool *pool, es_error *err) {
    chosen_rows c = {0};
    size_t copies = 0;
    es_status st = ES_OK;
    if (pool->settled)
        return ES_OK;
    ES_TRY(check_all_read(pool, err));
    ES_TRY(exclude_outdated(pool, err));
    if (es_pool_usable(pool) == 0)
        return es_fail(err, ES_EEMPTY, "%s: no usable embedder; \"embedscope info\" explains why",
                       pool->name);
    ES_TRY(choose_rows(pool, pool->sampled ? pool->request.count : SIZE_MAX, &c, err));
    ES_FAIL_IF(c.count < ES_SPLIT_MIN_ROWS,
               es_fail(err, ES_EEMPTY, "%s: %zu rows are left of %zu, at least %d are needed",
                       pool->name, c.count, pool->common_rows, (int)ES_SPLIT_MIN_ROWS));
    ES_TRY(settle_models(pool, &c, err));
    if (es_pool_usable(pool) == 0) {
        st = es_fail(err, ES_EEMPTY, "%s: no usable embedder; \"embedscope info\" explains why",
                     pool->name);
        goto done;
    }
    ES_TRY(pool_count_copies(pool, c.row, c.count, &copies, err));
    pool->rowset = digest_rows(c.row, c.count);
    find_duplicates(pool);
    pool->file_row = c.row;
    pool->rows = c.count;
    pool->dropped = pool->available - c.finite;
    pool->available = c.finite;
    pool->copied = copies;
    pool->settled = true;
    for (size_t i = 0; i < sizeof content_checks / sizeof *content_checks; i++)
        content_checks[i](pool);
    c.row = NULL;
done:
    es_free(c.row);
    return st;
}

/* ---- copied rows ---- */

/* Rows that stand more than once: the same values in every embedder. With copies on both sides of a
 * split whatever tells rows apart seems to be predicted, noise too. */

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

static es_status pool_count_copies(const es_pool *pool, const uint32_t *rows, size_t count,
                                   size_t *out, es_error *err) {
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

static void warn_copies(es_pool *pool) {
    if ((double)pool->copied < 0.01 * (double)pool->rows)
        return;
    pool_report(
        pool, POOL_GRAVE, NULL,
        "%zu of %zu rows are copies of others in every embedder: estimates evaluated on rows "
        "that were trained on are too high, even of noise; keep one row of each",
        pool->copied, pool->rows);
}
