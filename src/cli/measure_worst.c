/* `embedscope measure POOL evalrank --worst-of MODEL`: a look behind one embedder's number. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "measure_out.h"
#include "model_cli.h"
#include "output.h"
#include "table_out.h"

#include "embedscope/alloc.h"
#include "embedscope/json.h"
#include "embedscope/measure_detail.h"
#include "embedscope/nearest.h"
#include "embedscope/row_source.h"
#include "embedscope/similarity.h"

enum { SHOWN_BYTES = 60 };

typedef struct look {
    es_cli *cli;
    es_session *session;
    const es_choice *choice;
    size_t model, other; /* positions in the results; other SIZE_MAX: none */
    es_row_source rows;
    size_t bytes; /* of texts; 0: whole */
    es_measure_data data;
    const double *values;
} look;

/* Row of the files and its text. */
static void put_row(es_table_out *t, const look *l, uint32_t row) {
    if (row == UINT32_MAX) {
        es_table_out_count(t, SIZE_MAX);
        es_table_out_text(t, NULL);
        return;
    }
    char *text = es_row_text(&l->rows, row, l->bytes);
    es_table_out_count(t, es_row_number(&l->rows, row));
    es_table_out_text(t, text);
    es_free(text);
}

static const es_column pair_columns[] = {
    {.key = "rank", .title = "rank", .kind = ES_COLUMN_NUMBER, .decimals = 1},
    {.key = "ties", .title = "ties", .kind = ES_COLUMN_COUNT},
    {.key = "row", .title = "row", .kind = ES_COLUMN_COUNT},
    {.key = "text", .title = "text"},
    {.key = "partner", .title = "partner", .kind = ES_COLUMN_COUNT},
    {.key = "partner_text", .title = "its text"},
    {.key = "similarity", .title = "cosine", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "between", .title = "between", .kind = ES_COLUMN_COUNT},
    {.key = "between_text", .title = "its text"},
    {.key = "between_similarity", .title = "cosine", .kind = ES_COLUMN_NUMBER, .decimals = 3},
};

/* Of pairs: the row that came between is the nearest of those before the partner. */
static es_status worst_pairs(const look *l, const es_matrix *m, es_table_out **out, es_error *err) {
    es_evalrank e = {0};
    uint32_t *index = NULL;
    size_t count = 0;
    es_table_out *t = NULL;
    es_status st = ES_OK;
    ES_TRY(es_evalrank_detail(m, &l->data, l->values, ES_COSINE, NULL, &e, err));
    size_t top = l->cli->options->top > 0 ? l->cli->options->top : e.count;
    index = es_alloc(e.count, sizeof *index);
    t = es_table_out_new(pair_columns, sizeof pair_columns / sizeof *pair_columns);
    if (!index || !t) {
        st = es_fail(err, ES_ENOMEM, "out of memory");
        goto done;
    }
    ES_TRY(es_evalrank_worst(&e, index, top < e.count ? top : e.count, &count, err));
    for (size_t k = 0; k < count; k++) {
        const es_pair_rank *p = &e.pair[index[k]];
        es_table_out_number(t, es_pair_rank_value(p, ES_TIE_MID));
        es_table_out_count(t, p->ties);
        put_row(t, l, p->query);
        put_row(t, l, p->partner);
        es_table_out_number(t, p->similarity);
        put_row(t, l, p->nearest);
        es_table_out_number(t, p->nearest_similarity);
    }
    *out = t;
    t = NULL;
done:
    es_table_out_free(t);
    es_free(index);
    es_evalrank_free(&e);
    return st;
}

static const es_column query_columns[] = {
    {.key = "m", .title = "m", .kind = ES_COLUMN_NUMBER, .decimals = 4},
    {.key = "p", .title = "p", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "positives", .title = "answers", .kind = ES_COLUMN_COUNT},
    {.key = "negatives", .title = "others", .kind = ES_COLUMN_COUNT},
    {.key = "row", .title = "row", .kind = ES_COLUMN_COUNT},
    {.key = "text", .title = "query"},
    {.key = "answer", .title = "answer", .kind = ES_COLUMN_COUNT},
    {.key = "answer_text", .title = "its text"},
};

typedef struct ranked {
    double value;
    size_t at;
} ranked;

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    int order = (x->value > y->value) - (x->value < y->value);
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* Of queries of the first draw, by M of the RBF kernel; one answer stands for all. */
static es_status worst_queries(const look *l, const es_matrix *m, es_table_out **out,
                               es_error *err) {
    es_retmmd r = {0};
    ranked *order = NULL;
    es_table_out *t = NULL;
    es_status st = ES_OK;
    ES_TRY(es_retmmd_detail(m, &l->data, l->values, NULL, &r, err));
    order = es_alloc(r.count, sizeof *order);
    t = es_table_out_new(query_columns, sizeof query_columns / sizeof *query_columns);
    if (!order || !t) {
        st = es_fail(err, ES_ENOMEM, "out of memory");
        goto done;
    }
    for (size_t q = 0; q < r.count; q++)
        order[q] = (ranked){r.m[q][ES_KERNEL_RBF], q};
    qsort(order, r.count, sizeof *order, compare_ranked);
    size_t top = l->cli->options->top > 0 ? l->cli->options->top : r.count;
    for (size_t k = 0; k < top && k < r.count; k++) {
        size_t q = order[k].at;
        const es_query *query = &l->data.queries->query[q];
        es_table_out_number(t, order[k].value);
        es_table_out_number(t, r.p[q][ES_KERNEL_RBF]);
        es_table_out_count(t, query->positives);
        es_table_out_count(t, query->negatives);
        if (l->data.queries->own_ids) {
            es_table_out_count(t, query->row);
            es_table_out_text(t, NULL);
        } else {
            put_row(t, l, query->row);
        }
        put_row(t, l, query->doc[0]);
    }
    *out = t;
    t = NULL;
done:
    es_table_out_free(t);
    es_free(order);
    es_retmmd_free(&r);
    return st;
}

static const es_column shared_columns[] = {
    {.key = "shared", .title = "shared", .kind = ES_COLUMN_COUNT},
    {.key = "k", .title = "of", .kind = ES_COLUMN_COUNT},
    {.key = "row", .title = "row", .kind = ES_COLUMN_COUNT},
    {.key = "text", .title = "text"},
    {.key = "nearest", .title = "nearest", .kind = ES_COLUMN_COUNT},
    {.key = "nearest_text", .title = "its text"},
    {.key = "nearest_other", .title = "other's", .kind = ES_COLUMN_COUNT},
    {.key = "nearest_other_text", .title = "its text"},
};

/* Shared neighbours of each row, and the nearest row under each embedder. */
typedef struct overlap_rows {
    uint32_t *shared, *nearest, *nearest_other; /* (n) */
    ranked *order;                              /* (n) */
} overlap_rows;

static es_status find_overlap(const look *l, const es_matrix *m, const es_matrix *other,
                              overlap_rows *r, es_error *err) {
    const es_measure *measure = l->choice->measured->measure;
    es_metric metric =
        (es_metric)l->values[es_setting_find(measure->settings, measure->n_settings, "metric")];
    void *a = NULL, *b = NULL;
    es_overlap whole;
    es_status st = ES_OK;
    ES_TRY(measure->side_new(m, &l->data, l->values, NULL, &a, err));
    ES_TRY(measure->side_new(other, &l->data, l->values, NULL, &b, err));
    ES_TRY(es_neighbour_overlap(a, b, r->shared, &whole, err));
    ES_TRY(es_nearest(m, metric, 1, NULL, r->nearest, NULL, err));
    ES_TRY(es_nearest(other, metric, 1, NULL, r->nearest_other, NULL, err));
    for (size_t i = 0; i < m->n; i++)
        r->order[i] = (ranked){r->shared[i], i};
    qsort(r->order, m->n, sizeof *r->order, compare_ranked);
done:
    if (a)
        measure->side_free(a);
    if (b)
        measure->side_free(b);
    return st;
}

/* Of two embedders: the rows whose neighbourhoods differ most. */
static es_status worst_rows(const look *l, const es_matrix *m, es_table_out **out, es_error *err) {
    const es_measure *measure = l->choice->measured->measure;
    size_t n = m->n, top = l->cli->options->top > 0 ? l->cli->options->top : n;
    double k = l->values[es_setting_find(measure->settings, measure->n_settings, "k")];
    overlap_rows r = {es_alloc(n, sizeof *r.shared), es_alloc(n, sizeof *r.nearest),
                      es_alloc(n, sizeof *r.nearest_other), es_alloc(n, sizeof *r.order)};
    es_table_out *t =
        es_table_out_new(shared_columns, sizeof shared_columns / sizeof *shared_columns);
    es_matrix other = {0};
    es_status st = ES_OK;
    if (!r.shared || !r.nearest || !r.nearest_other || !r.order || !t) {
        st = es_fail(err, ES_ENOMEM, "out of memory for %zu rows", n);
        goto done;
    }
    ES_TRY(es_session_matrix(l->session, l->other, &other, err));
    ES_TRY(find_overlap(l, m, &other, &r, err));
    for (size_t i = 0; i < top && i < n; i++) {
        size_t at = r.order[i].at;
        es_table_out_count(t, r.shared[at]);
        es_table_out_count(t, (size_t)k);
        put_row(t, l, (uint32_t)at);
        put_row(t, l, r.nearest[at]);
        put_row(t, l, r.nearest_other[at]);
    }
    *out = t;
    t = NULL;
done:
    es_table_out_free(t);
    es_matrix_free(&other);
    es_free(r.shared);
    es_free(r.nearest);
    es_free(r.nearest_other);
    es_free(r.order);
    return st;
}

static es_status write_table(const look *l, es_table_out *table, es_error *err) {
    const es_results *names = es_session_results(l->session, 0);
    es_format format = es_output_format(l->cli, ES_FORMAT_TABLE);
    es_buf out = {0};
    es_status st = ES_OK;
    if (format == ES_FORMAT_JSON) {
        es_json json;
        es_json_init(&json, &out, 2);
        es_document_begin(&json, l->cli, l->session, SIZE_MAX);
        es_json_text(&json, "measure", l->choice->measured->name);
        es_json_text(&json, "settings", l->choice->measured->settings);
        es_json_text(&json, "model", names->name[l->model]);
        if (l->other != SIZE_MAX)
            es_json_text(&json, "other", names->name[l->other]);
        es_table_out_json(table, &json, "worst");
        es_document_end(&json);
    } else {
        st = es_table_out_write(table, format, es_output_width(l->cli), &out, err);
    }
    if (st == ES_OK && format == ES_FORMAT_TABLE)
        es_buf_printf(&out, "\n%s of %s%s%s, worst first%s\n", l->choice->measured->name,
                      names->name[l->model], l->other != SIZE_MAX ? " and " : "",
                      l->other != SIZE_MAX ? names->name[l->other] : "",
                      strcmp(l->choice->measured->measure->name, "evalrank") == 0
                          ? "; between: the row most similar to the first one"
                          : "");
    if (st == ES_OK)
        st = es_output_write(l->cli, &out, err);
    es_buf_free(&out);
    return st;
}

es_status es_measure_write_worst(es_cli *cli, es_session *session, const es_choices *choices,
                                 es_error *err) {
    look l = {.cli = cli, .session = session, .choice = &choices->item[0], .other = SIZE_MAX};
    const char *name = l.choice->measured->measure->name;
    bool pairs = strcmp(name, "evalrank") == 0, queries = strcmp(name, "retmmd") == 0,
         rows = strncmp(name, "knn-", 4) == 0;
    es_table_out *table = NULL;
    es_matrix m = {0};
    es_status st = ES_OK;
    if (choices->count != 1 || (!pairs && !queries && !rows))
        return es_usage(cli, err,
                        "--worst-of goes with evalrank, retmmd or knn-overlap, one at a time%s",
                        choices->count > 1 ? " (--task chooses a column of labels.csv)" : "");
    if (rows != (cli->options->other != NULL))
        return es_usage(cli, err,
                        rows ? "%s is of two embedders: name the second with --other MODEL"
                             : "%s is of one embedder: --other does not go with it",
                        name);
    ES_TRY(es_cli_model(cli, session, 0, cli->options->worst_of, &l.model, err));
    if (rows)
        ES_TRY(es_cli_model(cli, session, 0, cli->options->other, &l.other, err));
    ES_TRY(es_row_source_init(session, 0, &l.rows, err));
    l.rows.eval = NULL; /* numbers are rows of the row set here, not of a split */
    l.bytes = es_output_format(cli, ES_FORMAT_TABLE) == ES_FORMAT_TABLE ? SHOWN_BYTES : 0;
    es_session_measure_inputs(session, l.choice->entry, &l.data, &l.values);
    ES_TRY(es_session_matrix(session, l.model, &m, err));
    ES_TRY(pairs     ? worst_pairs(&l, &m, &table, err)
           : queries ? worst_queries(&l, &m, &table, err)
                     : worst_rows(&l, &m, &table, err));
    st = write_table(&l, table, err);
done:
    es_table_out_free(table);
    es_matrix_free(&m);
    return st;
}
