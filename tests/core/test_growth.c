/* How a ranking by some of the rows agrees with that by all: known answers, simulated rankings. */
#include "pool_sim.h"

#include "core_ranking.h"

enum { M = 20 };

static es_growth judge(es_growth_problem problem) {
    es_growth out = {0};
    assert_ok(es_growth_judge(&problem, NULL, &out, test_err()));
    return out;
}

TEST(growth__all_rows__agree) {
    const double score[] = {3, 1, 2};
    es_growth g = judge((es_growth_problem){.score = score, .m = 3, .rows = 50, .of = 50});
    assert_close(g.expected, 1, 0);
    assert_close(g.low, 1, 0);
    assert_true(isnan(g.since));
}

TEST(growth__without_half__expects_nothing) {
    const double score[] = {3, 1, 2}, before[] = {3, 2, 1};
    es_growth g = judge((es_growth_problem){.score = score, .m = 3, .rows = 50, .of = 100});
    assert_true(isnan(g.expected) && isnan(g.low) && isnan(g.high) && isnan(g.since));
    g = judge((es_growth_problem){.score = score, .before = before, .m = 3, .rows = 50, .of = 100});
    assert_close(g.since, 1.0 / 3, 1e-15); /* one pair of three is the other way round */
    assert_true(g.low <= g.expected && g.expected <= g.high);
}

/* Two embedders: the chance that a normal error puts them the other way round. Each has moved by a
 * from the middle, so that each error has variance a^2 (1 - n/N). */
TEST(growth__two_embedders__is_the_normal_probability) {
    const double a = 0.3, score[] = {1, 0.5}, before[] = {1 - a, 0.5 + a};
    es_growth g = judge(
        (es_growth_problem){.score = score, .before = before, .m = 2, .rows = 250, .of = 1000});
    double sd = sqrt(2 * a * a * 0.75), flips = 0.5 * erfc(0.5 / sd / sqrt(2));
    assert_close(g.expected, 1 - 2 * flips, 4 * 2 * sqrt(flips * (1 - flips) / 400));
    /* and by the rows that were evaluated, where these say more: variance v (1 + n/N) */
    const double var[] = {0, 2, 2, 0}, same[] = {1, 0.5};
    g = judge((es_growth_problem){
        .score = score, .before = same, .var = var, .m = 2, .rows = 250, .of = 1000});
    sd = sqrt(2 * 1.25);
    flips = 0.5 * erfc(0.5 / sd / sqrt(2));
    assert_close(g.expected, 1 - 2 * flips, 4 * 2 * sqrt(flips * (1 - flips) / 400));
}

/* Three embedders whose rows each have variance 1: the first is out of reach of the others. */
TEST(growth__the_first_of_three__has_a_variance_too) {
    const double score[] = {1000, 1, 0.5}, var[] = {0, 2, 2, 2, 0, 2, 2, 2, 0};
    es_growth g = judge((es_growth_problem){
        .score = score, .before = score, .var = var, .m = 3, .rows = 250, .of = 1000});
    double flips = 0.5 * erfc(0.5 / sqrt(2 * 1.25) / sqrt(2));
    assert_close(g.expected, 1 - 2 * flips / 3, 4 * 2.0 / 3 * sqrt(flips * (1 - flips) / 400));
}

TEST(growth__numbering__makes_no_difference) {
    double score[M], before[M], var[M * M], other[M], other_before[M], other_var[M * M];
    es_rng rng = test_rng(4, 1);
    for (size_t i = 0; i < M; i++) {
        score[i] = es_rng_normal(&rng);
        before[i] = score[i] + 0.2 * es_rng_normal(&rng);
    }
    for (size_t i = 0; i < M * M; i++)
        var[i] = i % (M + 1) == 0 ? 0 : 0.01 * (double)(1 + (i % M) + (i / M));
    for (size_t i = 0; i < M; i++) {
        size_t from = (7 * i + 3) % M;
        other[i] = score[from];
        other_before[i] = before[from];
        for (size_t j = 0; j < M; j++)
            other_var[i * M + j] = var[from * M + (7 * j + 3) % M];
    }
    es_growth a = judge((es_growth_problem){
                  .score = score, .before = before, .var = var, .m = M, .rows = 10, .of = 40}),
              b = judge((es_growth_problem){.score = other,
                                            .before = other_before,
                                            .var = other_var,
                                            .m = M,
                                            .rows = 10,
                                            .of = 40});
    assert_close(a.expected, b.expected, 1e-12);
    assert_close(a.low, b.low, 1e-12);
    assert_close(a.since, b.since, 0);
}

static double agreement(const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < M; i++)
        for (size_t j = i + 1; j < M; j++)
            sum += (a[i] - a[j]) * (b[i] - b[j]) > 0 ? 1 : -1;
    return sum / (M * (M - 1) / 2.0);
}

/* Scores with an error of variance v/n over n of N rows, rows of a sample among those of the next,
 * and a lack that shrinks like 1/n: wherever sizes stop doubling, what was promised is kept. */
TEST(growth__simulated_rankings__keep_what_was_promised) {
    enum { POOLS = 400, SIZES = 6 };
    size_t stops = 0, kept = 0;
    for (uint64_t pool = 0; pool < POOLS; pool++) {
        double truth[M], lack[M], sum[M] = {0}, score[SIZES][M];
        es_rng rng = test_rng(9, pool);
        double spread = 0.2 + 0.8 * es_rng_uniform(&rng), drift = 10 * es_rng_uniform(&rng);
        for (size_t i = 0; i < M; i++) {
            truth[i] = spread * es_rng_normal(&rng);
            lack[i] = drift * es_rng_normal(&rng);
        }
        double rows = 125;
        for (size_t k = 0, before = 0; k < SIZES; k++, rows *= 2) {
            for (size_t i = 0; i < M; i++) {
                sum[i] += sqrt(rows - (double)before) * es_rng_normal(&rng);
                score[k][i] = truth[i] + sum[i] / rows - lack[i] / rows;
            }
            before = (size_t)rows;
        }
        rows = 250;
        for (size_t k = 1; k + 1 < SIZES; k++, rows *= 2) {
            es_growth g = judge((es_growth_problem){.score = score[k],
                                                    .before = score[k - 1],
                                                    .m = M,
                                                    .rows = (size_t)rows,
                                                    .of = 4000});
            if (g.expected < 0.95)
                continue;
            stops++;
            kept += agreement(score[k], score[SIZES - 1]) >= g.low;
            break;
        }
    }
    print_message("%zu stops, %zu kept\n", stops, kept);
    assert_true(stops > POOLS / 4);
    assert_true((double)kept >= 0.9 * (double)stops);
}
