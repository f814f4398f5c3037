/* Scores of embedders from a matrix of information sufficiency, and who dominates the vote.
 *
 * Every matrix of the analysis is (m, m), row-major, double: rows are sources, columns targets,
 * nats per target dimension, NaN where a pair is not known. Infinities are taken as not known and
 * counted. A missing pair is never a 0: scores are over what is known, with the number beside. */
#ifndef EMBEDSCOPE_RANKING_H
#define EMBEDSCOPE_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/score_rule.h"
#include "embedscope/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct es_ranking {
    size_t m;
    double *score;   /* (m) NaN: no known pair votes */
    uint32_t *pairs; /* (m) known pairs that vote */
    uint32_t *of;    /* (m) pairs that would vote were all known */
    uint32_t *rank;  /* (m) 1 = best, equal scores share the smaller rank; 0: no score */
    double *in; /* (m) median over sources without self: how easily it is simulated; NaN: none */
    size_t infinite; /* entries that were taken as not known */
} es_ranking;

/** Scores all m sources. O(m^2 log m). */
es_status es_ranking_new(const double *is, size_t m, const es_score_rule *rule, es_ranking **out,
                         es_error *err);
void es_ranking_free(es_ranking *ranking);

/** Ranks 1.. by descending value (ascending when lower_is_better), ties sharing the smaller rank; 0
 * for NaN. rank (m). */
es_status es_rank_competition(const double *value, size_t m, bool lower_is_better, uint32_t *rank,
                              es_error *err);

/** Does one family have so many members that its taste is the ranking? */
typedef struct es_dominance {
    uint32_t family; /* the largest (of equals the one with the best-ranked member) */
    size_t size;     /* its members */
    double share;    /* of all targets */
    double voters;   /* effective number of families, 1 / sum of squared shares */
    uint32_t best_plain, best_balanced; /* best rank of a member by `rule` and by family-balanced
                                           median without own family; 0: no score */
    double advantage; /* mean over members: score by `rule` minus the same without own family */
    bool dominates;   /* at least 3 members, at least a quarter of the targets, and its best member
                         ranks higher by `rule` than when families vote once */
} es_dominance;

/** rule->family names the families (NULL: nobody dominates, share 1/m). */
es_status es_ranking_dominance(const double *is, size_t m, const es_score_rule *rule,
                               es_dominance *out, es_error *err);

#ifdef __cplusplus
}
#endif
#endif
