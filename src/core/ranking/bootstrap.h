/* How sure a ranking is: intervals of scores and ranks, and which embedders cannot be told apart.
 *
 * Two things could have been otherwise: the rows on which the pairs were evaluated, and the
 * embedders that happened to be in the pool as targets. Both can be drawn again, alone or together,
 * always for all embedders at once, so that what they have in common cancels in differences (Efron
 * and Tibshirani, "An Introduction to the Bootstrap", 1993). */
#ifndef EMBEDSCOPE_BOOTSTRAP_H
#define EMBEDSCOPE_BOOTSTRAP_H

#include "embedscope/status.h"
#include "resample.h"
#include "run.h"

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
