/* What a ranking comes to, in words: each kind of outcome of made-up matrices, whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "bottom_line.h"
#include "decision.h"
#include "alloc.h"
#include "support.h"

enum { MOST = 24, ROWS = 400 };

/* A pool: `quality` of each embedder, `family` as a letter each ("control": 'c'). A value is the
 * source's quality, more or less by `spread` for each family of targets, and `noise` in its rows.
 */
typedef struct pool {
    size_t m;
    const char *family;
    double quality[MOST], spread, noise;
    bool no_rows, median;
    const es_words *grave;
    bool twins;   /* the first two hold the same values */
    double hard;  /* nobody reaches the first by so much more */
    size_t holes; /* values of the first that are missing, and its own with itself, then */
    size_t bare;  /* values of the first that have none of rows, and its own with itself, then */
    size_t lost;  /* the last embedders, of which no value as a target is known */
    /* made of it */
    char name[MOST][96];
    const char *names[MOST], *families[MOST];
    double is[MOST * MOST];
    float *pmi[MOST * MOST];
    uint32_t cluster[MOST];
    es_decision *decision;
} pool;

static double noise(size_t a, size_t b, size_t c) {
    double x = sin((double)(a * 127 + b * 311 + c * 73 + 17)) * 43758.5453;
    return x - floor(x) - 0.5;
}

static void make_names(pool *p) {
    static const char *const usual[] = {
        "alpha", "bravo",   "charlie", "delta", "echo", "foxtrot",  "golf",  "hotel",
        "india", "juliett", "kilo",    "lima",  "mike", "november", "oscar", "papa"};
    for (size_t i = 0; i < p->m; i++) {
        if (p->name[i][0] == '\0')
            snprintf(p->name[i], sizeof p->name[i], "%s", usual[i]);
        p->names[i] = p->name[i];
        p->families[i] = p->family[i] == 'c' ? "control" : NULL;
        for (p->cluster[i] = 0; p->family[p->cluster[i]] != p->family[i];)
            p->cluster[i]++;
    }
}

static void decide(pool *p) {
    make_names(p);
    for (size_t s = 0; s < p->m; s++)
        for (size_t t = 0; t < p->m; t++) {
            size_t a = p->twins && s == 1 ? 0 : s, b = p->twins && t == 1 ? 0 : t;
            double mean = 0, value = p->quality[a] + p->spread * noise(a, p->cluster[b], 1);
            value -= s > 0 && t == 0 ? p->hard : 0;
            float *row = malloc(ROWS * sizeof *row);
            for (size_t k = 0; k < ROWS; k++) {
                row[k] = (float)(value + p->noise * noise(a * MOST + b, k, 2));
                mean += (double)row[k] / ROWS;
            }
            p->is[s * p->m + t] = mean;
            p->pmi[s * p->m + t] = row;
        }
    for (size_t k = 0; k < p->m * p->m; k++)
        if ((p->holes > 0 && k <= p->holes) || k % p->m >= p->m - p->lost) {
            p->is[k] = (double)NAN;
            free(p->pmi[k]);
            p->pmi[k] = NULL;
        }
    for (size_t k = 0; p->bare > 0 && k <= p->bare; k++) {
        free(p->pmi[k]);
        p->pmi[k] = NULL;
    }
    const es_decision_problem problem = {
        .is = p->is,
        .pmi = p->no_rows ? NULL : p->pmi,
        .m = p->m,
        .n_eval = p->no_rows ? 0 : ROWS,
        .rule = {.aggregate = p->median ? ES_AGGREGATE_MEDIAN : ES_AGGREGATE_MEAN},
        .cluster = p->cluster,
        .seed = 3};
    assert_int_equal(es_decision_new(&problem, NULL, &p->decision, NULL), ES_OK);
}

static void pool_free(pool *p) {
    for (size_t i = 0; i < p->m * p->m; i++)
        free(p->pmi[i]);
    es_decision_free(p->decision);
}

/* Also: a statement ends where one can stop, and the last at the end. */
static void check(pool *p, size_t known, bool so_far, const char *expected) {
    es_bottom_line *line = NULL;
    if (p->decision == NULL)
        decide(p);
    const es_bottom_line_of of = {.decision = p->decision,
                                  .name = p->names,
                                  .family = p->families,
                                  .families = p->decision->families,
                                  .named = true,
                                  .score = "predictive",
                                  .known = known > 0 ? known : p->m * p->m,
                                  .of = p->m * p->m,
                                  .so_far = so_far,
                                  .grave = p->grave};
    assert_int_equal(es_bottom_line_new(&of, &line, NULL), ES_OK);
    assert_string_equal(line->sentence, expected);
    assert_true(line->statements > 0);
    for (size_t k = 0; k < line->statements; k++)
        assert_int_equal(line->sentence[line->end[k] - 1], '.');
    assert_int_equal(line->end[line->statements - 1], strlen(line->sentence));
    es_bottom_line_free(line);
}

static void line__one_clear_winner__says_it_would_hold(void **state) {
    (void)state;
    pool p = {.m = 10, .family = "aabbffddee", .spread = 0.02, .noise = 0.1};
    p.family = "aabbffddee";
    for (size_t i = 0; i < p.m; i++)
        p.quality[i] = i == 3 ? 0.8 : 0.1 + 0.05 * (double)i;
    check(&p, 0, false,
          "Best here: delta. With 95 % confidence it would also be the best for a new kind of"
          " target. Clearly worse than delta: the other 9.");
    char *word[] = {(char *)(uintptr_t) "9 of 20 rows are copies: keep one", NULL};
    const es_words grave = {.word = word, .count = 1};
    p.grave = &grave;
    check(&p, 0, false,
          "Best here: delta. With 95 % confidence it would also be the best for a new kind of"
          " target. Clearly worse than delta: the other 9. But 9 of 20 rows are copies.");
    p.grave = NULL;
    check(&p, 40, false, "Ranking after 40 of 100 pairs: delta is the first so far, of 10 ranked.");
    check(&p, 0, true,
          "Best so far: delta. With 95 % confidence it would also be the best for a new kind "
          "of target. Clearly worse than delta: the other 9.");
    pool_free(&p);
}

static void line__tie_of_three__names_them(void **state) {
    (void)state;
    pool p = {.m = 12, .family = "aabbffddeegg", .spread = 0.1, .noise = 0.1};
    for (size_t i = 0; i < p.m; i++)
        p.quality[i] = i < 3 ? 0.8 : 0.1 + 0.03 * (double)i;
    check(&p, 0, false,
          "Best here: bravo. For a new kind of target the best is, with 95 % confidence, "
          "among bravo, alpha and charlie (3 of 12). Clearly worse than bravo: the other 9. "
          "What would settle it: more families of embedders (6 now), not more rows. Try the "
          "first five: bravo, alpha, charlie, lima and kilo.");
    pool_free(&p);
}

/* They are not named twice. */
static void line__set_of_the_first_five__is_what_to_try(void **state) {
    (void)state;
    pool p = {.m = 12, .family = "aabbffddeegg", .spread = 0.1, .noise = 0.1};
    for (size_t i = 0; i < p.m; i++)
        p.quality[i] = i < 5 ? 0.8 : 0.1;
    check(&p, 0, false,
          "Best here: delta. For a new kind of target the best is, with 95 % confidence, among "
          "delta, bravo, alpha, echo and charlie (5 of 12). Clearly worse than delta: the other 7. "
          "What would settle it: more families of embedders (6 now), not more rows. Try the five "
          "that may be the best.");
    pool_free(&p);
}

static void line__nothing_settled__says_what_would(void **state) {
    (void)state;
    pool rows = {.m = 9, .family = "aabbffdde", .spread = 0.001, .noise = 3};
    pool families = {.m = 9, .family = "aabbffdde", .spread = 0.6, .noise = 0.01};
    for (size_t i = 0; i < 9; i++)
        rows.quality[i] = families.quality[i] = 0.4;
    check(&rows, 0, false,
          "First here: bravo, but that is not settled: all 9 may be the best for a new kind "
          "of target. What would settle it: more rows. Try the first five: bravo, hotel, "
          "india, delta and alpha.");
    check(&families, 0, false,
          "First here: golf, but that is not settled: 8 of 9 may be the best for a new kind "
          "of target. Clearly worse than golf: hotel. What would settle it: more families of "
          "embedders (5 now), not more rows. Try the first five: golf, echo, bravo, foxtrot "
          "and charlie.");
    check(&families, 12, false,
          "Ranking after 12 of 81 pairs: golf is the first so far, of 9 ranked; 8 of these "
          "may be the best for a new kind of target.");
    pool_free(&rows);
    pool_free(&families);
}

static void line__few_families__speaks_of_these_targets(void **state) {
    (void)state;
    pool p = {.m = 8, .family = "aabbffdd", .spread = 0.05, .noise = 0.1};
    pool tie = {.m = 8, .family = "aabbffdd", .spread = 0.001, .noise = 1};
    pool silent = {.m = 8, .family = "aabbffdd", .spread = 0.05, .noise = 0.1, .no_rows = true};
    for (size_t i = 0; i < 8; i++) {
        p.quality[i] = silent.quality[i] = i == 5 ? 0.9 : 0.1 + 0.02 * (double)i;
        tie.quality[i] = i < 2 ? 0.5 : 0.1;
    }
    check(&p, 0, false,
          "Best here: foxtrot, settled for these targets. Clearly worse than foxtrot: the "
          "other 7. For a new kind of target nothing can be said: that takes 5 families that "
          "judge both of two embedders, and there are 4 in all. Try the first five: foxtrot, "
          "golf, hotel, echo and delta.");
    check(&p, 12, false, "Ranking after 12 of 64 pairs: foxtrot is the first so far, of 8 ranked.");
    check(&tie, 0, false,
          "Best here: bravo. For these targets the best is, with 95 % confidence, among bravo"
          " and alpha (2 of 8). Clearly worse than bravo: the other 6. What would settle it: "
          "more rows. For a new kind of target nothing can be said: that takes 5 families "
          "that judge both of two embedders, and there are 4 in all. Try the first five: "
          "bravo, alpha, hotel, echo and delta.");
    check(&silent, 0, false,
          "First here: foxtrot. How sure that is cannot be said: that takes values of single "
          "rows, or 5 families that judge both of two embedders, and there are 4 in all. Try "
          "the first five: foxtrot, golf, hotel, echo and delta.");
    pool_free(&p);
    pool_free(&tie);
    pool_free(&silent);
}

/* A family whose values are missing does not judge: of as many as it takes, too few are left. */
static void line__families_that_do_not_judge__are_not_said_to_be_enough(void **state) {
    (void)state;
    pool p = {.m = 10, .family = "aabbffddee", .spread = 0.05, .noise = 0.1, .lost = 4};
    for (size_t i = 0; i < 10; i++)
        p.quality[i] = i == 5 ? 0.9 : 0.1 + 0.02 * (double)i;
    check(&p, 0, false,
          "Best here: foxtrot, settled for these targets. Clearly worse than foxtrot: the "
          "other 9. For a new kind of target nothing can be said: that takes 5 families that "
          "judge both of two embedders, and too many pairs are missing. Try the first five: "
          "foxtrot, juliett, india, golf and hotel. But 36 of 90 values between them are missing: "
          "not all "
          "are judged by the same targets.");
    pool_free(&p);
}

/* The published score says no more than the other does. */
static void line__median_of_few_families__speaks_of_these_targets(void **state) {
    (void)state;
    pool p = {.m = 8, .family = "aabbffdd", .spread = 0.05, .noise = 0.1, .median = true};
    pool tie = {.m = 8, .family = "aabbffdd", .spread = 0.001, .noise = 1, .median = true};
    pool silent = {.m = 8,
                   .family = "aabbffdd",
                   .spread = 0.05,
                   .noise = 0.1,
                   .no_rows = true,
                   .median = true};
    for (size_t i = 0; i < 8; i++) {
        p.quality[i] = silent.quality[i] = i == 5 ? 0.9 : 0.1 + 0.02 * (double)i;
        tie.quality[i] = i == 0 ? 0.51 : i == 1 ? 0.5 : 0.1;
    }
    check(&p, 0, false,
          "Best here: foxtrot, settled for these targets. Clearly worse than foxtrot: the "
          "other 7. For a new kind of target nothing can be said: that takes 5 families that "
          "judge both of two embedders, and there are 4 in all. Try the first five: foxtrot, "
          "golf, hotel, echo and charlie.");
    check(&tie, 0, false,
          "Best here: bravo. For these targets the best is, with 95 % confidence, among bravo"
          " and alpha (2 of 8). Clearly worse than bravo: the other 6. What would settle it: "
          "more rows. For a new kind of target nothing can be said: that takes 5 families "
          "that judge both of two embedders, and there are 4 in all. Try the first five: "
          "bravo, alpha, hotel, echo and golf.");
    check(&silent, 0, false,
          "First here: foxtrot. How sure that is cannot be said: that takes values of single "
          "rows, or 5 families that judge both of two embedders, and there are 4 in all. Try "
          "the first five: foxtrot, golf, hotel, echo and charlie.");
    pool copies = {.m = 8,
                   .family = "aabbffdd",
                   .quality = {0.5},
                   .spread = 0.001,
                   .noise = 0.1,
                   .median = true,
                   .twins = true};
    check(&copies, 0, false, /* no rows would part them */
          "Best here: alpha. For these targets the best is, with 95 % confidence, among alpha and "
          "bravo (2 of 8). Clearly worse than alpha: the other 6. Nothing within reach would "
          "settle it: take them as equal. For a new kind of target nothing can be said: that takes "
          "5 families that judge both of two embedders, and there are 4 in all. Try the first "
          "five: alpha, bravo, hotel, golf and echo.");
    pool_free(&copies);
    pool_free(&p);
    pool_free(&tie);
    pool_free(&silent);
}

/* More families would tell the third from the first, and nothing the second. */
static void line__copies_among_others__are_named(void **state) {
    (void)state;
    pool p = {.m = 12,
              .family = "aabbccddeeff",
              .quality = {0.9, 0.9, 0.895, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2},
              .spread = 0.1,
              .noise = 0.01,
              .twins = true};
    check(&p, 0, false,
          "Best here: alpha. For a new kind of target the best is, with 95 % confidence, among "
          "alpha, bravo and charlie (3 of 12). Clearly worse than alpha: the other 9. What would "
          "settle it: more families of embedders (6 now), not more rows. Nothing within reach "
          "tells bravo from alpha. Try the first five: alpha, bravo, charlie, lima and golf.");
    pool_free(&p);
}

static void line__two_or_one__asks_for_another(void **state) {
    (void)state;
    pool two = {.m = 2, .family = "ab", .quality = {0.2, 0.5}, .noise = 0.1};
    check(&two, 0, false,
          "First here: bravo. But two embedders cannot be compared: no third one judges both."
          " Add another embedder.");
    pool_free(&two);
}

static void line__controls__are_not_to_be_chosen(void **state) {
    (void)state;
    pool all = {.m = 6, .family = "cccccc", .noise = 0.1, .spread = 0.1};
    pool first = {.m = 12, .family = "aabbcddeeggh", .noise = 0.1, .spread = 0.05};
    for (size_t i = 0; i < 12; i++)
        first.quality[i] = i == 4 ? 0.9 : 0.05 * (double)i;
    check(&all, 0, false, "All 6 are controls (noise, shuffled rows): there is nothing to choose.");
    check(&first, 0, false,
          "Do not choose by this ranking: echo, the first of it, is a control (noise, "
          "shuffled rows).");
    pool_free(&all);
    pool_free(&first);
}

static const es_results *of_beside; /* by another estimator; NULL: none */

/* Of `results`: the end of the sentence after what is said without them; NULL: nothing more. */
static void check_unrelated(pool *p, const es_results *results, const char *expected) {
    es_bottom_line *plain = NULL, *line = NULL;
    es_bottom_line_of of = {.decision = p->decision,
                            .name = p->names,
                            .family = p->families,
                            .families = p->decision->families,
                            .named = true,
                            .score = "predictive",
                            .known = p->m * p->m,
                            .of = p->m * p->m};
    assert_int_equal(es_bottom_line_new(&of, &plain, NULL), ES_OK);
    of.results = results;
    of.beside = of_beside;
    assert_int_equal(es_bottom_line_new(&of, &line, NULL), ES_OK);
    assert_memory_equal(line->sentence, plain->sentence, strlen(plain->sentence));
    assert_string_equal(line->sentence + strlen(plain->sentence), expected);
    assert_int_equal(line->end[line->statements - 1], strlen(line->sentence));
    assert_int_equal(line->statements, plain->statements + (*expected != '\0'));
    es_bottom_line_free(plain);
    es_bottom_line_free(line);
}

/* Rows in another order leave row and column at 0; a control is meant to be so. */
static void line__row_and_column_of_nothing__asks_for_the_order(void **state) {
    (void)state;
    pool p = {.m = 10, .family = "aabbffddce", .spread = 0.02, .noise = 0.1};
    es_results *r = NULL;
    for (size_t i = 0; i < p.m; i++)
        p.quality[i] = i == 3 ? 0.8 : 0.1 + 0.05 * (double)i;
    decide(&p);
    assert_int_equal(es_results_new(p.m, &r, NULL), ES_OK);
    for (size_t cell = 0; cell < p.m * p.m; cell++) {
        size_t a = cell / p.m, b = cell % p.m;
        bool odd = a != b && (a == 5 || b == 5 || a == 8 || b == 8);
        r->is[cell] = odd ? 0.025 : 0.3; /* 2.5 errors */
        r->se[cell] = 0.01;
        r->state[cell] = ES_PAIR_DONE;
    }
    check_unrelated(
        &p, r,
        " foxtrot says nothing of any other embedder, nor any of it: its rows may be in "
        "another order.");
    /* By another estimator it is related, to one that is among these. */
    es_results *other = NULL;
    assert_int_equal(es_results_new(p.m, &other, NULL), ES_OK);
    for (size_t i = 0; i < p.m; i++) {
        r->name[i] = es_strdup(p.names[i]);
        other->name[i] = es_strdup(p.names[p.m - 1 - i]); /* in another order */
    }
    of_beside = other;
    check_unrelated(
        &p, r,
        " foxtrot says nothing of any other embedder, nor any of it: its rows may be in "
        "another order.");
    other->is[4 * p.m + 7] = 1; /* foxtrot of charlie */
    other->se[4 * p.m + 7] = 0.03;
    other->state[4 * p.m + 7] = ES_PAIR_DONE;
    check_unrelated(&p, r, "");
    other->se[4 * p.m + 7] = 0.5;
    r->estimator = es_estimator_find("linear"); /* which alone does not tell */
    check_unrelated(
        &p, r,
        " foxtrot says nothing of any other embedder, nor any of it by a linear map: its rows may "
        "be in another order.");
    r->estimator = NULL;
    of_beside = NULL;
    es_results_free(other);
    r->n_eval = 99; /* so few that errors are large for that alone */
    check_unrelated(
        &p, r,
        " foxtrot says nothing of any other embedder, nor any of it: its rows may be in "
        "another order, or 99 rows are too few to tell.");
    r->n_eval = 100;
    r->is[2 * p.m + 5] = 0.04; /* one that is more than its error */
    check_unrelated(&p, r, "");
    r->is[2 * p.m + 5] = 0.0;
    r->state[5 * p.m + 1] = ES_PAIR_FAILED; /* not known */
    check_unrelated(&p, r, "");
    es_results_free(r);
    pool_free(&p);
}

/* Of `results`: the whole sentence, with nobody that is worse. */
static void check_most_unrelated(pool *p, const es_results *results, size_t count,
                                 const char *expected) {
    es_bottom_line *line = NULL;
    const es_bottom_line_of of = {.decision = p->decision,
                                  .results = results,
                                  .name = p->names,
                                  .family = p->families,
                                  .families = p->decision->families,
                                  .named = true,
                                  .score = "predictive",
                                  .known = p->m * p->m,
                                  .of = p->m * p->m};
    assert_int_equal(es_bottom_line_new(&of, &line, NULL), ES_OK);
    assert_string_equal(line->sentence, expected);
    assert_int_equal(line->end[line->statements - 1], strlen(line->sentence));
    assert_int_equal(line->unrelated_count, count);
    assert_int_equal(line->worse_count, 0);
    assert_null(line->settled_by);
    es_bottom_line_free(line);
}

/* The first `related` have something in common. */
static void relate(es_results *r, size_t related) {
    for (size_t cell = 0; cell < r->m * r->m; cell++) {
        size_t a = cell / r->m, b = cell % r->m;
        r->is[cell] = (a < related && b < related) || a == b ? 0.3 : 0.0;
        r->se[cell] = 0.01;
        r->state[cell] = ES_PAIR_DONE;
    }
}

static void line__half_say_nothing__advises_nothing(void **state) {
    (void)state;
    pool p = {.m = 10, .family = "aabbffddee", .spread = 0.02, .noise = 0.1};
    pool two = {.m = 2, .family = "ab", .quality = {0.2, 0.5}, .noise = 0.1};
    pool mixed = {.m = 8, .family = "aabbddcc", .spread = 0.02, .noise = 0.1};
    es_results *r = NULL, *of_two = NULL, *of_mixed = NULL;
    for (size_t i = 0; i < p.m; i++)
        p.quality[i] = mixed.quality[i % 8] = i == 3 ? 0.8 : 0.1 + 0.05 * (double)i;
    decide(&p);
    decide(&two);
    decide(&mixed);
    assert_int_equal(es_results_new(p.m, &r, NULL), ES_OK);
    assert_int_equal(es_results_new(two.m, &of_two, NULL), ES_OK);
    assert_int_equal(es_results_new(mixed.m, &of_mixed, NULL), ES_OK);
    relate(r, 0);
    check_most_unrelated(&p, r, 10,
                         "None of the 10 embedders says anything of another: there is nothing to "
                         "choose, or their rows are in different orders.");
    r->n_eval = 20;
    check_most_unrelated(&p, r, 10,
                         "None of the 10 embedders says anything of another: there is nothing to "
                         "choose, or their rows are in different orders, or 20 rows are too few to "
                         "tell.");
    r->n_eval = 0;
    relate(r, 5);
    check_most_unrelated(&p, r, 5,
                         "Do not choose by this ranking: foxtrot, golf, hotel, india and juliett "
                         "(5 of 10 embedders) say nothing of any other, nor any of them: their "
                         "rows may be in different orders.");
    relate(r, 6); /* less than half: the odd ones */
    check_unrelated(&p, r,
                    " golf, hotel, india and juliett say nothing of any other embedder, nor any of "
                    "them: their rows may be in another order.");
    relate(of_two, 0);
    check_most_unrelated(&two, of_two, 2,
                         "None of the 2 embedders says anything of another: there is nothing to "
                         "choose, or their rows are in different orders.");
    relate(of_mixed, 4); /* controls are meant to be so: two of six, not four of eight */
    check_unrelated(&mixed, of_mixed,
                    " echo and foxtrot say nothing of any other embedder, nor any of them: their "
                    "rows may be in another order.");
    relate(of_mixed, 3);
    check_most_unrelated(&mixed, of_mixed, 3,
                         "Do not choose by this ranking: delta, echo and foxtrot (3 of 6 embedders "
                         "that are no controls) say nothing of any other, nor any of them: their "
                         "rows may be in different orders.");
    es_results_free(r);
    es_results_free(of_two);
    es_results_free(of_mixed);
    pool_free(&p);
    pool_free(&two);
    pool_free(&mixed);
}

static void line__long_names__stay_whole(void **state) {
    (void)state;
    pool p = {.m = 10, .family = "aabbffddee", .spread = 0.1, .noise = 0.1};
    for (size_t i = 0; i < p.m; i++) {
        snprintf(p.name[i], sizeof p.name[i],
                 "multilingual-%c-large-instruct-with-a-name-that-goes-on-and-on-until-eighty-v%zu",
                 (char)('a' + i), 100 + i);
        p.quality[i] = i < 2 ? 0.8 : 0.1 + 0.03 * (double)i;
    }
    check(&p, 0, false,
          "Best here: "
          "multilingual-b-large-instruct-with-a-name-that-goes-on-and-on-until-eighty-v101. "
          "For a new kind of target the best is, with 95 % confidence, among "
          "multilingual-b-large-instruct-with-a-name-that-goes-on-and-on-until-eighty-v101 "
          "and "
          "multilingual-a-large-instruct-with-a-name-that-goes-on-and-on-until-eighty-v100 (2"
          " of 10). Clearly worse than "
          "multilingual-b-large-instruct-with-a-name-that-goes-on-and-on-until-eighty-v101: "
          "the other 8. What would settle it: more families of embedders (5 now), not more "
          "rows. Try the first five: "
          "multilingual-b-large-instruct-with-a-name-that-goes-on-and-on-until-eighty-v101, "
          "multilingual-a-large-instruct-with-a-name-that-goes-on-and-on-until-eighty-v100, "
          "multilingual-j-large-instruct-with-a-name-that-goes-on-and-on-until-eighty-v109, "
          "multilingual-i-large-instruct-with-a-name-that-goes-on-and-on-until-eighty-v108 "
          "and "
          "multilingual-g-large-instruct-with-a-name-that-goes-on-and-on-until-eighty-v106.");
    pool_free(&p);
}

/* The mean over all orders of equal scores, by trying all. */
/* The first of the scores is not over the target that is hard for all others, itself: over those
 * that judge both, the second is better. */
static void line__ahead_of_the_first__is_said(void **state) {
    (void)state;
    pool p = {.m = 10, .family = "abcdefghij", .noise = 0.05, .hard = 0.4};
    for (size_t i = 0; i < p.m; i++)
        p.quality[i] = i == 0 ? 0.5 : i == 1 ? 0.53 : 0.1;
    p.family = "aabbffddee";
    check(&p, 0, false,
          "Best here: alpha. For a new kind of target the best is, with 95 % confidence, among "
          "alpha and bravo (2 of 10). Clearly worse than alpha: the other 8. Try the first "
          "five: alpha, bravo, juliett, hotel and india. But over the targets that judge both, "
          "bravo is "
          "surely ahead of alpha.");
    assert_true(es_decision_ahead(p.decision, ES_SCOPE_HERE, 1, 0));
    assert_false(es_decision_ahead(p.decision, ES_SCOPE_HERE, 0, 1));
    assert_true(es_decision_ahead(p.decision, ES_SCOPE_HERE, 0, 2));
    assert_true(p.decision->separated[ES_SCOPE_HERE][0 * p.m + 1]);
    pool_free(&p);
}

/* One value without those of its rows: then families alone are the sample, and that is said. */
static void line__a_value_without_rows__is_said(void **state) {
    (void)state;
    for (size_t median = 0; median < 2; median++)
        for (size_t bare = 1; bare < 3; bare++) {
            char expected[400];
            pool p = {.m = 10,
                      .family = "aabbffddee",
                      .spread = 0.02,
                      .noise = 0.1,
                      .median = median,
                      .bare = bare};
            for (size_t i = 0; i < p.m; i++)
                p.quality[i] = i == 3 ? 0.8 : 0.1 + 0.05 * (double)i;
            (void)snprintf(expected, sizeof expected,
                           "Best here: delta. With 95 %% confidence it would also be the best for "
                           "a new kind of target. Clearly worse than delta: the other 9. But the "
                           "error of rows is left out of all this: %zu of 90 pairs %s stored "
                           "without values of single rows, and `embedscope estimate` makes %s "
                           "again.",
                           bare, bare == 1 ? "is" : "are", bare == 1 ? "it" : "them");
            check(&p, 0, false, expected);
            assert_int_equal(p.decision->hands, 0);
            assert_int_equal(p.decision->bare, bare);
            pool_free(&p);
        }
}

/* Of a file that lacks values: who is judged by few targets may be first for that. */
static void line__values_that_are_missing__are_said(void **state) {
    (void)state;
    static const char *const said[] = {NULL,
                                       "But 1 of 30 values between them is missing: not all are "
                                       "judged by the same targets.",
                                       "But 2 of 30 values between them are missing:"};
    for (size_t holes = 0; holes < 3; holes++) {
        pool p = {.m = 6, .family = "abcdef", .noise = 0.05, .holes = holes};
        for (size_t i = 0; i < p.m; i++)
            p.quality[i] = 0.1 + 0.1 * (double)i;
        decide(&p);
        es_bottom_line *line = NULL;
        const es_bottom_line_of of = {.decision = p.decision,
                                      .name = p.names,
                                      .family = p.families,
                                      .families = 6,
                                      .named = true,
                                      .score = "predictive",
                                      .known = 36,
                                      .of = 36};
        assert_int_equal(es_bottom_line_new(&of, &line, NULL), ES_OK);
        assert_int_equal(strstr(line->sentence, "missing") != NULL, holes > 0);
        assert_true(said[holes] == NULL || strstr(line->sentence, said[holes]) != NULL);
        es_bottom_line_free(line);
        pool_free(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line__one_clear_winner__says_it_would_hold),
        cmocka_unit_test(line__tie_of_three__names_them),
        cmocka_unit_test(line__set_of_the_first_five__is_what_to_try),
        cmocka_unit_test(line__nothing_settled__says_what_would),
        cmocka_unit_test(line__few_families__speaks_of_these_targets),
        cmocka_unit_test(line__families_that_do_not_judge__are_not_said_to_be_enough),
        cmocka_unit_test(line__median_of_few_families__speaks_of_these_targets),
        cmocka_unit_test(line__two_or_one__asks_for_another),
        cmocka_unit_test(line__controls__are_not_to_be_chosen),
        cmocka_unit_test(line__row_and_column_of_nothing__asks_for_the_order),
        cmocka_unit_test(line__half_say_nothing__advises_nothing),
        cmocka_unit_test(line__long_names__stay_whole),
        cmocka_unit_test(line__ahead_of_the_first__is_said),
        cmocka_unit_test(line__a_value_without_rows__is_said),
        cmocka_unit_test(line__copies_among_others__are_named),
        cmocka_unit_test(line__values_that_are_missing__are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
