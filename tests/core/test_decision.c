/* What a ranking decides: the same as its parts say, whatever the numbering of embedders; what is
 * said where little is known; and what would settle a difference, checked by simulation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decision.h"
#include "rng.h"
#include "stats.h"

enum { M = 12, ROWS = 128, FAMILIES = 6 };

/* Quality falls by `gap` from one embedder to the next; families differ, and rows. */
typedef struct pool {
    double is[M * M];
    float row[M * M][ROWS];
    float *pmi[M * M];
    uint32_t family[M], order[M];
} pool;

static pool *pool_new(double gap, double by_family, uint64_t seed) {
    pool *p = calloc(1, sizeof *p);
    double shift[FAMILIES][M];
    es_rng rng;
    assert_non_null(p);
    es_rng_init(&rng, seed, 5);
    for (size_t i = 0; i < FAMILIES * M; i++)
        shift[i / M][i % M] = by_family * es_rng_normal(&rng);
    for (size_t i = 0; i < M; i++) {
        p->family[i] = (uint32_t)(i % FAMILIES);
        p->order[i] = (uint32_t)i;
    }
    for (size_t c = 0; c < (size_t)M * M; c++) {
        double mean = 0;
        for (size_t h = 0; h < ROWS; h++) {
            double value = 1 - gap * (double)(c / M) + shift[p->family[c % M]][c / M] +
                           0.1 * es_rng_normal(&rng);
            p->row[c][h] = (float)value;
            mean += (double)p->row[c][h] / ROWS;
        }
        p->is[c] = mean;
        p->pmi[c] = p->row[c];
    }
    return p;
}

static es_decision_problem problem_of(pool *p) {
    return (es_decision_problem){.is = p->is,
                                 .pmi = p->pmi,
                                 .m = M,
                                 .n_eval = ROWS,
                                 .order = p->order,
                                 .rule = {.aggregate = ES_AGGREGATE_FAMILIES, .family = p->family},
                                 .cluster = p->family,
                                 .seed = 3};
}

static es_decision *decide(es_decision_problem problem) {
    es_decision *x = NULL;
    es_error err = {0};
    if (es_decision_new(&problem, NULL, &x, &err) != ES_OK)
        fail_msg("%s", err.message);
    return x;
}

static size_t count(const bool *which, size_t n) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += which[i];
    return found;
}

/* Of the same information in other columns rounding leaves a difference with next to no error. */
static void decision__equal_but_for_rounding__is_not_told_apart(void **state) {
    (void)state;
    pool *p = pool_new(0.01, 0.03, 1);
    for (size_t k = 0; k < M; k++) { /* embedder 1 is embedder 0, a rounding better */
        for (size_t h = 0; h < ROWS; h++) {
            p->row[M + k][h] = p->row[k][h];
            p->row[k * M + 1][h] = p->row[k * M][h];
        }
        p->is[M + k] = p->is[k] + 1e-8;
        p->is[k * M + 1] = p->is[k * M];
    }
    es_decision *x = decide(problem_of(p));
    for (size_t s = 0; s < ES_SCOPES; s++)
        assert_false(x->separated[s][1] || x->separated[s][M]);
    assert_true(x->rank_low[0] == x->rank_low[1] && x->rank_high[0] == x->rank_high[1]);
    assert_true(x->best[0] == x->best[1]);
    es_settling needed = es_decision_settling(x, 0, 1);
    assert_true(isinf(needed.rows) && isinf(needed.families));
    es_decision_free(x);
    free(p);
}

/* One family says nothing of how families differ, however large the difference on it. */
static void decision__judged_by_one_family__is_not_told_apart_for_new_targets(void **state) {
    (void)state;
    pool *p = pool_new(0.5, 0.03, 1);
    size_t last = M - 1;
    for (size_t t = 0; t < M; t++)
        if (p->family[t] != p->family[0]) {
            p->is[last * M + t] = (double)NAN;
            p->pmi[last * M + t] = NULL;
        }
    es_decision *x = decide(problem_of(p));
    assert_null(x->why_not[ES_SCOPE_NEW]);
    for (size_t i = 0; i < last; i++) {
        assert_true(isfinite(x->delta[i * M + last]) && isnan(x->var_families[i * M + last]));
        assert_false(x->separated[ES_SCOPE_NEW][i * M + last]);
        assert_false(x->separated[ES_SCOPE_NEW][last * M + i]);
    }
    es_decision_free(x);
    free(p);
}

static void decision__parts__say_the_same(void **state) {
    (void)state;
    pool *p = pool_new(0.01, 0.03, 1);
    es_decision *x = decide(problem_of(p));
    double *hand = calloc((size_t)M * M * ROWS, sizeof *hand);
    double is[M * M];
    for (size_t c = 0; c < (size_t)M * M; c++) {
        is[c] = p->is[c];
        for (size_t h = 0; h < ROWS; h++)
            hand[c * ROWS + h] = (double)p->row[c][h];
    }
    es_judged judged = {.m = M,
                        .targets = M,
                        .is = is,
                        .hands = ROWS,
                        .hand = hand,
                        .family = p->family,
                        .by_family = true};
    es_separations *s = NULL;
    assert_int_equal(es_separations_new(&judged, &(es_separation_rule){.seed = 3}, NULL, &s, NULL),
                     ES_OK);
    for (size_t c = 0; c < (size_t)M * M; c++) {
        assert_true(fabs(x->delta[c] - s->differences->delta[c]) < 1e-12);
        assert_int_equal(x->separated[ES_SCOPE_NEW][c], s->in[ES_SCOPE_NEW].separated[c]);
        assert_int_equal(x->separated[ES_SCOPE_HERE][c], s->in[ES_SCOPE_HERE].separated[c]);
    }
    assert_int_equal(x->scope, ES_SCOPE_NEW);
    assert_int_equal(x->families, FAMILIES);
    for (size_t i = 0; i < M; i++) {
        assert_int_equal(x->best[i], s->in[ES_SCOPE_NEW].best[i] || x->ranking->rank[i] == 1);
        assert_true(x->low[i] < x->ranking->score[i] && x->ranking->score[i] < x->high[i]);
        assert_true(x->rank_low[i] <= x->ranking->rank[i] &&
                    x->ranking->rank[i] <= x->rank_high[i]);
    }
    es_separations_free(s);
    free(hand);
    es_decision_free(x);
    free(p);
}

/* The same embedders in another order of files: the same said of each, to the bit. */
static void decision__numbering__makes_no_difference(void **state) {
    (void)state;
    pool *p = pool_new(0.01, 0.03, 2), *q = calloc(1, sizeof *q);
    uint32_t at[M]; /* of p's embedder in q */
    for (size_t i = 0; i < M; i++)
        at[i] = (uint32_t)((i * 5 + 3) % M);
    for (size_t a = 0; a < M; a++) {
        q->family[at[a]] = p->family[a];
        q->order[a] = at[a];
        for (size_t b = 0; b < M; b++) {
            q->is[at[a] * M + at[b]] = p->is[a * M + b];
            q->pmi[at[a] * M + at[b]] = p->row[a * M + b];
        }
    }
    es_decision *x = decide(problem_of(p)), *y = decide(problem_of(q));
    for (size_t a = 0; a < M; a++) {
        assert_true(x->low[a] == y->low[at[a]] && x->high[a] == y->high[at[a]]);
        assert_int_equal(x->rank_low[a], y->rank_low[at[a]]);
        assert_int_equal(x->rank_high[a], y->rank_high[at[a]]);
        assert_int_equal(x->best[a], y->best[at[a]]);
        assert_string_equal(x->tie[a], y->tie[at[a]]);
        assert_int_equal(at[x->order[a]], y->order[a]);
    }
    es_decision_free(x);
    es_decision_free(y);
    free(p);
    free(q);
}

/* Errors rank the other way round, and say the same. */
static void decision__errors__are_turned(void **state) {
    (void)state;
    pool *p = pool_new(0.02, 0.02, 3);
    es_decision *x = decide(problem_of(p));
    for (size_t c = 0; c < (size_t)M * M; c++) {
        p->is[c] = -p->is[c];
        for (size_t h = 0; h < ROWS; h++)
            p->row[c][h] = -p->row[c][h];
    }
    es_decision_problem turned = problem_of(p);
    turned.lower_is_better = true;
    es_decision *y = decide(turned);
    assert_memory_equal(x->order, y->order, M * sizeof *x->order);
    assert_memory_equal(x->best, y->best, M * sizeof *x->best);
    assert_memory_equal(x->rank_high, y->rank_high, M * sizeof *x->rank_high);
    for (size_t i = 0; i < M; i++)
        assert_true(fabs(x->low[i] + y->high[i]) < 1e-12);
    es_decision_free(x);
    es_decision_free(y);
    free(p);
}

static void decision__few_families__rows_alone_are_said(void **state) {
    (void)state;
    pool *p = pool_new(0.05, 0.01, 4);
    es_decision_problem problem = problem_of(p);
    for (size_t i = 0; i < M; i++)
        p->family[i] = (uint32_t)(i % 4);
    es_decision *x = decide(problem);
    assert_int_equal(x->scope, ES_SCOPE_HERE);
    assert_true(x->said);
    assert_non_null(strstr(x->why_not[ES_SCOPE_NEW], "5 families"));
    assert_int_equal(count(x->best, M), 1);
    assert_int_equal(count(x->separated[ES_SCOPE_NEW], (size_t)M * M), 0);
    es_decision_free(x);

    problem.pmi = NULL; /* and no rows: nothing is said, all may be the best */
    x = decide(problem);
    assert_false(x->said);
    assert_int_equal(count(x->best, M), M);
    assert_string_equal(x->tie[0], "");
    for (size_t i = 0; i < M; i++)
        assert_true(x->rank_low[i] >= 1 && x->low[i] < x->high[i]);
    es_decision_free(x);
    free(p);
}

/* Of errors there are no communities: each target alone is no sample of kinds. */
static void decision__no_communities__nothing_is_said_of_new_targets(void **state) {
    (void)state;
    pool *p = pool_new(0.05, 0.01, 4);
    static const es_aggregate aggregates[] = {ES_AGGREGATE_MEAN, ES_AGGREGATE_MEDIAN};
    for (size_t k = 0; k < 2; k++) {
        es_decision_problem problem = problem_of(p);
        problem.cluster = NULL;
        problem.lower_is_better = true;
        problem.rule = (es_score_rule){.aggregate = aggregates[k]};
        es_decision *x = decide(problem);
        assert_int_equal(x->families, 0);
        assert_int_equal(x->scope, ES_SCOPE_HERE);
        assert_true(x->said);
        assert_non_null(strstr(x->why_not[ES_SCOPE_NEW], "communities are known"));
        assert_int_equal(count(x->separated[ES_SCOPE_NEW], (size_t)M * M), 0);
        es_decision_free(x);
    }
    free(p);
}

/* Families are those of the targets that were asked for. */
static void decision__few_judges__families_are_theirs(void **state) {
    (void)state;
    pool *p = pool_new(0.05, 0.01, 4);
    bool judges[M] = {[0] = true, [1] = true, [FAMILIES] = true};
    es_decision_problem problem = problem_of(p);
    problem.rule.judges = judges;
    es_decision *x = decide(problem);
    assert_int_equal(x->families, 2);
    assert_int_equal(x->cluster[FAMILIES], x->cluster[0]);
    assert_int_equal(x->scope, ES_SCOPE_HERE);
    es_decision_free(x);
    free(p);
}

/* A finished matrix of very many, without rows and families: nothing is said, and at once. What
 * each target says of each pair would take gigabytes. */
static void decision__very_many__gives_no_intervals_of_ranks(void **state) {
    (void)state;
    enum { MANY = 801 };
    double *is = malloc(sizeof(double) * MANY * MANY);
    uint32_t *family = calloc(MANY, sizeof *family);
    assert_true(is && family);
    for (size_t i = 0; i < (size_t)MANY * MANY; i++)
        is[i] = (double)(i * 7919 % 1009) / 1009;
    es_decision_problem problem = {
        .is = is, .m = MANY, .rule = {.aggregate = ES_AGGREGATE_MEAN}, .cluster = family};
    es_decision *x = decide(problem);
    assert_false(x->said);
    assert_int_equal(count(x->best, MANY), MANY);
    for (size_t i = 0; i < MANY; i++)
        assert_true(x->rank_low[i] == 0 && x->rank_high[i] == 0 && x->low[i] < x->high[i]);
    es_decision_free(x);
    free(is);
    free(family);
}

/* Two embedders that no third one judges; one; none. */
static void decision__small__says_nothing(void **state) {
    (void)state;
    const double two[] = {1, 0.5, 0.25, 1}, one[] = {1}, none[] = {1, NAN, NAN, 1};
    es_decision *x =
        decide((es_decision_problem){.is = two, .m = 2, .rule = {.aggregate = ES_AGGREGATE_MEAN}});
    assert_int_equal(x->scored, 2);
    assert_int_equal(x->order[0], 0);
    assert_false(x->said);
    assert_true(x->best[0] && x->best[1]);
    es_decision_free(x);
    x = decide((es_decision_problem){.is = one, .m = 1});
    assert_int_equal(x->scored, 0);
    assert_false(x->best[0]);
    es_decision_free(x);
    x = decide((es_decision_problem){.is = none, .m = 2});
    assert_int_equal(x->scored, 0);
    assert_false(x->best[0] || x->best[1]);
    es_decision_free(x);
}

/* Medians are resampled: the first may be the best, one far behind may not. */
static void decision__median__has_a_set_of_the_best(void **state) {
    (void)state;
    pool *p = pool_new(0.05, 0.005, 6);
    es_decision_problem problem = problem_of(p);
    problem.rule.aggregate = ES_AGGREGATE_MEDIAN;
    es_decision *x = decide(problem);
    assert_null(x->delta);
    assert_int_equal(x->order[0], 0);
    assert_true(x->best[0]);
    assert_false(x->best[M - 1]);
    assert_true(x->separated[ES_SCOPE_NEW][M - 1] && x->separated[ES_SCOPE_HERE][M - 1]);
    assert_true(isnan(es_decision_settling(x, 0, 1).rows));
    es_decision_free(x);
    free(p);
}

/* Of so few families the median says no more than the mean does: of these targets, by rows alone.
 */
static void decision__median_of_few_families__rows_alone_are_said(void **state) {
    (void)state;
    pool *p = pool_new(0.05, 0.01, 4);
    es_decision_problem problem = problem_of(p);
    problem.rule.aggregate = ES_AGGREGATE_MEDIAN;
    for (size_t i = 0; i < M; i++)
        p->family[i] = (uint32_t)(i % 4);
    es_decision *x = decide(problem);
    assert_null(x->delta);
    assert_int_equal(x->scope, ES_SCOPE_HERE);
    assert_true(x->said);
    assert_non_null(strstr(x->why_not[ES_SCOPE_NEW], "5 families"));
    assert_null(x->why_not[ES_SCOPE_HERE]);
    assert_int_equal(count(x->best, M), 1);
    assert_int_equal(count(x->separated[ES_SCOPE_NEW], (size_t)M * M), 0);
    assert_true(x->separated[ES_SCOPE_HERE][M - 1]);
    for (size_t i = 0; i < M; i++) /* of a hundredth and a half, not of a shift of families */
        assert_true(x->low[i] < x->high[i] && x->high[i] - x->low[i] < 0.02);
    es_decision_free(x);

    problem.pmi = NULL; /* nor of these targets without rows */
    x = decide(problem);
    assert_int_equal(x->scope, ES_SCOPE_HERE);
    assert_false(x->said);
    assert_true(x->why_not[ES_SCOPE_NEW] && x->why_not[ES_SCOPE_HERE]);
    assert_int_equal(count(x->best, M), M);
    for (size_t i = 0; i < M; i++)
        assert_true(x->rank_low[i] >= 1 && x->low[i] < x->high[i]);
    es_decision_free(x);
    free(p);
}

/* Of many pairs most are missing: not families are what is lacking. */
static void decision__most_pairs_missing__that_is_the_reason(void **state) {
    (void)state;
    static const es_aggregate ways[] = {ES_AGGREGATE_FAMILIES, ES_AGGREGATE_MEDIAN};
    for (size_t way = 0; way < 2; way++) {
        pool *p = pool_new(0.05, 0.01, 4);
        es_decision_problem problem = problem_of(p);
        problem.rule.aggregate = ways[way];
        for (size_t c = 4 * (size_t)M; c < (size_t)M * M; c++)
            p->is[c] = (double)NAN;
        es_decision *x = decide(problem);
        assert_int_equal(x->families, FAMILIES);
        assert_string_equal(x->why_not[ES_SCOPE_NEW], "too many pairs are missing");
        if (x->hands > 0)
            assert_string_equal(x->why_not[ES_SCOPE_HERE], "too many pairs are missing");
        es_decision_free(x);
        for (size_t i = 0; i < M; i++) /* were they known, too few families would judge */
            p->family[i] = (uint32_t)(i % 4);
        x = decide(problem);
        assert_string_equal(x->why_not[ES_SCOPE_NEW], "fewer than 5 families");
        es_decision_free(x);
        free(p);
    }
}

/* What is within its error joins nobody: the communities are those that documents show. */
static void decision__within_its_error__is_no_edge(void **state) {
    (void)state;
    enum { N = 6 };
    double is[N * N], se[N * N];
    for (size_t c = 0; c < N * N; c++) {
        is[c] = c % (N + 1) == 0 ? 1 : 0.01;
        se[c] = 0.01;
    }
    es_decision_problem problem = {.is = is, .m = N};
    es_decision *x = decide(problem);
    assert_true(x->families < N);
    es_decision_free(x);
    problem.se = se;
    x = decide(problem);
    assert_int_equal(x->families, N);
    es_decision_free(x);
}

/* Two that no third one judges: rows cannot tell them apart either. */
static void decision__median_of_two__says_nothing(void **state) {
    (void)state;
    pool *p = pool_new(0.3, 0, 4);
    const double two[] = {1, 0.5, 0.25, 1};
    float *const pmi[] = {p->row[0], p->row[0], p->row[M], p->row[M]};
    es_decision *x = decide((es_decision_problem){.is = two, .pmi = pmi, .m = 2, .n_eval = ROWS});
    assert_false(x->said);
    assert_true(x->best[0] && x->best[1]);
    assert_non_null(x->why_not[ES_SCOPE_HERE]);
    assert_int_equal(count(x->separated[ES_SCOPE_HERE], 4), 0);
    es_decision_free(x);
    free(p);
}

/* One that holds the sixteen targets of a family, and one that holds the seven that are families of
 * their own: of a new family the second may well be the better, though its median is far below. One
 * that holds nothing of any is not a candidate: it is level at best. */
static void decision__median__votes_of_one_family_are_one(void **state) {
    (void)state;
    enum { CLONES = 16, OTHERS = 7, ALL = 2 + CLONES + OTHERS + 1, NOTHING = ALL - 1 };
    double is[ALL * ALL] = {0};
    uint32_t family[ALL];
    for (size_t i = 0; i < ALL; i++) {
        bool clone = i >= 2 && i < 2 + CLONES;
        family[i] = clone ? 2 : (uint32_t)i;
        for (size_t t = 0; t < NOTHING && i < NOTHING; t++) {
            bool to_clone = t >= 2 && t < 2 + CLONES, alike = i == 0 || clone;
            double jitter = 0.01 * (double)((i * 7 + t * 3) % 5);
            is[i * ALL + t] = (i < 2 ? 0.5 : 0.2) * (alike == to_clone ? 1 : 0.1) + jitter;
        }
    }
    es_decision *x = decide((es_decision_problem){.is = is, .m = ALL, .cluster = family});
    assert_int_equal(x->scope, ES_SCOPE_NEW);
    assert_int_equal(x->ranking->rank[0], 1);
    assert_true(x->ranking->rank[1] > CLONES);
    assert_true(x->best[0] && x->best[1]);
    assert_false(x->separated[ES_SCOPE_NEW][0 * ALL + 1]);
    assert_int_equal(x->rank_low[1], 1);
    assert_false(x->best[NOTHING]);
    es_decision_free(x);
}

/* Where all are equal, each of the twelve should be left out of the set of the best in at most one
 * of twenty pools, and two told apart in fewer: it is families that are drawn, of two targets each.
 * Target by target it was one of eleven, and one of 26. */
static void decision__median__seldom_leaves_out_the_best(void **state) {
    (void)state;
    size_t out = 0, apart = 0, pools = 40;
    for (uint64_t seed = 0; seed < pools; seed++) {
        pool *p = pool_new(0, 0.05, 100 + seed);
        es_decision_problem problem = problem_of(p);
        problem.rule.aggregate = ES_AGGREGATE_MEDIAN;
        problem.draws = 500;
        es_decision *x = decide(problem);
        out += M - count(x->best, M);
        apart += count(x->separated[ES_SCOPE_NEW], (size_t)M * M);
        es_decision_free(x);
        free(p);
    }
    assert_in_range(out, 0, pools * M / 20);
    assert_in_range(apart, 0, pools * M * (M - 1) / 40);
}

/* With so many more rows, or families, the difference is found in four of five repetitions. */
static void settling__factors__hold_in_simulation(void **state) {
    (void)state;
    pool *p = pool_new(0.006, 0.03, 9);
    es_decision *x = decide(problem_of(p));
    es_rng rng;
    size_t tried = 0;
    es_rng_init(&rng, 11, 1);
    for (size_t a = 0; a < M; a++)
        for (size_t b = a + 1; b < M; b++) {
            es_settling s = es_decision_settling(x, a, b);
            double delta = fabs(x->delta[a * M + b]), rows = x->var_rows[a * M + b];
            double families = x->var_families[a * M + b];
            if (x->separated[ES_SCOPE_NEW][a * M + b]) {
                assert_true(s.rows == 0 && s.families == 0);
                continue;
            }
            assert_int_equal(s.by_families, families > rows);
            double cut = es_student_quantile(0.975, (size_t)x->nu[ES_SCOPE_NEW]);
            const double var[] = {rows / s.rows + families, (rows + families) / s.families};
            for (int way = 0; way < 2; way++) {
                if (!isfinite(way == 0 ? s.rows : s.families))
                    continue;
                size_t found = 0, draws = 4000;
                for (size_t i = 0; i < draws; i++)
                    found +=
                        fabs(delta + sqrt(var[way]) * es_rng_normal(&rng)) > cut * sqrt(var[way]);
                assert_in_range(found, 77 * draws / 100, 1000 * draws);
                if ((way == 0 ? s.rows : s.families) > 1)
                    assert_in_range(found, 0, 83 * draws / 100);
                tried++;
            }
        }
    assert_true(tried > 5);
    es_decision_free(x);
    free(p);
}

static void decision__bad_input__is_refused(void **state) {
    (void)state;
    pool *p = pool_new(0.01, 0.01, 1);
    es_decision *x = NULL;
    es_decision_problem problem = problem_of(p);
    problem.level = 0.3;
    assert_int_equal(es_decision_new(&problem, NULL, &x, NULL), ES_EINVAL);
    problem = problem_of(p);
    problem.draws = 7;
    assert_int_equal(es_decision_new(&problem, NULL, &x, NULL), ES_EINVAL);
    problem = problem_of(p);
    p->order[0] = 1; /* no permutation */
    assert_int_equal(es_decision_new(&problem, NULL, &x, NULL), ES_EINVAL);
    assert_null(x);
    free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decision__equal_but_for_rounding__is_not_told_apart),
        cmocka_unit_test(decision__judged_by_one_family__is_not_told_apart_for_new_targets),
        cmocka_unit_test(decision__parts__say_the_same),
        cmocka_unit_test(decision__numbering__makes_no_difference),
        cmocka_unit_test(decision__errors__are_turned),
        cmocka_unit_test(decision__few_families__rows_alone_are_said),
        cmocka_unit_test(decision__no_communities__nothing_is_said_of_new_targets),
        cmocka_unit_test(decision__few_judges__families_are_theirs),
        cmocka_unit_test(decision__very_many__gives_no_intervals_of_ranks),
        cmocka_unit_test(decision__small__says_nothing),
        cmocka_unit_test(decision__median__has_a_set_of_the_best),
        cmocka_unit_test(decision__median_of_few_families__rows_alone_are_said),
        cmocka_unit_test(decision__most_pairs_missing__that_is_the_reason),
        cmocka_unit_test(decision__within_its_error__is_no_edge),
        cmocka_unit_test(decision__median_of_two__says_nothing),
        cmocka_unit_test(decision__median__votes_of_one_family_are_one),
        cmocka_unit_test(decision__median__seldom_leaves_out_the_best),
        cmocka_unit_test(settling__factors__hold_in_simulation),
        cmocka_unit_test(decision__bad_input__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
