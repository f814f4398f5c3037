/* Where this program keeps and finds its files. Paths are raw bytes; clean them before showing. */
#ifndef EMBEDSCOPE_PATHS_H
#define EMBEDSCOPE_PATHS_H

#include <stdbool.h>

#include "embedscope/status.h"

typedef enum es_user_dir {
    ES_USER_DATA,  /* $XDG_DATA_HOME/embedscope, default ~/.local/share/embedscope */
    ES_USER_STATE, /* $XDG_STATE_HOME/embedscope, default ~/.local/state/embedscope */
    ES_USER_CONFIG /* $XDG_CONFIG_HOME/embedscope, default ~/.config/embedscope */
} es_user_dir;

/** The user's directory of one kind, not created. An XDG variable with a relative path is ignored,
 * as the XDG Base Directory Specification asks. ES_ENOTFOUND: neither the variable nor a home. */
es_status es_path_user(es_user_dir which, char **out, es_error *err);

/** Something that came with the program, "themes" or "sample_data/molecules": looked for in
 *  ../share/embedscope beside the executable, then in the source tree it was built from, then where
 *  it was configured to be installed. ES_ENOTFOUND names the path that was tried last. */
es_status es_path_shared(const char *below, char **out, es_error *err);

/** True for what the program was installed with: nothing is ever written there, whoever runs it. A
 *  program in its build folder has no such place. `canonical` as from es_path_canonical. */
bool es_path_is_installed(const char *canonical);

/** The path without links, "." and "..", owned by the caller. ES_ENOTFOUND when nothing is there;
 *  ES_EIO when a part of it cannot be entered or its links go in a circle. */
es_status es_path_canonical(const char *path, char **out, es_error *err);

/** The path as a shell reads it: "~" and "~/..." begin at $HOME. Owned by the caller; NULL when out
 * of memory. */
char *es_path_at_home(const char *path) __attribute__((warn_unused_result));

/** directory + "/" + name, owned by the caller; NULL when out of memory. */
char *es_path_join(const char *directory, const char *name) __attribute__((warn_unused_result));

#endif
