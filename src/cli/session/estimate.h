/* Estimating in the foreground, for `estimate` and `embedscope --start` without a terminal. */
#ifndef ES_CLI_ESTIMATE_H
#define ES_CLI_ESTIMATE_H

#include "command.h"

#include "session.h"

/** Start, wait with progress, and report what was excluded and what failed on stderr. Sets
 *  cli->exit_code to 1 when pairs failed. */
es_status es_estimate_all(es_cli *cli, es_session *session, es_error *err);

#endif
