/* The score at every value of settings: a line a value with what the ranking comes to there, below
 * it the scores over the values, a line an embedder, and beside that, where there is room, how far
 * the rankings agree with the first value's and with downstream. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axes.h"
#include "corr_panes.h"
#include "facts.h"
#include "setting_sweep.h"
#include "shapes.h"
#include "tree.h"
#include "number_text.h"

/* Columns, by how much room they want; those that do not fit are left out from the end. */
typedef enum column { PAIRS, BEST, FIRST, SPEARMAN, KENDALL, SECONDS, COLUMNS } column;
static const struct {
    const char *title;
    int w;
    const char *brief; /* in less room, BRIEF: without an interval */
} heads[COLUMNS] = {
    [PAIRS] = {"pairs", 12, NULL},
    [BEST] = {"best", 16, NULL},
    [FIRST] = {"tau, first", 12, NULL},
    [SPEARMAN] = {"Spearman, tasks", 20, "Spearman"},
    [KENDALL] = {"Kendall, tasks", 20, "Kendall"},
    [SECONDS] = {"seconds", 9, NULL},
};
enum { LABEL = 12, LABEL_MOST = 30, SIDE = 100, PLOT = 8, BRIEF = 10 };

static bool is_whole(const es_sweep_value *v) {
    return v->of > 0 && v->known == v->of;
}

/* What failed is not coming; a ranking of what is still to come is not the value's. */
static bool is_over(const es_sweep_value *v) {
    return v->of > 0 && v->known + v->failed >= v->of;
}

/* ---- the table ---- */

static int label_width(const struct es_setting_sweep *s) {
    int w = LABEL;
    for (size_t k = 0; k < s->values; k++)
        w = (int)strlen(s->value[k].label) > w ? (int)strlen(s->value[k].label) : w;
    return (w < LABEL_MOST ? w : LABEL_MOST) + 3;
}

/* "0.71 [.14, .98]"; of few embedders an interval says nothing. */
static void put_band(char *out, size_t capacity, const es_sweep_value *v, int k, bool brief) {
    char low[16], high[16];
    double value = es_rounded_off(k == 0 ? v->spearman : v->kendall, 2);
    if (!isfinite(value))
        (void)snprintf(out, capacity, "-");
    else if (v->n < ES_CORRELATE_ENOUGH)
        (void)snprintf(out, capacity, "%.2f ?", value);
    else if (!brief && isfinite(v->low[k]) && isfinite(v->high[k]))
        (void)snprintf(out, capacity, "%.2f [%s, %s]", value, es_corr_brief(v->low[k], low),
                       es_corr_brief(v->high[k], high));
    else
        (void)snprintf(out, capacity, "%.2f", value);
}

/* What is known; at the value that is being estimated, how far it is. */
static void put_pairs(const struct es_setting_sweep *s, size_t k, char *out, size_t capacity) {
    const es_sweep_value *v = &s->value[k];
    if (s->working && s->next == k && strstr(s->progress, " pairs") != NULL)
        (void)snprintf(out, capacity, "%.*s", (int)strcspn(s->progress, " "), s->progress);
    else if (s->working && s->next == k)
        (void)snprintf(out, capacity, "…");
    else if (v->of == 0)
        (void)snprintf(out, capacity, "-");
    else if (v->failed > 0)
        (void)snprintf(out, capacity, "%zu/%zu ×%zu", v->known, v->of, v->failed);
    else
        (void)snprintf(out, capacity, "%zu/%zu", v->known, v->of);
}

static void put_cell(const struct es_setting_sweep *s, size_t k, column c, bool brief, char *out,
                     size_t capacity) {
    const es_sweep_value *v = &s->value[k];
    double number = c == FIRST ? v->first : v->seconds;
    bool of_ranking = c != PAIRS && c != SECONDS;
    if (of_ranking && (!is_over(v) || (c == FIRST && !is_over(s->value)))) {
        (void)snprintf(out, capacity, "-");
        return;
    }
    switch (c) {
    case PAIRS:
        put_pairs(s, k, out, capacity);
        return;
    case BEST:
        (void)snprintf(out, capacity, "%s", v->best[0] ? v->best : "-");
        return;
    case SPEARMAN:
    case KENDALL:
        put_band(out, capacity, v, c == KENDALL, brief);
        return;
    default:
        if (isfinite(number))
            (void)snprintf(out, capacity, "%.*f", c == FIRST ? 2 : 1,
                           es_rounded_off(number, c == FIRST ? 2 : 1));
        else
            (void)snprintf(out, capacity, "-");
    }
}

/* How wide the columns are; 0 ends them. */
static void choose_columns(int room, int w[COLUMNS + 1]) {
    int c = 0;
    for (; c < COLUMNS; c++) {
        w[c] = heads[c].w <= room ? heads[c].w : heads[c].brief && BRIEF <= room ? BRIEF : 0;
        room -= w[c];
        if (w[c] == 0)
            return;
    }
    w[c] = 0;
}

static void draw_row(const struct es_setting_sweep *s, es_grid *grid, es_rect r, size_t k,
                     int label, const int w[COLUMNS + 1]) {
    es_role role = k == s->at               ? ES_ROLE_SELECTION
                   : is_whole(&s->value[k]) ? ES_ROLE_TEXT
                                            : ES_ROLE_TEXT_DIM;
    int x = r.x + label;
    char text[96];
    es_grid_fill(grid, r, role, ' ');
    if (k == s->at)
        es_grid_text(grid, r.x, r.y, role, "❯");
    es_grid_field(grid, r.x + 2, r.y, label - 3, -1, role, s->value[k].label);
    for (int c = 0; w[c] > 0; x += w[c++]) {
        bool under_way = c == PAIRS && s->working && s->next == k && k != s->at;
        put_cell(s, k, (column)c, w[c] < heads[c].w, text, sizeof text);
        es_grid_field(grid, x, r.y, w[c] - 2, c == BEST ? -1 : 1, under_way ? ES_ROLE_FIT : role,
                      text);
    }
    es_grid_click_area(grid, r, ES_CLICK_LINE, k);
}

static void draw_table(const es_app *app, es_grid *grid, es_rect in) {
    const struct es_setting_sweep *s = app->sweep;
    int label = label_width(s), x = in.x + label, w[COLUMNS + 1];
    size_t page = in.h > 1 ? (size_t)in.h - 1 : 1,
           top = es_draw_first_line(s->at, s->values, (int)page);
    choose_columns(in.w - label, w);
    es_grid_fill(grid, (es_rect){in.x, in.y, in.w, 1}, ES_ROLE_COLUMN_HEADER, ' ');
    es_grid_text(grid, in.x + 2, in.y, ES_ROLE_COLUMN_HEADER, "value");
    for (int c = 0; w[c] > 0; x += w[c++])
        es_grid_field(grid, x, in.y, w[c] - 2, c == BEST ? -1 : 1, ES_ROLE_COLUMN_HEADER,
                      w[c] < heads[c].w ? heads[c].brief : heads[c].title);
    for (size_t k = top; k < s->values && k < top + page; k++)
        draw_row(s, grid, (es_rect){in.x, in.y + 1 + (int)(k - top), in.w, 1}, k, label, w);
}

/* ---- the plots ---- */

/* Behind the axis, so that no tick of a number falls among the values. */
static double place(size_t value) {
    return (double)value + 1;
}

static es_axes begin_axes(const es_app *app, es_grid *grid, es_rect in, es_range y) {
    const es_range x = {place(0), place(app->sweep->values - 1), false};
    es_axes axes = es_axes_begin(app, grid, in, x, y);
    axes.step_x = 1e9;
    es_axes_draw(&axes);
    return axes;
}

/* "4" of "modes=4" where one setting is swept. */
static const char *value_name(const char *label) {
    return strchr(label, ' ') == NULL ? strchr(label, '=') + 1 : label;
}

/* Below the axis, the one under the cursor first; who finds no room goes without. */
static void draw_values(const struct es_setting_sweep *s, const es_axes *axes) {
    enum { PLACES = 512 };
    bool taken[PLACES] = {false};
    es_rect r = axes->plot.rect;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < s->values; k++) {
            const char *name = value_name(s->value[k].label);
            int w = es_grid_width(axes->plot.grid, name),
                at = es_plot_column(&axes->plot, es_axes_x(axes, place(k))), x = at - w / 2;
            bool free = true;
            if ((k == s->at) != (pass == 0))
                continue;
            x = x + w > r.x + r.w ? r.x + r.w - w : x;
            x = x < r.x ? r.x : x;
            for (int i = x - r.x; free && i <= x - r.x + w && i < PLACES; i++)
                free = i < 0 || !taken[i];
            if (!free || w > r.w)
                continue;
            for (int i = x - r.x; i <= x - r.x + w && i < PLACES; i++)
                taken[i > 0 ? i : 0] = true;
            es_grid_text(axes->plot.grid, at, r.y + r.h, ES_ROLE_AXIS, "┬");
            es_grid_text(axes->plot.grid, x, r.y + r.h + 1,
                         k == s->at ? ES_ROLE_TEXT_STRONG : ES_ROLE_TICK, name);
            es_grid_click_area(axes->plot.grid, (es_rect){x, r.y + r.h + 1, w, 1}, ES_CLICK_LINE,
                               k);
        }
}

/* A line over the values, with a glyph at each that is known, a small one where pairs are missing.
 */
static void draw_line(const es_axes *axes, const struct es_setting_sweep *s, const double *value,
                      size_t stride, int step, es_role role, const char *glyph) {
    size_t count = s->values;
    size_t before = SIZE_MAX;
    for (size_t k = 0; k < count; k++) {
        double v = value[k * stride];
        if (!isfinite(v))
            continue;
        if (before != SIZE_MAX)
            es_plot_line(&axes->plot, es_axes_x(axes, place(before)),
                         es_axes_y(axes, value[before * stride]), es_axes_x(axes, place(k)),
                         es_axes_y(axes, v), step, role);
        before = k;
    }
    for (size_t k = 0; k < count; k++)
        if (isfinite(value[k * stride]))
            es_plot_glyph(&axes->plot, es_axes_x(axes, place(k)),
                          es_axes_y(axes, value[k * stride]), role,
                          is_whole(&s->value[k]) ? glyph : "·");
}

/* Its name beside its last point. */
static void label(const es_app *app, const es_axes *axes, size_t item, es_role role) {
    const struct es_setting_sweep *s = app->sweep;
    for (size_t k = s->values; item < app->n && k-- > 0;) {
        double v = s->score[k * app->n + item];
        if (isfinite(v) && es_plot_label(&axes->plot, es_axes_x(axes, place(k)), es_axes_y(axes, v),
                                         role, es_app_name(app, item)))
            return;
    }
}

static void draw_scores(const es_app *app, es_grid *grid, es_rect in) {
    const struct es_setting_sweep *s = app->sweep;
    es_range y = es_range_none(false);
    if (in.w < ES_AXES_W || in.h < ES_AXES_H)
        return;
    for (size_t c = 0; c < s->values * app->n; c++)
        es_range_take(&y, s->score[c]);
    if (!es_range_known(&y)) {
        es_draw_empty(grid, in, "Not known yet",
                      s->running ? "It is being estimated." : "The command above estimates it.");
        return;
    }
    es_axes axes = begin_axes(app, grid, in, y);
    draw_values(s, &axes);
    for (int pass = 0; pass < 2; pass++) /* the one under the cursor over the others */
        for (size_t i = 0; i < app->n; i++) {
            bool here = i == app->cursor;
            size_t group = es_tree_group(app, i);
            es_role role = here               ? ES_ROLE_FIT
                           : group != ES_NONE ? es_draw_community(app, group)
                                              : ES_ROLE_TEXT_DIM;
            if (here == (pass == 1))
                draw_line(&axes, s, s->score + i, app->n, here ? 1 : 2, role,
                          app->ascii ? (here ? "@" : "o")
                          : here     ? "◆"
                                     : "●");
        }
    label(app, &axes, app->cursor, ES_ROLE_TEXT_STRONG);
    label(app, &axes, es_sweep_ranked(app, s->at, 0), ES_ROLE_TEXT_DIM);
}

/* Where an interval is. */
static void draw_interval(const es_axes *axes, size_t value, double low, double high) {
    int x = es_axes_x(axes, place(value));
    if (isfinite(low) && isfinite(high))
        for (int y = es_axes_y(axes, high); y <= es_axes_y(axes, low); y += 2)
            es_plot_under(&axes->plot, x, y, ES_ROLE_BAND);
}

static void draw_agreement(const es_app *app, es_grid *grid, es_rect in) {
    const struct es_setting_sweep *s = app->sweep;
    double first[ES_SWEEP_MOST], tasks[ES_SWEEP_MOST];
    es_range y = es_range_none(false);
    if (in.w < ES_AXES_W || in.h < ES_AXES_H)
        return;
    for (size_t k = 0; k < s->values; k++) {
        first[k] = s->value[k].first;
        tasks[k] = s->value[k].n > 0 ? s->value[k].spearman : (double)NAN;
        es_range_take(&y, first[k]);
        es_range_take(&y, tasks[k]);
        es_range_take(&y, s->value[k].n > 0 ? s->value[k].low[0] : (double)NAN);
        es_range_take(&y, s->value[k].n > 0 ? s->value[k].high[0] : (double)NAN);
    }
    if (!es_range_known(&y))
        return;
    es_axes axes = begin_axes(app, grid, in, y);
    draw_values(s, &axes);
    for (size_t k = 0; k < s->values; k++)
        if (isfinite(tasks[k]))
            draw_interval(&axes, k, s->value[k].low[0], s->value[k].high[0]);
    draw_line(&axes, s, first, 1, 2, ES_ROLE_TEXT_DIM, app->ascii ? "o" : "○");
    draw_line(&axes, s, tasks, 1, 1, ES_ROLE_FIT, app->ascii ? "@" : "◆");
}

/* ---- the face ---- */

static bool some_partial(const struct es_setting_sweep *s) {
    for (size_t k = 0; k < s->values; k++)
        if (s->value[k].known > 0 && !is_whole(&s->value[k]))
            return true;
    return false;
}

static void draw_figure(const es_app *app, es_grid *grid, es_rect pane) {
    const struct es_setting_sweep *s = app->sweep;
    bool two = pane.w >= SIDE;
    char title[160], right[80];
    int w = two ? pane.w * 3 / 5 : pane.w;
    size_t key = strcspn(s->value[0].label, "=");
    bool one = strchr(s->value[0].label, ' ') == NULL;
    (void)snprintf(title, sizeof title, "Score by %.*s%s", one ? (int)key : 8,
                   one ? s->value[0].label : "settings", s->lower ? ", lower is better" : "");
    es_rect in = es_grid_pane(grid, (es_rect){pane.x, pane.y, w, pane.h}, false, title, NULL,
                              some_partial(s) ? "· pairs missing · h l embedder · ↵ ranking"
                                              : "h l embedder · ↵ ranking");
    es_rect old = es_grid_clip(grid, in);
    draw_scores(app, grid, in);
    es_grid_set_clip(grid, old);
    if (!two)
        return;
    (void)snprintf(right, sizeof right, "%s",
                   s->downstream[0] == '\0' ? "○ tau, first" : "◆ Spearman, tasks  ○ tau, first");
    in = es_grid_pane(grid, (es_rect){pane.x + w, pane.y, pane.w - w, pane.h}, false, "Agreement",
                      right, s->downstream[0] == '\0' ? NULL : s->downstream);
    old = es_grid_clip(grid, in);
    draw_agreement(app, grid, in);
    es_grid_set_clip(grid, old);
}

static void put_state(const struct es_setting_sweep *s, char *out, size_t capacity) {
    size_t whole = 0;
    for (size_t k = 0; k < s->values; k++)
        whole += is_whole(&s->value[k]);
    if (s->working && s->progress[0] != '\0')
        (void)snprintf(out, capacity, "%.40s: %.*s", s->value[s->next].label,
                       (int)strcspn(s->progress, "%") + 1, s->progress);
    else if (s->working)
        (void)snprintf(out, capacity, "%.40s is being estimated", s->value[s->next].label);
    else if (!s->known && s->problem == NULL)
        (void)snprintf(out, capacity, "reading");
    else
        (void)snprintf(out, capacity, "%zu of %zu value%s whole", whole, s->values,
                       s->values == 1 ? "" : "s");
}

void es_corr_draw_sweep(const es_app *app, es_grid *grid, es_rect body) {
    const struct es_setting_sweep *s = app->sweep;
    char title[200], right[120], bottom[ES_APP_LINE + 40];
    if (s == NULL || s->values == 0) {
        es_rect in = es_grid_pane(grid, body, true, "Sweep", NULL, "gw goes back");
        if (app->set.sweep[0] != '\0')
            es_draw_empty(grid, in, "Not read yet", "The pool is being checked.");
        else
            es_draw_empty(
                grid, in, "Does a setting change the ranking?",
                ":sweep knife modes=1,2,4 estimates at each value in the background, keeps "
                "it in the store, and shows the score over the values; several settings "
                "run through all combinations. The settings of every estimator: ^e.");
        return;
    }
    int lines = (int)s->values + 3 + (s->problem != NULL ? 1 : 0), least = 6;
    bool figure = body.h - least >= PLOT;
    int table = !figure                     ? body.h
                : lines < body.h - PLOT - 3 ? lines
                : body.h / 2 > least        ? body.h / 2
                                            : least;
    (void)snprintf(title, sizeof title, "Sweep: %.150s", s->text);
    put_state(s, right, sizeof right);
    (void)snprintf(bottom, sizeof bottom, "value %zu/%zu · %s · gw goes back", s->at + 1, s->values,
                   s->running ? "X stops" : "R goes on");
    es_rect in =
        es_grid_pane(grid, (es_rect){body.x, body.y, body.w, table}, true, title, right, bottom);
    es_rect old = es_grid_clip(grid, in);
    if (s->problem != NULL)
        es_draw_sentence(grid, in.x + 2, in.y + --in.h, in.w - 4, ES_ROLE_WARNING, s->problem);
    draw_table(app, grid, in);
    es_grid_set_clip(grid, old);
    if (figure)
        draw_figure(app, grid, (es_rect){body.x, body.y + table, body.w, body.h - table});
}
