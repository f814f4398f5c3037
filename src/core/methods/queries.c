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
