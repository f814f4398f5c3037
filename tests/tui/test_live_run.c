/* A run of the explorer from its start to its end, by a real session, looked at frame by frame: a
 * ranking never mixes estimators, and who may be the best is known soon and stays so.
 *
 * The pool is ES_RUN_POOL, else the sample pool. */
#include <poll.h>
#include <time.h>

#include "testing.h"
#include "tui_driver.h"
#include "app_values.h"
#include "sanitized.h"

enum { SOON = SANITIZED ? 60 : 5, TO_THE_END = !SANITIZED };

enum { MOST = 256, W = 120, H = 40 };

/* The set of the best as it was shown, and since when. */
typedef struct shown {
    bool best[MOST];
    double processor, wall; /* seconds since the start */
} shown;

typedef struct record {
    shown *set; /* (count) each unlike the one before */
    size_t count, capacity;
    size_t frames, ranked; /* drawn; with a ranking */
    size_t entry;          /* that it stands on; ES_NONE: none yet */
} record;

/* Of this process: other work runs on this machine. */
static double processor_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Every score is that of one decision on one estimator's values, and places are by score. */
static void check_one_estimator(const es_app *app, record *r) {
    const es_app_ranked *ranked = &app->ranked;
    const double *is = es_ranked_is(app);
    size_t places = 0;
    for (size_t i = 0; i < app->n; i++)
        places += app->live[i].place > 0;
    if (places == 0)
        return;
    assert_non_null(ranked->results);
    assert_non_null(is);
    assert_ptr_equal(ranked->results, app->source->results[ranked->entry]);
    if (r->entry == ES_NONE)
        r->entry = ranked->entry;
    assert_int_equal(ranked->entry, r->entry); /* the same to the end */
    r->ranked++;
    const es_decision *decided = es_ranking_decided(app);
    for (size_t i = 0; i < app->n; i++) {
        const es_live_rank *own = &app->live[i];
        if (own->place == 0)
            continue;
        if (decided == NULL) { /* leads are of a decision */
            assert_true(isnan(own->score));
            continue;
        }
        assert_true(fabs(own->score - decided->ranking->score[app->position[i]]) < 1e-12);
        for (size_t k = 0; k < app->n; k++)
            if (app->live[k].place > 0 && app->live[k].score > own->score)
                assert_true(app->live[k].place < own->place);
    }
}

static void note_best(const es_app *app, record *r, double processor, double wall) {
    shown now = {.processor = processor, .wall = wall};
    bool any = false;
    for (size_t i = 0; i < app->n; i++) {
        now.best[i] = app->live[i].best;
        any = any || now.best[i];
    }
    if (!any || (r->count > 0 && memcmp(r->set[r->count - 1].best, now.best, sizeof now.best) == 0))
        return;
    if (r->count == r->capacity) {
        r->set = es_grow(r->set, r->count, &r->capacity, sizeof *r->set);
        assert_non_null(r->set);
    }
    r->set[r->count++] = now;
}

static bool is_over(es_driver *driver) {
    es_session *session = driver->session;
    size_t predictive = es_session_predictive(session);
    bool known = predictive != SIZE_MAX && es_session_entry_known(session, predictive);
    const es_app *app = driver->app;
    bool busy = es_session_task(session, ES_TASK_RANKING)->job != NULL;
    if (busy || app->intervals.asking || app->intervals.known == NULL || !es_ranked_complete(app))
        return false;
    return TO_THE_END ? es_session_phase(session) == ES_PHASE_DONE : known;
}

static record watch(es_driver *driver) {
    record r = {.entry = ES_NONE};
    double processor = processor_seconds(), wall = es_clock_now();
    while (!is_over(driver)) {
        struct pollfd wake = {.fd = es_session_fd(driver->session), .events = POLLIN};
        assert_true(es_clock_now() < wall + 250);
        poll(&wake, 1, 10);
        es_driver_pump(driver, 8);
        es_driver_tick(driver);
        es_driver_draw(driver);
        r.frames++;
        check_one_estimator(driver->app, &r);
        note_best(driver->app, &r, processor_seconds() - processor, es_clock_now() - wall);
    }
    return r;
}

TEST(run__start_to_end__one_estimator_and_a_set_that_stays) {
    const char *pool = getenv("ES_RUN_POOL");
    const es_session_options options = {.no_store = true, .with_pmi = true};
    const es_explorer explorer = {.theme_dir = ES_THEME_DIR, .fresh = true};
    es_session *session = NULL;
    es_driver driver;
    size_t first, members = 0;
    assert_ok(
        es_session_open(pool ? pool : ES_SAMPLE_DATA "/molecules", &options, &session, test_err()));
    assert_ok(es_driver_open(&driver, session, &explorer, test_err()));
    assert_ok(es_driver_attach(&driver, NULL, W, H, test_err()));
    assert_ok(es_session_start(session, test_err()));
    assert_true(driver.app->n <= MOST);
    record r = watch(&driver);
    assert_true(r.ranked > 0 && r.count > 0);
    assert_int_equal(r.entry, es_session_predictive(session));
    for (first = 0; memcmp(r.set[first].best, r.set[r.count - 1].best, sizeof r.set->best) != 0;)
        first++;
    for (size_t i = 0; i < driver.app->n; i++)
        members += r.set[r.count - 1].best[i];
    print_message("%zu frames; %zu of %zu may be the best, known after %.2f s (%.2f s of the "
                  "processor); %zu sets before it, %zu changes after it\n",
                  r.frames, members, driver.app->n, r.set[first].wall, r.set[first].processor,
                  first, r.count - 1 - first);
    assert_true(r.set[first].processor < SOON);
    assert_true(r.count - 1 - first <= 2);
    es_free(r.set);
    es_driver_close(&driver);
    es_session_close(session);
}

/* The first pair may wait for long, for a store that another process holds: that the run has begun
 * is shown before anything comes of it. */
TEST(run__start__is_shown_before_the_first_pair) {
    const es_session_options options = {.no_store = true, .threads = 1};
    const es_explorer explorer = {.theme_dir = ES_THEME_DIR, .fresh = true};
    es_session *session = NULL;
    es_driver driver;
    double until = es_clock_now() + 250;
    assert_ok(es_session_open(ES_SAMPLE_DATA "/molecules", &options, &session, test_err()));
    assert_ok(es_driver_open(&driver, session, &explorer, test_err()));
    assert_ok(es_driver_attach(&driver, NULL, W, H, test_err()));
    while (driver.app->phase != ES_PHASE_IDLE) {
        struct pollfd wake = {.fd = es_session_fd(session), .events = POLLIN};
        assert_true(es_clock_now() < until);
        poll(&wake, 1, 10);
        es_driver_pump(&driver, 8);
    }
    es_driver_key(&driver, 'r');
    assert_int_equal(driver.app->phase, ES_PHASE_RUNNING);
    es_driver_key(&driver, 'p');
    assert_lacks(driver.app->toast, "nothing is running");
    es_driver_close(&driver);
    es_session_close(session);
}
