/* State of the Tree view: communities of the embedders, as a foldable tree and as a graph.
 *
 *   tree.c        communities from results, anew when they have changed; stability in portions
 *   tree_rows.c   the lines of the tree, its cursor, folding
 *   tree_graph.c  strongest edges and places of the graph
 *   command_tree.c     what the commands do
 *
 * Nothing is computed before a view needs it, and nothing takes longer than a few milliseconds at a
 * time: es_tree_update is called after every message and goes on at the next tick. */
#ifndef ES_APP_TREE_H
#define ES_APP_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "force.h"
#include "embedscope/graph.h"
#include "linkage.h"
#include "embedscope/results.h"

struct es_app;

enum {
    ES_TREE_ALL = 0,          /* depth of the line above all communities, they are at 1 */
    ES_TREE_ITEM = 1000,      /* depth the cursor wants when it is on an embedder */
    ES_TREE_LEVELS = 8,       /* foldable levels; finer ones are always open */
    ES_TREE_SURE_PERCENT = 80 /* groups found in fewer runs get a warning */
};
#define ES_TREE_PAUSE 4.0 /* seconds between two looks at live results */
#define ES_TREE_STEP 0.05 /* of the resolution, by + and - */
#define ES_TREE_RESOLUTION_MAX 5.0

/** One line: everything (group and item ES_NONE), a community (item ES_NONE) or an embedder. */
typedef struct es_tree_row {
    size_t group; /* in found->list; of an embedder: the part it is in; ES_NONE: all */
    size_t item;
    unsigned depth;
    uint32_t rails; /* bit d: a line of depth d follows below */
} es_tree_row;

typedef struct es_tree {
    /* Communities. Members are positions in `results`. */
    es_communities *found; /* NULL: not known (yet) */
    const es_results *results;
    uint64_t revision; /* of the results they were found in */
    double resolution, made_at;
    size_t known, pairs; /* pairs that were known then, and all */
    bool settled;        /* found->list has its stability, of all runs */
    double *inside;      /* (listed) mean IS between members; NAN */
    double *between;     /* (groups, groups) mean IS from row to column, inside on the diagonal */
    uint32_t *label;     /* (groups) number shown, from 0; its colour follows it */
    uint32_t *by_label;  /* (groups) group of each number */
    size_t *place;       /* (n) item's place in the order of the tree */
    size_t *leaf;        /* (n) item's place among the leaves of the dendrogram */
    es_linkage *linkage; /* the dendrogram, of positions in leaf_results; NULL: not made yet */
    uint64_t leaf_revision;
    const es_results *leaf_results;
    double leaf_at;

    es_communities_search *search; /* for the stability; NULL: none is on */
    unsigned runs_left;

    /* Lines. */
    es_tree_row *row; /* (rows) */
    size_t rows, top;
    unsigned depth; /* of the cursor's line; it holds app->cursor */
    bool *shown;    /* (n) */

    /* The community under the cursor. */
    size_t facts_of; /* in found->list; ES_NONE: everything */
    bool have_facts;
    es_community_facts facts; /* positions in results */

    /* The graph. Nodes are positions in results. */
    es_force *force;  /* NULL: not made yet */
    double *strength; /* (m, m) */
    size_t graph_m, graph_pairs, edges;
    double edge_least; /* strength of the weakest edge drawn */
    uint64_t graph_revision;
    const es_results *graph_results;
} es_tree;

bool es_tree_init(es_tree *tree, size_t n);
void es_tree_deinit(es_tree *tree);

/** After every message. `heavy`: more than a key may cost is allowed (a tick). */
void es_tree_update(struct es_app *app, bool heavy);
/** When the next tick is wanted; INFINITY: never. */
double es_tree_deadline(const struct es_app *app);
double es_tree_resolution(const struct es_app *app); /* the one in force */
/** Are there communities for what is known? Else NULL in tree->found, and the reason may be that
 * the estimator's numbers are distances. */
bool es_tree_possible(const struct es_app *app);
/** Order of items in the heatmap: by community, by cluster. */
int es_tree_compare(const struct es_app *app, size_t a, size_t b);
int es_tree_compare_leaf(const struct es_app *app, size_t a, size_t b);
/** Community of an item, as an index of found->list at level 0; ES_NONE. */
size_t es_tree_group(const struct es_app *app, size_t item);
/** "C2", "C2.1"; a few bytes. */
void es_tree_label(const struct es_app *app, size_t group, char *out, size_t capacity);
/** What the members have in common: their family, else the best one's name. Borrowed. */
const char *es_tree_name(const struct es_app *app, size_t group);
/** Mean IS from members of `a` to members of `b`, without self; NAN where nothing is known. */
double es_tree_mean(const struct es_app *app, size_t a, size_t b);
size_t es_tree_top(const struct es_app *app, size_t group); /* the community of level 0 it is in */
/** Number of the community's colour, 0 to 7. */
unsigned es_tree_colour(const struct es_app *app, size_t group);

/* tree_rows.c */
void es_tree_lines(struct es_app *app);          /* lines, cursor, scroll anew */
size_t es_tree_at(const struct es_app *app);     /* line of the cursor; ES_NONE without lines */
void es_tree_to(struct es_app *app, size_t row); /* cursor to a line */
bool es_tree_holds(const struct es_app *app, size_t group, size_t item); /* ES_NONE: everything */
bool es_tree_folded(const struct es_app *app, size_t group);
void es_tree_fold(struct es_app *app, size_t group, bool folded);
void es_tree_reveal(struct es_app *app); /* opens what hides the cursor's embedder */

/* command_tree.c */
/** h and l: close and open in the tree, to the neighbour in the graph. */
void es_tree_sideways(struct es_app *app, bool right, size_t by);

/* tree_graph.c */
/** Keeps the graph up with the communities, and moves its nodes on. */
void es_tree_graph_update(struct es_app *app, bool heavy);
bool es_tree_graph_busy(const struct es_app *app); /* there is more to do */
/** Nearest node in a direction (dx, dy in -1, 0, 1; y down); the cursor's own when there is none.
 */
size_t es_tree_neighbour(const struct es_app *app, int dx, int dy);

#endif
