/* The matrix of one estimator: counts and revision go with every change of a cell, and a matrix
 * from a CSV file looks like one that was computed. */
#include "results.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "embedscope/compare.h"
#include "table.h"
#include "text.h"

/* Nothing is known of a pair. */
static void forget(es_results *r, size_t at) {
    es_free(r->reason[at]);
    es_free(r->pmi[at]);
    r->reason[at] = NULL;
    r->pmi[at] = NULL;
    r->is[at] = r->se[at] = r->h_cond[at] = r->seconds[at] = r->without[at] = (double)NAN;
    r->deciding[at] = UINT32_MAX;
}

es_status es_results_new(size_t m, es_results **out, es_error *err) {
    if (m > ES_RESULTS_MOST)
        return es_fail(err, ES_EINVAL,
                       "%zu embedders are too many for one matrix (at most %d): choose some, as by "
                       "--models",
                       m, (int)ES_RESULTS_MOST);
    es_results *r = es_alloc_zero(1, sizeof *r);
    size_t pairs = m * m;
    if (!r)
        return es_no_memory(err);
    r->m = m;
    r->model = es_alloc_zero(m, sizeof *r->model);
    r->name = es_alloc_zero(m, sizeof *r->name);
    r->family = es_alloc_zero(m, sizeof *r->family);
    r->dim = es_alloc_zero(m, sizeof *r->dim);
    r->dim_used = es_alloc_zero(m, sizeof *r->dim_used);
    r->dropped = es_alloc_zero(m, sizeof *r->dropped);
    r->h = es_alloc(m, sizeof *r->h);
    r->is = es_alloc(pairs, sizeof *r->is);
    r->se = es_alloc(pairs, sizeof *r->se);
    r->h_cond = es_alloc(pairs, sizeof *r->h_cond);
    r->seconds = es_alloc(pairs, sizeof *r->seconds);
    r->state = es_alloc_zero(pairs, sizeof *r->state);
    r->reason = es_alloc_zero(pairs, sizeof *r->reason);
    r->pmi = es_alloc_zero(pairs, sizeof *r->pmi);
    r->deciding = es_alloc(pairs, sizeof *r->deciding);
    r->without = es_alloc(pairs, sizeof *r->without);
    r->null = es_alloc_zero(m, sizeof *r->null);
    if (!r->model || !r->name || !r->family || !r->dim || !r->dim_used || !r->dropped || !r->h ||
        !r->is || !r->se || !r->h_cond || !r->seconds || !r->state || !r->reason || !r->pmi ||
        !r->deciding || !r->without || !r->null) {
        es_results_free(r);
        return es_no_memory_for(err, "a matrix of %zu embedders", m);
    }
    for (size_t i = 0; i < m; i++) {
        r->model[i] = i;
        r->h[i] = (double)NAN;
        r->null[i].is = r->null[i].se = (double)NAN;
    }
    for (size_t i = 0; i < pairs; i++)
        forget(r, i);
    *out = r;
    return ES_OK;
}

static void free_all(void *const *items, size_t count) {
    for (size_t i = 0; items && i < count; i++)
        es_free(items[i]);
}

void es_results_free(es_results *r) {
    if (!r)
        return;
    size_t pairs = r->m * r->m;
    free_all((void *const *)r->name, r->m);
    free_all((void *const *)r->family, r->m);
    free_all((void *const *)r->reason, pairs);
    free_all((void *const *)r->pmi, pairs);
    for (size_t i = 0; r->null && i < r->m; i++)
        es_free(r->null[i].reason);
    void *const blocks[] = {r->model,  r->name, r->family,   r->dim,      r->dim_used, r->dropped,
                            r->h,      r->is,   r->se,       r->h_cond,   r->seconds,  r->state,
                            r->reason, r->pmi,  r->settings, r->deciding, r->without,  r->null};
    free_all(blocks, sizeof blocks / sizeof *blocks);
    es_free(r);
}

size_t es_results_find(const es_results *results, const char *name) {
    for (size_t i = 0; results && name && i < results->m; i++)
        if (strcmp(results->name[i], name) == 0)
            return i;
    return SIZE_MAX;
}

/* Keeps the counts in step with the state. */
static void set_state(es_results *r, size_t at, es_pair_state state) {
    r->done -= r->state[at] == ES_PAIR_DONE;
    r->failed -= r->state[at] == ES_PAIR_FAILED;
    r->state[at] = (uint8_t)state;
    r->done += state == ES_PAIR_DONE;
    r->failed += state == ES_PAIR_FAILED;
    r->revision++;
}

es_status es_results_put(es_results *r, size_t source, size_t target, const es_pair_result *result,
                         double seconds, es_error *err) {
    size_t at = source * r->m + target;
    if (!isfinite(result->is))
        return es_fail(err, ES_ENONFINITE, "the estimate is not a finite number");
    if (result->pmi && r->n_eval != 0 && r->n_eval != result->n_eval)
        return es_fail(err, ES_EINVAL, "%s -> %s: %zu evaluated rows, the other pairs have %zu",
                       r->name[source] ? r->name[source] : "?",
                       r->name[target] ? r->name[target] : "?", result->n_eval, r->n_eval);
    forget(r, at);
    r->is[at] = result->is;
    r->se[at] = result->se;
    r->h_cond[at] = result->h_cond;
    r->seconds[at] = seconds;
    r->h[target] = result->h;
    r->pmi[at] = result->pmi;
    if (result->pmi) {
        size_t row = es_row_decides(result->pmi, result->n_eval, &r->without[at]);
        r->deciding[at] = row < UINT32_MAX ? (uint32_t)row : UINT32_MAX;
        r->n_eval = result->n_eval;
    }
    set_state(r, at, ES_PAIR_DONE);
    return ES_OK;
}

es_status es_results_fail(es_results *r, size_t source, size_t target, const char *reason,
                          es_error *err) {
    size_t at = source * r->m + target;
    char *copy = es_strdup(reason);
    if (!copy)
        return es_no_memory(err);
    forget(r, at);
    r->reason[at] = copy;
    set_state(r, at, ES_PAIR_FAILED);
    return ES_OK;
}

/* ---- the zero line ---- */

static void set_null(es_results *r, size_t target, double is, double se, es_pair_state state) {
    es_null_line *null = &r->null[target];
    r->null_done -= null->state == ES_PAIR_DONE;
    r->null_failed -= null->state == ES_PAIR_FAILED;
    if (state != ES_PAIR_FAILED) {
        es_free(null->reason);
        null->reason = NULL;
    }
    null->is = is;
    null->se = se;
    null->state = (uint8_t)state;
    r->null_done += state == ES_PAIR_DONE;
    r->null_failed += state == ES_PAIR_FAILED;
    r->revision++;
}

es_status es_results_put_null(es_results *r, size_t target, const es_pair_result *result,
                              es_error *err) {
    if (!isfinite(result->is))
        return es_fail(err, ES_ENONFINITE, "the estimate is not a finite number");
    set_null(r, target, result->is, result->se, ES_PAIR_DONE);
    return ES_OK;
}

es_status es_results_fail_null(es_results *r, size_t target, const char *reason, es_error *err) {
    char *copy = es_strdup(reason);
    if (!copy)
        return es_no_memory(err);
    es_free(r->null[target].reason);
    r->null[target].reason = copy;
    set_null(r, target, (double)NAN, (double)NAN, ES_PAIR_FAILED);
    return ES_OK;
}

size_t es_results_decided(const es_results *r, size_t source, size_t target, double *without) {
    size_t at = source * r->m + target;
    *without = (double)NAN;
    if (!r->deciding || r->deciding[at] == UINT32_MAX)
        return SIZE_MAX;
    *without = r->without[at];
    return r->deciding[at];
}

bool es_results_touches(const es_results *r, size_t model) {
    bool known = false;
    for (size_t k = 0; k < r->m && !known; k++)
        known = k != model && (r->state[model * r->m + k] == ES_PAIR_DONE ||
                               r->state[k * r->m + model] == ES_PAIR_DONE);
    return known;
}

size_t es_results_null_range(const es_results *r, double *low, double *high) {
    size_t known = 0;
    for (size_t t = 0; r->null && t < r->m; t++) {
        double is = r->null[t].is;
        if (r->null[t].state != ES_PAIR_DONE)
            continue;
        *low = known == 0 || is < *low ? is : *low;
        *high = known == 0 || is > *high ? is : *high;
        known++;
    }
    return known;
}

/* ---- a matrix from a file ---- */

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

/* `target` lists the names of the columns in the file's order. */
static es_status read_values(const es_table *t, char *const *target, es_results *r, es_error *err) {
    for (size_t c = 0; c < r->m; c++) {
        size_t j = find_name(r->name, r->m, target[c]);
        for (size_t i = 0; i < r->m; i++) {
            double value = (double)NAN;
            es_status st = read_value(t, i + 1, c + 1, &value, err);
            if (st != ES_OK)
                return st;
            if (isfinite(value)) {
                r->is[i * r->m + j] = value;
                set_state(r, i * r->m + j, ES_PAIR_DONE);
            }
        }
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

es_status es_results_read_csv(const char *path, es_results **out, es_error *err) {
    es_table t = {0};
    es_results *r = NULL;
    char **source = NULL, **target = NULL;
    size_t n_sources = 0, n_targets = 0;
    es_status st = es_table_read(path, 0, &t, err);
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
    size_t rows = t.rows - 1, columns = t.columns - 1;
    n_sources = rows <= columns ? rows : columns + 1;
    n_targets = columns <= rows ? columns : rows + 1;
    source = es_alloc_zero(n_sources, sizeof *source);
    target = es_alloc_zero(n_targets, sizeof *target);
    ES_FAIL_IF(!source || !target, es_no_memory(err));
    ES_TRY(read_names(&t, false, source, n_sources, err));
    ES_TRY(read_names(&t, true, target, n_targets, err));
    ES_TRY(check_subset(&t, source, n_sources, target, n_targets, "row", "column", err));
    ES_TRY(check_subset(&t, target, n_targets, source, n_sources, "column", "row", err));
    ES_TRY(results_named(source, n_sources, &r, err));
    ES_TRY(read_values(&t, target, r, err));
    *out = r;
done:
    if (st != ES_OK)
        es_results_free(r);
    free_all((void *const *)source, n_sources);
    free_all((void *const *)target, n_targets);
    es_free(source);
    es_free(target);
    es_table_deinit(&t);
    return st;
}

/* ---- for those who look ---- */

size_t es_results_count(const es_results *r) {
    return r ? r->m : 0;
}

const char *es_results_name(const es_results *r, size_t index) {
    return r && index < r->m ? r->name[index] : NULL;
}

const char *es_results_family(const es_results *r, size_t index) {
    return r && index < r->m ? r->family[index] : NULL;
}

size_t es_results_dim(const es_results *r, size_t index) {
    return r && index < r->m ? r->dim[index] : 0;
}

const double *es_results_is(const es_results *r) {
    return r ? r->is : NULL;
}

const double *es_results_se(const es_results *r) {
    return r ? r->se : NULL;
}

const double *es_results_entropy(const es_results *r) {
    return r ? r->h : NULL;
}

float *const *es_results_pmi(const es_results *r, size_t *n_eval) {
    if (n_eval)
        *n_eval = r ? r->n_eval : 0;
    return r ? r->pmi : NULL;
}

es_pair_state es_results_state(const es_results *r, size_t source, size_t target) {
    bool there = r && source < r->m && target < r->m;
    return there ? (es_pair_state)r->state[source * r->m + target] : ES_PAIR_PENDING;
}

const char *es_results_reason(const es_results *r, size_t source, size_t target) {
    return r && source < r->m && target < r->m ? r->reason[source * r->m + target] : NULL;
}

size_t es_results_done(const es_results *r) {
    return r ? r->done : 0;
}

size_t es_results_failed(const es_results *r) {
    return r ? r->failed : 0;
}

bool es_results_null(const es_results *r, size_t target, double *is, double *se) {
    bool known = r && r->null && target < r->m && r->null[target].state == ES_PAIR_DONE;
    if (is)
        *is = known ? r->null[target].is : (double)NAN;
    if (se)
        *se = known ? r->null[target].se : (double)NAN;
    return known;
}

uint64_t es_results_revision(const es_results *r) {
    return r ? r->revision : 0;
}

const char *es_results_estimator(const es_results *r) {
    return r ? es_estimator_name(r->estimator) : NULL;
}

const char *es_results_settings(const es_results *r) {
    return r ? r->settings : NULL;
}
