/* What a command line may go on with, for the completions of shells. */
#ifndef ES_CLI_COMPLETE_LINE_H
#define ES_CLI_COMPLETE_LINE_H

#include <stddef.h>

#include "buf.h"

/** Of the words behind the program's name, the last of which (n - 1) is the one in question and may
 *  be empty. First a line with what else may stand there: "folders", "files", or "many" where a
 * list goes on behind a comma. Then a line a word as a whole, with a tab and what it means where
 * that is known; the shell takes those that begin as what was typed. */
void es_complete_line(const char *const *word, size_t n, es_buf *out);

#endif
