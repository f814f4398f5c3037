/* A score with its interval, drawn on the axis that all strips of the ranking share. */
#include "tui_panes.h"

#include <math.h>

bool es_strip_axis(const es_app *app, double *low, double *high) {
    const es_list *list = &app->list[ES_LIST_RANK];
    *low = (double)INFINITY;
    *high = -(double)INFINITY;
    for (size_t i = 0; i < list->count; i++) {
        const es_live_rank *s = &app->live[list->item[i]];
        if (isnan(s->score))
            continue;
        *low = fmin(*low, isnan(s->low) ? s->score : s->low);
        *high = fmax(*high, isnan(s->high) ? s->score : s->high);
    }
    return *high >= *low;
}

int es_strip_place(double value, double low, double high, int w) {
    double at = high > low ? (value - low) / (high - low) * (w - 1) : 0;
    return at <= 0 ? 0 : at >= w - 1 ? w - 1 : (int)lround(at);
}

void es_draw_strip(const es_app *app, es_grid *grid, es_rect at, size_t item, es_role role) {
    const es_live_rank *s = &app->live[item];
    double low, high;
    bool plain = role != ES_ROLE_TEXT;
    int w = at.w - 2;
    es_grid_fill(grid, at, role, ' ');
    es_grid_text(grid, at.x, at.y, plain ? role : ES_ROLE_AXIS, "▏");
    es_grid_text(grid, at.x + at.w - 1, at.y, plain ? role : ES_ROLE_AXIS, grid->ascii ? "|" : "▕");
    if (grid->ascii)
        es_grid_text(grid, at.x, at.y, plain ? role : ES_ROLE_AXIS, "|");
    if (w < 3 || isnan(s->score) || !es_strip_axis(app, &low, &high))
        return;
    if (!isnan(s->low)) {
        int from = es_strip_place(s->low, low, high, w), to = es_strip_place(s->high, low, high, w);
        es_grid_fill(grid, (es_rect){at.x + 1 + from, at.y, to - from + 1, 1},
                     plain ? role : ES_ROLE_INTERVAL, 0x2500);
    }
    es_grid_text(grid, at.x + 1 + es_strip_place(s->score, low, high, w), at.y,
                 plain ? role : ES_ROLE_POINT, "●");
}
