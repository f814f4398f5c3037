/* Documents of tasks. */
#ifndef ES_CLI_TASKS_H
#define ES_CLI_TASKS_H

#include "cli_measures.h"

/* `agree --by-task`: every score against every task. */

/** Writes the table of `scores`, which stand on `session`; with --runs the measures are computed
 *  with further seeds. ES_ENOTFOUND: there are no downstream scores. */
es_status es_agree_by_task(es_cli *cli, es_session *session, const char *names,
                           const es_agree_scores *scores, es_error *err);

/* The ranking combined with tasks that a user has, as a document. */

/** `rank --tasks GLOB[,GLOB]`. A glob that no task matches is a usage error; ES_ENOTFOUND: there
 * are no downstream scores. */
es_status es_with_tasks_write(es_cli *cli, es_session *session, es_output_format format,
                              es_error *err);

#endif
