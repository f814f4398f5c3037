/* A line a model from the embedder to what was tuned from it: the score, the rank, and downstream.
 */
#include <math.h>

#include "pictures.h"

enum { SIDES = 2, PANELS = 3 };

/* value (PANELS, count, SIDES). Returns which panels have any number. */
static void fill(const es_tuned *x, double *value, bool any[PANELS]) {
    size_t panel = x->count * SIDES;
    for (size_t i = 0; i < x->count; i++) {
        const es_tuned_pair *p = &x->pair[i];
        const double of[PANELS][SIDES] = {{p->before, p->after},
                                          {p->rank_before ? (double)p->rank_before : (double)NAN,
                                           p->rank_after ? (double)p->rank_after : (double)NAN},
                                          {p->downstream_before, p->downstream_after}};
        for (size_t k = 0; k < PANELS; k++)
            for (size_t side = 0; side < SIDES; side++) {
                value[k * panel + i * SIDES + side] = of[k][side];
                any[k] = any[k] || isfinite(of[k][side]);
            }
    }
}

es_status es_picture_tuned(es_sketch *sketch, const es_rank_report *report, const es_tuned *x,
                           es_error *err) {
    static const char *const sides[SIDES] = {"base", "tuned"};
    bool any[PANELS] = {false};
    es_strands panel[PANELS];
    size_t panels = 0;
    double *value = es_sketch_room(sketch, x->count, SIDES * PANELS * sizeof *value);
    const char **name = es_sketch_room(sketch, x->count, sizeof *name);
    if (!value || !name)
        return es_no_memory(err);
    fill(x, value, any);
    for (size_t i = 0; i < x->count; i++)
        name[i] = es_results_label(report->results, x->pair[i].base);
    const char *titles[PANELS] = {es_rank_report_score_name(report), "rank in the pool",
                                  "downstream"};
    for (size_t k = 0; k < PANELS; k++)
        if (any[k])
            panel[panels++] = (es_strands){.rows = x->count,
                                           .columns = SIDES,
                                           .value = value + k * x->count * SIDES,
                                           .row_name = name,
                                           .column_name = sides,
                                           .y_title = titles[k],
                                           .ranks = k == 1};
    es_tuned_put(x, &sketch->note);
    es_buf_printf(&sketch->note, " Score: %s. Downstream: mean percentile. ",
                  es_rank_report_unit(report));
    return es_figure_strands(panel, panels, ES_SKETCHED(sketch), err);
}
