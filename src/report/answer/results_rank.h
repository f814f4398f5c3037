/* Results as core's ranking takes them. */
#ifndef ES_REPORT_RESULTS_RANK_H
#define ES_REPORT_RESULTS_RANK_H

#include <stdbool.h>
#include <stdint.h>

#include "embedscope/ranking.h"
#include "engine_results.h"

/** True for an estimator of errors. */
bool es_rank_lower_is_better(const es_results *results);

/** The published score, the median over the other embedders, the right way round. Works on what is
 *  known: pairs that are missing are NaN. Derived embedders do not vote and have no rank; their own
 *  score is over the others. */
es_status es_rank_results(const es_results *results, bool lower_is_better, es_ranking **out,
                          es_error *err);

/** order (m): positions by name, so that results do not depend on the order of a file. */
es_status es_rank_by_name(const es_results *results, uint32_t *order, es_error *err);

#endif
