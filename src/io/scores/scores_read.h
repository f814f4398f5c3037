/* Reading downstream scores in all the shapes that they come in (scores.h, mteb.h). */
#ifndef ES_IO_SCORES_READ_H
#define ES_IO_SCORES_READ_H

#include <stdbool.h>

#include "run.h"
#include "scores.h"

/** Read a file, or a folder of MTEB's results. A table has a column of models in any place, or is
 * transposed, or has a score a line; an index, facts about models and sums of other columns are no
 * tasks (scores_columns.h). ES_EFORMAT, naming the line: no header, no task
 * column, no models, a model or task twice (both places), an empty name, text where a score should
 * be; es_table_read's errors. run (or NULL) is told how far, and asked: ES_ECANCELED. */
es_status es_scores_read(const char *path, unsigned flags, es_run *run, es_scores *out,
                         es_error *err);

/** Whose scores are read. */
typedef struct es_scores_for {
    const char *const *embedder; /* (n) names */
    size_t n;
    bool facts; /* columns are facts about embedders (models.csv), not tasks */
} es_scores_for;

/** The same for known embedders: columns are found by their names, too, and MTEB's results are
 *  compared by what those among them share. */
es_status es_scores_read_for(const char *path, const es_scores_for *whose, es_run *run,
                             es_scores *out, es_error *err);

#endif
