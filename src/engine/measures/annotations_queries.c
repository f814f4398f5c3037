/* Judgements of documents, and queries drawn from them, from classes or from pairs. */
#include "engine_measures_parts.h"

#include <string.h>

void annotations_draws_free(es_query_draws *d) {
    for (size_t r = 0; d->set && r < d->runs; r++)
        es_queries_free(&d->set[r]);
    es_free(d->set);
}
/* ---- queries ---- */

static es_status has_judgements(const es_annotations *e, bool *there, es_error *err) {
    char *path = NULL;
    es_status st = es_pool_beside(e->pool, "qrels.csv", &path, err);
    *there = path != NULL;
    es_free(path);
    return st;
}

/* Chooses which file queries are read from; FROM_AUTO: there is none. */
static es_status choose_source(es_annotations *e, es_error *err) {
    bool qrels = false;
    es_status st = ES_OK;
    if (e->from != FROM_AUTO)
        return ES_OK;
    e->from = (int)e->values[SET_FROM];
    if (e->from != FROM_AUTO)
        return ES_OK;
    ES_TRY(has_judgements(e, &qrels, err));
    if (qrels) {
        e->from = FROM_QRELS;
        goto done;
    }
    ES_TRY(annotations_read_labels(e, err));
    for (size_t k = 0; k < e->labels.tasks && e->from == FROM_AUTO; k++)
        if (e->task[k].classes && e->labels.task[k].n_classes > 1)
            e->from = FROM_LABELS;
    if (e->from == FROM_LABELS)
        goto done;
    ES_TRY(annotations_read_positives(e, err));
    e->from = e->pairs.count > 0 ? FROM_PAIRS : FROM_AUTO;
done:
    return st;
}

/* Label column of query source number k: columns of numbers give none. */
size_t annotations_class_column(const es_annotations *e, size_t k) {
    for (size_t c = 0; c < e->labels.tasks; c++)
        if (e->task[c].classes && k-- == 0)
            return c;
    return SIZE_MAX;
}

static size_t class_columns(const es_annotations *e) {
    size_t count = 0;
    for (size_t c = 0; c < e->labels.tasks; c++)
        count += e->task[c].classes;
    return count;
}

/* Judgements in the rows in use. */
static void keep_judgements(const es_annotations *e, es_judgement_list *list, size_t *dropped) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        es_judgement j = list->judgement[i];
        if (e->row) {
            j.query = e->own_ids ? j.query : e->row[j.query];
            j.doc = e->row[j.doc];
        }
        if (j.query == UINT32_MAX || j.doc == UINT32_MAX)
            continue;
        if (list->frequency)
            list->frequency[kept] = list->frequency[i];
        list->judgement[kept++] = j;
    }
    *dropped = list->count - kept;
    list->count = kept;
}

static es_status read_judgements(es_annotations *e, es_judgement_list *out, es_error *err) {
    char *path = NULL;
    size_t dropped = 0;
    es_error why = {0};
    es_row_ids queries = {0};
    es_row_naming naming = es_pool_row_naming(e->pool);
    es_status st = es_pool_beside(e->pool, "qrels.csv", &path, err);
    if (st == ES_OK && !path)
        st = es_fail(err, ES_ENOTFOUND, "the pool has no qrels.csv (query,doc,rel)");
    else if (st == ES_OK && e->own_ids)
        st = es_pool_query_ids(e->pool, &queries, err);
    if (st == ES_OK && (st = es_judgement_list_read(path, 0, e->files, e->own_ids, &queries,
                                                    &naming, out, &why)) != ES_OK)
        st = annotations_shorten(st, "qrels.csv", &why, err);
    es_row_ids_deinit(&queries);
    es_free(path);
    if (st != ES_OK)
        return st;
    if (out->by_ids)
        annotations_note(e, "qrels.csv: its rows go by their ids, not by their numbers");
    keep_judgements(e, out, &dropped);
    if (dropped > 0)
        annotations_note(
            e, "qrels.csv: left out as their rows are not in use: %zu of the judgements", dropped);
    if (out->self > 0)
        annotations_note(
            e, "qrels.csv: left out as a query is among its own documents: %zu of the judgements",
            out->self);
    return ES_OK;
}

/* With the vectors of queries that are no rows: what is computed hangs on them, too. */
static es_status digest_judged(es_annotations *e, es_error *err) {
    es_status st = ES_OK;
    es_hasher h;
    es_hasher_init(&h);
    es_hasher_add_text(&h, "judgements");
    for (size_t i = 0; i < e->judged.count; i++) {
        es_hasher_add_u64(&h, e->judged.judgement[i].query);
        es_hasher_add_u64(&h, e->judged.judgement[i].doc);
        es_hasher_add(&h, &e->judged.judgement[i].relevance, sizeof(double));
    }
    for (size_t i = 0; e->own_ids && i < es_pool_count(e->pool); i++) {
        es_digest digest = {0};
        es_error why = {0};
        /* without: only its own embedder fails, and says so */
        st = es_pool_queries_digest(e->pool, i, &digest, &why);
        es_hasher_add(&h, &digest, sizeof digest);
    }
    e->judged_digest = es_hasher_result(&h);
    return st == ES_ENOMEM ? es_no_memory(err) : ES_OK;
}

es_status annotations_read_judged(es_annotations *e, es_error *err) {
    bool there = false;
    es_status st = ES_OK;
    if (e->judged_read)
        return ES_OK;
    ES_TRY(has_judgements(e, &there, err));
    if (there)
        ES_TRY(read_judgements(e, &e->judged, err));
    ES_TRY(digest_judged(e, err));
    e->judged_read = true;
done:
    if (st != ES_OK)
        es_judgement_list_deinit(&e->judged);
    return st;
}

/* Positive pairs as judgements: a row is answered by its partners. */
static es_status judgements_of_pairs(es_annotations *e, es_judgement_list *out, es_error *err) {
    static const es_positives none = {0};
    ES_PASS(annotations_read_positives(e, err));
    const es_positives *p = e->pairs.count > 0 ? &e->pairs.item[0].positives : &none;
    out->judgement = es_alloc(p->count, sizeof *out->judgement);
    if (!out->judgement)
        return es_no_memory(err);
    for (size_t i = 0; i < p->count; i++)
        out->judgement[out->count++] = (es_judgement){p->item[i].query, p->item[i].partner, 1};
    return ES_OK;
}

/* Weights 1 / frequency where the file says it. */
static void weigh(const es_judgement_list *list, es_query_set *set) {
    for (size_t q = 0; list->frequency && q < set->count; q++)
        for (size_t i = 0; i < list->count; i++)
            if (list->judgement[i].query == set->query[q].row) {
                set->query[q].weight = 1 / list->frequency[i];
                break;
            }
}

static es_digest digest_draws(const es_query_draws *d) {
    es_hasher h;
    es_hasher_init(&h);
    es_hasher_add_text(&h, "queries");
    for (size_t r = 0; r < d->runs; r++)
        for (size_t q = 0; q < d->set[r].count; q++) {
            const es_query *one = &d->set[r].query[q];
            es_hasher_add_u64(&h, one->row);
            es_hasher_add_u64(&h, one->positives);
            es_hasher_add(&h, &one->weight, sizeof one->weight);
            es_hasher_add(&h, one->doc, (one->positives + one->negatives) * sizeof *one->doc);
        }
    return es_hasher_result(&h);
}

es_status annotations_draw(es_annotations *e, size_t k, es_error *err) {
    es_query_draws d = {.runs = (size_t)e->values[SET_RUNS]};
    es_query_rules rules = {.queries = (size_t)e->values[SET_QUERIES],
                            .positives = (size_t)e->values[SET_POSITIVES],
                            .negatives = (size_t)e->values[SET_NEGATIVES],
                            .seed = e->seed,
                            .own_ids = e->from == FROM_QRELS && e->own_ids};
    es_judgement_list list = {0};
    es_error why = {0};
    es_status st = ES_OK;
    size_t column = e->from == FROM_LABELS ? annotations_class_column(e, k) : SIZE_MAX;
    const char *name = e->from == FROM_QRELS    ? "qrels.csv"
                       : e->from == FROM_LABELS ? e->labels_from
                                                : "pairs.csv";
    if (e->from == FROM_QRELS)
        ES_TRY(read_judgements(e, &list, err));
    else if (e->from == FROM_PAIRS)
        ES_TRY(judgements_of_pairs(e, &list, err));
    d.set = es_alloc_zero(d.runs, sizeof *d.set);
    ES_FAIL_IF(!d.set, es_no_memory(err));
    for (size_t r = 0; r < d.runs; r++) {
        rules.run = r;
        st = column != SIZE_MAX
                 ? es_queries_from_classes(e->task[column].value, e->n, &rules, &d.set[r], &why)
                 : es_queries_from_judgements(list.judgement, list.count, e->n, &rules, &d.set[r],
                                              &why);
        ES_FAIL_IF(st != ES_OK,
                   es_fail(err, st == ES_EEMPTY ? ES_EFORMAT : st, "%s: %s", name, why.message));
        weigh(&list, &d.set[r]);
    }
    if (d.set[0].skipped > 0)
        annotations_note(e, "%s: left out for fewer than 2 documents of a kind: %zu of the queries",
                         name, d.set[0].skipped);
    if (d.set[0].fewer > 0)
        annotations_note(e, "%s: %zu of %zu queries have fewer than %zu answers; theirs are used",
                         name, d.set[0].fewer, d.set[0].count, rules.positives);
    d.digest = digest_draws(&d);
    d.drawn = true;
    e->queries[k] = d;
    d = (es_query_draws){0};
done:
    es_judgement_list_deinit(&list);
    annotations_draws_free(&d);
    return st;
}

es_status annotations_need_queries(es_annotations *e, es_error *err) {
    es_status st = choose_source(e, err);
    if (st != ES_OK || e->queries)
        return st;
    if (e->from == FROM_LABELS && (st = annotations_read_labels(e, err)) != ES_OK)
        return st;
    e->n_queries = e->from == FROM_AUTO ? 0 : e->from == FROM_LABELS ? class_columns(e) : 1;
    e->queries = es_alloc_zero(e->n_queries, sizeof *e->queries);
    return e->queries ? ES_OK : es_no_memory(err);
}
