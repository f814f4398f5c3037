/* Sessions in which each request for memory fails once, in whatever thread it is made. */
#include "session_fixture.h"

#include "report_answer.h"
#include "refuse.h"

/* What is known has its usual value, whatever else failed. */
static void check_known(const fixture *f, const double *const usual[2]) {
    for (size_t e = 0; e < 2; e++) {
        const es_results *r = es_session_results(f->session, e);
        size_t cells = r ? r->m * r->m : 0;
        for (size_t i = 0; i < cells; i++)
            if (r->state[i] == ES_PAIR_DONE)
                assert_true(r->is[i] == usual[e][i] && r->se[i] == usual[e][cells + i]);
    }
}

/* One allocation after the other fails, in whatever thread it is made: without a store, with one
 * that is made, and with one that holds everything. */
TEST(session__faults__end_in_order) {
    static const size_t two[] = {3, FAKE_BAD_TARGET};
    const double *usual[2];
    size_t bytes;
    char store[SUPPORT_PATH];
    fixture *f = pool_of(2, two);
    run_all(f, (es_session_options){.threads = 1, .no_store = true});
    for (size_t e = 0; e < 2; e++)
        usual[e] = values(f, e, &bytes);
    close_session(f);
    (void)support_path(store, f->dir, ".embedscope");
    for (int kind = 0; kind < 3; kind++) {
        bool met = true;
        for (long k = 0; met; k++) {
            es_session_options options = {
                .threads = 2, .no_store = kind == 0, .with_pmi = true, .with_null = true};
            if (kind == 1)
                support_remove(store);
            refuse_one(k);
            es_status st = es_session_open_with(f->dir, &options, table, &f->session, test_err());
            if (st == ES_OK) {
                es_session_start(f->session, NULL);
                es_phase phase = settle(f);
                assert_true(phase == ES_PHASE_DONE || phase == ES_PHASE_IDLE);
                es_progress p = progress(f);
                assert_true(p.running == 0 && p.queued == 0 && p.done + p.failed <= 12);
                check_known(f, usual);
            } else {
                assert_true(test_message()[0] != '\0');
                assert_null(f->session);
            }
            close_session(f);
            met = refuse_end();
        }
        run_all(f, (es_session_options){.threads = 1}); /* the rest, to the same numbers */
        assert_same(f, usual);
        close_session(f);
    }
    run_all(f, (es_session_options){.threads = 1});
    assert_same(f, usual);
}

/* Until nothing is under way behind the scenes. */
static void wait_for_latest_tasks(fixture *f) {
    for (double until = es_clock_now() + 200; es_clock_now() < until;) {
        bool reads, decides = es_session_task(f->session, ES_TASK_RANKING)->job != NULL;
        (void)es_session_baseline(f->session, &reads);
        if (!decides && !reads)
            return;
        pump(f, 1);
    }
    fail_msg("it does not end");
}

/* What is asked of a session that has its results. */
static es_status ask_all(fixture *f, const es_decision_problem *problem, uint64_t tag) {
    es_session *s = f->session;
    es_digest *contents = NULL;
    size_t count = 0;
    uint8_t wanted[4] = {1, 0, 1, 1};
    es_status st = es_session_contents(s, &contents, &count, NULL);
    assert_int_equal(contents != NULL, st == ES_OK);
    if (contents) { /* each of two as it is, as a binary target, and both shuffled; sorted */
        const es_digest null = es_null_digest(es_pool_model(es_session_pool(s), 0)->digest);
        size_t found = 0;
        assert_int_equal(count, 8);
        for (size_t i = 0; i < count; i++) {
            found += es_digest_equal(contents[i], null);
            assert_true(i == 0 || es_digest_order(contents[i - 1], contents[i]) < 0);
        }
        assert_int_equal(found, 1);
    }
    es_free(contents);
    if (st == ES_OK)
        st = es_session_only(s, 1, wanted, NULL);
    if (st == ES_OK)
        st = es_session_baseline_start(s, NULL);
    if (st == ES_OK)
        st = es_rank_task_start(s, problem, tag, NULL);
    wait_for_latest_tasks(f);
    return st;
}

TEST(session__asked__reports_every_failed_allocation) {
    static const size_t two[] = {3, 2};
    static const uint32_t order[] = {0, 1};
    bool met = true;
    fixture *f = pool_of(2, two);
    run_all(f, (es_session_options){.threads = 1, .with_pmi = true});
    const es_results *r = es_session_results(f->session, 0);
    const es_decision_problem problem = {
        .is = r->is, .pmi = r->pmi, .m = r->m, .n_eval = r->n_eval, .order = order, .draws = 100};
    for (long k = 0; met; k++) {
        refuse_one(k);
        es_status st = ask_all(f, &problem, (uint64_t)k + 1);
        met = refuse_end();
        assert_true(st == ES_OK || (met && st == ES_ENOMEM));
        const es_decision *d = es_rank_task_newest(f->session);
        uint64_t tag = es_session_task(f->session, ES_TASK_RANKING)->tag;
        if (tag == (uint64_t)k + 1 && d) /* it was made, and is whole */
            assert_int_equal(d->m, 2);
        assert_true(met || (d && tag == (uint64_t)k + 1));
    }
    es_outlook outlook;
    bool told = false;
    for (long k = 0; !told; k++) { /* not all: without some it measures for a while */
        refuse_one(k);
        told = es_session_outlook(f->session, 1, &outlook, NULL) == ES_ENOMEM;
        assert_true(refuse_end());
    }
}
