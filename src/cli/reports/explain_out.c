/* Why one embedder stands before another: the difference with its two errors, what each target adds
 * to it, with whom it is tied, and what would settle it. */
#include "explain_out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "captions.h"
#include "document.h"
#include "explain.h"
#include "lookup.h"
#include "output.h"
#include "rank_choices.h"
#include "results_rank.h"
#include "table_out.h"

static const es_out_column columns[] = {
    {.key = "target", .title = "target", .flags = ES_COLUMN_KEY},
    {.key = "family", .title = "family"},
    {.key = "a", .title = "first", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "b", .title = "second", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "difference", .title = "difference", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "adds", .title = "adds", .kind = ES_COLUMN_NUMBER, .decimals = 4},
};

typedef struct view {
    const es_rank_report *report;
    const es_explanation *explanation;
} view;

static const char *name_of(const view *v, size_t i) {
    return v->report->results->name[i];
}

/* In sentences. */
static const char *label_of(const view *v, size_t i) {
    return es_results_label(v->report->results, i);
}

static es_table_out *make_table(const es_document *d) {
    const view *v = d->what;
    const es_explanation *x = v->explanation;
    es_table_out *table = ES_TABLE_OUT(columns);
    for (size_t k = 0; k < x->targets; k++) {
        const es_explained_target *t = &x->target[k];
        es_table_out_text(table, name_of(v, t->target));
        es_table_out_text(table, v->report->results->family[t->target]);
        es_table_out_number(table, t->a);
        es_table_out_number(table, t->b);
        es_table_out_number(table, t->a - t->b);
        es_table_out_number(table, t->adds);
    }
    return table;
}

/* ---- json ---- */

static void put_side(es_json *json, const char *key, const view *v, size_t i) {
    const es_decision *d = v->report->decision;
    es_json_begin_object(json, key);
    es_json_text(json, "model", name_of(v, i));
    es_json_uint(json, "rank", v->report->ranking->rank[i]);
    es_json_double(json, "score", v->report->ranking->score[i]);
    es_document_count(json, "rank_low", d->rank_low[i] ? d->rank_low[i] : SIZE_MAX);
    es_document_count(json, "rank_high", d->rank_high[i] ? d->rank_high[i] : SIZE_MAX);
    es_json_bool(json, "in_best_set", d->best[i]);
    es_json_double(json, "published", v->report->published[i]);
    es_json_end(json);
}

static void put_scope(es_json *json, const char *key, const view *v, es_scope scope) {
    const es_explanation *x = v->explanation;
    es_json_begin_object(json, key);
    es_json_double(json, "se", x->se[scope]);
    if (v->report->decision->why_not[scope])
        es_json_null(json, "separated");
    else
        es_json_bool(json, "separated", x->separated[scope]);
    es_json_text(json, "why_not", v->report->decision->why_not[scope]);
    es_json_end(json);
}

/* Factors beyond any use are null, as those that are not known. */
static void put_settling(es_json *json, const es_explanation *x) {
    es_json_begin_object(json, "settling");
    es_json_double(json, "rows", isfinite(x->settling.rows) ? x->settling.rows : (double)NAN);
    es_json_double(json, "families",
                   isfinite(x->settling.families) ? x->settling.families : (double)NAN);
    es_json_text(json, "larger_variance",
                 isnan(x->settling.rows)   ? NULL
                 : x->settling.by_families ? "families"
                                           : "rows");
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    const es_explanation *x = v->explanation;
    es_document_scoring(json, v->report);
    put_side(json, "a", v, x->a);
    put_side(json, "b", v, x->b);
    es_json_double(json, "difference", x->difference);
    put_scope(json, "here", v, ES_SCOPE_HERE);
    put_scope(json, "new", v, ES_SCOPE_NEW);
    put_settling(json, x);
    es_document_names(json, "tied_with_a", (const char *const *)v->report->results->name, x->tied,
                      x->tied_count);
    es_document_table(json, "targets", make_table(d));
}

/* ---- words ---- */

/* Of a median no target has a part. */
static bool is_mean(const view *v) {
    return v->explanation->targets > 0 && !isnan(v->explanation->target[0].adds);
}

static void put_difference(const view *v, es_buf *out) {
    const es_explanation *x = v->explanation;
    const es_decision *d = v->report->decision;
    const char *a = label_of(v, x->a), *b = label_of(v, x->b);
    double se = x->se[d->scope];
    uint32_t first = v->report->ranking->rank[x->a], second = v->report->ranking->rank[x->b];
    bool level = first == second;
    es_buf_printf(out, "%s (rank %u, %.3f) stands %s %s (rank %u, %.3f).", a, first,
                  v->report->ranking->score[x->a], level ? "level with" : "before", b, second,
                  v->report->ranking->score[x->b]);
    if (isnan(x->difference)) {
        es_buf_puts(out, " No target judges both.");
        return;
    }
    if (is_mean(v))
        es_buf_printf(out,
                      x->targets == 1 ? " Over the %zu target that judges both it"
                                      : " Over the %zu targets that judge both it",
                      x->targets);
    else
        es_buf_puts(out, " It");
    es_buf_printf(out, " %s by %.3f", x->difference < 0 ? "is behind" : "leads",
                  fabs(x->difference));
    if (isfinite(se))
        es_buf_printf(out, ", with a standard error of %.3f%s", se,
                      d->scope == ES_SCOPE_NEW ? " for another target of this kind" : "");
    es_buf_puts(out, ".");
}

static void put_sureness(const view *v, es_buf *out) {
    const es_explanation *x = v->explanation;
    const es_decision *d = v->report->decision;
    const char *no_rows = d->why_not[ES_SCOPE_HERE], *no_new = d->why_not[ES_SCOPE_NEW];
    bool here = x->separated[ES_SCOPE_HERE], elsewhere = x->separated[ES_SCOPE_NEW];
    if (no_rows && no_new && strcmp(no_rows, no_new) == 0)
        es_buf_printf(out, " How sure that is cannot be said (%s).", no_rows);
    else if (no_rows && no_new)
        es_buf_printf(out, " How sure that is cannot be said (%s, %s).", no_rows, no_new);
    else if (no_rows)
        es_buf_printf(out, " It %s hold for another target of this kind.",
                      elsewhere ? "would" : "need not");
    else if (no_new)
        es_buf_printf(out,
                      " It is %s for these targets; of another kind of target nothing can be "
                      "said (%s).",
                      here ? "settled" : "not settled, even", no_new);
    else if (!here)
        es_buf_printf(out, " It is not settled%s.",
                      elsewhere ? "" : ", not even for these targets");
    else
        es_buf_printf(out,
                      " It is settled for these targets%s hold for another target of this kind.",
                      elsewhere ? " and would" : ", but need not");
}

static void put_factor(es_buf *out, double factor, const char *what, double now) {
    if (factor < 2)
        es_buf_printf(out, "%.0f %% more %s", ceil(100 * (factor - 1)), what);
    else
        es_buf_printf(out, "%.0f times as many %s", ceil(factor), what);
    if (now > 0)
        es_buf_printf(out, " (%.0f now)", now);
}

/* In four of five repetitions, had it been so: es_decision_settling. */
static void put_remedy(const view *v, es_buf *out) {
    const es_explanation *x = v->explanation;
    const es_settling *s = &x->settling;
    const es_decision *d = v->report->decision;
    const char *kind = v->report->named ? "families of embedders" : "communities of embedders";
    if (isnan(s->rows) || s->rows <= 0)
        return;
    es_buf_puts(out, " What would settle it, if the difference is real: ");
    if (isfinite(s->rows))
        put_factor(out, s->rows, "evaluated rows", (double)x->rows_now);
    if (isfinite(s->families)) {
        es_buf_puts(out, isfinite(s->rows) ? ", or " : "");
        put_factor(out, s->families, kind, (double)d->families);
        es_buf_puts(out, isfinite(s->rows) ? "" : "; more rows alone would not");
    } else if (!isfinite(s->rows)) {
        es_buf_puts(out, "nothing within reach; take them as equal");
    }
    es_buf_puts(out, ".");
}

enum { MOST_TIED = 8 };

static void put_ties(const view *v, es_buf *out) {
    const es_explanation *x = v->explanation;
    const es_decision *d = v->report->decision;
    if (!d->said || x->tied_count == 0)
        return;
    es_buf_printf(out, " Not told apart from %s%s: ", label_of(v, x->a),
                  d->scope == ES_SCOPE_NEW ? " for a new kind of target" : " for these targets");
    size_t named = 0;
    for (size_t k = 0; k < x->tied_count; k++)
        es_buf_name(out, &named, MOST_TIED, label_of(v, x->tied[k]));
    es_buf_names_end(out, named, MOST_TIED);
    es_buf_puts(out, ".");
}

static void put_caption(const es_document *d, es_buf *out) {
    const view *v = d->what;
    es_buf text = {0};
    size_t width = es_output_width(d->cli);
    put_difference(v, &text);
    put_sureness(v, &text);
    put_remedy(v, &text);
    put_ties(v, &text);
    es_buf_putc(out, '\n');
    es_caption_fill(out, text.data ? text.data : "", width == 0 || width > 100 ? 100 : width);
    es_buf_printf(out, "\nfirst: %s, second: %s; score: %s, %s over %s",
                  label_of(v, v->explanation->a), label_of(v, v->explanation->b),
                  es_rank_report_score(v->report), es_rank_report_aggregate(v->report),
                  es_rank_report_judges(v->report));
    es_buf_puts(out, is_mean(v) ? "; adds: to the lead over these targets\n" : "\n");
    if (es_rank_lower_is_better(v->report->results))
        es_buf_puts(out, "difference: of errors, first less second; who leads has the lower one\n");
    out->failed |= text.failed;
    es_buf_free(&text);
}

es_status es_explain_write(es_cli *cli, es_session *session, const char *a, const char *b,
                           es_output_format format, es_error *err) {
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    es_rank_report *report = NULL;
    es_explanation *explanation = NULL;
    size_t first, second = SIZE_MAX;
    es_status st = ES_OK;
    if (es_format_is_picture(format))
        return es_usage(cli, err, "--explain is a table, not a picture: csv, json, md or tex");
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    ES_TRY(es_cli_model(cli, session, report->entry, a, &first, err));
    if (b)
        ES_TRY(es_cli_model(cli, session, report->entry, b, &second, err));
    if (second == first) {
        st = es_usage(cli, err, "--explain: '%s' is named twice", a);
        goto done;
    }
    ES_TRY(es_explanation_new(report, first, second, &explanation, err));
    const view v = {report, explanation};
    static const es_document_parts parts = {
        .schema = "explain", .table = make_table, .caption = put_caption, .json = put_json};
    ES_TRY(es_document_write(&parts, (es_document){cli, session, report->entry, &v, format}, err));
done:
    es_explanation_free(explanation);
    es_rank_report_free(report);
    return st;
}
