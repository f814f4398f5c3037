/* Who leaves while a pool is opened has left, also where it was open just then. */
#include <poll.h>

#include "cli/program.h"
#include "cli_session.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

enum { SIDE = 2000 }; /* a matrix that is read for longer than nothing is shown */

static bool leaves, waited;

/* The key is read in the same breath as that all is done. */
static es_status wait_until_done(const es_explorer_wait *wait, bool *left, es_error *err) {
    (void)err;
    struct pollfd done = {.fd = wait->done, .events = POLLIN};
    assert_int_equal(poll(&done, 1, 60000), 1);
    waited = true;
    *left = leaves;
    return ES_OK;
}

static void write_large(const char *path) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t j = 0; j < SIDE; j++)
        fprintf(f, ",m%zu", j);
    for (size_t i = 0; i < SIDE; i++) {
        fprintf(f, "\nm%zu", i);
        for (size_t j = 0; j < SIDE; j++)
            fputs(",0.123456", f);
    }
    assert_int_equal(fclose(f), 0);
}

TEST(leave__as_it_is_open__is_left) {
    static const es_cli_hooks hooks = {.wait = wait_until_done};
    const es_matrix_files files = {.matrix = "large.csv"};
    write_large("large.csv");
    for (int turn = 0; turn < 2; turn++) {
        es_options options;
        es_options_init(&options);
        es_cli cli = {.options = &options, .hooks = &hooks};
        es_opening what = {"large.csv", NULL, &files, true};
        es_session *session = NULL;
        es_error error;
        leaves = turn == 0;
        waited = false;
        es_status st = es_opening_run(&cli, &what, &session, &error);
        assert_true(waited);
        assert_int_equal(st, leaves ? ES_ECANCELED : ES_OK);
        assert_true(leaves == (session == NULL));
        assert_int_equal(cli.exit_code, leaves ? ES_EXIT_INTERRUPTED : 0);
        if (session)
            es_session_close(session);
        es_options_free(&options);
    }
}
