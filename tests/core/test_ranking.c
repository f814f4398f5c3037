/* Scores against the golden file, aggregates, partial matrices, families. */
#include "table.h"

#include "core_ranking.h"

static es_ranking *rank(const double *is, size_t m, es_score_rule rule) {
    es_ranking *r = NULL;
    assert_ok(es_ranking_new(is, m, &rule, &r, test_err()));
    return r;
}

TEST(ranking__text_matrix__equals_golden_scores) {
    double is[NLP * NLP];
    table_matrix(is);
    table golden = table_read("golden_scores20.csv");
    es_ranking *with = rank(is, NLP, (es_score_rule){.include_self = true});
    es_ranking *without = rank(is, NLP, (es_score_rule){0});
    es_ranking *mean = rank(is, NLP, (es_score_rule){.aggregate = ES_AGGREGATE_MEAN});
    for (size_t i = 0; i < NLP; i++) {
        assert_close(with->score[i], table_number(&golden, i, 1), 0.6e-6);
        assert_close(without->score[i], table_number(&golden, i, 2), 0.6e-6);
        assert_close(mean->score[i], table_number(&golden, i, 3), 0.6e-6);
        assert_close(without->in[i], table_number(&golden, i, 4), 0.6e-6);
        assert_int_equal(without->pairs[i], 19);
        assert_int_equal(with->of[i], 20);
    }
    es_ranking_free(with);
    es_ranking_free(without);
    es_ranking_free(mean);
    table_free(&golden);
}

TEST(ranking__other_aggregates__follow_their_definitions) {
    double is[11 * 11];
    for (size_t i = 0; i < 11; i++)
        for (size_t j = 0; j < 11; j++)
            is[i * 11 + j] =
                (double)((j + 10 - i) % 11) + (double)i; /* 0..9 and a 10 on the diagonal */
    is[1] = 1000;
    es_ranking *q75 = rank(is, 11, (es_score_rule){.aggregate = ES_AGGREGATE_QUANTILE});
    es_ranking *q25 =
        rank(is, 11, (es_score_rule){.aggregate = ES_AGGREGATE_QUANTILE, .quantile = 0.25});
    es_ranking *trimmed = rank(is, 11, (es_score_rule){.aggregate = ES_AGGREGATE_TRIMMED});
    assert_close(q75->score[1], 1 + 6.75, 1e-12);
    assert_close(q25->score[1], 1 + 2.25, 1e-12);
    assert_close(trimmed->score[1], 1 + 4.5, 1e-12);
    assert_close(trimmed->score[0], 5.5 - 0.5 + 0.5, 1e-12); /* 0 became 1000: 2..9 are left */
    es_ranking_free(q75);
    es_ranking_free(q25);
    es_ranking_free(trimmed);
}

TEST(ranking__missing_pairs__are_never_zero) {
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double is[] = {9, 1, 3, nan, /* */ nan, 9, nan, nan, /* */ inf, 2, 9, 2, 5, -inf, nan, 9};
    es_ranking *r = rank(is, 4, (es_score_rule){0});
    assert_close(r->score[0], 2, 0);
    assert_int_equal(r->pairs[0], 2);
    assert_int_equal(r->of[0], 3);
    assert_true(isnan(r->score[1]));
    assert_int_equal(r->rank[1], 0);
    assert_close(r->score[2], 2, 0);
    assert_close(r->score[3], 5, 0);
    assert_int_equal(r->rank[3], 1);
    assert_int_equal(r->rank[0], 2);
    assert_int_equal(r->rank[2], 2);
    assert_int_equal(r->infinite, 2);
    assert_close(r->in[3], 2, 0);
    es_ranking_free(r);
}

/* The median is picked without sorting; es_votes_score sorts. With holes, ties, infinities, odd and
 * even counts, whole and left-out rows. */
TEST(ranking__median__equals_the_one_that_sorts) {
    enum { MOST = 33 };
    double is[MOST * MOST];
    uint32_t family[MOST], random = 7;
    for (size_t m = 1; m <= MOST; m++) {
        for (size_t i = 0; i < m * m; i++) {
            random = random * 1664525u + 1013904223u;
            uint32_t kind = random >> 28;
            is[i] = kind == 0   ? (double)NAN
                    : kind == 1 ? (double)INFINITY
                    : kind < 6  ? (double)(random >> 8 & 3)
                                : (random >> 4) * 1e-3 - 1e5;
        }
        for (size_t i = 0; i < m; i++)
            family[i] = (uint32_t)(i / 4);
        for (int way = 0; way < 3; way++) {
            es_score_rule rule = {.include_self = way == 1};
            if (way == 2) {
                rule.leave_family_out = true;
                rule.family = family;
            }
            es_ranking *picked = rank(is, m, rule);
            double score[MOST];
            for (size_t i = 0; i < m; i++) {
                uint32_t target[MOST], scratch[MOST];
                es_vote votes[MOST];
                size_t n = es_votes_targets(is, m, &rule, NULL, i, target, scratch);
                for (size_t k = 0; k < n; k++)
                    votes[k] = (es_vote){is[i * m + target[k]], 1, 1, target[k]};
                score[i] = es_votes_score(&rule, votes, n);
                assert_int_equal(picked->pairs[i], n);
                assert_true(isnan(score[i]) ? isnan(picked->score[i])
                                            : picked->score[i] == score[i]);
            }
            es_ranking_free(picked);
        }
    }
}

TEST(ranking__tiny_pools__have_no_score) {
    const double is[] = {1, 2, 3, 4};
    for (size_t m = 0; m < 2; m++) {
        es_ranking *r = rank(is, m, (es_score_rule){0});
        for (size_t i = 0; i < m; i++)
            assert_true(isnan(r->score[i]) && r->rank[i] == 0 && r->of[i] == 0);
        es_ranking_free(r);
    }
    es_ranking *two = rank(is, 2, (es_score_rule){0});
    assert_close(two->score[0], 2, 0);
    assert_close(two->score[1], 3, 0);
    assert_int_equal(two->rank[1], 1);
    es_ranking_free(two);
}

/* Six near copies of one embedder praise each other; another is better at everything else. */
static void family_pool(double *is, uint32_t *family, size_t m) {
    for (size_t i = 0; i < m; i++) {
        family[i] = i < 6 ? 0 : (uint32_t)(i - 5);
        for (size_t j = 0; j < m; j++) {
            bool copies = i < 6 && j < 6;
            double base = i < 6 ? 0.3 : 0.2 + 0.02 * (double)i;
            is[i * m + j] = i == j ? 1.4 : copies ? 1.3 : base + 0.001 * (double)j;
        }
    }
}

TEST(ranking__balanced__lets_a_family_vote_once) {
    enum { M = 11 };
    double is[M * M];
    uint32_t family[M];
    family_pool(is, family, M);
    es_score_rule plain = {.family = family};
    es_score_rule once = {.aggregate = ES_AGGREGATE_BALANCED, .family = family};
    es_ranking *a = rank(is, M, plain), *b = rank(is, M, once);
    once.leave_family_out = true;
    es_ranking *c = rank(is, M, once);
    for (size_t i = 0; i < 6; i++)
        assert_true(a->rank[i] <= 6);
    assert_int_equal(b->rank[10], 1);
    assert_true(b->rank[0] > 1);
    assert_int_equal(c->rank[10], 1);
    assert_int_equal(c->pairs[0], 5);
    assert_int_equal(c->pairs[10], 10);
    es_dominance d;
    assert_ok(es_ranking_dominance(is, M, &plain, &d, NULL));
    assert_int_equal(d.family, 0);
    assert_int_equal(d.size, 6);
    assert_close(d.share, 6 / 11.0, 1e-15);
    assert_close(d.voters, 121 / 41.0, 1e-12);
    assert_true(d.dominates && d.best_plain == 1 && d.best_balanced > 1 && d.advantage > 0);
    plain.family = NULL;
    assert_ok(es_ranking_dominance(is, M, &plain, &d, NULL));
    assert_false(d.dominates);
    assert_int_equal(d.size, 1);
    es_ranking_free(a);
    es_ranking_free(b);
    es_ranking_free(c);
}

/* Of what votes on a source: without itself, of what is known. By hand: A has 0.1 of B alone for F1
 * and 0.2 for F2; both of C's are of F1. */
TEST(ranking__balanced__counts_who_votes) {
    const uint32_t family[] = {0, 0, 1, 1};
    const double nan = (double)NAN;
    const double is[] = {1.0, 0.1, 0.2, nan, 0.1, 1.0, 0.6, nan,
                         0.3, 0.5, 1.0, nan, 0.1, 0.2, 0.9, 1.0};
    es_score_rule once = {.aggregate = ES_AGGREGATE_BALANCED, .family = family};
    es_ranking *r = rank(is, 4, once);
    assert_close(r->score[0], 0.15, 1e-12);
    assert_close(r->score[1], 0.35, 1e-12);
    assert_close(r->score[2], 0.4, 1e-12);
    assert_close(r->score[3], 0.55, 1e-12); /* 0.1 and 0.2 share a vote, 0.9 has one */
    es_ranking_free(r);
    once.include_self = true; /* 0.1 and 1.0 share a vote, 0.2 has one */
    r = rank(is, 4, once);
    assert_close(r->score[0], 0.2, 1e-12);
    es_ranking_free(r);
}

TEST(votes__copies__equal_the_list_written_out) {
    const es_vote packed[] = {{1, 0.5, 2, 0}, {2, 0.5, 1, 0}, {5, 0.5, 3, 0}, {9, 0.5, 4, 0}};
    const double list[] = {1, 1, 2, 5, 5, 5, 9, 9, 9, 9};
    es_vote flat[10];
    for (size_t i = 0; i < 10; i++)
        flat[i] = (es_vote){list[i], 0.5, 1, 0};
    for (int kind = ES_AGGREGATE_MEDIAN; kind <= ES_AGGREGATE_BALANCED; kind++)
        for (int q = 1; q <= 9; q++) {
            es_score_rule rule = {.aggregate = (es_aggregate)kind, .quantile = 0.1 * q};
            assert_close(es_votes_score(&rule, packed, 4), es_votes_score(&rule, flat, 10), 1e-12);
        }
}

TEST(votes__thirds__meet_at_half) {
    es_score_rule rule = {.aggregate = ES_AGGREGATE_BALANCED};
    const double third = 1.0 / 3;
    const es_vote votes[] = {{1, third, 1, 0}, {2, third, 1, 0}, {3, third, 1, 0}, {10, 1, 1, 0}};
    assert_close(es_votes_score(&rule, votes, 4), 6.5, 1e-12);
}

TEST(rule__texts__parse_or_name_the_choices) {
    es_score_rule rule = {0};
    assert_ok(es_score_rule_parse("q75", &rule, test_err()));
    assert_int_equal(rule.aggregate, ES_AGGREGATE_QUANTILE);
    assert_close(rule.quantile, 0.75, 0);
    assert_ok(es_score_rule_parse("q90", &rule, test_err()));
    assert_close(rule.quantile, 0.9, 1e-15);
    assert_ok(es_score_rule_parse("balanced", &rule, test_err()));
    assert_int_equal(rule.aggregate, ES_AGGREGATE_BALANCED);
    const char *const bad[] = {"", "q", "q101", "q7.5", "q-1", "Median", "q0"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_error(es_score_rule_parse(bad[k], &rule, test_err()), ES_EINVAL, "median, mean");
    }
    uint32_t family[] = {0, 2};
    es_ranking *r = NULL;
    double is[4] = {0};
    rule = (es_score_rule){.family = family};
    assert_int_equal(es_ranking_new(is, 2, &rule, &r, test_err()), ES_EINVAL);
    rule = (es_score_rule){.trim = 0.5};
    assert_int_equal(es_ranking_new(is, 2, &rule, &r, test_err()), ES_EINVAL);
    assert_null(r);
}

/* `size` near copies that praise each other; scores are means, so that their votes count. */
static es_dominance dominance_of(size_t m, size_t size, double praise) {
    double is[20 * 20];
    uint32_t family[20];
    for (size_t i = 0; i < m; i++) {
        family[i] = i < size ? 0 : (uint32_t)(i - size + 1);
        for (size_t j = 0; j < m; j++)
            is[i * m + j] = i < size && j < size ? praise : i < size ? 0.3 : 0.4 + 0.01 * (double)i;
    }
    const es_score_rule rule = {.aggregate = ES_AGGREGATE_MEAN, .family = family};
    es_dominance d;
    assert_ok(es_ranking_dominance(is, m, &rule, &d, NULL));
    assert_int_equal(d.size, size);
    return d;
}

TEST(ranking__dominance__begins_at_three_and_a_quarter) {
    es_dominance d = dominance_of(12, 3, 9);
    assert_true(d.dominates); /* exactly three, exactly a quarter */
    assert_int_equal(d.best_plain, 1);
    assert_int_equal(d.best_balanced, 10);
    assert_close(d.share, 0.25, 0);
    assert_close(d.advantage, (2 * 9 + 9 * 0.3) / 11 - 0.3, 1e-12);
    assert_false(dominance_of(13, 3, 9).dominates); /* three, but less than a quarter */
    d = dominance_of(8, 2, 9);
    assert_false(d.dominates); /* a quarter, but only two */
    assert_true(d.best_balanced > d.best_plain);
    d = dominance_of(12, 3, 0.3);
    assert_false(d.dominates); /* last by either count */
    assert_int_equal(d.best_plain, d.best_balanced);
}

/* Only votes dominate: not members that do not judge, and not where none judges its own family. */
TEST(ranking__dominance__is_of_those_that_vote) {
    enum { M = 12 };
    double is[M * M];
    uint32_t family[M];
    bool voting[M] = {false};
    for (size_t i = 0; i < M; i++) {
        family[i] = i < 4 ? 0 : (uint32_t)(i - 3);
        for (size_t j = 0; j < M; j++)
            is[i * M + j] = i < 4 ? (j == 4 ? 0.8 : j < 4 ? 0.9 : 0.1) : 0.4 + 0.01 * (double)i;
    }
    es_score_rule rule = {.aggregate = ES_AGGREGATE_MEAN, .family = family, .voting = voting};
    es_dominance d;
    voting[4] = voting[5] = true; /* the family is first by another's praise */
    assert_ok(es_ranking_dominance(is, M, &rule, &d, NULL));
    assert_false(d.dominates);
    assert_int_equal(d.size, 1);
    assert_close(d.share, 0.5, 0);
    assert_close(d.voters, 2, 1e-12);
    voting[0] = voting[1] = voting[2] = true; /* and now by its own */
    assert_ok(es_ranking_dominance(is, M, &rule, &d, NULL));
    assert_true(d.dominates);
    assert_int_equal(d.family, 0);
    assert_int_equal(d.size, 3);
    assert_close(d.share, 0.6, 1e-12);
    voting[2] = false;
    assert_ok(es_ranking_dominance(is, M, &rule, &d, NULL));
    assert_false(d.dominates); /* two votes */
    rule = (es_score_rule){.family = family, .leave_family_out = true};
    for (size_t k = 4; k < M; k++) /* first by another family, which would have one vote of four */
        for (size_t i = 0; i < 4; i++) {
            family[k] = k < 8 ? 1 : (uint32_t)k;
            is[i * M + k] = k < 8 ? 0.8 : k < 11 ? 0.1 : (double)NAN;
        }
    assert_ok(es_ranking_dominance(is, M, &rule, &d, NULL));
    assert_false(d.dominates);
    assert_true(d.size == 4 && d.best_plain == 1 && d.best_balanced > 1);
}

/* Of families of the same size the one that does best; of equals the first; never one without a
 * score. */
TEST(ranking__dominance__of_equal_sizes_takes_the_best) {
    enum { M = 6 };
    const uint32_t family[M] = {0, 0, 0, 1, 1, 1};
    const es_score_rule rule = {.aggregate = ES_AGGREGATE_MEAN, .family = family};
    for (int way = 0; way < 4; way++) {
        double is[M * M];
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j < M; j++) {
                bool second = i >= 3;
                is[i * M + j] = way == 0 ? 0.5 : second == (way == 1) ? 0.9 : 0.5;
                if (way == 3 && second)
                    is[i * M + j] = NAN;
            }
        es_dominance d;
        assert_ok(es_ranking_dominance(is, M, &rule, &d, NULL));
        assert_int_equal(d.size, 3);
        assert_int_equal(d.family, way == 1);
        assert_int_equal(d.best_plain, 1);
    }
}

/* Whatever rows have changed, what is renewed is what is made anew, to the last bit. */
TEST(ranking__renewed__equals_a_new_one) {
    enum { M = 40 };
    static double is[M * M], before[M * M];
    static const es_score_rule rules[] = {{.aggregate = ES_AGGREGATE_MEAN},
                                          {.aggregate = ES_AGGREGATE_MEDIAN},
                                          {.aggregate = ES_AGGREGATE_TRIMMED}};
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        for (size_t c = 0; c < M * M; c++)
            is[c] = c % 7 == 2    ? (double)NAN
                    : c % 91 == 3 ? (double)INFINITY
                                  : (double)(c * 7919 % 1009);
        memcpy(before, is, sizeof is);
        es_ranking *r = rank(is, M, rules[k]);
        for (size_t step = 0; step < 5; step++) {
            for (size_t i = step; i < M; i += 3 + step) {
                is[i * M + (i + step) % M] = step % 2 ? (double)NAN : 0.5 * (double)(i + 1);
                is[i * M + (i + 9) % M] = (double)INFINITY;
            }
            assert_ok(es_ranking_renew(r, is, before, &rules[k], NULL));
            es_ranking *new = rank(is, M, rules[k]);
            assert_memory_equal(before, is, sizeof is);
            assert_memory_equal(r->score, new->score, M * sizeof *r->score);
            assert_memory_equal(r->in, new->in, M * sizeof *r->in);
            assert_memory_equal(r->pairs, new->pairs, M * sizeof *r->pairs);
            assert_memory_equal(r->of, new->of, M * sizeof *r->of);
            assert_memory_equal(r->rank, new->rank, M * sizeof *r->rank);
            assert_int_equal(r->infinite, new->infinite);
            es_ranking_free(new);
        }
        es_ranking_free(r);
    }
}

/* Scores and ranks of sources are the same where targets are not asked for. */
TEST(ranking__of_sources_alone__says_nothing_of_targets) {
    enum { M = 5 };
    double is[M * M];
    for (size_t c = 0; c < M * M; c++)
        is[c] = (double)(c * 7919 % 1009);
    es_ranking *whole = rank(is, M, (es_score_rule){.aggregate = ES_AGGREGATE_MEAN});
    es_ranking *alone =
        rank(is, M, (es_score_rule){.aggregate = ES_AGGREGATE_MEAN, .sources_alone = true});
    assert_memory_equal(whole->score, alone->score, M * sizeof *whole->score);
    assert_memory_equal(whole->rank, alone->rank, M * sizeof *whole->rank);
    for (size_t j = 0; j < M; j++)
        assert_true(isfinite(whole->in[j]) && isnan(alone->in[j]));
    es_ranking_free(whole);
    es_ranking_free(alone);
}
