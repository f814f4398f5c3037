/* Pictures of results for papers, as svg, pdf or png: one drawing code for the three (Cairo).
 *
 *   figure.h      what callers need: one struct of plain numbers a figure, one function to draw it
 *   canvas.h      what figures stand on: the page, text, colours, axes, places of names
 *   forest.c      a ranking with its intervals
 *   heatmap.c     a matrix with dendrograms, community bar and colour bar
 *   scatter.c     a score against one downstream task
 *   network.c     communities as a graph (the paper's Figure 5a), or as a tree
 *   curve.c       lines with bands over the number of targets, or over steps; two or three
 * embedders over all targets strands.c     lines over named columns: a bump chart of ranks, a sweep
 * of settings panels.c      small multiples: scatters on a grid hulls.c       many points on one or
 * two planes, and hulls around points
 *
 * Texts and arrays are borrowed for the call. Texts must be clean UTF-8; NULL is left out. NaN is
 * missing and drawn as such, never as 0. Lengths are points (1/72 inch). The same input gives the
 * same bytes on the same machine: no dates, no random numbers. */
#ifndef ES_FIGURE_FIGURE_H
#define ES_FIGURE_FIGURE_H

#include "core_structure.h"

typedef enum es_picture { ES_PICTURE_SVG, ES_PICTURE_PDF, ES_PICTURE_PNG } es_picture;

/* Widths of one and of two columns of a journal's page. */
#define ES_FIGURE_SINGLE (3.35 * 72)
#define ES_FIGURE_DOUBLE (7.0 * 72)
/* Narrower leaves no room for names, wider is no page. */
#define ES_FIGURE_NARROWEST (2.0 * 72)
#define ES_FIGURE_WIDEST (40.0 * 72)

typedef struct es_figure_style {
    double width;                      /* 0: what suits the figure, one column or two */
    bool dark;                         /* light on dark, for slides */
    const es_picture_colours *colours; /* in place of the light or dark ones; NULL: those */
    const char *title;                 /* NULL: none, as papers have captions */
    const char *note;                  /* small print below; NULL: none */
    char name[160]; /* of a pdf without a title, in its metadata alone; "": none */
} es_figure_style;

/* ---- ranking ---- */

typedef struct es_forest_row {
    const char *name;
    size_t rank, dim;        /* 0: none */
    double value, low, high; /* NaN: not known */
    unsigned group;          /* community from 1; 0: none */
    bool best;               /* may be the best: on a shaded band */
} es_forest_row;

typedef struct es_forest {
    const es_forest_row *row; /* (count) from top to bottom */
    size_t count;
    const char *heading;        /* of the names; NULL: "embedder" */
    const char *axis;           /* what the values are */
    const char *band;           /* what the shaded band means; NULL: there is none */
    double null_low, null_high; /* what no information gives; NaN: not known */
} es_forest;

es_status es_figure_forest(const es_forest *forest, const es_figure_style *style, es_picture format,
                           es_buf *out, es_error *err);

/* ---- matrix ---- */

typedef enum es_heat_map {
    ES_HEAT_SEQUENTIAL, /* more is further from the paper */
    ES_HEAT_DIVERGING   /* symmetric about 0 */
} es_heat_map;

typedef struct es_heatmap {
    size_t rows, columns;
    const double *value; /* (rows, columns) row-major */
    const char *const *row_name, *const *column_name;
    const unsigned *row_group, *column_group; /* communities from 1, 0: in none; NULL: none */
    const char *group_title;                  /* what they are; NULL: "communities" */
    const es_linkage *row_tree, *column_tree; /* over the names as they stand: order[i] is row i's
                                                 leaf. NULL: none */
    const char *row_title, *column_title;     /* the direction in words */
    const char *value_title;
    es_heat_map map;
    const es_gradient *gradient; /* of a sequential map; NULL: what suits the paper, or the dark */
    double low, high;            /* ends of the colours; NaN: from the values */
    bool diagonal_apart;         /* square: the diagonal has no say in the ends */
    int decimals;                /* of numbers in cells, where they fit */
} es_heatmap;

es_status es_figure_heatmap(const es_heatmap *heatmap, const es_figure_style *style,
                            es_picture format, es_buf *out, es_error *err);

/** Several of them as small multiples, each with its colours and its key. */
es_status es_figure_heatmaps(const es_heatmap *heatmap, size_t panels, const es_figure_style *style,
                             es_picture format, es_buf *out, es_error *err);

/* ---- score against a task ---- */

typedef struct es_scatter {
    size_t n;
    const double *x, *y; /* (n) NaN: left out */
    const char *const *name;
    const unsigned *group; /* (n) communities from 1; NULL: none */
    const char *x_title, *y_title;
    double slope, intercept; /* NaN: no line */
    const char *const *fact; /* (facts) lines beside the points: the coefficients */
    size_t facts;
    bool upside_down; /* y is a rank: 1 on top */
    bool log_x;       /* x are logarithms to base 2: numbers below show what they are of */
} es_scatter;

/** The band is that of the fitted mean, 95 %, from the residuals of the points drawn. */
es_status es_figure_scatter(const es_scatter *scatter, const es_figure_style *style,
                            es_picture format, es_buf *out, es_error *err);

/** Small multiples of the same n points with the same y: x_title above each, with its first fact.
 *  Names stand below. */
es_status es_figure_panels(const es_scatter *scatter, size_t panels, const es_figure_style *style,
                           es_picture format, es_buf *out, es_error *err);

/* ---- communities ---- */

typedef struct es_network {
    size_t m;
    const double *x, *y; /* (m) places, any scale */
    const char *const *name;
    const unsigned *group;  /* (m) communities from 1; 0: in none, without a hull */
    const double *out, *in; /* (m) how well each simulates, how well it is simulated */
    const double *strength; /* (m, m) of the lines, 0 to 1; NaN: none */
    double shown_from;      /* lines weaker than this are not drawn */
    const char *out_title, *in_title;
} es_network;

/** Fill is `out`, ring is `in`, hulls are the communities: several where others stand between. */
es_status es_figure_network(const es_network *network, const es_figure_style *style,
                            es_picture format, es_buf *out, es_error *err);

typedef struct es_dendrogram {
    const es_linkage *tree;
    const char *const *name; /* (m) of the leaves by their number */
    const unsigned *group;   /* (m) communities from 1; NULL: none */
    const char *axis;
} es_dendrogram;

es_status es_figure_dendrogram(const es_dendrogram *dendrogram, const es_figure_style *style,
                               es_picture format, es_buf *out, es_error *err);

/* ---- lines over the number of embedders, or steps ---- */

typedef struct es_curve_line {
    const char *title;
    const double *y, *low, *high; /* (points) NaN: not known */
} es_curve_line;

typedef struct es_curve {
    size_t points;
    const double *x; /* (points) ascending */
    const es_curve_line *line;
    size_t lines;       /* at most ES_CURVE_LINES */
    bool dots, bridged; /* points are marked; lines go on over points that are not known */
    bool upside_down;   /* y is a rank: 1 on top */
    const char *x_title, *y_title;
    double mark_x; /* a vertical line with its text; NaN: none */
    const char *mark;
} es_curve;
enum { ES_CURVE_LINES = 8 };

/** One below the other, over the same x: `curves` of them, whose lines are the same things. */
es_status es_figure_curves(const es_curve *curve, size_t curves, const es_figure_style *style,
                           es_picture format, es_buf *out, es_error *err);

/* ---- lines over named columns ---- */

typedef struct es_strands {
    size_t rows, columns;
    const double *value;      /* (rows, columns) row-major; NaN: not known */
    const double *low, *high; /* as value, intervals; NULL: there are none */
    const char *const *row_name, *const *column_name;
    const unsigned *group; /* (rows) colours from 1; NULL: each row its own */
    const char *y_title;
    bool ranks; /* values are ranks: 1 on top, names at both ends */
} es_strands;

/** Panels one below the other, over the same columns. */
es_status es_figure_strands(const es_strands *strands, size_t panels, const es_figure_style *style,
                            es_picture format, es_buf *out, es_error *err);

/* ---- side by side ---- */

enum { ES_DUMBBELL_MOST = 3 };

typedef struct es_dumbbell_row {
    const char *name;
    double value[ES_DUMBBELL_MOST];
    bool clear; /* the difference is beyond its interval */
} es_dumbbell_row;

typedef struct es_dumbbell {
    size_t count; /* embedders, 2 or 3 */
    const char *name[ES_DUMBBELL_MOST];
    const es_dumbbell_row *row; /* (rows) from top to bottom */
    size_t rows;
    const char *axis;
} es_dumbbell;

es_status es_figure_dumbbell(const es_dumbbell *dumbbell, const es_figure_style *style,
                             es_picture format, es_buf *out, es_error *err);

/* ---- maps of rows ---- */

typedef struct es_cloud_panel {
    const char *title, *x_title, *y_title;
    const double *x, *y; /* (n) */
} es_cloud_panel;

typedef struct es_cloud {
    size_t n, panels;            /* 1 or 2 */
    const es_cloud_panel *panel; /* (panels) the same points */
    const uint32_t *group;       /* (n) from 0; beyond the last: none */
    size_t groups;
    const char *const *group_name; /* (groups) */
    uint32_t background;           /* a group that stays behind; UINT32_MAX: none does */
} es_cloud;

/** One scale in both directions of a panel. */
es_status es_figure_cloud(const es_cloud *cloud, const es_figure_style *style, es_picture format,
                          es_buf *out, es_error *err);

#endif
