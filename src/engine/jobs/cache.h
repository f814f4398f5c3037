/* Prepared states (a standardised target, a factored source) shared by the workers of one session.
 *
 * A state is made once by whoever asks first, while others who want the same one wait; it stays as
 * long as somebody holds it, and after that while it fits the budget, the least recently used going
 * first. So memory is bounded by the budget and what the threads hold. All functions may be called
 * from any thread; the cache's lock is taken for moments only and is innermost. */
#ifndef ES_ENGINE_CACHE_H
#define ES_ENGINE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run.h"
#include "embedscope/status.h"

typedef enum es_cache_kind { ES_CACHE_SOURCE, ES_CACHE_TARGET, ES_CACHE_KINDS } es_cache_kind;

/** What the makers need to know; called without the cache's lock. */
typedef struct es_cache_maker {
    void *context;
    es_status (*make)(void *context, size_t entry, es_cache_kind kind, size_t model, es_run *run,
                      void **out, es_error *err);
    size_t (*bytes)(void *context, size_t entry, es_cache_kind kind, const void *state);
    void (*drop)(void *context, size_t entry, es_cache_kind kind, void *state);
} es_cache_maker;

typedef enum es_cache_presence {
    ES_CACHE_ABSENT,
    ES_CACHE_MAKING,
    ES_CACHE_READY
} es_cache_presence;

typedef struct es_cache es_cache;

/** For `entries` plan entries over `models` models. */
es_status es_cache_new(size_t entries, size_t models, size_t budget, const es_cache_maker *maker,
                       es_cache **out, es_error *err);
void es_cache_free(es_cache *cache); /* nothing may be held any more */

/** Hold a state, making it or waiting for its maker where need be. A failure that is not for want
 * of memory and not a cancel is remembered and returned again. Pair with es_cache_release. */
es_status es_cache_hold(es_cache *cache, size_t entry, es_cache_kind kind, size_t model,
                        es_run *run, const void **out, es_error *err);
/** keep false: nobody will want it again; it goes with its last holder. */
void es_cache_release(es_cache *cache, size_t entry, es_cache_kind kind, size_t model, bool keep);

/** Which states of a kind are there now: presence (models) of es_cache_presence. */
void es_cache_look(es_cache *cache, size_t entry, es_cache_kind kind, uint8_t *presence);

/** What states that nobody holds may take from now on, within the budget. */
void es_cache_spare(es_cache *cache, size_t bytes);

/** Let go of everything that nobody holds, and forget failures. */
void es_cache_clear(es_cache *cache);
/** Bytes of all states, held or not. */
size_t es_cache_bytes(es_cache *cache);

/** The budget where so much memory may be used: half of it. The rest is for what is held while it
 * is worked with. */
size_t es_cache_budget(size_t memory);
/** What a state may keep of an embedder's rows: half of the budget, but 256 MB at most. Larger ones
 *  are read again for each pair. That costs little beside what a pair of such rows computes; the
 *  cache is for what is dear to make, such as factors. */
size_t es_cache_rows(size_t budget);

#endif
