/* Estimations beside the session that is shown, one at a time (ES_FX_BESIDE): of the other data
 * sets, or of an estimator at values of its settings. Finished pairs are stored: one that was
 * stopped goes on where it was. */
#ifndef ES_APP_BESIDE_H
#define ES_APP_BESIDE_H

#include "app_state.h"

/** Names the data sets (count, borrowed), of which number `here` is open. */
void es_app_sets(es_app *app, const char *const *names, size_t count, size_t here);
/** Returns the data set of this name; ES_NONE: there is none. */
size_t es_set_find(const es_app *app, const char *name);
/** Shows the sheet of all of them. */
void es_app_show_sets(es_app *app);
/** Asks what es_source.folders_question says, unless it was answered before. */
void es_app_ask_folders(es_app *app);
/** Starts the other data sets when the open one is done. */
void es_app_sets_start(es_app *app);

/** Takes "[estimator] KEY=VALUE,VALUE ..." for what is swept: without an estimator the one that is
 *  shown, or the first with this setting. False: it cannot be one, which a notice says. */
bool es_sweep_take(es_app *app, const char *text);
/** Adds the options that sweep what was taken. */
es_status es_sweep_words(const es_app *app, es_words *line, es_error *err);

/** Begins an estimation: of the data sets, or of what is swept. */
void es_beside_start(es_app *app, bool sets, es_effects *effects);
/** True if an estimation beside the session runs or is due. */
bool es_beside_busy(const es_app *app);
void es_beside_stop(es_app *app, es_effects *effects);
/** Begins what is due. After every message. */
void es_beside_follow(es_app *app, es_effects *effects);
/** Takes in how far it is. */
void es_app_beside_says(es_app *app, const char *text);
/** Reports the end of the estimation beside the session. ES_OK with a message: not all could be
 * estimated. */
void es_app_beside_over(es_app *app, es_status status, const char *why);

#endif
