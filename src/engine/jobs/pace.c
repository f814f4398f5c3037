/* Sums that halve every so many seconds: long enough that a few pairs of one source, which are
 * alike, do not pass for all, short enough to see that the machine has become slower. */
#include "engine_jobs.h"

#include <math.h>

static const double HALF_LIFE = 60; /* seconds */
static const double STEP = 0.1, WINDOW = 20, LATE = 2;
_Static_assert(ES_LAPS > 200, "steps reach over the window");

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

void es_laps_add(es_laps *laps, double now, size_t part) {
    if (part != laps->part) {
        if (part < laps->part && now - laps->last < LATE)
            return;
        *laps = (es_laps){.part = part, .since = laps->last};
    }
    laps->last = now;
    if (laps->n == 0 || now - laps->time[(laps->n - 1) % ES_LAPS] >= STEP) {
        laps->time[laps->n % ES_LAPS] = now;
        laps->pairs[laps->n++ % ES_LAPS] = 0;
    }
    laps->pairs[(laps->n - 1) % ES_LAPS]++;
}

double es_laps_rate(const es_laps *laps, double now) {
    double from = fmax(now - WINDOW, laps->since);
    size_t kept = laps->n < ES_LAPS ? laps->n : ES_LAPS, pairs = 0;
    for (size_t k = 1; k <= kept && laps->time[(laps->n - k) % ES_LAPS] >= from; k++)
        pairs += laps->pairs[(laps->n - k) % ES_LAPS];
    return pairs > 0 ? (double)pairs / fmax(now - from, STEP) : 0;
}
