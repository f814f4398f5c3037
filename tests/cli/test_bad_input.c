/* Every kind of bad input: one line that names it, the right exit code, nothing lost. */
#include "program.h"

#include <sys/resource.h>

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

/* ---- embedders that are left out ---- */

static void header_only(const char *path, const char *header, size_t bytes) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    write_npy_header(f, header);
    for (size_t i = 0; i < bytes; i++)
        fputc(0, f);
    assert_int_equal(fclose(f), 0);
}

/* A pool of four good embedders and a bad one. It is named with its reason, the others are used;
 * --strict refuses. */
static void check_excluded(const char *file, const char *words) {
    char strict[300];
    es_json_value root = RUN_JSON("info", "pool", "--json"), list, item;
    assert_ok(es_json_get(&root, "excluded", ES_JSON_ARRAY, ES_JSON_REQUIRED, &list, NULL));
    assert_int_equal(es_json_count(&list), 1);
    item = es_json_first(&list);
    const char *reason = NULL;
    assert_ok(es_json_get_text(&item, "reason", ES_JSON_REQUIRED, &reason, NULL));
    if (strstr(reason, words) == NULL)
        fail_msg("%s: '%s' is not in the reason: %s", file, words, reason);
    run_result r = RUN_OK("estimate", "pool", "--estimator", "linear", "--no-store", "--csv");
    assert_contains(r.err, words); /* never silently */
    assert_contains(r.out, "source,a,b,c,d10\n");
    (void)snprintf(strict, sizeof strict, "bad|%s", words);
    expect_error(RUN("estimate", "pool", "--no-store", "--strict", "-q"), 3, strict);
}

TEST(npy__bad__is_left_out) {
    static const struct {
        const char *header, *words;
        size_t bytes;
    } cases[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (240, 3), }", "", 100},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", "", 64},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (240,), }", "1", 240 * 8},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (240, 2, 2), }", "3", 240 * 32},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (240, 2), }", "object", 240 * 16},
        {"{'descr': '<U4', 'fortran_order': False, 'shape': (240, 2), }", "", 240 * 32},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4), }", "no values", 0},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (100, 2), }", "240", 100 * 16},
        {"{'descr': '<f8', 'shape': (240, 2)", "", 240 * 16},
    };
    make_pool("pool");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        header_only("pool/bad.npy", cases[i].header, cases[i].bytes);
        check_excluded(cases[i].header, cases[i].words);
    }
    write_text("pool/bad.npy", "\x93NUMPX not at all");
    check_excluded("wrong magic", "");
    write_text("pool/bad.npy", "");
    check_excluded("empty file", "");
}

/* NaN in row 7, column 2 (counted from 0 or 1, the message says). */
static void write_with_nan(void) {
    static double values[240 * 3];
    es_rng rng = test_rng(5, 5);
    for (size_t i = 0; i < 720; i++)
        values[i] = es_rng_normal(&rng);
    values[7 * 3 + 2] = (double)NAN;
    write_npy("pool/bad.npy", values, 240, 3);
}

TEST(nan__without_drop_rows__is_left_out) {
    make_pool("pool");
    write_with_nan();
    check_excluded("NaN", "row");
}

TEST(nan__with_drop_rows__loses_that_row_only) {
    make_pool("pool");
    write_with_nan();
    es_json_value root = RUN_JSON("info", "pool", "--drop-rows", "--json"), list, pool;
    uint64_t rows = 0;
    assert_ok(es_json_get(&root, "excluded", ES_JSON_ARRAY, ES_JSON_REQUIRED, &list, NULL));
    assert_int_equal(es_json_count(&list), 0);
    assert_ok(es_json_get(&root, "pool", ES_JSON_OBJECT, ES_JSON_REQUIRED, &pool, NULL));
    assert_ok(es_json_get_size(&pool, "rows", ES_JSON_REQUIRED, &rows, NULL));
    assert_int_equal(rows, 239);
}

/* ---- pools that cannot be used ---- */

/* What may have been meant as an embedder is named wherever the others are ranked; what embedscope
 * writes, and what is no matrix by any look, is not. */
TEST(unused__may_be_embedders__are_named) {
    make_pool("pool");
    write_text("pool/config.json", "[[\"a\", 1], [\"b\", 2]]");
    write_text("pool/kept.csv", "rank,model,score\n1,a,0.5\n");
    run_result r = RUN("estimate", "pool", "--estimator", "linear");
    assert_lacks(r.err, "not read");
    write_text("pool/rows.json", "[[1.5, 2], [3, 4]]");
    r = RUN_OK("rank", "pool");
    assert_contains(r.err, "not read as an embedder: rows.json; `embedscope info` explains why");
    write_text("pool/notes.txt", "Some words\nand more\n");
    r = RUN("rank", "pool");
    assert_contains(r.err, "not read as embedders: notes.txt, rows.json;");
    assert_lacks(r.err, "config.json");
    r = RUN("info", "pool");
    assert_contains(r.out, "rows.json  not used: a list of rows;");
}

TEST(pool__missing__is_bad_input) {
    expect_error(RUN("estimate", "nowhere"), 3, "nowhere");
    expect_error(RUN("rank", "nowhere/at/all"), 3, "nowhere/at/all");
    expect_error(RUN("./nowhere"), 3, "nowhere");
    write_text("file.txt", "x");
    expect_error(RUN("info", "file.txt"), 3, "file.txt");
}

TEST(pool__without_embedders__is_nothing_usable) {
    assert_int_equal(mkdir("pool", 0700), 0);
    expect_error(RUN("estimate", "pool"), 4, "pool");
    add_model("pool", "only", 240, 4, 1, 0.1);
    expect_error(RUN("estimate", "pool"), 4, "embedder");
    expect_error(RUN("rank", "pool"), 4, "embedder");
}

/* Why there is one only: others are left out, or nobody chose them, or there are none. */
TEST(pool__of_one_embedder__says_where_the_others_are) {
    make_pool("pool");
    expect_error(RUN("estimate", "pool", "--models", "a"), 4,
                 "pool: one embedder of 4 is selected by --models and --exclude, two are needed\n");
    add_model("one", "a", 240, 6, 1, 0.05);
    expect_error(RUN("estimate", "one"), 4, "one: there is one embedder, two are needed\n");
    add_model("one", "b", 100, 6, 1, 0.05);
    expect_error(RUN("estimate", "one"), 4, "`embedscope info` explains why others are excluded\n");
}

TEST(pool_json__wrong__names_the_place) {
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"{", "pool.json|line 1"},
        {"[1, 2]", "pool.json"},
        {"{\"models\": 3}", "pool.json|models"},
        {"{\"models\": [{\"name\": 7, \"file\": \"a.npy\"}]}", "pool.json|name"},
        {"{\"models\": [{\"name\": \"a\", \"file\": \"../a.npy\"}]}",
         "pool.json|models[0]|below the pool"},
        {"{\"models\": [{\"name\": \"a\", \"file\": \"/etc/passwd\"}]}",
         "pool.json|models[0]|below the pool"},
    };
    make_pool("pool");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text("pool/pool.json", cases[i].text);
        expect_error(RUN("info", "pool"), 3, cases[i].words);
        expect_error(RUN("estimate", "pool"), 3, cases[i].words);
    }
}

TEST(pool_json__missing_file__is_named) {
    make_pool("pool");
    write_text("pool/pool.json", "{\"models\": [{\"name\": \"x\", \"file\": \"a.npy\"},"
                                 "{\"name\": \"y\", \"file\": \"b.npy\"},"
                                 "{\"name\": \"gone\", \"file\": \"gone.npy\"}]}");
    run_result r = RUN("estimate", "pool", "--estimator", "linear", "--csv");
    if (r.code != 3) /* refused at once, or left out with its reason */
        expect_code(&r, 0);
    assert_contains(r.err, "gone.npy");
}

TEST(scores__wrong__names_the_place) {
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"model,t\na,1\nb,2\na,3\n", "scores.csv|a"},
        {"model,t\na,1\nb,good\n", "scores.csv|3"},
        {"model,t\na,\"1\n", "scores.csv"},
        {"model,t\na,1\nb,-9e307\n", "scores.csv|line 3|-9e+307"},
    };
    make_pool("pool");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text("pool/scores.csv", cases[i].text);
        run_result r = RUN_OK("info", "pool"); /* costs the file, not the embedders */
        assert_contains(r.out, "the scores are not used: scores.csv: ");
        RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
        expect_error(RUN("correlate", "pool", "-q"), 3, cases[i].words);
        r = RUN("correlate", "pool"); /* once */
        assert_lacks(r.err, "are not used");
    }
    write_text("pool/scores.csv", "model,\"t,1\"\n\"a\",0.5\nzebra,\"2\"\n");
    assert_contains(RUN_OK("info", "pool").out, "zebra"); /* in no embedder's name */
}

TEST(matrix_file__wrong__names_the_place) {
    static const struct {
        const char *text, *words;
        int code;
    } cases[] = {
        {"source,a,b\na,1,2\nc,3,4\n", "m.csv|c", 3},
        {"source,a,b\na,1,x\nb,3,4\n", "m.csv|x", 3},
        {"source,a,a\na,1,2\na,3,4\n", "m.csv|a", 3},
        {"source,a,b\na,1\nb,3,4\n", "m.csv", 3},
        {"source,a,b\na,,\nb,,\n", "m.csv", 4},
        {"", "m.csv", 3},
        {"source,a\na,1\n", "one embedder|two", 4},
        {"source,a,b\na,inf,2\nb,3,4\n", "line 2|inf", 3},
        {"source,a,b\na,1,2\nb,3,-inf\n", "line 3|inf", 3},
        {"source,a,b\na,1,2\nb,3,nan\n", "line 3|nan", 3},
        {"source,a,b\na,1,2\nb,3e30,1\n", "line 3, column 2|3e+30|scale", 3},
        {"source,a,b\na,1,2\nb,3,-1e-200\n", "line 3, column 3|-1e-200|scale", 3},
    };
    write_text("s.csv", "model,t\na,1\nb,2\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int code = cases[i].code;
        const char *words = cases[i].words;
        write_text("m.csv", cases[i].text);
        expect_error(RUN("rank", "--matrix", "m.csv"), code, words);
        expect_error(RUN("rank", "--matrix", "m.csv", "--curve"), code, words);
        expect_error(RUN("matrix", "--matrix", "m.csv"), code, words);
        expect_error(RUN("tree", "--matrix", "m.csv"), code, words);
        expect_error(RUN("tree", "--matrix", "m.csv", "--method=ward"), code, words);
        expect_error(RUN("compare", "--matrix", "m.csv", "a", "b"), code, words);
        expect_error(RUN("correlate", "--matrix", "m.csv", "--scores", "s.csv"), code, words);
    }
    expect_error(RUN("matrix", "--matrix", "none.csv"), 3, "none.csv");
}

/* ---- usage ---- */

TEST(usage__wrong__is_2) {
    make_pool("pool");
    expect_error(RUN("rank"), 2, "which pool?");
    expect_error(RUN("rank", "pool", "extra"), 2, "extra");
    expect_error(RUN("rank", "pool", "--jsno"), 2, "did you mean --json?");
    expect_error(RUN("rnak", "pool"), 2, "rnak");
    expect_error(RUN("rnak"), 2, "did you mean 'rank'?");
    expect_error(RUN("estimate", "pool", "--estimator", "liner"), 2, "liner|linear");
    expect_error(RUN("estimate", "pool", "--estimator", "linear", "--preset", "x"), 2, "x|default");
    expect_error(RUN("estimate", "pool", "--preset", "nope"), 2, "nope|default");
    expect_error(RUN("estimate", "pool", "--set", "target=maybe"), 2, "target=maybe");
    expect_error(RUN("estimate", "pool", "--estimator", "linear", "--set", "nope=1"), 2, "nope");
    expect_error(RUN("rank", "pool", "--set", "nope"), 2, "nope");
    expect_error(RUN("rank", "pool", "--matrix", "m.csv"), 2, "takes the place");
    expect_error(RUN("rank", "--matrix", "m.csv", "--models", "a*"), 2, "--models|--matrix");
    expect_error(RUN("doctor", "pool"), 2, "pool");
    expect_error(RUN("estimate", "pool", "--threads", "257"), 2, "from 0 to 256");
    expect_error(RUN("pool", "--theme", "nosuch"), 3, "no theme \"nosuch\"");
    expect_error(RUN("pool", "--theme", "nosuch"), 3, "there are ");
    expect_error(RUN("export", "pool", "ranking.pdf"), 2,
                 "write: embedscope export pool ranking -o ranking.pdf");
    expect_error(RUN("estimate", "pool", "-j", "4"), 2, "did you mean --threads");
    expect_error(RUN("pool", "rank"), 2,
                 "'rank' is a command, and comes first: embedscope rank pool");
    expect_error(RUN("compare", "a", "b"), 2, "embedscope compare POOL a b");
    run_result r = RUN_OK("estimate", "pool", "--estimator", "linear", "--rows", "9999");
    assert_contains(r.err, "--rows asks for 9999 of ");
    write_text("config", "sede = 1\n");
    expect_error(RUN("rank", "pool", "--config", "config"), 3, "config:1|seed");
    expect_error(RUN("rank", "pool", "--config", "none"), 3, "none");
}

/* What only whoever uses a value finds wrong is named with its line, too; what is typed is not, nor
 * what a message only advises. */
TEST(usage__config_file__is_blamed_for_what_it_says) {
    static const struct {
        const char *text, *says;
    } lines[] = {
        {"\nestimator = linera\n", "embedscope: config:2: no estimator 'linera'; there are"},
        {"preset = shrnk\n", "config:1: no preset 'shrnk'"},
        {"set = lambda=3 foo=1\nestimator = linear", "config:1: no setting 'foo'"},
        {"seed = 1\nfolds = 1000\n", "config:2: folds=1000: expected 1 to 100"},
        {"format = svg\n", "config:1: svg is a picture"},
        {"format = jsonl\n",
         "embedscope: config:1: jsonl is a format of matrices: use 'embedscope matrix"},
        {"models = zz\n", "config:1: pool: none of 4 embedders is selected"},
        {"set-rows = zz\n", "config:1: pool: no row of rows.csv is in the set 'zz'"},
        {"seed = 3\n", "embedscope: pool: no results are stored"}};
    make_pool("pool");
    es_buf *rows = test_buf();
    es_buf_puts(rows, "id,text,set\n");
    for (size_t i = 0; i < 240; i++)
        es_buf_printf(rows, "%zu,t,%s\n", i, i % 2 ? "odd" : "even");
    write_file("pool/rows.csv", rows->data, rows->length);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        write_text("config", lines[i].text);
        run_result r = RUN("rank", "pool", "--config", "config");
        assert_int_not_equal(r.code, 0);
        if (!strstr(r.err, lines[i].says))
            fail_msg("%s: %s", lines[i].text, r.err);
    }
    write_text("config", "estimator = linera\n");
    run_result r = RUN("rank", "pool", "--config", "config", "--estimator", "nope");
    assert_contains(r.err, "embedscope: no estimator 'nope'");
}

TEST(usage__config_file__gives_defaults) {
    make_pool("pool");
    assert_int_equal(mkdir("embedscope", 0700), 0); /* $XDG_CONFIG_HOME/embedscope/config */
    write_text("embedscope/config", "estimator = linear\nformat = csv\nno-store = yes\n");
    assert_int_equal(strncmp(RUN_OK("estimate", "pool").out, "source,a,b,c,d10\n", 17), 0);
    char *kept = slurp("embedscope/config");
    assert_string_equal(kept, "estimator = linear\nformat = csv\nno-store = yes\n");
}

/* ---- files and disks ---- */

/* Runs in a child that may not do what root may. Returns false when that is not possible here. */
static bool run_unprivileged(const char *const *arguments, run_result *r) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(97);
        if (access(ES_PROGRAM, X_OK) != 0)
            _exit(97);
        _exit(wait_program(start_program(arguments, "open/out", "open/err")));
    }
    r->code = wait_program(child);
    r->out = slurp("open/out");
    r->err = slurp("open/err");
    return r->code != 97 && r->code != 127 && r->out && r->err; /* 127: libraries out of reach */
}

static void prepare_unprivileged(void) {
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(mkdir("open", 0777), 0);
    assert_int_equal(chmod("open", 0777), 0);
    char path[PATH_ROOM];
    (void)snprintf(path, sizeof path, "%s/open", scratch);
    setenv("XDG_DATA_HOME", path, 1);
}

TEST(pool__unreadable_folder__is_bad_input) {
    run_result r = {0};
    prepare_unprivileged();
    make_pool("pool");
    assert_int_equal(chmod("pool", 0), 0);
    bool ran = run_unprivileged((const char *const[]){"info", "pool", NULL}, &r);
    setenv("XDG_DATA_HOME", scratch, 1);
    if (!ran) {
        skip();
    }
    expect_error(r, 3, "pool|ermission");
}

TEST(pool__read_only__keeps_results_elsewhere) {
    run_result r = {0};
    prepare_unprivileged();
    make_pool("pool");
    assert_int_equal(chmod("pool", 0555), 0);
    bool ran = run_unprivileged(
        (const char *const[]){"estimate", "pool", "--estimator", "linear", "--csv", NULL}, &r);
    if (!ran) {
        setenv("XDG_DATA_HOME", scratch, 1);
        skip();
    }
    expect_code(&r, 0);
    const char *first = r.out;
    assert_int_not_equal(access("pool/.embedscope", F_OK), 0);
    assert_int_equal(access("open/embedscope", F_OK), 0);
    assert_true(run_unprivileged(
        (const char *const[]){"matrix", "pool", "--estimator", "linear", "--csv", NULL}, &r));
    setenv("XDG_DATA_HOME", scratch, 1);
    expect_code(&r, 0);
    assert_string_equal(r.out, first);
}

TEST(output__full_device__is_an_error) {
    if (access("/dev/full", W_OK) != 0)
        skip();
    pid_t child = start_program((const char *const[]){"--help", NULL}, "/dev/full", ".stderr");
    run_result r = {
        .code = wait_program(child), .out = slurp("/dev/null"), .err = slurp(".stderr")};
    expect_error(r, 3, "standard output|No space left");
}

TEST(output__file__is_replaced_atomically_or_refused) {
    write_text("m.csv", "source,a,b,c\na,9,2,1\nb,3,9,1\nc,1,2,9\n");
    write_text("out.md", "old");
    assert_string_equal(RUN_OK("rank", "--matrix", "m.csv", "-o", "out.md").out, "");
    char *text = slurp("out.md");
    assert_int_equal(strncmp(text, "| rank", 6), 0); /* the ending picks the format */
    expect_error(RUN("rank", "--matrix", "m.csv", "-o", "none/out.md"), 3, "none/out.md");
}

/* Runs with files limited to `size` bytes: as a full disk, writes beyond fail. */
static run_result run_on_small_disk(size_t size) {
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = size;
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    run_result r = RUN("estimate", "pool", "--estimator", "linear", "--csv", "-q");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    (void)signal(SIGXFSZ, before);
    return r;
}

TEST(store__full_disk__is_refused_at_the_start) {
    make_pool("pool");
    expect_error(run_on_small_disk(12 * 1024), 3, "results.db|no space");
}

/* Full in the middle: the numbers are still printed, and the exit code says that they are lost. */
TEST(store__full_disk__says_so_and_goes_on_later) {
    for (unsigned i = 0; i < 12; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "m%u", i);
        add_model("pool", name, 900, 8, i, 0.2);
    }
    run_result r = run_on_small_disk(200 * 1024);
    assert_int_equal(strncmp(r.out, "source,m0,m1,m2,", 16), 0);
    const char *first = r.out;
    expect_error(r, 3, "results.db");
    assert_string_equal(RUN_OK("estimate", "pool", "--estimator", "linear", "--csv").out, first);
}

TEST(store__nothing_stored__is_4) {
    make_pool("pool");
    expect_error(RUN("rank", "pool"), 4, "embedscope estimate pool");
    expect_error(RUN("matrix", "pool", "--estimator", "linear"), 4,
                 "embedscope estimate pool --estimator linear");
    expect_error(RUN("pool"), 4, "embedscope estimate pool");
    expect_error(RUN("rank", "pool", "--no-store"), 4, "--no-store");
    assert_int_not_equal(access("pool/.embedscope", F_OK), 0); /* looking writes nothing */
}

/* What cannot be read is not "nothing stored", and a part of it is not the whole. */
TEST(store__damaged__is_said) {
    static const char *const commands[] = {"matrix", "rank"};
    enum { PAGE = 4096 };
    struct stat info;
    make_pool("pool");
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    int fd = open("pool/.embedscope/results.db", O_WRONLY);
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &info), 0);
    for (off_t at = PAGE; at < info.st_size; at++) /* the tables are listed on the first page */
        assert_int_equal(pwrite(fd, "\xff", 1, at), 1);
    assert_int_equal(close(fd), 0);
    for (size_t i = 0; i < 2; i++)
        expect_error(RUN(commands[i], "pool", "--estimator", "linear"), 3, "results.db|damaged");
}

TEST(names__with_escapes__never_reach_the_terminal) {
    make_pool("pool");
    add_model("pool", "x\x1b[31m\nred", 240, 3, 9, 0.3);
    run_result r = RUN_OK("estimate", "pool", "--estimator", "linear", "--format", "table");
    assert_null(strchr(r.out, '\x1b'));
    assert_null(strchr(r.err, '\x1b'));
    r = RUN("rank", "pool\x1b[2Jx");
    assert_int_equal(r.code, 3);
    assert_null(strchr(r.err, '\x1b'));
}

/* ---- what was meant otherwise ---- */

/* Refused, and the file as it was. */
static void refuses_to_write(const char *path, const char *words) {
    char *before = slurp(path);
    expect_error(RUN("matrix", "pool", "-o", path, "-q"), 2, words);
    char *after = slurp(path);
    assert_true((before == NULL) == (after == NULL));
    if (before && after)
        assert_string_equal(before, after);
}

TEST(output__onto_an_input__is_refused) {
    estimate_pool();
    write_text("pool/scores.csv", "model,task\na,1\nb,2\nc,3\nd10,4\n");
    refuses_to_write("pool/scores.csv", "pool/scores.csv|read from|another file");
    refuses_to_write("pool/labels.csv", "read from"); /* would become one */
    refuses_to_write("./pool/../pool/pool.json", "read from");
    refuses_to_write("pool/a.npz", "embedder");
    refuses_to_write("pool/.embedscope/results.db", "results");
    write_text("pool/vectors.csv", "1.5,2.5,3.5\n3.5,4.5,1.5\n5.5,6.5,2.5\n");
    refuses_to_write("pool/vectors.csv", "embedder");
    remove("pool/vectors.csv");
    RUN_OK("matrix", "pool", "-o", "m.csv", "-q");
    assert_int_equal(symlink("m.csv", "link.csv"), 0);
    expect_error(RUN("rank", "--matrix", "m.csv", "-o", "m.csv"), 2, "m.csv|--matrix");
    expect_error(RUN("rank", "--matrix", "link.csv", "-o", "m.csv"), 2, "m.csv|--matrix");
    expect_error(RUN("matrix", "pool", "--config", "m.csv", "-o", "m.csv"), 3, "m.csv");
    assert_int_equal(chdir("pool"), 0);
    expect_error(RUN("--csv", "-o", "scores.csv"), 2, "read from");
    assert_int_equal(chdir(".."), 0);
    RUN_OK("rank", "pool", "-q", "-o", "pool/ranking.csv"); /* no input */
}

TEST(output__format_and_ending__agree) {
    estimate_pool();
    expect_error(RUN("rank", "pool", "--csv", "-o", "x.json"), 2, "x.json|csv");
    expect_error(RUN("export", "pool", "matrix", "--format", "svg", "-o", "x.pdf"), 2, "pdf|svg");
    expect_error(RUN("rank", "pool", "--json=yes"), 2, "--json takes no value");
    assert_int_not_equal(access("x.json", F_OK), 0);
    assert_int_not_equal(access("x.pdf", F_OK), 0);
    RUN_OK("export", "pool", "matrix", "-o", "x.PDF", "-q");
    char *pdf = slurp("x.PDF");
    assert_true(pdf && strncmp(pdf, "%PDF", 4) == 0);
    write_text("config", "format = json\n"); /* a default: what is typed goes before it */
    RUN_OK("rank", "pool", "--config", "config", "-o", "x.csv", "-q");
    char *csv = slurp("x.csv");
    assert_true(csv && strncmp(csv, "rank,model", 10) == 0);
    /* and is nothing to what has no formats */
    RUN_OK("report", "pool", "--config", "config", "-o", "x.html", "-q");
    RUN_OK("slurm", "pool", "--config", "config", "-o", "x.sbatch", "-q");
    write_text("config", "\xEF\xBB\xBF"
                         "format = json\n");
    assert_int_equal(RUN_OK("rank", "pool", "--config", "config", "-q").out[0], '{');
    expect_error(RUN("report", "pool", "--json", "-o", "x.html"), 2, "HTML");
    expect_error(RUN("slurm", "pool", "--json"), 2, "no other format");
    make_pool("second");
    run_result r =
        RUN_OK("estimate", "pool", "second", "--config", "config", "--estimator", "linear", "-q");
    assert_lacks(r.out, "{"); /* no document after the other */
    expect_error(RUN("estimate", "pool", "second", "--json"), 2, "one pool");
}

/* One of several pools: the exit code has its reason beside it, whatever was asked. */
TEST(output__quiet__keeps_what_decides_the_code) {
    make_pool("pool");
    assert_int_equal(mkdir("empty", 0700), 0);
    run_result r = RUN_CODE(1, "estimate", "pool", "empty", "--estimator", "linear", "-q");
    assert_contains(r.err, "embedscope: empty: no embedders");
}

TEST(output__beside_a_file__says_what_is_idle) {
    write_text("m.csv", ",a,b,c\na,1,.5,.2\nb,.4,1,.3\nc,.1,.2,1\n");
    write_text("r.csv", "model,score\na,3\nb,2\nc,1\n");
    write_text("s.csv", "model,t\na,3\nb,2\nc,1\n");
    run_result r = RUN_OK("rank", "--matrix", "m.csv", "--estimator", "knife", "--set", "epochs=2");
    assert_contains(r.err, "--estimator has no effect here");
    assert_contains(r.err, "--set has no effect here");
    r = RUN("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--aggregate", "q75");
    assert_contains(r.err, "--aggregate has no effect here");
}

TEST(usage__unknown_task_and_no_training__are_errors) {
    estimate_pool();
    write_text("pool/scores.csv", "model,one,two\na,1,2\nb,2,1\nc,3,5\nd10,4,4\n");
    expect_error(RUN("correlate", "pool", "--task", "nosuch", "-q"), 2, "nosuch|'one', 'two'");
    expect_error(RUN("correlate", "pool", "--task", "on", "-q"), 2, "did you mean 'one'");
    expect_error(RUN("rank", "pool", "--task", "one"), 2, "--task|--score");
    run_result r = RUN_OK("correlate", "pool", "--task", "two", "-q", "--csv");
    assert_contains(r.out, "\ntwo,");
    assert_lacks(r.out, "\none,");
    expect_error(RUN("estimate", "pool", "--estimator", "knife", "--set", "epochs=0"), 2,
                 "epochs=0: expected 1");
    expect_error(RUN("rank", "pool", "--preset", "shrunk"), 4,
                 "those of linear default|`embedscope estimate pool --estimator linear --preset "
                 "shrunk`");
    RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
    r = RUN_OK("rank", "pool", "--preset",
               "default"); /* the predictive score is there, but not asked */
    assert_lacks(r.err, "not stored");
    assert_contains(r.err, "--preset");
}

/* The line explorer without a line and without a terminal: what README promises for either. */
TEST(plain__without_lines__prints_the_ranking) {
    make_pool("pool");
    expect_error(RUN("--plain", "pool"), 4, "no results");
    run_result r = RUN_OK("--plain", "--start", "--estimator", "linear", "pool");
    assert_contains(r.out, "The run is on.");
    assert_contains(r.out, "\nrank  model");
    static const char *const plain[] = {"--plain", "pool", NULL};
    if (access("/dev/full", W_OK) == 0) {
        pid_t child = start_program(plain, "/dev/full", ".stderr");
        assert_int_equal(wait_program(child), 3);
        char *said = slurp(".stderr");
        assert_contains(said, "standard output: No space left");
    }
    r = RUN("version");
    assert_string_equal(r.out, "embedscope " ES_VERSION "\n");
    r = RUN("help", "tree");
    run_result as_option = RUN("tree", "--help");
    expect_code(&r, 0);
    assert_string_equal(r.out, as_option.out);
    expect_error(RUN("help", "tre"), 2, "did you mean 'tree'");
}
