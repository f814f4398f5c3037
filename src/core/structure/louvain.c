/* Moves nodes to the neighbouring community with the most gain of directed modularity until none
 * gains, merges communities to nodes, and again (Blondel et al. 2008; Dugue and Perez 2015). */
#include "core_structure_parts.h"

#include <assert.h>
#include <string.h>

enum { CHECK_EVERY = 64 }; /* moves between two looks at the cancel token */
static const double least_gain = 1e-12;

void es_louvain_run_deinit(es_louvain_run *r) {
    es_free(r->block);
    es_free(r->level);
    memset(r, 0, sizeof *r);
}

es_status es_louvain_run_init(es_louvain_run *r, size_t m, es_error *err) {
    memset(r, 0, sizeof *r);
    r->m = m;
    r->block = es_alloc(2 * m + 7, m * sizeof *r->block);
    r->level = es_alloc(m + 3, m * sizeof *r->level);
    if (!r->block || !r->level) {
        es_louvain_run_deinit(r);
        return es_no_memory_for(err, "the communities of %zu embedders", m);
    }
    r->both = r->block;
    r->next = r->both + m * m;
    r->out = r->next + m * m;
    r->in = r->out + m;
    r->sum_out = r->in + m;
    r->sum_in = r->sum_out + m;
    r->links = r->sum_in + m;
    r->community = r->level + m * m;
    r->visit = r->community + m;
    r->number = r->visit + m;
    return ES_OK;
}

void es_louvain_graph_finish(es_louvain_graph *g) {
    size_t m = g->m;
    memset(g->out, 0, m * sizeof *g->out);
    memset(g->in, 0, m * sizeof *g->in);
    g->total = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            double w = g->weight[i * m + j];
            g->both[i * m + j] = w + g->weight[j * m + i];
            g->out[i] += w;
            g->in[j] += w;
            g->total += w;
        }
}

/* links[c] = weight between node u and community c; u's own loop is nobody's link. */
static void link_weights(const es_louvain_run *r, size_t n, size_t u) {
    memset(r->links, 0, n * sizeof *r->links);
    for (size_t v = 0; v < n; v++)
        if (v != u)
            r->links[r->community[v]] += r->both[u * n + v];
}

/* Moves u to the community of most gain; true when it moved. `mark` is that of no earlier move:
 * each community is looked at where a node of it is visited first. */
static bool move(es_louvain_run *r, size_t n, size_t u, uint32_t mark, double total,
                 double resolution) {
    uint32_t own = r->community[u], best = own;
    link_weights(r, n, u);
    r->sum_out[own] -= r->out[u];
    r->sum_in[own] -= r->in[u];
    const double scale = resolution / (total * total);
    double stay =
        r->links[own] / total - scale * (r->out[u] * r->sum_in[own] + r->in[u] * r->sum_out[own]);
    double most = least_gain;
    r->number[own] = mark;
    for (size_t k = 0; k < n; k++) { /* in the order of visits, so that ties fall by the seed */
        uint32_t c = r->community[r->visit[k]];
        if (r->number[c] == mark)
            continue;
        r->number[c] = mark;
        if (!(r->links[c] > 0))
            continue;
        double gain = r->links[c] / total -
                      scale * (r->out[u] * r->sum_in[c] + r->in[u] * r->sum_out[c]) - stay;
        if (gain > most) {
            most = gain;
            best = c;
        }
    }
    r->sum_out[best] += r->out[u];
    r->sum_in[best] += r->in[u];
    r->community[u] = best;
    return best != own;
}

/* Local moves until none gains; *any: something moved. */
static es_status move_all(es_louvain_run *r, size_t n, double total, double resolution, es_rng *rng,
                          const es_run *cancel, bool *any, es_error *err) {
    uint32_t mark = 0;
    for (size_t i = 0; i < n; i++) {
        r->community[i] = r->visit[i] = (uint32_t)i;
        r->number[i] = mark;
    }
    memcpy(r->sum_out, r->out, n * sizeof *r->out);
    memcpy(r->sum_in, r->in, n * sizeof *r->in);
    es_rng_shuffle(rng, r->visit, n);
    bool moved = true;
    *any = false;
    while (moved) {
        moved = false;
        for (size_t k = 0; k < n; k++) {
            if (k % CHECK_EVERY == 0)
                ES_PASS(es_run_check(cancel, err));
            moved = move(r, n, r->visit[k], ++mark, total, resolution) || moved;
        }
        *any = *any || moved;
    }
    return ES_OK;
}

/* Numbers the communities by their first node; returns how many. */
static size_t renumber(es_louvain_run *r, size_t n) {
    uint32_t next = 0;
    for (size_t i = 0; i < n; i++)
        r->number[i] = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        uint32_t c = r->community[i];
        if (r->number[c] == UINT32_MAX)
            r->number[c] = next++;
        r->community[i] = r->number[c];
    }
    return next;
}

static void merge_nodes(es_louvain_run *r, size_t n, size_t merged) {
    memset(r->next, 0, merged * merged * sizeof *r->next);
    memset(r->sum_out, 0, merged * sizeof *r->sum_out);
    memset(r->sum_in, 0, merged * sizeof *r->sum_in);
    for (size_t i = 0; i < n; i++) {
        double *row = r->next + r->community[i] * merged;
        r->sum_out[r->community[i]] += r->out[i];
        r->sum_in[r->community[i]] += r->in[i];
        for (size_t j = 0; j < n; j++)
            row[r->community[j]] += r->both[i * n + j];
    }
    memcpy(r->out, r->sum_out, merged * sizeof *r->out);
    memcpy(r->in, r->sum_in, merged * sizeof *r->in);
    double *swap = r->both;
    r->both = r->next;
    r->next = swap;
}

es_status es_louvain_run_once(es_louvain_run *r, const es_louvain_graph *graph, double resolution,
                              es_rng *rng, const es_run *cancel, es_error *err) {
    size_t n = r->m;
    assert(r->level != NULL);
    memcpy(r->both, graph->both, n * n * sizeof *r->both);
    memcpy(r->out, graph->out, n * sizeof *r->out);
    memcpy(r->in, graph->in, n * sizeof *r->in);
    r->levels = 0;
    while (r->levels < r->m) {
        bool any;
        ES_PASS(move_all(r, n, graph->total, resolution, rng, cancel, &any, err));
        if (!any)
            break;
        size_t merged = renumber(r, n);
        uint32_t *row = r->level + r->levels * r->m;
        const uint32_t *finer = row - (r->levels > 0 ? r->m : 0);
        if (r->levels == 0)
            memcpy(row, r->community, r->m * sizeof *row);
        for (size_t i = 0; r->levels > 0 && i < r->m; i++)
            row[i] = r->community[finer[i]];
        r->levels++;
        merge_nodes(r, n, merged);
        n = merged;
    }
    if (r->levels == 0) { /* nobody gains by company */
        for (size_t i = 0; i < r->m; i++)
            r->level[i] = (uint32_t)i;
        r->levels = 1;
    }
    return ES_OK;
}

double es_louvain_quality(const es_louvain_graph *graph, double resolution, const uint32_t *group,
                          double *scratch) {
    size_t m = graph->m;
    double *out = scratch, *in = scratch + m, inside = 0, expected = 0;
    memset(scratch, 0, 2 * m * sizeof *scratch);
    for (size_t i = 0; i < m; i++) {
        out[group[i]] += graph->out[i];
        in[group[i]] += graph->in[i];
        for (size_t j = 0; j < m; j++)
            inside += group[i] == group[j] ? graph->weight[i * m + j] : 0;
    }
    for (size_t c = 0; c < m; c++)
        expected += out[c] * in[c];
    return inside / graph->total - resolution * expected / (graph->total * graph->total);
}
