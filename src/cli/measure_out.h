/* Measures as tables and documents. */
#ifndef ES_CLI_MEASURE_OUT_H
#define ES_CLI_MEASURE_OUT_H

#include "measure_cli.h"

/** The chosen measures in the format asked for: embedder measures side by side, best first by the
 *  first; pairwise ones a matrix each (several of them as csv: one line a pair). */
es_status es_measure_write(const es_cli *cli, es_session *session, const es_choices *choices,
                           es_error *err);

/** The pairs (evalrank) or queries (retmmd) that the embedder of --worst-of does worst on, with
 * their texts; --top N of them. Usage error: another measure, an unknown embedder. */
es_status es_measure_write_worst(es_cli *cli, es_session *session, const es_choices *choices,
                                 es_error *err);

/** What there is to measure. session NULL: without a word on data and store. `only` NULL: all;
 *  otherwise that measure with its fields and settings. */
es_status es_measure_list(es_cli *cli, es_session *session, const char *only, es_error *err);

#endif
