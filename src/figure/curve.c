/* Lines with bands over the number of targets. */
#include <math.h>

#include "canvas.h"

/* Lines differ in colour and in dashes, so that a grey printer keeps them apart. */
static void begin_line(const es_canvas *c, size_t k) {
    static const double dashes[3][2] = {{0, 0}, {4, 2}, {1, 1.5}};
    const es_rgb inks[3] = {c->ink.accent, c->ink.second, c->ink.third};
    es_ink_set(c, inks[k % 3]);
    cairo_set_dash(c->cr, dashes[k % 3], k % 3 ? 2 : 0, 0);
    cairo_set_line_width(c->cr, 1.2);
}

static void put_band(const es_canvas *c, const es_curve *v, const es_curve_line *line,
                     const es_scale *x, const es_scale *y) {
    for (size_t i = 0; i + 1 < v->points; i++) { /* stretch by stretch: gaps stay gaps */
        if (!isfinite(line->low[i]) || !isfinite(line->high[i]) || !isfinite(line->low[i + 1]) ||
            !isfinite(line->high[i + 1]))
            continue;
        cairo_move_to(c->cr, es_scale_at(x, v->x[i]), es_scale_at(y, line->low[i]));
        cairo_line_to(c->cr, es_scale_at(x, v->x[i + 1]), es_scale_at(y, line->low[i + 1]));
        cairo_line_to(c->cr, es_scale_at(x, v->x[i + 1]), es_scale_at(y, line->high[i + 1]));
        cairo_line_to(c->cr, es_scale_at(x, v->x[i]), es_scale_at(y, line->high[i]));
        cairo_close_path(c->cr);
    }
    cairo_fill(c->cr);
}

static void put_line(const es_canvas *c, const es_curve *v, size_t k, const es_scale *x,
                     const es_scale *y) {
    const es_rgb inks[3] = {c->ink.accent, c->ink.second, c->ink.third};
    const es_curve_line *line = &v->line[k];
    bool down = false;
    cairo_save(c->cr);
    if (line->low && line->high) {
        es_ink_set_alpha(c, inks[k % 3], 0.16);
        put_band(c, v, line, x, y);
    }
    begin_line(c, k);
    for (size_t i = 0; i < v->points; i++) {
        if (!isfinite(line->y[i])) {
            down = false;
            continue;
        }
        if (down)
            cairo_line_to(c->cr, es_scale_at(x, v->x[i]), es_scale_at(y, line->y[i]));
        else
            cairo_move_to(c->cr, es_scale_at(x, v->x[i]), es_scale_at(y, line->y[i]));
        down = true;
    }
    cairo_stroke(c->cr);
    cairo_restore(c->cr);
}

static void put_key(const es_canvas *c, const es_curve *v, double left) {
    for (size_t k = 0; k < v->lines; k++) {
        double y = 5 + 9.5 * (double)k;
        cairo_save(c->cr);
        begin_line(c, k);
        cairo_move_to(c->cr, left, y);
        cairo_line_to(c->cr, left + 16, y);
        cairo_stroke(c->cr);
        cairo_restore(c->cr);
        char fitted[ES_TEXT_FIT];
        es_ink_set(c, c->ink.text);
        es_put_text(c, left + 20, y, ES_FONT_SMALL, ES_ALIGN_LEFT,
                    es_text_fit(c, ES_FONT_SMALL, v->line[k].title, c->width - left - 20, fitted));
    }
}

static es_scale y_scale(const es_curve *v) {
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < v->lines; k++)
        for (size_t i = 0; i < v->points; i++) {
            const double values[] = {v->line[k].y[i],
                                     v->line[k].low ? v->line[k].low[i] : (double)NAN,
                                     v->line[k].high ? v->line[k].high[i] : (double)NAN};
            for (size_t j = 0; j < 3; j++)
                if (isfinite(values[j])) {
                    low = fmin(low, values[j]);
                    high = fmax(high, values[j]);
                }
        }
    if (low > 0 && low < 0.5 * high)
        low = 0;
    return es_scale_make(low, high, 6);
}

es_status es_figure_curve(const es_curve *v, const es_figure_style *style, es_picture format,
                          es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c;
    ES_TRY(es_canvas_init(&c, style, ES_FIGURE_SINGLE, err));
    double top = 9.5 * (double)v->lines + 6, bottom = top + 0.58 * fmin(c.width, 330);
    es_scale x = es_scale_make_whole(0, v->points ? v->x[v->points - 1] : 1, 7), y = y_scale(v);
    x.from = ES_SCALE_LEFT;
    x.to = c.width - 6;
    y.from = bottom;
    y.to = top;
    ES_TRY(es_canvas_page(&c, bottom + ES_SCALE_BELOW, format, out, err));
    es_put_scale_below(&c, &x, bottom, top, v->x_title);
    es_put_scale_left(&c, &y, x.from, x.to, v->y_title);
    put_key(&c, v, x.from);
    for (size_t k = 0; k < v->lines; k++)
        put_line(&c, v, k, &x, &y);
    if (isfinite(v->mark_x)) {
        double at = es_scale_at(&x, v->mark_x), room = es_text_room(&c, ES_FONT_SMALL, v->mark);
        bool left = at + room + 6 > c.width;
        es_ink_set(&c, c.ink.faint);
        es_put_line(&c, at, bottom, at, top, ES_LINE_NORMAL);
        es_put_text(&c, left ? at - 3 : at + 3, bottom - 7, ES_FONT_SMALL,
                    left ? ES_ALIGN_RIGHT : ES_ALIGN_LEFT, v->mark);
    }
    st = es_canvas_finish(&c, err);
done:
    es_canvas_deinit(&c);
    return st;
}
