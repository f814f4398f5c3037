/* Why a command cannot run now, in a few words: the footer leaves it out, help greys it, and who
 * types it is told. Column `refusal` of commands.def names these. */
#include "compare_map.h"
#include "compare_state.h"
#include "handlers.h"
#include "corr.h"
#include "facts.h"
#include "history.h"
#include "select.h"
#include "sets.h"
#include "setting_sweep.h"
#include "worst_list.h"

static const char beside_sweep[] = "of the scatter; Esc goes back to it";

static const char *without_scores(const es_app *app) {
    return app->corr->tasks == 0 ? "there are no scores" : NULL;
}

const char *es_refuse_never(const es_app *app) {
    (void)app;
    return NULL;
}

/* ---- The run ---- */

const char *es_refuse_threads(const es_app *app) {
    return app->source->read_only ? "results only, nothing to run" : NULL;
}

const char *es_refuse_start(const es_app *app) {
    const char *refusal = es_refuse_threads(app);
    if (refusal != NULL)
        return refusal;
    if (app->source->problem.code != ES_OK)
        return "this pool cannot be used";
    if (app->unchecked == 0 && app->usable < 2)
        return "two embedders are needed";
    if (es_app_running(app))
        return "already running";
    if (app->phase == ES_PHASE_IDLE && app->source->no_room.code != ES_OK)
        return app->source->no_room.message;
    return app->phase == ES_PHASE_DONE ? "every pair is done" : NULL;
}

const char *es_refuse_idle(const es_app *app) {
    const char *refusal = es_refuse_threads(app);
    return refusal != NULL || es_app_running(app) ? refusal : "nothing is running";
}

const char *es_refuse_cancel(const es_app *app) {
    return app->source->training.on || es_sweep_busy(app) || es_sets_estimating(app)
               ? NULL
               : es_refuse_idle(app);
}

const char *es_refuse_retry(const es_app *app) {
    const char *refusal = es_refuse_threads(app);
    return refusal != NULL || app->progress.failed > 0 ? refusal : "no pair has failed";
}

const char *es_refuse_fewer(const es_app *app) {
    const char *refusal = es_refuse_threads(app);
    bool least = app->source->threads <= 1;
    return refusal != NULL || !least ? refusal : "one thread is the least";
}

const char *es_refuse_open(const es_app *app) {
    return es_app_running(app) ? "a run is on; X cancels it, finished pairs are kept"
                               : es_app_unsaved(app);
}

const char *es_refuse_estimator(const es_app *app) {
    return app->source->plan < 2 ? "the plan has one estimator" : NULL;
}

const char *es_refuse_score(const es_app *app) {
    const es_source *s = app->source;
    if (es_app_of_file(app))
        return NULL; /* its mean or its median */
    if (app->set.published)
        return s->predictive < s->plan ? NULL : "the predictive score is not in the plan";
    if (s->predictive >= s->plan)
        return "the plan has one score";
    return s->best < s->plan && (s->best != s->predictive || s->plan == 1)
               ? NULL
               : "the published score is not known yet";
}

const char *es_refuse_measure(const es_app *app) {
    return es_app_of_file(app) ? "a finished matrix has no rows to measure" : NULL;
}

/* ---- Lists ---- */

const char *es_refuse_mark(const es_app *app) {
    const char *refusal = es_view_shown(app)->no_marks;
    bool plot = app->view == ES_VIEW_CORR && !app->set.corr_sweep;
    if (refusal == NULL && app->view == ES_VIEW_COMPARE)
        return es_refuse_targets(app);
    return refusal != NULL || !plot ? refusal : without_scores(app);
}

const char *es_refuse_unmark(const es_app *app) {
    for (size_t i = 0; i < app->n; i++)
        if (app->marked[i])
            return NULL;
    return "nothing is marked";
}

const char *es_refuse_list(const es_app *app) {
    return es_view_shown(app)->no_list;
}

const char *es_refuse_copy(const es_app *app) {
    return es_view_shown(app)->no_copy;
}

const char *es_refuse_filter(const es_app *app) {
    return es_view_shown(app)->no_filter;
}

const char *es_refuse_show(const es_app *app) {
    return es_select_hidden(app) == 0 ? "nothing is hidden" : NULL;
}

const char *es_refuse_next(const es_app *app) {
    return app->search[0] == '\0' ? "nothing was searched yet" : NULL;
}

/* A step that makes or removes an embedder waits for the end of the run. */
static const char *refuse_step(const es_app *app, const es_snapshot *step) {
    return step->set.edits != app->set.edits && es_app_running(app)
               ? "the next step makes or removes an embedder: not in the middle of a run"
               : NULL;
}

const char *es_refuse_undo(const es_app *app) {
    return app->undo_count == 0 ? "nothing to take back"
                                : refuse_step(app, app->undo[app->undo_count - 1]);
}

const char *es_refuse_redo(const es_app *app) {
    return app->redo_count == 0 ? "nothing to do again"
                                : refuse_step(app, app->redo[app->redo_count - 1]);
}

/* ---- Views ---- */

const char *es_refuse_fold(const es_app *app) {
    return app->set.graph ? "of the tree; g goes back to it" : NULL;
}

const char *es_refuse_colours(const es_app *app) {
    return app->coarse ? "this terminal or theme has too few of them for a map" : NULL;
}

const char *es_refuse_theme(const es_app *app) {
    return app->themes.count == 0 ? "no themes are installed" : NULL;
}

const char *es_refuse_compared(const es_app *app) {
    return app->set.compare.alone > 0    ? "of a comparison; c compares two"
           : app->set.compare.count == 0 ? "nothing is compared yet; c or a choose"
                                         : NULL;
}

/* The lists are behind the map while that is shown, and their cursors with them. */
const char *es_refuse_lists(const es_app *app) {
    const char *refusal = es_refuse_compared(app);
    bool map = refusal == NULL && es_compare_map_shown(app);
    return map ? "of the lists behind the map; gp goes back to them" : refusal;
}

const char *es_refuse_targets(const es_app *app) {
    const char *refusal = es_refuse_lists(app);
    bool rows = refusal == NULL && app->focus[ES_VIEW_COMPARE] == ES_PANE_ROWS;
    return rows ? "of the targets; Esc goes back to them" : refusal;
}

const char *es_refuse_drill(const es_app *app) {
    size_t a, b;
    if (app->set.compare.alone == 0 && app->set.compare.count == 0) {
        es_compare_telling(app, &a, &b);
        return a == ES_NONE ? "nothing is known yet that could be compared" : NULL;
    }
    return es_refuse_lists(app);
}

const char *es_refuse_drop(const es_app *app) {
    return app->set.compare.alone > 0 || app->set.compare.count < 3 ? "two are the least" : NULL;
}

/* ---- Corr ---- */

static const char *of_scatter(const es_app *app) {
    return app->view == ES_VIEW_CORR && app->set.corr_sweep ? beside_sweep : NULL;
}

const char *es_refuse_worst(const es_app *app) {
    const char *refusal = of_scatter(app);
    return refusal != NULL ? refusal : es_worst_refusal(app);
}

const char *es_refuse_plot(const es_app *app) {
    const char *refusal = of_scatter(app);
    return refusal != NULL ? refusal : without_scores(app);
}

const char *es_refuse_zoom(const es_app *app) {
    return app->view == ES_VIEW_CORR ? es_refuse_plot(app) : NULL;
}

const char *es_refuse_runs(const es_app *app) {
    return !es_sweep_seen(app)         ? "no sweep is shown: gw shows it"
           : es_sweep_busy(app)        ? "the sweep is under way"
           : app->set.sweep[0] == '\0' ? "nothing was swept; :sweep KEY=VALUE,VALUE does it"
           : es_sweep_whole(app)       ? "every value of the sweep is known"
                                       : NULL;
}

const char *es_refuse_exclude(const es_app *app) {
    if (app->set.corr_sweep)
        return beside_sweep;
    const char *refusal = without_scores(app);
    return refusal != NULL || app->cursor != ES_NONE ? refusal : "no point is selected";
}

const char *es_refuse_accept(const es_app *app) {
    if (app->set.corr_sweep)
        return beside_sweep;
    return es_corr_proposal(app, 0) == ES_NONE ? "no name is proposed" : NULL;
}

const char *es_refuse_names(const es_app *app) {
    return app->source->scores.tasks == 0        ? "there are no scores"
           : es_corr_proposal(app, 0) == ES_NONE ? "no name is proposed"
                                                 : NULL;
}

const char *es_refuse_scores(const es_app *app) {
    return app->set.corr_sweep ? beside_sweep : es_app_unsaved(app);
}

const char *es_refuse_task_details(const es_app *app) {
    if (!app->set.corr_sweep)
        return without_scores(app);
    return app->sweep != NULL && es_sweep_ranked(app, app->sweep->at, 0) != ES_NONE
               ? NULL
               : "nothing is known of this value yet";
}
