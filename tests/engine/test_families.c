/* families.csv: who is of which family, what matches nothing, and naming families from the
 * explorer. */
#include "support.h"

#include "engine_pool_parts.h"
#include "settled_pool.h"

static char root[SUPPORT_PATH];

static int set_up(void **state) {
    support_temp_dir(root);
    support_write_random_npy(root, "a.npy", 1, 30, 3);
    support_write_random_npy(root, "b.npy", 2, 30, 3);
    support_write_random_npy(root, "c.npy", 3, 30, 3);
    return 0;
}

TEST_EACH(set_up, NULL);

static void assert_family(const es_pool *pool, const char *name, const char *family) {
    const es_model *m = es_pool_model(pool, es_pool_find(pool, name));
    assert_non_null(m);
    if (family == NULL)
        assert_null(m->family);
    else
        assert_string_equal(m->family, family);
}

static void refuse(const char *text, const char *part) {
    es_pool *pool = NULL;
    support_write_text(root, "families.csv", text);
    assert_int_equal(es_pool_open(root, NULL, &pool, test_err()), ES_EFORMAT);
    if (!strstr(test_message(), part) || !strstr(test_message(), "families.csv"))
        fail_msg("\"%s\" does not contain \"%s\"", test_message(), part);
}

TEST(families__of_a_file__stand_above_pool_json) {
    support_write_text(root, "pool.json",
                       "{\"models\": [{\"name\": \"a\", \"family\": \"old\"}, {\"name\": \"b\", "
                       "\"family\": \"old\"}, {\"name\": \"c\", \"family\": \"old\"}]}");
    support_write_text(root, "families.csv", "model,family\na,new\nb,\n");
    es_pool *pool = open_pool_with(root, NULL);
    assert_family(pool, "a", "new");
    assert_family(pool, "b", NULL);
    assert_family(pool, "c", "old");
}

TEST(families__headings__come_in_any_order_and_case) {
    support_write_text(root, "families.csv", "Family;size;Embedder\nbge;3;a\nControl;;c\n");
    es_pool *pool = open_pool_with(root, NULL);
    assert_family(pool, "a", "bge");
    assert_family(pool, "b", NULL);
    assert_family(pool, "c", "Control");
    char count[ES_COUNT_TEXT];
    assert_int_equal(es_pool_controls(pool), 1);
    assert_string_equal(es_pool_count_text(pool, count, sizeof count), "2 embedders + 1 control");
    assert_int_equal(es_pool_unused(pool)->file.count, 0);
    assert_int_equal(es_pool_warnings(pool), 0);
}

/* The same families with an index or a rank before them, empty columns, markup, a dash for none. */
TEST(families__as_tables_are_found__are_read) {
    static const char *const same[] = {
        ",model,family\n0,a,x y\n1,b,x y\n2,c,\n", "Rank,Model,Family\n3,a,x y\n1,b,x y\n2,c,\n",
        "models,family,,\na,x y,,\nb,x y,,\nc,,,\n",
        "model,family\n**a**,**x y**\n[b](https://x.org),x y\nc,\xe2\x80\x94\n",
        "Model name;group\n\"<a href=\"\"https://x.org\"\">a</a>\";<i>x y</i>\n`b`;x y\nc;-\n"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        support_write_text(root, "families.csv", same[i]);
        es_pool *pool = open_pool_with(root, NULL);
        assert_family(pool, "a", "x y");
        assert_family(pool, "b", "x y");
        assert_family(pool, "c", NULL);
        assert_int_equal(es_pool_warnings(pool), 0);
        test_drop(pool);
    }
}

TEST(families__unmatched_names__are_reported) {
    support_write_random_npy(root, "bge-small.npy", 4, 30, 3);
    support_write_text(root, "families.csv", "model,family\nbge-smal,bge\na,x\nzzzzzzzz,y\n");
    const es_pool_options options = {.models = "a,b"};
    es_pool *pool = open_pool_with(root, NULL);
    assert_int_equal(es_pool_warnings(pool), 2);
    assert_string_equal(es_pool_warning(pool, 0), "families.csv: line 2: no embedder is called "
                                                  "\"bge-smal\"; did you mean \"bge-small\"?");
    assert_string_equal(es_pool_warning(pool, 1),
                        "families.csv: line 4: no embedder is called \"zzzzzzzz\"");
    test_drop(pool);
    support_write_text(root, "families.csv", "model,family\nc,x\nbge-small,x\n");
    pool = open_pool_with(root, &options); /* what is not selected is there all the same */
    assert_int_equal(es_pool_warnings(pool), 0);
}

TEST(families__many_unmatched__are_counted) {
    support_write_text(root, "families.csv",
                       "model,family\nu01,x\nu02,x\nu03,x\nu04,x\nu05,x\nu06,x\nu07,x\nu08,x\n");
    es_pool *pool = open_pool_with(root, NULL);
    assert_int_equal(es_pool_warnings(pool), 7);
    assert_string_equal(es_pool_warning(pool, 6), "families.csv: 2 more lines match no embedder");
}

TEST(families__bad_file__is_an_error_with_its_line) {
    refuse("a,b\nc,d\n", "line 1: no column \"model\"; the first line must be: model,family");
    refuse("model\na\n", "line 1: no column \"family\"; the first line must be: model,family");
    refuse("model,family\na,x\nb,x\na,y\n", "line 4: \"a\" is there twice, first on line 2");
    refuse("model,family\na,x\n,y\n", "line 3: no model is named");
    refuse("model,family\na\n", "line 2");
    refuse("", "families.csv");
}

TEST(families__of_derived__follow_the_file) {
    support_write_random_npy(root, ".embedscope/derived/a-white.npy", 5, 30, 3);
    support_write_text(root, ".embedscope/derived/a-white.json",
                       "{\"name\": \"a-white\", \"file\": \"a-white.npy\", \"family\": \"z\", "
                       "\"sources\": [{\"name\": \"a\", \"digest\": "
                       "\"00000000000000000000000000000000\"}]}");
    support_write_text(root, "families.csv", "model,family\na,x\n");
    es_pool *pool = open_pool_with(root, NULL);
    assert_family(pool, "a-white", "z");
    test_drop(pool);
    support_write_text(root, "families.csv", "model,family\na,x\na-white,y\n");
    pool = open_pool_with(root, NULL);
    assert_family(pool, "a-white", "y");
    assert_family(pool, "a", "x");
    assert_int_equal(es_pool_warnings(pool), 0);
}

/* ---- naming ---- */

static void name(const char *first, const char *second, const char *family) {
    es_pool *pool = open_pool_with(root, NULL);
    size_t item[2] = {es_pool_find(pool, first), second ? es_pool_find(pool, second) : 0};
    assert_ok(es_pool_name_family(pool, item, second ? 2 : 1, family, test_err()));
}

static void assert_file(const char *expected) {
    char path[SUPPORT_PATH], *text = NULL;
    support_path(path, root, "families.csv");
    assert_ok(es_file_read(path, 0, 1 << 20, &text, NULL, NULL));
    assert_string_equal(text, expected);
    es_free(text);
}

TEST(name__without_a_file__makes_one) {
    name("a", "c", "bge, \"small\"");
    assert_file("model,family\na,\"bge, \"\"small\"\"\"\nc,\"bge, \"\"small\"\"\"\n");
    es_pool *pool = open_pool_with(root, NULL);
    assert_family(pool, "a", "bge, \"small\"");
    assert_family(pool, "b", NULL);
}

TEST(name__other_lines__stay) {
    support_write_text(root, "families.csv",
                       "year,family,model\n2020,old,a\n2021,other,b\n2022,gone,not here\n");
    name("a", "c", "new");
    assert_file("year,family,model\n2020,new,a\n2021,other,b\n2022,gone,not here\n,new,c\n");
}

TEST(name__empty__takes_the_line_away) {
    support_write_text(root, "pool.json",
                       "{\"models\": [{\"name\": \"a\", \"family\": \"old\"}, {\"name\": \"b\"}, "
                       "{\"name\": \"c\"}]}");
    support_write_text(root, "families.csv", "model,family\na,new\nb,new\nc,new\n");
    name("a", "b", "");
    assert_file("model,family\na,\nc,new\n"); /* pool.json names a family of a: it needs a line */
    es_pool *pool = open_pool_with(root, NULL);
    assert_family(pool, "a", NULL);
    assert_family(pool, "b", NULL);
    test_drop(pool);
    name("c", NULL, "");
    assert_file("model,family\na,\n");
}

TEST(name__of_a_pool_that_cannot_be_written__names_the_folder) {
    es_pool *pool = open_pool_with(root, NULL);
    const size_t item[] = {0};
    /* Not a plain file, which is not replaced: root may write everywhere else. */
    assert_int_equal(mkdir(support_in(root, "families.csv"), 0755), 0);
    assert_int_not_equal(es_pool_name_family(pool, item, 1, "x", test_err()), ES_OK);
    if (!strstr(test_message(), root))
        fail_msg("%s", test_message());
}

TEST(name__of_matrices_in_memory__is_refused) {
    static const float values[60] = {0, 1, 2, 3, 5, 8};
    const es_array_view view = {
        .name = "a", .data = values, .rows = 20, .dim = 3, .element = ES_ELEMENT_FLOAT32};
    es_pool *pool = NULL;
    const size_t item[] = {0};
    assert_ok(es_pool_open_arrays(&view, 1, NULL, &pool, test_err()));
    assert_int_equal(es_pool_name_family(pool, item, 1, "x", test_err()), ES_EUNSUPPORTED);
    es_pool_close(pool);
}

TEST(families__change__is_seen_by_the_watcher) {
    es_digest before, after;
    assert_ok(pool_folder_digest(root, &before, NULL));
    name("a", NULL, "x");
    assert_ok(pool_folder_digest(root, &after, NULL));
    assert_false(es_digest_equal(before, after));
}
