/* pool.json: what a pool says about itself. */
#ifndef ES_ENGINE_POOL_DESCRIBE_H
#define ES_ENGINE_POOL_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>

#include "estimator.h"
#include "words.h"
#include "embedscope/status.h"

typedef struct pool_description_model {
    char *name, *file; /* at least one of the three; files are below the pool, without ".." */
    char *rows;        /* in place of file: files of a row each, stars in the last part */
    char *family, *notes, *series;
    double step; /* in the series; NaN: not said */
    size_t dim;  /* 0: not said */
    es_kind kind;
    bool bits; /* bytes are eight columns each */
} pool_description_model;

typedef struct pool_description {
    char *name, *modality;
    bool lists;     /* there is a list of models: it says which embedders there are */
    es_words lower; /* tasks of the scores where lower is better */
    bool same_rows; /* row i is the same item in all folders: nobody need be asked */
    double rows;    /* "rows"; NaN: not said */
    es_words odd;   /* sentences about keys that are not known but near to one that is */
    pool_description_model *model;
    size_t count;
} pool_description;

/** Read ROOT/pool.json; all fields empty when there is none. Unknown keys are ignored, but for
 * `odd`. ES_EFORMAT names the line of a syntax error, or the place of a wrong type ("pool.json:
 * models[2].dim"), or a file that is not below the pool. */
es_status pool_description_read(const char *root, pool_description *out, es_error *err);
void pool_description_deinit(pool_description *description);

#endif
