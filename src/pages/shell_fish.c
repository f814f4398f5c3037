/* Completion for fish. */
#include "pages.h"
#include "shells.h"

static const char *text_of(const es_buf *buf) {
    return buf->data ? buf->data : "";
}

static const char apostrophe[] = "\\'";

static void put_option(const char *condition, const es_option *option, es_buf *out) {
    es_buf words = {0};
    es_shell_value value = es_shell_value_of(option, &words);
    es_buf_printf(out, "complete -c embedscope -n '%s", condition);
    if (es_shell_once(option))
        es_buf_printf(out, "; and __embedscope_new %s", option->name);
    es_buf_printf(out, "' -l %s", option->name);
    if (option->brief)
        es_buf_printf(out, " -s %c", option->brief);
    if (value.kind == ES_SHELL_WORDS)
        es_buf_printf(out, " -x -a '%s'", text_of(&words));
    else if (value.kind == ES_SHELL_NAMES)
        es_buf_printf(out, " -x -a '(__embedscope_names %s%s)'", value.list,
                      value.many ? " many" : "");
    else if (value.kind == ES_SHELL_FOLDER)
        es_buf_puts(out, " -x -a '(__fish_complete_directories)'");
    else if (value.kind != ES_SHELL_NONE)
        es_buf_puts(out, value.kind == ES_SHELL_FILE ? " -r -F" : " -x");
    es_buf_puts(out, " -d '");
    es_shell_quoted(option->help, "\\", apostrophe, out);
    es_buf_puts(out, "'\n");
    out->failed |= words.failed;
    es_buf_free(&words);
}

/* Which argument is being typed: words behind the command that are neither options nor their
 * values. */
static const char functions[] =
    "# fish completion for embedscope; made from its tables of options\n"
    "function __embedscope_arguments\n"
    "    set -l words (commandline -opc)[2..-1]\n"
    "    set -l before\n"
    "    if contains -- \"$words[1]\" $__embedscope_commands\n"
    "        set -e words[1]\n"
    "    end\n"
    "    for word in $words\n"
    "        if not string match -q -- '-*' $word; and not contains -- \"$before\" "
    "$__embedscope_valued\n"
    "            printf '%s\\n' $word\n"
    "        end\n"
    "        set before $word\n"
    "    end\n"
    "end\n"
    "function __embedscope_new # the option is not on the line, but where its value is being "
    "typed\n"
    "    set -l words (commandline -opc)\n"
    "    set -e words[-1]\n"
    "    not string match -qr -- \"^--$argv[1](=|\\$)\" $words\n"
    "end\n"
    "function __embedscope_at # __embedscope_at NUMBER COMMAND\n"
    "    set -l words (commandline -opc)\n"
    "    set -l command \"$words[2]\"\n"
    "    contains -- \"$command\" $__embedscope_commands; or set command ''\n"
    "    test \"$command\" = \"$argv[2]\"; and test (count (__embedscope_arguments)) -eq $argv[1]\n"
    "end\n"
    "function __embedscope_names # __embedscope_names LIST [many]: of the pool on the line\n"
    "    set -l pool .\n"
    "    set -l before ''\n"
    "    for word in (__embedscope_arguments)\n"
    "        if test -d $word\n"
    "            set pool $word\n"
    "            break\n"
    "        end\n"
    "    end\n"
    "    if test \"$argv[2]\" = many\n"
    "        set before (string replace -r '^--[a-z-]+=' '' -- (commandline -ct) | string replace "
    "-r '[^,]*$' '')\n"
    "    end\n"
    "    for name in (command embedscope names $argv[1] $pool 2>/dev/null)\n"
    "        contains -- $name (string split , -- $before); or printf '%s\\n' $before$name\n"
    "    end\n"
    "end\n";

static void put_variable(es_buf *out) {
    es_buf_puts(out, "set -g __embedscope_valued");
    for (size_t i = 0; i < es_option_count; i++) {
        if (es_option_table[i].argument == NULL)
            continue;
        if (es_option_table[i].brief)
            es_buf_printf(out, " -%c", es_option_table[i].brief);
        es_buf_printf(out, " --%s", es_option_table[i].name);
    }
    es_buf_putc(out, '\n');
}

static void put_slot(const es_subcommand *command, size_t position, es_buf *out) {
    static void (*const put[ES_SHELL_KINDS])(es_buf *) = {[3] = es_shell_measures,
                                                          [4] = es_shell_views,
                                                          [5] = es_shell_commands,
                                                          [6] = es_shell_lists};
    unsigned kinds = es_shell_slot(command, position);
    for (unsigned k = 0; k < ES_SHELL_KINDS; k++) {
        es_buf words = {0};
        if ((kinds & (1U << k)) == 0)
            continue;
        es_buf_printf(out, "complete -c embedscope -n '__embedscope_at %zu \"%s\"' ", position,
                      command->name);
        if (put[k])
            put[k](&words);
        if ((1U << k) == ES_SHELL_A_FILE)
            es_buf_puts(out, "-F\n");
        else
            es_buf_printf(out, "-f -a '%s'\n",
                          (1U << k) == ES_SHELL_A_FOLDER ? "(__fish_complete_directories)"
                          : put[k]                       ? text_of(&words)
                                                         : "(__embedscope_names embedders)");
        out->failed |= words.failed;
        es_buf_free(&words);
    }
}

void es_complete_fish(es_buf *out) {
    es_buf commands = {0};
    es_shell_commands(&commands);
    es_buf_puts(out, functions);
    es_buf_printf(out, "set -g __embedscope_commands %s\n", text_of(&commands));
    put_variable(out);
    es_buf_puts(out, "complete -c embedscope -f\n");
    for (size_t c = 0; c < es_cli_commands.count; c++) {
        const es_subcommand *command = &es_cli_commands.item[c];
        es_buf condition = {0};
        if (command->name[0] == '\0') {
            es_buf_printf(&condition, "not __fish_seen_subcommand_from %s", text_of(&commands));
        } else {
            es_buf_printf(&condition, "__fish_seen_subcommand_from %s", command->name);
            es_buf_printf(out, "complete -c embedscope -n __fish_use_subcommand -f -a %s -d '",
                          command->name);
            es_shell_quoted(command->summary, "\\", apostrophe, out);
            es_buf_puts(out, "'\n");
        }
        for (size_t i = 0; i < es_option_count; i++)
            if (es_shell_has(command, &es_option_table[i]))
                put_option(text_of(&condition), &es_option_table[i], out);
        for (size_t p = 0; p < ES_SHELL_SLOTS; p++)
            put_slot(command, p, out);
        out->failed |= condition.failed;
        es_buf_free(&condition);
    }
    out->failed |= commands.failed;
    es_buf_free(&commands);
}
