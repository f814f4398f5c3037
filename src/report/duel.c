/* Candidates, questions that several people answered, and what the answers come to. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    es_duel_put(r, &sentence);
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
