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

static es_table_out *make_table(const es_document *d) {
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

static void put_words(const es_document *d, es_buf *out) {
    const es_series_view *v = ((const shown *)d->what)->view;
    for (size_t r = 0; r < v->series->runs; r++) {
        es_series_put(v->series, v->of, r, out);
        es_buf_puts(out, r + 1 < v->series->runs ? " " : "");
    }
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_series_view *v = ((const shown *)d->what)->view;
    const es_results *by = v->report->results;
    size_t width = es_output_width(d->cli);
    es_buf text = {0};
    width = width == 0 || width > 100 ? 100 : width;
    es_buf_putc(out, '\n');
    for (size_t r = 0; r < v->series->runs; r++) {
        es_buf_clear(&text);
        es_series_put(v->series, v->of, r, &text);
        es_caption_fill(out, text.data ? text.data : "", width);
    }
    es_buf_clear(&text);
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
    es_caption_fill(out, text.data ? text.data : "", width);
    out->failed |= text.failed;
    es_buf_free(&text);
}

static void put_json(const es_document *d, es_json *json) {
    const shown *v = d->what;
    const es_series *s = v->view->series;
    es_document_scoring(json, v->view->report);
    es_json_begin_array(json, "series");
    for (size_t r = 0; r < s->runs; r++) {
        const es_series_run *run = &s->run[r];
        char *const *name = v->view->report->results->name;
        es_buf words = {0};
        es_json_begin_object(json, NULL);
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
        es_json_end(json);
    }
    es_json_end(json);
    size_t baseline = s->baseline;
    es_json_text(json, "baseline",
                 baseline == SIZE_MAX ? NULL : v->view->report->results->name[baseline]);
    es_document_table(json, "steps", make_table(d));
    es_document_excluded(json, v->view->session);
}

static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_series_view *v = ((const shown *)d->what)->view;
    return es_picture_series(sketch, v->series, v->of, err);
}

/* Over the steps: the score with its interval, then what steps hold of others, then measures. */
static void put_plot(const es_document *d, es_sheet_plot *plot) {
    enum { STEP = 1, SCORE = 3, REST = 6 };
    size_t columns = ((const shown *)d->what)->n_columns;
    *plot = (es_sheet_plot){
        .kind = ES_DRAWN_LINES, .x = STEP, .value = {SCORE}, .values = 1, .line = (double)NAN};
    for (size_t j = REST; j < columns && plot->values < ES_DRAWN_VALUES; j++)
        plot->value[plot->values++] = j;
}

es_status es_series_write(es_cli *cli, const es_series_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "series",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .picture = put_picture,
                                            .plot = put_plot,
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
