/* Which pairs are still to be computed, and which one a worker takes next.
 *
 * Workers claim one pair at a time, so that no thread is idle while a pair is left, and a new
 * priority counts from the next pair on. The order: plan entries one after the other; the more
 * urgent sources before others; a worker stays with its source, whose state it holds; a new source
 * is the costliest that nobody is at, and when somebody is at all of them, the one with most left.
 * Of a source's targets, those come first whose states are prepared. None of this shows in the
 * results.
 *
 * Any thread may call any function. Lock order: the queue's before the cache's. */
#ifndef ES_ENGINE_PAIR_QUEUE_H
#define ES_ENGINE_PAIR_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache.h"
#include "embedscope/status.h"

typedef struct es_pair_queue es_pair_queue;

/** A pair of one plan entry. Sources from `models` on are stand-ins for the zero line: models + t
 * has one pair, with target t, and comes after all others of its entry. */
typedef struct es_claim {
    size_t entry, source, target;
} es_claim;

/** Expected work of a pair; of a stand-in's, source and target are the target. */
typedef struct es_pair_costs {
    double (*of)(const void *context, es_claim pair);
    const void *context;
} es_pair_costs;

/** `costs` is copied, what it points to borrowed. `offset` (a process's
 *  own number; 0: natural order) turns the order of targets, differently for each source, so that
 * two processes on one pool are rarely at the same pair. `cache` (for twice as
 *  many models, as stand-ins are prepared too) may be NULL. */
es_status es_pair_queue_new(size_t entries, size_t models, const es_pair_costs *costs,
                            size_t offset, es_cache *cache, es_pair_queue **out, es_error *err);
void es_pair_queue_free(es_pair_queue *queue);

/** Expected work of a pair. */
double es_pair_queue_cost(const es_pair_queue *queue, es_claim pair);

/** Put a pair up; false when it already was, or is claimed. */
bool es_pair_queue_want(es_pair_queue *queue, es_claim pair);
/** A claimed pair has come to its end, whichever: it may be put up again. */
void es_pair_queue_ended(es_pair_queue *queue, es_claim pair);
/** A pair has become known elsewhere: it is taken down, unless somebody here is at it. */
void es_pair_queue_drop(es_pair_queue *queue, es_claim pair);
/** Take down all that nobody has claimed. */
void es_pair_queue_clear(es_pair_queue *queue);
/** Pairs that are up and not claimed. */
size_t es_pair_queue_left(es_pair_queue *queue);
/** Nothing of a source is left and nobody is at it: its state is of no more use. */
bool es_pair_queue_spent(es_pair_queue *queue, size_t entry, size_t source);
/** Their cost, of one entry. */
double es_pair_queue_cost_left(es_pair_queue *queue, size_t entry);

/* ---- several processes (session_claims.c) ----
 *
 * A pair may be away: another process is at it. It is neither up nor claimed, and comes back or is
 * dropped. And it may be held: claimed from the others, though perhaps not begun here. */

/** `pair`, which the caller has claimed, and those that are up and not held at the same source, in
 *  the order in which they would be taken; returns how many, at most `capacity`, at least 1. */
size_t es_pair_queue_ahead(es_pair_queue *queue, es_claim pair, es_claim *out, size_t capacity);
void es_pair_queue_hold(es_pair_queue *queue, es_claim pair);
bool es_pair_queue_is_held(es_pair_queue *queue, es_claim pair);
/** No pair is held any more. */
void es_pair_queue_forget_held(es_pair_queue *queue);
/** Another process is at a pair that the caller has claimed here, or that is up: nothing happens if
 *  it is neither. */
void es_pair_queue_away(es_pair_queue *queue, es_claim pair, bool claimed);
/** It is not any more: up again, if it still was away. */
void es_pair_queue_back(es_pair_queue *queue, es_claim pair);
/** How many are away, and the first of them. */
size_t es_pair_queue_count_away(es_pair_queue *queue);
size_t es_pair_queue_list_away(es_pair_queue *queue, es_claim *out, size_t capacity);
/** Others are at the source of a pair that the caller has just claimed. If there is a source as
 *  urgent that nobody is known to be at, the pair goes back up, the source comes after those, and
 *  pair->source is SIZE_MAX; else false, and nothing changes. */
bool es_pair_queue_yield(es_pair_queue *queue, es_claim *pair);
/** Would es_pair_queue_yield? */
bool es_pair_queue_may_yield(es_pair_queue *queue, es_claim pair);

enum { ES_URGENCY_MOST = 3 };
/** How urgent the pairs of each source are: urgency (models) of 0 to ES_URGENCY_MOST, higher first;
 *  NULL: all alike. Copied. */
void es_pair_queue_urge(es_pair_queue *queue, const uint8_t *urgency);
/** Natural order among sources and targets of an entry: higher first, replacing cost for sources
 *  (models values) and turning for targets (models x models values). Both are copied; NULL: back to
 *  cost. ES_ENOMEM leaves the order as it was. */
es_status es_pair_queue_rank(es_pair_queue *queue, size_t entry, const double *sources,
                             const double *targets, es_error *err);

/** Claim the next pair for a worker whose last claim (or SIZE_MAX source) is *pair. False: nothing
 *  is left. */
bool es_pair_queue_claim(es_pair_queue *queue, es_claim *pair);
/** The pairs that would be claimed next, as things stand, by the workers that are at their sources
 *  now, in turns. Nothing is claimed. Returns how many; at most ES_PAIR_QUEUE_LOOK. */
enum { ES_PAIR_QUEUE_LOOK = 16 };
size_t es_pair_queue_next(es_pair_queue *queue, es_claim *out, size_t capacity);
/** The worker no longer holds this source. Each change of source in es_pair_queue_claim does the
 * same.
 */
void es_pair_queue_leave(es_pair_queue *queue, es_claim pair);

#endif
