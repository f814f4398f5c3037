/* A line a model from the embedder to what was tuned from it: the score, the rank, and downstream.
 */
#include <math.h>

#include "cli_out.h"
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

es_status es_picture_tuned(es_cli *cli, const es_rank_report *report, const es_tuned *x,
                           es_output_format format, es_buf *out, es_error *err) {
    static const char *const sides[SIDES] = {"base", "tuned"};
    es_status st = ES_OK;
    bool any[PANELS] = {false};
    es_buf note = {0}, axis = {0};
    es_figure_style style;
    es_strands panel[PANELS];
    size_t panels = 0;
    double *value = es_alloc(x->count, SIDES * PANELS * sizeof *value);
    const char **name = es_alloc(x->count, sizeof *name);
    ES_FAIL_IF(!value || !name, es_no_memory(err));
    fill(x, value, any);
    for (size_t i = 0; i < x->count; i++)
        name[i] = es_results_label(report->results, x->pair[i].base);
    es_buf_printf(&axis, "%s", es_rank_report_score_name(report));
    ES_TRY(es_buf_check(&axis, err));
    const char *titles[PANELS] = {axis.data, "rank in the pool", "downstream"};
    for (size_t k = 0; k < PANELS; k++)
        if (any[k])
            panel[panels++] = (es_strands){.rows = x->count,
                                           .columns = SIDES,
                                           .value = value + k * x->count * SIDES,
                                           .row_name = name,
                                           .column_name = sides,
                                           .y_title = titles[k],
                                           .ranks = k == 1};
    es_tuned_put(x, &note);
    es_buf_printf(&note, " Score: %s. Downstream: mean percentile. ", es_rank_report_unit(report));
    ES_TRY(es_export_style(cli, &note, &style, err));
    ES_TRY(es_figure_strands(panel, panels, &style, es_picture_of(format), out, err));
done:
    es_free(value);
    es_free(name);
    es_buf_free(&note);
    es_buf_free(&axis);
    return st;
}
