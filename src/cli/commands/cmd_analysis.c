/* Any analysis that makes its own sheet (analysis_rows.h), in every format. */
#include "cmd.h"

#include <math.h>
#include <string.h>

#include "cli_reports.h"
#include "cli_session.h"

/* ---- from the sheet to the formats ---- */

static void put_said(const es_document *d, bool answer, es_buf *out) {
    const es_sheet *sheet = d->what;
    for (size_t i = 0; i < sheet->statements; i++)
        if ((sheet->statement[i].kind == ES_SAYS_ANSWER) == answer)
            es_buf_printf(out, "%s%s", out->length > 0 ? "\n" : "", sheet->statement[i].text);
}

static void put_words(const es_document *d, es_buf *out) {
    put_said(d, true, out);
}

static void put_caption(const es_document *d, es_buf *out) {
    es_buf notes = {0};
    if (d->cli->sheet == NULL) /* which begins with them */
        es_caption_words(d, put_words, out);
    put_said(d, false, &notes);
    if (notes.length > 0)
        es_buf_printf(out, "%s\n", notes.data);
    es_buf_end(&notes, out);
}

/* The tables become those of `to`: each document is written once. */
static es_status give_tables(const es_document *d, es_sheet *to, es_error *err) {
    es_sheet *from = (es_sheet *)(uintptr_t)d->what;
    for (size_t i = 0; i < from->tables; i++)
        es_sheet_take_table(to, from->table[i]);
    from->tables = 0;
    return es_sheet_check(to, err);
}

static void put_texts(es_json *json, const char *key, const es_sheet *sheet, bool answer) {
    es_json_begin_array(json, key);
    for (size_t i = 0; i < sheet->statements; i++)
        if ((sheet->statement[i].kind == ES_SAYS_ANSWER) == answer)
            es_json_text(json, NULL, sheet->statement[i].text);
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const es_sheet *sheet = d->what;
    es_json_text(json, "analysis", d->cli->command->name);
    es_json_text(json, "title", sheet->title);
    put_texts(json, "answer", sheet, true);
    put_texts(json, "notes", sheet, false);
    es_json_begin_array(json, "tables");
    for (size_t i = 0; i < sheet->tables; i++)
        es_table_out_json(sheet->table[i], json, NULL);
    es_json_end(json);
    es_document_excluded(json, d->session);
}

static void put_plot(const es_document *d, es_sheet_plot *plot) {
    *plot = ((const es_sheet *)d->what)->plot;
}

/* ---- making it ---- */

static es_status open_pool(es_cli *cli, bool pairs, es_session **session, size_t *entry,
                           es_error *err) {
    if (pairs)
        return es_cli_open_stored(cli, true, session, entry, err);
    *entry = SIZE_MAX;
    es_status st = es_cli_open(cli, ES_ACCESS_SHOW, false, session, err);
    return st == ES_OK ? es_cli_wait_checked(cli, *session, err) : st;
}

es_status es_cmd_analysis(es_cli *cli, es_error *err) {
    const es_analysis *analysis = es_analysis_find(cli->command->name);
    bool pairs = (analysis->needs & ES_ANALYSIS_NEEDS_PAIRS) != 0;
    es_session *session = NULL;
    es_rank_report *report = NULL;
    es_scores own = {0};
    es_known known = {0};
    size_t entry = SIZE_MAX;
    es_sheet *sheet = es_sheet_new(analysis->title);
    es_status st = ES_OK;
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    ES_FAIL_IF(!sheet, es_no_memory(err));
    ES_TRY(open_pool(cli, pairs, &session, &entry, err));
    known.pool = es_session_pool(session);
    if (pairs)
        ES_TRY(es_rank_report_of(session, &how, &report, err));
    known.report = report;
    ES_TRY(es_cli_scores(cli, session, &own, &known.scores, err));
    ES_TRY(analysis->make(&known, sheet, err));
    ES_TRY(es_sheet_check(sheet, err));
    const es_document_parts parts = {.schema = "sheet",
                                     .tables = give_tables,
                                     .caption = put_caption,
                                     .words = put_words,
                                     .json = put_json,
                                     .picture = es_picture_sheet,
                                     .plot = put_plot,
                                     .title = analysis->title};
    ES_TRY(es_document_write(&parts, (es_document){cli, session, entry, sheet, ES_FORMAT_DEFAULT},
                             err));
done:
    es_sheet_free(sheet);
    es_rank_report_free(report);
    es_scores_deinit(&own);
    es_session_close(session);
    return st;
}

/* `embedscope frontier`: how small an embedder may be. */

/* Of a sheet: what is not begun by then comes with the next one. */
static const double SHEET_SECONDS = 1;

typedef struct asked {
    es_session *session;
    const es_results *names;
    size_t *model; /* (count) positions; those that were measured come first */
    size_t count, known;
    es_frontier_of *of; /* (known) */
    es_frontier_report *report;
} asked;

static void asked_deinit(asked *a) {
    es_frontier_report_free(a->report);
    es_free(a->of);
    es_free(a->model);
    es_session_close(a->session);
}

/* "A,B"; without names everybody but controls and derived ones. */
static es_status choose(es_cli *cli, asked *a, es_error *err) {
    char *names = cli->n_arguments > 1 ? es_strdup(cli->arguments[1]) : NULL;
    es_status st = ES_OK;
    a->model = es_alloc(a->names->m + 1, sizeof *a->model);
    ES_FAIL_IF(!a->model || (cli->n_arguments > 1 && !names), es_no_memory(err));
    for (size_t i = 0; !names && i < a->names->m; i++)
        if (!es_is_control(a->names->family[i]) && !es_results_is_derived(a->names, i))
            a->model[a->count++] = i;
    for (char *at = names, *next; at; at = next) {
        size_t position = 0, seen = 0;
        next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        ES_TRY(es_cli_model(cli, a->session, 0, at, &position, err));
        while (seen < a->count && a->model[seen] != position)
            seen++;
        a->model[seen] = position;
        a->count += seen == a->count;
    }
    ES_FAIL_IF(a->count == 0, es_fail(err, ES_EEMPTY,
                                      "frontier: all embedders are controls or derived; name some: "
                                      "embedscope frontier %s A,B",
                                      cli->arguments[0]));
done:
    es_free(names);
    return st;
}

/* Puts what was measured first, with a note on who could not be. */
static void part_known(es_cli *cli, asked *a) {
    size_t left = 0;
    for (size_t i = 0; i < a->count; i++) {
        size_t model = a->model[i], count;
        const char *problem;
        bool known = es_session_frontier(a->session, model, &count, &problem) != NULL;
        if (problem)
            es_output_note(cli, "%s is left out: %s", a->names->name[model], problem);
        else if (known) { /* a rotation, so that both keep their order */
            memmove(a->model + a->known + 1, a->model + a->known, (left) * sizeof *a->model);
            a->model[a->known++] = model;
        } else
            a->model[a->known + left++] = model;
    }
    a->count = a->known + left;
}

/* cost (known) of a column of models.csv. */
static es_status read_costs(es_cli *cli, asked *a, es_error *err) {
    const char *column = cli->options->against;
    const es_scores *known = NULL;
    size_t at = 0;
    ES_PASS(es_pool_models(es_session_pool(a->session), &known, err));
    if (!known)
        return es_fail(err, ES_ENOTFOUND,
                       "frontier: --against %s: the pool has no models.csv; put one beside the "
                       "embedders, with the columns model,%s",
                       column, column);
    while (at < known->tasks && strcmp(known->task[at], column) != 0)
        at++;
    if (at == known->tasks)
        return es_cli_unknown_name(cli, "column of models.csv", column,
                                   (const char *const *)known->task, known->tasks, err);
    for (size_t i = 0; i < a->known; i++) {
        size_t row = es_scores_find(known, a->of[i].name);
        if (row != SIZE_MAX)
            a->of[i].cost = known->value[row * known->tasks + at];
    }
    return ES_OK;
}

/* Makes the report of the frontier from measured compressions and the ranking. */
static es_status make_report(es_cli *cli, asked *a, es_error *err) {
    size_t entry = es_session_predictive(a->session);
    const es_results *pairs = entry != SIZE_MAX ? es_session_results(a->session, entry) : NULL;
    a->of = es_alloc(a->known + 1, sizeof *a->of);
    if (!a->of)
        return es_no_memory(err);
    for (size_t i = 0; i < a->known; i++) {
        size_t model = a->model[i], count;
        const char *problem;
        a->of[i] =
            (es_frontier_of){.name = a->names->name[model],
                             .d = a->names->dim[model],
                             .kept = es_session_frontier(a->session, model, &count, &problem),
                             .others = pairs ? es_frontier_others(pairs, model) : (double)NAN,
                             .cost = (double)NAN};
    }
    if (cli->options->against)
        ES_PASS(read_costs(cli, a, err));
    return es_frontier_report_new(a->of, a->known, cli->options->bytes, cli->options->against,
                                  &a->report, err);
}

es_status es_cmd_frontier(es_cli *cli, es_error *err) {
    asked a = {0};
    es_status st = ES_OK;
    if (es_options_given(cli->options, "bytes") && cli->options->bytes == 0)
        return es_usage(cli, err, "frontier: --bytes takes a number of bytes from 1 on");
    ES_TRY(es_cli_open(cli, ES_ACCESS_MEASURE, false, &a.session, err));
    ES_TRY(es_cli_wait_checked(cli, a.session, err));
    es_cli_note_excluded(cli, a.session);
    a.names = es_session_results(a.session, 0);
    ES_TRY(choose(cli, &a, err));
    bool in_parts = cli->sheet && es_session_store_path(a.session); /* what is measured stays */
    ES_TRY(
        es_session_frontier_start(a.session, a.model, a.count, in_parts ? SHEET_SECONDS : 0, err));
    ES_TRY(es_cli_wait_checked(cli, a.session, err));
    part_known(cli, &a);
    ES_FAIL_IF(a.known == 0, es_fail(err, ES_EEMPTY, "frontier: no embedder could be compressed"));
    ES_TRY(make_report(cli, &a, err));
    if (cli->sheet)
        cli->sheet->partial = a.count > a.known;
    const es_frontier_view view = {.session = a.session,
                                   .names = a.names,
                                   .report = a.report,
                                   .model = a.model,
                                   .pending = a.count - a.known,
                                   .rows = es_session_frontier_rows(a.session),
                                   .tasks = es_session_frontier_tasks(a.session)};
    ES_TRY(es_frontier_write(cli, &view, err));
done:
    asked_deinit(&a);
    return st;
}

/* `embedscope duel`: questions about rows to a person, and what the answers say of the candidates.
 */

typedef struct duel {
    es_session *session;
    es_pool *pool; /* the session's */
    es_answer answer;
    es_duel_candidates candidates;
    es_duel_finder *finder;
    es_duel_list *list; /* (lists) answers, a file each */
    size_t lists;
    es_duel_question *question; /* asked and answered, then those that are written */
} duel;

static void duel_deinit(duel *d) {
    for (size_t i = 0; i < d->lists; i++)
        es_duel_list_deinit(&d->list[i]);
    es_free(d->list);
    es_free(d->question);
    es_duel_finder_free(d->finder);
    es_duel_candidates_deinit(&d->candidates);
    es_answer_deinit(&d->answer);
    es_session_close(d->session);
}

/* Embedders that are named need no results. */
static es_status open_named(es_cli *cli, duel *d, es_error *err) {
    ES_PASS(es_cli_open(cli, ES_ACCESS_SHOW, false, &d->session, err));
    ES_PASS(es_cli_wait(cli, d->session, err));
    d->pool = es_session_pool(d->session);
    return es_duel_candidates_of_pool(d->pool, &d->candidates, err);
}

static es_status open_ranked(es_cli *cli, duel *d, es_error *err) {
    size_t entry = 0;
    ES_PASS(es_cli_open_stored(cli, true, &d->session, &entry, err));
    ES_PASS(es_cli_answer(cli, d->session, false, &d->answer, err));
    d->pool = es_session_pool(d->session);
    return es_duel_candidates_of_answer(&d->answer, &d->candidates, err);
}

/* Those of --answers, else the pool's own. */
static es_status read_answers(es_cli *cli, duel *d, es_error *err) {
    const es_texts *files = &cli->options->answers;
    d->list = es_alloc_zero(files->count + 1, sizeof *d->list);
    if (!d->list)
        return es_no_memory(err);
    if (files->count == 0) {
        ES_PASS(es_duel_answers_read(d->pool, &d->list[0], err));
        d->lists = 1;
    }
    for (size_t i = 0; i < files->count; i++) {
        ES_PASS(es_duel_list_read(files->items[i], 0, es_duel_finder_rows(d->finder), &d->list[i],
                                  err));
        d->lists++;
    }
    return ES_OK;
}

/* Questions that were answered come first in d->question; *count of them. */
static es_status collect_answered(duel *d, size_t more, size_t *count, es_error *err) {
    size_t lines = 0;
    for (size_t l = 0; l < d->lists; l++)
        lines += d->list[l].count;
    d->question = es_alloc_zero(lines + more + 1, sizeof *d->question);
    if (!d->question)
        return es_no_memory(err);
    *count = 0;
    for (size_t l = 0; l < d->lists; l++)
        for (size_t i = 0; i < d->list[l].count; i++) {
            const es_duel_line *line = &d->list[l].item[i];
            if (line->answer != ES_DUEL_OPEN)
                d->question[(*count)++] =
                    (es_duel_question){.row = line->row, .left = line->left, .right = line->right};
        }
    return ES_OK;
}

static es_status write_questions(es_cli *cli, duel *d, es_error *err) {
    size_t wanted = cli->options->questions, rows = es_duel_finder_rows(d->finder), before = 0;
    es_duel_order order = {0};
    es_error why = {0};
    es_status st = ES_OK;
    uint64_t from = 0;
    es_duel_asked_view view = {.session = d->session, .candidates = d->candidates.k};
    wanted = wanted < rows ? wanted : rows;
    ES_TRY(collect_answered(d, wanted, &before, err));
    ES_TRY(es_duel_order_new(cli->options->seed, rows, d->candidates.k, &order, err));
    while (view.count < wanted) {
        es_duel_question *next = &d->question[before + view.count];
        st = es_duel_finder_next(d->finder, &order, d->question, before + view.count, from, NULL,
                                 next, &why);
        if (st != ES_OK)
            break;
        from = next->at + 1;
        view.count++;
    }
    ES_FAIL_IF(st != ES_OK && (st != ES_EEMPTY || view.count == 0),
               es_fail(err, st, "%s", why.message));
    if (view.count < cli->options->questions)
        es_output_note(cli, "%zu questions; no more are found", view.count);
    view.question = d->question + before;
    ES_TRY(es_pool_texts(d->pool, &view.texts, err));
    ES_TRY(es_duel_write_questions(cli, &view, err));
done:
    es_duel_order_deinit(&order);
    return st;
}

static es_status write_standing(es_cli *cli, duel *d, es_error *err) {
    es_duel_report *report = NULL;
    es_status st = es_duel_report_new(d->finder, d->pool, d->candidates.place, d->list, d->lists,
                                      NULL, &report, err);
    const es_duel_view view = {d->session, report};
    if (st == ES_OK)
        st = es_duel_write(cli, &view, err);
    es_duel_report_free(report);
    return st;
}

es_status es_cmd_duel(es_cli *cli, es_error *err) {
    duel d = {0};
    es_status st = ES_OK;
    ES_TRY(cli->models ? open_named(cli, &d, err) : open_ranked(cli, &d, err));
    ES_TRY(es_duel_finder_new(d.pool, d.candidates.item, d.candidates.k, &d.finder, err));
    ES_TRY(read_answers(cli, &d, err));
    if (cli->options->questions > 0)
        ES_TRY(write_questions(cli, &d, err));
    else
        ES_TRY(write_standing(cli, &d, err));
done:
    duel_deinit(&d);
    return st;
}
