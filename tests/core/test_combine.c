/* One ranking over several data sets: by hand, with embedders missing, with a data set of noise. */
#include "testing.h"
#include "core_ranking.h"

#define MISSING ((double)NAN)

static es_combined *combine(const es_data_set *sets, size_t count, size_t m) {
    es_combined *x = NULL;
    assert_ok(es_combine(sets, count, m, 1, NULL, &x, NULL));
    return x;
}

TEST(combine__by_hand__is_the_mean_of_shares) {
    const double a[] = {3, 2, 1}, b[] = {5, 9, 1};
    bool ahead[9] = {false};
    ahead[0 * 3 + 2] = true; /* of b: only the first and the last are distinguished */
    const es_data_set sets[] = {{a, NULL}, {b, ahead}};
    es_combined *x = combine(sets, 2, 3);
    const double within[] = {1, 0.5, 0, 0.75, 0.5, 0.25};
    for (size_t i = 0; i < 6; i++)
        assert_true(fabs(x->within[i] - within[i]) < 1e-15);
    assert_true(fabs(x->share[0] - 0.875) < 1e-15 && fabs(x->share[1] - 0.5) < 1e-15 &&
                fabs(x->share[2] - 0.125) < 1e-15);
    assert_true(x->rank[0] == 1 && x->rank[1] == 2 && x->rank[2] == 3);
    assert_true(x->first[0] == 1 && x->first[1] == 1 && x->first[2] == 0 && x->in[2] == 2);
    assert_true(x->in[0] == 2 && x->told[0] == 1 && x->told[2] == 1);
    assert_int_equal(x->telling, 1); /* a says in what order they are, but not how sure that is */
    assert_true(fabs(x->agreement[1] - 0.5) < 1e-15 && fabs(x->agreement[0] - 1) < 1e-15);
    assert_true(x->low[0] == 0 && x->high[0] == 1); /* of two data sets nothing is known */
    assert_false(x->said);                          /* two data sets say nothing of a third */
    assert_true(x->best[2]);
    es_combined_free(x);
}

/* Scores put them in an order, and nobody is surely before anybody. */
TEST(combine__errors_not_known__nobody_is_surely_first) {
    const double score[] = {3, 2, 1};
    const es_data_set sets[] = {{score, NULL}, {score, NULL}};
    es_combined *x = combine(sets, 2, 3);
    assert_true(x->rank[0] == 1 && x->share[0] == 1);
    assert_int_equal(x->first[0], 0);
    assert_int_equal(x->telling, 0);
    es_combined_free(x);
}

/* Over the targets that compare both the second is better, whatever the scores are over. */
TEST(combine__ahead__goes_before_the_scores) {
    const double score[] = {3, 2, 1};
    bool ahead[9] = {false};
    ahead[1 * 3 + 0] = ahead[0 * 3 + 2] = ahead[1 * 3 + 2] = true;
    const es_data_set sets[] = {{score, ahead}, {score, ahead}};
    es_combined *x = combine(sets, 2, 3);
    const double within[] = {0.5, 1, 0};
    for (size_t i = 0; i < 3; i++)
        assert_true(fabs(x->within[i] - within[i]) < 1e-15);
    assert_true(x->rank[0] == 2 && x->rank[1] == 1 && x->rank[2] == 3);
    es_combined_free(x);
}

/* Nobody rises because those above are not there. */
TEST(combine__missing__are_compared_where_both_are) {
    const double whole[] = {6, 5, 4, 3, 2, 1}, half[] = {MISSING, MISSING, MISSING, 3, 2, 1};
    const es_data_set sets[] = {{whole, NULL}, {half, NULL}, {whole, NULL}};
    es_combined *x = combine(sets, 3, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(x->rank[i], i + 1);
        assert_true(fabs(x->share[i] - (5 - (double)i) / 5) < 1e-15);
        assert_int_equal(x->in[i], i < 3 ? 2 : 3);
    }
    assert_true(isnan(x->within[6]));
    es_combined_free(x);
}

/* A share in one of three data sets is no place over three. */
TEST(combine__in_few__does_not_lead) {
    const double one[] = {4, MISSING, 2, 1}, two[] = {MISSING, 3, 2, 1};
    const es_data_set sets[] = {{one, NULL}, {two, NULL}, {two, NULL}};
    es_combined *x = combine(sets, 3, 4);
    assert_true(x->order[0] == 0 && x->rank[0] == 1 && x->rank[1] == 1);
    assert_true(x->needed == 2 && x->lead == 1);
    es_combined_free(x);
    x = combine(sets, 2, 4); /* half is not most: those in both */
    assert_true(x->needed == 2 && x->lead == 2);
    es_combined_free(x);
    const double third[] = {MISSING, 3, MISSING, 1}, fourth[] = {3, MISSING, MISSING, MISSING};
    const es_data_set far[] = {
        {one, NULL}, {third, NULL}, {fourth, NULL}, {fourth, NULL}, {fourth, NULL}};
    x = combine(far, 5, 4); /* nobody is in more than two */
    assert_true(x->needed == 2 && x->lead == 3);
    es_combined_free(x);
}

/* Who is in too few to be followed does not decide who may be the best, either. */
TEST(combine__in_few__does_not_hold_the_best_open) {
    const double all[] = {MISSING, 3, 2, 1}, one[] = {4, 3, 2, 1};
    const es_data_set sets[] = {{all, NULL}, {all, NULL}, {all, NULL},
                                {all, NULL}, {all, NULL}, {one, NULL}};
    es_combined *x = combine(sets, 6, 4);
    assert_true(x->said && x->order[0] == 0 && x->lead == 1);
    assert_true(x->best[0] && x->best[1] && !x->best[2] && !x->best[3]);
    es_combined_free(x);
}

TEST(combine__noise__moves_nobody) {
    enum { M = 12 };
    double good[M], noise[M];
    bool never[M * M] = {false};
    es_rng rng = test_rng(3, 3);
    for (size_t i = 0; i < M; i++) {
        good[i] = -(double)i;
        noise[i] = es_rng_normal(&rng);
    }
    const es_data_set sets[] = {{good, NULL}, {noise, never}, {noise, never}};
    es_combined *x = combine(sets, 3, M);
    for (size_t i = 0; i < M; i++)
        assert_int_equal(x->rank[i], i + 1);
    assert_true(x->low[0] < 0.5 && x->high[0] == 1); /* three are few */
    es_combined_free(x);
}

/* Shares of data sets without any order: 95 % of few data sets hold the half, too. */
TEST(combine__few__hold_the_half) {
    enum { M = 5, TRIES = 400 };
    es_rng rng = test_rng(11, 11);
    for (size_t count = 3; count <= 10; count += count == 3 ? 2 : 5) {
        size_t hold = 0;
        for (size_t k = 0; k < TRIES; k++) {
            double score[10][M];
            es_data_set sets[10];
            for (size_t s = 0; s < count; s++) {
                for (size_t i = 0; i < M; i++)
                    score[s][i] = es_rng_normal(&rng);
                sets[s] = (es_data_set){score[s], NULL};
            }
            es_combined *x = combine(sets, count, M);
            hold += x->low[0] <= 0.5 && x->high[0] >= 0.5;
            es_combined_free(x);
        }
        assert_true((double)hold >= 0.92 * TRIES);
    }
}

/* Ten data sets: the first is ahead of all but the second, which is as good. The interval of a mean
 * holds what more data sets give, and the set of the best holds the best. */
TEST(combine__many__hold_what_more_give) {
    enum { M = 6, SETS = 10, TRIES = 100 };
    es_rng rng = test_rng(7, 7);
    static const double quality[M] = {2, 2, 1, 0, -1, -2};
    static double all[1000][M];
    es_data_set sets[1000];
    for (size_t s = 0; s < 1000; s++) {
        for (size_t i = 0; i < M; i++)
            all[s][i] = quality[i] + es_rng_normal(&rng);
        sets[s] = (es_data_set){all[s], NULL};
    }
    es_combined *truth = combine(sets, 100, M);
    size_t held = 0, best = 0, narrow = 0;
    for (size_t t = 0; t < TRIES; t++) {
        es_combined *x = combine(sets + t * SETS, SETS, M);
        assert_true(x->said);
        for (size_t i = 0; i < M; i++)
            held += x->low[i] <= truth->share[i] && truth->share[i] <= x->high[i];
        best += x->best[0] && x->best[1];
        narrow += !x->best[4] && !x->best[5];
        es_combined_free(x);
    }
    assert_true(held >= (size_t)(0.85 * TRIES * M)); /* quantiles of ten draws are a little short */
    assert_true(best >= 95);
    assert_true(narrow >= 95);
    es_combined_free(truth);
}

TEST(combine__one_or_none__is_what_it_is) {
    const double a[] = {3, MISSING, 1};
    const es_data_set one = {a, NULL};
    es_combined *x = combine(&one, 1, 3);
    assert_true(x->share[0] == 1 && isnan(x->share[1]) && x->share[2] == 0);
    assert_true(isnan(x->low[0]) && x->rank[1] == 0 && x->order[2] == 1);
    es_combined_free(x);
    es_combined *none = NULL;
    assert_int_equal(es_combine(NULL, 0, 3, 1, NULL, &none, NULL), ES_EINVAL);
}
