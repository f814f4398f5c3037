/* Queries with the documents that answer them and some that do not, drawn once for a data set and
 * used for every embedder. Queries and documents are rows. */
#ifndef EMBEDSCOPE_QUERIES_H
#define EMBEDSCOPE_QUERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

typedef struct es_query {
    uint32_t row;                  /* or a number of its own */
    uint32_t positives, negatives; /* how many were drawn, 2 or more of each */
    const uint32_t *doc;           /* positives first, then negatives */
    double weight;                 /* 1 / frequency */
} es_query;

typedef struct es_query_set {
    size_t count;
    es_query *query; /* (count) by row */
    size_t skipped;  /* queries with fewer than 2 positives or 2 negatives */
    size_t fewer;    /* queries with fewer than the asked number of positives */
    bool own_ids;    /* queries are no rows */
    uint32_t *docs;  /* holds the queries' lists */
} es_query_set;

typedef struct es_query_rules {
    size_t queries, positives, negatives; /* at most; 0: 100, 5, 50 */
    uint64_t seed;
    uint64_t run; /* repetitions draw anew */
    bool own_ids; /* judgements: queries have numbers of their own and are no rows */
} es_query_rules;

/** Whether a document answers a query: relevance > 0, or = 0 for one that is known not to. */
typedef struct es_judgement {
    uint32_t query, doc;
    double relevance;
} es_judgement;

/** Each labelled row is a query (label[i] NaN: not), answered by the other rows of its class and
 * not by those of other classes; its frequency is the class's share among the drawn queries.
 * ES_EEMPTY: no query is left. O(queries n). */
es_status es_queries_from_classes(const double *label, size_t n, const es_query_rules *rules,
                                  es_query_set *out, es_error *err);

/** From judgements (count) over n rows. A query without known non-answers takes all rows that do
 * not answer it. A query among its own answers is left out. ES_EINVAL: a row is not below n, or a
 *  document is said to answer a query and not to. ES_EEMPTY: no query is left. */
es_status es_queries_from_judgements(const es_judgement *judgements, size_t count, size_t n,
                                     const es_query_rules *rules, es_query_set *out, es_error *err);
void es_queries_free(es_query_set *set);

#endif
