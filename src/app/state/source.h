/* Where the explorer reads from: a row of functions, filled from a session (source_session.c) or by
 * a test's mock. All of them are cheap, never block, and are called from the drawing thread only.
 * Borrowed pointers stay valid until the source changes (ES_MSG_SESSION). */
#ifndef ES_APP_SOURCE_H
#define ES_APP_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "session.h"
#include "worst.h"

/** A row of the matrices and what rows.csv says about it; id and text are cleaned, cut to fit, and
 *  empty where there is no rows.csv. */
typedef struct es_source_row {
    size_t number; /* in the files, from 0 */
    char id[64], text[512];
} es_source_row;

/** Where a measure does worst: how many lines there are, 0 while they are looked for, and when that
 *  has failed. */
typedef struct es_source_worst {
    size_t count;
    bool own_ids; /* queries have numbers of their own and are no rows */
    bool busy;
    es_error problem; /* code ES_OK: none */
} es_source_worst;

/** The baseline of the ranking (es_session_baseline). */
typedef struct es_source_baseline {
    bool possible;    /* there may be one; not for l2 itself, nor for a matrix from a file */
    bool busy;        /* it is being looked for */
    size_t known, of; /* pairs that are stored */
} es_source_baseline;

typedef struct es_source {
    void *context;

    /* The pool. An item is a model's index here; excluded models are items too. The count is fixed
     * for the life of the source. */
    const char *(*name)(void *context);     /* cleaned; never NULL */
    const char *(*path)(void *context);     /* cleaned, for display; never NULL */
    const char *(*modality)(void *context); /* NULL when not said */
    size_t (*model_count)(void *context);
    const es_model *(*model)(void *context, size_t item);
    size_t (*rows)(void *context);

    /* The run. */
    es_phase (*phase)(void *context);
    es_status (*problem)(void *context, es_error *err);
    es_status (*store_problem)(void *context, es_error *err);
    const char *(*store_path)(void *context); /* cleaned; NULL when results stay in memory */
    void (*progress)(void *context, es_progress *out);
    unsigned (*threads)(void *context);
    bool (*activity)(void *context, unsigned worker, es_activity *out);
    size_t (*queue)(void *context, es_queued *out, size_t capacity); /* what comes next */
    bool (*read_only)(void *context);                                /* nothing can be started */

    /* The plan and what is known of it. results gives NULL until the pool is checked; `title` is
     * the estimator's name with its preset, short enough for a run line. */
    size_t (*plan)(void *context);
    size_t (*best)(void *context);
    const es_results *(*results)(void *context, size_t entry);
    const char *(*title)(void *context, size_t entry);
    bool (*lower_is_better)(void *context, size_t entry);

    /* Intervals of the ranking (es_session_intervals). */
    const es_intervals *(*intervals)(void *context, uint64_t *tag, bool *busy);
    double (*intervals_seconds)(void *context);

    /* Columns of scores.csv, or of the file that takes its place. */
    const char *(*score_file)(void *context); /* its name, cleaned */
    size_t (*score_columns)(void *context);
    const char *(*score_name)(void *context, size_t column);
    double (*score)(void *context, size_t item, size_t column); /* NAN when missing */
    bool (*score_lower)(void *context, size_t column);          /* lower is better */

    /* What stands behind value number `value` of es_results.pmi of a plan entry. Reads rows.csv
     * when it is first asked. False: not known, as for a matrix from a file. NULL: nothing is
     * known. Entry SIZE_MAX: of row `value` of the row set, whatever the entry. */
    bool (*row)(void *context, size_t entry, size_t value, es_source_row *out);
    bool (*row_texts)(void *context, size_t entry); /* is there a rows.csv that fits? */
    /* Its rows by themselves: names in it need not be embedders'. */
    size_t (*score_rows)(void *context);
    const char *(*score_model)(void *context, size_t row);
    double (*score_value)(void *context, size_t row, size_t column);

    /* Measures that were asked for (measuring.h). Not pairwise: columns of numbers, higher is
     * better, by item a; pairwise: matrices, as they are. NAN where not known. */
    size_t (*measures)(void *context, bool pairwise);
    const char *(*measure_name)(void *context, bool pairwise, size_t k);
    double (*measure_value)(void *context, bool pairwise, size_t k, size_t a, size_t b);
    /* What is to be kept in mind with it, in a line; and, of a pair, why its value is not known or
     * says little, NULL: nothing. Static texts. */
    const char *(*measure_caveat)(void *context, bool pairwise, size_t k);
    const char *(*measure_doubt)(void *context, size_t k, size_t a, size_t b);
    es_worst_kind (*measure_worst)(void *context, bool pairwise, size_t k);
    /* What ES_FX_WORST has found. */
    void (*worst)(void *context, es_source_worst *out);
    const es_worst_line *(*worst_line)(void *context, size_t k); /* k < count */
    /* What ES_FX_BASELINE has found; of an item higher is better, NAN where not known. */
    void (*baseline)(void *context, es_source_baseline *out);
    double (*baseline_score)(void *context, size_t item);
} es_source;

/** A source over a session, which outlives it. NULL when out of memory. */
es_source *es_source_of_session(es_session *session);
void es_source_free(es_source *source); /* of es_source_of_session; NULL is allowed */

#endif
