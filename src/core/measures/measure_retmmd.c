/* RetMMD as a measure: mean and spread over several draws of queries. */
#include <math.h>

#include "core_measures_parts.h"

enum { REDUCE, SHARE, AXES, PERMUTATIONS, LEVEL, POWER, WIDTH };
enum { BY_VARIANCE, BY_TWO_NN, BY_LEVINA_BICKEL, BY_AXES, NOT };

static const char *const reductions[] = {"variance", "two-nn", "levina-bickel",
                                         "axes",     "none",   NULL};
static const char *const widths[] = {"all", "query", NULL};

static const es_setting settings[] = {
    {.key = "reduce",
     .help = "PCA to a share of the variance, to the intrinsic dimension, to axes, or not at all",
     .choices = reductions},
    {.key = "share",
     .help = "of the variance, for reduce=variance",
     .value = 0.9,
     .low = 0.01,
     .high = 1},
    {.key = "axes",
     .help = "for reduce=axes",
     .value = 32,
     .low = 1,
     .high = 100000,
     .whole = true},
    {.key = "permutations",
     .help = "of the test",
     .value = 499,
     .low = 1,
     .high = 100000,
     .whole = true},
    {.key = "level", .help = "of the test", .value = 0.05, .low = 0.0001, .high = 0.5},
    {.key = "power", .help = "of the kernel poly3", .value = 3, .low = 2, .high = 6, .whole = true},
    {.key = "rbf",
     .help = "width of the RBF kernel from all documents or from each query's",
     .choices = widths},
};

/* The first five of M and of C are in the order of es_kernel, but RBF, the default, leads. */
enum {
    M,
    M_SD,
    C,
    KERNEL,
    M_LINEAR,
    C_LINEAR = M_LINEAR + ES_KERNELS - 1,
    SUM = C_LINEAR + ES_KERNELS,
    BIASED,
    NORM,
    COLUMN_AXES,
    SIGMA,
    QUERIES,
    SKIPPED,
    RUNS,
    COLUMNS
};

static const es_measure_field fields[COLUMNS] = {
    [M] = {.name = "m", .title = "RetMMD-M, RBF kernel", .decimals = 4},
    [M_SD] = {.name = "m-sd",
              .title = "its standard deviation over draws",
              .fact = true,
              .decimals = 4},
    [C] = {.name = "c", .title = "RetMMD-C, best kernel, share of queries", .decimals = 3},
    [KERNEL] = {.name = "kernel",
                .title = "best kernel: 1 linear, 2 cosine, 3 poly2, 4 poly3, 5 rbf",
                .fact = true},
    [M_LINEAR] = {.name = "m-linear",
                  .title = "M, linear: scales differ",
                  .fact = true,
                  .decimals = 4},
    [M_LINEAR + 1] = {.name = "m-cosine", .title = "M, cosine", .decimals = 4},
    [M_LINEAR +
        2] = {.name = "m-poly2", .title = "M, poly2: scales differ", .fact = true, .decimals = 4},
    [M_LINEAR +
        3] = {.name = "m-poly3", .title = "M, poly3: scales differ", .fact = true, .decimals = 4},
    [C_LINEAR] = {.name = "c-linear", .title = "C, linear", .decimals = 3},
    [C_LINEAR + 1] = {.name = "c-cosine", .title = "C, cosine", .decimals = 3},
    [C_LINEAR + 2] = {.name = "c-poly2", .title = "C, poly2", .decimals = 3},
    [C_LINEAR + 3] = {.name = "c-poly3", .title = "C, poly3", .decimals = 3},
    [C_LINEAR + 4] = {.name = "c-rbf", .title = "C, RBF", .decimals = 3},
    [SUM] = {.name = "sum", .title = "M as a sum over queries, RBF", .fact = true, .decimals = 3},
    [BIASED] = {.name = "biased",
                .title = "M of the biased statistic, RBF",
                .fact = true,
                .decimals = 4},
    [NORM] = {.name = "norm2",
              .title = "mean squared length after reduction",
              .fact = true,
              .decimals = 3},
    [COLUMN_AXES] = {.name = "axes", .title = "dimension after reduction", .fact = true},
    [SIGMA] = {.name = "width",
               .title = "s of the RBF kernel, first draw",
               .fact = true,
               .decimals = 4},
    [QUERIES] = {.name = "queries", .title = "queries a draw", .fact = true, .decimals = 1},
    [SKIPPED] = {.name = "skipped",
                 .title = "queries with too few documents, first draw",
                 .fact = true},
    [RUNS] = {.name = "runs", .title = "draws", .fact = true},
};

static es_status choose_axes(const es_matrix *m, const double *values, uint64_t seed,
                             const es_run *run, es_retmmd_rules *rules, es_error *err) {
    es_intrinsic dimension;
    switch ((int)values[REDUCE]) {
    case BY_TWO_NN:
    case BY_LEVINA_BICKEL:
        ES_PASS(es_intrinsic_of(m, seed, run, &dimension, err));
        rules->axes = (size_t)fmax(
            1, round(values[REDUCE] == BY_TWO_NN ? dimension.two_nn : dimension.levina_bickel));
        break;
    case BY_AXES:
        rules->axes = (size_t)values[AXES];
        break;
    case NOT:
        rules->variance = 1;
        break;
    default:
        rules->variance = values[SHARE];
    }
    return ES_OK;
}

/* Adds one draw's values to sums. */
static void add(const es_retmmd *r, double *sum) {
    double m = r->by[ES_KERNEL_RBF].mean;
    sum[M] += m;
    sum[M_SD] += m * m;
    sum[C] += r->by[r->best].share;
    for (size_t k = 0; k + 1 < ES_KERNELS; k++)
        sum[M_LINEAR + k] += r->by[k].mean;
    for (size_t k = 0; k < ES_KERNELS; k++)
        sum[C_LINEAR + k] += r->by[k].share;
    sum[SUM] += r->by[ES_KERNEL_RBF].sum;
    sum[BIASED] += r->by[ES_KERNEL_RBF].biased_mean;
    sum[QUERIES] += (double)r->count;
}

static double mean_norm(const es_matrix *x) {
    double sum = 0;
    for (size_t i = 0; i < x->n * x->d; i++)
        sum += x->x[i] * x->x[i];
    return sum / (double)x->n;
}

/* Draws in turn on the reduced vectors. */
static es_status all_draws(const es_matrix *x, const es_measure_data *data,
                           const es_retmmd_rules *rules, const es_run *run, double *sum,
                           es_retmmd *first, size_t *count, es_error *err) {
    size_t runs = data->runs > 0 ? data->runs : 1;
    for (size_t k = 0; k < runs; k++) {
        es_retmmd r;
        ES_PASS(es_retmmd_of(x, &data->queries[k], rules, run, &r, err));
        add(&r, sum);
        *count += 1;
        if (k == 0)
            *first = r; /* its lists are not looked at */
        es_retmmd_free(&r);
    }
    return ES_OK;
}

static es_retmmd_rules rules_of(const es_measure_data *data, const double *values) {
    return (es_retmmd_rules){.permutations = (unsigned)values[PERMUTATIONS],
                             .level = values[LEVEL],
                             .power = (unsigned)values[POWER],
                             .per_query = values[WIDTH] > 0,
                             .seed = data->seed};
}

es_status es_retmmd_detail(const es_matrix *m, const es_measure_data *data, const double *values,
                           const es_run *run, es_retmmd *out, es_error *err) {
    es_retmmd_rules rules = rules_of(data, values);
    es_status st = choose_axes(m, values, data->seed, run, &rules, err);
    return st == ES_OK ? es_retmmd_of(m, data->queries, &rules, run, out, err) : st;
}

static es_status retmmd(const es_matrix *m, const es_measure_data *data, const double *values,
                        const es_run *run, es_measure_value *out, es_error *err) {
    es_retmmd_rules rules = rules_of(data, values);
    double sum[COLUMNS] = {0};
    es_retmmd first = {0};
    es_matrix x = {0};
    size_t runs = 0;
    es_status st = ES_OK;
    ES_TRY(choose_axes(m, values, data->seed, run, &rules, err));
    ES_TRY(es_retmmd_reduce(m, &rules, &x, err));
    rules.axes = 0;
    rules.variance = 1;
    ES_TRY(all_draws(&x, data, &rules, run, sum, &first, &runs, err));
    double n = (double)runs, mean = sum[M] / n, spread = sum[M_SD] - n * mean * mean;
    for (size_t f = 0; f < COLUMNS; f++)
        out[f] = es_measure_number(sum[f] / n);
    out[M_SD] = runs > 1 ? es_measure_number(sqrt(fmax(0, spread) / (n - 1)))
                         : es_measure_value_of(es_stat_undefined("one draw"));
    out[KERNEL] = es_measure_number((double)first.best + 1);
    out[NORM] = es_measure_number(mean_norm(&x));
    out[COLUMN_AXES] = es_measure_number((double)x.d);
    out[SIGMA] = es_measure_number(sqrt(first.sigma2));
    out[SKIPPED] = es_measure_number((double)data->queries->skipped);
    out[RUNS] = es_measure_number(n);
    if (!(first.sigma2 > 0))
        out[M].warning = "collapsed: all documents are equal";
    if (out[C].value >= 0.95)
        out[C].warning = "saturated: use m";
done:
    es_matrix_free(&x);
    return st;
}

const es_measure es_measure_retmmd = {
    .name = "retmmd",
    .title = "RetMMD: are answers apart from other documents",
    .caveat = "compare within one kernel and one draw of queries; m may be negative, c saturates",
    .version = 3, /* 3: rounding counts for nothing in two-nn */
    .needs = ES_NEED_QUERIES,
    .fields = fields,
    .n_fields = COLUMNS,
    .settings = settings,
    .n_settings = ES_COUNT_OF(settings),
    .embedder = retmmd,
    .load_making = {.copies = 3, .squares = 4},
};
