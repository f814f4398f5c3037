/* `embedscope rivals`: every score that needs no labels against what is downstream, as a table and
 * as a forest of correlations. */
#include <math.h>
#include <string.h>

#include "cli_reports.h"
#include "cmd.h"

typedef struct rivals_view {
    es_session *session;
    const es_results *names;
    const es_label_free *rivals; /* settled */
} rivals_view;

#define RIVALS(C)                                                                                  \
    C(COUNT, "rank", "rank", 0, rival->place > 0 ? rival->place : SIZE_MAX)                        \
    C(TEXT, "score", "score", ES_COLUMN_KEY, s->name[k])                                           \
    C(COUNT, "n", "n", 0, r->n)                                                                    \
    C(NUMBER, "n_effective", "n_eff", 0, 0, r->n_effective)                                        \
    C(COEFFICIENT, "spearman", "spearman", 2, r, ES_SPEARMAN)                                      \
    C(COEFFICIENT, "kendall", "kendall", 2, r, ES_KENDALL)                                         \
    C(BAND, "ahead", "ahead", 2, ahead->tau.value, ahead->low, ahead->high)                        \
    C(NUMBER, "each_task", "each task", 2, 0, rival->each_task)                                    \
    C(NUMBER, "worth", "worth", 1, 0, rival->worth)                                                \
    C(SHORT, NUMBER, "regret_first", "regret of first", "first", 0, 0, rival->regret_first)        \
    C(SHORT, NUMBER, "regret_five", "of first five", "five", 0, 0, rival->regret_five)             \
    C(NUMBER, "seconds", "seconds", 2, 0, s->seconds[k])                                           \
    C(DATA, COUNT, "labelled_tasks", 0)                                                            \
    C(DATA, FLAG, "lower_is_better", s->negated[k])                                                \
    C(DATA, FLAG, "controls_last", es_agree_scores_controls_last(s, k))                            \
    C(DATA, TEXT, "about", s->about[k])                                                            \
    C(DATA, TEXT, "remark", s->remark[k])                                                          \
    C(DATA, TEXT, "ci_reason",                                                                     \
      es_document_range_why(&r->value[ES_SPEARMAN], r->low[ES_SPEARMAN], r->n))

static const es_out_column rivals_columns[] = ES_COLUMNS_OF(RIVALS);

static void put_row(es_table_out *t, const es_label_free *x, size_t at) {
    const es_label_free_row *rival = &x->rival[at];
    const es_agree_scores *s = &x->scores;
    size_t k = rival->column;
    const es_correlation_report *r = &s->agreement->against[k];
    const es_agreement_cell *ahead =
        es_label_free_is_line(x, rival) ? &es_agree_no_lead : &s->agreement->ahead[k];
    ES_PUT_ROW(RIVALS, t);
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

static es_table_out *make_rivals_table(const es_document *d) {
    const es_label_free *x = ((const rivals_view *)d->what)->rivals;
    es_table_out *t = ES_TABLE_OUT(rivals_columns);
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

static void put_rivals_caption(const es_document *d, es_buf *out) {
    const es_label_free *x = ((const rivals_view *)d->what)->rivals;
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

static void put_rivals_json(const es_document *d, es_json *json) {
    const rivals_view *v = d->what;
    const es_agree_scores *s = &v->rivals->scores;
    es_json_text(json, "downstream", s->task);
    es_json_uint(json, "tasks", v->rivals->tasks);
    es_json_uint(json, "compared", v->rivals->compared);
    es_json_uint(json, "scored", s->scored);
    es_document_chosen(json, "controls", (const char *const *)v->names->name, s->control, s->n);
    es_json_text(json, "line", s->name[0]);
    es_document_table(json, "rivals", make_rivals_table(d));
    for (size_t k = es_json_list(json, "values"); es_json_list_next(json, &k, s->k);) {
        es_json_text(json, "score", s->name[v->rivals->rival[k].column]);
        es_json_begin_row(json, "value");
        for (size_t i = 0; i < s->n; i++)
            es_json_double(json, NULL, s->column[v->rivals->rival[k].column * s->n + i]);
        es_json_end(json);
    }
    for (size_t i = es_json_list(json, "models"); es_json_list_next(json, &i, s->n);) {
        es_json_text(json, "name", v->names->name[i]);
        es_json_double(json, "percentile", s->downstream[i]);
    }
    es_document_excluded(json, v->session);
}

/* Scores without labels as a forest: Spearman's rho with its interval a row, best first, what is
 * surely ahead of the dimension on a band, the dimension's own as a line. */
static es_forest_row row_rival_of(const es_label_free *x, size_t at) {
    size_t k = x->rival[at].column;
    const es_correlation_report *r = &x->scores.agreement->against[k];
    return (es_forest_row){
        .name = x->scores.name[k],
        .rank = x->rival[at].place,
        .value = r->value[ES_SPEARMAN].value,
        .low = r->low[ES_SPEARMAN],
        .high = r->high[ES_SPEARMAN],
        .best = k > 0 && x->scores.agreement->ahead[k].low > 0,
    };
}

static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_label_free *x = ((const rivals_view *)d->what)->rivals;
    double line = x->scores.agreement->against[0].value[ES_SPEARMAN].value;
    es_forest forest = {.count = x->scores.k, .null_low = line, .null_high = line};
    es_forest_row *rows = es_sketch_room(sketch, forest.count, sizeof *rows);
    if (rows == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < forest.count; i++) {
        rows[i] = row_rival_of(x, i);
        if (rows[i].best)
            forest.band = "shaded: surely ahead of the dimension, the vertical line (95 %)";
    }
    forest.row = rows;
    forest.heading = "score";
    forest.axis = es_sketch_text(sketch, "Spearman with the %s (bars: 95 %%)", x->scores.task);
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

static void put_plot(const es_document *d, es_sheet_plot *plot) {
    enum { SCORE = 1, SPEARMAN = 4, KENDALL = 7, AHEAD = 10 };
    const es_agreement *a = ((const rivals_view *)d->what)->rivals->scores.agreement;
    *plot = (es_sheet_plot){.kind = ES_DRAWN_FOREST,
                            .label = SCORE,
                            .value = {SPEARMAN, KENDALL, AHEAD},
                            .values = 3,
                            .line = a->against[0].value[ES_SPEARMAN].value};
}

/* ---- the command ---- */

/* Every measure that needs nothing but the vectors, separated by commas. */
static void put_label_free(es_buf *out) {
    for (const es_measure *const *m = es_measures; *m; m++)
        if (!(*m)->needs)
            es_buf_printf(out, "%s%s", out->length ? "," : "", (*m)->name);
}

static es_status check_label_free(es_cli *cli, const es_choices *choices, es_error *err) {
    for (size_t i = 0; i < choices->count; i++) {
        const es_measure *m = choices->item[i].measured->measure;
        if (m->needs)
            return es_usage(cli, err, "rivals: %s needs %s; `embedscope agree` takes it", m->name,
                            es_measure_need(m->needs));
    }
    return ES_OK;
}

es_status es_cmd_rivals(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {.schema = "rivals",
                                            .table = make_rivals_table,
                                            .caption = put_rivals_caption,
                                            .json = put_rivals_json,
                                            .picture = put_picture,
                                            .plot = put_plot,
                                            .title = "Scores without labels"};
    es_session *session = NULL;
    es_choices choices = {0};
    es_label_free rivals = {0};
    es_buf names = {0};
    const es_scores *scores = NULL;
    es_status st = ES_OK;
    ES_TRY(es_measure_open(cli, false, &session, err));
    ES_TRY(es_export_attach(cli, session, 0, err));
    ES_TRY(es_rivals_scores(cli, session, &scores, err));
    if (cli->n_arguments > 1)
        es_buf_puts(&names, cli->arguments[1]);
    else
        put_label_free(&names);
    ES_TRY(es_buf_check(&names, err));
    ES_TRY(es_measure_choose(cli, session, names.data, &choices, err));
    st = check_label_free(cli, &choices, err);
    if (st != ES_OK)
        goto done;
    ES_TRY(es_measure_compute(cli, session, &choices, err));
    ES_TRY(es_rivals_inputs(cli, session, &choices, scores, &rivals, err));
    const rivals_view view = {session, es_session_results(session, 0), &rivals};
    ES_TRY(es_document_write(&parts,
                             (es_document){cli, session, SIZE_MAX, &view, ES_FORMAT_DEFAULT}, err));
    ES_TRY(es_session_store_problem(session, err));
done:
    es_label_free_deinit(&rivals);
    es_choices_deinit(&choices);
    es_buf_free(&names);
    es_session_close(session);
    return st;
}
