/* Queries of a pool for distances of data sets. */
#ifndef ES_CLI_MEASURE_QUERIES_H
#define ES_CLI_MEASURE_QUERIES_H

#include "command.h"

#include "annotations.h"
#include "session.h"

typedef struct es_measure_queries {
    es_annotations *evidence;
    es_measure_data data;
    const char *task; /* label column that they come from; NULL: none */
} es_measure_queries;
void es_measure_queries_deinit(es_measure_queries *queries); /* all zero bytes is allowed */

/** One setting "key=value" of queries into settings (ES_ANNOTATIONS_SETTINGS). ES_ENOTFOUND: it is
 *  none of theirs; ES_EINVAL. */
es_status es_measure_queries_set(const char *assignment, double *settings, es_error *err);
/** The defaults, and all that --set says; what is not of queries is a usage error. */
es_status es_measure_queries_settings(es_cli *cli, double *settings, es_error *err);

/** The queries of a pool, called `name`: of --task, else of its first label column, with a note.
 *  ES_ENOTFOUND: it has none; a column that is not there is a usage error. */
es_status es_measure_queries_take(es_cli *cli, es_session *session, const char *name,
                                  const double *settings, es_measure_queries *out, es_error *err);

#endif
