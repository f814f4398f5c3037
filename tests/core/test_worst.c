/* Every measure with one allocation after the other failing; and what is behind the number of those
 * that have a list of what is worst. */
#include "methods.h"

#include "core_measures_parts.h"
#include "core_alike.h"

enum { ROWS = 70, WIDE = 4, NARROW = 3 };

static es_matrix a, b;
static double label[ROWS];
static es_graded_pair pairs[12];
static es_positives positives;
static es_query_set queries;
static es_task task = {ROWS, label, true};
static const es_judgement judgements[] = {{0, 1, 1}, {0, 9, 2}, {0, 5, 0}, {3, 7, 2}, {3, 8, 0}};
static es_measure_data all;

static es_matrix draw(size_t d, uint64_t seed) {
    es_rng rng = test_rng(seed, 1);
    es_matrix m = matrix_kept(ROWS, d);
    for (size_t i = 0; i < ROWS * d; i++)
        m.x[i] = es_rng_normal(&rng);
    return m;
}

static int set_up(void **state) {
    const es_pair_rules rules = {.quantile = 1};
    const es_query_rules few = {.queries = 12, .positives = 4, .negatives = 9};
    a = draw(WIDE, 1);
    b = draw(NARROW, 2);
    for (size_t i = 0; i < ROWS; i++)
        label[i] = (double)(i % 3);
    for (uint32_t i = 0; i < 12; i++)
        pairs[i] = (es_graded_pair){i, 2 * i + 20, i % 4};
    assert_ok(es_positives_new(pairs, 12, ROWS, &rules, &positives, NULL));
    assert_ok(es_queries_from_classes(label, ROWS, &few, &queries, NULL));
    all = (es_measure_data){.positives = &positives,
                            .graded = pairs,
                            .graded_count = 12,
                            .task = &task,
                            .queries = &queries,
                            .runs = 1,
                            .judgements = judgements,
                            .judgement_count = 5,
                            .seed = 1};
    return 0;
}

static int tear_down(void **state) {
    es_positives_free(&positives);
    es_queries_free(&queries);
    return 0;
}

TEST_GROUP(set_up, tear_down);

/* Quick: nothing is drawn or trained more often than it takes. */
static void settings_of(const es_measure *m, double *values) {
    static const char *const much[] = {"permutations", "draws", "epochs", "steps",
                                       "hidden",       "folds", "runs",   "batch"};
    for (size_t i = 0; i < m->n_settings; i++) {
        values[i] = m->settings[i].value;
        for (size_t k = 0; k < sizeof much / sizeof *much; k++)
            if (strcmp(m->settings[i].key, much[k]) == 0 && m->settings[i].low > 0)
                values[i] = m->settings[i].low;
    }
    if (strcmp(m->name, "evalrank") == 0) /* cosines of the rows as they are */
        assert_ok(es_setting_assign(m->settings, m->n_settings, m->name, "preprocess=none", values,
                                    NULL));
}

static es_status read_one(void *context, size_t k, es_matrix *out, es_error *err) {
    const es_matrix *m = k == 0 ? &a : &b;
    (void)context;
    es_status st = es_matrix_new(m->n, m->d, out, err);
    if (st == ES_OK)
        memcpy(out->x, m->x, m->n * m->d * sizeof *out->x);
    return st;
}

/* Of the first embedder, or of both; out (n_fields). */
static es_status measure(const es_measure *m, const double *values, es_measure_value *out,
                         es_error *err) {
    const es_embedders both = {2, NULL, read_one};
    void *side[2] = {NULL, NULL}, *pool = NULL;
    es_status st = ES_OK;
    if (m->embedder)
        return es_measure_embedder(m, &a, &all, values, NULL, out, err);
    if (m->among) {
        ES_TRY(m->pool_new(&both, &all, values, NULL, &pool, err));
        es_measure_undefined(m, out);
        ES_TRY(m->among(pool, &a, NULL, out, err));
    } else {
        ES_TRY(es_measure_side(m, &a, &all, values, NULL, &side[0], err));
        ES_TRY(es_measure_side(m, &b, &all, values, NULL, &side[1], err));
        memset(out, 0, m->n_fields * sizeof *out);
        ES_TRY(m->pair(side[0], side[1], NULL, out, err));
    }
done:
    for (size_t i = 0; i < 2; i++)
        if (side[i])
            m->side_free(side[i]);
    if (pool)
        m->pool_free(pool);
    return st;
}

static bool same_values(const es_measure *m, const es_measure_value *x, const es_measure_value *y) {
    for (size_t f = 0; f < m->n_fields; f++)
        if (memcmp(&x[f].value, &y[f].value, 3 * sizeof(double)) != 0)
            return false;
    return true;
}

TEST(measures__any_allocation_fails__report_it) {
    for (const es_measure *const *m = es_measures; *m; m++) {
        double values[ES_MEASURE_FIELDS];
        es_measure_value usual[ES_MEASURE_FIELDS], out[ES_MEASURE_FIELDS];
        es_error why = {0};
        settings_of(*m, values);
        es_status whole = measure(*m, values, usual, &why), st = ES_ENOMEM;
        if (whole != ES_OK)
            fail_msg("%s: %s", (*m)->name, why.message);
        for (long after = 0; st != ES_OK; after++) {
            es_alloc_fail_after(after);
            st = measure(*m, values, out, test_err());
            es_alloc_fail_after(-1);
            if (st != ES_OK && (st != ES_ENOMEM || !strstr(test_message(), "out of memory")))
                fail_msg("%s, allocation %ld: %s", (*m)->name, after, test_message());
        }
        if (!same_values(*m, out, usual))
            fail_msg("%s is another after memory was short", (*m)->name);
    }
}

/* ---- lists ---- */

static es_worst_list list_of(const char *name, const es_matrix *other) {
    const es_measure *m = es_measure_find(name);
    double values[ES_MEASURE_FIELDS];
    es_worst_list list = {0};
    es_status st = ES_ENOMEM;
    settings_of(m, values);
    for (long after = 0; st != ES_OK; after++) {
        es_alloc_fail_after(after);
        st = es_worst_list_new(m, &a, other, &all, values, NULL, &list, test_err());
        es_alloc_fail_after(-1);
        if (st != ES_OK && st != ES_ENOMEM)
            fail_msg("%s, allocation %ld: %s", name, after, test_message());
        assert_int_equal(list.line != NULL, st == ES_OK);
    }
    assert_int_equal(list.kind, es_worst_kind_of(m));
    assert_int_equal(es_worst_of_two(list.kind), other != NULL);
    return list;
}

/* The cosine of two rows. */
static double cosine(const es_matrix *m, size_t i, size_t j) {
    double xy = 0, xx = 0, yy = 0;
    for (size_t k = 0; k < m->d; k++) {
        double x = m->x[i * m->d + k], y = m->x[j * m->d + k];
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    return xy / sqrt(xx * yy);
}

TEST(worst__pairs__are_those_farthest_down) {
    es_worst_list list = list_of("evalrank", NULL);
    assert_int_equal(list.count, positives.count);
    double sum = 0;
    for (size_t k = 0; k < list.count; k++) {
        const es_worst_line *l = &list.line[k];
        assert_true(k == 0 || l->value <= list.line[k - 1].value);
        bool known = false;
        for (size_t i = 0; i < positives.count; i++)
            known = known || (positives.item[i].query == l->row[0] &&
                              positives.item[i].partner == l->row[1]);
        assert_true(known);
        sum += l->row[0] * 100.0 + l->row[1];
        assert_near(l->similarity[1], cosine(&a, l->row[0], l->row[1]), 1e-5);
        if (l->row[2] != UINT32_MAX) {
            assert_near(l->similarity[2], cosine(&a, l->row[0], l->row[2]), 1e-5);
            assert_true(l->similarity[2] >= l->similarity[1]);
        }
        assert_true(isnan(l->similarity[0]) && isnan(l->beside));
    }
    for (size_t i = 0; i < positives.count; i++)
        sum -= positives.item[i].query * 100.0 + positives.item[i].partner;
    assert_true(sum == 0); /* each once */
    es_worst_list_free(&list);
    assert_null(list.line);
}

TEST(worst__queries__rise_and_name_an_answer) {
    const es_measure *m = es_measure_find("retmmd");
    double values[ES_MEASURE_FIELDS];
    es_retmmd r = {0};
    es_worst_list list = list_of("retmmd", NULL);
    settings_of(m, values);
    assert_ok(es_retmmd_detail(&a, &all, values, NULL, &r, NULL));
    assert_int_equal(list.count, r.count);
    assert_false(list.own_ids);
    for (size_t k = 0; k < list.count; k++) {
        const es_worst_line *l = &list.line[k];
        size_t q = 0;
        while (q < r.count && queries.query[q].row != l->row[0])
            q++;
        assert_true(q < r.count);
        assert_true(k == 0 || l->value >= list.line[k - 1].value);
        assert_true(l->value == r.m[q][ES_KERNEL_RBF] && l->beside == r.p[q][ES_KERNEL_RBF]);
        assert_int_equal(l->count, queries.query[q].positives);
        assert_int_equal(l->of, queries.query[q].negatives);
        assert_int_equal(l->row[1], queries.query[q].doc[0]);
        assert_int_equal(l->row[2], UINT32_MAX);
    }
    es_retmmd_free(&r);
    es_worst_list_free(&list);
}

TEST(worst__retrieved__have_the_least_first) {
    const es_measure *m = es_measure_find("retrieval");
    double values[ES_MEASURE_FIELDS];
    es_retrieval r = {0};
    es_worst_list list = list_of("retrieval", NULL);
    settings_of(m, values);
    assert_ok(es_retrieval_detail(&a, &all, values, NULL, &r, NULL));
    assert_int_equal(list.count, 2);
    for (size_t k = 0; k < 2; k++) {
        const es_worst_line *l = &list.line[k];
        size_t q = l->row[0] == 0 ? 0 : 1;
        const double *value = r.value + q * ES_RETRIEVAL_STATS;
        assert_int_equal(l->row[0], q == 0 ? 0 : 3);
        assert_true(l->value == value[ES_RETRIEVAL_NDCG] && l->beside == value[ES_RETRIEVAL_MRR]);
        assert_int_equal(l->of, q == 0 ? 2 : 1);
        assert_int_equal(l->count, r.seen[q].found);
        assert_int_equal(l->row[1], q == 0 ? 9 : 7); /* the most relevant */
        double best = -2;
        uint32_t nearest = 0;
        for (uint32_t i = 0; i < ROWS; i++)
            if (i != l->row[0] && cosine(&a, l->row[0], i) > best) {
                best = cosine(&a, l->row[0], i);
                nearest = i;
            }
        assert_int_equal(l->row[2], nearest);
    }
    assert_true(list.line[0].value <= list.line[1].value);
    assert_true(list.line[0].row[0] != list.line[1].row[0]);
    es_retrieval_free(&r);
    es_worst_list_free(&list);
}

/* How many of a row's k nearest by cosine are the same by both; nearest[2]: its nearest by either.
 */
static size_t shared(size_t row, size_t k, uint32_t *nearest) {
    bool near[2][ROWS] = {{false}};
    size_t count = 0;
    for (size_t side = 0; side < 2; side++)
        for (size_t step = 0; step < k; step++) {
            double best = -2;
            size_t at = 0;
            for (size_t i = 0; i < ROWS; i++)
                if (i != row && !near[side][i] && cosine(side ? &b : &a, row, i) > best) {
                    best = cosine(side ? &b : &a, row, i);
                    at = i;
                }
            near[side][at] = true;
            if (step == 0)
                nearest[side] = (uint32_t)at;
        }
    for (size_t i = 0; i < ROWS; i++)
        count += near[0][i] && near[1][i];
    return count;
}

TEST(worst__rows__share_the_fewest_neighbours) {
    const es_measure *m = es_measure_find("knn-overlap");
    double values[ES_MEASURE_FIELDS];
    bool seen[ROWS] = {false};
    es_worst_list list = list_of("knn-overlap", &b);
    settings_of(m, values);
    size_t k = (size_t)values[es_setting_find(m->settings, m->n_settings, "k")];
    assert_int_equal(list.count, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        const es_worst_line *l = &list.line[i];
        uint32_t nearest[2];
        assert_false(seen[l->row[0]]);
        seen[l->row[0]] = true;
        assert_int_equal(l->count, shared(l->row[0], k, nearest));
        assert_int_equal(l->of, k);
        assert_int_equal(l->row[1], nearest[0]);
        assert_int_equal(l->row[2], nearest[1]);
        assert_true(i == 0 || l->count > list.line[i - 1].count ||
                    (l->count == list.line[i - 1].count && l->row[0] > list.line[i - 1].row[0]));
    }
    es_worst_list_free(&list);
}

TEST(worst__pmi__rises_with_its_probability) {
    bool seen[ROWS] = {false};
    es_worst_list list = list_of("infonce", &b);
    assert_true(list.count > 0 && list.count <= ROWS);
    for (size_t i = 0; i < list.count; i++) {
        const es_worst_line *l = &list.line[i];
        assert_true(l->row[0] < ROWS && l->row[1] < ROWS && l->row[0] != l->row[1]);
        assert_false(seen[l->row[0]]);
        seen[l->row[0]] = true;
        assert_true(i == 0 || l->value >= list.line[i - 1].value);
        assert_near(log(l->beside / (1 - l->beside)), l->value, 1e-9);
    }
    es_worst_list_free(&list);
}

TEST(worst__measures_without_a_list__are_refused) {
    static const struct {
        const char *name;
        bool two;
        const char *part;
    } bad[] = {{"probe", false, "probe: no list of what is worst"},
               {"cka", true, "cka: no list of what is worst"},
               {"evalrank", true, "no list of what is worst of two embedders"},
               {"knn-jaccard", false, "no list of what is worst without a second embedder"},
               {"infonce", false, "without a second embedder"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const es_measure *m = es_measure_find(bad[i].name);
        double values[ES_MEASURE_FIELDS];
        es_worst_list list = {0};
        settings_of(m, values);
        assert_int_equal(
            es_worst_list_new(m, &a, bad[i].two ? &b : NULL, &all, values, NULL, &list, test_err()),
            ES_EINVAL);
        if (!strstr(test_message(), bad[i].part))
            fail_msg("%s", test_message());
        assert_null(list.line);
    }
}
