/* What every measure says of the embedders, and how far they agree, as a document. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct agree_view {
    es_session *session;
    const es_results *names;
    const es_agree_scores *scores;
} agree_view;

/* ---- against downstream ---- */

/* How far the score that the others are compared with is ahead of itself. */
const es_agreement_cell es_agree_no_lead = {.tau = {.value = NAN}, .low = NAN, .high = NAN};

#define ROW(C)                                                                                     \
    C(TEXT, "measure", "measure", ES_COLUMN_KEY, s->name[i])                                       \
    C(COUNT, "n", "n", 0, r->n)                                                                    \
    C(NUMBER, "n_effective", "n_eff", 0, 0, r->n_effective)                                        \
    C(COEFFICIENT, "spearman", "spearman", 2, r, ES_SPEARMAN)                                      \
    C(COEFFICIENT, "kendall", "kendall", 2, r, ES_KENDALL)                                         \
    C(POINT, "pearson", "pearson", 2, r, ES_PEARSON)                                               \
    C(POINT, "weighted_tau", "weighted", 2, r, ES_WEIGHTED_TAU)                                    \
    C(NUMBER, "p", "p", 4, 0, r->p_effective)                                                      \
    C(DATA, NUMBER, "p_permutation", r->p.value)                                                   \
    C(BAND, "ahead", "ahead", 2, ahead->tau.value, ahead->low, ahead->high)                        \
    C(TEXT, "few", "few", 0, r->few ? "too few embedders" : NULL)

static const es_out_column agree_columns[] = ES_COLUMNS_OF(ROW);

static es_table_out *make_agree_table(const es_agree_scores *s) {
    es_table_out *t = ES_TABLE_OUT(agree_columns);
    for (size_t i = 0; i < s->k; i++) {
        const es_correlation_report *r = &s->agreement->against[i];
        const es_agreement_cell *ahead = i == 0 ? &es_agree_no_lead : &s->agreement->ahead[i];
        ES_PUT_ROW(ROW, t);
    }
    return t;
}

/* ---- among each other ---- */

static void put_agreement(es_table_out *t, const es_agreement_cell *c, bool interval) {
    char text[2 * ES_TABLE_NUMBER + 8], low[ES_TABLE_NUMBER], high[ES_TABLE_NUMBER];
    bool known = isfinite(c->tau.value) && (!interval || isfinite(c->low));
    if (interval)
        (void)snprintf(text, sizeof text, "[%s, %s]", es_table_out_decimals(low, c->low, 2),
                       es_table_out_decimals(high, c->high, 2));
    else
        (void)es_table_out_decimals(text, c->tau.value, 2);
    es_table_out_text(t, known ? text : NULL);
}

/* Kendall's tau-b above the diagonal, its interval below. */
static es_table_out *make_matrix(const es_agree_scores *s) {
    es_table_out *t = es_table_out_new(NULL, 0);
    es_table_out_add(t, (es_out_column)ES_HEAD(TEXT, "kendall", "kendall", NULL, 0, ES_COLUMN_KEY));
    for (size_t j = 0; j < s->k; j++)
        es_table_out_add(t, (es_out_column)ES_HEAD(TEXT, s->name[j], s->name[j], NULL, 0, 0));
    for (size_t i = 0; i < s->k; i++) {
        es_table_out_text(t, s->name[i]);
        for (size_t j = 0; j < s->k; j++)
            put_agreement(t, &s->agreement->cell[i * s->k + j], j < i);
    }
    return t;
}

/* ---- ranks ---- */

static void order_by(const double *by, size_t n, uint32_t *order) {
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        double own = isfinite(by[i]) ? by[i] : -HUGE_VAL;
        for (; at > 0; at--) {
            double other = by[order[at - 1]];
            if ((isfinite(other) ? other : -HUGE_VAL) >= own)
                break;
            order[at] = order[at - 1];
        }
        order[at] = (uint32_t)i;
    }
}

void es_agree_order(const es_agree_scores *s, uint32_t *order) {
    order_by(s->downstream ? s->downstream : s->column, s->n, order);
}

static es_table_out *make_ranks(const es_agree_scores *s, const es_results *names,
                                const uint32_t *order) {
    es_table_out *t = es_table_out_new(NULL, 0);
    es_table_out_add(t, (es_out_column)ES_HEAD(TEXT, "model", "rank of", NULL, 0, ES_COLUMN_KEY));
    es_table_out_add(t, (es_out_column)ES_NUMBER("downstream", "downstream", NULL, 3, 0));
    for (size_t j = 0; j < s->k; j++)
        es_table_out_add(t, (es_out_column)ES_HEAD(COUNT, s->name[j], s->name[j], NULL, 0, 0));
    for (size_t r = 0; r < s->n; r++) {
        size_t i = order[r];
        es_document_name(t, names, i);
        double value = s->downstream ? s->downstream[i] : (double)NAN;
        es_table_out_number(t, s->turned ? -value : value);
        for (size_t j = 0; j < s->k; j++) {
            uint32_t rank = s->agreement->rank[j * s->n + i];
            es_table_out_count(t, rank ? rank : SIZE_MAX);
        }
    }
    return t;
}

/* ---- documents ---- */

static void put_measures(es_json *json, const es_agree_scores *s, const es_results *names) {
    for (size_t k = es_json_list(json, "measures"); es_json_list_next(json, &k, s->k);) {
        es_json_text(json, "name", s->name[k]);
        es_json_text(json, "about", s->about[k]);
        es_json_text(json, "remark", s->remark[k]);
        es_json_bool(json, "negated", s->negated[k]);
        if (s->controls > 0)
            es_json_bool(json, "controls_last", es_agree_scores_controls_last(s, k));
        else
            es_json_null(json, "controls_last");
        for (size_t i = es_json_list(json, "ranking"); es_json_list_next(json, &i, s->n);) {
            es_json_text(json, "model", names->name[i]);
            es_json_bool(json, "derived", es_results_is_derived(names, i));
            es_json_double(json, "value", s->column[k * s->n + i]);
            uint32_t rank = s->agreement->rank[k * s->n + i];
            es_document_count(json, "rank", rank ? rank : SIZE_MAX);
        }
    }
}

static void put_agree_json(const es_document *d, es_json *json) {
    const agree_view *v = d->what;
    const es_agree_scores *s = v->scores;
    es_json_text(json, "downstream", s->task);
    es_json_uint(json, "scored", s->scored);
    es_document_chosen(json, "controls", (const char *const *)v->names->name, s->control, s->n);
    put_measures(json, s, v->names);
    es_agreement_json(json, s);
    if (s->downstream)
        es_document_table(json, "against_downstream", make_agree_table(s));
    else
        es_json_null(json, "against_downstream");
    es_document_excluded(json, v->session);
}

/* "controls (noise): last by is, evalrank; not last by dimension". */
static void put_controls(const es_agree_scores *s, const es_results *names, es_buf *out) {
    static const char *const words[] = {"; not last by ", ": last by "};
    es_buf_puts(out, "controls");
    for (size_t i = 0, n = 0; i < s->n; i++)
        if (s->control[i])
            es_buf_printf(out, "%s%s", n++ ? ", " : " (", names->name[i]);
    es_buf_putc(out, ')');
    for (int last = 1; last >= 0; last--)
        for (size_t k = 0, n = 0; k < s->k; k++) {
            if (es_agree_scores_controls_last(s, k) != (last == 1))
                continue;
            es_buf_printf(out, "%s%s", n == 0 ? words[last] : ", ", s->name[k]);
            n++;
        }
    es_buf_putc(out, '\n');
}

/* Where the intervals stand, or why there are none. */
static void put_kendall(const es_agree_scores *s, es_buf *out) {
    const char *why = NULL;
    bool any = false;
    for (size_t i = 0; i < s->k; i++)
        for (size_t j = i + 1; j < s->k; j++) {
            const es_agreement_cell *c = &s->agreement->cell[i * s->k + j];
            any = any || isfinite(c->low);
            why = why ? why : es_document_range_why(&c->tau, c->low, c->n);
        }
    es_buf_printf(out, "\nkendall: tau-b above the diagonal%s%s%s\n",
                  any ? ", its 95 % interval below" : "",
                  !why  ? ""
                  : any ? "; where there is none: "
                        : "; no 95 % interval: ",
                  why ? why : "");
}

static void put_agree_caption(const es_document *d, es_buf *out) {
    const agree_view *v = d->what;
    const es_agree_scores *s = v->scores;
    if (s->k > 1)
        put_kendall(s, out);
    if (s->controls > 0)
        put_controls(s, v->names, out);
    if (s->task)
        es_buf_printf(out,
                      "downstream: %s, of %zu embedders%s\nspearman: 95 %% and p by the number of "
                      "independent embedders (n_eff); the others: over resampled embedders\n",
                      s->task, s->scored, s->controls > 0 ? ", without controls" : "");
    if (s->task && s->k > 0) {
        es_buf_printf(out,
                      "ahead: spearman above that of %s, over resampled families; it is above 0 if "
                      "the interval is",
                      s->name[0]);
        es_comparisons_put(es_comparisons_of(s), out);
        es_buf_putc(out, '\n');
    }
    for (size_t k = 0; k < s->k; k++)
        if (s->negated[k])
            es_buf_printf(out, "%s: lower is better; its sign is turned\n", s->name[k]);
    es_agree_remarks(s, out);
    if (s->n < 5)
        es_buf_puts(out, "too few embedders for any of this to mean much\n");
}

es_status es_agree_take_ranks(es_sheet *sheet, const es_agree_scores *s, const es_results *names,
                              es_error *err) {
    uint32_t *order = es_alloc(s->n, sizeof *order);
    if (!order)
        return es_no_memory(err);
    es_agree_order(s, order);
    es_sheet_take_table(sheet, make_ranks(s, names, order));
    es_sheet_take_table(sheet, make_matrix(s));
    es_free(order);
    return ES_OK;
}

/* Against downstream first, where there is any, then ranks and how the scores agree. */
static es_status make_tables(const es_document *d, es_sheet *sheet, es_error *err) {
    const agree_view *v = d->what;
    if (v->scores->downstream) {
        es_sheet_take_table(sheet, make_agree_table(v->scores));
        sheet->plot = (es_sheet_plot){
            .kind = ES_DRAWN_FOREST, .value = {3, 6}, .values = 2, .line = (double)NAN};
    }
    return es_agree_take_ranks(sheet, v->scores, v->names, err);
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

const char *es_sketch_fact(es_sketch *sketch, const es_correlation_report *r) {
    const es_stat *rho = &r->value[ES_SPEARMAN], *tau = &r->value[ES_KENDALL];
    if (rho->why || tau->why)
        return es_sketch_text(sketch, "ρ is not defined: %s", rho->why ? rho->why : tau->why);
    return es_sketch_text(sketch, "ρ = %.2f, τ = %.2f, n = %zu", rho->value, tau->value, r->n);
}

static es_status draw_panels(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_agree_scores *a = ((const agree_view *)d->what)->scores;
    const es_results *names = ((const agree_view *)d->what)->names;
    panels_sheet s = {0};
    if (!a->downstream)
        return es_fail(err, ES_ENOTFOUND,
                       "panels are scores against downstream: no scores.csv in the pool; name one "
                       "with --scores FILE.csv");
    ES_PASS(fill_panels_sheet(sketch, names, a, &s, err));
    for (size_t k = 0; k < a->k; k++) {
        const es_correlation_report *r = &a->agreement->against[k];
        double sign = a->negated[k] ? -1 : 1;
        s.fact[k] = es_sketch_fact(sketch, r);
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
es_status es_agree_strands(es_sketch *sketch, const es_results *names, const es_agree_scores *a,
                           bool ranks, es_strands *out, es_error *err) {
    uint32_t *order = es_sketch_room(sketch, a->n, sizeof *order);
    const char **name = es_sketch_room(sketch, a->n, sizeof *name);
    double *value = es_sketch_room(sketch, a->n, a->k * sizeof *value);
    size_t rows = 0;
    if (!order || !name || !value)
        return es_no_memory(err);
    order_by(ranks && a->downstream ? a->downstream : a->column, a->n, order);
    for (size_t r = 0; r < a->n; r++) {
        size_t i = order[r];
        if (!es_export_shows(sketch->cli, i))
            continue;
        for (size_t k = 0; k < a->k; k++) {
            uint32_t rank = a->agreement->rank[k * a->n + i];
            double x = a->column[k * a->n + i];
            value[rows * a->k + k] = !ranks ? (a->negated[k] ? -x : x)
                                     : rank ? (double)rank
                                            : (double)NAN;
        }
        name[rows++] = es_results_label(names, i);
    }
    *out = (es_strands){.rows = rows,
                        .columns = a->k,
                        .value = value,
                        .row_name = name,
                        .column_name = (const char *const *)a->name,
                        .ranks = ranks};
    return ES_OK;
}

/* Ranks by each score as a bump chart. */
static es_status draw_ranks(const es_document *d, es_sketch *sketch, es_error *err) {
    const agree_view *v = d->what;
    es_strands figure;
    ES_PASS(es_agree_strands(sketch, v->names, v->scores, true, &figure, err));
    figure.y_title = "rank by each score, the best on top";
    if (v->scores->task)
        es_buf_printf(&sketch->note, "Colours go by downstream, %s. ", v->scores->task);
    return es_figure_strands(&figure, 1, ES_SKETCHED(sketch), err);
}

static es_status draw_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    bool panels = strcmp(d->cli->export->view, "panels") == 0;
    return (panels ? draw_panels : draw_ranks)(d, sketch, err);
}

es_status es_agree_write(es_cli *cli, es_session *session, const es_agree_scores *scores,
                         es_error *err) {
    static const es_document_parts parts = {.schema = "agree",
                                            .tables = make_tables,
                                            .caption = put_agree_caption,
                                            .json = put_agree_json,
                                            .picture = draw_picture,
                                            .title = "Agreement of scores"};
    const agree_view v = {session, es_session_results(session, 0), scores};
    return es_document_write(
        &parts, (es_document){cli, session, es_session_best(session), &v, ES_FORMAT_DEFAULT}, err);
}
