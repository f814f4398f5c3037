/* The rows that two embedders agree on least and most, by the pointwise information that the critic
 * of `measure infonce` finds in rows it has not seen. */
#include "cli_measures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_requests.h"

enum { SHOWN_BYTES = 100, ENDS = 2 };

static const char *const ends[ENDS] = {"least", "most"};

#define LINE(C)                                                                                    \
    C(COUNT, "row", "row", 0, es_row_number(&v->rows, line->row[0]))                               \
    C(TAKEN, "id", "id", 0, es_row_id(&v->rows, line->row[0], most))                               \
    C(NUMBER, "pmi", "pmi", 3, 0, line->value)                                                     \
    C(NUMBER, "match", "match", 3, 0, line->beside)                                                \
    C(TAKEN, "text", "text", 0, es_row_text(&v->rows, line->row[0], most))                         \
    C(COUNT, "mistaken", "rival", 0, es_row_number(&v->rows, line->row[1]))                        \
    C(TAKEN, "mistaken_text", "its text", 0, es_row_text(&v->rows, line->row[1], most))

static const es_out_column columns[] = {ES_HEAD(TEXT, "agree", "agree", NULL, 0, ES_COLUMN_KEY),
                                        LINE(ES_COLUMN_OF)};

typedef struct view {
    es_session *session;
    const es_choice *choice;
    size_t a, b; /* positions in the results */
    es_row_source rows;
    es_worst_list list; /* least first */
    size_t top;
    const char *remark; /* why no end is listed, or NULL */
} view;

static void put_row(es_table_out *t, const view *v, const es_worst_line *line, size_t most) {
    ES_PUT_ROW(LINE, t);
}

/* The i-th of those at one end. */
static const es_worst_line *line_at(const view *v, size_t end, size_t i) {
    return &v->list.line[end == 0 ? i : v->list.count - 1 - i];
}

static bool is_whole(const view *v) {
    return v->top == v->list.count;
}

static es_table_out *make_table(const es_document *d) {
    const view *v = d->what;
    size_t most = d->format == ES_FORMAT_TABLE ? SHOWN_BYTES
                  : d->format == ES_FORMAT_CSV ? ES_ROW_EXACT
                                               : 0;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t end = 0; end < (is_whole(v) ? 1 : ENDS); end++)
        for (size_t i = 0; i < v->top; i++) {
            es_table_out_text(t, ends[end]);
            put_row(t, v, line_at(v, end, i), most);
        }
    return t;
}

static double mean_of(const es_worst_list *list) {
    double sum = 0;
    for (size_t k = 0; k < list->count; k++)
        sum += list->line[k].value / (double)list->count;
    return sum;
}

static void put_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    const es_results *names = es_session_results(v->session, 0);
    es_json_text(json, "by", "pmi");
    es_json_text(json, "a", names->name[v->a]);
    es_json_text(json, "b", names->name[v->b]);
    es_json_text(json, "settings", v->choice->measured->settings);
    es_json_uint(json, "n", v->list.count);
    es_json_uint(json, "of", es_pool_rows(es_session_pool(v->session)));
    es_json_double(json, "mean", mean_of(&v->list));
    if (v->remark)
        es_json_text(json, "remark", v->remark);
    for (size_t end = 0; end < ENDS; end++) {
        es_table_out *t = es_table_out_new(columns + 1, sizeof columns / sizeof *columns - 1);
        for (size_t i = 0; i < v->top && !(end > 0 && is_whole(v)); i++)
            put_row(t, v, line_at(v, end, i), ES_ROW_EXACT);
        es_document_table(json, ends[end], t);
    }
}

static void put_caption(const es_document *d, es_buf *out) {
    const view *v = d->what;
    const es_results *names = es_session_results(v->session, 0);
    es_buf_printf(out,
                  "\n%s and %s: %zu rows of %zu, which the critic has not seen; mean pmi %.3f "
                  "nats\n",
                  es_results_label(names, v->a), es_results_label(names, v->b), v->list.count,
                  es_pool_rows(es_session_pool(v->session)), mean_of(&v->list));
    if (v->remark)
        es_buf_printf(out, "%s\n", v->remark);
    es_buf_puts(out,
                "pmi: the row's score, which estimates pointwise mutual information, above the "
                "batch's other rows;\n");
    es_buf_puts(out, v->choice->measured->symmetric
                         ? "  no bound, and symmetric: it does not say which predicts which\n"
                         : "  no bound; the other direction differs by the critic, not by which "
                           "predicts which\n");
    es_buf_puts(out, "match: how surely the critic tells the pair from another row "
                     "(0.5: not at all)\nrival: the other row that it takes most for the "
                     "partner, a mistake\n  only where it scores above the partner\n");
    if (v->rows.texts == NULL)
        es_buf_puts(out, "no texts: the pool has no rows.csv that fits\n");
}

static es_status list_rows(view *v, es_error *err) {
    es_measure_data data;
    const double *values;
    es_matrix a = {0}, b = {0};
    es_status st = ES_OK;
    es_session_measure_inputs(v->session, v->choice->entry, &data, &values);
    ES_TRY(es_session_matrix(v->session, v->a, &a, err));
    ES_TRY(es_session_matrix(v->session, v->b, &b, err));
    ES_TRY(es_worst_list_new(v->choice->measured->measure, &a, &b, &data, values, NULL, &v->list,
                             err));
done:
    es_matrix_free(&a);
    es_matrix_free(&b);
    return st;
}

es_status es_pmi_rows(es_cli *cli, es_error *err) {
    es_choices choices = {0};
    view v = {0};
    es_status st = ES_OK;
    ES_TRY(es_measure_open(cli, false, &v.session, err));
    ES_TRY(es_cli_model(cli, v.session, 0, cli->arguments[1], &v.a, err));
    ES_TRY(es_cli_model(cli, v.session, 0, cli->arguments[2], &v.b, err));
    ES_TRY(es_measure_choose(cli, v.session, "infonce", &choices, err));
    v.choice = &choices.item[0];
    ES_TRY(es_row_source_init(v.session, 0, &v.rows, err));
    v.rows.eval = NULL; /* numbers are rows of the row set here, not of a split */
    ES_TRY(list_rows(&v, err));
    v.top = cli->options->top == 0 || cli->options->top > v.list.count ? v.list.count
                                                                       : cli->options->top;
    if (!is_whole(&v) && !(line_at(&v, 1, 0)->value > line_at(&v, 0, 0)->value)) {
        v.remark = "all rows have the same value: the critic finds nothing that the two share";
        v.top = 0;
    }
    static const es_document_parts parts = {
        .schema = "pmi", .table = make_table, .caption = put_caption, .json = put_json};
    ES_TRY(es_document_write(&parts, (es_document){cli, v.session, SIZE_MAX, &v, ES_FORMAT_DEFAULT},
                             err));
done:
    es_worst_list_free(&v.list);
    es_choices_deinit(&choices);
    es_session_close(v.session);
    return st;
}

/* The queries that distances of data sets are of. */

void es_measure_queries_deinit(es_measure_queries *q) {
    es_annotations_free(q->evidence);
    *q = (es_measure_queries){0};
}

es_status es_measure_queries_set(const char *assignment, double *settings, es_error *err) {
    char key[64];
    size_t length = strcspn(assignment, "=");
    (void)snprintf(key, sizeof key, "%.*s", (int)(length < 63 ? length : 63), assignment);
    size_t at = es_setting_find(es_annotations_settings, ES_ANNOTATIONS_SETTINGS, key);
    if (at == ES_ANNOTATIONS_SETTINGS || (es_annotations_setting_needs(at) & ES_NEED_QUERIES) == 0)
        return es_fail(err, ES_ENOTFOUND, "%s has no setting '%s'", ES_DATASET_DISTANCE, key);
    return es_setting_assign(es_annotations_settings, ES_ANNOTATIONS_SETTINGS, ES_DATASET_DISTANCE,
                             assignment, settings, err);
}

es_status es_measure_queries_settings(es_cli *cli, double *settings, es_error *err) {
    const es_texts *given = &cli->options->settings;
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS; i++)
        settings[i] = es_annotations_settings[i].value;
    for (size_t i = 0; i < given->count; i++) {
        es_error why = {0};
        if (es_measure_queries_set(given->items[i], settings, &why) != ES_OK)
            return es_usage(cli, err, "%s", why.message);
    }
    return ES_OK;
}

es_status es_measure_queries_take(es_cli *cli, es_session *session, const char *name,
                                  const double *settings, es_measure_queries *out, es_error *err) {
    const char *wanted = cli->options->task;
    size_t times = 0, taken = SIZE_MAX;
    es_digest digest;
    es_error why = {0};
    ES_PASS(es_annotations_new(es_session_pool(session), settings, cli->options->seed,
                               &out->evidence, err));
    es_status st = es_annotations_times(out->evidence, ES_NEED_QUERIES, &times, &why);
    for (size_t k = 0; st == ES_OK && k < times && taken == SIZE_MAX; k++) {
        st = es_annotations_take(out->evidence, ES_NEED_QUERIES, k, &out->data, &out->task, &digest,
                                 &why);
        if (!wanted || (out->task && strcmp(out->task, wanted) == 0))
            taken = k;
    }
    if (st != ES_OK)
        return es_fail(err, st, "%s: %s", name, why.message);
    if (taken == SIZE_MAX)
        return es_usage(cli, err, "%s: labels.csv has no column of classes '%s'", name, wanted);
    for (size_t i = 0; i < es_annotations_notes(out->evidence); i++)
        es_output_note(cli, "%s: %s", name, es_annotations_note(out->evidence, i));
    if (!wanted && times > 1)
        es_output_note(cli, "%s: queries are of the label column '%s'; --task names another", name,
                       out->task);
    return ES_OK;
}
