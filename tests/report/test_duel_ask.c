/* Questions of a duel that are found in a session's background. */
#include <poll.h>

#include "testing.h"
#include "report.h"
#include "support.h"

enum { N = 60, MODELS = 2 };
static const double MOST_SECONDS = 60;

static void wait(es_session *s, double until) {
    struct pollfd watched = {.fd = es_session_fd(s), .events = POLLIN};
    assert_true(es_clock_now() < until);
    (void)poll(&watched, 1, 100);
    (void)es_session_pump(s, 0);
}

static es_duel_question ask(es_session *s, es_duel_finder *finder, const es_duel_question *held,
                            size_t count, uint64_t tag) {
    uint64_t of = 0;
    const es_error *why = NULL;
    const double until = es_clock_now() + MOST_SECONDS;
    assert_ok(es_duel_ask_start(s, finder, held, count, 0, tag, test_err()));
    while (!es_duel_asked(s, &of, &why) || of != tag)
        wait(s, until);
    assert_int_equal(why->code, ES_OK);
    return *es_duel_asked(s, &of, &why);
}

TEST(duel__next_question__is_about_no_row_that_is_held) {
    static const size_t item[MODELS] = {0, 1};
    es_duel_question held[4];
    es_duel_finder *finder = NULL;
    es_session *s = NULL;
    char pool[SUPPORT_PATH];
    support_temp_dir(pool);
    support_write_random_npy(pool, "a.npy", 1, N, 5);
    support_write_random_npy(pool, "b.npy", 2, N, 6);
    const es_session_options options = {.threads = 1, .no_store = true};
    assert_ok(es_session_open(pool, &options, &s, test_err()));
    const double until = es_clock_now() + MOST_SECONDS;
    while (es_session_phase(s) == ES_PHASE_CHECKING)
        wait(s, until);
    assert_ok(es_duel_finder_new(es_session_pool(s), item, MODELS, &finder, test_err()));
    for (size_t i = 0; i < 4; i++) {
        held[i] = ask(s, finder, held, i, i + 1);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(held[i].row, held[j].row);
    }
    es_duel_finder_free(finder);
    es_session_close(s);
}
