/* Completion for bash. Names of the pool come from the program, a line each, and are quoted as the
 * shell would have them typed. */
#include <string.h>

#include "pages.h"
#include "shells.h"

static const char *text_of(const es_buf *buf) {
    return buf->data ? buf->data : "";
}

static const char functions[] =
    "# bash completion for embedscope; made from its tables of options\n"
    "# Words of $1, or lines of standard input, that begin as what was typed; a list may go on\n"
    "# behind a comma. Quotes and backslashes of the word are taken off, and put on again.\n"
    "_embedscope_lines() { # _embedscope_lines [many]\n"
    "    local line open='' typed=$cur before=''\n"
    "    case $typed in\n"
    "    [\\'\\\"]*) open=${typed:0:1} typed=${typed:1} ;;\n"
    "    *) typed=${typed//\\\\/} ;;\n"
    "    esac\n"
    "    if [[ ${1-} == many && $typed == *,* ]]; then\n"
    "        before=${typed%,*},\n"
    "        typed=${typed##*,}\n"
    "    fi\n"
    "    while IFS= read -r line; do\n"
    "        [[ $line == \"$typed\"* && \",$before\" != *\",$line,\"* ]] || continue\n"
    "        if [[ $open ]]; then line=$before$line; else printf -v line %q \"$before$line\"; fi\n"
    "        COMPREPLY+=(\"$line\")\n"
    "    done\n"
    "    [[ ${1-} != many ]] || compopt -o nospace 2>/dev/null\n}\n"
    "_embedscope_words() {\n"
    "    local IFS=$' \\t\\n'\n"
    "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
    "    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null\n}\n"
    "_embedscope_paths() {\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen \"$1\" -- \"$cur\")\n}\n"
    "_embedscope_names() { # _embedscope_names LIST [many]: of the pool on the line\n"
    "    _embedscope_lines \"${2-}\" < <(\"${COMP_WORDS[0]}\" names \"$1\" \"$pool\" "
    "2>/dev/null)\n}\n";

static void put_value(const es_option *option, es_buf *out) {
    es_buf words = {0};
    es_shell_value value = es_shell_value_of(option, &words);
    if (value.kind == ES_SHELL_WORDS)
        es_buf_printf(out, "_embedscope_words \"%s\"", text_of(&words));
    else if (value.kind == ES_SHELL_NAMES)
        es_buf_printf(out, "_embedscope_names %s%s", value.list, value.many ? " many" : "");
    else if (value.kind == ES_SHELL_FILE || value.kind == ES_SHELL_FOLDER)
        es_buf_printf(out, "_embedscope_paths -%c", value.kind == ES_SHELL_FILE ? 'f' : 'd');
    else
        es_buf_puts(out, ":");
    out->failed |= words.failed;
    es_buf_free(&words);
}

/* Commands that have an option, as a pattern. */
static void put_owners(const es_option *option, es_buf *out) {
    const char *before = "";
    for (size_t c = 0; c < es_cli_commands.count; c++) {
        const es_subcommand *command = &es_cli_commands.item[c];
        if (!es_shell_has(command, option))
            continue;
        es_buf_printf(out, "%s%s", before, command->name[0] ? command->name : "''");
        before = " | ";
    }
}

/* One branch a name; a name may mean one thing to one command and another to the next. */
static void put_values(es_buf *out) {
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        bool first = true, several = false;
        for (size_t k = 0; k < es_option_count; k++)
            if (k != i && strcmp(es_option_table[k].name, option->name) == 0) {
                several = true;
                first = first && k > i;
            }
        if (option->argument == NULL || !first)
            continue;
        es_buf_puts(out, "    ");
        if (option->brief)
            es_buf_printf(out, "-%c | ", option->brief);
        es_buf_printf(out, "--%s) ", option->name);
        if (several)
            es_buf_puts(out, "case $command in ");
        for (size_t k = i; k < es_option_count; k++) {
            const es_option *same = &es_option_table[k];
            if (strcmp(same->name, option->name) != 0)
                continue;
            if (several) {
                put_owners(same, out);
                es_buf_puts(out, ") ");
            }
            put_value(same, out);
            es_buf_puts(out, several ? " ;; " : "");
        }
        es_buf_puts(out, several ? "esac ;;\n" : " ;;\n");
    }
}

static void put_options(es_buf *out) {
    for (size_t c = es_cli_commands.count; c-- > 0;) { /* the explorer, "", comes last */
        const es_subcommand *command = &es_cli_commands.item[c];
        es_buf_printf(out, "    %s) options=\"", command->name[0] ? command->name : "*");
        for (size_t i = 0, put = 0; i < es_option_count; i++)
            if (es_shell_has(command, &es_option_table[i]))
                es_buf_printf(out, "%s--%s", put++ ? " " : "", es_option_table[i].name);
        es_buf_puts(out, "\" slots=(");
        for (size_t p = 0; p < ES_SHELL_SLOTS; p++) {
            es_buf words = {0};
            es_shell_slot_words(es_shell_slot(command, p), &words);
            es_buf_printf(out, "%s\"%s\"", p ? " " : "", text_of(&words));
            es_buf_free(&words);
        }
        es_buf_puts(out, ") ;;\n");
    }
}

static void put_list(const char *title, void (*put)(es_buf *), es_buf *out) {
    es_buf words = {0};
    put(&words);
    es_buf_printf(out, "        %s) _embedscope_words \"%s\" ;;\n", title, text_of(&words));
    out->failed |= words.failed;
    es_buf_free(&words);
}

/* Which word is an argument, and which an option's value: "--a b" is one, "--a=b" three words for
 * readline, "--flag b" has an argument behind it. */
static const char begin[] =
    "_embedscope() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command='' pool=.\n"
    "    local options slots i word before='' first=1 at=0 repeated taken=' '\n"
    "    COMPREPLY=()\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=''\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    [[ ' '$_embedscope_commands' ' != *\" ${COMP_WORDS[1]-} \"* || COMP_CWORD -eq 1 ]] || {\n"
    "        command=${COMP_WORDS[1]}\n"
    "        first=2\n"
    "    }\n"
    "    for ((i = first; i < COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [[ $word == -* ]]; then\n"
    "            taken+=\"$word \"\n"
    "        elif [[ $word != = && $before != = && ' '$_embedscope_valued' ' != *\" $before \"* "
    "]]; then\n"
    "            ((at)) || [[ ! -d ${word//\\\\/} ]] || pool=${word//\\\\/}\n"
    "            at=$((at + 1))\n"
    "        fi\n"
    "        before=$word\n"
    "    done\n";
static const char end[] =
    "    _embedscope_value && return\n"
    "    if [[ $cur == -* ]]; then\n"
    "        for word in $options; do\n"
    "            [[ $taken == *\" $word \"* && \" $_embedscope_lists \" != *\" $word \"* ]] ||\n"
    "                _embedscope_words \"$word\"\n"
    "        done\n"
    "        return\n"
    "    fi\n"
    "    ((at < ${#slots[@]})) || at=$((${#slots[@]} - 1))\n"
    "    [[ $command || COMP_CWORD -gt 1 ]] || _embedscope_words \"$_embedscope_commands\"\n"
    "    for word in ${slots[at]}; do\n"
    "        case $word in\n"
    "        folder) _embedscope_paths -d ;;\n"
    "        file) _embedscope_paths -f ;;\n"
    "        embedders) _embedscope_names embedders ;;\n";

static void put_variable(const char *name, bool lists, es_buf *out) {
    const char *before = "";
    es_buf_printf(out, "_embedscope_%s='", name);
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        if (lists ? es_shell_once(option) : option->argument == NULL)
            continue;
        if (option->brief) {
            es_buf_printf(out, "%s-%c", before, option->brief);
            before = " ";
        }
        es_buf_printf(out, "%s--%s", before, option->name);
        before = " ";
    }
    es_buf_puts(out, "'\n");
}

void es_complete_bash(es_buf *out) {
    es_buf commands = {0};
    es_shell_commands(&commands);
    es_buf_puts(out, functions);
    es_buf_printf(out, "_embedscope_commands='%s'\n", text_of(&commands));
    put_variable("valued", false, out);
    put_variable("lists", true, out);
    es_buf_puts(out, "_embedscope_value() {\n    case $prev in\n");
    put_values(out);
    es_buf_puts(out, "    *) return 1 ;;\n    esac\n    return 0\n}\n");
    es_buf_puts(out, begin);
    es_buf_puts(out, "    case $command in\n");
    put_options(out);
    es_buf_puts(out, "    esac\n");
    es_buf_puts(out, end);
    put_list("measures", es_shell_measures, out);
    put_list("views", es_shell_views, out);
    put_list("commands", es_shell_commands, out);
    put_list("lists", es_shell_lists, out);
    es_buf_puts(out, "        esac\n    done\n}\ncomplete -F _embedscope embedscope\n");
    out->failed |= commands.failed;
    es_buf_free(&commands);
}
