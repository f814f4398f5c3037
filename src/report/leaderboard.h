/* What a table of scores settles (core_downstream.h), and its sentences. */
#ifndef ES_REPORT_LEADERBOARD_H
#define ES_REPORT_LEADERBOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core_downstream.h"
#include "base.h"
#include "io_scores.h"

/** Arrays are by position in the board, which leaves out models that do not count or lack every
 * score, and columns that are called a mean beside five others or more. */
typedef struct es_leaderboard {
    const es_scores *scores; /* borrowed */
    es_board *board;
    size_t *row;           /* (board->m) of the scores */
    size_t *task;          /* (board->tasks) of the scores */
    const char **category; /* (board->tasks) borrowed; NULL: not known */
    uint32_t *number;      /* (board->tasks) equal for tasks of one category; a task without
                              one has its own */
    size_t categories;     /* that are known */
    double *value;    /* (board->m, board->tasks) what is compared: scores or percentiles, higher is
                         better; NaN: missing */
    bool percentiles; /* values are percentiles (es_downstream_percentile), since lower is
                         better in some task */
    uint32_t *group;  /* (board->m) from 1: the next begins with the first model that the
                         first of a group is shown ahead of; 0: not ranked, or nothing can
                         be said */
    size_t candidates, ranked; /* in the set; with a rank */
    size_t separated;          /* adjacent ranks of which one is shown ahead */
    size_t sparse;             /* models with fewer than half of the tasks */
} es_leaderboard;

/** Returns ES_EEMPTY unless two of the models that count have a score. */
es_status es_leaderboard_check(const es_scores *scores, const bool *counts, es_error *err);
/** counts (scores->models): models that take part; NULL: all. Errors of es_leaderboard_check
 *  and es_board_new. */
es_status es_leaderboard_new(const es_scores *scores, const bool *counts, uint64_t seed,
                             const es_run *run, es_leaderboard **out, es_error *err);
/** The same without the pool's controls: they are no models that one would take. pool NULL: all
 * take part. */
es_status es_leaderboard_of_pool(const es_pool *pool, const es_scores *scores, uint64_t seed,
                                 const es_run *run, es_leaderboard **out, es_error *err);
void es_leaderboard_free(es_leaderboard *board); /* NULL is allowed */

const char *es_leaderboard_name(const es_leaderboard *board, size_t model);
const char *es_leaderboard_task(const es_leaderboard *board, size_t task);
/** Returns the position of a model; SIZE_MAX: it is not on the board. */
size_t es_leaderboard_find(const es_leaderboard *board, const char *model);
/** The same of a task, by es_scores_find_task. ES_ENOMEM. */
es_status es_leaderboard_find_task(const es_leaderboard *board, const char *task, size_t *out,
                                   es_error *err);
/** Returns the board as core compares it, without a seed; arrays are borrowed. */
es_board_problem es_leaderboard_problem(const es_leaderboard *board);
/** The candidates that are worth trying: the first so many of the order that are in the set. */
size_t es_leaderboard_advised(const es_leaderboard *board);
/** "kinds": more tasks of other kinds would narrow the set; NULL: it is one model, or unknown. */
const char *es_leaderboard_settled_by(const es_leaderboard *board);
/** The answer: first, candidates, advice, what would narrow it, what it is of. */
void es_leaderboard_put(const es_leaderboard *board, es_buf *out);

#endif
