/* The factor of a source for ridge regression: eigenvectors of its training covariance, or of the
 * Gram matrix where that is smaller, made once and shared by all targets and penalties. */
#include "ridge_factor.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "alloc.h"
#include "linalg.h"

/* Ten penalties, evenly spaced on a log scale from 1e-3 to 1e3. */
const double es_ridge_grid[ES_RIDGE_GRID] = {1e-3, 4.6415888336127782e-3, 2.1544346900318843e-2,
                                             1e-1, 4.6415888336127775e-1, 2.1544346900318838,
                                             1e1,  4.6415888336127793e1,  2.1544346900318823e2,
                                             1e3};

/* Directions whose variance is below this share of the largest are rounding of float32 input. */
static const double RANK_TOLERANCE = 1e-10;
/* A row with leverage 1 predicts itself; its leave-one-out residual has no finite closed form. */
static const double MIN_ONE_MINUS_LEVERAGE = 1e-6;

/* Column means of the training rows: clipping has moved them away from 0. */
static es_status train_mean(es_fold_reader *x, double *mean, es_run *run, es_error *err) {
    size_t d = x->data->d, n = x->data->n_train;
    memset(mean, 0, d * sizeof *mean);
    for (size_t at = 0; at < n; at += ES_FOLD_BLOCK) {
        const float *rows;
        size_t count = es_fold_block(at, n);
        es_status st = es_fold_reader_read(x, ES_PART_TRAIN, at, count, run, &rows, err);
        if (st != ES_OK)
            return st;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < d; j++)
                mean[j] += (double)rows[i * d + j];
    }
    for (size_t j = 0; j < d; j++)
        mean[j] /= (double)n;
    return ES_OK;
}

/* matrix += sum over steps of (centred rows)^T (centred rows): the covariance times n. */
static es_status covariance(es_fold_reader *x, const double *mean, double *matrix, es_run *run,
                            es_error *err) {
    enum { STEP = 256 };
    size_t d = x->data->d, n = x->data->n_train;
    double *centred = es_alloc_aligned(STEP * d, sizeof *centred);
    if (!centred)
        return es_no_memory_for(err, "a covariance of %zu columns", d);
    es_status st = ES_OK;
    for (size_t at = 0; at < n && st == ES_OK; at += ES_FOLD_BLOCK) {
        const float *rows = NULL;
        size_t block = es_fold_block(at, n);
        st = es_fold_reader_read(x, ES_PART_TRAIN, at, block, run, &rows, err);
        for (size_t i = 0; i < block && st == ES_OK; i += STEP) {
            size_t count = block - i < STEP ? block - i : STEP;
            for (size_t r = 0; r < count; r++)
                for (size_t j = 0; j < d; j++)
                    centred[r * d + j] = (double)rows[(i + r) * d + j] - mean[j];
            es_dsyrk_add(count, d, centred, matrix);
            st = es_run_check(run, err);
        }
    }
    es_free(centred);
    return st;
}

enum { COLUMNS = 256 }; /* of a source with more columns than training rows, at once */

/* Columns j .. j + result of the centred training rows, one after the other. */
static size_t centred_columns(const es_fold_data *x, const double *mean, size_t j, double *block) {
    size_t n = x->n_train, count = x->d - j < COLUMNS ? x->d - j : COLUMNS;
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < n; i++)
            block[c * n + i] = (double)x->train[i * x->d + j + c] - mean[j + c];
    return count;
}

/* matrix += the Gram matrix of the centred rows. */
static es_status gram(const es_fold_data *x, const double *mean, double *matrix, es_run *run,
                      es_error *err) {
    size_t n = x->n_train;
    double *block = es_alloc_aligned(COLUMNS * n, sizeof *block);
    if (!block)
        return es_no_memory_for(err, "a Gram matrix of %zu rows", n);
    es_status st = ES_OK;
    for (size_t j = 0; j < x->d && st == ES_OK; j += COLUMNS) {
        size_t count = centred_columns(x, mean, j, block);
        es_dsyrk_add(count, n, block, matrix);
        st = es_run_check(run, err);
    }
    es_free(block);
    return st;
}

/* basis (d, rank) = X^T u / sqrt(n s) for the Gram matrix's eigenvectors u (rank, n). In double: in
 * a direction of little variance much cancels, and what rounding leaves of the large ones there
 * would be more than it. */
static es_status basis_of_gram(const es_fold_data *x, const double *mean, const double *u,
                               es_ridge *ridge, es_run *run, es_error *err) {
    size_t n = x->n_train, rank = ridge->rank;
    double *block = es_alloc_aligned(COLUMNS * n, sizeof *block);
    double *product = es_alloc_aligned(COLUMNS * rank, sizeof *product);
    es_status st =
        block && product ? ES_OK : es_no_memory_for(err, "%zu directions of %zu rows", rank, n);
    for (size_t j = 0; j < x->d && st == ES_OK; j += COLUMNS) {
        size_t count = centred_columns(x, mean, j, block);
        es_dgemm(false, true, count, rank, n, block, u, product);
        for (size_t c = 0; c < count; c++)
            for (size_t k = 0; k < rank; k++)
                ridge->basis[(j + c) * rank + k] =
                    (float)(product[c * rank + k] / sqrt((double)n * ridge->s[k]));
        st = es_run_check(run, err);
    }
    es_free(block);
    es_free(product);
    return st;
}

/* ridge->basis: the kept directions as columns, from eigenvectors (rows of `vectors`, from row
 * `first`) of the covariance or of the Gram matrix. */
static es_status make_basis(const es_fold_data *x, const double *mean, const double *vectors,
                            size_t first, bool dual, es_ridge *ridge, es_run *run, es_error *err) {
    size_t d = x->d, rank = ridge->rank;
    ridge->basis = es_alloc_aligned(d * rank, sizeof *ridge->basis);
    if (!ridge->basis)
        return es_no_memory_for(err, "%zu directions", rank);
    if (dual)
        return basis_of_gram(x, mean, vectors + first * x->n_train, ridge, run, err);
    for (size_t k = 0; k < rank; k++)
        for (size_t j = 0; j < d; j++)
            ridge->basis[j * rank + k] = (float)vectors[(first + k) * d + j];
    return ES_OK;
}

static es_status make_shift(es_ridge *ridge, const double *mean, size_t d, es_error *err) {
    size_t rank = ridge->rank;
    double *shift = es_alloc_zero(rank, sizeof *shift);
    ridge->shift = es_alloc(rank, sizeof *ridge->shift);
    if (!shift || !ridge->shift) {
        es_free(shift);
        return es_no_memory_for(err, "%zu directions", rank);
    }
    for (size_t j = 0; j < d; j++)
        for (size_t k = 0; k < rank; k++)
            shift[k] += mean[j] * (double)ridge->basis[j * rank + k];
    for (size_t k = 0; k < rank; k++)
        ridge->shift[k] = (float)shift[k];
    es_free(shift);
    return ES_OK;
}

/* Coordinates of a block of rows: (x - mean) * basis. */
static void project(const es_ridge *ridge, size_t d, const float *x, size_t count, float *z) {
    size_t rank = ridge->rank;
    es_sgemm(false, count, rank, d, 1, x, ridge->basis, z);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < rank; k++)
            z[i * rank + k] -= ridge->shift[k];
}

/* Those of all rows, in the blocks that a reader would make. */
static es_status keep_coordinates(es_fold_reader *x, es_ridge *ridge, es_run *run, es_error *err) {
    size_t d = x->data->d, rank = ridge->rank, n = ridge->n_train + ridge->n_val + ridge->n_test;
    ridge->z_train = es_alloc_aligned(n * rank, sizeof *ridge->z_train);
    if (!ridge->z_train)
        return es_no_memory_for(err, "%zu x %zu coordinates", n, rank);
    ridge->z_val = ridge->z_train + ridge->n_train * rank;
    ridge->z_test = ridge->z_val + ridge->n_val * rank;
    float *z = ridge->z_train;
    for (es_part part = ES_PART_TRAIN; part <= ES_PART_TEST; part++)
        for (size_t at = 0; at < es_fold_data_count(x->data, part); at += ES_FOLD_BLOCK) {
            const float *rows = NULL;
            size_t count = es_fold_block(at, es_fold_data_count(x->data, part));
            es_status st = es_fold_reader_read(x, part, at, count, run, &rows, err);
            if (st == ES_OK)
                st = es_run_check(run, err);
            if (st != ES_OK)
                return st;
            project(ridge, d, rows, count, z);
            z += count * rank;
        }
    return ES_OK;
}

double es_ridge_rest(double rest) {
    return rest > MIN_ONE_MINUS_LEVERAGE ? rest : MIN_ONE_MINUS_LEVERAGE;
}

float es_ridge_loo_gain(size_t n, double sum) {
    return (float)(1 / es_ridge_rest(1 - (1 + sum) / (double)n));
}

double es_ridge_mean_rest(const es_ridge *ridge, double lambda) {
    double df = 1;
    for (size_t k = 0; k < ridge->rank; k++)
        df += ridge->s[k] / (ridge->s[k] + lambda);
    return es_ridge_rest(1 - df / (double)ridge->n_train);
}

size_t es_ridge_block(const es_ridge *ridge, size_t k) {
    return ridge->rank - k < ES_RIDGE_DIRECTIONS ? ridge->rank - k : ES_RIDGE_DIRECTIONS;
}

/* Where there are as many directions as rows allow, they explain everything but for the penalty.
 * When little is left, that is summed: the difference of two sums in single precision would be
 * rounding, which a square near 0 then divides. */
bool es_ridge_is_left(const es_ridge *ridge, double rest) {
    return ridge->rank + 1 >= ridge->n_train && rest < 0.2;
}

void es_ridge_weigh(const es_ridge *ridge, const double *lambda, const double *rest, size_t count,
                    size_t k, double *weight) {
    size_t rows = es_ridge_block(ridge, k);
    for (size_t l = 0; l < count; l++) {
        bool left = es_ridge_is_left(ridge, rest[l]);
        for (size_t i = 0; i < rows; i++) {
            double s = ridge->s[k + i], sum = s + lambda[l];
            weight[l * rows + i] =
                (left ? lambda[l] * lambda[l] / s : sum + lambda[l]) / (sum * sum);
        }
    }
}

/* What every fit over the grid needs, whatever its target. */
static es_status weigh_grid(es_ridge *ridge, es_error *err) {
    ridge->weight = es_alloc(ES_RIDGE_GRID * ridge->rank, sizeof *ridge->weight);
    if (!ridge->weight)
        return es_no_memory_for(err, "%zu directions", ridge->rank);
    for (size_t l = 0; l < ES_RIDGE_GRID; l++)
        ridge->rest[l] = es_ridge_mean_rest(ridge, es_ridge_grid[l]);
    for (size_t k = 0; k < ridge->rank; k += ES_RIDGE_DIRECTIONS)
        es_ridge_weigh(ridge, es_ridge_grid, ridge->rest, ES_RIDGE_GRID, k,
                       ridge->weight + ES_RIDGE_GRID * k);
    return ES_OK;
}

/* gain (GAINS) of a row with coordinates z. */
static void row_gains(const es_ridge *ridge, const double *weight, const float *z, float *gain) {
    double sum[ES_RIDGE_GRID] = {0};
    for (size_t k = 0; k < ridge->rank; k++) {
        double square = (double)z[k] * (double)z[k];
        for (size_t l = 0; l < ES_RIDGE_GRID; l++)
            sum[l] += square * weight[k * ES_RIDGE_GRID + l];
    }
    for (size_t l = 0; l < ES_RIDGE_GRID; l++)
        gain[l] = es_ridge_loo_gain(ridge->n_train, sum[l]);
    gain[ES_RIDGE_MEAN_ALONE] = es_ridge_loo_gain(ridge->n_train, 0);
}

/* The grid's gains for all training rows; weights are made once, so the inner loop only adds. */
static es_status grid_gains(es_ridge *ridge, es_arena *arena, es_run *run, es_error *err) {
    size_t rank = ridge->rank;
    es_ridge_reader reader;
    es_status st = es_ridge_reader_init(&reader, ridge, arena, err);
    if (st != ES_OK)
        return st;
    double *weight = es_alloc(rank * ES_RIDGE_GRID, sizeof *weight);
    ridge->loo_gain = es_alloc_aligned(ridge->n_train * ES_RIDGE_GAINS, sizeof *ridge->loo_gain);
    if (!weight || !ridge->loo_gain) {
        es_free(weight);
        return es_no_memory_for(err, "the leverage of %zu rows", ridge->n_train);
    }
    for (size_t k = 0; k < rank; k++)
        for (size_t l = 0; l < ES_RIDGE_GRID; l++)
            weight[k * ES_RIDGE_GRID + l] = 1 / (ridge->s[k] + es_ridge_grid[l]);
    for (size_t at = 0; at < ridge->n_train && st == ES_OK; at += ES_FOLD_BLOCK) {
        const float *z = NULL;
        size_t count = es_fold_block(at, ridge->n_train);
        st = es_ridge_reader_read(&reader, ES_PART_TRAIN, at, count, run, &z, err);
        for (size_t i = 0; st == ES_OK && i < count; i++)
            row_gains(ridge, weight, z + i * rank, ridge->loo_gain + (at + i) * ES_RIDGE_GAINS);
    }
    es_free(weight);
    return st;
}

es_status es_ridge_new(const es_fold_data *source, bool residuals, es_run *run, es_ridge **out,
                       es_error *err) {
    es_status st = ES_OK;
    size_t d = source->d, n = source->n_train;
    bool dual = d > n, streamed = source->fold != NULL;
    size_t order = dual ? n : d;
    if (streamed && dual)
        return es_fail(err, ES_EINVAL, "%zu x %zu values must be kept in memory", n, d);
    es_fold_reader reader;
    es_arena *arena = es_arena_new();
    es_ridge *ridge = es_alloc_zero(1, sizeof *ridge);
    double *mean = es_alloc(d, sizeof *mean), *value = es_alloc(order, sizeof *value);
    double *matrix = es_alloc_zero(order * order, sizeof *matrix);
    if (!arena || !ridge || !mean || !value || !matrix) {
        st = es_no_memory_for(err, "%zu x %zu", n, d);
        goto done;
    }
    ES_TRY(es_fold_reader_init(&reader, source, arena, err));
    ES_TRY(train_mean(&reader, mean, run, err));
    ES_TRY(dual ? gram(source, mean, matrix, run, err)
                : covariance(&reader, mean, matrix, run, err));
    for (size_t i = 0; i < order * order; i++)
        matrix[i] /= (double)n;
    ES_TRY(es_eigen(order, matrix, value, err));

    size_t first = 0;
    while (first < order && !(value[first] > RANK_TOLERANCE * value[order - 1]))
        first++;
    ridge->rank = order - first;
    ridge->n_train = n;
    ridge->n_val = source->n_val;
    ridge->n_test = source->n_test;
    ridge->s = es_alloc(ridge->rank, sizeof *ridge->s);
    if (!ridge->s) {
        st = es_no_memory_for(err, "%zu x %zu", n, d);
        goto done;
    }
    memcpy(ridge->s, value + first, ridge->rank * sizeof *ridge->s);
    ES_TRY(weigh_grid(ridge, err));
    ES_TRY(make_basis(source, mean, matrix, first, dual, ridge, run, err));
    ES_TRY(make_shift(ridge, mean, d, err));
    ES_TRY(es_run_check(run, err));
    if (streamed) {
        ridge->source = source;
    } else {
        ES_TRY(keep_coordinates(&reader, ridge, run, err));
        es_free(ridge->basis);
        es_free(ridge->shift);
        ridge->basis = ridge->shift = NULL;
    }
    if (residuals)
        ES_TRY(grid_gains(ridge, arena, run, err));
    *out = ridge;
    ridge = NULL;
done:
    es_arena_free(arena);
    es_free(mean);
    es_free(value);
    es_free(matrix);
    es_ridge_free(ridge);
    return st;
}

void es_ridge_free(es_ridge *ridge) {
    if (!ridge)
        return;
    es_free(ridge->s);
    es_free(ridge->weight);
    es_free(ridge->z_train);
    es_free(ridge->loo_gain);
    es_free(ridge->basis);
    es_free(ridge->shift);
    es_free(ridge);
}

size_t es_ridge_bytes(const es_ridge *ridge) {
    size_t n = ridge->n_train + ridge->n_val + ridge->n_test, rank = ridge->rank;
    size_t floats = ridge->source ? (ridge->source->d + 1) * rank : n * rank;
    if (ridge->loo_gain)
        floats += ridge->n_train * ES_RIDGE_GAINS;
    return sizeof *ridge + (1 + ES_RIDGE_GRID) * rank * sizeof(double) + floats * sizeof(float);
}

size_t es_ridge_rank(const es_ridge *ridge) {
    return ridge->rank;
}

es_status es_ridge_reader_init(es_ridge_reader *reader, const es_ridge *ridge, es_arena *arena,
                               es_error *err) {
    es_ridge_reader r = {.ridge = ridge};
    if (ridge->source) {
        r.z = es_arena_alloc(arena, ES_FOLD_BLOCK * ridge->rank, sizeof *r.z);
        if (!r.z)
            return es_no_memory_for(err, "a block of %zu directions", ridge->rank);
        es_status st = es_fold_reader_init(&r.source, ridge->source, arena, err);
        if (st != ES_OK)
            return st;
    }
    *reader = r;
    return ES_OK;
}

es_status es_ridge_reader_read(es_ridge_reader *reader, es_part part, size_t start, size_t count,
                               es_run *run, const float **out, es_error *err) {
    const es_ridge *ridge = reader->ridge;
    const float *rows = NULL;
    if (!ridge->source) {
        *out = (part == ES_PART_TRAIN ? ridge->z_train
                : part == ES_PART_VAL ? ridge->z_val
                                      : ridge->z_test) +
               start * ridge->rank;
        return ES_OK;
    }
    es_status st = es_fold_reader_read(&reader->source, part, start, count, run, &rows, err);
    if (st != ES_OK)
        return st;
    project(ridge, ridge->source->d, rows, count, reader->z);
    *out = reader->z;
    return ES_OK;
}
