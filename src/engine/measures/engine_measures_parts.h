/* What the files of annotations share. */
#ifndef ES_ENGINE_MEASURES_PARTS_H
#define ES_ENGINE_MEASURES_PARTS_H

#include "engine_measures.h"

/* Several sets of pairs in one file (column `set` of pairs.csv and pairs_graded.csv): all of them
 * together, then each by its name (Wang et al. 2022, Tables 3 and 4). */

typedef struct es_pair_set {
    char *name;             /* NULL: all sets together */
    es_positives positives; /* of es_pair_sets_positives */
    es_graded_pair *graded; /* (count) of es_pair_sets_graded */
    size_t count;
    es_digest digest;
} es_pair_set;

typedef struct es_pair_sets {
    size_t count; /* 0: nothing is known; 1: one set; else all together and each */
    es_pair_set *item;
} es_pair_sets;

/** Positives of each set by its own scores (es_positives_new); together they are those of all sets,
 *  each pair once, since scores of different sets do not compare. The text of an error names the
 *  set. */
es_status es_pair_sets_positives(const es_pair_list *list, size_t n, const es_pair_rules *rules,
                                 es_pair_sets *out, es_error *err);
/** The scored pairs of each set; together scores are mid-ranks within their set, from 0 to 1. */
es_status es_pair_sets_graded(const es_pair_list *list, es_pair_sets *out, es_error *err);
void es_pair_sets_deinit(es_pair_sets *sets); /* all zero bytes is allowed */

/* What the files of annotations share: the object, and which file reads what. `annotations.c` makes
 * it and gives measures their part, `annotations_files.c` reads labels, pairs and background.csv,
 * `annotations_queries.c` reads judgements and draws queries. */

/* Draws of queries for one label column, or for judgements. */
typedef struct es_query_draws {
    bool drawn;
    es_query_set *set; /* (runs) */
    size_t runs;
    es_digest digest;
} es_query_draws;

typedef struct es_annotations {
    es_pool *pool;
    size_t n, files; /* rows in use, rows of the files */
    uint32_t *row;   /* (files) row in use, UINT32_MAX: not; NULL: the same number */
    uint64_t seed;
    double values[ES_ANNOTATIONS_SETTINGS];
    es_words notes;
    bool labels_read, pairs_read, graded_read, background_read;
    es_labels labels;
    const char *labels_from;    /* the file that they are of */
    es_task *task;              /* (labels.tasks) */
    double **used;              /* (labels.tasks) values of the rows in use; NULL: all are */
    es_digest *task_digest;     /* (labels.tasks) */
    es_pair_sets pairs, graded; /* count 0: none */
    es_row_list background;     /* rows in use */
    es_query_draws *queries;    /* (n_queries) of label columns, or one */
    size_t n_queries;
    bool own_ids; /* queries of qrels.csv are no rows */
    bool judged_read;
    es_judgement_list judged; /* count 0: none */
    es_digest judged_digest;
    int from; /* resolved source of queries; FROM_AUTO: not yet */
} es_annotations;

/** Keep a note, cleaned; lost when out of memory. */
void annotations_note(es_annotations *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** An error of a file in the pool, without the pool's path. */
es_status annotations_shorten(es_status st, const char *name, const es_error *why, es_error *err);

/** Each reads once and is ES_OK where there is no file, except background.csv that is asked for.
 */
es_status annotations_read_labels(es_annotations *e, es_error *err);
void annotations_drop_labels(es_annotations *e);
es_status annotations_read_positives(es_annotations *e, es_error *err);
es_status annotations_read_graded(es_annotations *e, es_error *err);
es_status annotations_read_background(es_annotations *e, es_error *err);
es_status annotations_read_judged(es_annotations *e, es_error *err);

/** How many sources of queries there are (n_queries); draws nothing. */
es_status annotations_need_queries(es_annotations *e, es_error *err);
/** Draw those of source k. */
es_status annotations_draw(es_annotations *e, size_t k, es_error *err);
/** The label column of source k: columns of numbers give none. SIZE_MAX: none. */
size_t annotations_class_column(const es_annotations *e, size_t k);
void annotations_draws_free(es_query_draws *d);

#endif
