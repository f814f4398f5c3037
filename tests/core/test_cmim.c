/* Networks of cMIM against references and finite differences, and their training. */
#include "methods.h"

#include "cmim_train.h"

#define TABLE "../cmim/expected.csv"

enum { N = 6, D = 5, H = 4, K = 3 };

/* The reference's table, read once: it is asked some thousand times. */
static char *table;

static double value(const char *format, ...) __attribute__((format(printf, 1, 2)));
static double value(const char *format, ...) {
    char key[200] = "\n";
    va_list list;
    va_start(list, format);
    int length = vsnprintf(key + 1, sizeof key - 2, format, list);
    va_end(list);
    key[length + 1] = ',';
    key[length + 2] = '\0';
    const char *line = strstr(table, key);
    if (!line)
        fail_msg("%s has no key '%s'", TABLE, key + 1);
    return line ? strtod(line + strlen(key), NULL) : (double)NAN;
}

static int read_table(void **state) {
    size_t size = 0;
    table = methods_bytes(TABLE, &size);
    *state = table;
    return 0;
}

static int drop_table(void **state) {
    free(*state);
    return 0;
}

TEST_GROUP(read_table, drop_table);

/* What the reference calls the tensors, in the order of es_cmim_tensors. */
static const char *const names[] = {"We", "be", "Wm", "bm", "Wv", "bv", "Wd", "bd", "Wx", "bx"};

static const struct {
    const char *key;
    es_cmim_mode mode;
} modes[] = {{"cmim", ES_CMIM}, {"mim", ES_CMIM_MIM}, {"vae", ES_CMIM_VAE}, {"ae", ES_CMIM_AE}};

typedef struct tiny {
    es_cmim_twin *twin;
    es_cmim_goal goal;
    double x[N * D], noise[N * K];
    char key[60];
} tiny;

static void set_up(tiny *t, size_t mode, bool bernoulli, bool cold) {
    const es_cmim_shape shape = {.d = D, .h = H, .k = K, .layers = 1, .bernoulli = bernoulli};
    t->goal = (es_cmim_goal){modes[mode].mode, cold ? 0.1 : 1, 1, log(1e-6)};
    snprintf(t->key, sizeof t->key, "tiny/%s/%s/tau%s", modes[mode].key,
             bernoulli ? "bernoulli" : "gaussian", cold ? "0.1" : "1.0");
    assert_ok(es_cmim_twin_new(&shape, N, NULL, &t->twin, NULL));
    assert_int_equal(t->twin->n_tensors, sizeof names / sizeof *names);
    for (size_t k = 0; k < t->twin->n_tensors; k++) {
        const es_cmim_tensor *w = &t->twin->tensor[k];
        size_t count = w->columns * (w->rows ? w->rows : 1);
        for (size_t i = 0; i < count; i++)
            t->twin->param[w->at + i] = value("tiny/%s/%zu", names[k], i);
    }
    for (size_t i = 0; i < N * D; i++) {
        double x = value("tiny/x/%zu", i);
        t->x[i] = bernoulli ? 1 / (1 + exp(-x)) : x;
    }
    for (size_t i = 0; i < N * K; i++)
        t->noise[i] = value("tiny/eps/%zu", i);
}

TEST(cmim__tiny_cases__are_the_reference) {
    static const char *const row[] = {"lpx", "lpk", "lq", "lp"};
    size_t cases = 0;
    for (size_t c = 0; c < 16; c++) {
        tiny t;
        if (c / 4 != 0 && c % 2) /* only cmim has a temperature */
            continue;
        set_up(&t, c / 4, c / 2 % 2, c % 2);
        es_cmim_parts p = es_cmim_twin_loss(t.twin, &t.goal, t.x, t.noise, N, true);
        assert_near(p.loss, value("%s/loss", t.key), 1e-9);
        for (size_t r = 0; r < 4; r++)
            for (size_t i = 0; i < N && !(r == 2 && t.goal.mode == ES_CMIM_AE); i++)
                assert_near(t.twin->row[r][i], value("%s/%s/%zu", t.key, row[r], i), 1e-9);
        for (size_t k = 0; k < t.twin->n_tensors; k++) {
            const es_cmim_tensor *w = &t.twin->tensor[k];
            for (size_t i = 0; i < w->columns * (w->rows ? w->rows : 1); i++)
                assert_near(t.twin->grad[w->at + i], value("%s/grad/%s/%zu", t.key, names[k], i),
                            1e-8);
        }
        /* one step of Adam: with bias corrected, every parameter moves by the rate */
        for (size_t i = 0; i < t.twin->n_params; i++)
            t.twin->param[i] -= 1e-3 * t.twin->grad[i] / (fabs(t.twin->grad[i]) + 1e-8);
        p = es_cmim_twin_loss(t.twin, &t.goal, t.x, t.noise, N, false);
        assert_near(p.loss, value("%s/loss_after_one_adam_step_lr1e-3", t.key), 1e-9);
        es_cmim_twin_free(t.twin);
        cases++;
    }
    assert_int_equal(cases, 10);
}

/* Deeper networks than the reference's, both activations, codes wider than hidden layers. */
static const es_cmim_shape shapes[] = {
    {.d = 7, .h = 5, .k = 3, .layers = 1},
    {.d = 7, .h = 4, .k = 6, .layers = 2, .bernoulli = true},
    {.d = 5, .h = 6, .k = 2, .layers = 3, .relu = true},
    {.d = 6, .h = 4, .k = 3, .layers = 1, .learned = true},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

enum { ROWS = 8, MOST = 400 };
static double x[ROWS * 8], noise[ROWS * 8], param[MOST];

static void draw(const es_cmim_shape *s, size_t n_params, uint64_t seed) {
    es_rng rng = test_rng(seed, 1);
    assert_true(n_params <= MOST);
    for (size_t i = 0; i < ROWS * s->d; i++)
        x[i] = s->bernoulli ? es_rng_uniform(&rng) : es_rng_normal(&rng);
    for (size_t i = 0; i < ROWS * s->k; i++)
        noise[i] = es_rng_normal(&rng);
    for (size_t i = 0; i < n_params; i++)
        param[i] = 0.5 * es_rng_normal(&rng);
}

TEST(cmim__gradient_of_every_parameter__is_the_slope) {
    static double gradient[MOST];
    for (size_t c = 0; c < SHAPES * ES_CMIM_MODES; c++) {
        const es_cmim_goal goal = {(es_cmim_mode)(c % ES_CMIM_MODES), 0.7, 1.3, -30};
        es_cmim_twin *net = NULL;
        assert_ok(es_cmim_twin_new(&shapes[c / ES_CMIM_MODES], ROWS, NULL, &net, NULL));
        draw(&net->shape, net->n_params, c);
        memcpy(net->param, param, net->n_params * sizeof *param);
        es_cmim_twin_loss(net, &goal, x, noise, ROWS, true);
        memcpy(gradient, net->grad, net->n_params * sizeof *gradient);
        for (size_t i = 0; i < net->n_params; i++) {
            double step = 1e-5, own = net->param[i];
            net->param[i] = own + step;
            double above = es_cmim_twin_loss(net, &goal, x, noise, ROWS, false).loss;
            net->param[i] = own - step;
            double below = es_cmim_twin_loss(net, &goal, x, noise, ROWS, false).loss;
            net->param[i] = own;
            assert_near(gradient[i], (above - below) / (2 * step), 1e-8);
        }
        es_cmim_twin_free(net);
    }
}

/* Rivals with the term are the rival plus the term; a decoder's variance is that of its density. */
TEST(cmim__ablations__are_what_they_add) {
    const es_cmim_mode with[] = {ES_CMIM, ES_CMIM_CVAE, ES_CMIM_CAE},
                       without[] = {ES_CMIM_MIM, ES_CMIM_VAE, ES_CMIM_AE};
    for (size_t c = 0; c < 3; c++) {
        const es_cmim_goal goal = {with[c], 0.5, 1.7, log(1e-6)},
                           plain = {without[c], 0.5, 1.7, log(1e-6)};
        es_cmim_twin *net = NULL;
        assert_ok(es_cmim_twin_new(&shapes[3], ROWS, NULL, &net, NULL));
        draw(&net->shape, net->n_params, c);
        memcpy(net->param, param, net->n_params * sizeof *param);
        double *log_var = &net->param[net->n_params - 1];
        *log_var = 0.8;
        es_cmim_parts p = es_cmim_twin_loss(net, &goal, x, noise, ROWS, false);
        double square = 0, d = (double)net->shape.d;
        for (size_t i = 0; i < ROWS * net->shape.d; i++)
            square += net->output[i] * net->output[i]; /* (output - x) / (rows variance) */
        square *= ROWS * ROWS * exp(2 * 0.8);
        assert_near(p.reconstruction,
                    -d * (log(2 * acos(-1)) + 0.8) / 2 - square / (2 * ROWS * exp(0.8)), 1e-9);
        es_cmim_parts q = es_cmim_twin_loss(net, &plain, x, noise, ROWS, false);
        assert_true(p.contrastive < -0.01 && fabs(q.contrastive) <= 0);
        assert_near(p.loss, q.loss - 1.7 * p.contrastive, 1e-12);
        *log_var = -20; /* below the floor */
        es_cmim_parts low = es_cmim_twin_loss(net, &goal, x, noise, ROWS, true);
        assert_true(fabs(net->grad[net->n_params - 1]) <= 0);
        *log_var = log(1e-6);
        assert_near(es_cmim_twin_loss(net, &goal, x, noise, ROWS, false).loss, low.loss, 1e-9);
        es_cmim_twin_free(net);
    }
}

TEST(cmim__in_floats__agrees_with_its_twin) {
    for (size_t c = 0; c < SHAPES * ES_CMIM_MODES; c++)
        for (es_isa isa = ES_ISA_REF; isa <= es_isa_best(); isa++) {
            const es_cmim_goal goal = {(es_cmim_mode)(c % ES_CMIM_MODES), 0.3, 1, log(1e-6)};
            es_cmim_twin *twin = NULL;
            es_cmim_net *net = NULL;
            float fx[ROWS * 8], fn[ROWS * 8];
            const es_cmim_shape *shape = &shapes[c / ES_CMIM_MODES];
            assert_ok(es_cmim_twin_new(shape, ROWS, NULL, &twin, NULL));
            assert_ok(es_cmim_net_new(shape, ROWS + 1, es_simd_get(isa), &net, NULL));
            draw(shape, twin->n_params, c);
            for (size_t i = 0; i < twin->n_params; i++)
                twin->param[i] = (double)(net->param[i] = (float)param[i]);
            for (size_t i = 0; i < ROWS * 8; i++) {
                x[i] = (double)(fx[i] = (float)x[i]);
                noise[i] = (double)(fn[i] = (float)noise[i]);
            }
            es_cmim_parts p = es_cmim_twin_loss(twin, &goal, x, noise, ROWS, true),
                          q = es_cmim_net_loss(net, &goal, fx, fn, ROWS, true);
            assert_near(q.loss, p.loss, 1e-5);
            assert_near(q.cosine, p.cosine, 1e-5);
            for (size_t i = 0; i < twin->n_params; i++)
                assert_near((double)net->grad[i], twin->grad[i], 1e-4);
            es_cmim_twin_free(twin);
            es_cmim_net_free(net);
        }
}

/* ---- training ---- */

enum { TOY = 400, WIDTH = 6 };

static float *toy_rows(void) {
    static float rows[TOY * WIDTH];
    es_rng rng = test_rng(3, 3);
    for (size_t i = 0; i < TOY; i++) {
        double a = es_rng_normal(&rng), b = es_rng_normal(&rng);
        for (size_t j = 0; j < WIDTH; j++)
            rows[i * WIDTH + j] = (float)(sin((double)j) * a + cos(2.0 * (double)j) * b * a +
                                          0.1 * es_rng_normal(&rng));
    }
    return rows;
}

static es_cmim_recipe toy_recipe(es_cmim_mode mode) {
    double values[ES_CMIM_SETTINGS_MOST];
    es_cmim_defaults(values);
    es_cmim_recipe r = es_cmim_recipe_of(values, 5);
    r.goal.mode = mode;
    r.h = 16;
    r.k = 3;
    r.batch = 20;
    r.steps = 200;
    r.rate = 5e-3;
    return r;
}

static es_cmim_trainer *trainer_of(const es_cmim_recipe *r) {
    es_cmim_trainer *t = NULL;
    assert_ok(
        es_cmim_trainer_new(r, toy_rows(), TOY, WIDTH, es_simd_get(es_isa_level()), &t, NULL));
    return t;
}

static void run_steps(es_cmim_trainer *t, size_t until) {
    es_cmim_parts p;
    while (t->step < until)
        assert_ok(es_cmim_trainer_step(t, NULL, &p, NULL));
}

TEST(train__every_mode__lowers_its_validation_loss) {
    for (int mode = 0; mode < ES_CMIM_MODES; mode++) {
        es_cmim_recipe r = toy_recipe((es_cmim_mode)mode);
        es_cmim_trainer *t = trainer_of(&r);
        es_cmim_parts before, after;
        assert_true(es_cmim_validate(t, &before));
        run_steps(t, r.steps);
        assert_int_equal(t->n_points, 100);
        assert_true(t->best_loss < before.loss - 0.3);
        es_cmim_finish(t);
        assert_true(es_cmim_validate(t, &after));
        assert_near(after.loss, t->best_loss, 0);
        es_cmim_trainer_free(t);
    }
}

/* A state is weights, moments, the best ones and where it stands: nothing else goes on. */
TEST(train__from_a_state_on__gives_the_same_bits) {
    es_cmim_recipe r = toy_recipe(ES_CMIM);
    es_cmim_trainer *whole = trainer_of(&r), *first = trainer_of(&r), *second = trainer_of(&r);
    run_steps(whole, r.steps);
    run_steps(first, 77);
    size_t bytes = whole->net->n_params * sizeof(float);
    memcpy(second->net->param, first->net->param, bytes);
    memcpy(second->moment1, first->moment1, bytes);
    memcpy(second->moment2, first->moment2, bytes);
    memcpy(second->best, first->best, bytes);
    memcpy(second->curve, first->curve, first->n_points * sizeof *first->curve);
    second->n_points = first->n_points;
    second->step = first->step;
    second->best_loss = first->best_loss;
    second->best_step = first->best_step;
    es_cmim_trainer_free(first);
    run_steps(second, r.steps);
    assert_memory_equal(whole->net->param, second->net->param, bytes);
    assert_memory_equal(whole->best, second->best, bytes);
    assert_memory_equal(whole->moment2, second->moment2, bytes);
    es_cmim_trainer_free(whole);
    es_cmim_trainer_free(second);
}

TEST(train__one_cancelled_step__leaves_the_state) {
    es_cmim_recipe r = toy_recipe(ES_CMIM);
    es_cmim_trainer *a = trainer_of(&r), *b = trainer_of(&r);
    es_cmim_parts p;
    es_run run;
    es_run_init(&run);
    es_run_cancel(&run);
    run_steps(a, 10);
    run_steps(b, 10);
    assert_int_equal(es_cmim_trainer_step(a, &run, &p, NULL), ES_ECANCELED);
    run_steps(a, 20);
    run_steps(b, 20);
    assert_memory_equal(a->net->param, b->net->param, a->net->n_params * sizeof(float));
    es_cmim_trainer_free(a);
    es_cmim_trainer_free(b);
}

TEST(train__loss_that_breaks__goes_back_and_names_the_step) {
    es_cmim_recipe r = toy_recipe(ES_CMIM);
    es_cmim_trainer *t = trainer_of(&r);
    es_cmim_parts p;
    run_steps(t, 50);
    t->net->param[0] = NAN;
    assert_error(es_cmim_trainer_step(t, NULL, &p, test_err()), ES_ENONFINITE, "step 51");
    assert_memory_equal(t->net->param, t->best, t->net->n_params * sizeof(float));
    assert_true(es_cmim_validate(t, &p) && isfinite(p.loss));
    es_cmim_trainer_free(t);

    t = trainer_of(&r);
    t->net->param[0] = NAN;
    assert_error(es_cmim_trainer_step(t, NULL, &p, test_err()), ES_ENONFINITE,
                 "before there were weights");
    es_cmim_trainer_free(t);
}

TEST(train__rate__rises_stays_and_falls) {
    es_cmim_recipe r = toy_recipe(ES_CMIM);
    r.steps = 100;
    r.rate = 1;
    assert_near(es_cmim_rate(&r, 1), 0.1, 1e-12);
    assert_near(es_cmim_rate(&r, 10), 1, 1e-12);
    assert_near(es_cmim_rate(&r, 90), 1, 1e-12);
    assert_near(es_cmim_rate(&r, 91), 10.0 / 11, 1e-12);
    assert_near(es_cmim_rate(&r, 100), 1.0 / 11, 1e-12);
}

TEST(train__bad_recipe__is_refused) {
    es_cmim_recipe r = toy_recipe(ES_CMIM);
    es_cmim_trainer *t = NULL;
    const es_simd *simd = es_simd_get(ES_ISA_REF);
    assert_int_equal(es_cmim_trainer_new(&r, toy_rows(), 7, WIDTH, simd, &t, test_err()),
                     ES_EINVAL);
    r.k = WIDTH + 1;
    assert_error(es_cmim_trainer_new(&r, toy_rows(), TOY, WIDTH, simd, &t, test_err()), ES_EINVAL,
                 "k=7");
    r = toy_recipe(ES_CMIM);
    r.goal.tau = 0;
    assert_int_equal(es_cmim_trainer_new(&r, toy_rows(), TOY, WIDTH, simd, &t, test_err()),
                     ES_EINVAL);
    assert_null(t);
    r = toy_recipe(ES_CMIM);
    assert_ok(es_cmim_trainer_new(&r, toy_rows(), 41, WIDTH, simd, &t, test_err()));
    assert_int_equal(t->recipe.batch, 10); /* a quarter of the rows */
    es_cmim_trainer_free(t);
}

/* Each setting is one part of the recipe, and of no other. */
TEST(recipe__settings__go_where_they_belong) {
    static const struct {
        const char *text;
        size_t offset;
        double value; /* below 0: that of the defaults is kept by what is not a number */
        char type;    /* 'd'ouble, 's'ize, 'b'ool, 'e'num */
    } parts[] = {{"mode=vae", offsetof(es_cmim_recipe, goal.mode), ES_CMIM_VAE, 'e'},
                 {"decoder=bernoulli", offsetof(es_cmim_recipe, bernoulli), 1, 'b'},
                 {"scale=minmax", offsetof(es_cmim_recipe, scale), ES_CMIM_SCALE_MINMAX, 'e'},
                 {"k=7", offsetof(es_cmim_recipe, k), 7, 's'},
                 {"hidden=9", offsetof(es_cmim_recipe, h), 9, 's'},
                 {"layers=2", offsetof(es_cmim_recipe, layers), 2, 's'},
                 {"activation=relu", offsetof(es_cmim_recipe, relu), 1, 'b'},
                 {"tau=0.5", offsetof(es_cmim_recipe, goal.tau), 0.5, 'd'},
                 {"weight=0.25", offsetof(es_cmim_recipe, goal.weight), 0.25, 'd'},
                 {"batch=11", offsetof(es_cmim_recipe, batch), 11, 's'},
                 {"steps=12", offsetof(es_cmim_recipe, steps), 12, 's'},
                 {"rate=0.125", offsetof(es_cmim_recipe, rate), 0.125, 'd'},
                 {"warmup=0.375", offsetof(es_cmim_recipe, warmup), 0.375, 'd'},
                 {"decay=0.625", offsetof(es_cmim_recipe, decay), 0.625, 'd'},
                 {"clip=3", offsetof(es_cmim_recipe, clip), 3, 'd'},
                 {"validation=0.3125", offsetof(es_cmim_recipe, validation), 0.3125, 'd'},
                 {"corrupt=0.75", offsetof(es_cmim_recipe, corrupt), 0.75, 'd'},
                 {"sample=yes", offsetof(es_cmim_recipe, sample), 1, 'b'},
                 {"variance=learned", offsetof(es_cmim_recipe, learned), 1, 'b'}};
    double values[ES_CMIM_SETTINGS_MOST];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        es_cmim_defaults(values);
        const es_cmim_recipe usual = es_cmim_recipe_of(values, 5);
        assert_ok(es_setting_assign(es_cmim_settings, es_cmim_setting_count, "cmim", parts[i].text,
                                    values, NULL));
        const es_cmim_recipe recipe = es_cmim_recipe_of(values, 5);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            const char *at = (const char *)&recipe + parts[k].offset,
                       *was = (const char *)&usual + parts[k].offset;
            size_t size = parts[k].type == 'd'   ? sizeof(double)
                          : parts[k].type == 's' ? sizeof(size_t)
                          : parts[k].type == 'b' ? sizeof(bool)
                                                 : sizeof(es_cmim_scale);
            if ((memcmp(at, was, size) == 0) != (k != i))
                fail_msg("%s and %s", parts[i].text, parts[k].text);
            double value = parts[k].type == 'd'   ? *(const double *)(const void *)at
                           : parts[k].type == 's' ? (double)*(const size_t *)(const void *)at
                           : parts[k].type == 'b' ? (double)*(const bool *)(const void *)at
                                                  : (double)*(const unsigned *)(const void *)at;
            if (k == i)
                assert_true(value == parts[k].value);
        }
        assert_int_equal(recipe.seed, 5);
        assert_true(recipe.goal.floor == log(1e-6));
    }
}

TEST(columns__constant_and_out_of_range__are_seen) {
    double raw[] = {0, 5, 1, 1, 5, 3, 0.5, 5, 2};
    const es_matrix m = {3, 3, raw};
    es_cmim_recipe r = toy_recipe(ES_CMIM);
    es_cmim_columns c = {0};
    float out[6];
    assert_ok(es_cmim_columns_fit(&m, &r, &c, test_err()));
    assert_int_equal(c.d, 2);
    assert_int_equal(c.column[1], 2);
    es_cmim_columns_apply(&c, raw, 3, out);
    assert_near((double)out[0], -sqrt(1.5), 1e-6);
    assert_near((double)out[3], sqrt(1.5), 1e-6);
    es_cmim_columns_deinit(&c);
    r.bernoulli = true;
    assert_error(es_cmim_columns_fit(&m, &r, &c, test_err()), ES_EINVAL, "column 2");
    r.scale = ES_CMIM_SCALE_MINMAX;
    assert_ok(es_cmim_columns_fit(&m, &r, &c, test_err()));
    es_cmim_columns_apply(&c, raw, 3, out);
    assert_near((double)out[5], 0.5, 1e-6);
    es_cmim_columns_deinit(&c);
    const es_matrix flat = {2, 1, (double[]){4, 4}};
    assert_int_equal(es_cmim_columns_fit(&flat, &r, &c, test_err()), ES_EEMPTY);
}
