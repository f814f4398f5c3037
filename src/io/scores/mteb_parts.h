/* Results of MTEB as their files have them, a score a split and subset, and what is compared of
 * them: means of models over other languages say nothing of the models.
 *
 *     es_mteb_parts parts = {0};
 *     ES_TRY(es_mteb_parts_read(&parts, text, length, path, model, &count, err));
 *     es_mteb_parts_file(&parts, count, task);
 *     ...
 *     ES_TRY(es_mteb_parts_settle(&parts, &table, counts, value, &remark, err));
 */
#ifndef ES_IO_MTEB_PARTS_H
#define ES_IO_MTEB_PARTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "words.h"
#include "embedscope/status.h"

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
/** Keeps a copy of `text` for the remark. ES_ENOMEM. */
es_status es_mteb_parts_note(es_mteb_parts *parts, es_mteb_skipped kind, size_t model,
                             const char *text, es_error *err);

/** Fills value (models, tasks): of each task the mean over the subsets that all counted models of
 *  the task have, of the split test, else dev or validation, else of all that they share. Without a
 *  common subset, those of the subset that most have; the others get NaN. counts (models), or NULL
 *  for all; models that do not count get NaN and change nothing. Appends to `remark` what was left
 *  out of counted models. O(n log n) the first time, then O(n). */
es_status es_mteb_parts_settle(es_mteb_parts *parts, const es_mteb_names *names, const bool *counts,
                               double *value, es_buf *remark, es_error *err);

#endif
