/* Shapes that tables of scores come in, and what scores.c shares with their readers. */
#ifndef ES_IO_SCORES_SHAPES_H
#define ES_IO_SCORES_SHAPES_H

#include "score_cells.h"
#include "scores.h"
#include "scores_columns.h"
#include "table.h"

typedef enum es_scores_shape {
    ES_SCORES_MODEL_A_LINE, /* a column of models, then a column a task */
    ES_SCORES_TASK_A_LINE,  /* a column of tasks, then a column a model: MTEB's wide export */
    ES_SCORES_A_LINE        /* columns of models, of tasks and of scores: MTEB's long export */
} es_scores_shape;

typedef struct es_scores_layout {
    es_scores_shape shape;
    size_t model, task, value; /* columns, as far as the shape has them */
} es_scores_layout;

/** By the header, by the names of the embedders (n, which may be 0) and by which columns hold
 *  numbers. O(cells n) at most. */
es_scores_layout es_scores_layout_of(const es_table *table, const char *const *embedder, size_t n);

/** Swap models and tasks; turned (tasks, models) from es_alloc becomes the values'. */
void es_scores_turn(es_scores *scores, double *turned);

/** Scores of a table with a score a line. run (or NULL) is asked: ES_ECANCELED. Text is NaN in
 * facts about models (scores_columns.h); the first such cell goes to `text`. ES_EFORMAT naming the
 * line: an empty name, a model's task twice, text where a score should be. */
es_status es_scores_gather(const es_table *table, const es_scores_layout *layout, const es_run *run,
                           es_score_cells *seen, es_score_text *text, es_scores *out,
                           es_error *err);

#endif
