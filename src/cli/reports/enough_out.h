/* How many embedders are enough: to trust the ranking, and to cover the pool. */
#ifndef ES_CLI_ENOUGH_OUT_H
#define ES_CLI_ENOUGH_OUT_H

#include <stddef.h>

#include "command.h"

#include "session.h"

/** `rank --curve`: the ranking by fewer targets. An unknown --against TASK is a usage error. */
es_status es_curve_write(es_cli *cli, es_session *session, es_output_format format, es_error *err);

/** `rank --coverage SHARE`: a small set of embedders that covers all. An estimator of errors is
 *  refused (exit code 2). */
es_status es_coverage_write(es_cli *cli, es_session *session, es_output_format format,
                            es_error *err);

#endif
