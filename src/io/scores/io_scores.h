/* Downstream scores as tables in any shape and as folders of MTEB. */
#ifndef ES_IO_SCORES_H
#define ES_IO_SCORES_H

#include "io.h"

/* scores.csv: what downstream tasks say about the models. First column the model's name, then one
 * column a task; the first row is a header; an empty cell is a missing score. A task whose name
 * ends in "↓", "(lower)" or ":lower" is an error or a cost: lower is better. Cells are parted by
 * commas, semicolons or tabs; where it is not commas, numbers may have a decimal comma. MTEB's
 * exports, a task a line or a score a line, and its folder of results (io_scores_parts.h) are read,
 * too. */

/** What tasks.csv says of a task. */
typedef struct es_task_about {
    char *category; /* NULL: not said */
    double size;    /* items; NaN: not said */
    double weight;  /* in means over tasks, above 0; 1 */
    int lower;      /* 1: lower is better, 0: higher, -1: not said, the name decides */
} es_task_about;

typedef struct es_scores {
    size_t models, tasks;        /* both at least 1 */
    char **model;                /* (models) cleaned names, unique, in the file's order */
    char **task;                 /* (tasks) cleaned names, unique, as written: "rmse ↓" */
    double *value;               /* (models, tasks) row-major; NaN = missing, never infinite */
    es_task_about *about;        /* (tasks) NULL: nothing is known */
    char *remark;                /* what was skipped, a sentence without its end; NULL: nothing */
    size_t facts;                /* facts about models beside the tasks (scores_columns.c) */
    char **fact;                 /* (facts) cleaned names; NULL: none */
    double *fact_value;          /* (models, facts) */
    size_t settled;              /* bytes at the front of `remark` that es_scores_settle wrote */
    struct es_mteb_parts *parts; /* what `value` is a mean of in MTEB's results; NULL: a table */
} es_scores;

/** Is lower better in a task? tasks.csv says it, else its name. */
bool es_score_is_lower_better(const es_scores *scores, size_t task);
/** Does a name say which way is better, by one of the marks below? */
bool es_score_name_says_direction(const char *name);
/** Does a name say that lower is better: "rmse ↓", "rmse [↓] (%)", "$\downarrow$ rmse", "rmse
 *  (lower is better)"? Of several arrows the last one counts. */
bool es_score_name_says_lower(const char *name);
/** A name to compare by: in lower case, without arrows and the like; a new string, or NULL when out
 *  of memory. */
char *es_score_bare_name(const char *name);
/** The task of a name or, where no other can be meant, of one that differs in case or arrows; *out
 *  SIZE_MAX: none. ES_ENOMEM. */
es_status es_scores_find_task(const es_scores *scores, const char *name, size_t *out,
                              es_error *err);
/** One more sentence for `remark`; frees the buffer. ES_ENOMEM. */
es_status es_scores_take_remark(es_scores *scores, es_buf *sentence, es_error *err);
/** A task's category: that of tasks.csv, else the one MTEB (Muennighoff et al., EACL 2023) has it
 *  in by its name; NULL: not known. */
const char *es_score_category(const es_scores *scores, size_t task);
/** Does tasks.csv give tasks unequal weights? */
bool es_scores_are_weighted(const es_scores *scores);
/** Do two of the models at row (n; SIZE_MAX: none) have different scores in a task? */
bool es_scores_tell(const es_scores *scores, size_t task, const size_t *row, size_t n);
/** Has a model a score in any task? */
bool es_scores_any(const es_scores *scores, size_t model);
/** Say which way is better in a task, as tasks.csv would. */
es_status es_scores_mark(es_scores *scores, size_t task, bool lower, es_error *err);
/** Compares MTEB's results by the subsets and splits that the counted models of a task share
 *  (io_scores_parts.h): value and remark are set anew, models that do not count get NaN. counts
 * (models), or NULL; all count if none does. No effect on scores of a table. ES_ENOMEM leaves all
 * as it was. */
es_status es_scores_settle(es_scores *scores, const bool *counts, es_error *err);
/** The values alone, in a new array; *value stays as it is for scores of a table. */
es_status es_scores_settled(const es_scores *scores, const bool *counts, double **value,
                            es_error *err);
/** es_scores_settle; models with one of these names (n) count. */
es_status es_scores_settle_names(es_scores *scores, const char *const *name, size_t n,
                                 es_error *err);
/** The row of a model; SIZE_MAX: it is not in the scores. */
size_t es_scores_find(const es_scores *scores, const char *model);
/** A score turned so that higher is better. */
double es_score_turned(const es_scores *scores, size_t model, size_t task);

/** Read tasks.csv: task, and any of category, size, better (higher, lower), weight, in any order.
 *  Tasks that have no scores are skipped with a remark; ones that are not listed keep their
 * defaults. ES_EFORMAT, naming the line: no column "task", one that is not known, a task twice, a
 * size or weight that is not above 0, another direction. */
es_status es_scores_describe(es_scores *scores, const char *path, es_error *err);
/** The same of the tasks.csv beside a file of scores, if there is one; then notes tasks that may be
 *  better when lower (es_scores_remark_lower). */
es_status es_scores_describe_beside(es_scores *scores, const char *scores_path, es_error *err);
/** ES_ENOMEM leaves *out as it is. Release it with es_scores_deinit. */
es_status es_scores_copy(const es_scores *from, es_scores *out, es_error *err);
void es_scores_deinit(es_scores *scores); /* all zero bytes is allowed */

/* Cells as papers, spreadsheets and web pages have them: "0.83 ± 0.02", "**0.83**", "83 %". */

/** Cells that hold more than a number or a name. All zero bytes: none. */
typedef struct es_score_cells {
    size_t count, line, column; /* of the first */
    char first[48];             /* its text, cleaned */
} es_score_cells;

/** Takes links, tags and marks for bold off every cell that is no number, in place: "[e5](https:…)"
 *  is e5. A cell that is one of `embedder` (n) stays. */
void es_score_cells_plain(es_table *table, const char *const *embedder, size_t n,
                          es_score_cells *seen);
/** A cell as a score: as es_table_number, without what stands around it; words and dashes for a
 *  missing one are NaN, infinities ES_EFORMAT. Counts cells with more than a number in `seen`. */
es_status es_score_cells_number(const es_table *table, size_t row, size_t column, double *out,
                                bool *percent, es_score_cells *seen, es_error *err);
/** Adds a sentence about `seen` to the remark, if there are any, after the file's `label` (NULL:
 *  the scores' own). ES_ENOMEM. */
es_status es_score_cells_remark(const es_score_cells *seen, const char *label, es_scores *scores,
                                es_error *err);
/** Makes percentages and fractions of one column alike: value (n) at `stride`, those that are
 *  `percent` (as value) are divided by 100 if the others are all within -1 and 1. */
void es_score_cells_mix(double *value, const bool *percent, size_t n, size_t stride);

/* Columns of a table of scores that are no tasks: facts about models, and sums of other columns. */

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

/* Reading downstream scores in all the shapes that they come in (scores.c, mteb.c). */

/** Read a file, or a folder of MTEB's results. A table has a column of models in any place, or is
 * transposed, or has a score a line; an index, facts about models and sums of other columns are no
 * tasks (scores_columns.c). ES_EFORMAT, naming the line: no header, no task
 * column, no models, a model or task twice (both places), an empty name, text where a score should
 * be; es_table_read's errors. run (or NULL) gets the progress, and may cancel: ES_ECANCELED. */
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
