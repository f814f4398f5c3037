/* The rows of one or two embedders on their first two principal components. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pictures.h"

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
