/* `embedscope measure POOL evalrank --worst-of MODEL`: a look behind one embedder's number. */
#include <string.h>

#include "cli_measures.h"

#include "engine_requests.h"

enum { SHOWN_BYTES = 60, SHEET_BYTES = 400 };

typedef struct look {
    es_session *session;
    const es_choice *choice;
    size_t model, other; /* positions in the results; other SIZE_MAX: none */
    es_row_source rows;
    size_t bytes; /* of texts, as es_row_text takes them */
    es_worst_list list;
} look;

/* Row of the files and its text. */
static void put_row(es_table_out *t, const look *l, uint32_t row) {
    if (row == UINT32_MAX) {
        es_table_out_count(t, SIZE_MAX);
        es_table_out_text(t, NULL);
        return;
    }
    es_table_out_count(t, es_row_number(&l->rows, row));
    es_table_out_take(t, es_row_text(&l->rows, row, l->bytes));
}

/* A query is a row, or a number of its own. */
static void put_query_row(es_table_out *t, const look *l, uint32_t query) {
    if (!l->list.own_ids) {
        put_row(t, l, query);
        return;
    }
    es_table_out_count(t, query);
    es_table_out_text(t, NULL);
}

/* A row with its text, two columns. */
#define ES_COLUMN_OF_ROW(key, title, text_key, text_title, row)                                    \
    ES_HEAD(COUNT, key, title, NULL, 0, 0), ES_HEAD(TEXT, text_key, text_title, NULL, 0, 0)
#define ES_CELL_OF_ROW(key, title, text_key, text_title, row) put_row(es_row, l, row)
#define ES_COLUMN_OF_QUERY ES_COLUMN_OF_ROW
#define ES_CELL_OF_QUERY(key, title, text_key, text_title, row) put_query_row(es_row, l, row)

/* Of pairs: the row that came between is the nearest of those before the partner. */
#define PAIR(C)                                                                                    \
    C(NUMBER, "rank", "rank", 1, 0, line->value)                                                   \
    C(COUNT, "ties", "ties", 0, line->count)                                                       \
    C(ROW, "row", "row", "text", "text", line->row[0])                                             \
    C(ROW, "partner", "partner", "partner_text", "its text", line->row[1])                         \
    C(NUMBER, "similarity", "cosine", 3, 0, line->similarity[1])                                   \
    C(ROW, "between", "between", "between_text", "its text", line->row[2])                         \
    C(NUMBER, "between_similarity", "cosine", 3, 0, line->similarity[2])

/* Of queries of the first draw, by M of the RBF kernel; one answer stands for all. */
#define QUERY(C)                                                                                   \
    C(NUMBER, "m", "m", 4, 0, line->value)                                                         \
    C(NUMBER, "p", "p", 3, 0, line->beside)                                                        \
    C(COUNT, "positives", "answers", 0, line->count)                                               \
    C(COUNT, "negatives", "others", 0, line->of)                                                   \
    C(QUERY, "row", "row", "text", "query", line->row[0])                                          \
    C(ROW, "answer", "answer", "answer_text", "its text", line->row[1])

/* Of queries by nDCG; the most relevant answer stands for all. */
#define RETRIEVED(C)                                                                               \
    C(NUMBER, "ndcg", "ndcg", 3, 0, line->value)                                                   \
    C(NUMBER, "mrr", "1/rank", 3, 0, line->beside)                                                 \
    C(COUNT, "found", "found", 0, line->count)                                                     \
    C(COUNT, "answers", "of", 0, line->of)                                                         \
    C(QUERY, "row", "query", "text", "its text", line->row[0])                                     \
    C(ROW, "answer", "answer", "answer_text", "its text", line->row[1])                            \
    C(ROW, "first", "first found", "first_text", "its text", line->row[2])

/* Of two embedders: the rows whose neighbourhoods differ most. */
#define SHARED(C)                                                                                  \
    C(COUNT, "shared", "shared", 0, line->count)                                                   \
    C(COUNT, "k", "of", 0, line->of)                                                               \
    C(ROW, "row", "row", "text", "text", line->row[0])                                             \
    C(ROW, "nearest", "nearest", "nearest_text", "its text", line->row[1])                         \
    C(ROW, "nearest_other", "other's", "nearest_other_text", "its text", line->row[2])

/* Of two embedders: the rows on which they agree least. */
#define PMI(C)                                                                                     \
    C(NUMBER, "pmi", "pmi", 3, 0, line->value)                                                     \
    C(NUMBER, "match", "match", 3, 0, line->beside)                                                \
    C(ROW, "row", "row", "text", "text", line->row[0])                                             \
    C(ROW, "mistaken", "rival", "mistaken_text", "its text", line->row[1])

static const es_out_column pair_columns[] = ES_COLUMNS_OF(PAIR);
static const es_out_column query_columns[] = ES_COLUMNS_OF(QUERY);
static const es_out_column retrieved_columns[] = ES_COLUMNS_OF(RETRIEVED);
static const es_out_column shared_columns[] = ES_COLUMNS_OF(SHARED);
static const es_out_column pmi_columns[] = ES_COLUMNS_OF(PMI);

static es_table_out *new_table(es_worst_kind kind) {
    if (kind == ES_WORST_PAIRS)
        return ES_TABLE_OUT(pair_columns);
    if (kind == ES_WORST_QUERIES)
        return ES_TABLE_OUT(query_columns);
    if (kind == ES_WORST_RETRIEVED)
        return ES_TABLE_OUT(retrieved_columns);
    if (kind == ES_WORST_PMI)
        return ES_TABLE_OUT(pmi_columns);
    return ES_TABLE_OUT(shared_columns);
}

static size_t shown_lines(const es_document *d) {
    const look *l = d->what;
    size_t top = d->cli->options->top;
    return d->cli->sheet || top == 0 || top > l->list.count ? l->list.count : top;
}

static void put_note(const es_document *d, es_buf *out) {
    size_t count = ((const look *)d->what)->list.count, shown = shown_lines(d);
    if (shown < count)
        es_buf_printf(out, "%zu more not shown.", count - shown);
}

static es_table_out *make_table(const es_document *d) {
    const look *l = d->what;
    size_t top = shown_lines(d);
    es_table_out *t = new_table(l->list.kind);
    for (size_t k = 0; k < top; k++) {
        const es_worst_line *line = &l->list.line[k];
        if (l->list.kind == ES_WORST_PAIRS)
            ES_PUT_ROW(PAIR, t);
        else if (l->list.kind == ES_WORST_QUERIES)
            ES_PUT_ROW(QUERY, t);
        else if (l->list.kind == ES_WORST_RETRIEVED)
            ES_PUT_ROW(RETRIEVED, t);
        else if (l->list.kind == ES_WORST_PMI)
            ES_PUT_ROW(PMI, t);
        else
            ES_PUT_ROW(SHARED, t);
    }
    return t;
}

static void put_json(const es_document *d, es_json *json) {
    const look *l = d->what;
    const es_results *names = es_session_results(l->session, 0);
    es_json_text(json, "measure", l->choice->measured->name);
    es_json_text(json, "settings", l->choice->measured->settings);
    es_json_text(json, "model", names->name[l->model]);
    if (l->other != SIZE_MAX)
        es_json_text(json, "other", names->name[l->other]);
    es_document_table(json, "worst", make_table(d));
}

static void put_caption(const es_document *d, es_buf *out) {
    const look *l = d->what;
    const es_results *names = es_session_results(l->session, 0);
    es_buf_printf(out, "\n%s of %s%s%s, worst first%s\n", l->choice->measured->name,
                  names->name[l->model], l->other != SIZE_MAX ? " and " : "",
                  l->other != SIZE_MAX ? names->name[l->other] : "",
                  strcmp(l->choice->measured->measure->name, "evalrank") == 0
                      ? "; between: the row most similar to the first one"
                      : "");
}

/* A sheet offers every embedder in the place of the one, or of the second. */
static es_status make_tables(const es_document *d, es_sheet *sheet, es_error *err) {
    const look *l = d->what;
    const es_results *names = es_session_results(l->session, 0);
    es_words list = {0};
    es_status st = ES_OK;
    es_sheet_take_table(sheet, make_table(d));
    for (size_t i = 0; i < names->m && st == ES_OK; i++)
        st = es_words_add(&list, names->name[i], err);
    es_sheet_offer(sheet, l->other == SIZE_MAX ? "--worst-of" : "--other",
                   (const char *const *)list.word,
                   names->name[l->other == SIZE_MAX ? l->model : l->other]);
    es_words_deinit(&list);
    return st;
}

/* Keeps the lines whose row, or the answer of a query that is no row, is among these. */
static void keep_rows(es_worst_list *list, const bool *where) {
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++) {
        uint32_t row = list->line[k].row[list->own_ids ? 1 : 0];
        if (row != UINT32_MAX && where[row])
            list->line[kept++] = list->line[k];
    }
    list->count = kept;
}

es_status es_measure_write_worst(es_cli *cli, es_session *session, const es_choices *choices,
                                 es_error *err) {
    look l = {.session = session, .choice = &choices->item[0], .other = SIZE_MAX};
    const es_measure *measure = l.choice->measured->measure;
    es_worst_kind kind = es_worst_kind_of(measure);
    bool rows = es_worst_of_two(kind);
    es_measure_data data;
    const double *values;
    es_output_format format = es_output_format_of(cli, ES_FORMAT_TABLE);
    es_matrix m = {0}, other = {0}, queries = {0};
    bool *where = NULL;
    es_status st = ES_OK;
    bool joined = choices->count > 1 && l.choice->measured->task == NULL; /* sets of pairs: all */
    if ((choices->count != 1 && !joined) || kind == ES_WORST_NONE)
        return es_usage(
            cli, err,
            "--worst-of goes with evalrank, retmmd, retrieval, knn-overlap or infonce, one at a "
            "time%s",
            choices->count > 1 ? " (--task chooses a column of labels.csv or a set of pairs)" : "");
    if (rows != (cli->options->other != NULL))
        return es_usage(cli, err,
                        rows ? "%s compares two embedders: name the second with --other MODEL"
                             : "%s takes one embedder: leave out --other",
                        measure->name);
    ES_TRY(es_cli_model(cli, session, 0, cli->options->worst_of, &l.model, err));
    if (rows)
        ES_TRY(es_cli_model(cli, session, 0, cli->options->other, &l.other, err));
    ES_TRY(es_row_source_init(session, 0, &l.rows, err));
    l.rows.eval = NULL; /* numbers are rows of the row set here, not of a split */
    l.bytes = cli->sheet                                            ? SHEET_BYTES
              : format == ES_FORMAT_TABLE                           ? SHOWN_BYTES
              : format == ES_FORMAT_CSV || format == ES_FORMAT_JSON ? ES_ROW_EXACT
                                                                    : 0;
    es_session_measure_inputs(session, l.choice->entry, &data, &values);
    ES_TRY(es_session_matrix(session, l.model, &m, err));
    if (rows)
        ES_TRY(es_session_matrix(session, l.other, &other, err));
    else
        ES_TRY(es_session_measure_queries(session, l.model, &data, &queries, err));
    ES_TRY(es_worst_list_new(measure, &m, rows ? &other : NULL, &data, values,
                             cli->host ? cli->host->run : NULL, &l.list, err));
    if (cli->options->where) {
        ES_TRY(es_row_where_new(es_session_pool(session), cli->options->where, &where, err));
        keep_rows(&l.list, where);
    }
    static const es_document_parts parts = {.schema = "worst",
                                            .tables = make_tables,
                                            .caption = put_caption,
                                            .note = put_note,
                                            .json = put_json,
                                            .title = "Worst rows"};
    ES_TRY(es_document_write(&parts, (es_document){cli, session, SIZE_MAX, &l, format}, err));
done:
    es_worst_list_free(&l.list);
    es_free(where);
    es_matrix_free(&m);
    es_matrix_free(&other);
    es_matrix_free(&queries);
    return st;
}
