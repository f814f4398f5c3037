/* Aggregates over weighted and repeated values, as if each were written out as often as it was
 * drawn. */
#include "core_ranking.h"

#include <math.h>

#include "core_numerics.h"

static const double default_quantile = 0.75, default_trim = 0.1;

void es_votes_sort(es_vote *votes, size_t n) {
    for (size_t i = 1; i < n; i++) {
        es_vote v = votes[i];
        size_t k = i;
        for (; k > 0 && votes[k - 1].value > v.value; k--)
            votes[k] = votes[k - 1];
        votes[k] = v;
    }
}

/* Sums of thirds still meet at half, by the slack. */
static double weighted_median(const es_vote *votes, size_t n, double below, double total) {
    double half = 0.5 * total, slack = 1e-12 * total;
    if (below >= half - slack && below > 0)
        return NAN;
    for (size_t i = 0; i < n; i++) {
        below += votes[i].weight * votes[i].copies;
        if (below > half + slack)
            return votes[i].value;
        if (below >= half - slack && i + 1 < n)
            return 0.5 * votes[i].value + 0.5 * votes[i + 1].value;
    }
    return NAN;
}

/* Type 7 over the copies as if written out. */
static double quantile(const es_vote *votes, size_t n, double q, size_t below, size_t total) {
    double position = q * (double)(total - 1);
    size_t k = (size_t)position;
    double part = position - (double)k;
    if (k < below)
        return NAN;
    for (size_t i = 0; i < n; i++) {
        below += votes[i].copies;
        if (k >= below)
            continue;
        if (k + 1 < below || part <= 0)
            return votes[i].value;
        if (i + 1 < n)
            return votes[i].value + part * (votes[i + 1].value - votes[i].value);
    }
    return NAN;
}

static double quantile_of(const es_score_rule *rule) {
    return rule->quantile > 0 ? rule->quantile : default_quantile;
}

double es_votes_place(const es_score_rule *rule) {
    switch (rule->aggregate) {
    case ES_AGGREGATE_MEDIAN:
    case ES_AGGREGATE_BALANCED:
        return 0.5;
    case ES_AGGREGATE_QUANTILE:
        return quantile_of(rule);
    default:
        return (double)NAN;
    }
}

double es_votes_pick(const es_score_rule *rule, const es_vote *votes, size_t n, es_tally below,
                     es_tally total) {
    if (rule->aggregate == ES_AGGREGATE_QUANTILE)
        return quantile(votes, n, quantile_of(rule), below.copies, total.copies);
    return weighted_median(votes, n, below.weight, total.weight);
}

/* Mean of the sorted votes without the share `trim` at either end; votes count by copies. */
static double trimmed_mean(const es_vote *votes, size_t n, double trim, size_t total) {
    size_t cut = (size_t)(trim * (double)total), end = total - cut, before = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        size_t after = before + votes[i].copies;
        size_t from = before > cut ? before : cut, to = after < end ? after : end;
        if (to > from)
            sum += (double)(to - from) * votes[i].value;
        before = after;
    }
    return sum / (double)(end - cut);
}

static double mean_vote(const es_vote *votes, size_t n, size_t total) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += votes[i].copies * votes[i].value;
    return sum / (double)total;
}

static double weighted_mean(const es_vote *votes, size_t n, double total) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += votes[i].weight * votes[i].copies * votes[i].value;
    return sum / total;
}

double es_votes_score(const es_score_rule *rule, const es_vote *votes, size_t n) {
    es_tally total = {0};
    for (size_t i = 0; i < n; i++) {
        total.weight += votes[i].weight * votes[i].copies;
        total.copies += votes[i].copies;
    }
    if (n == 0)
        return NAN;
    if (rule->aggregate == ES_AGGREGATE_MEAN)
        return mean_vote(votes, n, total.copies);
    if (rule->aggregate == ES_AGGREGATE_FAMILIES)
        return weighted_mean(votes, n, total.weight);
    if (rule->aggregate == ES_AGGREGATE_TRIMMED)
        return trimmed_mean(votes, n, rule->trim > 0 ? rule->trim : default_trim, total.copies);
    return es_votes_pick(rule, votes, n, (es_tally){0}, total);
}

bool es_votes_admit(const es_score_rule *rule, size_t i, size_t j) {
    if (rule->voting && !rule->voting[j])
        return false;
    if (i == j)
        return rule->include_self && !rule->leave_family_out;
    return !(rule->leave_family_out && rule->family && rule->family[i] == rule->family[j]);
}

bool es_votes_by_family(const es_score_rule *rule) {
    return rule->family &&
           (rule->aggregate == ES_AGGREGATE_FAMILIES || rule->aggregate == ES_AGGREGATE_BALANCED);
}

void es_votes_even_out(const es_score_rule *rule, es_vote *votes, size_t n, uint32_t *count) {
    if (!es_votes_by_family(rule))
        return;
    for (size_t i = 0; i < n; i++)
        count[rule->family[votes[i].target]] = 0;
    for (size_t i = 0; i < n; i++)
        count[rule->family[votes[i].target]] += votes[i].copies;
    for (size_t i = 0; i < n; i++)
        votes[i].weight = 1 / (double)count[rule->family[votes[i].target]];
}

size_t es_votes_targets(const double *is, size_t m, const es_score_rule *rule,
                        const uint32_t *order, size_t i, uint32_t *target, uint32_t *scratch) {
    size_t n = 0;
    for (size_t k = 0; k < m; k++) {
        size_t j = order ? order[k] : k;
        if (es_votes_admit(rule, i, j) && isfinite(is[i * m + j]))
            target[n++] = (uint32_t)j;
    }
    es_sort_index(is + i * m, target, scratch, n);
    return n;
}
