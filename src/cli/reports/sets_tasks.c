/* Data sets against downstream tasks: which data set's ranking goes with which task. */
#include <math.h>
#include <string.h>

#include "cli_reports.h"

typedef struct view {
    es_open_sets pools;
    es_scores scores;
    es_correlation_set **set; /* (pools.count + 1) the last is the combined one */
    const char **name;        /* (pools.count + 1) */
    es_join join;             /* of the combined one */
} view;

static void view_deinit(view *v) {
    for (size_t k = 0; v->set && k <= v->pools.count; k++)
        es_correlation_set_free(v->set[k]);
    es_join_deinit(&v->join);
    es_open_sets_deinit(&v->pools);
    es_scores_deinit(&v->scores);
}

/* The score of one data set against every task. */
static es_status correlate_one(es_cli *cli, const es_scored *scored, const view *v, es_join *join,
                               es_correlation_set **out, es_error *err) {
    const es_correlate_options options = {.seed = cli->options->seed};
    es_status st = es_join_new(cli, scored->name, scored->n, (const char *const *)v->scores.model,
                               v->scores.models, join, err);
    if (st == ES_OK)
        st = es_correlation_set_new(scored, &v->scores, join->of_a, &options, out, err);
    return st;
}

static es_status correlate_pool(es_cli *cli, view *v, size_t k, es_error *err) {
    const es_open_set *set = &v->pools.set[k];
    es_scored scored = {0};
    es_join join = {0};
    es_status st = es_scored_of_report(set->session, set->report, &scored, err);
    if (st == ES_OK)
        st = correlate_one(cli, &scored, v, &join, &v->set[k], err);
    if (st != ES_OK)
        es_error_prefix(err, v->pools.name[k]);
    es_join_deinit(&join);
    es_scored_deinit(&scored);
    return st;
}

/* Who counts among the embedders of all pools, by what the first pool with a family says. */
static es_status take_groups(const view *v, es_scored *scored, es_error *err) {
    const es_data_sets *all = v->pools.all;
    char **family = es_alloc_zero(all->m + 1, sizeof *family);
    if (family == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < all->m; i++)
        for (size_t k = 0; k < v->pools.count && family[i] == NULL; k++) {
            const es_rank_report *report = v->pools.set[k].report;
            size_t at = es_rank_report_find(report, all->name.word[i]);
            family[i] =
                at == SIZE_MAX || !report->results->family ? NULL : report->results->family[at];
        }
    const es_results names = {.m = all->m, .name = all->name.word, .family = family};
    es_downstream_groups(&names, NULL, NULL, scored->counts, scored->family);
    es_free(family);
    return ES_OK;
}

static es_status correlate_all(es_cli *cli, view *v, es_error *err) {
    const es_data_sets *all = v->pools.all;
    es_scored scored = {0};
    es_status st = ES_OK;
    v->set = es_cli_room(cli, v->pools.count + 1, sizeof(es_correlation_set *));
    v->name = es_cli_room(cli, v->pools.count + 1, sizeof(const char *));
    ES_FAIL_IF(!v->set || !v->name, es_no_memory(err));
    for (size_t k = 0; k < v->pools.count; k++) {
        v->name[k] = v->pools.name[k];
        ES_TRY(correlate_pool(cli, v, k, err));
    }
    v->name[v->pools.count] = "all of them";
    ES_TRY(es_scored_new((const char *const *)all->name.word, all->m, &scored, err));
    memcpy(scored.score, all->combined->share, all->m * sizeof *scored.score);
    ES_TRY(take_groups(v, &scored, err));
    ES_TRY(correlate_one(cli, &scored, v, &v->join, &v->set[v->pools.count], err));
done:
    es_scored_deinit(&scored);
    return st;
}

static double spearman(const view *v, size_t k, size_t task) {
    return v->set[k]->report[task].value[ES_SPEARMAN].value;
}

/* Which data set says most of a task is marked. */
static bool says_most(const view *v, size_t k, size_t task) {
    bool most = k < v->pools.count && isfinite(spearman(v, k, task));
    for (size_t other = 0; other < v->pools.count && most; other++)
        most = !(spearman(v, other, task) > spearman(v, k, task));
    return most;
}

static es_table_out *tasks_table(const es_document *d) {
    const view *v = d->what;
    size_t tasks = v->set[0]->columns;
    es_table_out *table = es_table_out_new(NULL, 0);
    es_table_out_add(table,
                     (es_out_column)ES_HEAD(TEXT, "data_set", "data set", NULL, 0, ES_COLUMN_KEY));
    for (size_t t = 0; t < tasks; t++) {
        const char *name = es_correlation_task(v->set[0], t);
        es_table_out_add(table, (es_out_column)ES_NUMBER(name, name, NULL, 2, 0));
    }
    for (size_t k = 0; k <= v->pools.count; k++) {
        es_table_out_text(table, v->name[k]);
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
                  "embedders of the first that have scores%s. Last: "
                  "the ranking over all data sets. --json has intervals and numbers of embedders.",
                  es_score_kind_names[v->pools.report[0]->score], v->set[0]->n,
                  d->format == ES_FORMAT_TEX ? "; the largest of a task is marked" : "");
    es_open_sets_say_missing(&v->pools, &text);
    es_buf_putc(out, '\n');
    es_caption_take(d->cli, &text, out);
}

static void tasks_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    const es_correlation_set *all = v->set[v->pools.count];
    es_open_sets_json(d->cli, &v->pools, json);
    es_sets_ranking_json(&v->pools, json);
    es_json_begin_array(json, "tasks"); /* against the combination */
    for (size_t t = 0; t < all->tasks; t++)
        es_correlation_task_json(json, NULL, all, (const char *const *)v->pools.all->name.word, t);
    es_json_end(json);
    es_correlation_unmatched_json(json, &v->join);
    es_json_begin_array(json, "correlations");
    for (size_t k = 0; k <= v->pools.count; k++)
        for (size_t t = 0; t < v->set[k]->columns; t++) {
            const es_correlation_report *r = &v->set[k]->report[t];
            es_json_begin_object(json, NULL);
            es_json_text(json, "data_set", k < v->pools.count ? v->name[k] : NULL);
            es_json_text(json, "task", es_correlation_task(v->set[k], t));
            es_json_uint(json, "n", r->n);
            es_json_double(json, "spearman", r->value[ES_SPEARMAN].value);
            es_document_range(json, "spearman_ci", r->low[ES_SPEARMAN], r->high[ES_SPEARMAN]);
            es_document_range_reason(json, &r->value[ES_SPEARMAN], r->low[ES_SPEARMAN], r->n);
            es_json_double(json, "kendall", r->value[ES_KENDALL].value);
            es_json_double(json, "pearson", r->value[ES_PEARSON].value);
            es_json_end(json);
        }
    es_json_end(json);
}

/* Data sets against tasks. */
static es_status tasks_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const view *v = d->what;
    size_t tasks = v->set[0]->columns, rows = v->pools.count + 1;
    double *value = es_sketch_room(sketch, rows * tasks, sizeof *value);
    const char **column = es_sketch_room(sketch, tasks, sizeof *column);
    if (!value || !column)
        return es_no_memory(err);
    for (size_t t = 0; t < tasks; t++) {
        column[t] = es_correlation_task(v->set[0], t);
        for (size_t s = 0; s < rows; s++)
            value[s * tasks + t] = spearman(v, s, t);
    }
    const es_heatmap heatmap = {.rows = rows,
                                .columns = tasks,
                                .value = value,
                                .row_name = v->name,
                                .column_name = column,
                                .row_title = "ranking on",
                                .column_title = "downstream task",
                                .value_title = "Spearman's ρ of the ranking with the task",
                                .map = ES_HEAT_DIVERGING,
                                .low = -1,
                                .high = 1,
                                .decimals = 2};
    return es_figure_heatmap(&heatmap, ES_SKETCHED(sketch), err);
}

/* --scores, or the file beside the pools of a folder, or beside the one pool whose sets they are.
 */
static es_status read_scores(es_cli *cli, view *v, es_error *err) {
    const char *path = cli->options->scores;
    char *beside = path == NULL && cli->n_arguments == 1
                       ? es_path_join(cli->arguments[0], "scores.csv")
                       : NULL;
    const es_scores_for whose = {.embedder = (const char *const *)v->pools.all->name.word,
                                 .n = v->pools.all->m};
    es_error why = {0};
    es_status st = ES_OK;
    if (path || beside) {
        st = es_scores_read_for(path ? path : beside, &whose, NULL, &v->scores, &why);
        if (st == ES_OK)
            st = es_scores_describe_beside(&v->scores, path ? path : beside, &why);
    }
    es_free(beside);
    if (path == NULL && (beside == NULL || st == ES_ENOTFOUND))
        return es_usage(cli, err, "several pools: name the downstream scores with --scores FILE");
    return st == ES_OK ? st : es_fail(err, st, "%s", why.message);
}

/* MTEB's results are compared by what the embedders of all pools share, under joined names. */
static es_status settle_scores(es_cli *cli, view *v, es_error *err) {
    const es_scores *scores = &v->scores;
    es_join join = {0};
    es_status st = ES_OK;
    ES_TRY(es_join_new(cli, (const char *const *)v->pools.all->name.word, v->pools.all->m,
                       (const char *const *)v->scores.model, v->scores.models, &join, err));
    ES_TRY(es_cli_scores_settle(cli, &join, &v->scores, &scores, err));
done:
    es_join_deinit(&join);
    return st;
}

es_status es_sets_correlate(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {.schema = "combined_tasks",
                                            .table = tasks_table,
                                            .caption = tasks_caption,
                                            .json = tasks_json,
                                            .picture = tasks_picture};
    view v = {0};
    es_status st = ES_OK;
    ES_TRY(es_open_sets_new(cli, &v.pools, err));
    ES_TRY(read_scores(cli, &v, err));
    ES_TRY(settle_scores(cli, &v, err));
    ES_TRY(correlate_all(cli, &v, err));
    ES_TRY(
        es_document_write(&parts, (es_document){cli, NULL, SIZE_MAX, &v, ES_FORMAT_DEFAULT}, err));
done:
    view_deinit(&v);
    return st;
}
