/* The command line: `embedscope [PATH]` and the subcommands.
 *
 *   options    the table of options; parsing, configuration file
 *   context    what a command gets; names that the user gives; the line that gives a document again
 *   out        tables, JSON documents, standard output or -o FILE, what `export` adds
 *   session    opening a session as the options ask, waiting for it, Ctrl-C
 *   measures   measures that the user names: found, computed, written
 *   reports    one document each, with its picture: ranking, matrix, tree, correlation, comparison
 *   commands   cmd_NAME.c, a command and its kin a file; their table, --help, dispatch */
#ifndef ES_CLI_CLI_H
#define ES_CLI_CLI_H

#include "cli_context.h"

/** What `embedscope doctor` says except what takes time to measure, as lines. */
es_status es_cli_doctor(es_buf *out, es_error *err);

/** The whole program behind main: parses, runs, prints errors as one line on stderr, returns the
 *  exit code. Expects setlocale to have been called with LC_NUMERIC left at "C". */
int es_cli_main(int argc, char **argv, const es_cli_hooks *hooks);

#endif
