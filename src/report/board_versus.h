/* Two models of a table of scores, paired over the tasks that both have. */
#ifndef ES_REPORT_BOARD_VERSUS_H
#define ES_REPORT_BOARD_VERSUS_H

#include <stddef.h>
#include <stdint.h>

#include "leaderboard.h"

typedef struct es_board_versus {
    const es_leaderboard *board; /* borrowed */
    size_t model[2];
    es_board_pair pair;    /* of the first less the second, in scores or in percentiles */
    size_t wins[2], equal; /* tasks in which each is higher, and in which both are equal */
    double *difference;    /* (board->board->tasks) NaN: one has no score */
    uint32_t *order;       /* (tasks) from the largest lead of the first to that of the second,
                              unknown ones last */
} es_board_versus;

/** a, b: positions on the board. ES_EEMPTY: they have no task in common. ES_ENOMEM. O(tasks). */
es_status es_board_versus_new(const es_leaderboard *board, size_t a, size_t b,
                              es_board_versus **out, es_error *err);
void es_board_versus_free(es_board_versus *versus); /* NULL is allowed */
/** Writes who leads, by how much, in how many tasks, and what the whole board shows of the two. */
void es_board_versus_put(const es_board_versus *versus, es_buf *out);

#endif
