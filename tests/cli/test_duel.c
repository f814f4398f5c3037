/* `embedscope duel`: questions out, answers in, two people, and what is refused. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static void make_three(const char *path) {
    add_model(path, "a", 120, 6, 1, 0.4);
    add_model(path, "b", 120, 6, 2, 1.0);
    add_model(path, "c", 120, 6, 3, 1.6);
}

/* A document of the questions with this answer to each. */
static void answer_all(const char *questions, const char *answer, const char *file) {
    es_buf *out = test_buf();
    for (const char *line = questions; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        es_buf_add(out, line, length);
        es_buf_puts(out, line == questions ? "\n" : answer);
        if (line != questions)
            es_buf_putc(out, '\n');
        line += length + (line[length] == '\n');
    }
    write_text(file, out->data);
}

/* Named embedders need no results; questions are the same again, and those that are answered are
 * not asked again. */
TEST(duel__both_directions__named) {
    make_three("pool");
    run_result q = RUN_OK("duel", "pool", "--models", "a,b,c", "--questions", "12", "--csv", "-q");
    assert_int_equal(strncmp(q.out, "row,left,right,answer\n", 22), 0);
    run_result again = RUN("duel", "pool", "--models", "a,b,c", "--questions", "12", "--csv", "-q");
    assert_string_equal(q.out, again.out);
    again =
        RUN("duel", "pool", "--models", "a,b,c", "--questions", "12", "--csv", "-q", "--seed", "3");
    assert_string_not_equal(q.out, again.out);
    answer_all(q.out, "LEFT", "left.csv");
    run_result r =
        RUN_OK("duel", "pool", "--models", "a,b,c", "--answers", "left.csv", "--json", "-q");
    assert_contains(r.out, "\"counted\": 12");
    assert_contains(r.out, "\"sentence\": \"After 12 answers: ");
    assert_contains(r.out, "\"standing\": [");
    r = RUN_OK("duel", "pool", "--models", "a,b,c", "--answers", "left.csv", "--questions", "5",
               "--csv", "-q");
    for (char *line = strchr(r.out, '\n'); line && line[1] != '\0'; line = strchr(line + 1, '\n')) {
        char row[24] = "\n";
        strncat(row, line + 1, strcspn(line + 1, ",") + 1);
        assert_lacks(q.out, row);
    }
}

/* Answers lie in the pool, too, and count there. */
TEST(duel__pool__own_answers_count) {
    make_three("pool");
    run_result q = RUN("duel", "pool", "--models", "a,b", "--questions", "4", "--csv", "-q");
    answer_all(q.out, "h", "pool/duels.csv");
    run_result r = RUN_OK("duel", "pool", "--models", "a,b", "--json", "-q");
    assert_contains(r.out, "\"answers\": 4");
    assert_lacks(RUN_OK("info", "pool").out, "duels.csv"); /* it is no embedder */
}

/* A nearest neighbour that wins its duels: embedder `a` is right by construction. */
TEST(duel__standing__follows_the_answers) {
    make_three("pool");
    run_result one = RUN("duel", "pool", "--models", "a,b", "--questions", "10", "--csv", "-q");
    answer_all(one.out, "left", "l.csv");
    answer_all(one.out, "right", "r.csv");
    answer_all(one.out, "both", "e.csv");
    run_result l = RUN("duel", "pool", "--models", "a,b", "--answers", "l.csv", "--csv", "-q");
    run_result r = RUN("duel", "pool", "--models", "a,b", "--answers", "r.csv", "--csv", "-q");
    run_result e = RUN("duel", "pool", "--models", "a,b", "--answers", "e.csv", "--csv", "-q");
    double share[2], mirrored[2];
    char *at = strstr(l.out, "\na,");
    assert_non_null(at);
    share[0] = strtod(at + 3, NULL);
    share[1] = strtod(strstr(l.out, "\nb,") + 3, NULL);
    mirrored[0] = strtod(strstr(r.out, "\na,") + 3, NULL);
    mirrored[1] = strtod(strstr(r.out, "\nb,") + 3, NULL);
    assert_true(fabs(share[0] + share[1] - 1) < 1e-12);
    assert_true(fabs(share[0] - mirrored[1]) < 1e-12 && fabs(share[1] - mirrored[0]) < 1e-12);
    assert_contains(e.out, "\na,0.5,");
}

TEST(duel__two_people__agreement) {
    make_three("pool");
    run_result q = RUN("duel", "pool", "--models", "a,b", "--questions", "3", "--csv", "-q");
    answer_all(q.out, "left", "ana.csv");
    answer_all(q.out, "l", "ben.csv");
    run_result r = RUN_OK("duel", "pool", "--models", "a,b", "--answers", "ana.csv", "--answers",
                          "ben.csv", "--json", "-q");
    assert_contains(r.out, "\"a\": \"ana.csv\"");
    assert_contains(r.out, "\"b\": \"ben.csv\"");
    assert_contains(r.out, "\"equal\": 0");
    assert_contains(r.out, "\"questions_answered\": 3");
    /* a column does the same, and the second has the sides the other way round */
    char row[3][16];
    assert_int_equal(
        sscanf(strchr(q.out, '\n') + 1, "%15[0-9],%15[0-9],%15[0-9]", row[0], row[1], row[2]), 3);
    es_buf *file = test_buf();
    es_buf_printf(file, "answer,annotator,row,left,right\nleft,ana,%s,%s,%s\nright,ben,%s,%s,%s\n",
                  row[0], row[1], row[2], row[0], row[2], row[1]);
    write_text("both.csv", file->data);
    r = RUN_OK("duel", "pool", "--models", "a,b", "--answers", "both.csv");
    assert_contains(r.out, "ana and ben: 1 question in common, share of equal answers 1.00");
}

TEST(duel__mistakes__name_file_and_line) {
    make_three("pool");
    write_text("no.csv", "row,left,answer\n1,2,left\n");
    write_text("far.csv", "row,left,right,answer\n1,2,3,left\n4,5,1200,left\n");
    write_text("word.csv", "row,left,right,answer\n1,2,3,perhaps\n");
    write_text("same.csv", "row,left,right,answer\n1,2,2,left\n");
#define DUEL(file) RUN("duel", "pool", "--models", "a,b", "--answers", file)
    expect_error(DUEL("none.csv"), 3, "none.csv");
    expect_error(DUEL("no.csv"), 3, "no.csv: line 1: no column \"right\"");
    expect_error(DUEL("far.csv"), 3, "far.csv: line 3: right is \"1200\"");
    expect_error(DUEL("word.csv"), 3, "word.csv: line 2: answer is \"perhaps\"");
    expect_error(DUEL("same.csv"), 3, "same.csv: line 2: row, left and right");
    expect_error(RUN("duel"), 2, "pool");
    expect_error(RUN("duel", "pool"), 4, "embedscope estimate pool");
    expect_error(RUN("duel", "pool", "--models", "a", "--questions", "3"), 4, "two are needed");
    expect_error(RUN("duel", "pool", "--models", "a,b", "-o", "d.svg"), 2, "svg is a picture");
}

/* Candidates are those of the ranking; what the answers say stands in rank --explain and report. */
TEST(duel__ranking__says_what_duels_add) {
    for (unsigned i = 0; i < 7; i++) {
        char name[] = {'m', (char)('0' + i), '\0'};
        add_model("pool", name, 240, 5, 3 + i, 0.9);
    }
    RUN_OK("estimate", "pool", "-q");
    run_result q = RUN_OK("duel", "pool", "--questions", "6", "--csv", "-q");
    answer_all(q.out, "=", "pool/duels.csv");
    assert_contains(RUN_OK("rank", "pool", "--explain", "m0", "-q").out, "After 6 answers: ");
    RUN_OK("report", "pool", "-o", "page.html", "-q");
    char *page = slurp("page.html");
    assert_contains(page, "What your answers say of the candidates");
}

/* Of too few kinds the ranking names no candidates: all that are ranked are asked about, controls
 * not. */
TEST(duel__few_kinds__asks_about_all) {
    make_three("pool");
    add_model("pool", "noise", 120, 6, 9, 50.0);
    write_text("pool/families.csv", "model,family\nnoise,control\n");
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    assert_contains(RUN_OK("duel", "pool", "--questions", "3").out, "3 candidates");
}
