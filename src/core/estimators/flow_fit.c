/* Training of a flow with early stopping (see core_estimators_parts.h). */
#include "core_estimators_parts.h"

#include <math.h>
#include <string.h>

es_status es_flow_fit(es_flow *flow, const es_flow_rows *train, const es_flow_rows *val,
                      const es_flow_plan *plan, es_rng *rng, es_arena *arena, const es_run *run,
                      es_flow_fitted *out, es_error *err) {
    size_t n = val->n;
    double *now = es_arena_alloc(arena, 3 * n, sizeof *now);
    float *state = es_arena_alloc(arena, 2 * flow->n_params, sizeof *state);
    uint32_t *order = es_arena_alloc(arena, train->n, sizeof *order);
    if (!now || !state || !order)
        return es_no_memory_for(err, "a flow of %zu parameters", flow->n_params);
    es_flow_fitted f = {.before = now + n, .now = now + 2 * n, .start = state};
    float *best = state + flow->n_params;
    for (size_t i = 0; i < train->n; i++)
        order[i] = (uint32_t)i;
    double highest = -INFINITY;
    for (unsigned epoch = 0; epoch <= plan->epochs && epoch <= f.epoch + plan->patience; epoch++) {
        es_status st = ES_OK;
        if (epoch > 0)
            st = es_flow_epoch(flow, train, order, plan->rate, rng, run, err);
        if (st == ES_OK)
            st = es_flow_eval(flow, val, NULL, NULL, epoch ? now : f.before, run, err);
        if (st != ES_OK)
            return st;
        double mean, gain = es_gain_over(f.before, epoch ? now : f.before, n, &mean);
        es_run_trace(plan->shown, -mean / (double)flow->shape.d);
        es_run_progress(plan->shown, epoch, 0);
        if (epoch == 0 || mean > highest) {
            highest = mean;
            f.epoch = epoch;
            f.gain = gain;
            es_flow_save(flow, epoch ? best : f.start);
            memcpy(f.now, epoch ? now : f.before, n * sizeof *now);
        }
    }
    es_flow_load(flow, f.epoch > 0 ? best : f.start);
    *out = f;
    return ES_OK;
}
