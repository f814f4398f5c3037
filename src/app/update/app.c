#include "app.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "agreement.h"
#include "alloc.h"
#include "app_state.h"
#include "buf.h"
#include "corr.h"
#include "text.h"

#define FLASH 0.3      /* seconds that a new cell is lit */
#define FIT_PAUSE 0.25 /* seconds between two fits of a measure's colours */

/* ---- Life ---- */

static void read_source(es_app *app);

static bool allocate(es_app *app) {
    size_t n = app->n, widest = n > ES_APP_COLUMNS ? n : ES_APP_COLUMNS;
    for (int list = 0; list < ES_LIST_COUNT; list++)
        if ((app->list[list].item = es_alloc_zero(n + 1, sizeof(size_t))) == NULL)
            return false;
    return (app->position = es_alloc(n + 1, sizeof(size_t))) != NULL &&
           (app->known = es_alloc_zero(n * n + 1, 1)) != NULL &&
           (app->standing = es_alloc_zero(n + 1, sizeof(es_standing))) != NULL &&
           (app->sure.asked = es_alloc_zero(n + 1, sizeof(double))) != NULL &&
           (app->sure.base = es_alloc_zero(n + 1, sizeof(double))) != NULL &&
           (app->urgency = es_alloc_zero(n + 1, 1)) != NULL &&
           (app->urgency_scratch = es_alloc_zero(n + 1, 1)) != NULL &&
           (app->marked = es_alloc_zero(n + 1, sizeof(bool))) != NULL &&
           (app->hidden = es_alloc_zero(n + 1, sizeof(bool))) != NULL &&
           (app->folded = es_alloc_zero(n + 1, 1)) != NULL && es_tree_init(&app->tree, n) &&
           (app->passes = es_alloc_zero(n + 1, sizeof(bool))) != NULL &&
           (app->excluded = es_alloc_zero(n + 1, sizeof(bool))) != NULL &&
           (app->accepted = es_alloc_zero(n + 1, sizeof(bool))) != NULL &&
           (app->range_base = es_alloc_zero(n + 1, sizeof(bool))) != NULL &&
           (app->held_place = es_alloc_zero(n + 1, sizeof(size_t))) != NULL &&
           (app->scratch = es_alloc(2 * n + 1, sizeof(size_t))) != NULL &&
           (app->values = es_alloc((n + 2) * (n + 2), sizeof(double))) != NULL &&
           (app->pick.item = es_alloc(widest + 1, sizeof(size_t))) != NULL && es_corr_new(app) &&
           es_summary_new(app);
}

/* Accuracies below 1 need decimals, percentages do not. */
static void choose_digits(es_app *app) {
    size_t columns = app->source->score_columns(app->source->context);
    for (size_t c = 0; c < columns && c < ES_APP_SCORES; c++) {
        double most = 0;
        for (size_t i = 0; i < app->n; i++)
            most = fmax(most, fabs(app->source->score(app->source->context, i, c)));
        app->score_digits[c] = most >= 10       ? 1
                               : most >= 0.05   ? 3
                               : most >= 0.0005 ? 5
                               : most > 0       ? ES_FORMAT_E
                                                : 3;
    }
}

es_app *es_app_new(const es_source *source, es_log *log) {
    es_app *app = es_alloc_zero(1, sizeof *app);
    if (app == NULL)
        return NULL;
    app->source = source;
    app->log = log;
    app->n = source->model_count(source->context);
    app->entry = app->wanted_entry = app->sure.wanted_entry = ES_NONE;
    app->sure.asked_at = -1e9;
    app->newest_source = app->newest_target = ES_NONE;
    app->newest_at = -1e9;
    app->range = app->first = ES_NONE;
    app->log_level = ES_LOG_INFO;
    es_settings_init(&app->set);
    app->cursor = app->column = ES_NONE;
    app->hold_until = app->interrupt_at = app->count_at = app->clicked_at = -1e9;
    app->job_source = app->job_target = ES_NONE;
    app->compare.target = app->compare.row_target = ES_NONE;
    app->dirty = true;
    if (!allocate(app)) {
        es_app_free(app);
        return NULL;
    }
    app->phase = source->phase(source->context);
    choose_digits(app);
    read_source(app);
    return app;
}

void es_app_free(es_app *app) {
    if (app == NULL)
        return;
    for (int list = 0; list < ES_LIST_COUNT; list++)
        es_free(app->list[list].item);
    void *const blocks[] = {app->position,  app->known,      app->standing,        app->marked,
                            app->hidden,    app->range_base, app->held_place,      app->scratch,
                            app->values,    app->pick.item,  app->note.text,       app->sure.asked,
                            app->sure.base, app->urgency,    app->urgency_scratch, app->folded,
                            app->excluded,  app->accepted,   app->passes,          app->recent};
    es_corr_free(app);
    es_summary_free(app);
    es_agreement_forget(app);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        es_free(blocks[i]);
    es_refine_free(app);
    for (size_t i = 0; i < app->theme_count; i++)
        es_free(app->themes[i]);
    es_free(app->themes);
    es_free(app->scores_file);
    es_tree_deinit(&app->tree);
    es_compare_free(app);
    es_prompt_free(app);
    es_export_free(app);
    es_keymap_free(&app->keymap);
    es_history_free(app);
    es_free(app);
}

void es_app_display(es_app *app, bool ascii, bool coarse) {
    app->ascii = ascii;
    app->coarse = coarse;
    app->dirty = true;
    es_select_scroll(app);
}

void es_app_mouse(es_app *app, bool on) {
    app->mouse = on;
}

void es_app_first_theme(es_app *app, const char *id) {
    (void)snprintf(app->theme_first, sizeof app->theme_first, "%s", id);
}

es_status es_app_themes(es_app *app, const char *const *names, size_t count, const char *current) {
    char **copy = es_alloc_zero(count + 1, sizeof *copy);
    bool whole = copy != NULL;
    for (size_t i = 0; whole && i < count; i++)
        whole = (copy[i] = es_strdup(names[i])) != NULL;
    if (!whole) {
        for (size_t i = 0; copy != NULL && i < count; i++)
            es_free(copy[i]);
        es_free(copy);
        return ES_ENOMEM;
    }
    for (size_t i = 0; i < app->theme_count; i++)
        es_free(app->themes[i]);
    es_free(app->themes);
    app->themes = copy;
    app->theme_count = count;
    (void)snprintf(app->theme, sizeof app->theme, "%s", current == NULL ? "" : current);
    if (app->mode == ES_MODE_PICK && app->pick.kind == ES_PICK_THEME)
        es_pick_themes(app);
    if (app->theme_first[0] == '\0')
        (void)snprintf(app->theme_first, sizeof app->theme_first, "%s", app->theme);
    return ES_OK;
}

void es_app_recent(es_app *app, const char *lines) {
    es_free(app->recent);
    app->recent = es_strdup(lines);
}

bool es_app_recent_at(const es_app *app, size_t index, char *out, size_t capacity) {
    const char *line = app->recent == NULL ? "" : app->recent;
    for (; *line != '\0' && index > 0; index--) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (*line == '\0')
        return false;
    (void)es_text_clean_into(out, capacity, line, strcspn(line, "\n"));
    return true;
}

/* ---- Small services ---- */

void es_app_say(es_app *app, double now, es_status status, const char *text) {
    app->now = now > app->now ? now : app->now;
    (void)es_text_clean_into(app->toast, sizeof app->toast, text, strlen(text));
    app->toast_status = status;
    app->toasts++;
    app->toast_until = app->now + ES_APP_TOAST;
    app->dirty = true;
}

void es_app_notice(es_app *app, es_status status, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    es_app_say(app, app->now, status, text);
}

void es_effect_add(es_app *app, es_effects *effects, es_effect_kind kind, size_t number, bool flag,
                   const char *text) {
    char *copy = text == NULL ? NULL : es_strdup(text);
    bool room = text == NULL || copy != NULL;
    if (room && effects->count == effects->capacity) {
        size_t capacity = effects->capacity == 0 ? 8 : 2 * effects->capacity;
        es_effect *items = es_realloc(effects->items, capacity, sizeof *items);
        room = items != NULL;
        if (room) {
            effects->items = items;
            effects->capacity = capacity;
        }
    }
    if (!room) {
        es_free(copy);
        es_app_notice(app, ES_ENOMEM, "out of memory: this was not done");
        return;
    }
    effects->items[effects->count++] = (es_effect){kind, flag, number, copy};
}

void es_effects_clear(es_effects *effects) {
    for (size_t i = 0; i < effects->count; i++)
        es_free(effects->items[i].text);
    es_free(effects->items);
    *effects = (es_effects){0};
}

const char *es_app_title(const es_app *app) {
    if (app->results != NULL && app->results == app->merged)
        return app->merged_title;
    size_t entry = app->entry;
    if (entry == ES_NONE && app->source->plan(app->source->context) > 0)
        entry = 0;
    return entry == ES_NONE ? "" : app->source->title(app->source->context, entry);
}

size_t es_app_pairs(const es_app *app) {
    size_t plan = app->source->plan(app->source->context);
    size_t m = app->results == NULL ? app->usable : app->results->m;
    if (plan > 0 && app->progress.total >= plan)
        return (app->progress.total - app->progress.nulls) / plan;
    return m * (m > 0 ? m - 1 : 0);
}

bool es_app_lower(const es_app *app) {
    return app->entry != ES_NONE && app->source->lower_is_better(app->source->context, app->entry);
}

bool es_app_running(const es_app *app) {
    return app->phase == ES_PHASE_RUNNING || app->phase == ES_PHASE_PAUSED;
}

const es_model *es_app_model(const es_app *app, size_t item) {
    return app->source->model(app->source->context, item);
}

void es_app_show_note(es_app *app, const char *title, char *text) {
    if (text == NULL) {
        es_app_notice(app, ES_ENOMEM, "out of memory");
        return;
    }
    es_free(app->note.text);
    app->note.text = text;
    app->note.scroll = 0;
    (void)es_text_clean_into(app->note.title, sizeof app->note.title, title, strlen(title));
    app->mode = ES_MODE_NOTE;
}

void es_app_note(es_app *app, const char *title, const char *text) {
    es_buf out = {0};
    char line[ES_APP_LINE];
    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        (void)es_text_clean_into(line, sizeof line, text, length);
        es_buf_printf(&out, "%s\n", line);
    }
    if (out.failed)
        es_buf_free(&out);
    es_app_show_note(app, title, out.data);
    app->dirty = true;
}

es_status es_app_set(es_app *app, const char *name, const char *value, es_effects *effects,
                     es_error *err) {
    es_status st = es_setting_set(app, name, value, effects, err);
    es_history_free(app);
    app->toast_until = 0;
    app->hold_until = -1e9;
    return st;
}

/* ---- The session ---- */

/* Remember the newest finished cell, for the flash and the inspector. */
static void find_new_cells(es_app *app) {
    const es_results *r = app->results;
    for (size_t cell = 0; r != NULL && cell < r->m * r->m; cell++) {
        size_t s = r->model[cell / r->m], t = r->model[cell % r->m];
        uint8_t *known = &app->known[s * app->n + t];
        uint8_t now = (uint8_t)(r->state[cell] | es_refine_entry(app, s, t) << 3);
        if (s != t && r->state[cell] == ES_PAIR_DONE && *known != now && es_app_running(app)) {
            app->newest_source = s;
            app->newest_target = t;
            app->newest_at = app->now;
        }
        *known = now; /* a refined value is a new one */
    }
}

static void read_results(es_app *app) {
    void *context = app->source->context;
    size_t plan = app->source->plan(context);
    size_t entry = app->wanted_entry != ES_NONE ? app->wanted_entry : app->source->best(context);
    if (entry == ES_NONE && plan > 0)
        entry = 0;
    const es_results *results = entry < plan ? app->source->results(context, entry) : NULL;
    const es_results *merged = es_refine_merge(app);
    if (merged != NULL) {
        results = merged;
        entry = plan - 1;
        (void)snprintf(app->merged_title, sizeof app->merged_title, "%s → %s",
                       app->source->title(context, 0), app->source->title(context, entry));
    }
    bool other = entry != app->entry || results != app->results, sure = es_sure_take(app);
    if (!other && (results == NULL || results->revision == app->revision)) {
        if (sure)
            es_standing_update(app);
        return;
    }
    app->sure.changed_at = app->now;
    bool lower = es_app_lower(app);
    app->entry = entry < plan ? entry : ES_NONE;
    app->results = results;
    if (lower != es_app_lower(app) && app->set.table[ES_TABLE_RANK].sort == ES_RANK_SCORE)
        app->set.table[ES_TABLE_RANK].descending = lower; /* the best first, whichever end it is */
    app->revision = results == NULL ? 0 : results->revision;
    if (other)
        memset(app->limits, 0, sizeof app->limits);
    for (size_t i = 0; i < app->n; i++)
        app->position[i] = ES_NONE;
    for (size_t p = 0; results != NULL && p < results->m; p++)
        if (results->model[p] < app->n)
            app->position[results->model[p]] = p;
    find_new_cells(app);
    es_standing_update(app);
    es_limits_fit(app, false);
}

/* A failed pair that is selected in Jobs stays selected while others fail. */
static void follow_job(es_app *app) {
    size_t threads = es_jobs_threads(app), lines = es_jobs_lines(app);
    es_failure at = {0};
    if (app->job >= lines)
        app->job = lines == 0 ? 0 : lines - 1;
    if (app->job < threads || app->job_target == ES_NONE)
        return;
    for (size_t i = 0; es_jobs_next(app, &at); i++)
        if (at.entry == app->job_entry && at.source == app->job_source &&
            at.target == app->job_target) {
            app->job = threads + i;
            return;
        }
}

static void note_phase(es_app *app, es_phase before) {
    bool was_running = before == ES_PHASE_RUNNING || before == ES_PHASE_PAUSED;
    if (app->phase == ES_PHASE_RUNNING && !was_running)
        es_standing_baseline(app, true);
    if (app->phase != ES_PHASE_DONE || !was_running)
        return;
    const es_progress *p = &app->progress;
    size_t changes = app->frozen ? es_select_changes(app) : 0;
    char failed[48] = "";
    if (p->failed > 0)
        (void)snprintf(failed, sizeof failed, ", %zu failed", p->failed);
    if (changes > 0)
        es_app_notice(
            app, ES_OK,
            "Run finished: %zu of %zu pairs%s. %zu rank changes since you froze, F applies them",
            p->done, p->total, failed, changes);
    else
        es_app_notice(app, ES_OK, "Run finished: %zu of %zu pairs%s", p->done, p->total, failed);
    es_limits_fit(app, true);
}

/* A measure's values come in many at a time: its limits follow four times a second, the last ones
 * by the clock. */
static void fit_measure(es_app *app) {
    if (!app->fit_late || app->now < app->fitted_at + FIT_PAUSE)
        return;
    app->fit_late = false;
    app->fitted_at = app->now;
    es_limits_fit(app, false);
    app->dirty = true;
}

static void read_source(es_app *app) {
    void *context = app->source->context;
    es_phase before = app->phase;
    app->phase = app->source->phase(context);
    app->source->progress(context, &app->progress);
    app->usable = app->unchecked = 0;
    for (size_t i = 0; i < app->n; i++) {
        es_model_state state = es_app_model(app, i)->state;
        app->usable += state != ES_MODEL_EXCLUDED;
        app->unchecked += state == ES_MODEL_UNCHECKED;
    }
    read_results(app);
    note_phase(app, before);
    app->fit_late = app->set.metric == ES_METRIC_MEASURE;
    fit_measure(app);
    follow_job(app);
    es_select_refresh(app, false);
}

/* ---- Messages ---- */

static void tick(es_app *app) {
    if (app->toast_until > 0 && app->now >= app->toast_until)
        app->toast_until = 0;
    if (app->order_stale && !app->frozen && app->now >= app->hold_until)
        es_select_refresh(app, false);
    if (app->phase == ES_PHASE_RUNNING)
        app->source->progress(app->source->context, &app->progress);
    fit_measure(app);
    es_jobs_pace(app);
}

void es_app_copy(es_app *app, char *text, es_effects *effects) {
    if (text == NULL)
        es_app_notice(app, ES_ENOMEM, "out of memory");
    else
        es_effect_add(app, effects, ES_FX_COPY, 0, false, text);
    es_free(text);
}

const char *es_app_unkept(const es_app *app) {
    const es_source *source = app->source;
    bool stays = source->read_only(source->context);
    if (!stays && app->progress.done > 0 && source->store_path(source->context) == NULL)
        return "the results so far are in memory only (--no-store) and would be lost";
    if (source->store_problem(source->context, NULL) != ES_OK)
        return "some results could not be stored and would be lost";
    return NULL;
}

static void interrupt(es_app *app, es_effects *effects) {
    if (app->mode != ES_MODE_NORMAL) {
        es_keys_press(app, ES_KEY_ESC, effects);
        app->mode = ES_MODE_NORMAL;
    } else if (app->now - app->interrupt_at < 3) {
        bool loses = app->source->store_problem(app->source->context, NULL) != ES_OK;
        if (loses || es_app_running(app)) {
            app->mode = ES_MODE_ASK;
            app->ask = ES_ASK_QUIT;
        } else
            es_effect_add(app, effects, ES_FX_QUIT, 130, false, NULL);
    } else
        es_app_notice(app, ES_OK, "Ctrl-C again to quit; Esc steps back, ? helps");
    app->interrupt_at = app->now;
}

/* Whoever goes on working has read the notice. */
static void outdate_notice(es_app *app) {
    if (app->toast_until > 0 && app->now >= app->toast_until - ES_APP_TOAST + ES_APP_READ)
        app->toast_until = 0;
}

void es_app_update(es_app *app, const es_msg *msg, es_effects *effects) {
    app->now = msg->now;
    app->dirty = true;
    if (msg->kind == ES_MSG_KEY || msg->kind == ES_MSG_MOUSE)
        outdate_notice(app);
    switch (msg->kind) {
    case ES_MSG_KEY:
        app->urgent = true;
        es_keys_press(app, msg->key, effects);
        break;
    case ES_MSG_MOUSE:
        app->urgent = true;
        es_mouse_act(app, &msg->mouse, effects);
        break;
    case ES_MSG_PASTE:
        app->urgent = true;
        es_keys_paste(app, msg->text, effects);
        break;
    case ES_MSG_RESIZE:
        app->urgent = true;
        app->w = msg->w;
        app->h = msg->h;
        es_select_scroll(app);
        break;
    case ES_MSG_SESSION:
        read_source(app);
        break;
    case ES_MSG_TICK:
        tick(app);
        break;
    case ES_MSG_COMMAND:
        if (app->mode == ES_MODE_PICK) /* its rows are those of the view that it was opened in */
            es_pick_key(app, ES_KEY_ESC, effects);
        es_app_settle(app);
        es_prompt_run(app, msg->text, effects);
        break;
    case ES_MSG_SIGNAL:
        app->urgent = true;
        interrupt(app, effects);
        break;
    }
    es_urgency_update(app, effects);
    es_sure_ask(app, effects);
    es_worst_update(app, effects);
    es_corr_ask(app, effects);
    es_tree_update(app, msg->kind == ES_MSG_TICK);
    if (app->view == ES_VIEW_HEATMAP)
        es_summary_update(app);
    if (app->view == ES_VIEW_COMPARE)
        es_compare_refresh(app);
    if (app->view == ES_VIEW_CORR && app->set.corr_agree)
        es_agreement_update(app, msg->kind == ES_MSG_TICK);
    else if (app->view == ES_VIEW_CORR)
        es_corr_update(app, msg->kind == ES_MSG_TICK);
}

bool es_app_dirty(const es_app *app) {
    return app->dirty;
}
bool es_app_urgent(const es_app *app) {
    return app->urgent;
}

void es_app_drawn(es_app *app) {
    app->dirty = app->urgent = false;
}

static double view_deadline(const es_app *app) {
    if (app->view != ES_VIEW_CORR)
        return (double)INFINITY;
    return app->set.corr_agree ? es_agreement_deadline(app) : es_corr_deadline(app);
}

bool es_app_settled(const es_app *app) {
    uint64_t tag;
    bool busy = false;
    (void)app->source->intervals(app->source->context, &tag, &busy);
    return !busy && isinf(es_sure_due(app)) && isinf(es_tree_deadline(app)) &&
           isinf(view_deadline(app));
}

double es_app_deadline(const es_app *app) {
    double deadline = (double)INFINITY;
    if (app->toast_until > 0)
        deadline = fmin(deadline, app->toast_until);
    if (app->order_stale && !app->frozen)
        deadline = fmin(deadline, fmax(app->hold_until, app->now));
    if (app->now - app->newest_at < FLASH)
        deadline = fmin(deadline, app->newest_at + FLASH);
    if (app->fit_late)
        deadline = fmin(deadline, app->fitted_at + FIT_PAUSE);
    deadline = fmin(deadline, fmax(es_sure_due(app), app->now));
    deadline = fmin(deadline, es_tree_deadline(app));
    if (app->phase == ES_PHASE_RUNNING) /* ETA, elapsed, loss curves */
        deadline = fmin(deadline, app->now + (app->view == ES_VIEW_JOBS ? 0.25 : 1));
    return fmin(deadline, view_deadline(app));
}
