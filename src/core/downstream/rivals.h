/* Rivals that are scored in several settings (a task with a classifier), as papers on training
 * objectives sum them up: the mean z-score and the mean rank of the accuracy, and how accuracy goes
 * with a number that was varied, such as the size of a batch. */
#ifndef ES_CORE_RIVALS_H
#define ES_CORE_RIVALS_H

#include <stddef.h>

#include "embedscope/status.h"

/** score (settings, rivals), higher is better, NaN missing. z (settings, rivals): score less the
 *  mean of its setting over the standard deviation (divisor n - 1), NaN where that is 0 or the
 *  score is missing. mean_z, mean_rank (rivals): over the settings that are known; rank 1 is the
 *  best, ties share. NaN: none is. ES_ENOMEM. */
es_status es_rivals_summarise(const double *score, size_t settings, size_t rivals, double *z,
                              double *mean_z, double *mean_rank, es_error *err);

/** Of z on x over rivals, one slope a setting. */
typedef struct es_rivals_slope {
    size_t settings;        /* in which two different x are known */
    double mean, low, high; /* 95 % interval of the mean, by Student's t */
    double t, p;            /* that the mean is 0, two-sided; df is settings - 1 */
} es_rivals_slope;

/** Least squares for each setting over the rivals listed (count) with x (count): z (settings, of).
 *  Everything that takes more settings than there are is NaN. A large p is no proof that x does not
 *  matter: that is what the interval says. */
es_rivals_slope es_rivals_slope_of(const double *z, size_t settings, size_t of, const size_t *rival,
                                   const double *x, size_t count);

#endif
