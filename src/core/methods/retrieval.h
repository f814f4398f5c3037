/* Retrieval: every judged query against all documents, as trec_eval scores a run. Queries are rows
 * among the documents or a matrix of their own. */
#ifndef ES_CORE_RETRIEVAL_H
#define ES_CORE_RETRIEVAL_H

#include "matrix.h"
#include "queries.h"
#include "run.h"

/** What is said of the first k documents of a query; means over queries. */
typedef enum es_retrieval_stat {
    ES_RETRIEVAL_NDCG,    /* gains of relevances, discounted by log2(1 + rank), over the best there
                             could be (trec_eval's ndcg_cut; Järvelin and Kekäläinen 2002) */
    ES_RETRIEVAL_MAP,     /* precision at each answer found, over all answers (map_cut) */
    ES_RETRIEVAL_RECALL,  /* answers found, over all answers (recall) */
    ES_RETRIEVAL_MRR,     /* 1 / rank of the first answer, 0 when none is found (recip_rank) */
    ES_RETRIEVAL_SUCCESS, /* an answer is found (success) */
    ES_RETRIEVAL_STATS
} es_retrieval_stat;

typedef struct es_retrieval_rules {
    es_metric metric;
    size_t k;         /* documents looked at; 0: 10. All of them where there are fewer */
    bool judged_only; /* only documents that some judgement names compete; else all rows do */
} es_retrieval_rules;

/** What is behind a query's values. */
typedef struct es_retrieval_seen {
    uint32_t nearest, answer; /* the first document; the most relevant answer; UINT32_MAX: none */
    uint32_t answers, found;  /* in all; among the first k */
    bool by_number; /* an answer and another document are equally far, among the first k or at their
                       end: row numbers decided */
} es_retrieval_seen;

typedef struct es_retrieval {
    size_t count;            /* queries with an answer */
    size_t skipped;          /* without: they say nothing and are left out */
    size_t documents;        /* that compete */
    size_t by_number;        /* queries that row numbers decided */
    uint32_t *query;         /* (count) ascending */
    double *value;           /* (count, ES_RETRIEVAL_STATS) */
    es_retrieval_seen *seen; /* (count) */
    double mean[ES_RETRIEVAL_STATS], se[ES_RETRIEVAL_STATS]; /* over queries; se NaN for one */
} es_retrieval;

/** documents (n, d). queries (any, d), or NULL: they are rows of `documents`, and none is its own
 *  answer. Documents at the same distance (es_space_tied) go by row, the lower first; trec_eval
 *  would go by their names. ES_EINVAL: a row out of range, another number of columns; ES_EEMPTY: no
 *  query has an answer. O(queries n d), memory a copy of both and 256 n doubles. */
es_status es_retrieval_of(const es_matrix *documents, const es_matrix *queries,
                          const es_judgement *judgements, size_t count,
                          const es_retrieval_rules *rules, const es_run *run, es_retrieval *out,
                          es_error *err);
void es_retrieval_free(es_retrieval *retrieval);

#endif
