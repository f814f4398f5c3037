/* The first few eigenvectors of a large symmetric matrix. */
#ifndef ES_CORE_LEADING_H
#define ES_CORE_LEADING_H

#include <stddef.h>
#include <stdint.h>

#include "run.h"

/** The k largest eigenvalues of a symmetric, positive semi-definite a (n, n), both triangles of
 *  which are there: value (k) descending, vector (k, n) orthonormal rows, each with
 *  |A v - value v| <= 1e-12 of the largest value. By a restarted block Krylov space with
 *  Rayleigh-Ritz (Halko, Martinsson and Tropp 2011, section 4.5, run until it has converged), from
 *  seeded normals; all of them by es_eigen where n is small or that does not converge. k <= n.
 *  O(n^2) a vector of the space; memory 12 (k + 8) n doubles. ES_ENOMEM, ES_ENOCONV, ES_ECANCELED.
 */
es_status es_eigen_leading(size_t n, const double *a, size_t k, uint64_t seed, const es_run *run,
                           double *vector, double *value, es_error *err);

#endif
