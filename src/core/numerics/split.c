/* Deals shuffled rows to training, validation and test, or to folds that each test a part; lists
 * ascend, so that files are read forwards. O(n folds). */
#include "core_numerics.h"

enum { TRAIN, VAL, TEST };

/* The lists of a fold, from what each of n rows is to it. Ascending, because reading rows in file
 * order is faster and because the order inside a part has no meaning. */
static es_status fill_fold(const uint8_t *role, size_t n, size_t n_val, size_t n_test,
                           es_fold *fold, es_error *err) {
    size_t at[3] = {0};
    fold->n_train = n - n_val - n_test;
    fold->n_val = n_val;
    fold->n_test = n_test;
    fold->train = es_alloc(fold->n_train, sizeof *fold->train);
    fold->val = es_alloc(n_val, sizeof *fold->val);
    fold->test = es_alloc(n_test, sizeof *fold->test);
    if (!fold->train || !fold->val || !fold->test)
        return es_no_memory(err);
    uint32_t *const list[] = {fold->train, fold->val, fold->test};
    for (size_t i = 0; i < n; i++)
        list[role[i]][at[role[i]]++] = (uint32_t)i;
    return ES_OK;
}

/* 70 % train, 10 % validate, in an order; the others test. */
static es_status single_fold(const uint32_t *order, size_t n, uint8_t *role, es_fold *fold,
                             es_error *err) {
    size_t n_train = n * 7 / 10, n_val = n / 10;
    for (size_t i = 0; i < n; i++)
        role[order[i]] = i < n_train ? TRAIN : i < n_train + n_val ? VAL : TEST;
    return fill_fold(role, n, n_val, n - n_train - n_val, fold, err);
}

/* Fold k of K tests order[lo..hi); the others follow, the last eighth of them validating. */
static es_status cross_fold(const uint32_t *order, size_t n, size_t k, size_t folds, uint8_t *role,
                            es_fold *fold, es_error *err) {
    size_t lo = n * k / folds, hi = n * (k + 1) / folds, rest = n - (hi - lo), n_val = rest / 8;
    for (size_t i = 0; i < rest; i++)
        role[order[(hi + i) % n]] = i < rest - n_val ? TRAIN : VAL;
    for (size_t i = lo; i < hi; i++)
        role[order[i]] = TEST;
    return fill_fold(role, n, n_val, hi - lo, fold, err);
}

/* Rows that some fold tests. */
static es_status list_evaluated(es_split *split, es_error *err) {
    bool all = split->n_folds > 1;
    split->n_eval = all ? split->n : split->folds[0].n_test;
    split->eval = es_alloc(split->n_eval, sizeof *split->eval);
    if (!split->eval)
        return es_no_memory(err);
    for (size_t i = 0; i < split->n_eval; i++)
        split->eval[i] = all ? (uint32_t)i : split->folds[0].test[i];
    return ES_OK;
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
    uint32_t *order = es_alloc(n, sizeof *order);
    uint8_t *role = es_alloc(n, 1);
    if (split)
        split->folds = es_alloc_zero(folds, sizeof *split->folds);
    ES_FAIL_IF(!split || !order || !role || !split->folds, es_no_memory_for(err, "%zu rows", n));
    split->n = n;
    split->n_folds = folds;
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SPLIT, n));
    es_rng_shuffle(&rng, order, n);

    for (size_t k = 0; k < folds; k++)
        ES_TRY(folds == 1 ? single_fold(order, n, role, &split->folds[k], err)
                          : cross_fold(order, n, k, folds, role, &split->folds[k], err));
    ES_TRY(list_evaluated(split, err));
    *out = split;
    split = NULL;
done:
    es_free(order);
    es_free(role);
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
