/* Compare: sentences about pairs and verdicts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_compare.h"
#include "app_values.h"

void es_compare_decision(const es_app *app, size_t pair, char *out, size_t capacity) {
    const es_decision *d = es_ranking_decided(app);
    const es_comparison *known = app->compare.known;
    es_buf text = {0};
    out[0] = '\0';
    if (d == NULL || known == NULL || pair >= known->pairs)
        return;
    const es_compare_settings *set = &app->set.compare;
    size_t a = es_ranked_place(app, set->item[known->pair[pair].a]);
    size_t b = es_ranked_place(app, set->item[known->pair[pair].b]);
    if (a >= d->m || b >= d->m || d->ranking->rank[a] == 0 || d->ranking->rank[b] == 0)
        return;
    const es_bottom_line_of of = es_ranked_words(app, d);
    es_bottom_line_put_pair(&of, a, b, &text);
    if (!text.failed)
        (void)snprintf(out, capacity, "%s", text.data);
    es_buf_free(&text);
}

const char *es_compare_sign(es_verdict verdict, bool ascii) {
    switch (verdict) {
    case ES_VERDICT_A_CONTAINS_B:
        return ascii ? ">" : "⊃";
    case ES_VERDICT_B_CONTAINS_A:
        return ascii ? "<" : "⊂";
    case ES_VERDICT_EQUIVALENT:
        return ascii ? "=" : "≡";
    case ES_VERDICT_NEITHER:
        return ascii ? "|" : "∥";
    case ES_VERDICT_NOT_SEPARABLE:
        return "?";
    default:
        return ascii ? "." : "·";
    }
}

/* True if a is shown to contain b. */
static bool contains(const es_comparison *known, size_t a, size_t b) {
    for (size_t p = 0; p < known->pairs; p++) {
        const es_compared_pair *pair = &known->pair[p];
        if (pair->a == a && pair->b == b)
            return pair->verdict == ES_VERDICT_A_CONTAINS_B;
        if (pair->a == b && pair->b == a)
            return pair->verdict == ES_VERDICT_B_CONTAINS_A;
    }
    return false;
}

/* "B ⊃ A ⊃ C" where each contains all that follow. */
static bool chain(const es_app *app, char *out, size_t capacity) {
    static const size_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const es_comparison *known = app->compare.known;
    const char *sign = es_compare_sign(ES_VERDICT_A_CONTAINS_B, app->ascii);
    for (size_t i = 0; known->count == 3 && i < 6; i++) {
        const size_t *o = orders[i];
        if (!contains(known, o[0], o[1]) || !contains(known, o[1], o[2]) ||
            !contains(known, o[0], o[2]))
            continue;
        (void)snprintf(out, capacity, "%c %s %c %s %c", (char)('A' + o[0]), sign,
                       (char)('A' + o[1]), sign, (char)('A' + o[2]));
        return true;
    }
    return false;
}

void es_compare_verdict(const es_app *app, char *out, size_t capacity) {
    const es_comparison *known = app->compare.known;
    size_t used = 0;
    out[0] = '\0';
    if (known == NULL || chain(app, out, capacity))
        return;
    for (size_t p = 0; p < known->pairs && used < capacity; p++) {
        const es_compared_pair *pair = &known->pair[p];
        bool second = pair->verdict == ES_VERDICT_B_CONTAINS_A; /* the container stands first */
        used += (size_t)snprintf(
            out + used, capacity - used, "%s%c %s %c", p > 0 ? "   " : "",
            (char)('A' + (second ? pair->b : pair->a)),
            es_compare_sign(second ? ES_VERDICT_A_CONTAINS_B : pair->verdict, app->ascii),
            (char)('A' + (second ? pair->a : pair->b)));
    }
}

void es_compare_legend(const es_app *app, char *out, size_t capacity) {
    static const char *const words[] = {[ES_VERDICT_UNKNOWN] = "not known",
                                        [ES_VERDICT_A_CONTAINS_B] = "contains",
                                        [ES_VERDICT_EQUIVALENT] = "equivalent",
                                        [ES_VERDICT_NEITHER] = "neither",
                                        [ES_VERDICT_NOT_SEPARABLE] = "not settled"};
    const es_comparison *known = app->compare.known;
    bool said[sizeof words / sizeof *words] = {false};
    size_t used = 0;
    out[0] = '\0';
    for (size_t p = 0; known != NULL && p < known->pairs && used < capacity; p++) {
        es_verdict verdict = known->pair[p].verdict;
        if (verdict == ES_VERDICT_B_CONTAINS_A)
            verdict = ES_VERDICT_A_CONTAINS_B;
        if (!said[verdict])
            used += (size_t)snprintf(out + used, capacity - used, "%s%s %s", used > 0 ? ", " : "",
                                     es_compare_sign(verdict, app->ascii), words[verdict]);
        said[verdict] = true;
    }
}

static bool pair_failed(const es_app *app) {
    const es_compare_settings *set = &app->set.compare;
    for (size_t a = 0; a < set->count; a++)
        for (size_t b = 0; b < set->count; b++)
            if (a != b && es_compare_pair_state(app, set->item[a], set->item[b]) == ES_PAIR_FAILED)
                return true;
    return false;
}

/* All values of the pairs are there, but not those that they are shares of. */
static bool own_lacks(const es_app *app) {
    const es_comparison *known = app->compare.known;
    bool lacks = known != NULL;
    for (size_t p = 0; known != NULL && p < known->pairs; p++) {
        const es_compared_pair *pair = &known->pair[p];
        lacks = lacks && isfinite(known->is[pair->a][pair->b]) &&
                isfinite(known->is[pair->b][pair->a]) &&
                es_compared_without_own(known, p) != SIZE_MAX;
    }
    return lacks;
}

const char *es_compare_sureness(const es_app *app) {
    const es_comparison *known = app->compare.known;
    size_t beyond = 0, judged = 0;
    bool without = false;
    for (size_t p = 0; known != NULL && p < known->pairs; p++) {
        const es_compared_pair *pair = &known->pair[p];
        if (!isfinite(pair->gap))
            continue;
        judged++;
        without = without || pair->without_errors;
        beyond += fabs(pair->gap) > known->z * pair->gap_error;
    }
    if (judged == 0)
        return pair_failed(app) ? "a pair failed, Jobs (7) shows why"
               : known != NULL && known->without_shares
                   ? "this estimator gives no shares; linear or knife do"
               : own_lacks(app) ? "a value with itself is missing or not above 0"
                                : "the pairs are not known yet";
    if (without)
        return "standard errors are unknown and taken as 0";
    if (beyond == judged)
        return judged == 1 ? "the gap exceeds its interval" : "all gaps exceed their intervals";
    return beyond > 0    ? "some gaps are within their intervals"
           : judged == 1 ? "the gap is within its interval"
                         : "all gaps are within their intervals";
}

void es_compare_put_gap(const es_app *app, size_t number, char *out, size_t capacity) {
    const es_comparison *known = app->compare.known;
    const es_compared_pair *pair = &known->pair[number];
    size_t used = strlen(out);
    if (isfinite(pair->gap))
        (void)snprintf(out + used, capacity - used,
                       pair->without_errors ? " (gap %.3f)" : " (gap %.3f ±%.3f)", fabs(pair->gap),
                       known->z * pair->gap_error);
}

void es_compare_sentence(const es_app *app, size_t number, char *out, size_t capacity) {
    const es_compared_pair *pair = &app->compare.known->pair[number];
    const char a[] = {(char)('A' + pair->a), '\0'}, b[] = {(char)('A' + pair->b), '\0'};
    es_buf said = {0};
    es_compared_sentence(app->compare.known, number, a, b, &said);
    (void)snprintf(out, capacity, "%s", said.failed || said.data == NULL ? "" : said.data);
    es_buf_free(&said);
}
