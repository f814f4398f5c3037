/* Duels in the background of a session: the next question, and what the answers come to. Files are
 * read there too, so that no key waits for them. */
#include "report.h"

#include <string.h>

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
static es_status find(void *data, const es_run *run, es_error *err) {
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

static es_status count(void *data, const es_run *run, es_error *err) {
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
