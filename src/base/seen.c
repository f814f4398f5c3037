/* A table of hashes with open addressing. */
#include "base.h"

#include <string.h>

es_status es_seen_init(es_seen *seen, size_t capacity, es_error *err) {
    size_t slots = 4;
    while (slots < 2 * capacity)
        slots *= 2;
    *seen = (es_seen){.hash = es_alloc(capacity, sizeof *seen->hash),
                      .slot = es_alloc(slots, sizeof *seen->slot),
                      .mask = slots - 1};
    if (!seen->hash || !seen->slot) {
        es_seen_deinit(seen);
        return es_no_memory_for(err, "a table of %zu rows", capacity);
    }
    memset(seen->slot, 0xFF, slots * sizeof *seen->slot);
    return ES_OK;
}

uint32_t es_seen_put(es_seen *seen, uint32_t place, uint64_t hash) {
    size_t at = hash & seen->mask;
    while (seen->slot[at] != UINT32_MAX) {
        if (seen->hash[seen->slot[at]] == hash)
            return seen->slot[at];
        at = (at + 1) & seen->mask;
    }
    seen->slot[at] = place;
    seen->hash[place] = hash;
    return place;
}

void es_seen_deinit(es_seen *seen) {
    es_free(seen->hash);
    es_free(seen->slot);
    *seen = (es_seen){0};
}
