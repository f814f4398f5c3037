/* What the worker threads are at: the small list beside the matrix, and the pieces that the list of
 * jobs is made of. */
#include "tui_panes.h"

#include <stdio.h>

#include "app_state.h"
#include "app_values.h"

const char *es_thread_name(const es_app *app, size_t item) {
    return item == ES_NONE ? "(preparing)" : es_app_name(app, item);
}

void es_draw_loss(es_grid *grid, int x, int y, int w, const es_activity *a) {
    float curve[ES_RUN_TRACE];
    size_t kept = a->traced < ES_RUN_TRACE ? a->traced : ES_RUN_TRACE;
    size_t shown = w < 1 ? 0 : kept < (size_t)w ? kept : (size_t)w;
    for (size_t i = 0; i < shown; i++)
        curve[i] = a->trace[(a->traced - shown + i) % ES_RUN_TRACE];
    (void)es_draw_spark(grid, x, y, ES_ROLE_SPARK, curve, shown);
}

void es_draw_threads(const es_app *app, es_grid *grid, es_rect pane) {
    size_t threads = es_jobs_threads(app), busy = 0;
    char right[48];
    for (size_t i = 0; i < threads; i++) {
        es_activity a = {0};
        busy += app->source->activity(app->source->context, (unsigned)i, &a) && a.busy;
    }
    (void)snprintf(right, sizeof right, "%zu/%zu", busy, threads);
    es_rect in = es_grid_pane(grid, pane, false, "Threads at work", right, NULL);
    int y = in.y;
    if (busy == 0)
        es_grid_text(grid, in.x + 1, y, ES_ROLE_TEXT_DIM, "all idle");
    for (size_t i = 0; i < threads; i++) {
        es_activity a = {0};
        size_t source, target;
        if (!es_jobs_pair(app, i, &source, &target) ||
            !app->source->activity(app->source->context, (unsigned)i, &a))
            continue;
        if (y >= in.y + in.h || (y == in.y + in.h - 1 && busy > (size_t)in.h)) {
            es_grid_printf(grid, in.x + 1, in.y + in.h - 1, ES_ROLE_TEXT_DIM,
                           "… %zu more, 7 shows all", busy - (size_t)in.h + 1);
            return;
        }
        es_draw_pair(grid, in.x + 1, y, in.w - 10, ES_ROLE_TEXT,
                     a.null ? "shuffled rows" : es_thread_name(app, source),
                     es_thread_name(app, target));
        es_draw_loss(grid, in.x + in.w - 8, y, 7, &a);
        y++;
    }
}
