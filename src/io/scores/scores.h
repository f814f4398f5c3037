/* scores.csv: what downstream tasks say about the models. First column the model's name, then one
 * column a task; the first row is a header; an empty cell is a missing score. A task whose name
 * ends in "↓", "(lower)" or ":lower" is an error or a cost: lower is better. Cells are parted by
 * commas, semicolons or tabs; where it is not commas, numbers may have a decimal comma. MTEB's
 * exports, a task a line or a score a line, and its folder of results (mteb.h) are read, too. */
#ifndef EMBEDSCOPE_SCORES_H
#define EMBEDSCOPE_SCORES_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/status.h"

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
    es_task_about *about;        /* (tasks) NULL: nothing is said */
    char *remark;                /* what was skipped, a sentence without its end; NULL: nothing */
    size_t facts;                /* facts about models beside the tasks (scores_columns.h) */
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
/** One more sentence for `remark`. ES_ENOMEM. */
es_status es_scores_add_remark(es_scores *scores, const char *sentence, es_error *err);
/** A task's category: that of tasks.csv, else the one MTEB (Muennighoff et al., EACL 2023) has it
 *  in by its name; NULL: not known. */
const char *es_score_category(const es_scores *scores, size_t task);
/** Does tasks.csv give tasks unequal weights? */
bool es_scores_are_weighted(const es_scores *scores);
/** Do two of the models at row (n; SIZE_MAX: none) have different scores in a task? */
bool es_scores_tell(const es_scores *scores, size_t task, const size_t *row, size_t n);
/** Has a model a score in any task? */
bool es_scores_any(const es_scores *scores, size_t model);
/** Appends the facts of `scores` to `known`, a table of facts whose columns are `task`, and which
 * may be empty; a name that it has already is skipped. ES_ENOMEM leaves `known` as it was. */
es_status es_scores_add_facts(es_scores *known, const es_scores *scores, es_error *err);
/** Say which way is better in a task, as tasks.csv would. */
es_status es_scores_mark(es_scores *scores, size_t task, bool lower, es_error *err);
/** Compares MTEB's results by the subsets and splits that the counted models of a task share
 *  (mteb_parts.h): value and remark are set anew, models that do not count get NaN. counts
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
 *  Tasks that have no scores are passed over with a remark; ones that are not listed keep their
 * defaults. ES_EFORMAT, naming the line: no column "task", one that is not known, a task twice, a
 * size or weight that is not above 0, another direction. */
es_status es_scores_describe(es_scores *scores, const char *path, es_error *err);
/** The same of the tasks.csv beside a file of scores, if there is one; then notes tasks that may be
 *  better when lower (es_scores_remark_lower). */
es_status es_scores_describe_beside(es_scores *scores, const char *scores_path, es_error *err);
/** ES_ENOMEM leaves *out as it is. Release it with es_scores_deinit. */
es_status es_scores_copy(const es_scores *from, es_scores *out, es_error *err);
void es_scores_deinit(es_scores *scores); /* all zero bytes is allowed */

#endif
