#include "matrix_out.h"
#include "pair_value.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "document.h"
#include "export_note.h"
#include "model_order.h"
#include "output.h"
#include "pictures.h"
#include "captions.h"
#include "results_rank.h"
#include "table_out.h"

#include "alloc.h"
#include "json.h"

/* What to write: the results in the order of the rows and columns. */
typedef struct view {
    const es_results *results;
    const uint32_t *order; /* (m) positions */
    size_t m;              /* of them that are written: the first ones */
} view;

/* ---- json ---- */

static void put_models(es_json *json, const view *v) {
    const es_results *r = v->results;
    es_json_begin_array(json, "models");
    for (size_t i = 0; i < v->m; i++) {
        size_t at = v->order[i];
        es_json_begin_object(json, NULL);
        es_json_text(json, "name", r->name[at]);
        bool known = r->dim[at] > 0; /* not in a matrix from a file */
        es_document_count(json, "dim", known ? r->dim[at] : SIZE_MAX);
        es_document_count(json, "dim_used", known ? r->dim_used[at] : SIZE_MAX);
        es_document_count(json, "dropped_columns", known ? r->dropped[at] : SIZE_MAX);
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_values(es_json *json, const view *v, const char *key, es_pair_value value) {
    size_t m = v->m;
    es_json_begin_array(json, key);
    for (size_t i = 0; i < m; i++) {
        es_json_begin_row(json, NULL);
        for (size_t j = 0; j < m; j++)
            es_json_double(json, NULL,
                           es_pair_value_of(v->results, value, v->order[i], v->order[j]));
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_entropies(es_json *json, const view *v) {
    es_json_begin_row(json, "h");
    for (size_t i = 0; i < v->m; i++)
        es_json_double(json, NULL, v->results->h[v->order[i]]);
    es_json_end(json);
}

static const char *state_name(uint8_t state) {
    return state == ES_PAIR_DONE ? "done" : state == ES_PAIR_FAILED ? "failed" : "pending";
}

static void put_states(es_json *json, const view *v) {
    const es_results *r = v->results;
    es_json_begin_array(json, "state");
    for (size_t i = 0; i < v->m; i++) {
        es_json_begin_row(json, NULL);
        for (size_t j = 0; j < v->m; j++)
            es_json_text(json, NULL, state_name(r->state[v->order[i] * r->m + v->order[j]]));
        es_json_end(json);
    }
    es_json_end(json);
    es_json_begin_array(json, "failures");
    for (size_t i = 0; i < v->m; i++)
        for (size_t j = 0; j < v->m; j++) {
            size_t source = v->order[i], target = v->order[j];
            if (r->state[source * r->m + target] != ES_PAIR_FAILED)
                continue;
            es_json_begin_object(json, NULL);
            es_json_text(json, "source", r->name[source]);
            es_json_text(json, "target", r->name[target]);
            es_json_text(json, "reason", r->reason[source * r->m + target]);
            es_json_end(json);
        }
    es_json_end(json);
}

/* The zero line, of the targets where it was asked for. */
static void put_null(es_json *json, const view *v) {
    const es_results *r = v->results;
    es_json_begin_array(json, "null");
    for (size_t i = 0; r->null && i < v->m; i++) {
        const es_null_line *null = &r->null[v->order[i]];
        if (null->state != ES_PAIR_DONE && null->state != ES_PAIR_FAILED)
            continue;
        es_json_begin_object(json, NULL);
        es_json_text(json, "target", r->name[v->order[i]]);
        es_json_double(json, "is", null->is);
        es_json_double(json, "se", null->se);
        if (null->reason)
            es_json_text(json, "reason", null->reason);
        es_json_end(json);
    }
    es_json_end(json);
}

static void write_json(const es_cli *cli, es_session *session, size_t entry, const view *v,
                       es_buf *out) {
    es_json json;
    es_json_init(&json, out, 2);
    es_document_begin(&json, cli, session, entry);
    es_json_text(&json, "order", es_order_names[cli->options->order]);
    put_models(&json, v);
    es_document_excluded(&json, session);
    put_values(&json, v, "is", ES_VALUE_IS);
    put_values(&json, v, "se", ES_VALUE_SE);
    put_entropies(&json, v);
    put_values(&json, v, "h_cond", ES_VALUE_H_COND);
    put_values(&json, v, "seconds", ES_VALUE_SECONDS);
    if (cli->options->value == ES_VALUE_ASYMMETRY)
        put_values(&json, v, "asymmetry", ES_VALUE_ASYMMETRY);
    put_states(&json, v);
    put_null(&json, v);
    es_document_end(&json);
}

/* ---- table, csv, md, tex ---- */

/* Columns: number and name of the source, then one a target; where room is short, targets are
 * headed by the number of their row. `numbers` (m, 24) holds these headings. */
static es_out_column *make_columns(const view *v, char (*numbers)[24]) {
    const es_results *r = v->results;
    es_out_column *columns = es_alloc_zero(v->m + 2, sizeof *columns);
    if (columns == NULL)
        return NULL;
    columns[0] = (es_out_column){.key = "number",
                                 .title = "#",
                                 .kind = ES_COLUMN_COUNT,
                                 .flags = ES_COLUMN_SHOWN_ONLY | ES_COLUMN_KEY};
    columns[1] = (es_out_column){.key = "source", .title = "source", .flags = ES_COLUMN_KEY};
    for (size_t j = 0; j < v->m; j++) {
        (void)snprintf(numbers[j], sizeof numbers[j], "%zu", j + 1);
        columns[j + 2] = (es_out_column){.key = r->name[v->order[j]],
                                         .title = r->name[v->order[j]],
                                         .brief = numbers[j],
                                         .kind = ES_COLUMN_NUMBER,
                                         .decimals = 3};
    }
    return columns;
}

/* best (m): the row of the source that knows most of each target, itself left out; SIZE_MAX: none.
 */
static void find_best(const view *v, size_t *best) {
    const es_results *r = v->results;
    double sign = es_rank_lower_is_better(r) ? -1 : 1;
    for (size_t j = 0; j < v->m; j++) {
        best[j] = SIZE_MAX;
        for (size_t i = 0; i < v->m; i++) {
            double value = sign * r->is[v->order[i] * r->m + v->order[j]];
            if (i == j || !isfinite(value))
                continue;
            if (best[j] == SIZE_MAX || value > sign * r->is[v->order[best[j]] * r->m + v->order[j]])
                best[j] = i;
        }
    }
}

static es_status write_cells(const es_cli *cli, const view *v, es_output_format format, es_buf *out,
                             es_error *err) {
    es_status st = ES_OK;
    size_t m = v->m;
    es_table_out *table = NULL;
    es_pair_value value = (es_pair_value)cli->options->value;
    char(*numbers)[24] = es_alloc_zero(m, sizeof *numbers);
    es_out_column *columns = numbers ? make_columns(v, numbers) : NULL;
    size_t *best = es_alloc(m, sizeof *best);
    table = columns ? es_table_out_new(columns, m + 2) : NULL;
    if (table == NULL || best == NULL) {
        st = es_no_memory(err);
        goto done;
    }
    find_best(v, best);
    for (size_t i = 0; i < m; i++) {
        es_table_out_count(table, i + 1);
        es_table_out_text(table, v->results->name[v->order[i]]);
        for (size_t j = 0; j < m; j++) {
            es_table_out_number(table,
                                es_pair_value_of(v->results, value, v->order[i], v->order[j]));
            if (value == ES_VALUE_IS && best[j] == i)
                es_table_out_best(table);
        }
    }
    ES_TRY(es_table_out_write(table, format, es_output_width(cli), out, err));
done:
    es_table_out_free(table);
    es_free(columns);
    es_free(numbers);
    es_free(best);
    return st;
}

/* Which results a table holds, below it. */
static void put_caption(const es_cli *cli, const es_results *results, es_buf *out) {
    static const char *const meaning[] = {
        [ES_VALUE_IS] = "what the target shares with the source, nats per dimension",
        [ES_VALUE_SE] = "standard error of is, nats per dimension",
        [ES_VALUE_H_COND] = "entropy of the target given the source, nats per dimension",
        [ES_VALUE_ASYMMETRY] = "is(row, column) - is(column, row), nats per dimension",
        [ES_VALUE_SECONDS] = "time of the pair, seconds",
    };
    bool lower = results->estimator && results->estimator->lower_is_better;
    bool is = cli->options->value == ES_VALUE_IS;
    es_buf_putc(out, '\n');
    if (results->estimator)
        es_buf_printf(out, "%s %s: ", results->estimator->name, results->preset);
    es_buf_printf(out, "rows are sources, columns targets\n%s: %s\n",
                  es_value_names[cli->options->value],
                  lower && is ? "error of predicting the target from the source: lower is better"
                              : meaning[cli->options->value]);
    if (results->done < results->m * results->m)
        es_buf_printf(out, "%zu of %zu pairs are known\n", results->done, results->m * results->m);
    if (is)
        es_caption_null(results, out);
}

es_status es_matrix_write(es_cli *cli, es_session *session, size_t entry, es_output_format format,
                          es_error *err) {
    es_status st = ES_OK;
    es_buf out = {0};
    view v = {.results = es_session_results(session, entry)};
    uint32_t *order = es_alloc(v.results->m, sizeof *order);
    if (order == NULL) {
        st = es_no_memory(err);
        goto done;
    }
    v.order = order;
    ES_TRY(es_order_models(v.results, (es_order_kind)cli->options->order, NULL, cli->options->seed,
                           order, err));
    for (size_t i = 0; i < v.results->m; i++)
        if (es_export_shows(cli, order[i]))
            order[v.m++] = order[i];
    if (es_format_is_picture(format))
        ES_TRY(es_picture_matrix(cli, v.results, v.order, v.m, format, &out, err));
    else if (format == ES_FORMAT_JSON)
        write_json(cli, session, entry, &v, &out);
    else
        ES_TRY(write_cells(cli, &v, format, &out, err));
    if (format == ES_FORMAT_TABLE)
        put_caption(cli, v.results, &out);
    ES_TRY(es_output_write(cli, &out, err));
done:
    es_buf_free(&out);
    es_free(order);
    return st;
}
