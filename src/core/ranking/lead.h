/* How far embedders are ahead of each other, and how sure that is.
 *
 * Two embedders are compared by the reference embedders that are of neither's kind nor named
 * family: delta(A, B) is the mean over those kinds of the kind's mean of IS(A->V) - IS(B->V), one
 * vote a kind. The lead of an embedder is the mean of delta over all others that have a vote. Each
 * kind and each block of evaluation rows has an influence on a difference: what the difference
 * would change were it drawn again. Sums of their squares are variances, and Gaussian multipliers
 * on them give joint draws of all differences (a multiplier bootstrap). */
#ifndef ES_CORE_LEAD_H
#define ES_CORE_LEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hands.h"
#include "run.h"
#include "embedscope/status.h"

enum {
    ES_LEAD_KINDS = 5,   /* fewer kinds: nothing is said of other reference embedders */
    ES_LEAD_BLOCKS = 32, /* of evaluation rows */
    ES_LEAD_DRAWS = 4000
};

/** A standard error over rows leaves out the noise of fitting: without this factor 95 % statements
 *  hold in .92 to .95. */
#define ES_FITTING_NOISE 1.2
/** The least standard error of a difference, nats per dimension: values are sums of
 * single-precision numbers, and what rounding alone has parted (4e-7 at the most in what was tried)
 * is not told apart. */
#define ES_LEAD_ROUNDING 1e-6

typedef struct es_lead_problem {
    size_t m;
    const double *is;       /* (m, m) nats per target dimension; NaN: not known */
    const es_hands *blocks; /* of evaluation rows; NULL: errors of rows are not known */
    float *const *pmi;      /* (m, m) values of rows, as blocks->rows; with `blocks` */
    const uint32_t *kind;   /* (m) below `kinds` */
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

#endif
