/* What the command line and the explorer know of each other. The explorer is handed in as a
 * function, so that this layer needs no ncurses. */
#ifndef ES_CLI_HOOKS_H
#define ES_CLI_HOOKS_H

#include <stdbool.h>

#include "buf.h"
#include "explorer.h"
#include "picture_colours.h"
#include "session.h"
#include "wire.h"
#include "embedscope/status.h"

typedef struct es_cli_hooks {
    /** Is this a setting of the explorer, for the configuration file? ES_ENOTFOUND: it is none.
     * NULL: there are none. */
    es_status (*setting)(const char *name, const char *value, es_error *err);
    /** Runs until the user quits. ES_EUNSUPPORTED: no usable terminal. */
    es_status (*explore)(es_session *session, const es_explorer *explorer, int *exit_code,
                         es_error *err);
    /** Shows how far opening the pool is until it is open; *left: the user does not want it. Fails
     *  where it cannot be shown. NULL: there is no explorer. */
    es_status (*wait)(const es_explorer_wait *wait, bool *left, es_error *err);
    /** --check-theme: append what there is to say about a theme; *found: what is wrong with it. */
    es_status (*check_theme)(const char *file, const char *theme_dir, es_buf *out, size_t *found,
                             es_error *err);
    /** A theme's colours for pictures, and a line for what is wrong with them. NULL: there are no
     * themes. */
    es_status (*picture_colours)(const char *theme, const char *theme_dir, es_picture_colours *out,
                                 es_buf *remarks, es_error *err);
    /** Predicts the explorer's colours in this terminal with --color auto: "none", "8", "16", "256"
     * or "rgb", with the reason. Returns NULL if the explorer cannot use the terminal. NULL: there
     * is no explorer. */
    const char *(*colours)(char reason[160]);
    /** Joins the processes that were started together (mpirun), for `estimate`. NULL: this program
     *  cannot. */
    es_status (*join)(es_wire *out, es_error *err);
} es_cli_hooks;

enum {
    ES_EXIT_OK = 0,
    ES_EXIT_FAILED_PAIRS = 1,
    ES_EXIT_USAGE = 2,
    ES_EXIT_BAD_INPUT = 3,
    ES_EXIT_EMPTY = 4,
    ES_EXIT_INTERRUPTED = 130
};

#endif
