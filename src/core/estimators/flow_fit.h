/* A flow trained until validation rows stop gaining. */
#ifndef ES_CORE_FLOW_FIT_H
#define ES_CORE_FLOW_FIT_H

#include "flow.h"

typedef struct es_flow_plan {
    double rate;
    unsigned epochs, patience;
} es_flow_plan;

typedef struct es_flow_fitted {
    unsigned epoch; /* whose state is kept; 0: the one before training */
    double *before; /* (validation rows) log densities before training */
    double *now;    /* and in the kept state */
    double gain;    /* how clearly they gain, in standard errors */
    float *start;   /* (n_params) the state before training */
} es_flow_fitted;

/** At most plan->epochs passes over `train`, ended by plan->patience of them without a higher mean
 *  log density of `val`; the flow is left in its best state. Arrays are the arena's. */
es_status es_flow_fit(es_flow *flow, const es_flow_rows *train, const es_flow_rows *val,
                      const es_flow_plan *plan, es_rng *rng, es_arena *arena, es_run *run,
                      es_flow_fitted *out, es_error *err);

#endif
