/* A force layout (Fruchterman and Reingold 1991) whose steps grow shorter as it cools, from random
 * places by seed. */
#include "core_structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double heat_at_start = 0.12; /* longest way of one step, in units of the drawing */
static const double gravity = 0.12;       /* keeps parts without an edge between them in sight */

enum { EDGES_A_NODE = 2, MANY_NODES = 60 };

static double both_ways(const double *is, size_t m, size_t i, size_t j) {
    double there = is[i * m + j], back = is[j * m + i];
    if (!isfinite(there))
        return isfinite(back) ? back : (double)NAN;
    return isfinite(back) ? (there + back) / 2 : there;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many of the ascending bounds are at most v. */
static size_t find_share(const double *bound, size_t count, double v) {
    size_t low = 0;
    while (low < count) {
        size_t middle = (low + count) / 2;
        if (bound[middle] <= v)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* es_stat_midranks of very many values, share by share, so that it can be broken off: the bounds
 * between shares are quantiles of a sample, and equal values are in one share. */
static es_status rank_in_shares(const double *value, size_t n, const es_run *run, double *rank,
                                es_error *err) {
    enum { SHARE = 1 << 16, SAMPLED = 32 };
    es_status st = ES_OK;
    size_t shares = n / SHARE + 1, sampled = (shares - 1) * SAMPLED;
    double *bound = es_alloc(sampled + 1, sizeof *bound);
    size_t *end = es_alloc_zero(shares + 1, sizeof *end);
    double *of = es_alloc(n + 1, sizeof *of), *ranked = NULL;
    uint32_t *from = es_alloc(n + 1, sizeof *from);
    ES_FAIL_IF(!bound || !end || !of || !from, es_no_memory_for(err, "%zu pairs", n));
    for (size_t k = 0; k < sampled; k++)
        bound[k] = value[k * (n / sampled)];
    qsort(bound, sampled, sizeof *bound, ascending);
    for (size_t k = 0; k + 1 < shares; k++)
        bound[k] = bound[k * SAMPLED + SAMPLED / 2];
    for (size_t i = 0; i < n; i++)
        end[find_share(bound, shares - 1, value[i]) + 1]++;
    size_t largest = 0;
    for (size_t k = 1; k <= shares; k++) {
        largest = end[k] > largest ? end[k] : largest;
        end[k] += end[k - 1];
    }
    ranked = es_alloc(largest + 1, sizeof *ranked);
    ES_FAIL_IF(!ranked, es_no_memory_for(err, "%zu pairs", n));
    ES_TRY(es_run_check(run, err));
    for (size_t i = 0; i < n; i++) { /* end[k] goes from where share k begins to where it ends */
        size_t at = end[find_share(bound, shares - 1, value[i])]++;
        of[at] = value[i];
        from[at] = (uint32_t)i;
    }
    for (size_t k = 0, at = 0; k < shares; at = end[k++]) {
        ES_TRY(es_run_check(run, err));
        ES_TRY(es_stat_midranks(of + at, end[k] - at, ranked, err));
        for (size_t i = at; i < end[k]; i++)
            rank[from[i]] = (double)at + ranked[i - at];
    }
done:
    es_free(bound);
    es_free(end);
    es_free(of);
    es_free(ranked);
    es_free(from);
    return st;
}

es_status es_pair_strength(const double *is, size_t m, const es_run *run, double *strength,
                           size_t *pairs, es_error *err) {
    size_t most = m * (m > 0 ? m - 1 : 0) / 2, n = 0;
    double *value = es_alloc(most + 1, 2 * sizeof *value);
    if (!value)
        return es_no_memory_for(err, "%zu pairs", most);
    double *rank = value + most;
    for (size_t i = 0; i < m; i++)
        for (size_t j = i + 1; j < m; j++) {
            double v = both_ways(is, m, i, j);
            if (isfinite(v))
                value[n++] = v;
        }
    es_status st = rank_in_shares(value, n, run, rank, err);
    size_t at = 0;
    for (size_t i = 0; st == ES_OK && i < m; i++) {
        strength[i * m + i] = NAN;
        for (size_t j = i + 1; j < m; j++) {
            bool known = isfinite(both_ways(is, m, i, j));
            strength[i * m + j] = strength[j * m + i] =
                known ? rank[at++] / (double)n : (double)NAN;
        }
    }
    if (st == ES_OK)
        *pairs = n;
    es_free(value);
    return st;
}

void es_force_free(es_force *f) {
    if (!f)
        return;
    es_free(f->x);
    es_free(f->pull);
    es_free(f->edge);
    es_free(f);
}

es_status es_force_new(const double *strength, size_t m, uint64_t seed, es_force **out,
                       es_error *err) {
    es_force *f = es_alloc_zero(1, sizeof *f);
    if (f) {
        f->m = m;
        f->x = es_alloc(m + 1, 4 * sizeof *f->x);
        f->pull = es_alloc(m * m + 1, sizeof *f->pull);
    }
    if (!f || !f->x || !f->pull) {
        es_force_free(f);
        return es_no_memory_for(err, "a drawing of %zu embedders", m);
    }
    f->y = f->x + m;
    f->dx = f->y + m;
    f->dy = f->dx + m;
    /* Only what is strong among all pairs attracts, or a complete graph falls into one heap. */
    for (size_t k = 0; k < m * m; k++) {
        double cube = strength[k] * strength[k] * strength[k];
        f->pull[k] = isnan(cube) ? 0 : cube * cube;
    }
    for (size_t i = 0; i < m; i++) {
        es_rng rng;
        es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_LAYOUT, i));
        f->x[i] = es_rng_uniform(&rng) - 0.5;
        f->y[i] = es_rng_uniform(&rng) - 0.5;
    }
    *out = f;
    return ES_OK;
}

/* Keeps the strongest edges only in large graphs. */
static es_status keep_strongest(es_force *f, const double *strength, es_error *err) {
    size_t m = f->m, most = m > MANY_NODES ? m : EDGES_A_NODE * m;
    double least = f->pairs > most ? 1 - ((double)most - 0.5) / (double)f->pairs : 0;
    size_t count = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = i + 1; j < m; j++)
            count += strength[i * m + j] >= least;
    f->edge = es_alloc(count + 1, sizeof *f->edge);
    if (!f->edge)
        return es_no_memory_for(err, "a drawing of %zu embedders", m);
    for (size_t i = 0; i < m; i++)
        for (size_t j = i + 1; j < m; j++)
            if (strength[i * m + j] >= least)
                f->edge[f->edges++] = (struct es_force_edge){(uint32_t)i, (uint32_t)j};
    return ES_OK;
}

es_status es_force_of(const double *is, size_t m, uint64_t seed, const es_run *run, es_force **out,
                      es_error *err) {
    size_t pairs = 0;
    es_force *force = NULL;
    double *strength = es_alloc(m * m + 1, sizeof *strength);
    es_status st = ES_OK;
    ES_FAIL_IF(!strength, es_no_memory_for(err, "a drawing of %zu embedders", m));
    ES_TRY(es_pair_strength(is, m, run, strength, &pairs, err));
    ES_TRY(es_force_new(strength, m, seed, &force, err));
    force->pairs = pairs;
    ES_TRY(keep_strongest(force, strength, err));
    *out = force;
    force = NULL;
done:
    es_free(strength);
    es_force_free(force);
    return st;
}

void es_force_go_on(es_force *f, const double *x, const double *y) {
    memcpy(f->x, x, f->m * sizeof *x);
    memcpy(f->y, y, f->m * sizeof *y);
    f->step = ES_FORCE_STEPS / 2;
}

/* Forces on all nodes: k^2 / d apart, pull d^2 / k together, with k the spacing of m nodes. */
static void sum_forces(es_force *f) {
    size_t m = f->m;
    double k = sqrt(1.0 / (double)m);
    for (size_t i = 0; i < m; i++) {
        f->dx[i] = -gravity * f->x[i];
        f->dy[i] = -gravity * f->y[i];
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = i + 1; j < m; j++) {
            double x = f->x[i] - f->x[j], y = f->y[i] - f->y[j];
            double square = x * x + y * y + 1e-9;
            double push = k * k / square - f->pull[i * m + j] * sqrt(square) / k;
            f->dx[i] += x * push;
            f->dy[i] += y * push;
            f->dx[j] -= x * push;
            f->dy[j] -= y * push;
        }
}

unsigned es_force_move(es_force *f, unsigned steps) {
    for (; steps > 0 && f->step < ES_FORCE_STEPS; steps--, f->step++) {
        double heat = heat_at_start * (1 - (double)f->step / ES_FORCE_STEPS);
        sum_forces(f);
        for (size_t i = 0; i < f->m; i++) {
            double length = sqrt(f->dx[i] * f->dx[i] + f->dy[i] * f->dy[i]);
            double way = length > heat ? heat / length : 1;
            f->x[i] += f->dx[i] * way;
            f->y[i] += f->dy[i] * way;
        }
    }
    return ES_FORCE_STEPS - f->step;
}
