/* The line at the bottom: what it begins with, and the lines typed before. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "app_dialogs.h"

/* ---- History ---- */

void es_prompt_remember(es_history *history, const char *text) {
    if (text[0] == '\0' ||
        (history->count > 0 && strcmp(history->line[history->count - 1], text) == 0))
        return;
    char *copy = es_strdup(text);
    if (copy == NULL)
        return; /* a line less in the history */
    if (history->count == ES_APP_HISTORY) {
        es_free(history->line[0]);
        memmove(history->line, history->line + 1, (ES_APP_HISTORY - 1) * sizeof *history->line);
        history->count--;
    }
    history->line[history->count++] = copy;
    history->fresh += history->fresh < ES_APP_HISTORY;
}

/* ---- The prompt ---- */

void es_prompt_open(es_app *app, es_prompt_kind kind) {
    es_prompt *prompt = &app->prompt;
    app->mode = ES_MODE_PROMPT;
    prompt->kind = kind;
    prompt->browsing = prompt->complete_at = 0;
    prompt->error[0] = '\0';
    prompt->origin = app->cursor;
    prompt->place = es_search_place(app);
    (void)snprintf(prompt->before, sizeof prompt->before, "%s", app->set.filter);
    es_line_set(&prompt->line, kind == ES_PROMPT_FILTER ? app->set.filter : "");
}

void es_prompt_open_with(es_app *app, const char *begin) {
    es_prompt_open(app, ES_PROMPT_COMMAND);
    es_line_set(&app->prompt.line, begin);
}

void es_prompt_free(es_app *app) {
    for (int kind = 0; kind < ES_PROMPT_COUNT; kind++)
        for (size_t i = 0; i < app->prompt.history[kind].count; i++)
            es_free(app->prompt.history[kind].line[i]);
}
