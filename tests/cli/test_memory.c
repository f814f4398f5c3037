/* How much memory a run may take: told before, kept to, refused where it does not fit. */
#include <sys/resource.h>

#include "program.h"
#include "sanitized.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

/* Sanitizers take memory and address space of their own. */
#define SKIP_SANITIZED() (SANITIZED ? skip() : (void)0)

enum { ROWS = 12000, COLUMNS = 64 };

static void make_large_pool(void) {
    add_model("pool", "one", ROWS, COLUMNS, 1, 0.2);
    add_model("pool", "two", ROWS, COLUMNS, 2, 0.4);
}

/* A number of --dry-run's document. */
static double told(const char *object, const char *key, const char *memory) {
    run_result r = RUN("estimate", "pool", "--estimator", "knife", "--set", "epochs=1", "--threads",
                       "2", "--memory", memory, "--dry-run", "--json");
    es_json_value root = parse_json(r.out), at = root;
    double value = 0;
    if (object)
        assert_ok(es_json_get(&root, object, ES_JSON_OBJECT, ES_JSON_REQUIRED, &at, NULL));
    assert_ok(es_json_get_number(&at, key, ES_JSON_REQUIRED, &value, NULL));
    return value;
}

TEST(memory__dry_run__writes_nothing_and_says_what_it_takes) {
    make_large_pool();
    double standing = told("memory", "standing", "4G"),
           largest = told("memory", "largest_pair", "4G");
    assert_true(told(NULL, "pairs", "4G") == 4 && told(NULL, "pairs_at_once", "4G") == 2);
    assert_true(largest > 3.0 * ROWS * COLUMNS * sizeof(float) && largest < 60e6);
    assert_true(told("memory", "allowed", "4G") == 4.0 * 1073741824);
    assert_int_equal(access("pool/.embedscope", F_OK), -1);
    char little[32];
    (void)snprintf(little, sizeof little, "%.0f", standing + 1.5 * largest);
    assert_true(told(NULL, "pairs_at_once", little) == 1);
}

/* The highest use of a child, in bytes. */
static double peak_of(const char *memory) {
    pid_t child = start_program((const char *const[]){"estimate", "pool", "--estimator", "knife",
                                                      "--set", "epochs=1", "--threads=2",
                                                      "--no-store", "--memory", memory, NULL},
                                "out", "err");
    struct rusage used; /* of the largest child so far: others only looked */
    assert_int_equal(wait_program(child), 0);
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
    return 1024.0 * (double)used.ru_maxrss;
}

TEST(memory__limit__is_kept_to) {
    SKIP_SANITIZED();
    make_large_pool();
    char memory[32];
    double limit = told("memory", "standing", "4G") + 1.05 * told("memory", "largest_pair", "4G");
    (void)snprintf(memory, sizeof memory, "%.0f", limit);
    double peak = peak_of(memory);
    if (peak > limit)
        fail_msg("%.0f bytes allowed, %.0f taken", limit, peak);
}

TEST(memory__too_little__is_refused_with_the_figure_and_the_remedy) {
    make_large_pool();
    char memory[32], *remedy;
    double need = told("memory", "standing", "4G") + told("memory", "largest_pair", "4G");
    (void)snprintf(memory, sizeof memory, "%.0f", need - 4e6);
    run_result r = RUN_CODE(3, "estimate", "pool", "--estimator", "knife", "--set", "epochs=1",
                            "--threads", "2", "--memory", memory);
    assert_contains(r.err, "knife of ");
    assert_contains(r.err, ": use --memory ");
    const char *fewer = strstr(r.err, "or fewer rows: --rows ");
    assert_non_null(fewer);
    unsigned long fit = strtoul(fewer + strlen("or fewer rows: --rows "), NULL, 10);
    assert_true(fit > 0 && fit < ROWS);
    remedy = strstr(r.err, "--memory ") + strlen("--memory ");
    remedy[strcspn(remedy, ",")] = '\0';
    RUN_OK("estimate", "pool", "--estimator", "knife", "--set", "epochs=1", "--threads", "2",
           "--no-store", "--memory", remedy);
}

/* What refines alone does not fit: the refusal names the estimator that does. */
TEST(memory__too_little_for_the_last_estimator__names_one_that_fits) {
    make_large_pool();
    char memory[32];
    double need = told("memory", "standing", "4G") + told("memory", "largest_pair", "4G");
    (void)snprintf(memory, sizeof memory, "%.0f", need - 4e6);
    run_result r =
        RUN_CODE(3, "estimate", "pool", "--rows", "all", "--threads", "2", "--memory", memory);
    assert_contains(r.err, "knife of ");
    assert_contains(r.err, ", or --estimator linear");
    RUN_OK("estimate", "pool", "--rows", "all", "--threads", "2", "--memory", memory, "--estimator",
           "linear", "--no-store", "--quiet");
}

/* Half of the address space is taken where nothing is said. */
TEST(memory__ulimit__counts) {
    SKIP_SANITIZED();
    make_large_pool();
    struct rlimit space, before;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    space = before;
    space.rlim_cur = (rlim_t)2 << 30;
    assert_int_equal(setrlimit(RLIMIT_AS, &space), 0);
    run_result r = RUN("estimate", "pool", "--estimator", "linear", "--dry-run", "--json");
    run_result done = RUN("estimate", "pool", "--estimator", "linear", "--no-store", "--quiet");
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    expect_code(&r, 0);
    expect_code(&done, 0);
    assert_contains(r.out, "\"allowed\": 1073741824,");
}

TEST(memory__options__bad_ones_are_named) {
    make_large_pool();
    static const char *const bad[] = {"much", "0", "-1G", "2X", "G", "1e30"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        run_result r = RUN_CODE(2, "estimate", "pool", "--memory", bad[i]);
        assert_contains(r.err, "--memory takes a size such as 2G");
    }
    run_result r = RUN_CODE(2, "estimate", "pool", "--nodes", "3");
    assert_contains(r.err, "--dry-run");
}

/* Rows are read again, a block at a time, where they are too many to be kept: the same values. What
 * holds whole matrices is refused before it starts. */
TEST(memory__measures__are_bounded) {
    make_large_pool();
    const char *const little = "86M";
    run_result kept = RUN("measure", "pool", "cka", "--csv", "--no-store", "--rows", "all",
                          "--threads", "1", "--memory", "4G");
    run_result again = RUN("measure", "pool", "cka", "--csv", "--no-store", "--rows", "all",
                           "--threads", "1", "--memory", little);
    run_result refused = RUN("measure", "pool", "procrustes", "--no-store", "--rows", "all",
                             "--threads", "1", "--memory", little);
    run_result remedied = RUN("measure", "pool", "procrustes", "--no-store", "--rows", "all",
                              "--threads", "1", "--memory", "120M");
    expect_code(&kept, 0);
    expect_code(&again, 0);
    assert_string_equal(kept.out, again.out);
    expect_code(&refused, 3);
    assert_contains(refused.err, "procrustes needs ");
    assert_contains(refused.err, ": use --memory ");
    assert_contains(refused.err, "or fewer rows: --rows ");
    expect_code(&remedied, 0);
    run_result derived =
        RUN("derive", "pool", "one", "--whiten", "--threads", "1", "--memory", little);
    run_result too_much =
        RUN("derive", "pool", "one", "--cmim", "8", "--threads", "1", "--memory", "80M");
    expect_code(&derived, 0);
    expect_code(&too_much, 3);
    assert_contains(too_much.err, "derive --cmim needs ");
}

/* MB that training on these embedders needs, in the words that refuse it. */
static double refused_training(const char *sources) {
    run_result r =
        RUN_CODE(3, "derive", "pool", sources, "--cmim", "8", "--threads", "1", "--memory", "80M");
    const char *need = strstr(r.err, "derive --cmim needs ");
    assert_non_null(need);
    double megabytes = strtod(need + strlen("derive --cmim needs "), NULL);
    return megabytes;
}

/* It opens the pool as other commands do, but has no use for a store that is not kept. */
TEST(memory__merge__takes_it) {
    make_pool("pool");
    RUN_OK("estimate", "pool", "--estimator=linear", "--shard=1/1", "--store=s.db", "-q");
    run_result r = RUN_CODE(2, "merge", "pool", "s.db", "--no-store");
    assert_contains(r.err, "--no-store");
    r = RUN_OK("merge", "pool", "s.db", "--memory=200M", "--threads=2");
    assert_contains(r.out, "16 results taken");
}

/* All columns twice, as doubles, for the rows there are. */
TEST(memory__training__counts_every_source) {
    make_large_pool();
    double one = refused_training("one"), both = refused_training("one,two"),
           twice = 2.0 * sizeof(double) * ROWS * COLUMNS / 1048576;
    assert_true(one > twice);
    assert_true(fabs(both - one - twice) < 1.01); /* of which either is rounded */
}
