/* Shapes that tables of scores come in, and what scores.c shares with their readers. */
#ifndef ES_IO_SCORES_SHAPES_H
#define ES_IO_SCORES_SHAPES_H

#include "scores.h"
#include "table.h"

typedef enum es_scores_shape {
    ES_SCORES_MODEL_A_LINE, /* model, then a column a task */
    ES_SCORES_TASK_A_LINE,  /* task_name or task, then a column a model: MTEB's wide export */
    ES_SCORES_A_LINE /* model_name, task_name and score or main_score among the columns: its long
                        one */
} es_scores_shape;

/** By the header. */
es_scores_shape es_scores_shape_of(const es_table *table);

/** The table that MTEB's leaderboard lets download becomes one with a model a line: ranks, sizes
 * and means go, and links off the names. Another table stays as it is. */
void es_scores_plain_leaderboard(es_table *table);

/** Swap models and tasks; turned (tasks, models) from es_alloc becomes the values'. */
void es_scores_turn(es_scores *scores, double *turned);

/** Scores of a table with a score a line. run (or NULL) is asked: ES_ECANCELED. ES_EFORMAT naming
 * the line: an empty name, a model's task twice, text where a score should be. */
es_status es_scores_gather(const es_table *table, const es_run *run, es_scores *out, es_error *err);

/** A cell as a score: as es_table_number, with a decimal comma where cells are not parted by
 * commas; words for a missing one are NaN, infinities ES_EFORMAT. */
es_status es_scores_number(const es_table *table, size_t row, size_t column, double *out,
                           es_error *err);

#endif
