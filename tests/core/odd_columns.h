/* Columns that are hard to judge by their standard deviation, for tests of estimators: made of
 * independent draws, so that what one embedder of them says of another is nothing. */
#ifndef ES_TESTS_ODD_COLUMNS_H
#define ES_TESTS_ODD_COLUMNS_H

#include <math.h>
#include <string.h>

#include "synthetic.h"

typedef enum odd_kind {
    ODD_NORMAL,
    ODD_ONE_ROW, /* nonzero in so many rows, or in such a share of them */
    ODD_TWO_ROWS,
    ODD_FIVE_ROWS,
    ODD_PERMILLE,
    ODD_PERCENT,
    ODD_T1, /* Student's t of so many degrees */
    ODD_T2,
    ODD_T3,
    ODD_INTEGERS, /* counts, most of them 0 */
    ODD_TIES,     /* normal, rounded to few values */
    ODD_ONE_HOT,  /* one class a row, classes of unequal size */
    ODD_MIXED,    /* every column of another of the kinds above */
    ODD_BITS,     /* 0 and 1, of kind binary, common and rare ones */
    ODD_KINDS
} odd_kind;

static const char *const odd_name[ODD_KINDS] = {"normal", "1 row",   "2 rows", "5 rows", "0.1 %",
                                                "1 %",    "t(1)",    "t(2)",   "t(3)",   "counts",
                                                "ties",   "one-hot", "mixed",  "bits"};

static inline double odd_student(es_rng *rng, int degrees) {
    double z = es_rng_normal(rng), square = 0;
    for (int i = 0; i < degrees; i++) {
        double e = es_rng_normal(rng);
        square += e * e;
    }
    return z / sqrt(square / degrees);
}

static inline void odd_rows(const synthetic *s, size_t j, size_t count, es_rng *rng) {
    for (size_t i = 0; i < s->n; i++)
        s->x[i * s->d + j] = 0;
    for (size_t k = 0; k < count; k++)
        s->x[es_rng_below(rng, (uint32_t)s->n) * s->d + j] = 1;
}

static inline void odd_column(const synthetic *s, size_t j, odd_kind kind, es_rng *rng) {
    static const size_t rows[] = {[ODD_ONE_ROW] = 1, [ODD_TWO_ROWS] = 2, [ODD_FIVE_ROWS] = 5};
    if (kind >= ODD_ONE_ROW && kind <= ODD_FIVE_ROWS) {
        odd_rows(s, j, rows[kind], rng);
        return;
    }
    if (kind == ODD_PERMILLE || kind == ODD_PERCENT) {
        size_t share = s->n / (kind == ODD_PERCENT ? 100 : 1000);
        odd_rows(s, j, share > 0 ? share : 1, rng);
        return;
    }
    double rate = 0.5 / (double)(j + 1);
    for (size_t i = 0; i < s->n; i++) {
        double *x = &s->x[i * s->d + j];
        switch (kind) {
        case ODD_T1:
        case ODD_T2:
        case ODD_T3:
            *x = odd_student(rng, 1 + (int)(kind - ODD_T1));
            break;
        case ODD_INTEGERS:
            for (*x = 0; es_rng_uniform(rng) < rate / (rate + 1);)
                *x += 1;
            break;
        case ODD_TIES:
            *x = round(es_rng_normal(rng));
            break;
        case ODD_BITS:
            *x = es_rng_uniform(rng) < rate;
            break;
        default:
            *x = es_rng_normal(rng);
            break;
        }
    }
}

static inline void odd_fill(const synthetic *s, odd_kind kind, uint64_t seed) {
    es_rng rng = test_rng(seed, 11);
    if (kind == ODD_ONE_HOT) {
        memset(s->x, 0, s->n * s->d * sizeof *s->x);
        for (size_t i = 0; i < s->n; i++) {
            double u = es_rng_uniform(&rng);
            s->x[i * s->d + (size_t)(u * u * (double)s->d)] = 1;
        }
        return;
    }
    for (size_t j = 0; j < s->d; j++)
        odd_column(s, j, kind == ODD_MIXED ? (odd_kind)(j % ODD_ONE_HOT) : kind, &rng);
}

#endif
