/* A rectangle of screen cells, shared by the layout (app) and the grid (tui). */
#ifndef ES_APP_RECT_H
#define ES_APP_RECT_H

typedef struct es_rect {
    int x, y, w, h;
} es_rect;

#endif
