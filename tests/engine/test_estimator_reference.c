/* The estimator `linear` against an independent implementation (tests/reference/estimator), and
 * what must hold for layers after a ReLU, which have columns that few rows activate. */
#include "testing.h"
#include "core/estimating.h"
#include "core/synthetic.h"
#include "io_readers.h"

#define REFERENCE ES_TEST_DATA "/reference/estimator/"

/* ---- reading ---- */

/* The first n rows of an array of an archive. */
static synthetic load(const es_loaded *file, const char *name, size_t n) {
    for (size_t i = 0; i < file->tensors.count; i++) {
        const es_tensor *t = &file->tensors.items[i];
        if (strcmp(t->name, name) != 0)
            continue;
        synthetic s = {n, t->array.d, calloc(n * t->array.d, sizeof(double))};
        assert_non_null(s.x);
        es_array_read_range(&t->array, 0, n, s.x);
        return s;
    }
    fail_msg("no array %s", name);
    return (synthetic){0};
}

static es_json_value member(const es_json_value *object, const char *key) {
    es_json_value out;
    assert_ok(es_json_get(object, key, ES_JSON_ARRAY, ES_JSON_REQUIRED, &out, test_err()));
    return out;
}

static double number(const es_json_value *value) {
    double out = (double)NAN;
    if (es_json_type_of(value) != ES_JSON_NULL &&
        es_json_as_number(value, &out, test_err()) != ES_OK)
        fail_msg("%s", test_message());
    return out;
}

enum { MOST = 16 };

/* out (m, m) of nested arrays. */
static void matrix(const es_json_value *object, const char *key, double out[MOST][MOST]) {
    es_json_value rows = member(object, key);
    size_t i = 0;
    for (es_json_value row = es_json_first(&rows); row.node; row = es_json_next(&row), i++) {
        size_t j = 0;
        for (es_json_value at = es_json_first(&row); at.node; at = es_json_next(&at))
            out[i][j++] = number(&at);
    }
}

static size_t names(const es_json_value *root, char out[MOST][16]) {
    es_json_value list = member(root, "names");
    size_t m = 0;
    for (es_json_value at = es_json_first(&list); at.node; at = es_json_next(&at)) {
        const char *text = NULL;
        assert_ok(es_json_as_text(&at, &text, NULL));
        snprintf(out[m++], sizeof out[0], "%s", text);
    }
    return m;
}

static es_json_doc *read_json(const char *file) {
    es_json_doc *doc = NULL;
    assert_ok(es_json_read(file, 0, 1 << 20, &doc, NULL));
    return doc;
}

/* ---- estimating ---- */

/* set: "key=value", or NULL. */
static void estimate_set(const es_split *split, const char *preset, const char *const set[2],
                         size_t keep_bytes, const synthetic *u, const synthetic *v,
                         es_pair_result *out) {
    const es_estimator *e = es_estimator_find("linear");
    double values[32];
    void *source = NULL, *target = NULL;
    es_arena *arena = es_arena_new();
    es_rows ru = synthetic_rows(u), rv = synthetic_rows(v);
    assert_ok(es_estimator_preset(e, preset, values, test_err()));
    for (int k = 0; set && k < 2; k++)
        assert_ok(es_estimator_set(e, set[k], values, test_err()));
    es_problem problem = {split, values, 0, keep_bytes};
    es_status st = e->source_new(&problem, &ru, NULL, &source, test_err());
    if (st == ES_OK)
        st = e->target_new(&problem, &rv, NULL, &target, test_err());
    if (st == ES_OK)
        st = e->pair(&problem, source, target, 1, arena, NULL, out, test_err());
    if (st != ES_OK)
        fail_msg("%s", test_message());
    es_free(out->pmi);
    out->pmi = NULL;
    e->source_free(source);
    e->target_free(target);
    es_arena_free(arena);
}

static void estimate_on(const es_split *split, const char *preset, size_t keep_bytes,
                        const synthetic *u, const synthetic *v, es_pair_result *out) {
    estimate_set(split, preset, NULL, keep_bytes, u, v, out);
}

static es_pair_result estimate(const char *estimator, const char *sets, const synthetic *u,
                               const synthetic *v) {
    es_rows ru = synthetic_rows(u), rv = synthetic_rows(v);
    estimating how = {estimator, "default", sets, 0, 7, NULL};
    es_pair_result out = {0};
    assert_ok(estimate_pair(&how, &ru, &rv, &out, test_err()));
    es_free(out.pmi);
    out.pmi = NULL;
    return out;
}

static void near(const char *what, const char *u, const char *v, double got, double expect,
                 double tolerance) {
    if (!(fabs(got - expect) <= tolerance))
        fail_msg("%s of %s -> %s: %.9f, expected %.9f", what, u, v, got, expect);
}

/* The penalty of one split, NaN: no evidence. */
static double penalty(const es_json_value *notes, size_t i, size_t j) {
    es_json_value row = es_json_first(notes);
    for (size_t k = 0; k < i; k++)
        row = es_json_next(&row);
    es_json_value cell = es_json_first(&row);
    for (size_t k = 0; k < j; k++)
        cell = es_json_next(&cell);
    es_json_value fold = es_json_first(&cell);
    bool evidence = false;
    double lambda = (double)NAN;
    assert_ok(es_json_get_bool(&fold, "evidence", ES_JSON_REQUIRED, &evidence, NULL));
    assert_ok(es_json_get_number(&fold, "lambda", ES_JSON_OPTIONAL, &lambda, NULL));
    return evidence ? lambda : (double)INFINITY;
}

/* All pairs of the vectors; a silent one is 0 to the bit. Streamed rows give the same bits, except
 * sources with more columns than training rows, which are kept. */
static void check_vectors(const char *tag, size_t rows, size_t folds, double tolerance) {
    es_loaded file = {0};
    es_split *split = NULL;
    es_json_doc *doc = read_json(REFERENCE "expected.json");
    es_json_value root = es_json_root(doc), part;
    char name[MOST][16];
    static double is[MOST][MOST], se[MOST][MOST];
    assert_ok(es_loaded_open(REFERENCE "vectors.npz", 0, NULL, &file, NULL));
    assert_ok(es_split_new(rows, 0, folds, &split, NULL));
    assert_ok(es_json_get(&root, tag, ES_JSON_OBJECT, ES_JSON_REQUIRED, &part, NULL));
    size_t m = names(&root, name), silent = 0;
    matrix(&part, "is", is);
    matrix(&part, "se", se);
    es_json_value notes = member(&part, "notes");
    assert_int_equal(m, 8);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            synthetic u = load(&file, name[i], rows), v = load(&file, name[j], rows);
            es_pair_result r = {0}, streamed = {0};
            estimate_on(split, "default", 0, &u, &v, &r);
            estimate_on(split, "default", 1, &u, &v, &streamed);
            near("IS", name[i], name[j], r.is, is[i][j], tolerance);
            near("standard error", name[i], name[j], r.se, se[i][j], tolerance);
            assert_true(r.is == streamed.is && r.se == streamed.se && r.h_cond == streamed.h_cond);
            assert_true((r.is == 0 && r.se == 0) == (is[i][j] == 0 && se[i][j] == 0));
            silent += r.is == 0 && r.se == 0;
            if (folds == 1) {
                double lambda = penalty(&notes, i, j);
                assert_true(isinf(lambda) ? isinf(r.lambda) && r.is == 0
                                          : fabs(r.lambda - lambda) < 1e-9 * lambda);
                assert_int_equal(r.rare, strcmp(name[j], "rare12") == 0    ? 7
                                         : strcmp(name[j], "relu300") == 0 ? 19
                                                                           : 0);
            }
            assert_true(isnan(r.information) && isnan(r.information_se));
            free(u.x);
            free(v.x);
        }
    assert_true(silent > 8);
    es_json_free(doc);
    es_split_free(split);
    es_loaded_close(&file);
}

TEST(linear__vectors_by_one_split__equal_the_reference) {
    check_vectors("one split", 400, 1, 1e-5);
}

TEST(linear__vectors_by_five_folds__equal_the_reference) {
    check_vectors("five folds", 150, 5, 1e-4);
}

/* Against version 5, whose bits these are on the processor that wrote them. */
TEST(linear__given_penalty__is_as_it_was) {
    static const char *const set[] = {"lambda=0.5", "bound=0"};
    es_loaded file = {0};
    es_split *split = NULL;
    es_json_doc *doc = read_json(REFERENCE "given.json");
    es_json_value root = es_json_root(doc);
    char name[MOST][16];
    static double is[MOST][MOST], se[MOST][MOST];
    assert_ok(es_loaded_open(REFERENCE "vectors.npz", 0, NULL, &file, NULL));
    assert_ok(es_split_new(400, 0, 1, &split, NULL));
    size_t m = names(&root, name);
    matrix(&root, "is", is);
    matrix(&root, "se", se);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            synthetic u = load(&file, name[i], 400), v = load(&file, name[j], 400);
            es_pair_result r = {0};
            estimate_set(split, "default", set, 0, &u, &v, &r);
            near("IS", name[i], name[j], r.is, is[i][j], 1e-6 * (1 + fabs(is[i][j])));
            near("standard error", name[i], name[j], r.se, se[i][j], 1e-6 * (1 + se[i][j]));
            assert_true(r.lambda == 0.5);
            free(u.x);
            free(v.x);
        }
    es_json_free(doc);
    es_split_free(split);
    es_loaded_close(&file);
}

/* Rows to fit and to evaluate are the reference's own; validation rows are not used. Float32
 * storage leaves 3e-7. */
TEST(shrunk__cases__equal_the_reference) {
    es_loaded file = {0};
    es_json_doc *doc = read_json(REFERENCE "shrunk.json");
    es_json_value root = es_json_root(doc);
    char name[MOST][16];
    static double is[MOST][MOST], information[MOST][MOST];
    uint32_t train[400], test[400];
    es_fold fold = {.train = train, .val = test, .test = test, .n_val = 1};
    es_json_value lists[] = {member(&root, "tr"), member(&root, "te")};
    for (int k = 0; k < 2; k++)
        for (es_json_value at = es_json_first(&lists[k]); at.node; at = es_json_next(&at))
            *(k ? &test[fold.n_test++] : &train[fold.n_train++]) = (uint32_t)number(&at);
    const es_split split = {
        .n = 400, .n_folds = 1, .folds = &fold, .eval = test, .n_eval = fold.n_test};
    assert_ok(es_loaded_open(ES_TEST_DATA "/reference/ranking/cases.npz", 0, NULL, &file, NULL));
    size_t m = names(&root, name);
    matrix(&root, "is", is);
    matrix(&root, "information", information);
    assert_int_equal(m, 14);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            synthetic u = load(&file, name[i], 400), v = load(&file, name[j], 400);
            es_pair_result r = {0}, streamed = {0};
            estimate_on(&split, "shrunk", 0, &u, &v, &r);
            estimate_on(&split, "shrunk", 1, &u, &v, &streamed);
            near("IS", name[i], name[j], r.is, is[i][j], 2e-6);
            near("information", name[i], name[j], r.information, information[i][j], 2e-6);
            assert_true(r.is == streamed.is && r.information == streamed.information);
            assert_true(r.information_se > 0 && r.lambda >= 3);
            free(u.x);
            free(v.x);
        }
    es_json_free(doc);
    es_loaded_close(&file);
}

/* ---- rare columns ---- */

enum { ROWS = 800 };

static synthetic normal(size_t d, uint64_t seed) {
    synthetic s = {ROWS, d, calloc(ROWS * d, sizeof(double))};
    assert_non_null(s.x);
    synthetic_normal(&s, seed);
    return s;
}

/* A layer after a ReLU: column j is above its threshold in fewer and fewer rows. */
static synthetic relu(size_t d, double threshold, uint64_t seed) {
    synthetic s = normal(d, seed);
    for (size_t i = 0; i < ROWS * d; i++)
        s.x[i] = fmax(0, s.x[i] - threshold - 2 * (double)(i % d) / (double)d);
    return s;
}

/* Columns that are active in `rows` rows alone. */
static synthetic active(size_t d, size_t rows, uint64_t seed) {
    synthetic s = normal(d, seed);
    for (size_t i = 0; i < ROWS * d; i++)
        s.x[i] = (i / d * 7919 + i % d * 31) % ROWS < rows ? exp(1.5 * s.x[i]) : 0;
    return s;
}

TEST(linear__silent_pair_of_rare_columns__is_exactly_0) {
    synthetic u = normal(6, 1), v = active(12, 3, 2);
    es_pair_result r = estimate("linear", "bound=5", &u, &v);
    assert_true(r.is == 0 && r.se == 0 && r.h == r.h_cond);
    assert_true(isinf(r.lambda));
    assert_int_equal(r.rare, 12);
    assert_int_equal(r.limited, 12);
    es_pair_result some = estimate("linear", "folds=1", &v, &u);
    assert_int_equal(some.rare, 0);
    free(u.x);
    free(v.x);
}

TEST(linear__rare_columns__predict_themselves) {
    static const size_t rows[] = {3, 10};
    for (size_t k = 0; k < 2; k++) {
        synthetic v = active(24, rows[k], 5);
        es_pair_result r = estimate("linear", NULL, &v, &v);
        if (!(r.is > 0))
            fail_msg("active in %zu rows: %.4f +- %.4f", rows[k], r.is, r.se);
        free(v.x);
    }
}

/* Of test rows: training and validation rows make the fit. */
TEST(linear__held_out_value_beyond_the_bound__does_not_count_by_its_size) {
    synthetic u = normal(5, 1), v = normal(4, 2);
    es_split *split = NULL;
    assert_ok(es_split_new(ROWS, 0, 1, &split, NULL));
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < 4; j++)
            v.x[i * 4 + j] += u.x[i * 5 + j];
    double *at = v.x + split->folds[0].test[11] * 4 + 2;
    *at = 50;
    es_pair_result before = {0}, after = {0};
    estimate_on(split, "default", 0, &u, &v, &before);
    *at *= 1e6;
    estimate_on(split, "default", 0, &u, &v, &after);
    assert_true(before.is == after.is && before.se == after.se);
    assert_true(before.is > 0.1);
    es_split_free(split);
    free(u.x);
    free(v.x);
}

TEST(linear__independent_relu_layers__predict_nothing) {
    enum { LAYERS = 10 };
    synthetic a[LAYERS], b[LAYERS];
    double worst = 0;
    for (uint64_t k = 0; k < LAYERS; k++) {
        a[k] = relu(8 + 6 * k, 0.1 * (double)k, 100 + k);
        b[k] = relu(6 + 4 * k, 0.15 * (double)k, 200 + k);
    }
    for (size_t i = 0; i < LAYERS; i++)
        for (size_t j = 0; j < LAYERS - 1; j++) {
            worst = fmax(worst, fabs(estimate("linear", "folds=1", &a[i], &b[j]).is));
            worst = fmax(worst, fabs(estimate("linear", "folds=1", &b[j], &a[i]).is));
        }
    if (!(worst < 0.002))
        fail_msg("180 pairs: worst %.5f", worst);
    for (size_t k = 0; k < LAYERS; k++) {
        free(a[k].x);
        free(b[k].x);
    }
}

/* Layers over shared features, as networks on the same images have them. */
TEST(linear__related_relu_layers__are_never_far_below_0) {
    enum { LAYERS = 6, D = 200, SHARED = 12 };
    synthetic features = normal(SHARED, 1), layer[LAYERS];
    for (uint64_t k = 0; k < LAYERS; k++) {
        synthetic weight = normal(D, 10 + k), noise = normal(D, 20 + k);
        layer[k] = normal(D, 30 + k);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < D; j++) {
                double sum = 0.3 * noise.x[i * D + j];
                for (size_t f = 0; f < SHARED; f++)
                    sum += features.x[i * SHARED + f] * weight.x[f * D + j] / 3.5;
                layer[k].x[i * D + j] = fmax(0, sum - 0.4 * (double)k);
            }
        free(weight.x);
        free(noise.x);
    }
    for (size_t i = 0; i < LAYERS; i++)
        for (size_t j = 0; j < LAYERS; j++) {
            es_pair_result r = estimate("linear", NULL, &layer[i], &layer[j]);
            if (!(r.is > (i == j ? 0.5 : -0.02)))
                fail_msg("%zu -> %zu: %.4f +- %.4f", i, j, r.is, r.se);
        }
    for (size_t k = 0; k < LAYERS; k++)
        free(layer[k].x);
    free(features.x);
}

/* Independent pairs keep the ridge solution, which is that of `linear` except the ends of the
 * range, and related ones leave it for a gain alone. */
TEST(knife__relu_layers__start_at_linear) {
    synthetic u = relu(20, 0.2, 1), v = relu(16, 0.8, 2), w = relu(16, 0.8, 3);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < 16; j++)
            w.x[i * 16 + j] += 0.5 * u.x[i * 20 + j];
    es_pair_result none = estimate("knife", "folds=1", &u, &v);
    es_pair_result start = estimate("knife", "folds=1 lr=0 lr_out=1e-30", &u, &w);
    es_pair_result linear = estimate("linear", "folds=1", &u, &w);
    assert_true(fabs(none.is) < 0.002);
    near("start", "u", "w", start.is, linear.is, 1e-3);
    assert_true(start.lambda == linear.lambda && start.rare == linear.rare);
    assert_true(estimate("knife", "folds=1", &u, &w).is > linear.is - 0.005);
    free(u.x);
    free(v.x);
    free(w.x);
}
