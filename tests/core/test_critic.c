/* Values of score matrices and gradients of critics, against references and finite differences. */
#include "methods.h"

#include "core_alike.h"

#define TABLE "../contrastive/expected.csv"

static void check_values(const char *key, const double *s, size_t n, double tolerance) {
    es_score_values v;
    es_score_values_of(s, n, &v);
    assert_near(v.infonce[0], methods_value(TABLE, "%s/infonce_row", key), tolerance);
    assert_near(v.infonce[1], methods_value(TABLE, "%s/infonce_col", key), tolerance);
    assert_near(v.dv, methods_value(TABLE, "%s/dv", key), tolerance);
    assert_near(v.nwj, methods_value(TABLE, "%s/nwj", key), tolerance);
    assert_near(v.smile, methods_value(TABLE, "%s/smile_clip5", key), tolerance);
    assert_near(v.js, methods_value(TABLE, "%s/js_fgan", key), tolerance);
    assert_near(v.margin[0], methods_value(TABLE, "%s/loo_margin_mean", key), tolerance);
    assert_near(v.match[0], methods_value(TABLE, "%s/cmim_p_mean", key), tolerance);
    assert_near(v.surprise[0], methods_value(TABLE, "%s/cmim_neglogp_mean", key), tolerance);
    assert_near(log((double)n) - es_infonce_loss_ref(s, n, NULL),
                methods_value(TABLE, "%s/infonce_sym", key), tolerance);
}

static void scores8(double *s) {
    for (size_t k = 0; k < 64; k++)
        s[k] = methods_value(TABLE, "scores8/s/%zu/%zu", k / 8, k % 8);
}

TEST(score_matrix__of_fixed_scores__is_the_reference) {
    static double s[50 * 50];
    scores8(s);
    check_values("scores8", s, 8, 1e-9);
    for (size_t k = 0; k < 25; k++)
        s[k] = 3;
    es_score_values v;
    es_score_values_of(s, 5, &v);
    assert_near(v.infonce[0], 0, 1e-12);
    assert_near(v.match[0], 0.5, 1e-12);
    assert_near(v.margin[1], 0, 1e-12);
    for (size_t k = 0; k < 2500; k++)
        s[k] = k % 51 == 0 ? 100 : 0;
    check_values("perfect_50", s, 50, 1e-9);
}

/* The best critic of Gaussian pairs: the log of the density over the product of its parts. */
TEST(score_matrix__of_exact_critics__is_the_reference) {
    static const char *const key[] = {"0.5_d4", "0.9_d4", "0.99_d8"};
    static double s[256 * 256];
    for (size_t k = 0; k < 3; k++) {
        char file[80], name[40];
        double rho = strtod(key[k], NULL), rest = 1 - rho * rho;
        snprintf(file, sizeof file, "../contrastive/gauss_r%s_U.npy", key[k]);
        es_matrix u = methods_npy(file);
        snprintf(file, sizeof file, "../contrastive/gauss_r%s_V.npy", key[k]);
        es_matrix v = methods_npy(file);
        for (size_t i = 0; i < 256; i++)
            for (size_t j = 0; j < 256; j++) {
                double sum = -(double)u.d / 2 * log(rest);
                for (size_t c = 0; c < u.d; c++) {
                    double x = u.x[i * u.d + c], y = v.x[j * u.d + c];
                    sum -= (rho * rho * (x * x + y * y) - 2 * rho * x * y) / (2 * rest);
                }
                s[i * 256 + j] = sum;
            }
        snprintf(name, sizeof name, "gauss_rho%s", key[k]);
        check_values(name, s, 256, 1e-7); /* its rows were rounded to floats afterwards */
    }
}

TEST(score_matrix__gradient__is_the_reference_and_the_slope) {
    double s[64], g[64];
    scores8(s);
    es_infonce_loss_ref(s, 8, g);
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8; j++) {
            double column = 0, step = 1e-5, *at = &s[8 * i + j], own = *at;
            for (size_t k = 0; k < 8; k++)
                column += exp(s[8 * k + j]);
            double by_column = exp(own) / column - (i == j),
                   by_row = methods_value(TABLE, "scores8/infonce_dL_dS/%zu/%zu", i, j);
            assert_near(g[8 * i + j], (by_row + by_column) / 16, 1e-9);
            *at = own + step;
            double above = es_infonce_loss_ref(s, 8, NULL);
            *at = own - step;
            double below = es_infonce_loss_ref(s, 8, NULL);
            *at = own;
            assert_near(g[8 * i + j], (above - below) / (2 * step), 1e-8);
        }
}

enum { ROWS = 9, MOST = 2000 };

static const es_critic_shape shapes[] = {
    {.kind = ES_CRITIC_COSINE, .d = {5, 7}, .h = 3},
    {.kind = ES_CRITIC_BILINEAR, .d = {5, 7}, .h = 3},
    {.kind = ES_CRITIC_MLP, .d = {5, 7}, .h = 3, .hidden = 6},
    {.kind = ES_CRITIC_COSINE, .d = {5, 3}, .h = 3, .fixed = true},
    {.kind = ES_CRITIC_MLP, .d = {5, 3}, .h = 3, .hidden = 6, .fixed = true},
    {.kind = ES_CRITIC_COSINE, .d = {19, 33}, .h = 17},
};

/* Parameters and rows that a float holds exactly. */
static size_t draw(const es_critic_shape *shape, double *param, double *u, double *v) {
    size_t n = es_critic_params(shape);
    es_rng rng = test_rng(3, n);
    assert_true(n <= MOST);
    for (size_t i = 0; i < n; i++)
        param[i] = (double)(float)(es_rng_normal(&rng) / 2);
    param[n - 1] = 1.25;
    for (size_t i = 0; i < ROWS * shape->d[0]; i++)
        u[i] = (double)(float)es_rng_normal(&rng);
    for (size_t i = 0; i < ROWS * shape->d[1]; i++)
        v[i] = (double)(float)es_rng_normal(&rng);
    return n;
}

static double param[MOST], gradient[MOST], u[MOST], v[MOST];

TEST(critic__gradient_of_every_parameter__is_the_slope) {
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        size_t n = draw(&shapes[k], param, u, v);
        assert_true(es_critic_loss_ref(&shapes[k], param, u, v, ROWS, gradient, NULL) > 0);
        for (size_t i = 0; i < n; i++) {
            double own = param[i], step = 1e-5;
            param[i] = own + step;
            double above = es_critic_loss_ref(&shapes[k], param, u, v, ROWS, NULL, NULL);
            param[i] = own - step;
            double below = es_critic_loss_ref(&shapes[k], param, u, v, ROWS, NULL, NULL);
            param[i] = own;
            assert_near(gradient[i], (above - below) / (2 * step), 1e-8);
        }
    }
}

static es_critic *critic_of(const es_critic_shape *shape, es_isa isa, float *x, float *y) {
    es_critic *c = NULL;
    size_t n = draw(shape, param, u, v);
    assert_ok(es_critic_new(shape, ROWS + 2, es_simd_get(isa), &c, NULL));
    es_critic_random(c, 1, 0.5);
    for (size_t i = 0; i < n; i++)
        c->param[i] = (float)param[i];
    for (size_t i = 0; i < ROWS * shape->d[0]; i++)
        x[i] = (float)u[i];
    for (size_t i = 0; i < ROWS * shape->d[1]; i++)
        y[i] = (float)v[i];
    return c;
}

TEST(critic__in_floats__agrees_with_its_twin) {
    static float x[MOST], y[MOST];
    double scores[ROWS * ROWS];
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (es_isa isa = ES_ISA_REF; isa <= es_isa_best(); isa++) {
            es_critic *c = critic_of(&shapes[k], isa, x, y);
            double twin = es_critic_loss_ref(&shapes[k], param, u, v, ROWS, gradient, scores);
            assert_near(es_critic_gradient(c, x, y, ROWS), twin, 1e-4);
            for (size_t i = 0; i < c->n_params; i++)
                assert_near((double)c->grad[i], gradient[i], 1e-4);
            assert_near(es_critic_loss(c, x, y, ROWS), twin, 1e-4);
            const float *s = es_critic_scores(c, x, y, ROWS);
            for (size_t i = 0; i < ROWS * ROWS; i++)
                assert_near((double)s[i], scores[i], 1e-4);
            es_critic_free(c);
        }
}

TEST(critic__one_step__is_adams) {
    static float x[MOST], y[MOST];
    const double rate = 0.01, decay = 0.1;
    const es_critic_shape *shape = &shapes[2];
    es_critic *c = critic_of(shape, es_isa_level(), x, y);
    es_critic_loss_ref(shape, param, u, v, ROWS, gradient, NULL);
    es_critic_gradient(c, x, y, ROWS);
    es_critic_step(c, rate, decay);
    for (size_t i = 0; i < c->n_params; i++) {
        double g = gradient[i], moment = 0.1 * g / (1 - 0.9), square = 0.001 * g * g / (1 - 0.999);
        double kept = i + 1 < c->n_params ? param[i] * (1 - rate * decay) : param[i];
        if (fabs(g) > 1e-5) /* below that the sign is rounding's */
            assert_near((double)c->param[i], kept - rate * moment / (sqrt(square) + 1e-8), 1e-4);
    }
    float *t = &c->param[c->n_params - 1];
    *t = 50;
    es_critic_step(c, rate, decay);
    assert_near((double)*t, log(20), 1e-6);
    *t = -50;
    es_critic_step(c, rate, decay);
    assert_near((double)*t, 0, 1e-6);
    es_critic_free(c);
}

/* Rows 0 to 99 in units of their own deviation, as the reference has them. */
static void standardised(const char *name, double *out, size_t *d) {
    es_matrix m = methods_npy(name);
    *d = m.d;
    for (size_t j = 0; j < m.d; j++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < 100; i++)
            mean += m.x[i * m.d + j] / 100;
        for (size_t i = 0; i < 100; i++)
            square += (m.x[i * m.d + j] - mean) * (m.x[i * m.d + j] - mean) / 100;
        for (size_t i = 0; i < 100; i++)
            out[i * m.d + j] = square > 1e-12 ? (m.x[i * m.d + j] - mean) / sqrt(square) : 0;
    }
}

TEST(critic__with_fixed_weights__is_near_the_reference) {
    static double x[1600], y[3200], s[10000];
    es_critic_shape shape = {.kind = ES_CRITIC_BILINEAR, .h = 8};
    const char *key = "fixed_bilinear_pca16_relu32_N100";
    es_matrix a = methods_npy("../contrastive/critic_A_16x8.npy"),
              b = methods_npy("../contrastive/critic_B_32x8.npy");
    es_score_values values;
    standardised("digits_pca16.npy", x, &shape.d[0]);
    standardised("digits_relu32.npy", y, &shape.d[1]);
    memcpy(param, a.x, 128 * sizeof *param);
    memcpy(param + 128, b.x, 256 * sizeof *param);
    es_critic_loss_ref(&shape, param, x, y, 100, NULL, s);
    es_score_values_of(s, 100, &values);
    /* Its weights were rounded when they were written, and its columns centred otherwise, which
     * adds a constant to each row of scores: that leaves what is by rows. */
    assert_near(values.infonce[0], methods_value(TABLE, "%s/infonce_row", key), 1e-4);
    assert_near(values.margin[0], methods_value(TABLE, "%s/loo_margin_mean", key), 1e-4);
}

TEST(critic__bad_shape__is_refused) {
    es_critic *c = NULL;
    const es_critic_shape odd = {.d = {5, 4}, .h = 3, .fixed = true};
    assert_int_equal(es_critic_new(&odd, 8, &es_simd_ref, &c, NULL), ES_EINVAL);
    assert_int_equal(es_critic_new(&shapes[0], 1, &es_simd_ref, &c, NULL), ES_EINVAL);
    assert_null(c);
}
