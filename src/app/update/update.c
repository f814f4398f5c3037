/* One message after the other: each changes the state, then everything that follows from it is
 * brought up to date. */
#include "app_update.h"

#include <math.h>

#include "app_commands.h"
#include "app_corr.h"
#include "app_values.h"
#include "app_keys.h"
#include "app_lists.h"
#include "app_sheets.h"
#include "app_tree.h"

/* Ends notices and held orders whose time is over, and updates progress. */
static void on_tick(es_app *app) {
    if (app->toast_until > 0 && app->now >= app->toast_until)
        app->toast_until = 0;
    if (app->order_stale && !app->frozen && app->now >= app->hold_until)
        es_select_refresh(app, false);
    if (app->phase == ES_PHASE_RUNNING)
        app->progress = app->source->progress;
    es_app_fit_measure(app);
    es_jobs_pace(app);
}

enum { INTERRUPTED = 130 }; /* exit code: 128 and SIGINT */

/* True if quitting loses results, since they are in memory only. */
static bool loses(const es_app *app) {
    return app->source->store_problem.code != ES_OK || app->source->store_path == NULL;
}

/* The first one asks while something is under way, and says how to quit else; the second, soon
 * after, quits, unless that would lose what is known: then y must be said. */
static void interrupt(es_app *app, es_effects *effects) {
    bool again = app->now - app->interrupt_at < 3,
         busy = es_app_running(app) || es_beside_busy(app),
         asked = app->mode == ES_MODE_ASK && app->ask == ES_ASK_QUIT && !loses(app),
         idle = app->mode == ES_MODE_NORMAL && !busy && app->source->store_problem.code == ES_OK;
    app->interrupt_at = app->now;
    if (asked || (idle && again)) {
        es_effect_add(app, effects, ES_FX_QUIT, INTERRUPTED, false, NULL);
    } else if (app->mode != ES_MODE_NORMAL) {
        es_keys_press(app, ES_KEY_ESC, effects);
        app->mode = ES_MODE_NORMAL;
    } else if (busy || again) {
        app->mode = ES_MODE_ASK;
        app->ask = ES_ASK_QUIT;
        app->quit_code = INTERRUPTED;
    } else
        es_app_notice(app, ES_OK, "Ctrl-C again to quit; Esc goes back, ? shows help");
}

/* A key or click shows that the notice, and the hint of the first start, have been read. */
static void outdate_notice(es_app *app) {
    app->newcomer = false;
    if (app->toast_until > 0 && app->now >= app->toast_until - ES_APP_TOAST + ES_APP_READ)
        app->toast_until = 0;
}

/* Starts the first passes of the plan that together take under a minute, the ranking before others.
 * Decided once a session, when the missing pairs are known: in an empty folder, when files have
 * come. An open question is answered first. */
static void begin_by_itself(es_app *app, es_effects *effects) {
    char cost[64];
    if (!app->may_start || app->began || app->phase == ES_PHASE_CHECKING ||
        app->mode != ES_MODE_NORMAL || app->usable < 2 ||
        (app->phase == ES_PHASE_IDLE && isnan(es_run_seconds(app)))) /* known in a moment */
        return;
    app->began = true;
    double seconds = 0;
    size_t passes = es_run_passes_within(app, ES_RUN_SMALL, &seconds);
    if (!app->autostart || app->phase != ES_PHASE_IDLE || seconds <= 0 ||
        es_command_refusal(app, ES_COMMAND_START) != NULL)
        return;
    es_seconds_about(seconds, cost, sizeof cost);
    app->partial = passes < app->source->plan || app->source->waits;
    es_effect_add(app, effects, ES_FX_START, passes, false, NULL);
    es_app_notice(app, ES_OK, "Estimating: %s; p pauses", cost);
    app->start_said = app->toasts;
}

/* Names are never joined unasked; that some could be is reported once, when nothing else is. */
static void mention_names(es_app *app) {
    if (app->names_said || app->phase == ES_PHASE_CHECKING || app->mode != ES_MODE_NORMAL ||
        app->toast_until > app->now || app->view == ES_VIEW_CORR) /* which lists them */
        return;
    app->names_said = true;
    size_t count = es_corr_proposals(app);
    if (count > 0)
        es_app_notice(app, ES_OK, "%zu name%s of %s may be%s of embedders here: gn shows %s", count,
                      count == 1 ? "" : "s", app->source->score_file, count == 1 ? " that" : "",
                      count == 1 ? "it" : "them");
}

/* What stands on scores by name, once names were accepted or taken back. */
static void join_names(es_app *app) {
    if (!es_corr_join(app))
        return;
    es_ranked_say(app);
    es_select_refresh(app, false);
}

void es_app_follow(es_app *app, bool idle, es_effects *effects) {
    const es_view_ops *view = es_view_shown(app);
    begin_by_itself(app, effects);
    mention_names(app);
    join_names(app);
    es_ranked_say_end(app);
    es_app_rerank(app); /* u may have taken back which score */
    es_urgency_update(app, effects);
    es_ranking_intervals_ask(app, effects);
    es_beside_follow(app, effects);
    es_sheets_ask(app, effects);
    es_duels_follow(app, effects);
    es_tree_update(app, idle, effects);
    es_corr_update(app, effects);
    if (view->update != NULL)
        view->update(app);
    int lines = app->headline.lines;
    es_headline_update(app);
    if (lines != app->headline.lines)
        es_select_scroll(app);
}

void es_app_update(es_app *app, const es_msg *msg, es_effects *effects) {
    app->now = msg->now;
    app->dirty = true;
    app->source->refresh(app->source);
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
        es_keys_paste(app, msg->text);
        break;
    case ES_MSG_RESIZE:
        app->urgent = true;
        app->w = msg->w;
        app->h = msg->h;
        es_select_scroll(app);
        break;
    case ES_MSG_SESSION:
        es_app_read(app);
        break;
    case ES_MSG_TICK:
        on_tick(app);
        break;
    case ES_MSG_CLOCK:
        break;
    case ES_MSG_COMMAND:
        if (app->mode == ES_MODE_PICK) /* its rows are those of the view that it was opened in */
            es_pick_close(app, effects);
        es_app_settle(app);
        es_prompt_run(app, msg->text, effects);
        break;
    case ES_MSG_SIGNAL:
        app->urgent = true;
        interrupt(app, effects);
        break;
    }
    es_app_follow(app, msg->kind == ES_MSG_TICK, effects);
}
