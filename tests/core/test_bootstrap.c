/* Intervals: known answers, order, partial and bad input. */
#include "pool_sim.h"

#include "core_ranking_parts.h"
#include "core_numerics.h"

static es_intervals *intervals(es_bootstrap problem) {
    es_intervals *x = NULL;
    assert_ok(es_intervals_new(&problem, NULL, &x, test_err()));
    return x;
}

static es_bootstrap problem_of(const pool_sim *p, es_resample resample) {
    return (es_bootstrap){
        .is = p->is, .pmi = p->pmi, .m = p->m, .n_eval = p->rows, .resample = resample};
}

static pool_sim a_pool(size_t m, size_t rows) {
    pool_sim p = pool_sim_new(m, rows, 0.1, 0.1, 0.05, 0.01);
    es_rng rng = test_rng(4, m);
    pool_sim_draw(&p, &rng, false);
    return p;
}

/* Resampling rows directly, scores by the mean: the standard error must be that of the mean. */
TEST(intervals__mean_over_rows__has_the_textbook_error) {
    const size_t counts[] = {100, 1000}; /* rows themselves; 256 blocks */
    for (size_t c = 0; c < 2; c++) {
        pool_sim p = a_pool(6, counts[c]);
        es_bootstrap problem = problem_of(&p, ES_RESAMPLE_ROWS);
        problem.rule.aggregate = ES_AGGREGATE_MEAN;
        problem.draws = 20000;
        es_intervals *x = intervals(problem);
        for (size_t i = 0; i < p.m; i++) {
            double sum = 0, squares = 0, n = (double)p.rows;
            for (size_t r = 0; r < p.rows; r++) {
                double mean = 0;
                for (size_t j = 0; j < p.m; j++)
                    mean += j == i ? 0 : (double)p.pmi[i * p.m + j][r] / (double)(p.m - 1);
                sum += mean;
                squares += mean * mean;
            }
            double se = sqrt((squares / n - sum * sum / n / n) / n);
            assert_true(fabs(x->se[i] / se - 1) < (c ? 0.15 : 0.03));
            assert_true(x->low[i] < sum / n && x->high[i] > sum / n);
        }
        es_intervals_free(x);
        pool_sim_free(&p);
    }
}

TEST(intervals__any_numbering__are_the_same) {
    pool_sim p = a_pool(14, 60), q = pool_sim_new(14, 60, 0, 0, 0, 0);
    uint32_t to[14];
    es_rng rng = test_rng(9, 9);
    for (uint32_t i = 0; i < 14; i++)
        to[i] = i;
    es_rng_shuffle(&rng, to, 14);
    for (size_t i = 0; i < 14; i++)
        for (size_t j = 0; j < 14; j++) {
            q.is[to[i] * 14 + to[j]] = p.is[i * 14 + j];
            memcpy(q.pmi[to[i] * 14 + to[j]], p.pmi[i * 14 + j], 60 * sizeof(float));
        }
    for (int r = ES_RESAMPLE_ROWS; r <= ES_RESAMPLE_BOTH; r++) {
        es_bootstrap b = problem_of(&q, (es_resample)r);
        b.order = to;
        es_intervals *x = intervals(problem_of(&p, (es_resample)r)), *y = intervals(b);
        for (size_t i = 0; i < 14; i++) {
            assert_true(x->low[i] == y->low[to[i]] && x->high[i] == y->high[to[i]]);
            assert_int_equal(x->rank_low[i], y->rank_low[to[i]]);
            assert_int_equal(x->rank_high[i], y->rank_high[to[i]]);
        }
        es_intervals_free(x);
        es_intervals_free(y);
    }
    pool_sim_free(&p);
    pool_sim_free(&q);
}

/* However narrow, an interval of ranks holds the rank that it is of, and one of scores the score.
 */
TEST(intervals__low_level__hold_the_estimate) {
    size_t narrow = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        pool_sim p = pool_sim_new(9 + seed % 4, 0, 0.1, 0.1, 0.2, 0);
        es_rng rng = test_rng(seed, 8);
        pool_sim_draw(&p, &rng, false);
        es_bootstrap problem = problem_of(&p, ES_RESAMPLE_TARGETS);
        es_ranking *whole = NULL;
        uint32_t rank[12];
        problem.lower_is_better = seed % 2;
        problem.level = 0.51;
        problem.draws = 100;
        problem.seed = seed;
        assert_ok(es_ranking_new(p.is, p.m, &problem.rule, &whole, NULL));
        assert_ok(es_rank_competition(whole->score, p.m, seed % 2, rank, NULL));
        es_intervals *x = intervals(problem);
        for (size_t i = 0; i < p.m; i++) {
            assert_in_range(rank[i], x->rank_low[i], x->rank_high[i]);
            assert_true(x->low[i] <= whole->score[i] && whole->score[i] <= x->high[i]);
            narrow += x->rank_low[i] == x->rank_high[i];
        }
        es_intervals_free(x);
        es_ranking_free(whole);
        pool_sim_free(&p);
    }
    assert_true(narrow > 20);
}

TEST(intervals__few_embedders__are_those_that_can_be_drawn) {
    for (size_t m = 0; m < 8; m++) {
        pool_sim p = a_pool(m, 30);
        es_intervals *x = intervals(problem_of(&p, ES_RESAMPLE_BOTH));
        for (size_t i = 0; i < m; i++) {
            assert_int_equal(x->rank_low[i] == 0, m < 2);
            assert_int_equal(isnan(x->low[i]) != 0, m < 3); /* one target cannot be drawn again */
        }
        es_intervals_free(x);
        pool_sim_free(&p);
    }
}

TEST(intervals__partial_matrix__stay_within_the_known) {
    pool_sim p = a_pool(10, 50);
    for (size_t j = 0; j < 10; j++)
        p.is[3 * 10 + j] = (double)NAN; /* no score */
    p.is[4 * 10 + 5] = (double)INFINITY;
    free(p.pmi[2 * 10 + 1]);
    p.pmi[2 * 10 + 1] = NULL;
    p.pmi[6 * 10 + 7][0] = NAN;
    es_intervals *x = intervals(problem_of(&p, ES_RESAMPLE_BOTH));
    assert_int_equal(x->without_rows, 2);
    assert_true(isnan(x->low[3]) && isnan(x->se[3]));
    assert_int_equal(x->rank_high[3], 0);
    for (size_t i = 0; i < 10; i++)
        if (i != 3)
            assert_true(x->low[i] < x->high[i] && x->rank_high[i] <= 9);
    es_intervals_free(x);
    es_bootstrap only = problem_of(&p, ES_RESAMPLE_ROWS); /* no rows at all: targets alone */
    only.pmi = NULL;
    x = intervals(only);
    assert_int_equal(x->resample, ES_RESAMPLE_TARGETS);
    es_intervals_free(x);
    pool_sim_free(&p);
}

TEST(intervals__equal_embedders__share_everything) {
    double is[10 * 10];
    for (size_t k = 0; k < 100; k++)
        is[k] = 0.5;
    es_intervals *x = intervals((es_bootstrap){.is = is, .m = 10});
    for (size_t i = 0; i < 10; i++) {
        assert_close(x->low[i], 0.5, 0);
        assert_close(x->high[i], 0.5, 0);
        assert_int_equal(x->rank_low[i], 1);
        assert_int_equal(x->rank_high[i], 1);
    }
    es_intervals_free(x);
}

/* The median of votes (n, sorted) whose weights are whole numbers. */
static double median_of(const double *value, const size_t *weight, size_t n) {
    size_t total = 0, below = 0;
    for (size_t k = 0; k < n; k++)
        total += weight[k];
    for (size_t k = 0; k < n; k++) {
        below += weight[k];
        if (2 * below > total)
            return value[k];
        if (2 * below == total)
            return (value[k] + value[k + 1]) / 2;
    }
    return NAN;
}

/* Families that share a vote among the copies drawn of them; which of them those are differs from
 * draw to draw. All but the source itself are known. */
static double score_of_families(const double *row, size_t m, size_t self, const uint32_t *family,
                                const uint32_t *copies) {
    enum { SHARES = 27720 }; /* what all numbers up to 12 divide */
    size_t count[90] = {0}, weight[180], n = 0;
    double value[180];
    for (size_t j = 0; j < m; j++)
        count[family[j]] += j == self ? 0 : copies[j];
    for (size_t j = 0; j < m; j++)
        for (uint32_t c = 0; j != self && c < copies[j]; c++) {
            size_t at = n++, own = SHARES / count[family[j]];
            assert_true(count[family[j]] <= 12);
            for (; at > 0 && value[at - 1] > row[j]; at--) {
                value[at] = value[at - 1];
                weight[at] = weight[at - 1];
            }
            value[at] = row[j];
            weight[at] = own;
        }
    return median_of(value, weight, n);
}

/* The window that draws of large pools are scored in must not change a score. */
TEST(draws__large_pool__equal_scores_in_full) {
    enum { M = 90 };
    pool_sim p = a_pool(M, 0);
    uint32_t family[M];
    for (size_t i = 0; i < M; i++)
        family[i] = (uint32_t)(i < 10 ? i / 5 : i < 40 ? 2 + i / 3 : i);
    for (int kind = 0; kind < 3; kind++) {
        es_bootstrap b = {.is = p.is, .m = M, .draws = 100, .resample = ES_RESAMPLE_TARGETS};
        b.rule.aggregate = kind == 1   ? ES_AGGREGATE_QUANTILE
                           : kind == 2 ? ES_AGGREGATE_BALANCED
                                       : ES_AGGREGATE_MEDIAN;
        b.rule.family = family;
        b.rule.quantile = 0.9;
        es_draws d;
        assert_ok(es_draws_new(&b, NULL, &d, NULL));
        es_rng rng; /* as in draws.c: stream 3 of the bootstrap */
        es_rng_init(&rng, 0, es_rng_stream(ES_STREAM_BOOTSTRAP, 3));
        for (size_t k = 0; k < d.n; k++) {
            uint32_t copies[M] = {0};
            for (size_t t = 0; t < M; t++)
                copies[es_rng_below(&rng, M)]++;
            for (size_t i = 0; i < M; i++) {
                double list[2 * M];
                size_t n = 0;
                for (size_t j = 0; j < M; j++)
                    for (uint32_t c = 0; j != i && c < copies[j]; c++)
                        list[n++] = p.is[i * M + j];
                if (kind == 2)
                    assert_close(d.score[k * M + i],
                                 score_of_families(p.is + i * M, M, i, family, copies), 1e-12);
                else
                    assert_close(d.score[k * M + i],
                                 es_stat_quantile(list, n, kind == 1 ? 0.9 : 0.5), 1e-12);
            }
        }
        es_draws_free(&d);
    }
    pool_sim_free(&p);
}

/* Rows that are drawn move each pair by itself, and the score is of the pairs as they are then: in
 * whatever order that puts them, looked at through the window of a large pool or in full. */
TEST(draws__of_rows__are_scores_of_the_pairs_draws) {
    enum { DRAWS = 100, MOST = 60, LOOK = 3 };
    static const size_t sizes[] = {8, MOST};
    for (size_t s = 0; s < 2; s++) {
        size_t m = sizes[s];
        pool_sim p = pool_sim_new(m, 100, 0.1, 0.1, 0.05, 0.1);
        es_rng rng = test_rng(4, m);
        pool_sim_draw(&p, &rng, false);
        es_bootstrap b = problem_of(&p, ES_RESAMPLE_ROWS);
        b.draws = DRAWS;
        b.rule.aggregate = ES_AGGREGATE_MEDIAN;
        es_draws all;
        assert_ok(es_draws_new(&b, NULL, &all, NULL));
        for (size_t i = 0; i < LOOK; i++) {
            static double value[DRAWS][MOST];
            for (size_t j = 0, n = 0; j < m; j++) {
                if (j == i)
                    continue;
                const size_t at[] = {i * m + i, i * m + j, j * m + i, j * m + j};
                double is[4];
                float *pmi[4];
                for (size_t k = 0; k < 4; k++) {
                    is[k] = p.is[at[k]];
                    pmi[k] = p.pmi[at[k]];
                }
                es_bootstrap pair = b;
                pair.is = is;
                pair.pmi = pmi;
                pair.m = 2;
                es_draws one;
                assert_ok(es_draws_new(&pair, NULL, &one, NULL));
                for (size_t k = 0; k < DRAWS; k++)
                    value[k][n] = one.score[2 * k];
                es_draws_free(&one);
                n++;
            }
            for (size_t k = 0; k < DRAWS; k++)
                assert_close(all.score[k * m + i], es_stat_median(value[k], m - 1), 1e-6);
        }
        es_draws_free(&all);
        pool_sim_free(&p);
    }
}

TEST(intervals__bad_arguments__are_refused) {
    double is[4] = {0};
    const uint32_t twice[] = {0, 0};
    es_intervals *x = NULL;
    es_bootstrap b = {.is = is, .m = 2, .level = 1.5};
    assert_int_equal(es_intervals_new(&b, NULL, &x, test_err()), ES_EINVAL);
    b = (es_bootstrap){.is = is, .m = 2, .order = twice};
    assert_int_equal(es_intervals_new(&b, NULL, &x, test_err()), ES_EINVAL);
    b = (es_bootstrap){.is = is, .m = 2, .draws = 3};
    assert_int_equal(es_intervals_new(&b, NULL, &x, test_err()), ES_EINVAL);
    es_run run;
    es_run_init(&run);
    es_run_cancel(&run);
    b = (es_bootstrap){.is = is, .m = 2};
    assert_int_equal(es_intervals_new(&b, &run, &x, test_err()), ES_ECANCELED);
    assert_null(x);
}

/* Each of n embedders `copies` times, those of one beside each other; they are a family. */
static void repeat(const double *is, size_t n, size_t copies, double *out, uint32_t *cluster) {
    size_t m = n * copies;
    for (size_t a = 0; a < m; a++) {
        cluster[a] = (uint32_t)(a / copies);
        for (size_t b = 0; b < m; b++)
            out[a * m + b] = is[a / copies * n + b / copies];
    }
}

/* Families that are drawn whole: copies of targets add nothing that could be drawn, so that the
 * intervals of n embedders, each copied, are those of the n. Drawn one by one, they would halve. */
TEST(intervals__families_of_copies__are_as_wide_as_without) {
    enum { N = 9, COPIES = 3, M = N * COPIES };
    static const es_aggregate aggregates[] = {ES_AGGREGATE_MEDIAN, ES_AGGREGATE_MEAN,
                                              ES_AGGREGATE_BALANCED};
    pool_sim p = a_pool(N, 0);
    double is[M * M];
    uint32_t cluster[M];
    repeat(p.is, N, COPIES, is, cluster);
    for (size_t k = 0; k < 3; k++) {
        es_bootstrap single = problem_of(&p, ES_RESAMPLE_TARGETS);
        single.rule.aggregate = aggregates[k];
        single.rule.include_self = true; /* so that a copy says nothing that its twin does not */
        es_bootstrap copied = single;
        copied.is = is;
        copied.m = M;
        copied.cluster = copied.rule.family = cluster;
        es_intervals *x = intervals(single), *y = intervals(copied);
        copied.cluster = NULL;
        es_intervals *each = intervals(copied);
        for (size_t i = 0; i < N; i++) {
            size_t c = i * COPIES + 1;
            assert_close(y->low[c], x->low[i], 1e-12);
            assert_close(y->high[c], x->high[i], 1e-12);
            assert_close(y->se[c], x->se[i], 1e-12);
            if (k < 2) /* where families vote once, targets are known to be related */
                assert_true(each->se[c] < 0.8 * y->se[c]);
        }
        es_intervals_free(x);
        es_intervals_free(y);
        es_intervals_free(each);
    }
    pool_sim_free(&p);
}

/* Families are of those that judge: others are not drawn. And their numbers are checked. */
TEST(intervals__families__are_of_judges) {
    enum { M = 10 };
    pool_sim p = a_pool(M, 0);
    const uint32_t one_each[M] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, wrong[M] = {[3] = M};
    const bool voting[M] = {[4] = true};
    es_bootstrap b = problem_of(&p, ES_RESAMPLE_TARGETS);
    b.cluster = one_each;
    es_intervals *x = intervals(b);
    b.cluster = NULL;
    es_intervals *each = intervals(b);
    assert_memory_equal(x->low, each->low, sizeof(double) * M);
    es_intervals_free(x);
    es_intervals_free(each);
    b.cluster = one_each;
    b.rule.voting = voting;
    es_draws draws = {0};
    b.draws = 200;
    assert_ok(es_draws_new(&b, NULL, &draws, NULL));
    for (size_t k = 0; k < draws.n; k++) /* the only one, each time */
        assert_close(draws.score[k * M], p.is[4], 0);
    assert_int_equal(draws.sample[0], 1);
    assert_int_equal(draws.sample[4], 0);
    es_draws_free(&draws);
    b.cluster = wrong;
    assert_error_is(es_intervals_new(&b, NULL, &x, test_err()), ES_EINVAL,
                    "cluster number 10 of embedder 3 is not below 10");
    pool_sim_free(&p);
}

/* Intervals of ranks, from the same draws by the definition: the least rank below which more than a
 * tail of the draws lies, and the least with all but a tail at or below it. */
TEST(intervals__ranks__follow_from_the_draws) {
    enum { M = 9, DRAWS = 400 };
    pool_sim p = a_pool(M, 60);
    for (int way = 0; way < 2; way++) {
        es_bootstrap problem = problem_of(&p, ES_RESAMPLE_TARGETS);
        problem.draws = DRAWS;
        problem.level = 0.9;
        problem.lower_is_better = way == 1;
        es_draws draws = {0};
        assert_ok(es_draws_new(&problem, NULL, &draws, NULL));
        es_intervals *x = intervals(problem);
        es_ranking *whole = NULL;
        assert_ok(es_ranking_new(p.is, M, &problem.rule, &whole, NULL));
        uint32_t rank[M];
        assert_ok(es_rank_competition(whole->score, M, way == 1, rank, NULL));
        const double wide = sqrt(8.0 / 7), /* eight targets vote */
            tail = es_normal_cdf(-wide * es_student_quantile(0.95, 7));
        for (size_t a = 0; a < M; a++) {
            unsigned at_most[M + 1] = {0}, low = 0, high = 0;
            for (size_t k = 0; k < DRAWS; k++) {
                unsigned place = 1;
                for (size_t b = 0; b < M; b++) {
                    float va = (float)draws.score[k * M + a], vb = (float)draws.score[k * M + b];
                    place += way ? vb < va : vb > va;
                }
                for (unsigned r = place; r <= M; r++)
                    at_most[r]++;
            }
            for (unsigned r = M; r > 0; r--) {
                low = at_most[r] > tail * DRAWS ? r : low;
                high = at_most[r] >= DRAWS - tail * DRAWS ? r : high;
            }
            assert_int_equal(x->rank_low[a], low < rank[a] ? low : rank[a]);
            assert_int_equal(x->rank_high[a], high > rank[a] ? high : rank[a]);
        }
        es_ranking_free(whole);
        es_draws_free(&draws);
        es_intervals_free(x);
    }
    pool_sim_free(&p);
}
