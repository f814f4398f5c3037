/* From a matrix to scores, intervals and the set of the best. */
#ifndef ES_CORE_RANKING_H
#define ES_CORE_RANKING_H

#include "base.h"
#include "embedscope/ranking.h"

/* One ranking over several data sets (Darrin et al. 2024, Appendix C.3.6, combine embedders over
 * data sets in the same spirit). Within a data set an embedder's share is that of the others it is
 * before, where two that are not distinguished there count as half; so a data set in which nothing
 * is settled moves nobody. Two embedders are compared over the data sets that both are in, and the
 * combined share is the mean over the others: with nothing missing, the mean of the shares. */

/** It takes so many data sets to say something of another one. */
enum { ES_COMBINE_SETS = 5 };

/** One data set, over the embedders of all. */
typedef struct es_data_set {
    const double *score; /* (m) higher is better; NaN: not in it */
    const bool *ahead;   /* (m, m) the first is distinguished in it, as the better one, from the
                            second; NULL: that is not known, and every difference counts */
} es_data_set;

typedef struct es_combined {
    size_t m, sets;
    double *within;       /* (sets, m) share within each; NaN: not in it */
    double *share;        /* (m) 0..1; NaN: in none with others */
    double *low, *high;   /* (m) 95 %: the error by resampled data sets, widened for as few as they
                             are (Hesterberg 2015), within 0..1; NaN: fewer than two */
    uint32_t *rank;       /* (m) by share, 1 the best, equal ones alike; 0: none */
    uint32_t *order;      /* (m) best first, equal ones in the given order */
    uint32_t *in, *first; /* (m) data sets it is in; in which nobody is distinguished from it as the
                             better one, and some two are distinguished */
    uint32_t *told;       /* (m) data sets it is in that tell some two apart */
    size_t telling;       /* data sets in which some two are distinguished */
    uint32_t needed, lead; /* who is in fewer data sets is not said to be the best: more than half
                              of them, or as many as anybody is in; the first of those who are */
    bool *best;            /* (m) may be the best on another data set: not surely behind the lead.
                              All where that is not said */
    bool said;             /* there are ES_COMBINE_SETS or more */
    double *agreement; /* (sets, sets) Spearman of the scores over common embedders; NaN below 3 */
} es_combined;

/** Seeded. ES_EINVAL: no data set. Draws: 2,000; O(sets m^2), and as much a draw. */
es_status es_combine(const es_data_set *sets, size_t count, size_t m, uint64_t seed,
                     const es_run *run, es_combined **out, es_error *err);
void es_combined_free(es_combined *combined);

/* How many embedders are enough: to trust a ranking, and to cover a pool. */

/** Mean over the draws and interval between quantiles; NaN where nothing was defined. */
typedef struct es_band {
    double mean, low, high;
} es_band;

/** Scores by `size` random targets. */
typedef struct es_pool_size {
    size_t size;
    es_band agreement;   /* Spearman with `against`, or with the scores by all targets */
    es_band reliability; /* Spearman between the scores by two sets of targets that share none: what
                            another pool of this size would have said. NaN above half of them */
    es_band deviation;   /* mean over embedders of |score - score by all targets|, nats */
} es_pool_size;

typedef struct es_pool_curve {
    es_pool_size *point; /* (points) ascending sizes */
    size_t points;
    size_t targets; /* that vote: all, or those of the rule */
    size_t sources; /* that have a score */
    size_t enough; /* smallest size from which on the low end of agreement is at least 0.9; 0: none.
                      Without `against` all targets do not count: they agree with themselves */
} es_pool_curve;

/** True if the agreement is defined at some size; of equal scores it is not. */
bool es_pool_curve_agrees(const es_pool_curve *curve);

typedef struct es_pool_curve_options {
    es_score_rule rule;
    const uint32_t *order; /* as in es_bootstrap */
    const double
        *against; /* (m) downstream results instead of the full ranking, NaN where missing; NULL */
    unsigned draws; /* per size; 0: 100 */
    size_t points;  /* sizes evenly spread over 2 .. targets; 0: 24 */
    double level;   /* 0: 0.95 */
    uint64_t seed;
} es_pool_curve_options;

/** The published question (Figures 22 and 23) asked of targets only: all m sources are ranked by
 * random subsets of the targets that vote. Needs 4 of them, and 3 that have a score, else no
 * points. O(points draws m^2 log m). */
es_status es_pool_curve_new(const double *is, size_t m, const es_pool_curve_options *options,
                            const es_run *run, es_pool_curve **out, es_error *err);
void es_pool_curve_free(es_pool_curve *curve);

/** One embedder taken into the subset. */
typedef struct es_cover_step {
    size_t model;
    double gain;    /* what it adds to the sum over targets of min(share, best cover so far) */
    size_t covered; /* targets that have reached the share by now */
    double mean;    /* mean over targets of the best cover by now */
} es_cover_step;

/** A small subset that together covers at least `share` (in (0, 1]) of every target; cover(i->j) is
 * IS(i->j) over IS(j->j); an embedder covers itself entirely, and where IS(j->j) is not known
 * nobody else is taken to cover j. Greedy: each step takes the largest gain (ties: fewer dimensions
 * where dim is given, then `order`), which is within a factor ln m + 1 of the smallest (Wolsey
 * 1982). step (m); *steps is how many were needed. order, dim (m) or NULL. O(m^2 steps). */
es_status es_cover_greedy(const double *is, size_t m, double share, const size_t *dim,
                          const uint32_t *order, es_cover_step *step, size_t *steps, es_error *err);

/* Rows of an embedder that are out of step: from some row on, or in a stretch, they belong to other
 * items than those of the other embedders, as if an answer of a batch had been lost or two parts
 * exchanged. There its values of rows fall to nothing, while the others go on predicting each
 * other. */

/** A stretch of evaluated rows. */
typedef struct es_stretch {
    size_t embedder;
    size_t from, to;        /* evaluated rows from..to - 1 */
    double inside, outside; /* mean share of each other that is predicted, both ways */
    size_t alike;           /* embedders that are out of step with it and agree with it there */
} es_stretch;

typedef struct es_steps_problem {
    const double *is;  /* (m, m) nats per target dimension, diagonal included */
    float *const *pmi; /* (m, m) values of rows (rows), in the order of the file; NULL: not known */
    size_t m, rows;
    const bool *use; /* (m) embedders that are looked at */
} es_steps_problem;

/** *out (*count; es_free): the clearest stretches, at most two an embedder. A stretch is reported
 * if what is predicted there is at most a tenth of what is outside it, by seven standard errors,
 * and the other embedders predict each other there at least half as well as elsewhere; or if that
 * is so, to three tenths, of more embedders than are out of step in the same way. It holds at
 *  least 8 rows and a twentieth of them. Of five pools without such rows the largest difference was
 *  3.6 standard errors. O(m^2 rows). ES_ENOMEM. */
es_status es_steps_find(const es_steps_problem *problem, es_stretch **out, size_t *count,
                        es_error *err);

/* What a ranking decides: who is ranked, kinds of embedders, scores with intervals, and the set of
 * those that may be the best.
 *
 * By the lead (lead.c) the set and "shown ahead" follow from one rule. Other scores, such as the
 * published median, get intervals by resampling (es_intervals_new) and no set. */

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
    const double
        *unit; /* (m) by rule: values of rows of each target are multiplied by it; NULL: 1 */
    size_t m, n_eval;
    const uint32_t *order;  /* (m) by name, or NULL: results do not depend on the numbering */
    bool by_lead;           /* else by `rule` */
    es_score_rule rule;     /* of other scores; rule.voting: targets that vote, by lead too */
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

/** Returns what the intervals resample: "kinds and rows", "kinds", "rows and targets", ... */
const char *es_decision_sample(const es_decision *decision);
/** True if any score has an interval. */
bool es_decision_bounded(const es_decision *decision);
/** True if target t may compare a and b: it votes and is of neither's kind or family. By lead;
 * missing values are the caller's matter. */
bool es_decision_compares(const es_decision *decision, size_t a, size_t b, size_t t);
/** Returns by how much a must lead b (or b lead a) to be shown ahead; NaN: unknown. */
double es_decision_margin(const es_decision *decision, size_t a, size_t b);
/** Standard error of delta(a, b) over rows and kinds; NaN: not known. */
double es_decision_error(const es_decision *decision, size_t a, size_t b);
/** True if rows alone show a difference of the two for these reference embedders, so that more rows
 * would leave their order. Other reference embedders may not. */
bool es_decision_apart_by_rows(const es_decision *decision, size_t a, size_t b);
/** True if rows contribute most of the variance between the first and the other candidates. */
bool es_decision_by_rows(const es_decision *decision);

/* A ranking by some of the rows, and how it will agree with the ranking by all of them. */

typedef struct es_growth_problem {
    const double *score;  /* (m) by these rows; NaN: none, left out */
    const double *before; /* (m) by half of these rows; NULL: not known */
    const double *var;    /* (m, m) variance of the difference of two scores over the evaluated rows
                             (es_decision.var_rows); NULL or NaN: not known */
    size_t m, rows, of;   /* these rows, of so many */
    uint64_t seed;
} es_growth_problem;

/* Kendall's tau-a, of a ranking with itself 1. NaN: not known. */
typedef struct es_growth {
    double since;     /* with the ranking by half of these rows */
    double expected;  /* with the ranking by all rows */
    double low, high; /* that agreement's interval, at ES_GROWTH_LEVEL */
} es_growth;

#define ES_GROWTH_LEVEL 0.9

/** What is still to come is about as large as what came last: both the error of a mean over n rows
 *  and what an estimator still lacks by having seen n rows only shrink like a power of n, so that
 *  the step from n/2 rows to n says how large the one from n to all is. Each score is moved by a
 *  normal error whose variance is the larger one of
 *  - its own squared step and the mean squared step of all, half and half, times 1 - rows/of,
 *  - its variance over the evaluated rows times 1 + rows/of: other rows are held out then;
 *  steps are taken from their median, which moves no ranks. 400 draws, seeded. Without `before`
 *  nothing is expected unless these are all rows: then all is 1. ES_ENOMEM, ES_ECANCELED. Checked
 * on the sample pools by tests/calibrate. */
es_status es_growth_judge(const es_growth_problem *problem, const es_run *run, es_growth *out,
                          es_error *err);

/* Evaluated rows dealt at random into blocks of equal size. What is resampled or compared is a
 * block, not a row: the spread is the same, and the time does not grow with the rows. */

typedef struct es_row_blocks {
    size_t count, rows;
    uint32_t *of;   /* (rows) hand of each row */
    uint32_t *size; /* (count) rows in it */
} es_row_blocks;

/** At most `most` blocks; as many as rows where these are fewer. Seeded. */
es_status es_row_blocks_init(es_row_blocks *blocks, size_t rows, size_t most, uint64_t seed,
                             es_error *err);
void es_row_blocks_deinit(es_row_blocks *blocks);

/** sum (count): each hand's deviations from the mean of values (rows). False when the values are
 *  missing or not finite. */
bool es_row_blocks_sum(const es_row_blocks *blocks, const float *values, double *sum);

/* How far embedders are ahead of each other, and how sure that is.
 *
 * Two embedders are compared by the reference embedders that are of neither's kind nor named
 * family: delta(A, B) is the mean over those kinds of the kind's mean of IS(A->V) - IS(B->V), one
 * vote a kind. The lead of an embedder is the mean of delta over all others that have a vote. Each
 * kind and each block of evaluation rows has an influence on a difference: what the difference
 * would change were it drawn again. Sums of their squares are variances, and Gaussian multipliers
 * on them give joint draws of all differences (a multiplier bootstrap). */

enum {
    ES_LEAD_KINDS = 5,   /* fewer kinds: no statement about other reference embedders */
    ES_LEAD_BLOCKS = 32, /* of evaluation rows */
    ES_LEAD_DRAWS = 4000
};

/** A standard error over rows leaves out the noise of fitting: without this factor 95 % statements
 *  hold in .92 to .95. */
#define ES_FITTING_NOISE 1.2
/** The least standard error of a difference, nats per dimension: values are sums of
 * single-precision numbers, and what rounding alone has parted (4e-7 at the most in what was tried)
 * is not distinguished. */
#define ES_LEAD_ROUNDING 1e-6

typedef struct es_lead_problem {
    size_t m;
    const double *is;            /* (m, m) nats per target dimension; NaN: not known */
    const es_row_blocks *blocks; /* of evaluation rows; NULL: errors of rows are not known */
    float *const *pmi;           /* (m, m) values of rows, as blocks->rows; with `blocks` */
    const uint32_t *kind;        /* (m) below `kinds` */
    size_t kinds;
    const uint32_t *family; /* (m) named families: equal numbers are one; NULL: none is named */
    const uint32_t *first;  /* (m) of which embedder it is a copy; itself: of none */
    const bool *votes;      /* (m) reference embedders; copies among them have no vote */
    double level;           /* 0: 0.95 */
    unsigned draws;         /* 0: ES_LEAD_DRAWS */
    uint64_t seed;
    bool order_only; /* leads and differences alone */
} es_lead_problem;

/** Matrices are (m, m), [a * m + b] about a against b: positive when a is ahead. */
typedef struct es_lead {
    size_t m;
    double *lead;        /* (m) NaN: nothing to compare with */
    double *delta;       /* NaN: no kind compares the two */
    double *var_rows;    /* of delta; NaN without blocks */
    double *var_kinds;   /* of delta; NaN: fewer than two kinds compare the two */
    uint32_t *comparing; /* kinds that compare the two; 0 on the diagonal */
    size_t usual;        /* their median over pairs */
    double nu;           /* degrees of freedom: that median - 2, at least 1 */
    /* NULL with order_only, and with fewer than ES_LEAD_KINDS kinds: */
    double *low, *high; /* (m) interval of the lead */
    bool *best;         /* (m) the set: nobody is shown ahead of it */
    bool *ahead;        /* (m, m) a is shown ahead of b: t(a, b) above b's critical value */
    double *critical;   /* (m) t of another against it above this: that one is shown ahead */
    uint32_t *rank_low, *rank_high; /* (m) interval of the rank; low is 1 for the set alone. Copies
                                       take no place, and have that of their first */
} es_lead;

/** Deterministic by seed. The set follows Hsu's multiple comparisons with the best (1981): its
 *  critical values are quantiles of the largest t against an embedder under equal means. Those with
 *  the highest lead are always in the set. ES_EINVAL: level or draws out of range; ES_ENOMEM;
 *  ES_ECANCELED. O(m^2 (kinds and families) blocks + m^2 draws (blocks + kinds)), in single
 *  precision; memory 25 m^2 + 8 m draws bytes and block sums. */
es_status es_lead_new(const es_lead_problem *problem, const es_run *run, es_lead **out,
                      es_error *err);
void es_lead_free(es_lead *lead);

/* Joining two lists of embedder names: what is equal, and what might be meant. */

typedef enum es_name_match {
    ES_NAME_NONE,
    ES_NAME_EXACT,
    ES_NAME_CASE,      /* equal except ASCII case */
    ES_NAME_SEPARATOR, /* equal except case and - _ . / blanks between letters and digits */
    ES_NAME_OWNER,     /* as above after one name's "owner/" is taken off */
    ES_NAME_ADDED /* as above after what files, hubs and people add at the end is taken off: ".npy",
                     "@revision", "(ours)" */
} es_name_match;

/** For each of a (na): partner[i] = its position in b (nb) or SIZE_MAX, how[i] = why. Exact names
 * are joined first. For the rest a partner is a proposal, to be accepted by the user and never to
 * be used silently: the strictest rule that leaves exactly one candidate each way among names not
 *  matched before. Names should be distinct within each list. O(na nb length). */
es_status es_names_match(const char *const *a, size_t na, const char *const *b, size_t nb,
                         size_t *partner, es_name_match *how, es_error *err);

/** Returns in what two names differ: "case", ... */
const char *es_name_match_words(es_name_match how);

/* Shared dimensions of embedders: how many of an embedder's dimensions other kinds of embedders
 * predict. Beside the score it says whether a lead comes from information or from width. */

/** An embedder as its principal components: variances of the fitting rows, and both parts of the
 *  rows in these coordinates. */
typedef struct es_width_side {
    size_t components;
    const double *variance;    /* (components) */
    const float *train, *test; /* (n_train, components), (n_test, components) */
} es_width_side;

typedef struct es_width_problem {
    size_t m, n_train, n_test;
    size_t pool;            /* embedders in the pool, of which the room for components depends */
    const uint32_t *kind;   /* (m) */
    const uint32_t *family; /* (m) named families; NULL: none is named */
    const bool *votes;      /* (m) */
    /** The components of an embedder, valid until the next call. Called twice for each. */
    es_status (*side)(void *context, size_t embedder, es_run *run, es_width_side *out,
                      es_error *err);
    void *context;
} es_width_problem;

/** out (m): the sum, over an embedder's whitened components, of the R^2 (>= 0, on the test rows) of
 *  predicting them from the leading components of all that vote and are of another kind and
 *  family: at most min(64, 1024 / pool), at least 4, of each, divided by the root of its total
 *  variance; ridge penalty 0.003 of the trace. Without such embedders: the number of components.
 *  Joined components are kept in single precision, (n_train + n_test) rows of at most 1,024 or 4 m
 *  columns. ES_ENOMEM, ES_ECANCELED, and what `side` returns. */
es_status es_width_shared(const es_width_problem *problem, es_run *run, double *out, es_error *err);

/* The aggregates of es_score_rule over weighted targets: one definition for the ranking, its
 * intervals and the subsampling curves. */

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

/** True if each voting family has one vote; otherwise each target has. */
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
