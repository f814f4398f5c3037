/* What a source says of a target as a share of what the target says of itself. */
#include "core_structure.h"

#include <math.h>

double es_cover_ceiling(const double *is, size_t m, size_t j) {
    double own = is[j * m + j];
    /* Another source's value would make that source hold all of j, whatever it is. */
    return isfinite(own) && own > 0 ? own : (double)NAN;
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
