/* Room in memory, of which jobs take what they need for as long as they need it: one whose need
 * does not fit beside that of the others waits. All functions may be called from any thread. */
#ifndef ES_ENGINE_ROOM_H
#define ES_ENGINE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/status.h"

typedef struct es_room es_room;

es_status es_room_new(size_t bytes, es_room **out, es_error *err);
void es_room_free(es_room *room);

/** What a job holds, *held, becomes `bytes`: always where that is no more, or where nobody else
 * holds anything, else when it fits. */
bool es_room_take(es_room *room, size_t *held, size_t bytes);
/** Sleep until somebody holds less, but a fiftieth of a second at most. Who holds something while
 * he waits may wait for ever. */
void es_room_wait(es_room *room);

size_t es_room_size(const es_room *room);
/** What nobody holds. */
size_t es_room_left(es_room *room);

#endif
