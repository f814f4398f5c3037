/* Reads the name of an aggregate and checks its numbers. The median over targets is the published
 * score (Darrin et al., NeurIPS 2024); the others show how much hangs on that choice. */
#include "embedscope/score_rule.h"

#include <math.h>
#include <string.h>

#include "base.h"

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
