/* What lasts from one session to the next. */
#ifndef ES_APP_SAVED_SESSION_H
#define ES_APP_SAVED_SESSION_H

#include "app_state.h"

/** What lasts until the next session on the same pool: where the user is, what is marked, hidden,
 *  sorted, how far u goes back. NULL when out of memory; free with es_free. */
char *es_app_state(const es_app *app);
/** Go on from there. What is no longer in the pool is skipped, and so are keys of later
 *  versions. ES_EFORMAT, ES_EUNSUPPORTED (a newer version's), ES_ENOMEM: nothing has changed. */
es_status es_app_restore(es_app *app, const char *text, size_t length, es_effects *effects,
                         es_error *err);

/** Measures that were shown in that session, which the owner loads before it restores a second
 * time: name `number` of them; 0: no more. */
size_t es_app_state_measure(const char *text, size_t number, char *out, size_t capacity);
/** The CSV of scores that was opened in that session: its length, 0: none, or too long for `out`.
 */
size_t es_app_state_scores(const char *text, char *out, size_t capacity);
/** Sets the file of scores that the saved session names; copied, NULL: none. A path with a line
 * break is not kept. */
void es_app_scores(es_app *app, const char *path);

#endif
