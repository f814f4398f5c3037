/* The ranking as a document: scores with their intervals, who is tied with whom, and on how many
 * pairs each stands. */
#include "rank_out.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "document.h"
#include "export_note.h"
#include "output.h"
#include "rank_choices.h"
#include "pictures.h"
#include "captions.h"
#include "rank_report.h"
#include "table_out.h"

#include "json.h"

static const es_out_column columns[] = {
    {.key = "rank", .title = "rank", .kind = ES_COLUMN_COUNT},
    {.key = "model", .title = "model", .flags = ES_COLUMN_KEY},
    {.key = "score", .title = "score", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "ci_low",
     .title = "95 % low",
     .brief = "low",
     .kind = ES_COLUMN_NUMBER,
     .decimals = 3,
     .flags = ES_COLUMN_NO_TEX},
    {.key = "ci_high",
     .title = "95 % high",
     .brief = "high",
     .kind = ES_COLUMN_NUMBER,
     .decimals = 3,
     .flags = ES_COLUMN_NO_TEX},
    {.key = "ci",
     .title = "95 % interval",
     .kind = ES_COLUMN_RANGE,
     .decimals = 3,
     .flags = ES_COLUMN_TEX_ONLY},
    {.key = "rank_low", .kind = ES_COLUMN_COUNT, .flags = ES_COLUMN_DATA_ONLY},
    {.key = "rank_high", .kind = ES_COLUMN_COUNT, .flags = ES_COLUMN_DATA_ONLY},
    {.key = "ranks", .title = "ranks", .flags = ES_COLUMN_SHOWN_ONLY},
    {.key = "tie", .title = "tie", .flags = ES_COLUMN_NO_TEX}, /* raised behind the score */
    {.key = "known", .title = "pairs", .flags = ES_COLUMN_SHOWN_ONLY},
    {.key = "pairs", .kind = ES_COLUMN_COUNT, .flags = ES_COLUMN_DATA_ONLY},
    {.key = "of", .kind = ES_COLUMN_COUNT, .flags = ES_COLUMN_DATA_ONLY},
    {.key = "dim", .title = "dim", .kind = ES_COLUMN_COUNT},
    {.key = "community", .title = "community", .brief = "group", .kind = ES_COLUMN_COUNT},
};

typedef struct view {
    const es_results *results;
    es_session *session;
    es_rank_report *report;
} view;

static size_t or_missing(uint32_t value) {
    return value ? value : SIZE_MAX;
}

/* One row of the ranking, in the order of `columns`. */
static void put_row(es_table_out *table, const es_results *results, const es_rank_report *report,
                    size_t i) {
    const es_ranking *ranking = report->ranking;
    const es_intervals *sure = report->intervals;
    char ranks[32], known[32];
    (void)snprintf(ranks, sizeof ranks, "%u-%u", sure->rank_low[i], sure->rank_high[i]);
    (void)snprintf(known, sizeof known, "%u/%u", ranking->pairs[i], ranking->of[i]);
    es_table_out_count(table, or_missing(ranking->rank[i]));
    es_table_out_text(table, results->name[i]);
    es_table_out_number(table, ranking->score[i]);
    es_table_out_raise(table, sure->tie[i]);
    if (ranking->rank[i] == 1)
        es_table_out_best(table);
    es_table_out_number(table, sure->low[i]);
    es_table_out_number(table, sure->high[i]);
    es_table_out_range(table, sure->low[i], sure->high[i]);
    bool sampled = isfinite(sure->low[i]); /* of one target nothing can be resampled */
    es_table_out_count(table, sampled ? or_missing(sure->rank_low[i]) : SIZE_MAX);
    es_table_out_count(table, sampled ? or_missing(sure->rank_high[i]) : SIZE_MAX);
    es_table_out_text(table, sampled && sure->rank_low[i] ? ranks : NULL);
    es_table_out_text(table, sure->tie[i][0] ? sure->tie[i] : NULL);
    es_table_out_text(table, known);
    es_table_out_count(table, ranking->pairs[i]);
    es_table_out_count(table, ranking->of[i]);
    es_table_out_count(table, results->dim[i] ? results->dim[i] : SIZE_MAX);
    bool grouped = report->has_community && es_results_touches(results, i);
    es_table_out_count(table, grouped ? report->community[i] + 1u : SIZE_MAX);
}

static const char *resample_name(es_resample resample) {
    return resample == ES_RESAMPLE_ROWS      ? "rows"
           : resample == ES_RESAMPLE_TARGETS ? "targets"
                                             : "both";
}

/* The range of the zero line; null where it is not known. */
static void put_null(es_json *json, const es_results *results) {
    double low, high;
    size_t known = es_results_null_range(results, &low, &high);
    if (known == 0) {
        es_json_null(json, "null");
        return;
    }
    es_json_begin_object(json, "null");
    es_json_double(json, "low", low);
    es_json_double(json, "high", high);
    es_json_uint(json, "targets", known);
    es_json_end(json);
}

static es_table_out *make_table(const es_document *d) {
    const view *v = d->what;
    es_table_out *table = ES_TABLE_OUT(columns);
    for (size_t i = 0; i < v->results->m; i++)
        if (es_export_shows(d->cli, v->report->order[i]))
            put_row(table, v->results, v->report, v->report->order[i]);
    return table;
}

static void put_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    const es_intervals *sure = v->report->intervals;
    es_document_scoring(json, d->cli);
    es_document_table(json, "ranking", make_table(d));
    es_json_begin_object(json, "intervals");
    es_json_double(json, "level", 0.95);
    es_json_text(json, "resampled", resample_name(sure->resample));
    es_json_uint(json, "draws", sure->draws);
    es_json_bool(json, "too_few_for_ties", sure->too_few);
    es_json_end(json);
    put_null(json, v->results);
    es_json_text(json, "dominated_by_family_of", v->report->dominant);
    es_document_excluded(json, v->session);
}

/* What a table says below itself: which results these are. */
static void put_caption(const es_document *d, es_buf *out) {
    const view *v = d->what;
    const es_results *results = v->results;
    const es_intervals *sure = v->report->intervals;
    es_buf_putc(out, '\n');
    if (results->estimator)
        es_buf_printf(out, "%s %s: ", results->estimator->name, results->preset);
    bool lower = results->estimator && results->estimator->lower_is_better;
    es_buf_printf(out, "score is the %s over targets%s, %s\n",
                  es_aggregate_names[d->cli->options->aggregate],
                  d->cli->options->leave_family_out ? " of other families" : "",
                  lower ? "an error: lower is better" : "nats per dimension");
    es_buf_printf(out, "low, high, ranks: 95 %% intervals, resampling %s\n",
                  sure->resample == ES_RESAMPLE_BOTH ? "rows and targets"
                                                     : resample_name(sure->resample));
    es_buf_puts(out, sure->too_few ? "too few embedders for tie groups\n"
                                   : "tie: who shares a letter is not separable at 5 %\n");
    es_caption_null(results, out);
}

static es_status draw(const es_document *d, es_buf *out, es_error *err) {
    const view *v = d->what;
    return es_picture_ranking(d->cli, v->results, v->report, d->format, out, err);
}

es_status es_rank_write(es_cli *cli, es_session *session, size_t entry, es_output_format format,
                        es_error *err) {
    view v = {.results = es_session_results(session, entry), .session = session};
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    es_status st = es_rank_report_new(v.results, &how, &v.report, err);
    if (st != ES_OK)
        return st;
    if (v.report->dominant)
        es_output_note(cli, "the family of %s dominates the vote; see --aggregate balanced",
                       v.report->dominant);
    static const es_document_parts parts = {
        .table = make_table, .caption = put_caption, .json = put_json, .picture = draw};
    st = es_document_write(&parts, (es_document){cli, session, entry, &v, format}, err);
    es_rank_report_free(v.report);
    return st;
}
