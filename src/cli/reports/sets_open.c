/* Opens every data set of the command line to look at what it has stored. */
#include "cli_reports.h"

#include "cli_out.h"
#include "cli_session.h"

static void close_set(es_open_set *set) {
    es_rank_report_free(set->report);
    es_session_close(set->session);
    *set = (es_open_set){0};
}

void es_open_sets_deinit(es_open_sets *sets) {
    es_data_sets_free(sets->all);
    for (size_t k = 0; sets->set && k < sets->count; k++)
        close_set(&sets->set[k]);
    es_words_deinit(&sets->missing);
    es_words_deinit(&sets->why);
    es_data_list_deinit(&sets->list);
}

/* Why nothing can be ranked though all pairs are known: the first statement of the answer. */
static es_status fail_unrankable(const es_bottom_line_of *words, const char *name, es_error *err) {
    es_bottom_line *line = NULL;
    es_status st = es_bottom_line_new(words, &line, err);
    if (st == ES_OK)
        st = es_fail(err, ES_EEMPTY, "%s: %.*s", name, (int)line->end[0], line->sentence);
    es_bottom_line_free(line);
    return st;
}

/* Fails if a data set ranks no embedder, and says why. */
static es_status check_ranked(const es_cli *cli, const es_open_set *set, const char *name,
                              es_error *err) {
    const es_results *results = set->report->results;
    const es_bottom_line_of words = es_answer_words(set->report);
    es_buf remedy = {0};
    for (size_t i = 0; i < results->m; i++)
        if (set->report->ranking->rank[i] > 0)
            return ES_OK;
    if (words.known >= words.of)
        return fail_unrankable(&words, name, err);
    es_status st = es_stored_runs_remedy(cli, set->session, &remedy, err);
    if (st == ES_OK)
        st = es_fail(err, ES_EEMPTY,
                     "%s: no embedder is ranked, %zu of %zu pairs are known; run `%s`", name,
                     results->done, results->m * results->m, remedy.data);
    es_buf_free(&remedy);
    return st;
}

static es_status open_one(es_cli *cli, const es_data_list *list, size_t k, es_open_set *out,
                          es_error *err) {
    es_options options;
    const char *path[2];
    es_cli one = es_data_list_open(cli, list, k, &options, path);
    es_open_set set = {.entry = k};
    size_t entry = 0;
    es_status st = es_cli_open_stored(&one, true, &set.session, &entry, err);
    if (one.exit_code > 1)
        cli->exit_code = one.exit_code;
    if (st == ES_OK) {
        const es_rank_choices how = es_rank_choices_of(&options, true);
        st = es_rank_report_of(set.session, &how, &set.report, err);
        if (st != ES_OK)
            es_error_prefix(err, list->name.word[k]);
    }
    if (st == ES_OK)
        st = check_ranked(&one, &set, list->name.word[k], err);
    if (st == ES_OK)
        *out = set;
    else
        close_set(&set);
    return st;
}

/* All by one score: an average over two would mean nothing. */
static es_status check_scores(const es_cli *cli, const es_open_sets *sets, es_error *err) {
    bool may_choose = (cli->command->groups & ES_OPTIONS_SCORE) != 0;
    for (size_t k = 1; k < sets->count; k++)
        if (sets->report[k]->score != sets->report[0]->score)
            return es_fail(
                err, ES_EINVAL,
                "%s is ranked by the %s score, %s by the %s one; %s`embedscope estimate` "
                "makes them one",
                sets->name[0], es_score_kind_names[sets->report[0]->score], sets->name[k],
                es_score_kind_names[sets->report[k]->score],
                may_choose ? "--score published or " : "");
    return ES_OK;
}

static es_status leave_out(es_cli *cli, es_open_sets *sets, const char *name, const es_error *why,
                           es_error *err) {
    es_status st = es_words_add(&sets->missing, name, err);
    if (st == ES_OK)
        st = es_words_add(&sets->why, why->message, err);
    es_output_note(cli, "left out: %s", why->message);
    return st;
}

static es_status open_all(es_cli *cli, es_open_sets *sets, es_error *err) {
    es_error first = {0};
    es_status st = ES_OK;
    es_named_models_begin(cli);
    for (size_t k = 0; st == ES_OK && k < sets->list.count; k++) {
        const char *name = sets->list.name.word[k];
        es_error why = {0};
        st = open_one(cli, &sets->list, k, &sets->set[sets->count], &why);
        if (st == ES_EEMPTY && !cli->options->strict) {
            first = first.code == ES_OK ? why : first;
            st = leave_out(cli, sets, name, &why, err);
        } else if (st != ES_OK) {
            (void)es_fail(err, st, "%s", why.message);
        } else {
            sets->report[sets->count] = sets->set[sets->count].report;
            sets->name[sets->count++] = name;
        }
    }
    if (st == ES_OK && sets->count > 0)
        st = es_named_models_end(cli, err);
    if (st == ES_OK && sets->count == 0)
        return es_fail(err, ES_EEMPTY, "%s", first.message);
    if (st == ES_OK && sets->count == 1 && sets->list.count > 1)
        return es_fail(err, ES_EEMPTY, "only %s has results, and two data sets are needed; %s",
                       sets->name[0], first.message);
    if (sets->missing.count > 0 && cli->exit_code == ES_EXIT_OK)
        cli->exit_code = ES_EXIT_FAILED_PAIRS;
    return st;
}

static es_session *session_of(const void *what, size_t k, const char **name) {
    const es_open_sets *sets = what;
    *name = sets->name[k];
    return sets->set[k].session;
}

static void put_pools(const es_cli *cli, const void *what, es_json *json) {
    es_open_sets_json(cli, what, json);
}

es_status es_open_sets_new(es_cli *cli, es_open_sets *out, es_error *err) {
    es_open_sets sets = {0};
    es_status st = ES_OK;
    ES_TRY(es_data_list_of(cli, &sets.list, err));
    sets.set = es_cli_room(cli, sets.list.count, sizeof *sets.set);
    sets.report = es_cli_room(cli, sets.list.count, sizeof(const es_rank_report *));
    sets.name = es_cli_room(cli, sets.list.count, sizeof(const char *));
    ES_FAIL_IF(!sets.set || !sets.report || !sets.name, es_no_memory(err));
    ES_TRY(open_all(cli, &sets, err));
    ES_TRY(check_scores(cli, &sets, err));
    ES_TRY(es_data_sets_new(sets.report, sets.count, cli->options->seed, &sets.all, err));
    *out = sets;
    sets = (es_open_sets){0};
    if (cli->export)
        cli->export->several = (es_export_pools){out, out->count, session_of, put_pools};
done:
    es_open_sets_deinit(&sets);
    return st;
}

/* ---- in documents ---- */

static void put_ranking(es_json *json, const es_rank_report *r) {
    for (size_t k = es_json_list(json, "ranking"); es_json_list_next(json, &k, r->results->m);) {
        size_t a = r->order[k];
        es_document_count(json, "rank", r->ranking->rank[a] ? r->ranking->rank[a] : SIZE_MAX);
        es_json_text(json, "model", r->results->name[a]);
        es_json_double(json, "score", r->ranking->score[a]);
    }
}

void es_open_sets_json(const es_cli *cli, const es_open_sets *sets, es_json *json) {
    for (size_t k = es_json_list(json, "pools"); es_json_list_next(json, &k, sets->count);) {
        const es_rank_report *r = sets->report[k];
        const es_open_set *set = &sets->set[k];
        es_json_text(json, "name", sets->name[k]);
        es_json_text(json, "score", es_score_kind_names[r->score]);
        es_json_text(json, "aggregate", es_rank_report_aggregate(r));
        es_json_text(json, "estimator", r->results->estimator ? r->results->estimator->name : NULL);
        es_json_text(json, "preset", r->results->preset);
        es_json_uint(json, "seed", r->results->seed);
        es_json_uint(json, "embedders", r->results->m);
        es_json_uint(json, "controls", es_results_controls(r->results));
        es_json_uint(json, "rows", es_pool_rows(es_session_pool(set->session)));
        es_json_uint(json, "pairs", r->results->m * r->results->m);
        es_json_uint(json, "pairs_known", r->results->done);
        es_json_begin_object(json, "provenance");
        es_document_origin(json, cli, set->session, r->entry);
        es_json_end(json);
        put_ranking(json, r);
        es_document_excluded(json, set->session);
    }
    for (size_t k = es_json_list(json, "left_out");
         es_json_list_next(json, &k, sets->missing.count);) {
        es_json_text(json, "name", sets->missing.word[k]);
        es_json_text(json, "reason", sets->why.word[k]);
    }
}

void es_open_sets_say_missing(const es_open_sets *sets, es_buf *out) {
    for (size_t k = 0; k < sets->missing.count; k++)
        es_buf_printf(out, "%s%s", k ? ", " : " Without ", sets->missing.word[k]);
    es_buf_puts(out, sets->missing.count > 0 ? ": there is no ranking there." : "");
    es_data_sets_say_unfinished(sets->all, sets->name, out);
}
