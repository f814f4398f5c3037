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

enum { ES_LAPS = 256 };

/** How many pairs have ended of late, in steps of a tenth of a second: those that come in one batch
 *  have taken longer than the batch. Only those of one part count, since the next one's may take a
 *  hundred times as long. All zero bytes: none yet. */
typedef struct es_laps {
    size_t part;
    double since, last;   /* when the part began; when its last pair ended */
    double time[ES_LAPS]; /* running time when a step began */
    size_t pairs[ES_LAPS];
    size_t n; /* steps so far; step k is at k % ES_LAPS */
} es_laps;

/** A pair has ended. The first of a later part begins anew, and so does one of an earlier part once
 *  the later one's have ceased. */
void es_laps_add(es_laps *laps, double now, size_t part);
/** Pairs a second over the last 20 seconds, or since the part began; 0: none. */
double es_laps_rate(const es_laps *laps, double now);

#endif
