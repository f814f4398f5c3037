/* The factor of a source for ridge regression: eigenvectors of its training covariance, or of the
 * Gram matrix where that is smaller, made once and shared by all targets and penalties. */

#include <math.h>
#include <string.h>

#include "core_estimators_parts.h"

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
        ES_PASS(es_fold_reader_read(x, ES_PART_TRAIN, at, count, run, &rows, err));
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

/* matrix += the Gram matrix of the centred rows. weight (d): of columns; NULL: 1. */
static es_status gram(const es_fold_data *x, const double *mean, const double *weight,
                      double *matrix, es_run *run, es_error *err) {
    size_t n = x->n_train;
    double *block = es_alloc_aligned(ES_RIDGE_COLUMNS * n, sizeof *block);
    if (!block)
        return es_no_memory_for(err, "a Gram matrix of %zu rows", n);
    es_status st = ES_OK;
    for (size_t j = 0; j < x->d && st == ES_OK; j += ES_RIDGE_COLUMNS) {
        size_t count = es_ridge_columns(x, mean, weight, j, block);
        es_dsyrk_add(count, n, block, matrix);
        st = es_run_check(run, err);
    }
    es_free(block);
    return st;
}

/* basis (d, rank) = W X^T u / sqrt(n s), X the rows times W, for the Gram matrix's eigenvectors u
 * (rank, n). In double: in a direction of little variance much cancels, and what rounding leaves of
 * the large ones there would be more than it. */
static es_status basis_of_gram(const es_fold_data *x, const double *mean, const double *weight,
                               const double *u, es_ridge *ridge, es_run *run, es_error *err) {
    size_t n = x->n_train, rank = ridge->rank;
    double *block = es_alloc_aligned(ES_RIDGE_COLUMNS * n, sizeof *block);
    double *product = es_alloc_aligned(ES_RIDGE_COLUMNS * rank, sizeof *product);
    es_status st =
        block && product ? ES_OK : es_no_memory_for(err, "%zu directions of %zu rows", rank, n);
    for (size_t j = 0; j < x->d && st == ES_OK; j += ES_RIDGE_COLUMNS) {
        size_t count = es_ridge_columns(x, mean, weight, j, block);
        es_dgemm(false, true, count, rank, n, block, u, product);
        for (size_t c = 0; c < count; c++) {
            double factor = weight ? weight[j + c] : 1;
            for (size_t k = 0; k < rank; k++)
                ridge->basis[(j + c) * rank + k] =
                    (float)(factor * product[c * rank + k] / sqrt((double)n * ridge->s[k]));
        }
        st = es_run_check(run, err);
    }
    es_free(block);
    es_free(product);
    return st;
}

/* ridge->basis: the kept directions as columns, from eigenvectors (rows of `vectors`, from row
 * `first`) of the covariance or of the Gram matrix, so that it takes rows that are not weighted. */
static es_status make_basis(const es_fold_data *x, const double *mean, const double *weight,
                            const double *vectors, size_t first, bool dual, es_ridge *ridge,
                            es_run *run, es_error *err) {
    size_t d = x->d, rank = ridge->rank;
    ridge->basis = es_alloc_aligned(d * rank, sizeof *ridge->basis);
    if (!ridge->basis)
        return es_no_memory_for(err, "%zu directions", rank);
    if (dual)
        return basis_of_gram(x, mean, weight, vectors + first * x->n_train, ridge, run, err);
    for (size_t k = 0; k < rank; k++)
        for (size_t j = 0; j < d; j++)
            ridge->basis[j * rank + k] =
                (float)(vectors[(first + k) * d + j] * (weight ? weight[j] : 1));
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

/* The same with products in double. With more columns than rows, a coordinate along a direction of
 * little variance is what cancelling leaves of large ones: in float it moves IS by 1e-4. */
static es_status project_finely(const es_ridge *ridge, size_t d, const float *x, size_t count,
                                float *z, es_error *err) {
    enum { ROWS = 256, AT_ONCE = ES_RIDGE_DIRECTIONS };
    size_t rank = ridge->rank;
    double *row = es_alloc_aligned((ROWS + AT_ONCE) * d + ROWS * AT_ONCE, sizeof *row);
    if (!row)
        return es_no_memory_for(err, "%zu columns", d);
    double *basis = row + ROWS * d, *product = basis + AT_ONCE * d;
    for (size_t at = 0; at < count; at += ROWS) {
        size_t rows = count - at < ROWS ? count - at : ROWS;
        for (size_t i = 0; i < rows * d; i++)
            row[i] = (double)x[at * d + i];
        for (size_t k = 0; k < rank; k += AT_ONCE) {
            size_t some = es_ridge_block(ridge, k);
            for (size_t j = 0; j < d; j++)
                for (size_t l = 0; l < some; l++)
                    basis[j * some + l] = (double)ridge->basis[j * rank + k + l];
            es_dgemm(false, false, rows, some, d, row, basis, product);
            for (size_t i = 0; i < rows; i++)
                for (size_t l = 0; l < some; l++)
                    z[(at + i) * rank + k + l] =
                        (float)(product[i * some + l] - (double)ridge->shift[k + l]);
        }
    }
    es_free(row);
    return ES_OK;
}

/* outside (count) of rows x (count, d) with coordinates z (count, rank): the squared length of the
 * centred and weighted row without what lies along the directions. */
static void measure_outside(const double *mean, const double *weight, size_t d, size_t rank,
                            size_t count, const float *x, const float *z, double *outside) {
    for (size_t i = 0; i < count; i++) {
        double square = 0;
        for (size_t j = 0; j < d; j++) {
            double v = ((double)x[i * d + j] - mean[j]) * (weight ? weight[j] : 1);
            square += v * v;
        }
        for (size_t k = 0; k < rank; k++)
            square -= (double)z[i * rank + k] * (double)z[i * rank + k];
        outside[i] = square > 0 ? square : 0;
    }
}

/* Coordinates of all rows, in the blocks that a reader would make, and what of validation and test
 * rows lies outside, if there is room for it. */
static es_status keep_coordinates(es_fold_reader *x, const double *mean, const double *weight,
                                  es_ridge *ridge, es_run *run, es_error *err) {
    size_t d = x->data->d, rank = ridge->rank, n = ridge->n_train + ridge->n_val + ridge->n_test;
    ridge->z_train = es_alloc_aligned(n * rank, sizeof *ridge->z_train);
    if (!ridge->z_train)
        return es_no_memory_for(err, "%zu x %zu coordinates", n, rank);
    ridge->z_val = ridge->z_train + ridge->n_train * rank;
    ridge->z_test = ridge->z_val + ridge->n_val * rank;
    float *z = ridge->z_train;
    double *outside = ridge->outside;
    for (es_part part = ES_PART_TRAIN; part <= ES_PART_TEST; part++)
        for (size_t at = 0; at < es_fold_data_count(x->data, part); at += ES_FOLD_BLOCK) {
            const float *rows = NULL;
            size_t count = es_fold_block(at, es_fold_data_count(x->data, part));
            es_status st = es_fold_reader_read(x, part, at, count, run, &rows, err);
            if (st == ES_OK)
                st = es_run_check(run, err);
            if (st != ES_OK)
                return st;
            if (outside)
                st = project_finely(ridge, d, rows, count, z, err);
            else
                project(ridge, d, rows, count, z);
            if (st != ES_OK)
                return st;
            if (outside && part != ES_PART_TRAIN) {
                measure_outside(mean, weight, d, rank, count, rows, z, outside);
                outside += count;
            }
            z += count * rank;
        }
    return ES_OK;
}

/* A mean residual's share, or a row's, that is too close to 0 to divide by. */
static double ridge_rest(double rest) {
    return rest > MIN_ONE_MINUS_LEVERAGE ? rest : MIN_ONE_MINUS_LEVERAGE;
}

/* 1 / (1 - h) for a row of leverage h. */
static float loo_gain(double h) {
    return (float)(1 / ridge_rest(1 - h));
}

double es_ridge_mean_rest(const es_ridge *ridge, double lambda) {
    double df = 1;
    for (size_t k = 0; k < ridge->rank; k++)
        df += ridge->s[k] / (ridge->s[k] + lambda);
    return ridge_rest(1 - df / (double)ridge->n_train);
}

size_t es_ridge_block(const es_ridge *ridge, size_t k) {
    return ridge->rank - k < ES_RIDGE_DIRECTIONS ? ridge->rank - k : ES_RIDGE_DIRECTIONS;
}

/* Where there are as many directions as rows allow, they explain everything except the penalty.
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

/* h (GRID) of a row with coordinates z: in a ridge fit with intercept and penalty n lambda,
 * h = 1/n + (sum_k z_k^2 / (s_k + lambda) + outside / lambda) / n. weight (rank, GRID): 1 / (s_k +
 * lambda), made once, so that the inner loop only adds. */
static void row_leverage(const es_ridge *ridge, const double *weight, const float *z,
                         double outside, double *h) {
    double sum[ES_RIDGE_GRID] = {0}, n = (double)ridge->n_train;
    for (size_t k = 0; k < ridge->rank; k++) {
        double square = (double)z[k] * (double)z[k];
        for (size_t l = 0; l < ES_RIDGE_GRID; l++)
            sum[l] += square * weight[k * ES_RIDGE_GRID + l];
    }
    for (size_t l = 0; l < ES_RIDGE_GRID; l++)
        h[l] = (1 + sum[l] + outside / es_ridge_grid[l]) / n;
}

static void keep_gains(es_ridge *ridge, size_t row, const double *h) {
    float *gain = ridge->loo_gain + row * ES_RIDGE_GAINS;
    for (size_t l = 0; l < ES_RIDGE_GRID; l++)
        gain[l] = loo_gain(h[l]);
    gain[ES_RIDGE_MEAN_ALONE] = loo_gain(1 / (double)ridge->n_train);
}

/* The leverage of the rows of a part at all penalties; `first` is the part's first row in
 * ridge->leverage. */
static es_status part_leverage(es_ridge *ridge, es_ridge_reader *reader, es_part part, size_t first,
                               const double *weight, es_run *run, es_error *err) {
    size_t rank = ridge->rank;
    size_t n = part == ES_PART_TRAIN ? ridge->n_train
               : part == ES_PART_VAL ? ridge->n_val
                                     : ridge->n_test;
    es_status st = ES_OK;
    for (size_t at = 0; at < n && st == ES_OK; at += ES_FOLD_BLOCK) {
        const float *z = NULL;
        size_t count = es_fold_block(at, n);
        st = es_ridge_reader_read(reader, part, at, count, run, &z, err);
        for (size_t i = 0; st == ES_OK && i < count; i++) {
            double h[ES_RIDGE_GRID];
            size_t row = first + at + i;
            bool train = part == ES_PART_TRAIN;
            row_leverage(ridge, weight, z + i * rank,
                         train || !ridge->outside ? 0 : ridge->outside[row], h);
            if (train)
                keep_gains(ridge, row, h);
            for (size_t l = 0; !train && l < ES_RIDGE_GRID; l++)
                ridge->leverage[row * ES_RIDGE_GRID + l] = (float)h[l];
        }
    }
    return st;
}

/* The grid's leverages of validation and test rows, with `residuals` of training rows too. */
static es_status grid_leverage(es_ridge *ridge, bool residuals, es_arena *arena, es_run *run,
                               es_error *err) {
    size_t rank = ridge->rank, rest = ridge->n_val + ridge->n_test;
    es_ridge_reader reader;
    es_status st = es_ridge_reader_init(&reader, ridge, arena, err);
    if (st != ES_OK)
        return st;
    double *weight = es_alloc(rank * ES_RIDGE_GRID, sizeof *weight);
    ridge->leverage = es_alloc_aligned(rest * ES_RIDGE_GRID, sizeof *ridge->leverage);
    if (residuals)
        ridge->loo_gain =
            es_alloc_aligned(ridge->n_train * ES_RIDGE_GAINS, sizeof *ridge->loo_gain);
    if (!weight || !ridge->leverage || (residuals && !ridge->loo_gain)) {
        es_free(weight);
        return es_no_memory_for(err, "the leverage of %zu rows", ridge->n_train);
    }
    for (size_t k = 0; k < rank; k++)
        for (size_t l = 0; l < ES_RIDGE_GRID; l++)
            weight[k * ES_RIDGE_GRID + l] = 1 / (ridge->s[k] + es_ridge_grid[l]);
    if (residuals)
        st = part_leverage(ridge, &reader, ES_PART_TRAIN, 0, weight, run, err);
    if (st == ES_OK)
        st = part_leverage(ridge, &reader, ES_PART_VAL, 0, weight, run, err);
    if (st == ES_OK)
        st = part_leverage(ridge, &reader, ES_PART_TEST, ridge->n_val, weight, run, err);
    es_free(weight);
    return st;
}

/* The rank of eigenvalues (order), ascending, and room for what follows from it. `dual`: from the
 * Gram matrix. */
static es_status keep_directions(const es_fold_data *source, const es_ridge_plan *plan, bool dual,
                                 size_t order, const double *value, es_ridge *ridge,
                                 es_error *err) {
    size_t first = 0, rest = source->n_val + source->n_test;
    double least = fmax(plan->least, RANK_TOLERANCE);
    while (first < order && !(value[first] > least * value[order - 1]))
        first++;
    ridge->rank = order - first;
    ridge->n_train = source->n_train;
    ridge->n_val = source->n_val;
    ridge->n_test = source->n_test;
    ridge->s = es_alloc(ridge->rank, sizeof *ridge->s);
    if (dual && plan->chosen)
        ridge->outside = es_alloc(rest, sizeof *ridge->outside);
    if (!ridge->s || (dual && plan->chosen && !ridge->outside))
        return es_no_memory_for(err, "%zu directions of %zu rows", ridge->rank, rest);
    memcpy(ridge->s, value + first, ridge->rank * sizeof *ridge->s);
    return weigh_grid(ridge, err);
}

/* matrix (order, order): the covariance of a source's columns, weighted if `weight` is not NULL,
 * which is made here, or the Gram matrix of its rows over n. */
static es_status make_matrix(const es_fold_data *source, es_fold_reader *reader, bool dual,
                             const double *mean, double *weight, size_t order, double *matrix,
                             es_run *run, es_error *err) {
    if (dual && weight)
        ES_PASS(es_ridge_count_columns(source, mean, weight, run, err));
    ES_PASS(dual ? gram(source, mean, weight, matrix, run, err)
                 : covariance(reader, mean, matrix, run, err));
    for (size_t i = 0; i < order * order; i++)
        matrix[i] /= (double)source->n_train;
    if (!dual && weight)
        es_ridge_count_once(order, matrix, weight);
    return ES_OK;
}

es_status es_ridge_new(const es_fold_data *source, const es_ridge_plan *plan, es_run *run,
                       es_ridge **out, es_error *err) {
    es_status st = ES_OK;
    size_t d = source->d, n = source->n_train;
    bool dual = d > n, streamed = source->fold != NULL;
    size_t order = dual ? n : d;
    if (streamed && dual)
        return es_fail(err, ES_EINVAL, "%zu x %zu values must be kept in memory", n, d);
    es_fold_reader reader;
    es_arena *arena = es_arena_new();
    es_ridge *ridge = es_alloc_zero(1, sizeof *ridge);
    double *mean = es_alloc(2 * d, sizeof *mean), *value = es_alloc(order, sizeof *value);
    double *matrix = es_alloc_zero(order * order, sizeof *matrix);
    double *weight = mean && plan->once ? mean + d : NULL;
    ES_FAIL_IF(!arena || !ridge || !mean || !value || !matrix,
               es_no_memory_for(err, "%zu x %zu", n, d));
    ES_TRY(es_fold_reader_init(&reader, source, arena, err));
    ES_TRY(train_mean(&reader, mean, run, err));
    ES_TRY(make_matrix(source, &reader, dual, mean, weight, order, matrix, run, err));
    ES_TRY(es_eigen(order, matrix, value, err));
    ES_TRY(keep_directions(source, plan, dual, order, value, ridge, err));
    ES_TRY(make_basis(source, mean, weight, matrix, order - ridge->rank, dual, ridge, run, err));
    ES_TRY(make_shift(ridge, mean, d, err));
    ES_TRY(es_run_check(run, err));
    if (streamed) {
        ridge->source = source;
    } else {
        ES_TRY(keep_coordinates(&reader, mean, weight, ridge, run, err));
        es_free(ridge->basis);
        es_free(ridge->shift);
        ridge->basis = ridge->shift = NULL;
    }
    if (plan->chosen)
        ES_TRY(grid_leverage(ridge, plan->residuals, arena, run, err));
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
    es_free(ridge->outside);
    es_free(ridge->leverage);
    es_free(ridge->loo_gain);
    es_free(ridge->basis);
    es_free(ridge->shift);
    es_free(ridge);
}

size_t es_ridge_bytes(const es_ridge *ridge) {
    size_t n = ridge->n_train + ridge->n_val + ridge->n_test, rank = ridge->rank;
    size_t floats = ridge->source ? (ridge->source->d + 1) * rank : n * rank;
    if (ridge->leverage)
        floats += (ridge->n_val + ridge->n_test) * ES_RIDGE_GRID;
    if (ridge->loo_gain)
        floats += ridge->n_train * ES_RIDGE_GAINS;
    size_t doubles = (1 + ES_RIDGE_GRID) * rank;
    if (ridge->outside)
        doubles += ridge->n_val + ridge->n_test;
    return sizeof *ridge + doubles * sizeof(double) + floats * sizeof(float);
}

size_t es_ridge_rank(const es_ridge *ridge) {
    return ridge->rank;
}

double es_ridge_total(const es_ridge *ridge) {
    double sum = 0;
    for (size_t k = 0; k < ridge->rank; k++)
        sum += ridge->s[k];
    return sum;
}

es_status es_ridge_reader_init(es_ridge_reader *reader, const es_ridge *ridge, es_arena *arena,
                               es_error *err) {
    es_ridge_reader r = {.ridge = ridge};
    if (ridge->source) {
        r.z = es_arena_alloc(arena, ES_FOLD_BLOCK * ridge->rank, sizeof *r.z);
        if (!r.z)
            return es_no_memory_for(err, "a block of %zu directions", ridge->rank);
        ES_PASS(es_fold_reader_init(&r.source, ridge->source, arena, err));
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
    ES_PASS(es_fold_reader_read(&reader->source, part, start, count, run, &rows, err));
    project(ridge, ridge->source->d, rows, count, reader->z);
    *out = reader->z;
    return ES_OK;
}
