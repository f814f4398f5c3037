/* Commands of Corr. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agreement.h"
#include "by_task.h"
#include "corr.h"
#include "corr_note.h"
#include "effects.h"
#include "facts.h"
#include "go.h"
#include "handlers.h"
#include "history.h"
#include "setting_sweep.h"
#include "task_runs.h"
#include "text.h"
#include "panel_grid.h"
#include "prompt.h"

void es_command_corr_kind(es_call *call) {
    static const char *const titles[] = {"Spearman's rank correlation", "Kendall's tau-b",
                                         "Pearson's correlation"};
    es_app *app = call->app;
    size_t kind = (app->set.corr_kind + 1u) % 3;
    if (call->argument != NULL) {
        for (kind = 0; kind < 3; kind++)
            if (strncmp(es_corr_kind_names[kind], call->argument, strlen(call->argument)) == 0)
                break;
        if (kind == 3) {
            es_app_notice(app, ES_ENOTFOUND, "kind: spearman, kendall or pearson");
            return;
        }
    }
    es_history_push(app);
    app->set.corr_kind = (uint8_t)kind;
    es_app_notice(app, ES_OK, "%s", titles[kind]);
}

void es_command_exclude(es_call *call) {
    es_app *app = call->app;
    size_t marks = 0, in = 0;
    for (size_t i = 0; i < app->n; i++) {
        marks += app->marked[i];
        in += app->marked[i] && !app->excluded[i];
    }
    es_history_push(app);
    bool out = marks > 0 ? in > 0 : !app->excluded[app->cursor];
    for (size_t i = 0; i < app->n; i++)
        if (marks > 0 ? app->marked[i] : i == app->cursor)
            app->excluded[i] = out;
    char who[160];
    if (marks > 0)
        (void)snprintf(who, sizeof who, "%zu marked", marks);
    else
        (void)snprintf(who, sizeof who, "%.120s", es_app_model(app, app->cursor)->name);
    es_app_notice(app, ES_OK, out ? "Left out: %s; x or u takes it back in" : "Counts again: %s",
                  who);
}

void es_command_labels(es_call *call) {
    static const char *const titles[ES_LABELS_COUNT] = {
        [ES_LABELS_EXTREMES] = "the largest residuals",
        [ES_LABELS_ALL] = "all that fit",
        [ES_LABELS_CURSOR] = "the point under the cursor",
        [ES_LABELS_OFF] = "none"};
    es_app *app = call->app;
    es_history_push(app);
    app->set.corr_labels = (uint8_t)((app->set.corr_labels + 1u) % ES_LABELS_COUNT);
    es_app_notice(app, ES_OK, "Labels: %s", titles[app->set.corr_labels]);
}

void es_command_band(es_call *call) {
    static const char *const titles[ES_BANDS] = {
        [ES_BAND_LINE] = "Band: 95 % of the least squares line",
        [ES_BAND_BOOTSTRAP] = "Band: 95 % of lines through resampled embedders",
        [ES_BAND_OFF] = "No band"};
    es_app *app = call->app;
    es_history_push(app);
    app->set.corr_band = (uint8_t)((app->set.corr_band + 1u) % ES_BANDS);
    es_app_notice(app, ES_OK, "%s", titles[app->set.corr_band]);
}

void es_command_residuals(es_call *call) {
    es_app *app = call->app;
    es_history_push(app);
    app->set.corr_residuals = !app->set.corr_residuals;
    es_app_notice(app, ES_OK,
                  app->set.corr_residuals ? "Residuals: how far each is from the line; i goes back"
                                          : "The task against the score");
}

void es_command_sort_tasks(es_call *call) {
    es_app *app = call->app;
    es_history_push(app);
    app->set.corr_sorted = !app->set.corr_sorted;
    es_app_notice(app, ES_OK,
                  app->set.corr_sorted ? "Tasks by coefficient" : "Tasks as in their file");
}

void es_command_accept(es_call *call) {
    es_app *app = call->app;
    const struct es_corr *c = app->corr;
    size_t item = es_corr_proposal(app, 0), count = 0;
    for (size_t k = 0; call->argument != NULL; k++) {
        item = es_corr_proposal(app, k);
        if (item == ES_NONE || strcmp(es_app_model(app, item)->name, call->argument) == 0 ||
            strcmp(app->source->scores.model[c->partner[item]], call->argument) == 0)
            break;
    }
    if (item == ES_NONE) {
        es_app_notice(app, ES_ENOTFOUND, "accept: no name is proposed for %s", call->argument);
        return;
    }
    es_history_push(app);
    app->accepted[item] = true;
    for (size_t next = item; call->command == ES_COMMAND_ACCEPT_ALL && next != ES_NONE; count++) {
        next = es_corr_proposal(app, 0);
        if (next != ES_NONE)
            app->accepted[next] = true;
    }
    if (count > 1)
        es_app_notice(app, ES_OK, "Took %zu names; u takes them back", count);
    else
        es_app_notice(app, ES_OK, "Took %s as %s; u takes it back",
                      app->source->scores.model[c->partner[item]], es_app_model(app, item)->name);
}

void es_command_names(es_call *call) {
    call->app->mode = ES_MODE_ASK;
    call->app->ask = ES_ASK_NAMES;
}

void es_command_scores(es_call *call) {
    if (call->argument == NULL)
        es_prompt_open_with(call->app, "scores ");
    else
        es_effect_add(call->app, call->effects, ES_FX_SCORES, 0, false, call->argument);
}

/* From the agreement: the measure under the cursor becomes the score; of a table of tasks, its task
 * is selected. */
static void take_axis(es_app *app) {
    size_t axis = es_by_task_cursor_axis(app);
    es_history_push(app);
    app->set.axis = axis;
    if (app->set.corr_by_task)
        app->corr->task = es_by_task_column(app, app->by_task->column);
    app->set.corr_agree = false;
}

/* The panel under the cursor is what cells of the Heatmap show. */
static void show_matrix(es_app *app) {
    size_t k = es_panel_matrix(app, es_panel_at(app));
    es_history_push(app);
    app->set.matrix = k;
    app->set.metric = ES_METRIC_MEASURE;
    es_go(app, ES_VIEW_HEATMAP);
}

/* The ranking at the value under the cursor. */
static void show_value(es_app *app) {
    const struct es_setting_sweep *s = app->sweep;
    char title[ES_SWEEP_LABEL + 40];
    (void)snprintf(title, sizeof title, "The ranking at %s", s->value[s->at].label);
    es_app_show_note(app, title, es_sweep_note(app, s->at));
}

void es_command_task_details(es_call *call) {
    es_app *app = call->app;
    char title[160];
    if (app->set.corr_agree && app->set.corr_matrices) {
        show_matrix(app);
        return;
    }
    if (es_sweep_seen(app)) {
        show_value(app);
        return;
    }
    if (app->set.corr_agree) {
        take_axis(app);
        return;
    }
    (void)snprintf(title, sizeof title, "%.40s vs %.80s", es_corr_axis(app),
                   es_corr_task_name(app, app->corr->task));
    es_app_show_note(app, title, es_corr_note(app));
}

/* Of the scatter, or of the table of tasks, whose column under the cursor it is. */
static void select_task(es_app *app, size_t task) {
    struct es_by_task *table = app->set.corr_agree ? app->by_task : NULL;
    app->corr->task = task;
    for (size_t c = 0; table != NULL && c < table->columns; c++)
        if (es_by_task_column(app, c) == task)
            table->column = c;
}

static void next_task(es_app *app) {
    const struct es_by_task *table = app->set.corr_agree ? app->by_task : NULL;
    const struct es_corr *c = app->corr;
    if (table != NULL && table->columns > 0)
        select_task(app, es_by_task_column(app, (table->column + 1) % table->columns));
    else
        select_task(app, c->order[(es_corr_line(app, c->task) + 1) % c->tasks]);
}

void es_command_task(es_call *call) {
    es_app *app = call->app;
    size_t found = ES_NONE;
    if (call->command == ES_COMMAND_TASK_NEXT) {
        next_task(app);
        return;
    }
    for (size_t t = app->corr->tasks; t-- > 0;) {
        const char *name = es_corr_task_name(app, t);
        if (strcmp(name, call->argument) == 0) {
            found = t;
            break;
        }
        if (strncmp(name, call->argument, strlen(call->argument)) == 0)
            found = t;
    }
    if (found == ES_NONE)
        es_app_notice(app, ES_ENOTFOUND, "task: %s has no column %s", app->source->score_file,
                      call->argument);
    else
        select_task(app, found);
}

void es_command_runs(es_call *call) {
    enum { USUAL = 5, MOST = 100 };
    if (es_sweep_seen(call->app)) {
        (void)es_sweep_begin(call->app, call->app->set.sweep);
        return;
    }
    double runs = call->count > 0 ? (double)call->count : USUAL;
    if (call->argument != NULL &&
        !es_text_parse_double(call->argument, strlen(call->argument), &runs))
        runs = 0;
    if (!(runs >= 2 && runs <= MOST) || runs != floor(runs)) {
        es_app_notice(call->app, ES_EINVAL, "runs: 2 to %d seeds", (int)MOST);
        return;
    }
    es_task_runs_ask(call->app, (size_t)runs, call->effects);
    es_app_notice(call->app, ES_OK, "Measuring by %.0f seeds; it goes on in the background", runs);
}

/* One face of Corr in the place of another; or the scatter again. */
static void show_face(es_app *app, es_command face, bool shown) {
    bool tasks = face == ES_COMMAND_BY_TASK || face == ES_COMMAND_PANELS;
    es_go(app, ES_VIEW_CORR);
    es_history_push(app);
    app->set.corr_agree = shown;
    app->set.corr_rivals = shown && face == ES_COMMAND_RIVALS;
    app->set.corr_by_task = shown && tasks;
    app->set.corr_panels = shown && face == ES_COMMAND_PANELS;
    app->set.corr_matrices = shown && face == ES_COMMAND_MATRICES;
    app->set.corr_kinds = shown && face == ES_COMMAND_CATEGORIES;
    app->set.corr_bump = shown && face == ES_COMMAND_BUMP;
    app->set.corr_sweep = shown && face == ES_COMMAND_SWEEP;
}

static bool is_shown(const es_app *app, es_command face) {
    bool tasks = face == ES_COMMAND_BY_TASK || face == ES_COMMAND_PANELS;
    return app->view == ES_VIEW_CORR && app->set.corr_agree &&
           app->set.corr_rivals == (face == ES_COMMAND_RIVALS) && app->set.corr_by_task == tasks &&
           app->set.corr_panels == (face == ES_COMMAND_PANELS) &&
           app->set.corr_matrices == (face == ES_COMMAND_MATRICES) &&
           app->set.corr_kinds == (face == ES_COMMAND_CATEGORIES) &&
           app->set.corr_bump == (face == ES_COMMAND_BUMP) &&
           app->set.corr_sweep == (face == ES_COMMAND_SWEEP);
}

void es_command_agree(es_call *call) {
    es_app *app = call->app;
    if (app->results == NULL)
        es_app_notice(app, ES_OK, "Nothing is known yet: r starts the estimation");
    else
        show_face(app, call->command, !is_shown(app, call->command));
}

void es_command_sweep(es_call *call) {
    es_app *app = call->app;
    bool shown = is_shown(app, ES_COMMAND_SWEEP);
    if (call->argument != NULL && !es_sweep_begin(app, call->argument))
        return;
    if (call->argument == NULL || !shown)
        show_face(app, ES_COMMAND_SWEEP, call->argument != NULL || !shown);
    if (call->argument != NULL)
        es_app_notice(app, ES_OK, "Estimating at every value in the background; X stops");
}
