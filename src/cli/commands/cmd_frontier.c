/* `embedscope frontier`: how small an embedder may be. */
#include <math.h>
#include <string.h>

#include "cmd.h"
#include "cli_reports.h"
#include "cli_session.h"

/* Of a sheet: what is not begun by then comes with the next one. */
static const double SHEET_SECONDS = 1;

typedef struct asked {
    es_session *session;
    const es_results *names;
    size_t *model; /* (count) positions; those that were measured come first */
    size_t count, known;
    es_frontier_of *of; /* (known) */
    es_frontier_report *report;
} asked;

static void asked_deinit(asked *a) {
    es_frontier_report_free(a->report);
    es_free(a->of);
    es_free(a->model);
    es_session_close(a->session);
}

/* "A,B"; without names everybody but controls and derived ones. */
static es_status choose(es_cli *cli, asked *a, es_error *err) {
    char *names = cli->n_arguments > 1 ? es_strdup(cli->arguments[1]) : NULL;
    es_status st = ES_OK;
    a->model = es_alloc(a->names->m + 1, sizeof *a->model);
    ES_FAIL_IF(!a->model || (cli->n_arguments > 1 && !names), es_no_memory(err));
    for (size_t i = 0; !names && i < a->names->m; i++)
        if (!es_is_control(a->names->family[i]) && !es_results_is_derived(a->names, i))
            a->model[a->count++] = i;
    for (char *at = names, *next; at; at = next) {
        size_t position = 0, seen = 0;
        next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        ES_TRY(es_cli_model(cli, a->session, 0, at, &position, err));
        while (seen < a->count && a->model[seen] != position)
            seen++;
        a->model[seen] = position;
        a->count += seen == a->count;
    }
    ES_FAIL_IF(a->count == 0, es_fail(err, ES_EEMPTY,
                                      "frontier: all embedders are controls or derived; name some: "
                                      "embedscope frontier %s A,B",
                                      cli->arguments[0]));
done:
    es_free(names);
    return st;
}

/* Puts what was measured first, with a note on who could not be. */
static void part_known(es_cli *cli, asked *a) {
    size_t left = 0;
    for (size_t i = 0; i < a->count; i++) {
        size_t model = a->model[i], count;
        const char *problem;
        bool known = es_session_frontier(a->session, model, &count, &problem) != NULL;
        if (problem)
            es_output_note(cli, "%s is left out: %s", a->names->name[model], problem);
        else if (known) { /* a rotation, so that both keep their order */
            memmove(a->model + a->known + 1, a->model + a->known, (left) * sizeof *a->model);
            a->model[a->known++] = model;
        } else
            a->model[a->known + left++] = model;
    }
    a->count = a->known + left;
}

/* cost (known) of a column of models.csv. */
static es_status read_costs(es_cli *cli, asked *a, es_error *err) {
    const char *column = cli->options->against;
    const es_scores *known = NULL;
    size_t at = 0;
    ES_PASS(es_pool_models(es_session_pool(a->session), &known, err));
    if (!known)
        return es_fail(err, ES_ENOTFOUND,
                       "frontier: --against %s: the pool has no models.csv; put one beside the "
                       "embedders, with the columns model,%s",
                       column, column);
    while (at < known->tasks && strcmp(known->task[at], column) != 0)
        at++;
    if (at == known->tasks)
        return es_cli_unknown_name(cli, "column of models.csv", column,
                                   (const char *const *)known->task, known->tasks, err);
    for (size_t i = 0; i < a->known; i++) {
        size_t row = es_scores_find(known, a->of[i].name);
        if (row != SIZE_MAX)
            a->of[i].cost = known->value[row * known->tasks + at];
    }
    return ES_OK;
}

/* Makes the report of the frontier from measured compressions and the ranking. */
static es_status make_report(es_cli *cli, asked *a, es_error *err) {
    size_t entry = es_session_predictive(a->session);
    const es_results *pairs = entry != SIZE_MAX ? es_session_results(a->session, entry) : NULL;
    a->of = es_alloc(a->known + 1, sizeof *a->of);
    if (!a->of)
        return es_no_memory(err);
    for (size_t i = 0; i < a->known; i++) {
        size_t model = a->model[i], count;
        const char *problem;
        a->of[i] =
            (es_frontier_of){.name = a->names->name[model],
                             .d = a->names->dim[model],
                             .kept = es_session_frontier(a->session, model, &count, &problem),
                             .others = pairs ? es_frontier_others(pairs, model) : (double)NAN,
                             .cost = (double)NAN};
    }
    if (cli->options->against)
        ES_PASS(read_costs(cli, a, err));
    return es_frontier_report_new(a->of, a->known, cli->options->bytes, cli->options->against,
                                  &a->report, err);
}

es_status es_cmd_frontier(es_cli *cli, es_error *err) {
    asked a = {0};
    es_status st = ES_OK;
    if (es_options_given(cli->options, "bytes") && cli->options->bytes == 0)
        return es_usage(cli, err, "frontier: --bytes takes a number of bytes from 1 on");
    ES_TRY(es_cli_open(cli, ES_ACCESS_MEASURE, false, &a.session, err));
    ES_TRY(es_cli_wait_checked(cli, a.session, err));
    es_cli_note_excluded(cli, a.session);
    a.names = es_session_results(a.session, 0);
    ES_TRY(choose(cli, &a, err));
    bool in_parts = cli->sheet && es_session_store_path(a.session); /* what is measured stays */
    ES_TRY(
        es_session_frontier_start(a.session, a.model, a.count, in_parts ? SHEET_SECONDS : 0, err));
    ES_TRY(es_cli_wait_checked(cli, a.session, err));
    part_known(cli, &a);
    ES_FAIL_IF(a.known == 0, es_fail(err, ES_EEMPTY, "frontier: no embedder could be compressed"));
    ES_TRY(make_report(cli, &a, err));
    if (cli->sheet)
        cli->sheet->partial = a.count > a.known;
    const es_frontier_view view = {.session = a.session,
                                   .names = a.names,
                                   .report = a.report,
                                   .model = a.model,
                                   .pending = a.count - a.known,
                                   .rows = es_session_frontier_rows(a.session),
                                   .tasks = es_session_frontier_tasks(a.session)};
    ES_TRY(es_frontier_write(cli, &view, err));
done:
    asked_deinit(&a);
    return st;
}
