/* Scores against downstream as small multiples: kernels and degrees of a measure, say. */
#include <math.h>
#include <stdio.h>

#include "cli_out.h"
#include "pictures.h"

typedef struct sheet {
    size_t n;          /* embedders that are written and have a downstream value */
    double *x, *y;     /* (k, n), (n) */
    const char **name; /* (n) */
    es_scatter *panel; /* (k) */
    char (*fact)[80];  /* (k) */
    const char **facts;
} sheet;

static void sheet_deinit(sheet *s) {
    es_free(s->x);
    es_free(s->y);
    es_free(s->name);
    es_free(s->panel);
    es_free(s->fact);
    es_free(s->facts);
}

/* Fills one panel a score: points, names, and the facts above it. */
static es_status fill_sheet(const es_cli *cli, const es_results *names, const es_agree_scores *a,
                            sheet *s, es_error *err) {
    s->x = es_alloc(a->n, a->k * sizeof *s->x);
    s->y = es_alloc(a->n, sizeof *s->y);
    s->name = es_alloc(a->n, sizeof *s->name);
    s->panel = es_alloc_zero(a->k, sizeof *s->panel);
    s->fact = es_alloc(a->k, sizeof *s->fact);
    s->facts = es_alloc(a->k, sizeof *s->facts);
    if (!s->x || !s->y || !s->name || !s->panel || !s->fact || !s->facts)
        return es_no_memory(err);
    for (size_t i = 0; i < a->n; i++)
        if (es_export_shows(cli, i) && isfinite(a->downstream[i])) {
            for (size_t k = 0; k < a->k; k++) {
                double x = a->column[k * a->n + i];
                s->x[k * a->n + s->n] = a->negated[k] ? -x : x;
            }
            s->y[s->n] = a->downstream[i];
            s->name[s->n++] = es_results_label(names, i);
        }
    return ES_OK;
}

static void put_fact(const es_correlation_report *r, char *out, size_t capacity) {
    const es_stat *rho = &r->value[ES_SPEARMAN], *tau = &r->value[ES_KENDALL];
    if (rho->why || tau->why)
        (void)snprintf(out, capacity, "ρ is not defined: %s", rho->why ? rho->why : tau->why);
    else
        (void)snprintf(out, capacity, "ρ = %.2f, τ = %.2f, n = %zu", rho->value, tau->value, r->n);
}

es_status es_picture_distances(es_cli *cli, const es_set_distances *distance, size_t count,
                               const double *tau, const char *const *name, size_t pairs,
                               es_output_format format, es_buf *out, es_error *err) {
    enum { MOST = 8 };
    es_status st = ES_OK;
    es_buf note = {0};
    es_figure_style style;
    es_scatter panel[MOST];
    char fact[MOST][80];
    const char *facts[MOST];
    for (size_t k = 0; k < count && k < MOST; k++) {
        const es_correlation_report *r = distance[k].with_tau;
        put_fact(r, fact[k], sizeof fact[k]);
        facts[k] = fact[k];
        panel[k] = (es_scatter){.n = pairs,
                                .x = distance[k].value,
                                .y = tau,
                                .name = name,
                                .x_title = distance[k].title,
                                .y_title = "tau of the two rankings",
                                .slope = r->slope.why ? (double)NAN : r->slope.value,
                                .intercept = r->intercept.why ? (double)NAN : r->intercept.value,
                                .fact = &facts[k],
                                .facts = 1};
    }
    es_buf_puts(&note, "Each point is two data sets: how far they are apart, mean over the "
                       "embedders, and how alike they rank them. ");
    ES_TRY(es_export_style(cli, &note, &style, err));
    ES_TRY(es_figure_panels(panel, count < MOST ? count : MOST, &style, es_picture_of(format), out,
                            err));
done:
    es_buf_free(&note);
    return st;
}

es_status es_picture_panels(es_cli *cli, const es_results *names, const es_agree_scores *a,
                            es_output_format format, es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_buf note = {0};
    es_figure_style style;
    sheet s = {0};
    if (!a->downstream)
        return es_fail(err, ES_ENOTFOUND,
                       "panels are scores against downstream: no scores.csv in the pool; name one "
                       "with --scores FILE.csv");
    ES_TRY(fill_sheet(cli, names, a, &s, err));
    for (size_t k = 0; k < a->k; k++) {
        const es_correlation_report *r = &a->agreement->against[k];
        double sign = a->negated[k] ? -1 : 1;
        put_fact(r, s.fact[k], sizeof s.fact[k]);
        s.facts[k] = s.fact[k];
        s.panel[k] = (es_scatter){.n = s.n,
                                  .x = s.x + k * a->n,
                                  .y = s.y,
                                  .name = s.name,
                                  .x_title = a->name[k],
                                  .y_title = a->task,
                                  .slope = r->slope.why ? (double)NAN : sign * r->slope.value,
                                  .intercept = r->intercept.why ? (double)NAN : r->intercept.value,
                                  .fact = &s.facts[k],
                                  .facts = 1};
    }
    es_buf_puts(&note, "Each score against downstream, with the line of least squares; "
                       "coefficients have the sign of the score turned where lower is better. ");
    ES_TRY(es_export_style(cli, &note, &style, err));
    ES_TRY(es_figure_panels(s.panel, a->k, &style, es_picture_of(format), out, err));
done:
    sheet_deinit(&s);
    es_buf_free(&note);
    return st;
}
