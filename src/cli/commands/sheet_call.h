/* A command run inside the explorer for its sheet. */
#ifndef ES_CLI_SHEET_CALL_H
#define ES_CLI_SHEET_CALL_H

#include "command.h"
#include "sheet.h"
#include "words.h"

/** Runs the command line of `words` ("embedscope", COMMAND, then its arguments and options) and
 * returns what it would print as a sheet; notes are its warnings. It opens what it needs itself,
 * and shows what is stored. Any thread; `of` gives the commands, and is only read. ES_ECANCELED by
 * the run; ES_EEMPTY: there is nothing to show yet; otherwise as the command fails. */
es_status es_sheet_call(const es_cli *of, const es_words *words, es_run *run, es_sheet **out,
                        es_error *err);

#endif
