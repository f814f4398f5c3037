/* A ranking as rows with score and interval (a forest plot), those that may be the best on a shaded
 * band, dimensions beside them. */
#include <math.h>
#include <stdio.h>

#include "canvas.h"

enum { GAP = 6 };

static const double BAND_LINE = 9;

typedef struct layout {
    double pitch;           /* of rows */
    double rank, name, dim; /* widths */
    double top;             /* of the first row */
    es_fitted_names names;
    es_scale axis;
} layout;

/* The least room for points and intervals. */
#define LEAST_AXIS 80.0

static double widest_name(const es_canvas *c, const es_forest *f) {
    double room = 0;
    for (size_t i = 0; i < f->count; i++)
        room = fmax(room, f->row[i].name ? es_text_room(c, ES_FONT_NORMAL, f->row[i].name) : 0);
    return room;
}

/* Returns an axis over all values and intervals. */
static es_scale make_axis(const es_forest *f) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < f->count; i++) {
        es_widen(f->row[i].value, &low, &high);
        es_widen(f->row[i].low, &low, &high);
        es_widen(f->row[i].high, &low, &high);
    }
    es_widen(f->null_low, &low, &high);
    es_widen(f->null_high, &low, &high);
    if (low > 0 && low < 0.35 * high)
        low = 0; /* a scale that nearly reaches zero shows it */
    return es_scale_make(low, high, 5);
}

/* Finds the room for names, dimensions and values. */
static es_status lay_out(const es_canvas *c, const es_forest *f, layout *l, es_error *err) {
    bool dims = false;
    const char **name = es_alloc(f->count + 1, sizeof *name);
    if (name == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < f->count; i++)
        dims = dims || f->row[i].dim > 0;
    l->pitch = f->count > 60 ? 9 : 10.5;
    l->rank = es_text_room(c, ES_FONT_NORMAL, "88") + (f->count > 99 ? 5 : 0) + GAP;
    l->dim = dims ? es_text_room(c, ES_FONT_SMALL, "8888") + GAP : 0;
    double most = fmax(c->width - l->rank - l->dim - LEAST_AXIS, 0.42 * c->width);
    for (size_t i = 0; i < f->count; i++)
        name[i] = f->row[i].name;
    es_status st =
        es_fitted_names_make(c, ES_FONT_NORMAL, name, f->count,
                             fmin(widest_name(c, f), fmin(most, 0.6 * c->width)), &l->names, err);
    es_free(name);
    l->name = l->names.widest + GAP;
    l->top = 11;
    l->axis = make_axis(f);
    l->axis.from = l->rank + l->name + 3;
    l->axis.to = c->width - l->dim - 6;
    return st;
}

static void put_heads(const es_canvas *c, const layout *l, const es_forest *f) {
    es_ink_set(c, c->ink.faint);
    es_put_text(c, l->rank, 4, ES_FONT_SMALL, ES_ALIGN_LEFT, f->heading ? f->heading : "embedder");
    if (l->dim > 0)
        es_put_text(c, c->width, 4, ES_FONT_SMALL, ES_ALIGN_RIGHT, "dim");
}

static void put_row(const es_canvas *c, const layout *l, const es_forest *f, size_t i) {
    const es_forest_row *row = &f->row[i];
    double y = l->top + l->pitch * ((double)i + 0.5);
    char text[32];
    es_ink_set(c, c->ink.faint);
    (void)snprintf(text, sizeof text, "%zu", row->rank);
    es_put_text(c, l->rank - GAP, y, ES_FONT_SMALL, ES_ALIGN_RIGHT, row->rank ? text : "–");
    if (row->dim) {
        (void)snprintf(text, sizeof text, "%zu", row->dim);
        es_put_text(c, c->width, y, ES_FONT_SMALL, ES_ALIGN_RIGHT, text);
    }
    es_ink_set(c, c->ink.text);
    es_put_text(c, l->rank, y, ES_FONT_NORMAL, ES_ALIGN_LEFT, l->names.text[i]);
    if (!isfinite(row->value)) {
        es_ink_set(c, c->ink.faint);
        es_put_text(c, l->axis.from + 4, y, ES_FONT_SMALL, ES_ALIGN_LEFT, "not known");
        return;
    }
    es_ink_set(c, c->ink.accent);
    if (isfinite(row->low) && isfinite(row->high)) {
        double from = es_scale_at(&l->axis, row->low), to = es_scale_at(&l->axis, row->high);
        es_put_line(c, from, y, to, y, 1.1);
        es_put_line(c, from, y - 1.8, from, y + 1.8, ES_LINE_NORMAL);
        es_put_line(c, to, y - 1.8, to, y + 1.8, ES_LINE_NORMAL);
    }
    es_put_disc(c, es_scale_at(&l->axis, row->value), y, 2.4);
}

static void put_band(const es_canvas *c, const layout *l, const es_forest *f) {
    es_ink_set(c, es_rgb_mix(c->ink.paper, c->ink.accent, 0.12));
    for (size_t i = 0; i < f->count; i++)
        if (f->row[i].best)
            es_put_rectangle(c, 0, l->top + l->pitch * (double)i, c->width, l->pitch);
}

es_status es_figure_forest(const es_forest *f, const es_figure_style *style, es_picture format,
                           es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c;
    layout l = {0};
    ES_TRY(es_canvas_init(&c, style, ES_FIGURE_SINGLE, err));
    ES_TRY(lay_out(&c, f, &l, err));
    const es_text_lines band = {
        .size = ES_FONT_SMALL, .width = c.width, .leading = BAND_LINE, .align = ES_ALIGN_RIGHT};
    double bottom = l.top + l.pitch * (double)f->count + 2;
    double below = es_scale_below_height(&c, f->axis) + es_lines_height(&c, &band, f->band);
    ES_TRY(es_canvas_page(&c, bottom + below, format, out, err));
    if (f->band)
        put_band(&c, &l, f);
    put_heads(&c, &l, f);
    if (isfinite(f->null_low)) {
        double from = es_scale_at(&l.axis, f->null_low), to = es_scale_at(&l.axis, f->null_high);
        es_ink_set(&c, es_rgb_mix(c.ink.paper, c.ink.faint, 0.25));
        es_put_rectangle(&c, from - 0.5, l.top - 2, to - from + 1, bottom - l.top + 2);
    }
    es_put_scale_below(&c, &l.axis, bottom, l.top - 2, f->axis);
    if (f->band) {
        es_ink_set(&c, c.ink.faint);
        es_put_lines(&c, &band, c.width, bottom + es_scale_below_height(&c, f->axis), f->band);
    }
    for (size_t i = 0; i < f->count; i++)
        put_row(&c, &l, f, i);
    st = es_canvas_finish(&c, err);
done:
    es_fitted_names_deinit(&l.names);
    es_canvas_deinit(&c);
    return st;
}
