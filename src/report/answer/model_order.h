/* Orders of embedders, for rows and columns. */
#ifndef ES_REPORT_MODEL_ORDER_H
#define ES_REPORT_MODEL_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "core_structure.h"
#include "engine_results.h"

/** order (m): positions in `results`, first to last. `rank` (m) is each one's place, 0 for none;
 *  NULL: equal ones keep their numbering; `resolution` (0: 1) and `seed` are those of the
 *  communities. Cluster: the sources' dendrogram (average linkage). */
es_status es_order_models(const es_results *results, es_order_kind by, const uint32_t *rank,
                          double resolution, uint64_t seed, uint32_t *order, es_error *err);
/** Computes the dendrogram of the results' sources or targets. Errors of es_linkage_new. */
es_status es_model_linkage(const es_results *results, es_linkage_method method, es_linkage_of of,
                           es_diagonal diagonal, es_linkage **out, es_error *err);

#endif
