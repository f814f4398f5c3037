/* The matrix as a heat map, by default with the dendrograms of what is drawn on both sides. */
#include <math.h>
#include <stdio.h>
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

/* Fields of measures of two embedders as heat maps, all in one order: clustered by the rows of the
 * first unless --order says otherwise. */

typedef struct measure_sheet {
    size_t m;
    size_t *at;        /* (m) positions in the results, as drawn */
    double *value;     /* (count, m, m) */
    es_heatmap *panel; /* (count) */
    size_t count;
    const char **name; /* (m) */
    es_linkage *tree;
} measure_sheet;

static double value_at(const es_measured *r, size_t field, size_t i, size_t j) {
    return es_measured_matrix(r, field)[i * r->m + j].value;
}

/* By the measure's own ranks; communities are those of information sufficiency, as far as that is
 * stored. order (m). */
static es_status order_by(es_sketch *sketch, es_session *session, const es_measured *r,
                          size_t field, uint32_t *order, es_error *err) {
    const es_results *names = es_session_results(session, 0);
    size_t best = es_session_best(session);
    bool grouped = false;
    double *value = es_sketch_room(sketch, r->m, sizeof *value);
    uint32_t *rank = es_sketch_room(sketch, r->m, sizeof *rank),
             *group = es_sketch_room(sketch, r->m, sizeof *group);
    if (!value || !rank || !group)
        return es_no_memory(err);
    ES_PASS(es_measured_column(r, field, value, err)); /* higher is better */
    ES_PASS(es_rank_competition(value, r->m, false, rank, err));
    if (best != SIZE_MAX)
        ES_PASS(es_families_group(es_session_results(session, best),
                                  sketch->cli->options->resolution, sketch->cli->options->seed,
                                  group, &grouped, err));
    const es_order_keys keys = {.m = r->m,
                                .name = (const char *const *)names->name,
                                .rank = rank,
                                .dim = names->dim,
                                .group = grouped ? group : NULL};
    return es_order_make((es_order_kind)sketch->cli->options->order, &keys, order, err);
}

static bool is_clustered(const es_options *o) {
    return !es_options_given(o, "order") || o->order == (int)ES_ORDER_CLUSTER;
}

/* Which embedders are shown, in the order of the tree over the rows of the first or as asked. */
static es_status fill(es_sketch *sketch, es_session *session, const es_measured *r, size_t field,
                      measure_sheet *s, es_error *err) {
    const es_results *names = es_session_results(session, 0);
    uint32_t *order = es_sketch_room(sketch, r->m + 1, sizeof *order);
    size_t *shown = es_sketch_room(sketch, r->m + 1, sizeof *shown);
    double *raw = es_sketch_room(sketch, r->m + 1, (r->m + 1) * sizeof *raw);
    s->at = es_sketch_room(sketch, r->m + 1, sizeof *s->at);
    s->value = es_sketch_room(sketch, s->count * (r->m + 1), (r->m + 1) * sizeof *s->value);
    s->panel = es_sketch_room(sketch, s->count, sizeof *s->panel);
    s->name = es_sketch_room(sketch, r->m + 1, sizeof *s->name);
    if (!order || !shown || !raw || !s->at || !s->value || !s->name || !s->panel)
        return es_no_memory(err);
    for (size_t i = 0; i < r->m; i++)
        order[i] = (uint32_t)i;
    if (!is_clustered(sketch->cli->options))
        ES_PASS(order_by(sketch, session, r, field, order, err));
    for (size_t i = 0; i < r->m; i++)
        if (es_export_shows(sketch->cli, order[i]))
            shown[s->m++] = order[i];
    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < s->m; j++)
            raw[i * s->m + j] = value_at(r, field, shown[i], shown[j]);
    if (is_clustered(sketch->cli->options))
        ES_PASS(es_linkage_cluster(raw, s->m, NULL, &s->tree, err));
    for (size_t i = 0; i < s->m; i++) {
        s->at[i] = shown[s->tree ? s->tree->order[i] : i];
        s->name[i] = es_results_label(names, s->at[i]);
    }
    return ES_OK;
}

static size_t field_of(const es_choice *choice) {
    return choice->field == SIZE_MAX ? 0 : choice->field;
}

/* Panel k in the order of all. */
static es_status put_panel(es_sketch *sketch, const es_choice *choice, size_t k, measure_sheet *s,
                           es_error *err) {
    const es_measured *r = choice->measured;
    size_t field = field_of(choice);
    const es_measure_field *what = &r->measure->fields[field];
    int colours = sketch->cli->options->figure_colours;
    double low, high, *value = s->value + k * s->m * s->m;
    char name[256];
    es_status st = es_export_limits(sketch->cli, &low, &high, err);
    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < s->m; j++)
            value[i * s->m + j] = value_at(r, field, s->at[i], s->at[j]);
    const char *title =
        es_sketch_text(sketch, "%s: %s%s", es_choice_name(choice, field, name, sizeof name),
                       field == 0 ? r->measure->title : what->title,
                       es_measure_is_lower_better(r->measure, field) ? " (lower is better)" : "");
    const es_linkage *tree = s->count == 1 ? s->tree : NULL; /* it is of the first */
    s->panel[k] = (es_heatmap){.rows = s->m,
                               .columns = s->m,
                               .value = value,
                               .row_name = s->name,
                               .column_name = s->name,
                               .row_tree = tree,
                               .column_tree = tree,
                               .row_title = r->symmetric ? "embedder" : "first",
                               .column_title = r->symmetric ? "embedder" : "second",
                               .value_title = title,
                               .map = ES_HEAT_SEQUENTIAL,
                               .gradient = colours > 0 ? &es_gradients[colours - 1] : NULL,
                               .low = low,
                               .high = high,
                               .diagonal_apart = true,
                               .decimals = what->decimals < 2 ? what->decimals : 2};
    return st;
}

es_status es_picture_measure(es_sketch *sketch, es_session *session, const es_choice *choice,
                             size_t count, es_error *err) {
    const es_measured *r = choice->measured;
    measure_sheet s = {.count = count};
    es_status st = ES_OK;
    ES_TRY(fill(sketch, session, r, field_of(choice), &s, err));
    for (size_t k = 0; k < count; k++)
        ES_TRY(put_panel(sketch, &choice[k], k, &s, err));
    if (count == 1)
        es_buf_printf(&sketch->note, "%s%s", r->settings, r->settings[0] ? ". " : "");
    if (s.tree)
        es_buf_puts(&sketch->note, count == 1
                                       ? "Trees: average linkage of the rows without the diagonal, "
                                         "Euclidean. "
                                       : "All in the order of the first, by average linkage of its "
                                         "rows. Each has colours of its own. ");
    ES_TRY(es_figure_heatmaps(s.panel, count, ES_SKETCHED(sketch), err));
done:
    es_linkage_free(s.tree);
    return st;
}

/* Scores against downstream as small multiples: kernels and degrees of a measure, say. */

typedef struct panels_sheet {
    size_t n;          /* embedders that are written and have a downstream value */
    double *x, *y;     /* (k, n), (n) */
    const char **name; /* (n) */
    es_scatter *panel; /* (k) */
    const char **fact; /* (k) */
} panels_sheet;

/* Fills one panel a score: points, names, and the facts above it. */
static es_status fill_panels_sheet(es_sketch *sketch, const es_results *names,
                                   const es_agree_scores *a, panels_sheet *s, es_error *err) {
    s->x = es_sketch_room(sketch, a->n, a->k * sizeof *s->x);
    s->y = es_sketch_room(sketch, a->n, sizeof *s->y);
    s->name = es_sketch_room(sketch, a->n, sizeof *s->name);
    s->panel = es_sketch_room(sketch, a->k, sizeof *s->panel);
    s->fact = es_sketch_room(sketch, a->k, sizeof *s->fact);
    if (!s->x || !s->y || !s->name || !s->panel || !s->fact)
        return es_no_memory(err);
    for (size_t i = 0; i < a->n; i++)
        if (es_export_shows(sketch->cli, i) && isfinite(a->downstream[i])) {
            for (size_t k = 0; k < a->k; k++) {
                double x = a->column[k * a->n + i];
                s->x[k * a->n + s->n] = a->negated[k] ? -x : x;
            }
            s->y[s->n] = a->downstream[i];
            s->name[s->n++] = es_results_label(names, i);
        }
    return ES_OK;
}

static const char *fact_of(es_sketch *sketch, const es_correlation_report *r) {
    const es_stat *rho = &r->value[ES_SPEARMAN], *tau = &r->value[ES_KENDALL];
    if (rho->why || tau->why)
        return es_sketch_text(sketch, "ρ is not defined: %s", rho->why ? rho->why : tau->why);
    return es_sketch_text(sketch, "ρ = %.2f, τ = %.2f, n = %zu", rho->value, tau->value, r->n);
}

es_status es_picture_distances(es_sketch *sketch, const es_set_distances *distance, size_t count,
                               const double *tau, const char *const *name, size_t pairs,
                               es_error *err) {
    enum { MOST = 8 };
    es_scatter panel[MOST];
    const char *fact[MOST];
    for (size_t k = 0; k < count && k < MOST; k++) {
        const es_correlation_report *r = distance[k].with_tau;
        fact[k] = fact_of(sketch, r);
        panel[k] = (es_scatter){.n = pairs,
                                .x = distance[k].value,
                                .y = tau,
                                .name = name,
                                .x_title = distance[k].title,
                                .y_title = "tau of the two rankings",
                                .slope = r->slope.why ? (double)NAN : r->slope.value,
                                .intercept = r->intercept.why ? (double)NAN : r->intercept.value,
                                .fact = &fact[k],
                                .facts = 1};
    }
    es_buf_puts(&sketch->note, "Each point is two data sets: how far they are apart, mean over the "
                               "embedders, and how alike they rank them. ");
    return es_figure_panels(panel, count < MOST ? count : MOST, ES_SKETCHED(sketch), err);
}

es_status es_picture_panels(es_sketch *sketch, const es_results *names, const es_agree_scores *a,
                            es_error *err) {
    panels_sheet s = {0};
    if (!a->downstream)
        return es_fail(err, ES_ENOTFOUND,
                       "panels are scores against downstream: no scores.csv in the pool; name one "
                       "with --scores FILE.csv");
    ES_PASS(fill_panels_sheet(sketch, names, a, &s, err));
    for (size_t k = 0; k < a->k; k++) {
        const es_correlation_report *r = &a->agreement->against[k];
        double sign = a->negated[k] ? -1 : 1;
        s.fact[k] = fact_of(sketch, r);
        s.panel[k] = (es_scatter){.n = s.n,
                                  .x = s.x + k * a->n,
                                  .y = s.y,
                                  .name = s.name,
                                  .x_title = a->name[k],
                                  .y_title = a->task,
                                  .slope = r->slope.why ? (double)NAN : sign * r->slope.value,
                                  .intercept = r->intercept.why ? (double)NAN : r->intercept.value,
                                  .fact = &s.fact[k],
                                  .facts = 1};
    }
    es_buf_puts(&sketch->note,
                "Each score against downstream, with the line of least squares; "
                "coefficients have the sign of the score turned where lower is better. ");
    return es_figure_panels(s.panel, a->k, ES_SKETCHED(sketch), err);
}
