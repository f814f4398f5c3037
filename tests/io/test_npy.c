/* .npy headers: what NumPy writes, what others write, and what must be refused. */
#include "io_test.h"

#include "io.h"

static unsigned char image[4096];

/* A file in memory: magic, version, header text as given, `data` bytes of value 1, 2, 3 ... */
static es_map make(unsigned major, const char *header, size_t data) {
    size_t length = strlen(header), start = major == 1 ? 10 : 12;
    memcpy(image, "\x93NUMPY", 6);
    image[6] = (unsigned char)major;
    image[7] = 0;
    memset(image + 8, 0, 4);
    image[8] = (unsigned char)(length & 255);
    image[9] = (unsigned char)(length >> 8);
    memcpy(image + start, header, length);
    for (size_t i = 0; i < data; i++)
        image[start + length + i] = (unsigned char)(i + 1);
    return (es_map){.data = image, .size = start + length + data};
}

static void check_good(unsigned major, const char *header, es_dtype dtype, bool big, bool fortran) {
    es_map map = make(major, header, 48);
    es_array a = {0};
    if (es_npy_parse(&map, "a.npy", &a, test_err()) != ES_OK)
        fail_msg("%s: %s", header, test_message());
    assert_int_equal(a.n, 3);
    assert_int_equal(a.d, 2);
    assert_int_equal(a.dtype, dtype);
    assert_int_equal(a.big_endian, big);
    assert_int_equal(a.fortran, fortran);
    assert_ptr_equal(a.data, image + map.size - 48);
    assert_null(a.owned);
}

static void check_bad(const char *header, size_t data, es_status code, const char *message) {
    es_map map = make(1, header, data);
    es_array a = {.n = 77};
    assert_error(es_npy_parse(&map, "pool/a.npy", &a, test_err()), code, "pool/a.npy: ");
    assert_contains(test_message(), message);
    assert_int_equal(a.n, 77);
}

#define HEADER(descr, order, shape)                                                                \
    "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }            \n"

TEST(npy__parse__every_dtype_and_order) {
    static const struct {
        const char *header;
        es_dtype dtype;
        bool big;
    } good[] = {
        {HEADER("'|b1'", "False", "(3, 2)"), ES_DTYPE_BOOL, false},
        {HEADER("'?'", "False", "(3, 2)"), ES_DTYPE_BOOL, false},
        {HEADER("'|i1'", "False", "(3, 2)"), ES_DTYPE_I8, false},
        {HEADER("'<i2'", "False", "(3, 2)"), ES_DTYPE_I16, false},
        {HEADER("'<i4'", "False", "(3, 2)"), ES_DTYPE_I32, false},
        {HEADER("'>i8'", "False", "(3, 2)"), ES_DTYPE_I64, true},
        {HEADER("'>u1'", "False", "(3, 2)"), ES_DTYPE_U8, false},
        {HEADER("'<u2'", "False", "(3, 2)"), ES_DTYPE_U16, false},
        {HEADER("'>u4'", "False", "(3, 2)"), ES_DTYPE_U32, true},
        {HEADER("'<u8'", "False", "(3, 2)"), ES_DTYPE_U64, false},
        {HEADER("'<f2'", "False", "(3, 2)"), ES_DTYPE_F16, false},
        {HEADER("'>f4'", "False", "(3, 2)"), ES_DTYPE_F32, true},
        {HEADER("'<f8'", "False", "(3, 2)"), ES_DTYPE_F64, false},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        check_good(1, good[i].header, good[i].dtype, good[i].big, false);
    check_good(1, HEADER("'=f4'", "True", "(3, 2)"), ES_DTYPE_F32, es_host_is_big_endian(), true);
    check_good(1, HEADER("'f8'", "True", "(3, 2)"), ES_DTYPE_F64, es_host_is_big_endian(), true);
    check_good(1, HEADER("'float64'", "True", "(3, 2)"), ES_DTYPE_F64, es_host_is_big_endian(),
               true);
    check_good(1, HEADER("'uint8'", "True", "(3, 2)"), ES_DTYPE_U8, false, true);
}

TEST(npy__parse__every_version_and_spelling) {
    check_good(1, HEADER("'<f4'", "False", "(3, 2)"), ES_DTYPE_F32, false, false);
    check_good(2, HEADER("'<f4'", "False", "(3, 2)"), ES_DTYPE_F32, false, false);
    check_good(3, HEADER("'<f4'", "False", "(3, 2)"), ES_DTYPE_F32, false, false);
    check_good(1, "{\"shape\":(3,2),\"descr\":\"<f4\",\"fortran_order\":False}", ES_DTYPE_F32,
               false, false);
    check_good(1, " { 'fortran_order' :True,\t'shape': ( 3L , 2L , ) , u'descr' : '<f8' ,\n}\n\n",
               ES_DTYPE_F64, false, true);
    check_good(1, "{'descr': b'<f4', 'fortran_order': False, 'shape': (0003, 2)}", ES_DTYPE_F32,
               false, false);
}

/* 70,000 bytes, as of a file with many named fields, are more than two bytes say. */
TEST(npy__parse__long_header_of_version_2) {
    static const char text[] = HEADER("'<f4'", "False", "(1, 2)");
    enum { LENGTH = 70000, SIZE = 12 + LENGTH + 8 };
    unsigned char *bytes = test_keep(malloc(SIZE), free);
    es_array a = {0};
    memcpy(bytes, "\x93NUMPY\x02\x00\x70\x11\x01\x00", 12);
    memset(bytes + 12, ' ', LENGTH);
    memcpy(bytes + 12, text, sizeof text - 2);
    bytes[12 + LENGTH - 1] = '\n';
    memset(bytes + 12 + LENGTH, 0, 8);
    const es_map map = {.data = bytes, .size = SIZE};
    assert_ok(es_npy_parse(&map, "a.npy", &a, NULL));
    assert_ptr_equal(a.data, bytes + 12 + LENGTH);
    assert_int_equal(a.d, 2);
}

TEST(npy__list__texts_and_numbers) {
    static const struct {
        const char *header;
        size_t width; /* 0: is none */
        char kind;
    } cases[] = {
        {HEADER("'<U9'", "False", "(1,)"), 36, 'U'},   {HEADER("'|S10'", "False", "(2,)"), 10, 'S'},
        {HEADER("'<i8'", "False", "(3,)"), 8, 'i'},    {HEADER("'|u1'", "False", "(3,)"), 1, 'u'},
        {HEADER("'<i3'", "False", "(3,)"), 0, 0},      {HEADER("'<f8'", "False", "(3,)"), 8, 'f'},
        {HEADER("'<f16'", "False", "(3,)"), 0, 0},     {HEADER("'|O'", "False", "(3,)"), 0, 0},
        {HEADER("'<f4'", "False", "(3, 1)"), 4, 'f'},  {HEADER("'<i8'", "False", "(3, 2)"), 0, 0},
        {HEADER("'<U1:'", "False", "(1,)"), 0, 0},     {HEADER("'<U1/'", "False", "(1,)"), 0, 0},
        {HEADER("'<U9'", "False", "(1, 1)"), 36, 'U'}, {HEADER("'|S'", "False", "(2,)"), 0, 'S'},
        {HEADER("'<U1048577'", "False", "(1,)"), 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const es_map map = make(1, cases[i].header, 48);
        es_npy_list list = {.n = 77};
        es_status st = es_npy_parse_list(&map, map.size, "a.npy", &list, NULL);
        if (st != (cases[i].kind ? ES_OK : ES_EUNSUPPORTED))
            fail_msg("%s: %d", cases[i].header, (int)st);
        if (st == ES_OK)
            assert_true(list.kind == cases[i].kind && list.width == cases[i].width);
        assert_int_equal(list.n == 77, st != ES_OK);
    }
    es_npy_list list;
    const es_map cut = make(1, HEADER("'<U9'", "False", "(2,)"), 71);
    assert_int_equal(es_npy_parse_list(&cut, cut.size, "a.npy", &list, NULL), ES_EFORMAT);
}

/* Whole numbers are the same ids whatever their type. */
TEST(npy__list_ids__of_numbers) {
    static const double values[] = {17.0, -0.0, 0.5};
    static const char *const wanted[] = {"17", "0", "0.5"};
    const es_npy_list list = {.data = (const unsigned char *)values,
                              .n = 3,
                              .width = 8,
                              .kind = 'f',
                              .big_endian = es_host_is_big_endian()};
    es_row_ids ids = {0};
    assert_ok(es_npy_list_ids(&list, &ids, NULL));
    assert_int_equal(ids.n, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(es_row_ids_get(&ids, i, NULL), wanted[i]);
    es_row_ids_deinit(&ids);
}

TEST(npy__parse__refuses_other_dtypes) {
    check_bad(HEADER("'|O'", "False", "(3, 2)"), 48, ES_EUNSUPPORTED,
              "dtype object ('|O') holds Python objects");
    check_bad(HEADER("'<U12'", "False", "(3, 2)"), 48, ES_EUNSUPPORTED,
              "dtype '<U12' holds strings");
    check_bad(HEADER("'|S5'", "False", "(3, 2)"), 48, ES_EUNSUPPORTED, "dtype '|S5' holds strings");
    check_bad(HEADER("'|V2'", "False", "(3, 2)"), 48, ES_EUNSUPPORTED, "bfloat16");
    check_bad(HEADER("'<c8'", "False", "(3, 2)"), 48, ES_EUNSUPPORTED, "complex");
    check_bad(HEADER("'<M8[ns]'", "False", "(3, 2)"), 48, ES_EUNSUPPORTED, "dates or times");
    check_bad(HEADER("'<m8'", "False", "(3, 2)"), 48, ES_EUNSUPPORTED, "dates or times");
    check_bad(HEADER("'<f16'", "False", "(3, 2)"), 48, ES_EUNSUPPORTED, "wider than 64 bits");
    check_bad(HEADER("'<f3'", "False", "(3, 2)"), 48, ES_EUNSUPPORTED,
              "dtype '<f3' is not a known float");
    check_bad(HEADER("'float128'", "False", "(3, 2)"), 48, ES_EUNSUPPORTED,
              "dtype 'float128' is not a known float");
    check_bad(HEADER("''", "False", "(3, 2)"), 48, ES_EUNSUPPORTED, "dtype ''");
    check_bad(HEADER("'<'", "False", "(3, 2)"), 48, ES_EUNSUPPORTED, "dtype '<'");
    check_bad(HEADER("[('a]', '<f4'), ('b', '<f4', (2,))]", "False", "(3,)"), 48, ES_EUNSUPPORTED,
              "structure of fields");
}

TEST(npy__parse__refuses_other_shapes) {
    check_bad(HEADER("'<f4'", "False", "()"), 48, ES_EUNSUPPORTED, "single value");
    check_bad(HEADER("'<f4'", "False", "(12,)"), 48, ES_EUNSUPPORTED, "1-D (12 values)");
    check_bad(HEADER("'<f4'", "False", "(3, 2, 2)"), 48, ES_EUNSUPPORTED, "3-D (3 x 2 x 2)");
    check_bad(HEADER("'<f4'", "False", "(3, 2, 2, 1)"), 48, ES_EUNSUPPORTED, "4-D");
    check_bad(HEADER("'<f4'", "False", "(0, 2)"), 48, ES_EFORMAT, "shape (0, 2) holds no values");
    check_bad(HEADER("'<f4'", "False", "(3, 0)"), 48, ES_EFORMAT, "holds no values");
    check_bad(HEADER("'<f4'", "False", "(4611686018427387904, 4)"), 48, ES_EFORMAT, "at most");
    check_bad(HEADER("'<f8'", "False", "(2147483647, 2147483647)"), 48, ES_EFORMAT, "cut short");
    check_bad(HEADER("'<f4'", "False", "(99999999999999999999999999, 2)"), 48, ES_EFORMAT,
              "at most");
    check_bad(HEADER("'<f4'", "False", "(-3, 2)"), 48, ES_EFORMAT, "negative");
    check_bad(HEADER("'<f8'", "False", "(3, 2)"), 47, ES_EFORMAT,
              "shape (3, 2) of float64 needs 48 bytes, found 47");
    check_bad(HEADER("'<f8'", "False", "(3, 2)"), 0, ES_EFORMAT, "needs 48 bytes, found 0");
}

TEST(npy__parse__refuses_malformed_headers) {
    static const struct {
        const char *header, *message;
    } bad[] = {
        {"", "expected '{'"},
        {"[]", "at byte 10: expected '{'"},
        {"{", "expected a string"},
        {"{'descr'", "expected ':'"},
        {"{'descr: 3", "not closed"},
        {"{'descr': 3", "expected a string"},
        {"{'descr': '<f4' 'shape'", "expected ',' or '}'"},
        {"{'descr': '<f4', 'fortran_order': false", "expected True or False"},
        {"{'shape': [3, 2]}", "expected a tuple"},
        {"{'shape': (3)}", "expected a comma"},
        {"{'shape': (3 2)}", "expected a comma"},
        {"{'shape': (3, 2 4)}", "expected ',' or ')'"},
        {"{'shape': (3.0, 2)}", "expected"},
        {"{'shape': (3, 2", "expected"},
        {"{'shape': (a, 2)}", "expected a length"},
        {"{'shape': (3, 2), 'shape': (3, 2)}", "unexpected or repeated key"},
        {"{'colour': 'red'}", "unexpected or repeated key"},
        {"{'descr': '<f4', 'fortran_order': False}", "shape is missing"},
        {"{'fortran_order': False, 'shape': (3, 2)}", "descr is missing"},
        {"{'descr': '<f4', 'shape': (3, 2)}", "fortran_order is missing"},
        {"{'descr': [('a', '<f4'", "not closed"},
        {"{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (3, 2)}", "not closed"},
        {HEADER("'<f4'", "False", "(3, 2)") "x", "unexpected text behind '}'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_bad(bad[i].header, 0, ES_EFORMAT, bad[i].message);
    char shape[400] = "{'shape': (";
    for (size_t i = strlen(shape), end = i + 200; i < end; i += 2)
        (void)snprintf(shape + i, sizeof shape - i, "1,");
    check_bad(shape, 0, ES_EFORMAT, "too many dimensions");
}

TEST(npy__parse__refuses_cut_files_and_versions) {
    es_array a = {0};
    es_map whole = make(2, HEADER("'<f4'", "False", "(3, 2)"), 24);
    assert_ok(es_npy_parse(&whole, "a.npy", &a, test_err()));
    for (size_t size = 0; size < whole.size; size++) { /* an exact copy: reading past it is seen */
        unsigned char *copy = test_keep(es_alloc(size, 1), es_free);
        memcpy(copy, image, size);
        es_map map = {.data = copy, .size = size};
        es_status st = es_npy_parse(&map, "a.npy", &a, test_err());
        assert_true(st == ES_EFORMAT || (st == ES_EUNSUPPORTED && size < 6));
    }
    whole.size = 30;
    assert_error(es_npy_parse(&whole, "a.npy", &a, test_err()), ES_EFORMAT,
                 "header is cut short: expected");
    image[6] = 4;
    assert_error(es_npy_parse(&whole, "a.npy", &a, test_err()), ES_EUNSUPPORTED,
                 "format 4.0 is not known");
}

TEST(npy__parse__recognises_other_formats) {
    es_array a = {0};
    static const char torch[] = "PK\3\4..........................archive/data.pkl";
    es_map map = {.data = (const unsigned char *)torch, .size = sizeof torch};
    assert_error(es_npy_parse(&map, "e5.npy", &a, test_err()), ES_EUNSUPPORTED,
                 "e5.npy: is a PyTorch archive; convert it: python3 -c");
    static const char other[] = "\0\1\2\3";
    map = (es_map){.data = (const unsigned char *)other, .size = 4};
    assert_error(es_npy_parse(&map, "e5.npy", &a, test_err()), ES_EFORMAT,
                 "e5.npy: has no header that is known");
}

TEST(npy__parse__survives_changed_bytes) {
    es_rng rng;
    es_rng_init(&rng, 4, 4);
    for (int round = 0; round < 20000; round++) {
        es_map map = make(1, HEADER("'<f4'", "False", "(3, 2)"), 24);
        for (uint64_t k = es_rng_below(&rng, 4) + 1; k > 0; k--)
            image[es_rng_below(&rng, map.size)] = (unsigned char)es_rng_below(&rng, 256);
        es_array a = {0};
        if (es_npy_parse(&map, "a.npy", &a, test_err()) == ES_OK) {
            assert_true(a.n > 0 && a.d > 0 && a.data >= image);
            assert_true(a.n * a.d * es_dtype_size(a.dtype) <= map.size);
            assert_true(a.data + a.n * a.d * es_dtype_size(a.dtype) <= image + map.size);
        }
    }
}

TEST(npy__sample__reads) {
    es_map map = {0};
    es_array a = {0};
    double row[2 * 128];
    assert_ok(es_map_open(ES_SAMPLE_DATA "/molecules/mol2vec_128.npy", 0, &map, test_err()));
    assert_ok(es_npy_parse(&map, "mol2vec_128.npy", &a, test_err()));
    assert_int_equal(a.n, 1500);
    assert_int_equal(a.d, 128);
    es_array_read_range(&a, 1498, 2, row);
    es_array_stats s = {0};
    assert_ok(es_array_scan(&a, NULL, a.n, NULL, &s, test_err()));
    assert_int_equal(s.bad_rows, 0);
    es_array_stats_deinit(&s);
    es_map_close(&map);
}
