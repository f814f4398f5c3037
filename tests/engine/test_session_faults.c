/* Sessions in which each request for memory fails once, in whatever thread it is made. */
#include "session_fixture.h"

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
static void session__faults__end_in_order(void **state) {
    (void)state;
    static const size_t two[] = {3, FAKE_BAD_TARGET};
    fixture f;
    const double *usual[2];
    size_t bytes;
    char store[SUPPORT_PATH];
    setup_pool(&f, 2, two);
    run_all(&f, (es_session_options){.threads = 1, .no_store = true});
    for (size_t e = 0; e < 2; e++)
        usual[e] = values(&f, e, &bytes);
    close_session(&f);
    (void)support_path(store, f.dir, ".embedscope");
    for (int kind = 0; kind < 3; kind++) {
        bool met = true;
        for (long k = 0; met; k++) {
            es_session_options options = {.threads = 2, .no_store = kind == 0, .with_pmi = true};
            es_error err = {0};
            if (kind == 1)
                support_remove(store);
            refuse_one(k);
            es_status st = es_session_open_with(f.dir, &options, table, &f.session, &err);
            if (st == ES_OK) {
                es_session_start(f.session, NULL);
                es_phase phase = settle(&f);
                assert_true(phase == ES_PHASE_DONE || phase == ES_PHASE_IDLE);
                es_progress p = progress(&f);
                assert_true(p.running == 0 && p.queued == 0 && p.done + p.failed <= 8);
                check_known(&f, usual);
            } else {
                assert_true(err.message[0] != '\0');
                assert_null(f.session);
            }
            close_session(&f);
            met = refuse_end();
        }
        run_all(&f, (es_session_options){.threads = 1}); /* the rest, to the same numbers */
        assert_same(&f, usual);
        close_session(&f);
    }
    run_all(&f, (es_session_options){.threads = 1});
    assert_same(&f, usual);
    for (size_t e = 0; e < 2; e++)
        free((void *)(uintptr_t)usual[e]);
    teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(session__faults__end_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
