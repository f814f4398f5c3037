/* What a ranking comes to, in words: each kind of outcome of made-up matrices, whole. */
#include <ctype.h>

#include "report_answer.h"
#include "support.h"

enum { MOST = 24, ROWS = 320 };

/* A pool of embedders. `kind` has a letter each: those of a letter predict each other well, small
 * letters share nothing with capital ones; '-' shares nothing with any, '!' is a control, and '='
 * is a linear copy of the one before it. A value is the source's quality, changed by at most
 * `spread` / 2 for each kind of target, and by `noise` / 2 for each row. */
typedef struct pool {
    const char *kind;
    double quality[MOST], spread, noise;
    size_t poor;  /* the embedder whose information is low, from 1; 0: none */
    size_t holes; /* so many values of the first are missing */
    size_t bare;  /* so many values of the first are without their rows */
    bool published, no_rows;
    /* made of it */
    size_t m;
    char name[MOST][96];
    const char *names[MOST];
    double is[MOST * MOST], information[MOST * MOST];
    float row[MOST * MOST][ROWS];
    float *pmi[MOST * MOST];
    bool control[MOST];
    es_decision *decision;
} pool;

static double noise(size_t a, size_t b, size_t c) {
    double x = sin((double)(a * 127 + b * 311 + c * 73 + 17)) * 43758.5453;
    return x - floor(x) - 0.5;
}

static void make_names(pool *p) {
    static const char *const usual[MOST] = {
        "alpha",  "bravo",   "charlie", "delta", "echo",    "foxtrot",  "golf",    "hotel",
        "india",  "juliett", "kilo",    "lima",  "mike",    "november", "oscar",   "papa",
        "quebec", "romeo",   "sierra",  "tango", "uniform", "victor",   "whiskey", "xray"};
    for (size_t i = 0; i < p->m; i++) {
        if (p->name[i][0] == '\0')
            (void)snprintf(p->name[i], sizeof p->name[i], "%s", usual[i]);
        p->names[i] = p->name[i];
        p->control[i] = p->kind[i] == '!';
    }
}

/* The embedder that i is a copy of. */
static size_t origin(const pool *p, size_t i) {
    while (p->kind[i] == '=')
        i--;
    return i;
}

static double shared(const pool *p, size_t s, size_t t) {
    size_t a = origin(p, s), b = origin(p, t);
    char one = p->kind[a], two = p->kind[b];
    if (s == t)
        return 1;
    if (a == b)
        return 0.99;
    if (one == '-' || two == '-' || (isupper(one) != 0) != (isupper(two) != 0))
        return 0.001;
    return (one == two ? 0.7 : 0.3) + 0.1 * p->quality[a] - (p->poor == s + 1 ? 0.2 : 0) +
           0.01 * noise(a, b, 3);
}

static void make_cell(pool *p, size_t s, size_t t) {
    size_t a = origin(p, s), b = origin(p, t), cell = s * p->m + t;
    double mean = 0, value = p->quality[a] + p->spread * noise(a, (size_t)p->kind[b], 1);
    for (size_t k = 0; k < ROWS; k++) {
        p->row[cell][k] = (float)(value + p->noise * noise(s * MOST + t, k, 2));
        mean += (double)p->row[cell][k] / ROWS;
    }
    bool missing = s == 0 && t > 0 && t <= p->holes;
    p->is[cell] = missing ? (double)NAN : mean;
    p->information[cell] = missing ? (double)NAN : shared(p, s, t);
    p->pmi[cell] = missing || (s == 0 && t > 0 && t <= p->bare) ? NULL : p->row[cell];
}

static pool *decide(pool *p) {
    p->m = strlen(p->kind);
    make_names(p);
    for (size_t s = 0; s < p->m; s++)
        for (size_t t = 0; t < p->m; t++)
            make_cell(p, s, t);
    const es_decision_problem problem = {.is = p->is,
                                         .information = p->information,
                                         .pmi = p->no_rows ? NULL : p->pmi,
                                         .m = p->m,
                                         .n_eval = p->no_rows ? 0 : ROWS,
                                         .by_lead = !p->published,
                                         .control = p->control,
                                         .seed = 3};
    assert_ok(es_decision_new(&problem, NULL, &p->decision, NULL));
    return p;
}

static void release(pool *p) {
    es_decision_free(p->decision);
    p->decision = NULL;
}

/* All pairs are known. */
static es_bottom_line_of facts(const pool *p) {
    return (es_bottom_line_of){.decision = p->decision,
                               .name = p->names,
                               .score = "published score",
                               .known = p->m * p->m,
                               .of = p->m * p->m};
}

static es_bottom_line *say(const es_bottom_line_of *of) {
    es_bottom_line *line = NULL;
    assert_ok(es_bottom_line_new(of, &line, NULL));
    return line;
}

/* Whole, and a statement ends where one can stop, the last at the end. */
static void require(const es_bottom_line_of *of, const char *expected) {
    es_bottom_line *line = say(of);
    assert_string_equal(line->sentence, expected);
    assert_true(line->statements > 0);
    for (size_t k = 0; k < line->statements; k++)
        assert_non_null(strchr(".?", line->sentence[line->end[k] - 1]));
    assert_int_equal(line->end[line->statements - 1], strlen(line->sentence));
    es_bottom_line_free(line);
}

/* Of a pool of which nothing more is known. */
static void check(pool *p, const char *expected) {
    const es_bottom_line_of of = facts(decide(p));
    require(&of, expected);
    release(p);
}

/* Quality of embedders: the first `good` are better than the others, which get worse. */
static void grade(pool *p, size_t good) {
    for (size_t i = 0; i < MOST; i++)
        p->quality[i] = i < good ? 0.9 : 0.3 - 0.01 * (double)i;
}

/* ---- The set ---- */

TEST(line__one_candidate__is_named) {
    static pool p = {.kind = "aabbccddeeff", .spread = 0.05, .noise = 0.1};
    grade(&p, 1);
    check(&p, "Best of these: alpha. With other kinds of embedders as reference the best would be, "
              "with 95 % confidence, alpha (1 of 12). Try alpha. The other 11 are clearly behind "
              "alpha. alpha: 1st by information. Reference: 8 kinds of embedders, assumed "
              "independent of each other. Your tasks were not tested.");
}

TEST(line__candidates_at_most_half__are_what_to_try) {
    static pool p = {.kind = "aabbccddeeff", .spread = 0.2, .noise = 0.1};
    grade(&p, 3);
    check(
        &p,
        "Best of these: charlie. With other kinds of embedders as reference the best would be, "
        "with 95 % confidence, charlie, alpha or bravo (3 of 12). Try charlie, alpha, bravo. The "
        "other 9 are clearly behind at least one of these. charlie: 2nd by information. Reference: "
        "8 kinds of embedders, assumed independent of each other. Your tasks were not tested.");
}

TEST(line__more_than_five_candidates__five_are_named) {
    static pool p = {.kind = "aabbccddeeffgghhiijjkkll", .spread = 0.2, .noise = 0.1};
    grade(&p, 9);
    check(&p,
          "Best of these: bravo. With other kinds of embedders as reference the best would be, "
          "with 95 % confidence, bravo, charlie, hotel, echo, delta or one of 4 more (9 of 24). "
          "Try bravo, charlie, hotel, echo, delta. The other 15 are clearly behind at least one of "
          "these. bravo: 5th by information. Its lead comes from its width. Reference: 9 kinds of "
          "embedders, assumed independent of each other. Your tasks were not tested.");
    grade(&p, 6);
    check(&p, "Best of these: bravo. With other kinds of embedders as reference the best would be, "
              "with 95 % confidence, bravo, charlie, echo, delta, alpha or one more (6 of 24). Try "
              "bravo, charlie, echo, delta, alpha. The other 18 are clearly behind at least one of "
              "these. bravo: 3rd by information. Reference: 9 kinds of embedders, assumed "
              "independent of each other. Your tasks were not tested.");
    grade(&p, 5);
    check(&p, "Best of these: bravo. With other kinds of embedders as reference the best would be, "
              "with 95 % confidence, bravo, charlie, echo, delta or alpha (5 of 24). Try bravo, "
              "charlie, echo, delta, alpha. The other 19 are clearly behind at least one of these. "
              "bravo: 3rd by information. Reference: 9 kinds of embedders, assumed independent of "
              "each other. Your tasks were not tested.");
}

TEST(line__not_settled__names_kinds_as_remedy) {
    static pool p = {.kind = "aabbccddeeff", .spread = 0.6, .noise = 0.01};
    grade(&p, 0);
    check(&p, "Not settled: any of 11 (of 12) could be the best. Try golf, charlie, alpha, echo, "
              "kilo first. More kinds of embedders would narrow it (8 now). golf: 5th by "
              "information. Its lead comes from its width. Reference: 8 kinds of embedders, "
              "assumed independent of each other. Your tasks were not tested.");
}

TEST(line__not_settled__names_rows_as_remedy) {
    static pool p = {.kind = "aabbccddeeff", .spread = 0.0001, .noise = 20};
    grade(&p, 0);
    check(&p, "Not settled: any of the 12 could be the best. Try bravo, hotel, juliett, charlie, "
              "alpha first. More rows would narrow it. bravo: 2nd by information. Reference: 8 "
              "kinds of embedders, assumed independent of each other. Your tasks were not tested.");
}

/* More columns than rows to fit are a bias, which no interval holds. */
TEST(line__candidates_wider_than_rows__more_rows_may_change_the_order) {
    static pool p = {.kind = "aabbccddeeff", .spread = 0.2, .noise = 0.1};
    size_t columns[MOST] = {1536, 64, 64, 64, 64, 4096};
    const es_results results = {.m = 12, .dim_used = columns, .n_fit = 1260};
    grade(&p, 3);
    es_bottom_line_of of = facts(decide(&p));
    of.results = &results;
    require(
        &of,
        "Best of these: charlie. With other kinds of embedders as reference the best would be, "
        "with 95 % confidence, charlie, alpha or bravo (3 of 12). Try charlie, alpha, bravo. The "
        "other 9 are clearly behind at least one of these. alpha has more columns than fitting "
        "rows (1,260): more rows may change the order. charlie: 2nd by information. Reference: 8 "
        "kinds of embedders, assumed independent of each other. Your tasks were not tested.");
    columns[2] = 2000;
    require(&of, "Best of these: charlie. With other kinds of embedders as reference the best "
                 "would be, with 95 % confidence, charlie, alpha or bravo (3 of 12). Try charlie, "
                 "alpha, bravo. The other 9 are clearly behind at least one of these. 2 candidates "
                 "have more columns than fitting rows (1,260): more rows may change the order. "
                 "charlie: 2nd by information. Reference: 8 kinds of embedders, assumed "
                 "independent of each other. Your tasks were not tested.");
    release(&p);
}

/* ---- What is not ranked ---- */

TEST(line__few_kinds__speaks_of_these_alone) {
    static pool p = {.kind = "abcd", .spread = 0.1, .noise = 0.1};
    static pool three = {.kind = "abc", .spread = 0.1, .noise = 0.1};
    grade(&p, 0);
    check(&p,
          "Too few different embedders to generalise (4 kinds; 5 are needed). Among these, alpha "
          "predicts most of the others, then bravo and charlie. alpha: 1st by information.");
    grade(&three, 0);
    check(&three,
          "Too few different embedders to generalise (3 kinds; 5 are needed). Among these, alpha "
          "predicts most of the others, then bravo and charlie. alpha: 1st by information.");
}

TEST(line__one_or_two__asks_for_another) {
    static pool one = {.kind = "a"}, two = {.kind = "ab"}, beside = {.kind = "ab!"};
    static pool related = {.kind = "ab-"}, copied = {.kind = "ab="}, same = {.kind = "a=="};
    check(&one, "One embedder: at least two more are needed to rank.");
    check(&two, "Two embedders: a third is needed to rank. Compare shows the two side by side.");
    check(&beside, "Two embedders: a third is needed to rank. Compare shows the two side by side.");
    check(&related,
          "Only two different embedders are related: a third is needed to rank. charlie shares "
          "nothing with the others: not ranked, no vote. Are its rows in the same order?");
    check(&copied, "Only two different embedders are related: a third is needed to rank. charlie "
                   "is a linear copy of bravo: one vote for both.");
    check(&same, "All are linear copies of each other: there is nothing to rank. bravo and charlie "
                 "are linear copies of alpha: one vote for all three.");
}

TEST(line__no_related_pair__asks_for_the_order_of_rows) {
    static pool p = {.kind = "------!", .noise = 0.1};
    check(&p, "No embedder predicts anything of another on these rows, so nothing can be ranked. "
              "Are the rows in the same order?");
}

TEST(line__no_value__says_so) {
    static pool p = {.kind = "abcdef"};
    decide(&p);
    release(&p);
    for (size_t k = 0; k < p.m * p.m; k++)
        p.is[k] = p.information[k] = (double)NAN;
    const es_decision_problem problem = {.is = p.is, .m = p.m, .by_lead = true};
    assert_ok(es_decision_new(&problem, NULL, &p.decision, NULL));
    const es_bottom_line_of of = facts(&p);
    require(&of, "No embedder has a score.");
    release(&p);
}

TEST(line__controls_alone__nothing_to_rank) {
    static pool p = {.kind = "!!!!!!"};
    check(&p, "All 6 are controls (noise, shuffled rows): there is nothing to rank.");
}

TEST(line__unrelated__are_named) {
    static pool one = {.kind = "aabbccddeeff-", .spread = 0.05, .noise = 0.1};
    static pool two = {.kind = "aabbccddeeff--", .spread = 0.05, .noise = 0.1};
    grade(&one, 1);
    grade(&two, 1);
    check(&one, "Best of these: alpha. With other kinds of embedders as reference the best would "
                "be, with 95 % confidence, alpha (1 of 12). Try alpha. The other 11 are clearly "
                "behind alpha. mike shares nothing with the others: not ranked, no vote. Are its "
                "rows in the same order? alpha: 1st by information. Reference: 8 kinds of "
                "embedders, assumed independent of each other. Your tasks were not tested.");
    check(&two,
          "Best of these: alpha. With other kinds of embedders as reference the best would be, "
          "with 95 % confidence, alpha (1 of 12). Try alpha. The other 11 are clearly behind "
          "alpha. mike and november share nothing with the others: not ranked, no vote. Are their "
          "rows in the same order? alpha: 1st by information. Reference: 8 kinds of embedders, "
          "assumed independent of each other. Your tasks were not tested.");
}

TEST(line__groups_that_share_nothing__are_a_warning) {
    static pool two = {.kind = "aabbccddeeffXXYYZ", .spread = 0.05, .noise = 0.1};
    static pool stranger = {.kind = "aabbccddeeffXY-", .spread = 0.05, .noise = 0.1};
    static pool pairs = {.kind = "abXY", .spread = 0.05, .noise = 0.1};
    grade(&two, 1);
    grade(&stranger, 1);
    grade(&pairs, 1);
    check(&two, "mike, november, oscar, papa and quebec predict nothing of the other embedders, "
                "and are predicted by none of them. Their rows may be in another order, or of "
                "other texts. Among the rest, alpha predicts most of the others, then "
                "bravo and charlie. alpha: 1st by information.");
    check(&stranger, "mike and november predict nothing of the other embedders, and are predicted "
                     "by none of them. Their rows may be in another order, or of other texts. "
                     "Among the rest, alpha predicts most of the others, then bravo and "
                     "charlie. oscar shares nothing with the others: not ranked, no vote. Are its "
                     "rows in the same order? alpha: 1st by information.");
    check(&pairs,
          "charlie and delta predict nothing of the other embedders, and are predicted by none of "
          "them. Their rows may be in another order, or of other texts.");
    static pool level = {.kind = "abcXYZ", .spread = 0.05, .noise = 0.1};
    grade(&level, 1);
    check(&level, "delta, echo and foxtrot predict nothing of the other embedders, and are "
                  "predicted by none of them. Their rows may be in another order, or of other "
                  "texts. The groups are of one size, and the first is ranked; for the other: "
                  "--models delta,echo,foxtrot. Among the rest, alpha predicts most of the others, "
                  "then bravo and charlie. alpha: 1st by information.");
}

TEST(line__groups_by_their_names__are_parts) {
    static pool parts = {
        .kind = "abXY", .spread = 0.05, .noise = 0.1, .name = {"e5_0", "gte_0", "e5_1", "gte_1"}};
    static pool others[] = {
        {.kind = "abXY", .spread = 0.05, .noise = 0.1, .name = {"a_0", "b_0", "c_1", "d_1"}},
        {.kind = "abXY", .spread = 0.05, .noise = 0.1, .name = {"a_0", "b_1", "a_2", "b_3"}},
        {.kind = "abXY", .spread = 0.05, .noise = 0.1, .name = {"a", "b", "a_1", "b_1"}}};
    grade(&parts, 1);
    check(&parts,
          "e5_1 and gte_1 predict nothing of the other embedders, and are predicted by none "
          "of them. By their names they are parts of one matrix each: join them, "
          "np.save('e5.npy', np.concatenate([np.load('e5_0.npy'), np.load('e5_1.npy')])).");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char expected[300];
        grade(&others[i], 1);
        (void)snprintf(
            expected, sizeof expected,
            "%s and %s predict nothing of the other embedders, and are predicted by none "
            "of them. Their rows may be in another order, or of other texts.",
            others[i].name[2], others[i].name[3]);
        check(&others[i], expected);
    }
}

TEST(line__copies__have_one_vote) {
    static pool one = {.kind = "a=bbccddeeff", .spread = 0.05, .noise = 0.1};
    static pool three = {.kind = "a===bbccddeeff", .spread = 0.05, .noise = 0.1};
    static pool several = {.kind = "abb=ccdd=eeff==", .spread = 0.05, .noise = 0.1};
    grade(&one, 1);
    grade(&three, 1);
    grade(&several, 1);
    check(&one,
          "Best of these: alpha. With other kinds of embedders as reference the best would be, "
          "with 95 % confidence, alpha (1 of 11). Try alpha. The other 10 are clearly behind "
          "alpha. bravo is a linear copy of alpha: one vote for both. alpha: 4th by information. "
          "Its lead comes from its width. Reference: 7 kinds of "
          "embedders, assumed independent of each other. Your tasks were not tested.");
    check(
        &three,
        "Best of these: alpha. With other kinds of embedders as reference the best would be, with "
        "95 % confidence, alpha (1 of 11). Try alpha. The other 10 are clearly behind alpha. "
        "bravo, charlie and delta are linear copies of alpha: one vote for all four. alpha: 3rd by "
        "information. Reference: "
        "7 kinds of embedders, assumed independent of each other. Your tasks were not tested.");
    check(&several,
          "Best of these: alpha. With other kinds of embedders as reference the best would be, "
          "with 95 % confidence, alpha (1 of 11). Try alpha. The other 10 are clearly behind "
          "alpha. delta is a linear copy of charlie: one vote for both. india is a linear copy of "
          "hotel: one vote for both. november and oscar are linear copies of mike: one vote for "
          "all three. alpha: 5th by information. Its lead comes from its width. Reference: 7 kinds "
          "of embedders, assumed independent of each other. Your tasks were not tested.");
}

/* What documents have beside the sentence. settled_by NULL: nothing is open. */
static void require_facts(pool *p, const char *settled_by, bool groups, size_t unrelated) {
    const es_bottom_line_of of = facts(decide(p));
    es_bottom_line *line = say(&of);
    assert_int_equal(line->settled_by == NULL, settled_by == NULL);
    if (settled_by)
        assert_string_equal(line->settled_by, settled_by);
    assert_int_equal(p->decision->groups, groups);
    assert_int_equal(line->unrelated_count, unrelated);
    for (size_t k = 0; k < unrelated; k++)
        assert_int_equal(p->decision->standing[line->unrelated[k]], ES_STANDING_UNRELATED);
    es_bottom_line_free(line);
    release(p);
}

TEST(facts__beside_the_sentence__are_of_the_decision) {
    static pool clear = {.kind = "aabbccddeeff", .spread = 0.05, .noise = 0.1};
    static pool tie = {.kind = "aabbccddeeff-", .spread = 0.6, .noise = 0.01};
    static pool noisy = {.kind = "aabbccddeeff", .spread = 0.0001, .noise = 20};
    static pool few = {.kind = "abcd", .spread = 0.1, .noise = 0.1};
    static pool two = {.kind = "aabbccddeeffXXYYZ", .spread = 0.05, .noise = 0.1};
    static pool alone = {.kind = "----"};
    grade(&clear, 1);
    require_facts(&clear, NULL, false, 0);
    require_facts(&tie, "kinds", false, 1);
    require_facts(&noisy, "rows", false, 0);
    require_facts(&few, "kinds", false, 0);
    require_facts(&two, NULL, true, 5);
    require_facts(&alone, NULL, false, 4);
}

/* ---- Information and width ---- */

TEST(line__lead_from_width__is_said) {
    static pool p = {.kind = "aabbccddeeff", .spread = 0.05, .noise = 0.1, .poor = 1};
    double width[MOST];
    size_t columns[MOST];
    const es_results results = {.m = 12, .dim_used = columns, .n_fit = 5000};
    for (size_t i = 0; i < MOST; i++) {
        width[i] = i == 0 ? 100.4 : 43 - (double)i;
        columns[i] = 768;
    }
    grade(&p, 1);
    es_bottom_line_of of = facts(decide(&p));
    of.width = width;
    of.results = &results;
    require(&of,
            "Best of these: alpha. With other kinds of embedders as reference the best would be, "
            "with 95 % confidence, alpha (1 of 12). Try alpha. The other 11 are clearly behind "
            "alpha. alpha: 12th by information, 1st by width (100 of its 768 dimensions are shared "
            "with other kinds). Its lead comes from its width. Reference: 8 kinds of embedders, "
            "assumed independent of each other. Your tasks were not tested.");
    release(&p);
}

TEST(parts__of_any_embedder__are_places_and_width) {
    static pool p = {.kind = "aabbccddeeff!-", .spread = 0.05, .noise = 0.1};
    double width[MOST];
    size_t columns[MOST] = {[1] = 100, [11] = 1};
    const es_results results = {.m = 14, .dim_used = columns};
    es_buf *out = test_buf();
    for (size_t i = 0; i < MOST; i++)
        width[i] = i == 3 ? (double)NAN : i == 11 ? 0.8 : 43 - 2 * (double)i;
    grade(&p, 1);
    es_bottom_line_of of = facts(decide(&p));
    es_bottom_line_put_parts(&of, 1, out);
    assert_string_equal(out->data, "bravo: 2nd by information.");
    es_buf_clear(out);
    of.width = width;
    of.results = &results;
    static const struct {
        size_t embedder;
        const char *said;
    } cases[] = {
        {1, "bravo: 2nd by information, 2nd by width (41 of its 100 dimensions are shared with "
            "other kinds)."},
        {2,
         "charlie: 3rd by information, 3rd by width (39 dimensions are shared with other kinds)."},
        {3, "delta: 4th by information."},
        {11, "lima: 11th by information, 11th by width (1 of its 1 dimension is shared with other "
             "kinds)."}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        es_buf_clear(out);
        es_bottom_line_put_parts(&of, cases[k].embedder, out);
        assert_string_equal(out->data, cases[k].said);
    }
    es_buf_clear(out);
    es_bottom_line_put_parts(&of, 12, out); /* a control */
    es_bottom_line_put_parts(&of, 13, out); /* unrelated */
    assert_int_equal(out->length, 0);
    assert_int_equal(es_bottom_line_width_rank(p.decision, width, 0), 1);
    assert_int_equal(es_bottom_line_width_rank(p.decision, width, 4), 4); /* one is not known */
    assert_int_equal(es_bottom_line_width_rank(p.decision, width, 3), 0);
    assert_int_equal(es_bottom_line_width_rank(p.decision, width, 12), 0);
    assert_int_equal(es_bottom_line_width_rank(p.decision, NULL, 0), 0);
    release(&p);
}

/* ---- Two embedders ---- */

static void require_words(const es_bottom_line_of *of, size_t a, size_t b, const char *expected) {
    es_buf *out = test_buf();
    es_bottom_line_put_pair(of, a, b, out);
    assert_string_equal(out->data, expected);
}

/* The one that is ahead is named first, in whatever order they are given. */
static void require_pair(const es_bottom_line_of *of, size_t a, size_t b, const char *expected) {
    require_words(of, a, b, expected);
    require_words(of, b, a, expected);
}

TEST(pair__of_each_kind__is_one_sentence) {
    static pool p = {.kind = "aabbccddeeff-", .spread = 0.1, .noise = 0.1};
    static pool few = {.kind = "abcd", .spread = 0.1, .noise = 0.1};
    static pool near = {.kind = "aabbccddeeff", .spread = 0.1, .noise = 20};
    grade(&p, 1);
    es_bottom_line_of of = facts(decide(&p));
    require_pair(&of, 0, 4, "alpha is ahead of echo by 0.632 ± 0.047 with 6 kinds as reference.");
    require_pair(&of, 6, 8,
                 "No difference is shown: golf leads india by 0.032 ± 0.067 with 6 kinds as "
                 "reference. More rows would not change their order among these kinds.");
    require_words(&of, 0, 12, "No reference embedder compares alpha with mike.");
    grade(&near, 0);
    of = facts(decide(&near));
    require_pair(
        &of, 0, 4,
        "No difference is shown: echo leads alpha by 0.040 ± 0.782 with 6 kinds as reference.");
    grade(&few, 0);
    of = facts(decide(&few));
    require_pair(&of, 0, 1,
                 "Among these, bravo leads alpha by 0.025. Too few kinds of embedders to say more "
                 "(4; 5 are needed). More rows would not change their order among these kinds.");
    p.published = true;
    release(&p);
    of = facts(decide(&p));
    require_pair(&of, 0, 1, "The published score does not show which of the two is ahead.");
    release(&p);
    release(&few);
    release(&near);
}

/* Families may leave a single kind that compares two: no error is known then. */
TEST(pair__compared_by_one_kind__has_no_error) {
    static pool p = {.kind = "abcdef", .spread = 0.1, .noise = 0.1};
    const uint32_t family[] = {0, 1, 0, 0, 1, 5};
    grade(&p, 1);
    decide(&p);
    release(&p);
    const es_decision_problem problem = {.is = p.is,
                                         .information = p.information,
                                         .pmi = p.pmi,
                                         .m = p.m,
                                         .n_eval = ROWS,
                                         .by_lead = true,
                                         .family = family};
    assert_ok(es_decision_new(&problem, NULL, &p.decision, NULL));
    const es_bottom_line_of of = facts(&p);
    require_pair(&of, 0, 1,
                 "No difference is shown: alpha leads bravo by 0.643 with 1 kind as reference. "
                 "More rows would not change their order among these kinds.");
    release(&p);
}

/* ---- Other scores, runs that go on, faults ---- */

TEST(line__other_score__has_no_best) {
    static pool p = {.kind = "aabbccddeeff-", .spread = 0.1, .noise = 0.1, .published = true};
    static pool two = {.kind = "ab", .quality = {0.2, 0.5}, .published = true};
    grade(&p, 1);
    es_bottom_line_of of = facts(decide(&p));
    require(
        &of,
        "By the published score, alpha is first, then charlie and bravo. This score does not say "
        "which is the best. `embedscope estimate` adds the default score within seconds. mike "
        "shares nothing with the others: not ranked, no vote. Are its rows in the same order?");
    of.default_known = true;
    require(
        &of,
        "By the published score, alpha is first, then charlie and bravo. This score does not say "
        "which is the best. The default score does: leave out --score and --estimator. mike shares "
        "nothing with the others: not ranked, no vote. Are its rows in the same order?");
    of = facts(decide(&two));
    of.default_known = true;
    require(&of, "By the published score, bravo is first. This score does not say which is the "
                 "best. The default score does: leave out --score and --estimator.");
    release(&p);
    release(&two);
}

TEST(line__partial_run__names_the_first_so_far) {
    static pool p = {.kind = "aabbccddeeff", .spread = 0.05, .noise = 0.1};
    const es_results failing = {.m = 12, .failed = 2};
    grade(&p, 1);
    es_bottom_line_of of = facts(decide(&p));
    of.known = 40;
    require(&of, "Ranking after 40 of 144 pairs: alpha is first so far, of 12 ranked.");
    of.results = &failing;
    require(&of, "Ranking after 38 of 144 pairs (2 failed): alpha is first so far, of 12 ranked.");
    release(&p);
    static pool none = {.kind = "------"};
    of = facts(decide(&none));
    of.known = 6;
    require(&of, "Ranking after 6 of 36 pairs: no embedder is ranked yet.");
    release(&none);
}

TEST(line__values_that_are_missing__are_counted) {
    static pool p = {.kind = "aabbccddeeff", .spread = 0.05, .noise = 0.1, .holes = 1};
    grade(&p, 1);
    check(&p, "Best of these: alpha. With other kinds of embedders as reference the best would be, "
              "with 95 % confidence, alpha (1 of 12). Try alpha. The other 11 are clearly behind "
              "alpha. 1 of 132 pairs has no value: not all embedders are compared by the same "
              "reference embedders. alpha: 2nd by information. Reference: 8 kinds of embedders, "
              "assumed independent of each other. Your tasks were not tested.");
    p.holes = 2;
    check(&p, "Best of these: alpha. With other kinds of embedders as reference the best would be, "
              "with 95 % confidence, alpha (1 of 12). Try alpha. The other 11 are clearly behind "
              "alpha. 2 of 132 pairs have no value: not all embedders are compared by the same "
              "reference embedders. alpha: 1st by information. Reference: 8 kinds of embedders, "
              "assumed independent of each other. Your tasks were not tested.");
}

/* One value without those of its rows: then kinds alone are the sample, and that is said. */
TEST(line__values_without_rows__are_counted) {
    static pool p = {.kind = "aabbccddeeff", .spread = 0.05, .noise = 0.1, .bare = 1};
    grade(&p, 1);
    check(&p, "Best of these: alpha. With other kinds of embedders as reference the best would be, "
              "with 95 % confidence, alpha (1 of 12). Try alpha. The other 11 are clearly behind "
              "alpha. The error from sampling rows is not included: 1 of 132 pairs is stored "
              "without values of single rows. `embedscope estimate` computes it again. alpha: 1st "
              "by information. Reference: 8 kinds of embedders, assumed independent of each other. "
              "Your tasks were not tested.");
    p.bare = 2;
    check(&p, "Best of these: alpha. With other kinds of embedders as reference the best would be, "
              "with 95 % confidence, alpha (1 of 12). Try alpha. The other 11 are clearly behind "
              "alpha. The error from sampling rows is not included: 2 of 132 pairs are stored "
              "without values of single rows. `embedscope estimate` computes them again. alpha: "
              "1st by information. Reference: 8 kinds of embedders, assumed independent of each "
              "other. Your tasks were not tested.");
    p.no_rows = true;
    check(&p, "Best of these: alpha. With other kinds of embedders as reference the best would be, "
              "with 95 % confidence, alpha (1 of 12). Try alpha. The other 11 are clearly behind "
              "alpha. alpha: 1st by information. Reference: 8 kinds of embedders, assumed "
              "independent of each other. Your tasks were not tested.");
}

TEST(line__grave_findings__end_it) {
    static pool p = {.kind = "aabbccddeeff", .spread = 0.05, .noise = 0.1};
    char *word[] = {(char *)(uintptr_t) "9 of 20 rows are copies of others: keep one of each",
                    (char *)(uintptr_t) "e5.npy.ids.txt: not read; if it holds the ids, rename it"};
    const es_words grave = {.word = word, .count = 2};
    grade(&p, 1);
    es_bottom_line_of of = facts(decide(&p));
    of.grave = &grave;
    require(&of, "Best of these: alpha. With other kinds of embedders as reference the best would "
                 "be, with 95 % confidence, alpha (1 of 12). Try alpha. The other 11 are clearly "
                 "behind alpha. alpha: 1st by information. Reference: 8 kinds of embedders, "
                 "assumed independent of each other. Your tasks were not tested. But 9 of 20 rows "
                 "are copies of others. Also, e5.npy.ids.txt: not read.");
    of.known = 40;
    require(&of, "Ranking after 40 of 144 pairs: alpha is first so far, of 12 ranked. But 9 of 20 "
                 "rows are copies of others. Also, e5.npy.ids.txt: not read.");
    release(&p);
}

TEST(line__long_names__stay_whole) {
    static pool p = {.kind = "aabbccddeeff", .spread = 0.2, .noise = 0.1};
    for (size_t i = 0; i < 12; i++)
        (void)snprintf(p.name[i], sizeof p.name[i],
                       "multilingual-%c-large-instruct-with-a-name-that-goes-on-until-eighty-v%zu",
                       (char)('a' + i), 100 + i);
    grade(&p, 2);
    check(
        &p,
        "Best of these: multilingual-a-large-instruct-with-a-name-that-goes-on-until-eighty-v100. "
        "With other kinds of embedders as reference the best would be, with 95 % confidence, "
        "multilingual-a-large-instruct-with-a-name-that-goes-on-until-eighty-v100 or "
        "multilingual-b-large-instruct-with-a-name-that-goes-on-until-eighty-v101 (2 of 12). Try "
        "multilingual-a-large-instruct-with-a-name-that-goes-on-until-eighty-v100, "
        "multilingual-b-large-instruct-with-a-name-that-goes-on-until-eighty-v101. The other 10 "
        "are clearly behind at least one of these. "
        "multilingual-a-large-instruct-with-a-name-that-goes-on-until-eighty-v100: 1st by "
        "information. Reference: 8 kinds of embedders, assumed independent of each other. Your "
        "tasks were not tested.");
}

/* ---- Of any decision ---- */

/* Some are copies, some controls or unrelated, some values are missing. */
static void draw(pool *p, es_rng *rng) {
    static char kind[MOST + 1];
    size_t m = 1 + es_rng_below(rng, MOST), letters = 1 + es_rng_below(rng, 12);
    memset(p, 0, sizeof *p);
    for (size_t i = 0; i < m; i++) {
        double u = es_rng_uniform(rng);
        kind[i] = (char)('a' + es_rng_below(rng, letters));
        kind[i] = u < 0.03 ? '-' : u < 0.06 ? '!' : u < 0.1 && i > 0 ? '=' : kind[i];
        kind[i] = u > 0.97 ? 'X' : kind[i];
        p->quality[i] = 0.5 * es_rng_uniform(rng);
    }
    kind[m] = '\0';
    p->kind = kind;
    p->spread = es_rng_uniform(rng);
    p->noise = 4 * es_rng_uniform(rng);
    p->holes = es_rng_below(rng, 4) == 0 ? es_rng_below(rng, m) : 0;
    p->published = es_rng_below(rng, 8) == 0;
}

static void require_no_lease(const es_bottom_line *line, uint64_t seed) {
    static const char *const leases[] = {"ettled",   "clearly", "est of these", "could be the best",
                                         "would be", "Try "};
    for (size_t k = 0; k < sizeof leases / sizeof *leases; k++)
        if (strstr(line->sentence, leases[k]))
            fail_msg("draw %u: %s", (unsigned)seed, line->sentence);
    assert_int_equal(line->best_count, 0);
    assert_int_equal(line->advised, 0);
    assert_int_equal(line->first, SIZE_MAX);
}

static void require_advice(const es_decision *d, const es_bottom_line *line) {
    size_t k = 0;
    for (size_t at = 0; at < d->scored; at++)
        if (d->best[d->order[at]] && d->first[d->order[at]] == d->order[at])
            assert_int_equal(line->best_set[k++], d->order[at]);
    assert_int_equal(line->best_count, k);
    assert_true(k > 0);
    assert_int_equal(line->first, line->best_set[0]);
    assert_int_equal(line->first, d->order[0]);
    assert_int_equal(line->advised, k < 5 ? k : 5);
}

/* "Behind", if it is said, is of whom it is said. */
static bool require_rest(const es_decision *d, const es_bottom_line *line) {
    bool candidates = true;
    for (size_t j = 0; j < d->m; j++) {
        bool behind = d->best[j] || d->ranking->rank[j] == 0;
        for (size_t k = 0; k < d->m; k++)
            behind = behind || (d->best[k] && d->ahead[k * d->m + j]);
        candidates = candidates && behind;
    }
    if (2 * line->best_count <= d->counted)
        assert_int_equal(strstr(line->sentence, "is clearly behind another embedder") == NULL,
                         candidates);
    else
        assert_lacks(line->sentence, "clearly");
    return candidates;
}

TEST(line__random_decisions__lease_what_is_decided) {
    static pool p;
    size_t said = 0, silent = 0, others = 0;
    es_rng rng = test_rng(11, 5);
    for (uint64_t seed = 0; seed < 80; seed++) {
        draw(&p, &rng);
        const es_bottom_line_of of = facts(decide(&p));
        es_bottom_line *line = say(&of);
        if (p.decision->said) {
            require_advice(p.decision, line);
            others += !require_rest(p.decision, line);
            said++;
        } else {
            require_no_lease(line, seed);
            silent++;
        }
        assert_non_null(strchr(".?", line->sentence[strlen(line->sentence) - 1]));
        assert_lacks(line->sentence, "  ");
        assert_lacks(line->sentence, "nan");
        es_bottom_line_free(line);
        release(&p);
    }
    assert_true(said > 24 && silent > 16 && others > 0);
}

/* ---- Downstream ---- */

/* The mean over all orders of equal scores, by trying all. */
