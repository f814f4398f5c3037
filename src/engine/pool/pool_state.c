/* What a pool's state says, and the two things that every step may have to do: leave a model out
 * with its reason, and warn. */
#include "pool_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "text.h"

size_t pool_considered_rows(const es_pool *pool) {
    bool limited = pool->row_limit > 0 && pool->row_limit < pool->common_rows;
    return limited ? pool->row_limit : pool->common_rows;
}

es_status pool_exclude(es_pool *pool, pool_item *item, const char *reason, es_error *err) {
    size_t root = strlen(pool->root);
    if (strncmp(reason, pool->root, root) == 0 && reason[root] == '/')
        reason += root + 1;
    char *copy = es_text_clean(reason, strlen(reason), 0);
    if (!copy)
        return es_no_memory(err);
    es_free(item->model.reason);
    item->model.reason = copy;
    item->model.state = ES_MODEL_EXCLUDED;
    es_log_write(pool->log, ES_LOG_WARN, "%s is left out: %s", item->model.name, copy);
    return ES_OK;
}

void pool_warn(es_pool *pool, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char **more = es_realloc(pool->warning, pool->warnings + 1, sizeof *more);
    if (more)
        pool->warning = more;
    char *copy = more ? es_text_clean(text, strlen(text), 0) : NULL;
    if (copy)
        pool->warning[pool->warnings++] = copy;
    es_log_write(pool->log, ES_LOG_WARN, "%s", text);
}

/* ---- for those who look ---- */

const char *es_pool_path(const es_pool *pool) {
    return pool->path;
}

const char *es_pool_name(const es_pool *pool) {
    return pool->name;
}

const char *es_pool_modality(const es_pool *pool) {
    return pool->modality;
}

size_t es_pool_count(const es_pool *pool) {
    return pool->count;
}

const es_model *es_pool_model(const es_pool *pool, size_t index) {
    return &pool->item[index].model;
}

es_digest es_model_target_digest(const es_model *model) {
    char hex[ES_DIGEST_HEX], text[ES_DIGEST_HEX + 8];
    if (model->kind != ES_KIND_BINARY)
        return model->digest;
    int length = snprintf(text, sizeof text, "%s binary", es_digest_hex(model->digest, hex));
    return es_digest_bytes(text, (size_t)length);
}

size_t es_pool_find(const es_pool *pool, const char *name) {
    for (size_t i = 0; i < pool->count; i++)
        if (strcmp(pool->item[i].model.name, name) == 0)
            return i;
    return SIZE_MAX;
}

size_t es_pool_usable(const es_pool *pool) {
    size_t usable = 0;
    for (size_t i = 0; i < pool->count; i++)
        usable += pool->item[i].model.state != ES_MODEL_EXCLUDED;
    return usable;
}

size_t es_pool_warnings(const es_pool *pool) {
    return pool->warnings;
}

const char *es_pool_warning(const es_pool *pool, size_t index) {
    return pool->warning[index];
}

size_t es_pool_rows(const es_pool *pool) {
    return pool->rows;
}

es_digest es_pool_rowset(const es_pool *pool) {
    return pool->rowset;
}

size_t es_pool_file_row(const es_pool *pool, size_t row) {
    return pool->file_row ? pool->file_row[row] : row;
}
