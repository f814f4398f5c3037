/* `embedscope estimate`: all missing pairs of a pool. */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "cli_session.h"
#include "cli_reports.h"

static bool said; /* of the run that is on: there is one at a time */

/* The bottom line, once the predictive score is complete: the estimators that follow do not change
 * it. */
static void say_bottom_line(const es_cli *cli, es_session *session, es_buf *out) {
    es_cli asked = *cli;
    es_answer answer = {0};
    size_t entry = es_session_predictive(session);
    if (said || entry == SIZE_MAX || es_session_plan(session) < 2 ||
        !es_session_entry_known(session, entry))
        return;
    said = true;
    if (es_cli_answer(&asked, session, false, &answer, NULL) == ES_OK)
        es_buf_puts(out, answer.line->sentence);
    es_answer_deinit(&answer);
}

static es_status print_summary(const es_cli *cli, es_session *session, es_error *err) {
    es_buf out = {0};
    es_progress progress;
    char time[32], label[ES_PATH_LABEL], count[ES_COUNT_TEXT];
    es_pool *pool = es_session_pool(session);
    es_session_progress(session, &progress);
    if (progress.elapsed < 60)
        (void)snprintf(time, sizeof time, "%.1f s", progress.elapsed);
    else
        (void)es_duration_text(time, sizeof time, progress.elapsed);
    es_buf_printf(&out, "%s: %s, %zu rows; ", es_pool_name(pool),
                  es_pool_count_text(pool, count, sizeof count), es_pool_rows(pool));
    for (size_t entry = 0; entry < es_session_plan(session); entry++) {
        const es_config *config = es_session_config(session, entry);
        es_buf_printf(&out, "%s%s %s", entry ? ", " : "", config->estimator->name, config->said);
    }
    es_buf_printf(&out, "\n%zu pairs: %zu estimated in %s, %zu from the store, %zu failed\n",
                  progress.total, progress.done - progress.reused, time, progress.reused,
                  progress.failed);
    es_ranks_put(cli, &out);
    es_cli asked = *cli;
    es_answer answer = {0};
    if (cli->options->shard) /* of a part of the pairs there is no ranking */
        es_buf_printf(&out, "share %s, in %s; when all are there: embedscope merge %s STORE...\n",
                      cli->options->shard, es_session_store_path(session),
                      es_path_label(label, cli->n_arguments > 0 ? cli->arguments[0] : "."));
    else if (es_session_best(session) != SIZE_MAX &&
             es_cli_answer(&asked, session, true, &answer, NULL) == ES_OK) {
        es_buf_putc(&out, '\n');
        es_bottom_line_put(cli, &answer, &out);
    }
    es_answer_deinit(&answer);
    es_status st = es_output_write(cli, &out, err);
    es_buf_free(&out);
    return st;
}

/* Widths are stored for the ranking, whatever is printed here. */
static void store_widths(const es_cli *cli, es_session *session) {
    es_cli asked = *cli;
    es_answer answer = {0};
    if (!cli->options->shard)
        (void)es_cli_answer(&asked, session, true, &answer, NULL);
    es_answer_deinit(&answer);
}

static es_status estimate_one(es_cli *cli, es_error *err) {
    if (cli->options->dry_run)
        return es_outlook_write(cli, err);
    es_session *session = NULL;
    es_status st = ES_OK;
    es_output_format format = es_output_format_of(cli, ES_FORMAT_DEFAULT);
    said = false;
    cli->watch = say_bottom_line;
    ES_TRY(es_estimate_pool(cli, &session, err));
    size_t entry = es_session_best(session);
    if (format == ES_FORMAT_DEFAULT || entry == SIZE_MAX)
        ES_TRY(print_summary(cli, session, err));
    else {
        store_widths(cli, session);
        ES_TRY(es_matrix_write(cli, session, entry, format, err));
    }
    ES_TRY(es_session_store_problem(session, err)); /* said last: what was asked for is printed */
done:
    es_session_close(session);
    return st;
}

/* A misspelt name is reported before anything is estimated; what cannot be opened says why when it
 * is its turn. */
static es_status check_names(es_cli *cli, const es_data_list *list, es_error *err) {
    const es_pool_options options = {
        .models = cli->models, .exclude = cli->exclude, .may_be_empty = true};
    es_status st = ES_OK;
    if (cli->models == NULL && cli->exclude == NULL)
        return ES_OK;
    es_named_models_begin(cli);
    for (size_t k = 0; k < list->count && st == ES_OK; k++) {
        es_pool *pool = NULL;
        if (es_pool_open(list->path.word[k], &options, &pool, NULL) == ES_OK)
            st = es_named_models_check(cli, pool, err);
        es_pool_close(pool);
    }
    return st == ES_OK ? es_named_models_end(cli, err) : st;
}

/* Messages about a pool mostly begin with its name. */
static void tell_failed(const es_cli *cli, const char *name, const char *message) {
    size_t length = strlen(name);
    bool named = strncmp(message, name, length) == 0 && message[length] == ':';
    es_output_fault(cli, "%s%s%s", named ? "" : name, named ? "" : ": ", message);
}

/* One after the other. One that cannot be estimated keeps the others from nothing: it is reported,
 * and the exit code tells. */
es_status es_estimate_data_sets(es_cli *cli, es_error *err) {
    es_data_list list = {0};
    es_status st = ES_OK;
    int worst = ES_EXIT_OK;
    size_t failed = 0;
    ES_TRY(es_data_list_of(cli, &list, err));
    ES_TRY(check_names(cli, &list, err));
    for (size_t k = 0; k < list.count; k++) {
        es_options options;
        const char *path[2];
        es_error why = {0};
        es_cli one = es_data_list_open(cli, &list, k, &options, path);
        options.format = ES_FORMAT_DEFAULT; /* no matrices one after the other */
        es_output_note(cli, "%s (%zu of %zu)", list.name.word[k], k + 1, list.count);
        st = estimate_one(&one, &why);
        worst = one.exit_code > worst ? one.exit_code : worst;
        if (st == ES_ECANCELED || (st != ES_OK && cli->options->strict)) {
            cli->exit_code = one.exit_code;
            (void)es_fail(err, st, "%s", why.message);
            goto done;
        }
        if (st != ES_OK)
            tell_failed(cli, list.name.word[k], why.message);
        failed += st != ES_OK;
    }
    cli->exit_code = worst > ES_EXIT_OK || failed == 0 ? worst : ES_EXIT_FAILED_PAIRS;
    st = ES_OK;
    if (failed == list.count)
        st = es_fail(err, ES_EEMPTY, "none of the %zu data sets could be estimated", list.count);
done:
    es_data_list_deinit(&list);
    return st;
}

static es_status estimate(es_cli *cli, es_error *err) {
    bool several = false;
    es_status st = es_data_list_asked(cli, &several, err);
    if (cli->options->budget > 0)
        cli->until = es_clock_now() + cli->options->budget;
    if (st == ES_OK && several && cli->options->sweep.count > 0)
        return es_usage(cli, err, "--sweep is of one pool or set");
    if (st == ES_OK && cli->options->sweep.count > 0 && cli->options->shard)
        return es_usage(
            cli, err, "estimate: --shard does not go with --sweep: give one value of the setting");
    if (st == ES_OK && cli->options->dry_run && (several || cli->options->sweep.count > 0))
        return es_usage(cli, err, "estimate: --dry-run takes one pool or set, without --sweep");
    if (st == ES_OK && cli->options->nodes > 0 && !cli->options->dry_run)
        return es_usage(cli, err,
                        "estimate: --nodes belongs to --dry-run; machines share a pool "
                        "by --shard, or by `embedscope slurm`");
    if (st == ES_OK && cli->options->sweep.count > 0)
        return es_sweep_write(cli, true, err);
    if (st != ES_OK || !several)
        return st == ES_OK ? estimate_one(cli, err) : st;
    if (cli->options->shard || cli->options->store)
        return es_usage(cli, err, "estimate: --shard and --store take one pool or set");
    if (es_output_asked(cli))
        return es_usage(cli, err,
                        "estimate: --json and other formats are the matrix of one pool or set");
    return es_estimate_data_sets(cli, err);
}

/* Of several ranks, the first one's command is all of it. */
es_status es_cmd_estimate(es_cli *cli, es_error *err) {
    const es_options *given = cli->options;
    es_options options;
    bool served = false;
    es_status st = es_ranks_join(cli, &options, &served, err);
    if (st == ES_OK && !served)
        st = estimate(cli, err);
    es_ranks_leave(cli, st != ES_ECANCELED);
    cli->options = given;
    return st;
}
