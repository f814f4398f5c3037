/* Ids of rows: read from files, and one list found in another. */
#include "io_test.h"

#include "refuse.h"
#include "io_readers.h"

TEST_GROUP(make_test_dir, remove_test_dir);

static es_row_ids read_ids(const char *name, const char *text, size_t expected) {
    es_row_ids ids = {0};
    assert_ok(es_row_ids_read(write_file(name, text, strlen(text)), 0, expected, &ids, test_err()));
    return ids;
}

static void expect_ids(es_row_ids *ids, size_t n, const char *const *wanted) {
    assert_int_equal(ids->n, n);
    for (size_t i = 0; i < n; i++) {
        size_t length;
        assert_string_equal(es_row_ids_get(ids, i, &length), wanted[i]);
        assert_int_equal(length, strlen(wanted[i]));
    }
    es_row_ids_deinit(ids);
}

static void expect_error(const char *name, const char *text, const char *message) {
    es_row_ids ids = {0};
    es_status st = es_row_ids_read(write_file(name, text, strlen(text)), 0, 2, &ids, test_err());
    assert_int_equal(st, ES_EFORMAT);
    assert_contains(test_message(), message);
    assert_null(ids.offset);
}

TEST(row_ids__read__lines_and_columns) {
    static const char *const wanted[] = {"doc 1", "doc,2", "caf\xC3\xA9"};
    static const char *const numbers[] = {"7", "8"};
    es_row_ids ids = read_ids("a.ids.txt",
                              "\xEF\xBB\xBF"
                              "doc 1\r\n  doc,2\t\ncaf\xC3\xA9\n\n\n",
                              0);
    expect_ids(&ids, 3, wanted);
    ids = read_ids("a.ids.csv", "text,ID\nx,doc 1\ny,\"doc,2\"\nz,caf\xC3\xA9\n", 3);
    expect_ids(&ids, 3, wanted);
    ids = read_ids("a.ids.csv", "7\n8\n", 2);
    expect_ids(&ids, 2, numbers);
    ids = read_ids("a.ids.csv", "key\n7\n8\n", 2);
    expect_ids(&ids, 2, numbers);
    ids = read_ids("b.ids.txt", "7\n8", 2);
    expect_ids(&ids, 2, numbers);
}

/* A line more than there are rows is a heading where it is a word over ids or over numbers. */
TEST(row_ids__read__drops_a_heading) {
    static const struct {
        const char *text;
        size_t rows, n;
        const char *first;
    } cases[] = {
        {"id\na\nb\n", 2, 2, "a"},      {"Doc_ID\na\nb\n", 2, 2, "a"},
        {"node\n17\n18\n", 2, 2, "17"}, {"node\na\nb\n", 2, 3, "node"}, /* may be an id */
        {"id\na\nb\n", 3, 3, "id"},     {"id\na\nb\n", 4, 3, "id"},
        {"16\n17\n18\n", 2, 3, "16"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_row_ids ids = read_ids("a.ids.txt", cases[i].text, cases[i].rows);
        assert_int_equal(ids.n, cases[i].n);
        assert_string_equal(es_row_ids_get(&ids, 0, NULL), cases[i].first);
        es_row_ids_deinit(&ids);
    }
    es_row_ids ids = {0};
    const char *path = write_file("a.ids.txt",
                                  "\xFF\xFE"
                                  "a\0\n\0",
                                  6);
    assert_error(es_row_ids_read(path, 0, 1, &ids, test_err()), ES_EUNSUPPORTED,
                 "is UTF-16 text; save it as UTF-8");
}

/* A column that only counts the rows, as pandas puts before others, is not the one of the ids. */
TEST(row_ids__read__passes_over_row_numbers) {
    static const char *const wanted[] = {"b", "a"}, *const numbers[] = {"1", "0"};
    static const char *const texts[] = {"row,doc_id\n0,b\n1,a\n", "row_id,doc_id\n0,b\n1,a\n",
                                        ",0\n0,b\n1,a\n",         "0,b\n1,a\n",
                                        "doc_id,row\nb,0\na,1\n", "x,y,doc_id\n0,0,b\n1,0,a\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        es_row_ids ids = read_ids("a.ids.csv", texts[i], 2);
        expect_ids(&ids, 2, wanted);
    }
    es_row_ids ids = read_ids("a.ids.csv", "1,x\n0,x\n", 2);
    expect_ids(&ids, 2, numbers);
    ids = read_ids("a.ids.csv", ",0\n1,x\n2,x\n", 2); /* says the same of both rows */
    assert_string_equal(es_row_ids_get(&ids, 1, NULL), "2");
    es_row_ids_deinit(&ids);
}

TEST(row_ids__whole_numbers__are_written_alike) {
    static const char *const wanted[] = {"17", "0", "-3", "200", "007"};
    static const char *const others[] = {"17.0", "x"}, *const parts[] = {"1.0", "1.5"};
    es_row_ids ids = read_ids("a.ids.txt", "17.0\n-0.0\n-3\n2e2\n007\n", 5);
    assert_ok(es_row_ids_make_whole(&ids, NULL));
    expect_ids(&ids, 5, wanted);
    ids = read_ids("a.ids.txt", "17.0\nx\n", 2);
    assert_ok(es_row_ids_make_whole(&ids, NULL));
    expect_ids(&ids, 2, others);
    ids = read_ids("a.ids.txt", "1.0\n1.5\n", 2);
    assert_ok(es_row_ids_make_whole(&ids, NULL));
    expect_ids(&ids, 2, parts);
}

TEST(row_ids__read__names_the_line) {
    expect_error("a.ids.txt", "a\n\nb\n", "line 2: the id is empty");
    expect_error("a.ids.txt", "\n\n", "holds no ids");
    expect_error("a.ids.csv", "id,x\n,1\nb,2\n", "line 2: the id is empty");
    expect_error("a.ids.csv", "id\n", "holds a header but no ids");
    expect_error("a.ids.csv", "a,b\nc\n", "line 2: expected 2 cells, found 1");
}

TEST(row_ids__parse__arrays_and_lines) {
    static const char *const wanted[] = {"a", "17", "-3"};
    static const char list[] = " [\"a\", 17, -3]", half[] = "[\"a\", 1.5]", deep[] = "[[1]]";
    es_row_ids ids = {0};
    assert_ok(es_row_ids_parse(list, strlen(list), "x", &ids, test_err()));
    expect_ids(&ids, 3, wanted);
    assert_ok(es_row_ids_parse("a\n17\n-3", 7, "x", &ids, test_err()));
    expect_ids(&ids, 3, wanted);
    assert_error(es_row_ids_parse(half, strlen(half), "x", &ids, test_err()), ES_EFORMAT,
                 "expected a text or a whole number");
    assert_int_equal(es_row_ids_parse(deep, strlen(deep), "x", &ids, test_err()), ES_EFORMAT);
}

TEST(row_ids__safetensors__metadata) {
    static unsigned char image[512];
    static const char *const wanted[] = {"x", "y"};
    const char *header = "{\"__metadata__\":{\"ids\":\"[\\\"x\\\",\\\"y\\\"]\"},"
                         "\"a\":{\"dtype\":\"I8\",\"shape\":[2,1],\"data_offsets\":[0,2]}}";
    image[0] = (unsigned char)strlen(header);
    memcpy(image + 8, header, strlen(header));
    es_map map = {.data = image, .size = 8 + strlen(header) + 2};
    es_tensors tensors = {0};
    assert_ok(es_safetensors_parse(&map, "x.safetensors", &tensors, test_err()));
    assert_non_null(tensors.ids);
    expect_ids(tensors.ids, 2, wanted);
    es_tensors_deinit(&tensors);
    assert_null(tensors.ids);
    bool met = true;
    for (long k = 0; met; k++) {
        refuse_one(k);
        es_status st = es_safetensors_parse(&map, "x.safetensors", &tensors, test_err());
        met = refuse_end();
        assert_true(st == ES_OK || (met && st == ES_ENOMEM));
        assert_int_equal(tensors.ids != NULL, st == ES_OK);
        es_tensors_deinit(&tensors);
    }
}

TEST(row_ids__safetensors__tensor_of_numbers) {
    static unsigned char image[512];
    static const char *const wanted[] = {"7", "-1"};
    const char *header = "{\"a\":{\"dtype\":\"I8\",\"shape\":[2,1],\"data_offsets\":[0,2]},"
                         "\"ids\":{\"dtype\":\"I16\",\"shape\":[2],\"data_offsets\":[2,6]}}";
    image[0] = (unsigned char)strlen(header);
    memcpy(image + 8, header, strlen(header));
    memcpy(image + 8 + strlen(header), "\1\2\7\0\377\377", 6);
    es_map map = {.data = image, .size = 8 + strlen(header) + 6};
    es_tensors tensors = {0};
    assert_ok(es_safetensors_parse(&map, "x.safetensors", &tensors, NULL));
    assert_int_equal(tensors.count, 1);
    assert_non_null(tensors.ids);
    expect_ids(tensors.ids, 2, wanted);
    es_tensors_deinit(&tensors);
    bool met = true;
    for (long k = 0; met; k++) {
        refuse_one(k);
        es_status st = es_safetensors_parse(&map, "x.safetensors", &tensors, NULL);
        met = refuse_end();
        assert_true(st == ES_OK || (met && st == ES_ENOMEM));
        es_tensors_deinit(&tensors);
    }
}

static es_row_ids list_of(const char *words) {
    es_row_ids ids = {0};
    for (const char *at = words; *at;) {
        size_t length = strcspn(at, " ");
        assert_ok(es_row_ids_push(&ids, at[0] == '-' ? "" : at, at[0] == '-' ? 0 : length, NULL));
        at += length + (at[length] == ' ');
    }
    return ids;
}

static es_row_match match_of(const char *reference, const char *list) {
    es_row_ids a = list_of(reference), b = list_of(list);
    es_row_index *index = NULL;
    es_row_match match = {0};
    assert_ok(es_row_index_new(&a, &index, NULL));
    assert_ok(es_row_index_match(index, &b, &match, NULL));
    es_row_index_free(index);
    es_row_ids_deinit(&a);
    es_row_ids_deinit(&b);
    return match;
}

TEST(row_ids__match__names_doubles_and_strangers) {
    /* d stands twice in the list, e twice in the reference, - is no id */
    es_row_match m = match_of("a b c d e e f", "f d a x d e - c x");
    const uint32_t none = ES_ROW_NONE, wanted[] = {2, none, 7, none, none, none, 0};
    assert_int_equal(m.n, 7);
    assert_memory_equal(m.row, wanted, sizeof wanted);
    assert_int_equal(m.found, 3);
    assert_int_equal(m.strangers, 3);
    assert_int_equal(m.first_stranger, 3);
    assert_int_equal(m.empty, 1);
    assert_int_equal(m.first_empty, 6);
    assert_int_equal(m.missing, 1);
    assert_int_equal(m.first_missing, 1);
    assert_int_equal(m.doubled, 1);
    assert_int_equal(m.first_doubled, 4);
    assert_int_equal(m.doubled_with, 1);
    assert_false(es_row_match_is_same(&m));
    es_row_match_deinit(&m);
    m = match_of("a b c", "a b c");
    assert_true(es_row_match_is_same(&m));
    es_row_match_deinit(&m);
    m = match_of("a - c", "a - c"); /* an empty id is matched with none, and is nothing to lack */
    assert_int_equal(m.strangers, 1);
    assert_int_equal(m.empty, 1);
    assert_int_equal(m.first_stranger, SIZE_MAX);
    assert_int_equal(m.missing, 0);
    assert_false(es_row_match_is_same(&m));
    es_row_match_deinit(&m);
    m = match_of("a b c", "a b c d"); /* a row more is not the same */
    assert_false(es_row_match_is_same(&m));
    es_row_match_deinit(&m);
    m = match_of("a b c", "b a c");
    assert_int_equal(m.found, 3);
    assert_false(es_row_match_is_same(&m));
    es_row_match_deinit(&m);
}

TEST(row_ids__index__finds_either_form_of_a_letter) {
    es_row_ids ids = {0};
    es_row_index *index = NULL;
    bool doubled;
    assert_ok(es_row_ids_push(&ids, "cafe\xCC\x81", 6, NULL));
    assert_ok(es_row_ids_push(&ids, "caf\xC3\xA8", 5, NULL));
    assert_ok(es_row_index_new(&ids, &index, NULL));
    assert_int_equal(es_row_index_find(index, "caf\xC3\xA9", 5, &doubled), 0);
    assert_int_equal(es_row_index_find(index, "cafe\xCC\x80", 6, &doubled), 1);
    assert_int_equal(es_row_index_find(index, "cafe", 4, &doubled), ES_ROW_NONE);
    es_row_index_free(index);
    es_row_ids_deinit(&ids);
}

TEST(row_ids__index__tells_doubles) {
    es_row_ids a = list_of("a b a - - a");
    es_row_index *index = NULL;
    size_t first = 0;
    assert_ok(es_row_index_new(&a, &index, NULL));
    assert_int_equal(es_row_index_doubled(index, &first), 2);
    assert_int_equal(first, 2);
    assert_int_equal(es_row_index_empty(index, &first), 2);
    assert_int_equal(first, 3);
    es_row_index_free(index);
    es_row_ids_deinit(&a);
}

/* A permutation of many is found again, row for row. */
TEST(row_ids__match__permutation) {
    enum { N = 5000 };
    static uint32_t order[N];
    es_rng rng;
    es_row_ids a = {0}, b = {0};
    char text[24];
    es_rng_init(&rng, 3, 1);
    for (uint32_t i = 0; i < N; i++)
        order[i] = i;
    es_rng_shuffle(&rng, order, N);
    for (unsigned i = 0; i < N; i++) {
        int length = snprintf(text, sizeof text, "id-%u", i);
        assert_ok(es_row_ids_push(&a, text, (size_t)length, NULL));
        length = snprintf(text, sizeof text, "id-%u", order[i]);
        assert_ok(es_row_ids_push(&b, text, (size_t)length, NULL));
    }
    es_row_index *index = NULL;
    es_row_match m = {0};
    assert_ok(es_row_index_new(&a, &index, NULL));
    assert_ok(es_row_index_match(index, &b, &m, NULL));
    assert_int_equal(m.found, N);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(m.row[order[i]], i);
    assert_false(es_digest_equal(es_row_ids_digest(&a), es_row_ids_digest(&b)));
    es_row_match_deinit(&m);
    es_row_index_free(index);
    es_row_ids_deinit(&a);
    es_row_ids_deinit(&b);
}

/* Each allocation that fails is told, and nothing is lost. */
TEST(row_ids__out_of_memory__everywhere) {
    bool met = true;
    for (long after = 0; met; after++) {
        es_row_ids a = {0};
        es_row_index *index = NULL;
        es_row_match m = {0};
        refuse_one(after);
        es_status st = es_row_ids_push(&a, "x", 1, NULL);
        if (st == ES_OK)
            st = es_row_index_new(&a, &index, NULL);
        if (st == ES_OK)
            st = es_row_index_match(index, &a, &m, NULL);
        met = refuse_end();
        assert_int_equal(st, met ? ES_ENOMEM : ES_OK);
        es_row_match_deinit(&m);
        es_row_index_free(index);
        es_row_ids_deinit(&a);
    }
}
