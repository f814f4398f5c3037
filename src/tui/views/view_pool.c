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

/* A constant column or two are common and harm nothing; where they are many, something is odd. */
static bool drops_many(const es_model *m) {
    return m->dropped_columns > 0 && 2 * m->dropped_columns >= m->dim;
}

static size_t count_worries(const es_app *app) {
    size_t count = app->source->warnings ? app->source->warnings->count : 0;
    for (size_t i = 0; i < app->n; i++) {
        const es_model *m = es_app_model(app, i);
        bool ready = m->state == ES_MODEL_READY;
        count += m->state == ES_MODEL_EXCLUDED;
        count += ready && (drops_many(m) || m->zero_rows > 0 || m->duplicate_of < app->n);
    }
    return count;
}

/* Of rows in another order, ids, families: what `info` says below its table. */
static void warn_pool(const es_app *app, es_pen *pen) {
    const es_words *warnings = app->source->warnings;
    for (size_t i = 0; warnings && i < warnings->count; i++)
        es_pen_item(pen, ES_ROLE_WARNING, "⚠", ES_ROLE_TEXT, "%s", warnings->word[i]);
}

static void warn_models(const es_app *app, es_pen *pen) {
    for (size_t i = 0; i < app->n; i++) {
        const es_model *m = es_app_model(app, i);
        if (m->state != ES_MODEL_READY)
            continue;
        if (m->dropped_columns > 0)
            es_pen_item(pen, drops_many(m) ? ES_ROLE_WARNING : ES_ROLE_TEXT_DIM,
                        drops_many(m) ? "⚠" : "·", ES_ROLE_TEXT,
                        "%s: %zu constant column%s left out", es_app_name(app, i),
                        m->dropped_columns, m->dropped_columns == 1 ? "" : "s");
        if (m->zero_rows > 0)
            es_pen_item(pen, ES_ROLE_WARNING, "⚠", ES_ROLE_TEXT, "%s: %zu zero row%s",
                        es_app_name(app, i), m->zero_rows, m->zero_rows == 1 ? "" : "s");
        if (m->duplicate_of < app->n)
            es_pen_item(pen, ES_ROLE_WARNING, "⚠", ES_ROLE_TEXT, "%s: same contents as %s",
                        es_app_name(app, i), es_app_name(app, m->duplicate_of));
    }
    for (size_t i = 0; i < app->n; i++) {
        const es_model *m = es_app_model(app, i);
        if (m->state == ES_MODEL_EXCLUDED)
            es_pen_item(pen, ES_ROLE_ERROR, "✗", ES_ROLE_TEXT, "%s: %s", es_app_name(app, i),
                        es_model_reason(m));
    }
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
    warn_pool(app, pen);
    warn_models(app, pen);
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
    size_t worries = count_worries(app);
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
