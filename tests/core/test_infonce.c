/* Trained critics against references, the truth of Gaussians, and what they are not told. */
#include "methods.h"

#include "core_alike.h"
#include "core_measures.h"
#include "sanitized.h"

#define TABLE "../contrastive/expected.csv"

static const es_infonce_rules plain = {.batch = 128,
                                       .width = 64,
                                       .hidden = 32,
                                       .steps = 300,
                                       .rate = 0.005,
                                       .decay = 0.001,
                                       .temperature = 0.2,
                                       .seed = 1};

static es_infonce_side *side_of(const es_matrix *m, const es_infonce_rules *rules) {
    es_infonce_side *side = NULL;
    assert_ok(es_infonce_side_new(m, rules, NULL, &side, test_err()));
    return side;
}

static es_infonce of(const es_matrix *u, const es_matrix *v, const es_infonce_rules *rules) {
    es_infonce_side *a = side_of(u, rules), *b = side_of(v, rules);
    es_infonce out = {.batch = 0};
    assert_ok(es_infonce_of(a, b, NULL, &out, test_err()));
    es_infonce_side_free(a);
    es_infonce_side_free(b);
    return out;
}

/* d pairs of normal columns of correlation rho. */
static void gauss(size_t n, size_t d, double rho, uint64_t seed, es_matrix *u, es_matrix *v) {
    es_rng rng = test_rng(seed, 5);
    *u = matrix_kept(n, d);
    *v = matrix_kept(n, d);
    for (size_t i = 0; i < n * d; i++) {
        u->x[i] = es_rng_normal(&rng);
        v->x[i] = rho * u->x[i] + sqrt(1 - rho * rho) * es_rng_normal(&rng);
    }
}

static const char *const digits[][2] = {{"digits_raw64", "digits_pca16"},
                                        {"digits_raw64", "digits_relu32"},
                                        {"digits_pca16", "digits_relu32"},
                                        {"digits_raw64", "noise8"},
                                        {"digits_raw64", "digits_rot64"}};

static es_matrix file_of(const char *name) {
    char file[64];
    snprintf(file, sizeof file, "%s.npy", name);
    return methods_npy(file);
}

/* Mean over 3 seeds of the uncut value. */
static double digits_value(size_t k, unsigned steps) {
    es_infonce_rules rules = plain;
    es_matrix u = file_of(digits[k][0]), v = file_of(digits[k][1]);
    double mean = 0;
    rules.batch = 100;
    rules.width = 16;
    rules.steps = steps;
    for (rules.seed = 0; rules.seed < 3; rules.seed++) {
        es_infonce x = of(&u, &v, &rules);
        assert_int_equal(x.batch, 100);
        assert_int_equal(x.batches, 1);
        assert_true(isnan(x.se));
        mean += x.raw / 3;
    }
    return mean;
}

/* The reference stops at about half of the steps; all of them find more. */
TEST(infonce__of_digits__is_near_the_trained_reference) {
    for (size_t k = 0; k < 5; k++) {
        double truth =
            methods_value(TABLE, "trained_reference_mean_sd_over_3_seeds/%s|%s/infonce_sym/0",
                          digits[k][0], digits[k][1]);
        assert_true(fabs(digits_value(k, 150) - truth) < 0.15);
        double whole = digits_value(k, 300);
        assert_true(whole > truth - 0.15 && whole < log(100));
    }
}

TEST(infonce__of_gaussians__is_below_the_truth_and_log_n) {
    enum { SEEDS = SANITIZED ? 3 : 20 };
    static const double rho[] = {0.5, 0.9};
    for (size_t k = 0; k < 2; k++) {
        double truth = -2 * log(1 - rho[k] * rho[k]), mean = 0, match = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            es_infonce_rules rules = plain;
            es_matrix u, v;
            rules.seed = seed;
            gauss(2000, 4, rho[k], seed, &u, &v);
            es_infonce x = of(&u, &v, &rules);
            assert_int_equal(x.batches, 3);
            assert_true(x.raw < log(128) && x.raw < truth + 2 * x.se);
            assert_true(x.temperature >= 0.05 - 1e-6 && x.temperature <= 1);
            assert_false(x.saturated);
            mean += x.raw / SEEDS;
            match += x.match / SEEDS;
        }
        assert_true(mean > 0.5 * truth);
        assert_true(match > (k ? 0.85 : 0.55) && match < (k ? 0.95 : 0.7));
    }
}

TEST(infonce__match__does_not_depend_on_the_batch) {
    es_matrix u, v;
    es_infonce_rules small = plain;
    small.batch = 32;
    gauss(4000, 4, 0.9, 2, &u, &v);
    es_infonce few = of(&u, &v, &small), many = of(&u, &v, &plain);
    assert_true(fabs(few.match - many.match) < 0.02);
    assert_true(many.raw - few.raw > 0.2); /* this does */
    assert_int_equal(few.batches, 31);
    assert_true(few.se > 0 && few.se < 0.1);
}

static es_measure_value *measured(const es_matrix *u, const es_matrix *v, const char *assignment) {
    static es_measure_value out[ES_MEASURE_FIELDS];
    const es_measure *m = es_measure_find("infonce");
    const es_measure_data data = {.seed = 1};
    double values[ES_MEASURE_FIELDS];
    void *a = NULL, *b = NULL;
    for (size_t i = 0; i < m->n_settings; i++)
        values[i] = m->settings[i].value;
    if (assignment)
        assert_ok(
            es_setting_assign(m->settings, m->n_settings, "infonce", assignment, values, NULL));
    assert_ok(m->side_new(u, &data, values, NULL, &a, NULL));
    assert_ok(m->side_new(v, &data, values, NULL, &b, NULL));
    assert_ok(m->pair(a, b, NULL, out, NULL));
    m->side_free(a);
    m->side_free(b);
    return out;
}

static es_measure_value field(const es_measure_value *of_pair, const char *name) {
    const es_measure *m = es_measure_find("infonce");
    for (size_t f = 0; f < m->n_fields; f++)
        if (strcmp(m->fields[f].name, name) == 0)
            return of_pair[f];
    fail_msg("no field %s", name);
    return of_pair[0];
}

TEST(infonce__above_log_n__is_saturated_and_flagged) {
    es_matrix u, v, near_u, near_v;
    gauss(2000, 8, 0.99, 1, &u, &v); /* 15.7 nats, log 128 is 4.85 */
    gauss(2000, 4, 0.5, 1, &near_u, &near_v);
    const es_measure_value *of_pair = measured(&u, &v, NULL);
    assert_contains(field(of_pair, "value").warning, "saturated");
    assert_true(field(of_pair, "value").value > 0.9 * field(of_pair, "ceiling").value);
    assert_contains(field(of_pair, "dv").warning, "varies");
    assert_contains(field(of_pair, "nwj").warning, "varies");
    of_pair = measured(&near_u, &near_v, NULL);
    assert_null(field(of_pair, "value").warning);
    assert_null(field(of_pair, "dv").warning);
    assert_null(field(of_pair, "nwj").warning);
    of_pair = measured(&near_u, &near_v, "critic=bilinear");
    assert_contains(field(of_pair, "temperature").why, "bilinear");
    for (size_t i = 0; i < 2; i++)
        assert_true(
            field(measured(&near_u, &near_v, i ? "critic=mlp" : "maps=source"), "raw").value > 0.1);
}

static void assert_same(const es_infonce *a, const es_infonce *b) {
    assert_true(a->raw == b->raw && a->dv == b->dv && a->margin == b->margin);
    assert_true(a->match == b->match && a->temperature == b->temperature && a->step == b->step);
}

/* Of the unseen rows, whose mean is the margin; those whose partners are another row's stand at the
 * end where two embedders agree least, whichever comes first. */
TEST(infonce__rows__find_those_that_do_not_belong) {
    enum { N = 2000, WRONG = 40 };
    es_matrix u, v;
    gauss(N, 8, 0.95, 3, &u, &v);
    for (size_t i = 0; i < WRONG; i++) /* every 50th row of v is that of the next of these */
        for (size_t j = 0; j < v.d; j++) {
            double *row = v.x + 50 * i * v.d + j, *next = v.x + 50 * ((i + 1) % WRONG) * v.d + j;
            double kept = *row;
            *row = *next;
            *next = kept;
        }
    es_infonce_side *a = NULL, *b = NULL;
    es_infonce there, back, plain_value;
    es_infonce_row *rows = NULL, *turned = NULL;
    assert_ok(es_infonce_side_new(&u, &plain, NULL, &a, NULL));
    assert_ok(es_infonce_side_new(&v, &plain, NULL, &b, NULL));
    assert_ok(es_infonce_rows(a, b, NULL, &there, &rows, NULL));
    assert_ok(es_infonce_rows(b, a, NULL, &back, &turned, NULL));
    assert_ok(es_infonce_of(a, b, NULL, &plain_value, NULL));
    assert_true(there.raw == plain_value.raw && there.batches * there.batch == 384);
    double mean = 0, wrong = 0, right = 0;
    size_t planted = 0, seen[N] = {0};
    for (size_t i = 0; i < 384; i++) {
        mean += rows[i].pmi / 384;
        assert_true(rows[i].pmi == turned[i].pmi && rows[i].row == turned[i].row);
        assert_true(rows[i].row < N && rows[i].rival < N && rows[i].rival != rows[i].row);
        assert_int_equal(seen[rows[i].row]++, 0);
        bool is_wrong = rows[i].row % 50 == 0;
        planted += is_wrong;
        *(is_wrong ? &wrong : &right) += rows[i].pmi;
    }
    assert_float_equal(mean, there.margin, 1e-9);
    assert_true(planted >= 3);
    assert_true(wrong / (double)planted < 0 && right / (double)(384 - planted) > 2);
    es_free(rows);
    es_free(turned);
    es_infonce_side_free(a);
    es_infonce_side_free(b);
}

TEST(infonce__both_ways_and_again__is_the_same_to_the_last_bit) {
    es_matrix u = file_of("digits_pca16"), v = file_of("digits_relu32");
    es_infonce_rules other = plain, directed = plain;
    es_infonce there = of(&u, &v, &plain), back = of(&v, &u, &plain), again = of(&u, &v, &plain);
    assert_same(&there, &again);
    assert_near(back.raw, there.raw, 1e-15);
    assert_near(back.match, there.match, 1e-15);
    assert_near(back.margin, there.margin, 1e-15);
    assert_near(back.dv, there.dv, 1e-15);
    assert_int_equal(back.step, there.step);
    other.seed = 9;
    assert_true(of(&u, &v, &other).raw != there.raw);
    directed.directed = true;
    es_infonce to_v = of(&u, &v, &directed), to_u = of(&v, &u, &directed);
    assert_true(to_v.raw > 1 && to_u.raw > 1 && fabs(to_v.raw - to_u.raw) > 1e-3);
}

static es_matrix negation_of(const es_matrix *m) {
    es_matrix out = matrix_kept(m->n, m->d);
    for (size_t i = 0; i < m->n * m->d; i++)
        out.x[i] = -m->x[i];
    return out;
}

/* Maps that start alike would stay opposite: the lower of what is found, 0. */
TEST(infonce__of_a_negation__is_that_of_the_embedder) {
    es_matrix u, v;
    gauss(800, 6, 0.95, 2, &u, &v);
    es_matrix minus = negation_of(&u), apart = negation_of(&v);
    for (int kind = ES_CRITIC_COSINE; kind <= ES_CRITIC_MLP; kind++) {
        es_infonce_rules rules = plain;
        rules.kind = (es_critic_kind)kind;
        es_infonce self = of(&u, &u, &rules), there = of(&u, &minus, &rules),
                   back = of(&minus, &u, &rules);
        assert_true(there.saturated == self.saturated && there.raw > self.raw - 0.3);
        assert_true(there.raw == back.raw && there.step == back.step);
    }
    assert_near(of(&u, &apart, &plain).raw, of(&u, &v, &plain).raw, 0.02);
    es_matrix far, behind; /* hardly alike: still as much of one as of the other */
    gauss(800, 6, 0.3, 2, &behind, &far);
    es_matrix turned = negation_of(&far);
    assert_near(of(&behind, &turned, &plain).raw, of(&behind, &far, &plain).raw, 1e-9);
}

TEST(infonce__of_odd_columns__leaves_them_out) {
    es_matrix u = file_of("digits_pca16"), v = file_of("digits_relu32"), wide, still;
    wide = matrix_kept(400, 18);
    still = matrix_kept(400, 2);
    for (size_t i = 0; i < 400; i++)
        for (size_t j = 0; j < 18; j++)
            wide.x[18 * i + j] = j == 0 ? 7 : j == 17 ? 1e7 : u.x[16 * i + j - 1];
    for (size_t i = 0; i < 800; i++)
        still.x[i] = -3;
    es_infonce with = of(&wide, &v, &plain), without = of(&u, &v, &plain);
    assert_same(&with, &without);
    es_infonce none = of(&still, &v, &plain);
    assert_string_equal(none.value.why, "constant");
    assert_string_equal(field(measured(&still, &v, NULL), "match").why, "constant");
}

static void expect_refused(es_matrix *m, const es_infonce_rules *rules, const char *words) {
    es_infonce_side *side = NULL;
    assert_int_equal(es_infonce_side_new(m, rules, NULL, &side, test_err()), ES_EINVAL);
    assert_null(side);
    assert_contains(test_message(), words);
}

TEST(infonce__bad_input__is_refused_or_lowered) {
    es_matrix u, v;
    gauss(200, 4, 0.9, 1, &u, &v);
    es_infonce_rules rules = plain;
    u.n = 63;
    expect_refused(&u, &plain, "63 rows are too few");
    u.n = 200;
    rules.temperature = 0;
    expect_refused(&u, &rules, "temperature must be above 0, and is 0");
    rules.temperature = -1;
    expect_refused(&u, &rules, "temperature must be above 0, and is -1");
    rules = plain;
    rules.batch = 1;
    expect_refused(&u, &rules, "batches of 2");
    assert_int_equal(of(&u, &v, &plain).batch, 50); /* 200 rows are fewer than 4 times 128 */
    es_infonce_side *a = side_of(&u, &plain);
    v.n = 199;
    es_infonce_side *b = side_of(&v, &plain);
    es_infonce out;
    assert_int_equal(es_infonce_of(a, b, NULL, &out, NULL), ES_EINVAL);
    es_infonce_side_free(b);
    v.n = 200;
    b = side_of(&v, &plain);
    es_run canceled;
    es_run_init(&canceled);
    es_run_cancel(&canceled);
    assert_int_equal(es_infonce_of(a, b, &canceled, &out, NULL), ES_ECANCELED);
    es_infonce_side_free(a);
    es_infonce_side_free(b);
}

TEST(infonce__a_loss_that_is_no_number__goes_back_to_the_best) {
    es_matrix u, v;
    gauss(400, 4, 0.9, 1, &u, &v);
    es_infonce_rules wild = plain, first = plain;
    wild.kind = first.kind = ES_CRITIC_BILINEAR;
    wild.rate = 1e30;
    wild.decay = 0;
    first.steps = 0;
    es_infonce x = of(&u, &v, &wild), start = of(&u, &v, &first);
    assert_int_equal(x.broke, 2);
    assert_int_equal(x.step, 0);
    assert_true(x.raw == start.raw); /* nothing was better than the start */
    assert_true(isfinite(x.raw) && start.broke == 0);
}
