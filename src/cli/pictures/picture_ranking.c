/* The ranking as a forest plot: a score with its interval a row, those that may be the best on a
 * band. */
#include <math.h>

#include "pictures.h"

static es_forest_row row_of(const es_results *results, const es_rank_report *report, size_t i) {
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
            rows[forest.count++] = row_of(results, report, report->order[i]);
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
