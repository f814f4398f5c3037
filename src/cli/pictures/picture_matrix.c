/* The matrix as a heat map, by default with the dendrograms of what is drawn on both sides. */

#include <stdlib.h>

#include "pictures.h"

/* What a heat map of the results holds, row by row as drawn. */
typedef struct sheet {
    double *value;     /* (m, m) */
    const char **name; /* (m) */
    unsigned *group;   /* (m) */
    es_linkage *tree;  /* NULL: none */
} sheet;

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Of those drawn alone, so that what is hidden leaves no gap. Turns `order` (m) to the tree's.
 * Their numbering decides between equal distances, as it does in documents and on screens. */
static es_status cluster(es_sketch *sketch, const es_results *results, uint32_t *order, size_t m,
                         es_linkage **out, es_error *err) {
    double *is = es_sketch_room(sketch, m, m * sizeof *is);
    uint32_t *old = es_sketch_room(sketch, m, sizeof *old);
    if (is == NULL || old == NULL)
        return es_no_memory(err);
    qsort(order, m, sizeof *order, compare_numbers);
    for (size_t i = 0; i < m; i++) {
        old[i] = order[i];
        for (size_t j = 0; j < m; j++)
            is[i * m + j] = results->is[(size_t)order[i] * results->m + order[j]];
    }
    es_status st = es_linkage_cluster(is, m, NULL, out, err);
    for (size_t i = 0; st == ES_OK && i < m; i++)
        order[i] = old[(*out)->order[i]];
    return st;
}

/* Fills the heatmap's values, names and groups in the given order. */
static es_status fill_sheet(es_sketch *sketch, const es_results *results, const uint32_t *order,
                            size_t m, const es_picture_groups *groups, sheet *s, es_error *err) {
    s->value = es_sketch_room(sketch, m, m * sizeof *s->value);
    s->name = es_sketch_room(sketch, m, sizeof *s->name);
    s->group = es_sketch_room(sketch, m, sizeof *s->group);
    if (!s->value || !s->name || !s->group)
        return es_no_memory(err);
    for (size_t i = 0; i < m; i++) {
        s->name[i] = es_results_label(results, order[i]);
        s->group[i] = groups->group[order[i]];
        for (size_t j = 0; j < m; j++)
            s->value[i * m + j] = es_pair_value_of(
                results, (es_pair_value)sketch->cli->options->value, order[i], order[j]);
    }
    return ES_OK;
}

static const char *value_title(const es_results *results, es_pair_value value) {
    if (es_rank_lower_is_better(results))
        return es_pair_value_of_error(value);
    switch (value) {
    case ES_VALUE_IS:
        return "IS(source → target), nats per dimension";
    case ES_VALUE_SE:
        return "standard error of IS, nats per dimension";
    case ES_VALUE_H_COND:
        return "H(target | source), nats per dimension";
    case ES_VALUE_ASYMMETRY:
        return "IS(row → column) − IS(column → row), nats per dimension";
    case ES_VALUE_SECONDS:
        return "seconds of a processor";
    case ES_VALUE_TOTAL:
        return "IS(source → target), nats";
    case ES_VALUE_H:
        return "H(target), nats per dimension";
    }
    return NULL;
}

es_status es_picture_matrix(es_sketch *sketch, const es_results *results, const uint32_t *order,
                            size_t m, es_error *err) {
    es_status st = ES_OK;
    sheet s = {0};
    es_picture_groups groups = {0};
    es_pair_value value = (es_pair_value)sketch->cli->options->value;
    const es_options *o = sketch->cli->options;
    double low, high;
    uint32_t *own = es_sketch_room(sketch, m, sizeof *own);
    if (own == NULL)
        return es_no_memory(err);
    ES_TRY(es_export_limits(sketch->cli, &low, &high, err));
    for (size_t i = 0; i < m; i++)
        own[i] = order[i];
    bool clustered = !es_options_given(o, "order") || o->order == (int)ES_ORDER_CLUSTER;
    if (clustered)
        ES_TRY(cluster(sketch, results, own, m, &s.tree, err));
    if (s.tree)
        es_buf_printf(&sketch->note,
                      "Trees: average linkage of the rows %swithout the diagonal, Euclidean. ",
                      value == ES_VALUE_IS               ? ""
                      : es_rank_lower_is_better(results) ? "of errors of prediction "
                                                         : "of information sufficiency ");
    ES_TRY(es_picture_groups_of(sketch, results, NULL, &groups, err));
    ES_TRY(fill_sheet(sketch, results, own, m, &groups, &s, err));
    const es_heatmap heatmap = {
        .rows = m,
        .columns = m,
        .value = s.value,
        .row_name = s.name,
        .column_name = s.name,
        .row_group = groups.drawn ? s.group : NULL,
        .column_group = groups.drawn ? s.group : NULL,
        .group_title = groups.title,
        .row_tree = s.tree,
        .column_tree = s.tree,
        .row_title = "source: simulates",
        .column_title = "target: is simulated",
        .value_title = value_title(results, value),
        .map = value == ES_VALUE_ASYMMETRY ? ES_HEAT_DIVERGING : ES_HEAT_SEQUENTIAL,
        .gradient = o->figure_colours > 0 ? &es_gradients[o->figure_colours - 1] : NULL,
        .low = low,
        .high = high,
        .diagonal_apart = true,
        .decimals = 2,
    };
    ES_TRY(es_figure_heatmap(&heatmap, ES_SKETCHED(sketch), err));
done:
    es_linkage_free(s.tree);
    return st;
}
