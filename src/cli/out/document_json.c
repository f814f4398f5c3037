/* What JSON documents have in common. Each starts with the program and the provenance of its
 * numbers: whoever reads one years later can tell what made it, and make it again. */
#include "cli_out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "clip=3 lambda=auto" as an object: numbers where they are some. */
static void put_settings(es_json *json, const char *settings) {
    es_json_begin_object(json, "settings");
    for (const char *at = settings; at && *at;) {
        char word[256];
        size_t length = strcspn(at, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
        char *value = strchr(word, '=');
        double number = 0;
        if (value) {
            *value++ = '\0';
            if (es_text_parse_double(value, strlen(value), &number))
                es_json_double(json, word, number);
            else
                es_json_text(json, word, value);
        }
        at += length + (at[length] == ' ');
    }
    es_json_end(json);
}

static void put_digests(es_json *json, es_pool *pool, bool settled) {
    char hex[ES_DIGEST_HEX];
    if (pool == NULL || !settled) {
        es_json_null(json, "digests");
        return;
    }
    es_json_begin_object(json, "digests");
    es_json_text(json, "rows", es_digest_hex(es_pool_rowset(pool), hex));
    es_json_begin_object(json, "models");
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        if (model->state != ES_MODEL_READY)
            continue;
        es_json_text(json, model->name, es_digest_hex(model->digest, hex));
    }
    es_json_end(json);
    es_json_end(json);
}

/* A file that the numbers come from; nothing when it was not named. */
static void put_file(es_json *json, const char *key, const char *path) {
    char clean[512];
    if (path == NULL)
        return;
    (void)es_text_clean_into(clean, sizeof clean, path, strlen(path));
    es_json_text(json, key, clean);
}

/* Which rows, and of a sample that was grown why it is as large as it is. */
static void put_rows(es_json *json, es_session *session) {
    const es_pool *pool = es_session_pool(session);
    es_growth_record *list = NULL;
    size_t count = 0;
    if (pool == NULL)
        return;
    (void)es_session_growth_list(session, &list, &count, NULL);
    es_json_begin_object(json, "rows");
    es_json_uint(json, "used", es_pool_rows(pool));
    es_json_uint(json, "of", es_pool_rows_whole(pool));
    es_json_text(json, "choice", es_pool_rows_choice(pool));
    es_json_uint(json, "dropped", es_pool_rows_dropped(pool));
    for (size_t i = es_json_list(json, "growth"); es_json_list_next(json, &i, count);) {
        es_json_uint(json, "rows", list[i].rows);
        es_json_double(json, "since_half", list[i].growth.since);
        es_json_double(json, "expected", list[i].growth.expected);
        es_json_double(json, "low", list[i].growth.low);
        es_json_double(json, "high", list[i].growth.high);
        es_json_text(json, "ended", es_growth_end_name(list[i].end));
    }
    es_json_end(json);
    es_free(list);
}

void es_document_origin(es_json *json, const es_cli *cli, es_session *session, size_t entry) {
    const es_results *results = es_session_results(session, entry);
    es_pool *pool = es_session_pool(session);
    if (pool) {
        es_json_text(json, "pool", es_pool_name(pool));
    } else {
        put_file(json, "matrix", cli->options->matrix);
        put_file(json, "blocks", cli->options->blocks);
        put_file(json, "families", cli->options->families);
    }
    es_json_text(json, "estimator",
                 results && results->estimator ? results->estimator->name : NULL);
    es_json_text(json, "preset", results ? results->preset : NULL);
    if (results && results->estimator)
        es_json_bool(json, "lower_is_better", results->estimator->lower_is_better);
    if (results && results->remark)
        es_json_text(json, "remark", results->remark);
    put_settings(json, results ? results->settings : NULL);
    es_json_uint(json, "seed", results ? results->seed : cli->options->seed);
    put_rows(json, session);
    put_digests(json, pool, es_session_results(session, 0) != NULL);
}

/* Several pools have their own, in the document; other documents have none. */
static void put_no_origin(es_json *json, const es_cli *cli) {
    put_settings(json, NULL);
    es_json_uint(json, "seed", cli->options->seed);
    es_json_null(json, "digests");
}

/* A finished ranking: nothing is known about how it was estimated. */
static void put_file_origin(es_json *json, const es_cli *cli) {
    put_file(json, "ranking", cli->options->ranking);
    es_json_null(json, "estimator");
    es_json_null(json, "preset");
    put_no_origin(json, cli);
}

/* The schema by a name of ours: it asks no network for anything. */
static void put_schema(es_json *json, const char *schema) {
    char text[96];
    (void)snprintf(text, sizeof text, "urn:embedscope:schema:%s:1", schema);
    es_json_text(json, "$schema", text);
}

void es_document_begin(es_json *json, const char *schema, const es_cli *cli, es_session *session,
                       size_t entry) {
    es_cpu cpu;
    es_cpu_detect(&cpu);
    es_json_begin_object(json, NULL);
    es_json_text(json, "embedscope", ES_VERSION);
    if (schema)
        put_schema(json, schema);
    es_json_begin_object(json, "provenance");
    if (session)
        es_document_origin(json, cli, session, entry);
    else if (cli->options->ranking)
        put_file_origin(json, cli);
    else {
        if (schema && strcmp(schema, "meta") == 0) { /* whose pools have them */
            es_json_null(json, "estimator");
            es_json_null(json, "preset");
        }
        put_no_origin(json, cli);
    }
    put_file(json, "scores", cli->options->scores);
    unsigned threads = session ? es_session_thread_count(session) : 0;
    if (threads == 0)
        threads = cli->options->threads ? (unsigned)cli->options->threads : (unsigned)cpu.cores;
    es_json_text(json, "blas_core", es_blas_core());
    es_json_text(json, "kernels", es_isa_name(es_isa_level()));
    es_json_uint(json, "threads", threads);
    es_json_text(json, "cpu", cpu.name);
    es_json_end(json);
}

void es_document_end(es_json *json) {
    es_json_end(json);
}

void es_document_count(es_json *json, const char *key, size_t value) {
    if (value == SIZE_MAX)
        es_json_null(json, key);
    else
        es_json_uint(json, key, value);
}

void es_document_numbers(es_json *json, const char *key, const double *values, size_t n) {
    es_json_begin_row(json, key);
    for (size_t i = 0; i < n; i++)
        es_json_double(json, NULL, values[i]);
    es_json_end(json);
}

void es_document_names(es_json *json, const char *key, const char *const *names, const uint32_t *at,
                       size_t n) {
    es_json_begin_row(json, key);
    for (size_t i = 0; i < n; i++)
        es_json_text(json, NULL, names[at ? at[i] : i]);
    es_json_end(json);
}

void es_document_chosen(es_json *json, const char *key, const char *const *names,
                        const bool *chosen, size_t n) {
    es_json_begin_row(json, key);
    for (size_t i = 0; i < n; i++)
        if (chosen[i])
            es_json_text(json, NULL, names[i]);
    es_json_end(json);
}

void es_document_range(es_json *json, const char *key, double low, double high) {
    es_document_numbers(json, key, (double[]){low, high}, 2);
}

const char *es_document_range_why(const es_stat *value, double low, size_t n) {
    _Static_assert(ES_CORRELATE_ENOUGH == 7, "as the text says");
    if (value->why || isfinite(low))
        return NULL;
    return n < ES_CORRELATE_ENOUGH ? "fewer than 7 embedders"
                                   : "undefined in more than half of the resamples";
}

void es_document_range_reason(es_json *json, const es_stat *value, double low, size_t n) {
    es_json_text(json, "ci_reason", es_document_range_why(value, low, n));
}

void es_document_name(es_table_out *table, const es_results *results, size_t model) {
    es_table_out_name(table, results->name[model], es_results_label(results, model));
}

void es_document_table(es_json *json, const char *key, es_table_out *table) {
    es_table_out_json(table, json, key);
    es_table_out_free(table);
}

void es_document_scoring(es_json *json, const es_rank_report *report) {
    es_json_text(json, "score", es_score_kind_names[report->score]);
    es_json_text(json, "aggregate", es_rank_report_aggregate(report));
    es_json_text(json, "unit", es_unit_names[report->unit]);
    es_json_bool(json, "include_self", report->rule.include_self);
    es_json_bool(json, "leave_family_out", report->rule.leave_family_out);
    if (report->voting == NULL)
        return;
    es_document_chosen(json, "judges", (const char *const *)report->results->name, report->voting,
                       report->results->m);
}

void es_document_by(es_json *json, const char *key, const es_rank_report *report,
                    const es_results *by) {
    if (!by || !by->estimator) {
        es_json_null(json, key);
        return;
    }
    es_json_begin_object(json, key);
    es_json_text(json, "estimator", by->estimator->name);
    const es_rank_pairs pairs = es_rank_report_pairs(report, by);
    es_json_text(json, "preset", by->preset);
    es_json_uint(json, "pairs", pairs.of);
    es_json_uint(json, "pairs_known", pairs.known);
    es_json_end(json);
}

void es_document_grouped(es_json *json, const es_rank_report *report) {
    es_document_by(json, "communities_by", report,
                   report && report->has_community ? report->grouped : NULL);
}

void es_document_published(es_json *json, const es_rank_report *report) {
    es_document_by(json, "published_by", report, report->published_by);
}

void es_document_take(es_json *json, const char *key, es_buf *text) {
    es_json_text(json, key, text->data);
    es_buf_end(text, json->out);
}

void es_document_words(const es_document *d, es_json *json, const char *key,
                       void (*words)(const es_document *d, es_buf *out)) {
    es_buf text = {0};
    words(d, &text);
    es_document_take(json, key, &text);
}

void es_document_derived(es_json *json, es_session *session) {
    es_pool *pool = session ? es_session_pool(session) : NULL;
    const es_words *left = pool ? es_pool_derived_left_out(pool) : NULL;
    es_document_names(json, "derived_left_out", left ? (const char *const *)left->word : NULL, NULL,
                      left ? left->count : 0);
}

void es_document_exclusions(es_json *json, es_session *session) {
    es_pool *pool = es_session_pool(session);
    for (size_t i = 0; pool && i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        if (model->state != ES_MODEL_EXCLUDED)
            continue;
        es_json_begin_object(json, NULL);
        es_json_text(json, "name", model->name);
        es_json_text(json, "reason", model->reason);
        es_json_end(json);
    }
}

void es_document_excluded(es_json *json, es_session *session) {
    es_json_begin_array(json, "excluded");
    es_document_exclusions(json, session);
    es_json_end(json);
}
