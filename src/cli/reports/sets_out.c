/* Several data sets in one document: a ranking over all of them with what each says, or the
 * agreement of each with every downstream task. Pools stay open together; each was estimated by
 * itself. */
#include "sets_out.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "captions.h"
#include "correlation_set.h"
#include "data_sets.h"
#include "document.h"
#include "join_names.h"
#include "open_session.h"
#include "output.h"
#include "rank_choices.h"
#include "scored.h"

#include "alloc.h"
#include "file.h"
#include "pool.h"

typedef struct opened {
    char name[ES_PATH_LABEL]; /* as it was given, fit to be shown */
    es_session *session;
    es_rank_report *report;
} opened;

typedef struct view {
    size_t count;
    opened *pool;                  /* (count) */
    const es_rank_report **report; /* (count) */
    es_data_sets *sets;            /* of a ranking */
    const es_scores *scores;       /* of a correlation */
    es_scores own;
    es_correlation_set **set; /* (count + 1) the last is the combined one */
    es_out_column *column;
} view;

static void view_deinit(view *v) {
    for (size_t k = 0; v->set && k <= v->count; k++)
        es_correlation_set_free(v->set[k]);
    for (size_t k = 0; v->pool && k < v->count; k++) {
        es_rank_report_free(v->pool[k].report);
        if (v->pool[k].session)
            es_session_close(v->pool[k].session);
    }
    es_data_sets_free(v->sets);
    es_scores_deinit(&v->own);
    es_free(v->set);
    es_free(v->pool);
    es_free(v->report);
    es_free(v->column);
}

/* "b" of "a/b"; the whole where a slash ends it. */
static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static es_status open_pool(es_cli *cli, const char *path, bool with_rows, opened *out,
                           es_error *err) {
    const char *arguments[] = {path};
    es_cli one = *cli;
    size_t entry = 0;
    one.arguments = arguments;
    one.n_arguments = 1;
    (void)es_path_label(out->name, path);
    es_status st = es_cli_open_stored(&one, with_rows, &out->session, &entry, err);
    cli->exit_code = one.exit_code;
    if (st != ES_OK)
        return st;
    const es_rank_choices how = es_rank_choices_of(cli->options, with_rows);
    st = es_rank_report_of(out->session, &how, &out->report, err);
    if (st != ES_OK)
        es_error_prefix(err, out->name);
    return st;
}

/* What a path ends in, where that tells the pools apart. */
static void shorten_names(view *v) {
    for (size_t k = 0; k < v->count; k++)
        for (size_t other = 0; other < k; other++)
            if (strcmp(last_part(v->pool[k].name), last_part(v->pool[other].name)) == 0)
                return;
    for (size_t k = 0; k < v->count; k++) {
        const char *last = last_part(v->pool[k].name);
        memmove(v->pool[k].name, last, strlen(last) + 1);
    }
}

/* All by one score: an average over two would mean nothing. */
static es_status check_scores(const view *v, es_error *err) {
    for (size_t k = 1; k < v->count; k++)
        if (v->report[k]->score != v->report[0]->score)
            return es_fail(err, ES_EINVAL,
                           "%s is ranked by the %s score, %s by the %s one; --score published or "
                           "`embedscope estimate` makes them one",
                           v->pool[0].name, es_score_kind_names[v->report[0]->score],
                           v->pool[k].name, es_score_kind_names[v->report[k]->score]);
    return ES_OK;
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* A second word that is no folder was not meant as a pool. */
static es_status check_folders(es_cli *cli, es_error *err) {
    for (size_t k = 1; k < cli->n_arguments; k++)
        if (!is_folder(cli->arguments[k])) {
            char label[ES_PATH_LABEL];
            return es_usage(cli, err, "'%s' is no folder: %s takes pools",
                            es_path_label(label, cli->arguments[k]), cli->command->name);
        }
    return ES_OK;
}

static es_status open_all(es_cli *cli, bool with_rows, view *v, es_error *err) {
    es_status known = check_folders(cli, err);
    if (known != ES_OK)
        return known;
    v->count = cli->n_arguments;
    v->pool = es_alloc_zero(v->count, sizeof *v->pool);
    v->report = es_alloc_zero(v->count, sizeof(const es_rank_report *));
    if (!v->pool || !v->report)
        return es_no_memory(err);
    for (size_t k = 0; k < v->count; k++) {
        es_status st = open_pool(cli, cli->arguments[k], with_rows, &v->pool[k], err);
        if (st != ES_OK)
            return st;
        v->report[k] = v->pool[k].report;
    }
    shorten_names(v);
    return check_scores(v, err);
}

/* ---- the ranking ---- */

enum { RANK, MODEL, SHARE, LOW, HIGH, IN, FIRST, BEST, IN_SET, FIXED };

static const es_out_column fixed[FIXED] = {
    [RANK] = {.key = "rank", .title = "rank", .kind = ES_COLUMN_COUNT},
    [MODEL] = {.key = "model", .title = "model", .flags = ES_COLUMN_KEY},
    [SHARE] = {.key = "share", .title = "share", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    [LOW] = {.key = "ci_low", .title = "low", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    [HIGH] = {.key = "ci_high", .title = "high", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    [IN] = {.key = "in", .title = "in", .kind = ES_COLUMN_COUNT},
    [FIRST] = {.key = "first_in", .title = "first in", .kind = ES_COLUMN_COUNT},
    [BEST] = {.key = "best", .title = "best?", .flags = ES_COLUMN_SHOWN_ONLY},
    [IN_SET] = {.key = "in_best_set", .kind = ES_COLUMN_FLAG, .flags = ES_COLUMN_DATA_ONLY},
};

static es_status rank_columns(view *v, es_error *err) {
    v->column = es_alloc_zero(FIXED + v->count, sizeof *v->column);
    if (!v->column)
        return es_no_memory(err);
    memcpy(v->column, fixed, sizeof fixed);
    for (size_t k = 0; k < v->count; k++)
        v->column[FIXED + k] = (es_out_column){.key = v->pool[k].name,
                                               .title = v->pool[k].name,
                                               .kind = ES_COLUMN_NUMBER,
                                               .decimals = 3};
    return ES_OK;
}

static es_table_out *rank_table(const es_document *d) {
    const view *v = d->what;
    const es_combined *c = v->sets->combined;
    es_table_out *table = es_table_out_new(v->column, FIXED + v->count);
    for (size_t k = 0; k < c->m; k++) {
        size_t a = c->order[k];
        es_table_out_count(table, c->rank[a] ? c->rank[a] : SIZE_MAX);
        es_table_out_text(table, v->sets->name.word[a]);
        es_table_out_number(table, c->share[a]);
        es_table_out_number(table, c->low[a]);
        es_table_out_number(table, c->high[a]);
        es_table_out_count(table, c->in[a]);
        es_table_out_count(table, c->first[a]);
        es_table_out_text(table, c->said && c->best[a] ? "may be" : NULL);
        es_table_out_flag(table, c->best[a]);
        for (size_t s = 0; s < c->sets; s++)
            es_table_out_number(table, c->within[s * c->m + a]);
    }
    return table;
}

static void rank_words(const es_document *d, es_buf *out) {
    const view *v = d->what;
    es_data_sets_say(v->sets, out);
}

static void rank_caption(const es_document *d, es_buf *out) {
    const view *v = d->what;
    size_t width = es_output_width(d->cli);
    es_buf text = {0};
    width = width == 0 || width > 100 ? 100 : width;
    es_buf_putc(out, '\n');
    es_data_sets_say(v->sets, &text);
    es_caption_fill(out, text.data ? text.data : "", width);
    es_buf_free(&text);
    es_buf_printf(
        &text,
        "share: of the others that it is before by the %s score, mean over data sets; two "
        "that a data set does not tell apart count as half there. low, high: 95 %%, data "
        "sets resampled%s. Right: the share in each data set.",
        es_score_kind_names[v->report[0]->score],
        v->count < ES_COMBINE_SETS ? ", which are few" : "");
    es_buf_putc(out, '\n');
    es_caption_fill(out, text.data ? text.data : "", width);
    out->failed |= text.failed;
    es_buf_free(&text);
}

static void put_sets(es_json *json, const view *v) {
    es_json_begin_array(json, "data_sets");
    for (size_t k = 0; k < v->count; k++) {
        const es_rank_report *r = v->report[k];
        es_json_begin_object(json, NULL);
        es_json_text(json, "pool", v->pool[k].name);
        es_json_text(json, "score", es_score_kind_names[r->score]);
        es_json_text(json, "aggregate", es_rank_report_aggregate(r));
        es_json_text(json, "estimator", r->results->estimator ? r->results->estimator->name : NULL);
        es_json_text(json, "preset", r->results->preset);
        es_json_uint(json, "seed", r->results->seed);
        es_json_uint(json, "embedders", r->results->m);
        es_json_uint(json, "rows", es_pool_rows(es_session_pool(v->pool[k].session)));
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_places(es_json *json, const view *v, size_t a) {
    const es_data_sets *x = v->sets;
    es_json_begin_array(json, "data_sets");
    for (size_t s = 0; s < x->count; s++) {
        size_t at = x->at[s * x->m + a];
        if (at == SIZE_MAX) {
            es_json_null(json, NULL);
            continue;
        }
        es_json_begin_object(json, NULL);
        es_document_count(json, "rank",
                          v->report[s]->ranking->rank[at] ? v->report[s]->ranking->rank[at]
                                                          : SIZE_MAX);
        es_json_double(json, "score", v->report[s]->ranking->score[at]);
        es_json_double(json, "share", x->combined->within[s * x->m + a]);
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_square(es_json *json, const char *key, const double *value, size_t n) {
    es_json_begin_array(json, key);
    for (size_t i = 0; i < n; i++)
        es_document_numbers(json, NULL, value + i * n, n);
    es_json_end(json);
}

static void rank_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    const es_combined *c = v->sets->combined;
    const char *const *name = (const char *const *)v->sets->name.word;
    es_buf sentence = {0};
    put_sets(json, v);
    es_data_sets_say(v->sets, &sentence);
    es_json_begin_object(json, "bottom_line");
    es_json_text(json, "sentence", sentence.data);
    es_json_text(json, "best", c->rank[c->order[0]] ? name[c->order[0]] : NULL);
    es_json_bool(json, "said_of_others", c->said);
    es_json_begin_row(json, "best_set");
    for (size_t k = 0; k < c->m && c->said; k++)
        if (c->best[c->order[k]])
            es_json_text(json, NULL, name[c->order[k]]);
    es_json_end(json);
    es_json_end(json);
    es_json_begin_array(json, "ranking");
    for (size_t k = 0; k < c->m; k++) {
        size_t a = c->order[k];
        es_json_begin_object(json, NULL);
        es_document_count(json, "rank", c->rank[a] ? c->rank[a] : SIZE_MAX);
        es_json_text(json, "model", name[a]);
        es_json_double(json, "share", c->share[a]);
        es_json_double(json, "ci_low", c->low[a]);
        es_json_double(json, "ci_high", c->high[a]);
        es_json_uint(json, "in", c->in[a]);
        es_json_uint(json, "first_in", c->first[a]);
        es_json_bool(json, "in_best_set", c->best[a]);
        put_places(json, v, a);
        es_json_end(json);
    }
    es_json_end(json);
    put_square(json, "agreement", c->agreement, c->sets);
    es_buf_free(&sentence);
}

es_status es_sets_rank(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {
        .table = rank_table, .caption = rank_caption, .words = rank_words, .json = rank_json};
    view v = {0};
    es_status st = ES_OK;
    ES_TRY(open_all(cli, true, &v, err));
    ES_TRY(es_data_sets_new(v.report, v.count, cli->options->seed, &v.sets, err));
    ES_TRY(rank_columns(&v, err));
    ES_TRY(es_document_write(
        &parts, (es_document){cli, NULL, SIZE_MAX, &v, es_output_format_of(cli, ES_FORMAT_TABLE)},
        err));
done:
    view_deinit(&v);
    return st;
}

/* ---- data sets against tasks ---- */

/* The score of each data set against every task, and last the combined one. */
static es_status correlate_one(es_cli *cli, const es_scored *scored, const view *v,
                               es_correlation_set **out, es_error *err) {
    const es_correlate_options options = {
        .draws = 1000, .permutations = 4999, .level = 0.95, .seed = cli->options->seed};
    es_join join = {0};
    es_status st = ES_OK;
    ES_TRY(es_join_new(cli, scored->name, scored->n, (const char *const *)v->scores->model,
                       v->scores->models, &join, err));
    ES_TRY(es_correlation_set_new(scored, v->scores, join.of_a, &options, out, err));
done:
    es_join_deinit(&join);
    return st;
}

static es_status correlate_pool(es_cli *cli, const opened *pool, const view *v,
                                es_correlation_set **out, es_error *err) {
    const es_rank_choices how = es_rank_choices_of(cli->options, false);
    es_rank_report *report = NULL;
    es_scored scored = {0};
    es_status st = es_scored_of_ranking(pool->session, &how, &scored, &report, err);
    if (st == ES_OK)
        st = correlate_one(cli, &scored, v, out, err);
    if (st != ES_OK)
        es_error_prefix(err, pool->name);
    es_rank_report_free(report);
    es_scored_deinit(&scored);
    return st;
}

static es_status correlate_all(es_cli *cli, view *v, es_error *err) {
    es_scored scored = {0};
    es_status st = ES_OK;
    ES_TRY(es_data_sets_new(v->report, v->count, cli->options->seed, &v->sets, err));
    v->set = es_alloc_zero(v->count + 1, sizeof(es_correlation_set *));
    ES_FAIL_IF(!v->set, es_no_memory(err));
    for (size_t k = 0; k < v->count; k++)
        ES_TRY(correlate_pool(cli, &v->pool[k], v, &v->set[k], err));
    ES_TRY(es_scored_new((const char *const *)v->sets->name.word, v->sets->m, &scored, err));
    memcpy(scored.score, v->sets->combined->share, v->sets->m * sizeof *scored.score);
    ES_TRY(correlate_one(cli, &scored, v, &v->set[v->count], err));
done:
    es_scored_deinit(&scored);
    return st;
}

static const char *set_name(const view *v, size_t k) {
    return k < v->count ? v->pool[k].name : "all of them";
}

static es_status task_columns(view *v, es_error *err) {
    size_t tasks = v->set[0]->columns;
    v->column = es_alloc_zero(tasks + 1, sizeof *v->column);
    if (!v->column)
        return es_no_memory(err);
    v->column[0] = (es_out_column){.key = "data_set", .title = "data set", .flags = ES_COLUMN_KEY};
    for (size_t t = 0; t < tasks; t++) {
        const char *name = es_correlation_task(v->set[0], t);
        v->column[t + 1] =
            (es_out_column){.key = name, .title = name, .kind = ES_COLUMN_NUMBER, .decimals = 2};
    }
    return ES_OK;
}

static double spearman(const view *v, size_t k, size_t task) {
    return v->set[k]->report[task].value[ES_SPEARMAN].value;
}

/* Which data set says most of a task is marked. */
static bool says_most(const view *v, size_t k, size_t task) {
    bool most = k < v->count && isfinite(spearman(v, k, task));
    for (size_t other = 0; other < v->count && most; other++)
        most = !(spearman(v, other, task) > spearman(v, k, task));
    return most;
}

static es_table_out *tasks_table(const es_document *d) {
    const view *v = d->what;
    size_t tasks = v->set[0]->columns;
    es_table_out *table = es_table_out_new(v->column, tasks + 1);
    for (size_t k = 0; k <= v->count; k++) {
        es_table_out_text(table, set_name(v, k));
        for (size_t t = 0; t < tasks; t++) {
            es_table_out_number(table, spearman(v, k, t));
            if (says_most(v, k, t))
                es_table_out_best(table);
        }
    }
    return table;
}

static void tasks_caption(const es_document *d, es_buf *out) {
    const view *v = d->what;
    es_buf text = {0};
    es_buf_printf(&text,
                  "Spearman of each data set's ranking (%s score) with each task, over the %zu "
                  "embedders of the first that have scores; the largest of a task is marked. Last: "
                  "the ranking over all data sets. --json has intervals and numbers of embedders.",
                  es_score_kind_names[v->report[0]->score], v->set[0]->n);
    es_buf_putc(out, '\n');
    size_t width = es_output_width(d->cli);
    es_caption_fill(out, text.data ? text.data : "", width == 0 || width > 100 ? 100 : width);
    out->failed |= text.failed;
    es_buf_free(&text);
}

static void tasks_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    put_sets(json, v);
    es_json_begin_array(json, "correlations");
    for (size_t k = 0; k <= v->count; k++)
        for (size_t t = 0; t < v->set[k]->columns; t++) {
            const es_correlation_report *r = &v->set[k]->report[t];
            es_json_begin_object(json, NULL);
            es_json_text(json, "data_set", k < v->count ? v->pool[k].name : NULL);
            es_json_text(json, "task", es_correlation_task(v->set[k], t));
            es_json_uint(json, "n", r->n);
            es_json_double(json, "spearman", r->value[ES_SPEARMAN].value);
            es_document_range(json, "spearman_ci", r->low[ES_SPEARMAN], r->high[ES_SPEARMAN]);
            es_json_double(json, "kendall", r->value[ES_KENDALL].value);
            es_json_double(json, "pearson", r->value[ES_PEARSON].value);
            es_json_end(json);
        }
    es_json_end(json);
}

es_status es_sets_correlate(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {
        .table = tasks_table, .caption = tasks_caption, .json = tasks_json};
    view v = {0};
    es_status st = ES_OK;
    if (cli->options->scores == NULL)
        return es_usage(cli, err, "several pools: name the downstream scores with --scores FILE");
    ES_TRY(es_scores_read(cli->options->scores, 0, &v.own, err));
    ES_TRY(es_scores_describe_beside(&v.own, cli->options->scores, err));
    v.scores = &v.own;
    ES_TRY(open_all(cli, true, &v, err));
    ES_TRY(correlate_all(cli, &v, err));
    ES_TRY(task_columns(&v, err));
    ES_TRY(es_document_write(
        &parts, (es_document){cli, NULL, SIZE_MAX, &v, es_output_format_of(cli, ES_FORMAT_TABLE)},
        err));
done:
    view_deinit(&v);
    return st;
}
