#include "driver.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "about.h"
#include "alloc.h"
#include "clipboard.h"
#include "clock.h"
#include "derived.h"
#include "driver_theme.h"
#include "file.h"
#include "saved_session.h"
#include "measuring.h"
#include "paths.h"
#include "screen_svg.h"
#include "recent.h"
#include "scores.h"
#include "screen.h"

enum {
    CTRL_C = 3,
    WRITER_SECONDS = 30 /* for an export that is being written when the user quits */
};
static const double QUIET = 3;    /* seconds after the last key until the session is kept */
static const double LONGEST = 30; /* seconds that somebody who goes on typing can lose */

static void say(es_driver *driver, es_status status, const char *text) {
    es_app_say(driver->app, es_clock_now(), status, text);
}

/* ---- life ---- */

/* Over the view until it is read; a script's keys are not for it. */
static void notice(es_driver *driver, const char *why) {
    bool only = driver->options->shown_only;
    char text[900];
    snprintf(text, sizeof text, "%s%s", why,
             only ? "\n\nWhat is stored is shown, and nothing is estimated or kept. Open the pool "
                    "again when it can be written."
                  : "");
    es_log_write(driver->options->log, ES_LOG_WARN, "%s", why);
    if (driver->options->script)
        say(driver, ES_EIO, why);
    else
        es_app_note(driver->app, only ? "Results cannot be written" : "It cannot be opened", text);
}

es_status es_driver_open(es_driver *driver, es_session *session, const es_tui_options *options,
                         es_error *err) {
    es_status st = ES_OK;
    *driver = (es_driver){.session = session,
                          .options = options,
                          .ascii = options->ascii,
                          .save_at = (double)INFINITY,
                          .save_latest = (double)INFINITY,
                          .theme_look = (double)INFINITY,
                          .theme_chosen = options->theme != NULL};
    es_writer_init(&driver->writer);
    ES_TRY(es_driver_first_theme(driver, err));
    if (!(driver->source = es_source_of_session(session)) ||
        !(driver->app = es_app_new(driver->source, options->log))) {
        st = es_no_memory(err);
        goto done;
    }
    es_driver_list_themes(driver);
    if (options->exports != NULL)
        es_app_exporter(driver->app, options->exports);
    if (options->estimate != NULL)
        es_app_planning(driver->app,
                        &(es_planning){options->plan, options->estimate, options->check_plan});
    es_driver_send(driver, (es_msg){.kind = ES_MSG_TICK}); /* the app learns what time it is */
    ES_TRY(es_saved_configure(driver, err));
    es_saved_open(driver);
    es_recent_note(driver);
    if (options->notice)
        notice(driver, options->notice);
done:
    if (st != ES_OK)
        es_driver_close(driver);
    return st;
}

void es_driver_keep(es_driver *driver) {
    if (driver->app == NULL || driver->kept)
        return;
    driver->kept = true;
    if (driver->options->again != NULL && *driver->options->again)
        es_saved_hand_over(driver);
    es_saved_save(driver);
}

void es_driver_close(es_driver *driver) {
    es_writer_close(&driver->writer, WRITER_SECONDS);
    es_driver_keep(driver);
    es_saved_close(driver);
    es_app_free(driver->app);
    es_source_free(driver->source);
    es_grid_free(&driver->grid);
    driver->app = NULL;
    driver->source = NULL;
}

es_status es_driver_attach(es_driver *driver, es_term *term, int w, int h, es_error *err) {
    driver->term = term;
    if (term)
        es_term_sync(term, !driver->torn);
    es_app_mouse(driver->app, driver->options->mouse);
    es_driver_show_theme(driver);
    return es_driver_resize(driver, w, h, err);
}

/* ---- effects ---- */

static void copy(es_driver *driver, const char *text) {
    char said[256];
    es_error err = {0};
    es_status st = es_clipboard_copy(driver->term, text, said, &err);
    say(driver, st, st == ES_OK ? said : err.message);
}

static bool is_svg(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".svg") == 0;
}

es_status es_driver_dump(es_driver *driver, const char *path, bool roles, es_error *err) {
    es_status st;
    es_driver_draw(driver);
    char *text = roles          ? es_grid_dump_roles(&driver->grid)
                 : is_svg(path) ? es_screen_svg(&driver->grid, &driver->look)
                                : es_grid_dump_text(&driver->grid);
    if (!text)
        return es_no_memory(err);
    struct stat info;
    if (driver->term && stat(path, &info) == 0 && S_ISFIFO(info.st_mode)) /* may never be read */
        st = es_fail(err, ES_EIO, "%s: is a pipe, which could stop the explorer", path);
    else
        st = es_file_write(path, text, strlen(text), 0666, err);
    es_free(text);
    return st;
}

static void dump(es_driver *driver, const char *path) {
    es_error err = {0};
    char text[300];
    es_status st = es_driver_dump(driver, path, false, &err);
    snprintf(text, sizeof text, "Screen written to %.200s", path);
    say(driver, st, st == ES_OK ? text : err.message);
}

static void retry(es_driver *driver) {
    char text[64];
    size_t count = es_session_retry(driver->session);
    snprintf(text, sizeof text, "%zu failed %s another try", count,
             count == 1 ? "pair gets" : "pairs get");
    say(driver, ES_OK, count > 0 ? text : "No pair has failed");
}

/* A ranking without them still has its standard errors: the log says why. */
static void compute_intervals(es_driver *driver, uint64_t tag) {
    es_error why = {0};
    es_bootstrap problem = es_app_bootstrap(driver->app);
    if (es_session_intervals_start(driver->session, &problem, tag, &why) != ES_OK)
        es_log_write(driver->options->log, ES_LOG_WARN, "intervals: %s", why.message);
}

/* Whoever was in the foreground meanwhile was told of a new size; we were not. */
static es_status suspend(es_driver *driver, es_error *err) {
    int w, h;
    if (!driver->term)
        return ES_OK;
    es_saved_save(driver); /* whoever suspends may not come back */
    es_term_suspend(driver->term);
    es_term_resize(driver->term, &w, &h);
    return es_driver_resize(driver, w, h, err);
}

/* Its files are read, if it needs any. A measure that is only loaded goes without a word. */
static void show_measure(es_driver *driver, const char *name, bool load) {
    const es_measure *m = NULL;
    size_t field = 0, first = 0, count = 0;
    es_error err = {0};
    es_status st = es_measure_parse(name, &m, &field, &err);
    if (st == ES_OK)
        st = es_session_measure(driver->session, m, NULL, false, &first, &count, &err);
    if (load)
        return;
    for (size_t k = 0; st == ES_OK && k < count; k++)
        st = es_session_measure_start(driver->session, first + k, &err);
    char text[200];
    (void)snprintf(text, sizeof text, "%s: %s", name, m ? m->caveat : "");
    say(driver, st, st == ES_OK ? text : err.message);
    if (st == ES_OK)
        es_driver_send(driver, (es_msg){.kind = ES_MSG_SESSION});
}

bool es_driver_measure(es_driver *driver, const char *name, bool load) {
    const es_measure *m = NULL;
    size_t field = 0;
    es_error err = {0};
    if (driver->measure[0] != '\0') { /* one after the other */
        size_t used = strlen(driver->waiting);
        if (used + strlen(name) + 1 < sizeof driver->waiting)
            (void)snprintf(driver->waiting + used, sizeof driver->waiting - used, "%s ", name);
        return true;
    }
    es_status st = es_measure_parse(name, &m, &field, &err);
    if (st == ES_OK && m->needs != 0) {
        st = es_session_measure_prepare(driver->session, m, &err);
        if (st == ES_OK) {
            (void)snprintf(driver->measure, sizeof driver->measure, "%s", name);
            driver->load = load;
            return true;
        }
    }
    if (st == ES_OK)
        show_measure(driver, name, load);
    else if (!load)
        say(driver, st, err.message);
    return false;
}

/* Files have been read. */
static void take_prepared(es_driver *driver) {
    char name[sizeof driver->measure], *waiting = driver->waiting;
    es_error err = {0};
    es_status st = es_session_measure_prepared(driver->session, &err);
    if (st == ES_EBUSY || driver->measure[0] == '\0')
        return;
    memcpy(name, driver->measure, sizeof name);
    driver->measure[0] = '\0';
    if (st == ES_OK)
        show_measure(driver, name, driver->load);
    else if (!driver->load)
        say(driver, st, err.message);
    while (waiting[0] != '\0' && driver->measure[0] == '\0') {
        size_t length = strcspn(waiting, " ");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, waiting);
        memmove(waiting, waiting + length + 1, strlen(waiting + length));
        (void)es_driver_measure(driver, name, false);
    }
}

/* "whiten 64", or "concat NAME". */
static es_status parse_way(es_driver *driver, const char *way, es_derivation *d, es_error *err) {
    static const char concat[] = "concat ";
    const es_pool *pool = es_session_pool(driver->session);
    if (strncmp(way, concat, sizeof concat - 1) != 0)
        return es_derive_parse(way, &d->how, err);
    for (size_t i = 0; pool != NULL && i < es_pool_count(pool); i++)
        if (strcmp(es_pool_model(pool, i)->name, way + sizeof concat - 1) == 0)
            d->other = i;
    return d->other != SIZE_MAX ? ES_OK
                                : es_fail(err, ES_ENOTFOUND, "concat: no embedder is called %s",
                                          way + sizeof concat - 1);
}

static void derive(es_driver *driver, size_t item, const char *way) {
    es_derivation d = {.source = item, .other = SIZE_MAX};
    es_error err = {0};
    es_status st = parse_way(driver, way, &d, &err);
    if (st == ES_OK)
        st = es_session_derive(driver->session, &d, &err);
    if (st != ES_OK)
        say(driver, st, err.message);
}

/* A derived embedder is ready: the pool opened again has it. The caller does that where nothing is
 * lost by it: not in the middle of a run. */
static void look_for_derived(es_driver *driver) {
    const char *name = NULL;
    char text[300];
    es_error err = {0};
    es_status st = es_session_derived(driver->session, &name, &err);
    if (st == ES_EBUSY || st == ES_ENOTFOUND)
        return;
    bool soon = driver->options->again != NULL && es_app_unkept(driver->app) == NULL;
    driver->grown = driver->grown || (st == ES_OK && soon);
    (void)snprintf(text, sizeof text, "%s is made; it is in the pool %s", name ? name : "",
                   soon ? "when the run has ended" : "when that is opened again");
    say(driver, st, st == ES_OK ? text : err.message);
}

static void take_grown(es_driver *driver) {
    es_phase phase = es_session_phase(driver->session);
    if (!driver->grown || phase == ES_PHASE_RUNNING || phase == ES_PHASE_PAUSED ||
        phase == ES_PHASE_CHECKING || es_app_unkept(driver->app) != NULL)
        return;
    *driver->options->again = true;
    driver->quit = true;
}

/* The canonical path of what was typed, from es_alloc. */
static es_status whole_path(const char *typed, char **whole, es_error *err) {
    char *path = es_path_at_home(typed);
    es_status st = ES_OK;
    if (path == NULL)
        st = es_no_memory(err);
    else
        st = es_path_canonical(path, whole, err);
    es_free(path);
    return st;
}

/* Scores from elsewhere: the pool is opened again with them, as it is for a derived embedder. What
 * cannot be read is said now. */
static void take_scores(es_driver *driver, const char *typed) {
    es_error err = {0};
    es_scores scores = {0};
    char *whole = NULL;
    es_status st = whole_path(typed, &whole, &err);
    if (st == ES_OK)
        st = es_scores_read(whole, 0, &scores, &err);
    if (st == ES_OK && driver->options->again == NULL)
        st = es_fail(&err, ES_EUNSUPPORTED, "scores: not with --plain; start with --scores FILE");
    if (st == ES_OK) {
        es_free(*driver->options->scores);
        *driver->options->scores = whole;
        whole = NULL;
        driver->grown = true;
        say(driver, ES_OK, "Scores are taken when the run has ended");
        take_grown(driver);
    } else {
        say(driver, st, err.message);
    }
    es_scores_deinit(&scores);
    es_free(whole);
}

/* Another pool takes the place of this one. What cannot be one is said now. */
static void take_pool(es_driver *driver, const char *typed) {
    es_error err = {0};
    struct stat info;
    char *whole = NULL;
    es_status st = whole_path(typed, &whole, &err);
    if (st == ES_OK && (stat(whole, &info) != 0 || !S_ISDIR(info.st_mode)))
        st = es_fail(&err, ES_EUNSUPPORTED, "%s: not a folder; a pool is one", typed);
    if (st == ES_OK && driver->options->again == NULL)
        st = es_fail(&err, ES_EUNSUPPORTED, "open: not with --plain; start with embedscope PATH");
    if (st == ES_OK) {
        es_free(*driver->options->open);
        *driver->options->open = whole;
        whole = NULL;
        *driver->options->again = true;
        driver->quit = true;
    } else
        say(driver, st, err.message);
    es_free(whole);
}

/* The pool is opened again with another plan, whose run begins then. */
static void take_plan(es_driver *driver, const char *plan) {
    char *copy = driver->options->again != NULL ? es_strdup(plan) : NULL;
    if (driver->options->again == NULL)
        say(driver, ES_EUNSUPPORTED,
            "run: not with --plain; start with --estimator, --preset, --rows, --seed");
    else if (copy == NULL)
        say(driver, ES_ENOMEM, "out of memory");
    else {
        es_free(*driver->options->other_plan);
        *driver->options->other_plan = copy;
        *driver->options->again = true;
        driver->quit = true;
    }
}

static void export(es_driver *driver, bool over) {
    es_error err = {0};
    if (!over && access(es_app_export_file(driver->app), F_OK) == 0) {
        es_app_export_exists(driver->app);
        return;
    }
    es_status st = es_writer_start(&driver->writer, driver->options->program,
                                   es_app_export(driver->app), &err);
    if (st == ES_OK)
        es_app_export_begun(driver->app);
    else
        say(driver, st, err.message);
}

bool es_driver_written(es_driver *driver) {
    es_error err = {0};
    es_status st = ES_OK;
    if (!es_writer_step(&driver->writer, &st, &err))
        return false;
    es_app_export_done(driver->app, es_clock_now(), st, err.message);
    return true;
}

static size_t position_of(const es_results *r, size_t item) {
    size_t at = 0;
    while (r != NULL && at < r->m && r->model[at] != item)
        at++;
    return at;
}

/* Where this cannot be done, the list says so in the place of lines. */
static void find_worst(es_driver *driver, const es_effect *effect) {
    const es_results *r = es_session_results(driver->session, 0);
    es_worst_wish wish = es_app_worst(driver->app);
    size_t entry = 0;
    if (!effect->flag) {
        es_session_worst_stop(driver->session);
        return;
    }
    while (entry < es_session_measured_count(driver->session) &&
           strcmp(es_session_measured(driver->session, entry)->name, wish.measure) != 0)
        entry++;
    (void)es_session_worst_start(driver->session, entry, position_of(r, wish.item),
                                 wish.other == SIZE_MAX ? SIZE_MAX : position_of(r, wish.other),
                                 NULL);
}

void es_driver_carry_out(es_driver *driver, const es_effect *effect) {
    es_error err = {0};
    es_status st = ES_OK;
    switch (effect->kind) {
    case ES_FX_START:
        st = es_session_start(driver->session, &err);
        break;
    case ES_FX_PLAN:
        take_plan(driver, effect->text);
        break;
    case ES_FX_PAUSE:
        es_session_pause(driver->session, effect->flag);
        break;
    case ES_FX_CANCEL:
        es_session_cancel(driver->session);
        break;
    case ES_FX_RETRY:
        retry(driver);
        break;
    case ES_FX_PRIORITISE:
        es_session_prioritise(driver->session, es_app_urgency(driver->app));
        break;
    case ES_FX_INTERVALS:
        compute_intervals(driver, effect->number);
        break;
    case ES_FX_THREADS:
        st = es_session_threads(driver->session, (unsigned)effect->number, &err);
        break;
    case ES_FX_MEASURE:
        (void)es_driver_measure(driver, effect->text, false);
        break;
    case ES_FX_DERIVE:
        derive(driver, effect->number, effect->text);
        break;
    case ES_FX_WORST:
        find_worst(driver, effect);
        break;
    case ES_FX_BASELINE: /* where it cannot be read, the log says why */
        (void)es_session_baseline_start(driver->session, NULL);
        break;
    case ES_FX_REDRAW:
        if (driver->term)
            es_term_redraw(driver->term);
        break;
    case ES_FX_SUSPEND:
        st = suspend(driver, &err);
        break;
    case ES_FX_THEME:
        es_driver_change_theme(driver, effect->text, effect->flag);
        break;
    case ES_FX_COPY:
        copy(driver, effect->text);
        break;
    case ES_FX_MOUSE:
        if (driver->term)
            es_term_mouse(driver->term, effect->flag);
        break;
    case ES_FX_ASCII:
        driver->ascii = effect->flag;
        es_driver_show_theme(driver);
        break;
    case ES_FX_SYNC:
        driver->torn = !effect->flag;
        if (driver->term)
            es_term_sync(driver->term, effect->flag);
        break;
    case ES_FX_SAVE:
        es_saved_line(driver, (es_save)effect->number, effect->text);
        break;
    case ES_FX_KEEP:
        es_saved_now(driver);
        break;
    case ES_FX_SOURCE:
        es_saved_source(driver, effect->text);
        break;
    case ES_FX_OPEN:
        take_pool(driver, effect->text);
        break;
    case ES_FX_SCORES:
        take_scores(driver, effect->text);
        break;
    case ES_FX_PATHS:
        es_about_paths(driver);
        break;
    case ES_FX_DOCTOR:
        es_about_doctor(driver);
        break;
    case ES_FX_DUMP:
        dump(driver, effect->text);
        break;
    case ES_FX_EXPORT:
        export(driver, effect->flag);
        break;
    case ES_FX_QUIT:
        driver->quit = true;
        driver->exit_code = (int)effect->number;
        break;
    }
    if (st != ES_OK)
        say(driver, st, err.message);
}

/* ---- messages ---- */

void es_driver_send(es_driver *driver, es_msg msg) {
    es_effects effects = {0};
    msg.now = es_clock_now();
    es_app_update(driver->app, &msg, &effects);
    if (msg.kind != ES_MSG_SESSION && msg.kind != ES_MSG_TICK && msg.kind != ES_MSG_RESIZE) {
        if (isinf(driver->save_at))
            driver->save_latest = msg.now + LONGEST;
        driver->save_at = msg.now + QUIET;
    }
    for (size_t i = 0; i < effects.count; i++)
        es_driver_carry_out(driver, &effects.items[i]);
    es_effects_clear(&effects);
}

void es_driver_key(es_driver *driver, uint32_t key) {
    driver->touched = true;
    if (key == CTRL_C)
        es_driver_send(driver, (es_msg){.kind = ES_MSG_SIGNAL});
    else
        es_driver_send(driver, (es_msg){.kind = ES_MSG_KEY, .key = key});
}

void es_driver_mouse(es_driver *driver, es_mouse_kind kind, int x, int y) {
    driver->touched = true;
    es_mouse mouse = es_grid_mouse(&driver->grid, kind, x, y);
    es_driver_send(driver, (es_msg){.kind = ES_MSG_MOUSE, .mouse = mouse});
}

es_status es_driver_resize(es_driver *driver, int w, int h, es_error *err) {
    if (!es_grid_resize(&driver->grid, w, h))
        return es_no_memory_for(err, "a screen of %dx%d", w, h);
    es_driver_send(driver, (es_msg){.kind = ES_MSG_RESIZE, .w = w, .h = h});
    return ES_OK;
}

bool es_driver_pump(es_driver *driver, double budget_ms) {
    if (es_session_pump(driver->session, budget_ms) == 0)
        return false;
    es_driver_send(driver, (es_msg){.kind = ES_MSG_SESSION});
    look_for_derived(driver);
    take_prepared(driver);
    es_saved_measures(driver);
    take_grown(driver);
    return true;
}

/* Not while part of the last session still waits: it would be lost. */
static double save_time(const es_driver *driver) {
    return driver->session_path && !driver->pending ? fmin(driver->save_at, driver->save_latest)
                                                    : (double)INFINITY;
}

double es_driver_deadline(const es_driver *driver) {
    return fmin(fmin(es_app_deadline(driver->app), save_time(driver)), driver->theme_look);
}

void es_driver_tick(es_driver *driver) {
    double now = es_clock_now();
    if (es_app_deadline(driver->app) <= now)
        es_driver_send(driver, (es_msg){.kind = ES_MSG_TICK});
    if (save_time(driver) <= now)
        es_saved_save(driver);
    es_driver_watch_theme(driver, now);
}

void es_driver_draw(es_driver *driver) {
    es_driver_follow_colours(driver);
    es_grid_clear(&driver->grid);
    es_screen_draw(driver->app, &driver->grid);
    es_app_drawn(driver->app);
}
