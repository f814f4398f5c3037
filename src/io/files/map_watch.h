/* What happens when a mapped file is cut short while it is read: the system sends SIGBUS. The
 * handler here puts zeros where the file was, notes it, and lets the reader go on; whoever reads a
 * map asks es_map_check afterwards, before the values are used. It is installed with the first map
 * and passes on every fault that is not in one. */
#ifndef ES_IO_MAP_WATCH_H
#define ES_IO_MAP_WATCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct es_map_watch es_map_watch;

/** Watch a mapped range, until es_map_watch_free, which comes before it is unmapped. NULL when out
 *  of memory. */
es_map_watch *es_map_watch_new(const void *data, size_t size);
/** Has a part of it gone? */
bool es_map_watch_cut(const es_map_watch *watch); /* NULL: no */
void es_map_watch_free(es_map_watch *watch);      /* NULL is allowed */

/** Let the pages go that were read: they stay in the system's cache while there is room, but are no
 *  longer counted as this process's memory. Reading goes on as before, in any thread. */
void es_map_watch_rest(es_map_watch *watch); /* NULL is allowed */
/** About so many bytes of pages were read: lets them go whenever 16 MB have come together. */
void es_map_watch_use(es_map_watch *watch, size_t bytes); /* NULL is allowed */

/** For other handlers of SIGBUS: mends a map if `address` is in one. Async-signal-safe. */
bool es_map_mend(const void *address);

#endif
