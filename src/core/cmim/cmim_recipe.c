/* The table of settings, and columns brought to one scale: their constants are computed once from
 * the rows of training and go into the model. */
#include "cmim_train.h"

#include <math.h>

static const char *const modes[] = {"cmim", "mim", "vae", "ae", "infonce", "cvae", "cae", NULL};
static const char *const decoders[] = {"gaussian", "bernoulli", NULL};
static const char *const variances[] = {"fixed", "learned", NULL};
static const char *const scales[] = {"auto", "zscore", "minmax", "none", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const activations[] = {"tanh", "relu", NULL};

enum {
    MODE,
    DECODER,
    SCALE,
    K,
    HIDDEN,
    LAYERS,
    ACTIVATION,
    TAU,
    WEIGHT,
    BATCH,
    STEPS,
    RATE,
    WARMUP,
    DECAY,
    FLOOR,
    CLIP,
    VALIDATION,
    CORRUPT,
    SAMPLE,
    VARIANCE,
    SETTINGS
};

const es_setting es_cmim_settings[] = {
    [MODE] =
        {.key = "mode",
         .help =
             "cmim, its rivals mim, vae and ae, infonce (an encoder alone), or vae and ae with the "
             "contrastive term (cvae, cae)",
         .choices = modes},
    [DECODER] = {.key = "decoder",
                 .help = "gaussian, or bernoulli for columns from 0 to 1",
                 .choices = decoders},
    [SCALE] = {.key = "scale",
               .help = "scaling of columns; auto: zscore, with bernoulli none",
               .choices = scales},
    [K] = {.key = "k",
           .help = "columns of the code; auto: 64, or all if fewer",
           .value = NAN,
           .low = 1,
           .high = 1 << 16,
           .whole = true,
           .automatic = true},
    [HIDDEN] = {.key = "hidden",
                .help = "width of hidden layers",
                .value = 256,
                .low = 1,
                .high = 1 << 16,
                .whole = true},
    [LAYERS] = {.key = "layers",
                .help = "hidden layers on either side",
                .value = 1,
                .low = 1,
                .high = ES_CMIM_LAYERS,
                .whole = true},
    [ACTIVATION] = {.key = "activation",
                    .help = "activation of hidden layers",
                    .choices = activations},
    [TAU] = {.key = "tau",
             .help = "temperature of the contrastive term",
             .value = 0.1,
             .low = 1e-3,
             .high = 1e3},
    [WEIGHT] = {.key = "weight",
                .help = "weight of the contrastive term",
                .value = 1,
                .low = 0,
                .high = 1e3},
    [BATCH] = {.key = "batch",
               .help = "rows per step, at most a quarter of all",
               .value = 100,
               .low = 2,
               .high = 8192,
               .whole = true},
    [STEPS] = {.key = "steps",
               .help = "training steps",
               .value = 5000,
               .low = 1,
               .high = 1e7,
               .whole = true},
    [RATE] =
        {.key = "rate", .help = "learning rate of Adam", .value = 1e-3, .low = 1e-9, .high = 1e3},
    [WARMUP] = {.key = "warmup",
                .help = "share of steps in which the rate rises",
                .value = 0.1,
                .low = 0,
                .high = 1},
    [DECAY] = {.key = "decay",
               .help = "share of steps in which the rate falls",
               .value = 0.1,
               .low = 0,
               .high = 1},
    [FLOOR] = {.key = "floor",
               .help =
                   "lower limit of variances: of the code, and of a decoder that learns its own",
               .value = 1e-6,
               .low = 1e-30,
               .high = 1},
    [CLIP] = {.key = "clip",
              .help = "upper limit of the length of the gradient",
              .value = 10,
              .low = 1e-6,
              .high = 1e9},
    [VALIDATION] = {.key = "validation",
                    .help = "share of rows that select the weights",
                    .value = 0.1,
                    .low = 0,
                    .high = 0.5},
    [CORRUPT] = {.key = "corrupt",
                 .help = "infonce: share of columns that a view takes from other rows",
                 .value = 0.2,
                 .low = 0,
                 .high = 1},
    [SAMPLE] = {.key = "sample",
                .help = "NAME.info from a sampled code, as published, not from mu",
                .choices = no_yes},
    [VARIANCE] = {.key = "variance",
                  .help = "variance of a gaussian decoder: 1, or learned",
                  .choices = variances},
};
const size_t es_cmim_setting_count = SETTINGS;
_Static_assert((int)SETTINGS <= (int)ES_CMIM_SETTINGS_MOST, "too many settings");

void es_cmim_defaults(double *values) {
    for (size_t i = 0; i < SETTINGS; i++)
        values[i] = es_cmim_settings[i].value;
}

static bool learns_variance(const double *v) {
    return v[VARIANCE] > 0 && v[DECODER] <= 0 && (es_cmim_mode)v[MODE] != ES_CMIM_INFONCE;
}

bool es_cmim_setting_acts(size_t setting, const double *values) {
    es_cmim_mode mode = (es_cmim_mode)values[MODE];
    bool views = mode == ES_CMIM_INFONCE;
    switch (setting) {
    case TAU:
        return es_cmim_contrasts(mode) || views;
    case WEIGHT:
        return es_cmim_contrasts(mode);
    case FLOOR:
        return es_cmim_has_noise(mode) || learns_variance(values);
    case SAMPLE:
        return es_cmim_has_noise(mode);
    case CORRUPT:
        return views;
    case VARIANCE:
        return values[DECODER] <= 0 && !views;
    default:
        return true;
    }
}

es_cmim_recipe es_cmim_recipe_of(const double *v, uint64_t seed) {
    return (es_cmim_recipe){
        .goal = {.mode = (es_cmim_mode)v[MODE],
                 .tau = v[TAU],
                 .weight = v[WEIGHT],
                 .floor = log(v[FLOOR])},
        .bernoulli = v[DECODER] > 0,
        .relu = v[ACTIVATION] > 0,
        .scale = (es_cmim_scale)v[SCALE],
        .k = isnan(v[K]) ? 0 : (size_t)v[K],
        .h = (size_t)v[HIDDEN],
        .layers = (size_t)v[LAYERS],
        .batch = (size_t)v[BATCH],
        .steps = (size_t)v[STEPS],
        .rate = v[RATE],
        .warmup = v[WARMUP],
        .decay = v[DECAY],
        .clip = v[CLIP],
        .validation = v[VALIDATION],
        .corrupt = v[CORRUPT],
        .sample = v[SAMPLE] > 0,
        .learned = learns_variance(v),
        .seed = seed,
    };
}

es_status es_cmim_columns_new(size_t from, size_t d, es_cmim_columns *out, es_error *err) {
    es_cmim_columns c = {.from = from, .d = d};
    c.column = es_alloc(d, sizeof *c.column);
    c.shift = es_alloc(d, sizeof *c.shift);
    c.factor = es_alloc(d, sizeof *c.factor);
    if (!c.column || !c.shift || !c.factor) {
        es_cmim_columns_deinit(&c);
        return es_no_memory_for(err, "%zu columns", d);
    }
    *out = c;
    return ES_OK;
}

void es_cmim_columns_deinit(es_cmim_columns *c) {
    es_free(c->column);
    es_free(c->shift);
    es_free(c->factor);
    *c = (es_cmim_columns){0};
}

typedef struct range {
    double low, high, mean, sd;
} range;

/* Of every column, row by row: matrices are large, and their columns far apart. */
static range *ranges_of(const es_matrix *m) {
    range *r = es_alloc(m->d, sizeof *r);
    double n = (double)m->n;
    for (size_t j = 0; r && j < m->d; j++)
        r[j] = (range){INFINITY, -INFINITY, 0, 0};
    for (size_t i = 0; r && i < m->n; i++)
        for (size_t j = 0; j < m->d; j++) {
            double x = m->x[i * m->d + j];
            r[j].low = x < r[j].low ? x : r[j].low;
            r[j].high = x > r[j].high ? x : r[j].high;
            r[j].mean += x / n;
        }
    for (size_t i = 0; r && i < m->n; i++)
        for (size_t j = 0; j < m->d; j++) {
            double x = m->x[i * m->d + j] - r[j].mean;
            r[j].sd += x * x / n;
        }
    for (size_t j = 0; r && j < m->d; j++)
        r[j].sd = sqrt(r[j].sd);
    return r;
}

static bool is_constant(const range *r) {
    return r->low >= r->high || r->sd <= 1e-12 * fmax(fabs(r->low), fabs(r->high));
}

es_status es_cmim_columns_fit(const es_matrix *m, const es_cmim_recipe *recipe,
                              es_cmim_columns *out, es_error *err) {
    es_cmim_scale scale = recipe->scale;
    if (scale == ES_CMIM_SCALE_AUTO)
        scale = recipe->bernoulli ? ES_CMIM_SCALE_NONE : ES_CMIM_SCALE_ZSCORE;
    es_cmim_columns c = {0};
    range *ranges = ranges_of(m);
    es_status st = ES_OK;
    ES_FAIL_IF(!ranges, es_no_memory(err));
    ES_TRY(es_cmim_columns_new(m->d, m->d, &c, err));
    c.d = 0;
    for (size_t j = 0; j < m->d; j++) {
        const range *r = &ranges[j];
        bool outside = r->low < 0 || r->high > 1 || scale == ES_CMIM_SCALE_ZSCORE;
        if (is_constant(r))
            continue;
        ES_FAIL_IF(recipe->bernoulli && scale != ES_CMIM_SCALE_MINMAX && outside,
                   es_fail(err, ES_EINVAL,
                           "column %zu goes from %g to %g, and a Bernoulli decoder takes 0 to 1: "
                           "scale=minmax brings them there",
                           j, r->low, r->high));
        c.column[c.d] = (uint32_t)j;
        c.shift[c.d] = 0;
        c.factor[c.d] = 1;
        if (scale == ES_CMIM_SCALE_ZSCORE) {
            c.shift[c.d] = r->mean;
            c.factor[c.d] = 1 / r->sd;
        } else if (scale == ES_CMIM_SCALE_MINMAX) {
            c.shift[c.d] = r->low;
            c.factor[c.d] = 1 / (r->high - r->low);
        }
        c.d++;
    }
    ES_FAIL_IF(c.d == 0, es_fail(err, ES_EEMPTY, "every one of the %zu columns is constant", m->d));
    *out = c;
    c = (es_cmim_columns){0};
done:
    es_cmim_columns_deinit(&c);
    es_free(ranges);
    return st;
}

void es_cmim_columns_apply(const es_cmim_columns *c, const double *rows, size_t n, float *out) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < c->d; j++)
            out[i * c->d + j] =
                (float)((rows[i * c->from + c->column[j]] - c->shift[j]) * c->factor[j]);
}
