/* Results of MTEB as their files have them, a score a split and subset, and what is compared of
 * them: means of models over other languages say nothing of the models.
 *
 *     es_mteb_parts parts = {0};
 *     ES_TRY(es_mteb_parts_read(&parts, text, length, path, model, &count, err));
 *     es_mteb_parts_file(&parts, count, task);
 *     ...
 *     ES_TRY(es_mteb_parts_settle(&parts, names, value, &remark, err));
 */
#ifndef ES_IO_MTEB_PARTS_H
#define ES_IO_MTEB_PARTS_H

#include <stddef.h>

#include "buf.h"
#include "words.h"
#include "embedscope/status.h"

typedef struct es_mteb_part {
    size_t model, task;
    size_t split, subset; /* place in `splits`, in `subsets` */
    double score;         /* finite */
} es_mteb_part;

/** All zero bytes is empty. */
typedef struct es_mteb_parts {
    es_words splits;
    es_buf subsets; /* names, each with its NUL */
    es_mteb_part *part;
    size_t count, capacity;
} es_mteb_parts;

void es_mteb_parts_deinit(es_mteb_parts *parts);

/** The scores of a file are added, their number is in *out; 0: it has none. ES_EFORMAT as
 *  es_json_parse. */
es_status es_mteb_parts_read(es_mteb_parts *parts, const char *text, size_t length,
                             const char *path, size_t model, size_t *out, es_error *err);
/** The last `count` of them are of this task. */
void es_mteb_parts_file(es_mteb_parts *parts, size_t count, size_t task);

/** value (models, tasks): of each task the mean over the subsets that all its models have, of the
 *  split test, else dev or validation, else of all that they share. Where they share none, those
 *  of the subset that most have; the others get NaN. The remark (a buffer, appended to) says what
 *  was left out. O(n log n). */
es_status es_mteb_parts_settle(es_mteb_parts *parts, const es_words *models, const es_words *tasks,
                               double *value, es_buf *remark, es_error *err);

#endif
