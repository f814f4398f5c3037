/* Settings, keys and files of commands. */
#ifndef ES_TUI_USER_FILES_H
#define ES_TUI_USER_FILES_H

#include "driver_state.h"

/** The settings of the configuration file and the keys of the user's own. A file of keys that was
 *  asked for must be there. The caller carries out the effects. */
es_status es_user_configure(es_driver *driver, es_effects *effects, es_error *err);
/** Put one line into the configuration file or the file of keys, because the user asked to; the
 *  rest of the file stays as it is. */
void es_user_save_line(es_driver *driver, es_save what, const char *line);
/** Run the commands of a file; the caller carries out the effects. */
void es_user_source(es_driver *driver, const char *path, es_effects *effects);

#endif
