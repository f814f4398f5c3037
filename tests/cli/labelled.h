/* A pool of three embedders, or five, with labels and pairs, for tests of measures. Included in
 * place of program.h. */
#ifndef ES_TESTS_CLI_LABELLED_H
#define ES_TESTS_CLI_LABELLED_H

#include "program.h"

/* Rows 2k and 2k + 1 of make_pool's factors are unrelated, so pairs are made of what is near: rows
 * of the first embedder, written here. */
static inline void make_labelled(void) {
    enum { ROWS = 120, D = 5 };
    double x[ROWS * D], y[ROWS * 3], noise[ROWS * D];
    es_buf *labels = test_buf(), *pairs = test_buf(), *graded = test_buf();
    assert_int_equal(mkdir("pool", 0700), 0);
    es_rng rng = test_rng(5, 1);
    es_buf_puts(labels, "row,topic,size\n");
    es_buf_puts(pairs, "a,b\n");
    es_buf_puts(graded, "a,b,score\n");
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < D; j++) {
            double own = es_rng_normal(&rng);
            x[i * D + j] = i % 2 ? x[(i - 1) * D + j] + 0.1 * own : own + 2.0 * (double)(i / 2 % 3);
            noise[i * D + j] = es_rng_normal(&rng);
        }
        for (size_t j = 0; j < 3; j++)
            y[i * 3 + j] = x[i * D + j] + 0.5 * es_rng_normal(&rng);
        es_buf_printf(labels, "%zu,%c,%.3f\n", i, "xyz"[i / 2 % 3], x[i * D] + 0.01);
        if (i % 2)
            es_buf_printf(pairs, "%zu,%zu\n", i - 1, i);
        if (i % 2)
            es_buf_printf(graded, "%zu,%zu,5\n%zu,%zu,1\n", i - 1, i, i, (i + 20) % ROWS);
    }
    write_npy("pool/good.npy", x, ROWS, D);
    write_npy("pool/fair.npy", y, ROWS, 3);
    write_npy("pool/noise.npy", noise, ROWS, D);
    write_text("pool/labels.csv", labels->data);
    write_text("pool/pairs.csv", pairs->data);
    write_text("pool/pairs_graded.csv", graded->data);
}

/* Two more that are made of "good", so that four are related and can be ranked; "noise" is not. */
static inline void add_relatives(void) {
    enum { ROWS = 120, D = 5 };
    static const char *const paths[] = {"pool/part.npy", "pool/rough.npy"};
    static const double noise[] = {1.5, 3};
    double x[ROWS * D], y[ROWS * 3];
    es_rng rng = test_rng(6, 1);
    FILE *f = fopen("pool/good.npy", "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, -(long)sizeof x, SEEK_END), 0);
    assert_int_equal(fread(x, sizeof *x, ROWS * D, f), ROWS * D);
    assert_int_equal(fclose(f), 0);
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < 3; j++)
                y[i * 3 + j] = x[i * D + j] + noise[k] * es_rng_normal(&rng);
        write_npy(paths[k], y, ROWS, 3);
    }
}

/* The value of `field` of `model` in the first measure of a document. */
static inline double json_value(const char *text, const char *model, const char *field) {
    es_json_value root = parse_json(text), list = member(&root, "measures", ES_JSON_ARRAY);
    es_json_value measure = es_json_first(&list);
    es_json_value values = member(&measure, "values", ES_JSON_ARRAY), row;
    double out = NAN;
    for (row = es_json_first(&values); row.node; row = es_json_next(&row))
        if (strcmp(text_of(&row, "model"), model) == 0) {
            es_json_value cell = member(&row, field, ES_JSON_OBJECT);
            out = number_of(&cell, "value");
        }
    return out;
}

#endif
