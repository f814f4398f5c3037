/* Makes the graph from the matrix, runs Louvain from many seeded orders, keeps the best partition
 * and hands all of them to partition.c for its stability. */

#include <limits.h>
#include <math.h>
#include <string.h>

#include "core_structure_parts.h"

void es_communities_free(es_communities *c) {
    if (!c)
        return;
    for (size_t k = 0; c->list && k < c->listed; k++)
        es_free(c->list[k].members);
    es_free(c->list);
    es_free(c->group);
    es_free(c->elsewhere);
    es_free(c);
}

static es_status out_of_memory(size_t m, es_error *err) {
    return es_no_memory_for(err, "the communities of %zu embedders", m);
}

static es_communities *communities_alloc(size_t m) {
    es_communities *c = es_alloc_zero(1, sizeof *c);
    if (!c)
        return NULL;
    c->m = m;
    c->group = es_alloc(m, sizeof *c->group);
    c->elsewhere = es_alloc(m, sizeof *c->elsewhere);
    if (!c->group || !c->elsewhere) {
        es_communities_free(c);
        return NULL;
    }
    c->modularity = es_stat_undefined("no edges");
    c->agreement = NAN;
    for (size_t i = 0; i < m; i++)
        c->elsewhere[i] = NAN;
    return c;
}

static void graph_free(es_louvain_graph *g) {
    es_free(g->weight);
    memset(g, 0, sizeof *g);
}

/* The values in canonical order, NaN where there is none, and how many are no edge, and why. */
static void pick_edges(const es_louvain *p, double *weight, es_communities *count) {
    size_t m = p->m;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++) {
            size_t i = p->order ? p->order[a] : a, j = p->order ? p->order[b] : b;
            double v = p->is[i * m + j];
            weight[a * m + b] = NAN;
            if (a == b)
                continue;
            if (!isfinite(v)) {
                count->missing++;
                continue;
            }
            bool within = v > 0 && p->se && v <= ES_EDGE_ERRORS * p->se[i * m + j];
            count->negative += v < 0;
            count->within += within;
            v = v < 0 || within ? 0 : v;
            count->weak += v < p->threshold;
            weight[a * m + b] = v;
        }
}

/* What was taken as no edge, 0, stays none: then it is the lowest. Weak ones are left out last, so
 * that the others weigh the same by any threshold. */
static void scale_edges(const es_louvain *p, double *weight, size_t n) {
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (size_t k = 0; k < n; k++)
        if (!isnan(weight[k])) {
            low = fmin(low, weight[k]);
            high = fmax(high, weight[k]);
        }
    for (size_t k = 0; k < n; k++) {
        if (isnan(weight[k]) || weight[k] < p->threshold)
            weight[k] = 0;
        else if (p->weights == ES_WEIGHTS_MINMAX)
            weight[k] = high > low ? (weight[k] - low) / (high - low) : high > 0;
    }
}

static es_status graph_new(const es_louvain *p, es_louvain_graph *g, es_communities *count,
                           es_error *err) {
    size_t m = p->m;
    if (!(p->resolution >= 0) || !isfinite(p->resolution))
        return es_fail(err, ES_EINVAL, "resolution %g is not a number of 0 or more", p->resolution);
    ES_PASS(es_order_check(p->order, m, err));
    g->m = m;
    g->weight = es_alloc(2 * m + 2, m * sizeof *g->weight);
    if (!g->weight)
        return es_no_memory_for(err, "a graph of %zu embedders", m);
    g->both = g->weight + m * m;
    g->out = g->both + m * m;
    g->in = g->out + m;
    pick_edges(p, g->weight, count);
    scale_edges(p, g->weight, m * m);
    es_louvain_graph_finish(g);
    for (size_t k = 0; k < m * m; k++)
        count->edges += g->weight[k] > 0;
    return ES_OK;
}

/* All runs, and which of them is the best of the starts. */
struct es_communities_search {
    es_louvain problem; /* is NULL: the graph has what is needed of it */
    uint32_t *order;    /* a copy; NULL: as numbered */
    es_louvain_graph graph;
    es_louvain_run run;
    es_communities *out;
    unsigned n, next, best;
    double best_quality;
    double *scratch;         /* (2 m) */
    es_partition *partition; /* (n) */
};

void es_communities_search_free(es_communities_search *s) {
    if (!s)
        return;
    for (unsigned k = 0; s->partition && k < s->n; k++)
        es_free(s->partition[k].level);
    es_free(s->partition);
    es_free(s->scratch);
    es_free(s->order);
    es_louvain_run_deinit(&s->run);
    graph_free(&s->graph);
    es_communities_free(s->out);
    es_free(s);
}

/* Copies the levels of a finished run. */
static es_status keep_run(const es_louvain_run *run, es_partition *out, es_error *err) {
    size_t size = run->levels * run->m;
    *out = (es_partition){run->m, run->levels, es_alloc(size, sizeof *out->level)};
    if (!out->level)
        return out_of_memory(run->m, err);
    memcpy(out->level, run->level, size * sizeof *out->level);
    return ES_OK;
}

/* Everybody alone: the partition of a graph without edges. */
static es_status singletons(size_t m, es_partition *out, es_error *err) {
    *out = (es_partition){m, 1, es_alloc(m, sizeof *out->level)};
    if (!out->level)
        return out_of_memory(m, err);
    for (size_t i = 0; i < m; i++)
        out->level[i] = (uint32_t)i;
    return ES_OK;
}

/* From canonical places to the caller's numbers. */
static es_status renumber(const uint32_t *order, es_communities *c, es_error *err) {
    size_t m = c->m;
    uint32_t *group = es_alloc(m, sizeof *group);
    double *elsewhere = es_alloc(m, sizeof *elsewhere);
    if (!group || !elsewhere) {
        es_free(group);
        es_free(elsewhere);
        return out_of_memory(m, err);
    }
    memcpy(group, c->group, m * sizeof *group);
    memcpy(elsewhere, c->elsewhere, m * sizeof *elsewhere);
    for (size_t k = 0; k < m; k++) {
        c->group[order[k]] = group[k];
        c->elsewhere[order[k]] = elsewhere[k];
    }
    for (size_t k = 0; k < c->listed; k++)
        for (size_t i = 0; i < c->list[k].size; i++)
            c->list[k].members[i] = order[c->list[k].members[i]];
    es_free(group);
    es_free(elsewhere);
    return ES_OK;
}

es_status es_communities_begin(const es_louvain *problem, es_communities_search **out,
                               es_error *err) {
    size_t m = problem->m;
    es_status st = ES_OK;
    es_communities_search *s = es_alloc_zero(1, sizeof *s);
    if (!s)
        return out_of_memory(m, err);
    s->problem = *problem;
    es_louvain *p = &s->problem;
    p->resolution = p->resolution == 0 ? 1 : p->resolution;
    p->starts = p->starts ? p->starts : ES_LOUVAIN_STARTS;
    p->runs = p->runs ? p->runs : ES_LOUVAIN_RUNS;
    s->out = communities_alloc(m);
    ES_FAIL_IF(!s->out, out_of_memory(m, err));
    ES_TRY(graph_new(p, &s->graph, s->out, err));
    s->n = s->graph.total <= 0 ? 0 : p->runs > p->starts ? p->runs : p->starts;
    s->scratch = es_alloc(m, 2 * sizeof *s->scratch);
    s->partition = es_alloc_zero(s->n + 1, sizeof *s->partition);
    if (p->order)
        s->order = es_alloc(m, sizeof *s->order);
    ES_FAIL_IF(!s->scratch || !s->partition || (p->order && !s->order), out_of_memory(m, err));
    ES_TRY(es_louvain_run_init(&s->run, m, err));
    if (p->order)
        memcpy(s->order, p->order, m * sizeof *s->order);
    p->is = NULL;
    p->order = s->order;
    *out = s;
    s = NULL;
done:
    es_communities_search_free(s);
    return st;
}

es_status es_communities_step(es_communities_search *s, unsigned runs, const es_run *cancel,
                              unsigned *left, es_error *err) {
    es_status st = ES_OK;
    double resolution = s->problem.resolution;
    for (; runs > 0 && s->next < s->n; runs--) {
        ES_TRY(es_run_check(cancel, err));
        es_rng rng;
        es_rng_init(&rng, s->problem.seed, es_rng_stream(ES_STREAM_LOUVAIN, s->next));
        ES_TRY(es_louvain_run_once(&s->run, &s->graph, resolution, &rng, cancel, err));
        ES_TRY(keep_run(&s->run, s->partition + s->next, err));
        if (s->next < s->problem.starts) {
            const uint32_t *final = s->run.level + (s->run.levels - 1) * s->run.m;
            double quality = es_louvain_quality(&s->graph, resolution, final, s->scratch);
            if (s->next == 0 || quality > s->best_quality + 1e-12) {
                s->best_quality = quality;
                s->best = s->next;
            }
        }
        s->next++;
    }
done:
    *left = s->n - s->next;
    return st;
}

es_status es_communities_finish(es_communities_search *s, es_communities **out, es_error *err) {
    es_communities *c = s->out;
    bool connected = s->n > 0;
    if (s->next < s->n)
        return es_fail(err, ES_EINVAL, "%u runs are still to do", s->n - s->next);
    if (connected)
        c->modularity = es_stat_of(s->best_quality);
    else {
        s->n = 1;
        ES_PASS(singletons(c->m, s->partition, err));
    }
    ES_PASS(es_partition_tree(s->partition + s->best, c, err));
    if (connected && s->problem.runs >= s->problem.starts)
        ES_PASS(es_partition_stability(s->partition, s->problem.runs, c, err));
    else
        for (size_t k = 0; k < c->listed; k++)
            c->list[k].stability = NAN;
    if (s->order)
        ES_PASS(renumber(s->order, c, err));
    *out = c;
    s->out = NULL;
    return ES_OK;
}

es_status es_communities_new(const es_louvain *problem, const es_run *run, es_communities **out,
                             es_error *err) {
    es_communities_search *search = NULL;
    unsigned left;
    es_status st = es_communities_begin(problem, &search, err);
    if (st != ES_OK)
        return st;
    ES_TRY(es_communities_step(search, UINT_MAX, run, &left, err));
    ES_TRY(es_communities_finish(search, out, err));
done:
    es_communities_search_free(search);
    return st;
}

es_status es_modularity(const es_louvain *problem, const uint32_t *group, double *out,
                        es_error *err) {
    es_louvain p = *problem;
    p.resolution = p.resolution == 0 ? 1 : p.resolution;
    p.order = NULL;
    es_louvain_graph g = {0};
    es_communities count = {0};
    es_status st = graph_new(&p, &g, &count, err);
    if (st != ES_OK)
        return st;
    double *scratch = es_alloc(p.m, 2 * sizeof *scratch);
    if (scratch)
        *out = g.total > 0 ? es_louvain_quality(&g, p.resolution, group, scratch) : (double)NAN;
    else
        st = es_no_memory_for(err, "%zu embedders", p.m);
    es_free(scratch);
    graph_free(&g);
    return st;
}
