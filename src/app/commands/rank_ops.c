/* Rank among the views: a list whose columns may show a measure, and communities. */
#include "app_values.h"
#include "app_state.h"

/* Under the cursor, else the one sorted by. */
static size_t measure(const es_app *app) {
    const es_table_settings *table = &app->set.table[ES_TABLE_RANK];
    size_t first = ES_RANK_SCORES + app->source->scores.tasks;
    size_t column = table->column >= first ? table->column - first
                    : table->sort >= first ? table->sort - first
                                           : ES_NONE;
    return column == ES_NONE ? ES_NONE : es_app_column(app, false, column);
}

const es_view_ops es_view_ops_rank = {.measure = measure, .communities = true};
