/* Matrix products, eigenvectors and singular vectors by OpenBLAS and LAPACK. Products have plain
 * twins (`_ref`) for tests. */
#include "core_numerics.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* LAPACK's divide-and-conquer eigensolver; OpenBLAS ships it without a C header. */
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info);

/* Singular values by divide and conquer. */
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info);

/* QR. */
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);

/* Cholesky. */
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dposv_(const char *uplo, const int *n, const int *nrhs, double *a, const int *lda, double *b,
            const int *ldb, int *info);

static void sgemm(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
                  const float *b, float beta, float *c) {
    if (m == 0 || n == 0)
        return;
    size_t lda = transpose ? m : k;
    cblas_sgemm(CblasRowMajor, transpose ? CblasTrans : CblasNoTrans, CblasNoTrans, (int)m, (int)n,
                (int)k, alpha, a, lda > 0 ? (int)lda : 1, b, (int)n, beta, c, (int)n);
}

static void sgemm_ref(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
                      const float *b, float beta, float *c) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t l = 0; l < k; l++)
                sum += (double)(transpose ? a[l * m + i] : a[i * k + l]) * (double)b[l * n + j];
            float before = beta != 0.0F ? beta * c[i * n + j] : 0.0F;
            c[i * n + j] = before + (float)((double)alpha * sum);
        }
}

void es_sgemm(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
              const float *b, float *c) {
    sgemm(transpose, m, n, k, alpha, a, b, 0.0F, c);
}

void es_sgemm_ref(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
                  const float *b, float *c) {
    sgemm_ref(transpose, m, n, k, alpha, a, b, 0.0F, c);
}

/* Measured: of A^T B with thousands of rows to sum, the kernel is ahead while either side has at
 * most 64 columns; of A B while B stays in the second-level cache. */
static bool is_narrow(bool transpose, size_t m, size_t n, size_t k) {
    return transpose ? m <= 64 || n <= 64 : n * k <= 256 * 512;
}

void es_sgemm_narrow(bool transpose, size_t m, size_t n, size_t k, const float *a, const float *b,
                     float *c) {
    es_isa level = es_isa_level();
    if (level == ES_ISA_REF || k == 0 || !is_narrow(transpose, m, n, k))
        es_sgemm(transpose, m, n, k, 1, a, b, c);
    else
        es_simd_get(level)->product(m, n, k, a, transpose ? 1 : k, transpose ? m : 1, b, n, c, n);
}

void es_sgemm_add(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
                  const float *b, float *c) {
    sgemm(transpose, m, n, k, alpha, a, b, 1.0F, c);
}

void es_sgemm_add_ref(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
                      const float *b, float *c) {
    sgemm_ref(transpose, m, n, k, alpha, a, b, 1.0F, c);
}

void es_sgemm_turned(size_t m, size_t n, size_t k, const float *a, const float *b, float *c) {
    if (m > 0 && n > 0)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)m, (int)n, (int)k, 1.0F, a,
                    k > 0 ? (int)k : 1, b, k > 0 ? (int)k : 1, 0.0F, c, (int)n);
}

void es_sgemm_turned_ref(size_t m, size_t n, size_t k, const float *a, const float *b, float *c) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t l = 0; l < k; l++)
                sum += (double)a[i * k + l] * (double)b[j * k + l];
            c[i * n + j] = (float)sum;
        }
}

void es_dgemm_add(size_t m, size_t n, size_t k, const double *a, const double *b, double *c) {
    if (m > 0 && n > 0 && k > 0)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)n, (int)k, 1.0, a,
                    (int)k, b, (int)n, 1.0, c, (int)n);
}

void es_dgemm_add_ref(size_t m, size_t n, size_t k, const double *a, const double *b, double *c) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t l = 0; l < k; l++)
                c[i * n + j] += a[i * k + l] * b[l * n + j];
}

void es_dgemm(bool transpose_a, bool transpose_b, size_t m, size_t n, size_t k, const double *a,
              const double *b, double *c) {
    if (m == 0 || n == 0)
        return;
    size_t lda = transpose_a ? m : k, ldb = transpose_b ? k : n;
    cblas_dgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
                transpose_b ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, 1.0, a,
                lda > 0 ? (int)lda : 1, b, ldb > 0 ? (int)ldb : 1, 0.0, c, (int)n);
}

void es_dgemm_ref(bool transpose_a, bool transpose_b, size_t m, size_t n, size_t k, const double *a,
                  const double *b, double *c) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t l = 0; l < k; l++)
                sum +=
                    a[transpose_a ? l * m + i : i * k + l] * b[transpose_b ? j * k + l : l * n + j];
            c[i * n + j] = sum;
        }
}

void es_dsyrk_add(size_t m, size_t n, const double *a, double *c) {
    if (m > 0 && n > 0)
        cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, (int)n, (int)m, 1.0, a, (int)n, 1.0, c,
                    (int)n);
}

void es_dsyrk_add_ref(size_t m, size_t n, const double *a, double *c) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            for (size_t l = 0; l < m; l++)
                c[i * n + j] += a[l * n + i] * a[l * n + j];
}

void es_dsyrk_rows(size_t m, size_t n, const double *a, double *c) {
    if (m > 0)
        cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, (int)m, (int)n, 1.0, a,
                    n > 0 ? (int)n : 1, 0.0, c, (int)m);
}

void es_dsyrk_rows_ref(size_t m, size_t n, const double *a, double *c) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t l = 0; l < n; l++)
                sum += a[i * n + l] * a[j * n + l];
            c[i * m + j] = sum;
        }
}

static es_status decompose(bool vectors, size_t n, double *a, double *value, es_error *err) {
    if (n == 0)
        return ES_OK;
    if (n > 30000) /* LAPACK counts its 1 + 6n + 2n^2 doubles of work space in an int */
        return es_fail(err, ES_EINVAL, "%zu columns are too many to factor (at most 30000)", n);
    int order = (int)n, info = 0;
    int lwork = 1 + 6 * order + (vectors ? 2 * order * order : 64 * order);
    int liwork = vectors ? 3 + 5 * order : 1;
    double *work = es_alloc_aligned((size_t)lwork, sizeof *work);
    int *iwork = es_alloc((size_t)liwork, sizeof *iwork);
    es_status st = ES_OK;
    ES_FAIL_IF(!work || !iwork, es_no_memory_for(err, "%zu columns", n));
    /* Column-major "U" is our lower triangle; its column i, the i-th vector, is our row i. */
    dsyevd_(vectors ? "V" : "N", "U", &order, a, &order, value, work, &lwork, iwork, &liwork,
            &info);
    if (info != 0)
        st = es_fail(err, ES_ENOCONV, "the eigenvalues of %zu columns did not converge", n);
done:
    es_free(work);
    es_free(iwork);
    return st;
}

es_status es_eigen(size_t n, double *a, double *value, es_error *err) {
    return decompose(true, n, a, value, err);
}

es_status es_eigenvalues(size_t n, double *a, double *value, es_error *err) {
    return decompose(false, n, a, value, err);
}

es_status es_svd(size_t m, size_t n, double *a, double *u, double *s, double *vt, es_error *err) {
    size_t k = m < n ? m : n;
    if (k == 0)
        return ES_OK;
    if (k > 15000 || m > 100000000 || n > 100000000)
        return es_fail(err, ES_EINVAL, "a %zu x %zu matrix is too large to factor", m, n);
    /* Our row-major A is LAPACK's A^T = V diag(s) U^T: its left vectors are our vt. */
    const char *job = u && vt ? "S" : "N";
    int rows = (int)n, columns = (int)m, rank = (int)k, info = 0, ask = -1, lwork = 0;
    double best = 0, *work = NULL;
    int *iwork = es_alloc(8 * k, sizeof *iwork);
    es_status st = ES_OK;
    ES_FAIL_IF(!iwork, es_no_memory_for(err, "%zu columns", n));
    dgesdd_(job, &rows, &columns, a, &rows, s, vt, &rows, u, &rank, &best, &ask, iwork, &info);
    lwork = (int)best;
    work = es_alloc_aligned((size_t)lwork, sizeof *work);
    ES_FAIL_IF(!work, es_no_memory_for(err, "%zu columns", n));
    dgesdd_(job, &rows, &columns, a, &rows, s, vt, &rows, u, &rank, work, &lwork, iwork, &info);
    if (info != 0)
        st = es_fail(err, ES_ENOCONV, "the singular values of %zu columns did not converge", n);
done:
    es_free(work);
    es_free(iwork);
    return st;
}

/* Eigenvalues (k, ascending) of the product of a matrix with itself to its singular values, which
 * turn round. What rounding has left of each may be wrong by about `off`; false when that is more
 * than `tolerance` of their sum. */
static bool roots(size_t k, double *s, double tolerance) {
    double off = 4 * sqrt((double)k) * DBL_EPSILON * s[k - 1], wrong = 0, sum = 0;
    for (size_t i = 0; i < k / 2; i++) {
        double swap = s[i];
        s[i] = s[k - 1 - i];
        s[k - 1 - i] = swap;
    }
    for (size_t i = 0; i < k; i++) {
        double root = s[i] > 0 ? sqrt(s[i]) : 0;
        wrong += s[i] > off ? off / (2 * root) : sqrt(off);
        sum += s[i] = root;
    }
    return wrong <= tolerance * sum;
}

es_status es_singular_values(size_t m, size_t n, double *a, double tolerance, double *s,
                             es_error *err) {
    size_t k = m < n ? m : n;
    if (k < ES_SINGULAR_FEW)
        return es_svd(m, n, a, NULL, s, NULL, err);
    double *square = es_alloc_zero(k * k, sizeof *square);
    if (!square)
        return es_no_memory_for(err, "%zu columns", k);
    if (m < n)
        es_dsyrk_rows(m, n, a, square);
    else
        es_dsyrk_add(m, n, a, square);
    es_status st = es_eigenvalues(k, square, s, err);
    es_free(square);
    if (st == ES_OK && !roots(k, s, tolerance))
        st = es_svd(m, n, a, NULL, s, NULL, err);
    return st;
}

es_status es_row_coordinates(size_t n, size_t d, double *a, double *out, es_error *err) {
    /* Our row-major A is LAPACK's A^T = Q R, so that A = R^T Q^T. */
    int rows = (int)d, columns = (int)n, ask = -1, info = 0;
    double best = 0, *tau = NULL, *work = NULL;
    es_status st = ES_OK;
    dgeqrf_(&rows, &columns, a, &rows, &best, &best, &ask, &info);
    int lwork = (int)best;
    tau = es_alloc(n, sizeof *tau);
    work = es_alloc((size_t)lwork, sizeof *work);
    ES_FAIL_IF(!tau || !work, es_no_memory_for(err, "coordinates of %zu rows", n));
    dgeqrf_(&rows, &columns, a, &rows, tau, work, &lwork, &info);
    ES_FAIL_IF(info != 0, es_fail(err, ES_ENOCONV, "LAPACK cannot factor %zu rows", n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            out[i * n + j] = j <= i ? a[i * d + j] : 0;
done:
    es_free(tau);
    es_free(work);
    return st;
}

es_status es_is_definite(size_t n, double *a, bool *out, es_error *err) {
    if (n > 40000)
        return es_fail(err, ES_EINVAL, "%zu columns are too many to factor (at most 40000)", n);
    int order = (int)n, info = 0;
    if (n > 0)
        dpotrf_("U", &order, a, &order, &info);
    *out = info == 0;
    return ES_OK;
}

es_status es_solve(size_t n, double *a, size_t columns, double *b, es_error *err) {
    if (n == 0 || columns == 0)
        return ES_OK;
    if (n > 40000 || columns > 1000000)
        return es_fail(err, ES_EINVAL, "%zu equations are too many to solve (at most 40000)", n);
    int order = (int)n, right = (int)columns, info = 0;
    /* Column-major "U" is our lower triangle. */
    dposv_("U", &order, &right, a, &order, b, &order, &info);
    if (info != 0)
        return es_fail(err, ES_ENOCONV, "%zu equations have no unique solution", n);
    return ES_OK;
}

/* Matrices of doubles: made, read from an embedder's rows, centred; and samples of rows by seed.
 */

es_status es_matrix_new(size_t n, size_t d, es_matrix *out, es_error *err) {
    double *x = d == 0 || n <= SIZE_MAX / d ? es_alloc_aligned(n * d, sizeof *x) : NULL;
    if (!x)
        return es_no_memory_for(err, "%zu rows of %zu columns", n, d);
    *out = (es_matrix){n, d, x};
    return ES_OK;
}

void es_matrix_free(es_matrix *m) {
    es_free(m->x);
    *m = (es_matrix){0};
}

es_status es_matrix_read(const es_rows *from, const uint32_t *rows, size_t count, es_matrix *out,
                         es_error *err) {
    enum { BLOCK = 1024 };
    uint32_t first[BLOCK];
    es_matrix m = {0};
    es_status st = es_matrix_new(count, from->d, &m, err);
    for (size_t at = 0; st == ES_OK && at < count; at += BLOCK) {
        size_t take = count - at < BLOCK ? count - at : BLOCK;
        for (size_t i = 0; i < take; i++)
            first[i] = rows ? rows[at + i] : (uint32_t)(at + i);
        st = from->read(from->context, first, take, m.x + at * from->d, err);
    }
    if (st != ES_OK)
        es_matrix_free(&m);
    else
        *out = m;
    return st;
}

static es_status read_matrix(const void *context, const uint32_t *rows, size_t count, double *out,
                             es_error *err) {
    const es_matrix *m = context;
    (void)err;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * m->d, m->x + rows[i] * m->d, m->d * sizeof *out);
    return ES_OK;
}

es_rows es_matrix_as_rows(const es_matrix *m) {
    return (es_rows){.n = m->n, .d = m->d, .context = m, .read = read_matrix};
}

es_status es_matrix_rows(const es_matrix *m, const uint32_t *rows, size_t count, es_matrix *out,
                         es_error *err) {
    es_matrix r = {0};
    ES_PASS(es_matrix_new(count, m->d, &r, err));
    for (size_t i = 0; i < count; i++)
        memcpy(r.x + i * m->d, m->x + rows[i] * m->d, m->d * sizeof *r.x);
    *out = r;
    return ES_OK;
}

es_status es_matrix_centred(const es_matrix *m, es_matrix *out, double *mean, es_error *err) {
    es_matrix c = {0};
    double *average = es_alloc_zero(m->d, sizeof *average);
    if (!average)
        return es_no_memory_for(err, "%zu means", m->d);
    es_status st = es_matrix_new(m->n, m->d, &c, err);
    if (st == ES_OK) {
        for (size_t i = 0; i < m->n; i++)
            for (size_t j = 0; j < m->d; j++)
                average[j] += m->x[i * m->d + j];
        for (size_t j = 0; j < m->d; j++)
            average[j] /= (double)(m->n > 0 ? m->n : 1);
        for (size_t i = 0; i < m->n; i++)
            for (size_t j = 0; j < m->d; j++)
                c.x[i * m->d + j] = m->x[i * m->d + j] - average[j];
        if (mean)
            memcpy(mean, average, m->d * sizeof *mean);
        *out = c;
    }
    es_free(average);
    return st;
}

size_t es_matrix_zero_rows(const es_matrix *m) {
    size_t zero = 0;
    for (size_t i = 0; i < m->n; i++) {
        size_t j = 0;
        while (j < m->d && m->x[i * m->d + j] == 0)
            j++;
        zero += j == m->d;
    }
    return zero;
}

es_status es_sample_rows(size_t n, size_t count, uint64_t seed, uint32_t *rows, es_error *err) {
    uint32_t *all = es_alloc(n, sizeof *all);
    unsigned char *taken = es_alloc_zero(n, 1);
    es_status st = ES_OK;
    size_t kept = 0;
    ES_FAIL_IF(!all || !taken, es_no_memory_for(err, "a sample of %zu rows", n));
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SAMPLE, n));
    for (size_t i = 0; i < n; i++)
        all[i] = (uint32_t)i;
    if (count < n)
        es_rng_shuffle(&rng, all, n);
    for (size_t i = 0; i < n && i < count; i++)
        taken[all[i]] = 1;
    for (size_t i = 0; i < n; i++)
        if (taken[i])
            rows[kept++] = (uint32_t)i;
done:
    es_free(all);
    es_free(taken);
    return st;
}
