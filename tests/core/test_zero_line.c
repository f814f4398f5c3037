/* An embedder that knows nothing of another has an information sufficiency of 0 within its standard
 * error, also where the other's columns are odd: nonzero in few rows, with heavy tails, counts,
 * ties, one-hot. 20 random pairs by default, 200 with ES_SLOW set (ctest -C slow -L slow),
 * 6 under sanitizers. */
#include "testing.h"
#include "estimating.h"
#include "odd_columns.h"
#include "sanitized.h"

static synthetic make(size_t n, size_t d, odd_kind kind, uint64_t seed) {
    synthetic s = {n, d, test_alloc(n * d, sizeof(double))};
    odd_fill(&s, kind, seed);
    return s;
}

static es_status estimate(const char *estimator, const synthetic *u, const synthetic *v,
                          odd_kind kind, uint64_t seed, es_pair_result *out) {
    es_rows ru = synthetic_rows(u), rv = synthetic_rows(v);
    rv.kind = kind == ODD_BITS ? ES_KIND_BINARY : ES_KIND_CONTINUOUS;
    estimating how = {estimator, "default", NULL, seed, 7, NULL};
    es_status st = estimate_pair(&how, &ru, &rv, out, NULL);
    if (st == ES_OK)
        es_free(out->pmi);
    return st;
}

/* Its one nonzero row holds all of a column's variance; without it the column is a constant, which
 * a network of whatever source learns to expect. */
static void assert_silent_of_odd_columns(const char *estimator) {
    static const odd_kind kinds[] = {ODD_ONE_ROW, ODD_TWO_ROWS, ODD_FIVE_ROWS, ODD_MIXED};
    static const size_t rows[] = {400, 1500};
    for (size_t k = 0; k < 8; k++)
        for (uint64_t seed = 0; seed < (getenv("ES_SLOW") ? 3 : 1); seed++) {
            synthetic u = make(rows[k % 2], 8, ODD_NORMAL, 10 + seed);
            synthetic v = make(rows[k % 2], 16, kinds[k / 2], 20 + seed);
            es_pair_result r;
            assert_ok(estimate(estimator, &u, &v, kinds[k / 2], seed, &r));
            if (!(fabs(r.is) <= 2 * r.se))
                fail_msg("%s of %s, %zu rows, seed %d: %.4f +- %.4f", estimator,
                         odd_name[kinds[k / 2]], u.n, (int)seed, r.is, r.se);
        }
}

TEST(knife__column_of_one_nonzero_row__tells_nothing) {
    assert_silent_of_odd_columns("knife");
}

TEST(flow__column_of_one_nonzero_row__tells_nothing) {
    assert_silent_of_odd_columns("flow");
}

/* The source gives half of the columns, by a linear relation; the rest is odd. The network finds no
 * more in it than ridge regression does. */
TEST(knife__odd_columns_beside_known_ones__add_nothing) {
    static const odd_kind kinds[] = {ODD_ONE_ROW, ODD_FIVE_ROWS, ODD_PERCENT};
    for (size_t k = 0; k < 3; k++) {
        synthetic u = make(2000, 8, ODD_NORMAL, 1), v = make(2000, 16, kinds[k], 2);
        synthetic noise = make(2000, 8, ODD_NORMAL, 3);
        for (size_t i = 0; i < 2000; i++)
            for (size_t j = 0; j < 8; j++)
                v.x[i * 16 + j] = sqrt(0.7) * u.x[i * 8 + j] + sqrt(0.3) * noise.x[i * 8 + j];
        es_pair_result linear, knife;
        assert_ok(estimate("linear", &u, &v, kinds[k], 0, &linear));
        assert_ok(estimate("knife", &u, &v, kinds[k], 0, &knife));
        if (!(linear.is > 0.25 && fabs(knife.is / linear.is - 1) < 0.1))
            fail_msg("%s: %.4f, by ridge regression %.4f", odd_name[kinds[k]], knife.is, linear.is);
    }
}

/* Both sides odd: in one training row a column of each happens to differ from its other rows. */
TEST(linear__odd_source_of_odd_target__tells_nothing) {
    static const size_t rows[] = {60, 150, 400};
    for (uint64_t k = 0; k < 36; k++) {
        odd_kind kind = (odd_kind)(ODD_ONE_ROW + k % 3), from = (odd_kind)(ODD_ONE_ROW + k / 3 % 3);
        synthetic u = make(rows[k % 3], 12, from, 10 + k), v = make(u.n, 16, kind, 90 + k);
        es_pair_result r;
        if (estimate("linear", &u, &v, kind, k, &r) == ES_OK && !(fabs(r.is) <= 5 * r.se))
            fail_msg("%s onto %s, %zu rows: %.4f +- %.4f", odd_name[from], odd_name[kind], u.n,
                     r.is, r.se);
    }
}

/* With more columns than rows a copy is predicted in part; never worse than by its mean. */
TEST(linear__copy_with_few_rows__is_not_negative) {
    static const size_t rows[] = {30, 60, 100, 200};
    for (size_t k = 0; k < 4; k++) {
        synthetic u = make(rows[k], 256, ODD_NORMAL, 3);
        es_pair_result r;
        assert_ok(estimate("linear", &u, &u, ODD_NORMAL, 0, &r));
        if (!(r.is > 0 && r.is < 0.5))
            fail_msg("%zu rows: %.4f +- %.4f", rows[k], r.is, r.se);
    }
}

/* Small pools whose embedders share half of what varies: the few validation rows must not silence
 * what a given penalty, which nothing reference embedders, finds. */
TEST(linear__few_rows_share_much__is_not_silenced) {
    static const size_t rows[] = {60, 100, 200, 300};
    for (size_t k = 0; k < 4; k++) {
        size_t n = rows[k], silent = 0;
        double judged = 0, given = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            synthetic z = make(n, 4, ODD_NORMAL, 300 + seed);
            synthetic u = make(n, 4, ODD_NORMAL, 400 + seed),
                      v = make(n, 4, ODD_NORMAL, 500 + seed);
            for (size_t i = 0; i < 4 * n; i++) {
                u.x[i] = z.x[i] + 0.6 * u.x[i];
                v.x[i] = z.x[i] + 0.6 * v.x[i];
            }
            es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
            estimating own = {"linear", "default", NULL, seed, 7, NULL};
            estimating fixed = {"linear", "default", "lambda=0.1", seed, 7, NULL};
            es_pair_result r, f;
            assert_ok(estimate_pair(&own, &ru, &rv, &r, NULL));
            assert_ok(estimate_pair(&fixed, &ru, &rv, &f, NULL));
            judged += r.is;
            given += f.is;
            silent += r.is == 0;
            es_free(r.pmi);
            es_free(f.pmi);
        }
        print_message("%zu rows: %.3f, by a given penalty %.3f, %zu silent\n", n, judged / 20,
                      given / 20, silent);
        assert_true(given / 20 > 0.2);
        assert_true(judged > 0.85 * given);
        assert_int_equal(silent, 0);
    }
}

typedef struct tally {
    int pairs, beyond2, beyond5;
    char worst[160];
    double most;
} tally;

static void count(tally *t, const es_pair_result *r, const char *what) {
    double off = r->se > 0 ? fabs(r->is) / r->se : r->is == 0 ? 0 : (double)INFINITY;
    t->pairs++;
    t->beyond2 += off > 2;
    t->beyond5 += off > 5;
    if (off > t->most) {
        t->most = off;
        snprintf(t->worst, sizeof t->worst, "%s: %.5f +- %.5f", what, r->is, r->se);
    }
}

/* Sizes, dimensions and kinds at random. */
TEST(estimators__independent_odd_pairs__lie_within_their_errors) {
    static const size_t rows[] = {60, 100, 150, 250, 400, 700, 1200, 2000};
    static const odd_kind sources[] = {ODD_NORMAL, ODD_T3, ODD_TIES};
    const char *const names[] = {"linear", "knife", "flow"};
    int pools = SANITIZED ? 6 : getenv("ES_SLOW") ? 200 : 12;
    for (size_t e = 0; e < 3; e++) {
        tally t = {0};
        es_rng rng = test_rng(5, 5);
        for (int k = 0; k < pools; k++) {
            size_t n = rows[es_rng_below(&rng, 8)], kind = es_rng_below(&rng, ODD_KINDS);
            size_t du = 2 + es_rng_below(&rng, 15), dv = 2 + es_rng_below(&rng, 15);
            size_t from = es_rng_below(&rng, 3);
            synthetic u = make(n, du, sources[from], 2 * (uint64_t)k);
            synthetic v = make(n, dv, (odd_kind)kind, 2 * (uint64_t)k + 1);
            es_pair_result r;
            char what[80];
            snprintf(what, sizeof what, "%s onto %s, %zu rows, %zu -> %zu", odd_name[sources[from]],
                     odd_name[kind], n, du, dv);
            /* a target whose every column is constant on the training rows is refused */
            if (estimate(names[e], &u, &v, (odd_kind)kind, (uint64_t)k, &r) == ES_OK)
                count(&t, &r, what);
        }
        print_message("%s: of %d pairs %d beyond 2 standard errors, %d beyond 5; worst %s\n",
                      names[e], t.pairs, t.beyond2, t.beyond5, t.worst);
        assert_true(t.pairs >= 9 * pools / 10);
        if ((t.beyond2 > t.pairs / 20 + 1 && !SANITIZED) || t.beyond5 > 0)
            fail_msg("%s: %d of %d pairs beyond 2 standard errors, %d beyond 5; worst %s", names[e],
                     t.beyond2, t.pairs, t.beyond5, t.worst);
    }
}
