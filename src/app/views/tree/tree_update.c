/* Communities are found anew when results have changed: of a small pool quickly by a key, and how
 * stable they are in portions at ticks; of a large one by workers, since a key cannot wait for them
 * (Blondel et al. 2008, doi:10.1088/1742-5468/2008/10/P10008). So is the dendrogram. */
#include "app_tree.h"

#include <math.h>
#include <string.h>

#include "app_state.h"
#include "app_lists.h"
#include "app_values.h"

enum {
    QUICK_STARTS = 20,   /* what a key may cost: all starts for small pools ... */
    QUICK_WORK = 200000, /* ... and no more than so many entries of the matrix for large ones */
    SLICE_WORK = 200000, /* runs of one tick, in entries of the matrix */
    PROGRESS_PAUSE = 1,  /* seconds between looks at how far workers are */
    LEAF_MODELS = 120    /* larger dendrograms are not made anew while a run is on */
};

/* As many starts as a key, or somebody who waits for a worker, has time for. */
static es_louvain problem_of(const es_app *app, bool quick) {
    const es_family_choices how = {.resolution = es_tree_resolution(app)};
    es_louvain p = es_families_problem(es_tree_results(app), &how, NULL);
    size_t starts = QUICK_WORK / (p.m * p.m + 1);
    if (quick) {
        p.starts = starts >= QUICK_STARTS ? QUICK_STARTS : starts < 1 ? 1 : (unsigned)starts;
        p.runs = 1;
    }
    return p;
}

es_louvain es_app_families(const es_app *app) {
    return problem_of(app, !app->tree.asked.settle);
}

static void no_memory(es_app *app) {
    es_tree_forget(&app->tree);
    app->tree.made_at = app->now; /* the next look is as far as any other */
    app->tree.results = es_tree_results(app);
    app->tree.revision = es_tree_results(app)->revision;
    app->tree.resolution = es_tree_resolution(app);
    es_app_notice(app, ES_ENOMEM, "out of memory: no communities");
}

/* Of what those that are shown from now on were found. */
static void note_request(es_app *app, const es_tree_request *of) {
    app->tree.revision = of->revision;
    app->tree.resolution = of->resolution;
    app->tree.known = of->known;
}

static es_tree_request request_of(const es_app *app, bool settle) {
    const es_results *r = es_tree_results(app);
    return (es_tree_request){.tag = app->tree.asked.tag + 1,
                             .waiting = true,
                             .settle = settle,
                             .results = r,
                             .revision = r->revision,
                             .resolution = es_tree_resolution(app),
                             .known = r->done};
}

/* With the means, which workers find themselves. */
static bool adopt(es_app *app, es_communities *found, bool settled) {
    double *means = es_alloc(found->listed + found->groups * found->groups + 1, sizeof *means);
    if (means == NULL || es_communities_means(es_tree_results(app)->is, found, means,
                                              means + found->listed, NULL) != ES_OK) {
        es_free(means);
        es_communities_free(found);
        return false;
    }
    return es_tree_adopt(app, found, means, settled);
}

static void find_quickly(es_app *app) {
    es_louvain p = problem_of(app, true);
    es_communities *found = NULL;
    if (es_communities_new(&p, NULL, &found, NULL) != ES_OK || !adopt(app, found, false)) {
        no_memory(app);
        return;
    }
    const es_tree_request now = request_of(app, false);
    note_request(app, &now);
}

/* ---- By workers ---- */

/* Requests the communities from a worker; `settle`: with their stability. */
static void ask_communities(es_app *app, bool settle, es_effects *effects) {
    es_tree_request *asked = &app->tree.asked;
    *asked = request_of(app, settle);
    es_effect_add(app, effects, ES_FX_FAMILIES, (size_t)asked->tag, false, NULL);
}

/* Under way, and nobody wants another one meanwhile. */
static bool is_asked(const es_app *app) {
    const es_tree_request *asked = &app->tree.asked;
    return asked->waiting && asked->results == es_tree_results(app) &&
           asked->resolution == es_tree_resolution(app);
}

/* True when there are others than before. */
static bool take(es_app *app) {
    es_tree *tree = &app->tree;
    const es_source *source = app->source;
    es_tree_request *asked = &tree->asked;
    double *means = NULL;
    es_communities *found = NULL;
    if (!es_tree_has_come(asked, &source->families))
        return false;
    asked->waiting = false;
    if (source->families.tag == asked->tag && source->take_families != NULL)
        found = source->take_families(source->context, &means);
    if (asked->results != es_tree_results(app) ||
        (found != NULL && found->m != es_tree_results(app)->m)) {
        es_communities_free(found); /* of another matrix */
        es_free(means);
        return false;
    }
    if (found != NULL && es_tree_adopt(app, found, means, asked->settle))
        note_request(app, asked);
    else if (asked->settle) {
        tree->settled = true; /* without figures: nothing else can be done */
        es_app_notice(app, ES_ENOMEM, "out of memory: stability is not known");
    } else
        no_memory(app);
    return true;
}

/* ---- On the way ---- */

/* Another portion of the runs that tell how stable the communities are. */
static void go_on(es_app *app) {
    es_tree *tree = &app->tree;
    es_louvain p = problem_of(app, false);
    es_communities *found = NULL;
    size_t runs = SLICE_WORK / (p.m * p.m + 1) + 1;
    es_status st = ES_OK;
    if (tree->search == NULL) {
        st = es_communities_begin(&p, &tree->search, NULL);
        tree->runs_left = ES_LOUVAIN_RUNS;
    }
    if (st == ES_OK)
        st = es_communities_step(tree->search, (unsigned)runs, NULL, &tree->runs_left, NULL);
    if (st == ES_OK && tree->runs_left > 0)
        return;
    if (st == ES_OK)
        st = es_communities_finish(tree->search, &found, NULL);
    const es_tree_request now = request_of(app, true);
    if (st == ES_OK && adopt(app, found, true)) {
        note_request(app, &now);
    } else {
        es_communities_search_free(tree->search);
        tree->search = NULL;
        tree->settled = true; /* without figures: nothing else can be done */
        es_app_notice(app, ES_ENOMEM, "out of memory: stability is not known");
    }
}

/* ---- Keeping up ---- */

static bool wanted(const es_app *app) {
    return es_filter_of_communities(app) || es_view_shown(app)->communities ||
           app->set.order == ES_ORDER_COMMUNITY;
}

/* True if the screen shows the order of communities or their stability. */
static bool looked_at(const es_app *app) {
    return es_filter_of_communities(app) || app->view == ES_VIEW_TREE ||
           app->set.order == ES_ORDER_COMMUNITY;
}

/* Not what the user has asked for: another matrix, another resolution, nothing yet. */
static bool is_other(const es_app *app) {
    const es_tree *tree = &app->tree;
    return tree->results != es_tree_results(app) || tree->resolution != es_tree_resolution(app) ||
           (tree->found == NULL && tree->revision != es_tree_results(app)->revision);
}

/* A first look at few pairs finds everybody alone, and a fast run is over before the next one. */
static bool much_more_known(const es_app *app) {
    size_t known = es_tree_results(app)->done, before = app->tree.known, all = es_app_pairs(app);
    return known >= 2 * before || (known >= all && before < all);
}

/* A frozen order is that of Tree's lines while it shows them, and that of the matrix by community;
 * whoever comes to Tree later finds what is known then. */
static bool is_kept(const es_app *app) {
    return app->frozen && (app->tree.watched || app->set.order == ES_ORDER_COMMUNITY);
}

/* Notes whether the user sees the newest communities; they stay while the view is open. */
static void note_watched(es_app *app) {
    es_tree *tree = &app->tree;
    bool newest = tree->found != NULL && tree->revision == es_tree_results(app)->revision;
    tree->watched = app->view == ES_VIEW_TREE && (tree->watched || newest);
}

/* When communities of newer results are due; INFINITY: they are not. */
static double due(const es_app *app) {
    const es_tree *tree = &app->tree;
    if (tree->revision == es_tree_results(app)->revision || is_kept(app))
        return (double)INFINITY;
    if (much_more_known(app))
        return tree->made_at + ES_TREE_SOON; /* lines that say nothing need not be held */
    return fmax(es_app_running(app) ? tree->made_at + ES_TREE_PAUSE : app->now, app->hold_until);
}

static bool may_settle(const es_app *app) {
    const es_tree *tree = &app->tree;
    return looked_at(app) && tree->found != NULL && !tree->settled &&
           tree->revision == es_tree_results(app)->revision && es_tree_complete(app);
}

static bool leaves_due(const es_app *app, double *when) {
    const es_tree *tree = &app->tree;
    const es_results *r = es_tree_results(app);
    *when = app->now;
    if (app->set.order != ES_ORDER_CLUSTER || r == NULL || r->done == 0 || app->frozen)
        return false;
    if (tree->leaf_asked.waiting && tree->leaf_asked.results == r)
        return es_tree_has_come(&tree->leaf_asked, &app->source->dendrogram);
    if (tree->leaf_results != r)
        return true;
    if (tree->leaf_revision == r->revision || (es_app_running(app) && r->m > LEAF_MODELS))
        return false;
    *when = fmax(es_app_running(app) ? tree->leaf_at + ES_TREE_PAUSE : app->now, app->hold_until);
    return true;
}

/* Takes the dendrogram over; NULL: there is none. */
static void adopt_leaves(es_app *app, es_linkage *linkage, uint64_t revision) {
    es_tree *tree = &app->tree;
    const es_results *r = es_tree_results(app);
    tree->leaf_results = r;
    tree->leaf_revision = revision;
    tree->leaf_at = app->now;
    for (size_t i = 0; i < app->n; i++)
        tree->leaf[i] = r->m;
    if (linkage == NULL) {
        es_app_notice(app, ES_ENOMEM, "out of memory: no order by cluster");
        return;
    }
    es_linkage_free(tree->linkage);
    tree->linkage = linkage;
    for (size_t k = 0; k < r->m; k++)
        tree->leaf[r->model[linkage->order[k]]] = k;
}

/* Takes the dendrogram that the worker has found. */
static void take_leaves(es_app *app) {
    const es_source *source = app->source;
    es_tree_request *asked = &app->tree.leaf_asked;
    es_linkage *linkage = NULL;
    if (!es_tree_has_come(asked, &source->dendrogram))
        return;
    asked->waiting = false;
    if (source->dendrogram.tag == asked->tag && source->take_dendrogram != NULL)
        linkage = source->take_dendrogram(source->context);
    if (asked->results != es_tree_results(app) ||
        (linkage != NULL && linkage->m != es_tree_results(app)->m)) {
        es_linkage_free(linkage); /* of another matrix */
        return;
    }
    adopt_leaves(app, linkage, asked->revision);
    es_select_refresh(app, true);
}

static void ask_for_leaves(es_app *app, es_effects *effects) {
    es_tree_request *asked = &app->tree.leaf_asked;
    uint64_t tag = asked->tag + 1;
    *asked = request_of(app, false);
    asked->tag = tag;
    es_effect_add(app, effects, ES_FX_DENDROGRAM, (size_t)tag, false, NULL);
}

static void update_leaves(es_app *app, es_effects *effects) {
    const es_results *r = es_tree_results(app);
    es_linkage *linkage = NULL;
    double when;
    take_leaves(app);
    if (!leaves_due(app, &when) || app->now < when)
        return;
    if (es_tree_is_large(app)) {
        ask_for_leaves(app, effects);
        return;
    }
    (void)es_linkage_cluster(r->is, r->m, NULL, &linkage, NULL);
    adopt_leaves(app, linkage, r->revision);
    es_select_refresh(app, true);
}

/* True when it has had work to do. */
static bool update_communities(es_app *app, bool heavy, es_effects *effects) {
    bool other = is_other(app), large = es_tree_is_large(app), came = take(app);
    if (came && looked_at(app))
        es_select_refresh(app, other);
    if (large && is_asked(app) && !app->tree.asked.settle)
        return came;
    other = is_other(app);
    if (other || app->now >= due(app)) {
        if (large) {
            ask_communities(app, false, effects);
            return came;
        }
        find_quickly(app);
        if (looked_at(app))
            es_select_refresh(app, other);
        return true;
    }
    if (large && may_settle(app) && !is_asked(app)) {
        ask_communities(app, true, effects);
        return came;
    }
    if (large || !heavy || !may_settle(app))
        return came;
    go_on(app);
    if (app->tree.settled)
        es_select_refresh(app, false);
    return true;
}

/* The community under the cursor; false when there is none to tell about or it is told already. */
static bool facts_due(const es_app *app, size_t *group) {
    const es_tree *tree = &app->tree;
    size_t at = es_tree_at(app);
    if (app->view != ES_VIEW_TREE || tree->found == NULL || at == ES_NONE)
        return false;
    *group = tree->row[at].group;
    if (tree->row[at].item != ES_NONE)
        *group = es_tree_group(app, tree->row[at].item);
    return !tree->have_facts || tree->facts_of != *group;
}

/* Other communities, and the other parts of the one this is a part of. */
static bool may_be_near(const es_app *app, size_t group, size_t other) {
    const es_community *list = app->tree.found->list;
    return other != group && (list[other].parent == list[group].parent ||
                              (list[other].level == 0 && other != es_tree_top(app, group)));
}

/* The closest of them first, by the mean of both directions. */
static void find_closest(es_app *app, size_t group) {
    es_tree *tree = &app->tree;
    size_t listed = tree->found->listed;
    double *to = es_alloc(2 * listed + 1, sizeof *to), *from = to == NULL ? NULL : to + listed;
    tree->closests = 0;
    if (to != NULL && tree->found->groups > 1 &&
        es_community_means_of(es_tree_results(app)->is, tree->found, group, to, from, NULL) ==
            ES_OK)
        while (tree->closests < ES_TREE_CLOSEST) {
            double most = -(double)INFINITY;
            es_tree_near *near = &tree->closest[tree->closests];
            near->group = ES_NONE;
            for (size_t g = 0; g < listed; g++) {
                bool taken = !may_be_near(app, group, g);
                for (size_t k = 0; k < tree->closests; k++)
                    taken = taken || tree->closest[k].group == g;
                double mean = isnan(to[g])     ? from[g]
                              : isnan(from[g]) ? to[g]
                                               : (to[g] + from[g]) / 2;
                if (!taken && mean > most) {
                    most = mean;
                    *near = (es_tree_near){g, to[g], from[g]};
                }
            }
            if (near->group == ES_NONE)
                break;
            tree->closests++;
        }
    es_free(to);
}

static void update_facts(es_app *app) {
    es_tree *tree = &app->tree;
    const es_results *r = es_tree_results(app);
    size_t group;
    if (!facts_due(app, &group))
        return;
    uint32_t *rank = es_alloc(2 * r->m + 1, sizeof *rank);
    tree->facts_of = group;
    tree->have_facts = true;
    tree->closests = 0;
    if (group != ES_NONE)
        find_closest(app, group);
    tree->facts = (es_community_facts){.centre = SIZE_MAX,
                                       .covers = (double)NAN,
                                       .cheapest = SIZE_MAX,
                                       .cheapest_covers = (double)NAN,
                                       .inside = (double)NAN,
                                       .outgoing = (double)NAN,
                                       .incoming = (double)NAN};
    if (rank == NULL)
        return;
    for (size_t p = 0; p < r->m; p++) {
        rank[p] = (uint32_t)app->live[r->model[p]].place;
        rank[r->m + p] = (uint32_t)p; /* everybody */
    }
    const es_community *c = group == ES_NONE ? NULL : &tree->found->list[group];
    es_community_describe(r->is, r->m, c == NULL ? rank + r->m : c->members,
                          c == NULL ? r->m : c->size, r->dim, rank, &tree->facts);
    es_free(rank);
}

void es_tree_update(es_app *app, bool heavy, es_effects *effects) {
    es_tree *tree = &app->tree;
    if (tree->found != NULL && (tree->results != es_tree_results(app) || !es_tree_possible(app))) {
        es_tree_forget(tree); /* their members are places in that matrix */
        tree->results = NULL;
    }
    if (es_tree_results(app) == NULL || es_tree_results(app)->m == 0)
        return;
    update_leaves(app, effects);
    bool worked = es_tree_possible(app) && wanted(app) && update_communities(app, heavy, effects);
    note_watched(app);
    if (app->view != ES_VIEW_TREE)
        return;
    es_tree_lines(app);
    if (app->tree.found != NULL) {
        if (worked && es_tree_is_large(app))
            return; /* one thing at a time in a large pool */
        update_facts(app);
        es_tree_graph_update(app, effects);
    }
}

/* When workers have found them they wake the loop themselves. */
static double communities_deadline(const es_app *app) {
    const es_tree_request *asked = &app->tree.asked;
    if (es_tree_has_come(asked, &app->source->families) && asked->results == es_tree_results(app))
        return app->now;
    if (es_tree_is_large(app) && is_asked(app)) {
        if (!asked->settle)
            return (double)INFINITY;
        return is_other(app) ? app->now : due(app);
    }
    return is_other(app) || may_settle(app) ? app->now : due(app);
}

/* True if workers do something whose steps the screen shows. */
static bool is_progress_shown(const es_app *app) {
    const es_tree *tree = &app->tree;
    return (tree->asked.waiting && tree->asked.settle &&
            tree->asked.results == es_tree_results(app)) ||
           es_tree_graph_awaited(app);
}

double es_tree_deadline(const es_app *app) {
    double when = (double)INFINITY, leaves;
    if (es_tree_results(app) == NULL || es_tree_results(app)->m == 0)
        return when;
    if (leaves_due(app, &leaves))
        when = leaves;
    if (!es_tree_possible(app) || !wanted(app))
        return when;
    size_t group;
    if (facts_due(app, &group))
        return app->now;
    when = fmin(when, communities_deadline(app));
    if (app->view != ES_VIEW_TREE)
        return when;
    if (es_tree_graph_busy(app))
        return app->now;
    return is_progress_shown(app) ? fmin(when, app->now + PROGRESS_PAUSE) : when;
}
