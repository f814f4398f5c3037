/* Claims: which process is at which pair of a store, so that any number of them share its work.
 *
 * A process enters itself as an owner with its first claim. As long as it has some, it raises its
 * heartbeat, a counter, every few seconds; others see by their own clocks that it stands still, so
 * no two clocks are ever compared. An owner that is gone is told at once on its own machine, and
 * elsewhere by its heartbeat. Results do not depend on claims: a pair that two estimate after all
 * (one was stopped for a minute, say) comes out twice the same.
 *
 * All calls may be made from any thread. */
#ifndef EMBEDSCOPE_STORE_CLAIMS_H
#define EMBEDSCOPE_STORE_CLAIMS_H

#include "process.h"
#include "store.h"

typedef enum es_claim_state {
    ES_CLAIM_FREE,
    ES_CLAIM_MINE,
    ES_CLAIM_THEIRS, /* of an owner that is not known to be gone */
    ES_CLAIM_KNOWN   /* it is stored */
} es_claim_state;

/** What counts as known. */
typedef enum es_claim_again {
    ES_AGAIN_NEVER,
    ES_AGAIN_FAILED, /* failures do not */
    ES_AGAIN_ALWAYS  /* nothing does */
} es_claim_again;

typedef struct es_claimed {
    es_digest source, target;
    es_claim_state state;
} es_claimed;

/** Can this store hold claims? Not one that is only read. */
bool es_store_takes_claims(const es_store *store);

/** Claim what is free of `count` pairs, in one transaction; fills their states. *shared (or NULL:
 *  whoever is there): others are at the first pair's source; then nothing is claimed. Errors as
 *  es_store_put. */
es_status es_store_claim(es_store *store, const es_store_key *key, es_claim_again again,
                         es_claimed *pairs, size_t count, bool *shared, es_error *err);
/** Their states, of which none changes. */
es_status es_store_claim_look(es_store *store, const es_store_key *key, es_claimed *pairs,
                              size_t count, es_error *err);
/** Give back one claim of this process, or all; those of others stay. es_store_put takes out the
 *  claim of its pair, whosever. */
es_status es_store_unclaim(es_store *store, const es_store_key *key, es_digest source,
                           es_digest target, es_error *err);
es_status es_store_unclaim_all(es_store *store, es_error *err);

/** Raise this process's heartbeat. *lapsed: others took it for gone, and its claims with it. */
es_status es_store_beat(es_store *store, bool *lapsed, es_error *err);

/** Another process with claims. */
typedef struct es_owner {
    int64_t id; /* never used again */
    uint64_t beat;
    es_process process;
} es_owner;

/** Calls `each` for every other owner that has claims. `each` must not call the store. */
typedef es_status (*es_store_each_owner)(void *context, const es_owner *owner, es_error *err);
es_status es_store_owners(es_store *store, es_store_each_owner each, void *context, es_error *err);
/** The newest process with claims, of a store that is only looked at. */
es_status es_store_owner(es_store *store, es_owner *out, bool *found, es_error *err);
/** Take out an owner with its claims. */
es_status es_store_reap(es_store *store, int64_t owner, es_error *err);

/** A number that is another one when another connection has changed the store. */
es_status es_store_version(es_store *store, int *out, es_error *err);

/** es_store_load of what was entered after row *after, which is moved on to the newest. */
es_status es_store_load_after(es_store *store, const es_store_key *key, bool with_pmi,
                              int64_t *after, es_store_each each, void *context, es_error *err);

#endif
