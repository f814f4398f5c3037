/* The measures there are, for lists. (core_measures.h and the explorer's state both name a
 * "metric", so they do not meet in one file.) */
#ifndef ES_APP_MEASURE_NAMES_H
#define ES_APP_MEASURE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/** Name and title of measure number k; NULL behind the last. */
const char *es_measure_name_at(size_t k);
const char *es_measure_title_at(size_t k);
/** True if the measure is of pairs of embedders. */
bool es_measure_of_pairs_at(size_t k);

#endif
