/* The cheapest way to carry equal masses from one set of points to another of another size. */
#ifndef ES_CORE_TRANSPORT_H
#define ES_CORE_TRANSPORT_H

#include <stddef.h>

#include "run.h"
#include "embedscope/status.h"

/** *mean: the smallest sum of share_ij cost_ij where every row of cost (n, m) gives 1/n and every
 *  column takes 1/m: Wasserstein's distance of two samples, whatever their sizes. Exact, by
 * shortest augmenting paths over whole numbers (Hitchcock 1941; Edmonds and Karp 1972): O((n + m) n
 * m) a path over some n + m paths. Costs are finite and not negative. */
es_status es_transport(const double *cost, size_t n, size_t m, const es_run *run, double *mean,
                       es_error *err);

#endif
