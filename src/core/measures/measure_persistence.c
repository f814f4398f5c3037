/* Total persistence as a measure: how much the rows fall apart, and how many loops they make. */
#include <math.h>

#include "core_measures.h"

enum { ROWS, LOOP_ROWS, METRIC, SCALE };

static const char *const metrics[] = {"l2", "cosine", NULL};
static const char *const scales[] = {"rms", "raw", NULL};

static const es_setting settings[] = {
    [ROWS] = {.key = "rows",
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

static const es_measure_field fields[] = {
    {.name = "h0", .title = "total persistence of components", .decimals = 1},
    {.name = "h1", .title = "total persistence of loops, fewer rows", .decimals = 2},
    {.name = "rows", .title = "rows behind h0", .fact = true},
    {.name = "loops", .title = "loops that live at all", .fact = true},
};

static es_status persistence(const es_matrix *m, const es_measure_data *data, const double *values,
                             const es_run *run, es_measure_value *out, es_error *err) {
    const es_persistence_rules rules = {.metric = values[METRIC] > 0 ? ES_COSINE : ES_L2,
                                        .raw = values[SCALE] > 0,
                                        .rows = (size_t)values[ROWS],
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
    double rows = fmin((double)n, values[ROWS]), loops = fmin((double)n, values[LOOP_ROWS]);
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
    .fields = fields,
    .n_fields = ES_COUNT_OF(fields),
    .settings = settings,
    .n_settings = ES_COUNT_OF(settings),
    .embedder = persistence,
    .memory = memory,
};
