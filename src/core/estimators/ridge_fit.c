/* Fits on a factored source (see ridge.h). Rows go through in blocks, kept ones and streamed ones
 * alike, so that both give the same bits. */
#include <math.h>
#include <string.h>

#include "linalg.h"
#include "ridge_factor.h"
#include "simd.h"

/* What a fit is and its scratch; everything is in the caller's arena. */
typedef struct es_ridge_fitted {
    const es_ridge *ridge;
    const es_fold_data *target;
    size_t dv;
    es_ridge_reader z;
    es_fold_reader v;
    float *cross;     /* (rank, dv) Z^T V / n */
    float *coef;      /* (rank, dv) cross / (s + lambda) */
    float *pred;      /* (ES_FOLD_BLOCK, dv), or as many rows as there are */
    unsigned *choice; /* (dv) index of the chosen penalty, or ES_RIDGE_MEAN_ALONE */
    double *total;    /* (dv) mean square of the target column, the target's own if it has it */
    double *drop;     /* (GRID, dv) how much of it each penalty explains */
    double *square;   /* (ES_RIDGE_DIRECTIONS, dv) squares of a block of `cross` */
    bool chosen;      /* penalties were */
    bool silent;      /* the mean alone, for all columns */
} fit;

static void add_squares(const float *x, size_t n, size_t d, double *out) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            out[j] += (double)x[i * d + j] * (double)x[i * d + j];
}

/* f->cross = Z^T V / n and f->total, over the training rows. */
static es_status cross_products(fit *f, es_run *run, es_error *err) {
    size_t n = f->ridge->n_train, rank = f->ridge->rank, size = rank * f->dv;
    const double *known = f->target->square;
    memset(f->total, 0, f->dv * sizeof *f->total);
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
        float *part = at ? f->coef : f->cross; /* coefficients come later */
        es_sgemm_narrow(true, rank, f->dv, count, z, v, part);
        for (size_t i = 0; at && i < size; i++)
            f->cross[i] += part[i];
        if (!known)
            add_squares(v, count, f->dv, f->total);
    }
    for (size_t i = 0; i < size; i++)
        f->cross[i] *= 1 / (float)n;
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

/* Generalised cross-validation (Golub, Heath and Wahba 1979), per target column:
 *   GCV(lambda) = RSS(lambda) / n / (1 - df(lambda) / n)^2,
 * where in the basis of the factor RSS / n = var - sum_k c_k^2 (s_k + 2 lambda) / (s_k + lambda)^2
 * and df = 1 + sum_k s_k / (s_k + lambda). It needs the cross products only. Against choosing on
 * the validation rows it gave a lower held-out H(V|U) on each of three real pools (by 0.002 nats
 * per dimension), brought controls closer to 0, and leaves the validation rows unused for
 * any_evidence. The grid runs from "no slope at all" down, so that ties keep the simpler fit. */
static void choose_penalties(const fit *f, double *variance) {
    double n = (double)f->ridge->n_train, alone = 1 - 1 / n, per_rest[ES_RIDGE_GRID];
    explained(f, es_ridge_grid, f->ridge->rest, ES_RIDGE_GRID);
    for (size_t l = 0; l < ES_RIDGE_GRID; l++)
        per_rest[l] = 1 / (f->ridge->rest[l] * f->ridge->rest[l]);
    for (size_t j = 0; j < f->dv; j++) {
        double best = f->total[j] / (alone * alone);
        f->choice[j] = ES_RIDGE_MEAN_ALONE;
        for (unsigned l = ES_RIDGE_GRID; l-- > 0;) {
            double gcv = generalised_loo(f, l, j, per_rest[l]);
            if (gcv < best) {
                best = gcv;
                f->choice[j] = l;
            }
        }
        /* Where the source has no say, the conditional is the marginal: its variance is 1, so that
         * such a column adds exactly nothing, rather than the gain of a better calibrated spread.
         */
        variance[j] = f->choice[j] == ES_RIDGE_MEAN_ALONE ? 1 : best;
    }
}

static es_status predict(fit *f, es_part part, size_t start, size_t count, es_run *run,
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

/* Gains of squared error over rows, as they are and with squares bounded at 3 standard deviations:
 * the first sees what is known of rare spikes, the second is not blinded by one wild value. */
static const float MOST_SQUARED = 9;
typedef struct gains {
    double sum[2], square[2];
} gains;

static void add_row(gains *g, const double *row) {
    for (int k = 0; k < 2; k++) {
        g->sum[k] += row[k];
        g->square[k] += row[k] * row[k];
    }
}

/* A gain of so much of a column's variance counts however few rows there are: of small pools twice
 * the standard error is more than most sources know. Of 1,993 independent odd pairs (as in
 * test_zero_line.c) 2 lie beyond 2 standard errors of 0 and none beyond 5, as without it 0 and 0;
 * of pairs that share much, 12 embedders of 3 columns of 200 rows, 5 of 396 are given up for lost
 * in place of 50, and the median over pairs of 60 rows is 0.27 in place of 0.11 (0.28 where a
 * penalty is given, and nothing judged). */
static const double MUCH_GAINED = 0.03;

/* The mean over n rows, of d columns together, exceeds twice its standard error either way, or it
 * is large both ways. */
static bool is_clear(const gains *g, size_t n, size_t d) {
    bool clear = false, large = true;
    for (int k = 0; k < 2 && n > 0; k++) {
        double mean = g->sum[k] / (double)n;
        double variance = fmax(g->square[k] - g->sum[k] * mean, 0) / (double)(n - 1);
        clear = clear || (n > 1 && mean > 2 * sqrt(variance / (double)n));
        large = large && mean > MUCH_GAINED * (double)d;
    }
    return n > 0 && (clear || large);
}

/* Does the fit predict the validation rows, which had no part in it, better than the mean does, and
 * better than the predictions of other rows do? The gain of a row is the sum over columns of the
 * drop in squared error. Without the first, a source that knows nothing of a wide target is
 * punished for the noise that some columns always fit, many standard errors below 0. Without the
 * second, a fit to the one row in which a column of the source and one of the target happen to
 * differ from their other rows, a constant on all others, passes for knowledge. */
static es_status any_evidence(fit *f, es_run *run, bool *out, es_error *err) {
    size_t n = f->ridge->n_val;
    const es_simd *simd = es_simd_get(es_isa_level());
    gains mean = {{0}, {0}}, other = {{0}, {0}};
    for (size_t at = 0; at < n; at += ES_FOLD_BLOCK) {
        const float *rows = NULL, *pred = NULL;
        size_t count = es_fold_block(at, n);
        es_status st = predict(f, ES_PART_VAL, at, count, run, &rows, &pred, err);
        if (st != ES_OK)
            return st;
        for (size_t i = 0; i < count; i++) {
            const float *blind = pred + (i + count / 2) % count * f->dv;
            double row[4];
            simd->gains(rows + i * f->dv, pred + i * f->dv, blind, f->dv, MOST_SQUARED, row);
            add_row(&mean, row);
            add_row(&other, row + 2);
        }
    }
    *out = is_clear(&mean, n, f->dv) && is_clear(&other, n, f->dv);
    return ES_OK;
}

static void scale_cross(const fit *f, const double *lambda) {
    for (size_t k = 0; k < f->ridge->rank; k++) {
        float s = (float)f->ridge->s[k];
        const float *from = f->cross + k * f->dv;
        float *to = f->coef + k * f->dv;
        for (size_t j = 0; j < f->dv; j++)
            to[j] = from[j] / (s + (float)lambda[j]);
    }
}

static bool allocate(fit *f, es_arena *arena, es_ridge_result *r) {
    size_t dv = f->dv, rank = f->ridge->rank, n = f->ridge->n_train;
    n = n > f->ridge->n_val ? n : f->ridge->n_val;
    n = n > f->ridge->n_test ? n : f->ridge->n_test;
    f->cross = es_arena_alloc(arena, rank * dv, sizeof *f->cross);
    f->coef = es_arena_alloc(arena, rank * dv, sizeof *f->coef);
    f->pred = es_arena_alloc(arena, es_fold_block(0, n) * dv, sizeof *f->pred);
    f->choice = es_arena_alloc(arena, dv, sizeof *f->choice);
    f->total = es_arena_alloc(arena, dv, sizeof *f->total);
    f->drop = es_arena_alloc(arena, ES_RIDGE_GRID * dv, sizeof *f->drop);
    f->square = es_arena_alloc(arena, ES_RIDGE_DIRECTIONS * dv, sizeof *f->square);
    r->lambda = es_arena_alloc(arena, dv, sizeof *r->lambda);
    r->loo_var = es_arena_alloc(arena, dv, sizeof *r->loo_var);
    return f->cross && f->coef && f->pred && f->choice && f->total && f->drop && f->square &&
           r->lambda && r->loo_var;
}

static void keep_silent(fit *f, es_ridge_result *r) {
    f->silent = true;
    for (size_t j = 0; j < f->dv; j++) {
        f->choice[j] = ES_RIDGE_MEAN_ALONE;
        r->lambda[j] = INFINITY;
        r->loo_var[j] = 1;
    }
}

es_status es_ridge_fit(const es_ridge *ridge, const es_fold_data *target, double lambda,
                       es_arena *arena, es_run *run, es_ridge_result *out, es_error *err) {
    es_ridge_result r;
    fit *f = es_arena_alloc(arena, 1, sizeof *f);
    if (f)
        *f = (fit){.ridge = ridge, .target = target, .dv = target->d, .chosen = isnan(lambda)};
    if (!f || !allocate(f, arena, &r))
        return es_no_memory_for(err, "%zu x %zu", ridge->rank, target->d);
    es_status st = es_ridge_reader_init(&f->z, ridge, arena, err);
    if (st == ES_OK)
        st = es_fold_reader_init(&f->v, target, arena, err);
    if (st == ES_OK)
        st = cross_products(f, run, err);
    if (st != ES_OK)
        return st;
    if (f->chosen) {
        choose_penalties(f, r.loo_var);
        for (size_t j = 0; j < f->dv; j++)
            r.lambda[j] = f->choice[j] == ES_RIDGE_MEAN_ALONE ? (double)INFINITY
                                                              : es_ridge_grid[f->choice[j]];
    } else {
        double rest = es_ridge_mean_rest(ridge, lambda);
        explained(f, &lambda, &rest, 1);
        for (size_t j = 0; j < f->dv; j++) {
            r.lambda[j] = lambda;
            r.loo_var[j] = generalised_loo(f, 0, j, 1 / (rest * rest));
        }
    }
    scale_cross(f, r.lambda);
    bool evidence = true;
    if (f->chosen)
        st = any_evidence(f, run, &evidence, err);
    if (st == ES_OK)
        st = es_run_check(run, err);
    if (st != ES_OK)
        return st;
    if (!evidence)
        keep_silent(f, &r);
    r.fitted = f;
    *out = r;
    return ES_OK;
}

es_status es_ridge_predict(const es_ridge_result *r, es_part part, size_t start, size_t count,
                           es_run *run, const float **rows, const float **predicted,
                           es_error *err) {
    return predict(r->fitted, part, start, count, run, rows, predicted, err);
}

/* out (rows of the part, dv) */
static es_status predict_all(fit *f, es_part part, float *out, es_run *run, es_error *err) {
    size_t n = es_fold_data_count(f->target, part);
    for (size_t at = 0; at < n; at += ES_FOLD_BLOCK) {
        const float *rows = NULL, *pred = NULL;
        size_t count = es_fold_block(at, n);
        es_status st = predict(f, part, at, count, run, &rows, &pred, err);
        if (st == ES_OK)
            st = es_run_check(run, err);
        if (st != ES_OK)
            return st;
        memcpy(out + at * f->dv, pred, count * f->dv * sizeof *out);
    }
    return ES_OK;
}

/* Leave-one-out residuals e (count, dv) of a block of training rows v, predicted as `pred`. gain
 * (count): at the fixed penalty, or NULL when penalties were chosen. */
static void leave_one_out(const fit *f, size_t start, size_t count, const float *v,
                          const float *pred, const float *gain, float *e) {
    for (size_t i = 0; i < count; i++, v += f->dv, pred += f->dv, e += f->dv) {
        const float *row = f->ridge->loo_gain + (start + i) * ES_RIDGE_GAINS;
        if (gain)
            for (size_t j = 0; j < f->dv; j++)
                e[j] = (v[j] - pred[j]) * gain[i];
        else
            for (size_t j = 0; j < f->dv; j++)
                e[j] = (v[j] - pred[j]) * row[f->choice[j]];
    }
}

/* gain (count) of a block of training rows. */
static es_status fixed_gains(fit *f, double lambda, size_t start, size_t count, es_run *run,
                             float *gain, es_error *err) {
    const es_ridge *ridge = f->ridge;
    const float *z = NULL;
    es_status st = es_ridge_reader_read(&f->z, ES_PART_TRAIN, start, count, run, &z, err);
    for (size_t i = 0; st == ES_OK && i < count; i++, z += ridge->rank) {
        double sum = 0;
        for (size_t k = 0; k < ridge->rank; k++)
            sum += (double)z[k] * (double)z[k] / (ridge->s[k] + lambda);
        gain[i] = es_ridge_loo_gain(ridge->n_train, sum);
    }
    return st;
}

/* loo (n_train, dv). lambda: as in es_ridge_result. */
static es_status all_residuals(fit *f, double lambda, float *gain, float *loo, es_run *run,
                               es_error *err) {
    size_t n = f->ridge->n_train;
    for (size_t at = 0; at < n; at += ES_FOLD_BLOCK) {
        const float *rows = NULL, *pred = NULL;
        size_t count = es_fold_block(at, n);
        es_status st = ES_OK;
        if (!f->chosen) /* before predict, which lends its rows until the next call */
            st = fixed_gains(f, lambda, at, count, run, gain, err);
        if (st == ES_OK)
            st = predict(f, ES_PART_TRAIN, at, count, run, &rows, &pred, err);
        if (st == ES_OK)
            st = es_run_check(run, err);
        if (st != ES_OK)
            return st;
        leave_one_out(f, at, count, rows, pred, f->chosen ? NULL : gain, loo + at * f->dv);
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
    float *gain = es_arena_alloc(arena, es_fold_block(0, ridge->n_train), sizeof *gain);
    if (!all.loo || !all.val_pred || !all.test_pred || !gain)
        return es_no_memory_for(err, "the predictions of %zu rows", ridge->n_train);
    if (!ridge->loo_gain)
        return es_fail(err, ES_EINVAL, "residuals were not prepared");
    es_status st = all_residuals(f, r->lambda[0], gain, all.loo, run, err);
    if (st == ES_OK)
        st = predict_all(f, ES_PART_VAL, all.val_pred, run, err);
    if (st == ES_OK)
        st = predict_all(f, ES_PART_TEST, all.test_pred, run, err);
    if (st != ES_OK)
        return st;
    *out = all;
    return ES_OK;
}
