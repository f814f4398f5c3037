/* Completions for bash, zsh and fish. Each knows, per command, its options, and what a value of an
 * option can be: one of some words, a file, a folder, or anything. */
#include <string.h>

#include "command_table.h"
#include "pages.h"

#include "estimator.h"

typedef enum value_kind { VALUE_NONE, VALUE_WORDS, VALUE_FILE, VALUE_FOLDER, VALUE_ANY } value_kind;

/* Words separated by spaces are appended. */
static value_kind value_of(const es_option *option, es_buf *words) {
    bool estimator = strcmp(option->name, "estimator") == 0;
    bool preset = strcmp(option->name, "preset") == 0, set = strcmp(option->name, "set") == 0;
    if (option->argument == NULL)
        return VALUE_NONE;
    if (strncmp(option->argument, "FILE", 4) == 0)
        return VALUE_FILE;
    if (strcmp(option->argument, "DIR") == 0)
        return VALUE_FOLDER;
    size_t start = words->length;
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        if (option->choices[i][0])
            es_buf_printf(words, "%s%s", words->length > start ? " " : "", option->choices[i]);
    for (size_t e = 0; es_estimators[e]; e++) {
        const es_estimator *from = es_estimators[e];
        if (estimator)
            es_buf_printf(words, "%s%s", words->length > start ? " " : "", from->name);
        for (const es_preset *p = from->presets; preset && p && p->name; p++)
            es_buf_printf(words, "%s%s", words->length > start ? " " : "", p->name);
        for (size_t i = 0; set && i < from->n_settings; i++)
            es_buf_printf(words, "%s%s=", words->length > start ? " " : "", from->settings[i].key);
    }
    return words->length > start ? VALUE_WORDS : VALUE_ANY;
}

static const char *text_of(const es_buf *buf) {
    return buf->data ? buf->data : "";
}

static bool is_option_of(const es_option *option, const es_subcommand *command) {
    return (option->group & command->groups) != 0;
}

/* Files are written as lists by the callers; a quote would end them. */
static void put_safe(const char *text, const char *unsafe, es_buf *out) {
    for (; *text; text++)
        if (strchr(unsafe, *text) == NULL)
            es_buf_putc(out, *text);
}

/* ---- bash ---- */

static void bash_values(es_buf *out) {
    es_buf_puts(out, "    case $prev in\n");
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        es_buf words = {0};
        value_kind kind = value_of(option, &words);
        if (kind != VALUE_NONE) {
            es_buf_puts(out, "    ");
            if (option->brief)
                es_buf_printf(out, "-%c | ", option->brief);
            es_buf_printf(out, "--%s) ", option->name);
        }
        if (kind == VALUE_WORDS)
            es_buf_printf(out, "_embedscope_words \"%s\" ;;\n", text_of(&words));
        else if (kind == VALUE_FILE || kind == VALUE_FOLDER)
            es_buf_printf(out, "_embedscope_paths -%c ;;\n", kind == VALUE_FILE ? 'f' : 'd');
        else if (kind == VALUE_ANY)
            es_buf_puts(out, ";;\n");
        out->failed |= words.failed;
        es_buf_free(&words);
    }
    es_buf_puts(out, "    *) return 1 ;;\n    esac\n    return 0\n");
}

void es_complete_bash(es_buf *out) {
    es_buf_puts(out, "# bash completion for embedscope; made from its tables of options\n"
                     "_embedscope_words() {\n"
                     "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
                     "    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null\n}\n"
                     "_embedscope_paths() {\n"
                     "    compopt -o filenames 2>/dev/null\n"
                     "    mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$cur\")\n}\n"
                     "_embedscope_value() {\n");
    bash_values(out);
    es_buf_puts(out, "}\n_embedscope() {\n"
                     "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
                     "    local options commands=\"");
    for (size_t i = 0; i < es_cli_commands.count; i++)
        if (es_cli_commands.item[i].name[0])
            es_buf_printf(out, "%s%s", i > 1 ? " " : "", es_cli_commands.item[i].name);
    es_buf_puts(out, "\"\n    COMPREPLY=()\n    _embedscope_value && return\n"
                     "    case ${COMP_WORDS[1]} in\n");
    for (size_t c = es_cli_commands.count; c-- > 0;) { /* the explorer, "", comes last */
        const es_subcommand *command = &es_cli_commands.item[c];
        es_buf_printf(out, "    %s) options=\"", command->name[0] ? command->name : "*");
        for (size_t i = 0, put = 0; i < es_option_count; i++)
            if (is_option_of(&es_option_table[i], command))
                es_buf_printf(out, "%s--%s", put++ ? " " : "", es_option_table[i].name);
        es_buf_puts(out, "\" ;;\n");
    }
    es_buf_puts(out, "    esac\n"
                     "    if [[ $cur == -* ]]; then\n"
                     "        _embedscope_words \"$options\"\n"
                     "    else\n"
                     "        _embedscope_paths -d\n"
                     "        if ((COMP_CWORD == 1)); then\n"
                     "            local paths=(\"${COMPREPLY[@]}\")\n"
                     "            _embedscope_words \"$commands\"\n"
                     "            COMPREPLY+=(\"${paths[@]}\")\n"
                     "        fi\n"
                     "    fi\n"
                     "}\n"
                     "complete -F _embedscope embedscope\n");
}

/* ---- zsh ---- */

static const char zsh_unsafe[] = "'[]:\\";

static void zsh_option(const es_option *option, es_buf *out) {
    es_buf words = {0};
    value_kind kind = value_of(option, &words);
    const char *repeated = option->kind == ES_OPTION_LIST ? "*" : "";
    es_buf_printf(out, " \\\n            '%s--%s%s[", repeated, option->name,
                  kind == VALUE_NONE ? "" : "=");
    put_safe(option->help, zsh_unsafe, out);
    es_buf_putc(out, ']');
    if (kind != VALUE_NONE) {
        es_buf_putc(out, ':');
        put_safe(option->argument, zsh_unsafe, out);
        es_buf_putc(out, ':');
    }
    if (kind == VALUE_WORDS)
        es_buf_printf(out, "(%s)", text_of(&words));
    else if (kind == VALUE_FILE)
        es_buf_puts(out, "_files");
    else if (kind == VALUE_FOLDER)
        es_buf_puts(out, "_files -/");
    else if (kind == VALUE_ANY)
        es_buf_putc(out, ' ');
    es_buf_putc(out, '\'');
    out->failed |= words.failed;
    es_buf_free(&words);
}

void es_complete_zsh(es_buf *out) {
    es_buf_puts(out, "#compdef embedscope\n"
                     "# zsh completion for embedscope; made from its tables of options\n"
                     "_embedscope() {\n"
                     "    local -a commands\n"
                     "    commands=(\n");
    for (size_t i = 0; i < es_cli_commands.count; i++) {
        if (es_cli_commands.item[i].name[0] == '\0')
            continue;
        es_buf_printf(out, "        '%s:", es_cli_commands.item[i].name);
        put_safe(es_cli_commands.item[i].summary, zsh_unsafe, out);
        es_buf_puts(out, "'\n");
    }
    es_buf_puts(out, "    )\n"
                     "    if ((CURRENT == 2)) && [[ ${words[2]} != -* ]]; then\n"
                     "        _describe -t commands command commands\n"
                     "        _files -/\n"
                     "        return\n"
                     "    fi\n"
                     "    case ${words[2]} in\n");
    for (size_t c = es_cli_commands.count; c-- > 0;) {
        const es_subcommand *command = &es_cli_commands.item[c];
        es_buf_printf(out, "    %s)\n        _arguments -S",
                      command->name[0] ? command->name : "*");
        for (size_t i = 0; i < es_option_count; i++)
            if (is_option_of(&es_option_table[i], command))
                zsh_option(&es_option_table[i], out);
        es_buf_puts(out, " \\\n            '*:pool:_files -/'\n        ;;\n");
    }
    es_buf_puts(out, "    esac\n}\n"
                     "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
                     "    _embedscope \"$@\"\n"
                     "else\n"
                     "    compdef _embedscope embedscope\n"
                     "fi\n");
}

/* ---- fish ---- */

static void fish_option(const char *condition, const es_option *option, es_buf *out) {
    es_buf words = {0};
    value_kind kind = value_of(option, &words);
    es_buf_printf(out, "complete -c embedscope -n '%s' -l %s", condition, option->name);
    if (option->brief)
        es_buf_printf(out, " -s %c", option->brief);
    if (kind == VALUE_WORDS)
        es_buf_printf(out, " -x -a '%s'", text_of(&words));
    else if (kind == VALUE_FOLDER)
        es_buf_puts(out, " -x -a '(__fish_complete_directories)'");
    else if (kind != VALUE_NONE)
        es_buf_puts(out, kind == VALUE_FILE ? " -r -F" : " -x");
    es_buf_puts(out, " -d '");
    put_safe(option->help, "'\\", out);
    es_buf_puts(out, "'\n");
    out->failed |= words.failed;
    es_buf_free(&words);
}

static void put_commands(es_buf *out) {
    for (size_t i = 0; i < es_cli_commands.count; i++)
        if (es_cli_commands.item[i].name[0])
            es_buf_printf(out, " %s", es_cli_commands.item[i].name);
}

void es_complete_fish(es_buf *out) {
    es_buf_puts(out, "# fish completion for embedscope; made from its tables of options\n"
                     "complete -c embedscope -f -a '(__fish_complete_directories)'\n");
    for (size_t c = 0; c < es_cli_commands.count; c++) {
        const es_subcommand *command = &es_cli_commands.item[c];
        es_buf condition = {0};
        if (command->name[0] == '\0') {
            es_buf_puts(&condition, "not __fish_seen_subcommand_from");
            put_commands(&condition);
        } else {
            es_buf_printf(&condition, "__fish_seen_subcommand_from %s", command->name);
            es_buf_printf(out, "complete -c embedscope -n __fish_use_subcommand -f -a %s -d '",
                          command->name);
            put_safe(command->summary, "'\\", out);
            es_buf_puts(out, "'\n");
        }
        for (size_t i = 0; i < es_option_count; i++)
            if (is_option_of(&es_option_table[i], command))
                fish_option(text_of(&condition), &es_option_table[i], out);
        out->failed |= condition.failed;
        es_buf_free(&condition);
    }
}
