/* Where documents go: standard output or -o FILE. */
#ifndef ES_CLI_OUTPUT_H
#define ES_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

#include "buf.h"
#include "embedscope/status.h"

/** What a file's ending says, whatever its case; ES_FORMAT_DEFAULT: nothing. path: NULL is none. */
es_output_format es_output_ending(const char *path);
/** The format to write: what was typed, else by the ending of -o FILE, else that of the
 *  configuration file, else `otherwise`. */
es_output_format es_output_format_of(const es_cli *cli, es_output_format otherwise);
/** Was a format typed, or does -o FILE end in one? What the configuration file says is a default:
 *  it takes nobody the explorer or a command that has no formats. */
bool es_output_asked(const es_cli *cli);

/** True when the document goes to a terminal that was not named by -o. */
bool es_output_to_terminal(const es_cli *cli);

/** Columns of the terminal that a table is for; 0 (no limit) when it goes to a file or a pipe. */
size_t es_output_width(const es_cli *cli);

/** True when the locale shows UTF-8, for lines that are drawn. */
bool es_output_unicode(void);

/** Write a finished document: to -o FILE atomically, else to standard output. A reader that has
 * gone away is no error; ES_EIO when the text could not be written, a full disk say. */
es_status es_output_write(const es_cli *cli, const es_buf *text, es_error *err);

/** One line on stderr, "embedscope: note: ...", unless --quiet. */
void es_output_note(const es_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** A line on stderr even with --quiet: of what decides the exit code and is no error of the whole.
 */
void es_output_fault(const es_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** Such a note, where the option was given, that this command goes without it; why: or NULL. */
void es_output_note_idle(const es_cli *cli, const char *option, const char *why);

#endif
