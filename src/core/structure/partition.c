/* The tree of communities from Louvain's levels, and how often other runs find the same ones.
 * Communities of two runs are matched by the share of members that they have in common. */
#include "core_structure_parts.h"

#include <string.h>

static const uint32_t *row_of(const es_partition *p, unsigned level) {
    return p->level + level * p->m;
}

/* A community waiting to be taken apart: entry k of the list is one at tree level `row` of the
 * partition. */
typedef struct builder {
    const es_partition *partition;
    es_communities *out;
    unsigned *row;                   /* (2 m) */
    uint32_t *size, *first, *sorted; /* (m) */
} builder;

/* Appends the communities that row holds among the nodes (n), largest first, then by first node.
 * When there is only one and a parent, it is the parent itself: nothing is appended, false. */
static bool append_parts(builder *b, unsigned row, const uint32_t *nodes, size_t n, size_t parent,
                         es_status *st, es_error *err) {
    const uint32_t *community = row_of(b->partition, row);
    size_t m = b->partition->m, parts = 0;
    memset(b->size, 0, m * sizeof *b->size);
    for (size_t i = 0; i < n; i++)
        if (b->size[community[nodes[i]]]++ == 0)
            b->first[parts++] = community[nodes[i]];
    if (parts == 1 && parent != SIZE_MAX)
        return false;
    for (size_t k = 0; k < parts; k++) { /* b->first is by first node already: a stable insertion */
        uint32_t c = b->first[k];
        size_t at = k;
        for (; at > 0 && b->size[b->sorted[at - 1]] < b->size[c]; at--)
            b->sorted[at] = b->sorted[at - 1];
        b->sorted[at] = c;
    }
    for (size_t k = 0; k < parts; k++) {
        es_community *e = b->out->list + b->out->listed;
        e->members = es_alloc(b->size[b->sorted[k]], sizeof *e->members);
        if (!e->members) {
            *st = es_no_memory_for(err, "the communities of %zu embedders", m);
            return true;
        }
        b->row[b->out->listed++] = row;
        e->parent = parent;
        e->level = parent == SIZE_MAX ? 0 : b->out->list[parent].level + 1;
        for (size_t i = 0; i < n; i++)
            if (community[nodes[i]] == b->sorted[k])
                e->members[e->size++] = nodes[i];
    }
    return true;
}

static es_status build_communities(builder *b, es_error *err) {
    es_communities *out = b->out;
    es_status st = ES_OK;
    size_t m = b->partition->m;
    uint32_t *all = es_alloc(m, sizeof *all);
    if (!all)
        return es_no_memory_for(err, "the communities of %zu embedders", m);
    for (size_t i = 0; i < m; i++)
        all[i] = (uint32_t)i;
    append_parts(b, b->partition->levels - 1, all, m, SIZE_MAX, &st, err);
    out->groups = out->listed;
    es_free(all);
    for (size_t k = 0; st == ES_OK && k < out->listed; k++) {
        const es_community *e = out->list + k;
        out->levels = e->level + 1;
        for (unsigned row = b->row[k]; row > 0 && e->size > 1; row--)
            if (append_parts(b, row - 1, e->members, e->size, k, &st, err))
                break;
    }
    for (size_t k = 0; st == ES_OK && k < out->groups; k++)
        for (size_t i = 0; i < out->list[k].size; i++)
            out->group[out->list[k].members[i]] = (uint32_t)k;
    return st;
}

es_status es_partition_tree(const es_partition *partition, es_communities *out, es_error *err) {
    size_t m = partition->m;
    builder b = {partition, out, NULL, NULL, NULL, NULL};
    out->list = es_alloc_zero(2 * m, sizeof *out->list);
    b.row = es_alloc(2 * m, sizeof *b.row);
    b.size = es_alloc(m, 3 * sizeof *b.size);
    es_status st = ES_OK;
    if (out->list && b.row && b.size) {
        b.first = b.size + m;
        b.sorted = b.first + m;
        if (m > 0)
            st = build_communities(&b, err);
    } else {
        st = es_no_memory_for(err, "the communities of %zu embedders", m);
    }
    es_free(b.row);
    es_free(b.size);
    return st;
}

/* size (m): nodes in each community of row. */
static void count_sizes(const uint32_t *row, size_t m, uint32_t *size) {
    memset(size, 0, m * sizeof *size);
    for (size_t i = 0; i < m; i++)
        size[row[i]]++;
}

/* True: this partition has exactly the members of e as one community. */
static bool has_community(const uint32_t *row, const uint32_t *size, const es_community *e) {
    uint32_t c = row[e->members[0]];
    if (size[c] != e->size)
        return false;
    for (size_t i = 1; i < e->size; i++)
        if (row[e->members[i]] != c)
            return false;
    return true;
}

/* Adds 1 to the stability of every listed community that the run has; true when all of level 0 are.
 */
static bool count_run(const es_partition *run, es_communities *out, uint32_t *size, bool *found) {
    memset(found, 0, out->listed * sizeof *found);
    for (unsigned l = 0; l < run->levels; l++) {
        const uint32_t *row = row_of(run, l);
        bool final = l + 1 == run->levels;
        count_sizes(row, run->m, size);
        for (size_t k = 0; k < out->listed; k++)
            if (!found[k] && (final || out->list[k].level > 0))
                found[k] = has_community(row, size, out->list + k);
    }
    bool all = true;
    for (size_t k = 0; k < out->listed; k++) {
        out->list[k].stability += found[k];
        all = all && (found[k] || out->list[k].level > 0);
    }
    return all;
}

/* Scratch for matching a run's communities with the reference. */
typedef struct matching {
    uint32_t *overlap;        /* (m, groups) */
    uint32_t *size;           /* (m) of the run's communities */
    uint32_t *best, *best_of; /* (m) reference of a run's community and the other way round */
} matching;

static double jaccard(const matching *t, const es_communities *ref, size_t c, size_t g) {
    double both = (double)t->overlap[c * ref->groups + g];
    return both / ((double)t->size[c] + (double)ref->list[g].size - both);
}

/* A run's community is the reference's when each overlaps most with the other; everybody else of
 * the run is elsewhere. */
static void count_elsewhere(const es_partition *run, es_communities *ref, matching *t) {
    size_t m = run->m, groups = ref->groups;
    const uint32_t *row = row_of(run, run->levels - 1);
    memset(t->overlap, 0, m * groups * sizeof *t->overlap);
    count_sizes(row, m, t->size);
    for (size_t i = 0; i < m; i++)
        t->overlap[row[i] * groups + ref->group[i]]++;
    for (size_t c = 0; c < m; c++) {
        t->best[c] = 0;
        for (size_t g = 1; g < groups; g++)
            if (t->size[c] && jaccard(t, ref, c, g) > jaccard(t, ref, c, t->best[c]))
                t->best[c] = (uint32_t)g;
    }
    for (size_t g = 0; g < groups; g++) {
        t->best_of[g] = row[ref->list[g].members[0]];
        for (size_t c = 0; c < m; c++)
            if (t->size[c] && jaccard(t, ref, c, g) > jaccard(t, ref, t->best_of[g], g))
                t->best_of[g] = (uint32_t)c;
    }
    for (size_t i = 0; i < m; i++) {
        uint32_t c = row[i], g = ref->group[i];
        ref->elsewhere[i] += t->best[c] == g && t->best_of[g] == c ? 0 : 1;
    }
}

es_status es_partition_stability(const es_partition *runs, size_t n, es_communities *out,
                                 es_error *err) {
    size_t m = out->m, same = 0;
    es_status st = ES_OK;
    matching t = {0};
    bool *found = es_alloc(out->listed, sizeof *found);
    t.overlap = es_alloc(m * out->groups, sizeof *t.overlap);
    t.size = es_alloc(m, 3 * sizeof *t.size);
    ES_FAIL_IF(!found || !t.overlap || !t.size, es_no_memory_for(err, "%zu runs", n));
    t.best = t.size + m;
    t.best_of = t.best + m;
    for (size_t i = 0; i < m; i++)
        out->elsewhere[i] = 0;
    for (size_t r = 0; r < n; r++) {
        same += count_run(runs + r, out, t.size, found);
        count_elsewhere(runs + r, out, &t);
    }
    for (size_t i = 0; i < m; i++)
        out->elsewhere[i] /= (double)n;
    for (size_t k = 0; k < out->listed; k++)
        out->list[k].stability /= (double)n;
    out->agreement = (double)same / (double)n;
done:
    es_free(found);
    es_free(t.overlap);
    es_free(t.size);
    return st;
}
