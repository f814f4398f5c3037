/* `embedscope frontier`: how small an embedder may be, as a document and a picture. */
#include <math.h>
#include <string.h>

#include "cli_reports.h"
#include "cli_session.h"
#include "cmd.h"

/* Of a sheet: what is not begun by then comes with the next one. */
static const double SHEET_SECONDS = 1;

typedef struct asked {
    es_session *session;
    const es_results *names;
    size_t *model; /* (count) positions; those that were measured come first */
    size_t count, known;
    es_frontier_of *of; /* (known) */
    es_frontier_report *report;
    size_t rows, tasks; /* held out; of the probe */
} asked;

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

static void put_row(es_table_out *t, const asked *v, const es_frontier_point *p) {
    es_buf how = {0};
    es_frontier_put(&p->how, &how);
    ES_PUT_ROW(ROW, t);
    es_buf_free(&how);
}

static es_table_out *make_table(const es_document *d) {
    const asked *v = d->what;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t i = 0; i < v->report->points; i++)
        if (is_listed(d, v->report, i))
            put_row(t, v, &v->report->point[i]);
    return t;
}

static void put_words(const es_document *d, es_buf *out) {
    const asked *v = d->what;
    if (v->count > v->known)
        es_buf_printf(out, "%zu of %zu embedders are measured so far. ", v->known, v->count);
    es_frontier_put_answer(v->report, out);
}

static void put_caption(const es_document *d, es_buf *out) {
    const asked *v = d->what;
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
    const asked *v = d->what;
    es_document all = *d;
    all.format = ES_FORMAT_JSON;
    es_document_words(d, json, "sentence", put_words);
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
    const es_frontier_report *r = ((const asked *)d->what)->report;
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
    const asked *v = d->what;
    *plot = (es_sheet_plot){.kind = ES_DRAWN_POINTS,
                            .label = MODEL,
                            .x = BYTES,
                            .value = {KEPT, NEIGHBOURS, PROBE},
                            .values = v->tasks > 0 ? 3 : 2,
                            .line = (double)NAN};
}

/* ---- the command ---- */

static void asked_deinit(asked *a) {
    es_frontier_report_free(a->report);
    es_session_close(a->session);
}

/* "A,B"; without names everybody but controls and derived ones. */
static es_status choose(es_cli *cli, asked *a, es_error *err) {
    char *names = cli->n_arguments > 1 ? es_strdup(cli->arguments[1]) : NULL;
    es_status st = ES_OK;
    a->model = es_cli_room(cli, a->names->m + 1, sizeof *a->model);
    ES_FAIL_IF(!a->model || (cli->n_arguments > 1 && !names), es_no_memory(err));
    for (size_t i = 0; !names && i < a->names->m; i++)
        if (!es_is_control(a->names->family[i]) && !es_results_is_derived(a->names, i))
            a->model[a->count++] = i;
    for (char *at = names, *next; at; at = next) {
        size_t position = 0, seen = 0;
        next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        ES_TRY(es_cli_model(cli, a->session, 0, at, &position, err));
        while (seen < a->count && a->model[seen] != position)
            seen++;
        a->model[seen] = position;
        a->count += seen == a->count;
    }
    ES_FAIL_IF(a->count == 0, es_fail(err, ES_EEMPTY,
                                      "frontier: all embedders are controls or derived; name some: "
                                      "embedscope frontier %s A,B",
                                      cli->arguments[0]));
done:
    es_free(names);
    return st;
}

/* Puts what was measured first, with a note on who could not be. */
static void part_known(es_cli *cli, asked *a) {
    size_t left = 0;
    for (size_t i = 0; i < a->count; i++) {
        size_t model = a->model[i], count;
        const char *problem;
        bool known = es_session_frontier(a->session, model, &count, &problem) != NULL;
        if (problem)
            es_output_note(cli, "%s is left out: %s", a->names->name[model], problem);
        else if (known) { /* a rotation, so that both keep their order */
            memmove(a->model + a->known + 1, a->model + a->known, (left) * sizeof *a->model);
            a->model[a->known++] = model;
        } else
            a->model[a->known + left++] = model;
    }
    a->count = a->known + left;
}

/* cost (known) of a column of models.csv. */
static es_status read_costs(es_cli *cli, asked *a, es_error *err) {
    const char *column = cli->options->against;
    const es_scores *known = NULL;
    size_t at = 0;
    ES_PASS(es_pool_models(es_session_pool(a->session), &known, err));
    if (!known)
        return es_fail(err, ES_ENOTFOUND,
                       "frontier: --against %s: the pool has no models.csv; put one beside the "
                       "embedders, with the columns model,%s",
                       column, column);
    while (at < known->tasks && strcmp(known->task[at], column) != 0)
        at++;
    if (at == known->tasks)
        return es_cli_unknown_name(cli, "column of models.csv", column,
                                   (const char *const *)known->task, known->tasks, err);
    for (size_t i = 0; i < a->known; i++) {
        size_t row = es_scores_find(known, a->of[i].name);
        if (row != SIZE_MAX)
            a->of[i].cost = known->value[row * known->tasks + at];
    }
    return ES_OK;
}

/* Makes the report of the frontier from measured compressions and the ranking. */
static es_status make_report(es_cli *cli, asked *a, es_error *err) {
    size_t entry = es_session_predictive(a->session);
    const es_results *pairs = entry != SIZE_MAX ? es_session_results(a->session, entry) : NULL;
    a->of = es_cli_room(cli, a->known + 1, sizeof *a->of);
    if (!a->of)
        return es_no_memory(err);
    for (size_t i = 0; i < a->known; i++) {
        size_t model = a->model[i], count;
        const char *problem;
        a->of[i] =
            (es_frontier_of){.name = a->names->name[model],
                             .d = a->names->dim[model],
                             .kept = es_session_frontier(a->session, model, &count, &problem),
                             .others = pairs ? es_frontier_others(pairs, model) : (double)NAN,
                             .cost = (double)NAN};
    }
    if (cli->options->against)
        ES_PASS(read_costs(cli, a, err));
    return es_frontier_report_new(a->of, a->known, cli->options->bytes, cli->options->against,
                                  &a->report, err);
}

es_status es_cmd_frontier(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {.schema = "frontier",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .picture = put_picture,
                                            .plot = put_plot,
                                            .title = "Frontier"};
    asked a = {0};
    es_status st = ES_OK;
    if (es_options_given(cli->options, "bytes") && cli->options->bytes == 0)
        return es_usage(cli, err, "frontier: --bytes takes a number of bytes from 1 on");
    ES_TRY(es_cli_open(cli, ES_ACCESS_MEASURE, false, &a.session, err));
    ES_TRY(es_cli_wait_checked(cli, a.session, err));
    es_cli_note_excluded(cli, a.session);
    a.names = es_session_results(a.session, 0);
    ES_TRY(choose(cli, &a, err));
    bool in_parts = cli->sheet && es_session_store_path(a.session); /* what is measured stays */
    ES_TRY(
        es_session_frontier_start(a.session, a.model, a.count, in_parts ? SHEET_SECONDS : 0, err));
    ES_TRY(es_cli_wait_checked(cli, a.session, err));
    part_known(cli, &a);
    ES_FAIL_IF(a.known == 0, es_fail(err, ES_EEMPTY, "frontier: no embedder could be compressed"));
    ES_TRY(make_report(cli, &a, err));
    if (cli->sheet)
        cli->sheet->partial = a.count > a.known;
    a.rows = es_session_frontier_rows(a.session);
    a.tasks = es_session_frontier_tasks(a.session);
    ES_TRY(es_document_write(&parts, (es_document){cli, a.session, SIZE_MAX, &a, ES_FORMAT_DEFAULT},
                             err));
done:
    asked_deinit(&a);
    return st;
}
