/* Makes the graph from the matrix, runs Louvain from many seeded orders, keeps the best partition
 * and hands all of them to partition.c for its stability. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core_structure.h"
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

/* Who stands for a community: the member that covers most of the others, and the cheapest that
 * covers nearly as much. */

/* Mean of the known is(i, j) over i of a kind and j of a kind. */
typedef struct mean_of {
    double sum;
    size_t n;
} mean_of;

static void add_to_mean(mean_of *mean, double v) {
    if (isfinite(v)) {
        mean->sum += v;
        mean->n++;
    }
}

static void take(mean_of *from, const mean_of *part) {
    from->sum -= part->sum;
    from->n -= part->n;
}

static double mean_value(const mean_of *mean) {
    if (mean->n == 0)
        return NAN;
    return mean->sum / (double)mean->n;
}

/* What is asked again and again: the most that is known about each of the first members. */
enum { KEPT = 256 };
typedef struct ceilings {
    double of[KEPT];
    size_t kept;
} ceilings;

static void find_ceilings(const double *is, size_t m, const uint32_t *members, size_t size,
                          ceilings *c) {
    c->kept = size < KEPT ? size : KEPT;
    for (size_t k = 0; k < c->kept; k++)
        c->of[k] = es_cover_ceiling(is, m, members[k]);
}

/* Mean cover of the other members by `source`, and for a community of one its own. */
static double covers(const double *is, size_t m, const uint32_t *members, size_t size,
                     const ceilings *c, size_t source) {
    mean_of mean = {0};
    for (size_t k = 0; k < size; k++)
        if (members[k] == source)
            add_to_mean(&mean, size == 1 ? 1 : (double)NAN); /* NaN is not counted */
        else
            add_to_mean(&mean, k < c->kept ? es_cover_under(is[source * m + members[k]], c->of[k])
                                           : es_cover(is, m, source, members[k]));
    return mean_value(&mean);
}

/* Rank 0, which is none, comes last. */
static bool ranks_before(const uint32_t *rank, size_t a, size_t b) {
    return rank[a] - 1u < rank[b] - 1u;
}

/* Finds the member that covers most of the others. */
static void find_centre(const double *is, size_t m, const uint32_t *members, size_t size,
                        const ceilings *ceiling, const uint32_t *rank, es_community_facts *out) {
    for (size_t k = 0; k < size; k++) {
        double c = covers(is, m, members, size, ceiling, members[k]);
        bool first = out->centre == SIZE_MAX;
        if (!isnan(c) && (first || c > out->covers ||
                          (c == out->covers && ranks_before(rank, members[k], out->centre)))) {
            out->centre = members[k];
            out->covers = c;
        }
    }
}

static size_t dim_of(const size_t *dim, size_t i) {
    return dim ? dim[i] : 0;
}

/* Among several that cover enough nobody is the cheapest while the dimensions of one are unknown.
 */
static void find_cheapest(const double *is, size_t m, const uint32_t *members, size_t size,
                          const ceilings *ceiling, const size_t *dim, const uint32_t *rank,
                          es_community_facts *out) {
    size_t enough = 0;
    bool known = true;
    out->cheapest = out->centre;
    out->cheapest_covers = out->covers;
    for (size_t k = 0; out->centre != SIZE_MAX && k < size; k++) {
        size_t i = members[k], least = dim_of(dim, out->cheapest);
        double c = covers(is, m, members, size, ceiling, i);
        if (!(c >= 0.95 * out->covers))
            continue;
        enough++;
        known = known && dim_of(dim, i) > 0;
        if (dim_of(dim, i) < least ||
            (dim_of(dim, i) == least && ranks_before(rank, i, out->cheapest))) {
            out->cheapest = i;
            out->cheapest_covers = c;
        }
    }
    if (enough > 1 && !known) {
        out->cheapest = SIZE_MAX;
        out->cheapest_covers = NAN;
    }
}

void es_community_describe(const double *is, size_t m, const uint32_t *members, size_t size,
                           const size_t *dim, const uint32_t *rank, es_community_facts *out) {
    mean_of inside = {0}, outgoing = {0}, incoming = {0};
    *out = (es_community_facts){
        .centre = SIZE_MAX, .covers = NAN, .cheapest = SIZE_MAX, .cheapest_covers = NAN};
    ceilings ceiling;
    find_ceilings(is, m, members, size, &ceiling);
    find_centre(is, m, members, size, &ceiling, rank, out);
    find_cheapest(is, m, members, size, &ceiling, dim, rank, out);
    for (size_t k = 0; k < size; k++) {
        size_t i = members[k];
        for (size_t l = 0; l < size; l++)
            if (l != k)
                add_to_mean(&inside, is[i * m + members[l]]);
        for (size_t j = 0; j < m; j++)
            if (j != i) {
                add_to_mean(&outgoing, is[i * m + j]);
                add_to_mean(&incoming, is[j * m + i]);
            }
    }
    /* What is left of all edges without the inner ones. */
    take(&outgoing, &inside);
    take(&incoming, &inside);
    out->inside = mean_value(&inside);
    out->outgoing = mean_value(&outgoing);
    out->incoming = mean_value(&incoming);
}

/* Sums by community in one pass over the matrix, row by row. */

static double mean(double sum, size_t known) {
    return known == 0 ? (double)NAN : sum / (double)known;
}

static double mean_inside(const double *is, size_t m, const es_community *c) {
    double sum = 0;
    size_t known = 0;
    for (size_t a = 0; a < c->size; a++)
        for (size_t b = 0; b < c->size; b++) {
            double v = is[c->members[a] * m + c->members[b]];
            if (a != b && isfinite(v)) {
                sum += v;
                known++;
            }
        }
    return mean(sum, known);
}

es_status es_communities_means(const double *is, const es_communities *found, double *inside,
                               double *between, es_error *err) {
    size_t m = found->m, groups = found->groups, pairs = groups * groups;
    size_t *known = es_alloc_zero(pairs + 1, sizeof *known);
    if (!known)
        return es_no_memory(err);
    memset(between, 0, pairs * sizeof *between);
    for (size_t i = 0; i < m; i++) {
        double *sum = between + found->group[i] * groups;
        size_t *count = known + found->group[i] * groups;
        for (size_t j = 0; j < m; j++) {
            double v = is[i * m + j];
            if (i == j || !isfinite(v))
                continue;
            sum[found->group[j]] += v;
            count[found->group[j]]++;
        }
    }
    for (size_t k = 0; k < pairs; k++)
        between[k] = mean(between[k], known[k]);
    for (size_t k = 0; k < found->listed; k++)
        inside[k] = k < groups ? between[k * groups + k] : mean_inside(is, m, &found->list[k]);
    es_free(known);
    return ES_OK;
}

es_status es_community_means_of(const double *is, const es_communities *found, size_t group,
                                double *to, double *from, es_error *err) {
    size_t m = found->m;
    const es_community *own = &found->list[group];
    double *sum = es_alloc_zero(4 * m + 1, sizeof *sum);
    if (!sum)
        return es_no_memory(err);
    double *back = sum + m, *known = back + m, *known_back = known + m;
    for (size_t k = 0; k < own->size; k++)
        for (size_t i = own->members[k], j = 0; j < m; j++) {
            double there = is[i * m + j], here = is[j * m + i];
            if (isfinite(there)) {
                sum[j] += there;
                known[j]++;
            }
            if (isfinite(here)) {
                back[j] += here;
                known_back[j]++;
            }
        }
    for (size_t g = 0; g < found->listed; g++) {
        double total[4] = {0};
        for (size_t k = 0; k < found->list[g].size; k++)
            for (size_t s = 0; s < 4; s++)
                total[s] += sum[s * m + found->list[g].members[k]];
        to[g] = mean(total[0], (size_t)total[2]);
        from[g] = mean(total[1], (size_t)total[3]);
    }
    es_free(sum);
    return ES_OK;
}
