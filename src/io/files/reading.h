/* How a reader goes through a mapped file: one place for what is to be done about every megabyte.
 */
#ifndef ES_IO_READING_H
#define ES_IO_READING_H

#include <stddef.h>

#include "file.h"
#include "map_watch.h"
#include "run.h"
#include "embedscope/status.h"

typedef struct es_reading {
    const es_map *map;
    es_run *run;
    size_t looked; /* bytes at the last look */
} es_reading;

enum { ES_READING_STEP = 1 << 20 }; /* bytes between looks */

/** All bytes before `at` are read: pages are let go, run is told and asked. ES_ECANCELED. */
es_status es_reading_look(es_reading *reading, size_t at, es_error *err);
/** The same, about every megabyte: to be called as often as one likes. */
static inline es_status es_reading_at(es_reading *reading, size_t at, es_error *err) {
    return at - reading->looked < ES_READING_STEP ? ES_OK : es_reading_look(reading, at, err);
}

#endif
