/* Columns of a table of scores that are no tasks: facts about models, and sums of other columns. */
#ifndef ES_IO_SCORES_COLUMNS_H
#define ES_IO_SCORES_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "score_cells.h"
#include "scores.h"
#include "table.h"

/** Texts in columns that are facts by their names. All zero bytes: there are none. */
typedef struct es_score_text {
    bool facts; /* all columns are facts, whatever they are called (models.csv) */
    size_t count;
    es_error why; /* of the first, for when the column turns out to be a task */
} es_score_text;

/** es_score_cells_number for the column `name`; text is NaN in a column that is a fact by its name,
 *  and counted in `text`. */
es_status es_scores_cell(const es_table *table, size_t row, size_t column, const char *name,
                         double *out, bool *percent, es_score_cells *seen, es_score_text *text,
                         es_error *err);

/** Moves facts about models to `fact`, drops sums of other columns, and reports both in the remark.
 *
 *  A fact is one by its name: a size, a memory, dimensions, tokens, a year, a speed, a licence. A
 * sum is the mean, the sum or the rank of others within rounding over at least four models; or it
 * is called a rank, a mean with brackets as in "Average (56 datasets)", or a mean beside facts. A
 * name that says which way is better is a task. Without any task sums are tasks, and without sums
 * all columns are; the error of `text` then, if it counts any. ES_ENOMEM. O(models tasks) per
 * round, and per column that is called a mean.
 */
es_status es_scores_part_facts(es_scores *scores, const es_score_text *text, es_error *err);

/** Notes tasks that errors and costs are called, as RMSE and perplexity, if nothing says which way
 * is better. After tasks.csv. ES_ENOMEM. */
es_status es_scores_remark_lower(es_scores *scores, es_error *err);

#endif
