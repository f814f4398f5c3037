/* What a ranking adds to labelled tasks: how many tasks it is worth, and a ranking by both. */
#ifndef ES_CORE_WORTH_H
#define ES_CORE_WORTH_H

#include <stddef.h>

#include "embedscope/status.h"

/** The ranking counts as this many tasks in a combination. */
#define ES_COMBINE_TASKS 2.0
/** Of more tasks than this many, as many are taken, evenly spread. */
enum { ES_WORTH_TASKS = 100 };

typedef struct es_worth {
    double with_task, between; /* mean Spearman of the score with a task, and between two tasks */
    double tasks; /* labelled tasks that predict another task as well as the score does: 0 if
                     with_task <= 0, INFINITY if all other tasks together do not, NaN: not known */
} es_worth;

/** Computes q^2 (1 - c) / (c (c - q^2)), where q is with_task and c is between: the mean of k tasks
 *  reaches a correlation of k c / sqrt(k + k (k - 1) c) with another task. Everything is NaN if no
 *  task or no two tasks have a correlation, and the worth if fewer than seven embedders have the
 *  score and a task. score (n), task (tasks, n): higher is better, NaN
 *  missing; a pair of columns is correlated over the embedders with both values.
 *  O(tasks^2 n log n). ES_ENOMEM. */
es_status es_worth_of(const double *score, const double *task, size_t tasks, size_t n,
                      es_worth *out, es_error *err);

/** Computes with_task alone; NaN if it is undefined. O(tasks n log n). ES_ENOMEM. */
es_status es_worth_with_task(const double *score, const double *task, size_t tasks, size_t n,
                             double *out, es_error *err);

/** Normal scores of v (n), NaN missing: the standard normal quantile of (mid-rank - 1/2) / known.
 *  ES_ENOMEM. */
es_status es_normal_scores(const double *v, size_t n, double *out, es_error *err);
/** out (n): mean of the normal scores of the tasks (tasks, n), a missing value counting as 0, and
 * of `weight` times those of score (n); score NULL: of the tasks alone. NaN if the embedder has no
 *  score. Higher is better. ES_ENOMEM. */
es_status es_combine_tasks(const double *score, double weight, const double *task, size_t tasks,
                           size_t n, double *out, es_error *err);

#endif
