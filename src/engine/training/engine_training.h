/* Embedders trained by cMIM (cmim.h) on one embedder of a pool or on several side by side: a job
 * that is cancelled or killed goes on where it was written down last.
 *
 * In the folder of derived embedders lie, for NAME: the embedders NAME.mu and NAME.info
 * (session_derive.c), NAME.safetensors, the weights (io_readers.h), and while it is being trained
 * NAME.training, its state. */
#ifndef EMBEDSCOPE_CMIM_DERIVE_H
#define EMBEDSCOPE_CMIM_DERIVE_H

#include <stdatomic.h>

#include "cmim_train.h"
#include "core_numerics.h"
#include "engine_pool.h"

typedef struct es_cmim_order {
    const size_t *source; /* (n_sources) in the pool; their columns side by side in this order */
    size_t n_sources;
    const char *name;
    double values[ES_CMIM_SETTINGS_MOST]; /* the recipe */
    uint64_t seed;
} es_cmim_order;

/** How far training is, for whoever looks on; any thread. */
typedef struct es_cmim_live {
    atomic_uint step, steps;                                               /* steps 0: not begun */
    _Atomic float loss, reconstruction, contrastive, log_q, log_p, cosine; /* of the last batch */
} es_cmim_live;

typedef struct es_cmim_made {
    char *name, *path;                    /* path: of the weights */
    size_t n, d, k, h;                    /* d: columns that were trained on */
    size_t steps, best_step, resumed;     /* resumed: the step it went on from; 0: from the start */
    double best_loss;                     /* of the validation rows */
    bool validated;                       /* there are such */
    es_cmim_parts parts;                  /* of these; of the last batch where there are none */
    double values[ES_CMIM_SETTINGS_MOST]; /* the recipe as it was used */
    char *remarks;                        /* lines of what is to be known of it; "" */
} es_cmim_made;

void es_cmim_made_deinit(es_cmim_made *made); /* all zero bytes is allowed */

/** Trains and writes. The pool must be settled with the sources in use, all their rows, and is not
 *  changed. Same bytes after an interruption as without. ES_ECANCELED: the state is written down
 *  first. ES_EINVAL: a name that is taken, settings out of their range, training under way under
 *  this name with other settings; ES_ENONFINITE: a loss that is not finite before there were
 *  weights to keep. Errors of es_file_replace: training is kept, as far as it was written down. */
es_status es_cmim_derive(const es_pool *pool, const es_cmim_order *order, const es_run *run,
                         es_cmim_live *live, es_cmim_made *out, es_error *err);

/** Rows (n, from) of the model's input by a model file's network: mu (n, k) or info (n, h).
 *  memory: bytes that this may take at most, else ES_EUNSUPPORTED before the rows are read.
 *  *note: what the rows' file is to be known for, to be freed; NULL: nothing. */
es_status es_cmim_apply(const char *model_path, const char *rows_path, bool info, size_t memory,
                        es_matrix *out, char **note, es_error *err);

/* New rows by what `derive` made: a trained network or a linear map. */

/** What rows must be like. */
typedef struct es_applied {
    size_t columns;
    const char *of;   /* whose columns they are, for messages */
    double row_bytes; /* that a row takes in all */
    size_t memory;    /* bytes that all may take */
} es_applied;

/** Maps the rows of a file by a model's file: a linear map (io_readers.h), or what es_cmim_apply
 *  takes, errors too. ES_EINVAL: `info` of a linear map. */
es_status es_apply(const char *model_path, const char *rows_path, bool info, size_t memory,
                   es_matrix *out, char **note, es_error *err);

#endif
