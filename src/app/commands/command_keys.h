/* Keys of the user's own. */
#ifndef ES_APP_COMMAND_KEYS_H
#define ES_APP_COMMAND_KEYS_H

#include "app_state.h"

/** Keys of the user's own, in the place of those before (keymap.h). What is wrong in the file is
 *  said in one notice and left out. `label` is its name. */
es_status es_app_keys(es_app *app, const char *text, size_t length, const char *label,
                      es_error *err);

#endif
