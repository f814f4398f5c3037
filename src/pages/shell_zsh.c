/* Completion for zsh: _arguments for each command. */
#include "pages.h"
#include "shells.h"

static const char *text_of(const es_buf *buf) {
    return buf->data ? buf->data : "";
}

static const char special[] = "[]:\\";
static const char apostrophe[] = "'\\''";

static void put_option(const es_option *option, es_buf *out) {
    es_buf words = {0};
    es_shell_value value = es_shell_value_of(option, &words);
    const char *equals = value.kind == ES_SHELL_NONE ? "" : "=";
    const char *repeated = es_shell_once(option) ? "" : "*";
    es_buf_puts(out, " \\\n            ");
    if (option->brief) /* two names of one option, which is given once */
        es_buf_printf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", option->brief, option->name,
                      option->brief, *equals ? "+" : "", option->name, equals);
    else
        es_buf_printf(out, "'%s--%s%s[", repeated, option->name, equals);
    es_shell_quoted(option->help, special, apostrophe, out);
    es_buf_putc(out, ']');
    if (value.kind != ES_SHELL_NONE) {
        es_buf_putc(out, ':');
        es_shell_quoted(option->argument, special, apostrophe, out);
        es_buf_putc(out, ':');
    }
    if (value.kind == ES_SHELL_WORDS)
        es_buf_printf(out, "(%s)", text_of(&words));
    else if (value.kind == ES_SHELL_NAMES)
        es_buf_printf(out, "{_embedscope_names %s%s}", value.list, value.many ? " many" : "");
    else if (value.kind == ES_SHELL_FILE)
        es_buf_puts(out, "_files");
    else if (value.kind == ES_SHELL_FOLDER)
        es_buf_puts(out, "_files -/");
    else if (value.kind == ES_SHELL_ANY)
        es_buf_putc(out, ' ');
    es_buf_putc(out, '\'');
    out->failed |= words.failed;
    es_buf_free(&words);
}

static void put_slots(const es_subcommand *command, es_buf *out) {
    unsigned last = 0;
    for (size_t p = 0; p < ES_SHELL_SLOTS; p++) {
        es_buf words = {0};
        unsigned kinds = es_shell_slot(command, p);
        es_shell_slot_words(kinds, &words);
        if (kinds)
            es_buf_printf(out, " \\\n            '%zu:argument:{_embedscope_any %s}'", p + 1,
                          text_of(&words));
        last = kinds;
        if (last && p + 1 == ES_SHELL_SLOTS)
            es_buf_printf(out, " \\\n            '*:argument:{_embedscope_any %s}'",
                          text_of(&words));
        out->failed |= words.failed;
        es_buf_free(&words);
    }
}

/* The pool is the first argument that is a folder. Names keep their quotes by compadd's own means.
 */
static const char functions[] =
    "#compdef embedscope\n"
    "# zsh completion for embedscope; made from its tables of options\n"
    "_embedscope_names() { # _embedscope_names LIST [many]: of the pool on the line\n"
    "    local word pool=.\n"
    "    local -a names before\n"
    "    for word in ${words[2,CURRENT-1]}; do\n"
    "        [[ $word == -* || ! -d ${(Q)word} ]] || { pool=${(Q)word}; break }\n"
    "    done\n"
    "    names=(\"${(@f)$(_call_program names ${(q)words[1]} names $1 ${(q)pool} 2>/dev/null)}\")\n"
    "    if [[ ${2-} == many ]]; then\n"
    "        compset -P '*,'\n"
    "        before=(${(s:,:)${IPREFIX##*=}})\n"
    "        names=(${names:|before})\n"
    "        compadd -qS , -a names\n"
    "    else\n"
    "        compadd -a names\n"
    "    fi\n"
    "}\n";

static void put_list(const char *title, void (*put)(es_buf *), es_buf *out) {
    es_buf words = {0};
    put(&words);
    es_buf_printf(out, "        %s) compadd -- %s ;;\n", title, text_of(&words));
    out->failed |= words.failed;
    es_buf_free(&words);
}

static void put_any(es_buf *out) {
    es_buf_puts(out, "_embedscope_any() {\n"
                     "    local kind\n"
                     "    for kind in \"$@\"; do\n"
                     "        case $kind in\n"
                     "        folder) _files -/ ;;\n"
                     "        file) _files ;;\n"
                     "        embedders) _embedscope_names embedders ;;\n");
    put_list("measures", es_shell_measures, out);
    put_list("views", es_shell_views, out);
    put_list("commands", es_shell_commands, out);
    put_list("lists", es_shell_lists, out);
    es_buf_puts(out, "        esac\n    done\n}\n");
}

void es_complete_zsh(es_buf *out) {
    es_buf_puts(out, functions);
    put_any(out);
    es_buf_puts(out, "_embedscope() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; i < es_cli_commands.count; i++) {
        if (es_cli_commands.item[i].name[0] == '\0')
            continue;
        es_buf_printf(out, "        '%s:", es_cli_commands.item[i].name);
        es_shell_quoted(es_cli_commands.item[i].summary, ":\\", apostrophe, out);
        es_buf_puts(out, "'\n");
    }
    es_buf_puts(out, "    )\n"
                     "    if ((CURRENT == 2)) && [[ ${words[2]} != -* ]]; then\n"
                     "        _describe -t commands command commands\n"
                     "        _files -/\n"
                     "        return\n"
                     "    fi\n"
                     "    local command=${words[2]}\n"
                     "    if ((${commands[(I)$command:*]})); then\n"
                     "        words=(\"${words[1]}\" \"${(@)words[3,-1]}\") # behind the command\n"
                     "        ((CURRENT--))\n"
                     "    fi\n"
                     "    case $command in\n");
    for (size_t c = es_cli_commands.count; c-- > 0;) {
        const es_subcommand *command = &es_cli_commands.item[c];
        es_buf_printf(out, "    %s)\n        _arguments -S",
                      command->name[0] ? command->name : "*");
        for (size_t i = 0; i < es_option_count; i++)
            if (es_shell_has(command, &es_option_table[i]))
                put_option(&es_option_table[i], out);
        put_slots(command, out);
        es_buf_puts(out, "\n        ;;\n");
    }
    es_buf_puts(out, "    esac\n}\n"
                     "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
                     "    _embedscope \"$@\"\n"
                     "else\n"
                     "    compdef _embedscope embedscope\n"
                     "fi\n");
}
