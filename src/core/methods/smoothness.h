/* Do neighbours in an embedder agree in what people said about them? (Equation 26 of Darrin et al.,
 * NeurIPS 2024.) */
#ifndef EMBEDSCOPE_SMOOTHNESS_H
#define EMBEDSCOPE_SMOOTHNESS_H

#include "matrix.h"
#include "run.h"
#include "stats.h"
#include "task.h"

enum { ES_SMOOTH_SIZES = 4 };
extern const size_t ES_SMOOTH_K[ES_SMOOTH_SIZES]; /* 1, 2, 4, 8 neighbours */

typedef struct es_smoothness {
    size_t labelled; /* rows with a label; neighbours are searched among these only */
    /* by number of neighbours; undefined ("too few rows") when labelled <= k */
    es_stat loss[ES_SMOOTH_SIZES];  /* mean squared difference to a neighbour, lower is better; for
                                       classes, one-hot, twice the share that disagrees */
    es_stat skill[ES_SMOOTH_SIZES]; /* 1 - loss / baseline: 0 chance, 1 perfect; undefined
                                       ("constant") when all labels are equal */
    double baseline;                /* mean squared difference of any two rows */
    size_t singletons;              /* classes with one member */
    size_t by_number; /* labelled rows of which another is as far as the last neighbour looked at,
                         at the number of neighbours where they are most */
} es_smoothness;

/** Loss and skill of one task. Numbers are taken as they are: z-score them to compare tasks by
 * loss; skill does not change. Neighbours at the same distance go by row number. ES_EINVAL: the
 * task does not have the matrix's rows. ES_EEMPTY: fewer than 2 labels. */
es_status es_smoothness_of(const es_matrix *m, const es_task *task, es_metric metric,
                           const es_run *run, es_smoothness *out, es_error *err);

#endif
