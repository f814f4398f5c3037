/* Pairs of rows that belong together, as judged by people: "positives" for ranking, and graded
 * pairs for the similarity task. */
#ifndef EMBEDSCOPE_POSITIVES_H
#define EMBEDSCOPE_POSITIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

/** Two rows; score NaN where none is given. */
typedef struct es_graded_pair {
    uint32_t a, b;
    double score;
} es_graded_pair;

typedef struct es_pair_rules {
    bool directed;   /* only b from a; otherwise each pair is asked both ways */
    double quantile; /* with scores: the share of pairs that are positive; 0: a quarter */
} es_pair_rules;

typedef struct es_positive {
    uint32_t query, partner;
    uint32_t group; /* the unordered pair: both directions share it */
} es_positive;

typedef struct es_positives {
    size_t count, groups;
    es_positive *item;                   /* (count) by query, then partner */
    size_t self, duplicates, unpositive; /* left out: a == b; given again; below the threshold */
    double threshold;                    /* least score of a positive; NaN without scores */
} es_positives;

/** Prepares pairs (count) over n rows. With scores (all pairs then have one) the positives are the
 *  floor(quantile pairs + 1/2) best, at least one, and all that tie with the last. ES_EINVAL: a row
 * is not below n, scores are there for some pairs only or not finite, the quantile is not in
 * [0, 1]. ES_EEMPTY: no pair is left. O(count log count). */
es_status es_positives_new(const es_graded_pair *pairs, size_t count, size_t n,
                           const es_pair_rules *rules, es_positives *out, es_error *err);
void es_positives_free(es_positives *positives);

#endif
