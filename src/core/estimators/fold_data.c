/* Standardised training, validation and test rows of one embedder, kept or read anew each time.
 * Means and deviations are of the training rows alone, so that nothing held out is seen. */
#include "core_estimators.h"

#include <math.h>
#include <string.h>

/* Rows are converted to double a block at a time: large enough to amortise calls, small enough to
 * stay in cache. */
static size_t block_rows(size_t d) {
    size_t rows = 32768 / (d ? d : 1);
    return rows < 8 ? 8 : rows > 512 ? 512 : rows;
}

typedef struct column_stats {
    double *mean, *m2, *low, *high; /* (d); m2 = sum of squared deviations */
} column_stats;

/* Of a row. None of these overlap, which lets the loop run on several columns at once. */
static void add_deviations(const double *restrict x, size_t d, const double *restrict mean,
                           double *restrict m2, double *restrict low, double *restrict high) {
    for (size_t j = 0; j < d; j++) {
        double v = x[j], e = v - mean[j];
        m2[j] += e * e;
        low[j] = v < low[j] ? v : low[j];
        high[j] = v > high[j] ? v : high[j];
    }
}

/* Fold one block into the running mean and squared deviations (Chan, Golub and LeVeque 1979): each
 * block is centred on its own mean, so a large common offset costs no digits. */
static void add_block(const double *x, size_t count, size_t d, size_t seen, double *block_mean,
                      column_stats *s) {
    memset(block_mean, 0, d * sizeof *block_mean);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < d; j++)
            block_mean[j] += x[i * d + j];
    for (size_t j = 0; j < d; j++)
        block_mean[j] /= (double)count;
    for (size_t i = 0; i < count; i++)
        add_deviations(x + i * d, d, block_mean, s->m2, s->low, s->high);
    double total = (double)(seen + count), share = (double)count / total;
    for (size_t j = 0; j < d; j++) {
        double delta = block_mean[j] - s->mean[j];
        s->mean[j] += delta * share;
        s->m2[j] += delta * delta * (double)seen * share;
    }
}

/* 0 * x is 0 for every finite x and NaN for the rest: no branch, and sums that do not wait for each
 * other, so that the usual answer comes fast. */
static es_status check_finite(const double *x, const uint32_t *row, size_t count, size_t d,
                              es_error *err) {
    enum { CHAINS = 8 };
    double sum[CHAINS] = {0};
    size_t n = count * d, at = 0;
    for (; at + CHAINS <= n; at += CHAINS)
        for (size_t k = 0; k < CHAINS; k++)
            sum[k] += x[at + k] * 0.0;
    for (size_t k = 0; k < CHAINS; k++)
        at = sum[k] == 0.0 ? at : 0;
    while (at < n && isfinite(x[at]))
        at++;
    return at == n ? ES_OK
                   : es_fail(err, ES_ENONFINITE, "row %u, column %zu is not a finite number",
                             row[at / d], at % d);
}

static es_status train_stats(const es_rows *rows, const es_fold *fold, double *buffer,
                             double *block_mean, column_stats *s, es_run *run, es_error *err) {
    size_t d = rows->d, step = block_rows(d);
    for (size_t j = 0; j < d; j++) {
        s->mean[j] = s->m2[j] = 0;
        s->low[j] = INFINITY;
        s->high[j] = -INFINITY;
    }
    for (size_t i = 0; i < fold->n_train; i += step) {
        size_t count = fold->n_train - i < step ? fold->n_train - i : step;
        es_status st = es_run_check(run, err);
        if (st == ES_OK)
            st = rows->read(rows->context, fold->train + i, count, buffer, err);
        if (st == ES_OK)
            st = check_finite(buffer, fold->train + i, count, d, err);
        if (st != ES_OK)
            return st;
        add_block(buffer, count, d, i, block_mean, s);
    }
    return ES_OK;
}

/* The columns that vary on the training rows. ES_EINVAL when none does. */
static es_status keep_columns(const column_stats *s, size_t d, size_t n_train, es_fold_data *data,
                              es_error *err) {
    size_t kept = 0;
    for (size_t j = 0; j < d; j++) {
        if (s->low[j] == s->high[j])
            continue;
        double sd = sqrt(s->m2[j] / (double)n_train);
        if (!isfinite(sd))
            return es_fail(err, ES_ENONFINITE,
                           "column %zu: values near %.3g are too large to standardise", j,
                           s->high[j]);
        if (sd == 0) /* differs by less than the smallest double squared: nothing to standardise */
            continue;
        data->column[kept] = (uint32_t)j;
        data->mean[kept] = s->mean[j];
        data->sd[kept] = sd;
        kept++;
    }
    if (kept == 0)
        return es_fail(err, ES_EINVAL, "every column is constant on the training rows");
    data->d = kept;
    return ES_OK;
}

static void move(float *row, size_t d, const double *centre) {
    for (size_t j = 0; j < d; j++)
        row[j] -= (float)centre[j];
}

static float within(float limit, float v) {
    v = v < -limit ? -limit : v;
    return v > limit ? limit : v;
}

/* Where all columns are kept, as a rule, they lie as they are taken, several at once. */
static void standardise_row(const es_fold_data *data, const double *x, float limit, float *y) {
    const uint32_t *column = data->column;
    const double *mean = data->mean, *sd = data->sd;
    size_t kept = data->d;
    if (kept == data->rows.d)
        for (size_t j = 0; j < kept; j++)
            y[j] = within(limit, (float)((x[j] - mean[j]) / sd[j]));
    else
        for (size_t j = 0; j < kept; j++)
            y[j] = within(limit, (float)((x[column[j]] - mean[j]) / sd[j]));
}

/* out (n, data->d): standardised listed rows. buffer: block_rows(d) x d. */
static es_status standardise(const es_fold_data *data, const uint32_t *list, size_t n,
                             double *buffer, float *out, es_run *run, es_error *err) {
    const es_rows *rows = &data->rows;
    size_t d = rows->d, kept = data->d, step = block_rows(d);
    float limit = data->clip > 0 ? (float)data->clip : INFINITY;
    for (size_t i = 0; i < n; i += step) {
        size_t count = n - i < step ? n - i : step;
        es_status st = es_run_check(run, err);
        if (st == ES_OK)
            st = rows->read(rows->context, list + i, count, buffer, err);
        if (st == ES_OK)
            st = check_finite(buffer, list + i, count, d, err);
        if (st != ES_OK)
            return st;
        for (size_t r = 0; r < count; r++) {
            const double *x = buffer + r * d;
            float *y = out + (i + r) * kept;
            standardise_row(data, x, limit, y);
            if (data->centre)
                move(y, kept, data->centre);
            for (size_t j = 0; data->unit > 0 && j < kept; j++)
                y[j] = (float)((double)y[j] / data->unit);
            if (data->normal)
                es_net_normalize(es_simd_get(es_isa_level()), y, 1, kept, y);
        }
    }
    return ES_OK;
}

/* Everything but the standardised rows; buffer: block_rows(d) x d. */
static es_status describe(es_fold_data *data, const es_fold *fold, double *buffer, es_run *run,
                          es_error *err) {
    const es_rows *rows = &data->rows;
    size_t d = rows->d;
    es_status st = ES_OK;
    double *stats = es_alloc(5 * d, sizeof *stats);
    data->column = es_alloc(d, sizeof *data->column);
    data->mean = es_alloc(2 * d, sizeof *data->mean);
    ES_FAIL_IF(!stats || !data->column || !data->mean, es_no_memory_for(err, "%zu columns", d));
    data->sd = data->mean + d;
    data->n_train = fold->n_train;
    data->n_val = fold->n_val;
    data->n_test = fold->n_test;
    column_stats s = {stats, stats + d, stats + 2 * d, stats + 3 * d};
    ES_TRY(train_stats(rows, fold, buffer, stats + 4 * d, &s, run, err));
    ES_TRY(keep_columns(&s, d, fold->n_train, data, err));
done:
    es_free(stats);
    return st;
}

static es_status keep_rows(es_fold_data *data, const es_fold *fold, double *buffer, es_run *run,
                           es_error *err) {
    size_t n = fold->n_train + fold->n_val + fold->n_test;
    data->train = es_alloc_aligned(n * data->d, sizeof *data->train);
    if (!data->train)
        return es_no_memory_for(err, "%zu x %zu standardised values", n, data->d);
    data->val = data->train + fold->n_train * data->d;
    data->test = data->val + fold->n_val * data->d;
    es_status st = standardise(data, fold->train, fold->n_train, buffer, data->train, run, err);
    if (st == ES_OK)
        st = standardise(data, fold->val, fold->n_val, buffer, data->val, run, err);
    if (st == ES_OK)
        st = standardise(data, fold->test, fold->n_test, buffer, data->test, run, err);
    return st;
}

/* Standardises the rows of a fold by its training rows and keeps them, or reads them in blocks. */
static es_status fold_data_new(const es_rows *rows, const es_fold *fold, double clip, bool keep,
                               es_run *run, es_fold_data **out, es_error *err) {
    es_status st = ES_OK;
    size_t d = rows->d;
    es_fold_data *data = es_alloc_zero(1, sizeof *data);
    double *buffer = es_alloc_aligned(block_rows(d) * d, sizeof *buffer);
    ES_FAIL_IF(!data || !buffer, es_no_memory_for(err, "%zu columns", d));
    data->rows = *rows;
    data->clip = clip;
    ES_TRY(describe(data, fold, buffer, run, err));
    if (keep)
        ES_TRY(keep_rows(data, fold, buffer, run, err));
    else
        data->fold = fold;
    *out = data;
    data = NULL;
done:
    es_free(buffer);
    es_fold_data_free(data);
    return st;
}

es_status es_fold_data_new(const es_rows *rows, const es_fold *fold, double clip, es_run *run,
                           es_fold_data **out, es_error *err) {
    return fold_data_new(rows, fold, clip, true, run, out, err);
}

es_status es_fold_data_stream(const es_rows *rows, const es_fold *fold, double clip, es_run *run,
                              es_fold_data **out, es_error *err) {
    return fold_data_new(rows, fold, clip, false, run, out, err);
}

es_status es_fold_data_stream_all(const es_rows *rows, double clip, es_run *run, es_fold_data **out,
                                  es_error *err) {
    es_fold all = {.train = es_alloc(rows->n, sizeof *all.train), .n_train = rows->n};
    if (!all.train)
        return es_no_memory_for(err, "%zu rows", rows->n);
    for (size_t i = 0; i < rows->n; i++)
        all.train[i] = (uint32_t)i;
    es_fold_data *data = NULL;
    es_status st = fold_data_new(rows, &all, clip, false, run, &data, err);
    if (st != ES_OK) {
        es_free(all.train);
        return st;
    }
    data->all = all;
    data->fold = &data->all;
    *out = data;
    return ES_OK;
}

/* Sums of the training rows, and of their squares, as they are standardised now: sums (2, d). */
static es_status sum_train(es_fold_data *data, es_arena *arena, double *sums, es_run *run,
                           es_error *err) {
    es_fold_reader reader;
    memset(sums, 0, 2 * data->d * sizeof *sums);
    es_status st = es_fold_reader_init(&reader, data, arena, err);
    for (size_t at = 0; st == ES_OK && at < data->n_train; at += ES_FOLD_BLOCK) {
        const float *rows = NULL;
        size_t count = es_fold_block(at, data->n_train);
        st = es_fold_reader_read(&reader, ES_PART_TRAIN, at, count, run, &rows, err);
        for (size_t i = 0; st == ES_OK && i < count; i++)
            for (size_t j = 0; j < data->d; j++) {
                double v = (double)rows[i * data->d + j];
                sums[j] += v;
                sums[data->d + j] += v * v;
            }
    }
    return st;
}

es_status es_fold_data_centre(es_fold_data *data, es_run *run, es_error *err) {
    size_t d = data->d;
    es_arena *arena = es_arena_new();
    double *sums = es_alloc(2 * d, sizeof *sums);
    es_status st = sums && arena ? sum_train(data, arena, sums, run, err)
                                 : es_no_memory_for(err, "%zu columns", d);
    es_arena_free(arena);
    if (st != ES_OK) {
        es_free(sums);
        return st;
    }
    for (size_t j = 0; j < d; j++) {
        double mean = sums[j] / (double)data->n_train;
        sums[j] = mean;
        sums[d + j] = sums[d + j] / (double)data->n_train - mean * mean;
    }
    data->centre = sums;
    data->spread = sums + d;
    for (size_t i = 0; data->train && i < es_fold_data_rows(data); i++)
        move(data->train + i * d, d, data->centre);
    return ES_OK;
}

static void widen_range(const float *rows, size_t count, size_t d, float *low, float *high) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < d; j++) {
            float v = rows[i * d + j];
            low[j] = v < low[j] ? v : low[j];
            high[j] = v > high[j] ? v : high[j];
        }
}

/* low, high (d) of the rows of a part, which they include already. */
static es_status range_of(es_fold_data *data, es_fold_reader *reader, es_part part, float *low,
                          float *high, es_run *run, es_error *err) {
    size_t n = es_fold_data_count(data, part);
    es_status st = ES_OK;
    for (size_t at = 0; st == ES_OK && at < n; at += ES_FOLD_BLOCK) {
        const float *rows = NULL;
        size_t count = es_fold_block(at, n);
        st = es_fold_reader_read(reader, part, at, count, run, &rows, err);
        if (st == ES_OK)
            widen_range(rows, count, data->d, low, high);
    }
    return st;
}

/* Columns whose range reaches the limit, as it lies after centring. */
static size_t count_limited(const es_fold_data *data, const float *low, const float *high) {
    float limit = (float)data->clip;
    size_t count = 0;
    for (size_t j = 0; j < data->d; j++) {
        float centre = data->centre ? (float)data->centre[j] : 0;
        count += low[j] <= -limit - centre || high[j] >= limit - centre;
    }
    return count;
}

es_status es_fold_data_limits(es_fold_data *data, es_run *run, es_error *err) {
    size_t d = data->d;
    es_fold_reader reader;
    es_arena *arena = es_arena_new();
    float *range = es_alloc(2 * d, sizeof *range), *all = es_alloc(2 * d, sizeof *all);
    es_status st = arena && range && all ? es_fold_reader_init(&reader, data, arena, err)
                                         : es_no_memory_for(err, "%zu columns", d);
    for (size_t j = 0; st == ES_OK && j < d; j++) {
        range[j] = INFINITY;
        range[d + j] = -INFINITY;
    }
    if (st == ES_OK)
        st = range_of(data, &reader, ES_PART_TRAIN, range, range + d, run, err);
    if (st == ES_OK) {
        memcpy(all, range, 2 * d * sizeof *all);
        st = range_of(data, &reader, ES_PART_VAL, all, all + d, run, err);
    }
    if (st == ES_OK)
        st = range_of(data, &reader, ES_PART_TEST, all, all + d, run, err);
    if (st == ES_OK) {
        data->limited = data->clip > 0 ? count_limited(data, all, all + d) : 0;
        data->low = range;
        data->high = range + d;
        range = NULL;
    }
    es_arena_free(arena);
    es_free(range);
    es_free(all);
    return st;
}

double es_fold_data_prior(const es_fold_data *data, size_t j, double floor) {
    return data->spread ? fmax(data->spread[j], floor) : 1;
}

size_t es_fold_data_rare(const es_fold_data *data, double floor) {
    size_t count = 0;
    for (size_t j = 0; data->spread && j < data->d; j++)
        count += data->spread[j] < floor;
    return count;
}

es_status es_fold_data_square(es_fold_data *data, es_run *run, es_error *err) {
    size_t d = data->d;
    es_arena *arena = es_arena_new();
    double *sums = es_alloc(2 * d, sizeof *sums), *square = es_alloc(d, sizeof *square);
    es_status st = ES_OK;
    if (!arena || !sums || !square)
        st = es_no_memory_for(err, "%zu columns", d);
    if (st == ES_OK)
        st = sum_train(data, arena, sums, run, err);
    for (size_t j = 0; st == ES_OK && j < d; j++)
        square[j] = sums[d + j] / (double)data->n_train;
    if (st == ES_OK) {
        es_free(data->square);
        data->square = square;
        square = NULL;
    }
    es_arena_free(arena);
    es_free(sums);
    es_free(square);
    return st;
}

void es_fold_data_free(es_fold_data *data) {
    if (!data)
        return;
    es_free(data->square);
    es_free(data->low);
    es_free(data->centre);
    es_free(data->column);
    es_free(data->mean);
    es_free(data->train);
    es_free(data->all.train);
    es_free(data);
}

size_t es_fold_data_bytes(const es_fold_data *data) {
    size_t n = data->fold ? 0 : es_fold_data_rows(data);
    return sizeof *data + n * data->d * sizeof(float) + data->all.n_train * sizeof(uint32_t) +
           data->d * (sizeof(uint32_t) +
                      ((data->centre ? 4U : 2U) + (data->square ? 1U : 0U)) * sizeof(double) +
                      (data->low ? 2 * sizeof(float) : 0));
}

size_t es_fold_block(size_t start, size_t n) {
    return n - start < ES_FOLD_BLOCK ? n - start : ES_FOLD_BLOCK;
}

size_t es_fold_data_rows(const es_fold_data *data) {
    return data->n_train + data->n_val + data->n_test;
}

size_t es_fold_data_count(const es_fold_data *data, es_part part) {
    return part == ES_PART_TRAIN ? data->n_train : part == ES_PART_VAL ? data->n_val : data->n_test;
}

es_status es_fold_reader_init(es_fold_reader *reader, const es_fold_data *data, es_arena *arena,
                              es_error *err) {
    es_fold_reader r = {.data = data};
    if (data->fold) {
        size_t d = data->rows.d;
        r.buffer = es_arena_alloc(arena, block_rows(d) * d, sizeof *r.buffer);
        r.block = es_arena_alloc(arena, ES_FOLD_BLOCK * data->d, sizeof *r.block);
        if (!r.buffer || !r.block)
            return es_no_memory_for(err, "a block of %zu columns", d);
    }
    *reader = r;
    return ES_OK;
}

static const float *kept_rows(const es_fold_data *data, es_part part) {
    return part == ES_PART_TRAIN ? data->train : part == ES_PART_VAL ? data->val : data->test;
}

static const uint32_t *rows_of(const es_fold_data *data, es_part part) {
    const es_fold *fold = data->fold;
    return part == ES_PART_TRAIN ? fold->train : part == ES_PART_VAL ? fold->val : fold->test;
}

es_status es_fold_reader_read(es_fold_reader *reader, es_part part, size_t start, size_t count,
                              es_run *run, const float **out, es_error *err) {
    const es_fold_data *data = reader->data;
    if (!data->fold) {
        *out = kept_rows(data, part) + start * data->d;
        return ES_OK;
    }
    *out = reader->block;
    return standardise(data, rows_of(data, part) + start, count, reader->buffer, reader->block, run,
                       err);
}

es_status es_fold_reader_gather(es_fold_reader *reader, es_part part, const uint32_t *list,
                                size_t start, size_t count, es_run *run, float *out,
                                es_error *err) {
    enum { AT_ONCE = 256 };
    const es_fold_data *data = reader->data;
    if (!data->fold) {
        const float *from = kept_rows(data, part);
        for (size_t i = 0; i < count; i++)
            memcpy(out + i * data->d, from + (list ? list[i] : start + i) * data->d,
                   data->d * sizeof *out);
        return ES_OK;
    }
    const uint32_t *rows = rows_of(data, part);
    es_status st = ES_OK;
    for (size_t at = 0; at < count && st == ES_OK; at += AT_ONCE) {
        uint32_t some[AT_ONCE];
        size_t n = count - at < AT_ONCE ? count - at : AT_ONCE;
        for (size_t i = 0; i < n; i++)
            some[i] = rows[list ? list[at + i] : start + at + i];
        st = standardise(data, some, n, reader->buffer, out + at * data->d, run, err);
    }
    return st;
}
