/* Embedder measures that need nothing but the vectors. */
#include <math.h>

#include "embedscope/geometry.h"
#include "embedscope/intrinsic.h"
#include "measure_rows.h"

static es_status uniformity(const es_matrix *m, const es_measure_data *data, const es_run *run,
                            es_measure_value *out, es_error *err) {
    es_geometry g;
    es_status st = es_geometry_of(m, NULL, data->seed, run, &g, err);
    if (st == ES_OK)
        *out = es_measure_value_of(es_stat_of(g.uniformity));
    return st;
}

static es_status effective_rank(const es_matrix *m, const es_measure_data *data, const es_run *run,
                                es_measure_value *out, es_error *err) {
    (void)data;
    es_spread s;
    es_status st = es_run_check(run, err);
    if (st == ES_OK)
        st = es_spread_of(m, &s, err);
    if (st == ES_OK)
        *out = es_measure_value_of(isnan(s.effective_rank) ? es_stat_undefined(ES_WHY_CONSTANT)
                                                           : es_stat_of(s.effective_rank));
    return st;
}

static es_status intrinsic(const es_matrix *m, const es_measure_data *data, const es_run *run,
                           es_measure_value *out, es_error *err) {
    es_intrinsic r;
    es_status st = es_intrinsic_of(m, data->seed, run, &r, err);
    if (st == ES_OK)
        *out = es_measure_value_of(es_stat_of(r.two_nn));
    return st;
}

const es_measure es_measure_uniformity = {
    .name = "uniformity",
    .title = "uniformity of directions",
    .caveat = "noise is the most uniform of all: read it beside alignment",
    .version = 1,
    .lower_is_better = true,
    .embedder = uniformity,
};

const es_measure es_measure_effective_rank = {
    .name = "effective-rank",
    .title = "effective rank of the covariance",
    .caveat = "at most the dimension, and high for noise",
    .version = 1,
    .embedder = effective_rank,
};

const es_measure es_measure_intrinsic_dimension = {
    .name = "intrinsic-dimension",
    .title = "intrinsic dimension, TwoNN",
    .caveat = "too low above about 20 dimensions at these numbers of rows; high for noise",
    .version = 1,
    .embedder = intrinsic,
};
