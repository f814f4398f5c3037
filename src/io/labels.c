/* Reads labels, pairs, graded pairs and judgements of rows, each a small table of its own, with
 * errors that name the line. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io_parts.h"

/* ---- what the three files share ---- */

static const size_t MOST_LABELS = (size_t)1 << 28; /* 2 GB */

/* A table of this shape: from `least` to `most` columns, a header, and lines below it. */
static es_status check_table(const es_table *t, size_t least, size_t most, const char *expected,
                             es_error *err) {
    double number = 0;
    const char *first = es_table_cell(t, 0, 0);
    if (t->columns < least || t->columns > most)
        return es_fail(err, ES_EFORMAT, "%s: line %zu: %zu column%s; expected a header %s",
                       t->label, t->line[0], t->columns, t->columns == 1 ? "" : "s", expected);
    if (es_text_parse_double(first, strlen(first), &number))
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu: begins with a number; put a header above it: %s", t->label,
                       t->line[0], expected);
    if (t->rows < 2)
        return es_fail(err, ES_EFORMAT,
                       "%s: holds a header and nothing below it; fill it or delete it", t->label);
    return ES_OK;
}

static es_status read_table(const char *path, unsigned flags, size_t least, size_t most,
                            const char *expected, es_table *out, es_error *err) {
    es_table t = {0};
    es_status st = es_table_read_any(path, flags, NULL, &t, err);
    if (st == ES_OK)
        st = check_table(&t, least, most, expected, err);
    if (st != ES_OK)
        es_table_deinit(&t);
    else
        *out = t;
    return st;
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
        for (size_t c = 0; c < 2; c++)
            es_free(task->spelling[c]);
        es_free(task->class_name);
        es_free(task->name);
        es_free(task->value);
    }
    es_free(labels->task);
    *labels = (es_labels){0};
}

/* at (rows of the table): which row of the pool each line is about. */
static es_status read_label_rows(const es_row_cells *rows, size_t column, uint32_t *at,
                                 es_error *err) {
    const es_table *t = rows->table;
    size_t *line = es_alloc_zero(rows->n, sizeof *line);
    es_status st = ES_OK;
    if (!line)
        return out_of_memory(t, err);
    for (size_t i = 1; i < t->rows && st == ES_OK; i++) {
        st = es_row_cells_row(rows, i, column, &at[i], err);
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

static bool says_missing(const char *text) {
    return !*text || es_cells_says_missing(text, strlen(text));
}

/* Are all cells numbers that do not say that there is none? *broken: one of them is not whole. */
static bool are_numbers(const es_table *t, size_t column, bool *broken) {
    *broken = false;
    for (size_t i = 1; i < t->rows; i++) {
        double v = 0;
        const char *text = es_table_cell(t, i, column);
        if (says_missing(text))
            continue;
        if (!es_cells_number(t->delimiter, text, strlen(text), &v))
            return false;
        *broken = *broken || isinf(v) || (isfinite(v) && v != floor(v));
    }
    return true;
}

/* Among words, "None" may be a class as any other: there it is one, and is counted. */
static bool is_missing(const char *text, bool among_numbers) {
    return among_numbers ? says_missing(text) : !*text;
}

static int compare_texts(const void *a, const void *b) {
    return es_text_natural_cmp(*(const char *const *)a, *(const char *const *)b);
}

static es_status unite_spellings(const es_table *t, const char **text, es_label_column *out,
                                 es_error *err) {
    const char *of_one[2] = {NULL, NULL};
    es_status st = es_label_spellings_unite(t, text, &out->respelled, &of_one[0], &of_one[1], err);
    for (size_t i = 0; i < 2 && st == ES_OK && out->respelled > 0; i++) {
        out->spelling[i] = es_text_clean(of_one[i], strlen(of_one[i]), 60);
        st = out->spelling[i] ? ES_OK : out_of_memory(t, err);
    }
    return st;
}

/* text (rows of the table): the cells of a column, where all are numbers with one spelling each. */
static es_status read_texts(const es_table *t, size_t column, bool numbers, const char **text,
                            es_label_column *out, es_error *err) {
    for (size_t i = 0; i < t->rows; i++)
        text[i] = es_table_cell(t, i, column);
    return numbers ? unite_spellings(t, text, out, err) : ES_OK;
}

/* Classes get the numbers of their names in natural order. */
static es_status put_classes(const es_table *t, const char *const *cell, bool numbers,
                             const uint32_t *at, es_label_column *out, es_error *err) {
    const char **names = es_alloc(t->rows, sizeof *names);
    size_t count = 0, kinds = 0;
    if (!names)
        return out_of_memory(t, err);
    for (size_t i = 1; i < t->rows; i++)
        if (!is_missing(cell[i], numbers))
            names[count++] = cell[i];
    if (count > 1)
        qsort(names, count, sizeof *names, compare_texts);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && strcmp(names[to], names[from]) == 0; to++)
            ;
        out->singletons += to - from == 1;
        names[kinds++] = names[from];
    }
    for (size_t i = 1; i < t->rows; i++) {
        const char *text = cell[i];
        if (is_missing(text, numbers))
            continue;
        out->like_missing += says_missing(text);
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

static es_status read_classes(const es_table *t, size_t column, bool numbers, const uint32_t *at,
                              es_label_column *out, es_error *err) {
    const char **text = es_alloc(t->rows, sizeof *text);
    if (!text)
        return out_of_memory(t, err);
    es_status st = read_texts(t, column, numbers, text, out, err);
    if (st == ES_OK)
        st = put_classes(t, text, numbers, at, out, err);
    es_free(text);
    return st;
}

static es_status read_numbers(const es_table *t, size_t column, const uint32_t *at,
                              es_label_column *out, es_error *err) {
    for (size_t i = 1; i < t->rows; i++) {
        ES_PASS(says_missing(es_table_cell(t, i, column))
                    ? ES_OK
                    : read_number(t, i, column, &out->value[at[i]], err));
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
    bool broken = false, numbers = are_numbers(t, column, &broken);
    return kind == ES_LABELS_NUMBERS || (kind == ES_LABELS_AUTO && numbers && broken)
               ? read_numbers(t, column, at, out, err)
               : read_classes(t, column, numbers, at, out, err);
}

/* Which column holds task k. */
static size_t task_column(const es_label_columns *columns, size_t k) {
    size_t c = 0;
    for (;; c++) {
        bool task = c != columns->row && c != columns->index;
        if (task && k-- == 0)
            return c;
    }
}

static es_status read_tasks(const es_table *t, const es_label_columns *columns, es_label_kind kind,
                            const uint32_t *at, es_labels *l, es_error *err) {
    for (size_t k = 0; k < l->tasks; k++) {
        ES_PASS(read_column(t, task_column(columns, k), l->n, kind, at, &l->task[k], err));
        for (size_t j = 0; j < k; j++)
            if (strcmp(l->task[j].name, l->task[k].name) == 0)
                return es_fail(err, ES_EFORMAT, "%s: columns %zu and %zu are both called '%.80s'",
                               t->label, task_column(columns, j) + 1, task_column(columns, k) + 1,
                               l->task[k].name);
    }
    return ES_OK;
}

/* Takes the table in any case. */
static es_status take_labels(es_table table, size_t n, es_label_kind kind,
                             const es_row_naming *naming, es_labels *out, es_error *err) {
    es_table t = table;
    es_labels l = {.n = n};
    es_row_cells rows = {0};
    es_label_columns columns;
    uint32_t *at = NULL;
    es_status st = ES_OK;
    es_label_columns_find(&t, &columns);
    ES_TRY(es_row_cells_open(&t, &columns.row, 1, n, naming, &rows, err));
    if (!rows.index && columns.index != SIZE_MAX &&
        es_heads_ids(es_table_cell(&t, 0, columns.row))) {
        es_row_cells_deinit(&rows); /* ids of nothing here: the first column is the row, as ever */
        columns = (es_label_columns){.row = 0, .index = SIZE_MAX};
        ES_TRY(es_row_cells_open(&t, &columns.row, 1, n, NULL, &rows, err));
    }
    size_t tasks = t.columns - 1 - (columns.index != SIZE_MAX);
    ES_FAIL_IF(tasks > MOST_LABELS / (n ? n : 1), /* a short file must not ask for all memory */
               es_fail(err, ES_EFORMAT,
                       "%s: %zu columns for %zu rows are too many: keep %zu of them", t.label,
                       tasks, n, MOST_LABELS / (n ? n : 1)));
    l.task = es_alloc_zero(tasks, sizeof *l.task);
    at = es_alloc(t.rows, sizeof *at);
    ES_FAIL_IF(!l.task || !at, out_of_memory(&t, err));
    l.tasks = tasks;
    l.by_ids = rows.moved;
    ES_TRY(read_label_rows(&rows, columns.row, at, err));
    ES_TRY(read_tasks(&t, &columns, kind, at, &l, err));
    *out = l;
    l = (es_labels){0};
done:
    es_row_cells_deinit(&rows);
    es_labels_deinit(&l);
    es_table_deinit(&t);
    es_free(at);
    return st;
}

es_status es_labels_read(const char *path, unsigned flags, size_t n, es_label_kind kind,
                         const es_row_naming *naming, es_labels *out, es_error *err) {
    es_table t = {0};
    ES_PASS(read_table(path, flags, 2, SIZE_MAX, "row,label", &t, err));
    return take_labels(t, n, kind, naming, out, err);
}

es_status es_labels_parse(const char *text, size_t length, const char *name, size_t n,
                          es_label_kind kind, es_labels *out, es_error *err) {
    es_table t = {0};
    ES_PASS(es_table_parse(text, length, name, &t, err));
    t.delimiter = ',';
    es_status st = check_table(&t, 2, SIZE_MAX, "row,label", err);
    if (st == ES_OK)
        return take_labels(t, n, kind, NULL, out, err);
    es_table_deinit(&t);
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

static es_status allocate_pairs(const es_table *t, bool sets, es_pair_list *p, es_error *err) {
    p->pair = es_alloc(t->rows, sizeof *p->pair);
    p->line = es_alloc(t->rows, sizeof *p->line);
    p->set = sets ? es_alloc(t->rows, sizeof *p->set) : NULL;
    p->set_name = sets ? es_alloc(MOST_SETS, sizeof *p->set_name) : NULL;
    bool whole = p->pair && p->line && (!sets || (p->set && p->set_name));
    return whole ? ES_OK : out_of_memory(t, err);
}

es_status es_pair_list_read(const char *path, unsigned flags, size_t n, const es_row_naming *naming,
                            es_pair_list *out, es_error *err) {
    es_table t = {0};
    es_pair_list p = {0};
    es_row_cells rows = {0};
    es_pair_columns in;
    es_status st = ES_OK;
    ES_TRY(read_table(path, flags, 2, 5, "row,row[,score][,set]", &t, err));
    ES_TRY(es_pair_columns_find(&t, &in, err));
    ES_TRY(allocate_pairs(&t, in.set != SIZE_MAX, &p, err));
    ES_TRY(es_row_cells_open(&t, (const size_t[]){in.a, in.b}, 2, n, naming, &rows, err));
    p.by_ids = rows.moved;
    for (size_t i = 1; i < t.rows; i++, p.count++) {
        es_graded_pair *pair = &p.pair[p.count];
        pair->score = NAN;
        p.line[p.count] = t.line[i];
        ES_TRY(es_row_cells_row(&rows, i, in.a, &pair->a, err));
        ES_TRY(es_row_cells_row(&rows, i, in.b, &pair->b, err));
        if (in.score != SIZE_MAX)
            ES_TRY(read_number(&t, i, in.score, &pair->score, err));
        if (in.set != SIZE_MAX)
            ES_TRY(read_set(&t, i, in.set, &p, &p.set[p.count], err));
        p.scored += isnan(pair->score) ? 0 : 1;
    }
    *out = p;
    p = (es_pair_list){0};
done:
    es_row_cells_deinit(&rows);
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
    ES_FAIL_IF(!r.row || !there, out_of_memory(&t, err));
    for (size_t i = 1; i < t.rows; i++) {
        uint32_t row;
        ES_TRY(es_row_cells_number(&t, i, 0, n, &row, err));
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

/* A file of judgements that is being read. */
typedef struct judging {
    const es_row_cells *rows;
    es_judgement_columns in;
    bool own_queries;
    es_row_index *queries; /* their ids; NULL: they go by numbers */
} judging;

/* Queries go by ids if one of them is there, or is no number. */
static es_status open_queries(const es_table *t, const es_row_ids *ids, judging *from,
                              es_error *err) {
    bool any = false, doubled = false;
    if (!from->own_queries || !ids || ids->n == 0)
        return ES_OK;
    es_status st = es_row_index_new(ids, &from->queries, err);
    for (size_t r = 1; st == ES_OK && r < t->rows && !any; r++) {
        const char *text = es_table_cell(t, r, from->in.query);
        uint32_t row = es_row_index_find(from->queries, text, strlen(text), &doubled);
        any = row != ES_ROW_NONE || doubled || !es_row_cell_is_whole(text);
    }
    if (st == ES_OK && !any) {
        es_row_index_free(from->queries);
        from->queries = NULL;
    }
    return st;
}

static es_status read_query(const judging *from, size_t row, uint32_t *out, es_error *err) {
    const es_table *t = from->rows->table;
    const char *text = es_table_cell(t, row, from->in.query);
    char shown[40];
    bool doubled = false;
    if (!from->queries && es_row_cell_is_whole(text))
        return es_row_cells_number(t, row, from->in.query, UINT32_MAX, out, err);
    if (from->queries)
        *out = es_row_index_find(from->queries, text, strlen(text), &doubled);
    if (from->queries && *out != ES_ROW_NONE)
        return ES_OK;
    es_text_clean_into(shown, sizeof shown, text, strlen(text));
    return es_fail(err, ES_EFORMAT,
                   !from->queries
                       ? "%s: line %zu, column %zu: '%s' is not the number of a query: number the "
                         "queries from 0 as their vectors in NAME.queries.npy, or put their ids, "
                         "an id a line, into NAME.queries.ids.txt beside it"
                   : doubled ? "%s: line %zu, column %zu: more than one query has the id '%s'"
                             : "%s: line %zu, column %zu: no query has the id '%s'; correct or "
                               "remove the line",
                   t->label, t->line[row], from->in.query + 1, shown);
}

static es_status read_judgement(const judging *from, size_t row, placed *out, es_error *err) {
    const es_table *t = from->rows->table;
    es_judgement *j = &out->judgement;
    es_status st = ES_OK;
    out->line = t->line[row];
    out->frequency = 1;
    if (from->own_queries)
        ES_TRY(read_query(from, row, &j->query, err));
    else
        ES_TRY(es_row_cells_row(from->rows, row, from->in.query, &j->query, err));
    ES_TRY(es_row_cells_row(from->rows, row, from->in.doc, &j->doc, err));
    ES_TRY(read_number(t, row, from->in.relevance, &j->relevance, err));
    ES_FAIL_IF(!(j->relevance >= 0),
               es_fail(err, ES_EFORMAT,
                       "%s: line %zu: relevance must be a number of 0 (does not answer) or more",
                       t->label, out->line));
    if (from->in.frequency == SIZE_MAX)
        goto done;
    ES_TRY(read_number(t, row, from->in.frequency, &out->frequency, err));
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
                   "%s: line %zu: document %lu answers query %lu here or on line %zu, but not on "
                   "both; keep one line (%zu more like it)",
                   t->label, all[first].line, (unsigned long)all[first].judgement.doc,
                   (unsigned long)all[first].judgement.query, all[first - 1].line, more);
}

es_status es_judgement_list_read(const char *path, unsigned flags, size_t n, bool own_queries,
                                 const es_row_ids *query_ids, const es_row_naming *naming,
                                 es_judgement_list *out, es_error *err) {
    es_table t = {0};
    es_judgement_list list = {0};
    es_row_cells rows = {0};
    judging from = {.rows = &rows, .own_queries = own_queries};
    placed *all = NULL;
    es_status st = ES_OK;
    ES_TRY(read_table(path, flags, 3, 6, "query,doc,rel[,freq]", &t, err));
    ES_TRY(es_judgement_columns_find(&t, &from.in, err));
    ES_TRY(open_queries(&t, query_ids, &from, err));
    size_t count = t.rows - 1;
    bool weighed = from.in.frequency != SIZE_MAX;
    all = es_alloc(count, sizeof *all);
    list.judgement = es_alloc(count, sizeof *list.judgement);
    list.frequency = weighed ? es_alloc(count, sizeof *list.frequency) : NULL;
    ES_FAIL_IF(!all || !list.judgement || (weighed && !list.frequency), out_of_memory(&t, err));
    ES_TRY(es_row_cells_open(&t, (const size_t[]){from.in.doc, from.in.query}, own_queries ? 1 : 2,
                             n, naming, &rows, err));
    list.by_ids = rows.moved;
    for (size_t i = 0; i < count; i++)
        ES_TRY(read_judgement(&from, i + 1, &all[i], err));
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
    es_row_cells_deinit(&rows);
    es_row_index_free(from.queries);
    es_free(all);
    es_judgement_list_deinit(&list);
    es_table_deinit(&t);
    return st;
}
