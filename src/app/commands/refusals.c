/* Why a command cannot run now, in a few words: the footer leaves it out, help greys it, and who
 * types it is told. Column `refusal` of commands.def names these. */
#include "app_sheets.h"
#include "app_compare.h"
#include "app_corr.h"
#include "app_state.h"
#include "app_lists.h"

/* One that is a fact and its words. */
#define REFUSE(name, fact, words)                                                                  \
    const char *es_refuse_##name(const es_app *app) {                                              \
        return (fact) ? (words) : NULL;                                                            \
    }

const char *es_refuse_never(const es_app *app) {
    (void)app;
    return NULL;
}

/* ---- The run ---- */

REFUSE(threads, app->source->read_only, "results only, nothing to run")

/* Why r cannot start a run now; NULL: it can. So for each refusal below. */
const char *es_refuse_start(const es_app *app) {
    const char *refusal = es_refuse_threads(app);
    if (refusal != NULL)
        return refusal;
    if (app->source->problem.code != ES_OK)
        return "this pool cannot be used";
    if (app->unchecked == 0 && app->usable < 2)
        return "two embedders are needed";
    if (es_app_running(app) && !app->partial)
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
    return app->source->training != NULL || es_beside_busy(app) ? NULL : es_refuse_idle(app);
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

REFUSE(estimator, app->source->plan < 2, "the plan has one estimator")

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
    return es_app_of_file(app) ? es_app_without_rows(app) : NULL;
}

/* ---- Lists ---- */

const char *es_refuse_mark(const es_app *app) {
    const char *refusal = es_view_shown(app)->no_marks;
    bool plot = app->view == ES_VIEW_CORR;
    if (refusal == NULL && app->view == ES_VIEW_COMPARE)
        return es_refuse_targets(app);
    return refusal != NULL || !plot ? refusal : es_refuse_plot(app);
}

REFUSE(unmark, es_app_marked(app, NULL, 0) == 0, "nothing is marked")

const char *es_refuse_list(const es_app *app) {
    return es_view_shown(app)->no_list;
}

const char *es_refuse_copy(const es_app *app) {
    return es_view_shown(app)->no_copy;
}

const char *es_refuse_filter(const es_app *app) {
    return es_view_shown(app)->no_filter;
}

REFUSE(show, es_select_hidden(app) == 0, "nothing is hidden")

REFUSE(next, app->search[0] == '\0', "nothing was searched yet")

/* A step that makes or removes an embedder waits for the end of the run. */
static const char *refuse_step(const es_app *app, const es_snapshot *step) {
    return step->set.edits != app->set.edits && es_app_running(app)
               ? "the next step makes or removes an embedder: not during a run"
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

REFUSE(fold, app->set.graph, "of the tree; g goes back to it")

REFUSE(colours, app->coarse, "this terminal or theme has too few of them for a map")

REFUSE(theme, app->themes.count == 0, "no themes are installed")

const char *es_refuse_compared(const es_app *app) {
    return app->set.compare.count == 0 ? "no embedders are compared yet; c or a chooses them"
                                       : NULL;
}

const char *es_refuse_targets(const es_app *app) {
    const char *refusal = es_refuse_compared(app);
    bool rows = refusal == NULL && app->focus[ES_VIEW_COMPARE] == ES_PANE_ROWS;
    return rows ? "of the targets; Esc goes back to them" : refusal;
}

const char *es_refuse_drill(const es_app *app) {
    size_t a, b;
    if (app->set.compare.count == 0) {
        es_compare_telling(app, &a, &b);
        return a == ES_NONE ? "no results to compare yet" : NULL;
    }
    return NULL;
}

REFUSE(drop, app->set.compare.count < 3, "two are the least")

/* ---- Corr ---- */

REFUSE(plot, app->corr->tasks == 0, "there are no scores")

const char *es_refuse_zoom(const es_app *app) {
    return app->view == ES_VIEW_CORR ? es_refuse_plot(app) : NULL;
}

const char *es_refuse_exclude(const es_app *app) {
    const char *refusal = es_refuse_plot(app);
    return refusal != NULL || app->cursor != ES_NONE ? refusal : "no point is selected";
}

REFUSE(accept, es_corr_proposal(app, 0) == ES_NONE, "no name is proposed")

const char *es_refuse_names(const es_app *app) {
    return app->source->scores.tasks == 0        ? "there are no scores"
           : es_corr_proposal(app, 0) == ES_NONE ? "no name is proposed"
                                                 : NULL;
}

/* ---- Sheets ---- */

REFUSE(sheet, es_sheets_table(app) == NULL, "no sheet is open: Enter opens one")

REFUSE(plot_of_sheet, es_sheets_drawn(app) == ES_NONE, "this sheet is a table alone")

const char *es_refuse_next_table(const es_app *app) {
    return es_sheets_table(app) == NULL || app->sheets->sheet->tables < 2
               ? "this sheet has one table"
               : NULL;
}

const char *es_refuse_choice(const es_app *app) {
    return es_sheets_table(app) == NULL || app->sheets->sheet->choice.count < 2
               ? "this sheet offers no choice"
               : NULL;
}

const char *es_refuse_map(const es_app *app) {
    return app->n == 0                                           ? "there is no embedder"
           : app->source->path == NULL || app->source->rows == 0 ? es_app_without_rows(app)
                                                                 : NULL;
}

const char *es_refuse_map_pair(const es_app *app) {
    const char *why = es_refuse_map(app);
    return why != NULL ? why : es_refuse_compared(app);
}

REFUSE(sets, app->sets.count <= 1, "only one pool is open: name several, or a folder of pools")

const char *es_refuse_runs(const es_app *app) {
    const es_analysis *shown = es_sheets_shown(app);
    return shown == NULL || shown->of != ES_ANALYSIS_OF_SETTING ? "no sweep is shown: gw shows it"
           : app->set.sweep[0] == '\0' ? "no sweep yet; :sweep KEY=VALUE,VALUE starts one"
           : app->beside.on            ? "an estimation is under way; X stops it"
                                       : NULL;
}
