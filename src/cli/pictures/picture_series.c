/* Series over their steps: the score with its interval, what steps hold of the one before and of
 * the first, downstream, and measures, one panel each, a line a series. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"

enum { PANELS = 12 };

typedef struct panels {
    size_t points, lines;
    double *x;     /* (points) all steps of all series, ascending */
    double *block; /* (columns, lines, 3, points) */
    es_curve_line *line;
    es_curve curve[PANELS];
    size_t count;
} panels;

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Lists the different steps of all runs, ascending. */
static void take_steps(panels *p, const es_series *s) {
    for (size_t i = 0; i < s->points; i++)
        if (s->point[i].series < p->lines)
            p->x[p->points++] = s->point[i].step;
    qsort(p->x, p->points, sizeof *p->x, ascending);
    size_t kept = 0;
    for (size_t i = 0; i < p->points; i++)
        if (kept == 0 || p->x[i] > p->x[kept - 1])
            p->x[kept++] = p->x[i];
    p->points = kept;
}

static size_t place_of(const panels *p, double step) {
    size_t i = 0;
    while (i < p->points && p->x[i] != step)
        i++;
    return i;
}

/* The values of a column by series and step; false: none is known. */
static bool spread(panels *p, const es_series *s, size_t column) {
    const es_series_column *c = &s->column[column];
    size_t n = p->points, room = 3 * n;
    double *block = p->block + p->count * (p->lines + 1) * room;
    es_curve_line *line = p->line + p->count * (p->lines + 1);
    bool any = false;
    for (size_t i = 0; i < p->lines * room; i++)
        block[i] = (double)NAN;
    for (size_t k = 0; k < p->lines; k++)
        line[k] = (es_curve_line){.title = s->run[k].name,
                                  .y = block + k * room,
                                  .low = c->low ? block + k * room + n : NULL,
                                  .high = c->low ? block + k * room + 2 * n : NULL};
    for (size_t i = 0; i < s->points; i++) {
        if (s->point[i].series >= p->lines)
            continue;
        double *own = block + s->point[i].series * room + place_of(p, s->point[i].step);
        own[0] = c->value[i];
        own[n] = c->low ? c->low[i] : (double)NAN;
        own[2 * n] = c->high ? c->high[i] : (double)NAN;
        any = any || isfinite(c->value[i]);
    }
    return any;
}

/* A further line in every panel, flat where the embedder of no run has such a value. */
static void put_baseline(panels *p, const es_series_of *of, const es_series *s, size_t column) {
    size_t n = p->points, room = 3 * n, at = p->count * (p->lines + 1);
    double *block = p->block + at * room + p->lines * room;
    double value = column == ES_SERIES_SCORE  ? of->score[s->baseline]
                   : column == ES_SERIES_RANK ? of->decision->ranking->rank[s->baseline]
                                              : (double)NAN;
    for (size_t i = 0; i < n; i++)
        block[i] = value;
    p->line[at + p->lines] =
        (es_curve_line){.title = es_results_label(of->results, s->baseline), .y = block};
}

/* Fills a panel for each column that is drawn: lines of runs over steps. */
static es_status make_panels(es_sketch *sketch, panels *p, const es_series *s,
                             const es_series_of *of, es_error *err) {
    bool beside = s->baseline != SIZE_MAX;
    size_t most = ES_CURVE_LINES - (beside ? 1 : 0);
    p->lines = s->runs < most ? s->runs : most;
    p->x = es_sketch_room(sketch, s->points + 1, sizeof *p->x);
    p->block =
        es_sketch_room(sketch, (s->points + 1) * 3 * (p->lines + 1), PANELS * sizeof *p->block);
    p->line = es_sketch_room(sketch, p->lines + 1, PANELS * sizeof *p->line);
    if (!p->x || !p->block || !p->line)
        return es_no_memory(err);
    take_steps(p, s);
    for (size_t k = 0; k < s->columns && p->count < PANELS; k++) {
        if (k == ES_SERIES_OF_LAST || !spread(p, s, k))
            continue;
        if (beside)
            put_baseline(p, of, s, k);
        p->curve[p->count] = (es_curve){.points = p->points,
                                        .x = p->x,
                                        .line = p->line + p->count * (p->lines + 1),
                                        .lines = p->lines + (beside ? 1 : 0),
                                        .dots = true,
                                        .bridged = true,
                                        .upside_down = k == ES_SERIES_RANK,
                                        .x_title = "step",
                                        .y_title = s->column[k].title,
                                        .mark_x = (double)NAN};
        p->count++;
    }
    return p->count > 0 ? ES_OK
                        : es_fail(err, ES_EEMPTY, "no value of any step is known; estimate first");
}

es_status es_picture_series(es_sketch *sketch, const es_series *series, const es_series_of *of,
                            es_error *err) {
    panels p = {0};
    bool errors = es_series_of_errors(of);
    ES_PASS(make_panels(sketch, &p, series, of, err));
    es_buf_puts(&sketch->note, "Bands: 95 %. ");
    es_buf_puts(&sketch->note,
                errors ? "Errors are of another step, or by it: lower is better. "
                       : "Kept, known: information sufficiency for another step, or from "
                         "it, nats per dimension. ");
    if (series->baseline != SIZE_MAX)
        es_buf_printf(&sketch->note, "%s: the best embedder of no run. ",
                      es_results_label(of->results, series->baseline));
    if (series->runs > p.lines)
        es_buf_printf(&sketch->note, "%zu further series are not shown. ", series->runs - p.lines);
    return es_figure_curves(p.curve, p.count, ES_SKETCHED(sketch), err);
}
