/* A clock that never goes back, for progress and measurements; no result depends on it. */
#include "base.h"

#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec now = {0};
    (void)clock_gettime(clock, &now); /* cannot fail for these clocks */
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double es_clock_now(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double es_clock_thread(void) {
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}
