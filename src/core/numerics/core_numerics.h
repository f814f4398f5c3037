/* Matrices, splits, networks, linear algebra, vector kernels, statistics, settings. */
#ifndef ES_CORE_NUMERICS_H
#define ES_CORE_NUMERICS_H

#include "base.h"
#include "embedscope/estimator.h"
#include "embedscope/stat.h"

/* Which OpenBLAS kernels run here. Some releases take newer x86 CPUs for much older ones (OpenBLAS
 * issue 4267) and are then 2 to 6 times slower; the choice is made when the library loads. */

/** Name of the core type in use, e.g. "SkylakeX". */
const char *es_blas_core(void);
/** OpenBLAS's own description: version, threading, core; until this thread's next call. */
const char *es_blas_config(void);
/** The core type that this CPU deserves when the one in use is worse, else NULL. */
const char *es_blas_better_core(void);
/** Call first thing in main: where a better core exists, sets OPENBLAS_CORETYPE and executes the
 *  program again, once; EMBEDSCOPE_KEEP_BLAS_CORE=1 prevents it. Also pins OpenBLAS to one thread
 * per call. Returns only when nothing is to be done or execution was refused. */
void es_blas_guard(char **argv);
/** The same for a guest in another program, which may use OpenBLAS itself: one thread per call, and
 * kernels that suit the CPU, by OpenBLAS's own choice once more. Returns the number of threads
 * there was, for es_blas_leave. Nothing else may use OpenBLAS meanwhile. */
int es_blas_enter(void);
void es_blas_leave(int threads);
/** Measured sgemm rate of this thread in GFLOP/s (about 0.2 s). */
double es_blas_measure(void);

/* How rows are divided into training, validation and test, once per pool by seed. */

/** One fold: three disjoint sorted lists of row indices. */
typedef struct es_fold {
    uint32_t *train, *val, *test;
    size_t n_train, n_val, n_test;
} es_fold;

typedef struct es_split {
    size_t n;       /* rows */
    size_t n_folds; /* 1: one held-out fifth; K: every row is held out once */
    es_fold *folds; /* (n_folds) */
    uint32_t *eval; /* (n_eval) rows that get a held-out value, ascending */
    size_t n_eval;
} es_split;

enum { ES_SPLIT_CROSS_BELOW = 1000, ES_SPLIT_CROSS_FOLDS = 5, ES_SPLIT_MIN_ROWS = 20 };

/** Split n rows. folds 0: automatic (5-fold cross-fitting below 1,000 rows, else one 70/10/20
 * split); folds 1: one 70/10/20 split; folds K >= 2: each fold tests 1/K of the rows, validates on
 * 1/8 of the others and trains on the rest. Depends on (n, seed, folds) only. ES_EINVAL: fewer than
 * ES_SPLIT_MIN_ROWS rows, or more folds than a tenth of the rows. */
es_status es_split_new(size_t n, uint64_t seed, size_t folds, es_split **out, es_error *err);
/** Place among the evaluated rows of test row i of a fold. */
size_t es_split_place(const es_split *split, size_t fold, size_t i);
void es_split_free(es_split *split);

/* What an estimator of information sufficiency (embedscope/estimator.h) is made of: a row of
 * functions and settings. To add an estimator, write one file that defines an es_estimator and
 * add it to the table in src/core/estimators/estimators.c; settings, presets, help, storage and
 * scheduling follow from it.
 *
 * Estimators are pure: they get rows through es_rows, draw from streams of es_rng, use the arena
 * for scratch, and never look at files, clocks, threads or other pairs. A result depends on the two
 * embedders, the split, the settings and the seed only. */

/** Read access to one embedder: n usable rows of d columns. `read` converts the listed rows
 * (indices below n) to double, row-major (count, d). It may be called from several threads at once.
 */
typedef struct es_rows {
    size_t n, d;
    es_kind kind;
    uint64_t id; /* from the content digest: keys this embedder's random streams */
    const void *context;
    es_status (*read)(const void *context, const uint32_t *rows, size_t count, double *out,
                      es_error *err);
} es_rows;

/** What the functions below get in common. `values` are in the order of the estimator's settings.
 */
typedef struct es_problem {
    const es_split *split;
    const double *values;
    uint64_t seed;
    size_t keep_bytes; /* an embedder whose values need more may be read again for each pair
                        * rather than kept; 0: no limit. Results do not depend on it */
} es_problem;

/** One finished pair, in nats per target dimension. `pmi` (n_eval) holds log p(v|u) - log p(v) per
 *  evaluated row, divided by the target's dimension, in the order of es_split_eval_rows (held-out
 *  estimators) or of all rows (in-sample ones); is = mean of pmi, se = its standard error. A pair
 *  with is == 0 and se == 0 is silent: the rows do not show that the source predicts the target. */
typedef struct es_pair_result {
    double is, se, h, h_cond;
    size_t n_eval;
    float *pmi;                         /* owned; es_free */
    unsigned epochs;                    /* of training until the kept state; 0 for closed forms */
    double information, information_se; /* IS by a companion fit with a weaker penalty, and its
                                           standard error; NaN: the estimator gives none */
    double lambda;    /* ridge penalty of the pair; INFINITY: silent; NaN: none, or folds differ */
    unsigned rare;    /* columns of the target that are active too rarely to count fully */
    unsigned limited; /* columns of the target that are limited in some row; in-sample: that have
                         values beyond 20 standard deviations, which are not limited */
} es_pair_result;

/** Two embedders by what their costs depend on: columns in use, and what the target holds. */
typedef struct es_pair_shape {
    size_t source, target;
    es_kind kind; /* of the target */
} es_pair_shape;

/** What a pair and its sides take at most, told before any of it is made. Operations are of
 * floating point, a multiplication and an addition being two; what trains until it stops is counted
 * at the epochs that real pools took. */
typedef struct es_cost {
    double source_bytes, target_bytes; /* of the prepared states */
    double making_bytes;               /* besides, while one of them is made */
    double pair_bytes;                 /* besides, while the pair is computed */
    double source_operations, target_operations, pair_operations;
} es_cost;

struct es_estimator {
    const char *name;  /* as given to --estimator */
    const char *title; /* a few words for lists */
    unsigned version;  /* part of a result's key: raise it when values change */
    bool lower_is_better;
    bool without_whole; /* a value with itself is no whole of which others say a share */
    bool trains;        /* values depend on the seed, by more than rounding */
    /** True when these values make it evaluate on all rows instead of the split's held-out ones;
     *  NULL: never. */
    bool (*in_sample)(const double *values);
    const es_setting *settings;
    size_t n_settings;
    const es_preset *presets; /* name == NULL ends the list */

    /* Work done once per source and once per target, shared by their pairs (read-only then, from
     * any thread). A state may keep a copy of *rows and read from it as long as it lives. `*_bytes`
     * tells a cache how much memory it holds. */
    es_status (*source_new)(const es_problem *problem, const es_rows *rows, es_run *run, void **out,
                            es_error *err);
    void (*source_free)(void *source);
    size_t (*source_bytes)(const void *source);
    es_status (*target_new)(const es_problem *problem, const es_rows *rows, es_run *run, void **out,
                            es_error *err);
    void (*target_free)(void *target);
    size_t (*target_bytes)(const void *target);

    /** One ordered pair. `stream` keys its random draws. Scratch comes from `arena`. */
    es_status (*pair)(const es_problem *problem, const void *source, const void *target,
                      uint64_t stream, es_arena *arena, es_run *run, es_pair_result *out,
                      es_error *err);

    /** A line of what to mind of values by these settings with so many rows, static text; NULL:
     *  nothing. The member NULL: never anything. */
    const char *(*remark)(const es_problem *problem);

    /** Called for every pair of a pool, so O(1). NULL: as a ridge and its rows would take. */
    es_cost (*cost)(const es_problem *problem, es_pair_shape shape);
};

/** All estimators, best known first; NULL ends the list. */
extern const es_estimator *const es_estimators[];

/** Index of a setting, or n_settings when the estimator has none of that key. */
size_t es_estimator_setting(const es_estimator *estimator, const char *key);

/** Fill values[n_settings] with the defaults, then the preset's overrides. preset NULL: "default".
 *  ES_ENOTFOUND names the presets that exist. */
es_status es_estimator_preset(const es_estimator *estimator, const char *preset, double *values,
                              es_error *err);

/** Its remark; NULL: none. */
const char *es_estimator_remark(const es_estimator *estimator, const es_problem *problem);

/** Apply one "key=value". ES_EINVAL says the range or the choices; ES_ENOTFOUND the known keys. */
es_status es_estimator_set(const es_estimator *estimator, const char *assignment, double *values,
                           es_error *err);

/** Canonical text "clip=3 folds=1 lambda=auto", keys in table order; part of a result's key.
 *  Writes at most capacity bytes with the NUL; returns the full length. */
size_t es_estimator_text(const es_estimator *estimator, const double *values, char *out,
                         size_t capacity);

/* The first few eigenvectors of a large symmetric matrix. */

/** The k largest eigenvalues of a symmetric, positive semi-definite a (n, n), both triangles of
 *  which are there: value (k) descending, vector (k, n) orthonormal rows, each with
 *  |A v - value v| <= 1e-12 of the largest value. By a restarted block Krylov space with
 *  Rayleigh-Ritz (Halko, Martinsson and Tropp 2011, section 4.5, run until it has converged), from
 *  seeded normals; all of them by es_eigen where n is small or that does not converge. k <= n.
 *  O(n^2) a vector of the space; memory 12 (k + 8) n doubles. ES_ENOMEM, ES_ENOCONV, ES_ECANCELED.
 */
es_status es_eigen_leading(size_t n, const double *a, size_t k, uint64_t seed, const es_run *run,
                           double *vector, double *value, es_error *err);

/* The few dense linear-algebra calls of core, on OpenBLAS, each with a plain twin for tests.
 * All matrices are row-major; no dimension may exceed INT_MAX (es_rows sizes are far below). */

/** C (m,n) = alpha * op(A) * B with B (k,n); op(A) (m,k) is A, or the transpose of A (k,m).
 *  Single precision, one thread. C must not overlap A or B. */
void es_sgemm(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
              const float *b, float *c);
void es_sgemm_ref(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
                  const float *b, float *c);

/** es_sgemm with alpha = 1 for products that may be narrow: there OpenBLAS spends most on copying
 *  into its own layout, and the kernel of simd.c, which does not, is up to 2.5 times as fast. Which
 *  of them computes depends on the shape alone. */
void es_sgemm_narrow(bool transpose, size_t m, size_t n, size_t k, const float *a, const float *b,
                     float *c);

/** C += alpha * op(A) * B, otherwise the same. */
void es_sgemm_add(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
                  const float *b, float *c);
void es_sgemm_add_ref(bool transpose, size_t m, size_t n, size_t k, float alpha, const float *a,
                      const float *b, float *c);

/** C (m,n) = A B^T for A (m,k), B (n,k). */
void es_sgemm_turned(size_t m, size_t n, size_t k, const float *a, const float *b, float *c);
void es_sgemm_turned_ref(size_t m, size_t n, size_t k, const float *a, const float *b, float *c);

/** C (m,n) += A B for A (m,k), B (k,n), in double. */
void es_dgemm_add(size_t m, size_t n, size_t k, const double *a, const double *b, double *c);
void es_dgemm_add_ref(size_t m, size_t n, size_t k, const double *a, const double *b, double *c);

/** C (m,n) = op(A) op(B) in double; op(A) (m,k) is A or the transpose of A (k,m), op(B) (k,n) is B
 *  or the transpose of B (n,k). C must not overlap A or B. */
void es_dgemm(bool transpose_a, bool transpose_b, size_t m, size_t n, size_t k, const double *a,
              const double *b, double *c);
void es_dgemm_ref(bool transpose_a, bool transpose_b, size_t m, size_t n, size_t k, const double *a,
                  const double *b, double *c);

/** C (n,n) += A^T A for A (m,n) in double, lower triangle only. */
void es_dsyrk_add(size_t m, size_t n, const double *a, double *c);
void es_dsyrk_add_ref(size_t m, size_t n, const double *a, double *c);

/** C (m,m) = A A^T for A (m,n) in double, lower triangle only. */
void es_dsyrk_rows(size_t m, size_t n, const double *a, double *c);
void es_dsyrk_rows_ref(size_t m, size_t n, const double *a, double *c);

/** Eigenvectors of a symmetric matrix given by its lower triangle, eigenvalues ascending; `a` (n,n)
 *  is overwritten: row i becomes the eigenvector of value[i]. ES_ENOCONV when LAPACK gives up,
 *  ES_ENOMEM for its work space, ES_EINVAL above 30,000 columns. O(n^3). */
es_status es_eigen(size_t n, double *a, double *value, es_error *err);

/** The eigenvalues alone, about half the time; `a` is lost. Errors as es_eigen. */
es_status es_eigenvalues(size_t n, double *a, double *value, es_error *err);

/** Thin singular value decomposition A (m,n) = U diag(s) Vt with k = min(m, n): u (m,k), s (k)
 *  descending, vt (k,n). u and vt NULL: s alone. `a` is overwritten. Errors as es_eigen.
 *  O(m n k). */
es_status es_svd(size_t m, size_t n, double *a, double *u, double *s, double *vt, es_error *err);

/** Singular values alone, s (min(m, n)) descending; `a` (m, n) is overwritten. From
 *  ES_SINGULAR_FEW on they are the roots of the eigenvalues of the smaller product of A with
 *  itself, a fifth of the time: squaring costs the smallest their digits, so that this counts only
 *  where what rounding takes, summed over all, is estimated at no more than `tolerance` of their
 *  sum; es_svd otherwise. Errors as es_eigen. */
enum { ES_SINGULAR_FEW = 1000 };
es_status es_singular_values(size_t m, size_t n, double *a, double tolerance, double *s,
                             es_error *err);

/** L (n,n) lower triangular with L L^T = A A^T, for A (n,d) with d >= n: the coordinates of the
 * rows in as many dimensions as there are rows. By QR of A^T, so that nothing is squared; A is
 * overwritten. ES_ENOMEM, ES_ENOCONV when LAPACK gives up. O(n^2 d). */
es_status es_row_coordinates(size_t n, size_t d, double *a, double *out, es_error *err);

/** Is a symmetric A (n, n), of which the lower triangle is read, positive definite? By Cholesky;
 *  A is overwritten. ES_EINVAL above 40,000 columns. O(n^3 / 3). */
es_status es_is_definite(size_t n, double *a, bool *out, es_error *err);

/** Solves A X = B for a symmetric positive definite A (n, n), of which the lower triangle is read;
 * B and X are (n, columns), one column after the other. Both are overwritten. ES_ENOCONV: A is not
 *  positive definite. O(n^3 / 3 + n^2 columns). */
es_status es_solve(size_t n, double *a, size_t columns, double *b, es_error *err);

/* Multinomial logistic regression by L-BFGS. */

/** Weights w (classes, d), then a constant each (classes), that minimise the mean negative log
 *  likelihood of y (n) given x (n, d) plus penalty / 2 |w|^2, constants free. At most 200 steps
 * (Liu and Nocedal 1989, memory 10), until no slope is above 1e-4. Starts from zero, so nothing is
 *  random. ES_ENOMEM, ES_ECANCELED. */
es_status es_logistic_fit(const double *x, const uint32_t *y, size_t n, size_t d, size_t classes,
                          double penalty, const es_run *run, double *w, es_error *err);

/** The value that es_logistic_fit minimises, and its gradient (as w); z (n, classes) is scratch. */
double es_logistic_loss(const double *x, const uint32_t *y, size_t n, size_t d, size_t classes,
                        double penalty, const double *w, double *z, double *gradient);

/* A dense matrix in double, row-major: an embedder as the measures take it, one row an item.
 * Values are finite. */

typedef struct es_matrix {
    size_t n, d;
    double *x; /* (n, d) */
} es_matrix;

/** How rows are compared: by the cosine of their angle, or by Euclidean distance. */
typedef enum es_metric { ES_COSINE, ES_L2, ES_METRICS } es_metric;

/** Uninitialised (n, d); `free` with es_matrix_free. ES_ENOMEM. */
es_status es_matrix_new(size_t n, size_t d, es_matrix *out, es_error *err);
void es_matrix_free(es_matrix *m); /* leaves an empty matrix */

/** The listed rows (count) of an embedder; rows NULL: its first `count` rows. */
es_status es_matrix_read(const es_rows *from, const uint32_t *rows, size_t count, es_matrix *out,
                         es_error *err);
/** The listed rows (count, each below m->n) of a matrix. */
es_status es_matrix_rows(const es_matrix *m, const uint32_t *rows, size_t count, es_matrix *out,
                         es_error *err);
/** A matrix as the rows of an embedder; it is borrowed. */
es_rows es_matrix_as_rows(const es_matrix *m);
/** A copy with the mean of every column taken off. mean (d) or NULL receives the means. */
es_status es_matrix_centred(const es_matrix *m, es_matrix *out, double *mean, es_error *err);

/** How many rows are all zero: their cosine with anything is 0 by definition. */
size_t es_matrix_zero_rows(const es_matrix *m);

/** `count` of n row numbers, ascending, drawn without replacement from the stream of (seed, n): the
 *  same sample for every embedder. count >= n gives all. rows (min(count, n)); ES_ENOMEM. */
es_status es_sample_rows(size_t n, size_t count, uint64_t seed, uint32_t *rows, es_error *err);

/* Points prepared for exact comparison of distances, whichever way they are tiled.
 *
 * Squared distances come in blocks from one matrix product, |x|^2 + |y|^2 - 2 x.y on centred rows;
 * that is off by about 1e-16 (|x|^2 + |y|^2), so whatever a comparison could hang on is computed
 * again by direct difference. Cosine is the same thing on rows of length 1: |x - y|^2 = 2 - 2 cos,
 * where a zero row has cosine 0, so 2, with every row. */

enum { ES_SPACE_BLOCK = 256 }; /* rows of a block: memory is 256 n doubles */
#define ES_SPACE_TIE 1e-12     /* distances are tied within so much of mean2 */

typedef struct es_space {
    size_t n, d;
    double *x;     /* (n, d) centred for l2, of length 1 for cosine */
    double *norm2; /* (n) squared lengths; 1 for a zero row under cosine */
    bool *zero;    /* (n) zero rows under cosine, else all false */
    double mean2;  /* mean squared distance of two rows, about: the scale of ties */
} es_space;

/** ES_ENOMEM. The matrix is copied. */
es_status es_space_new(const es_matrix *m, es_metric metric, es_space *out, es_error *err);
void es_space_free(es_space *space);

/** out (count, n): squared distances of the listed rows, count <= ES_SPACE_BLOCK, to all rows,
 * never negative. scratch (count, d). */
void es_space_block(const es_space *space, const uint32_t *rows, size_t count, double *scratch,
                    double *out);
/** One squared distance by direct difference. */
double es_space_exact(const es_space *space, size_t i, size_t j);
/** How far a value of es_space_block may be off, generously. */
double es_space_slack(const es_space *space, size_t i, size_t j);
/** Whether two exact squared distances count as equal: within 1e-12 of the larger of the first and
 *  the mean squared distance. */
bool es_space_tied(const es_space *space, double a, double b);

/** Called with the approximate squared distances d2 (n) of row i to all rows. */
typedef void es_space_visit(void *context, const es_space *space, size_t i, const double *d2);
/** Visits every row, in order. O(n^2 d). */
es_status es_space_each(const es_space *space, const es_run *run, es_space_visit *visit,
                        void *context, es_error *err);

/** out (n (n - 1) / 2): squared distances of all pairs i < j, in rows; the small ones exact. */
es_status es_space_all(const es_space *space, const es_run *run, double *out, es_error *err);

/** A row at a squared distance. */
typedef struct es_near {
    double d2;
    uint32_t row;
} es_near;

/** By distance; those at the very same one by row. */
void es_near_sort(es_near *list, size_t count);

/* Exact nearest neighbours of every row. */

/** What is wanted of the k nearest other rows of each of n; each (n, k) or NULL. */
typedef struct es_neighbours {
    uint32_t *index;  /* nearest first; rows at the same distance (es_space_tied) by number */
    double *distance; /* Euclidean, ascending; for ES_COSINE of rows at length 1, sqrt(2 - 2 cos) */
    bool *tied;       /* whether the next one, beyond the last too, is at the same distance, so that
                         row numbers decided which came first */
} es_neighbours;

/** ES_EINVAL unless 1 <= k < n. O(n^2 d), memory a copy of the matrix and 256 n doubles. */
es_status es_nearest(const es_matrix *m, es_metric metric, size_t k, const es_run *run,
                     const es_neighbours *out, es_error *err);

/** Of one point: its approximate squared distances d2 (n, es_space_block) to all points, of which
 *  `allowed` (n; NULL: all but itself) may be found. *k is how many are wanted and becomes how many
 *  there are; list (n): the nearest first, equal ones by number, with exact distances. Returns how
 *  many are in the list: behind the k-th at least those that are as far. copy (n): scratch. */
size_t es_nearest_of(const es_space *space, size_t i, const bool *allowed, const double *d2,
                     size_t *k, es_near *list, double *copy);

/* Vector kernels of the density network, one table per instruction set.
 *
 *   simd.c         the choice of a table
 *   simd_ref.c     plain C, float with double sums: what the others must agree with
 *   simd_avx2.c    8 lanes  \ both compile simd_body.h
 *   simd_avx512.c  16 lanes /
 *
 * All kernels work on one row, allocate nothing, accept any length and alignment, and let NaN
 * through. Error bounds hold against the correctly rounded value, in units in the last place (ulp).
 */

/** Bernoulli masses are kept above this, as in the published kernel. */
#define ES_MASS_FLOOR 1e-8f

/** One step of Adam (Kingma & Ba 2015, algorithm 1, in PyTorch's order of operations):
 *  m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2;  p <- p - rate m / (root sqrt(v) + eps). */
typedef struct es_adam_step {
    float beta1, beta2, eps;
    float rate; /* learning rate / (1 - b1^t) */
    float root; /* 1 / sqrt(1 - b2^t) */
} es_adam_step;

/** Parameters of one row of a weight matrix, with its gradient and Adam's two moments. */
typedef struct es_adam_row {
    float *p, *m, *v; /* (n) */
    const float *g;   /* (n) */
    /* For weights behind a layer normalisation; NULL otherwise. The gradient given is the one of
     * gain * weight with respect to the normalised input; `delta` is the gradient of this row's
     * bias. */
    const float *gain, *shift; /* (n) */
    float *d_gain, *d_shift;   /* (n) += p * g, p * delta */
    float delta;
} es_adam_row;

typedef struct es_simd {
    /** out[i] = f(x[i]); out == x is allowed. exp <= 1.5 ulp (results below the normal range may be
     *  0), tanh <= 4 ulp, log <= 2 ulp (log of a subnormal may be -inf). */
    void (*exp)(const float *x, float *out, size_t n);
    void (*tanh)(const float *x, float *out, size_t n);
    void (*log)(const float *x, float *out, size_t n);

    /** One row and mode of a Gaussian with mean m = o[j] + b[j] and log inverse scale
     *  t = range tanh((o[d+j] + b[d+j] + offset[j]) / range), offset NULL: 0:
     *  returns sum_j t - (exp(t) (y[j] - m))^2 / 2.
     *  With `gradient`, o is overwritten by `scale` times the derivative of that sum with respect
     * to o (mean part, then scale part), and `sum` (2d), when given, has it added. */
    double (*gauss)(float *o, const float *b, const float *offset, const float *y, size_t d,
                    float range, bool gradient, float scale, float *sum);

    /** One row and mode of a product of Bernoulli masses, p = sigmoid(slope (o + b + offset)):
     *  returns sum_j log((y ? p : 1 - p) + ES_MASS_FLOOR); y is 0 or 1, offset may be NULL.
     * Gradient as above; sum has d values. */
    double (*bernoulli)(float *o, const float *b, const float *offset, const float *y, size_t d,
                        float slope, bool gradient, float scale, float *sum);

    /** x *= a, and sum += x. */
    void (*scale_sum)(float *x, float a, float *sum, size_t n);

    /** x += bias, then max(x, 0) when relu. */
    void (*activate)(float *x, const float *bias, bool relu, size_t n);

    /** hat = (x - mean) / sqrt(variance + 1e-5); returns the factor. Population variance. */
    float (*normalize)(const float *x, float *hat, size_t n);

    /** Back through normalisation and activation of one row, in place: d holds the derivative by
     *  hat (by x when hat is NULL) and becomes the one before the activation; sum += d. */
    void (*activate_back)(float *d, const float *x, const float *hat, float factor, bool relu,
                          float *sum, size_t n);

    void (*adam)(const es_adam_row *row, size_t n, const es_adam_step *step);

    /** c (m, n) = A B for B (k, n) and A[i][l] = a[i * row + l * step], so that A may be a
     * transpose. As fast as a library's, and twice as fast with few rows or a short k, where its
     * copying into its own layout costs most. A value of c has the same bits whatever others are
     * computed with it. ldb and ldc are the distances of rows. Takes up to 260 KB of stack. */
    void (*product)(size_t m, size_t n, size_t k, const float *a, size_t row, size_t step,
                    const float *b, size_t ldb, float *c, size_t ldc);

    /** folded = p * gain; returns the sum of p * shift. */
    float (*fold)(const float *p, const float *gain, const float *shift, float *folded, size_t n);

    /** sum_j weight[j] (y[j] - p[j])^2. */
    double (*misfit)(const float *y, const float *p, const float *weight, size_t n);

    /** Minus twice the log density of independent Gaussians, without its constant:
     *  sum_j (y_j - p_j)^2 / v_j + ln v_j, v_j = max(wider / inverse_j, least), where `log` holds
     *  ln(1 / inverse_j). */
    double (*widened)(const float *y, const float *p, const float *inverse, const float *log,
                      float wider, float least, size_t n);
} es_simd;

extern const es_simd es_simd_ref;
#if defined(__x86_64__)
extern const es_simd es_simd_avx2, es_simd_avx512;
#endif

/* Which of the vector kernels this machine runs. */

/** The kernels of a level; of the best level below it where this build lacks them. Never NULL. */
const es_simd *es_simd_get(es_isa level);

/** Constants of Adam's step number t (1, 2, ...) with PyTorch's defaults 0.9, 0.999, 1e-8. */
es_adam_step es_adam_at(unsigned t, double rate);

/* Feed-forward networks with hand-written gradients, trained by Adam.
 *
 * A layer is [layer normalisation] -> linear -> [ReLU]. What a normalised layer's gain and shift do
 * is folded into its weights (weight' = weight * gain, bias' = bias + weight shift), so that
 * forward and backward passes see plain linear layers; the gradients of gain and shift follow from
 * the one of weight'. The input of the first layer needs no gradient, unless it was made by
 * something that learns too (d_in). Since the rows of
 * the input do not change in training, callers normalise them once (es_net_normalize) when the
 * first layer asks for it. Float storage; the forward products are OpenBLAS's, the backward ones
 * es_simd.product's; gradients of a weight matrix are consumed by Adam block by block while they
 * are in the cache.
 *
 * Memory is the arena's; nothing is allocated after es_net_init. */

enum { ES_NET_LAYERS = 8 };

typedef struct es_layer {
    size_t in, out;
    bool norm; /* normalises its input */
    bool relu; /* max(., 0) on its output */
} es_layer;

/** One layer's tensors, in this order in a block of parameters. */
typedef struct es_layer_tensors {
    float *gain, *shift; /* (in); only when norm */
    float *weight;       /* (out, in) */
    float *bias;         /* (out) */
} es_layer_tensors;

/** A derivative by the output that is zero almost everywhere, as that of a mixture is once its
 * modes have parted: in each row only the modes that hold a share of it count. The output's columns
 * fall into `count` blocks of `width`, which other columns may follow. */
typedef struct es_net_parts {
    size_t count, width;
    unsigned char *live; /* (max_rows, count) 0: this block of this row is zero, and never read */
    uint32_t *rows;      /* scratch of one block: (max_rows) its live rows, */
    float *d_out, *in;   /* (max_rows, width) and (max_rows, in) what they hold, */
    float *d_in;         /* (max_rows, in) and the derivative by their input */
} es_net_parts;

typedef struct es_net {
    const es_simd *simd;
    size_t n_layers, max_rows;
    es_layer layer[ES_NET_LAYERS];

    size_t n_params;
    float *param, *moment1, *moment2; /* (n_params) */
    es_layer_tensors tensor[ES_NET_LAYERS];
    float *weight[ES_NET_LAYERS]; /* (out, in) with gain folded in */
    float *bias[ES_NET_LAYERS];   /* (out) with shift folded in */
    unsigned steps;               /* of Adam so far */
    double last_rate;             /* of the last layer; 0: as the others'. The caller's */

    float
        *value[ES_NET_LAYERS]; /* (max_rows, out) after ReLU; of the last layer without its bias */
    float *hat[ES_NET_LAYERS]; /* (max_rows, in) normalised input of layer i > 0; NULL: value */
    float *factor[ES_NET_LAYERS]; /* (max_rows) 1 / standard deviation of those */
    float *slope[2];              /* (max_rows, widest) derivatives by outputs, turn about */
    float *d_bias[2];             /* (widest) their sums over rows */
    float *d_gain, *d_shift;      /* (widest in) */
    float *block;                 /* gradient of some rows of a weight matrix */
    es_net_parts parts;           /* count 0: none */
    float *d_in; /* (max_rows, d_ins) derivative by the first d_ins columns of x, which es_net_step
                    makes; NULL: not wanted. The caller's; the first layer must not normalise */
    size_t d_ins;
    const es_run *run; /* once it is cancelled, es_net_random, _forward and _step leave early and
                          what they hold is void; NULL: never */
} es_net;

/** Sizes and memory for batches up to max_rows; parameters are undefined until es_net_random. */
es_status es_net_init(es_net *net, const es_simd *simd, const es_layer *layers, size_t n_layers,
                      size_t max_rows, es_arena *arena, es_error *err);

/** From now on es_net_step skips what net->parts.live, to be filled before each step, calls zero.
 */
es_status es_net_part(es_net *net, size_t count, size_t width, es_arena *arena, es_error *err);

/** PyTorch's initial state: weights and biases uniform on +-1/sqrt(in), gain 1, shift 0; clears
 *  Adam. The last layer's weights are multiplied by last_scale. */
void es_net_random(es_net *net, es_rng *rng, float last_scale);

/** Call after writing to tensor[] from outside. */
void es_net_fold(es_net *net);

/** Copy the parameters out, or back in. (n_params) */
void es_net_save(const es_net *net, float *out);
void es_net_load(es_net *net, const float *in);

/** (rows, in) row by row to mean 0 and variance 1; out == x is allowed. */
void es_net_normalize(const es_simd *simd, const float *x, size_t rows, size_t n, float *out);

/** x (rows, in), rows <= max_rows. Returns (rows, out) of the last layer, to which the caller adds
 *  net->bias[last]; valid, and free to be overwritten, until the next call. */
float *es_net_forward(es_net *net, const float *x, size_t rows);

/** One Adam step after es_net_forward with the same x. `d_out` (rows, out) holds the derivative of
 *  the loss by the output, `d_bias` (out) its sum over rows. */
void es_net_step(es_net *net, const float *x, size_t rows, const float *d_out, const float *d_bias,
                 double rate);

/** Floating-point operations of one forward and backward pass of one row, matrix products only;
 *  parts that are skipped count too. */
double es_net_flops(const es_net *net);

/* Descriptive statistics and rank correlation, as used on scores and on downstream results.
 *
 * Nothing here takes a missing value for a number: NaN and infinities are left out (in pairs where
 * there are pairs), and what cannot be computed is NaN with the reason beside it. The results do
 * not depend on the order in which the values are given. Errors: ES_ENOMEM only. */

extern const char ES_WHY_CONSTANT[]; /* "constant": one side has one value only */
extern const char ES_WHY_FEW[];      /* "n < 3" */
extern const char ES_WHY_EMPTY[];    /* "no values" */

es_stat es_stat_of(double value);
es_stat es_stat_undefined(const char *why);

/** Copies the finite values of v (n) to out (n); returns how many. out may be v. */
size_t es_stat_finite(const double *v, size_t n, double *out);

/* The next four give NaN for n = 0. They reorder v (n), which must be finite. O(n). */

/** The middle value, or the midpoint of the two in the middle. */
double es_stat_median(double *v, size_t n);
/** Linear interpolation between order statistics at position q (n - 1), q in [0, 1] (NumPy's and
 * R's default, type 7). */
double es_stat_quantile(double *v, size_t n, double q);
double es_stat_mean(const double *v, size_t n);
/** Ranks 1..n in ascending order; equal values share the mean of their ranks. x finite, rank (n).
 */
es_status es_stat_midranks(const double *x, size_t n, double *rank, es_error *err);
/** Values no further from the next one than `tolerance` count as equal: what rounding has parted.
 */
es_status es_stat_midranks_within(const double *x, size_t n, double tolerance, double *rank,
                                  es_error *err);

/** Student's t and the standard normal: distribution functions and quantiles. df >= 1, 0 < p < 1.
 *  Accurate to 1e-14 for df up to 400, to 1e-12 beyond; O(sqrt(df)) there. */
double es_normal_cdf(double z);
double es_normal_quantile(double p);
double es_student_cdf(double t, size_t df);
double es_student_quantile(double p, size_t df);
/** Probability that |T| exceeds |t|; df > 0 need not be a whole number. Accurate to 1e-10. */
double es_student_tail(double t, double df);

/* Paired values, sorted once so that any resample of them has its correlations in O(n log n)
 * without sorting again. */

typedef struct es_pairs {
    size_t n;       /* pairs with both values finite */
    double *x, *y;  /* (n) sorted by x, then y: the order given by the caller does not matter */
    uint32_t *from; /* (n) position in the caller's arrays */
    uint32_t *x_class, *y_class; /* (n) 0, 1 ... for each different value, ascending */
    size_t x_classes, y_classes;
    /* scratch of es_pairs_stat */
    size_t capacity; /* largest resample */
    uint32_t *item, *by_y, *tally;
    double *weight, *tree;
} es_pairs;

/** Keeps the pairs of x, y (n) where both are finite. */
es_status es_pairs_init(es_pairs *pairs, const double *x, const double *y, size_t n, es_error *err);
void es_pairs_deinit(es_pairs *pairs);

/** The correlation of a resample with count[i] copies of pair i, n copies in all at most; count
 * NULL: each once. "no values" below two copies. */
es_stat es_pairs_stat(es_pairs *pairs, es_correlation kind, const uint32_t *count);

/** Mid-ranks of both sides in the pairs' order: rx, ry (n). */
void es_pairs_midranks(es_pairs *pairs, double *rx, double *ry);

/* Principal axes, by the smaller of the two Gram matrices. */

typedef struct es_pca {
    size_t rank; /* axes with more than 1e-10 of the largest variance */
    size_t axes; /* of which there are vectors */
    size_t d;
    double *var;  /* (rank) descending: sum of squares along the axis / (n - 1), or of a single row
                     the square */
    double *axis; /* (axes, d) orthonormal rows */
    double total; /* of all variances, dropped ones included */
} es_pca;

/** Of the rows as they are: centre them first for a PCA. most: so many axes at most are wanted, 0
 *  for variances alone, ES_PCA_ALL for all; of few axes among thousands (ES_PCA_LARGE) neither the
 *  other axes nor their variances are worked out, and rank counts those that are. O(n d min(n, d)).
 *  ES_ENOMEM, ES_ENOCONV, and ES_EINVAL above 30,000 rows and columns. */
#define ES_PCA_ALL SIZE_MAX
enum { ES_PCA_LARGE = 1000, ES_PCA_FEW = 50 /* a fiftieth of them is few */ };
es_status es_pca_new(const es_matrix *m, size_t most, es_pca *out, es_error *err);
/** The same of n rows of d columns, n >= d, of which the products of columns are known: gram (d,
 * d), its lower triangle, is overwritten. */
es_status es_pca_of_columns(size_t n, size_t d, double *gram, size_t most, es_pca *out,
                            es_error *err);
void es_pca_free(es_pca *pca);

/** The smallest number of axes that explain this share of the variance, 1e-12 less being enough; at
 * least 1 when there are any. */
size_t es_pca_axes(const es_pca *pca, double share);

/** out (n, k): the rows of m along the first k axes, k <= pca->axes. */
es_status es_pca_project(const es_pca *pca, const es_matrix *m, size_t k, es_matrix *out,
                         es_error *err);

/* Settings with a name, a default and a range, as estimators and measures have them. */

/** Index of a setting, or `count` when there is none of that key. */
size_t es_setting_find(const es_setting *settings, size_t count, const char *key);

/** The value that `text` means. ES_EINVAL says the range or the choices. */
es_status es_setting_read(const es_setting *setting, const char *text, double *value,
                          es_error *err);

/** Apply one "key=value" to values (count). ES_EINVAL as above; ES_ENOTFOUND: `owner` has no such
 *  key, and which it has. */
es_status es_setting_assign(const es_setting *settings, size_t count, const char *owner,
                            const char *assignment, double *values, es_error *err);

/** Canonical text "clip=3 folds=1 lambda=auto", keys in their order, without those that came later
 *  and are at what was before. Writes at most capacity bytes
 *  with the NUL; returns the full length. */
size_t es_setting_text(const es_setting *settings, size_t count, const double *values, char *out,
                       size_t capacity);

/* Sorting and selecting, for statistics. Values are never NaN here. */

/** Sorts index (n) stably by ascending key[index[.]]: equal keys keep the order in which they come.
 *  scratch (n). O(n). */
void es_sort_index(const double *key, uint32_t *index, uint32_t *scratch, size_t n);
/** The plain twin. */
void es_sort_index_ref(const double *key, uint32_t *index, uint32_t *scratch, size_t n);

/** index (n): 0 to n - 1 by ascending key, equal keys in order. scratch (n). */
void es_sort_order(const double *key, uint32_t *index, uint32_t *scratch, size_t n);

/** The k-th smallest (from 0) moves to v[k], values before it are <= v[k], those behind >= v[k].
 *  Returns v[k]. O(n) expected. */
double es_select(double *v, size_t n, size_t k);

#endif
