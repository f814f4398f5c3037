/* EvalRank and what goes with it: exact ranks, the pairs' preparation, geometry, the task. */
#include "methods.h"

#include "core_derive.h"
#include "core_measures.h"
#include "refuse.h"

static const es_pair_rules both_ways = {0};
static const char *const metric_name[] = {"cos", "l2"};

static es_positives positives_of(const es_graded_pair *pairs, size_t count, size_t n) {
    es_positives p;
    assert_ok(es_positives_new(pairs, count, n, &both_ways, &p, test_err()));
    return p;
}

static es_evalrank rank_of(const es_matrix *m, const es_positives *p, es_metric metric) {
    es_evalrank_rules rules = {.metric = metric, .seed = 1};
    es_evalrank e;
    assert_ok(es_evalrank_new(m, p, &rules, NULL, &e, test_err()));
    return e;
}

static void assert_summary(const es_evalrank *e, const char *key) {
    static const char *const rule[] = {"mid", "optimistic", "pessimistic"};
    static const char *const stat[] = {"MRR", "hits@1", "hits@3", "hits@10", "MR"};
    for (int r = 0; r < ES_TIE_RULES; r++)
        for (int s = 0; s < ES_RANK_STATS; s++)
            assert_near(e->value[r][s], expected("evalrank/%s/%s/%s", key, rule[r], stat[s]),
                        1e-14);
    assert_int_equal(e->tie_pairs, (size_t)expected("evalrank/%s/tie_pairs", key));
    assert_int_equal(e->count, (size_t)expected("evalrank/%s/m", key));
}

typedef struct geometry {
    double alignment; /* NaN without pairs */
    size_t zero_pairs;
    es_uniformity pairs;
    es_spread spread;
} geometry;

static es_status geometry_of(const es_matrix *m, const es_positives *positives, uint64_t seed,
                             const es_run *run, geometry *out, es_error *err) {
    geometry g = {.alignment = NAN};
    es_status st = es_uniformity_of(m, seed, run, &g.pairs, err);
    if (st == ES_OK && positives)
        st = es_alignment_of(m, positives, &g.alignment, &g.zero_pairs, err);
    if (st == ES_OK)
        st = es_spread_of(m, &g.spread, err);
    if (st == ES_OK)
        *out = g;
    return st;
}

TEST(evalrank__tiny__has_exact_ranks_and_ties) {
    es_matrix m = methods_npy("tiny.npy");
    double a[12], b[12];
    assert_int_equal(methods_csv("tiny_pairs.csv", 0, a, 12), 12);
    methods_csv("tiny_pairs.csv", 1, b, 12);
    es_graded_pair pairs[12];
    for (int i = 0; i < 12; i++)
        pairs[i] = (es_graded_pair){(uint32_t)a[i], (uint32_t)b[i], NAN};
    es_positives p = positives_of(pairs, 12, m.n);
    assert_int_equal(p.count, 12);
    assert_int_equal(p.groups, 6);
    assert_int_equal(p.duplicates, 0);
    for (int metric = 0; metric < ES_METRICS; metric++) {
        char key[32];
        snprintf(key, sizeof key, "tiny/%s", metric_name[metric]);
        es_evalrank e = rank_of(&m, &p, (es_metric)metric);
        assert_summary(&e, key);
        assert_int_equal(e.zero_rows, 1);
        for (size_t i = 0; i < 12; i++)
            for (int k = 0; k < 12; k++)
                if (e.pair[i].query == a[k] && e.pair[i].partner == b[k]) {
                    assert_int_equal(e.pair[i].better,
                                     (int)expected("evalrank/%s/greater_ties/%d/0", key, k));
                    assert_int_equal(e.pair[i].ties,
                                     (int)expected("evalrank/%s/greater_ties/%d/1", key, k));
                }
        es_evalrank_free(&e);
    }
    es_positives_free(&p);
}

TEST(evalrank__collapsed__is_mid_rank) {
    double x[150];
    es_graded_pair pairs[10];
    for (int i = 0; i < 150; i++)
        x[i] = 0.1 * (1 + i % 3);
    for (uint32_t i = 0; i < 10; i++)
        pairs[i] = (es_graded_pair){2 * i, 2 * i + 1, NAN};
    es_matrix m = {50, 3, x};
    es_positives p = positives_of(pairs, 10, 50);
    for (int metric = 0; metric < ES_METRICS; metric++) {
        char key[32];
        snprintf(key, sizeof key, "collapsed_50x3/%s", metric_name[metric]);
        es_evalrank e = rank_of(&m, &p, (es_metric)metric);
        assert_summary(&e, key);
        assert_true(e.collapsed);
        for (int s = 0; s < ES_RANK_STATS; s++) { /* all ranks alike: any resample has the mean */
            assert_near(e.low[s], e.value[ES_TIE_MID][s], 1e-12);
            assert_near(e.high[s], e.value[ES_TIE_MID][s], 1e-12);
        }
        es_evalrank_free(&e);
    }
    es_positives_free(&p);
}

/* Three pairs of each digit, as in independent.py. */
static es_positives digit_pairs(void) {
    double label[400];
    es_graded_pair pairs[30];
    size_t count = 0;
    assert_int_equal(methods_csv("digits_labels.csv", 1, label, 400), 400);
    for (int c = 0; c < 10; c++) {
        uint32_t row[6];
        for (uint32_t i = 0, found = 0; found < 6; i++)
            if (label[i] == c)
                row[found++] = i;
        for (int k = 0; k < 6; k += 2)
            pairs[count++] = (es_graded_pair){row[k], row[k + 1], NAN};
    }
    return positives_of(pairs, count, 400);
}

/* The measure warns where ties decide, and only there. */
TEST(evalrank__warning__only_where_ties_decide) {
    const es_measure *evalrank = es_measure_find("evalrank");
    double settings[ES_MEASURE_FIELDS], x[120];
    es_measure_value v[ES_MEASURE_FIELDS];
    for (size_t i = 0; i < evalrank->n_settings; i++)
        settings[i] = evalrank->settings[i].value;
    es_rng rng = test_rng(4, 4);
    for (size_t i = 0; i < 120; i++)
        x[i] = es_rng_normal(&rng);
    es_matrix m = {40, 3, x};
    es_graded_pair pairs[10];
    for (uint32_t i = 0; i < 10; i++)
        pairs[i] = (es_graded_pair){2 * i, 2 * i + 1, NAN};
    es_positives p = positives_of(pairs, 10, 40);
    es_measure_data data = {.positives = &p, .seed = 1};
    for (size_t tied = 0; tied < 2; tied++) {
        for (size_t i = 60; tied == 1 && i < 120; i++) /* each of the pairs has a copy */
            x[i] = x[i - 60];
        assert_ok(es_measure_embedder(evalrank, &m, &data, settings, NULL, v, NULL));
        assert_true(isfinite(v[0].value) && v[0].value > 0);
        assert_true((v[0].warning == NULL) == (tied == 0));
    }
    assert_contains(v[0].warning, "ties change it");
    es_positives_free(&p);
}

TEST(evalrank__derived__equals_plain_loops) {
    static const struct {
        const char *key;
        es_derive how;
    } cases[] = {
        {"none", {ES_DERIVE_NONE, 0, 0, 0}},     {"centre", {ES_DERIVE_CENTRE, 0, 0, 0}},
        {"abtt2", {ES_DERIVE_ABTT, 0, 2, 0}},    {"pcr2", {ES_DERIVE_PCR, 0, 2, 0}},
        {"whiten", {ES_DERIVE_WHITEN, 0, 0, 0}}, {"whiten10", {ES_DERIVE_WHITEN, 0, 10, 0}},
        {"pca5", {ES_DERIVE_PCA, 0, 5, 0}},
    };
    es_matrix m = methods_npy("digits_relu32.npy");
    es_positives p = digit_pairs();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int metric = 0; metric < ES_METRICS; metric++) {
            es_matrix derived = {0};
            assert_ok(es_derive_matrix(&m, &cases[c].how, &derived, NULL));
            es_evalrank e = rank_of(&derived, &p, (es_metric)metric);
            const double *v = e.value[ES_TIE_MID];
            const char *key = cases[c].key, *by = metric_name[metric];
            assert_near(v[ES_RANK_MRR], independent("evalrank/%s/%s/MRR", key, by), 1e-12);
            assert_near(v[ES_RANK_MEAN], independent("evalrank/%s/%s/MR", key, by), 1e-12);
            assert_near(v[ES_RANK_HITS10], independent("evalrank/%s/%s/hits10", key, by), 1e-12);
            for (int s = 0; s < ES_RANK_STATS; s++)
                assert_true(e.low[s] <= v[s] && v[s] <= e.high[s] && e.low[0] < e.high[0]);
            es_evalrank_free(&e);
            es_matrix_free(&derived);
        }
    es_positives_free(&p);
}

TEST(evalrank__scale_and_shift__change_nothing) {
    es_matrix m = methods_npy("digits_relu32.npy");
    es_positives p = digit_pairs();
    es_evalrank plain = rank_of(&m, &p, ES_L2);
    for (size_t i = 0; i < m.n * m.d; i++)
        m.x[i] = ldexp(m.x[i], -40) + 1;
    es_evalrank moved = rank_of(&m, &p, ES_L2);
    for (size_t i = 0; i < p.count; i++) {
        assert_int_equal(plain.pair[i].better, moved.pair[i].better);
        assert_int_equal(plain.pair[i].nearest, moved.pair[i].nearest);
    }
    es_evalrank_free(&plain);
    es_evalrank_free(&moved);
    es_positives_free(&p);
}

TEST(evalrank__worst_pairs__name_who_came_between) {
    double x[] = {0, 1, 3, 10, 10.5, 12}; /* 0 -> 2 is beaten by 1; 3 -> 5 by 4 */
    const es_graded_pair pairs[] = {{0, 2, NAN}, {3, 5, NAN}};
    es_matrix m = {6, 1, x};
    es_positives p = positives_of(pairs, 2, 6);
    es_evalrank e = rank_of(&m, &p, ES_L2);
    uint32_t worst[9];
    size_t written = 0;
    assert_ok(es_evalrank_worst(&e, worst, 9, &written, NULL));
    assert_int_equal(written, 4);
    for (size_t i = 0; i < written; i++) {
        const es_pair_rank *r = &e.pair[worst[i]];
        assert_int_equal(r->better, 1);
        assert_int_equal(r->nearest, r->query < 3 ? 1 : 4);
    }
    assert_near(e.pair[0].similarity, 1 / (1 + 3.0), 1e-12);
    assert_near(e.pair[0].nearest_similarity, 0.5, 1e-12);
    es_evalrank_free(&e);
    /* Neither the others' background nor a known partner competes when told so. */
    const es_graded_pair known[] = {{0, 1, NAN}, {0, 2, NAN}};
    const uint32_t background[] = {5};
    es_positives q = positives_of(known, 2, 6);
    es_evalrank_rules rules = {.metric = ES_L2, .filtered = true};
    assert_ok(es_evalrank_new(&m, &q, &rules, NULL, &e, NULL));
    assert_int_equal(e.pair[1].better, 0);
    es_evalrank_free(&e);
    rules = (es_evalrank_rules){.metric = ES_L2, .background = background, .background_count = 1};
    assert_ok(es_evalrank_new(&m, &p, &rules, NULL, &e, NULL));
    assert_true(e.value[ES_TIE_MID][ES_RANK_MEAN] == 1);
    es_evalrank_free(&e);
    es_positives_free(&q);
    es_positives_free(&p);
}

TEST(positives__bad_pairs__are_counted_or_refused) {
    const es_graded_pair mixed[] = {{0, 1, NAN}, {1, 0, NAN}, {2, 2, NAN}, {0, 1, NAN}};
    es_positives p = positives_of(mixed, 4, 3);
    assert_int_equal(p.count, 2);
    assert_int_equal(p.self, 1);
    assert_int_equal(p.duplicates, 1);
    es_positives_free(&p);
    /* The other way round is the same pair; that again, or with another score, is not. */
    const es_graded_pair turned[] = {{1, 0, NAN}, {0, 1, NAN}, {1, 0, NAN}, {0, 1, NAN}};
    p = positives_of(turned, 4, 3);
    assert_int_equal(p.duplicates, 2);
    es_positives_free(&p);
    const es_graded_pair scored[] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 2}, {2, 0, 1}};
    p = positives_of(scored, 4, 3);
    assert_int_equal(p.duplicates, 1);
    es_positives_free(&p);
    es_pair_rules directed = {.directed = true};
    assert_ok(es_positives_new(mixed, 4, 3, &directed, &p, NULL));
    assert_int_equal(p.count, 2);
    assert_int_equal(p.groups, 1);
    es_positives_free(&p);
    const es_graded_pair outside[] = {{0, 9, NAN}}, half[] = {{0, 1, 2.0}, {1, 2, NAN}};
    assert_error_is(es_positives_new(outside, 1, 3, &both_ways, &p, test_err()), ES_EINVAL,
                    "pair 1: row 9 is not among the rows 0 to 2");
    assert_int_equal(es_positives_new(half, 2, 3, &both_ways, &p, test_err()), ES_EINVAL);
    assert_int_equal(es_positives_new(mixed + 2, 1, 3, &both_ways, &p, test_err()), ES_EEMPTY);
}

TEST(positives__scores__keep_the_best_quarter_and_ties) {
    es_graded_pair pairs[8];
    for (uint32_t i = 0; i < 8; i++)
        pairs[i] = (es_graded_pair){i, i + 1, i >= 5 ? 4.0 : i};
    es_positives p = positives_of(pairs, 8, 9);
    assert_int_equal(p.groups, 4); /* 2 of 8, and two more with the same score */
    assert_int_equal(p.unpositive, 4);
    assert_true(p.threshold == 4);
    es_positives_free(&p);
}

TEST(geometry__digits__equals_plain_loops) {
    es_matrix m = methods_npy("digits_relu32.npy");
    es_positives p = digit_pairs();
    geometry g;
    assert_ok(geometry_of(&m, &p, 1, NULL, &g, NULL));
    assert_near(g.alignment, independent("geometry/alignment"), 1e-12);
    assert_near(g.pairs.uniformity, independent("geometry/uniformity"), 1e-12);
    assert_near(g.pairs.mean_cosine, independent("geometry/mean_cosine"), 1e-12);
    assert_near(g.spread.effective_rank, independent("geometry/effective_rank"), 1e-8);
    assert_near(g.spread.participation, independent("geometry/participation"), 1e-8);
    es_positives_free(&p);
}

/* Of two columns at right angles, which are not centred: singular values 3 and 1, each with a share
 * of 1e-7 more. */
TEST(rankme__columns_at_right_angles__is_what_their_lengths_give) {
    const double p = 0.75 + 1e-7, q = 0.25 + 1e-7;
    double rankme = 0;
    es_matrix m = matrix_kept(4, 2);
    memset(m.x, 0, 8 * sizeof *m.x);
    m.x[0] = 3;
    m.x[7] = -1;
    assert_ok(es_rankme_of(&m, &rankme, NULL));
    assert_near(rankme, exp(-p * log(p) - q * log(q)), 1e-12);
    memset(m.x, 0, 8 * sizeof *m.x);
    assert_ok(es_rankme_of(&m, &rankme, NULL));
    assert_true(isnan(rankme));
}

/* Two rows of the same direction, one across, and two zero rows, whose cosine with any row is 0. */
TEST(geometry__zero_rows__are_at_cosine_0) {
    static const double x[] = {2, 0, 0, 0, 5, 0, 0, 3, 0, 0};
    static const es_graded_pair pairs[] = {{0, 2, NAN}, {0, 1, NAN}, {1, 4, NAN}};
    geometry g;
    es_positives p = positives_of(pairs, 3, 5);
    es_matrix m = matrix_kept(5, 2);
    memcpy(m.x, x, sizeof x);
    assert_ok(geometry_of(&m, &p, 1, NULL, &g, NULL));
    assert_int_equal(g.pairs.zero_rows, 2);
    assert_near(g.pairs.mean_cosine, 1.0 / 10, 1e-12);
    assert_near(g.pairs.uniformity, log((1 + 9 * exp(-4)) / 10), 1e-12);
    assert_near(g.alignment, (0 + 2 + 2) / 3.0, 1e-12);
    assert_int_equal(g.zero_pairs, p.count * 2 / 3);
    es_positives_free(&p);
}

/* Too many rows for all pairs: half of them one way, half the other, a hundred zero. */
TEST(uniformity__many_rows__are_sampled) {
    enum { N = 20500, ZERO = 100, D = 3 };
    const double n = N - ZERO, half = n / 2, all = (double)N * (N - 1), kept = n * (n - 1) / all;
    es_uniformity u;
    es_matrix m = matrix_kept(N, D);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            m.x[i * D + j] =
                i % (N / ZERO) == 0 ? 0 : (i % 2 ? 1e200 : -1e-200) * (double)(j + 1) * (double)i;
    size_t ahead = 0;
    for (size_t i = 0; i < N; i++)
        ahead += m.x[i * D] > 0;
    assert_ok(es_uniformity_of(&m, 1, NULL, &u, NULL));
    assert_int_equal(u.zero_rows, ZERO);
    assert_int_equal(u.sampled, 20000000);
    double a = (double)ahead, b = n - a, same = (a * (a - 1) + b * (b - 1)) / all;
    assert_true(fabs(a - half) < n / 20);
    assert_near(u.mean_cosine, 2 * same - kept, 1e-9);
    assert_near(u.uniformity, log(same + (kept - same) * exp(-8) + (1 - kept) * exp(-4)), 2e-3);
}

TEST(similarity_task__digits__equals_plain_loops) {
    es_matrix m = methods_npy("digits_relu32.npy");
    double label[400];
    es_graded_pair pairs[301];
    methods_csv("digits_labels.csv", 1, label, 400);
    for (uint32_t i = 0; i < 300; i++) {
        bool same = label[i] == label[i + 7];
        pairs[i] = (es_graded_pair){i, i + 7, (double)(i * 37 % 101) / 20 + (same ? 2 : 0)};
    }
    pairs[300] = (es_graded_pair){0, 400, 1};
    es_similarity_task cosine, l2;
    assert_ok(es_similarity_task_run(&m, pairs, 301, ES_COSINE, &cosine, NULL));
    assert_ok(es_similarity_task_run(&m, pairs, 301, ES_L2, &l2, NULL));
    assert_int_equal(cosine.skipped, 1);
    es_similarity_task two;
    assert_ok(es_similarity_task_run(&m, pairs, 2, ES_COSINE, &two, NULL));
    assert_ptr_equal(two.spearman.why, ES_WHY_FEW);
    assert_ptr_equal(two.pearson.why, ES_WHY_FEW);
    assert_ptr_equal(two.tercile[1].why, ES_WHY_FEW);
    assert_near(cosine.spearman.value, independent("task/cos"), 1e-12);
    assert_near(l2.spearman.value, independent("task/l2"), 1e-12);
    for (int t = 0; t < ES_TERCILES; t++)
        assert_near(cosine.tercile[t].value, independent("task/cos/tercile%d", t), 1e-12);
}

/* Distances of whole numbers are tied, and what shifts or scales them does not part them. */
TEST(similarity_task__ties__survive_rounding) {
    enum { N = 60 };
    double x[N], moved[N];
    es_graded_pair pairs[N - 1];
    for (uint32_t i = 0; i < N; i++) {
        x[i] = (double)(i * 7 % 11);
        moved[i] = (x[i] - 5.1) / 3 + 0.1;
    }
    for (uint32_t i = 0; i + 1 < N; i++)
        pairs[i] = (es_graded_pair){i, i + 1, (double)(i * 5 % 13)};
    es_similarity_task plain, other;
    const es_matrix a = {.n = N, .d = 1, .x = x}, b = {.n = N, .d = 1, .x = moved};
    assert_ok(es_similarity_task_run(&a, pairs, N - 1, ES_L2, &plain, NULL));
    assert_ok(es_similarity_task_run(&b, pairs, N - 1, ES_L2, &other, NULL));
    assert_near(plain.spearman.value, other.spearman.value, 1e-12);
    assert_near(plain.kendall.value, other.kendall.value, 1e-12);
    for (int t = 0; t < ES_TERCILES; t++)
        assert_near(plain.tercile[t].value, other.tercile[t].value, 1e-12);
    double gap[N - 1], human[N - 1];
    es_stat exact; /* whole numbers: ties are exact */
    for (uint32_t i = 0; i + 1 < N; i++) {
        gap[i] = -fabs(x[i] - x[i + 1]);
        human[i] = pairs[i].score;
    }
    assert_ok(es_correlate(ES_SPEARMAN, human, gap, N - 1, &exact, NULL));
    assert_near(other.spearman.value, exact.value, 1e-12);
}

TEST(derive__whitened__has_unit_covariance_also_when_wide) {
    const char *const files[] = {"digits_relu32.npy", "rand30x100.npy"};
    for (int f = 0; f < 2; f++) {
        es_matrix m = methods_npy(files[f]), w = {0};
        es_derive how = {ES_DERIVE_WHITEN, 0, 0, 0};
        assert_ok(es_derive_matrix(&m, &how, &w, NULL));
        assert_int_equal(w.d, f == 0 ? 30 : 29);
        for (size_t a = 0; a < w.d; a++)
            for (size_t b = 0; b <= a; b++) {
                double sum = 0;
                for (size_t i = 0; i < w.n; i++)
                    sum += w.x[i * w.d + a] * w.x[i * w.d + b];
                assert_near(sum / (double)(w.n - 1), a == b, 1e-7);
            }
        es_matrix_free(&w);
    }
}

TEST(derive__misuse__is_refused) {
    double x[] = {1, 2, 1, 2};
    es_matrix m = {2, 2, x}, out = {0};
    es_derive none_left = {ES_DERIVE_WHITEN, 0, 0, 0}, zero = {ES_DERIVE_ABTT, 0, 0, 0},
              many = {ES_DERIVE_PCA, 0, 3, 0}, random = {ES_DERIVE_RANDOM, 0, 5, 1};
    assert_int_equal(es_derive_matrix(&m, &none_left, &out, NULL), ES_EEMPTY);
    assert_int_equal(es_derive_matrix(&m, &zero, &out, NULL), ES_EINVAL);
    assert_int_equal(es_derive_matrix(&m, &many, &out, NULL), ES_EINVAL);
    assert_null(out.x);
    assert_ok(es_derive_matrix(&m, &random, &out, NULL));
    assert_int_equal(out.d, 5);
    assert_memory_equal(out.x, out.x + 5, 5 * sizeof *out.x);
    es_matrix_free(&out);
}

TEST(evalrank__out_of_memory__is_reported) {
    es_matrix m = methods_npy("tiny.npy");
    const es_graded_pair pairs[] = {{0, 1, NAN}, {2, 3, NAN}};
    es_positives p = positives_of(pairs, 2, m.n);
    es_evalrank_rules rules = {.metric = ES_L2};
    const es_graded_pair graded[] = {{0, 1, 3}, {2, 3, 2}, {4, 5, 1}};
    bool met = true;
    for (long after = 0; met; after++) {
        es_evalrank e;
        geometry g;
        es_positives best = {0};
        refuse_one(after);
        es_status st = es_evalrank_new(&m, &p, &rules, NULL, &e, NULL);
        if (st == ES_OK) {
            es_evalrank_free(&e);
            st = geometry_of(&m, &p, 1, NULL, &g, NULL);
        }
        if (st == ES_OK)
            st = es_positives_new(graded, 3, m.n, &(es_pair_rules){0}, &best, NULL);
        met = refuse_end();
        assert_true(st == ES_OK || (met && st == ES_ENOMEM));
        es_positives_free(&best);
    }
    es_positives_free(&p);
}

/* Blocks of rows against the whole matrix: more rows than a block, fewer than columns; axes up to
 * their sign. */
TEST(derive_map__blocks__equal_the_whole_matrix) {
    const es_derive ways[] = {
        {ES_DERIVE_NONE, 0, 0, 0}, {ES_DERIVE_CENTRE, 0, 0, 0}, {ES_DERIVE_NORMALISE, 0, 0, 0},
        {ES_DERIVE_ABTT, 0, 2, 0}, {ES_DERIVE_PCR, 0, 3, 0},    {ES_DERIVE_WHITEN, 0, 0, 0},
        {ES_DERIVE_PCA, 0, 4, 0},  {ES_DERIVE_RANDOM, 0, 5, 7}, {ES_DERIVE_FLOW, 0, 0, 7}};
    const size_t shapes[][2] = {{1100, 12}, {20, 30}};
    for (size_t k = 0; k < 2; k++) {
        size_t n = shapes[k][0], d = shapes[k][1];
        es_matrix m = {0}, whole;
        m = matrix_kept(n, d);
        for (size_t i = 0; i < n * d; i++)
            m.x[i] = sin((double)(i * i % 1009)) * (double)(1 + i % d) + 3;
        const es_rows rows = es_matrix_as_rows(&m);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            es_derive_map map;
            assert_ok(es_derive_matrix(&m, &ways[w], &whole, NULL));
            assert_ok(es_derive_map_new(&rows, &ways[w], NULL, &map, NULL));
            assert_int_equal(map.out, whole.d);
            assert_true(es_derive_map_bytes(n, d, &ways[w]) > 1000);
            bool signs = ways[w].kind == ES_DERIVE_WHITEN || ways[w].kind == ES_DERIVE_PCA;
            double *x = test_keep(malloc(ES_DERIVE_BLOCK * d * sizeof *x), free);
            double *y = test_keep(malloc(ES_DERIVE_BLOCK * map.out * sizeof *y), free);
            for (size_t at = 0; at < n; at += ES_DERIVE_BLOCK) {
                size_t count = n - at < ES_DERIVE_BLOCK ? n - at : ES_DERIVE_BLOCK;
                memcpy(x, m.x + at * d, count * d * sizeof *x);
                assert_ok(es_derive_map_apply(&map, x, count, y, NULL));
                for (size_t i = 0; i < count * map.out; i++) {
                    double got = y[i], want = whole.x[at * map.out + i];
                    assert_near(signs ? fabs(got) : got, signs ? fabs(want) : want, 1e-9);
                }
            }
            es_derive_map_free(&map);
            es_matrix_free(&whole);
        }
        es_derive_map none;
        const es_derive zero = {ES_DERIVE_PCA, 0, 0, 0}, many = {ES_DERIVE_ABTT, 0, 31, 0};
        assert_int_equal(es_derive_map_new(&rows, &zero, NULL, &none, NULL), ES_EINVAL);
        assert_int_equal(es_derive_map_new(&rows, &many, NULL, &none, NULL), ES_EINVAL);
    }
}
