/* Rank: the ranking with its intervals, live. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui_panes.h"
#include "tui_draw.h"
#include "app_lists.h"
#include "app_state.h"
#include "app_values.h"
#include "app_dialogs.h"

/* Intervals come a little after the scores. */
static bool awaits_intervals(const es_app *app, const es_live_rank *s) {
    return es_ranking_decided(app) == NULL && s->place > 0 &&
           (app->intervals.asking || isfinite(es_ranking_intervals_due(app)));
}

static bool draw_cell(const es_app *app, es_grid *grid, es_rect at, size_t column, size_t item,
                      es_role role) {
    const es_live_rank *s = &app->live[item];
    char text[64];
    es_role own;
    switch (column) {
    case ES_RANK_STRIP:
        es_draw_strip(app, grid, at, item, role);
        return true;
    case ES_RANK_DELTA:
        own = s->baseline == 0 || s->place == 0 || s->baseline == s->place ? ES_ROLE_TEXT_DIM
              : s->place < s->baseline                                     ? ES_ROLE_DELTA_UP
                                                                           : ES_ROLE_DELTA_DOWN;
        break;
    case ES_RANK_PAIRS:
        own = s->pairs + s->failed < s->of ? ES_ROLE_STATE_RUNNING
              : s->failed > 0              ? ES_ROLE_WARNING
                                           : ES_ROLE_TEXT_DIM;
        break;
    case ES_RANK_COMMUNITY:
        own = es_tree_group(app, item) == ES_NONE
                  ? ES_ROLE_TEXT_DIM
                  : es_draw_community(app, es_tree_group(app, item));
        break;
    case ES_RANK_SCORE:
        own = ES_ROLE_TEXT_STRONG;
        break;
    case ES_RANK_APART:
        own = es_ranking_apart(app, item, app->cursor) == ES_APART_SHOWN ? ES_ROLE_TEXT_STRONG
                                                                         : ES_ROLE_TIE;
        break;
    case ES_RANK_RANKS:
        if (!awaits_intervals(app, s))
            return false;
        es_grid_field(grid, at.x, at.y, at.w, -1, role == ES_ROLE_TEXT ? ES_ROLE_TEXT_DIM : role,
                      "…");
        return true;
    default:
        return false;
    }
    es_columns_text(app, ES_TABLE_RANK, column, item, text, sizeof text);
    es_grid_field(grid, at.x, at.y, at.w, es_columns_at(app, ES_TABLE_RANK, column).align,
                  role == ES_ROLE_TEXT ? own : role, text);
    return true;
}

/* The strip's title is its axis. */
static void draw_axis(const es_app *app, es_grid *grid, es_rect in) {
    int w[ES_APP_COLUMNS], x = in.x + 3;
    double low, high;
    char text[64];
    (void)es_columns_fit(app, ES_TABLE_RANK, in.w, w);
    for (size_t c = 0; c < ES_RANK_STRIP; c++)
        x += w[c] > 0 ? w[c] + 1 : 0;
    if (w[ES_RANK_STRIP] < 12 || !es_strip_axis(app, &low, &high))
        return;
    const es_table_settings *set = &app->set.table[ES_TABLE_RANK];
    es_role role = set->column == ES_RANK_STRIP ? ES_ROLE_SELECTION_BLUR
                   : set->sort == ES_RANK_STRIP ? ES_ROLE_COLUMN_SORTED
                                                : ES_ROLE_COLUMN_HEADER;
    es_metric_format(ES_METRIC_IS, low, 2, text, sizeof text);
    es_grid_text(grid, x + 1, in.y, role, text);
    es_metric_format(ES_METRIC_IS, high, 2, text, sizeof text);
    es_grid_text(grid, x + w[ES_RANK_STRIP] - 1 - (int)strlen(text), in.y, role, text);
}

static bool may_be_best(const es_app *app, size_t item) {
    return app->live[item].best;
}

/* What the band and the marks mean, as far as there are any: in a few words where there is room. */
static void put_legend(const es_app *app, const bool *seen, bool best, bool wide, char *out,
                       size_t capacity) {
    static const char *const meaning[2][ES_APART_SHOWN + 1] = {
        {[ES_APART_SHOWN] = "≠ ahead or behind", [ES_APART_NOT] = "= not shown"},
        {[ES_APART_SHOWN] = "≠ one is shown ahead", [ES_APART_NOT] = "= no difference shown"}};
    out[0] = '\0';
    if (best)
        es_phrase_add(out, capacity, " · %s %s", app->ascii ? "|" : "▌",
                      wide ? "candidate for the best" : "candidate");
    for (int kind = ES_APART_SHOWN; kind >= ES_APART_NOT; kind--)
        if (seen[kind])
            es_phrase_add(out, capacity, " · %s", meaning[wide][kind]);
}

/* How many are left out; or what their mark means, and that they count. */
static void put_derived(const es_app *app, char *out, size_t capacity) {
    size_t left = es_ranked_left_out(app);
    if (left > 0)
        es_phrase_add(out, capacity, " · %zu derived left out (d)", left);
    else if (es_app_derived(app, true) > 0)
        es_phrase_add(out, capacity, " · " ES_DERIVED_MARK " derived%s",
                      app->set.with_derived ? ", voting (d)" : "");
}

/* What to mind of the estimator; without room what it comes to, before the colon. */
static void put_remark(const es_app *app, int room, char *out, size_t capacity) {
    const char *name = app->results->estimator->name, *remark = app->results->remark;
    bool whole = es_name_width(name) + es_name_width(remark) + 5 <= room;
    int length = (int)(whole ? strlen(remark) : strcspn(remark, ":"));
    es_phrase_add(out, capacity, " · %s: %.*s", name, length, remark);
}

static void bottom_text(const es_app *app, const int *w, char *out, size_t capacity) {
    const es_list *list = &app->list[ES_LIST_RANK];
    bool seen[ES_APART_SHOWN + 1] = {false}, best = false;
    double low = 0, high = 0;
    char legend[200];
    put_derived(app, out, capacity);
    int room = -4 - es_name_width(out);
    if (app->results == NULL)
        return;
    for (size_t i = 0; i < list->count; i++) {
        best = best || app->live[list->item[i]].best;
        seen[es_ranking_apart(app, list->item[i], app->cursor)] = w[ES_RANK_APART] > 0;
    }
    for (size_t c = 0; c < es_columns_count(app, ES_TABLE_RANK); c++)
        room += w[c] > 0 ? w[c] + 1 : 0;
    put_legend(app, seen, best, true, legend, sizeof legend);
    if (es_name_width(legend) > room)
        put_legend(app, seen, best, false, legend, sizeof legend);
    if (es_name_width(legend) > room)
        put_legend(app, (bool[ES_APART_SHOWN + 1]){false}, best, false, legend, sizeof legend);
    es_phrase_add(out, capacity, "%s", legend);
    size_t same = app->cursor == ES_NONE ? ES_NONE : es_app_model(app, app->cursor)->duplicate_of;
    if (same < app->n)
        es_phrase_add(out, capacity, " · same contents as %.150s", es_app_name(app, same));
    if (app->results != NULL && app->results->remark != NULL)
        put_remark(app, room - es_name_width(legend), out, capacity);
    bool other = app->entry != app->ranked.entry && app->entry != ES_NONE;
    if (es_results_null_range(app->results, &low, &high) > 0)
        es_phrase_add(out, capacity, " · zero line%s%s %.3f…%.3f", other ? " by " : "",
                      other ? app->source->title[app->entry] : "", es_rounded_off(low, 3),
                      es_rounded_off(high, 3));
}

static const size_t pictures[] = {ES_RANK_STRIP};
static const es_item_table table = {.id = ES_TABLE_RANK,
                                    .name = ES_RANK_NAME,
                                    .pictures = pictures,
                                    .n_pictures = sizeof pictures / sizeof *pictures,
                                    .cell = draw_cell,
                                    .band = may_be_best,
                                    .bottom = bottom_text};

/* Why the row under the cursor stands where it does. */
static void draw_why(const es_app *app, es_grid *grid, es_rect pane) {
    char title[200];
    (void)snprintf(title, sizeof title, "Why here: %.150s",
                   app->cursor == ES_NONE ? "" : es_app_name(app, app->cursor));
    es_rect in = es_grid_pane(grid, pane, app->focus[app->view] == ES_PANE_SIDE, title, NULL, NULL);
    char *text = app->cursor == ES_NONE ? NULL : es_note_rank(app, app->cursor, false);
    if (text != NULL) {
        es_rect old = es_grid_clip(grid, in);
        es_draw_list(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h}, ES_ROLE_TEXT, text,
                     (int)app->pane_top[app->view][ES_PANE_SIDE]);
        es_grid_set_clip(grid, old);
    }
    es_free(text);
}

/* Lines that no embedder takes: what the columns say, then, where it has no pane of its own, why
 * the row under the cursor stands where it does. */
static void draw_below(const es_app *app, es_grid *grid, es_rect in, bool why) {
    enum { LEAST = 8 };
    int w[ES_APP_COLUMNS];
    es_rect blank = es_item_table_blank(app, in);
    if (blank.h < 3)
        return;
    (void)es_columns_fit(app, ES_TABLE_RANK, in.w, w);
    es_rect old = es_grid_clip(grid, in);
    int room = why && blank.h >= LEAST + 4 ? blank.h - LEAST : blank.h;
    int used =
        es_item_table_meanings(app, grid, (es_rect){blank.x, blank.y, blank.w, room}, &table, w);
    es_grid_set_clip(grid, old);
    blank.y += used;
    blank.h -= used;
    if (why && app->cursor != ES_NONE && blank.h >= LEAST)
        draw_why(app, grid, (es_rect){blank.x, blank.y, blank.w, blank.h});
}

/* A ranking by some of the rows says so, as far as there is room. */
static void put_sample(const es_app *app, const es_grid *grid, int *room, char *title,
                       size_t capacity) {
    char text[120];
    for (int brief = 0; brief < 2; brief++) {
        es_app_sample_text(app, brief, text, sizeof text);
        int width = es_grid_width(grid, text) + 3;
        if (text[0] == '\0' || width > *room)
            continue;
        es_phrase_add(title, capacity, " · %s", text);
        *room -= width;
        return;
    }
}

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    es_rect pane = layout->pane[ES_PANE_MAIN];
    const es_table_settings *set = &app->set.table[ES_TABLE_RANK];
    bool wide = pane.w >= 100, running = app->phase == ES_PHASE_RUNNING;
    bool held =
        es_ranked_complete(app) && (app->order_stale || (running && app->now < app->hold_until));
    size_t changes = app->frozen || app->order_stale ? es_select_changes(app) : 0;
    char title[200], right[300] = "", rule[120];
    es_ranked_rule_text(app, rule, sizeof rule);
    (void)snprintf(title, sizeof title, "Ranking%s %s", wide ? " by the" : ":",
                   es_ranked_score_name(app));
    const char *order = app->frozen ? "frozen (F)" : held ? "order held" : running ? "live" : "";
    if (order[0] != '\0')
        es_phrase_add(right, sizeof right, "%s%s", right[0] == '\0' ? "" : " · ", order);
    if (app->source->growing_to > 0)
        es_phrase_add(right, sizeof right, "%sto %zu rows", right[0] == '\0' ? "" : " · ",
                      app->source->growing_to);
    if (changes > 0)
        es_phrase_add(right, sizeof right, ": %zu rank change%s", changes, changes == 1 ? "" : "s");
    bool ranked = set->sort != ES_RANK_SCORE || es_ranked_some(app);
    if (!ranked)
        es_phrase_add(right, sizeof right, "%snot ranked: by name", right[0] == '\0' ? "" : " · ");
    else if (set->sort != ES_RANK_SCORE || order[0] == '\0') {
        const char *name = es_columns_at(app, ES_TABLE_RANK, set->sort).title;
        es_phrase_add(right, sizeof right, "%ssort: %s %s", right[0] == '\0' ? "" : " · ",
                      name[0] == '\0' ? "interval" : name, set->descending ? "▼" : "▲");
    }
    es_rect in = es_layout_inside(pane);
    if (pane.w == 0) {
        draw_why(app, grid, layout->pane[ES_PANE_SIDE]);
        return;
    }
    int room = pane.w - es_grid_width(grid, title) - es_grid_width(grid, right) -
               es_filter_width(app, grid) - 12;
    put_sample(app, grid, &room, title, sizeof title);
    if (wide && rule[0] != '\0' && es_grid_width(grid, rule) <= room)
        es_phrase_add(title, sizeof title, " (%s)", rule);
    es_filter_mark(app, grid, pane.w, title, right, sizeof right);
    if (app->list[ES_LIST_RANK].count == 0 || app->results == NULL || es_app_too_few(app)) {
        in = es_grid_pane(grid, pane, true, title, app->set.filter[0] ? right : NULL, NULL);
        if (!es_draw_nothing(app, grid, in))
            es_draw_no_pairs(app, grid, in,
                             app->source->read_only
                                 ? "There are no results to show."
                                 : "r starts the estimation; the ranking fills while it runs.");
        return;
    }
    es_item_table_draw(app, grid, pane, &table, title, right);
    draw_axis(app, grid, in);
    draw_below(app, grid, in, layout->pane[ES_PANE_SIDE].w == 0);
    if (layout->pane[ES_PANE_SIDE].w > 0)
        draw_why(app, grid, layout->pane[ES_PANE_SIDE]);
    if (changes > 0 && in.h > 3 && app->frozen) {
        char line[120];
        (void)snprintf(line, sizeof line,
                       " %zu rank change%s since you froze; F puts the rows in order ", changes,
                       changes == 1 ? "" : "s");
        es_grid_field(grid, in.x, in.y + in.h - 1, in.w, 0, ES_ROLE_ROW_HELD, line);
    }
}

/* Writes the row of an embedder in words. */
static void put_row(const es_app *app, size_t item, char *out, size_t capacity) {
    es_item_table_words(app, &table, item, out, capacity);
    if (may_be_best(app, item))
        es_phrase_add(out, capacity, ", a candidate");
}

const es_view es_view_rank = {
    .brief = "Rank",
    .draw = draw,
    .row = put_row,
};
