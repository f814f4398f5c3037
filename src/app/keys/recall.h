/* Lines typed before, as a text that lasts, and lines that a file holds. */
#ifndef ES_APP_RECALL_H
#define ES_APP_RECALL_H

#include "app_state.h"

/** The lines typed before, of this session and, first, of `before`: such a text that another one
 *  left (NULL: none). The newest ES_APP_HISTORY of each prompt. NULL when out of memory; es_free.
 */
char *es_app_history(const es_app *app, const char *before, size_t length);
void es_app_history_saved(es_app *app); /* they are in the text that is read next time */
/** Up recalls these, too. Lines that are not understood are skipped. */
void es_app_recall(es_app *app, const char *text, size_t length);

/** Command lines from a file, as typed after ':'; blank lines and those that begin with '#' say
 *  nothing. Ends at the first that cannot be run, which is named. `label` is the file's name. */
void es_app_source(es_app *app, const char *label, const char *text, size_t length,
                   es_effects *effects);

#endif
