/* Rectangles of panes for any screen size. */
#ifndef ES_APP_LAYOUT_H
#define ES_APP_LAYOUT_H

#include "app_bindings.h"

typedef enum es_pane {
    ES_PANE_MAIN,
    ES_PANE_SIDE,    /* Pool: checks and plan; Heatmap: cell; Tree: community; Jobs: detail */
    ES_PANE_EXTRA,   /* Heatmap: extremes or scale; Tree: between communities */
    ES_PANE_THREADS, /* Heatmap: threads at work */
    ES_PANE_RUN,     /* Jobs */
    ES_PANE_LOG,     /* Jobs */
    ES_PANE_COUNT,
    /* Compare's names for them */
    ES_PANE_TARGETS = ES_PANE_MAIN,
    ES_PANE_TASKS = ES_PANE_SIDE,
    ES_PANE_ROWS = ES_PANE_EXTRA,
    ES_PANE_WHO = ES_PANE_THREADS,
    ES_PANE_CARDS = ES_PANE_RUN,
    /* The overview's tiles, in the order in which Tab walks them */
    ES_TILE_FIRST = ES_PANE_MAIN,
    ES_TILE_MATRIX = ES_PANE_SIDE,
    ES_TILE_FAMILIES = ES_PANE_EXTRA,
    ES_TILE_DOWNSTREAM = ES_PANE_THREADS,
    ES_TILE_RUN = ES_PANE_RUN,
    ES_TILE_ANSWER = ES_PANE_LOG
} es_pane;

typedef enum es_layout_class {
    ES_LAYOUT_TINY,
    ES_LAYOUT_SMALL,
    ES_LAYOUT_NARROW,
    ES_LAYOUT_NORMAL,
    ES_LAYOUT_WIDE
} es_layout_class;

typedef struct es_layout {
    es_layout_class size;
    es_rect header, answer, body, run, footer; /* answer.h 0: not shown */
    es_rect pane[ES_PANE_COUNT];               /* w == 0: not shown */
} es_layout;

/** answer: lines above the panes for what the ranking comes to; as many as es_layout_answer allows
 *  are taken. */
es_layout es_layout_make(es_view_id view, es_pane focus, int w, int h, int answer);
/** The most of them that a screen has room for, and their columns. */
int es_layout_answer(es_view_id view, int w, int h);
int es_layout_answer_width(es_view_id view, int w);
es_rect es_layout_inside(es_rect pane);
bool es_pane_focusable(es_view_id view, es_pane pane);

#endif
