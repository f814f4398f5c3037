/* Embedders made from embedders by a map of their rows. */
#ifndef ES_CORE_DERIVE_H
#define ES_CORE_DERIVE_H

#include "core_estimators.h"

/* Embedders made from embedders by a map, linear except for the flow: what is done to vectors
 * before they are compared ("post-processing"), and derived members of a pool. Signs of axes are
 * not fixed: no measure here depends on them. */

typedef enum es_derive_kind {
    ES_DERIVE_NONE,
    ES_DERIVE_CENTRE,    /* take the mean off */
    ES_DERIVE_NORMALISE, /* rows of length 1; zero rows stay */
    ES_DERIVE_ABTT,      /* centre, then take the k directions of most variance out ("all but the
                            top": Mu and Viswanath, ICLR 2018) */
    ES_DERIVE_PCR,       /* as ABTT without centring */
    ES_DERIVE_WHITEN,    /* centre, rotate to principal axes, divide by their standard deviation (Su
                            et al., "Whitening sentence representations", 2021); k = 0: all axes */
    ES_DERIVE_PCA,       /* centre, keep the k axes of most variance */
    ES_DERIVE_RANDOM,    /* k Gaussian projections, scaled to keep lengths on average */
    ES_DERIVE_FIRST,     /* keep the first k columns (Matryoshka) */
    ES_DERIVE_FLOW,      /* to a standard normal by an invertible flow (Li et al., "On the sentence
                            embeddings from pre-trained language models", EMNLP 2020: BERT-flow) */
    ES_DERIVE_KINDS
} es_derive_kind;

typedef struct es_derive {
    es_derive_kind kind;
    unsigned bits; /* of a stored value: 0 or 32 (as they are), 16, 8, 4 or 1 (es_quantiser) */
    size_t k;
    uint64_t seed; /* where es_derive_is_random */
} es_derive;

/** True if the map is drawn or trained from a seed. */
bool es_derive_is_random(es_derive_kind kind);
/** "none", "centre", ... */
const char *es_derive_name(es_derive_kind kind);
/** "float16", "int8", "int4", "binary"; "float32" for 0 and 32; NULL: no such width. */
const char *es_derive_storage(unsigned bits);

/* Values stored in fewer bits, as they are decoded again. */

/** 16: IEEE half precision, limited to +-65504. 8 and 4: 256 and 16 levels a column between its
 *  least and its largest value; of 4, between mean +- 2.68 standard deviations if that is narrower
 *  (the uniform quantiser of least squared error of a Gaussian; Max 1960). 1: 1 above the column's
 *  mean, -1 elsewhere, so that cosine orders as Hamming distance does. */
typedef struct es_quantiser {
    unsigned bits;
    size_t d, n;                /* columns; rows taken in */
    double *low, *high, *first; /* (d) */
    double *sum, *square;       /* (d) of differences from `first` */
    double *centre, *step;      /* (d) known once it is settled */
} es_quantiser;

/** Memory O(d); `free` with es_quantiser_free. */
es_status es_quantiser_new(unsigned bits, size_t d, es_quantiser *out, es_error *err);
void es_quantiser_free(es_quantiser *q); /* all zero bytes is allowed */
/** Takes in rows x (count, d) of which the levels are made. */
void es_quantiser_take(es_quantiser *q, const double *x, size_t count);
/** Sets centre and step from the rows taken in. */
void es_quantiser_settle(es_quantiser *q);
/** Replaces x (count, d) by what decoding gives; values beyond the levels take the outermost. */
void es_quantiser_apply(const es_quantiser *q, double *x, size_t count);

/** What ES_DERIVE_ABTT and PCR ask of a matrix of so many directions with variance. ES_EINVAL: only
 *  rounding would be left. */
es_status es_derive_leaves(const es_derive *how, size_t rank, es_error *err);

/** `out` (n, d') from m (n, d): d' = d, or the axes kept. Whitening keeps axes with more than 1e-10
 *  of the largest variance, at most k, so no more than n - 1. ES_EINVAL: k is 0 where it is needed,
 * or above d, or not less than the directions with variance of which k are taken out. ES_EEMPTY: no
 * rows, or all rows are equal and nothing is left. O(n d min(n, d)). */
es_status es_derive_matrix(const es_matrix *m, const es_derive *how, es_matrix *out, es_error *err);

/* A map of derive.c, found in passes over the rows of an embedder and applied to a few rows
 * at a time, so that no matrix is held. es_derive_matrix is its plain twin. */

enum { ES_DERIVE_BLOCK = 512 }; /* rows at a time */

typedef struct es_derive_map {
    es_derive how;
    size_t n, d, out; /* rows; columns before and after */
    double *mean;     /* (d) taken off first; NULL: none is */
    es_pca pca;       /* axes that are taken out or kept */
    es_quantiser quantiser;
    double *axes; /* (d, out) random ones; NULL: none */
    es_normalizing_flow *flow;
} es_derive_map;

/** Of all rows. As es_derive_matrix has it, errors too. With fewer rows than columns, principal
 * axes are found of a matrix that is held meanwhile; a flow always is. */
es_status es_derive_map_new(const es_rows *rows, const es_derive *how, const es_run *run,
                            es_derive_map *out, es_error *err);
void es_derive_map_free(es_derive_map *map); /* all zero bytes is allowed */

/** x (count, d), which is overwritten, to y (count, map->out), count <= ES_DERIVE_BLOCK. */
es_status es_derive_map_apply(const es_derive_map *map, double *x, size_t count, double *y,
                              es_error *err);

/** Bytes at most while it is found and applied. */
double es_derive_map_bytes(size_t n, size_t d, const es_derive *how);

#endif
