/* Values of the matrix, limits of its colours, and the size of its cells. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "app_values.h"

static const struct {
    const char *name, *title;
    const char *of_errors; /* the title by an estimator of errors, where it is another */
    bool diverging;
    bool small; /* shown to 0.001, and its colours for whatever it spans */
} metrics[ES_METRIC_COUNT] = {
    [ES_METRIC_IS] = {"is", "IS/d", .of_errors = "error"},
    [ES_METRIC_NATS] = {"nats", "IS in nats", .of_errors = "error in all"},
    [ES_METRIC_SE] = {"se", "standard error", .small = true},
    [ES_METRIC_ASYMMETRY] = {"asymmetry", "asymmetry", .diverging = true},
    [ES_METRIC_REFINED] = {"refined", "refined - preview", .diverging = true},
    [ES_METRIC_SECONDS] = {"seconds", "seconds", .small = true},
    [ES_METRIC_H_COND] = {"h_cond", "H(V|U)/d", .of_errors = "error"},
    [ES_METRIC_MEASURE] = {"measure", "measure", .of_errors = NULL},
};

const char *es_metric_name(es_heat_metric metric) {
    return metrics[metric].name;
}
const char *es_metric_title(const es_app *app, es_heat_metric metric) {
    if (metrics[metric].of_errors != NULL && es_app_lower(app))
        return metrics[metric].of_errors;
    if (metric == ES_METRIC_MEASURE && app->set.matrix < es_app_measures(app, true))
        return es_measure_title(app, true, app->set.matrix);
    return metrics[metric].title;
}
bool es_metric_diverging(es_heat_metric metric) {
    return metrics[metric].diverging;
}

es_heat_metric es_metric_find(const char *name) {
    int m = 0;
    while (m < ES_METRIC_COUNT && strcmp(metrics[m].name, name) != 0)
        m++;
    return (es_heat_metric)m;
}

/* IS/d by the refined estimator minus that of the preview; NaN unless both are done with the pair.
 */
static double refinement(const es_app *app, size_t source, size_t target) {
    const es_source *s = app->source;
    size_t plan = s->plan, begin = es_refine_base(app), cell;
    const es_results *first = plan < begin + 2 ? NULL : s->results[begin],
                     *last = plan < begin + 2 ? NULL : s->results[plan - 1];
    if (first == NULL || last == NULL || first->m != last->m ||
        s->lower_is_better[begin] != s->lower_is_better[plan - 1])
        return (double)NAN;
    cell = app->position[source] * last->m + app->position[target];
    return first->state[cell] == ES_PAIR_DONE && last->state[cell] == ES_PAIR_DONE
               ? last->is[cell] - first->is[cell]
               : (double)NAN;
}

bool es_metric_possible(const es_app *app, es_heat_metric metric) {
    const es_source *s = app->source;
    if (metric == ES_METRIC_MEASURE)
        return es_app_measures(app, true) > 0;
    return metric == ES_METRIC_REFINED ? s->plan > es_refine_base(app) + 1
                                       : metric != ES_METRIC_NATS || !es_app_lower(app);
}

double es_metric_value(const es_app *app, es_heat_metric metric, size_t source, size_t target) {
    const es_results *r = app->results;
    if (metric == ES_METRIC_MEASURE)
        return source != target && app->set.matrix < es_app_measures(app, true)
                   ? es_measure_of(app, true, app->set.matrix, source, target)
                   : (double)NAN;
    if (source == target || es_app_pair_state(app, source, target) != ES_PAIR_DONE)
        return NAN;
    size_t s = app->position[source], t = app->position[target];
    size_t cell = s * r->m + t;
    switch (metric) {
    case ES_METRIC_SE:
        return r->se[cell];
    case ES_METRIC_ASYMMETRY:
        /* A preview and a refined value do not go together. */
        return es_app_pair_state(app, target, source) == ES_PAIR_DONE &&
                       es_refine_entry(app, source, target) == es_refine_entry(app, target, source)
                   ? r->is[cell] - r->is[t * r->m + s]
                   : (double)NAN;
    case ES_METRIC_REFINED:
        return refinement(app, source, target);
    case ES_METRIC_NATS: {
        const es_model *model = es_app_model(app, target);
        size_t dim = model->dim_used > 0 ? model->dim_used : model->dim;
        return dim > 0 ? r->is[cell] * (double)dim : (double)NAN;
    }
    case ES_METRIC_SECONDS:
        return r->seconds[cell];
    case ES_METRIC_H_COND:
        return r->h_cond[cell];
    default:
        return r->is[cell];
    }
}

const double *es_metric_plain(const es_app *app, es_heat_metric metric) {
    const es_results *r = app->results;
    if (r == NULL)
        return NULL;
    return metric == ES_METRIC_IS        ? r->is
           : metric == ES_METRIC_SE      ? r->se
           : metric == ES_METRIC_SECONDS ? r->seconds
           : metric == ES_METRIC_H_COND  ? r->h_cond
                                         : NULL;
}

bool es_metric_alike(const es_app *app, size_t cell, size_t back) {
    return app->results != app->merged || app->origin[cell] == app->origin[back];
}

double es_heat_null(const es_app *app, size_t source, size_t target, double *se) {
    size_t entry = es_refine_entry(app, source, target), t = app->position[target];
    const es_results *r = entry == ES_NONE ? NULL : app->source->results[entry];
    *se = (double)NAN;
    if (r == NULL || r->null == NULL || t == ES_NONE || r->null[t].state != ES_PAIR_DONE)
        return (double)NAN;
    *se = r->null[t].se;
    return r->null[t].is;
}

bool es_heat_copy_low(const es_app *app, size_t source, size_t target, double *is) {
    size_t entry = es_refine_entry(app, source, target), t = app->position[target];
    const es_results *r = entry == ES_NONE ? NULL : app->source->results[entry];
    return r != NULL && t != ES_NONE && es_results_copy_low(r, t, is);
}

bool es_metric_of_rows(es_heat_metric metric) {
    return metric == ES_METRIC_IS || metric == ES_METRIC_NATS || metric == ES_METRIC_SE ||
           metric == ES_METRIC_H_COND;
}

size_t es_heat_deciding(const es_app *app, size_t source, size_t target, size_t *entry,
                        double *without) {
    size_t whose = es_refine_entry(app, source, target), s = app->position[source],
           t = app->position[target];
    const es_results *r = whose == ES_NONE ? NULL : app->source->results[whose];
    double rest;
    if (entry != NULL)
        *entry = whose;
    if (r == NULL || s == ES_NONE || t == ES_NONE)
        return ES_NONE;
    size_t value = es_results_decided(r, s, t, &rest);
    if (without != NULL)
        *without = rest;
    return value == SIZE_MAX ? ES_NONE : value;
}

void es_metric_format(es_heat_metric metric, double value, int digits, char *out, size_t capacity) {
    if (!isfinite(value)) {
        (void)snprintf(out, capacity, "-");
        return;
    }
    if (metrics[metric].small && digits < 3)
        digits = 3;
    if (fabs(value) < 0.5 * pow(10, -digits))
        value = 0; /* no "-0.00" */
    if (fabs(value) >= 99999.5) {
        bool sign = metrics[metric].diverging && value > 0 && capacity > 1;
        out[0] = '+';
        es_format_number(value, ES_FORMAT_E, out + sign, capacity - sign);
    } else if (metrics[metric].diverging)
        (void)snprintf(out, capacity, "%+.*f", digits, value);
    else if (fabs(value) >= 99.95)
        (void)snprintf(out, capacity, "%.0f", value);
    else if (fabs(value) >= 9.995)
        (void)snprintf(out, capacity, "%.1f", value);
    else
        (void)snprintf(out, capacity, "%.*f", digits, value);
}

static const double LEAST_SPAN = 0.02; /* of the colours, where values are shown to 0.01 */

/* Returns the colour limits of a metric: 5th to 95th percentile, or the full range. */
static es_limits fit_limits(es_app *app, es_heat_metric metric) {
    es_limits limits = {.robust = !app->set.full_range};
    const es_results *r = app->results;
    const double *plain = r == NULL ? NULL : es_metric_plain(app, metric);
    size_t m = plain == NULL ? app->n : r->m, count = 0;
    for (size_t s = 0; s < m; s++)
        for (size_t t = 0; t < m; t++) {
            double value = plain == NULL ? es_metric_value(app, metric, s, t)
                           : s != t && r->state[s * m + t] == ES_PAIR_DONE ? plain[s * m + t]
                                                                           : (double)NAN;
            if (isfinite(value))
                app->values[count++] = value;
        }
    if (r == NULL || count == 0)
        return limits;
    limits.known = metric == ES_METRIC_MEASURE ? count : r->done;
    limits.least = limits.most = app->values[0];
    for (size_t i = 1; i < count; i++) {
        limits.least = fmin(limits.least, app->values[i]);
        limits.most = fmax(limits.most, app->values[i]);
    }
    limits.low = limits.least;
    limits.high = limits.most;
    if (limits.robust) { /* each leaves less to be looked through */
        size_t tail = count / 20, rest = count - tail;
        limits.low = es_select(app->values, count, tail);
        limits.high = es_select(app->values + tail, rest, rest - 1 - tail);
        limits.median = es_stat_median(app->values + tail, rest - tail);
    } else
        limits.median = es_stat_median(app->values, count);
    if (es_metric_diverging(metric)) {
        limits.high = fmax(fabs(limits.low), fabs(limits.high));
        limits.low = -limits.high;
    }
    /* Of controls alone, say: what reads alike has one colour. */
    if (limits.high > limits.low && !metrics[metric].small)
        limits.high = fmax(limits.high, limits.low + LEAST_SPAN);
    return limits;
}

void es_limits_fit(es_app *app, bool now) {
    es_heat_metric metric = app->set.metric;
    es_limits *limits = &app->limits[metric];
    size_t done = app->results == NULL ? 0 : app->results->done;
    bool settled = !es_app_running(app) && limits->known != done;
    if (metric == ES_METRIC_MEASURE) /* comes in by itself, and soon: every time it is asked for */
        now = true;
    /* While a run is live the colours must not swim: anew only when the known cells have doubled.
     */
    if (now || limits->known == 0 || done >= 2 * limits->known || done < limits->known || settled ||
        limits->robust == app->set.full_range)
        *limits = fit_limits(app, metric);
}

int es_limits_step(const es_limits *limits, double value) {
    double span = limits->high - limits->low;
    if (!isfinite(value))
        return 0;
    if (!(span > 0))
        return 128;
    double step = (value - limits->low) / span * 255;
    return step <= 0 ? 0 : step >= 255 ? 255 : (int)lround(step);
}

enum {
    NAME_W = 26,
    PROFILE_W = 9
}; /* a row's name at first; its profile, with a blank before it */

static int tree_width(const es_app *app, int width) {
    bool shown = app->set.order == ES_ORDER_CLUSTER && app->tree.linkage != NULL && width >= 48;
    return shown ? es_between(width / 9, 5, 10) : 0;
}

static int longest_name(const es_app *app) {
    const es_list *list = &app->list[ES_LIST_HEAT];
    int longest = 0;
    for (size_t i = 0; i < list->count; i++) {
        int w = es_name_width(es_app_name(app, list->item[i]));
        longest = w > longest ? w : longest;
    }
    return longest;
}

/* Names give way, down to LEAST columns, where `cells` columns of square cells fit then. */
static int label_width(const es_app *app, int width, int cells) {
    enum { LEAST = 14 };
    int natural = es_between(longest_name(app), 4, es_between(width / 3, 8, NAME_W));
    int room = width - 2 - cells;
    if (cells > 0 && room >= LEAST && room < natural)
        natural = room;
    return 2 + es_between(natural + app->set.label_width, 4, width > 24 ? width - 16 : 8);
}

/* Lines under the matrix for its legend; see heatmap_legend.c. */
enum { LEGEND = 3, DIGIT_W = 6, HEADS = 7 };

/* Returns the lines of names over the columns, out of those that the matrix leaves blank: one for
 * each name if columns are narrow, those of a wrapped name if they are wide. */
static int head_lines(const es_app *app, const es_screen_sizes *g, int spare) {
    enum { LEAST = 4, PROFILE = 1 };
    bool narrow = g->cell_w < DIGIT_W - 1;
    int room = spare - PROFILE + 1;
    if (g->pool > 1 || room < (narrow ? LEAST : 1))
        return 1;
    int wanted = narrow ? (int)g->total : (longest_name(app) + g->cell_w - 2) / (g->cell_w - 1);
    return es_between(wanted, 1, room);
}

/* Columns that cells and profiles leave blank, for names that were cut. */
static int label_more(const es_app *app, int blank) {
    int cut = longest_name(app) - NAME_W;
    return app->set.label_width < 0 ? 0 : es_between(blank - PROFILE_W, 0, cut < 0 ? 0 : cut);
}

es_screen_sizes es_heat_geometry(const es_app *app, es_rect inside) {
    int tree_w = tree_width(app, inside.w);
    int bar_w = app->set.order == ES_ORDER_COMMUNITY ? 2 : 1;
    es_screen_sizes g = {.tree_w = tree_w, .bar_w = bar_w, .head_h = 2, .pool = 1};
    size_t n = app->list[ES_LIST_HEAT].count;
    int count = n > 10000 ? 10000 : n < 1 ? 1 : (int)n;
    int h = inside.h - g.head_h - LEGEND;
    bool halves = !app->ascii && !app->coarse;
    es_zoom zoom = app->set.zoom;
    h = h < 1 ? 1 : h;
    bool lines = zoom == ES_ZOOM_AUTO && count <= h; /* a line for each, and its name */
    g.label_w = tree_w + label_width(app, inside.w - tree_w, lines ? 2 * count + bar_w : 0) + bar_w;
    int w = inside.w - g.label_w;
    w = w < 1 ? 1 : w;
    if (zoom == ES_ZOOM_AUTO)
        zoom = DIGIT_W * count <= w && count <= h ? ES_ZOOM_LARGE
               : 2 * count <= w && count <= h     ? ES_ZOOM_SQUARE
                                                  : ES_ZOOM_HALF;
    if (app->set.digits && zoom != ES_ZOOM_OVERVIEW)
        zoom = ES_ZOOM_LARGE;
    g.cell_w = g.cell_h = 1;
    if (zoom == ES_ZOOM_OVERVIEW) {
        int most = halves ? 2 * h : h;
        int k = (count + w - 1) / w, k2 = (count + most - 1) / most;
        g.pool = (size_t)(k > k2 ? k : k2);
        if (g.pool == 1)
            zoom = 2 * count <= w && count <= h ? ES_ZOOM_SQUARE : ES_ZOOM_HALF;
    }
    if (zoom == ES_ZOOM_SQUARE) {
        g.cell_h = es_between(h / count, 1, 3);
        g.cell_w = es_between(w / count, 2, 2 * g.cell_h + 1);
        g.cell_w = g.cell_w > DIGIT_W - 1 ? DIGIT_W - 1 : g.cell_w;
        if (g.cell_w == DIGIT_W - 2 && w - g.cell_w * count < PROFILE_W)
            g.cell_w--; /* for the profile and the names of the last columns */
        /* Names over the columns say more than a second line of each cell. */
        if (g.cell_h > 1 && h - g.cell_h * count < HEADS)
            g.cell_h--;
    } else if (zoom == ES_ZOOM_LARGE) {
        g.cell_w = es_between(w / count, DIGIT_W, 11);
        g.cell_h = es_between(h / count, 1, g.cell_w >= 9 ? 4 : g.cell_w >= 7 ? 3 : 2);
        g.digits = true;
    } else
        g.half = halves && !lines;
    g.total = (n + g.pool - 1) / g.pool;
    if (zoom == ES_ZOOM_LARGE || zoom == ES_ZOOM_SQUARE) {
        int more = label_more(app, w - g.cell_w * count);
        g.label_w += more;
        w -= more;
    }
    int taken = (int)(g.total < 10000 ? g.total : 10000) * g.cell_h;
    taken = g.half ? (taken + 1) / 2 : taken;
    g.head_h += head_lines(app, &g, h - taken) - 1;
    h = inside.h - g.head_h - LEGEND;
    h = h < 1 ? 1 : h;
    g.rows = (size_t)(g.half ? 2 * h : h / g.cell_h);
    g.columns = (size_t)(w / g.cell_w);
    g.rows = g.rows < 1 ? 1 : g.rows;
    g.columns = g.columns < 1 ? 1 : g.columns;
    return g;
}
