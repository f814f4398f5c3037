/* Communities as a document: a tree of members and parts for a reader, a line an embedder for a
 * table, everything that is known of each community as JSON. */
#include <math.h>

#include "cli_reports.h"

/* Communities with the facts about each. */
typedef struct view {
    es_session *session;
    const es_results *results;
    es_communities *found;
    es_community_facts *facts; /* (listed) */
    uint32_t *order;           /* (m) members community by community, by rank inside */
    es_ranking *ranking;
} view;

static void view_deinit(view *v) {
    es_communities_free(v->found);
    es_ranking_free(v->ranking);
}

static es_status view_init(const es_cli *cli, view *v, es_error *err) {
    const es_options *o = cli->options;
    const es_results *results = v->results;
    const es_family_choices how = {.resolution = o->resolution,
                                   .weights = (es_weights)o->weights,
                                   .threshold = o->threshold,
                                   .seed = o->seed};
    es_status st = ES_OK;
    size_t m = results->m;
    ES_TRY(es_families_new(results, &how, &v->found, err));
    ES_TRY(es_rank_results(results, false, &v->ranking, err));
    v->order = es_cli_room(cli, m, sizeof *v->order);
    v->facts = es_cli_room(cli, v->found->listed, sizeof *v->facts);
    ES_FAIL_IF(v->order == NULL || v->facts == NULL, es_no_memory(err));
    for (size_t c = 0; c < v->found->listed; c++)
        es_community_describe(results->is, m, v->found->list[c].members, v->found->list[c].size,
                              results->dim, v->ranking->rank, &v->facts[c]);
    const es_order_keys keys = {.m = m,
                                .name = (const char *const *)results->name,
                                .rank = v->ranking->rank,
                                .group = v->found->group};
    ES_TRY(es_order_make(ES_ORDER_COMMUNITY, &keys, v->order, err));
done:
    return st;
}

static const char *name_of(const view *v, size_t model) {
    return model == SIZE_MAX ? NULL : v->results->name[model];
}

static size_t dim_of(const view *v, size_t model) {
    return v->results->dim[model] ? v->results->dim[model] : SIZE_MAX;
}

/* ---- json ---- */

/* Of those that are written. */
static void put_names(es_json *json, const char *key, const es_document *d, const uint32_t *which,
                      size_t n) {
    const view *v = d->what;
    es_json_begin_row(json, key);
    for (size_t k = 0; k < n; k++)
        if (es_export_shows(d->cli, which[k]))
            es_json_text(json, NULL, v->results->name[which[k]]);
    es_json_end(json);
}

static bool any_shown(const es_cli *cli, const es_community *community) {
    for (size_t k = 0; k < community->size; k++)
        if (es_export_shows(cli, community->members[k]))
            return true;
    return false;
}

static bool shows(const es_document *d, size_t model) {
    return model != SIZE_MAX && es_export_shows(d->cli, model);
}

static void put_community(es_json *json, const es_document *d, size_t c) {
    const view *v = d->what;
    const es_community *community = &v->found->list[c];
    const es_community_facts *facts = &v->facts[c];
    es_json_begin_object(json, NULL);
    es_json_uint(json, "id", c + 1);
    es_document_count(json, "parent",
                      community->parent == SIZE_MAX ? SIZE_MAX : community->parent + 1);
    es_json_uint(json, "level", community->level);
    put_names(json, "members", d, community->members, community->size);
    es_json_double(json, "stability", community->stability);
    bool shown = shows(d, facts->centre);
    es_json_text(json, "spokesman", shown ? name_of(v, facts->centre) : NULL);
    es_json_double(json, "spokesman_covers", shown ? facts->covers : (double)NAN);
    shown = shows(d, facts->cheapest);
    es_json_text(json, "cheapest", shown ? name_of(v, facts->cheapest) : NULL);
    es_json_double(json, "cheapest_covers", shown ? facts->cheapest_covers : (double)NAN);
    es_json_double(json, "inside", facts->inside);
    es_json_double(json, "outgoing", facts->outgoing);
    es_json_double(json, "incoming", facts->incoming);
    es_json_end(json);
}

static void put_model(es_json *json, const view *v, size_t i) {
    bool known = es_results_touches(v->results, i);
    es_json_begin_object(json, NULL);
    es_json_text(json, "name", v->results->name[i]);
    es_json_bool(json, "derived", es_results_is_derived(v->results, i));
    es_document_count(json, "community", known ? v->found->group[i] + 1u : SIZE_MAX);
    es_json_double(json, "doubt", known ? v->found->elsewhere[i] : (double)NAN);
    es_json_end(json);
}

/* Communities are those of all embedders, whoever is hidden: they keep their numbers. */
static void put_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    const es_communities *found = v->found;
    es_json_text(json, "method", "louvain");
    es_json_double(json, "resolution", d->cli->options->resolution);
    es_json_text(json, "weights", es_weight_names[d->cli->options->weights]);
    es_json_double(json, "threshold", d->cli->options->threshold);
    es_json_double(json, "modularity", found->modularity.value);
    es_json_text(json, "modularity_reason", found->modularity.why);
    es_json_double(json, "stability", found->agreement);
    es_json_begin_array(json, "communities");
    for (size_t c = 0; c < found->listed; c++)
        if (any_shown(d->cli, &found->list[c]))
            put_community(json, d, c);
    es_json_end(json);
    put_names(json, "order", d, v->order, found->m);
    es_json_begin_array(json, "models");
    for (size_t i = 0; i < found->m; i++)
        if (es_export_shows(d->cli, i))
            put_model(json, v, i);
    es_json_end(json);
    es_json_begin_object(json, "edges");
    es_json_uint(json, "used", found->edges);
    es_json_uint(json, "missing", found->missing);
    es_json_uint(json, "negative", found->negative);
    es_json_uint(json, "weak", found->weak);
    es_json_uint(json, "within_error", found->within);
    es_json_end(json);
    es_json_uint(json, "runs", ES_LOUVAIN_RUNS);
    es_document_excluded(json, v->session);
}

/* ---- csv, md, tex: one line an embedder ---- */

#define ROW(C)                                                                                     \
    C(COUNT, "community", "community", 0, known ? c + 1 : SIZE_MAX)                                \
    C(NAME, "model", "model", ES_COLUMN_KEY, v->results, i)                                        \
    C(COUNT, "dim", "dim", 0, dim_of(v, i))                                                        \
    C(NUMBER, "doubt", "elsewhere", 2, 0, v->found->elsewhere[i])                                  \
    C(FLAG, "spokesman", "centre", 0, v->facts[c].centre == i)                                     \
    C(FLAG, "cheapest", "cheapest", 0, v->facts[c].cheapest == i)                                  \
    C(NUMBER, "stability", "stability", 2, 0, v->found->list[c].stability)

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

static es_table_out *make_table(const es_document *d) {
    const view *v = d->what;
    es_table_out *table = ES_TABLE_OUT(columns);
    for (size_t k = 0; k < v->results->m; k++) {
        size_t i = v->order[k], c = v->found->group[i];
        bool known = es_results_touches(v->results, i);
        if (!es_export_shows(d->cli, i))
            continue;
        ES_PUT_ROW(ROW, table);
    }
    return table;
}

/* ---- the tree ---- */

enum { MOST_LEVELS = 32, BRANCH = 3 };

typedef struct drawing {
    const view *v;
    es_buf *out;
    bool unicode;
    size_t name_width;      /* of all embedders, their indentation included */
    bool open[MOST_LEVELS]; /* further branches follow at this depth */
} drawing;

static void put_branch(const drawing *d, unsigned depth, bool last) {
    for (unsigned k = 0; k < depth; k++)
        es_buf_puts(d->out, !d->open[k] ? "   " : d->unicode ? "│  " : "|  ");
    if (d->unicode)
        es_buf_puts(d->out, last ? "└─ " : "├─ ");
    else
        es_buf_puts(d->out, last ? "`- " : "|- ");
}

static void put_share(es_buf *out, const char *before, double share, const char *behind) {
    if (isfinite(share))
        es_buf_printf(out, "%s%.0f %%%s", before, 100 * share, behind);
}

static void put_mean(es_buf *out, const char *before, double value) {
    char text[ES_TABLE_NUMBER];
    if (isfinite(value))
        es_buf_printf(out, "%s%s", before, es_table_out_decimals(text, value, 3));
}

/* Mean IS of a community, on a line of its own. */
static void put_means(const es_community_facts *facts, es_buf *out) {
    const struct {
        const char *name;
        double value;
    } means[] = {{"inside ", facts->inside},
                 {"to others ", facts->outgoing},
                 {"from others ", facts->incoming}};
    const char *before = "\nmean IS ";
    for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
        if (!isfinite(means[i].value))
            continue;
        es_buf_puts(out, before);
        put_mean(out, means[i].name, means[i].value);
        before = ", ";
    }
}

static void put_member(const drawing *d, unsigned depth, bool last, size_t model) {
    const view *v = d->v;
    const es_community_facts *facts = &v->facts[v->found->group[model]];
    bool alone = v->found->list[v->found->group[model]].size == 1;
    const char *name = es_results_label(v->results, model);
    put_branch(d, depth, last);
    size_t used = BRANCH * (depth + 1u) + es_table_out_width(name);
    es_buf_puts(d->out, name);
    es_buf_printf(d->out, "%*s", (int)(d->name_width > used ? d->name_width - used : 0), "");
    if (v->results->dim[model])
        es_buf_printf(d->out, "  %5zu dim", v->results->dim[model]);
    if (isfinite(v->found->elsewhere[model]))
        es_buf_printf(d->out, "  %3.0f %% elsewhere", 100 * v->found->elsewhere[model]);
    if (!alone && facts->centre == model)
        put_share(d->out, "  centre, covers ", facts->covers, " of the others");
    else if (!alone && facts->cheapest == model)
        put_share(d->out, "  cheapest, covers ", facts->cheapest_covers, "");
    es_buf_putc(d->out, '\n');
}

static size_t count_parts(const view *v, size_t c) {
    size_t parts = 0;
    for (size_t p = 0; p < v->found->listed; p++)
        parts += v->found->list[p].parent == c;
    return parts;
}

static bool is_in(const es_community *community, size_t model) {
    for (size_t k = 0; k < community->size; k++)
        if (community->members[k] == model)
            return true;
    return false;
}

static void put_members(drawing *d, size_t c, unsigned depth);

static void put_parts(drawing *d, size_t c, unsigned depth, size_t parts) {
    const view *v = d->v;
    for (size_t p = 0, seen = 0; p < v->found->listed; p++) {
        const es_community *part = &v->found->list[p];
        if (part->parent != c)
            continue;
        bool last = ++seen == parts;
        d->open[depth] = !last;
        if (part->size == 1) {
            put_member(d, depth, last, part->members[0]);
            continue;
        }
        put_branch(d, depth, last);
        es_buf_printf(d->out, "part of %zu", part->size);
        put_share(d->out, ", found in ", part->stability, " of the runs");
        put_mean(d->out, ", inside ", v->facts[p].inside);
        es_buf_putc(d->out, '\n');
        put_members(d, p, depth + 1);
    }
}

/* The parts that a community was merged from, else its members by rank. */
static void put_members(drawing *d, size_t c, unsigned depth) {
    const view *v = d->v;
    const es_community *community = &v->found->list[c];
    size_t parts = count_parts(v, c);
    if (parts > 1 && parts < community->size && depth + 1 < MOST_LEVELS) {
        put_parts(d, c, depth, parts);
        return;
    }
    for (size_t k = 0, seen = 0; k < v->results->m; k++)
        if (is_in(community, v->order[k]))
            put_member(d, depth, ++seen == community->size, v->order[k]);
}

static void put_head(const es_cli *cli, const view *v, es_buf *out) {
    const es_communities *found = v->found;
    char q[ES_TABLE_NUMBER], count[ES_COUNT_TEXT];
    if (v->results->estimator)
        es_buf_printf(out, "%s %s: ", v->results->estimator->name, es_results_preset(v->results));
    es_buf_printf(out, "%s in %zu communit%s (louvain, resolution %g, %s weights)\n",
                  es_count_text(found->m, es_results_controls(v->results),
                                es_results_derived(v->results), count, sizeof count),
                  found->groups, found->groups == 1 ? "y" : "ies", cli->options->resolution,
                  es_weight_names[cli->options->weights]);
    if (found->modularity.why)
        es_buf_printf(out, "modularity is not defined: %s\n", found->modularity.why);
    else
        es_buf_printf(out, "modularity %s; exactly these communities in %.0f %% of %d runs\n",
                      es_table_out_decimals(q, found->modularity.value, 4), 100 * found->agreement,
                      ES_LOUVAIN_RUNS);
}

/* Whose pairs with others are all unknown: they stand alone for that, however often. */
enum { MOST_UNKNOWN = 4 };

static void put_unknown(const es_results *r, es_buf *out) {
    size_t named = 0;
    for (size_t i = 0; i < r->m; i++) {
        bool known = false;
        for (size_t k = 0; k < r->m && !known; k++)
            known = k != i && (isfinite(r->is[i * r->m + k]) || isfinite(r->is[k * r->m + i]));
        if (known)
            continue;
        if (named == 0)
            es_buf_puts(out, ", among them all of ");
        es_buf_name(out, &named, MOST_UNKNOWN, es_results_label(r, i));
    }
    es_buf_names_end(out, named, MOST_UNKNOWN);
    if (named > 0)
        es_buf_printf(out, ": alone since nothing is known of %s", named == 1 ? "it" : "them");
}

/* What was done to the edges, where something was. */
static void put_edges(const view *v, es_buf *out) {
    const es_communities *found = v->found;
    if (found->negative)
        es_buf_printf(out, "%zu negative pair%s taken as no edge\n", found->negative,
                      found->negative == 1 ? "" : "s");
    if (found->within)
        es_buf_printf(out, "%zu pair%s within three standard errors of 0 taken as no edge\n",
                      found->within, found->within == 1 ? "" : "s");
    if (found->weak)
        es_buf_printf(out, "%zu pair%s below the threshold left out\n", found->weak,
                      found->weak == 1 ? "" : "s");
    if (found->missing) {
        es_buf_printf(out, "%zu pair%s not known", found->missing,
                      found->missing == 1 ? " is" : "s are");
        put_unknown(v->results, out);
        es_buf_putc(out, '\n');
    }
}

static size_t name_width(const view *v) {
    size_t widest = 0, depth = v->found->levels ? v->found->levels : 1;
    for (size_t i = 0; i < v->results->m; i++) {
        size_t width = es_table_out_width(es_results_label(v->results, i));
        widest = width > widest ? width : widest;
    }
    return widest + BRANCH * depth;
}

/* What the lines say, as far as one says it. */
static void put_legend(const view *v, es_buf *out) {
    bool cheapest = false, elsewhere = false;
    for (size_t c = 0; c < v->found->groups; c++)
        cheapest = cheapest || (v->found->list[c].size > 1 && v->facts[c].cheapest != SIZE_MAX &&
                                v->facts[c].cheapest != v->facts[c].centre);
    for (size_t i = 0; i < v->found->m; i++)
        elsewhere = elsewhere || isfinite(v->found->elsewhere[i]);
    if (elsewhere)
        es_buf_puts(out, "\nelsewhere: share of runs that put the embedder into another community");
    if (cheapest)
        es_buf_printf(out,
                      "%scheapest: fewest dimensions\namong those that cover 95 %% of what the "
                      "centre covers",
                      elsewhere ? "; " : "\n");
    es_buf_putc(out, '\n');
}

static es_status put_tree(const es_document *d, es_buf *out, es_error *err) {
    const view *v = d->what;
    drawing tree = {
        .v = v, .out = out, .unicode = es_output_unicode(), .name_width = name_width(v)};
    put_head(d->cli, v, out);
    for (size_t c = 0; c < v->found->groups; c++) {
        const es_community *community = &v->found->list[c];
        es_buf_printf(out, "\ncommunity %zu: %zu embedder%s", c + 1, community->size,
                      community->size == 1 ? "" : "s");
        put_share(out, ", found in ", community->stability, " of the runs");
        put_means(&v->facts[c], out);
        es_buf_putc(out, '\n');
        put_members(&tree, c, 0);
    }
    size_t derived = es_results_derived(v->results);
    if (derived > 0)
        es_buf_printf(out,
                      "\n%zu of them %s derived (" ES_DERIVED_MARK
                      "); the groups of `rank` are of the pool without",
                      derived, derived == 1 ? "is" : "are");
    put_legend(v, out);
    put_edges(v, out);
    return es_buf_check(out, err);
}

/* ---- the picture: a graph laid out by forces ---- */

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

static es_status draw(const es_document *d, es_sketch *sketch, es_error *err) {
    const view *v = d->what;
    es_status st = ES_OK;
    graph g = {0};
    es_picture_groups groups = {0};
    put_found(v->found, &sketch->note);
    ES_TRY(es_picture_groups_of(sketch, v->results, v->found, &groups, err));
    ES_TRY(fill_graph(sketch, v->results, v->found, &groups, v->ranking, &g, err));
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

es_status es_communities_write(es_cli *cli, es_session *session, size_t entry, es_error *err) {
    view v = {.session = session, .results = es_session_results(session, entry)};
    static const es_document_parts parts = {
        .schema = "tree", .table = make_table, .text = put_tree, .json = put_json, .picture = draw};
    if (es_rank_lower_is_better(v.results))
        return es_usage(cli, err,
                        "%s is an error and cannot weight edges: use --method ward, average, "
                        "complete, single or median",
                        v.results->estimator->name);
    es_status st = view_init(cli, &v, err);
    if (st == ES_OK)
        st = es_document_write(&parts, (es_document){cli, session, entry, &v, ES_FORMAT_DEFAULT},
                               err);
    view_deinit(&v);
    return st;
}
