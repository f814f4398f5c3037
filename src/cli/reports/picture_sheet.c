/* The figure of a sheet, as its plot says: a forest, lines over x, or points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli_reports.h"

static const char *title_of(const es_table_out *t, size_t column) {
    const es_out_column *c = es_table_out_column(t, column);
    return c->title ? c->title : c->key;
}

static const char *name_of(const es_table_out *t, size_t row, size_t column) {
    const char *name = es_table_out_text_at(t, row, column);
    return name ? name : "";
}

/* The interval of a value: as the plot says of the first, else the two columns behind it. */
static void take_interval(const es_sheet_plot *plot, const es_table_out *t, size_t row, double *low,
                          double *high) {
    size_t from = plot->high > 0 ? plot->low : plot->value[0] + 1;
    size_t to = plot->high > 0 ? plot->high : from + 1;
    bool band = to < es_table_out_columns(t) &&
                (plot->high > 0 || (es_table_out_column(t, from)->flags & ES_COLUMN_LOW) != 0);
    *low = band ? es_table_out_number_at(t, row, from) : (double)NAN;
    *high = band ? es_table_out_number_at(t, row, to) : (double)NAN;
}

static es_status draw_forest(es_sketch *sketch, const es_sheet_plot *plot, const es_table_out *t,
                             es_error *err) {
    size_t n = es_table_out_rows(t);
    es_forest_row *row = es_sketch_room(sketch, n, sizeof *row);
    if (!row)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        row[i] = (es_forest_row){.name = name_of(t, i, plot->label),
                                 .rank = i + 1,
                                 .value = es_table_out_number_at(t, i, plot->value[0])};
        take_interval(plot, t, i, &row[i].low, &row[i].high);
    }
    const es_forest forest = {.row = row,
                              .count = n,
                              .heading = title_of(t, plot->label),
                              .axis = title_of(t, plot->value[0]),
                              .null_low = plot->line,
                              .null_high = plot->line};
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The different x of all rows, ascending: how many. */
static size_t list_x(const es_table_out *t, size_t column, double *x) {
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < es_table_out_rows(t); i++)
        if (isfinite(x[n] = es_table_out_number_at(t, i, column)))
            n++;
    qsort(x, n, sizeof *x, ascending);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || x[i] > x[kept - 1])
            x[kept++] = x[i];
    return kept;
}

static es_status draw_lines(es_sketch *sketch, const es_sheet_plot *plot, const es_table_out *t,
                            es_error *err) {
    size_t n = es_table_out_rows(t), lines = 0;
    es_curve_line line[ES_CURVE_LINES] = {{NULL, NULL, NULL, NULL}};
    double *x = es_sketch_room(sketch, n + 1, sizeof *x),
           *y = es_sketch_room(sketch, (n + 1) * ES_CURVE_LINES, sizeof *y);
    if (!x || !y)
        return es_no_memory(err);
    size_t points = list_x(t, plot->x, x);
    for (size_t i = 0; i < points * ES_CURVE_LINES; i++)
        y[i] = (double)NAN;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0, at = 0;
        while (k < lines && strcmp(line[k].title, name_of(t, i, plot->label)) != 0)
            k++;
        if (k == ES_CURVE_LINES)
            continue;
        if (k == lines)
            line[lines++] =
                (es_curve_line){.title = name_of(t, i, plot->label), .y = y + k * points};
        while (at < points && x[at] < es_table_out_number_at(t, i, plot->x))
            at++;
        if (at < points)
            y[k * points + at] = es_table_out_number_at(t, i, plot->value[0]);
    }
    const es_curve curve = {.points = points,
                            .x = x,
                            .line = line,
                            .lines = lines,
                            .dots = true,
                            .bridged = true,
                            .x_title = title_of(t, plot->x),
                            .y_title = title_of(t, plot->value[0]),
                            .mark_x = (double)NAN};
    return es_figure_curves(&curve, 1, ES_SKETCHED(sketch), err);
}

/* Points of several x: the column before the value, or x on a logarithmic axis. */
static es_status draw_points(es_sketch *sketch, const es_sheet_plot *plot, const es_table_out *t,
                             es_error *err) {
    size_t n = es_table_out_rows(t);
    bool log_x = plot->kind == ES_DRAWN_POINTS;
    size_t from = log_x ? plot->x : plot->value[0] - 1;
    double *x = es_sketch_room(sketch, 2 * n + 1, sizeof *x);
    const char **name = es_sketch_room(sketch, n + 1, sizeof *name);
    if (!x || !name)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        double at = es_table_out_number_at(t, i, from);
        x[i] = log_x ? log2(at) : at;
        x[n + i] = es_table_out_number_at(t, i, plot->value[0]);
        name[i] = name_of(t, i, plot->label);
    }
    const es_scatter scatter = {.n = n,
                                .x = x,
                                .y = x + n,
                                .name = name,
                                .x_title = title_of(t, from),
                                .y_title = title_of(t, plot->value[0]),
                                .slope = (double)NAN,
                                .intercept = (double)NAN,
                                .log_x = log_x};
    return es_figure_scatter(&scatter, ES_SKETCHED(sketch), err);
}

es_status es_picture_sheet(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_sheet *sheet = d->what;
    const es_sheet_plot *plot = &sheet->plot;
    if (plot->kind == ES_DRAWN_NOT || plot->values == 0)
        return es_fail(err, ES_EEMPTY, "%s has no figure; write csv, md, tex or json",
                       sheet->title);
    for (size_t i = 0; i < sheet->statements; i++)
        if (sheet->statement[i].kind == ES_SAYS_ANSWER)
            es_buf_printf(&sketch->note, "%s ", sheet->statement[i].text);
    const es_table_out *t = sheet->table[plot->table];
    return plot->kind == ES_DRAWN_FOREST  ? draw_forest(sketch, plot, t, err)
           : plot->kind == ES_DRAWN_LINES ? draw_lines(sketch, plot, t, err)
                                          : draw_points(sketch, plot, t, err);
}
