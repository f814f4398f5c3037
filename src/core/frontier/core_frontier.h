/* How small an embedder may be: what its compressions keep of it. */
#ifndef ES_CORE_FRONTIER_H
#define ES_CORE_FRONTIER_H

#include "core_derive.h"
#include "core_methods.h"

/* A compression is an es_derive of kind ES_DERIVE_NONE, ES_DERIVE_FIRST or ES_DERIVE_PCA with its
 * bits: the columns, the first k of them, or k principal components, stored in 32, 16, 8, 4 or 1
 * bits a value. Everything that is fitted (mean, axes, levels, regression) is fitted on training
 * rows, and everything that is reported is of rows held out, except for the probe, which is
 * cross-validated. */

enum {
    ES_FRONTIER_NARROWEST = 16, /* columns */
    ES_FRONTIER_HALVINGS = 24,
    ES_FRONTIER_MOST = 5 + 5 * ES_FRONTIER_HALVINGS,
    ES_FRONTIER_NEAREST = 10,  /* neighbours */
    ES_FRONTIER_QUERIES = 500, /* held-out rows whose neighbours are looked at, at most, a fold */
    ES_FRONTIER_BLOCKS = 32    /* of evaluated rows, for intervals */
};

/** Lists the compressions of an embedder of d columns, all of it in float32 first: float16, int8,
 *  int4, binary; then, for k = d/2, d/4, ... down to 16: the first k columns, the same in int8 and
 *  in binary, k principal components in int8 and, if there are at most three such k, in int4. out
 *  (ES_FRONTIER_MOST); returns how many. */
size_t es_frontier_grid(size_t d, es_derive *out);
/** Returns the columns that a compression of d columns keeps. */
size_t es_frontier_columns(const es_derive *how, size_t d);
/** Returns the bytes of a row: columns times bits, rounded up to whole bytes. */
size_t es_frontier_bytes(const es_derive *how, size_t d);
/** Appends "first 256, int8", "pca 64, int4", "float16"; "full" for all of it in float32. */
void es_frontier_put(const es_derive *how, es_buf *out);

/** What a compression keeps. NaN: not known. */
typedef struct es_kept {
    double kept, low, high; /* share of what the embedder explains of itself, with its 95 %
                               interval over rows */
    double neighbours;      /* share of the 10 nearest rows that are the same */
    double probe;           /* accuracy, or R^2 of numbers; mean over tasks */
} es_kept;

/** What is measured of one embedder. */
typedef struct es_frontier_problem {
    const es_rows *rows; /* all columns */
    const es_split *split;
    const es_task *task; /* (tasks) */
    size_t tasks;
    uint64_t seed;
} es_frontier_problem;

/** Measures the compressions of es_frontier_grid, out in its order.
 *
 *  kept: each compression is the source, and all principal components of the embedder are the
 *  target of a ridge regression as `linear` does it: columns standardised, the source's limited to
 *  +-3 and the target's to +-5 standard deviations, one penalty by generalised cross-validation.
 * R^2 on evaluated rows, each component weighted by its variance to the power 3/4, is divided by
 * the same of the whole embedder. The interval is a jackknife over 32 blocks of evaluated rows, 1.2
 *  times as wide as it says. A compression without a column that varies keeps 0.
 *
 *  neighbours: of up to 500 held-out rows a fold, the 10 nearest of all other rows by cosine (bits:
 *  by Hamming distance). Rows at the same distance share the places that are left.
 *
 *  probe: 5-fold ridge regression (es_probe_of); a task that cannot be probed is left out.
 *
 *  ES_ENOMEM, ES_ECANCELED, errors of reading; ES_EINVAL: every column is constant, ES_EEMPTY: the
 *  embedder explains nothing of itself. Memory: two copies of the embedder and 500 n floats. */
es_status es_frontier_measure(const es_frontier_problem *problem, es_run *run, es_kept *out,
                              es_error *err);

/** front (n): true for points of which no other has a cost at most as large and a value at least as
 *  large, and one of the two better. Points with a NaN are not on it. O(n^2). */
void es_frontier_front(size_t n, const double *cost, const double *value, bool *front);

#endif
