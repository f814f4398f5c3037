/* `embedscope measure POOL dataset-distance --other POOL2`: how far apart two pools lie to each
 * embedder that both have. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_measures.h"
#include "cli_session.h"

enum { RECALL, TRANSFERRED, SETTINGS };

static const es_setting settings[SETTINGS] = {
    [RECALL] = {.key = "recall",
                .help = "of an embedder made for the other pool, on the other pool",
                .value = NAN,
                .high = 1,
                .automatic = true},
    [TRANSFERRED] = {.key = "recall-transferred",
                     .help = "there, of an embedder made for this pool",
                     .value = NAN,
                     .high = 1,
                     .automatic = true},
};

/* One of the two pools. */
typedef struct side {
    char pool[ES_PATH_LABEL]; /* as it was named, fit to be shown */
    es_session *session;
    es_measure_queries queries;
} side;

typedef struct distance {
    es_set_distance mean; /* over the draws */
    double sd;            /* of mmd2; NaN: one draw */
    size_t dim;
    char why[160]; /* "": computed */
} distance;

typedef struct comparison {
    es_cli *cli;
    side side[2];
    double own[SETTINGS], data[ES_ANNOTATIONS_SETTINGS];
    distance *row; /* (m) by position in the first pool */
} comparison;

static void side_deinit(side *s) {
    es_measure_queries_deinit(&s->queries);
    es_session_close(s->session);
}

static es_status read_setting(comparison *c, const char *assignment, es_error *err) {
    es_error why = {0};
    es_status st = es_measure_queries_set(assignment, c->data, &why);
    if (st == ES_ENOTFOUND)
        return es_setting_assign(settings, SETTINGS, ES_DATASET_DISTANCE, assignment, c->own, err);
    return st == ES_OK ? ES_OK : es_fail(err, st, "%s", why.message);
}

static es_status read_settings(comparison *c, es_error *err) {
    const es_texts *given = &c->cli->options->settings;
    for (size_t i = 0; i < SETTINGS; i++)
        c->own[i] = settings[i].value;
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS; i++)
        c->data[i] = es_annotations_settings[i].value;
    for (size_t i = 0; i < given->count; i++) {
        es_error why = {0};
        if (read_setting(c, given->items[i], &why) != ES_OK)
            return es_usage(c->cli, err, "%s", why.message);
    }
    return ES_OK;
}

/* Opens a pool with one usable embedder or more. */
static es_status open_side(comparison *c, const char *pool, side *s, es_error *err) {
    es_options options = *c->cli->options;
    const char *arguments[] = {pool};
    es_cli plain = *c->cli;
    plain.options = &options;
    plain.arguments = arguments;
    plain.n_arguments = 1;
    options.settings = (es_texts){0};
    options.preset = NULL;
    (void)es_path_label(s->pool, pool);
    ES_PASS(es_cli_open(&plain, ES_ACCESS_ESTIMATE, false, &s->session, err));
    es_status st = es_cli_wait_checked(&plain, s->session, err);
    c->cli->exit_code = plain.exit_code;
    if (st == ES_OK)
        es_cli_note_excluded(c->cli, s->session);
    return st;
}

/* ---- computing ---- */

static es_status draws_of(const comparison *c, const es_matrix *a, const es_matrix *b,
                          distance *out, es_error *err) {
    const es_measure_data *x = &c->side[0].queries.data, *y = &c->side[1].queries.data;
    double square = 0, n = (double)x->runs;
    for (size_t r = 0; r < x->runs; r++) {
        es_set_distance d;
        es_status st =
            es_set_distance_of(a, &x->queries[r], b, &y->queries[r], x->seed, NULL, &d, err);
        if (st != ES_OK)
            return st;
        out->mean.mmd2 += d.mmd2 / n;
        out->mean.biased += d.biased / n;
        out->mean.w1 += d.w1 / n;
        square += d.mmd2 * d.mmd2;
        if (r == 0) {
            out->mean.sigma2 = d.sigma2;
            out->mean.matched = d.matched;
            out->mean.matched_other = d.matched_other;
        }
    }
    double spread = square - n * out->mean.mmd2 * out->mean.mmd2;
    out->sd = x->runs > 1 ? sqrt(fmax(0, spread) / (n - 1)) : (double)NAN;
    return ES_OK;
}

static es_status measure_model(comparison *c, size_t i, es_error *err) {
    const es_results *names = es_session_results(c->side[0].session, 0);
    distance *d = &c->row[i];
    es_matrix a = {0}, b = {0};
    es_error why = {0};
    size_t j = es_results_find(es_session_results(c->side[1].session, 0), names->name[i]);
    if (j == SIZE_MAX) {
        (void)snprintf(d->why, sizeof d->why, "not in the other pool");
        return ES_OK;
    }
    es_status st = es_session_matrix(c->side[0].session, i, &a, &why);
    if (st == ES_OK)
        st = es_session_matrix(c->side[1].session, j, &b, &why);
    if (st == ES_OK) {
        d->dim = a.d;
        st = draws_of(c, &a, &b, d, &why);
    }
    if (st == ES_ENOMEM)
        return es_fail(err, st, "%s", why.message);
    if (st != ES_OK) {
        (void)snprintf(d->why, sizeof d->why, "%.150s", why.message);
        c->cli->exit_code = ES_EXIT_FAILED_PAIRS;
    }
    es_matrix_free(&a);
    es_matrix_free(&b);
    return ES_OK;
}

static es_status measure_all(comparison *c, es_error *err) {
    const es_results *names = es_session_results(c->side[0].session, 0);
    size_t common = 0;
    c->row = es_cli_room(c->cli, names->m, sizeof *c->row);
    if (!c->row)
        return es_no_memory(err);
    for (size_t i = 0; i < names->m; i++) {
        ES_PASS(measure_model(c, i, err));
        common += c->row[i].dim > 0;
    }
    if (common == 0)
        return es_fail(err, ES_EEMPTY,
                       "%s and %s have no embedder in common; they are joined by name",
                       c->side[0].pool, c->side[1].pool);
    return ES_OK;
}

/* ---- writing ---- */

#define ROW(C)                                                                                     \
    C(NAME, "model", "model", ES_COLUMN_KEY, names, i)                                             \
    C(COUNT, "dim", "dim", 0, row->dim > 0 ? row->dim : SIZE_MAX)                                  \
    C(NUMBER, "mmd2", "mmd2", 4, 0, there ? row->mean.mmd2 : (double)NAN)                          \
    C(NUMBER, "mmd2_sd", "sd", 4, 0, there ? row->sd : (double)NAN)                                \
    C(NUMBER, "mmd2_biased", "biased", 4, 0, there ? row->mean.biased : (double)NAN)               \
    C(NUMBER, "w1", "w1", 4, 0, there ? row->mean.w1 : (double)NAN)                                \
    C(COUNT, "matched", "of", 0, there ? row->mean.matched : SIZE_MAX)                             \
    C(COUNT, "matched_other", "other", 0, there ? row->mean.matched_other : SIZE_MAX)              \
    C(NUMBER, "width", "width", 4, 0, there ? sqrt(row->mean.sigma2) : (double)NAN)                \
    C(TEXT, "why", "no value", 0, there ? NULL : row->why)

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

static es_table_out *make_table(const es_document *d) {
    const comparison *c = d->what;
    const es_results *names = es_session_results(c->side[0].session, 0);
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t i = 0; i < names->m; i++) {
        const distance *row = &c->row[i];
        bool there = row->why[0] == '\0';
        ES_PUT_ROW(ROW, t);
    }
    return t;
}

static void put_side(es_json *json, const char *key, const side *s) {
    const char *name = strrchr(s->pool, '/');
    char hex[ES_DIGEST_HEX];
    es_json_begin_object(json, key);
    es_json_text(json, "pool", name && name[1] ? name + 1 : s->pool);
    es_json_text(json, "rows", es_digest_hex(es_pool_rowset(es_session_pool(s->session)), hex));
    es_json_text(json, "task", s->queries.task);
    es_json_uint(json, "queries", s->queries.data.queries[0].count);
    es_json_uint(json, "skipped", s->queries.data.queries[0].skipped);
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const comparison *c = d->what;
    es_stat tau = es_transferability(c->own[TRANSFERRED], c->own[RECALL]);
    es_json_text(json, "measure", ES_DATASET_DISTANCE);
    put_side(json, "of", &c->side[0]);
    put_side(json, "other", &c->side[1]);
    es_json_uint(json, "runs", c->side[0].queries.data.runs);
    es_json_double(json, "transferability", tau.value);
    es_document_table(json, "distances", make_table(d));
    es_document_excluded(json, c->side[0].session);
}

static void put_caption(const es_document *d, es_buf *out) {
    const comparison *c = d->what;
    es_stat tau = es_transferability(c->own[TRANSFERRED], c->own[RECALL]);
    const es_measure_data *a = &c->side[0].queries.data, *b = &c->side[1].queries.data;
    es_buf_printf(out,
                  "\n%zu queries of %s, %zu of %s, %zu draw%s; of each the mean of its answers\n"
                  "mmd2: unbiased, RBF of the pooled median width; about 0 or below: no difference "
                  "is seen\n"
                  "w1: 1-Wasserstein, in the embedder's own units: compare it within an embedder; "
                  "of so many queries of each side\n",
                  a->queries[0].count, c->side[0].pool, b->queries[0].count, c->side[1].pool,
                  a->runs, a->runs == 1 ? "" : "s");
    if (!tau.why)
        es_buf_printf(out, "transferability: %.4f, of what the recall leaves to 1\n", tau.value);
}

es_status es_measure_write_sets(es_cli *cli, es_error *err) {
    comparison c = {.cli = cli};
    const char *other = cli->options->other;
    es_status st = ES_OK;
    if (!other)
        return es_usage(cli, err,
                        ES_DATASET_DISTANCE ": name the pool to compare with: --other POOL2, the "
                                            "same embedders on other rows");
    ES_TRY(read_settings(&c, err));
    if (c.own[RECALL] >= 1)
        return es_usage(cli, err,
                        "--set recall=1 leaves nothing to lose or win; it must be below "
                        "1");
    if (isfinite(c.own[RECALL]) != isfinite(c.own[TRANSFERRED]))
        return es_usage(cli, err,
                        "transferability needs both: --set recall=R --set recall-transferred=T");
    ES_TRY(open_side(&c, cli->arguments[0], &c.side[0], err));
    ES_TRY(open_side(&c, other, &c.side[1], err));
    for (size_t k = 0; k < 2; k++)
        ES_TRY(es_measure_queries_take(cli, c.side[k].session, c.side[k].pool, c.data,
                                       &c.side[k].queries, err));
    ES_TRY(measure_all(&c, err));
    static const es_document_parts parts = {
        .schema = "distance", .table = make_table, .caption = put_caption, .json = put_json};
    ES_TRY(es_document_write(
        &parts, (es_document){cli, c.side[0].session, SIZE_MAX, &c, ES_FORMAT_DEFAULT}, err));
done:
    side_deinit(&c.side[0]);
    side_deinit(&c.side[1]);
    return st;
}
