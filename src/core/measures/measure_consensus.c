/* Consensus as a measure: of an embedder among all the others of its pool. */
#include "core_measures.h"

#include <math.h>

enum { ROWS, COMPONENTS };

static const es_setting settings[] = {
    [ROWS] = {.key = "rows",
              .help = "of the sample",
              .value = ES_CONSENSUS_ROWS,
              .low = 4,
              .high = ES_CONSENSUS_ROWS,
              .whole = true},
    [COMPONENTS] = {.key = "components",
                    .help = "of all others joined, that are predicted",
                    .value = 32,
                    .low = 1,
                    .high = 256,
                    .whole = true},
};

static const es_measure_field fields[] = {
    {.name = "r2", .title = "R2 of what all others share", .decimals = 3},
    {.name = "penalty", .title = "of the ridge", .fact = true, .decimals = 3},
    {.name = "share", .title = "of the others' variance", .fact = true, .decimals = 3},
    {.name = "components", .title = "that there are", .fact = true},
};

static es_status pool_new(const es_embedders *all, const es_measure_data *data,
                          const double *values, const es_run *run, void **out, es_error *err) {
    const es_consensus_rules rules = {
        .rows = (size_t)values[ROWS], .components = (size_t)values[COMPONENTS], .seed = data->seed};
    es_consensus *consensus = NULL;
    es_status st = es_consensus_new(all, &rules, run, &consensus, err);
    if (st == ES_OK)
        *out = consensus;
    return st;
}

static void pool_free(void *pool) {
    es_consensus_free(pool);
}

static size_t pool_bytes(const void *pool) {
    return es_consensus_bytes(pool);
}

static es_status consensus(const void *pool, const es_matrix *m, const es_run *run,
                           es_measure_value *out, es_error *err) {
    es_consensus_value v;
    ES_PASS(es_consensus_of(pool, m, run, &v, err));
    out[0] = es_measure_value_of(v.r2);
    for (size_t f = 1; f < ES_COUNT_OF(fields); f++)
        out[f] = es_measure_value_of(v.r2);
    if (v.r2.why)
        return ES_OK;
    out[1] = es_measure_number(v.penalty);
    out[2] = es_measure_number(v.share);
    out[3] = es_measure_number((double)v.components);
    return ES_OK;
}

const es_measure es_measure_consensus = {
    .name = "consensus",
    .title = "what it tells of what all others share",
    .about =
        "Ours. Columns are standardised, constant ones dropped, each embedder's block has total "
        "variance 1 and the embedder itself is left out; ridge with a free mean, one penalty of "
        "seven from 1e-3 to 1e3 for all components, R2 leave-one-out, components weighted by "
        "variance; axes below 1e-10 of the largest variance are cut. O(rows^2 d) an embedder.",
    .caveat = "of this pool: another embedder changes it; a family of many has many votes",
    .version = 1,
    .fields = fields,
    .n_fields = ES_COUNT_OF(fields),
    .settings = settings,
    .n_settings = ES_COUNT_OF(settings),
    .pool_new = pool_new,
    .pool_free = pool_free,
    .pool_bytes = pool_bytes,
    .among = consensus,
    .load_making = {.copies = 3, .sample = 6, .rows = ES_CONSENSUS_ROWS},
};

/* Total persistence as a measure: how much the rows fall apart, and how many loops they make. */

enum { PERSISTENCE_ROWS, LOOP_ROWS, METRIC, SCALE };

static const char *const metrics[] = {"l2", "cosine", NULL};
static const char *const scales[] = {"rms", "raw", NULL};

static const es_setting persistence_settings[] = {
    [PERSISTENCE_ROWS] = {.key = "rows",
                          .help = "of the sample behind components",
                          .value = 2000,
                          .low = 2,
                          .high = 10000,
                          .whole = true},
    [LOOP_ROWS] = {.key = "loop-rows",
                   .help = "of the sample behind loops; 0: none",
                   .value = 200,
                   .low = 0,
                   .high = ES_PERSISTENCE_LOOP_ROWS,
                   .whole = true},
    [METRIC] = {.key = "metric", .help = "distance of two rows", .choices = metrics},
    [SCALE] = {.key = "scale",
               .help = "distances over their root mean square, or as they are",
               .choices = scales},
};

static const es_measure_field persistence_fields[] = {
    {.name = "h0", .title = "total persistence of components", .decimals = 1},
    {.name = "h1", .title = "total persistence of loops, fewer rows", .decimals = 2},
    {.name = "rows", .title = "rows behind h0", .fact = true},
    {.name = "loops", .title = "loops that live at all", .fact = true},
};

static es_status persistence(const es_matrix *m, const es_measure_data *data, const double *values,
                             const es_run *run, es_measure_value *out, es_error *err) {
    const es_persistence_rules rules = {.metric = values[METRIC] > 0 ? ES_COSINE : ES_L2,
                                        .raw = values[SCALE] > 0,
                                        .rows = (size_t)values[PERSISTENCE_ROWS],
                                        .loop_rows = (size_t)values[LOOP_ROWS],
                                        .seed = data->seed};
    es_persistence p;
    ES_PASS(es_persistence_of(m, &rules, run, &p, err));
    out[0] = isnan(p.h0) ? es_measure_value_of(es_stat_undefined(ES_WHY_CONSTANT))
                         : es_measure_number(p.h0);
    out[1] = isnan(p.h1) ? es_measure_value_of(es_stat_undefined(
                               rules.loop_rows > 1 ? ES_WHY_CONSTANT : "not asked for"))
                         : es_measure_number(p.h1);
    out[2] = es_measure_number((double)p.rows);
    out[3] = es_measure_number((double)p.loops);
    return ES_OK;
}

/* The distances of the sample; of loops what every edge knows of every row (core_shape.h). */
static es_measure_memory memory(size_t n, size_t d, size_t other_d, size_t keep_bytes,
                                const double *values) {
    double rows = fmin((double)n, values[PERSISTENCE_ROWS]),
           loops = fmin((double)n, values[LOOP_ROWS]);
    (void)other_d;
    (void)keep_bytes;
    double distances = 24 * rows * rows, edges = 40 * loops * loops + 2 * loops * loops * loops;
    return (es_measure_memory){.making =
                                   8 * (double)d * ((double)n + 3 * rows) + fmax(distances, edges)};
}

const es_measure es_measure_persistence = {
    .name = "persistence",
    .title = "total persistence of the rows' topology",
    .about = "Shestov et al., arXiv:2512.15285: total persistence of the Vietoris-Rips filtration. "
             "Ours: a seeded sample, the same for every embedder; distances over their root mean "
             "square (scale=raw: as they are); h1, over Z/2, of fewer rows. Equal rows are at "
             "distance 0. O(rows^2 d), h1 about O(loop-rows^3).",
    .caveat = "high for noise and for many dimensions; grows with the number of rows",
    .version = 1,
    .fields = persistence_fields,
    .n_fields = ES_COUNT_OF(persistence_fields),
    .settings = persistence_settings,
    .n_settings = ES_COUNT_OF(persistence_settings),
    .embedder = persistence,
    .memory = memory,
};

/* Embedder measures that need nothing but the vectors. */

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
