/* What every file of a measure needs: values made from statistics. */
#ifndef ES_CORE_MEASURE_VALUE_H
#define ES_CORE_MEASURE_VALUE_H

#include "measure.h"
#include "stats.h"

#define ES_COUNT_OF(array) (sizeof(array) / sizeof *(array))

es_measure_value es_measure_value_of(es_stat stat);
/** What is said where row numbers chose among equal distances in more than a twentieth of the rows
 *  or queries; NULL where they did not. The measures say so because neither choice is right. */
const char *es_measure_ties(size_t by_number, size_t of);
/** Undefined when it is not finite. */
es_measure_value es_measure_number(double value);

#endif
