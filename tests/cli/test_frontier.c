/* `embedscope frontier`: documents, sizes, costs, pictures, the store, and what is refused; and the
 * compressions as derived embedders that new rows are mapped by. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static void make_wide_pool(void) {
    es_buf *labels = test_buf();
    add_model("pool", "a", 240, 32, 1, 0.3);
    add_model("pool", "b", 240, 48, 2, 0.6);
    add_model("pool", "noise", 240, 16, 3, 5);
    write_text("pool/families.csv", "model,family\nnoise,control\n");
    es_buf_puts(labels, "row,label\n");
    for (int i = 0; i < 240; i++)
        es_buf_printf(labels, "%d,%s\n", i, i % 3 ? "x" : "y");
    write_text("pool/labels.csv", labels->data);
}

TEST(frontier__pool__every_point) {
    make_wide_pool();
    run_result r = RUN_OK("frontier", "pool", "--json", "-q");
    es_json_value root = parse_json(r.out), points = member(&root, "points", ES_JSON_ARRAY),
                  first = es_json_first(&points);
    assert_int_equal(es_json_count(&points), 10 + 10); /* 32 and 48 columns, one halving each */
    assert_string_equal(text_of(&first, "model"), "a");
    assert_string_equal(text_of(&first, "transform"), "full");
    assert_float_equal(number_of(&first, "bytes"), 128, 0);
    assert_float_equal(number_of(&first, "kept"), 1, 1e-12);
    assert_float_equal(number_of(&first, "neighbours"), 1, 1e-12);
    assert_true(number_of(&first, "probe") > 0.3);
    assert_string_equal(text_of(&root, "value_by"), "probe");
    assert_contains(text_of(&root, "sentence"), "the best of this pool, by the probe, is");
    assert_contains(r.out, "\"against\": null");
    assert_contains(r.out, "\"embedscope\"");
    assert_lacks(r.out, "\"model\": \"noise\""); /* a control, and not asked for */
    r = RUN_OK("frontier", "pool", "noise,a", "--csv", "-q");
    assert_contains(r.out, "model,transform,bytes,kept,kept_low,kept_high,neighbours,"
                           "probe,value,cost,front,dim,bits\nnoise,full,64,1,");
}

/* A second call reads what is stored, to the last bit; other labels are another probe. */
TEST(frontier__stored__same_values) {
    make_wide_pool();
    run_result one = RUN_OK("frontier", "pool", "--csv", "-q");
    run_result two = RUN("frontier", "pool", "--csv", "-q", "--threads", "1");
    assert_string_equal(one.out, two.out);
    two = RUN("frontier", "pool", "--csv", "-q", "--refresh", "--threads", "1");
    assert_string_equal(one.out, two.out);
    assert_int_equal(unlink("pool/labels.csv"), 0);
    two = RUN("frontier", "pool", "--csv", "-q");
    assert_string_not_equal(one.out, two.out);
    assert_contains(two.out, "a,full,128,1,1,1,1,,,,true,32,32"); /* no probe, no value */
    two = RUN("frontier", "pool", "-q");
    assert_contains(two.out, "neither labels nor");
    RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
    two = RUN("frontier", "pool", "--json", "-q");
    assert_contains(two.out, "\"value_by\": \"others\"");
}

TEST(frontier__bytes_and_against__choose) {
    make_wide_pool();
    write_text("pool/models.csv", "model,price\na,0.13\nb,0.02\n");
    run_result r = RUN_OK("frontier", "pool", "--bytes", "8", "-q");
    assert_contains(r.out, "At 8 bytes a row the best of this pool");
    r = RUN_OK("frontier", "pool", "--against", "price", "--json", "-q");
    assert_contains(r.out, "\"against\": \"price\"");
    assert_contains(r.out, "\"cost\": 0.02");
    assert_contains(r.out, "Nothing is both better and lower in price than");
    static const char *const files[] = {"f.svg", "f.pdf", "f.png", "f.tex", "f.md", "f.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        RUN_OK("export", "pool", "frontier", "-o", files[i], "-q");
        assert_int_equal(access(files[i], R_OK), 0);
    }
    char *svg = slurp("f.svg");
    assert_contains(svg, "bytes a row");
}

TEST(frontier__mistakes__name_the_remedy) {
    make_wide_pool();
    expect_error(RUN("frontier"), 2, "which pool");
    expect_error(RUN("frontier", "pool", "a,nobody"), 2, "nobody");
    expect_error(RUN("frontier", "pool", "--bytes", "0"), 2, "--bytes");
    expect_error(RUN("frontier", "pool", "--against", "price", "-q"), 3,
                 "the pool has no models.csv");
    write_text("pool/models.csv", "model,price\na,0.13\n");
    expect_error(RUN("frontier", "pool", "--against", "pric", "-q"), 2, "price");
    expect_error(RUN("frontier", "--matrix", "pool/models.csv"), 2, "--matrix");
    write_text("pool/families.csv", "model,family\nnoise,control\na,control\nb,control\n");
    expect_error(RUN("frontier", "pool"), 4, "name some: embedscope frontier pool A,B");
}

/* ---- derived ---- */

static void expect_same_file(const char *a, const char *b) {
    char line[2 * PATH_ROOM];
    (void)snprintf(line, sizeof line, "cmp '%s' '%s'", a, b);
    assert_int_equal(system(line), 0);
}

/* The rows that it was made of come out as it has them. */
TEST(derive__compressions__apply_to_new_rows) {
    static const char *const ways[][2] = {{"--first", "--int8"},
                                          {"--pca", "--binary"},
                                          {"--first", "--int4"},
                                          {"--pca", "--float16"}};
    make_wide_pool();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        RUN_OK("derive", "pool", "b", ways[i][0], "20", ways[i][1], "--name", "small");
        RUN_OK("apply", "pool/.embedscope/derived/small.safetensors", "pool/b.npy", "-o",
               "out.npy");
        expect_same_file("out.npy", "pool/.embedscope/derived/small.npy");
        RUN_OK("derive", "pool", "--remove", "small");
        assert_int_not_equal(access("pool/.embedscope/derived/small.safetensors", F_OK), 0);
    }
    assert_contains(RUN_OK("derive", "pool", "b", "--int4").out, "b+int4: 240 rows, 48 columns");
    expect_error(
        RUN("apply", "pool/.embedscope/derived/b+int4.safetensors", "pool/a.npy", "-o", "out.npy"),
        2, "has 32 columns, and the model takes 48");
    expect_error(RUN("apply", "pool/.embedscope/derived/b+int4.safetensors", "pool/b.npy", "--info",
                     "-o", "out.npy"),
                 2, "--info goes with");
    RUN_OK("frontier", "pool", "b+int4", "--json", "-q");
}

TEST(derive__mistakes__say_what_goes_together) {
    make_wide_pool();
    expect_error(RUN("derive", "pool", "a", "--int8", "--binary"), 2, "--int8 and --binary");
    expect_error(RUN("derive", "pool", "a", "--concat", "b", "--int8"), 2, "does not go with");
    expect_error(RUN("derive", "pool", "a", "--first", "33"), 2, "from 1 to 32");
    expect_error(RUN("derive", "pool", "a"), 2, "--first K");
}
