/* One ranking over several data sets as a document: what it comes to, and what each says. */
#include "cli_reports.h"

#include <math.h>
#include <string.h>

#define PLACE(C)                                                                                   \
    C(COUNT, "rank", "rank", 0, c->rank[a] ? c->rank[a] : SIZE_MAX)                                \
    C(TEXT, "model", "model", ES_COLUMN_KEY, v->all->name.word[a])                                 \
    C(NUMBER, "share", "share", 3, 0, c->share[a])                                                 \
    C(NUMBER, "ci_low", "low", 3, ES_COLUMN_LOW, c->low[a])                                        \
    C(NUMBER, "ci_high", "high", 3, 0, c->high[a])                                                 \
    C(COUNT, "in", "in", 0, c->in[a])                                                              \
    C(COUNT, "first_in", "first in", 0, c->first[a])                                               \
    C(SHOWN, "best", "candidate", c->said && c->best[a] ? "yes" : NULL)                            \
    C(DATA, FLAG, "in_best_set", c->best[a])

static const es_out_column fixed[] = ES_COLUMNS_OF(PLACE);
enum { FIXED = sizeof fixed / sizeof *fixed, SHARE = 2 };

static es_within within_of(const es_cli *cli) {
    return (es_within)cli->options->within;
}

static es_table_out *rank_table(const es_document *d) {
    const es_open_sets *v = d->what;
    const es_combined *c = v->all->combined;
    int decimals = within_of(d->cli) == ES_WITHIN_RANK ? 0 : 3;
    es_table_out *table = es_table_out_new(NULL, 0);
    for (size_t j = 0; j < FIXED; j++)
        es_table_out_add(table, fixed[j]);
    for (size_t k = 0; k < v->count; k++)
        es_table_out_add(table,
                         (es_out_column)ES_NUMBER(v->name[k], v->name[k], NULL, decimals, 0));
    for (size_t k = 0; k < c->m; k++) {
        size_t a = c->order[k];
        ES_PUT_ROW(PLACE, table);
        for (size_t s = 0; s < c->sets; s++)
            es_table_out_number(table, es_data_sets_within(v->all, s, a, within_of(d->cli)));
    }
    return table;
}

static void rank_words(const es_document *d, es_buf *out) {
    const es_open_sets *v = d->what;
    if (v->all == NULL)
        return;
    es_data_sets_say(v->all, out);
    es_open_sets_say_missing(v, out);
}

/* What the columns are. */
static void put_about(const es_document *d, es_buf *out) {
    const es_open_sets *v = d->what;
    if (v->all == NULL)
        return;
    es_buf_printf(
        out,
        "share: of the others that it is before by the %s score, each other by the mean over the "
        "data sets that hold both; two that a data set does not tell apart count as half there. "
        "first in: data sets that show a difference and in which no other is shown ahead of it. "
        "low, high: 95 %%, data "
        "sets resampled and widened for their number%s. Right: the %s in each data set.",
        es_score_kind_names[v->report[0]->score],
        v->count < ES_COMBINE_SETS ? ", which are few" : "", es_within_names[within_of(d->cli)]);
}

static void rank_caption(const es_document *d, es_buf *out) {
    es_buf text = {0};
    if (d->cli->sheet) { /* which has the words above */
        put_about(d, out);
        return;
    }
    es_buf_putc(out, '\n');
    rank_words(d, &text);
    es_caption_take(d->cli, &text, out);
    put_about(d, &text);
    es_buf_putc(out, '\n');
    es_caption_take(d->cli, &text, out);
}

static void put_places(es_json *json, const es_open_sets *v, size_t a) {
    const es_data_sets *x = v->all;
    es_json_begin_array(json, "data_sets");
    for (size_t s = 0; s < x->count; s++) {
        if (x->at[s * x->m + a] == SIZE_MAX) {
            es_json_null(json, NULL);
            continue;
        }
        double rank = es_data_sets_within(x, s, a, ES_WITHIN_RANK);
        es_json_begin_object(json, NULL);
        es_document_count(json, "rank", rank > 0 ? (size_t)rank : SIZE_MAX);
        es_json_double(json, "score", es_data_sets_within(x, s, a, ES_WITHIN_SCORE));
        es_json_double(json, "share", es_data_sets_within(x, s, a, ES_WITHIN_SHARE));
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_bottom_line(es_json *json, const es_document *d) {
    const es_open_sets *v = d->what;
    const es_combined *c = v->all->combined;
    const char *const *name = (const char *const *)v->all->name.word;
    es_json_begin_object(json, "bottom_line");
    es_document_words(d, json, "sentence", rank_words);
    bool settled = c->share[c->order[0]] > 0.5; /* else all come before half of the others */
    es_json_text(json, "best", settled ? name[c->lead] : NULL);
    es_json_bool(json, "said_of_others", c->said);
    es_json_begin_row(json, "best_set");
    for (size_t k = 0; k < c->m; k++)
        if (c->best[c->order[k]] && c->rank[c->order[k]] > 0)
            es_json_text(json, NULL, name[c->order[k]]);
    es_json_end(json);
    es_json_end(json);
}

void es_sets_ranking_json(const es_open_sets *v, es_json *json) {
    const es_combined *c = v->all->combined;
    for (size_t k = es_json_list(json, "ranking"); es_json_list_next(json, &k, c->m);) {
        size_t a = c->order[k];
        es_document_count(json, "rank", c->rank[a] ? c->rank[a] : SIZE_MAX);
        es_json_text(json, "model", v->all->name.word[a]);
        es_json_double(json, "score", c->share[a]);
        es_json_double(json, "share", c->share[a]);
        es_json_double(json, "ci_low", c->low[a]);
        es_json_double(json, "ci_high", c->high[a]);
        es_json_uint(json, "in", c->in[a]);
        es_json_uint(json, "first_in", c->first[a]);
        es_json_bool(json, "in_best_set", c->best[a]);
        put_places(json, v, a);
    }
}

static void rank_json(const es_document *d, es_json *json) {
    const es_open_sets *v = d->what;
    const es_combined *c = v->all->combined;
    es_open_sets_json(d->cli, v, json);
    put_bottom_line(json, d);
    es_sets_ranking_json(v, json);
    es_json_begin_array(json, "agreement");
    for (size_t s = 0; s < c->sets; s++)
        es_document_numbers(json, NULL, c->agreement + s * c->sets, c->sets);
    es_json_end(json);
}

/* ---- the sheet ---- */

/* How far the rankings of every two data sets agree. */
static es_table_out *agreement_table(const es_open_sets *v) {
    const es_combined *c = v->all->combined;
    es_table_out *t = es_table_out_new(NULL, 0);
    es_table_out_add(t, (es_out_column)ES_HEAD(TEXT, "tau", "tau with", NULL, 0, ES_COLUMN_KEY));
    for (size_t k = 0; k < v->count; k++)
        es_table_out_add(t, (es_out_column)ES_NUMBER(v->name[k], v->name[k], NULL, 2, 0));
    for (size_t a = 0; a < v->count; a++) {
        es_table_out_text(t, v->name[a]);
        for (size_t b = 0; b < v->count; b++)
            es_table_out_number(t, c->agreement[a * c->sets + b]);
    }
    return t;
}

#define ROW(C)                                                                                     \
    C(TEXT, "name", "data set", ES_COLUMN_KEY, v->list.name.word[k])                               \
    C(COUNT, "embedders", "embedders", 0, there ? r->m : SIZE_MAX)                                 \
    C(COUNT, "rows", "rows", 0,                                                                    \
      there ? es_pool_rows(es_session_pool(v->set[at].session)) : SIZE_MAX)                        \
    C(COUNT, "known", "pairs known", 0, there ? r->done : SIZE_MAX)                                \
    C(COUNT, "of", "of", 0, there ? r->m * r->m : SIZE_MAX)

static const es_out_column list_columns[] = ES_COLUMNS_OF(ROW);

/* Every data set that is named, also those without results. */
static es_table_out *list_table(const es_open_sets *v) {
    es_table_out *t = ES_TABLE_OUT(list_columns);
    for (size_t k = 0, at = 0; k < v->list.count; k++) {
        bool there = at < v->count && v->set[at].entry == k;
        const es_results *r = there ? v->report[at]->results : NULL;
        ES_PUT_ROW(ROW, t);
        at += there;
    }
    return t;
}

/* In a sheet also the agreement and the list; before two data sets are estimated the list alone. */
static es_status rank_tables(const es_document *d, es_sheet *sheet, es_error *err) {
    const es_open_sets *v = d->what;
    (void)err;
    if (v->all)
        es_sheet_take_table(sheet, rank_table(d));
    if (d->cli->sheet && v->all) {
        es_sheet_take_table(sheet, agreement_table(v));
        es_sheet_offer(sheet, "--within", es_within_names, es_within_names[within_of(d->cli)]);
        sheet->plot =
            (es_sheet_plot){.kind = ES_DRAWN_FOREST, .value = {SHARE}, .values = 1, .line = 0.5};
    }
    if (d->cli->sheet)
        es_sheet_take_table(sheet, list_table(v));
    return ES_OK;
}

/* How far the data sets are, between sentences of a note. */
static void put_unfinished(const es_data_sets *sets, const char *const *name, es_buf *note) {
    es_buf text = {0};
    es_data_sets_say_unfinished(sets, name, &text);
    if (text.length > 0)
        es_buf_printf(note, "%s ", text.data + 1);
    es_buf_end(&text, note);
}

/* ---- data sets and embedders ---- */

static const char *value_title(es_within what) {
    switch (what) {
    case ES_WITHIN_SCORE:
        return "score, nats per dimension";
    case ES_WITHIN_RANK:
        return "rank within the data set, 1 the best";
    case ES_WITHIN_SHARE:
        break;
    }
    return "share of the others that it is before";
}

/* Of the row below the data sets; scores of several have no sum. */
static double of_all(const es_combined *c, size_t a, es_within what) {
    if (what == ES_WITHIN_RANK)
        return c->rank[a] > 0 ? (double)c->rank[a] : (double)NAN;
    return what == ES_WITHIN_SHARE ? c->share[a] : (double)NAN;
}

static es_status draw_sets(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_data_sets *sets = ((const es_open_sets *)d->what)->all;
    const char *const *name = ((const es_open_sets *)d->what)->name;
    es_within what = (es_within)sketch->cli->options->within;
    const es_combined *c = sets->combined;
    size_t m = c->m, rows = sets->count + (what == ES_WITHIN_SCORE ? 0 : 1);
    bool shares = what == ES_WITHIN_SHARE;
    double *value = es_sketch_room(sketch, rows * m, sizeof *value);
    const char **row = es_sketch_room(sketch, rows, sizeof *row),
               **column = es_sketch_room(sketch, m, sizeof *column);
    if (!value || !row || !column)
        return es_no_memory(err);
    for (size_t s = 0; s < rows; s++)
        row[s] = s < sets->count ? name[s] : "all of them";
    for (size_t k = 0; k < m; k++) {
        size_t a = c->order[k];
        column[k] = sets->name.word[a];
        for (size_t s = 0; s < rows; s++)
            value[s * m + k] =
                s < sets->count ? es_data_sets_within(sets, s, a, what) : of_all(c, a, what);
    }
    const es_heatmap heatmap = {.rows = rows,
                                .columns = m,
                                .value = value,
                                .row_name = row,
                                .column_name = column,
                                .row_title = "data set",
                                .column_title = "embedder, the best over all of them first",
                                .value_title = value_title(what),
                                .map = ES_HEAT_SEQUENTIAL,
                                .low = shares ? 0 : (double)NAN,
                                .high = shares ? 1 : (double)NAN,
                                .decimals = what == ES_WITHIN_RANK ? 0 : 2};
    if (shares)
        es_buf_puts(&sketch->note, "Two that a data set does not tell apart count as half. ");
    put_unfinished(sets, name, &sketch->note);
    return es_figure_heatmap(&heatmap, ES_SKETCHED(sketch), err);
}

/* ---- the ranking over all ---- */

static es_status draw_ranking(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_data_sets *sets = ((const es_open_sets *)d->what)->all;
    const char *const *name = ((const es_open_sets *)d->what)->name;
    const es_combined *c = sets->combined;
    es_forest_row *row = es_sketch_room(sketch, c->m, sizeof *row);
    if (row == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < c->m; k++) {
        size_t a = c->order[k];
        row[k] = (es_forest_row){.name = sets->name.word[a],
                                 .rank = c->rank[a],
                                 .value = c->share[a],
                                 .low = c->low[a],
                                 .high = c->high[a],
                                 .best = c->said && c->best[a]};
    }
    const es_forest forest = {.row = row,
                              .count = c->m,
                              .axis = "mean share of the others it is before (95 %)",
                              .band =
                                  c->said ? "shaded: candidates for another data set (95 %)" : NULL,
                              .null_low = (double)NAN,
                              .null_high = (double)NAN};
    es_buf_printf(&sketch->note, "%zu data sets, which are resampled for the bars. ", sets->count);
    put_unfinished(sets, name, &sketch->note);
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

static es_status rank_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    return (strcmp(d->cli->export->view, "sets") == 0 ? draw_sets : draw_ranking)(d, sketch, err);
}

es_status es_sets_rank(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {.schema = "combined",
                                            .tables = rank_tables,
                                            .caption = rank_caption,
                                            .words = rank_words,
                                            .json = rank_json,
                                            .picture = rank_picture,
                                            .title = "Data sets"};
    es_open_sets v = {0};
    es_status st = es_open_sets_new(cli, &v, err);
    if (cli->sheet && (st == ES_EEMPTY || st == ES_EINVAL)) { /* it lists them all the same */
        es_output_note(cli, "%s", err->message);
        st = es_data_list_of(cli, &v.list, err);
    }
    ES_TRY(st);
    ES_TRY(
        es_document_write(&parts, (es_document){cli, NULL, SIZE_MAX, &v, ES_FORMAT_DEFAULT}, err));
done:
    es_open_sets_deinit(&v);
    return st;
}
