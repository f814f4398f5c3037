/* Which rows are drawn, where they lie, and which group each is of. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report_answer.h"

const char *const es_places_captured = "captured";
const char *const es_places_plain = "none";

void es_row_places_free(es_row_places *p) {
    if (p == NULL)
        return;
    for (size_t k = 0; k < ES_PLACES_MOST; k++)
        es_row_map_free(&p->map[k]);
    es_words_deinit(&p->group);
    es_words_deinit(&p->column);
    es_free(p->by);
    es_free(p->row);
    es_free(p->group_of);
    es_free(p->difference);
    es_free(p);
}

/* ---- which rows ---- */

/* Draws rows by number: of the row set, or with `eval` of the rows evaluated. */
static es_status draw_rows(es_row_places *p, size_t of, const uint32_t *eval,
                           const es_places_asked *asked, es_error *err) {
    uint32_t *from = es_alloc(of + 1, sizeof *from);
    es_status st = ES_OK;
    ES_FAIL_IF(!from, es_no_memory_for(err, "%zu rows", of));
    for (size_t k = 0; k < of; k++)
        if (asked->where == NULL || asked->where[eval ? eval[k] : k])
            from[p->of++] = (uint32_t)k;
    ES_FAIL_IF(p->of == 0, es_fail(err, ES_EEMPTY, "none of these rows was evaluated"));
    p->n = asked->most > 0 && asked->most < p->of ? asked->most : p->of;
    p->row = es_alloc(p->n, sizeof *p->row);
    p->group_of = es_alloc(p->n, sizeof *p->group_of);
    ES_FAIL_IF(!p->row || !p->group_of, es_no_memory_for(err, "%zu rows", p->n));
    ES_TRY(es_sample_rows(p->of, p->n, asked->seed, p->row, err));
    for (size_t i = 0; i < p->n; i++) {
        p->row[i] = from[p->row[i]];
        p->group_of[i] = UINT32_MAX;
    }
done:
    es_free(from);
    return st;
}

/* ---- groups by what is captured ---- */

static es_status name_captured(es_row_places *p, const es_results *r, es_error *err) {
    es_status st = ES_OK;
    for (size_t k = 0; st == ES_OK && k < 3; k++) {
        es_buf text = {0};
        if (k == 2)
            es_buf_puts(&text, "in between");
        else
            es_buf_printf(&text, "%s captures, %s not", r->name[p->model[k]],
                          r->name[p->model[1 - k]]);
        char *name = text.failed ? NULL : es_strdup(text.data);
        es_buf_free(&text);
        st = es_words_take(&p->group, name, err);
    }
    return st;
}

/* difference (n of the sample): the tenth at either end is captured by one alone. */
static es_status group_captured(es_row_places *p, es_error *err) {
    double *sorted = es_alloc(p->n, sizeof *sorted);
    size_t known = 0;
    if (!sorted)
        return es_no_memory_for(err, "%zu rows", p->n);
    for (size_t i = 0; i < p->n; i++)
        if (isfinite(p->difference[i]))
            sorted[known++] = p->difference[i];
    size_t tenth = known / 10;
    double low = tenth > 0 ? es_select(sorted, known, tenth - 1) : -(double)INFINITY;
    double high = tenth > 0 ? es_select(sorted, known, known - tenth) : (double)INFINITY;
    for (size_t i = 0; i < p->n; i++) {
        double d = p->difference[i];
        if (isfinite(d))
            p->group_of[i] = d > 0 && d >= high ? 0 : d < 0 && d <= low ? 1 : 2;
    }
    es_free(sorted);
    return ES_OK;
}

static es_status by_captured(es_row_places *p, es_session *session, size_t entry,
                             const es_places_asked *asked, es_error *err) {
    const es_results *r = es_session_results(session, entry);
    es_comparison *comparison = NULL;
    es_compared_rows *rows = NULL;
    es_row_source source;
    es_status st = ES_OK;
    ES_FAIL_IF(r->pmi == NULL || r->n_eval == 0, es_fail(err, ES_EEMPTY, "no values per row"));
    ES_TRY(es_row_source_init(session, entry, &source, err));
    ES_TRY(es_compared_new(r, &(es_compared_of){.model = p->model, .count = 2}, &comparison, err));
    ES_TRY(es_compared_rows_new(r->pmi, r->n_eval, r->m, comparison, 0, SIZE_MAX, &rows, err));
    ES_TRY(draw_rows(p, r->n_eval, source.eval, asked, err));
    p->evaluated = r->n_eval < es_pool_rows(es_session_pool(session));
    p->errors = es_rank_lower_is_better(r);
    p->difference = es_alloc(p->n, sizeof *p->difference);
    ES_FAIL_IF(!p->difference, es_no_memory(err));
    for (size_t i = 0; i < p->n; i++) {
        uint32_t k = p->row[i];
        p->difference[i] = p->errors ? -rows->difference[k] : rows->difference[k];
        p->row[i] = source.eval ? source.eval[k] : k;
    }
    ES_TRY(group_captured(p, err));
    st = name_captured(p, r, err);
done:
    es_compared_rows_free(rows);
    es_comparison_free(comparison);
    return st;
}

/* ---- groups by a column ---- */

static es_status number_of(es_words *names, const char *name, size_t *out, es_error *err) {
    for (*out = 0; *out < names->count; (*out)++)
        if (strcmp(names->word[*out], name) == 0)
            return ES_OK;
    char *clean = es_text_clean(name, strlen(name), 60);
    return es_words_take(names, clean, err);
}

/* Beyond ES_PLACES_GROUPS groups, those with the fewest rows become one. */
static es_status merge_small(es_row_places *p, es_words *names, es_error *err) {
    size_t groups = names->count, kept = groups <= ES_PLACES_GROUPS ? groups : ES_PLACES_GROUPS - 1;
    uint32_t *order = es_alloc(groups, 3 * sizeof *order), *place = order ? order + groups : NULL;
    double *size = es_alloc_zero(groups, sizeof *size);
    es_status st = ES_OK;
    ES_FAIL_IF(!order || !size, es_no_memory(err));
    for (size_t i = 0; i < p->n; i++)
        if (p->group_of[i] != UINT32_MAX)
            size[p->group_of[i]]--;
    for (size_t g = 0; g < groups; g++)
        order[g] = (uint32_t)g;
    es_sort_index(size, order, order + 2 * groups, groups); /* the largest first */
    for (size_t g = 0; g < groups; g++)
        place[order[g]] = (uint32_t)(g < kept ? g : kept);
    for (size_t g = 0; g < kept; g++)
        ES_TRY(es_words_add(&p->group, names->word[order[g]], err));
    if (kept < groups)
        ES_TRY(es_words_add(&p->group, "others", err));
    for (size_t i = 0; i < p->n; i++)
        if (p->group_of[i] != UINT32_MAX)
            p->group_of[i] = place[p->group_of[i]];
done:
    es_free(order);
    es_free(size);
    return st;
}

/* A column of rows.csv. False in *found: there is none of that name. */
static es_status by_text(es_row_places *p, es_pool *pool, const char *by, bool *found,
                         es_error *err) {
    const es_row_texts *texts = NULL;
    es_words names = {0};
    size_t column = SIZE_MAX, group = 0;
    es_status st = es_pool_texts(pool, &texts, err);
    for (size_t c = 0; st == ES_OK && texts && texts->has_header && c < texts->columns; c++)
        if (es_row_texts_name(texts, c) && strcasecmp(es_row_texts_name(texts, c), by) == 0)
            column = c;
    *found = column != SIZE_MAX;
    for (size_t i = 0; st == ES_OK && *found && i < p->n; i++) {
        const char *cell = es_row_texts_cell(texts, es_pool_file_row(pool, p->row[i]), column);
        if (cell[0] == '\0')
            continue;
        st = number_of(&names, cell, &group, err);
        p->group_of[i] = (uint32_t)group;
    }
    if (st == ES_OK && *found)
        st = merge_small(p, &names, err);
    es_words_deinit(&names);
    return st;
}

/* A column of classes of labels.csv; by NULL: the first. */
static es_status by_label(es_row_places *p, es_pool *pool, const char **by, es_labels *labels,
                          bool *found, es_error *err) {
    const es_label_column *column = NULL;
    es_words names = {0};
    const char *from = NULL;
    size_t group = 0;
    es_status st = es_pool_labels(pool, ES_LABELS_AUTO, labels, &from, err);
    *found = false;
    for (size_t t = 0; st == ES_OK && t < labels->tasks && column == NULL; t++)
        if (*by ? es_text_same(labels->task[t].name, *by) : labels->task[t].classes)
            column = &labels->task[t];
    if (column == NULL)
        return st;
    if (!column->classes)
        return es_fail(err, ES_EINVAL, "%s: the column %s is of numbers, not of classes", from,
                       column->name);
    *found = true;
    *by = column->name;
    for (size_t i = 0; st == ES_OK && i < p->n; i++) {
        double value = column->value[es_pool_file_row(pool, p->row[i])];
        char text[80];
        if (!isfinite(value))
            continue;
        const char *name = column->class_name[(size_t)value];
        bool number = es_text_parse_double(name, strlen(name), &value);
        (void)snprintf(text, sizeof text, "%s%s", number ? "class " : "", name);
        st = number_of(&names, text, &group, err);
        p->group_of[i] = (uint32_t)group;
    }
    if (st == ES_OK)
        st = merge_small(p, &names, err);
    es_words_deinit(&names);
    return st;
}

static es_status group_rows(es_row_places *p, es_pool *pool, const char *by, es_error *err) {
    es_labels labels = {0};
    const char *of = by;
    bool found = false;
    es_status st = ES_OK;
    ES_TRY(by_label(p, pool, &of, &labels, &found, err));
    if (!found) {
        of = by ? by : "set";
        ES_TRY(by_text(p, pool, of, &found, err));
    }
    ES_FAIL_IF(by && !found,
               es_fail(err, ES_ENOTFOUND,
                       "%s: neither labels.csv nor rows.csv has a column %s; captured is what one "
                       "of two embedders captures",
                       es_pool_name(pool), by));
    if (found && (p->by = es_strdup(of)) == NULL)
        st = es_no_memory(err);
done:
    es_labels_deinit(&labels);
    return st;
}

/* ---- what else there is ---- */

/* True if the column has several values in the rows drawn, and fewer than rows. */
static bool has_groups(const es_row_places *p, es_pool *pool, const es_row_texts *texts,
                       size_t column) {
    const char *seen[ES_PLACES_VALUES];
    size_t count = 0;
    for (size_t i = 0; i < p->n; i++) {
        const char *cell = es_row_texts_cell(texts, es_pool_file_row(pool, p->row[i]), column);
        size_t k = 0;
        while (k < count && strcmp(seen[k], cell) != 0)
            k++;
        if (cell[0] == '\0' || k < count)
            continue;
        if (count == ES_PLACES_VALUES)
            return false;
        seen[count++] = cell;
    }
    return count > 1 && count < p->n;
}

static es_status list_columns(es_row_places *p, es_pool *pool, bool captured, es_error *err) {
    const es_row_texts *texts = NULL;
    es_labels labels = {0};
    const char *from = NULL;
    es_status st = ES_OK;
    if (captured)
        ES_TRY(es_words_add(&p->column, es_places_captured, err));
    /* a file that cannot be read offers nothing; asked for by name, it says why */
    (void)es_pool_labels(pool, ES_LABELS_AUTO, &labels, &from, NULL);
    for (size_t t = 0; t < labels.tasks; t++)
        if (labels.task[t].classes)
            ES_TRY(es_words_add(&p->column, labels.task[t].name, err));
    if (es_pool_texts(pool, &texts, NULL) != ES_OK || !texts || !texts->has_header)
        goto done;
    for (size_t c = 0; c < texts->columns; c++)
        if (es_row_texts_name(texts, c) && has_groups(p, pool, texts, c))
            ES_TRY(es_words_add(&p->column, es_row_texts_name(texts, c), err));
done:
    if (st == ES_OK)
        st = es_words_add(&p->column, es_places_plain, err);
    es_labels_deinit(&labels);
    return st;
}

/* ---- places ---- */

typedef struct reading {
    const es_rows *rows;
    const es_row_places *places;
    es_matrix *out;
} reading;

static es_status read_sample(void *context, es_error *err) {
    const reading *r = context;
    return es_matrix_read(r->rows, r->places->row, r->places->n, r->out, err);
}

static void undo_sample(void *context) {
    es_matrix_free(((reading *)context)->out);
}

static es_status place_rows(es_row_places *p, es_pool *pool, const es_results *names, size_t k,
                            es_error *err) {
    size_t index = names->model[p->model[k]];
    es_rows rows = {0};
    es_matrix m = {0};
    reading r = {&rows, p, &m};
    es_status st = es_pool_whole_rows_of(pool, index, &rows, err);
    if (st == ES_OK)
        st = es_pool_read_watched(pool, index, NULL, read_sample, undo_sample, &r, err);
    if (st == ES_OK)
        st = es_row_map_new(&m, &p->map[k], err);
    es_matrix_free(&m);
    return st;
}

es_status es_row_places_new(es_session *session, size_t entry, const size_t *model, size_t count,
                            const es_places_asked *asked, es_row_places **out, es_error *err) {
    const char *by = asked->by;
    es_pool *pool = es_session_pool(session);
    const es_results *names = es_session_results(session, entry == SIZE_MAX ? 0 : entry);
    es_row_places *p = es_alloc_zero(1, sizeof *p);
    bool captured = by ? strcmp(by, es_places_captured) == 0 : count == 2 && entry != SIZE_MAX;
    bool plain = by && strcmp(by, es_places_plain) == 0;
    es_error why = {0};
    es_status st = ES_OK;
    if (p == NULL)
        return es_no_memory(err);
    p->count = count;
    memcpy(p->model, model, count * sizeof *model);
    ES_FAIL_IF(captured && (count != 2 || entry == SIZE_MAX),
               es_fail(err, ES_EEMPTY, "%s",
                       count == 2 ? "captured: no results are stored"
                                  : "captured is of two embedders: name another"));
    if (captured)
        st = by_captured(p, session, entry, asked, &why);
    if (captured && st == ES_OK)
        ES_FAIL_IF((p->by = es_strdup(es_places_captured)) == NULL, es_no_memory(err));
    if (st == ES_EEMPTY && by == NULL) {
        captured = false; /* nobody asked for it */
        st = ES_OK;
    }
    ES_FAIL_IF(st != ES_OK, es_fail(err, st, "%s", why.message));
    if (!captured) {
        ES_TRY(draw_rows(p, es_pool_rows(pool), NULL, asked, err));
        if (!plain)
            ES_TRY(group_rows(p, pool, by, err));
    }
    bool per_row = entry != SIZE_MAX && names->pmi != NULL && names->n_eval > 0;
    ES_TRY(list_columns(p, pool, count == 2 && per_row, err));
    for (size_t k = 0; k < count; k++)
        ES_TRY(place_rows(p, pool, names, k, err));
    *out = p;
    p = NULL;
done:
    es_row_places_free(p);
    return st;
}

/* Values of a column are sorted, so equal ones stand together and are counted. */

const char *es_row_column_kind_name(es_row_column_kind kind) {
    static const char *const names[] = {"empty", "text", "number", "label"};
    return names[kind];
}

static int by_cell_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_count(const void *a, const void *b) {
    const es_row_value *x = a, *y = b;
    int more = (x->count < y->count) - (x->count > y->count);
    return more != 0 ? more : strcmp(x->text, y->text);
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_missing(const char *text) {
    return text[strspn(text, " ")] == '\0' || strcasecmp(text, "nan") == 0;
}

/* Sorted texts become values with counts. */
static void count_values(const char **text, es_row_column *out) {
    for (size_t i = 0; i < out->rows; i++) {
        if (i == 0 || strcmp(text[i], text[i - 1]) != 0)
            out->value[out->distinct++] = (es_row_value){text[i], 0};
        out->value[out->distinct - 1].count++;
    }
    qsort(out->value, out->distinct, sizeof *out->value, by_count);
}

/* Fills least, median and most. False: some value is no number. */
static bool take_numbers(const char *const *text, double *number, es_row_column *out) {
    size_t n = out->rows;
    for (size_t i = 0; i < n; i++)
        if (!es_text_parse_double(text[i], strlen(text[i]), &number[i]))
            return false;
    if (n == 0)
        return false;
    qsort(number, n, sizeof *number, by_number);
    out->least = number[0];
    out->most = number[n - 1];
    out->median = n % 2 == 1 ? number[n / 2] : number[n / 2 - 1] / 2 + number[n / 2] / 2;
    return true;
}

static es_row_column_kind kind_of(const es_row_column *c, bool numbers) {
    bool few = c->distinct <= ES_ROW_COLUMN_FEW && c->distinct < c->rows;
    return c->rows == 0                       ? ES_ROW_COLUMN_EMPTY
           : numbers && !few                  ? ES_ROW_COLUMN_NUMBER
           : few || 2 * c->distinct < c->rows ? ES_ROW_COLUMN_LABEL
                                              : ES_ROW_COLUMN_TEXT;
}

es_status es_row_column_new(const es_table *table, size_t first, size_t column, es_row_column *out,
                            es_error *err) {
    size_t n = table->rows > first ? table->rows - first : 0;
    es_row_column c = {.least = (double)NAN, .median = (double)NAN, .most = (double)NAN};
    const char **text = es_alloc(n + 1, sizeof(char *));
    double *number = es_alloc(n + 1, sizeof *number);
    c.value = es_alloc(n + 1, sizeof *c.value);
    es_status st = text && number && c.value ? ES_OK : es_no_memory(err);
    for (size_t i = 0; i < n && st == ES_OK; i++) {
        const char *cell = es_table_cell(table, first + i, column);
        if (is_missing(cell))
            c.missing++;
        else
            text[c.rows++] = cell;
    }
    if (st == ES_OK) {
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
        qsort(text, c.rows, sizeof *text, by_cell_text);
        count_values(text, &c);
        c.kind = kind_of(&c, take_numbers(text, number, &c));
        *out = c;
    } else
        es_free(c.value);
    es_free(text);
    es_free(number);
    return st;
}

void es_row_column_deinit(es_row_column *column) {
    es_free(column->value);
    *column = (es_row_column){0};
}

void es_row_column_put(const es_row_column *column, size_t most, es_buf *out) {
    enum { SHOWN = 24 };
    size_t shown = column->distinct < most ? column->distinct : most;
    if (column->kind == ES_ROW_COLUMN_NUMBER) {
        es_buf_printf(out, "%.4g to %.4g, median %.4g", column->least, column->most,
                      column->median);
        return;
    }
    for (size_t i = 0; i < shown; i++) {
        const es_row_value *v = &column->value[i];
        char text[SHOWN * 4 + 1];
        size_t used = es_text_clean_into(text, SHOWN + 1, v->text, strlen(v->text));
        es_buf_printf(out, "%s%s%s", i > 0 ? ", " : "", text, used >= SHOWN - 3 ? "…" : "");
        if (column->kind == ES_ROW_COLUMN_LABEL)
            es_buf_printf(out, " %zu", v->count);
    }
    if (shown < column->distinct)
        es_buf_printf(out, " and %zu more", column->distinct - shown);
}

/* The first column of that name counts: labels.csv comes before rows.csv. */

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
