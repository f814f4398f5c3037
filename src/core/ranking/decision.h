/* What a ranking decides: scores with intervals, who is told apart from whom, and who may be the
 * best. Two sentences are kept apart (separation.h): "settled for these targets" and "would hold
 * for another target of this kind"; the second is said where it can be.
 *
 * Means over targets, plain or with one vote a family, are judged by paired differences
 * (pair_differences.h); other aggregates by resampling (es_intervals_new), whose separations for
 * these targets resample rows alone, and those for new targets both. Of new targets neither says
 * anything where fewer than 5 families judge. */
#ifndef ES_CORE_DECISION_H
#define ES_CORE_DECISION_H

#include "embedscope/ranking.h"
#include "run.h"
#include "separation.h"

typedef struct es_decision_problem {
    const double *is;  /* (m, m) */
    const double *se;  /* (m, m) of `is`, for its communities (es_louvain); NULL: not known */
    float *const *pmi; /* (m, m) per-row values; NULL where not known, or NULL for all */
    size_t m, n_eval;
    const uint32_t *order;   /* (m) by name, or NULL: results do not depend on the numbering */
    es_score_rule rule;      /* rule.family: who votes together; copied */
    const uint32_t *cluster; /* (m) below m: families of targets, the sample of which new targets
                                are drawn. NULL: the communities of `is` by the defaults of
                                es_louvain; not known where lower is better */
    const char
        *here_only; /* why nothing is said of new targets by a mean; static. NULL: it may be */
    bool lower_is_better;
    unsigned draws; /* 0: 2,000 */
    double level;   /* 0: 0.95 */
    uint64_t seed;
} es_decision_problem;

/** A reason of es_decision.why_not: were no pair missing, it could be said. */
extern const char es_why_missing[];

typedef struct es_decision {
    size_t m;
    double level;
    es_ranking *ranking;
    uint32_t *order;     /* (m) best first, equal ones by name, without a score last */
    size_t scored;       /* so many at the front of `order` have a score */
    uint32_t *cluster;   /* (m) in force, numbered in canonical order */
    size_t families;     /* clusters of those that judge; 0: not known, each target is its own */
    size_t hands;        /* of rows (0: rows were not loaded, or not all values have theirs) */
    size_t voting, bare; /* values that judge, and those of them without values of rows where others
                            have theirs */
    const char *why_not[ES_SCOPES]; /* nothing is said in this scope, and why; NULL: it is */
    es_scope scope;                 /* of what follows: NEW where it is said, else HERE */
    bool said;          /* something is said at all; else all with a score may be the best,
                           and intervals are as if each target were a family of its own; of
                           more than 800 embedders there are none of ranks */
    double *low, *high; /* (m) interval of the score; NaN: none */
    uint32_t *rank_low, *rank_high; /* (m) interval of the rank, around it; 0: none */
    bool *best;                     /* (m) may be the best; the first of the order among them */
    bool *separated[ES_SCOPES];     /* (m, m), each pair for itself */
    size_t letters;
    bool *in_letter; /* (m, letters) */
    char **tie;      /* (m) letters: who shares one is not separated in `scope`; "": none */
    /* Of means alone, else NULL. */
    double *delta, *var_rows, *var_families; /* (m, m) of the row's score minus the column's, over
                                                the targets that judge both */
    double nu[ES_SCOPES];                    /* degrees of freedom */
} es_decision;

/** Seeded; does not depend on the numbering of embedders where `order` is given. ES_ECANCELED;
 *  ES_EINVAL as from es_separations_new and es_intervals_new. 200 embedders of 256 hands: under
 *  half a second and 150 MB. */
es_status es_decision_new(const es_decision_problem *problem, const es_run *run, es_decision **out,
                          es_error *err);
void es_decision_free(es_decision *decision);

/** Which samples the intervals are over: "rows and families", "rows" ...; where nothing is said,
 *  "targets", as if none were related. */
const char *es_decision_sample(const es_decision *decision);
/** Is there an interval of any score? */
bool es_decision_bounded(const es_decision *decision);

/** Separated, and `a` the better one. The order of the scores does not say who that is: each leaves
 *  itself out, so that two scores are not over the same targets, and what separates them is. */
bool es_decision_ahead(const es_decision *decision, es_scope scope, size_t a, size_t b);

/** What would tell two embedders apart (each pair for itself, at the decision's level) in four of
 *  five repetitions, had it been so: the factor by which rows, or families, would have to be more.
 *  0: they are apart; INFINITY: never, or more than 1000 times. NaN: not known. */
typedef struct es_settling {
    double rows, families;
    bool by_families; /* the larger share of the variance is the families' */
} es_settling;
es_settling es_decision_settling(const es_decision *decision, size_t a, size_t b);

#endif
