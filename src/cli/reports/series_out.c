/* A row a step: its score, what neighbours in time hold of each other, and measures. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>

static const es_out_column fixed[] = {
    {.key = "series", .title = "series", .flags = ES_COLUMN_KEY},
    {.key = "step", .title = "step", .kind = ES_COLUMN_NUMBER, .decimals = 0},
    {.key = "model", .title = "model", .flags = ES_COLUMN_DATA_ONLY},
    {.key = "score", .title = "score", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    ES_NUMBER("ci_low", "95 % low", "low", 3, ES_COLUMN_LOW),
    ES_NUMBER("ci_high", "95 % high", "high", 3, 0),
    ES_NUMBER("of_before", "of before", "of bef.", 3, 0),
    ES_NUMBER("by_before", "by before", "by bef.", 3, 0),
    {.key = "of_first", .title = "of first", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "of_last", .title = "of last", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "downstream", .title = "downstream", .kind = ES_COLUMN_NUMBER, .decimals = 1},
    {.key = "rank", .title = "rank", .kind = ES_COLUMN_NUMBER, .decimals = 0},
};
enum { FIXED = sizeof fixed / sizeof *fixed };

static bool whole_steps(const es_series *s) {
    for (size_t i = 0; i < s->points; i++)
        if (s->point[i].step != floor(s->point[i].step))
            return false;
    return true;
}

/* Columns of this document, with those of measures behind; texts are borrowed of the series. */
static es_out_column *make_columns(const es_series *s, size_t *count) {
    size_t measures = s->columns - ES_SERIES_KNOWN;
    es_out_column *columns = es_alloc(FIXED + measures, sizeof *columns);
    for (size_t i = 0; columns && i < FIXED; i++)
        columns[i] = fixed[i];
    if (columns && !whole_steps(s))
        columns[1].decimals = 3;
    if (columns && s->repeats)
        columns[2].flags = 0;
    for (size_t k = 0; columns && k < measures; k++) {
        const char *name = s->column[ES_SERIES_KNOWN + k].name;
        columns[FIXED + k] =
            (es_out_column){.key = name, .title = name, .kind = ES_COLUMN_NUMBER, .decimals = 3};
    }
    *count = FIXED + measures;
    return columns;
}

typedef struct shown {
    const es_series_view *view;
    es_out_column *columns;
    size_t n_columns;
} shown;

static es_table_out *make_series_table(const es_document *d) {
    const shown *v = d->what;
    const es_series *s = v->view->series;
    const es_series_column *score = &s->column[ES_SERIES_SCORE];
    es_table_out *t = es_table_out_new(v->columns, v->n_columns);
    for (size_t i = 0; i < s->points; i++) {
        const es_series_run *run = &s->run[s->point[i].series];
        es_table_out_text(t, run->name);
        es_table_out_number(t, s->point[i].step);
        es_table_out_text(t, v->view->report->results->name[s->point[i].model]);
        es_table_out_number(t, score->value[i]);
        if (run->best != SIZE_MAX &&
            es_table_out_alike(score->value[i], score->value[run->best], 3))
            es_table_out_best(t);
        es_table_out_number(t, score->low[i]);
        es_table_out_number(t, score->high[i]);
        for (size_t k = ES_SERIES_SCORE + 1; k < s->columns; k++)
            es_table_out_number(t, s->column[k].value[i]);
    }
    return t;
}

static void put_series_words(const es_document *d, es_buf *out) {
    const es_series_view *v = ((const shown *)d->what)->view;
    for (size_t r = 0; r < v->series->runs; r++) {
        es_series_put(v->series, v->of, r, out);
        es_buf_puts(out, r + 1 < v->series->runs ? " " : "");
    }
}

static void put_series_caption(const es_document *d, es_buf *out) {
    const es_series_view *v = ((const shown *)d->what)->view;
    const es_results *by = v->report->results;
    es_buf text = {0};
    es_buf_putc(out, '\n');
    for (size_t r = 0; r < v->series->runs; r++) {
        es_series_put(v->series, v->of, r, &text);
        es_caption_take(d->cli, &text, out);
    }
    bool errors = es_series_of_errors(v->of);
    es_buf_printf(&text, "score: %s, %s over %s, of the whole pool%s. of before, of first, ",
                  es_score_kind_names[v->report->score], es_rank_report_aggregate(v->report),
                  es_rank_report_voting(v->report), errors ? ", an error: lower is better" : "");
    es_buf_puts(&text, errors ? "of last: the error of that one given the step; by before: of the "
                                "step given that one (error"
                              : "of last: what the step holds of that one; by before: what that "
                                "one holds of the step (information sufficiency");
    es_buf_printf(&text, "%s%s%s%s%s).", by->estimator ? " by " : "",
                  by->estimator ? by->estimator->name : "", by->estimator ? " " : "",
                  by->estimator ? es_results_preset(by) : "", errors ? "" : ", nats per dimension");
    es_buf_putc(out, '\n');
    es_caption_take(d->cli, &text, out);
}

static void put_series_json(const es_document *d, es_json *json) {
    const shown *v = d->what;
    const es_series *s = v->view->series;
    es_document_scoring(json, v->view->report);
    for (size_t r = es_json_list(json, "series"); es_json_item(json, &r, s->runs);) {
        const es_series_run *run = &s->run[r];
        char *const *name = v->view->report->results->name;
        es_buf words = {0};
        es_json_text(json, "name", run->name);
        es_json_uint(json, "steps", run->count);
        es_json_text(json, "best", run->best == SIZE_MAX ? NULL : name[s->point[run->best].model]);
        es_json_text(json, "last_change",
                     run->change == SIZE_MAX ? NULL : name[s->point[run->change].model]);
        if (run->last_unknown)
            es_json_null(json, "last_may_be_best");
        else
            es_json_bool(json, "last_may_be_best", run->best_is_last);
        es_series_put(s, v->view->of, r, &words);
        es_json_text(json, "text", words.failed ? NULL : words.data);
        es_buf_free(&words);
    }
    size_t baseline = s->baseline;
    es_json_text(json, "baseline",
                 baseline == SIZE_MAX ? NULL : v->view->report->results->name[baseline]);
    es_document_table(json, "steps", make_series_table(d));
    es_document_excluded(json, v->view->session);
}

static es_status put_series_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_series_view *v = ((const shown *)d->what)->view;
    return es_picture_series(sketch, v->series, v->of, err);
}

/* Over the steps: the score with its interval, then what steps hold of others, then measures. */
static void put_series_plot(const es_document *d, es_sheet_plot *plot) {
    enum { STEP = 1, SCORE = 3, REST = 6 };
    size_t columns = ((const shown *)d->what)->n_columns;
    *plot = (es_sheet_plot){
        .kind = ES_DRAWN_LINES, .x = STEP, .value = {SCORE}, .values = 1, .line = (double)NAN};
    for (size_t j = REST; j < columns && plot->values < ES_DRAWN_VALUES; j++)
        plot->value[plot->values++] = j;
}

es_status es_series_write(es_cli *cli, const es_series_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "series",
                                            .table = make_series_table,
                                            .caption = put_series_caption,
                                            .words = put_series_words,
                                            .json = put_series_json,
                                            .picture = put_series_picture,
                                            .plot = put_series_plot,
                                            .title = "Training runs"};
    shown v = {.view = view};
    v.columns = make_columns(view->series, &v.n_columns);
    if (v.columns == NULL)
        return es_no_memory(err);
    es_status st = es_document_write(
        &parts, (es_document){cli, view->session, view->report->entry, &v, ES_FORMAT_DEFAULT}, err);
    es_free(v.columns);
    return st;
}

/* A row a model: score, rank and downstream before and after. */

#define ROW(C)                                                                                     \
    C(NAME, "base", "base", ES_COLUMN_KEY, v->report->results, p->base)                            \
    C(NAME, "tuned", "tuned", ES_COLUMN_KEY, v->report->results, p->tuned)                         \
    C(NUMBER, "score_base", "score", 3, 0, p->before)                                              \
    C(SHORT, NUMBER, "score_tuned", "tuned score", "tuned", 3, 0, p->after)                        \
    C(BAND, "change", "change", 3, p->change, p->low, p->high)                                     \
    C(COUNT, "rank_base", "rank", 0, p->rank_before ? p->rank_before : SIZE_MAX)                   \
    C(SHORT, COUNT, "rank_tuned", "tuned rank", "tuned", 0, 0,                                     \
      p->rank_after ? p->rank_after : SIZE_MAX)                                                    \
    C(NUMBER, "downstream_base", "downstream", 1, 0, p->downstream_before)                         \
    C(SHORT, NUMBER, "downstream_tuned", "tuned downstream", "tuned", 1, 0, p->downstream_after)

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

static es_table_out *make_tuned_table(const es_document *d) {
    const es_tuned_view *v = d->what;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t i = 0; i < v->tuned->count; i++) {
        const es_tuned_pair *p = &v->tuned->pair[i];
        ES_PUT_ROW(ROW, t);
    }
    return t;
}

static void put_tuned_words(const es_document *d, es_buf *out) {
    es_tuned_put(((const es_tuned_view *)d->what)->tuned, out);
}

static void put_tuned_caption(const es_document *d, es_buf *out) {
    const es_tuned_view *v = d->what;
    es_buf_putc(out, '\n');
    if (d->cli->sheet == NULL) { /* which begins with them */
        put_tuned_words(d, out);
        es_buf_putc(out, '\n');
    }
    es_buf_printf(out, "score: %s, %s; ranks are of the whole pool",
                  es_rank_report_score(v->report), es_rank_report_unit(v->report));
    for (size_t i = 0; i < v->tuned->count; i++)
        if (isfinite(v->tuned->pair[i].low)) {
            es_buf_puts(out, "; change: 95 %, of all pairs of embedders together");
            break;
        }
    es_buf_putc(out, '\n');
}

static void put_signs(es_json *json, const char *key, const es_signs *signs) {
    es_json_begin_object(json, key);
    es_json_uint(json, "rose", signs->rose);
    es_json_uint(json, "fell", signs->fell);
    es_json_uint(json, "same", signs->same);
    es_json_double(json, "p", signs->p);
    es_json_end(json);
}

static void put_tuned_json(const es_document *d, es_json *json) {
    const es_tuned_view *v = d->what;
    es_buf words = {0};
    es_tuned_put(v->tuned, &words);
    es_document_scoring(json, v->report);
    es_json_text(json, "text", words.failed ? NULL : words.data);
    es_document_table(json, "pairs", make_tuned_table(d));
    put_signs(json, "score_signs", &v->tuned->score);
    put_signs(json, "downstream_signs", &v->tuned->downstream);
    es_document_excluded(json, v->session);
    es_buf_free(&words);
}

static es_status put_tuned_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_tuned_view *v = d->what;
    return es_picture_tuned(sketch, v->report, v->tuned, err);
}

static void put_tuned_plot(const es_document *d, es_sheet_plot *plot) {
    enum { TUNED = 1, CHANGE = 4 };
    (void)d;
    *plot = (es_sheet_plot){
        .kind = ES_DRAWN_FOREST, .label = TUNED, .value = {CHANGE}, .values = 1, .line = 0};
}

es_status es_tuned_write(es_cli *cli, const es_tuned_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "tuned",
                                            .table = make_tuned_table,
                                            .caption = put_tuned_caption,
                                            .words = put_tuned_words,
                                            .json = put_tuned_json,
                                            .picture = put_tuned_picture,
                                            .plot = put_tuned_plot,
                                            .title = "Base and tuned"};
    return es_document_write(
        &parts, (es_document){cli, view->session, view->report->entry, view, ES_FORMAT_DEFAULT},
        err);
}
