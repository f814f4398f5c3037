/* How the tasks of a table of scores order the models: each against the mean of the others, or
 * against one task; and the tree of tasks. */
#ifndef ES_REPORT_BOARD_TASKS_H
#define ES_REPORT_BOARD_TASKS_H

#include <stddef.h>
#include <stdint.h>

#include "core_structure.h"
#include "leaderboard.h"

typedef struct es_board_task {
    size_t models;         /* with both values */
    double rho, low, high; /* Spearman with Fisher's 95 % interval; NaN: undefined, or of few */
} es_board_task;

typedef struct es_board_tasks {
    const es_leaderboard *board; /* borrowed */
    size_t against;              /* position of a task; SIZE_MAX: the mean of the others */
    es_board_task *task;         /* (board->board->tasks) that of `against` itself is NaN */
    uint32_t *order;             /* (tasks) highest rho first, unknown ones last */
    size_t known;                /* with a rho */
} es_board_tasks;

/** Correlates each task with the mean share of other models that a model beats in the other tasks
 *  that it has, or with task `against`. ES_EEMPTY: there is one task. ES_ENOMEM, ES_ECANCELED.
 *  O(tasks m log m). */
es_status es_board_tasks_new(const es_leaderboard *board, size_t against, const es_run *run,
                             es_board_tasks **out, es_error *err);
void es_board_tasks_free(es_board_tasks *tasks); /* NULL is allowed */
/** Writes which tasks order the models most and least alike. */
void es_board_tasks_put(const es_board_tasks *tasks, es_buf *out);

typedef struct es_board_tree {
    const es_leaderboard *board; /* borrowed */
    es_linkage_method method;
    es_linkage *linkage; /* of the tasks; heights are 1 - Spearman (ward, median: of its kind) */
    double *rho;         /* (tasks, tasks) Spearman over the models that both have; NaN */
} es_board_tree;

/** Clusters the tasks by 1 - Spearman. ES_EEMPTY: there is one task. ES_ENOMEM, ES_ECANCELED.
 *  O(tasks^2 m log m + tasks^3). */
es_status es_board_tree_new(const es_leaderboard *board, es_linkage_method method,
                            const es_run *run, es_board_tree **out, es_error *err);
void es_board_tree_free(es_board_tree *tree); /* NULL is allowed */
/** Returns the other task that orders the models most like this one; SIZE_MAX: none is known. */
size_t es_board_tree_nearest(const es_board_tree *tree, size_t task);
/** Returns the height at which a task is first joined with another. */
double es_board_tree_joined(const es_board_tree *tree, size_t task);
/** Writes which two tasks are most alike, and which task stands most alone. */
void es_board_tree_put(const es_board_tree *tree, es_buf *out);

#endif
