/* What is drawn again to see how sure a ranking is: rows, targets or both. */
#ifndef EMBEDSCOPE_RESAMPLE_H
#define EMBEDSCOPE_RESAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/score_rule.h"

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

#endif
