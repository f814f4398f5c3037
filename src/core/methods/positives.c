/* Pairs as people wrote them become a sorted list without repetitions: graded pairs are cut at a
 * quantile of their scores, and both directions of a pair share a group. */
#include "core_methods.h"

#include <math.h>
#include <stdlib.h>

/* A pair with its place in the input, so that of two equal ones the first stays. */
typedef struct entry {
    es_graded_pair pair;
    size_t at;
} entry;

static int compare_u32(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int by_rows(const void *x, const void *y) {
    const entry *a = x, *b = y;
    int order = compare_u32(a->pair.a, b->pair.a);
    if (order == 0)
        order = compare_u32(a->pair.b, b->pair.b);
    return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static int by_query(const void *x, const void *y) {
    const es_positive *a = x, *b = y;
    int order = compare_u32(a->query, b->query);
    return order != 0 ? order : compare_u32(a->partner, b->partner);
}

static es_status check_pairs(const es_graded_pair *pairs, size_t count, size_t n, bool *scored,
                             es_error *err) {
    *scored = count > 0 && !isnan(pairs[0].score);
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].a >= n || pairs[i].b >= n)
            return es_fail(err, ES_EINVAL, "pair %zu: row %lu is not among the rows 0 to %zu",
                           i + 1, (unsigned long)(pairs[i].a >= n ? pairs[i].a : pairs[i].b),
                           n - 1);
        if (isnan(pairs[i].score) == *scored || isinf(pairs[i].score))
            return es_fail(err, ES_EINVAL,
                           "pair %zu: either every pair has a finite score or none has", i + 1);
    }
    return ES_OK;
}

/* Sorted entries without self pairs and repetitions; the smaller row first unless directed. */
static size_t clean(const es_graded_pair *pairs, size_t count, bool directed, entry *kept,
                    es_positives *facts) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        es_graded_pair p = pairs[i];
        facts->self += p.a == p.b;
        if (p.a == p.b)
            continue;
        if (!directed && p.a > p.b) {
            p.a = pairs[i].b;
            p.b = pairs[i].a;
        }
        kept[left++] = (entry){p, i};
    }
    qsort(kept, left, sizeof *kept, by_rows);
    size_t unique = 0;
    bool turned = false; /* the last one stands the other way round, too */
    for (size_t i = 0; i < left; i++) {
        const es_graded_pair *last = unique > 0 ? &kept[unique - 1].pair : NULL;
        if (last && last->a == kept[i].pair.a && last->b == kept[i].pair.b) {
            /* (a, b) and (b, a) say the same; either twice, or with another score, is worth a
             * word. */
            const es_graded_pair *x = &pairs[kept[i].at], *y = &pairs[kept[unique - 1].at];
            bool back = !turned && x->a != y->a && (isnan(x->score) || x->score == y->score);
            facts->duplicates += !back;
            turned |= back;
            continue;
        }
        turned = false;
        kept[unique++] = kept[i];
    }
    return unique;
}

/* *out: the lowest score of the best `quantile` of the pairs; 0: of a quarter. */
static es_status score_threshold(const entry *kept, size_t count, double quantile, double *out,
                                 es_error *err) {
    double *score = es_alloc(count, sizeof *score);
    if (!score)
        return es_no_memory_for(err, "%zu pairs", count);
    for (size_t i = 0; i < count; i++)
        score[i] = kept[i].pair.score;
    size_t k = (size_t)((quantile > 0 ? quantile : 0.25) * (double)count + 0.5);
    k = k < 1 ? 1 : k > count ? count : k;
    *out = es_select(score, count, count - k);
    es_free(score);
    return ES_OK;
}

/* Items are sorted, so the direction from the smaller row has its number before the other asks. */
static void number_groups(es_positives *p) {
    for (size_t i = 0; i < p->count; i++) {
        es_positive *item = &p->item[i], back = {item->partner, item->query, 0};
        const es_positive *other = item->query > item->partner ? bsearch(&back, p->item, p->count,
                                                                         sizeof *p->item, by_query)
                                                               : NULL;
        item->group = other ? other->group : (uint32_t)p->groups++;
    }
}

es_status es_positives_new(const es_graded_pair *pairs, size_t count, size_t n,
                           const es_pair_rules *rules, es_positives *out, es_error *err) {
    es_positives p = {.threshold = NAN};
    entry *kept = NULL;
    bool scored = false;
    es_status st = ES_OK;
    if (!(rules->quantile >= 0 && rules->quantile <= 1))
        return es_fail(err, ES_EINVAL, "the share of positive pairs must be from 0 to 1");
    ES_TRY(check_pairs(pairs, count, n, &scored, err));
    kept = es_alloc(count, sizeof *kept);
    ES_FAIL_IF(!kept, es_no_memory_for(err, "%zu pairs", count));
    size_t left = clean(pairs, count, rules->directed, kept, &p);
    ES_FAIL_IF(left == 0,
               es_fail(err, ES_EEMPTY, "no pair of two different rows is left of %zu", count));
    if (scored)
        ES_TRY(score_threshold(kept, left, rules->quantile, &p.threshold, err));
    p.item = es_alloc(2 * left, sizeof *p.item);
    ES_FAIL_IF(!p.item, es_no_memory_for(err, "%zu pairs", count));
    for (size_t i = 0; i < left; i++) {
        es_graded_pair pair = kept[i].pair;
        if (scored && pair.score < p.threshold) {
            p.unpositive++;
            continue;
        }
        p.item[p.count++] = (es_positive){pair.a, pair.b, 0};
        if (!rules->directed)
            p.item[p.count++] = (es_positive){pair.b, pair.a, 0};
    }
    qsort(p.item, p.count, sizeof *p.item, by_query);
    number_groups(&p);
    *out = p;
done:
    es_free(kept);
    if (st != ES_OK)
        es_positives_free(&p);
    return st;
}

void es_positives_free(es_positives *positives) {
    es_free(positives->item);
    *positives = (es_positives){0};
}
