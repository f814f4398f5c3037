/* How alike two embedders are, from sides that are prepared once. */
#ifndef ES_CORE_ALIKE_H
#define ES_CORE_ALIKE_H

#include <stddef.h>

#include "core_numerics.h"

/* Mutual information of two embedders of the same rows as if they were jointly Gaussian: -1/2 sum
 * log(1 - rho_i^2) over their canonical correlations, in nats. Exact for Gaussians, symmetric,
 * without a ceiling; sees linear relations only. */

typedef struct es_cca_rules {
    size_t axes;   /* at most so many principal axes of a side, and a tenth of the rows */
    double shrink; /* so much of the mean variance is added to each axis; >= 0 */
    bool raw;      /* columns keep their scales; otherwise their standard deviation is 1 */
} es_cca_rules;

/** What belongs to one embedder: its rows along its axes, every axis of length 1 after shrinking.
 *  Read-only once made. */
typedef struct es_cca_side {
    size_t n, axes; /* axes 0: all rows are equal */
    double shrink;
    double *x;       /* (n, axes) */
    double *stretch; /* (axes) standard deviation with shrinking over that without, >= 1 */
} es_cca_side;

typedef struct es_cca_information {
    es_stat value;    /* nats; undefined: one side is constant */
    double chance;    /* about what unrelated embedders get: axes times axes / (2 n) */
    double strongest; /* the first canonical correlation */
    size_t axes[2];
    bool linear_image; /* before shrinking one side is a linear map of the other; with shrink 0
                        * its correlations of 1 count as 1 - 1e-12 */
} es_cca_information;

/** ES_EINVAL: fewer than 20 rows. O(n d^2 + d^3). */
es_status es_cca_side_new(const es_matrix *m, const es_cca_rules *rules, const es_run *run,
                          es_cca_side **out, es_error *err);
void es_cca_side_free(es_cca_side *side);
size_t es_cca_side_bytes(const es_cca_side *side);

/** ES_EINVAL: sides of other rows, or shrunk otherwise. O(n axes^2). */
es_status es_cca_information_of(const es_cca_side *a, const es_cca_side *b, es_cca_information *out,
                                es_error *err);

/* Linear CKA of embedders whose rows are taken a block at a time: products in single precision,
 * block by block, and their sums in double; all in double if a few rows are far longer than the
 * rest. What es_cka of similarity.c is in double from matrices held whole; that is the plain twin
 * of this. */

typedef struct es_cka_side es_cka_side;

/** Prepares what one embedder gives to all its pairs. Its centred rows are kept as floats where
 * they take no more than keep_bytes (0: no limit), and are read again for every pair where they
 * take more, which changes no bit of the values: the side has a copy of *rows. With as many columns
 * as rows or more it is the products of all rows that are kept. A side whose longest rows hide the
 * others keeps none: its pairs read it again and compute in double. ES_EINVAL: fewer than 4 rows.
 * O(n d min(n, d)). */
es_status es_cka_side_new(const es_rows *rows, size_t keep_bytes, const es_run *run,
                          es_cka_side **out, es_error *err);
void es_cka_side_free(es_cka_side *side); /* NULL is allowed */
size_t es_cka_side_bytes(const es_cka_side *side);

/** Kornblith et al., ICML 2019; debiased: with the unbiased estimate of HSIC of Song et al. 2012.
 *  Within 1e-6 of es_cka, mostly 1e-8. Undefined as there. ES_EINVAL: other numbers of rows. */
es_status es_cka_of(const es_cka_side *a, const es_cka_side *b, bool debiased, const es_run *run,
                    es_stat *out, es_error *err);

/** Bytes at most, of n rows and d columns: of a side, while one is made besides, and of a pair. */
typedef struct es_cka_need {
    double side, making, pair;
} es_cka_need;
es_cka_need es_cka_needs(size_t n, size_t d, size_t other_d, size_t keep_bytes);

/* Independent components of an embedder, and how far those of two embedders are apart. */

typedef struct es_ica_rules {
    size_t components; /* at most; fewer where the embedder has a lower rank */
    unsigned steps;    /* at most */
    uint64_t seed;     /* of how the starts of repeated searches are moved */
} es_ica_rules;

/** An embedder's components. */
typedef struct es_ica_side {
    size_t n, k;
    double *s; /* (k, n) mean 0, variance 1, uncorrelated */
    unsigned steps;
    bool converged;
    double repeat; /* mean |correlation| with the components found from starts 1e-9 apart, least */
    double halves; /* the same of those found in the even rows alone and in the odd ones */
} es_ica_side;

/** FastICA (Hyvarinen 1999, symmetric, contrast log cosh) of the centred rows along their leading
 *  principal axes, in half steps. Starts at the components of fourth-order blind identification
 *  (Cardoso 1989: eigenvectors of the mean of |x|^2 x x^T, x whitened), so that nothing is drawn
 * and turning an embedder turns the start along; ends when every direction has a cosine above 1 -
 * 1e-8 with the one before. k is 0 where all rows are equal. It is searched three more times from
 *  starts 1e-9 apart: on heavy tails FastICA has several places to rest, and rounding may decide
 *  for one; and in the even and the odd rows alone, which tell whether there are components beyond
 *  those of these rows. ES_EINVAL: fewer than 4 rows. O(n d min(n, d) + steps n k^2). */
es_status es_ica_side_new(const es_matrix *m, const es_ica_rules *rules, const es_run *run,
                          es_ica_side **out, es_error *err);
void es_ica_side_free(es_ica_side *side); /* NULL is allowed */
size_t es_ica_side_bytes(const es_ica_side *side);

typedef struct es_ica_gap {
    es_stat gap;       /* mean |a - b| over rows and matched components, in standard deviations: 0
                          alike, 2 / sqrt(pi) for unrelated normal ones */
    es_stat retention; /* mean |correlation| of matched components, 0 to 1 */
    size_t matched;
    bool converged; /* on both sides */
    double repeat;  /* the lower of the two sides'; 1: the components are determined */
    double halves;  /* the lower of the two sides' */
} es_ica_gap;

/** Components are matched one to one so that their absolute correlations add up to the most, and
 *  turned to agree in sign; of the side that has more, those that are left over do not count.
 *  O(n k^2 + k^3). ES_EINVAL: other rows. */
es_status es_ica_gap_of(const es_ica_side *a, const es_ica_side *b, const es_run *run,
                        es_ica_gap *out, es_error *err);

/* A critic of two embedders: trained to tell row i of one with row i of the other from row i with
 * any other, by the symmetrised InfoNCE loss over a batch.
 *
 * Each side has a tower: a linear map to h columns, or one hidden ReLU layer before it, or none
 * where the rows are taken as they come. s_ij is exp(t) times the cosine of the towers' outputs, or
 * of a bilinear critic their plain product. Products are OpenBLAS's in single precision, sums in
 * double. */

typedef enum es_critic_kind { ES_CRITIC_COSINE, ES_CRITIC_BILINEAR, ES_CRITIC_MLP } es_critic_kind;

typedef struct es_critic_shape {
    es_critic_kind kind;
    size_t d[2];   /* columns of either side */
    size_t h;      /* of the towers' outputs */
    size_t hidden; /* of ES_CRITIC_MLP */
    bool fixed;    /* the second side has no tower: d[1] == h */
} es_critic_shape;

/** Parameters: the towers of both sides, each [weight (d, h)] or [weight (d, hidden), bias
 *  (hidden), weight (hidden, h)], then t. */
size_t es_critic_params(const es_critic_shape *shape);

/** 1 / exp(t) stays within these. */
extern const double es_critic_coldest, es_critic_warmest;

typedef struct es_critic {
    es_critic_shape shape;
    size_t batch, n_params;
    float *param, *grad, *moment1, *moment2; /* (n_params) */
    unsigned steps;
    const es_simd *simd;
    float *out[2], *unit[2], *length[2]; /* (batch, h), (batch, h), (batch) of a batch */
    float *hidden[2];                    /* (batch, hidden) */
    float *s, *turned, *share;           /* (batch, batch) */
    float *wide;                         /* scratch */
} es_critic;

/** For batches of up to `batch` rows. ES_EINVAL: fewer than 2 rows, or a fixed side of another
 *  width; parameters are undefined until es_critic_random. */
es_status es_critic_new(const es_critic_shape *shape, size_t batch, const es_simd *simd,
                        es_critic **out, es_error *err);
void es_critic_free(es_critic *critic);

/** Normal weights of variance 1 over their inputs, by seed; sides of the same width start alike.
 *  exp(t) is 1 / temperature. Clears Adam. */
void es_critic_random(es_critic *critic, uint64_t seed, double temperature);

/** Turns the second side's map round where images of matching rows are opposite at the start, by
 *  their mean cosine, so that v and -v are learnt alike: the maps of u and -u would move alike for
 *  ever, and matching rows score least. u (rows, d[0]), v (rows, d[1]). Not of a fixed side, nor of
 *  ES_CRITIC_MLP. */
void es_critic_face(es_critic *critic, const float *u, const float *v, size_t rows);

/** u (rows, d[0]), v (rows, d[1]); the scores (rows, rows) are valid until the next call. */
const float *es_critic_scores(es_critic *critic, const float *u, const float *v, size_t rows);

/** The symmetrised InfoNCE loss of a batch: log rows less what it shows of the information. */
double es_critic_loss(es_critic *critic, const float *u, const float *v, size_t rows);

/** The same; its gradient goes to critic->grad. */
double es_critic_gradient(es_critic *critic, const float *u, const float *v, size_t rows);

/** One step of Adam (0.9, 0.999, 1e-8) along critic->grad; weights first shrink by rate * decay. */
void es_critic_step(es_critic *critic, double rate, double decay);

/** The same loss in double by plain loops; gradient (n_params) and scores (rows, rows) may be NULL.
 *  NaN: out of memory. */
double es_critic_loss_ref(const es_critic_shape *shape, const double *param, const double *u,
                          const double *v, size_t rows, double *gradient, double *scores);

/* Information between two embedders of the same rows by a trained critic (critic.c): InfoNCE and
 * its kin on rows that the critic has not seen, in batches of one fixed size.
 *
 * 60 % of the rows train, 15 % say when to stop, 25 % are measured: the same by seed for all pairs.
 * Columns are standardised by the training rows and cut at 5 standard deviations; those that do not
 * vary are left out. Symmetric to the last bit, unless it is directed. */

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
    bool saturated; /* above 0.9 log batch: related embedders are no longer distinguished */
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

/* A side of a comparison: what the measures of similarity.c need of one embedder, prepared once and
 * shared by all its pairs. */

/** What a side holds; the functions below say which they need. */
typedef enum es_side_part {
    ES_SIDE_CENTRED = 1,    /* n min(n, d) doubles */
    ES_SIDE_FACTORS = 2,    /* left singular vectors, n min(n, d) doubles */
    ES_SIDE_DISTANCES = 4,  /* ranks of all distances, n^2 / 2 floats, of at most 3,000 rows */
    ES_SIDE_NEIGHBOURS = 8, /* the nearest rows */
    ES_SIDE_KERNEL = 16,    /* centred RBF kernel, n^2 / 2 doubles, of at most 3,000 rows */
    ES_SIDE_LOADINGS = 32,  /* with FACTORS: min(n, d) d doubles */
    /* Cheaper forms where columns are as many as rows; what they stand for otherwise. */
    ES_SIDE_GRAM = 64,  /* products of all rows in place of CENTRED, n^2 / 2 doubles */
    ES_SIDE_SPAN = 128, /* with FACTORS: none where the rows span all they can, n - 1 directions */
    ES_SIDE_LEADING = 256 /* in place of FACTORS: those with 99 % of the variance alone */
} es_side_part;

typedef enum es_distance_kind { ES_DISTANCE_L2, ES_DISTANCE_PEARSON } es_distance_kind;

typedef struct es_side_rules {
    unsigned parts;
    es_distance_kind distance; /* of DISTANCES: Euclidean, or 1 - Pearson's r of two raw rows */
    es_metric metric;          /* of NEIGHBOURS */
    size_t k;                  /* of NEIGHBOURS; 0: 10 */
    uint64_t seed;             /* of the sample of DISTANCES and KERNEL */
} es_side_rules;

typedef struct es_side {
    size_t n, d;
    es_side_rules rules;
    es_matrix x;            /* (n, min(n, d)) centred rows, up to a rotation; for CENTRED */
    double *gram;           /* products of centred rows, j <= i, row by row; for GRAM, else NULL */
    double *norm2, length2; /* (n) squared lengths of the rows, and their sum */
    double self[2];         /* HSIC with itself: biased, debiased */
    size_t rank, kept;      /* singular values above 1e-5 of the largest; with 99 % of variance */
    size_t factors;         /* width of u: min(n, d), or kept, or 0 (see SPAN) */
    double *u, *s;          /* (n, factors), (factors) */
    double *loadings;       /* (factors, d) U^T A = diag(s) V^T; for LOADINGS */
    size_t distances;       /* count */
    float *distance_rank;   /* (distances) mid-ranks: halves below 2^23 are exact */
    size_t kernels;         /* count: rows (rows + 1) / 2 */
    double *kernel;         /* (kernels) j <= i, row by row */
    double kernel2;         /* sum of squares over the whole square */
    size_t k;
    uint32_t *neighbour; /* (n, k), ascending in each row */
    size_t by_number;    /* rows of which another is as far as the last of them */
} es_side;

/** ES_EINVAL: fewer than 4 rows, or no more rows than neighbours. */
es_status es_side_new(const es_matrix *m, const es_side_rules *rules, const es_run *run,
                      es_side **out, es_error *err);
void es_side_free(es_side *side);
/** out (n, n): the products of a side that has them. */
void es_side_products(const es_side *side, double *out);
size_t es_side_bytes(const es_side *side);

/* How alike two embedders of the same rows are, without labels: the measures that people know from
 * the literature on representations. What belongs to one embedder alone is prepared once (a
 * "side"), so that a pair costs little. Columns have their mean taken off, save where noted. */

/* In all of these both sides have the same rows and rules, else ES_EINVAL; undefined values have a
 * reason ("constant": all rows of an embedder are equal). */

extern const char ES_WHY_NO_SPREAD[]; /* "no spread beyond chance", of an unbiased estimate */

/** Linear CKA (Kornblith et al., ICML 2019), 0..1. debiased: with the unbiased estimate of HSIC in
 *  feature space (Song et al. 2012), about 0 for unrelated embedders also when they have more
 *  columns than rows; may be negative. Needs CENTRED. The plain twin of cka.c. */
es_status es_cka(const es_side *a, const es_side *b, bool debiased, es_stat *out, es_error *err);

/** CKA (biased) with the kernel exp(-|x - y|^2 / (2 s^2)), s^2 the median of all squared distances,
 * a row's with itself included. Needs KERNEL. */
es_status es_cka_rbf(const es_side *a, const es_side *b, es_stat *out, es_error *err);

/** 2 - 2 |A^T B|_* with both scaled to length 1: squared distance after the best rotation (Williams
 *  et al., NeurIPS 2021), 0..2, lower is more alike. Needs CENTRED. */
es_status es_procrustes(const es_side *a, const es_side *b, es_stat *out, es_error *err);

/** Share of b's variance that a linear map of a explains, 0..1, not symmetric. Of unrelated
 * embedders it is about rank(a) / (n - 1). Needs FACTORS of a and CENTRED of b. */
es_status es_linear_r2(const es_side *a, const es_side *b, es_stat *out, es_error *err);

/** What is asked of canonical correlations. PWCCA needs LOADINGS of a. */
typedef enum es_cca_part { ES_CCA_MEAN = 1, ES_CCA_SVCCA = 2, ES_CCA_PWCCA = 4 } es_cca_part;

typedef struct es_cca {
    es_stat mean;        /* mean canonical correlation */
    es_stat mean_square; /* of the squared ones */
    es_stat
        svcca; /* the same inside the directions with 99 % of the variance (Raghu et al. 2017) */
    es_stat
        pwcca; /* weighted by what the directions mean for a (Morcos et al. 2018): not symmetric */
    size_t rank[2];  /* directions with more than 1e-5 of the largest singular value */
    size_t kept[2];  /* of which svcca uses these */
    bool unreliable; /* n <= d1 + d2: near 1 whatever the embedders are */
} es_cca;

/** `parts`: es_cca_part bits; the other values are undefined ("not asked for"). Where one side's
 *  directions are all that centred rows have (n - 1), every correlation is exactly 1 and none is
 *  computed. Needs FACTORS. O(rank^3). */
es_status es_cca_of(const es_side *a, const es_side *b, unsigned parts, es_cca *out, es_error *err);

/** Representational similarity: Spearman's correlation of all distances between rows (Kriegeskorte
 * et al. 2008). Needs DISTANCES. */
es_status es_rsa(const es_side *a, const es_side *b, es_stat *out, es_error *err);

/** Two-sided p of a Mantel test (Mantel 1967): how often es_rsa is as far from 0 when the rows of
 * one side are shuffled, (1 + that) / (1 + permutations). The same shuffles for all pairs, by seed;
 * their number is made even, as each is used for either side. Needs DISTANCES. O(permutations n^2).
 */
es_status es_mantel(const es_side *a, const es_side *b, size_t permutations, uint64_t seed,
                    es_stat *out, es_error *err);

typedef struct es_overlap {
    double mutual, jaccard; /* means over rows of |A n B| / k and |A n B| / |A u B| */
    double chance;          /* k / (n - 1), what mutual is for unrelated embedders */
} es_overlap;

/** Shared nearest neighbours. per_row (n) or NULL: shared neighbours of each row, 0..k. Needs
 *  NEIGHBOURS. */
es_status es_neighbour_overlap(const es_side *a, const es_side *b, uint32_t *per_row,
                               es_overlap *out, es_error *err);

/* Values of a critic on a batch of pairs: s[i][j] scores row i of one embedder with row j of
 * another, pairs on the diagonal. All in nats, in double, without overflow.
 *
 * InfoNCE: van den Oord et al. 2018. DV: Donsker & Varadhan 1983. NWJ: Nguyen et al. 2010. SMILE:
 * Song & Ermon 2020. JS: Nowozin et al. 2016. */

/** Indices: by rows, where row i looks for its partner among all j, and by columns. */
typedef struct es_score_values {
    double infonce[2]; /* log n - cross-entropy; at most log n, below 0 for a bad critic */
    /* mean s_ii - log mean_{j != i} exp s_ij: the leave-one-out form of a published lower bound
     * that drops the pair from its denominator. It may exceed the truth without limit. */
    double margin[2];
    double match[2];    /* mean sigmoid of that margin: 0.5 for unrelated rows whatever n */
    double surprise[2]; /* mean softplus of minus the margin: -log of the match */
    double dv, nwj, smile, js;
} es_score_values;

enum { ES_SMILE_CLIP = 5 };

/** s (n, n), n >= 2. */
void es_score_values_of(const double *s, size_t n, es_score_values *out);

/** The symmetrised InfoNCE loss log n - (infonce[0] + infonce[1]) / 2, and its gradient (n, n)
 *  where not NULL. */
double es_infonce_loss_ref(const double *s, size_t n, double *gradient);

#endif
