/* Every measure of a pool side by side: columns of embedders, what is downstream, and how they
 * agree. */
#ifndef ES_CLI_AGREE_CLI_H
#define ES_CLI_AGREE_CLI_H

#include <stddef.h>

#include "measure_choices.h"

#include "agree.h"
#include "scores.h"

typedef struct es_agree_scores {
    char **name;        /* (k) "is", "evalrank", ..., "dimension" */
    char **about;       /* (k) a few words */
    double *column;     /* (k, n) higher is better; NaN: none */
    bool *negated;      /* (k) lower was better */
    size_t k, n;        /* columns; embedders, in the order of the session's results */
    double *downstream; /* (n) mean over tasks, or the one task; NULL: no scores */
    size_t scored;      /* embedders with a downstream value */
    char *task;         /* "mean of 15 tasks", or a task */
    bool *control;      /* (n) of the family "control" of pool.json: noise, shuffled rows */
    size_t controls;
    es_agreement *agreement;
} es_agree_scores;

/** Whether column k puts every control behind all other embedders; false without controls. */
bool es_agree_scores_controls_last(const es_agree_scores *standing, size_t k);

/** Notes embedders that hold the same values, which count more than once.
 *
 * The columns of information sufficiency where it is stored, of the choices, of the dimension and
 * of models.csv; scores of --scores or of the pool, --against TASK or the mean of all. */
es_status es_agree_scores_new(es_cli *cli, es_session *session, const es_choices *choices,
                              es_agree_scores *out, es_error *err);
void es_agree_scores_deinit(es_agree_scores *standing); /* all zero bytes is allowed */

/* Every two columns are compared over a thousand resamples, so a file may not bring any number. */
enum { ES_STANDING_MODELS = 64 };

/** A column for each of a file of numbers known about embedders, models.csv; NaN for embedders that
 *  it does not name. es_scores_read's errors; ES_EINVAL for more than ES_STANDING_MODELS. */
es_status es_agree_scores_add_models(const char *path, const es_results *names,
                                     es_agree_scores *standing, es_error *err);

#endif
