/* `embedscope series`: checkpoints of a run, or a model and what was tuned from it, over their
 * steps: a row a step, with its score, what neighbours in time hold of each other, and measures. */
#include "cmd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli_reports.h"
#include "cli_session.h"

typedef struct shown {
    es_session *session;
    const es_rank_report *report;
    const es_series_of *of;
    const es_series *series;
} shown;

static const es_out_column fixed[] = {
    {.key = "series", .title = "series", .flags = ES_COLUMN_KEY},
    {.key = "step", .title = "step", .kind = ES_COLUMN_NUMBER, .decimals = 0},
    {.key = "model", .title = "model", .flags = ES_COLUMN_DATA_ONLY},
    {.key = "score", .title = "score", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    ES_NUMBER("ci_low", "95 % low", "low", 3, ES_COLUMN_LOW),
    ES_NUMBER("ci_high", "95 % high", "high", 3, 0),
    ES_NUMBER("of_before", "of before", "of bef.", 3, 0),
    ES_NUMBER("by_before", "by before", "by bef.", 3, 0),
    {.key = "of_first", .title = "of first", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "of_last", .title = "of last", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "downstream", .title = "downstream", .kind = ES_COLUMN_NUMBER, .decimals = 1},
    {.key = "rank", .title = "rank", .kind = ES_COLUMN_NUMBER, .decimals = 0},
};
enum { FIXED = sizeof fixed / sizeof *fixed, STEP = 1, MODEL, SCORE, REST = 6 };

static bool whole_steps(const es_series *s) {
    for (size_t i = 0; i < s->points; i++)
        if (s->point[i].step != floor(s->point[i].step))
            return false;
    return true;
}

static es_table_out *make_series_table(const es_document *d) {
    const shown *v = d->what;
    const es_series *s = v->series;
    const es_series_column *score = &s->column[ES_SERIES_SCORE];
    es_table_out *t = es_table_out_new(NULL, 0);
    for (size_t j = 0; j < FIXED; j++) {
        es_out_column column = fixed[j];
        if (j == STEP && !whole_steps(s))
            column.decimals = 3;
        if (j == MODEL && s->repeats)
            column.flags = 0;
        es_table_out_add(t, column);
    }
    for (size_t k = ES_SERIES_KNOWN; k < s->columns; k++)
        es_table_out_add(
            t, (es_out_column)ES_NUMBER(s->column[k].name, s->column[k].name, NULL, 3, 0));
    for (size_t i = 0; i < s->points; i++) {
        const es_series_run *run = &s->run[s->point[i].series];
        es_table_out_text(t, run->name);
        es_table_out_number(t, s->point[i].step);
        es_table_out_text(t, v->report->results->name[s->point[i].model]);
        es_table_out_number(t, score->value[i]);
        if (run->best != SIZE_MAX &&
            es_table_out_alike(score->value[i], score->value[run->best], 3))
            es_table_out_best(t);
        es_table_out_number(t, score->low[i]);
        es_table_out_number(t, score->high[i]);
        for (size_t k = ES_SERIES_SCORE + 1; k < s->columns; k++)
            es_table_out_number(t, s->column[k].value[i]);
    }
    return t;
}

static void put_series_words(const es_document *d, es_buf *out) {
    const shown *v = d->what;
    for (size_t r = 0; r < v->series->runs; r++) {
        es_series_put(v->series, v->of, r, out);
        es_buf_puts(out, r + 1 < v->series->runs ? " " : "");
    }
}

static void put_series_caption(const es_document *d, es_buf *out) {
    const shown *v = d->what;
    const es_results *by = v->report->results;
    es_buf text = {0};
    es_buf_putc(out, '\n');
    for (size_t r = 0; r < v->series->runs; r++) {
        es_series_put(v->series, v->of, r, &text);
        es_caption_take(d->cli, &text, out);
    }
    bool errors = es_series_of_errors(v->of);
    es_buf_printf(&text, "score: %s, %s over %s, of the whole pool%s. of before, of first, ",
                  es_score_kind_names[v->report->score], es_rank_report_aggregate(v->report),
                  es_rank_report_voting(v->report), errors ? ", an error: lower is better" : "");
    es_buf_puts(&text, errors ? "of last: the error of that one given the step; by before: of the "
                                "step given that one (error"
                              : "of last: what the step holds of that one; by before: what that "
                                "one holds of the step (information sufficiency");
    es_buf_printf(&text, "%s%s%s%s%s).", by->estimator ? " by " : "",
                  by->estimator ? by->estimator->name : "", by->estimator ? " " : "",
                  by->estimator ? es_results_preset(by) : "", errors ? "" : ", nats per dimension");
    es_buf_putc(out, '\n');
    es_caption_take(d->cli, &text, out);
}

static void put_series_json(const es_document *d, es_json *json) {
    const shown *v = d->what;
    const es_series *s = v->series;
    es_document_scoring(json, v->report);
    for (size_t r = es_json_list(json, "series"); es_json_list_next(json, &r, s->runs);) {
        const es_series_run *run = &s->run[r];
        char *const *name = v->report->results->name;
        es_buf words = {0};
        es_json_text(json, "name", run->name);
        es_json_uint(json, "steps", run->count);
        es_json_text(json, "best", run->best == SIZE_MAX ? NULL : name[s->point[run->best].model]);
        es_json_text(json, "last_change",
                     run->change == SIZE_MAX ? NULL : name[s->point[run->change].model]);
        if (run->last_unknown)
            es_json_null(json, "last_may_be_best");
        else
            es_json_bool(json, "last_may_be_best", run->best_is_last);
        es_series_put(s, v->of, r, &words);
        es_document_take(json, "text", &words);
    }
    size_t baseline = s->baseline;
    es_json_text(json, "baseline",
                 baseline == SIZE_MAX ? NULL : v->report->results->name[baseline]);
    es_document_table(json, "steps", make_series_table(d));
    es_document_excluded(json, v->session);
}

/* The score with its interval, what steps hold of the one before and of the first, downstream, and
 * measures, one panel each, a line a series. */

enum { SERIES_PANELS = 12 };

typedef struct series_panels {
    size_t points, lines;
    double *x;     /* (points) all steps of all series, ascending */
    double *block; /* (columns, lines, 3, points) */
    es_curve_line *line;
    es_curve curve[SERIES_PANELS];
    size_t count;
} series_panels;

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Lists the different steps of all runs, ascending. */
static void take_steps(series_panels *p, const es_series *s) {
    for (size_t i = 0; i < s->points; i++)
        if (s->point[i].series < p->lines)
            p->x[p->points++] = s->point[i].step;
    qsort(p->x, p->points, sizeof *p->x, ascending);
    size_t kept = 0;
    for (size_t i = 0; i < p->points; i++)
        if (kept == 0 || p->x[i] > p->x[kept - 1])
            p->x[kept++] = p->x[i];
    p->points = kept;
}

static size_t place_of(const series_panels *p, double step) {
    size_t i = 0;
    while (i < p->points && p->x[i] != step)
        i++;
    return i;
}

/* The values of a column by series and step; false: none is known. */
static bool spread(series_panels *p, const es_series *s, size_t column) {
    const es_series_column *c = &s->column[column];
    size_t n = p->points, room = 3 * n;
    double *block = p->block + p->count * (p->lines + 1) * room;
    es_curve_line *line = p->line + p->count * (p->lines + 1);
    bool any = false;
    for (size_t i = 0; i < p->lines * room; i++)
        block[i] = (double)NAN;
    for (size_t k = 0; k < p->lines; k++)
        line[k] = (es_curve_line){.title = s->run[k].name,
                                  .y = block + k * room,
                                  .low = c->low ? block + k * room + n : NULL,
                                  .high = c->low ? block + k * room + 2 * n : NULL};
    for (size_t i = 0; i < s->points; i++) {
        if (s->point[i].series >= p->lines)
            continue;
        double *own = block + s->point[i].series * room + place_of(p, s->point[i].step);
        own[0] = c->value[i];
        own[n] = c->low ? c->low[i] : (double)NAN;
        own[2 * n] = c->high ? c->high[i] : (double)NAN;
        any = any || isfinite(c->value[i]);
    }
    return any;
}

/* A further line in every panel, flat where the embedder of no run has such a value. */
static void put_baseline(series_panels *p, const es_series_of *of, const es_series *s,
                         size_t column) {
    size_t n = p->points, room = 3 * n, at = p->count * (p->lines + 1);
    double *block = p->block + at * room + p->lines * room;
    double value = column == ES_SERIES_SCORE  ? of->score[s->baseline]
                   : column == ES_SERIES_RANK ? of->decision->ranking->rank[s->baseline]
                                              : (double)NAN;
    for (size_t i = 0; i < n; i++)
        block[i] = value;
    p->line[at + p->lines] =
        (es_curve_line){.title = es_results_label(of->results, s->baseline), .y = block};
}

/* Fills a panel for each column that is drawn: lines of runs over steps. */
static es_status make_panels(es_sketch *sketch, series_panels *p, const es_series *s,
                             const es_series_of *of, es_error *err) {
    bool beside = s->baseline != SIZE_MAX;
    size_t most = ES_CURVE_LINES - (beside ? 1 : 0);
    p->lines = s->runs < most ? s->runs : most;
    p->x = es_sketch_room(sketch, s->points + 1, sizeof *p->x);
    p->block = es_sketch_room(sketch, (s->points + 1) * 3 * (p->lines + 1),
                              SERIES_PANELS * sizeof *p->block);
    p->line = es_sketch_room(sketch, p->lines + 1, SERIES_PANELS * sizeof *p->line);
    if (!p->x || !p->block || !p->line)
        return es_no_memory(err);
    take_steps(p, s);
    for (size_t k = 0; k < s->columns && p->count < SERIES_PANELS; k++) {
        if (k == ES_SERIES_OF_LAST || !spread(p, s, k))
            continue;
        if (beside)
            put_baseline(p, of, s, k);
        p->curve[p->count] = (es_curve){.points = p->points,
                                        .x = p->x,
                                        .line = p->line + p->count * (p->lines + 1),
                                        .lines = p->lines + (beside ? 1 : 0),
                                        .dots = true,
                                        .bridged = true,
                                        .upside_down = k == ES_SERIES_RANK,
                                        .x_title = "step",
                                        .y_title = s->column[k].title,
                                        .mark_x = (double)NAN};
        p->count++;
    }
    return p->count > 0 ? ES_OK
                        : es_fail(err, ES_EEMPTY, "no value of any step is known; estimate first");
}

static es_status put_series_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const shown *v = d->what;
    const es_series *series = v->series;
    const es_series_of *of = v->of;
    series_panels p = {0};
    bool errors = es_series_of_errors(of);
    ES_PASS(make_panels(sketch, &p, series, of, err));
    es_buf_puts(&sketch->note, "Bands: 95 %. ");
    es_buf_puts(&sketch->note,
                errors ? "Errors are of another step, or by it: lower is better. "
                       : "Kept, known: information sufficiency for another step, or from "
                         "it, nats per dimension. ");
    if (series->baseline != SIZE_MAX)
        es_buf_printf(&sketch->note, "%s: the best embedder of no run. ",
                      es_results_label(of->results, series->baseline));
    if (series->runs > p.lines)
        es_buf_printf(&sketch->note, "%zu further series are not shown. ", series->runs - p.lines);
    return es_figure_curves(p.curve, p.count, ES_SKETCHED(sketch), err);
}

/* Over the steps: the score with its interval, then what steps hold of others, then measures. */
static void put_series_plot(const es_document *d, es_sheet_plot *plot) {
    size_t columns = FIXED + ((const shown *)d->what)->series->columns - ES_SERIES_KNOWN;
    *plot = (es_sheet_plot){
        .kind = ES_DRAWN_LINES, .x = STEP, .value = {SCORE}, .values = 1, .line = (double)NAN};
    for (size_t j = REST; j < columns && plot->values < ES_DRAWN_VALUES; j++)
        plot->value[plot->values++] = j;
}

/* ---- the command ---- */

typedef struct measured_of {
    const es_measured *measured;
    const es_results *names, *ranked;
} measured_of;

static double value_of(const void *context, size_t field, size_t before, size_t model) {
    const measured_of *of = context;
    const es_measured *m = of->measured;
    size_t at = es_results_find(of->names, of->ranked->name[model]);
    if (before == SIZE_MAX)
        return m->value[at * m->width + field].value;
    size_t from = es_results_find(of->names, of->ranked->name[before]);
    return es_measured_matrix(m, field)[from * m->m + at].value;
}

static es_status add_measures(const es_choices *choices, es_session *session,
                              const es_series_of *of, es_series *series, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < choices->count && st == ES_OK; i++) {
        const es_choice *c = &choices->item[i];
        const es_measure *m = c->measured->measure;
        const measured_of of_measure = {c->measured, es_session_results(session, 0), of->results};
        char name[160];
        for (size_t f = 0; f < m->n_fields && st == ES_OK; f++)
            if (c->field == SIZE_MAX ? !m->fields[f].fact && (f == 0 || !m->pair) : c->field == f)
                st = es_series_add(series, es_choice_name(c, f, name, sizeof name), m->pair != NULL,
                                   value_of, &of_measure, f, err);
    }
    return st;
}

static es_status open_pool(es_cli *cli, es_session **session, es_choices *choices, es_error *err) {
    size_t entry = 0;
    if (cli->n_arguments < 2)
        return es_cli_open_stored(cli, true, session, &entry, err);
    ES_PASS(es_measure_open(cli, true, session, err));
    ES_PASS(es_cli_best(cli, *session, &entry, err));
    ES_PASS(es_export_attach(cli, *session, entry, err));
    ES_PASS(es_measure_choose(cli, *session, cli->arguments[1], choices, err));
    return es_measure_compute(cli, *session, choices, err);
}

es_status es_cmd_series(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {.schema = "series",
                                            .table = make_series_table,
                                            .caption = put_series_caption,
                                            .words = put_series_words,
                                            .json = put_series_json,
                                            .picture = put_series_picture,
                                            .plot = put_series_plot,
                                            .title = "Training runs"};
    es_session *session = NULL;
    es_choices choices = {0};
    es_series series = {0};
    es_rank_report *report = NULL;
    const es_scores *scores = NULL;
    const es_model **model = NULL;
    es_status st = ES_OK;
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    ES_TRY(open_pool(cli, &session, &choices, err));
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    ES_TRY(es_cli_scores(cli, session, &scores, err));
    model = es_cli_models(cli, es_session_pool(session));
    ES_FAIL_IF(model == NULL, es_no_memory(err));
    const es_series_of of = {report->results,  model, report->score, report->ranking->score,
                             report->decision, scores};
    ES_TRY(es_series_new(&of, &series, err));
    ES_FAIL_IF(series.runs == 0,
               es_fail(err, ES_EEMPTY,
                       "%s: no series; name checkpoints RUN@STEP (run@1000.npy, run@2000.npy), or "
                       "give \"series\" and \"step\" in pool.json",
                       es_pool_name(es_session_pool(session))));
    ES_TRY(add_measures(&choices, session, &of, &series, err));
    const shown v = {session, report, &of, &series};
    ES_TRY(es_document_write(
        &parts, (es_document){cli, session, report->entry, &v, ES_FORMAT_DEFAULT}, err));
    ES_TRY(es_session_store_problem(session, err));
done:
    es_series_deinit(&series);
    es_rank_report_free(report);
    es_choices_deinit(&choices);
    es_session_close(session);
    return st;
}
