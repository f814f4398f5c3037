/* Communities as a graph laid out by forces, and a dendrogram of the matrix's rows or columns. */
#include <math.h>
#include <stdio.h>

#include "pictures.h"

/* Pairs across communities attract less in the layout, so that communities come apart. */
#define ACROSS 0.35
enum { EDGES_A_NODE = 3 };

/* The shown embedders, in the results' order. */
typedef struct graph {
    size_t m;
    size_t *at; /* (m) positions in the results */
    const char **name;
    unsigned *group;
    uint32_t *own;                           /* (m) community, drawn or not */
    double *out, *in, *is, *strength, *pull; /* (m), (m), (m, m) ... */
    es_force *force;
    double shown_from;
} graph;

static bool allocate_graph(es_sketch *sketch, graph *g, size_t m) {
    g->at = es_sketch_room(sketch, m, sizeof *g->at);
    g->name = es_sketch_room(sketch, m, sizeof *g->name);
    g->group = es_sketch_room(sketch, m, sizeof *g->group);
    g->own = es_sketch_room(sketch, m, sizeof *g->own);
    g->out = es_sketch_room(sketch, m, sizeof *g->out);
    g->in = es_sketch_room(sketch, m, sizeof *g->in);
    g->is = es_sketch_room(sketch, m, m * sizeof *g->is);
    g->strength = es_sketch_room(sketch, m, m * sizeof *g->strength);
    g->pull = es_sketch_room(sketch, m, m * sizeof *g->pull);
    return g->at && g->name && g->group && g->own && g->out && g->in && g->is && g->strength &&
           g->pull;
}

/* Places the nodes by force and keeps the strongest edges. */
static es_status place_nodes(graph *g, uint64_t seed, es_error *err) {
    size_t m = g->m, pairs = 0, most = EDGES_A_NODE * m;
    ES_PASS(es_pair_strength(g->is, m, NULL, g->strength, &pairs, err));
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            g->pull[i * m + j] = g->strength[i * m + j] * (g->own[i] == g->own[j] ? 1 : ACROSS);
    g->shown_from = pairs > most ? 1 - ((double)most - 0.5) / (double)pairs : 0;
    ES_PASS(es_force_new(g->pull, m, seed, &g->force, err));
    (void)es_force_move(g->force, ES_FORCE_STEPS);
    return ES_OK;
}

/* Fills nodes, communities and edge strengths of the embedders shown. */
static es_status fill_graph(es_sketch *sketch, const es_results *results,
                            const es_communities *found, const es_picture_groups *groups,
                            const es_ranking *ranking, graph *g, es_error *err) {
    if (!allocate_graph(sketch, g, results->m))
        return es_no_memory(err);
    for (size_t i = 0; i < results->m; i++)
        if (es_export_shows(sketch->cli, i))
            g->at[g->m++] = i;
    for (size_t k = 0; k < g->m; k++) {
        size_t i = g->at[k];
        g->name[k] = es_results_label(results, i);
        g->group[k] = groups->group[i];
        g->own[k] = found->group[i];
        g->out[k] = ranking->score[i];
        g->in[k] = ranking->in[i];
        for (size_t j = 0; j < g->m; j++)
            g->is[k * g->m + j] = results->is[i * results->m + g->at[j]];
    }
    return place_nodes(g, sketch->cli->options->seed, err);
}

/* How many, and how surely; what a single one is, the groups say. */
static void put_found(const es_communities *found, es_buf *note) {
    char text[ES_TABLE_NUMBER];
    if (found->groups == 1)
        return;
    es_buf_printf(note, "%zu communities, modularity ", found->groups);
    if (found->modularity.why)
        es_buf_printf(note, "not defined: %s", found->modularity.why);
    else
        es_buf_puts(note, es_table_out_decimals(text, found->modularity.value, 4));
    if (isfinite(found->agreement))
        es_buf_printf(note, ", exactly these in %.0f %% of %d runs", 100 * found->agreement,
                      ES_LOUVAIN_RUNS);
    es_buf_puts(note, ". ");
}

es_status es_picture_communities(es_sketch *sketch, const es_results *results,
                                 const es_communities *found, const es_ranking *ranking,
                                 es_error *err) {
    es_status st = ES_OK;
    graph g = {0};
    es_picture_groups groups = {0};
    put_found(found, &sketch->note);
    ES_TRY(es_picture_groups_of(sketch, results, found, &groups, err));
    ES_TRY(fill_graph(sketch, results, found, &groups, ranking, &g, err));
    const es_network network = {.m = g.m,
                                .x = g.force->x,
                                .y = g.force->y,
                                .name = g.name,
                                .group = g.group,
                                .out = g.out,
                                .in = g.in,
                                .strength = g.strength,
                                .shown_from = g.shown_from,
                                .out_title = "simulates (median IS)",
                                .in_title = "is simulated (median)"};
    es_buf_puts(&sketch->note, "Lines: the strongest pairs. ");
    ES_TRY(es_figure_network(&network, ES_SKETCHED(sketch), err));
done:
    es_force_free(g.force);
    return st;
}

es_status es_picture_dendrogram(es_sketch *sketch, const es_results *results,
                                const es_linkage *linkage, es_error *err) {
    es_picture_groups groups = {0};
    const char **name = es_sketch_room(sketch, results->m, sizeof *name);
    if (name == NULL)
        return es_no_memory(err);
    ES_PASS(es_picture_groups_of(sketch, results, NULL, &groups, err));
    for (size_t i = 0; i < results->m; i++)
        name[i] = es_results_label(results, i);
    const es_options *o = sketch->cli->options;
    const char *axis = es_sketch_text(sketch, "Euclidean distance of the %s, %s linkage",
                                      o->of == ES_LINKAGE_SOURCES ? "sources" : "targets",
                                      es_tree_method_names[o->tree_method]);
    const es_dendrogram dendrogram = {
        .tree = linkage, .name = name, .group = groups.drawn ? groups.group : NULL, .axis = axis};
    return es_figure_dendrogram(&dendrogram, ES_SKETCHED(sketch), err);
}
