/* Embedders that belong together in time: checkpoints of one training run, a model and what was
 * tuned from it. */
#ifndef ES_ENGINE_POOL_SERIES_H
#define ES_ENGINE_POOL_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "pool_state.h"

/** A name like "run@1000", "run@step-20", "run@5k", "run@2.5M": the length of what stands before
 *  the "@" and the step (k and M: thousands and millions). False: it is no such name. */
bool pool_series_of_name(const char *name, size_t *stem, double *step);

/** Once names are settled: embedders without a series of pool.json get that of their names, if two
 *  share it. ES_ENOMEM. */
es_status pool_series_settle(es_pool *pool, es_error *err);

#endif
