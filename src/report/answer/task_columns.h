/* What is downstream, a column each: every task of scores.csv, then, where there are several, what
 * sums them up. Whoever says "mean" or "mean rank" of tasks takes it from here. */
#ifndef ES_REPORT_TASK_COLUMNS_H
#define ES_REPORT_TASK_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/status.h"
#include "io_scores.h"

/** Behind the tasks, where there are at least two.
 *
 *  "mean rank": the mean over tasks of the rank within each (1 = best, ties share the mean), kept
 *  with its sign turned; it puts tasks of different units on one scale.
 *  "mean": the mean of the scores themselves, the sign turned where lower is better.
 *
 *  Both are weighted as tasks.csv says, and of the embedders that have every task: the others get
 *  NaN, as what is over different tasks does not compare. A task on which all known scores are
 * equal compares nobody: it is none of them, unless all are so. */
enum { ES_TASK_MEAN_RANK, ES_TASK_MEAN, ES_TASK_SUMS };

size_t es_task_columns(const es_scores *scores);
const char *es_task_column_name(const es_scores *scores, size_t column);
/** The column of this name, a task before a sum; SIZE_MAX: there is none. */
size_t es_task_column_find(const es_scores *scores, const char *name);
/** True if lower is better; the columns then hold it with its sign turned. */
bool es_task_column_is_turned(const es_scores *scores, size_t column);

/** True if two known values of a column y (n) differ. */
bool es_task_column_tells(const double *y, size_t n);
/** Counts the tasks whose scores differ among the models at row (n; SIZE_MAX: none). */
size_t es_task_columns_telling(const es_scores *scores, const size_t *row, size_t n);
/** How many the sums are over: these, or all where none does. */
size_t es_task_columns_summed(const es_scores *scores, const size_t *row, size_t n);

/** y (columns, n), higher is better, of the models at row (n) of the scores (SIZE_MAX: none).
 *  *complete (NULL allowed): how many have every task. ES_ENOMEM. */
es_status es_task_columns_fill(const es_scores *scores, const size_t *row, size_t n, double *y,
                               size_t *complete, es_error *err);
/** The sums alone, from y's tasks, which stand in its first columns: the mean rank among those with
 *  a value in x (n; NULL: all). */
es_status es_task_columns_sum(const es_scores *scores, size_t n, const double *x, double *y,
                              size_t *complete, es_error *err);

#endif
