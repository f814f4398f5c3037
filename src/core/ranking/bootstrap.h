/* How sure a ranking is: intervals of scores and ranks, and which embedders cannot be told apart.
 *
 * Two things could have been otherwise: the rows on which the pairs were evaluated, and the
 * embedders that happened to be in the pool as targets. Both can be drawn again, alone or together,
 * always for all embedders at once, so that what they have in common cancels in differences (Efron
 * and Tibshirani, "An Introduction to the Bootstrap", 1993). */
#ifndef EMBEDSCOPE_BOOTSTRAP_H
#define EMBEDSCOPE_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/ranking.h"
#include "run.h"
#include "embedscope/status.h"

typedef enum es_resample {
    ES_RESAMPLE_ROWS = 1,    /* "on these targets, had other rows been held out" */
    ES_RESAMPLE_TARGETS = 2, /* "had other embedders been the targets" */
    ES_RESAMPLE_BOTH = 3     /* both; a little wide, as rows' noise also spreads the targets */
} es_resample;

enum {
    ES_BOOTSTRAP_DRAWS = 2000,
    ES_BOOTSTRAP_HANDS = 256,   /* see es_intervals_new */
    ES_BOOTSTRAP_TIE_MODELS = 8 /* fewer scored embedders get no tie letters */
};

typedef struct es_bootstrap {
    const double *is;  /* (m, m) */
    float *const *pmi; /* (m, m) pointers to (n_eval) per-row values whose mean is `is`; NULL where
                          not known, or NULL for all */
    size_t m, n_eval;
    const uint32_t *order; /* (m) embedders in an order that does not depend on files, such as by
                              name; results depend on it, not on the numbering. NULL: as numbered */
    es_score_rule rule;
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
    double *p;       /* (m, m) two-sided p of "both score the same", 1 on the diagonal, NaN
                        where a score is missing */
    bool *separable; /* (m, m) p < 1 - level */
    bool too_few;    /* fewer than 8 scored embedders: no letters */
    size_t letters;  /* tie groups */
    bool *in_letter; /* (m, letters) */
    char **tie;      /* (m) letters as text: "A", "AB"; "" without. From the 53rd group on a
                        letter is followed by a number, "A2" */
} es_intervals;

/** Percentile intervals over `draws` resamples, widened for small samples as Hesterberg 2015 ("What
 *  Teachers Should Know about the Bootstrap", section 4.3) does: with n targets, the tail becomes
 *  Phi(-sqrt(n / (n - 1)) t(n - 1)), and p-values accordingly.
 *
 *  Rows: all pairs get the same resample. Above 256 rows they are first dealt at random into 256
 * hands of equal size, and hands are drawn: the standard error is the same up to 5 %, the time does
 * not grow with the rows. Pairs are summed in single precision around their means.
 *
 *  Tie letters: embedders share a letter exactly when they are not separable at `level` (a compact
 *  letter display, Piepho 2004). The p-values are of single pairs, not corrected for their number.
 *
 *  Time about draws * known pairs * 256 multiply-adds plus draws * m^2; memory about 20 bytes *
 *  draws * m plus 1 KB * draws. ES_EINVAL: rule or level out of range, order not a permutation. */
es_status es_intervals_new(const es_bootstrap *problem, const es_run *run, es_intervals **out,
                           es_error *err);
void es_intervals_free(es_intervals *intervals);

#endif
