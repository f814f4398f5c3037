/* Sets of pairs are prepared one by one and then put together. */
#include "engine_measures_parts.h"

#include <math.h>
#include <string.h>

void es_pair_sets_deinit(es_pair_sets *sets) {
    for (size_t i = 0; i < sets->count && sets->item; i++) {
        es_free(sets->item[i].name);
        es_positives_free(&sets->item[i].positives);
        es_free(sets->item[i].graded);
    }
    es_free(sets->item);
    *sets = (es_pair_sets){0};
}

static es_status digest_of(const es_graded_pair *pair, size_t count, es_digest *out,
                           es_error *err) {
    es_hasher *h = es_hasher_new();
    if (!h)
        return es_no_memory(err);
    es_hasher_add_text(h, "pairs");
    for (size_t i = 0; i < count; i++) {
        es_hasher_add_u64(h, pair[i].a);
        es_hasher_add_u64(h, pair[i].b);
        es_hasher_add(h, &pair[i].score, sizeof pair[i].score);
    }
    *out = es_hasher_result(h);
    es_hasher_free(h);
    return ES_OK;
}

/* Items with names and the pairs of each, as they stand in the list. */
static es_status begin(const es_pair_list *list, es_pair_sets *x, es_error *err) {
    x->count = list->sets > 1 ? list->sets + 1 : 1;
    x->item = es_alloc_zero(x->count, sizeof *x->item);
    if (!x->item)
        return es_no_memory(err);
    for (size_t k = 0; k < x->count; k++) {
        es_pair_set *s = &x->item[k];
        s->graded = es_alloc(list->count, sizeof *s->graded);
        s->name = k > 0 ? es_strdup(list->set_name[k - 1]) : NULL;
        if (!s->graded || (k > 0 && !s->name))
            return es_no_memory(err);
        for (size_t i = 0; i < list->count; i++)
            if (k == 0 || list->set[i] == k - 1)
                s->graded[s->count++] = list->pair[i];
        ES_PASS(digest_of(s->graded, s->count, &s->digest, err));
    }
    return ES_OK;
}

/* ---- positives ---- */

static es_status positives_of(es_pair_set *s, size_t n, const es_pair_rules *rules, es_error *err) {
    es_error why = {0};
    es_status st = es_positives_new(s->graded, s->count, n, rules, &s->positives, &why);
    if (st == ES_OK)
        return ES_OK;
    return s->name ? es_fail(err, st, "set %.80s: %s", s->name, why.message)
                   : es_fail(err, st, "%s", why.message);
}

/* Positives of all sets, without scores. */
static es_status join(es_pair_sets *x, size_t n, const es_pair_rules *rules, es_error *err) {
    size_t count = 0;
    es_positives facts = {0};
    es_error why = {0};
    for (size_t k = 1; k < x->count; k++)
        count += x->item[k].positives.count;
    es_graded_pair *all = es_alloc(count + 1, sizeof *all);
    if (!all)
        return es_no_memory(err);
    count = 0;
    for (size_t k = 1; k < x->count; k++) {
        const es_positives *p = &x->item[k].positives;
        facts.self += p->self;
        facts.duplicates += p->duplicates;
        facts.unpositive += p->unpositive;
        for (size_t i = 0; i < p->count; i++)
            if (rules->directed || p->item[i].query < p->item[i].partner)
                all[count++] = (es_graded_pair){p->item[i].query, p->item[i].partner, NAN};
    }
    es_status st = es_positives_new(all, count, n, rules, &x->item[0].positives, &why);
    es_free(all);
    if (st != ES_OK)
        return es_fail(err, st, "%s", why.message);
    x->item[0].positives.self = facts.self;
    x->item[0].positives.duplicates += facts.duplicates;
    x->item[0].positives.unpositive = facts.unpositive;
    return ES_OK;
}

es_status es_pair_sets_positives(const es_pair_list *list, size_t n, const es_pair_rules *rules,
                                 es_pair_sets *out, es_error *err) {
    es_pair_sets x = {0};
    es_status st = ES_OK;
    ES_TRY(begin(list, &x, err));
    for (size_t k = x.count > 1 ? 1 : 0; k < x.count; k++)
        ES_TRY(positives_of(&x.item[k], n, rules, err));
    if (x.count > 1) {
        es_hasher *h = es_hasher_new();
        ES_FAIL_IF(!h, es_no_memory(err));
        es_hasher_add_text(h, "sets"); /* where sets are cut changes what is positive in all */
        for (size_t k = 1; k < x.count; k++)
            es_hasher_add(h, &x.item[k].digest, sizeof x.item[k].digest);
        x.item[0].digest = es_hasher_result(h);
        es_hasher_free(h);
        ES_TRY(join(&x, n, rules, err));
    }
    *out = x;
    x = (es_pair_sets){0};
done:
    es_pair_sets_deinit(&x);
    return st;
}

/* ---- scores ---- */

/* Scores of one set's pairs in the list of all become (mid-rank - 1/2) / pairs. */
static es_status rank_scores(const es_pair_list *list, size_t set, es_graded_pair *all,
                             es_error *err) {
    double *score = es_alloc(2 * list->count + 1, sizeof *score),
           *rank = score ? score + list->count : NULL;
    size_t n = 0;
    if (!score)
        return es_no_memory(err);
    for (size_t i = 0; i < list->count; i++)
        if (list->set[i] == set && !isnan(list->pair[i].score))
            score[n++] = list->pair[i].score;
    es_status st = es_stat_midranks(score, n, rank, err);
    for (size_t i = 0, k = 0; st == ES_OK && i < list->count; i++)
        if (list->set[i] == set && !isnan(list->pair[i].score))
            all[i].score = (rank[k++] - 0.5) / (double)n;
    es_free(score);
    return st;
}

es_status es_pair_sets_graded(const es_pair_list *list, es_pair_sets *out, es_error *err) {
    es_pair_sets x = {0};
    es_status st = ES_OK;
    ES_TRY(begin(list, &x, err));
    for (size_t k = 1; k < x.count; k++)
        ES_TRY(rank_scores(list, k - 1, x.item[0].graded, err));
    if (x.count > 1)
        ES_TRY(digest_of(x.item[0].graded, x.item[0].count, &x.item[0].digest, err));
    *out = x;
    x = (es_pair_sets){0};
done:
    es_pair_sets_deinit(&x);
    return st;
}
