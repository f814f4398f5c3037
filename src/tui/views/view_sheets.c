/* Sheets: the list of analyses, or one of them: its statements above, its table, and one of its
 * columns drawn beside the table where there is room. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axes.h"
#include "facts.h"
#include "interval_strip.h"
#include "shapes.h"
#include "sheets_state.h"
#include "view.h"

enum { PLOT_W = 34, GAP = 2 };

/* ---- the list ---- */

static void draw_list(const es_app *app, es_grid *grid, es_rect in) {
    size_t at = es_sheets_line(app), top = es_draw_first_line(at, es_analysis_count, in.h);
    int name = 26;
    for (size_t i = top; i < es_analysis_count && (int)(i - top) < in.h; i++) {
        const es_analysis *a = &es_analyses[i];
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

/* Is every row the same there? Such a column goes before a name is cut. */
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

/* Keys first, then what fits from `from` on; true if the column under the cursor is among them. */
static bool fit(const struct es_sheets_state *s, const es_table_out *t, int w, size_t from,
                bool constant, shown_columns *out) {
    int x = 2;
    bool here = s->column >= s->columns || s->width[s->column] == 0;
    *out = (shown_columns){0};
    for (size_t j = 0; j < s->columns; j++) {
        bool key = is_key(t, j);
        if (s->width[j] == 0 || (!key && (j < from || (!constant && is_constant(s, j)))))
            continue;
        int own = width_of(s, t, j, w);
        if (out->count == 64 || (out->count > 0 && x + own > w)) {
            out->hidden++;
            continue;
        }
        out->x[out->count] = x;
        out->column[out->count++] = j;
        here = here || j == s->column;
        x += own + GAP;
    }
    return here;
}

static void choose_columns(const struct es_sheets_state *s, const es_table_out *t, int w,
                           shown_columns *out) {
    (void)fit(s, t, w, 0, true, out);
    if (out->hidden == 0)
        return;
    bool constant = s->column < s->columns && is_constant(s, s->column);
    for (size_t from = 0; from < s->columns; from++)
        if (fit(s, t, w, from, constant, out))
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

static void take_interval(const es_table_out *t, size_t row, size_t j, double *low, double *high) {
    size_t n = es_table_out_columns(t);
    bool band = j + 2 < n && (es_table_out_column(t, j + 1)->flags & ES_COLUMN_LOW) != 0;
    *low = band ? es_table_out_number_at(t, row, j + 1) : (double)NAN;
    *high = band ? es_table_out_number_at(t, row, j + 2) : (double)NAN;
}

/* A value with its interval in the line of its row. */
static void draw_strips(const es_app *app, const es_table_out *t, es_grid *grid, es_rect in,
                        size_t top) {
    const struct es_sheets_state *s = app->sheets;
    size_t j = es_sheets_drawn(app);
    es_range range = es_range_none(false);
    double low, high;
    for (size_t i = 0; i < s->rows; i++) {
        take_interval(t, i, j, &low, &high);
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
        take_interval(t, row, j, &low, &high);
        if (isfinite(line))
            es_grid_text(grid, in.x + es_strip_place(line, range.low, range.high, in.w), in.y + y,
                         ES_ROLE_AXIS, grid->ascii ? "|" : "│");
        if (isfinite(low) && isfinite(high)) {
            int from = es_strip_place(low, range.low, range.high, in.w),
                to = es_strip_place(high, range.low, range.high, in.w);
            es_grid_fill(grid, (es_rect){in.x + from, in.y + y, to - from + 1, 1}, ES_ROLE_INTERVAL,
                         grid->ascii ? '-' : 0x2500);
        }
        if (isfinite(value))
            es_grid_text(grid, in.x + es_strip_place(value, range.low, range.high, in.w), in.y + y,
                         ES_ROLE_POINT, grid->ascii ? "o" : "●");
    }
}

typedef struct sketch {
    const es_app *app;
    const es_table_out *table;
    const es_sheet_plot *plot;
    size_t value;
    es_axes axes;
} sketch;

static bool same_line(const sketch *k, size_t a, size_t b) {
    const char *x = es_table_out_text_at(k->table, a, k->plot->label),
               *y = es_table_out_text_at(k->table, b, k->plot->label);
    return x && y && strcmp(x, y) == 0;
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
    const struct es_sheets_state *s = k->app->sheets;
    size_t here = s->line < s->rows ? s->order[s->line] : SIZE_MAX;
    for (size_t row = 0; row < s->rows; row++) {
        int x, y, x2, y2;
        bool own = here != SIZE_MAX && same_line(k, row, here);
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
        if (row == here)
            es_plot_glyph(&k->axes.plot, x, y, ES_ROLE_POINT_CURSOR, k->app->ascii ? "@" : "◆");
        else if (own)
            es_plot_glyph(&k->axes.plot, x, y, ES_ROLE_POINT, k->app->ascii ? "o" : "●");
    }
}

static void draw_plot(const es_app *app, const es_table_out *t, es_grid *grid, es_rect in) {
    const struct es_sheets_state *s = app->sheets;
    sketch k = {.app = app, .table = t, .plot = &s->sheet->plot, .value = es_sheets_drawn(app)};
    es_range x = es_range_none(false), y = x;
    for (size_t i = 0; i < s->rows; i++)
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

/* ---- the view ---- */

/* What the table leaves, up to half, and no less than a small plot. */
static int plot_width(const struct es_sheets_state *s, const es_table_out *t, int w) {
    int table = 2;
    for (size_t j = 0; j < s->columns; j++)
        table += s->width[j] > 0 ? width_of(s, t, j, w) + GAP : 0;
    int left = w - table;
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
    es_grid_field(grid, plot.x, plot.y, plot.w, 0, ES_ROLE_COLUMN_HEADER,
                  heading(es_table_out_column(t, es_sheets_drawn(app))));
    plot = (es_rect){plot.x, plot.y + 1, plot.w, plot.h - 1};
    if (kind == ES_DRAWN_FOREST)
        draw_strips(app, t, grid, plot, top);
    else
        draw_plot(app, t, grid, plot);
}

/* Answers, then the table, then notes in what it leaves: a quarter of the room at least. */
static void draw_sheet(const es_app *app, es_grid *grid, es_rect in) {
    const struct es_sheets_state *s = app->sheets;
    es_rect room = {in.x + 1, in.y, in.w - 2, in.h / 3};
    int above = draw_said(s->sheet, ES_SAYS_ANSWER, ES_ROLE_TEXT_STRONG, grid, room), table = 0;
    above += above > 0 ? 1 : 0;
    if (es_sheets_table(app) != NULL) {
        bool drawn = es_sheets_drawn(app) != ES_NONE && s->sheet->plot.kind == ES_DRAWN_LINES;
        int most = in.h - above - in.h / 4, rows = (int)(s->rows < 1000 ? s->rows : 1000) + 1;
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

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    const struct es_sheets_state *s = app->sheets;
    bool list = s == NULL || s->shown == NULL;
    char right[128] = "";
    if (!list && s->sheet)
        put_place(s, right, sizeof right);
    es_rect in = es_grid_pane(grid, layout->body, true, list ? "Sheets" : s->shown->title, right,
                              list ? "Enter opens" : "Esc: all sheets");
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

static bool where(const es_app *app, char *out, size_t capacity) {
    const struct es_sheets_state *s = app->sheets;
    if (s == NULL || s->shown == NULL || es_sheets_table(app) == NULL || s->line >= s->rows) {
        size_t at = es_sheets_line(app);
        (void)snprintf(out, capacity, "%s", es_analyses[at < es_analysis_count ? at : 0].title);
        return true;
    }
    size_t used = 0;
    out[0] = '\0';
    for (size_t j = 0; j < s->columns && used + 1 < capacity; j++) {
        const char *text = s->text[s->order[s->line] * s->columns + j];
        if (text && (is_key(es_sheets_table(app), j) || j == s->column))
            used += (size_t)snprintf(out + used, capacity - used, "%s%s", used ? ", " : "", text);
    }
    return out[0] != '\0';
}

const es_view es_view_sheets = {.brief = "Shts", .alone = true, .draw = draw, .place = where};
