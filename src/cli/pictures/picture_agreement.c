/* Every score against every task as a heat map, on a scale about 0. */
#include <math.h>

#include "pictures.h"

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
