/* Reads labels, pairs, graded pairs and judgements of rows, each a small table of its own, with
 * errors that name the line. */
#include "labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "cells.h"
#include "table.h"
#include "text.h"

/* ---- what the three files share ---- */

enum { CELL_SHOWN = 40 };
static const size_t MOST_LABELS = (size_t)1 << 28; /* 2 GB */

/* Read a table and check its shape; *columns are from `least` to `most`. */
static es_status read_table(const char *path, unsigned flags, size_t least, size_t most,
                            const char *expected, es_table *out, es_error *err) {
    es_table t = {0};
    es_status st = es_table_read_any(path, flags, NULL, &t, err);
    if (st != ES_OK)
        return st;
    double number = 0;
    const char *first = es_table_cell(&t, 0, 0);
    if (t.columns < least || t.columns > most)
        st = es_fail(err, ES_EFORMAT, "%s: line %zu: %zu column%s; expected a header %s", t.label,
                     t.line[0], t.columns, t.columns == 1 ? "" : "s", expected);
    else if (es_text_parse_double(first, strlen(first), &number))
        st = es_fail(err, ES_EFORMAT,
                     "%s: line %zu: begins with a number; put a header above it: %s", t.label,
                     t.line[0], expected);
    else if (t.rows < 2)
        st = es_fail(err, ES_EFORMAT,
                     "%s: holds a header and nothing below it; fill it or delete it", t.label);
    if (st != ES_OK)
        es_table_deinit(&t);
    else
        *out = t;
    return st;
}

/* A cell as a row number below n. */
static es_status read_row(const es_table *t, size_t row, size_t column, size_t n, uint32_t *out,
                          es_error *err) {
    char shown[CELL_SHOWN];
    const char *text = es_table_cell(t, row, column);
    size_t digits = strspn(text, "0123456789");
    es_text_clean_into(shown, sizeof shown, text, strlen(text));
    if (digits == 0 || text[digits] != '\0')
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu, column %zu: '%s' is no row number; rows are counted from 0",
                       t->label, t->line[row], column + 1, shown);
    unsigned long long value = digits > 12 ? n : strtoull(text, NULL, 10);
    if (value >= n)
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu, column %zu: row %s, but rows go from 0 to %zu: correct or "
                       "remove the line",
                       t->label, t->line[row], column + 1, shown, n - 1);
    *out = (uint32_t)value;
    return ES_OK;
}

static es_status out_of_memory(const es_table *t, es_error *err) {
    return es_fail(err, ES_ENOMEM, "%s: out of memory", t->label);
}

/* A finite number, or NaN for an empty cell. */
static es_status read_number(const es_table *t, size_t row, size_t column, double *out,
                             es_error *err) {
    es_status st = es_table_number(t, row, column, out, err);
    if (st == ES_OK && isinf(*out))
        st = es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: an infinity; correct the cell",
                     t->label, t->line[row], column + 1);
    return st;
}

/* ---- labels.csv ---- */

void es_labels_deinit(es_labels *labels) {
    for (size_t k = 0; labels->task && k < labels->tasks; k++) {
        es_label_column *task = &labels->task[k];
        for (size_t c = 0; task->class_name && c < task->n_classes; c++)
            es_free(task->class_name[c]);
        es_free(task->class_name);
        es_free(task->name);
        es_free(task->value);
    }
    es_free(labels->task);
    *labels = (es_labels){0};
}

/* at (rows of the table): which row of the pool each line is about. */
static es_status read_label_rows(const es_table *t, size_t n, uint32_t *at, es_error *err) {
    size_t *line = es_alloc_zero(n, sizeof *line);
    es_status st = ES_OK;
    if (!line)
        return out_of_memory(t, err);
    for (size_t i = 1; i < t->rows && st == ES_OK; i++) {
        st = read_row(t, i, 0, n, &at[i], err);
        if (st == ES_OK && line[at[i]] > 0)
            st = es_fail(err, ES_EFORMAT,
                         "%s: line %zu: row %lu has its labels on line %zu already; "
                         "keep one of them",
                         t->label, t->line[i], (unsigned long)at[i], line[at[i]]);
        if (st == ES_OK)
            line[at[i]] = t->line[i];
    }
    es_free(line);
    return st;
}

/* Numbers when all cells are, and one of them is not whole. */
static bool are_numbers(const es_table *t, size_t column) {
    bool broken = false;
    for (size_t i = 1; i < t->rows; i++) {
        double v = 0;
        const char *text = es_table_cell(t, i, column);
        if (*text && !es_cells_number(t->delimiter, text, strlen(text), &v))
            return false;
        broken = broken || (*text && isfinite(v) && v != floor(v));
    }
    return broken;
}

static int compare_texts(const void *a, const void *b) {
    return es_text_natural_cmp(*(const char *const *)a, *(const char *const *)b);
}

/* Classes get the numbers of their names in natural order. */
static es_status read_classes(const es_table *t, size_t column, const uint32_t *at,
                              es_label_column *out, es_error *err) {
    const char **names = es_alloc(t->rows, sizeof *names);
    size_t count = 0, kinds = 0;
    if (!names)
        return out_of_memory(t, err);
    for (size_t i = 1; i < t->rows; i++)
        if (*es_table_cell(t, i, column))
            names[count++] = es_table_cell(t, i, column);
    if (count > 1)
        qsort(names, count, sizeof *names, compare_texts);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && strcmp(names[to], names[from]) == 0; to++)
            ;
        out->singletons += to - from == 1;
        names[kinds++] = names[from];
    }
    for (size_t i = 1; i < t->rows; i++) {
        const char *text = es_table_cell(t, i, column);
        if (!*text)
            continue;
        const char **found = bsearch(&text, names, kinds, sizeof *names, compare_texts);
        out->value[at[i]] = (double)(found - names);
        out->labelled++;
    }
    out->classes = true;
    out->n_classes = kinds;
    out->class_name = es_alloc_zero(kinds + 1, sizeof *out->class_name);
    bool whole = out->class_name != NULL;
    for (size_t k = 0; k < kinds && whole; k++)
        whole = (out->class_name[k] = es_text_clean(names[k], strlen(names[k]), 60)) != NULL;
    es_free(names);
    return whole ? ES_OK : out_of_memory(t, err);
}

static es_status read_numbers(const es_table *t, size_t column, const uint32_t *at,
                              es_label_column *out, es_error *err) {
    for (size_t i = 1; i < t->rows; i++) {
        es_status st = read_number(t, i, column, &out->value[at[i]], err);
        if (st != ES_OK)
            return st;
        out->labelled += isnan(out->value[at[i]]) ? 0 : 1;
    }
    return ES_OK;
}

static es_status read_column(const es_table *t, size_t column, size_t n, es_label_kind kind,
                             const uint32_t *at, es_label_column *out, es_error *err) {
    const char *name = es_table_cell(t, 0, column);
    if (!*name)
        return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: the name is empty", t->label,
                       t->line[0], column + 1);
    out->name = es_text_clean(name, strlen(name), 0);
    out->value = es_alloc(n, sizeof *out->value);
    if (!out->name || !out->value)
        return out_of_memory(t, err);
    for (size_t i = 0; i < n; i++)
        out->value[i] = NAN;
    bool numbers = kind == ES_LABELS_NUMBERS || (kind == ES_LABELS_AUTO && are_numbers(t, column));
    return numbers ? read_numbers(t, column, at, out, err) : read_classes(t, column, at, out, err);
}

es_status es_labels_read(const char *path, unsigned flags, size_t n, es_label_kind kind,
                         es_labels *out, es_error *err) {
    es_table t = {0};
    es_labels l = {.n = n};
    uint32_t *at = NULL;
    es_status st = ES_OK;
    ES_TRY(read_table(path, flags, 2, SIZE_MAX, "row,label", &t, err));
    l.tasks = t.columns - 1;
    if (l.tasks > MOST_LABELS / (n ? n : 1)) { /* a short file must not ask for all memory */
        st = es_fail(err, ES_EFORMAT, "%s: %zu columns for %zu rows are too many: keep %zu of them",
                     t.label, l.tasks, n, MOST_LABELS / (n ? n : 1));
        l.tasks = 0;
        goto done;
    }
    l.task = es_alloc_zero(l.tasks, sizeof *l.task);
    at = es_alloc(t.rows, sizeof *at);
    if (!l.task || !at) {
        st = out_of_memory(&t, err);
        goto done;
    }
    ES_TRY(read_label_rows(&t, n, at, err));
    for (size_t k = 0; k < l.tasks; k++) {
        ES_TRY(read_column(&t, k + 1, n, kind, at, &l.task[k], err));
        for (size_t j = 0; j < k; j++)
            ES_FAIL_IF(strcmp(l.task[j].name, l.task[k].name) == 0,
                       es_fail(err, ES_EFORMAT, "%s: columns %zu and %zu are both called '%.80s'",
                               t.label, j + 2, k + 2, l.task[k].name));
    }
    *out = l;
    l = (es_labels){0};
done:
    es_labels_deinit(&l);
    es_table_deinit(&t);
    es_free(at);
    return st;
}

/* ---- pairs.csv ---- */

void es_pair_list_deinit(es_pair_list *list) {
    for (size_t i = 0; i < list->sets; i++)
        es_free(list->set_name[i]);
    es_free(list->set_name);
    es_free(list->set);
    es_free(list->pair);
    es_free(list->line);
    *list = (es_pair_list){0};
}

enum { MOST_SETS = 64 };

/* The number of a set by its name, a new one if need be. */
static es_status read_set(const es_table *t, size_t line, size_t column, es_pair_list *p,
                          uint32_t *out, es_error *err) {
    const char *cell = es_table_cell(t, line, column);
    char *name = es_text_clean(cell, strlen(cell), 0);
    if (!name)
        return out_of_memory(t, err);
    for (size_t i = 0; i < p->sets; i++)
        if (strcmp(p->set_name[i], name) == 0) {
            *out = (uint32_t)i;
            es_free(name);
            return ES_OK;
        }
    if (!*name || p->sets == MOST_SETS) {
        bool empty = !*name;
        es_free(name);
        return es_fail(err, ES_EFORMAT,
                       empty ? "%s: line %zu: no set, but there is a column of sets; fill the cell"
                             : "%s: line %zu: more than 64 sets of pairs",
                       t->label, t->line[line]);
    }
    *out = (uint32_t)p->sets;
    p->set_name[p->sets++] = name;
    return ES_OK;
}

/* Which columns hold scores and sets; SIZE_MAX: none. */
static es_status find_pair_columns(const es_table *t, size_t *score, size_t *set, es_error *err) {
    *score = *set = SIZE_MAX;
    for (size_t c = 2; c < t->columns; c++) {
        size_t *to = strcmp(es_table_cell(t, 0, c), "set") == 0 ? set : score;
        if (*to != SIZE_MAX)
            return es_fail(err, ES_EFORMAT,
                           "%s: line %zu: columns are row,row[,score][,set]; found '%.80s'",
                           t->label, t->line[0], es_table_cell(t, 0, c));
        *to = c;
    }
    return ES_OK;
}

es_status es_pair_list_read(const char *path, unsigned flags, size_t n, es_pair_list *out,
                            es_error *err) {
    es_table t = {0};
    es_pair_list p = {0};
    es_status st = ES_OK;
    size_t score, set;
    ES_TRY(read_table(path, flags, 2, 4, "row,row[,score][,set]", &t, err));
    ES_TRY(find_pair_columns(&t, &score, &set, err));
    p.pair = es_alloc(t.rows, sizeof *p.pair);
    p.line = es_alloc(t.rows, sizeof *p.line);
    p.set = set == SIZE_MAX ? NULL : es_alloc(t.rows, sizeof *p.set);
    p.set_name = set == SIZE_MAX ? NULL : es_alloc(MOST_SETS, sizeof *p.set_name);
    if (!p.pair || !p.line || (set != SIZE_MAX && (!p.set || !p.set_name))) {
        st = out_of_memory(&t, err);
        goto done;
    }
    for (size_t i = 1; i < t.rows; i++, p.count++) {
        es_graded_pair *pair = &p.pair[p.count];
        pair->score = NAN;
        p.line[p.count] = t.line[i];
        ES_TRY(read_row(&t, i, 0, n, &pair->a, err));
        ES_TRY(read_row(&t, i, 1, n, &pair->b, err));
        if (score != SIZE_MAX)
            ES_TRY(read_number(&t, i, score, &pair->score, err));
        if (set != SIZE_MAX)
            ES_TRY(read_set(&t, i, set, &p, &p.set[p.count], err));
        p.scored += isnan(pair->score) ? 0 : 1;
    }
    *out = p;
    p = (es_pair_list){0};
done:
    es_pair_list_deinit(&p);
    es_table_deinit(&t);
    return st;
}

/* ---- background.csv ---- */

void es_row_list_deinit(es_row_list *list) {
    es_free(list->row);
    *list = (es_row_list){0};
}

es_status es_row_list_read(const char *path, unsigned flags, size_t n, es_row_list *out,
                           es_error *err) {
    es_table t = {0};
    es_row_list r = {0};
    bool *there = NULL;
    es_status st = ES_OK;
    ES_TRY(read_table(path, flags, 1, 1, "row", &t, err));
    r.row = es_alloc(n + 1, sizeof *r.row);
    there = es_alloc_zero(n + 1, sizeof *there);
    if (!r.row || !there) {
        st = out_of_memory(&t, err);
        goto done;
    }
    for (size_t i = 1; i < t.rows; i++) {
        uint32_t row;
        ES_TRY(read_row(&t, i, 0, n, &row, err));
        there[row] = true;
    }
    for (size_t i = 0; i < n; i++)
        if (there[i])
            r.row[r.count++] = (uint32_t)i;
    *out = r;
    r = (es_row_list){0};
done:
    es_row_list_deinit(&r);
    es_free(there);
    es_table_deinit(&t);
    return st;
}

/* ---- qrels.csv ---- */

void es_judgement_list_deinit(es_judgement_list *list) {
    es_free(list->judgement);
    es_free(list->frequency);
    *list = (es_judgement_list){0};
}

/* A judgement and where it stands. */
typedef struct placed {
    es_judgement judgement;
    double frequency;
    size_t line;
} placed;

static int by_query(const void *x, const void *y) {
    const placed *a = x, *b = y;
    int order =
        (a->judgement.query > b->judgement.query) - (a->judgement.query < b->judgement.query);
    if (order == 0)
        order = (a->judgement.doc > b->judgement.doc) - (a->judgement.doc < b->judgement.doc);
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

static es_status read_judgement(const es_table *t, size_t row, size_t n, bool own_queries,
                                placed *out, es_error *err) {
    es_judgement *j = &out->judgement;
    es_status st = ES_OK;
    out->line = t->line[row];
    out->frequency = 1;
    ES_TRY(read_row(t, row, 0, own_queries ? UINT32_MAX : n, &j->query, err));
    ES_TRY(read_row(t, row, 1, n, &j->doc, err));
    ES_TRY(read_number(t, row, 2, &j->relevance, err));
    ES_FAIL_IF(!(j->relevance >= 0),
               es_fail(err, ES_EFORMAT,
                       "%s: line %zu: relevance must be a number of 0 (does not answer) or more",
                       t->label, out->line));
    if (t->columns < 4)
        goto done;
    ES_TRY(read_number(t, row, 3, &out->frequency, err));
    if (!(out->frequency > 0))
        st = es_fail(err, ES_EFORMAT, "%s: line %zu: a query's frequency must be above 0", t->label,
                     out->line);
done:
    return st;
}

/* Sorted judgements may not contradict each other. */
static es_status check_judgements(const es_table *t, const placed *all, size_t count,
                                  es_error *err) {
    size_t first = SIZE_MAX, more = 0;
    for (size_t i = 1; i < count; i++) {
        const placed *a = &all[i - 1], *b = &all[i];
        if (a->judgement.query != b->judgement.query)
            continue;
        if (a->frequency < b->frequency || a->frequency > b->frequency)
            return es_fail(
                err, ES_EFORMAT,
                "%s: line %zu: query %lu has another frequency than on line %zu; a query "
                "has one",
                t->label, b->line, (unsigned long)b->judgement.query, a->line);
        if (a->judgement.doc != b->judgement.doc ||
            (a->judgement.relevance > 0) == (b->judgement.relevance > 0))
            continue;
        more += first != SIZE_MAX;
        first = first == SIZE_MAX ? i : first;
    }
    if (first == SIZE_MAX)
        return ES_OK;
    return es_fail(err, ES_EFORMAT,
                   "%s: line %zu: document %lu answers query %lu here or on line %zu, and does not "
                   "on the other; keep one (%zu more like it)",
                   t->label, all[first].line, (unsigned long)all[first].judgement.doc,
                   (unsigned long)all[first].judgement.query, all[first - 1].line, more);
}

es_status es_judgement_list_read(const char *path, unsigned flags, size_t n, bool own_queries,
                                 es_judgement_list *out, es_error *err) {
    es_table t = {0};
    es_judgement_list list = {0};
    placed *all = NULL;
    es_status st = ES_OK;
    ES_TRY(read_table(path, flags, 3, 4, "query,doc,rel[,freq]", &t, err));
    size_t count = t.rows - 1;
    all = es_alloc(count, sizeof *all);
    list.judgement = es_alloc(count, sizeof *list.judgement);
    list.frequency = t.columns == 4 ? es_alloc(count, sizeof *list.frequency) : NULL;
    if (!all || !list.judgement || (t.columns == 4 && !list.frequency)) {
        st = out_of_memory(&t, err);
        goto done;
    }
    for (size_t i = 0; i < count; i++)
        ES_TRY(read_judgement(&t, i + 1, n, own_queries, &all[i], err));
    qsort(all, count, sizeof *all, by_query);
    ES_TRY(check_judgements(&t, all, count, err));
    for (size_t i = 0; i < count; i++) {
        if (!own_queries && all[i].judgement.query == all[i].judgement.doc) {
            list.self++;
            continue;
        }
        if (list.frequency)
            list.frequency[list.count] = all[i].frequency;
        list.judgement[list.count++] = all[i].judgement;
    }
    *out = list;
    list = (es_judgement_list){0};
done:
    es_free(all);
    es_judgement_list_deinit(&list);
    es_table_deinit(&t);
    return st;
}
