/* The resampled scores behind the intervals of bootstrap.h. */
#ifndef ES_CORE_DRAWS_H
#define ES_CORE_DRAWS_H

#include "embedscope/status.h"
#include "embedscope/ranking.h"
#include "run.h"

typedef struct es_draws {
    size_t m, n;   /* embedders, draws */
    double *score; /* (n, m) NaN where no voting target was drawn */
    es_resample resample;
    size_t *sample; /* (m) what was drawn for a source: families of its targets, targets or hands */
    size_t without_rows;
} es_draws;

/** problem checked, its defaults filled in. */
es_status es_draws_new(const es_bootstrap *problem, const es_run *run, es_draws *out,
                       es_error *err);
void es_draws_free(es_draws *draws);

#endif
