/* A row a model: score, rank and downstream before and after. */
#include "cli_reports.h"

#include <math.h>

static const es_out_column columns[] = {
    {.key = "base", .title = "base", .flags = ES_COLUMN_KEY},
    {.key = "tuned", .title = "tuned", .flags = ES_COLUMN_KEY},
    ES_NUMBER("score_base", "score", NULL, 3, 0),
    ES_NUMBER("score_tuned", "tuned score", "tuned", 3, 0),
    ES_BAND("change", "change", 3),
    {.key = "rank_base", .title = "rank", .kind = ES_COLUMN_COUNT},
    {.key = "rank_tuned", .title = "tuned rank", .brief = "tuned", .kind = ES_COLUMN_COUNT},
    ES_NUMBER("downstream_base", "downstream", NULL, 1, 0),
    ES_NUMBER("downstream_tuned", "tuned downstream", "tuned", 1, 0),
};

static es_table_out *make_table(const es_document *d) {
    const es_tuned_view *v = d->what;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t i = 0; i < v->tuned->count; i++) {
        const es_tuned_pair *p = &v->tuned->pair[i];
        es_document_name(t, v->report->results, p->base);
        es_document_name(t, v->report->results, p->tuned);
        es_table_out_number(t, p->before);
        es_table_out_number(t, p->after);
        es_table_out_band(t, p->change, p->low, p->high);
        es_table_out_count(t, p->rank_before ? p->rank_before : SIZE_MAX);
        es_table_out_count(t, p->rank_after ? p->rank_after : SIZE_MAX);
        es_table_out_number(t, p->downstream_before);
        es_table_out_number(t, p->downstream_after);
    }
    return t;
}

static void put_words(const es_document *d, es_buf *out) {
    es_tuned_put(((const es_tuned_view *)d->what)->tuned, out);
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_tuned_view *v = d->what;
    es_buf_putc(out, '\n');
    if (d->cli->sheet == NULL) { /* which begins with them */
        put_words(d, out);
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

static void put_json(const es_document *d, es_json *json) {
    const es_tuned_view *v = d->what;
    es_buf words = {0};
    es_tuned_put(v->tuned, &words);
    es_document_scoring(json, v->report);
    es_json_text(json, "text", words.failed ? NULL : words.data);
    es_document_table(json, "pairs", make_table(d));
    put_signs(json, "score_signs", &v->tuned->score);
    put_signs(json, "downstream_signs", &v->tuned->downstream);
    es_document_excluded(json, v->session);
    es_buf_free(&words);
}

static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_tuned_view *v = d->what;
    return es_picture_tuned(sketch, v->report, v->tuned, err);
}

static void put_plot(const es_document *d, es_sheet_plot *plot) {
    enum { TUNED = 1, CHANGE = 4 };
    (void)d;
    *plot = (es_sheet_plot){
        .kind = ES_DRAWN_FOREST, .label = TUNED, .value = {CHANGE}, .values = 1, .line = 0};
}

es_status es_tuned_write(es_cli *cli, const es_tuned_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "tuned",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .picture = put_picture,
                                            .plot = put_plot,
                                            .title = "Base and tuned"};
    return es_document_write(
        &parts, (es_document){cli, view->session, view->report->entry, view, ES_FORMAT_DEFAULT},
        err);
}
