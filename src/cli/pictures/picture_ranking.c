/* The ranking as a forest plot: a score with its interval a row, those that may be the best on a
 * band. */
#include <math.h>

#include "pictures.h"

static es_forest_row row_ranking_of(const es_results *results, const es_rank_report *report,
                                    size_t i) {
    const es_decision *sure = report->decision;
    return (es_forest_row){
        .name = es_results_label(results, i),
        .rank = report->ranking->rank[i],
        .dim = results->dim[i],
        .value = report->ranking->score[i],
        .low = sure->low[i],
        .high = sure->high[i],
        .group = report->has_community ? report->community[i] + 1 : 0,
        .best = sure->said && sure->best[i],
    };
}

es_status es_picture_ranking(es_sketch *sketch, const es_results *results,
                             const es_rank_report *report, es_error *err) {
    es_buf axis = {0};
    es_forest forest = {.null_low = (double)NAN, .null_high = (double)NAN};
    es_forest_row *rows = es_sketch_room(sketch, results->m, sizeof *rows);
    if (rows == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < results->m; i++)
        if (es_export_shows(sketch->cli, report->order[i]))
            rows[forest.count++] = row_ranking_of(results, report, report->order[i]);
    forest.row = rows;
    if (report->unit != ES_UNIT_DIMENSION || /* the line is in these */
        es_results_null_range(results, &forest.null_low, &forest.null_high) == 0)
        forest.null_low = forest.null_high = NAN;
    es_rank_report_put_score(report, &axis);
    if (es_rank_lower_is_better(results))
        es_buf_puts(&axis, ", an error (lower is better)");
    else
        es_buf_printf(&axis, ", %s", es_rank_report_unit(report));
    if (es_decision_bounded(report->decision))
        es_buf_puts(&axis, " (bars: 95 %)");
    if (report->decision->said)
        forest.band = "shaded: candidates for the best (95 %)";
    forest.axis = es_sketch_take(sketch, &axis);
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

/* Every score against every task as a heat map, on a scale about 0. */

es_status es_picture_task_table(es_sketch *sketch, const es_agree_scores *scores,
                                const es_scores *tasks, const es_task_table *table,
                                es_correlation kind, es_error *err) {
    size_t k = table->k, columns = table->columns;
    double *value = es_sketch_room(sketch, k, columns * sizeof *value);
    const char **name = es_sketch_room(sketch, columns, sizeof *name);
    if (!value || !name)
        return es_no_memory(err);
    for (size_t i = 0; i < k * columns; i++)
        value[i] = table->report[i].value[kind].value;
    for (size_t c = 0; c < columns; c++)
        name[c] = es_task_column_name(tasks, c);
    const es_heatmap heatmap = {
        .rows = k,
        .columns = columns,
        .value = value,
        .row_name = (const char *const *)scores->name,
        .column_name = name,
        .row_title = "score",
        .column_title = "task",
        .value_title = es_sketch_text(sketch, "%s with the task", es_correlation_name(kind)),
        .map = ES_HEAT_DIVERGING,
        .low = -1,
        .high = 1,
        .decimals = 2};
    return es_figure_heatmap(&heatmap, ES_SKETCHED(sketch), err);
}

/* Scores without labels as a forest: Spearman's rho with its interval a row, best first, what is
 * surely ahead of the dimension on a band, the dimension's own as a line. */

static es_forest_row row_rival_of(const es_label_free *x, size_t at) {
    size_t k = x->rival[at].column;
    const es_correlation_report *r = &x->scores.agreement->against[k];
    return (es_forest_row){
        .name = x->scores.name[k],
        .rank = x->rival[at].place,
        .value = r->value[ES_SPEARMAN].value,
        .low = r->low[ES_SPEARMAN],
        .high = r->high[ES_SPEARMAN],
        .best = k > 0 && x->scores.agreement->ahead[k].low > 0,
    };
}

es_status es_picture_rivals(es_sketch *sketch, const es_label_free *x, es_error *err) {
    double line = x->scores.agreement->against[0].value[ES_SPEARMAN].value;
    es_forest forest = {.count = x->scores.k, .null_low = line, .null_high = line};
    es_forest_row *rows = es_sketch_room(sketch, forest.count, sizeof *rows);
    if (rows == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < forest.count; i++) {
        rows[i] = row_rival_of(x, i);
        if (rows[i].best)
            forest.band = "shaded: surely ahead of the dimension, the vertical line (95 %)";
    }
    forest.row = rows;
    forest.heading = "score";
    forest.axis = es_sketch_text(sketch, "Spearman with the %s (bars: 95 %%)", x->scores.task);
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

/* Two or three embedders over all other targets, as dumbbells. */

static bool is_compared(const es_comparison *c, size_t target) {
    for (size_t k = 0; k < c->count; k++)
        if (c->model[k] == target)
            return true;
    return false;
}

es_status es_picture_comparison(es_sketch *sketch, const es_compare_report *report, es_error *err) {
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
