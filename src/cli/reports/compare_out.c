/* Two or three embedders side by side as a document: the verdict in words, then what it stands on.
 */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TARGETS = 10, USUAL_ROWS = 5, SHOWN_BYTES = 120 };

static const char *name_of(const es_compare_report *r, size_t k) {
    return r->results->name[r->comparison->model[k]];
}

static const char *label_of(const es_compare_report *r, size_t k) {
    return es_results_label(r->results, r->comparison->model[k]);
}

/* Derived embedders that are no targets, since they do not vote. */
static size_t left_out(const es_compare_report *r) {
    size_t count = 0;
    for (size_t t = 0; r->comparison->left_out && t < r->results->m; t++)
        count += r->comparison->left_out[t];
    return count;
}

static double score_of(const es_compare_report *r, size_t k, size_t task) {
    return r->in_scores[k] == SIZE_MAX
               ? (double)NAN
               : r->scores->value[r->in_scores[k] * r->scores->tasks + task];
}

/* ---- json ---- */

static void put_models(es_json *json, const es_compare_report *r) {
    for (size_t k = es_json_list(json, "models");
         es_json_list_next(json, &k, r->comparison->count);) {
        size_t i = r->comparison->model[k];
        const es_standing place = es_compare_standing(r, i);
        es_json_text(json, "name", r->results->name[i]);
        es_json_bool(json, "derived", es_results_is_derived(r->results, i));
        es_json_double(json, "score", place.score);
        es_document_count(json, "rank", place.rank ? place.rank : SIZE_MAX);
        es_json_double(json, "in_median", place.in);
        es_document_count(json, "in_median_sources", place.of ? place.sources : SIZE_MAX);
        es_document_count(json, "dim", r->results->dim[i] ? r->results->dim[i] : SIZE_MAX);
        es_json_double(json, "ci_low", place.low);
        es_json_double(json, "ci_high", place.high);
    }
}

typedef struct view {
    es_compare_report *report;
} view;

static void put_square(es_json *json, const char *key, size_t count,
                       double (*value)[ES_COMPARE_MOST]) {
    es_json_begin_array(json, key);
    for (size_t a = 0; a < count; a++)
        es_document_numbers(json, NULL, value[a], count);
    es_json_end(json);
}

static void put_targets(es_json *json, const es_cli *cli, const es_compare_report *r) {
    const es_comparison *c = r->comparison;
    es_json_begin_array(json, "targets");
    for (size_t t = 0; t < c->n_targets; t++) {
        const es_compared_target *target = &c->targets[t];
        if (!es_export_shows(cli, target->target))
            continue;
        es_json_begin_object(json, NULL);
        es_json_text(json, "model", r->results->name[target->target]);
        es_document_numbers(json, "values", target->value, c->count);
        es_json_double(json, "difference", target->difference);
        es_json_double(json, "error", target->error);
        if (isfinite(target->error))
            es_json_bool(json, "clear", target->clear);
        else
            es_json_null(json, "clear");
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_pairs(es_json *json, const es_compare_report *r) {
    const es_comparison *c = r->comparison;
    es_buf sentence = {0};
    for (size_t p = es_json_list(json, "pairs"); es_json_list_next(json, &p, c->pairs);) {
        const es_compared_pair *pair = &c->pair[p];
        es_json_text(json, "a", name_of(r, pair->a));
        es_json_text(json, "b", name_of(r, pair->b));
        es_json_text(json, "verdict", es_verdict_text(pair->verdict));
        es_buf_clear(&sentence);
        es_compare_put_verdict(r, p, &sentence);
        es_json_text(json, "sentence", sentence.data);
        es_json_text(json, "container",
                     pair->verdict == ES_VERDICT_A_CONTAINS_B   ? name_of(r, pair->a)
                     : pair->verdict == ES_VERDICT_B_CONTAINS_A ? name_of(r, pair->b)
                                                                : NULL);
        es_json_double(json, "gap", pair->gap);
        es_json_double(json, "gap_error", pair->gap_error);
        es_json_bool(json, "without_errors", pair->without_errors);
    }
    es_buf_end(&sentence, json->out);
}

static void put_downstream(es_json *json, const es_compare_report *r) {
    es_json_begin_array(json, "downstream");
    for (size_t t = 0; r->scores && t < r->scores->tasks; t++) {
        es_json_begin_object(json, NULL);
        es_json_text(json, "task", r->scores->task[t]);
        es_json_begin_row(json, "values");
        for (size_t k = 0; k < r->comparison->count; k++)
            es_json_double(json, NULL, score_of(r, k, t));
        es_json_end(json);
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_rows(es_json *json, const es_compare_report *r) {
    for (size_t i = es_json_list(json, "rows"); es_json_list_next(json, &i, r->n_captured);) {
        const es_captured *row = &r->captured[i];
        char *id = es_row_id(&r->rows, row->k, ES_ROW_EXACT);
        char *text = es_row_text(&r->rows, row->k, ES_ROW_EXACT);
        es_json_text(json, "captured_by", name_of(r, row->by));
        es_json_text(json, "not_by", name_of(r, row->not_by));
        es_json_uint(json, "row", es_row_number(&r->rows, row->k));
        es_json_text(json, "id", id);
        es_json_double(json, "difference", row->difference);
        es_json_text(json, "text", text);
        es_free(id);
        es_free(text);
    }
}

static void put_verdicts(const es_compare_report *r, es_buf *out) {
    for (size_t p = 0; p < r->comparison->pairs; p++) {
        es_buf_puts(out, p ? "; " : "");
        es_compare_put_verdict(r, p, out);
    }
}

/* Which is ahead: the decision of the ranking about each pair. Embedders that are not ranked have
 * none. */
static void put_decisions(const es_compare_report *r, es_buf *out) {
    const es_rank_report *rank = r->rank;
    const es_bottom_line_of of = es_answer_words(rank);
    size_t put = 0;
    for (size_t p = 0; p < r->comparison->pairs; p++) {
        const es_compared_pair *pair = &r->comparison->pair[p];
        size_t a = es_rank_report_find(rank, name_of(r, pair->a));
        size_t b = es_rank_report_find(rank, name_of(r, pair->b));
        if (a == SIZE_MAX || b == SIZE_MAX || rank->ranking->rank[a] == 0 ||
            rank->ranking->rank[b] == 0)
            continue;
        es_buf_puts(out, put++ > 0 ? " " : "");
        es_bottom_line_put_pair(&of, a, b, out);
    }
}

static void put_json(const es_document *d, es_json *json) {
    const es_compare_report *r = ((const view *)d->what)->report;
    es_buf verdict = {0};
    put_verdicts(r, &verdict);
    es_document_scoring(json, r->rank);
    es_document_by(json, "score_by", r->rank, r->rank->results);
    es_document_by(json, "in_median_by", r->rank, r->rank->published_by);
    put_models(json, r);
    put_square(json, "is", r->comparison->count, r->comparison->is);
    put_square(json, "se", r->comparison->count, r->comparison->se);
    put_square(json, "cover", r->comparison->count, r->comparison->cover);
    put_targets(json, d->cli, r);
    es_json_uint(json, "derived_left_out", left_out(r));
    es_json_text(json, "verdict", verdict.data);
    es_buf_clear(&verdict);
    put_decisions(r, &verdict);
    es_json_text(json, "decision", verdict.length > 0 ? verdict.data : NULL);
    put_pairs(json, r);
    put_downstream(json, r);
    put_rows(json, r);
    es_buf_end(&verdict, json->out);
}

/* ---- the table of targets: also csv, md, tex ---- */

/* A column for each embedder. */
static void name_columns(const es_compare_report *r, es_table_out *table) {
    for (size_t k = 0; k < r->comparison->count; k++)
        es_table_out_add(table, (es_out_column)ES_NUMBER(name_of(r, k), label_of(r, k), NULL, 3,
                                                         ES_COLUMN_NAMED));
}

static bool is_compared(const es_comparison *c, size_t target) {
    for (size_t k = 0; k < c->count; k++)
        if (c->model[k] == target)
            return true;
    return false;
}

/* How the compared simulate themselves and each other stands above the table for a reader. */
static bool is_shown(const es_compare_report *r, size_t target, es_output_format format) {
    return format != ES_FORMAT_TABLE || !is_compared(r->comparison, target);
}

static bool is_listed(const es_document *d, const es_compare_report *r, size_t target) {
    return is_shown(r, target, d->format) && es_export_shows(d->cli, target);
}

static void put_targets_title(const es_document *d, const es_compare_report *r, es_buf *out) {
    size_t listed = 0;
    for (size_t t = 0; t < r->comparison->n_targets; t++)
        listed += is_listed(d, r, r->comparison->targets[t].target);
    es_buf_puts(out, "\nother targets, where they differ most first");
    if (listed > MOST_TARGETS)
        es_buf_printf(out, " (%d of %zu; the other formats have all)", MOST_TARGETS, listed);
    if (left_out(r) > 0)
        es_buf_printf(out, ", without %zu derived (--with-derived)", left_out(r));
    es_buf_puts(out, ":\n");
}

static const es_out_column difference_columns[] = {
    ES_NUMBER("difference", "difference", NULL, 3, 0),
    ES_NUMBER("error", "se", NULL, 3, 0),
    ES_HEAD(TEXT, "clear", NULL, NULL, 0, ES_COLUMN_DATA_ONLY),
    ES_HEAD(TEXT, "clear", "clear", NULL, 0, ES_COLUMN_SHOWN_ONLY),
};

static es_table_out *make_table(const es_document *d) {
    const view *v = d->what;
    const es_compare_report *r = v->report;
    const es_comparison *c = r->comparison;
    size_t most = d->format == ES_FORMAT_TABLE ? MOST_TARGETS : SIZE_MAX;
    es_table_out *table = es_table_out_new(NULL, 0);
    es_table_out_add(table,
                     (es_out_column)ES_HEAD(TEXT, "target", "target", NULL, 0, ES_COLUMN_KEY));
    name_columns(r, table);
    for (size_t j = 0; j < sizeof difference_columns / sizeof *difference_columns; j++)
        es_table_out_add(table, difference_columns[j]);
    for (size_t t = 0; t < c->n_targets && es_table_out_rows(table) < most; t++) {
        bool known = isfinite(c->targets[t].error), clear = c->targets[t].clear;
        if (!is_listed(d, r, c->targets[t].target))
            continue;
        es_document_name(table, r->results, c->targets[t].target);
        for (size_t k = 0; k < c->count; k++)
            es_table_out_number(table, c->targets[t].value[k]);
        es_table_out_number(table, c->targets[t].difference);
        es_table_out_number(table, c->targets[t].error);
        es_table_out_text(table, !known ? NULL : clear ? "true" : "false");
        es_table_out_text(table, !known ? NULL : clear ? "yes" : "no");
    }
    return table;
}

/* ---- what a reader sees ---- */

/* Takes the table. */
static es_status put_part(es_table_out *table, size_t width, es_buf *out, es_error *err) {
    es_status st = es_table_out_write(table, ES_FORMAT_TABLE, width, out, err);
    es_table_out_free(table);
    return st;
}

#define SIDE(C)                                                                                    \
    C(BY, TEXT, "model", "model", 0, ES_COLUMN_KEY, es_table_out_name, name_of(r, k),              \
      label_of(r, k))                                                                              \
    C(COUNT, "rank", "rank", 0, place.rank ? place.rank : SIZE_MAX)                                \
    C(NUMBER, "score", "score", 3, 0, place.score)                                                 \
    C(NUMBER, "low", "low", 3, ES_COLUMN_LOW, place.low)                                           \
    C(NUMBER, "high", "high", 3, 0, place.high)                                                    \
    C(TEXT, "ranks", "ranks", 0, place.rank_low ? ranks : NULL)                                    \
    C(NUMBER, "in", "predicted", 3, 0, place.in)                                                   \
    C(TEXT, "sources", "sources", 0, some ? sources : NULL)                                        \
    C(COUNT, "dim", "dim", 0, r->results->dim[i] ? r->results->dim[i] : SIZE_MAX)

static const es_out_column side_columns[] = ES_COLUMNS_OF(SIDE);

static es_status put_overview(const es_compare_report *r, size_t width, es_buf *out,
                              es_error *err) {
    es_table_out *table = ES_TABLE_OUT(side_columns);
    bool missing = false;
    for (size_t k = 0; k < r->comparison->count; k++) {
        const es_standing place = es_compare_standing(r, r->comparison->model[k]);
        missing = missing || place.sources < place.of;
    }
    for (size_t k = 0; k < r->comparison->count; k++) {
        size_t i = r->comparison->model[k];
        const es_standing place = es_compare_standing(r, i);
        bool some = missing && place.of;
        char ranks[32], sources[64];
        (void)snprintf(ranks, sizeof ranks, "%u-%u", place.rank_low, place.rank_high);
        (void)snprintf(sources, sizeof sources, "%zu of %zu", place.sources, place.of);
        ES_PUT_ROW(SIDE, table);
    }
    return put_part(table, width, out, err);
}

/* Of the compared, as targets. */
static void put_rare(const es_compare_report *r, es_buf *out) {
    uint32_t model[ES_COMPARE_MOST];
    for (size_t k = 0; k < r->comparison->count; k++)
        model[k] = (uint32_t)r->comparison->model[k];
    es_caption_rare(r->results, model, r->comparison->count, ES_COMPARE_MOST, out);
}

/* "mol2vec covers 62 % of desc" with the interval, one line a direction. */
static void put_covers(const es_compare_report *r, es_buf *out) {
    const es_comparison *c = r->comparison;
    for (size_t a = 0; a < c->count; a++)
        for (size_t b = 0; b < c->count; b++) {
            if (a == b || isnan(c->is[a][b]))
                continue;
            if (es_results_silent(r->results, c->model[a], c->model[b])) {
                es_buf_printf(out,
                              "  %s -> %s: 0; the validation rows do not show that %s predicts "
                              "%s\n",
                              label_of(r, a), label_of(r, b), label_of(r, a), label_of(r, b));
                continue;
            }
            char is[ES_TABLE_NUMBER], se[ES_TABLE_NUMBER];
            es_buf_printf(out, "  %s -> %s: %s", label_of(r, a), label_of(r, b),
                          es_table_out_decimals(is, c->is[a][b], 3));
            if (isfinite(c->se[a][b]))
                es_buf_printf(out, " +- %s",
                              es_table_out_decimals(se, c->z * ES_FITTING_NOISE * c->se[a][b], 3));
            es_buf_puts(out, " nats per dimension");
            if (isfinite(c->cover[a][b]))
                es_buf_printf(out, ", covers %.0f %%", 100 * c->cover[a][b]);
            es_buf_putc(out, '\n');
        }
}

static es_status put_downstream_table(const es_compare_report *r, size_t width, es_buf *out,
                                      es_error *err) {
    size_t known = 0, count = r->comparison->count;
    for (size_t k = 0; k < count; k++)
        known += r->scores && r->in_scores[k] != SIZE_MAX;
    if (known == 0) {
        es_buf_puts(out, r->scores ? "\nnone of them has downstream scores\n" : "");
        return ES_OK;
    }
    es_table_out *table = es_table_out_new(NULL, 0);
    es_table_out_add(table, (es_out_column)ES_HEAD(TEXT, "task", "task", NULL, 0, ES_COLUMN_KEY));
    name_columns(r, table);
    for (size_t t = 0; t < r->scores->tasks; t++) {
        es_table_out_text(table, r->scores->task[t]);
        for (size_t k = 0; k < count; k++)
            es_table_out_number(table, score_of(r, k, t));
    }
    es_buf_puts(out, "\ndownstream:\n");
    return put_part(table, width, out, err);
}

#define LINE(C)                                                                                    \
    C(COUNT, "row", "row", ES_COLUMN_KEY, es_row_number(&r->rows, row->k))                         \
    C(TAKEN, "id", "id", 0, es_row_id(&r->rows, row->k, SHOWN_BYTES))                              \
    C(NUMBER, "more", "more", 3, 0, row->difference)                                               \
    C(TAKEN, "text", "text", 0, es_row_text(&r->rows, row->k, SHOWN_BYTES))

static const es_out_column row_columns[] = ES_COLUMNS_OF(LINE);

static es_status put_row_table(const es_compare_report *r, size_t from, size_t to, size_t width,
                               es_buf *out, es_error *err) {
    es_table_out *table = ES_TABLE_OUT(row_columns);
    for (size_t i = from; i < to; i++) {
        const es_captured *row = &r->captured[i];
        ES_PUT_ROW(LINE, table);
    }
    es_buf title = {0};
    es_buf_printf(&title, "\nrows that %s captures and %s does not:\n",
                  label_of(r, r->captured[from].by), label_of(r, r->captured[from].not_by));
    es_caption_wrap(out, &title, width);
    return put_part(table, width, out, err);
}

static es_status put_row_tables(const es_compare_report *r, size_t width, es_buf *out,
                                es_error *err) {
    es_buf more = {0};
    for (size_t from = 0, to = 0; from < r->n_captured; from = to) {
        while (to < r->n_captured && r->captured[to].by == r->captured[from].by &&
               r->captured[to].not_by == r->captured[from].not_by)
            to++;
        ES_PASS(put_row_table(r, from, to, width, out, err));
    }
    if (r->n_captured)
        es_buf_printf(&more,
                      "more: nats per dimension by which the row is better predicted, mean over "
                      "%s\n",
                      r->comparison->n_targets > 0 ? "targets" : "these embedders themselves");
    es_caption_wrap(out, &more, width);
    return ES_OK;
}

/* "score" and "predicted" are no two sides of one thing: each says by what it is. */
static void put_columns_said(const es_compare_report *r, es_buf *out) {
    const es_results *by = r->rank->results, *in = r->rank->published_by;
    bool places = false, predicted = false;
    for (size_t k = 0; k < r->comparison->count; k++) {
        const es_standing place = es_compare_standing(r, r->comparison->model[k]);
        places = places || place.rank_low > 0;
        predicted = predicted || isfinite(place.in);
    }
    es_buf_printf(out, "score: how much of the others it predicts (%s",
                  es_rank_report_score(r->rank));
    if (by->estimator)
        es_buf_printf(out, ", %s %s", by->estimator->name, es_results_preset(by));
    es_buf_printf(out, ", %s over %s)%s\n", es_rank_report_aggregate(r->rank),
                  es_rank_report_voting(r->rank),
                  places ? "; ranks: 95 % interval of its rank" : "");
    if (predicted)
        es_buf_puts(out, "predicted: how much of it the others predict (");
    if (predicted && in && in->estimator)
        es_buf_printf(out, "%s %s, ", in->estimator->name, es_results_preset(in));
    es_buf_puts(out, predicted ? "median)\n" : "");
}

/* What is shown of errors. */
typedef struct errors_shown {
    bool widths, targets; /* of a value above; of a target below */
    bool lacking, judged; /* a value has none; and a verdict is given all the same */
} errors_shown;

static errors_shown what_errors(const es_document *d, const es_compare_report *r) {
    const es_comparison *c = r->comparison;
    errors_shown shown = {0};
    for (size_t p = 0; p < c->pairs; p++) {
        const es_compared_pair *pair = &c->pair[p];
        shown.lacking = shown.lacking || pair->without_errors;
        shown.judged =
            shown.judged || (pair->without_errors && pair->verdict != ES_VERDICT_UNKNOWN);
    }
    for (size_t a = 0; a < c->count; a++)
        for (size_t b = 0; b < c->count; b++)
            shown.widths =
                shown.widths || (a != b && isfinite(c->is[a][b]) && isfinite(c->se[a][b]));
    for (size_t t = 0, listed = 0; t < c->n_targets && listed < MOST_TARGETS; t++)
        if (is_listed(d, r, c->targets[t].target)) {
            shown.targets = shown.targets || isfinite(c->targets[t].error);
            listed++;
        }
    return shown;
}

/* Whose values they are, what the errors are, and of other targets, the difference. */
static void put_errors(const es_compare_report *r, errors_shown shown, es_buf *out) {
    bool two = r->comparison->count == 2, any = shown.widths || shown.lacking || shown.targets;
    if (r->results->estimator)
        es_buf_printf(out, "%s %s%s", r->results->estimator->name, es_results_preset(r->results),
                      any ? "; " : "\n");
    if (shown.widths)
        es_buf_puts(out, "+-: 95 % interval over rows, times 1.2 for the noise of fitting\n");
    if (shown.lacking)
        es_buf_printf(out, "%sstandard errors are not known%s\n", shown.widths ? "some " : "",
                      shown.judged ? ": the verdict takes them as 0" : "");
    if (!shown.targets)
        return;
    es_buf_printf(out,
                  "difference: the %s; se: its standard error, times 1.2 %s\nclear: beyond its "
                  "95 %% interval%s\n",
                  two ? "first less the second" : "largest less the smallest",
                  shown.widths ? "as well" : "for the noise of fitting",
                  two ? "" : ", whichever two of them differ most (all pairs at once)");
}

static es_status put_text(const es_document *d, es_buf *out, es_error *err) {
    es_status st = ES_OK;
    const es_compare_report *r = ((const view *)d->what)->report;
    const errors_shown shown = what_errors(d, r);
    size_t width = es_output_width(d->cli);
    es_buf lines = {0};
    put_decisions(r, &lines);
    es_buf_puts(&lines, lines.length > 0 ? "\n" : "");
    put_verdicts(r, &lines);
    es_buf_puts(&lines, "\n\n");
    put_covers(r, &lines);
    put_rare(r, &lines);
    es_buf_putc(&lines, '\n');
    es_caption_wrap(out, &lines, width);
    ES_TRY(put_overview(r, width, out, err));
    put_columns_said(r, &lines);
    es_caption_wrap(out, &lines, width);
    es_table_out *targets = make_table(d);
    if (es_table_out_is_empty(targets)) {
        es_table_out_free(targets);
    } else {
        put_targets_title(d, r, &lines);
        es_caption_wrap(out, &lines, width);
        ES_TRY(put_part(targets, width, out, err));
    }
    ES_TRY(put_downstream_table(r, width, out, err));
    ES_TRY(put_row_tables(r, width, out, err));
    es_buf_putc(&lines, '\n');
    es_caption_known(r->results, &lines);
    put_errors(r, shown, &lines);
    if (shown.widths && r->results->estimator && r->results->estimator->trains)
        es_buf_puts(&lines, "the intervals are over rows: another seed of the training may move a "
                            "value by more\n");
    es_caption_wrap(out, &lines, width);
done:
    es_buf_free(&lines);
    return st;
}

/* Two or three embedders over all other targets, as dumbbells. */
static es_status draw(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_compare_report *report = ((const view *)d->what)->report;
    const es_comparison *c = report->comparison;
    bool clear = false;
    es_dumbbell figure = {.count = c->count, .axis = "IS(embedder → target), nats per dimension"};
    es_dumbbell_row *rows = es_sketch_room(sketch, c->n_targets + 1, sizeof *rows);
    if (rows == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < c->count; k++)
        figure.name[k] = es_results_label(report->results, c->model[k]);
    for (size_t t = 0; t < c->n_targets; t++) {
        const es_compared_target *target = &c->targets[t];
        if (is_compared(c, target->target) || !es_export_shows(sketch->cli, target->target))
            continue;
        es_dumbbell_row *row = &rows[figure.rows++];
        row->name = es_results_label(report->results, target->target);
        row->clear = target->clear && isfinite(target->error);
        clear = clear || row->clear;
        for (size_t k = 0; k < c->count; k++)
            row->value[k] = target->value[k];
    }
    figure.row = rows;
    for (size_t p = 0; p < c->pairs; p++) {
        es_buf_puts(&sketch->note, p ? "; " : "Verdict: ");
        es_compare_put_verdict(report, p, &sketch->note);
    }
    es_buf_puts(&sketch->note, ". ");
    if (clear)
        es_buf_printf(&sketch->note, "%s lines: the difference is beyond its 95 %% interval%s. ",
                      es_export_dark(sketch->cli) ? "Bright" : "Dark",
                      c->count > 2 ? ", whichever two differ most" : "");
    return es_figure_dumbbell(&figure, ES_SKETCHED(sketch), err);
}

es_status es_compare_write(es_cli *cli, es_session *session, size_t entry, const size_t *models,
                           size_t count, es_error *err) {
    es_status st = ES_OK;
    view v = {0};
    const es_results *results = es_session_results(session, entry);
    es_compare_choices how = {.models = models,
                              .count = count,
                              .top = es_options_given(cli->options, "top") ? cli->options->top
                                                                           : USUAL_ROWS,
                              .rank = es_rank_choices_of(cli->options, true)};
    if (es_rank_lower_is_better(results))
        return es_usage(cli, err,
                        "%s is an error: compare asks who contains whom, which needs "
                        "--estimator linear or knife",
                        results->estimator->name);
    ES_TRY(es_cli_scores(cli, session, &how.scores, err));
    ES_TRY(es_compare_report_new(session, entry, &how, &v.report, err));
    static const es_document_parts parts = {.schema = "compare",
                                            .table = make_table,
                                            .text = put_text,
                                            .json = put_json,
                                            .picture = draw};
    ES_TRY(
        es_document_write(&parts, (es_document){cli, session, entry, &v, ES_FORMAT_DEFAULT}, err));
done:
    es_compare_report_free(v.report);
    return st;
}
