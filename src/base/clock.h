/* Time for progress and measurements. */
#ifndef EMBEDSCOPE_CLOCK_H
#define EMBEDSCOPE_CLOCK_H

/** Seconds on a clock that never goes back (CLOCK_MONOTONIC). */
double es_clock_now(void);
/** Seconds of processor time of the calling thread: what its work took, whatever ran beside it. */
double es_clock_thread(void);

#endif
