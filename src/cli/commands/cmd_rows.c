/* `embedscope rows`: the rows of one embedder that another simulates worst and best; --by pmi is
 * measure_pmi.c. */
#include <math.h>
#include <stdlib.h>

#include "cli_measures.h"
#include "cli_reports.h"
#include "cli_session.h"
#include "cmd.h"
#include "engine_requests.h"

enum { SHOWN_BYTES = 160 };

#define LINE(C)                                                                                    \
    C(COUNT, "row", "row", 0, es_row_number(&v->rows, row->k))                                     \
    C(TAKEN, "id", "id", 0, es_row_id(&v->rows, row->k, max_bytes))                                \
    C(NUMBER, "pmi", "pmi", 3, 0, v->negated ? -row->value : row->value)                           \
    C(TAKEN, "text", "text", 0, es_row_text(&v->rows, row->k, max_bytes))

static const es_out_column columns[] = {
    ES_HEAD(TEXT, "simulated", "simulated", NULL, 0, ES_COLUMN_KEY), LINE(ES_COLUMN_OF)};

/* Values of a pair with where they belong, worst first. */
typedef struct ranked {
    double value; /* higher is better */
    size_t k;
} ranked;

typedef struct view {
    es_session *session;
    size_t entry, source, target;
    const es_results *results;
    es_row_source rows;
    bool negated;
    ranked *ranked; /* (n) */
    size_t n, top;
    bool all;
    const char *remark; /* why no end is listed, or NULL */
} view;

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    int by_value = (x->value > y->value) - (x->value < y->value);
    return by_value != 0 ? by_value : (x->k > y->k) - (x->k < y->k);
}

/* ES_EEMPTY: the pair, or its values per row, are not stored. */
static es_status rank_rows(const es_cli *cli, view *v, es_error *err) {
    const es_results *r = v->results;
    size_t at = v->source * r->m + v->target;
    const char *a = r->name[v->source], *b = r->name[v->target], *pool = cli->arguments[0];
    if (r->state[at] == ES_PAIR_FAILED)
        return es_fail(err, ES_EEMPTY, "%s -> %s failed: %s", a, b, r->reason[at]);
    if (r->state[at] != ES_PAIR_DONE)
        return es_fail(err, ES_EEMPTY, "%s -> %s is not stored; run `embedscope estimate %s`", a, b,
                       pool);
    if (r->pmi[at] == NULL)
        return es_fail(err, ES_EEMPTY,
                       "%s -> %s is stored without values per row; run `embedscope estimate %s`", a,
                       b, pool);
    v->ranked = es_cli_room(cli, r->n_eval, sizeof *v->ranked);
    if (v->ranked == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < r->n_eval; k++) {
        double value = (double)r->pmi[at][k];
        if (isfinite(value))
            v->ranked[v->n++] = (ranked){v->negated ? -value : value, k};
    }
    qsort(v->ranked, v->n, sizeof *v->ranked, compare_ranked);
    v->all = cli->options->top == 0;
    v->top = v->all || cli->options->top > v->n ? v->n : cli->options->top;
    if (!v->all && v->n > 1 && !(v->ranked[v->n - 1].value > v->ranked[0].value)) {
        v->remark = "all rows have the same value: the source predicts nothing of the target";
        v->top = 0;
    }
    return ES_OK;
}

/* Row number `place` of the worst, or of the best. */
static const ranked *row_at(const view *v, bool best, size_t place) {
    return &v->ranked[best ? v->n - 1 - place : place];
}

static void put_row(es_table_out *out, const view *v, bool best, size_t place, size_t max_bytes) {
    const ranked *row = row_at(v, best, place);
    ES_PUT_ROW(LINE, out);
}

static es_table_out *make_table(const es_document *d) {
    const view *v = d->what;
    size_t max_bytes = d->format == ES_FORMAT_CSV ? ES_ROW_EXACT : SHOWN_BYTES;
    es_table_out *table = ES_TABLE_OUT(columns);
    for (int best = 0; best < (v->all ? 1 : 2); best++)
        for (size_t i = 0; i < v->top; i++) {
            es_table_out_text(table, best ? "best" : "worst");
            put_row(table, v, best, i, max_bytes);
        }
    return table;
}

/* The rows of one end, without the column that names it. */
static void put_list(es_json *json, const view *v, const char *key, bool best) {
    es_table_out *table = es_table_out_new(columns + 1, sizeof columns / sizeof *columns - 1);
    for (size_t i = 0; i < v->top && !(best && v->all); i++)
        put_row(table, v, best, i, ES_ROW_EXACT);
    es_document_table(json, key, table);
}

static void put_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    size_t at = v->source * v->results->m + v->target;
    es_json_text(json, "source", v->results->name[v->source]);
    es_json_text(json, "target", v->results->name[v->target]);
    es_json_double(json, "is", v->results->is[at]);
    es_json_double(json, "se", v->results->se[at]);
    es_json_uint(json, "n", v->n);
    if (v->remark)
        es_json_text(json, "remark", v->remark);
    put_list(json, v, "worst", false);
    put_list(json, v, "best", true);
}

static void put_caption(const es_document *d, es_buf *out) {
    const view *v = d->what;
    const es_results *r = v->results;
    size_t at = v->source * r->m + v->target;
    char is[ES_TABLE_NUMBER], se[ES_TABLE_NUMBER];
    es_buf_printf(out, "\n%s %s: %s -> %s is %s (se %s)%s, the mean over %zu rows\n",
                  r->estimator->name, es_results_preset(r), es_results_label(r, v->source),
                  es_results_label(r, v->target), es_table_out_decimals(is, r->is[at], 3),
                  es_table_out_decimals(se, r->se[at], 3),
                  v->negated ? ", an error" : " nats per dimension", v->n);
    if (v->remark)
        es_buf_printf(out, "%s\n", v->remark);
    es_buf_puts(out, v->negated ? "pmi: the row's share of the error\n"
                                : "pmi: how much better a row is predicted with the source than "
                                  "without it\n");
    if (v->rows.texts == NULL)
        es_buf_puts(out, "no texts: the pool has no rows.csv that fits\n");
}

static void put_note(const es_document *d, es_buf *out) {
    const view *v = d->what;
    size_t shown = v->all ? v->top : 2 * v->top;
    if (shown < v->n)
        es_buf_printf(out, "%zu more not shown.", v->n - shown);
}

es_status es_cmd_rows(es_cli *cli, es_error *err) {
    es_status st = ES_OK;
    view v = {0};
    if (cli->n_arguments < 3)
        return es_usage(cli, err, "rows: name a source and a target: embedscope rows %s A B",
                        cli->arguments[0]);
    if (cli->options->by == ES_BY_PMI) {
        static const char *const unread[] = {"estimator", "preset"};
        for (size_t i = 0; i < 2; i++)
            es_output_note_idle(cli, unread[i], "--by pmi trains a critic of its own");
        return es_pmi_rows(cli, err);
    }
    ES_TRY(es_cli_open_stored(cli, true, &v.session, &v.entry, err));
    v.results = es_session_results(v.session, v.entry);
    v.negated = es_rank_lower_is_better(v.results);
    ES_TRY(es_cli_model(cli, v.session, v.entry, cli->arguments[1], &v.source, err));
    ES_TRY(es_cli_model(cli, v.session, v.entry, cli->arguments[2], &v.target, err));
    ES_TRY(es_row_source_init(v.session, v.entry, &v.rows, err));
    ES_TRY(rank_rows(cli, &v, err));
    static const es_document_parts parts = {.schema = "rows",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .note = put_note,
                                            .json = put_json};
    ES_TRY(es_document_write(&parts, (es_document){cli, v.session, v.entry, &v, ES_FORMAT_DEFAULT},
                             err));
done:
    es_session_close(v.session);
    return st;
}

/* `embedscope compare`: two or three embedders side by side, from what is stored. */

es_status es_cmd_compare(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    size_t entry = 0, models[ES_COMPARE_MOST] = {0};
    size_t first = cli->options->matrix ? 0 : 1; /* the pool stands before the names */
    size_t count = cli->n_arguments > first ? cli->n_arguments - first : 0;
    es_status st = ES_OK;
    if (count < 2)
        return es_usage(cli, err, "compare: name two or three embedders after the %s",
                        first ? "pool: embedscope compare POOL A B" : "options");
    ES_TRY(es_cli_open_stored(cli, true, &session, &entry, err));
    for (size_t k = 0; k < count; k++) {
        ES_TRY(es_cli_model(cli, session, entry, cli->arguments[first + k], &models[k], err));
        for (size_t j = 0; j < k; j++)
            if (models[j] == models[k]) {
                st = es_usage(cli, err, "compare: '%s' is named twice", cli->arguments[first + k]);
                goto done;
            }
    }
    ES_TRY(es_compare_write(cli, session, entry, models, count, err));
done:
    es_session_close(session);
    return st;
}
