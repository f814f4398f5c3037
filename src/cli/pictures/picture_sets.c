/* Several data sets: a heat map of data sets and embedders, the ranking over all of them, and data
 * sets against tasks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pictures.h"

/* How far the data sets are, between sentences of a note. */
static void put_unfinished(const es_data_sets *sets, const char *const *name, es_buf *note) {
    es_buf text = {0};
    es_data_sets_say_unfinished(sets, name, &text);
    if (text.length > 0)
        es_buf_printf(note, "%s ", text.data + 1);
    es_buf_end(&text, note);
}

/* ---- data sets and embedders ---- */

static const char *value_title(es_within what) {
    switch (what) {
    case ES_WITHIN_SCORE:
        return "score, nats per dimension";
    case ES_WITHIN_RANK:
        return "rank within the data set, 1 the best";
    case ES_WITHIN_SHARE:
        break;
    }
    return "share of the others that it is before";
}

/* Of the row below the data sets; scores of several have no sum. */
static double of_all(const es_combined *c, size_t a, es_within what) {
    if (what == ES_WITHIN_RANK)
        return c->rank[a] > 0 ? (double)c->rank[a] : (double)NAN;
    return what == ES_WITHIN_SHARE ? c->share[a] : (double)NAN;
}

es_status es_picture_data_sets(es_sketch *sketch, const es_data_sets *sets, const char *const *name,
                               es_error *err) {
    es_within what = (es_within)sketch->cli->options->within;
    const es_combined *c = sets->combined;
    size_t m = c->m, rows = sets->count + (what == ES_WITHIN_SCORE ? 0 : 1);
    bool shares = what == ES_WITHIN_SHARE;
    double *value = es_sketch_room(sketch, rows * m, sizeof *value);
    const char **row = es_sketch_room(sketch, rows, sizeof *row),
               **column = es_sketch_room(sketch, m, sizeof *column);
    if (!value || !row || !column)
        return es_no_memory(err);
    for (size_t s = 0; s < rows; s++)
        row[s] = s < sets->count ? name[s] : "all of them";
    for (size_t k = 0; k < m; k++) {
        size_t a = c->order[k];
        column[k] = sets->name.word[a];
        for (size_t s = 0; s < rows; s++)
            value[s * m + k] =
                s < sets->count ? es_data_sets_within(sets, s, a, what) : of_all(c, a, what);
    }
    const es_heatmap heatmap = {.rows = rows,
                                .columns = m,
                                .value = value,
                                .row_name = row,
                                .column_name = column,
                                .row_title = "data set",
                                .column_title = "embedder, the best over all of them first",
                                .value_title = value_title(what),
                                .map = ES_HEAT_SEQUENTIAL,
                                .low = shares ? 0 : (double)NAN,
                                .high = shares ? 1 : (double)NAN,
                                .decimals = what == ES_WITHIN_RANK ? 0 : 2};
    if (shares)
        es_buf_puts(&sketch->note, "Two that a data set does not tell apart count as half. ");
    put_unfinished(sets, name, &sketch->note);
    return es_figure_heatmap(&heatmap, ES_SKETCHED(sketch), err);
}

/* ---- the ranking over all ---- */

es_status es_picture_combined(es_sketch *sketch, const es_data_sets *sets, const char *const *name,
                              es_error *err) {
    const es_combined *c = sets->combined;
    es_forest_row *row = es_sketch_room(sketch, c->m, sizeof *row);
    if (row == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < c->m; k++) {
        size_t a = c->order[k];
        row[k] = (es_forest_row){.name = sets->name.word[a],
                                 .rank = c->rank[a],
                                 .value = c->share[a],
                                 .low = c->low[a],
                                 .high = c->high[a],
                                 .best = c->said && c->best[a]};
    }
    const es_forest forest = {.row = row,
                              .count = c->m,
                              .axis = "mean share of the others it is before (95 %)",
                              .band =
                                  c->said ? "shaded: candidates for another data set (95 %)" : NULL,
                              .null_low = (double)NAN,
                              .null_high = (double)NAN};
    es_buf_printf(&sketch->note, "%zu data sets, which are resampled for the bars. ", sets->count);
    put_unfinished(sets, name, &sketch->note);
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

/* ---- data sets and tasks ---- */

es_status es_picture_sets_tasks(es_sketch *sketch, const es_correlation_set *const *set,
                                const char *const *name, size_t rows, es_error *err) {
    size_t tasks = set[0]->columns;
    double *value = es_sketch_room(sketch, rows * tasks, sizeof *value);
    const char **column = es_sketch_room(sketch, tasks, sizeof *column);
    if (!value || !column)
        return es_no_memory(err);
    for (size_t t = 0; t < tasks; t++) {
        column[t] = es_correlation_task(set[0], t);
        for (size_t s = 0; s < rows; s++)
            value[s * tasks + t] = set[s]->report[t].value[ES_SPEARMAN].value;
    }
    const es_heatmap heatmap = {.rows = rows,
                                .columns = tasks,
                                .value = value,
                                .row_name = name,
                                .column_name = column,
                                .row_title = "ranking on",
                                .column_title = "downstream task",
                                .value_title = "Spearman's ρ of the ranking with the task",
                                .map = ES_HEAT_DIVERGING,
                                .low = -1,
                                .high = 1,
                                .decimals = 2};
    return es_figure_heatmap(&heatmap, ES_SKETCHED(sketch), err);
}

/* The rows of one or two embedders on their first two principal components. */

static void axis_title(char out[64], int axis, double share) {
    if (isfinite(share))
        (void)snprintf(out, 64, "PC%d (%.0f %% of the variance)", axis, 100 * share);
    else
        (void)snprintf(out, 64, "PC%d", axis);
}

es_status es_picture_map(es_sketch *sketch, const es_results *results, const es_row_places *places,
                         es_error *err) {
    char title[ES_PLACES_MOST][2][64];
    es_cloud_panel panel[ES_PLACES_MOST];
    bool captured = places->difference != NULL;
    for (size_t k = 0; k < places->count; k++) {
        const es_row_map *map = &places->map[k];
        for (int a = 0; a < 2; a++)
            axis_title(title[k][a], a + 1, map->share[a]);
        panel[k] = (es_cloud_panel){results->name[places->model[k]], title[k][0], title[k][1],
                                    map->x, map->y};
    }
    const es_cloud cloud = {.n = places->n,
                            .panels = places->count,
                            .panel = panel,
                            .group = places->group_of,
                            .groups = places->group.count,
                            .group_name = (const char *const *)places->group.word,
                            .background = captured ? 2 : UINT32_MAX};
    if (places->n < places->of)
        es_buf_printf(&sketch->note, "A sample of %zu of %zu %srows. ", places->n, places->of,
                      places->evaluated ? "evaluated " : "");
    else if (places->evaluated)
        es_buf_printf(&sketch->note, "The %zu evaluated rows. ", places->n);
    if (captured)
        es_buf_printf(&sketch->note,
                      "Captured by one: of the differences of the %s per row, mean over targets, "
                      "the tenth at either end. ",
                      places->errors ? "errors" : "values");
    else if (places->by)
        es_buf_printf(&sketch->note, "Colours: %s. ", places->by);
    return es_figure_cloud(&cloud, ES_SKETCHED(sketch), err);
}
