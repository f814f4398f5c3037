/* The line below the header: the run and how far it is, or what could be run; frozen rows, and over
 * all of it the latest notice. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "tui_screen.h"
#include "tui_draw.h"
#include "app_values.h"
#include "app_lists.h"

static int put(es_grid *grid, int x, int y, int end, es_role role, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

static int put(es_grid *grid, int x, int y, int end, es_role role, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return x + es_grid_width(grid, text) <= end ? x + es_grid_text(grid, x, y, role, text) : x;
}

/* That the results are of a sample of the rows: nothing else on a narrow screen says it, so that
 * everything behind the pairs gives way to it. */
static void sample_text(const es_app *app, es_rect r, char *out, size_t capacity) {
    char text[64];
    out[0] = '\0';
    es_app_sample_text(app, true, text, sizeof text);
    if (text[0] != '\0' && r.w >= 80)
        (void)snprintf(out, capacity, " │ %s", text);
    else if (text[0] != '\0')
        (void)snprintf(out, capacity, " │ %zu/%zu rows", app->source->rows, app->source->rows_of);
}

/* Behind the pairs, where there is room. */
static int put_measured(const es_app *app, es_grid *grid, es_rect r, int x, int end) {
    const es_source *s = app->source;
    if (s->measured_of == 0)
        return x;
    return put(grid, x, r.y, end, ES_ROLE_STATE_RUNNING, "  measuring %zu/%zu%s", s->measured,
               s->measured_of, app->phase == ES_PHASE_PAUSED ? " waits, too" : "");
}

/* What is estimated beside the session, and how far, where there is room. */
static int put_beside(const es_app *app, es_grid *grid, es_rect r, int x, int end) {
    char text[ES_RUN_SUBJECT + 8];
    if (!app->beside.on)
        return x;
    (void)snprintf(text, sizeof text, "  ▶ %s", app->beside.says[0] ? app->beside.says : "beside");
    if (x + es_grid_width(grid, text) > end) /* the pairs alone */
        text[strcspn(text, ",")] = '\0';
    return put(grid, x, r.y, end, ES_ROLE_STATE_RUNNING, "%s", text);
}

/* What the threads are at, which need not be what the views show; the last of the plan begins
 * before the first has quite ended. */
static const char *title_at_work(const es_app *app) {
    size_t plan = app->source->plan, least = plan;
    for (unsigned worker = 0; worker < app->source->threads; worker++) {
        es_activity a = {0};
        if (app->source->activity(app->source->context, worker, &a) && a.busy && a.entry < least)
            least = a.entry;
    }
    return least < plan ? app->source->title[least] : es_app_title(app);
}

static void draw_progress(const es_app *app, es_grid *grid, es_rect r) {
    const es_progress *p = &app->progress;
    bool wide = r.w >= 100, paused = app->phase == ES_PHASE_PAUSED;
    double fraction = es_run_share(app);
    const char *pass = es_run_pass(app, p->pass);
    int bar = wide ? 18 : r.w >= 70 ? 10 : 6, end = r.x + r.w - 1;
    char eta[32], sample[72];
    sample_text(app, r, sample, sizeof sample);
    int most = end - es_grid_width(grid, sample);
    es_format_time(p->eta, eta, sizeof eta);
    int x = put(grid, r.x + 1, r.y, end, paused ? ES_ROLE_STATE_PAUSED : ES_ROLE_STATE_RUNNING,
                "%s", paused ? "⏸ PAUSED " : "▶ RUN ");
    es_draw_bar(grid, x, r.y, bar, fraction, ES_ROLE_PROGRESS_FULL, ES_ROLE_PROGRESS_EMPTY);
    x = put(grid, x + bar, r.y, end, ES_ROLE_TEXT, "%s%s %zu/%zu%s %.0f%%",
            pass[0] == '\0' ? "" : " ", pass, p->pass_ended, p->pass_total, wide ? " pairs" : "",
            floor(fraction * 100));
    const char *blank = wide ? "  " : " ";
    if (paused)
        x = put(grid, x, r.y, most, ES_ROLE_TEXT_STRONG, "  p goes on");
    else if (p->waits > 0)
        x = put(grid, x, r.y, most, ES_ROLE_TEXT_STRONG, "%sstore locked, waiting %.0f s", blank,
                p->waits);
    else
        x = put(grid, x, r.y, most, ES_ROLE_TEXT_STRONG, "%sETA %s", blank, eta);
    if (wide && !paused && p->rate > 0)
        x = put(grid, x, r.y, most, ES_ROLE_TEXT, p->rate < 10 ? "  %.1f pair/s" : "  %.0f pair/s",
                p->rate);
    if (p->failed > 0)
        x = put(grid, x, r.y, most, ES_ROLE_STATE_FAILED, "%s%zu failed", blank, p->failed);
    x = put_measured(app, grid, r, x, most);
    x = put(grid, x, r.y, end, ES_ROLE_TEXT, "%s", sample);
    unsigned threads = app->source->threads;
    if (wide)
        (void)put(grid, x, r.y, end, ES_ROLE_TEXT_DIM, " │ %s · %u thread%s", title_at_work(app),
                  threads, threads == 1 ? "" : "s");
}

static void draw_checking(const es_app *app, es_grid *grid, es_rect r, int end) {
    const es_progress *p = &app->progress;
    int x = put(grid, r.x + 1, r.y, end, ES_ROLE_STATE_RUNNING, "⟳ CHECKING ");
    es_draw_bar(grid, x, r.y, 10, p->to_check == 0 ? 0 : (double)p->checked / (double)p->to_check,
                ES_ROLE_PROGRESS_FULL, ES_ROLE_PROGRESS_EMPTY);
    (void)put(grid, x + 10, r.y, end, ES_ROLE_TEXT, " %zu/%zu matrices", p->checked, p->to_check);
}

static void draw_too_few(const es_app *app, es_grid *grid, es_rect r, int end) {
    int x = put(grid, r.x + 1, r.y, end, ES_ROLE_WARNING, "⚠ NOTHING TO COMPARE ");
    (void)put(grid, x, r.y, end, ES_ROLE_TEXT, "two embedders are needed, %s usable%s",
              app->usable == 0 ? "none is" : "one is",
              app->n > app->usable ? "; Enter on an excluded one shows why" : "");
}

static int draw_done(const es_app *app, es_grid *grid, es_rect r, int end) {
    const es_progress *p = &app->progress;
    bool none = p->failed > 0 && p->done == 0;
    es_role role = none ? ES_ROLE_ERROR : p->failed > 0 ? ES_ROLE_WARNING : ES_ROLE_STATE_DONE;
    char took[32];
    es_format_time(p->elapsed, took, sizeof took);
    int x = put(grid, r.x + 1, r.y, end, role, "%s",
                none            ? "✗ FAILED "
                : p->failed > 0 ? "⚠ DONE "
                                : "✓ DONE ");
    x = put(grid, x, r.y, end, ES_ROLE_TEXT, " %zu/%zu pairs", p->done, p->total);
    if (none)
        x = put(grid, x, r.y, end, ES_ROLE_STATE_FAILED, "  all failed: 7 shows why, R retries");
    else if (p->failed > 0)
        x = put(grid, x, r.y, end, ES_ROLE_STATE_FAILED, "  %zu failed, R retries", p->failed);
    if (p->reused > 0)
        x = put(grid, x, r.y, end, ES_ROLE_TEXT_DIM, "  %zu from the store", p->reused);
    if (p->elapsed >= 1)
        x = put(grid, x, r.y, end, ES_ROLE_TEXT_DIM, "  took %s", took);
    return x;
}

static int draw_ready(const es_app *app, es_grid *grid, es_rect r, int end) {
    const es_progress *p = &app->progress;
    size_t missing = p->total - p->done - p->failed;
    bool only = app->source->read_only, grow = app->source->waits && missing == 0;
    char passes[128], cost[64];
    int x =
        put(grid, r.x + 1, r.y, end, ES_ROLE_STATE_READY, "%s", only ? "■ RESULTS  " : "■ READY  ");
    es_run_passes_text(app, passes, sizeof passes);
    if (x + es_grid_width(grid, passes) > end)
        (void)snprintf(passes, sizeof passes, "%zu/%zu pairs", p->pass_ended, p->pass_total);
    x = put(grid, x, r.y, end, ES_ROLE_TEXT, "%s", passes);
    if (only || (missing == 0 && !grow) || es_command_refusal(app, ES_COMMAND_START) != NULL)
        return x;
    x = put(grid, x, r.y, end, ES_ROLE_TEXT_STRONG, "%s",
            grow ? "  r takes more rows" : "  r starts");
    es_run_seconds_text(app, cost, sizeof cost);
    return cost[0] == '\0' ? x : put(grid, x, r.y, end, ES_ROLE_TEXT, ": %s", cost);
}

static void draw_still(const es_app *app, es_grid *grid, es_rect r) {
    int end = r.x + r.w - 1;
    char sample[72];
    if (app->phase == ES_PHASE_CHECKING) {
        draw_checking(app, grid, r, end);
        return;
    }
    if (app->usable < 2 && !app->source->read_only) {
        draw_too_few(app, grid, r, end);
        return;
    }
    sample_text(app, r, sample, sizeof sample);
    end -= es_grid_width(grid, sample);
    int x =
        app->phase == ES_PHASE_DONE ? draw_done(app, grid, r, end) : draw_ready(app, grid, r, end);
    x = put_measured(app, grid, r, x, end);
    x = put_beside(app, grid, r, x, end);
    if (es_app_title(app)[0] != '\0')
        x = put(grid, x, r.y, end, ES_ROLE_TEXT_DIM, " │ %s", es_app_title(app));
    (void)put(grid, x, r.y, r.x + r.w - 1, ES_ROLE_TEXT, "%s", sample);
}

/* A notice covers what it needs of the run line, from the right. */
static void draw_toast(const es_app *app, es_grid *grid, es_rect r) {
    int room = r.w - 2, width = es_grid_width(grid, app->toast) + 2;
    width = width < room ? width : room;
    es_role role = app->toast_status == ES_OK ? ES_ROLE_TOAST : ES_ROLE_WARNING;
    int x = r.x + r.w - 1 - width;
    if (width < 3)
        return;
    const es_cell *under = es_grid_at(grid, x, r.y);
    bool cuts = under != NULL && under->code[0] != ' ' && under->code[0] != 0;
    int from = x - 1; /* no half a word before it */
    for (const es_cell *cell; (cell = es_grid_at(grid, from - 1, r.y)) != NULL &&
                              cell->code[0] != ' ' && cell->code[0] != 0;)
        from--;
    es_grid_fill(grid, (es_rect){from, r.y, x - from, 1}, ES_ROLE_BACKGROUND, ' ');
    if (cuts && from + 1 < x)
        es_grid_text(grid, from, r.y, ES_ROLE_TEXT_DIM, "…");
    es_grid_fill(grid, (es_rect){x, r.y, width, 1}, role, ' ');
    es_grid_field(grid, x + 1, r.y, width - 2, -1, role, app->toast);
}

/* Rows stay where they are, in every view: at the right end, so that nobody takes them for the
 * newest order. */
static void draw_frozen(const es_app *app, es_grid *grid, es_rect r) {
    size_t changes = es_select_changes(app);
    char text[96];
    const char *what = r.w >= 100 ? " order frozen" : " frozen";
    if (changes == 0)
        (void)snprintf(text, sizeof text, "%s (F) ", what);
    else
        (void)snprintf(text, sizeof text, "%s: %zu %s%s (F) ", what, changes,
                       r.w >= 100 ? "rank change" : "change", changes == 1 ? "" : "s");
    int width = es_grid_width(grid, text);
    es_grid_text(grid, r.x + r.w - 1 - width, r.y, ES_ROLE_ROW_HELD, text);
}

/* Of the path its file is enough: Jobs and the question before quitting have all of it. */
static void draw_lost(const es_app *app, es_grid *grid, es_rect r) {
    const char *why = app->source->store_problem.message, *colon = strstr(why, ": "), *file = why;
    const es_progress *p = &app->progress;
    char text[600] = "";
    for (const char *c = why; colon != NULL && c < colon; c++)
        file = *c == '/' ? c + 1 : file;
    if (es_app_running(app) && p->total > 0)
        es_phrase_add(text, sizeof text, "%zu of %zu pairs · ", p->pass_ended, p->pass_total);
    es_phrase_add(text, sizeof text, "⚠ Results are in memory only: %s", file);
    es_draw_sentence(grid, r.x + 1, r.y, r.w - 2, ES_ROLE_ERROR, text);
}

void es_frame_run_line(const es_app *app, es_grid *grid, es_rect r) {
    const es_error *lost = &app->source->store_problem, *problem = &app->source->problem;
    char text[1200];
    es_grid_fill(grid, r, ES_ROLE_BACKGROUND, ' ');
    if (lost->code != ES_OK) {
        draw_lost(app, grid, r);
    } else if (problem->code != ES_OK) {
        (void)snprintf(text, sizeof text, "✗ %s", problem->message);
        es_grid_field(grid, r.x + 1, r.y, r.w - 2, -1, ES_ROLE_ERROR, text);
    } else if (app->source->table) {
        es_grid_field(grid, r.x + 1, r.y, r.w - 2, -1, ES_ROLE_TEXT_DIM,
                      "a table of scores alone, without matrices");
    } else if (es_app_running(app))
        draw_progress(app, grid, r);
    else
        draw_still(app, grid, r);
    if (app->frozen)
        draw_frozen(app, grid, r);
    if (app->toast_until > 0)
        draw_toast(app, grid, r);
}
