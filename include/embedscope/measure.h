/* What a measure is: a row of functions. Embedder measures give one number an embedder (a column),
 * pairwise measures one number a pair of embedders (a matrix).
 *
 * To add one, write one file that defines an es_measure and name it in src/core/measures.c; lists,
 * help and tables follow from it. Measures are pure: they see the matrix and the data, no files,
 * clocks or threads, and may run in several threads at once. */
#ifndef EMBEDSCOPE_MEASURE_H
#define EMBEDSCOPE_MEASURE_H

#include <stdbool.h>

#include "embedscope/matrix.h"
#include "embedscope/positives.h"
#include "embedscope/queries.h"
#include "embedscope/run.h"
#include "embedscope/smoothness.h"

/** What a measure needs beside the vectors. */
typedef enum es_need {
    ES_NEED_POSITIVES = 1, /* pairs that belong together */
    ES_NEED_GRADED = 2,    /* pairs with a score */
    ES_NEED_TASK = 4,      /* a class or a number for rows */
    ES_NEED_QUERIES = 8    /* queries with answers; made from classes, judgements or pairs */
} es_need;

/** The data of a pool; what is not there is NULL. */
typedef struct es_measure_data {
    const es_positives *positives;
    const es_graded_pair *graded; /* (graded_count) */
    size_t graded_count;
    const es_task *task;
    const es_query_set *queries;
    uint64_t seed;
} es_measure_data;

/** A value with its 95 % interval (NaN: none); value NaN: `why` says what is missing. */
typedef struct es_measure_value {
    double value, low, high;
    const char *why;     /* static text; NULL when defined */
    const char *warning; /* static text beside a defined value, such as "n <= d1 + d2"; or NULL */
} es_measure_value;

typedef struct es_measure {
    const char *name;   /* as given on the command line */
    const char *title;  /* a few words for lists */
    const char *caveat; /* one line: what to mind when reading it */
    unsigned version;   /* part of a result's key: raise it when values change */
    unsigned needs;     /* es_need bits */
    bool lower_is_better;

    /** Embedder measures; NULL for pairwise ones. */
    es_status (*embedder)(const es_matrix *m, const es_measure_data *data, const es_run *run,
                          es_measure_value *out, es_error *err);

    /* Pairwise measures. A side is prepared once for an embedder and shared, read-only, by its
     * pairs; `side` is the source where the measure is not symmetric. */
    bool symmetric;
    es_status (*side_new)(const es_matrix *m, const es_measure_data *data, const es_run *run,
                          void **out, es_error *err);
    void (*side_free)(void *side);
    size_t (*side_bytes)(const void *side);
    es_status (*pair)(const void *side, const void *other, es_measure_value *out, es_error *err);
} es_measure;

/** All measures, embedder measures first; NULL ends the list. */
extern const es_measure *const es_measures[];

/** By name; NULL when there is none. */
const es_measure *es_measure_find(const char *name);

/** es_need bits that the data lack for this measure; 0: it can be computed. */
unsigned es_measure_lacks(const es_measure *measure, const es_measure_data *data);

/** One embedder measure. ES_ENOTFOUND names what is lacking; ES_EINVAL: a pairwise measure. */
es_status es_measure_embedder(const es_measure *measure, const es_matrix *m,
                              const es_measure_data *data, const es_run *run, es_measure_value *out,
                              es_error *err);

#endif
