/* A sample of rows that grows: one session a size, each over the pool as it is then, by the plan's
 * first estimator; what is stored of a size is not estimated again. */
#include "cli_session.h"

#include "cli_out.h"

/* Notes about the samples, while there are any. */
typedef struct growing {
    es_cli *cli;
    es_cli stage;
    es_options options; /* of a stage */
    es_sampling sampling;
    es_growth_record record;
    double seconds; /* of the last stage */
} growing;

/* The plan's first estimator alone: what the ranking stands on. */
static void begin(growing *g, es_cli *cli) {
    *g = (growing){.cli = cli, .stage = *cli, .options = *cli->options};
    g->stage.options = &g->options;
    g->stage.watch = NULL;
    if (g->options.estimator == NULL) {
        g->options.estimator = es_session_standard[0].estimator;
        g->options.preset = es_session_standard[0].preset;
    }
    g->options.null = false;
}

static bool is_complete(const es_session *session) {
    const es_results *r = es_session_results(session, 0);
    return r != NULL && r->done + r->failed == r->m * r->m && r->m > 0;
}

/* One sample, as far as the budget allows. *complete: all its pairs are known. */
static es_status estimate_stage(growing *g, es_session *session, bool *complete, es_error *err) {
    double began = es_clock_now();
    es_status st = es_estimate_all(&g->stage, session, err);
    g->cli->exit_code = g->stage.exit_code;
    g->seconds = es_clock_now() - began;
    *complete = st == ES_OK && is_complete(session);
    return st;
}

/* Reads from the store whether an earlier run ended with this sample. */
static es_status recall(es_session *session, es_growth_record *out, bool *ended, es_error *err) {
    es_growth_record *list = NULL;
    size_t count = 0, rows = es_pool_rows(es_session_pool(session));
    es_status st = es_session_growth_list(session, &list, &count, err);
    *ended = st == ES_OK && count > 0 && list[count - 1].rows == rows &&
             list[count - 1].end != ES_GROWTH_ON && list[count - 1].end != ES_GROWTH_TIME;
    if (*ended)
        *out = list[count - 1];
    es_free(list);
    return st;
}

/* Finds whether more rows would change the ranking, from the store or anew, and reports it. */
static es_status judge_sample(growing *g, es_session *session, es_error *err) {
    es_buf text = {0};
    bool ended = false;
    es_status st = g->options.refresh ? ES_OK : recall(session, &g->record, &ended, err);
    if (st == ES_OK && !ended)
        st = es_sampling_look(&g->sampling, session, &g->record, err);
    if (st == ES_OK) {
        es_growth_put(&g->record, &text);
        if (text.length > 0)
            es_output_note(g->cli, "%s", text.data);
    }
    es_buf_free(&text);
    return st;
}

/* Twice the rows take at least twice as long. */
static bool has_time(const growing *g) {
    return g->cli->until <= 0 || es_clock_now() + 2 * g->seconds < g->cli->until;
}

/* The size to begin with: what is stored, unless nothing is. */
static es_status open_first(growing *g, es_session **out, es_error *err) {
    g->options.rows = g->options.refresh ? (es_row_request){ES_ROWS_SAMPLE, ES_ROWS_FIRST_SAMPLE}
                                         : (es_row_request){ES_ROWS_AUTO, ES_ROWS_FIRST_SAMPLE};
    return es_cli_open(&g->stage, ES_ACCESS_ESTIMATE, true, out, err);
}

static es_status open_next(growing *g, size_t rows, es_session **out, es_error *err) {
    g->options.rows = (es_row_request){ES_ROWS_SAMPLE, rows};
    return es_cli_open(&g->stage, ES_ACCESS_ESTIMATE, true, out, err);
}

/* A stage of which nothing is left to be done is what was asked for: a plan of one estimator. */
static bool is_whole(const growing *g, const es_session *session) {
    const es_options *o = g->cli->options;
    return o->estimator != NULL && !o->null && is_complete(session);
}

/* Grows until nothing more is to be taken; *rows is the size to settle on. *last: the session that
 * is the whole run already, NULL: there is none. */
static es_status grow(growing *g, size_t *rows, es_session **last, es_error *err) {
    es_session *session = NULL;
    size_t known = 0;
    es_status st = ES_OK;
    ES_TRY(open_first(g, &session, err));
    for (;;) {
        bool complete = false;
        ES_TRY(estimate_stage(g, session, &complete, err));
        if (!complete && known == 0) { /* nothing to compare: what there is, is shown */
            known = es_pool_rows(es_session_pool(session));
            break;
        }
        if (!complete)
            break;
        ES_TRY(judge_sample(g, session, err));
        known = g->record.rows;
        if (g->record.end != ES_GROWTH_ON)
            break;
        if (!has_time(g)) {
            g->record.end = ES_GROWTH_TIME;
            ES_TRY(es_session_growth_put(session, &g->record, err));
            es_output_note(g->cli, "no time is left for twice as many rows (--budget)");
            break;
        }
        size_t whole = es_pool_rows_whole(es_session_pool(session));
        es_session_close(session);
        session = NULL;
        ES_TRY(open_next(g, 2 * known < whole ? 2 * known : whole, &session, err));
    }
    *rows = known;
    if (is_whole(g, session) && es_pool_rows(es_session_pool(session)) == known) {
        *last = session;
        session = NULL;
    }
done:
    es_session_close(session);
    return st;
}

es_status es_estimate_pool(es_cli *cli, es_session **out, es_error *err) {
    es_session *session = NULL;
    growing g = {0};
    es_options options = *cli->options;
    es_cli whole = *cli;
    size_t rows = 0;
    es_status st = ES_OK;
    ES_TRY(es_cli_open(cli, ES_ACCESS_ESTIMATE, true, &session, err));
    es_pool *pool = es_session_pool(session);
    if (pool && es_pool_chooses_rows(pool)) {
        es_session_close(session);
        session = NULL;
        begin(&g, cli);
        ES_TRY(grow(&g, &rows, &session, err));
        if (session)
            goto done;
        whole.options = &options;
        options.rows = (es_row_request){ES_ROWS_SAMPLE, rows};
        ES_TRY(es_cli_open(&whole, ES_ACCESS_ESTIMATE, true, &session, err));
    }
    st = es_estimate_all(&whole, session, err);
    cli->exit_code = whole.exit_code;
    if (st == ES_OK && cli->until > 0 && es_clock_now() >= cli->until &&
        es_session_phase(session) != ES_PHASE_DONE)
        es_output_note(cli, "time is up (--budget); finished pairs are kept, the same command goes "
                            "on");
done:
    es_sampling_deinit(&g.sampling);
    if (st == ES_OK)
        *out = session;
    else if (session)
        es_session_close(session);
    return st;
}
