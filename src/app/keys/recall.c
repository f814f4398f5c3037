/* Lines typed before, as a text that lasts, and lines that a file holds. */
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "app_dialogs.h"
#include "app_keys.h"

/* A line of the text: the sign of its prompt, then what was typed. */
static const char signs[ES_PROMPT_COUNT] = {
    [ES_PROMPT_COMMAND] = ':', [ES_PROMPT_SEARCH] = '/', [ES_PROMPT_FILTER] = 'f'};

static void read_lines(es_history history[ES_PROMPT_COUNT], const char *text, size_t length) {
    char line[ES_APP_LINE];
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - text) - at;
        for (int kind = 0; kind < ES_PROMPT_COUNT && size > 1; kind++)
            if (text[at] == signs[kind]) {
                (void)es_text_clean_into(line, sizeof line, text + at + 1, size - 1);
                es_prompt_remember(&history[kind], line);
            }
        at += size + 1;
    }
}

static void free_lines(es_history history[ES_PROMPT_COUNT]) {
    for (int kind = 0; kind < ES_PROMPT_COUNT; kind++)
        for (size_t i = 0; i < history[kind].count; i++)
            es_free(history[kind].line[i]);
}

void es_app_recall(es_app *app, const char *text, size_t length) {
    read_lines(app->prompt.history, text, length);
    es_app_history_saved(app);
}

void es_app_history_saved(es_app *app) {
    for (int kind = 0; kind < ES_PROMPT_COUNT; kind++)
        app->prompt.history[kind].fresh = 0;
}

/* What two explorers typed at the same time is kept of both. */
char *es_app_history(const es_app *app, const char *before, size_t length) {
    es_history all[ES_PROMPT_COUNT] = {0};
    es_buf out = {0};
    es_buf_puts(&out, "");
    if (before != NULL)
        read_lines(all, before, length);
    for (int kind = 0; kind < ES_PROMPT_COUNT; kind++) {
        const es_history *own = &app->prompt.history[kind];
        size_t fresh = own->fresh < own->count ? own->fresh : own->count;
        for (size_t i = own->count - fresh; i < own->count; i++)
            es_prompt_remember(&all[kind], own->line[i]);
        for (size_t i = 0; i < all[kind].count; i++)
            es_buf_printf(&out, "%c%s\n", signs[kind], all[kind].line[i]);
    }
    free_lines(all);
    return es_buf_take(&out);
}

void es_app_source(es_app *app, const char *label, const char *text, size_t length,
                   es_effects *effects) {
    char line[ES_APP_LINE], why[sizeof app->toast];
    size_t number = 1;
    app->prompt.sourcing = true;
    for (size_t at = 0; at < length; number++) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - text) - at;
        (void)es_text_clean_into(line, sizeof line, text + at, size);
        const char *command = line + strspn(line, " ");
        uint64_t said = app->toasts;
        at += size + 1;
        if (command[0] == '#')
            continue;
        es_prompt_run(app, command, effects);
        if (app->toasts == said || app->toast_status == ES_OK)
            continue;
        (void)snprintf(why, sizeof why, "%.400s", app->toast);
        es_app_notice(app, app->toast_status, "%s:%zu: %s", label, number, why);
        break;
    }
    app->prompt.sourcing = false;
}
