/* A pool whose folder changes while the explorer shows it: what has come is taken in, what is gone
 * is left out, and no pair is estimated twice. */
#include <time.h>

#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static void rest(double seconds) {
    struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&left, &left) != 0)
        continue;
}

/* Waits until `path` is there. */
static void wait_for(const char *path) {
    struct stat info;
    for (int i = 0; i < 600 && stat(path, &info) != 0; i++)
        rest(0.1);
    assert_int_equal(stat(path, &info), 0);
}

static void add_late(const char *name, uint64_t seed) {
    char from[PATH_ROOM], to[PATH_ROOM];
    assert_int_equal(mkdir("aside", 0700) == 0 || errno == EEXIST, true);
    add_model("aside", name, 300, 6, seed, 1);
    (void)snprintf(from, sizeof from, "aside/%s.npy", name);
    (void)snprintf(to, sizeof to, "pool/%s.npy", name);
    assert_int_equal(rename(from, to), 0);
}

static void make_small(void) {
    add_model("pool", "run@1", 300, 6, 3, 2);
    add_model("pool", "run@2", 300, 6, 4, 1);
    add_model("pool", "stranger", 300, 6, 5, 0.5);
}

/* The script tells by files how far it is. */
TEST(explorer__a_checkpoint_comes__is_shown_and_estimated) {
    make_small();
    write_text("steps", ":wait done\n:rank\n:goto run@2\n:assert 3 embedders\n:dump before.txt\n"
                        ":await 4 embedders\n:wait done\n:assert run@7\n:dump after.txt\n"
                        ":await 3 embedders\n:assert stranger no longer takes part\n:wait done\n");
    const char *const arguments[] = {"--script", "steps", "--start", "--estimator",
                                     "linear",   "pool",  NULL};
    pid_t child = start_program(arguments, "out", "err");
    wait_for("before.txt");
    add_late("run@7", 6);
    wait_for("after.txt");
    assert_int_equal(unlink("pool/stranger.npy"), 0);
    int code = wait_program(child);
    char *err = slurp("err"), *after = slurp("after.txt");
    if (code != 0)
        fail_msg("%d: %s\n%s", code, err, after);
    /* the cursor is on the same embedder */
    const char *line = strstr(after, "❯");
    assert_true(line != NULL && strstr(line, "run@2") != NULL &&
                strstr(line, "run@2") < strchr(line, '\n'));
    run_result r = RUN_OK("estimate", "pool", "--estimator", "linear");
    if (strstr(r.out, " 0 estimated") == NULL) /* all of it is stored */
        fail_msg("%s", r.out);
}

/* A file that is still being written is not looked at. */
TEST(explorer__a_file_grows__waits_until_it_is_whole) {
    make_small();
    add_model("aside", "late", 300, 6, 6, 1);
    FILE *whole = fopen("aside/late.npy", "rb");
    assert_non_null(whole);
    assert_int_equal(fseek(whole, 0, SEEK_END), 0);
    long size = ftell(whole);
    rewind(whole);
    char *bytes = test_keep(es_alloc((size_t)size, 1), es_free);
    assert_int_equal(fread(bytes, 1, (size_t)size, whole), size);
    assert_int_equal(fclose(whole), 0);
    write_text("steps",
               ":wait done\n:pool\n:dump before.txt\n:await 4 embedders\n:assert-not left out\n"
               ":assert late\n");
    const char *const arguments[] = {"--script", "steps", "--start", "--estimator",
                                     "linear",   "pool",  NULL};
    pid_t child = start_program(arguments, "out", "err");
    wait_for("before.txt");
    FILE *slow = fopen("pool/late.npy", "wb");
    assert_non_null(slow);
    for (int i = 0; i < 10; i++) {
        size_t from = (size_t)size * (size_t)i / 10, to = (size_t)size * (size_t)(i + 1) / 10;
        assert_int_equal(fwrite(bytes + from, 1, to - from, slow), to - from);
        assert_int_equal(fflush(slow), 0);
        rest(0.4);
    }
    assert_int_equal(fclose(slow), 0);
    int code = wait_program(child);
    char *err = slurp("err");
    if (code != 0)
        fail_msg("%d: %s", code, err);
}
