/* Every allocation fails once: the whole program, command by command, with the k-th request refused
 * for every k. It must end with an error and a line that says so, or give exactly what it gives
 * otherwise; and leave nothing behind (AddressSanitizer's builds look after each run).
 *
 * Many k are skipped in the short form; ES_FAULTS=all takes every one (./dev faults). */
#include <limits.h>

#include "cli.h"
#include "cli/program.h"
#include "sanitized.h"
#include "script.h"

/* There in sanitized builds only. */
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
extern void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

/* In the short form, about so many requests of a command are refused, or of a slow one. */
enum { SHORT_FORM = SANITIZED ? 8 : 30, SLOW = SANITIZED ? 2 : 6 };
static long short_form = SHORT_FORM;

static unsigned long faults; /* injected by all tests */

static es_status explore(es_session *session, const es_explorer *explorer, int *exit_code,
                         es_error *err) {
    const es_explorer options = {.scripted = true, .start = explorer->start, .log = explorer->log};
    return es_script_main(session, &options, "keys", 100, 30, exit_code, err);
}

static es_cli_hooks hooks = {.explore = explore};

static int redirected(const char *path, int to) {
    int kept = dup(to), fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && fd >= 0);
    fflush(NULL);
    assert_int_equal(dup2(fd, to), to);
    close(fd);
    return kept;
}

static void put_back(int kept, int to) {
    fflush(NULL);
    dup2(kept, to);
    close(kept);
}

/* The program in this process; `k` as es_alloc_fail_after takes it. Output as in RUN. */
static run_result run_here(const char *const *arguments, long k) {
    char *argv[MOST_ARGUMENTS + 2] = {(char *)(uintptr_t) "embedscope"};
    int argc = 1;
    for (; arguments[argc - 1]; argc++)
        argv[argc] = (char *)(uintptr_t)arguments[argc - 1];
    run_result r = {0};
    int out = redirected(".stdout", STDOUT_FILENO), err = redirected(".stderr", STDERR_FILENO);
    alarm(120); /* a run that waits for what does not come is as bad as a crash */
    es_alloc_fail_after(k);
    r.code = es_cli_main(argc, argv, &hooks);
    es_alloc_fail_after(-1);
    alarm(0);
    put_back(out, STDOUT_FILENO);
    put_back(err, STDERR_FILENO);
    r.out = slurp(".stdout");
    r.err = slurp(".stderr");
    return r;
}

typedef enum promise {
    SAME_OUTPUT, /* code 0 means exactly the usual output */
    ANY_OUTPUT   /* what is printed differs from run to run (times), or nothing is */
} promise;

static void expect_promise(const run_result *r, const run_result *usual, promise kind, long k) {
    bool told = r->err[0] != '\0';
    if (r->code == 0 && (kind == ANY_OUTPUT || strcmp(r->out, usual->out) == 0 || told))
        return;
    if (r->code > 0 && r->code < 100 && told)
        return;
    fail_msg("allocation %ld: code %d, stderr \"%s\", stdout %s", k, r->code, r->err,
             strcmp(r->out, usual->out) == 0 ? "as usual" : r->out);
}

/* `prepare` puts the pool into the state that the command begins with. */
static void fail_each(void (*prepare)(void), promise kind, const char *const *arguments) {
    prepare();
    unsigned long before = es_alloc_count();
    run_result usual = run_here(arguments, LONG_MAX); /* never; but arenas' requests are counted */
    expect_code(&usual, 0);
    long count = (long)(es_alloc_count() - before), step = 1;
    const char *form = getenv("ES_FAULTS");
    if (!form || strcmp(form, "all") != 0)
        step = count / short_form + 1;
    for (long k = 0; k < count; k += step) {
        prepare();
        run_result r = run_here(arguments, k);
        expect_promise(&r, &usual, kind, k);
        if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
            fail_msg("allocation %ld of %s: a leak", k, arguments[0]);
        faults++;
    }
}

#define FAIL_EACH(prepare, kind, ...)                                                              \
    fail_each(prepare, kind, (const char *const[]){__VA_ARGS__, NULL})

/* ---- states ---- */

static void nothing_stored(void) {
    assert_int_equal(system("rm -rf pool/.embedscope"), 0);
}

static void as_it_is(void) {}

static int small_pool(void **state) {
    if (make_scratch(state) != 0 || mkdir("pool", 0700) != 0)
        return -1;
    add_model("pool", "a", 60, 4, 1, 0.05);
    add_model("pool", "b", 60, 3, 2, 0.2);
    add_model("pool", "c", 60, 3, 3, 5.0);
    add_model("pool", "d10", 60, 2, 4, 0.5);
    write_text("pool/m.csv", "1,2\n3,4\n");
    write_text("pool/pool.json",
               "{\"name\": \"p\", \"models\": [{\"name\": \"a\", \"family\": \"f\"},"
               " {\"name\": \"b\"}, {\"name\": \"c\", \"notes\": \"n\"}, {\"name\": \"d10\"},"
               " {\"name\": \"m\", \"file\": \"m.csv\"}]}");
    write_text("pool/scores.csv", "model,t,u\na,1,5\nb,2,\nc,3,7\nd10,2.5,1\n");
    FILE *rows = fopen("pool/rows.csv", "w");
    fputs("id,text\n", rows);
    for (int i = 0; i < 60; i++)
        fprintf(rows, "r%d,\"text, %d\"\n", i, i);
    return fclose(rows);
}

static int stored_pool(void **state) {
    if (small_pool(state) != 0)
        return -1;
    run_result r = run_here((const char *const[]){"estimate", "pool", "-q", NULL}, -1);
    int code = r.code;
    return code;
}

/* With what people said about the rows. */
static int labelled_pool(void **state) {
    if (stored_pool(state) != 0)
        return -1;
    write_text("pool/pairs.csv", "a,b,score\n0,1,1\n2,3,0.5\n4,5,2\n6,7,1\n8,9,0.25\n");
    FILE *labels = fopen("pool/labels.csv", "w");
    fputs("row,topic,size\n", labels);
    for (int i = 0; i < 60; i++)
        fprintf(labels, "%d,%c,%d.5\n", i, "xyz"[i % 3], i % 7);
    return fclose(labels);
}

static void no_measures(void) {
    assert_int_equal(system("rm -rf pool/.embedscope/derived"), 0);
    run_result r = run_here((const char *const[]){"estimate", "pool", "-q", NULL}, -1);
    expect_code(&r, 0);
}

static void derived_one(void) {
    no_measures();
    run_result r = run_here((const char *const[]){"derive", "pool", "a", "--center", NULL}, -1);
    expect_code(&r, 0);
}

static void trained_one(void) {
    no_measures();
    run_result r = run_here((const char *const[]){"derive", "pool", "a", "--cmim", "2", "--set",
                                                  "steps=3 hidden=4", "--name", "t", NULL},
                            -1);
    expect_code(&r, 0);
}

/* As the estimation left it. */
static void as_estimated(void) {
    assert_int_equal(system("[ -e kept ] || cp -r pool/.embedscope kept; rm -rf pool/.embedscope;"
                            " cp -r kept pool/.embedscope"),
                     0);
}

/* ---- tests ---- */

TEST_WITH(info__survives__every_failed_allocation, small_pool, remove_scratch) {
    FAIL_EACH(as_it_is, ANY_OUTPUT, "info", "pool"); /* may tell of the lost one as excluded */
}

/* A pair that could not be estimated again for want of memory is said to be one. */
TEST_WITH(check__survives__every_failed_allocation, stored_pool, remove_scratch) {
    FAIL_EACH(as_it_is, ANY_OUTPUT, "check", "pool", "--pairs", "2", "--estimator", "linear",
              "--threads", "1");
}

TEST_WITH(estimate__survives__every_failed_allocation, small_pool, remove_scratch) {
    FAIL_EACH(nothing_stored, ANY_OUTPUT, "estimate", "pool", "--threads", "2");
}

/* After any failure the same command completes, with the numbers of an undisturbed run. */
TEST_WITH(estimate__continues__to_the_same_numbers, small_pool, remove_scratch) {
    const char *const estimate[] = {"estimate", "pool", "--estimator", "linear", "-q", NULL};
    const char *const matrix[] = {"matrix", "pool", "--estimator", "linear", "--csv", "-q", NULL};
    nothing_stored();
    unsigned long before = es_alloc_count();
    run_result r = run_here(estimate, -1);
    expect_code(&r, 0);
    long count = (long)(es_alloc_count() - before);
    run_result usual = run_here(matrix, -1);
    for (long k = 0; k < count; k += count / 12 + 1) {
        nothing_stored();
        r = run_here(estimate, k);
        r = run_here(estimate, -1);
        expect_code(&r, 0);
        r = run_here(matrix, -1);
        assert_string_equal(r.out, usual.out);
    }
}

TEST_WITH(rank__survives__every_failed_allocation, stored_pool, remove_scratch) {
    FAIL_EACH(as_it_is, SAME_OUTPUT, "rank", "pool", "--csv");
}

TEST_WITH(tree__survives__every_failed_allocation, stored_pool, remove_scratch) {
    FAIL_EACH(as_it_is, SAME_OUTPUT, "tree", "pool", "--csv");
    FAIL_EACH(as_it_is, SAME_OUTPUT, "tree", "pool", "--method", "ward", "--csv");
}

TEST_WITH(correlate__survives__every_failed_allocation, stored_pool, remove_scratch) {
    FAIL_EACH(as_it_is, SAME_OUTPUT, "correlate", "pool", "--csv");
}

TEST_WITH(compare__survives__every_failed_allocation, stored_pool, remove_scratch) {
    FAIL_EACH(as_it_is, SAME_OUTPUT, "compare", "pool", "a", "b", "--csv");
    FAIL_EACH(as_it_is, SAME_OUTPUT, "rows", "pool", "a", "b", "--csv");
}

TEST_WITH(measures__survive__every_failed_allocation, labelled_pool, remove_scratch) {
    FAIL_EACH(as_it_is, SAME_OUTPUT, "measure", "pool", "evalrank,similarity,logme", "--csv",
              "--refresh");
    FAIL_EACH(as_it_is, SAME_OUTPUT, "measure", "pool", "cka", "--csv", "--refresh");
    FAIL_EACH(as_it_is, SAME_OUTPUT, "agree", "pool", "evalrank", "--csv");
}

TEST_WITH(derive__survives__every_failed_allocation, labelled_pool, remove_scratch) {
    short_form = SLOW;
    FAIL_EACH(no_measures, ANY_OUTPUT, "derive", "pool", "a", "--whiten");
    FAIL_EACH(no_measures, ANY_OUTPUT, "derive", "pool", "a", "--concat", "b");
    FAIL_EACH(derived_one, ANY_OUTPUT, "derive", "pool", "--remove", "a+centred");
    FAIL_EACH(no_measures, ANY_OUTPUT, "derive", "pool", "a,b", "--cmim", "2", "--set",
              "steps=3 hidden=4", "--name", "t");
    FAIL_EACH(trained_one, ANY_OUTPUT, "apply", "pool/.embedscope/derived/t.safetensors",
              "pool/a.npy", "-o", "o.npy");
    short_form = SHORT_FORM;
}

TEST_WITH(export__survives__every_failed_allocation, stored_pool, remove_scratch) {
    short_form = SLOW;
    FAIL_EACH(as_it_is, ANY_OUTPUT, "export", "pool", "ranking", "-o", "r.svg");
    FAIL_EACH(as_it_is, ANY_OUTPUT, "export", "pool", "matrix", "-o", "m.tex");
    FAIL_EACH(as_it_is, ANY_OUTPUT, "export", "pool", "tree", "-o", "t.pdf");
    FAIL_EACH(as_it_is, ANY_OUTPUT, "export", "pool", "correlation", "-o", "c.png");
    FAIL_EACH(as_it_is, ANY_OUTPUT, "export", "pool", "compare", "--models", "a,b", "-o", "p.svg");
    short_form = SHORT_FORM;
}

TEST_WITH(explorer__survives__every_failed_allocation, small_pool, remove_scratch) {
    hooks.scripted = true;
    write_text("keys",
               ":wait done\n2\noooimtt\n<enter>\nhjkl\n3\ng+-\n4\njj c\ns S\n5\nKBL\n6\nwd\n"
               "7\n1\nvjv\n/a<enter>n\nfdim>1<esc>\n:filter dim>2\n:sort score\nT<esc>\n"
               "?ord<esc><esc>\nu<c-r>xu\nyn\n:dump screen.svg\n:resize 40x10\n1234567\n"
               ":resize 100x30\n:dump screen.txt\n:q!\n");
    FAIL_EACH(nothing_stored, ANY_OUTPUT, "pool", "--start");
    hooks.scripted = false;
}

/* What works beside the run: measures of one and of two, what they agree on, the worst rows, a
 * derived embedder. */
TEST_WITH(explorer__jobs__survive_every_failed_allocation, labelled_pool, remove_scratch) {
    hooks.scripted = true;
    short_form = SLOW;
    write_text("keys",
               ":wait idle\n4\n:measure evalrank\n:wait idle\n:measure similarity\n:wait idle\n"
               "2\n:measure cka\n:wait idle\n:metric cka\njl\n<enter>\n<esc>\n"
               ":agree\n:wait idle\njj\n:dump agree.txt\n:agree\n5\n:measure logme\n:wait idle\n"
               "6\n:compare a b\n:worst\n:wait idle\nj\n:dump worst.txt\n<esc>\n"
               "1\n:derive whiten\n:wait idle\n:dump derived.txt\n:q!\n");
    FAIL_EACH(as_estimated, ANY_OUTPUT, "pool");
    hooks.scripted = false;
    short_form = SHORT_FORM;
}

/* A sanitizer's report belongs to the test, not to what the command printed. */
static int report_to_stderr(void **state) {
    if (__sanitizer_set_report_fd)
        __sanitizer_set_report_fd((void *)(intptr_t)dup(STDERR_FILENO));
    return 0;
}

static int count_faults(void **state) {
    fprintf(stderr, "%lu allocations refused\n", faults);
    return 0;
}

TEST_GROUP(report_to_stderr, count_faults);
