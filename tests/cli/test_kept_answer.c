/* Answers that are written again: only while everything that they come from is the same. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

enum { MODELS = 6, ROWS = 240, DIM = 6 };

static void make_estimated(void) {
    for (size_t i = 0; i < MODELS; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        add_model("pool", name, ROWS, DIM, i, 0.05 + 0.4 * (double)i);
    }
    RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
}

/* Until a change of the files would show in their times. */
static void let_settle(void) {
    if (getenv("ES_SHIM")) /* ./dev steady: a clock that jumps */
        skip();
    struct timespec pause = {4, 0};
    nanosleep(&pause, NULL);
}

/* The document of `rank pool --json`, to be freed. */
static char *rank(void) {
    return RUN_OK("rank", "pool", "--json").out;
}

/* The one answer that is kept; false: none is. */
static bool find_kept(char *path, size_t size) {
    bool found = false;
    DIR *dir = opendir("embedscope/answers");
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;)
        if (e->d_name[0] != '.') {
            assert_false(found);
            (void)snprintf(path, size, "embedscope/answers/%s", e->d_name);
            found = true;
        }
    if (dir)
        (void)closedir(dir);
    return found;
}

static const char mark[] = "\"embedscopE\"";

/* Puts a mark into the kept document, with the digest of that or as damage. */
static void put_mark(bool whole) {
    char path[PATH_ROOM], *bytes = NULL;
    size_t size = 0, tail = sizeof(es_digest);
    assert_true(find_kept(path, sizeof path));
    assert_ok(es_file_read(path, 0, 1 << 20, &bytes, &size, NULL));
    size_t at = 0;
    while (at + strlen(mark) < size && memcmp(bytes + at, "\"embedscope\"", strlen(mark)) != 0)
        at++;
    assert_true(at + strlen(mark) < size);
    memcpy(bytes + at, mark, strlen(mark));
    es_digest digest = es_digest_bytes(bytes, size - tail);
    if (whole)
        memcpy(bytes + size - tail, &digest, tail);
    write_file(path, bytes, size);
    es_free(bytes);
}

static bool is_marked(void) {
    char *now = rank();
    bool marked = strstr(now, mark) != NULL;
    return marked;
}

TEST(kept__unchanged_files__give_the_same_bytes) {
    char path[PATH_ROOM];
    const time_t begun = time(NULL);
    make_estimated();
    char *fresh = rank();
    if (time(NULL) - begun < 3) /* the store was changed within seconds */
        assert_false(find_kept(path, sizeof path));
    let_settle();
    for (int i = 0; i < 3; i++) {
        char *again = rank();
        assert_string_equal(again, fresh);
        assert_true(find_kept(path, sizeof path));
    }
    put_mark(true);
    assert_true(is_marked()); /* so it was written again, and not computed */
    run_result r = RUN("rank", "pool", "--json", "--seed", "1");
    assert_lacks(r.out, mark);
    RUN_OK("rank", "pool", "--json", "-o", "out.json");
    char *out = slurp("out.json");
    assert_non_null(out);
    assert_lacks(out, mark);
}

TEST(kept__damaged_answer__is_computed) {
    make_estimated();
    let_settle();
    assert_false(is_marked());
    put_mark(false);
    assert_false(is_marked());
}

TEST(kept__replaced_file_of_same_size_and_time__is_noticed) {
    struct stat before;
    make_estimated();
    let_settle();
    assert_false(is_marked());
    put_mark(true);
    assert_true(is_marked());
    assert_int_equal(stat("pool/f.npy", &before), 0);
    assert_int_equal(unlink("pool/f.npy"), 0);
    add_model("pool", "f", ROWS, DIM, 99, 0.7);
    const struct timespec times[2] = {before.st_atim, before.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, "pool/f.npy", times, 0), 0);
    let_settle();
    assert_false(is_marked());
}

TEST(kept__new_file_beside__is_noticed) {
    make_estimated();
    let_settle();
    assert_false(is_marked());
    put_mark(true);
    assert_true(is_marked());
    write_text("pool/scores.csv", "model,task\na,1\nb,2\nc,3\nd,4\ne,5\nf,6\n");
    let_settle();
    assert_false(is_marked());
}
