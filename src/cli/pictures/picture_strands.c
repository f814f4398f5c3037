/* Lines over scores: the bump chart of `agree`, and the scores of a sweep over its values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pictures.h"

/* Embedders that are written, by downstream where there is any, else by the first column. */
typedef struct strands_sheet {
    size_t rows;
    size_t *at;          /* (rows) positions in the results */
    const char **name;   /* (rows) */
    double *value;       /* (rows, k) */
    double *against;     /* (4, k): spearman, kendall with downstream, then with the first */
    double *coefficient; /* (3, fields, k) of a sweep: values, low, high */
    const char **field;  /* (fields) */
} strands_sheet;

static void put_by(const double *by, size_t i, strands_sheet *s) {
    size_t at = s->rows++;
    double own = isfinite(by[i]) ? by[i] : -HUGE_VAL;
    for (; at > 0; at--) {
        double other = by[s->at[at - 1]];
        if ((isfinite(other) ? other : -HUGE_VAL) >= own)
            break;
        s->at[at] = s->at[at - 1];
    }
    s->at[at] = i;
}

/* Fills one strand an embedder: its score or rank on each axis. */
static es_status fill_sheet(es_sketch *sketch, const es_results *names, const es_agree_scores *a,
                            bool ranks, strands_sheet *s, es_error *err) {
    s->at = es_sketch_room(sketch, a->n, sizeof *s->at);
    s->name = es_sketch_room(sketch, a->n, sizeof *s->name);
    s->value = es_sketch_room(sketch, a->n, a->k * sizeof *s->value);
    s->against = es_sketch_room(sketch, 4 * a->k, sizeof *s->against);
    if (!s->at || !s->name || !s->value || !s->against)
        return es_no_memory(err);
    for (size_t i = 0; i < a->n; i++)
        if (es_export_shows(sketch->cli, i))
            put_by(ranks && a->downstream ? a->downstream : a->column, i, s);
    for (size_t r = 0; r < s->rows; r++) {
        size_t i = s->at[r];
        s->name[r] = es_results_label(names, i);
        for (size_t k = 0; k < a->k; k++) {
            uint32_t rank = a->agreement->rank[k * a->n + i];
            double x = a->column[k * a->n + i];
            s->value[r * a->k + k] = !ranks ? (a->negated[k] ? -x : x)
                                     : rank ? (double)rank
                                            : (double)NAN;
        }
    }
    return ES_OK;
}

es_status es_picture_agreement(es_sketch *sketch, const es_results *names, const es_agree_scores *a,
                               es_error *err) {
    strands_sheet s = {0};
    ES_PASS(fill_sheet(sketch, names, a, true, &s, err));
    const es_strands figure = {.rows = s.rows,
                               .columns = a->k,
                               .value = s.value,
                               .row_name = s.name,
                               .column_name = (const char *const *)a->name,
                               .y_title = "rank by each score, the best on top",
                               .ranks = true};
    if (a->task)
        es_buf_printf(&sketch->note, "Colours go by downstream, %s. ", a->task);
    return es_figure_strands(&figure, 1, ES_SKETCHED(sketch), err);
}

/* With the first value; with downstream, where there is any. */
static es_status fill_against(const es_agree_scores *a, strands_sheet *s, es_error *err) {
    es_status st = ES_OK;
    for (size_t k = 0; k < a->k && st == ES_OK; k++) {
        es_stat with[2];
        st = es_correlate(ES_SPEARMAN, a->column, a->column + k * a->n, a->n, &with[0], err);
        if (st == ES_OK)
            st = es_correlate(ES_KENDALL, a->column, a->column + k * a->n, a->n, &with[1], err);
        for (size_t w = 0; w < 2 && st == ES_OK; w++) {
            s->against[w * a->k + k] = with[w].value;
            s->against[(2 + w) * a->k + k] =
                a->downstream ? a->agreement->against[k].value[w ? ES_KENDALL : ES_SPEARMAN].value
                              : (double)NAN;
        }
    }
    return st;
}

/* Spearman of every field with downstream, else Kendall with the first value: values (fields, k),
 * then low, then high. */
static es_status fill_fields(es_sketch *sketch, const es_sweep_field *field, size_t fields,
                             size_t k, strands_sheet *s, es_error *err) {
    s->coefficient = es_sketch_room(sketch, 3 * fields + 1, k * sizeof *s->coefficient);
    s->field = es_sketch_room(sketch, fields + 1, sizeof *s->field);
    if (!s->coefficient || !s->field)
        return es_no_memory(err);
    double *value = s->coefficient, *low = value + fields * k, *high = low + fields * k;
    for (size_t f = 0; f < fields; f++) {
        const es_agreement *own = field[f].scores.agreement;
        s->field[f] = field[f].name;
        for (size_t j = 0; j < k; j++) {
            const es_correlation_report *r = field[f].scores.downstream ? &own->against[j] : NULL;
            const es_agreement_cell *first = &own->cell[j];
            value[f * k + j] = r ? r->value[ES_SPEARMAN].value : j > 0 ? first->tau.value : 1;
            low[f * k + j] = r ? r->low[ES_SPEARMAN] : j > 0 ? first->low : (double)NAN;
            high[f * k + j] = r ? r->high[ES_SPEARMAN] : j > 0 ? first->high : (double)NAN;
        }
    }
    return ES_OK;
}

es_status es_picture_sweep(es_sketch *sketch, const es_results *names, const es_agree_scores *a,
                           const es_sweep_field *field, size_t fields, es_error *err) {
    static const char *const coefficients[] = {"Spearman, first", "Kendall, first",
                                               "Spearman, tasks", "Kendall, tasks"};
    strands_sheet s = {0};
    ES_PASS(fill_sheet(sketch, names, a, false, &s, err));
    ES_PASS(fill_against(a, &s, err));
    ES_PASS(fill_fields(sketch, field, fields, a->k, &s, err));
    const char *const *values = (const char *const *)a->name;
    const es_strands panel[] = {{.rows = s.rows,
                                 .columns = a->k,
                                 .value = s.value,
                                 .row_name = s.name,
                                 .column_name = values,
                                 .y_title = "score"},
                                {.rows = a->downstream ? 4 : 2,
                                 .columns = a->k,
                                 .value = s.against,
                                 .row_name = coefficients,
                                 .column_name = values,
                                 .y_title = "agreement"},
                                {.rows = fields,
                                 .columns = a->k,
                                 .value = s.coefficient,
                                 .low = s.coefficient + fields * a->k,
                                 .high = s.coefficient + 2 * fields * a->k,
                                 .row_name = s.field,
                                 .column_name = values,
                                 .y_title = a->downstream ? "Spearman, tasks" : "Kendall, first"}};
    es_buf_printf(&sketch->note, "Score: %s%s. Below: coefficients with the scores at %s%s%s. ",
                  a->about[0], a->negated[0] ? ", lower is better" : "", a->name[0],
                  a->task ? ", and with downstream, " : "", a->task ? a->task : "");
    if (fields > 0)
        es_buf_printf(&sketch->note, "Last: every %s %s, with 95 %% intervals over embedders. ",
                      sketch->cli->options->score && es_score_measure(sketch->cli->options)
                          ? "field"
                          : "aggregate",
                      a->task ? "with downstream" : "with the first value");
    return es_figure_strands(panel, fields > 0 ? 3 : 2, ES_SKETCHED(sketch), err);
}

/* The score against each category of tasks, a panel each (Darrin et al. 2024, Figure 6), and the
 * size of a task against how well the score predicts it (Figure 21). */

typedef struct category_sheet {
    size_t n, panels;  /* embedders drawn; categories */
    double *x, *y;     /* (n), (panels, set->n) */
    const char **name; /* (n) */
    es_scatter *panel; /* (panels) */
    const char **fact; /* (panels) */
} category_sheet;

static bool is_shown(const es_cli *cli, const es_correlation_view *v, size_t i) {
    return v->session == NULL || es_export_shows(cli, v->set->at[i]);
}

/* Embedders that are written and have a score, with their percentile in each category. */
static es_status fill(es_sketch *sketch, const es_correlation_view *v, category_sheet *s,
                      es_error *err) {
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
    category_sheet s = {0};
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
