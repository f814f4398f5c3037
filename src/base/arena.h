/* A bump allocator for scratch memory: one per worker, reset between jobs, so that inner loops
 * never allocate and pages stay warm. Belongs to one thread at a time. */
#ifndef EMBEDSCOPE_ARENA_H
#define EMBEDSCOPE_ARENA_H

#include <stddef.h>

typedef struct es_arena es_arena;

es_arena *es_arena_new(void); /* NULL when out of memory */
void es_arena_free(es_arena *arena);
/** count * size bytes aligned to 64, uninitialised, valid until es_arena_reset; NULL when out of
 *  memory or on overflow. */
void *es_arena_alloc(es_arena *arena, size_t count, size_t size)
    __attribute__((warn_unused_result));
/** Everything handed out becomes invalid; memory is kept as one block as large as the last peak. */
void es_arena_reset(es_arena *arena);
/** As es_arena_reset, but all memory is given back. */
void es_arena_clear(es_arena *arena);
/** Bytes held from the system. */
size_t es_arena_bytes(const es_arena *arena);

#endif
