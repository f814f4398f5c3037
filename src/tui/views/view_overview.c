/* Overview: what it comes to, on one screen. Each tile is the way to its view. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui_panes.h"
#include "app_corr.h"
#include "app_state.h"
#include "app_values.h"
#include "tui_draw.h"
#include "app_lists.h"

/* A tile with its border; a click anywhere in it leads to its view. */
static es_rect begin(const es_app *app, es_grid *grid, es_rect pane, es_pane tile, es_command opens,
                     const char *title, const char *right, const char *bottom) {
    es_rect in =
        es_grid_pane(grid, pane, app->focus[ES_VIEW_OVERVIEW] == tile, title, right, bottom);
    es_grid_click_area(grid, pane, ES_CLICK_COMMAND, (size_t)opens);
    in.x += in.w > 2;
    in.w -= in.w > 2 ? 2 : 0;
    return in;
}

/* ---- The answer ---- */

static void draw_answer(const es_app *app, es_grid *grid, es_rect pane) {
    const es_progress *p = &app->progress;
    char share[64] = "", name[200];
    (void)snprintf(name, sizeof name, "%.150s", app->source->name);
    if (app->n > app->usable && app->phase != ES_PHASE_CHECKING)
        es_phrase_add(name, sizeof name, " · %zu excluded (1 shows why)", app->n - app->usable);
    if (es_app_running(app) && p->total > 0 &&
        !(es_ranked_complete(app) && es_ranking_decided(app)))
        (void)snprintf(share, sizeof share, "so far: %.0f %% of the %s",
                       floor(100 * es_run_share(app)),
                       p->pass == app->source->predictive ? "ranking" : "run");
    es_rect in =
        begin(app, grid, pane, ES_TILE_ANSWER, ES_COMMAND_VIEW_RANK, "The answer", name, share);
    es_draw_answer(app, grid, in);
}

/* ---- The first of the ranking ---- */

enum { FIRST_BAND = 2, FIRST_PLACE = 4, FIRST_SCORE = 7, FIRST_RANKS = 8, FIRST_STRIP = 10 };
enum { FIRST_MOST = 64 }; /* rows of the tile, at most */

static void draw_first_row(const es_app *app, es_grid *grid, es_rect at, int name, size_t item) {
    const es_live_rank *s = &app->live[item];
    char text[48];
    int x = at.x + FIRST_BAND, end = at.x + at.w;
    if (s->best)
        es_grid_text(grid, at.x, at.y, ES_ROLE_BEST, grid->ascii ? "|" : "▌");
    if (app->marked[item])
        es_grid_text(grid, at.x + 1, at.y, ES_ROLE_MARK, "●");
    if (s->place > 0)
        es_grid_printf(grid, x, at.y, ES_ROLE_TEXT_DIM, "%*zu", FIRST_PLACE - 1, s->place);
    x += FIRST_PLACE;
    es_grid_field(grid, x, at.y, name, -1, s->place == 1 ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT,
                  es_app_name(app, item));
    x += name + 1;
    es_format_number(s->score, 3, text, sizeof text);
    es_grid_field(grid, x, at.y, FIRST_SCORE - 1, 1, ES_ROLE_TEXT_STRONG, text);
    x += FIRST_SCORE;
    if (s->rank_low > 0 && end - x >= FIRST_RANKS + FIRST_STRIP) {
        (void)snprintf(text, sizeof text, s->rank_low == s->rank_high ? "#%zu" : "#%zu-%zu",
                       s->rank_low, s->rank_high);
        es_grid_field(grid, end - FIRST_RANKS, at.y, FIRST_RANKS, 1, ES_ROLE_TEXT_DIM, text);
        end -= FIRST_RANKS;
    }
    if (end - x >= FIRST_STRIP)
        es_draw_strip(app, grid, (es_rect){x, at.y, end - x, 1}, item, ES_ROLE_TEXT);
}

static size_t may_be_best(const es_app *app) {
    size_t count = 0;
    for (size_t i = 0; i < app->n; i++)
        count += app->live[i].best;
    return count;
}

/* What keeps some of them out of the list. */
static void put_not_shown(const es_app *app, char *out, size_t capacity) {
    size_t hidden = es_select_hidden(app), derived = es_ranked_left_out(app);
    if (hidden > 0)
        es_phrase_add(out, capacity, "%zu hidden (gx)", hidden);
    if (derived > 0)
        es_phrase_add(out, capacity, "%s%zu derived left out", out[0] == '\0' ? "" : " · ",
                      derived);
    if (app->set.filter[0] != '\0')
        es_phrase_add(out, capacity, "%sfilter: %.40s", out[0] == '\0' ? "" : " · ",
                      app->set.filter);
}

/* Lists the first `rows` embedders shown, by their places. Returns how many there are. O(n rows).
 */
static size_t list_first(const es_app *app, int rows, size_t first[FIRST_MOST]) {
    const es_list *list = &app->list[ES_LIST_RANK];
    size_t count = 0, most = rows < 0 ? 0 : rows < FIRST_MOST ? (size_t)rows : FIRST_MOST;
    for (size_t k = 0; k < list->count; k++) {
        size_t place = app->live[list->item[k]].place, at = count;
        while (at > 0 && app->live[first[at - 1]].place > place)
            at--;
        if (place == 0 || at >= most)
            continue;
        count += count < most;
        memmove(first + at + 1, first + at, (count - at - 1) * sizeof *first);
        first[at] = list->item[k];
    }
    return count;
}

static void draw_first(const es_app *app, es_grid *grid, es_rect pane) {
    size_t ranked = 0, best = may_be_best(app);
    char bottom[160] = "", shown[80] = "";
    int name = 4;
    for (size_t i = 0; i < app->n; i++)
        ranked += app->live[i].place > 0;
    if (best > 0)
        (void)snprintf(bottom, sizeof bottom, "%s candidates: %zu of %zu", grid->ascii ? "|" : "▌",
                       best, ranked);
    put_not_shown(app, shown, sizeof shown);
    if (best == 0 || es_grid_width(grid, bottom) + es_grid_width(grid, shown) + 9 > pane.w)
        bottom[0] = shown[0] == '\0' ? bottom[0] : '\0'; /* what is not shown matters more */
    es_phrase_add(bottom, sizeof bottom, "%s%s", bottom[0] == '\0' || shown[0] == '\0' ? "" : " · ",
                  shown);
    es_rect in =
        begin(app, grid, pane, ES_TILE_FIRST, ES_COMMAND_VIEW_RANK, "4 First of the ranking",
              ranked == 0 ? NULL : es_ranked_score_name(app), bottom);
    if (ranked == 0) {
        es_draw_wrap(grid, in, ES_ROLE_TEXT_DIM,
                     es_app_running(app) ? "An embedder is ranked when all its targets are known."
                                         : "No embedder is ranked.",
                     0);
        return;
    }
    int most = in.w - FIRST_BAND - FIRST_PLACE - FIRST_SCORE - FIRST_STRIP - 1;
    size_t first[FIRST_MOST], count = list_first(app, in.h, first);
    for (size_t k = 0; k < count; k++) {
        int own = es_name_width(es_app_name(app, first[k]));
        name = own > name ? own : name;
    }
    name = name > most ? most : name;
    for (size_t k = 0; k < count; k++)
        draw_first_row(app, grid, (es_rect){in.x, in.y + (int)k, in.w, 1}, name, first[k]);
}

/* ---- The matrix ---- */

/* Cells as large as fit, about square; two rows in a line, or means of blocks, where they do not.
 */
static es_screen_sizes cells_of(const es_app *app, es_rect in) {
    size_t n = app->list[ES_LIST_HEAT].count;
    bool halves = !app->ascii && !app->coarse;
    int count = n < 1       ? 1
                : n > 10000 ? 10000
                            : (int)n,
        w = in.w < 1 ? 1 : in.w, h = in.h < 1 ? 1 : in.h,
        large = w / count / 2 < h / count ? w / count / 2 : h / count;
    es_screen_sizes g = {.pool = 1, .cell_w = 1, .cell_h = 1};
    if (large > 0) {
        g.cell_h = large;
        g.cell_w = 2 * large;
    } else {
        int lines = halves ? 2 * h : h, wide = (count + w - 1) / w,
            high = (count + lines - 1) / lines;
        g.half = halves;
        g.pool = (size_t)(wide > high ? wide : high);
    }
    g.total = (n + g.pool - 1) / g.pool;
    g.rows = (size_t)(g.half ? 2 * h : h / g.cell_h);
    g.columns = (size_t)(w / g.cell_w);
    return g;
}

/* Columns of a square cell of half lines, where that is larger than one of whole lines; 0: it is
 * not. */
static int half_cell(const es_app *app, es_rect in, const es_screen_sizes *g) {
    size_t n = app->list[ES_LIST_HEAT].count;
    int count = n < 1 || n > 10000 ? 10000 : (int)n;
    int size = in.w / count < 2 * in.h / count ? in.w / count : 2 * in.h / count;
    return app->ascii || app->coarse || g->half || size <= g->cell_w ? 0 : size;
}

/* Cells of `size` columns and half lines, where an odd number of these is what fits; where they
 * are. */
static es_rect draw_half_cells(es_heatmap_view *m, es_rect in, int size) {
    int w = (int)m->g.total * size, h = ((int)m->g.total * size + 1) / 2;
    int left = in.x + (in.w - w) / 2, top = in.y + (in.h - h) / 2;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            es_tile upper = es_heatmap_tile(m, (size_t)(2 * y / size), (size_t)(x / size));
            es_tile lower = es_heatmap_tile(m, (size_t)((2 * y + 1) / size), (size_t)(x / size));
            es_heatmap_draw_two(m, left + x, top + y, &upper, &lower);
        }
    return (es_rect){left, top, w, h};
}

/* Places in the ranking beside rows and above columns, by which the list next to it names them;
 * cells of w columns and h half lines, drawn at `at`. */
static void draw_places(const es_app *app, es_grid *grid, const es_list *list, es_rect room,
                        es_rect at, int w, int h) {
    int digits = list->count > 99 ? 3 : list->count > 9 ? 2 : 1;
    bool beside = h >= 2 && at.x - room.x > digits, above = w > digits && at.y > room.y;
    for (size_t k = 0; k < list->count; k++) {
        size_t place = app->live[list->item[k]].place;
        int y = at.y + (2 * (int)k + 1) * h / 4, x = at.x + (int)k * w + (w - digits) / 2;
        if (place > 0 && beside)
            es_grid_printf(grid, at.x - digits - 1, y, ES_ROLE_TEXT_DIM, "%*zu", digits, place);
        if (place > 0 && above)
            es_grid_printf(grid, x, at.y - 1, ES_ROLE_TEXT_DIM, "%*zu", digits, place);
    }
}

static void draw_scale(const es_app *app, es_grid *grid, int x, int y, int w) {
    const es_limits *limits = &app->limits[app->set.metric];
    bool diverging = es_metric_diverging(app->set.metric);
    char low[32], high[32];
    if (limits->known == 0)
        return;
    es_metric_format(app->set.metric, limits->low, 2, low, sizeof low);
    es_metric_format(app->set.metric, limits->high, 2, high, sizeof high);
    int used = (int)(strlen(low) + strlen(high)) + 2, bar = w - used > 24 ? 24 : w - used;
    if (bar < 4)
        return;
    x += es_grid_printf(grid, x, y, ES_ROLE_TEXT_DIM, "%s ", low);
    for (int i = 0; i < bar; i++) {
        int step = i * 255 / (bar - 1);
        es_paint paint = (es_paint)((diverging ? ES_PAINT_DIVERGE : ES_PAINT_HEAT) + step);
        es_rect at = {x + i, y, 1, 1};
        es_grid_fill(grid, at, ES_ROLE_TEXT, es_heatmap_ramp(step, grid->ascii));
        es_heatmap_fill(grid, at, paint, paint);
    }
    es_grid_printf(grid, x + bar, y, ES_ROLE_TEXT_DIM, " %s", high);
}

/* " by linear", where another estimator of the plan knows pairs and what is shown knows none. */
static void add_whose(const es_app *app, char *out, size_t capacity) {
    if (es_app_known_elsewhere(app) != ES_NONE)
        es_phrase_add(out, capacity, " by %s", es_app_title(app));
}

static void draw_matrix(const es_app *app, es_grid *grid, es_rect pane) {
    const es_list *list = &app->list[ES_LIST_HEAT];
    bool measure = app->set.metric == ES_METRIC_MEASURE;
    size_t others = app->usable > 0 ? app->usable - 1 : 0;
    size_t all = measure ? app->usable * others : es_app_pairs(app);
    size_t done = measure                ? app->limits[ES_METRIC_MEASURE].known
                  : app->results != NULL ? app->results->done
                                         : 0;
    char right[96] = "", bottom[96] = "";
    bool wide = pane.w >= 44 || app->previews == 0,
         unrefined = app->previews > 0 && app->refined == 0;
    const char *whose = wide ? es_refine_whose(app) : "";
    if (app->results != NULL && all > 0) {
        (void)snprintf(right, sizeof right, "%s%s", es_metric_title(app, app->set.metric),
                       app->set.transposed ? ", column → row" : "");
        (void)snprintf(bottom, sizeof bottom,
                       wide ? all == 1 ? "%.0f %% of %zu pair" : "%.0f %% of %zu pairs" : "%.0f %%",
                       floor(100.0 * (double)done / (double)all), all);
        if (!measure)
            add_whose(app, bottom, sizeof bottom);
        if (!measure && unrefined)
            es_phrase_add(bottom, sizeof bottom,
                          *whose == '\0' ? " · all previews" : " by %s, previews", whose);
        else if (!measure && app->previews > 0)
            es_phrase_add(bottom, sizeof bottom, " · %zu preview%s", app->previews,
                          app->previews == 1 ? "" : "s");
    }
    es_rect in =
        begin(app, grid, pane, ES_TILE_MATRIX, ES_COMMAND_VIEW_HEATMAP, "2 Matrix", right, bottom);
    if (list->count == 0 || app->results == NULL) {
        es_draw_wrap(grid, in, ES_ROLE_TEXT_DIM,
                     app->results == NULL || app->usable < 2 ? "Fills as pairs are estimated."
                     : app->set.filter[0] != '\0'
                         ? "No embedder matches the filter. Esc clears it, f changes it."
                         : "All are hidden. gx lists them.",
                     0);
        return;
    }
    bool scale = in.h >= 9;
    es_rect room = {in.x, in.y, in.w, in.h - (scale ? 1 : 0)};
    es_heatmap_view m = {.app = app,
                         .grid = grid,
                         .g = cells_of(app, room),
                         .list = list,
                         .limits = &app->limits[app->set.metric],
                         .metric = app->set.metric,
                         .diverging = es_metric_diverging(app->set.metric),
                         .unrefined = unrefined,
                         .row_at = ES_NONE,
                         .column_at = ES_NONE};
    m.rows = m.g.total < m.g.rows ? m.g.total : m.g.rows;
    m.columns = m.g.total < m.g.columns ? m.g.total : m.g.columns;
    int lines = (int)(m.g.half ? (m.rows + 1) / 2 : m.rows * (size_t)m.g.cell_h);
    m.x = room.x + (room.w - (int)m.columns * m.g.cell_w) / 2;
    m.y = room.y + (room.h - lines) / 2;
    es_rect old = es_grid_clip(grid, room);
    int half = half_cell(app, room, &m.g), high = half > 0 ? half : 2 * m.g.cell_h;
    es_rect at = {m.x, m.y, (int)m.columns * m.g.cell_w, lines};
    if (half > 0)
        at = draw_half_cells(&m, room, half);
    else
        es_heatmap_draw_cells(&m);
    if (!m.g.half && m.g.pool == 1)
        draw_places(app, grid, list, room, at, half > 0 ? half : m.g.cell_w, high);
    es_grid_set_clip(grid, old);
    if (scale)
        draw_scale(app, grid, in.x, in.y + in.h - 1, in.w);
}

/* ---- Communities ---- */

static size_t best_member(const es_app *app, const es_community *c) {
    size_t best = ES_NONE;
    for (size_t k = 0; k < c->size; k++) {
        size_t item = es_tree_results(app)->model[c->members[k]];
        if (app->live[item].place > 0 &&
            (best == ES_NONE || app->live[item].place < app->live[best].place))
            best = item;
    }
    return best;
}

enum { FAMILY_BAR = 12, FAMILY_COUNT = 4, FAMILY_BEST = 16 };

static void draw_community(const es_app *app, es_grid *grid, es_rect at, size_t group,
                           size_t most) {
    const es_community *c = &app->tree.found->list[group];
    size_t best = best_member(app, c);
    es_role role = es_draw_community(app, group);
    char label[48];
    es_tree_label(app, group, label, sizeof label);
    int x = at.x, end = at.x + at.w, bar = at.w >= 52 ? FAMILY_BAR : 0;
    x += es_grid_printf(grid, x, at.y, role, "● %s ", label);
    int name = end - x - bar - FAMILY_COUNT - FAMILY_BEST;
    if (name > 24) {
        bar += name - 24 > 20 ? 20 : name - 24;
        name = end - x - bar - FAMILY_COUNT - FAMILY_BEST;
    }
    if (name >= 6)
        es_grid_field(grid, x, at.y, name - 1, -1, ES_ROLE_TEXT, es_tree_name(app, group));
    x = end - bar - FAMILY_COUNT - FAMILY_BEST;
    if (bar > 1)
        es_draw_bar(grid, x, at.y, bar - 1, (double)c->size / (double)most, role,
                    ES_ROLE_BACKGROUND);
    x += bar;
    es_grid_printf(grid, x, at.y, ES_ROLE_TEXT_STRONG, "%*zu", FAMILY_COUNT - 1, c->size);
    if (es_tree_unsure(app, group))
        es_grid_text(grid, x + FAMILY_COUNT - 1, at.y, ES_ROLE_WARNING, "⚠");
    if (best != ES_NONE)
        es_grid_printf(grid, x + FAMILY_COUNT, at.y, ES_ROLE_TEXT_DIM, " best is #%zu",
                       app->live[best].place);
}

/* Embedders that nobody is joined with, of pairs of which some are missing: who is alone there may
 * only not have been looked at. */
static size_t left_alone(const es_app *app) {
    const es_tree *tree = &app->tree;
    size_t alone = 0;
    for (size_t g = 0; tree->found != NULL && g < tree->found->groups; g++)
        alone += !es_tree_complete(app) && tree->found->list[g].size == 1;
    return alone;
}

static const char *no_communities(const es_app *app, size_t alone, char *out, size_t capacity) {
    if (es_app_lower(app))
        return "This estimator measures errors: no communities.";
    if (es_app_known_elsewhere(app) != ES_NONE) {
        (void)snprintf(out, capacity, "Communities appear as pairs by %s are estimated.",
                       es_tree_title(app));
        return out;
    }
    if (es_tree_finding(app))
        return "Finding communities ...";
    if (alone == 0)
        return app->n < 2 ? "Two embedders are needed."
                          : "Communities appear as pairs are estimated.";
    (void)snprintf(out, capacity,
                   "Too few pairs are known: %zu of %zu embedders have no community so far.", alone,
                   app->tree.found->m);
    return out;
}

static void draw_communities(const es_app *app, es_grid *grid, es_rect pane) {
    const es_tree *tree = &app->tree;
    const es_communities *found = tree->found;
    char right[64] = "", bottom[96] = "", text[128];
    size_t groups = found == NULL ? 0 : found->groups, lines = pane.h > 2 ? (size_t)pane.h - 2 : 0,
           alone = left_alone(app);
    if (2 * alone > (found == NULL ? 0 : found->m))
        groups = 0;
    bool refined = es_app_merged(app);
    if (groups > 0)
        (void)snprintf(right, sizeof right, "%zu", groups);
    if (groups > 0 && (refined || (es_tree_complete(app) && app->entry != app->ranked.entry)))
        es_phrase_add(right, sizeof right, " by %s",
                      es_tree_title(app)); /* the answer's may differ */
    const es_results *of = es_tree_results(app);
    if (groups > 0 && of->done + of->failed < es_app_pairs(app) && !app->source->read_only)
        es_phrase_add(right, sizeof right, " so far");
    if (groups > 0 && app->frozen && tree->revision != of->revision)
        es_phrase_add(right, sizeof right, " · frozen");
    bool unsure = false;
    for (size_t g = 0; g < groups; g++)
        unsure = unsure || es_tree_unsure(app, g);
    if (groups > lines)
        (void)snprintf(bottom, sizeof bottom, "%zu more", groups - lines);
    if (unsure)
        es_phrase_add(bottom, sizeof bottom, "%s⚠ in under %d %% of %d runs",
                      groups > lines ? " · " : "", ES_TREE_STABLE_PERCENT, ES_LOUVAIN_RUNS);
    if (found != NULL && tree->known > 0 && tree->known < tree->pairs &&
        !es_app_running(app)) /* which the answer says of all that runs, above */
        es_phrase_add(bottom, sizeof bottom, "%s%.0f %% of pairs known",
                      bottom[0] == '\0' ? "" : " · ",
                      floor(100.0 * (double)tree->known / (double)tree->pairs));
    es_rect in = begin(app, grid, pane, ES_TILE_FAMILIES, ES_COMMAND_VIEW_TREE, "3 Communities",
                       right, bottom);
    if (groups == 0) {
        es_draw_wrap(grid, in, ES_ROLE_TEXT_DIM, no_communities(app, alone, text, sizeof text), 0);
        return;
    }
    size_t most = 1;
    for (size_t g = 0; g < groups; g++)
        most = found->list[g].size > most ? found->list[g].size : most;
    for (size_t g = 0; g < groups && (int)g < in.h; g++)
        draw_community(app, grid, (es_rect){in.x, in.y + (int)g, in.w, 1},
                       app->tree.by_label == NULL ? g : app->tree.by_label[g], most);
}

/* ---- Downstream ---- */

enum { DOWN_NAME = 17, DOWN_VALUE = 18, DOWN_STRIP = 16 };

/* "this ranking  0.94 [.79, .98]  ▕      ├──●▏", the strip from -1 to 1. */
static void draw_agreement(es_grid *grid, es_rect at, const char *name, const es_downstream_rank *r,
                           size_t n) {
    char text[64];
    int w = at.w - DOWN_NAME - DOWN_VALUE;
    es_grid_field(grid, at.x, at.y, DOWN_NAME - 1, -1, ES_ROLE_TEXT, name);
    if (!isfinite(r->spearman.value)) {
        es_grid_text(grid, at.x + DOWN_NAME, at.y, ES_ROLE_TEXT_DIM, "not known");
        return;
    }
    es_grid_printf(grid, at.x + DOWN_NAME, at.y, ES_ROLE_TEXT_STRONG, "%5.2f",
                   es_rounded_off(r->spearman.value, 2));
    text[0] = '\0';
    if (isfinite(r->low))
        (void)snprintf(text, sizeof text, " [%.2f, %.2f]", es_rounded_off(r->low, 2),
                       es_rounded_off(r->high, 2));
    else if (n < ES_CORRELATE_ENOUGH)
        (void)snprintf(text, sizeof text, " of only %zu", n);
    es_grid_text(grid, at.x + DOWN_NAME + 5, at.y, ES_ROLE_TEXT_DIM, text);
    if (w < DOWN_STRIP)
        return;
    int x = at.x + DOWN_NAME + DOWN_VALUE + 2, inner = w - 4;
    es_grid_text(grid, x, at.y, ES_ROLE_AXIS, grid->ascii ? "|" : "▏");
    es_grid_text(grid, x + inner + 1, at.y, ES_ROLE_AXIS, grid->ascii ? "|" : "▕");
    es_grid_text(grid, x + 1 + es_strip_place(0, -1, 1, inner), at.y, ES_ROLE_AXIS, "·");
    es_draw_interval(grid, (es_rect){x + 1, at.y, inner, 1}, (double[]){-1, 1},
                     (double[]){r->low, r->spearman.value, r->high}, ES_ROLE_TEXT, "●");
}

/* Embedders that downstream scores are known of; who takes part is known once all are read. */
static size_t scored(const es_app *app) {
    size_t count = 0;
    bool reading = app->phase == ES_PHASE_CHECKING;
    for (size_t i = 0; i < app->n; i++)
        count += app->score_row[i] != SIZE_MAX && (reading || app->position[i] != ES_NONE);
    return count;
}

/* Of these, how many have a place so far. */
static size_t placed(const es_app *app) {
    size_t count = 0;
    for (size_t i = 0; i < app->n; i++)
        count += app->score_row[i] != SIZE_MAX && app->live[i].place > 0;
    return count;
}

/* "12 count as 10, 16 tasks", or "12 embedders, 16 tasks" if none are related. */
static void put_count(const es_downstream *x, char *out, size_t capacity) {
    if (rint(x->ranking.n_effective) < (double)x->n)
        (void)snprintf(out, capacity, "%zu count as %.0f, %zu task%s", x->n, x->ranking.n_effective,
                       x->tasks, x->tasks == 1 ? "" : "s");
    else
        (void)snprintf(out, capacity, "%zu embedders, %zu task%s", x->n, x->tasks,
                       x->tasks == 1 ? "" : "s");
}

/* Draws the sentences that fit as a whole, with "…" for those that do not. Changes the text. */
static void draw_sentences(es_grid *grid, es_rect at, char *text) {
    static const char more[] = " …";
    const es_rect none = {at.x, at.y, at.w, 0};
    size_t end = strlen(text);
    while (es_draw_wrap(grid, none, ES_ROLE_TEXT_DIM, text, 0) > at.h && end > 0) {
        do
            end--;
        while (end > 0 && !(text[end] == ' ' && text[end - 1] == '.'));
        if (strlen(text) >= end + sizeof more) /* what is cut off is longer */
            memcpy(text + end, end > 0 ? more : "", end > 0 ? sizeof more : 1);
    }
    es_draw_wrap(grid, at, ES_ROLE_TEXT_DIM, text, 0);
}

static void draw_downstream(const es_app *app, es_grid *grid, es_rect pane) {
    const es_downstream *x = app->ranked.downstream;
    const es_decision *d = es_ranking_decided(app);
    const es_results *r = app->ranked.results;
    char right[96] = "";
    es_buf text = {0};
    size_t tasks = app->source->scores.tasks;
    size_t names = es_corr_proposals(app);
    if (names > 0)
        (void)snprintf(right, sizeof right, "gn: %zu name%s?", names, names == 1 ? "" : "s");
    else if (tasks > 0 && x != NULL)
        put_count(x, right, sizeof right);
    else if (tasks > 0)
        (void)snprintf(right, sizeof right, "%zu task%s", tasks, tasks == 1 ? "" : "s");
    es_rect in = begin(app, grid, pane, ES_TILE_DOWNSTREAM, ES_COMMAND_VIEW_CORR,
                       pane.w >= 44 ? "5 Agreement downstream" : "5 Downstream", right, NULL);
    const char *problem = app->source->scores_problem;
    if (tasks == 0 && problem != NULL) {
        es_buf_printf(&text, "The scores are not used: %s", problem);
        es_draw_wrap(grid, in, ES_ROLE_WARNING, text.data != NULL ? text.data : "", 0);
        es_buf_free(&text);
        return;
    }
    if (x == NULL || d == NULL || r == NULL || x->best >= r->m || x->best >= d->m) {
        es_draw_wrap(
            grid, in, ES_ROLE_TEXT_DIM,
            names > 0 ? "Names in the file of scores may be those of embedders here: gn shows "
                        "them."
            : tasks > 0 && scored(app) < 3 ? "Fewer than three embedders have a score on every "
                                             "task: a correlation needs three."
            : tasks > 0 && es_task_columns_telling(&app->scores, app->score_row, app->n) == 0
                ? "On every task all scores are equal."
            : tasks > 0 && placed(app) >= 3 ? "The agreement is being computed."
            : tasks > 0                     ? "Three ranked embedders with scores are needed."
            : in.h < 3                      ? "No downstream scores: 5, then o, opens a CSV."
                       : "No downstream scores. A CSV of them (model, then a column a task) shows "
                         "whether the ranking agrees: 5, then o.",
            0);
        return;
    }
    draw_agreement(grid, (es_rect){in.x, in.y, in.w, 1}, "this ranking", &x->ranking, x->n);
    if (in.h > 1)
        draw_agreement(grid, (es_rect){in.x, in.y + 1, in.w, 1}, "dimension alone", &x->dimension,
                       x->n);
    const bool *best = d->said ? d->best : NULL;
    es_downstream_put_check(x, es_app_name(app, r->model[x->best]), best, &text);
    es_buf_putc(&text, ' ');
    es_downstream_put_loss(x, best, d->m, &text);
    if (!isnan(x->worth.tasks))
        es_buf_putc(&text, ' ');
    es_downstream_put_worth(&x->worth, &text);
    if (in.h > 2 && text.data != NULL)
        draw_sentences(grid, (es_rect){in.x, in.y + 2, in.w, in.h - 2}, text.data);
    es_buf_free(&text);
}

/* ---- The run ---- */

/* What to press now, and what that does. */
static void next_key(const es_app *app, char *out, size_t capacity) {
    char cost[64];
    es_run_seconds_text(app, cost, sizeof cost);
    if (app->phase == ES_PHASE_CHECKING)
        (void)snprintf(out, capacity, "The embedders are being read; 1 shows them.");
    else if (app->phase == ES_PHASE_PAUSED)
        (void)snprintf(out, capacity, "p continues, X stops; finished pairs are kept.");
    else if (es_app_running(app))
        (void)snprintf(out, capacity, "p pauses, X stops; finished pairs are kept.");
    else if (app->source->read_only)
        (void)snprintf(out, capacity, "Results only: nothing is estimated.");
    else if (app->usable < 2)
        (void)snprintf(out, capacity, "a opens another pool; 1 shows what is wrong with this one.");
    else if (app->phase == ES_PHASE_DONE && app->progress.failed > 0)
        (void)snprintf(out, capacity, "7 lists failures, R retries them.");
    else if (app->phase == ES_PHASE_DONE)
        (void)snprintf(out, capacity, "e exports, c compares, gm measures more.");
    else if (app->source->no_room.code != ES_OK)
        (void)snprintf(out, capacity, "It needs more memory than --memory allows.");
    else
        (void)snprintf(out, capacity, "r starts%s%s.", cost[0] == '\0' ? "" : ": ", cost);
}

static void draw_run(const es_app *app, es_grid *grid, es_rect pane) {
    const es_progress *p = &app->progress;
    bool running = es_app_running(app), checking = app->phase == ES_PHASE_CHECKING;
    double share = !checking          ? es_run_share(app)
                   : p->to_check == 0 ? 0
                                      : (double)p->checked / (double)p->to_check;
    char text[200], eta[32];
    es_rect in =
        begin(app, grid, pane, ES_TILE_RUN, ES_COMMAND_VIEW_JOBS, "7 Run", es_app_title(app), NULL);
    if (in.h < 1)
        return;
    es_draw_bar(grid, in.x, in.y, in.w - 6 > 0 ? in.w - 6 : 0, share, ES_ROLE_PROGRESS_FULL,
                ES_ROLE_PROGRESS_EMPTY);
    es_grid_printf(grid, in.x + in.w - 5, in.y, ES_ROLE_TEXT_STRONG, "%4.0f%%", floor(share * 100));
    if (checking)
        (void)snprintf(text, sizeof text, "%zu of %zu matrices read", p->checked, p->to_check);
    else
        es_run_passes_text(app, text, sizeof text);
    es_format_time(p->eta, eta, sizeof eta);
    if (p->waits > 0)
        es_phrase_add(text, sizeof text, " · the store is locked, waiting %.0f s", p->waits);
    else if (running)
        es_phrase_add(text, sizeof text, " · %s left", eta);
    if (app->phase == ES_PHASE_RUNNING && p->rate > 0 && p->waits <= 0)
        es_phrase_add(text, sizeof text, p->rate < 10 ? " · %.1f pair/s" : " · %.0f pair/s",
                      p->rate);
    if (p->failed > 0)
        es_phrase_add(text, sizeof text, " · %zu failed", p->failed);
    if (in.h > 1)
        es_grid_field(grid, in.x, in.y + 1, in.w, -1,
                      p->failed > 0 ? ES_ROLE_STATE_FAILED : ES_ROLE_TEXT, text);
    next_key(app, text, sizeof text);
    if (in.h > 2)
        es_draw_wrap(grid, (es_rect){in.x, in.y + 2, in.w, in.h - 2}, ES_ROLE_TEXT_STRONG, text, 0);
}

/* ---- All of it ---- */

static void (*const tiles[ES_PANE_COUNT])(const es_app *app, es_grid *grid, es_rect pane) = {
    [ES_TILE_ANSWER] = draw_answer,         [ES_TILE_FIRST] = draw_first,
    [ES_TILE_MATRIX] = draw_matrix,         [ES_TILE_FAMILIES] = draw_communities,
    [ES_TILE_DOWNSTREAM] = draw_downstream, [ES_TILE_RUN] = draw_run,
};

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    if (app->n == 0) {
        es_draw_no_embedders(app, grid,
                             es_grid_pane(grid, layout->body, true, "Overview", NULL, NULL));
        return;
    }
    for (int t = 0; t < ES_PANE_COUNT; t++) {
        es_rect pane = layout->pane[t];
        if (pane.w < 1 || pane.h < 1)
            continue;
        es_rect old = es_grid_clip(grid, pane);
        tiles[t](app, grid, pane);
        es_grid_set_clip(grid, old);
    }
}

/* Writes the answer in one line. */
static bool put_place(const es_app *app, char *out, size_t capacity) {
    if (app->headline.text == NULL)
        return false;
    (void)snprintf(out, capacity, "%s", app->headline.text);
    for (char *c = out; *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
    return true;
}

const es_view es_view_overview = {.brief = "Over", .draw = draw, .place = put_place};
