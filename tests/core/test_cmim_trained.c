/* What training by cMIM comes to, against the reference: the toy of the paper, and 1,797 digits. */
#include "methods.h"

#include "../bench/toy_cmim.h"
#include "cmim_train.h"
#include "sanitized.h"

#define TABLE "../cmim/expected.csv"

TEST(toy__directions__become_uniform_and_lengths_stay) {
    if (SANITIZED)
        skip();
    enum { N = 400 };
    static float before[2 * N], after[2 * N];
    assert_true(toy_run(0, N, before, after));
    toy_facts b = toy_facts_of(before, N), a = toy_facts_of(after, N);
    print_message("toy: ks %.4f to %.4f, rayleigh %.3f to %.2g, radius cv %.3f to %.3f\n", b.ks,
                  a.ks, b.rayleigh, a.rayleigh, b.radius_cv, a.radius_cv);
    assert_true(b.ks > 0.5 && b.rayleigh > 0.7);
    assert_true(a.ks < 0.05);
    assert_true(a.rayleigh < 0.01);
    assert_true(fabs(a.radius_cv - b.radius_cv) < 0.1);
}

/* ---- digits ---- */

enum { ALL = 1797, PIXELS = 64, CLASSES = 10, NEAREST = 5 };

typedef struct digits {
    float train[ALL * PIXELS], test[ALL * PIXELS];
    unsigned train_class[ALL], test_class[ALL];
    size_t n_train, n_test;
} digits;

/* A third of every class for the test, drawn by the seed. */
static void read_digits(uint64_t seed, digits *out) {
    static double label[ALL];
    static uint32_t order[ALL];
    es_matrix m = methods_npy("../cmim/digits1797.npy");
    assert_int_equal(methods_csv("../cmim/digits1797_labels.csv", 1, label, ALL), ALL);
    es_rng rng = test_rng(seed, 1);
    for (size_t i = 0; i < ALL; i++)
        order[i] = (uint32_t)i;
    es_rng_shuffle(&rng, order, ALL);
    out->n_train = out->n_test = 0;
    for (unsigned c = 0; c < CLASSES; c++) {
        size_t of = 0, seen = 0;
        for (size_t i = 0; i < ALL; i++)
            of += (unsigned)label[i] == c;
        for (size_t i = 0; i < ALL; i++) {
            size_t row = order[i];
            if ((unsigned)label[row] != c)
                continue;
            bool test = 3 * seen++ < of;
            size_t at = test ? out->n_test++ : out->n_train++;
            float *to = (test ? out->test : out->train) + at * PIXELS;
            (test ? out->test_class : out->train_class)[at] = c;
            for (size_t j = 0; j < PIXELS; j++)
                to[j] = (float)(m.x[row * PIXELS + j] / 16);
        }
    }
}

/* Share of test rows whose class most of the nearest training rows have; the smallest of equals. */
static double knn(const digits *s, const double *train, const double *test, size_t d, bool cosine) {
    size_t right = 0;
    for (size_t i = 0; i < s->n_test; i++) {
        double near[NEAREST];
        unsigned of[NEAREST], votes[CLASSES] = {0}, best = 0;
        size_t found = 0;
        for (size_t k = 0; k < s->n_train; k++) {
            double dot = 0, own = 0, other = 0, far = 0;
            for (size_t j = 0; j < d; j++) {
                double a = test[i * d + j], b = train[k * d + j];
                dot += a * b;
                own += a * a;
                other += b * b;
                far += (a - b) * (a - b);
            }
            far = cosine ? -dot / sqrt(own * other + 1e-300) : far;
            if (found == NEAREST && far >= near[NEAREST - 1])
                continue;
            size_t at = found < NEAREST ? found++ : NEAREST - 1;
            for (; at > 0 && near[at - 1] > far; at--) {
                near[at] = near[at - 1];
                of[at] = of[at - 1];
            }
            near[at] = far;
            of[at] = s->train_class[k];
        }
        for (size_t k = 0; k < found; k++)
            votes[of[k]]++;
        for (unsigned c = 1; c < CLASSES; c++)
            best = votes[c] > votes[best] ? c : best;
        right += best == s->test_class[i];
    }
    return (double)right / (double)s->n_test;
}

/* Of the pixels as they are. */
static double raw(const digits *s, bool cosine) {
    static double x[2][ALL * PIXELS];
    for (size_t i = 0; i < (size_t)ALL * PIXELS; i++) {
        x[0][i] = (double)s->train[i];
        x[1][i] = (double)s->test[i];
    }
    return knn(s, x[0], x[1], PIXELS, cosine);
}

typedef struct outcome {
    double reconstruction, cosine, miss; /* of test rows; miss: -log p_k of the validation rows */
    double mu[2], info[2];               /* accuracy by Euclid and by cosine */
} outcome;

static outcome train_on(const digits *s, es_cmim_mode mode, size_t k, double tau, size_t batch) {
    static double values[ES_CMIM_SETTINGS_MOST], mu[2][ALL * 16], info[2][ALL * 128];
    static const float noise[ALL * 16]; /* none: z is mu */
    const es_simd *simd = es_simd_get(es_isa_level());
    outcome o = {0};
    es_cmim_trainer *t = NULL;
    es_cmim_net *net = NULL;
    es_cmim_parts p = {0};
    es_cmim_defaults(values);
    es_cmim_recipe r = es_cmim_recipe_of(values, 1);
    r.goal.mode = mode;
    r.goal.tau = tau;
    r.bernoulli = true;
    r.h = 128;
    r.k = k;
    r.steps = SANITIZED ? 50 : 2000;
    r.batch = batch;
    assert_ok(es_cmim_trainer_new(&r, s->train, s->n_train, PIXELS, simd, &t, NULL));
    while (t->step < r.steps)
        assert_ok(es_cmim_trainer_step(t, NULL, &p, NULL));
    es_cmim_finish(t);
    if (es_cmim_validate(t, &p))
        o.miss = -p.contrastive;
    const es_cmim_shape *shape = &t->net->shape;
    for (size_t part = 0; part < 2; part++)
        assert_ok(es_cmim_embed_rows(shape, t->net->param, &r, simd, part ? s->test : s->train,
                                     part ? s->n_test : s->n_train, mu[part], info[part], NULL,
                                     NULL));
    for (int cosine = 0; cosine < 2; cosine++) {
        o.mu[cosine] = knn(s, mu[0], mu[1], k, cosine);
        o.info[cosine] = knn(s, info[0], info[1], 128, cosine);
    }
    assert_ok(es_cmim_net_new(shape, s->n_test, simd, &net, NULL));
    memcpy(net->param, t->net->param, net->n_params * sizeof(float));
    p = es_cmim_net_loss(net, &r.goal, s->test, noise, s->n_test, false);
    o.reconstruction = p.reconstruction;
    o.cosine = p.cosine;
    es_cmim_net_free(net);
    es_cmim_trainer_free(t);
    return o;
}

static void tell(const char *what, const outcome *o) {
    print_message("digits %-14s recon %.3f mu %.4f %.4f info %.4f %.4f cosine %.3f -log p_k %.4f\n",
                  what, o->reconstruction, o->mu[0], o->mu[1], o->info[0], o->info[1], o->cosine,
                  o->miss);
}

static double expected_of(const char *mode, const char *what) {
    return methods_value(TABLE, "digits_reference_mean_sd_2_seeds/%s/B100/%s/0", mode, what);
}

static double tau_value(const char *where, const char *what) {
    return methods_value(TABLE, "digits_tau/cmim/%s/%s", where, what);
}

static double ten(const char *what) {
    return methods_value(TABLE, "digits_reference_mean_sd_2_seeds/cmim/B10/%s/0", what);
}

static digits set;

/* Of cMIM as it is by default, which two tests look at. */
static outcome usual(void) {
    static outcome o;
    static bool known;
    if (!known)
        o = train_on(&set, ES_CMIM, 16, 0.1, 100);
    known = true;
    return o;
}

TEST(digits__four_modes__are_near_the_reference) {
    static const struct {
        const char *name;
        es_cmim_mode mode;
    } modes[] = {{"cmim", ES_CMIM}, {"mim", ES_CMIM_MIM}, {"ae", ES_CMIM_AE}, {"vae", ES_CMIM_VAE}};
    outcome o[4];
    read_digits(0, &set);
    print_message("digits raw pixels: mu %.4f %.4f\n", raw(&set, false), raw(&set, true));
    for (size_t i = 0; i < 4; i++) {
        o[i] = i ? train_on(&set, modes[i].mode, 16, 0.1, 100) : usual();
        tell(modes[i].name, &o[i]);
        if (SANITIZED)
            continue; /* too few steps for numbers */
        assert_true(fabs(o[i].reconstruction - expected_of(modes[i].name, "recon_loglik_test")) <
                    0.5);
        assert_true(fabs(o[i].mu[0] - expected_of(modes[i].name, "knn5_mu_euclidean")) < 0.03);
        assert_true(fabs(o[i].mu[1] - expected_of(modes[i].name, "knn5_mu_cosine")) < 0.03);
        assert_true(fabs(o[i].info[0] - expected_of(modes[i].name, "knn5_info_h_euclidean")) <
                    0.02);
    }
    if (SANITIZED)
        return;
    assert_true(o[0].mu[0] > 0.97 && o[1].mu[0] > 0.97);
    assert_true(fabs(o[0].reconstruction - o[1].reconstruction) < 0.5);
    assert_true(o[2].cosine > 0.4 && fabs(o[0].cosine) < 0.2); /* AE keeps to a cone */
    assert_true(o[3].reconstruction < o[0].reconstruction - 2);
}

/* The term is inactive where codes are spread already, and acts in two dimensions. */
TEST(digits__temperature__acts_where_there_is_little_room) {
    if (SANITIZED)
        skip(); /* the same code as of the four modes */
    read_digits(0, &set);
    outcome wide = usual(), mim = train_on(&set, ES_CMIM_MIM, 2, 1, 100),
            cold = train_on(&set, ES_CMIM, 2, 0.1, 100), warm = train_on(&set, ES_CMIM, 2, 1, 100);
    tell("cmim k16 t0.1", &wide);
    tell("mim k2", &mim);
    tell("cmim k2 t0.1", &cold);
    tell("cmim k2 t1", &warm);
    outcome far = train_on(&set, ES_CMIM, 16, 1, 100), small = train_on(&set, ES_CMIM, 16, 0.1, 10);
    tell("cmim k16 t1", &far);
    tell("cmim B10", &small);
    assert_true(fabs(cold.miss - tau_value("k2/tau0.1", "neg_log_pk_last_batch")) < 0.1);
    assert_true(fabs(warm.miss - tau_value("k2/tau1.0", "neg_log_pk_last_batch")) < 0.1);
    assert_true(fabs(far.miss - tau_value("k16/tau1.0", "neg_log_pk_last_batch")) < 0.05);
    assert_true(fabs(far.mu[0] - tau_value("k16/tau1.0", "knn5_mu_euclidean")) < 0.03);
    assert_true(fabs(far.cosine - tau_value("k16/tau1.0", "mean_cosine")) < 0.05);
    assert_true(fabs(small.reconstruction - ten("recon_loglik_test")) < 0.5);
    assert_true(fabs(small.mu[0] - ten("knn5_mu_euclidean")) < 0.02);
    assert_true(fabs(small.cosine - ten("mean_cosine")) < 0.05);
    assert_true(wide.miss < 0.05 && cold.miss > 0.1 && warm.miss > 0.3);
    assert_true(warm.mu[1] > mim.mu[1] + 0.02);
    assert_true(fabs(warm.reconstruction - mim.reconstruction) < 0.5);
    assert_true(warm.cosine < mim.cosine);
}

/* The code of a row is drawn by its number: the same again, mu as without, another info. */
TEST(sampled__info__is_of_a_drawn_code) {
    enum { ROWS = 300, COLUMNS = 6, CODE = 3, WIDTH = 8 };
    static float x[ROWS * COLUMNS];
    static double values[ES_CMIM_SETTINGS_MOST], mu[3][ROWS * CODE], info[3][ROWS * WIDTH];
    es_cmim_trainer *t = NULL;
    es_cmim_parts p = {0};
    es_rng rng = test_rng(5, 5);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++)
        x[i] = (float)es_rng_normal(&rng);
    for (int ae = 0; ae < 2; ae++) {
        es_cmim_defaults(values);
        es_cmim_recipe r = es_cmim_recipe_of(values, 1);
        r.goal.mode = ae ? ES_CMIM_AE : ES_CMIM;
        r.h = WIDTH;
        r.k = CODE;
        r.steps = 20;
        const es_simd *simd = es_simd_get(es_isa_level());
        assert_ok(es_cmim_trainer_new(&r, x, ROWS, COLUMNS, simd, &t, NULL));
        while (t->step < r.steps)
            assert_ok(es_cmim_trainer_step(t, NULL, &p, NULL));
        for (int k = 0; k < 3; k++) {
            r.sample = k > 0;
            assert_ok(es_cmim_embed_rows(&t->net->shape, t->net->param, &r, simd, x,
                                         k == 2 ? 7 : ROWS, mu[k], info[k], NULL, NULL));
        }
        assert_memory_equal(mu[0], mu[1], sizeof mu[0]);
        assert_memory_equal(info[1], info[2], 7 * WIDTH * sizeof(double));
        double change = 0;
        for (size_t i = 0; i < (size_t)ROWS * WIDTH; i++)
            change = fmax(change, fabs(info[0][i] - info[1][i]));
        assert_true(ae ? change == 0 : change > 0.01); /* ae has no noise */
        es_cmim_trainer_free(t);
    }
}
