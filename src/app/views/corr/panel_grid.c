/* Small multiples on a screen, whatever they show. */
#include "panel_grid.h"

#include <math.h>

#include "measure_columns.h"

void es_panels_fit(size_t panels, int w, int h, size_t *across, size_t *down) {
    enum { WIDE = 24, TALL = 9 }; /* the least of a panel */
    size_t most = w >= 2 * WIDE ? (size_t)(w / WIDE) : 1,
           rows = h >= 2 * TALL ? (size_t)(h / TALL) : 1;
    double best = 0;
    *across = most;
    *down = rows;
    for (size_t a = 1; a <= most; a++) {
        size_t d = (panels + a - 1) / a;
        double side = d == 0 ? 0 : fmin((double)w / (2.2 * (double)a), (double)h / (double)d);
        if (d > rows || side <= best)
            continue;
        best = side; /* cells are about twice as high as wide */
        *across = a;
        *down = d;
    }
}

size_t es_panel_matrices(const es_app *app) {
    size_t count = 0;
    for (size_t k = 0; k < es_app_measures(app, true); k++)
        count += !app->source->measure[true][k].fact;
    return count;
}

size_t es_panel_matrix(const es_app *app, size_t at) {
    for (size_t k = 0; k < es_app_measures(app, true); k++)
        if (!app->source->measure[true][k].fact && at-- == 0)
            return k;
    return ES_NONE;
}

size_t es_panel_at(const es_app *app) {
    size_t at = 0;
    for (size_t k = 0; k < app->set.matrix && k < es_app_measures(app, true); k++)
        at += !app->source->measure[true][k].fact;
    return at < es_panel_matrices(app) ? at : 0;
}
