/* Allocation that checks for overflow and reports failure instead of exiting.
 *
 * All code of this project allocates here, so that a test can make the k-th allocation fail. */
#ifndef EMBEDSCOPE_ALLOC_H
#define EMBEDSCOPE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/** count * size bytes, uninitialised; NULL when out of memory or when the product overflows.
 *  A zero product gives a valid pointer. Free with es_free. */
void *es_alloc(size_t count, size_t size) __attribute__((warn_unused_result));

/** As es_alloc, filled with zero bytes. */
void *es_alloc_zero(size_t count, size_t size) __attribute__((warn_unused_result));

/** As es_alloc, aligned to 64 bytes (a cache line, an AVX-512 register). Free with es_free. */
void *es_alloc_aligned(size_t count, size_t size) __attribute__((warn_unused_result));

/** Resize; on failure NULL is returned and `old` stays valid. Not for es_alloc_aligned's blocks. */
void *es_realloc(void *old, size_t count, size_t size) __attribute__((warn_unused_result));

/** A list of `count` items with room for one more: itself, or moved and twice as long. NULL when
 * out of memory; then `list` stays valid. */
void *es_grow(void *list, size_t count, size_t *capacity, size_t size)
    __attribute__((warn_unused_result));

/** Copies; NULL when out of memory. */
char *es_strdup(const char *text) __attribute__((warn_unused_result));
char *es_strndup(const char *text, size_t length) __attribute__((warn_unused_result));

void es_free(void *block); /* NULL is allowed */

/** Give free memory back to the system, where the C library can be asked to; milliseconds. */
void es_alloc_trim(void);

/** For programs that are left running, once, at their start: what large blocks leave free at the
 * end of a heap goes back by itself. Else glibc learns from them to keep up to 64 MB for each
 * thread that ever ran, which es_alloc_trim does not reach. */
void es_alloc_keep_little(void);

/** Test hook: let `after` more allocations succeed, then fail one (and go on as before).
 *  A negative number switches it off. Counts over all threads. */
void es_alloc_fail_after(long after);

/** For what deals out memory that it has already: is this request the one that has to fail? Counts
 * it as one of `after`; false where the hook is off. */
bool es_alloc_refuses(void);

/** How many allocations were asked for since the program started. */
unsigned long es_alloc_count(void);

#endif
