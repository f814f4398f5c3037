/* `embedscope series`: checkpoints of a run, or a model and what was tuned from it, over their
 * steps.
 */
#include "cmd.h"

#include "cli_reports.h"
#include "cli_session.h"

typedef struct measured_of {
    const es_measured *measured;
    const es_results *names, *ranked;
} measured_of;

static double value_of(const void *context, size_t field, size_t before, size_t model) {
    const measured_of *of = context;
    const es_measured *m = of->measured;
    size_t at = es_results_find(of->names, of->ranked->name[model]);
    if (before == SIZE_MAX)
        return m->value[at * m->width + field].value;
    size_t from = es_results_find(of->names, of->ranked->name[before]);
    return es_measured_matrix(m, field)[from * m->m + at].value;
}

static es_status add_measures(const es_choices *choices, es_session *session,
                              const es_series_of *of, es_series *series, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < choices->count && st == ES_OK; i++) {
        const es_choice *c = &choices->item[i];
        const es_measure *m = c->measured->measure;
        const measured_of of_measure = {c->measured, es_session_results(session, 0), of->results};
        char name[160];
        for (size_t f = 0; f < m->n_fields && st == ES_OK; f++)
            if (c->field == SIZE_MAX ? !m->fields[f].fact && (f == 0 || !m->pair) : c->field == f)
                st = es_series_add(series, es_choice_name(c, f, name, sizeof name), m->pair != NULL,
                                   value_of, &of_measure, f, err);
    }
    return st;
}

static es_status open_pool(es_cli *cli, es_session **session, es_choices *choices, es_error *err) {
    size_t entry = 0;
    if (cli->n_arguments < 2)
        return es_cli_open_stored(cli, true, session, &entry, err);
    ES_PASS(es_measure_open(cli, true, session, err));
    ES_PASS(es_cli_best(cli, *session, &entry, err));
    ES_PASS(es_export_attach(cli, *session, entry, err));
    ES_PASS(es_measure_choose(cli, *session, cli->arguments[1], choices, err));
    return es_measure_compute(cli, *session, choices, err);
}

static es_status list_models(const es_pool *pool, const es_model ***out, es_error *err) {
    size_t count = es_pool_count(pool);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    *out = es_alloc(count + 1, sizeof **out);
    if (*out == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < count; i++)
        (*out)[i] = es_pool_model(pool, i);
    return ES_OK;
}

es_status es_cmd_series(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    es_choices choices = {0};
    es_series series = {0};
    es_rank_report *report = NULL;
    es_scores own = {0};
    const es_scores *scores = NULL;
    const es_model **model = NULL;
    es_status st = ES_OK;
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    ES_TRY(open_pool(cli, &session, &choices, err));
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    ES_TRY(es_cli_scores(cli, session, &own, &scores, err));
    ES_TRY(list_models(es_session_pool(session), &model, err));
    const es_series_of of = {report->results,  model, report->score, report->ranking->score,
                             report->decision, scores};
    ES_TRY(es_series_new(&of, &series, err));
    ES_FAIL_IF(series.runs == 0,
               es_fail(err, ES_EEMPTY,
                       "%s: no series; name checkpoints RUN@STEP (run@1000.npy, run@2000.npy), or "
                       "give \"series\" and \"step\" in pool.json",
                       es_pool_name(es_session_pool(session))));
    ES_TRY(add_measures(&choices, session, &of, &series, err));
    ES_TRY(es_series_write(cli, &(es_series_view){session, report, &of, &series}, err));
    ES_TRY(es_session_store_problem(session, err));
done:
    es_series_deinit(&series);
    es_free(model);
    es_rank_report_free(report);
    es_scores_deinit(&own);
    es_choices_deinit(&choices);
    es_session_close(session);
    return st;
}

/* `embedscope tuned`: embedders beside what was tuned from them. */

/* models.csv, where it has a column of bases. */
static es_status read_bases(const es_cli *cli, es_session *session, es_family_file *out,
                            es_error *err) {
    es_error why = {0};
    char *path = NULL;
    es_status st = es_pool_beside(es_session_pool(session), "models.csv", &path, err);
    if (st != ES_OK || !path)
        return st;
    st = es_model_words_read(path, ES_MODEL_BASE, 0, out, &why);
    es_free(path);
    if (st == ES_ENOMEM)
        return es_no_memory(err);
    if (st != ES_OK && st != ES_EEMPTY && st != ES_ENOTFOUND)
        es_output_note(cli, "models.csv is not used: %s", why.message);
    return ES_OK;
}

es_status es_cmd_tuned(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    es_rank_report *report = NULL;
    es_tuned tuned = {0};
    es_family_file bases = {0};
    es_scores own = {0};
    const es_scores *scores = NULL;
    size_t entry = 0;
    es_status st = ES_OK;
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    ES_TRY(es_cli_open_stored(cli, true, &session, &entry, err));
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    ES_TRY(es_cli_scores(cli, session, &own, &scores, err));
    ES_TRY(read_bases(cli, session, &bases, err));
    ES_TRY(es_tuned_new(report, &bases, scores, &tuned, err));
    ES_FAIL_IF(
        tuned.count == 0,
        es_fail(
            err, ES_EEMPTY,
            "%s: no embedder and what was tuned from it; name them NAME and NAME-tuned, or give "
            "models.csv the columns model and base",
            es_pool_name(es_session_pool(session))));
    if (tuned.absent > 0)
        es_output_note(cli, "models.csv: %zu base%s not in the pool", tuned.absent,
                       tuned.absent == 1 ? " is" : "s are");
    ES_TRY(es_tuned_write(cli, &(es_tuned_view){session, report, &tuned}, err));
done:
    es_tuned_deinit(&tuned);
    es_family_file_deinit(&bases);
    es_rank_report_free(report);
    es_scores_deinit(&own);
    es_session_close(session);
    return st;
}
