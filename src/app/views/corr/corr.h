/* Corr's state: the score against each column of scores.csv, and against the mean rank and the mean
 * over them.
 *
 * All of it is of the embedders that the lists show (hidden and filtered ones do not count) without
 * the excluded points, and comes from the report.h, made by a worker. Values are
 * kept so that higher is better; es_corr_shown turns them back for the eye. */
#ifndef ES_APP_CORR_H
#define ES_APP_CORR_H

#include "base.h"
#include "corr_state.h"

bool es_corr_new(es_app *app); /* app->corr; false: out of memory */
void es_corr_free(es_app *app);
/** After every message: takes up what has changed, and asks for what is not known of it. */
void es_corr_update(es_app *app, es_effects *effects);
/** True if a request to the worker is not answered yet. */
bool es_corr_waits(const es_app *app);
/** For ES_FX_CORRELATE: what is shown, the caller's. ES_ENOMEM. */
es_status es_corr_work(const es_app *app, bool draw, es_correlation_work **out, es_error *err);

/** Returns the newest set, borrowed until the next message; NULL: none yet. */
const es_correlation_set *es_corr_set(const es_app *app);
const es_correlation_report *es_corr_report(const es_app *app, size_t task); /* NULL: none yet */
double es_corr_y(const es_app *app, size_t task, size_t item); /* higher is better; NAN */

es_correlation es_corr_kind(const es_app *app);
const char *es_corr_symbol(const es_app *app, es_correlation kind); /* as the terminal can show */
const char *es_corr_task_name(const es_app *app, size_t task);
bool es_corr_is_mean(const es_app *app, size_t task);
/** Lower is better: an error, a cost, or the mean rank. Kept with its sign turned. */
bool es_corr_is_turned(const es_app *app, size_t task);
/** The score or task value as the user knows it, from the kept one. */
double es_corr_shown_x(const es_app *app, double x);
double es_corr_shown_y(const es_app *app, size_t task, double y);
/** True if lower is better on the axis of the score. */
bool es_corr_axis_turned(const es_app *app);
size_t es_corr_excluded(const es_app *app); /* points of the selected task left out by x */
/** Number `index` of the names that wait for a decision: the item; ES_NONE: no more. */
size_t es_corr_proposal(const es_app *app, size_t index);
/** Joins scores by the accepted names (joined_scores.h); true: something has changed. */
bool es_corr_join(es_app *app);
/** Lists the proposed joins of names, one a line, at most `most`. */
void es_corr_proposals_put(const es_app *app, size_t most, es_buf *out);
size_t es_corr_row_unmatched(const es_app *app, size_t index); /* row of scores.csv; ES_NONE */
size_t es_corr_line(const es_app *app, size_t task);           /* its line in the list */

/** "IS", or the measure that stands for it in Corr. */
const char *es_corr_axis(const es_app *app);

#endif
