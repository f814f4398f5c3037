/* Two or three embedders over all other targets, as dumbbells. */
#include <math.h>

#include "pictures.h"

static bool is_compared(const es_comparison *c, size_t target) {
    for (size_t k = 0; k < c->count; k++)
        if (c->model[k] == target)
            return true;
    return false;
}

es_status es_picture_comparison(es_sketch *sketch, const es_compare_report *report, es_error *err) {
    const es_comparison *c = report->comparison;
    bool clear = false;
    es_dumbbell figure = {.count = c->count, .axis = "IS(embedder → target), nats per dimension"};
    es_dumbbell_row *rows = es_sketch_room(sketch, c->n_targets + 1, sizeof *rows);
    if (rows == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < c->count; k++)
        figure.name[k] = es_results_label(report->results, c->model[k]);
    for (size_t t = 0; t < c->n_targets; t++) {
        const es_compared_target *target = &c->targets[t];
        if (is_compared(c, target->target) || !es_export_shows(sketch->cli, target->target))
            continue;
        es_dumbbell_row *row = &rows[figure.rows++];
        row->name = es_results_label(report->results, target->target);
        row->clear = target->clear && isfinite(target->error);
        clear = clear || row->clear;
        for (size_t k = 0; k < c->count; k++)
            row->value[k] = target->value[k];
    }
    figure.row = rows;
    for (size_t p = 0; p < c->pairs; p++) {
        es_buf_puts(&sketch->note, p ? "; " : "Verdict: ");
        es_compare_put_verdict(report, p, &sketch->note);
    }
    es_buf_puts(&sketch->note, ". ");
    if (clear)
        es_buf_printf(&sketch->note, "%s lines: the difference is beyond its 95 %% interval%s. ",
                      es_export_dark(sketch->cli) ? "Bright" : "Dark",
                      c->count > 2 ? ", whichever two differ most" : "");
    return es_figure_dumbbell(&figure, ES_SKETCHED(sketch), err);
}
