/* Scores against downstream as small multiples: kernels and degrees of a measure, say. */
#include <math.h>
#include <stdio.h>

#include "pictures.h"

typedef struct sheet {
    size_t n;          /* embedders that are written and have a downstream value */
    double *x, *y;     /* (k, n), (n) */
    const char **name; /* (n) */
    es_scatter *panel; /* (k) */
    const char **fact; /* (k) */
} sheet;

/* Fills one panel a score: points, names, and the facts above it. */
static es_status fill_sheet(es_sketch *sketch, const es_results *names, const es_agree_scores *a,
                            sheet *s, es_error *err) {
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
    sheet s = {0};
    if (!a->downstream)
        return es_fail(err, ES_ENOTFOUND,
                       "panels are scores against downstream: no scores.csv in the pool; name one "
                       "with --scores FILE.csv");
    ES_PASS(fill_sheet(sketch, names, a, &s, err));
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
