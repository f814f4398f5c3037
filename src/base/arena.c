/* A bump allocator on a list of blocks. A reset puts one block in the place of several, as large
 * as all that was used, so that a worker soon allocates no more. */
#include "base.h"

#include <stdint.h>

/* Under AddressSanitizer what is not handed out cannot be touched, nor what lies between two that
 * are: a write behind the end of scratch is found as it is for any other memory. */
#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#include <sanitizer/asan_interface.h>
enum { GAP = 64 };
#define CLOSE(at, size) ASAN_POISON_MEMORY_REGION(at, size)
#define OPEN(at, size) ASAN_UNPOISON_MEMORY_REGION(at, size)
#else
enum { GAP = 0 };
#define CLOSE(at, size) ((void)(at), (void)(size))
#define OPEN(at, size) ((void)(at), (void)(size))
#endif

enum { ALIGN = 64, FIRST_BLOCK = 1 << 20, MOST_AHEAD = 64 << 20 };

/* Blocks are chained; a reset that finds more than one merges them into one of the summed size, so
 * that from the second job on a worker bumps through one block. */
typedef struct block {
    struct block *next;
    size_t size, used;
    unsigned char *bytes;
} block;

struct es_arena {
    block *head;
    size_t total;
};

es_arena *es_arena_new(void) {
    return es_alloc_zero(1, sizeof(es_arena));
}

void es_arena_clear(es_arena *arena) {
    for (block *b = arena->head, *next; b; b = next) {
        next = b->next;
        OPEN(b->bytes, b->size);
        es_free(b->bytes);
        es_free(b);
    }
    arena->head = NULL;
    arena->total = 0;
}

void es_arena_free(es_arena *arena) {
    if (!arena)
        return;
    es_arena_clear(arena);
    es_free(arena);
}

static block *add_block(es_arena *arena, size_t size) {
    block *b = es_alloc(1, sizeof *b);
    if (!b)
        return NULL;
    *b = (block){arena->head, size, 0, es_alloc_aligned(size, 1)};
    if (!b->bytes) {
        es_free(b);
        return NULL;
    }
    CLOSE(b->bytes, size);
    arena->head = b;
    arena->total += size;
    return b;
}

void *es_arena_alloc(es_arena *arena, size_t count, size_t size) {
    if (es_alloc_refuses() || (size && count > (SIZE_MAX - GAP - ALIGN) / size))
        return NULL;
    size_t need = (count * size + GAP + ALIGN - 1) / ALIGN * ALIGN;
    if (need == 0)
        need = ALIGN;
    block *b = arena->head;
    if (!b || b->size - b->used < need) {
        size_t grow = arena->total > FIRST_BLOCK ? arena->total : FIRST_BLOCK;
        grow = grow < MOST_AHEAD ? grow : MOST_AHEAD; /* memory may be counted */
        b = add_block(arena, need > grow ? need : grow);
        if (!b && need < grow)
            b = add_block(arena, need);
        if (!b)
            return NULL;
    }
    void *out = b->bytes + b->used;
    OPEN(out, count * size);
    b->used += need;
    return out;
}

void es_arena_reset(es_arena *arena) {
    if (arena->head && arena->head->next) {
        size_t peak = 0;
        for (const block *b = arena->head; b; b = b->next)
            peak += b->used;
        es_arena_clear(arena);
        add_block(arena, peak); /* on failure the next call tries again */
    }
    if (arena->head) {
        CLOSE(arena->head->bytes, arena->head->size);
        arena->head->used = 0;
    }
}

size_t es_arena_bytes(const es_arena *arena) {
    return arena->total;
}
