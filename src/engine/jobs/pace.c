/* Sums that halve every so many seconds: long enough that a few pairs of one source, which are
 * alike, do not pass for all, short enough to see that the machine has become slower. */
#include "pace.h"

#include <math.h>

static const double HALF_LIFE = 60; /* seconds */

void es_pace_add(es_pace *pace, double now, double work, double seconds) {
    double kept = pace->seconds > 0 ? exp2(-fmax(now - pace->at, 0) / HALF_LIFE) : 0;
    pace->work = kept * pace->work + work;
    pace->seconds = kept * pace->seconds + seconds;
    pace->at = now;
}

/* Work a second of the part, or of the nearest that has begun; 0: there is none. */
static double rate_of(const es_pace *pace, size_t part, size_t parts) {
    for (size_t i = part + 1; i-- > 0;)
        if (pace[i].seconds > 0)
            return pace[i].work / pace[i].seconds;
    for (size_t i = part + 1; i < parts; i++)
        if (pace[i].seconds > 0)
            return pace[i].work / pace[i].seconds;
    return 0;
}

double es_pace_left(const es_pace *pace, const double *left, size_t parts, double threads) {
    double sum = 0;
    for (size_t i = 0; i < parts; i++) {
        double rate = left[i] > 0 ? rate_of(pace, i, parts) : 1;
        if (!(rate > 0) || !(threads > 0))
            return (double)NAN;
        sum += left[i] / rate;
    }
    return sum / threads;
}
