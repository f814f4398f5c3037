/* A pool: embedders, each a matrix over the same rows. It is a folder with one matrix file per
 * embedder (see docs/pools.md), or matrices in memory.
 *
 * A session opens it (session.h), checks the contents in the background, and then knows which
 * embedders and rows are in use. The functions below only look; they answer a NULL pool or model,
 * and an index beyond the end, with NULL or 0. Owner's thread. */
#ifndef EMBEDSCOPE_POOL_H
#define EMBEDSCOPE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/estimator.h"
#include "embedscope/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which of the rows that all embedders have are taken. Samples are drawn without replacement by a
 * seed, and a smaller one is part of every larger one. */
typedef enum es_row_choice {
    ES_ROWS_ALL,
    ES_ROWS_FIRST,  /* the first `count` */
    ES_ROWS_SAMPLE, /* a sample of `count` */
    ES_ROWS_AUTO,   /* the largest sample of which all that is asked for is stored; else `count` */
    ES_ROWS_GROWN,  /* a sample of `count`, on the way to a larger one */
    ES_ROWS_AUTO_LARGE /* so in a pool of more than ES_ROWS_LARGE rows; all of a smaller one */
} es_row_choice;

enum { ES_ROWS_LARGE = 20000 };

typedef struct es_row_request {
    es_row_choice choice;
    size_t count; /* of a pool with fewer rows: all */
} es_row_request;

/** Which embedders and rows of a folder are taken, and how. All zero bytes: all of them. */
typedef struct es_pool_options {
    const char *models, *exclude; /* comma-separated globs of names; NULL: all, none */
    es_row_request rows;
    const char *set_rows; /* only rows that the column `set` of rows.csv puts into this set; NULL:
                             all */
    const char *families; /* CSV with a header: model, family; NULL: the folder's families.csv */
    bool drop_rows;    /* rows with non-finite values are dropped from all embedders; otherwise an
                          embedder with such a row is left out */
    bool all_binary;   /* all matrices hold 0 and 1 and are taken as binary targets */
    bool may_be_empty; /* a folder without embedders opens, too */
    bool without_derived;   /* derived embedders are left out */
    uint64_t seed;          /* of a sample of rows; a session sets its own */
    struct es_log *log;     /* the program's own; NULL */
    struct es_looks *looks; /* the program's own; NULL */
    struct es_run *run; /* to be told how far opening is, and to cancel it (ES_ECANCELED); NULL */
} es_pool_options;

/** Of the store of a pool. Told once, from the thread that opens, when another process has made it
 * wait half a second; and, where it was told and the store was had in the end, after how many
 * seconds. `path` is the store's, cleaned, for a message. tell, had NULL: nobody is. */
typedef struct es_store_waiting {
    void (*tell)(void *context, const char *path);
    void *context;
    void (*had)(void *context, const char *path, double seconds);
} es_store_waiting;

typedef enum es_element {
    ES_ELEMENT_FLOAT32,
    ES_ELEMENT_FLOAT64,
    ES_ELEMENT_FLOAT16,
    ES_ELEMENT_BOOL, /* a byte */
    ES_ELEMENT_INT8,
    ES_ELEMENT_INT16,
    ES_ELEMENT_INT32,
    ES_ELEMENT_INT64,
    ES_ELEMENT_UINT8,
    ES_ELEMENT_UINT16,
    ES_ELEMENT_UINT32,
    ES_ELEMENT_UINT64
} es_element;

/** An embedder in memory: values (rows, dim), row-major, in the machine's byte order. */
typedef struct es_array_view {
    const char *name;   /* unique, not empty; copied */
    const char *family; /* may be NULL; copied */
    const void *data;   /* borrowed: it stays, unchanged, until the session is closed */
    size_t rows, dim;
    es_element element;
    es_kind kind;
} es_array_view;

typedef enum es_model_state {
    ES_MODEL_UNCHECKED, /* its shape is known, its contents are not yet */
    ES_MODEL_READY,
    ES_MODEL_EXCLUDED /* es_model_exclusion says why */
} es_model_state;

typedef struct es_pool es_pool;
typedef struct es_model es_model;

/** The name that pool.json gives, or the folder's; "arrays" for matrices in memory. Cleaned. */
const char *es_pool_name(const es_pool *pool);
/** As opened, raw bytes; NULL for matrices in memory. */
const char *es_pool_path(const es_pool *pool);

/** Models in natural order of their names ("m2" before "m10"), excluded ones included. Borrowed
 *  until the session is closed. */
size_t es_pool_count(const es_pool *pool);
const es_model *es_pool_model(const es_pool *pool, size_t index);
/** Index of a name; SIZE_MAX when there is none. */
size_t es_pool_find(const es_pool *pool, const char *name);
/** Models that are not excluded. */
size_t es_pool_usable(const es_pool *pool);

/** Texts are cleaned UTF-8 and borrowed as the model is. */
const char *es_model_name(const es_model *model);
const char *es_model_family(const es_model *model); /* NULL: not said */
/** The series that it is a step of, by pool.json ("series", "step") or by names like "run@1000"
 * that two or more share; NULL and NaN: none. */
const char *es_model_series(const es_model *model);
double es_model_step(const es_model *model);
es_model_state es_model_state_of(const es_model *model);
const char *es_model_exclusion(const es_model *model); /* of an exclusion, one line; else NULL */
size_t es_model_rows(const es_model *model);           /* of its matrix */
size_t es_model_dim(const es_model *model);
/** Columns in use: constant ones are left out. 0 until checked. */
size_t es_model_dim_used(const es_model *model);

/** Rows in use once the pool is checked (before: those that most embedders have). */
size_t es_pool_rows(const es_pool *pool);
/** Of how many they are taken: all that the embedders have, or the set's. */
size_t es_pool_rows_available(const es_pool *pool);
/** Row of the matrices for row `row` of those in use; SIZE_MAX beyond the end. */
size_t es_pool_file_row(const es_pool *pool, size_t row);

/** Things to tell that are no reason to stop, such as dropped rows: one line each. More may come
 *  until the session is checked. */
size_t es_pool_warnings(const es_pool *pool);
const char *es_pool_warning(const es_pool *pool, size_t index);

#ifdef __cplusplus
}
#endif
#endif
