/* Whether validation rows gain by a richer model (see core_estimators_parts.h). */
#include "core_estimators_parts.h"

#include <math.h>

double es_gain_over(const double *before, const double *now, size_t n, double *mean) {
    double sum = 0, gain = 0, square = 0, sign = 0;
    for (size_t i = 0; i < n; i++) {
        double more = now[i] - before[i];
        sum += now[i];
        gain += more;
        square += more * more;
        sign += more > 0 ? 1 : -1;
    }
    *mean = sum / (double)n;
    gain /= (double)n;
    double variance = (square / (double)n - gain * gain) / (double)(n > 1 ? n - 1 : 1);
    if (!(gain > 0 && variance > 0))
        return 0;
    return fmax(gain / sqrt(variance), sign / sqrt((double)n));
}
