/* Pictures of trained embedders over the sizes of their batches: z scores and ranks as lines, and
 * the slopes of z as a forest (the figures of Livne, "cMIM", 2025). */
#include <math.h>
#include <stdio.h>

#include "cli_measures.h"
#include "cli_out.h"

static es_status draw_slopes(es_cli *cli, const es_objectives *x, es_output_format format,
                             es_buf *out, es_error *err) {
    es_forest forest = {.heading = "objective",
                        .axis = "slope of z on the size of a batch (bars: 95 %)",
                        .null_low = 0,
                        .null_high = 0};
    es_status st = ES_OK;
    es_buf note = {0};
    es_figure_style style;
    es_forest_row *row = es_alloc(x->objectives, sizeof *row);
    ES_FAIL_IF(!row, es_no_memory(err));
    for (size_t i = 0; i < x->objectives; i++)
        if (x->slope[i].settings > 0)
            row[forest.count++] = (es_forest_row){.name = x->name[i],
                                                  .value = x->slope[i].mean,
                                                  .low = x->slope[i].low,
                                                  .high = x->slope[i].high};
    ES_FAIL_IF(
        forest.count == 0,
        es_fail(err, ES_EEMPTY,
                "no slope: the sweep needs several sizes of a batch (--sweep batch=10,100)"));
    forest.row = row;
    es_buf_printf(&note, "Means over %zu settings (label columns and classifiers). ", x->settings);
    ES_TRY(es_export_style(cli, &note, &style, err));
    ES_TRY(es_figure_forest(&forest, &style, es_picture_of(format), out, err));
done:
    es_free(row);
    es_buf_free(&note);
    return st;
}

static es_status draw_lines(es_cli *cli, const es_objectives *x, es_output_format format,
                            es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_buf note = {0};
    es_figure_style style;
    char(*label)[16] = es_alloc(x->batches, sizeof *label);
    const char **column = es_alloc(x->batches, sizeof *column);
    ES_FAIL_IF(!label || !column, es_no_memory(err));
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
    es_buf_printf(&note,
                  "By size of a batch, rows; over all %zu embedders of the sweep and its sources, "
                  "means over %zu settings (label columns and classifiers). ",
                  x->embedders, x->settings);
    ES_TRY(es_export_style(cli, &note, &style, err));
    ES_TRY(es_figure_strands(panel, 2, &style, es_picture_of(format), out, err));
done:
    es_free(label);
    es_free(column);
    es_buf_free(&note);
    return st;
}

es_status es_objectives_draw(es_cli *cli, const es_objectives *x, bool slopes,
                             es_output_format format, es_buf *out, es_error *err) {
    return slopes ? draw_slopes(cli, x, format, out, err) : draw_lines(cli, x, format, out, err);
}
