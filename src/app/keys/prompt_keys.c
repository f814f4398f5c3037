/* Keys of the line at the bottom: completion, lines typed before, and what searching and filtering
 * show while they are typed. */
#include "app_keys.h"

#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "app_lists.h"
#include "app_dialogs.h"

/* Shows the next candidate for the typed word; `back`: the previous one. */
static void complete_word(es_app *app, bool back) {
    es_prompt *prompt = &app->prompt;
    char text[ES_APP_LINE];
    size_t count = 0;
    if (prompt->complete_at == 0)
        (void)snprintf(prompt->complete, sizeof prompt->complete, "%s", prompt->line.text);
    while (es_prompt_candidate(app, prompt->complete, count, text, sizeof text))
        count++;
    if (count == 0)
        return;
    prompt->complete_at =
        back ? (prompt->complete_at + count - (prompt->complete_at > 1 ? 2 : 1)) % count + 1
             : prompt->complete_at % count + 1;
    (void)es_prompt_candidate(app, prompt->complete, prompt->complete_at - 1, text, sizeof text);
    es_line_set(&prompt->line, text);
    if (count == 1) /* nothing to choose: the next Tab completes what follows */
        prompt->complete_at = 0;
}

void es_prompt_take(es_app *app, size_t candidate) {
    es_prompt *prompt = &app->prompt;
    char text[ES_APP_LINE];
    const char *typed = prompt->complete_at > 0 ? prompt->complete : prompt->line.text;
    if (!es_prompt_candidate(app, typed, candidate, text, sizeof text))
        return;
    es_line_set(&prompt->line, text);
    prompt->complete_at = 0;
}

/* Shows an older or newer line of the history. */
static void browse_history(es_prompt *prompt, bool older) {
    const es_history *history = &prompt->history[prompt->kind];
    if (older ? prompt->browsing == history->count : prompt->browsing == 0)
        return;
    if (prompt->browsing == 0)
        (void)snprintf(prompt->draft, sizeof prompt->draft, "%s", prompt->line.text);
    prompt->browsing += older ? 1 : SIZE_MAX;
    es_line_set(&prompt->line, prompt->browsing == 0
                                   ? prompt->draft
                                   : history->line[history->count - prompt->browsing]);
}

/* Where the cursor was when the line was opened, where that is shown: what is typed on the way to a
 * filter may hide it for a moment. */
static void go_back(es_app *app) {
    size_t origin = app->prompt.origin;
    if (origin != ES_NONE && app->cursor != origin &&
        es_select_index(app, es_view_table[app->view].list, origin) != ES_NONE)
        es_select_cursor(app, origin);
}

/* Search and filter act while they are typed. */
static void typed(es_app *app) {
    es_prompt *prompt = &app->prompt;
    prompt->error[0] = '\0';
    if (prompt->kind == ES_PROMPT_SEARCH) {
        (void)snprintf(app->search, sizeof app->search, "%s", prompt->line.text);
        size_t found = prompt->line.length == 0 ? prompt->place
                                                : es_search_find(app, prompt->place, false, false);
        if (found == ES_NONE)
            (void)snprintf(prompt->error, sizeof prompt->error, "no match");
        else
            es_search_go(app, found);
    } else if (prompt->kind == ES_PROMPT_FILTER) {
        if (!es_filter_reads(app, prompt->line.text, prompt->error, sizeof prompt->error))
            return;
        (void)snprintf(app->set.filter, sizeof app->set.filter, "%s", prompt->line.text);
        es_select_refresh(app, true);
        go_back(app);
        if (app->list[ES_LIST_POOL].count == 0)
            (void)snprintf(prompt->error, sizeof prompt->error, "nothing passes");
    }
}

/* Closes the prompt and takes back what typing has changed. */
static void cancel_prompt(es_app *app) {
    es_prompt *prompt = &app->prompt;
    app->mode = ES_MODE_NORMAL;
    if (prompt->kind == ES_PROMPT_SEARCH) {
        app->search[0] = '\0';
        es_search_go(app, prompt->place);
    } else if (prompt->kind == ES_PROMPT_FILTER) {
        (void)snprintf(app->set.filter, sizeof app->set.filter, "%s", prompt->before);
        es_select_refresh(app, true);
        go_back(app);
    }
}

/* Closes the prompt and does what its line says. */
static void accept_line(es_app *app, es_effects *effects) {
    es_prompt *prompt = &app->prompt;
    char line[ES_APP_LINE];
    if (prompt->kind == ES_PROMPT_FILTER &&
        !es_filter_reads(app, prompt->line.text, prompt->error, sizeof prompt->error))
        return; /* the line stays open, with what is wrong beside it */
    (void)snprintf(line, sizeof line, "%s", prompt->line.text);
    es_prompt_remember(&prompt->history[prompt->kind], line);
    app->mode = ES_MODE_NORMAL;
    if (prompt->kind == ES_PROMPT_COMMAND)
        es_prompt_run(app, line, effects);
    else if (prompt->kind == ES_PROMPT_FILTER && strcmp(app->set.filter, prompt->before) != 0) {
        /* For undo the change is one step, from the filter before the prompt. */
        char filter[ES_APP_LINE];
        (void)snprintf(filter, sizeof filter, "%s", app->set.filter);
        (void)snprintf(app->set.filter, sizeof app->set.filter, "%s", prompt->before);
        es_history_push(app);
        (void)snprintf(app->set.filter, sizeof app->set.filter, "%s", filter);
    } else if (prompt->kind == ES_PROMPT_SEARCH && prompt->error[0] != '\0')
        es_app_notice(app, ES_ENOTFOUND, "Not found: %s", line);
}

void es_prompt_key(es_app *app, uint32_t key, es_effects *effects) {
    es_prompt *prompt = &app->prompt;
    bool completing = key == ES_KEY_TAB || key == ES_KEY_BACKTAB;
    switch (key) {
    case ES_KEY_ESC:
        cancel_prompt(app);
        return;
    case ES_KEY_ENTER:
        accept_line(app, effects);
        return;
    case ES_KEY_TAB:
    case ES_KEY_BACKTAB:
        complete_word(app, key == ES_KEY_BACKTAB);
        break;
    case ES_KEY_UP:
    case ES_KEY_DOWN:
        browse_history(prompt, key == ES_KEY_UP);
        break;
    case ES_KEY_BACKSPACE:
        if (prompt->line.length == 0) {
            cancel_prompt(app);
            return;
        }
        (void)es_line_key(&prompt->line, key);
        break;
    default:
        if (!es_line_key(&prompt->line, key))
            return;
    }
    if (!completing)
        prompt->complete_at = 0;
    typed(app);
}

void es_prompt_insert(es_app *app, const char *text) {
    char clean[ES_APP_LINE];
    size_t length = strcspn(text, "\r\n"); /* a pasted line break never runs the line */
    size_t bytes = es_text_clean_into(clean, sizeof clean, text, length);
    es_line_insert(&app->prompt.line, clean, bytes);
    app->prompt.complete_at = 0;
    typed(app);
}
