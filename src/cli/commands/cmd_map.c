/* `embedscope map`: the rows of one or two embedders on a plane. */
#include <math.h>
#include <string.h>

#include "cmd.h"
#include "cli_reports.h"
#include "cli_session.h"

enum { SHOWN_BYTES = 80, SHEET_BYTES = 400, SAMPLE = 2000, LISTED = 20 };
enum { ROW, ID, GROUP, DIFFERENCE, X_A, Y_A, X_B, Y_B, TEXT, COLUMNS };

typedef struct view {
    es_session *session;
    const es_results *names;
    es_row_source rows; /* by number of the row set */
    es_row_places *places;
} view;

/* In a sheet, rows that neither of two captures stay behind: they are of no group. */
static const char *group_of(const es_row_places *p, size_t i, bool sheet) {
    enum { BETWEEN = 2 };
    if (sheet && p->difference && p->group_of[i] == BETWEEN)
        return NULL;
    return p->group_of[i] < p->group.count ? p->group.word[p->group_of[i]] : NULL;
}

/* The first n rows, their texts cut to so many bytes. */
/* A coordinate of a row on the map of one or the other; NaN: there is no other. */
static double place_of(const es_row_places *p, size_t k, bool second, size_t i) {
    return k >= p->count ? (double)NAN : second ? p->map[k].y[i] : p->map[k].x[i];
}

#define PLACE(C)                                                                                   \
    C(COUNT, "row", "row", 0, es_row_number(&v->rows, p->row[i]))                                  \
    C(TAKEN, "id", "id", 0, es_row_id(&v->rows, p->row[i], bytes))                                 \
    C(TEXT, "group", "group", 0, group_of(p, i, heads != columns))                                 \
    C(NUMBER, "difference", "difference", 3, 0, p->difference ? p->difference[i] : (double)NAN)    \
    C(NUMBER, "x_a", "x A", 3, 0, place_of(p, 0, false, i))                                        \
    C(NUMBER, "y_a", "y A", 3, 0, place_of(p, 0, true, i))                                         \
    C(NUMBER, "x_b", "x B", 3, 0, place_of(p, 1, false, i))                                        \
    C(NUMBER, "y_b", "y B", 3, 0, place_of(p, 1, true, i))                                         \
    C(TAKEN, "text", "text", 0, es_row_text(&v->rows, p->row[i], bytes))

static const es_out_column columns[COLUMNS] = ES_COLUMNS_OF(PLACE);

static es_table_out *make_rows(const view *v, const es_out_column *heads, size_t n, size_t bytes) {
    const es_row_places *p = v->places;
    es_table_out *table = es_table_out_new(heads, COLUMNS);
    for (size_t i = 0; i < n; i++)
        ES_PUT_ROW(PLACE, table);
    return table;
}

/* All of them in data, some for the eye. */
static es_table_out *make_table(const es_document *d) {
    const view *v = d->what;
    bool all = d->format == ES_FORMAT_CSV || v->places->n < LISTED;
    return make_rows(v, columns, all ? v->places->n : LISTED,
                     d->format == ES_FORMAT_CSV ? ES_ROW_EXACT : SHOWN_BYTES);
}

static void put_caption(const es_document *d, es_buf *out) {
    const view *v = d->what;
    const es_row_places *p = v->places;
    es_buf text = {0};
    if (d->cli->sheet)
        es_buf_printf(&text, "%zu of %zu%s rows.", p->n, p->of, p->evaluated ? " evaluated" : "");
    else
        es_buf_printf(&text,
                      "The first %zu of %zu rows that are drawn, of %zu%s; --csv and --json have "
                      "all of them.",
                      p->n < LISTED ? p->n : (size_t)LISTED, p->n, p->of,
                      p->evaluated ? " evaluated ones" : "");
    for (size_t k = 0; k < p->count; k++) {
        const double *share = p->map[k].share;
        es_buf_printf(&text, " %c: %s, ", 'A' + (int)k, v->names->name[p->model[k]]);
        if (isfinite(share[1]))
            es_buf_printf(&text, "%.0f %% and %.0f %% of the variance.", 100 * share[0],
                          100 * share[1]);
        else
            es_buf_puts(&text, isfinite(share[0]) ? "all of the variance on one axis."
                                                  : "rows that are all alike.");
    }
    if (p->difference)
        es_buf_printf(&text,
                      " difference: of the %s per row, %s, mean over targets; the tenth at either "
                      "end is captured by one, where that is better there at all.",
                      p->errors ? "errors" : "values", p->errors ? "B less A" : "A less B");
    es_buf_putc(out, '\n');
    es_caption_take(d->cli, &text, out);
}

/* In a sheet all rows, drawn on a plane for each embedder; what colours them can be chosen. */
static es_status make_tables(const es_document *d, es_sheet *sheet, es_error *err) {
    const view *v = d->what;
    const es_row_places *p = v->places;
    es_out_column heads[COLUMNS];
    (void)err;
    if (d->cli->sheet == NULL) {
        es_sheet_take_table(sheet, make_table(d));
        return ES_OK;
    }
    memcpy(heads, columns, sizeof heads);
    sheet->plot = (es_sheet_plot){
        .kind = ES_DRAWN_SCATTER, .label = GROUP, .values = p->count, .line = (double)NAN};
    for (size_t k = 0; k < p->count; k++) {
        size_t y = Y_A + k * (Y_B - Y_A);
        sheet->plot.value[k] = y;
        heads[y].title = v->names->name[p->model[k]];
        heads[y - 1].flags = heads[y].flags = ES_COLUMN_DATA_ONLY;
    }
    es_sheet_take_table(sheet, make_rows(v, heads, p->n, SHEET_BYTES));
    es_sheet_offer(sheet, "--colour-by", (const char *const *)p->column.word, p->by);
    return ES_OK;
}

static void put_rows(es_json *json, const view *v) {
    const es_row_places *p = v->places;
    es_json_begin_array(json, "rows");
    for (size_t i = 0; i < p->n; i++) {
        char *id = es_row_id(&v->rows, p->row[i], ES_ROW_EXACT);
        char *text = es_row_text(&v->rows, p->row[i], ES_ROW_EXACT);
        es_json_begin_object(json, NULL);
        es_json_uint(json, "row", es_row_number(&v->rows, p->row[i]));
        es_json_text(json, "id", id);
        es_document_count(json, "group",
                          p->group_of[i] < p->group.count ? p->group_of[i] : SIZE_MAX);
        if (p->difference)
            es_json_double(json, "difference", p->difference[i]);
        es_json_text(json, "text", text);
        es_json_end(json);
        es_free(id);
        es_free(text);
    }
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    const es_row_places *p = v->places;
    es_json_uint(json, "of", p->of);
    es_json_bool(json, "evaluated", p->evaluated);
    es_json_text(json, "by", p->by);
    es_json_begin_array(json, "groups");
    for (size_t g = 0; g < p->group.count; g++)
        es_json_text(json, NULL, p->group.word[g]);
    es_json_end(json);
    es_json_begin_array(json, "columns");
    for (size_t c = 0; c < p->column.count; c++)
        es_json_text(json, NULL, p->column.word[c]);
    es_json_end(json);
    for (size_t k = es_json_list(json, "embedders"); es_json_list_next(json, &k, p->count);) {
        es_json_text(json, "model", v->names->name[p->model[k]]);
        es_document_numbers(json, "variance", p->map[k].share, 2);
        es_document_numbers(json, "x", p->map[k].x, p->n);
        es_document_numbers(json, "y", p->map[k].y, p->n);
    }
    put_rows(json, v);
}

/* The rows of one or two embedders on their first two principal components. */

static void axis_title(char out[64], int axis, double share) {
    if (isfinite(share))
        (void)snprintf(out, 64, "PC%d (%.0f %% of the variance)", axis, 100 * share);
    else
        (void)snprintf(out, 64, "PC%d", axis);
}

static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_results *results = ((const view *)d->what)->names;
    const es_row_places *places = ((const view *)d->what)->places;
    char title[ES_PLACES_MOST][2][64];
    es_cloud_panel panel[ES_PLACES_MOST];
    bool captured = places->difference != NULL;
    for (size_t k = 0; k < places->count; k++) {
        const es_row_map *map = &places->map[k];
        for (int a = 0; a < 2; a++)
            axis_title(title[k][a], a + 1, map->share[a]);
        panel[k] = (es_cloud_panel){results->name[places->model[k]], title[k][0], title[k][1],
                                    map->x, map->y};
    }
    const es_cloud cloud = {.n = places->n,
                            .panels = places->count,
                            .panel = panel,
                            .group = places->group_of,
                            .groups = places->group.count,
                            .group_name = (const char *const *)places->group.word,
                            .background = captured ? 2 : UINT32_MAX};
    if (places->n < places->of)
        es_buf_printf(&sketch->note, "A sample of %zu of %zu %srows. ", places->n, places->of,
                      places->evaluated ? "evaluated " : "");
    else if (places->evaluated)
        es_buf_printf(&sketch->note, "The %zu evaluated rows. ", places->n);
    if (captured)
        es_buf_printf(&sketch->note,
                      "Captured by one: of the differences of the %s per row, mean over targets, "
                      "the tenth at either end. ",
                      places->errors ? "errors" : "values");
    else if (places->by)
        es_buf_printf(&sketch->note, "Colours: %s. ", places->by);
    return es_figure_cloud(&cloud, ES_SKETCHED(sketch), err);
}

/* The one entry that has values per row, where results are stored. */
static es_status open_rows(es_cli *cli, view *v, size_t *entry, es_error *err) {
    es_status st = ES_OK;
    ES_TRY(es_cli_open(cli, ES_ACCESS_SHOW, true, &v->session, err));
    ES_TRY(es_cli_wait_checked(cli, v->session, err));
    es_cli_note_excluded(cli, v->session);
    *entry = es_session_best(v->session);
    if (*entry != SIZE_MAX && es_session_results(v->session, *entry)->done == 0)
        *entry = SIZE_MAX;
    v->names = es_session_results(v->session, *entry == SIZE_MAX ? 0 : *entry);
done:
    return st;
}

es_status es_cmd_map(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {.schema = "map",
                                            .tables = make_tables,
                                            .caption = put_caption,
                                            .json = put_json,
                                            .picture = put_picture,
                                            .title = "Map of rows"};
    const es_options *o = cli->options;
    view v = {0};
    size_t entry = SIZE_MAX, model[ES_PLACES_MOST] = {0}, count = cli->n_arguments - 1;
    size_t most = es_options_given(o, "sample") ? o->sample : SAMPLE;
    bool *where = NULL;
    es_status st = ES_OK;
    if (cli->n_arguments < 2 || count > ES_PLACES_MOST)
        return es_usage(cli, err, "map: name one or two embedders: embedscope map %s A [B]",
                        cli->arguments[0]);
    ES_TRY(open_rows(cli, &v, &entry, err));
    for (size_t k = 0; k < count; k++)
        ES_TRY(es_cli_model(cli, v.session, entry == SIZE_MAX ? 0 : entry, cli->arguments[k + 1],
                            &model[k], err));
    ES_TRY(es_row_source_init(v.session, entry == SIZE_MAX ? 0 : entry, &v.rows, err));
    v.rows.eval = NULL; /* rows are numbers of the row set here */
    if (o->where)
        ES_TRY(es_row_where_new(es_session_pool(v.session), o->where, &where, err));
    ES_TRY(es_row_places_new(v.session, entry, model, count,
                             &(es_places_asked){o->groups_by, where, most, o->seed}, &v.places,
                             err));
    if (cli->export) {
        cli->export->session = v.session;
        cli->export->entry = entry == SIZE_MAX ? 0 : entry;
    }
    ES_TRY(es_document_write(
        &parts, (es_document){cli, v.session, entry == SIZE_MAX ? 0 : entry, &v, ES_FORMAT_DEFAULT},
        err));
done:
    es_row_places_free(v.places);
    es_free(where);
    es_session_close(v.session);
    return st;
}
