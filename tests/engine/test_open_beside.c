/* The pool opened once more beside the one that is shown: nobody waits for it, what it ends in
 * comes, and one that is not wanted any more is interrupted and closed. */
#include "support.h"

#include <locale.h>
#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

#include "engine_requests.h"

enum { LIMIT_MS = 60000 };

static char root[SUPPORT_PATH];

static int make_pool(void **state) {
    support_temp_dir(root);
    support_write_random_npy(root, "a.npy", 1, 60, 3);
    support_write_random_npy(root, "b.npy", 2, 60, 4);
    return 0;
}

TEST_GROUP(make_pool, NULL);

/* What a turn is asked, and does. */
typedef struct opener {
    atomic_bool go, asked; /* it waits for the first; it was called */
    bool refuses, deaf;    /* to being interrupted */
    size_t rows;
    locale_t locale;
} opener;

static es_status open_late(void *context, size_t rows, es_run *run, es_session **out,
                           es_error *err) {
    opener *o = context;
    es_session_options options = {.estimator = "linear", .no_store = true};
    o->rows = rows;
    o->locale = uselocale((locale_t)0);
    atomic_store(&o->asked, true);
    while (!atomic_load(&o->go)) {
        if (!o->deaf && es_run_check(run, err) != ES_OK)
            return ES_ECANCELED;
        (void)poll(NULL, 0, 1);
        if (o->deaf && es_run_check(run, NULL) != ES_OK)
            break;
    }
    if (o->refuses)
        return es_fail(err, ES_EFORMAT, "two rows are one");
    return es_session_open(root, &options, out, err);
}

static bool ends(const es_open_beside *beside) {
    struct pollfd wait = {.fd = es_open_beside_fd(beside), .events = POLLIN};
    return poll(&wait, 1, LIMIT_MS) == 1;
}

static es_open_beside *begin(opener *o, size_t rows) {
    es_open_beside *beside = NULL;
    assert_ok(es_open_beside_new(open_late, o, rows, &beside, NULL));
    return beside;
}

TEST(open_beside__is_done__when_it_is_open) {
    opener o = {.rows = 0};
    es_session *session = NULL;
    locale_t own = duplocale(uselocale((locale_t)0)), before = uselocale(own);
    es_open_beside *beside = begin(&o, 128);
    assert_false(es_open_beside_done(beside, 0));
    atomic_store(&o.go, true);
    assert_true(ends(beside));
    assert_true(es_open_beside_done(beside, 0));
    assert_ok(es_open_beside_take(&beside, &session, NULL));
    assert_null(beside);
    assert_int_equal(es_pool_count(es_session_pool(session)), 2);
    assert_int_equal(o.rows, 128);
    assert_true(o.locale == own);
    es_session_close(session);
    (void)uselocale(before);
    freelocale(own);
}

TEST(open_beside__says__why_it_cannot_be_opened) {
    opener o = {.refuses = true, .go = true};
    es_session *session = NULL;
    es_open_beside *beside = begin(&o, 0);
    assert_true(ends(beside));
    assert_error_is(es_open_beside_take(&beside, &session, test_err()), ES_EFORMAT,
                    "two rows are one");
    assert_null(session);
    assert_null(beside);
}

/* The second is open before it hears of it: what was opened is closed (LeakSanitizer). */
TEST(open_beside__is_interrupted__when_not_wanted) {
    for (int deaf = 0; deaf < 2; deaf++) {
        opener o = {.deaf = deaf == 1};
        es_open_beside *beside = begin(&o, 0);
        while (!atomic_load(&o.asked))
            (void)poll(NULL, 0, 1);
        es_open_beside_free(beside);
    }
    es_open_beside_free(NULL);
}
