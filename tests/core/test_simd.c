/* Vector kernels against the plain ones: error bounds over the whole range, odd lengths, edges. */
#include <float.h>

#include "every_isa.h"

enum { MOST = 272 };

static float from_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Distance in units of the last place of the float nearest to `right`. */
static double ulps(float got, double right) {
    if (isnan(right) || isnan(got))
        return isnan(right) && isnan(got) ? 0 : INFINITY;
    float near = (float)right;
    if (isinf(near) || isinf(got))
        return near == got ? 0 : INFINITY;
    float size = fabsf(near) < FLT_MIN ? FLT_MIN : fabsf(near);
    return fabs((double)got - right) / (double)(nextafterf(size, INFINITY) - size);
}

typedef struct fn {
    const char *name;
    double (*right)(double);
    double bound;
} fn;
static const fn fns[] = {{"exp", exp, 1.5}, {"tanh", tanh, 4}, {"log", log, 2}};

static void call(const es_simd *simd, int which, const float *x, float *out, size_t n) {
    if (which == 0)
        simd->exp(x, out, n);
    else if (which == 1)
        simd->tanh(x, out, n);
    else
        simd->log(x, out, n);
}

/* Every 509th bit pattern of a float: all exponents, both signs, NaN, infinities, subnormals. */
TEST_ISA(simd__functions__stay_within_stated_bounds) {
    for (int which = 0; which < 3; which++) {
        double worst = 0;
        float where = 0;
        for (uint64_t bits = 0; bits <= UINT32_MAX;) {
            float x[MOST], y[MOST];
            for (int i = 0; i < MOST; i++, bits += 509)
                x[i] = from_bits((uint32_t)bits);
            call(simd, which, x, y, MOST);
            for (int i = 0; i < MOST; i++) {
                double right = fns[which].right((double)x[i]);
                double off = ulps(y[i], right);
                bool vanishing =
                    which == 0 && fabs(right) < (double)FLT_MIN && y[i] >= 0 && y[i] <= FLT_MIN;
                if (!vanishing && !(off <= worst)) {
                    worst = off;
                    where = x[i];
                }
            }
        }
        if (!(worst <= fns[which].bound))
            fail_msg("%s(%a): %.2f ulp", fns[which].name, (double)where, worst);
    }
}

TEST_ISA(simd__functions__keep_nan_and_reach_limits) {
    float x[5] = {NAN, INFINITY, -INFINITY, 0, -1}, y[5];
    simd->exp(x, y, 5);
    assert_true(isnan(y[0]) && isinf(y[1]) && y[2] == 0 && y[3] == 1);
    simd->tanh(x, y, 5);
    assert_true(isnan(y[0]) && y[1] == 1 && y[2] == -1 && y[3] == 0);
    simd->log(x, y, 5);
    assert_true(isnan(y[0]) && isinf(y[1]) && isnan(y[2]) && y[3] == -INFINITY && isnan(y[4]));
}

static void fill(es_rng *rng, float *x, size_t n, double scale) {
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(scale * es_rng_normal(rng));
}

static void check_close(const float *a, const float *b, size_t n, double tolerance,
                        const char *what, size_t d) {
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)a[i] - (double)b[i]) <= tolerance * (1 + fabs((double)b[i]))))
            fail_msg("%s, length %zu, value %zu: %.9g, expected %.9g", what, d, i, (double)a[i],
                     (double)b[i]);
}

static const size_t lengths[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 129};

/* A canary after every output finds a store past the end. */
TEST_ISA(simd__gauss__equals_plain_twin) {
    es_rng rng = test_rng(1, 1);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int mode = 0; mode < 4; mode++) {
            size_t d = lengths[i];
            float o[2 * MOST], p[2 * MOST], b[2 * MOST], y[MOST], s[2 * MOST], t[2 * MOST], l[MOST];
            fill(&rng, o, 2 * MOST, 1);
            fill(&rng, b, 2 * MOST, 1);
            fill(&rng, y, MOST, 2);
            fill(&rng, l, MOST, 1);
            fill(&rng, s, 2 * MOST, 1);
            memcpy(p, o, sizeof o);
            memcpy(t, s, sizeof s);
            const float *offset = mode == 3 ? l : NULL;
            float *sum = mode >= 2 ? s : NULL, *sum_ref = mode >= 2 ? t : NULL;
            double got = simd->gauss(o, b, offset, y, d, 1.5F, mode > 0, -0.25F, sum);
            double right = es_simd_ref.gauss(p, b, offset, y, d, 1.5F, mode > 0, -0.25F, sum_ref);
            assert_true(fabs(got - right) <= 1e-5 * (1 + fabs(right)));
            check_close(o, p, 2 * MOST, 3e-5, "gauss", d);
            check_close(s, t, 2 * MOST, 3e-5, "gauss sum", d);
        }
}

TEST_ISA(simd__bernoulli__equals_plain_twin) {
    es_rng rng = test_rng(1, 2);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int mode = 0; mode < 4; mode++) {
            size_t d = lengths[i];
            float o[MOST], p[MOST], b[MOST], off[MOST], y[MOST], s[MOST], t[MOST];
            fill(&rng, o, MOST, mode == 3 ? 5 : 0.3);
            fill(&rng, b, MOST, 0.3);
            fill(&rng, off, MOST, 0.3);
            fill(&rng, y, MOST, 1);
            fill(&rng, s, MOST, 1);
            for (size_t j = 0; j < MOST; j++)
                y[j] = y[j] > 0 ? 1 : 0;
            memcpy(p, o, sizeof o);
            memcpy(t, s, sizeof s);
            const float *offset = mode % 2 ? off : NULL;
            float *sum = mode == 2 ? s : NULL, *sum_ref = mode == 2 ? t : NULL;
            double got = simd->bernoulli(o, b, offset, y, d, 10, mode > 0, 0.5F, sum);
            double right = es_simd_ref.bernoulli(p, b, offset, y, d, 10, mode > 0, 0.5F, sum_ref);
            assert_true(fabs(got - right) <= 1e-5 * (1 + fabs(right)));
            check_close(o, p, MOST, 1e-4, "bernoulli", d);
            check_close(s, t, MOST, 1e-4, "bernoulli sum", d);
        }
}

TEST_ISA(simd__layer_kernels__equal_plain_twins) {
    es_rng rng = test_rng(1, 3);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int relu = 0; relu < 2; relu++) {
            size_t n = lengths[i];
            float a[MOST], b[MOST], bias[MOST], hat[MOST], hat_ref[MOST], g[MOST], h[MOST], s[MOST],
                t[MOST];
            fill(&rng, a, MOST, 1);
            fill(&rng, bias, MOST, 1);
            fill(&rng, g, MOST, 1);
            fill(&rng, s, MOST, 1);
            memcpy(b, a, sizeof a);
            memcpy(h, g, sizeof g);
            memcpy(t, s, sizeof s);
            memcpy(hat, a, sizeof a);
            memcpy(hat_ref, a, sizeof a);
            simd->activate(a, bias, relu, n);
            es_simd_ref.activate(b, bias, relu, n);
            check_close(a, b, MOST, 0, "activate", n);
            float f = simd->normalize(a, hat, n), f_ref = es_simd_ref.normalize(a, hat_ref, n);
            check_close(&f, &f_ref, 1, 1e-5, "normalize", n);
            check_close(hat, hat_ref, MOST, 1e-5, "normalize", n);
            bool norm = i % 3 != 0;
            simd->activate_back(g, a, norm ? hat : NULL, f, relu, s, n);
            es_simd_ref.activate_back(h, a, norm ? hat : NULL, f, relu, t, n);
            /* rows of one or two values have variance near 0, and factors near 300 */
            check_close(g, h, MOST, n < 3 ? 1e-3 : 2e-5, "activate_back", n);
            check_close(s, t, MOST, n < 3 ? 1e-3 : 2e-5, "activate_back sum", n);
            simd->scale_sum(g, -0.3F, s, n);
            es_simd_ref.scale_sum(h, -0.3F, t, n);
            check_close(s, t, MOST, n < 3 ? 1e-3 : 4e-5, "scale_sum", n);
        }
}

TEST_ISA(simd__adam_and_fold__equal_plain_twins) {
    es_rng rng = test_rng(1, 4);
    const es_adam_step step = {0.9F, 0.999F, 1e-8F, 0.003F, 5};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int norm = 0; norm < 2; norm++) {
            size_t n = lengths[i];
            float x[2][7][MOST]; /* p m v g gain shift sums, twice */
            float d_shift[2][MOST];
            for (int k = 0; k < 7; k++)
                fill(&rng, x[0][k], MOST, 1);
            for (size_t j = 0; j < MOST; j++)
                x[0][2][j] = fabsf(x[0][2][j]);
            fill(&rng, d_shift[0], MOST, 1);
            memcpy(x[1], x[0], sizeof x[0]);
            memcpy(d_shift[1], d_shift[0], sizeof d_shift[0]);
            for (int twin = 0; twin < 2; twin++) {
                es_adam_row row = {
                    .p = x[twin][0], .m = x[twin][1], .v = x[twin][2], .g = x[twin][3]};
                if (norm) {
                    row.gain = x[twin][4];
                    row.shift = x[twin][5];
                    row.d_gain = x[twin][6];
                    row.d_shift = d_shift[twin];
                    row.delta = 0.7F;
                }
                (twin ? &es_simd_ref : simd)->adam(&row, n, &step);
            }
            for (int k = 0; k < 7; k++)
                check_close(x[0][k], x[1][k], MOST, 2e-6, "adam", n);
            check_close(d_shift[0], d_shift[1], MOST, 2e-6, "adam shift", n);
            float f[MOST] = {0}, f_ref[MOST] = {0};
            float dot = simd->fold(x[0][0], x[0][4], x[0][5], f, n);
            float dot_ref = es_simd_ref.fold(x[0][0], x[0][4], x[0][5], f_ref, n);
            check_close(f, f_ref, MOST, 1e-6, "fold", n);
            check_close(&dot, &dot_ref, 1, 1e-5, "fold", n);
        }
}

/* Both forms of A, all remainders of rows and columns, sums of one step and of several blocks. */
TEST_ISA(simd__product__equals_plain_twin) {
    enum { M = 13, N = 71, DEPTH = 300 };
    static float a[M * DEPTH], b[DEPTH * N], c[M * (N + 1)], d[M * (N + 1)];
    static const size_t ms[] = {1, 2, 3, 4, 5, 6, 7, 13};
    static const size_t ns[] = {1, 8, 15, 16, 17, 32, 33, 63, 64, 65, 71},
                        ks[] = {1, 127, 128, 257, 300};
    es_rng rng = test_rng(1, 5);
    fill(&rng, a, (size_t)M * DEPTH, 1);
    fill(&rng, b, (size_t)DEPTH * N, 1);
    for (size_t i = 0; i < sizeof ms / sizeof *ms; i++)
        for (size_t j = 0; j < sizeof ns / sizeof *ns; j++)
            for (size_t l = 0; l < sizeof ks / sizeof *ks; l++)
                for (int transpose = 0; transpose < 2; transpose++) {
                    size_t row = transpose ? 1 : DEPTH, step = transpose ? M : 1;
                    fill(&rng, c, (size_t)M * (N + 1), 1);
                    memcpy(d, c, sizeof c);
                    simd->product(ms[i], ns[j], ks[l], a, row, step, b, N, c, N + 1);
                    es_simd_ref.product(ms[i], ns[j], ks[l], a, row, step, b, N, d, N + 1);
                    check_close(c, d, (size_t)M * (N + 1), 2e-5, "product", ks[l]);
                }
}

/* Large enough that both sides are copied, in several pieces: every value is within rounding of the
 * plain twin's, and has the bits that it has by itself, uncopied. */
TEST_ISA(simd__product__has_the_same_bits_in_any_company) {
    enum { M = 203, N = 801, DEPTH = 270 };
    static float a[M * DEPTH], b[DEPTH * N], c[M * N], alone[7 * N];
    es_rng rng = test_rng(1, 7);
    fill(&rng, a, (size_t)M * DEPTH, 1);
    fill(&rng, b, (size_t)DEPTH * N, 1);
    for (int transpose = 0; transpose < 2; transpose++) {
        size_t row = transpose ? 1 : DEPTH, step = transpose ? M : 1;
        simd->product(M, N, DEPTH, a, row, step, b, N, c, N);
        for (size_t i = 0; i < M; i += 29)
            for (size_t j = 0; j < N; j += 101) {
                float x;
                es_simd_ref.product(1, 1, DEPTH, a + i * row, row, step, b + j, N, &x, 1);
                check_close(c + i * N + j, &x, 1, 5e-5, "product", DEPTH);
                simd->product(1, 1, DEPTH, a + i * row, row, step, b + j, N, &x, 1);
                assert_memory_equal(&x, c + i * N + j, sizeof x);
            }
        simd->product(7, 40, DEPTH, a + 190 * row, row, step, b + 760, N, alone, N);
        for (size_t i = 0; i < 7; i++)
            assert_memory_equal(alone + i * N, c + (190 + i) * N + 760, 40 * sizeof *c);
    }
}

/* Every height and width of a tile, with the last vector cut at every lane: the bits of a value by
 * itself. */
TEST_ISA(simd__narrow_products__have_the_bits_of_single_values) {
    enum { M = 14, N = 83, DEPTH = 131 };
    static float a[M * DEPTH], b[DEPTH * N], c[M * N], single[M * N];
    es_rng rng = test_rng(1, 8);
    fill(&rng, a, (size_t)M * DEPTH, 1);
    fill(&rng, b, (size_t)DEPTH * N, 1);
    for (int transpose = 0; transpose < 2; transpose++) {
        size_t row = transpose ? 1 : DEPTH, step = transpose ? M : 1;
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j < N; j++)
                simd->product(1, 1, DEPTH, a + i * row, row, step, b + j, N, single + i * N + j, N);
        for (size_t m = 1; m <= M; m++)
            for (size_t n = 1; n <= N; n++) {
                simd->product(m, n, DEPTH, a, row, step, b, N, c, N);
                for (size_t i = 0; i < m; i++)
                    assert_memory_equal(c + i * N, single + i * N, n * sizeof *c);
            }
    }
}

TEST_ISA(simd__errors__equal_plain_twins) {
    es_rng rng = test_rng(1, 6);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = lengths[i];
        float x[3][MOST], weight[MOST], variance_log[MOST];
        for (int k = 0; k < 3; k++)
            fill(&rng, x[k], MOST, 2);
        for (size_t j = 0; j < MOST; j++)
            weight[j] = 1 + x[2][j] * x[2][j];
        double e = simd->misfit(x[0], x[1], weight, n);
        double e_ref = es_simd_ref.misfit(x[0], x[1], weight, n);
        if (!(fabs(e - e_ref) <= 1e-6 * e_ref))
            fail_msg("misfit, length %zu: %.9g, expected %.9g", n, e, e_ref);
        for (size_t j = 0; j < MOST; j++)
            variance_log[j] = -logf(weight[j]);
        double w = simd->widened(x[0], x[1], weight, variance_log, 1.25F, 0.5F, n);
        double w_ref = es_simd_ref.widened(x[0], x[1], weight, variance_log, 1.25F, 0.5F, n);
        if (!(fabs(w - w_ref) <= 1e-6 * (e_ref + (double)n)))
            fail_msg("widened, length %zu: %.9g, expected %.9g", n, w, w_ref);
        x[1][n - 1] = NAN;
        assert_true(isnan(simd->widened(x[0], x[1], weight, variance_log, 1.25F, 0.5F, n)));
        assert_true(isnan(simd->misfit(x[0], x[1], weight, n)));
    }
}
