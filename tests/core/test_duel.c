/* Duels: intervals and evidence against plain references and by simulation, the order of questions,
 * neighbours against a search in plain C. */
#include "testing.h"
#include "core_duel.h"
#include "synthetic.h"

/* ---- intervals ---- */

/* log of the mixture at m, answer by answer and by Simpson's rule. */
static double log_mixture_ref(size_t won, size_t lost, size_t even, double m) {
    enum { STEPS = 4000 };
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        double p = (double)i / STEPS, bet = (p - m) / (m * (1 - m)), product = 1;
        for (size_t t = 0; t < won + lost + even; t++)
            product *= 1 + bet * ((t < won ? 1 : t < won + lost ? 0 : 0.5) - m);
        sum += (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2) * product;
    }
    return log(sum / (3.0 * STEPS));
}

/* At the ends the mixture has won as much as is allowed; undoing what they were moved by for wrong
 * answers. */
TEST(duel__interval__is_where_the_mixture_is_small) {
    static const size_t cases[][3] = {{10, 4, 0}, {3, 7, 5}, {26, 14, 3}, {8, 1, 1}, {2, 2, 20}};
    double limit = log(20);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t won = cases[c][0], lost = cases[c][1], even = cases[c][2];
        es_duel_tally tally = {(double)won, (double)lost, (double)even};
        double low, high, share = es_duel_tally_share(&tally);
        es_duel_interval(&tally, 0.95, &low, &high);
        double a = low < 0.5 ? 0.1 + 0.8 * low : low, b = high > 0.5 ? 0.1 + 0.8 * high : high;
        assert_true(low < share && high > share);
        if (low > 0)
            assert_true(fabs(log_mixture_ref(won, lost, even, a) - limit) < 0.01);
        if (high < 1)
            assert_true(fabs(log_mixture_ref(won, lost, even, b) - limit) < 0.01);
        assert_true(low > 0 || log_mixture_ref(won, lost, even, 0.1001) < limit);
        assert_true(high < 1 || log_mixture_ref(won, lost, even, 0.8999) < limit);
        for (double m = 0.11; m < 0.89; m += 0.02) { /* one piece */
            bool out = (low > 0 && m < a - 0.001) || (high < 1 && m > b + 0.001);
            bool in = (low <= 0 || m > a + 0.001) && (high >= 1 || m < b - 0.001);
            assert_true(!out || log_mixture_ref(won, lost, even, m) > limit);
            assert_true(!in || log_mixture_ref(won, lost, even, m) < limit);
        }
    }
}

TEST(duel__interval__ends_and_nothing) {
    const es_duel_tally none = {0}, all = {12, 0, 0}, nothing = {0, 12, 0};
    double low, high, mirrored_low, mirrored_high;
    es_duel_interval(&none, 0.95, &low, &high);
    assert_true(low == 0 && high == 1);
    es_duel_interval(&all, 0.95, &low, &high);
    es_duel_interval(&nothing, 0.95, &mirrored_low, &mirrored_high);
    assert_true(high == 1 && mirrored_low == 0);
    assert_true(fabs(low - (1 - mirrored_high)) < 1e-8);
    assert_true(fabs(pow(low, 12) - 1.0 / 13 / 20) < 1e-5); /* B(13, 1) = 1 / 13 */
}

/* An answer in between is as so much won, lost and even. */
TEST(duel__tally__splits_shares) {
    es_duel_tally tally = {0};
    es_duel_tally_add(&tally, 0.75);
    es_duel_tally_add(&tally, 0.25);
    es_duel_tally_add(&tally, 1);
    es_duel_tally_add(&tally, 0.5);
    assert_true(fabs(tally.won - 1.5) < 1e-12 && fabs(tally.lost - 0.5) < 1e-12 &&
                fabs(tally.even - 2) < 1e-12);
    assert_true(fabs(es_duel_tally_share(&tally) - 2.5 / 4) < 1e-12);
}

TEST(duel__evidence__known_integrals) {
    assert_float_equal(es_duel_evidence(0, 0), 1, 1e-12);
    assert_float_equal(es_duel_evidence(1, 0), 1.5, 1e-9);
    assert_float_equal(es_duel_evidence(1, 1), 2.0 / 3, 1e-4);
    assert_float_equal(es_duel_evidence(10, 0), (pow(2, 11) - 1) / 11, 0.1);
    assert_true(es_duel_evidence(0, 20) < 0.06);
}

enum { RUNS = 400, TRIED = 120, ANSWERS = 100 };

/* Of runs of answers with a tenth of them wrong: in how many is the share without errors outside
 * the interval at some time? */
static double miss_rate(double share, double level, uint64_t seed) {
    size_t missed = 0;
    for (size_t run = 0; run < TRIED; run++) {
        es_duel_tally tally = {0};
        double low, high;
        bool out = false;
        es_rng rng = test_rng(seed, run);
        for (int t = 1; t <= ANSWERS; t++) {
            bool wins = es_rng_uniform(&rng) < share, wrong = es_rng_uniform(&rng) < ES_DUEL_WRONG;
            es_duel_tally_add(&tally, wins != wrong);
            if (t > 10 && t % 10 != 0) /* an interval of few answers is cheap to miss */
                continue;
            es_duel_interval(&tally, level, &low, &high);
            out = out || share < low || share > high;
        }
        missed += out;
    }
    return (double)missed / TRIED;
}

TEST(duel__interval__holds_at_every_time) {
    static const double share[] = {0.5, 0.71, 0.95};
    double most = 0;
    for (size_t i = 0; i < sizeof share / sizeof *share; i++) {
        double missed = miss_rate(share[i], 0.95, i);
        most = fmax(most, missed);
        assert_true(missed <= 0.05);
    }
    assert_true(most > 0.002); /* it is no interval of everything */
    assert_true(miss_rate(0.5, 0.3, 9) > 0.1);
}

/* What is level is called better in at most one of twenty runs, whenever one stops. */
TEST(duel__evidence__rarely_large_by_chance) {
    size_t crossed = 0, found = 0;
    for (size_t run = 0; run < RUNS; run++) {
        double won = 0, better = 0;
        bool over = false, seen = false;
        es_rng rng = test_rng(3, run);
        for (int t = 1; t <= ANSWERS; t++) {
            won += es_rng_uniform(&rng) < 0.5;
            better += es_rng_uniform(&rng) < 0.75;
            over = over || es_duel_evidence(won, t - won) >= 20;
            seen = seen || es_duel_evidence(better, t - better) >= 20;
        }
        crossed += over;
        found += seen;
    }
    assert_true((double)crossed <= 0.05 * RUNS);
    assert_true((double)found > 0.97 * RUNS);
}

/* ---- standing ---- */

TEST(duel__standing__by_hand) {
    /* A and B propose the left, C the right; then A against C alone; then nobody against A. */
    static const int8_t side[] = {1, 1, -1, -1, 0, 1, 1, 0, 0};
    const es_duel_answer answers[] = {{side, 1}, {side + 3, 0.5}, {side + 6, 0}};
    static const uint32_t place[] = {2, 1, 0};
    es_duel_standing s = {0};
    assert_ok(es_duel_standing_new(answers, 3, 3, 0.95, place, &s, NULL));
    assert_int_equal(s.counted, 2);
    assert_int_equal(s.answers[0], 2);
    assert_int_equal(s.answers[1], 1);
    assert_int_equal(s.answers[2], 2);
    assert_float_equal(s.share[0], 0.75, 1e-12);
    assert_float_equal(s.share[1], 1, 1e-12);
    assert_float_equal(s.share[2], 0.25, 1e-12);
    assert_int_equal(s.order[0], 1); /* as far above half as A, and before it in the ranking */
    assert_int_equal(s.order[2], 2);
    assert_int_equal(s.left, 3);
    /* against C: it lost one of two; B alone won one of it, and A one */
    double lost = es_duel_evidence(1, 0);
    assert_true(fabs(s.against[2] - (lost + (lost + lost) / 2) / 2) < 1e-9);
    es_duel_standing_deinit(&s);
}

/* One that always loses goes; the first stays whatever the answers against it; order of answers
 * does not matter. */
TEST(duel__standing__loser_is_out) {
    enum { N = 14, K = 3 };
    int8_t side[N * K];
    es_duel_answer answers[N], backwards[N];
    for (size_t t = 0; t < N; t++) {
        int8_t left = t % 2 ? 1 : -1;
        side[t * K] = left;
        side[t * K + 1] = left;
        side[t * K + 2] = (int8_t)-left;
        answers[t] = (es_duel_answer){side + t * K, left > 0 ? 1 : 0};
        backwards[N - 1 - t] = answers[t];
    }
    es_duel_standing s = {0}, again = {0};
    assert_ok(es_duel_standing_new(answers, N, K, 0.95, NULL, &s, NULL));
    assert_ok(es_duel_standing_new(backwards, N, K, 0.95, NULL, &again, NULL));
    assert_true(s.out[2] && !s.out[0] && !s.out[1] && s.left == 2);
    assert_true(fabs(s.against[2] - again.against[2]) < 1e-9 * s.against[2]);
    es_duel_standing_deinit(&s);
    es_duel_standing_deinit(&again);
    assert_ok(es_duel_standing_new(answers, 0, K, 0.95, NULL, &s, NULL));
    assert_true(isnan(s.share[0]) && s.left == 3 && s.order[0] == 0);
    es_duel_standing_deinit(&s);
}

TEST(duel__agreement__by_hand) {
    static const es_duel_choice a[] = {ES_DUEL_LEFT, ES_DUEL_LEFT, ES_DUEL_RIGHT, ES_DUEL_RIGHT,
                                       ES_DUEL_OPEN},
                                b[] = {ES_DUEL_LEFT, ES_DUEL_RIGHT, ES_DUEL_RIGHT, ES_DUEL_RIGHT,
                                       ES_DUEL_LEFT};
    es_duel_agreement agreement = es_duel_agree(a, b, 5);
    assert_int_equal(agreement.count, 4);
    assert_float_equal(agreement.equal, 0.75, 1e-12);
    assert_float_equal(agreement.kappa, 0.5, 1e-12); /* chance: 1/2 1/4 + 1/2 3/4 */
    assert_true(isnan(es_duel_agree(a, a, 1).kappa));
    assert_true(isnan(es_duel_agree(a, b, 0).equal));
}

TEST(duel__choice__any_spelling) {
    static const struct {
        const char *text;
        es_duel_choice choice;
    } known[] = {{"LEFT", ES_DUEL_LEFT},   {"h", ES_DUEL_LEFT},     {"1", ES_DUEL_LEFT},
                 {"Right", ES_DUEL_RIGHT}, {"L", ES_DUEL_RIGHT},    {"2", ES_DUEL_RIGHT},
                 {"=", ES_DUEL_EQUAL},     {"Both", ES_DUEL_EQUAL}, {"neither", ES_DUEL_EQUAL},
                 {"", ES_DUEL_OPEN}};
    es_duel_choice choice = ES_DUEL_OPEN;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(es_duel_choice_parse(known[i].text, &choice));
        assert_int_equal(choice, known[i].choice);
        assert_true(es_duel_choice_parse(es_duel_choice_name(choice), &choice));
        assert_int_equal(choice, known[i].choice);
    }
    assert_false(es_duel_choice_parse("3", &choice));
    assert_false(es_duel_choice_parse("lefty", &choice));
}

/* ---- questions ---- */

TEST(duel__order__rows_once_pairs_even) {
    enum { ROWS = 3000, K = 5 };
    es_duel_order order = {0}, other = {0};
    size_t seen[ROWS] = {0}, pair[K][K] = {{0}};
    assert_ok(es_duel_order_new(7, ROWS, K, &order, NULL));
    assert_ok(es_duel_order_new(8, ROWS, K, &other, NULL));
    size_t moved = 0;
    for (size_t at = 0; at < ROWS; at++) {
        es_duel_draw draw = es_duel_order_at(&order, at);
        assert_true(draw.left < K && draw.right < K && draw.left != draw.right);
        seen[draw.row]++;
        pair[draw.left][draw.right]++;
        moved += draw.row != es_duel_order_at(&other, at).row;
    }
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(seen[i], 1);
    for (size_t a = 0; a < K; a++)
        for (size_t b = 0; b < K; b++)
            assert_true(a == b || (pair[a][b] > 100 && pair[a][b] < 200)); /* 150 expected */
    assert_true(moved > ROWS - 20);
    assert_int_equal(es_duel_order_at(&order, ROWS + 4).row, es_duel_order_at(&order, 4).row);
    es_duel_order_deinit(&order);
    es_duel_order_deinit(&other);
    assert_int_equal(es_duel_order_new(7, 2, K, &order, NULL), ES_EINVAL);
    assert_int_equal(es_duel_order_new(7, ROWS, 1, &order, NULL), ES_EINVAL);
}

/* ---- neighbours ---- */

static double similarity_ref(const double *z, size_t d, size_t a, size_t b) {
    double ab = 0, aa = 0, bb = 0;
    for (size_t j = 0; j < d; j++) {
        ab += z[a * d + j] * z[b * d + j];
        aa += z[a * d + j] * z[a * d + j];
        bb += z[b * d + j] * z[b * d + j];
    }
    return ab / sqrt(aa * bb);
}

/* Columns standardised in plain C; `skip` is a row that takes no part. */
static void standardise_ref(const double *x, size_t n, size_t d, size_t skip, double *z) {
    for (size_t j = 0; j < d; j++) {
        double mean = 0, square = 0, rows = (double)(n - (skip < n));
        for (size_t i = 0; i < n; i++)
            mean += i == skip ? 0 : x[i * d + j] / rows;
        for (size_t i = 0; i < n; i++)
            square += i == skip ? 0 : (x[i * d + j] - mean) * (x[i * d + j] - mean) / rows;
        for (size_t i = 0; i < n; i++)
            z[i * d + j] = square > 1e-20 ? (x[i * d + j] - mean) / sqrt(square) : 0;
    }
}

TEST(duel__nearest__as_a_plain_search) {
    enum { N = 200, D = 7, BAD = 11, TWIN = 150 };
    double *z = test_keep(malloc(N * D * sizeof *z), free);
    synthetic s = {N, D, test_keep(malloc(N * D * sizeof *s.x), free)};
    synthetic_normal(&s, 5);
    for (size_t i = 0; i < N; i++) {
        s.x[i * D + 2] = 1e6 + 1e-3 * s.x[i * D + 2]; /* far from 0 */
        s.x[i * D + 4] = 3;                           /* constant */
        s.x[i * D + 5] *= 1000;                       /* counts as much as the others */
    }
    s.x[BAD * D + 1] = (double)NAN;
    memcpy(s.x + TWIN * D, s.x + 20 * D, D * sizeof *s.x); /* equally near: the first is taken */
    standardise_ref(s.x, N, D, BAD, z);
    es_rows rows = synthetic_rows(&s);
    es_duel_space space = {0};
    uint32_t row[N], near[N], alone;
    for (uint32_t i = 0; i < N; i++)
        row[i] = i;
    assert_ok(es_duel_space_new(&rows, NULL, &space, NULL));
    assert_ok(es_duel_nearest(&space, &rows, row, N, NULL, near, NULL));
    assert_int_equal(near[BAD], ES_DUEL_NONE);
    assert_int_equal(near[20], TWIN);
    assert_int_equal(near[TWIN], 20);
    for (size_t i = 0; i < N; i++) {
        double best = -2;
        for (size_t k = 0; k < N; k++)
            if (i != BAD && k != BAD && k != i)
                best = fmax(best, similarity_ref(z, D, i, k));
        assert_true(i == BAD || similarity_ref(z, D, i, near[i]) > best - 1e-6);
        assert_int_not_equal(near[i], BAD);
        assert_true(near[i] != TWIN || i == 20);
        assert_ok(es_duel_nearest(&space, &rows, &row[i], 1, NULL, &alone, NULL));
        assert_int_equal(alone, near[i]);
    }
    es_duel_space_deinit(&space);
}

TEST(duel__nearest__can_be_cancelled) {
    synthetic s = {100, 3, test_keep(malloc(300 * sizeof *s.x), free)};
    synthetic_normal(&s, 6);
    es_rows rows = synthetic_rows(&s);
    es_duel_space space = {0};
    es_run run;
    es_run_init(&run);
    es_run_cancel(&run);
    assert_int_equal(es_duel_space_new(&rows, &run, &space, NULL), ES_ECANCELED);
    assert_null(space.mean);
}
