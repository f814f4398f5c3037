/* Scores of all sources from their rows of the matrix, ranks with ties, and whether a large family
 * votes for itself. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "core_numerics.h"
#include "core_ranking.h"
#include "embedscope/score_rule.h"

void es_ranking_free(es_ranking *ranking) {
    if (!ranking)
        return;
    es_free(ranking->score);
    es_free(ranking->pairs);
    es_free(ranking);
}

static es_ranking *ranking_alloc(size_t m) {
    es_ranking *r = es_alloc_zero(1, sizeof *r);
    if (!r)
        return NULL;
    r->m = m;
    r->score = es_alloc(m, 2 * sizeof *r->score);
    r->pairs = es_alloc(m, 3 * sizeof *r->pairs);
    if (!r->score || !r->pairs) {
        es_ranking_free(r);
        return NULL;
    }
    r->in = r->score + m;
    r->of = r->pairs + m;
    r->rank = r->of + m;
    return r;
}

enum { WIDTH = 32 }; /* columns that are gathered together: their values share lines of memory */

/* Medians of the columns first..first + width) without the diagonal. scratch (WIDTH, m). */
static void medians_in(const double *is, size_t m, size_t first, size_t width, double *scratch,
                       double *out) {
    size_t n[WIDTH] = {0};
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < width; k++) {
            double value = is[i * m + first + k];
            if (i != first + k && isfinite(value))
                scratch[k * m + n[k]++] = value;
        }
    for (size_t k = 0; k < width; k++)
        out[first + k] = es_stat_median(scratch + k * m, n[k]);
}

/* The published score, as es_votes_score has it of equal weights, but without sorting: a live
 * ranking asks for it many times a second. */
static double plain_median(const double *row, size_t m, const es_score_rule *rule, size_t i,
                           double *scratch, size_t *n) {
    size_t count = 0;
    for (size_t j = 0; j < m; j++)
        if (isfinite(row[j]) && es_votes_admit(rule, i, j))
            scratch[count++] = row[j];
    *n = count;
    return es_stat_median(scratch, count);
}

static size_t count_infinite(const double *row, size_t m) {
    size_t count = 0;
    for (size_t j = 0; j < m; j++)
        count += isinf(row[j]) != 0;
    return count;
}

/* scratch (m). */
static void score_source(const double *is, const es_score_rule *rule, double *scratch, size_t i,
                         uint32_t *target, es_vote *votes, es_ranking *out) {
    size_t m = out->m, n = 0;
    if (rule->aggregate == ES_AGGREGATE_MEDIAN) {
        out->score[i] = plain_median(is + i * m, m, rule, i, scratch, &n);
    } else {
        n = es_votes_targets(is, m, rule, NULL, i, target, target + m);
        for (size_t k = 0; k < n; k++)
            votes[k] = (es_vote){is[i * m + target[k]], 1, 1, target[k]};
        es_votes_even_out(rule, votes, n, target + m);
        out->score[i] = es_votes_score(rule, votes, n);
    }
    out->pairs[i] = (uint32_t)n;
    out->of[i] = 0;
    for (size_t j = 0; j < m; j++) {
        out->of[i] += es_votes_admit(rule, i, j);
    }
    out->infinite += count_infinite(is + i * m, m);
}

es_status es_rank_competition(const double *value, size_t m, bool lower_is_better, uint32_t *rank,
                              es_error *err) {
    double *key = es_alloc(m, sizeof *key);
    uint32_t *index = es_alloc(m, 2 * sizeof *index);
    es_status st = ES_OK;
    ES_FAIL_IF(!key || !index, es_no_memory_for(err, "%zu embedders", m));
    size_t n = 0;
    for (size_t i = 0; i < m; i++) {
        rank[i] = 0;
        key[i] = lower_is_better ? value[i] : -value[i];
        if (!isnan(value[i]))
            index[n++] = (uint32_t)i;
    }
    es_sort_index(key, index, index + m, n);
    for (size_t k = 0; k < n; k++) {
        bool tied = k > 0 && key[index[k]] == key[index[k - 1]];
        rank[index[k]] = tied ? rank[index[k - 1]] : (uint32_t)k + 1;
    }
done:
    es_free(key);
    es_free(index);
    return st;
}

/* before: NULL, or what r was made of: rows that are the same keep what they have. */
static es_status score_sources(const double *is, const es_score_rule *rule, double *before,
                               es_ranking *r, es_error *err) {
    size_t m = r->m;
    es_status st = ES_OK;
    uint32_t *target = es_alloc(m, 2 * sizeof *target);
    es_vote *votes = es_alloc(m, sizeof *votes);
    double *scratch = es_alloc(m, WIDTH * sizeof *scratch);
    ES_FAIL_IF(!target || !votes || !scratch, es_no_memory_for(err, "%zu embedders", m));
    for (size_t i = 0; i < m; i++) {
        size_t row = m * sizeof *is;
        if (before && memcmp(before + i * m, is + i * m, row) == 0)
            continue;
        r->infinite -= before ? count_infinite(before + i * m, m) : 0;
        score_source(is, rule, scratch, i, target, votes, r);
        if (before)
            memcpy(before + i * m, is + i * m, row);
    }
    for (size_t j = 0; j < m && rule->sources_alone; j++)
        r->in[j] = (double)NAN;
    for (size_t j = 0; j < m && !rule->sources_alone; j += WIDTH)
        medians_in(is, m, j, m - j < WIDTH ? m - j : WIDTH, scratch, r->in);
    ES_TRY(es_rank_competition(r->score, m, false, r->rank, err));
done:
    es_free(target);
    es_free(votes);
    es_free(scratch);
    return st;
}

es_status es_ranking_new(const double *is, size_t m, const es_score_rule *rule, es_ranking **out,
                         es_error *err) {
    es_status st = es_score_rule_check(rule, m, err);
    if (st != ES_OK)
        return st;
    es_ranking *r = ranking_alloc(m);
    ES_FAIL_IF(!r, es_no_memory_for(err, "%zu embedders", m));
    ES_TRY(score_sources(is, rule, NULL, r, err));
    *out = r;
    r = NULL;
done:
    es_ranking_free(r);
    return st;
}

es_status es_ranking_renew(es_ranking *ranking, const double *is, double *before,
                           const es_score_rule *rule, es_error *err) {
    es_status st = es_score_rule_check(rule, ranking->m, err);
    return st == ES_OK ? score_sources(is, rule, before, ranking, err) : st;
}

/* Members of a family that vote, and the best rank of all its members. */
static size_t family_size(const uint32_t *family, const bool *voting, size_t m, uint32_t f) {
    size_t size = 0;
    for (size_t i = 0; i < m; i++)
        size += family[i] == f && (!voting || voting[i]);
    return size;
}

static uint32_t family_best(const uint32_t *family, const es_ranking *r, uint32_t f) {
    uint32_t best = 0;
    for (size_t i = 0; i < r->m; i++)
        if (family[i] == f && r->rank[i] > 0 && (best == 0 || r->rank[i] < best))
            best = r->rank[i];
    return best;
}

static void find_largest(const uint32_t *family, const bool *voting, const es_ranking *plain,
                         es_dominance *out) {
    size_t m = plain->m, voters = 0;
    double squares = 0;
    for (size_t i = 0; i < m; i++)
        voters += !voting || voting[i];
    for (uint32_t f = 0; f < m; f++) {
        size_t size = family_size(family, voting, m, f);
        uint32_t best = family_best(family, plain, f);
        double share = voters > 0 ? (double)size / (double)voters : 0;
        squares += share * share;
        if (size > out->size || (size == out->size && best > 0 && best < out->best_plain)) {
            out->family = f;
            out->size = size;
            out->share = share;
            out->best_plain = best;
        }
    }
    out->voters = squares > 0 ? 1 / squares : 0;
}

/* Mean over the family's members of what its own votes add to their score. */
static double family_advantage(const uint32_t *family, uint32_t f, const es_ranking *with,
                               const es_ranking *without) {
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < with->m; i++)
        if (family[i] == f && isfinite(with->score[i]) && isfinite(without->score[i])) {
            sum += with->score[i] - without->score[i];
            n++;
        }
    if (n == 0)
        return NAN;
    return sum / (double)n;
}

es_status es_ranking_dominance(const double *is, size_t m, const es_score_rule *rule,
                               es_dominance *out, es_error *err) {
    es_dominance d = {.advantage = NAN};
    es_ranking *plain = NULL, *without = NULL, *balanced = NULL;
    uint32_t *own = NULL;
    es_status st = ES_OK;
    es_score_rule left_out = *rule;
    left_out.leave_family_out = true;
    es_score_rule once = left_out;
    once.aggregate = ES_AGGREGATE_BALANCED;
    ES_TRY(es_ranking_new(is, m, rule, &plain, err));
    ES_TRY(es_ranking_new(is, m, &left_out, &without, err));
    ES_TRY(es_ranking_new(is, m, &once, &balanced, err));
    const uint32_t *family = rule->family;
    if (!family) {
        own = es_alloc(m, sizeof *own);
        ES_FAIL_IF(!own, es_no_memory_for(err, "%zu families", m));
        for (size_t i = 0; i < m; i++)
            own[i] = (uint32_t)i;
        family = own;
    }
    find_largest(family, rule->voting, plain, &d);
    if (d.size > 0) {
        d.best_balanced = family_best(family, balanced, d.family);
        d.advantage = family_advantage(family, d.family, plain, without);
    }
    d.dominates = !rule->leave_family_out && d.size >= 3 && d.share >= 0.25 && d.best_plain > 0 &&
                  d.best_balanced > d.best_plain;
    *out = d;
done:
    es_ranking_free(plain);
    es_ranking_free(without);
    es_ranking_free(balanced);
    es_free(own);
    return st;
}

/* Reads the name of an aggregate and checks its numbers. The median over targets is the published
 * score (Darrin et al., NeurIPS 2024); the others show how much hangs on that choice. */

es_status es_score_rule_parse(const char *text, es_score_rule *rule, es_error *err) {
    static const char *const names[] = {"median", "mean", "q75", "trimmed", "balanced"};
    size_t known = es_text_index(names, sizeof names / sizeof *names, text);
    if (known != SIZE_MAX) {
        rule->aggregate = (es_aggregate)known;
        rule->quantile = 0.75;
        return ES_OK;
    }
    double percent = NAN;
    size_t length = strlen(text);
    if (text[0] == 'q' && length >= 2 && length <= 4 &&
        strspn(text + 1, "0123456789") == length - 1 &&
        es_text_parse_double(text + 1, length - 1, &percent) && percent > 0 && percent <= 100) {
        rule->aggregate = ES_AGGREGATE_QUANTILE;
        rule->quantile = percent / 100;
        return ES_OK;
    }
    return es_fail(
        err, ES_EINVAL,
        "unknown aggregate '%s': use median, mean, q75 (or q1 to q100), trimmed or balanced", text);
}

es_status es_score_rule_check(const es_score_rule *rule, size_t m, es_error *err) {
    if (!(rule->quantile >= 0 && rule->quantile <= 1))
        return es_fail(err, ES_EINVAL, "quantile %g is not between 0 and 1", rule->quantile);
    if (!(rule->trim >= 0 && rule->trim < 0.5))
        return es_fail(err, ES_EINVAL, "a trim of %g leaves nothing: use less than 0.5",
                       rule->trim);
    for (size_t i = 0; rule->family && i < m; i++)
        if (rule->family[i] >= m)
            return es_fail(err, ES_EINVAL, "family number %u of embedder %zu is not below %zu",
                           (unsigned)rule->family[i], i, m);
    return ES_OK;
}
