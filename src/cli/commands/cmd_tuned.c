/* `embedscope tuned`: embedders beside what was tuned from them. */
#include "cmd.h"

#include <math.h>
#include <stdio.h>

#include "cli_reports.h"
#include "cli_session.h"

typedef struct tuned_view {
    es_session *session;
    const es_rank_report *report;
    const es_tuned *tuned; /* one pair at least */
} tuned_view;

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
    const tuned_view *v = d->what;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t i = 0; i < v->tuned->count; i++) {
        const es_tuned_pair *p = &v->tuned->pair[i];
        ES_PUT_ROW(ROW, t);
    }
    return t;
}

static void put_tuned_words(const es_document *d, es_buf *out) {
    es_tuned_put(((const tuned_view *)d->what)->tuned, out);
}

static void put_tuned_caption(const es_document *d, es_buf *out) {
    const tuned_view *v = d->what;
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
    const tuned_view *v = d->what;
    es_document_scoring(json, v->report);
    es_document_words(d, json, "text", put_tuned_words);
    es_document_table(json, "pairs", make_tuned_table(d));
    put_signs(json, "score_signs", &v->tuned->score);
    put_signs(json, "downstream_signs", &v->tuned->downstream);
    es_document_excluded(json, v->session);
}

/* A line a model from the embedder to what was tuned from it: the score, the rank, and downstream.
 */

enum { SIDES = 2, TUNED_PANELS = 3 };

/* value (TUNED_PANELS, count, SIDES). Returns which panels have any number. */
static void tuned_fill(const es_tuned *x, double *value, bool any[TUNED_PANELS]) {
    size_t panel = x->count * SIDES;
    for (size_t i = 0; i < x->count; i++) {
        const es_tuned_pair *p = &x->pair[i];
        const double of[TUNED_PANELS][SIDES] = {
            {p->before, p->after},
            {p->rank_before ? (double)p->rank_before : (double)NAN,
             p->rank_after ? (double)p->rank_after : (double)NAN},
            {p->downstream_before, p->downstream_after}};
        for (size_t k = 0; k < TUNED_PANELS; k++)
            for (size_t side = 0; side < SIDES; side++) {
                value[k * panel + i * SIDES + side] = of[k][side];
                any[k] = any[k] || isfinite(of[k][side]);
            }
    }
}

static es_status put_tuned_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_rank_report *report = ((const tuned_view *)d->what)->report;
    const es_tuned *x = ((const tuned_view *)d->what)->tuned;
    static const char *const sides[SIDES] = {"base", "tuned"};
    bool any[TUNED_PANELS] = {false};
    es_strands panel[TUNED_PANELS];
    size_t panels = 0;
    double *value = es_sketch_room(sketch, x->count, SIDES * TUNED_PANELS * sizeof *value);
    const char **name = es_sketch_room(sketch, x->count, sizeof *name);
    if (!value || !name)
        return es_no_memory(err);
    tuned_fill(x, value, any);
    for (size_t i = 0; i < x->count; i++)
        name[i] = es_results_label(report->results, x->pair[i].base);
    const char *titles[TUNED_PANELS] = {es_rank_report_score_name(report), "rank in the pool",
                                        "downstream"};
    for (size_t k = 0; k < TUNED_PANELS; k++)
        if (any[k])
            panel[panels++] = (es_strands){.rows = x->count,
                                           .columns = SIDES,
                                           .value = value + k * x->count * SIDES,
                                           .row_name = name,
                                           .column_name = sides,
                                           .y_title = titles[k],
                                           .ranks = k == 1};
    es_tuned_put(x, &sketch->note);
    es_buf_printf(&sketch->note, " Score: %s. Downstream: mean percentile. ",
                  es_rank_report_unit(report));
    return es_figure_strands(panel, panels, ES_SKETCHED(sketch), err);
}

enum { TUNED = 1, CHANGE = 4 };
static const es_sheet_plot plot = {
    .kind = ES_DRAWN_FOREST, .label = TUNED, .value = {CHANGE}, .values = 1, .line = 0};

/* ---- the command ---- */

/* models.csv, where it has a column of bases. */
static es_status read_bases(const es_cli *cli, es_session *session, es_family_file *out,
                            es_error *err) {
    es_error why = {0};
    char *path = NULL;
    es_status st = es_pool_beside(es_session_pool(session), "models.csv", &path, err);
    if (st != ES_OK || !path)
        return st;
    st = es_model_words_read(path, ES_MODEL_BASE, 0, out, &why);
    es_free(path);
    if (st == ES_ENOMEM)
        return es_no_memory(err);
    if (st != ES_OK && st != ES_EEMPTY && st != ES_ENOTFOUND)
        es_output_note(cli, "models.csv is not used: %s", why.message);
    return ES_OK;
}

es_status es_cmd_tuned(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {.schema = "tuned",
                                            .table = make_tuned_table,
                                            .caption = put_tuned_caption,
                                            .words = put_tuned_words,
                                            .json = put_tuned_json,
                                            .picture = put_tuned_picture,
                                            .drawn = &plot,
                                            .title = "Base and tuned"};
    es_session *session = NULL;
    es_rank_report *report = NULL;
    es_tuned tuned = {0};
    es_family_file bases = {0};
    const es_scores *scores = NULL;
    size_t entry = 0;
    es_status st = ES_OK;
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    ES_TRY(es_cli_open_stored(cli, true, &session, &entry, err));
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    ES_TRY(es_cli_scores(cli, session, &scores, err));
    ES_TRY(read_bases(cli, session, &bases, err));
    ES_TRY(es_tuned_new(report, &bases, scores, &tuned, err));
    ES_FAIL_IF(
        tuned.count == 0,
        es_fail(
            err, ES_EEMPTY,
            "%s: no embedder and what was tuned from it; name them NAME and NAME-tuned, or give "
            "models.csv the columns model and base",
            es_pool_name(es_session_pool(session))));
    if (tuned.absent > 0)
        es_output_note(cli, "models.csv: %zu base%s not in the pool", tuned.absent,
                       tuned.absent == 1 ? " is" : "s are");
    const tuned_view view = {session, report, &tuned};
    ES_TRY(es_document_write(
        &parts, (es_document){cli, session, report->entry, &view, ES_FORMAT_DEFAULT}, err));
done:
    es_tuned_deinit(&tuned);
    es_family_file_deinit(&bases);
    es_rank_report_free(report);
    es_session_close(session);
    return st;
}
