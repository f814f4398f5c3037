/* The ranking combined with tasks that a user has, as a document. */
#ifndef ES_CLI_WITH_TASKS_OUT_H
#define ES_CLI_WITH_TASKS_OUT_H

#include "command.h"
#include "session.h"

/** `rank --tasks GLOB[,GLOB]`. A glob that no task matches is a usage error; ES_ENOTFOUND: there
 * are no downstream scores. */
es_status es_with_tasks_write(es_cli *cli, es_session *session, es_output_format format,
                              es_error *err);

#endif
