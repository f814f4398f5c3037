/* EvalRank (Wang, Kuo and Li, ACL 2022). Rows are compared in blocks by one matrix product; what
 * lies so near the partner's similarity that rounding could decide is measured again, exactly. */
#include "core_methods.h"

#include <math.h>
#include <string.h>

double es_pair_rank_value(const es_pair_rank *pair, es_tie_rule rule) {
    double share = rule == ES_TIE_MID ? 0.5 : rule == ES_TIE_OPTIMISTIC ? 0.0 : 1.0;
    return 1 + (double)pair->better + share * (double)pair->ties;
}

/* cos = 1 - d2 / 2 on rows of length 1. */
static double similarity(es_metric metric, double d2) {
    return metric == ES_COSINE ? 1 - d2 / 2 : 1 / (1 + sqrt(d2));
}

/* ---- ranking ---- */

typedef struct ranking {
    const es_space *space;
    const es_positives *positives;
    const es_evalrank_rules *rules;
    bool *competes; /* (n) */
} ranking;

/* Ranks the partner of one pair; d2 (n) are the query's approximate squared distances. Only what is
 * within their error of the partner's is computed again. */
static void rank_pair(const ranking *r, const es_positive *p, const double *d2, es_pair_rank *out) {
    const es_space *space = r->space;
    double own = es_space_exact(space, p->query, p->partner), nearest = INFINITY;
    *out = (es_pair_rank){p->query, p->partner, p->group, 0, 0, UINT32_MAX, 0, NAN};
    for (size_t k = 0; k < space->n; k++) {
        double slack = es_space_slack(space, p->query, k), d = d2[k];
        if (d > own + slack + ES_SPACE_TIE * space->mean2 || !r->competes[k] || k == p->query ||
            k == p->partner)
            continue;
        if (d >= own - slack || d < nearest + slack)
            d = es_space_exact(space, p->query, k);
        bool tied = es_space_tied(space, own, d);
        if (!tied && d > own)
            continue;
        out->ties += tied;
        out->better += !tied;
        if (d < nearest) {
            nearest = d;
            out->nearest = (uint32_t)k;
        }
    }
    out->similarity = similarity(r->rules->metric, own);
    if (out->nearest != UINT32_MAX)
        out->nearest_similarity = similarity(r->rules->metric, nearest);
}

/* All pairs of one query, items [from, to). */
static void rank_query(const ranking *r, size_t from, size_t to, const double *d2,
                       es_pair_rank *out) {
    const es_positive *item = r->positives->item;
    bool *others = r->rules->filtered ? r->competes : NULL;
    for (size_t k = from; others && k < to; k++)
        others[item[k].partner] = false;
    for (size_t k = from; k < to; k++)
        rank_pair(r, &item[k], d2, &out[k]);
    for (size_t k = from; others && k < to; k++)
        others[item[k].partner] = true; /* rows of pairs always compete */
}

static es_status rank_all(const ranking *r, const es_run *run, es_pair_rank *out, es_error *err) {
    const es_positives *p = r->positives;
    size_t n = r->space->n;
    double *scratch = es_alloc(ES_SPACE_BLOCK * r->space->d, sizeof *scratch);
    double *block = es_alloc(ES_SPACE_BLOCK * n, sizeof *block);
    es_status st = ES_OK;
    ES_FAIL_IF(!scratch || !block, es_no_memory_for(err, "%zu rows", n));
    for (size_t at = 0; at < p->count;) {
        uint32_t query[ES_SPACE_BLOCK];
        size_t queries = 0, end = at;
        while (end < p->count) {
            bool is_new = queries == 0 || p->item[end].query != query[queries - 1];
            if (is_new && queries == ES_SPACE_BLOCK)
                break;
            if (is_new)
                query[queries++] = p->item[end].query;
            end++;
        }
        ES_TRY(es_run_check(run, err));
        es_space_block(r->space, query, queries, scratch, block);
        for (size_t q = 0; q < queries; q++) {
            size_t from = at;
            while (at < end && p->item[at].query == query[q])
                at++;
            rank_query(r, from, at, block + q * n, out);
        }
    }
done:
    es_free(scratch);
    es_free(block);
    return st;
}

/* ---- summary ---- */

static void add_rank(double *sum, double rank, double weight) {
    sum[ES_RANK_MRR] += weight / rank;
    sum[ES_RANK_HITS1] += rank <= 1 ? weight : 0;
    sum[ES_RANK_HITS3] += rank <= 3 ? weight : 0;
    sum[ES_RANK_HITS10] += rank <= 10 ? weight : 0;
    sum[ES_RANK_MEAN] += weight * rank;
}

/* Averages the rank statistics over pairs, for each rule for ties. */
static void average_ranks(es_evalrank *e) {
    for (int rule = 0; rule < ES_TIE_RULES; rule++) {
        for (size_t i = 0; i < e->count; i++)
            add_rank(e->value[rule], es_pair_rank_value(&e->pair[i], (es_tie_rule)rule), 1);
        for (int s = 0; s < ES_RANK_STATS; s++)
            e->value[rule][s] /= (double)e->count;
    }
    for (size_t i = 0; i < e->count; i++)
        e->tie_pairs += e->pair[i].ties > 0;
}

/* One resample: sums over groups drawn with replacement, over the pairs that these have. */
static void draw_once(const double (*group)[ES_RANK_STATS + 1], size_t groups, es_rng *rng,
                      double *out) {
    double sum[ES_RANK_STATS + 1] = {0};
    for (size_t g = 0; g < groups; g++) {
        const double *from = group[es_rng_below(rng, groups)];
        for (int s = 0; s <= ES_RANK_STATS; s++)
            sum[s] += from[s];
    }
    for (int s = 0; s < ES_RANK_STATS; s++)
        out[s] = sum[s] / sum[ES_RANK_STATS];
}

/* Intervals of the statistics by resampling groups of pairs. */
static es_status bootstrap_groups(es_evalrank *e, size_t groups, const es_evalrank_rules *rules,
                                  es_error *err) {
    size_t draws = rules->draws > 0 ? rules->draws : 1000;
    for (int s = 0; s < ES_RANK_STATS; s++)
        e->low[s] = e->high[s] = NAN;
    if (groups < 2)
        return ES_OK;
    double(*group)[ES_RANK_STATS + 1] = es_alloc_zero(groups, sizeof *group);
    double *drawn = es_alloc(draws * ES_RANK_STATS, sizeof *drawn);
    es_status st = ES_OK;
    ES_FAIL_IF(!group || !drawn, es_no_memory_for(err, "%zu resamples", draws));
    for (size_t i = 0; i < e->count; i++) {
        double *sum = group[e->pair[i].group];
        add_rank(sum, es_pair_rank_value(&e->pair[i], ES_TIE_MID), 1);
        sum[ES_RANK_STATS] += 1;
    }
    es_rng rng; /* the same resamples for every embedder */
    es_rng_init(&rng, rules->seed, es_rng_stream(ES_STREAM_BOOTSTRAP, groups));
    for (size_t b = 0; b < draws; b++) {
        double one[ES_RANK_STATS];
        draw_once((const double(*)[ES_RANK_STATS + 1]) group, groups, &rng, one);
        for (size_t s = 0; s < ES_RANK_STATS; s++)
            drawn[s * draws + b] = one[s];
    }
    for (size_t s = 0; s < ES_RANK_STATS; s++) {
        e->low[s] = es_stat_quantile(drawn + s * draws, draws, 0.025);
        e->high[s] = es_stat_quantile(drawn + s * draws, draws, 0.975);
    }
done:
    es_free(group);
    es_free(drawn);
    return st;
}

static es_status check_pairs(const es_matrix *m, const es_positives *p,
                             const es_evalrank_rules *rules, es_error *err) {
    if (p->count == 0)
        return es_fail(err, ES_EEMPTY, "there are no positive pairs");
    for (size_t i = 0; i < p->count; i++)
        if (p->item[i].query >= m->n || p->item[i].partner >= m->n)
            return es_fail(err, ES_EINVAL, "a pair of rows %lu and %lu, but there are %zu rows",
                           (unsigned long)p->item[i].query, (unsigned long)p->item[i].partner,
                           m->n);
    for (size_t i = 0; rules->background && i < rules->background_count; i++)
        if (rules->background[i] >= m->n)
            return es_fail(err, ES_EINVAL, "background row %lu, but there are %zu rows",
                           (unsigned long)rules->background[i], m->n);
    return ES_OK;
}

static bool all_one_point(const es_matrix *m) {
    for (size_t i = 1; i < m->n; i++)
        if (memcmp(m->x, m->x + i * m->d, m->d * sizeof *m->x) != 0)
            return false;
    return true;
}

es_status es_evalrank_new(const es_matrix *m, const es_positives *positives,
                          const es_evalrank_rules *rules, const es_run *run, es_evalrank *out,
                          es_error *err) {
    es_evalrank e = {.count = positives->count};
    es_space space = {0};
    ranking r = {&space, positives, rules, NULL};
    es_status st = ES_OK;
    ES_TRY(check_pairs(m, positives, rules, err));
    ES_TRY(es_space_new(m, rules->metric, &space, err));
    e.pair = es_alloc(e.count, sizeof *e.pair);
    r.competes = es_alloc(m->n, sizeof *r.competes);
    ES_FAIL_IF(!e.pair || !r.competes, es_no_memory_for(err, "%zu pairs", e.count));
    for (size_t i = 0; i < m->n; i++)
        r.competes[i] = !rules->background;
    for (size_t i = 0; rules->background && i < rules->background_count; i++)
        r.competes[rules->background[i]] = true;
    for (size_t i = 0; i < e.count; i++)
        r.competes[positives->item[i].query] = r.competes[positives->item[i].partner] = true;
    ES_TRY(rank_all(&r, run, e.pair, err));
    average_ranks(&e);
    ES_TRY(bootstrap_groups(&e, positives->groups, rules, err));
    e.zero_rows = es_matrix_zero_rows(m);
    e.collapsed = all_one_point(m);
    *out = e;
done:
    es_space_free(&space);
    es_free(r.competes);
    if (st != ES_OK)
        es_free(e.pair);
    return st;
}

void es_evalrank_free(es_evalrank *result) {
    es_free(result->pair);
    *result = (es_evalrank){0};
}

es_status es_evalrank_worst(const es_evalrank *result, uint32_t *index, size_t count,
                            size_t *written, es_error *err) {
    size_t n = result->count;
    double *key = es_alloc(n, sizeof *key);
    uint32_t *order = es_alloc(2 * n, sizeof *order);
    es_status st = ES_OK;
    ES_FAIL_IF(!key || !order, es_no_memory_for(err, "%zu pairs", n));
    for (size_t i = 0; i < n; i++) {
        key[i] = -es_pair_rank_value(&result->pair[i], ES_TIE_MID);
        order[i] = (uint32_t)i;
    }
    es_sort_index(key, order, order + n, n);
    *written = count < n ? count : n;
    memcpy(index, order, *written * sizeof *index);
done:
    es_free(key);
    es_free(order);
    return st;
}
