/* The Mantel test of representational similarity as a measure of two embedders. */
#include "core_measures.h"
#include "core_alike.h"

enum { ROWS, PERMUTATIONS };

static const es_setting settings[] = {
    {.key = "rows",
     .help = "at most so many, drawn by seed",
     .value = 400,
     .low = 10,
     .high = 3000,
     .whole = true},
    {.key = "permutations",
     .help = "of the test, made even",
     .value = 200,
     .low = 20,
     .high = 99999,
     .whole = true},
};

static const es_measure_field fields[] = {
    {.name = "value", .title = "the value", .lower_is_better = true, .decimals = 3}};

/* A side carries what its pairs need beside it. */
typedef struct prepared {
    es_side *side;
    size_t permutations;
    uint64_t seed;
} prepared;

/* Frees what the measure keeps of one embedder. */
static void release(void *side) {
    prepared *p = side;
    es_side_free(p->side);
    es_free(p);
}

static size_t bytes(const void *side) {
    return es_side_bytes(((const prepared *)side)->side);
}

static es_status prepare(const es_matrix *m, const es_measure_data *data, const double *values,
                         const es_run *run, void **out, es_error *err) {
    const es_side_rules rules = {.parts = ES_SIDE_DISTANCES, .seed = data->seed};
    size_t count = m->n < (size_t)values[ROWS] ? m->n : (size_t)values[ROWS];
    uint32_t *rows = es_alloc(count, sizeof *rows);
    prepared *p = es_alloc_zero(1, sizeof *p);
    es_matrix part = {0};
    es_status st = rows && p ? ES_OK : es_no_memory_for(err, "%zu rows", count);
    if (st != ES_OK)
        goto done;
    p->permutations = (size_t)values[PERMUTATIONS];
    p->seed = data->seed;
    ES_TRY(es_sample_rows(m->n, count, data->seed, rows, err));
    ES_TRY(es_matrix_rows(m, rows, count, &part, err));
    ES_TRY(es_side_new(&part, &rules, run, &p->side, err));
    *out = p;
    p = NULL;
done:
    es_free(p);
    es_free(rows);
    es_matrix_free(&part);
    return st;
}

static es_status mantel(const void *a, const void *b, const es_run *run, es_measure_value *out,
                        es_error *err) {
    const prepared *x = a, *y = b;
    es_stat p = {0};
    (void)run;
    es_status st = es_mantel(x->side, y->side, x->permutations, x->seed, &p, err);
    if (st == ES_OK)
        *out = es_measure_value_of(p);
    return st;
}

const es_measure es_measure_mantel = {
    .name = "rsa-p",
    .title = "p of rsa, by shuffling rows (Mantel)",
    .caveat = "small for nearly all real embedders: shows that they are related, not how much",
    .version = 2, /* 2: ties within the median, where that is smaller */
    .fields = fields,
    .n_fields = ES_COUNT_OF(fields),
    .settings = settings,
    .n_settings = ES_COUNT_OF(settings),
    .symmetric = true,
    .side_new = prepare,
    .side_free = release,
    .side_bytes = bytes,
    .pair = mantel,
    .load_making = {.copies = 2, .sample = 3, .rows = 3000},
    .load_side = {.sample = 0.25},
    .load_pair = {.sample = 1},
};
