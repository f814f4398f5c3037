/* The published presets against PyTorch (tests/reference/knife_published.py): means over seeds
 * agree within what the spread between seeds allows. */
#include "testing.h"
#include "estimating.h"
#include "sanitized.h"
#include "synthetic.h"
#include "core_estimators_parts.h"

enum { N = 600, DX = 12, DY = 8, SEEDS = SANITIZED ? 2 : 8 };

/* The script's data: sums of twelve uniforms of a linear congruential generator. */
static void normals(double *out, size_t n, uint64_t state) {
    for (size_t i = 0; i < n; i++) {
        out[i] = -6;
        for (int k = 0; k < 12; k++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            out[i] += (double)(state >> 11) / 9007199254740992.0;
        }
    }
}

static double xs[N * DX], ys[N * DY];
static const synthetic source = {N, DX, xs}, target = {N, DY, ys};

static int make_data(void **state) {
    normals(xs, (size_t)N * DX, 1);
    normals(ys, (size_t)N * DY, 2);
    for (size_t r = 0; r < N; r++)
        for (size_t j = 0; j < DY; j++) {
            const double *x = xs + r * DX;
            ys[r * DY + j] = 0.7 * x[j] + 0.4 * x[j + 1] * x[j + 2] + 0.6 * ys[r * DY + j];
        }
    return 0;
}

TEST_GROUP(make_data, NULL);

typedef struct spread {
    double mean, sd;
} spread;

static spread summarise(const double *x, size_t n) {
    spread s = {0, 0};
    for (size_t i = 0; i < n; i++)
        s.mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        s.sd += (x[i] - s.mean) * (x[i] - s.mean) / (double)(n - 1);
    s.sd = sqrt(s.sd);
    return s;
}

/* h and h_cond of a case, over the seeds in the file. */
static size_t read_case(const char *name, double *h, double *h_cond) {
    FILE *file = fopen(ES_TEST_DATA "/reference/knife_published.csv", "r");
    assert_non_null(file);
    char line[256];
    size_t n = 0;
    while (fgets(line, sizeof line, file) && n < 32) {
        char *comma = strchr(line, ',');
        if (!comma || strlen(name) != (size_t)(comma - line) ||
            strncmp(line, name, strlen(name)) != 0)
            continue;
        char *end;
        comma = strchr(comma + 1, ',');
        h[n] = strtod(comma + 1, &end);
        h_cond[n++] = strtod(end + 1, NULL);
    }
    fclose(file);
    return n;
}

static void check(const char *what, const double *ours, size_t n_ours, const double *theirs,
                  size_t n_theirs) {
    spread a = summarise(ours, n_ours), b = summarise(theirs, n_theirs);
    double allowed = 3 * b.sd * sqrt(1 / (double)n_ours + 1 / (double)n_theirs) + 2e-6;
    if (!(fabs(a.mean - b.mean) < allowed))
        fail_msg("%s: mean %.6f, PyTorch %.6f, allowed difference %.6f", what, a.mean, b.mean,
                 allowed);
    if (!SANITIZED && !(a.sd < 2.5 * b.sd + 2e-6))
        fail_msg("%s: spread %.6f, PyTorch %.6f", what, a.sd, b.sd);
}

static void compare(const char *preset, const char *sets, bool binary) {
    char name[128];
    snprintf(name, sizeof name, "%s%s%s", preset, sets ? " " : "", sets ? sets : "");
    double h[32], h_cond[32], our_h[SEEDS], our_h_cond[SEEDS], bits[N * DY];
    size_t n = read_case(name, h, h_cond);
    assert_true(n >= 8);
    for (size_t i = 0; i < (size_t)N * DY; i++)
        bits[i] = ys[i] > 0;
    const synthetic two = {N, DY, bits};
    es_rows u = synthetic_rows(&source), v = synthetic_rows(binary ? &two : &target);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        es_pair_result out;
        estimating how = {"knife", preset, sets, seed, 5, NULL};
        assert_ok(estimate_pair(&how, &u, &v, &out, test_err()));
        our_h[seed] = out.h;
        our_h_cond[seed] = out.h_cond;
        assert_int_equal(out.n_eval, N); /* in-sample: every row */
        es_free(out.pmi);
    }
    check("H(V)", our_h, SEEDS, h, n);
    check("H(V|U)", our_h_cond, SEEDS, h_cond, n);
}

TEST(paper_nlp__published_epochs__agree_with_pytorch) {
    compare("paper-nlp", NULL, false);
}

TEST(paper_nlp__long_training__agrees_with_pytorch) {
    compare("paper-nlp", "epochs=100", false);
}

TEST(paper_nlp__binary_targets__agree_with_pytorch) {
    compare("paper-nlp", "target=binary epochs=40", true);
}

TEST(paper_mol__one_batch_per_epoch__agrees_with_pytorch) {
    compare("paper-mol", NULL, false);
}

TEST(paper_mol__short_batches__agree_with_pytorch) {
    compare("paper-mol", "batch=100", false);
}

TEST(paper__presets__evaluate_in_sample_and_default_does_not) {
    const es_estimator *e = es_estimator_find("knife");
    const char *const names[] = {"paper-nlp", "paper-mol", "default"};
    for (int i = 0; i < 3; i++) {
        double values[32];
        assert_ok(es_estimator_preset(e, names[i], values, NULL));
        assert_int_equal(e->in_sample(values), i < 2);
    }
}

/* Locations and scales at random, the modes' weights equal; of one mode there are none. */
TEST(marginal__start__is_random_with_equal_weights) {
    enum { D = 50, MOST = 3 };
    for (size_t modes = 1; modes <= MOST; modes++) {
        es_head head = {.modes = modes, .d = D, .simd = es_simd_get(ES_ISA_REF)};
        es_arena *arena = es_arena_new();
        es_marginal marginal;
        double square = 0;
        es_rng rng = test_rng(1, 2);
        assert_ok(es_marginal_init(&marginal, &head, 0.01, 8, 20, &rng, arena, NULL));
        size_t own = 2 * D * modes;
        assert_int_equal(marginal.width, own + (modes > 1 ? modes : 0));
        for (size_t i = 0; i < own; i++) {
            assert_true(fabs((double)marginal.param[i]) < 0.06);
            square += pow((double)marginal.param[i], 2) / (double)own;
        }
        assert_true(square > 0.5e-4 && square < 2e-4);
        for (size_t i = own; i < marginal.width; i++)
            assert_true(marginal.param[i] == 1);
        for (size_t i = 0; i < marginal.width; i++)
            assert_true(marginal.moment1[i] == 0 && marginal.moment2[i] == 0);
        for (size_t i = 0; i < 20; i++)
            assert_int_equal(marginal.order[i], i);
        es_arena_free(arena);
    }
}
