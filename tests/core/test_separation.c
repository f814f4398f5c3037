/* Separation of embedders and the set of the best: values of an independent NumPy implementation,
 * a plain twin on random pools with holes, known answers, bad input. */
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

#include "alloc.h"
#include "rng.h"
#include "separation.h"
#include "stats.h"

/* ---- Pools ---- */

typedef struct pool {
    size_t m, targets, hands;
    double *is;
    double *hand;
    uint32_t *family;
} pool;

static pool pool_new(size_t m, size_t targets, size_t hands) {
    pool p = {m,
              targets,
              hands,
              calloc(m * targets, sizeof(double)),
              calloc(m * targets * hands + 1, sizeof(double)),
              calloc(targets, sizeof(uint32_t))};
    assert_non_null(p.is);
    assert_non_null(p.hand);
    assert_non_null(p.family);
    return p;
}

static void pool_free(pool *p) {
    free(p->is);
    free(p->hand);
    free(p->family);
}

/* Quality falls by `gap` from one embedder to the next; families differ by 0.05, rows by 0.1. */
static pool pool_random(size_t m, size_t hands, size_t families, double gap, uint64_t seed) {
    pool p = pool_new(m, m, hands);
    es_rng rng;
    es_rng_init(&rng, seed, 77);
    double *shift = calloc(families * m, sizeof *shift);
    for (size_t i = 0; i < families * m; i++)
        shift[i] = 0.05 * es_rng_normal(&rng);
    for (size_t j = 0; j < m; j++)
        p.family[j] = (uint32_t)(j < families ? j : es_rng_below(&rng, families));
    for (size_t a = 0; a < m; a++)
        for (size_t j = 0; j < m; j++) {
            double mean = 0, base = 1 - gap * (double)a + shift[p.family[j] * m + a];
            for (size_t h = 0; h < hands; h++) {
                double value = base + 0.1 * es_rng_normal(&rng);
                p.hand[(a * m + j) * hands + h] = value;
                mean += value / (double)hands;
            }
            p.is[a * m + j] = hands > 0 ? mean : base;
        }
    free(shift);
    return p;
}

static es_judged judged_of(const pool *p) {
    return (es_judged){.m = p->m,
                       .targets = p->targets,
                       .is = p->is,
                       .hands = p->hands,
                       .hand = p->hands > 0 ? p->hand : NULL,
                       .family = p->family,
                       .by_family = true};
}

static es_separations *separate_by(es_judged judged, es_separation_rule rule) {
    es_separations *x = NULL;
    es_error err = {0};
    if (es_separations_new(&judged, &rule, NULL, &x, &err) != ES_OK)
        fail_msg("%s", err.message);
    return x;
}

static es_separations *separate(es_judged judged) {
    return separate_by(judged, (es_separation_rule){0});
}

/* ---- Values of the NumPy implementation ---- */

static FILE *reference_open(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/reference/ranking/%s", ES_TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot read %s", path);
    return file;
}

/* Cells of the case; lines are "case,number,number,...", at most 8 numbers behind the words. */
static bool reference_line(FILE *file, const char *prefix, double *numbers, size_t count) {
    char line[512];
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, prefix, strlen(prefix)) != 0)
            continue;
        char *at = line + strlen(prefix);
        for (size_t i = 0; i < count; i++) {
            numbers[i] = strtod(at, &at);
            at += *at == ',';
        }
        return true;
    }
    return false;
}

static pool reference_pool(const char *name, size_t m, size_t hands) {
    pool p = pool_new(m, m, hands);
    char text[64];
    double v[4];
    snprintf(text, sizeof text, "%s,", name);
    FILE *file = reference_open("cells.csv");
    for (size_t i = 0; i < m * m; i++) {
        assert_true(reference_line(file, text, v, 4));
        p.is[(size_t)v[0] * m + (size_t)v[1]] = v[3];
        p.family[(size_t)v[1]] = (uint32_t)v[2];
    }
    fclose(file);
    snprintf(text, sizeof text, "%s_hands.npy", name);
    file = reference_open(text);
    assert_int_equal(fseek(file, -(long)(m * m * hands * sizeof(double)), SEEK_END), 0);
    assert_int_equal(fread(p.hand, sizeof(double), m * m * hands, file), m * m * hands);
    fclose(file);
    return p;
}

static void near(double got, double expected, double tolerance) {
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%.17g instead of %.17g", got, expected);
}

static void same_pairs(const es_separations *x, size_t scope, const char *prefix) {
    FILE *file = reference_open("pairs.csv");
    double v[6];
    size_t count = 0;
    while (reference_line(file, prefix, v, 6)) {
        size_t at = (size_t)v[0] * x->differences->m + (size_t)v[1];
        near(x->differences->delta[at], v[2], 1e-9);
        near(x->in[scope].se[at], v[3], 1.2e-9); /* NumPy had its hands in single precision */
        near(x->in[scope].t[at], v[4], 2e-7 * fmax(1, fabs(v[4])));
        assert_int_equal(x->in[scope].separated[at], v[5] != 0);
        count++;
    }
    fclose(file);
    assert_int_equal(count, x->differences->m * x->differences->m);
}

static void same_ranks(const es_separations *x, size_t scope, const char *prefix) {
    FILE *file = reference_open("ranks.csv");
    double v[5];
    size_t off = 0, count = 0, best = 0, differ = 0;
    while (reference_line(file, prefix, v, 5)) {
        size_t a = (size_t)v[1];
        near(x->in[scope].nu, v[0], 0);
        assert_true(fabs((double)x->in[scope].rank_low[a] - v[3]) <= 1);
        assert_true(fabs((double)x->in[scope].rank_high[a] - v[4]) <= 1);
        off += x->in[scope].rank_low[a] != v[3];
        off += x->in[scope].rank_high[a] != v[4];
        best += v[2] != 0;
        differ += x->in[scope].best[a] != (v[2] != 0);
        count++;
    }
    fclose(file);
    assert_int_equal(count, x->differences->m);
    assert_true(best >= 1);
    assert_true(differ <= 1);
    assert_true(off <= 2);
}

static void separation__reference__same_as_numpy(void **state) {
    (void)state;
    const struct {
        const char *name;
        size_t m, hands;
    } cases[] = {{"clear", 8, 64}, {"close", 8, 64}, {"square12", 12, 128}, {"unbalanced", 9, 32}};
    for (size_t c = 0; c < 4; c++) {
        pool p = reference_pool(cases[c].name, cases[c].m, cases[c].hands);
        for (size_t votes = 0; votes < 2; votes++) {
            es_judged judged = judged_of(&p);
            judged.by_family = votes == 1;
            es_separations *x = separate_by(judged, (es_separation_rule){.draws = 20000});
            for (size_t s = 0; s < ES_SCOPES; s++) {
                char prefix[64];
                snprintf(prefix, sizeof prefix, "%s,%s,%s,", cases[c].name,
                         s == ES_SCOPE_HERE ? "these" : "new", votes == 1 ? "balanced" : "mean");
                if (x->in[s].why_not) { /* said by NumPy of however few families */
                    assert_int_equal(s, ES_SCOPE_NEW);
                    continue;
                }
                same_pairs(x, s, prefix);
                same_ranks(x, s, prefix);
            }
            es_separations_free(x);
        }
        pool_free(&p);
    }
}

/* ---- A plain twin: the definition, target by target and hand by hand ---- */

static void twin(const es_judged *p, size_t a, size_t b, double *delta, double *rows,
                 double *families) {
    double *w = calloc(p->targets, sizeof *w), total = 0;
    size_t *count = calloc(p->targets, sizeof *count), judging = 0;
    *delta = *rows = *families = 0;
    for (size_t j = 0; j < p->targets; j++) {
        bool own = (j == a || j == b) && !p->include_self;
        w[j] = !own && isfinite(p->is[a * p->targets + j]) && isfinite(p->is[b * p->targets + j]);
        count[p->family[j]] += w[j] > 0;
    }
    for (size_t j = 0; j < p->targets; j++) {
        w[j] = w[j] > 0 && p->by_family ? 1 / (double)count[p->family[j]] : w[j];
        total += w[j];
        judging += count[j] > 0;
    }
    for (size_t j = 0; j < p->targets; j++) {
        w[j] /= total;
        *delta += w[j] > 0 ? w[j] * (p->is[a * p->targets + j] - p->is[b * p->targets + j]) : 0;
    }
    for (size_t f = 0; f < p->targets; f++) {
        double psi = 0;
        for (size_t j = 0; j < p->targets; j++)
            if (p->family[j] == f && w[j] > 0)
                psi += w[j] * (p->is[a * p->targets + j] - p->is[b * p->targets + j] - *delta);
        *families += psi * psi * (double)judging / (double)(judging - 1);
    }
    double mean = 0, *sum = calloc(p->hands, sizeof *sum);
    for (size_t h = 0; h < p->hands; h++) {
        for (size_t j = 0; j < p->targets; j++)
            sum[h] += w[j] > 0 ? w[j] * (p->hand[(a * p->targets + j) * p->hands + h] -
                                         p->hand[(b * p->targets + j) * p->hands + h])
                               : 0;
        mean += sum[h] / (double)p->hands;
    }
    for (size_t h = 0; h < p->hands; h++)
        *rows +=
            1.44 * (sum[h] - mean) * (sum[h] - mean) / ((double)p->hands * ((double)p->hands - 1));
    free(sum);
    free(w);
    free(count);
}

static void separation__twin__same_differences_with_holes(void **state) {
    (void)state;
    for (unsigned seed = 0; seed < 16; seed++) {
        pool p = pool_random(13, 21, 9, 0.02, seed);
        es_rng rng;
        es_rng_init(&rng, seed, 3);
        for (size_t i = 0; i < p.m * p.m; i++) /* a fifth is missing */
            if (es_rng_below(&rng, 5) == 0)
                p.is[i] = NAN;
        es_judged judged = judged_of(&p);
        judged.by_family = seed % 2 == 0;
        judged.include_self = seed % 4 < 2;
        es_separations *x = separate(judged);
        for (size_t a = 0; a < p.m; a++)
            for (size_t b = 0; b < p.m; b++) {
                double delta, rows, families;
                if (a == b)
                    continue;
                twin(&judged, a, b, &delta, &rows, &families);
                near(x->differences->delta[a * p.m + b], delta, 1e-12);
                near(x->differences->var_rows[a * p.m + b], rows, 1e-12);
                near(x->differences->var_families[a * p.m + b], families, 1e-12);
                near(x->in[ES_SCOPE_HERE].se[a * p.m + b], sqrt(rows), 2e-12);
                near(x->in[ES_SCOPE_NEW].se[a * p.m + b], sqrt(rows + families), 2e-12);
            }
        es_separations_free(x);
        pool_free(&p);
    }
}

/* ---- A plain twin of the joint draws ---- */

/* Influences of all pairs: pair (a, b) of hands in by[0], of families in by[1], behind each other.
 */
typedef struct collected {
    size_t m, pairs, number[2];
    double *by[2]; /* (m, m, number) */
} collected;

static es_status collect(void *context, const es_differences *d, const es_influences *part,
                         const es_run *run, es_error *err) {
    collected *c = context;
    (void)run;
    (void)err;
    assert_true(isfinite(d->delta[part->first * c->m])); /* known by then */
    size_t k = 0;
    for (size_t a = part->first; a < part->first + part->sources; a++)
        for (size_t b = a + 1; b < c->m; b++, k++)
            for (size_t kind = 0; kind < 2; kind++)
                for (size_t i = 0; i < c->number[kind]; i++) {
                    const float *from = kind == 0 ? part->by_hand : part->by_family;
                    double value = (double)from[i * part->pairs + k];
                    c->by[kind][(a * c->m + b) * c->number[kind] + i] = value;
                    c->by[kind][(b * c->m + a) * c->number[kind] + i] = -value;
                }
    assert_int_equal(k, part->pairs);
    c->pairs += k;
    return ES_OK;
}

static double chi_square_twin(es_rng *rng, double nu) {
    double d = nu / 2 - 1.0 / 3;
    for (;;) {
        double z = es_rng_normal(rng), v = pow(1 + z / sqrt(9 * d), 3);
        if (v > 0 && log(1 - es_rng_uniform(rng)) < z * z / 2 + d - d * v + d * log(v))
            return 2 * d * v;
    }
}

/* Of one draw: the largest t over others against j, and how many are better than it. */
static void twin_draw(const es_separations *x, const collected *c, size_t scope,
                      const double *multiplier[2], double scale, size_t j, double *top,
                      uint32_t *above) {
    *top = 0;
    *above = 0;
    for (size_t a = 0; a < c->m; a++) {
        double difference = 0;
        for (size_t kind = 0; kind < (scope == ES_SCOPE_NEW ? 2 : 1); kind++)
            for (size_t i = 0; i < c->number[kind]; i++)
                difference +=
                    multiplier[kind][i] * scale * c->by[kind][(a * c->m + j) * c->number[kind] + i];
        if (a != j) {
            *top = fmax(*top, difference / x->in[scope].se[a * c->m + j]);
            *above += difference + x->differences->delta[a * c->m + j] > 0;
        }
    }
}

static void same_as_drawn(const es_separations *x, const collected *c, size_t scope, uint64_t seed,
                          unsigned draws) {
    es_rng rng[3];
    double *multiplier[2], *top = calloc(c->m * draws, sizeof *top), scale[ES_SCOPES];
    uint32_t *seen = calloc(c->m * c->m, sizeof *seen);
    for (size_t k = 0; k < 3; k++)
        es_rng_init(&rng[k], seed, es_rng_stream(ES_STREAM_BOOTSTRAP, 0x5e9a0 + k));
    for (size_t k = 0; k < 2; k++)
        multiplier[k] = calloc(c->number[k], sizeof *multiplier[k]);
    for (unsigned d = 0; d < draws; d++) {
        for (size_t k = 0; k < 2; k++)
            for (size_t i = 0; i < c->number[k]; i++)
                multiplier[k][i] = es_rng_normal(&rng[k]);
        for (size_t s = 0; s < ES_SCOPES; s++)
            scale[s] = 1 / sqrt(chi_square_twin(&rng[2], x->in[s].nu) / x->in[s].nu);
        for (size_t j = 0; j < c->m; j++) {
            uint32_t above;
            twin_draw(x, c, scope, (const double *[2]){multiplier[0], multiplier[1]}, scale[scope],
                      j, &top[j * draws + d], &above);
            seen[j * c->m + above]++;
        }
    }
    for (size_t j = 0; j < c->m; j++) {
        double most = 0;
        uint32_t low = 0, high = 0;
        size_t below = 0;
        for (size_t a = 0; a < c->m; a++)
            most = fmax(most, x->in[scope].t[a * c->m + j]);
        assert_int_equal(x->in[scope].best[j],
                         most <= es_stat_quantile(top + j * draws, draws, 0.95));
        for (uint32_t k = 0; k < c->m; k++) {
            below += seen[j * c->m + k];
            low = low == 0 && below > draws / 40 ? k + 1 : low;
            high = high == 0 && below >= draws - draws / 40 ? k + 1 : high;
        }
        assert_int_equal(x->in[scope].rank_low[j], low);
        assert_int_equal(x->in[scope].rank_high[j], high);
    }
    free(multiplier[0]);
    free(multiplier[1]);
    free(top);
    free(seen);
}

/* Several parts of pairs, the last one short; sources with fewer, as many and more pairs than
 * lanes. */
static void separation__joint_draws__same_as_one_by_one(void **state) {
    (void)state;
    const unsigned draws = 200;
    pool p = pool_random(75, 16, 9, 0.004, 21);
    es_judged judged = judged_of(&p);
    es_separations *x =
        separate_by(judged, (es_separation_rule){.draws = draws, .seed = 3, .bytes = 100000});
    collected c = {.m = p.m, .number = {p.hands, 9}};
    es_differences *d = NULL;
    for (size_t k = 0; k < 2; k++)
        c.by[k] = calloc(p.m * p.m * c.number[k], sizeof *c.by[k]);
    assert_int_equal(es_differences_new(&judged, &(es_influences_to){collect, &c}, NULL, &d, NULL),
                     ES_OK);
    assert_int_equal(c.pairs, 75 * 74 / 2);
    assert_true(c.pairs > ES_INFLUENCES_AT_ONCE);
    for (size_t s = 0; s < ES_SCOPES; s++)
        same_as_drawn(x, &c, s, 3, draws);
    es_differences_free(d);
    free(c.by[0]);
    free(c.by[1]);
    es_separations_free(x);
    pool_free(&p);
}

/* Nor is there an end to it once somebody who takes influences has had enough. */
static es_status refuse(void *context, const es_differences *d, const es_influences *part,
                        const es_run *run, es_error *err) {
    (void)d;
    (void)part;
    (void)run;
    ++*(size_t *)context;
    return es_fail(err, ES_EIO, "enough");
}

static void differences__refused_by_who_takes_them__end_there(void **state) {
    (void)state;
    pool p = pool_random(75, 4, 9, 0.004, 21);
    es_judged judged = judged_of(&p);
    es_differences *d = NULL;
    es_error err;
    size_t calls = 0;
    assert_int_equal(
        es_differences_new(&judged, &(es_influences_to){refuse, &calls}, NULL, &d, &err), ES_EIO);
    assert_int_equal(calls, 1);
    assert_string_equal(err.message, "enough");
    assert_null(d);
    pool_free(&p);
}

/* Two that are the same are apart by exactly nothing, whether all members of a family judge or not.
 */
static void differences__equal_embedders__are_nothing_apart(void **state) {
    (void)state;
    pool p = pool_random(20, 8, 3, 0.3, 4);
    for (size_t j = 0; j < p.m; j++)
        p.is[5 * p.m + j] = p.is[11 * p.m + j];
    es_judged judged = judged_of(&p);
    for (size_t self = 0; self < 2; self++) {
        es_differences *d = NULL;
        judged.include_self = self == 1;
        assert_int_equal(es_differences_new(&judged, NULL, NULL, &d, NULL), ES_OK);
        assert_true(d->delta[5 * p.m + 11] == 0 && d->var_families[5 * p.m + 11] == 0);
        es_differences_free(d);
    }
    pool_free(&p);
}

/* ---- Known answers ---- */

/* Of two, the second stays in the set as long as the first is not better by the one-sided quantile
 * of Student's t; whether they are separated is two-sided. */
static void check_one_sided(size_t hands, double want, bool kept) {
    const size_t targets = 6;
    pool p = pool_new(2, targets, hands);
    double spread = 0;
    for (size_t j = 0; j < targets; j++)
        p.family[j] = (uint32_t)j;
    for (size_t h = 0; h < hands; h++) {
        double value = h == hands - 1 && h % 2 == 0 ? 0 : h % 2 ? 0.1 : -0.1;
        spread += value * value;
        for (size_t j = 0; j < targets; j++)
            p.hand[j * hands + h] = value;
    }
    double se = 1.2 * sqrt(spread / ((double)hands * ((double)hands - 1)));
    for (size_t j = 0; j < targets; j++) {
        p.is[j] = 1 + want * se;
        p.is[targets + j] = 1;
    }
    es_judged judged = judged_of(&p);
    judged.include_self = true;
    es_separations *x = separate_by(judged, (es_separation_rule){.draws = 50000});
    near(x->in[ES_SCOPE_HERE].nu, (double)hands - 1, 0);
    near(x->in[ES_SCOPE_HERE].t[1], want, 1e-4);
    assert_true(x->in[ES_SCOPE_HERE].best[0]);
    assert_int_equal(x->in[ES_SCOPE_HERE].best[1], kept);
    assert_int_equal(x->in[ES_SCOPE_HERE].separated[1], false); /* 1.1 x 1.68 is below 2.02 */
    es_separations_free(x);
    pool_free(&p);
}

/* Down to one degree of freedom, where a draw's chi-square is of half a shape. */
static void best_set__two_embedders__is_a_one_sided_test(void **state) {
    (void)state;
    const struct {
        size_t hands;
        double critical; /* scipy.stats.t.ppf(0.95, hands - 1) */
    } cases[] = {{40, 1.6848751217112239},
                 {4, 2.353363434801822},
                 {3, 2.919985580355516},
                 {2, 6.313751514675043}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_one_sided(cases[i].hands, 0.9 * cases[i].critical, true);
        check_one_sided(cases[i].hands, 1.1 * cases[i].critical, false);
    }
}

static void best_set__clear_order__holds_the_first_alone(void **state) {
    (void)state;
    pool p = pool_random(10, 64, 8, 0.5, 4);
    es_separations *x = separate(judged_of(&p));
    for (size_t s = 0; s < ES_SCOPES; s++) {
        assert_null(x->in[s].why_not);
        for (size_t a = 0; a < p.m; a++) {
            assert_int_equal(x->in[s].best[a], a == 0);
            assert_int_equal(x->in[s].rank_low[a], a + 1);
            assert_int_equal(x->in[s].rank_high[a], a + 1);
            for (size_t b = 0; b < p.m; b++)
                assert_int_equal(x->in[s].separated[a * p.m + b], a != b);
        }
    }
    es_separations_free(x);
    pool_free(&p);
}

/* Twenty equal embedders, a hundred pools: the set leaves each of them out in at most about 5 %. */
static void best_set__equal_embedders__keeps_the_best_as_often_as_it_says(void **state) {
    (void)state;
    size_t kept = 0, separated = 0, pairs = 0;
    for (unsigned seed = 0; seed < 100; seed++) {
        pool p = pool_random(20, 32, 10, 0, seed);
        es_judged judged = judged_of(&p);
        judged.inflate = 1;
        es_separations *x = separate(judged);
        kept += x->in[ES_SCOPE_NEW].best[0];
        for (size_t b = 1; b < p.m; b++, pairs++)
            separated += x->in[ES_SCOPE_NEW].separated[b];
        es_separations_free(x);
        pool_free(&p);
    }
    assert_true(kept >= 88); /* of 100 at 95 %: less than 1 in 200 by chance */
    assert_true(separated * 10 < pairs);
}

static void separation__a_new_target__is_less_sure_than_these(void **state) {
    (void)state;
    pool p = pool_random(12, 64, 7, 0.01, 9);
    es_separations *x = separate(judged_of(&p));
    for (size_t i = 0; i < p.m * p.m; i++) {
        assert_true(x->in[ES_SCOPE_NEW].se[i] >= x->in[ES_SCOPE_HERE].se[i]);
        if (i / p.m != i % p.m)
            assert_true(x->differences->var_families[i] > 0 && x->differences->judges[i] >= 5);
        near(x->differences->delta[i], -x->differences->delta[i % p.m * p.m + i / p.m], 0);
    }
    es_separations_free(x);
    pool_free(&p);
}

/* ---- What cannot be said ---- */

static void separation__few_families__says_nothing_of_new_targets(void **state) {
    (void)state;
    pool p = pool_random(9, 16, 4, 0.3, 1);
    es_separations *x = separate(judged_of(&p));
    assert_string_equal(x->in[ES_SCOPE_NEW].why_not, "fewer than 5 families");
    assert_null(x->in[ES_SCOPE_HERE].why_not);
    assert_true(isnan(x->in[ES_SCOPE_NEW].t[1]));
    assert_false(x->in[ES_SCOPE_NEW].best[0]);
    assert_int_equal(x->in[ES_SCOPE_NEW].rank_low[0], 0);
    es_separations_free(x);
    pool_free(&p);
}

static void separation__no_rows__says_nothing_of_these_targets(void **state) {
    (void)state;
    pool p = pool_random(9, 0, 9, 0.3, 1);
    es_separations *x = separate(judged_of(&p));
    assert_string_equal(x->in[ES_SCOPE_HERE].why_not, "no values of rows");
    assert_null(x->in[ES_SCOPE_NEW].why_not);
    assert_true(x->in[ES_SCOPE_NEW].best[0]);
    assert_true(isnan(x->differences->var_rows[1]));
    es_separations_free(x);
    pool_free(&p);
}

static void separation__a_source_without_values__is_in_no_set(void **state) {
    (void)state;
    pool p = pool_random(8, 16, 8, 0.1, 2);
    for (size_t j = 0; j < p.m; j++)
        p.is[3 * p.m + j] = NAN;
    es_separations *x = separate(judged_of(&p));
    for (size_t s = 0; s < ES_SCOPES; s++) {
        assert_false(x->in[s].best[3]);
        assert_int_equal(x->in[s].rank_low[3], 0);
        assert_false(x->in[s].separated[3]);
        assert_true(x->in[s].best[0]);
        assert_int_equal(x->in[s].rank_high[7], 7); /* of the seven that can be compared */
    }
    assert_true(isnan(x->differences->delta[3]));
    es_separations_free(x);
    pool_free(&p);
}

static void separation__one_embedder__is_no_comparison(void **state) {
    (void)state;
    pool p = pool_random(1, 16, 1, 0.1, 2);
    es_separations *x = separate(judged_of(&p));
    assert_string_equal(x->in[ES_SCOPE_HERE].why_not, "one embedder");
    assert_string_equal(x->in[ES_SCOPE_NEW].why_not, "one embedder");
    es_separations_free(x);
    pool_free(&p);
}

static void separation__same_seed__same_sets(void **state) {
    (void)state;
    pool p = pool_random(12, 32, 6, 0.01, 5);
    es_separations *x = separate(judged_of(&p)), *y = separate(judged_of(&p));
    for (size_t s = 0; s < ES_SCOPES; s++) {
        assert_memory_equal(x->in[s].best, y->in[s].best, p.m * sizeof(bool));
        assert_memory_equal(x->in[s].rank_low, y->in[s].rank_low, 2 * p.m * sizeof(uint32_t));
    }
    es_separations_free(x);
    es_separations_free(y);
    pool_free(&p);
}

/* Nor do they depend on how many draws fit into memory at once: all, five, one. */
static void separation__little_memory__same_sets(void **state) {
    (void)state;
    pool p = pool_random(12, 32, 6, 0.01, 5);
    es_separations *x = separate(judged_of(&p));
    size_t one = 2 * ES_INFLUENCES_AT_ONCE * sizeof(float);
    for (size_t bytes = 1; bytes < 6 * one; bytes += 5 * one) {
        es_separations *y = separate_by(judged_of(&p), (es_separation_rule){.bytes = bytes});
        for (size_t s = 0; s < ES_SCOPES; s++) {
            assert_memory_equal(x->in[s].best, y->in[s].best, p.m * sizeof(bool));
            assert_memory_equal(x->in[s].rank_low, y->in[s].rank_low, 2 * p.m * sizeof(uint32_t));
        }
        es_separations_free(y);
    }
    es_separations_free(x);
    pool_free(&p);
}

static void separation__bad_judged__is_refused(void **state) {
    (void)state;
    pool p = pool_random(6, 8, 6, 0.1, 5);
    es_judged bad[7];
    es_separation_rule rule[7] = {[3] = {.level = 1}, [5] = {.draws = 99}};
    uint32_t family[6] = {0, 1, 2, 3, 4, 6};
    for (size_t i = 0; i < 7; i++)
        bad[i] = judged_of(&p);
    bad[0].m = 0;
    bad[1].targets = 0;
    bad[2].hands = 1;
    bad[4].inflate = -1;
    bad[6].family = family;
    for (size_t i = 0; i < 7; i++) {
        es_separations *x = NULL;
        es_error err = {0};
        assert_int_equal(es_separations_new(&bad[i], &rule[i], NULL, &x, &err), ES_EINVAL);
        assert_null(x);
        assert_true(err.message[0] != '\0');
    }
    es_run run;
    es_separations *x = NULL;
    es_run_init(&run);
    es_run_cancel(&run);
    bad[0] = judged_of(&p);
    assert_int_equal(es_separations_new(&bad[0], &rule[0], &run, &x, NULL), ES_ECANCELED);
    assert_null(x);
    pool_free(&p);
}

static void separation__no_memory__is_an_error_wherever_it_runs_out(void **state) {
    (void)state;
    pool p = pool_random(6, 8, 6, 0.1, 5);
    es_judged judged = judged_of(&p);
    es_separation_rule rule = {.draws = 100};
    long k = 0;
    for (;; k++) {
        es_separations *x = NULL;
        es_alloc_fail_after(k);
        es_status st = es_separations_new(&judged, &rule, NULL, &x, NULL);
        es_alloc_fail_after(-1);
        es_separations_free(x);
        if (st == ES_OK)
            break;
        assert_int_equal(st, ES_ENOMEM);
        assert_null(x);
    }
    assert_true(k > 20);
    pool_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separation__reference__same_as_numpy),
        cmocka_unit_test(separation__twin__same_differences_with_holes),
        cmocka_unit_test(separation__joint_draws__same_as_one_by_one),
        cmocka_unit_test(differences__refused_by_who_takes_them__end_there),
        cmocka_unit_test(differences__equal_embedders__are_nothing_apart),
        cmocka_unit_test(best_set__two_embedders__is_a_one_sided_test),
        cmocka_unit_test(best_set__clear_order__holds_the_first_alone),
        cmocka_unit_test(best_set__equal_embedders__keeps_the_best_as_often_as_it_says),
        cmocka_unit_test(separation__a_new_target__is_less_sure_than_these),
        cmocka_unit_test(separation__few_families__says_nothing_of_new_targets),
        cmocka_unit_test(separation__no_rows__says_nothing_of_these_targets),
        cmocka_unit_test(separation__a_source_without_values__is_in_no_set),
        cmocka_unit_test(separation__one_embedder__is_no_comparison),
        cmocka_unit_test(separation__same_seed__same_sets),
        cmocka_unit_test(separation__little_memory__same_sets),
        cmocka_unit_test(separation__bad_judged__is_refused),
        cmocka_unit_test(separation__no_memory__is_an_error_wherever_it_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
