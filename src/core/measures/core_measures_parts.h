/* What the files of measures share. */
#ifndef ES_CORE_MEASURES_PARTS_H
#define ES_CORE_MEASURES_PARTS_H

#include "core_measures.h"

/* What is behind a measure's numbers for one embedder: pairs and queries one by one, computed with
 * the settings of the measure. */

/** The ranks that "evalrank" sums up; values are in the order of its settings. Release with
 *  es_evalrank_free. */
es_status es_evalrank_detail(const es_matrix *m, const es_measure_data *data, const double *values,
                             es_metric metric, const es_run *run, es_evalrank *out, es_error *err);

/** The queries of the first draw that "retmmd" sums up. Release with es_retmmd_free. */
es_status es_retmmd_detail(const es_matrix *m, const es_measure_data *data, const double *values,
                           const es_run *run, es_retmmd *out, es_error *err);

/** The queries that "retrieval" sums up. Release with es_retrieval_free. */
es_status es_retrieval_detail(const es_matrix *m, const es_measure_data *data, const double *values,
                              const es_run *run, es_retrieval *out, es_error *err);

/* What is done to the vectors before pairs of rows are measured, as two settings that come first
 * among a measure's. */

/* The settings "preprocess" and "axes". */
#define ES_PREPROCESS_SETTINGS                                                                     \
    {.key = "preprocess",                                                                          \
     .help = "what is done to the vectors first",                                                  \
     .value = 1,                                                                                   \
     .choices = es_preprocess_names},                                                              \
    {                                                                                              \
        .key = "axes",                                                                             \
        .help = "of abtt and pcr: directions taken out (auto: 2); of whiten: kept (auto: all)",    \
        .value = NAN, .low = 1, .high = 100000, .whole = true, .automatic = true                   \
    }
extern const char *const es_preprocess_names[];
/** `values` begins with the two settings above. */
es_status es_preprocess(const es_matrix *m, const double *values, es_matrix *out, es_error *err);
/** Returns a warning if preprocessing leaves little of m; NULL: none. */
const char *es_preprocess_warning(const es_matrix *m, const double *values);

#endif
