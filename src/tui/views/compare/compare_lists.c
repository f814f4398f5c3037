/* Compare's lists: targets, downstream tasks, rows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_compare.h"
#include "app_lists.h"
#include "app_state.h"
#include "app_values.h"
#include "compare_panes.h"
#include "tui_draw.h"
#include "tui_panes.h"

static bool focused(const es_app *app, es_pane pane) {
    return app->focus[ES_VIEW_COMPARE] == pane;
}

/* A line of a list: its background and the cursor's glyph. Returns the role of its text. */
static es_role begin_line(es_grid *grid, es_rect line, bool selected, bool focus) {
    es_role role = !selected ? ES_ROLE_TEXT : focus ? ES_ROLE_SELECTION : ES_ROLE_SELECTION_BLUR;
    es_grid_fill(grid, line, role, ' ');
    if (selected && focus)
        es_grid_text(grid, line.x, line.y, role, "❯");
    return role;
}

/* ---- Targets ---- */

/* Arrows towards the side that leads, as many as the lead is large. */
static void draw_lead(const es_app *app, es_grid *grid, int x, int y, int w, es_role role,
                      const es_compared_target *target) {
    size_t count = app->set.compare.count, best = 0;
    double most = 1e-9, lead = fabs(target->difference);
    for (size_t i = 0; i < app->compare.lines; i++)
        most = fmax(most, fabs(es_compare_target(app, i)->difference));
    for (size_t k = 1; k < count; k++)
        if (es_app_lower(app) ? target->value[k] < target->value[best]
                              : target->value[k] > target->value[best])
            best = k;
    int arrows = 1 + (int)(lead / most * (w - 1));
    es_role own = role != ES_ROLE_TEXT ? role
                  : !target->clear     ? ES_ROLE_TEXT_DIM
                                       : es_side_role(best);
    const char *arrow = count == 3 ? "━" : best == 0 ? "◀" : "▶";
    if (!target->clear) {
        es_grid_text(grid, x, y, own, "~");
        return;
    }
    if (count == 3)
        es_grid_printf(grid, x, y, own, "%c", es_side_letter(best));
    for (int i = count == 3 ? 1 : 0; i < arrows && i < w; i++)
        es_grid_text(grid, x + i, y, own, arrow);
}

static void draw_target(const es_app *app, es_grid *grid, es_rect line, size_t number, int name,
                        int lead) {
    const es_compared_target *target = es_compare_target(app, number);
    size_t item = es_compare_item(app, number), best = 0;
    es_role role =
        begin_line(grid, line, item == app->compare.target, focused(app, ES_PANE_TARGETS));
    es_grid_click_area(grid, line, ES_CLICK_LINE, number);
    char text[24];
    if (app->marked[item])
        es_grid_text(grid, line.x + 1, line.y, role == ES_ROLE_TEXT ? ES_ROLE_MARK : role, "●");
    bool match = app->search[0] != '\0' && es_select_matches(app, app->search, item);
    es_grid_field(grid, line.x + 2, line.y, name, -1,
                  match && role == ES_ROLE_TEXT ? ES_ROLE_MATCH : role, es_app_name(app, item));
    int x = line.x + 2 + name;
    for (size_t k = 1; k < app->set.compare.count; k++)
        best = target->value[k] > target->value[best] ? k : best;
    for (size_t k = 0; k < app->set.compare.count; k++, x += 6) {
        es_short_value(target->value[k], 3, text, sizeof text);
        es_grid_field(grid, x, line.y, 6, 1,
                      role == ES_ROLE_TEXT && k == best && target->clear ? es_side_role(k) : role,
                      text);
    }
    es_metric_format(ES_METRIC_ASYMMETRY, target->difference, 3, text, sizeof text);
    es_grid_field(grid, x, line.y, 8, 1, role, text);
    if (lead > 0)
        draw_lead(app, grid, x + 9, line.y, lead, role, target);
}

static const char *nothing_differs(const es_app *app) {
    if (app->compare.known == NULL || app->compare.known->n_targets == 0)
        return app->source->read_only ? "No target is known for all of them."
               : es_app_running(app)
                   ? "No target is known for all of them yet; they come with the run."
                   : "No target is known for all of them yet; r estimates the missing pairs.";
    if (app->compare.others == 0)
        return "This pool has no other embedder.";
    if (app->set.filter[0] != '\0' && app->compare.passed == 0)
        return "None of them matches the filter. Esc clears it, f changes it.";
    if (app->set.compare.clear_only && app->compare.judged == 0)
        return "Whether one differs is not known: there are no errors. d shows all.";
    return app->set.compare.clear_only ? "No target differs beyond its interval; d shows all."
                                       : "No other target is known for all of them yet.";
}

/* How many are listed, of how many. */
static void put_listed(const es_app *app, char *out, size_t capacity) {
    const es_compare_state *c = &app->compare;
    bool filtered = app->set.filter[0] != '\0';
    if (app->set.compare.clear_only)
        (void)snprintf(out, capacity, "%zu differ%s of %zu %s", c->lines, c->lines == 1 ? "s" : "",
                       filtered ? c->passed : c->others, filtered ? "that pass" : "targets");
    else
        (void)snprintf(out, capacity, "%zu of %zu targets", c->lines, c->others);
}

/* Of those how many differ, and the key that lists them alone. */
static void add_differing(const es_app *app, char *out, size_t capacity) {
    const es_compare_state *c = &app->compare;
    if (app->set.compare.clear_only)
        es_phrase_add(out, capacity, " · d: all");
    else if (c->lines > 0 && c->judged == 0)
        es_phrase_add(out, capacity, " · errors not known");
    else
        es_phrase_add(out, capacity, " · %zu differ%s (d)", c->clear, c->clear == 1 ? "s" : "");
}

/* With the estimator they are of, where there is room. */
static void count_targets(const es_app *app, const es_grid *grid, int room, char *out,
                          size_t capacity) {
    for (int words = 1; words >= 0; words--) {
        put_listed(app, out, capacity);
        if (es_compare_by(app)[0] != '\0' && words == 1)
            es_phrase_add(out, capacity, " by %.60s", es_compare_by(app));
        add_differing(app, out, capacity);
        if (es_grid_width(grid, out) <= room)
            break;
    }
}

void es_compare_targets_draw(const es_app *app, es_grid *grid, es_rect pane) {
    static const char *const orders[] = {"|A−B| ▼", "A−B ▼", "name ▲"};
    const es_compare_state *c = &app->compare;
    size_t count = app->set.compare.count;
    char right[64], bottom[200];
    (void)snprintf(right, sizeof right, "%ssort %s",
                   app->set.filter[0] != '\0' ? "filtered · " : "",
                   count == 3 && app->set.compare.order == ES_COMPARE_BY_SIZE
                       ? "spread ▼"
                       : orders[app->set.compare.order]);
    count_targets(app, grid, pane.w - 6, bottom, sizeof bottom);
    es_rect in =
        es_grid_pane(grid, pane, focused(app, ES_PANE_TARGETS),
                     pane.w >= 56 ? "Where they differ: targets" : "Targets", right, bottom);
    if (in.h < 1 || in.w < 24)
        return;
    es_rect old = es_grid_clip(grid, in);
    int values = 6 * (int)count + 8, lead = in.w - values - 2 - 16;
    lead = lead < 4 ? 0 : lead > 14 ? 14 : lead;
    int name = in.w - 2 - values - (lead > 0 ? lead + 1 : 0);
    if (c->lines == 0) {
        es_draw_wrap(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h}, ES_ROLE_TEXT_DIM,
                     nothing_differs(app), 0);
        es_grid_set_clip(grid, old);
        return;
    }
    es_grid_text(grid, in.x + 2, in.y, ES_ROLE_COLUMN_HEADER, "target");
    for (size_t k = 0; k < count; k++)
        es_grid_printf(grid, in.x + 2 + name + 6 * (int)k + 5, in.y, es_side_role(k), "%c",
                       es_side_letter(k));
    es_grid_field(grid, in.x + 2 + name + 6 * (int)count, in.y, 8, 1, ES_ROLE_COLUMN_HEADER,
                  count == 3 ? "spread" : "A−B");
    if (lead >= 8)
        es_grid_text(grid, in.x + 2 + name + values + 1, in.y, ES_ROLE_TEXT_DIM, "leads");
    size_t top = es_draw_first_line(es_compare_line(app), c->lines, in.h - 1);
    for (int y = 1; y < in.h && top + (size_t)y - 1 < c->lines; y++)
        draw_target(app, grid, (es_rect){in.x, in.y + y, in.w, 1}, top + (size_t)y - 1, name, lead);
    es_grid_set_clip(grid, old);
}

/* ---- Downstream ---- */

static int task_digits(const double *value, size_t count) {
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = isfinite(value[k]) ? fmax(most, fabs(value[k])) : most;
    return most < 10 ? 3 : 1;
}

static void draw_task(const es_app *app, es_grid *grid, es_rect line, const char *title,
                      const double *value, size_t best, double lead, es_role role, int name) {
    size_t count = app->set.compare.count;
    char text[32];
    int digits = task_digits(value, count), x = line.x + 2 + name;
    es_grid_field(grid, line.x + 2, line.y, name, -1, role, title);
    for (size_t k = 0; k < count; k++, x += 7) {
        es_metric_format(ES_METRIC_IS, value[k], digits, text, sizeof text);
        es_grid_field(grid, x, line.y, 7, 1,
                      role == ES_ROLE_TEXT && k == best ? es_side_role(k) : role, text);
    }
    int room = line.x + line.w - x - 1;
    if (room < 1 || !isfinite(lead))
        return;
    if (best == ES_NONE)
        (void)snprintf(text, sizeof text, room < 6 ? "=" : " equal");
    else if (room < 9)
        (void)snprintf(text, sizeof text, "%c", es_side_letter(best));
    else
        (void)snprintf(text, sizeof text, " %c +%.*f", es_side_letter(best), digits, lead);
    es_grid_field(grid, x + 1, line.y, room, -1,
                  role == ES_ROLE_TEXT && best != ES_NONE ? es_side_role(best) : role, text);
}

/* "A 4  B 12 of 16": tasks in which each is best, of those that know two. */
static void tasks_won(const es_app *app, size_t tasks, char *out, size_t capacity) {
    size_t won[ES_COMPARE_MOST] = {0}, judged = 0;
    double value[ES_COMPARE_MOST], lead;
    for (size_t t = 0; t < tasks; t++) {
        size_t winner = es_compare_task(app, t, value, &lead);
        judged += isfinite(lead) ? 1 : 0;
        if (winner != ES_NONE)
            won[winner]++;
    }
    if (judged == 0) {
        (void)snprintf(out, capacity, "no task in common");
        return;
    }
    out[0] = '\0';
    for (size_t k = 0; k < app->set.compare.count; k++)
        es_phrase_add(out, capacity, "%s%c %zu", k > 0 ? "  " : "", es_side_letter(k), won[k]);
    es_phrase_add(out, capacity, " of %zu", judged);
}

void es_compare_tasks_draw(const es_app *app, es_grid *grid, es_rect pane) {
    size_t tasks = es_score_count(app), of;
    size_t count = app->set.compare.count, agree = es_compare_agreement(app, &of);
    bool focus = focused(app, ES_PANE_TASKS);
    char right[64] = "", bottom[64] = "";
    if (tasks > 0)
        tasks_won(app, app->source->scores.tasks, right, sizeof right);
    if (of > 0)
        (void)snprintf(bottom, sizeof bottom, "%s holds in %zu of %zu",
                       pane.w >= 50 ? "the ranking's order" : "the order", agree, of);
    char head[80] = "Downstream";
    if (pane.w >= 50)
        (void)snprintf(head, sizeof head, "Downstream (%.40s)", app->source->score_file);
    es_rect in = es_grid_pane(grid, pane, focus, head, right, bottom);
    if (in.h < 1 || in.w < 20)
        return;
    es_rect old = es_grid_clip(grid, in);
    if (tasks == 0) {
        const char *problem = app->source->scores_problem;
        char text[600] = "No downstream scores: put a scores.csv into the pool, first column the "
                         "embedder, then one column a task.";
        if (problem)
            (void)snprintf(text, sizeof text, "The scores are not used: %.500s", problem);
        es_draw_wrap(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h},
                     problem ? ES_ROLE_WARNING : ES_ROLE_TEXT_DIM, text, 0);
        es_grid_set_clip(grid, old);
        return;
    }
    int values = 7 * (int)count, winner = in.w - values - 2 >= 24 ? 10 : 2;
    int name = in.w - 2 - values - winner;
    name = name > 30 ? 30 : name;
    es_grid_text(grid, in.x + 2, in.y, ES_ROLE_COLUMN_HEADER, "task");
    for (size_t k = 0; k < count; k++)
        es_grid_printf(grid, in.x + 2 + name + 7 * (int)k + 6, in.y, es_side_role(k), "%c",
                       es_side_letter(k));
    if (winner > 2)
        es_grid_text(grid, in.x + 4 + name + values, in.y, ES_ROLE_COLUMN_HEADER, "best");
    double value[ES_COMPARE_MOST], lead;
    int y = 1;
    if (app->ranked.downstream != NULL && in.h > 3) {
        size_t best = es_compare_percentiles(app, value, &lead);
        draw_task(app, grid, (es_rect){in.x, in.y + y++, in.w, 1}, "mean percentile", value, best,
                  lead, ES_ROLE_TEXT, name);
    }
    int page = in.h - y;
    size_t top = es_draw_first_line(app->compare.task, tasks, page);
    for (int i = 0; i < page && top + (size_t)i < tasks; i++) {
        size_t task = top + (size_t)i, won = es_compare_task(app, task, value, &lead);
        es_rect line = {in.x, in.y + y + i, in.w, 1};
        es_role role = begin_line(grid, line, focus && task == app->compare.task, focus);
        es_grid_click_area(grid, line, ES_CLICK_LINE, task);
        draw_task(app, grid, line, es_score_title(app, task), value, won, lead, role, name);
    }
    es_grid_set_clip(grid, old);
}

/* ---- Rows ---- */

static void draw_row(const es_app *app, es_grid *grid, es_rect line, size_t number, int id) {
    const es_compare_state *c = &app->compare;
    const es_compared_pair *pair = &c->known->pair[c->pair];
    bool focus = focused(app, ES_PANE_ROWS);
    es_role role = begin_line(grid, line, focus && number == c->at, focus);
    es_grid_click_area(grid, line, ES_CLICK_LINE, number);
    es_source_row row = {0};
    double d = es_compare_row_difference(app, c->row[number]);
    size_t by = d > 0 ? pair->a : pair->b;
    char text[640];
    if (!app->source->row(app->source->context, es_compare_entry(app), c->row[number], &row))
        return;
    es_grid_printf(grid, line.x + 1, line.y, role == ES_ROLE_TEXT ? es_side_role(by) : role,
                   "%c %+.2f", es_side_letter(by), fabs(d));
    if (row.id[0] != '\0')
        (void)snprintf(text, sizeof text, "%s", row.id);
    else
        (void)snprintf(text, sizeof text, "row %zu", row.number);
    es_grid_field(grid, line.x + 9, line.y, id, -1, role == ES_ROLE_TEXT ? ES_ROLE_TEXT_DIM : role,
                  text);
    int x = line.x + 10 + id, w = line.x + line.w - x;
    if (es_grid_text(grid, x, line.y, role, row.text) > w && w > 0) /* the beginning tells most */
        es_grid_text(grid, x + w - 1, line.y, role, "…");
}

void es_compare_rows_draw(const es_app *app, es_grid *grid, es_rect pane) {
    const es_compare_state *c = &app->compare;
    const char *missing = es_compare_missing_rows(app);
    char title[120] = "Rows", right[176] = "", bottom[120] = "";
    if (missing == NULL) {
        const es_compared_pair *pair = &c->known->pair[c->pair];
        char a = es_side_letter(pair->a), b = es_side_letter(pair->b);
        if (c->way == ES_COMPARE_BOTH)
            (void)snprintf(title, sizeof title, "Rows that %c or %c alone captures", a, b);
        else
            (void)snprintf(title, sizeof title, "Rows that %c captures, %c not",
                           c->way == ES_COMPARE_FIRST ? a : b, c->way == ES_COMPARE_FIRST ? b : a);
        if (c->row_target != ES_NONE)
            (void)snprintf(right, sizeof right, "for %.150s", es_app_name(app, c->row_target));
        else if (pane.w >= 50)
            (void)snprintf(right, sizeof right, "mean over %zu target%s", c->rows->targets,
                           c->rows->targets == 1 ? "" : "s");
        (void)snprintf(bottom, sizeof bottom, "%s%zu/%zu",
                       app->source->row_texts(app->source->context, es_compare_entry(app))
                           ? ""
                           : "no rows.csv: numbers only · ",
                       c->row_lines == 0 ? 0 : c->at + 1, c->row_lines);
    }
    es_rect in = es_grid_pane(grid, pane, focused(app, ES_PANE_ROWS), title, right, bottom);
    if (in.h < 1 || in.w < 24)
        return;
    es_rect old = es_grid_clip(grid, in);
    if (missing != NULL || c->row_lines == 0)
        es_draw_wrap(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h}, ES_ROLE_TEXT_DIM,
                     missing != NULL ? missing : "No row is captured by one alone.", 0);
    size_t top = es_draw_first_line(c->at, c->row_lines, in.h);
    for (int y = 0; missing == NULL && y < in.h && top + (size_t)y < c->row_lines; y++)
        draw_row(app, grid, (es_rect){in.x, in.y + y, in.w, 1}, top + (size_t)y,
                 in.w >= 50 ? 10 : 8);
    es_grid_set_clip(grid, old);
}

/* How every pane of Compare tells the sides apart, by colour and letter, and writes their values.
 */

es_role es_side_role(size_t side) {
    static const es_role roles[] = {ES_ROLE_COMMUNITY_1, ES_ROLE_COMMUNITY_2, ES_ROLE_COMMUNITY_3};
    return roles[side % 3];
}

char es_side_letter(size_t side) {
    return (char)('A' + side);
}

void es_short_value(double value, int digits, char *out, size_t capacity) {
    es_metric_format(ES_METRIC_IS, value, digits, out, capacity);
    char *zero = out[0] == '-' ? out + 1 : out;
    if (zero[0] == '0' && zero[1] == '.')
        memmove(zero, zero + 1, strlen(zero));
}
