/* Scores without labels as a forest: Spearman's rho with its interval a row, best first, what is
 * surely ahead of the dimension on a band, the dimension's own as a line. */
#include "pictures.h"

static es_forest_row row_of(const es_label_free *x, size_t at) {
    size_t k = x->rival[at].column;
    const es_correlation_report *r = &x->scores.agreement->against[k];
    return (es_forest_row){
        .name = x->scores.name[k],
        .rank = x->rival[at].place,
        .value = r->value[ES_SPEARMAN].value,
        .low = r->low[ES_SPEARMAN],
        .high = r->high[ES_SPEARMAN],
        .best = k > 0 && x->scores.agreement->ahead[k].low > 0,
    };
}

es_status es_picture_rivals(es_sketch *sketch, const es_label_free *x, es_error *err) {
    double line = x->scores.agreement->against[0].value[ES_SPEARMAN].value;
    es_forest forest = {.count = x->scores.k, .null_low = line, .null_high = line};
    es_forest_row *rows = es_sketch_room(sketch, forest.count, sizeof *rows);
    if (rows == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < forest.count; i++) {
        rows[i] = row_of(x, i);
        if (rows[i].best)
            forest.band = "shaded: surely ahead of the dimension, the vertical line (95 %)";
    }
    forest.row = rows;
    forest.heading = "score";
    forest.axis = es_sketch_text(sketch, "Spearman with the %s (bars: 95 %%)", x->scores.task);
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}
