/* EvalRank: among all rows, how near is the partner of a pair? (Wang, Kuo and Li, "Just Rank:
 * Rethinking Evaluation with Word and Sentence Similarities", ACL 2022.)
 *
 * For a pair (i, j) the rank of j is one more than the rows k, neither i nor j, that are more
 * similar to i than j is. Rows that are as similar as j count half (mid-rank, the default), not at
 * all (optimistic, the published rule, which gives a collapsed embedder a perfect score) or in full
 * (pessimistic). Centre the matrix first, as the published program does (es_derive_matrix). */
#ifndef EMBEDSCOPE_EVALRANK_H
#define EMBEDSCOPE_EVALRANK_H

#include "matrix.h"
#include "positives.h"
#include "run.h"
#include "stats.h"

typedef enum es_tie_rule {
    ES_TIE_MID,
    ES_TIE_OPTIMISTIC,
    ES_TIE_PESSIMISTIC,
    ES_TIE_RULES
} es_tie_rule;

/** What the ranks come to. All but mean_rank are in [0, 1], higher is better. */
typedef enum es_rank_stat {
    ES_RANK_MRR, /* mean of 1 / rank */
    ES_RANK_HITS1,
    ES_RANK_HITS3,
    ES_RANK_HITS10,
    ES_RANK_MEAN, /* mean rank, lower is better */
    ES_RANK_STATS
} es_rank_stat;

typedef struct es_pair_rank {
    uint32_t query, partner, group;
    uint32_t better, ties; /* rows nearer than the partner; rows as near */
    uint32_t nearest;      /* the nearest row that is better or, for want of one, tied; UINT32_MAX:
                              none */
    double similarity, nearest_similarity; /* cosine, or 1 / (1 + distance) */
} es_pair_rank;

typedef struct es_evalrank {
    size_t count;
    es_pair_rank *pair; /* (count) in the order of the positives */
    double value[ES_TIE_RULES][ES_RANK_STATS];
    double low[ES_RANK_STATS], high[ES_RANK_STATS]; /* interval of the mid-rank values */
    size_t tie_pairs;                               /* pairs with any tie */
    size_t zero_rows;
    bool collapsed; /* all rows are the same point */
} es_evalrank;

typedef struct es_evalrank_rules {
    es_metric metric;
    const uint32_t
        *background; /* rows that compete; NULL: all. Rows of pairs compete in any case */
    size_t background_count;
    bool filtered;  /* other known partners of the query do not compete */
    unsigned draws; /* of the bootstrap; 0: 1,000 */
    uint64_t seed;
} es_evalrank_rules;

/** Ranks and their summary. Intervals are 95 % percentiles over resampled unordered pairs, both
 *  directions together; NaN below two pairs. ES_EINVAL: a row not below m->n. ES_EEMPTY: no
 *  positives, or fewer than 2 rows. Cost: 2 distinct queries * n * d operations; memory a copy of
 *  the matrix and 256 n doubles. */
es_status es_evalrank_new(const es_matrix *m, const es_positives *positives,
                          const es_evalrank_rules *rules, const es_run *run, es_evalrank *out,
                          es_error *err);
void es_evalrank_free(es_evalrank *result);

/** Rank under a rule. */
double es_pair_rank_value(const es_pair_rank *pair, es_tie_rule rule);

/** The `count` pairs with the largest mid-rank, worst first, ties in order: indices into pair.
 *  Returns how many were written. ES_ENOMEM. */
es_status es_evalrank_worst(const es_evalrank *result, uint32_t *index, size_t count,
                            size_t *written, es_error *err);

enum { ES_TERCILES = 3, ES_LEVELS = 5 };

/** The classical similarity task: agreement of similarity with people's scores. */
typedef struct es_similarity_task {
    size_t count;   /* pairs used */
    size_t skipped; /* a row is missing (not below n), or no score */
    es_stat spearman, pearson, kendall;
    es_stat tercile[ES_TERCILES]; /* Spearman inside the least, middle, most similar third */
    size_t tercile_count[ES_TERCILES];
    /* Spearman inside overlapping levels of people's scores: level l holds those from the quantile
     * l (1 - 2/5) / 4 to 2/5 more (Wang et al. 2022, Figure 2), both ends counted in. */
    es_stat level[ES_LEVELS];
    size_t level_count[ES_LEVELS];
} es_similarity_task;

/** Thirds are cut at the human scores' quantiles; equal scores are never parted. ES_ENOMEM. */
es_status es_similarity_task_run(const es_matrix *m, const es_graded_pair *pairs, size_t count,
                                 es_metric metric, es_similarity_task *out, es_error *err);

#endif
