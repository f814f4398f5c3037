/* Sums over row places of what an embedder predicts of its partners and they of it, each pair as a
 * share of the target's own value, then the stretch whose mean lies furthest below the rest. */
#include "core_ranking.h"

#include <math.h>
#include <string.h>

#include "core_numerics.h"

enum { LEAST_ROWS = 8, PLACES = 200, STRETCHES = 2 };
static const double CLEAR = 7, SHARE = 0.1, OTHERS = 0.5, RELATED = 0.01, EDGE = 0.02;
static const double LOST = 0.3; /* most that one partner keeps that is lost; OTHERS: least if not */

typedef struct work {
    const es_steps_problem *p;
    double *all;            // (rows) of all related pairs
    double *own;            // (m, rows) of those with the embedder
    size_t pairs, *count;   // of all; (m)
    double *s, *b, *sorted; // (rows + 1) sums of an embedder's and of the others'; scratch
    bool *lost;             // (m)
} work;

static void work_free(work *w) {
    es_free(w->all);
    es_free(w->own);
    es_free(w->count);
    es_free(w->s);
    es_free(w->lost);
}

static bool is_pair(const es_steps_problem *p, size_t a, size_t b) {
    return a != b && p->use[a] && p->use[b] && p->pmi[a * p->m + b] != NULL &&
           p->is[a * p->m + b] > RELATED && p->is[b * p->m + b] > RELATED;
}

/* Adds the per-row values of a pair to the shares. */
static void add_pair(work *w, size_t a, size_t b) {
    const es_steps_problem *p = w->p;
    const float *value = p->pmi[a * p->m + b];
    double scale = 1 / p->is[b * p->m + b];
    for (size_t r = 0; r < p->rows; r++) {
        double share = (double)value[r] * scale;
        w->all[r] += share;
        w->own[a * p->rows + r] += share;
        w->own[b * p->rows + r] += share;
    }
    w->pairs++;
    w->count[a]++;
    w->count[b]++;
}

static es_status work_new(const es_steps_problem *p, work *w, es_error *err) {
    size_t n = p->rows + 1;
    *w = (work){.p = p};
    w->all = es_alloc_zero(n, sizeof *w->all);
    w->own = es_alloc_zero(n, (p->m + 1) * sizeof *w->own);
    w->count = es_alloc_zero(p->m + 1, sizeof *w->count);
    w->s = es_alloc(n, 3 * sizeof *w->s);
    w->lost = es_alloc(p->m + 1, sizeof *w->lost);
    if (!w->all || !w->own || !w->count || !w->s || !w->lost)
        return es_no_memory_for(err, "values of %zu rows", p->rows);
    w->b = w->s + n;
    w->sorted = w->b + n;
    for (size_t a = 0; a < p->m; a++)
        for (size_t b = 0; b < p->m; b++)
            if (is_pair(p, a, b))
                add_pair(w, a, b);
    return ES_OK;
}

/* Limits values (n) to their 2 % and 98 % quantiles, so that no single row decides; then sums from
 * the first on: sum (n + 1). *noise: standard deviation of neighbours, which a step hardly moves.
 */
static void accumulate(double *value, size_t n, double *sorted, double *sum, double *noise) {
    memcpy(sorted, value, n * sizeof *sorted);
    double low = es_stat_quantile(sorted, n, EDGE), high = es_stat_quantile(sorted, n, 1 - EDGE);
    double squares = 0, before = 0, total = 0;
    sum[0] = 0;
    for (size_t r = 0; r < n; r++) {
        double v = value[r] < low ? low : value[r] > high ? high : value[r];
        squares += r > 0 ? (v - before) * (v - before) : 0;
        before = v;
        total += v;
        sum[r + 1] = total;
    }
    *noise = sqrt(squares / 2 / (double)(n - 1));
}

static double mean_in(const double *sum, size_t from, size_t to) {
    return (sum[to] - sum[from]) / (double)(to - from);
}

static double mean_out(const double *sum, size_t n, size_t from, size_t to) {
    return (sum[n] - sum[to] + sum[from]) / (double)(n - (to - from));
}

/* The stretch with the largest t of "lower inside"; 0: none. Places are every step-th row. */
static double lowest(const double *sum, size_t n, double noise, size_t step, size_t lo_from,
                     size_t hi_from, size_t lo_to, size_t hi_to, es_stretch *out) {
    size_t least = n / 20 > LEAST_ROWS ? n / 20 : LEAST_ROWS;
    double best = 0;
    for (size_t from = lo_from; from <= hi_from; from += step)
        for (size_t to = lo_to; to <= hi_to; to += step) {
            if (to < from + least || to - from + least > n)
                continue;
            double in = mean_in(sum, from, to), rest = mean_out(sum, n, from, to);
            double inner = (double)(to - from), outer = (double)n - inner;
            double t = (rest - in) / (noise * sqrt(1 / inner + 1 / outer));
            if (t > best) {
                best = t;
                *out = (es_stretch){.from = from, .to = to, .inside = in, .outside = rest};
            }
        }
    return best;
}

static size_t below(size_t a, size_t b) {
    return a > b ? a - b : 0;
}

/* First in coarse places, then row by row around the best. */
static double find(const double *sum, size_t n, double noise, es_stretch *out) {
    size_t step = n / PLACES > 1 ? n / PLACES : 1;
    double t = lowest(sum, n, noise, step, 0, n, n % step, n, out);
    if (t <= 0 || step == 1)
        return t;
    es_stretch near = *out;
    size_t late = near.to + step < n ? near.to + step : n;
    double finer = lowest(sum, n, noise, 1, below(near.from, step), near.from + step,
                          below(near.to, step), late, &near);
    if (finer > t)
        *out = near;
    return finer > t ? finer : t;
}

/* The others among each other, in the same rows. */
static bool others_hold(const work *w, const double *sum, const es_stretch *x) {
    size_t n = w->p->rows;
    double in = mean_in(sum, x->from, x->to), rest = mean_out(sum, n, x->from, x->to);
    return rest > 0 && in >= OTHERS * rest;
}

/* Adds what a and b predict of each other within the stretch, and outside it. */
static void add_means(const work *w, size_t a, size_t b, const es_stretch *x, double mean[2]) {
    const es_steps_problem *p = w->p;
    const size_t pair[2][2] = {{a, b}, {b, a}};
    double inner = (double)(x->to - x->from), outer = (double)p->rows - inner;
    for (size_t k = 0; k < 2; k++) {
        if (!is_pair(p, pair[k][0], pair[k][1]))
            continue;
        const float *value = p->pmi[pair[k][0] * p->m + pair[k][1]];
        double own = p->is[pair[k][1] * p->m + pair[k][1]];
        for (size_t r = 0; r < p->rows; r++) {
            bool in = r >= x->from && r < x->to;
            mean[!in] += (double)value[r] / (own * (in ? inner : outer));
        }
    }
}

/* Some embedders may be out of step in one way, and go on predicting each other: they are those
 * who are fewer. True if a is among them; x->alike is how many are with it. */
static bool is_of_fewer(work *w, size_t a, es_stretch *x) {
    size_t m = w->p->m, lost = 0;
    double others[2] = {0, 0};
    x->alike = 0;
    for (size_t b = 0; b < m; b++) {
        double mean[2] = {0, 0};
        add_means(w, a, b, x, mean);
        w->lost[b] = mean[1] > 0 && mean[0] <= LOST * mean[1];
        if (b == a || !(mean[1] > 0) || (!w->lost[b] && mean[0] < OTHERS * mean[1]))
            continue;
        lost += w->lost[b];
        x->alike += !w->lost[b];
    }
    for (size_t b = 0; b < m; b++)
        for (size_t c = 0; c < b; c++)
            if (w->lost[b] && w->lost[c])
                add_means(w, b, c, x, others);
    return lost > x->alike + 1 && others[1] > 0 && others[0] >= OTHERS * others[1];
}

/* Stretches of one embedder. */
static size_t look(work *w, size_t a, es_stretch out[STRETCHES]) {
    const es_steps_problem *p = w->p;
    double *own = w->own + a * p->rows, noise, unused;
    size_t n = p->rows, rest = w->pairs - w->count[a], found = 0;
    if (w->count[a] < 2 || rest == 0)
        return 0;
    for (size_t r = 0; r < n; r++)
        w->all[r] -= own[r];
    accumulate(w->all, n, w->sorted, w->b, &unused);
    for (size_t r = 0; r < n; r++) {
        w->all[r] += own[r];
        own[r] /= (double)w->count[a];
    }
    for (bool more = true; more && found < STRETCHES; found += more) {
        es_stretch x = {0};
        accumulate(own, n, w->sorted, w->s, &noise);
        double t = noise > 0 ? find(w->s, n, noise, &x) : 0;
        more = t > CLEAR && (is_of_fewer(w, a, &x) ||
                             (x.inside <= SHARE * x.outside && others_hold(w, w->b, &x)));
        if (!more)
            break;
        x.embedder = a;
        out[found] = x;
        for (size_t r = x.from; r < x.to; r++) /* a second one is looked for in the rest */
            own[r] = x.outside;
    }
    return found;
}

es_status es_steps_find(const es_steps_problem *p, es_stretch **out, size_t *count, es_error *err) {
    work w;
    es_status st = work_new(p, &w, err);
    *out = NULL;
    *count = 0;
    for (size_t a = 0; st == ES_OK && p->rows >= (size_t)4 * LEAST_ROWS && a < p->m; a++) {
        es_stretch found[STRETCHES];
        size_t n = look(&w, a, found);
        es_stretch *more = n > 0 ? es_realloc(*out, *count + n, sizeof *more) : *out;
        if (n > 0 && !more) {
            st = es_no_memory(err);
            break;
        }
        *out = more;
        for (size_t k = 0; k < n; k++)
            (*out)[(*count)++] = found[k];
    }
    work_free(&w);
    return st;
}
