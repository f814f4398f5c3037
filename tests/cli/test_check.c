/* `embedscope check`: finds what is wrong in a store, and takes out that alone. */
#include <sqlite3.h>
#include <sys/stat.h>

#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static void sql(const char *text) {
    sqlite3 *db = NULL;
    char *problem = NULL;
    assert_int_equal(sqlite3_open("pool/.embedscope/results.db", &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &problem) != SQLITE_OK)
        fail_msg("%s", problem);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static int count(const char *text) {
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_open("pool/.embedscope/results.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, text, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    int out = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return out;
}

static void expect_text(run_result r, int code, const char *words) {
    expect_code(&r, code);
    if (strstr(r.out, words) == NULL)
        fail_msg("'%s' is not in: %s", words, r.out);
}

static double found(const char *json, const char *what) {
    es_json_value root = parse_json(json);
    double number = number_of(&root, what);
    return number;
}

TEST(check__good_store__finds_nothing) {
    estimate_pool();
    run_result r = RUN_OK("check", "pool", "-q");
    assert_contains(r.out, "16 of the 16 pairs");
    assert_contains(r.out, "16 the same");
    assert_contains(r.out, "nothing is wrong");
    r = RUN_OK("check", "pool", "-q", "--pairs", "3", "--json");
    check_json_tool(r.out);
    assert_true(found(r.out, "found") == 0);
    assert_true(strstr(r.out, "\"estimated\": 3,") == NULL); /* of 4 embedders 3 pairs miss one */
    expect_text(RUN("check", "pool", "-q", "--csv"), 0, "what,estimator,settings,seed,source");
}

TEST(check__nothing_to_check__says_why) {
    make_pool("pool");
    expect_error(RUN("check", "pool"), 4, "no results are stored");
    expect_error(RUN("check", "pool", "--no-store"), 2, "--no-store");
    expect_error(RUN("check", "missing"), 3, "missing");
}

TEST(check__damaged_rows__are_counted_and_taken_out) {
    estimate_pool();
    sql("UPDATE pair SET se = 9e999 WHERE id = 2;"
        "UPDATE pair SET source = x'00' WHERE id = 3;"
        "UPDATE pair SET run = 77 WHERE id = 4;"
        "UPDATE pmi SET value = x'0000' WHERE pair = 5;"
        "INSERT INTO pmi VALUES(999, x'00000000')");
    expect_text(RUN("check", "pool", "-q"), 1, "5 found, 0 repaired");
    assert_int_equal(count("SELECT count(*) FROM pair"), 16);
    expect_text(RUN("check", "pool", "-q", "--repair"), 0, "5 found, 5 repaired");
    assert_int_equal(count("SELECT count(*) FROM pair"), 12);
    assert_int_equal(count("SELECT count(*) FROM pmi"), 12);
    expect_text(RUN("check", "pool", "-q"), 0, "nothing is wrong");
    expect_text(RUN("estimate", "pool", "--estimator", "linear", "-q"), 0, "12 from the store");
}

/* Values per row that are short, gone or no numbers cost all pairs the error of rows. */
TEST(check__values_of_rows_that_are_not_whole__come_again) {
    static const char *const damage[] = {
        "UPDATE pmi SET value = substr(value, 1, 100) WHERE pair = 2",
        "DELETE FROM pmi WHERE pair = 2",
        "UPDATE pmi SET value = x'0000c0ff' || substr(value, 5) WHERE pair = 2"};
    static const char left_out[] = "The error from sampling rows is not included: 1 of 20 pairs is "
                                   "stored without values of single rows.";
    make_pool("pool");
    add_model("pool", "e", 240, 6, 5, 0.9); /* of five kinds: the ranking has intervals */
    expect_text(RUN("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q"), 0,
                "25 pairs: 25 estimated");
    run_result whole = RUN_OK("rank", "pool", "--csv", "-q");
    for (int k = 0; k < 6; k++) { /* repaired or not, estimating makes it again */
        sql("CREATE TABLE at AS SELECT id FROM pair WHERE source <> target LIMIT 1");
        char text[160];
        const char *where = strstr(damage[k % 3], "= 2");
        (void)snprintf(text, sizeof text, "%.*sIN at", (int)(where - damage[k % 3]), damage[k % 3]);
        sql(text);
        sql("DROP TABLE at");
        assert_contains(RUN_OK("rank", "pool", "--json", "-q").out, left_out);
        expect_text(RUN("check", "pool", "-q", "--pairs", "1"), 1, "1 found, 0 repaired");
        if (k < 3)
            expect_text(RUN("check", "pool", "-q", "--repair"), 0, "1 found, 1 repaired");
        expect_text(RUN("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q"), 0,
                    "24 from the store");
        expect_text(RUN("check", "pool", "-q", "--pairs", "0"), 0, "25 the same");
        assert_string_equal(RUN_OK("rank", "pool", "--csv", "-q").out, whole.out);
    }
}

/* Values of other contents under an embedder's digest, as a file rewritten while it was read left
 * them: one pair of the sample leads to all of them. */
TEST(check__values_of_other_contents__are_found_and_taken_out) {
    estimate_pool();
    sql("UPDATE pair SET is_ = is_ + 1e-13"
        " WHERE source = (SELECT source FROM pair WHERE id = 1)");
    run_result r = RUN_CODE(1, "check", "pool", "-q", "--json", "--pairs", "13");
    assert_true(found(r.out, "found") == 4);
    expect_text(RUN("check", "pool", "-q", "--repair", "--pairs", "13"), 0, "4 found, 4 repaired");
    assert_int_equal(count("SELECT count(*) FROM pair"), 12);
    expect_text(RUN("check", "pool", "-q", "--pairs", "0"), 0, "12 the same");
}

/* The two numbers are those that differ; what was not computed again is counted. */
TEST(check__part_that_differs__is_named) {
    estimate_pool();
    sql("CREATE TABLE one AS SELECT id FROM pair WHERE se > 0 LIMIT 1;"
        "UPDATE pair SET se = se * 2 WHERE id IN one");
    run_result r = RUN_CODE(1, "check", "pool", "-q", "--json", "--pairs", "0");
    es_json_value root = parse_json(r.out), list = member(&root, "findings", ES_JSON_ARRAY);
    es_json_value finding = es_json_first(&list);
    assert_string_equal(text_of(&finding, "what"), "a standard error that comes out otherwise");
    assert_true(fabs(number_of(&finding, "stored") - 2 * number_of(&finding, "again")) < 1e-12);
    sql("UPDATE pair SET se = se / 2 WHERE id IN one; DROP TABLE one;"
        "UPDATE pair SET h = h * 2 WHERE source = (SELECT source FROM pair WHERE id = 1)");
    expect_text(RUN("check", "pool", "-q", "--pairs", "0"), 1,
                "a target's entropy that comes out otherwise");
    sql("UPDATE pair SET h = h / 2 WHERE source = (SELECT source FROM pair WHERE id = 1)");
    expect_text(RUN("check", "pool", "-q", "--pairs", "4"), 0, "not computed again: ");
    expect_text(RUN("check", "pool", "-q", "--pairs", "0"), 0,
                "nothing is wrong in what was looked at\n");
}

/* Whichever embedder's contents were others, and in whichever role, the least sample meets them. */
TEST(check__least_sample__meets_every_embedder) {
    static const char *const role[] = {"source", "target"};
    estimate_pool();
    for (int k = 0; k < 8; k++) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       "UPDATE pair SET is_ = is_ + 1e-9 WHERE source <> target AND %s ="
                       " (SELECT DISTINCT source FROM pair ORDER BY source LIMIT 1 OFFSET %d)",
                       role[k % 2], k / 2);
        sql("CREATE TABLE kept AS SELECT id, is_ FROM pair");
        sql(text);
        expect_text(RUN("check", "pool", "-q", "--pairs", "1"), 1, "3 otherwise");
        sql("UPDATE pair SET is_ = (SELECT is_ FROM kept WHERE kept.id = pair.id); DROP TABLE "
            "kept");
    }
}

/* Of another build the last bits may differ, and no more. */
TEST(check__another_build__may_differ_a_little) {
    estimate_pool();
    sql("UPDATE provenance SET text = replace(text, '\"version\"', '\"edition\"');"
        "UPDATE pair SET is_ = is_ + 1e-9 WHERE id = 1");
    expect_text(RUN("check", "pool", "-q"), 0, "1 of another build or processor within 1e-09");
    sql("UPDATE pair SET is_ = is_ + 10 * se + 0.01 WHERE id = 1");
    expect_text(RUN("check", "pool", "-q"), 1, "1 otherwise");
}

/* Earlier versions knew a file by its size and time: what they stored of one that was replaced may
 * be of either contents. */
TEST(check__contents_believed_by_earlier_versions__are_taken_out) {
    char text[900], root[400];
    struct stat info;
    estimate_pool();
    assert_int_equal(stat("pool/a.npy", &info), 0);
    assert_non_null(getcwd(root, sizeof root - 16));
    (void)snprintf(root + strlen(root), 16, "/pool/a.npy");
    (void)snprintf(text, sizeof text,
                   "INSERT INTO digest VALUES(CAST('%s' AS BLOB), 'a', %lld, %lld,"
                   " x'00112233445566778899aabbccddeeff');"
                   "UPDATE pair SET source = x'00112233445566778899aabbccddeeff' WHERE id IN"
                   " (SELECT min(id) FROM pair GROUP BY target LIMIT 2)", /* of different targets */
                   root, (long long)info.st_size,
                   (long long)info.st_mtim.tv_sec * 1000000000 + (long long)info.st_mtim.tv_nsec);
    sql(text);
    expect_text(RUN("check", "pool", "-q"), 1, "same size and time");
    expect_text(RUN("check", "pool", "-q", "--repair"), 0, "1 found, 1 repaired");
    assert_int_equal(count("SELECT count(*) FROM pair"), 14);
    assert_int_equal(count("SELECT count(*) FROM digest"), 0);
    expect_text(RUN("check", "pool", "-q"), 0, "nothing is wrong");
}

/* Another process believes what this one has seen of a file, unless anything was done to it: its
 * size, its inode and the time of its last modification say nothing of that. */
TEST(looks__kept__notice_a_file_that_is_overwritten) {
    struct stat info;
    estimate_pool();
    (void)sleep(4); /* younger files are always read */
    expect_text(RUN("estimate", "pool", "--estimator", "linear", "--dry-run"), 0,
                " 0 pairs to estimate");
    RUN_OK("estimate", "pool", "-q", "--estimator", "linear");
    assert_int_equal(system("test $(ls embedscope/looks | wc -l) = 1"), 0);
    expect_text(RUN("estimate", "pool", "--estimator", "linear", "--dry-run"), 0,
                " 0 pairs to estimate");
    assert_int_equal(system("cp pool/a.npy kept"), 0);
    assert_int_equal(stat("pool/a.npy", &info), 0);
    assert_int_equal(system("head -c 100 /dev/zero | dd of=pool/a.npy bs=1 seek=1000 conv=notrunc"
                            " 2>/dev/null"),
                     0);
    const struct timespec then[2] = {info.st_atim, info.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, "pool/a.npy", then, 0), 0);
    expect_text(RUN("estimate", "pool", "--estimator", "linear", "--dry-run"), 0,
                " 7 pairs to estimate");
    assert_int_equal(system("cat kept >pool/a.npy"), 0);
    expect_text(RUN("estimate", "pool", "--estimator", "linear", "--dry-run"), 0,
                " 0 pairs to estimate");
    write_text("garbage", "no looks");
    assert_int_equal(system("cp garbage embedscope/looks/*"), 0);
    expect_text(RUN("estimate", "pool", "--estimator", "linear", "--dry-run"), 0,
                " 0 pairs to estimate");
    expect_text(RUN("check", "pool", "-q"), 0, "nothing is wrong");
}

TEST(check__settings_and_estimator__choose_whose_pairs) {
    estimate_pool();
    RUN_OK("estimate", "pool", "-q", "--estimator", "linear", "--preset", "shrunk", "--seed", "3");
    RUN_OK("estimate", "pool", "-q", "--estimator", "knife", "--set", "epochs=2");
    expect_text(RUN("check", "pool", "-q", "--pairs", "0"), 0, "48 the same");
    expect_text(RUN("check", "pool", "-q", "--pairs", "0", "--estimator", "linear"), 0,
                "32 the same");
    expect_text(RUN("check", "pool", "-q", "--pairs", "0", "--preset", "shrunk"), 0, "16 the same");
}

/* Of the estimator that is asked for all pairs may be there, by what it was. */
TEST(stored__pairs_of_another_version__are_told_from_this_one) {
    estimate_pool();
    sql("UPDATE run SET version = version + 1");
    expect_error(RUN("rank", "pool", "--estimator", "linear"), 4,
                 "those of linear default of another version of embedscope|embedscope estimate "
                 "pool");
}
