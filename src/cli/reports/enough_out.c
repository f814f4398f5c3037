/* How many embedders are enough, as documents: how stable the ranking is when fewer targets vote,
 * and which few embedders cover all. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_session.h"

/* ---- the curve ---- */

#define CURVE(C)                                                                                   \
    C(COUNT, "targets", "targets", ES_COLUMN_KEY, p->size)                                         \
    C(BAND, "agreement", "agreement", 3, p->agreement.mean, p->agreement.low, p->agreement.high)   \
    C(BAND, "reliability", "reliability", 3, p->reliability.mean, p->reliability.low,              \
      p->reliability.high)                                                                         \
    C(BAND, "deviation", "deviation", 3, p->deviation.mean, p->deviation.low, p->deviation.high)

static const es_out_column curve_columns[] = ES_COLUMNS_OF(CURVE);

/* Downstream scores by position in the results, of the task that --against names. */
static es_status read_task(es_cli *cli, es_session *session, const es_rank_report *report,
                           double *out, es_error *err) {
    const es_results *results = report->results;
    const es_scores *scores = NULL;
    size_t known = 0, ranked = 0;
    ES_PASS(es_cli_scores(cli, session, &scores, err));
    if (scores == NULL)
        return es_usage(cli, err, "--against %s: there are no downstream scores",
                        cli->options->against);
    size_t task = es_task_column_find(scores, cli->options->against);
    if (task == SIZE_MAX)
        return es_cli_unknown_name(cli, "task", cli->options->against,
                                   (const char *const *)scores->task, scores->tasks, err);
    size_t *row = es_cli_room(cli, results->m, sizeof *row);
    double *y = es_cli_room(cli, results->m, es_task_columns(scores) * sizeof *y);
    if (!row || !y)
        return es_no_memory(err);
    for (size_t i = 0; i < results->m; i++)
        row[i] = es_scores_find(scores, results->name[i]);
    ES_PASS(es_task_columns_fill(scores, row, results->m, y, NULL, err));
    for (size_t i = 0; i < results->m; i++) {
        bool has_rank = report->ranking->rank[i] > 0;
        out[i] = y[task * results->m + i];
        known += has_rank && isfinite(out[i]);
        ranked += has_rank;
    }
    if (known < 3 && ranked >= 3) /* of fewer the curve itself says so */
        return es_fail(err, ES_EFORMAT,
                       "--against %s: %zu embedders%s have that score under their own name, 3 are "
                       "needed",
                       cli->options->against, known, ranked < results->m ? " that are ranked" : "");
    return ES_OK;
}

/* What the ranking compares, turned so that higher is better. */
static double *turned(const es_cli *cli, const es_results *results) {
    size_t n = results->m * results->m;
    double *out = es_cli_room(cli, n, sizeof *out),
           sign = es_rank_lower_is_better(results) ? -1 : 1;
    if (out && results->estimator) /* a file's gaps stay */
        (void)es_rank_mask(results, out);
    else if (out)
        memcpy(out, results->is, n * sizeof *out);
    for (size_t i = 0; out && i < n; i++)
        out[i] *= sign;
    return out;
}

/* The rule that makes of the turned matrix the scores of the ranking: a quantile is counted from
 * the other end. */
static es_score_rule turned_rule(const es_rank_report *report) {
    es_score_rule rule = report->rule;
    if (es_rank_lower_is_better(report->results) && rule.aggregate == ES_AGGREGATE_QUANTILE)
        rule.quantile = 1 - es_votes_place(&rule);
    return rule;
}

/* Computes how the ranking agrees with the full one as the pool grows. */
static es_status make_curve(es_cli *cli, es_session *session, const es_rank_report *report,
                            es_pool_curve **out, es_error *err) {
    const es_results *results = report->results;
    double *is = turned(cli, results), *against = es_cli_room(cli, results->m, sizeof *against);
    uint32_t *order = es_cli_room(cli, results->m, sizeof *order);
    if (is == NULL || against == NULL || order == NULL)
        return es_no_memory(err);
    if (cli->options->against)
        ES_PASS(read_task(cli, session, report, against, err));
    ES_PASS(es_rank_by_name(results, order, err));
    const es_pool_curve_options options = {.rule = turned_rule(report),
                                           .order = order,
                                           .against = cli->options->against ? against : NULL,
                                           .seed = cli->options->seed};
    return es_pool_curve_new(is, results->m, &options, NULL, out, err);
}

typedef struct curve_view {
    es_rank_report *report;
    es_pool_curve *curve;
} curve_view;

static es_table_out *curve_table(const es_document *d) {
    const curve_view *v = d->what;
    const es_pool_curve *curve = v->curve;
    es_table_out *table = ES_TABLE_OUT(curve_columns);
    for (size_t i = 0; i < curve->points; i++) {
        const es_pool_size *p = &curve->point[i];
        ES_PUT_ROW(CURVE, table);
    }
    return table;
}

static void put_curve(const es_document *d, es_json *json) {
    const curve_view *v = d->what;
    const es_pool_curve *curve = v->curve;
    const es_rank_pairs pairs = es_rank_report_pairs(v->report, v->report->results);
    es_document_scoring(json, v->report);
    es_json_text(json, "against", d->cli->options->against);
    es_json_uint(json, "pairs", pairs.of);
    es_json_uint(json, "pairs_known", pairs.known);
    es_document_table(json, "curve", curve_table(d));
    es_document_count(json, "enough", curve->enough ? curve->enough : SIZE_MAX);
}

/* Of how many of the embedders it is, where pairs are missing. */
static void put_ranked(const curve_view *v, es_buf *out) {
    const es_results *results = v->report->results;
    es_caption_known(results, out);
    if (v->curve->sources < results->m)
        es_buf_printf(out, "sources: %zu of %zu embedders are ranked\n", v->curve->sources,
                      results->m);
}

static void put_curve_caption(const es_document *d, es_buf *out) {
    const curve_view *v = d->what;
    const es_pool_curve *curve = v->curve;
    const char *task = d->cli->options->against;
    bool agrees = es_pool_curve_agrees(curve);
    const es_rank_report *report = v->report;
    es_buf_putc(out, '\n');
    put_ranked(v, out);
    if (report->voting)
        es_buf_printf(out, "targets: %zu of %zu embedders vote (--targets)\n", curve->targets,
                      report->results->m);
    if (agrees)
        es_buf_printf(out,
                      "agreement: spearman with %s%s when so many random targets vote;\nlow and "
                      "high: 95 %% of draws\nreliability: spearman between two rankings whose "
                      "targets have none in common\n",
                      task ? "the task " : "the ranking by all targets", task ? task : "");
    if (curve->points > 0)
        es_buf_printf(out, "deviation: mean change of a score, %s\n",
                      es_rank_lower_is_better(report->results) ? "an error" : "nats per dimension");
    if (curve->points > 0 && !agrees)
        es_buf_printf(out, "no agreement is defined: all values of %s are equal\n",
                      task ? "the score or of the task" : "the score");
    else if (curve->sources < 3 && curve->targets >= 4)
        es_buf_printf(out, "too few embedders are ranked for a curve: 3 are needed, and %zu %s\n",
                      curve->sources, curve->sources == 1 ? "is" : "are");
    else if (task == NULL && curve->enough)
        es_buf_printf(out, "%zu targets are enough for an agreement of 0.9 in 97.5 %% of draws\n",
                      curve->enough);
    else if (task == NULL)
        es_buf_printf(out, "%s for an agreement of 0.9 in 97.5 %% of draws\n",
                      report->voting ? "too few targets vote" : "the pool is too small");
    else if (curve->points == 0)
        es_buf_printf(out, "too few targets for a curve: 4 are needed, and %zu vote%s\n",
                      curve->targets, curve->targets == 1 ? "s" : "");
}

/* How many targets a ranking takes: agreement and reliability over their number, with 95 % bands.
 */

enum { LINES = 2, COLUMNS = 1 + 3 * LINES };

/* The columns of `out` (COLUMNS, points): sizes, then mean, low and high of each band. */
static void curve_fill(const es_pool_curve *curve, double *out) {
    size_t n = curve->points;
    for (size_t i = 0; i < n; i++) {
        const es_pool_size *point = &curve->point[i];
        const es_band *band[LINES] = {&point->agreement, &point->reliability};
        out[i] = (double)point->size;
        for (size_t k = 0; k < LINES; k++) {
            out[(1 + 3 * k) * n + i] = band[k]->mean;
            out[(2 + 3 * k) * n + i] = band[k]->low;
            out[(3 + 3 * k) * n + i] = band[k]->high;
        }
    }
}

static es_status draw_curve(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_pool_curve *curve = ((const curve_view *)d->what)->curve;
    const char *against = d->cli->options->against;
    es_curve_line line[LINES];
    size_t n = curve->points;
    if (n == 0 && curve->targets >= 4)
        return es_fail(err, ES_EEMPTY,
                       "too few embedders are ranked for a curve: 3 are needed, and %zu %s",
                       curve->sources, curve->sources == 1 ? "is" : "are");
    if (n == 0)
        return es_fail(err, ES_EEMPTY, "too few targets for a curve: 4 are needed, and %zu vote%s",
                       curve->targets, curve->targets == 1 ? "s" : "");
    if (!es_pool_curve_agrees(curve))
        return es_fail(err, ES_EEMPTY,
                       "no agreement is defined, so that there is no curve: all values of %s are "
                       "equal",
                       against ? "the score or of the task" : "the score");
    double *columns = es_sketch_room(sketch, n, COLUMNS * sizeof *columns);
    if (columns == NULL)
        return es_no_memory(err);
    curve_fill(curve, columns);
    const char *first =
        es_sketch_text(sketch, "with %s%s", against ? "the task " : "the ranking by all targets",
                       against ? against : "");
    for (size_t k = 0; k < LINES; k++)
        line[k] = (es_curve_line){.title = k == 0 ? first : "between two disjoint sets of targets",
                                  .y = columns + (1 + 3 * k) * n,
                                  .low = columns + (2 + 3 * k) * n,
                                  .high = columns + (3 + 3 * k) * n};
    bool enough = against == NULL && curve->enough > 0;
    const es_curve figure = {.points = n,
                             .x = columns,
                             .line = line,
                             .lines = LINES,
                             .x_title = "number of embedders that are targets",
                             .y_title = "Spearman correlation",
                             .mark_x = enough ? (double)curve->enough : (double)NAN,
                             .mark = es_sketch_text(sketch, "%zu are enough", curve->enough)};
    es_buf_puts(&sketch->note, "Mean and 95 % of random subsets of targets. ");
    if (enough)
        es_buf_puts(&sketch->note, "Enough: agreement of 0.9 in 97.5 % of draws. ");
    return es_figure_curves(&figure, 1, ES_SKETCHED(sketch), err);
}

es_status es_curve_write(es_cli *cli, es_session *session, es_error *err) {
    curve_view v = {0};
    const es_rank_choices how = es_rank_choices_of(cli->options, false);
    es_status st = es_rank_report_of(session, &how, &v.report, err);
    if (st == ES_OK)
        st = make_curve(cli, session, v.report, &v.curve, err);
    if (st != ES_OK) {
        es_rank_report_free(v.report);
        return st;
    }
    const es_document_parts parts = {.schema = "curve",
                                     .table = curve_table,
                                     .caption = put_curve_caption,
                                     .json = put_curve,
                                     .picture = draw_curve};
    st = es_document_write(
        &parts, (es_document){cli, session, v.report->entry, &v, ES_FORMAT_DEFAULT}, err);
    es_pool_curve_free(v.curve);
    es_rank_report_free(v.report);
    return st;
}

/* ---- coverage ---- */

#define COVER(C)                                                                                   \
    C(COUNT, "step", "step", 0, i + 1)                                                             \
    C(NAME, "model", "model", ES_COLUMN_KEY, c->results, step->model)                              \
    C(COUNT, "dim", "dim", 0, dim ? dim : SIZE_MAX)                                                \
    C(COUNT, "dims", "dims so far", 0, dim ? dims : SIZE_MAX)                                      \
    C(NUMBER, "gain", "gain", 3, 0, step->gain)                                                    \
    C(COUNT, "covered", "covered", 0, step->covered)                                               \
    C(COUNT, "of", "of", 0, c->results->m)                                                         \
    C(NUMBER, "mean", "mean cover", 3, 0, step->mean)

static const es_out_column cover_columns[] = ES_COLUMNS_OF(COVER);

enum { SHOWN = 6 }; /* names in a line */

typedef struct cover {
    const es_results *results;
    es_score_kind score; /* whose matrix it is */
    es_cover_step *step; /* (steps) */
    size_t steps;
    uint32_t *alone; /* (alones) of whom no share is known: only they themselves cover them */
    size_t alones;
} cover;

static es_table_out *cover_table(const es_document *d) {
    const cover *c = d->what;
    es_table_out *table = ES_TABLE_OUT(cover_columns);
    size_t dims = 0;
    for (size_t i = 0; i < c->steps; i++) {
        const es_cover_step *step = &c->step[i];
        size_t dim = c->results->dim[step->model];
        dims += dim;
        ES_PUT_ROW(COVER, table);
    }
    return table;
}

static void put_cover(const es_document *d, es_json *json) {
    const cover *c = d->what;
    es_json_text(json, "score", es_score_kind_names[c->score]);
    es_json_double(json, "coverage", d->cli->options->coverage);
    es_document_names(json, "without_own", (const char *const *)c->results->name, c->alone,
                      c->alones);
    es_document_table(json, "steps", cover_table(d));
}

static void put_cover_caption(const es_document *d, es_buf *out) {
    const cover *c = d->what;
    es_buf_putc(out, '\n');
    if (c->results->estimator)
        es_buf_printf(out, "%s %s: ", c->results->estimator->name, es_results_preset(c->results));
    es_buf_printf(out,
                  "%zu embedder%s cover%s at least %g %% of each of the %zu; covered: "
                  "targets that\nhave reached it; gain: what the step adds to the sum of "
                  "covers,\neach counted up to %g %%\n",
                  c->steps, c->steps == 1 ? "" : "s", c->steps == 1 ? "s" : "",
                  100 * d->cli->options->coverage, c->results->m, 100 * d->cli->options->coverage);
    if (c->alones == 0)
        return;
    es_buf_printf(out,
                  "what others cover of %zu of them is not known, so that they cover themselves:\n",
                  c->alones);
    for (size_t k = 0; k < c->alones && k < SHOWN; k++)
        es_buf_printf(out, "%s%s", k ? ", " : "", es_results_label(c->results, c->alone[k]));
    es_buf_printf(out, "%s; the value with itself is missing or not above 0\n",
                  c->alones > SHOWN ? ", ..." : "");
}

/* A share needs a whole: where none has one, nothing can be said. */
static es_status find_alone(cover *c, es_error *err) {
    const es_results *r = c->results;
    for (size_t j = 0; j < r->m; j++)
        if (isnan(es_cover_ceiling(r->is, r->m, j)))
            c->alone[c->alones++] = (uint32_t)j;
    if (c->alones < r->m)
        return ES_OK;
    return es_fail(err, ES_EEMPTY,
                   "--coverage: what share of an embedder others cover is not known: no value of "
                   "one with itself is above 0");
}

static es_status cover_write(es_cli *cli, es_session *session, const es_rank_report *report,
                             es_error *err) {
    const es_results *results = report->results;
    if (es_format_is_picture(es_output_format_of(cli, ES_FORMAT_TABLE)))
        return es_usage(cli, err, "--coverage is a table, not a picture: csv, json, md or tex");
    if (es_rank_lower_is_better(results))
        return es_usage(cli, err, "%s is an error: --coverage needs --estimator linear or knife",
                        results->estimator->name);
    if (!es_results_shares(results))
        return es_usage(cli, err,
                        "by %s %s a value of an embedder with itself is no whole of which others "
                        "cover a share: --coverage needs --estimator linear or knife",
                        results->estimator->name, es_results_preset(results));
    cover c = {.results = results,
               .score = report->score,
               .step = es_cli_room(cli, results->m, sizeof *c.step),
               .alone = es_cli_room(cli, results->m, sizeof *c.alone)};
    uint32_t *order = es_cli_room(cli, results->m, sizeof *order);
    if (c.step == NULL || c.alone == NULL || order == NULL)
        return es_no_memory(err);
    ES_PASS(find_alone(&c, err));
    ES_PASS(es_rank_by_name(results, order, err));
    ES_PASS(es_cover_greedy(results->is, results->m, cli->options->coverage, results->dim, order,
                            c.step, &c.steps, err));
    static const es_document_parts parts = {.schema = "coverage",
                                            .table = cover_table,
                                            .caption = put_cover_caption,
                                            .json = put_cover};
    return es_document_write(
        &parts, (es_document){cli, session, report->entry, &c, ES_FORMAT_DEFAULT}, err);
}

es_status es_coverage_write(es_cli *cli, es_session *session, es_error *err) {
    es_rank_report *report = NULL;
    es_rank_choices how = es_rank_choices_of(cli->options, false);
    if (how.score == ES_SCORE_AUTO) /* shares are of what the published score stands on */
        how.score = ES_SCORE_PUBLISHED;
    es_status st = es_rank_report_of(session, &how, &report, err);
    if (st == ES_OK)
        st = cover_write(cli, session, report, err);
    es_rank_report_free(report);
    return st;
}

/* The document of a run that is not begun: pairs, operations, time and memory, one line an entry of
 * the plan, and what machines like this one would make of it. The pool is opened as by a command
 * that only shows: nothing is written. */

typedef struct plan {
    es_outlook look;
    es_error refused; /* code ES_OK: it may begin */
} plan;

#define PLAN(C)                                                                                    \
    C(TEXT, "estimator", "estimator", ES_COLUMN_KEY, config->estimator->name)                      \
    C(TEXT, "preset", "preset", ES_COLUMN_KEY, config->preset)                                     \
    C(COUNT, "pairs", "pairs", 0, part->pairs)                                                     \
    C(NUMBER, "operations", "Gflop", 0, ES_COLUMN_DATA_ONLY, part->operations)                     \
    C(NUMBER, "thread_seconds", "seconds", 0, ES_COLUMN_DATA_ONLY, part->seconds)                  \
    C(NUMBER, "largest_pair_bytes", "bytes", 0, ES_COLUMN_DATA_ONLY, part->largest)                \
    C(NUMBER, "gflop", "Gflop", 1, ES_COLUMN_SHOWN_ONLY, part->operations / 1e9)                   \
    C(NUMBER, "seconds", "seconds of a thread", 1, ES_COLUMN_SHOWN_ONLY, part->seconds)            \
    C(NUMBER, "mb", "MB of its largest pair", 0, ES_COLUMN_SHOWN_ONLY, part->largest / 1048576)

static const es_out_column columns[] = ES_COLUMNS_OF(PLAN);

static es_table_out *make_table(const es_document *d) {
    const plan *p = d->what;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t e = 0; e < p->look.parts; e++) {
        const es_config *config = es_session_config(d->session, e);
        const es_outlook_part *part = &p->look.part[e];
        ES_PUT_ROW(PLAN, t);
    }
    return t;
}

static void put_json(const es_document *d, es_json *json) {
    const plan *p = d->what;
    const es_outlook *o = &p->look;
    const es_pool *pool = es_session_pool(d->session);
    es_json_text(json, "pool", es_pool_name(pool));
    es_json_uint(json, "embedders", es_pool_usable(pool));
    es_json_uint(json, "controls", es_pool_controls(pool));
    es_json_uint(json, "rows", es_pool_rows(pool));
    es_table_out *t = make_table(d);
    es_table_out_json(t, json, "plan");
    es_table_out_free(t);
    es_json_uint(json, "pairs", o->pairs);
    es_json_double(json, "operations", o->operations);
    es_json_double(json, "operations_per_second", o->rate);
    es_json_bool(json, "rate_from_pairs", o->measured);
    es_json_double(json, "seconds", o->seconds);
    es_json_uint(json, "threads", o->threads);
    es_json_uint(json, "pairs_at_once", o->at_once);
    es_json_begin_object(json, "memory");
    es_json_double(json, "allowed", o->memory);
    es_json_double(json, "peak", o->peak);
    es_json_double(json, "standing", o->standing);
    es_json_double(json, "largest_pair", o->largest);
    es_json_text(json, "refused", p->refused.code == ES_OK ? NULL : p->refused.message);
    es_json_end(json);
    if (o->nodes > 0) {
        es_json_begin_object(json, "nodes");
        es_json_uint(json, "count", o->nodes);
        es_json_double(json, "seconds", o->node_seconds);
        es_json_double(json, "speed_up", o->speed_up);
        es_json_end(json);
    }
}

static void put_nodes(const es_outlook *o, es_buf *out) {
    char time[32];
    (void)es_duration_text(time, sizeof time, o->node_seconds);
    es_buf_printf(out, "on %zu machines like this one: %s, %.1f times as fast (%.0f %% of %zu)\n",
                  o->nodes, time, o->speed_up, 100 * o->speed_up / (double)o->nodes, o->nodes);
}

static void put_caption(const es_document *d, es_buf *out) {
    const plan *p = d->what;
    const es_outlook *o = &p->look;
    const es_pool *pool = es_session_pool(d->session);
    char time[32], peak[32], allowed[32], count[ES_COUNT_TEXT];
    (void)es_duration_text(time, sizeof time, o->seconds);
    (void)es_bytes_text(peak, sizeof peak, o->peak);
    (void)es_bytes_text(allowed, sizeof allowed, o->memory);
    es_buf_printf(out, "%s: %s, %zu rows, %zu pairs to estimate", es_pool_name(pool),
                  es_pool_count_text(pool, count, sizeof count), es_pool_rows(pool), o->pairs);
    if (o->pairs == 0) {
        es_buf_puts(out, ": all are known\n");
        return;
    }
    es_buf_printf(out, "\n%.3g operations, about %s on %u thread%s at %.1f Gflop/s each (%s)\n",
                  o->operations, time, o->at_once, o->at_once == 1 ? "" : "s", o->rate / 1e9,
                  o->measured ? "as pairs known took" : "two fifths of what products reach here");
    if (o->at_once < o->threads)
        es_buf_printf(out, "memory lets %u of %u threads work at once\n", o->at_once, o->threads);
    if (p->refused.code == ES_OK)
        es_buf_printf(out, "memory: %s at most, of %s that may be used\n", peak, allowed);
    else
        es_buf_printf(out, "memory: %s\n", p->refused.message);
    if (o->nodes > 0)
        put_nodes(o, out);
}

es_status es_outlook_write(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {
        .schema = "plan", .table = make_table, .caption = put_caption, .json = put_json};
    enum { MOST_NODES = 100000 };
    es_session *session = NULL;
    plan p = {.refused = {.code = ES_OK}};
    es_status st = ES_OK;
    if (cli->options->nodes > MOST_NODES)
        return es_usage(cli, err, "--nodes takes a number up to %d", (int)MOST_NODES);
    ES_TRY(es_cli_open(cli, ES_ACCESS_SHOW, false, &session, err));
    ES_TRY(es_cli_wait(cli, session, err));
    ES_TRY(es_session_store_problem(session, err));
    es_cli_note_excluded(cli, session);
    ES_TRY(es_session_outlook(session, cli->options->nodes, &p.look, err));
    if (es_session_fits(session, &p.refused) != ES_OK)
        cli->exit_code = ES_EXIT_BAD_INPUT;
    ES_TRY(es_document_write(&parts, (es_document){cli, session, 0, &p, ES_FORMAT_DEFAULT}, err));
done:
    es_session_close(session);
    return st;
}
