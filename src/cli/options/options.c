/* Options read from the words of a command line and from the configuration file, by the one table:
 * names find their row, the row's kind says how the value is read and where it goes. */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedscope/communities.h"

static const es_row_request standard_rows = {ES_ROWS_AUTO_LARGE, ES_ROWS_USUAL_SAMPLE};

void es_options_init(es_options *options) {
    *options = (es_options){.resolution = ES_LOUVAIN_RESOLUTION,
                            .top = 10,
                            .pairs = 20,
                            .rows = standard_rows,
                            .mouse = true};
}

void es_options_free(es_options *options) {
    for (size_t i = 0; i < es_option_count; i++) {
        es_texts *list = (es_texts *)(void *)((char *)options + es_option_table[i].field);
        if (es_option_table[i].kind != ES_OPTION_LIST)
            continue;
        es_free(list->items);
        list->items = NULL; /* two options may fill one list */
    }
    es_free(options->views.items); /* no option's */
    es_words_deinit(&options->kept);
    es_free(options->lines);
    es_options_init(options);
}

static const char *last_kept(const es_options *options) {
    return options->kept.word[options->kept.count - 1];
}

es_status es_options_join(es_options *options, const es_texts *texts, const char **out,
                          es_error *err) {
    if (texts->count == 0) {
        *out = NULL;
        return ES_OK;
    }
    es_buf joined = {0};
    for (size_t i = 0; i < texts->count; i++) {
        es_buf_puts(&joined, i ? "," : "");
        es_buf_puts(&joined, texts->items[i]);
    }
    es_status st = es_buf_check(&joined, err);
    if (st == ES_OK)
        st = es_words_add(&options->kept, joined.data, err);
    if (st == ES_OK)
        *out = last_kept(options);
    es_buf_free(&joined);
    return st;
}

static size_t row_of(const es_option *option) {
    return (size_t)(option - es_option_table);
}

/* A name may mean one thing to one command and another to the next (--theme): that of `groups`
 * first. */
static const es_option *find_long(const char *name, size_t length, unsigned groups) {
    static const char former[] = "hands"; /* of --blocks, before 0.2 */
    const es_option *found = NULL;
    if (length == strlen(former) && strncmp(name, former, length) == 0)
        return find_long("blocks", strlen("blocks"), groups);
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        if (strncmp(option->name, name, length) != 0 || option->name[length] != '\0')
            continue;
        if ((option->group & groups) != 0)
            return option;
        found = found ? found : option;
    }
    return found;
}

static const es_option *find_brief(char letter) {
    for (size_t i = 0; i < es_option_count; i++)
        if (es_option_table[i].brief == letter)
            return &es_option_table[i];
    return NULL;
}

bool es_options_given(const es_options *options, const char *name) {
    const es_option *option = find_long(name, strlen(name), 0);
    return option && options->given[row_of(option)];
}

bool es_options_typed(const es_options *options, const char *name) {
    const es_option *option = find_long(name, strlen(name), 0);
    return option && options->typed[row_of(option)];
}

void es_options_use_scores(es_options *options, const char *scores) {
    const es_option *option = find_long("scores", strlen("scores"), 0);
    options->scores = scores;
    if (option)
        options->given[row_of(option)] = options->typed[row_of(option)] = scores != NULL;
}

static bool takes_value(const es_option *option) {
    return option->kind != ES_OPTION_FLAG && option->kind != ES_OPTION_SET &&
           option->kind != ES_OPTION_WORD;
}

static es_status parse_flag(const es_option *option, const char *text, bool *out, es_error *err) {
    static const char *const yes[] = {"yes", "true", "on", "1"};
    static const char *const no[] = {"no", "false", "off", "0"};
    for (size_t i = 0; i < 4; i++)
        if (text == NULL || strcmp(text, yes[i]) == 0 || strcmp(text, no[i]) == 0) {
            *out = text == NULL || strcmp(text, yes[i]) == 0;
            return ES_OK;
        }
    return es_fail(err, ES_EINVAL, "--%s takes yes or no, not '%s'", option->name, text);
}

/* Decimal digits only: strtoull would also take signs, blanks and wrap negative numbers. */
static es_status parse_whole(const es_option *option, const char *text, uint64_t most,
                             uint64_t *out, es_error *err) {
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > most)
        return es_fail(err, ES_EINVAL, "--%s takes a whole number from 0 to %llu, not '%s'",
                       option->name, (unsigned long long)most, text);
    *out = value;
    return ES_OK;
}

static es_status parse_number(const es_option *option, const char *text, double *out,
                              es_error *err) {
    double value = 0;
    if (!es_text_parse_double(text, strlen(text), &value) ||
        !(value >= option->low && value <= option->high))
        return es_fail(err, ES_EINVAL, "--%s takes a number from %g to %g, not '%s'", option->name,
                       option->low, option->high, text);
    *out = value;
    return ES_OK;
}

static es_status parse_choice(const es_option *option, const char *text, int *out, es_error *err) {
    es_buf known = {0};
    es_suggestion near = {.word = text};
    es_status st = ES_OK;
    for (int i = 0; option->choices[i]; i++) {
        if (option->choices[i][0] == '\0')
            continue;
        if (strcmp(option->choices[i], text) == 0) {
            *out = i;
            goto done;
        }
        es_suggestion_offer(&near, option->choices[i]);
        es_buf_printf(&known, "%s%s", known.length ? ", " : "", option->choices[i]);
    }
    st = es_fail(err, ES_EINVAL, "--%s takes one of %s, not '%s'%s%s%s", option->name,
                 known.data ? known.data : "?", text, near.best ? "; did you mean '" : "",
                 near.best ? near.best : "", near.best ? "'?" : "");
done:
    es_buf_free(&known);
    return st;
}

static es_status parse_span(const es_option *option, const char *text, double *out, es_error *err) {
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
    size_t length = strlen(text);
    double value = 0, unit = 0;
    for (size_t i = 0; length > 1 && i < sizeof units / sizeof *units; i++)
        if (text[length - 1] == units[i].letter)
            unit = units[i].seconds;
    if (unit <= 0 || !es_text_parse_double(text, length - 1, &value) || !(value > 0 && value < 1e7))
        return es_fail(err, ES_EINVAL, "--%s takes a time such as 90s, 10m or 2h, not '%s'",
                       option->name, text);
    *out = value * unit;
    return ES_OK;
}

static es_status parse_bytes(const es_option *option, const char *text, size_t *out,
                             es_error *err) {
    static const char letters[] = "KMGT";
    size_t length = strlen(text);
    const char *letter = length > 1 ? strchr(letters, text[length - 1]) : NULL;
    double value = 0, unit = letter ? pow(1024, (double)(letter - letters) + 1) : 1;
    if (!es_text_parse_double(text, letter ? length - 1 : length, &value) ||
        !(value * unit >= 1 && value * unit < 1e18))
        return es_fail(err, ES_EINVAL, "--%s takes a size such as 2G, 1500M or 800000K, not '%s'",
                       option->name, text);
    *out = (size_t)(value * unit);
    return ES_OK;
}

static es_status append_text(es_texts *texts, const char *text, es_error *err) {
    const char **more = es_realloc(texts->items, texts->count + 2, sizeof *more);
    if (more == NULL)
        return es_no_memory(err);
    texts->items = more;
    texts->items[texts->count++] = text;
    texts->items[texts->count] = NULL;
    return ES_OK;
}

/* Parses the value of an option and stores it in its field. */
static es_status apply_option(es_options *options, const es_option *option, const char *value,
                              es_error *err) {
    void *field = (char *)options + option->field;
    uint64_t number = 0;
    switch (option->kind) {
    case ES_OPTION_FLAG:
        ES_PASS(parse_flag(option, value, field, err));
        break;
    case ES_OPTION_SET: {
        bool on = true;
        ES_PASS(parse_flag(option, value, &on, err));
        if (on)
            *(int *)field = option->constant;
        break;
    }
    case ES_OPTION_TEXT:
        if (value[0] == '\0')
            return es_fail(err, ES_EINVAL, "--%s needs a %s, not an empty text", option->name,
                           option->argument);
        *(const char **)field = value;
        break;
    case ES_OPTION_LIST:
        ES_PASS(append_text(field, value, err));
        break;
    case ES_OPTION_WORD:
        *(const char **)field = value ? value : "";
        break;
    case ES_OPTION_COUNT:
    case ES_OPTION_AXES:
        ES_PASS(parse_whole(option, value, option->high > 0 ? (uint64_t)option->high : UINT32_MAX,
                            &number, err));
        *(size_t *)field = (size_t)number;
        break;
    case ES_OPTION_U64:
        ES_PASS(parse_whole(option, value, UINT64_MAX, &number, err));
        *(uint64_t *)field = number;
        break;
    case ES_OPTION_NUMBER:
        ES_PASS(parse_number(option, value, field, err));
        break;
    case ES_OPTION_CHOICE:
        ES_PASS(parse_choice(option, value, field, err));
        break;
    case ES_OPTION_SPAN:
        ES_PASS(parse_span(option, value, field, err));
        break;
    case ES_OPTION_BYTES:
        ES_PASS(parse_bytes(option, value, field, err));
        break;
    case ES_OPTION_ROWS:
        ES_PASS(es_row_request_parse(value, field, err));
        break;
    }
    options->given[row_of(option)] = true;
    return ES_OK;
}

/* What gives the same without the option that other commands have. */
static const char *in_place_of(const char *command, const char *option) {
    if (strcmp(command, "rank") == 0 && strcmp(option, "top") == 0)
        return "rank lists every embedder; the first five: embedscope rank POOL --csv | head -n 6";
    return NULL;
}

/* The option is known, but not to this command. */
static es_status refuse_foreign(const es_options *options, const es_option *option,
                                const char *command, es_error *err) {
    es_buf owners = {0};
    const char *instead = in_place_of(command, option->name);
    if (instead)
        return es_fail(err, ES_EINVAL, "--%s is not an option of '%s': %s", option->name, command,
                       instead);
    if (options->put_owners)
        options->put_owners(option->group, &owners);
    es_status st = es_fail(err, ES_EINVAL, "--%s is not an option of '%s'; it belongs to %s",
                           option->name, command, owners.data ? owners.data : "nothing");
    es_buf_free(&owners);
    return st;
}

static es_status refuse_unknown(const char *word, unsigned groups, es_error *err) {
    char name[64];
    size_t length = strcspn(word, "=");
    if (length >= sizeof name)
        length = sizeof name - 1;
    memcpy(name, word, length);
    name[length] = '\0';
    es_suggestion near = {.word = name};
    for (size_t i = 0; i < es_option_count; i++)
        if ((es_option_table[i].group & groups) != 0)
            es_suggestion_offer(&near, es_option_table[i].name);
    if (near.best)
        return es_fail(err, ES_EINVAL, "unknown option --%s; did you mean --%s?", name, near.best);
    return es_fail(err, ES_EINVAL, "unknown option --%s; see --help", name);
}

/* Letters of other programs, with the option that they stand for there. */
static es_status refuse_letter(const es_options *options, char letter, unsigned groups,
                               const char *command, const char *word, es_error *err) {
    static const char *const meant[] = {"j:threads", "n:top", "f:format", "r:rows", "t:task"};
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++) {
        const es_option *option = find_long(meant[i] + 2, strlen(meant[i] + 2), groups);
        if (meant[i][0] == letter && option && (option->group & groups) != 0)
            return es_fail(err, ES_EINVAL, "unknown option -%c; did you mean --%s %s?", letter,
                           option->name, option->argument);
        if (meant[i][0] == letter && in_place_of(command, meant[i] + 2))
            return refuse_foreign(options, option, command, err);
    }
    return es_fail(err, ES_EINVAL, "unknown option -%c in '%s'; see --help", letter, word);
}

/* argv[*i] is "--name[=value]"; the value may be the next word. */
static es_status parse_long(es_options *options, unsigned groups, const char *command, int argc,
                            char **argv, int *i, es_error *err) {
    const char *word = argv[*i] + 2;
    size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    const es_option *option = find_long(word, length, groups);
    if (option == NULL && value == NULL && strncmp(word, "no-", 3) == 0) { /* --no-mouse */
        option = find_long(word + 3, length - 3, groups);
        value = "no";
        if (option != NULL && option->kind != ES_OPTION_FLAG)
            option = NULL;
    }
    if (option == NULL)
        return refuse_unknown(word, groups, err);
    if ((option->group & groups) == 0)
        return refuse_foreign(options, option, command, err);
    if (option->kind == ES_OPTION_SET && value)
        return es_fail(err, ES_EINVAL, "--%s takes no value: give it or leave it out",
                       option->name);
    if (option->kind == ES_OPTION_AXES && value == NULL) {
        const char *next = *i + 1 < argc ? argv[*i + 1] : "";
        bool number = next[0] != '\0' && next[strspn(next, "0123456789")] == '\0';
        value = number ? argv[++*i] : "0";
    }
    if (value == NULL && takes_value(option)) {
        if (*i + 1 >= argc)
            return es_fail(err, ES_EINVAL, "--%s needs a value: --%s %s", option->name,
                           option->name, option->argument);
        value = argv[++*i];
    }
    return apply_option(options, option, value, err);
}

/* argv[*i] is "-abc": flags, the last of which may take the rest or the next word as its value. */
static es_status parse_brief(es_options *options, unsigned groups, const char *command, int argc,
                             char **argv, int *i, es_error *err) {
    for (const char *letter = argv[*i] + 1; *letter; letter++) {
        const es_option *option = find_brief(*letter);
        if (option == NULL)
            return refuse_letter(options, *letter, groups, command, argv[*i], err);
        if ((option->group & groups) == 0)
            return refuse_foreign(options, option, command, err);
        if (!takes_value(option)) {
            ES_PASS(apply_option(options, option, NULL, err));
            continue;
        }
        if (letter[1] != '\0')
            return apply_option(options, option, letter + 1, err);
        if (*i + 1 >= argc)
            return es_fail(err, ES_EINVAL, "-%c needs a value: -%c %s", *letter, *letter,
                           option->argument);
        return apply_option(options, option, argv[++*i], err);
    }
    return ES_OK;
}

es_status es_options_parse(es_options *options, unsigned groups, const char *command, int argc,
                           char **argv, const char **arguments, size_t *n_arguments,
                           es_error *err) {
    es_status st = ES_OK;
    size_t n = 0;
    bool only_arguments = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (only_arguments || word[0] != '-' || word[1] == '\0')
            arguments[n++] = word;
        else if (strcmp(word, "--") == 0)
            only_arguments = true;
        else if (word[1] == '-')
            ES_TRY(parse_long(options, groups, command, argc, argv, &i, err));
        else
            ES_TRY(parse_brief(options, groups, command, argc, argv, &i, err));
    }
    *n_arguments = n;
done:
    memcpy(options->typed, options->given, sizeof options->typed);
    return st;
}

es_status es_options_use(es_options *options, const char *name, const char *value, es_error *err) {
    const es_option *option = find_long(name, strlen(name), 0);
    es_status st =
        option ? apply_option(options, option, value, err) : refuse_unknown(name, ~0U, err);
    if (st == ES_OK)
        options->typed[row_of(option)] = true;
    return st;
}

static size_t field_size(const es_option *option) {
    switch (option->kind) {
    case ES_OPTION_FLAG:
        return sizeof(bool);
    case ES_OPTION_SET:
    case ES_OPTION_CHOICE:
        return sizeof(int);
    case ES_OPTION_TEXT:
    case ES_OPTION_WORD:
        return sizeof(const char *);
    case ES_OPTION_LIST:
        return sizeof(es_texts);
    case ES_OPTION_U64:
        return sizeof(uint64_t);
    case ES_OPTION_ROWS:
        return sizeof(es_row_request);
    default:
        return sizeof(size_t);
    }
}

void es_options_forget(es_options *options, const char *name) {
    const es_option *option = find_long(name, strlen(name), 0);
    if (option == NULL)
        return;
    memset((char *)options + option->field, 0, field_size(option));
    if (option->kind == ES_OPTION_ROWS)
        options->rows = standard_rows;
    options->given[row_of(option)] = options->typed[row_of(option)] = false;
}

es_status es_options_expand(es_options *options, es_error *err) {
    char text[40];
    if (!es_options_given(options, "folds"))
        return ES_OK;
    (void)snprintf(text, sizeof text, "folds=%zu", options->folds);
    ES_PASS(es_words_add(&options->kept, text, err));
    size_t set = row_of(find_long("set", strlen("set"), 0));
    options->given[set] = true; /* what names the options that are in force names this one */
    return append_text(&options->settings, last_kept(options), err);
}

/* ---- configuration file ---- */

enum { CONFIG_MOST = 1 << 20 };

static void put_place(const char *path, size_t number, es_error *err) {
    char where[256];
    (void)snprintf(where, sizeof where, "%s:%zu", path, number);
    es_error_prefix(err, where);
}

static char *trim_blanks(char *text) {
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        text[--length] = '\0';
    return text;
}

static es_status add_setting(es_options *options, const char *name, const char *value,
                             es_error *err) {
    es_buf pair = {0};
    es_buf_printf(&pair, "%s=%s", name, value);
    es_status st = es_buf_check(&pair, err);
    if (st == ES_OK)
        st = es_words_add(&options->kept, pair.data, err);
    if (st == ES_OK)
        st = append_text(&options->views, last_kept(options), err);
    es_buf_free(&pair);
    return st;
}

/* A name that is no option may be a setting of the explorer. */
static es_status config_setting(es_options *options, const char *name, const char *value,
                                es_error *err) {
    es_status st = options->check_setting ? options->check_setting(name, value, err) : ES_ENOTFOUND;
    if (st == ES_ENOTFOUND) {
        es_error as_option = {0};
        (void)refuse_unknown(name, ~0U, &as_option);
        if (err && (!options->check_setting || strstr(as_option.message, "did you mean")))
            *err = as_option;
        return ES_EINVAL;
    }
    return st == ES_OK ? add_setting(options, name, value, err) : st;
}

/* Remembers on which line of the configuration file an option stands. */
static es_status note_line(es_options *options, const es_option *option, const char *value,
                           size_t number, es_error *err) {
    es_config_line *larger =
        es_grow(options->lines, options->n_lines, &options->lines_room, sizeof *larger);
    if (!larger)
        return es_no_memory(err);
    options->lines = larger;
    options->lines[options->n_lines++] = (es_config_line){row_of(option), number, value};
    return ES_OK;
}

/* One line, already cut out and writable; it stays in memory as long as the options. */
static es_status config_line(es_options *options, es_options *ignored, const bool *command_line,
                             unsigned groups, char *line, size_t number, es_error *err) {
    char *text = trim_blanks(line);
    if (text[0] == '\0' || text[0] == '#')
        return ES_OK;
    char *equals = strchr(text, '=');
    if (equals == NULL)
        return es_fail(err, ES_EFORMAT, "expected 'option = value', found '%s'", text);
    *equals = '\0';
    const char *name = trim_blanks(text), *value = trim_blanks(equals + 1);
    const es_option *option = find_long(name, strlen(name), 0);
    if (option == NULL)
        return config_setting(options, name, value, err);
    if (option->command_line_only)
        return es_fail(err, ES_EFORMAT, "'%s' can only be given on the command line", name);
    bool foreign = (option->group & groups) == 0;
    if (foreign && options->check_setting && options->check_setting(name, value, NULL) == ES_OK) {
        es_status st = add_setting(options, name, value, err); /* the order of a matrix is both */
        if (st != ES_OK)
            return st;
    }
    bool unused = foreign || command_line[row_of(option)];
    es_status st = apply_option(unused ? ignored : options, option, value, err);
    return st == ES_OK && !unused ? note_line(options, option, value, number, err) : st;
}

es_status es_options_read_config(es_options *options, unsigned groups, const char *path,
                                 es_error *err) {
    es_status st = ES_OK;
    char *text = NULL;
    es_options ignored; /* values are checked even where they are not used */
    es_options_init(&ignored);
    size_t length = 0;
    ES_TRY(es_words_add(&options->kept, path, err));
    options->config_path = last_kept(options);
    ES_TRY(es_file_read(path, 0, CONFIG_MOST, &text, &length, err));
    ES_TRY(es_words_take(&options->kept, text, err));
    ES_FAIL_IF(strlen(text) != length,
               es_fail(err, ES_EFORMAT, "%s: holds NUL bytes; not a configuration file", path));
    bool command_line[ES_OPTIONS_MOST];
    memcpy(command_line, options->given, sizeof command_line);
    /* --json, --csv and --format set one field: either of them on the command line wins */
    for (size_t i = 0; i < es_option_count; i++)
        for (size_t j = 0; j < es_option_count; j++)
            if (options->given[i] && es_option_table[i].field == es_option_table[j].field)
                command_line[j] = true;
    size_t number = 1, mark = strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (char *line = text + mark; line; number++) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        st = config_line(options, &ignored, command_line, groups, line, number, err);
        if (st != ES_OK) {
            put_place(path, number, err);
            if (err && st == ES_EINVAL)
                err->code = ES_EFORMAT;
            st = st == ES_EINVAL ? ES_EFORMAT : st;
            goto done;
        }
        line = next;
    }
done:
    es_options_free(&ignored);
    return st;
}

/* ---- what is found wrong later on ---- */

/* True if the message names the option outside a command that it proposes. */
static bool names_option(const char *message, const char *name) {
    size_t length = strlen(name);
    bool command = false;
    for (const char *at = message; *at; at++) {
        command = command != (*at == '`');
        if (!command && strncmp(at, "--", 2) == 0 && strncmp(at + 2, name, length) == 0 &&
            strcspn(at + 2, " ,;:'=`)") == length)
            return true;
    }
    return false;
}

static bool has_quoted(const char *message, const char *text, size_t length) {
    for (const char *at = strchr(message, '\''); at; at = strchr(at + 1, '\''))
        if (length > 0 && strncmp(at + 1, text, length) == 0 && at[length + 1] == '\'')
            return true;
    return false;
}

/* "key=" where a word begins */
static bool has_assignment(const char *message, const char *key, size_t length) {
    for (const char *at = message; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (length > 0 && strncmp(at, key, length) == 0 && at[length] == '=')
            return true;
    return false;
}

/* A setting, or several with blanks between. */
static bool names_setting(const char *message, const char *value) {
    for (const char *at = value; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        size_t length = strcspn(at, "= ");
        if (has_quoted(message, at, length) || has_assignment(message, at, length))
            return true;
    }
    return false;
}

static bool is_about(const es_config_line *line, const char *message) {
    const es_option *option = &es_option_table[line->row];
    bool of_settings = option->field == offsetof(es_options, settings);
    bool counts_folds = option->field == offsetof(es_options, folds); /* --set folds=K */
    return names_option(message, option->name) ||
           (option->kind == ES_OPTION_TEXT &&
            has_quoted(message, line->value, strlen(line->value))) ||
           (of_settings && names_setting(message, line->value)) ||
           (counts_folds && names_setting(message, option->name));
}

static bool is_blamed(const es_options *options, const char *message) {
    size_t length = options->config_path ? strlen(options->config_path) : 0;
    return length > 0 && strncmp(message, options->config_path, length) == 0 &&
           message[length] == ':';
}

void es_options_blame(const es_options *options, es_error *err) {
    if (!err || is_blamed(options, err->message))
        return;
    for (size_t i = options->n_lines; i-- > 0;) /* the last one counts */
        if (is_about(&options->lines[i], err->message)) {
            put_place(options->config_path, options->lines[i].number, err);
            return;
        }
}

void es_options_blame_for(const es_options *options, const char *name, es_error *err) {
    const es_option *option = find_long(name, strlen(name), 0);
    for (size_t i = options->n_lines; option && i-- > 0;)
        if (es_option_table[options->lines[i].row].field == option->field) {
            put_place(options->config_path, options->lines[i].number, err);
            return;
        }
}
