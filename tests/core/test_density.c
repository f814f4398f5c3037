/* The density network against numbers of the published kernels (golden_knife_vectors.csv), and its
 * gradients against finite differences. */
#include "core_estimators_parts.h"
#include "every_isa.h"
#include "net_twin.h"

enum { N = 6, DX = 4, DY = 3, K = 3, H = 5, OUT = K * (2 * DY + 1), PARAMS = 199, CASES = 512 };

/* ---- the golden file ---- */

typedef struct golden {
    char name[256], what[256];
    int index;
    double value;
} golden;

static golden cases[CASES];
static size_t n_cases;

static int read_golden(void **state) {
    FILE *file = fopen(ES_TEST_DATA "/reference/golden_knife_vectors.csv", "r");
    if (!file)
        return -1;
    char line[256];
    for (size_t row = 0; fgets(line, sizeof line, file); row++) {
        golden *g = cases + n_cases;
        if (row == 0 || n_cases == CASES)
            continue;
        char *what = strchr(line, ',');
        char *index = what ? strchr(what + 1, ',') : NULL, *value = strrchr(line, ',');
        if (!index || index == value)
            return -1;
        *what = *index = 0;
        snprintf(g->name, sizeof g->name, "%s", line);
        snprintf(g->what, sizeof g->what, "%s", what + 1);
        g->index = (int)strtol(index + 1, NULL, 10);
        g->value = strtod(value + 1, NULL);
        n_cases++;
    }
    fclose(file);
    return n_cases > 250 ? 0 : -1;
}

TEST_GROUP(read_golden, NULL);

/* Compare got[0..n) with the values of a case; all n must be there. Printed to 12 decimals. */
static void check_golden(const char *name, const char *what, const double *got, size_t n,
                         double relative) {
    size_t seen = 0;
    for (size_t i = 0; i < n_cases; i++) {
        const golden *g = cases + i;
        if (strncmp(g->name, name, strlen(name)) != 0 || strcmp(g->what, what) != 0)
            continue;
        assert_in_range(g->index, 0, n - 1);
        seen++;
        double off = fabs(got[g->index] - g->value);
        if (!(off <= relative * fabs(g->value) + (relative < 1e-6 ? 1e-12 : relative / 10)))
            fail_msg("%s, %s, %d: %.12f, expected %.12f", name, what, g->index, got[g->index],
                     g->value);
    }
    assert_int_equal(seen, n);
}

static double fill(size_t i, double c) {
    return 0.5 * sin(0.7 * (double)i + c);
}

static void fill_all(double *out, size_t n, double scale, double c) {
    for (size_t i = 0; i < n; i++)
        out[i] = scale * fill(i, c);
}

/* ---- the conditional network of the golden file, in our order of outputs ---- */

static const es_layer layers[3] = {{DX, H, true, true}, {H, H, true, true}, {H, OUT, false, false}};

/* The published output is [mode][logit, means, scales]; ours [mode][means, scales] and the logits.
 */
static size_t published_output(size_t ours) {
    return ours < (size_t)K * 2 * DY ? ours / (2 * DY) * (2 * DY + 1) + 1 + ours % (2 * DY)
                                     : (ours - (size_t)K * 2 * DY) * (2 * DY + 1);
}

static const struct tensor {
    const char *name;
    size_t size;
    bool by_output; /* rows are outputs of the last layer */
} tensors[] = {{"0.weight", DX, 0},     {"0.bias", DX, 0}, {"1.weight", H *DX, 0}, {"1.bias", H, 0},
               {"4.weight", H, 0},      {"4.bias", H, 0},  {"5.weight", H *H, 0},  {"5.bias", H, 0},
               {"8.weight", OUT *H, 1}, {"8.bias", OUT, 1}};
enum { TENSORS = sizeof tensors / sizeof *tensors };

static size_t place_of(const struct tensor *t, size_t i) {
    size_t row = t->size / OUT;
    return t->by_output ? published_output(i / row) * row + i % row : i;
}

static void golden_params(double *p) {
    for (size_t t = 0, at = 0; t < TENSORS; at += tensors[t++].size)
        for (size_t i = 0; i < tensors[t].size; i++)
            p[at + i] = fill(place_of(tensors + t, i), 0.4 + 0.1 * (double)t);
}

static void golden_data(double *x, double *y) {
    fill_all(x, (size_t)N * DX, 2, 1);
    fill_all(y, (size_t)N * DY, 3, 2);
}

/* Mean negative log density of the double-precision twin; g (PARAMS) may be NULL. */
static double twin_loss(const double *p, const double *x, const double *y, double *g,
                        double *log_density) {
    double loss = 0;
    if (g)
        memset(g, 0, PARAMS * sizeof *g);
    for (size_t r = 0; r < N; r++) {
        twin_trace t;
        twin_forward(layers, 3, p, x + r * DX, &t);
        const double *o = t.value[2];
        double location[K * DY], scale[K * DY], dm[K * DY], dl[K * DY], dw[K], d[OUT];
        for (size_t k = 0; k < K; k++) {
            memcpy(location + k * DY, o + k * 2 * DY, DY * sizeof *o);
            memcpy(scale + k * DY, o + k * 2 * DY + DY, DY * sizeof *o);
        }
        double logit[K];
        memcpy(logit, o + (size_t)K * 2 * DY, sizeof logit);
        es_mixture m = {ES_KIND_CONTINUOUS, K, DY, 1, location, scale, logit};
        double value = es_mixture_log(&m, y + r * DY, dm, dl, dw);
        loss -= value / N;
        if (log_density)
            log_density[r] = value;
        for (size_t k = 0; k < K; k++) {
            for (size_t j = 0; j < DY; j++) {
                d[k * 2 * DY + j] = -dm[k * DY + j] / N;
                d[k * 2 * DY + DY + j] = -dl[k * DY + j] / N;
            }
            d[(size_t)K * 2 * DY + k] = -dw[k] / N;
        }
        if (g)
            twin_backward(layers, 3, p, d, &t, g);
    }
    return loss;
}

static void plain_adam(double *p, double *m, double *v, const double *g, size_t n, double rate,
                       int t) {
    for (size_t i = 0; i < n; i++) {
        m[i] = 0.9 * m[i] + 0.1 * g[i];
        v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
        p[i] -= rate / (1 - pow(0.9, t)) * m[i] / (sqrt(v[i] / (1 - pow(0.999, t))) + 1e-8);
    }
}

static void check_gradients(const double *g, double relative) {
    for (size_t t = 0, at = 0; t < TENSORS; at += tensors[t++].size) {
        double moved[OUT * H];
        char what[64];
        for (size_t i = 0; i < tensors[t].size; i++)
            moved[place_of(tensors + t, i)] = g[at + i];
        snprintf(what, sizeof what, "grad ff.stack.%s", tensors[t].name);
        check_golden("gauss_cond", what, moved, tensors[t].size, relative);
    }
}

static const char steps[] = "adam lr=0.01 full batch: loss before step";

TEST(conditional__double_twin__reproduces_golden) {
    double p[PARAMS], g[PARAMS], m[PARAMS] = {0}, v[PARAMS] = {0};
    double x[N * DX], y[N * DY], value[N], loss[20];
    assert_int_equal(twin_params(layers, 3), PARAMS);
    golden_params(p);
    golden_data(x, y);
    double mean = twin_loss(p, x, y, g, value);
    check_golden("gauss_cond", "logpdf", value, N, 1e-9);
    check_golden("gauss_cond", "mean_nll", &mean, 1, 1e-9);
    check_gradients(g, 1e-9);
    for (int t = 0; t < 20; t++) {
        loss[t] = twin_loss(p, x, y, g, NULL);
        plain_adam(p, m, v, g, PARAMS, 0.01, t + 1);
    }
    check_golden("gauss_cond", steps, loss, 20, 1e-9);
}

TEST(conditional__double_twin__has_gradient_of_its_value) {
    double p[PARAMS], g[PARAMS], x[N * DX], y[N * DY];
    golden_params(p);
    golden_data(x, y);
    (void)twin_loss(p, x, y, g, NULL);
    for (size_t i = 0; i < PARAMS; i++) {
        double old = p[i], h = 1e-5;
        p[i] = old + h;
        double up = twin_loss(p, x, y, NULL, NULL);
        p[i] = old - h;
        double down = twin_loss(p, x, y, NULL, NULL);
        p[i] = old;
        assert_true(fabs((up - down) / (2 * h) - g[i]) < 1e-7);
    }
}

/* The production code: float, BLAS, vector kernels. Adam's first moment after one step is a tenth
 * of the gradient. */
TEST_ISA(conditional__float_network__reproduces_golden) {
    double p[PARAMS], x[N * DX], y[N * DY], value[N], loss[20], g[PARAMS];
    float xf[N * DX], yf[N * DY], d_bias[OUT];
    golden_params(p);
    golden_data(x, y);
    for (size_t i = 0; i < (size_t)N * DX; i++)
        xf[i] = (float)x[i];
    for (size_t i = 0; i < (size_t)N * DY; i++)
        yf[i] = (float)y[i];
    es_net_normalize(simd, xf, N, DX, xf);
    es_arena *arena = es_arena_new();
    es_net net;
    es_rng rng = test_rng(0, 0);
    assert_ok(es_net_init(&net, simd, layers, 3, N, arena, NULL));
    assert_int_equal(net.n_params, PARAMS);
    es_net_random(&net, &rng, 1);
    for (size_t i = 0; i < PARAMS; i++)
        net.param[i] = (float)p[i];
    es_net_fold(&net);
    es_head head = {ES_HEAD_GAUSS, K, DY, 1, simd};
    for (int t = 0; t < 20; t++) {
        es_head_batch batch = {.n = N, .bias = net.bias[2], .y = yf, .log_density = value};
        batch.out = es_net_forward(&net, xf, N);
        batch.d_bias = d_bias;
        loss[t] = -es_head_eval(&head, &batch) / N;
        if (t == 0)
            check_golden("gauss_cond", "logpdf", value, N, 1e-4);
        es_net_step(&net, xf, N, batch.out, d_bias, 0.01);
        for (size_t i = 0; t == 0 && i < PARAMS; i++)
            g[i] = 10 * (double)net.moment1[i];
        if (t == 0)
            check_gradients(g, 1e-4);
    }
    check_golden("gauss_cond", steps, loss, 20, 1e-4);
    es_arena_free(arena);
}

/* Adam's first step is the learning rate, whatever the gradient: of the last layer its own. */
TEST_ISA(network__last_rate__is_of_the_last_layer_alone) {
    static const es_layer two[] = {{3, 4, false, false}, {4, 2, false, false}};
    float x[] = {1, -2, 0.5F}, d[] = {0.7F, -0.3F}, before[64];
    es_arena *arena = es_arena_new();
    es_net net;
    es_rng rng = test_rng(0, 0);
    assert_ok(es_net_init(&net, simd, two, 2, 1, arena, NULL));
    es_net_random(&net, &rng, 1);
    es_net_save(&net, before);
    net.last_rate = 0.002;
    (void)es_net_forward(&net, x, 1);
    es_net_step(&net, x, 1, d, d, 0.01);
    size_t first = (size_t)(net.tensor[1].weight - net.param), moved[2] = {0};
    for (size_t i = 0; i < net.n_params; i++) {
        double by = fabs((double)net.param[i] - (double)before[i]);
        if (by > 0) {
            assert_true(fabs(by - (i < first ? 0.01 : 0.002)) < 1e-4);
            moved[i >= first]++;
        }
    }
    assert_true(moved[0] > 0 && moved[1] > 0);
    es_arena_free(arena);
}

/* Networks of other shapes, and several blocks of gradient rows, against the twin. */
TEST_ISA(network__any_layers__agree_with_double_twin) {
    static const es_layer shapes[][3] = {
        {{7, 9, true, true}, {9, 6, true, false}},
        {{7, 9, false, false}, {9, 9, false, true}, {9, 6, false, false}},
        {{7, 6, true, false}},
    };
    static const size_t depth[] = {2, 3, 1};
    for (size_t s = 0; s < 3; s++) {
        const es_layer *l = shapes[s];
        enum { ROWS = 5, MOST = 256 };
        double p[MOST], g[MOST] = {0}, x[ROWS * 7], d[ROWS * 6];
        float xf[ROWS * 7], df[ROWS * 6], d_bias[6] = {0};
        size_t n = twin_params(l, depth[s]);
        fill_all(p, n, 1, 0.3);
        fill_all(x, (size_t)ROWS * 7, 2, 1.1);
        fill_all(d, (size_t)ROWS * 6, 1, 0.7);
        es_arena *arena = es_arena_new();
        es_net net;
        es_rng rng = test_rng(0, 0);
        assert_ok(es_net_init(&net, simd, l, depth[s], ROWS, arena, NULL));
        es_net_random(&net, &rng, 1);
        for (size_t i = 0; i < n; i++)
            net.param[i] = (float)p[i];
        es_net_fold(&net);
        for (size_t i = 0; i < (size_t)ROWS * 7; i++)
            xf[i] = (float)x[i];
        for (size_t i = 0; i < (size_t)ROWS * 6; i++) {
            df[i] = (float)d[i];
            d_bias[i % 6] += df[i];
        }
        if (l[0].norm)
            es_net_normalize(simd, xf, ROWS, 7, xf);
        const float *out = es_net_forward(&net, xf, ROWS);
        for (size_t r = 0; r < ROWS; r++) {
            twin_trace t;
            twin_forward(l, depth[s], p, x + r * 7, &t);
            for (size_t o = 0; o < 6; o++)
                assert_true(fabs((double)out[r * 6 + o] + (double)net.bias[depth[s] - 1][o] -
                                 t.value[depth[s] - 1][o]) < 1e-5);
            twin_backward(l, depth[s], p, d + r * 6, &t, g);
        }
        es_net_step(&net, xf, ROWS, df, d_bias, 0.01);
        for (size_t i = 0; i < n; i++)
            assert_true(fabs(10 * (double)net.moment1[i] - g[i]) < 2e-5 * (1 + fabs(g[i])));
        es_arena_free(arena);
    }
}

/* One step with parts called zero against one that is told their zeros. */
TEST_ISA(network__skipped_parts__equal_their_zeros) {
    enum { ROWS = 7, IN = 5, HIDDEN = 9, WIDTH = 4, PARTS = 3, TAIL = 2 };
    enum { WIDE = PARTS * WIDTH + TAIL };
    const es_layer shape[] = {{IN, HIDDEN, true, true}, {HIDDEN, WIDE, true, false}};
    double x[ROWS * IN], d[ROWS * WIDE];
    float xf[ROWS * IN], df[2][ROWS * WIDE], d_bias[WIDE] = {0};
    fill_all(x, (size_t)ROWS * IN, 2, 1.1);
    fill_all(d, (size_t)ROWS * WIDE, 1, 0.7);
    es_arena *arena = es_arena_new();
    es_net net[2];
    for (int i = 0; i < 2; i++) {
        es_rng rng = test_rng(0, 0);
        assert_ok(es_net_init(&net[i], simd, shape, 2, ROWS, arena, NULL));
        es_net_random(&net[i], &rng, 1);
    }
    assert_ok(es_net_part(&net[1], PARTS, WIDTH, arena, NULL));
    for (size_t i = 0; i < (size_t)ROWS * IN; i++)
        xf[i] = (float)x[i];
    es_net_normalize(simd, xf, ROWS, IN, xf);
    for (size_t r = 0; r < ROWS; r++)
        for (size_t c = 0; c < WIDE; c++) {
            size_t part = c / WIDTH; /* the first lives in every row, the second in none */
            bool live = part == 0 || part == PARTS || (part == 2 && r % 3 == 1);
            df[0][r * WIDE + c] = live ? (float)d[r * WIDE + c] : 0;
            df[1][r * WIDE + c] = live ? (float)d[r * WIDE + c] : NAN;
            d_bias[c] += df[0][r * WIDE + c];
            if (part < PARTS)
                net[1].parts.live[r * PARTS + part] = live;
        }
    for (int i = 0; i < 2; i++) {
        (void)es_net_forward(&net[i], xf, ROWS);
        es_net_step(&net[i], xf, ROWS, df[i], d_bias, 0.01);
    }
    for (size_t i = 0; i < net[0].n_params; i++)
        assert_true(fabsf(net[0].moment1[i] - net[1].moment1[i]) < 1e-6F);
    es_arena_free(arena);
}

/* ---- marginals and binary kernels ---- */

static double marginal_loss(const es_mixture *m, const double *y, double *g) {
    double loss = 0, d[2 * K * DY + K];
    memset(g, 0, sizeof d);
    for (size_t r = 0; r < N; r++) {
        loss -= es_mixture_log(m, y + r * DY, d, d + K * DY, d + 2 * K * DY) / N;
        for (size_t i = 0; i < sizeof d / sizeof *d; i++)
            g[i] -= d[i] / N;
    }
    return loss;
}

TEST(marginal__double_twin__reproduces_golden) {
    enum { P = 2 * K * DY + K };
    double x[N * DX], y[N * DY], p[P], g[P], m[P] = {0}, v[P] = {0}, value[N], loss[20];
    golden_data(x, y);
    fill_all(p, (size_t)K * DY, 1, 0.1);
    fill_all(p + K * DY, (size_t)K * DY, 1, 0.2);
    fill_all(p + 2 * K * DY, K, 1, 0.3);
    es_mixture mixture = {ES_KIND_CONTINUOUS, K, DY, 1, p, p + K * DY, p + 2 * K * DY};
    for (size_t r = 0; r < N; r++)
        value[r] = es_mixture_log(&mixture, y + r * DY, NULL, NULL, NULL);
    check_golden("gauss_marg K=3", "logpdf", value, N, 1e-9);
    for (int t = 0; t < 20; t++) {
        loss[t] = marginal_loss(&mixture, y, g);
        if (t == 0) {
            check_golden("gauss_marg K=3", "grad means", g, (size_t)K * DY, 1e-9);
            check_golden("gauss_marg K=3", "grad logvar", g + K * DY, (size_t)K * DY, 1e-9);
            check_golden("gauss_marg K=3", "grad weigh", g + 2 * K * DY, K, 1e-9);
        }
        plain_adam(p, m, v, g, P, 0.01, t + 1);
    }
    check_golden("gauss_marg K=3", "mean_nll", loss, 1, 1e-9);
    check_golden("gauss_marg K=3", steps, loss, 20, 1e-9);
}

/* A marginal is a head without a network: its parameters are the bias of rows of zeros. */
TEST_ISA(marginal__float_head__agrees_with_double_twin) {
    for (es_kind kind = ES_KIND_CONTINUOUS; kind <= ES_KIND_BINARY; kind++) {
        double y[N * DY], x[N * DX], value[N];
        double p[2 * K * DY + K], g[2 * K * DY + K], d[2 * K * DY + K] = {0};
        float out[N * OUT] = {0}, bias[OUT], d_bias[OUT], yf[N * DY];
        golden_data(x, y);
        for (size_t i = 0; i < (size_t)N * DY; i++) {
            y[i] = kind == ES_KIND_BINARY ? y[i] > 0 : y[i];
            yf[i] = (float)y[i];
        }
        fill_all(p, sizeof p / sizeof *p, 0.5, 0.1);
        es_mixture mixture = {kind,          K, DY, kind == ES_KIND_BINARY ? 10 : 1, p, p + K * DY,
                              p + 2 * K * DY};
        size_t width = kind == ES_KIND_BINARY ? DY : 2 * DY;
        for (size_t k = 0; k < K; k++) {
            for (size_t j = 0; j < width; j++)
                bias[k * width + j] = (float)(j < DY ? p[k * DY + j] : p[K * DY + k * DY + j - DY]);
            bias[K * width + k] = (float)p[2 * K * DY + k];
        }
        es_head head = {kind == ES_KIND_BINARY ? ES_HEAD_BERNOULLI : ES_HEAD_GAUSS, K, DY,
                        mixture.bend, simd};
        es_head_batch batch = {
            .n = N, .out = out, .bias = bias, .y = yf, .d_bias = d_bias, .log_density = value};
        double sum = es_head_eval(&head, &batch), loss = 0;
        memset(g, 0, sizeof g);
        for (size_t r = 0; r < N; r++) {
            double right =
                es_mixture_log(&mixture, y + r * DY, d, kind == ES_KIND_BINARY ? NULL : d + K * DY,
                               d + 2 * K * DY);
            loss += right;
            assert_true(fabs(value[r] - right) < 1e-5 * fabs(right));
            for (size_t i = 0; i < sizeof g / sizeof *g; i++)
                g[i] -= d[i] / N;
        }
        assert_true(fabs(sum - loss) < 1e-5 * fabs(loss));
        for (size_t k = 0; k < K; k++) {
            for (size_t j = 0; j < width; j++)
                assert_true(fabs((double)d_bias[k * width + j] -
                                 g[j < DY ? k * DY + j : K * DY + k * DY + j - DY]) < 1e-5);
            assert_true(fabs((double)d_bias[K * width + k] - g[2 * K * DY + k]) < 1e-5);
        }
    }
}

TEST(discrete__double_twin__reproduces_golden) {
    static const es_layer mu[3] = {{DX, H, 1, 1}, {H, H, 1, 1}, {H, K * DY, 0, 0}};
    static const es_layer weight[3] = {{DX, H, 1, 1}, {H, H, 1, 1}, {H, K, 0, 0}};
    double x[N * DX], y[N * DY], value[N], location[K * DY], logit[K] = {1, 1, 1};
    golden_data(x, y);
    for (size_t i = 0; i < (size_t)N * DY; i++)
        y[i] = y[i] > 0;
    es_mixture mixture = {ES_KIND_BINARY, K, DY, 10, location, NULL, logit};
    fill_all(location, (size_t)K * DY, 0.2, 0.1);
    fill_all(logit, K, 1, 0.3);
    for (size_t r = 0; r < N; r++)
        value[r] = es_mixture_log(&mixture, y + r * DY, NULL, NULL, NULL);
    check_golden("discrete_marg", "logpdf", value, N, 1e-9);
    for (size_t r = 0; r < N; r++) {
        double p[256], q[256];
        for (size_t t = 0, at = 0, aq = 0; t < TENSORS; t++) {
            size_t last = t == 8 ? H : 1;
            size_t size = t < 8 ? tensors[t].size : last * K * DY;
            size_t size_q = t < 8 ? tensors[t].size : last * K;
            fill_all(p + at, size, 0.2, 0.4 + 0.1 * (double)t);
            fill_all(q + aq, size_q, 0.2, 1.4 + 0.1 * (double)t);
            at += size;
            aq += size_q;
        }
        twin_trace a, b;
        twin_forward(mu, 3, p, x + r * DX, &a);
        twin_forward(weight, 3, q, x + r * DX, &b);
        mixture.location = a.value[2];
        mixture.logit = b.value[2];
        value[r] = es_mixture_log(&mixture, y + r * DY, NULL, NULL, NULL);
    }
    check_golden("discrete_cond", "logpdf", value, N, 1e-9);
}

/* ---- EM ---- */

TEST(mixture__em__finds_two_separate_modes) {
    enum { ROWS = 2000, D = 3 };
    static float rows[ROWS * D];
    es_rng rng = test_rng(7, 1);
    for (size_t r = 0; r < ROWS; r++)
        for (size_t j = 0; j < D; j++)
            rows[r * D + j] =
                (float)((r % 4 ? 1.5 : -1.5) + (r % 4 ? 0.5 : 1.0) * es_rng_normal(&rng));
    es_arena *arena = es_arena_new();
    es_mixture m;
    assert_ok(es_mixture_fit(ES_KIND_CONTINUOUS, rows, ROWS, D, 2, 1, &rng, arena, NULL, &m, NULL));
    size_t low = m.location[0] < m.location[D] ? 0 : 1, high = 1 - low;
    for (size_t j = 0; j < D; j++) {
        assert_true(fabs(m.location[low * D + j] + 1.5) < 0.15);
        assert_true(fabs(m.location[high * D + j] - 1.5) < 0.05);
        assert_true(fabs(exp(-tanh(m.scale[low * D + j])) - 1) < 0.1);
        assert_true(fabs(exp(-tanh(m.scale[high * D + j])) - 0.5) < 0.03);
    }
    assert_true(fabs(exp(m.logit[high]) / (exp(m.logit[0]) + exp(m.logit[1])) - 0.75) < 0.03);
    assert_int_equal(
        es_mixture_fit(ES_KIND_CONTINUOUS, rows, 3, D, 4, 1, &rng, arena, NULL, &m, NULL),
        ES_EINVAL);
    es_arena_free(arena);
}

TEST(mixture__em_binary__one_mode_is_the_frequency) {
    enum { ROWS = 100 };
    float rows[ROWS * 2];
    for (size_t r = 0; r < ROWS; r++) {
        rows[2 * r] = r < 20;
        rows[2 * r + 1] = 1;
    }
    es_arena *arena = es_arena_new();
    es_rng rng = test_rng(7, 2);
    es_mixture m;
    assert_ok(es_mixture_fit(ES_KIND_BINARY, rows, ROWS, 2, 1, 10, &rng, arena, NULL, &m, NULL));
    assert_true(fabs(1 / (1 + exp(-10 * m.location[0])) - 20.5 / 101) < 1e-12);
    assert_true(fabs(1 / (1 + exp(-10 * m.location[1])) - 100.5 / 101) < 1e-12);
    es_arena_free(arena);
}
