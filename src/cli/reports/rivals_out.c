/* The table of scores without labels in every format, and as a forest of correlations. */
#include "rivals_out.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "coefficients.h"
#include "document.h"
#include "pictures.h"

#include "json.h"

static const es_out_column columns[] = {
    {.key = "rank", .title = "rank", .kind = ES_COLUMN_COUNT},
    {.key = "score", .title = "score", .flags = ES_COLUMN_KEY},
    {.key = "n", .title = "n", .kind = ES_COLUMN_COUNT},
    ES_COEFFICIENT_COLUMNS("spearman"),
    ES_COEFFICIENT_COLUMNS("kendall"),
    ES_COEFFICIENT_COLUMNS("ahead"),
    {.key = "regret_first",
     .title = "regret of first",
     .brief = "first",
     .kind = ES_COLUMN_NUMBER,
     .decimals = 0},
    {.key = "regret_five",
     .title = "of first five",
     .brief = "five",
     .kind = ES_COLUMN_NUMBER,
     .decimals = 0},
    {.key = "seconds", .title = "seconds", .kind = ES_COLUMN_NUMBER, .decimals = 2},
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
    es_coefficient_put(t, r, ES_SPEARMAN);
    es_coefficient_put(t, r, ES_KENDALL);
    if (es_label_free_is_line(x, rival))
        es_table_out_band(t, (double)NAN, (double)NAN, (double)NAN);
    else
        es_table_out_band(t, ahead->tau.value, ahead->low, ahead->high);
    es_table_out_number(t, rival->regret_first);
    es_table_out_number(t, rival->regret_five);
    es_table_out_number(t, s->seconds[k]);
    es_table_out_flag(t, s->negated[k]);
    es_table_out_flag(t, es_agree_scores_controls_last(s, k));
    es_table_out_text(t, s->about[k]);
    es_table_out_text(t, s->remark[k]);
    es_table_out_text(t, es_document_range_why(&r->value[ES_SPEARMAN], r->low[ES_SPEARMAN], r->n));
}

static es_table_out *make_table(const es_document *d) {
    const es_label_free *x = ((const es_rivals_view *)d->what)->rivals;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t i = 0; i < x->scores.k; i++)
        put_row(t, x, i);
    return t;
}

/* Is anything in the column? */
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
    es_buf_printf(out,
                  "\nagainst %s of %zu embedders%s; 95 %% intervals over embedders, the same "
                  "resamples for all\n"
                  "%s"
                  "first, five: points of mean percentile lost by taking the first, or the best of "
                  "the first five\n"
                  "seconds: of one processor, for all embedders or pairs\n",
                  s->task, s->scored, s->controls > 0 ? ", controls left out" : "",
                  is_ahead_known(x) ? "ahead: spearman above that of dimension, the line to beat; "
                                      "it is above 0 when the interval is\n"
                                    : "");
    es_agree_remarks(s, out);
    if (s->scored < 5)
        es_buf_puts(out, "too few embedders for any of this to mean much\n");
}

static void put_json(const es_document *d, es_json *json) {
    const es_rivals_view *v = d->what;
    const es_agree_scores *s = &v->rivals->scores;
    es_json_text(json, "downstream", s->task);
    es_json_uint(json, "tasks", v->rivals->tasks);
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

static es_status put_picture(const es_document *d, es_buf *out, es_error *err) {
    return es_picture_rivals(d->cli, ((const es_rivals_view *)d->what)->rivals, d->format, out,
                             err);
}

es_status es_rivals_write(es_cli *cli, const es_rivals_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "rivals",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .json = put_json,
                                            .picture = put_picture};
    return es_document_write(
        &parts, (es_document){cli, view->session, SIZE_MAX, view, ES_FORMAT_DEFAULT}, err);
}
