/* Texts that last from session to session, in the user's state folder (paths.h): what the explorer
 * shows of each pool, the lines typed before, which pools were opened. Nothing else is ever kept
 * there but the log. */
#ifndef EMBEDSCOPE_STATE_FILE_H
#define EMBEDSCOPE_STATE_FILE_H

#include <stddef.h>

#include "embedscope/status.h"

/** The file of one pool: sessions/DIGEST below the state folder, by the real path of `subject` and
 *  by `part`, which of its embedders are opened (NULL: all). Not created. ES_ENOTFOUND: there is no
 *  home, or no such subject. */
es_status es_state_session_path(const char *subject, const char *part, char **out, es_error *err);
/** The file `name` in the state folder itself. */
es_status es_state_path(const char *name, char **out, es_error *err);

/** Can it be written? Makes the folder. ES_EIO says why not. */
es_status es_state_check(const char *path, es_error *err);
/** ES_ENOTFOUND: nothing is kept. *out ends with a NUL and is freed with es_free. */
es_status es_state_read(const char *path, char **out, size_t *length, es_error *err);
/** Atomic, user-only, the folder is made where it is missing. */
es_status es_state_write(const char *path, const char *text, size_t length, es_error *err);
/** Move a file that cannot be read aside, to "PATH.kept". */
es_status es_state_set_aside(const char *path, es_error *err);

#endif
