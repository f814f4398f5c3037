/* What the program itself needs of a pool beyond embedscope/pool.h: the models in full, checking
 * and settling, and reading rows.
 *
 * Opening reads headers only, so that a pool of 200 embedders shows in well under 100 ms. Contents
 * are checked one model at a time by es_pool_check_model, from any thread; the owner applies each
 * outcome with es_pool_apply. When all models are checked, es_pool_settle fixes the row set. */
#ifndef ES_ENGINE_POOL_H
#define ES_ENGINE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "digest.h"
#include "embedscope/pool.h"
#include "estimator.h"
#include "log.h"
#include "rows.h"
#include "scores.h"

struct es_model {
    char *name;           /* unique, cleaned, shown and matched against scores */
    char *path;           /* as opened; raw bytes, never shown; NULL: in memory */
    char *file;           /* path below the pool, cleaned, for messages */
    char *family, *notes; /* from pool.json; may be NULL */
    es_kind kind;
    const char *dtype; /* "float32" ... */
    size_t rows, dim;  /* as the header says */
    uint64_t file_bytes;
    char *tensor;     /* tells the arrays of one file apart; NULL when it is the only one */
    int64_t mtime_ns; /* of the file; with path, tensor and file_bytes the digest cache's key */
    es_model_state state;
    char *reason; /* of an exclusion, one line; else NULL */
    /* known once checked */
    es_digest digest;
    size_t dropped_columns, dim_used; /* constant columns over the pool's rows */
    double norm_mean, norm_sd;        /* of the rows, raw units */
    size_t zero_rows;
    bool derived;        /* made from others by this program (derived.h) */
    size_t duplicate_of; /* index of an earlier model with equal contents, or SIZE_MAX */
};

/** Scan `path` (3 folders deep, hidden entries skipped, symbolic links not followed out of the
 * pool). ES_ENOTFOUND: no such directory; ES_EEMPTY: nothing that looks like an embedder;
 *  ES_EFORMAT: pool.json is not what it should be. Fewer than two usable embedders is not an error
 *  here: the explorer shows why. */
es_status es_pool_open(const char *path, const es_pool_options *options, es_pool **out,
                       es_error *err);
/** Over matrices in memory, which stay the caller's; ES_EINVAL as es_session_open_arrays. */
es_status es_pool_open_arrays(const es_array_view *arrays, size_t count,
                              const es_pool_options *options, es_pool **out, es_error *err);
void es_pool_close(es_pool *pool);

const char *es_pool_modality(const es_pool *pool); /* NULL when not said */

/** Under which the model is stored as a target: its own digest, or another one for binary values.
 */
es_digest es_model_target_digest(const es_model *model);

/** Outcome of reading one model's contents. */
typedef struct es_model_check {
    es_status status; /* ES_OK, or why the contents cannot be used */
    char reason[512];
    es_digest digest;
    size_t bad_rows;        /* rows with non-finite values */
    uint32_t *bad_row_list; /* (bad_rows) ascending, owned, when drop_rows; else NULL */
    size_t constant_columns;
    bool *constant; /* (dim) which ones, owned; NULL when the contents could not be read */
    double norm_mean, norm_sd;
    size_t zero_rows;
} es_model_check;

/** Read model `index`: digest, non-finite values, constant columns. Any thread, any order; does not
 *  touch the pool. ES_ECANCELED and ES_ENOMEM are returned, everything else is in *out. `known` may
 *  carry a digest already known for this file (same size and mtime), or be NULL. */
es_status es_pool_check_model(const es_pool *pool, size_t index, const es_digest *known,
                              es_run *run, es_model_check *out, es_error *err);
void es_model_check_deinit(es_model_check *check);

/** Owner's thread: record an outcome. */
es_status es_pool_apply(es_pool *pool, size_t index, const es_model_check *check, es_error *err);

/** Owner's thread, once all models are checked: fixes the row set (drop_rows), constant columns
 * over it, the row-set digest. Idempotent. ES_EEMPTY: no embedder or too few rows are left. */
es_status es_pool_settle(es_pool *pool, es_error *err);

es_digest es_pool_rowset(const es_pool *pool);

/** Read access for estimators; valid after es_pool_settle until close; maps the file on first use.
 *  Any thread. The constant columns are left out. */
es_status es_pool_rows_of(const es_pool *pool, size_t index, es_rows *out, es_error *err);
/** The same with all columns, constant ones too: what measures are defined on. */
es_status es_pool_whole_rows_of(const es_pool *pool, size_t index, es_rows *out, es_error *err);
/** Done with a model's rows for now: its file need not stay in memory. Any thread, also while
 * others read it; nothing if it is not mapped. */
void es_pool_rest(const es_pool *pool, size_t index);

/** rows.csv and scores.csv, loaded on first use; *out NULL when the pool has none. Owner's thread.
 */
es_status es_pool_texts(es_pool *pool, const es_row_texts **out, es_error *err);
es_status es_pool_scores(es_pool *pool, const es_scores **out, es_error *err);

#endif
