/* A matrix from files that looks like one that was computed: the values from a CSV, and where they
 * are given the means of every value over hands of rows, and who is of which family. */
#include "matrix_file.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "npy.h"
#include "run.h"
#include "table.h"
#include "text.h"

/* ---- The values ---- */

/* Names must be known, unique and not empty. Sources are the first column, targets the header. */
static es_status read_names(const es_table *t, bool targets, char **names, size_t m,
                            es_error *err) {
    const char *what = targets ? "column" : "row";
    for (size_t i = 0; i < m; i++) {
        const char *raw = targets ? es_table_cell(t, 0, i + 1) : es_table_cell(t, i + 1, 0);
        names[i] = es_text_clean(raw, strlen(raw), 0);
        if (!names[i])
            return es_no_memory(err);
        size_t line = t->line[targets ? 0 : i + 1];
        if (!names[i][0])
            return es_fail(err, ES_EFORMAT, "%s: line %zu: %s %zu has no name", t->label, line,
                           what, i + 2);
        for (size_t k = 0; k < i; k++)
            if (strcmp(names[k], names[i]) == 0)
                return es_fail(err, ES_EFORMAT, "%s: line %zu: two %ss are called \"%s\"", t->label,
                               line, what, names[i]);
    }
    return ES_OK;
}

static size_t find_name(char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return SIZE_MAX;
}

/* Every name of `a` is in `b`, or the first one that is not is reported. */
static es_status check_subset(const es_table *t, char *const *a, size_t n, char *const *b, size_t m,
                              const char *is, const char *is_not, es_error *err) {
    for (size_t i = 0; i < n; i++)
        if (find_name(b, m, a[i]) == SIZE_MAX)
            return es_fail(err, ES_EFORMAT,
                           "%s: \"%s\" is a %s but not a %s; both must name the same models",
                           t->label, a[i], is, is_not);
    return ES_OK;
}

static es_status read_value(const es_table *t, size_t row, size_t column, double *out,
                            es_error *err) {
    es_status st = es_table_number(t, row, column, out, err);
    if (st == ES_OK && !isfinite(*out) && es_table_cell(t, row, column)[0])
        st = es_fail(err, ES_EFORMAT,
                     "%s: line %zu, column %zu: %s is not a finite number; leave the cell empty "
                     "where a value is missing",
                     t->label, t->line[row], column + 1, es_table_cell(t, row, column));
    return st;
}

/* column (m): position of each column of the file. */
static es_status read_values(const es_table *t, const size_t *column, es_results *r, es_run *run,
                             es_error *err) {
    es_run_begin(run, NULL, "reading its values");
    for (size_t i = 0; i < r->m; i++) {
        es_run_progress(run, (unsigned)i, (unsigned)r->m);
        es_status st = es_run_check(run, err);
        for (size_t c = 0; st == ES_OK && c < r->m; c++) {
            double value = (double)NAN;
            st = read_value(t, i + 1, c + 1, &value, err);
            if (isfinite(value))
                es_results_give(r, i, column[c], value);
        }
        if (st != ES_OK)
            return st;
    }
    return ES_OK;
}

/* A matrix over `names` (m), which it takes over. */
static es_status results_named(char **names, size_t m, es_results **out, es_error *err) {
    es_status st = es_results_new(m, out, err);
    for (size_t i = 0; st == ES_OK && i < m; i++) {
        (*out)->name[i] = names[i];
        names[i] = NULL;
    }
    return st;
}

static void free_names(char **names, size_t count) {
    for (size_t i = 0; names && i < count; i++)
        es_free(names[i]);
    es_free(names);
}

/* Rows are in the file's order; *columns (m, to be freed) says where its columns are. */
static es_status read_matrix(const char *path, es_run *run, es_results **out, size_t **columns,
                             es_error *err) {
    es_table t = {0};
    es_results *r = NULL;
    char **source = NULL, **target = NULL;
    size_t *column = NULL, n_sources = 0, n_targets = 0;
    char label[ES_PATH_LABEL];
    es_run_begin(run, es_path_label(label, path), "looking for its cells");
    es_status st = es_table_read_numbers(path, 0, run, &t, err);
    if (st != ES_OK)
        return st;
    if (t.rows < 2 || t.columns < 2) {
        st =
            es_fail(err, ES_EFORMAT,
                    "%s: no matrix: the first line names the targets, the first column the sources",
                    t.label);
        goto done;
    }
    /* One name more than the other side has is enough to find one that is missing there. A file
     * that is no matrix may have a million rows, whose square is not to be allocated. */
    size_t rows = t.rows - 1, n_columns = t.columns - 1;
    n_sources = rows <= n_columns ? rows : n_columns + 1;
    n_targets = n_columns <= rows ? n_columns : rows + 1;
    source = es_alloc_zero(n_sources, sizeof *source);
    target = es_alloc_zero(n_targets, sizeof *target);
    column = es_alloc(n_targets, sizeof *column);
    ES_FAIL_IF(!source || !target || !column, es_no_memory(err));
    ES_TRY(read_names(&t, false, source, n_sources, err));
    ES_TRY(read_names(&t, true, target, n_targets, err));
    ES_TRY(check_subset(&t, source, n_sources, target, n_targets, "row", "column", err));
    ES_TRY(check_subset(&t, target, n_targets, source, n_sources, "column", "row", err));
    ES_TRY(results_named(source, n_sources, &r, err));
    for (size_t c = 0; c < n_targets; c++)
        column[c] = es_results_find(r, target[c]);
    ES_TRY(read_values(&t, column, r, run, err));
    *out = r;
    *columns = column;
    column = NULL;
done:
    if (st != ES_OK)
        es_results_free(r);
    free_names(source, n_sources);
    free_names(target, n_targets);
    es_free(column);
    es_table_deinit(&t);
    return st;
}

/* ---- Hands of rows ---- */

/* How a value of the file is found: (hands, sources, targets), or (sources, targets, hands). */
typedef struct hand_values {
    size_t m, hands;
    bool hands_first;
    double *value; /* all of them, in the file's order */
} hand_values;

static double value_of(const hand_values *v, size_t source, size_t column, size_t hand) {
    size_t cell = source * v->m + column;
    return v->value[v->hands_first ? hand * v->m * v->m + cell : cell * v->hands + hand];
}

/* The mean over hands is the value of the matrix, or they are not of this matrix. */
static bool fits(const hand_values *v, const es_results *r, const size_t *column, size_t *at) {
    for (size_t cell = 0; cell < r->m * r->m; cell++) {
        size_t source = cell / r->m, c = cell % r->m;
        double mean = 0, is = r->is[source * r->m + column[c]];
        for (size_t h = 0; h < v->hands && !isnan(is); h++)
            mean += value_of(v, source, c, h) / (double)v->hands;
        if (isnan(is) || fabs(mean - is) <= 1e-4 * fmax(1, fabs(is)))
            continue;
        *at = cell;
        return false;
    }
    return true;
}

static es_status put_hands(const hand_values *v, es_results *r, const size_t *column,
                           es_error *err) {
    for (size_t cell = 0; cell < r->m * r->m; cell++) {
        size_t source = cell / r->m, c = cell % r->m, at = source * r->m + column[c];
        if (isnan(r->is[at]))
            continue;
        r->pmi[at] = es_alloc(v->hands, sizeof **r->pmi);
        if (!r->pmi[at])
            return es_no_memory(err);
        for (size_t h = 0; h < v->hands; h++)
            r->pmi[at][h] = (float)value_of(v, source, c, h);
    }
    r->n_eval = v->hands;
    return ES_OK;
}

static es_status read_hands(const char *path, es_results *r, const size_t *column, es_error *err) {
    es_map map = {0};
    es_array array = {0};
    hand_values v = {.m = r->m};
    size_t shape[3] = {0}, m = r->m, at = 0;
    char label[ES_PATH_LABEL];
    es_status st = es_map_open(path, 0, &map, err);
    if (st != ES_OK)
        return st;
    es_path_label(label, path);
    ES_TRY(es_npy_parse_cube(&map, path, shape, &array, err));
    bool first = shape[1] == m && shape[2] == m, last = shape[0] == m && shape[1] == m;
    v.hands_first = first;
    v.hands = first ? shape[0] : shape[2];
    ES_FAIL_IF(m == 0 || (!first && !last) || v.hands < 2,
               es_fail(err, ES_EFORMAT,
                       "%s: is %zu x %zu x %zu, expected two hands of rows or more for %zu x %zu "
                       "pairs: (hands, sources, targets)",
                       label, shape[0], shape[1], shape[2], m, m));
    v.value = es_alloc(v.hands * m, m * sizeof *v.value);
    ES_FAIL_IF(!v.value, es_no_memory(err));
    es_array_read_range(&array, 0, array.n, v.value);
    bool fit = fits(&v, r, column, &at);
    if (!fit && first && last) { /* as many hands as embedders: the other order? */
        v.hands_first = false;
        size_t ignored = 0;
        fit = fits(&v, r, column, &ignored);
    }
    ES_FAIL_IF(!fit, es_fail(err, ES_EFORMAT,
                             "%s: the mean over the hands of %s -> %s is not the value of the "
                             "matrix (%g)",
                             label, r->name[at / m], r->name[column[at % m]],
                             r->is[at / m * m + column[at % m]]));
    ES_TRY(put_hands(&v, r, column, err));
done:
    es_free(v.value);
    es_map_close(&map);
    return st;
}

/* ---- Families ---- */

static es_status read_families(const char *path, es_results *r, es_error *err) {
    es_table t = {0};
    es_status st = es_table_read(path, 0, &t, err);
    if (st != ES_OK)
        return st;
    ES_FAIL_IF(t.columns != 2,
               es_fail(err, ES_EFORMAT, "%s: %zu columns, expected two: model, family", t.label,
                       t.columns));
    for (size_t i = 1; i < t.rows; i++) {
        const char *raw = es_table_cell(&t, i, 0), *family = es_table_cell(&t, i, 1);
        char *name = es_text_clean(raw, strlen(raw), 0);
        size_t at = es_results_find(r, name);
        es_free(name);
        ES_FAIL_IF(at == SIZE_MAX || r->family[at],
                   es_fail(err, ES_EFORMAT, "%s: line %zu: \"%s\" is %s", t.label, t.line[i], raw,
                           at == SIZE_MAX ? "not in the matrix" : "there twice"));
        if (family[0])
            r->family[at] = es_text_clean(family, strlen(family), 0);
        ES_FAIL_IF(family[0] && !r->family[at], es_no_memory(err));
    }
done:
    es_table_deinit(&t);
    return st;
}

es_status es_matrix_files_read(const es_matrix_files *files, es_results **out, es_error *err) {
    es_results *r = NULL;
    size_t *column = NULL;
    es_status st = read_matrix(files->matrix, files->run, &r, &column, err);
    if (st == ES_OK && files->hands)
        st = read_hands(files->hands, r, column, err);
    if (st == ES_OK && files->families)
        st = read_families(files->families, r, err);
    es_free(column);
    if (st == ES_OK)
        *out = r;
    else
        es_results_free(r);
    return st;
}
