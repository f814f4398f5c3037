/* Compare: two or three embedders side by side. The frame, the cards, who simulates whom. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "compare_panes.h"
#include "phrase.h"
#include "shapes.h"
#include "view.h"
#include "compare_map.h"
#include "compare_mask.h"
#include "compare_state.h"
#include "compare_text.h"
#include "facts.h"
#include "heat.h"
#include "number_text.h"
#include "lead.h"
#include "ranked.h"

static size_t item_of(const es_app *app, size_t side) {
    return app->set.compare.item[side];
}

static bool focused(const es_app *app, es_pane pane) {
    return app->focus[ES_VIEW_COMPARE] == pane;
}

/* ---- Cards ---- */

static void ordinal(size_t place, char *out, size_t capacity) {
    size_t last = place % 10, teen = place % 100 / 10;
    (void)snprintf(out, capacity, "%zu%s", place,
                   teen == 1 || last == 0 || last > 3 ? "th"
                   : last == 1                        ? "st"
                   : last == 2                        ? "nd"
                                                      : "rd");
}

static void card_scores(const es_app *app, es_pen *pen, size_t side) {
    double mean[ES_COMPARE_MOST];
    size_t item = item_of(app, side), tasks = es_compare_mean(app, mean), task = 0;
    size_t columns = app->source->scores.tasks;
    size_t place = es_compare_best_task(app, item, &task);
    char best[160] = "", nth[24];
    if (columns == 0) {
        if (app->source->scores_problem)
            es_pen_line(pen, ES_ROLE_WARNING, "scores not used: see 5");
        else
            es_pen_line(pen, ES_ROLE_TEXT_DIM, "no downstream scores");
        return;
    }
    if (place == 0) {
        es_pen_line(pen, ES_ROLE_TEXT_DIM, "no downstream scores");
        return;
    }
    ordinal(place, nth, sizeof nth);
    (void)snprintf(best, sizeof best, "best %.80s %s", app->scores.task[task], nth);
    if (tasks > 0)
        es_pen_line(pen, ES_ROLE_TEXT, mean[side] < 10 ? "tasks  %.3f  %s" : "tasks  %.1f  %s",
                    mean[side], best);
    else
        es_pen_line(pen, ES_ROLE_TEXT, "%s", best);
}

/* What the check of the file found. */
static void card_contents(const es_app *app, es_pen *pen, size_t item) {
    const es_model *m = es_app_model(app, item);
    if (m->rows == 0)
        return;
    if (m->dim_used > 0 && m->dropped_columns > 0)
        es_pen_line(pen, ES_ROLE_TEXT, "uses   %zu/%zu columns, %zu constant", m->dim_used, m->dim,
                    m->dropped_columns);
    else if (m->zero_rows > 0)
        es_pen_line(pen, ES_ROLE_WARNING, "uses   all columns, %zu rows are all zero",
                    m->zero_rows);
    else
        es_pen_line(pen, ES_ROLE_TEXT, "uses   all %zu column%s", m->dim, m->dim == 1 ? "" : "s");
    es_pen_line(pen, ES_ROLE_TEXT_DIM, "file   %s", m->file == NULL ? "-" : m->file);
    if (m->duplicate_of != ES_NONE && m->duplicate_of < app->n)
        es_pen_line(pen, ES_ROLE_WARNING, "same contents as %s", es_app_name(app, m->duplicate_of));
    else if (m->state == ES_MODEL_READY)
        es_pen_line(pen, ES_ROLE_TEXT_DIM, "digest %08" PRIx64, m->digest.hi >> 32);
}

/* Where it does not fit, blanks give way, and no sign. */
static void card_score(es_pen *pen, const char *value, const char *low, const char *high,
                       size_t place) {
    char text[128];
    (void)snprintf(text, sizeof text, "score  %s [%s, %s]  rank %zu", value, low, high, place);
    if (es_grid_width(pen->grid, text) > pen->rect.w)
        (void)snprintf(text, sizeof text, "score %s [%s,%s] #%zu", value, low, high, place);
    es_pen_line(pen, ES_ROLE_TEXT_STRONG, "%s", text);
}

static void draw_card(const es_app *app, es_grid *grid, es_rect pane, size_t side) {
    size_t item = item_of(app, side), in_place = es_compare_place_in(app, item);
    const es_model *m = es_app_model(app, item);
    const es_live_rank *s = &app->live[item];
    const char *chosen = side != app->compare.side ? "" : "▸";
    char title[200], value[24], low[24], high[24], rows[32] = "";
    (void)snprintf(title, sizeof title, "%s%c  %.150s", chosen, es_side_letter(side),
                   es_model_label(m));
    es_rect in = es_grid_pane(grid, pane, false, title, NULL, NULL);
    if (pane.w > 6)
        es_grid_role(grid, (es_rect){pane.x + 2, pane.y, 3, 1}, es_side_role(side));
    es_pen pen = es_pen_begin(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h}, 0);
    bool sample = app->source->rows > 0 && app->source->rows < m->rows;
    if (sample)
        (void)snprintf(rows, sizeof rows, "%zu of ", app->source->rows);
    if (m->rows > 0)
        es_pen_line(&pen, ES_ROLE_TEXT, "dim    %zu  %s  n %s%zu  norm %.3g", m->dim,
                    m->dtype == NULL ? "" : es_format_dtype(m->dtype), rows, m->rows, m->norm_mean);
    else if (m->dim > 0)
        es_pen_line(&pen, ES_ROLE_TEXT, "dim    %zu", m->dim);
    es_metric_format(ES_METRIC_IS, s->score, 3, value, sizeof value);
    es_short_value(s->low, 3, low, sizeof low);
    es_short_value(s->high, 3, high, sizeof high);
    if (s->place == 0)
        es_pen_line(&pen, ES_ROLE_TEXT_DIM, "score  %s",
                    es_ranked_leaves_out(app, item) ? "derived: it neither votes nor ranks"
                                                    : "not ranked yet");
    else if (isfinite(s->low))
        card_score(&pen, value, low, high, s->place);
    else
        es_pen_line(&pen, ES_ROLE_TEXT_STRONG, "score  %s  rank %zu", value, s->place);
    es_metric_format(ES_METRIC_IS, s->simulated, 3, value, sizeof value);
    const char *what = es_compare_lower(app) ? "err in" : "IS in ";
    if (in_place > 0)
        es_pen_line(&pen, ES_ROLE_TEXT, "%s %s  rank %zu  (by %s)", what, value, in_place,
                    es_ranked_beside_title(app));
    else
        es_pen_line(&pen, ES_ROLE_TEXT_DIM, "%s not known yet", what);
    card_scores(app, &pen, side);
    if (m->family != NULL)
        es_pen_line(&pen, ES_ROLE_TEXT, "family %s", m->family);
    card_contents(app, &pen, item);
    es_pen_end(&pen);
}

static void draw_cards(const es_app *app, es_grid *grid, es_rect pane) {
    size_t count = app->set.compare.count;
    int x = pane.x;
    for (size_t k = 0; k < count; k++) {
        int end = pane.x + (int)((size_t)pane.w * (k + 1) / count);
        draw_card(app, grid, (es_rect){x, pane.y, end - x, pane.h}, k);
        x = end;
    }
}

/* ---- The short head of smaller screens ---- */

static void head_row(const es_app *app, es_grid *grid, es_rect in, int y, size_t side, int name) {
    size_t item = item_of(app, side), tasks;
    const es_live_rank *s = &app->live[item];
    char value[24], low[24], high[24], place[24] = "-", in_value[24], text[64] = "";
    double mean[ES_COMPARE_MOST];
    bool wide = in.w >= 74;
    es_role role = side == app->compare.side ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT;
    es_short_value(s->score, 3, value, sizeof value);
    es_short_value(s->simulated, 3, in_value, sizeof in_value);
    if (isfinite(s->high)) { /* seldom as wide on either side */
        es_short_value(s->low, 3, low, sizeof low);
        es_short_value(s->high, 3, high, sizeof high);
        (void)snprintf(text, sizeof text, "[%s,%s]", low, high);
    }
    if (s->place > 0)
        (void)snprintf(place, sizeof place, "%zu", s->place);
    es_grid_printf(grid, in.x, y, es_side_role(side), "%s%c", side == app->compare.side ? "▸" : " ",
                   es_side_letter(side));
    es_grid_field(grid, in.x + 3, y, name, -1, role, es_app_name(app, item));
    int x = in.x + 4 + name;
    size_t dim = es_app_model(app, item)->dim; /* 0: not known, as of a finished matrix */
    if (dim > 0)
        es_grid_printf(grid, x, y, ES_ROLE_TEXT, "%5zu", dim);
    else
        es_grid_text(grid, x + 4, y, ES_ROLE_TEXT, "-");
    es_grid_field(grid, x + 7, y, 5, 1, ES_ROLE_TEXT_STRONG, value);
    es_grid_field(grid, x + 13, y, 13, -1, ES_ROLE_TEXT_DIM, text);
    es_grid_field(grid, x + 26, y, 4, 1, ES_ROLE_TEXT, place);
    es_grid_field(grid, x + 31, y, 5, 1, ES_ROLE_TEXT, in_value);
    tasks = es_compare_mean(app, mean);
    if (!wide)
        return;
    if (tasks > 0)
        (void)snprintf(text, sizeof text, mean[side] < 10 ? "%.3f" : "%.1f", mean[side]);
    es_grid_field(grid, x + 37, y, 6, 1, ES_ROLE_TEXT, tasks > 0 ? text : "-");
}

/* The verdict in signs; behind or below it, as `lines` allow, in words and how sure it is. */
static void draw_verdict(const es_app *app, es_grid *grid, int x, int y, int w, int lines) {
    const es_comparison *known = app->compare.known;
    const es_rect below = {x, y + 1, w, lines - 1};
    char text[96], words[160], line[300];
    if (known == NULL || es_compare_lower(app)) {
        const char *why = known == NULL ? "verdict  not known: no results for them yet"
                                        : "verdict  needs linear or knife: this one is an error";
        es_grid_text(grid, x, y, ES_ROLE_TEXT_DIM, why);
        return;
    }
    if (known->pairs == 1 && known->pair[0].verdict == ES_VERDICT_UNKNOWN) {
        es_grid_printf(grid, x, y, ES_ROLE_TEXT_DIM, "verdict  not known: %s",
                       es_compare_sureness(app));
        return;
    }
    es_compare_verdict(app, text, sizeof text);
    es_compare_legend(app, words, sizeof words);
    (void)snprintf(line, sizeof line, "verdict  %s", text);
    int width = es_grid_text(grid, x, y, ES_ROLE_TEXT, line) + 3;
    if (known->pairs == 1) /* the sign needs no legend where a word stands beside it */
        es_compare_sentence(app, 0, words, sizeof words);
    (void)snprintf(line, sizeof line, "%s; %s", words, es_compare_sureness(app));
    if (width + es_grid_width(grid, line) <= w)
        es_grid_text(grid, x + width, y, ES_ROLE_TEXT_DIM, line);
    else if (lines > 1 && es_grid_width(grid, line) <= w)
        es_grid_text(grid, x, y + 1, ES_ROLE_TEXT_DIM, line);
    else if (lines > 1 && width + es_grid_width(grid, words) <= w) {
        es_grid_text(grid, x + width, y, ES_ROLE_TEXT_DIM, words);
        es_grid_text(grid, x, y + 1, ES_ROLE_TEXT_DIM, es_compare_sureness(app));
    } else if (lines > 1 && es_draw_wrap(grid, below, ES_ROLE_TEXT_DIM, line, INT_MAX) < lines)
        es_draw_wrap(grid, below, ES_ROLE_TEXT_DIM, line, 0);
    else if (width + es_grid_width(grid, words) <= w)
        es_grid_text(grid, x + width, y, ES_ROLE_TEXT_DIM, words);
    else if (lines > 1 && es_grid_width(grid, words) <= w)
        es_grid_text(grid, x, y + 1, ES_ROLE_TEXT_DIM, words);
    else {
        es_compare_legend(app, words, sizeof words);
        if (width + es_grid_width(grid, words) <= w)
            es_grid_text(grid, x + width, y, ES_ROLE_TEXT_DIM, words);
    }
}

/* What the pane of all pairs says where there is room for it. */
static void put_values(const es_comparison *known, bool ascii, char *out, size_t capacity) {
    for (size_t k = 0; k < 2; k++) {
        char value[24];
        if (!isfinite(known->is[k][1 - k]))
            continue;
        es_short_value(known->is[k][1 - k], 3, value, sizeof value);
        es_phrase_add(out, capacity, "%s%c %s %c %s", out[0] == '\0' ? "" : " · ", (char)('A' + k),
                      ascii ? "->" : "→", (char)('B' - k), value);
        es_short_value(known->z * ES_FITTING_NOISE * known->se[k][1 - k], 3, value, sizeof value);
        if (isfinite(known->se[k][1 - k]))
            es_phrase_add(out, capacity, " ±%s", value);
    }
}

/* Where there is no line for the heads of the columns. */
static void heads_on_border(const es_app *app, es_grid *grid, int x, int y) {
    const char *const text[] = {" dim ", " score ", "95% ", " rank ",
                                es_compare_lower(app) ? " err " : "IS in"};
    static const int at[] = {1, 6, 13, 25, 31};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        es_grid_text(grid, x + at[k], y, ES_ROLE_COLUMN_HEADER, text[k]);
}

static void draw_head(const es_app *app, es_grid *grid, es_rect pane) {
    size_t count = app->set.compare.count;
    char reading[240], values[120] = "";
    bool third = app->compare.side == count && count < ES_COMPARE_MOST;
    if (count == 2 && app->compare.known != NULL)
        put_values(app->compare.known, app->ascii, values, sizeof values);
    if (es_compare_by(app)[0] != '\0' && values[0] != '\0')
        es_phrase_add(values, sizeof values, " · by %.60s", es_compare_by(app));
    es_rect in =
        es_grid_pane(grid, pane, false, "Compare", third ? "C: a adds a third" : NULL, values);
    in = (es_rect){in.x + 1, in.y, in.w - 2, in.h};
    int y = in.y, end = in.y + in.h, name = in.w - 4 - (in.w >= 74 ? 43 : 36);
    es_rect old = es_grid_clip(grid, (es_rect){in.x, pane.y, in.w, in.y + in.h - pane.y});
    if (in.h > (int)count + 1) {
        int x = in.x + 4 + name;
        es_grid_text(grid, x, y, ES_ROLE_COLUMN_HEADER,
                     es_compare_lower(app) ? "  dim  score 95%          rank   err"
                                           : "  dim  score 95%          rank IS in");
        if (in.w >= 74)
            es_grid_text(grid, x + 38, y, ES_ROLE_COLUMN_HEADER, "tasks");
        y++;
    } else
        heads_on_border(app, grid, in.x + 4 + name, pane.y);
    for (size_t k = 0; k < count; k++)
        head_row(app, grid, in, y++, k, name);
    es_compare_decision(app, app->compare.pair, reading, sizeof reading);
    if (y < end && reading[0] != '\0')
        es_grid_text(grid, in.x, y++, ES_ROLE_TEXT_STRONG, reading);
    if (y + 1 < end && app->compare.known != NULL && !es_compare_lower(app)) {
        es_compare_reading(app, app->compare.pair, reading, sizeof reading);
        es_grid_text(grid, in.x, y++, ES_ROLE_TEXT, reading);
    }
    if (y < end)
        draw_verdict(app, grid, in.x, y, in.w, end - y);
    es_grid_set_clip(grid, old);
}

/* ---- Who simulates whom ---- */

static void who_cell(const es_app *app, es_grid *grid, es_rect r, size_t a, size_t b) {
    const es_comparison *known = app->compare.known;
    size_t source = item_of(app, a), target = item_of(app, b);
    es_pair_state state = es_compare_pair_state(app, source, target);
    char value[24], text[48];
    if (a == b) {
        es_grid_text(grid, r.x + 2, r.y, ES_ROLE_CELL_SELF, "╲");
        return;
    }
    if (known == NULL || !isfinite(known->is[a][b])) {
        bool failed = state == ES_PAIR_FAILED;
        es_grid_text(grid, r.x + 2, r.y, failed ? ES_ROLE_CELL_FAILED : ES_ROLE_CELL_PENDING,
                     failed                                  ? "× failed"
                     : state == ES_PAIR_RUNNING              ? "▶ running"
                     : es_compare_waits(app, source, target) ? "· to refine"
                                                             : "· pending");
        return;
    }
    es_short_value(known->is[a][b], 3, value, sizeof value);
    int used = es_grid_text(grid, r.x, r.y, ES_ROLE_TEXT_STRONG, value);
    if (isfinite(known->se[a][b]) && r.w >= 12) {
        es_short_value(known->z * ES_FITTING_NOISE * known->se[a][b], 3, value, sizeof value);
        (void)snprintf(text, sizeof text, " ±%s", value);
        used += es_grid_text(grid, r.x + used, r.y, ES_ROLE_TEXT_DIM, text);
    }
    int bar = r.w - used - 2;
    if (bar >= 3 && !es_compare_lower(app))
        es_draw_bar(grid, r.x + used + 1, r.y, bar, known->cover[a][b], es_side_role(a),
                    ES_ROLE_PROGRESS_EMPTY);
}

static void who_pairs(const es_app *app, es_grid *grid, es_rect in, int y) {
    const es_comparison *known = app->compare.known;
    for (size_t p = 0; known != NULL && p < known->pairs && y < in.y + in.h; p++, y++) {
        char text[200];
        bool selected = focused(app, ES_PANE_WHO) && p == app->compare.pair;
        es_role role = selected ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
        es_compare_reading(app, p, text, sizeof text);
        if (selected)
            es_grid_fill(grid, (es_rect){in.x - 1, y, in.w + 2, 1}, role, ' ');
        if (selected || (known->pairs > 1 && p == app->compare.pair))
            es_grid_text(grid, in.x - 1, y, selected ? role : ES_ROLE_TEXT_DIM,
                         selected ? "❯" : "▸");
        es_grid_field(grid, in.x + 1, y, in.w - 1, -1, role, text);
    }
}

static void draw_who(const es_app *app, es_grid *grid, es_rect pane) {
    size_t count = app->set.compare.count;
    char by[80] = "";
    if (es_compare_by(app)[0] != '\0') /* others show the best known values */
        (void)snprintf(by, sizeof by, "by %.70s", es_compare_by(app));
    es_rect in = es_grid_pane(grid, pane, focused(app, ES_PANE_WHO), "Who simulates whom",
                              pane.w < 50             ? NULL
                              : es_compare_lower(app) ? "error(row → column)"
                                                      : "IS(row → column)/d, bar: share",
                              app->compare.side == count ? "▸C: a adds a third" : by);
    in = (es_rect){in.x + 1, in.y, in.w - 2, in.h};
    if (in.w < 20 || in.h < 2)
        return;
    es_rect old = es_grid_clip(grid, (es_rect){in.x - 1, in.y, in.w + 2, in.h});
    int room = count == 2 ? in.w / 3 : in.w / 4, name = room < 20 ? room : 20,
        cell = (in.w - name - 1) / (int)count, y = in.y;
    for (size_t b = 0; b < count; b++)
        es_grid_printf(grid, in.x + name + 1 + (int)b * cell, y, es_side_role(b), "→ %c",
                       es_side_letter(b));
    y++;
    for (size_t a = 0; a < count; a++, y++) {
        es_grid_printf(grid, in.x, y, es_side_role(a), "%c", es_side_letter(a));
        es_grid_field(grid, in.x + 2, y, name - 2, -1, ES_ROLE_TEXT,
                      es_app_name(app, item_of(app, a)));
        for (size_t b = 0; b < count; b++)
            who_cell(app, grid, (es_rect){in.x + name + 1 + (int)b * cell, y, cell, 1}, a, b);
    }
    y += in.h >= (int)count * 2 + 4;
    if (!es_compare_lower(app))
        who_pairs(app, grid, in, y);
    y += app->compare.known == NULL ? 0 : (int)app->compare.known->pairs;
    y += y + 2 < in.y + in.h;
    if (y < in.y + in.h)
        draw_verdict(app, grid, in.x, y, in.w, in.y + in.h - y);
    es_grid_set_clip(grid, old);
}

/* ---- The view ---- */

/* Nothing is compared: the pair that says most, one key away. */
static void draw_proposal(const es_app *app, es_grid *grid, es_rect in) {
    size_t a, b;
    char text[700] = "";
    es_compare_telling(app, &a, &b);
    if (a != ES_NONE) {
        const es_results *r = es_compare_results(app);
        size_t x = app->position[a], y = app->position[b];
        (void)snprintf(text, sizeof text,
                       "Enter compares the most telling pair: %.120s and %.120s. The first says "
                       "%.3f of the second, the second %.3f of the first.\n\n",
                       es_app_name(app, a), es_app_name(app, b), r->is[x * r->m + y],
                       r->is[y * r->m + x]);
    }
    es_phrase_add(text, sizeof text,
                  "c compares two or three embedders: those marked with Space, else the one under "
                  "the cursor with the best, in Heatmap the two of the cell.\n\n"
                  "a chooses one from a list, :compare takes names.");
    es_draw_empty(grid, in, "Nothing is compared yet", text);
}

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    const es_rect *pane = layout->pane;
    if (es_compare_map_shown(app)) {
        es_compare_map_draw(app, grid, layout->body);
        return;
    }
    if (app->set.compare.count < 2) {
        es_rect in = es_grid_pane(grid, layout->body, true, "Compare", NULL, NULL);
        if (!es_draw_nothing(app, grid, in))
            draw_proposal(app, grid, in);
        return;
    }
    if (pane[ES_PANE_CARDS].h > 0 && layout->size == ES_LAYOUT_WIDE)
        draw_cards(app, grid, pane[ES_PANE_CARDS]);
    else if (pane[ES_PANE_CARDS].h > 0)
        draw_head(app, grid, pane[ES_PANE_CARDS]);
    if (pane[ES_PANE_WHO].h > 0)
        draw_who(app, grid, pane[ES_PANE_WHO]);
    if (pane[ES_PANE_TARGETS].h > 0)
        es_compare_targets_draw(app, grid, pane[ES_PANE_TARGETS]);
    if (pane[ES_PANE_TASKS].h > 0)
        es_compare_tasks_draw(app, grid, pane[ES_PANE_TASKS]);
    if (pane[ES_PANE_ROWS].h > 0)
        es_compare_rows_draw(app, grid, pane[ES_PANE_ROWS]);
    if (pane[ES_PANE_PROFILE].h > 0)
        es_compare_profile_draw(app, grid, pane[ES_PANE_PROFILE]);
}

const es_view es_view_compare = {
    .brief = "Cmp",
    .draw = draw,
    .place = es_compare_map_place,
};
