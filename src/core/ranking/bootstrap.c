/* From resampled scores to percentile intervals (widened as Hesterberg 2015 does), ranks, p-values
 * of pairs, and letters for those that cannot be told apart. */

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "draws.h"
#include "embedscope/ranking.h"
#include "letters.h"
#include "order_check.h"
#include "sorting.h"
#include "stats.h"

void es_intervals_free(es_intervals *x) {
    if (!x)
        return;
    for (size_t i = 0; x->tie && i < x->m; i++)
        es_free(x->tie[i]);
    es_free(x->tie);
    es_free(x->low);
    es_free(x->rank_low);
    es_free(x->p);
    es_free(x->separable);
    es_free(x->in_letter);
    es_free(x);
}

static es_intervals *intervals_alloc(size_t m) {
    es_intervals *x = es_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    x->m = m;
    x->low = es_alloc(m, 3 * sizeof *x->low);
    x->rank_low = es_alloc_zero(m, 2 * sizeof *x->rank_low);
    x->p = es_alloc(m * m, sizeof *x->p);
    x->separable = es_alloc_zero(m * (m + 1), sizeof *x->separable);
    x->tie = es_alloc_zero(m, sizeof *x->tie);
    if (!x->low || !x->rank_low || !x->p || !x->separable || !x->tie) {
        es_intervals_free(x);
        return NULL;
    }
    x->best = x->separable + m * m;
    x->high = x->low + m;
    x->se = x->high + m;
    x->rank_high = x->rank_low + m;
    return x;
}

static es_status check(const es_bootstrap *b, es_error *err) {
    if (!(b->level > 0.5 && b->level < 1))
        return es_fail(err, ES_EINVAL, "a confidence level of %g is not between 0.5 and 1",
                       b->level);
    if (b->draws < 100 || b->draws > 1000000)
        return es_fail(err, ES_EINVAL, "%u bootstrap draws: use 100 to 1000000", b->draws);
    es_status st = es_order_check(b->order, b->m, err);
    if (st != ES_OK)
        return st;
    if (b->rule.aggregate == ES_AGGREGATE_FAMILIES)
        return es_fail(err, ES_EINVAL, "a mean over families is not resampled by targets");
    for (size_t i = 0; b->cluster && i < b->m; i++)
        if (b->cluster[i] >= b->m)
            return es_fail(err, ES_EINVAL, "cluster number %u of embedder %zu is not below %zu",
                           (unsigned)b->cluster[i], i, b->m);
    return es_score_rule_check(&b->rule, b->m, err);
}

static double widening(size_t n) {
    return sqrt((double)n / (double)(n - 1));
}

/* Interval of source i's score from its draws v (n), reordered. */
static void score_interval(es_intervals *x, size_t i, double score, double tail, double *v,
                           size_t n) {
    double mean = es_stat_mean(v, n), squares = 0;
    for (size_t k = 0; k < n; k++)
        squares += (v[k] - mean) * (v[k] - mean);
    x->se[i] = sqrt(squares / (double)(n - 1));
    x->low[i] = fmin(score, es_stat_quantile(v, n, tail));
    x->high[i] = fmax(score, es_stat_quantile(v, n, 1 - tail));
}

/* Interval of source i's rank from how often it had each rank: seen (m + 1). */
static void rank_interval(es_intervals *x, size_t i, uint32_t rank, double tail,
                          const uint32_t *seen, size_t n) {
    double below = 0, cut = tail * (double)n;
    uint32_t low = 0, high = 0;
    for (uint32_t k = 1; k <= x->m; k++) {
        below += (double)seen[k];
        if (low == 0 && below > cut)
            low = k;
        if (high == 0 && below >= (double)n - cut)
            high = k;
    }
    x->rank_low[i] = low < rank ? low : rank;
    x->rank_high[i] = high > rank ? high : rank;
}

/* What is counted over the draws. */
typedef struct tallies {
    uint32_t *less; /* (m, m) draws in which a scored below b */
    uint32_t *seen; /* (m, m + 1) draws in which a had rank k */
    float *row;     /* (m) one draw */
    double *column; /* (draws) one embedder */
} tallies;

static void tallies_free(tallies *t) {
    es_free(t->less);
    es_free(t->seen);
    es_free(t->row);
    es_free(t->column);
}

static es_status tallies_new(size_t m, size_t draws, tallies *t, es_error *err) {
    t->less = es_alloc_zero(m * m, sizeof *t->less);
    t->seen = es_alloc_zero(m * (m + 1), sizeof *t->seen);
    t->row = es_alloc(m, sizeof *t->row);
    t->column = es_alloc(draws, sizeof *t->column);
    if (t->less && t->seen && t->row && t->column)
        return ES_OK;
    return es_no_memory_for(err, "the ranks of %zu embedders", m);
}

/* Comparisons of NaN are false both ways: such a draw speaks for "not separable". */
static void count_draw(const double *score, size_t m, bool lower_is_better, tallies *t) {
    for (size_t b = 0; b < m; b++)
        t->row[b] = (float)score[b];
    for (size_t a = 0; a < m; a++) {
        float own = t->row[a];
        uint32_t *less = t->less + a * m, better = 0;
        for (size_t b = 0; b < m; b++) {
            uint32_t below = own < t->row[b];
            less[b] += below;
            better += lower_is_better ? own > t->row[b] : below;
        }
        if (!isnan(own))
            t->seen[a * (m + 1) + 1 + better]++;
    }
}

static void summarise(const es_draws *d, const es_ranking *r, double level, tallies *t,
                      es_intervals *x) {
    for (size_t i = 0; i < x->m; i++) {
        size_t n = d->sample[i], defined = 0;
        x->low[i] = x->high[i] = x->se[i] = NAN;
        for (size_t k = 0; k < d->n; k++)
            if (!isnan(d->score[k * d->m + i]))
                t->column[defined++] = d->score[k * d->m + i];
        x->rank_low[i] = x->rank_high[i] = r->rank[i];
        if (r->rank[i] == 0 || n < 2 || defined < 2)
            continue;
        double tail = es_normal_cdf(-widening(n) * es_student_quantile(0.5 + 0.5 * level, n - 1));
        rank_interval(x, i, r->rank[i], tail, t->seen + i * (x->m + 1), defined);
        score_interval(x, i, r->score[i], tail, t->column, defined);
    }
}

/* The p-value at which the widened interval of the difference just reaches 0. z (draws / 2 + 2):
 * normal quantile of each possible tail. */
static double p_value(const uint32_t *less, size_t m, size_t a, size_t b, size_t draws, size_t n,
                      const double *z) {
    size_t not_above = draws - less[b * m + a], not_below = draws - less[a * m + b];
    size_t tail = not_above < not_below ? not_above : not_below;
    if (n < 2 || 2 * tail >= draws)
        return 1;
    return 2 * es_student_cdf(z[tail] / widening(n), n - 1);
}

static es_status separate(const es_draws *d, const es_ranking *r, double level, const tallies *t,
                          es_intervals *x, es_error *err) {
    size_t m = x->m;
    double *z = es_alloc(d->n / 2 + 1, sizeof *z);
    if (!z)
        return es_no_memory_for(err, "%zu draws", d->n);
    for (size_t k = 0; k < d->n / 2 + 1; k++)
        z[k] = es_normal_quantile((double)(k + 1) / (double)(d->n + 2));
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b <= a; b++) {
            size_t na = d->sample[a], nb = d->sample[b];
            double p = NAN;
            if (r->rank[a] > 0 && r->rank[b] > 0)
                p = a == b ? 1 : p_value(t->less, m, a, b, d->n, na < nb ? na : nb, z);
            x->p[a * m + b] = x->p[b * m + a] = p;
            x->separable[a * m + b] = x->separable[b * m + a] = p < 1 - level;
        }
    es_free(z);
    return ES_OK;
}

/* ---- The set of the best ---- */

/* Scratch of find_best, an entry an embedder. */
typedef struct leads {
    double *count, *mean, *squares; /* of the draws in which the lead over j is known */
    double *inverse_se;             /* of that lead; 0 where there is none */
    double *expected;               /* the lead by the scores */
} leads;

/* Draw by draw, since a draw's scores lie side by side; so each sum has its terms in the order of
 * the draws. */
static void lead_errors(const es_draws *d, const es_ranking *r, size_t j, leads *l) {
    for (size_t a = 0; a < d->m; a++)
        l->count[a] = l->mean[a] = l->squares[a] = 0;
    for (size_t k = 0; k < d->n; k++) {
        const double *score = d->score + k * d->m;
        double own = score[j];
        for (size_t a = 0; a < d->m; a++) {
            double v = score[a] - own;
            bool known = v == v;
            l->count[a] += known ? 1 : 0;
            l->mean[a] += known ? v : 0;
        }
    }
    for (size_t a = 0; a < d->m; a++)
        l->mean[a] /= l->count[a];
    for (size_t k = 0; k < d->n; k++) {
        const double *score = d->score + k * d->m;
        double own = score[j];
        for (size_t a = 0; a < d->m; a++) {
            double v = score[a] - own - l->mean[a];
            l->squares[a] += v == v ? v * v : 0;
        }
    }
    for (size_t a = 0; a < d->m; a++) {
        bool has = a != j && r->rank[a] > 0 && l->count[a] >= 2 && l->squares[a] > 0;
        l->inverse_se[a] = has ? sqrt((l->count[a] - 1) / l->squares[a]) : 0;
    }
}

/* Does some lead over j of a draw fall short of the expected one by `top` standard errors or more?
 * One that is not known does. Several answers side by side: one would wait for itself. */
static bool falls_short(const double *score, double own, double sign, const leads *l, size_t m,
                        double top) {
    enum { LANES = 8 };
    unsigned short_of[LANES] = {0};
    for (size_t at = 0; at < m; at += LANES) {
        size_t count = m - at < LANES ? m - at : LANES;
        for (size_t i = 0; i < count; i++) {
            size_t a = at + i;
            double v = (l->expected[a] - sign * (score[a] - own)) * l->inverse_se[a];
            short_of[i] |= (l->inverse_se[a] > 0) & !(v < top);
        }
    }
    for (int i = 1; i < LANES; i++)
        short_of[0] |= short_of[i];
    return short_of[0] != 0;
}

/* Multiple comparisons with the best (Hsu 1981), with the joint distribution of the draws around
 * the scores: j may be the best unless the largest lead over it, in standard errors, is more than
 * any lead falls short of its own by in a draw, but for one draw in 1 / (1 - level). Of a single
 * rival that is the draws in which j is not behind: percentiles, as intervals are, and widened like
 * these, since what a median of few targets may lose is not what it may win. */
static bool may_be_best(const es_draws *d, const es_ranking *r, const es_bootstrap *b, size_t j,
                        leads *l) {
    double sign = b->lower_is_better ? -1 : 1, top = 0;
    size_t n = d->sample[j], reached = 0;
    if (r->rank[j] == 0)
        return false;
    if (n < 2 || r->rank[j] == 1)
        return true;
    lead_errors(d, r, j, l);
    for (size_t a = 0; a < d->m; a++) {
        l->expected[a] = sign * (r->score[a] - r->score[j]);
        if (l->inverse_se[a] > 0)
            top = fmax(top, l->expected[a] * l->inverse_se[a]);
        else
            l->expected[a] = 0; /* no score, no lead */
    }
    if (top == 0)
        return true;
    for (size_t k = 0; k < d->n; k++) {
        const double *score = d->score + k * d->m;
        reached += falls_short(score, score[j], sign, l, d->m, top);
    }
    double z = es_normal_quantile((double)(reached + 1) / (double)(d->n + 2));
    return es_student_cdf(z / widening(n), n - 1) >= 1 - b->level;
}

static es_status find_best(const es_draws *d, const es_ranking *r, const es_bootstrap *b,
                           const es_run *run, es_intervals *x, es_error *err) {
    double *all = es_alloc(d->m, 5 * sizeof *all);
    if (!all)
        return es_no_memory(err);
    leads l = {.count = all,
               .mean = all + d->m,
               .squares = all + 2 * d->m,
               .inverse_se = all + 3 * d->m,
               .expected = all + 4 * d->m};
    es_status st = ES_OK;
    for (size_t j = 0; st == ES_OK && j < d->m; j++) {
        x->best[j] = may_be_best(d, r, b, j, &l);
        st = es_run_check(run, err);
    }
    es_free(all);
    return st;
}

/* Scored embedders, best first; ties in canonical order. Returns how many. */
static size_t by_rank(const es_bootstrap *b, const es_ranking *r, double *key, uint32_t *index,
                      uint32_t *scratch) {
    size_t n = 0;
    for (size_t k = 0; k < b->m; k++) {
        size_t i = b->order ? b->order[k] : k;
        key[i] = (double)r->rank[i];
        if (r->rank[i] > 0)
            index[n++] = (uint32_t)i;
    }
    es_sort_index(key, index, scratch, n);
    return n;
}

static es_status letter(const es_bootstrap *b, const es_ranking *r, es_intervals *x,
                        es_error *err) {
    size_t m = x->m;
    es_status st = ES_OK;
    double *key = es_alloc(m, sizeof *key);
    uint32_t *index = es_alloc(m, 2 * sizeof *index);
    bool *tied = es_alloc(m * m, sizeof *tied);
    if (!key || !index || !tied) {
        st = es_no_memory_for(err, "the ties of %zu embedders", m);
        goto done;
    }
    size_t n = by_rank(b, r, key, index, index + m);
    for (size_t k = 0; k < m * m; k++)
        tied[k] = !x->separable[k];
    x->too_few = n < ES_BOOTSTRAP_TIE_MODELS;
    if (!x->too_few)
        ES_TRY(es_letters_new(tied, m, index, n, &x->in_letter, &x->letters, err));
    for (size_t i = 0; i < m; i++) {
        x->tie[i] = es_letters_text(x->letters ? x->in_letter + i * x->letters : NULL, x->letters);
        if (!x->tie[i]) {
            st = es_no_memory_for(err, "the ties of %zu embedders", m);
            goto done;
        }
    }
done:
    es_free(key);
    es_free(index);
    es_free(tied);
    return st;
}

es_status es_intervals_new(const es_bootstrap *problem, const es_run *run, es_intervals **out,
                           es_error *err) {
    es_bootstrap b = *problem;
    b.resample = b.resample ? b.resample : ES_RESAMPLE_BOTH;
    b.draws = b.draws ? b.draws : ES_BOOTSTRAP_DRAWS;
    b.level = b.level > 0 ? b.level : 0.95;
    es_status st = check(&b, err);
    if (st != ES_OK)
        return st;
    es_draws d = {0};
    tallies t = {0};
    es_ranking *r = NULL;
    es_intervals *x = intervals_alloc(b.m);
    if (!x) {
        st = es_no_memory_for(err, "the intervals of %zu embedders", b.m);
        goto done;
    }
    ES_TRY(es_ranking_new(b.is, b.m, &b.rule, &r, err));
    if (b.lower_is_better)
        ES_TRY(es_rank_competition(r->score, b.m, true, r->rank, err));
    ES_TRY(es_draws_new(&b, run, &d, err));
    ES_TRY(tallies_new(b.m, d.n, &t, err));
    for (size_t k = 0; k < d.n; k++)
        count_draw(d.score + k * d.m, d.m, b.lower_is_better, &t);
    x->resample = d.resample;
    x->draws = b.draws;
    x->without_rows = d.without_rows;
    summarise(&d, r, b.level, &t, x);
    ES_TRY(separate(&d, r, b.level, &t, x, err));
    ES_TRY(find_best(&d, r, &b, run, x, err));
    ES_TRY(letter(&b, r, x, err));
    *out = x;
    x = NULL;
done:
    es_intervals_free(x);
    es_ranking_free(r);
    es_draws_free(&d);
    tallies_free(&t);
    return st;
}
