/* Controls: embedders that are drawn at random, or have their rows in another order, to compare
 * with. They are of the family "control" of pool.json, in any case. */
#ifndef ES_BASE_CONTROL_H
#define ES_BASE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <strings.h>

static inline bool es_is_control(const char *family) {
    return family != NULL && strcasecmp(family, "control") == 0;
}

#endif
