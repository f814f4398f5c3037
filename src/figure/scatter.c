/* A score against one downstream task: points with names, the fitted line and the band of its
 * mean. */
#include <math.h>

#include "canvas.h"

#define RADIUS 2.3
#define FACT_LEADING 9.0

typedef struct layout {
    es_scale x, y;
    double bottom;
} layout;

static bool is_known(const es_scatter *s, size_t i) {
    return isfinite(s->x[i]) && isfinite(s->y[i]);
}

/* A little air around the outermost points. */
static es_scale scale_of(const es_scatter *s, const double *v, bool whole) {
    enum { MOST = 6 };
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->n; i++)
        if (is_known(s, i))
            es_widen(v[i], &low, &high);
    double air = high > low ? 0.03 * (high - low) : 0;
    low = low >= 0 ? fmax(low - air, 0) : low - air;
    return whole ? es_scale_make_whole(low, high + air, MOST)
                 : es_scale_make(low, high + air, MOST);
}

/* Finds both axes and the places of facts and legend. */
static void lay_out(const es_canvas *c, const es_scatter *s, layout *l) {
    double top = s->facts ? FACT_LEADING * (double)s->facts + 5 : 3;
    double side = fmin(c->width - ES_SCALE_LEFT - 4, 300);
    l->bottom = top + 0.86 * side;
    l->x = scale_of(s, s->x, s->log_x);
    l->x.log = s->log_x;
    l->x.from = ES_SCALE_LEFT;
    l->x.to = c->width - 5;
    l->y = scale_of(s, s->y, s->upside_down);
    l->y.from = s->upside_down ? top : l->bottom;
    l->y.to = s->upside_down ? l->bottom : top;
}

/* ---- line and band ---- */

/* Sums over the points for the error of the fitted mean. */
typedef struct fit {
    double n, mean, spread, error; /* spread: sum of squares of x; error: of one residual */
} fit;

static fit fit_of(const es_scatter *s) {
    fit f = {0};
    double squares = 0;
    for (size_t i = 0; i < s->n; i++)
        if (is_known(s, i)) {
            f.n++;
            f.mean += s->x[i];
        }
    f.mean /= f.n > 0 ? f.n : 1;
    for (size_t i = 0; i < s->n; i++)
        if (is_known(s, i)) {
            double residual = s->y[i] - s->intercept - s->slope * s->x[i];
            f.spread += (s->x[i] - f.mean) * (s->x[i] - f.mean);
            squares += residual * residual;
        }
    f.error = f.n > 2 ? sqrt(squares / (f.n - 2)) : (double)NAN;
    return f;
}

static void put_fit(const es_canvas *c, const es_scatter *s, const layout *l) {
    enum { STEPS = 48 };
    if (!isfinite(s->slope) || !isfinite(s->intercept))
        return;
    fit f = fit_of(s);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->n; i++)
        if (is_known(s, i))
            es_widen(s->x[i], &low, &high);
    cairo_save(c->cr);
    cairo_rectangle(c->cr, l->x.from, fmin(l->y.from, l->y.to), l->x.to - l->x.from,
                    fabs(l->y.to - l->y.from));
    cairo_clip(c->cr);
    if (isfinite(f.error) && f.spread > 0) {
        double t = es_student_quantile(0.975, (size_t)f.n - 2);
        for (int k = 0; k <= 2 * STEPS + 1; k++) { /* there above the line, back below */
            int step = k <= STEPS ? k : 2 * STEPS + 1 - k;
            double x = low + (high - low) * step / STEPS;
            double half = t * f.error * sqrt(1 / f.n + (x - f.mean) * (x - f.mean) / f.spread);
            double y = s->intercept + s->slope * x + (k <= STEPS ? half : -half);
            cairo_line_to(c->cr, es_scale_at(&l->x, x), es_scale_at(&l->y, y));
        }
        cairo_close_path(c->cr);
        es_ink_set(c, es_rgb_mix(c->ink.paper, c->ink.accent, 0.14));
        cairo_fill(c->cr);
    }
    es_ink_set(c, es_rgb_mix(c->ink.paper, c->ink.accent, 0.6));
    es_put_line(c, es_scale_at(&l->x, low), es_scale_at(&l->y, s->intercept + s->slope * low),
                es_scale_at(&l->x, high), es_scale_at(&l->y, s->intercept + s->slope * high),
                ES_LINE_NORMAL);
    cairo_restore(c->cr);
}

/* ---- points ---- */

/* The points that are drawn and where their names stand. */
typedef struct points {
    size_t n;
    size_t named; /* which come first; the others have an empty name */
    size_t *of;   /* which of the figure's */
    es_label *label;
    es_fitted_names name; /* of all points */
} points;

static void free_points(points *p) {
    es_free(p->of);
    es_free(p->label);
    es_fitted_names_deinit(&p->name);
}

static es_status place_points(es_canvas *c, const es_scatter *s, const layout *l, points *p,
                              es_error *err) {
    p->of = es_alloc(s->n, sizeof *p->of);
    p->label = es_alloc_zero(s->n, sizeof *p->label);
    if (p->of == NULL || p->label == NULL)
        return es_no_memory(err);
    size_t names = 0;
    for (size_t i = 0; i < s->n; i++)
        names += s->name[i][0] != '\0';
    ES_PASS(es_fitted_names_make(c, ES_FONT_SMALL, s->name, s->n, es_label_room(c->width, names),
                                 &p->name, err));
    for (size_t k = 0; k < 2 * s->n; k++) {
        size_t i = k % s->n;
        if (is_known(s, i) && (s->name[i][0] != '\0') == (k < s->n)) {
            p->named += k < s->n;
            p->of[p->n] = i;
            p->label[p->n++] = (es_label){.px = es_scale_at(&l->x, s->x[i]),
                                          .py = es_scale_at(&l->y, s->y[i]),
                                          .radius = RADIUS,
                                          .w = es_text_room(c, ES_FONT_SMALL, p->name.text[i]) + 1,
                                          .h = ES_FONT_SMALL * 1.05};
        }
    }
    double top = fmin(l->y.from, l->y.to);
    es_labels_place(
        p->label, p->named,
        (es_area){l->x.from + 1, top - 2, l->x.to - l->x.from + 3, l->bottom - top + 1});
    es_canvas_unnamed(c, es_labels_left_out(p->label, p->named));
    return ES_OK;
}

static void put_points(const es_canvas *c, const es_scatter *s, const points *p) {
    const es_label *label = p->label;
    for (size_t k = 0; k < p->n; k++) {
        double from[2], to[2];
        if (!label[k].placed || !es_label_leads(&label[k], from, to))
            continue;
        es_ink_set(c, c->ink.faint);
        es_put_line(c, from[0], from[1], to[0], to[1], 0.35);
    }
    for (size_t k = 0; k < p->n; k++) {
        es_ink_set(c, c->ink.paper);
        unsigned group = s->group ? s->group[p->of[k]] : 0;
        es_put_group_mark(c, group, label[k].px, label[k].py, RADIUS + 0.6);
        es_ink_set(c, s->group ? es_group_colour(c, group) : c->ink.accent);
        es_put_group_mark(c, group, label[k].px, label[k].py, RADIUS);
    }
    es_ink_set(c, c->ink.text);
    for (size_t k = 0; k < p->n; k++)
        if (label[k].placed)
            es_put_haloed(c, label[k].x + 0.5, label[k].y + label[k].h / 2, ES_FONT_SMALL,
                          ES_ALIGN_LEFT, p->name.text[p->of[k]]);
}

es_status es_figure_scatter(const es_scatter *s, const es_figure_style *style, es_picture format,
                            es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c = {0};
    points p = {0};
    layout l;
    ES_TRY(es_canvas_init(&c, style, ES_FIGURE_SINGLE, err));
    lay_out(&c, s, &l);
    ES_TRY(place_points(&c, s, &l, &p, err));
    ES_TRY(es_canvas_page(&c, l.bottom + es_scale_below_height(&c, s->x_title), format, out, err));
    for (size_t k = 0; k < s->facts; k++) {
        char fitted[ES_TEXT_FIT];
        es_ink_set(&c, k == 0 ? c.ink.text : c.ink.faint);
        es_put_text(&c, l.x.from, 2 + FACT_LEADING * ((double)k + 0.3),
                    k == 0 ? ES_FONT_NORMAL : ES_FONT_SMALL, ES_ALIGN_LEFT,
                    es_text_fit(&c, k == 0 ? ES_FONT_NORMAL : ES_FONT_SMALL, s->fact[k],
                                c.width - l.x.from, fitted));
    }
    es_put_scale_below(&c, &l.x, l.bottom, fmin(l.y.from, l.y.to), s->x_title);
    es_put_scale_left(&c, &l.y, l.x.from, l.x.to, s->y_title);
    put_fit(&c, s, &l);
    put_points(&c, s, &p);
    st = es_canvas_finish(&c, err);
done:
    free_points(&p);
    es_canvas_deinit(&c);
    return st;
}
