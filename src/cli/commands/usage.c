/* --help, made from the tables of commands, options and estimators: nothing is said twice, so help
 * cannot lag behind what the program takes. */
#include "usage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmim_recipe.h"
#include "estimator.h"

enum { OPTION_COLUMN = 28, WIDTH = 79 };

/* Words, broken before column WIDTH; further lines begin at `indent`. `column` is where the text
 * begins. Ends the line. */
static void put_wrapped(const char *text, size_t indent, size_t column, es_buf *out) {
    bool first = true;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (strncmp(text + length, " %", 2) == 0) /* "5 %" is one word */
            length += 2 + strcspn(text + length + 2, " ");
        if (!first && column + 1 + length > WIDTH) {
            es_buf_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            es_buf_putc(out, ' ');
            column++;
        }
        es_buf_add(out, text, length);
        column += length;
        first = false;
        text += length + (text[length] == ' ');
    }
    es_buf_putc(out, '\n');
}

static void put_option(const es_option *option, es_buf *out, es_buf *text) {
    size_t start = out->length;
    if (option->brief)
        es_buf_printf(out, "  -%c, ", option->brief);
    else
        es_buf_puts(out, "      ");
    es_buf_printf(out, "--%s", option->name);
    if (option->argument)
        es_buf_printf(out, " %s", option->argument);
    size_t used = out->length - start;
    if (used + 2 > OPTION_COLUMN)
        es_buf_printf(out, "\n%*s", OPTION_COLUMN, "");
    else
        es_buf_printf(out, "%*s", (int)(OPTION_COLUMN - used), "");
    es_buf_clear(text);
    es_buf_puts(text, option->help);
    const char *before = ": ";
    for (size_t i = 0; option->choices && option->choices[i]; i++) {
        if (option->choices[i][0] == '\0')
            continue;
        es_buf_printf(text, "%s%s", before, option->choices[i]);
        before = ", ";
    }
    put_wrapped(text->data ? text->data : "", OPTION_COLUMN, OPTION_COLUMN, out);
}

static void put_commands(const es_subcommands *commands, es_buf *out) {
    es_buf_puts(out, "\nCommands:\n");
    for (size_t i = 0; i < commands->count; i++) {
        const es_subcommand *command = &commands->item[i];
        if (command->name[0] != '\0')
            es_buf_printf(out, "  %-10s%-14s%s%s\n", command->name, command->arguments,
                          strlen(command->arguments) > 14 ? "\n                           " : " ",
                          command->summary);
    }
    es_buf_puts(out, "  embedscope COMMAND --help says more about each.\n");
}

/* "  name    what it is", the second part in the column of all help texts. */
static void put_named(const char *before, const char *name, const char *what, es_buf *out) {
    size_t used = strlen(before) + strlen(name);
    es_buf_printf(out, "%s%s", before, name);
    if (used + 2 > OPTION_COLUMN) {
        es_buf_putc(out, '\n');
        used = 0;
    }
    es_buf_printf(out, "%*s", (int)(OPTION_COLUMN - used), "");
    put_wrapped(what, OPTION_COLUMN, OPTION_COLUMN, out);
}

/* The range or the choices of a setting, and its default. */
static void put_setting(const es_setting *setting, es_buf *out, es_buf *text) {
    char word[128];
    (void)snprintf(word, sizeof word, "%s=%s", setting->key, setting->choices ? "CHOICE" : "N");
    es_buf_clear(text);
    es_buf_printf(text, "%s (", setting->help);
    if (isnan(setting->value))
        es_buf_puts(text, "auto");
    else if (setting->choices)
        es_buf_puts(text, setting->choices[(size_t)setting->value]);
    else
        es_buf_put_double(text, setting->value);
    es_buf_putc(text, ')');
    for (size_t i = 0; setting->choices && setting->choices[i]; i++)
        es_buf_printf(text, "%s%s", i ? ", " : ": ", setting->choices[i]);
    put_named("    --set ", word, text->data ? text->data : "", out);
}

/* Every estimator with its presets and settings, from the estimators' own tables. */
static void put_estimators(es_buf *out, es_buf *text) {
    es_buf_puts(out, "\nEstimators:\n");
    for (size_t e = 0; es_estimators[e]; e++) {
        const es_estimator *estimator = es_estimators[e];
        put_named("  ", estimator->name, estimator->title, out);
        for (const es_preset *p = estimator->presets; p && p->name; p++)
            put_named("    --preset ", p->name, p->help, out);
        for (size_t i = 0; i < estimator->n_settings; i++)
            put_setting(&estimator->settings[i], out, text);
    }
}

static void put_training(es_buf *out, es_buf *text) {
    es_buf_puts(out, "\nSettings of --cmim:\n");
    for (size_t i = 0; i < es_cmim_setting_count; i++)
        put_setting(&es_cmim_settings[i], out, text);
}

static void put_examples(const char *examples, es_buf *out) {
    es_buf_puts(out, "\nExamples:\n");
    for (const char *line = examples; *line;) {
        size_t length = strcspn(line, "\n");
        es_buf_printf(out, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void es_help(const es_subcommands *commands, const es_subcommand *command, es_buf *out) {
    bool explorer = command->name[0] == '\0';
    es_buf_printf(out, "Usage: embedscope %s%s[OPTION]...%s%s\n", command->name,
                  explorer ? "" : " ", command->arguments[0] ? " " : "", command->arguments);
    if (explorer)
        es_buf_printf(out, "       embedscope COMMAND [OPTION]... POOL\n\n%s\n", command->summary);
    es_buf_putc(out, '\n');
    put_wrapped(command->details, 0, 0, out);
    if (explorer)
        put_commands(commands, out);
    put_examples(command->examples, out);
    es_buf text = {0};
    const es_option_group *last = NULL;
    for (size_t i = 0; i < es_option_count; i++) { /* rows of one group stand together */
        const es_option *option = &es_option_table[i];
        if (!es_command_reads(command, option))
            continue;
        if (last == NULL || *last != option->group)
            es_buf_printf(out, "\n%s:\n", es_option_group_title(option->group));
        last = &option->group;
        put_option(option, out, &text);
    }
    if ((command->groups & ES_OPTIONS_DERIVE) != 0)
        put_training(out, &text);
    else if ((command->groups & ES_OPTIONS_ESTIMATOR) != 0)
        put_estimators(out, &text);
    es_buf_puts(out, "\nExit codes: 0 done, 1 some pairs failed, 2 usage, 3 bad input, 4 nothing\n"
                     "usable or stored, 130 interrupted (what was finished is kept).\n");
    out->failed |= text.failed;
    es_buf_free(&text);
}
