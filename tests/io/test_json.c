/* JSON in and out. */
#include "io_test.h"

#include "io_files.h"

TEST_GROUP(make_test_dir, remove_test_dir);

static es_json_doc *parse(const char *text) {
    es_json_doc *doc = NULL;
    assert_ok(es_json_parse(text, strlen(text), "pool.json", &doc, test_err()));
    return doc;
}

static const char pool[] =
    "\xEF\xBB\xBF{\"name\": \"p\", \"models\": [{\"dim\": 3}, {\"dim\": \"x\", \"file\": null},\n"
    " {\"dim\": 1.5, \"ok\": true, \"Big\": 1e999, \"neg\": -1}], \"empty\": []}\n";

TEST(json__get__reads_types) {
    es_json_doc *doc = parse(pool);
    es_json_value root = es_json_root(doc), models = {0};
    const char *name = NULL, *none = "untouched";
    uint64_t dim = 0;
    double number = 7;
    bool ok = false;
    assert_ok(es_json_get_text(&root, "name", ES_JSON_REQUIRED, &name, NULL));
    assert_string_equal(name, "p");
    assert_ok(es_json_get_text(&root, "nothing", ES_JSON_OPTIONAL, &none, NULL));
    assert_string_equal(none, "untouched");
    assert_ok(es_json_get(&root, "models", ES_JSON_ARRAY, ES_JSON_REQUIRED, &models, NULL));
    assert_int_equal(es_json_count(&models), 3);
    es_json_value m = es_json_first(&models);
    assert_ok(es_json_get_size(&m, "dim", ES_JSON_REQUIRED, &dim, NULL));
    assert_int_equal(dim, 3);
    m = es_json_next(&m);
    assert_ok(es_json_get_text(&m, "file", ES_JSON_OPTIONAL, &none, NULL));
    m = es_json_next(&m);
    assert_ok(es_json_get_number(&m, "dim", ES_JSON_REQUIRED, &number, NULL));
    assert_true(number == 1.5);
    assert_ok(es_json_get_bool(&m, "ok", ES_JSON_REQUIRED, &ok, NULL));
    assert_true(ok);
    m = es_json_next(&m);
    assert_null(m.node);
    m = es_json_next(&m);
    assert_null(m.node);
    m = es_json_first(&root);
    assert_string_equal(es_json_key_of(&m), "name");
    assert_ok(es_json_get(&root, "empty", ES_JSON_ARRAY, ES_JSON_REQUIRED, &models, NULL));
    m = es_json_first(&models);
    assert_null(m.node);
    es_json_free(doc);
    es_json_free(NULL);
}

TEST(json__get__says_where) {
    es_json_doc *doc = parse(pool);
    es_json_value root = es_json_root(doc), models = {0};
    const char *text = "untouched";
    uint64_t dim = 77;
    double number = 77;
    assert_ok(es_json_get(&root, "models", ES_JSON_ARRAY, ES_JSON_REQUIRED, &models, test_err()));
    es_json_value first = es_json_first(&models), second = es_json_next(&first),
                  third = es_json_next(&second);
    assert_error_is(es_json_get_size(&second, "dim", ES_JSON_OPTIONAL, &dim, test_err()),
                    ES_EFORMAT, "pool.json: models[1].dim: expected a number, found a string");
    assert_error_is(es_json_get_text(&second, "file", ES_JSON_REQUIRED, &text, test_err()),
                    ES_EFORMAT, "pool.json: models[1].file: is null");
    assert_error_is(es_json_get_text(&first, "file", ES_JSON_REQUIRED, &text, test_err()),
                    ES_EFORMAT, "pool.json: models[0].file: is missing");
    assert_error(es_json_get_size(&third, "dim", ES_JSON_REQUIRED, &dim, test_err()), ES_EFORMAT,
                 "models[2].dim: expected a whole number");
    assert_int_equal(es_json_get_size(&third, "neg", ES_JSON_REQUIRED, &dim, test_err()),
                     ES_EFORMAT);
    assert_error(es_json_get_number(&third, "Big", ES_JSON_REQUIRED, &number, test_err()),
                 ES_EFORMAT, "models[2].Big: the number is too large");
    assert_int_equal(es_json_get_number(&third, "big", ES_JSON_REQUIRED, &number, test_err()),
                     ES_EFORMAT);
    assert_error_is(es_json_get_text(&models, "x", ES_JSON_OPTIONAL, &text, test_err()), ES_EFORMAT,
                    "pool.json: models: expected an object, found an array");
    assert_error_is(es_json_complain(&second, "names a file twice", test_err()), ES_EFORMAT,
                    "pool.json: models[1]: names a file twice");
    assert_error_is(es_json_expect(&root, ES_JSON_ARRAY, test_err()), ES_EFORMAT,
                    "pool.json: expected an array, found an object");
    assert_true(dim == 77 && number == 77);
    assert_string_equal(text, "untouched");
    es_json_free(doc);
}

static void check_bad(const char *text, const char *message) {
    es_json_doc *doc = NULL;
    assert_int_equal(es_json_parse(text, strlen(text), "a.json", &doc, test_err()), ES_EFORMAT);
    assert_null(doc);
    assert_contains(test_message(), "a.json: ");
    assert_contains(test_message(), message);
}

/* A number is asked for where something else is: what was there before stays. */
TEST(json__as_number__refuses_other_types) {
    static const char *const others[] = {"\"1\"", "true", "null", "[1]", "{}", "1e999"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        es_json_doc *doc = parse(others[i]);
        es_json_value root = es_json_root(doc);
        double number = 7;
        assert_int_equal(es_json_as_number(&root, &number, test_err()), ES_EFORMAT);
        assert_true(number == 7 && test_message()[0] != '\0');
        es_json_free(doc);
    }
    es_json_doc *doc = parse("-2.5");
    es_json_value root = es_json_root(doc);
    double number = 7;
    assert_ok(es_json_as_number(&root, &number, NULL));
    assert_true(number == -2.5);
    es_json_free(doc);
}

TEST(json__parse__locates_errors) {
    check_bad("", "is empty");
    check_bad("\xEF\xBB\xBF", "is empty");
    check_bad("{\"a\": 1,\n \"b\": nope}", "line 2, column 7: not valid JSON");
    check_bad("{\"a\": 1} x", "line 1, column 10: unexpected text after the end");
    check_bad("{\"a\": 1", "line 1");
    check_bad("[1, 2", "not valid JSON");
    check_bad("\"abc", "not valid JSON");
    char deep[200];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    check_bad(deep, "line 1, column 65: nested too deeply");
    memcpy(deep, "{\"a\":", 5); /* behind a text, too */
    check_bad(deep, "line 1, column 69: nested too deeply");
    es_json_doc *doc =
        parse("[\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"["
              "\"]");
    es_json_free(doc);
}

TEST(json__read__survives_faults_and_changed_bytes) {
    const char *path = write_text("pool.json", pool);
    es_json_doc *doc = NULL;
    assert_int_equal(es_json_read(path, 0, 10, &doc, test_err()), ES_EINVAL);
    assert_int_equal(es_json_read(in_dir("none.json"), 0, 1000, &doc, test_err()), ES_ENOTFOUND);
    for (long k = 0;; k++) {
        es_alloc_fail_after(k);
        es_status st = es_json_read(path, 0, 1000, &doc, test_err());
        es_alloc_fail_after(-1);
        if (st == ES_OK)
            break;
        assert_int_equal(st, ES_ENOMEM);
        assert_null(doc);
    }
    es_json_free(doc);
    es_rng rng;
    es_rng_init(&rng, 8, 8);
    for (int round = 0; round < 20000; round++) {
        char *text =
            test_keep(es_strdup(pool), es_free); /* exact size, so that reading past it is seen */
        size_t length = es_rng_below(&rng, sizeof pool);
        for (int k = 0; k < 2; k++)
            text[es_rng_below(&rng, sizeof pool - 1)] = (char)es_rng_below(&rng, 256);
        char *cut = test_keep(es_alloc(length, 1), es_free);
        memcpy(cut, text, length);
        doc = NULL;
        if (es_json_parse(cut, length, "x", &doc, test_err()) == ES_OK)
            es_json_free(doc);
    }
}

static void write_document(es_json *json) {
    es_json_begin_object(json, NULL);
    es_json_text(json, "embedscope", "0.1.0");
    es_json_begin_array(json, "is");
    for (int i = 0; i < 2; i++) {
        es_json_begin_row(json, NULL);
        es_json_double(json, NULL, 0.1);
        es_json_double(json, NULL, (double)NAN);
        es_json_end(json);
    }
    es_json_end(json);
    es_json_begin_object(json, "none");
    es_json_end(json);
    es_json_begin_row(json, "row");
    es_json_begin_object(json, NULL);
    es_json_uint(json, "a", 0);
    es_json_end(json);
    es_json_uint(json, NULL, UINT64_MAX);
    es_json_end(json);
    es_json_bool(json, "ok", true);
    es_json_text(json, "nothing", NULL);
    es_json_end(json);
}

TEST(json__write__compact_and_indented) {
    es_buf *buf = test_buf();
    es_json json;
    es_json_init(&json, buf, 0);
    write_document(&json);
    assert_string_equal(buf->data,
                        "{\"embedscope\":\"0.1.0\",\"is\":[[0.1,null],[0.1,null]],\"none\":{},"
                        "\"row\":[{\"a\":0},18446744073709551615],"
                        "\"ok\":true,\"nothing\":null}");
    es_buf_clear(buf);
    es_json_init(&json, buf, 2);
    write_document(&json);
    assert_string_equal(buf->data, "{\n"
                                   "  \"embedscope\": \"0.1.0\",\n"
                                   "  \"is\": [\n"
                                   "    [0.1, null],\n"
                                   "    [0.1, null]\n"
                                   "  ],\n"
                                   "  \"none\": {},\n"
                                   "  \"row\": [{\"a\": 0}, "
                                   "18446744073709551615],\n"
                                   "  \"ok\": true,\n"
                                   "  \"nothing\": null\n"
                                   "}");
}

TEST(json__write__escapes) {
    es_buf *buf = test_buf();
    es_json json;
    es_json_init(&json, buf, 0);
    es_json_text(&json, NULL,
                 "\"\\/\b\f\n\r\t\x01\x1b\x7f é中😀\xC2\x9B\xE2\x80\xAE\xF3\xA0\x81\x81\xFF");
    assert_string_equal(buf->data, "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001b\\u007f é中😀\\u009b"
                                   "\\u202e\\udb40\\udc41\xEF\xBF\xBD\"");
    es_json_doc *doc = parse(buf->data); /* and cJSON reads the same back */
    es_json_value root = es_json_root(doc);
    const char *text = NULL;
    assert_ok(es_json_as_text(&root, &text, NULL));
    assert_string_equal(text, "\"\\/\b\f\n\r\t\x01\x1b\x7f é中😀\xC2\x9B\xE2\x80\xAE\xF3\xA0\x81\x81"
                              "\xEF\xBF\xBD");
    es_json_free(doc);
}
