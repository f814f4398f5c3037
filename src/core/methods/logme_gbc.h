/* Two scores of classes from the vectors alone, as published rivals of RetMMD. */
#ifndef EMBEDSCOPE_LOGME_GBC_H
#define EMBEDSCOPE_LOGME_GBC_H

#include "matrix.h"
#include "run.h"
#include "smoothness.h"

/** What LogME finds for one class, or for the numbers. */
typedef struct es_logme_output {
    double evidence, published;
    unsigned steps; /* of the fixed point, at most 11 */
} es_logme_output;

typedef struct es_logme {
    double value;     /* mean evidence over outputs */
    double published; /* the same without the term of the directions without data */
    size_t rank, columns;
    size_t outputs; /* classes, or 1 */
} es_logme;

/** LogME: log evidence of a Bayesian linear regression a labelled row, mean over classes (one
 * against the rest) or of the number itself (You et al., ICML 2021), by their fixed point: at most
 * 11 steps, until alpha / beta moves by 1e-3. The term of the directions without data, which the
 * published fixed point leaves out when columns are more than the rank, is in. Higher is better;
 * for numbers the value depends on their scale, so z-score them. Rows are taken as they are. each
 * (outputs, by class number) or NULL. ES_EEMPTY: fewer than 2 labels. ES_EINVAL: rows of labels and
 * matrix differ, fewer than two classes. */
es_status es_logme_of(const es_matrix *m, const es_task *task, const es_run *run, es_logme *out,
                      es_logme_output *each, es_error *err);

typedef struct es_gbc {
    double diagonal, spherical; /* minus the sum over ordered pairs of classes of exp(-D_B), D_B the
                                   Bhattacharyya distance of Gaussians; 0 is best */
    double published; /* spherical with the term of the variances counted once, as the published
                         program does */
    double floored; /* share of variances (diagonal) below 1e-4, that are taken for 1e-4: above 0.1
                       the vectors are too small for this floor */
    size_t axes;    /* after the PCA to at most 64 */
} es_gbc;

/** Gaussian Bhattacharyya coefficient of classes (Pandy et al., CVPR 2022), with each class's mean
 * and population variances. Spherical: one variance a class, in all dimensions; the published
 * program counts it once. Errors as es_logme_of, and ES_EINVAL for a task of numbers. */
es_status es_gbc_of(const es_matrix *m, const es_task *task, const es_run *run, es_gbc *out,
                    es_error *err);

#endif
