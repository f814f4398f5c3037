/* Jobs: the run, threads, failures, log. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui_draw.h"
#include "app_values.h"
#include "tui_panes.h"
#include "task_pane.h"
#include "app_state.h"

/* ---- The run ---- */

/* An embedder in training: its loss and the parts of it, as far as there is room. */
static void draw_training(const es_app *app, es_grid *grid, es_rect r) {
    const es_cmim_live *live = app->source->training;
    char text[256];
    (void)snprintf(text, sizeof text,
                   "training %u/%u  loss %.1f  reconstruction %.1f  contrastive %.3f  log q "
                   "%.1f  log P(z) %.1f  cosine %.2f",
                   live->step, live->steps, (double)live->loss, (double)live->reconstruction,
                   (double)live->contrastive, (double)live->log_q, (double)live->log_p,
                   (double)live->cosine);
    es_draw_sentence(grid, r.x, r.y, r.w, ES_ROLE_TEXT, text);
}

static void draw_counts(const es_app *app, es_grid *grid, es_rect in) {
    const es_progress *p = &app->progress;
    char elapsed[32], eta[32], text[256];
    es_format_time(p->elapsed, elapsed, sizeof elapsed);
    es_format_time(p->eta, eta, sizeof eta);
    (void)snprintf(text, sizeof text, "elapsed %s", elapsed);
    if (es_app_running(app))
        es_phrase_add(text, sizeof text, "  ETA %s", eta);
    if (p->rate > 0 && app->phase == ES_PHASE_RUNNING)
        es_phrase_add(text, sizeof text, "  %.1f pair/s", p->rate);
    es_phrase_add(text, sizeof text, "  running %zu  queued %zu  done %zu", p->running, p->queued,
                  p->done);
    if (app->source->measured_of > 0)
        es_phrase_add(text, sizeof text, "  measuring %zu of %zu values%s", app->source->measured,
                      app->source->measured_of,
                      app->phase == ES_PHASE_PAUSED ? ", which waits, too" : "");
    int x = in.x + es_grid_text(grid, in.x, in.y, ES_ROLE_TEXT, text), end = in.x + in.w;
    (void)snprintf(text, sizeof text, "  failed %zu", p->failed);
    if (p->failed > 0 && x + es_text_width(text) <= end)
        x += es_grid_text(grid, x, in.y, ES_ROLE_STATE_FAILED, text);
    (void)snprintf(text, sizeof text, "  from the store %zu", p->reused);
    if (p->reused > 0 && x + es_text_width(text) <= end)
        es_grid_text(grid, x, in.y, ES_ROLE_TEXT_DIM, text);
}

/* Whether what is done is safe, and where: of a long path the middle gives way. */
static void draw_kept(const es_app *app, es_grid *grid, es_rect r) {
    const char *store = app->source->store_path;
    const es_error *lost = &app->source->store_problem;
    char text[1200];
    if (lost->code != ES_OK) {
        (void)snprintf(text, sizeof text, "Not kept: %s", lost->message);
        es_draw_sentence(grid, r.x, r.y, r.w, ES_ROLE_ERROR, text);
    } else if (app->progress.waits > 0) {
        (void)snprintf(text, sizeof text,
                       "Waiting %.0f s: another process holds the store; pairs stay in memory",
                       app->progress.waits);
        es_draw_sentence(grid, r.x, r.y, r.w, ES_ROLE_WARNING, text);
    } else if (store != NULL) {
        int used = es_grid_text(grid, r.x, r.y, ES_ROLE_TEXT_DIM,
                                r.w < 70 ? "Safe to quit; kept in "
                                         : "Safe to quit: finished pairs are kept in ");
        es_grid_field(grid, r.x + used, r.y, r.w - used, -1, ES_ROLE_TEXT_DIM, store);
    } else if (!app->source->read_only)
        es_draw_sentence(grid, r.x, r.y, r.w, ES_ROLE_WARNING,
                         "Results stay in memory: they are lost when you quit.");
}

/* How the ranking settles as the sample of rows grows. */
static void draw_growth(const es_app *app, es_grid *grid, es_rect r) {
    const es_source *source = app->source;
    float expected[ES_APP_PACE];
    char text[200];
    size_t n = source->growths < ES_APP_PACE ? source->growths : ES_APP_PACE, known = 0;
    const es_growth_record *last = &source->growth[source->growths - 1];
    for (size_t i = 0; i < n; i++)
        if (isfinite(source->growth[i].growth.expected))
            expected[known++] = (float)source->growth[i].growth.expected;
    int x = r.x + es_grid_text(grid, r.x, r.y, ES_ROLE_TEXT_DIM, "rows ");
    x += es_draw_spark(grid, x, r.y, ES_ROLE_SPARK, expected, known);
    (void)snprintf(text, sizeof text, "%s%zu of %zu at random", known > 0 ? "  " : "", last->rows,
                   last->of);
    bool all = last->rows >= last->of;
    if (all)
        (void)snprintf(text, sizeof text, "  all %zu: fewer had not settled it", last->rows);
    else if (isfinite(last->growth.expected))
        es_phrase_add(text, sizeof text,
                      r.w < 90 ? "; agreement %.2f (%.2f to %.2f)"
                               : "; agreement with all rows expected at %.2f (%.2f to %.2f)",
                      last->growth.expected, last->growth.low, last->growth.high);
    if (source->growing_to > 0)
        es_phrase_add(text, sizeof text, "; now %zu", source->growing_to);
    else if (!all && es_growth_end_name(last->end) != NULL)
        es_phrase_add(text, sizeof text,
                      last->end == ES_GROWTH_TIME ? "; time was up" : "; settled");
    es_grid_field(grid, x, r.y, r.x + r.w - x, 0, ES_ROLE_TEXT, text);
}

/* Pairs a second since the run began, if there is a line for it. */
static void draw_pace(const es_app *app, es_grid *grid, es_rect r) {
    float pace[ES_APP_PACE], most = 0;
    size_t kept = app->paces < ES_APP_PACE ? app->paces : ES_APP_PACE;
    if (app->source->growths > 0) {
        draw_growth(app, grid, r);
        return;
    }
    if (kept < 2)
        return;
    for (size_t i = 0; i < kept; i++) {
        pace[i] = app->pace[(app->paces - kept + i) % ES_APP_PACE];
        most = pace[i] > most ? pace[i] : most;
    }
    int x = r.x + es_grid_text(grid, r.x, r.y, ES_ROLE_TEXT_DIM, "pace ");
    x += es_draw_spark(grid, x, r.y, ES_ROLE_SPARK, pace, kept);
    es_grid_printf(grid, x, r.y, ES_ROLE_TEXT_DIM, "  up to %.*f pair/s", most < 10 ? 1 : 0,
                   (double)most);
}

static void draw_run(const es_app *app, es_grid *grid, es_rect pane) {
    static const char *const phases[] = {"checking the pool", "ready", "running", "paused",
                                         "finished"};
    double fraction = es_run_share(app);
    char title[64], counts[160], passes[128];
    (void)snprintf(title, sizeof title, "Run: %s", phases[app->phase]);
    es_rect in = es_grid_pane(grid, pane, false, title, es_app_title(app), NULL);
    if (in.h < 1)
        return;
    es_rect old = es_grid_clip(grid, in);
    int blank = in.h >= 5;
    es_run_passes_text(app, passes, sizeof passes);
    (void)snprintf(counts, sizeof counts, "%s  %.1f%%", passes, floor(fraction * 1000) / 10);
    int bar = in.w - 4 - (int)strlen(counts);
    es_draw_bar(grid, in.x + 1, in.y + blank, bar, fraction, ES_ROLE_PROGRESS_FULL,
                ES_ROLE_PROGRESS_EMPTY);
    es_grid_text(grid, in.x + 2 + (bar > 0 ? bar : 0), in.y + blank, ES_ROLE_TEXT_STRONG, counts);
    const es_rect counts_at = {in.x + 1, in.y + 1 + blank, in.w - 2, 1},
                  pace_at = {in.x + 1, in.y + 3 + blank, in.w - 2, 1};
    bool trains = app->source->training != NULL, instead = trains && !es_app_running(app);
    if (!instead)
        draw_counts(app, grid, counts_at);
    if (trains) /* where pairs have nothing to say, else below */
        draw_training(app, grid, instead ? counts_at : pace_at);
    else
        draw_pace(app, grid, pace_at);
    draw_kept(app, grid, (es_rect){in.x + 1, in.y + 2 + blank, in.w - 2, 1});
    es_grid_set_clip(grid, old);
}

/* ---- Threads and failures ---- */

static void draw_thread(const es_app *app, es_grid *grid, es_rect r, unsigned worker,
                        es_role role) {
    es_activity a = {0};
    size_t source = ES_NONE, target = ES_NONE;
    bool busy = app->source->activity(app->source->context, worker, &a) && a.busy &&
                es_jobs_pair(app, worker, &source, &target);
    es_grid_printf(grid, r.x, r.y, role == ES_ROLE_TEXT ? ES_ROLE_TEXT_DIM : role, "%3u", worker);
    if (!busy) {
        es_grid_text(grid, r.x + 5, r.y, role == ES_ROLE_TEXT ? ES_ROLE_TEXT_DIM : role,
                     a.busy ? "reading the pool" : "idle");
        return;
    }
    bool steps = a.total > 0 || a.traced > 0; /* others leave the room to the names */
    int curve = !steps ? 0 : r.w >= 60 ? 12 : r.w >= 44 ? 6 : 0;
    int tail = (steps ? 8 : 1) + 7 + (curve > 0 ? curve + 2 : 0);
    int pair = r.w - 5 - tail, x = r.x + 5 + pair;
    char text[32] = "";
    es_draw_pair(grid, r.x + 5, r.y, pair, role,
                 a.null ? "shuffled rows" : es_thread_name(app, source),
                 es_thread_name(app, target));
    if (a.total > 0)
        (void)snprintf(text, sizeof text, "%u/%u", a.done, a.total);
    if (steps)
        es_grid_field(grid, x, r.y, 8, 1, role, text);
    if (curve > 0)
        es_draw_loss(grid, x + 10, r.y, curve, &a);
    (void)snprintf(text, sizeof text, a.seconds < 100 ? "%.1fs" : "%.0fs", a.seconds);
    es_grid_field(grid, r.x + r.w - 7, r.y, 6, 1, role, text);
}

static const char *source_of(const es_app *app, const es_failure *failure) {
    return failure->source == ES_NONE ? "zero line" : es_thread_name(app, failure->source);
}

static void draw_failure(const es_app *app, es_grid *grid, es_rect r, const es_failure *failure,
                         es_role role) {
    int pair = r.w * 11 / 20;
    const char *reason = failure->reason == NULL ? "no reason known" : failure->reason;
    es_grid_text(grid, r.x + 2, r.y, role == ES_ROLE_TEXT ? ES_ROLE_STATE_FAILED : role, "×");
    es_draw_pair(grid, r.x + 5, r.y, pair - 6, role, source_of(app, failure),
                 es_thread_name(app, failure->target));
    es_draw_sentence(grid, r.x + pair, r.y, r.w - pair,
                     role == ES_ROLE_TEXT ? ES_ROLE_STATE_FAILED : role, reason);
}

/* ---- The queue: what comes next, as far as there is room ---- */

enum { QUEUE = 12 };

static size_t next_pairs(const es_app *app, es_queued *out, size_t capacity) {
    if (app->phase != ES_PHASE_RUNNING && app->phase != ES_PHASE_PAUSED)
        return 0;
    return app->source->queue(app->source->context, out, capacity);
}

static size_t item_of(const es_app *app, size_t entry, size_t position) {
    const es_results *r = app->source->results[entry];
    return r != NULL && position < r->m ? r->model[position] : ES_NONE;
}

static int pair_columns(int width) {
    return width >= 56 ? 2 : 1;
}

static void draw_queue(const es_app *app, es_grid *grid, es_rect r, const es_queued *next,
                       size_t count) {
    int columns = pair_columns(r.w), w = r.w / columns;
    for (size_t k = 0; k < count; k++) {
        int x = r.x + (int)(k % (size_t)columns) * w, y = r.y + (int)(k / (size_t)columns);
        size_t source = item_of(app, next[k].entry, next[k].source),
               target = item_of(app, next[k].entry, next[k].target);
        if (y >= r.y + r.h)
            return;
        bool first = source != ES_NONE && source == app->first;
        es_grid_text(grid, x, y, first ? ES_ROLE_MARK : ES_ROLE_STATE_QUEUED, first ? "▸" : "·");
        es_draw_pair(grid, x + 2, y, w - 3, ES_ROLE_TEXT_DIM,
                     next[k].null ? "shuffled rows" : es_thread_name(app, source),
                     es_thread_name(app, target));
    }
}

/* Whose pairs come first: what P has chosen, marked ones, the rows on screen. */
static void queue_reason(const es_app *app, const es_queued *next, size_t count, char *out,
                         size_t capacity) {
    size_t marked = 0, first = 0;
    bool refines = count > 0 && next[0].entry > 0; /* by what the preview leaves open */
    for (size_t k = 0; k < count; k++)
        first += item_of(app, next[k].entry, next[k].source) == app->first;
    for (size_t i = 0; i < app->n; i++)
        marked += app->marked[i] && app->position[i] != ES_NONE;
    if (app->first != ES_NONE)
        (void)snprintf(out, capacity, first > 0 ? "first %.80s (P)" : "%.80s (P) has none left",
                       es_thread_name(app, app->first));
    else if (marked > 0)
        (void)snprintf(out, capacity, "first the %zu marked, then the %s", marked,
                       refines ? "closest scores" : "costliest");
    else
        (void)snprintf(out, capacity, "the %s first; P: one row first",
                       refines ? "closest scores" : "costliest");
}

/* ---- What a run took, once it is over ---- */

/* A blank line, a heading, a line an estimator; then a blank line, a heading, and the slowest
 * pairs. */
static size_t took_lines(const es_took *took, int width) {
    size_t entries = 0, columns = (size_t)pair_columns(width);
    for (size_t e = 0; e < took->entries; e++)
        entries += took->pairs[e] > 0;
    return 2 + entries + (took->slowest > 0 ? 2 + (took->slowest + columns - 1) / columns : 0);
}

/* To one decimal below 100 seconds, and like a clock beyond. */
static void put_seconds(double seconds, char *text, size_t capacity) {
    if (seconds < 100)
        (void)snprintf(text, capacity, seconds < 0.1 ? "%.3f s" : "%.1f s", seconds);
    else
        es_format_time(seconds, text, capacity);
}

static void draw_slow(const es_app *app, es_grid *grid, es_rect r, const es_took *took) {
    int columns = pair_columns(r.w), w = r.w / columns;
    char text[32];
    for (size_t i = 0; i < took->slowest; i++) {
        int x = r.x + (int)(i % (size_t)columns) * w, y = r.y + (int)(i / (size_t)columns);
        if (y >= r.y + r.h)
            return;
        put_seconds(took->slow[i].seconds, text, sizeof text);
        es_grid_field(grid, x, y, 8, 1, ES_ROLE_TEXT, text);
        es_draw_pair(grid, x + 10, y, w - 12, ES_ROLE_TEXT_DIM,
                     es_thread_name(app, took->slow[i].source),
                     es_thread_name(app, took->slow[i].target));
    }
}

static void draw_took(const es_app *app, es_grid *grid, es_rect r) {
    const es_took *took = app->took;
    char text[32];
    int y = r.y + 1;
    es_rect old = es_grid_clip(grid, r);
    es_grid_text(grid, r.x, y++, ES_ROLE_COLUMN_HEADER, "time of the threads, stored pairs too");
    for (size_t e = 0; e < took->entries; e++) {
        if (took->pairs[e] == 0)
            continue;
        put_seconds(took->seconds[e], text, sizeof text);
        es_grid_field(grid, r.x + 1, y, 8, 1, ES_ROLE_TEXT, text);
        es_grid_printf(grid, r.x + 11, y++, ES_ROLE_TEXT_DIM, "%s, %zu pair%s",
                       app->source->title[e], took->pairs[e], took->pairs[e] == 1 ? "" : "s");
    }
    if (took->slowest > 0) {
        es_grid_text(grid, r.x, y + 1, ES_ROLE_COLUMN_HEADER, "slowest pairs");
        draw_slow(app, grid, (es_rect){r.x + 1, y + 2, r.w - 1, r.y + r.h - y - 2}, took);
    }
    es_grid_set_clip(grid, old);
}

static void draw_job_line(const es_app *app, es_grid *grid, es_rect r, size_t line, bool focused,
                          es_failure *failure) {
    bool selected = line == app->job;
    es_role role = !selected ? ES_ROLE_TEXT : focused ? ES_ROLE_SELECTION : ES_ROLE_SELECTION_BLUR;
    es_rect inner = {r.x + 2, r.y, r.w - 3, 1};
    es_grid_fill(grid, r, role, ' ');
    es_grid_click_area(grid, r, ES_CLICK_LINE, line);
    if (selected)
        es_grid_text(grid, r.x, r.y, role, "❯");
    if (line < es_jobs_threads(app))
        draw_thread(app, grid, inner, (unsigned)line, role);
    else if (es_jobs_next(app, failure))
        draw_failure(app, grid, inner, failure, role);
}

/* Lines for tasks of a cluster, a blank one included, where there are any and room is left. */
static size_t task_room(const es_app *app, size_t rows, size_t page) {
    enum { LEAST = 3 };
    size_t lines = es_task_lines(app), room = rows < page ? page - rows : 0;
    if (lines == 0 || room < LEAST)
        return 0;
    return lines + 1 < room ? lines + 1 : room;
}

/* Threads, tasks of a cluster, what comes next if all fits, or what a run that is over took, then
 * failures below a heading; only threads and failures can be selected. */
static void draw_all_lines(const es_app *app, es_grid *grid, es_rect in, bool focused) {
    size_t threads = es_jobs_threads(app), lines = es_jobs_lines(app), failures = lines - threads;
    size_t head = failures > 0, rows = lines + head, page = (size_t)in.h;
    size_t tasks = task_room(app, rows, page), end = threads + tasks;
    rows += tasks;
    size_t at = app->job + (app->job >= threads ? head + tasks : 0),
           top = at >= page ? at + 1 - page : 0;
    es_queued next[QUEUE];
    size_t count = rows + 3 <= page ? next_pairs(app, next, QUEUE) : 0, between = 0;
    if (count > 0) {
        size_t columns = (size_t)pair_columns(in.w - 3), room = page - rows - 2;
        count = count < columns * room ? count : columns * room;
        between = 2 + (count + columns - 1) / columns; /* with a blank line */
    } else if (app->took != NULL && rows + 3 <= page) {
        size_t took = took_lines(app->took, in.w - 3);
        between = took < page - rows ? took : page - rows;
    }
    es_failure failure = {0};
    for (size_t skip = end + head; skip < top; skip++)
        (void)es_jobs_next(app, &failure);
    for (size_t y = 0; y < page && top + y < rows + between; y++) {
        es_rect r = {in.x, in.y + (int)y, in.w, 1};
        size_t row = top + y;
        if (row < threads)
            draw_job_line(app, grid, r, row, focused, &failure);
        else if (row < end) {
            if (row == threads + 1)
                es_draw_tasks(app, grid, (es_rect){in.x + 1, r.y, in.w - 2, (int)tasks - 1});
        } else if (row < end + between) {
            char reason[128];
            if (count == 0 && row == end)
                draw_took(app, grid, (es_rect){in.x + 1, r.y, in.w - 2, (int)between});
            if (count == 0 || row != end + 1)
                continue;
            queue_reason(app, next, count, reason, sizeof reason);
            es_grid_printf(grid, in.x + 1, r.y, ES_ROLE_COLUMN_HEADER, "next of %zu",
                           app->progress.queued);
            es_grid_field(grid, in.x + 16, r.y, in.w - 17, -1, ES_ROLE_TEXT_DIM, reason);
            draw_queue(app, grid, (es_rect){in.x + 2, r.y + 1, in.w - 3, (int)between - 2}, next,
                       count);
        } else if (row == end + between && head)
            es_grid_printf(grid, in.x + 1, r.y, ES_ROLE_COLUMN_HEADER, "failed %zu", failures);
        else
            draw_job_line(app, grid, r, row - tasks - between - head, focused, &failure);
    }
}

static void draw_lines(const es_app *app, es_grid *grid, es_rect pane) {
    size_t threads = es_jobs_threads(app), shown = es_jobs_lines(app) - threads,
           failures = es_jobs_failures(app);
    bool focused = app->focus[app->view] == ES_PANE_MAIN;
    char bottom[128] = "", right[300] = "", title[32];
    if (threads > 0)
        (void)snprintf(bottom, sizeof bottom, "%zu thread%s (-/+) · %zu running · %zu queued",
                       threads, threads == 1 ? "" : "s", app->progress.running,
                       app->progress.queued);
    if (threads > 0 && app->progress.elsewhere > 0)
        es_phrase_add(bottom, sizeof bottom, " · %zu by other processes", app->progress.elsewhere);
    if (failures > 0 && shown < failures)
        es_phrase_add(right, sizeof right, "%zu of %zu failed", shown, failures);
    else if (failures > 0)
        es_phrase_add(right, sizeof right, "%zu failed, R retries", failures);
    (void)snprintf(title, sizeof title, "Threads%s", shown > 0 ? " and failures" : "");
    es_filter_mark(app, grid, pane.w, title, right, sizeof right);
    es_rect in = es_grid_pane(grid, pane, focused, title, right, bottom);
    if (in.h < 1)
        return;
    if (threads + shown == 0)
        es_grid_text(grid, in.x + 1, in.y, ES_ROLE_TEXT_DIM,
                     "Results from a file: nothing to run.");
    es_rect old = es_grid_clip(grid, in);
    draw_all_lines(app, grid, in, focused);
    es_grid_set_clip(grid, old);
}

/* ---- Detail and log ---- */

static bool is_of_errors(const es_app *app, size_t entry) {
    const es_results *r = app->source->results[entry];
    return r != NULL && r->estimator != NULL && r->estimator->lower_is_better;
}

/* The published recipe and l2 have no validation rows: their curve is of what they are fitted to.
 */
static const char *loss_name(const es_app *app, size_t entry) {
    const es_results *r = app->source->results[entry];
    if (r != NULL && r->settings != NULL && strstr(r->settings, "published") != NULL)
        return "training loss, in-sample:";
    return is_of_errors(app, entry) ? "training loss" : "validation loss";
}

/* The losses kept, over their steps. */
static void draw_losses(const es_app *app, es_grid *grid, es_rect r, const es_activity *a) {
    size_t kept = a->traced < ES_RUN_TRACE ? a->traced : ES_RUN_TRACE, first = a->traced - kept;
    double low = (double)INFINITY, high = -(double)INFINITY;
    char text[16];
    int width = 9;
    for (size_t i = 0; i < kept; i++) {
        double value = (double)a->trace[(first + i) % ES_RUN_TRACE];
        low = fmin(low, value);
        high = fmax(high, value);
    }
    if (r.h < 3 || r.w < width + 8 || !isfinite(low) || !isfinite(high))
        return;
    es_rect inner = {r.x + width, r.y, r.w - width - 1, r.h - 1};
    es_plot plot = es_plot_begin(grid, inner, es_axes_style(app), ES_ROLE_BACKGROUND);
    es_axis x = es_axis_make(0, kept > 1 ? (double)kept - 1 : 1, plot.w),
            y = es_axis_make(low, high, plot.h);
    es_grid_fill(grid, (es_rect){inner.x - 1, inner.y, 1, inner.h}, ES_ROLE_AXIS, 0x2502);
    es_grid_fill(grid, (es_rect){inner.x, inner.y + inner.h, inner.w, 1}, ES_ROLE_AXIS, 0x2500);
    es_grid_text(grid, inner.x - 1, inner.y + inner.h, ES_ROLE_AXIS, "└");
    int digits = high > low ? es_axis_digits(high - low) + 1 : 3;
    digits = digits < 4 ? digits : 4;
    for (int end = 0; end < 2; end++) {
        (void)snprintf(text, sizeof text, "%.*f", digits, end == 0 ? high : low);
        es_grid_field(grid, r.x, end == 0 ? inner.y : inner.y + inner.h - 1, width - 2, 1,
                      ES_ROLE_TICK, text);
    }
    int px = 0, py = 0;
    for (size_t i = 0; i < kept; i++) {
        double value = (double)a->trace[(first + i) % ES_RUN_TRACE];
        int dx = es_axis_dot(&x, (double)i),
            dy = isfinite(value) ? plot.h - 1 - es_axis_dot(&y, value) : py;
        es_plot_line(&plot, i > 0 ? px : dx, i > 0 ? py : dy, dx, dy, 1, ES_ROLE_SPARK);
        px = dx;
        py = dy;
    }
}

static void detail_thread(const es_app *app, es_grid *grid, es_rect in) {
    es_activity a = {0};
    if (!app->source->activity(app->source->context, (unsigned)app->job, &a) || !a.busy) {
        es_grid_text(grid, in.x, in.y + 1, ES_ROLE_TEXT_DIM, "This thread is idle.");
        return;
    }
    es_grid_printf(grid, in.x, in.y + 2, ES_ROLE_TEXT, "estimator  %s",
                   a.entry < app->source->plan ? app->source->title[a.entry] : "-");
    es_grid_printf(grid, in.x, in.y + 3, ES_ROLE_TEXT, "time       %.1f s", a.seconds);
    if (a.total > 0) {
        int x = in.x + es_grid_printf(grid, in.x, in.y + 4, ES_ROLE_TEXT, "steps      %u/%u ",
                                      a.done, a.total);
        es_draw_bar(grid, x, in.y + 4, in.x + in.w - x < 24 ? in.x + in.w - x : 24,
                    (double)a.done / (double)a.total, ES_ROLE_PROGRESS_FULL,
                    ES_ROLE_PROGRESS_EMPTY);
    }
    if (a.traced > 0) {
        double last = (double)a.trace[(a.traced - 1) % ES_RUN_TRACE];
        es_grid_printf(grid, in.x, in.y + 6, ES_ROLE_TEXT, "%s %.4f%s%s", loss_name(app, a.entry),
                       last, is_of_errors(app, a.entry) ? "" : " nats/dim",
                       a.traced > ES_RUN_TRACE ? ", the newest 64" : "");
        int rest = in.h - 8;
        if (rest >= 4)
            draw_losses(app, grid, (es_rect){in.x, in.y + 8, in.w, rest < 10 ? rest : 10}, &a);
        else
            es_draw_loss(grid, in.x, in.y + 7, in.w, &a);
    }
}

static bool is_zero_line(const es_app *app, size_t line, size_t threads) {
    es_activity a = {0};
    es_failure failure = {0};
    if (line < threads)
        return app->source->activity(app->source->context, (unsigned)line, &a) && a.null;
    return es_jobs_failure(app, line - threads, &failure) && failure.source == ES_NONE;
}

static void draw_detail(const es_app *app, es_grid *grid, es_rect pane) {
    size_t threads = es_jobs_threads(app), source = ES_NONE, target = ES_NONE;
    bool pair = es_jobs_pair(app, app->job, &source, &target);
    es_rect in = es_grid_pane(grid, pane, app->focus[app->view] == ES_PANE_SIDE,
                              app->job < threads || !pair ? "Job" : "Failure", NULL,
                              pair ? "↵ in heatmap" : NULL);
    in = (es_rect){in.x + 1, in.y, in.w - 2, in.h};
    if (in.h < 1 || in.w < 4)
        return;
    es_rect old = es_grid_clip(grid, in);
    if (pair)
        es_draw_pair(grid, in.x, in.y, in.w, ES_ROLE_TEXT_STRONG,
                     is_zero_line(app, app->job, threads) ? "zero line"
                                                          : es_thread_name(app, source),
                     es_thread_name(app, target));
    if (app->job < threads)
        detail_thread(app, grid, in);
    else if (pair) {
        es_failure failure = {0};
        (void)es_jobs_failure(app, app->job - threads, &failure);
        const char *reason = failure.reason;
        es_grid_printf(grid, in.x, in.y + 1, ES_ROLE_TEXT_DIM, "%s",
                       app->source->title[failure.entry]);
        int lines =
            es_draw_wrap(grid, (es_rect){in.x, in.y + 2, in.w, in.h - 2}, ES_ROLE_STATE_FAILED,
                         reason == NULL ? "no reason known" : reason, 0);
        es_grid_text(grid, in.x, in.y + 3 + lines, ES_ROLE_TEXT_DIM,
                     "R gives all failed pairs another try.");
    }
    es_grid_set_clip(grid, old);
}

static void draw_log(const es_app *app, es_grid *grid, es_rect pane) {
    static const char *const levels[] = {"debug", "info", "warn", "error"};
    static const es_role roles[] = {ES_ROLE_TEXT_DIM, ES_ROLE_TEXT, ES_ROLE_WARNING, ES_ROLE_ERROR};
    size_t back = app->pane_top[app->view][ES_PANE_LOG];
    const char *path = app->log == NULL ? NULL : es_log_path(app->log);
    char bottom[64];
    (void)snprintf(bottom, sizeof bottom, back == 0 ? "follows" : "%zu back", back);
    char right[64];
    (void)snprintf(right, sizeof right, "level: %s (L)", levels[app->log_level]);
    es_rect in = es_grid_pane(grid, pane, app->focus[app->view] == ES_PANE_LOG,
                              pane.w >= 100 && path != NULL ? path : "Log", right, bottom);
    if (in.h < 1)
        return;
    char line[600];
    size_t count = app->log == NULL ? 0 : es_log_count(app->log);
    int y = in.y + (count < (size_t)in.h ? (int)count : in.h) - 1;
    if (count == 0)
        es_grid_text(grid, in.x + 1, in.y, ES_ROLE_TEXT_DIM, "Nothing yet.");
    for (size_t i = count; i > 0 && y >= in.y; i--) {
        int level = es_log_line(app->log, i - 1, line, sizeof line);
        if (level < 0)
            break;
        if (level < (int)app->log_level)
            continue;
        if (back > 0) {
            back--;
            continue;
        }
        es_draw_sentence(grid, in.x + 1, y--, in.w - 2, roles[level], line);
    }
}

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    if (layout->pane[ES_PANE_RUN].w > 0)
        draw_run(app, grid, layout->pane[ES_PANE_RUN]);
    if (layout->pane[ES_PANE_MAIN].w > 0)
        draw_lines(app, grid, layout->pane[ES_PANE_MAIN]);
    if (layout->pane[ES_PANE_SIDE].w > 0)
        draw_detail(app, grid, layout->pane[ES_PANE_SIDE]);
    if (layout->pane[ES_PANE_LOG].w > 0)
        draw_log(app, grid, layout->pane[ES_PANE_LOG]);
}

const es_view es_view_jobs = {
    .brief = "Jobs",
    .alone = true,
    .draw = draw,
};
