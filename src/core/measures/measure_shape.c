/* Embedder measures that need nothing but the vectors. */
#include <math.h>

#include "core_measures.h"

static const es_measure_field uniformity_fields[] = {
    {.name = "uniformity",
     .title = "log mean exp(-2 distance^2), rows of length 1",
     .lower_is_better = true,
     .decimals = 4},
    {.name = "mean-cosine", .title = "mean cosine of two rows", .fact = true, .decimals = 4},
    {.name = "zero-rows", .title = "rows that are all zero", .fact = true},
};

static es_status uniformity(const es_matrix *m, const es_measure_data *data, const double *values,
                            const es_run *run, es_measure_value *out, es_error *err) {
    es_uniformity g;
    (void)values;
    ES_PASS(es_uniformity_of(m, data->seed, run, &g, err));
    out[0] = es_measure_number(g.uniformity);
    out[0].warning = g.uniformity > -1e-9 ? "collapsed: all directions are equal" : NULL;
    out[1] = es_measure_number(g.mean_cosine);
    out[2] = es_measure_number((double)g.zero_rows);
    return ES_OK;
}

static const es_measure_field rank_fields[] = {
    {.name = "effective-rank", .title = "exp of the entropy of variances", .decimals = 2},
    {.name = "participation", .title = "participation ratio of variances", .decimals = 2},
    {.name = "rankme", .title = "RankMe: exp of the entropy of singular values", .decimals = 2},
};

static es_status effective_rank(const es_matrix *m, const es_measure_data *data,
                                const double *values, const es_run *run, es_measure_value *out,
                                es_error *err) {
    es_spread s;
    double rankme = NAN;
    (void)data;
    (void)values;
    ES_PASS(es_run_check(run, err));
    ES_PASS(es_spread_of(m, &s, err));
    ES_PASS(es_rankme_of(m, &rankme, err));
    const double all[] = {s.effective_rank, s.participation, rankme};
    for (size_t i = 0; i < ES_COUNT_OF(all); i++)
        out[i] = es_measure_value_of(isnan(all[i]) ? es_stat_undefined(ES_WHY_CONSTANT)
                                                   : es_stat_of(all[i]));
    return ES_OK;
}

static const es_measure_field intrinsic_fields[] = {
    {.name = "two-nn", .title = "TwoNN, slope", .decimals = 2},
    {.name = "two-nn-mle", .title = "TwoNN, likelihood", .decimals = 2},
    {.name = "two-nn-unbiased", .title = "TwoNN, likelihood, unbiased", .decimals = 2},
    {.name = "levina-bickel", .title = "Levina and Bickel, k = 10..20", .decimals = 2},
    {.name = "mackay", .title = "the same, inverse of mean inverse", .decimals = 2},
    {.name = "rows", .title = "different rows used", .fact = true},
    {.name = "halves",
     .title = "mean of two-nn of the even rows and of the odd ones; empty below 50 rows",
     .decimals = 2,
     .fact = true},
};

/* The mean of what two halves of the rows say; NAN where one has too few different rows. */
static es_status of_halves(const es_matrix *m, uint64_t seed, const es_run *run, double *out,
                           es_error *err) {
    es_status st = ES_OK;
    es_matrix part = {0};
    uint32_t *rows = es_alloc(m->n / 2 + 1, sizeof *rows);
    *out = 0;
    ES_FAIL_IF(!rows, es_no_memory(err));
    for (size_t odd = 0; odd < 2 && isfinite(*out); odd++) {
        es_intrinsic half;
        size_t count = 0;
        for (size_t i = odd; i < m->n; i += 2)
            rows[count++] = (uint32_t)i;
        ES_TRY(es_matrix_rows(m, rows, count, &part, err));
        st = es_intrinsic_of(&part, seed, run, &half, err);
        es_matrix_free(&part);
        if (st == ES_EEMPTY)
            *out = (double)NAN;
        else if (st != ES_OK)
            goto done;
        else
            *out += half.two_nn / 2;
        st = ES_OK;
    }
done:
    es_free(rows);
    return st;
}

static es_status intrinsic(const es_matrix *m, const es_measure_data *data, const double *values,
                           const es_run *run, es_measure_value *out, es_error *err) {
    es_intrinsic r;
    double halves;
    (void)values;
    ES_PASS(es_intrinsic_of(m, data->seed, run, &r, err));
    ES_PASS(of_halves(m, data->seed, run, &halves, err));
    const double all[] = {r.two_nn,        r.two_nn_mle, r.two_nn_unbiased,
                          r.levina_bickel, r.mackay,     (double)r.rows,
                          halves};
    for (size_t i = 0; i < ES_COUNT_OF(all); i++)
        out[i] = es_measure_number(all[i]);
    /* An estimate of r rows has a standard error of about its share 1 / sqrt(r). Of 8 embedders of
     * 1,000 rows with 32 to 81 directions, the rankings by halves of the rows agree at 0.74. */
    out[0].warning = out[1].warning = out[2].warning =
        20 * r.tied > r.rows ? "ties: many rows are as far from two others, as on a grid" : NULL;
    if (!out[0].warning &&
        fabs(halves - r.two_nn) > fmax(0.05, 2 / sqrt((double)r.rows)) * r.two_nn)
        out[0].warning = "halves of the rows say otherwise: it depends on how many there are";
    return ES_OK;
}

const es_measure es_measure_uniformity = {
    .name = "uniformity",
    .title = "uniformity of directions",
    .about =
        "Wang and Isola, ICML 2020. Rows at length 1, not centred; a row that is all zero has the "
        "cosine 0 with every other; above 20,000 rows 20 million seeded pairs. O(n^2 d).",
    .caveat = "noise is the most uniform of all: read it beside alignment",
    .version = 2, /* 2: the cosine with a zero row is 0 */
    .fields = uniformity_fields,
    .n_fields = ES_COUNT_OF(uniformity_fields),
    .embedder = uniformity,
    .load_making = {.copies = 1, .lines = 1, .rows = 20000},
};

const es_measure es_measure_effective_rank = {
    .name = "effective-rank",
    .title = "effective rank of the covariance",
    .about =
        "Roy and Vetterli 2007: the entropy is of variances. Columns are centred; variances "
        "below 1e-10 of the largest are cut from the entropy, not from the sum. rankme is "
        "Garrido et al., ICML 2023: the entropy is of singular values of the rows as they "
        "are, not centred, nothing cut, 1e-7 added to each share; from 1,000 on they are roots of "
        "eigenvalues where that costs at most 1e-9 of their sum. O(n d^2), or O(n^2 d).",
    .caveat = "at most the dimension, and high for noise",
    .version = 2,
    .fields = rank_fields,
    .n_fields = ES_COUNT_OF(rank_fields),
    .embedder = effective_rank,
    .load_making = {.copies = 3, .squares = 4},
};

const es_measure es_measure_intrinsic_dimension = {
    .name = "intrinsic-dimension",
    .title = "intrinsic dimension",
    .about = "TwoNN: Facco et al. 2017, without the largest tenth of ratios (two-nn) or with all "
             "(mle, unbiased); Levina and Bickel 2004; MacKay and Ghahramani 2005. Equal rows "
             "count once; at most 10,000 seeded rows. Halves of the rows are asked as well, and a "
             "remark says where they differ by more than 5 % and 2 / sqrt(n). O(n^2 d).",
    .caveat = "too low above about 20 dimensions at these numbers of rows; high for noise",
    .version = 4, /* 4: rounding between two equal distances counts for nothing */
    .fields = intrinsic_fields,
    .n_fields = ES_COUNT_OF(intrinsic_fields),
    .embedder = intrinsic,
    .load_making = {.copies = 4, .lines = 1, .rows = 10000},
};
