/* Commands of Corr. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_corr.h"
#include "app_state.h"
#include "app_dialogs.h"
#include "app_commands.h"
#include "app_lists.h"

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
    es_app_notice(app, ES_OK, out ? "Left out: %s; x or u includes it again" : "Counts again: %s",
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
        [ES_BAND_LINE] = "Band: 95 % of the least squares line", [ES_BAND_OFF] = "No band"};
    es_app *app = call->app;
    es_history_push(app);
    app->set.corr_band = (uint8_t)((app->set.corr_band + 1u) % ES_BANDS);
    es_app_notice(app, ES_OK, "%s", titles[app->set.corr_band]);
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
        es_app_notice(app, ES_OK, "Accepted %zu names; u undoes it", count);
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

void es_command_task_details(es_call *call) {
    es_command_sheet(call);
}

/* The task's column is the one under the cursor, so s turns it round. */
void es_command_rank_by(es_call *call) {
    es_app *app = call->app;
    size_t task = app->corr->task;
    const char *name = es_corr_task_name(app, task);
    size_t column = name ? es_columns_find(app, ES_TABLE_RANK, name) : ES_NONE;
    if (column == ES_NONE) {
        es_sheet_open(app, "correlation", NULL);
        return;
    }
    es_table_settings *set = &app->set.table[ES_TABLE_RANK];
    es_history_push(app);
    set->sort = set->column = (uint8_t)column;
    set->hidden[column] = false;
    set->descending = !es_corr_is_turned(app, task);
    es_go(app, ES_VIEW_RANK);
    es_select_refresh(app, true);
}

static void next_task(es_app *app) {
    struct es_corr *c = app->corr;
    c->task = c->order[(es_corr_line(app, c->task) + 1) % c->tasks];
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
        app->corr->task = found;
}
