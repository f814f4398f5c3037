/* A clock that never goes back, for progress and measurements; no result depends on it. */
#include "clock.h"

#include <time.h>

double es_clock_now(void) {
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for this clock */
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
