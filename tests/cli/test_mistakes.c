/* Mistyped command lines: each is answered with what to type instead. */
#include "program.h"

/* A stored pool "pool" with scores, a table of scores, and one file of an embedder. */
static int make_places(void **state) {
    if (empty_scratch(state) != 0)
        return -1;
    estimate_pool();
    write_text("board.csv", "model,t1,t2\na,1,4\nb,2,3\nc,3,1\n");
    add_model(".", "one", 240, 6, 1, 0.05);
    return 0;
}

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(make_places, NULL);

TEST(mistakes__each__name_what_to_type) {
    static const struct {
        const char *words[8];
        int code;
        const char *says;
    } rows[] = {
        {{"pool", "rank"}, 2, "'rank' is a command, and comes first: embedscope rank pool"},
        {{"pool", "tree", "--method", "ward"}, 2, "comes first: embedscope tree pool"},
        {{"compare", "a", "b"}, 2, "which pool?|embedscope compare POOL a b"},
        {{"compare", "pool", "a"}, 2, "embedscope compare POOL A B"},
        {{"rows", "a", "b"}, 2, "which pool?|embedscope rows POOL a b"},
        {{"export", "pool", "heatmap"}, 2, "-o matrix.pdf|--format csv"},
        {{"export", "pool", "ranking.pdf"}, 2, "embedscope export pool ranking -o ranking.pdf"},
        {{"nosuch/near-name"}, 3, "nosuch/near-name: there is no folder 'nosuch'"},
        {{"poool"}, 3, "poool: no such folder; did you mean 'pool'?"},
        {{"rank", "./poool"}, 3, "no such folder; did you mean './pool'?"},
        {{"rank", "poll/part"}, 3, "no such folder; did you mean 'pool/part'?"},
        {{"rnak", "pool"}, 2, "did you mean 'rank'?"},
        {{"Rank", "pool"}, 2, "did you mean 'rank'?"},
        {{"zzzzzz"}, 3, "no such folder or command|embedscope --help"},
        {{"rank", "pool", "-n", "5"}, 2, "embedscope rank POOL --csv | head -n 6"},
        {{"rank", "pool", "--top", "5"}, 2, "embedscope rank POOL --csv | head -n 6"},
        {{"rank", "pool", "-j", "4"}, 2, "did you mean --threads N?"},
        {{"rows", "pool", "a", "b", "-n", "5"}, 2, "did you mean --top N?"},
        {{"export", "pool", "matrix", "--theme", "solarized", "-o", "m.svg"},
         2,
         "did you mean \"solarized-light\"?"},
        {{"measure", "pool", "kca"}, 2, "no measure 'kca'; did you mean 'cka'?"},
        {{"measure", "cka"}, 2, "embedscope measure POOL cka"},
        {{"rank", "board.csv"}, 2, "embedscope leaderboard board.csv"},
        {{"one.npy"}, 2, "a pool is the folder that holds them all: embedscope ."},
        {{"rank", "pool/a.npy"},
         2,
         "a pool is the folder that holds them all: embedscope rank pool"},
        {{"rank", "pool", "nowhere"}, 2, "'nowhere' is not a folder: rank takes pools"},
        {{"help", "estimatr"}, 2, "did you mean 'estimate'?"},
        {{"rank", "--help=nothing"}, 2, "no command or topic is called 'nothing'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_error(run_list(rows[i].words), rows[i].code, rows[i].says);
}

/* Words that mean the same, and files in place of their folder. */
TEST(words__of_the_explorer__are_commands) {
    static const char *const same[][2] = {
        {"rank", "ranking"}, {"matrix", "heatmap"}, {"correlate", "corr"}};
    write_text("pool/scores.csv", "model,t\na,1\nb,2\nc,3\nd10,4\n");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        run_result a = RUN(same[i][0], "pool", "--csv"), b = RUN(same[i][1], "pool", "--csv");
        expect_code(&a, 0);
        expect_code(&b, 0);
        assert_string_equal(a.out, b.out);
    }
    RUN_OK("measure", "pool", "CKA", "--csv", "-q");
}

TEST(files__of_embedders__are_a_pool) {
    run_result files = RUN("rank", "./pool/a.npy", "pool/b.npy", "pool/c.npy", "--csv", "-q"),
               folder = RUN("rank", "pool", "--models", "a,b,c", "--csv", "-q");
    expect_code(&files, 0);
    expect_code(&folder, 0);
    assert_contains(files.out, "a");
    assert_string_equal(files.out, folder.out);
    /* of several folders: named below the one that holds them all */
    assert_int_equal(mkdir("pool/deep", 0700), 0);
    add_model("pool/deep", "e", 240, 6, 9, 0.05);
    run_result r = RUN_OK("estimate", "pool/a.npy", "pool/deep/e.npy", "--csv", "-q");
    assert_contains(r.out, ",a,deep/e\n");
    assert_int_equal(chdir("pool"), 0);
    RUN_OK("rank", "a.npy", "b.npy", "--csv", "-q");
    assert_int_equal(chdir(".."), 0);
}

/* Files that do not fit the others are left out with what would mend them. */
TEST(files__that_do_not_fit__name_the_remedy) {
    enum { ROWS = 240, OTHERS = 30 };
    add_model("pool", "short", ROWS - 1, 6, 5, 0.1);
    double *values = test_keep(es_alloc_zero((size_t)ROWS * OTHERS, sizeof *values), es_free);
    write_npy("pool/turned.npy", values, OTHERS, ROWS);
    run_result r = RUN_OK("info", "pool");
    assert_contains(r.out, "1 row missing");
    assert_contains(r.out, "it is transposed");
    assert_contains(r.out, "np.save('pool/turned-turned.npy', np.load('pool/turned.npy').T)");
}
