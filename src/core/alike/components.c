/* FastICA with symmetric decorrelation, and the match of two sets of components by an exact
 * assignment. */
#include "core_alike.h"

#include <math.h>
#include <string.h>

#include "core_structure.h"

enum { REPEATS = 3 };
static const double STILL = 1e-8, APART = 1e-9;

void es_ica_side_free(es_ica_side *side) {
    if (!side)
        return;
    es_free(side->s);
    es_free(side);
}

size_t es_ica_side_bytes(const es_ica_side *side) {
    return sizeof *side + side->k * side->n * sizeof *side->s;
}

/* Computes *out (k, n): the rows along their leading axes, with variance 1. */
static es_status whiten_rows(const es_matrix *m, size_t most, double **out, size_t *k,
                             es_error *err) {
    es_matrix centred = {0};
    es_pca pca = {0};
    es_status st = ES_OK;
    ES_TRY(es_matrix_centred(m, &centred, NULL, err));
    ES_TRY(es_pca_new(&centred, most, &pca, err));
    *k = pca.axes;
    *out = es_alloc_aligned((*k + 1) * m->n, sizeof **out);
    ES_FAIL_IF(!*out, es_no_memory_for(err, "%zu components", *k));
    es_dgemm(false, true, *k, m->n, m->d, pca.axis, centred.x, *out);
    for (size_t a = 0; a < *k; a++) {
        double scale = sqrt(pca.var[a] * (double)(m->n - 1) / (double)m->n);
        for (size_t i = 0; i < m->n; i++)
            (*out)[a * m->n + i] /= scale;
    }
done:
    es_matrix_free(&centred);
    es_pca_free(&pca);
    return st;
}

/* Replaces w (k, k) by the nearest matrix with orthonormal rows, (w w^T)^(-1/2) w; room (2, k, k),
 * value (k). */
static es_status decorrelate(double *w, size_t k, double *room, double *value, es_error *err) {
    double *u = room, *vt = room + k * k;
    es_status st = es_svd(k, k, w, u, value, vt, err);
    if (st == ES_OK)
        es_dgemm(false, false, k, k, k, u, vt, w);
    return st;
}

/* Takes one fixed-point step from w to next (k, k), not decorrelated; y (k, n) is scratch. */
static void fixed_point_step(const double *x, size_t n, size_t k, const double *w, double *y,
                             double *next) {
    es_dgemm(false, false, k, n, k, w, x, y);
    for (size_t a = 0; a < k; a++) {
        double slope = 0; /* mean of tanh' */
        for (size_t i = 0; i < n; i++) {
            double g = tanh(y[a * n + i]);
            y[a * n + i] = g / (double)n;
            slope += (1 - g * g) / (double)n;
        }
        for (size_t b = 0; b < k; b++)
            next[a * k + b] = slope; /* for now */
    }
    double *moved = y + k * n; /* (k, k) */
    es_dgemm(false, true, k, k, n, y, x, moved);
    for (size_t i = 0; i < k * k; i++)
        next[i] = moved[i] - next[i] * w[i];
}

/* Goes half the way: a whole step swings to and fro for ever between directions of near normal
 * shape. next (k, k) becomes twice the middle of w and of next, turned to agree in sign. */
static void halve(const double *w, double *next, size_t k) {
    for (size_t a = 0; a < k; a++) {
        double along = 0;
        for (size_t b = 0; b < k; b++)
            along += w[a * k + b] * next[a * k + b];
        for (size_t b = 0; b < k; b++)
            next[a * k + b] = w[a * k + b] + (along < 0 ? -next[a * k + b] : next[a * k + b]);
    }
}

/* w (k, k): the rows are eigenvectors of the mean of |x|^2 x x^T; y (k, n) and value (k) are
 * scratch. From random rotations the way is longer and passes more places where rounding chooses:
 * of 37 embedders 22 then had another end from a start 1e-9 apart, and 7 have from here. */
static es_status blind_start(const double *x, size_t n, size_t k, double *w, double *y,
                             double *value, es_error *err) {
    for (size_t i = 0; i < n; i++) {
        double square = 0;
        for (size_t a = 0; a < k; a++)
            square += x[a * n + i] * x[a * n + i];
        for (size_t a = 0; a < k; a++)
            y[a * n + i] = x[a * n + i] * square / (double)n;
    }
    es_dgemm(false, true, k, k, n, y, x, w);
    return es_eigen(k, w, value, err);
}

/* Where a search has ended. */
typedef struct found {
    double *w; /* (k, k) directions */
    unsigned steps;
    bool converged;
} found;

/* Runs FastICA on x (k, n) to convergence. apart: how far the start is moved, at random by `draw`.
 */
static es_status search_components(const double *x, size_t n, size_t k, const es_ica_rules *rules,
                                   double apart, unsigned draw, const es_run *run, found *out,
                                   es_error *err) {
    double *w = out->w, *next = es_alloc_aligned(3 * k * k + k, sizeof *next);
    double *y = es_alloc_aligned(k * n + k * k, sizeof *y);
    es_status st = ES_OK;
    es_rng rng;
    ES_FAIL_IF(!next || !y, es_no_memory_for(err, "%zu components", k));
    double *room = next + k * k, *value = next + 3 * k * k;
    ES_TRY(blind_start(x, n, k, w, y, value, err));
    es_rng_init(&rng, rules->seed, es_rng_stream(ES_STREAM_INIT, draw));
    for (size_t i = 0; apart > 0 && i < k * k; i++)
        w[i] += apart * es_rng_normal(&rng);
    ES_TRY(decorrelate(w, k, room, value, err));
    out->converged = false;
    for (out->steps = 0; out->steps < rules->steps && !out->converged; out->steps++) {
        double turned = 0;
        ES_TRY(es_run_check(run, err));
        fixed_point_step(x, n, k, w, y, next);
        ES_TRY(decorrelate(next, k, room, value, err));
        halve(w, next, k);
        ES_TRY(decorrelate(next, k, room, value, err));
        for (size_t a = 0; a < k; a++) {
            double along = 0;
            for (size_t b = 0; b < k; b++)
                along += w[a * k + b] * next[a * k + b];
            turned = fmax(turned, 1 - along);
        }
        out->converged = turned < STILL;
        memcpy(w, next, k * k * sizeof *w);
    }
done:
    es_free(next);
    es_free(y);
    return st;
}

/* Computes the mean absolute correlation of one search's components with those of another, matched.
 * Rows are white, so correlations of rows are those of directions. */
static es_status found_again(const double *w, const double *other, size_t k, const es_run *run,
                             double *out, es_error *err) {
    double *cost = es_alloc(k * k, sizeof *cost);
    uint32_t *match = es_alloc(k, sizeof *match);
    es_status st = ES_OK;
    ES_FAIL_IF(!cost || !match, es_no_memory_for(err, "%zu components", k));
    es_dgemm(false, true, k, k, k, w, other, cost);
    for (size_t i = 0; i < k * k; i++)
        cost[i] = -fabs(cost[i]);
    ES_TRY(es_assign(cost, k, run, match, err));
    *out = 0;
    for (size_t a = 0; a < k; a++)
        *out -= cost[a * k + match[a]] / (double)k;
done:
    es_free(cost);
    es_free(match);
    return st;
}

/* Searches from a start moved by rounding and lowers *repeat to the agreement of both ends. */
static es_status search_again(const double *x, size_t n, size_t k, const double *w,
                              const es_ica_rules *rules, const es_run *run, double *repeat,
                              es_error *err) {
    double same;
    es_status st = ES_OK;
    found other = {.w = es_alloc_aligned(k * k, sizeof *other.w)};
    ES_FAIL_IF(!other.w, es_no_memory_for(err, "%zu components", k));
    for (unsigned draw = 0; draw < REPEATS; draw++) {
        ES_TRY(search_components(x, n, k, rules, APART, draw, run, &other, err));
        ES_TRY(found_again(w, other.w, k, run, &same, err));
        *repeat = fmin(*repeat, same);
    }
done:
    es_free(other.w);
    return st;
}

/* Searches in the even and in the odd rows alone, along the same axes; halves: their agreement. */
static es_status search_halves(const double *x, size_t n, size_t k, const es_ica_rules *rules,
                               const es_run *run, double *halves, es_error *err) {
    es_status st = ES_OK;
    double *part = es_alloc_aligned(k * (n + 1) / 2, sizeof *part);
    double *w = es_alloc_aligned(2 * k * k, sizeof *w);
    ES_FAIL_IF(!part || !w, es_no_memory_for(err, "%zu components", k));
    for (size_t odd = 0; odd < 2; odd++) {
        size_t rows = (n + 1 - odd) / 2;
        found own = {.w = w + odd * k * k};
        for (size_t a = 0; a < k; a++)
            for (size_t i = 0; i < rows; i++)
                part[a * rows + i] = x[a * n + 2 * i + odd];
        ES_TRY(search_components(part, rows, k, rules, 0, 0, run, &own, err));
    }
    ES_TRY(found_again(w, w + k * k, k, run, halves, err));
done:
    es_free(part);
    es_free(w);
    return st;
}

es_status es_ica_side_new(const es_matrix *m, const es_ica_rules *rules, const es_run *run,
                          es_ica_side **out, es_error *err) {
    double *x = NULL;
    found own = {0};
    es_status st = ES_OK;
    es_ica_side *s = es_alloc_zero(1, sizeof *s);
    ES_FAIL_IF(!s, es_no_memory(err));
    ES_FAIL_IF(m->n < 4, es_fail(err, ES_EINVAL, "fewer than 4 rows"));
    s->n = m->n;
    ES_TRY(whiten_rows(m, rules->components, &x, &s->k, err));
    s->s = es_alloc_aligned((s->k + 1) * s->n, sizeof *s->s);
    own.w = es_alloc_aligned(s->k * s->k + 1, sizeof *own.w);
    ES_FAIL_IF(!s->s || !own.w, es_no_memory_for(err, "%zu components", s->k));
    s->repeat = s->halves = 1;
    if (s->k > 0) {
        ES_TRY(search_components(x, s->n, s->k, rules, 0, 0, run, &own, err));
        es_dgemm(false, false, s->k, s->n, s->k, own.w, x, s->s);
        ES_TRY(search_again(x, s->n, s->k, own.w, rules, run, &s->repeat, err));
        ES_TRY(search_halves(x, s->n, s->k, rules, run, &s->halves, err));
    }
    s->steps = own.steps;
    s->converged = own.converged;
    *out = s;
    s = NULL;
done:
    es_free(x);
    es_free(own.w);
    es_ica_side_free(s);
    return st;
}

/* Returns how far two components that correlate by r differ on average, after both agree in sign.
 */
static double component_gap(const double *a, const double *b, size_t n, double r) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fabs(a[i] - (r < 0 ? -b[i] : b[i]));
    return sum / (double)n;
}

es_status es_ica_gap_of(const es_ica_side *a, const es_ica_side *b, const es_run *run,
                        es_ica_gap *out, es_error *err) {
    size_t n = a->n, most = a->k > b->k ? a->k : b->k;
    es_ica_gap g = {.matched = a->k < b->k ? a->k : b->k,
                    .converged = a->converged && b->converged,
                    .repeat = fmin(a->repeat, b->repeat),
                    .halves = fmin(a->halves, b->halves)};
    es_status st = ES_OK;
    if (a->n != b->n)
        return es_fail(err, ES_EINVAL, "%zu and %zu rows", a->n, b->n);
    if (g.matched == 0) {
        g.gap = g.retention = es_stat_undefined(ES_WHY_CONSTANT);
        *out = g;
        return ES_OK;
    }
    double *r = es_alloc_aligned(a->k * b->k, sizeof *r), gap = 0, kept = 0;
    double *cost = es_alloc_zero(most * most, sizeof *cost);
    uint32_t *match = es_alloc(most, sizeof *match);
    ES_FAIL_IF(!r || !cost || !match, es_no_memory_for(err, "%zu components", most));
    es_dgemm(false, true, a->k, b->k, n, a->s, b->s, r);
    for (size_t i = 0; i < a->k; i++)
        for (size_t j = 0; j < b->k; j++)
            cost[i * most + j] = -fabs(r[i * b->k + j]) / (double)n;
    ES_TRY(es_assign(cost, most, run, match, err));
    for (size_t i = 0; i < a->k; i++) {
        size_t j = match[i];
        if (j >= b->k)
            continue;
        kept -= cost[i * most + j] / (double)g.matched;
        gap += component_gap(a->s + i * n, b->s + j * n, n, r[i * b->k + j]) / (double)g.matched;
    }
    g.gap = es_stat_of(gap);
    g.retention = es_stat_of(kept);
    *out = g;
done:
    es_free(r);
    es_free(cost);
    es_free(match);
    return st;
}
