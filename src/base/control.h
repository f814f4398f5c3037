/* Controls: embedders that are drawn at random, or have their rows in another order, to compare
 * with. They are of the family "control" of families.csv or pool.json, in any case. They are
 * counted apart: a pool of 29 matrices may be one of 27 embedders + 2 controls. */
#ifndef ES_BASE_CONTROL_H
#define ES_BASE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <strings.h>

static inline bool es_is_control(const char *family) {
    return family != NULL && strcasecmp(family, "control") == 0;
}

enum { ES_COUNT_TEXT = 64 };

/** Writes "27 embedders + 2 controls", or "27 embedders" if there are no controls.
 *  count: both together. Returns out. */
const char *es_count_text(size_t count, size_t controls, char *out, size_t capacity);
/** Writes the same in little room: "27 + 2", or "27". Returns out. */
const char *es_count_brief(size_t count, size_t controls, char *out, size_t capacity);

#endif
