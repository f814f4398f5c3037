/* What completions know of the command line, for the three shells (shell_bash.c, shell_zsh.c,
 * shell_fish.c): what a value of an option can be, and what an argument of a command. */
#include "shells.h"

#include <stdio.h>
#include <string.h>

#include "command_line.h"

#include "estimator.h"
#include "measure.h"

/* ---- values of options ---- */

/* Each word once. */
static void add_word(es_buf *words, const char *word, const char *behind) {
    char text[128];
    (void)snprintf(text, sizeof text, "%s%s", word, behind);
    const char *at = words->data;
    size_t length = strlen(text);
    for (; at && (at = strstr(at, text)) != NULL; at += length)
        if ((at == words->data || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return;
    es_buf_printf(words, "%s%s", words->length ? " " : "", text);
}

static void add_estimator_words(const es_option *option, es_buf *words) {
    bool estimator = strcmp(option->name, "estimator") == 0;
    bool preset = strcmp(option->name, "preset") == 0, set = strcmp(option->name, "set") == 0;
    for (size_t e = 0; es_estimators[e]; e++) {
        const es_estimator *from = es_estimators[e];
        if (estimator)
            add_word(words, from->name, "");
        for (const es_preset *p = from->presets; preset && p && p->name; p++)
            add_word(words, p->name, "");
        for (size_t i = 0; set && i < from->n_settings; i++)
            add_word(words, from->settings[i].key, "=");
    }
}

void es_shell_measures(es_buf *words) {
    for (size_t i = 0; es_measures[i]; i++)
        add_word(words, es_measures[i]->name, "");
}

/* Kinds by what help calls the value. */
static const struct {
    const char *argument, *list;
    bool many;
} named[] = {{"GLOB[,GLOB]", "embedders", true}, {"MODEL", "embedders", false},
             {"A [B]", "embedders", false},      {"OTHER", "embedders", false},
             {"TASK", "tasks", false},           {NULL, NULL, false}};

es_shell_value es_shell_value_of(const es_option *option, es_buf *words) {
    es_shell_value value = {.kind = ES_SHELL_NONE};
    if (option->argument == NULL)
        return value;
    value.kind = ES_SHELL_ANY;
    if (strncmp(option->argument, "FILE", 4) == 0)
        value.kind = ES_SHELL_FILE;
    if (strcmp(option->argument, "DIR") == 0)
        value.kind = ES_SHELL_FOLDER;
    for (size_t i = 0; named[i].argument; i++)
        if (strcmp(option->argument, named[i].argument) == 0)
            value = (es_shell_value){ES_SHELL_NAMES, named[i].list, named[i].many};
    if (strcmp(option->name, "theme") == 0)
        value = (es_shell_value){ES_SHELL_NAMES,
                                 option->group == ES_OPTIONS_EXPORT ? "looks" : "themes", false};
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        if (option->choices[i][0])
            add_word(words, option->choices[i], "");
    add_estimator_words(option, words);
    if (strcmp(option->name, "score") == 0) {
        add_word(words, "predictive", "");
        add_word(words, "published", "");
    }
    if (strcmp(option->name, "score") == 0 || strcmp(option->name, "measure") == 0)
        es_shell_measures(words);
    if (words->length > 0)
        value.kind = ES_SHELL_WORDS;
    return value;
}

/* ---- arguments of commands ---- */

static unsigned kind_of(const char *word, size_t length) {
    static const struct {
        const char *word;
        unsigned kind;
    } kinds[] = {{"POOL", ES_SHELL_A_FOLDER},     {"PATH", ES_SHELL_A_FOLDER},
                 {"A", ES_SHELL_AN_EMBEDDER},     {"B", ES_SHELL_AN_EMBEDDER},
                 {"C", ES_SHELL_AN_EMBEDDER},     {"SOURCE", ES_SHELL_AN_EMBEDDER},
                 {"NAME", ES_SHELL_A_MEASURE},    {"VIEW", ES_SHELL_A_VIEW},
                 {"COMMAND", ES_SHELL_A_COMMAND}, {"LIST", ES_SHELL_A_LIST}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].word) == length && strncmp(word, kinds[i].word, length) == 0)
            return kinds[i].kind;
    return ES_SHELL_A_FILE; /* STORE, MODEL.safetensors */
}

unsigned es_shell_slot(const es_subcommand *command, size_t position) {
    enum { MOST = 8 };
    unsigned kind[MOST] = {0}, behind = 0;
    size_t count = 0, repeated = MOST; /* which one may stand any number of times */
    for (const char *at = command->arguments; *at && count < MOST;) {
        size_t word = strcspn(at, " "), open = at[0] == '[';
        size_t length = strspn(at + open, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        const char *tail = at + open + length;
        if (strncmp(tail, "...", 3) == 0) /* a word of its own stands for the one before */
            repeated = length ? count : count - 1;
        if (length)
            kind[count++] = tail[0] == '.' && tail[1] != '.' ? (unsigned)ES_SHELL_A_FILE
                                                             : kind_of(at + open, length);
        at += word + strspn(at + word, " ");
    }
    if (position <= repeated)
        return position < count ? kind[position] : 0;
    for (size_t i = repeated; i < count; i++)
        behind |= kind[i];
    return behind;
}

void es_shell_commands(es_buf *words) {
    for (size_t i = 0; i < es_cli_commands.count; i++)
        if (es_cli_commands.item[i].name[0])
            add_word(words, es_cli_commands.item[i].name, "");
}

void es_shell_views(es_buf *words) {
    for (size_t i = 0; es_export_view(i); i++)
        add_word(words, es_export_view(i), "");
}

void es_shell_lists(es_buf *words) {
    for (size_t i = 0; es_names_list(i); i++)
        add_word(words, es_names_list(i), "");
}

void es_shell_slot_words(unsigned kinds, es_buf *words) {
    static const char *const word[ES_SHELL_KINDS] = {"folder", "file",     "embedders", "measures",
                                                     "views",  "commands", "lists"};
    for (unsigned k = 0; k < ES_SHELL_KINDS; k++)
        if (kinds & (1U << k))
            add_word(words, word[k], "");
}

bool es_shell_has(const es_subcommand *command, const es_option *option) {
    return es_command_reads(command, option);
}

bool es_shell_once(const es_option *option) {
    return option->kind != ES_OPTION_LIST;
}

void es_shell_quoted(const char *text, const char *special, const char *quote, es_buf *out) {
    for (; *text; text++) {
        if (*text == '\'') {
            es_buf_puts(out, quote);
            continue;
        }
        if (strchr(special, *text))
            es_buf_putc(out, '\\');
        es_buf_putc(out, *text);
    }
}
