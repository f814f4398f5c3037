/* Fits on a factored source (see core_estimators.h). Rows go through in blocks, kept ones and
 * streamed ones alike, so that both give the same bits. */
#include <math.h>
#include <string.h>

#include "core_estimators.h"
#include "core_estimators_parts.h"

/* What a fit is and its scratch; everything is in the caller's arena. */
typedef struct es_ridge_fitted {
    const es_ridge *ridge;
    const es_fold_data *target;
    es_ridge_how how;
    size_t dv;
    es_ridge_reader z;
    es_fold_reader v;
    float *cross;       /* (rank, dv) Z^T V / n */
    float *coef;        /* (rank, dv) cross / (s + lambda) */
    float *pred;        /* (ES_FOLD_BLOCK, dv), or as many rows as there are */
    double *fine;       /* (rank, dv) n cross, and scratch; NULL: summed in float */
    double *total;      /* (dv) mean square of the target column, the target's own if it has it */
    double *drop;       /* (GRID, dv) how much of it each penalty explains */
    double *square;     /* (ES_RIDGE_DIRECTIONS, dv) squares of a block of `cross` */
    bool chosen;        /* penalties were */
    bool silent;        /* the mean alone */
    unsigned choice;    /* index of the chosen penalty, or ES_RIDGE_MEAN_ALONE */
    double *variance;   /* (dv) s2 of a chosen penalty; silent: the marginal's. NULL: given */
    float *inverse;     /* (dv) 1 / variance */
    float *log;         /* (dv) ln variance */
    float *prior;       /* (dv) 1 / variance of the marginal */
    float *zero;        /* (dv) its mean */
    double prior_log;   /* sum of ln variance of the marginal */
    double *gain;       /* (n_val) log density of a validation row, over that of the marginal */
    double *other_gain; /* (n_val) and over that of another row */
} fit;

static void add_squares(const float *x, size_t n, size_t d, double *out) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            out[j] += (double)x[i * d + j] * (double)x[i * d + j];
}

/* How a fit sums its cross products: in double if the source has about as many directions as there
 * are training rows. Then a small penalty leaves little, which is the difference of sums of their
 * squares. A given penalty keeps to float. */
static bool is_fine(const fit *f) {
    return f->chosen && 2 * f->ridge->rank > f->ridge->n_train;
}

enum { FINE_ROWS = 128 }; /* at once */

/* f->fine += Z^T V of a block of rows. */
static void add_finely(const fit *f, size_t count, const float *z, const float *v) {
    size_t rank = f->ridge->rank, dv = f->dv;
    double *turned = f->fine + rank * dv, *values = turned + FINE_ROWS * rank;
    for (size_t at = 0; at < count; at += FINE_ROWS) {
        size_t rows = count - at < FINE_ROWS ? count - at : FINE_ROWS;
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < rank; k++)
                turned[k * rows + i] = (double)z[(at + i) * rank + k];
        for (size_t i = 0; i < rows * dv; i++)
            values[i] = (double)v[at * dv + i];
        es_dgemm_add(rank, dv, rows, turned, values, f->fine);
    }
}

/* f->cross += or, of the first block, = Z^T V. */
static void add_products(const fit *f, bool first, size_t count, const float *z, const float *v) {
    size_t rank = f->ridge->rank, size = rank * f->dv;
    if (is_fine(f)) {
        add_finely(f, count, z, v);
        return;
    }
    float *part = first ? f->cross : f->coef; /* coefficients come later */
    es_sgemm_narrow(true, rank, f->dv, count, z, v, part);
    for (size_t i = 0; !first && i < size; i++)
        f->cross[i] += part[i];
}

/* f->cross = Z^T V / n and f->total, over the training rows. */
static es_status cross_products(fit *f, es_run *run, es_error *err) {
    size_t n = f->ridge->n_train, rank = f->ridge->rank, size = rank * f->dv;
    const double *known = f->target->square;
    memset(f->total, 0, f->dv * sizeof *f->total);
    if (is_fine(f))
        memset(f->fine, 0, size * sizeof *f->fine);
    for (size_t at = 0; at < n; at += ES_FOLD_BLOCK) {
        const float *z = NULL, *v = NULL;
        size_t count = es_fold_block(at, n);
        es_status st = es_ridge_reader_read(&f->z, ES_PART_TRAIN, at, count, run, &z, err);
        if (st == ES_OK)
            st = es_fold_reader_read(&f->v, ES_PART_TRAIN, at, count, run, &v, err);
        if (st == ES_OK)
            st = es_run_check(run, err);
        if (st != ES_OK)
            return st;
        add_products(f, at == 0, count, z, v);
        if (!known)
            add_squares(v, count, f->dv, f->total);
    }
    for (size_t i = 0; i < size; i++)
        f->cross[i] = is_fine(f) ? (float)(f->fine[i] / (double)n) : f->cross[i] * (1 / (float)n);
    for (size_t j = 0; j < f->dv; j++)
        f->total[j] = known ? known[j] : f->total[j] / (double)n;
    return es_run_check(run, err);
}

/* drop (count, dv) = W C^2 with W (count, rank) = (s + 2 lambda) / (s + lambda)^2: one product for
 * all penalties and columns, a block of directions at a time; of penalties that leave little (see
 * es_ridge_is_left), W = lambda^2 / (s (s + lambda)^2) and total - W C^2. The grid's weights are
 * the source's. */
static void explained(const fit *f, const double *lambda, const double *rest, size_t count) {
    double weight[ES_RIDGE_DIRECTIONS];
    const es_ridge *ridge = f->ridge;
    memset(f->drop, 0, count * f->dv * sizeof *f->drop);
    for (size_t k = 0; k < ridge->rank; k += ES_RIDGE_DIRECTIONS) {
        size_t rows = es_ridge_block(ridge, k);
        const float *cross = f->cross + k * f->dv;
        for (size_t i = 0; i < rows * f->dv; i++)
            f->square[i] = (double)cross[i] * (double)cross[i];
        if (count == 1)
            es_ridge_weigh(ridge, lambda, rest, 1, k, weight);
        es_dgemm_add(count, f->dv, rows, count == 1 ? weight : ridge->weight + count * k, f->square,
                     f->drop);
    }
    for (size_t l = 0; l < count; l++) {
        bool left = es_ridge_is_left(ridge, rest[l]);
        for (size_t j = 0; left && j < f->dv; j++)
            f->drop[l * f->dv + j] = f->total[j] - f->drop[l * f->dv + j];
    }
}

/* The square of column j's residuals when each row is left out in turn, every row given the mean
 * leverage: RSS / n / (1 - df / n)^2. */
static double generalised_loo(const fit *f, size_t l, size_t j, double per_rest) {
    double left = f->total[j] - f->drop[l * f->dv + j];
    return (left > 0 ? left : 0) * per_rest;
}

/* variance (dv): generalised leave-one-out variances under penalty l of the grid, or without a
 * slope. Returns the sum over columns of ln v + G / v, v the floored variance. */
static double penalty_loss(const fit *f, unsigned l, double *variance) {
    double n = (double)f->ridge->n_train, loss = 0;
    double rest = l == ES_RIDGE_MEAN_ALONE ? 1 - 1 / n : f->ridge->rest[l];
    for (size_t j = 0; j < f->dv; j++) {
        double g = l == ES_RIDGE_MEAN_ALONE ? f->total[j] / (rest * rest)
                                            : generalised_loo(f, l, j, 1 / (rest * rest));
        double v = fmax(g, f->how.floor);
        variance[j] = g;
        loss += log(v) + g / v;
    }
    return loss;
}

/* Generalised cross-validation (Golub, Heath and Wahba 1979) of all columns together: in the basis
 * of the factor
 *   G(lambda) = RSS(lambda) / n / (1 - df(lambda) / n)^2,
 *   RSS / n = var - sum_k c_k^2 (s_k + 2 lambda) / (s_k + lambda)^2,  df = 1 + sum_k s_k / (s_k +
 * lambda), and the pair takes the penalty whose Gaussians lose least. A penalty per column follows
 * the noise of rare columns: a column with three active rows takes the smallest, and predicts -40
 * standard deviations elsewhere. The grid runs from no slope down, so that ties keep the simpler
 * fit. */
static void choose_penalty(fit *f, double *variance) {
    explained(f, es_ridge_grid, f->ridge->rest, ES_RIDGE_GRID);
    double best = penalty_loss(f, ES_RIDGE_MEAN_ALONE, variance);
    f->choice = ES_RIDGE_MEAN_ALONE;
    for (unsigned l = ES_RIDGE_GRID; l-- > 0;) {
        double loss = penalty_loss(f, l, variance);
        if (loss < best) {
            best = loss;
            f->choice = l;
        }
    }
    (void)penalty_loss(f, f->choice, variance);
}

/* Reads a block of target rows and predicts them from the source; NULL prediction: the mean. */
static es_status predict_block(fit *f, es_part part, size_t start, size_t count, es_run *run,
                               const float **rows, const float **predicted, es_error *err) {
    const float *z = NULL;
    es_status st = es_fold_reader_read(&f->v, part, start, count, run, rows, err);
    if (st == ES_OK && !f->silent)
        st = es_ridge_reader_read(&f->z, part, start, count, run, &z, err);
    if (st != ES_OK)
        return st;
    if (f->silent)
        memset(f->pred, 0, count * f->dv * sizeof *f->pred);
    else
        es_sgemm_narrow(false, count, f->dv, f->ridge->rank, z, f->coef, f->pred);
    *predicted = f->pred;
    return ES_OK;
}

/* How much wider than s2 the predictive variance of a row is: 1 + h. */
static double widening(const fit *f, es_part part, size_t row) {
    const es_ridge *ridge = f->ridge;
    if (f->silent)
        return 1;
    if (part == ES_PART_TRAIN)
        return (double)ridge->loo_gain[row * ES_RIDGE_GAINS + f->choice];
    row += part == ES_PART_TEST ? ridge->n_val : 0;
    return 1 + (double)ridge->leverage[row * ES_RIDGE_GRID + f->choice];
}

void es_ridge_log_variance(const es_ridge_result *r, es_part part, size_t row, float *out) {
    const fit *f = r->fitted;
    float wider = (float)log(widening(f, part, row)), least = (float)log(f->how.floor);
    for (size_t j = 0; j < f->dv; j++) {
        float value = f->log[j] + wider;
        out[j] = value < least ? least : value;
    }
}

static double row_misfit(const fit *f, es_part part, size_t row, const float *v,
                         const float *pred) {
    const es_simd *simd = es_simd_get(es_isa_level());
    return simd->widened(v, pred, f->inverse, f->log, (float)widening(f, part, row),
                         (float)f->how.floor, f->dv);
}

void es_ridge_misfit(const es_ridge_result *r, es_part part, size_t start, size_t count,
                     const float *rows, const float *predicted, double *out) {
    const fit *f = r->fitted;
    for (size_t i = 0; i < count; i++)
        out[i] = row_misfit(f, part, start + i, rows + i * f->dv, predicted + i * f->dv);
}

/* The mean over n rows is above so many standard errors, and above rounding in d columns. */
static bool is_clear(const double *gain, size_t n, size_t d, double clear) {
    const double rounding = 1e-6;
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        mean += gain[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (gain[i] - mean) * (gain[i] - mean);
    double error = n > 1 ? sqrt(square / (double)(n - 1) / (double)n) : (double)INFINITY;
    return mean > clear * error + rounding * (double)d;
}

/* Does the density predict the validation rows, which had no part in it, better than the marginal
 * does, and better than the densities of other rows, half a block further on? Without the first, a
 * source that knows nothing of a wide target is charged for the noise that some columns always fit.
 * Without the second, a fit to the one row in which a column of the source and one of the target
 * happen to differ from their other rows, a constant on all others, passes for knowledge. */
static es_status any_evidence(fit *f, es_run *run, bool *out, es_error *err) {
    size_t n = f->ridge->n_val, d = f->dv;
    const es_simd *simd = es_simd_get(es_isa_level());
    for (size_t at = 0; at < n; at += ES_FOLD_BLOCK) {
        const float *rows = NULL, *pred = NULL;
        size_t count = es_fold_block(at, n);
        ES_PASS(predict_block(f, ES_PART_VAL, at, count, run, &rows, &pred, err));
        for (size_t i = 0; i < count; i++) {
            const float *v = rows + i * d;
            size_t other = (i + count / 2) % count;
            double own = row_misfit(f, ES_PART_VAL, at + i, v, pred + i * d);
            double blind = row_misfit(f, ES_PART_VAL, at + other, v, pred + other * d);
            double prior = simd->misfit(v, f->zero, f->prior, d) + f->prior_log;
            f->gain[at + i] = (prior - own) / 2;
            f->other_gain[at + i] = (blind - own) / 2;
        }
    }
    double clear = f->how.clear > 0 ? f->how.clear : 0.5;
    *out = is_clear(f->gain, n, d, clear) && is_clear(f->other_gain, n, d, clear);
    return ES_OK;
}

static void scale_cross(const fit *f, double lambda) {
    for (size_t k = 0; k < f->ridge->rank; k++) {
        float s = (float)f->ridge->s[k] + (float)lambda;
        const float *from = f->cross + k * f->dv;
        float *to = f->coef + k * f->dv;
        for (size_t j = 0; j < f->dv; j++)
            to[j] = from[j] / s;
    }
}

/* What choosing a penalty needs. */
static bool allocate_chosen(fit *f, es_arena *arena) {
    size_t dv = f->dv, n_val = f->ridge->n_val;
    f->variance = es_arena_alloc(arena, dv, sizeof *f->variance);
    f->inverse = es_arena_alloc(arena, 4 * dv, sizeof *f->inverse);
    f->gain = es_arena_alloc(arena, 2 * n_val, sizeof *f->gain);
    if (is_fine(f)) {
        size_t rank = f->ridge->rank;
        f->fine = es_arena_alloc(arena, rank * dv + FINE_ROWS * (rank + dv), sizeof *f->fine);
        if (!f->fine)
            return false;
    }
    if (!f->variance || !f->inverse || !f->gain)
        return false;
    f->log = f->inverse + dv;
    f->prior = f->log + dv;
    f->zero = f->prior + dv;
    f->other_gain = f->gain + n_val;
    return true;
}

static bool allocate_fit(fit *f, es_arena *arena, es_ridge_result *r) {
    size_t dv = f->dv, rank = f->ridge->rank, n = f->ridge->n_train;
    n = n > f->ridge->n_val ? n : f->ridge->n_val;
    n = n > f->ridge->n_test ? n : f->ridge->n_test;
    f->cross = es_arena_alloc(arena, rank * dv, sizeof *f->cross);
    f->coef = es_arena_alloc(arena, rank * dv, sizeof *f->coef);
    f->pred = es_arena_alloc(arena, es_fold_block(0, n) * dv, sizeof *f->pred);
    f->total = es_arena_alloc(arena, dv, sizeof *f->total);
    f->drop = es_arena_alloc(arena, ES_RIDGE_GRID * dv, sizeof *f->drop);
    f->square = es_arena_alloc(arena, ES_RIDGE_DIRECTIONS * dv, sizeof *f->square);
    r->loo_var = es_arena_alloc(arena, dv, sizeof *r->loo_var);
    return f->cross && f->coef && f->pred && f->total && f->drop && f->square && r->loo_var &&
           (!f->chosen || allocate_chosen(f, arena));
}

/* The densities of a chosen penalty and of the marginal. */
static void describe(fit *f, const double *loo_var) {
    double share = f->ridge->rest[f->choice];
    f->prior_log = 0;
    for (size_t j = 0; j < f->dv; j++) {
        double prior = es_fold_data_prior(f->target, j, f->how.floor);
        f->variance[j] = loo_var[j] * share; /* RSS / (n - df) */
        f->inverse[j] = (float)(1 / f->variance[j]);
        f->log[j] = (float)log(f->variance[j]);
        f->prior[j] = (float)(1 / prior);
        f->zero[j] = 0;
        f->prior_log += log(prior);
    }
}

/* Keeps the mean alone as prediction, since no penalty predicts better. */
static void keep_silent(fit *f, es_ridge_result *r) {
    f->silent = true;
    f->choice = ES_RIDGE_MEAN_ALONE;
    r->lambda = INFINITY;
    for (size_t j = 0; j < f->dv; j++) {
        f->variance[j] = r->loo_var[j] = es_fold_data_prior(f->target, j, f->how.floor);
        f->log[j] = (float)log(f->variance[j]);
    }
}

static es_status fit_chosen(fit *f, es_run *run, es_ridge_result *r, es_error *err) {
    bool evidence = false;
    es_status st = ES_OK;
    choose_penalty(f, r->loo_var);
    if (f->choice != ES_RIDGE_MEAN_ALONE) {
        r->lambda = es_ridge_grid[f->choice];
        describe(f, r->loo_var);
        scale_cross(f, r->lambda);
        st = any_evidence(f, run, &evidence, err);
    }
    if (st == ES_OK && !evidence)
        keep_silent(f, r);
    return st;
}

void es_ridge_refit(es_ridge_result *r, const es_ridge_how *how) {
    fit *f = r->fitted;
    double rest = fmax(es_ridge_mean_rest(f->ridge, how->lambda), how->rest);
    f->how = *how;
    f->chosen = f->silent = false;
    r->lambda = how->lambda;
    explained(f, &r->lambda, &rest, 1);
    for (size_t j = 0; j < f->dv; j++)
        r->loo_var[j] = generalised_loo(f, 0, j, 1 / (rest * rest));
    scale_cross(f, r->lambda);
}

es_status es_ridge_fit(const es_ridge *ridge, const es_fold_data *target, const es_ridge_how *how,
                       es_arena *arena, es_run *run, es_ridge_result *out, es_error *err) {
    es_ridge_result r = {.fitted = es_arena_alloc(arena, 1, sizeof *r.fitted)};
    fit *f = r.fitted;
    if (f)
        *f = (fit){.ridge = ridge,
                   .target = target,
                   .how = *how,
                   .dv = target->d,
                   .chosen = isnan(how->lambda)};
    if (!f || !allocate_fit(f, arena, &r))
        return es_no_memory_for(err, "%zu x %zu", ridge->rank, target->d);
    if (f->chosen && !ridge->leverage)
        return es_fail(err, ES_EINVAL, "the leverage of rows was not prepared");
    es_status st = es_ridge_reader_init(&f->z, ridge, arena, err);
    if (st == ES_OK)
        st = es_fold_reader_init(&f->v, target, arena, err);
    if (st == ES_OK)
        st = cross_products(f, run, err);
    if (st == ES_OK && f->chosen)
        st = fit_chosen(f, run, &r, err);
    else if (st == ES_OK)
        es_ridge_refit(&r, how);
    if (st == ES_OK)
        st = es_run_check(run, err);
    if (st == ES_OK)
        *out = r;
    return st;
}

es_status es_ridge_predict(const es_ridge_result *r, es_part part, size_t start, size_t count,
                           es_run *run, const float **rows, const float **predicted,
                           es_error *err) {
    return predict_block(r->fitted, part, start, count, run, rows, predicted, err);
}

/* out (rows of the part, dv) */
static es_status predict_all(fit *f, es_part part, float *out, es_run *run, es_error *err) {
    size_t n = es_fold_data_count(f->target, part);
    for (size_t at = 0; at < n; at += ES_FOLD_BLOCK) {
        const float *rows = NULL, *pred = NULL;
        size_t count = es_fold_block(at, n);
        es_status st = predict_block(f, part, at, count, run, &rows, &pred, err);
        if (st == ES_OK)
            st = es_run_check(run, err);
        if (st != ES_OK)
            return st;
        memcpy(out + at * f->dv, pred, count * f->dv * sizeof *out);
    }
    return ES_OK;
}

/* Leave-one-out residuals e (count, dv) of a block of training rows v, predicted as `pred`. 1 / (1
 * - h) has no bound: a prediction beyond the training range of its column is taken to its end. */
static void leave_one_out(const fit *f, size_t start, size_t count, const float *v,
                          const float *pred, float *e) {
    const float *low = f->target->low, *high = f->target->high;
    for (size_t i = 0; i < count; i++, v += f->dv, pred += f->dv, e += f->dv) {
        float gain = f->ridge->loo_gain[(start + i) * ES_RIDGE_GAINS + f->choice];
        for (size_t j = 0; j < f->dv; j++)
            e[j] = (v[j] - pred[j]) * gain;
        for (size_t j = 0; low && j < f->dv; j++) {
            e[j] = e[j] > v[j] - low[j] ? v[j] - low[j] : e[j];
            e[j] = e[j] < v[j] - high[j] ? v[j] - high[j] : e[j];
        }
    }
}

/* loo (n_train, dv) */
static es_status all_residuals(fit *f, float *loo, es_run *run, es_error *err) {
    size_t n = f->ridge->n_train;
    for (size_t at = 0; at < n; at += ES_FOLD_BLOCK) {
        const float *rows = NULL, *pred = NULL;
        size_t count = es_fold_block(at, n);
        es_status st = predict_block(f, ES_PART_TRAIN, at, count, run, &rows, &pred, err);
        if (st == ES_OK)
            st = es_run_check(run, err);
        if (st != ES_OK)
            return st;
        leave_one_out(f, at, count, rows, pred, loo + at * f->dv);
    }
    return ES_OK;
}

es_status es_ridge_whole(const es_ridge_result *r, es_arena *arena, es_run *run, es_ridge_rows *out,
                         es_error *err) {
    fit *f = r->fitted;
    const es_ridge *ridge = f->ridge;
    es_ridge_rows all = {
        .loo = es_arena_alloc(arena, ridge->n_train * f->dv, sizeof *all.loo),
        .val_pred = es_arena_alloc(arena, ridge->n_val * f->dv, sizeof *all.val_pred),
        .test_pred = es_arena_alloc(arena, ridge->n_test * f->dv, sizeof *all.test_pred)};
    if (!all.loo || !all.val_pred || !all.test_pred)
        return es_no_memory_for(err, "the predictions of %zu rows", ridge->n_train);
    if (!ridge->loo_gain || !f->chosen)
        return es_fail(err, ES_EINVAL, "residuals were not prepared");
    ES_PASS(all_residuals(f, all.loo, run, err));
    ES_PASS(predict_all(f, ES_PART_VAL, all.val_pred, run, err));
    ES_PASS(predict_all(f, ES_PART_TEST, all.test_pred, run, err));
    *out = all;
    return ES_OK;
}

/* How often the columns of a source repeat each other, for factors in which copies count once. The
 * power 16 of a correlation is 0.85 at 0.99 and 0.03 at 0.8: columns that are merely related keep
 * their weight. */

size_t es_ridge_columns(const es_fold_data *source, const double *mean, const double *weight,
                        size_t j, double *block) {
    size_t n = source->n_train, d = source->d, left = d - j;
    size_t count = left < ES_RIDGE_COLUMNS ? left : ES_RIDGE_COLUMNS;
    for (size_t c = 0; c < count; c++) {
        double factor = weight ? weight[j + c] : 1;
        for (size_t i = 0; i < n; i++)
            block[c * n + i] = ((double)source->train[i * d + j + c] - mean[j + c]) * factor;
    }
    return count;
}

static double power16(double r) {
    double square = r * r, fourth = square * square, eighth = fourth * fourth;
    return eighth * eighth;
}

void es_ridge_count_once(size_t d, double *covariance, double *weight) {
    for (size_t j = 0; j < d; j++)
        weight[j] = 1;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < i; j++) {
            double product = covariance[i * d + i] * covariance[j * d + j];
            double alike = product > 0 ? power16(covariance[i * d + j] / sqrt(product)) : 0;
            weight[i] += alike;
            weight[j] += alike;
        }
    for (size_t j = 0; j < d; j++)
        weight[j] = 1 / sqrt(weight[j]);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++)
            covariance[i * d + j] *= weight[i] * weight[j];
}

/* scale (d): 1 / length of each centred column. */
static void lengths(const es_fold_data *source, const double *mean, double *block, double *scale) {
    size_t n = source->n_train;
    for (size_t j = 0; j < source->d; j += ES_RIDGE_COLUMNS) {
        size_t count = es_ridge_columns(source, mean, NULL, j, block);
        for (size_t c = 0; c < count; c++) {
            double square = 0;
            for (size_t i = 0; i < n; i++)
                square += block[c * n + i] * block[c * n + i];
            scale[j + c] = square > 0 ? 1 / sqrt(square) : 0;
        }
    }
}

/* Adds the powers of the correlations (columns_a, columns_b) of two blocks of columns. */
static void add_powers(const double *r, size_t columns_a, size_t columns_b, bool same,
                       double *sum_a, double *sum_b) {
    for (size_t i = 0; i < columns_a; i++)
        for (size_t j = 0; j < columns_b; j++) {
            double alike = same && i == j ? 1 : power16(r[i * columns_b + j]);
            sum_a[i] += alike;
            if (!same)
                sum_b[j] += alike;
        }
}

es_status es_ridge_count_columns(const es_fold_data *source, const double *mean, double *weight,
                                 es_run *run, es_error *err) {
    enum { C = ES_RIDGE_COLUMNS };
    size_t n = source->n_train, d = source->d;
    double *a = es_alloc_aligned((2 * n + C) * C, sizeof *a), *scale = es_alloc(d, sizeof *scale);
    es_status st = a && scale ? ES_OK : es_no_memory_for(err, "correlations of %zu columns", d);
    double *b = a ? a + C * n : NULL, *r = a ? b + C * n : NULL;
    if (st == ES_OK)
        lengths(source, mean, a, scale);
    for (size_t j = 0; st == ES_OK && j < d; j++)
        weight[j] = 0;
    for (size_t i = 0; i < d && st == ES_OK; i += C) {
        size_t rows = es_ridge_columns(source, mean, scale, i, a);
        for (size_t j = 0; j <= i && st == ES_OK; j += C) {
            size_t columns = es_ridge_columns(source, mean, scale, j, b);
            es_dgemm(false, true, rows, columns, n, a, b, r);
            add_powers(r, rows, columns, i == j, weight + i, weight + j);
            st = es_run_check(run, err);
        }
    }
    for (size_t j = 0; st == ES_OK && j < d; j++)
        weight[j] = 1 / sqrt(weight[j]);
    es_free(a);
    es_free(scale);
    return st;
}
