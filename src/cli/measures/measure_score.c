/* A measure in place of information sufficiency: opened and computed for `rank` and `correlate`,
 * and its ranking as a document that reads like the other one. */
#include "cli_measures.h"

#include <math.h>
#include <string.h>

static es_status check_options(es_cli *cli, es_error *err) {
    const es_options *o = cli->options;
    if (o->matrix || o->ranking)
        return es_usage(cli, err,
                        "--score %s is computed from vectors: name a pool in place of --%s",
                        o->score, o->matrix ? "matrix" : "ranking");
    if (o->curve || o->coverage > 0)
        return es_usage(cli, err, "--score does not go with --%s, which asks about targets",
                        o->curve ? "curve" : "coverage");
    static const char *const of_targets[] = {"aggregate", "unit", "targets", "include-self",
                                             "leave-family-out"};
    for (size_t i = 0; i < sizeof of_targets / sizeof *of_targets; i++)
        if (es_options_typed(o, of_targets[i]))
            return es_usage(cli, err,
                            "--%s goes with --score predictive or published: --score %s has "
                            "one rule of its own",
                            of_targets[i], o->score);
    if (strchr(o->score, ',') || strcmp(o->score, "all") == 0)
        return es_usage(cli, err,
                        "--score takes one measure; `embedscope agree` sets several side "
                        "by side");
    return ES_OK;
}

es_status es_score_open(es_cli *cli, es_session **session, es_choices *choices, es_error *err) {
    es_status st = ES_OK;
    ES_TRY(check_options(cli, err));
    ES_TRY(es_measure_open(cli, false, session, err));
    ES_TRY(es_export_attach(cli, *session, 0, err));
    if (cli->export)
        cli->export->measures = true;
    es_options options = *cli->options;
    es_cli choosing = *cli;
    choosing.options = &options;
    if (cli->export)
        options.task = NULL; /* there it is the task of the picture */
    ES_TRY(es_measure_choose(&choosing, *session, cli->options->score, choices, err));
    if (choices->count > 1 && choices->item[0].measured->task == NULL)
        choices->count = 1; /* sets of pairs: all together */
    ES_FAIL_IF(choices->count > 1,
               es_usage(cli, err,
                        "--score %s: labels.csv has %zu columns; --task names one, such as "
                        "'%s'",
                        cli->options->score, choices->count, choices->item[0].measured->task));
    ES_TRY(es_measure_compute(cli, *session, choices, err));
done:
    return st;
}

size_t es_score_field(const es_choice *choice) {
    return choice->field == SIZE_MAX ? 0 : choice->field;
}

void es_score_document(es_json *json, const es_choice *choice) {
    const es_measure *m = choice->measured->measure;
    char name[160];
    es_json_begin_object(json, "measure");
    es_json_text(json, "name", es_choice_name(choice, es_score_field(choice), name, sizeof name));
    es_json_text(json, "task", choice->measured->task);
    es_json_text(json, "settings", choice->measured->settings);
    es_json_bool(json, "lower_is_better", es_measure_is_lower_better(m, es_score_field(choice)));
    es_json_bool(json, "ranks", !m->fields[es_score_field(choice)].fact);
    es_json_text(json, "about",
                 m->pair ? "median over the other embedders"
                         : m->fields[es_score_field(choice)].title);
    es_json_end(json);
}

void es_score_caption(const es_choice *choice, es_buf *out) {
    const es_measure *m = choice->measured->measure;
    size_t field = es_score_field(choice);
    char name[160];
    es_buf_printf(out, "score: %s, %s%s; %s%s%s\n",
                  es_choice_name(choice, field, name, sizeof name),
                  m->pair && field == 0 ? m->title : m->fields[field].title,
                  m->pair ? ", median over the other embedders" : "",
                  m->fields[field].fact ? "a fact about the measurement: neither way is better"
                  : es_measure_is_lower_better(m, field) ? "lower is better"
                                                         : "higher is better",
                  choice->measured->settings[0] ? "\n  " : "", choice->measured->settings);
    const char *caveat = es_measured_caveat(choice->measured);
    if (caveat)
        es_buf_printf(out, "mind: %s\n", caveat);
}

/* ---- a ranking ---- */

#define ROW(C)                                                                                     \
    C(COUNT, "rank", "rank", 0, s->rank[i] ? s->rank[i] : SIZE_MAX)                                \
    C(NAME, "model", "model", ES_COLUMN_KEY, s->names, i)                                          \
    C(BEST, "score", "score", NULL, 4, 0, lower ? -s->value[i] : s->value[i], s->rank[i] == 1)     \
    C(SHORT, NUMBER, "ci_low", "95 % low", "low", 4, ES_COLUMN_LOW, v ? v->low : (double)NAN)      \
    C(SHORT, NUMBER, "ci_high", "95 % high", "high", 4, 0, v ? v->high : (double)NAN)              \
    C(DATA, COUNT, "rank_low", SIZE_MAX)                                                           \
    C(DATA, COUNT, "rank_high", SIZE_MAX)                                                          \
    C(DATA, COUNT, "pairs", SIZE_MAX)                                                              \
    C(DATA, COUNT, "of", SIZE_MAX)                                                                 \
    C(COUNT, "dim", "dim", 0, s->names->dim[i] ? s->names->dim[i] : SIZE_MAX)                      \
    C(DATA, COUNT, "community", SIZE_MAX)                                                          \
    C(TEXT, "note", "note", 0, v && v->why ? v->why : v ? v->warning : NULL)                       \
    C(DATA, FLAG, "derived", es_results_is_derived(s->names, i))

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

typedef struct scores {
    es_session *session;
    const es_choice *choice;
    const es_results *names;
    double *value;  /* (m) higher is better */
    uint32_t *rank; /* (m) 0: no value */
} scores;

static void put_row(es_table_out *t, const scores *s, size_t i) {
    const es_measured *m = s->choice->measured;
    bool pair = m->measure->pair != NULL,
         lower = es_measure_is_lower_better(m->measure, es_score_field(s->choice));
    const es_measure_value *v = pair ? NULL : &m->value[i * m->width + es_score_field(s->choice)];
    ES_PUT_ROW(ROW, t);
}

/* Where nobody has a value: why not. */
static es_status fail_empty(const scores *s, es_error *err) {
    const es_measured *m = s->choice->measured;
    size_t field = es_score_field(s->choice);
    const char *why = NULL;
    char name[160];
    for (size_t k = 0; k < m->of && !why; k++)
        why = m->reason[k] ? m->reason[k] : m->value[es_measured_field(m, k, field)].why;
    return es_fail(err, ES_EEMPTY, "%s: no embedder has a value%s%s",
                   es_choice_name(s->choice, field, name, sizeof name), why ? ": " : "",
                   why ? why : "");
}

static es_status rank_embedders(const es_cli *cli, scores *s, es_error *err) {
    size_t m = s->names->m;
    s->value = es_cli_room(cli, m, sizeof *s->value);
    s->rank = es_cli_room(cli, m, sizeof *s->rank);
    if (!s->value || !s->rank)
        return es_no_memory(err);
    es_status st =
        es_measured_column(s->choice->measured, es_score_field(s->choice), s->value, err);
    size_t known = 0;
    for (size_t i = 0; st == ES_OK && i < m; i++)
        known += isfinite(s->value[i]) != 0;
    if (st == ES_OK && known == 0)
        return fail_empty(s, err);
    return st == ES_OK ? es_rank_competition(s->value, m, false, s->rank, err) : st;
}

/* Rows best first, those without a value, whose rank is 0, last. */
static es_table_out *make_table(const es_document *d) {
    const scores *s = d->what;
    size_t m = s->names->m;
    es_table_out *table = ES_TABLE_OUT(columns);
    for (uint32_t rank = 1; rank <= m + 1; rank++)
        for (size_t i = 0; i < m; i++)
            if (s->rank[i] == (rank <= m ? rank : 0) && es_export_shows(d->cli, i))
                put_row(table, s, i);
    return table;
}

static void put_json(const es_document *d, es_json *json) {
    const scores *s = d->what;
    es_json_text(json, "score", "measure");
    es_json_null(json, "aggregate");
    es_json_null(json, "unit");
    es_json_bool(json, "include_self", false);
    es_json_bool(json, "leave_family_out", false);
    es_score_document(json, s->choice);
    es_json_null(json, "bottom_line");
    es_document_table(json, "ranking", make_table(d));
    es_json_null(json, "intervals");
    es_json_null(json, "null");
    es_document_derived(json, s->session);
    es_json_null(json, "dominated_by_family_of");
    es_document_excluded(json, s->session);
}

static void put_caption(const es_document *d, es_buf *out) {
    const scores *s = d->what;
    const es_words *left = es_pool_derived_left_out(es_session_pool(s->session));
    es_buf_putc(out, '\n');
    es_score_caption(s->choice, out);
    es_answer_put_left_out(left, "--with-derived", out);
    es_buf_puts(out, left->count > 0 ? "\n" : "");
}

es_status es_score_rank(es_cli *cli, es_error *err) {
    es_choices choices = {0};
    scores s = {0};
    es_status st = ES_OK;
    ES_TRY(es_score_open(cli, &s.session, &choices, err));
    s.choice = &choices.item[0];
    s.names = es_session_results(s.session, 0);
    ES_TRY(rank_embedders(cli, &s, err));
    static const es_document_parts parts = {
        .schema = "rank", .table = make_table, .caption = put_caption, .json = put_json};
    ES_TRY(es_document_write(&parts, (es_document){cli, s.session, SIZE_MAX, &s, ES_FORMAT_DEFAULT},
                             err));
    ES_TRY(es_session_store_problem(s.session, err));
done:
    es_choices_deinit(&choices);
    es_session_close(s.session);
    return st;
}
