/* Consensus as a measure: of an embedder among all the others of its pool. */

#include "core_measures.h"

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
