/* Whether what a ranking says holds where one can look: on rows that it has not seen, and on the
 * pool from which its targets were drawn. Values are estimated once, so that the noise of fitting
 * is in both sides of a comparison; steadiness.c fits anew.
 *
 * Sources stay the same. Targets are drawn by family, each copy a family of its own, and a source
 * that is a target of a drawn family does not judge itself. Such a problem is not square, so that
 * draws are judged by es_separations_new as es_decision_new does it; cover_same_path holds the two
 * together. */
#include "calibrating.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "hands.h"
#include "rank_report.h"
#include "rng.h"

/* ---- Half of the rows ---- */

/* A pool on some of its rows. */
typedef struct part {
    size_t m, rows;
    double *is;    // (m, m)
    float *values; // (m, m, rows)
    float **pmi;   // (m, m) into values
} part;

static part part_new(const pool_values *pool, size_t rows) {
    size_t pairs = pool->m * pool->m;
    part p = {pool->m, rows, calibrate_alloc(pairs, sizeof *p.is),
              calibrate_alloc(pairs * rows, sizeof *p.values),
              calibrate_alloc(pairs, sizeof *p.pmi)};
    for (size_t k = 0; k < pairs; k++)
        p.pmi[k] = p.values + k * rows;
    return p;
}

static void part_free(part *p) {
    es_free(p->is);
    es_free(p->values);
    es_free(p->pmi);
}

static void part_take(const pool_values *pool, const uint32_t *row, part *p) {
    for (size_t k = 0; k < p->m * p->m; k++) {
        double sum = 0;
        for (size_t r = 0; r < p->rows; r++) {
            p->pmi[k][r] = pool->results->pmi[k][row[r]];
            sum += (double)p->pmi[k][r];
        }
        p->is[k] = sum / (double)p->rows;
    }
}

static uint32_t *deck_new(size_t rows) {
    uint32_t *deck = calibrate_alloc(rows, sizeof *deck);
    for (size_t r = 0; r < rows; r++)
        deck[r] = (uint32_t)r;
    return deck;
}

static es_decision *decide(const es_decision_problem *problem) {
    es_decision *out = NULL;
    es_error err = {0};
    if (es_decision_new(problem, NULL, &out, &err) != ES_OK)
        calibrate_die("deciding", &err);
    return out;
}

/* family NULL: plain means, and cluster as it is given (NULL: communities). */
static es_decision_problem problem_of(const pool_values *pool, const double *is, float *const *pmi,
                                      size_t rows, const uint32_t *family) {
    return (es_decision_problem){.is = is,
                                 .pmi = pmi,
                                 .m = pool->m,
                                 .n_eval = rows,
                                 .order = pool->order,
                                 .rule = es_rank_predictive_rule(family),
                                 .cluster = family};
}

void cover_sides(const es_decision *one, const es_decision *other, coverage *out) {
    const es_decision *side[2] = {one, other};
    size_t m = one->m;
    for (size_t s = 0; s < 2; s++)
        for (size_t a = 0; a < m; a++)
            for (size_t b = a + 1; b < m; b++) {
                bool apart = side[s]->separated[ES_SCOPE_HERE][a * m + b];
                out->apart.hits += apart;
                out->apart.of++;
                out->wrong.hits +=
                    apart && side[s]->delta[a * m + b] * side[1 - s]->delta[a * m + b] < 0;
                out->wrong.of += apart;
            }
}

coverage cover_halves(const pool_values *pool, size_t draws, uint64_t seed) {
    coverage out = {.draws = draws};
    uint32_t *deck = deck_new(pool->rows);
    const uint32_t *family = pool->named ? pool->family : NULL;
    part half = part_new(pool, pool->rows / 2);
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SAMPLE, 1));
    for (size_t k = 0; k < draws; k++) {
        es_decision *side[2];
        es_rng_shuffle(&rng, deck, pool->rows);
        for (size_t s = 0; s < 2; s++) {
            part_take(pool, deck + s * half.rows, &half);
            es_decision_problem problem = problem_of(pool, half.is, half.pmi, half.rows, family);
            problem.seed = k;
            side[s] = decide(&problem);
        }
        cover_sides(side[0], side[1], &out);
        es_decision_free(side[0]);
        es_decision_free(side[1]);
    }
    part_free(&half);
    es_free(deck);
    return out;
}

/* ---- Targets drawn ---- */

/* A square pool as it is judged: hands of every pair. */
typedef struct judges {
    size_t m, hands;
    double *is;   // (m, m)
    double *hand; // (m, m, hands) mean over a hand's rows, from the mean over all
} judges;

static judges judges_new(size_t m, size_t rows) {
    size_t hands = rows < ES_BOOTSTRAP_HANDS ? rows : ES_BOOTSTRAP_HANDS;
    return (judges){m, hands, calibrate_alloc(m * m, sizeof(double)),
                    calibrate_alloc(m * m * hands, sizeof(double))};
}

static void judges_free(judges *j) {
    es_free(j->is);
    es_free(j->hand);
}

/* Embedders by name, as decisions have them. */
static void judges_take(const pool_values *pool, const double *is, float *const *pmi, size_t rows,
                        uint64_t seed, judges *j) {
    es_hands hands;
    es_error err = {0};
    if (es_hands_init(&hands, rows, ES_BOOTSTRAP_HANDS, seed, &err) != ES_OK)
        calibrate_die("dealing rows", &err);
    for (size_t k = 0; k < j->m * j->m; k++) {
        size_t pair = (size_t)pool->order[k / j->m] * j->m + pool->order[k % j->m];
        j->is[k] = k / j->m == k % j->m ? (double)NAN : is[pair];
        es_hands_sum(&hands, pmi[pair], j->hand + k * j->hands);
        for (size_t h = 0; h < j->hands; h++)
            j->hand[k * j->hands + h] /= (double)hands.size[h];
    }
    es_hands_deinit(&hands);
}

/* What is said of sources by drawn targets. */
typedef struct verdict {
    es_separations *separations;
    es_score_spread *spread; // (m)
    double *is, *hand;
} verdict;

static void verdict_free(verdict *v) {
    es_separations_free(v->separations);
    es_free(v->spread);
    es_free(v->is);
    es_free(v->hand);
}

/* target, cluster (n): of each drawn one, its number by name and its family. The first of a ranking
 * may be the best whatever is said, as in a decision. */
static verdict judge(const judges *j, const uint32_t *target, const uint32_t *cluster, size_t n,
                     bool by_family, uint64_t seed) {
    verdict v = {.spread = calibrate_alloc(j->m, sizeof *v.spread),
                 .is = calibrate_alloc(j->m * n, sizeof *v.is),
                 .hand = calibrate_alloc(j->m * n * j->hands, sizeof *v.hand)};
    for (size_t a = 0; a < j->m; a++)
        for (size_t t = 0; t < n; t++) {
            v.is[a * n + t] = j->is[a * j->m + target[t]];
            memcpy(v.hand + (a * n + t) * j->hands, j->hand + (a * j->m + target[t]) * j->hands,
                   j->hands * sizeof *v.hand);
        }
    const es_judged judged = {.m = j->m,
                              .targets = n,
                              .is = v.is,
                              .hands = j->hands,
                              .hand = v.hand,
                              .family = cluster,
                              .by_family = by_family,
                              .include_self = true /* what may not judge is NaN */};
    const es_separation_rule rule = {.seed = seed};
    es_error err = {0};
    if (es_separations_new(&judged, &rule, NULL, &v.separations, &err) != ES_OK ||
        es_score_spreads(&judged, v.spread, &err) != ES_OK)
        calibrate_die("judging", &err);
    size_t first = SIZE_MAX;
    for (size_t a = 0; a < j->m; a++)
        if (!isnan(v.spread[a].score) &&
            (first == SIZE_MAX || v.spread[a].score > v.spread[first].score))
            first = a;
    if (first != SIZE_MAX)
        v.separations->in[ES_SCOPE_NEW].best[first] = true;
    return v;
}

/* Numbers of groups (m) in the order of names: out (m) below the number that is returned. */
static size_t number_groups(const pool_values *pool, const uint32_t *group, uint32_t *out) {
    size_t count = 0;
    for (size_t k = 0; k < pool->m; k++) {
        size_t same = 0;
        while (group[pool->order[same]] != group[pool->order[k]])
            same++;
        out[k] = same == k ? (uint32_t)count++ : out[same];
    }
    return count;
}

/* Draws as many groups as there are, with replacement: target and copy (m times groups), the number
 * of the drawn group that each came with. */
static size_t draw_groups(es_rng *rng, const uint32_t *group, size_t m, size_t groups,
                          uint32_t *target, uint32_t *copy) {
    size_t n = 0;
    for (size_t k = 0; k < groups; k++) {
        uint64_t drawn = es_rng_below(rng, groups);
        for (size_t t = 0; t < m; t++)
            if (group[t] == drawn) {
                target[n] = (uint32_t)t;
                copy[n++] = (uint32_t)k;
            }
    }
    return n;
}

/* Where a draw's targets are: communities of the drawn rows, numbered from 0 among the drawn. */
static size_t label_by(const uint32_t *group, const uint32_t *target, size_t n, uint32_t *label) {
    size_t count = 0;
    for (size_t t = 0; t < n; t++) {
        size_t same = 0;
        while (group[target[same]] != group[target[t]])
            same++;
        label[t] = same == t ? (uint32_t)count++ : label[same];
    }
    return count;
}

/* Adds one draw's verdict, beside the truth (by number, not by name). */
static void compare(const pool_values *pool, const es_decision *truth, const verdict *v,
                    coverage *out) {
    const es_separation *said = &v->separations->in[ES_SCOPE_NEW];
    if (said->why_not)
        return;
    out->said++;
    out->best.of++;
    for (size_t a = 0; a < pool->m; a++) {
        size_t i = pool->order[a];
        uint32_t rank = truth->ranking->rank[i];
        out->best.hits += rank == 1 && said->best[a];
        out->members.hits += said->best[a];
        out->members.of++;
        out->ranks.hits += said->rank_low[a] <= rank && rank <= said->rank_high[a];
        out->ranks.of++;
        for (size_t b = a + 1; b < pool->m; b++) {
            bool apart = said->separated[a * pool->m + b];
            double real = truth->delta[i * pool->m + pool->order[b]];
            double seen = v->separations->differences->delta[a * pool->m + b];
            out->apart.hits += apart;
            out->apart.of++;
            out->wrong.hits += apart && real * seen < 0;
            out->wrong.of += apart;
        }
    }
}

/* Communities of a problem without families, by name. */
static size_t communities(const pool_values *pool, const es_decision_problem *problem,
                          uint32_t *group) {
    es_decision *decision = decide(problem);
    size_t count = number_groups(pool, decision->cluster, group);
    es_decision_free(decision);
    return count;
}

coverage cover_targets(const pool_values *pool, coverage_kind kind, size_t draws, uint64_t seed) {
    size_t m = pool->m;
    coverage out = {.draws = draws};
    const uint32_t *family = kind == COVER_NAMED && pool->named ? pool->family : NULL;
    const es_decision_problem whole =
        problem_of(pool, pool->results->is, pool->results->pmi, pool->rows, family);
    es_decision *truth = decide(&whole);
    uint32_t *group = calibrate_alloc(m, sizeof *group), *found = calibrate_alloc(m, sizeof *found);
    size_t groups = kind == COVER_COMMUNITIES ? communities(pool, &whole, group)
                                              : number_groups(pool, pool->family, group);
    uint32_t *target = calibrate_alloc(m * m, sizeof *target);
    uint32_t *copy = calibrate_alloc(m * m, sizeof *copy), *deck = deck_new(pool->rows);
    part half = part_new(pool, pool->rows / 2);
    judges j = judges_new(m, half.rows);
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SAMPLE, 2));
    for (size_t k = 0; k < draws; k++) {
        es_rng_shuffle(&rng, deck, pool->rows);
        part_take(pool, deck, &half);
        judges_take(pool, half.is, half.pmi, half.rows, k, &j);
        size_t n = draw_groups(&rng, group, m, groups, target, copy), clusters = groups;
        if (kind == COVER_UNNAMED) {
            const es_decision_problem blind = problem_of(pool, half.is, half.pmi, half.rows, NULL);
            communities(pool, &blind, found);
            clusters = label_by(found, target, n, copy);
        }
        verdict v = judge(&j, target, copy, n, family != NULL, k);
        compare(pool, truth, &v, &out);
        out.families.hits += (double)clusters;
        out.families.of++;
        verdict_free(&v);
    }
    judges_free(&j);
    part_free(&half);
    es_free(group);
    es_free(found);
    es_free(target);
    es_free(copy);
    es_free(deck);
    es_decision_free(truth);
    return out;
}

bool cover_same_path(const pool_values *pool) {
    size_t m = pool->m;
    const uint32_t *family = pool->named ? pool->family : NULL;
    const es_decision_problem whole =
        problem_of(pool, pool->results->is, pool->results->pmi, pool->rows, family);
    es_decision *decision = decide(&whole);
    uint32_t *cluster = calibrate_alloc(m, sizeof *cluster), *all = deck_new(m);
    judges j = judges_new(m, pool->rows);
    number_groups(pool, decision->cluster, cluster);
    judges_take(pool, pool->results->is, pool->results->pmi, pool->rows, 0, &j);
    verdict v = judge(&j, all, cluster, m, family != NULL, 0);
    bool same = (v.separations->in[ES_SCOPE_NEW].why_not == NULL) ==
                (decision->why_not[ES_SCOPE_NEW] == NULL);
    for (size_t a = 0; same && a < m; a++) {
        size_t i = pool->order[a];
        const es_separation *said = &v.separations->in[decision->scope];
        same = decision->best[i] == said->best[a] || decision->scope == ES_SCOPE_HERE;
        for (size_t b = 0; same && b < m; b++)
            for (size_t s = 0; s < ES_SCOPES; s++)
                same = same && v.separations->in[s].separated[a * m + b] ==
                                   decision->separated[s][i * m + pool->order[b]];
    }
    verdict_free(&v);
    judges_free(&j);
    es_free(cluster);
    es_free(all);
    es_decision_free(decision);
    return same;
}
