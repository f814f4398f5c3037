/* InfoNCE by a trained critic as a measure of two embedders, with its kin from the same scores. */
#include "core_alike.h"

#include <math.h>

#include "core_measures.h"

enum { CRITIC, MAPS, BATCH, WIDTH, HIDDEN, STEPS, RATE, DECAY, TEMPERATURE };

static const char *const critics[] = {"cosine", "bilinear", "mlp", NULL};
static const char *const maps[] = {"both", "source", NULL};

static const es_setting settings[] = {
    {.key = "critic",
     .help = "cosine or plain product of linear maps, or cosine after a hidden ReLU layer",
     .choices = critics},
    {.key = "maps",
     .help = "trained for both, or for the source alone and 16 fixed whitened axes of the target: "
             "that its two directions differ is the critic's doing, not the information's",
     .choices = maps},
    {.key = "batch",
     .help = "N of log N; at most a quarter of the rows",
     .value = 128,
     .low = 2,
     .high = 4096,
     .whole = true},
    {.key = "width",
     .help = "columns of the maps, at most those of either side",
     .value = 64,
     .low = 1,
     .high = 4096,
     .whole = true},
    {.key = "hidden",
     .help = "columns of the hidden layer of critic=mlp",
     .value = 256,
     .low = 1,
     .high = 4096,
     .whole = true},
    {.key = "steps",
     .help = "of training, at most",
     .value = 300,
     .low = 1,
     .high = 100000,
     .whole = true},
    {.key = "rate", .help = "of learning", .value = 0.005, .low = 1e-6, .high = 1},
    {.key = "decay", .help = "of weights", .value = 0.001, .low = 0, .high = 1},
    {.key = "temperature",
     .help = "where the critic's starts; it is learned",
     .value = 0.2,
     .low = 0.05,
     .high = 1},
};

enum { VALUE, MATCH, RAW, SE, MARGIN, DV, NWJ, SMILE, JS, CEILING, LEARNED, STEP, COLUMNS };

static const es_measure_field fields[COLUMNS] = {
    [VALUE] = {.name = "value", .title = "InfoNCE, nats, at most log N", .decimals = 3},
    [MATCH] = {.name = "match",
               .title = "calibrated match probability, 0.5 unrelated; no matter which N",
               .decimals = 3},
    [RAW] = {.name = "raw", .title = "InfoNCE before it is cut at 0", .fact = true, .decimals = 3},
    [SE] = {.name = "se", .title = "its standard error over batches", .fact = true, .decimals = 3},
    [MARGIN] = {.name = "margin",
                .title = "leave-one-out margin, nats: no lower bound",
                .fact = true,
                .decimals = 3},
    [DV] = {.name = "dv", .title = "Donsker-Varadhan, nats", .fact = true, .decimals = 3},
    [NWJ] = {.name = "nwj", .title = "Nguyen-Wainwright-Jordan, nats", .fact = true, .decimals = 3},
    [SMILE] = {.name = "smile", .title = "SMILE, cut at 5, nats", .fact = true, .decimals = 3},
    [JS] = {.name = "js", .title = "Jensen-Shannon bound", .fact = true, .decimals = 3},
    [CEILING] = {.name = "ceiling", .title = "log N", .fact = true, .decimals = 3},
    [LEARNED] = {.name = "temperature", .title = "what was learned", .fact = true, .decimals = 3},
    [STEP] = {.name = "step", .title = "of training that was kept", .fact = true},
};

static bool is_directed(const double *values) {
    return values[MAPS] > 0;
}

static es_status prepare(const es_matrix *m, const es_measure_data *data, const double *values,
                         const es_run *run, void **out, es_error *err) {
    const es_infonce_rules rules = {.kind = (es_critic_kind)values[CRITIC],
                                    .directed = is_directed(values),
                                    .batch = (size_t)values[BATCH],
                                    .width = (size_t)values[WIDTH],
                                    .hidden = (size_t)values[HIDDEN],
                                    .steps = (unsigned)values[STEPS],
                                    .rate = values[RATE],
                                    .decay = values[DECAY],
                                    .temperature = values[TEMPERATURE],
                                    .seed = data->seed};
    es_infonce_side *side = NULL;
    es_status st = es_infonce_side_new(m, &rules, run, &side, err);
    if (st == ES_OK)
        *out = side;
    return st;
}

/* Frees what the measure keeps of one embedder. */
static void release(void *side) {
    es_infonce_side_free(side);
}

static size_t bytes(const void *side) {
    return es_infonce_side_bytes(side);
}

static es_measure_value number_or(double value, const char *why) {
    return isfinite(value) ? es_measure_number(value) : es_measure_value_of(es_stat_undefined(why));
}

static void warn(const es_infonce *v, es_measure_value *out) {
    static const char varies[] = "near or above log N: rests on few rows and varies widely";
    double ceiling = log((double)v->batch);
    if (v->broke > 0)
        out[VALUE].warning = "training ended at a loss that is no number: the best before it";
    else if (v->saturated)
        out[VALUE].warning = ES_MEASURE_SATURATED;
    if (v->saturated || v->dv > ceiling)
        out[DV].warning = varies;
    if (v->saturated || v->nwj > ceiling)
        out[NWJ].warning = varies;
    else if (v->nwj < v->dv - 1)
        out[NWJ].warning = "far below DV: few rows with high scores decide it";
}

static es_status infonce(const void *a, const void *b, const es_run *run, es_measure_value *out,
                         es_error *err) {
    es_infonce v;
    ES_PASS(es_infonce_of(a, b, run, &v, err));
    for (size_t f = 0; f < COLUMNS; f++)
        out[f] = es_measure_value_of(v.value);
    if (v.value.why)
        return ES_OK;
    static const char few[] = "one batch", endless[] = "beyond all numbers";
    out[MATCH] = es_measure_number(v.match);
    out[RAW] = es_measure_number(v.raw);
    out[SE] = number_or(v.se, few);
    out[MARGIN] = number_or(v.margin, endless);
    out[DV] = number_or(v.dv, endless);
    out[NWJ] = number_or(v.nwj, endless);
    out[SMILE] = number_or(v.smile, endless);
    out[JS] = number_or(v.js, endless);
    out[CEILING] = es_measure_number(log((double)v.batch));
    out[LEARNED] = number_or(v.temperature, "a bilinear critic has none");
    out[STEP] = es_measure_number(v.step);
    warn(&v, out);
    return ES_OK;
}

const es_measure es_measure_infonce = {
    .name = "infonce",
    .title = "information that a critic finds (InfoNCE)",
    .caveat =
        "at most log N: the related look alike; symmetric: not which predicts; margin no bound",
    .caveat_directed = "at most log N: the related look alike; the directions differ by the "
                       "critic, not by what predicts; margin no bound",
    .version = 2, /* 2: an embedder and its negation */
    .fields = fields,
    .n_fields = COLUMNS,
    .settings = settings,
    .n_settings = ES_COUNT_OF(settings),
    .symmetric = true,
    .directed = is_directed,
    .side_new = prepare,
    .side_free = release,
    .side_bytes = bytes,
    .pair = infonce,
    .load_making = {.copies = 3, .squares = 4},
    .load_side = {.copies = 1},
    .load_pair = {.copies = 1, .squares = 2},
};
