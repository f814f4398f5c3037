/* From resampled scores to percentile intervals (widened as Hesterberg 2015 does), and
 * intervals of ranks. */
#include <math.h>
#include <string.h>

#include "core_ranking.h"
#include "core_ranking_parts.h"
#include "core_structure.h"

void es_intervals_free(es_intervals *x) {
    if (!x)
        return;
    es_free(x->low);
    es_free(x->rank_low);
    es_free(x);
}

static es_intervals *intervals_alloc(size_t m) {
    es_intervals *x = es_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    x->m = m;
    x->low = es_alloc(m, 3 * sizeof *x->low);
    x->rank_low = es_alloc_zero(m, 2 * sizeof *x->rank_low);
    if (!x->low || !x->rank_low) {
        es_intervals_free(x);
        return NULL;
    }
    x->high = x->low + m;
    x->se = x->high + m;
    x->rank_high = x->rank_low + m;
    return x;
}

static es_status check_bootstrap(const es_bootstrap *b, es_error *err) {
    if (!(b->level > 0.5 && b->level < 1))
        return es_fail(err, ES_EINVAL, "a confidence level of %g is not between 0.5 and 1",
                       b->level);
    if (b->draws < 100 || b->draws > 1000000)
        return es_fail(err, ES_EINVAL, "%u bootstrap draws: use 100 to 1000000", b->draws);
    ES_PASS(es_order_check(b->order, b->m, err));
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
    uint32_t *seen; /* (m, m + 1) draws in which a had rank k */
    float *row;     /* (m) one draw */
    double *column; /* (draws) one embedder */
} tallies;

static void tallies_free(tallies *t) {
    es_free(t->seen);
    es_free(t->row);
    es_free(t->column);
}

static es_status tallies_new(size_t m, size_t draws, tallies *t, es_error *err) {
    t->seen = es_alloc_zero(m * (m + 1), sizeof *t->seen);
    t->row = es_alloc(m, sizeof *t->row);
    t->column = es_alloc(draws, sizeof *t->column);
    if (t->seen && t->row && t->column)
        return ES_OK;
    return es_no_memory_for(err, "the ranks of %zu embedders", m);
}

static void count_draw(const double *score, size_t m, bool lower_is_better, tallies *t) {
    for (size_t b = 0; b < m; b++)
        t->row[b] = (float)score[b];
    for (size_t a = 0; a < m; a++) {
        float own = t->row[a];
        uint32_t better = 0;
        for (size_t b = 0; b < m; b++)
            better += lower_is_better ? own > t->row[b] : own < t->row[b];
        if (!isnan(own))
            t->seen[a * (m + 1) + 1 + better]++;
    }
}

/* Turns bootstrap draws into intervals of scores and of ranks. */
static void summarise_draws(const es_draws *d, const es_ranking *r, double level, tallies *t,
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

es_status es_intervals_new(const es_bootstrap *problem, const es_run *run, es_intervals **out,
                           es_error *err) {
    es_bootstrap b = *problem;
    b.resample = b.resample ? b.resample : ES_RESAMPLE_BOTH;
    b.draws = b.draws ? b.draws : ES_BOOTSTRAP_DRAWS;
    b.level = b.level > 0 ? b.level : 0.95;
    es_status st = check_bootstrap(&b, err);
    if (st != ES_OK)
        return st;
    es_draws d = {0};
    tallies t = {0};
    es_ranking *r = NULL;
    es_intervals *x = intervals_alloc(b.m);
    ES_FAIL_IF(!x, es_no_memory_for(err, "the intervals of %zu embedders", b.m));
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
    summarise_draws(&d, r, b.level, &t, x);
    *out = x;
    x = NULL;
done:
    es_intervals_free(x);
    es_ranking_free(r);
    es_draws_free(&d);
    tallies_free(&t);
    return st;
}

/* Dealing rows into blocks: a shuffled deck, dealt round. With no more rows than blocks each row is
 * a hand of its own, in order. */

enum { STREAM_DEAL = 1 };

es_status es_row_blocks_init(es_row_blocks *h, size_t rows, size_t most, uint64_t seed,
                             es_error *err) {
    size_t count = rows < most ? rows : most;
    uint32_t *of = es_alloc(rows + count, sizeof *of);
    uint32_t *deck = es_alloc(rows, sizeof *deck);
    if (!of || !deck) {
        es_free(of);
        es_free(deck);
        return es_no_memory_for(err, "%zu rows", rows);
    }
    *h = (es_row_blocks){count, rows, of, of + rows};
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_BOOTSTRAP, STREAM_DEAL));
    for (size_t r = 0; r < rows; r++)
        deck[r] = (uint32_t)r;
    if (count < rows)
        es_rng_shuffle(&rng, deck, rows);
    memset(h->size, 0, count * sizeof *h->size);
    for (size_t r = 0, block = 0; r < rows; r++, block = block + 1 < count ? block + 1 : 0) {
        h->of[deck[r]] = (uint32_t)block;
        h->size[block]++;
    }
    es_free(deck);
    return ES_OK;
}

void es_row_blocks_deinit(es_row_blocks *h) {
    es_free(h->of);
    *h = (es_row_blocks){0};
}

bool es_row_blocks_sum(const es_row_blocks *h, const float *values, double *sum) {
    double mean = 0;
    if (!values)
        return false;
    for (size_t r = 0; r < h->rows; r++)
        mean += (double)values[r];
    mean /= (double)h->rows;
    if (!isfinite(mean))
        return false;
    memset(sum, 0, h->count * sizeof *sum);
    for (size_t r = 0; r < h->rows; r++)
        sum[h->of[r]] += (double)values[r];
    for (size_t g = 0; g < h->count; g++)
        sum[g] -= mean * h->size[g];
    return true;
}
