/* Communities as a graph laid out by forces, and a dendrogram of the matrix's rows or columns. */
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Communities are drawn where they hold: colours say "these belong together" louder than any
 * caption can take back. */

/* How surely the members of a community (from 0) are in it, over the runs; NaN without runs. */
static double holds(const es_communities *found, uint32_t community, size_t *size) {
    double sum = 0;
    *size = 0;
    for (size_t i = 0; i < found->m; i++)
        if (found->group[i] == community) {
            sum += 1 - found->elsewhere[i];
            ++*size;
        }
    return *size > 0 ? sum / (double)*size : (double)NAN;
}

/* by: an estimator that is not the picture's own, NULL: it is */
static void take_communities(const es_communities *found, double resolution, const es_results *by,
                             es_picture_groups *out, es_buf *note) {
    size_t loose = 0, drawn = 0, size = 0, members = 0;
    double sum = 0;
    if (found->groups == 1) { /* one colour for all would say nothing */
        es_buf_printf(note, "All are one community (Louvain, resolution %g). ", resolution);
        return;
    }
    for (uint32_t g = 0; g < found->groups; g++) {
        double sure = holds(found, g, &size);
        bool kept = !(sure < ES_PICTURE_HOLDS);
        loose += !kept;
        drawn += kept;
        for (size_t i = 0; i < found->m; i++)
            if (found->group[i] == g)
                out->group[i] = kept ? g + 1 : 0;
        if (kept && isfinite(sure)) {
            sum += sure * (double)size;
            members += size;
        }
    }
    out->drawn = drawn > 0;
    out->title = drawn > 0 ? "communities" : NULL;
    if (drawn > 0)
        es_buf_printf(note, "Colours: communities (Louvain, resolution %g%s%s%s%s)", resolution,
                      by ? ", by " : "", by ? by->estimator->name : "", by ? " " : "",
                      by ? es_results_preset(by) : "");
    if (members > 0)
        es_buf_printf(note, "; a member is in its own in %.0f %% of %d runs",
                      100 * sum / (double)members, ES_LOUVAIN_RUNS);
    if (loose > 0)
        es_buf_printf(note, "%s%zu of %zu communities %s below %.0f %% and %s not drawn",
                      drawn > 0 ? "; " : "Communities: ", loose, found->groups,
                      loose == 1 ? "is" : "are", 100 * ES_PICTURE_HOLDS, loose == 1 ? "is" : "are");
    es_buf_puts(note, ". ");
}

static es_status by_community(es_cli *cli, const es_results *results, const es_communities *found,
                              es_picture_groups *out, es_buf *note, es_error *err) {
    es_communities *own = NULL;
    const es_options *o = cli->options;
    if (es_rank_lower_is_better(results)) /* an error is no weight of an edge */
        return ES_OK;
    const es_family_choices how = {.resolution = o->resolution, .seed = o->seed};
    es_status st = found ? ES_OK : es_families_new(results, &how, &own, err);
    const es_results *drawn = cli->export ? es_export_results(cli->export) : NULL;
    bool other =
        drawn && drawn->estimator && results->estimator && !es_results_alike(drawn, results);
    if (st == ES_OK)
        take_communities(found ? found : own, o->resolution, other ? results : NULL, out, note);
    es_communities_free(own);
    return st;
}

/* Families are numbered as they first come; one of a single member is none to be seen. */
static es_status by_family(es_cli *cli, const es_results *results, es_picture_groups *out,
                           es_buf *note, es_error *err) {
    unsigned count = 0;
    for (size_t i = 0; i < results->m; i++) {
        const char *family = results->family ? results->family[i] : NULL;
        unsigned members = 0;
        size_t first = SIZE_MAX;
        for (size_t j = 0; family && j < results->m; j++)
            if (results->family[j] && strcmp(results->family[j], family) == 0) {
                first = first == SIZE_MAX ? j : first;
                members++;
            }
        if (members < 2)
            continue;
        if (first == i) {
            out->group[i] = ++count;
            es_buf_printf(note, "%s%u %s", count > 1 ? ", " : "Colours: families ", count, family);
        }
        out->group[i] = out->group[first];
    }
    if (count == 0)
        return es_usage(
            cli, err,
            "--colour-by family: no two embedders are of one family; name them in families.csv, "
            "pool.json, or by --families beside --matrix");
    es_buf_puts(note, ". ");
    out->drawn = true;
    out->title = "families";
    return ES_OK;
}

es_status es_picture_groups_of(es_sketch *sketch, const es_results *results,
                               const es_communities *found, es_picture_groups *out, es_error *err) {
    es_cli *cli = sketch->cli;
    const char *by = cli->options->groups_by ? cli->options->groups_by : "community";
    es_status st = ES_OK;
    *out = (es_picture_groups){.group = es_sketch_room(sketch, results->m, sizeof *out->group)};
    if (out->group == NULL)
        return es_no_memory(err);
    if (strcmp(by, "community") == 0)
        st = by_community(cli, results, found, out, &sketch->note, err);
    else if (strcmp(by, "family") == 0)
        st = by_family(cli, results, out, &sketch->note, err);
    else if (strcmp(by, "none") != 0)
        st = es_usage(cli, err, "--colour-by takes family, community or none, not '%s'", by);
    return st;
}
