/* Which things were there before, by hashes of 64 bits: equal ones are taken to be the same. */
#ifndef ES_BASE_SEEN_H
#define ES_BASE_SEEN_H

#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

typedef struct es_seen {
    uint64_t *hash; /* (capacity) of the thing at each place */
    uint32_t *slot; /* (mask + 1) a place, UINT32_MAX: free */
    size_t mask;
} es_seen;

/** For places below `capacity`, which is less than UINT32_MAX / 2; 16 to 24 bytes each. ES_ENOMEM.
 */
es_status es_seen_init(es_seen *seen, size_t capacity, es_error *err);
/** The first place where something with this hash was put; `place` where there was none, which is
 *  kept then. O(1). */
uint32_t es_seen_put(es_seen *seen, uint32_t place, uint64_t hash);
void es_seen_deinit(es_seen *seen);

#endif
