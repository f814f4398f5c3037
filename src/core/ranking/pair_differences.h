/* How far every two embedders are apart in mean information sufficiency, and whose doing it is.
 *
 * The score is the mean over targets, each family with one vote where asked. Differences are taken
 * target by target, over the targets that judge both, so that what two embedders have in common
 * cancels. A difference is a weighted mean, so each family of targets and each hand of rows has an
 * influence on it: what it would change were it drawn again. The sum of their squares is the
 * variance. */
#ifndef ES_CORE_PAIR_DIFFERENCES_H
#define ES_CORE_PAIR_DIFFERENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"
#include "run.h"

/** A standard error over rows leaves out the noise of fitting: without this factor 95 % statements
 *  hold in .92 to .95. */
#define ES_FITTING_NOISE 1.2

typedef struct es_judged {
    size_t m, targets;
    const double *is; /* (m, targets) NaN: that target is no judge of that source. So is the target
                         of one's own number, unless include_self */
    size_t hands;     /* of rows; 0: nothing is known of rows */
    const double *hand; /* (m, targets, hands) mean over each hand's rows, or its difference from
                          the mean over all: only differences count. NULL: none */
    const uint32_t *family; /* (targets) families, or communities where there are none, numbered
                               below `targets`; NULL: each target its own */
    bool by_family;         /* every family has one vote, else every target */
    bool include_self;
    double inflate; /* of the rows' standard error, for the noise of fitting; 0: ES_FITTING_NOISE */
} es_judged;

typedef struct es_differences {
    size_t m;
    double *delta;        /* (m, m) of row's and column's mean over the targets that judge both;
                             positive: the row is better. NaN: none do */
    double *var_rows;     /* (m, m) of delta, inflated; NaN without hands */
    double *var_families; /* (m, m) NaN where fewer than two families judge both */
    uint32_t *judges;     /* (m, m) families that judge both; 0 on the diagonal */
    size_t hands, families;
} es_differences;

/** Influences of some pairs, those of a few sources: (a, a + 1) ... (a, m - 1) of each a. */
typedef struct es_influences {
    size_t first, sources, pairs;
    const float *by_hand;   /* (hands, pairs) */
    const float *by_family; /* (families, pairs) */
} es_influences;

/** Pairs whose influences are there at once; more only where a single source has more. */
enum { ES_INFLUENCES_AT_ONCE = 2048 };

/** Who takes them, part by part; of its sources the differences stand in `so_far`. */
typedef struct es_influences_to {
    es_status (*take)(void *context, const es_differences *so_far, const es_influences *part,
                      const es_run *run, es_error *err);
    void *context;
} es_influences_to;

/** `to` (NULL: nobody) takes the influences. ES_EINVAL: no embedder or target, a single hand,
 *  inflate or a family out of range; ES_ECANCELED; what `to` returns. O(m^2 families hands), and of
 *  families in which a target judges one of two embedders but not the other O(m^2) times their
 *  members; memory 28 m^2 + m targets (9 + 8, with hands) + 8 m families (2 + hands) bytes. */
es_status es_differences_new(const es_judged *judged, const es_influences_to *to, const es_run *run,
                             es_differences **out, es_error *err);
void es_differences_free(es_differences *differences);

/** The median over pairs of how many families judge both; 0: there is no pair. Errors as of
 *  es_differences_new, and its cost without hands. */
es_status es_usual_judges(const es_judged *judged, double *out, es_error *err);

/** The score of one embedder and its variance over the same two samples. */
typedef struct es_score_spread {
    double score;                  /* NaN: no target judges it */
    double var_rows, var_families; /* NaN: no hands; fewer than two families */
    uint32_t families;             /* that judge it */
} es_score_spread;

/** out (m). Errors as of es_differences_new. O(m targets hands). */
es_status es_score_spreads(const es_judged *judged, es_score_spread *out, es_error *err);

#endif
