/* A matrix as coloured cells with numbers where they fit, dendrograms, community bars and a colour
 * bar. */
#include <math.h>
#include <stdio.h>

#include "canvas.h"

#define TREE 26.0 /* height of a dendrogram */
#define GAP 3.0
#define HEAD 11.0 /* of a title in words */
#define WIDEST_CELL 30.0
#define LEAST_NAME 5.5 /* names are not set smaller: every other one is left out instead */
#define KEY_HEIGHT 7.0
#define KEY_STEP 11.0
#define KEY_LINE 9.0

typedef struct layout {
    double x, y;                    /* of the matrix */
    double cell;                    /* side of a cell */
    double names_w;                 /* room of row names */
    double names_h;                 /* of column names */
    double font;                    /* of names */
    size_t every_row, every_column; /* 1: all names are shown */
    double font_digits;             /* 0: no numbers in cells */
    double height;
    es_fitted_names row, column;
    double key, group_key; /* upper edges of the two keys */
    double low, high;      /* ends of the colours; equal where all values are */
    bool beyond, below;    /* values outside of them */
} layout;

/* ---- limits ---- */

static bool counts(const es_heatmap *h, size_t i, size_t j) {
    return isfinite(h->value[i * h->columns + j]) && !(h->diagonal_apart && i == j);
}

static void find_limits(const es_heatmap *h, layout *l) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < h->rows; i++)
        for (size_t j = 0; j < h->columns; j++)
            if (counts(h, i, j))
                es_widen(h->value[i * h->columns + j], &low, &high);
    if (!(low <= high))
        low = 0, high = 1;
    if (h->map == ES_HEAT_DIVERGING) {
        high = fmax(fabs(low), fabs(high));
        low = -high;
    }
    l->low = isfinite(h->low) ? h->low : low;
    l->high = isfinite(h->high) ? h->high : high;
    if (l->high < l->low)
        l->high = l->low + 1;
    for (size_t k = 0; k < h->rows * h->columns; k++) {
        l->beyond = l->beyond || h->value[k] > l->high;
        l->below = l->below || h->value[k] < l->low;
    }
}

/* ---- layout ---- */

static double widest_name(const es_canvas *c, const char *const *name, size_t count, double size) {
    double room = 0;
    for (size_t i = 0; i < count; i++)
        room = fmax(room, es_text_room(c, size, name[i]));
    return room;
}

/* Writes a value with the figure's decimals and never as -0. */
static void format_value(const es_heatmap *h, double value, char out[32]) {
    (void)snprintf(out, 32, "%.*f", h->decimals, fabs(value));
    bool zero = true;
    for (const char *at = out; *at; at++)
        zero = zero && (*at == '0' || *at == '.');
    if (value < 0 && !zero)
        (void)snprintf(out, 32, "−%.*f", h->decimals, fabs(value));
}

/* Numbers go into cells when the widest of them fits at a size that can be read. */
static double digits_size(const es_canvas *c, const es_heatmap *h, double cell) {
    char text[32];
    double room = 0;
    if (h->decimals < 0)
        return 0;
    for (size_t k = 0; k < h->rows * h->columns; k++)
        if (isfinite(h->value[k])) {
            format_value(h, h->value[k], text);
            room = fmax(room, es_text_room(c, 10, text));
        }
    double size = room > 0 ? 10 * (cell - 2.5) / room : 0;
    return size >= 6.5 && cell >= 12 ? fmin(size, ES_FONT_SMALL) : 0;
}

/* ---- what the numbers in the bars are: a row of its own ---- */

static unsigned most_group(const es_heatmap *h) {
    const unsigned *group = h->row_group ? h->row_group : h->column_group;
    size_t count = h->row_group ? h->rows : h->columns;
    unsigned most = 0;
    for (size_t i = 0; i < count; i++)
        most = group[i] > most ? group[i] : most;
    return most;
}

static bool has_group(const es_heatmap *h, unsigned group) {
    bool found = false;
    for (size_t i = 0; h->row_group && i < h->rows; i++)
        found = found || h->row_group[i] == group;
    for (size_t j = 0; h->column_group && j < h->columns; j++)
        found = found || h->column_group[j] == group;
    return found;
}

static const char *group_title(const es_heatmap *h) {
    return h->group_title ? h->group_title : "communities";
}

/* Lines of squares; drawn from y on where `draw`. */
static size_t walk_groups(const es_canvas *c, const es_heatmap *h, double y, bool draw) {
    double x = es_text_room(c, ES_FONT_SMALL, group_title(h)) + 5;
    size_t lines = 1;
    char text[16];
    if (draw)
        es_put_text(c, 0, y + ES_GROUP_BAR / 2, ES_FONT_SMALL, ES_ALIGN_LEFT, group_title(h));
    for (unsigned g = 1; g <= most_group(h); g++) {
        if (!has_group(h, g))
            continue;
        if (x + KEY_STEP > c->width) {
            x = 0;
            lines++;
        }
        if (draw) {
            double top = y + KEY_LINE * (double)(lines - 1);
            es_rgb colour = es_group_colour(c, g);
            es_ink_set(c, colour);
            es_put_rectangle(c, x, top - 0.5, KEY_STEP - 2, ES_GROUP_BAR + 1);
            (void)snprintf(text, sizeof text, "%u", g);
            es_ink_set(c, es_rgb_on(colour));
            es_put_text(c, x + KEY_STEP / 2 - 1, top + ES_GROUP_BAR / 2, 5.5, ES_ALIGN_CENTRE,
                        text);
        }
        x += KEY_STEP;
    }
    return lines;
}

static size_t group_key_lines(const es_canvas *c, const es_heatmap *h) {
    return walk_groups(c, h, 0, false);
}

static es_text_lines key_lines(const es_canvas *c) {
    return (es_text_lines){
        .size = ES_FONT_NORMAL, .width = c->width, .leading = 9, .align = ES_ALIGN_LEFT};
}

/* Finds the size of a cell and the places of names, trees and the scale. */
static es_status lay_out(const es_canvas *c, const es_heatmap *h, layout *l, es_error *err) {
    *l = (layout){0};
    find_limits(h, l);
    double left = h->row_tree ? TREE + GAP : 0, top = h->column_tree ? TREE + GAP : 0;
    left += h->row_group ? ES_GROUP_BAR + GAP : 0;
    top += h->column_group ? ES_GROUP_BAR + GAP : 0;
    double most = 0.32 * c->width;
    l->names_w = fmin(widest_name(c, h->row_name, h->rows, ES_FONT_NORMAL), most);
    double room = c->width - left - l->names_w - 2 * GAP - HEAD;
    l->cell = fmin(room / (double)h->columns, WIDEST_CELL);
    l->font = fmax(fmin(l->cell * 0.95, ES_FONT_NORMAL), LEAST_NAME);
    l->names_w *= l->font / ES_FONT_NORMAL;
    l->every_row = l->every_column = (size_t)fmax(1, ceil(1.02 * l->font / l->cell));
    l->names_h = fmin(widest_name(c, h->column_name, h->columns, l->font), 0.32 * c->width);
    ES_PASS(es_fitted_names_make(c, l->font, h->row_name, h->rows, l->names_w, &l->row, err));
    ES_PASS(
        es_fitted_names_make(c, l->font, h->column_name, h->columns, l->names_h, &l->column, err));
    l->names_h = l->column.widest;
    l->x = left;
    l->y = top;
    l->font_digits = digits_size(c, h, l->cell);
    l->height = top + l->cell * (double)h->rows + GAP + l->names_h + GAP + HEAD + 4;
    l->key = l->height;
    const es_text_lines how = key_lines(c);
    l->height += KEY_HEIGHT + 24 + fmax(0, es_lines_height(c, &how, h->value_title) - how.leading);
    l->group_key = l->height;
    if (h->row_group || h->column_group)
        l->height += KEY_LINE * (double)group_key_lines(c, h) + 2;
    return ES_OK;
}

/* ---- drawing ---- */

static es_rgb colour_of(const es_canvas *c, const es_heatmap *h, const layout *l, double value) {
    double alone = h->map == ES_HEAT_DIVERGING ? 0.5 : 0;
    if (!(l->high > l->low))
        return es_heat_colour(c, h->map, h->gradient, value > l->low ? 1 : alone);
    return es_heat_colour(c, h->map, h->gradient, (value - l->low) / (l->high - l->low));
}

static void put_missing(const es_canvas *c, double x, double y, double cell) {
    es_ink_set(c, c->ink.faint);
    es_put_line(c, x + cell * 0.25, y + cell * 0.75, x + cell * 0.75, y + cell * 0.25,
                ES_LINE_THIN);
}

static void put_cells(const es_canvas *c, const es_heatmap *h, const layout *l) {
    char text[32];
    /* neighbours overlap by a hair, so that no background shines through between them */
    const double more = 0.15;
    cairo_save(c->cr);
    cairo_rectangle(c->cr, l->x, l->y, l->cell * (double)h->columns, l->cell * (double)h->rows);
    cairo_clip(c->cr);
    for (size_t i = 0; i < h->rows; i++)
        for (size_t j = 0; j < h->columns; j++) {
            double value = h->value[i * h->columns + j];
            double x = l->x + l->cell * (double)j, y = l->y + l->cell * (double)i;
            if (!isfinite(value)) {
                put_missing(c, x, y, l->cell);
                continue;
            }
            es_rgb colour = colour_of(c, h, l, value);
            es_ink_set(c, colour);
            es_put_rectangle(c, x, y, l->cell + more, l->cell + more);
        }
    for (size_t k = 0; l->font_digits > 0 && k < h->rows * h->columns; k++) {
        if (!isfinite(h->value[k]))
            continue;
        size_t i = k / h->columns, j = k % h->columns;
        format_value(h, h->value[k], text);
        es_ink_set(c, es_rgb_on(colour_of(c, h, l, h->value[k])));
        es_put_text(c, l->x + l->cell * ((double)j + 0.5), l->y + l->cell * ((double)i + 0.5),
                    l->font_digits, ES_ALIGN_CENTRE, text);
    }
    cairo_restore(c->cr);
}

static void put_names(const es_canvas *c, const es_heatmap *h, const layout *l) {
    double right = l->x + l->cell * (double)h->columns + GAP;
    double below = l->y + l->cell * (double)h->rows + GAP;
    es_ink_set(c, c->ink.text);
    for (size_t i = 0; i < h->rows; i += l->every_row)
        es_put_text(c, right, l->y + l->cell * ((double)i + 0.5), l->font, ES_ALIGN_LEFT,
                    l->row.text[i]);
    for (size_t j = 0; j < h->columns; j += l->every_column)
        es_put_turned(c, l->x + l->cell * ((double)j + 0.5), below, l->font, ES_ALIGN_RIGHT,
                      l->column.text[j]);
    es_put_turned(c, right + l->names_w + GAP + HEAD / 2, l->y + l->cell * (double)h->rows / 2,
                  ES_FONT_NORMAL, ES_ALIGN_CENTRE, h->row_title);
    es_put_text(c, l->x + l->cell * (double)h->columns / 2, below + l->names_h + GAP + HEAD / 2,
                ES_FONT_NORMAL, ES_ALIGN_CENTRE, h->column_title);
}

static void put_tick(const es_canvas *c, double at, double y, const char *text) {
    es_ink_set(c, c->ink.text);
    es_put_line(c, at, y + KEY_HEIGHT, at, y + KEY_HEIGHT + 2, ES_LINE_THIN);
    es_put_text(c, at, y + KEY_HEIGHT + 7, ES_FONT_SMALL, ES_ALIGN_CENTRE, text);
}

/* The scale below the colours. */
static void put_ticks(const es_canvas *c, const layout *l, double x, double y, double width) {
    es_scale axis = es_scale_make(l->low, l->high, 5);
    axis.from = x + width * (axis.low - l->low) / (l->high - l->low);
    axis.to = x + width * (axis.high - l->low) / (l->high - l->low);
    const es_stride stride = es_scale_stride(c, &axis, true);
    for (size_t k = 0; k < es_scale_ticks(&axis); k++) {
        double v = axis.low + (double)k * axis.step;
        if (v < l->low - 1e-9 || v > l->high + 1e-9 || !es_stride_has(stride, k))
            continue;
        char text[32];
        double shown = fabs(v) < axis.step / 1e6 ? 0 : v;
        (void)snprintf(text, sizeof text, "%s%.*f", shown < 0 ? "−" : "", axis.decimals,
                       fabs(shown));
        put_tick(c, es_scale_at(&axis, v), y, text);
    }
}

static void put_key(const es_canvas *c, const es_heatmap *h, const layout *l) {
    enum { STEPS = 96 };
    bool alone = !(l->high > l->low);
    char only[32];
    const es_text_lines how = key_lines(c);
    double width = fmin(fmax(l->cell * (double)h->columns, 110), 200), x = l->x;
    double y = l->key;
    x = fmax(x, 12); /* half of its first number */
    if (x + width > c->width)
        x = fmax(0, c->width - width);
    for (int k = 0; k < STEPS; k++) {
        es_ink_set(c, alone ? colour_of(c, h, l, l->low)
                            : es_heat_colour(c, h->map, h->gradient, (k + 0.5) / STEPS));
        es_put_rectangle(c, x + width * k / STEPS, y, width / STEPS + 0.3, KEY_HEIGHT);
    }
    format_value(h, l->low, only);
    if (alone)
        put_tick(c, x + width / 2, y, only);
    else
        put_ticks(c, l, x, y, width);
    /* an arrow where values lie beyond the last colour */
    for (int side = 0; side < 2; side++) {
        if (!(side ? l->beyond : l->below))
            continue;
        double end = side ? x + width : x, tip = side ? end + 6 : end - 6;
        es_ink_set(c, es_heat_colour(c, h->map, h->gradient, side));
        cairo_move_to(c->cr, end, y);
        cairo_line_to(c->cr, tip, y + KEY_HEIGHT / 2);
        cairo_line_to(c->cr, end, y + KEY_HEIGHT);
        cairo_close_path(c->cr);
        cairo_fill(c->cr);
    }
    es_ink_set(c, c->ink.text);
    es_put_lines(c, &how,
                 fmax(0, fmin(x, c->width - es_text_room(c, how.size,
                                                         h->value_title ? h->value_title : ""))),
                 y + KEY_HEIGHT + 12, h->value_title);
}

static es_status draw_heatmap(const es_canvas *c, const es_heatmap *h, const layout *l,
                              es_error *err) {
    double x = 0, y = 0;
    put_cells(c, h, l);
    put_names(c, h, l);
    es_ink_set(c, c->ink.faint);
    if (h->row_tree) {
        ES_PASS(es_put_branches(c, h->row_tree, l->cell, TREE, ES_BRANCH_LEFT, TREE, l->y, err));
        x = TREE + GAP;
    }
    if (h->column_tree) {
        ES_PASS(
            es_put_branches(c, h->column_tree, l->cell, TREE, ES_BRANCH_ABOVE, l->x, TREE, err));
        y = TREE + GAP;
    }
    if (h->row_group)
        es_put_group_bar(c, h->row_group, h->rows, l->cell, x, l->y, true);
    if (h->column_group)
        es_put_group_bar(c, h->column_group, h->columns, l->cell, l->x, y, false);
    put_key(c, h, l);
    es_ink_set(c, c->ink.text);
    if (h->row_group || h->column_group)
        (void)walk_groups(c, h, l->group_key, true);
    return ES_OK;
}

/* ---- the page ---- */

typedef struct sheet {
    size_t across;
    double wide; /* of a panel */
    layout *at;  /* (panels) zero where it has not been laid out */
    double *top; /* (panels) */
    double height;
} sheet;

/* Rows of panels, as high as the highest in them. */
static es_status arrange(const es_canvas *c, const es_heatmap *h, size_t panels, sheet *s,
                         es_error *err) {
    enum { ROOM = 14 };
    s->across = panels == 1 ? 1 : panels <= 4 ? 2 : 3;
    s->wide = (c->width - ROOM * (double)(s->across - 1)) / (double)s->across;
    s->at = es_alloc_zero(panels, sizeof *s->at);
    s->top = es_alloc(panels, sizeof *s->top);
    if (!s->at || !s->top)
        return es_no_memory(err);
    es_canvas part = *c;
    part.width = s->wide;
    for (size_t k = 0; k < panels; k += s->across) {
        double tall = 0;
        for (size_t i = k; i < panels && i < k + s->across; i++) {
            ES_PASS(lay_out(&part, &h[i], &s->at[i], err));
            s->top[i] = s->height;
            tall = fmax(tall, s->at[i].height);
        }
        s->height += tall + (k + s->across < panels ? ROOM : 0);
    }
    return ES_OK;
}

static size_t unnamed(size_t count, size_t every) {
    return count - (count + every - 1) / every;
}

/* Names that no panel shows; rows and columns of one matrix are the same. */
static size_t most_unnamed(const es_heatmap *h, const sheet *s, size_t panels) {
    size_t most = 0;
    for (size_t k = 0; k < panels; k++) {
        size_t rows = unnamed(h[k].rows, s->at[k].every_row);
        size_t columns = unnamed(h[k].columns, s->at[k].every_column);
        bool same = h[k].row_name == h[k].column_name;
        size_t count = same ? (rows > columns ? rows : columns) : rows + columns;
        most = count > most ? count : most;
    }
    return most;
}

es_status es_figure_heatmaps(const es_heatmap *h, size_t panels, const es_figure_style *style,
                             es_picture format, es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c;
    sheet s = {0};
    bool wide = panels > 1 || h->columns > 9;
    ES_TRY(es_canvas_init(&c, style, wide ? ES_FIGURE_DOUBLE : ES_FIGURE_SINGLE, err));
    ES_TRY(arrange(&c, h, panels, &s, err));
    es_canvas_unnamed(&c, most_unnamed(h, &s, panels));
    ES_TRY(es_canvas_page(&c, s.height, format, out, err));
    for (size_t k = 0; k < panels; k++) {
        double pitch = s.across > 1 ? (c.width - s.wide) / (double)(s.across - 1) : 0;
        es_canvas part = c;
        part.width = s.wide;
        cairo_save(c.cr);
        cairo_translate(c.cr, pitch * (double)(k % s.across), s.top[k]);
        st = draw_heatmap(&part, &h[k], &s.at[k], err);
        cairo_restore(c.cr);
        if (st != ES_OK)
            goto done;
    }
    st = es_canvas_finish(&c, err);
done:
    for (size_t k = 0; s.at && k < panels; k++) {
        es_fitted_names_deinit(&s.at[k].row);
        es_fitted_names_deinit(&s.at[k].column);
    }
    es_free(s.at);
    es_free(s.top);
    es_canvas_deinit(&c);
    return st;
}

es_status es_figure_heatmap(const es_heatmap *h, const es_figure_style *style, es_picture format,
                            es_buf *out, es_error *err) {
    return es_figure_heatmaps(h, 1, style, format, out, err);
}
