/* From a place among per-row values to the row of the files, and from there to its text. */
#include "row_source.h"

#include <string.h>

#include "buf.h"
#include "pool.h"
#include "text.h"

es_status es_row_source_init(es_session *session, size_t entry, es_row_source *out, es_error *err) {
    es_row_source source = {.pool = es_session_pool(session)};
    const es_config *config = es_session_config(session, entry);
    const es_split *split = es_session_split(session, entry);
    if (source.pool == NULL || config == NULL)
        return es_fail(err, ES_EEMPTY, "a matrix from a file says nothing about rows");
    bool in_sample = config->estimator->in_sample && config->estimator->in_sample(config->values);
    source.eval = in_sample || split == NULL ? NULL : split->eval;
    es_status st = es_pool_texts(source.pool, &source.texts, err);
    if (st == ES_OK)
        *out = source;
    return st;
}

size_t es_row_number(const es_row_source *source, size_t k) {
    return es_pool_file_row(source->pool, source->eval ? source->eval[k] : k);
}

char *es_row_id(const es_row_source *source, size_t k, size_t max_bytes) {
    if (source->texts == NULL)
        return NULL;
    const char *id = es_row_texts_id(source->texts, es_row_number(source, k));
    return es_text_clean(id, strlen(id), max_bytes);
}

char *es_row_text(const es_row_source *source, size_t k, size_t max_bytes) {
    if (source->texts == NULL || source->texts->columns < 2)
        return NULL;
    size_t row = es_row_number(source, k);
    es_buf joined = {0};
    for (size_t j = 1; j < source->texts->columns; j++)
        es_buf_printf(&joined, "%s%s", j > 1 ? ", " : "", es_row_texts_cell(source->texts, row, j));
    char *out = joined.failed || joined.data == NULL
                    ? NULL
                    : es_text_clean(joined.data, joined.length, max_bytes);
    es_buf_free(&joined);
    return out;
}
