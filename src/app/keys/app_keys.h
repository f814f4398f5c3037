/* From keys and the pointer to commands. */
#ifndef ES_APP_KEYS_H
#define ES_APP_KEYS_H

#include "app_state.h"

/* What Tab offers. */

/** Candidate number `index` (from 0) to complete `line`; false when there is none. */
bool es_prompt_candidate(const es_app *app, const char *line, size_t index, char *out,
                         size_t capacity);

/** Path number `index` of the pools opened lately, cleaned; false: there are no more. */
bool es_app_recent_at(const es_app *app, size_t index, char *out, size_t capacity);

/* Keys of the help overlay. */

void es_help_key(es_app *app, uint32_t key, es_effects *effects);

/* Keys to commands. */

void es_keys_hold(es_app *app); /* rows keep their places for a while */
void es_keys_press(es_app *app, uint32_t key, es_effects *effects);
void es_keys_paste(es_app *app, const char *text);
/** The keys so far are complete: what comes next does not make a count or a sequence with them. */
void es_app_settle(es_app *app);

/* Clicks and the wheel. */

void es_mouse_act(es_app *app, const es_mouse *mouse, es_effects *effects);

/* Keys that change the option under the cursor of the options page. */

/* Keys of lists to choose from. */

void es_pick_key(es_app *app, uint32_t key, es_effects *effects);
void es_pick_close(es_app *app, es_effects *effects); /* choosing nothing */
void es_pick_moved(es_app *app, es_effects *effects); /* after a change of pick.at */

/* Keys of the line at the bottom. */

void es_prompt_key(es_app *app, uint32_t key, es_effects *effects);
void es_prompt_insert(es_app *app, const char *text);
void es_prompt_take(es_app *app, size_t candidate); /* into the line, as Tab does */

/* Lines typed before, as a text that lasts, and lines that a file holds. */

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

/* Command lines, typed or from elsewhere. */

void es_prompt_run(es_app *app, const char *line, es_effects *effects); /* a command line */

#endif
