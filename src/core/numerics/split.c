/* Deals shuffled rows to training, validation and test, or to folds that each test a part; lists
 * are sorted, so that files are read forwards. */
#include "split.h"

#include <stdlib.h>

#include "alloc.h"
#include "rng.h"

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A sorted copy of items[0..count) in *out. Sorted, because reading rows in file order is faster
 * and because the order inside a part has no meaning. */
static es_status part(const uint32_t *items, size_t count, uint32_t **out, es_error *err) {
    uint32_t *copy = es_alloc(count, sizeof *copy);
    if (!copy)
        return es_no_memory(err);
    for (size_t i = 0; i < count; i++)
        copy[i] = items[i];
    qsort(copy, count, sizeof *copy, ascending);
    *out = copy;
    return ES_OK;
}

/* One fold from an order whose parts are laid out as train, validation, test. */
static es_status fill_fold(const uint32_t *order, size_t n_train, size_t n_val, size_t n_test,
                           es_fold *fold, es_error *err) {
    es_status st = part(order, n_train, &fold->train, err);
    if (st == ES_OK)
        st = part(order + n_train, n_val, &fold->val, err);
    if (st == ES_OK)
        st = part(order + n_train + n_val, n_test, &fold->test, err);
    fold->n_train = n_train;
    fold->n_val = n_val;
    fold->n_test = n_test;
    return st;
}

/* Fold k of K tests order[lo..hi); the others follow, the last eighth of them validating. */
static es_status cross_fold(const uint32_t *order, size_t n, size_t k, size_t folds,
                            uint32_t *scratch, es_fold *fold, es_error *err) {
    size_t lo = n * k / folds, hi = n * (k + 1) / folds, rest = n - (hi - lo);
    for (size_t i = 0; i < rest; i++)
        scratch[i] = order[(hi + i) % n];
    for (size_t i = lo; i < hi; i++)
        scratch[rest + i - lo] = order[i];
    size_t n_val = rest / 8;
    return fill_fold(scratch, rest - n_val, n_val, hi - lo, fold, err);
}

es_status es_split_new(size_t n, uint64_t seed, size_t folds, es_split **out, es_error *err) {
    es_status st = ES_OK;
    if (n < ES_SPLIT_MIN_ROWS)
        return es_fail(err, ES_EINVAL, "%zu rows are too few to hold some out (at least %d)", n,
                       (int)ES_SPLIT_MIN_ROWS);
    if (n > UINT32_MAX)
        return es_fail(err, ES_EINVAL, "%zu rows are more than a split can index", n);
    if (folds > 1 && folds > n / 10)
        return es_fail(err, ES_EINVAL, "%zu folds of %zu rows leave fewer than 10 rows each", folds,
                       n);
    if (folds == 0)
        folds = n < ES_SPLIT_CROSS_BELOW ? ES_SPLIT_CROSS_FOLDS : 1;
    if (folds > n / 4) /* automatic cross-fitting of a tiny pool */
        folds = n / 4;

    es_split *split = es_alloc_zero(1, sizeof *split);
    uint32_t *order = es_alloc(n, sizeof *order), *scratch = es_alloc(n, sizeof *scratch);
    if (split)
        split->folds = es_alloc_zero(folds, sizeof *split->folds);
    ES_FAIL_IF(!split || !order || !scratch || !split->folds, es_no_memory_for(err, "%zu rows", n));
    split->n = n;
    split->n_folds = folds;
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SPLIT, n));
    es_rng_shuffle(&rng, order, n);

    if (folds == 1) {
        size_t n_train = n * 7 / 10, n_val = n / 10;
        ES_TRY(fill_fold(order, n_train, n_val, n - n_train - n_val, &split->folds[0], err));
        ES_TRY(part(split->folds[0].test, split->folds[0].n_test, &split->eval, err));
        split->n_eval = split->folds[0].n_test;
    } else {
        for (size_t k = 0; k < folds; k++)
            ES_TRY(cross_fold(order, n, k, folds, scratch, &split->folds[k], err));
        ES_TRY(part(order, n, &split->eval, err));
        split->n_eval = n;
    }
    *out = split;
    split = NULL;
done:
    es_free(order);
    es_free(scratch);
    es_split_free(split);
    return st;
}

size_t es_split_place(const es_split *split, size_t fold, size_t i) {
    return split->n_folds == 1 ? i : split->folds[fold].test[i];
}

void es_split_free(es_split *split) {
    if (!split)
        return;
    for (size_t k = 0; split->folds && k < split->n_folds; k++) {
        es_free(split->folds[k].train);
        es_free(split->folds[k].val);
        es_free(split->folds[k].test);
    }
    es_free(split->folds);
    es_free(split->eval);
    es_free(split);
}
