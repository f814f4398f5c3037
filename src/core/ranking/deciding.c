/* The row whose absence moves the mean most is the one furthest from it: leaving out value x of n
 * moves a mean of m by (m - x) / (n - 1). Spread is measured without it, or it would hide behind
 * itself. */
#include "embedscope/compare.h"

#include <math.h>

static const double ERRORS = 2, SHARE = 0.25;

size_t es_row_decides(const float *pmi, size_t n, double *without) {
    double mean = 0, furthest = -1, squares = 0;
    size_t row = 0;
    if (n < 3)
        return SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        mean += (double)pmi[i];
    mean /= (double)n;
    if (!isfinite(mean))
        return SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        double away = fabs((double)pmi[i] - mean);
        if (away > furthest) {
            furthest = away;
            row = i;
        }
    }
    double left = (double)(n - 1), rest = mean - ((double)pmi[row] - mean) / left;
    if (fabs(mean - rest) <= SHARE * fabs(rest))
        return SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        double e = i == row ? 0 : (double)pmi[i] - rest;
        squares += e * e;
    }
    if (fabs(mean - rest) <= ERRORS * sqrt(squares / (left - 1) / left))
        return SIZE_MAX;
    *without = rest;
    return row;
}
