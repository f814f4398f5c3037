/* The first column of that name counts: labels.csv comes before rows.csv. */
#include "report.h"

#include <string.h>

typedef struct wanted {
    const char *name; /* of the column, not terminated */
    size_t length;
    const char *value;
} wanted;

static bool is_named(const wanted *w, const char *file, const char *name) {
    const char *own = w->name;
    size_t length = w->length, prefix = strlen(file);
    if (length > prefix && strncmp(own, file, prefix) == 0 && own[prefix] == ':') {
        own += prefix + 1;
        length -= prefix + 1;
    }
    return name != NULL && strlen(name) == length && strncmp(own, name, length) == 0;
}

static bool is_value(const wanted *w, const char *text) {
    double a, b;
    return strcmp(text, w->value) == 0 ||
           (es_text_parse_double(text, strlen(text), &a) &&
            es_text_parse_double(w->value, strlen(w->value), &b) && a == b);
}

static bool has_label(const wanted *w, const es_label_column *column, size_t row) {
    double number, value = column->value[row];
    if (column->classes)
        return value == value && is_value(w, column->class_name[(size_t)value]);
    return es_text_parse_double(w->value, strlen(w->value), &number) && number == value;
}

/* Marks rows by labels.csv. False in *found: it has no such column. */
static es_status mark_labels(const wanted *w, es_pool *pool, bool *marked, bool *found,
                             es_error *err) {
    es_labels labels = {0};
    const char *from = NULL;
    es_status st = es_pool_labels(pool, ES_LABELS_AUTO, &labels, &from, err);
    for (size_t t = 0; st == ES_OK && t < labels.tasks && !*found; t++) {
        *found = is_named(w, "labels.csv", labels.task[t].name);
        for (size_t i = 0; *found && i < es_pool_rows(pool); i++)
            marked[i] = has_label(w, &labels.task[t], es_pool_file_row(pool, i));
    }
    es_labels_deinit(&labels);
    return st;
}

/* Marks rows by rows.csv; values are compared as they are shown. */
static es_status mark_texts(const wanted *w, es_pool *pool, bool *marked, bool *found,
                            es_error *err) {
    const es_row_texts *texts = NULL;
    es_status st = es_pool_texts(pool, &texts, err);
    if (st != ES_OK || texts == NULL || !texts->has_header)
        return st;
    for (size_t c = 0; st == ES_OK && c < texts->columns && !*found; c++) {
        *found = is_named(w, "rows.csv", es_row_texts_name(texts, c));
        for (size_t i = 0; st == ES_OK && *found && i < es_pool_rows(pool); i++) {
            const char *cell = es_row_texts_cell(texts, es_pool_file_row(pool, i), c);
            char *clean = es_text_clean(cell, strlen(cell), 0);
            st = clean ? ES_OK : es_no_memory(err);
            marked[i] = clean != NULL && is_value(w, clean);
            es_free(clean);
        }
    }
    return st;
}

es_status es_row_where_new(es_pool *pool, const char *text, bool **out, es_error *err) {
    const char *sign = strchr(text, '=');
    size_t rows = es_pool_rows(pool), count = 0;
    bool found = false, *marked = NULL;
    es_status st = ES_OK;
    ES_FAIL_IF(sign == NULL || sign == text,
               es_fail(err, ES_EINVAL, "--where takes COLUMN=VALUE, not '%s'", text));
    wanted w = {text, (size_t)(sign - text), sign + 1};
    marked = es_alloc_zero(rows + 1, sizeof *marked);
    ES_FAIL_IF(marked == NULL, es_no_memory_for(err, "%zu rows", rows));
    ES_TRY(mark_labels(&w, pool, marked, &found, err));
    if (!found)
        ES_TRY(mark_texts(&w, pool, marked, &found, err));
    ES_FAIL_IF(!found, es_fail(err, ES_ENOTFOUND,
                               "%s: neither labels.csv nor rows.csv has a column %.*s of labels; "
                               "embedscope info POOL columns lists them",
                               es_pool_name(pool), (int)w.length, text));
    for (size_t i = 0; i < rows; i++)
        count += marked[i];
    ES_FAIL_IF(count == 0, es_fail(err, ES_EEMPTY, "%s: no row has %s", es_pool_name(pool), text));
    *out = marked;
    marked = NULL;
done:
    es_free(marked);
    return st;
}
