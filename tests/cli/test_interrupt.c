/* Ctrl-C and kill -9 in the middle: finished pairs are kept, and the numbers come out the same. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

enum { MODELS = 24 };

static void make_large_pool(void) {
    for (unsigned i = 0; i < MODELS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "model%u", i);
        add_model("pool", name, 900, 60, i, 0.1 * i);
    }
}

static void sleep_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

/* Starts an estimation, waits for its first progress line, sends `number`. Returns the exit code; 0
 * when it had finished before. */
static int interrupt_once(int number) {
    pid_t child = start_program(
        (const char *const[]){"estimate", "pool", "--estimator", "linear", "--threads=1", NULL},
        "out", "err");
    for (int i = 0; i < 20000; i++) {
        char *said = slurp("err");
        bool begun = said && strstr(said, " pairs, ");
        if (begun)
            break;
        sleep_ms(1);
    }
    (void)kill(child, number);
    return wait_program(child);
}

/* The same, until something was left to interrupt. */
static int interrupt_with(int number) {
    for (int i = 0; i < 20; i++) {
        int code = interrupt_once(number);
        if (code != 0)
            return code;
        assert_int_equal(system("rm -rf pool/.embedscope"), 0);
    }
    fail_msg("each estimation had finished before it could be interrupted");
    return 0;
}

/* Pairs in the store, from `info --json`. */
static double stored_pairs(void) {
    es_json_value root = RUN_JSON("info", "pool", "--json"), list, row;
    double pairs = 0;
    assert_ok(es_json_get(&root, "stored", ES_JSON_ARRAY, ES_JSON_REQUIRED, &list, NULL));
    row = es_json_first(&list);
    if (row.node)
        assert_ok(es_json_get_number(&row, "pairs", ES_JSON_REQUIRED, &pairs, NULL));
    return pairs;
}

static void check_interrupt(int number, int expected) {
    make_large_pool();
    assert_int_equal(interrupt_with(number), expected);
    double kept = stored_pairs();
    assert_true(kept > 0 && kept < MODELS * MODELS);
    run_result continued = RUN_OK("estimate", "pool", "--estimator", "linear", "--csv");
    run_result fresh = RUN_OK("estimate", "pool", "--estimator", "linear", "--csv", "--no-store");
    assert_string_equal(continued.out, fresh.out);
    assert_true(stored_pairs() == MODELS * MODELS);
}

TEST(interrupt__ctrl_c__exits_130_and_continues) {
    check_interrupt(SIGINT, 130);
}

TEST(interrupt__sigterm__exits_130_and_continues) {
    check_interrupt(SIGTERM, 130);
}

TEST(interrupt__kill_9__loses_running_pairs_only) {
    check_interrupt(SIGKILL, 256 + SIGKILL);
}

TEST(interrupt__partial_pool__ranks_what_is_known) {
    make_large_pool();
    assert_int_equal(interrupt_with(SIGINT), 130);
    assert_contains(RUN_OK("matrix", "pool", "--estimator", "linear", "--json").out, "\"pending\"");
    RUN_OK("rank", "pool", "--estimator", "linear", "--csv");
}

/* Rows by the million are settled in one go, with nobody looking at signals for seconds. */
TEST(interrupt__giant_shape__ends_within_a_second) {
    enum { ROWS = 20000000, FILLED = 64 };
    assert_int_equal(mkdir("giant", 0700), 0);
    for (unsigned k = 0; k < 2; k++) {
        char path[32], header[96];
        (void)snprintf(path, sizeof path, "giant/m%u.npy", k);
        (void)snprintf(header, sizeof header,
                       "{'descr': '|u1', 'fortran_order': False, 'shape': (%d, 1), }", (int)ROWS);
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        write_npy_header(f, header);
        long start = ftell(f);
        for (unsigned i = 0; i < FILLED; i++)
            fputc((int)((i * 7 + k) % 13), f);
        assert_int_equal(fflush(f), 0);
        assert_int_equal(ftruncate(fileno(f), start + ROWS), 0); /* sparse */
        assert_int_equal(fclose(f), 0);
    }
    for (long wait = 300; wait <= 1500; wait += 600) {
        pid_t child =
            start_program((const char *const[]){"estimate", "giant", "--rows", "all", "--estimator",
                                                "linear", "--no-store", NULL},
                          "out", "err");
        sleep_ms(wait);
        struct timespec sent, ended;
        clock_gettime(CLOCK_MONOTONIC, &sent);
        assert_int_equal(kill(child, SIGTERM), 0);
        assert_int_equal(wait_program(child), 130);
        clock_gettime(CLOCK_MONOTONIC, &ended);
        double took =
            (double)(ended.tv_sec - sent.tv_sec) + (double)(ended.tv_nsec - sent.tv_nsec) / 1e9;
        if (took > 2.5) /* one second, and what a busy machine adds */
            fail_msg("%.1f s after the signal", took);
    }
}
