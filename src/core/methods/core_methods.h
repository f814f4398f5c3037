/* Published methods as plain functions; the comment of each names its paper. */
#ifndef ES_CORE_METHODS_H
#define ES_CORE_METHODS_H

#include "core_numerics.h"

/* Pairs of rows that belong together, as judged by people: "positives" for ranking, and graded
 * pairs for the similarity task. */

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

/* EvalRank: among all rows, how near is the partner of a pair? (Wang, Kuo and Li, "Just Rank:
 * Rethinking Evaluation with Word and Sentence Similarities", ACL 2022.)
 *
 * For a pair (i, j) the rank of j is one more than the rows k, neither i nor j, that are more
 * similar to i than j is. Rows that are as similar as j count half (mid-rank, the default), not at
 * all (optimistic, the published rule, which gives a collapsed embedder a perfect score) or in full
 * (pessimistic). Centre the matrix first, as the published program does (es_derive_matrix). */

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

/* How an embedder fills its space: alignment and uniformity (Wang and Isola, ICML 2020), and how
 * many directions it uses. */

/** How many directions are used, from the covariance's eigenvalues w: 1..d, NaN when all rows are
 *  equal. */
typedef struct es_spread {
    double effective_rank; /* exp of the entropy of w / sum w (Roy and Vetterli 2007) */
    double participation;  /* (sum w)^2 / sum w^2 */
} es_spread;

es_status es_spread_of(const es_matrix *m, es_spread *out, es_error *err);

/** RankMe (Garrido et al., ICML 2023, eq. 3): exp of the entropy of p = s / sum s + 1e-7 for the
 *  singular values s of the rows as they are, neither centred nor cut at a rank. NaN when all are
 *  zero. O(n d min(n, d)), memory a copy of the matrix. */
es_status es_rankme_of(const es_matrix *m, double *out, es_error *err);

/** Mean squared distance of pairs, rows at length 1: 0..4, lower is better; NaN without pairs.
 * The cosine with a zero row is 0, its squared distance 2: *zeros is how many pairs have one. */
es_status es_alignment_of(const es_matrix *m, const es_positives *positives, double *out,
                          size_t *zeros, es_error *err);

typedef struct es_uniformity {
    double uniformity;  /* log mean exp(-2 |x - y|^2) over all pairs of rows at length 1, -8..0,
                           lower is better; 0: collapsed. With a zero row |x - y|^2 is 2 */
    double mean_cosine; /* of the same pairs, 0 with a zero row */
    size_t zero_rows;
    size_t sampled; /* pairs of rows behind uniformity, 0: all. More than 20,000 rows are sampled */
} es_uniformity;

/** ES_EEMPTY below two rows that are not zero. O(n^2 d), memory a copy of the matrix and 256 n
 *  doubles; beyond 20,000 rows O(n d), and 3 n doubles beside the matrix. */
es_status es_uniformity_of(const es_matrix *m, uint64_t seed, const es_run *run, es_uniformity *out,
                           es_error *err);

/* Intrinsic dimension: how many directions the rows really vary in, judged by how fast neighbours
 * move away. Equal rows count once. */

typedef struct es_intrinsic {
    size_t rows;   /* different rows that were used */
    size_t equal;  /* rows left out because they equal another */
    size_t tied;   /* rows of which the nearest two are equally far: r2 / r1 is 1 */
    double two_nn; /* TwoNN (Facco et al. 2017): slope without the largest tenth of r2 / r1 */
    double two_nn_mle, two_nn_unbiased; /* N / sum log(r2 / r1), and with N - 1 */
    double levina_bickel; /* Levina and Bickel 2004, k - 2, mean over rows and k = 10..20 */
    double mackay; /* MacKay and Ghahramani 2005: inverse of the mean inverse, k - 1; steadier */
} es_intrinsic;

/** Of at most 10,000 rows, drawn by seed. ES_EEMPTY: fewer than 25 different rows. O(n^2 d). */
es_status es_intrinsic_of(const es_matrix *m, uint64_t seed, const es_run *run, es_intrinsic *out,
                          es_error *err);

/* Queries with the documents that answer them and some that do not, drawn once for a data set and
 * used for every embedder. Queries and documents are rows. */

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
 *  document is listed both as answering a query and as not answering it. ES_EEMPTY: no query is
 * left. */
es_status es_queries_from_judgements(const es_judgement *judgements, size_t count, size_t n,
                                     const es_query_rules *rules, es_query_set *out, es_error *err);
void es_queries_free(es_query_set *set);

/* Kernels on documents whose dot products are known. */

/** On reduced vectors of k dimensions. Values of linear and polynomial kernels depend on the
 * embedder's scale: compare embedders by cosine or RBF. */
typedef enum es_kernel {
    ES_KERNEL_LINEAR,
    ES_KERNEL_COSINE, /* a zero vector has 0 with all */
    ES_KERNEL_POLY2,  /* (x.y / k + 1)^2 */
    ES_KERNEL_POLY3,  /* another power by the rules */
    ES_KERNEL_RBF,    /* exp(-|x - y|^2 / (2 s^2)), s the median distance of the documents */
    ES_KERNELS
} es_kernel;

/** From dot = x.y, xx = x.x and yy = y.y of vectors with `axes` numbers. sigma2 0: the RBF kernel
 * is
 *  1. power: of ES_KERNEL_POLY3. */
double es_kernel_of(es_kernel kind, double dot, double xx, double yy, double axes, double sigma2,
                    unsigned power);

/** s^2 of the RBF kernel from the squared distances d2 (count) of points: the squared median of the
 *  distances that are not 0; 0 without any. scratch (count) may be d2. */
double es_kernel_width_of(const double *d2, size_t count, double *scratch);

/** s^2 of the RBF kernel from the different documents of all queries (at most 2,000, by seed);
 *  *documents is how many. 0: they are one point. */
es_status es_kernel_width(const es_matrix *reduced, const es_query_set *queries, uint64_t seed,
                          const es_run *run, double *sigma2, size_t *documents, es_error *err);

/* What people said about the rows: labels of one downstream task. */

/** One labelled task: a class or a number for each row, or nothing. */
typedef struct es_task {
    size_t n;
    const double *value; /* (n) class number 0, 1 ..., or the number; NaN: missing */
    bool classes;        /* classes differ or not; numbers differ by how much */
} es_task;

/* The labelled rows of a task: what several measures start from. */

typedef struct es_labelled {
    es_matrix x;     /* the rows that have a label */
    double *label;   /* (x.n) */
    double *classes; /* (n_classes) the different labels, ascending; for classes only */
    size_t n_classes;
} es_labelled;

/** ES_EINVAL: the task does not have m's rows, or only one class. ES_EEMPTY: fewer than 2 labels.
 */
es_status es_labelled_new(const es_matrix *m, const es_task *task, es_labelled *out, es_error *err);
/** True if all finite labels are the same number. By the bits: a sum of squares around the mean is
 * not 0. */
bool es_labels_equal(const double *label, size_t n);
void es_labelled_free(es_labelled *labelled);

/* Do neighbours in an embedder agree in what people said about them? (Equation 26 of Darrin et al.,
 * NeurIPS 2024.) */

enum { ES_SMOOTH_SIZES = 4 };
extern const size_t ES_SMOOTH_K[ES_SMOOTH_SIZES]; /* 1, 2, 4, 8 neighbours */

typedef struct es_smoothness {
    size_t labelled; /* rows with a label; neighbours are searched among these only */
    /* by number of neighbours; undefined ("too few rows") when labelled <= k */
    es_stat loss[ES_SMOOTH_SIZES];  /* mean squared difference to a neighbour, lower is better; for
                                       classes, one-hot, twice the share that disagrees */
    es_stat skill[ES_SMOOTH_SIZES]; /* 1 - loss / baseline: 0 chance, 1 perfect; undefined
                                       ("constant") when all labels are equal */
    double baseline;                /* mean squared difference of any two rows */
    size_t singletons;              /* classes with one row */
    size_t by_number; /* labelled rows of which another is as far as the last neighbour looked at,
                         at the number of neighbours where they are most */
} es_smoothness;

/** Loss and skill of one task. Numbers are taken as they are: z-score them to compare tasks by
 * loss; skill does not change. Neighbours at the same distance go by row number. ES_EINVAL: the
 * task does not have the matrix's rows. ES_EEMPTY: fewer than 2 labels. */
es_status es_smoothness_of(const es_matrix *m, const es_task *task, es_metric metric,
                           const es_run *run, es_smoothness *out, es_error *err);

/* Two scores of classes from the vectors alone, as published rivals of RetMMD. */

/** What LogME finds for one class, or for the numbers. */
typedef struct es_logme_output {
    double evidence, published;
    unsigned steps; /* of the fixed point, at most 11 */
} es_logme_output;

typedef struct es_logme {
    double value;     /* mean evidence over outputs */
    double published; /* the same without the term of the directions without data */
    size_t rank, columns;
    size_t outputs; /* classes, or 1 */
} es_logme;

/** LogME: log evidence of a Bayesian linear regression a labelled row, mean over classes (one
 * against the rest) or of the number itself (You et al., ICML 2021), by their fixed point: at most
 * 11 steps, until alpha / beta moves by 1e-3. The term of the directions without data, which the
 * published fixed point leaves out when columns are more than the rank, is in. Higher is better;
 * for numbers the value depends on their scale, so z-score them. Rows are taken as they are. each
 * (outputs, by class number) or NULL. ES_EEMPTY: fewer than 2 labels. ES_EINVAL: rows of labels and
 * matrix differ, fewer than two classes. */
es_status es_logme_of(const es_matrix *m, const es_task *task, const es_run *run, es_logme *out,
                      es_logme_output *each, es_error *err);

typedef struct es_gbc {
    double diagonal, spherical; /* minus the sum over ordered pairs of classes of exp(-D_B), D_B the
                                   Bhattacharyya distance of Gaussians; 0 is best */
    double published; /* spherical with the term of the variances counted once, as the published
                         program does */
    double floored; /* share of variances (diagonal) below 1e-4, that are taken for 1e-4: above 0.1
                       the vectors are too small for this floor */
    size_t axes;    /* after the PCA to at most 64 */
} es_gbc;

/** Gaussian Bhattacharyya coefficient of classes (Pandy et al., CVPR 2022), with each class's mean
 * and population variances. Spherical: one variance a class, in all dimensions; the published
 * program counts it once. Errors as es_logme_of, and ES_EINVAL for a task of numbers. */
es_status es_gbc_of(const es_matrix *m, const es_task *task, const es_run *run, es_gbc *out,
                    es_error *err);

/* RetMMD: how far apart does an embedder put the documents that answer a query and those that do
 * not? Maximum mean discrepancy between the two groups, averaged over queries (RetMMD-M), and how
 * often a permutation test finds them different (RetMMD-C). "Evaluating Transferability in
 * Retrieval Tasks: An Approach Using MMD and Kernel Methods", CVPR 2025. Constants that the paper
 * leaves open are chosen here and said so: the mean over queries, kernels' constants, centring by
 * the PCA. */

typedef struct es_retmmd_rules {
    double variance;       /* reduce to the axes with this share of the variance; 0: 0.9; 1 or more:
                              the vectors as they are, not centred */
    size_t axes;           /* or to this many axes; 0: by variance */
    unsigned permutations; /* 0: 499 */
    double level;          /* of the test; 0: 0.05 */
    unsigned power;        /* of ES_KERNEL_POLY3, 2 to 6; 0: 3 */
    bool per_query;        /* s of the RBF kernel from each query's documents, not from all */
    uint64_t seed;         /* of permutations, the same for all kernels and embedders */
    /* (permutations, width): given ones instead, each naming documents 0..width-1 in a new order;
     * for queries with exactly `width` documents. NULL: drawn. */
    const uint32_t *given;
    size_t width;
} es_retmmd_rules;

typedef struct es_retmmd_kernel {
    double mean, sum;   /* RetMMD-M: sum of w M over queries, divided by sum w or not */
    double biased_mean; /* of the biased statistic, weighted as mean: hides "no difference" */
    double share;       /* sum of w [p < level] / sum w */
    double count;       /* sum of w [p < level] */
} es_retmmd_kernel;

typedef struct es_retmmd {
    size_t count;     /* queries */
    size_t axes;      /* dimension after reduction */
    double sigma2;    /* s^2; 0: all documents are one point, every M is 0 */
    size_t documents; /* different ones, of which s is made */
    es_retmmd_kernel by[ES_KERNELS];
    es_kernel best;          /* with the largest count; the first of equals */
    bool saturated;          /* best share is 0.95 or more: use M */
    double (*m)[ES_KERNELS]; /* (count) unbiased, may be negative */
    double (*p)[ES_KERNELS]; /* (count) */
} es_retmmd;

/** ES_EEMPTY: no queries. ES_EINVAL: a row is not below m->n, or given permutations do not fit.
 * Cost: a PCA, then queries * documents^2 * axes. */
es_status es_retmmd_of(const es_matrix *m, const es_query_set *queries,
                       const es_retmmd_rules *rules, const es_run *run, es_retmmd *out,
                       es_error *err);
void es_retmmd_free(es_retmmd *result);

/** The first step alone, for several draws of queries on one embedder: reduced rows, to be given to
 *  es_retmmd_of with variance 1 and axes 0. */
es_status es_retmmd_reduce(const es_matrix *m, const es_retmmd_rules *rules, es_matrix *out,
                           es_error *err);

/* Which kernel parts answers from other documents best? A least-squares support vector machine
 * (Suykens and Vandewalle 1999) a query, cross-validated: the paper of retmmd.c chooses kernels by
 * a support vector machine; this is a linear system in its place, and is called so. */

typedef struct es_lssvm {
    double f1[ES_KERNELS]; /* mean over queries of the F1 of answers, over all folds together */
    es_kernel best;        /* the first of equals */
    size_t count, skipped; /* queries; those with fewer than `folds` documents of a kind */
} es_lssvm;

/** On reduced rows (es_retmmd_reduce), as many answers as other documents of each query, the first
 * of its lists; (K + I / c) a = y without a bias, y = 1 for answers and -1 for others. Kernels as
 *  rules say, one width of RBF for all. ES_EEMPTY: every query is skipped. */
es_status es_lssvm_of(const es_matrix *reduced, const es_query_set *queries,
                      const es_retmmd_rules *rules, double c, size_t folds, const es_run *run,
                      es_lssvm *out, es_error *err);

/* Probes: how well does a plain model on top of an embedder predict what people said about the
 * rows? Cross-validated, so that every labelled row is predicted by a model that has not seen it.
 */

typedef enum es_probe_kind {
    ES_PROBE_LINEAR, /* classes: multinomial logistic regression; numbers: ridge regression */
    ES_PROBE_RIDGE,  /* ridge regression; of classes, on one column a class, the largest wins */
    ES_PROBE_KNN,    /* majority (ties: the smallest class number) or mean of the nearest rows */
    ES_PROBE_MLP,    /* one hidden layer (probe_parts.h) */
    ES_PROBE_SVM,    /* linear support vectors (probe_parts.h); of classes one against the rest */
    ES_PROBE_KINDS
} es_probe_kind;

typedef struct es_probe_rules {
    es_probe_kind kind;
    size_t folds;     /* 0: 5 */
    double penalty;   /* of squared weights, a row of the training part; 0: 1e-3 */
    size_t k;         /* neighbours; 0: 5 */
    es_metric metric; /* of neighbours */
    uint64_t seed;    /* of the folds: the same rows for every embedder */
} es_probe_rules;

typedef struct es_probe {
    size_t labelled, folds;
    double score;     /* classes: share of right answers; numbers: 1 - squared error / variance */
    double low, high; /* 95 % interval over rows: Wilson's, or of the mean squared error */
    double chance;    /* share of the most frequent class; 0 for numbers */
    double fold_sd;   /* standard deviation of the folds' scores */
    double rmse;      /* root of the mean squared error of numbers, in their unit; NaN of classes */
} es_probe;

/** Columns are standardised on each training part. Folds are stratified by class. ES_EEMPTY: fewer
 *  than 2 labels a fold. ES_EINVAL: one class only; rows of task and matrix differ. Logistic: at
 *  most 200 steps of L-BFGS, each 4 rows * columns * classes operations. */
es_status es_probe_of(const es_matrix *m, const es_task *task, const es_probe_rules *rules,
                      const es_run *run, es_probe *out, es_error *err);

/** One split by hand: models of the rows in train (n_train) predict those in test (n_test). */
es_status es_probe_predict(const es_matrix *m, const es_task *task, const es_probe_rules *rules,
                           const uint32_t *train, size_t n_train, const uint32_t *test,
                           size_t n_test, const es_run *run, double *predicted, es_error *err);

/* Retrieval: every judged query against all documents, as trec_eval scores a run. Queries are rows
 * among the documents or a matrix of their own. */

/** Measures of the first k documents of a query; means over queries. */
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

/* How different two data sets are to one embedder, judged by what answers their queries:
 * "Evaluating Transferability in Retrieval Tasks: An Approach Using MMD and Kernel Methods", CVPR
 * 2025, equations 12 and 13. Data sets that are close may be expected to rank embedders alike. */

enum { ES_SET_MATCHED = 512 /* queries that w1 takes of each side at most */ };

typedef struct es_set_distance {
    double mmd2;   /* unbiased squared MMD of the queries' mean answers, RBF; may be negative */
    double biased; /* never negative, so hides "no difference" */
    double sigma2; /* s^2 of the kernel: the pooled median distance; 0: all are one point, mmd2 0 */
    double w1;     /* 1-Wasserstein distance, Euclidean, each query of a side weighing the same */
    size_t matched, matched_other; /* queries of a and of b that it is of */
} es_set_distance;

/** Queries of a over its rows, and of b. Of a side larger than ES_SET_MATCHED w1 takes a
 * sample by seed; sides of different sizes are as exact as others. ES_EINVAL: different numbers of
 * columns. ES_EEMPTY: fewer than 2 queries on a side. O((queries)^2 d + matched^3). */
es_status es_set_distance_of(const es_matrix *a, const es_query_set *in_a, const es_matrix *b,
                             const es_query_set *in_b, uint64_t seed, const es_run *run,
                             es_set_distance *out, es_error *err);

/** The same of the rows themselves, at most `count` of each side, drawn by seed: what data sets
 * look like without anybody's judgement. ES_EINVAL: different numbers of columns; ES_EEMPTY: fewer
 * than 2 rows on a side. O(count^2 d + count^3). */
es_status es_set_distance_of_rows(const es_matrix *a, const es_matrix *b, size_t count,
                                  uint64_t seed, const es_run *run, es_set_distance *out,
                                  es_error *err);

/** 1-Wasserstein distance of the rows of a and of b, where each row of a side weighs the same: of
 *  equally many the mean over the match for which it is smallest. Exact; O(n^3). */
es_status es_wasserstein(const es_matrix *a, const es_matrix *b, const es_run *run, double *out,
                         es_error *err);

/** Equation 12: what is lost (negative) or won when an embedder made for one data set answers the
 * queries of another, of the loss that there is to a perfect recall: (transferred - own) / (1 -
 * own). Undefined ("recall is 1") where own is 1. */
es_stat es_transferability(double transferred, double own);

#endif
