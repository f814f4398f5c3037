/* A ranking by some of the rows, and how it will agree with the ranking by all of them. */
#ifndef ES_CORE_GROWTH_H
#define ES_CORE_GROWTH_H

#include <stddef.h>
#include <stdint.h>

#include "run.h"

#include "embedscope/status.h"

typedef struct es_growth_problem {
    const double *score;  /* (m) by these rows; NaN: none, left out */
    const double *before; /* (m) by half of these rows; NULL: not known */
    const double *var;    /* (m, m) variance of the difference of two scores over the evaluated rows
                             (es_decision.var_rows); NULL or NaN: not known */
    size_t m, rows, of;   /* these rows, of so many */
    uint64_t seed;
} es_growth_problem;

/* Kendall's tau-a, of a ranking with itself 1. NaN: not known. */
typedef struct es_growth {
    double since;     /* with the ranking by half of these rows */
    double expected;  /* with the ranking by all rows */
    double low, high; /* that agreement's interval, at ES_GROWTH_LEVEL */
} es_growth;

#define ES_GROWTH_LEVEL 0.9

/** What is still to come is about as large as what came last: both the error of a mean over n rows
 *  and what an estimator still lacks by having seen n rows only shrink like a power of n, so that
 *  the step from n/2 rows to n says how large the one from n to all is. Each score is moved by a
 *  normal error whose variance is the larger one of
 *  - its own squared step and the mean squared step of all, half and half, times 1 - rows/of,
 *  - its variance over the evaluated rows times 1 + rows/of: other rows are held out then;
 *  steps are taken from their median, which moves no ranks. 400 draws, seeded. Without `before`
 *  nothing is expected unless these are all rows: then all is 1. ES_ENOMEM, ES_ECANCELED. Checked
 * on the sample pools by tests/calibrate. */
es_status es_growth_judge(const es_growth_problem *problem, const es_run *run, es_growth *out,
                          es_error *err);

#endif
