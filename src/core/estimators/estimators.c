/* The table of estimators, and what every estimator gets from its settings and presets. */
#include <stdio.h>
#include <string.h>

#include "core_estimators.h"
#include "estimator_rows.h"

#define ENTRY(name) &es_estimator_##name,
const es_estimator *const es_estimators[] = {ES_ESTIMATORS(ENTRY) NULL};

const es_estimator *es_estimator_find(const char *name) {
    for (size_t i = 0; name && es_estimators[i]; i++)
        if (strcmp(es_estimators[i]->name, name) == 0)
            return es_estimators[i];
    return NULL;
}

const es_estimator *es_estimator_at(size_t index) {
    size_t count = 0;
    while (es_estimators[count])
        count++;
    return index < count ? es_estimators[index] : NULL;
}

const char *es_estimator_name(const es_estimator *estimator) {
    return estimator ? estimator->name : NULL;
}

const char *es_estimator_summary(const es_estimator *estimator) {
    return estimator ? estimator->title : NULL;
}

bool es_estimator_is_lower_better(const es_estimator *estimator) {
    return estimator && estimator->lower_is_better;
}

const es_setting *es_estimator_setting_at(const es_estimator *estimator, size_t index) {
    return estimator && index < estimator->n_settings ? &estimator->settings[index] : NULL;
}

const es_preset *es_estimator_preset_at(const es_estimator *estimator, size_t index) {
    for (size_t i = 0; estimator && estimator->presets[i].name; i++)
        if (i == index)
            return &estimator->presets[i];
    return NULL;
}

const char *es_estimator_remark(const es_estimator *estimator, const es_problem *problem) {
    return estimator->remark ? estimator->remark(problem) : NULL;
}

size_t es_estimator_setting(const es_estimator *estimator, const char *key) {
    return es_setting_find(estimator->settings, estimator->n_settings, key);
}

es_status es_estimator_set(const es_estimator *estimator, const char *assignment, double *values,
                           es_error *err) {
    return es_setting_assign(estimator->settings, estimator->n_settings, estimator->name,
                             assignment, values, err);
}

es_status es_estimator_preset(const es_estimator *estimator, const char *preset, double *values,
                              es_error *err) {
    const es_preset *p = estimator->presets;
    char known[256] = "";
    for (; p->name && preset && strcmp(p->name, preset) != 0; p++)
        es_text_list_add(known, sizeof known, p->name);
    if (!p->name)
        return es_fail(err, ES_ENOTFOUND, "%s has no preset '%s'; it has %s", estimator->name,
                       preset, known);
    for (size_t i = 0; i < estimator->n_settings; i++)
        values[i] = estimator->settings[i].value;
    for (const char *at = p->overrides; *at;) {
        size_t length = strcspn(at, " ");
        char word[128];
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        ES_PASS(es_estimator_set(estimator, word, values, err));
        at += length + strspn(at + length, " ");
    }
    return ES_OK;
}

size_t es_estimator_text(const es_estimator *estimator, const double *values, char *out,
                         size_t capacity) {
    return es_setting_text(estimator->settings, estimator->n_settings, values, out, capacity);
}

/* Bytes and operations by shapes. Bytes are meant as bounds that are close: a test holds them
 * against what is allocated. */

enum { GAINS = ES_RIDGE_GRID + 1, SQUARED_AT_ONCE = 64, FINE_ROWS = 128 };
static const double FLOAT = sizeof(float), DOUBLE = sizeof(double);
/* Of doubles where products are of floats: half as many at a time. */
static const double TWICE = 2;
/* What a transcendental function and its neighbours take, in operations. */
static const double FUNCTION = 40;
/* Storing a pair, telling of it, and what of it does not grow with its shape. */
static const double PAIR = 5e5;

/* The structs of a state and of each of its folds, generously; the first block of an arena. */
static const double HEAD = 1024, BLOCK = 1 << 20;

/* Rows of a fold, and how many folds. */
typedef struct extent {
    double n, train, rest, folds;
} extent;

static extent extent_of(const es_problem *problem) {
    const es_fold *fold = &problem->split->folds[0];
    double n = (double)(fold->n_train + fold->n_val + fold->n_test);
    return (extent){n, (double)fold->n_train, n - (double)fold->n_train,
                    (double)problem->split->n_folds};
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

bool es_is_too_large(const es_problem *problem, size_t columns) {
    const es_split *split = problem->split;
    return problem->keep_bytes > 0 &&
           split->n > problem->keep_bytes / (columns * sizeof(float)) / split->n_folds;
}

/* A block of rows on its way, as floats and, before that, as doubles: of one reader. */
static double reader_bytes(double columns) {
    return ES_FOLD_BLOCK * columns * FLOAT + 32768 * DOUBLE + 8 * columns * DOUBLE;
}

es_cost es_cost_of_rows(const es_problem *problem, es_pair_shape shape, bool source_streamed,
                        bool target_streamed) {
    extent e = extent_of(problem);
    double ds = (double)shape.source, dv = (double)shape.target;
    double per_column = 4 + 4 * DOUBLE + 2 * FLOAT; /* which column, mean, deviation, centre,
                                                       spread, range */
    es_cost c = {0};
    c.source_bytes = e.folds * ds * ((source_streamed ? 0 : e.n * FLOAT) + per_column);
    c.target_bytes = e.folds * dv * ((target_streamed ? 0 : e.n * FLOAT) + per_column);
    double wide = ds > dv ? ds : dv;
    c.making_bytes = (32768 + 13 * wide) * DOUBLE + (target_streamed ? reader_bytes(dv) : 0);
    c.pair_bytes = BLOCK + (double)problem->split->n_eval * (6 * DOUBLE + FLOAT) +
                   (source_streamed ? e.folds * reader_bytes(ds) : 0) +
                   (target_streamed ? e.folds * reader_bytes(dv) : 0);
    c.source_bytes += (1 + e.folds) * HEAD;
    c.target_bytes += (1 + e.folds) * HEAD;
    c.source_operations = e.folds * e.n * ds * 8;
    c.target_operations = e.folds * e.n * dv * 8;
    c.pair_operations = PAIR + (source_streamed ? c.source_operations : 0) +
                        (target_streamed ? c.target_operations : 0);
    return c;
}

es_cost es_cost_of_ridge(const es_problem *problem, es_pair_shape shape, es_cost_ridge how) {
    extent e = extent_of(problem);
    es_cost c = es_cost_of_rows(problem, shape, how.source_streamed, how.target_streamed);
    double ds = (double)shape.source, dv = (double)shape.target, rank = smaller(ds, e.train);
    double rows = c.source_bytes, order = rank;
    bool dual = ds > e.train;
    /* the factor: coordinates, or the basis that makes them again */
    double factor = (how.source_streamed ? ds * rank : e.n * rank) * FLOAT +
                    (1 + ES_RIDGE_GRID) * rank * DOUBLE + e.rest * ES_RIDGE_GRID * FLOAT +
                    (dual ? e.rest * DOUBLE : 0) + (how.residuals ? e.train * GAINS * FLOAT : 0);
    c.source_bytes =
        e.folds * factor + (how.source_rows || how.source_streamed ? rows : (1 + e.folds) * HEAD);
    /* the matrix, LAPACK's workspace of twice that, a block of rows, and the basis */
    c.making_bytes += (3 * order * order + 6 * order + ds) * DOUBLE +
                      (how.source_streamed ? 2 * reader_bytes(ds) : 0) + ds * rank * FLOAT +
                      256 * (dual ? 2 * e.train + rank + 1.25 * ds : ds) * DOUBLE +
                      3 * ds * DOUBLE +
                      (how.source_rows || how.source_streamed ? 0 : e.n * ds * FLOAT);
    /* the fit, of every fold: scratch goes with the pair */
    double fit = 2 * rank * dv * FLOAT + smaller(e.n, ES_FOLD_BLOCK) * dv * FLOAT +
                 (ES_RIDGE_GRID + SQUARED_AT_ONCE + 9) * dv * DOUBLE + 2 * e.rest * DOUBLE;
    if (2 * rank > e.train) /* cross products in double */
        fit += (rank * dv + FINE_ROWS * (rank + dv)) * DOUBLE;
    if (how.source_streamed)
        fit += ES_FOLD_BLOCK * rank * FLOAT + reader_bytes(ds);
    if (how.target_streamed && how.residuals)
        fit += reader_bytes(dv);
    if (how.residuals)
        fit += e.n * dv * FLOAT + e.train * FLOAT;
    c.pair_bytes += e.folds * fit;
    double project = 2 * e.n * ds * rank;
    c.source_operations += e.folds * (TWICE * (dual ? 3 : 1) * e.train * ds * order +
                                      TWICE * 9 * order * order * order + project);
    double passes = how.residuals ? 2 * e.train + 2 * e.rest : e.train + 2 * e.rest;
    c.pair_operations +=
        e.folds * (2 * passes * rank * dv + TWICE * 2 * ES_RIDGE_GRID * rank * dv + e.n * dv * 20);
    if (how.source_streamed)
        c.pair_operations += e.folds * project * passes / e.n;
    return c;
}

void es_cost_add_network(const es_problem *problem, const es_cost_network *w, es_cost *c) {
    extent e = extent_of(problem);
    if (w->all_rows)
        e = (extent){e.n, e.n, e.n / (w->epochs > 1 ? w->epochs : 1), 1};
    double products = w->layers > 0 ? w->in * w->hidden + (w->layers - 1) * w->hidden * w->hidden +
                                          w->hidden * w->out
                                    : w->in * w->out;
    double weights = products + (w->layers * 3 + 1) * w->hidden + 2 * w->out;
    double width = w->in + 6 * w->layers * w->hidden + 6 * w->out;
    /* parameters, gradients, two moments, the best and the first state */
    c->pair_bytes += e.folds * FLOAT * (7 * weights + w->batch * width + e.n);
    c->pair_bytes += e.folds * 6 * e.rest * DOUBLE;
    double steps = e.train / w->batch + 1;
    double epoch = e.train * (6 * products + FUNCTION * w->out) +
                   e.rest * (2 * products + FUNCTION * w->out) + steps * 20 * weights;
    c->pair_operations += e.folds * w->epochs * epoch;
}

es_cost es_estimator_cost(const es_estimator *estimator, const es_problem *problem,
                          es_pair_shape shape) {
    return estimator->cost ? estimator->cost(problem, shape)
                           : es_cost_of_ridge(problem, shape, (es_cost_ridge){.source_rows = true});
}
