/* Every score against every task as a heat map, on a scale about 0. */
#include <math.h>

#include "cli_out.h"
#include "pictures.h"

es_status es_picture_task_table(es_cli *cli, const es_agree_scores *scores, const es_scores *tasks,
                                const es_task_table *table, es_correlation kind,
                                es_output_format format, es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_buf note = {0}, title = {0};
    es_figure_style style;
    size_t k = table->k, columns = table->columns;
    double *value = es_alloc(k, columns * sizeof *value);
    const char **name = es_alloc(columns, sizeof *name);
    ES_FAIL_IF(!value || !name, es_no_memory(err));
    for (size_t i = 0; i < k * columns; i++)
        value[i] = table->report[i].value[kind].value;
    for (size_t c = 0; c < columns; c++)
        name[c] = es_task_column_name(tasks, c);
    es_buf_printf(&title, "%s with the task", es_correlation_name(kind));
    ES_TRY(es_buf_check(&title, err));
    const es_heatmap heatmap = {.rows = k,
                                .columns = columns,
                                .value = value,
                                .row_name = (const char *const *)scores->name,
                                .column_name = name,
                                .row_title = "score",
                                .column_title = "task",
                                .value_title = title.data,
                                .map = ES_HEAT_DIVERGING,
                                .low = -1,
                                .high = 1,
                                .decimals = 2};
    ES_TRY(es_export_style(cli, &note, &style, err));
    ES_TRY(es_figure_heatmap(&heatmap, &style, es_picture_of(format), out, err));
done:
    es_buf_free(&note);
    es_buf_free(&title);
    es_free(value);
    es_free(name);
    return st;
}
