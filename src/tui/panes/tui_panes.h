/* What views draw with: parts of a screen that several of them show. */
#ifndef ES_TUI_PANES_H
#define ES_TUI_PANES_H

#include "app_state.h"
#include "tui_draw.h"

/* What the ranking comes to, in the lines that a view has for it. */

/** app->headline, who is first in the role of what is strong. Nothing where r has no lines. */
void es_draw_answer(const es_app *app, es_grid *grid, es_rect r);

/* A plot between two axes with ticks at round numbers. */

/** What an axis spans; turned: its numbers are shown with their sign turned; log: values are
 * logarithms to base 2, of which numbers show the powers. */
typedef struct es_range {
    double low, high;
    bool turned, log;
} es_range;

/** Takes nothing in: low is above high. */
es_range es_range_none(bool turned);
void es_range_take(es_range *range, double value); /* NAN is skipped */
bool es_range_known(const es_range *range);

typedef struct es_axes {
    es_plot plot;
    es_axis x, y;
    double step_x, step_y; /* between ticks */
    bool turned_x, turned_y, log_x;
    int width; /* of the numbers on the left */
} es_axes;

/** Dots as this terminal can show them. */
es_plot_style es_axes_style(const es_app *app);
/** Room in `in` for the plot, its axes and their numbers; the plot is blanked. In less than
 *  ES_AXES_W x ES_AXES_H there is none. */
enum { ES_AXES_W = 16, ES_AXES_H = 5 };
es_axes es_axes_begin(const es_app *app, es_grid *grid, es_rect in, es_range x, es_range y);
void es_axes_draw(const es_axes *axes);
/** The dot of a value; outside the plot for one outside the axes. */
int es_axes_x(const es_axes *axes, double value);
int es_axes_y(const es_axes *axes, double value);

/* The overview of a table of scores: what it settles, and the standing with rank intervals. */

/** Draws the sheet of the leaderboard that is shown; place: the line of how many. */
void es_draw_board(const es_app *app, es_grid *grid, es_rect body, const char *place);

/* That a filter hides rows, in a pane's top border. */

/** Puts "filter: WORDS" before what a pane says at the right of its top border, if there is a
 *  filter. In a pane of `width` columns that has no room for all, the filter is shortened, then the
 *  rest of `right` gives way from its end, then `title` is cut: that rows are missing is
 *  always shown. */
void es_filter_mark(const es_app *app, const es_grid *grid, int width, char *title, char *right,
                    size_t capacity);
/** Columns that this takes of `right` where there is room; 0: there is no filter. */
int es_filter_width(const es_app *app, const es_grid *grid);

/* A score with its interval as a strip, in Rank and in the overview. */

/** Ends of the axis that the strips of all listed embedders share; false: nothing is known. */
bool es_strip_axis(const es_app *app, double *low, double *high);
/** Column 0..w-1 of a value on an axis; values beyond its ends are at them. */
int es_strip_place(double value, double low, double high, int w);
/** value: the lower bound, the value and the upper one, each of which may not be known. role: of a
 *  selected row, else ES_ROLE_TEXT. */
void es_draw_interval(es_grid *grid, es_rect at, const double axis[2], const double value[3],
                      es_role role, const char *point);
void es_draw_strip(const es_app *app, es_grid *grid, es_rect at, size_t item, es_role role);

/* A table of embedders: Pool and Rank. */

typedef struct es_item_table {
    es_table_id id;
    size_t name;            /* the column of the embedder's name */
    const size_t *pictures; /* columns that say nothing in words, or nothing new */
    size_t n_pictures;
    /** Draws what is not plain text, and returns true if it did. */
    bool (*cell)(const es_app *app, es_grid *grid, es_rect at, size_t column, size_t item,
                 es_role role);
    /** Is the row in the band at the left? NULL: there is none. */
    bool (*band)(const es_app *app, size_t item);
    /** Adds to the bottom border what the table means; NULL: nothing. w: the columns' widths, 0
     * where there is no room for one. */
    void (*bottom)(const es_app *app, const int *w, char *out, size_t capacity);
} es_item_table;

void es_item_table_draw(const es_app *app, es_grid *grid, es_rect pane, const es_item_table *table,
                        const char *title, const char *right);
/** Lines in `in` that no embedder takes. */
es_rect es_item_table_blank(const es_app *app, es_rect in);
/** What the shown columns say, a line each, as far as there is room, those with the shortest titles
 *  first. Returns the lines. */
int es_item_table_meanings(const es_app *app, es_grid *grid, es_rect blank,
                           const es_item_table *table, const int *w);
/** "e5-large, dim 1024, IS/d 0.412": what a row says, column by column; what is not known is left
 *  out. */
void es_item_table_words(const es_app *app, const es_item_table *table, size_t item, char *out,
                         size_t capacity);

/* The cells of the matrix, wherever it is drawn: what each shows, and how. */

typedef enum es_tile_kind {
    TILE_NONE,
    TILE_SELF,
    TILE_PENDING,
    TILE_RUNNING,
    TILE_FAILED,
    TILE_SATURATED, /* of no tile: what stands for a value at its bound */
    TILE_DECIDED,   /* of no tile: what stands for a value that one row decides */
    TILE_VALUE,
    TILE_KINDS
} es_tile_kind;

/** One drawn cell: a pair, or the mean of a block in the overview. */
typedef struct es_tile {
    es_tile_kind kind;
    double value;
    bool flash, preview; /* the overview's mean is a preview when any of its cells is */
    bool caveat;         /* a measure that says little here; so with the mean */
    bool saturated; /* of those with a caveat: as large as its bound lets it be; so with the mean */
    bool decided;   /* a single row decides it (es_row_decides); so with the mean */
} es_tile;

/** The matrix as it is drawn now. */
typedef struct es_heatmap_view {
    const es_app *app;
    es_grid *grid;
    es_screen_sizes g;
    const es_list *list;
    const es_limits *limits;
    es_heat_metric metric;
    bool diverging;
    bool unrefined;           /* every value is a preview: marked once, not in each cell */
    size_t top, left;         /* items of the first cell; 0 in the overview */
    int x, y;                 /* of the first cell */
    size_t rows, columns;     /* drawn, of the items from top and left */
    size_t row_at, column_at; /* cursor, as indices of drawn cells; ES_NONE */
    size_t shown[TILE_KINDS],
        tentative; /* cells drawn of each kind; previews and those with a caveat */
} es_heatmap_view;

/** The pair at these places of the list, whatever is drawn. */
es_tile es_heatmap_pair(const es_heatmap_view *m, size_t row, size_t column);
/** The drawn cell at these places: a pair, or in the overview a block. */
es_tile es_heatmap_tile(const es_heatmap_view *m, size_t row, size_t column);
/** Its colour: that of its value, dimmed for a preview or a caveat. */
es_paint es_heatmap_paint(const es_heatmap_view *m, const es_tile *tile);
/** The character that stands for a step of the map, 0..255. */
uint32_t es_heatmap_ramp(int step, bool ascii);
/** Paint the cells of a rectangle, whatever stands in them. */
void es_heatmap_fill(es_grid *grid, es_rect r, es_paint fg, es_paint bg);
/** What tells the kind of a cell without a value. */
uint32_t es_heatmap_glyph(es_tile_kind kind);
es_role es_heatmap_role(const es_tile *tile);
/** A value as its cell shows it, for cells of one row. */
void es_heatmap_draw_value(const es_heatmap_view *m, es_rect r, const es_tile *tile);
/** Two values in one character. */
void es_heatmap_draw_two(const es_heatmap_view *m, int x, int y, const es_tile *upper,
                         const es_tile *lower);

/** Also counts what is drawn. */
void es_heatmap_draw_cells(es_heatmap_view *m);

/* Small shapes that several views draw. */

/** A bar of `w` columns filled to `fraction` (0..1; NAN = empty), in eighths of a column. */
void es_draw_bar(es_grid *grid, int x, int y, int w, double fraction, es_role full, es_role empty);
/** Values as a line of blocks, scaled from least to most; NAN is a blank. Returns columns used. */
int es_draw_spark(es_grid *grid, int x, int y, es_role role, const float *value, size_t count);
/** One block for a value of 0..255. */
void es_draw_level(es_grid *grid, int x, int y, es_role role, int step);
/** Text broken at blanks into lines of rect.w, `skip` lines left out. Returns the lines it has. */
int es_draw_wrap(es_grid *grid, es_rect rect, es_role role, const char *text, int skip);
/** As es_draw_wrap, but what goes on below a line of the form "word  text" stands below its text.
 */
int es_draw_list(es_grid *grid, es_rect rect, es_role role, const char *text, int skip);
/** A sentence in w columns: what is too long is cut at its end, not in its middle. */
void es_draw_sentence(es_grid *grid, int x, int y, int w, es_role role, const char *text);
/** A line that is being typed, scrolled so that its cursor shows; returns the column behind it. */
int es_draw_typed(es_grid *grid, es_rect r, const es_line *line);
/** A pane over everything else: cleared, bordered, with a shadow. Returns its inside. */
es_rect es_draw_overlay(es_grid *grid, es_rect rect, const char *title, const char *right,
                        const char *bottom);
es_rect es_draw_centred(const es_grid *grid, int w, int h);
/** What stands for "source to target" between two names. */
void es_draw_pair(es_grid *grid, int x, int y, int w, es_role role, const char *source,
                  const char *target);

/** A text that is written line by line into a pane and may be scrolled. */
typedef struct es_pen {
    es_grid *grid;
    es_rect rect;
    int y;
    es_rect old_clip;
} es_pen;
es_pen es_pen_begin(es_grid *grid, es_rect rect, size_t top);
void es_pen_end(es_pen *pen);
/** After that: says in the bottom border of the pane around it that there is more below, and the
 * key that leads there. */
void es_pen_tell_more(const es_pen *pen, es_rect pane, bool focused);
/** One line; longer ones are cut. NULL format: an empty line. */
void es_pen_line(es_pen *pen, es_role role, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** A glyph of its own role, then text, broken at blanks. */
void es_pen_item(es_pen *pen, es_role glyph_role, const char *glyph, es_role role,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/** Centred lines for a view that has nothing to show. */
void es_draw_empty(es_grid *grid, es_rect inside, const char *head, const char *text);
/** Nothing of what is shown is known yet, though another estimator of the plan may know pairs; then
 *  what to do about it. */
void es_draw_no_pairs(const es_app *app, es_grid *grid, es_rect inside, const char *what);
/** A folder without embedders: what one is, and what to do. */
void es_draw_no_embedders(const es_app *app, es_grid *grid, es_rect inside);
/** All embedders are hidden, or none matches the filter. */
void es_draw_none_listed(const es_app *app, es_grid *grid, es_rect inside);
/** Why there is nothing to rank or to draw; false when there is something. */
bool es_draw_nothing(const es_app *app, es_grid *grid, es_rect inside);

/** The first line shown of a list, so that line `at` (ES_NONE: none) is inside the page. */
size_t es_draw_first_line(size_t at, size_t count, int page);
/** The colour of a community of embedders, the same in every view. */
es_role es_draw_community(const es_app *app, size_t group);

/* What the worker threads are at. */

/** The name of a job's embedder, or that it is being prepared (ES_NONE). */
const char *es_thread_name(const es_app *app, size_t item);
/** The loss curve of a job, the newest `w` points. */
void es_draw_loss(es_grid *grid, int x, int y, int w, const es_activity *a);
/** A pane that lists the threads at work. */
void es_draw_threads(const es_app *app, es_grid *grid, es_rect pane);

/* What a view is: an object that its own file, view_NAME.c, defines, with all that the rest of the
 * explorer asks of it. view_table.def names it. */

typedef struct es_view {
    const char *brief; /* the title of its tab where there is little room */
    bool alone;        /* its commands work in a pool of which no two embedders can be compared */
    void (*draw)(const es_app *app, es_grid *grid, const es_layout *layout);
    /** What the row of an embedder says, in words; NULL: its name. */
    void (*row)(const es_app *app, size_t item, char *out, size_t capacity);
    /** What the cursor is on, in words, where that is not its row; false: it is. NULL: never. */
    bool (*place)(const es_app *app, char *out, size_t capacity);
    /** What the signs mean that only this view has; NULL: there are none, now (as an answer) or
     *  ever. */
    const char *(*signs)(const es_app *app);
} es_view;

#define V(id, letter, name, word, ...) extern const es_view es_view_##word;
#include "view_table.def"
#undef V

#endif
