/* scores.csv: what downstream tasks say about the models. First column the model's name, then one
 * column a task; the first row is a header; an empty cell is a missing score. A task whose name
 * ends in "↓" or "(lower)" is an error or a cost: lower is better. */
#ifndef EMBEDSCOPE_SCORES_H
#define EMBEDSCOPE_SCORES_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/status.h"

typedef struct es_scores {
    size_t models, tasks; /* both at least 1 */
    char **model;         /* (models) cleaned names, unique, in the file's order */
    char **task;          /* (tasks) cleaned names, unique, as written: "rmse ↓" */
    double *value;        /* (models, tasks) row-major; NaN = missing, never infinite */
} es_scores;

/** Does a task's name say that lower is better? */
bool es_score_is_lower_better(const char *task);
/** The row of a model; SIZE_MAX: it is not in the scores. */
size_t es_scores_find(const es_scores *scores, const char *model);
/** A score turned so that higher is better. */
double es_score_turned(const es_scores *scores, size_t model, size_t task);

/** Read a file. ES_EFORMAT, naming the line: no header, no task column, no models, a model or task
 *  twice (both places), an empty name, text where a score should be; es_table_read's errors. */
es_status es_scores_read(const char *path, unsigned flags, es_scores *out, es_error *err);
void es_scores_deinit(es_scores *scores); /* all zero bytes is allowed */

#endif
