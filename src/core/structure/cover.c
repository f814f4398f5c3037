/* What a source says of a target as a share of what the target says of itself. */
#include "cover.h"

#include <math.h>

double es_cover_ceiling(const double *is, size_t m, size_t j) {
    double best = is[j * m + j];
    if (isfinite(best) && best > 0)
        return best;
    best = 0;
    for (size_t i = 0; i < m; i++)
        if (i != j && isfinite(is[i * m + j]))
            best = fmax(best, is[i * m + j]);
    if (best > 0)
        return best;
    return NAN;
}

double es_cover_under(double is, double ceiling) {
    if (!isfinite(is) || isnan(ceiling))
        return NAN;
    return fmax(0, fmin(1, is / ceiling));
}

double es_cover(const double *is, size_t m, size_t i, size_t j) {
    if (i == j)
        return 1;
    if (!isfinite(is[i * m + j]))
        return NAN;
    return es_cover_under(is[i * m + j], es_cover_ceiling(is, m, j));
}
