/* In which order to draw the leaves of a tree. */
#ifndef ES_CORE_LEAF_ORDER_H
#define ES_CORE_LEAF_ORDER_H

#include <stddef.h>

#include "embedscope/status.h"
#include "merge.h"
#include "run.h"

/** order (m): an optimal leaf order of the tree for the distances (m, m); see linkage.h.
 * ES_ECANCELED by `run`. */
es_status es_leaf_order(const es_merge *merge, const double *distance, size_t m, const es_run *run,
                        uint32_t *order, es_error *err);

#endif
