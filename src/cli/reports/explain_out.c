/* Why one embedder is ranked before another: the difference with its error, what each reference
 * embedder adds to it, and between which no difference is shown. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROW(C)                                                                                     \
    C(TEXT, "target", "target", ES_COLUMN_KEY, name_of(v, t->target))                              \
    C(TEXT, "family", "family", 0, v->report->results->family[t->target])                          \
    C(NUMBER, "a", "first", 3, 0, t->a)                                                            \
    C(NUMBER, "b", "second", 3, 0, t->b)                                                           \
    C(NUMBER, "difference", "difference", 3, 0, t->a - t->b)                                       \
    C(NUMBER, "adds", "adds", 4, 0, t->adds)

static const es_out_column explain_columns[] = ES_COLUMNS_OF(ROW);

typedef struct explain_view {
    const es_rank_report *report;
    const es_explanation *explanation;
    const char *sentence;
    const char *duels; /* what people's answers say; NULL: there are none */
    const char *board; /* what the pool's scores say of the two; NULL: they lack one */
} explain_view;

static const char *name_of(const explain_view *v, size_t i) {
    return v->report->results->name[i];
}

/* In sentences. */
static const char *label_of(const explain_view *v, size_t i) {
    return es_results_label(v->report->results, i);
}

static es_table_out *make_table(const es_document *d) {
    const explain_view *v = d->what;
    const es_explanation *x = v->explanation;
    es_table_out *table = ES_TABLE_OUT(explain_columns);
    for (size_t k = 0; k < x->targets; k++) {
        const es_explained_target *t = &x->target[k];
        ES_PUT_ROW(ROW, table);
    }
    return table;
}

/* ---- json ---- */

static void put_side(es_json *json, const char *key, const explain_view *v, size_t i) {
    const es_decision *d = v->report->decision;
    es_json_begin_object(json, key);
    es_json_text(json, "model", name_of(v, i));
    es_json_uint(json, "rank", v->report->ranking->rank[i]);
    es_json_double(json, "score", v->report->ranking->score[i]);
    es_document_count(json, "rank_low", d->rank_low[i] ? d->rank_low[i] : SIZE_MAX);
    es_document_count(json, "rank_high", d->rank_high[i] ? d->rank_high[i] : SIZE_MAX);
    es_json_bool(json, "in_best_set", d->best[i]);
    es_json_double(json, "published", v->report->published[i]);
    es_json_end(json);
}

static void put_explain_json(const es_document *d, es_json *json) {
    const explain_view *v = d->what;
    const es_explanation *x = v->explanation;
    es_document_scoring(json, v->report);
    put_side(json, "a", v, x->a);
    put_side(json, "b", v, x->b);
    es_json_double(json, "difference", x->difference);
    es_json_double(json, "se", x->error);
    es_json_bool(json, "ahead", x->ahead);
    es_json_uint(json, "kinds", x->kinds);
    es_json_text(json, "sentence", v->sentence);
    es_json_text(json, "duels", v->duels);
    es_json_text(json, "board", v->board);
    es_document_names(json, "tied_with_a", (const char *const *)v->report->results->name, x->tied,
                      x->tied_count);
    es_document_table(json, "targets", make_table(d));
}

/* ---- words ---- */

static void put_tied(const explain_view *v, es_buf *out) {
    enum { MOST = 8 };
    const es_explanation *x = v->explanation;
    size_t named = 0;
    if (!v->report->decision->said || x->tied_count == 0)
        return;
    es_buf_printf(out, " No difference is shown between %s and: ", label_of(v, x->a));
    for (size_t k = 0; k < x->tied_count; k++)
        es_buf_name(out, &named, MOST, label_of(v, x->tied[k]));
    es_buf_names_end(out, named, MOST);
    es_buf_puts(out, ".");
}

/* The decision about the two, then what each lead is made of. */
static es_status make_sentence(explain_view *v, es_buf *out, es_error *err) {
    const es_explanation *x = v->explanation;
    const es_bottom_line_of of = es_answer_words(v->report);
    es_bottom_line_put_pair(&of, x->a, x->b, out);
    for (int k = 0; k < 2 && of.decision->by_lead; k++) {
        es_buf_puts(out, " ");
        es_bottom_line_put_parts(&of, k == 0 ? x->a : x->b, out);
    }
    put_tied(v, out);
    es_status st = es_buf_check(out, err);
    v->sentence = out->data;
    return st;
}

static void put_explain_caption(const es_document *d, es_buf *out) {
    const explain_view *v = d->what;
    const es_explanation *x = v->explanation;
    es_buf_putc(out, '\n');
    es_caption_fill(out, v->sentence, es_caption_width(d->cli));
    if (v->duels)
        es_caption_fill(out, v->duels, es_caption_width(d->cli));
    if (v->board) {
        es_buf text = {0};
        es_buf_printf(&text, "Your scores: %s", v->board);
        es_buf_putc(out, '\n');
        es_caption_take(d->cli, &text, out);
    }
    es_buf_printf(out, "\nfirst: %s, second: %s; score: %s, %s over %s", label_of(v, x->a),
                  label_of(v, x->b), es_rank_report_score(v->report),
                  es_rank_report_aggregate(v->report), es_rank_report_voting(v->report));
    bool adds = x->targets > 0 && !isnan(x->target[0].adds);
    es_buf_puts(out, adds ? "; adds: to the difference\n" : "\n");
    if (es_rank_lower_is_better(v->report->results))
        es_buf_puts(out, "difference: of errors, first less second; the lower one is better\n");
}

/* What answers to duels add, as one sentence; nothing where there are none. */
static es_status add_duels(es_session *session, es_rank_report *report, explain_view *v,
                           es_buf *out, es_error *err) {
    const es_bottom_line_of of = es_answer_words(report);
    es_answer answer = {.report = report};
    es_status st = es_bottom_line_new(&of, &answer.line, err);
    if (st == ES_OK)
        st = es_duel_put_of_pool(session, &answer, NULL, out, err);
    if (st == ES_OK)
        st = es_buf_check(out, err);
    if (out->length > 0)
        v->duels = out->data;
    es_bottom_line_free(answer.line);
    return st;
}

/* What the scores downstream say of the two, as `leaderboard POOL A B` does. */
static es_status add_board(es_cli *cli, es_session *session, explain_view *v, es_buf *out,
                           es_error *err) {
    const es_scores *scores = NULL;
    es_leaderboard *board = NULL;
    es_board_versus *versus = NULL;
    es_status st = es_cli_scores(cli, session, &scores, err);
    if (st == ES_OK && scores &&
        es_leaderboard_of_pool(es_session_pool(session), scores, cli->options->seed, NULL, &board,
                               NULL) == ES_OK) {
        size_t a = es_leaderboard_find(board, name_of(v, v->explanation->a)),
               b = es_leaderboard_find(board, name_of(v, v->explanation->b));
        if (a != SIZE_MAX && b != SIZE_MAX &&
            es_board_versus_new(board, a, b, &versus, NULL) == ES_OK)
            es_board_versus_put(versus, out);
        st = es_buf_check(out, err);
        v->board = st == ES_OK && out->length > 0 ? out->data : NULL;
    }
    es_board_versus_free(versus);
    es_leaderboard_free(board);
    return st;
}

es_status es_explain_write(es_cli *cli, es_session *session, const char *a, const char *b,
                           es_error *err) {
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    es_rank_report *report = NULL;
    es_explanation *explanation = NULL;
    es_buf sentence = {0}, duels = {0}, board = {0};
    size_t first, second = SIZE_MAX;
    es_status st = ES_OK;
    if (es_format_is_picture(es_output_format_of(cli, ES_FORMAT_TABLE)))
        return es_usage(cli, err, "--explain is a table, not a picture: csv, json, md or tex");
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    ES_TRY(es_rank_width_of(session, report, err));
    ES_TRY(es_cli_model(cli, session, report->entry, a, &first, err));
    if (b)
        ES_TRY(es_cli_model(cli, session, report->entry, b, &second, err));
    ES_FAIL_IF(second == first, es_usage(cli, err, "--explain: '%s' is named twice", a));
    ES_TRY(es_explanation_new(report, first, second, &explanation, err));
    explain_view v = {report, explanation, NULL, NULL, NULL};
    ES_TRY(make_sentence(&v, &sentence, err));
    ES_TRY(add_duels(session, report, &v, &duels, err));
    ES_TRY(add_board(cli, session, &v, &board, err));
    static const es_document_parts parts = {.schema = "explain",
                                            .table = make_table,
                                            .caption = put_explain_caption,
                                            .json = put_explain_json};
    ES_TRY(es_document_write(
        &parts, (es_document){cli, session, report->entry, &v, ES_FORMAT_DEFAULT}, err));
done:
    es_buf_free(&sentence);
    es_buf_free(&duels);
    es_buf_free(&board);
    es_explanation_free(explanation);
    es_rank_report_free(report);
    return st;
}
