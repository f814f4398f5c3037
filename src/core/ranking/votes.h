/* The aggregates of es_score_rule over weighted targets: one definition for the ranking, its
 * intervals and the subsampling curves. */
#ifndef ES_CORE_VOTES_H
#define ES_CORE_VOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/score_rule.h"

/** One target's value. `copies`: how often a resample drew it, >= 1; `weight`: of one copy. */
typedef struct es_vote {
    double value, weight;
    uint32_t copies, target;
} es_vote;

/** Insertion sort by value: linear on votes that are nearly sorted already. */
void es_votes_sort(es_vote *votes, size_t n);

/** The score of votes sorted by value; NaN for n = 0. */
double es_votes_score(const es_score_rule *rule, const es_vote *votes, size_t n);

/** Number and weight of some votes, copies counted. */
typedef struct es_tally {
    double weight;
    size_t copies;
} es_tally;

/** The share of the votes that lie below the score, for rules that pick it at a place in their
 * order (median, balanced, quantile); NaN for the others. */
double es_votes_place(const es_score_rule *rule);

/** The score of a rule that has a place, from the votes (n, sorted) of a window of values only:
 * `below` counts the votes that are smaller than all of them, `total` all votes. NaN when the place
 * is not inside the window. */
double es_votes_pick(const es_score_rule *rule, const es_vote *votes, size_t n, es_tally below,
                     es_tally total);

/** True when target j may vote on source i. */
bool es_votes_admit(const es_score_rule *rule, size_t i, size_t j);

/** Does each family of the targets that vote have one vote? Else each target has. */
bool es_votes_by_family(const es_score_rule *rule);

/** Weights such that each family among these votes has one, where families vote; else they stay.
 *  count (m): scratch. */
void es_votes_even_out(const es_score_rule *rule, es_vote *votes, size_t n, uint32_t *count);

/** The targets that vote on source i with a finite value, ascending by value (equal values in
 *  canonical order: order (m) lists the embedders, NULL for as given). Returns how many.
 *  target, scratch (m). */
size_t es_votes_targets(const double *is, size_t m, const es_score_rule *rule,
                        const uint32_t *order, size_t i, uint32_t *target, uint32_t *scratch);

#endif
