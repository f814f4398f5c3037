/* The verdicts of a comparison as sentences. */
#include "report.h"

#include <math.h>

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
