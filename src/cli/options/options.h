/* The options of all commands: parsing, and the configuration file, from the one table of
 * option_table.h. */
#ifndef ES_CLI_OPTIONS_H
#define ES_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "option_table.h"

#include "embedscope/status.h"

void es_options_init(es_options *options);
void es_options_free(es_options *options);

/** Read argv[1..argc) for a command that takes `groups`. Options and arguments may be mixed; "--"
 *  ends the options. Arguments are moved, in order, to arguments[0..*n_arguments) (room for argc).
 *  `command` is the name for messages. ES_EINVAL: a usage error, the message says what is near. */
es_status es_options_parse(es_options *options, unsigned groups, const char *command, int argc,
                           char **argv, const char **arguments, size_t *n_arguments, es_error *err);

/** Defaults from a file of lines "option = value" ('#' starts a comment; long names without the
 *  dashes). What was given on the command line stays. Options of other commands are checked and
 *  passed over. ES_EFORMAT names file and line; ES_EIO or ES_ENOTFOUND when it cannot be read. The
 *  file is never written. */
es_status es_options_read_config(es_options *options, unsigned groups, const char *path,
                                 es_error *err);

/** Puts "FILE:LINE: " before a message about what the configuration file has set: one that names
 *  such an option with its dashes, or its value or key in quotes. */
void es_options_blame(const es_options *options, es_error *err);
/** The same where it is known to be about the field of this option. */
void es_options_blame_for(const es_options *options, const char *name, es_error *err);

/** True when the option was set on the command line or in the configuration file. */
bool es_options_given(const es_options *options, const char *name);

/** True when it was set on the command line. */
bool es_options_typed(const es_options *options, const char *name);

/** As if --scores had been typed with this file; NULL: as if it had not. Borrowed. */
void es_options_use_scores(es_options *options, const char *scores);

/** As if --name had been typed with this value, borrowed; and as if it had not been said at all (an
 *  option whose default is nothing; a list is forgotten, not freed). */
es_status es_options_use(es_options *options, const char *name, const char *value, es_error *err);
void es_options_forget(es_options *options, const char *name);

/** Options that are short for another one: --folds K becomes --set folds=K. Once, after everything
 *  was read. */
es_status es_options_expand(es_options *options, es_error *err);

/** Joins the items of a list with commas; *out is kept by options, NULL when the list is empty. */
es_status es_options_join(es_options *options, const es_texts *texts, const char **out,
                          es_error *err);

#endif
