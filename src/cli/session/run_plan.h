/* The plan of a run as text, lines "option=value" with the names of the command line: what the
 * explorer's run dialog begins with, and what it asks for. */
#ifndef ES_CLI_PLAN_CLI_H
#define ES_CLI_PLAN_CLI_H

#include "command.h"
#include "command_line.h"

#include "buf.h"
#include "session.h"

/** Appends what is open: estimator, preset, rows, seed, threads and every --set, where it is not
 * the default. */
es_status es_plan_text(const es_options *options, const es_session *session, es_buf *out,
                       es_error *err);

/** In the place of what `options` say, which keep pointing into `text`: its line ends are
 * overwritten. ES_EINVAL as from the command line; options may then be changed in part. The old
 * list of settings is left alone. */
es_status es_plan_use(es_options *options, char *text, es_error *err);

/** Is it a plan that can be opened? The message is that of the command line. */
es_status es_plan_check(const char *text, es_error *err);

/** How the command line that estimates this pool begins: "embedscope", "estimate", POOL and all
 *  options of the open one that are not in the plan. Empty for a matrix from a file. */
es_status es_plan_begin(const es_cli *cli, es_words *out, es_error *err);

#endif
