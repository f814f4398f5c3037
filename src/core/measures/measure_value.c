/* Values of measures from statistics and plain numbers: what is not finite is said to be undefined.
 */
#include "core_measures.h"

#include <math.h>

es_measure_value es_measure_value_of(es_stat stat) {
    return (es_measure_value){stat.value, NAN, NAN, stat.why, NULL};
}

const char *es_measure_ties(size_t by_number, size_t of) {
    return 20 * by_number > of ? "ties: row numbers chose among equal distances" : NULL;
}

es_measure_value es_measure_number(double value) {
    return es_measure_value_of(isfinite(value) ? es_stat_of(value)
                                               : es_stat_undefined("not defined here"));
}
