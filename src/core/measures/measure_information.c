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

/* How far the independent components of two embedders are apart, as a measure. */

enum { COMPONENTS, STEPS };

/* Of 16 components of noise in 1,000 rows or so, halves have 0.55 to 0.66 in common; embedders that
 * are as near to that were ranked alike by halves of the rows at 0.57 to 0.98. */
static const double LIKE_NOISE = 0.7;

static const es_setting settings[] = {
    [COMPONENTS] = {.key = "components",
                    .help = "of each embedder, along its leading principal axes",
                    .value = 16,
                    .low = 1,
                    .high = 256,
                    .whole = true},
    [STEPS] = {.key = "steps",
               .help = "of FastICA, at most",
               .value = 1000,
               .low = 1,
               .high = 100000,
               .whole = true},
};

static const es_measure_field fields[] = {
    {.name = "gap",
     .title = "mean difference of matched components, standard deviations",
     .lower_is_better = true,
     .decimals = 3},
    {.name = "retention", .title = "their mean absolute correlation", .decimals = 3},
    {.name = "matched", .title = "components", .fact = true},
    {.name = "repeat",
     .title = "retention of three more searches from starts 1e-9 apart, the lowest",
     .decimals = 3,
     .fact = true},
    {.name = "halves",
     .title = "retention between searches in the even rows and in the odd ones, the lower of two",
     .decimals = 3,
     .fact = true},
};

static es_status prepare(const es_matrix *m, const es_measure_data *data, const double *values,
                         const es_run *run, void **out, es_error *err) {
    const es_ica_rules rules = {
        .components = (size_t)values[COMPONENTS], .steps = (unsigned)values[STEPS], data->seed};
    es_ica_side *side = NULL;
    es_status st = es_ica_side_new(m, &rules, run, &side, err);
    if (st == ES_OK)
        *out = side;
    return st;
}

/* Frees what the measure keeps of one embedder. */
static void release(void *side) {
    es_ica_side_free(side);
}

static size_t bytes(const void *side) {
    return es_ica_side_bytes(side);
}

static es_status pair(const void *a, const void *b, const es_run *run, es_measure_value *out,
                      es_error *err) {
    es_ica_gap g;
    ES_PASS(es_ica_gap_of(a, b, run, &g, err));
    out[0] = es_measure_value_of(g.gap);
    out[1] = es_measure_value_of(g.retention);
    out[2] = es_measure_number((double)g.matched);
    out[3] = es_measure_number(g.repeat);
    out[4] = es_measure_number(g.halves);
    if (!g.gap.why && !g.converged)
        out[0].warning = "FastICA did not settle: components of near normal shape are any rotation";
    else if (!g.gap.why && g.repeat < 0.99)
        out[0].warning = "FastICA finds other components from a start 1e-9 apart: rounding decides";
    else if (!g.gap.why && g.halves < LIKE_NOISE)
        out[0].warning = "halves of the rows have other components: what is found is of these rows";
    return ES_OK;
}

const es_measure es_measure_ica_gap = {
    .name = "ica-gap",
    .title = "how far independent components are apart",
    .about = "After Myntti et al., arXiv:2605.22202 (there between paired texts of one model, here "
             "between two embedders). Columns are centred, rows whitened along the leading axes "
             "(variances above 1e-10 of the largest), FastICA in half steps from the components of "
             "fourth-order blind identification (Cardoso 1989), so that nothing is drawn; matched "
             "one to one by absolute correlation and turned to agree; those left over do not "
             "count. Three more searches tell whether the first one's end was determined "
             "(`repeat`), two in halves of the rows whether there is more to it than these rows "
             "(`halves`; of 16 components of noise about 0.6). O(n d^2 + steps n components^2).",
    .caveat = "of normal shape or heavy tails they may be the search's choice: see repeat, halves",
    .version = 3,
    .fields = fields,
    .n_fields = ES_COUNT_OF(fields),
    .settings = settings,
    .n_settings = ES_COUNT_OF(settings),
    .symmetric = true,
    .side_new = prepare,
    .side_free = release,
    .side_bytes = bytes,
    .pair = pair,
    .load_making = {.copies = 5, .squares = 6},
    .load_side = {.copies = 1},
    .load_pair = {.squares = 4},
};
