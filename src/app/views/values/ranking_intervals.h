/* Intervals of the live ranking, from the workers. */
#ifndef ES_APP_RANKING_INTERVALS_H
#define ES_APP_RANKING_INTERVALS_H

#include "app_state.h"
#include "report_answer.h"

double es_ranking_intervals_due(const es_app *app);              /* for the deadline */
void es_ranking_intervals_ask(es_app *app, es_effects *effects); /* when it is time */
bool es_ranking_intervals_take(es_app *app);                     /* true: what is shown changes */
void es_ranking_intervals_fill(const es_app *app, size_t item, es_live_rank *live);
/** The decision, unless it is of far fewer embedders than are ranked by now: who is first of those
 *  says nothing of these. NULL: nothing is to be said. */
const struct es_decision *es_ranking_decided(const es_app *app);
/** Returns how the last decision compares `item` with `other`. */
es_apart es_ranking_apart(const es_app *app, size_t item, size_t other);
/** For ES_FX_INTERVALS: what is shown, borrowed until the next message. m 0: nothing is. */
es_status es_app_decision(const es_app *app, es_rank_problem *out, es_error *err);

#endif
