/* `agree --by-task`: every score against every task. */
#ifndef ES_CLI_AGREE_TASKS_H
#define ES_CLI_AGREE_TASKS_H

#include "agree_scores.h"
#include "measure_choices.h"

/** Writes the table of `scores`, which stand on `session`; with --runs the measures are computed
 *  with further seeds. ES_ENOTFOUND: there are no downstream scores. */
es_status es_agree_by_task(es_cli *cli, es_session *session, const char *names,
                           const es_agree_scores *scores, es_error *err);

#endif
