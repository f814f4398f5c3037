/* Duels as documents: the questions, and what the answers come to. */
#include "cli_reports.h"

#include <math.h>

enum { SHOWN_BYTES = 60 };

/* ---- questions ---- */

static const es_out_column asked_columns[] = {
    {.key = "row", .title = "row", .kind = ES_COLUMN_COUNT, .flags = ES_COLUMN_KEY},
    {.key = "left", .title = "left", .kind = ES_COLUMN_COUNT},
    {.key = "right", .title = "right", .kind = ES_COLUMN_COUNT},
    {.key = "answer", .title = "answer", .flags = ES_COLUMN_ALWAYS},
    {.key = "row_text", .title = "row's text", .flags = ES_COLUMN_SHOWN_ONLY},
    {.key = "left_text", .title = "left's text", .flags = ES_COLUMN_SHOWN_ONLY},
    {.key = "right_text", .title = "right's text", .flags = ES_COLUMN_SHOWN_ONLY},
};

static void put_text(es_table_out *t, const es_row_texts *texts, size_t row) {
    char *text = es_file_row_text(texts, row, SHOWN_BYTES);
    es_table_out_text(t, text);
    es_free(text);
}

static es_table_out *make_questions(const es_document *d) {
    const es_duel_asked_view *v = d->what;
    es_table_out *t = ES_TABLE_OUT(asked_columns);
    for (size_t i = 0; i < v->count; i++) {
        const es_duel_question *q = &v->question[i];
        es_table_out_count(t, q->row);
        es_table_out_count(t, q->left);
        es_table_out_count(t, q->right);
        es_table_out_text(t, NULL);
        put_text(t, v->texts, q->row);
        put_text(t, v->texts, q->left);
        put_text(t, v->texts, q->right);
    }
    return t;
}

static void put_questions_json(const es_document *d, es_json *json) {
    const es_duel_asked_view *v = d->what;
    es_json_uint(json, "candidates", v->candidates);
    es_document_table(json, "questions", make_questions(d));
}

static void put_questions_caption(const es_document *d, es_buf *out) {
    const es_duel_asked_view *v = d->what;
    es_buf_printf(
        out,
        "\nWhich of the two rows is nearer in meaning to the row? Answer left, right or = "
        "(neither, both).\n%zu candidates; --csv writes a file to fill in, --answers "
        "FILE reads it\n",
        v->candidates);
}

es_status es_duel_write_questions(es_cli *cli, const es_duel_asked_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "duel_questions",
                                            .table = make_questions,
                                            .caption = put_questions_caption,
                                            .json = put_questions_json};
    return es_document_write(
        &parts, (es_document){cli, view->session, SIZE_MAX, view, ES_FORMAT_DEFAULT}, err);
}

/* ---- standing ---- */

static const es_out_column columns[] = {
    {.key = "model", .title = "model", .flags = ES_COLUMN_KEY},
    ES_NUMBER("share", "share", NULL, 2, 0),
    ES_NUMBER("low", "low", NULL, 2, ES_COLUMN_LOW),
    ES_NUMBER("high", "high", NULL, 2, 0),
    {.key = "answers", .title = "answers", .kind = ES_COLUMN_COUNT},
    {.key = "out", .kind = ES_COLUMN_FLAG, .flags = ES_COLUMN_DATA_ONLY},
    {.key = "left", .title = "candidate", .flags = ES_COLUMN_SHOWN_ONLY},
};

static es_table_out *make_standing(const es_document *d) {
    const es_duel_report *r = ((const es_duel_view *)d->what)->report;
    const es_duel_standing *s = &r->standing;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t k = 0; k < s->k; k++) {
        size_t i = s->order[k];
        es_table_out_text(t, r->name[i]);
        es_table_out_band(t, s->share[i], s->low[i], s->high[i]);
        es_table_out_count(t, s->answers[i]);
        es_table_out_flag(t, s->out[i]);
        es_table_out_text(t, s->out[i] ? "out" : "yes");
    }
    return t;
}

static const char *person_name(const es_duel_report *r, size_t person) {
    return r->person.word[person][0] ? r->person.word[person] : "(no name)";
}

static void put_people_json(es_json *json, const es_duel_report *r) {
    es_json_begin_array(json, "agreement");
    for (size_t k = 0; k < r->pairs; k++) {
        es_json_begin_object(json, NULL);
        es_json_text(json, "a", person_name(r, r->pair[k].a));
        es_json_text(json, "b", person_name(r, r->pair[k].b));
        es_json_uint(json, "questions", r->pair[k].agreement.count);
        es_json_double(json, "equal", r->pair[k].agreement.equal);
        es_json_double(json, "kappa", r->pair[k].agreement.kappa);
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const es_duel_report *r = ((const es_duel_view *)d->what)->report;
    es_json_text(json, "sentence", r->sentence);
    es_json_uint(json, "candidates", r->standing.k);
    es_json_uint(json, "left", r->standing.left);
    es_json_uint(json, "answers", r->answers);
    es_json_uint(json, "questions_answered", r->questions);
    es_json_uint(json, "counted", r->standing.counted);
    es_document_count(json, "more", r->standing.left > 1 ? r->more : 0);
    es_json_double(json, "level", ES_DUEL_LEVEL);
    es_json_double(json, "wrong", ES_DUEL_WRONG);
    es_document_table(json, "standing", make_standing(d));
    put_people_json(json, r);
}

/* "Two people: ana and ben gave equal answers to .80 of 10 questions (kappa .66)." */
static void put_people(const es_duel_report *r, es_buf *out) {
    for (size_t k = 0; k < r->pairs; k++) {
        const es_duel_agreement *a = &r->pair[k].agreement;
        es_buf_printf(out, "%s and %s: ", person_name(r, r->pair[k].a),
                      person_name(r, r->pair[k].b));
        if (a->count == 0) {
            es_buf_puts(out, "no question in common\n");
            continue;
        }
        es_buf_printf(out, "%zu question%s in common, share of equal answers ", a->count,
                      a->count == 1 ? "" : "s");
        es_share_put(a->equal, out);
        if (isfinite(a->kappa)) {
            es_buf_puts(out, ", Cohen's kappa ");
            es_share_put(a->kappa, out);
        }
        es_buf_putc(out, '\n');
    }
}

static void put_words(const es_document *d, es_buf *out) {
    es_buf_puts(out, ((const es_duel_view *)d->what)->report->sentence);
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_duel_report *r = ((const es_duel_view *)d->what)->report;
    size_t width = es_output_width(d->cli);
    es_buf_putc(out, '\n');
    if (d->cli->capture == NULL && d->cli->sheet == NULL) /* these begin with it */
        es_caption_fill(out, r->sentence, width == 0 || width > 100 ? 100 : width);
    es_buf_printf(
        out,
        "\nshare: how many of the answers about its rows the candidate won (= counts half)"
        "\nlow, high: %.0f %% interval, valid whenever you stop; up to %.0f %% of the "
        "answers may be wrong\n",
        100 * ES_DUEL_LEVEL, 100 * ES_DUEL_WRONG);
    put_people(r, out);
    if (r->answers == 0)
        es_buf_puts(out, "D in the explorer asks; so does --questions 20 --csv, with --answers "
                         "FILE to read the answers\n");
}

static void put_plot(const es_document *d, es_sheet_plot *plot) {
    enum { MODEL = 0, SHARE = 1 };
    (void)d;
    *plot = (es_sheet_plot){
        .kind = ES_DRAWN_FOREST, .label = MODEL, .value = {SHARE}, .values = 1, .line = 0.5};
}

es_status es_duel_write(es_cli *cli, const es_duel_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "duel",
                                            .table = make_standing,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .plot = put_plot,
                                            .title = "Duels"};
    return es_document_write(
        &parts, (es_document){cli, view->session, SIZE_MAX, view, ES_FORMAT_DEFAULT}, err);
}
