/* The explorer on a terminal. */
#ifndef ES_TUI_TUI_H
#define ES_TUI_TUI_H

#include <stdbool.h>

#include "buf.h"
#include "log.h"
#include "embedscope/session.h"
#include "embedscope/status.h"

typedef struct es_tui_options {
    const char *theme;     /* NULL: config, then default-dark */
    const char *theme_dir; /* NULL: the usual places */
    const char *color;     /* never auto 16 256 rgb; NULL = auto */
    bool ascii, mouse;
    bool plain;          /* lines instead of a screen (plain.h) */
    bool start;          /* begin to estimate at once */
    const char *script;  /* keys and :commands from a file instead of a terminal */
    int width, height;   /* of the screen when scripted */
    const char *subject; /* path of the pool or matrix, whose session is kept; NULL: it is not */
    const char *part;    /* which of its embedders are opened; NULL: all */
    bool scores_asked;   /* on the command line: those of the last session do not count */
    bool fresh;          /* begin with the defaults, not where the last session ended */
    const char *config,
        *keys;       /* files that :set and :map --save write; keys are read; NULL: none */
    bool keys_asked; /* the file of keys must be there */
    const char *const *settings; /* "name=value" of the configuration file; NULL-terminated, or NULL
                                  */
    es_status (*doctor)(es_buf *out, es_error *err); /* what :doctor shows; NULL: nothing */
    const char *program;                             /* what writes exports */
    const char *const *const *exports; /* es_app_exporter; NULL: none can be written */
    bool theme_asked;                  /* on the command line: the session's does not count */
    const char *trace;                 /* write key-to-frame times to this file */
    bool *again; /* set when the pool has got a new member or scores: to be opened again, where the
                    session goes on; NULL: never */
    /* Beside again, from es_alloc: the CSV of scores to open it with, and the session, where no
     * file keeps it; and the step that a script goes on from. */
    char **scores, **state;
    size_t *step;
    bool *reopened; /* beside again: nothing was shown, the session names scores to open it with */
    char **open;    /* beside again, from es_alloc: another pool to open in the place of this one */
    const char *plan; /* what is open: lines "option=value" as the command line has them */
    const char *const *estimate; /* how the command line begins that estimates it; NULL: none */
    es_status (*check_plan)(const char *plan, es_error *err); /* can a pool be opened with it? */
    char **other_plan;  /* beside again, from es_alloc: a plan to open the pool with and to run */
    const char *notice; /* to be read before anything else; NULL: nothing */
    bool shown_only;    /* it says why the session only shows what is stored */
    es_log *log;
} es_tui_options;

/** Run until the user quits; returns the exit code (0, or 130 after an interrupt). The terminal is
 *  restored on every way out, fatal signals included. ES_EUNSUPPORTED: no usable terminal. */
es_status es_tui_run(es_session *session, const es_tui_options *options, int *exit_code,
                     es_error *err);

#endif
