/* The explorer without its surroundings: messages to the app, and what the app asks for in return.
 */
#include "tui_driver.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app_sheets.h"
#include "app_dialogs.h"
#include "tui_draw.h"
#include "tui_screen.h"
#include "app_values.h"

enum {
    CTRL_C = 3,
    WRITER_SECONDS = 30 /* for an export that is being written when the user quits */
};
static const double QUIET = 3;    /* seconds after the last key until the session is kept */
static const double BESIDE = 0.1; /* seconds between two looks at an estimation beside */
static const double HOLD =
    0.5; /* seconds in which a new session may work out what the last one showed */
static const double LONGEST = 30; /* seconds that somebody who goes on typing can lose */

/* ---- effects ---- */

static void tell_news(es_driver *driver) {
    if (driver->news)
        es_driver_send(driver, (es_msg){.kind = ES_MSG_SESSION});
}

static es_status copy_to_clipboard(es_driver *driver, const es_effect *effect, es_error *err) {
    char said[256];
    ES_PASS(es_clipboard_copy(driver->term, effect->text, said, err));
    es_driver_say(driver, ES_OK, said);
    return ES_OK;
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

static es_status dump_screen(es_driver *driver, const es_effect *effect, es_error *err) {
    char text[300];
    ES_PASS(es_driver_dump(driver, effect->text, false, err));
    snprintf(text, sizeof text, "Screen written to %.200s", effect->text);
    es_driver_say(driver, ES_OK, text);
    return ES_OK;
}

static es_status start_run(es_driver *driver, const es_effect *effect, es_error *err) {
    es_driver_growth_run(driver, true);
    es_status st = es_session_start_passes(driver->session, effect->number, err);
    driver->news = true; /* its first pair may wait for long: for a store that is locked */
    tell_news(driver);
    return st;
}

static es_status pause_run(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)err;
    es_session_pause(driver->session, effect->flag);
    es_driver_growth_pause(driver, effect->flag);
    return ES_OK;
}

static es_status cancel_run(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)effect;
    (void)err;
    es_session_cancel(driver->session);
    es_driver_growth_run(driver, false);
    driver->news = true; /* of a run that pauses nothing else comes */
    tell_news(driver);
    return ES_OK;
}

static es_status retry_failed(es_driver *driver, const es_effect *effect, es_error *err) {
    char text[64];
    size_t count = es_session_retry(driver->session);
    (void)effect;
    (void)err;
    snprintf(text, sizeof text, "%zu failed %s another try", count,
             count == 1 ? "pair gets" : "pairs get");
    es_driver_say(driver, ES_OK, count > 0 ? text : "No pair has failed");
    return ES_OK;
}

static es_status prioritise(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)effect;
    (void)err;
    es_session_prioritise(driver->session, es_app_urgency(driver->app));
    return ES_OK;
}

static es_status take_threads(es_driver *driver, const es_effect *effect, es_error *err) {
    return es_session_threads(driver->session, (unsigned)effect->number, err);
}

static es_status measure(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)err;
    (void)es_driver_measure(driver, effect->text, effect->flag ? ES_MEASURE_ANY : ES_MEASURE_ASKED);
    tell_news(driver);
    return ES_OK;
}

/* Where it cannot be read, the log says why. */
static es_status look_for_baseline(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)effect;
    (void)err;
    (void)es_session_baseline_start(driver->session, NULL);
    return ES_OK;
}

/* What changes the terminal. */
static es_status change_terminal(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)err;
    if (effect->kind == ES_FX_SYNC)
        driver->torn = !effect->flag;
    if (driver->term && effect->kind == ES_FX_REDRAW)
        es_term_redraw(driver->term);
    else if (driver->term && effect->kind == ES_FX_MOUSE)
        es_term_mouse(driver->term, effect->flag);
    else if (driver->term)
        es_term_sync(driver->term, effect->flag);
    return ES_OK;
}

static es_status use_ascii(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)err;
    driver->ascii = effect->flag;
    es_driver_show_theme(driver);
    return ES_OK;
}

/* Whoever was in the foreground meanwhile was told of a new size; we were not. */
static es_status suspend(es_driver *driver, const es_effect *effect, es_error *err) {
    int w, h;
    (void)effect;
    if (!driver->term)
        return ES_OK;
    es_saved_save(driver); /* whoever suspends may not come back */
    es_term_suspend(driver->term);
    es_term_resize(driver->term, &w, &h);
    return es_driver_resize(driver, w, h, err);
}

static es_status quit(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)err;
    driver->quit = true;
    driver->exit_code = (int)effect->number;
    return ES_OK;
}

/* Starts the export in a thread; without the flag: asks before it overwrites a file. */
static es_status export_view(es_driver *driver, const es_effect *effect, es_error *err) {
    if (!effect->flag && access(driver->app->export.now.file, F_OK) == 0) {
        es_app_export_exists(driver->app);
        return ES_OK;
    }
    es_words words = {0};
    ES_PASS(es_words_add_all(&words, (const char *const *)driver->app->export.line.word, err));
    ES_PASS(es_worker_ask(&driver->writer, &words, err));
    es_app_export_begun(driver->app);
    return ES_OK;
}

static bool read_export(es_driver *driver) {
    es_error err = {0};
    es_sheet *none = NULL;
    if (!es_worker_step(&driver->writer, &none, &err))
        return false;
    if (err.code != ES_OK)
        es_error_prefix(&err, "export");
    char path[PATH_MAX];
    const char *whole = err.code == ES_OK ? realpath(driver->app->export.last.file, path) : NULL;
    es_app_export_done(driver->app, es_clock_now(), err.code, whole, err.message);
    es_driver_turn(driver);
    return true;
}

/* ---- sheets ---- */

static es_status ask_sheet(es_driver *driver, const es_effect *effect, es_error *err) {
    const es_explorer_commands *how = driver->options->commands;
    const es_analysis *analysis = es_analysis_find(effect->text);
    es_words words = {0};
    es_status st = ES_OK;
    ES_FAIL_IF(how == NULL, es_fail(err, ES_EUNSUPPORTED, "no sheet can be made here"));
    if (analysis->of == ES_ANALYSIS_OF_SETS)
        es_driver_saw_sets(driver);
    ES_TRY(how->begin(how->context, analysis->command, analysis->of == ES_ANALYSIS_OF_SETS, &words,
                      err));
    ES_TRY(es_sheets_words(driver->app, &words, err));
    ES_TRY(es_app_sheet_asked(driver->app, &words, err));
    ES_TRY(es_worker_ask(&driver->sheets, &words, err));
done:
    es_words_deinit(&words);
    if (st != ES_OK)
        es_app_sheet_failed(driver->app, err->message);
    return ES_OK;
}

static bool read_sheet(es_driver *driver) {
    es_sheet *sheet = NULL;
    es_error err = {0};
    if (!es_worker_step(&driver->sheets, &sheet, &err))
        return false;
    if (sheet)
        es_app_sheet_known(driver->app, sheet);
    else
        es_app_sheet_failed(driver->app, err.message);
    return true;
}

/* ---- estimating beside the session ---- */

/* Starts an estimation beside the session: other data sets, or a sweep. */
static es_status begin_beside(es_driver *driver, const es_effect *effect, es_error *err) {
    const es_explorer_commands *how = driver->options->commands;
    es_words words = {0};
    es_status st = ES_OK;
    ES_FAIL_IF(how == NULL, es_fail(err, ES_EUNSUPPORTED, "nothing can be estimated here"));
    ES_TRY(how->begin(how->context, "estimate", effect->flag, &words, err));
    if (!effect->flag)
        ES_TRY(es_sweep_words(driver->app, &words, err));
    ES_TRY(es_worker_ask(&driver->beside, &words, err));
    driver->beside_look = es_clock_now() + BESIDE;
done:
    es_words_deinit(&words);
    if (st != ES_OK)
        es_app_beside_over(driver->app, ES_EIO, err->message);
    return ES_OK;
}

static es_status stop_beside(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)effect;
    (void)err;
    es_worker_stop(&driver->beside);
    return ES_OK;
}

static bool read_beside(es_driver *driver) {
    es_sheet *none = NULL;
    es_error err = {0};
    if (!es_worker_step(&driver->beside, &none, &err))
        return false;
    driver->beside_look = (double)INFINITY;
    if (driver->options->next != NULL && driver->app->beside.of_sets)
        driver->options->next->settled = true;
    es_app_beside_over(driver->app, err.code, err.message);
    return true;
}

/* Shows how far the estimation beside the session is. */
static void look_beside(es_driver *driver, double now) {
    es_run_view room;
    if (driver->beside_look > now)
        return;
    es_app_beside_says(driver->app, es_worker_says(&driver->beside, &room));
    driver->beside_look = now + BESIDE;
}

void es_driver_put_fds(const es_driver *driver, struct pollfd fds[ES_DRIVER_WORKERS]) {
    const int fd[ES_DRIVER_WORKERS] = {driver->writer.fd, driver->sheets.fd, driver->beside.fd};
    for (int i = 0; i < ES_DRIVER_WORKERS; i++)
        fds[i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
}

bool es_driver_read(es_driver *driver) {
    bool written = read_export(driver), sheet = read_sheet(driver), beside = read_beside(driver);
    return written || sheet || beside;
}

static void carry_out_all(es_driver *driver, es_effects *effects);

static es_status source(es_driver *driver, const es_effect *effect, es_error *err) {
    es_effects more = {0};
    es_status st = es_user_source(driver, effect->text, &more, err);
    carry_out_all(driver, &more);
    return st;
}

static es_carry_out *const deeds[] = {
    [ES_FX_START] = start_run,
    [ES_FX_PAUSE] = pause_run,
    [ES_FX_CANCEL] = cancel_run,
    [ES_FX_RETRY] = retry_failed,
    [ES_FX_PRIORITISE] = prioritise,
    [ES_FX_INTERVALS] = es_driver_intervals,
    [ES_FX_WIDTH] = es_driver_width,
    [ES_FX_CORRELATE] = es_driver_correlate,
    [ES_FX_FAMILIES] = es_driver_structure,
    [ES_FX_DENDROGRAM] = es_driver_structure,
    [ES_FX_PLACES] = es_driver_structure,
    [ES_FX_THREADS] = take_threads,
    [ES_FX_MEASURE] = measure,
    [ES_FX_DERIVE] = es_driver_derive,
    [ES_FX_REMOVE] = es_driver_remove,
    [ES_FX_EDITS] = es_driver_edits,
    [ES_FX_STORED] = look_for_baseline,
    [ES_FX_REDRAW] = change_terminal,
    [ES_FX_SUSPEND] = suspend,
    [ES_FX_THEME] = es_driver_change_theme,
    [ES_FX_COPY] = copy_to_clipboard,
    [ES_FX_MOUSE] = change_terminal,
    [ES_FX_ASCII] = use_ascii,
    [ES_FX_SYNC] = change_terminal,
    [ES_FX_SAVE] = es_user_save_line,
    [ES_FX_SAVE_SESSION] = es_saved_save_now,
    [ES_FX_SOURCE] = source,
    [ES_FX_OPEN] = es_driver_take_pool,
    [ES_FX_SHEET] = ask_sheet,
    [ES_FX_BESIDE] = begin_beside,
    [ES_FX_BESIDE_STOP] = stop_beside,
    [ES_FX_OPEN_SET] = es_driver_take_set,
    [ES_FX_FOLDERS] = es_driver_take_folders,
    [ES_FX_PLAN] = es_driver_take_plan,
    [ES_FX_SCORES] = es_driver_take_scores,
    [ES_FX_FAMILY] = es_driver_name_family,
    [ES_FX_DUEL_ASK] = es_driver_duel_ask,
    [ES_FX_DUEL_SAY] = es_driver_duel_say,
    [ES_FX_DUEL_COUNT] = es_driver_duel_count,
    [ES_FX_SHOW_ROW] = es_driver_show_row,
    [ES_FX_PATHS] = es_about_paths,
    [ES_FX_DOCTOR] = es_about_doctor,
    [ES_FX_DUMP] = dump_screen,
    [ES_FX_EXPORT] = export_view,
    [ES_FX_QUIT] = quit,
};

static void carry_out(es_driver *driver, const es_effect *effect) {
    es_error err = {0};
    es_status st = deeds[effect->kind](driver, effect, &err);
    if (st != ES_OK)
        es_driver_say(driver, st, err.message);
}

static void carry_out_all(es_driver *driver, es_effects *effects) {
    for (size_t i = 0; i < effects->count; i++)
        carry_out(driver, &effects->items[i]);
    es_effects_clear(effects);
}

/* Of a file that lasts: the command line's theme goes before its own. */
static void carry_out_lasting(es_driver *driver, es_effects *effects) {
    for (size_t i = 0; i < effects->count; i++)
        if (effects->items[i].kind != ES_FX_THEME || !driver->options->theme_asked)
            carry_out(driver, &effects->items[i]);
    es_effects_clear(effects);
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
    if (driver->options->scripted)
        es_driver_say(driver, ES_EIO, why);
    else
        es_app_note(driver->app, only ? "Results cannot be written" : "It cannot be opened", text);
}

/* Gives the app the names of the data sets. */
static void tell_sets(es_driver *driver) {
    const es_explorer *o = driver->options;
    if (o->sets == NULL)
        return;
    es_app_sets(driver->app, o->sets, o->n_sets, o->set);
    if (o->estimate_sets && !(o->next != NULL && o->next->settled))
        es_app_sets_start(driver->app);
}

es_status es_driver_open(es_driver *driver, es_session *session, const es_explorer *options,
                         es_error *err) {
    es_status st = ES_OK;
    es_effects effects = {0};
    *driver = (es_driver){.session = session,
                          .options = options,
                          .ascii = options->ascii,
                          .save_at = (double)INFINITY,
                          .save_latest = (double)INFINITY,
                          .theme_look = (double)INFINITY,
                          .sets_look = (double)INFINITY,
                          .beside_look = (double)INFINITY,
                          .theme_chosen = options->theme != NULL};
    es_worker_init(&driver->writer, options->commands, false);
    es_worker_init(&driver->beside, options->commands, false);
    es_worker_init(&driver->sheets, options->commands, true);
    ES_TRY(es_driver_first_theme(driver, err));
    ES_FAIL_IF(!(driver->source = es_source_of_session(session)) ||
                   !(driver->app = es_app_new(driver->source, options->log)),
               es_no_memory(err));
    es_driver_list_themes(driver);
    if (options->exports != NULL)
        es_app_exporter(driver->app, options->exports);
    if (options->estimate != NULL)
        es_app_planning(driver->app,
                        &(es_planning){options->plan, options->estimate, options->check_plan});
    tell_sets(driver);
    es_driver_send(driver, (es_msg){.kind = ES_MSG_CLOCK}); /* a frame is to come soon */
    st = es_user_configure(driver, &effects, err);
    carry_out_lasting(driver, &effects);
    if (st != ES_OK)
        goto done;
    es_saved_open(driver, &effects);
    carry_out_lasting(driver, &effects);
    es_recent_note(driver);
    bool turned = options->next != NULL && options->next->turned;
    if (options->sets_first && !turned)
        es_app_show_sets(driver->app);
    if (driver->source->table)
        es_board_go(driver->app, ES_VIEW_OVERVIEW);
    if (!options->scripted && !options->plain)
        es_app_ask_folders(driver->app);
    if (options->with_derived && !turned)
        driver->app->set.with_derived = true;
    if (driver->theme_missing.code != ES_OK)
        es_driver_say_then(driver, &driver->theme_missing, "the default one is shown");
    if (options->next != NULL && options->next->said[0] != '\0')
        es_driver_say(driver, ES_OK, options->next->said);
    if (options->next != NULL)
        options->next->said[0] = '\0';
    if (options->remark && !turned)
        es_driver_say(driver, ES_OK, options->remark);
    if (options->notice && !turned)
        notice(driver, options->notice);
    if (!driver->quit)
        es_driver_watch_folder(driver);
    if (!driver->quit)
        es_driver_grow_begin(driver);
done:
    if (st != ES_OK)
        es_driver_close(driver);
    return st;
}

void es_driver_keep(es_driver *driver) {
    if (driver->app == NULL || driver->kept)
        return;
    driver->kept = true;
    if (driver->options->next != NULL && driver->options->next->again)
        es_saved_hand_over(driver);
    es_saved_save(driver);
}

void es_driver_close(es_driver *driver) {
    es_driver_duel_close(driver);
    es_driver_folder_close(driver);
    es_driver_growth_close(driver);
    es_worker_close(&driver->writer, WRITER_SECONDS);
    es_worker_close(&driver->sheets, 0);
    es_worker_close(&driver->beside, 0); /* what is finished is stored */
    es_driver_keep(driver);
    es_saved_close(driver);
    es_words_deinit(&driver->stored);
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
    driver->app->mouse = driver->options->mouse;
    es_driver_show_theme(driver);
    return es_driver_resize(driver, w, h, err);
}

/* ---- another session in the place of the one that is shown ---- */

static bool takes_part(const es_pool *pool, size_t i) {
    return i != SIZE_MAX && es_model_state_of(es_pool_model(pool, i)) != ES_MODEL_EXCLUDED;
}

/* The first that is another than before; NULL: none is, so that it is what is said of them, in
 * scores.csv or labels.csv. */
static const char *changed(const es_pool *before, const es_pool *now) {
    for (size_t i = 0; i < es_pool_count(now); i++) {
        const es_model *model = es_pool_model(now, i);
        size_t at = es_pool_find(before, es_model_name(model));
        if (at != SIZE_MAX && !es_digest_equal(es_pool_model(before, at)->digest, model->digest))
            return es_model_name(model);
    }
    return NULL;
}

/* What has come and gone, for a notice. pool.json may go on to list who has no file any more. */
static void compare_pools(const es_driver *driver, char *out, size_t capacity) {
    const es_pool *before = es_session_pool(driver->session),
                  *now = es_session_pool(driver->coming);
    const char *first = NULL, *gone = NULL;
    size_t more = 0, fewer = 0;
    for (size_t i = 0; i < es_pool_count(now); i++)
        if (es_pool_find(before, es_model_name(es_pool_model(now, i))) == SIZE_MAX) {
            first = more++ == 0 ? es_model_name(es_pool_model(now, i)) : first;
        }
    for (size_t i = 0; i < es_pool_count(before); i++) {
        const char *name = es_model_name(es_pool_model(before, i));
        if (takes_part(before, i) && !takes_part(now, es_pool_find(now, name)))
            gone = fewer++ == 0 ? name : gone;
    }
    if (more == 1)
        (void)snprintf(out, capacity, "%.120s has come", first);
    else if (more > 1)
        (void)snprintf(out, capacity, "%.100s and %zu more have come", first, more - 1);
    else if (fewer > 0)
        out[0] = '\0';
    else if (changed(before, now) != NULL)
        (void)snprintf(out, capacity, "The file of %.120s has changed", changed(before, now));
    else
        (void)snprintf(out, capacity, "Scores, labels or other files about the pool have changed");
    if (fewer == 1)
        es_phrase_add(out, capacity, "%s%.100s no longer takes part", more > 0 ? "; " : "", gone);
    else if (fewer > 1)
        es_phrase_add(out, capacity, "%s%.100s and %zu more no longer take part",
                      more > 0 ? "; " : "", gone, fewer - 1);
}

/* What is open is handed over as it is between two sessions of the program, and beyond that what
 * only this one has: where lists and panes are scrolled to. */
static void swap_sessions(es_driver *driver) {
    const es_explorer *options = driver->options;
    const es_explorer_turn *turn = options->turn;
    es_session *session = driver->coming;
    bool wanted = es_session_wanted(driver->session),
         paused = es_session_phase(driver->session) == ES_PHASE_PAUSED;
    es_driver next = {0};
    es_error why = {0};
    char text[300];
    if (driver->session_path != NULL)
        es_saved_save(driver);
    else
        es_saved_hand_over(driver);
    bool grows = driver->growth.coming;
    compare_pools(driver, text, sizeof text);
    options->next->turned = true;
    if (es_driver_open(&next, session, options, &why) != ES_OK || next.quit) {
        es_driver_close(&next);
        es_driver_folder_close(driver);
        es_driver_say(driver, ES_ENOMEM, "The folder has changed; open it again to see it");
        return;
    }
    next.term = driver->term;
    next.torn = driver->torn;
    next.ascii = driver->ascii;
    next.touched = driver->touched;
    next.theme_chosen = driver->theme_chosen;
    if (strcmp(next.theme.id, driver->theme.id) != 0 && next.app->theme_saved == false)
        next.theme = driver->theme; /* of a light terminal */
    (void)es_driver_attach(&next, driver->term, driver->grid.w, driver->grid.h, &why);
    next.app->mouse = driver->app->mouse;
    es_app_take_place(next.app, driver->app);
    if (grows)
        es_driver_growth_pass(driver, &next);
    if (wanted)
        (void)es_session_start(session, NULL);
    es_session_pause(session, grows ? next.growth.paused : paused);
    if (!grows)
        es_driver_say(&next, ES_OK, text);
    next.hold = es_clock_now() + HOLD;
    next.news = true; /* what is missing begins by itself */
    driver->coming = NULL;
    driver->kept = true; /* the next one keeps it */
    driver->term = NULL;
    es_driver_close(driver);
    *driver = next;
    turn->took(turn->context, session);
}

static void look_at_folder(es_driver *driver) {
    es_driver_step_growth(driver);
    es_driver_step_folder(driver);
    if (es_driver_folder_ready(driver))
        swap_sessions(driver);
}

bool es_driver_holds(es_driver *driver) {
    if (driver->hold > 0 && (es_app_settled(driver->app) || es_clock_now() >= driver->hold))
        driver->hold = 0;
    return driver->hold > 0;
}

/* ---- messages ---- */

void es_driver_send(es_driver *driver, es_msg msg) {
    es_effects effects = {0};
    msg.now = es_clock_now();
    if (msg.kind == ES_MSG_SESSION)
        driver->news = false;
    es_app_update(driver->app, &msg, &effects);
    if (msg.kind != ES_MSG_SESSION && msg.kind != ES_MSG_TICK && msg.kind != ES_MSG_CLOCK &&
        msg.kind != ES_MSG_RESIZE) {
        if (isinf(driver->save_at))
            driver->save_latest = msg.now + LONGEST;
        driver->save_at = msg.now + QUIET;
    }
    carry_out_all(driver, &effects);
    driver->source->refresh(driver->source);
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

/* The answer is there, or nothing is under way that would give one. */
static bool is_answered(const es_driver *driver) {
    es_phase phase = es_session_phase(driver->session);
    return driver->source->decision.known || phase == ES_PHASE_IDLE || phase == ES_PHASE_DONE;
}

/* Has the files read again that are known by their size and times alone, behind the answer. */
static void look_again(es_driver *driver) {
    es_error why = {0};
    if (driver->options->turn && is_answered(driver) &&
        es_session_look_again(driver->session, &why) != ES_OK)
        es_log_write(driver->options->log, ES_LOG_WARN, "%s", why.message);
    es_driver_full_look(driver);
}

/* The measures of the last session, and what rests on them. */
static void take_measures(es_driver *driver) {
    es_effects effects = {0};
    if (!es_saved_measures(driver))
        return;
    es_driver_send(driver, (es_msg){.kind = ES_MSG_SESSION});
    es_saved_measured(driver, &effects);
    carry_out_lasting(driver, &effects);
}

bool es_driver_pump(es_driver *driver, double budget_ms) {
    double start = es_clock_now();
    size_t taken = es_session_pump(driver->session, budget_ms);
    driver->behind = taken > 0 && budget_ms > 0 && es_clock_now() >= start + budget_ms / 1000;
    if (taken == 0)
        return false;
    es_driver_send(driver, (es_msg){.kind = ES_MSG_SESSION});
    es_driver_look_for_derived(driver);
    es_driver_prepared(driver);
    tell_news(driver);
    take_measures(driver);
    es_driver_load_stored(driver);
    es_driver_take_stored(driver);
    tell_news(driver);
    es_driver_take_grown(driver);
    look_again(driver);
    return true;
}

/* Not while part of the last session still waits: it would be lost. */
static double save_time(const es_driver *driver) {
    return driver->session_path && !driver->pending ? fmin(driver->save_at, driver->save_latest)
                                                    : (double)INFINITY;
}

double es_driver_deadline(const es_driver *driver) {
    double folder = es_driver_folder_deadline(driver);
    double looks = fmin(driver->theme_look, driver->sets_look);
    looks = fmin(looks, fmin(driver->beside_look, es_driver_measures_due(driver)));
    return fmin(fmin(fmin(es_app_deadline(driver->app), save_time(driver)), looks), folder);
}

void es_driver_tick(es_driver *driver) {
    double now = es_clock_now();
    if (es_app_deadline(driver->app) <= now)
        es_driver_send(driver, (es_msg){.kind = ES_MSG_TICK});
    if (save_time(driver) <= now)
        es_saved_save(driver);
    es_driver_watch_theme(driver, now);
    es_driver_watch_sets(driver, now);
    look_beside(driver, now);
    es_driver_watch_measures(driver, now);
    look_at_folder(driver);
    tell_news(driver);
}

void es_driver_draw(es_driver *driver) {
    driver->source->refresh(driver->source); /* what was done since the last message */
    es_driver_follow_colours(driver);
    es_grid_clear(&driver->grid);
    es_screen_draw(driver->app, &driver->grid);
    es_app_drawn(driver->app);
}
