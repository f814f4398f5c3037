/* The matrix as a document: a table of one value, or all that is stored of the pairs as JSON. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io_readers.h"

enum { DECIMALS = 3 };

/* What to write: the results in the order of the rows and columns. */
typedef struct view {
    const es_results *results;
    es_session *session;
    uint32_t *order; /* (results->m) positions */
    size_t m;        /* of them that are written: the first ones */
    size_t *best;    /* (m) */
} view;

/* ---- json ---- */

static void put_models(es_json *json, const view *v) {
    const es_results *r = v->results;
    for (size_t i = es_json_list(json, "models"); es_json_list_next(json, &i, v->m);) {
        size_t at = v->order[i];
        es_json_text(json, "name", r->name[at]);
        es_json_bool(json, "derived", es_results_is_derived(r, at));
        bool known = r->dim[at] > 0; /* not in a matrix from a file */
        es_document_count(json, "dim", known ? r->dim[at] : SIZE_MAX);
        es_document_count(json, "dim_used", known ? r->dim_used[at] : SIZE_MAX);
        es_document_count(json, "dropped_columns", known ? r->dropped[at] : SIZE_MAX);
        es_document_count(json, "rare", known ? r->rare[at] : SIZE_MAX);
        es_document_count(json, "limited", known ? r->limited[at] : SIZE_MAX);
    }
}

/* Puts something of every pair, a row a source. */
static void put_square(es_json *json, const view *v, const char *key,
                       void (*put)(es_json *json, const es_results *r, size_t source, size_t target,
                                   const void *what),
                       const void *what) {
    es_json_begin_array(json, key);
    for (size_t i = 0; i < v->m; i++) {
        es_json_begin_row(json, NULL);
        for (size_t j = 0; j < v->m; j++)
            put(json, v->results, v->order[i], v->order[j], what);
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_value(es_json *json, const es_results *r, size_t source, size_t target,
                      const void *value) {
    es_json_double(json, NULL, es_pair_value_of(r, *(const es_pair_value *)value, source, target));
}

static void put_values(es_json *json, const view *v, const char *key, es_pair_value value) {
    put_square(json, v, key, put_value, &value);
}

/* values (m, m) of the results. */
static void put_cell(es_json *json, const es_results *r, size_t source, size_t target,
                     const void *values) {
    es_json_double(json, NULL, ((const double *)values)[source * r->m + target]);
}

/* The same unless none is a number. */
static void put_known(es_json *json, const view *v, const char *key, const double *values) {
    size_t m = v->results->m, i = 0;
    while (i < m * m && !isfinite(values[i]))
        i++;
    if (i < m * m)
        put_square(json, v, key, put_cell, values);
}

/* Pairs whose value is exactly 0 for want of evidence. */
static void put_silent(es_json *json, const es_results *r, size_t source, size_t target,
                       const void *what) {
    (void)what;
    es_json_bool(json, NULL, es_results_silent(r, source, target));
}

static void put_entropies(es_json *json, const view *v) {
    es_json_begin_row(json, "h");
    for (size_t i = 0; i < v->m; i++)
        es_json_double(json, NULL, v->results->h[v->order[i]]);
    es_json_end(json);
}

static void put_state(es_json *json, const es_results *r, size_t source, size_t target,
                      const void *what) {
    uint8_t state = r->state[source * r->m + target];
    (void)what;
    es_json_text(json, NULL,
                 state == ES_PAIR_DONE     ? "done"
                 : state == ES_PAIR_FAILED ? "failed"
                                           : "pending");
}

static void put_failures(es_json *json, const view *v) {
    const es_results *r = v->results;
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

/* Row of the files, from 0, that decides a pair alone; SIZE_MAX: none does. */
static size_t deciding_row(const es_document *d, size_t source, size_t target, double *without) {
    const view *v = d->what;
    size_t count, value = es_results_decided(v->results, source, target, without);
    const uint32_t *rows = es_session_evaluated(v->session, d->entry, &count);
    if (value == SIZE_MAX || rows == NULL || value >= count)
        return SIZE_MAX;
    return es_pool_file_row(es_session_pool(v->session), rows[value]);
}

/* Calls `each` for every pair that one row decides, in the order of the document; their number. */
static size_t each_decided(const es_document *d, void *context,
                           void (*each)(void *context, const es_results *r, size_t source,
                                        size_t target, size_t row, double without)) {
    const view *v = d->what;
    size_t found = 0;
    for (size_t i = 0; i < v->m; i++)
        for (size_t j = 0; j < v->m; j++) {
            double without;
            size_t row = deciding_row(d, v->order[i], v->order[j], &without);
            if (row == SIZE_MAX)
                continue;
            each(context, v->results, v->order[i], v->order[j], row, without);
            found++;
        }
    return found;
}

static void put_decided(void *context, const es_results *r, size_t source, size_t target,
                        size_t row, double without) {
    es_json *json = context;
    es_json_begin_object(json, NULL);
    es_json_text(json, "source", r->name[source]);
    es_json_text(json, "target", r->name[target]);
    es_document_count(json, "row", row);
    es_json_double(json, "without", without);
    es_json_end(json);
}

/* Targets of which even a copy says little. */
static void put_low_copies(es_json *json, const view *v) {
    double is = 0;
    es_json_begin_array(json, "low_copies");
    for (size_t j = 0; j < v->m; j++) {
        if (!es_results_copy_low(v->results, v->order[j], &is))
            continue;
        es_json_begin_object(json, NULL);
        es_json_text(json, "target", v->results->name[v->order[j]]);
        es_json_double(json, "is", is);
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

/* A file's order stays where nobody asks for another. */
static bool keeps_order(const es_cli *cli, const es_results *results) {
    return results->estimator == NULL && !es_options_given(cli->options, "order");
}

static void put_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    es_json_text(json, "order",
                 keeps_order(d->cli, v->results) ? "file" : es_order_names[d->cli->options->order]);
    put_models(json, v);
    es_document_excluded(json, v->session);
    put_values(json, v, "is", ES_VALUE_IS);
    put_values(json, v, "se", ES_VALUE_SE);
    put_entropies(json, v);
    put_values(json, v, "h_cond", ES_VALUE_H_COND);
    put_values(json, v, "seconds", ES_VALUE_SECONDS);
    put_square(json, v, "lambda", put_cell, v->results->lambda);
    put_square(json, v, "silent", put_silent, NULL);
    put_known(json, v, "information", v->results->information);
    put_known(json, v, "information_se", v->results->information_se);
    if (d->cli->options->value == ES_VALUE_ASYMMETRY)
        put_values(json, v, "asymmetry", ES_VALUE_ASYMMETRY);
    if (d->cli->options->value == ES_VALUE_TOTAL)
        put_values(json, v, "total", ES_VALUE_TOTAL);
    put_square(json, v, "state", put_state, NULL);
    put_failures(json, v);
    es_json_begin_array(json, "decided_by_row");
    (void)each_decided(d, json, put_decided);
    es_json_end(json);
    put_low_copies(json, v);
    put_null(json, v);
}

/* ---- table, csv, md, tex ---- */

/* best (m): the row of the source that knows most of each target, itself left out; SIZE_MAX: none.
 */
static void find_best(view *v) {
    size_t *best = v->best;
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

/* The best, and those that a reader sees as equal to it. */
static bool is_best(const view *v, size_t i, size_t j) {
    const es_results *r = v->results;
    if (i == j || v->best[j] == SIZE_MAX)
        return false;
    return es_table_out_alike(r->is[v->order[i] * r->m + v->order[j]],
                              r->is[v->order[v->best[j]] * r->m + v->order[j]], DECIMALS);
}

/* Columns: number and name of the source, then one a target; where room is short, targets are
 * headed by the number of their row. */
static void head_columns(const view *v, es_table_out *table) {
    static const es_out_column source[] = {
        ES_HEAD(COUNT, "number", "#", NULL, 0, ES_COLUMN_SHOWN_ONLY | ES_COLUMN_KEY),
        ES_HEAD(TEXT, "source", "source", NULL, 0, ES_COLUMN_KEY)};
    es_table_out_add(table, source[0]);
    es_table_out_add(table, source[1]);
    for (size_t j = 0; j < v->m; j++) {
        char number[24];
        (void)snprintf(number, sizeof number, "%zu", j + 1);
        es_table_out_add(table, (es_out_column)ES_NUMBER(v->results->name[v->order[j]],
                                                         es_results_label(v->results, v->order[j]),
                                                         number, DECIMALS, ES_COLUMN_ALWAYS));
    }
}

static es_table_out *make_table(const es_document *d) {
    const view *v = d->what;
    es_pair_value value = (es_pair_value)d->cli->options->value;
    es_table_out *table = es_table_out_new(NULL, 0);
    head_columns(v, table);
    for (size_t i = 0; i < v->m; i++) {
        es_table_out_count(table, i + 1);
        es_document_name(table, v->results, v->order[i]);
        for (size_t j = 0; j < v->m; j++) {
            es_table_out_number(table,
                                es_pair_value_of(v->results, value, v->order[i], v->order[j]));
            if (value == ES_VALUE_IS && is_best(v, i, j))
                es_table_out_best(table);
        }
    }
    return table;
}

enum { NAMED = 2 }; /* of a kind, in captions */

/* The first few by name. */
typedef struct decided_caption {
    es_buf *out;
    size_t count;
} decided_caption;

static void caption_decided(void *context, const es_results *r, size_t source, size_t target,
                            size_t row, double without) {
    decided_caption *c = context;
    if (c->count++ < NAMED)
        es_buf_printf(c->out, "one row decides %s -> %s: %.3f, without row %zu %.3f\n",
                      r->name[source], r->name[target], r->is[source * r->m + target], row,
                      without);
}

/* Published recipes fit even a copy no longer than their epochs, whatever the data. */
static const char *cause_of_low(const es_results *results, char out[64]) {
    const char *epochs = results->settings ? strstr(results->settings, " epochs=") : NULL;
    if (!es_results_unlimited(results) || epochs == NULL)
        return "heavy tails, near-constant columns or few rows";
    (void)snprintf(out, 64, "this preset ends after %.*s epochs", (int)strcspn(epochs + 8, " "),
                   epochs + 8);
    return out;
}

static void caption_low_copies(const view *v, es_buf *out) {
    char cause[64];
    size_t low = 0;
    double is = 0;
    for (size_t j = 0; j < v->m; j++)
        if (es_results_copy_low(v->results, v->order[j], &is) && low++ < NAMED)
            es_buf_printf(out, "a copy of %s scores only %.2f (%s): its column is understated\n",
                          v->results->name[v->order[j]], is, cause_of_low(v->results, cause));
    if (low > NAMED)
        es_buf_printf(out, "so do copies of %zu other target%s (--json names all)\n", low - NAMED,
                      low == NAMED + 1 ? "" : "s");
}

/* Which results a table holds, below it. */
static void put_caption(const es_document *d, es_buf *out) {
    const es_results *results = ((const view *)d->what)->results;
    static const char *const meaning[] = {
        [ES_VALUE_IS] = "what the target shares with the source, nats per dimension",
        [ES_VALUE_SE] = "standard error of is, nats per dimension",
        [ES_VALUE_H_COND] = "entropy of the target given the source, nats per dimension",
        [ES_VALUE_ASYMMETRY] = "is(row, column) - is(column, row), nats per dimension",
        [ES_VALUE_SECONDS] = "seconds of a processor",
        [ES_VALUE_TOTAL] =
            "what the target shares with the source, nats over all of its dimensions",
        [ES_VALUE_H] = "entropy of the target (standardised), nats per dimension",
    };
    es_pair_value value = (es_pair_value)d->cli->options->value;
    bool is = value == ES_VALUE_IS;
    es_buf_putc(out, '\n');
    if (results->estimator)
        es_buf_printf(out, "%s %s: ", results->estimator->name, es_results_preset(results));
    es_buf_printf(out, "rows are sources, columns targets\n%s: %s\n", es_value_names[value],
                  es_rank_lower_is_better(results) ? es_pair_value_of_error(value)
                                                   : meaning[value]);
    es_caption_count(results, out);
    es_caption_known(results, out);
    if (!is)
        return;
    es_caption_remark(results, out);
    es_caption_null(results, out);
    decided_caption c = {out, 0};
    size_t decided = each_decided(d, &c, caption_decided);
    if (decided > NAMED)
        es_buf_printf(out, "so do single rows %zu other pair%s (--json names all)\n",
                      decided - NAMED, decided == NAMED + 1 ? "" : "s");
    caption_low_copies(d->what, out);
    const view *v = d->what;
    es_caption_rare(results, v->order, v->m, NAMED, out);
    es_caption_wild(results, v->order, v->m, NAMED, out);
    es_caption_silent(results, v->order, v->m, NAMED, out);
}

/* ---- the picture ---- */

/* What a heat map of the results holds, row by row as drawn. */
typedef struct sheet {
    double *value;     /* (m, m) */
    const char **name; /* (m) */
    unsigned *group;   /* (m) */
    es_linkage *tree;  /* NULL: none */
} sheet;

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Of those drawn alone, so that what is hidden leaves no gap. Turns `order` (m) to the tree's.
 * Their numbering decides between equal distances, as it does in documents and on screens. */
static es_status cluster(es_sketch *sketch, const es_results *results, uint32_t *order, size_t m,
                         es_linkage **out, es_error *err) {
    double *is = es_sketch_room(sketch, m, m * sizeof *is);
    uint32_t *old = es_sketch_room(sketch, m, sizeof *old);
    if (is == NULL || old == NULL)
        return es_no_memory(err);
    qsort(order, m, sizeof *order, compare_numbers);
    for (size_t i = 0; i < m; i++) {
        old[i] = order[i];
        for (size_t j = 0; j < m; j++)
            is[i * m + j] = results->is[(size_t)order[i] * results->m + order[j]];
    }
    es_status st = es_linkage_cluster(is, m, NULL, out, err);
    for (size_t i = 0; st == ES_OK && i < m; i++)
        order[i] = old[(*out)->order[i]];
    return st;
}

/* Fills the heatmap's values, names and groups in the given order. */
static es_status fill_sheet(es_sketch *sketch, const es_results *results, const uint32_t *order,
                            size_t m, const es_picture_groups *groups, sheet *s, es_error *err) {
    s->value = es_sketch_room(sketch, m, m * sizeof *s->value);
    s->name = es_sketch_room(sketch, m, sizeof *s->name);
    s->group = es_sketch_room(sketch, m, sizeof *s->group);
    if (!s->value || !s->name || !s->group)
        return es_no_memory(err);
    for (size_t i = 0; i < m; i++) {
        s->name[i] = es_results_label(results, order[i]);
        s->group[i] = groups->group[order[i]];
        for (size_t j = 0; j < m; j++)
            s->value[i * m + j] = es_pair_value_of(
                results, (es_pair_value)sketch->cli->options->value, order[i], order[j]);
    }
    return ES_OK;
}

static const char *value_title(const es_results *results, es_pair_value value) {
    if (es_rank_lower_is_better(results))
        return es_pair_value_of_error(value);
    switch (value) {
    case ES_VALUE_IS:
        return "IS(source → target), nats per dimension";
    case ES_VALUE_SE:
        return "standard error of IS, nats per dimension";
    case ES_VALUE_H_COND:
        return "H(target | source), nats per dimension";
    case ES_VALUE_ASYMMETRY:
        return "IS(row → column) − IS(column → row), nats per dimension";
    case ES_VALUE_SECONDS:
        return "seconds of a processor";
    case ES_VALUE_TOTAL:
        return "IS(source → target), nats";
    case ES_VALUE_H:
        return "H(target), nats per dimension";
    }
    return NULL;
}

static es_status draw(const es_document *d, es_sketch *sketch, es_error *err) {
    const view *v = d->what;
    const es_results *results = v->results;
    const uint32_t *order = v->order;
    size_t m = v->m;
    es_status st = ES_OK;
    sheet s = {0};
    es_picture_groups groups = {0};
    es_pair_value value = (es_pair_value)sketch->cli->options->value;
    const es_options *o = sketch->cli->options;
    double low, high;
    uint32_t *own = es_sketch_room(sketch, m, sizeof *own);
    if (own == NULL)
        return es_no_memory(err);
    ES_TRY(es_export_limits(sketch->cli, &low, &high, err));
    for (size_t i = 0; i < m; i++)
        own[i] = order[i];
    bool clustered = !es_options_given(o, "order") || o->order == (int)ES_ORDER_CLUSTER;
    if (clustered)
        ES_TRY(cluster(sketch, results, own, m, &s.tree, err));
    if (s.tree)
        es_buf_printf(&sketch->note,
                      "Trees: average linkage of the rows %swithout the diagonal, Euclidean. ",
                      value == ES_VALUE_IS               ? ""
                      : es_rank_lower_is_better(results) ? "of errors of prediction "
                                                         : "of information sufficiency ");
    ES_TRY(es_picture_groups_of(sketch, results, NULL, &groups, err));
    ES_TRY(fill_sheet(sketch, results, own, m, &groups, &s, err));
    const es_heatmap heatmap = {
        .rows = m,
        .columns = m,
        .value = s.value,
        .row_name = s.name,
        .column_name = s.name,
        .row_group = groups.drawn ? s.group : NULL,
        .column_group = groups.drawn ? s.group : NULL,
        .group_title = groups.title,
        .row_tree = s.tree,
        .column_tree = s.tree,
        .row_title = "source: simulates",
        .column_title = "target: is simulated",
        .value_title = value_title(results, value),
        .map = value == ES_VALUE_ASYMMETRY ? ES_HEAT_DIVERGING : ES_HEAT_SEQUENTIAL,
        .gradient = o->figure_colours > 0 ? &es_gradients[o->figure_colours - 1] : NULL,
        .low = low,
        .high = high,
        .diagonal_apart = true,
        .decimals = value == ES_VALUE_SE || value == ES_VALUE_SECONDS ? 3 : 2,
    };
    ES_TRY(es_figure_heatmap(&heatmap, ES_SKETCHED(sketch), err));
done:
    es_linkage_free(s.tree);
    return st;
}

/* The pairs of a matrix for other programs: a pair a line (csv, jsonl), or arrays (npz). Lines go
 * out as they are made, so that millions of pairs need no table of cells. */

typedef struct matrix_pairs {
    const es_results *results;
    const uint32_t *order; /* (m) positions in the results */
    size_t m;
    size_t n; /* rows that `is` is the mean over; 0: not known */
} matrix_pairs;

static const char *estimator_of(const matrix_pairs *p) {
    return p->results->estimator ? p->results->estimator->name : NULL;
}

/* Calls `put` for every pair, in the order of the rows and then the columns. */
static void each_pair(const matrix_pairs *p, es_buf *out,
                      void (*put)(const matrix_pairs *p, size_t source, size_t target,
                                  es_buf *out)) {
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->m; j++)
            put(p, p->order[i], p->order[j], out);
}

static void put_csv(const matrix_pairs *p, size_t source, size_t target, es_buf *out) {
    const es_results *r = p->results;
    es_csv_put_text(out, r->name[source]);
    es_buf_putc(out, ',');
    es_csv_put_text(out, r->name[target]);
    es_buf_putc(out, ',');
    es_csv_put_double(out, r->is[source * r->m + target]);
    es_buf_putc(out, ',');
    es_csv_put_double(out, r->se[source * r->m + target]);
    es_buf_putc(out, ',');
    if (p->n > 0)
        es_buf_printf(out, "%zu", p->n);
    es_buf_putc(out, ',');
    es_csv_put_text(out, estimator_of(p));
    es_buf_putc(out, '\n');
}

/* source,target,is,se,n,estimator: every source by every target. What is not known is empty. */
static void matrix_pairs_csv(const matrix_pairs *p, es_buf *out) {
    es_buf_puts(out, "source,target,is,se,n,estimator\n");
    each_pair(p, out, put_csv);
}

static void put_pairs_json(const matrix_pairs *p, size_t source, size_t target, es_buf *out) {
    const es_results *r = p->results;
    es_json json;
    es_json_init(&json, out, 0);
    es_json_begin_object(&json, NULL);
    es_json_text(&json, "source", r->name[source]);
    es_json_text(&json, "target", r->name[target]);
    es_json_double(&json, "is", r->is[source * r->m + target]);
    es_json_double(&json, "se", r->se[source * r->m + target]);
    if (p->n > 0)
        es_json_uint(&json, "n", p->n);
    else
        es_json_null(&json, "n");
    es_json_text(&json, "estimator", estimator_of(p));
    es_json_end(&json);
    es_buf_putc(out, '\n');
}

/* The same as one JSON object a line; what is not known is null. */
static void matrix_pairs_jsonl(const matrix_pairs *p, es_buf *out) {
    each_pair(p, out, put_pairs_json);
}

/* `is` and `se` (m, m) of float64, NaN where not known, and `names` (m): the rows are sources. */
static es_status matrix_pairs_npz(const es_cli *cli, const matrix_pairs *p, es_buf *out,
                                  es_error *err) {
    const es_results *r = p->results;
    const double *from[] = {r->is, r->se};
    static const char *const key[] = {"is", "se"};
    es_npz npz = {.out = out};
    const char **names = es_cli_room(cli, p->m, sizeof *names);
    double *values = es_cli_room(cli, p->m * p->m, sizeof *values);
    if (names == NULL || values == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < p->m; i++)
            for (size_t j = 0; j < p->m; j++)
                values[i * p->m + j] = from[k][p->order[i] * r->m + p->order[j]];
        es_npz_put_doubles(&npz, key[k], values, p->m, p->m);
    }
    for (size_t i = 0; i < p->m; i++)
        names[i] = r->name[p->order[i]];
    es_npz_put_texts(&npz, "names", names, p->m);
    return es_npz_end(&npz, err);
}

/* A pair a line, or arrays. */
static es_status put_pairs(const es_document *d, es_buf *out, es_error *err) {
    const view *v = d->what;
    matrix_pairs pairs = {.results = v->results, .order = v->order, .m = v->m};
    (void)es_session_evaluated(v->session, d->entry, &pairs.n);
    if (d->format == ES_FORMAT_NPZ)
        return matrix_pairs_npz(d->cli, &pairs, out, err);
    if (d->format == ES_FORMAT_JSONL)
        matrix_pairs_jsonl(&pairs, out);
    else
        matrix_pairs_csv(&pairs, out);
    return ES_OK;
}

/* Ranks are those that `rank` shows, whatever values the matrix shows. */
static es_status make_order(const es_cli *cli, view *v, es_error *err) {
    const es_options *o = cli->options;
    es_order_kind by = (es_order_kind)o->order;
    if (by == ES_ORDER_NAME && !keeps_order(cli, v->results))
        return es_rank_by_name(v->results, v->order, err);
    if (by == ES_ORDER_NAME || by == ES_ORDER_CLUSTER)
        return es_order_models(v->results, by, NULL, o->resolution, o->seed, v->order, err);
    uint32_t *place = es_cli_room(cli, v->results->m, sizeof *place);
    if (place == NULL)
        return es_no_memory(err);
    ES_PASS(es_rank_places(v->session, v->results, o->seed, place, err));
    return es_order_models(v->results, by, place, o->resolution, o->seed, v->order, err);
}

static es_status view_init(const es_cli *cli, view *v, es_error *err) {
    size_t m = v->results->m;
    v->order = es_cli_room(cli, m, sizeof *v->order);
    v->best = es_cli_room(cli, m, sizeof *v->best);
    if (!v->order || !v->best)
        return es_no_memory(err);
    ES_PASS(make_order(cli, v, err));
    for (size_t i = 0; i < m; i++)
        if (es_export_shows(cli, v->order[i]))
            v->order[v->m++] = v->order[i];
    find_best(v);
    return ES_OK;
}

static bool any_known(const view *v, es_pair_value value) {
    for (size_t i = 0; i < v->m * v->m; i++)
        if (isfinite(es_pair_value_of(v->results, value, v->order[i / v->m], v->order[i % v->m])))
            return true;
    return value == ES_VALUE_IS;
}

es_status es_matrix_write(es_cli *cli, es_session *session, size_t entry, es_output_format format,
                          es_error *err) {
    view v = {.results = es_session_results(session, entry), .session = session};
    static const es_document_parts parts = {.schema = "matrix",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .json = put_json,
                                            .picture = draw};
    static const es_document_parts paired = {.text = put_pairs};
    bool pairs = cli->options->long_form || format == ES_FORMAT_JSONL || format == ES_FORMAT_NPZ;
    ES_PASS(view_init(cli, &v, err));
    if (v.results->estimator == NULL && !any_known(&v, (es_pair_value)cli->options->value))
        return es_fail(err, ES_EEMPTY,
                       "--value %s: a matrix from a file has the values themselves alone",
                       es_value_names[cli->options->value]);
    return es_document_write(pairs ? &paired : &parts,
                             (es_document){cli, session, entry, &v, format}, err);
}
