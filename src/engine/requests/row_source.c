/* From a place among per-row values to the row of the files, and from there to its text. */
#include "engine_requests.h"

#include <string.h>

es_status es_row_source_init(es_session *session, size_t entry, es_row_source *out, es_error *err) {
    es_row_source source = {.pool = es_session_pool(session)};
    const es_config *config = es_session_config(session, entry);
    const es_split *split = es_session_split(session, entry);
    if (source.pool == NULL || config == NULL)
        return es_fail(err, ES_EEMPTY, "a matrix from a file has no rows");
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

static bool is_break(char c) {
    return c == '\t' || c == '\n' || c == '\r';
}

/* On one line. CR LF is one break. */
static char *in_a_line(const char *text, size_t max_bytes) {
    size_t length = strlen(text), used = 0;
    char *flat = es_alloc(length + 1, 1), *out = NULL;
    for (size_t i = 0; flat && i < length; i++)
        if (text[i] != '\r' || text[i + 1] != '\n')
            flat[used++] = is_break(text[i]) ? ' ' : text[i];
    if (flat)
        out = es_text_clean(flat, used, max_bytes);
    es_free(flat);
    return out;
}

static char *said(const char *text, size_t max_bytes) {
    return max_bytes == ES_ROW_EXACT ? es_strdup(text) : in_a_line(text, max_bytes);
}

char *es_row_id(const es_row_source *source, size_t k, size_t max_bytes) {
    if (source->texts == NULL)
        return NULL;
    return said(es_row_texts_id(source->texts, es_row_number(source, k)), max_bytes);
}

char *es_row_text(const es_row_source *source, size_t k, size_t max_bytes) {
    return es_file_row_text(source->texts, es_row_number(source, k), max_bytes);
}

char *es_file_row_text(const es_row_texts *texts, size_t row, size_t max_bytes) {
    size_t said_before = 0;
    es_buf joined = {0};
    if (texts == NULL || texts->columns < 2 || row >= texts->count)
        return NULL;
    for (size_t j = 0; j < texts->columns; j++)
        if (es_row_texts_is_text(texts, j))
            es_buf_printf(&joined, "%s%s", said_before++ > 0 ? ", " : "",
                          es_row_texts_cell(texts, row, j));
    char *out = joined.failed || joined.data == NULL ? NULL : said(joined.data, max_bytes);
    es_buf_free(&joined);
    return out;
}
