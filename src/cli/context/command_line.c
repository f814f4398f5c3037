/* The command line that gives the same document again: options as they are in force, each under its
 * own name, quoted for a shell where that is needed. */
#include "cli_context.h"

#include <stdio.h>
#include <string.h>

static es_status add_two(es_words *words, const char *name, const char *value, es_error *err) {
    char option[64];
    (void)snprintf(option, sizeof option, "--%s", name);
    es_status st = es_words_add(words, option, err);
    return st == ES_OK && value ? es_words_add(words, value, err) : st;
}

/* One option as it is in force. */
static es_status add_option(es_words *words, const es_options *options, const es_option *option,
                            es_error *err) {
    const void *field = (const char *)options + option->field;
    es_buf text = {0};
    es_status st = ES_OK;
    switch (option->kind) {
    case ES_OPTION_FLAG:
        return *(const bool *)field ? add_two(words, option->name, NULL, err) : ES_OK;
    case ES_OPTION_SET:  /* its other name says the same */
    case ES_OPTION_WORD: /* of one call */
        return ES_OK;
    case ES_OPTION_LIST: {
        const es_texts *texts = field;
        for (size_t i = 0; st == ES_OK && i < texts->count; i++)
            st = add_two(words, option->name, texts->items[i], err);
        return st;
    }
    case ES_OPTION_TEXT:
        es_buf_puts(&text, *(const char *const *)field);
        break;
    case ES_OPTION_COUNT:
    case ES_OPTION_BYTES:
    case ES_OPTION_AXES:
        es_buf_printf(&text, "%zu", *(const size_t *)field);
        break;
    case ES_OPTION_U64:
        es_buf_printf(&text, "%llu", (unsigned long long)*(const uint64_t *)field);
        break;
    case ES_OPTION_NUMBER:
        es_buf_put_double(&text, *(const double *)field);
        break;
    case ES_OPTION_CHOICE:
        es_buf_puts(&text, option->choices[*(const int *)field]);
        break;
    case ES_OPTION_SPAN:
        es_buf_put_double(&text, *(const double *)field);
        es_buf_putc(&text, 's');
        break;
    case ES_OPTION_ROWS:
        es_row_request_put(field, &text);
        break;
    }
    st = es_buf_check(&text, err);
    if (st == ES_OK)
        st = add_two(words, option->name, text.data ? text.data : "", err);
    es_buf_free(&text);
    return st;
}

/* What changes no document, and what is given in another way: --format, --folds (a --set). */
static bool is_idle(const es_option *option) {
    static const char *const idle[] = {"config",    "help",   "version", "quiet", "refresh",
                                       "null",      "format", "json",    "csv",   "folds",
                                       "estimator", "preset", NULL};
    for (size_t i = 0; idle[i]; i++)
        if (strcmp(option->name, idle[i]) == 0)
            return true;
    return false;
}

es_status es_words_add_options(es_words *words, const es_options *options, unsigned groups,
                               es_error *err) {
    const char *estimator = options->estimator, *preset = options->preset;
    if (estimator && (groups & ES_OPTIONS_ESTIMATOR) != 0)
        ES_PASS(add_two(words, "estimator", estimator, err));
    if (preset && strcmp(preset, "default") != 0 && (groups & ES_OPTIONS_ESTIMATOR) != 0)
        ES_PASS(add_two(words, "preset", preset, err));
    for (size_t i = 0; i < es_option_count; i++)
        if (options->given[i] && (es_option_table[i].group & groups) != 0 &&
            !is_idle(&es_option_table[i]))
            ES_PASS(add_option(words, options, &es_option_table[i], err));
    return ES_OK;
}

es_status es_sets_begin(const es_cli *cli, const es_data_list *list, const char *command,
                        const char *view, es_words *out, es_error *err) {
    es_options opened = *cli->options;
    unsigned groups = cli->command->groups & es_command_find(cli->commands, command)->groups;
    bool sets = list->set.word[0][0] != '\0';
    es_words words = {0};
    es_status st = ES_OK;
    if (strcmp(command, "estimate") != 0)
        opened.estimator = opened.preset = NULL; /* as `rank` chooses them */
    es_options_forget(&opened, "scores");
    es_options_forget(&opened, "set-rows");
    ES_TRY(es_words_add(&words, "embedscope", err));
    ES_TRY(es_words_add(&words, command, err));
    for (size_t k = 0; k < list->count; k++) {
        const char *path = list->path.word[k];
        bool again = k > 0 && strcmp(path, list->path.word[k - 1]) == 0;
        if (!again)
            ES_TRY(es_words_add(&words, path, err));
    }
    if (view)
        ES_TRY(es_words_add(&words, view, err));
    if (sets)
        ES_TRY(add_two(&words, "set-rows", "all", err));
    ES_TRY(es_words_add_options(&words, &opened, groups, err));
    *out = words;
    words = (es_words){0};
done:
    es_words_deinit(&words);
    return st;
}

es_status es_rows_begin(const es_cli *cli, const char *command, bool scores, es_words *out,
                        es_error *err) {
    es_options opened = *cli->options;
    unsigned groups = cli->command->groups & es_command_find(cli->commands, command)->groups;
    es_words words = {0};
    es_status st = ES_OK;
    opened.estimator = opened.preset = NULL; /* what is best there */
    if (!scores)
        es_options_forget(&opened, "scores");
    ES_TRY(es_words_add(&words, "embedscope", err));
    ES_TRY(es_words_add(&words, command, err));
    if (opened.matrix == NULL)
        ES_TRY(es_words_add(&words, cli->n_arguments > 0 ? cli->arguments[0] : ".", err));
    ES_TRY(es_words_add_options(&words, &opened, groups, err));
    *out = words;
    words = (es_words){0};
done:
    es_words_deinit(&words);
    return st;
}

/* Commands by their names. The table itself is above, in the room of the commands, and is handed
 * down: what a command needs of another one it finds here. */

const es_subcommand *es_command_find(const es_subcommands *commands, const char *name) {
    for (size_t i = 0; i < commands->count; i++) {
        if (strcmp(commands->item[i].name, name) == 0)
            return &commands->item[i];
        for (const char *const *alias = commands->item[i].aliases; alias && *alias; alias++)
            if (strcmp(*alias, name) == 0)
                return &commands->item[i];
    }
    return NULL;
}

bool es_command_reads(const es_subcommand *command, const es_option *option) {
    static const char *const of_matrix[] = {"matrix", "blocks"};
    if (strcmp(option->name, "ranking") == 0 && !command->of_rankings)
        return false;
    for (size_t i = 0; i < sizeof of_matrix / sizeof *of_matrix; i++)
        if (strcmp(option->name, of_matrix[i]) == 0 && command->of_vectors)
            return false;
    for (const char *const *name = command->unread; name && *name; name++)
        if (strcmp(*name, option->name) == 0)
            return false;
    return (option->group & command->groups) != 0;
}
