/* The two recipes of the `knife` estimator.
 *
 *   est_knife.c        settings, presets, the choice of a recipe
 *   knife_state.c      what the recipes share
 *   knife_refined.c    preset `default`: the ridge solution refined by a density network, held out
 *   knife_published.c  presets `paper-*`: the method of the paper as its authors ran it, in-sample
 */
#ifndef ES_CORE_KNIFE_RECIPES_H
#define ES_CORE_KNIFE_RECIPES_H

#include "knife_state.h"

/** Fill target->marginal of a fold. */
es_status es_knife_refined_marginal(const es_problem *problem, uint64_t id, es_fold_state *target,
                                    es_arena *arena, es_run *run, es_error *err);
es_status es_knife_published_marginal(const es_problem *problem, uint64_t id, es_fold_state *target,
                                      es_arena *arena, es_run *run, es_error *err);

/** As es_estimator.pair. */
es_status es_knife_refined_pair(const es_problem *problem, const es_fold_states *source,
                                const es_fold_states *target, uint64_t stream, es_arena *arena,
                                es_run *run, es_pair_result *out, es_error *err);
es_status es_knife_published_pair(const es_problem *problem, const es_fold_states *source,
                                  const es_fold_states *target, uint64_t stream, es_arena *arena,
                                  es_run *run, es_pair_result *out, es_error *err);

#endif
