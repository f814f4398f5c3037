/* Pool: the embedders, what was checked, what is planned. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui_panes.h"
#include "tui_draw.h"
#include "app_lists.h"
#include "app_commands.h"
#include "app_keys.h"

static bool draw_state(const es_app *app, es_grid *grid, es_rect at, size_t column, size_t item,
                       es_role role) {
    const es_model *model = es_app_model(app, item);
    char text[600];
    if (column != ES_POOL_STATE)
        return false;
    bool excluded = model->state == ES_MODEL_EXCLUDED, ready = model->state == ES_MODEL_READY,
         duplicate = ready && model->duplicate_of < app->n;
    bool plain = role != ES_ROLE_TEXT; /* a selected row keeps its own role */
    es_role state = plain       ? role
                    : excluded  ? ES_ROLE_ERROR
                    : duplicate ? ES_ROLE_WARNING
                    : ready     ? ES_ROLE_STATE_READY
                                : ES_ROLE_STATE_QUEUED;
    es_columns_text(app, ES_TABLE_POOL, column, item, text, sizeof text);
    es_grid_text(grid, at.x, at.y, state, excluded ? "✗" : duplicate ? "=" : ready ? "✓" : "·");
    es_draw_sentence(grid, at.x + 2, at.y, at.w - 2, state, text);
    return true;
}

/* ---- Checks and plan ---- */

static void list_dtypes(const es_app *app, char *out, size_t capacity) {
    out[0] = '\0';
    for (size_t i = 0; i < app->n; i++) {
        const char *dtype = es_app_model(app, i)->dtype;
        size_t count = 0;
        bool first = dtype != NULL && dtype[0] != '\0';
        for (size_t j = 0; j < app->n && first; j++) {
            const char *other = es_app_model(app, j)->dtype;
            bool same = other != NULL && strcmp(other, dtype) == 0;
            first = !(same && j < i);
            count += same;
        }
        if (first)
            es_phrase_add(out, capacity, "%s%s ×%zu", out[0] != '\0' ? "  " : "", dtype, count);
    }
}

static void count_worry(void *context, const es_finding *finding) {
    size_t *count = context;
    *count += finding->gravity != ES_GRAVITY_NOTE;
}

/* All findings but files that are not used, which have lines of their own. */
static void each_finding(const es_app *app, es_finding_each *each, void *context) {
    es_pool_findings(app->source->pool, each, context);
    es_model_findings(app->source->model, app->n, each, context);
}

typedef struct findings_pen {
    const es_app *app;
    es_pen *pen;
} findings_pen;

static void put_finding(void *context, const es_finding *finding) {
    static const struct {
        es_role role;
        const char *mark;
    } looks[] = {[ES_GRAVITY_NOTE] = {ES_ROLE_TEXT_DIM, "·"},
                 [ES_GRAVITY_WARNING] = {ES_ROLE_WARNING, "⚠"},
                 [ES_GRAVITY_GRAVE] = {ES_ROLE_WARNING, "⚠"},
                 [ES_GRAVITY_UNUSABLE] = {ES_ROLE_ERROR, "✗"}};
    const findings_pen *to = context;
    const char *of =
        finding->model < to->app->n ? es_app_name(to->app, finding->model) : finding->file;
    es_buf text = {0};
    es_finding_put(finding, &text);
    if (text.data)
        es_pen_item(to->pen, looks[finding->gravity].role, looks[finding->gravity].mark,
                    ES_ROLE_TEXT, "%s%s%s", of ? of : "", of ? ": " : "", text.data);
    es_buf_free(&text);
}

/* Files that were not read, as they seem to be what they were, are read behind the answer. */
static void draw_full_look(const es_app *app, es_pen *pen) {
    const es_full_look *l = &app->source->full_look;
    char time[32];
    if (l->seconds < 60)
        (void)snprintf(time, sizeof time, "%.1f s", l->seconds);
    else
        es_format_time(l->seconds, time, sizeof time);
    if (l->files == 0 || (!l->busy && !l->over))
        return;
    if (l->over && l->changed < app->n)
        es_pen_item(pen, ES_ROLE_WARNING, "⚠", ES_ROLE_TEXT,
                    "%s: its contents are others than before; the pool is read again",
                    es_app_name(app, l->changed));
    else
        es_pen_item(pen, l->over ? ES_ROLE_SUCCESS : ES_ROLE_STATE_RUNNING, l->over ? "✓" : "⟳",
                    ES_ROLE_TEXT,
                    l->over ? "contents of %zu file%s are as before; reading took %s"
                            : "reading %zu file%s again, in about %s",
                    l->files, l->files == 1 ? "" : "s", time);
}

static void draw_checks(const es_app *app, es_pen *pen) {
    char dtypes[200];
    es_pen_line(pen, ES_ROLE_TEXT_STRONG, "Checks");
    if (app->unchecked > 0)
        es_pen_item(pen, ES_ROLE_STATE_RUNNING, "⟳", ES_ROLE_TEXT, "reading %zu of %zu",
                    app->n - app->unchecked, app->n);
    if (app->source->reads) {
        es_buf file = {0};
        es_run_view_put(&app->source->reading, &file);
        es_pen_item(pen, ES_ROLE_STATE_RUNNING, "⟳", ES_ROLE_TEXT, "%s",
                    file.data ? file.data : "");
        es_buf_free(&file);
    }
    draw_full_look(app, pen);
    size_t rows = app->source->rows;
    char text[48] = "", count[ES_COUNT_TEXT];
    if (rows > 0)
        (void)snprintf(text, sizeof text, ", %zu rows", rows);
    bool enough = app->usable >= 2 || app->unchecked > 0;
    es_pen_item(pen, enough ? ES_ROLE_SUCCESS : ES_ROLE_ERROR, enough ? "✓" : "✗", ES_ROLE_TEXT,
                "%s%s%s",
                es_count_text(app->n, es_app_controls(app, true), es_app_derived(app, true), count,
                              sizeof count),
                app->usable == app->n ? ", all usable" : "", text);
    if (app->usable < app->n)
        es_pen_item(pen, ES_ROLE_WARNING, "⚠", ES_ROLE_TEXT, "%zu of %zu usable", app->usable,
                    app->n);
    list_dtypes(app, dtypes, sizeof dtypes);
    if (dtypes[0] != '\0')
        es_pen_item(pen, ES_ROLE_SUCCESS, "✓", ES_ROLE_TEXT, "%s", dtypes);
    each_finding(app, put_finding, &(findings_pen){app, pen});
}

/* Before it starts: what it takes, and whether that is more than it may. */
static void draw_memory(const es_source *s, const char *what, double most, es_pen *pen) {
    char peak[32], allowed[32];
    (void)es_bytes_text(peak, sizeof peak, most);
    (void)es_bytes_text(allowed, sizeof allowed, s->memory);
    bool fits = most <= s->memory;
    es_pen_item(pen, fits ? ES_ROLE_TEXT_DIM : ES_ROLE_WARNING, fits ? "·" : "⚠", ES_ROLE_TEXT,
                fits ? "%s: %s of %s" : "%s: %s, more than %s (--memory)", what, peak, allowed);
}

static void draw_plan(const es_app *app, es_pen *pen) {
    const es_progress *p = &app->progress;
    size_t usable = app->usable, plan = app->source->plan, missing = p->total - p->done - p->failed;
    size_t pairs = es_app_pairs(app);
    if (app->n == 0)
        return;
    es_pen_line(pen, ES_ROLE_TEXT, NULL);
    es_pen_line(pen, ES_ROLE_TEXT_STRONG, "Plan");
    if (usable >= 2)
        es_pen_item(pen, ES_ROLE_TEXT_DIM, "·", ES_ROLE_TEXT, "%zu×%zu = %zu pairs%s", usable,
                    pairs == usable * usable ? usable : usable - 1, pairs,
                    pairs == usable * usable ? ", self included" : "");
    for (size_t e = 0; e < plan; e++) {
        const es_results *r = app->source->results[e];
        if (r == NULL)
            es_pen_item(pen, ES_ROLE_TEXT_DIM, "·", ES_ROLE_TEXT, "%s", app->source->title[e]);
        else
            es_pen_item(pen, r->done == pairs ? ES_ROLE_STATE_DONE : ES_ROLE_TEXT_DIM,
                        r->done == pairs ? "✓" : "·", ES_ROLE_TEXT, "%s  %zu/%zu",
                        app->source->title[e], r->done, pairs);
    }
    if (p->reused > 0)
        es_pen_item(pen, ES_ROLE_TEXT_DIM, "·", ES_ROLE_TEXT, "%zu pairs from the store",
                    p->reused);
    if (missing > 0 && isfinite(p->eta)) {
        char eta[32];
        es_format_time(p->eta, eta, sizeof eta);
        unsigned threads = app->source->threads;
        es_pen_item(pen, ES_ROLE_TEXT_DIM, "·", ES_ROLE_TEXT, "≈ %s on %u thread%s", eta, threads,
                    threads == 1 ? "" : "s");
    }
    if (missing > 0 && app->source->memory > 0)
        draw_memory(app->source, "memory", app->source->memory_peak, pen);
    if (app->source->memory_measure > 0)
        draw_memory(app->source, "memory of measures", app->source->memory_measure, pen);
    if (es_command_refusal(app, ES_COMMAND_START) == NULL && missing > 0)
        es_pen_item(pen, ES_ROLE_KEY, "r", ES_ROLE_TEXT, "starts");
    else if (usable < 2 && app->unchecked == 0 && app->n > 0)
        es_pen_item(pen, ES_ROLE_WARNING, "⚠", ES_ROLE_TEXT, "two embedders are needed to compare");
}

static void draw_files(const es_app *app, es_pen *pen) {
    const char *store = app->source->store_path;
    size_t scores = app->source->scores.tasks;
    es_pen_line(pen, ES_ROLE_TEXT, NULL);
    es_pen_line(pen, ES_ROLE_TEXT_STRONG, "Files");
    bool file = app->source->path == NULL || app->source->path[0] == '\0';
    es_pen_item(pen, ES_ROLE_TEXT_DIM, "·", ES_ROLE_TEXT, "%s",
                file ? "a matrix from a file" : app->source->path);
    if (app->source->modality != NULL)
        es_pen_item(pen, ES_ROLE_TEXT_DIM, "·", ES_ROLE_TEXT, "modality: %s",
                    app->source->modality);
    if (scores > 0)
        es_pen_item(pen, ES_ROLE_SUCCESS, "✓", ES_ROLE_TEXT, "%.40s: %zu task%s",
                    app->source->score_file, scores, scores == 1 ? "" : "s");
    if (app->n == 0)
        return;
    if (store != NULL)
        es_pen_line(pen, ES_ROLE_TEXT, " · %s", store);
    else if (!app->source->read_only)
        es_pen_item(pen, ES_ROLE_WARNING, "⚠", ES_ROLE_TEXT, "results stay in memory");
}

/* Files that are no embedders, with what would make them some: a line a kind. */
static void draw_unused(const es_app *app, es_pen *pen) {
    enum { NAMES = 12 };
    const es_unused *unused = app->source->unused;
    size_t count = unused ? unused->file.count : 0;
    for (size_t i = 0; i < count; i++) {
        es_buf line = {0};
        if (i == 0) {
            es_pen_line(pen, ES_ROLE_TEXT, NULL);
            es_pen_line(pen, ES_ROLE_TEXT_STRONG, "Not used");
        }
        if (es_unused_line(unused, i, NAMES, &line) && line.data)
            es_pen_item(pen, ES_ROLE_WARNING, "?", ES_ROLE_TEXT, "%s", line.data);
        es_buf_free(&line);
    }
}

static void draw_recent(const es_app *app, es_pen *pen) {
    char path[ES_APP_LINE];
    for (size_t i = 0; i < 5 && es_app_recent_at(app, i, path, sizeof path); i++) {
        if (i == 0) {
            es_pen_line(pen, ES_ROLE_TEXT, NULL);
            es_pen_line(pen, ES_ROLE_TEXT_STRONG, "Other pools (a opens)");
        }
        es_pen_line(pen, ES_ROLE_TEXT, " · %s", path);
    }
}

static void draw_side(const es_app *app, es_grid *grid, es_rect pane) {
    es_rect in = es_grid_pane(grid, pane, app->focus[app->view] == ES_PANE_SIDE, "Checks and plan",
                              NULL, NULL);
    if (in.h < 1)
        return;
    es_pen pen = es_pen_begin(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h},
                              app->pane_top[app->view][ES_PANE_SIDE]);
    draw_checks(app, &pen);
    draw_unused(app, &pen);
    draw_plan(app, &pen);
    draw_files(app, &pen);
    draw_recent(app, &pen);
    es_pen_end(&pen);
    es_pen_tell_more(&pen, pane, app->focus[app->view] == ES_PANE_SIDE);
}

static const es_item_table table = {.id = ES_TABLE_POOL, .name = ES_POOL_NAME, .cell = draw_state};

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    const es_table_settings *set = &app->set.table[ES_TABLE_POOL];
    char title[300], right[300], count[ES_COUNT_TEXT];
    size_t marked = es_app_marked(app, NULL, 0);
    (void)es_count_brief(app->n, es_app_controls(app, true), es_app_derived(app, true), count,
                         sizeof count);
    (void)snprintf(title, sizeof title, "%s (%s)", app->source->name, count);
    (void)snprintf(right, sizeof right, "sort: %s %s",
                   es_columns_at(app, ES_TABLE_POOL, set->sort).title, set->descending ? "▼" : "▲");
    if (marked > 0)
        es_phrase_add(right, sizeof right, " · marked %zu", marked);
    size_t worries = 0;
    each_finding(app, count_worry, &worries);
    if (worries > 0 && layout->size < ES_LAYOUT_WIDE)
        (void)snprintf(title, sizeof title, "%s (%s) ⚠ %zu check%s (Tab)", app->source->name, count,
                       worries, worries == 1 ? "" : "s");
    if (layout->pane[ES_PANE_MAIN].w > 0) {
        es_filter_mark(app, grid, layout->pane[ES_PANE_MAIN].w, title, right, sizeof right);
        es_item_table_draw(app, grid, layout->pane[ES_PANE_MAIN], &table, title, right);
        es_rect in = es_layout_inside(layout->pane[ES_PANE_MAIN]);
        if (app->list[ES_LIST_POOL].count == 0 && app->n == 0)
            es_draw_no_embedders(app, grid, in);
        else if (app->list[ES_LIST_POOL].count == 0)
            es_draw_none_listed(app, grid, in);
    }
    if (layout->pane[ES_PANE_SIDE].w > 0)
        draw_side(app, grid, layout->pane[ES_PANE_SIDE]);
}

static void row(const es_app *app, size_t item, char *out, size_t capacity) {
    es_item_table_words(app, &table, item, out, capacity);
}

const es_view es_view_pool = {
    .brief = "Pool",
    .alone = true,
    .draw = draw,
    .row = row,
};
