/* Trained embedders as files: .safetensors with one tensor for each weight, and in its metadata
 * what it takes to use them, so that Python can. Training that is not over is kept in the same form
 * with the rest of its state.
 *
 * Tensors: the weights by name (cmim.h; a bias is one row), F32; "columns" (3, d), F64: which
 * column of the input, shift and factor, so that a network takes (x[column] - shift) * factor;
 * "curve" (points, 8), F64: step, loss, reconstruction, contrastive, log_q, log_p, cosine,
 * validation. */
#ifndef EMBEDSCOPE_CMIM_FILE_H
#define EMBEDSCOPE_CMIM_FILE_H

#include <stdint.h>

#include "cmim_train.h"
#include "embedscope/status.h"

typedef struct es_cmim_model {
    char *name;
    double values[ES_CMIM_SETTINGS_MOST]; /* the recipe, with the k and batch that were used */
    uint64_t seed;
    char *sources; /* what it was trained on, a JSON array of objects "name", "digest", "columns" */
    es_cmim_shape shape;
    es_cmim_columns columns;
    size_t n_params;
    float *param; /* (n_params) in the order of es_cmim_tensors */
    size_t step, best_step;
    double best_loss;
    es_cmim_point *curve; /* (n_points) */
    size_t n_points;
    /* of training that is not over; NULL: it is */
    float *moment1, *moment2, *best; /* (n_params) */
} es_cmim_model;

void es_cmim_model_deinit(es_cmim_model *model); /* all zero bytes is allowed */

/** Atomically; errors as es_file_replace. */
es_status es_cmim_model_write(const char *path, const es_cmim_model *model, es_error *err);

/** ES_ENOTFOUND, ES_EIO; ES_EFORMAT: not such a file, or one whose parts do not fit each other. */
es_status es_cmim_model_read(const char *path, es_cmim_model *out, es_error *err);

#endif
