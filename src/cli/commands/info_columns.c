/* `embedscope info POOL columns`: the columns of rows.csv and labels.csv; with the name of one, its
 * values and how many rows have each. */
#include <math.h>
#include <string.h>

#include "cmd.h"
#include "cli_out.h"
#include "cli_session.h"
#include "report.h"

enum { FILES = 2, FREQUENT = 3 };
static const char *const file_names[FILES] = {"rows.csv", "labels.csv"};

static const es_out_column columns_of[] = {
    {.key = "column", .title = "column", .flags = ES_COLUMN_KEY},
    {.key = "file", .title = "file", .flags = ES_COLUMN_KEY},
    {.key = "kind", .title = "kind"},
    {.key = "rows", .title = "rows", .kind = ES_COLUMN_COUNT},
    {.key = "missing", .title = "missing", .kind = ES_COLUMN_COUNT},
    {.key = "distinct", .title = "distinct", .kind = ES_COLUMN_COUNT},
    {.key = "values", .title = "most frequent values, or range"},
};

static const es_out_column values_of[] = {
    {.key = "value", .title = "value", .flags = ES_COLUMN_KEY},
    {.key = "rows", .title = "rows", .kind = ES_COLUMN_COUNT},
};

typedef struct view {
    es_table table[FILES]; /* without rows: there is no such file */
    size_t first[FILES];   /* row after the header */
    size_t file, column;   /* whose values are listed */
    bool of_one;
    es_row_column facts; /* of that column */
} view;

/* A heading, or "column 3" if the file has none. */
static void put_heading(const view *v, size_t file, size_t column, es_buf *out) {
    const es_table *t = &v->table[file];
    const char *text = v->first[file] > 0 ? es_table_cell(t, 0, column) : "";
    char *clean = es_text_clean(text, strlen(text), 0);
    if (clean != NULL && clean[0] != '\0')
        es_buf_puts(out, clean);
    else
        es_buf_printf(out, "column %zu", column + 1);
    es_free(clean);
}

static es_status put_column(const view *v, size_t file, size_t column, es_table_out *out,
                            es_error *err) {
    es_row_column c = {0};
    es_buf text = {0}, name = {0};
    es_status st = ES_OK;
    ES_TRY(es_row_column_new(&v->table[file], v->first[file], column, &c, err));
    put_heading(v, file, column, &name);
    es_row_column_put(&c, FREQUENT, &text);
    ES_TRY(es_buf_check(&name, err));
    es_table_out_text(out, name.data);
    es_table_out_text(out, file_names[file]);
    es_table_out_text(out, es_row_column_kind_name(c.kind));
    es_table_out_count(out, c.rows);
    es_table_out_count(out, c.missing);
    es_table_out_count(out, c.distinct);
    es_table_out_text(out, text.data);
done:
    es_row_column_deinit(&c);
    es_buf_free(&text);
    es_buf_free(&name);
    return st;
}

/* NULL: out of memory. */
static es_table_out *columns_table(const view *v) {
    es_table_out *out = ES_TABLE_OUT(columns_of);
    for (size_t f = 0; f < FILES; f++)
        for (size_t c = 0; c < v->table[f].columns; c++)
            if (put_column(v, f, c, out, NULL) != ES_OK) {
                es_table_out_free(out);
                return NULL;
            }
    return out;
}

static es_table_out *values_table(const view *v) {
    es_table_out *out = ES_TABLE_OUT(values_of);
    for (size_t i = 0; i < v->facts.distinct; i++) {
        const char *text = v->facts.value[i].text;
        char *clean = es_text_clean(text, strlen(text), 0);
        es_table_out_text(out, clean);
        es_table_out_count(out, v->facts.value[i].count);
        es_free(clean);
    }
    return out;
}

static es_table_out *make_table(const es_document *d) {
    const view *v = d->what;
    return v->of_one ? values_table(v) : columns_table(v);
}

static void put_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    es_buf name = {0};
    es_document_table(json, "columns", columns_table(v));
    if (v->of_one)
        put_heading(v, v->file, v->column, &name);
    es_document_take(json, "column", &name);
    es_json_text(json, "file", v->of_one ? file_names[v->file] : NULL);
    if (v->of_one)
        es_document_table(json, "values", values_table(v));
    else
        es_json_null(json, "values");
}

static void put_words(const es_document *d, es_buf *out) {
    const view *v = d->what;
    es_buf name = {0};
    if (!v->of_one)
        return;
    put_heading(v, v->file, v->column, &name);
    es_buf_printf(out, "%s: %s has %zu distinct values in %zu rows and none in %zu.",
                  file_names[v->file], name.data ? name.data : "", v->facts.distinct, v->facts.rows,
                  v->facts.missing);
    es_buf_free(&name);
}

static void put_caption(const es_document *d, es_buf *out) {
    es_buf_putc(out, '\n');
    if (((const view *)d->what)->of_one && d->cli->sheet == NULL) {
        put_words(d, out);
        es_buf_putc(out, '\n');
    } else if (!((const view *)d->what)->of_one)
        es_buf_printf(out,
                      "label: at most %d distinct values, or values that rows share; missing: "
                      "empty or nan\n",
                      (int)ES_ROW_COLUMN_FEW);
}

static es_status read_files(es_pool *pool, view *v, es_error *err) {
    const es_row_texts *texts = NULL;
    es_status st = ES_OK;
    ES_TRY(es_pool_texts(pool, &texts, err));
    for (size_t f = 0; f < FILES; f++) {
        char *path = NULL;
        ES_TRY(es_pool_beside(pool, file_names[f], &path, err));
        if (path == NULL)
            continue;
        st = es_table_read(path, 0, &v->table[f], err);
        es_free(path);
        ES_TRY(st);
        v->first[f] = f > 0 || texts == NULL || texts->has_header;
    }
    ES_FAIL_IF(v->table[0].columns + v->table[1].columns == 0,
               es_fail(err, ES_EEMPTY, "%s: neither rows.csv nor labels.csv is in the pool",
                       es_pool_name(pool)));
done:
    return st;
}

/* NAME, or FILE:NAME if both files have one. */
static bool is_column(const view *v, size_t file, size_t column, const char *wanted) {
    size_t length = strlen(file_names[file]);
    es_buf name = {0};
    bool prefixed = strncmp(wanted, file_names[file], length) == 0 && wanted[length] == ':';
    put_heading(v, file, column, &name);
    bool same = name.data != NULL && strcmp(name.data, wanted + (prefixed ? length + 1 : 0)) == 0;
    es_buf_free(&name);
    return same;
}

static es_status find_column(view *v, const char *wanted, es_error *err) {
    es_suggestion near = {.word = wanted};
    for (size_t f = 0; f < FILES; f++)
        for (size_t c = 0; c < v->table[f].columns; c++) {
            if (v->first[f] > 0)
                es_suggestion_offer(&near, es_table_cell(&v->table[f], 0, c));
            if (!is_column(v, f, c, wanted))
                continue;
            v->file = f;
            v->column = c;
            v->of_one = true;
            return es_row_column_new(&v->table[f], v->first[f], c, &v->facts, err);
        }
    return near.best ? es_fail(err, ES_ENOTFOUND, "no column is called '%s'; did you mean '%s'?",
                               wanted, near.best)
                     : es_fail(err, ES_ENOTFOUND,
                               "no column is called '%s'; info POOL columns lists them", wanted);
}

es_status es_info_columns(es_cli *cli, es_session *session, es_error *err) {
    static const es_document_parts parts = {.schema = "columns",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .title = "Columns"};
    view v = {0};
    es_status st = ES_OK;
    ES_FAIL_IF(strcmp(cli->arguments[1], "columns") != 0,
               es_fail(err, ES_EINVAL, "info takes POOL and the word columns, not '%s'",
                       cli->arguments[1]));
    ES_TRY(read_files(es_session_pool(session), &v, err));
    if (cli->n_arguments > 2)
        ES_TRY(find_column(&v, cli->arguments[2], err));
    ES_TRY(es_document_write(&parts, (es_document){cli, session, 0, &v, ES_FORMAT_DEFAULT}, err));
done:
    es_row_column_deinit(&v.facts);
    for (size_t f = 0; f < FILES; f++)
        es_table_deinit(&v.table[f]);
    return st;
}
