/* Reads and edits families.csv, and reads other columns about models. */
#include "io.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CREATED_WITH = 0666 };

/* ---- reading ---- */

static size_t find_column(const es_table *t, const char *const *headings) {
    for (const char *const *h = headings; *h; h++)
        for (size_t c = 0; c < t->columns; c++)
            if (strcasecmp(es_table_cell(t, 0, c), *h) == 0)
                return c;
    return SIZE_MAX;
}

static es_status find_columns(const es_table *t, es_model_word word, size_t *model, size_t *family,
                              es_error *err) {
    static const char *const models[] = {"model",  "name",       "embedder", "model_name",
                                         "models", "model name", NULL},
                             *const words[][6] = {
                                 [ES_MODEL_FAMILY] = {"family", "families", "group", NULL},
                                 [ES_MODEL_BASE] = {"base", "base model", "base_model",
                                                    "tuned from", "tuned_from", NULL}};
    *model = find_column(t, models);
    *family = find_column(t, words[word]);
    if (*model != SIZE_MAX && *family != SIZE_MAX)
        return ES_OK;
    return es_fail(err, *model == SIZE_MAX || word == ES_MODEL_FAMILY ? ES_EFORMAT : ES_EEMPTY,
                   "%s: line %zu: no column \"%s\"; the first line must be: model,%s", t->label,
                   t->line[0], *model == SIZE_MAX ? "model" : words[word][0], words[word][0]);
}

/* Without markup. */
static char *clean_cell(const es_table *t, size_t row, size_t column, size_t most) {
    const char *raw = es_table_cell(t, row, column);
    char *name = es_text_clean(raw, strlen(raw), 0), *cut;
    if (!name)
        return NULL;
    (void)es_plain_cell(name);
    cut = es_text_clean(name, strlen(name), most);
    es_free(name);
    return cut;
}

static bool is_dash(const char *text) {
    static const char *const dashes[] = {"-", "--", "\xe2\x80\x93", "\xe2\x80\x94"};
    return es_text_index(dashes, sizeof dashes / sizeof *dashes, text) != SIZE_MAX;
}

static int compare_lines(const void *a, const void *b) {
    const es_family_line *x = a, *y = b;
    int order = strcmp(x->model, y->model);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static es_status refuse_doubles(const es_family_file *f, es_error *err) {
    es_family_line *sorted = es_alloc(f->count + 1, sizeof *sorted); /* names are borrowed */
    es_status st = sorted ? ES_OK : es_no_memory(err);
    if (sorted && f->count > 0)
        memcpy(sorted, f->item, f->count * sizeof *sorted);
    if (sorted && f->count > 1)
        qsort(sorted, f->count, sizeof *sorted, compare_lines);
    for (size_t i = 1; st == ES_OK && i < f->count; i++)
        if (strcmp(sorted[i - 1].model, sorted[i].model) == 0)
            st = es_fail(err, ES_EFORMAT,
                         "%s: line %zu: \"%s\" is there twice, first on line %zu; remove one of "
                         "the two lines",
                         f->label, sorted[i].line, sorted[i].model, sorted[i - 1].line);
    es_free(sorted);
    return st;
}

static es_status take_lines(const es_table *t, es_model_word word, size_t most, es_family_file *f,
                            es_error *err) {
    size_t model = 0, family = 0;
    es_status st = find_columns(t, word, &model, &family, err);
    memcpy(f->label, t->label, sizeof f->label);
    if (st != ES_OK)
        return st;
    f->item = es_alloc_zero(t->rows, sizeof *f->item);
    if (!f->item)
        return es_no_memory(err);
    for (size_t i = 1; i < t->rows; i++) {
        es_family_line *line = &f->item[f->count++];
        *line = (es_family_line){.model = clean_cell(t, i, model, most),
                                 .family = clean_cell(t, i, family, most),
                                 .line = t->line[i]};
        if (!line->model || !line->family)
            return es_no_memory(err);
        if (is_dash(line->family))
            line->family[0] = '\0';
        if (!line->model[0])
            return es_fail(err, ES_EFORMAT,
                           "%s: line %zu: no model is named; each line is: model,%s", t->label,
                           t->line[i], word == ES_MODEL_BASE ? "base" : "family");
    }
    return refuse_doubles(f, err);
}

es_status es_model_words_read(const char *path, es_model_word word, size_t most,
                              es_family_file *out, es_error *err) {
    es_family_file f = {0};
    es_table t = {0};
    es_status st = es_table_read_any(path, 0, NULL, &t, err);
    if (st == ES_OK)
        st = take_lines(&t, word, most, &f, err);
    es_table_deinit(&t);
    if (st == ES_OK)
        *out = f;
    else
        es_family_file_deinit(&f);
    return st;
}

es_status es_family_file_read(const char *path, size_t most, es_family_file *out, es_error *err) {
    return es_model_words_read(path, ES_MODEL_FAMILY, most, out, err);
}

void es_family_file_deinit(es_family_file *file) {
    for (size_t i = 0; i < file->count; i++) {
        es_free(file->item[i].model);
        es_free(file->item[i].family);
    }
    es_free(file->item);
    *file = (es_family_file){0};
}

/* ---- editing ---- */

typedef struct edit {
    size_t most;              /* bytes of a name */
    const char *const *model; /* (n) */
    const bool *blank;
    size_t n;
    const char *family;
    bool *done; /* (n) the model's line is written, or left out */
} edit;

static size_t find_edited(const edit *e, const es_table *t, size_t row, size_t model) {
    char *name = clean_cell(t, row, model, e->most);
    size_t at = 0;
    while (at < e->n && (!name || strcmp(e->model[at], name) != 0))
        at++;
    es_free(name);
    return at;
}

static bool keeps_line(const edit *e, size_t at) {
    return e->family[0] != '\0' || e->blank[at];
}

/* One line of the table; the family of an edited model is the new one. */
static void put_line(const es_table *t, size_t row, size_t family, const char *other, es_buf *out) {
    for (size_t c = 0; c < t->columns; c++) {
        if (c > 0)
            es_buf_putc(out, ',');
        es_csv_put_text(out, other && c == family ? other : es_table_cell(t, row, c));
    }
    es_buf_putc(out, '\n');
}

static void put_table(const es_table *t, size_t model, size_t family, edit *e, es_buf *out) {
    put_line(t, 0, family, NULL, out);
    for (size_t i = 1; i < t->rows; i++) {
        size_t at = find_edited(e, t, i, model);
        if (at < e->n)
            e->done[at] = true;
        if (at == e->n || keeps_line(e, at))
            put_line(t, i, family, at < e->n ? e->family : NULL, out);
    }
}

/* Lines of models that the file does not have yet. */
static void put_rest(size_t columns, size_t model, size_t family, const edit *e, es_buf *out) {
    for (size_t k = 0; k < e->n; k++) {
        if (e->done[k] || !keeps_line(e, k))
            continue;
        for (size_t c = 0; c < columns; c++) {
            if (c > 0)
                es_buf_putc(out, ',');
            es_csv_put_text(out, c == model ? e->model[k] : c == family ? e->family : "");
        }
        es_buf_putc(out, '\n');
    }
}

es_status es_family_file_edit(const char *path, size_t most, const char *const *model,
                              const bool *blank, size_t n, const char *family, es_error *err) {
    edit e = {most, model, blank, n, family, es_alloc_zero(n + 1, sizeof *e.done)};
    es_buf out = {0};
    es_error why = {0};
    es_table t = {0};
    size_t columns = 2, of_model = 0, of_family = 1;
    es_status st = ES_OK;
    ES_FAIL_IF(!e.done, es_no_memory(err));
    st = es_table_read_any(path, 0, NULL, &t, &why);
    if (st == ES_OK) {
        ES_TRY(find_columns(&t, ES_MODEL_FAMILY, &of_model, &of_family, err));
        columns = t.columns;
        put_table(&t, of_model, of_family, &e, &out);
    } else if (st == ES_ENOTFOUND) {
        es_buf_puts(&out, "model,family\n");
    } else {
        st = es_fail(err, st, "%s", why.message);
        goto done;
    }
    put_rest(columns, of_model, of_family, &e, &out);
    ES_TRY(es_buf_check(&out, err));
    st = es_file_replace(path, out.data, out.length, CREATED_WITH, err);
done:
    es_table_deinit(&t);
    es_buf_free(&out);
    es_free(e.done);
    return st;
}
