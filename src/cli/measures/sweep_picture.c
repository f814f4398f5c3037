/* Pictures of trained embedders over the sizes of their batches: z scores and ranks as lines, and
 * the slopes of z as a forest (the figures of Livne, "cMIM", 2025). */
#include <math.h>
#include <stdio.h>

#include "cli_measures.h"

static es_status draw_slopes(es_sketch *sketch, const es_objectives *x, es_error *err) {
    es_forest forest = {.heading = "objective",
                        .axis = "slope of z on the size of a batch (bars: 95 %)",
                        .null_low = 0,
                        .null_high = 0};
    es_forest_row *row = es_sketch_room(sketch, x->objectives, sizeof *row);
    if (!row)
        return es_no_memory(err);
    for (size_t i = 0; i < x->objectives; i++)
        if (x->slope[i].settings > 0)
            row[forest.count++] = (es_forest_row){.name = x->name[i],
                                                  .rank = i + 1,
                                                  .value = x->slope[i].mean,
                                                  .low = x->slope[i].low,
                                                  .high = x->slope[i].high};
    if (forest.count == 0)
        return es_fail(err, ES_EEMPTY,
                       "no slope: the sweep needs several sizes of a batch (--sweep batch=10,100)");
    forest.row = row;
    es_buf_printf(&sketch->note, "Means over %zu settings (label columns and classifiers). ",
                  x->settings);
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

static es_status draw_lines(es_sketch *sketch, const es_objectives *x, es_error *err) {
    char(*label)[16] = es_sketch_room(sketch, x->batches, sizeof *label);
    const char **column = es_sketch_room(sketch, x->batches, sizeof *column);
    if (!label || !column)
        return es_no_memory(err);
    for (size_t b = 0; b < x->batches; b++) {
        (void)snprintf(label[b], sizeof label[b], "%.0f", x->batch[b]);
        column[b] = label[b];
    }
    const es_strands z = {.rows = x->objectives,
                          .columns = x->batches,
                          .value = x->mean_z,
                          .row_name = x->name,
                          .column_name = column,
                          .y_title = "mean z score"};
    es_strands panel[] = {z, z};
    panel[1].value = x->mean_rank;
    panel[1].y_title = "mean rank";
    panel[1].ranks = true;
    es_buf_printf(&sketch->note,
                  "By size of a batch, rows; over all %zu embedders of the sweep and its sources, "
                  "means over %zu settings (label columns and classifiers). ",
                  x->embedders, x->settings);
    return es_figure_strands(panel, 2, ES_SKETCHED(sketch), err);
}

es_status es_objectives_draw(es_sketch *sketch, const es_objectives *x, bool slopes,
                             es_error *err) {
    return (slopes ? draw_slopes : draw_lines)(sketch, x, err);
}
