/* `embedscope estimate`: all missing pairs of a pool. */
#include <stdio.h>

#include "command.h"
#include "estimate.h"
#include "matrix_out.h"
#include "output.h"
#include "progress.h"
#include "session_cli.h"

#include "buf.h"
#include "embedscope/pool.h"

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
    ES_TRY(es_cli_wait(cli, session, err)); /* the pool is checked and worth a start */
    es_cli_note_excluded(cli, session);
    ES_TRY(es_session_start(session, err));
    ES_TRY(es_cli_wait(cli, session, err));
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

static es_status print_summary(const es_cli *cli, es_session *session, es_error *err) {
    es_buf out = {0};
    es_progress progress;
    char time[32];
    es_pool *pool = es_session_pool(session);
    es_session_progress(session, &progress);
    if (progress.elapsed < 60)
        (void)snprintf(time, sizeof time, "%.1f s", progress.elapsed);
    else
        (void)es_duration_text(time, sizeof time, progress.elapsed);
    es_buf_printf(&out, "%s: %zu embedders, %zu rows; ", es_pool_name(pool), es_pool_usable(pool),
                  es_pool_rows(pool));
    for (size_t entry = 0; entry < es_session_plan(session); entry++) {
        const es_config *config = es_session_config(session, entry);
        es_buf_printf(&out, "%s%s %s", entry ? ", " : "", config->estimator->name, config->preset);
    }
    es_buf_printf(&out, "\n%zu pairs: %zu estimated in %s, %zu from the store, %zu failed\n",
                  progress.total, progress.done - progress.reused, time, progress.reused,
                  progress.failed);
    es_status st = es_output_write(cli, &out, err);
    es_buf_free(&out);
    return st;
}

es_status es_cmd_estimate(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    es_status st = ES_OK;
    es_output_format format = es_output_format_of(cli, ES_FORMAT_DEFAULT);
    ES_TRY(es_cli_open(cli, ES_ACCESS_ESTIMATE, false, &session, err));
    ES_TRY(es_estimate_all(cli, session, err));
    size_t entry = es_session_best(session);
    if (format == ES_FORMAT_DEFAULT || entry == SIZE_MAX)
        ES_TRY(print_summary(cli, session, err));
    else
        ES_TRY(es_matrix_write(cli, session, entry, format, err));
    ES_TRY(es_session_store_problem(session, err)); /* said last: what was asked for is printed */
done:
    if (session)
        es_session_close(session);
    return st;
}
