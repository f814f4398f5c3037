/* Prepares one embedder for core_alike.h: centred rows, singular vectors, ranks of distances,
 * nearest rows, a centred kernel, whichever are asked for. */
#include "core_alike.h"

#include <math.h>
#include <string.h>

enum { DISTANCE_ROWS = 3000 };

/* With more columns than rows, the rows' coordinates in as many dimensions as there are rows: what
 * is asked of x does not see a rotation. */
static es_status reduce(es_matrix *x, es_error *err) {
    es_matrix small = {0};
    if (x->d <= x->n)
        return ES_OK;
    es_status st = es_matrix_new(x->n, x->n, &small, err);
    if (st == ES_OK)
        st = es_row_coordinates(x->n, x->d, x->x, small.x, err);
    if (st != ES_OK) {
        es_matrix_free(&small);
        return st;
    }
    es_matrix_free(x);
    *x = small;
    return ES_OK;
}

static size_t packed(size_t n) {
    return n * (n + 1) / 2;
}

/* Computes the packed products of all rows (CKA). */
static es_status add_products(es_side *s, es_error *err) {
    size_t n = s->n;
    double *square = es_alloc_aligned(n * n, sizeof *square);
    s->gram = es_alloc_aligned(packed(n), sizeof *s->gram);
    if (!square || !s->gram) {
        es_free(square);
        return es_no_memory_for(err, "products of %zu rows", n);
    }
    es_dsyrk_rows(n, s->x.d, s->x.x, square);
    for (size_t i = 0; i < n; i++)
        memcpy(s->gram + packed(i), square + i * n, (i + 1) * sizeof *square);
    es_free(square);
    return ES_OK;
}

void es_side_products(const es_side *s, double *out) {
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j <= i; j++)
            out[i * s->n + j] = out[j * s->n + i] = s->gram[packed(i) + j];
}

/* |X^T X|^2 = |X X^T|^2, over all entries. */
static es_status square_of_products(const es_side *s, double *out, es_error *err) {
    size_t d = s->x.d;
    *out = 0;
    for (size_t i = 0; s->gram && i < s->n; i++)
        for (size_t j = 0; j <= i; j++)
            *out += (i == j ? 1 : 2) * s->gram[packed(i) + j] * s->gram[packed(i) + j];
    if (s->gram)
        return ES_OK;
    double *product = es_alloc_zero(d * d, sizeof *product);
    if (!product)
        return es_no_memory_for(err, "%zu columns", s->d);
    es_dsyrk_add(s->n, d, s->x.x, product);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++)
            *out += (i == j ? 1 : 2) * product[i * d + j] * product[i * d + j];
    es_free(product);
    return ES_OK;
}

/* Computes the squared lengths of the rows, and their spread. */
static es_status add_lengths(es_side *s, es_error *err) {
    double n = (double)s->n, dots = 0;
    size_t d = s->x.d;
    s->norm2 = es_alloc_zero(s->n, sizeof *s->norm2);
    if (!s->norm2)
        return es_no_memory_for(err, "%zu rows", s->n);
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j < d; j++)
            s->norm2[i] += s->x.x[i * d + j] * s->x.x[i * d + j];
        s->length2 += s->norm2[i];
        dots += s->norm2[i] * s->norm2[i];
    }
    es_status st = square_of_products(s, &s->self[0], err);
    s->self[1] = s->self[0] - n / (n - 2) * dots + s->length2 * s->length2 / ((n - 1) * (n - 2));
    return st;
}

/* Do the centred rows span all n - 1 directions, each with a singular value above 1e-5 of the
 * largest? Then gram / |gram| + 1 1^T / n - 1e-10 I is positive definite, where the second term
 * stands for the direction that centring has taken. |gram| is no less than its largest eigenvalue,
 * so that the answer may be no where it is yes by a hair, and the factors are made. */
static es_status spans_all(const es_side *s, bool *out, es_error *err) {
    size_t n = s->n;
    double square = 0, *a = es_alloc_aligned(n * n, sizeof *a);
    if (!a)
        return es_no_memory_for(err, "products of %zu rows", n);
    es_status st = square_of_products(s, &square, err);
    *out = st == ES_OK && square > 0;
    es_side_products(s, a);
    for (size_t i = 0; *out && i < n * n; i++)
        a[i] = a[i] / sqrt(square) + 1 / (double)n - (i % (n + 1) == 0 ? 1e-10 : 0);
    if (*out)
        st = es_is_definite(n, a, out, err);
    es_free(a);
    return st;
}

/* How many directions count, and how many of them hold 99 % of the variance. s->s (k). */
static void count_directions(es_side *s, size_t k) {
    double sum = 0, part = 0;
    for (size_t i = 0; i < k; i++) {
        s->rank += s->s[i] > 1e-5 * s->s[0];
        sum += s->s[i] * s->s[i];
    }
    while (s->kept < s->rank && part < (0.99 - 1e-12) * sum) {
        part += s->s[s->kept] * s->s[s->kept];
        s->kept++;
    }
}

/* From the eigenvectors of the products: what is kept has eigenvalues above a hundredth of the mean
 * of those left, and squaring costs it nothing. */
static es_status add_leading(es_side *s, es_error *err) {
    size_t n = s->n;
    double *vector = es_alloc_aligned(n * n, sizeof *vector), *value = es_alloc(n, sizeof *value);
    es_status st = ES_OK;
    s->s = es_alloc(n, sizeof *s->s);
    ES_FAIL_IF(!vector || !value || !s->s, es_no_memory_for(err, "products of %zu rows", n));
    es_side_products(s, vector);
    ES_TRY(es_eigen(n, vector, value, err));
    for (size_t i = 0; i < n; i++)
        s->s[i] = sqrt(fmax(value[n - 1 - i], 0));
    count_directions(s, n);
    s->factors = s->kept;
    s->u = es_alloc_aligned(n * s->factors + 1, sizeof *s->u);
    ES_FAIL_IF(!s->u, es_no_memory_for(err, "%zu directions", s->factors));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s->factors; k++)
            s->u[i * s->factors + k] = vector[(n - 1 - k) * n + i];
done:
    es_free(vector);
    es_free(value);
    return st;
}

/* Of coordinates with as many columns as rows at most: U and s are the same. */
static es_status add_factors(es_side *s, es_error *err) {
    es_status st = ES_OK;
    size_t d = s->x.d, k = s->factors = d;
    double *copy = es_alloc_aligned(s->n * d, sizeof *copy);
    double *vt = es_alloc_aligned(k * d, sizeof *vt);
    s->u = es_alloc_aligned(s->n * k, sizeof *s->u);
    s->s = es_alloc(k, sizeof *s->s);
    ES_FAIL_IF(!copy || !s->u || !s->s || !vt, es_no_memory_for(err, "%zu columns", s->d));
    memcpy(copy, s->x.x, s->n * d * sizeof *copy);
    ES_TRY(es_svd(s->n, d, copy, s->u, s->s, vt, err));
    count_directions(s, k);
done:
    es_free(copy);
    es_free(vt);
    return st;
}

/* Where each direction lies among the embedder's own columns, which coordinates do not tell. */
static es_status add_loadings(es_side *s, const es_matrix *raw, es_error *err) {
    es_matrix own = {0};
    s->loadings = es_alloc_aligned(s->factors * s->d, sizeof *s->loadings);
    if (!s->loadings)
        return es_no_memory_for(err, "%zu columns", s->d);
    es_status st = es_matrix_centred(raw, &own, NULL, err);
    if (st == ES_OK)
        es_dgemm(true, false, s->factors, s->d, s->n, s->u, own.x, s->loadings);
    es_matrix_free(&own);
    return st;
}

/* 1 - r of two rows is half the squared distance of rows that are centred and of length 1. What the
 * rounding of its mean leaves of a constant row is no direction: it becomes a row of zeros, whose r
 * counts as 0. */
static void centre_rows(es_matrix *m) {
    for (size_t i = 0; i < m->n; i++) {
        double *x = m->x + i * m->d, mean = 0, size = 0, spread = 0;
        for (size_t j = 0; j < m->d; j++)
            mean += x[j] / (double)m->d;
        for (size_t j = 0; j < m->d; j++) {
            size = fmax(size, fabs(x[j]));
            x[j] -= mean;
            spread = fmax(spread, fabs(x[j]));
        }
        if (spread <= 1e-12 * size)
            memset(x, 0, m->d * sizeof *x);
    }
}

/* Ranks the distances between a sample of rows (RSA, Mantel). */
static es_status add_distances(es_side *s, const es_matrix *raw, const es_run *run, es_error *err) {
    es_matrix part = {0};
    es_space space = {0};
    double *d2 = NULL, *rank = NULL;
    size_t rows = s->n < DISTANCE_ROWS ? s->n : DISTANCE_ROWS;
    uint32_t *sample = es_alloc(rows, sizeof *sample);
    es_status st = ES_OK;
    s->distances = rows * (rows - 1) / 2;
    d2 = es_alloc(s->distances, sizeof *d2);
    rank = es_alloc(s->distances, sizeof *rank);
    s->distance_rank = es_alloc(s->distances, sizeof *s->distance_rank);
    ES_FAIL_IF(!sample || !d2 || !rank || !s->distance_rank,
               es_no_memory_for(err, "distances of %zu rows", rows));
    ES_TRY(es_sample_rows(s->n, rows, s->rules.seed, sample, err));
    ES_TRY(es_matrix_rows(raw, sample, rows, &part, err));
    if (s->rules.distance == ES_DISTANCE_PEARSON)
        centre_rows(&part);
    ES_TRY(es_space_new(&part, s->rules.distance == ES_DISTANCE_PEARSON ? ES_COSINE : ES_L2, &space,
                        err));
    ES_TRY(es_space_all(&space, run, d2, err));
    memcpy(rank, d2, s->distances * sizeof *rank); /* scratch, until it is filled */
    double median = es_select(rank, s->distances, s->distances / 2);
    /* One row far away raises the mean above all others; where most rows are equal except
     * rounding, that is the median, and a tie: coordinates are off by 1e-16 of their length. */
    double tie = fmax(ES_SPACE_TIE * fmin(space.mean2, median), 5e-29 * space.mean2);
    ES_TRY(es_stat_midranks_within(d2, s->distances, tie, rank, err));
    for (size_t i = 0; i < s->distances; i++)
        s->distance_rank[i] = (float)rank[i];
done:
    es_free(sample);
    es_free(d2);
    es_free(rank);
    es_matrix_free(&part);
    es_space_free(&space);
    return st;
}

/* Takes the means of rows and columns off a symmetric matrix of which j <= i is kept. */
static void centre_kernel(double *kernel, size_t rows, double *mean) {
    double all = 0;
    for (size_t i = 0; i < rows; i++)
        mean[i] = 0;
    for (size_t i = 0, at = 0; i < rows; i++)
        for (size_t j = 0; j <= i; j++, at++) {
            mean[i] += kernel[at] / (double)rows;
            mean[j] += i == j ? 0 : kernel[at] / (double)rows;
        }
    for (size_t i = 0; i < rows; i++)
        all += mean[i] / (double)rows;
    for (size_t i = 0, at = 0; i < rows; i++)
        for (size_t j = 0; j <= i; j++, at++)
            kernel[at] += all - mean[i] - mean[j];
}

/* The median of a square of distances is that of its lower triangle, each value twice, and zeros on
 * the diagonal. d2 (count) is reordered. */
static double median_of_square(double *d2, size_t count, size_t rows) {
    size_t total = rows * rows, middle[2] = {(total - 1) / 2, total / 2};
    double sum = 0;
    for (size_t k = 0; k < 2; k++)
        sum += middle[k] < rows ? 0 : es_select(d2, count, (middle[k] - rows) / 2);
    return sum / 2;
}

/* Computes the Gaussian kernel of a sample of rows. */
static es_status add_kernel(es_side *s, const es_matrix *raw, const es_run *run, es_error *err) {
    es_matrix part = {0};
    es_space space = {0};
    size_t rows = s->n < DISTANCE_ROWS ? s->n : DISTANCE_ROWS, count = rows * (rows - 1) / 2;
    uint32_t *sample = es_alloc(rows, sizeof *sample);
    double *d2 = es_alloc(count, sizeof *d2), *copy = es_alloc(count, sizeof *copy);
    double *mean = es_alloc(rows, sizeof *mean);
    es_status st = ES_OK;
    s->kernels = rows * (rows + 1) / 2;
    s->kernel = es_alloc(s->kernels, sizeof *s->kernel);
    ES_FAIL_IF(!sample || !d2 || !copy || !mean || !s->kernel,
               es_no_memory_for(err, "a kernel of %zu rows", rows));
    ES_TRY(es_sample_rows(s->n, rows, s->rules.seed, sample, err));
    ES_TRY(es_matrix_rows(raw, sample, rows, &part, err));
    ES_TRY(es_space_new(&part, ES_L2, &space, err));
    ES_TRY(es_space_all(&space, run, d2, err));
    memcpy(copy, d2, count * sizeof *copy);
    double s2 = median_of_square(copy, count, rows);
    for (size_t i = 0, at = 0; i < rows; i++)
        for (size_t j = 0; j <= i; j++, at++) { /* d2 holds j < i behind the rows before j */
            double d = i == j ? 0 : d2[j * rows - j * (j + 1) / 2 + i - j - 1];
            s->kernel[at] = s2 > 0 ? exp(-d / (2 * s2)) : 1;
        }
    centre_kernel(s->kernel, rows, mean);
    for (size_t i = 0, at = 0; i < rows; i++)
        for (size_t j = 0; j <= i; j++, at++)
            s->kernel2 += (i == j ? 1 : 2) * s->kernel[at] * s->kernel[at];
done:
    es_free(sample);
    es_free(d2);
    es_free(copy);
    es_free(mean);
    es_matrix_free(&part);
    es_space_free(&space);
    return st;
}

/* Ascending, so that two lists meet in one pass. */
static void sort_rows(uint32_t *row, size_t k) {
    for (size_t i = 1; i < k; i++)
        for (size_t j = i; j > 0 && row[j] < row[j - 1]; j--) {
            uint32_t swap = row[j];
            row[j] = row[j - 1];
            row[j - 1] = swap;
        }
}

/* Finds the k nearest neighbours of each row. */
static es_status add_neighbours(es_side *s, const es_matrix *raw, const es_run *run,
                                es_error *err) {
    s->k = s->rules.k > 0 ? s->rules.k : 10;
    s->neighbour = es_alloc(s->n * s->k, sizeof *s->neighbour);
    bool *tied = es_alloc(s->n * s->k, sizeof *tied);
    const es_neighbours wanted = {.index = s->neighbour, .tied = tied};
    es_status st = s->neighbour && tied ? es_nearest(raw, s->rules.metric, s->k, run, &wanted, err)
                                        : es_no_memory_for(err, "%zu neighbours a row", s->k);
    for (size_t i = 0; st == ES_OK && i < s->n; i++) {
        sort_rows(s->neighbour + i * s->k, s->k);
        s->by_number += tied[i * s->k + s->k - 1];
    }
    es_free(tied);
    return st;
}

/* Everything that stands on centred rows: their products, coordinates, directions and lengths. */
static es_status add_centred_parts(es_side *s, const es_matrix *raw, es_error *err) {
    enum { CHEAPER = ES_SIDE_GRAM | ES_SIDE_SPAN | ES_SIDE_LEADING };
    unsigned parts = s->rules.parts;
    bool dual = s->d >= s->n, all = false;
    if (!dual) /* the cheaper forms are those that they stand for */
        parts |= (parts & ES_SIDE_GRAM ? ES_SIDE_CENTRED : 0) |
                 (parts & ES_SIDE_LEADING ? ES_SIDE_FACTORS : 0);
    ES_PASS(es_matrix_centred(raw, &s->x, NULL, err));
    if (dual && parts & CHEAPER)
        ES_PASS(add_products(s, err));
    if (dual && parts & ES_SIDE_SPAN)
        ES_PASS(spans_all(s, &all, err));
    if (all) {
        s->rank = s->n - 1;
        parts &= ~(unsigned)(ES_SIDE_FACTORS | ES_SIDE_LOADINGS);
    }
    if (parts & (ES_SIDE_CENTRED | ES_SIDE_FACTORS))
        ES_PASS(reduce(&s->x, err));
    if (parts & ES_SIDE_FACTORS)
        ES_PASS(add_factors(s, err));
    else if (parts & ES_SIDE_LEADING)
        ES_PASS(add_leading(s, err));
    if (parts & ES_SIDE_LOADINGS)
        ES_PASS(add_loadings(s, raw, err));
    if (!(parts & ES_SIDE_GRAM)) {
        es_free(s->gram);
        s->gram = NULL;
    }
    if (parts & (ES_SIDE_CENTRED | ES_SIDE_GRAM))
        ES_PASS(add_lengths(s, err));
    if (!(parts & ES_SIDE_CENTRED))
        es_matrix_free(&s->x);
    return ES_OK;
}

es_status es_side_new(const es_matrix *m, const es_side_rules *rules, const es_run *run,
                      es_side **out, es_error *err) {
    enum { OF_CENTRED = ES_SIDE_CENTRED | ES_SIDE_FACTORS | ES_SIDE_GRAM | ES_SIDE_LEADING };
    es_status st = ES_OK;
    if (m->n < 4)
        return es_fail(err, ES_EINVAL, "%zu rows are too few to compare embedders: at least 4",
                       m->n);
    es_side *s = es_alloc_zero(1, sizeof *s);
    if (!s)
        return es_no_memory(err);
    s->n = m->n;
    s->d = m->d;
    s->rules = *rules;
    if (rules->parts & OF_CENTRED)
        ES_TRY(add_centred_parts(s, m, err));
    ES_TRY(es_run_check(run, err));
    if (rules->parts & ES_SIDE_DISTANCES)
        ES_TRY(add_distances(s, m, run, err));
    if (rules->parts & ES_SIDE_NEIGHBOURS)
        ES_TRY(add_neighbours(s, m, run, err));
    if (rules->parts & ES_SIDE_KERNEL)
        ES_TRY(add_kernel(s, m, run, err));
    *out = s;
done:
    if (st != ES_OK)
        es_side_free(s);
    return st;
}

void es_side_free(es_side *side) {
    if (!side)
        return;
    es_matrix_free(&side->x);
    es_free(side->gram);
    es_free(side->norm2);
    es_free(side->u);
    es_free(side->s);
    es_free(side->loadings);
    es_free(side->distance_rank);
    es_free(side->neighbour);
    es_free(side->kernel);
    es_free(side);
}

size_t es_side_bytes(const es_side *side) {
    size_t factors = side->factors * (side->n + 1 + (side->loadings ? side->d : 0));
    size_t centred = side->x.n * (side->x.d + 1) + (side->gram ? packed(side->n) + side->n : 0);
    return sizeof *side + (centred + factors + side->kernels) * sizeof(double) +
           side->distances * sizeof(float) + side->n * side->k * sizeof(uint32_t);
}
