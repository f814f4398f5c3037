/* New rows by what `derive` made: a trained network or a linear map. */
#ifndef ES_ENGINE_APPLY_H
#define ES_ENGINE_APPLY_H

#include "core_numerics.h"

/** What rows must be like. */
typedef struct es_applied {
    size_t columns;
    const char *of;   /* whose columns they are, for messages */
    double row_bytes; /* that a row takes in all */
    size_t memory;    /* bytes that all may take */
} es_applied;

/** Reads the only matrix of a file whole. *note: what the file is to be known for, to be freed;
 *  NULL: nothing. ES_EINVAL: several matrices, or other columns; ES_EUNSUPPORTED: memory, before
 * the rows are read; ES_ENONFINITE names row and column. */
es_status es_apply_read(const char *path, const es_applied *how, es_matrix *out, char **note,
                        es_error *err);

/** Maps the rows of a file by a model's file: a linear map (io_readers.h), or what es_cmim_apply
 *  takes, errors too. ES_EINVAL: `info` of a linear map. */
es_status es_apply(const char *model_path, const char *rows_path, bool info, size_t memory,
                   es_matrix *out, char **note, es_error *err);

#endif
