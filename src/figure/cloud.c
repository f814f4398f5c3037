/* Many points on one or two planes side by side: the same points, in the same groups. */
#include <math.h>

#include "canvas.h"

#define GAP 14.0
#define HEAD 12.0
#define LINE 10.0
#define AIR 0.04

/* A square that holds all points at one scale in both directions, so that distances can be seen. */
typedef struct square {
    double x, y, side, low_x, low_y, scale;
} square;

static void range_of(const double *v, size_t n, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < n; i++)
        es_widen(v[i], low, high);
}

static square square_of(const es_cloud *cloud, const es_cloud_panel *p, double x, double y,
                        double side) {
    double low[2], high[2];
    range_of(p->x, cloud->n, &low[0], &high[0]);
    range_of(p->y, cloud->n, &low[1], &high[1]);
    double width = fmax(high[0] - low[0], high[1] - low[1]) * (1 + 2 * AIR);
    square s = {x, y, side, 0, 0, 1};
    if (!(width > 0))
        width = 1;
    s.scale = side / width;
    s.low_x = (low[0] + high[0] - width) / 2;
    s.low_y = (low[1] + high[1] - width) / 2;
    return s;
}

static es_rgb colour(const es_canvas *c, const es_cloud *cloud, uint32_t group) {
    return group >= cloud->groups || group == cloud->background ? c->ink.faint
                                                                : es_group_colour(c, group + 1);
}

/* Those of no group first, so that they cover nothing. */
static void put_points(const es_canvas *c, const es_cloud *cloud, const es_cloud_panel *p,
                       const square *s) {
    double radius = cloud->n > 1000 ? 0.7 : cloud->n > 300 ? 1.0 : 1.5;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < cloud->n; i++) {
            uint32_t g = cloud->group[i];
            bool behind = g >= cloud->groups || g == cloud->background;
            if (behind != (pass == 0) || !isfinite(p->x[i]) || !isfinite(p->y[i]))
                continue;
            es_ink_set_alpha(c, colour(c, cloud, g), behind ? 0.45 : 0.8);
            es_put_group_mark(c, behind ? 0 : g + 1, s->x + (p->x[i] - s->low_x) * s->scale,
                              s->y + s->side - (p->y[i] - s->low_y) * s->scale, radius);
        }
}

static void put_panel(const es_canvas *c, const es_cloud *cloud, const es_cloud_panel *p, double x,
                      double side) {
    char fitted[ES_TEXT_FIT];
    square s = square_of(cloud, p, x, HEAD, side);
    es_ink_set(c, c->ink.text);
    es_put_text(c, x, HEAD / 2 - 1, ES_FONT_NORMAL, ES_ALIGN_LEFT,
                es_name_fit(c, ES_FONT_NORMAL, p->title, side, fitted));
    put_points(c, cloud, p, &s);
    es_ink_set(c, c->ink.grid);
    es_put_line(c, x, HEAD, x + side, HEAD, ES_LINE_THIN);
    es_put_line(c, x, HEAD + side, x + side, HEAD + side, ES_LINE_THIN);
    es_put_line(c, x, HEAD, x, HEAD + side, ES_LINE_THIN);
    es_put_line(c, x + side, HEAD, x + side, HEAD + side, ES_LINE_THIN);
    es_ink_set(c, c->ink.faint);
    es_put_text(c, x + side / 2, HEAD + side + 6, ES_FONT_SMALL, ES_ALIGN_CENTRE, p->x_title);
    es_put_turned(c, x - 5, HEAD + side / 2, ES_FONT_SMALL, ES_ALIGN_CENTRE, p->y_title);
}

static void put_groups(const es_canvas *c, const es_cloud *cloud, double y) {
    char fitted[ES_TEXT_FIT];
    for (size_t g = 0; g < cloud->groups; g++, y += LINE) {
        es_ink_set(c, colour(c, cloud, (uint32_t)g));
        es_put_group_mark(c, g == cloud->background ? 0 : (unsigned)g + 1, 13, y, 2);
        es_ink_set(c, c->ink.text);
        es_put_text(c, 19, y, ES_FONT_SMALL, ES_ALIGN_LEFT,
                    es_text_fit(c, ES_FONT_SMALL, cloud->group_name[g], c->width - 20, fitted));
    }
}

es_status es_figure_cloud(const es_cloud *cloud, const es_figure_style *style, es_picture format,
                          es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c;
    ES_TRY(es_canvas_init(&c, style, cloud->panels > 1 ? ES_FIGURE_DOUBLE : ES_FIGURE_SINGLE, err));
    double left = 10, gap = GAP + left,
           side = (c.width - left - gap * (double)(cloud->panels - 1)) / (double)cloud->panels;
    double below = HEAD + side + 18;
    ES_TRY(es_canvas_page(&c, below + LINE * (double)cloud->groups, format, out, err));
    for (size_t k = 0; k < cloud->panels; k++)
        put_panel(&c, cloud, &cloud->panel[k], left + (side + gap) * (double)k, side);
    put_groups(&c, cloud, below);
    st = es_canvas_finish(&c, err);
done:
    es_canvas_deinit(&c);
    return st;
}
