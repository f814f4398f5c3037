/* `estimate` with a sample of rows that grows until the ranking has settled. */
#ifndef ES_CLI_GROW_H
#define ES_CLI_GROW_H

#include "command.h"

#include "session.h"

/** Opens the pool and estimates the whole plan, as es_cli_open and es_estimate_all do. Where the
 *  choice of rows is left open, the plan's first estimator is run on samples that double, each with
 * a note, until the ranking has settled or --budget is up; then the plan on the last of them. */
es_status es_estimate_pool(es_cli *cli, es_session **out, es_error *err);

#endif
