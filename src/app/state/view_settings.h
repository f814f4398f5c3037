/* Settings of the views: everything that u and ^r take back and a session keeps. What is said of
 * each stands in view_settings.def. */
#ifndef ES_APP_VIEW_SETTINGS_H
#define ES_APP_VIEW_SETTINGS_H

#include "embedscope/compare.h"
#include "core_structure.h"
#include "app_bindings.h"

enum {
    ES_APP_LINE = 512,   /* bytes of a prompt's line */
    ES_APP_UNDO = 200,   /* view changes that can be taken back */
    ES_APP_HISTORY = 50, /* lines each prompt remembers */
    ES_APP_PACE = 64,    /* samples of the run's pace that Jobs shows */
    ES_APP_SCORES = 24   /* columns of scores.csv that the ranking can show */
};
enum { ES_CORR_ZOOM = 8 }; /* steps closer, each by 1.5 */
#define ES_NONE SIZE_MAX

typedef enum es_pool_column {
    ES_POOL_NAME,
    ES_POOL_DIM,
    ES_POOL_DTYPE,
    ES_POOL_ROWS,
    ES_POOL_NORM,
    ES_POOL_SIZE,
    ES_POOL_DIGEST,
    ES_POOL_FAMILY,
    ES_POOL_KIND,
    ES_POOL_STATE,
    ES_POOL_COLUMNS
} es_pool_column;

typedef enum es_rank_column {
    ES_RANK_PLACE,
    ES_RANK_APART, /* from the one under the cursor */
    ES_RANK_NAME,
    ES_RANK_DIM,
    ES_RANK_SCORE,
    ES_RANK_INTERVAL,
    ES_RANK_RANKS,
    ES_RANK_STRIP,
    ES_RANK_INFORMATION,
    ES_RANK_WIDTH, /* shared dimensions */
    ES_RANK_KIND,
    ES_RANK_PUBLISHED,
    ES_RANK_SIMULATED,
    ES_RANK_DELTA,
    ES_RANK_COMMUNITY,
    ES_RANK_PAIRS,
    ES_RANK_ENTROPY, /* per dimension */
    ES_RANK_NATS,    /* of all dimensions */
    ES_RANK_SCORES   /* columns of scores.csv from here */
} es_rank_column;
enum { ES_APP_COLUMNS = ES_RANK_SCORES + ES_APP_SCORES }; /* the most of a table */

typedef es_order_kind es_order;
#define ES_ORDER_COUNT ((es_order)((int)ES_ORDER_CLUSTER + 1))

typedef enum es_heat_metric {
    ES_METRIC_IS,
    ES_METRIC_NATS, /* IS of all dimensions together */
    ES_METRIC_SE,
    ES_METRIC_ASYMMETRY,
    ES_METRIC_REFINED, /* the plan's last estimator less its first */
    ES_METRIC_SECONDS,
    ES_METRIC_H_COND,
    ES_METRIC_MEASURE, /* the pairwise measure of set.matrix */
    ES_METRIC_COUNT
} es_heat_metric;

/** How large a cell of the matrix is drawn. AUTO takes the largest that fits, else HALF and
 * scrolls. */
typedef enum es_zoom {
    ES_ZOOM_OVERVIEW,
    ES_ZOOM_HALF,
    ES_ZOOM_SQUARE,
    ES_ZOOM_LARGE,
    ES_ZOOM_AUTO
} es_zoom;

/** Which points of Corr are named; L goes through them. */
typedef enum es_corr_labels {
    ES_LABELS_EXTREMES,
    ES_LABELS_ALL,
    ES_LABELS_CURSOR,
    ES_LABELS_OFF,
    ES_LABELS_COUNT
} es_corr_labels;

/** What is drawn around Corr's line; B goes through them. */
typedef enum es_corr_bands {
    ES_BAND_LINE, /* 95 % of the fitted line, if residuals are normal */
    ES_BAND_OFF,
    ES_BANDS
} es_corr_bands;

typedef struct es_table_settings {
    uint8_t column; /* under the cursor */
    uint8_t sort;
    bool descending;
    bool hidden[ES_APP_COLUMNS];
    int8_t width[ES_APP_COLUMNS]; /* added to the natural width */
} es_table_settings;

/** How the targets of Compare are sorted. */
typedef enum es_compare_order {
    ES_COMPARE_BY_SIZE,       /* largest |difference| first */
    ES_COMPARE_BY_DIFFERENCE, /* from the first's lead to the second's */
    ES_COMPARE_BY_NAME,
    ES_COMPARE_ORDERS
} es_compare_order;

typedef struct es_compare_settings {
    size_t item[ES_COMPARE_MOST];
    size_t count; /* of item: 0, 2 or 3 */
    es_compare_order order;
    bool clear_only; /* only targets that differ beyond the interval */
} es_compare_settings;

typedef struct es_settings {
    es_table_settings table[ES_TABLE_COUNT];
    es_compare_settings compare;
    es_order order;
    es_heat_metric metric;
    es_zoom zoom;
    uint8_t colours; /* of the matrix: an es_colormap_name, 0 is the theme's */
    bool transposed, digits, full_range;
    int label_width;                /* added to the natural width of the matrix's labels */
    int edits;                      /* embedders derived and removed, as far as it is not undone */
    double resolution;              /* of the communities; 0: the recommended one */
    bool published;                 /* ranked by the published score, else by the predictive one */
    bool with_derived;              /* derived embedders vote and rank, too */
    bool graph;                     /* Tree: the graph instead of the tree */
    bool same_rows;                 /* the user said that folders of the pool hold the same rows */
    bool corr_sorted;               /* Corr: tasks by coefficient */
    size_t matrix;                  /* Heatmap: which pairwise measure ES_METRIC_MEASURE shows */
    size_t axis;                    /* Corr: the score; 0: IS, else a measure's number + 1 */
    uint8_t corr_kind, corr_labels; /* es_corr_kind; es_corr_labels */
    uint8_t corr_zoom;              /* 0: all points; each step shows less around the cursor */
    uint8_t corr_band;              /* es_corr_bands */
    char sweep[ES_APP_LINE];        /* "knife modes=1,2,4": beside.h; "": nothing */
    char filter[ES_APP_LINE];
} es_settings;

void es_settings_init(es_settings *set); /* the defaults */

/** Names of choices, by their numbers; NULL behind the last. */
typedef const char *const es_choice_names[];
extern es_choice_names es_matrix_order_names, es_score_names, es_zoom_names, es_compare_order_names,
    es_corr_kind_names, es_corr_label_names, es_corr_band_names, es_log_level_names, es_yes_no;
size_t es_choice_find(const char *const *names, const char *name); /* ES_NONE: none */

/** A member that is a flag, a small number or a choice, where it lies in the struct at `base`. */
#define ES_SETTING_AT(what) offsetof(es_settings, what), sizeof(((es_settings *)0)->what)
long es_settings_load(const void *base, size_t offset, size_t size);
void es_settings_store(void *base, size_t offset, size_t size, long number);

#endif
