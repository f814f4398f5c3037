/* Lines with bands over the number of targets, or over steps: panels one below the other. */
#include <math.h>

#include "canvas.h"

static es_rgb ink_of(const es_canvas *c, size_t k) {
    const es_rgb inks[3] = {c->ink.accent, c->ink.second, c->ink.third};
    return k < 3 ? inks[k] : es_group_colour(c, (unsigned)k + 1);
}

/* Lines differ in colour and in dashes, so that a grey printer keeps them apart. */
static void begin_line(const es_canvas *c, size_t k) {
    static const double dashes[3][2] = {{0, 0}, {4, 2}, {1, 1.5}};
    es_ink_set(c, ink_of(c, k));
    cairo_set_dash(c->cr, dashes[k % 3], k % 3 ? 2 : 0, 0);
    cairo_set_line_width(c->cr, 1.2);
}

/* The next point from i on where y is known; points: none. */
static size_t next_known(const es_curve *v, const double *y, size_t i) {
    while (i < v->points && !isfinite(y[i]))
        i++;
    return i;
}

/* Stretch by stretch: gaps stay gaps, unless they are bridged. */
static void put_band(const es_canvas *c, const es_curve *v, const es_curve_line *line,
                     const es_scale *x, const es_scale *y) {
    for (size_t i = next_known(v, line->low, 0), to; i < v->points; i = to) {
        to = next_known(v, line->low, i + 1);
        if (to >= v->points || (to > i + 1 && !v->bridged) || !isfinite(line->high[i]) ||
            !isfinite(line->high[to]))
            continue;
        cairo_move_to(c->cr, es_scale_at(x, v->x[i]), es_scale_at(y, line->low[i]));
        cairo_line_to(c->cr, es_scale_at(x, v->x[to]), es_scale_at(y, line->low[to]));
        cairo_line_to(c->cr, es_scale_at(x, v->x[to]), es_scale_at(y, line->high[to]));
        cairo_line_to(c->cr, es_scale_at(x, v->x[i]), es_scale_at(y, line->high[i]));
        cairo_close_path(c->cr);
    }
    cairo_fill(c->cr);
}

static void put_dots(const es_canvas *c, const es_curve *v, size_t k, const es_scale *x,
                     const es_scale *y) {
    es_ink_set(c, ink_of(c, k));
    for (size_t i = 0; i < v->points; i++)
        if (isfinite(v->line[k].y[i]))
            es_put_disc(c, es_scale_at(x, v->x[i]), es_scale_at(y, v->line[k].y[i]), 1.6);
}

static void put_line(const es_canvas *c, const es_curve *v, size_t k, const es_scale *x,
                     const es_scale *y) {
    const es_curve_line *line = &v->line[k];
    bool down = false;
    cairo_save(c->cr);
    if (line->low && line->high) {
        es_ink_set_alpha(c, ink_of(c, k), 0.16);
        put_band(c, v, line, x, y);
    }
    begin_line(c, k);
    for (size_t i = 0; i < v->points; i++) {
        if (!isfinite(line->y[i])) {
            down = down && v->bridged;
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
    if (v->dots)
        put_dots(c, v, k, x, y);
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
            es_widen(v->line[k].y[i], &low, &high);
            es_widen(v->line[k].low ? v->line[k].low[i] : (double)NAN, &low, &high);
            es_widen(v->line[k].high ? v->line[k].high[i] : (double)NAN, &low, &high);
        }
    if (v->upside_down)
        return es_scale_make_whole(low, high, 6);
    if (low > 0 && low < 0.5 * high)
        low = 0;
    return es_scale_make(low, high, 6);
}

static void put_mark(const es_canvas *c, const es_curve *v, const es_scale *x, double top,
                     double bottom) {
    double at = es_scale_at(x, v->mark_x), room = es_text_room(c, ES_FONT_SMALL, v->mark);
    bool left = at + room + 6 > c->width;
    es_ink_set(c, c->ink.faint);
    es_put_line(c, at, bottom, at, top, ES_LINE_NORMAL);
    es_put_text(c, left ? at - 3 : at + 3, bottom - 7, ES_FONT_SMALL,
                left ? ES_ALIGN_RIGHT : ES_ALIGN_LEFT, v->mark);
}

static void put_panel(const es_canvas *c, const es_curve *v, es_scale x, double top, double bottom,
                      bool last, bool alone) {
    es_scale y = y_scale(v);
    y.from = v->upside_down ? top : bottom;
    y.to = v->upside_down ? bottom : top;
    if (last)
        es_put_scale_below(c, &x, bottom, alone ? top : bottom, v->x_title);
    es_put_scale_left(c, &y, x.from, x.to, v->y_title);
    for (size_t k = 0; k < v->lines; k++)
        put_line(c, v, k, &x, &y);
    if (isfinite(v->mark_x))
        put_mark(c, v, &x, top, bottom);
}

es_status es_figure_curves(const es_curve *v, size_t curves, const es_figure_style *style,
                           es_picture format, es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c;
    ES_TRY(es_canvas_init(&c, style, ES_FIGURE_SINGLE, err));
    double top = 9.5 * (double)v->lines + 6;
    double tall = (curves > 1 ? 0.42 : 0.58) * fmin(c.width, 330), pitch = tall + 12;
    double bottom = top + (double)(curves - 1) * pitch + tall;
    double last = v->points ? v->x[v->points - 1] : 1;
    double first = v->points && v->x[0] < 0 ? v->x[0] : 0;
    bool whole = true;
    for (size_t i = 0; i < v->points; i++)
        whole = whole && v->x[i] == floor(v->x[i]);
    es_scale x = whole ? es_scale_make_whole(first, last, 7) : es_scale_make(first, last, 7);
    x.from = ES_SCALE_LEFT;
    x.to = c.width - 6;
    ES_TRY(es_canvas_page(&c, bottom + es_scale_below_height(&c, v[curves - 1].x_title), format,
                          out, err));
    put_key(&c, v, x.from);
    for (size_t k = 0; k < curves; k++)
        put_panel(&c, &v[k], x, top + (double)k * pitch, top + (double)k * pitch + tall,
                  k + 1 == curves, curves == 1);
    st = es_canvas_finish(&c, err);
done:
    es_canvas_deinit(&c);
    return st;
}

/* Two or three embedders over all targets: a row a target, a mark an embedder, a line where they
 * differ beyond their interval. */

#define PITCH 10.5
#define RADIUS 2.3

/* Each embedder has a colour and a shape. */
static void put_dumbbell_mark(const es_canvas *c, size_t k, double x, double y) {
    const es_rgb inks[ES_DUMBBELL_MOST] = {c->ink.accent, c->ink.second, c->ink.third};
    es_ink_set(c, inks[k]);
    if (k == 0) {
        es_put_disc(c, x, y, RADIUS);
    } else if (k == 1) {
        es_put_rectangle(c, x - RADIUS * 0.9, y - RADIUS * 0.9, RADIUS * 1.8, RADIUS * 1.8);
    } else {
        cairo_move_to(c->cr, x, y - RADIUS * 1.2);
        cairo_line_to(c->cr, x + RADIUS * 1.2, y + RADIUS);
        cairo_line_to(c->cr, x - RADIUS * 1.2, y + RADIUS);
        cairo_close_path(c->cr);
        cairo_fill(c->cr);
    }
}

static void range_of(const es_dumbbell *d, const es_dumbbell_row *row, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t k = 0; k < d->count; k++)
        es_widen(row->value[k], low, high);
}

static es_scale scale_of(const es_dumbbell *d) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < d->rows; i++) {
        double a, b;
        range_of(d, &d->row[i], &a, &b);
        es_widen(a, &low, &high);
        es_widen(b, &low, &high);
    }
    if (low > 0 && low < 0.35 * high)
        low = 0;
    return es_scale_make(low, high, 5);
}

static es_status put_dumbbell_key(const es_canvas *c, const es_dumbbell *d, double left,
                                  es_error *err) {
    double x = left, room = fmax((c->width - left) / (double)d->count - 14, 30);
    es_fitted_names names = {0};
    es_status st = es_fitted_names_make(c, ES_FONT_NORMAL, d->name, d->count, room, &names, err);
    for (size_t k = 0; st == ES_OK && k < d->count; k++) {
        const char *text = names.text[k];
        put_dumbbell_mark(c, k, x + 3, 5);
        es_ink_set(c, c->ink.text);
        es_put_text(c, x + 8, 5, ES_FONT_NORMAL, ES_ALIGN_LEFT, text);
        x += 8 + es_text_room(c, ES_FONT_NORMAL, text) + 8;
    }
    es_fitted_names_deinit(&names);
    return st;
}

/* The targets' names in the room that is left of the scale. */
static es_status fit_targets(const es_canvas *c, const es_dumbbell *d, double room,
                             es_fitted_names *out, es_error *err) {
    const char **name = es_alloc(d->rows + 1, sizeof *name);
    if (!name)
        return es_no_memory(err);
    for (size_t i = 0; i < d->rows; i++)
        name[i] = d->row[i].name;
    es_status st = es_fitted_names_make(c, ES_FONT_NORMAL, name, d->rows, room, out, err);
    es_free(name);
    return st;
}

static void put_row(const es_canvas *c, const es_dumbbell *d, const es_dumbbell_row *row,
                    const es_scale *scale, const char *name, double y) {
    double low, high;
    range_of(d, row, &low, &high);
    es_ink_set(c, c->ink.text);
    es_put_text(c, 0, y, ES_FONT_NORMAL, ES_ALIGN_LEFT, name);
    if (!(low <= high)) {
        es_ink_set(c, c->ink.faint);
        es_put_text(c, scale->from + 4, y, ES_FONT_SMALL, ES_ALIGN_LEFT, "not known");
        return;
    }
    es_ink_set(c, row->clear ? c->ink.text : es_rgb_mix(c->ink.paper, c->ink.faint, 0.6));
    es_put_line(c, es_scale_at(scale, low), y, es_scale_at(scale, high), y,
                row->clear ? 1.1 : ES_LINE_THIN);
    for (size_t k = d->count; k-- > 0;)
        if (isfinite(row->value[k]))
            put_dumbbell_mark(c, k, es_scale_at(scale, row->value[k]), y);
}

es_status es_figure_dumbbell(const es_dumbbell *d, const es_figure_style *style, es_picture format,
                             es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c;
    es_fitted_names names = {0};
    double top = 14, bottom = top + PITCH * (double)(d->rows > 0 ? d->rows : 1) + 2;
    ES_TRY(es_canvas_init(&c, style, ES_FIGURE_SINGLE, err));
    ES_TRY(fit_targets(&c, d, 0.42 * c.width, &names, err));
    es_scale scale = scale_of(d);
    scale.from = names.widest + 8;
    scale.to = c.width - 8;
    double below = d->rows > 0 ? es_scale_below_height(&c, d->axis) : 0;
    ES_TRY(es_canvas_page(&c, bottom + below, format, out, err));
    ES_TRY(put_dumbbell_key(&c, d, 0, err));
    if (d->rows > 0) {
        es_put_scale_below(&c, &scale, bottom, top, d->axis);
    } else {
        es_ink_set(&c, c.ink.faint);
        es_put_text(&c, 0, top + 0.5 * PITCH, ES_FONT_NORMAL, ES_ALIGN_LEFT, "no other target");
    }
    for (size_t i = 0; i < d->rows; i++) {
        double y = top + PITCH * ((double)i + 0.5);
        put_row(&c, d, &d->row[i], &scale, names.text[i], y);
    }
    st = es_canvas_finish(&c, err);
done:
    es_fitted_names_deinit(&names);
    es_canvas_deinit(&c);
    return st;
}
