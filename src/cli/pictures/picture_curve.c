/* How many targets a ranking takes: agreement and reliability over their number, with 95 % bands.
 */
#include <math.h>

#include "pictures.h"

enum { LINES = 2, COLUMNS = 1 + 3 * LINES };

/* The columns of `out` (COLUMNS, points): sizes, then mean, low and high of each band. */
static void fill(const es_pool_curve *curve, double *out) {
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

es_status es_picture_curve(es_sketch *sketch, const es_pool_curve *curve, const char *against,
                           es_error *err) {
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
    fill(curve, columns);
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
