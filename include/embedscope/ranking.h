/* Scores of embedders from a matrix of information sufficiency, how sure their order is, and who
 * dominates the vote.
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
    double *in; /* (m) median over sources without self: how easily it is simulated; NaN: none, or
                   not asked for (rule.sources_alone) */
    size_t infinite; /* entries that were taken as not known */
} es_ranking;

/** Scores all m sources. O(m^2 log m). */
es_status es_ranking_new(const double *is, size_t m, const es_score_rule *rule, es_ranking **out,
                         es_error *err);
/** The same once rows of the matrix have changed, by the same rule: those that are as they were in
 *  `before` (m, m), what the ranking is of, keep their score. `before` becomes `is`. After an error
 *  neither is of use. O(m^2), and O(m log m) a row that has changed. */
es_status es_ranking_renew(es_ranking *ranking, const double *is, double *before,
                           const es_score_rule *rule, es_error *err);
void es_ranking_free(es_ranking *ranking);

/** Ranks 1.. by descending value (ascending when lower_is_better), ties sharing the smaller rank; 0
 * for NaN. rank (m). */
es_status es_rank_competition(const double *value, size_t m, bool lower_is_better, uint32_t *rank,
                              es_error *err);

/** Does one family have so many members that its taste is the ranking? */
typedef struct es_dominance {
    uint32_t family; /* with the most votes (of equals the one with the best-ranked member) */
    size_t size;     /* its members that vote */
    double share;    /* of all targets that vote */
    double voters;   /* effective number of families, 1 / sum of squared shares */
    uint32_t best_plain, best_balanced; /* best rank of a member by `rule` and by family-balanced
                                           median without own family; 0: no score */
    double advantage; /* mean over members: score by `rule` minus the same without own family */
    bool dominates; /* at least 3 votes, at least a quarter of all, and its best member ranks higher
                       by `rule` than when families vote once; never where no family votes for
                       itself */
} es_dominance;

/** rule->family names the families (NULL: nobody dominates, share 1/m). */
es_status es_ranking_dominance(const double *is, size_t m, const es_score_rule *rule,
                               es_dominance *out, es_error *err);

/* ---- how sure a ranking is ----
 *
 * Two things could have been otherwise: the rows on which the pairs were evaluated, and the
 * embedders that happened to be in the pool as targets. Both can be drawn again, alone or together,
 * always for all embedders at once, so that what they have in common cancels in differences (Efron
 * and Tibshirani, "An Introduction to the Bootstrap", 1993). */

typedef enum es_resample {
    ES_RESAMPLE_ROWS = 1,    /* "on these targets, had other rows been held out" */
    ES_RESAMPLE_TARGETS = 2, /* "had other embedders been the targets" */
    ES_RESAMPLE_BOTH = 3     /* both; a little wide, as rows' noise also spreads the targets */
} es_resample;

enum {
    ES_BOOTSTRAP_DRAWS = 2000,
    ES_BOOTSTRAP_BLOCKS = 256 /* see es_intervals_new */
};

typedef struct es_bootstrap {
    const double *is;  /* (m, m) */
    float *const *pmi; /* (m, m) pointers to (n_eval) per-row values whose mean is `is`; NULL where
                          not known, or NULL for all */
    size_t m, n_eval;
    const uint32_t *order; /* (m) embedders in an order that does not depend on files, such as by
                              name; results depend on it, not on the numbering. NULL: as numbered */
    es_score_rule rule;
    const uint32_t *cluster; /* (m) numbers below m: targets of a number are a family, and families
                                are the sample; NULL: targets are */
    const double *unit;   /* (m) values of rows of each target are multiplied by it, so that their
                             mean is `is`; NULL: 1 */
    bool lower_is_better; /* rank 1 is the lowest score */
    es_resample resample; /* 0: BOTH */
    unsigned draws;       /* 0: 2,000 */
    double level;         /* 0: 0.95 */
    uint64_t seed;
} es_bootstrap;

typedef struct es_intervals {
    size_t m;
    es_resample resample; /* in force: TARGETS when no pair has rows */
    unsigned draws;
    size_t without_rows; /* known pairs held fixed under ROWS for want of pmi */
    double *low,
        *high;  /* (m) interval of the score, around it; NaN: no score, or nothing to draw */
    double *se; /* (m) standard deviation over draws */
    uint32_t *rank_low, *rank_high; /* (m) interval of the rank, around it; 0: no score */
} es_intervals;

/** Percentile intervals over `draws` resamples, widened for small samples as Hesterberg 2015 ("What
 *  Teachers Should Know about the Bootstrap", section 4.3) does: with n targets, or families of
 * them, the tail becomes Phi(-sqrt(n / (n - 1)) t(n - 1)).
 *
 *  Rows: all pairs get the same resample. Above 256 rows they are first dealt at random into 256
 * blocks of equal size, and blocks are drawn: the standard error is the same up to 5 %, the time
 * does not grow with the rows. Pairs are summed in single precision around their means.
 *
 *  Time about draws * known pairs * 256 multiply-adds plus draws * m^2; memory about 20 bytes *
 *  draws * m plus 1 KB * draws. ES_EINVAL: rule or level out of range, order not a permutation. */
es_status es_intervals_new(const es_bootstrap *problem, const es_run *run, es_intervals **out,
                           es_error *err);
void es_intervals_free(es_intervals *intervals);

#ifdef __cplusplus
}
#endif
#endif
