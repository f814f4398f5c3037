/* Vector kernels of the density network, one table per instruction set.
 *
 *   simd.h         the choice of a table
 *   simd_ref.c     plain C, float with double sums: what the others must agree with
 *   simd_avx2.c    8 lanes  \ both compile simd_body.h
 *   simd_avx512.c  16 lanes /
 *
 * All kernels work on one row, allocate nothing, accept any length and alignment, and let NaN
 * through. Error bounds hold against the correctly rounded value, in units in the last place (ulp).
 */
#ifndef ES_CORE_SIMD_KERNELS_H
#define ES_CORE_SIMD_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
