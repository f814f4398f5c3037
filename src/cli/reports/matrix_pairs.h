/* The pairs of a matrix for other programs: a pair a line (csv, jsonl), or arrays (npz). Lines go
 * out as they are made, so that millions of pairs need no table of cells. */
#ifndef ES_CLI_MATRIX_PAIRS_H
#define ES_CLI_MATRIX_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "results.h"
#include "embedscope/status.h"

typedef struct es_matrix_pairs {
    const es_results *results;
    const uint32_t *order; /* (m) positions in the results */
    size_t m;
    size_t n; /* rows that `is` is the mean over; 0: not known */
} es_matrix_pairs;

/** source,target,is,se,n,estimator: every source by every target. What is not known is empty. */
void es_matrix_pairs_csv(const es_matrix_pairs *pairs, es_buf *out);
/** The same as one JSON object a line; what is not known is null. */
void es_matrix_pairs_jsonl(const es_matrix_pairs *pairs, es_buf *out);
/** `is` and `se` (m, m) of float64, NaN where not known, and `names` (m): the rows are sources. */
es_status es_matrix_pairs_npz(const es_matrix_pairs *pairs, es_buf *out, es_error *err);

#endif
