/* Two or three embedders over all targets: a row a target, a mark an embedder, a line where they
 * differ beyond their interval. */
#include <math.h>

#include "canvas.h"

#define PITCH 10.5
#define RADIUS 2.3

/* Each embedder has a colour and a shape. */
static void put_mark(const es_canvas *c, size_t k, double x, double y) {
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

static es_status put_key(const es_canvas *c, const es_dumbbell *d, double left, es_error *err) {
    double x = left, room = fmax((c->width - left) / (double)d->count - 14, 30);
    es_fitted_names names = {0};
    es_status st = es_fitted_names_make(c, ES_FONT_NORMAL, d->name, d->count, room, &names, err);
    for (size_t k = 0; st == ES_OK && k < d->count; k++) {
        const char *text = names.text[k];
        put_mark(c, k, x + 3, 5);
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
            put_mark(c, k, es_scale_at(scale, row->value[k]), y);
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
    ES_TRY(put_key(&c, d, 0, err));
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
