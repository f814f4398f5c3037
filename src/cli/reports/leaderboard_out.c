/* What a table of scores settles, as a document and a picture; with a pool, its own ranking beside.
 */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROW(C)                                                                                     \
    C(COUNT, "rank", "rank", 0, or_missing(b->rank[i]))                                            \
    C(TEXT, "model", "model", ES_COLUMN_KEY, es_leaderboard_name(v->board, i))                     \
    C(NUMBER, "mean", "mean", 3, 0, b->mean[i])                                                    \
    C(DATA, COUNT, "rank_low", or_missing(b->rank_low[i]))                                         \
    C(DATA, COUNT, "rank_high", or_missing(b->rank_high[i]))                                       \
    C(SHOWN, "ranks", "ranks", ranks[0] ? ranks : NULL)                                            \
    C(SHOWN, "best", "candidate", b->best[i] ? "yes" : NULL)                                       \
    C(DATA, FLAG, "in_best_set", b->best[i])                                                       \
    C(COUNT, "group", "group", 0, or_missing(v->board->group[i]))                                  \
    C(COUNT, "tasks", "tasks", 0, b->count[i])                                                     \
    C(NUMBER, "mean_rank", "mean rank", 1, 0, b->mean_rank[i])                                     \
    C(NUMBER, "borda", "Borda", 3, 0, b->borda[i])                                                 \
    C(SHORT, COUNT, "rank_by_rows", "rank by rows", "rows", 0, 0,                                  \
      rank_of(v, v->with ? v->with->by_ranking : NULL, i))                                         \
    C(SHORT, COUNT, "rank_with_rows", "with rows", "with", 0, 0,                                   \
      rank_of(v, v->with ? v->with->rank : NULL, i))

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

static size_t or_missing(uint32_t rank) {
    return rank > 0 ? rank : SIZE_MAX;
}

/* What `rank` of the pool's embedders (NULL: no ranking) says of model i, by name. */
static size_t rank_of(const es_leaderboard_view *v, const uint32_t *rank, size_t i) {
    const char *name = es_leaderboard_name(v->board, i);
    for (size_t k = 0; rank && k < v->with->n; k++)
        if (strcmp(v->answer->report->results->name[k], name) == 0)
            return or_missing(rank[k]);
    return SIZE_MAX;
}

static void put_row(es_table_out *t, const es_leaderboard_view *v, size_t i) {
    const es_board *b = v->board->board;
    char ranks[48] = "";
    if (b->rank[i] > 0)
        (void)snprintf(ranks, sizeof ranks, "%u-%u", b->rank_low[i], b->rank_high[i]);
    ES_PUT_ROW(ROW, t);
}

static es_table_out *make_table(const es_document *d) {
    const es_leaderboard_view *v = d->what;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t k = 0; k < v->board->board->m; k++)
        put_row(t, v, v->board->board->order[k]);
    return t;
}

/* "On your rows: Best of these: A ..." */
static void put_words(const es_document *d, es_buf *out) {
    const es_leaderboard_view *v = d->what;
    es_leaderboard_put(v->board, out);
    if (v->with)
        es_buf_printf(out, " By your own rows: %s", v->answer->line->sentence);
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_leaderboard_view *v = d->what;
    const es_leaderboard *b = v->board;
    es_caption_words(d, put_words, out);
    es_buf_puts(out, b->percentiles
                         ? "mean: of percentiles within tasks, since lower is better in some task\n"
                         : "mean: of the scores of a model\n");
    if (b->board->said)
        es_buf_printf(out,
                      "ranks, candidate: %.0f %%, for as many other tasks; errors by %s\n"
                      "group: its first model is shown ahead of the first of the next group\n",
                      100 * b->board->level, b->board->by_category ? "category" : "task");
    es_buf_puts(out, "Borda: mean share of the other models that it beats in a task\n");
    if (v->with)
        es_buf_puts(out,
                    "rows: rank by your own rows; with: rank by both, your rows as two tasks\n");
}

static void put_names(es_json *json, const char *key, const es_leaderboard *b, size_t most) {
    es_json_begin_row(json, key);
    for (size_t k = 0, put = 0; k < b->board->m && put < most; k++)
        if (b->board->best[b->board->order[k]]) {
            es_json_text(json, NULL, es_leaderboard_name(b, b->board->order[k]));
            put++;
        }
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const es_leaderboard_view *v = d->what;
    const es_leaderboard *b = v->board;
    es_buf words = {0};
    put_words(d, &words);
    es_json_begin_object(json, "bottom_line");
    es_document_take(json, "sentence", &words);
    es_json_text(json, "best", b->ranked > 0 ? es_leaderboard_name(b, b->board->order[0]) : NULL);
    put_names(json, "best_set", b, SIZE_MAX);
    put_names(json, "advice", b, es_leaderboard_advised(b));
    es_json_text(json, "scope", b->board->said ? "new" : "these");
    es_json_uint(json, "kinds", b->board->clusters);
    es_json_text(json, "settled_by", es_leaderboard_settled_by(b));
    es_json_double(json, "level", b->board->level);
    es_json_begin_row(json, "unrelated");
    es_json_end(json);
    es_json_begin_row(json, "copies");
    es_json_end(json);
    es_json_end(json);
    es_json_uint(json, "models", b->board->m);
    es_json_uint(json, "tasks", b->board->tasks);
    es_json_uint(json, "categories", b->categories);
    es_json_text(json, "mean_of", b->percentiles ? "percentiles" : "scores");
    es_json_uint(json, "adjacent", b->ranked > 0 ? b->ranked - 1 : 0);
    es_json_uint(json, "separated", b->separated);
    es_document_table(json, "ranking", make_table(d));
}

static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_leaderboard *b = ((const es_leaderboard_view *)d->what)->board;
    es_forest forest = {.heading = "model",
                        .axis = "rank on as many other tasks (bars: 95 %)",
                        .band = b->board->said ? "shaded: may be the best" : NULL,
                        .null_low = (double)NAN,
                        .null_high = (double)NAN};
    es_forest_row *rows = es_sketch_room(sketch, b->ranked + 1, sizeof *rows);
    if (rows == NULL)
        return es_no_memory(err);
    for (; forest.count < b->ranked; forest.count++) {
        size_t i = b->board->order[forest.count];
        rows[forest.count] = (es_forest_row){.name = es_leaderboard_name(b, i),
                                             .rank = b->board->rank[i],
                                             .value = b->board->rank[i],
                                             .low = b->board->rank_low[i],
                                             .high = b->board->rank_high[i],
                                             .best = b->board->best[i]};
    }
    forest.row = rows;
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

static void put_plot(const es_document *d, es_sheet_plot *plot) {
    enum { RANK, MODEL, MEAN, LOW, HIGH };
    (void)d;
    *plot = (es_sheet_plot){.kind = ES_DRAWN_FOREST,
                            .label = MODEL,
                            .value = {RANK, MEAN},
                            .values = 2,
                            .low = LOW,
                            .high = HIGH,
                            .line = (double)NAN};
}

es_status es_leaderboard_write(es_cli *cli, const es_leaderboard_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "leaderboard",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .picture = put_picture,
                                            .plot = put_plot,
                                            .title = "Leaderboard"};
    return es_document_write(
        &parts, (es_document){cli, view->session, SIZE_MAX, view, ES_FORMAT_DEFAULT}, err);
}
