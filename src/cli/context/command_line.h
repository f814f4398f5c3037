/* The command line that gives the same document again, whatever the user's configuration file says.
 */
#ifndef ES_CLI_COMMAND_LINE_H
#define ES_CLI_COMMAND_LINE_H

#include <stddef.h>

#include "buf.h"
#include "command.h"
#include "data_list.h"
#include "session.h"
#include "words.h"

enum {
    ES_EXPORT_COMMANDS = 15,
    ES_EXPORT_OF_SETS = 6,
    ES_EXPORT_OF_REPORT = 14
}; /* views of es_export_begin */

/** Appends the options of `groups` that are in force because someone said so. An estimator that was
 *  chosen for the user is not said: a line that names one ranks by its published score. Options of
 *  how to work, such as --threads, change no result and are left out unless they were said. */
es_status es_words_add_options(es_words *words, const es_options *options, unsigned groups,
                               es_error *err);

/** The views of `export` in their order; NULL behind the last. */
const char *es_export_view(size_t at);
/** Is the view of that name of the embedders of --models, which then choose no part of the pool? */
bool es_export_is_of_named(const char *name);
/** The lists of `names`, and what one of them holds for a pool, a name a line; ES_ENOTFOUND: there
 * is no such list. */
const char *es_names_list(size_t at);
es_status es_names_put(const char *list, const char *pool, es_buf *out, es_error *err);

/** How the command line of an export of this session begins, which cli opened: "embedscope",
 *  "export", POOL, VIEW and the options that say what was opened, but for the estimator. `view`
 *  counts ranking, matrix, tree, correlation, compare. *out stays empty where none can be given. */
/** The same of several data sets: "embedscope", `command`, what names them (`paths`, and --set-rows
 *  all where they are sets of rows), `view` where it is not NULL, and the options of the session
 *  but for scores. */
es_status es_sets_begin(const es_cli *cli, const es_data_list *list, const char *command,
                        const char *view, es_words *out, es_error *err);
/** "embedscope", `command`, POOL where there is one, and the options of the session but for the
 *  estimator and, unless they are asked for, scores. */
es_status es_rows_begin(const es_cli *cli, const char *command, bool scores, es_words *out,
                        es_error *err);
/** "embedscope", "estimate" and the options of the session except those that name the data set. */
es_status es_estimate_begin(const es_cli *cli, es_words *out, es_error *err);
es_status es_export_begin(const es_cli *cli, size_t view, es_words *out, es_error *err);

#endif
