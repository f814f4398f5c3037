/* What each view has worked out of the results and holds between frames. */
#ifndef ES_APP_VIEW_STATE_H
#define ES_APP_VIEW_STATE_H

#include "engine_results.h"
#include "core_ranking.h"
#include "view_settings.h"

/* ---- The live ranking ---- */

typedef struct es_live_rank {
    double score;       /* the one ranked by; NAN when it is not ranked yet */
    double low, high;   /* 95 % interval, NAN when not known */
    double published;   /* median over the other targets by the best complete estimator; NAN */
    double simulated;   /* by the same, median of the item as a target; NAN when none is known */
    double entropy;     /* H(V), nats per dimension; NAN when not known */
    double information; /* lead in the information matrix; NAN when not known */
    double width;       /* shared dimensions; NAN when not known */
    size_t kind;        /* numbered from 1; 0: not ranked */
    size_t pairs, of, failed;
    size_t place;               /* 1 = best; 0 = not ranked */
    size_t baseline;            /* place when the run began; 0 = none */
    size_t rank_low, rank_high; /* 95 % interval of the place; 0 = not known */
    bool best; /* a candidate for the best (es_decision); false while that is not known */
} es_live_rank;

/** How an embedder stands to the one under the cursor. */
typedef enum es_apart {
    ES_APART_UNKNOWN,
    ES_APART_SELF,
    ES_APART_NOT,  /* no difference is shown */
    ES_APART_SHOWN /* one of them is shown ahead of the other */
} es_apart;

/** What is ranked: one estimator's results, whatever the heatmap shows. */
typedef struct es_app_ranked {
    const es_results *results; /* NULL: nothing is known; `originals`, or the source's */
    const es_results *of;      /* the source's */
    es_results *originals;     /* without derived embedders; NULL: there are none, or they rank */
    size_t *place;             /* (n) of an item in `results`; ES_NONE: it is not ranked */
    uint32_t *order;           /* (n) positions by name */
    bool derived;              /* derived embedders vote and rank */
    size_t entry;              /* of the plan; ES_NONE */
    uint64_t revision;
    bool lower;      /* the lowest is the best, as of what was ranked last */
    bool by_wish;    /* the published score was asked for */
    bool published;  /* by the published score, else by the lead */
    double *width;   /* (m) shared dimensions of the decision's embedders; NULL: not known. Owned */
    double *is;      /* (m, m) what may be compared, where not all is known; owned */
    size_t compared; /* embedders that are */
    struct es_ranking *live;   /* of what is known; NULL: nothing, or not since then. Owned */
    double *live_is;           /* (m, m) what that is made of, while a run goes on; else NULL */
    struct es_ranking *spare;  /* `live` of before, by the same rule, to be renewed; NULL: none */
    size_t placed;             /* embedders that have a place in it */
    struct es_ranking *beside; /* the published score of the results `beside_of`. Owned */
    const es_results *beside_of;
    uint64_t beside_revision;
    struct es_bottom_line *line;      /* the newest; NULL: none yet. Owned */
    bool so_far;                      /* it was said while a run went on */
    struct es_downstream *downstream; /* of the same decision; NULL: no scores. Owned */
} es_app_ranked;

/** What the ranking comes to, above the views that list embedders. */
typedef struct es_headline {
    char *text;  /* whole statements, as many as there is room for; NULL: nothing to say. Owned */
    size_t lead; /* bytes of the first */
    int lines;
} es_headline;

/** What the ranking decides, which workers compute. */
typedef struct es_ranking_intervals {
    const es_decision *known;    /* newest that fits what is shown; NULL: none yet */
    uint64_t tag, shown;         /* of the last request, and of the intervals */
    uint64_t width_asked, width; /* tags of decisions whose widths were asked for, and came */
    bool asking;                 /* a request is under way */
    double asked_at, changed_at; /* seconds; changed: results */
    uint64_t revision;           /* of the results asked about */
    size_t asked_done;           /* pairs known or failed then */
    bool asked_complete;         /* and these were all of them */
    size_t entry;                /* of the plan, that was asked about */
    bool published, derived;     /* and by which score, with derived embedders or without */
} es_ranking_intervals;

/* ---- The matrix ---- */

typedef struct es_limits {
    double low, high; /* ends of the colour map */
    double least, most, median;
    size_t known; /* cells they were taken from; 0: no limits yet */
    bool robust;  /* 5th to 95th percentile, else least to most */
} es_limits;

/** The pair with the most or the least; ES_NONE: nothing is known. */
typedef struct es_extreme {
    size_t source, target; /* items */
    double value;
} es_extreme;

/** Sums of the known values of an item's pairs, and how many they are. */
typedef struct es_summary_item {
    double as_source, as_target;
    size_t targets, sources;
} es_summary_item;

/** What a summary was made from. */
typedef struct es_summary_key {
    bool made;
    const es_results *results;
    uint64_t revision, items;
    size_t entry, matrix, count;
    es_heat_metric metric;
    double fitted_at;
} es_summary_key;

/** Over the embedders that the matrix shows. */
typedef struct es_summary {
    es_extreme most, least;
    es_extreme skew;       /* the larger direction of the pair with most asymmetry */
    es_summary_item *item; /* (n) only of those shown */
    es_summary_key key;
} es_summary;

typedef struct es_screen_sizes {
    int label_w;        /* columns of row labels, with cursor, mark and dendrogram */
    int tree_w;         /* of the dendrogram; 0: none */
    int bar_w;          /* between labels and cells: room for the communities' bar */
    int head_h;         /* lines of column labels, the last for marks and the cursor */
    int cell_w, cell_h; /* of one matrix cell; cell_h 1 in half mode */
    bool half;          /* two matrix rows in one text row */
    size_t pool;        /* > 1: overview, each drawn cell is the mean of pool x pool */
    bool digits;
    size_t rows, columns; /* drawn cells that fit */
    size_t total;         /* drawn cells a side: ceil(count / pool) */
} es_screen_sizes;

/* ---- Compare ---- */

/** Which rows are listed. */
typedef enum es_compare_way {
    ES_COMPARE_BOTH,
    ES_COMPARE_FIRST, /* that the first of the pair captures and the second does not */
    ES_COMPARE_SECOND,
    ES_COMPARE_WAYS
} es_compare_way;

/** What is known about those in es_settings.compare; made anew by es_compare_refresh. */
typedef struct es_compare_state {
    es_comparison *known;   /* NULL: nothing chosen, or a chosen one is not in the results */
    es_compared_rows *rows; /* of `pair`; NULL: no values per row */
    size_t *line;           /* (lines) places in known->targets, as listed */
    size_t lines, others;   /* targets listed; all that are not compared themselves */
    size_t passed;          /* that are known and the filter passes; */
    size_t judged, clear;   /* of these: with an error; beyond the interval */
    uint32_t *row;          /* (row_lines) value numbers, as listed */
    size_t row_lines;
    uint64_t seen, rows_seen; /* what `known` and `rows` were made from */

    size_t target;     /* item under the cursor of the targets; ES_NONE */
    size_t aimed;      /* item that the user has put it on: it comes back to it when that does */
    size_t side;       /* which a assigns and w moves; count: a third to add */
    size_t pair;       /* of known->pair, for rows and heatmap */
    size_t task, at;   /* cursors of downstream and of rows */
    size_t row_target; /* item the rows are for; ES_NONE: mean over all */
    es_compare_way way;
    es_view_id from; /* where c was pressed */
    bool away;       /* drilled into the heatmap; Esc comes back */
} es_compare_state;

/* ---- Tree ---- */

enum {
    ES_TREE_ALL = 0,            /* depth of the line above all communities, they are at 1 */
    ES_TREE_ITEM = 1000,        /* depth the cursor wants when it is on an embedder */
    ES_TREE_LEVELS = 8,         /* foldable levels; finer ones are always open */
    ES_TREE_STABLE_PERCENT = 80 /* groups found in fewer runs get a warning */
};
#define ES_TREE_PAUSE 4.0 /* seconds between two looks at live results */
#define ES_TREE_SOON 0.5  /* the same where twice as many are known by now, or all */
#define ES_TREE_STEP 0.05 /* of the resolution, by + and - */
#define ES_TREE_RESOLUTION_MAX 5.0

/** One line: everything (group and item ES_NONE), a community (item ES_NONE) or an embedder. */
typedef struct es_tree_row {
    size_t group; /* in found->list; of an embedder: the part it is in; ES_NONE: all */
    size_t item;
    unsigned depth;
    uint32_t rails; /* bit d: a line of depth d follows below */
} es_tree_row;

/** What workers were asked for. */
typedef struct es_tree_request {
    uint64_t tag;
    bool waiting, settle; /* settle: with how stable communities are */
    const es_results *results;
    uint64_t revision;
    double resolution;
    size_t known;
} es_tree_request;

enum { ES_TREE_CLOSEST = 4 };

/** A community near another one, with the means from it and to it; NAN. */
typedef struct es_tree_near {
    size_t group; /* in found->list */
    double to, from;
} es_tree_near;

typedef struct es_tree {
    /* Communities. Members are positions in `results`. */
    es_communities *found; /* NULL: not known (yet) */
    const es_results *results;
    uint64_t revision; /* of the results they were found in */
    double resolution, made_at;
    size_t known, pairs; /* pairs that were known then, and all */
    bool settled;        /* found->list has its stability, of all runs */
    bool watched;        /* Tree shows them: a frozen order keeps its lines */
    double *inside;      /* (listed) mean IS between members; NAN */
    double *between;     /* (groups, groups) mean IS from row to column, inside on the diagonal */
    uint32_t *label;     /* (groups) number shown, from 0; its colour follows it */
    uint32_t *by_label;  /* (groups) group of each number */
    size_t *place;       /* (n) item's place in the order of the tree */
    size_t *part;        /* (n) the smallest listed community that an item is in; ES_NONE */
    size_t *leaf;        /* (n) item's place among the leaves of the dendrogram */
    es_linkage *linkage; /* the dendrogram, of positions in leaf_results; NULL: not made yet */
    uint64_t leaf_revision;
    const es_results *leaf_results;
    double leaf_at;

    es_communities_search *search; /* for the stability; NULL: none is on */
    unsigned runs_left;
    es_tree_request asked, leaf_asked, graph_asked; /* of large pools */

    /* Lines. */
    es_tree_row *row; /* (rows) */
    size_t rows, top;
    unsigned depth; /* of the cursor's line; it holds app->cursor */
    bool *shown;    /* (n) */

    /* The community under the cursor. */
    size_t facts_of; /* in found->list; ES_NONE: everything */
    bool have_facts;
    es_community_facts facts; /* positions in results */
    es_tree_near closest[ES_TREE_CLOSEST];
    size_t closests;

    /* The graph. Nodes are positions in results. */
    es_force *force; /* NULL: not made yet */
    uint64_t graph_revision;
    const es_results *graph_results;
} es_tree;

#endif
