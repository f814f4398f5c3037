/* scores.csv: what downstream tasks say about the models. First column the model's name, then one
 * column a task; the first row is a header; an empty cell is a missing score. */
#ifndef EMBEDSCOPE_SCORES_H
#define EMBEDSCOPE_SCORES_H

#include <stddef.h>

#include "embedscope/status.h"

typedef struct es_scores {
    size_t models, tasks; /* both at least 1 */
    char **model;         /* (models) cleaned names, unique, in the file's order */
    char **task;          /* (tasks) cleaned names, unique */
    double *value;        /* (models, tasks) row-major; NaN = missing, never infinite */
} es_scores;

/** Read a file. ES_EFORMAT, naming the line: no header, no task column, no models, a model or task
 *  twice (both places), an empty name, text where a score should be; es_table_read's errors. */
es_status es_scores_read(const char *path, unsigned flags, es_scores *out, es_error *err);
void es_scores_deinit(es_scores *scores); /* all zero bytes is allowed */

#endif
