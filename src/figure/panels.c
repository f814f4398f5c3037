/* Small multiples: scatters on a grid, each with its own scale of x and all with one of y. Points
 * have numbers, which the names below explain. */
#include <math.h>
#include <stdio.h>

#include "canvas.h"

#define RADIUS 1.8
#define HEAD 24.0 /* title and coefficients above a panel */
#define BETWEEN 20.0
#define NUMBER 5.0 /* font of the points' numbers */
#define LEADING 9.0

enum { ACROSS = 3 };

typedef struct page {
    size_t across, down;
    double wide, tall; /* of a panel */
    es_scale y;
    double key, column; /* height of the names, width of one */
    size_t keys;        /* of them a line */
} page;

static void range_of(const es_scatter *s, const double *v, double *low, double *high) {
    for (size_t i = 0; i < s->n; i++)
        if (isfinite(s->x[i]) && isfinite(s->y[i]))
            es_widen(v[i], low, high);
}

/* Finds how many panels stand side by side, and their size. */
static void lay_out(const es_canvas *c, const es_scatter *s, size_t panels, page *p) {
    double low = INFINITY, high = -INFINITY, widest = 0;
    char text[ES_TEXT_FIT];
    p->across = panels < (size_t)ACROSS ? panels : panels == 4 ? 2 : (size_t)ACROSS;
    p->down = (panels + p->across - 1) / p->across;
    p->wide =
        (c->width - ES_SCALE_LEFT - BETWEEN * (double)(p->across - 1) - 6) / (double)p->across;
    p->tall = fmin(0.8 * p->wide, 150);
    for (size_t k = 0; k < panels; k++)
        range_of(&s[k], s[k].y, &low, &high);
    p->y = (s->upside_down ? es_scale_make_whole : es_scale_make)(low, high, 5);
    for (size_t i = 0; i < s->n; i++) {
        (void)snprintf(text, sizeof text, "%zu %s", i + 1, s->name[i]);
        widest = fmax(widest, es_text_room(c, ES_FONT_SMALL, text));
    }
    p->column = fmin(widest + 10, c->width);
    p->keys = (size_t)(c->width / p->column);
    p->keys = p->keys > 0 ? p->keys : 1;
    size_t lines = (s->n + p->keys - 1) / p->keys;
    p->key = LEADING * (double)lines + 4;
}

static void put_line(const es_canvas *c, const es_scatter *s, const es_scale *x,
                     const es_scale *y) {
    double low = INFINITY, high = -INFINITY;
    range_of(s, s->x, &low, &high);
    if (!isfinite(s->slope) || !(high > low))
        return;
    cairo_save(c->cr);
    cairo_rectangle(c->cr, x->from, fmin(y->from, y->to), x->to - x->from, fabs(y->to - y->from));
    cairo_clip(c->cr);
    es_ink_set(c, es_rgb_mix(c->ink.paper, c->ink.accent, 0.6));
    es_put_line(c, es_scale_at(x, low), es_scale_at(y, s->intercept + s->slope * low),
                es_scale_at(x, high), es_scale_at(y, s->intercept + s->slope * high),
                ES_LINE_NORMAL);
    cairo_restore(c->cr);
}

static void put_points(const es_canvas *c, const es_scatter *s, const es_scale *x,
                       const es_scale *y) {
    char number[24];
    for (size_t i = 0; i < s->n; i++) {
        if (!isfinite(s->x[i]) || !isfinite(s->y[i]))
            continue;
        double px = es_scale_at(x, s->x[i]), py = es_scale_at(y, s->y[i]);
        es_ink_set(c, s->group ? es_group_colour(c, s->group[i]) : c->ink.accent);
        es_put_group_mark(c, s->group ? s->group[i] : 0, px, py, RADIUS);
        (void)snprintf(number, sizeof number, "%zu", i + 1);
        bool last = px + 8 > x->to;
        es_ink_set(c, c->ink.text);
        es_put_text(c, last ? px - RADIUS - 1 : px + RADIUS + 1, py, NUMBER,
                    last ? ES_ALIGN_RIGHT : ES_ALIGN_LEFT, number);
    }
}

static void put_panel(const es_canvas *c, const es_scatter *s, const page *p, double left,
                      double top, bool first, const char *title) {
    char fitted[ES_TEXT_FIT];
    double low = INFINITY, high = -INFINITY;
    range_of(s, s->x, &low, &high);
    es_scale x = es_scale_make(low, high, 4), y = p->y;
    x.from = left;
    x.to = left + p->wide;
    y.from = s->upside_down ? top : top + p->tall;
    y.to = s->upside_down ? top + p->tall : top;
    es_ink_set(c, c->ink.text);
    es_put_text(c, left, top - 16.5, ES_FONT_NORMAL, ES_ALIGN_LEFT, title);
    for (size_t k = 0; k < s->facts && k < 1; k++) {
        es_ink_set(c, c->ink.faint);
        es_put_text(c, left, top - 7, ES_FONT_SMALL, ES_ALIGN_LEFT,
                    es_text_fit(c, ES_FONT_SMALL, s->fact[k], p->wide, fitted));
    }
    es_put_scale_below(c, &x, top + p->tall, top, NULL);
    if (first)
        es_put_scale_left(c, &y, x.from, x.to, s->y_title);
    es_ink_set(c, c->ink.grid);
    for (size_t k = 0; !first && k < es_scale_ticks(&y); k++) {
        double at = es_scale_at(&y, y.low + (double)k * y.step);
        es_put_line(c, x.from, at, x.to, at, ES_LINE_THIN);
    }
    put_line(c, s, &x, &y);
    put_points(c, s, &x, &y);
}

static es_status put_names(const es_canvas *c, const es_scatter *s, const page *p, double top,
                           es_error *err) {
    char text[ES_TEXT_FIT];
    es_fitted_names names = {0};
    (void)snprintf(text, sizeof text, "%zu ", s->n);
    double room = p->column - 4 - es_text_room(c, ES_FONT_SMALL, text);
    es_status st = es_fitted_names_make(c, ES_FONT_SMALL, s->name, s->n, room, &names, err);
    for (size_t i = 0; st == ES_OK && i < s->n; i++) {
        size_t line = i / p->keys;
        double x = (double)(i % p->keys) * p->column, y = top + LEADING * (double)line;
        (void)snprintf(text, sizeof text, "%zu %s", i + 1, names.text[i]);
        es_ink_set(c, c->ink.text);
        es_put_text(c, x, y, ES_FONT_SMALL, ES_ALIGN_LEFT, text);
    }
    es_fitted_names_deinit(&names);
    return st;
}

/* What stands above each panel. */
static es_status fit_titles(const es_canvas *c, const es_scatter *s, size_t panels, double room,
                            es_fitted_names *out, es_error *err) {
    const char **title = es_alloc(panels + 1, sizeof *title);
    if (!title)
        return es_no_memory(err);
    for (size_t k = 0; k < panels; k++)
        title[k] = s[k].x_title;
    es_status st = es_fitted_names_make(c, ES_FONT_NORMAL, title, panels, room, out, err);
    es_free(title);
    return st;
}

es_status es_figure_panels(const es_scatter *s, size_t panels, const es_figure_style *style,
                           es_picture format, es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c = {0};
    page p = {0};
    es_fitted_names title = {0};
    ES_TRY(es_canvas_init(&c, style, panels > 1 ? ES_FIGURE_DOUBLE : ES_FIGURE_SINGLE, err));
    lay_out(&c, s, panels, &p);
    ES_TRY(fit_titles(&c, s, panels, p.wide, &title, err));
    double row = HEAD + p.tall + 16, bottom = row * (double)p.down + 8;
    ES_TRY(es_canvas_page(&c, bottom + p.key, format, out, err));
    for (size_t k = 0; k < panels; k++) {
        size_t line = k / p.across;
        put_panel(&c, &s[k], &p, ES_SCALE_LEFT + (double)(k % p.across) * (p.wide + BETWEEN),
                  HEAD + row * (double)line, k % p.across == 0, title.text[k]);
    }
    ES_TRY(put_names(&c, s, &p, bottom, err));
    st = es_canvas_finish(&c, err);
done:
    es_fitted_names_deinit(&title);
    es_canvas_deinit(&c);
    return st;
}
