/* Gaussian information as a measure of two embedders: how many nats they share. */
#include "core_alike.h"
#include "core_measures.h"

enum { AXES, SHRINK, SCALE };

static const char *const scales[] = {"standard", "raw", NULL};

static const es_setting cca_settings[] = {
    {.key = "axes",
     .help = "principal axes of each embedder, at most a tenth of the rows",
     .value = 64,
     .low = 1,
     .high = 4096,
     .whole = true},
    {.key = "shrink",
     .help = "share of the mean variance that is added to each axis",
     .value = 0.001,
     .low = 0,
     .high = 1},
    {.key = "scale", .help = "columns of standard deviation 1, or as they are", .choices = scales},
};

enum { VALUE, CHANCE, STRONGEST };

static const es_measure_field cca_fields[] = {
    [VALUE] = {.name = "value", .title = "Gaussian information, nats", .decimals = 3},
    [CHANCE] = {.name = "chance",
                .title = "what unrelated embedders get, nats",
                .fact = true,
                .decimals = 3},
    [STRONGEST] = {.name = "strongest",
                   .title = "first canonical correlation",
                   .fact = true,
                   .decimals = 3},
};

static es_status cca_side(const es_matrix *m, const es_measure_data *data, const double *values,
                          const es_run *run, void **out, es_error *err) {
    const es_cca_rules rules = {
        .axes = (size_t)values[AXES], .shrink = values[SHRINK], .raw = values[SCALE] > 0};
    es_cca_side *side = NULL;
    (void)data;
    es_status st = es_cca_side_new(m, &rules, run, &side, err);
    if (st == ES_OK)
        *out = side;
    return st;
}

static void cca_release(void *side) {
    es_cca_side_free(side);
}

static size_t cca_bytes(const void *side) {
    return es_cca_side_bytes(side);
}

static es_status cca_pair(const void *a, const void *b, const es_run *run, es_measure_value *out,
                          es_error *err) {
    es_cca_information v;
    (void)run;
    ES_PASS(es_cca_information_of(a, b, &v, err));
    out[VALUE] = es_measure_value_of(v.value);
    out[CHANCE] = es_measure_number(v.chance);
    out[STRONGEST] = v.value.why ? es_measure_value_of(v.value) : es_measure_number(v.strongest);
    if (v.linear_image)
        out[VALUE].warning = "a linear image: only shrinking keeps it finite";
    else if (!v.value.why && v.value.value < 1.5 * v.chance)
        out[VALUE].warning = "about what unrelated embedders get: more rows, or fewer axes";
    return ES_OK;
}

const es_measure es_measure_cca_information = {
    .name = "cca-information",
    .title = "information they share, as Gaussians",
    .about = "Gaussian mutual information from canonical correlations. Columns are standardised, "
             "or centred alone; at most a tenth of the rows in axes, those below 1e-10 of the "
             "largest variance cut; shrink of the mean variance is added to each. O(n d^2).",
    .caveat =
        "linear relations only; symmetric: not which predicts which; grows by chance with axes",
    .version = 1,
    .fields = cca_fields,
    .n_fields = ES_COUNT_OF(cca_fields),
    .settings = cca_settings,
    .n_settings = ES_COUNT_OF(cca_settings),
    .symmetric = true,
    .side_new = cca_side,
    .side_free = cca_release,
    .side_bytes = cca_bytes,
    .pair = cca_pair,
    .load_making = {.copies = 3, .squares = 6},
    .load_side = {.copies = 1},
    .load_pair = {.squares = 5},
};
