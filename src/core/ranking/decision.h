/* What a ranking decides: who is ranked, kinds of embedders, scores with intervals, and the set of
 * those that may be the best.
 *
 * By the lead (lead.h) the set and "shown ahead" follow from one rule. Other scores, such as the
 * published median, get intervals by resampling (es_intervals_new) and no set. */
#ifndef ES_CORE_DECISION_H
#define ES_CORE_DECISION_H

#include "embedscope/ranking.h"
#include "run.h"
#include "steps.h"

/** Why an embedder has a rank or none. */
typedef enum es_rank_standing {
    ES_STANDING_RANKED,
    ES_STANDING_CONTROL,   /* named as a control */
    ES_STANDING_UNRELATED, /* shares nothing with the largest group */
    ES_STANDING_UNKNOWN    /* not all of its pairs are known yet, or none is */
} es_rank_standing;

typedef struct es_decision_problem {
    const double *is; /* (m, m) what the score is made of; NaN: not known */
    const double *se; /* (m, m) of `is`; NULL: 0. Looked at without `information` */
    const double *information, *information_se; /* (m, m) the information matrix, which relations,
                                                   copies and kinds are read off; NULL: `is` */
    float *const *pmi; /* (m, m) per-row values of `is`; NULL for those or all that lack them */
    size_t m, n_eval;
    const uint32_t *order;  /* (m) by name, or NULL: results do not depend on the numbering */
    bool by_lead;           /* else by `rule` */
    es_score_rule rule;     /* of other scores; rule.judges: targets that vote, by lead too */
    const uint32_t *family; /* (m) equal numbers are a named family; NULL: none is named */
    const uint32_t *series; /* (m) below m: members of a series have one vote; NULL: no series */
    const bool *control;    /* (m) NULL: none */
    bool lower_is_better;
    bool order_only;    /* no intervals and no set */
    bool largest_alone; /* a set of the largest group although other groups share nothing with it */
    unsigned draws;     /* 0: the default of each way */
    double level;       /* 0: 0.95 */
    uint64_t seed;
} es_decision_problem;

typedef struct es_decision {
    size_t m;
    double level;
    bool by_lead;
    es_ranking *ranking;        /* score: the lead, or by the rule; rank 0: not ranked */
    uint32_t *order;            /* (m) best first, equal ones by name, without a rank last */
    size_t scored;              /* so many at the front of `order` are ranked */
    size_t counted;             /* of those, so many are no copy of another: copies take no place */
    size_t known;               /* embedders that have a standing other than unknown */
    es_rank_standing *standing; /* (m) */
    uint32_t *component;        /* (m) groups that share something, the largest 0; UINT32_MAX: of
                                   controls and unknown ones */
    size_t components;          /* 0: relations are not known (errors, say) */
    bool groups;                /* several groups of two or more share nothing: no set, by lead */
    bool related;               /* some pair is; else nothing is ranked by lead */
    uint32_t *first;            /* (m) the embedder it is a copy of; itself */
    uint32_t *kind;             /* (m) numbered in canonical order; UINT32_MAX: not ranked */
    uint32_t *family;           /* (m) as in the problem; without families: each its own */
    bool *votes;                /* (m) reference embedders */
    size_t kinds, voters;
    size_t judging;      /* kinds with a vote: fewer than `kinds` if targets are chosen */
    size_t usual_kinds;  /* that compare two embedders, the median over pairs */
    size_t blocks;       /* of rows (0: rows were not loaded, or not all values have theirs) */
    size_t voting, bare; /* values that vote, and those of them without values of rows if others
                            have theirs */
    bool said;           /* the set is known: by lead, of five judging kinds or more */
    double nu;           /* degrees of freedom, by lead */
    double *low, *high;  /* (m) interval of the score; NaN: none */
    double *critical;    /* (m) another is shown ahead of it by so many standard errors; NaN */
    uint32_t *rank_low, *rank_high; /* (m) interval of the rank, around it; 0: none */
    bool *best;                     /* (m) in the set; all false unless `said` */
    bool *ahead; /* (m, m) row is shown ahead of column; all false unless `said` */
    /* By lead, else NULL. */
    double *delta, *var_rows, *var_kinds; /* (m, m) row minus column; NaN: not compared */
    double *information;                  /* (m) lead in the information matrix; NaN without one */
    uint32_t *information_rank;           /* (m) by it; 0: none */
    uint32_t *comparing;                  /* (m, m) kinds that compare the two */
    es_stretch *steps;                    /* (n_steps) rows out of step; none without rows */
    size_t n_steps;
} es_decision;

/** Seeded; does not depend on the numbering of embedders if `order` is given. ES_ECANCELED;
 *  ES_EINVAL as from es_lead_new and es_intervals_new. 200 embedders: under a second. */
es_status es_decision_new(const es_decision_problem *problem, const es_run *run, es_decision **out,
                          es_error *err);
void es_decision_free(es_decision *decision);

/** Which samples the intervals are over: "kinds and rows", "kinds", "rows and targets" ... */
const char *es_decision_sample(const es_decision *decision);
/** Is there an interval of any score? */
bool es_decision_bounded(const es_decision *decision);
/** Does target t compare a and b: has it a vote, and is it of neither's kind and family? By lead;
 * of values that are missing the caller knows. */
bool es_decision_compares(const es_decision *decision, size_t a, size_t b, size_t t);
/** By how much a must lead b (or b lead a) to be shown ahead; NaN: not known. */
double es_decision_margin(const es_decision *decision, size_t a, size_t b);
/** Standard error of delta(a, b) over rows and kinds; NaN: not known. */
double es_decision_error(const es_decision *decision, size_t a, size_t b);
/** Do rows alone tell the two apart, for the reference embedders at hand: would more rows leave
 *  their order as it is? Says nothing of other reference embedders. */
bool es_decision_apart_by_rows(const es_decision *decision, size_t a, size_t b);
/** Are most of the variances in the pairs of the first and the rest of the set those of rows? */
bool es_decision_by_rows(const es_decision *decision);

#endif
