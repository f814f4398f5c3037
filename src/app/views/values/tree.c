/* Communities of the embedders: what is known of each, the numbers they keep, the order of the
 * tree. */
#include "tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "app_state.h"
#include "facts.h"

bool es_tree_init(es_tree *tree, size_t n) {
    tree->depth = ES_TREE_ITEM;
    tree->facts_of = ES_NONE;
    tree->place = es_alloc_zero(n + 1, sizeof *tree->place);
    tree->leaf = es_alloc_zero(n + 1, sizeof *tree->leaf);
    tree->shown = es_alloc_zero(n + 1, sizeof *tree->shown);
    tree->row = es_alloc_zero(3 * n + 2, sizeof *tree->row);
    return tree->place != NULL && tree->leaf != NULL && tree->shown != NULL && tree->row != NULL;
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

void es_tree_deinit(es_tree *tree) {
    es_tree_forget(tree);
    es_force_free(tree->force);
    es_free(tree->strength);
    es_free(tree->place);
    es_free(tree->leaf);
    es_linkage_free(tree->linkage);
    es_free(tree->shown);
    es_free(tree->row);
}

/* ---- Facts about communities ---- */

double es_tree_resolution(const es_app *app) {
    return app->set.resolution > 0 ? app->set.resolution : ES_LOUVAIN_RESOLUTION;
}

bool es_tree_possible(const es_app *app) {
    return app->results != NULL && app->results->done > 0 && !es_app_lower(app);
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
    size_t place = app->live[app->results->model[position]].place;
    return place == 0 ? SIZE_MAX : place;
}

const char *es_tree_name(const es_app *app, size_t group) {
    const es_results *r = app->results;
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

static double mean_between(const es_results *r, const es_community *a, const es_community *b) {
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < a->size; i++)
        for (size_t j = 0; j < b->size; j++) {
            double v = r->is[a->members[i] * r->m + b->members[j]];
            if (a->members[i] != b->members[j] && isfinite(v)) {
                sum += v;
                known++;
            }
        }
    return known == 0 ? (double)NAN : sum / (double)known;
}

double es_tree_mean(const es_app *app, size_t a, size_t b) {
    const es_community *list = app->tree.found->list;
    return mean_between(app->results, &list[a], &list[b]);
}

/* ---- Numbers of communities ---- */

static size_t shared(const es_community *a, const es_communities *old, size_t group) {
    size_t count = 0;
    for (size_t k = 0; k < a->size; k++)
        count += old->group[a->members[k]] == group;
    return count;
}

/* While results come in, a community keeps the number of the one before that it has most in common
 * with (Jaccard), so that numbers and colours do not dance; of the whole matrix they are by size.
 */
static void number_groups(const es_communities *found, const es_communities *old,
                          const uint32_t *old_label, uint32_t *label, uint32_t *by_label) {
    size_t groups = found->groups;
    for (size_t g = 0; g < groups; g++)
        label[g] = by_label[g] = UINT32_MAX;
    for (size_t round = 0; old != NULL && round < groups; round++) {
        double most = 0.3;
        size_t best = ES_NONE, best_old = 0;
        for (size_t g = 0; g < groups; g++)
            for (size_t o = 0; label[g] == UINT32_MAX && o < old->groups; o++) {
                if (old_label[o] >= groups || by_label[old_label[o]] != UINT32_MAX)
                    continue;
                double both = (double)shared(&found->list[g], old, o);
                double jaccard = both / ((double)(found->list[g].size + old->list[o].size) - both);
                if (jaccard > most) {
                    most = jaccard;
                    best = g;
                    best_old = o;
                }
            }
        if (best == ES_NONE)
            break;
        label[best] = old_label[best_old];
        by_label[label[best]] = (uint32_t)best;
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
}

/* Places of a community's members: its parts one after the other, the best first inside. */
static size_t give_places(es_app *app, size_t group, size_t next) {
    es_tree *tree = &app->tree;
    const es_community *c = &tree->found->list[group];
    bool parts = false;
    for (size_t k = group + 1; k < tree->found->listed; k++)
        if (tree->found->list[k].parent == group) {
            next = give_places(app, k, next);
            parts = true;
        }
    for (size_t i = 0; !parts && i < c->size; i++) {
        size_t before = 0, own = place_of(app, c->members[i]);
        for (size_t j = 0; j < c->size; j++) {
            size_t other = place_of(app, c->members[j]);
            before += other < own || (other == own && c->members[j] < c->members[i]);
        }
        tree->place[app->results->model[c->members[i]]] = next + before;
    }
    return parts ? next : next + c->size;
}

/* ---- Finding them ---- */

bool es_tree_complete(const es_app *app) {
    const es_results *r = app->results;
    return r != NULL && r->done + r->failed >= es_app_pairs(app) && !es_app_running(app);
}

/* Takes `found` over and derives what the views show. */
bool es_tree_adopt(es_app *app, es_communities *found, bool settled) {
    es_tree *tree = &app->tree;
    const es_results *r = app->results;
    size_t groups = found->groups;
    double *inside = es_alloc(found->listed + groups * groups + 1, sizeof *inside);
    uint32_t *label = es_alloc(2 * groups + 1, sizeof *label);
    if (inside == NULL || label == NULL) {
        es_free(inside);
        es_free(label);
        es_communities_free(found);
        return false;
    }
    bool same = tree->found != NULL && tree->results == r && tree->found->m == found->m;
    number_groups(found, same && !es_tree_complete(app) ? tree->found : NULL, tree->label, label,
                  label + groups);
    double *between = inside + found->listed;
    for (size_t k = 0; k < found->listed; k++)
        inside[k] = mean_between(r, &found->list[k], &found->list[k]);
    for (size_t a = 0; a < groups; a++)
        for (size_t b = 0; b < groups; b++)
            between[a * groups + b] = mean_between(r, &found->list[a], &found->list[b]);
    es_tree_forget(tree);
    tree->found = found;
    tree->inside = inside;
    tree->between = between;
    tree->label = label;
    tree->by_label = label + groups;
    tree->results = r;
    tree->revision = r->revision;
    tree->resolution = es_tree_resolution(app);
    tree->made_at = app->now;
    tree->known = r->done;
    tree->pairs = es_app_pairs(app);
    tree->settled = settled;
    for (size_t i = 0, next = 0; i < app->n; i++)
        tree->place[i] = app->position[i] == ES_NONE ? r->m + next++ : 0;
    for (size_t g = 0, next = 0; g < groups; g++)
        next = give_places(app, tree->by_label[g], next);
    return true;
}

/* ---- Orders ---- */

int es_tree_compare(const es_app *app, size_t a, size_t b) {
    size_t x = app->tree.place[a], y = app->tree.place[b];
    return (x > y) - (x < y);
}

int es_tree_compare_leaf(const es_app *app, size_t a, size_t b) {
    size_t x = app->tree.leaf[a], y = app->tree.leaf[b];
    return (x > y) - (x < y);
}
