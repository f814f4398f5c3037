/* Running out of memory, each request in turn:
 *
 *     bool met = true;
 *     for (long k = 0; met; k++) {
 *         refuse_one(k);
 *         ... what must report it, or do without what it asked for
 *         met = refuse_end();
 *     }
 *
 * It ends with the first k that is more than what is asked for. A loop that ended with the first
 * success would end early wherever a request is not missed. */
#ifndef ES_TESTS_REFUSE_H
#define ES_TESTS_REFUSE_H

#include "base.h"

static unsigned long refuse_begun, refuse_at;

/** Refuse the k-th request for memory from here on, from 0. */
static inline void refuse_one(long k) {
    refuse_at = (unsigned long)k;
    refuse_begun = es_alloc_count();
    es_alloc_fail_after(k);
}

/** No more; was there a k-th? */
static inline bool refuse_end(void) {
    es_alloc_fail_after(-1);
    return es_alloc_count() - refuse_begun > refuse_at;
}

#endif
