/* Rows over columns that have names: a line a row, its name at its end. Ranks make a bump chart,
 * with names at both ends; values stand on a scale. */
#include <math.h>
#include <stdlib.h>

#include "canvas.h"

#define GAP 6.0    /* between a line's end and its name */
#define LEAD 9.0   /* of that, for the line that leads to it */
#define PITCH 9.5  /* of names, so that none lies on another */
#define BETWEEN 16 /* panels */
#define DOT 1.9

typedef struct layout {
    double *y;     /* (rows) of the names on one side */
    size_t *order; /* (rows) from top to bottom */
    double left, right;
    double inset; /* of the first and the last column, for intervals beside them */
    double names; /* room for them, on each side that has them */
    bool turned;  /* names of the columns */
    double below;
    es_fitted_names row; /* of the panel that is drawn */
} layout;

static es_rgb ink_of(const es_canvas *c, const es_strands *v, size_t i) {
    return es_group_colour(c, v->group ? v->group[i] : (unsigned)i + 1);
}

static double x_at(const es_strands *v, const layout *l, size_t j) {
    double at = v->columns > 1 ? (double)j / (double)(v->columns - 1) : 0.5;
    return l->left + l->inset + (l->right - l->left - 2 * l->inset) * at;
}

/* Where there are intervals, rows stand beside each other, so that one does not hide another's. */
static double step_of(const es_strands *v, const layout *l) {
    double pitch = (l->right - l->left) / (double)v->columns;
    return v->low ? fmin(2.6, 0.5 * pitch / (double)(v->rows > 1 ? v->rows : 1)) : 0;
}

static double x_of(const es_strands *v, const layout *l, size_t i, size_t j) {
    return x_at(v, l, j) + step_of(v, l) * ((double)i - 0.5 * (double)(v->rows - 1));
}

/* The first known column from the left, or from the right; SIZE_MAX: none is. */
static size_t end_of(const es_strands *v, size_t i, bool last) {
    for (size_t k = 0; k < v->columns; k++) {
        size_t j = last ? v->columns - 1 - k : k;
        if (isfinite(v->value[i * v->columns + j]))
            return j;
    }
    return SIZE_MAX;
}

static es_scale scale_of(const es_strands *v, double top, double bottom) {
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < v->rows * v->columns; k++)
        if (isfinite(v->value[k])) {
            es_widen(v->value[k], &low, &high);
            es_widen(v->low ? v->low[k] : (double)NAN, &low, &high);
            es_widen(v->high ? v->high[k] : (double)NAN, &low, &high);
        }
    es_scale y = es_scale_make(low, high, 6);
    if (v->ranks)
        y = (es_scale){.low = 1, .high = high > 2 ? high : 2};
    y.from = v->ranks ? top + PITCH / 2 : bottom;
    y.to = v->ranks ? bottom - PITCH / 2 : top;
    return y;
}

/* ---- names ---- */

/* Names beside the ends of their lines, moved apart: down where they would overlap, then up from
 * the bottom. */
static void place_names(const es_strands *v, const es_scale *y, bool last, double top,
                        double bottom, layout *l) {
    size_t known = 0;
    for (size_t i = 0; i < v->rows; i++) {
        size_t end = end_of(v, i, last), at = known;
        if (end == SIZE_MAX) {
            l->y[i] = (double)NAN;
            continue;
        }
        l->y[i] = es_scale_at(y, v->value[i * v->columns + end]);
        for (; at > 0 && l->y[l->order[at - 1]] > l->y[i]; at--)
            l->order[at] = l->order[at - 1];
        l->order[at] = i;
        known++;
    }
    double pitch = fmin(PITCH, (bottom - top) / (double)(known > 0 ? known : 1));
    double floor = top - pitch / 2;
    for (size_t k = 0; k < known; k++) {
        double *at = &l->y[l->order[k]];
        floor = *at = fmax(*at, floor + pitch);
    }
    double ceiling = bottom + pitch / 2;
    for (size_t k = known; k-- > 0;) {
        double *at = &l->y[l->order[k]];
        ceiling = *at = fmin(*at, ceiling - pitch);
    }
}

static void put_names(const es_canvas *c, const es_strands *v, const es_scale *y, bool last,
                      const layout *l) {
    double edge = last ? l->right : l->left, sign = last ? 1 : -1;
    for (size_t i = 0; i < v->rows; i++) {
        size_t end = end_of(v, i, last);
        if (end == SIZE_MAX)
            continue;
        es_ink_set_alpha(c, ink_of(c, v, i), 0.55);
        es_put_line(c, x_of(v, l, i, end) + sign * DOT,
                    es_scale_at(y, v->value[i * v->columns + end]), edge + sign * LEAD, l->y[i],
                    ES_LINE_THIN);
        es_ink_set(c, c->ink.text);
        es_put_text(c, edge + sign * (LEAD + GAP / 3), l->y[i], ES_FONT_SMALL,
                    last ? ES_ALIGN_LEFT : ES_ALIGN_RIGHT, l->row.text[i]);
    }
}

static es_status put_columns(const es_canvas *c, const es_strands *v, const layout *l, double y,
                             es_error *err) {
    double pitch = v->columns > 1 ? (l->right - l->left) / (double)(v->columns - 1) : l->right;
    es_fitted_names names = {0};
    es_status st = es_fitted_names_make(c, ES_FONT_SMALL, v->column_name, v->columns,
                                        l->turned ? l->below - 6 : pitch, &names, err);
    es_ink_set(c, c->ink.text);
    for (size_t j = 0; st == ES_OK && j < v->columns; j++) {
        if (l->turned)
            es_put_turned(c, x_at(v, l, j), y + 4, ES_FONT_SMALL, ES_ALIGN_RIGHT, names.text[j]);
        else
            es_put_text(c, x_at(v, l, j), y + 8, ES_FONT_SMALL, ES_ALIGN_CENTRE, names.text[j]);
    }
    es_fitted_names_deinit(&names);
    return st;
}

/* ---- lines ---- */

/* Beyond eight colours lines are dashed, too. Gaps stay gaps. */
static void put_strand(const es_canvas *c, const es_strands *v, size_t i, const es_scale *y,
                       const layout *l) {
    static const double dashes[3][2] = {{0, 0}, {4, 2}, {1, 1.5}};
    const double *value = v->value + i * v->columns;
    size_t number = v->group && v->group[i] > 0 ? v->group[i] - 1 : i,
           turn = number / ES_GROUP_MARK_EVERY % 3;
    cairo_save(c->cr);
    es_ink_set(c, ink_of(c, v, i));
    cairo_set_dash(c->cr, dashes[turn], turn ? 2 : 0, 0);
    cairo_set_line_width(c->cr, 1.2);
    for (size_t j = 0; j < v->columns; j++) {
        if (!isfinite(value[j]))
            continue;
        if (j > 0 && isfinite(value[j - 1]))
            cairo_line_to(c->cr, x_of(v, l, i, j), es_scale_at(y, value[j]));
        else
            cairo_move_to(c->cr, x_of(v, l, i, j), es_scale_at(y, value[j]));
    }
    cairo_stroke(c->cr);
    cairo_restore(c->cr);
    es_ink_set(c, ink_of(c, v, i));
    for (size_t j = 0; j < v->columns; j++)
        if (isfinite(value[j]))
            es_put_disc(c, x_of(v, l, i, j), es_scale_at(y, value[j]), DOT);
    es_ink_set_alpha(c, ink_of(c, v, i), 0.5);
    for (size_t j = 0; j < v->columns && v->low; j++) {
        double x = x_of(v, l, i, j), low = v->low[i * v->columns + j],
               high = v->high[i * v->columns + j];
        if (isfinite(low) && isfinite(high))
            es_put_line(c, x, es_scale_at(y, low), x, es_scale_at(y, high), ES_LINE_NORMAL);
    }
}

static void put_panel(const es_canvas *c, const es_strands *v, layout *l, double top,
                      double bottom) {
    es_scale y = scale_of(v, top, bottom);
    if (v->y_title && v->ranks) {
        es_ink_set(c, c->ink.text);
        es_put_text(c, (l->left + l->right) / 2, top - 6, ES_FONT_SMALL, ES_ALIGN_CENTRE,
                    v->y_title);
    } else if (!v->ranks)
        es_put_scale_left(c, &y, ES_SCALE_LEFT, l->right, v->y_title);
    es_ink_set(c, c->ink.grid);
    for (size_t j = 0; j < v->columns; j++)
        es_put_line(c, x_at(v, l, j), top, x_at(v, l, j), bottom, ES_LINE_THIN);
    for (size_t i = v->rows; i-- > 0;) /* the first ones on top */
        put_strand(c, v, i, &y, l);
    for (int last = v->ranks ? 0 : 1; last < 2; last++) {
        place_names(v, &y, last == 1, top, bottom, l);
        put_names(c, v, &y, last == 1, l);
    }
}

/* ---- the page ---- */

static double tall(const es_canvas *c, const es_strands *v) {
    double names = PITCH * (double)v->rows + PITCH;
    return v->ranks ? names : fmax(names, fmin(0.45 * c->width, 150));
}

/* Finds the room for names and scales. */
static void measure_layout(const es_canvas *c, const es_strands *v, size_t panels, layout *l) {
    double widest = 0;
    bool ranks = false, scale = false;
    for (size_t p = 0; p < panels; p++) {
        ranks = ranks || v[p].ranks;
        scale = scale || !v[p].ranks;
        for (size_t i = 0; i < v[p].rows; i++)
            l->names = fmax(l->names, es_text_room(c, ES_FONT_SMALL, v[p].row_name[i]));
    }
    l->names = fmin(l->names, 0.28 * c->width);
    double side = LEAD + GAP + l->names;
    l->left = fmax(ranks ? side : 0, scale ? ES_SCALE_LEFT + 8 : 0);
    l->right = c->width - side;
    for (size_t p = 0; p < panels; p++)
        l->inset = fmax(l->inset, 0.5 * step_of(&v[p], l) * (double)v[p].rows);
    for (size_t j = 0; j < v->columns; j++)
        widest = fmax(widest, es_text_room(c, ES_FONT_SMALL, v->column_name[j]));
    double pitch =
        v->columns > 1 ? (l->right - l->left) / (double)(v->columns - 1) : l->right - l->left;
    l->turned = widest + 4 > pitch;
    l->below = l->turned ? fmin(widest + 8, 110) : 18;
}

es_status es_figure_strands(const es_strands *v, size_t panels, const es_figure_style *style,
                            es_picture format, es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c;
    layout l = {0};
    size_t rows = 1, unknown = 0;
    for (size_t p = 0; p < panels; p++)
        rows = v[p].rows > rows ? v[p].rows : rows;
    ES_TRY(es_canvas_init(&c, style, v->columns > 4 ? ES_FIGURE_DOUBLE : ES_FIGURE_SINGLE, err));
    l.y = es_alloc(rows, sizeof *l.y);
    l.order = es_alloc(rows, sizeof *l.order);
    ES_FAIL_IF(!l.y || !l.order, es_no_memory(err));
    measure_layout(&c, v, panels, &l);
    double top = 12, bottom = top;
    for (size_t p = 0; p < panels; p++)
        bottom += tall(&c, &v[p]) + (p + 1 < panels ? BETWEEN : 0);
    for (size_t i = 0; i < v->rows; i++)
        unknown += end_of(v, i, true) == SIZE_MAX;
    es_canvas_unknown(&c, unknown);
    ES_TRY(es_canvas_page(&c, bottom + l.below, format, out, err));
    for (size_t p = 0; p < panels; p++) {
        double high = tall(&c, &v[p]);
        es_fitted_names_deinit(&l.row);
        ES_TRY(es_fitted_names_make(&c, ES_FONT_SMALL, v[p].row_name, v[p].rows, l.names, &l.row,
                                    err));
        put_panel(&c, &v[p], &l, top, top + high);
        top += high + BETWEEN;
    }
    ES_TRY(put_columns(&c, v, &l, bottom, err));
    st = es_canvas_finish(&c, err);
done:
    es_fitted_names_deinit(&l.row);
    es_free(l.y);
    es_free(l.order);
    es_canvas_deinit(&c);
    return st;
}
