/* Retrieval measures by the definitions of trec_eval (NIST). Documents and queries are points of
 * one space, so that what distances hang on is measured exactly, whichever way they are tiled. */
#include "core_methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_query(const void *x, const void *y) {
    const es_judgement *a = x, *b = y;
    if (a->query != b->query)
        return a->query < b->query ? -1 : 1;
    return (a->doc > b->doc) - (a->doc < b->doc);
}

static int downwards(const void *x, const void *y) {
    const double *a = x, *b = y;
    return (*a < *b) - (*a > *b);
}

/* ---- one query ---- */

typedef struct work {
    const es_retrieval_rules *rules;
    size_t n, k;          /* documents in all; looked at */
    es_space space;       /* documents, and behind them queries that are no documents */
    es_judgement *judged; /* (count) by query, then document; one of each */
    size_t count;
    bool *competes;         /* (points) */
    double *gain;           /* (points) relevance to the query at hand, else 0 */
    double *ideal;          /* (count) its relevances, best first */
    es_near *list;          /* (points) scratch */
    double *copy, *scratch; /* (points); (ES_SPACE_BLOCK, d) */
    double *block;          /* (ES_SPACE_BLOCK, points) */
} work;

static double discount(size_t rank) {
    return 1 / log2((double)rank + 1);
}

/* list (found): what was retrieved, in order. */
static void score(const work *w, size_t found, size_t answers, const double *ideal, size_t ideals,
                  double *out) {
    double dcg = 0, best = 0, precision = 0;
    size_t hits = 0, first = 0;
    for (size_t i = 0; i < found; i++) {
        double gain = w->gain[w->list[i].row];
        if (!(gain > 0))
            continue;
        hits++;
        first = first ? first : i + 1;
        precision += (double)hits / (double)(i + 1);
        dcg += gain * discount(i + 1);
    }
    for (size_t i = 0; i < ideals && i < w->k; i++)
        best += ideal[i] * discount(i + 1);
    out[ES_RETRIEVAL_NDCG] = dcg / best;
    out[ES_RETRIEVAL_MAP] = precision / (double)answers;
    out[ES_RETRIEVAL_RECALL] = (double)hits / (double)answers;
    out[ES_RETRIEVAL_MRR] = first ? 1 / (double)first : 0;
    out[ES_RETRIEVAL_SUCCESS] = hits > 0;
}

/* True if equal distances at the cut after `found` belong to documents of different relevance, so
 * that row numbers decide. */
static bool decided_by_number(const work *w, size_t found, size_t count) {
    for (size_t i = 0, from = 0; i < count; i++) {
        if (!es_space_tied(&w->space, w->list[from].d2, w->list[i].d2))
            from = i;
        if (from >= found)
            return false;
        if (w->gain[w->list[i].row] < w->gain[w->list[from].row] ||
            w->gain[w->list[i].row] > w->gain[w->list[from].row])
            return true;
    }
    return false;
}

/* The query at `point` with judgements [from, to), at least one of them an answer. */
static void ask(work *w, size_t point, size_t from, size_t to, const double *d2, double *out,
                es_retrieval_seen *seen) {
    size_t answers = 0, found = w->k;
    *seen = (es_retrieval_seen){.nearest = UINT32_MAX, .answer = UINT32_MAX};
    bool competed = w->competes[point];
    w->competes[point] = false;
    for (size_t i = from; i < to; i++) {
        w->gain[w->judged[i].doc] = w->judged[i].relevance;
        if (!(w->judged[i].relevance > 0))
            continue;
        if (seen->answer == UINT32_MAX || w->judged[i].relevance > w->gain[seen->answer])
            seen->answer = w->judged[i].doc;
        w->ideal[answers++] = w->judged[i].relevance;
    }
    qsort(w->ideal, answers, sizeof *w->ideal, downwards);
    size_t count = es_nearest_of(&w->space, point, w->competes, d2, &found, w->list, w->copy);
    score(w, found, answers, w->ideal, answers, out);
    seen->answers = (uint32_t)answers;
    seen->by_number = decided_by_number(w, found, count);
    for (size_t i = 0; i < found; i++)
        seen->found += w->gain[w->list[i].row] > 0;
    if (found > 0)
        seen->nearest = w->list[0].row;
    for (size_t i = from; i < to; i++)
        w->gain[w->judged[i].doc] = 0;
    w->competes[point] = competed;
}

/* ---- the whole ---- */

static void work_free(work *w) {
    es_space_free(&w->space);
    es_free(w->judged);
    es_free(w->competes);
    es_free(w->gain);
    es_free(w->ideal);
    es_free(w->list);
    es_free(w->copy);
    es_free(w->scratch);
    es_free(w->block);
}

/* Sorted; of repetitions the first, and nothing of a query on itself. */
static es_status take_judgements(const es_judgement *given, size_t count, size_t n, size_t queries,
                                 bool own, work *w, es_error *err) {
    w->judged = es_alloc(count, sizeof *w->judged);
    w->ideal = es_alloc(count, sizeof *w->ideal);
    if (!w->judged || !w->ideal)
        return es_no_memory_for(err, "%zu judgements", count);
    for (size_t i = 0; i < count; i++) {
        if (given[i].doc >= n)
            return es_fail(err, ES_EINVAL, "document %lu: there are only %zu rows",
                           (unsigned long)given[i].doc, n);
        if (given[i].query >= queries)
            return es_fail(err, ES_EINVAL, "query %lu: there are only %zu",
                           (unsigned long)given[i].query, queries);
        if (own || given[i].query != given[i].doc)
            w->judged[w->count++] = given[i];
    }
    qsort(w->judged, w->count, sizeof *w->judged, by_query);
    size_t kept = 0;
    for (size_t i = 0; i < w->count; i++)
        if (kept == 0 || by_query(&w->judged[kept - 1], &w->judged[i]) != 0)
            w->judged[kept++] = w->judged[i];
    w->count = kept;
    return ES_OK;
}

/* Documents, and behind them the queries where these are others. */
static es_status make_space(const es_matrix *documents, const es_matrix *queries, work *w,
                            es_error *err) {
    es_matrix all = {0};
    if (queries == NULL)
        return es_space_new(documents, w->rules->metric, &w->space, err);
    size_t own = documents->n * documents->d;
    ES_PASS(es_matrix_new(documents->n + queries->n, documents->d, &all, err));
    memcpy(all.x, documents->x, own * sizeof *all.x);
    memcpy(all.x + own, queries->x, queries->n * queries->d * sizeof *all.x);
    es_status st = es_space_new(&all, w->rules->metric, &w->space, err);
    es_matrix_free(&all);
    return st;
}

static es_status allocate_work(work *w, size_t queries, es_retrieval *r, es_error *err) {
    size_t points = w->space.n;
    w->competes = es_alloc_zero(points, sizeof *w->competes);
    w->gain = es_alloc_zero(points, sizeof *w->gain);
    w->list = es_alloc(points, sizeof *w->list);
    w->copy = es_alloc(points, sizeof *w->copy);
    w->scratch = es_alloc(ES_SPACE_BLOCK * w->space.d, sizeof *w->scratch);
    w->block = es_alloc(ES_SPACE_BLOCK * points, sizeof *w->block);
    r->query = es_alloc(queries, sizeof *r->query);
    r->value = es_alloc(queries, ES_RETRIEVAL_STATS * sizeof *r->value);
    r->seen = es_alloc(queries, sizeof *r->seen);
    if (!w->competes || !w->gain || !w->list || !w->copy || !w->scratch || !w->block || !r->query ||
        !r->value || !r->seen)
        return es_no_memory_for(err, "%zu documents", points);
    return ES_OK;
}

static void choose_documents(work *w, es_retrieval *r) {
    for (size_t i = 0; i < w->n; i++)
        w->competes[i] = !w->rules->judged_only;
    for (size_t i = 0; i < w->count; i++)
        w->competes[w->judged[i].doc] = true;
    for (size_t i = 0; i < w->n; i++)
        r->documents += w->competes[i];
}

/* Judgements [from, end) of the query at `from`; whether one of them is an answer. */
static size_t end_of(const work *w, size_t from, bool *answered) {
    size_t end = from;
    *answered = false;
    for (; end < w->count && w->judged[end].query == w->judged[from].query; end++)
        *answered = *answered || w->judged[end].relevance > 0;
    return end;
}

/* Queries in blocks of one matrix product. first: the point of query 0. */
static es_status ask_all(work *w, size_t first, const es_run *run, es_retrieval *r, es_error *err) {
    for (size_t at = 0; at < w->count;) {
        uint32_t point[ES_SPACE_BLOCK];
        size_t from[ES_SPACE_BLOCK], to[ES_SPACE_BLOCK], queries = 0;
        while (at < w->count && queries < ES_SPACE_BLOCK) {
            bool answered;
            size_t end = end_of(w, at, &answered);
            r->skipped += !answered;
            from[queries] = at;
            to[queries] = end;
            point[queries] = (uint32_t)(first + w->judged[at].query);
            queries += answered;
            at = end;
        }
        ES_PASS(es_run_check(run, err));
        es_space_block(&w->space, point, queries, w->scratch, w->block);
        for (size_t q = 0; q < queries; q++, r->count++) {
            r->query[r->count] = w->judged[from[q]].query;
            ask(w, point[q], from[q], to[q], w->block + q * w->space.n,
                r->value + r->count * ES_RETRIEVAL_STATS, &r->seen[r->count]);
            r->by_number += r->seen[r->count].by_number;
        }
    }
    return ES_OK;
}

/* Mean and error of each statistic over queries. */
static void summarise_queries(es_retrieval *r) {
    double n = (double)r->count;
    for (size_t s = 0; s < ES_RETRIEVAL_STATS; s++) {
        double sum = 0, squares = 0;
        for (size_t q = 0; q < r->count; q++)
            sum += r->value[q * ES_RETRIEVAL_STATS + s];
        r->mean[s] = sum / n;
        for (size_t q = 0; q < r->count; q++) {
            double e = r->value[q * ES_RETRIEVAL_STATS + s] - r->mean[s];
            squares += e * e;
        }
        r->se[s] = r->count > 1 ? sqrt(squares / (n - 1) / n) : (double)NAN;
    }
}

es_status es_retrieval_of(const es_matrix *documents, const es_matrix *queries,
                          const es_judgement *judgements, size_t count,
                          const es_retrieval_rules *rules, const es_run *run, es_retrieval *out,
                          es_error *err) {
    work w = {.rules = rules, .n = documents->n};
    es_retrieval r = {0};
    es_status st = ES_OK;
    ES_FAIL_IF(queries && queries->d != documents->d,
               es_fail(err, ES_EINVAL, "queries have %zu columns, documents %zu", queries->d,
                       documents->d));
    ES_TRY(take_judgements(judgements, count, w.n, queries ? queries->n : w.n, queries != NULL, &w,
                           err));
    ES_TRY(make_space(documents, queries, &w, err));
    ES_TRY(allocate_work(&w, w.count, &r, err));
    choose_documents(&w, &r);
    w.k = rules->k > 0 ? rules->k : 10;
    ES_TRY(ask_all(&w, queries ? w.n : 0, run, &r, err));
    ES_FAIL_IF(r.count == 0, es_fail(err, ES_EEMPTY, "no query has an answer"));
    summarise_queries(&r);
    *out = r;
    r = (es_retrieval){0};
done:
    es_retrieval_free(&r);
    work_free(&w);
    return st;
}

void es_retrieval_free(es_retrieval *r) {
    es_free(r->query);
    es_free(r->value);
    es_free(r->seen);
    *r = (es_retrieval){0};
}
