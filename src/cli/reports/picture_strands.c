/* Lines over scores: the bump chart of `agree`, and the scores of a sweep over its values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_reports.h"

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
