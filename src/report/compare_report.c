/* The comparison of two or three embedders: who contains whom, their places in the
 * ranking, their downstream scores, and the rows that one captures and the other does not. */
#include "report.h"

#include <math.h>
#include <string.h>

void es_compare_report_free(es_compare_report *report) {
    if (report == NULL)
        return;
    es_comparison_free(report->comparison);
    es_rank_report_free(report->rank);
    es_free(report->captured);
    es_free(report);
}

es_status es_compared_new(const es_results *r, const es_compared_of *of, es_comparison **out,
                          es_error *err) {
    es_comparison *comparison = NULL;
    es_status st = es_comparison_new(r->is, r->se, r->pmi, r->n_eval, r->m, of->model, of->count,
                                     &comparison, err);
    if (st == ES_OK && !es_results_shares(r))
        es_comparison_without_shares(comparison);
    if (st == ES_OK && !of->with_derived)
        st = es_results_compare_originals(r, comparison, err);
    if (st == ES_OK)
        *out = comparison;
    else
        es_comparison_free(comparison);
    return st;
}

/* ---- downstream ---- */

static void find_scores(es_compare_report *report) {
    for (size_t k = 0; k < report->comparison->count; k++) {
        const char *name = report->results->name[report->comparison->model[k]];
        report->in_scores[k] = report->scores ? es_scores_find(report->scores, name) : SIZE_MAX;
    }
}

/* ---- rows ---- */

/* The `top` rows each way, from all rows by falling difference. */
static void take_rows(es_compare_report *report, const es_compared_pair *pair,
                      const es_compared_rows *rows, size_t top) {
    for (int way = 0; way < 2; way++) {
        size_t taken = 0;
        for (size_t i = 0; i < rows->n && taken < top; i++) {
            double d = rows->difference[rows->row[i]];
            d = way == 0 ? d : -d;
            if (!(d > 0) || !isfinite(d))
                continue;
            report->captured[report->n_captured++] = (es_captured){
                way == 0 ? pair->a : pair->b, way == 0 ? pair->b : pair->a, rows->row[i], d};
            taken++;
        }
    }
}

static es_status find_captured(es_compare_report *report, size_t top, es_error *err) {
    const es_results *r = report->results;
    const es_comparison *c = report->comparison;
    size_t n = r->n_eval;
    if (n == 0 || top == 0)
        return ES_OK;
    top = top < n ? top : n;
    report->captured = es_alloc(2 * c->pairs * top, sizeof *report->captured);
    if (!report->captured)
        return es_no_memory(err);
    for (size_t p = 0; p < c->pairs; p++) {
        es_compared_rows *rows = NULL;
        es_status st = es_compared_rows_new(r->pmi, n, r->m, c, p, SIZE_MAX, &rows, err);
        if (st == ES_OK)
            take_rows(report, &c->pair[p], rows, top);
        es_compared_rows_free(rows);
        if (st != ES_OK && st != ES_EEMPTY)
            return st;
    }
    return ES_OK;
}

/* ---- all ---- */

es_status es_compare_report_new(es_session *session, size_t entry, const es_compare_choices *how,
                                es_compare_report **out, es_error *err) {
    es_status st = ES_OK;
    const es_results *r = es_session_results(session, entry);
    es_compare_report *report = es_alloc_zero(1, sizeof *report);
    if (report == NULL)
        return es_no_memory(err);
    report->results = r;
    report->scores = how->scores;
    ES_TRY(es_compared_new(r,
                           &(es_compared_of){.model = how->models,
                                             .count = how->count,
                                             .with_derived = how->rank.with_derived},
                           &report->comparison, err));
    ES_TRY(es_rank_report_of(session, &how->rank, &report->rank, err));
    find_scores(report);
    if (es_session_pool(session)) {
        ES_TRY(es_row_source_init(session, entry, &report->rows, err));
        ES_TRY(find_captured(report, how->top, err));
    }
    *out = report;
    report = NULL;
done:
    es_compare_report_free(report);
    return st;
}

/* The sources of one that is known by its name: derived ones judge where they vote. */
static void count_sources(const es_results *r, const char *name, bool with_derived,
                          es_standing *out) {
    size_t target = 0;
    while (target < r->m && strcmp(r->name[target], name) != 0)
        target++;
    for (size_t i = 0; i < r->m && target < r->m; i++) {
        if (i == target || (!with_derived && es_results_is_derived(r, i)))
            continue;
        out->of++;
        out->sources += isfinite(r->is[i * r->m + target]) != 0;
    }
}

es_standing es_compare_standing(const es_compare_report *report, size_t model) {
    const es_rank_report *rank = report->rank;
    const double none = (double)NAN;
    size_t i = es_rank_report_find(rank, report->results->name[model]);
    if (i == SIZE_MAX)
        return (es_standing){.score = none, .low = none, .high = none, .in = none};
    const es_decision *d = rank->decision;
    es_standing out = {.score = rank->ranking->score[i],
                       .low = d->low[i],
                       .high = d->high[i],
                       .in = rank->in[i],
                       .rank = rank->ranking->rank[i],
                       .rank_low = d->rank_low[i],
                       .rank_high = d->rank_high[i]};
    if (rank->published_by)
        count_sources(rank->published_by, rank->results->name[i], rank->originals == NULL, &out);
    return out;
}

void es_compare_put_verdict(const es_compare_report *report, size_t pair, es_buf *out) {
    const es_comparison *c = report->comparison;
    const es_compared_pair *p = &c->pair[pair];
    es_compared_sentence(c, pair, es_results_label(report->results, c->model[p->a]),
                         es_results_label(report->results, c->model[p->b]), out);
}

/* The verdicts of a comparison as sentences. */

/* Why it is not settled, and what would settle it: rows narrow the interval with their root. Where
 * it is sure that one is above half, the other below, and both are near, no rows would. */
static void put_unsettled(const es_comparison *comparison, size_t number, const char *a,
                          const char *b, es_buf *out) {
    const es_compared_pair *pair = &comparison->pair[number];
    double ab = comparison->cover[pair->a][pair->b], ba = comparison->cover[pair->b][pair->a];
    int half_ab = es_compared_half(comparison, pair->a, pair->b);
    int half_ba = es_compared_half(comparison, pair->b, pair->a);
    bool most = (ab >= ba ? half_ab : half_ba) > 0, near = es_compared_near(comparison, number);
    double more = fmax(ab, ba), less = fmin(ab, ba), width = comparison->z * pair->gap_error,
           times = width / (more - less);
    es_buf_puts(out, "not settled: ");
    if (near && half_ab * half_ba < 0)
        es_buf_printf(out, "%.0f%% and %.0f%% are too close to call, one above half, one below",
                      100 * more, 100 * less);
    else if (!near && !(width < more - less) && times * times < 100)
        es_buf_printf(out, "who holds more, about %.0f times the rows would tell",
                      fmax(ceil(times * times), 2));
    else if (!near && !(width < more - less))
        es_buf_puts(out, "who holds more, rows alone would hardly tell");
    else if (width < more - less && !most)
        es_buf_printf(
            out, "%s holds more of %s (%.0f%%) than %s of %s (%.0f%%), but most of it? More rows",
            ab >= ba ? a : b, ab >= ba ? b : a, 100 * more, ab >= ba ? b : a, ab >= ba ? a : b,
            100 * less);
    else
        es_buf_printf(out, "%.0f%% and %.0f%% are too close to call; more rows", 100 * more,
                      100 * less);
}

size_t es_compared_without_own(const es_comparison *comparison, size_t number) {
    const es_compared_pair *pair = &comparison->pair[number];
    if (!(comparison->is[pair->a][pair->a] > 0))
        return pair->a;
    return comparison->is[pair->b][pair->b] > 0 ? SIZE_MAX : pair->b;
}

static void put_unknown(const es_comparison *comparison, size_t number, const char *a,
                        const char *b, es_buf *out) {
    const es_compared_pair *pair = &comparison->pair[number];
    size_t without = es_compared_without_own(comparison, number);
    bool known =
        isfinite(comparison->is[pair->a][pair->b]) && isfinite(comparison->is[pair->b][pair->a]);
    es_buf_puts(out, "not known");
    if (known && without != SIZE_MAX)
        es_buf_printf(out, ": the value of %s with itself is missing or not above 0",
                      without == pair->a ? a : b);
    else if (known && comparison->without_shares)
        es_buf_puts(out, ": by this estimator the value of an embedder with itself is no whole to "
                         "take shares of; linear or knife tell");
}

void es_compared_sentence(const es_comparison *comparison, size_t number, const char *a,
                          const char *b, es_buf *out) {
    const es_compared_pair *pair = &comparison->pair[number];
    double ab = comparison->cover[pair->a][pair->b], ba = comparison->cover[pair->b][pair->a];
    bool second = pair->verdict == ES_VERDICT_B_CONTAINS_A;
    const char *holder = second ? b : a, *held = second ? a : b;
    double there = 100 * (second ? ba : ab), back = 100 * (second ? ab : ba);
    bool not_most =
        es_compared_half(comparison, second ? pair->a : pair->b, second ? pair->b : pair->a) < 0;
    if (comparison->pairs > 1 && pair->verdict != ES_VERDICT_A_CONTAINS_B && !second)
        es_buf_printf(out, "%s, %s: ", a, b);
    switch (pair->verdict) {
    case ES_VERDICT_A_CONTAINS_B:
    case ES_VERDICT_B_CONTAINS_A:
        es_buf_printf(out, "%s holds most of %s (%.0f%%), %s %s of %s (%.0f%%)", holder, held,
                      there, held, not_most ? "not most" : "less", holder, back);
        break;
    case ES_VERDICT_EQUIVALENT:
        es_buf_printf(out, "they hold each other (%.0f%%, %.0f%%)", there, back);
        break;
    case ES_VERDICT_NEITHER:
        es_buf_printf(out, "neither holds the other (%.0f%%, %.0f%%)", there, back);
        break;
    case ES_VERDICT_NOT_SEPARABLE:
        put_unsettled(comparison, number, a, b, out);
        break;
    default:
        put_unknown(comparison, number, a, b, out);
    }
}
