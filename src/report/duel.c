/* Candidates, questions that several people answered, and what the answers come to. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_answer.h"

/* ---- candidates ---- */

typedef struct listed {
    size_t item;
    uint32_t place;
} listed;

static int compare_items(const void *x, const void *y) {
    const listed *a = x, *b = y;
    return (a->item > b->item) - (a->item < b->item);
}

es_status es_duel_candidates_new(const size_t *item, size_t k, es_duel_candidates *out,
                                 es_error *err) {
    es_duel_candidates c = {.k = k};
    if (k < 2)
        return es_fail(err, ES_EEMPTY,
                       "%s: nothing to ask; --models A,B asks about embedders of your choice",
                       k == 0 ? "nothing is ranked" : "one candidate is left");
    listed *list = es_alloc(k, sizeof *list);
    c.item = es_alloc(k, sizeof *c.item);
    c.place = es_alloc(k, sizeof *c.place);
    es_status st = list && c.item && c.place ? ES_OK : es_no_memory(err);
    for (size_t i = 0; st == ES_OK && i < k; i++)
        list[i] = (listed){item[i], (uint32_t)i};
    if (st == ES_OK)
        qsort(list, k, sizeof *list, compare_items);
    for (size_t i = 0; st == ES_OK && i < k; i++) {
        c.item[i] = list[i].item;
        c.place[i] = list[i].place;
    }
    es_free(list);
    if (st == ES_OK)
        *out = c;
    else
        es_duel_candidates_deinit(&c);
    return st;
}

size_t es_duel_choose(const es_bottom_line *line, const es_decision *decision, uint32_t *out) {
    enum { FIRST = 5 };
    size_t k = line->best_count;
    for (size_t i = 0; i < k; i++)
        out[i] = line->best_set[i];
    for (size_t i = 0; line->best_count == 0 && i < decision->scored && k < FIRST; i++)
        if (decision->first[decision->order[i]] == decision->order[i])
            out[k++] = decision->order[i];
    return k;
}

es_status es_duel_candidates_of_answer(const es_answer *answer, es_duel_candidates *out,
                                       es_error *err) {
    const es_rank_report *report = answer->report;
    size_t m = report->results->m;
    uint32_t *chosen = es_alloc(m + 5, sizeof *chosen);
    size_t *item = es_alloc(m + 5, sizeof *item), k = 0;
    es_status st = chosen && item ? ES_OK : es_no_memory(err);
    if (st == ES_OK)
        k = es_duel_choose(answer->line, report->decision, chosen);
    for (size_t i = 0; i < k; i++)
        item[i] = report->results->model[chosen[i]];
    if (st == ES_OK)
        st = es_duel_candidates_new(item, k, out, err);
    es_free(chosen);
    es_free(item);
    return st;
}

es_status es_duel_candidates_of_pool(const es_pool *pool, es_duel_candidates *out, es_error *err) {
    size_t k = 0, *item = es_alloc(es_pool_count(pool) + 1, sizeof *item);
    if (!item)
        return es_no_memory(err);
    for (size_t i = 0; i < es_pool_count(pool); i++)
        if (es_pool_model(pool, i)->state == ES_MODEL_READY)
            item[k++] = i;
    es_status st = es_duel_candidates_new(item, k, out, err);
    es_free(item);
    return st;
}

void es_duel_candidates_deinit(es_duel_candidates *candidates) {
    es_free(candidates->item);
    es_free(candidates->place);
    *candidates = (es_duel_candidates){0};
}

/* ---- questions and people ---- */

typedef struct gathered {
    es_duel_question *question; /* (questions) each once */
    double *left;               /* (questions) mean share of the left row */
    size_t *answers;            /* (questions) */
    es_duel_choice *choice;     /* (people, room) the last of each, of the sides as above */
    size_t questions, room;
    es_duel_report *report;
} gathered;

static const char *annotator_of(const es_duel_list *list, size_t n, const es_duel_line *line) {
    return line->annotator[0] || n == 1 ? line->annotator : list->label;
}

static size_t find_person(const es_words *person, const char *name) {
    size_t p = 0;
    while (p < person->count && strcmp(person->word[p], name) != 0)
        p++;
    return p;
}

static es_status find_people(es_words *person, const es_duel_list *lists, size_t n, size_t *lines,
                             es_error *err) {
    *lines = 0;
    for (size_t l = 0; l < n; l++)
        for (size_t i = 0; i < lists[l].count; i++) {
            const es_duel_line *line = &lists[l].item[i];
            const char *name = annotator_of(&lists[l], n, line);
            if (line->answer == ES_DUEL_OPEN)
                continue;
            (*lines)++;
            if (find_person(person, name) == person->count)
                ES_PASS(es_words_add(person, name, err));
        }
    return ES_OK;
}

/* The question that a line answers; *turn: with its sides the other way round. */
static size_t find_question(gathered *g, const es_duel_line *line, bool *turn) {
    size_t t = 0;
    for (; t < g->questions; t++) {
        const es_duel_question *q = &g->question[t];
        *turn = q->left == line->right && q->right == line->left;
        if (q->row == line->row && (*turn || (q->left == line->left && q->right == line->right)))
            return t;
    }
    *turn = false;
    g->question[t] = (es_duel_question){.row = line->row, .left = line->left, .right = line->right};
    g->questions++;
    return t;
}

static void add_line(gathered *g, const es_duel_line *line, size_t person) {
    static const es_duel_choice turned[] = {ES_DUEL_OPEN, ES_DUEL_RIGHT, ES_DUEL_LEFT,
                                            ES_DUEL_EQUAL};
    bool turn = false;
    size_t t = find_question(g, line, &turn);
    es_duel_choice choice = turn ? turned[line->answer] : line->answer;
    double n = (double)++g->answers[t];
    g->left[t] += (es_duel_choice_left(choice) - g->left[t]) / n;
    g->choice[person * g->room + t] = choice;
    g->report->answers++;
}

static void gathered_deinit(gathered *g) {
    es_free(g->question);
    es_free(g->left);
    es_free(g->answers);
    es_free(g->choice);
}

static es_status gather(gathered *g, const es_duel_list *lists, size_t n, es_error *err) {
    es_words *person = &g->report->person;
    ES_PASS(find_people(person, lists, n, &g->room, err));
    g->question = es_alloc_zero(g->room + 1, sizeof *g->question);
    g->left = es_alloc_zero(g->room + 1, sizeof *g->left);
    g->answers = es_alloc_zero(g->room + 1, sizeof *g->answers);
    g->choice = es_alloc_zero(person->count * g->room + 1, sizeof *g->choice);
    if (!g->question || !g->left || !g->answers || !g->choice)
        return es_no_memory(err);
    for (size_t l = 0; l < n; l++)
        for (size_t i = 0; i < lists[l].count; i++) {
            const es_duel_line *line = &lists[l].item[i];
            if (line->answer != ES_DUEL_OPEN)
                add_line(g, line, find_person(person, annotator_of(&lists[l], n, line)));
        }
    return ES_OK;
}

static es_status compare_people(const gathered *g, es_duel_report *r, es_error *err) {
    size_t people = r->person.count;
    if (people < 2)
        return ES_OK;
    r->pair = es_alloc(people * (people - 1) / 2, sizeof *r->pair);
    if (!r->pair)
        return es_no_memory(err);
    for (size_t a = 0; a < people; a++)
        for (size_t b = a + 1; b < people; b++)
            r->pair[r->pairs++] = (es_duel_people){
                a, b,
                es_duel_agree(g->choice + a * g->room, g->choice + b * g->room, g->questions)};
    return ES_OK;
}

/* ---- the report ---- */

static es_status stand(const gathered *g, es_duel_finder *finder, const uint32_t *place,
                       const es_run *run, es_duel_standing *out, es_error *err) {
    size_t k = es_duel_finder_count(finder);
    int8_t *side = es_alloc_zero(g->questions * k + 1, sizeof *side);
    es_duel_answer *answer = es_alloc(g->questions + 1, sizeof *answer);
    es_status st = side && answer ? ES_OK : es_no_memory(err);
    if (st == ES_OK)
        st = es_duel_finder_sides(finder, g->question, g->questions, run, side, err);
    for (size_t t = 0; st == ES_OK && t < g->questions; t++)
        answer[t] = (es_duel_answer){side + t * k, g->left[t]};
    if (st == ES_OK)
        st = es_duel_standing_new(answer, g->questions, k, ES_DUEL_LEVEL, place, out, err);
    es_free(side);
    es_free(answer);
    return st;
}

/* The evidence against each that is left grows by a power of the answers, at this rate. */
static size_t answers_to_come(const es_duel_standing *s) {
    enum { FEW = 5, MOST = 200 };
    double most = 0, limit = -log1p(-ES_DUEL_LEVEL), n = (double)s->counted;
    if (s->counted < FEW)
        return SIZE_MAX;
    for (size_t i = 1; i < s->left; i++) {
        double grown = log(s->against[s->order[i]]);
        if (!(grown > 0.1 * limit))
            return SIZE_MAX;
        most = fmax(most, n * (limit - grown) / grown);
    }
    return most > MOST ? SIZE_MAX : (size_t)ceil(most);
}

static es_status name_candidates(const es_duel_finder *finder, const es_pool *pool,
                                 es_duel_report *r, es_error *err) {
    size_t k = es_duel_finder_count(finder);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    r->name = es_alloc(k, sizeof *r->name);
    if (!r->name)
        return es_no_memory(err);
    for (size_t i = 0; i < k; i++)
        r->name[i] = es_model_label(es_pool_model(pool, es_duel_finder_item(finder, i)));
    return ES_OK;
}

/* "After 14 answers: bge is ahead of e5 for your rows (.71 [.52, .86]); gte is out.", then what is
 * left and when to stop. */
static void duel_put(const es_duel_report *report, es_buf *out);

es_status es_duel_report_new(es_duel_finder *finder, const es_pool *pool, const uint32_t *place,
                             const es_duel_list *lists, size_t n, const es_run *run,
                             es_duel_report **out, es_error *err) {
    es_status st = ES_OK;
    es_buf sentence = {0};
    es_duel_report *r = es_alloc_zero(1, sizeof *r);
    gathered g = {.report = r};
    ES_FAIL_IF(!r, es_no_memory(err));
    ES_TRY(name_candidates(finder, pool, r, err));
    ES_TRY(gather(&g, lists, n, err));
    r->questions = g.questions;
    ES_TRY(compare_people(&g, r, err));
    ES_TRY(stand(&g, finder, place, run, &r->standing, err));
    r->more = answers_to_come(&r->standing);
    duel_put(r, &sentence);
    ES_TRY(es_buf_check(&sentence, err));
    r->sentence = es_buf_take(&sentence);
    *out = r;
    r = NULL;
done:
    gathered_deinit(&g);
    es_buf_free(&sentence);
    es_duel_report_free(r);
    return st;
}

void es_duel_report_free(es_duel_report *r) {
    if (!r)
        return;
    es_duel_standing_deinit(&r->standing);
    es_words_deinit(&r->person);
    es_free((void *)r->name);
    es_free(r->pair);
    es_free(r->sentence);
    es_free(r);
}

es_status es_duel_put_of_pool(es_session *session, const es_answer *answer, const es_run *run,
                              es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_pool *pool = es_session_pool(session);
    es_duel_candidates c = {0};
    es_duel_finder *finder = NULL;
    es_duel_report *report = NULL;
    es_duel_list list = {0};
    if (!pool)
        return ES_OK;
    ES_TRY(es_duel_answers_read(pool, &list, err));
    if (list.count == 0 || es_duel_candidates_of_answer(answer, &c, NULL) != ES_OK)
        goto done;
    ES_TRY(es_duel_finder_new(pool, c.item, c.k, &finder, err));
    ES_TRY(es_duel_report_new(finder, pool, c.place, &list, 1, run, &report, err));
    if (report->answers > 0)
        es_buf_puts(out, report->sentence);
done:
    es_duel_report_free(report);
    es_duel_finder_free(finder);
    es_duel_candidates_deinit(&c);
    es_duel_list_deinit(&list);
    return st;
}

/* Duels in the background of a session: the next question, and what the answers come to. Files are
 * read there too, so that no key waits for them. */

/* ---- the next question ---- */

typedef struct asking {
    es_duel_finder *finder;
    const es_pool *pool;
    es_duel_question *held; /* (count) */
    size_t count;
    uint64_t from, seed;
    es_duel_question found;
    es_error why;
} asking;

static void asking_deinit(void *data) {
    asking *a = data;
    es_duel_finder_free(a->finder);
    es_free(a->held);
    *a = (asking){0};
}

/* Adds what the pool's answers are about. */
static es_status add_answered(asking *a, es_error *err) {
    es_duel_list list = {0};
    es_status st = es_duel_answers_read(a->pool, &list, err);
    es_duel_question *all =
        st == ES_OK ? es_realloc(a->held, a->count + list.count + 1, sizeof *all) : NULL;
    if (st == ES_OK && !all)
        st = es_no_memory(err);
    for (size_t i = 0; st == ES_OK && i < list.count; i++)
        if (list.item[i].answer != ES_DUEL_OPEN)
            all[a->count++] = (es_duel_question){
                .row = list.item[i].row, .left = list.item[i].left, .right = list.item[i].right};
    if (all)
        a->held = all;
    es_duel_list_deinit(&list);
    return st;
}

/* An error is an outcome, too: it is shown where the question would be. */
static es_status find(void *data, es_run *run, es_error *err) {
    asking *a = data;
    es_duel_order order = {0};
    es_status st = add_answered(a, &a->why);
    if (st == ES_OK)
        st = es_duel_order_new(a->seed, es_duel_finder_rows(a->finder),
                               es_duel_finder_count(a->finder), &order, &a->why);
    if (st == ES_OK)
        st = es_duel_finder_next(a->finder, &order, a->held, a->count, a->from, run, &a->found,
                                 &a->why);
    es_duel_order_deinit(&order);
    a->why.code = st;
    return st == ES_ECANCELED ? es_fail(err, st, "%s", a->why.message) : ES_OK;
}

static const es_latest_task_kind ask_kind = {find, asking_deinit, 1.0, "duel"};

es_status es_duel_ask_start(es_session *session, es_duel_finder *finder,
                            const es_duel_question *held, size_t count, uint64_t from, uint64_t tag,
                            es_error *err) {
    asking *a = es_alloc_zero(1, sizeof *a);
    es_duel_question *copy = es_alloc(count + 1, sizeof *copy);
    if (!a || !copy) {
        es_free(a);
        es_free(copy);
        return es_no_memory(err);
    }
    if (count > 0)
        memcpy(copy, held, count * sizeof *copy);
    *a = (asking){.finder = es_duel_finder_hold(finder),
                  .pool = es_session_pool(session),
                  .held = copy,
                  .count = count,
                  .from = from,
                  .seed = es_session_seed(session)};
    return es_session_task_start(session, ES_TASK_DUEL_QUESTION, &ask_kind, a, tag, err);
}

const es_duel_question *es_duel_asked(const es_session *session, uint64_t *tag,
                                      const es_error **why) {
    const es_latest_task *task = es_session_task(session, ES_TASK_DUEL_QUESTION);
    const asking *newest = task->newest;
    *tag = task->tag;
    *why = newest ? &newest->why : NULL;
    return newest ? &newest->found : NULL;
}

/* ---- what the answers come to ---- */

typedef struct counting {
    es_duel_finder *finder;
    const es_pool *pool;
    uint32_t *place; /* (k) */
    es_duel_report *report;
    es_error why;
} counting;

static void counting_deinit(void *data) {
    counting *c = data;
    es_duel_finder_free(c->finder);
    es_duel_report_free(c->report);
    es_free(c->place);
    *c = (counting){0};
}

static es_status count(void *data, es_run *run, es_error *err) {
    counting *c = data;
    es_duel_list list = {0};
    es_status st = es_duel_answers_read(c->pool, &list, &c->why);
    if (st == ES_OK)
        st = es_duel_report_new(c->finder, c->pool, c->place, &list, 1, run, &c->report, &c->why);
    es_duel_list_deinit(&list);
    c->why.code = st;
    return st == ES_ECANCELED ? es_fail(err, st, "%s", c->why.message) : ES_OK;
}

static const es_latest_task_kind count_kind = {count, counting_deinit, 0.9, "duel"};

es_status es_duel_count_start(es_session *session, es_duel_finder *finder, const uint32_t *place,
                              uint64_t tag, es_error *err) {
    size_t k = es_duel_finder_count(finder);
    counting *c = es_alloc_zero(1, sizeof *c);
    uint32_t *copy = es_alloc(k, sizeof *copy);
    if (!c || !copy) {
        es_free(c);
        es_free(copy);
        return es_no_memory(err);
    }
    memcpy(copy, place, k * sizeof *copy);
    *c = (counting){
        .finder = es_duel_finder_hold(finder), .pool = es_session_pool(session), .place = copy};
    return es_session_task_start(session, ES_TASK_DUEL_STANDING, &count_kind, c, tag, err);
}

const es_duel_report *es_duel_counted(const es_session *session, uint64_t *tag,
                                      const es_error **why) {
    const es_latest_task *task = es_session_task(session, ES_TASK_DUEL_STANDING);
    const counting *newest = task->newest;
    *tag = task->tag;
    *why = newest ? &newest->why : NULL;
    return newest ? newest->report : NULL;
}

/* The sentences about duels. */

enum { NAMED = 5, HARDLY = 40 /* answers after which those that are left are alike */ };

static const char *place_name(const es_duel_report *r, size_t place) {
    return r->name[r->standing.order[place]];
}

/* "A, B and C" of places from .. to - 1. */
static void put_places(const es_duel_report *r, size_t from, size_t to, es_buf *out) {
    const char *name[NAMED];
    for (size_t i = from; i < to && i < from + NAMED; i++)
        name[i - from] = place_name(r, i);
    es_buf_list(out, name, to - from, NAMED, " and ");
}

/* "(.71 [.52, .86])" */
static void put_share(const es_duel_standing *s, size_t i, es_buf *out) {
    es_buf_puts(out, " (");
    es_share_put(s->share[i], out);
    es_buf_puts(out, " [");
    es_share_put(s->low[i], out);
    es_buf_puts(out, ", ");
    es_share_put(s->high[i], out);
    es_buf_puts(out, "])");
}

static void put_first(const es_duel_report *r, es_buf *out) {
    const es_duel_standing *s = &r->standing;
    size_t first = s->order[0], ties = 1;
    while (ties < s->left && s->net[s->order[ties]] == s->net[first])
        ties++;
    if (ties > 1) {
        put_places(r, 0, ties, out);
        es_buf_puts(out, " are level for your rows");
        return;
    }
    bool shown = s->low[first] > 0.5;
    es_buf_printf(out, "%s %s", r->name[first], shown ? "is ahead" : "has won most so far");
    if (s->left > 1 && shown)
        es_buf_printf(out, " of %s", place_name(r, 1));
    if (shown)
        es_buf_puts(out, " for your rows");
    put_share(s, first, out);
}

static void put_out(const es_duel_report *r, es_buf *out) {
    const es_duel_standing *s = &r->standing;
    size_t gone = s->k - s->left;
    if (gone == 0)
        return;
    es_buf_puts(out, "; ");
    if (s->left == 1 && gone > 1)
        es_buf_puts(out, "all others");
    else
        put_places(r, s->left, s->k, out);
    es_buf_puts(out, gone == 1 ? " is out" : " are out");
}

static void put_end(const es_duel_report *r, es_buf *out) {
    const es_duel_standing *s = &r->standing;
    if (s->left == 1) {
        es_buf_puts(out, " You can stop.");
        return;
    }
    es_buf_printf(out, " %zu candidates are left.", s->left);
    if (r->more != SIZE_MAX)
        es_buf_printf(out, " About %zu more answer%s like these would leave one.", r->more,
                      r->more == 1 ? "" : "s");
    else if (s->counted >= HARDLY)
        es_buf_puts(out, " More answers will hardly separate them: you can stop.");
    else
        es_buf_puts(out, " Go on: it is too early to say how many more answers it takes.");
}

static void duel_put(const es_duel_report *r, es_buf *out) {
    const es_duel_standing *s = &r->standing;
    if (s->counted == 0) {
        if (r->answers > 0)
            es_buf_printf(out,
                          "None of the %zu answer%s is about rows on which these %zu candidates "
                          "disagree: they were asked about others.",
                          r->answers, r->answers == 1 ? "" : "s", s->k);
        else
            es_buf_printf(out, "No answers yet about these %zu candidates.", s->k);
        return;
    }
    es_buf_printf(out, "After %zu answer%s: ", s->counted, s->counted == 1 ? "" : "s");
    put_first(r, out);
    put_out(r, out);
    es_buf_putc(out, '.');
    put_end(r, out);
}
