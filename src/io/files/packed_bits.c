/* Do bytes hold eight columns each? Of packed bits every place of a byte is like the others. Of
 * counts the lower places are set more often; of numbers around a mean the highest places go
 * together, in two's complement and without a sign alike. */
#include <math.h>

#include "io_files.h"

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

es_status es_array_looks_packed(const es_array *array, bool *out, es_error *err) {
    size_t d = array->d, n = array->n < ROWS_MOST ? array->n : ROWS_MOST;
    *out = false;
    if (es_dtype_size(array->dtype) != 1 || array->dtype == ES_DTYPE_BOOL || array->bits ||
        n < ROWS_LEAST || d < 2 || d > COLUMNS_MOST)
        return ES_OK;
    counts *column = es_alloc_zero(d, sizeof *column);
    double *row = es_alloc(d, sizeof *row);
    if (!column || !row) {
        es_free(column);
        es_free(row);
        return es_no_memory(err);
    }
    for (size_t i = 0; i < n; i++) {
        es_array_read_range(array, i * (array->n / n), 1, row);
        for (size_t j = 0; j < d; j++)
            count_byte(&column[j], (unsigned)(int)row[j] & 0xffu);
    }
    *out = judge(column, d, (double)n);
    es_free(column);
    es_free(row);
    return ES_OK;
}
