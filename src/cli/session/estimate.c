/* Estimating in the foreground: the pool is checked, the missing pairs are started and waited for,
 * and failures are reported. */
#include "cli_session.h"

#include <string.h>

#include "cli_out.h"

enum { MOST_FAILURES = 5 };

/* The first failures by name, the rest by number. */
static void report_failures(const es_cli *cli, const es_session *session) {
    size_t said = 0, failed = 0;
    for (size_t entry = 0; entry < es_session_plan(session); entry++) {
        const es_results *r = es_session_results(session, entry);
        for (size_t i = 0; r && i < r->m * r->m; i++) {
            if (r->state[i] != ES_PAIR_FAILED)
                continue;
            failed++;
            if (said++ < MOST_FAILURES)
                es_output_note(cli, "%s: %s -> %s: %s", r->estimator->name, r->name[i / r->m],
                               r->name[i % r->m], r->reason[i]);
        }
        for (size_t t = 0; r && t < r->m; t++) {
            if (r->null[t].state != ES_PAIR_FAILED)
                continue;
            failed++;
            if (said++ < MOST_FAILURES)
                es_output_note(cli, "%s: zero line of %s: %s", r->estimator->name, r->name[t],
                               r->null[t].reason);
        }
    }
    if (failed > MOST_FAILURES)
        es_output_note(cli, "%zu more pairs failed; `embedscope matrix --json` has them all",
                       failed - MOST_FAILURES);
}

es_status es_estimate_all(es_cli *cli, es_session *session, es_error *err) {
    es_status st = ES_OK;
    es_progress progress;
    ES_TRY(es_ranks_open_early(cli, session, err));
    ES_TRY(es_cli_wait(cli, session, err)); /* the pool is checked and worth a start */
    es_cli_note_excluded(cli, session);
    es_cli_note_kinds(cli, session, SIZE_MAX);
    ES_TRY(es_ranks_begin(cli, session, err));
    st = es_session_start(session, err);
    if (st == ES_OK)
        st = es_cli_wait(cli, session, err);
    es_ranks_end(cli);
    ES_TRY(st);
    report_failures(cli, session);
    es_session_progress(session, &progress);
    if (progress.failed > 0)
        cli->exit_code = ES_EXIT_FAILED_PAIRS;
    ES_TRY(es_session_stopped(session, err));
done:
    if (st == ES_ECANCELED)
        es_output_note(cli, "interrupted; finished pairs are kept, the same command continues");
    return st;
}

/* The plan of a run as lines "option=value", read and written with the command line's own table of
 * options, so that the explorer's run dialog cannot ask for what the command line does not know. */

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

/* "embedscope estimate POOL". */
static es_status add_estimate(const es_cli *cli, es_words *words, es_error *err) {
    const char *pool = cli->n_arguments > 0 ? cli->arguments[0] : ".";
    return es_words_add_all(words, (const char *const[]){"embedscope", "estimate", pool, NULL},
                            err);
}

es_status es_plan_begin(const es_cli *cli, es_words *out, es_error *err) {
    const es_options *o = cli->options;
    es_options rest = *o;
    es_words words = {0};
    es_status st = ES_OK;
    if (o->matrix)
        return ES_OK;
    forget(&rest);
    ES_TRY(add_estimate(cli, &words, err));
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

/* What is stored beside what was asked for, and the command that makes the latter. */

void es_stored_runs_put(const es_session *session, es_buf *out) {
    es_pool *pool = es_session_pool((es_session *)(uintptr_t)session);
    es_store *store = NULL;
    if (!pool || es_store_open(es_pool_path(pool), true, &store, NULL) != ES_OK)
        return;
    (void)es_store_runs_put(store, es_session_seed(session), es_pool_rowset(pool), out, NULL);
    es_store_close(store);
}

/* --preset alone means the estimator that has it: the plan found it. */
es_status es_stored_runs_remedy(const es_cli *cli, const es_session *session, es_buf *out,
                                es_error *err) {
    es_options asked = *cli->options;
    es_words words = {0};
    es_status st = ES_OK;
    if (asked.preset && !asked.estimator && es_session_plan(session) > 0)
        asked.estimator = es_session_config(session, 0)->estimator->name;
    ES_TRY(add_estimate(cli, &words, err));
    ES_TRY(es_words_add_options(&words, &asked, ES_OPTIONS_POOL | ES_OPTIONS_ESTIMATOR, err));
    es_words_put(&words, out);
    st = es_buf_check(out, err);
done:
    es_words_deinit(&words);
    return st;
}
