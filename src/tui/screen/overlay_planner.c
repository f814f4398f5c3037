/* The run dialog: what will be estimated, what that costs, and the command line that does the same.
 */
#include <stdio.h>

#include "tui_screen.h"
#include "app_commands.h"

enum { WIDTH = 84, HEIGHT = 16, LABEL = 12 };

/* An arrow that a click turns into its key. */
static int put_arrow(es_grid *grid, int x, int y, bool right, bool ascii) {
    es_grid_text(grid, x, y, ES_ROLE_KEY, right ? (ascii ? ">" : "▸") : (ascii ? "<" : "◂"));
    es_grid_click_area(grid, (es_rect){x, y, 1, 1}, ES_CLICK_KEY,
                       right ? ES_KEY_RIGHT : ES_KEY_LEFT);
    return x + 2;
}

/* Behind a choice: what it is, in its own table's words. */
static const char *explain(const es_planner_request *request, es_planner_field field) {
    const es_estimator *estimator = es_planner_estimator(request);
    const es_preset *preset = es_planner_preset(request);
    if (field == ES_PLANNER_ESTIMATOR)
        return estimator != NULL ? estimator->title : "a preview of all pairs, then each refined";
    if (field == ES_PLANNER_PRESET)
        return preset != NULL ? preset->help : "";
    return "";
}

static void put_field(const es_app *app, es_grid *grid, es_rect in, int y, es_planner_field field) {
    const es_planner_request *request = &app->planner.now;
    bool here = app->planner.field == field;
    char text[96];
    int x = in.x + 1 + LABEL, end = in.x + in.w - 1;
    es_grid_text(grid, in.x + 3, y, here ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT_DIM,
                 es_planner_name(field));
    es_planner_shown(app, request, field, text, sizeof text);
    if (here) {
        es_grid_text(grid, in.x + 1, y, ES_ROLE_CURSOR, "❯");
        x = put_arrow(grid, x, y, false, app->ascii);
    } else
        x += 2;
    int from = x;
    x += es_grid_text(grid, x, y, here ? ES_ROLE_TEXT_STRONG : ES_ROLE_OVERLAY, text);
    if (here) {
        es_grid_role(grid, (es_rect){from, y, x - from, 1}, ES_ROLE_SELECTION);
        put_arrow(grid, x + 1, y, true, app->ascii);
    }
    es_draw_sentence(grid, x + 4, y, end - x - 4, ES_ROLE_TEXT_DIM, explain(request, field));
}

static void put_outlook(const es_app *app, es_grid *grid, es_rect in, int y) {
    es_planner_outlook look = es_planner_look(app, &app->planner.now);
    char text[160], time[32];
    size_t left = look.pairs - (look.known < look.pairs ? look.known : look.pairs);
    es_format_time(look.seconds, time, sizeof time);
    if (app->planner.from.command == NULL || look.pairs == 0)
        (void)snprintf(text, sizeof text, "known when the pool is checked");
    else if (left == 0)
        (void)snprintf(text, sizeof text, "%zu, all known already", look.pairs);
    else if (look.known > 0 || isfinite(look.seconds))
        (void)snprintf(text, sizeof text, "%zu, %zu of them known%s%s", look.pairs, look.known,
                       isfinite(look.seconds) ? "; the rest about " : "",
                       isfinite(look.seconds) ? time : "");
    else
        (void)snprintf(text, sizeof text, "%zu; those in the store are taken from there",
                       look.pairs);
    es_grid_text(grid, in.x + 3, y, ES_ROLE_TEXT_DIM, "pairs");
    es_draw_sentence(grid, in.x + 3 + LABEL, y, in.w - LABEL - 4, ES_ROLE_OVERLAY, text);
}

/* What is wrong with it, or stands in its way, or is to be known. */
static int put_notes(const es_app *app, es_grid *grid, es_rect at) {
    const es_planner_request *request = &app->planner.now;
    const char *hindrance = es_planner_hindrance(app, request);
    char text[sizeof(es_error)];
    es_error err = {0};
    es_planner_remark(app, request, text, sizeof text);
    if (es_planner_problem(app, request, &err) != ES_OK)
        return es_draw_wrap(grid, at, ES_ROLE_ERROR, err.message, 0);
    if (hindrance != NULL && (app->phase != ES_PHASE_DONE || es_planner_differs(app, request)))
        (void)snprintf(text, sizeof text, "Not now: %s.", hindrance);
    return text[0] != '\0' ? es_draw_wrap(grid, at, ES_ROLE_WARNING, text, 0) : 0;
}

void es_overlay_planner(const es_app *app, es_grid *grid) {
    es_rect rect = es_draw_centred(grid, WIDTH, HEIGHT);
    es_rect in = es_draw_overlay(grid, rect, "Run", NULL,
                                 "↵ start · y copy the command · ←/→ change · Esc leave");
    es_rect old = es_grid_clip(grid, in);
    bool roomy = in.h > 12;
    int y = in.y + roomy;
    for (int field = 0; field < ES_PLANNER_FIELDS; field++)
        put_field(app, grid, in, y++, (es_planner_field)field);
    y += roomy;
    put_outlook(app, grid, in, y++);
    y += put_notes(app, grid, (es_rect){in.x + 3, y, in.w - 4, in.y + in.h - y});
    y += roomy;
    es_grid_text(grid, in.x + 1, y++, ES_ROLE_TEXT_DIM, "The same from a shell or a Makefile:");
    char *line = es_planner_text(app, &app->planner.now);
    if (line != NULL && y < in.y + in.h)
        es_draw_wrap(grid, (es_rect){in.x + 1, y, in.w - 2, in.y + in.h - y}, ES_ROLE_OVERLAY, line,
                     0);
    es_free(line);
    es_grid_set_clip(grid, old);
}
