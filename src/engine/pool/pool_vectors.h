/* A folder of .npy files that hold a vector each, read as one matrix. */
#ifndef ES_ENGINE_POOL_VECTORS_H
#define ES_ENGINE_POOL_VECTORS_H

#include "safetensors.h"
#include "embedscope/status.h"

/** Reads the files of root/pattern (stars in its last part) into memory: a
 *  row each, in the order of their names, which are the ids without ".npy". Links out of the pool
 *  are skipped. ES_ENOTFOUND: there is no such file; ES_EFORMAT: one that holds no vector, or one
 * of another length; messages name it below the pool. ES_ENOMEM. */
es_status pool_vectors_read(const char *root, const char *pattern, es_tensor *out, es_error *err);

#endif
