/* `embedscope duel`: questions about rows to a person, and what the answers say of the candidates.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_reports.h"
#include "cli_session.h"
#include "cmd.h"

/* Questions that are next. */
typedef struct questions {
    const es_row_texts *texts;        /* NULL: there are none */
    const es_duel_question *question; /* (count) */
    size_t count, candidates;
} questions;

enum { SHOWN_BYTES = 60 };

/* ---- questions ---- */

#define QUESTION(C)                                                                                \
    C(COUNT, "row", "row", ES_COLUMN_KEY, q->row)                                                  \
    C(COUNT, "left", "left", 0, q->left)                                                           \
    C(COUNT, "right", "right", 0, q->right)                                                        \
    C(TEXT, "answer", "answer", ES_COLUMN_ALWAYS, NULL)                                            \
    C(TAKEN, "row_text", "row's text", ES_COLUMN_SHOWN_ONLY,                                       \
      es_file_row_text(v->texts, q->row, SHOWN_BYTES))                                             \
    C(TAKEN, "left_text", "left's text", ES_COLUMN_SHOWN_ONLY,                                     \
      es_file_row_text(v->texts, q->left, SHOWN_BYTES))                                            \
    C(TAKEN, "right_text", "right's text", ES_COLUMN_SHOWN_ONLY,                                   \
      es_file_row_text(v->texts, q->right, SHOWN_BYTES))

static const es_out_column asked_columns[] = ES_COLUMNS_OF(QUESTION);

static es_table_out *make_questions(const es_document *d) {
    const questions *v = d->what;
    es_table_out *t = ES_TABLE_OUT(asked_columns);
    for (size_t i = 0; i < v->count; i++) {
        const es_duel_question *q = &v->question[i];
        ES_PUT_ROW(QUESTION, t);
    }
    return t;
}

static void put_questions_json(const es_document *d, es_json *json) {
    const questions *v = d->what;
    es_json_uint(json, "candidates", v->candidates);
    es_document_table(json, "questions", make_questions(d));
}

static void put_questions_caption(const es_document *d, es_buf *out) {
    const questions *v = d->what;
    es_buf_printf(
        out,
        "\nWhich of the two rows is nearer in meaning to the row? Answer left, right or = "
        "(neither, both).\n%zu candidates; --csv writes a file to fill in, --answers "
        "FILE reads it\n",
        v->candidates);
}

/* ---- standing ---- */

#define STANDING(C)                                                                                \
    C(TEXT, "model", "model", ES_COLUMN_KEY, r->name[i])                                           \
    C(NUMBER, "share", "share", 2, 0, s->share[i])                                                 \
    C(NUMBER, "low", "low", 2, ES_COLUMN_LOW, s->low[i])                                           \
    C(NUMBER, "high", "high", 2, 0, s->high[i])                                                    \
    C(COUNT, "answers", "answers", 0, s->answers[i])                                               \
    C(DATA, FLAG, "out", s->out[i])                                                                \
    C(SHOWN, "left", "candidate", s->out[i] ? "out" : "yes")

static const es_out_column duel_columns[] = ES_COLUMNS_OF(STANDING);

static es_table_out *make_standing(const es_document *d) {
    const es_duel_report *r = d->what;
    const es_duel_standing *s = &r->standing;
    es_table_out *t = ES_TABLE_OUT(duel_columns);
    for (size_t k = 0; k < s->k; k++) {
        size_t i = s->order[k];
        ES_PUT_ROW(STANDING, t);
    }
    return t;
}

static const char *person_name(const es_duel_report *r, size_t person) {
    return r->person.word[person][0] ? r->person.word[person] : "(no name)";
}

static void put_people_json(es_json *json, const es_duel_report *r) {
    for (size_t k = es_json_list(json, "agreement"); es_json_list_next(json, &k, r->pairs);) {
        es_json_text(json, "a", person_name(r, r->pair[k].a));
        es_json_text(json, "b", person_name(r, r->pair[k].b));
        es_json_uint(json, "questions", r->pair[k].agreement.count);
        es_json_double(json, "equal", r->pair[k].agreement.equal);
        es_json_double(json, "kappa", r->pair[k].agreement.kappa);
    }
}

static void put_duel_json(const es_document *d, es_json *json) {
    const es_duel_report *r = d->what;
    es_json_text(json, "sentence", r->sentence);
    es_json_uint(json, "candidates", r->standing.k);
    es_json_uint(json, "left", r->standing.left);
    es_json_uint(json, "answers", r->answers);
    es_json_uint(json, "questions_answered", r->questions);
    es_json_uint(json, "counted", r->standing.counted);
    es_document_count(json, "more", r->standing.left > 1 ? r->more : 0);
    es_json_double(json, "level", ES_DUEL_LEVEL);
    es_json_double(json, "wrong", ES_DUEL_WRONG);
    es_document_table(json, "standing", make_standing(d));
    put_people_json(json, r);
}

/* "Two people: ana and ben gave equal answers to .80 of 10 questions (kappa .66)." */
static void put_people(const es_duel_report *r, es_buf *out) {
    for (size_t k = 0; k < r->pairs; k++) {
        const es_duel_agreement *a = &r->pair[k].agreement;
        es_buf_printf(out, "%s and %s: ", person_name(r, r->pair[k].a),
                      person_name(r, r->pair[k].b));
        if (a->count == 0) {
            es_buf_puts(out, "no question in common\n");
            continue;
        }
        es_buf_printf(out, "%zu question%s in common, share of equal answers ", a->count,
                      a->count == 1 ? "" : "s");
        es_share_put(a->equal, out);
        if (isfinite(a->kappa)) {
            es_buf_puts(out, ", Cohen's kappa ");
            es_share_put(a->kappa, out);
        }
        es_buf_putc(out, '\n');
    }
}

static void put_words(const es_document *d, es_buf *out) {
    es_buf_puts(out, ((const es_duel_report *)d->what)->sentence);
}

static void put_duel_caption(const es_document *d, es_buf *out) {
    const es_duel_report *r = d->what;
    es_buf_putc(out, '\n');
    if (d->cli->capture == NULL && d->cli->sheet == NULL) /* these begin with it */
        es_caption_fill(out, r->sentence, es_caption_width(d->cli));
    es_buf_printf(
        out,
        "\nshare: how many of the answers about its rows the candidate won (= counts half)"
        "\nlow, high: %.0f %% interval, valid whenever you stop; up to %.0f %% of the "
        "answers may be wrong\n",
        100 * ES_DUEL_LEVEL, 100 * ES_DUEL_WRONG);
    put_people(r, out);
    if (r->answers == 0)
        es_buf_puts(out, "D in the explorer asks; so does --questions 20 --csv, with --answers "
                         "FILE to read the answers\n");
}

enum { MODEL = 0, SHARE = 1 };
static const es_sheet_plot plot = {
    .kind = ES_DRAWN_FOREST, .label = MODEL, .value = {SHARE}, .values = 1, .line = 0.5};

/* ---- the command ---- */

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
    d->list = es_cli_room(cli, files->count + 1, sizeof *d->list);
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
static es_status collect_answered(const es_cli *cli, duel *d, size_t more, size_t *count,
                                  es_error *err) {
    size_t lines = 0;
    for (size_t l = 0; l < d->lists; l++)
        lines += d->list[l].count;
    d->question = es_cli_room(cli, lines + more + 1, sizeof *d->question);
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
    static const es_document_parts parts = {.schema = "duel_questions",
                                            .table = make_questions,
                                            .caption = put_questions_caption,
                                            .json = put_questions_json};
    size_t wanted = cli->options->questions, rows = es_duel_finder_rows(d->finder), before = 0;
    es_duel_order order = {0};
    es_error why = {0};
    es_status st = ES_OK;
    uint64_t from = 0;
    questions view = {.candidates = d->candidates.k};
    wanted = wanted < rows ? wanted : rows;
    ES_TRY(collect_answered(cli, d, wanted, &before, err));
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
    ES_TRY(es_document_write(
        &parts, (es_document){cli, d->session, SIZE_MAX, &view, ES_FORMAT_DEFAULT}, err));
done:
    es_duel_order_deinit(&order);
    return st;
}

static es_status write_standing(es_cli *cli, duel *d, es_error *err) {
    static const es_document_parts parts = {.schema = "duel",
                                            .table = make_standing,
                                            .caption = put_duel_caption,
                                            .words = put_words,
                                            .json = put_duel_json,
                                            .drawn = &plot,
                                            .title = "Duels"};
    es_duel_report *report = NULL;
    es_status st = es_duel_report_new(d->finder, d->pool, d->candidates.place, d->list, d->lists,
                                      NULL, &report, err);
    if (st == ES_OK)
        st = es_document_write(
            &parts, (es_document){cli, d->session, SIZE_MAX, report, ES_FORMAT_DEFAULT}, err);
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
