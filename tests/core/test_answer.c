/* Who is ranked, kinds, leads, the set and shared dimensions, against numbers by NumPy
 * (tests/reference/ranking/answer.py), and the rule that ties the set to "shown ahead". */
#include "testing.h"
#include "core_ranking.h"
#include "core_ranking_parts.h"

/* ---- Reference numbers ---- */

/* The array of a name; caller frees. */
static double *reference(const char *tag, const char *name, size_t *n) {
    char wanted[64], word[64];
    double *out = NULL;
    FILE *f = fopen(ES_TEST_DATA "/reference/ranking/answer.txt", "r");
    assert_non_null(f);
    (void)snprintf(wanted, sizeof wanted, "%s_%s", tag, name);
    while (!out && fscanf(f, "%63s %zu", word, n) == 2) {
        double *values = malloc((*n + 1) * sizeof *values);
        assert_non_null(values);
        for (size_t i = 0; i < *n; i++)
            assert_int_equal(fscanf(f, "%lf", &values[i]), 1);
        if (strcmp(word, wanted) == 0)
            out = values;
        else
            free(values);
    }
    (void)fclose(f);
    if (!out)
        fail_msg("no reference called %s", wanted);
    return out;
}

/* A pool of the reference as a problem. */
typedef struct pool {
    size_t m, who_n;
    double *info, *is, *block, *who;
    float *row;
    float **pmi;
    uint32_t *family;
    bool *control;
    es_decision_problem problem;
} pool;

static pool pool_of(const char *tag, bool named) {
    size_t n;
    pool p = {0};
    p.info = reference(tag, "info", &n);
    p.m = (size_t)sqrt((double)n);
    p.is = reference(tag, "m", &n);
    p.block = reference(tag, "hand", &n);
    size_t blocks = n / (p.m * p.m);
    p.who = reference(tag, "who", &p.who_n);
    double *family = reference(tag, "family", &n);
    p.row = calloc(p.m * p.m * blocks, sizeof *p.row);
    p.pmi = calloc(p.m * p.m, sizeof *p.pmi);
    p.family = calloc(p.m, sizeof *p.family);
    p.control = calloc(p.m, sizeof *p.control);
    for (size_t i = 0; i < p.m * p.m * blocks; i++)
        p.row[i] = (float)p.block[i];
    for (size_t i = 0; i < p.m * p.m; i++)
        p.pmi[i] = p.row + i * blocks;
    for (size_t i = 0; i < p.m; i++) {
        p.family[i] = (uint32_t)family[i];
        p.control[i] = named && i == 11; /* "noise" */
    }
    free(family);
    p.problem = (es_decision_problem){.is = p.is,
                                      .information = p.info,
                                      .pmi = p.pmi,
                                      .m = p.m,
                                      .n_eval = blocks,
                                      .by_lead = true,
                                      .largest_alone = true,
                                      .family = named ? p.family : NULL,
                                      .control = p.control,
                                      .draws = 20000};
    return p;
}

static void pool_free(pool *p) {
    free(p->info);
    free(p->is);
    free(p->block);
    free(p->who);
    free(p->row);
    free(p->pmi);
    free(p->family);
    free(p->control);
}

static es_decision *decide(const es_decision_problem *problem) {
    es_decision *x = NULL;
    assert_ok(es_decision_new(problem, NULL, &x, test_err()));
    return x;
}

static void assert_near(double got, double wanted, double tolerance, const char *what, size_t at) {
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%s %zu: %.12g, expected %.12g", what, at, got, wanted);
}

static void assert_as_reference(const char *tag, bool named, bool said) {
    pool p = pool_of(tag, named);
    es_decision *x = decide(&p.problem);
    size_t n, m = p.m;
    double *kind = reference(tag, "kind", &n), *first = reference(tag, "first", &n);
    double *lead = reference(tag, "lead", &n), *information = reference(tag, "information", &n);
    double *delta = reference(tag, "delta", &n);
    assert_int_equal(x->scored, p.who_n);
    for (size_t i = 0; i < m; i++) {
        assert_int_equal(x->kind[i], kind[i] < 0 ? UINT32_MAX : (uint32_t)kind[i]);
        assert_int_equal(x->first[i], (uint32_t)first[i]);
    }
    for (size_t a = 0; a < p.who_n; a++) {
        size_t i = (size_t)p.who[a];
        assert_near(x->ranking->score[i], lead[a], 1e-6, "lead", i);
        assert_near(x->information[i], information[a], 1e-6, "information", i);
        for (size_t b = 0; b < p.who_n; b++)
            assert_near(x->delta[i * m + (size_t)p.who[b]], delta[a * p.who_n + b], 1e-6, "delta",
                        i);
    }
    assert_int_equal(x->said, said);
    if (said) {
        double *se = reference(tag, "se", &n), *best = reference(tag, "best", &n);
        double *low = reference(tag, "low", &n), *high = reference(tag, "high", &n);
        double *nu = reference(tag, "nu", &n);
        assert_near(x->nu, *nu, 1e-12, "degrees of freedom", 0);
        for (size_t a = 0; a < p.who_n; a++) {
            size_t i = (size_t)p.who[a];
            assert_int_equal(x->best[i], best[a] > 0);
            double shown = x->best[i] ? 1 : fmax(2, low[a]);
            assert_near(x->rank_low[i], shown, 1, "low", i);
            assert_near(x->rank_high[i], high[a], 1, "high", i);
            for (size_t b = 0; b < p.who_n; b++)
                if (a != b)
                    assert_near(es_decision_error(x, i, (size_t)p.who[b]), se[a * p.who_n + b],
                                2e-6, "error", i);
        }
        free(se);
        free(best);
        free(low);
        free(high);
        free(nu);
    }
    free(kind);
    free(first);
    free(lead);
    free(information);
    free(delta);
    es_decision_free(x);
    pool_free(&p);
}

TEST(answer__reference__families_named) {
    assert_as_reference("families", true, true);
}

TEST(answer__reference__no_families) {
    assert_as_reference("none", false, true);
}

TEST(answer__reference__four_embedders) {
    assert_as_reference("four", false, false);
}

/* ---- Whatever the numbering ---- */

TEST(answer__order__does_not_depend_on_numbering) {
    pool p = pool_of("none", false);
    uint32_t back[14], order[14];
    double info[14 * 14], is[14 * 14];
    float *pmi[14 * 14];
    es_decision_problem other = p.problem;
    for (uint32_t i = 0; i < 14; i++) { /* new number k holds what was number 13 - k */
        back[i] = 13 - i;
        order[i] = 13 - i;
    }
    for (size_t a = 0; a < 14; a++)
        for (size_t b = 0; b < 14; b++) {
            size_t from = back[a] * (size_t)14 + back[b];
            info[a * 14 + b] = p.info[from];
            is[a * 14 + b] = p.is[from];
            pmi[a * 14 + b] = p.pmi[from];
        }
    other.is = is;
    other.information = info;
    other.pmi = pmi;
    other.order = order;
    es_decision *one = decide(&p.problem), *two = decide(&other);
    for (size_t i = 0; i < 14; i++) {
        size_t j = back[i];
        assert_int_equal(one->best[i], two->best[j]);
        assert_int_equal(one->rank_low[i], two->rank_low[j]);
        assert_int_equal(one->rank_high[i], two->rank_high[j]);
        assert_int_equal(one->ranking->rank[i], two->ranking->rank[j]);
        assert_int_equal(one->kind[i], two->kind[j]);
    }
    es_decision_free(one);
    es_decision_free(two);
    pool_free(&p);
}

/* ---- One rule for all signs ---- */

enum { MOST = 24, BLOCKS = 16 };

typedef struct made {
    double is[MOST * MOST];
    float row[MOST * MOST][BLOCKS];
    float *pmi[MOST * MOST];
    uint32_t family[MOST];
} made;

/* Embedders of random quality with effects of target kinds and rows, some values missing. */
static es_decision_problem make(made *x, size_t m, uint64_t seed) {
    es_rng rng = test_rng(seed, 9);
    double gap = 0.3 * es_rng_uniform(&rng), noise = 0.3 * es_rng_uniform(&rng);
    bool gaps = es_rng_uniform(&rng) < 0.3;
    for (size_t i = 0; i < m; i++)
        x->family[i] = (uint32_t)(es_rng_uniform(&rng) * 9);
    for (size_t c = 0; c < m * m; c++) {
        double mean = 0, whole = c / m == c % m ? 3 : 1; /* nobody is a copy */
        double value = whole - gap * (double)(c / m) / (double)m + noise * es_rng_normal(&rng);
        for (size_t h = 0; h < BLOCKS; h++) {
            x->row[c][h] = (float)(value + 0.1 * es_rng_normal(&rng));
            mean += (double)x->row[c][h] / BLOCKS;
        }
        bool missing = gaps && es_rng_uniform(&rng) < 0.05;
        x->is[c] = missing ? (double)NAN : mean;
        x->pmi[c] = missing ? NULL : x->row[c];
    }
    return (es_decision_problem){.is = x->is,
                                 .pmi = x->pmi,
                                 .m = m,
                                 .n_eval = BLOCKS,
                                 .by_lead = true,
                                 .family = seed % 2 ? x->family : NULL,
                                 .draws = 400,
                                 .seed = seed};
}

static void assert_one_rule(const es_decision *d, uint64_t seed) {
    size_t members = 0;
    for (size_t j = 0; j < d->m; j++) {
        bool behind = false;
        for (size_t k = 0; k < d->m; k++) {
            behind = behind || d->ahead[k * d->m + j];
            if (d->ahead[k * d->m + j] && d->ahead[j * d->m + k])
                fail_msg("seed %u: %zu and %zu are each ahead of the other", (unsigned)seed, j, k);
        }
        if (d->ranking->rank[j] == 0)
            continue;
        members += d->best[j];
        if (d->best[j] == behind)
            fail_msg("seed %u: embedder %zu", (unsigned)seed, j);
        assert_true(d->best[j] ? d->rank_low[j] == 1 : d->rank_low[j] >= 2);
        assert_true(d->rank_low[j] <= d->ranking->rank[j]);
        assert_true(d->rank_high[j] >= d->ranking->rank[j]);
        assert_true(d->low[j] <= d->ranking->score[j] && d->ranking->score[j] <= d->high[j]);
    }
    assert_true(members > 0);
    assert_true(d->best[d->order[0]]);
}

TEST(answer__random__outside_the_set_exactly_if_somebody_is_ahead) {
    static made x;
    size_t said = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        es_decision_problem p = make(&x, 6 + seed % (MOST - 5), seed);
        es_decision *d = decide(&p);
        if (d->said) {
            assert_one_rule(d, seed);
            said++;
        }
        es_decision_free(d);
    }
    assert_true(said > 150);
}

/* ---- What is not ranked ---- */

TEST(answer__standing__copies_controls_and_strangers) {
    static made x;
    es_decision_problem p = make(&x, 10, 4);
    bool control[10] = {[2] = true};
    double info[100];
    for (size_t a = 0; a < 10; a++)
        for (size_t b = 0; b < 10; b++) {
            bool apart = (a == 5) != (b == 5), same = a == b || (a + b == 7 && a * b == 12);
            info[a * 10 + b] = apart ? 0.005 : same ? 1 : 0.4; /* 3 and 4 are copies */
        }
    p.information = info;
    p.control = control;
    es_decision *d = decide(&p);
    assert_int_equal(d->standing[2], ES_STANDING_CONTROL);
    assert_int_equal(d->standing[5], ES_STANDING_UNRELATED);
    assert_int_equal(d->first[4], 3);
    assert_int_equal(d->kind[4], d->kind[3]);
    assert_int_equal(d->scored, 8);
    assert_int_equal(d->voters, 7);
    assert_int_equal(d->ranking->rank[2], 0);
    assert_int_equal(d->ranking->rank[5], 0);
    assert_true(d->ranking->rank[4] > 0);
    es_decision_free(d);
}

TEST(answer__standing__two_groups_that_share_nothing) {
    double is[49];
    uint32_t component[7];
    size_t largest;
    for (size_t a = 0; a < 7; a++)
        for (size_t b = 0; b < 7; b++)
            is[a * 7 + b] = a == b ? 1 : (a < 2) == (b < 2) && a != 6 && b != 6 ? 0.3 : 0.001;
    assert_int_equal(es_kinship_components(is, NULL, 7, component, &largest), 3);
    assert_int_equal(largest, 4);
    const uint32_t wanted[7] = {1, 1, 0, 0, 0, 0, 2};
    assert_memory_equal(component, wanted, sizeof wanted);
    es_decision_problem p = {.is = is, .m = 7, .by_lead = true};
    es_decision *d = decide(&p);
    assert_int_equal(d->components, 3);
    assert_int_equal(d->scored, 4);
    assert_false(d->said); /* four kinds */
    es_decision_free(d);
}

/* x with embedder `of` once more behind the m that are there. */
static es_decision_problem paste(const es_decision_problem *p, size_t of, made *x) {
    es_decision_problem more = *p;
    size_t m = p->m + 1;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++) {
            size_t from = (a == p->m ? of : a) * p->m + (b == p->m ? of : b);
            x->is[a * m + b] = p->is[from];
            x->pmi[a * m + b] = p->pmi[from];
        }
    more.is = x->is;
    more.pmi = x->pmi;
    more.m = m;
    return more;
}

TEST(answer__copy__moves_nobody) {
    enum { M = 14, OF = 3 };
    static made x, y;
    es_decision_problem p = make(&x, M, 4), more = paste(&p, OF, &y);
    es_decision *one = decide(&p), *two = decide(&more);
    assert_true(one->said && two->said);
    assert_int_equal(two->first[M], OF);
    assert_int_equal(two->counted, one->scored);
    assert_int_equal(two->scored, one->scored + 1);
    for (size_t i = 0; i < M; i++) {
        assert_int_equal(two->ranking->rank[i], one->ranking->rank[i]);
        assert_int_equal(two->rank_low[i], one->rank_low[i]);
        assert_int_equal(two->rank_high[i], one->rank_high[i]);
        assert_int_equal(two->best[i], one->best[i]);
        assert_near(two->ranking->score[i], one->ranking->score[i], 1e-9, "lead", i);
    }
    assert_int_equal(two->ranking->rank[M], two->ranking->rank[OF]);
    assert_int_equal(two->rank_low[M], two->rank_low[OF]);
    assert_int_equal(two->rank_high[M], two->rank_high[OF]);
    assert_false(two->votes[M]);
    bool named[M + 1] = {[M] = true, [0] = true, [1] = true}; /* the copy as target: its first is */
    more.rule.voting = named;
    es_decision *three = decide(&more);
    assert_true(three->votes[OF] && three->votes[0] && !three->votes[2] && !three->votes[M]);
    es_decision_free(one);
    es_decision_free(two);
    es_decision_free(three);
}

TEST(answer__no_diagonal__makes_no_copies) {
    static made x;
    es_decision_problem p = make(&x, 12, 4);
    es_decision *whole = decide(&p);
    for (int zero = 0; zero < 2; zero++) {
        for (size_t i = 0; i < 12; i++)
            x.is[i * 13] = zero ? 0 : (double)NAN;
        es_decision *d = decide(&p);
        for (size_t i = 0; i < 12; i++) {
            assert_int_equal(d->first[i], i);
            assert_int_equal(d->best[i], whole->best[i]);
            assert_int_equal(d->ranking->rank[i], whole->ranking->rank[i]);
        }
        es_decision_free(d);
    }
    es_decision_free(whole);
}

/* Three of twelve vote: that is less than five kinds, and everybody is ranked by two or three. */
TEST(answer__targets__count_kinds_that_vote) {
    static made x;
    const bool named[12] = {[0] = true, [4] = true, [9] = true};
    es_decision_problem p = make(&x, 12, 4);
    p.rule.voting = named;
    es_decision *d = decide(&p);
    assert_true(d->kinds >= 5 && d->judging <= 3 && d->judging > 0);
    assert_false(d->said);
    assert_int_equal(d->scored, 12);
    es_decision_free(d);
}

/* A set is not given where others share nothing with the largest group, but it is there. */
TEST(answer__groups__have_no_set) {
    static made x;
    es_decision_problem p = make(&x, 12, 4);
    for (size_t c = 0; c < 144; c++)
        if ((c / 12 < 3) != (c % 12 < 3))
            x.is[c] = 0.001;
    es_decision *d = decide(&p);
    assert_true(d->groups && d->judging >= 5);
    assert_false(d->said);
    assert_int_equal(d->scored, 9);
    for (size_t i = 0; i < 12; i++)
        assert_true(!d->best[i] && d->rank_low[i] == 0);
    es_decision_free(d);
    p.largest_alone = true;
    d = decide(&p);
    assert_true(d->said && d->best[d->order[0]]);
    es_decision_free(d);
}

TEST(answer__standing__nobody_is_related) {
    double is[36];
    for (size_t c = 0; c < 36; c++)
        is[c] = c / 6 == c % 6 ? 1 : 0.002;
    es_decision_problem p = {.is = is, .m = 6, .by_lead = true};
    es_decision *d = decide(&p);
    assert_false(d->related);
    assert_int_equal(d->scored, 0);
    assert_false(d->said);
    es_decision_free(d);
}

TEST(answer__number__two_embedders_are_not_ranked) {
    const double is[4] = {1, 0.5, 0.4, 1};
    es_decision_problem p = {.is = is, .m = 2, .by_lead = true};
    es_decision *d = decide(&p);
    assert_int_equal(d->scored, 0);
    assert_true(d->related);
    es_decision_free(d);
}

TEST(answer__series__has_one_vote) {
    static made x;
    es_decision_problem p = make(&x, 20, 12);
    uint32_t series[20], kind[20];
    size_t kinds;
    for (uint32_t i = 0; i < 20; i++)
        series[i] = i < 12 ? 0 : i;
    p.series = series;
    es_decision *d = decide(&p);
    for (size_t i = 1; i < 12; i++)
        assert_int_equal(d->kind[i], d->kind[0]);
    assert_int_equal(d->kinds, es_kinship_number(9));
    es_decision_free(d);
    assert_ok(es_kinship_kinds(x.is, 20, NULL, NULL, kind, &kinds, NULL));
    assert_int_equal(kinds, es_kinship_number(20));
}

TEST(kinds__number__follows_the_table) {
    const size_t n[] = {1, 4, 5, 6, 8, 9, 12, 20, 24, 40, 45, 200};
    const size_t wanted[] = {1, 4, 5, 5, 5, 6, 8, 8, 9, 16, 16, 16};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        assert_int_equal(es_kinship_number(n[i]), wanted[i]);
}

/* ---- Shared dimensions ---- */

typedef struct sides {
    size_t n[6], all;
    double *variance, *z;
    float *part[2];
} sides;

static es_status give_side(void *context, size_t i, es_run *run, es_width_side *out,
                           es_error *err) {
    sides *s = context;
    size_t from = 0;
    (void)run;
    (void)err;
    for (size_t k = 0; k < i; k++)
        from += s->n[k];
    for (size_t r = 0; r < 60; r++)
        for (size_t k = 0; k < s->n[i]; k++)
            s->part[r >= 45][(r >= 45 ? r - 45 : r) * s->n[i] + k] =
                (float)s->z[r * s->all + from + k];
    *out = (es_width_side){s->n[i], s->variance + from, s->part[0], s->part[1]};
    return ES_OK;
}

TEST(width__reference__shared_dimensions) {
    size_t n;
    sides s = {0};
    double *components = reference("width", "components", &n), out[6];
    double *kind = reference("width", "kind", &n), *family = reference("width", "family", &n);
    double *vote = reference("width", "vote", &n), *wanted = reference("width", "shared", &n);
    uint32_t kinds[6], families[6];
    bool votes[6];
    s.variance = reference("width", "variance", &s.all);
    s.z = reference("width", "z", &n);
    for (size_t i = 0; i < 6; i++) {
        s.n[i] = (size_t)components[i];
        kinds[i] = (uint32_t)kind[i];
        families[i] = (uint32_t)family[i];
        votes[i] = vote[i] > 0;
    }
    for (size_t k = 0; k < 2; k++)
        s.part[k] = calloc(60 * 8, sizeof(float));
    const es_width_problem problem = {.m = 6,
                                      .n_train = 45,
                                      .n_test = 15,
                                      .kind = kinds,
                                      .family = families,
                                      .votes = votes,
                                      .side = give_side,
                                      .context = &s};
    assert_ok(es_width_shared(&problem, NULL, out, NULL));
    for (size_t i = 0; i < 6; i++)
        assert_near(out[i], wanted[i], 1e-5, "width", i);
    free(components);
    free(kind);
    free(family);
    free(vote);
    free(wanted);
    free(s.variance);
    free(s.z);
    free(s.part[0]);
    free(s.part[1]);
}
