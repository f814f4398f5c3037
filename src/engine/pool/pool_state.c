/* What a pool's state says, and the two things that every step may have to do: leave a model out
 * with its reason, and warn. */
#include "engine_pool_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

void pool_warn(es_pool *pool, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)es_words_take(&pool->warnings, es_text_clean(text, strlen(text), 0), NULL);
    es_log_write(pool->log, ES_LOG_WARN, "%s", text);
}

void pool_warned_gravely(es_pool *pool) {
    if (pool->warnings.count > 0)
        (void)es_words_add(&pool->grave, pool->warnings.word[pool->warnings.count - 1], NULL);
}

/* ---- for those who look ---- */

const es_words *es_pool_grave_list(const es_pool *pool) {
    return &pool->grave;
}

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

const es_words *es_pool_warning_list(const es_pool *pool) {
    return pool ? &pool->warnings : NULL;
}

size_t es_pool_warnings(const es_pool *pool) {
    return pool ? pool->warnings.count : 0;
}

const char *es_pool_warning(const es_pool *pool, size_t index) {
    return pool && index < pool->warnings.count ? pool->warnings.word[index] : NULL;
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
