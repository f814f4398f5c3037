/* The command line: `embedscope [PATH]` and the subcommands.
 *
 *   cli.h           what main.c needs
 *   command.h       the table of commands, and what a command gets
 *   options.h       the table of options; parsing, configuration file
 *   help.c          --help, made from both tables
 *   table.h         one description of a result for table, csv, json, md and tex
 *   output.h        standard output or -o FILE, and their errors
 *   progress.h      the line on stderr while pairs are estimated
 *   session_cli.h   opening a session as the options ask; interrupts
 *   document.h      what every JSON document starts with
 *   cmd_NAME.c      one file a command
 *   export_cli.h    what `export` adds: the note, the look, FILE.meta.json
 *   picture_cli.h   from reports to pictures
 *   plan_cli.h      what the explorer's run dialog changes
 *   command_line.h  the line that gives a document again
 *   *_cli.h         what commands compute or look up; *_out.h how it is written
 *
 * The explorer is handed in as a function, so that this layer needs no ncurses. */
#ifndef ES_CLI_CLI_H
#define ES_CLI_CLI_H

#include <stdbool.h>

#include "buf.h"
#include "explorer.h"
#include "embedscope/session.h"
#include "embedscope/status.h"

typedef struct es_cli_hooks {
    /** Is this a setting of the explorer, for the configuration file? ES_ENOTFOUND: it is none.
     * NULL: there are none. */
    es_status (*setting)(const char *name, const char *value, es_error *err);
    /** Runs until the user quits. ES_EUNSUPPORTED: no usable terminal. */
    es_status (*explore)(es_session *session, const es_explorer *explorer, int *exit_code,
                         es_error *err);
    /** --check-theme: append what there is to say about a theme; *found: what is wrong with it. */
    es_status (*check_theme)(const char *file, const char *theme_dir, es_buf *out, size_t *found,
                             es_error *err);
} es_cli_hooks;

enum {
    ES_EXIT_OK = 0,
    ES_EXIT_FAILED_PAIRS = 1,
    ES_EXIT_USAGE = 2,
    ES_EXIT_BAD_INPUT = 3,
    ES_EXIT_EMPTY = 4,
    ES_EXIT_INTERRUPTED = 130
};

/** What `embedscope doctor` says but for what takes time to measure, as lines. */
es_status es_cli_doctor(es_buf *out, es_error *err);

/** The whole program behind main: parses, runs, prints errors as one line on stderr, returns the
 *  exit code. Expects setlocale to have been called with LC_NUMERIC left at "C". */
int es_cli_main(int argc, char **argv, const es_cli_hooks *hooks);

#endif
