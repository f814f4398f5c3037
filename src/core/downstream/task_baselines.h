/* What labelled tasks say of another task, each task left out in turn: the baselines that a ranking
 * without labels is measured by. */
#ifndef ES_CORE_TASK_BASELINES_H
#define ES_CORE_TASK_BASELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

/** All other tasks, and one, two and four of them, each alone and combined with the ranking. */
enum { ES_TASK_BASELINES = 8 };

typedef struct es_task_baseline {
    char name[32];   /* "leaderboard", "2 tasks + ranking" */
    size_t tasks;    /* labelled tasks that it takes */
    bool combined;   /* with the ranking, which counts as ES_COMBINE_TASKS tasks (worth.h) */
    double spearman; /* mean over the tasks left out; NaN: undefined of all */
} es_task_baseline;

/** Fills out (ES_TASK_BASELINES) and returns in *count how many there are: 0 of fewer than two
 * tasks; k tasks only if that is not all of the others; combined ones only with a score. score (n)
 * or NULL; task (tasks, n): higher is better, NaN missing. Tasks alone are the mean of the ranks
 * within each task, combined ones the mean of normal scores. Of the choices of k tasks all are
 * taken or, of many, up to 50 drawn by the seed; of more than ES_WORTH_TASKS tasks as many, evenly
 * spread. O(tasks (2000 + tasks) n log n). ES_ENOMEM. */
es_status es_task_baselines_of(const double *score, const double *task, size_t tasks, size_t n,
                               uint64_t seed, es_task_baseline *out, size_t *count, es_error *err);

#endif
