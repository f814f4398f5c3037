/* Over label columns or sets of pairs: where does a measure rank an embedder on average? */
#ifndef ES_CLI_MEASURE_RANKS_H
#define ES_CLI_MEASURE_RANKS_H

#include "measure_choices.h"

/** One measure that was computed for two label columns or sets of pairs, or more. */
typedef struct es_mean_ranks {
    const es_measure *measure;
    const char *label;           /* of a sweep, borrowed of the choices; "": none */
    size_t field, tasks, ranked; /* embedders with a value in every column */
    double *rank;                /* (m) mean over tasks, 1 is best; NaN: lacks a value */
} es_mean_ranks;

/** The mean ranks of every measure of the choices for which there are any; *out (*count), to be
 *  released by es_mean_ranks_free. ES_ENOMEM. */
es_status es_mean_ranks_new(const es_choices *choices, es_mean_ranks **out, size_t *count,
                            es_error *err);
void es_mean_ranks_free(es_mean_ranks *ranks, size_t count);

#endif
