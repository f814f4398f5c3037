/* A pair is one model before and after: models are the sample, so the question is how many went up,
 * and not how much one did. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "report_answer.h"

double es_sign_test(size_t up, size_t down) {
    size_t n = up + down, most = up > down ? up : down;
    double tail = 0;
    if (n == 0)
        return (double)NAN;
    for (size_t k = most; k <= n; k++)
        tail += exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) -
                    (double)n * log(2));
    return fmin(1, 2 * tail);
}

size_t es_tuned_stem(const char *name) {
    static const char *const ends[] = {"fine-tuned", "fine_tuned", "finetuned", "tuned", "ft"};
    size_t length = strlen(name);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        size_t end = strlen(ends[k]);
        if (length > end + 1 && strcasecmp(name + length - end, ends[k]) == 0 &&
            strchr("-_+.", name[length - end - 1]))
            return length - end - 1;
    }
    return 0;
}

/* The embedder of this name, in any case; SIZE_MAX: none is here. */
static size_t find_name(const es_results *results, const char *name, size_t length) {
    for (size_t i = 0; length > 0 && i < results->m; i++)
        if (strlen(results->name[i]) == length && strncasecmp(results->name[i], name, length) == 0)
            return i;
    return SIZE_MAX;
}

/* The base that models.csv gives for this embedder; NULL: none. */
static const char *said_base(const es_family_file *bases, const char *name) {
    for (size_t i = 0; bases && i < bases->count; i++)
        if (strcmp(bases->item[i].model, name) == 0 && bases->item[i].family[0])
            return bases->item[i].family;
    return NULL;
}

/* The embedder that this one was tuned from; SIZE_MAX: none is here. */
static size_t base_of(const es_results *results, const es_family_file *bases, size_t tuned,
                      size_t *absent) {
    const char *name = results->name[tuned], *base = said_base(bases, name);
    size_t at = base ? find_name(results, base, strlen(base))
                     : find_name(results, name, es_tuned_stem(name));
    *absent += base && at == SIZE_MAX;
    return at == tuned ? SIZE_MAX : at;
}

static es_tuned_pair pair_of(const es_rank_report *report, const double *percentile, size_t base,
                             size_t tuned) {
    const es_ranking *ranking = report->ranking;
    double margin = es_decision_margin(report->decision, tuned, base);
    es_tuned_pair pair = {.base = base,
                          .tuned = tuned,
                          .before = ranking->score[base],
                          .after = ranking->score[tuned],
                          .rank_before = ranking->rank[base],
                          .rank_after = ranking->rank[tuned],
                          .downstream_before = percentile ? percentile[base] : (double)NAN,
                          .downstream_after = percentile ? percentile[tuned] : (double)NAN};
    pair.change = pair.after - pair.before;
    pair.low = pair.change - margin;
    pair.high = pair.change + margin;
    return pair;
}

/* Counts one pair; rounding alone is no change. */
static void count(double before, double after, double sign, es_signs *signs) {
    double change = sign * (after - before);
    if (isnan(change))
        return;
    signs->rose += change > ES_LEAD_ROUNDING;
    signs->fell += change < -ES_LEAD_ROUNDING;
    signs->same += fabs(change) <= ES_LEAD_ROUNDING;
}

/* By name of the base, then of the tuned one. */
static void sort(es_tuned *x, char *const *name) {
    for (size_t i = 1; i < x->count; i++) {
        es_tuned_pair own = x->pair[i];
        size_t at = i;
        for (; at > 0; at--) {
            const es_tuned_pair *other = &x->pair[at - 1];
            int order = strcmp(name[other->base], name[own.base]);
            if (order < 0 || (order == 0 && strcmp(name[other->tuned], name[own.tuned]) <= 0))
                break;
            x->pair[at] = *other;
        }
        x->pair[at] = own;
    }
}

es_status es_tuned_new(const es_rank_report *report, const es_family_file *bases,
                       const es_scores *scores, es_tuned *out, es_error *err) {
    const es_results *results = report->results;
    double sign = es_rank_lower_is_better(results) ? -1 : 1;
    es_tuned x = {.pair = es_alloc(results->m + 1, sizeof *x.pair)};
    double *percentile = scores ? es_alloc(results->m + 1, sizeof *percentile) : NULL;
    es_status st = ES_OK;
    ES_FAIL_IF(!x.pair || (scores && !percentile), es_no_memory(err));
    if (scores)
        ES_TRY(es_downstream_percentiles(results, results, report->decision, NULL, scores,
                                         percentile, err));
    for (size_t i = 0; i < results->m; i++) {
        size_t base = base_of(results, bases, i, &x.absent);
        if (base != SIZE_MAX)
            x.pair[x.count++] = pair_of(report, percentile, base, i);
    }
    sort(&x, results->name);
    for (size_t i = 0; i < x.count; i++) {
        count(x.pair[i].before, x.pair[i].after, sign, &x.score);
        count(x.pair[i].downstream_before, x.pair[i].downstream_after, 1, &x.downstream);
    }
    x.score.p = es_sign_test(x.score.rose, x.score.fell);
    x.downstream.p = es_sign_test(x.downstream.rose, x.downstream.fell);
    *out = x;
    x = (es_tuned){0};
done:
    es_free(percentile);
    es_tuned_deinit(&x);
    return st;
}

void es_tuned_deinit(es_tuned *tuned) {
    es_free(tuned->pair);
    *tuned = (es_tuned){0};
}

static void put_signs(const char *what, const es_signs *signs, es_buf *out) {
    size_t known = signs->rose + signs->fell + signs->same;
    if (known == 0)
        return;
    es_buf_printf(out, "%s rose in %zu of %zu", what, signs->rose, known);
    if (signs->same > 0)
        es_buf_printf(out, ", %zu unchanged", signs->same);
    if (isnan(signs->p)) {
        es_buf_puts(out, ".");
        return;
    }
    char p[16];
    (void)snprintf(p, sizeof p, "%.3f", signs->p);
    es_buf_printf(out, " (sign test: p %s).",
                  signs->p < 0.001 ? "below .001" : p + (p[0] == '0' ? 1 : 0));
}

void es_tuned_put(const es_tuned *tuned, es_buf *out) {
    size_t from = out->length;
    put_signs("The score", &tuned->score, out);
    put_signs(out->length > from ? " The mean percentile downstream"
                                 : "The mean percentile downstream",
              &tuned->downstream, out);
    if (tuned->score.rose + tuned->score.fell > 0 && tuned->score.rose + tuned->score.fell < 6)
        es_buf_puts(out, " Six models at least are needed to show anything by their number.");
}
