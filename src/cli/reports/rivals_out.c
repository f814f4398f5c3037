/* The table of scores without labels in every format, and as a forest of correlations. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>

static const es_out_column columns[] = {
    {.key = "rank", .title = "rank", .kind = ES_COLUMN_COUNT},
    {.key = "score", .title = "score", .flags = ES_COLUMN_KEY},
    {.key = "n", .title = "n", .kind = ES_COLUMN_COUNT},
    {.key = "n_effective", .title = "n_eff", .kind = ES_COLUMN_NUMBER, .decimals = 0},
    ES_BAND("spearman", "spearman", 2),
    ES_BAND("kendall", "kendall", 2),
    ES_BAND("ahead", "ahead", 2),
    {.key = "each_task", .title = "each task", .kind = ES_COLUMN_NUMBER, .decimals = 2},
    {.key = "worth", .title = "worth", .kind = ES_COLUMN_NUMBER, .decimals = 1},
    ES_NUMBER("regret_first", "regret of first", "first", 0, 0),
    ES_NUMBER("regret_five", "of first five", "five", 0, 0),
    {.key = "seconds", .title = "seconds", .kind = ES_COLUMN_NUMBER, .decimals = 2},
    {.key = "labelled_tasks", .kind = ES_COLUMN_COUNT, .flags = ES_COLUMN_DATA_ONLY},
    {.key = "lower_is_better", .kind = ES_COLUMN_FLAG, .flags = ES_COLUMN_DATA_ONLY},
    {.key = "controls_last", .kind = ES_COLUMN_FLAG, .flags = ES_COLUMN_DATA_ONLY},
    {.key = "about", .flags = ES_COLUMN_DATA_ONLY},
    {.key = "remark", .flags = ES_COLUMN_DATA_ONLY},
    {.key = "ci_reason", .flags = ES_COLUMN_DATA_ONLY},
};

static void put_row(es_table_out *t, const es_label_free *x, size_t at) {
    const es_label_free_row *rival = &x->rival[at];
    const es_agree_scores *s = &x->scores;
    size_t k = rival->column;
    const es_correlation_report *r = &s->agreement->against[k];
    const es_agreement_cell *ahead = &s->agreement->ahead[k];
    es_table_out_count(t, rival->place > 0 ? rival->place : SIZE_MAX);
    es_table_out_text(t, s->name[k]);
    es_table_out_count(t, r->n);
    es_table_out_number(t, r->n_effective);
    es_coefficient_put(t, r, ES_SPEARMAN);
    es_coefficient_put(t, r, ES_KENDALL);
    if (es_label_free_is_line(x, rival))
        es_table_out_band(t, (double)NAN, (double)NAN, (double)NAN);
    else
        es_table_out_band(t, ahead->tau.value, ahead->low, ahead->high);
    es_table_out_number(t, rival->each_task);
    es_table_out_number(t, rival->worth);
    es_table_out_number(t, rival->regret_first);
    es_table_out_number(t, rival->regret_five);
    es_table_out_number(t, s->seconds[k]);
    es_table_out_count(t, 0);
    es_table_out_flag(t, s->negated[k]);
    es_table_out_flag(t, es_agree_scores_controls_last(s, k));
    es_table_out_text(t, s->about[k]);
    es_table_out_text(t, s->remark[k]);
    es_table_out_text(t, es_document_range_why(&r->value[ES_SPEARMAN], r->low[ES_SPEARMAN], r->n));
}

/* What labelled tasks say of one that is left out. */
static void put_baseline(es_table_out *t, const es_task_baseline *b) {
    enum { NUMBERS_BEFORE = 10, NUMBERS_AFTER = 4 };
    es_table_out_count(t, SIZE_MAX);
    es_table_out_text(t, b->name);
    es_table_out_count(t, SIZE_MAX);
    for (size_t k = 0; k < NUMBERS_BEFORE; k++)
        es_table_out_number(t, (double)NAN);
    es_table_out_number(t, b->spearman);
    for (size_t k = 0; k < NUMBERS_AFTER; k++)
        es_table_out_number(t, (double)NAN);
    es_table_out_count(t, b->tasks);
    es_table_out_flag(t, false);
    es_table_out_flag(t, false);
    es_table_out_text(t, b->combined ? "mean of normal scores, the ranking as two tasks"
                                     : "mean of the ranks within tasks");
    es_table_out_text(t, NULL);
    es_table_out_text(t, NULL);
}

static es_table_out *make_table(const es_document *d) {
    const es_label_free *x = ((const es_rivals_view *)d->what)->rivals;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t i = 0; i < x->scores.k; i++)
        put_row(t, x, i);
    for (size_t i = 0; i < x->baselines; i++)
        put_baseline(t, &x->baseline[i]);
    return t;
}

/* True if any row has a value in the column. */
static bool is_ahead_known(const es_label_free *x) {
    for (size_t i = 0; i < x->scores.k; i++)
        if (!es_label_free_is_line(x, &x->rival[i]) &&
            isfinite(x->scores.agreement->ahead[x->rival[i].column].tau.value))
            return true;
    return false;
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_label_free *x = ((const es_rivals_view *)d->what)->rivals;
    const es_agree_scores *s = &x->scores;
    es_buf_printf(out, "\nagainst %s of %zu embedders%s\n", s->task, s->scored,
                  s->controls > 0 ? ", without controls" : "");
    es_buf_puts(out, "spearman: 95 % by the number of independent embedders (n_eff); kendall: over "
                     "resampled embedders\n");
    if (is_ahead_known(x)) {
        es_buf_puts(out,
                    "ahead: spearman above that of dimension, the line to beat, over resampled "
                    "families; it is above 0\nif the interval is");
        es_comparisons_put(es_comparisons_of(s), out);
        es_buf_putc(out, '\n');
    }
    es_buf_puts(out, "each task: mean spearman with one task");
    es_buf_puts(out, x->baselines > 0
                         ? "; of labelled tasks (leaderboard: all the others) with one "
                           "that is left out\n"
                         : "\n");
    if (x->tasks >= ES_DOWNSTREAM_WORTH)
        es_buf_printf(out,
                      "worth: how many labelled tasks say as much of another one, of the %zu "
                      "others at most\n",
                      x->tasks - 1);
    if (x->compared > 1)
        es_buf_printf(out,
                      "%zu scores are compared on the same tasks: the first of so many is first "
                      "partly by chance\n",
                      x->compared);
    es_buf_puts(out,
                "first, five: points of mean percentile lost by picking the first, or the best "
                "of the first five\n"
                "seconds: of one processor, for all embedders or pairs\n");
    es_agree_remarks(s, out);
    if (s->scored < 5)
        es_buf_puts(out, "too few embedders for any of this to mean much\n");
}

static void put_json(const es_document *d, es_json *json) {
    const es_rivals_view *v = d->what;
    const es_agree_scores *s = &v->rivals->scores;
    es_json_text(json, "downstream", s->task);
    es_json_uint(json, "tasks", v->rivals->tasks);
    es_json_uint(json, "compared", v->rivals->compared);
    es_json_uint(json, "scored", s->scored);
    es_json_begin_row(json, "controls");
    for (size_t i = 0; i < s->n; i++)
        if (s->control[i])
            es_json_text(json, NULL, v->names->name[i]);
    es_json_end(json);
    es_json_text(json, "line", s->name[0]);
    es_document_table(json, "rivals", make_table(d));
    es_json_begin_array(json, "values");
    for (size_t k = 0; k < s->k; k++) {
        es_json_begin_object(json, NULL);
        es_json_text(json, "score", s->name[v->rivals->rival[k].column]);
        es_json_begin_row(json, "value");
        for (size_t i = 0; i < s->n; i++)
            es_json_double(json, NULL, s->column[v->rivals->rival[k].column * s->n + i]);
        es_json_end(json);
        es_json_end(json);
    }
    es_json_end(json);
    es_json_begin_array(json, "models");
    for (size_t i = 0; i < s->n; i++) {
        es_json_begin_object(json, NULL);
        es_json_text(json, "name", v->names->name[i]);
        es_json_double(json, "percentile", s->downstream[i]);
        es_json_end(json);
    }
    es_json_end(json);
    es_document_excluded(json, v->session);
}

static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    return es_picture_rivals(sketch, ((const es_rivals_view *)d->what)->rivals, err);
}

static void put_plot(const es_document *d, es_sheet_plot *plot) {
    enum { SCORE = 1, SPEARMAN = 4, KENDALL = 7, AHEAD = 10 };
    const es_agreement *a = ((const es_rivals_view *)d->what)->rivals->scores.agreement;
    *plot = (es_sheet_plot){.kind = ES_DRAWN_FOREST,
                            .label = SCORE,
                            .value = {SPEARMAN, KENDALL, AHEAD},
                            .values = 3,
                            .line = a->against[0].value[ES_SPEARMAN].value};
}

es_status es_rivals_write(es_cli *cli, const es_rivals_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "rivals",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .json = put_json,
                                            .picture = put_picture,
                                            .plot = put_plot,
                                            .title = "Scores without labels"};
    return es_document_write(
        &parts, (es_document){cli, view->session, SIZE_MAX, view, ES_FORMAT_DEFAULT}, err);
}
