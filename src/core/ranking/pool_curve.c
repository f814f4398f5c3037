/* How stable would the ranking be with fewer embedders? Scores on random parts of the pool against
 * the whole, size by size. */
#include <math.h>
#include <string.h>

#include "core_ranking.h"
#include "core_structure.h"

void es_pool_curve_free(es_pool_curve *curve) {
    if (!curve)
        return;
    es_free(curve->point);
    es_free(curve);
}

/* Voters of each source sorted by value once; a subset of targets is then a filter. */
typedef struct sorted_targets {
    size_t m;
    uint32_t *target; /* (m, m) canonical order of sources is not needed: rows by index */
    size_t *count;    /* (m) */
} sorted_targets;

typedef struct curve_work {
    const double *is;
    size_t m;
    const es_pool_curve_options *o;
    sorted_targets t;
    uint32_t *deck;                /* (n) shuffled targets */
    size_t n;                      /* that vote */
    uint32_t *family_count;        /* (m) */
    uint32_t *turn;                /* (m) place of a target in the deck */
    es_vote *votes;                /* (m) */
    double *full, *first, *second; /* (m) scores */
    double *draw[3];               /* (draws) agreement, reliability, deviation */
    size_t defined[3];
} curve_work;

static void work_free(curve_work *w) {
    es_free(w->t.target);
    es_free(w->t.count);
    es_free(w->deck);
    es_free(w->votes);
    es_free(w->full);
    es_free(w->draw[0]);
}

/* Scores by the targets whose place in the deck is from..to-1. */
static void score_subset(curve_work *w, size_t from, size_t to, double *score) {
    size_t m = w->m;
    for (size_t i = 0; i < m; i++) {
        size_t n = 0;
        for (size_t k = 0; k < w->t.count[i]; k++) {
            uint32_t j = w->t.target[i * m + k];
            if (w->turn[j] >= from && w->turn[j] < to)
                w->votes[n++] = (es_vote){w->is[i * m + j], 1, 1, j};
        }
        es_votes_even_out(&w->o->rule, w->votes, n, w->family_count);
        score[i] = es_votes_score(&w->o->rule, w->votes, n);
    }
}

static es_status work_new(const double *is, size_t m, const es_pool_curve_options *o, curve_work *w,
                          es_error *err) {
    *w = (curve_work){.is = is, .m = m, .o = o};
    w->t.target = es_alloc(m + 1, m * sizeof *w->t.target);
    w->t.count = es_alloc(m, sizeof *w->t.count);
    w->deck = es_alloc(m, 3 * sizeof *w->deck);
    w->votes = es_alloc(m, sizeof *w->votes);
    w->full = es_alloc(m, 3 * sizeof *w->full);
    w->draw[0] = es_alloc(o->draws, 3 * sizeof *w->draw[0]);
    if (!w->t.target || !w->t.count || !w->deck || !w->votes || !w->full || !w->draw[0]) {
        work_free(w);
        return es_no_memory_for(err, "subsets of %zu targets", m);
    }
    w->turn = w->deck + m;
    w->family_count = w->turn + m;
    w->first = w->full + m;
    w->second = w->first + m;
    w->draw[1] = w->draw[0] + o->draws;
    w->draw[2] = w->draw[1] + o->draws;
    for (size_t i = 0; i < m; i++) {
        w->t.count[i] = es_votes_targets(is, m, &o->rule, o->order, i, w->t.target + i * m,
                                         w->t.target + m * m);
        w->turn[i] = 0;
        w->n += o->rule.voting == NULL || o->rule.voting[i];
    }
    score_subset(w, 0, 1, w->full);
    return ES_OK;
}

static void keep(curve_work *w, size_t k, double value) {
    if (!isnan(value))
        w->draw[k][w->defined[k]++] = value;
}

/* Of those that vote. */
static void shuffle_deck(curve_work *w, es_rng *rng) {
    const bool *voting = w->o->rule.voting;
    size_t n = 0;
    for (size_t k = 0; k < w->m; k++) {
        uint32_t j = w->o->order ? w->o->order[k] : (uint32_t)k;
        if (voting == NULL || voting[j])
            w->deck[n++] = j;
    }
    es_rng_shuffle(rng, w->deck, n);
    for (size_t k = 0; k < n; k++)
        w->turn[w->deck[k]] = (uint32_t)k;
}

static es_status draw_once(curve_work *w, size_t size, es_rng *rng, es_error *err) {
    size_t m = w->m, n = 0;
    es_stat r;
    double sum = 0;
    shuffle_deck(w, rng);
    score_subset(w, 0, size, w->first);
    const double *against = w->o->against ? w->o->against : w->full;
    es_status st = es_correlate(ES_SPEARMAN, w->first, against, m, &r, err);
    if (st != ES_OK)
        return st;
    keep(w, 0, r.value);
    if (2 * size <= w->n) {
        score_subset(w, size, 2 * size, w->second);
        ES_PASS(es_correlate(ES_SPEARMAN, w->first, w->second, m, &r, err));
        keep(w, 1, r.value);
    }
    for (size_t i = 0; i < m; i++)
        if (isfinite(w->first[i]) && isfinite(w->full[i])) {
            sum += fabs(w->first[i] - w->full[i]);
            n++;
        }
    if (n > 0)
        keep(w, 2, sum / (double)n);
    return ES_OK;
}

static es_band band_of(double *v, size_t n, double level) {
    double tail = 0.5 * (1 - level);
    return (es_band){es_stat_mean(v, n), es_stat_quantile(v, n, tail),
                     es_stat_quantile(v, n, 1 - tail)};
}

/* One size of the curve: rankings by random sets of p->size targets, each against that by all. */
static es_status fill_point(curve_work *w, es_pool_size *p, const es_run *run, es_error *err) {
    es_rng rng;
    es_rng_init(&rng, w->o->seed, es_rng_stream(ES_STREAM_SAMPLE, p->size));
    memset(w->defined, 0, sizeof w->defined);
    for (unsigned d = 0; d < w->o->draws; d++) {
        es_status st = es_run_check(run, err);
        if (st == ES_OK)
            st = draw_once(w, p->size, &rng, err);
        if (st != ES_OK)
            return st;
    }
    p->agreement = band_of(w->draw[0], w->defined[0], w->o->level);
    p->reliability = band_of(w->draw[1], w->defined[1], w->o->level);
    p->deviation = band_of(w->draw[2], w->defined[2], w->o->level);
    return ES_OK;
}

bool es_pool_curve_agrees(const es_pool_curve *curve) {
    size_t k = 0;
    while (k < curve->points && isnan(curve->point[k].agreement.mean))
        k++;
    return k < curve->points;
}

/* The last point is all targets, which agree with themselves: that says nothing. */
static size_t find_enough(const es_pool_curve *c, bool with_itself) {
    size_t enough = 0, points = c->points;
    if (with_itself && points > 0)
        points--;
    for (size_t k = points; k-- > 0 && c->point[k].agreement.low >= 0.9;)
        enough = c->point[k].size;
    return enough;
}

static size_t count_scores(const curve_work *w) {
    size_t count = 0;
    for (size_t i = 0; i < w->m; i++)
        count += isfinite(w->full[i]) != 0;
    return count;
}

es_status es_pool_curve_new(const double *is, size_t m, const es_pool_curve_options *options,
                            const es_run *run, es_pool_curve **out, es_error *err) {
    es_pool_curve_options o = *options;
    o.draws = o.draws ? o.draws : 100;
    o.points = o.points ? o.points : 24;
    o.level = o.level > 0 ? o.level : 0.95;
    es_status st = es_score_rule_check(&o.rule, m, err);
    if (st == ES_OK)
        st = es_order_check(o.order, m, err);
    if (st != ES_OK)
        return st;
    curve_work w;
    ES_PASS(work_new(is, m, &o, &w, err));
    size_t n = w.n, sources = count_scores(&w);
    size_t sizes = n < 4 || sources < 3 ? 0 : n - 1, points = sizes < o.points ? sizes : o.points;
    es_pool_curve *c = es_alloc_zero(1, sizeof *c);
    if (c) {
        c->targets = n;
        c->sources = sources;
        c->point = es_alloc_zero(points, sizeof *c->point);
    }
    ES_FAIL_IF(!c || !c->point, es_no_memory_for(err, "a curve of %zu points", points));
    for (; c->points < points; c->points++) {
        es_pool_size *p = c->point + c->points;
        p->size = points < 2 ? n : 2 + c->points * (n - 2) / (points - 1);
        ES_TRY(fill_point(&w, p, run, err));
    }
    c->enough = find_enough(c, o.against == NULL);
    *out = c;
    c = NULL;
done:
    work_free(&w);
    es_pool_curve_free(c);
    return st;
}

/* A greedy choice of embedders that together simulate all others, as for the maximum coverage
 * problem (Nemhauser, Wolsey and Fisher 1978). */

/* cover (m, m), best (m): what the subset covers of each target so far. */
static double gain_of(const double *cover, const double *best, size_t m, size_t i, double share) {
    double gain = 0;
    for (size_t j = 0; j < m; j++) {
        double now = fmin(share, best[j]), then = fmin(share, cover[i * m + j]);
        gain += then > now ? then - now : 0;
    }
    return gain;
}

/* Adds a model to the chosen ones: the best cover of each target, and how many are covered. */
static void add_model(const double *cover, double *best, size_t m, double share,
                      es_cover_step *step) {
    double sum = 0;
    step->covered = 0;
    for (size_t j = 0; j < m; j++) {
        best[j] = fmax(best[j], cover[step->model * m + j]);
        step->covered += best[j] >= share;
        sum += best[j];
    }
    step->mean = sum / (double)m;
}

es_status es_cover_greedy(const double *is, size_t m, double share, const size_t *dim,
                          const uint32_t *order, es_cover_step *step, size_t *steps,
                          es_error *err) {
    if (!(share > 0 && share <= 1))
        return es_fail(err, ES_EINVAL, "a share of %g is not above 0 and at most 1", share);
    ES_PASS(es_order_check(order, m, err));
    double *cover = es_alloc(m + 1, m * sizeof *cover);
    if (!cover)
        return es_no_memory_for(err, "%zu embedders", m);
    double *best = cover + m * m;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            double c = es_cover(is, m, i, j);
            cover[i * m + j] = isnan(c) ? 0 : c;
        }
    memset(best, 0, m * sizeof *best);
    size_t n = 0, covered = 0;
    while (covered < m) { /* everyone not covered yet would cover itself: each step gains */
        es_cover_step s = {.model = SIZE_MAX};
        for (size_t k = 0; k < m; k++) {
            size_t i = order ? order[k] : k;
            double gain = gain_of(cover, best, m, i, share);
            bool equal = s.model != SIZE_MAX && fabs(gain - s.gain) <= 1e-12;
            if (s.model == SIZE_MAX || (!equal && gain > s.gain) ||
                (equal && dim && dim[i] < dim[s.model])) {
                s.model = i;
                s.gain = gain;
            }
        }
        add_model(cover, best, m, share, &s);
        covered = s.covered;
        step[n++] = s;
    }
    *steps = n;
    es_free(cover);
    return ES_OK;
}
