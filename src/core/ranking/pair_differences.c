/* Differences of all pairs with their influences (pair_differences.h). Hands are summed up by
 * family first, so that a pair costs families times hands, not targets times hands. */
#include "pair_differences.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "stats.h"

void es_differences_free(es_differences *x) {
    if (!x)
        return;
    es_free(x->delta);
    es_free(x->judges);
    es_free(x->by_hand);
    es_free(x->by_family);
    es_free(x);
}

static es_differences *differences_alloc(size_t m, size_t hands, size_t families) {
    es_differences *x = es_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    x->m = m;
    x->pairs = m * (m - 1) / 2;
    x->hands = hands;
    x->families = families;
    x->delta = es_alloc(m * m, 3 * sizeof *x->delta);
    x->judges = es_alloc_zero(m * m, sizeof *x->judges);
    x->by_hand = es_alloc(hands * x->pairs, sizeof *x->by_hand);
    x->by_family = es_alloc(families * x->pairs, sizeof *x->by_family);
    if (!x->delta || !x->judges || !x->by_hand || !x->by_family) {
        es_differences_free(x);
        return NULL;
    }
    x->var_rows = x->delta + m * m;
    x->var_families = x->var_rows + m * m;
    return x;
}

static es_status check(const es_judged *p, es_error *err) {
    if (p->m == 0 || p->targets == 0)
        return es_fail(err, ES_EINVAL, "nothing to compare: %zu embedders, %zu targets", p->m,
                       p->targets);
    if (p->hands == 1)
        return es_fail(err, ES_EINVAL, "one hand of rows has no spread");
    if (!(p->inflate > 0 && p->inflate <= 100))
        return es_fail(err, ES_EINVAL, "a factor of %g for standard errors", p->inflate);
    for (size_t j = 0; p->family && j < p->targets; j++)
        if (p->family[j] >= p->targets)
            return es_fail(err, ES_EINVAL, "target %zu is of family %u of %zu", j, p->family[j],
                           p->targets);
    return ES_OK;
}

/* ---- One pair ---- */

/* What is the same for all pairs. */
typedef struct layout {
    size_t families;
    uint32_t *family;  // (targets)
    bool *judges;      // (m, targets)
    double *sum;       // (m, families, hands) of the hands' differences over a family's judges
    double *mean_hand; // (m, targets) over hands
} layout;

static void layout_free(layout *l) {
    es_free(l->family);
    es_free(l->judges);
    es_free(l->sum);
    es_free(l->mean_hand);
}

static double shift(const es_judged *p, const layout *l, size_t a, size_t j, size_t h) {
    return p->hand[(a * p->targets + j) * p->hands + h] - l->mean_hand[a * p->targets + j];
}

static void sum_families(const es_judged *p, layout *l) {
    for (size_t a = 0; a < p->m; a++)
        for (size_t j = 0; j < p->targets; j++) {
            if (!l->judges[a * p->targets + j] || p->hands == 0)
                continue;
            const double *hand = p->hand + (a * p->targets + j) * p->hands;
            double *sum = l->sum + (a * l->families + l->family[j]) * p->hands;
            double mean = 0;
            for (size_t h = 0; h < p->hands; h++)
                mean += hand[h] / (double)p->hands;
            l->mean_hand[a * p->targets + j] = mean;
            for (size_t h = 0; h < p->hands; h++)
                sum[h] += hand[h] - mean;
        }
}

static es_status layout_new(const es_judged *p, layout *l, es_error *err) {
    size_t cells = p->m * p->targets;
    l->family = es_alloc(p->targets, sizeof *l->family);
    l->judges = es_alloc(cells, sizeof *l->judges);
    l->mean_hand = es_alloc_zero(cells, sizeof *l->mean_hand);
    if (!l->family || !l->judges || !l->mean_hand)
        return es_no_memory_for(err, "comparing %zu embedders", p->m);
    for (size_t j = 0; j < p->targets; j++) {
        l->family[j] = p->family ? p->family[j] : (uint32_t)j;
        if (l->family[j] >= l->families)
            l->families = l->family[j] + 1;
    }
    for (size_t i = 0; i < cells; i++)
        l->judges[i] = isfinite(p->is[i]) && (p->include_self || i / p->targets != i % p->targets);
    l->sum = es_alloc_zero(p->m * l->families * p->hands, sizeof *l->sum);
    if (!l->sum)
        return es_no_memory_for(err, "comparing %zu embedders", p->m);
    sum_families(p, l);
    return ES_OK;
}

/* Work space of one pair. */
typedef struct pair_space {
    uint32_t *count; // (families) targets that judge both
    double *weight;  // (families) of each of these targets in delta
    double *d;       // (families) sum of their differences
    double *rho;     // (hands)
} pair_space;

static void space_free(pair_space *w) {
    es_free(w->count);
    es_free(w->weight);
    es_free(w->d);
    es_free(w->rho);
}

static es_status space_new(size_t families, size_t hands, pair_space *w, es_error *err) {
    w->count = es_alloc(families, sizeof *w->count);
    w->weight = es_alloc(families, sizeof *w->weight);
    w->d = es_alloc(families, sizeof *w->d);
    w->rho = es_alloc(hands, sizeof *w->rho);
    return w->count && w->weight && w->d && w->rho ? ES_OK : es_no_memory(err);
}

/* Counts, weights and delta of a pair; returns how many families judge both. */
static size_t weigh(const es_judged *p, const layout *l, size_t a, size_t b, pair_space *w,
                    double *delta) {
    const double *x = p->is + a * p->targets, *y = p->is + b * p->targets;
    const bool *ja = l->judges + a * p->targets, *jb = l->judges + b * p->targets;
    size_t families = 0, targets = 0;
    memset(w->count, 0, l->families * sizeof *w->count);
    memset(w->d, 0, l->families * sizeof *w->d);
    for (size_t j = 0; j < p->targets; j++)
        if (ja[j] && jb[j]) {
            w->count[l->family[j]]++;
            w->d[l->family[j]] += x[j] - y[j];
            targets++;
        }
    for (size_t f = 0; f < l->families; f++)
        families += w->count[f] > 0;
    *delta = families > 0 ? 0 : (double)NAN;
    for (size_t f = 0; f < l->families; f++) {
        double share = p->by_family ? (double)families * w->count[f] : (double)targets;
        w->weight[f] = w->count[f] > 0 ? 1 / share : 0;
        if (w->count[f] > 0)
            *delta += w->weight[f] * w->d[f];
    }
    return families;
}

/* Influences of families on delta, scaled so that the sum of their squares is its variance. */
static double family_influences(const layout *l, const pair_space *w, size_t families, double delta,
                                float *psi, size_t stride) {
    double scale = sqrt((double)families / (double)(families > 1 ? families - 1 : 1)), squares = 0;
    for (size_t f = 0; f < l->families; f++) {
        double share =
            w->count[f] > 0 ? scale * w->weight[f] * (w->d[f] - (double)w->count[f] * delta) : 0;
        squares += share * share;
        psi[f * stride] = (float)share;
    }
    return families > 1 ? squares : (double)NAN;
}

/* Influences of hands likewise. A family's sum counts all judges of one embedder; those that do not
 * judge the other are taken out again, which are few. */
static double hand_influences(const es_judged *p, const layout *l, size_t a, size_t b,
                              pair_space *w, float *rho, size_t stride) {
    const size_t side[2] = {a, b};
    double squares = 0, scale = p->inflate / sqrt((double)p->hands * ((double)p->hands - 1));
    memset(w->rho, 0, p->hands * sizeof *w->rho);
    for (size_t s = 0; s < 2; s++) {
        const bool *own = l->judges + side[s] * p->targets;
        const bool *other = l->judges + side[1 - s] * p->targets;
        double sign = s == 0 ? 1 : -1;
        for (size_t f = 0; f < l->families; f++) {
            const double *sum = l->sum + (side[s] * l->families + f) * p->hands;
            double weight = sign * w->weight[f];
            for (size_t h = 0; weight != 0 && h < p->hands; h++)
                w->rho[h] += weight * sum[h];
        }
        for (size_t j = 0; j < p->targets; j++)
            if (own[j] && !other[j])
                for (size_t h = 0; h < p->hands; h++)
                    w->rho[h] -= sign * w->weight[l->family[j]] * shift(p, l, side[s], j, h);
    }
    for (size_t h = 0; h < p->hands; h++) {
        double share = scale * w->rho[h];
        squares += share * share;
        rho[h * stride] = (float)share;
    }
    return squares;
}

/* ---- All pairs ---- */

static void put(double *matrix, size_t m, size_t a, size_t b, double value, double mirrored) {
    matrix[a * m + b] = value;
    matrix[b * m + a] = mirrored;
}

static es_status all_pairs(const es_judged *p, const layout *l, const es_run *run,
                           es_differences *x, es_error *err) {
    pair_space w = {0};
    size_t k = 0;
    es_status st = space_new(l->families, p->hands, &w, err);
    for (size_t a = 0; st == ES_OK && a < p->m; a++) {
        st = es_run_check(run, err);
        put(x->delta, p->m, a, a, 0, 0);
        put(x->var_rows, p->m, a, a, 0, 0);
        put(x->var_families, p->m, a, a, 0, 0);
        for (size_t b = a + 1; st == ES_OK && b < p->m; b++, k++) {
            double delta;
            size_t families = weigh(p, l, a, b, &w, &delta);
            double by_families =
                family_influences(l, &w, families, delta, x->by_family + k, x->pairs);
            double by_rows = (double)NAN;
            if (p->hands > 0)
                by_rows = hand_influences(p, l, a, b, &w, x->by_hand + k, x->pairs);
            put(x->delta, p->m, a, b, delta, -delta);
            put(x->var_rows, p->m, a, b, by_rows, by_rows);
            put(x->var_families, p->m, a, b, by_families, by_families);
            x->judges[a * p->m + b] = x->judges[b * p->m + a] = (uint32_t)families;
        }
    }
    space_free(&w);
    return st;
}

static es_judged with_defaults(es_judged p) {
    p.inflate = p.inflate != 0 ? p.inflate : 1.2;
    p.hands = p.hand ? p.hands : 0;
    return p;
}

es_status es_differences_new(const es_judged *judged, const es_run *run, es_differences **out,
                             es_error *err) {
    es_judged p = with_defaults(*judged);
    layout l = {0};
    es_differences *x = NULL;
    es_status st = check(&p, err);
    if (st != ES_OK)
        return st;
    ES_TRY(layout_new(&p, &l, err));
    x = differences_alloc(p.m, p.hands, l.families);
    if (!x) {
        st = es_no_memory_for(err, "comparing %zu embedders", p.m);
        goto done;
    }
    ES_TRY(all_pairs(&p, &l, run, x, err));
    *out = x;
    x = NULL;
done:
    es_differences_free(x);
    layout_free(&l);
    return st;
}

/* ---- Families that judge ---- */

static es_status count_judges(const es_judged *p, double *out, es_error *err) {
    layout l = {0};
    pair_space w = {0};
    size_t n = 0;
    double delta, *count = es_alloc(p->m * (p->m - 1) / 2, sizeof *count);
    es_status st = count ? layout_new(p, &l, err) : es_no_memory(err);
    if (st == ES_OK)
        st = space_new(l.families, 0, &w, err);
    for (size_t a = 0; st == ES_OK && a < p->m; a++)
        for (size_t b = a + 1; b < p->m; b++)
            count[n++] = (double)weigh(p, &l, a, b, &w, &delta);
    if (st == ES_OK)
        *out = n > 0 ? es_stat_median(count, n) : 0;
    es_free(count);
    space_free(&w);
    layout_free(&l);
    return st;
}

es_status es_usual_judges(const es_judged *judged, double *out, es_error *err) {
    es_judged p = with_defaults(*judged);
    p.hands = 0;
    es_status st = check(&p, err);
    return st == ES_OK ? count_judges(&p, out, err) : st;
}

/* ---- One embedder ---- */

/* An embedder's score is its difference from one that knows nothing of any target. */
static es_score_spread spread_of(const es_judged *p, const layout *l, size_t a, pair_space *w) {
    es_score_spread out = {.score = 0, .var_rows = 0};
    const double *x = p->is + a * p->targets;
    size_t targets = 0;
    memset(w->count, 0, l->families * sizeof *w->count);
    memset(w->d, 0, l->families * sizeof *w->d);
    memset(w->rho, 0, p->hands * sizeof *w->rho);
    for (size_t j = 0; j < p->targets; j++)
        if (l->judges[a * p->targets + j]) {
            out.families += w->count[l->family[j]]++ == 0;
            w->d[l->family[j]] += x[j];
            targets++;
        }
    if (targets == 0)
        return (es_score_spread){NAN, NAN, NAN, 0};
    for (size_t f = 0; f < l->families; f++) {
        size_t share = p->by_family ? (size_t)out.families * w->count[f] : targets;
        w->weight[f] = w->count[f] > 0 ? 1 / (double)share : 0;
        out.score += w->weight[f] * w->d[f];
        const double *sum = l->sum + (a * l->families + f) * p->hands;
        for (size_t h = 0; w->count[f] > 0 && h < p->hands; h++)
            w->rho[h] += w->weight[f] * sum[h];
    }
    for (size_t f = 0; f < l->families; f++) {
        double share = w->weight[f] * (w->d[f] - (double)w->count[f] * out.score);
        out.var_families += share * share;
    }
    out.var_families = out.families > 1
                           ? out.var_families * out.families / (double)(out.families - 1)
                           : (double)NAN;
    for (size_t h = 0; h < p->hands; h++)
        out.var_rows += w->rho[h] * w->rho[h];
    out.var_rows = p->hands > 1 ? out.var_rows * p->inflate * p->inflate /
                                      ((double)p->hands * (double)(p->hands - 1))
                                : (double)NAN;
    return out;
}

es_status es_score_spreads(const es_judged *judged, es_score_spread *out, es_error *err) {
    es_judged p = with_defaults(*judged);
    layout l = {0};
    pair_space w = {0};
    es_status st = check(&p, err);
    if (st == ES_OK)
        st = layout_new(&p, &l, err);
    if (st == ES_OK)
        st = space_new(l.families, p.hands, &w, err);
    for (size_t a = 0; st == ES_OK && a < p.m; a++)
        out[a] = spread_of(&p, &l, a, &w);
    space_free(&w);
    layout_free(&l);
    return st;
}
