/* Compare: two or three embedders side by side. The frame, the compared, who simulates whom. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare_panes.h"
#include "tui_draw.h"
#include "tui_panes.h"
#include "app_compare.h"
#include "app_state.h"

static size_t item_of(const es_app *app, size_t side) {
    return app->set.compare.item[side];
}

static bool focused(const es_app *app, es_pane pane) {
    return app->focus[ES_VIEW_COMPARE] == pane;
}

/* ---- The compared ---- */

static void head_row(const es_app *app, es_grid *grid, es_rect in, int y, size_t side, int name) {
    size_t item = item_of(app, side);
    const es_live_rank *s = &app->live[item];
    char value[24], low[24], high[24], place[24] = "-", in_value[24], text[64] = "";
    double percentile = es_compare_percentile(app, item);
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
    es_short_value(percentile, 0, value, sizeof value);
    if (wide)
        es_grid_field(grid, x + 37, y, 6, 1, ES_ROLE_TEXT, value);
}

/* The verdict in signs; behind or below it, as `lines` allow, in words and how sure it is. */
static void draw_verdict(const es_app *app, es_grid *grid, int x, int y, int w, int lines) {
    const es_comparison *known = app->compare.known;
    const es_rect below = {x, y + 1, w, lines - 1};
    char text[96], words[160], line[300];
    if (known == NULL || es_app_lower(app)) {
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
    if (known->pairs == 1) { /* the sign needs no legend where a word stands beside it */
        es_compare_sentence(app, 0, words, sizeof words);
        es_compare_put_gap(app, 0, words, sizeof words);
    }
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
static void put_values(const es_comparison *known, char *out, size_t capacity) {
    for (size_t k = 0; k < 2; k++) {
        char value[24];
        if (!isfinite(known->is[k][1 - k]))
            continue;
        es_short_value(known->is[k][1 - k], 3, value, sizeof value);
        es_phrase_add(out, capacity, "%s%c → %c %s", out[0] == '\0' ? "" : " · ", (char)('A' + k),
                      (char)('B' - k), value);
        es_short_value(known->z * ES_FITTING_NOISE * known->se[k][1 - k], 3, value, sizeof value);
        if (isfinite(known->se[k][1 - k]))
            es_phrase_add(out, capacity, " ±%s", value);
    }
}

/* Where there is no line for the heads of the columns. */
static void heads_on_border(const es_app *app, es_grid *grid, int x, int y) {
    const char *const text[] = {" dim ", " score ", "95% ", " rank ",
                                es_app_lower(app) ? " err " : "IS in"};
    static const int at[] = {1, 6, 13, 25, 31};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        es_grid_text(grid, x + at[k], y, ES_ROLE_COLUMN_HEADER, text[k]);
}

/* Returns the lines taken; a decision that goes on ends in dots. */
static int draw_decision(const es_app *app, es_grid *grid, es_rect r) {
    char text[400];
    es_compare_decision(app, app->compare.pair, text, sizeof text);
    text[strcspn(text, "\n")] = '\0';
    if (r.h < 1 || text[0] == '\0')
        return 0;
    int lines = es_draw_wrap(grid, r, ES_ROLE_TEXT_STRONG, text, 0);
    if (lines > r.h)
        es_grid_text(grid, r.x + r.w - 1, r.y + r.h - 1, ES_ROLE_TEXT_STRONG, "…");
    return lines < r.h ? lines : r.h;
}

/* The decision, then what each is. Alone: no other pane has the verdict. */
static void draw_head(const es_app *app, es_grid *grid, es_rect pane, bool alone) {
    size_t count = app->set.compare.count;
    char values[120] = "";
    bool third = app->compare.side == count && count < ES_COMPARE_MOST;
    if (count == 2 && app->compare.known != NULL)
        put_values(app->compare.known, values, sizeof values);
    if (es_compare_by(app)[0] != '\0' && values[0] != '\0')
        es_phrase_add(values, sizeof values, " · by %.60s", es_compare_by(app));
    es_rect in =
        es_grid_pane(grid, pane, false, "Compare", third ? "C: a adds a third" : NULL, values);
    in = (es_rect){in.x + 1, in.y, in.w - 2, in.h};
    int y = in.y, end = in.y + in.h, name = in.w - 4 - (in.w >= 74 ? 43 : 36);
    es_rect old = es_grid_clip(grid, (es_rect){in.x, pane.y, in.w, in.y + in.h - pane.y});
    bool heads = in.h > (int)count + 1;
    y += draw_decision(app, grid, (es_rect){in.x, y, in.w, in.h - (int)count - heads});
    if (heads) {
        int x = in.x + 4 + name;
        es_grid_text(grid, x, y, ES_ROLE_COLUMN_HEADER,
                     es_app_lower(app) ? "  dim  score 95%          rank   err"
                                       : "  dim  score 95%          rank IS in");
        if (in.w >= 74)
            es_grid_text(grid, x + 38, y, ES_ROLE_COLUMN_HEADER, "%ile");
        y++;
    } else
        heads_on_border(app, grid, in.x + 4 + name, pane.y);
    for (size_t k = 0; k < count; k++)
        head_row(app, grid, in, y++, k, name);
    if (y < end && alone)
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
                     failed                     ? "× failed"
                     : state == ES_PAIR_RUNNING ? "▶ running"
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
    if (bar >= 3 && !es_app_lower(app))
        es_draw_bar(grid, r.x + used + 1, r.y, bar, known->cover[a][b], es_side_role(a),
                    ES_ROLE_PROGRESS_EMPTY);
}

static void who_pairs(const es_app *app, es_grid *grid, es_rect in, int y) {
    const es_comparison *known = app->compare.known;
    for (size_t p = 0; p < known->pairs && y < in.y + in.h; p++, y++) {
        char text[200];
        bool selected = focused(app, ES_PANE_WHO) && p == app->compare.pair;
        es_role role = selected ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
        es_compare_sentence(app, p, text, sizeof text);
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
                              pane.w < 50         ? NULL
                              : es_app_lower(app) ? "error(row → column)"
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
    if (count > 2 && app->compare.known != NULL && !es_app_lower(app)) {
        who_pairs(app, grid, in, y);
        y += (int)app->compare.known->pairs;
        y += y + 2 < in.y + in.h;
    }
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
        (void)snprintf(
            text, sizeof text,
            "Enter compares the most telling pair: %.120s and %.120s. The first explains "
            "%.3f of the second, the second %.3f of the first.\n\n",
            es_app_name(app, a), es_app_name(app, b), r->is[x * r->m + y], r->is[y * r->m + x]);
    }
    es_phrase_add(text, sizeof text,
                  "c compares two or three embedders: those marked with Space, else the one under "
                  "the cursor with the best, in Heatmap the two of the cell.\n\n"
                  "a chooses one from a list, :compare takes names.");
    es_draw_empty(grid, in, "Nothing is compared yet", text);
}

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    const es_rect *pane = layout->pane;
    if (app->set.compare.count < 2) {
        es_rect in = es_grid_pane(grid, layout->body, true, "Compare", NULL, NULL);
        if (!es_draw_nothing(app, grid, in))
            draw_proposal(app, grid, in);
        return;
    }
    if (pane[ES_PANE_CARDS].h > 0)
        draw_head(app, grid, pane[ES_PANE_CARDS], pane[ES_PANE_WHO].h == 0);
    if (pane[ES_PANE_WHO].h > 0)
        draw_who(app, grid, pane[ES_PANE_WHO]);
    if (pane[ES_PANE_TARGETS].h > 0)
        es_compare_targets_draw(app, grid, pane[ES_PANE_TARGETS]);
    if (pane[ES_PANE_TASKS].h > 0)
        es_compare_tasks_draw(app, grid, pane[ES_PANE_TASKS]);
    if (pane[ES_PANE_ROWS].h > 0)
        es_compare_rows_draw(app, grid, pane[ES_PANE_ROWS]);
}

const es_view es_view_compare = {
    .brief = "Cmp",
    .draw = draw,
};
