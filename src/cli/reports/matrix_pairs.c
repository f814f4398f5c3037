/* The pairs of a matrix, a line each or as arrays. */
#include "cli_reports.h"

#include "io_readers.h"

static const char *estimator_of(const es_matrix_pairs *p) {
    return p->results->estimator ? p->results->estimator->name : NULL;
}

/* Calls `put` for every pair, in the order of the rows and then the columns. */
static void each_pair(const es_matrix_pairs *p, es_buf *out,
                      void (*put)(const es_matrix_pairs *p, size_t source, size_t target,
                                  es_buf *out)) {
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->m; j++)
            put(p, p->order[i], p->order[j], out);
}

static void put_csv(const es_matrix_pairs *p, size_t source, size_t target, es_buf *out) {
    const es_results *r = p->results;
    es_csv_put_text(out, r->name[source]);
    es_buf_putc(out, ',');
    es_csv_put_text(out, r->name[target]);
    es_buf_putc(out, ',');
    es_csv_put_double(out, r->is[source * r->m + target]);
    es_buf_putc(out, ',');
    es_csv_put_double(out, r->se[source * r->m + target]);
    es_buf_putc(out, ',');
    if (p->n > 0)
        es_buf_printf(out, "%zu", p->n);
    es_buf_putc(out, ',');
    es_csv_put_text(out, estimator_of(p));
    es_buf_putc(out, '\n');
}

void es_matrix_pairs_csv(const es_matrix_pairs *p, es_buf *out) {
    es_buf_puts(out, "source,target,is,se,n,estimator\n");
    each_pair(p, out, put_csv);
}

static void put_json(const es_matrix_pairs *p, size_t source, size_t target, es_buf *out) {
    const es_results *r = p->results;
    es_json json;
    es_json_init(&json, out, 0);
    es_json_begin_object(&json, NULL);
    es_json_text(&json, "source", r->name[source]);
    es_json_text(&json, "target", r->name[target]);
    es_json_double(&json, "is", r->is[source * r->m + target]);
    es_json_double(&json, "se", r->se[source * r->m + target]);
    if (p->n > 0)
        es_json_uint(&json, "n", p->n);
    else
        es_json_null(&json, "n");
    es_json_text(&json, "estimator", estimator_of(p));
    es_json_end(&json);
    es_buf_putc(out, '\n');
}

void es_matrix_pairs_jsonl(const es_matrix_pairs *p, es_buf *out) {
    each_pair(p, out, put_json);
}

es_status es_matrix_pairs_npz(const es_matrix_pairs *p, es_buf *out, es_error *err) {
    const es_results *r = p->results;
    const double *from[] = {r->is, r->se};
    static const char *const key[] = {"is", "se"};
    es_npz npz = {.out = out};
    const char **names = es_alloc(p->m, sizeof *names);
    double *values = es_alloc(p->m * p->m, sizeof *values);
    es_status st = ES_OK;
    ES_FAIL_IF(names == NULL || values == NULL, es_no_memory(err));
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < p->m; i++)
            for (size_t j = 0; j < p->m; j++)
                values[i * p->m + j] = from[k][p->order[i] * r->m + p->order[j]];
        es_npz_put_doubles(&npz, key[k], values, p->m, p->m);
    }
    for (size_t i = 0; i < p->m; i++)
        names[i] = r->name[p->order[i]];
    es_npz_put_texts(&npz, "names", names, p->m);
    ES_TRY(es_npz_end(&npz, err));
done:
    es_free(names);
    es_free(values);
    return st;
}
