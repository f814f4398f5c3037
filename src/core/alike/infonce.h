/* Information between two embedders of the same rows by a trained critic (critic.h): InfoNCE and
 * its kin on rows that the critic has not seen, in batches of one fixed size.
 *
 * 60 % of the rows train, 15 % say when to stop, 25 % are measured: the same by seed for all pairs.
 * Columns are standardised by the training rows and cut at 5 standard deviations; those that do not
 * vary are left out. Symmetric to the last bit, unless it is directed. */
#ifndef ES_CORE_INFONCE_H
#define ES_CORE_INFONCE_H

#include <stdbool.h>
#include <stdint.h>

#include "critic.h"
#include "matrix.h"
#include "run.h"
#include "stats.h"

enum { ES_INFONCE_LEAST_ROWS = 64, ES_INFONCE_PCA = 16 };

typedef struct es_infonce_rules {
    es_critic_kind kind;
    bool directed; /* the second side gets no map: its first 16 principal axes, whitened. That the
                    * two directions differ is then a property of the critic: information has no
                    * direction */
    size_t batch;  /* n of log n; lowered to a quarter of the rows */
    size_t width;  /* of the critic's maps; lowered to the columns, and a quarter of the rows */
    size_t hidden; /* of ES_CRITIC_MLP */
    unsigned steps;
    double rate, decay;
    double temperature; /* the critic's first; it stays within 0.05 and 1 */
    uint64_t seed;
} es_infonce_rules;

/** One embedder, read-only once made. */
typedef struct es_infonce_side {
    es_infonce_rules rules;
    size_t n, d;                  /* rows; columns that vary */
    size_t axes;                  /* columns of `white` */
    size_t train, validate, test; /* rows of each, in this order in x and white */
    float *x;                     /* (n, d) */
    float *white;                 /* (n, axes); NULL unless directed */
} es_infonce_side;

typedef struct es_infonce {
    es_stat value; /* nats, not below 0: the mean of both ways over batches */
    double raw;    /* the same as it came */
    double se;     /* its standard error over batches; NaN: one batch */
    size_t batch, batches;
    bool saturated; /* above 0.9 log batch: related embedders are no longer told apart */
    double match;   /* mean probability that a pair is one, against one other row; 0.5: unrelated.
                     * Does not depend on the batch */
    double margin;  /* leave-one-out; no lower bound */
    double dv, nwj, smile, js;
    double temperature; /* what was learned; NaN of a bilinear critic */
    unsigned step;      /* the kept one; 0: training never helped */
    unsigned broke;     /* the step with a loss that was no number, where training ended; 0: none */
} es_infonce;

/** What the critic says of a row that it has not seen. Its score estimates the pointwise mutual
 *  information (van den Oord et al. 2018, eq. 3), up to a constant that the other rows take off. */
typedef struct es_infonce_row {
    uint32_t row;   /* of the embedders */
    uint32_t rival; /* the other row of its batch that the critic takes most for its partner */
    double pmi;     /* s_ii - log mean over the batch's other rows exp s_ij, mean of both ways */
} es_infonce_row;

/** ES_EINVAL: fewer than 64 rows, or rules out of range. */
es_status es_infonce_side_new(const es_matrix *m, const es_infonce_rules *rules, const es_run *run,
                              es_infonce_side **out, es_error *err);
void es_infonce_side_free(es_infonce_side *side);
size_t es_infonce_side_bytes(const es_infonce_side *side);

/** Trains and measures. ES_EINVAL: sides of other rows. O(steps batch (batch + d) width). */
es_status es_infonce_of(const es_infonce_side *a, const es_infonce_side *b, const es_run *run,
                        es_infonce *out, es_error *err);

/** The same, and rows (batches * batch of out, *rows the caller's) of which the mean pmi is the
 *  margin; NULL where an embedder is constant. What is left of the unseen rows, less than a batch,
 *  is not among them. */
es_status es_infonce_rows(const es_infonce_side *a, const es_infonce_side *b, const es_run *run,
                          es_infonce *out, es_infonce_row **rows, es_error *err);

#endif
