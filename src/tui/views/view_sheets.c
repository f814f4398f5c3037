/* Sheets: the list of analyses, or one of them: its statements above, its table, and one of its
 * columns drawn beside the table where there is room. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui_panes.h"
#include "app_sheets.h"
#include "app_state.h"

enum { PLOT_W = 34, SCATTER_W = 30, GAP = 2 };

/* ---- the list ---- */

static void draw_list(const es_app *app, es_grid *grid, es_rect in) {
    size_t at = es_sheets_line(app), top = es_draw_first_line(at, es_analysis_count, in.h);
    int name = 26;
    for (size_t i = top; i < es_analysis_count && (int)(i - top) < in.h; i++) {
        const es_analysis *a = es_analyses[i];
        const char *lacks = es_analysis_lacks(a, es_sheets_there(app));
        es_rect row = {in.x, in.y + (int)(i - top), in.w, 1};
        es_role role = i == at ? ES_ROLE_SELECTION : lacks ? ES_ROLE_TEXT_DIM : ES_ROLE_TEXT;
        es_grid_fill(grid, row, role, ' ');
        es_grid_click_area(grid, row, ES_CLICK_LINE, i);
        if (i == at)
            es_grid_text(grid, row.x, row.y, role, "❯");
        es_grid_field(grid, row.x + 2, row.y, name - 2, -1, role, a->title);
        if (row.w > name + 10)
            es_draw_sentence(grid, row.x + name, row.y, row.w - name - 1, role,
                             lacks ? lacks : a->says);
    }
}

/* ---- columns ---- */

typedef struct shown_columns {
    size_t column[64];
    int x[64];
    size_t count;
    size_t hidden; /* that have no room */
} shown_columns;

static bool is_key(const es_table_out *t, size_t j) {
    return (es_table_out_column(t, j)->flags & ES_COLUMN_KEY) != 0;
}

/* True if every row has the same value in the column; it then gives way to others. */
static bool is_constant(const struct es_sheets_state *s, size_t j) {
    for (size_t i = 1; i < s->rows; i++) {
        const char *a = s->text[j], *b = s->text[i * s->columns + j];
        if ((a == NULL) != (b == NULL) || (a && strcmp(a, b) != 0))
            return false;
    }
    return s->rows > 1;
}

static int width_of(const struct es_sheets_state *s, const es_table_out *t, size_t j, int w) {
    int most = is_key(t, j) ? w * 2 / 5 : w / 2, own = (int)s->width[j];
    return own < most ? own : most;
}

/* Takes a column in, in the order of the table; false: there is no room. */
static bool take_column(shown_columns *out, size_t j, int own, int w, int *used) {
    size_t at = out->count;
    if (at == 64 || (at > 0 && *used + own > w))
        return false;
    for (; at > 0 && out->column[at - 1] > j; at--)
        out->column[at] = out->column[at - 1];
    out->column[at] = j;
    out->count++;
    *used += own + GAP;
    return true;
}

/* Keys first, then what fits from `from` on, columns that are the same in every row last; true if
 * the column under the cursor is among them. */
static bool fit(const struct es_sheets_state *s, const es_table_out *t, int w, size_t from,
                shown_columns *out) {
    enum { KEYS, OTHERS, CONSTANTS, PASSES };
    int x = 2, used = 2;
    bool here = s->column >= s->columns || s->width[s->column] == 0;
    *out = (shown_columns){0};
    for (int pass = 0; pass < PASSES; pass++)
        for (size_t j = 0; j < s->columns; j++) {
            int own = is_key(t, j)                           ? KEYS
                      : j == s->column || !is_constant(s, j) ? OTHERS
                                                             : CONSTANTS;
            if (s->width[j] == 0 || own != pass || (own != KEYS && j < from))
                continue;
            bool taken = take_column(out, j, width_of(s, t, j, w), w, &used);
            here = here || (taken && j == s->column);
            out->hidden += !taken;
        }
    for (size_t k = 0; k < out->count; k++) {
        out->x[k] = x;
        x += width_of(s, t, out->column[k], w) + GAP;
    }
    return here;
}

static void choose_columns(const struct es_sheets_state *s, const es_table_out *t, int w,
                           shown_columns *out) {
    *out = (shown_columns){0};
    for (size_t from = 0; from < s->columns; from++)
        if (fit(s, t, w, from, out))
            return;
}

static const char *heading(const es_out_column *c) {
    return c->brief ? c->brief : c->title ? c->title : c->key;
}

static int align_of(const es_out_column *c) {
    return c->kind == ES_COLUMN_TEXT ? -1 : 1;
}

static void draw_head(const struct es_sheets_state *s, const es_table_out *t,
                      const shown_columns *c, es_grid *grid, es_rect r) {
    es_grid_fill(grid, r, ES_ROLE_COLUMN_HEADER, ' ');
    for (size_t k = 0; k < c->count; k++) {
        size_t j = c->column[k];
        const es_out_column *about = es_table_out_column(t, j);
        char text[128];
        const char *arrow = j != s->sort ? "" : s->descending ? "▼" : "▲";
        (void)snprintf(text, sizeof text, "%.100s%s", heading(about), arrow);
        es_role role = j == s->column ? ES_ROLE_SELECTION_BLUR
                       : j == s->sort ? ES_ROLE_COLUMN_SORTED
                                      : ES_ROLE_COLUMN_HEADER;
        int w = width_of(s, t, j, r.w), need = es_grid_width(grid, text);
        bool right = align_of(about) > 0 && need > w; /* an arrow may stand in the gap before it */
        es_grid_field(grid, r.x + c->x[k] - (right ? 1 : 0), r.y, w + (right ? 1 : 0),
                      align_of(about), role, text);
    }
    if (c->hidden > 0)
        es_grid_text(grid, r.x + r.w - 1, r.y, ES_ROLE_COLUMN_SORTED, grid->ascii ? ">" : "›");
}

static void draw_row(const es_app *app, const es_table_out *t, const shown_columns *c,
                     es_grid *grid, es_rect r, size_t line) {
    const struct es_sheets_state *s = app->sheets;
    es_role role = line == s->line ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
    size_t row = s->order[line], item = es_sheets_item(app, line);
    es_grid_fill(grid, r, role, ' ');
    es_grid_click_area(grid, r, ES_CLICK_LINE, line);
    if (line == s->line)
        es_grid_text(grid, r.x, r.y, role, "❯");
    if (item != ES_NONE && app->marked[item])
        es_grid_text(grid, r.x + 1, r.y, line == s->line ? role : ES_ROLE_MARK, "●");
    for (size_t k = 0; k < c->count; k++) {
        size_t j = c->column[k];
        const char *text = s->text[row * s->columns + j];
        es_grid_field(grid, r.x + c->x[k], r.y, width_of(s, t, j, r.w),
                      align_of(es_table_out_column(t, j)), role, text ? text : "-");
    }
}

/* ---- drawn beside the table ---- */

static void take_interval(const es_sheet_plot *plot, const es_table_out *t, size_t row, size_t j,
                          double *low, double *high) {
    size_t n = es_table_out_columns(t), from = j + 1, to = j + 2;
    bool band = to < n && (es_table_out_column(t, from)->flags & ES_COLUMN_LOW) != 0;
    if (plot->high > 0 && j == plot->value[0]) {
        from = plot->low;
        to = plot->high;
        band = true;
    }
    *low = band ? es_table_out_number_at(t, row, from) : (double)NAN;
    *high = band ? es_table_out_number_at(t, row, to) : (double)NAN;
}

/* A value with its interval in the line of its row. */
static void draw_strips(const es_app *app, const es_table_out *t, es_grid *grid, es_rect in,
                        size_t top) {
    const struct es_sheets_state *s = app->sheets;
    size_t j = es_sheets_drawn(app);
    es_range range = es_range_none(false);
    double low, high;
    for (size_t i = 0; i < s->rows; i++) {
        take_interval(&s->sheet->plot, t, i, j, &low, &high);
        es_range_take(&range, es_table_out_number_at(t, i, j));
        es_range_take(&range, low);
        es_range_take(&range, high);
    }
    if (!es_range_known(&range) || in.w < 8)
        return;
    double line = s->sheet->plot.line;
    for (int y = 0; y < in.h && top + (size_t)y < s->rows; y++) {
        size_t row = s->order[top + (size_t)y];
        double value = es_table_out_number_at(t, row, j);
        take_interval(&s->sheet->plot, t, row, j, &low, &high);
        if (isfinite(line))
            es_grid_text(grid, in.x + es_strip_place(line, range.low, range.high, in.w), in.y + y,
                         ES_ROLE_AXIS, "│");
        es_draw_interval(grid, (es_rect){in.x, in.y + y, in.w, 1},
                         (double[]){range.low, range.high}, (double[]){low, value, high},
                         ES_ROLE_TEXT, grid->ascii ? "o" : "●");
    }
}

typedef struct sketch {
    const es_app *app;
    const es_table_out *table;
    const es_sheet_plot *plot;
    size_t value, here; /* here: row under the cursor; SIZE_MAX: it is of another table */
    es_axes axes;
} sketch;

static bool same_line(const sketch *k, size_t a, size_t b) {
    const char *x = es_table_out_text_at(k->table, a, k->plot->label),
               *y = es_table_out_text_at(k->table, b, k->plot->label);
    return x && y && strcmp(x, y) == 0;
}

/* The line under the cursor; beside another table that of the embedder that is chosen. */
static bool is_own(const sketch *k, size_t row) {
    const char *name = es_table_out_text_at(k->table, row, k->plot->label);
    if (k->here != SIZE_MAX)
        return same_line(k, row, k->here);
    return name && k->app->cursor != ES_NONE &&
           strcmp(name, es_app_model(k->app, k->app->cursor)->name) == 0;
}

/* The point after `row` in its line: the next row of the same label with a value. */
static size_t next_of(const sketch *k, size_t row) {
    size_t rows = es_table_out_rows(k->table);
    for (size_t i = row + 1; i < rows; i++)
        if (same_line(k, row, i) && isfinite(es_table_out_number_at(k->table, i, k->value)))
            return i;
    return SIZE_MAX;
}

static void place(const sketch *k, size_t row, int *x, int *y) {
    *x = es_axes_x(&k->axes, es_table_out_number_at(k->table, row, k->plot->x));
    *y = es_axes_y(&k->axes, es_table_out_number_at(k->table, row, k->value));
}

static void draw_lines(const sketch *k) {
    size_t rows = es_table_out_rows(k->table);
    for (size_t row = 0; row < rows; row++) {
        int x, y, x2, y2;
        bool own = is_own(k, row);
        size_t next = next_of(k, row);
        if (!isfinite(es_table_out_number_at(k->table, row, k->value)))
            continue;
        place(k, row, &x, &y);
        if (next != SIZE_MAX) {
            place(k, next, &x2, &y2);
            es_plot_line(&k->axes.plot, x, y, x2, y2, 1, own ? ES_ROLE_FIT : ES_ROLE_TEXT_DIM);
        } else {
            const char *name = es_table_out_text_at(k->table, row, k->plot->label);
            (void)es_plot_label(&k->axes.plot, x, y, own ? ES_ROLE_TEXT : ES_ROLE_TEXT_DIM,
                                name ? name : "");
        }
        if (row == k->here)
            es_plot_glyph(&k->axes.plot, x, y, ES_ROLE_POINT_CURSOR, k->app->ascii ? "@" : "◆");
        else if (own)
            es_plot_glyph(&k->axes.plot, x, y, ES_ROLE_POINT, k->app->ascii ? "o" : "●");
    }
}

static void draw_plot(const es_app *app, es_grid *grid, es_rect in) {
    const struct es_sheets_state *s = app->sheets;
    const es_sheet_plot *plot = &s->sheet->plot;
    const es_table_out *t = s->sheet->table[plot->table];
    bool here = plot->table == s->at && s->line < s->rows;
    sketch k = {.app = app,
                .table = t,
                .plot = plot,
                .value = es_sheets_drawn(app),
                .here = here ? s->order[s->line] : SIZE_MAX};
    es_range x = es_range_none(false), y = x;
    for (size_t i = 0; i < es_table_out_rows(t); i++)
        if (isfinite(es_table_out_number_at(t, i, k.value))) {
            es_range_take(&x, es_table_out_number_at(t, i, k.plot->x));
            es_range_take(&y, es_table_out_number_at(t, i, k.value));
        }
    if (!es_range_known(&y) || in.w < ES_AXES_W || in.h < ES_AXES_H)
        return;
    k.axes = es_axes_begin(app, grid, in, x, y);
    es_axes_draw(&k.axes);
    draw_lines(&k);
}

/* ---- a scatter ---- */

enum { GROUPS = 52 };

/* Texts of the column that colours points, in the order in which they come. */
typedef struct groups {
    const char *name[GROUPS];
    size_t count[GROUPS], of;
} groups;

/* A text beyond the last place shares that; of none: GROUPS. */
static size_t group_of(groups *g, const char *name) {
    size_t at = 0;
    while (name && at < g->of && strcmp(g->name[at], name) != 0)
        at++;
    if (name && at == g->of && g->of < GROUPS)
        g->name[g->of++] = name;
    return !name ? GROUPS : at < GROUPS ? at : GROUPS - 1;
}

/* Without colours a letter for a group, since dots of all look the same. */
static void draw_point(const es_app *app, const es_plot *plot, int x, int y, size_t group) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (group == GROUPS)
        es_plot_dot(plot, x, y, ES_ROLE_TEXT_DIM);
    else if (app->mono)
        es_plot_glyph(plot, x, y, ES_ROLE_TEXT, (const char[]){letters[group], '\0'});
    else
        es_plot_point(plot, x, y, es_draw_community(app, group));
}

typedef struct scale {
    double low[2], width; /* of a square in which all points lie */
} scale;

/* Of the points at column y over the one before it. */
static scale scale_of(const es_table_out *t, size_t y) {
    double low[2] = {(double)INFINITY, (double)INFINITY}, high[2] = {-low[0], -low[0]};
    scale s = {.width = 1};
    for (size_t i = 0; i < es_table_out_rows(t); i++)
        for (size_t a = 0; a < 2; a++) {
            low[a] = fmin(low[a], es_table_out_number_at(t, i, y - 1 + a));
            high[a] = fmax(high[a], es_table_out_number_at(t, i, y - 1 + a));
        }
    s.width = fmax(high[0] - low[0], high[1] - low[1]);
    for (int a = 0; a < 2; a++) /* the shorter side in the middle */
        s.low[a] = (low[a] + high[a] - s.width) / 2;
    return s;
}

/* A dot is about as high as it is wide: a cell holds 2 x 4 of them. False: the row has no place. */
static bool dot_of(const scale *s, const es_plot *plot, const es_table_out *t, size_t row, size_t y,
                   int *dot_x, int *dot_y) {
    double at[2] = {es_table_out_number_at(t, row, y - 1), es_table_out_number_at(t, row, y)};
    int side = plot->w < plot->h ? plot->w : plot->h;
    double unit = s->width > 0 ? (side - 2) / s->width : 0;
    if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(s->width))
        return false;
    *dot_x = (plot->w - side) / 2 + (int)lround((at[0] - s->low[0]) * unit);
    *dot_y = plot->h - 1 - (plot->h - side) / 2 - (int)lround((at[1] - s->low[1]) * unit);
    return true;
}

static void draw_scatter(const es_app *app, es_grid *grid, es_rect in, size_t y, groups *g) {
    const struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    es_plot plot = es_plot_begin(grid, in, es_axes_style(app), ES_ROLE_BACKGROUND);
    scale own = scale_of(t, y);
    int dot_x, dot_y;
    *g = (groups){0};
    for (int pass = 0; pass < 2; pass++) /* what is of a group is drawn last */
        for (size_t row = 0; row < s->rows; row++) {
            size_t group = group_of(g, es_table_out_text_at(t, row, s->sheet->plot.label));
            if ((group == GROUPS) != (pass == 0) || !dot_of(&own, &plot, t, row, y, &dot_x, &dot_y))
                continue;
            g->count[group < GROUPS ? group : 0] += group < GROUPS;
            draw_point(app, &plot, dot_x, dot_y, group);
        }
    if (s->line < s->rows && dot_of(&own, &plot, t, s->order[s->line], y, &dot_x, &dot_y))
        es_plot_glyph(&plot, dot_x, dot_y, ES_ROLE_POINT_CURSOR, app->ascii ? "@" : "◆");
}

/* The groups with their colours, as far as there is room. */
static void draw_groups(const es_app *app, es_grid *grid, es_rect r, const groups *g) {
    char text[128], sign[2] = "o";
    int x = r.x;
    for (size_t k = 0; k < g->of; k++) {
        (void)snprintf(text, sizeof text, "%.100s %zu", g->name[k], g->count[k]);
        if (x + 2 + es_grid_width(grid, text) > r.x + r.w) {
            es_grid_text(grid, x, r.y, ES_ROLE_TEXT_DIM, "+");
            return;
        }
        sign[0] = app->mono ? (char)('a' + (int)k % 26) : 'o';
        x += es_grid_text(grid, x, r.y, app->mono ? ES_ROLE_TEXT : es_draw_community(app, k),
                          app->mono || app->ascii ? sign : "●") +
             1;
        x += es_grid_text(grid, x, r.y, ES_ROLE_TEXT, text) + 2;
    }
}

/* Every value side by side where there is room, else the chosen one. */
static void draw_scatters(const es_app *app, es_grid *grid, es_rect in) {
    const es_sheet_plot *plot = &app->sheets->sheet->plot;
    const es_table_out *t = es_sheets_table(app);
    bool all = in.w / (int)plot->values >= SCATTER_W;
    size_t shown = all ? plot->values : 1;
    int w = in.w / (int)shown;
    groups g = {0};
    if (in.h < 4)
        return;
    for (size_t k = 0; k < shown; k++) {
        size_t y = all ? plot->value[k] : es_sheets_drawn(app);
        es_rect own = {in.x + (int)k * w, in.y, w - 1, in.h - 1};
        es_grid_field(grid, own.x, own.y, own.w, 0, ES_ROLE_COLUMN_HEADER,
                      heading(es_table_out_column(t, y)));
        draw_scatter(app, grid, (es_rect){own.x, own.y + 1, own.w, own.h - 1}, y, &g);
    }
    draw_groups(app, grid, (es_rect){in.x, in.y + in.h - 1, in.w, 1}, &g);
}

/* ---- points over a logarithm ---- */

static double log_of(const es_table_out *t, size_t row, size_t x) {
    double value = es_table_out_number_at(t, row, x);
    return value > 0 ? log2(value) : (double)NAN;
}

static bool is_point(const es_table_out *t, size_t row, size_t x, size_t y) {
    return isfinite(log_of(t, row, x)) && isfinite(es_table_out_number_at(t, row, y));
}

/* The embedder under the cursor is drawn last, and larger. */
static void draw_points(const es_app *app, es_grid *grid, es_rect in) {
    const struct es_sheets_state *s = app->sheets;
    const es_sheet_plot *plot = &s->sheet->plot;
    const es_table_out *t = es_sheets_table(app);
    size_t j = es_sheets_drawn(app), here = s->line < s->rows ? s->order[s->line] : SIZE_MAX;
    const char *own = here != SIZE_MAX ? es_table_out_text_at(t, here, plot->label) : NULL;
    es_range x = es_range_none(false), y = x;
    groups g = {0};
    x.log = true;
    for (size_t i = 0; i < s->rows; i++)
        if (is_point(t, i, plot->x, j)) {
            es_range_take(&x, log_of(t, i, plot->x));
            es_range_take(&y, es_table_out_number_at(t, i, j));
        }
    if (!es_range_known(&y) || in.w < ES_AXES_W || in.h < ES_AXES_H + 1)
        return;
    es_axes axes = es_axes_begin(app, grid, (es_rect){in.x, in.y, in.w, in.h - 1}, x, y);
    es_axes_draw(&axes);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->rows; i++) {
            const char *name = es_table_out_text_at(t, i, plot->label);
            size_t group = group_of(&g, name);
            bool is_own = own && name && strcmp(own, name) == 0;
            if (is_own != (pass == 1) || !is_point(t, i, plot->x, j))
                continue;
            int dot_x = es_axes_x(&axes, log_of(t, i, plot->x)),
                dot_y = es_axes_y(&axes, es_table_out_number_at(t, i, j));
            g.count[group < GROUPS ? group : 0] += group < GROUPS;
            if (is_own)
                es_plot_glyph(&axes.plot, dot_x, dot_y,
                              i == here ? ES_ROLE_POINT_CURSOR : es_draw_community(app, group),
                              app->ascii  ? (i == here ? "@" : "o")
                              : i == here ? "◆"
                                          : "●");
            else
                draw_point(app, &axes.plot, dot_x, dot_y, group);
        }
    if (here != SIZE_MAX && is_point(t, here, plot->x, j)) /* above its neighbours */
        es_plot_glyph(&axes.plot, es_axes_x(&axes, log_of(t, here, plot->x)),
                      es_axes_y(&axes, es_table_out_number_at(t, here, j)), ES_ROLE_POINT_CURSOR,
                      app->ascii ? "@" : "◆");
    draw_groups(app, grid, (es_rect){in.x, in.y + in.h - 1, in.w, 1}, &g);
}

/* ---- statements ---- */

/* Statements of one kind, in what room there is; returns the lines they took. */
static int draw_said(const es_sheet *sheet, es_says kind, es_role role, es_grid *grid, es_rect r) {
    int y = 0;
    for (size_t i = 0; i < sheet->statements && y < r.h; i++)
        if (sheet->statement[i].kind == kind)
            y += es_draw_wrap(grid, (es_rect){r.x, r.y + y, r.w, r.h - y}, role,
                              sheet->statement[i].text, 0);
    return y < r.h ? y : r.h;
}

/* What was left out, then what columns mean. */
static void draw_notes(const es_sheet *sheet, es_grid *grid, es_rect r) {
    int used = draw_said(sheet, ES_SAYS_WARNING, ES_ROLE_WARNING, grid, r);
    r.y += used;
    r.h -= used;
    (void)draw_said(sheet, ES_SAYS_NOTE, ES_ROLE_TEXT_DIM, grid, r);
}

/* Lines that they take in this width. */
static int note_lines(const es_sheet *sheet, es_grid *grid, int w) {
    int lines = 0;
    for (size_t i = 0; i < sheet->statements; i++)
        if (sheet->statement[i].kind != ES_SAYS_ANSWER)
            lines += es_draw_wrap(grid, (es_rect){0, 0, w, 0}, ES_ROLE_TEXT_DIM,
                                  sheet->statement[i].text, 0);
    return lines;
}

/* ---- the view ---- */

/* What the table leaves, up to half, and no less than a small plot. */
static int plot_width(const struct es_sheets_state *s, const es_table_out *t, int w) {
    int table = 2;
    for (size_t j = 0; j < s->columns; j++)
        table += s->width[j] > 0 ? width_of(s, t, j, w) + GAP : 0;
    int left = w - table;
    if (s->sheet->plot.kind == ES_DRAWN_SCATTER)
        return w * 3 / 5 < 2 * SCATTER_W ? w / 2 : w * 3 / 5;
    return left < PLOT_W ? PLOT_W : left > w / 2 ? w / 2 : left;
}

static void draw_table(const es_app *app, es_grid *grid, es_rect in) {
    const struct es_sheets_state *s = app->sheets;
    const es_table_out *t = es_sheets_table(app);
    es_drawing kind = es_sheets_drawn(app) == ES_NONE ? ES_DRAWN_NOT : s->sheet->plot.kind;
    int side = kind != ES_DRAWN_NOT && in.w >= 2 * PLOT_W ? plot_width(s, t, in.w) : 0;
    es_rect table = {in.x, in.y, in.w - side, in.h};
    shown_columns c;
    choose_columns(s, t, table.w, &c);
    draw_head(s, t, &c, grid, (es_rect){table.x, table.y, table.w, 1});
    size_t page = table.h > 1 ? (size_t)table.h - 1 : 0;
    size_t top = es_draw_first_line(s->line, s->rows, (int)page);
    for (size_t y = 0; y < page && top + y < s->rows; y++)
        draw_row(app, t, &c, grid, (es_rect){table.x, table.y + 1 + (int)y, table.w, 1}, top + y);
    if (side == 0)
        return;
    es_rect plot = {in.x + in.w - side + 1, in.y, side - 1, in.h};
    if (kind == ES_DRAWN_SCATTER) {
        draw_scatters(app, grid, plot);
        return;
    }
    es_grid_field(
        grid, plot.x, plot.y, plot.w, 0, ES_ROLE_COLUMN_HEADER,
        heading(es_table_out_column(s->sheet->table[s->sheet->plot.table], es_sheets_drawn(app))));
    plot = (es_rect){plot.x, plot.y + 1, plot.w, plot.h - 1};
    if (kind == ES_DRAWN_FOREST)
        draw_strips(app, t, grid, plot, top);
    else if (kind == ES_DRAWN_POINTS)
        draw_points(app, grid, plot);
    else
        draw_plot(app, grid, plot);
}

/* Answers, then the table, then notes in what it leaves: up to a quarter of the room at least. */
static void draw_sheet(const es_app *app, es_grid *grid, es_rect in) {
    const struct es_sheets_state *s = app->sheets;
    es_rect room = {in.x + 1, in.y, in.w - 2, in.h / 3};
    int above = draw_said(s->sheet, ES_SAYS_ANSWER, ES_ROLE_TEXT_STRONG, grid, room), table = 0;
    above += above > 0 ? 1 : 0;
    if (es_sheets_table(app) != NULL) {
        bool drawn = es_sheets_drawn(app) != ES_NONE && s->sheet->plot.kind != ES_DRAWN_FOREST;
        int notes = note_lines(s->sheet, grid, in.w - 2) + 1;
        int most = in.h - above - (notes < in.h / 4 ? notes : in.h / 4),
            rows = (int)(s->rows < 1000 ? s->rows : 1000) + 1;
        table = rows < most && !drawn ? rows : most;
        draw_table(app, grid, (es_rect){in.x, in.y + above, in.w, table});
        table++;
    }
    if (in.h > above + table)
        draw_notes(s->sheet, grid,
                   (es_rect){in.x + 1, in.y + above + table, in.w - 2, in.h - above - table});
}

/* Which table of how many, and the line. */
static void put_place(const struct es_sheets_state *s, char *out, size_t capacity) {
    char table[64] = "";
    if (s->sheet->tables > 1)
        (void)snprintf(table, sizeof table, "table %zu/%zu · ", s->at + 1, s->sheet->tables);
    if (s->sheet->tables > 0)
        (void)snprintf(out, capacity, "%s%s%zu/%zu", s->asking ? "updating · " : "", table,
                       s->rows > 0 ? s->line + 1 : 0, s->rows);
}

/* Where Esc leads. */
static const char *below(const es_app *app) {
    if (es_board_tab(app) == ES_VIEW_SHEETS)
        return es_sheets_where(app) != NULL ? "Esc: all values"
               : es_sheets_of_values(app)   ? "Esc: all columns"
                                            : "Esc: all sheets";
    return es_board_tab(app) == ES_VIEW_COMPARE || app->sheets->of != NULL ? "Esc: back"
           : es_board_tab(app) == ES_VIEW_RANK ? "Enter: compare with the first"
                                               : "Enter: what goes with this task";
}

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    const struct es_sheets_state *s = app->sheets;
    bool list = s == NULL || s->shown == NULL;
    const char *where = es_sheets_where(app);
    char right[128] = "", title[160];
    (void)snprintf(title, sizeof title, "%s%s%s", list ? "Sheets" : s->shown->title,
                   where ? ": " : "", where ? where : "");
    if (!list && s->sheet)
        put_place(s, right, sizeof right);
    if (es_board_tab(app) == ES_VIEW_OVERVIEW && !list && s->sheet && s->sheet->tables > 0) {
        es_draw_board(app, grid, layout->body, right);
        return;
    }
    es_rect in =
        es_grid_pane(grid, layout->body, true, title, right, list ? "Enter opens" : below(app));
    es_rect old = es_grid_clip(grid, in);
    const char *lacks = list ? NULL : es_analysis_lacks(s->shown, es_sheets_there(app));
    if (list)
        draw_list(app, grid, in);
    else if (lacks != NULL)
        es_draw_empty(grid, in, s->shown->title, lacks);
    else if (s->problem != NULL)
        es_draw_empty(grid, in, "There is no sheet", s->problem);
    else if (s->sheet == NULL)
        es_draw_empty(grid, in, "Making the sheet", "It appears here when it is ready.");
    else
        draw_sheet(app, grid, in);
    es_grid_set_clip(grid, old);
}

/* Writes the title of the line, or the row of the table, under the cursor. */
static bool put_where(const es_app *app, char *out, size_t capacity) {
    const struct es_sheets_state *s = app->sheets;
    if (s == NULL || s->shown == NULL || es_sheets_table(app) == NULL || s->line >= s->rows) {
        size_t at = es_sheets_line(app);
        (void)snprintf(out, capacity, "%s", es_analyses[at < es_analysis_count ? at : 0]->title);
        return true;
    }
    out[0] = '\0';
    for (size_t j = 0; j < s->columns; j++) {
        const char *text = s->text[s->order[s->line] * s->columns + j];
        if (text && (is_key(es_sheets_table(app), j) || j == s->column))
            es_phrase_add(out, capacity, "%s%s", out[0] == '\0' ? "" : ", ", text);
    }
    return out[0] != '\0';
}

const es_view es_view_sheets = {.brief = "Shts", .alone = true, .draw = draw, .place = put_where};
