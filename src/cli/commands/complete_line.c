/* What a command line may go on with: for shells, whose own scripts only ask (`names line`), so
 * that completion knows the tables that the program runs on. */
#include "cmd.h"

#include <string.h>

/* What was typed before the word in question. */
typedef struct line {
    const es_subcommand *command;
    const char *const *word;
    size_t n;  /* words before the one in question */
    size_t at; /* which argument of the command that is, from 0 */
    const char *pool;
    const es_option *valued; /* whose value it is; NULL: none's */
} line;

/* Of an option as it is typed, "--theme", "--theme=dark" or "-o"; NULL: the command has none. */
static const es_option *find_option(const es_subcommand *command, const char *word) {
    size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        bool named = length > 0 ? strncmp(option->name, word + 2, length) == 0 &&
                                      option->name[length] == '\0'
                                : word[0] == '-' && word[1] && option->brief == word[1];
        if (named && es_command_reads(command, option))
            return option;
    }
    return NULL;
}

/* "--a b" and "--a=b" are an option and its value; some shells say '=' as a word of its own. */
static line read_line(const char *const *word, size_t n) {
    const es_subcommand *command = n > 0 ? es_command_find(es_cli_commands(), word[0]) : NULL;
    line l = {.word = word, .n = n, .pool = "."};
    bool first = true;
    l.command = command ? command : es_command_find(es_cli_commands(), "");
    for (size_t i = command != NULL; i < n; i++) {
        const es_option *option = find_option(l.command, word[i]);
        if (option && option->argument && !strchr(word[i], '=')) {
            i += i + 1 < n && strcmp(word[i + 1], "=") == 0 ? 2 : 1;
            l.valued = i >= n ? option : NULL;
        } else if (word[i][0] != '-') {
            if (first && es_path_is_folder(word[i])) {
                l.pool = word[i];
                first = false;
            }
            l.at++;
        }
    }
    return l;
}

static bool is_on_line(const line *l, const es_option *option) {
    for (size_t i = 0; i < l->n; i++)
        if (find_option(l->command, l->word[i]) == option)
            return true;
    return false;
}

/* ---- values of options ---- */

static void put(const char *before, const char *text, const char *behind, es_buf *out) {
    es_buf_printf(out, "%s%s%s\n", before, text, behind);
}

/* A name that estimators share is put once. */
static void put_once(const char *before, const char *name, const char *behind, es_buf *out) {
    es_buf own = {0};
    es_buf_printf(&own, "\n%s%s%s\n", before, name, behind);
    if (!own.failed && !strstr(out->data ? out->data : "", own.data))
        es_buf_puts(out, own.data + 1);
    es_buf_end(&own, out);
}

static void put_settings(const char *before, es_buf *out) {
    for (size_t e = 0; es_estimators[e]; e++)
        for (size_t i = 0; i < es_estimators[e]->n_settings; i++)
            put_once(before, es_estimators[e]->settings[i].key, "=", out);
}

static void put_presets(const char *before, es_buf *out) {
    for (size_t e = 0; es_estimators[e]; e++)
        for (const es_preset *p = es_estimators[e]->presets; p && p->name; p++)
            put_once(before, p->name, "", out);
}

/* Options whose values have names, by what help calls the value. */
static const struct {
    const char *argument, *list;
    bool many;
} named[] = {{"GLOB[,GLOB]", "embedders", true},
             {"MODEL", "embedders", false},
             {"A [B]", "embedders", false},
             {"OTHER", "embedders", false},
             {"TASK", "tasks", false}};

/* True if the typed list "a,b,..." has this name already. */
static bool is_named(const char *typed, const char *name) {
    size_t length = strlen(name);
    for (const char *at = typed, *end; at && (end = strchr(at, ',')) != NULL; at = end + 1)
        if ((size_t)(end - at) == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

/* typed: a list that goes on, whose names are not said again, or NULL. */
static void put_list(const char *list, const char *before, const char *typed, const line *l,
                     es_buf *out) {
    es_buf names = {0};
    (void)es_names_put(list, l->pool, &names, NULL); /* without a pool there are none */
    for (char *at = names.data, *end; at && (end = strchr(at, '\n')) != NULL; at = end + 1) {
        *end = '\0';
        if (!is_named(typed, at))
            put(before, at, "", out);
    }
    es_buf_free(&names);
}

/* The value of an option, of which `typed` is there; each begins with `before`. */
static void put_value(const line *l, const es_option *option, const char *before, const char *typed,
                      es_buf *out) {
    const char *name = option->name, *argument = option->argument;
    if (strcmp(argument, "DIR") == 0 || strncmp(argument, "FILE", 4) == 0) {
        es_buf_puts(out, argument[0] == 'D' ? "folders\n" : "files\n");
        return;
    }
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const char *last = strrchr(typed, ',');
        es_buf all = {0};
        if (strcmp(argument, named[i].argument) != 0)
            continue;
        es_buf_puts(out, named[i].many ? "many\n" : "\n");
        es_buf_puts(&all, before);
        if (named[i].many && last)
            es_buf_printf(&all, "%.*s", (int)(last + 1 - typed), typed);
        put_list(named[i].list, all.data ? all.data : "", named[i].many ? typed : NULL, l, out);
        es_buf_end(&all, out);
        return;
    }
    es_buf_putc(out, '\n');
    if (strcmp(name, "theme") == 0)
        put_list(option->group == ES_OPTIONS_EXPORT ? "looks" : "themes", before, NULL, l, out);
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        if (option->choices[i][0])
            put(before, option->choices[i], "", out);
    for (size_t e = 0; strcmp(name, "estimator") == 0 && es_estimators[e]; e++)
        put(before, es_estimators[e]->name, "", out);
    if (strcmp(name, "preset") == 0)
        put_presets(before, out);
    if (strcmp(name, "set") == 0)
        put_settings(before, out);
    if (strcmp(name, "score") == 0) {
        put(before, "predictive", "", out);
        put(before, "published", "", out);
    }
    if (strcmp(name, "score") == 0 || strcmp(name, "measure") == 0)
        put_list("measures", before, NULL, l, out);
}

static void put_options(const line *l, es_buf *out) {
    es_buf_putc(out, '\n');
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        if (es_command_reads(l->command, option) &&
            (option->kind == ES_OPTION_LIST || !is_on_line(l, option)))
            es_buf_printf(out, "--%s\t%s\n", option->name, option->help);
    }
}

/* ---- arguments of commands ---- */

/* What help calls an argument, and what it may be: a folder, a file, a list of `names`, a command.
 */
static const struct {
    const char *argument, *is;
} slots[] = {{"POOL", "folders"},  {"PATH", "folders"}, {"A", "embedders"},
             {"B", "embedders"},   {"C", "embedders"},  {"SOURCE", "embedders"},
             {"NAME", "measures"}, {"VIEW", "views"},   {"COMMAND", "commands"},
             {"LIST", "lists"}};
enum { SLOTS = sizeof slots / sizeof *slots, MOST = 8 };

static const char *slot_of(const char *word, size_t length) {
    for (size_t i = 0; i < SLOTS; i++)
        if (strlen(slots[i].argument) == length && strncmp(word, slots[i].argument, length) == 0)
            return slots[i].is;
    return "files"; /* STORE, MODEL.safetensors */
}

/* What argument `position` may be, from how help writes the arguments of the command; returns how
 * many things. */
static size_t read_slot(const es_subcommand *command, size_t position, const char *is[MOST]) {
    const char *kind[MOST] = {0};
    size_t count = 0, repeated = MOST, first; /* which one may stand any number of times */
    for (const char *at = command->arguments; *at && count < MOST;) {
        size_t word = strcspn(at, " "), open = at[0] == '[';
        size_t length = strspn(at + open, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        const char *tail = at + open + length;
        if (strncmp(tail, "...", 3) == 0) /* a word of its own stands for the one before */
            repeated = length ? count : count - 1;
        if (length)
            kind[count++] = tail[0] == '.' && tail[1] != '.' ? "files" : slot_of(at + open, length);
        at += word + strspn(at + word, " ");
    }
    first = position <= repeated ? position : repeated;
    size_t end = position <= repeated ? position + 1 : count, n = 0;
    for (size_t i = first; i < end && i < count; i++)
        is[n++] = kind[i];
    return n;
}

static void put_commands(bool about, es_buf *out) {
    for (size_t i = 0; i < es_cli_commands()->count; i++)
        if (es_cli_commands()->item[i].name[0])
            es_buf_printf(out, "%s%s%s\n", es_cli_commands()->item[i].name, about ? "\t" : "",
                          about ? es_cli_commands()->item[i].summary : "");
}

static void put_argument(const line *l, es_buf *out) {
    const char *is[MOST];
    size_t n = read_slot(l->command, l->at, is);
    bool files = false, folders = false;
    for (size_t i = 0; i < n; i++) {
        files = files || strcmp(is[i], "files") == 0;
        folders = folders || strcmp(is[i], "folders") == 0;
    }
    es_buf_printf(out, "%s%s\n", folders ? "folders " : "", files ? "files" : "");
    if (l->n == 0)
        put_commands(true, out);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(is[i], "commands") == 0) {
            put_commands(false, out);
            for (size_t k = 0; es_help_topic_at(k); k++)
                put("", es_help_topic_at(k), "", out);
        } else if (strcmp(is[i], "lists") == 0)
            for (size_t k = 0; es_names_list(k); k++)
                put("", es_names_list(k), "", out);
        else if (strcmp(is[i], "files") != 0 && strcmp(is[i], "folders") != 0)
            put_list(is[i], "", NULL, l, out);
    }
}

void es_complete_line(const char *const *word, size_t n, es_buf *out) {
    const char *typed = n > 0 ? word[n - 1] : "";
    line l = read_line(word, n > 0 ? n - 1 : 0);
    const char *equals = strncmp(typed, "--", 2) == 0 ? strchr(typed, '=') : NULL;
    const es_option *own = equals ? find_option(l.command, typed) : NULL;
    if (l.valued) {
        put_value(&l, l.valued, "", strcmp(typed, "=") == 0 ? "" : typed, out);
    } else if (own && own->argument) {
        es_buf before = {0};
        es_buf_printf(&before, "%.*s", (int)(equals + 1 - typed), typed);
        put_value(&l, own, before.data ? before.data : "", equals + 1, out);
        es_buf_end(&before, out);
    } else if (typed[0] == '-') {
        put_options(&l, out);
    } else {
        put_argument(&l, out);
    }
}
