/* What a pool's state says, and how a model is left out with its reason. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_pool_parts.h"

size_t pool_considered_rows(const es_pool *pool) {
    if (pool->of_set)
        return pool->set_end > 0 ? pool->set_end : pool->common_rows;
    bool limited = pool->request.choice == ES_ROWS_FIRST && pool->request.count < pool->common_rows;
    return limited ? pool->request.count : pool->common_rows;
}

const char *pool_below(const es_pool *pool, const char *message) {
    size_t root = pool->root ? strlen(pool->root) : 0;
    bool within = root > 0 && strncmp(message, pool->root, root) == 0 && message[root] == '/';
    return within ? message + root + 1 : message;
}

/* A copy in which the pool is called as the user called it: commands are pasted where he is. */
static char *as_called(const es_pool *pool, const char *text) {
    size_t root = pool->root ? strlen(pool->root) : 0;
    bool called = root > 0 && pool->path && es_path_is_plain(pool->path);
    es_buf out = {0};
    for (const char *at; called && (at = strstr(text, pool->root)) != NULL; text = at + root) {
        es_buf_add(&out, text, (size_t)(at - text));
        es_buf_puts(&out, at[root] == '/' ? pool->path : pool->root);
    }
    es_buf_puts(&out, text);
    char *clean = out.failed ? NULL : es_text_clean(out.data, out.length, 0);
    es_buf_free(&out);
    return clean;
}

es_status pool_exclude(es_pool *pool, pool_item *item, const char *reason, es_error *err) {
    char *copy = as_called(pool, pool_below(pool, reason));
    if (!copy)
        return es_no_memory(err);
    es_free(item->model.reason);
    item->model.reason = copy;
    item->model.state = ES_MODEL_EXCLUDED;
    es_log_write(pool->log, ES_LOG_WARN, "%s is left out: %s", item->model.name, copy);
    return ES_OK;
}

/* ---- for those who look ---- */

const char *es_row_order_name(es_row_order order) {
    static const char *const names[] = {
        [ES_ORDER_SAME] = "same", [ES_ORDER_MATCHED] = "matched", [ES_ORDER_ASSUMED] = "assumed"};
    return names[order];
}

const es_words *es_pool_all_names(const es_pool *pool) {
    return &pool->all_names;
}

size_t es_pool_all_rows(const es_pool *pool) {
    return pool->common_rows;
}

const char *es_pool_path(const es_pool *pool) {
    return pool ? pool->path : NULL;
}

const char *es_pool_name(const es_pool *pool) {
    return pool ? pool->name : NULL;
}

const char *es_pool_modality(const es_pool *pool) {
    return pool->modality;
}

const es_unused *es_pool_unused(const es_pool *pool) {
    return &pool->unused;
}

const es_words *es_pool_derived_left_out(const es_pool *pool) {
    return &pool->derived;
}

const es_words *es_pool_derived_outdated(const es_pool *pool) {
    return &pool->outdated;
}

const char *es_model_label(const es_model *model) {
    return model->label ? model->label : model->name;
}

size_t es_pool_count(const es_pool *pool) {
    return pool ? pool->count : 0;
}

const es_model *es_pool_model(const es_pool *pool, size_t index) {
    return pool && index < pool->count ? &pool->item[index].model : NULL;
}

es_digest es_target_digest(es_digest contents, es_kind kind) {
    char hex[ES_DIGEST_HEX], text[ES_DIGEST_HEX + 8];
    if (kind != ES_KIND_BINARY)
        return contents;
    int length = snprintf(text, sizeof text, "%s binary", es_digest_hex(contents, hex));
    return es_digest_bytes(text, (size_t)length);
}

es_digest es_model_target_digest(const es_model *model) {
    return es_target_digest(model->digest, model->kind);
}

size_t es_pool_find(const es_pool *pool, const char *name) {
    for (size_t i = 0; pool && name && i < pool->count; i++)
        if (es_text_same(pool->item[i].model.name, name))
            return i;
    return SIZE_MAX;
}

size_t es_pool_usable(const es_pool *pool) {
    size_t usable = 0;
    for (size_t i = 0; pool && i < pool->count; i++)
        usable += pool->item[i].model.state != ES_MODEL_EXCLUDED;
    return usable;
}

size_t es_pool_controls(const es_pool *pool) {
    size_t controls = 0;
    for (size_t i = 0; pool && i < pool->count; i++)
        controls += pool->item[i].model.state != ES_MODEL_EXCLUDED &&
                    es_is_control(pool->item[i].model.family);
    return controls;
}

const char *es_pool_count_text(const es_pool *pool, char *out, size_t capacity) {
    size_t derived = 0;
    for (size_t i = 0; pool && i < pool->count; i++)
        derived += pool->item[i].model.state != ES_MODEL_EXCLUDED && pool->item[i].model.derived;
    return es_count_text(es_pool_usable(pool), es_pool_controls(pool), derived, out, capacity);
}

size_t es_pool_rows(const es_pool *pool) {
    return pool ? pool->rows : 0;
}

es_digest es_pool_rowset(const es_pool *pool) {
    return pool->rowset;
}

size_t es_pool_file_row(const es_pool *pool, size_t row) {
    if (!pool || row >= pool->rows)
        return SIZE_MAX;
    return pool->file_row ? pool->file_row[row] : row;
}

/* ---- one model ---- */

const char *es_model_name(const es_model *model) {
    return model ? model->name : NULL;
}

const char *es_model_family(const es_model *model) {
    return model ? model->family : NULL;
}

const char *es_model_series(const es_model *model) {
    return model ? model->series : NULL;
}

double es_model_step(const es_model *model) {
    return model && model->series ? model->step : (double)NAN;
}

es_model_state es_model_state_of(const es_model *model) {
    return model ? model->state : ES_MODEL_UNCHECKED;
}

const char *es_model_exclusion(const es_model *model) {
    return model ? model->reason : NULL;
}

size_t es_model_rows(const es_model *model) {
    return model ? model->rows : 0;
}

size_t es_model_dim(const es_model *model) {
    return model ? model->dim : 0;
}

size_t es_model_dim_used(const es_model *model) {
    return model ? model->dim_used : 0;
}

/* ---- whether all rows are in use ---- */

/* Whether all rows are in use, which is what derived embedders are made of; and where they are not,
 * why, and how the pool is to be opened instead. */

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

/* ---- what a file is to the pool ---- */

/* What a file is to the pool in whose folder it lies, by its name and, where that says too little,
 * its first lines: for those who are about to write one. */

const char *es_pool_file_role(const char *path, const char *below) {
    const es_loader *loader = es_loader_find(path);
    es_map map = {0};
    if (strncmp(below, ".embedscope/", 12) == 0)
        return "holds the pool's results";
    if (pool_is_annotation(es_path_base(below)))
        return "is a file that the pool is read from";
    if (loader == NULL)
        return NULL;
    if (loader->looks == NULL)
        return "is an embedder of the pool by its name";
    if (es_map_open(path, 0, &map, NULL) != ES_OK)
        return NULL;
    bool looks = loader->looks(&map, path);
    es_map_close(&map);
    return looks ? "looks like an embedder of the pool" : NULL;
}
