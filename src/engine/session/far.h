/* Pairs of a session that other processes compute for it, and pairs that it computes for another
 * session, whatever carries them from one to the other (engine/team).
 *
 * The session that owns the work lends pairs. A far thread is a lane: like a worker of its own it
 * stays with a source as long as there is something left of it, and takes the costliest one next.
 * A session over the same pool, without a store, is asked for these pairs and hands what comes of
 * them to its sink. Values do not depend on who computes them. */
#ifndef ES_ENGINE_FAR_H
#define ES_ENGINE_FAR_H

#include "session.h"

/** A pair that has come to its end. */
typedef struct es_far_pair {
    es_claim pair;
    bool failed;
    bool lasting;          /* a failure that follows from the data */
    const char *reason;    /* of a failure */
    es_pair_result result; /* pmi of n_eval values, or NULL */
    double seconds;
} es_far_pair;

/** What makes two sessions ask for the same: embedders in their order, rows, estimators, settings,
 *  seed, version. All zero before the pool is checked. */
es_digest es_session_identity(const es_session *session);
/** It is checked, and what is stored was read. */
bool es_session_ready(const es_session *session);

/* ---- the session that owns the work; one thread at a time, which need not be the owner's ---- */

/** Around all that follows: as long as it lends, the session claims pairs in its store. */
void es_session_far_enter(es_session *session);
void es_session_far_leave(es_session *session);
/** Pairs that nobody is at. */
size_t es_session_far_left(const es_session *session);
/** Lend the next pair to a lane, whose last pair (source SIZE_MAX: none) is *lane; false: there is
 *  none now. */
bool es_session_lend(es_session *session, es_claim *lane);
/** The lane ends. */
void es_session_lane_end(es_session *session, es_claim lane);
/** Pairs that were lent are done: they are stored and shown. `provenance` is of who computed them.
 *  Values are copied or taken: pmi becomes NULL where it was taken. */
void es_session_returned(es_session *session, es_far_pair *pairs, size_t count,
                         const char *provenance);
/** Pairs that were lent will not come back: `again`, they are put up once more. */
void es_session_far_lost(es_session *session, const es_claim *pairs, size_t count, bool again);

/* ---- the session that computes for another; owner's thread ---- */

/** Called by workers with pairs that have ended; what it is given it must not keep. */
typedef void (*es_far_sink)(void *context, const es_far_pair *pairs, size_t count);
/** Before the first es_session_ask. */
void es_session_far_sink(es_session *session, es_far_sink sink, void *context);
/** Compute these pairs. ES_EINVAL: the pool has not been checked, or has no such pair. */
es_status es_session_ask(es_session *session, const es_claim *pairs, size_t count, es_error *err);

#endif
