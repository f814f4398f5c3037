/* Whether all rows are in use, which is what derived embedders are made of; and where they are not,
 * why, and how the pool is to be opened instead. */
#include <string.h>

#include "engine_pool_parts.h"

enum { NAMED_MOST = 3 };

/* Ids that it does not have. */
static bool lacks_rows(const es_pool *pool, size_t index) {
    const pool_item *item = &pool->item[index];
    if (item->model.state == ES_MODEL_EXCLUDED || !item->place)
        return false;
    for (size_t q = 0; q < pool->common_rows; q++)
        if (item->place[q] == ES_ROW_NONE)
            return true;
    return false;
}

/* "a1, a2"; *lacking: one of them has not all rows either. */
static void name_sources(const es_pool *pool, const size_t *source, size_t n, es_buf *out,
                         bool *lacking) {
    *lacking = false;
    for (size_t i = 0; i < n; i++) {
        es_buf_printf(out, "%s%s", i ? "," : "", pool->item[source[i]].model.name);
        *lacking = *lacking || lacks_rows(pool, source[i]);
    }
}

static size_t name_lacking(const es_pool *pool, es_buf *out) {
    size_t count = 0;
    for (size_t i = 0; i < pool->count; i++)
        if (lacks_rows(pool, i))
            es_buf_name(out, &count, NAMED_MOST, pool->item[i].model.name);
    es_buf_names_end(out, count, NAMED_MOST);
    return count;
}

/* What of the way the pool was opened leaves rows out. */
static void put_options(const es_pool *pool, es_buf *out) {
    const es_row_request *rows = &pool->request; /* of a set, the first of it */
    bool part = es_pool_is_sample(pool) ||
                (rows->choice == ES_ROWS_FIRST && rows->count < pool->common_rows);
    const char *const options[] = {part ? "with --rows all" : NULL,
                                   pool->of_set ? "without --set-rows" : NULL,
                                   pool->dropped > 0 ? "without --drop-rows" : NULL};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i])
            es_buf_printf(out, "%s%s", out->length > 0 ? ", " : "", options[i]);
}

static const char need_values[] =
    "what is derived has all rows: put values there, or leave such rows out of all files";

void es_pool_put_reason(const es_model *model, es_buf *out) {
    const char *reason = model->reason ? model->reason : "not checked";
    const char *advice = strstr(reason, "; " ES_POOL_DROP_ADVICE);
    es_buf_add(out, reason, advice ? (size_t)(advice - reason) : strlen(reason));
    if (advice)
        es_buf_printf(out, "; %s", need_values);
}

static es_status check_used(const es_pool *pool, const size_t *source, size_t n, es_error *err) {
    es_buf why = {0};
    es_status st = ES_OK;
    for (size_t i = 0; i < n && st == ES_OK; i++) {
        const es_model *model = &pool->item[source[i]].model;
        if (model->state == ES_MODEL_READY)
            continue;
        es_pool_put_reason(model, &why);
        st = es_buf_check(&why, err);
        if (st == ES_OK)
            st = es_fail(err, ES_EINVAL, "%s is not in use: %s", model->name, why.data);
    }
    es_buf_free(&why);
    return st;
}

/* Of rows that are dropped, those of the sources themselves. */
static es_status check_values(const es_pool *pool, const size_t *source, size_t n, es_error *err) {
    for (size_t i = 0; i < n; i++) {
        const pool_item *item = &pool->item[source[i]];
        if (item->n_bad_rows > 0)
            return es_fail(err, ES_EINVAL, "%s: %zu of its rows %s values that are not finite; %s",
                           item->model.name, item->n_bad_rows,
                           item->n_bad_rows == 1 ? "has" : "have", need_values);
    }
    return ES_OK;
}

es_status es_pool_check_whole(const es_pool *pool, const size_t *source, size_t n, es_error *err) {
    es_buf names = {0}, lacking = {0}, how = {0};
    bool lost = false;
    es_status st = ES_OK;
    ES_TRY(check_used(pool, source, n, err));
    if (pool->rows == pool->common_rows)
        return ES_OK;
    ES_TRY(check_values(pool, source, n, err));
    size_t count = name_lacking(pool, &lacking);
    name_sources(pool, source, n, &names, &lost);
    ES_TRY(es_buf_check(&names, err));
    put_options(pool, &how);
    if (count > 0)
        es_buf_printf(&how, "%swith --models %s", how.length > 0 ? ", " : "", names.data);
    ES_TRY(es_buf_check(&lacking, err));
    ES_TRY(es_buf_check(&how, err));
    const char *lack = count == 1 ? "lacks" : "lack";
    if (lost)
        st = es_fail(err, ES_EINVAL,
                     "only %zu of %zu rows are in use: %s %s rows that others have, and what is "
                     "derived has all",
                     pool->rows, pool->common_rows, lacking.data, lack);
    else if (count > 0)
        st = es_fail(err, ES_EINVAL, "only %zu of %zu rows are in use: %s %s some; derive %s",
                     pool->rows, pool->common_rows, lacking.data, lack, how.data);
    else
        st = es_fail(err, ES_EINVAL, "only %zu of %zu rows are in use: derive %s", pool->rows,
                     pool->common_rows, how.data ? how.data : "of a pool with all its rows");
done:
    es_buf_free(&names);
    es_buf_free(&lacking);
    es_buf_free(&how);
    return st;
}
