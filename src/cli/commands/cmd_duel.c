/* `embedscope duel`: questions about rows to a person, and what the answers say of the candidates.
 */
#include "cmd.h"
#include "cli_reports.h"
#include "cli_session.h"

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
