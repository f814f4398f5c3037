/* Draws queries from classes, judgements or pairs: each gets documents that answer it and some
 * that do not, in an order that hangs on the seed alone. */
#include "core_methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A set that is being drawn: each query in turn fills `mark` and is then sampled from it. */
enum { NEITHER, POSITIVE, NEGATIVE };

typedef struct drawing {
    es_query_rules rules;
    size_t n;
    unsigned char *mark; /* (n) of the current query */
    uint32_t *list;      /* (n) scratch */
    es_query_set set;
} drawing;

static es_status drawing_init(drawing *w, size_t n, const es_query_rules *rules, es_error *err) {
    *w = (drawing){.rules = *rules, .n = n};
    es_query_rules *r = &w->rules;
    r->queries = r->queries > 0 ? r->queries : 100;
    r->positives = r->positives > 0 ? r->positives : 5;
    r->negatives = r->negatives > 0 ? r->negatives : 50;
    r->queries = r->queries < n ? r->queries : n;
    r->positives = r->positives < n ? r->positives : n;
    r->negatives = r->negatives < n ? r->negatives : n;
    w->mark = es_alloc(n, 1);
    w->list = es_alloc(n, sizeof *w->list);
    w->set.query = es_alloc(r->queries, sizeof *w->set.query);
    w->set.docs = es_alloc(r->queries * (r->positives + r->negatives), sizeof *w->set.docs);
    if (!w->mark || !w->list || !w->set.query || !w->set.docs)
        return es_no_memory_for(err, "%zu queries", r->queries);
    return ES_OK;
}

/* Frees the scratch and returns the set, or fails if it is empty. */
static es_status drawing_end(drawing *w, es_status st, es_query_set *out, es_error *err) {
    es_free(w->mark);
    es_free(w->list);
    if (st == ES_OK && w->set.count == 0)
        st = es_fail(err, ES_EEMPTY, "no query has 2 documents that answer it and 2 that do not");
    if (st == ES_OK)
        *out = w->set;
    else
        es_queries_free(&w->set);
    return st;
}

/* `most` of the rows with this mark, at random, to doc; returns how many. */
static size_t draw(drawing *w, unsigned char mark, size_t most, es_rng *rng, uint32_t *doc) {
    size_t count = 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->mark[i] == mark)
            w->list[count++] = (uint32_t)i;
    size_t take = count < most ? count : most;
    for (size_t i = 0; i < take; i++) {
        size_t j = i + es_rng_below(rng, count - i);
        doc[i] = w->list[j];
        w->list[j] = w->list[i];
    }
    return take;
}

/* Adds the query whose marks are set, if it has enough; true when the set is full. */
static bool add_query(drawing *w, uint32_t row) {
    const es_query_rules *r = &w->rules;
    es_query_set *set = &w->set;
    uint32_t *doc = set->docs + set->count * (r->positives + r->negatives);
    es_rng rng;
    es_rng_init(&rng, r->seed, es_rng_stream(ES_STREAM_SAMPLE, r->run << 32 | row));
    if (!r->own_ids)
        w->mark[row] = NEITHER;
    size_t positives = draw(w, POSITIVE, r->positives, &rng, doc);
    size_t negatives = draw(w, NEGATIVE, r->negatives, &rng, doc + positives);
    if (positives < 2 || negatives < 2) {
        set->skipped++;
    } else {
        set->query[set->count++] =
            (es_query){row, (uint32_t)positives, (uint32_t)negatives, doc, 1};
        set->fewer += positives < r->positives;
    }
    return set->count == r->queries;
}

static int by_row(const void *x, const void *y) {
    const es_query *a = x, *b = y;
    return (a->row > b->row) - (a->row < b->row);
}

es_status es_queries_from_classes(const double *label, size_t n, const es_query_rules *rules,
                                  es_query_set *out, es_error *err) {
    drawing w;
    uint32_t *order = NULL;
    size_t labelled = 0;
    es_rng rng;
    es_status st = ES_OK;
    ES_TRY(drawing_init(&w, n, rules, err));
    order = es_alloc(n, sizeof *order);
    ES_FAIL_IF(!order, es_no_memory_for(err, "%zu labels", n));
    for (size_t i = 0; i < n; i++)
        if (isfinite(label[i]))
            order[labelled++] = (uint32_t)i;
    es_rng_init(&rng, rules->seed, es_rng_stream(ES_STREAM_SHUFFLE, rules->run << 32 | n));
    es_rng_shuffle(&rng, order, labelled);
    for (size_t k = 0; k < labelled; k++) {
        for (size_t i = 0; i < n; i++)
            w.mark[i] = !isfinite(label[i])           ? NEITHER
                        : label[i] == label[order[k]] ? POSITIVE
                                                      : NEGATIVE;
        if (add_query(&w, order[k]))
            break;
    }
    qsort(w.set.query, w.set.count, sizeof *w.set.query, by_row);
    for (size_t q = 0; q < w.set.count; q++) {
        size_t same = 0;
        for (size_t k = 0; k < w.set.count; k++)
            same += label[w.set.query[k].row] == label[w.set.query[q].row];
        w.set.query[q].weight = 1 / (double)same;
    }
done:
    es_free(order);
    return drawing_end(&w, st, out, err);
}

static int by_query(const void *x, const void *y) {
    const es_judgement *a = x, *b = y;
    int order = (a->query > b->query) - (a->query < b->query);
    if (order == 0)
        order = (a->doc > b->doc) - (a->doc < b->doc);
    return order != 0 ? order : (a->relevance > b->relevance) - (a->relevance < b->relevance);
}

static es_status check_judgements(const es_judgement *sorted, size_t count, size_t n, bool own_ids,
                                  es_error *err) {
    for (size_t i = 0; i < count; i++) {
        const es_judgement *j = &sorted[i], *next = i + 1 < count ? j + 1 : j;
        if ((!own_ids && j->query >= n) || j->doc >= n)
            return es_fail(err, ES_EINVAL, "query %lu, document %lu: there are only %zu rows",
                           (unsigned long)j->query, (unsigned long)j->doc, n);
        if (!(j->relevance >= 0))
            return es_fail(err, ES_EINVAL, "query %lu, document %lu: relevance must be 0 or more",
                           (unsigned long)j->query, (unsigned long)j->doc);
        if (j->query == next->query && j->doc == next->doc &&
            (j->relevance > 0) != (next->relevance > 0))
            return es_fail(err, ES_EINVAL,
                           "query %lu: document %lu is both relevant and not; keep one line",
                           (unsigned long)j->query, (unsigned long)j->doc);
    }
    return ES_OK;
}

/* The marks of the query of judgements [from, to). */
static void mark_query(drawing *w, const es_judgement *j, size_t from, size_t to) {
    bool known = false;
    for (size_t i = from; i < to; i++)
        known = known || j[i].relevance == 0;
    memset(w->mark, known ? NEITHER : NEGATIVE, w->n);
    for (size_t i = from; i < to; i++)
        w->mark[j[i].doc] = j[i].relevance > 0 ? POSITIVE : NEGATIVE;
}

es_status es_queries_from_judgements(const es_judgement *judgements, size_t count, size_t n,
                                     const es_query_rules *rules, es_query_set *out,
                                     es_error *err) {
    drawing w;
    es_judgement *sorted = NULL;
    uint32_t *start = NULL;
    size_t queries = 0;
    es_rng rng;
    es_status st = ES_OK;
    ES_TRY(drawing_init(&w, n, rules, err));
    sorted = es_alloc(count, sizeof *sorted);
    start = es_alloc(count, sizeof *start);
    ES_FAIL_IF(!sorted || !start, es_no_memory_for(err, "%zu judgements", count));
    if (count > 0)
        memcpy(sorted, judgements, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_query);
    ES_TRY(check_judgements(sorted, count, n, rules->own_ids, err));
    for (size_t i = 0; i < count; i++)
        if (i == 0 || sorted[i].query != sorted[i - 1].query)
            start[queries++] = (uint32_t)i;
    es_rng_init(&rng, rules->seed, es_rng_stream(ES_STREAM_SHUFFLE, rules->run << 32 | n));
    es_rng_shuffle(&rng, start, queries);
    for (size_t q = 0; q < queries; q++) {
        size_t from = start[q], to = from;
        while (to < count && sorted[to].query == sorted[from].query)
            to++;
        mark_query(&w, sorted, from, to);
        if (add_query(&w, sorted[from].query))
            break;
    }
    qsort(w.set.query, w.set.count, sizeof *w.set.query, by_row);
    w.set.own_ids = rules->own_ids;
done:
    es_free(sorted);
    es_free(start);
    return drawing_end(&w, st, out, err);
}

void es_queries_free(es_query_set *set) {
    es_free(set->query);
    es_free(set->docs);
    *set = (es_query_set){0};
}

/* Pairs as people wrote them become a sorted list without repetitions: graded pairs are cut at a
 * quantile of their scores, and both directions of a pair share a group. */

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

static int by_positives_query(const void *x, const void *y) {
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
        const es_positive *other =
            item->query > item->partner
                ? bsearch(&back, p->item, p->count, sizeof *p->item, by_positives_query)
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
    qsort(p.item, p.count, sizeof *p.item, by_positives_query);
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
