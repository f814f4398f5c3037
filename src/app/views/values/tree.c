/* Communities of the embedders: what is known of each, the numbers they keep, the order of the
 * tree. */
#include "app_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"

bool es_tree_init(es_app *app) {
    es_tree *tree = &app->tree;
    tree->depth = ES_TREE_ITEM;
    tree->facts_of = ES_NONE;
    tree->place = es_app_keep(app, app->n, sizeof *tree->place);
    tree->part = es_app_keep(app, app->n, sizeof *tree->part);
    tree->leaf = es_app_keep(app, app->n, sizeof *tree->leaf);
    tree->shown = es_app_keep(app, app->n, sizeof *tree->shown);
    tree->row = es_app_keep(app, 3 * app->n + 1, sizeof *tree->row);
    return !app->starved;
}

void es_tree_forget(es_tree *tree) {
    es_communities_free(tree->found);
    es_communities_search_free(tree->search);
    es_free(tree->inside);
    es_free(tree->label);
    tree->found = NULL;
    tree->search = NULL;
    tree->inside = tree->between = NULL;
    tree->label = tree->by_label = NULL;
    tree->settled = tree->have_facts = false;
}

/* ---- Facts about communities ---- */

double es_tree_resolution(const es_app *app) {
    return app->set.resolution > 0 ? app->set.resolution : ES_LOUVAIN_RESOLUTION;
}

/* The first of what is refined, since it knows the most pairs: values of two estimators side by
 * side would part those that one of them knows. */
static size_t entry_of(const es_app *app) {
    return es_app_merged(app) ? es_refine_first(app) : app->entry;
}

const es_results *es_tree_results(const es_app *app) {
    return es_app_merged(app) ? app->source->results[entry_of(app)] : app->results;
}

const char *es_tree_title(const es_app *app) {
    size_t entry = entry_of(app);
    return entry == ES_NONE ? es_app_title(app) : app->source->title[entry];
}

bool es_tree_possible(const es_app *app) {
    return es_tree_results(app) != NULL && es_tree_results(app)->done > 0 && !es_app_lower(app);
}

bool es_tree_unsure(const es_app *app, size_t group) {
    const es_tree *tree = &app->tree;
    double stability = tree->settled ? tree->found->list[group].stability : (double)NAN;
    return 100 * stability < ES_TREE_STABLE_PERCENT;
}

size_t es_tree_group(const es_app *app, size_t item) {
    const es_communities *found = app->tree.found;
    size_t p = item < app->n ? app->position[item] : ES_NONE;
    return found == NULL || p == ES_NONE || p >= found->m ? ES_NONE : found->group[p];
}

size_t es_tree_top(const es_app *app, size_t group) {
    const es_communities *found = app->tree.found;
    while (found->list[group].parent != SIZE_MAX)
        group = found->list[group].parent;
    return group;
}

unsigned es_tree_colour(const es_app *app, size_t group) {
    const es_tree *tree = &app->tree;
    return group == ES_NONE || tree->found == NULL ? 0 : tree->label[es_tree_top(app, group)] % 8;
}

void es_tree_label(const es_app *app, size_t group, char *out, size_t capacity) {
    const es_communities *found = app->tree.found;
    const es_community *c = &found->list[group];
    char above[48];
    size_t number = 1;
    if (c->parent == SIZE_MAX) {
        (void)snprintf(out, capacity, "C%u", app->tree.label[group] + 1);
        return;
    }
    for (size_t k = 0; k < group; k++)
        number += found->list[k].parent == c->parent;
    es_tree_label(app, c->parent, above, sizeof above);
    (void)snprintf(out, capacity, "%s.%zu", above, number);
}

static size_t place_of(const es_app *app, size_t position) {
    size_t place = app->live[es_tree_results(app)->model[position]].place;
    return place == 0 ? SIZE_MAX : place;
}

const char *es_tree_name(const es_app *app, size_t group) {
    const es_results *r = es_tree_results(app);
    const es_community *c = &app->tree.found->list[group];
    size_t best = c->members[0];
    for (size_t k = 0; k < c->size && c->size > 1; k++) {
        const char *family = r->family == NULL ? NULL : r->family[c->members[k]];
        size_t same = 0;
        for (size_t l = 0; family != NULL && l < c->size; l++) {
            const char *other = r->family[c->members[l]];
            same += other != NULL && strcmp(other, family) == 0;
        }
        if (5 * same >= 3 * c->size && same > 0)
            return family;
        if (place_of(app, c->members[k]) < place_of(app, best))
            best = c->members[k];
    }
    return es_app_name(app, r->model[best]);
}

/* ---- Numbers of communities ---- */

/* A community and one of before that share members. */
typedef struct overlap {
    uint32_t now, before;
    size_t both;
    double jaccard;
} overlap;

static int compare_pairs(const void *a, const void *b) {
    const overlap *x = a, *y = b;
    if (x->now != y->now)
        return x->now < y->now ? -1 : 1;
    return (x->before > y->before) - (x->before < y->before);
}

/* The most alike first; of equals the first. */
static int compare_overlaps(const void *a, const void *b) {
    const overlap *x = a, *y = b;
    if (x->jaccard > y->jaccard || x->jaccard < y->jaccard)
        return x->jaccard > y->jaccard ? -1 : 1;
    return compare_pairs(a, b);
}

/* list (m); returns how many there are. */
static size_t find_overlaps(const es_communities *found, const es_communities *old, overlap *list) {
    size_t count = 0;
    for (size_t i = 0; i < found->m; i++)
        list[i] = (overlap){found->group[i], old->group[i], 1, 0};
    qsort(list, found->m, sizeof *list, compare_pairs);
    for (size_t i = 0; i < found->m; i++)
        if (count > 0 && compare_pairs(&list[count - 1], &list[i]) == 0)
            list[count - 1].both++;
        else
            list[count++] = list[i];
    for (size_t k = 0; k < count; k++) {
        double both = (double)list[k].both,
               all = (double)(found->list[list[k].now].size + old->list[list[k].before].size);
        list[k].jaccard = both / (all - both);
    }
    qsort(list, count, sizeof *list, compare_overlaps);
    return count;
}

/* While results come in, a community keeps the number of the one before that it has most in common
 * with (Jaccard), so that numbers and colours do not dance; of the whole matrix they are by size.
 */
static bool number_groups(const es_communities *found, const es_communities *old,
                          const uint32_t *old_label, uint32_t *label, uint32_t *by_label) {
    size_t groups = found->groups, overlaps = 0;
    overlap *list = old == NULL ? NULL : es_alloc(found->m + 1, sizeof *list);
    if (old != NULL && list == NULL)
        return false;
    for (size_t g = 0; g < groups; g++)
        label[g] = by_label[g] = UINT32_MAX;
    if (old != NULL)
        overlaps = find_overlaps(found, old, list);
    for (size_t k = 0; k < overlaps && list[k].jaccard > 0.3; k++) {
        uint32_t number = old_label[list[k].before];
        if (label[list[k].now] != UINT32_MAX || number >= groups || by_label[number] != UINT32_MAX)
            continue;
        label[list[k].now] = number;
        by_label[number] = list[k].now;
    }
    uint32_t next = 0;
    for (size_t g = 0; g < groups; g++) {
        if (label[g] != UINT32_MAX)
            continue;
        while (by_label[next] != UINT32_MAX)
            next++;
        label[g] = next;
        by_label[next] = (uint32_t)g;
    }
    es_free(list);
    return true;
}

/* The place of a community's first member: its parts lie one after the other. start (listed): of
 * those without parts. */
static size_t give_starts(const es_communities *found, size_t group, size_t next, size_t *start) {
    bool parts = false;
    for (size_t k = group + 1; k < found->listed; k++)
        if (found->list[k].parent == group) {
            next = give_starts(found, k, next, start);
            parts = true;
        }
    start[group] = next;
    return parts ? next : next + found->list[group].size;
}

/* Places in the order of the tree, the best first inside a part; and in which part everybody is. */
static bool give_places(es_app *app) {
    es_tree *tree = &app->tree;
    const es_results *r = es_tree_results(app);
    size_t m = tree->found->m, listed = tree->found->listed;
    double *rank = es_alloc(m + 1, sizeof *rank);
    uint32_t *order = es_alloc(2 * m + 1, sizeof *order);
    size_t *start = es_alloc(listed + 1, sizeof *start);
    bool given = rank != NULL && order != NULL && start != NULL;
    for (size_t i = 0, next = 0; given && i < app->n; i++) {
        tree->place[i] = app->position[i] == ES_NONE ? r->m + next++ : 0;
        tree->part[i] = ES_NONE;
    }
    for (size_t g = 0, next = 0; given && g < tree->found->groups; g++)
        next = give_starts(tree->found, tree->by_label[g], next, start);
    for (size_t k = 0; given && k < listed; k++) /* parts come after what they are parts of */
        for (size_t i = 0; i < tree->found->list[k].size; i++)
            tree->part[r->model[tree->found->list[k].members[i]]] = k;
    for (size_t p = 0; given && p < m; p++)
        rank[p] = (double)place_of(app, p);
    if (given)
        es_sort_order(rank, order, order + m, m);
    for (size_t k = 0; given && k < m; k++) {
        size_t item = r->model[order[k]];
        tree->place[item] = start[tree->part[item]]++;
    }
    es_free(rank);
    es_free(order);
    es_free(start);
    return given;
}

/* ---- Finding them ---- */

bool es_tree_complete(const es_app *app) {
    const es_results *r = es_tree_results(app);
    return r != NULL && r->done + r->failed >= es_app_pairs(app) && !es_app_running(app);
}

/* Takes `found` and its means over and derives what the views show. */
bool es_tree_adopt(es_app *app, es_communities *found, double *means, bool settled) {
    es_tree *tree = &app->tree;
    const es_results *r = es_tree_results(app);
    size_t groups = found->groups;
    uint32_t *label = es_alloc(2 * groups + 1, sizeof *label);
    bool same = tree->found != NULL && tree->results == r && tree->found->m == found->m;
    if (label == NULL || !number_groups(found, same && !es_tree_complete(app) ? tree->found : NULL,
                                        tree->label, label, label + groups)) {
        es_free(means);
        es_free(label);
        es_communities_free(found);
        return false;
    }
    es_tree_forget(tree);
    tree->found = found;
    tree->inside = means;
    tree->between = means + found->listed;
    tree->label = label;
    tree->by_label = label + groups;
    tree->results = r;
    tree->made_at = app->now;
    tree->pairs = es_app_pairs(app);
    tree->settled = settled;
    if (give_places(app))
        return true;
    es_tree_forget(tree);
    return false;
}

bool es_tree_is_large(const es_app *app) {
    enum { KEY_MODELS = 100 };
    return es_tree_results(app)->m > KEY_MODELS;
}

bool es_tree_has_come(const es_tree_request *asked, const es_structure_look *look) {
    return asked->waiting && !look->busy;
}

bool es_tree_finding(const es_app *app) {
    const es_tree_request *asked = &app->tree.asked;
    return asked->waiting && !asked->settle && asked->results == es_tree_results(app);
}

bool es_tree_settling(const es_app *app, unsigned *done) {
    const es_tree *tree = &app->tree;
    bool away =
        tree->asked.waiting && tree->asked.settle && tree->asked.results == es_tree_results(app);
    *done = away ? app->source->families.runs : ES_LOUVAIN_RUNS - tree->runs_left;
    return away || tree->search != NULL;
}

bool es_tree_leaves_awaited(const es_app *app) {
    const es_tree *tree = &app->tree;
    return tree->leaf_asked.waiting && tree->leaf_asked.results == es_tree_results(app) &&
           tree->leaf_results != es_tree_results(app);
}

/* ---- Orders ---- */

int es_tree_compare(const es_app *app, size_t a, size_t b) {
    size_t x = app->tree.place[a], y = app->tree.place[b];
    return (x > y) - (x < y);
}
