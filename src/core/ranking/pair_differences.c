/* Differences of all pairs with their influences (pair_differences.h). Targets and hands are summed
 * up by family first, so that a pair costs families times hands, not targets times hands; only
 * families in which a target judges one of both alone, or neither, are gone through. */
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
    es_free(x);
}

static es_differences *differences_alloc(size_t m, size_t hands, size_t families) {
    es_differences *x = es_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    x->m = m;
    x->hands = hands;
    x->families = families;
    x->delta = es_alloc(m * m, 3 * sizeof *x->delta);
    x->judges = es_alloc_zero(m * m, sizeof *x->judges);
    if (!x->delta || !x->judges) {
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
    uint32_t *begin;   // (families + 1) of each family's members
    uint32_t *member;  // (targets) targets, family by family
    bool *judges;      // (m, targets)
    uint32_t *count;   // (m, families) of a family's members, those that judge
    double *is;        // (m, families) sum of information sufficiency over these
    double *sum;       // (m, families, hands) of the hands' differences over these
    double *mean_hand; // (m, targets) over hands
} layout;

static void layout_free(layout *l) {
    es_free(l->family);
    es_free(l->begin);
    es_free(l->member);
    es_free(l->judges);
    es_free(l->count);
    es_free(l->is);
    es_free(l->sum);
    es_free(l->mean_hand);
}

static double shift(const es_judged *p, const layout *l, size_t a, size_t j, size_t h) {
    return p->hand[(a * p->targets + j) * p->hands + h] - l->mean_hand[a * p->targets + j];
}

static void sum_hands(const es_judged *p, layout *l, size_t a, size_t j) {
    const double *hand = p->hand + (a * p->targets + j) * p->hands;
    double *sum = l->sum + (a * l->families + l->family[j]) * p->hands;
    double mean = 0;
    for (size_t h = 0; h < p->hands; h++)
        mean += hand[h] / (double)p->hands;
    l->mean_hand[a * p->targets + j] = mean;
    for (size_t h = 0; h < p->hands; h++)
        sum[h] += hand[h] - mean;
}

static void sum_families(const es_judged *p, layout *l) {
    for (size_t a = 0; a < p->m; a++)
        for (size_t j = 0; j < p->targets; j++) {
            double is = p->is[a * p->targets + j];
            if (!isfinite(is) || (!p->include_self && j == a))
                continue;
            l->judges[a * p->targets + j] = true;
            l->count[a * l->families + l->family[j]]++;
            l->is[a * l->families + l->family[j]] += is;
            if (p->hands > 0)
                sum_hands(p, l, a, j);
        }
}

/* next (families): scratch. */
static void list_members(const es_judged *p, layout *l, uint32_t *next) {
    for (size_t j = 0; j < p->targets; j++)
        l->begin[l->family[j] + 1]++;
    for (size_t f = 0; f < l->families; f++) {
        l->begin[f + 1] += l->begin[f];
        next[f] = l->begin[f];
    }
    for (size_t j = 0; j < p->targets; j++)
        l->member[next[l->family[j]]++] = (uint32_t)j;
}

static es_status layout_new(const es_judged *p, layout *l, es_error *err) {
    size_t cells = p->m * p->targets;
    l->family = es_alloc(p->targets, sizeof *l->family);
    for (size_t j = 0; l->family && j < p->targets; j++) {
        l->family[j] = p->family ? p->family[j] : (uint32_t)j;
        if (l->family[j] >= l->families)
            l->families = l->family[j] + 1;
    }
    l->begin = es_alloc_zero(l->families + 1, sizeof *l->begin);
    l->member = es_alloc(p->targets, sizeof *l->member);
    l->judges = es_alloc_zero(cells, sizeof *l->judges);
    l->count = es_alloc_zero(p->m * l->families, sizeof *l->count);
    l->is = es_alloc_zero(p->m * l->families, sizeof *l->is);
    l->sum = es_alloc_zero(p->m * l->families * p->hands, sizeof *l->sum);
    l->mean_hand = es_alloc_zero(p->hands > 0 ? cells : 0, sizeof *l->mean_hand);
    uint32_t *next = es_alloc(l->families, sizeof *next);
    bool fits = l->family && l->begin && l->member && l->judges && l->count && l->is && l->sum &&
                l->mean_hand && next;
    if (fits) {
        list_members(p, l, next);
        sum_families(p, l);
    }
    es_free(next);
    return fits ? ES_OK : es_no_memory_for(err, "comparing %zu embedders", p->m);
}

/* Do all members of a family judge it? */
static bool whole(const layout *l, size_t a, size_t f) {
    return l->count[a * l->families + f] == l->begin[f + 1] - l->begin[f];
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

/* Counts and differences of a pair; returns how many families judge both. A family whose members
 * all judge both is a difference of sums: equal embedders differ by exactly 0 either way. */
static size_t count_both(const es_judged *p, const layout *l, size_t a, size_t b, pair_space *w) {
    const double *x = p->is + a * p->targets, *y = p->is + b * p->targets;
    const bool *ja = l->judges + a * p->targets, *jb = l->judges + b * p->targets;
    size_t families = 0;
    for (size_t f = 0; f < l->families; f++) {
        if (whole(l, a, f) && whole(l, b, f)) {
            w->count[f] = l->begin[f + 1] - l->begin[f];
            w->d[f] = l->is[a * l->families + f] - l->is[b * l->families + f];
        } else {
            w->count[f] = 0;
            w->d[f] = 0;
            for (size_t k = l->begin[f]; k < l->begin[f + 1]; k++) {
                size_t j = l->member[k];
                bool both = ja[j] && jb[j];
                w->count[f] += both;
                w->d[f] += both ? x[j] - y[j] : 0;
            }
        }
        families += w->count[f] > 0;
    }
    return families;
}

/* Counts, weights and delta of a pair; returns how many families judge both. */
static size_t weigh(const es_judged *p, const layout *l, size_t a, size_t b, pair_space *w,
                    double *delta) {
    size_t families = count_both(p, l, a, b, w), targets = 0;
    for (size_t f = 0; f < l->families; f++)
        targets += w->count[f];
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
        for (size_t f = 0; f < l->families; f++)
            for (size_t k = l->begin[f]; k < l->begin[f + 1] && !whole(l, side[1 - s], f); k++) {
                size_t j = l->member[k];
                for (size_t h = 0; own[j] && !other[j] && h < p->hands; h++)
                    w->rho[h] -= sign * w->weight[f] * shift(p, l, side[s], j, h);
            }
    }
    for (size_t h = 0; h < p->hands; h++) {
        double share = scale * w->rho[h];
        squares += share * share;
        rho[h * stride] = (float)share;
    }
    return squares;
}

/* ---- All pairs ---- */

/* Influences of the pairs of some sources, as far as they are taken at once. */
typedef struct part {
    es_influences of;
    size_t most; // pairs
    float *by_hand, *by_family;
} part;

static es_status part_new(const es_judged *p, const layout *l, part *out, es_error *err) {
    out->most = ES_INFLUENCES_AT_ONCE > p->m - 1 ? ES_INFLUENCES_AT_ONCE : p->m - 1;
    out->of.by_hand = out->by_hand = es_alloc(p->hands * out->most, sizeof *out->by_hand);
    out->of.by_family = out->by_family = es_alloc(l->families * out->most, sizeof *out->by_family);
    return out->by_hand && out->by_family ? ES_OK
                                          : es_no_memory_for(err, "comparing %zu embedders", p->m);
}

static void part_free(part *x) {
    es_free(x->by_hand);
    es_free(x->by_family);
}

static void put(double *matrix, size_t m, size_t a, size_t b, double value, double mirrored) {
    matrix[a * m + b] = value;
    matrix[b * m + a] = mirrored;
}

/* The pair (a, b), the k-th of a part. */
static void one_pair(const es_judged *p, const layout *l, size_t a, size_t b, pair_space *w,
                     size_t k, part *now, es_differences *x) {
    double delta, by_rows = (double)NAN;
    size_t families = weigh(p, l, a, b, w, &delta);
    double by_families =
        family_influences(l, w, families, delta, now->by_family + k, now->of.pairs);
    if (p->hands > 0)
        by_rows = hand_influences(p, l, a, b, w, now->by_hand + k, now->of.pairs);
    put(x->delta, p->m, a, b, delta, -delta);
    put(x->var_rows, p->m, a, b, by_rows, by_rows);
    put(x->var_families, p->m, a, b, by_families, by_families);
    x->judges[a * p->m + b] = x->judges[b * p->m + a] = (uint32_t)families;
}

/* As many sources as a part takes, one at least. */
static void next_part(size_t m, part *now) {
    now->of.first += now->of.sources;
    now->of.sources = now->of.pairs = 0;
    for (size_t a = now->of.first; a < m; a++) {
        if (now->of.sources > 0 && now->of.pairs + (m - 1 - a) > now->most)
            break;
        now->of.pairs += m - 1 - a;
        now->of.sources++;
    }
}

static es_status all_pairs(const es_judged *p, const layout *l, const es_influences_to *to,
                           const es_run *run, es_differences *x, es_error *err) {
    pair_space w = {0};
    part now = {0};
    es_status st = part_new(p, l, &now, err);
    if (st == ES_OK)
        st = space_new(l->families, p->hands, &w, err);
    for (next_part(p->m, &now); st == ES_OK && now.of.sources > 0; next_part(p->m, &now)) {
        size_t k = 0;
        for (size_t a = now.of.first; a < now.of.first + now.of.sources; a++) {
            put(x->delta, p->m, a, a, 0, 0);
            put(x->var_rows, p->m, a, a, 0, 0);
            put(x->var_families, p->m, a, a, 0, 0);
            for (size_t b = a + 1; b < p->m; b++)
                one_pair(p, l, a, b, &w, k++, &now, x);
        }
        st = es_run_check(run, err);
        if (st == ES_OK && to)
            st = to->take(to->context, x, &now.of, run, err);
    }
    space_free(&w);
    part_free(&now);
    return st;
}

static es_judged with_defaults(es_judged p) {
    p.inflate = p.inflate != 0 ? p.inflate : ES_FITTING_NOISE;
    p.hands = p.hand ? p.hands : 0;
    return p;
}

es_status es_differences_new(const es_judged *judged, const es_influences_to *to, const es_run *run,
                             es_differences **out, es_error *err) {
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
    ES_TRY(all_pairs(&p, &l, to, run, x, err));
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
    double *count = es_alloc(p->m * (p->m - 1) / 2, sizeof *count);
    es_status st = count ? layout_new(p, &l, err) : es_no_memory(err);
    if (st == ES_OK)
        st = space_new(l.families, 0, &w, err);
    for (size_t a = 0; st == ES_OK && a < p->m; a++)
        for (size_t b = a + 1; b < p->m; b++)
            count[n++] = (double)count_both(p, &l, a, b, &w);
    if (st == ES_OK)
        *out = n > 0 ? es_stat_median(count, n) : 0;
    es_free(count);
    space_free(&w);
    layout_free(&l);
    return st;
}

es_status es_usual_judges(const es_judged *judged, double *out, es_error *err) {
    es_judged p = with_defaults(*judged);
    es_status st = check(&p, err);
    p.hands = 0;
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
