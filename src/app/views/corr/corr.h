/* Corr's state: the score against each column of scores.csv, and against the mean rank and the mean
 * over them.
 *
 * Coefficients of all tasks are known as soon as the view is open; intervals and permutations come
 * by and by, some draws at every tick, the selected task first. All of it is of the embedders that
 * the lists show (hidden and filtered ones do not count) without the excluded points. Values are
 * kept so that higher is better; es_corr_shown turns them back for the eye. */
#ifndef ES_APP_CORR_H
#define ES_APP_CORR_H

#include "buf.h"
#include "corr_state.h"

bool es_corr_new(es_app *app); /* app->corr; false: out of memory */
void es_corr_free(es_app *app);
/** After every message: take up what has changed. `idle`: also go on with the intervals. */
void es_corr_update(es_app *app, bool idle);
/** Have stored scores looked for whenever Corr opens: something may have been stored since. */
void es_corr_ask(es_app *app, es_effects *effects);
/** When there is more to do; INFINITY: nothing. */
double es_corr_deadline(const es_app *app);

es_correlation es_corr_kind(const es_app *app);
const char *es_corr_symbol(const es_app *app, es_correlation kind); /* as the terminal can show */
const char *es_corr_task_name(const es_app *app, size_t task);
bool es_corr_is_mean(const es_app *app, size_t task);
/** Lower is better: an error, a cost, or the mean rank. Kept with its sign turned. */
bool es_corr_is_turned(const es_app *app, size_t task);
/** The score or task value as the user knows it, from the kept one. */
double es_corr_shown_x(const es_app *app, double x);
double es_corr_shown_y(const es_app *app, size_t task, double y);
/** Is it of the score that less is better? */
bool es_corr_axis_turned(const es_app *app);
size_t es_corr_excluded(const es_app *app); /* points of the selected task left out by x */
/** Number `index` of the names that wait for a decision: the item; ES_NONE: no more. */
size_t es_corr_proposal(const es_app *app, size_t index);
/** Has scores by name follow what is accepted (joined_scores.h); true: that has changed. */
bool es_corr_join(es_app *app);
/** What is proposed, a line each, at most so many. */
void es_corr_proposals_put(const es_app *app, size_t most, es_buf *out);
size_t es_corr_row_unmatched(const es_app *app, size_t index); /* row of scores.csv; ES_NONE */
size_t es_corr_line(const es_app *app, size_t task);           /* its line in the list */

/** "IS", or the measure that stands for it in Corr. */
const char *es_corr_axis(const es_app *app);

#endif
