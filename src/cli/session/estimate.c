/* Estimating in the foreground: the pool is checked, the missing pairs are started and waited for,
 * and failures are reported. */
#include "cli_session.h"

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
