/* The labelled rows of a task: what several measures start from. */
#ifndef ES_CORE_LABELLED_H
#define ES_CORE_LABELLED_H

#include <stdbool.h>

#include "matrix.h"
#include "task.h"

typedef struct es_labelled {
    es_matrix x;     /* the rows that have a label */
    double *label;   /* (x.n) */
    double *classes; /* (n_classes) the different labels, ascending; for classes only */
    size_t n_classes;
} es_labelled;

/** ES_EINVAL: the task does not have m's rows, or only one class. ES_EEMPTY: fewer than 2 labels.
 */
es_status es_labelled_new(const es_matrix *m, const es_task *task, es_labelled *out, es_error *err);
/** Are all finite ones the same number? By the bits: a sum of squares around the mean is not 0. */
bool es_labels_equal(const double *label, size_t n);
void es_labelled_free(es_labelled *labelled);

#endif
