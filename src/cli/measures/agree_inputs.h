/* What `agree` sets side by side. */
#ifndef ES_CLI_AGREE_INPUTS_H
#define ES_CLI_AGREE_INPUTS_H

#include "agree_scores.h"
#include "measure_choices.h"
#include "label_free.h"

/** The columns of information sufficiency where it is stored, of the choices, of the dimension and
 *  of models.csv, without downstream and not settled. Notes embedders that hold the same values,
 *  which count more than once. */
es_status es_agree_columns(es_cli *cli, es_session *session, const es_choices *choices,
                           es_agree_scores *out, es_error *err);
/** The same with downstream: scores of --scores or of the pool, --against TASK or the mean of all;
 *  settled. */
es_status es_agree_inputs(es_cli *cli, es_session *session, const es_choices *choices,
                          es_agree_scores *out, es_error *err);

/** What is downstream of columns that are there: scores of --scores or of the pool, --against TASK
 *  or the mean of all; nothing where there are none. Not settled. */
es_status es_agree_downstream(es_cli *cli, es_session *session, es_agree_scores *scores,
                              es_error *err);

/** The choices alone, every field that ranks where none was named, against downstream; settled,
 *  without intervals of the columns among each other. */
es_status es_agree_fields(es_cli *cli, es_session *session, const es_choices *choices,
                          es_agree_scores *out, es_error *err);

/** The columns of `rivals`: the dimension, the predictive score, the published one by every
 * estimator that is stored, every field of the choices that ranks, models.csv; settled against the
 * scores. */
es_status es_rivals_inputs(es_cli *cli, es_session *session, const es_choices *choices,
                           const es_scores *scores, es_label_free *out, es_error *err);
/** es_cli_scores; ES_ENOTFOUND: there are none, which is told before anything is computed. */
es_status es_rivals_scores(es_cli *cli, es_session *session, es_scores *own, const es_scores **out,
                           es_error *err);

/* Every two columns are compared over a thousand resamples, so a file may not bring any number. */
enum { ES_AGREE_MODELS = 64 };

/** A column for each of a file of numbers known about embedders, models.csv; NaN for embedders that
 *  it does not name. es_scores_read's errors; ES_EINVAL for more than ES_AGREE_MODELS. */
es_status es_agree_read_models(const char *path, const es_results *names, es_agree_scores *out,
                               es_error *err);

#endif
