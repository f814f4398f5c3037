/* What the readers of scores share. */
#ifndef ES_IO_SCORES_PARTS_H
#define ES_IO_SCORES_PARTS_H

#include <stdatomic.h>

#include "io_scores.h"

/* Results of MTEB (Muennighoff et al., EACL 2023) as its runs leave them: a folder of
 * MODEL/REVISION/TASK.json, or MODEL/TASK.json, in the layouts of its versions 1 and 2. */

/** Read a folder of results, or one that has it as `results`. A model is named by "name" in its
 * model_meta.json, else by its folder with "__" for "/"; a task by its file. Of several revisions
 * the one with the most tasks is read, of equal ones the last by name. Scores are as MTEB's own
 * mean: over the languages and subsets of the split test, else dev or validation, else of all; of
 * those that all models with the task have (es_scores_settle compares by fewer models).
 * out->remark says what was left out:
 * subsets and splits, models, revisions, files without a main score. ES_EEMPTY: no results;
 * ES_EFORMAT: a file is no JSON (named, with line and column); ES_EIO. run (or NULL) learns how
 * many models of all are read, and asked at every file: ES_ECANCELED. O(bytes). */
es_status es_mteb_read(const char *path, es_run *run, es_scores *out, es_error *err);

/** The main score of one file of results. *out NaN: it has none. ES_EFORMAT as es_json_parse. */
es_status es_mteb_score(const char *text, size_t length, const char *path, double *out,
                        es_error *err);

/* Results of MTEB as their files have them, a score a split and subset, and what is compared of
 * them: means of models over other languages say nothing of the models.
 *
 *     es_mteb_parts parts = {0};
 *     ES_TRY(es_mteb_parts_read(&parts, text, length, path, model, &count, err));
 *     es_mteb_parts_file(&parts, count, task);
 *     ...
 *     ES_TRY(es_mteb_parts_settle(&parts, &table, counts, value, &remark, err));
 */

typedef struct es_mteb_part {
    size_t model, task;
    size_t split, subset; /* place in `splits`, in `subsets` */
    double score;         /* finite */
} es_mteb_part;

/** What was skipped of a model when its folder was read, in the order of the remarks. */
typedef enum es_mteb_skipped {
    ES_MTEB_REVISIONS, /* other revisions */
    ES_MTEB_FOLDER,    /* another folder of it */
    ES_MTEB_FILE,      /* a file without a main score */
    ES_MTEB_SKIPPED    /* their number */
} es_mteb_skipped;

typedef struct es_mteb_note {
    es_mteb_skipped kind;
    size_t model;
    char *text;
} es_mteb_note;

/** All zero bytes is empty. */
typedef struct es_mteb_parts {
    es_words splits;
    es_buf subsets; /* names, each with its NUL */
    es_mteb_part *part;
    size_t count, capacity;
    struct es_mteb_sorted *sorted; /* (count) set by the first es_mteb_parts_settle */
    es_mteb_note *note;
    size_t notes, note_capacity;
    atomic_size_t shared; /* holders beyond the first */
} es_mteb_parts;

/** Names of the table that is filled. */
typedef struct es_mteb_names {
    char *const *model, *const *task;
    size_t models, tasks;
} es_mteb_names;

void es_mteb_parts_deinit(es_mteb_parts *parts);
/** One more holder of parts from es_alloc; each calls es_mteb_parts_release. */
es_mteb_parts *es_mteb_parts_share(es_mteb_parts *parts);
void es_mteb_parts_release(es_mteb_parts *parts); /* NULL is allowed */

/** Adds the scores of a file; *out is their number, 0 for a file without any. ES_EFORMAT as
 *  es_json_parse. */
es_status es_mteb_parts_read(es_mteb_parts *parts, const char *text, size_t length,
                             const char *path, size_t model, size_t *out, es_error *err);
/** Sets the task of the last `count` scores. */
void es_mteb_parts_file(es_mteb_parts *parts, size_t count, size_t task);
/** Takes `text` from es_alloc for the remark, and frees it on error. ES_ENOMEM. */
es_status es_mteb_parts_take_note(es_mteb_parts *parts, es_mteb_skipped kind, size_t model,
                                  char *text, es_error *err);

/** Fills value (models, tasks): of each task the mean over the subsets that all counted models of
 *  the task have, of the split test, else dev or validation, else of all that they share. Without a
 *  common subset, those of the subset that most have; the others get NaN. counts (models), or NULL
 *  for all; models that do not count get NaN and change nothing. Appends to `remark` what was left
 *  out of counted models. O(n log n) the first time, then O(n). */
es_status es_mteb_parts_settle(es_mteb_parts *parts, const es_mteb_names *names, const bool *counts,
                               double *value, es_buf *remark, es_error *err);

/* Shapes that tables of scores come in, and what scores.c shares with their readers. */

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
 * facts about models (io_scores.h); the first such cell goes to `text`. ES_EFORMAT naming the
 * line: an empty name, a model's task twice, text where a score should be. */
es_status es_scores_gather(const es_table *table, const es_scores_layout *layout, const es_run *run,
                           es_score_cells *seen, es_score_text *text, es_scores *out,
                           es_error *err);

#endif
