/* What is behind a measure's numbers for one embedder: pairs and queries one by one, computed with
 * the settings of the measure. */
#ifndef EMBEDSCOPE_MEASURE_DETAIL_H
#define EMBEDSCOPE_MEASURE_DETAIL_H

#include "evalrank.h"
#include "measure.h"
#include "retmmd.h"
#include "retrieval.h"

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

#endif
