/* The ranking combined with tasks: a row an embedder, with its rank by each part. It prints no set
 * of the best: that is of the ranking alone. */
#include "cli_tasks.h"

#include <math.h>
#include <stdio.h>

typedef struct view {
    const es_rank_report *report;
    const es_scores *scores;
    const bool *chosen; /* (tasks) */
    const es_with_tasks *with;
} view;

static const es_out_column columns[] = {
    {.key = "rank", .title = "rank", .kind = ES_COLUMN_COUNT},
    {.key = "model", .title = "model", .flags = ES_COLUMN_KEY},
    {.key = "score", .title = "score", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "by_ranking", .title = "by ranking", .kind = ES_COLUMN_COUNT},
    {.key = "by_tasks", .title = "by tasks", .kind = ES_COLUMN_COUNT},
    {.key = "tasks_known", .title = "tasks", .kind = ES_COLUMN_COUNT},
};

static size_t or_missing(uint32_t rank) {
    return rank > 0 ? rank : SIZE_MAX;
}

static es_table_out *make_table(const es_document *d) {
    const view *v = d->what;
    const es_with_tasks *w = v->with;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t k = 0; k < w->n; k++) {
        size_t i = w->order[k];
        es_table_out_count(t, or_missing(w->rank[i]));
        es_document_name(t, v->report->results, i);
        es_table_out_number(t, w->score[i]);
        es_table_out_count(t, or_missing(w->by_ranking[i]));
        es_table_out_count(t, or_missing(w->by_tasks[i]));
        es_table_out_count(t, w->known[i]);
    }
    return t;
}

static void put_caption(const es_document *d, es_buf *out) {
    enum { MOST = 8 };
    const view *v = d->what;
    size_t named = 0;
    es_buf_printf(out, "\nscore: %s, mean of normal scores; the ranking (%s) counts as two tasks\n",
                  v->with->title, es_score_kind_names[v->report->score]);
    es_buf_puts(out, v->with->tasks == 1 ? "task: " : "tasks: ");
    for (size_t t = 0; t < v->scores->tasks; t++)
        if (v->chosen[t])
            es_buf_name(out, &named, MOST, v->scores->task[t]);
    es_buf_names_end(out, named, MOST);
    es_buf_puts(out, "\nA missing score counts as the middle of its task.");
    if (v->with->ranked < v->with->n)
        es_buf_printf(out, " Controls and embedders that are not ranked have no rank: %zu.",
                      v->with->n - v->with->ranked);
    es_buf_putc(out, '\n');
}

static void put_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    es_json_text(json, "score", v->with->title);
    es_json_text(json, "ranking_score", es_score_kind_names[v->report->score]);
    es_json_double(json, "ranking_counts_as", 2);
    es_json_begin_row(json, "tasks");
    for (size_t t = 0; t < v->scores->tasks; t++)
        if (v->chosen[t])
            es_json_text(json, NULL, v->scores->task[t]);
    es_json_end(json);
    es_json_uint(json, "n", v->with->ranked);
    es_document_table(json, "ranking", make_table(d));
    es_document_excluded(json, d->session);
}

static es_status write_document(es_cli *cli, es_session *session, const es_rank_report *report,
                                const es_scores *scores, const bool *chosen,
                                es_output_format format, es_error *err) {
    es_with_tasks *with = NULL;
    static const es_document_parts parts = {
        .schema = "with_tasks", .table = make_table, .caption = put_caption, .json = put_json};
    es_status st = es_with_tasks_of(report, scores, chosen, &with, err);
    const view v = {report, scores, chosen, with};
    if (st == ES_OK)
        st = es_document_write(&parts, (es_document){cli, session, report->entry, &v, format}, err);
    es_with_tasks_free(with);
    return st;
}

es_status es_with_tasks_write(es_cli *cli, es_session *session, es_output_format format,
                              es_error *err) {
    const es_rank_choices how = es_rank_choices_of(cli->options, false);
    es_rank_report *report = NULL;
    es_scores own = {0};
    const es_scores *scores = NULL;
    bool *chosen = NULL;
    es_status st = ES_OK;
    ES_TRY(es_cli_scores(cli, session, &own, &scores, err));
    ES_FAIL_IF(!scores, es_fail(err, ES_ENOTFOUND,
                                "--tasks: no scores.csv in the pool; name one with --scores "
                                "FILE.csv"));
    ES_TRY(es_cli_choose_tasks(cli, scores, &chosen, err));
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    ES_TRY(write_document(cli, session, report, scores, chosen, format, err));
done:
    es_rank_report_free(report);
    es_scores_deinit(&own);
    es_free(chosen);
    return st;
}
