/* The plan of a run as lines "option=value", read and written with the command line's own table of
 * options, so that the explorer's run dialog cannot ask for what the command line does not know. */
#include "cli_session.h"

#include <string.h>

static const char *const parts[] = {"estimator", "preset", "rows", "seed", "threads", "set", NULL};

/* Settings last: --folds is one of them by now. */
static void forget(es_options *options) {
    for (size_t i = 0; parts[i]; i++)
        es_options_forget(options, parts[i]);
    es_options_forget(options, "folds");
}

es_status es_plan_text(const es_options *options, const es_session *session, es_buf *out,
                       es_error *err) {
    const es_config *first = es_session_config(session, 0);
    if (es_session_plan(session) == 1 && first && first->estimator)
        es_buf_printf(out, "estimator=%s\n", first->estimator->name);
    const char *preset = es_session_plan(session) > 1 ? options->preset
                         : first                      ? first->preset
                                                      : NULL;
    if (preset && strcmp(preset, "default") != 0)
        es_buf_printf(out, "preset=%s\n", preset);
    if (es_options_given(options, "rows")) {
        es_buf_puts(out, "rows=");
        es_row_request_put(&options->rows, out);
        es_buf_putc(out, '\n');
    }
    if (options->seed > 0)
        es_buf_printf(out, "seed=%llu\n", (unsigned long long)options->seed);
    if (options->threads > 0)
        es_buf_printf(out, "threads=%zu\n", options->threads);
    for (size_t i = 0; i < options->settings.count; i++)
        es_buf_printf(out, "set=%s\n", options->settings.items[i]);
    return es_buf_check(out, err);
}

es_status es_plan_use(es_options *options, char *text, es_error *err) {
    es_status st = ES_OK;
    forget(options);
    for (char *line = text, *next = NULL; st == ES_OK && line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        char *value = strchr(line, '=');
        if (value == NULL)
            return es_fail(err, ES_EINVAL, "'%s': expected option=value", line);
        *value++ = '\0';
        st = es_options_use(options, line, value, err);
    }
    return st;
}

es_status es_plan_check(const char *text, es_error *err) {
    es_options options;
    es_options_init(&options);
    char *copy = es_strdup(text);
    es_status st = ES_OK;
    if (copy == NULL)
        st = es_no_memory(err);
    else
        st = es_plan_use(&options, copy, err);
    if (st == ES_OK) {
        const es_session_options wanted = {.pool = {.rows = options.rows},
                                           .estimator = options.estimator,
                                           .preset = options.preset,
                                           .settings = options.settings.items,
                                           .seed = options.seed,
                                           .threads = (unsigned)options.threads};
        st = es_session_check(&wanted, err);
    }
    es_options_free(&options);
    es_free(copy);
    return st;
}

es_status es_plan_begin(const es_cli *cli, es_words *out, es_error *err) {
    const es_options *o = cli->options;
    es_options rest = *o;
    es_words words = {0};
    es_status st = ES_OK;
    if (o->matrix)
        return ES_OK;
    forget(&rest);
    ES_TRY(es_words_add(&words, "embedscope", err));
    ES_TRY(es_words_add(&words, "estimate", err));
    ES_TRY(es_words_add(&words, cli->n_arguments > 0 ? cli->arguments[0] : ".", err));
    if (es_options_typed(o, "config")) {
        ES_TRY(es_words_add(&words, "--config", err));
        ES_TRY(es_words_add(&words, o->config, err));
    }
    if (o->null)
        ES_TRY(es_words_add(&words, "--null", err));
    if (o->refresh)
        ES_TRY(es_words_add(&words, "--refresh", err));
    ES_TRY(es_words_add_options(&words, &rest, es_command_find(cli->commands, "estimate")->groups,
                                err));
    *out = words;
    words = (es_words){0};
done:
    es_words_deinit(&words);
    return st;
}
