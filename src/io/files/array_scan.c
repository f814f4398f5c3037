/* One pass over an array: non-finite values, constant columns, means and deviations. */
#include <math.h>
#include <string.h>

#include "io_files.h"
#include "io_files_parts.h"

void es_array_stats_deinit(es_array_stats *stats) {
    es_free(stats->bad_row_list);
    es_free(stats->copy);
    es_free(stats->constant);
    es_free(stats->mean);
    es_free(stats->sd);
    memset(stats, 0, sizeof *stats);
}

/* Position of the first non-finite value of x[0..d), or d. */
static size_t find_bad(const es_scan_kernels *kernels, const double *x, size_t d) {
    size_t j = kernels->finite(x, d) ? d : 0;
    while (j < d && isfinite(x[j]))
        j++;
    return j;
}

/* A scan in progress. In stats, sd and norm_sd hold sums of squared deviations until the end. */
typedef struct scan {
    es_array_stats stats;
    size_t d, good, bad_capacity, copy_capacity;
    es_seen seen;   /* hashes of good rows */
    double *first;  /* (d) the first good row */
    uint32_t *same; /* (n_same) columns that have held its values so far */
    size_t n_same;
    const es_scan_kernels *kernels;
} scan;

static es_status add_bad_row(scan *s, size_t row, size_t column, double value, es_error *err) {
    es_array_stats *stats = &s->stats;
    uint32_t *list = es_grow(stats->bad_row_list, stats->bad_rows, &s->bad_capacity, sizeof *list);
    if (!list)
        return es_no_memory(err);
    stats->bad_row_list = list;
    if (stats->bad_rows == 0) {
        stats->first_row = row;
        stats->first_column = column;
        stats->first_value = value;
    }
    stats->bad_row_list[stats->bad_rows++] = (uint32_t)row;
    return ES_OK;
}

/* Most columns leave the list with the second row. */
static void drop_varying(scan *s, const double *x) {
    size_t kept = 0;
    for (size_t k = 0; k < s->n_same; k++)
        if (x[s->same[k]] == s->first[s->same[k]])
            s->same[kept++] = s->same[k];
    s->n_same = kept;
}

/* Welford's update for every column, and for the norm. */
static void add_good_row(scan *s, const double *x) {
    es_array_stats *stats = &s->stats;
    double weight = 1.0 / (double)++s->good;
    bool zero = true;
    if (s->good == 1)
        memcpy(s->first, x, s->d * sizeof *x);
    double norm = s->kernels->add(x, s->d, weight, stats->mean, stats->sd);
    drop_varying(s, x);
    for (size_t j = 0; norm == 0.0 && zero && j < s->d; j++) /* squares of tiny values vanish */
        zero = x[j] == 0.0;
    stats->zero_rows += norm == 0.0 && zero;
    norm = sqrt(norm);
    double delta = norm - stats->norm_mean;
    stats->norm_mean += delta * weight;
    stats->norm_sd += delta * (norm - stats->norm_mean);
}

static es_status add_copy(scan *s, uint32_t place, uint64_t hash, es_error *err) {
    es_array_stats *stats = &s->stats;
    uint32_t of = es_seen_put(&s->seen, place, hash);
    if (of == place)
        return ES_OK;
    es_copy *list = es_grow(stats->copy, stats->copies, &s->copy_capacity, sizeof *list);
    if (!list)
        return es_no_memory(err);
    stats->copy = list;
    stats->copy[stats->copies++] = (es_copy){.row = place, .of = of};
    return ES_OK;
}

/* Sums do not depend on the order; 128 bits of them are not equal by chance. Returns 64 bits of the
 * row's. */
static uint64_t add_hash(scan *s, const double *x) {
    es_array_stats *stats = &s->stats;
    es_digest row = es_digest_bytes(x, s->d * sizeof *x);
    uint64_t chain[4] = {stats->in_order[0], stats->in_order[1], row.hi, row.lo};
    es_digest all = es_digest_bytes(chain, sizeof chain);
    stats->any_order[0] += row.hi;
    stats->any_order[1] += row.lo;
    stats->in_order[0] = all.hi;
    stats->in_order[1] = all.lo;
    return row.lo;
}

static void finish(scan *s) {
    es_array_stats *stats = &s->stats;
    double good = (double)s->good; /* 0 makes every deviation NaN, as it should be */
    memset(stats->constant, 0, s->d * sizeof *stats->constant);
    for (size_t k = 0; k < s->n_same; k++)
        stats->constant[s->same[k]] = true;
    stats->constant_columns = s->n_same;
    for (size_t j = 0; j < s->d; j++) {
        stats->sd[j] = sqrt(stats->sd[j] / good);
        if (stats->constant[j] && s->good > 0) { /* without the update's rounding */
            stats->mean[j] = s->first[j];
            stats->sd[j] = 0;
        }
        if (s->good == 0)
            stats->mean[j] = (double)NAN;
    }
    stats->norm_sd = sqrt(stats->norm_sd / good);
    if (s->good == 0)
        stats->norm_mean = (double)NAN;
}

es_status es_array_scan(const es_array *array, const uint32_t *rows, size_t count, es_run *run,
                        es_array_stats *out, es_error *err) {
    enum { CHUNK = 1 << 16 }; /* elements converted at once, and between looks at `run` */
    es_status st = ES_OK;
    unsigned mode = es_cpu_denormals_keep(); /* columns of tiny values are not constant */
    size_t d = array->d, height = d < CHUNK ? CHUNK / d : 1;
    scan s = {.d = d,
              .n_same = d,
              .kernels = es_scan_kernels_get(es_isa_level()),
              .stats = {.rows = count, .first_row = SIZE_MAX, .first_column = SIZE_MAX}};
    double *chunk = es_alloc(height, d * sizeof *chunk);
    s.first = es_alloc(d, sizeof *s.first);
    s.same = es_alloc(d, sizeof *s.same);
    s.stats.constant = es_alloc(d, sizeof *s.stats.constant);
    s.stats.mean = es_alloc_zero(d, sizeof *s.stats.mean);
    s.stats.sd = es_alloc_zero(d, sizeof *s.stats.sd);
    ES_FAIL_IF(!chunk || !s.first || !s.same || !s.stats.constant || !s.stats.mean || !s.stats.sd,
               es_no_memory_for(err, "the statistics of %zu columns", d));
    ES_TRY(es_seen_init(&s.seen, count, err));
    for (size_t j = 0; j < d; j++)
        s.same[j] = (uint32_t)j;
    for (size_t start = 0; start < count; start += height) {
        size_t now = count - start < height ? count - start : height;
        es_run_bytes(run, start * d * es_dtype_size(array->dtype),
                     count * d * es_dtype_size(array->dtype));
        ES_TRY(es_run_check(run, err));
        if (rows)
            es_array_read(array, rows + start, now, chunk);
        else
            es_array_read_range(array, start, now, chunk);
        for (size_t i = 0; i < now; i++) {
            const double *x = chunk + i * d;
            size_t bad = find_bad(s.kernels, x, d);
            uint64_t hash = add_hash(&s, x);
            if (bad < d) {
                ES_TRY(add_bad_row(&s, rows ? rows[start + i] : start + i, bad, x[bad], err));
                continue;
            }
            add_good_row(&s, x);
            ES_TRY(add_copy(&s, (uint32_t)(start + i), hash, err));
        }
    }
    finish(&s);
    *out = s.stats;
    memset(&s.stats, 0, sizeof s.stats);
done:
    es_cpu_denormals_restore(mode);
    es_free(chunk);
    es_free(s.first);
    es_free(s.same);
    es_seen_deinit(&s.seen);
    es_array_stats_deinit(&s.stats);
    return st;
}
