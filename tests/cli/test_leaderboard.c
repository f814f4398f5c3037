/* `embedscope leaderboard`: tables, folders of MTEB, pools, and what is refused. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static void write_board(const char *path) {
    es_buf *out = test_buf();
    es_buf_puts(out, "model,t1,t2,t3,t4,t5,t6,t7 \xe2\x86\x93\n");
    for (size_t i = 0; i < 6; i++) {
        es_buf_printf(out, "m%zu", i);
        for (size_t t = 0; t < 6; t++)
            es_buf_printf(out, ",%g", 0.9 - 0.1 * (double)i + 0.01 * (double)((i * 5 + t * 3) % 7));
        es_buf_printf(out, ",%g\n", 1 + (double)i);
    }
    write_text(path, out->data);
}

TEST(leaderboard__table__every_format) {
    write_board("board.csv");
    run_result r = RUN_OK("leaderboard", "board.csv");
    assert_contains(r.out, "Best of these: m0.");
    assert_contains(r.out, "of percentiles within tasks");
    r = RUN_OK("leaderboard", "board.csv", "--csv");
    assert_contains(r.out, "rank,model,mean,rank_low,rank_high,in_best_set,group,tasks");
    assert_contains(r.out, "\n1,m0,100,1,");
    static const char *const files[] = {"b.json", "b.tex", "b.md", "b.svg", "b.pdf", "b.png"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        RUN_OK("export", "board.csv", "leaderboard", "-o", files[i]);
        assert_int_equal(access(files[i], R_OK), 0);
    }
}

/* Controls take no part, and what the rows say stands beside. */
TEST(leaderboard__pool__rows_beside) {
    static const char *const names[] = {"a", "b", "c", "d", "e", "noise"};
    es_buf *scores = test_buf();
    es_buf_puts(scores, "model,t1,t2,t3,t4,t5,t6\n");
    for (size_t i = 0; i < 6; i++) {
        add_model("pool", names[i], 200, 5, 3 + i, 0.3 + 0.2 * (double)i);
        es_buf_printf(scores, "%s,%g,%g,%g,%g,%g,%g\n", names[i], 0.9 - 0.1 * (double)i,
                      0.8 - 0.1 * (double)i, 0.7, 0.6 - 0.01 * (double)i, 0.5, 0.4);
    }
    write_text("pool/scores.csv", scores->data);
    write_text("pool/families.csv", "model,family\nnoise,control\n");
    run_result r = RUN_OK("leaderboard", "pool", "--csv", "-q");
    assert_lacks(r.out, "noise");
    assert_contains(r.out, ",,\n"); /* nothing is stored */
    RUN_OK("estimate", "pool", "-q");
    r = RUN_OK("leaderboard", "pool", "-q");
    assert_contains(r.out, "your own rows");
    assert_contains(r.out, "  with\n");
    write_text("other.csv", "model,u,v\na,1,2\nb,3,1\nc,2,5\n");
    r = RUN_OK("leaderboard", "pool", "--scores", "other.csv", "--csv", "-q");
    assert_contains(r.out, "1,c,3.5,");
    assert_lacks(r.out, ",d,");
    r = RUN_OK("rank", "pool", "--explain", "a", "b", "-q"); /* of two embedders, both */
    assert_contains(r.out, "Your scores: a leads b by ");
    r = RUN_OK("rank", "pool", "--explain", "a", "b", "--json", "-q");
    assert_contains(r.out, "\"board\": \"a leads b by ");
}

/* A pool's ranking without a word downstream says why; NULL: it has one. */
TEST(rank__scores_that_do_not_count__are_noted) {
    static const struct {
        const char *scores, *note;
    } cases[] = {{"model,t\na,1\nb,2\n", "downstream is left out: fewer than three"},
                 {"model,t\na,1\nb,1\nc,1\nd,1\ne,1\n", "downstream is left out"},
                 {"model,t\na,1\nb,2\nc,3\n", NULL}};
    for (size_t i = 0; i < 5; i++)
        add_model("pool", (const char[]){(char)('a' + i), '\0'}, 200, 5, 3 + i, 0.3);
    RUN_OK("estimate", "pool", "-q", "--estimator", "linear", "--preset", "shrunk");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text("s.csv", cases[i].scores);
        run_result r = RUN_OK("rank", "pool", "--scores", "s.csv");
        if (cases[i].note)
            assert_contains(r.err, cases[i].note);
        assert_int_equal(strstr(r.out, "Downstream (1 task)") == NULL, cases[i].note != NULL);
    }
}

/* Tasks, their tree and two models, in every format. */
TEST(leaderboard__tasks_and_models__every_format) {
    static const char *const views[] = {"task-correlation", "task-tree", "versus"};
    static const char *const endings[] = {"csv", "json", "tex", "md", "html", "svg", "pdf", "png"};
    write_board("board.csv");
    for (size_t v = 0; v < 3; v++)
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
            char file[40];
            (void)snprintf(file, sizeof file, "%s.%s", views[v], endings[k]);
            run_result r =
                v == 2 ? RUN("export", "board.csv", views[v], "--models", "m0,m3", "-o", file)
                       : RUN("export", "board.csv", views[v], "-o", file);
            expect_code(&r, 0);
            assert_int_equal(access(file, R_OK), 0);
        }
    run_result r = RUN_OK("leaderboard", "board.csv", "m0", "m3", "--csv");
    assert_contains(r.out, "task,a,b,difference,leads,category\n");
    assert_contains(r.out, "t7 \xe2\x86\x93,1,4,60,m0,\n"); /* percentiles: 100 less 40 */
    r = RUN_OK("leaderboard", "board.csv", "--by-task", "--against", "t1", "--csv");
    assert_lacks(r.out, "\nt1,");
    r = RUN_OK("board.csv", "--format", "html"); /* without a terminal, and without the command */
    assert_contains(r.out, "<div class=\"embedscope\">");
    assert_contains(r.out, "<th scope=\"col\">ranks</th>");
}

TEST(leaderboard__mistakes__name_the_remedy) {
    write_text("one.csv", "model,t1\na,1\n");
    expect_error(RUN("leaderboard"), 2, "which table");
    expect_error(RUN("leaderboard", "nosuch.csv"), 3, "nosuch.csv");
    expect_error(RUN("leaderboard", "one.csv"), 4, "at least two models");
    expect_error(RUN("one.csv"), 4, "at least two models");
    write_board("board.csv");
    expect_error(RUN("leaderboard", "board.csv", "m0"), 2, "Name two");
    expect_error(RUN("leaderboard", "board.csv", "m0", "m0"), 2, "twice");
    expect_error(RUN("leaderboard", "board.csv", "m0", "m9"), 2, "no model is called 'm9'");
    expect_error(RUN("leaderboard", "board.csv", "--against", "t1"), 2, "goes with --by-task");
    expect_error(RUN("leaderboard", "board.csv", "--by-task", "--against", "t9"), 2, "'t9'");
    expect_error(RUN("leaderboard", "board.csv", "--by-task", "m0", "m1"), 2, "ask for one");
    expect_error(RUN("leaderboard", "board.csv", "--method", "louvain"), 2, "--method average");
    expect_error(RUN("leaderboard", "one.csv", "--by-task"), 4, "at least two models");
    expect_error(RUN("matrix", "board.csv", "--format", "html"), 2, "leaderboard");
    assert_int_equal(mkdir("empty", 0700), 0);
    write_text("empty/pool.json", "{}");
    expect_error(RUN("leaderboard", "empty"), 4, "empty: no embedders");
}
