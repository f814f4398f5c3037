/* How long the rest of a run takes, by the work that is left of each of its parts and the seconds
 * that work of that part has taken. A pair counts by its work, not as one of so many: those of wide
 * embedders take a hundred times those of narrow ones. */
#ifndef ES_ENGINE_PACE_H
#define ES_ENGINE_PACE_H

#include <stddef.h>

/** What was done of one part, the older the less it counts. All zero bytes: nothing yet. */
typedef struct es_pace {
    double work, seconds; /* of one thread */
    double at;            /* running time when they were brought up to date */
} es_pace;

/** A pair has ended at `now` (running time). */
void es_pace_add(es_pace *pace, double now, double work, double seconds);

/** Seconds until all parts are done, with so many threads, where left[i] work of part i is left
 *  (exactly 0: none). A part of which nothing has been done goes like the last before it that has,
 *  else like the first behind it. NAN: nothing has been done of any. */
double es_pace_left(const es_pace *pace, const double *left, size_t parts, double threads);

#endif
