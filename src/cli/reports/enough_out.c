#include "enough_out.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "document.h"
#include "lookup.h"
#include "rank_choices.h"
#include "output.h"
#include "pictures.h"
#include "results_rank.h"
#include "rank_report.h"
#include "table_out.h"

#include "alloc.h"
#include "coverage.h"
#include "json.h"

static es_status write_table(const es_cli *cli, const es_table_out *table, es_output_format format,
                             es_buf *out, es_error *err) {
    return es_table_out_write(table, format, es_output_width(cli), out, err);
}

/* ---- the curve ---- */

#define BAND(k, t)                                                                                 \
    {.key = (k), .title = (t), .kind = ES_COLUMN_NUMBER, .decimals = 3},                           \
        {.key = k "_low", .title = "low", .kind = ES_COLUMN_NUMBER, .decimals = 3}, {              \
        .key = k "_high", .title = "high", .kind = ES_COLUMN_NUMBER, .decimals = 3                 \
    }

static const es_out_column curve_columns[] = {
    {.key = "targets", .title = "targets", .kind = ES_COLUMN_COUNT, .flags = ES_COLUMN_KEY},
    BAND("agreement", "agreement"),
    BAND("reliability", "reliability"),
    BAND("deviation", "deviation"),
};

static void put_band(es_table_out *table, const es_band *band) {
    es_table_out_number(table, band->mean);
    es_table_out_number(table, band->low);
    es_table_out_number(table, band->high);
}

/* Downstream scores by position in the results, of the task that --against names. */
static es_status read_task(es_cli *cli, es_session *session, const es_results *results, double *out,
                           es_error *err) {
    es_status st = ES_OK;
    es_scores own = {0};
    const es_scores *scores = NULL;
    size_t task = 0, known = 0;
    ES_TRY(es_cli_scores(cli, session, &own, &scores, err));
    if (scores == NULL) {
        st = es_usage(cli, err, "--against %s: there are no downstream scores",
                      cli->options->against);
        goto done;
    }
    while (task < scores->tasks && strcmp(scores->task[task], cli->options->against) != 0)
        task++;
    if (task == scores->tasks) {
        st = es_cli_unknown_name(cli, "task", cli->options->against,
                                 (const char *const *)scores->task, scores->tasks, err);
        goto done;
    }
    for (size_t i = 0; i < results->m; i++) {
        out[i] = NAN;
        for (size_t k = 0; k < scores->models; k++)
            if (strcmp(scores->model[k], results->name[i]) == 0)
                out[i] = es_score_turned(scores, k, task);
        known += isfinite(out[i]) != 0;
    }
    if (known < 3)
        st = es_fail(err, ES_EFORMAT,
                     "--against %s: %zu embedders have that score under their own name, 3 are "
                     "needed",
                     cli->options->against, known);
done:
    es_scores_deinit(&own);
    return st;
}

/* The matrix in which higher is better. */
static double *turned(const es_results *results) {
    size_t n = results->m * results->m;
    double *out = es_alloc(n, sizeof *out), sign = es_rank_lower_is_better(results) ? -1 : 1;
    for (size_t i = 0; out && i < n; i++)
        out[i] = sign * results->is[i];
    return out;
}

static es_status make_curve(es_cli *cli, es_session *session, const es_results *results,
                            es_pool_curve **out, es_error *err) {
    es_status st = ES_OK;
    es_rank_report *report = NULL;
    double *is = turned(results), *against = es_alloc(results->m, sizeof *against);
    uint32_t *order = es_alloc(results->m, sizeof *order);
    if (is == NULL || against == NULL || order == NULL) {
        st = es_no_memory(err);
        goto done;
    }
    if (cli->options->against)
        ES_TRY(read_task(cli, session, results, against, err));
    ES_TRY(es_rank_by_name(results, order, err));
    const es_rank_choices how = es_rank_choices_of(cli->options, false);
    ES_TRY(es_rank_report_new(results, &how, &report, err));
    const es_pool_curve_options options = {.rule = report->rule,
                                           .order = order,
                                           .against = cli->options->against ? against : NULL,
                                           .seed = cli->options->seed};
    ES_TRY(es_pool_curve_new(is, results->m, &options, NULL, out, err));
done:
    es_rank_report_free(report);
    es_free(is);
    es_free(against);
    es_free(order);
    return st;
}

static void put_curve(const es_cli *cli, es_session *session, size_t entry,
                      const es_pool_curve *curve, const es_table_out *table, es_buf *out) {
    es_json json;
    es_json_init(&json, out, 2);
    es_document_begin(&json, cli, session, entry);
    es_json_text(&json, "aggregate", es_aggregate_names[cli->options->aggregate]);
    es_json_bool(&json, "include_self", cli->options->include_self);
    es_json_bool(&json, "leave_family_out", cli->options->leave_family_out);
    es_json_text(&json, "against", cli->options->against);
    es_table_out_json(table, &json, "curve");
    es_document_count(&json, "enough", curve->enough ? curve->enough : SIZE_MAX);
    es_document_end(&json);
}

static void put_curve_caption(const es_cli *cli, const es_pool_curve *curve, es_buf *out) {
    const char *task = cli->options->against;
    es_buf_printf(out,
                  "\nagreement: spearman with %s%s when so many random targets vote;\nlow and "
                  "high: 95 %% of draws\n",
                  task ? "the task " : "the ranking by all targets", task ? task : "");
    es_buf_puts(out,
                "reliability: spearman between two rankings whose targets have none in common\n"
                "deviation: mean change of a score, nats per dimension\n");
    if (task == NULL && curve->enough)
        es_buf_printf(out, "%zu targets are enough for an agreement of 0.9 in 97.5 %% of draws\n",
                      curve->enough);
    else if (task == NULL)
        es_buf_puts(out, "the pool is too small for an agreement of 0.9 in 97.5 % of draws\n");
}

es_status es_curve_write(es_cli *cli, es_session *session, size_t entry, es_output_format format,
                         es_error *err) {
    es_status st = ES_OK;
    es_buf out = {0};
    es_pool_curve *curve = NULL;
    es_table_out *table = NULL;
    ES_TRY(make_curve(cli, session, es_session_results(session, entry), &curve, err));
    table = es_table_out_new(curve_columns, sizeof curve_columns / sizeof *curve_columns);
    if (table == NULL) {
        st = es_no_memory(err);
        goto done;
    }
    for (size_t i = 0; i < curve->points; i++) {
        es_table_out_count(table, curve->point[i].size);
        put_band(table, &curve->point[i].agreement);
        put_band(table, &curve->point[i].reliability);
        put_band(table, &curve->point[i].deviation);
    }
    if (es_format_is_picture(format))
        ES_TRY(es_picture_curve(cli, curve, cli->options->against, format, &out, err));
    else if (format == ES_FORMAT_JSON)
        put_curve(cli, session, entry, curve, table, &out);
    else if (format != ES_FORMAT_TABLE || curve->points > 0)
        ES_TRY(write_table(cli, table, format, &out, err));
    if (format == ES_FORMAT_TABLE)
        put_curve_caption(cli, curve, &out);
    ES_TRY(es_output_write(cli, &out, err));
done:
    es_pool_curve_free(curve);
    es_table_out_free(table);
    es_buf_free(&out);
    return st;
}

/* ---- coverage ---- */

static const es_out_column cover_columns[] = {
    {.key = "step", .title = "step", .kind = ES_COLUMN_COUNT},
    {.key = "model", .title = "model", .flags = ES_COLUMN_KEY},
    {.key = "dim", .title = "dim", .kind = ES_COLUMN_COUNT},
    {.key = "dims", .title = "dims so far", .kind = ES_COLUMN_COUNT},
    {.key = "gain", .title = "gain", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "covered", .title = "covered", .kind = ES_COLUMN_COUNT},
    {.key = "of", .title = "of", .kind = ES_COLUMN_COUNT},
    {.key = "mean", .title = "mean cover", .kind = ES_COLUMN_NUMBER, .decimals = 3},
};

static es_table_out *cover_table(const es_results *results, const es_cover_step *step,
                                 size_t steps) {
    es_table_out *table =
        es_table_out_new(cover_columns, sizeof cover_columns / sizeof *cover_columns);
    size_t dims = 0;
    for (size_t i = 0; table && i < steps; i++) {
        size_t dim = results->dim[step[i].model];
        dims += dim;
        es_table_out_count(table, i + 1);
        es_table_out_text(table, results->name[step[i].model]);
        es_table_out_count(table, dim ? dim : SIZE_MAX);
        es_table_out_count(table, dim ? dims : SIZE_MAX);
        es_table_out_number(table, step[i].gain);
        es_table_out_count(table, step[i].covered);
        es_table_out_count(table, results->m);
        es_table_out_number(table, step[i].mean);
    }
    return table;
}

static void put_cover(const es_cli *cli, es_session *session, size_t entry,
                      const es_table_out *table, es_buf *out) {
    es_json json;
    es_json_init(&json, out, 2);
    es_document_begin(&json, cli, session, entry);
    es_json_double(&json, "coverage", cli->options->coverage);
    es_table_out_json(table, &json, "steps");
    es_document_end(&json);
}

es_status es_coverage_write(es_cli *cli, es_session *session, size_t entry, es_output_format format,
                            es_error *err) {
    es_status st = ES_OK;
    es_buf out = {0};
    es_table_out *table = NULL;
    size_t steps = 0;
    const es_results *results = es_session_results(session, entry);
    if (es_format_is_picture(format))
        return es_usage(cli, err, "--coverage is a table, not a picture: csv, json, md or tex");
    if (es_rank_lower_is_better(results))
        return es_usage(cli, err, "%s is an error: --coverage needs --estimator linear or knife",
                        results->estimator->name);
    es_cover_step *step = es_alloc(results->m, sizeof *step);
    uint32_t *order = es_alloc(results->m, sizeof *order);
    if (step == NULL || order == NULL) {
        st = es_no_memory(err);
        goto done;
    }
    ES_TRY(es_rank_by_name(results, order, err));
    ES_TRY(es_cover_greedy(results->is, results->m, cli->options->coverage, results->dim, order,
                           step, &steps, err));
    table = cover_table(results, step, steps);
    if (table == NULL) {
        st = es_no_memory(err);
        goto done;
    }
    if (format == ES_FORMAT_JSON)
        put_cover(cli, session, entry, table, &out);
    else
        ES_TRY(write_table(cli, table, format, &out, err));
    if (format == ES_FORMAT_TABLE)
        es_buf_printf(&out,
                      "\n%zu embedder%s cover%s at least %g %% of each of the %zu; covered: "
                      "targets that\nhave reached it; gain: what the step adds to the sum of "
                      "covers\n",
                      steps, steps == 1 ? "" : "s", steps == 1 ? "s" : "",
                      100 * cli->options->coverage, results->m);
    ES_TRY(es_output_write(cli, &out, err));
done:
    es_table_out_free(table);
    es_free(step);
    es_free(order);
    es_buf_free(&out);
    return st;
}
