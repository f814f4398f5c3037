/* Controls: embedders that are drawn at random, or have their rows in another order, to compare
 * with. They are of the family "control" of pool.json. */
#ifndef ES_BASE_CONTROL_H
#define ES_BASE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool es_is_control(const char *family) {
    return family != NULL && strcmp(family, "control") == 0;
}

#endif
