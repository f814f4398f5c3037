/* Pools made to harm: what is in names, texts and headers, where links lead, what lies in the way
 * of the store. The whole program is run on each, every command and the explorer. */
#include "cli/program.h"
#include "sanitized.h"
#include "base.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

/* Written in names and texts; a terminal would clear, retitle, recolour, reorder. */
static const char *const evils[] = {
    "esc\033[2J\033]0;owned\007",
    "bidi\xe2\x80\xae"
    "evil\xe2\x81\xa6",
    "line\nbreak\rand\ttab",
    "bad\xff\xfe\xc0\xafutf8",
    "c1\xc2\x9b"
    "31m\x9b"
    "2J",
    "zero\xe2\x80\x8bwidth\xe2\x80\xa8",
    "';DROP TABLE pair;--",
    "=cmd|'/C calc'!A0",
};
enum { EVILS = sizeof evils / sizeof *evils, ROWS = 60 };

static void expect_clean(const char *text, const char *whose) {
    for (size_t left = strlen(text); left > 0;) {
        uint32_t code = 0;
        size_t used = es_utf8_decode(text, left, &code);
        if (code != '\n' && es_text_is_unsafe(code))
            fail_msg("%s: U+%04X in its output, before: %.60s", whose, (unsigned)code, text + used);
        text += used;
        left -= used;
    }
}

/* Every way in which the pool can be looked at ends in an orderly way and prints nothing unsafe. */
static void expect_harmless(const char *a, const char *b) {
    static const char *const formats[] = {"table", "csv", "json", "md"};
    static const char *const commands[] = {"info", "matrix", "rank", "tree", "correlate", "check"};
    write_text("keys",
               ":wait idle\n1\n2\ni\n3\ng\n4\njjjlll\n5\njj\n6\n7\n1\njjjj\ny\nn\n/a<enter>\n"
               ":dump screen.txt\n2\n:dump heat.txt\n4\n:dump rank.txt\n:dump rank.svg\n:q!\n");
    const char *const first[][6] = {{"estimate", "pool", "--estimator", "linear", NULL},
                                    {"compare", "pool", a, b, NULL},
                                    {"rows", "pool", a, b, NULL},
                                    {"--script", "keys", "--size", "100x30", "pool", NULL}};
    for (size_t i = 0; i < 4; i++) {
        run_result r = run_list(first[i]);
        assert_in_range(r.code, 0, 4);
        expect_clean(r.out, first[i][0]);
        expect_clean(r.err, first[i][0]);
    }
    for (size_t c = 0; c < 6; c++)
        for (size_t f = 0; f < 4; f++) {
            run_result r = RUN(commands[c], "pool", "--format", formats[f]);
            assert_in_range(r.code, 0, 4);
            expect_clean(r.out, commands[c]);
            expect_clean(r.err, commands[c]);
        }
    static const char *const dumps[] = {"screen.txt", "heat.txt", "rank.txt", "rank.svg"};
    for (size_t i = 0; i < 4; i++) {
        char *text = slurp(dumps[i]);
        assert_non_null(text);
        expect_clean(text, dumps[i]);
    }
}

TEST(names_and_texts__do_not_reach_the_terminal) {
    for (size_t i = 0; i < EVILS; i++) {
        char name[PATH_ROOM];
        snprintf(name, sizeof name, "%s", evils[i]);
        for (char *c = name; *c; c++)
            *c = *c == '/' ? '_' : *c;
        add_model("pool", name, ROWS, 3, i + 1, 0.5);
    }
    add_model("pool", "plain", ROWS, 3, 50, 0.5);
    add_model("pool", "other", ROWS, 3, 51, 0.5);
    FILE *rows = fopen("pool/rows.csv", "wb"), *scores = fopen("pool/scores.csv", "wb");
    fputs("id,text\n", rows);
    for (size_t i = 0; i < ROWS; i++)
        fprintf(rows, "\"%zu%s\",\"%s\"\n", i, evils[i % EVILS], evils[(i + 1) % EVILS]);
    fprintf(scores, "model,\"%s\",\"%s\"\nplain,1,2\nother,2,3\n", evils[0], evils[2]);
    for (size_t i = 0; i < EVILS; i++)
        fprintf(scores, "\"%s\",%zu,1\n", evils[i], i);
    fclose(rows);
    fclose(scores);
    expect_harmless("plain", "other");
}

TEST(long_names__are_cut) {
    char name[4097];
    assert_int_equal(mkdir("pool", 0700), 0);
    FILE *json = fopen("pool/pool.json", "wb");
    fputs("{\"name\": \"\\u001b[2J\\u202e\", \"models\": [", json);
    for (int i = 0; i < 3; i++) {
        char file[8];
        snprintf(file, sizeof file, "m%d", i);
        add_model("pool", file, ROWS, 3, (uint64_t)i + 1, 0.5);
        memset(name, 'x', sizeof name - 1);
        name[sizeof name - 1] = '\0';
        fprintf(json,
                "%s{\"name\": \"%s%d\", \"file\": \"m%d.npy\", \"notes\": \"%s\", \"family\": "
                "\"\\u001b]0;f\\u0007\"}",
                i ? "," : "", name, i, i, name);
    }
    fputs("]}", json);
    fclose(json);
    expect_harmless("m0.npy", "m1.npy");
}

TEST(links__lead_nowhere_else) {
    add_model("secret", "s", ROWS, 3, 9, 0.5);
    make_pool("pool");
    assert_int_equal(symlink("../secret/s.npy", "pool/out.npy"), 0);
    assert_int_equal(symlink("../secret", "pool/folder"), 0);
    assert_int_equal(symlink("loop.npy", "pool/loop.npy"), 0);
    assert_int_equal(symlink(".", "pool/self"), 0);
    assert_int_equal(symlink("..", "pool/up"), 0);
    assert_int_equal(mkfifo("pool/pipe.npy", 0600), 0); /* nobody writes to it: must not wait */
    assert_int_equal(symlink("/dev/zero", "pool/zero.npy"), 0);
    run_result r = RUN_OK("info", "pool", "--json");
    assert_contains(r.out, "out of the pool");
    assert_lacks(r.out, "\"folder/s\"");
    assert_lacks(RUN_OK("estimate", "pool", "--estimator", "linear", "--csv", "-q").out, "out");
}

/* What lies beside the matrices is held to the same rule. */
TEST(links__beside_matrices__lead_nowhere_else) {
    assert_int_equal(mkdir("secret", 0700), 0);
    write_text("secret/scores.csv", "model,t\na,1\nb,2\nc,3\nd10,4\n");
    write_text("secret/pool.json", "{\"name\": \"leaked\"}");
    write_text("secret/labels.csv", "row,t\n0,x\n");
    write_text("secret/rows.csv", "id,text\n0,leaked\n");
    make_pool("pool");
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    static const struct {
        const char *file, *command, *more;
    } cases[] = {{"rows.csv", "info", NULL},
                 {"scores.csv", "correlate", NULL},
                 {"labels.csv", "measure", "smoothness"},
                 {"models.csv", "agree", "uniformity,effective-rank"},
                 {"pool.json", "rank", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[64], target[64], says[128];
        snprintf(path, sizeof path, "pool/%s", cases[i].file);
        snprintf(target, sizeof target, "../secret/%s",
                 strcmp(cases[i].file, "models.csv") == 0 ? "scores.csv" : cases[i].file);
        snprintf(says, sizeof says, "%s: a link out of the pool, not followed", cases[i].file);
        assert_int_equal(symlink(target, path), 0);
        expect_error(
            run_list((const char *const[]){cases[i].command, "-q", "pool", cases[i].more, NULL}), 3,
            says);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rename("secret/scores.csv", "pool/mine.csv"), 0); /* inside: followed */
    assert_int_equal(symlink("mine.csv", "pool/scores.csv"), 0);
    RUN_OK("correlate", "pool", "-q");
}

/* ---- surroundings ---- */

/* `limits; embedscope arguments`, in at most 20 seconds. */
static run_result run_limited(const char *limits, const char *arguments) {
    char line[1024];
    run_result r = {0};
    snprintf(line, sizeof line, "%s; timeout -s KILL 20 '%s' %s >out 2>err </dev/null", limits,
             ES_PROGRAM, arguments);
    int status = system(line);
    r.code = WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
    r.out = slurp("out");
    r.err = slurp("err");
    return r;
}

/* OpenBLAS believes the variable, and its kernels for another processor are SIGILL here. */
TEST(core__that_the_processor_is_not__is_ignored_with_a_note) {
#if defined(__x86_64__) && defined(__GLIBC__)
    __builtin_cpu_init();
    if (SANITIZED || __builtin_cpu_supports("fma4"))
        skip();
    run_result r =
        run_limited("export OPENBLAS_CORETYPE=Bulldozer EMBEDSCOPE_KEEP_BLAS_CORE=1", "doctor");
    expect_code(&r, 0);
    assert_contains(r.err, "OPENBLAS_CORETYPE=Bulldozer names a core that this processor");
    assert_contains(r.out, "GFLOP/s");
#else
    skip();
#endif
}

TEST(address_space__too_small__is_refused_at_once) {
    /* With less than the last, the loader has no room for the libraries. */
    static const char *const limits[] = {"ulimit -v 300000", "ulimit -v 150000", "ulimit -v 68000"};
    if (SANITIZED)
        skip();
    make_pool("pool");
    for (size_t i = 0; i < 3; i++) {
        expect_error(run_limited(limits[i], "estimate pool"), 3, "too little address space");
        expect_error(run_limited(limits[i], "doctor"), 3, "too little address space");
    }
}

TEST(stack__small__is_enough) {
    if (SANITIZED)
        skip();
    make_pool("pool");
    run_result r = run_limited("ulimit -s 64", "estimate pool -q");
    expect_code(&r, 0);
    assert_contains(r.out, "0 failed");
}

TEST(description__cannot_name_other_places) {
    static const char *const files[] = {"/etc/passwd", "../secret/s.npy",   "a/../../secret/s.npy",
                                        "..",          "./../secret/s.npy", "folder/s.npy"};
    add_model("secret", "s", ROWS, 3, 9, 0.5);
    make_pool("pool");
    assert_int_equal(symlink("../secret", "pool/folder"), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char text[256];
        snprintf(text, sizeof text, "{\"models\": [{\"name\": \"x\", \"file\": \"%s\"}]}",
                 files[i]);
        write_text("pool/pool.json", text);
        run_result r = RUN("info", "pool", "--json");
        assert_true(r.code == 3 || r.code == 4 || strstr(r.out, "out of the pool"));
    }
}

TEST(headers__claim_what_they_like) {
    static const char *const shapes[] = {"(9223372036854775808, 4)",  "(9223372036854775807, 2)",
                                         "(4294967296, 4294967296)",  "(2147483647, 2147483647)",
                                         "(99999999999999999999, 1)", "(-1, 4)",
                                         "(1, 2305843009213693952)"};
    make_pool("pool");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char header[160], path[64];
        snprintf(path, sizeof path, "pool/huge%zu.npy", i);
        snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }",
                 shapes[i]);
        FILE *f = fopen(path, "wb");
        write_npy_header(f, header);
        fputs("0123456789abcdef", f);
        fclose(f);
    }
    write_file("pool/long.safetensors", "\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10);
    write_file("pool/bomb.npy",
               "PK\x03\x04"
               "archive/data.pkl",
               20); /* not unpacked, only named */
    run_result r = RUN_OK("estimate", "pool", "--estimator", "linear", "--json");
    es_json_value root = parse_json(r.out), excluded = member(&root, "excluded", ES_JSON_ARRAY),
                  models = member(&root, "models", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&excluded), sizeof shapes / sizeof *shapes + 2);
    assert_int_equal(es_json_count(&models), 4);
}

TEST(folder__of_a_hundred_thousand_files__is_listed) {
    make_pool("pool");
    for (int i = 0; i < 100000; i++) {
        char path[64];
        snprintf(path, sizeof path, "pool/picture-%d.%s", i, i % 1000 ? "jpg" : "bin");
        int fd = open(path, O_CREAT | O_WRONLY, 0600);
        assert_true(fd >= 0);
        close(fd);
    }
    RUN_OK("info", "pool", "--json");
}

static mode_t mode_of(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 ? info.st_mode & 07777 : 0;
}

TEST(store__is_private_and_follows_no_link) {
    mode_t mask = umask(0);
    estimate_pool();
    umask(mask);
    assert_int_equal(mode_of("pool/.embedscope"), 0700);
    assert_int_equal(mode_of("pool/.embedscope/results.db"), 0600);
    write_text("victim", "mine");
    assert_int_equal(unlink("pool/.embedscope/results.db"), 0);
    assert_int_equal(symlink("../../victim", "pool/.embedscope/results.db"), 0);
    expect_error(RUN("estimate", "pool", "-q"), 3, ".embedscope/results.db|not a plain file");
    assert_int_equal(unlink("pool/.embedscope/results.db"), 0);
    assert_int_equal(mkfifo("pool/.embedscope/results.db", 0600), 0);
    expect_error(RUN("estimate", "pool", "-q"), 3, ".embedscope/results.db|not a plain file");
    static const char *const beside[] = {"journal", "wal", "shm"};
    for (size_t i = 0; i < 3; i++) { /* where SQLite would write */
        char path[64];
        assert_int_equal(system("rm -rf pool/.embedscope"), 0);
        RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
        snprintf(path, sizeof path, "pool/.embedscope/results.db-%s", beside[i]);
        (void)unlink(path);
        assert_int_equal(symlink("../../victim", path), 0);
        run_result r = RUN("estimate", "pool", "--estimator", "linear", "-q", "--refresh");
        assert_in_range(r.code, 0, 4);
    }
    assert_int_equal(system("rm -rf pool/.embedscope && mkdir elsewhere && ln -s ../elsewhere "
                            "pool/.embedscope"),
                     0);
    expect_error(RUN("estimate", "pool", "-q"), 3, "symbolic link");
    char *victim = slurp("victim");
    assert_string_equal(victim, "mine");
    assert_int_equal(rmdir("elsewhere"), 0); /* nothing was written into it */
}

static void put_be32(unsigned char *out, size_t value) {
    for (size_t i = 0; i < 4; i++)
        out[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* A journal as SQLite's file format has it, of no pages, that names a file to be deleted with it.
 */
static void write_journal(const char *path, const char *victim) {
    static const unsigned char magic[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    enum { SECTOR = 512, PAGE = 4096, LOCK_PAGE = 0x40000000 / PAGE + 1 };
    unsigned char bytes[SECTOR + 4 + PATH_ROOM + 16] = {0}, *at = bytes + SECTOR;
    size_t length = strlen(victim), sum = 0;
    const size_t head[] = {0, 1, 12, SECTOR, PAGE};
    memcpy(bytes, magic, sizeof magic);
    for (size_t i = 0; i < 5; i++)
        put_be32(bytes + sizeof magic + 4 * i, head[i]);
    put_be32(at, LOCK_PAGE);
    memcpy(at + 4, victim, length);
    for (size_t i = 0; i < length; i++)
        sum += (unsigned char)victim[i];
    put_be32(at + 4 + length, length);
    put_be32(at + 8 + length, sum);
    memcpy(at + 12 + length, magic, sizeof magic);
    write_file(path, bytes, SECTOR + 20 + length);
}

TEST(journal_of_a_store__deletes_nothing_and_blocks_nobody) {
    char victim[PATH_ROOM];
    estimate_pool();
    write_text("victim", "mine");
    (void)snprintf(victim, sizeof victim, "%s/victim", scratch);
    write_journal("pool/.embedscope/results.db-journal", victim);
    expect_error(RUN("estimate", "pool", "-q"), 3, "results.db|-journal");
    run_result r = RUN("rank", "pool", "-q");
    assert_in_range(r.code, 0, 4);
    char *text = slurp("victim");
    assert_non_null(text);
    (void)unlink("pool/.embedscope/results.db-journal");
    (void)unlink("pool/.embedscope/results.db-wal");
    assert_int_equal(mkfifo("pool/.embedscope/results.db-journal", 0600), 0);
    assert_int_equal(mkfifo("pool/.embedscope/results.db-wal", 0600), 0);
    expect_error(RUN("estimate", "pool", "-q"), 3, "results.db|-journal");
    r = RUN("rank", "pool", "-q");
    assert_in_range(r.code, 0, 4);
}

TEST(derived__follow_no_link) {
    estimate_pool();
    add_model("secret", "s", ROWS, 3, 9, 0.5);
    assert_int_equal(mkdir("pool/.embedscope/derived", 0700), 0);
    assert_int_equal(symlink("../../../secret/s.npy", "pool/.embedscope/derived/s.npy"), 0);
    assert_int_equal(mkfifo("pool/.embedscope/derived/pipe.json", 0600), 0);
    write_text("pool/.embedscope/derived/s.json",
               "{\"name\": \"taken\", \"file\": \"s.npy\", \"sources\": []}");
    run_result r = RUN_OK("info", "pool");
    assert_contains(r.out, "s.npy: is a symbolic link");
    assert_contains(r.out, "pipe.json: is not a regular file");
    assert_int_equal(system("rm -rf pool/.embedscope/derived"), 0);
    assert_int_equal(mkdir("elsewhere", 0700), 0);
    assert_int_equal(symlink("../../elsewhere", "pool/.embedscope/derived"), 0);
    expect_error(RUN("derive", "pool", "a", "--center"), 3, "derived|symbolic link");
    assert_int_equal(rmdir("elsewhere"), 0); /* nothing was written into it */
}

TEST(output__goes_where_it_is_sent_and_nowhere_else) {
    estimate_pool();
    run_result r = RUN_OK("matrix", "pool", "--csv", "-q");
    assert_string_equal(RUN_OK("matrix", "pool", "--csv", "-q", "-o", "/dev/stdout").out, r.out);
    assert_string_equal(RUN_OK("matrix", "pool", "--csv", "-q", "-o", "/dev/null").out, "");
    write_text("victim", "mine");
    assert_int_equal(symlink("victim", "link.csv"), 0);
    expect_error(RUN("matrix", "pool", "--csv", "-q", "-o", "link.csv"), 3, "link.csv");
    char *victim = slurp("victim");
    assert_string_equal(victim, "mine");
}
