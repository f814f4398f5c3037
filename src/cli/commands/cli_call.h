/* A command run inside another program, the explorer or a library, from the words of its line. */
#ifndef ES_CLI_CALL_H
#define ES_CLI_CALL_H

#include "cli_context.h"

/** A command with its options, which borrow from `words`. */
typedef struct es_cli_call {
    es_options options;
    es_cli cli;
    es_words words;
} es_cli_call;

/** Begins a call with the commands, hooks and files looked at of `of`, which is only read. */
void es_cli_call_begin(es_cli_call *call, const es_cli *of, const es_host *host);
/** Reads the words after the command's name. Read again, options of before stay in force. */
es_status es_cli_call_read(es_cli_call *call, const char *name, const char *const *words, size_t n,
                           es_error *err);
/** Settles what was read; then call->cli.command can be run. */
es_status es_cli_call_finish(es_cli_call *call, es_error *err);
void es_cli_call_end(es_cli_call *call);

/** Runs the command line of `words` ("embedscope", COMMAND, then its arguments and options) as the
 * program would, in any thread; `of` gives the commands, and is only read. It opens what it needs
 * itself. `run` interrupts it, and its subject is how far an estimation is.
 *
 * out: receives what it would print as a sheet, notes as its warnings. NULL: what is printed is
 * dropped, files are written, and *err holds the last note of a command that succeeds with exit
 * code 1. ES_ECANCELED by the run; otherwise as the command fails. */
es_status es_cli_call_run(const es_cli *of, const es_words *words, es_run *run, es_sheet **out,
                          es_error *err);

#endif
