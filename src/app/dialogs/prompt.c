/* The line at the bottom: editing, history, completion, and what it does while it is typed. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "alloc.h"
#include "app_state.h"
#include "corr.h"
#include "measure_names.h"
#include "paths.h"
#include "suggest.h"
#include "text.h"
#include "theme.h"

enum { FILES_MOST = 100 }; /* among which Tab goes round */

/* ---- A line ---- */

void es_line_set(es_line *line, const char *text) {
    line->length = es_text_clean_into(line->text, sizeof line->text, text, strlen(text));
    line->cursor = line->length;
}

static size_t step_back(const es_line *line, size_t at) {
    do
        at -= at > 0;
    while (at > 0 && ((unsigned char)line->text[at] & 0xc0) == 0x80);
    return at;
}

static size_t step_on(const es_line *line, size_t at) {
    do
        at += at < line->length;
    while (at < line->length && ((unsigned char)line->text[at] & 0xc0) == 0x80);
    return at;
}

static void cut(es_line *line, size_t from, size_t to) {
    memmove(line->text + from, line->text + to, line->length - to + 1);
    line->length -= to - from;
    line->cursor = from;
}

static void insert(es_line *line, const char *bytes, size_t count) {
    if (line->length + count + 1 > sizeof line->text)
        return;
    memmove(line->text + line->cursor + count, line->text + line->cursor,
            line->length - line->cursor + 1);
    memcpy(line->text + line->cursor, bytes, count);
    line->length += count;
    line->cursor += count;
}

bool es_line_key(es_line *line, uint32_t key) {
    char bytes[4];
    size_t word = line->cursor;
    switch (key) {
    case ES_KEY_LEFT:
        line->cursor = step_back(line, line->cursor);
        return true;
    case ES_KEY_RIGHT:
        line->cursor = step_on(line, line->cursor);
        return true;
    case ES_KEY_HOME:
    case 'a' - ES_KEY_CTRL:
        line->cursor = 0;
        return true;
    case ES_KEY_END:
    case 'e' - ES_KEY_CTRL:
        line->cursor = line->length;
        return true;
    case ES_KEY_BACKSPACE:
        cut(line, step_back(line, line->cursor), line->cursor);
        return true;
    case ES_KEY_DELETE:
        cut(line, line->cursor, step_on(line, line->cursor));
        return true;
    case 'u' - ES_KEY_CTRL:
        cut(line, 0, line->cursor);
        return true;
    case 'k' - ES_KEY_CTRL:
        cut(line, line->cursor, line->length);
        return true;
    case 'w' - ES_KEY_CTRL:
        while (word > 0 && line->text[word - 1] == ' ')
            word--;
        while (word > 0 && line->text[word - 1] != ' ')
            word--;
        cut(line, word, line->cursor);
        return true;
    default:
        if (key < ' ' || key >= ES_KEY_UP || es_text_is_unsafe(key))
            return false;
        insert(line, bytes, es_utf8_encode(key, bytes));
        return true;
    }
}

/* ---- Completion ---- */

/* Number `index` of the things that may stand at the place being completed. */
static const char *argument_candidate(const es_app *app, es_command command, size_t index) {
    es_table_id table = es_table_of_view(app->view);
    switch (command) {
    case ES_COMMAND_COLOURS:
        return es_colormap_names[index < ES_COLORMAPS ? index : ES_COLORMAPS];
    case ES_COMMAND_ORDER:
        return index < ES_ORDER_COUNT ? es_order_title((es_order)index) : NULL;
    case ES_COMMAND_METRIC:
        return es_setting_value(app, "metric", index);
    case ES_COMMAND_AXIS:
        if (index == 0)
            return "is";
        return index <= es_app_measures(app, false) ? es_measure_title(app, false, index - 1)
                                                    : NULL;
    case ES_COMMAND_MEASURE:
        return es_measure_name_at(index);
    case ES_COMMAND_DERIVE:
        return es_derive_way(index);
    case ES_COMMAND_THEME:
        return index < app->theme_count ? app->themes[index] : NULL;
    case ES_COMMAND_ESTIMATOR:
        if (index < app->source->plan(app->source->context))
            return app->source->title(app->source->context, index);
        return index == app->source->plan(app->source->context) ? "auto" : NULL;
    case ES_COMMAND_SORT:
    case ES_COMMAND_HIDE_COLUMN:
        return table != ES_TABLE_COUNT && index < es_columns_count(app, table)
                   ? es_columns_at(app, table, index).title
                   : NULL;
    case ES_COMMAND_TASK:
        return index < app->corr->tasks ? es_corr_task_name(app, index) : NULL;
    case ES_COMMAND_KIND: {
        static const char *const kinds[] = {"spearman", "kendall", "pearson"};
        return index < 3 ? kinds[index] : NULL;
    }
    case ES_COMMAND_MOUSE:
        return index < 2 ? (index == 0 ? "on" : "off") : NULL;
    case ES_COMMAND_HELP:
        return es_topic_name(index);
    case ES_COMMAND_EXPORT:
        return index < ES_EXPORT_VIEWS ? es_export_view_name((es_export_view)index) : NULL;
    case ES_COMMAND_DUMP:
    case ES_COMMAND_SCREENSHOT:
    case ES_COMMAND_THREADS:
    case ES_COMMAND_RESOLUTION:
        return NULL;
    case ES_COMMAND_SET:
        return es_setting_name(index);
    default:
        return index < app->n ? es_app_model(app, index)->name : NULL;
    }
}

/* Words of a command with several: "set NAME VALUE", "map VIEW KEY COMMAND". */
static const char *word_candidate(const es_app *app, es_command command, const char *line,
                                  size_t keep, size_t index) {
    static const char *const views[] = {"*",    "pool", "heatmap", "tree",
                                        "rank", "corr", "compare", "jobs"};
    char name[64];
    size_t words = 0;
    for (size_t i = 1; i < keep; i++)
        words += line[i] == ' ' && line[i - 1] != ' ';
    const char *second = line + strcspn(line, " ");
    second += strspn(second, " ");
    if (command == ES_COMMAND_SET && words == 2) {
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(second, " "), second);
        return es_setting_value(app, name, index);
    }
    if (command == ES_COMMAND_SET && words > 2)
        return index == 0 ? "--save" : NULL;
    if (command == ES_COMMAND_START)
        return es_planner_word(second, strcspn(second, " "), words, index);
    if (command != ES_COMMAND_MAP && command != ES_COMMAND_UNMAP)
        return argument_candidate(app, command, index);
    if (words == 1)
        return index < sizeof views / sizeof *views ? views[index] : NULL;
    if (words == 3 && command == ES_COMMAND_MAP)
        return index < ES_COMMAND_COUNT ? es_commands[index].name : NULL;
    return words > 2 && index == 0 ? "--save" : NULL;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in a folder that begin like `base`, in order: their number. No hidden ones unless asked
 * for, none with control characters or blanks, which can be typed. */
static size_t names_in(const char *folder, const char *base, char *found[FILES_MOST]) {
    char clean[ES_APP_LINE];
    size_t count = 0, length = strlen(base);
    DIR *entries = opendir(folder);
    for (struct dirent *e;
         entries != NULL && count < FILES_MOST && (e = readdir(entries)) != NULL;) {
        const char *name = e->d_name;
        size_t size = strlen(name);
        if (strncmp(name, base, length) != 0 || (name[0] == '.' && length == 0) ||
            strchr(name, ' ') != NULL ||
            es_text_clean_into(clean, sizeof clean, name, size) != size || strcmp(clean, name) != 0)
            continue;
        if ((found[count] = es_strdup(name)) == NULL)
            break;
        count++;
    }
    if (entries != NULL)
        closedir(entries);
    if (count > 0)
        qsort(found, count, sizeof *found, by_name);
    return count;
}

/* A file or folder that begins like `typed`: number `index` of them. */
static bool file_candidate(const char *typed, size_t index, bool folders, char *out,
                           size_t capacity) {
    const char *slash = strrchr(typed, '/'), *base = slash ? slash + 1 : typed;
    int before = (int)(base - typed);
    char *found[FILES_MOST], folder[ES_APP_LINE];
    (void)snprintf(folder, sizeof folder, "%.*s", before ? before : 1, before ? typed : ".");
    char *path = es_path_at_home(folder);
    size_t count = path == NULL ? 0 : names_in(path, base, found);
    bool there = false;
    for (size_t i = 0; i < count && !there; i++) {
        struct stat info;
        char *whole = es_path_join(path, found[i]);
        bool is_folder = whole != NULL && stat(whole, &info) == 0 && S_ISDIR(info.st_mode);
        es_free(whole);
        if ((folders && !is_folder) || index-- > 0)
            continue;
        (void)snprintf(out, capacity, "%.*s%s%s", before, typed, found[i], is_folder ? "/" : "");
        there = true;
    }
    for (size_t i = 0; i < count; i++)
        es_free(found[i]);
    es_free(path);
    return there;
}

/* Pools of late while nothing is typed, then folders. */
static bool pool_candidate(const es_app *app, const char *typed, size_t index, char *out,
                           size_t capacity) {
    if (typed[0] == '\0' && app->recent != NULL)
        return es_app_recent_at(app, index, out, capacity);
    return file_candidate(typed, index, true, out, capacity);
}

bool es_prompt_candidate(const es_app *app, const char *line, size_t index, char *out,
                         size_t capacity) {
    const char *last = strrchr(line, ' ');
    size_t keep = last == NULL ? 0 : (size_t)(last - line) + 1, length = strlen(line + keep);
    bool first = keep == 0 && app->prompt.kind == ES_PROMPT_COMMAND;
    es_command command = ES_COMMAND_GOTO; /* names, in search and filter */
    if (app->prompt.kind == ES_PROMPT_COMMAND && !first)
        command = es_command_of_name(line, strcspn(line, " "));
    if (command == ES_COMMAND_COUNT)
        return false;
    if (command == ES_COMMAND_SCORES || command == ES_COMMAND_SOURCE ||
        command == ES_COMMAND_OPEN) {
        char file[ES_APP_LINE];
        bool there = command == ES_COMMAND_OPEN
                         ? pool_candidate(app, line + keep, index, file, sizeof file)
                         : file_candidate(line + keep, index, false, file, sizeof file);
        if (there)
            (void)snprintf(out, capacity, "%.*s%s", (int)keep, line, file);
        return there;
    }
    for (size_t i = 0;; i++) {
        const char *word = first ? (i < ES_COMMAND_COUNT ? es_commands[i].name : NULL)
                                 : word_candidate(app, command, line, keep, i);
        if (word == NULL)
            return false;
        if (strncmp(word, line + keep, length) != 0 || index-- > 0)
            continue;
        (void)snprintf(out, capacity, "%.*s%s", (int)keep, line, word);
        return true;
    }
}

static void complete(es_app *app, bool back) {
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

static void browse(es_prompt *prompt, bool older) {
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
        if (app->list[ES_LIST_POOL].count == 0)
            (void)snprintf(prompt->error, sizeof prompt->error, "nothing passes");
    }
}

static void cancel(es_app *app) {
    es_prompt *prompt = &app->prompt;
    app->mode = ES_MODE_NORMAL;
    if (prompt->kind == ES_PROMPT_SEARCH) {
        app->search[0] = '\0';
        es_search_go(app, prompt->place);
    } else if (prompt->kind == ES_PROMPT_FILTER) {
        (void)snprintf(app->set.filter, sizeof app->set.filter, "%s", prompt->before);
        es_select_refresh(app, true);
        if (prompt->origin != ES_NONE &&
            es_select_index(app, es_list_of_view(app->view), prompt->origin) != ES_NONE)
            es_select_cursor(app, prompt->origin);
    }
}

static void accept(es_app *app, es_effects *effects) {
    es_prompt *prompt = &app->prompt;
    char line[ES_APP_LINE];
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
        cancel(app);
        return;
    case ES_KEY_ENTER:
        accept(app, effects);
        return;
    case ES_KEY_TAB:
    case ES_KEY_BACKTAB:
        complete(app, key == ES_KEY_BACKTAB);
        break;
    case ES_KEY_UP:
    case ES_KEY_DOWN:
        browse(prompt, key == ES_KEY_UP);
        break;
    case ES_KEY_BACKSPACE:
        if (prompt->line.length == 0) {
            cancel(app);
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
    insert(&app->prompt.line, clean, bytes);
    app->prompt.complete_at = 0;
    typed(app);
}

/* No command, or too many that begin like this: say which, or what is near. */
static void refuse_name(es_app *app, const char *text, size_t length) {
    char name[64], list[256] = "";
    size_t used = 0, count = 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
    es_suggestion near = {.word = name};
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        es_suggestion_offer(&near, es_commands[c].name);
        if (strncmp(es_commands[c].name, name, strlen(name)) != 0)
            continue;
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", count++ == 0 ? "" : ", ",
                             es_commands[c].name);
        used = wrote < 0 || used + (size_t)wrote >= sizeof list ? sizeof list - 1
                                                                : used + (size_t)wrote;
    }
    if (count > 0)
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
        es_command_run(app, ES_COMMAND_QUIT_NOW, 0, NULL, effects);
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
        es_command_run(app, command, 0, given ? argument : NULL, effects);
}
