/* One pass over an array: non-finite values, constant columns, means and deviations. */
#include <math.h>
#include <stdlib.h>
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
    uint32_t bad = (uint32_t)row;
    if (stats->bad_rows == 0) {
        stats->first_row = row;
        stats->first_column = column;
        stats->first_value = value;
    }
    return es_append(&stats->bad_row_list, &stats->bad_rows, &s->bad_capacity, &bad, sizeof bad,
                     err);
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
    es_copy copy = {.row = place, .of = of};
    return es_append(&stats->copy, &stats->copies, &s->copy_capacity, &copy, sizeof copy, err);
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

/* Do bytes hold eight columns each? Of packed bits every place of a byte is like the others. Of
 * counts the lower places are set more often; of numbers around a mean the highest places go
 * together, in two's complement and without a sign alike. */

enum { PLACES = 8, TOP = 3, ROWS_MOST = 4096, ROWS_LEAST = 50, COLUMNS_MOST = 1024 };

/* Of one column of bytes. */
typedef struct counts {
    uint32_t set[PLACES];    /* by place, the highest first */
    uint32_t both[TOP][TOP]; /* of two of the highest places */
} counts;

static void count_byte(counts *c, unsigned byte) {
    for (unsigned p = 0; p < PLACES; p++)
        c->set[p] += byte >> (PLACES - 1 - p) & 1u;
    for (unsigned p = 0; p < TOP; p++)
        for (unsigned q = 0; q < p; q++)
            c->both[p][q] += byte >> (PLACES - 1 - p) & byte >> (PLACES - 1 - q) & 1u;
}

/* The size of the correlation of two places; NaN: one of them is always the same. */
static double correlate(const counts *c, unsigned p, unsigned q, double n) {
    double a = c->set[p] / n, b = c->set[q] / n, spread = a * (1 - a) * b * (1 - b);
    return spread > 0 ? fabs(c->both[p][q] / n - a * b) / sqrt(spread) : (double)NAN;
}

static bool judge(const counts *column, size_t d, double n) {
    double set[PLACES] = {0}, sum = 0, least = (double)INFINITY, most = 0;
    size_t pairs = 0; /* of 3 a column */
    for (size_t j = 0; j < d; j++) {
        for (unsigned p = 0; p < PLACES; p++)
            set[p] += column[j].set[p];
        for (unsigned p = 0; p < TOP; p++)
            for (unsigned q = 0; q < p; q++) {
                double r = correlate(&column[j], p, q, n);
                sum += isnan(r) ? 0 : r;
                pairs += isnan(r) ? 0 : 1;
            }
    }
    for (unsigned p = 0; p < PLACES; p++) {
        least = set[p] < least ? set[p] : least;
        most = set[p] > most ? set[p] : most;
    }
    return least > 0 && most < 2.5 * least && 2 * pairs >= 3 * d && sum < 0.25 * (double)pairs;
}

/* Bytes are kept in wider types, too, as lists of JSON and np.array make them. */
static bool is_byte(double value) {
    return value >= INT8_MIN && value <= UINT8_MAX && value == floor(value);
}

/* Bytes a value of wide integers, such as those of packed bits that are kept eight bytes at a time.
 */
static size_t bytes_of(const es_array *array) {
    static const es_dtype wide[] = {ES_DTYPE_I16, ES_DTYPE_U16, ES_DTYPE_I32,
                                    ES_DTYPE_U32, ES_DTYPE_I64, ES_DTYPE_U64};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (array->dtype == wide[i] && !array->fortran)
            return es_dtype_size(array->dtype);
    return 1;
}

/* Counts values that are bytes (size 1), or the bytes of each value. False: not all are bytes. */
static bool count_rows(const es_array *array, size_t n, size_t size, double *row, counts *column) {
    for (size_t i = 0; i < n; i++) {
        size_t at = i * (array->n / n), d = array->d * size;
        if (size == 1)
            es_array_read_range(array, at, 1, row);
        for (size_t j = 0; j < d; j++) {
            if (size == 1 && !is_byte(row[j]))
                return false;
            count_byte(&column[j],
                       size > 1 ? array->data[at * d + j] : (unsigned)(int)row[j] & 0xffu);
        }
    }
    return true;
}

es_status es_array_looks_packed(const es_array *array, uint8_t *out, es_error *err) {
    size_t n = array->n < ROWS_MOST ? array->n : ROWS_MOST, size = bytes_of(array), d = array->d;
    *out = 0;
    if (array->dtype == ES_DTYPE_BOOL || array->bits || n < ROWS_LEAST || d * size < 2 ||
        d > COLUMNS_MOST)
        return ES_OK;
    counts *column = es_alloc_zero(d, size * sizeof *column);
    double *row = es_alloc(d, sizeof *row);
    es_status st = column && row ? ES_OK : es_no_memory(err);
    if (st == ES_OK && count_rows(array, n, 1, row, column))
        *out = d > 1 && judge(column, d, (double)n);
    else if (st == ES_OK && size > 1) {
        memset(column, 0, d * size * sizeof *column);
        (void)count_rows(array, n, size, row, column);
        *out = judge(column, d * size, (double)n) ? (uint8_t)size : 0;
    }
    es_free(column);
    es_free(row);
    return st;
}

/* ---- rows of another scale ---- */

static int compare_lengths(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static es_long_row judge_lengths(double *length, size_t n) {
    enum { TIMES = 20, PERCENT = 5 };
    double all = 0, far = 0;
    size_t at = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        all += length[i] * length[i];
        at = length[i] > length[at] ? i : at;
    }
    double most = length[at];
    qsort(length, n, sizeof *length, compare_lengths);
    double median = length[n / 2];
    for (; count < n && length[n - 1 - count] > TIMES * median; count++)
        far += length[n - 1 - count] * length[n - 1 - count];
    bool found = median > 0 && count > 0 && count * 100 <= n * PERCENT && 2 * far > all;
    return found ? (es_long_row){at, count - 1, most / median} : (es_long_row){0};
}

es_status es_array_find_long(const es_array *array, const uint32_t *rows, size_t n,
                             es_long_row *out, es_error *err) {
    double *length = es_alloc(n, sizeof *length), *row = es_alloc(array->d, sizeof *row);
    es_status st = length && row ? ES_OK : es_no_memory(err);
    for (size_t i = 0; st == ES_OK && i < n; i++) {
        double squares = 0;
        es_array_read_range(array, (rows ? rows[i] : i), 1, row);
        for (size_t j = 0; j < array->d; j++)
            squares += row[j] * row[j];
        length[i] = isfinite(squares) ? sqrt(squares) : 0;
    }
    if (st == ES_OK)
        *out = judge_lengths(length, n);
    es_free(length);
    es_free(row);
    return st;
}

/* ---- ids among the values ---- */

static int compare_values(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* True if the column holds another whole number in every row; `column` has room for them. */
static bool numbers_rows(const es_array *array, size_t j, double *row, double *column) {
    for (size_t i = 0; i < array->n; i++) {
        es_array_read_range(array, i, 1, row);
        column[i] = row[j];
        if (!(fabs(row[j]) < 0x1p53) || row[j] != floor(row[j]))
            return false;
    }
    qsort(column, array->n, sizeof *column, compare_values);
    for (size_t i = 1; i < array->n; i++)
        if (column[i] <= column[i - 1])
            return false;
    return true;
}

es_status es_array_find_ids(const es_array *array, size_t *out, es_error *err) {
    size_t d = array->d;
    bool whole = true;
    *out = SIZE_MAX;
    if (array->dtype < ES_DTYPE_F16 || array->n < ROWS_LEAST || d < 3)
        return ES_OK;
    double *row = es_alloc(d, sizeof *row), *column = es_alloc(array->n, sizeof *column);
    if (!row || !column) {
        es_free(row);
        es_free(column);
        return es_no_memory(err);
    }
    for (size_t i = 0; i < ROWS_LEAST && whole; i++) { /* other columns of whole numbers: counts */
        es_array_read_range(array, i, 1, row);
        for (size_t j = 1; j + 1 < d && whole; j++)
            whole = row[j] == floor(row[j]);
    }
    for (size_t j = 0; j < d && !whole && *out == SIZE_MAX; j += d - 1)
        *out = numbers_rows(array, j, row, column) ? j : SIZE_MAX;
    es_free(row);
    es_free(column);
    return ES_OK;
}

/* Short floats, bit by bit: what no instruction of every processor does. */

/* A short float of 1 sign, 15 - `fraction` exponent and `fraction` mantissa bits; subnormals are
 * multiples of `least`. Not by way of float: with DAZ set, a subnormal float would be read as 0. */
static inline double widen(uint16_t bits, unsigned fraction, double least) {
    unsigned all = bits, top = (1U << (15 - fraction)) - 1, exponent = all >> fraction & top;
    uint64_t sign = (uint64_t)(all & 0x8000U) << 48, mantissa = all & ((1U << fraction) - 1);
    double value = (double)mantissa * least;
    if (exponent == 0)
        return sign ? -value : value;
    uint64_t wide = exponent == top ? 0x7FF : exponent + 1023 - top / 2;
    wide = sign | wide << 52 | mantissa << (52 - fraction);
    memcpy(&value, &wide, sizeof value);
    return value;
}

double es_f16_to_double(uint16_t bits) {
    return widen(bits, 10, 0x1p-24);
}

double es_bf16_to_double(uint16_t bits) {
    return widen(bits, 7, 0x1p-133);
}
