/* Scores in resamples of rows and targets. Rows are summed into blocks first, all shifts of a
 * source come from one matrix product, and a window around the median spares most votes the
 * sorting. */
#include "core_ranking_parts.h"
#include "core_ranking.h"

#include <math.h>
#include <string.h>

#include "core_numerics.h"

enum { STREAM_ROWS = 2, STREAM_TARGETS };
static const uint32_t NONE = UINT32_MAX;

/* One known pair, ready to vote. */
typedef struct voter {
    double value, weight;           /* of its vote where all voters were drawn once */
    uint32_t target, place, family; /* index of the target; its place in canonical order; whose one
                                       vote it shares */
} voter;

/* The known pairs, source by source in canonical order, each source's targets by ascending value:
 * a draw's votes are then nearly sorted before they are sorted. */
typedef struct layout {
    size_t m, pairs, kinds;
    uint32_t *source; /* (m) index of the k-th source */
    uint32_t *kind;   /* (m) by place: with whom a target is drawn, below kinds; NONE: never */
    size_t *begin;    /* (m + 1) first pair of the k-th source */
    voter *voter;     /* (pairs) */
    size_t *sample;   /* (m) how many kinds the targets of the k-th source are of */
    double *low;      /* (m) the score of source k is in nearly all draws decided by the votes */
    double *high;     /* (m) from low to high; infinite where all are needed */
} layout;

static void layout_free(layout *l) {
    es_free(l->source);
    es_free(l->kind);
    es_free(l->begin);
    es_free(l->voter);
    es_free(l->sample);
    es_free(l->low);
    memset(l, 0, sizeof *l);
}

/* Of which kinds the targets of the k-th source are. Returns the squares of their numbers, summed.
 * count (m): scratch. */
static double count_kinds(layout *l, size_t k, uint32_t *count) {
    double squares = 0;
    memset(count, 0, l->m * sizeof *count);
    l->sample[k] = 0;
    for (size_t i = l->begin[k]; i < l->begin[k + 1]; i++) {
        uint32_t before = count[l->kind[l->voter[i].place]]++;
        l->sample[k] += before == 0;
        squares += 2 * before + 1;
    }
    return squares;
}

/* The window of the k-th source: 4 standard deviations of the place that a resample puts the score
 * at, and a little for the noise of rows. A draw that leaves it is scored in full. */
static void find_window(const es_score_rule *rule, layout *l, size_t k, double squares) {
    const voter *v = l->voter + l->begin[k];
    size_t n = l->begin[k + 1] - l->begin[k], reach = (size_t)(4 + 2 * sqrt(squares)), middle = 0;
    double place = es_votes_place(rule), total = 0, below = 0;
    l->low[k] = -(double)INFINITY;
    l->high[k] = (double)INFINITY;
    if (isnan(place) || n <= 2 * reach)
        return;
    for (size_t i = 0; i < n; i++)
        total += v[i].weight;
    for (; middle + 1 < n && (below += v[middle].weight) < place * total;)
        middle++;
    if (middle > reach)
        l->low[k] = v[middle - reach].value;
    if (middle + reach < n)
        l->high[k] = v[middle + reach].value;
}

/* A family's one vote is shared by the copies that were drawn of its members: copies (NULL: one of
 * each) by place. weight (n); count (m): scratch. */
static void share_votes(const voter *v, size_t n, const uint32_t *copies, uint32_t *count,
                        double *weight) {
    for (size_t i = 0; i < n; i++)
        count[v[i].family] = 0;
    for (size_t i = 0; i < n; i++)
        count[v[i].family] += copies ? copies[v[i].place] : 1;
    for (size_t i = 0; i < n; i++) /* of none that was drawn: whatever, it does not vote */
        weight[i] = 1 / fmax(count[v[i].family], 1);
}

/* Whole families of voting targets are drawn, else targets. */
static void fill_kinds(const es_bootstrap *problem, layout *l) {
    const uint32_t *cluster = problem->cluster;
    for (size_t k = 0; k < l->m; k++) {
        size_t j = l->source[k], same = 0;
        bool voting = !problem->rule.voting || problem->rule.voting[j];
        l->kind[k] = NONE;
        while (cluster && voting && same < k &&
               (cluster[l->source[same]] != cluster[j] || l->kind[same] == NONE))
            same++;
        if (!cluster || (voting && same == k))
            l->kind[k] = (uint32_t)l->kinds++;
        else if (voting)
            l->kind[k] = l->kind[same];
    }
}

/* place, target, scratch (m), weight (m): scratch. */
static void fill_layout(const es_bootstrap *problem, layout *l, uint32_t *place, double *weight) {
    size_t m = l->m;
    uint32_t *target = place + m, *scratch = target + m;
    bool families = es_votes_by_family(&problem->rule);
    for (size_t k = 0; k < m; k++) {
        l->source[k] = problem->order ? problem->order[k] : (uint32_t)k;
        place[l->source[k]] = (uint32_t)k;
    }
    fill_kinds(problem, l);
    for (size_t k = 0; k < m; k++) {
        size_t i = l->source[k];
        size_t n =
            es_votes_targets(problem->is, m, &problem->rule, problem->order, i, target, scratch);
        l->begin[k] = l->pairs;
        for (size_t t = 0; t < n; t++) {
            uint32_t j = target[t], family = families ? problem->rule.family[j] : j;
            l->voter[l->pairs++] = (voter){problem->is[i * m + j], 1, j, place[j], family};
        }
        l->begin[k + 1] = l->pairs;
        voter *own = l->voter + l->begin[k];
        if (families)
            share_votes(own, n, NULL, scratch, weight);
        for (size_t t = 0; families && t < n; t++)
            own[t].weight = weight[t];
        find_window(&problem->rule, l, k, count_kinds(l, k, scratch));
    }
}

static es_status layout_new(const es_bootstrap *problem, layout *l, es_error *err) {
    size_t m = problem->m;
    es_status st = ES_OK;
    *l = (layout){.m = m};
    l->source = es_alloc(m, sizeof *l->source);
    l->kind = es_alloc(m, sizeof *l->kind);
    l->begin = es_alloc_zero(m + 1, sizeof *l->begin);
    l->voter = es_alloc(m * m, sizeof *l->voter);
    l->sample = es_alloc(m, sizeof *l->sample);
    l->low = es_alloc(m, 2 * sizeof *l->low);
    uint32_t *place = es_alloc(m, 3 * sizeof *place);
    double *weight = es_alloc(m, sizeof *weight);
    if (l->source && l->kind && l->begin && l->voter && l->sample && l->low && place && weight) {
        l->high = l->low + m;
        fill_layout(problem, l, place, weight);
    } else {
        st = es_no_memory_for(err, "the intervals of %zu embedders", m);
        layout_free(l);
    }
    es_free(place);
    es_free(weight);
    return st;
}

/* All resamples, drawn once and used for every source. */
typedef struct resamples {
    float *weight;    /* (draws, blocks): times a pair's block sums, the shift of its mean */
    uint32_t *copies; /* (draws, m) of each target, by place */
} resamples;

static void resamples_free(resamples *r) {
    es_free(r->weight);
    es_free(r->copies);
}

static void draw_blocks(const es_row_blocks *h, es_rng *rng, uint32_t *count, float *weight) {
    memset(count, 0, h->count * sizeof *count);
    size_t rows = 0;
    for (size_t g = 0; g < h->count; g++) {
        size_t drawn = es_rng_below(rng, h->count);
        count[drawn]++;
        rows += h->size[drawn];
    }
    for (size_t g = 0; g < h->count; g++)
        weight[g] = (float)((double)count[g] / (double)rows);
}

/* count (m): scratch. */
static void draw_targets(const layout *l, es_rng *rng, uint32_t *count, uint32_t *copies) {
    memset(count, 0, l->kinds * sizeof *count);
    for (size_t k = 0; k < l->kinds; k++)
        count[es_rng_below(rng, l->kinds)]++;
    for (size_t k = 0; k < l->m; k++)
        copies[k] = l->kind[k] == NONE ? 0 : count[l->kind[k]];
}

static es_status resamples_new(const es_bootstrap *problem, const layout *l, const es_row_blocks *h,
                               bool targets, resamples *out, es_error *err) {
    size_t m = problem->m, draws = problem->draws;
    uint32_t *count = es_alloc(h->count > m ? h->count : m, sizeof *count);
    out->weight = es_alloc(draws * h->count, sizeof *out->weight);
    out->copies = es_alloc(draws * m, sizeof *out->copies);
    if (!count || !out->weight || !out->copies) {
        es_free(count);
        resamples_free(out);
        *out = (resamples){0};
        return es_no_memory_for(err, "%zu resamples", draws);
    }
    es_rng rng;
    es_rng_init(&rng, problem->seed, es_rng_stream(ES_STREAM_BOOTSTRAP, STREAM_ROWS));
    for (size_t d = 0; h->count > 0 && d < draws; d++)
        draw_blocks(h, &rng, count, out->weight + d * h->count);
    es_rng_init(&rng, problem->seed, es_rng_stream(ES_STREAM_BOOTSTRAP, STREAM_TARGETS));
    for (size_t d = 0; targets && d < draws; d++)
        draw_targets(l, &rng, count, out->copies + d * m);
    for (size_t k = 0; !targets && k < draws * m; k++)
        out->copies[k] = 1;
    es_free(count);
    return ES_OK;
}

static double shifted(const voter *v, const float *shift) {
    return v->value + (shift ? (double)*shift : 0);
}

/* The score by the votes in the window; NaN when they do not decide it. No branches in the loop:
 * which targets were drawn cannot be predicted. */
static double score_window(const es_score_rule *rule, const voter *voters, const double *weight,
                           size_t n, const uint32_t *copies, const float *shift, double low,
                           double high, es_vote *votes) {
    es_tally below = {0}, total = {0};
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t times = copies[voters[k].place];
        double value = shifted(voters + k, shift ? shift + k : NULL);
        double votes_of_it = weight[k] * times;
        bool is_below = value < low;
        total.copies += times;
        total.weight += votes_of_it;
        below.copies += is_below ? times : 0;
        below.weight += is_below ? votes_of_it : 0;
        votes[kept] = (es_vote){value, weight[k], times, voters[k].target};
        kept += (times > 0) & !is_below & (value <= high);
    }
    if (kept == 0)
        return NAN;
    if (shift)
        es_votes_sort(votes, kept);
    return es_votes_pick(rule, votes, kept, below, total);
}

static double score_full(const es_score_rule *rule, const voter *voters, const double *weight,
                         size_t n, const uint32_t *copies, const float *shift, es_vote *votes) {
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t times = copies[voters[k].place];
        double value = shifted(voters + k, shift ? shift + k : NULL);
        votes[kept] = (es_vote){value, weight[k], times, voters[k].target};
        kept += times > 0;
    }
    if (shift && rule->aggregate != ES_AGGREGATE_MEAN)
        es_votes_sort(votes, kept);
    return es_votes_score(rule, votes, kept);
}

/* Scratch for one source. */
typedef struct bench {
    double *sum;  /* (blocks) */
    float *sums;  /* (blocks, n) of the source's n voters */
    float *shift; /* (draws, n) */
    es_vote *votes;
    double *weight;  /* (n) of one copy of each voter in a draw */
    uint32_t *count; /* (m) */
} bench;

static void bench_free(bench *b) {
    es_free(b->sum);
    es_free(b->sums);
    es_free(b->shift);
    es_free(b->votes);
    es_free(b->weight);
    es_free(b->count);
}

static es_status bench_new(size_t m, size_t draws, size_t block_count, bench *b, es_error *err) {
    b->sum = es_alloc(block_count, sizeof *b->sum);
    b->sums = es_alloc(block_count * m, sizeof *b->sums);
    b->shift = es_alloc(block_count ? draws * m : 0, sizeof *b->shift);
    b->votes = es_alloc(m + 1, sizeof *b->votes); /* one more: see score_window */
    b->weight = es_alloc(m, sizeof *b->weight);
    b->count = es_alloc(m, sizeof *b->count);
    if (b->sum && b->sums && b->shift && b->votes && b->weight && b->count)
        return ES_OK;
    bench_free(b);
    return es_no_memory_for(err, "%zu draws of %zu targets", draws, m);
}

/* Shifts of the k-th source's pairs in all draws; returns how many pairs have no rows. */
static size_t shift_source(const es_bootstrap *problem, const layout *l, const es_row_blocks *h,
                           const resamples *r, size_t k, bench *b) {
    size_t n = l->begin[k + 1] - l->begin[k], without = 0;
    for (size_t t = 0; t < n; t++) {
        uint32_t target = l->voter[l->begin[k] + t].target;
        const float *pmi = problem->pmi[(size_t)l->source[k] * l->m + target];
        bool known = es_row_blocks_sum(h, pmi, b->sum);
        double unit = problem->unit ? problem->unit[target] : 1;
        without += !known;
        for (size_t g = 0; g < h->count; g++)
            b->sums[g * n + t] = known ? (float)(unit * b->sum[g]) : 0;
    }
    es_sgemm(false, problem->draws, n, h->count, 1, r->weight, b->sums, b->shift);
    return without;
}

/* Scores of the k-th source in all draws. A family that is drawn whole votes as often as it was
 * drawn. */
static void score_source(const es_bootstrap *problem, const layout *l, const resamples *r, size_t k,
                         bool shifts, bench *b, es_draws *out) {
    const es_score_rule *rule = &problem->rule;
    const voter *voters = l->voter + l->begin[k];
    size_t n = l->begin[k + 1] - l->begin[k];
    bool window = isfinite(l->low[k]) || isfinite(l->high[k]);
    bool families = es_votes_by_family(rule) && !problem->cluster;
    for (size_t i = 0; i < n; i++)
        b->weight[i] = voters[i].weight;
    for (size_t d = 0; d < out->n; d++) {
        const float *shift = shifts ? b->shift + d * n : NULL;
        const uint32_t *copies = r->copies + d * l->m;
        double value = NAN;
        if (families)
            share_votes(voters, n, copies, b->count, b->weight);
        if (window)
            value = score_window(rule, voters, b->weight, n, copies, shift, l->low[k], l->high[k],
                                 b->votes);
        if (isnan(value))
            value = score_full(rule, voters, b->weight, n, copies, shift, b->votes);
        out->score[d * l->m + l->source[k]] = value;
    }
}

/* Source by source: what one needs of rows and draws stays in the cache. */
static es_status run_draws(const es_bootstrap *problem, const layout *l, const es_row_blocks *h,
                           const es_run *run, es_draws *out, es_error *err) {
    bench b = {0};
    resamples r = {0};
    es_status st = bench_new(l->m, out->n, h->count, &b, err);
    if (st != ES_OK)
        return st;
    ES_TRY(resamples_new(problem, l, h, (out->resample & ES_RESAMPLE_TARGETS) != 0, &r, err));
    for (size_t k = 0; k < l->m; k++) {
        ES_TRY(es_run_check(run, err));
        out->sample[l->source[k]] = out->resample & ES_RESAMPLE_TARGETS ? l->sample[k] : h->count;
        if (h->count > 0)
            out->without_rows += shift_source(problem, l, h, &r, k, &b);
        score_source(problem, l, &r, k, h->count > 0, &b, out);
    }
done:
    bench_free(&b);
    resamples_free(&r);
    return st;
}

static bool any_rows(const es_bootstrap *problem) {
    if (!problem->pmi || problem->n_eval < 2)
        return false;
    for (size_t k = 0; k < problem->m * problem->m; k++)
        if (problem->pmi[k])
            return true;
    return false;
}

void es_draws_free(es_draws *draws) {
    es_free(draws->score);
    es_free(draws->sample);
    draws->score = NULL;
    draws->sample = NULL;
}

es_status es_draws_new(const es_bootstrap *problem, const es_run *run, es_draws *out,
                       es_error *err) {
    layout l = {0};
    es_row_blocks h = {0};
    es_draws d = {.m = problem->m, .n = problem->draws, .resample = problem->resample};
    if (!any_rows(problem))
        d.resample = ES_RESAMPLE_TARGETS;
    es_status st = layout_new(problem, &l, err);
    if (st != ES_OK)
        return st;
    d.score = es_alloc(d.n * d.m, sizeof *d.score);
    d.sample = es_alloc(d.m, sizeof *d.sample);
    ES_FAIL_IF(!d.score || !d.sample, es_no_memory_for(err, "%zu draws of %zu scores", d.n, d.m));
    if (d.resample & ES_RESAMPLE_ROWS)
        ES_TRY(es_row_blocks_init(&h, problem->n_eval, ES_BOOTSTRAP_BLOCKS, problem->seed, err));
    ES_TRY(run_draws(problem, &l, &h, run, &d, err));
    *out = d;
    d = (es_draws){0};
done:
    layout_free(&l);
    es_row_blocks_deinit(&h);
    es_draws_free(&d);
    return st;
}
