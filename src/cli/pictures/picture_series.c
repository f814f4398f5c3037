/* Series over their steps: the score with its interval, what steps hold of the one before and of
 * the first, downstream, and measures, one panel each, a line a series. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"

enum { SERIES_PANELS = 12 };

typedef struct series_panels {
    size_t points, lines;
    double *x;     /* (points) all steps of all series, ascending */
    double *block; /* (columns, lines, 3, points) */
    es_curve_line *line;
    es_curve curve[SERIES_PANELS];
    size_t count;
} series_panels;

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Lists the different steps of all runs, ascending. */
static void take_steps(series_panels *p, const es_series *s) {
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

static size_t place_of(const series_panels *p, double step) {
    size_t i = 0;
    while (i < p->points && p->x[i] != step)
        i++;
    return i;
}

/* The values of a column by series and step; false: none is known. */
static bool spread(series_panels *p, const es_series *s, size_t column) {
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
static void put_baseline(series_panels *p, const es_series_of *of, const es_series *s,
                         size_t column) {
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
static es_status make_panels(es_sketch *sketch, series_panels *p, const es_series *s,
                             const es_series_of *of, es_error *err) {
    bool beside = s->baseline != SIZE_MAX;
    size_t most = ES_CURVE_LINES - (beside ? 1 : 0);
    p->lines = s->runs < most ? s->runs : most;
    p->x = es_sketch_room(sketch, s->points + 1, sizeof *p->x);
    p->block = es_sketch_room(sketch, (s->points + 1) * 3 * (p->lines + 1),
                              SERIES_PANELS * sizeof *p->block);
    p->line = es_sketch_room(sketch, p->lines + 1, SERIES_PANELS * sizeof *p->line);
    if (!p->x || !p->block || !p->line)
        return es_no_memory(err);
    take_steps(p, s);
    for (size_t k = 0; k < s->columns && p->count < SERIES_PANELS; k++) {
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
    series_panels p = {0};
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

/* How many targets a ranking takes: agreement and reliability over their number, with 95 % bands.
 */

enum { LINES = 2, COLUMNS = 1 + 3 * LINES };

/* The columns of `out` (COLUMNS, points): sizes, then mean, low and high of each band. */
static void curve_fill(const es_pool_curve *curve, double *out) {
    size_t n = curve->points;
    for (size_t i = 0; i < n; i++) {
        const es_pool_size *point = &curve->point[i];
        const es_band *band[LINES] = {&point->agreement, &point->reliability};
        out[i] = (double)point->size;
        for (size_t k = 0; k < LINES; k++) {
            out[(1 + 3 * k) * n + i] = band[k]->mean;
            out[(2 + 3 * k) * n + i] = band[k]->low;
            out[(3 + 3 * k) * n + i] = band[k]->high;
        }
    }
}

es_status es_picture_curve(es_sketch *sketch, const es_pool_curve *curve, const char *against,
                           es_error *err) {
    es_curve_line line[LINES];
    size_t n = curve->points;
    if (n == 0 && curve->targets >= 4)
        return es_fail(err, ES_EEMPTY,
                       "too few embedders are ranked for a curve: 3 are needed, and %zu %s",
                       curve->sources, curve->sources == 1 ? "is" : "are");
    if (n == 0)
        return es_fail(err, ES_EEMPTY, "too few targets for a curve: 4 are needed, and %zu vote%s",
                       curve->targets, curve->targets == 1 ? "s" : "");
    if (!es_pool_curve_agrees(curve))
        return es_fail(err, ES_EEMPTY,
                       "no agreement is defined, so that there is no curve: all values of %s are "
                       "equal",
                       against ? "the score or of the task" : "the score");
    double *columns = es_sketch_room(sketch, n, COLUMNS * sizeof *columns);
    if (columns == NULL)
        return es_no_memory(err);
    curve_fill(curve, columns);
    const char *first =
        es_sketch_text(sketch, "with %s%s", against ? "the task " : "the ranking by all targets",
                       against ? against : "");
    for (size_t k = 0; k < LINES; k++)
        line[k] = (es_curve_line){.title = k == 0 ? first : "between two disjoint sets of targets",
                                  .y = columns + (1 + 3 * k) * n,
                                  .low = columns + (2 + 3 * k) * n,
                                  .high = columns + (3 + 3 * k) * n};
    bool enough = against == NULL && curve->enough > 0;
    const es_curve figure = {.points = n,
                             .x = columns,
                             .line = line,
                             .lines = LINES,
                             .x_title = "number of embedders that are targets",
                             .y_title = "Spearman correlation",
                             .mark_x = enough ? (double)curve->enough : (double)NAN,
                             .mark = es_sketch_text(sketch, "%zu are enough", curve->enough)};
    es_buf_puts(&sketch->note, "Mean and 95 % of random subsets of targets. ");
    if (enough)
        es_buf_puts(&sketch->note, "Enough: agreement of 0.9 in 97.5 % of draws. ");
    return es_figure_curves(&figure, 1, ES_SKETCHED(sketch), err);
}

/* A line a model from the embedder to what was tuned from it: the score, the rank, and downstream.
 */

enum { SIDES = 2, TUNED_PANELS = 3 };

/* value (TUNED_PANELS, count, SIDES). Returns which panels have any number. */
static void tuned_fill(const es_tuned *x, double *value, bool any[TUNED_PANELS]) {
    size_t panel = x->count * SIDES;
    for (size_t i = 0; i < x->count; i++) {
        const es_tuned_pair *p = &x->pair[i];
        const double of[TUNED_PANELS][SIDES] = {
            {p->before, p->after},
            {p->rank_before ? (double)p->rank_before : (double)NAN,
             p->rank_after ? (double)p->rank_after : (double)NAN},
            {p->downstream_before, p->downstream_after}};
        for (size_t k = 0; k < TUNED_PANELS; k++)
            for (size_t side = 0; side < SIDES; side++) {
                value[k * panel + i * SIDES + side] = of[k][side];
                any[k] = any[k] || isfinite(of[k][side]);
            }
    }
}

es_status es_picture_tuned(es_sketch *sketch, const es_rank_report *report, const es_tuned *x,
                           es_error *err) {
    static const char *const sides[SIDES] = {"base", "tuned"};
    bool any[TUNED_PANELS] = {false};
    es_strands panel[TUNED_PANELS];
    size_t panels = 0;
    double *value = es_sketch_room(sketch, x->count, SIDES * TUNED_PANELS * sizeof *value);
    const char **name = es_sketch_room(sketch, x->count, sizeof *name);
    if (!value || !name)
        return es_no_memory(err);
    tuned_fill(x, value, any);
    for (size_t i = 0; i < x->count; i++)
        name[i] = es_results_label(report->results, x->pair[i].base);
    const char *titles[TUNED_PANELS] = {es_rank_report_score_name(report), "rank in the pool",
                                        "downstream"};
    for (size_t k = 0; k < TUNED_PANELS; k++)
        if (any[k])
            panel[panels++] = (es_strands){.rows = x->count,
                                           .columns = SIDES,
                                           .value = value + k * x->count * SIDES,
                                           .row_name = name,
                                           .column_name = sides,
                                           .y_title = titles[k],
                                           .ranks = k == 1};
    es_tuned_put(x, &sketch->note);
    es_buf_printf(&sketch->note, " Score: %s. Downstream: mean percentile. ",
                  es_rank_report_unit(report));
    return es_figure_strands(panel, panels, ES_SKETCHED(sketch), err);
}
