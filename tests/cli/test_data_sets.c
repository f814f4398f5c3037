/* `embedscope rank` and `correlate` of several pools: one quality in all, embedders that are
 * missing, a data set of noise, what cannot be put together. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

enum { MODELS = 6 };
static const char *const names[MODELS] = {"a", "b", "c", "d", "e", "f"};
static const double noise[MODELS] = {0.4, 1.2, 1.8, 2.4, 3.1, 4.2};

static void estimate(const char *pool) {
    RUN_OK("estimate", pool, "--estimator", "linear", "--preset", "shrunk", "-q");
}

/* The noisier, the less it predicts; with these mixtures in each of the data sets. */
static void make_set(const char *pool, size_t rows, size_t from, double more) {
    for (size_t i = from; i < MODELS; i++)
        add_model(pool, names[i], rows, 8, 9000 + rows + i, noise[i] + more);
    estimate(pool);
}

static es_json_value nth(const es_json_value *list, size_t n) {
    es_json_value v = es_json_first(list);
    while (n-- > 0)
        v = es_json_next(&v);
    return v;
}

static void require_order(const char *json, const char *order) {
    es_json_value root = parse_json(json), list = member(&root, "ranking", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), strlen(order));
    for (size_t k = 0; order[k]; k++) {
        es_json_value row = nth(&list, k);
        const char expected[] = {order[k], '\0'};
        assert_string_equal(text_of(&row, "model"), expected);
    }
}

/* A name need be in one of them. */
TEST(rank__names__are_somebodys) {
    make_set("one", 300, 0, 0);
    make_set("two", 340, 1, 0); /* has no a */
    RUN_OK("rank", "one", "two", "--models", "a,b,c,d", "--json");
    expect_error(RUN("rank", "one", "two", "--models", "a,b,c,x"), 2, "no embedder is called 'x'");
    expect_error(RUN("rank", "one", "--models", "b,c,dd"), 2,
                 "no embedder is called 'dd'|did you mean 'd'?");
    expect_error(RUN("rank", "one", "--models", "b,c,x*"), 2, "--models: nothing matches 'x*'");
    run_result r = RUN_OK("rank", "one", "--exclude", "x*"); /* as one for many pools may */
    assert_contains(r.err, "note: --exclude: nothing matches 'x*'");
    expect_error(RUN("estimate", "one", "two", "--models", "a,b,c,x", "-q"), 2, "called 'x'");
    r = RUN("estimate", "one", "two", "--models", "a,b,c,x"); /* before any is estimated */
    assert_lacks(r.err, "of 2)");
    assert_string_equal(r.out, "");
    write_text("one/broken.npy", "no numbers");
    RUN_OK("rank", "one", "--exclude", "broken", "--models", "*");
    write_text("names.conf", "exclude = x,y*\n");
    r = RUN_OK("rank", "one", "--config", "names.conf");
    assert_contains(r.err, "note: exclude of the configuration file: no embedder is called "
                           "'x'");
    assert_contains(r.err, "nothing matches 'y*'");
}

TEST(rank__several_pools__are_one_ranking) {
    make_set("one", 300, 0, 0);
    make_set("two", 340, 0, 0);
    make_set("three", 380, 0, 0);
    run_result r = RUN_OK("rank", "one", "two", "three", "--json");
    check_json_tool(r.out);
    require_order(r.out, "abcdef");
    es_json_value root = parse_json(r.out), list = member(&root, "ranking", ES_JSON_ARRAY);
    es_json_value first = nth(&list, 0), line = member(&root, "bottom_line", ES_JSON_OBJECT);
    assert_true(number_of(&first, "in") == 3);
    assert_true(number_of(&first, "ci_low") <= number_of(&first, "share"));
    assert_string_equal(text_of(&line, "best"), "a");
    assert_contains(text_of(&line, "sentence"), "nothing can be said: that takes 5.");
    assert_int_equal(count_of(&root, "pools"), 3);
    r = RUN_OK("rank", "one", "two", "three");
    assert_contains(r.out, "Over 3 data sets ");
    assert_contains(r.out, " % of the others");
    assert_contains(r.out, "  one ");
}

/* "const" for its constant columns, in each pool. */
static void expect_excluded(const es_json_value *of, size_t count) {
    es_json_value list = member(of, "excluded", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), count);
    for (size_t k = 0; k < count; k++) {
        es_json_value one = nth(&list, k);
        assert_string_equal(text_of(&one, "name"), "const");
        assert_contains(text_of(&one, "reason"), "constant");
    }
}

static void expect_excluded_of_pools(const es_json_value *root, size_t first, size_t second) {
    es_json_value pools = member(root, "pools", ES_JSON_ARRAY), one = nth(&pools, 0),
                  two = nth(&pools, 1), origin = member(&one, "provenance", ES_JSON_OBJECT);
    assert_int_equal(es_json_count(&pools), 2);
    expect_excluded(&one, first);
    expect_excluded(&two, second);
    (void)member(&origin, "digests", ES_JSON_OBJECT);
    es_json_value settings = member(&origin, "settings", ES_JSON_OBJECT);
    assert_true(es_json_count(&settings) > 0);
}

/* Who is left out of which pool, and why, with the settings and digests of each: in the document
 * and in what is written beside an export. */
TEST(sets__who_is_left_out__is_said_of_each_pool) {
    static const double ones[340 * 4];
    make_set("one", 300, 0, 0);
    make_set("two", 340, 0, 0);
    write_npy("two/const.npy", ones, 340, 4);
    run_result r = RUN_OK("rank", "one", "two", "--json", "-q");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out);
    expect_excluded_of_pools(&root, 0, 1);
    write_npy("one/const.npy", ones, 300, 4);
    RUN_OK("export", "one", "two", "ranking", "-o", "both.csv", "-q");
    char *meta = slurp("both.csv.meta.json");
    root = parse_json(meta);
    expect_excluded_of_pools(&root, 1, 1);
    expect_excluded(&root, 2);
    r = RUN_OK("export", "one", "two", "ranking", "--format", "md", "-q");
    assert_contains(r.out, "Excluded of one: const (");
    assert_contains(r.out, "Excluded of two: const (");
}

/* Those that are left do not rise where the better ones are missing. */
TEST(rank__missing_in_one__changes_no_order) {
    make_set("one", 300, 0, 0);
    make_set("two", 340, 3, 0);
    require_order(RUN_OK("rank", "one", "two", "--json").out, "abcdef");
}

/* The best of three data sets is not one that a single one holds. */
TEST(rank__in_one_of_three__is_not_the_best) {
    make_set("one", 300, 0, 0);
    make_set("two", 340, 3, 0);
    make_set("three", 380, 3, 0);
    run_result r = RUN_OK("rank", "one", "two", "three", "--json");
    check_json_tool(r.out);
    require_order(r.out, "abcdef");
    es_json_value root = parse_json(r.out), line = member(&root, "bottom_line", ES_JSON_OBJECT);
    const char *said = text_of(&line, "sentence");
    assert_string_equal(text_of(&line, "best"), "d");
    assert_contains(said, "Over 3 data sets the first of those in 2 or more is d: ");
    assert_contains(said, " a comes before ");
    assert_contains(said, "%, but is in 1 of 3 only; so are 2 more. Then e (");
}

/* Who is not named, since it is in too few, is said. */
TEST(rank__last_in_one_of_three__is_passed_over_with_a_word) {
    make_set("one", 300, 0, 0);
    make_set("two", 340, 0, 0);
    make_set("three", 380, 0, 0);
    assert_int_equal(unlink("two/f.npy"), 0);
    assert_int_equal(unlink("three/f.npy"), 0);
    run_result r = RUN_OK("rank", "one", "two", "three", "--json");
    assert_contains(r.out, "f is ranked but not named here: it is in 1 of 3 only.");
    assert_int_equal(unlink("two/e.npy"), 0);
    assert_int_equal(unlink("three/e.npy"), 0);
    r = RUN_OK("rank", "one", "two", "three", "--json");
    assert_contains(
        r.out, "e and 1 more are ranked but not named here: they are in fewer than 2 of the 3.");
}

TEST(rank__a_set_of_noise__does_not_move_the_bottom_line) {
    make_set("one", 300, 0, 0);
    make_set("two", 340, 0, 0);
    make_set("noise", 320, 0, 1e6);
    run_result r =
        RUN_CODE(1, "rank", "noise", "one", "two", "--json"); /* it is left out, which is said */
    require_order(r.out, "abcdef");
    assert_contains(r.err, "note: left out: noise: No embedder predicts anything of "
                           "another on these rows, so nothing can be ranked.");
    assert_contains(r.out, "Without noise: there is no ranking there.");
    assert_lacks(r.err, "run `");
    expect_error(RUN("rank", "noise", "noise"), 4, "noise: No embedder predicts anything");
    r = RUN_OK("rank", "one", "two", "one", "one", "one",
               "--json"); /* one is one data set, however often */
    assert_contains(r.out, "3 of the data sets repeat another one, number for number.");
    assert_contains(r.out, "nothing can be said: that takes 5 that differ.");
}

TEST(correlate__several_pools__stand_against_tasks) {
    make_set("one", 300, 0, 0);
    make_set("two", 340, 0, 0);
    write_text("s.csv", "model,up,down\na,6,1\nb,5,2\nc,4,3\nd,3,4\ne,2,5\nf,1,6\n");
    run_result r = RUN_OK("correlate", "one", "two", "--scores", "s.csv", "--json");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), list = member(&root, "correlations", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list),
                     12); /* two tasks, their mean rank and mean; one, two, all */
    for (size_t k = 0; k < 12; k++) {
        es_json_value one = nth(&list, k);
        double sign = strcmp(text_of(&one, "task"), "down") == 0 ? -1 : 1;
        if (strncmp(text_of(&one, "task"), "mean", 4) != 0)
            assert_true(sign * number_of(&one, "spearman") > 0.7);
        assert_true(number_of(&one, "n") == MODELS);
    }
    /* the combination, as `rank` has it, and what it says of the tasks */
    run_result rank = RUN_OK("rank", "one", "two", "--json");
    char *from = strstr(rank.out, "\n  \"ranking\": ["),
         *end = from ? strstr(from, "\n  ],") : NULL;
    assert_non_null(end);
    *end = '\0';
    assert_contains(r.out, from);
    list = member(&root, "ranking", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), MODELS);
    for (size_t k = 0; k < MODELS; k++) {
        es_json_value one = nth(&list, k);
        assert_true(number_of(&one, "score") == number_of(&one, "share"));
    }
    list = member(&root, "tasks", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 2);
    es_json_value up = nth(&list, 0), all = member(&root, "correlations", ES_JSON_ARRAY);
    all = nth(&all, 8); /* four columns each of one, two, all */
    assert_string_equal(text_of(&up, "task"), text_of(&all, "task"));
    assert_true(number_of(&up, "spearman") == number_of(&all, "spearman"));
    assert_true(number_of(&up, "p_permutation") < 0.2);
    es_json_value lone = member(&root, "unmatched", ES_JSON_OBJECT);
    assert_int_equal(count_of(&lone, "ranking"), 0);
    r = RUN_CODE(2, "correlate", "one", "two");
    assert_contains(r.err, "--scores FILE");
}

TEST(sets__what_does_not_go_together__is_said) {
    make_set("one", 300, 0, 0);
    add_model("other", "x", 240, 6, 1, 0.05);
    add_model("other", "y", 240, 6, 2, 0.05);
    estimate("other");
    expect_error(RUN("rank", "one", "other", "-q"), 4,
                 "other: Two embedders: a third is needed to rank.");
    add_model("other", "z", 240, 6, 3, 0.05);
    estimate("other");
    run_result r = RUN_CODE(4, "rank", "one", "other");
    assert_contains(r.err, "no embedder is in two of the data sets");
    r = RUN_CODE(2, "rank", "one", "other", "--curve");
    r = RUN_CODE(2, "rank", "one", "other", "--score", "cka");
    r = RUN_CODE(2, "rank", "one", "nowhere");
    assert_contains(r.err, "'nowhere' is not a folder");
}

/* rows.csv that puts each third of the rows into a set of its own. */
static void write_sets(const char *pool, size_t rows) {
    static const char *const set[] = {"stsb", "sick", "news"};
    char path[PATH_ROOM];
    es_buf *text = test_buf();
    es_buf_puts(text, "id,text,set\n");
    for (size_t r = 0; r < rows; r++)
        es_buf_printf(text, "%zu,\"row %zu\",%s\n", r, r, set[r * 3 / rows]);
    assert_false(text->failed);
    (void)snprintf(path, sizeof path, "%s/rows.csv", pool);
    write_text(path, text->data);
}

static void estimate_sets(const char *pool, const char *set) {
    RUN_OK("estimate", pool, "--estimator", "linear", "--preset", "shrunk", "-q", "--set-rows",
           set);
}

/* The matrix of a document, without what says where it comes from. */
static char *matrix_of(const char *pool, const char *set) {
    run_result r =
        set ? RUN("matrix", pool, "--estimator", "linear", "--preset", "shrunk", "--csv",
                  "--set-rows", set)
            : RUN("matrix", pool, "--estimator", "linear", "--preset", "shrunk", "--csv");
    expect_code(&r, 0);
    return r.out;
}

enum { WHOLE = 900, PART = WHOLE / 3, COLUMNS = 8 };

/* `rows` rows of the pool "whole", from row `begin` on, as a pool. */
static void make_part(const char *pool, size_t begin, size_t rows) {
    assert_int_equal(mkdir(pool, 0700), 0);
    for (size_t i = 0; i < MODELS; i++) {
        char from[PATH_ROOM], to[PATH_ROOM];
        double *all = test_keep(es_alloc((size_t)WHOLE * COLUMNS, sizeof *all), es_free);
        (void)snprintf(from, sizeof from, "whole/%s.npy", names[i]);
        (void)snprintf(to, sizeof to, "%s/%s.npy", pool, names[i]);
        FILE *f = fopen(from, "rb");
        assert_non_null(f);
        assert_int_equal(fseek(f, -(long)(WHOLE * COLUMNS * sizeof *all), SEEK_END), 0);
        assert_int_equal(fread(all, sizeof *all, (size_t)WHOLE * COLUMNS, f), WHOLE * COLUMNS);
        assert_int_equal(fclose(f), 0);
        write_npy(to, all + begin * COLUMNS, rows, COLUMNS);
    }
}

/* Rows of a set are estimated as if they were a pool of their own, to the last bit. */
TEST(set_rows__of_a_pool__are_a_pool) {
    make_set("whole", WHOLE, 0, 0);
    write_sets("whole", WHOLE);
    make_part("part", PART, PART);
    estimate("part");
    estimate_sets("whole", "sick");
    char *set = matrix_of("whole", "sick"), *part = matrix_of("part", NULL),
         *whole = matrix_of("whole", NULL);
    assert_string_equal(set, part);
    assert_string_not_equal(set, whole);
    expect_error(RUN("rank", "whole", "--set-rows", "nix"), 3, "'nix'|stsb, sick, news");
    expect_error(RUN("rank", "part", "--set-rows", "all"), 3, "column `set`");
    expect_error(
        RUN("matrix", "whole", "--set-rows", "all"), 3,
        "in the set 'all'; there are |; rank, correlate, estimate and the explorer take all");
}

static void expect_rows(const char *json, size_t used, const char *choice) {
    es_json_value root = parse_json(json), origin = member(&root, "provenance", ES_JSON_OBJECT),
                  rows = member(&origin, "rows", ES_JSON_OBJECT);
    assert_true(number_of(&rows, "used") == (double)used);
    assert_true(number_of(&rows, "of") == PART);
    assert_string_equal(text_of(&rows, "choice"), choice);
}

#define OF_SET(set, rows, format)                                                                  \
    "whole", "--estimator", "linear", "--preset", "shrunk", format, "--set-rows", set, "--rows",   \
        rows

/* Not those of them that are among the first of the pool. */
TEST(set_rows__first_of_them__are_the_first_of_the_set) {
    enum { FEW = 200 };
    make_set("whole", WHOLE, 0, 0);
    write_sets("whole", WHOLE);
    make_part("part", (size_t)2 * PART, FEW);
    estimate("part");
    RUN_OK("estimate", OF_SET("news", "first:200", "-q"));
    char *part = matrix_of("part", NULL);
    assert_string_equal(RUN_OK("matrix", OF_SET("news", "first:200", "--csv")).out, part);
    expect_rows(RUN_OK("matrix", OF_SET("news", "first:200", "--json")).out, FEW, "first");
    expect_error(RUN("rank", OF_SET("news", "first:400", "--json")), 4, "estimate");
    estimate_sets("whole", "news"); /* which are all of them */
    run_result r = RUN_OK("matrix", OF_SET("news", "first:400", "--json"));
    expect_rows(r.out, PART, "all");
    assert_contains(r.err, "--rows asks for 400 of 300 rows: all are taken");
    RUN_OK("estimate", OF_SET("all", "first:200", "-q"));
    r = RUN_OK("rank", OF_SET("all", "first:200", "--json"));
    es_json_value root = parse_json(r.out), pools = member(&root, "pools", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&pools), 3);
    es_json_value last = nth(&pools, 2);
    assert_true(number_of(&last, "rows") == FEW);
}

static double share_of(const es_json_value *list, const char *model, const char *key) {
    for (size_t k = 0; k < MODELS; k++) {
        es_json_value row = nth(list, k);
        if (strcmp(text_of(&row, "model"), model) == 0)
            return number_of(&row, key);
    }
    fail_msg("%s is not ranked", model);
    return 0;
}

/* Disjoint rows of one pool as data sets: together they say what the whole says. */
TEST(set_rows__all__say_what_the_whole_says) {
    make_set("whole", 900, 0, 0);
    write_sets("whole", 900);
    estimate_sets("whole", "all");
    run_result r = RUN_OK("rank", "whole", "--set-rows", "all", "--json");
    run_result w = RUN_OK("rank", "whole", "whole", "--json");
    require_order(r.out, "abcdef");
    es_json_value sets_root = parse_json(r.out), whole_root = parse_json(w.out),
                  a = member(&sets_root, "ranking", ES_JSON_ARRAY),
                  b = member(&whole_root, "ranking", ES_JSON_ARRAY),
                  pools = member(&sets_root, "pools", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&pools), 3);
    es_json_value first = nth(&pools, 0);
    assert_string_equal(text_of(&first, "name"), "stsb");
    assert_true(number_of(&first, "rows") == 300);
    for (size_t i = 0; i < MODELS; i++) {
        double share = share_of(&b, names[i], "share");
        assert_true(share >= share_of(&a, names[i], "ci_low") - 1e-12);
        assert_true(share <= share_of(&a, names[i], "ci_high") + 1e-12);
    }
}

TEST(folder__of_pools__stands_for_them) {
    assert_int_equal(mkdir("all", 0700), 0);
    make_set("all/one", 300, 0, 0);
    make_set("all/two", 340, 0, 0);
    run_result r = RUN_OK("rank", "all", "--within", "rank", "--csv");
    assert_memory_equal(r.out, "rank,model,share,ci_low,ci_high,in,first_in,in_best_set,one,two\n",
                        64);
    assert_contains(r.out, "f,0,0,0,2,0,true,6,6\n");
    assert_contains(RUN_OK("all").out, "Over 2 data sets ");
    expect_error(RUN("matrix", "all"), 2, "is a folder of 2 pools|all/one");
    write_text("all/scores.csv", "model,up\na,6\nb,5\nc,4\nd,3\ne,2\nf,1\n");
    assert_contains(RUN_OK("correlate", "all", "--csv").out, "two,");
    /* a third that nobody has estimated */
    assert_int_equal(mkdir("all/three", 0700), 0);
    for (size_t i = 0; i < 3; i++)
        add_model("all/three", names[i], 280, 8, 9 + i, 1);
    r = RUN_CODE(1, "rank", "all", "--json");
    check_json_tool(r.out);
    assert_contains(r.err, "left out: all/three: no results are stored");
    assert_contains(r.out, "Without three: there is no ranking there.");
    expect_error(RUN("rank", "all", "--strict"), 4, "all/three");
    r = RUN("rank", "all/one", "all/three"); /* both hold the same embedders */
    assert_int_equal(r.code, 4);
    assert_contains(r.err, "only one has results, and two data sets are needed; all/three:");
    assert_lacks(r.err, "no embedder is in two");
    RUN_OK("estimate", "all", "--estimator", "linear", "--preset", "shrunk", "-q");
    RUN_OK("rank", "all", "--csv");
    /* and one to which an embedder came */
    add_model("all/three", names[3], 280, 8, 12, 1);
    expect_error(RUN("rank", "all/one", "all/three"), 4,
                 "only one has results|three: no embedder is ranked, 9 of 16 pairs are known; run "
                 "`embedscope estimate all/three`");
    r = RUN_CODE(1, "rank", "all", "--csv");
    assert_contains(r.err, "left out: three: no embedder is ranked");
}

/* The explorer shows all of them first, opens one, and comes back. */
TEST(explorer__of_several__goes_between_them) {
    assert_int_equal(mkdir("all", 0700), 0);
    make_set("all/one", 300, 0, 0);
    make_set("all/two", 340, 3, 0);
    write_text("keys", ":wait idle\n:dump first.txt\ntt\n:dump list.txt\nj<enter>\n:wait idle\n4\n"
                       ":dump open.txt\n8\n:wait idle\n:dump back.txt\n");
    RUN_OK("all", "--script", "keys", "--size", "100x30");
    char *first = slurp("first.txt"), *open = slurp("open.txt"), *back = slurp("back.txt"),
         *list = slurp("list.txt");
    assert_contains(first, "share: of the others that");
    assert_contains(first, "Over 2 data sets the first of those in both is ");
    assert_contains(list, "one               6   300           36  36");
    assert_contains(list, "two               3   340            9   9");
    assert_contains(open, "[4 Rank]");
    assert_contains(open, "two · 3 embedders");
    assert_contains(back, "Over 2 data sets the first of those in both is ");
    assert_contains(back, "3 embedders");
}

TEST(export__of_several__draws_them_all) {
    assert_int_equal(mkdir("all", 0700), 0);
    make_set("all/one", 300, 0, 0);
    make_set("all/two", 340, 3, 0);
    write_text("s.csv", "model,up\na,6\nb,5\nc,4\nd,3\ne,2\nf,1\n");
    static const char *const views[] = {"sets", "ranking", "correlation"};
    for (size_t i = 0; i < 3; i++) {
        run_result r = i == 2 ? RUN("export", "all", views[i], "-o", "x.svg", "--scores", "s.csv")
                              : RUN("export", "all/one", "all/two", views[i], "-o", "x.svg");
        expect_code(&r, 0);
        char *picture = slurp("x.svg"), *meta = slurp("x.svg.meta.json");
        assert_contains(picture, "</svg>");
        assert_contains(meta, i == 2   ? "embedscope export all correlation --scores s.csv"
                              : i == 1 ? "embedscope export all/one all/two ranking"
                                       : "embedscope export all/one all/two sets");
    }
    expect_error(RUN("export", "all", "matrix", "-o", "x.svg"), 2, "one pool or set");
    expect_error(RUN("export", "all/one", "sets", "-o", "x.svg"), 2, "several pools");
    expect_error(RUN("export", "all", "sets", "-o", "x.svg", "--show", "a"), 2, "--models");
}

/* Data sets of one make, and one of another: how far each two are apart, answers and plain rows,
 * and how alike they rank. */
TEST(distance__of_several__stands_beside_tau) {
    make_set("one", 300, 0, 0);
    make_set("two", 300, 0, 0);
    make_set("far", 340, 0, 0);
    assert_int_equal(system("cp two/[c-f].npy one/"), 0); /* nearer to it than the other */
    assert_int_equal(system("rm -r one/.embedscope far/.embedscope"), 0);
    assert_int_equal(system("cd far && mv a.npy x && mv b.npy a.npy && mv x b.npy"), 0);
    estimate("one");
    estimate("far"); /* it ranks b first */
    run_result r = RUN_OK("measure", "one", "two", "far", "dataset-distance", "--json", "-q");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), pairs = member(&root, "pairs", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&pairs), 3);
    es_json_value near = nth(&pairs, 0), far = nth(&pairs, 1);
    assert_string_equal(text_of(&near, "a"), "one");
    assert_string_equal(text_of(&near, "b"), "two");
    assert_true(number_of(&near, "rows_mmd2") < number_of(&far, "rows_mmd2"));
    assert_true(number_of(&near, "rows_w1") < number_of(&far, "rows_w1"));
    assert_true(number_of(&near, "shared") == MODELS);
    double sum = 0, w1 = 0;
    es_json_value models = member(&near, "models", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&models), MODELS);
    for (es_json_value m = es_json_first(&models); m.node; m = es_json_next(&m))
        sum += number_of(&m, "rows_mmd2");
    assert_true(fabs(sum / MODELS - number_of(&near, "rows_mmd2")) < 1e-12);
    for (es_json_value p = es_json_first(&pairs); p.node; p = es_json_next(&p))
        w1 += number_of(&p, "rows_w1");
    assert_true(fabs(w1 / 3 - 1) < 1e-12);      /* over the mean of all pairs */
    assert_lacks(r.out, "\"answers_mmd2\": 0"); /* nobody judged: not known, not 0 */
    es_buf *labels = test_buf();
    es_buf_puts(labels, "row,topic\n");
    for (size_t i = 0; i < 300; i++)
        es_buf_printf(labels, "%zu,%c\n", i, "xyz"[i % 3]);
    for (int k = 0; k < 3; k++) {
        static const char *const files[] = {"one/labels.csv", "two/labels.csv", "far/labels.csv"};
        write_text(files[k], labels->data);
    }
    r = RUN_OK("measure", "one", "two", "far", "dataset-distance", "--set", "runs=1", "-q");
    assert_contains(r.out, "answers, MMD2  Spearman");
    assert_contains(r.out, "of 3 pairs, too few to lean on");
    r = RUN_OK("export", "one", "two", "far", "distance", "--set", "runs=1", "--format", "svg",
               "-q");
    assert_contains(r.out, "<svg");
    expect_error(RUN("measure", "one", "two", "evalrank", "-q"), 2, "one pool");
    expect_error(RUN("measure", "one", "two", "dataset-distance", "--other", "far", "-q"), 2,
                 "--other is of one pool");
    expect_error(RUN("measure", "one", "two", "dataset-distance", "--set", "nope=1", "-q"), 2,
                 "nope");
    expect_error(RUN("export", "one", "distance", "--csv", "-q"), 2, "name several pools");
}

/* Where one says the opposite of the other, nobody is the best. */
TEST(rank__sets_that_contradict__nothing_is_settled) {
    make_set("one", 300, 0, 0);
    assert_int_equal(mkdir("two", 0700), 0);
    for (size_t i = 0; i < MODELS; i++) { /* the same files, the worst with the name of the best */
        char line[64];
        (void)snprintf(line, sizeof line, "cp one/%s.npy two/%s.npy", names[i],
                       names[MODELS - 1 - i]);
        assert_int_equal(system(line), 0);
    }
    estimate("two");
    run_result r = RUN_OK("rank", "one", "two");
    assert_contains(r.out, "Over 2 data sets no order is shown: they contradict each other.");
    assert_lacks(r.out, "the first is");
    r = RUN_OK("rank", "one", "two", "--json");
    es_json_value root = parse_json(r.out), list = member(&root, "ranking", ES_JSON_ARRAY);
    for (size_t k = 0; k < MODELS; k++) {
        es_json_value row = nth(&list, k);
        assert_int_equal(number_of(&row, "rank"), 1);
        assert_true(number_of(&row, "share") == 0.5);
    }
}
