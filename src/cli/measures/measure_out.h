/* Measures as tables and documents. */
#ifndef ES_CLI_MEASURE_OUT_H
#define ES_CLI_MEASURE_OUT_H

#include "measure_choices.h"

/** The chosen measures in the format asked for: embedder measures side by side, best first by the
 *  first; pairwise ones a matrix each (several of them as csv: one line a pair). */
es_status es_measure_write(es_cli *cli, es_session *session, const es_choices *choices,
                           es_error *err);

/** The pairs (evalrank), queries (retmmd) or rows (knn-overlap, with --other) that the embedder of
 * --worst-of does worst on, with their texts; --top N of them. Usage error: another measure, an
 * unknown embedder. */
es_status es_measure_write_worst(es_cli *cli, es_session *session, const es_choices *choices,
                                 es_error *err);

/** The name that stands for es_measure_write_sets in `measure POOL NAME`. */
#define ES_DATASET_DISTANCE "dataset-distance"
/** How far the pool of --other lies from the first, to each embedder of that name in both. Usage
 *  errors: no --other, a setting that it does not have. ES_EEMPTY: no embedder in common. */
es_status es_measure_write_sets(es_cli *cli, es_error *err);

/** What there is to measure. session NULL: without a word on data and store. `only` NULL: all;
 *  otherwise that measure with its fields and settings. */
es_status es_measure_list(es_cli *cli, es_session *session, const char *only, es_error *err);

#endif
