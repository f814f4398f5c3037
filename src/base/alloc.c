/* The one place that calls malloc. Sizes are multiplied with a check for overflow, blocks for
 * vector kernels are aligned, and a test can make the k-th allocation fail. */
#include "base.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Sanitizers have an allocator of their own, and glibc's is not to be woken up beside it. */
#if defined(__has_feature)
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&       \
    !HAS_FEATURE(address_sanitizer) && !HAS_FEATURE(thread_sanitizer)
#define GLIBC_ALLOCATES 1
#include <malloc.h>
#else
#define GLIBC_ALLOCATES 0
#endif

enum { ALIGNMENT = 64 };
enum { HUGE_PAGE = 2 << 20, HUGE_FROM = 4 << 20 }; /* bytes */

static atomic_long fail_after = -1; /* test hook: negative = off */
static atomic_ulong asked;

/* Counts one request and decides whether it is the one that has to fail. */
static bool refused(void) {
    atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed);
    long left = atomic_load_explicit(&fail_after, memory_order_relaxed);
    while (left >= 0) /* 0 becomes -1: exactly one failure, then off */
        if (atomic_compare_exchange_weak(&fail_after, &left, left - 1))
            return left == 0;
    return false;
}

/* count * size in *bytes, at least 1; false when no object can be that large. */
static bool product(size_t count, size_t size, size_t *bytes) {
    if (size != 0 && count > (size_t)PTRDIFF_MAX / size)
        return false;
    *bytes = count * size > 0 ? count * size : 1;
    return true;
}

void *es_alloc(size_t count, size_t size) {
    size_t bytes = 0;
    return !refused() && product(count, size, &bytes) ? malloc(bytes) : NULL;
}

void *es_alloc_zero(size_t count, size_t size) {
    size_t bytes = 0;
    return !refused() && product(count, size, &bytes) ? calloc(1, bytes) : NULL;
}

void *es_alloc_aligned(size_t count, size_t size) {
    size_t bytes = 0;
    void *block = NULL;
    if (refused() || !product(count, size, &bytes))
        return NULL;
    bool huge = GLIBC_ALLOCATES && bytes >= HUGE_FROM;
    if (posix_memalign(&block, huge ? HUGE_PAGE : ALIGNMENT, bytes) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE /* an advice: where it is not taken, pages are small */
    if (huge)
        (void)madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return block;
}

void *es_realloc(void *old, size_t count, size_t size) {
    size_t bytes = 0;
    return !refused() && product(count, size, &bytes) ? realloc(old, bytes) : NULL;
}

void *es_grow(void *list, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return list;
    size_t more = *capacity ? 2 * *capacity : 64;
    void *grown = es_realloc(list, more, size);
    if (grown)
        *capacity = more;
    return grown;
}

es_status es_append(void *list, size_t *count, size_t *capacity, const void *item, size_t size,
                    es_error *err) {
    void *items = NULL;
    memcpy(&items, list, sizeof items);
    items = es_grow(items, *count, capacity, size);
    if (!items)
        return es_no_memory(err);
    memcpy((char *)items + *count * size, item, size);
    memcpy(list, &items, sizeof items);
    ++*count;
    return ES_OK;
}

char *es_strdup(const char *text) {
    return es_strndup(text, strlen(text));
}

char *es_strndup(const char *text, size_t length) {
    const char *end = memchr(text, '\0', length);
    size_t used = end ? (size_t)(end - text) : length;
    char *copy = used < SIZE_MAX ? es_alloc(used + 1, 1) : NULL;
    if (copy) {
        memcpy(copy, text, used);
        copy[used] = '\0';
    }
    return copy;
}

void es_alloc_trim(void) {
#if GLIBC_ALLOCATES
    (void)malloc_trim(0);
#endif
}

void es_alloc_keep_little(void) {
#if GLIBC_ALLOCATES
    /* The largest blocks that it may take from heaps as if it had learned so, for speed, but not
     * how much it would then keep. */
    (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
}

void es_free(void *block) {
    free(block);
}

void es_alloc_fail_after(long after) {
    atomic_store(&fail_after, after);
}

bool es_alloc_refuses(void) {
    return atomic_load_explicit(&fail_after, memory_order_relaxed) >= 0 && refused();
}

unsigned long es_alloc_count(void) {
    return atomic_load(&asked);
}
