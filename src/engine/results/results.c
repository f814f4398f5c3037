/* The matrix of one estimator: counts and revision go with every change of a cell. */
#include "engine_results.h"

#include <assert.h>
#include <stdatomic.h>
#include <math.h>
#include <string.h>

static bool values_alone(const es_results *r) {
    return r->h_cond == r->se;
}

/* Numbers of a pair of which nothing is known. */
static void clear(es_results *r, size_t at) {
    r->is[at] = r->se[at] = r->h_cond[at] = r->seconds[at] = r->without[at] = (double)NAN;
    r->information[at] = r->information_se[at] = r->lambda[at] = (double)NAN;
    r->deciding[at] = UINT32_MAX;
}

/* ---- values of rows ---- */

struct es_values {
    atomic_uint owners;
    size_t used, count;
    float *value; // (count)
};

es_values *es_values_new(size_t count) {
    es_values *values = es_alloc_zero(1, sizeof *values);
    float *value = es_alloc_aligned(count, sizeof *value);
    if (!values || !value) {
        es_free(values);
        es_free(value);
        return NULL;
    }
    *values = (es_values){.count = count, .value = value};
    atomic_store(&values->owners, 1u);
    return values;
}

float *es_values_take(es_values *values, size_t count) {
    if (!values || count > values->count - values->used)
        return NULL;
    values->used += count;
    return values->value + values->used - count;
}

es_values *es_values_keep(es_values *values) {
    (void)atomic_fetch_add(&values->owners, 1u);
    return values;
}

void es_values_free(es_values *values) {
    if (!values || atomic_fetch_sub(&values->owners, 1u) > 1)
        return;
    es_free(values->value);
    es_free(values);
}

es_status es_results_keep_values(es_results *r, es_values *values, es_error *err) {
    for (size_t k = r->n_values; k-- > 0;)
        if (r->values[k] == values)
            return ES_OK;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    ES_PASS(es_append(&r->values, &r->n_values, &r->values_room, &values, sizeof values, err));
    (void)es_values_keep(values);
    return ES_OK;
}

/* Frees the values of a pair unless they are in a block. */
static void free_pmi(es_results *r, size_t at) {
    uintptr_t pmi = (uintptr_t)r->pmi[at];
    for (size_t k = 0; pmi && k < r->n_values; k++) {
        uintptr_t first = (uintptr_t)r->values[k]->value;
        if (pmi >= first && pmi < first + r->values[k]->count * sizeof(float))
            return;
    }
    es_free(r->pmi[at]);
}

/* ---- the matrix ---- */

/* What is kept of each embedder and of each pair. Where there is only room for values, those beside
 * them share the array of the standard errors, and there are none of those of rows. */
enum { EMBEDDER, PAIR, BESIDE, ROWS };

#define ARRAY(field, sort)                                                                         \
    { offsetof(es_results, field), sizeof *((es_results *)0)->field, sort }
static const struct {
    size_t at, size;
    int sort;
} arrays[] = {
    ARRAY(model, EMBEDDER),
    ARRAY(name, EMBEDDER),
    ARRAY(family, EMBEDDER),
    ARRAY(series, EMBEDDER),
    ARRAY(label, EMBEDDER),
    ARRAY(dim, EMBEDDER),
    ARRAY(dim_used, EMBEDDER),
    ARRAY(dropped, EMBEDDER),
    ARRAY(binary, EMBEDDER),
    ARRAY(h, EMBEDDER),
    ARRAY(rare, EMBEDDER),
    ARRAY(limited, EMBEDDER),
    ARRAY(null, EMBEDDER),
    ARRAY(row_revision, EMBEDDER),
    ARRAY(is, PAIR),
    ARRAY(se, PAIR),
    ARRAY(state, PAIR),
    ARRAY(reason, PAIR),
    ARRAY(pmi, PAIR),
    ARRAY(h_cond, BESIDE),
    ARRAY(seconds, BESIDE),
    ARRAY(information, BESIDE),
    ARRAY(information_se, BESIDE),
    ARRAY(lambda, BESIDE),
    ARRAY(deciding, ROWS),
    ARRAY(without, ROWS),
};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

static void *array_of(const es_results *r, size_t k) {
    void *array;
    memcpy(&array, (const char *)r + arrays[k].at, sizeof array);
    return array;
}

static bool make_arrays(es_results *r, bool values) {
    for (size_t k = 0; k < ARRAYS; k++) {
        int sort = arrays[k].sort;
        void *array = r->se;
        if (values && sort == ROWS)
            continue;
        if (!values || sort != BESIDE)
            array = es_alloc_zero(sort == EMBEDDER ? r->m : r->m * r->m, arrays[k].size);
        if (!array)
            return false;
        memcpy((char *)r + arrays[k].at, &array, sizeof array);
    }
    return true;
}

/* Nothing is known of a pair any more. */
static void forget(es_results *r, size_t at) {
    assert(!values_alone(r));
    es_free(r->reason[at]);
    free_pmi(r, at);
    r->reason[at] = NULL;
    r->pmi[at] = NULL;
    clear(r, at);
}

/* Allocates results of m embedders, all pairs pending; `values`: with room for values. */
static es_status results_new(size_t m, bool values, es_results **out, es_error *err) {
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
    if (!make_arrays(r, values)) {
        es_results_free(r);
        return es_no_memory_for(err, "a matrix of %zu embedders", m);
    }
    for (size_t i = 0; i < m; i++) {
        r->model[i] = i;
        r->h[i] = (double)NAN;
        r->null[i].is = r->null[i].se = (double)NAN;
    }
    for (size_t i = 0; i < pairs; i++) { /* no texts and rows yet: their pages stay untouched */
        if (values)
            r->is[i] = r->se[i] = (double)NAN;
        else
            clear(r, i);
    }
    *out = r;
    return ES_OK;
}

es_status es_results_new(size_t m, es_results **out, es_error *err) {
    return results_new(m, false, out, err);
}

es_status es_results_new_values(size_t m, es_results **out, es_error *err) {
    return results_new(m, true, out, err);
}

static void free_all(void *const *items, size_t count) {
    for (size_t i = 0; items && i < count; i++)
        es_free(items[i]);
}

static void free_contents(es_results *r) {
    size_t pairs = r->m * r->m;
    free_all((void *const *)r->name, r->m);
    free_all((void *const *)r->family, r->m);
    free_all((void *const *)r->series, r->m);
    free_all((void *const *)r->label, r->m);
    free_all((void *const *)r->reason, pairs);
    for (size_t i = 0; r->pmi && i < pairs; i++)
        free_pmi(r, i);
    for (size_t k = 0; k < r->n_values; k++)
        es_values_free(r->values[k]);
    es_free(r->values);
    for (size_t i = 0; r->null && i < r->m; i++)
        es_free(r->null[i].reason);
    es_free(r->settings);
    es_free(r->said);
    es_free(r->row);
}

void es_results_free(es_results *r) {
    if (!r)
        return;
    if (!r->part)
        free_contents(r);
    for (size_t k = 0; k < ARRAYS; k++) {
        void *block = array_of(r, k);
        if (arrays[k].sort != BESIDE || block != r->se)
            es_free(block);
    }
    es_free(r);
}

bool es_results_is_derived(const es_results *r, size_t index) {
    return r->label && r->label[index];
}

const char *es_results_label(const es_results *r, size_t index) {
    return es_results_is_derived(r, index) ? r->label[index] : r->name[index];
}

const char *es_results_preset(const es_results *r) {
    return r->said ? r->said : r->preset;
}

bool es_results_alike(const es_results *a, const es_results *b) {
    return a->estimator == b->estimator &&
           (a->estimator == NULL || strcmp(es_results_preset(a), es_results_preset(b)) == 0);
}

/* ---- those that are not derived ---- */

size_t es_results_derived(const es_results *r) {
    size_t count = 0;
    for (size_t i = 0; i < r->m; i++)
        count += es_results_is_derived(r, i);
    return count;
}

/* Copies what is known of an embedder or of a pair. */
static void take(es_results *to, size_t place, const es_results *from, size_t at, bool pair) {
    for (size_t k = 0; k < ARRAYS; k++) {
        const char *read = array_of(from, k);
        char *write = array_of(to, k);
        size_t size = arrays[k].size;
        if (read && (arrays[k].sort != EMBEDDER) == pair)
            memcpy(write + place * size, read + at * size, size);
    }
}

static void take_embedder(es_results *to, size_t i, const es_results *from, size_t at) {
    take(to, i, from, at, false);
    to->row_revision[i] = 0;
    to->null_done += to->null[i].state == ES_PAIR_DONE;
    to->null_failed += to->null[i].state == ES_PAIR_FAILED;
}

static void take_pair(es_results *to, size_t cell, const es_results *from, size_t at) {
    take(to, cell, from, at, true);
    to->done += from->state[at] == ES_PAIR_DONE;
    to->failed += from->state[at] == ES_PAIR_FAILED;
}

es_status es_results_originals(const es_results *r, es_results **out, es_error *err) {
    size_t derived = es_results_derived(r), a = 0;
    es_results *part = NULL;
    *out = NULL;
    if (derived == 0 || derived == r->m)
        return ES_OK;
    es_status st = es_results_new(r->m - derived, &part, err);
    if (st != ES_OK)
        return st;
    part->part = true;
    for (size_t i = 0; i < r->m; i++) {
        if (r->label[i])
            continue;
        size_t b = 0;
        take_embedder(part, a, r, i);
        for (size_t j = 0; j < r->m; j++)
            if (!r->label[j])
                take_pair(part, a * part->m + b++, r, i * r->m + j);
        a++;
    }
    part->n_eval = r->n_eval;
    part->row = r->row;
    part->n_fit = r->n_fit;
    part->revision = r->revision;
    part->estimator = r->estimator;
    part->preset = r->preset;
    part->changed = r->changed;
    part->said = r->said;
    part->settings = r->settings;
    part->remark = r->remark;
    part->seed = r->seed;
    *out = part;
    return ES_OK;
}

es_status es_results_compare_originals(const es_results *r, es_comparison *comparison,
                                       es_error *err) {
    if (es_results_derived(r) == 0)
        return ES_OK;
    bool *derived = es_alloc(r->m, sizeof *derived);
    if (!derived)
        return es_no_memory_for(err, "%zu embedders", r->m);
    for (size_t i = 0; i < r->m; i++)
        derived[i] = r->label[i] != NULL;
    es_status st = es_comparison_leave_out(comparison, derived, r->m, err);
    es_free(derived);
    return st;
}

size_t es_results_find(const es_results *results, const char *name) {
    for (size_t i = 0; results && name && i < results->m; i++)
        if (es_text_same(results->name[i], name))
            return i;
    return SIZE_MAX;
}

size_t es_results_controls(const es_results *results) {
    size_t controls = 0;
    for (size_t i = 0; results->family && i < results->m; i++)
        controls += es_is_control(results->family[i]);
    return controls;
}

void es_results_touch(es_results *results, size_t source) {
    results->row_revision[source] = ++results->revision;
}

/* Keeps the counts in step with the state. */
static void set_state(es_results *r, size_t at, es_pair_state state) {
    r->done -= r->state[at] == ES_PAIR_DONE;
    r->failed -= r->state[at] == ES_PAIR_FAILED;
    r->state[at] = (uint8_t)state;
    r->done += state == ES_PAIR_DONE;
    r->failed += state == ES_PAIR_FAILED;
    es_results_touch(r, at / r->m);
}

void es_results_give(es_results *r, size_t source, size_t target, double is) {
    r->is[source * r->m + target] = is;
    set_state(r, source * r->m + target, ES_PAIR_DONE);
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
    r->information[at] = result->information;
    r->information_se[at] = result->information_se;
    r->lambda[at] = result->lambda;
    r->rare[target] = result->rare;
    r->limited[target] = result->limited;
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

/* Sets the zero line of a target and keeps the counts. */
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

/* Of limited targets and a fixed penalty, whatever else is set. */
static bool is_limited(const es_results *r) {
    return r->estimator && strcmp(r->estimator->name, ES_PREDICTIVE_ESTIMATOR) == 0 && r->preset &&
           strcmp(r->preset, ES_PREDICTIVE_PRESET) == 0;
}

bool es_results_predictive(const es_results *r) {
    return is_limited(r) && !r->changed;
}

bool es_results_shares(const es_results *r) {
    return !(r->estimator && (r->estimator->lower_is_better || r->estimator->without_whole)) &&
           !is_limited(r);
}

bool es_results_unlimited(const es_results *r) {
    return r->estimator && r->settings && strcmp(r->estimator->name, "knife") == 0 &&
           strstr(r->settings, "recipe=published") != NULL;
}

bool es_results_copy_low(const es_results *r, size_t target, double *is) {
    /* A binary target has no more than its entropy, which is less than a nat. */
    bool binary = r->binary && r->binary[target];
    const double due = binary ? (1 - exp(-2)) * r->h[target] : 1;
    size_t at = target * r->m + target;
    double without;
    *is = r->is[at];
    if (es_results_decided(r, target, target, &without) != SIZE_MAX && without >= due)
        return false; /* one row's doing, which is said of that pair */
    return r->estimator && !r->estimator->lower_is_better && !is_limited(r) &&
           r->state[at] == ES_PAIR_DONE && r->is[at] < due;
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

const double *es_results_information(const es_results *r) {
    return r ? r->information : NULL;
}

const double *es_results_information_se(const es_results *r) {
    return r ? r->information_se : NULL;
}

const double *es_results_lambda(const es_results *r) {
    return r ? r->lambda : NULL;
}

bool es_results_silent(const es_results *r, size_t source, size_t target) {
    if (!r || source >= r->m || target >= r->m)
        return false;
    size_t at = source * r->m + target;
    bool error = r->estimator && r->estimator->lower_is_better;
    return !error && r->state[at] == ES_PAIR_DONE && r->is[at] == 0 && r->se[at] == 0;
}

size_t es_results_rare(const es_results *r, size_t index) {
    return r && r->rare && index < r->m ? r->rare[index] : 0;
}

size_t es_results_limited(const es_results *r, size_t index) {
    return r && r->limited && index < r->m ? r->limited[index] : 0;
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
