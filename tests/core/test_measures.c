/* The table of measures: every row is complete, runs, and says what it lacks. */
#include "methods.h"

#include "core_measures.h"

static double label[400];
static es_matrix digits, noise;
static es_graded_pair pairs[200];
static es_positives positives;
static es_query_set queries;
static es_task task = {400, label, true};
static es_measure_data all;

static const es_judgement judgements[] = {{0, 1, 1}, {3, 7, 2}};

static int set_up(void **state) {
    const es_pair_rules rules = {.quantile = 1};
    const es_query_rules few = {.queries = 20};
    methods_csv("digits_labels.csv", 1, label, 400);
    digits = methods_npy("digits_relu32.npy");
    noise = methods_npy("noise8.npy");
    for (uint32_t i = 0, count = 0; count < 200; i++)
        for (uint32_t j = i + 1; j < 400 && count < 200; j++)
            if (label[i] == label[j] || j == i + 1)
                pairs[count++] = (es_graded_pair){i, j, label[i] == label[j] ? 5 : 1};
    assert_ok(es_positives_new(pairs, 200, 400, &rules, &positives, NULL));
    assert_ok(es_queries_from_classes(label, 400, &few, &queries, NULL));
    all = (es_measure_data){.positives = &positives,
                            .graded = pairs,
                            .graded_count = 200,
                            .task = &task,
                            .queries = &queries,
                            .runs = 1,
                            .judgements = judgements,
                            .judgement_count = 2,
                            .seed = 1};
    return 0;
}

static int tear_down(void **state) {
    es_positives_free(&positives);
    es_queries_free(&queries);
    return 0;
}

TEST_GROUP(set_up, tear_down);

TEST(measures__rows__are_complete_and_named_once) {
    for (const es_measure *const *m = es_measures; *m; m++) {
        assert_ptr_equal(es_measure_find((*m)->name), *m);
        assert_true((*m)->title && (*m)->caveat && (*m)->version > 0);
        assert_true((*m)->needs || (*m)->about || strcmp((*m)->name, "rsa-p") == 0 ||
                    strcmp((*m)->name, "infonce") == 0);
        assert_true(strlen((*m)->caveat) < 100 && !strchr((*m)->caveat, '\n'));
        assert_int_equal(((*m)->embedder != NULL) + ((*m)->pair != NULL) + ((*m)->among != NULL),
                         1);
        assert_true((*m)->n_fields > 0 && (*m)->n_fields <= ES_MEASURE_FIELDS);
        assert_true((*m)->n_settings <= ES_MEASURE_FIELDS && !(*m)->fields[0].fact);
        for (size_t f = 0; f < (*m)->n_fields; f++) {
            char name[128];
            const es_measure *found = NULL;
            size_t field = 99;
            snprintf(name, sizeof name, "%s.%s", (*m)->name, (*m)->fields[f].name);
            assert_ok(es_measure_parse(name, &found, &field, NULL));
            assert_ptr_equal(found, *m);
            assert_int_equal(field, f);
            assert_non_null((*m)->fields[f].title);
        }
        if ((*m)->pair)
            assert_true((!(*m)->side_new != !(*m)->side_of_rows) && (*m)->side_free &&
                        (*m)->side_bytes);
        if ((*m)->among)
            assert_true((*m)->pool_new && (*m)->pool_free && (*m)->pool_bytes);
    }
    assert_null(es_measure_find("nothing"));
}

static double value_of(const char *name, const es_matrix *m) {
    es_measure_value v[ES_MEASURE_FIELDS] = {{0}};
    const es_measure *measure = NULL;
    size_t field = 0;
    if (es_measure_parse(name, &measure, &field, test_err()) != ES_OK ||
        es_measure_embedder(measure, m, &all, NULL, NULL, v, test_err()) != ES_OK)
        fail_msg("%s: %s", name, test_message());
    assert_null(v[field].why);
    assert_true(isfinite(v[field].value));
    return v[field].value;
}

TEST(measures__of_an_embedder__tell_digits_from_noise) {
    const char *const better[] = {
        "evalrank", "evalrank.l2-mrr", "evalrank.hits10", "similarity", "retmmd",
        "retmmd.c", "smoothness",      "probe",           "gbc",        "logme"};
    for (size_t i = 0; i < sizeof better / sizeof *better; i++)
        assert_true(value_of(better[i], &digits) > value_of(better[i], &noise));
    assert_true(value_of("alignment", &digits) < value_of("alignment", &noise));
    assert_true(value_of("effective-rank", &noise) > 7.5);
    assert_near(value_of("intrinsic-dimension", &noise),
                expected("idim/pool/noise8/linfit_discard10"), 1e-10);
    for (const es_measure *const *m = es_measures; *m; m++)
        if ((*m)->embedder)
            value_of((*m)->name, &digits);
}

TEST(measures__names__are_said_when_wrong) {
    const es_measure *measure = NULL;
    size_t field = 0;
    assert_error(es_measure_parse("evalrnk", &measure, &field, test_err()), ES_ENOTFOUND,
                 "evalrank, similarity");
    assert_error(es_measure_parse("gbc.mrr", &measure, &field, test_err()), ES_ENOTFOUND,
                 "spherical");
}

/* Classes of one, two, three, one and four: two have one member. */
TEST(measures__smoothness__counts_classes_of_one) {
    enum { N = 11 };
    const double of[N] = {0, 1, 2, 1, 2, 2, 3, 4, 4, 4, 4};
    es_smoothness s;
    es_matrix m = matrix_kept(N, 1);
    for (size_t i = 0; i < N; i++)
        m.x[i] = (double)(i * i);
    const es_task classes = {N, of, true};
    assert_ok(es_smoothness_of(&m, &classes, (es_metric)0, NULL, &s, NULL));
    assert_int_equal(s.singletons, 2);
}

/* 0.1 many times over: its mean is off by rounding, and so is every distance from it. */
TEST(measures__equal_numbers__are_constant) {
    enum { N = 160 };
    double value[N];
    es_smoothness s;
    es_measure_value v[ES_MEASURE_FIELDS];
    es_matrix m = matrix_kept(N, 1);
    for (size_t i = 0; i < N; i++) {
        m.x[i] = (double)(i * i % 101);
        value[i] = i == 3 ? (double)NAN : 0.1;
    }
    es_task equal = {N, value, false};
    const es_measure_data data = {.task = &equal};
    assert_ok(es_smoothness_of(&m, &equal, (es_metric)0, NULL, &s, NULL));
    assert_true(s.baseline == 0);
    for (size_t i = 0; i < ES_SMOOTH_SIZES; i++)
        assert_ptr_equal(s.skill[i].why, ES_WHY_CONSTANT);
    assert_ok(es_measure_embedder(es_measure_find("logme"), &m, &data, NULL, NULL, v, NULL));
    assert_ptr_equal(v[0].why, ES_WHY_CONSTANT);
    value[5] = 0.2;
    assert_ok(es_measure_embedder(es_measure_find("logme"), &m, &data, NULL, NULL, v, NULL));
    assert_null(v[0].why);
}

TEST(measures__smoothness__follows_its_metric) {
    const es_measure *smoothness = es_measure_find("smoothness");
    for (int metric = 0; metric < ES_METRICS; metric++) {
        const double values[] = {metric, 1 - metric}; /* the second is nobody's */
        es_measure_value v[ES_MEASURE_FIELDS];
        es_smoothness s;
        assert_ok(es_measure_embedder(smoothness, &digits, &all, values, NULL, v, NULL));
        assert_ok(es_smoothness_of(&digits, &task, (es_metric)metric, NULL, &s, NULL));
        assert_true(v[1].value == s.skill[0].value);
    }
}

TEST(measures__retmmd__follows_its_settings) {
    const es_measure *retmmd = es_measure_find("retmmd");
    double values[ES_MEASURE_FIELDS];
    es_measure_value v[ES_MEASURE_FIELDS], draws[ES_MEASURE_FIELDS];
    const es_query_set twice[] = {queries, queries};
    es_measure_data two = all;
    two.queries = twice;
    two.runs = 2;
    for (size_t i = 0; i < retmmd->n_settings; i++)
        values[i] = retmmd->settings[i].value;
    assert_ok(es_setting_assign(retmmd->settings, retmmd->n_settings, "retmmd", "reduce=axes",
                                values, NULL));
    assert_ok(
        es_setting_assign(retmmd->settings, retmmd->n_settings, "retmmd", "axes=3", values, NULL));
    assert_ok(es_measure_embedder(retmmd, &digits, &all, values, NULL, v, NULL));
    assert_ok(es_measure_embedder(retmmd, &digits, &two, values, NULL, draws, NULL));
    for (size_t f = 0; f < retmmd->n_fields; f++) {
        const char *name = retmmd->fields[f].name;
        if (strcmp(name, "axes") == 0)
            assert_true(v[f].value == 3);
        else if (strcmp(name, "m-sd") == 0)
            assert_true(v[f].why != NULL && fabs(draws[f].value) < 1e-12);
        else if (strcmp(name, "runs") != 0)
            assert_near(draws[f].value, v[f].value, 1e-12);
        if (strcmp(name, "m") == 0)
            assert_null(v[f].warning); /* these documents are not all equal */
    }
    /* two draws that differ: one of them has half of the queries */
    es_query_set half[] = {queries, queries};
    es_measure_value w[ES_MEASURE_FIELDS];
    half[1].count /= 2;
    two.queries = half;
    assert_ok(es_measure_embedder(retmmd, &digits, &two, values, NULL, draws, NULL));
    two.queries = half + 1;
    two.runs = 1;
    assert_ok(es_measure_embedder(retmmd, &digits, &two, values, NULL, w, NULL));
    double m[2] = {0}, sd = 0, mean = 0;
    for (size_t f = 0; f < retmmd->n_fields; f++)
        if (strcmp(retmmd->fields[f].name, "m") == 0) {
            m[0] = v[f].value;
            m[1] = w[f].value;
            mean = draws[f].value;
        } else if (strcmp(retmmd->fields[f].name, "m-sd") == 0) {
            sd = draws[f].value;
        }
    assert_near(mean, (m[0] + m[1]) / 2, 1e-12);
    assert_true(fabs(m[0] - m[1]) > 1e-4);
    assert_near(sd, fabs(m[0] - m[1]) / sqrt(2), 1e-9);
}

static es_measure_value pair_of(const es_measure *measure, const es_matrix *a, const es_matrix *b) {
    void *side = NULL, *other = NULL;
    es_measure_value v[ES_MEASURE_FIELDS] = {{0}};
    double defaults[ES_MEASURE_FIELDS] = {0};
    for (size_t i = 0; i < measure->n_settings; i++)
        defaults[i] = measure->settings[i].value;
    assert_ok(es_measure_side(measure, a, &all, defaults, NULL, &side, NULL));
    assert_ok(es_measure_side(measure, b, &all, defaults, NULL, &other, NULL));
    assert_true(measure->side_bytes(side) > 1000);
    assert_ok(measure->pair(side, other, NULL, v, NULL));
    measure->side_free(side);
    measure->side_free(other);
    assert_null(v[0].why);
    return v[0];
}

TEST(measures__of_a_pair__know_alike_and_direction) {
    for (const es_measure *const *m = es_measures; *m; m++) {
        if (!(*m)->pair)
            continue;
        double same = pair_of(*m, &digits, &digits).value;
        double there = pair_of(*m, &digits, &noise).value,
               back = pair_of(*m, &noise, &digits).value;
        bool lower = es_measure_is_lower_better(*m, 0), chance = strcmp((*m)->name, "rsa-p") == 0,
             nats = strstr((*m)->fields[0].title, "nats") != NULL;
        if (nats)
            assert_true(same > 3 && there < 0.5 * same);
        else
            assert_near(same, chance ? 1.0 / 201 : lower ? 0 : 1, 1e-9);
        if (!nats)
            assert_true(chance ? there > 0.05 : lower ? there > 1 : there < 0.5);
        assert_true((fabs(there - back) < 1e-10) == (*m)->symmetric);
    }
    assert_near(pair_of(es_measure_find("cka"), &digits, &noise).value,
                expected("similarity/digits_relu32|noise8/linear_cka_debiased"),
                1e-8); /* in single precision */
}

TEST(measures__too_few_rows__warn) {
    es_matrix a = methods_npy("rand30x100.npy"), b = methods_npy("rand30x80.npy");
    assert_non_null(pair_of(es_measure_find("svcca"), &a, &b).warning);
    assert_null(pair_of(es_measure_find("svcca"), &digits, &noise).warning);
}

/* Of two embedders with seven rows in ten at zero, and of a collapsed one, row numbers make what
 * agreement there is. */
TEST(measures__of_equal_distances__warn) {
    enum { N = 200, D = 4 };
    static double x[2][N * D], half[N];
    const es_task classes = {N, half, true};
    es_judgement judged[N - 1];
    es_measure_data data = {
        .seed = 1, .task = &classes, .judgements = judged, .judgement_count = N - 1};
    const double cosine_10[] = {10, 0};
    es_measure_value v[ES_MEASURE_FIELDS];
    es_rng rng = test_rng(8, 1);
    for (size_t i = 0; i < (size_t)N * D; i++)
        for (int k = 0; k < 2; k++)
            x[k][i] = es_rng_normal(&rng);
    for (size_t i = 0; i < N; i++)
        half[i] = i < N / 2;
    for (uint32_t i = 0; i + 1 < N; i++)
        judged[i] = (es_judgement){i, i + 1, 1};
    for (int sparse = 0; sparse < 2; sparse++) {
        const es_matrix a = {N, D, x[0]}, b = {N, D, x[1]};
        for (int k = 0; sparse && k < 2; k++)
            for (size_t i = 0; i < N; i++)
                if (es_rng_uniform(&rng) < 0.7)
                    memset(x[k] + i * D, 0, D * sizeof(double));
        for (int jaccard = 0; jaccard < 2; jaccard++) {
            const es_measure *knn = es_measure_find(jaccard ? "knn-jaccard" : "knn-overlap");
            void *side[2] = {NULL};
            assert_ok(knn->side_new(&a, &data, cosine_10, NULL, &side[0], NULL));
            assert_ok(knn->side_new(&b, &data, cosine_10, NULL, &side[1], NULL));
            assert_ok(knn->pair(side[0], side[1], NULL, v, NULL));
            assert_true((v->warning != NULL) == (sparse == 1));
            knn->side_free(side[0]);
            knn->side_free(side[1]);
        }
        for (int answers = 0; answers < 2; answers++) {
            const es_measure *measure = es_measure_find(answers ? "retrieval" : "smoothness");
            assert_ok(es_measure_embedder(measure, &a, &data, NULL, NULL, v, NULL));
            assert_true((v->warning != NULL) == (sparse == 1));
        }
    }
}

/* Whitened, 40 rows of 32 directions are still distinguished; 33 are all equally far from each
 * other.
 */
TEST(measures__whitened_with_few_rows__warn) {
    static const char *const names[] = {"evalrank", "similarity"};
    double values[ES_MEASURE_FIELDS];
    es_measure_value v[ES_MEASURE_FIELDS];
    es_measure_data few = all;
    es_positives own = {0};
    const es_pair_rules rules = {.quantile = 1};
    es_graded_pair near[30];
    for (uint32_t i = 0; i < 30; i++)
        near[i] = (es_graded_pair){i, i + 1, 1 + i % 5};
    few.graded = near;
    few.graded_count = 30;
    assert_ok(es_positives_new(near, 30, 33, &rules, &own, NULL));
    few.positives = &own;
    for (size_t k = 0; k < 2; k++) {
        const es_measure *measure = es_measure_find(names[k]);
        for (size_t i = 0; i < measure->n_settings; i++)
            values[i] = measure->settings[i].value;
        for (size_t rows = 33; rows < 41; rows += 7) {
            es_matrix x = {rows, digits.d, digits.x};
            values[0] = 4; /* whiten */
            assert_ok(es_measure_embedder(measure, &x, &few, values, NULL, v, NULL));
            assert_true((v[0].warning && strstr(v[0].warning, "whitened")) == (rows == 33));
            values[0] = 1;
            assert_ok(es_measure_embedder(measure, &x, &few, values, NULL, v, NULL));
            assert_true(!v[0].warning || !strstr(v[0].warning, "whitened"));
        }
    }
    es_positives_free(&own);
}

/* What is not of the embedders but of how many rows there are says so. */
TEST(measures__that_depend_on_the_rows__warn) {
    const es_measure *r2 = es_measure_find("linear-r2"),
                     *id = es_measure_find("intrinsic-dimension");
    es_matrix wide = methods_npy("rand30x100.npy"), first = {100, digits.d, digits.x},
              other = {100, noise.d, noise.x}, rows30 = {30, noise.d, noise.x};
    assert_null(pair_of(r2, &digits, &noise).warning);
    assert_contains(pair_of(r2, &first, &other).warning, "chance"); /* 32 of 100 */
    es_measure_value all_of_it = pair_of(r2, &wide, &rows30);
    assert_true(all_of_it.value == 1 && strstr(all_of_it.warning, "as many directions"));
    /* A curve, whose thickness shows once rows lie close enough. */
    enum { ROWS = 600, COLUMNS = 6 };
    static double x[ROWS * COLUMNS];
    es_matrix curve = {ROWS, COLUMNS, x};
    for (int thick = 0; thick < 2; thick++) {
        es_measure_value v[ES_MEASURE_FIELDS];
        es_rng rng = test_rng(3, 1);
        for (size_t i = 0; i < ROWS * COLUMNS; i++)
            x[i] = i % COLUMNS == 0 ? es_rng_uniform(&rng) : 1e-3 * thick * es_rng_normal(&rng);
        assert_ok(es_measure_embedder(id, &curve, &all, NULL, NULL, v, NULL));
        assert_true((v[0].warning != NULL) == (thick == 1));
        assert_true(v[6].value > 0.9 && (thick == 1) == (v[6].value < 0.9 * v[0].value));
    }
}

TEST(measures__without_data__say_what_they_need) {
    const es_measure_data none = {.seed = 1};
    es_measure_value v[ES_MEASURE_FIELDS];
    const es_measure *evalrank = es_measure_find("evalrank");
    assert_int_equal(es_measure_lacks(evalrank, &none), ES_NEED_POSITIVES);
    assert_int_equal(es_measure_lacks(evalrank, &all), 0);
    assert_error_is(es_measure_embedder(evalrank, &digits, &none, NULL, NULL, v, test_err()),
                    ES_ENOTFOUND, "evalrank needs pairs of rows that belong together");
    assert_int_equal(
        es_measure_embedder(es_measure_find("cka"), &digits, &all, NULL, NULL, v, test_err()),
        ES_EINVAL);
    es_run canceled;
    es_run_init(&canceled);
    es_run_cancel(&canceled);
    assert_int_equal(es_measure_embedder(evalrank, &digits, &all, NULL, &canceled, v, test_err()),
                     ES_ECANCELED);
}
