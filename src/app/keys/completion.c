/* What Tab offers: names of commands, and for each command what may stand behind it. */
#include "app_keys.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app_sheets.h"
#include "app_lists.h"
#include "app_commands.h"
#include "app_corr.h"
#include "app_values.h"

enum { FILES_MOST = 100 }; /* among which Tab goes round */

bool es_app_recent_at(const es_app *app, size_t index, char *out, size_t capacity) {
    const char *line = app->recent == NULL ? "" : app->recent;
    for (; *line != '\0' && index > 0; index--) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (*line == '\0')
        return false;
    (void)es_text_clean_into(out, capacity, line, strcspn(line, "\n"));
    return true;
}

/* Number `index` of the things that may stand at the place being completed. */
/* Measures of embedders, then those of pairs. */
static const char *axis_candidate(const es_app *app, size_t index) {
    size_t own = es_app_measures(app, false);
    return es_axis_title(app, index < own ? index + 1 : ES_AXIS_PAIRS + index - own);
}

static const char *argument_candidate(const es_app *app, es_command command, size_t index) {
    es_table_id table = es_view_table[app->view].table;
    switch (command) {
    case ES_COMMAND_COLOURS:
    case ES_COMMAND_ESTIMATOR:
    case ES_COMMAND_KIND:
    case ES_COMMAND_METRIC:
    case ES_COMMAND_ORDER:
    case ES_COMMAND_THEME:
        return es_setting_value(app, es_commands[command].name, index);
    case ES_COMMAND_AXIS:
        if (index == 0)
            return "is";
        return axis_candidate(app, index - 1);
    case ES_COMMAND_MEASURE:
        if (index == 0)
            return "all";
        return es_measure_at(index - 1) != NULL ? es_measure_at(index - 1)->name : NULL;
    case ES_COMMAND_DERIVE:
        return es_derive_way(index);
    case ES_COMMAND_SORT:
    case ES_COMMAND_HIDE_COLUMN:
        return table != ES_TABLE_COUNT && index < es_columns_count(app, table)
                   ? es_columns_at(app, table, index).title
                   : NULL;
    case ES_COMMAND_TASK:
        return index < app->corr->tasks ? es_corr_task_name(app, index) : NULL;
    case ES_COMMAND_FAMILY:
        return es_family_known(app, index);
    case ES_COMMAND_MOUSE:
        return index < 2 ? (index == 0 ? "on" : "off") : NULL;
    case ES_COMMAND_HELP:
        return es_topic_name(index);
    case ES_COMMAND_EXPORT:
        return index < ES_EXPORT_VIEWS ? es_export_view_name((es_export_view)index) : NULL;
    case ES_COMMAND_SHEET:
        return index < es_analysis_count ? es_analyses[index]->id : NULL;
    case ES_COMMAND_CHOOSE:
        return es_sheets_table(app) && index < app->sheets->sheet->choice.count
                   ? app->sheets->sheet->choice.word[index]
                   : NULL;
    case ES_COMMAND_OPEN_SET:
        return index < app->sets.count ? app->sets.name[index] : NULL;
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
        return index == 0 ? "*" : index <= ES_VIEW_COUNT ? es_view_words[index - 1] : NULL;
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
    const char *base = es_path_base(typed);
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

/* Names of commands: those that are typed most come first, then the table, with "" in their places.
 */
static const char *command_candidate(size_t index) {
    static const es_command common[] = {ES_COMMAND_SHEET,   ES_COMMAND_COMPARE, ES_COMMAND_EXPORT,
                                        ES_COMMAND_MEASURE, ES_COMMAND_OPEN,    ES_COMMAND_FILTER,
                                        ES_COMMAND_SORT,    ES_COMMAND_FAMILY,  ES_COMMAND_START,
                                        ES_COMMAND_DERIVE,  ES_COMMAND_SET,     ES_COMMAND_THEME,
                                        ES_COMMAND_HELP,    ES_COMMAND_QUIT};
    const size_t count = sizeof common / sizeof *common;
    if (index < count)
        return es_commands[common[index]].name;
    index -= count;
    for (size_t i = 0; i < count; i++)
        if (index == (size_t)common[i])
            return "";
    return index < ES_COMMAND_COUNT ? es_commands[index].name : NULL;
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
        const char *word =
            first ? command_candidate(i) : word_candidate(app, command, line, keep, i);
        if (word == NULL)
            return false;
        if (word[0] == '\0' || strncmp(word, line + keep, length) != 0 || index-- > 0)
            continue;
        (void)snprintf(out, capacity, "%.*s%s", (int)keep, line, word);
        return true;
    }
}
