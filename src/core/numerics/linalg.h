/* The few dense linear-algebra calls of core, on OpenBLAS, each with a plain twin for tests.
 * All matrices are row-major; no dimension may exceed INT_MAX (es_rows sizes are far below). */
#ifndef ES_CORE_LINALG_H
#define ES_CORE_LINALG_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/status.h"

/** C (m,n) = alpha * op(A) * B with B (k,n); op(A) (m,k) is A, or the transpose of A (k,m).
 *  Single precision, one thread. C must not overlap A or B. */
void es_sgemm(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
              const float *b, float *c);
void es_sgemm_ref(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
                  const float *b, float *c);

/** es_sgemm with alpha = 1 for products that may be narrow: there OpenBLAS spends most on copying
 *  into its own layout, and the kernel of simd.h, which does not, is up to 2.5 times as fast. Which
 *  of them computes depends on the shape alone. */
void es_sgemm_narrow(bool transpose, size_t m, size_t n, size_t k, const float *a, const float *b,
                     float *c);

/** C += alpha * op(A) * B, otherwise the same. */
void es_sgemm_add(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
                  const float *b, float *c);
void es_sgemm_add_ref(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
                      const float *b, float *c);

/** C (m,n) = A B^T for A (m,k), B (n,k). */
void es_sgemm_turned(size_t m, size_t n, size_t k, const float *a, const float *b, float *c);
void es_sgemm_turned_ref(size_t m, size_t n, size_t k, const float *a, const float *b, float *c);

/** C (m,n) += A B for A (m,k), B (k,n), in double. */
void es_dgemm_add(size_t m, size_t n, size_t k, const double *a, const double *b, double *c);
void es_dgemm_add_ref(size_t m, size_t n, size_t k, const double *a, const double *b, double *c);

/** C (m,n) = op(A) op(B) in double; op(A) (m,k) is A or the transpose of A (k,m), op(B) (k,n) is B
 *  or the transpose of B (n,k). C must not overlap A or B. */
void es_dgemm(bool transpose_a, bool transpose_b, size_t m, size_t n, size_t k, const double *a,
              const double *b, double *c);
void es_dgemm_ref(bool transpose_a, bool transpose_b, size_t m, size_t n, size_t k, const double *a,
                  const double *b, double *c);

/** C (n,n) += A^T A for A (m,n) in double, lower triangle only. */
void es_dsyrk_add(size_t m, size_t n, const double *a, double *c);
void es_dsyrk_add_ref(size_t m, size_t n, const double *a, double *c);

/** C (m,m) = A A^T for A (m,n) in double, lower triangle only. */
void es_dsyrk_rows(size_t m, size_t n, const double *a, double *c);
void es_dsyrk_rows_ref(size_t m, size_t n, const double *a, double *c);

/** Eigenvectors of a symmetric matrix given by its lower triangle, eigenvalues ascending; `a` (n,n)
 *  is overwritten: row i becomes the eigenvector of value[i]. ES_ENOCONV when LAPACK gives up,
 *  ES_ENOMEM for its work space, ES_EINVAL above 30,000 columns. O(n^3). */
es_status es_eigen(size_t n, double *a, double *value, es_error *err);

/** The eigenvalues alone, about half the time; `a` is lost. Errors as es_eigen. */
es_status es_eigenvalues(size_t n, double *a, double *value, es_error *err);

/** Thin singular value decomposition A (m,n) = U diag(s) Vt with k = min(m, n): u (m,k), s (k)
 *  descending, vt (k,n). u and vt NULL: s alone. `a` is overwritten. Errors as es_eigen.
 *  O(m n k). */
es_status es_svd(size_t m, size_t n, double *a, double *u, double *s, double *vt, es_error *err);

/** Singular values alone, s (min(m, n)) descending; `a` (m, n) is overwritten. From
 *  ES_SINGULAR_FEW on they are the roots of the eigenvalues of the smaller product of A with
 *  itself, a fifth of the time: squaring costs the smallest their digits, so that this counts only
 *  where what rounding takes, summed over all, is estimated at no more than `tolerance` of their
 *  sum; es_svd otherwise. Errors as es_eigen. */
enum { ES_SINGULAR_FEW = 1000 };
es_status es_singular_values(size_t m, size_t n, double *a, double tolerance, double *s,
                             es_error *err);

/** L (n,n) lower triangular with L L^T = A A^T, for A (n,d) with d >= n: the coordinates of the
 * rows in as many dimensions as there are rows. By QR of A^T, so that nothing is squared; A is
 * overwritten. ES_ENOMEM, ES_ENOCONV when LAPACK gives up. O(n^2 d). */
es_status es_row_coordinates(size_t n, size_t d, double *a, double *out, es_error *err);

/** Is a symmetric A (n, n), of which the lower triangle is read, positive definite? By Cholesky;
 *  A is overwritten. ES_EINVAL above 40,000 columns. O(n^3 / 3). */
es_status es_is_definite(size_t n, double *a, bool *out, es_error *err);

/** Solves A X = B for a symmetric positive definite A (n, n), of which the lower triangle is read;
 * B and X are (n, columns), one column after the other. Both are overwritten. ES_ENOCONV: A is not
 *  positive definite. O(n^3 / 3 + n^2 columns). */
es_status es_solve(size_t n, double *a, size_t columns, double *b, es_error *err);

#endif
