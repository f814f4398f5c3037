/* Where a measure does worst: the pairs of EvalRank, the queries of RetMMD and of retrieval, and
 * the rows whose nearest neighbours two embedders share least. A look behind one number, computed
 * with the settings of the measure. */
#ifndef EMBEDSCOPE_WORST_H
#define EMBEDSCOPE_WORST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run.h"
#include "embedscope/status.h"

struct es_matrix; /* matrix.h, measure.h: who only shows a list does not need them */
struct es_measure;
struct es_measure_data;

typedef enum es_worst_kind {
    ES_WORST_NONE,      /* the measure has no such list */
    ES_WORST_PAIRS,     /* "evalrank" */
    ES_WORST_QUERIES,   /* "retmmd" */
    ES_WORST_RETRIEVED, /* "retrieval" */
    ES_WORST_ROWS,      /* "knn-overlap", "knn-jaccard": of two embedders */
    ES_WORST_PMI        /* "infonce": of two embedders, from where they agree least to most */
} es_worst_kind;

enum { ES_WORST_ROWS_SHOWN = 3 };

/** One of them; UINT32_MAX: no such row; NaN: not known.
 *  Pairs: value is the mid-rank of the partner, count the rows as near as it; row is the query, its
 *  partner, and the nearest row of those before the partner, each with its cosine to the query.
 *  Queries: value is M of the RBF kernel in the first draw, beside its p, count and of the answers
 *  and the other documents; row is the query (with `own_ids` a number and no row), and an answer.
 *  Retrieved: value is nDCG@k of the query, beside it 1 / rank of its first answer; count of `of`
 *  answers are found; row is the query (as above), its most relevant answer, and what comes first.
 *  Rows: count of `of` nearest neighbours are shared; row is the row, and its nearest by either.
 *  PMI: value is the pointwise information of a row that the critic has not seen, beside the
 *  probability that it is told from another row; row is the row, and the one taken most for it. */
typedef struct es_worst_line {
    double value, beside;
    size_t count, of;
    uint32_t row[ES_WORST_ROWS_SHOWN];
    double similarity[ES_WORST_ROWS_SHOWN];
} es_worst_line;

typedef struct es_worst_list {
    es_worst_kind kind;
    bool own_ids;
    size_t count;
    es_worst_line *line; /* (count) worst first, equal ones in order */
} es_worst_list;

es_worst_kind es_worst_kind_of(const struct es_measure *measure);
bool es_worst_of_two(es_worst_kind kind); /* embedders */

/** The list of embedder m; `other` for a list of two, else NULL. `values` are of the measure's
 * settings. ES_EINVAL: a measure without a list. Cost: as the measure's own. Release with
 *  es_worst_list_free. */
es_status es_worst_list_new(const struct es_measure *measure, const struct es_matrix *m,
                            const struct es_matrix *other, const struct es_measure_data *data,
                            const double *values, const es_run *run, es_worst_list *out,
                            es_error *err);
void es_worst_list_free(es_worst_list *list); /* leaves an empty list */

#endif
