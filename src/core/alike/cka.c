/* CKA in blocks of rows.
 *
 * A side is centred and scaled by a power of two, in double, before its values become floats: what
 * is large beside its spread loses nothing, and nothing overflows. A block's product sums few
 * enough rows for single precision; blocks are added up in double. Lengths are those of the floats,
 * so that all terms of the unbiased estimate speak of the same matrix.
 *
 * If a few rows are far longer than the rest, the unbiased estimate is what remains after their
 * squared lengths cancel, and rounding to floats would be all of it. Such a side is precise: it
 * keeps no floats, and its products are in double. */
#include "core_alike.h"

#include <math.h>
#include <string.h>

enum {
    BLOCK = 512, /* rows */
    FEW = 64     /* rows of a block of a precise side */
};

struct es_cka_side {
    size_t n, d;
    double *mean;  /* (d) */
    double scale;  /* of centred values, a power of two */
    double *norm2; /* (n) squared lengths of the rows */
    double length2;
    double self[2]; /* HSIC with itself: biased, debiased */
    float *x;       /* (n, d) centred and scaled; NULL: read again, or there is gram */
    float *gram;    /* products of all rows, j <= i, row by row; NULL: fewer columns than rows */
    bool precise;   /* neither x nor gram: read again, as doubles */
    es_rows rows;
};

/* A side is precise if its longest row has FAR times the mean squared length (of few rows, half
 * their number) and no more than this of the biased estimate is left. With 60 to 700 rows, floats
 * are off by 1e-6 from a tenth of it on. */
static const double FAR = 16, CANCELS = 0.1;

/* Scratch for the rows of one side. */
typedef struct block {
    double *raw;
    float *x;
} block;

static size_t packed(size_t i) {
    return i * (i + 1) / 2;
}

static void block_free(block *b) {
    es_free(b->raw);
    es_free(b->x);
}

static es_status block_new(size_t d, block *b, es_error *err) {
    b->raw = es_alloc_aligned(BLOCK * d, sizeof *b->raw);
    b->x = es_alloc_aligned(BLOCK * d, sizeof *b->x);
    return b->raw && b->x ? ES_OK : es_no_memory_for(err, "%d rows of %zu columns", BLOCK, d);
}

/* Returns how many of n rows are left from `at` on, at most `most`. */
static size_t rows_left(size_t n, size_t at, size_t most) {
    return n - at < most ? n - at : most;
}

static size_t rows_at(size_t n, size_t at) {
    return rows_left(n, at, BLOCK);
}

static es_status read_block(const es_rows *rows, size_t at, size_t count, double *out,
                            es_error *err) {
    uint32_t number[BLOCK];
    for (size_t i = 0; i < count; i++)
        number[i] = (uint32_t)(at + i);
    return rows->read(rows->context, number, count, out, err);
}

/* Returns a block of centred rows from `at` on as floats: those kept, or read through `b`. */
static es_status centred_floats(const es_cka_side *s, size_t at, block *b, const float **out,
                                es_error *err) {
    size_t d = s->d, count = rows_at(s->n, at);
    *out = s->x ? s->x + at * d : b->x;
    if (s->x)
        return ES_OK;
    es_status st = read_block(&s->rows, at, count, b->raw, err);
    for (size_t i = 0; st == ES_OK && i < count; i++)
        for (size_t j = 0; j < d; j++)
            b->x[i * d + j] = (float)((b->raw[i * d + j] - s->mean[j]) * s->scale);
    return st;
}

/* ---- pairs ---- */

/* Computes the sum of squares of A^T B, a block of rows at a time. */
static es_status squared_cross_products(const es_cka_side *a, const es_cka_side *b,
                                        const es_run *run, double *out, es_error *err) {
    size_t count = a->d * b->d;
    block rows_a = {0}, rows_b = {0};
    double *sum = es_alloc_zero(count, sizeof *sum), squares = 0;
    float *part = es_alloc_aligned(count, sizeof *part);
    es_status st = ES_OK;
    ES_FAIL_IF(!sum || !part, es_no_memory_for(err, "%zu by %zu columns", a->d, b->d));
    if (!a->x)
        ES_TRY(block_new(a->d, &rows_a, err));
    if (!b->x)
        ES_TRY(block_new(b->d, &rows_b, err));
    for (size_t at = 0; at < a->n; at += BLOCK) {
        const float *x = NULL, *y = NULL;
        ES_TRY(es_run_check(run, err));
        ES_TRY(centred_floats(a, at, &rows_a, &x, err));
        y = x;
        if (b != a)
            ES_TRY(centred_floats(b, at, &rows_b, &y, err));
        es_sgemm(true, a->d, b->d, rows_at(a->n, at), 1, x, y, part);
        for (size_t i = 0; i < count; i++)
            sum[i] += (double)part[i];
    }
    for (size_t i = 0; i < count; i++)
        squares += sum[i] * sum[i];
    *out = squares;
done:
    block_free(&rows_a);
    block_free(&rows_b);
    es_free(sum);
    es_free(part);
    return st;
}

/* The sum of products of rows of `a`, which are kept, with those of b, entry by entry; b has fewer
 * columns than rows. */
static es_status of_rows_and_columns(const es_cka_side *a, const es_cka_side *b, const es_run *run,
                                     double *out, es_error *err) {
    block high = {0}, low = {0};
    double sum = 0;
    float *part = es_alloc_aligned((size_t)BLOCK * BLOCK, sizeof *part);
    es_status st = ES_OK;
    ES_FAIL_IF(!part, es_no_memory(err));
    if (!b->x) {
        ES_TRY(block_new(b->d, &high, err));
        ES_TRY(block_new(b->d, &low, err));
    }
    for (size_t i = 0; i < b->n; i += BLOCK) {
        const float *x = NULL, *y = NULL;
        ES_TRY(centred_floats(b, i, &high, &x, err));
        for (size_t j = 0; j <= i; j += BLOCK) {
            size_t rows = rows_at(b->n, i), columns = rows_at(b->n, j);
            ES_TRY(es_run_check(run, err));
            ES_TRY(centred_floats(b, j, &low, &y, err));
            es_sgemm_turned(rows, columns, b->d, x, y, part);
            for (size_t k = 0; k < rows; k++)
                for (size_t l = 0; l < columns && j + l <= i + k; l++)
                    sum += (i + k == j + l ? 1 : 2) * (double)a->gram[packed(i + k) + j + l] *
                           (double)part[k * columns + l];
        }
    }
    *out = sum;
done:
    block_free(&high);
    block_free(&low);
    es_free(part);
    return st;
}

/* Returns the sum of products of both sides' packed Gram matrices. */
static double sum_of_rows(const es_cka_side *a, const es_cka_side *b) {
    double sum = 0;
    for (size_t i = 0; i < a->n; i++) {
        const float *x = a->gram + packed(i), *y = b->gram + packed(i);
        double below = 0;
        for (size_t j = 0; j < i; j++)
            below += (double)x[j] * (double)y[j];
        sum += 2 * below + (double)x[i] * (double)y[i];
    }
    return sum;
}

/* ---- pairs with a precise side ---- */

static bool is_dual(size_t n, size_t d) {
    return d >= n;
}

/* `count` rows from `at` on, centred and scaled; of a side that is not precise, its floats. */
static es_status doubles(const es_cka_side *s, size_t at, size_t count, double *out,
                         es_error *err) {
    size_t d = s->d;
    es_status st = s->x ? ES_OK : read_block(&s->rows, at, count, out, err);
    for (size_t i = 0; st == ES_OK && i < count; i++)
        for (size_t j = 0; j < d; j++) {
            double value =
                s->x ? (double)s->x[(at + i) * d + j] : (out[i * d + j] - s->mean[j]) * s->scale;
            out[i * d + j] = s->precise ? value : (double)(float)value;
        }
    return st;
}

static es_status of_precise_columns(const es_cka_side *a, const es_cka_side *b, const es_run *run,
                                    double *out, es_error *err) {
    size_t count = a->d * b->d;
    double *x = es_alloc_aligned(FEW * a->d, sizeof *x);
    double *turned = es_alloc_aligned(FEW * a->d, sizeof *turned);
    double *y = es_alloc_aligned(FEW * b->d, sizeof *y);
    double *sum = es_alloc_zero(count, sizeof *sum), squares = 0;
    es_status st = ES_OK;
    ES_FAIL_IF(!x || !turned || !y || !sum,
               es_no_memory_for(err, "%zu by %zu columns", a->d, b->d));
    for (size_t at = 0; at < a->n; at += FEW) {
        size_t rows = rows_left(a->n, at, FEW);
        ES_TRY(es_run_check(run, err));
        ES_TRY(doubles(a, at, rows, x, err));
        if (b != a)
            ES_TRY(doubles(b, at, rows, y, err));
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < a->d; j++)
                turned[j * rows + i] = x[i * a->d + j];
        es_dgemm_add(a->d, b->d, rows, turned, b == a ? x : y, sum);
    }
    for (size_t i = 0; i < count; i++)
        squares += sum[i] * sum[i];
    *out = squares;
done:
    es_free(x);
    es_free(turned);
    es_free(y);
    es_free(sum);
    return st;
}

/* Blocks of rows of one side, and their products. */
typedef struct products {
    double *high, *low, *part;
} products;

static void products_free(products *p) {
    es_free(p->high);
    es_free(p->low);
    es_free(p->part);
}

static es_status products_new(const es_cka_side *s, products *p, es_error *err) {
    size_t count = s->gram ? 1 : FEW * s->d;
    p->high = es_alloc_aligned(count, sizeof *p->high);
    p->low = es_alloc_aligned(count, sizeof *p->low);
    p->part = es_alloc_aligned((size_t)FEW * FEW, sizeof *p->part);
    return p->high && p->low && p->part
               ? ES_OK
               : es_no_memory_for(err, "%d rows of %zu columns", FEW, s->d);
}

/* Products of rows from `i` on with rows from `j` on, squared lengths as debias has them; j goes up
 * from 0. */
static es_status find_products(const es_cka_side *s, size_t i, size_t j, products *p,
                               es_error *err) {
    size_t rows = rows_left(s->n, i, FEW), columns = rows_left(s->n, j, FEW);
    if (s->gram) {
        for (size_t k = 0; k < rows; k++)
            for (size_t l = 0; l < columns && j + l <= i + k; l++)
                p->part[k * columns + l] =
                    i + k == j + l ? s->norm2[i + k] : (double)s->gram[packed(i + k) + j + l];
        return ES_OK;
    }
    es_status st = j == 0 ? doubles(s, i, rows, p->high, err) : ES_OK;
    if (st == ES_OK)
        st = doubles(s, j, columns, p->low, err);
    if (st == ES_OK)
        es_dgemm(false, true, rows, columns, s->d, p->high, p->low, p->part);
    return st;
}

static es_status of_precise_rows(const es_cka_side *a, const es_cka_side *b, const es_run *run,
                                 double *out, es_error *err) {
    products x = {0}, y = {0};
    double sum = 0;
    es_status st = ES_OK;
    ES_TRY(products_new(a, &x, err));
    if (b != a)
        ES_TRY(products_new(b, &y, err));
    for (size_t i = 0; i < a->n; i += FEW)
        for (size_t j = 0; j <= i; j += FEW) {
            size_t rows = rows_left(a->n, i, FEW), columns = rows_left(a->n, j, FEW);
            const double *other = b == a ? x.part : y.part;
            ES_TRY(es_run_check(run, err));
            ES_TRY(find_products(a, i, j, &x, err));
            if (b != a)
                ES_TRY(find_products(b, i, j, &y, err));
            for (size_t k = 0; k < rows; k++)
                for (size_t l = 0; l < columns && j + l <= i + k; l++)
                    sum +=
                        (i + k == j + l ? 1 : 2) * x.part[k * columns + l] * other[k * columns + l];
        }
    *out = sum;
done:
    products_free(&x);
    products_free(&y);
    return st;
}

static es_status square_of_cross(const es_cka_side *a, const es_cka_side *b, const es_run *run,
                                 double *out, es_error *err) {
    if (a->precise || b->precise)
        return is_dual(a->n, a->d) || is_dual(b->n, b->d) ? of_precise_rows(a, b, run, out, err)
                                                          : of_precise_columns(a, b, run, out, err);
    if (!a->gram && !b->gram)
        return squared_cross_products(a, b, run, out, err);
    if (!a->gram || !b->gram)
        return of_rows_and_columns(a->gram ? a : b, a->gram ? b : a, run, out, err);
    *out = sum_of_rows(a, b);
    return es_run_check(run, err);
}

/* Takes off what is there by chance. */
static double debias(const es_cka_side *a, const es_cka_side *b, double sum) {
    double n = (double)a->n, dots = 0;
    for (size_t i = 0; i < a->n; i++)
        dots += a->norm2[i] * b->norm2[i];
    return sum + a->length2 * b->length2 / ((n - 1) * (n - 2)) - n / (n - 2) * dots;
}

es_status es_cka_of(const es_cka_side *a, const es_cka_side *b, bool debiased, const es_run *run,
                    es_stat *out, es_error *err) {
    double sum = 0;
    if (a->n != b->n)
        return es_fail(err, ES_EINVAL, "embedders of %zu and %zu rows cannot be compared", a->n,
                       b->n);
    if (!(a->length2 > 0 && b->length2 > 0)) {
        *out = es_stat_undefined(ES_WHY_CONSTANT);
        return ES_OK;
    }
    ES_PASS(square_of_cross(a, b, run, &sum, err));
    if (debiased)
        sum = debias(a, b, sum);
    double self_a = a->self[debiased], self_b = b->self[debiased];
    *out = self_a > 0 && self_b > 0 ? es_stat_of(sum / sqrt(self_a * self_b))
                                    : es_stat_undefined(ES_WHY_NO_SPREAD);
    return ES_OK;
}

/* ---- sides ---- */

static double largest_absolute(const double *x, size_t n) {
    double most[4] = {0};
    for (size_t i = 0; i < n; i++) {
        double size = fabs(x[i]), *at = most + i % 4;
        *at = size > *at ? size : *at;
    }
    for (int k = 1; k < 4; k++)
        most[0] = most[k] > most[0] ? most[k] : most[0];
    return most[0];
}

/* Means of the columns, and a power of two that brings all centred values below 2. */
static es_status find_means(es_cka_side *s, block *b, const es_run *run, es_error *err) {
    double most = 0;
    int exponent = 0;
    for (size_t at = 0; at < s->n; at += BLOCK) {
        es_status st = es_run_check(run, err);
        if (st == ES_OK)
            st = read_block(&s->rows, at, rows_at(s->n, at), b->raw, err);
        if (st != ES_OK)
            return st;
        for (size_t i = 0; i < rows_at(s->n, at); i++)
            for (size_t j = 0; j < s->d; j++)
                s->mean[j] += b->raw[i * s->d + j];
        double here = largest_absolute(b->raw, rows_at(s->n, at) * s->d);
        most = here > most ? here : most;
    }
    for (size_t j = 0; j < s->d; j++)
        s->mean[j] /= (double)s->n;
    (void)frexp(most, &exponent);
    s->scale = ldexp(1, exponent > -1000 ? -exponent : 1000);
    return ES_OK;
}

/* Of `count` rows from `row` on, four at a time: a sum waits for the one before, four do not. */
static void add_lengths(es_cka_side *s, size_t row, size_t count, const float *x) {
    size_t d = s->d;
    for (size_t i = 0; i < count; i += 4) {
        size_t rows = count - i < 4 ? count - i : 4;
        double sum[4] = {0};
        const float *at[4];
        for (size_t r = 0; r < 4; r++)
            at[r] = x + (i + (r < rows ? r : 0)) * d;
        for (size_t j = 0; j < d; j++)
            for (size_t r = 0; r < 4; r++)
                sum[r] += (double)at[r][j] * (double)at[r][j];
        for (size_t r = 0; r < rows; r++) {
            s->norm2[row + i + r] = sum[r];
            s->length2 += sum[r];
        }
    }
}

/* Lengths, and the floats if they are to be kept. */
static es_status add_rows(es_cka_side *s, bool keep, block *b, const es_run *run, es_error *err) {
    es_status st = ES_OK;
    float *kept = keep ? es_alloc_aligned(s->n * s->d, sizeof *kept) : NULL;
    if (keep && !kept)
        return es_no_memory_for(err, "%zu rows of %zu columns", s->n, s->d);
    for (size_t at = 0; at < s->n && st == ES_OK; at += BLOCK) {
        const float *x = NULL;
        st = es_run_check(run, err);
        if (st == ES_OK)
            st = centred_floats(s, at, b, &x, err);
        if (st == ES_OK)
            add_lengths(s, at, rows_at(s->n, at), x);
        if (st == ES_OK && kept)
            memcpy(kept + at * s->d, x, rows_at(s->n, at) * s->d * sizeof *x);
    }
    s->x = kept;
    return st;
}

/* Products of all rows, which have as many columns at least: by blocks, from floats held meanwhile.
 * The sums over columns are long, so they are taken in double in parts of BLOCK columns. */
static es_status add_products(es_cka_side *s, const es_run *run, es_error *err) {
    size_t n = s->n, d = s->d;
    double *x = es_alloc_aligned(BLOCK * d, sizeof *x), *y = es_alloc_aligned(BLOCK * d, sizeof *y);
    double *part = es_alloc_aligned((size_t)BLOCK * BLOCK, sizeof *part);
    es_status st = ES_OK;
    s->gram = es_alloc_aligned(packed(n), sizeof *s->gram);
    ES_FAIL_IF(!x || !y || !part || !s->gram, es_no_memory_for(err, "products of %zu rows", n));
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t rows = rows_at(n, i);
        for (size_t k = 0; k < rows * d; k++)
            x[k] = (double)s->x[i * d + k];
        for (size_t j = 0; j <= i; j += BLOCK) {
            size_t columns = rows_at(n, j);
            ES_TRY(es_run_check(run, err));
            for (size_t k = 0; k < columns * d; k++)
                y[k] = (double)s->x[j * d + k];
            es_dgemm(false, true, rows, columns, d, x, y, part);
            for (size_t k = 0; k < rows; k++)
                for (size_t l = 0; l < columns && j + l <= i + k; l++)
                    s->gram[packed(i + k) + j + l] = (float)part[k * columns + l];
        }
    }
done:
    es_free(x);
    es_free(y);
    es_free(part);
    return st;
}

static bool is_kept(size_t n, size_t d, size_t keep_bytes) {
    return is_dual(n, d) || keep_bytes == 0 || n * d * sizeof(float) <= keep_bytes;
}

/* Whether a few rows are so long that their lengths cancel in the unbiased estimate. */
static bool needs_doubles(const es_cka_side *s) {
    double n = (double)s->n, most = 0;
    for (size_t i = 0; i < s->n; i++)
        most = fmax(most, s->norm2[i]);
    return most * n > fmin(FAR, n / 2) * s->length2 && s->self[1] < CANCELS * s->self[0];
}

static es_status find_self(es_cka_side *s, const es_run *run, es_error *err) {
    es_status st = square_of_cross(s, s, run, &s->self[0], err);
    if (st == ES_OK)
        s->self[1] = debias(s, s, s->self[0]);
    return st;
}

static double square_length(const double *x, size_t d) {
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += x[j] * x[j];
    return sum;
}

/* Drops the kept floats and finds lengths in double, for a side whose longest rows hide the others.
 */
static es_status make_precise(es_cka_side *s, const es_run *run, es_error *err) {
    es_status st = ES_OK;
    double *x = es_alloc_aligned(FEW * s->d, sizeof *x);
    ES_FAIL_IF(!x, es_no_memory_for(err, "%d rows of %zu columns", FEW, s->d));
    es_free(s->x);
    es_free(s->gram);
    s->x = s->gram = NULL;
    s->precise = true;
    s->length2 = 0;
    for (size_t at = 0; at < s->n; at += FEW) {
        size_t rows = rows_left(s->n, at, FEW);
        ES_TRY(es_run_check(run, err));
        ES_TRY(doubles(s, at, rows, x, err));
        for (size_t i = 0; i < rows; i++)
            s->length2 += s->norm2[at + i] = square_length(x + i * s->d, s->d);
    }
    st = find_self(s, run, err);
done:
    es_free(x);
    return st;
}

/* Computes means and norms of the rows, and keeps the centred rows if they fit. */
static es_status fill_side(es_cka_side *s, size_t keep_bytes, const es_run *run, es_error *err) {
    block b = {0};
    es_status st = ES_OK;
    s->mean = es_alloc_zero(s->d, sizeof *s->mean);
    s->norm2 = es_alloc_zero(s->n, sizeof *s->norm2);
    ES_FAIL_IF(!s->mean || !s->norm2, es_no_memory_for(err, "%zu rows", s->n));
    ES_TRY(block_new(s->d, &b, err));
    ES_TRY(find_means(s, &b, run, err));
    ES_TRY(add_rows(s, is_kept(s->n, s->d, keep_bytes), &b, run, err));
    block_free(&b);
    b = (block){0};
    if (is_dual(s->n, s->d) && s->x) {
        ES_TRY(add_products(s, run, err));
        es_free(s->x);
        s->x = NULL;
    }
    ES_TRY(find_self(s, run, err));
    if (needs_doubles(s))
        ES_TRY(make_precise(s, run, err));
done:
    block_free(&b);
    return st;
}

es_status es_cka_side_new(const es_rows *rows, size_t keep_bytes, const es_run *run,
                          es_cka_side **out, es_error *err) {
    if (rows->n < 4)
        return es_fail(err, ES_EINVAL, "%zu rows are too few to compare embedders: at least 4",
                       rows->n);
    es_cka_side *s = es_alloc_zero(1, sizeof *s);
    if (!s)
        return es_no_memory(err);
    s->n = rows->n;
    s->d = rows->d;
    s->rows = *rows;
    es_status st = fill_side(s, keep_bytes, run, err);
    if (st != ES_OK) {
        es_cka_side_free(s);
        return st;
    }
    *out = s;
    return ES_OK;
}

void es_cka_side_free(es_cka_side *s) {
    if (!s)
        return;
    es_free(s->mean);
    es_free(s->norm2);
    es_free(s->x);
    es_free(s->gram);
    es_free(s);
}

size_t es_cka_side_bytes(const es_cka_side *s) {
    size_t values = (s->x ? s->n * s->d : 0) + (s->gram ? packed(s->n) : 0);
    return sizeof *s + (s->n + s->d) * sizeof(double) + values * sizeof(float);
}

/* Returns the bytes that a side (n, d), making it, and a pair with other_d columns take at most. */
es_cka_need es_cka_needs(size_t n, size_t d, size_t other_d, size_t keep_bytes) {
    double rows = (double)n, columns = (double)d, other = (double)other_d;
    bool dual = is_dual(n, d), again = !is_kept(n, d, keep_bytes);
    double line = BLOCK * 12 * columns, small = BLOCK * BLOCK * 8;
    es_cka_need need = {.side = 8 * (rows + columns)};
    need.side += dual ? 2 * rows * (rows + 1) : again ? 0 : 4 * rows * columns;
    need.making = dual ? 4 * rows * columns + fmax(line, BLOCK * 16 * columns + small)
                       : fmax(line, 12 * columns * columns + (again ? line : 0));
    need.pair = (again ? 2 * line : 0) + small + 16 * FEW * (columns + other);
    if (!dual && !is_dual(n, other_d))
        need.pair += 12 * columns * other;
    return need;
}
