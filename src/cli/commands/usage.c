/* Help, made from the tables of commands, options and estimators, so that it cannot lag behind what
 * the program takes. */
#include "cmd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_out.h"

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

/* Options of one group, which stand together in the table: from row *at, which ends behind them. */
static void put_group(const es_subcommand *command, size_t *at, es_buf *out, es_buf *text) {
    es_option_group group = es_option_table[*at].group;
    bool any = false;
    for (; *at < es_option_count && es_option_table[*at].group == group; ++*at) {
        if (!es_command_reads(command, &es_option_table[*at]))
            continue;
        if (!any)
            es_buf_printf(out, "\n%s:\n", es_option_group_title(group));
        any = true;
        put_option(&es_option_table[*at], out, text);
    }
}

static size_t count_lines(const es_buf *text) {
    size_t lines = 0;
    for (const char *at = text->data; at && (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    return lines;
}

/* ---- topics ---- */

static void put_groups(unsigned groups, es_buf *out, es_buf *text) {
    const es_subcommand any = {.groups = groups, .of_rankings = true};
    for (size_t i = 0; i < es_option_count;)
        put_group(&any, &i, out, text);
}

static void put_formats(es_buf *out, es_buf *text) {
    static const char *const rows[][2] = {
        {".npy .npz", "NumPy; in .npz every 2-D array is an embedder, `ids` its row ids"},
        {".safetensors", "every 2-D tensor is an embedder"},
        {".h5 .h5ad", "every 2-D dataset; of AnnData X and obsm"},
        {".jsonl", "lines {\"id\": ..., \"embedding\": [...]}"},
        {".csv .tsv .txt .vec", "numbers, with or without header and ids; word2vec's text"},
        {".bin", "word2vec's binary form"},
        {"table md", "for people"},
        {"csv json", "for programs; .json names its schema, missing is empty or null"},
        {"tex", "a booktabs table"},
        {"jsonl npz", "of matrix: a pair a line; the arrays is, se and names"},
        {"svg pdf png", "figures of `export`"},
        {"html", "the page of `report`"}};
    enum { WRITTEN = 6 };
    (void)text;
    es_buf_puts(out, "Files that are read as embedders:\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (i == WRITTEN)
            es_buf_puts(out, "\nFormats that are written (--format, or the ending of -o FILE):\n");
        put_named("  ", rows[i][0], rows[i][1], out);
    }
    es_buf_puts(out, "\nThe layout of a pool: man embedscope-pool.\n");
}

static void put_explorer(es_buf *out, es_buf *text) {
    es_buf_puts(out, "Options of `embedscope [PATH]...`. In the explorer, ? lists the keys and\n"
                     ":help explains each view.\n");
    put_groups(ES_OPTIONS_EXPLORER, out, text);
}

static void put_common(es_buf *out, es_buf *text) {
    es_buf_puts(out, "Options that most commands take.\n");
    put_groups(ES_OPTIONS_COMMON | ES_OPTIONS_FILES, out, text);
}

static void put_estimator_topic(es_buf *out, es_buf *text) {
    es_buf_puts(out,
                "--estimator NAME chooses an estimator, --preset a named set of its settings,\n"
                "--set KEY=VALUE one setting. Defaults are in brackets.\n");
    put_estimators(out, text);
}

static const struct {
    const char *name;
    void (*put)(es_buf *out, es_buf *text);
} topics[] = {{"estimators", put_estimator_topic},
              {"explorer", put_explorer},
              {"formats", put_formats},
              {"options", put_common},
              {"training", put_training}};
enum { TOPICS = sizeof topics / sizeof *topics };

const char *es_help_topic_at(size_t at) {
    return at < TOPICS ? topics[at].name : NULL;
}

bool es_help_topic(const char *name, es_buf *out) {
    es_buf text = {0};
    size_t i = 0;
    while (i < TOPICS && strcmp(topics[i].name, name) != 0)
        i++;
    if (i < TOPICS)
        topics[i].put(out, &text);
    es_buf_end(&text, out);
    return i < TOPICS;
}

/* ---- commands ---- */

static void put_command(const es_subcommand *command, es_buf *out) {
    es_buf_printf(out, "  %-13s%s\n", command->name, command->summary);
}

static void put_all_commands(const es_subcommands *commands, es_buf *out) {
    es_buf_puts(out, "\nCommands:\n");
    for (size_t i = 0; i < commands->count; i++)
        if (commands->item[i].name[0] != '\0')
            put_command(&commands->item[i], out);
}

/* The first ones a line each, the others by name. */
static void put_overview_commands(const es_subcommands *commands, es_buf *out) {
    static const char *const titles[ES_HEADINGS] = {"Commands", "look closer", "make files", "pool",
                                                    "program"};
    enum { NAMES = 18 };
    for (int group = 0; group < ES_HEADINGS; group++) {
        size_t column = NAMES;
        if (group == ES_COMMANDS_FIRST)
            es_buf_printf(out, "\n%s:\n", titles[group]);
        else
            es_buf_printf(out, "%s  %-*s", group == 1 ? "\nMore commands:\n" : "", NAMES - 2,
                          titles[group]);
        for (size_t i = 0; i < commands->count; i++) {
            const es_subcommand *command = &commands->item[i];
            if ((int)command->heading != group || command->name[0] == '\0')
                continue;
            if (group == ES_COMMANDS_FIRST) {
                put_command(command, out);
                continue;
            }
            es_buf_printf(out, "%s%s", column > NAMES ? ", " : "", command->name);
            column += strlen(command->name) + 2;
        }
        if (group != ES_COMMANDS_FIRST)
            es_buf_putc(out, '\n');
    }
}

static void put_usage(const es_subcommand *command, es_buf *out) {
    bool explorer = command->name[0] == '\0';
    es_buf_printf(out, "Usage: embedscope %s%s[OPTION]...%s%s\n", command->name,
                  explorer ? "" : " ", command->arguments[0] ? " " : "", command->arguments);
    if (explorer)
        es_buf_printf(out, "       embedscope COMMAND [OPTION]... POOL\n\n%s\n", command->summary);
    es_buf_putc(out, '\n');
    put_wrapped(command->details, 0, 0, out);
}

static void put_overview(const es_subcommands *commands, const es_subcommand *explorer,
                         es_buf *out) {
    static const char *const options[][2] = {
        {"--start", "estimate at once"},
        {"--json, --csv, -o FILE", "output for programs, output to a file"},
        {"--version, --help", "print the version; this help"}};
    put_usage(explorer, out);
    put_overview_commands(commands, out);
    put_examples(explorer->examples, out);
    es_buf_puts(out, "\nOptions:\n");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        put_named("  ", options[i][0], options[i][1], out);
    es_buf_puts(out,
                "\n`embedscope help COMMAND` explains a command; `embedscope help TOPIC` one of\n");
    for (size_t i = 0; i < TOPICS; i++)
        es_buf_printf(out, "%s%s", i == 0 ? "" : i + 1 < TOPICS ? ", " : " or ", topics[i].name);
    es_buf_puts(out, ".\n`embedscope --help=all` prints everything.\n");
}

/* Adds the names of the options from row `first` up to `end` that the command reads. */
static void put_option_names(const es_subcommand *command, size_t first, size_t end, es_buf *out) {
    for (size_t i = first; i < end; i++)
        if (es_command_reads(command, &es_option_table[i]))
            es_buf_printf(out, "%s--%s", out->length ? ", " : "", es_option_table[i].name);
}

/* True if no other command takes the options of this group. */
static bool is_own(const es_subcommands *commands, const es_subcommand *command, unsigned group) {
    for (size_t i = 0; i < commands->count; i++)
        if (&commands->item[i] != command && (commands->item[i].groups & group) != 0)
            return false;
    return true;
}

/* Puts whole groups, the command's own ones first, as long as `most` lines hold them. Adds the
 * names of the other options to `names`. */
static void put_groups_that_fit(const es_subcommands *commands, const es_subcommand *command,
                                size_t most, es_buf *out, es_buf *names) {
    es_buf text = {0}, group = {0};
    for (int own = 1; own >= 0; own--)
        for (size_t i = 0, first = 0; i < es_option_count; first = i) {
            bool mine = is_own(commands, command, es_option_table[i].group);
            es_buf_clear(&group);
            put_group(command, &i, &group, &text);
            if (mine != (own == 1))
                continue;
            if (count_lines(out) + count_lines(&group) <= most)
                es_buf_add(out, group.data ? group.data : "", group.length);
            else
                put_option_names(command, first, i, names);
        }
    out->failed |= text.failed || group.failed;
    es_buf_free(&text);
    es_buf_free(&group);
}

void es_help(const es_subcommands *commands, const es_subcommand *command, es_buf *out) {
    enum { AROUND = 6, NAMES = WIDTH - 10 }; /* lines around the names; what a line holds of them */
    es_buf names = {0};
    if (command->name[0] == '\0') {
        put_overview(commands, command, out);
        return;
    }
    put_usage(command, out);
    put_examples(command->examples, out);
    put_option_names(command, 0, es_option_count, &names);
    size_t most = ES_HELP_LINES - AROUND - names.length / NAMES;
    es_buf_clear(&names);
    put_groups_that_fit(commands, command, most, out, &names);
    if (names.length) {
        es_buf_printf(out, "\nFurther options (embedscope %s --help=all):\n  ", command->name);
        put_wrapped(names.data, 2, 2, out);
    }
    if ((command->groups & ES_OPTIONS_DERIVE) != 0)
        es_buf_puts(out, "\nSettings of --cmim: embedscope help training\n");
    else if ((command->groups & ES_OPTIONS_ESTIMATOR) != 0)
        es_buf_puts(out, "\nEstimators and their settings: embedscope help estimators\n");
    es_buf_end(&names, out);
}

void es_help_all(const es_subcommands *commands, const es_subcommand *command, es_buf *out) {
    es_buf text = {0};
    put_usage(command, out);
    if (command->name[0] == '\0')
        put_all_commands(commands, out);
    put_examples(command->examples, out);
    for (size_t i = 0; i < es_option_count;)
        put_group(command, &i, out, &text);
    if ((command->groups & ES_OPTIONS_DERIVE) != 0)
        put_training(out, &text);
    else if ((command->groups & ES_OPTIONS_ESTIMATOR) != 0)
        put_estimators(out, &text);
    es_buf_puts(out, "\nExit codes: 0 done, 1 some pairs failed, 2 usage, 3 bad input, 4 nothing\n"
                     "usable or stored, 130 interrupted (finished work is kept).\n");
    es_buf_end(&text, out);
}

/* `embedscope help [COMMAND|TOPIC]`, --help and `embedscope version`. */

static es_status refuse_topic(es_cli *cli, const char *name, es_error *err) {
    es_suggestion near = {.word = name};
    for (size_t i = 0; i < cli->commands->count; i++)
        es_suggestion_offer(&near, cli->commands->item[i].name);
    for (size_t i = 0; es_help_topic_at(i); i++)
        es_suggestion_offer(&near, es_help_topic_at(i));
    return es_usage(cli, err, "help: no command or topic is called '%s'%s%s%s", name,
                    near.best ? "; did you mean '" : "; 'embedscope help' lists them",
                    near.best ? near.best : "", near.best ? "'?" : "");
}

es_status es_help_print(es_cli *cli, const es_subcommand *command, const char *what,
                        es_error *err) {
    es_buf text = {0};
    es_status st = ES_OK;
    if (what[0] == '\0')
        es_help(cli->commands, command, &text);
    else if (strcmp(what, "all") == 0)
        es_help_all(cli->commands, command, &text);
    else if (!es_help_topic(what, &text))
        ES_TRY(refuse_topic(cli, what, err));
    ES_TRY(es_output_write(cli, &text, err));
done:
    es_buf_free(&text);
    return st;
}

/* A topic wins over the explorer, whose name is empty. */
es_status es_cmd_help(es_cli *cli, es_error *err) {
    const char *name = cli->n_arguments > 0 ? cli->arguments[0] : "";
    const es_subcommand *command = es_command_find(cli->commands, name);
    if (command)
        return es_help_print(cli, command, "", err);
    return es_help_print(cli, es_command_find(cli->commands, ""), name, err);
}

es_status es_cmd_version(es_cli *cli, es_error *err) {
    es_buf text = {0};
    es_buf_puts(&text, "embedscope " ES_VERSION "\n");
    es_status st = es_output_write(cli, &text, err);
    es_buf_free(&text);
    return st;
}
