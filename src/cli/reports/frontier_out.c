/* How small embedders may be, as a document and a picture. */
#include "cli_reports.h"

#include <math.h>
#include <string.h>

enum { ALL_OF = 3 }; /* of so many embedders a reader sees every point */
enum { MODEL, TRANSFORM, BYTES, KEPT, LOW, HIGH, NEIGHBOURS, PROBE };

#define ROW(C)                                                                                     \
    C(NAME, "model", "model", ES_COLUMN_KEY, v->names, v->model[p->of])                            \
    C(TEXT, "transform", "transform", ES_COLUMN_KEY, how.data)                                     \
    C(COUNT, "bytes", "bytes", 0, p->bytes)                                                        \
    C(BAND, "kept", "kept", 3, p->kept.kept, p->kept.low, p->kept.high)                            \
    C(SHORT, NUMBER, "neighbours", "neighbours", "near", 3, 0, p->kept.neighbours)                 \
    C(NUMBER, "probe", "probe", 3, 0, p->kept.probe)                                               \
    C(NUMBER, "value", "value", 3, ES_COLUMN_DATA_ONLY, p->value)                                  \
    C(NUMBER, "cost", "cost", 3, 0, v->report->against ? p->cost : (double)NAN)                    \
    C(SHOWN, "shown", "front", p->front ? "yes" : NULL)                                            \
    C(DATA, FLAG, "front", p->front)                                                               \
    C(COUNT, "dim", "dim", 0, p->dim)                                                              \
    C(COUNT, "bits", "bits", ES_COLUMN_DATA_ONLY, p->bits)

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

static bool is_listed(const es_document *d, const es_frontier_report *r, size_t i) {
    const es_frontier_point *p = &r->point[i];
    bool all = d->format == ES_FORMAT_CSV || d->format == ES_FORMAT_JSON || d->cli->sheet ||
               r->n <= ALL_OF;
    return all || p->front || i == es_frontier_smallest(r, p->of);
}

static void put_row(es_table_out *t, const es_frontier_view *v, const es_frontier_point *p) {
    es_buf how = {0};
    es_frontier_put(&p->how, &how);
    ES_PUT_ROW(ROW, t);
    es_buf_free(&how);
}

static es_table_out *make_table(const es_document *d) {
    const es_frontier_view *v = d->what;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t i = 0; i < v->report->points; i++)
        if (is_listed(d, v->report, i))
            put_row(t, v, &v->report->point[i]);
    return t;
}

static void put_words(const es_document *d, es_buf *out) {
    const es_frontier_view *v = d->what;
    if (v->pending > 0)
        es_buf_printf(out, "%zu of %zu embedders are measured so far. ", v->report->n,
                      v->report->n + v->pending);
    es_frontier_put_answer(v->report, out);
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_frontier_view *v = d->what;
    const es_frontier_report *r = v->report;
    es_caption_words(d, put_words, out);
    es_buf_printf(out,
                  "kept: share of the embedder that the compression predicts, on %zu held-out "
                  "rows (95 %%)\n"
                  "near: share of the %d nearest rows that stay\n",
                  v->rows, ES_FRONTIER_NEAREST);
    if (v->tasks > 0)
        es_buf_printf(out, "probe: ridge regression on labels.csv, cross-validated%s\n",
                      v->tasks > 1 ? "; mean over its columns" : "");
    es_buf_printf(out, "front: no other compression is %s and better%s\n",
                  r->against ? "as low in the column" : "as small",
                  r->by == ES_FRONTIER_BY_PROBE    ? ", by the probe"
                  : r->by == ES_FRONTIER_BY_OTHERS ? ", by kept times what it predicts of others"
                                                   : " of the same embedder");
}

static void put_json(const es_document *d, es_json *json) {
    static const char *const by[] = {NULL, "probe", "others"};
    const es_frontier_view *v = d->what;
    es_document all = *d;
    es_buf words = {0};
    put_words(d, &words);
    all.format = ES_FORMAT_JSON;
    es_document_take(json, "sentence", &words);
    es_json_text(json, "value_by", by[v->report->by]);
    es_document_count(json, "bytes", v->report->most > 0 ? v->report->most : SIZE_MAX);
    es_json_text(json, "against", v->report->against);
    es_json_uint(json, "rows", v->rows);
    es_json_uint(json, "tasks", v->tasks);
    es_document_table(json, "points", make_table(&all));
}

static void fill_names(es_sketch *sketch, const es_frontier_report *r, const char **name) {
    for (size_t i = 0; i < r->points; i++) {
        const es_frontier_point *p = &r->point[i];
        es_buf text = {0};
        if (p->front && r->n > 1)
            es_buf_printf(&text, "%s, ", r->of[p->of].name);
        if (p->front)
            es_frontier_put(&p->how, &text);
        name[i] = es_sketch_take(sketch, &text);
    }
}

/* What points are compared by, over bytes or the column on a logarithmic axis; points of an
 * embedder share a colour. */
static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_frontier_report *r = ((const es_frontier_view *)d->what)->report;
    size_t n = r->points;
    double *x = es_sketch_room(sketch, n, 2 * sizeof *x), *y = x ? x + n : NULL;
    unsigned *group = es_sketch_room(sketch, n, sizeof *group);
    const char **name = es_sketch_room(sketch, n, sizeof *name);
    bool by_value = r->by != ES_FRONTIER_BY_NOTHING;
    if (!x || !group || !name)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const es_frontier_point *p = &r->point[i];
        double cost = r->against ? p->cost : (double)p->bytes;
        x[i] = cost > 0 ? log2(cost) : (double)NAN;
        y[i] = by_value ? p->value : p->kept.kept;
        group[i] = (unsigned)p->of + 1;
    }
    fill_names(sketch, r, name);
    const es_scatter scatter = {.n = n,
                                .x = x,
                                .y = y,
                                .name = name,
                                .group = group,
                                .log_x = true,
                                .x_title = r->against ? r->against : "bytes a row",
                                .y_title = r->by == ES_FRONTIER_BY_PROBE ? "score of the probe"
                                           : r->by == ES_FRONTIER_BY_OTHERS
                                               ? "kept, times nats predicted of others"
                                               : "share of the embedder that is kept",
                                .slope = (double)NAN,
                                .intercept = (double)NAN};
    es_buf_puts(&sketch->note, "Named: on the front. ");
    return es_figure_scatter(&scatter, ES_SKETCHED(sketch), err);
}

static void put_plot(const es_document *d, es_sheet_plot *plot) {
    const es_frontier_view *v = d->what;
    *plot = (es_sheet_plot){.kind = ES_DRAWN_POINTS,
                            .label = MODEL,
                            .x = BYTES,
                            .value = {KEPT, NEIGHBOURS, PROBE},
                            .values = v->tasks > 0 ? 3 : 2,
                            .line = (double)NAN};
}

es_status es_frontier_write(es_cli *cli, const es_frontier_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "frontier",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .picture = put_picture,
                                            .plot = put_plot,
                                            .title = "Frontier"};
    return es_document_write(
        &parts, (es_document){cli, view->session, SIZE_MAX, view, ES_FORMAT_DEFAULT}, err);
}
