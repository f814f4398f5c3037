/* Progress, cancelling and memory of whoever reads a mapped file from its beginning to its end. */
#include "io_files.h"

es_status es_reading_look(es_reading *reading, size_t at, es_error *err) {
    es_map_watch_use(reading->map->watch, at - reading->looked);
    reading->looked = at;
    es_run_bytes(reading->run, at, reading->map->size);
    return es_run_check(reading->run, err);
}
