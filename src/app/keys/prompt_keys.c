/* Keys of the line at the bottom: completion, lines typed before, and what searching and filtering
 * show while they are typed. */
#include "app_keys.h"

#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_dialogs.h"
#include "app_lists.h"
#include "app_state.h"

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

/* A command line: the command by its name or an unambiguous beginning of it, and its argument. */

/* No command, or too many that begin like this: say which, or what is near. */
static void refuse_name(es_app *app, const char *text, size_t length) {
    char name[64], list[256] = "";
    (void)snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
    es_suggestion near = {.word = name};
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        es_suggestion_offer(&near, es_commands[c].name);
        if (strncmp(es_commands[c].name, name, strlen(name)) != 0)
            continue;
        es_phrase_add(list, sizeof list, "%s%s", list[0] == '\0' ? "" : ", ", es_commands[c].name);
    }
    if (list[0] != '\0')
        es_app_notice(app, ES_ENOTFOUND, "%s could be %s", name, list);
    else if (near.best != NULL)
        es_app_notice(app, ES_ENOTFOUND, "%s: no such command; did you mean %s?", name, near.best);
    else
        es_app_notice(app, ES_ENOTFOUND, "%s: no such command; Tab completes", name);
}

void es_prompt_run(es_app *app, const char *line, es_effects *effects) {
    char clean[ES_APP_LINE];
    (void)es_text_clean_into(clean, sizeof clean, line, strlen(line));
    const char *text = clean + strspn(clean, " :");
    size_t length = strcspn(text, " ");
    if (length == 0)
        return;
    if (strcmp(text, "q!") == 0) {
        es_command_call(app, ES_COMMAND_QUIT_NOW, 0, NULL, effects);
        return;
    }
    es_command command = es_command_of_name(text, length);
    if (command == ES_COMMAND_COUNT) {
        refuse_name(app, text, length);
        return;
    }
    const char *argument = text + length + strspn(text + length, " ");
    const char *takes = es_commands[command].argument;
    bool given = argument[0] != '\0';
    if (given && takes == NULL)
        es_app_notice(app, ES_EINVAL, "%s takes no argument", es_commands[command].name);
    else if (!given && takes != NULL && takes[0] != '[')
        es_app_notice(app, ES_EINVAL, "%s: give a %s", es_commands[command].name, takes);
    else if (!es_command_in_view(command, app->view))
        es_command_say_where(app, command);
    else
        es_command_call(app, command, 0, given ? argument : NULL, effects);
}

/* Lines typed before, as a text that lasts, and lines that a file holds. */

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
