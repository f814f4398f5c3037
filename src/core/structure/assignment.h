/* The cheapest one-to-one match of two sets of the same size. */
#ifndef ES_CORE_ASSIGNMENT_H
#define ES_CORE_ASSIGNMENT_H

#include <stddef.h>
#include <stdint.h>

#include "run.h"
#include "embedscope/status.h"

/** match (n): the column of each row of cost (n, n), so that the sum is smallest. Exact, by
 * shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987), O(n^3). */
es_status es_assign(const double *cost, size_t n, const es_run *run, uint32_t *match,
                    es_error *err);

#endif
