/* The run, overlays, copying, the screen. */
#include <stdlib.h>
#include <string.h>

#include "app_commands.h"
#include "app_values.h"
#include "app_lists.h"
#include "app_sheets.h"

static void effect(es_call *call, es_effect_kind kind, size_t number, bool flag, const char *text) {
    es_effect_add(call->app, call->effects, kind, number, flag, text);
}

/* Has the pairs of the embedder under the cursor estimated before others, or no longer. */
static void put_row_first(es_call *call) {
    es_app *app = call->app;
    const es_view_ops *view = es_view_shown(app);
    size_t item = app->cursor, target;
    if (view->pair != NULL)
        (void)view->pair(app, &item, &target);
    size_t position = item == ES_NONE ? ES_NONE : app->position[item];
    if (position == ES_NONE) { /* the effect comes with es_urgency_update */
        es_app_notice(app, ES_OK, "This embedder has no pairs to estimate");
        return;
    }
    bool again = app->first == item;
    if (!again && es_jobs_left(app, item) == 0) {
        es_app_notice(app, ES_OK, "%s has no pairs left to estimate",
                      es_app_model(app, item)->name);
        return;
    }
    app->first = again ? ES_NONE : item;
    if (again)
        es_app_notice(app, ES_OK, "Pairs in their natural order");
    else
        es_app_notice(app, ES_OK, "Pairs of %s come first; P again: natural order",
                      es_app_model(app, item)->name);
}

void es_command_estimate(es_call *call) {
    es_app *app = call->app;
    switch (call->command) {
    case ES_COMMAND_START:
        app->partial = false;
        effect(call, ES_FX_START, SIZE_MAX, false, NULL);
        if (app->phase == ES_PHASE_CHECKING)
            es_app_notice(app, ES_OK, "The run starts as soon as the pool is checked");
        break;
    case ES_COMMAND_PAUSE:
        app->may_start = app->may_start && app->phase == ES_PHASE_PAUSED; /* nor later files */
        effect(call, ES_FX_PAUSE, 0, app->phase != ES_PHASE_PAUSED, NULL);
        break;
    case ES_COMMAND_RETRY:
        effect(call, ES_FX_RETRY, 0, false, NULL);
        break;
    default:
        put_row_first(call);
    }
}

void es_command_cancel(es_call *call) {
    es_app *app = call->app;
    bool run = es_app_running(app) || app->source->training != NULL;
    if (es_beside_busy(app) && (!run || es_sheets_shown(app) != NULL)) {
        es_beside_stop(app, call->effects);
        return;
    }
    app->mode = ES_MODE_ASK;
    app->ask = ES_ASK_CANCEL;
}

void es_command_threads(es_call *call) {
    es_app *app = call->app;
    size_t threads = app->source->threads;
    if (call->command == ES_COMMAND_THREADS) {
        char *end = NULL;
        long wanted = call->argument == NULL ? 0 : strtol(call->argument, &end, 10);
        if (wanted < 1 || wanted > ES_THREADS_MOST || *end != '\0') {
            es_app_notice(app, ES_EINVAL, "threads: a number from 1 to %d", (int)ES_THREADS_MOST);
            return;
        }
        threads = (size_t)wanted;
    } else
        threads = call->command == ES_COMMAND_MORE ? threads + 1 : threads - 1;
    effect(call, ES_FX_THREADS, threads, false, NULL);
}

void es_command_explain(es_call *call) {
    es_app *app = call->app;
    if (app->cursor != ES_NONE)
        es_app_show_note(app, es_app_name(app, app->cursor), es_note_model(app, app->cursor));
}

void es_command_why(es_call *call) {
    es_app *app = call->app;
    if (app->cursor != ES_NONE)
        es_app_show_note(app, es_app_name(app, app->cursor), es_note_rank(app, app->cursor, true));
}

void es_command_inspect(es_call *call) {
    es_app *app = call->app;
    bool t = app->set.transposed;
    if (app->cursor != ES_NONE && app->column != ES_NONE)
        es_app_show_note(
            app, "Cell",
            es_note_cell(app, t ? app->column : app->cursor, t ? app->cursor : app->column));
}

void es_command_pick(es_call *call) {
    es_pick_open(call->app, call->command == ES_COMMAND_ORDER_PICK ? ES_PICK_ORDER
                            : call->command == ES_COMMAND_HIDDEN   ? ES_PICK_HIDDEN
                                                                   : ES_PICK_COLUMNS);
}

void es_command_prompt(es_call *call) {
    es_prompt_open(call->app,
                   call->command == ES_COMMAND_SEARCH ? ES_PROMPT_SEARCH : ES_PROMPT_COMMAND);
}

void es_command_help(es_call *call) {
    if (call->argument == NULL || !es_topic_show(call->app, call->argument))
        es_help_open(call->app, call->argument, es_command_refusal);
}

void es_command_copy(es_call *call) {
    es_app *app = call->app;
    char *text = NULL;
    switch (call->command) {
    case ES_COMMAND_COPY_CELL:
        text = es_copy_cell(app);
        break;
    case ES_COMMAND_COPY_NAME:
        text = es_strdup(app->cursor == ES_NONE ? "" : es_app_model(app, app->cursor)->name);
        break;
    case ES_COMMAND_COPY_ROW:
        text = es_copy_table(app, ES_COPY_TSV, true);
        break;
    case ES_COMMAND_COPY_MD:
        text = es_copy_table(app, ES_COPY_MARKDOWN, false);
        break;
    case ES_COMMAND_COPY_LATEX:
        text = es_copy_table(app, ES_COPY_LATEX, false);
        break;
    default:
        text = es_copy_table(app, ES_COPY_JSON, false);
    }
    if (text == NULL)
        es_app_notice(app, ES_ENOMEM, "out of memory: nothing was copied");
    else if (text[0] == '\0')
        es_app_notice(app, ES_OK, "Nothing to copy here");
    else
        effect(call, ES_FX_COPY, 0, false, text);
    es_free(text);
}

void es_command_theme(es_call *call) {
    if (call->argument == NULL)
        es_pick_open(call->app, ES_PICK_THEME);
    else
        effect(call, ES_FX_THEME, 0, false, call->argument);
}

void es_command_estimator(es_call *call) {
    es_app *app = call->app;
    size_t plan = app->source->plan, entry = ES_NONE;
    const char *name = call->argument == NULL ? "" : call->argument;
    for (size_t e = 0; e < plan && name[0] != '\0'; e++)
        if (strncmp(app->source->title[e], name, strlen(name)) == 0)
            entry = e;
    if (entry == ES_NONE && strcmp(name, "auto") != 0) {
        es_app_notice(app, ES_ENOTFOUND, "estimator: auto, or one of the plan, e.g. %s",
                      app->source->title[0]);
        return;
    }
    app->wanted_entry = entry;
    es_app_read(app);
    es_app_notice(app, ES_OK, "Results of %s", es_app_title(app));
}

void es_command_dump(es_call *call) {
    size_t length = call->argument == NULL ? 0 : strlen(call->argument);
    bool picture = length > 4 && strcmp(call->argument + length - 4, ".svg") == 0;
    if (length == 0)
        es_app_notice(call->app, ES_EINVAL, "%s: give a file name",
                      call->command == ES_COMMAND_DUMP ? "dump" : "screenshot");
    else if (call->command == ES_COMMAND_SCREENSHOT && !picture)
        es_app_notice(call->app, ES_EINVAL, "screenshot: the file's name must end in .svg");
    else
        effect(call, ES_FX_DUMP, 0, false, call->argument);
}

void es_command_files(es_call *call) {
    if (call->command == ES_COMMAND_WRITE)
        effect(call, ES_FX_SAVE_SESSION, 0, false, NULL);
    else if (call->app->prompt.sourcing)
        es_app_notice(call->app, ES_EINVAL, "source: not in a file that is sourced itself");
    else
        effect(call, ES_FX_SOURCE, 0, false, call->argument);
}

void es_command_open(es_call *call) {
    if (call->argument == NULL)
        es_prompt_open_with(call->app, "open ");
    else
        effect(call, ES_FX_OPEN, 0, false, call->argument);
}

/* Those that only ask the loop for what has their name. */
void es_command_effect(es_call *call) {
    effect(call,
           call->command == ES_COMMAND_SUSPEND  ? ES_FX_SUSPEND
           : call->command == ES_COMMAND_REDRAW ? ES_FX_REDRAW
           : call->command == ES_COMMAND_PATHS  ? ES_FX_PATHS
                                                : ES_FX_DOCTOR,
           0, false, NULL);
}

void es_command_quit(es_call *call) {
    const es_source *source = call->app->source;
    bool loses = source->store_problem.code != ES_OK;
    if (call->command == ES_COMMAND_QUIT &&
        (loses || es_app_running(call->app) || es_beside_busy(call->app))) {
        call->app->mode = ES_MODE_ASK;
        call->app->ask = ES_ASK_QUIT;
        call->app->quit_code = 0;
    } else
        effect(call, ES_FX_QUIT, 0, false, NULL);
}
