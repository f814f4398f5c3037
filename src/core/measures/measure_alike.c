/* Pairwise measures: how alike two embedders are. */

#include <math.h>

#include "core_alike.h"
#include "core_measures.h"

static es_status prepare(const es_matrix *m, es_side_rules rules, const es_run *run, void **out,
                         es_error *err) {
    es_side *side = NULL;
    es_status st = es_side_new(m, &rules, run, &side, err);
    if (st == ES_OK)
        *out = side;
    return st;
}

/* A way to prepare: its name, and the rules that it adds. */
#define SIDE_NEW(name, ...)                                                                        \
    static es_status name(const es_matrix *m, const es_measure_data *data, const double *values,   \
                          const es_run *run, void **out, es_error *err) {                          \
        (void)values;                                                                              \
        return prepare(m, (es_side_rules){.seed = data->seed, __VA_ARGS__}, run, out, err);        \
    }

SIDE_NEW(centred, .parts = ES_SIDE_CENTRED)
SIDE_NEW(factored, .parts = ES_SIDE_FACTORS | ES_SIDE_SPAN)
SIDE_NEW(leading, .parts = ES_SIDE_LEADING)
SIDE_NEW(loaded, .parts = ES_SIDE_FACTORS | ES_SIDE_LOADINGS | ES_SIDE_SPAN)
SIDE_NEW(products_factored, .parts = ES_SIDE_GRAM | ES_SIDE_FACTORS | ES_SIDE_SPAN)
SIDE_NEW(distances, .parts = ES_SIDE_DISTANCES)
SIDE_NEW(correlations, .parts = ES_SIDE_DISTANCES, .distance = ES_DISTANCE_PEARSON)
SIDE_NEW(kernel, .parts = ES_SIDE_KERNEL)
SIDE_NEW(neighbours, .parts = ES_SIDE_NEIGHBOURS, .metric = (es_metric)values[1],
         .k = (size_t)values[0])

static const char *const metric_names[] = {"cosine", "l2", NULL};
static const es_setting neighbour_settings[] = {
    {.key = "k", .help = "neighbours", .value = 10, .low = 1, .high = 1000, .whole = true},
    {.key = "metric", .help = "how they are found", .choices = metric_names},
};

static const es_measure_field alike[] = {{.name = "value", .title = "the value", .decimals = 3}};
static const es_measure_field apart[] = {
    {.name = "value", .title = "the value", .lower_is_better = true, .decimals = 3}};

/* Frees what the measure keeps of one embedder. */
static void release(void *side) {
    es_side_free(side);
}

static size_t bytes(const void *side) {
    return es_side_bytes(side);
}

/* A function of a pair: its name, what the method gives, the call, and the value in what it gives.
 */
#define PAIR(name, type, call, value)                                                              \
    static es_status name(const void *a, const void *b, const es_run *run, es_measure_value *out,  \
                          es_error *err) {                                                         \
        type v = {0};                                                                              \
        (void)run;                                                                                 \
        es_status st = call;                                                                       \
        if (st == ES_OK)                                                                           \
            *out = es_measure_value_of(value);                                                     \
        return st;                                                                                 \
    }

PAIR(cka, es_stat, es_cka_of(a, b, true, run, &v, err), v)
PAIR(cka_biased, es_stat, es_cka_of(a, b, false, run, &v, err), v)
PAIR(cka_rbf, es_stat, es_cka_rbf(a, b, &v, err), v)
PAIR(rsa, es_stat, es_rsa(a, b, &v, err), v)

/* Centred rows of as many columns are about as far apart as all others, whatever they hold, and
 * rotations take them onto each other. */
static es_status procrustes(const void *a, const void *b, const es_run *run, es_measure_value *out,
                            es_error *err) {
    const es_side *x = a, *y = b;
    es_stat v = {0};
    (void)run;
    ES_PASS(es_procrustes(a, b, &v, err));
    *out = es_measure_value_of(v);
    if (!v.why && x->n <= x->d && y->n <= y->d)
        out->warning = "n <= d1 and n <= d2: near 0 whatever the embedders are";
    return ES_OK;
}

/* Where row numbers choose the neighbours of both, two embedders share them for no other reason. */
static const char *ties_of(const es_side *a, const es_side *b) {
    size_t fewer = a->by_number < b->by_number ? a->by_number : b->by_number;
    return es_measure_ties(fewer, a->n);
}

#define SHARED(name, part)                                                                         \
    static es_status name(const void *a, const void *b, const es_run *run, es_measure_value *out,  \
                          es_error *err) {                                                         \
        es_overlap v;                                                                              \
        (void)run;                                                                                 \
        es_status st = es_neighbour_overlap(a, b, NULL, &v, err);                                  \
        if (st == ES_OK)                                                                           \
            *out = (es_measure_value){v.part, NAN, NAN, NULL, ties_of(a, b)};                      \
        return st;                                                                                 \
    }

SHARED(knn_overlap, mutual)
SHARED(knn_jaccard, jaccard)

/* ---- by blocks of rows ---- */

static es_status blocks(const es_rows *rows, size_t keep_bytes, const es_run *run, void **out,
                        es_error *err) {
    es_cka_side *side = NULL;
    es_status st = es_cka_side_new(rows, keep_bytes, run, &side, err);
    if (st == ES_OK)
        *out = side;
    return st;
}

static es_measure_memory need_of_blocks(size_t n, size_t d, size_t other_d, size_t keep_bytes,
                                        const double *values) {
    es_cka_need need = es_cka_needs(n, d, other_d, keep_bytes);
    (void)values;
    return (es_measure_memory){need.side, need.making, need.pair};
}

static void release_blocks(void *side) {
    es_cka_side_free(side);
}

static size_t bytes_of_blocks(const void *side) {
    return es_cka_side_bytes(side);
}

/* In the sample chance alone explains rank / (n - 1) of anything. With 1,000 rows of 256
 * directions, about so much, the rankings by halves of the rows agree at 0.88 only
 * (tests/bench/README.md, "With many columns"). */
static es_status linear_r2(const void *a, const void *b, const es_run *run, es_measure_value *out,
                           es_error *err) {
    (void)run;
    const es_side *from = a;
    es_stat v = {0};
    ES_PASS(es_linear_r2(a, b, &v, err));
    *out = es_measure_value_of(v);
    if (!v.why && from->rank + 1 >= from->n)
        out->warning = "the first has as many directions as rows: 1 whatever the other is";
    else if (!v.why && 4 * from->rank >= from->n)
        out->warning = "n <= 4 d1: a quarter of it or more is chance";
    return ES_OK;
}

static es_status cca_part(const void *a, const void *b, es_cca_part part, es_measure_value *out,
                          es_error *err) {
    es_cca v;
    ES_PASS(es_cca_of(a, b, part, &v, err));
    *out = es_measure_value_of(part == ES_CCA_MEAN    ? v.mean
                               : part == ES_CCA_SVCCA ? v.svcca
                                                      : v.pwcca);
    out->warning = v.unreliable ? "n <= d1 + d2: near 1 whatever the embedders are" : NULL;
    return ES_OK;
}

#define CCA(name, part)                                                                            \
    static es_status name(const void *a, const void *b, const es_run *run, es_measure_value *out,  \
                          es_error *err) {                                                         \
        (void)run;                                                                                 \
        return cca_part(a, b, part, out, err);                                                     \
    }

CCA(cca, ES_CCA_MEAN)
CCA(svcca, ES_CCA_SVCCA)
CCA(pwcca, ES_CCA_PWCCA)

/* How it is prepared and computed, and what it gives. */
#define OF(since, side, function, given)                                                           \
    .version = (since), .fields = (given), .n_fields = 1, .side_new = (side),                      \
    .side_free = release, .side_bytes = bytes, .pair = (function)
#define OF_BLOCKS(since, function)                                                                 \
    .version = (since), .fields = alike, .n_fields = 1, .side_of_rows = blocks,                    \
    .memory = need_of_blocks, .side_free = release_blocks, .side_bytes = bytes_of_blocks,          \
    .pair = (function)
#define SETTINGS(which) .settings = (which), .n_settings = ES_COUNT_OF(which)

const es_measure es_measure_cka = {
    .name = "cka",
    .title = "linear CKA, debiased",
    .about =
        "Kornblith et al., ICML 2019, with the unbiased HSIC of Song et al. 2012. Columns are "
        "centred. Products of blocks of rows are in single precision, their sums in double. O(n "
        "d1 d2), d at most n.",
    .caveat = "ruled by the directions of most variance; about 0, or below, for unrelated ones",
    OF_BLOCKS(2, cka),
    .symmetric = true,
};

const es_measure es_measure_cka_biased = {
    .name = "cka-biased",
    .title = "linear CKA as published",
    .about = "Kornblith et al., ICML 2019. Columns are centred. Products of blocks of rows are in "
             "single precision, their sums in double. O(n d1 d2), d at most n.",
    .caveat = "high for unrelated embedders when rows are not many more than columns",
    OF_BLOCKS(2, cka_biased),
    .symmetric = true,
};

const es_measure es_measure_cka_rbf = {
    .name = "cka-rbf",
    .title = "CKA with an RBF kernel",
    .about =
        "Kornblith et al., ICML 2019. The width is the median of all squared distances, those of a "
        "row with itself (0) included; biased HSIC; above 3,000 rows a seeded sample. O(n^2 d).",
    .caveat = "biased as cka-biased is; of at most 3,000 rows; its width is the median distance",
    OF(1, kernel, cka_rbf, alike),
    .symmetric = true,
    .load_making = {.copies = 2, .sample = 2, .rows = 3000},
    .load_side = {.sample = 0.5},
};

const es_measure es_measure_rsa = {
    .name = "rsa",
    .title = "agreement of distances (RSA)",
    .about = "Kriegeskorte et al. 2008: Spearman of all Euclidean distances; those within 1e-12 of "
             "the mean or median squared distance, whichever is smaller, tie; above 3,000 rows a "
             "seeded sample. O(n^2 d).",
    .caveat = "large distances are most of them; of at most 3,000 rows",
    OF(2, distances, rsa, alike),
    .symmetric = true,
    .load_making = {.copies = 2, .sample = 3, .rows = 3000},
    .load_side = {.sample = 0.25},
};

const es_measure es_measure_rsa_correlation = {
    .name = "rsa-correlation",
    .title = "RSA on 1 - Pearson of two rows",
    .about = "The same on 1 - Pearson of two rows as they are, columns not centred; a constant row "
             "is at 1 from all. O(n^2 d).",
    .caveat = "columns of large spread rule the correlation of rows; of at most 3,000 rows",
    OF(3, correlations, rsa, alike),
    .symmetric = true,
    .load_making = {.copies = 2, .sample = 3, .rows = 3000},
    .load_side = {.sample = 0.25},
};

const es_measure es_measure_knn_overlap = {
    .name = "knn-overlap",
    .title = "shared nearest neighbours",
    .about = "By the cosine of rows as they are, not centred (metric=l2: by distance); a zero row "
             "has cosine 0 with all; equal ones by row number. O(n^2 d).",
    .caveat =
        "local only; chance k / (n - 1); a mean far from 0 makes all cosines equal: metric=l2",
    OF(2, neighbours, knn_overlap, alike),
    SETTINGS(neighbour_settings),
    .symmetric = true,
    .load_making = {.copies = 1, .lines = 1},
};

const es_measure es_measure_knn_jaccard = {
    .name = "knn-jaccard",
    .title = "shared nearest neighbours over all of both",
    .about = "As knn-overlap, over the union of both sets. O(n^2 d).",
    .caveat = "local only; chance k / (2 n); a mean far from 0 makes all cosines equal: metric=l2",
    OF(2, neighbours, knn_jaccard, alike),
    SETTINGS(neighbour_settings),
    .symmetric = true,
    .load_making = {.copies = 1, .lines = 1},
};

const es_measure es_measure_procrustes = {
    .name = "procrustes",
    .title = "distance after the best rotation",
    .about =
        "Williams et al., NeurIPS 2021. Columns are centred, each side scaled to length 1. From "
        "1,000 directions on, singular values are roots of eigenvalues where that costs at "
        "most 1e-6 of their sum. O(n d1 d2), d at most n.",
    .caveat = "0 alike to 2; only rotation and scale are alike; needs more rows than columns",
    OF(2, centred, procrustes, apart),
    .symmetric = true,
    .load_making = {.copies = 1, .squares = 3},
    .load_side = {.copies = 1},
    .load_pair = {.squares = 4},
};

const es_measure es_measure_linear_r2 = {
    .name = "linear-r2",
    .title = "variance that a linear map explains",
    .about = "Columns are centred; directions with singular values below 1e-5 of the largest are "
             "cut from the first. O(n d1 d2), d at most n.",
    .caveat = "fitted on the rows it is measured on: 1 when columns are as many as rows",
    OF(2, products_factored, linear_r2, alike),
    .load_making = {.copies = 4, .squares = 6},
    .load_side = {.copies = 2, .squares = 1},
    .load_pair = {.squares = 4},
};

const es_measure es_measure_cca = {
    .name = "cca",
    .title = "mean canonical correlation",
    .about = "Columns are centred; directions with singular values below 1e-5 of the largest are "
             "cut; mean over the smaller rank. O(n d^2), d at most n.",
    .caveat = "all directions count alike, noise too; meaningless when n <= d1 + d2",
    OF(1, factored, cca, alike),
    .symmetric = true,
    .load_making = {.copies = 4, .squares = 6},
    .load_side = {.copies = 1},
    .load_pair = {.squares = 5},
};

const es_measure es_measure_svcca = {
    .name = "svcca",
    .title = "SVCCA, 99 % of the variance",
    .about =
        "Raghu et al. 2017. Columns are centred; the leading directions with 99 % of the "
        "variance; mean over the smaller number, from 1,000 on as procrustes has it. O(n d^2), d "
        "at most n.",
    .caveat = "meaningless unless rows are more than both dimensions together",
    OF(1, leading, svcca, alike),
    .symmetric = true,
    .load_making = {.copies = 4, .squares = 6},
    .load_side = {.copies = 1},
    .load_pair = {.squares = 5},
};

const es_measure es_measure_pwcca = {
    .name = "pwcca",
    .title = "PWCCA, weighted by the first embedder",
    .about =
        "Morcos et al. 2018. Columns are centred; cut as cca; weighted by how much of the "
        "first embedder's columns lies along each direction. O(n d^2), d at most n, and O(n^2 d).",
    .caveat = "not symmetric; meaningless unless rows are more than both dimensions together",
    OF(1, loaded, pwcca, alike),
    .load_making = {.copies = 5, .squares = 6},
    .load_side = {.copies = 1, .squares = 1},
    .load_pair = {.squares = 6},
};
