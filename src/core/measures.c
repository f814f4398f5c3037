#include "embedscope/measure.h"

#include <math.h>
#include <string.h>

#include "measure_rows.h"

const es_measure *const es_measures[] = {
    &es_measure_evalrank,    &es_measure_evalrank_l2,    &es_measure_hits1,
    &es_measure_hits10,      &es_measure_similarity,     &es_measure_alignment,
    &es_measure_uniformity,  &es_measure_effective_rank, &es_measure_intrinsic_dimension,
    &es_measure_smoothness,  &es_measure_retmmd_m,       &es_measure_retmmd_c,
    &es_measure_cka,         &es_measure_cka_biased,     &es_measure_rsa,
    &es_measure_knn_overlap, &es_measure_procrustes,     &es_measure_linear_r2,
    &es_measure_svcca,       &es_measure_pwcca,          NULL,
};

const es_measure *es_measure_find(const char *name) {
    for (const es_measure *const *m = es_measures; *m; m++)
        if (strcmp((*m)->name, name) == 0)
            return *m;
    return NULL;
}

unsigned es_measure_lacks(const es_measure *measure, const es_measure_data *data) {
    unsigned there = (data->positives ? ES_NEED_POSITIVES : 0U) |
                     (data->graded ? ES_NEED_GRADED : 0U) | (data->task ? ES_NEED_TASK : 0U) |
                     (data->queries ? ES_NEED_QUERIES : 0U);
    return measure->needs & ~there;
}

es_status es_measure_embedder(const es_measure *measure, const es_matrix *m,
                              const es_measure_data *data, const es_run *run, es_measure_value *out,
                              es_error *err) {
    static const struct {
        unsigned need;
        const char *text;
    } needs[] = {{ES_NEED_POSITIVES, "pairs of rows that belong together"},
                 {ES_NEED_GRADED, "pairs of rows with scores"},
                 {ES_NEED_TASK, "labels"},
                 {ES_NEED_QUERIES, "queries with relevant rows, or classes"}};
    if (!measure->embedder)
        return es_fail(err, ES_EINVAL, "%s compares two embedders", measure->name);
    unsigned lacks = es_measure_lacks(measure, data);
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (lacks & needs[i].need)
            return es_fail(err, ES_ENOTFOUND, "%s needs %s", measure->name, needs[i].text);
    return measure->embedder(m, data, run, out, err);
}

es_measure_value es_measure_value_of(es_stat stat) {
    return (es_measure_value){stat.value, NAN, NAN, stat.why, NULL};
}
