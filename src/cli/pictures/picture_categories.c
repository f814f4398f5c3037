/* The score against each category of tasks, a panel each (Darrin et al. 2024, Figure 6), and the
 * size of a task against how well the score predicts it (Figure 21). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pictures.h"

typedef struct sheet {
    size_t n, panels;  /* embedders drawn; categories */
    double *x, *y;     /* (n), (panels, set->n) */
    const char **name; /* (n) */
    es_scatter *panel; /* (panels) */
    const char **fact; /* (panels) */
} sheet;

static bool is_shown(const es_cli *cli, const es_correlation_view *v, size_t i) {
    return v->session == NULL || es_export_shows(cli, v->set->at[i]);
}

/* Embedders that are written and have a score, with their percentile in each category. */
static es_status fill(es_sketch *sketch, const es_correlation_view *v, sheet *s, es_error *err) {
    size_t n = v->set->n, k = s->panels = v->kinds->count;
    s->x = es_sketch_room(sketch, n, sizeof *s->x);
    s->y = es_sketch_room(sketch, n, k * sizeof *s->y);
    s->name = es_sketch_room(sketch, n, sizeof *s->name);
    s->panel = es_sketch_room(sketch, k, sizeof *s->panel);
    s->fact = es_sketch_room(sketch, k, sizeof *s->fact);
    if (!s->x || !s->y || !s->name || !s->panel || !s->fact)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        if (!is_shown(sketch->cli, v, i) || !isfinite(v->set->score[i]))
            continue;
        s->x[s->n] = v->scored->negated ? -v->set->score[i] : v->set->score[i];
        for (size_t c = 0; c < k; c++)
            s->y[c * n + s->n] = v->kinds->y[c * n + i];
        s->name[s->n++] = v->scored->name[v->set->at[i]];
    }
    return ES_OK;
}

static const char *fact_of(es_sketch *sketch, const es_correlation_report *r) {
    const es_stat *rho = &r->value[ES_SPEARMAN];
    return rho->why ? es_sketch_text(sketch, "ρ is not defined: %s", rho->why)
                    : es_sketch_text(sketch, "ρ = %.2f, r = %.2f, τ = %.2f, n = %zu", rho->value,
                                     r->value[ES_PEARSON].value, r->value[ES_KENDALL].value, r->n);
}

static es_status draw_panels(es_sketch *sketch, const es_correlation_view *v, es_error *err) {
    sheet s = {0};
    double sign = v->scored->negated ? -1 : 1;
    ES_PASS(fill(sketch, v, &s, err));
    for (size_t c = 0; c < s.panels; c++) {
        const es_correlation_report *r = &v->kinds->kind[c].report;
        s.fact[c] = fact_of(sketch, r);
        s.panel[c] = (es_scatter){.n = s.n,
                                  .x = s.x,
                                  .y = s.y + c * v->set->n,
                                  .name = s.name,
                                  .x_title = v->kinds->kind[c].category,
                                  .y_title = "mean percentile",
                                  .slope = r->slope.why ? (double)NAN : sign * r->slope.value,
                                  .intercept = r->intercept.why ? (double)NAN : r->intercept.value,
                                  .fact = &s.fact[c],
                                  .facts = 1};
    }
    es_buf_puts(&sketch->note,
                "The score (across) against the mean percentile over the tasks of each "
                "category, with the line of least squares. ");
    return es_figure_panels(s.panel, s.panels, ES_SKETCHED(sketch), err);
}

/* Tasks whose size and coefficient are known; x (tasks) logarithms to base 2. Returns how many. */
static size_t sized_tasks(const es_correlation_set *set, double *x, double *y, const char **name) {
    size_t n = 0;
    for (size_t t = 0; t < set->tasks; t++) {
        double size = set->scores->about ? set->scores->about[t].size : (double)NAN;
        double rho = set->report[t].value[ES_SPEARMAN].value;
        if (!(size > 0) || !isfinite(rho))
            continue;
        x[n] = log2(size);
        y[n] = rho;
        name[n++] = es_correlation_task(set, t);
    }
    return n;
}

static es_status draw_sizes(es_sketch *sketch, const es_correlation_view *v, es_error *err) {
    const es_correlation_set *set = v->set;
    const char *facts[1];
    double *x = es_sketch_room(sketch, set->tasks, sizeof *x),
           *y = es_sketch_room(sketch, set->tasks, sizeof *y);
    const char **name = es_sketch_room(sketch, set->tasks, sizeof *name);
    if (!x || !y || !name)
        return es_no_memory(err);
    size_t n = sized_tasks(set, x, y, name);
    if (n == 0)
        return es_fail(err, ES_ENOTFOUND,
                       "no task has a size: add the column size to tasks.csv beside the scores");
    facts[0] = v->kinds->size.why ? es_sketch_text(sketch, "%zu tasks: %s", n, v->kinds->size.why)
                                  : es_sketch_text(sketch, "Spearman ρ = %.2f over %zu tasks",
                                                   v->kinds->size.value, n);
    const es_scatter scatter = {.n = n,
                                .x = x,
                                .y = y,
                                .name = name,
                                .x_title = "size of the task",
                                .y_title = "Spearman of the score with the task",
                                .slope = (double)NAN,
                                .intercept = (double)NAN,
                                .fact = facts,
                                .facts = 1,
                                .log_x = true};
    return es_figure_scatter(&scatter, ES_SKETCHED(sketch), err);
}

es_status es_picture_categories(es_sketch *sketch, const es_correlation_view *view, es_error *err) {
    bool sizes = sketch->cli->export && strcmp(sketch->cli->export->view, "sizes") == 0;
    return (sizes ? draw_sizes : draw_panels)(sketch, view, err);
}
