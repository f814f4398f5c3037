/* Pairwise measures: how alike two embedders are. */
#include <math.h>

#include "embedscope/similarity.h"
#include "measure_rows.h"

static es_status prepare(const es_matrix *m, es_side_rules rules, const es_run *run, void **out,
                         es_error *err) {
    es_side *side = NULL;
    es_status st = es_side_new(m, &rules, run, &side, err);
    if (st == ES_OK)
        *out = side;
    return st;
}

static es_status centred(const es_matrix *m, const es_measure_data *data, const es_run *run,
                         void **out, es_error *err) {
    (void)data;
    return prepare(m, (es_side_rules){.parts = ES_SIDE_CENTRED}, run, out, err);
}

static es_status factored(const es_matrix *m, const es_measure_data *data, const es_run *run,
                          void **out, es_error *err) {
    (void)data;
    return prepare(m, (es_side_rules){.parts = ES_SIDE_FACTORS}, run, out, err);
}

static es_status centred_factored(const es_matrix *m, const es_measure_data *data,
                                  const es_run *run, void **out, es_error *err) {
    (void)data;
    return prepare(m, (es_side_rules){.parts = ES_SIDE_CENTRED | ES_SIDE_FACTORS}, run, out, err);
}

static es_status distances(const es_matrix *m, const es_measure_data *data, const es_run *run,
                           void **out, es_error *err) {
    return prepare(m, (es_side_rules){.parts = ES_SIDE_DISTANCES, .seed = data->seed}, run, out,
                   err);
}

static es_status neighbours(const es_matrix *m, const es_measure_data *data, const es_run *run,
                            void **out, es_error *err) {
    (void)data;
    return prepare(m, (es_side_rules){.parts = ES_SIDE_NEIGHBOURS, .metric = ES_COSINE}, run, out,
                   err);
}

static void release(void *side) {
    es_side_free(side);
}

static size_t bytes(const void *side) {
    return es_side_bytes(side);
}

static es_status give(es_status st, es_stat stat, es_measure_value *out) {
    if (st == ES_OK)
        *out = es_measure_value_of(stat);
    return st;
}

static es_status cka(const void *a, const void *b, es_measure_value *out, es_error *err) {
    es_stat v = {0};
    es_status st = es_cka(a, b, true, &v, err);
    return give(st, v, out);
}

static es_status cka_biased(const void *a, const void *b, es_measure_value *out, es_error *err) {
    es_stat v = {0};
    es_status st = es_cka(a, b, false, &v, err);
    return give(st, v, out);
}

static es_status rsa(const void *a, const void *b, es_measure_value *out, es_error *err) {
    es_stat v = {0};
    es_status st = es_rsa(a, b, &v, err);
    return give(st, v, out);
}

static es_status procrustes(const void *a, const void *b, es_measure_value *out, es_error *err) {
    es_stat v = {0};
    es_status st = es_procrustes(a, b, &v, err);
    return give(st, v, out);
}

static es_status linear_r2(const void *a, const void *b, es_measure_value *out, es_error *err) {
    es_stat v = {0};
    es_status st = es_linear_r2(a, b, &v, err);
    return give(st, v, out);
}

static es_status knn_overlap(const void *a, const void *b, es_measure_value *out, es_error *err) {
    es_overlap v = {0};
    es_status st = es_neighbour_overlap(a, b, NULL, &v, err);
    return give(st, es_stat_of(v.mutual), out);
}

static es_status cca(const void *a, const void *b, bool weighted, es_measure_value *out,
                     es_error *err) {
    es_cca v;
    es_status st = es_cca_of(a, b, &v, err);
    if (st != ES_OK)
        return st;
    *out = es_measure_value_of(weighted ? v.pwcca : v.svcca);
    out->warning = v.unreliable ? "n <= d1 + d2: near 1 whatever the embedders are" : NULL;
    return ES_OK;
}

static es_status svcca(const void *a, const void *b, es_measure_value *out, es_error *err) {
    return cca(a, b, false, out, err);
}

static es_status pwcca(const void *a, const void *b, es_measure_value *out, es_error *err) {
    return cca(a, b, true, out, err);
}

#define SIDE(new) .side_new = (new), .side_free = release, .side_bytes = bytes

const es_measure es_measure_cka = {
    .name = "cka",
    .title = "linear CKA, debiased",
    .caveat = "ruled by the directions of most variance; about 0, or below, for unrelated ones",
    .version = 1,
    .symmetric = true,
    SIDE(centred),
    .pair = cka,
};

const es_measure es_measure_cka_biased = {
    .name = "cka-biased",
    .title = "linear CKA as published",
    .caveat = "high for unrelated embedders when rows are not many more than columns",
    .version = 1,
    .symmetric = true,
    SIDE(centred),
    .pair = cka_biased,
};

const es_measure es_measure_rsa = {
    .name = "rsa",
    .title = "agreement of distances (RSA)",
    .caveat = "large distances are most of them; of at most 3,000 rows",
    .version = 1,
    .symmetric = true,
    SIDE(distances),
    .pair = rsa,
};

const es_measure es_measure_knn_overlap = {
    .name = "knn-overlap",
    .title = "shared nearest neighbours, 10 by cosine",
    .caveat = "local only; chance is 10 / (n - 1)",
    .version = 1,
    .symmetric = true,
    SIDE(neighbours),
    .pair = knn_overlap,
};

const es_measure es_measure_procrustes = {
    .name = "procrustes",
    .title = "distance after the best rotation",
    .caveat = "0 alike to 2; sees no difference but rotation and scale as alike",
    .version = 1,
    .lower_is_better = true,
    .symmetric = true,
    SIDE(centred),
    .pair = procrustes,
};

const es_measure es_measure_linear_r2 = {
    .name = "linear-r2",
    .title = "variance that a linear map explains",
    .caveat = "fitted on the rows it is measured on: 1 when columns are as many as rows",
    .version = 1,
    SIDE(centred_factored),
    .pair = linear_r2,
};

const es_measure es_measure_svcca = {
    .name = "svcca",
    .title = "SVCCA, 99 % of the variance",
    .caveat = "says nothing when rows are not more than both dimensions together",
    .version = 1,
    .symmetric = true,
    SIDE(factored),
    .pair = svcca,
};

const es_measure es_measure_pwcca = {
    .name = "pwcca",
    .title = "PWCCA, weighted by the first embedder",
    .caveat = "not symmetric; says nothing when rows are not more than both dimensions together",
    .version = 1,
    SIDE(factored),
    .pair = pwcca,
};
