/* The share of the row that is farthest from the median in what all rows of a pair deviate from it.
 * Of the median, since a single row's deviation moves the mean, by which all others then deviate.
 */
#include "embedscope/compare.h"

#include <math.h>

#include "alloc.h"
#include "stats.h"

es_status es_row_decides(const float *pmi, size_t n, double *share, size_t *row, es_error *err) {
    double *copy = es_alloc(n > 0 ? n : 1, sizeof *copy);
    if (!copy)
        return es_no_memory_for(err, "%zu rows", n);
    for (size_t i = 0; i < n; i++)
        copy[i] = (double)pmi[i];
    double median = es_stat_median(copy, n), sum = 0, most = 0;
    size_t at = 0;
    es_free(copy);
    for (size_t i = 0; i < n; i++) {
        double far = fabs((double)pmi[i] - median);
        sum += far;
        if (far > most) {
            most = far;
            at = i;
        }
    }
    *share = sum > 0 ? most / sum : 0;
    if (row)
        *row = at;
    return ES_OK;
}
