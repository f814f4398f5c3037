/* Readers of files that people hold, against files that NumPy, json and the formats' own programs
 * wrote (tests/reference/readers/make.py): every matrix holds i - j / 8 + 0.25, row i is "r<i>". */
#define _DEFAULT_SOURCE /* realpath, MAP_ANONYMOUS */
#include "io_test.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "io_readers_parts.h"
#include "refuse.h"

TEST_GROUP(make_test_dir, remove_test_dir);

#define READERS ES_TEST_DATA "/reference/readers/"

static void open_reference(const char *name, es_loaded *out) {
    char path[400];
    (void)snprintf(path, sizeof path, READERS "%s", name);
    assert_ok(es_loaded_open(path, 0, NULL, out, test_err()));
}

static void check_values(const es_array *a, size_t d) {
    double values[5 * 4];
    assert_int_equal(a->n, 5);
    assert_int_equal(a->d, d);
    es_array_read(a, NULL, 5, values);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < d; j++)
            assert_true(values[i * d + j] == (double)i - (double)j / 8 + 0.25);
}

static void check_ids(const es_row_ids *ids) {
    assert_non_null(ids);
    assert_int_equal(ids->n, 5);
    for (size_t i = 0; i < 5; i++) {
        char name[8];
        (void)snprintf(name, sizeof name, "r%zu", i);
        assert_string_equal(es_row_ids_get(ids, i, NULL), name);
    }
}

TEST(readers__give__the_values_and_ids_of_one_matrix) {
    static const struct {
        const char *file;
        es_dtype dtype;
        bool ids;
    } cases[] = {
        {"one.npz", ES_DTYPE_F32, false},   {"big.npz", ES_DTYPE_F64, false},
        {"rows.jsonl", ES_DTYPE_F64, true}, {"bare.jsonl", ES_DTYPE_F64, false},
        {"words.vec", ES_DTYPE_F64, true},  {"plain.txt", ES_DTYPE_F64, false},
        {"ids.csv", ES_DTYPE_F64, true},    {"noheader.csv", ES_DTYPE_F64, true},
        {"words.bin", ES_DTYPE_F32, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        open_reference(cases[i].file, &l);
        assert_int_equal(l.tensors.count, 1);
        const es_tensor *t = &l.tensors.items[0];
        assert_null(t->skipped);
        assert_int_equal(t->array.dtype, cases[i].dtype);
        check_values(&t->array, 4);
        if (cases[i].ids)
            check_ids(t->ids);
        else
            assert_null(t->ids);
        es_loaded_close(&l);
    }
}

TEST(head__gives__shapes_and_ids_without_values) {
    es_loaded l = {0};
    assert_ok(es_loaded_head(READERS "rows.jsonl", 0, NULL, &l, NULL));
    assert_int_equal(l.tensors.items[0].array.n, 5);
    assert_int_equal(l.tensors.items[0].array.d, 4);
    assert_null(l.tensors.items[0].array.data);
    check_ids(l.tensors.items[0].ids);
    es_loaded_close(&l);
}

TEST(npz__gives__every_matrix_and_shares_ids) {
    es_loaded l = {0};
    open_reference("several.npz", &l);
    assert_int_equal(l.tensors.count, 4); /* ids is no array of its own */
    assert_string_equal(l.tensors.items[0].name, "a");
    assert_true(l.tensors.items[0].array.big_endian);
    check_values(&l.tensors.items[0].array, 4);
    check_ids(l.tensors.items[0].ids);
    assert_true(l.tensors.items[1].array.fortran);
    check_values(&l.tensors.items[1].array, 3);
    check_ids(l.tensors.items[1].ids);
    assert_contains(l.tensors.items[2].skipped, "array labels: is 1-D (5 values)");
    assert_contains(l.tensors.items[3].skipped, "array cube: is 3-D");
    es_loaded_close(&l);
    open_reference("packed.npz", &l);
    assert_int_equal(l.tensors.count, 1);
    assert_true(l.tensors.items[0].array.fortran);
    check_values(&l.tensors.items[0].array, 4);
    assert_string_equal(es_row_ids_get(l.tensors.items[0].ids, 0, NULL), "-2");
    assert_string_equal(es_row_ids_get(l.tensors.items[0].ids, 4, NULL), "2");
    es_loaded_close(&l);
}

TEST(hdf5__gives__every_matrix_and_shares_ids) {
    es_loaded l = {0};
    if (!es_loader_find("a.h5")->load)
        skip(); /* built without the library */
    open_reference("plain.h5", &l);
    assert_int_equal(l.tensors.count, 3); /* in the order of their names */
    assert_string_equal(l.tensors.items[0].name, "deep/er");
    assert_true(l.tensors.items[0].array.big_endian);
    check_values(&l.tensors.items[0].array, 2);
    assert_string_equal(l.tensors.items[1].name, "emb");
    check_values(&l.tensors.items[1].array, 4);
    assert_true(l.tensors.items[1].array.owned == NULL); /* where it lies */
    assert_string_equal(l.tensors.items[2].name, "packed");
    assert_true(l.tensors.items[2].array.owned != NULL);
    for (size_t i = 0; i < 3; i++)
        check_ids(l.tensors.items[i].ids);
    es_loaded_close(&l);
    open_reference("lists.h5", &l);
    assert_int_equal(l.tensors.count, 1);
    assert_int_equal(l.tensors.n_maybe, 2);
    assert_string_equal(l.tensors.maybe[0].name, "accession");
    check_ids(l.tensors.maybe[0].ids);
    assert_string_equal(l.tensors.maybe[1].name, "more/node");
    assert_string_equal(es_row_ids_get(l.tensors.maybe[1].ids, 2, NULL), "17");
    es_loaded_close(&l);
    open_reference("cells.h5ad", &l);
    assert_int_equal(l.tensors.count, 2);
    assert_string_equal(l.tensors.items[0].name, "X");
    check_values(&l.tensors.items[0].array, 4);
    check_ids(l.tensors.items[0].ids);
    assert_string_equal(l.tensors.items[1].name, "obsm/X_pca");
    check_values(&l.tensors.items[1].array, 3);
    es_loaded_close(&l);
    es_run run;
    es_run_init(&run);
    es_run_cancel(&run);
    assert_int_equal(es_loaded_open(READERS "plain.h5", 0, &run, &l, NULL), ES_ECANCELED);
    assert_int_equal(es_loaded_head(READERS "plain.h5", 0, &run, &l, NULL), ES_ECANCELED);
    open_reference("sparse.h5ad", &l);
    assert_string_equal(l.tensors.items[0].skipped,
                        "it is sparse; adata.X = adata.X.toarray() makes it dense");
    check_values(&l.tensors.items[1].array, 3);
    es_loaded_close(&l);
}

/* A column is a list; what is none is told, and gives no ids. */
TEST(hdf5__ids__are_a_list_or_a_column_or_told) {
    es_loaded l = {0};
    if (!es_loader_find("a.h5")->load)
        skip(); /* built without the library */
    open_reference("column.h5", &l);
    assert_int_equal(l.tensors.count, 1);
    check_values(&l.tensors.items[0].array, 4);
    check_ids(l.tensors.items[0].ids);
    assert_null(l.tensors.note);
    es_loaded_close(&l);
    open_reference("pairs.h5", &l);
    assert_int_equal(l.tensors.count, 1);
    assert_null(l.tensors.items[0].ids);
    assert_contains(l.tensors.note, "its ids are no list");
    es_loaded_close(&l);
}

TEST(word_binary__more_than_promised__is_told) {
    static const struct {
        const char *bytes, *note;
    } cases[] = {{"1 1\na 1234", NULL},
                 {"1 1\na 1234\n", NULL},
                 {"1 1\na 1234\nb 1234", "6 bytes follow the 1 rows"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        const char *path = write_text("rest.bin", cases[i].bytes);
        assert_ok(es_loaded_open(path, 0, NULL, &l, NULL));
        assert_int_equal(l.tensors.items[0].array.n, 1);
        assert_true((l.tensors.note != NULL) == (cases[i].note != NULL));
        if (cases[i].note)
            assert_contains(l.tensors.note, cases[i].note);
        es_loaded_close(&l);
    }
}

/* What is called ids is no embedder; the parts of a sparse matrix are none either. */
TEST(npz__what_is_no_embedder__is_told) {
    es_loaded l = {0};
    open_reference("idpairs.npz", &l);
    assert_int_equal(l.tensors.count, 1);
    assert_string_equal(l.tensors.items[0].name, "emb");
    assert_contains(l.tensors.note, "so that rows are not matched by it");
    es_loaded_close(&l);
    assert_error(es_loaded_open(READERS "sparse.npz", 0, NULL, &l, test_err()), ES_EUNSUPPORTED,
                 "is a sparse matrix, as scipy.sparse.save_npz writes it");
}

TEST(hdf5__enums__are_whole_numbers_but_for_bool) {
    static const es_dtype types[] = {ES_DTYPE_BOOL, ES_DTYPE_U8, ES_DTYPE_I16};
    static const char *const skipped[] = {
        "it is 3-D (5 x 3 x 2), expected 2-D (rows, columns); pool it or save "
        "x.reshape(len(x), -1)",
        "it holds texts; save numbers: x.astype(\"float32\")"};
    es_loaded l = {0};
    double x[10];
    if (!es_loader_find("a.h5")->load)
        skip(); /* built without the library */
    open_reference("kinds.h5", &l);
    assert_int_equal(l.tensors.count, 5);
    for (size_t i = 0; i < 3; i++) {
        const es_array *a = &l.tensors.items[i].array;
        assert_int_equal(a->dtype, types[i]);
        es_array_read(a, NULL, 5, x);
        for (size_t k = 0; k < 10; k++)
            assert_true(x[k] == (i == 0 ? (double)(k % 3 == 0) : (double)(i == 1 ? k % 4 : k)));
    }
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(l.tensors.items[3 + i].skipped, skipped[i]);
    es_loaded_close(&l);
}

TEST(hdf5__observations__are_categories_or_told) {
    es_loaded l = {0};
    if (!es_loader_find("a.h5")->load)
        skip(); /* built without the library */
    open_reference("categories.h5ad", &l);
    check_ids(l.tensors.items[0].ids);
    assert_null(l.tensors.note);
    es_loaded_close(&l);
    open_reference("old.h5ad", &l);
    assert_null(l.tensors.items[0].ids);
    assert_contains(l.tensors.note, "are in a table, as AnnData before 0.7 wrote them");
    es_loaded_close(&l);
    open_reference("masked.h5ad", &l);
    check_ids(l.tensors.items[0].ids);
    assert_null(l.tensors.note);
    es_loaded_close(&l);
}

/* Ids that are fewer than the rows are given to none, and kept for whoever tells it. */
TEST(hdf5__ids_of_another_number__are_those_of_no_matrix) {
    static const unsigned char line_of_5[] = {1, 1, 1, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 5};
    es_loaded l = {0};
    es_map map = {0};
    size_t met = 0;
    if (!es_loader_find("a.h5")->load)
        skip(); /* built without the library */
    assert_ok(es_map_open(READERS "plain.h5", 0, &map, NULL));
    unsigned char *bytes = test_keep(es_alloc(map.size, 1), es_free);
    memcpy(bytes, map.data, map.size);
    for (size_t at = 0; at + sizeof line_of_5 < map.size; at++)
        if (memcmp(bytes + at, line_of_5, sizeof line_of_5) == 0) {
            bytes[at + 8] = bytes[at + 16] = 4;
            met++;
        }
    assert_true(met > 0);
    const char *path = write_file("fewer.h5", bytes, map.size);
    assert_ok(es_loaded_open(path, 0, NULL, &l, NULL));
    for (size_t i = 0; i < l.tensors.count; i++)
        assert_null(l.tensors.items[i].ids);
    assert_non_null(l.tensors.ids);
    assert_int_equal(l.tensors.ids->n, 4);
    es_loaded_close(&l);
    es_map_close(&map);
}

/* Of every width, with and without a sign; and ids that are numbers. */
TEST(hdf5__whole_numbers__are_values_and_ids) {
    static const struct {
        const char *name;
        es_dtype dtype;
        double low, high;
    } cases[] = {{"obsm/i1", ES_DTYPE_I8, -128, 127},
                 {"obsm/i2", ES_DTYPE_I16, -32768, 32767},
                 {"obsm/i4", ES_DTYPE_I32, -2147483648.0, 2147483647},
                 {"obsm/i8", ES_DTYPE_I64, -9007199254740992.0, 9007199254740992.0},
                 {"obsm/u1", ES_DTYPE_U8, 0, 255},
                 {"obsm/u2", ES_DTYPE_U16, 0, 65535},
                 {"obsm/u4", ES_DTYPE_U32, 0, 4294967295.0},
                 {"obsm/u8", ES_DTYPE_U64, 0, 9007199254740992.0}};
    enum { CASES = sizeof cases / sizeof *cases };
    es_loaded l = {0};
    if (!es_loader_find("a.h5")->load)
        skip(); /* built without the library */
    open_reference("whole.h5ad", &l);
    assert_int_equal(l.tensors.count, 1 + CASES);
    check_values(&l.tensors.items[0].array, 4);
    for (size_t k = 0; k < CASES; k++) {
        const es_tensor *t = &l.tensors.items[1 + k];
        double values[5 * 2];
        assert_string_equal(t->name, cases[k].name);
        assert_int_equal(t->array.dtype, cases[k].dtype);
        assert_int_equal(t->array.n, 5);
        assert_int_equal(t->array.d, 2);
        es_array_read(&t->array, NULL, 5, values);
        for (size_t i = 0; i < 5; i++) {
            assert_true(values[2 * i] == cases[k].low + (double)i);
            assert_true(values[2 * i + 1] == cases[k].high - (double)i);
        }
        assert_int_equal(t->ids->n, 5);
        assert_string_equal(es_row_ids_get(t->ids, 0, NULL), "-2");
        assert_string_equal(es_row_ids_get(t->ids, 4, NULL), "2");
    }
    es_loaded_close(&l);
}

/* A number whose sign, exponent or fraction lies where no IEEE type has it is none that can be
 * read, though it is as long as one. */
TEST(hdf5__takes__no_other_types_of_float) {
    static const unsigned char f32[] = {0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0};
    static const struct {
        int at; /* from there */
        unsigned char value;
    } cases[] = {{-6, 30}, {4, 22}, {5, 7}, {6, 1}, {7, 22}, {8, 126}};
    static unsigned char bytes[16384], changed[16384];
    if (!es_loader_find("a.h5")->load)
        skip(); /* built without the library */
    FILE *file = fopen(READERS "plain.h5", "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file), at = 0;
    assert_int_equal(fclose(file), 0);
    for (; memcmp(bytes + at, f32, sizeof f32) != 0; at++)
        assert_true(at + sizeof f32 < size);
    assert_int_equal(bytes[at - 6], 31);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        size_t readable = 0;
        memcpy(changed, bytes, size);
        changed[(long)at + cases[i].at] = cases[i].value;
        if (es_loaded_open(write_file("a.h5", changed, size), 0, NULL, &l, test_err()) != ES_OK)
            continue; /* the library takes none either */
        for (size_t k = 0; k < l.tensors.count; k++)
            readable += l.tensors.items[k].skipped == NULL;
        if (readable != 2)
            fail_msg("case %zu: %zu of %zu are readable", i, readable, l.tensors.count);
        es_loaded_close(&l);
    }
}

/* The library is given what it was not made for; whatever it does, here it is an error. */
TEST(hdf5__survives__changed_bytes) {
    enum { STEPS = 40 };
    if (!es_loader_find("a.h5")->load)
        skip();
    char *bytes = NULL;
    size_t size = 0;
    assert_ok(es_file_read(READERS "plain.h5", 0, 1 << 20, &bytes, &size, NULL));
    for (size_t k = 0; k < STEPS; k++) {
        es_loaded l = {0};
        char before[8];
        size_t at = k * 1237 % (size - 8);
        memcpy(before, bytes + at, 8);
        memset(bytes + at, k % 2 ? 0xFF : 0x7F, 8);
        es_status st = es_loaded_open(write_file("x.h5", bytes, k % 5 ? size : size / 2), 0, NULL,
                                      &l, test_err());
        assert_true(st == ES_OK || test_message()[0] != '\0');
        es_loaded_close(&l);
        memcpy(bytes + at, before, 8);
    }
    es_free(bytes);
}

/* In the first the library goes round in the texts of its ids, in the second groups hold each
 * other. */
TEST(hdf5__ends__where_there_is_no_end) {
    es_loaded l = {0};
    if (!es_loader_find("a.h5")->load)
        skip();
    assert_error(es_loaded_open(READERS "no_end.h5", 0, NULL, &l, test_err()), ES_EFORMAT,
                 "comes to no end with it");
    assert_ok(es_loaded_open(READERS "cycle.h5", 0, NULL, &l, test_err()));
    assert_int_equal(l.tensors.items[0].array.d, 3);
    assert_true(l.tensors.count < 200);
    es_loaded_close(&l);
}

TEST(word_text__takes__blanks_in_tokens) {
    es_loaded l = {0};
    open_reference("glove.txt", &l);
    check_values(&l.tensors.items[0].array, 4);
    assert_string_equal(es_row_ids_get(l.tensors.items[0].ids, 2, NULL), ". . .");
    assert_string_equal(es_row_ids_get(l.tensors.items[0].ids, 3, NULL), "r3");
    es_loaded_close(&l);
}

TEST(jsonl__unescapes__ids) {
    es_loaded l = {0};
    const char *path =
        write_text("e.jsonl", "{\"_id\":\"a\\u00e9\\ud83d\\ude00\\n\\\"\",\"v\":[1,2]}\n"
                              "\r\n{\"v\":[null,-3e0],\"_id\":17}\r\n");
    assert_ok(es_loaded_open(path, 0, NULL, &l, NULL));
    double values[4];
    es_array_read(&l.tensors.items[0].array, NULL, 2, values);
    assert_true(isnan(values[2]) && values[3] == -3);
    assert_string_equal(es_row_ids_get(l.tensors.items[0].ids, 0, NULL),
                        "a\xC3\xA9\xF0\x9F\x98\x80\n\"");
    assert_string_equal(es_row_ids_get(l.tensors.items[0].ids, 1, NULL), "17");
    es_loaded_close(&l);
}

/* Sixty letters, of which messages show the first 47. */
#define SHOWN "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define SIXTY SHOWN "xxxxxxxxxxxxx"

/* File, line or row, and what was expected. */
TEST(readers__say__where_a_file_is_wrong) {
    static const struct {
        const char *name, *text, *message;
    } cases[] = {
        {"a.jsonl", "{\"embedding\":[1,2,3]}\n{\"embedding\":[1,2]}\n",
         "a.jsonl: line 2: has a shorter vector than the first line"},
        {"a.jsonl", "{\"embedding\":[1,2]}\n{\"embedding\":[1,2,3]}\n",
         "a.jsonl: line 2: expected 2 numbers, found 3"},
        {"a.jsonl", "{\"embedding\":[1,2]}\n{\"embedding\":[1,\"x\"]}\n",
         "a.jsonl: line 2: has something else than numbers"},
        {"a.jsonl", "{\"embedding\":[1,2]}\n{\"embedding\":[1,abc]}\n",
         "a.jsonl: line 2, number 2: 'abc' is not a number"},
        {"a.jsonl", "{\"embedding\":[1,2]}\n{\"text\":\"x\"}\n", "a.jsonl: line 2: has no vector"},
        {"a.jsonl", "{\"embedding\":[1,2]}\nnonsense\n", "a.jsonl: line 2: is not a JSON object"},
        {"a.jsonl", "{\"id\":\"a\",\"v\":[1,2]}\n{\"v\":[1,2]}\n",
         "a.jsonl: line 2: has no id, as the first line has"},
        {"a.jsonl", "[1,2]\n[3,4] 5\n", "a.jsonl: line 2: is not an array of numbers"},
        {"a.jsonl", "{\"v\":}\n",
         "a.jsonl: line 1: is not a JSON object; each line is {\"id\": ..., \"embedding\": "
         "[numbers]}"},
        {"a.jsonl", "\n\n", "a.jsonl: holds no lines"},
        {"a.vec", "3 2\na 1 2\nb 1 2\n", "a.vec: the first line promises 3 rows, found 2"},
        {"a.vec", "2 2\na 1 2\nb 1\n",
         "a.vec: line 3: expected a token and 2 numbers, as the first line promises, found 1"},
        {"a.vec", "2 3\na 1 2\nb 1 2\n", "a.vec: line 2: expected a token and 3 numbers"},
        {"a.vec", "a 1 2\nb 1 x\n", "a.vec: line 2, number 2: 'x' is not a number"},
        {"a.vec", "\n", "a.vec: holds no vectors"},
        {"a.bin", "2 3\nabc", "a.bin: is cut short: 2 rows of 3 numbers need more than 7 bytes"},
        {"a.bin", "hello", "a.bin: is not word2vec's binary format"},
        {"a.bin", "2 1\na 1234bc1234", "a.bin: row 1 (counted from 0): expected a token and 1"},
        {"a.npz", "PK\3\4 and nothing", "a.npz: has no zip directory at its end"},
        {"a.csv", "x1,x2,x3\n1,2,3\n4,5\n", "a.csv: line 3: expected 3 cells, found 2"},
        {"a.csv", "id,0,1\na,1,2\n,1,2\n", "a.csv: line 3: the id is empty"},
        {"a.csv", "1;2;3\n4;5,5,5;6\n", "a.csv: line 2, column 2: '5,5,5' is not a number"},
        {"a.csv", "r,1,2\ns,3,z\n", "a.csv: line 2, column 3: 'z' is not a number"},
        {"a.jsonl", "[1,2]\n[1," SIXTY "]\n",
         "a.jsonl: line 2, number 2: '" SHOWN "' is not a number"},
        {"a.vec", "a 1 2\nb 1 " SIXTY "\n", "a.vec: line 2, number 2: '" SHOWN "' is not a number"},
        {"a.csv", "r,1,2\ns,3," SIXTY "\n", "a.csv: line 2, column 3: '" SHOWN "' is not a number"},
        {"a.pt", "PK\3\4 some zip", "torch.load('"},
        {"a.pkl", "\x80\4\x95", "pickle.load(open('"},
        {"a.parquet", "PAR1", "pandas.read_parquet('"},
        {"a.arrow", "ARROW1", "pandas.read_feather('"},
        {"a.feather", "FEA1", "pandas.read_feather('"},
        {"a.mat", "MATLAB 5.0 MAT-file", "scipy.io.loadmat('"},
        {"a.index", "IxFI", "faiss.read_index('"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        const char *path = write_text(cases[i].name, cases[i].text);
        assert_int_not_equal(es_loaded_open(path, 0, NULL, &l, test_err()), ES_OK);
        assert_contains(test_message(), cases[i].message);
    }
    es_loaded l = {0};
    assert_ok(es_loaded_open(READERS "damaged.npz", 0, NULL, &l, test_err()));
    assert_string_equal(l.tensors.items[0].skipped,
                        "what is packed is malformed; the archive is damaged");
    es_loaded_close(&l);
}

/* ---- members of zip archives ---- */

enum { ENTRY = 46, ENTRY_MOST = 4096 }; /* of an entry in the zip directory, before its name */

typedef struct archive {
    unsigned char data[ENTRY_MOST];
    size_t size, entry; /* where the first entry begins */
} archive;

static void read_archive(const char *name, archive *out) {
    char path[400];
    (void)snprintf(path, sizeof path, READERS "%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    out->size = fread(out->data, 1, sizeof out->data, file);
    assert_int_equal(fclose(file), 0);
    for (out->entry = 0; memcmp(out->data + out->entry, "PK\1\2", 4) != 0; out->entry++)
        assert_true(out->entry + ENTRY < out->size);
}

static void set_bytes(unsigned char *at, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_bytes(const unsigned char *at, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

TEST(npz__members_that_cannot_be_had__are_left_out_with_why) {
    static const char outside[] = "it is outside the archive, which is cut short or damaged",
                      contradict[] = "its sizes contradict each other; the archive is damaged",
                      packed[] = "it is packed in a way that is not read; save it with np.savez";
    static const struct {
        const char *file;
        size_t at, bytes; /* in the entry */
        uint64_t value;
        const char *why;
    } cases[] = {
        {"one.npz", 8, 2, 1, "it is encrypted; save it without a password"},
        {"one.npz", 10, 2, 12, packed},
        {"one.npz", 24, 4, 207, contradict},
        {"one.npz", 20, 4, 207, contradict},
        {"one.npz", 20, 4, 1 << 20, outside},
        {"one.npz", 42, 4, 1 << 20, outside},
        {"one.npz", 42, 4, 1, outside},                /* no member begins there */
        {"packed.npz", 24, 4, 130 * 1032, contradict}, /* deflate cannot do that to 129 bytes */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        archive a;
        es_loaded l = {0};
        read_archive(cases[i].file, &a);
        set_bytes(a.data + a.entry + cases[i].at, cases[i].value, cases[i].bytes);
        const char *path = write_file("a.npz", a.data, a.size);
        if (es_loaded_open(path, 0, NULL, &l, test_err()) != ES_OK)
            fail_msg("case %zu: %s", i, test_message());
        assert_string_equal(l.tensors.items[0].skipped, cases[i].why);
        es_loaded_close(&l);
    }
}

/* Large archives keep sizes and places in an extra field, behind those of others. */
TEST(npz__zip64__is_read) {
    enum { FOREIGN = 5, WIDE = 4 + 3 * 8, EXTRA = FOREIGN + WIDE };
    archive a;
    es_loaded l = {0};
    read_archive("one.npz", &a);
    unsigned char *e = a.data + a.entry, extra[EXTRA] = "UT\1\0x\1\0\x18";
    size_t behind = a.entry + ENTRY + get_bytes(e + 28, 2);
    set_bytes(extra + FOREIGN + 4, get_bytes(e + 24, 4), 8);
    set_bytes(extra + FOREIGN + 12, get_bytes(e + 20, 4), 8);
    set_bytes(extra + FOREIGN + 20, get_bytes(e + 42, 4), 8);
    set_bytes(e + 24, UINT32_MAX, 4);
    set_bytes(e + 20, UINT32_MAX, 4);
    set_bytes(e + 42, UINT32_MAX, 4);
    assert_int_equal(get_bytes(e + 30, 2), 0);
    set_bytes(e + 30, EXTRA, 2);
    memmove(a.data + behind + EXTRA, a.data + behind, a.size - behind);
    memcpy(a.data + behind, extra, EXTRA);
    a.size += EXTRA;
    unsigned char *end = a.data + behind + EXTRA;
    assert_memory_equal(end, "PK\5\6", 4);
    set_bytes(end + 12, get_bytes(end + 12, 4) + EXTRA, 4);
    assert_ok(es_loaded_open(write_file("a.npz", a.data, a.size), 0, NULL, &l, test_err()));
    assert_int_equal(l.tensors.count, 1);
    assert_null(l.tensors.items[0].skipped);
    check_values(&l.tensors.items[0].array, l.tensors.items[0].array.d);
    es_loaded_close(&l);
}

/* And where their directory is in a record of its own, which the last one but one points at. */
TEST(npz__zip64_directory__is_found) {
    enum { RECORD = 56, LOCATOR = 20, END = 22 };
    archive a;
    read_archive("one.npz", &a);
    size_t end = a.size - END;
    unsigned char tail[RECORD + LOCATOR + END] = "PK\6\6", *locator = tail + RECORD;
    assert_memory_equal(a.data + end, "PK\5\6", 4);
    set_bytes(tail + 4, RECORD - 12, 8);
    set_bytes(tail + 24, 1, 8); /* members */
    set_bytes(tail + 32, 1, 8);
    set_bytes(tail + 40, get_bytes(a.data + end + 12, 4), 8);
    set_bytes(tail + 48, get_bytes(a.data + end + 16, 4), 8);
    memcpy(locator, "PK\6\7", 4);
    set_bytes(locator + 8, end, 8);
    set_bytes(locator + 16, 1, 4);
    memcpy(locator + LOCATOR, a.data + end, END);
    set_bytes(locator + LOCATOR + 12, UINT32_MAX, 4);
    set_bytes(locator + LOCATOR + 16, UINT32_MAX, 4);
    memcpy(a.data + end, tail, sizeof tail);
    a.size = end + sizeof tail;
    for (size_t off = 0; off < 2; off++) {
        es_loaded l = {0};
        set_bytes(a.data + end + RECORD + 8, end + off, 8);
        es_status st = es_loaded_open(write_file("a.npz", a.data, a.size), 0, NULL, &l, test_err());
        assert_int_equal(st, off ? ES_EFORMAT : ES_OK);
        if (off) {
            assert_contains(test_message(), "its zip64 directory is not where it should be");
            continue;
        }
        assert_int_equal(l.tensors.count, 1);
        assert_null(l.tensors.items[0].skipped);
        check_values(&l.tensors.items[0].array, l.tensors.items[0].array.d);
        es_loaded_close(&l);
    }
    set_bytes(a.data + end + RECORD + 8, end, 8);
    for (size_t field = 40; field <= 48; field += 8) { /* size and start, beyond any file */
        es_loaded l = {0};
        a.data[end + field + 7] = 1;
        assert_error(es_loaded_open(write_file("a.npz", a.data, a.size), 0, NULL, &l, test_err()),
                     ES_EFORMAT, "its zip directory does not fit the file");
        a.data[end + field + 7] = 0;
    }
}

/* What is no matrix is left to those whose it is. */
TEST(looks__tells__matrices_from_other_tables) {
    static const struct {
        const char *name, *text;
        bool looks;
    } cases[] = {
        {"e5.csv", "1,2,3\n4,5,6\n", true},
        {"e5.tsv", "1\t2\t3\n4\t5\t6\n", true},
        {"e5.csv", "id,0,1,2\na,1,2,3\nb,4,5,6\n", true},
        {"e5.csv", ",x1,x2,x3\n0,1,2,3\n1,4,5,6\n", true},
        {"e5.csv", "a,1,2,3\nb,4,5,6\n", true},
        {"mteb.csv", "model,STS,MTOP,ArX\na,1,2,3\nb,4,5,6\n", false},
        {"some.csv", "id,text\n1,hello\n2,you\n", false},
        {"pairs_of.csv", "1,2\n3,4\n", false},
        {"scores.csv", "1,2,3\n4,5,6\n", false},
        {"rows.csv", "1,2,3\n4,5,6\n", false},
        {"labels.csv", "1,2,3\n4,5,6\n", false},
        {"pairs.csv", "1,2,3\n4,5,6\n", false},
        {"qrels.csv", "1,2,3\n4,5,6\n", false},
        {"tasks.csv", "1,2,3\n4,5,6\n", false},
        {"models.csv", "1,2,3\n4,5,6\n", false},
        {"my-scores.csv", "1,2,3\n4,5,6\n", false},
        {"e5.ids.csv", "1,2,3\n4,5,6\n", false},
        {"holes.csv", "1,2,3\n4,,6\n", false},
        {"e5.csv", "1,5;2,5;3\n4;5;6\n", true},
        {"e5.csv", "\xEF\xBB\xBFid;x0;x1;x2\nr;1,5;2;3\ns;4;5;6\n", true},
        {"is.csv", "source,a,b,c,d,e,f,g,h\na,1,2,3,4,5,6,7,8\nb,1,2,3,4,5,6,7,8\n", false},
        {"cos.csv", ",a,b,c,d,e,f,g,h\na,1,2,3,4,5,6,7,8\nb,1,2,3,4,5,6,7,8\n", false},
        {"board.csv", "model,a,b,c,d,e,f,g,h\ne5,1,2,3,4,5,6,7,8\nx,1,2,3,4,5,6,7,8\n", false},
        {"named.csv", "id,a,b,c,d,e,f,g,h\nr1,1,2,3,4,5,6,7,8\nr2,1,2,3,4,5,6,7,8\n", true},
        {"v.txt", "a 1 2 3\nb 4 5 6\n", true},
        {"v.txt", "2 3\na 1 2 3\nb 4 5 6\n", true},
        {"v.txt", "1 2 3\n4 5 6\n", true},
        {"v.txt", "what a day\nit is today\n", false},
        {"v.txt", "a\nb\nc\n", false},
        {"v.txt", "a 1 2 3\nb 4 5\n", false},
        {"v.txt", "a 1 2 3\nb 4 x 6\n", false},
        {"v.txt", "what a fine day\nit is now today\n", false},
        {"j.jsonl", "{\"text\":\"a\",\"vec\":[1,2]}\n", true},
        {"j.jsonl", "{\"text\":\"a\"}\n", false},
        {"j.jsonl", "{\"a\":[1,2],\"b\":[1,2]}\n", false},
        {"j.jsonl", "[0.5, 1]\n", true},
        {"w.bin", "1 2\nword 12345678", true},
        {"w.bin", "1 2\nword 1234567", false},
        {"w.bin", "9 2\nword 12345678", true}, /* and refused, since it is cut short */
        {"w.bin", "\1\2\3\4", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_map map = {.data = (const unsigned char *)cases[i].text, .size = strlen(cases[i].text)};
        if (es_loader_find(cases[i].name)->looks(&map, cases[i].name) != cases[i].looks)
            fail_msg("%s: %s", cases[i].name, cases[i].text);
    }
}

/* Every format that is gone through says how far it is, and stops. */
TEST(readers__tell__how_far_they_are_and_stop) {
    static const char *const names[] = {"a.csv", "a.jsonl", "a.vec", "a.bin"},
                             *const lines[] = {"r,1,2,3\n", "{\"v\":[1,2,3]}\n", "r 1 2 3\n",
                                               "r twelve bytes"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *line = lines[k];
        es_buf *text = test_buf();
        es_loaded l = {0};
        es_run run;
        es_run_view view;
        if (k == 3)
            es_buf_printf(text, "%zu 3\n", ((3 << 20) - 1) / strlen(line) + 1);
        for (size_t start = text->length; text->length - start < (3 << 20);)
            es_buf_puts(text, line);
        const char *path = write_file(names[k], text->data, text->length);
        es_run_init(&run);
        assert_ok(es_loaded_head(path, 0, &run, &l, NULL));
        es_loaded_close(&l);
        es_run_look(&run, &view);
        assert_string_equal(view.doing, "counting its rows");
        assert_int_equal(view.total, text->length >> 10);
        assert_true(view.done > view.total / 2 && view.done <= view.total);
        es_run_cancel(&run);
        assert_int_equal(es_loaded_head(path, 0, &run, &l, NULL), ES_ECANCELED);
        es_run_init(&run);
        es_map map = {0};
        assert_ok(es_map_open(path, 0, &map, NULL));
        const es_loader *loader = es_loader_find(path);
        es_tensors tensors = {0};
        assert_ok(loader->load(&map, path, NULL, &tensors, NULL));
        double *values = test_keep(malloc(tensors.items[0].array.n * 3 * sizeof *values), free);
        const es_filling f = {.map = &map,
                              .path = path,
                              .tensor = &tensors.items[0],
                              .run = &run,
                              .out = (unsigned char *)values};
        assert_ok(loader->fill(&f, NULL));
        es_run_look(&run, &view);
        assert_true(view.total > 0 && view.done > view.total / 2);
        es_run_cancel(&run);
        assert_int_equal(loader->fill(&f, NULL), ES_ECANCELED);
        es_tensors_deinit(&tensors);
        es_map_close(&map);
    }
}

TEST(csv__reads__semicolons_and_decimal_commas) {
    static const char *const texts[] = {
        "\xEF\xBB\xBFid;x0;x1\nr0;1,5;-2\nr1;0,25;1e3\n",
        "\"id\";\"x0\";\"x1\"\n\"r0\";1,5;-2\n\"r1\";0,25;1e3\n",
        "\"i,d\" ; x0;\"x;1\"\nr0;\"1,5\";-2\nr1;0,25;1e3\n",
    };
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        es_loaded l = {0};
        double values[4];
        const char *path = write_file("e.csv", texts[t], strlen(texts[t]));
        if (es_loaded_open(path, 0, NULL, &l, test_err()) != ES_OK)
            fail_msg("%zu: %s", t, test_message());
        es_array_read(&l.tensors.items[0].array, NULL, 2, values);
        assert_true(values[0] == 1.5 && values[1] == -2 && values[2] == 0.25 && values[3] == 1000);
        assert_string_equal(es_row_ids_get(l.tensors.items[0].ids, 1, NULL), "r1");
        es_loaded_close(&l);
    }
}

TEST(csv__reads__semicolons_within_cells_between_commas) {
    static const char text[] = "\"id\",\"x;0\",\"x;1\"\n\"r;0\",1.5,-2\n\"r;1\",0.25,1e3\n";
    es_loaded l = {0};
    double values[4];
    assert_ok(es_loaded_open(write_file("f.csv", text, sizeof text - 1), 0, NULL, &l, NULL));
    es_array_read(&l.tensors.items[0].array, NULL, 2, values);
    assert_true(values[0] == 1.5 && values[1] == -2 && values[2] == 0.25 && values[3] == 1000);
    assert_string_equal(es_row_ids_get(l.tensors.items[0].ids, 1, NULL), "r;1");
    es_loaded_close(&l);
}

/* 400 rows of 1000 numbers, more than stays in memory. */
static const char *write_large(const char *name) {
    es_buf *text = test_buf();
    for (size_t i = 0; i < 400; i++) {
        es_buf_printf(text, "w%zu", i);
        for (size_t j = 0; j < 1000; j++)
            es_buf_printf(text, " %zu", (i * 7 + j) % 10);
        es_buf_putc(text, '\n');
    }
    const char *path = write_file(name, text->data, text->length);
    return path;
}

static size_t converted_files(const char *folder) {
    char below[500];
    size_t count = 0;
    (void)snprintf(below, sizeof below, "%s/embedscope/converted", folder);
    DIR *dir = opendir(below);
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;)
        count += e->d_name[0] != '.';
    if (dir)
        (void)closedir(dir);
    return count;
}

TEST(convert__keeps__large_values_in_the_cache) {
    char folder[400], below[800];
    es_loaded l = {0}, again = {0};
    double row[1000];
    char *root = test_keep(realpath(test_dir, NULL), free);
    (void)snprintf(folder, sizeof folder, "%.300s/cache", root);
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    const char *path = write_large("large.txt");
    assert_ok(es_loaded_open(path, 0, NULL, &l, test_err()));
    assert_null(l.tensors.items[0].array.owned);
    es_array_read_range(&l.tensors.items[0].array, 399, 1, row);
    assert_true(row[0] == 399 * 7 % 10 && row[999] == (399 * 7 + 999) % 10);
    assert_int_equal(l.tensors.items[0].ids->n, 400);
    assert_int_equal(converted_files(folder), 1);
    assert_ok(es_loaded_open(path, 0, NULL, &again, test_err()));
    assert_int_equal(converted_files(folder), 1);
    es_loaded_close(&again);
    es_loaded_close(&l);
    /* another content is another file; one that is damaged is made again */
    path = write_large("other.txt");
    (void)snprintf(below, sizeof below, "%s/embedscope/converted", folder);
    DIR *dir = opendir(below);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        if (e->d_name[0] != '.') {
            (void)snprintf(below, sizeof below, "%s/embedscope/converted/%s", folder, e->d_name);
            assert_int_equal(truncate(below, 1000), 0);
        }
    (void)closedir(dir);
    assert_ok(es_loaded_open(path, 0, NULL, &l, test_err()));
    es_array_read_range(&l.tensors.items[0].array, 399, 1, row);
    assert_true(row[999] == (399 * 7 + 999) % 10);
    es_loaded_close(&l);
    /* and one of which a single bit is another */
    int fd = open(below, O_RDWR);
    unsigned char byte = 0;
    assert_true(fd >= 0);
    assert_int_equal(pread(fd, &byte, 1, 4000), 1);
    byte ^= 4;
    assert_int_equal(pwrite(fd, &byte, 1, 4000), 1);
    assert_int_equal(close(fd), 0);
    double before[1000];
    assert_ok(es_loaded_open(path, 0, NULL, &l, test_err()));
    es_array_read_range(&l.tensors.items[0].array, 0, 1, before);
    for (size_t j = 0; j < 1000; j++)
        assert_true(before[j] == (double)(j % 10));
    assert_int_equal(converted_files(folder), 1);
    es_loaded_close(&l);
    /* a run that is cancelled leaves nothing that could be taken for values */
    es_run run;
    es_run_init(&run);
    es_run_cancel(&run);
    assert_int_equal(unlink(below), 0);
    assert_int_equal(es_loaded_open(path, 0, &run, &l, test_err()), ES_ECANCELED);
    assert_int_equal(converted_files(folder), 0);
    /* no room, and what to do */
    assert_int_equal(setenv("XDG_CACHE_HOME", "/proc/nowhere", 1), 0);
    assert_int_not_equal(es_loaded_open(path, 0, NULL, &l, test_err()), ES_OK);
    assert_contains(test_message(), "/proc/nowhere");
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    static const char *const parts[] = {"/embedscope/converted", "/embedscope", ""};
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(below, sizeof below, "%s%s", folder, parts[i]);
        assert_int_equal(rmdir(below), 0);
    }
}

/* Pages of values go to their file now and then. Those here have none, so that they become zero. */
TEST(fill__says__how_much_it_wrote) {
    enum { ROWS = 1100, BYTES = 1 << 16 }; /* 8 columns of 8 bytes: more than that */
    static const struct {
        const char *name, *row;
        es_status (*parse)(const es_map *map, const char *path, es_run *run, es_tensors *out,
                           es_error *err);
        es_fill *fill;
    } formats[] = {
        {"a.vec", "1 2 3 4 5 6 7 8\n", es_word_text_parse, es_word_text_fill},
        {"a.jsonl", "[1,2,3,4,5,6,7,8]\n", es_jsonl_parse, es_jsonl_fill},
        {"a.csv", "1,2,3,4,5,6,7,8\n", es_table_tensors, es_table_fill},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        es_buf *text = test_buf();
        es_map map = {0};
        es_tensors tensors = {0};
        for (size_t row = 0; row < ROWS; row++)
            es_buf_puts(text, formats[i].row);
        const char *path = write_file(formats[i].name, text->data, text->length);
        assert_ok(es_map_open(path, 0, &map, NULL));
        assert_ok(formats[i].parse(&map, path, NULL, &tensors, NULL));
        assert_int_equal(tensors.items[0].array.n, ROWS);
        assert_int_equal(tensors.items[0].array.d, 8);
        size_t size = ROWS * 8 * sizeof(double), until = 0;
        double *values =
            mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(values != MAP_FAILED);
        es_map_watch *watch = es_map_watch_new(values, size);
        assert_non_null(watch);
        for (values[0] = 1; values[0] != 0; until += BYTES)
            es_map_watch_use(watch, BYTES);
        es_map_watch_use(watch, until - 2 * BYTES); /* as much as one may, except BYTES */
        es_filling f = {.map = &map,
                        .path = path,
                        .tensor = &tensors.items[0],
                        .out = (unsigned char *)values,
                        .watch = watch};
        assert_ok(formats[i].fill(&f, NULL));
        assert_true(values[0] == 0);
        assert_true(values[8 * ROWS - 1] == 8);
        es_map_watch_free(watch);
        assert_int_equal(munmap(values, size), 0);
        es_tensors_deinit(&tensors);
        es_map_close(&map);
    }
}

/* All that was read, except values. */
static void check_same(const es_loaded *a, const es_loaded *b) {
    assert_int_equal(a->tensors.count, b->tensors.count);
    for (size_t i = 0; i < a->tensors.count; i++) {
        const es_tensor *x = &a->tensors.items[i], *y = &b->tensors.items[i];
        const char *texts[][2] = {{x->name, y->name}, {x->skipped, y->skipped}};
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(texts[k][0] == NULL, texts[k][1] == NULL);
            if (texts[k][0])
                assert_string_equal(texts[k][0], texts[k][1]);
        }
        assert_int_equal(x->array.n, y->array.n);
        assert_int_equal(x->array.d, y->array.d);
        assert_int_equal(x->ids == NULL, y->ids == NULL);
        for (size_t r = 0; x->ids && r < x->ids->n; r++)
            assert_string_equal(es_row_ids_get(x->ids, r, NULL), es_row_ids_get(y->ids, r, NULL));
    }
}

static ino_t inode_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_ino;
}

/* What is kept in the cache, too. */
TEST(convert__out_of_memory__leaves_nothing_half_made) {
    char folder[400], below[800], file[800] = "";
    char *root = test_keep(realpath(test_dir, NULL), free);
    (void)snprintf(folder, sizeof folder, "%.300s/cache", root);
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    const char *path = write_large("large.txt");
    bool met = true;
    for (long k = 0; met; k++) {
        es_loaded l = {0};
        refuse_one(k);
        es_status st = es_loaded_open(path, 0, NULL, &l, test_err());
        met = refuse_end();
        if (st != ES_OK && (st != ES_ENOMEM || !met))
            fail_msg("after %ld: %s", k, test_message());
        es_loaded_close(&l);
        if (converted_files(folder) == 0) {
            assert_int_equal(st, ES_ENOMEM);
            continue;
        }
        /* what has its name is whole */
        (void)snprintf(below, sizeof below, "%s/embedscope/converted", folder);
        DIR *dir = opendir(below);
        assert_non_null(dir);
        for (struct dirent *e; (e = readdir(dir)) != NULL;)
            if (e->d_name[0] != '.')
                (void)snprintf(file, sizeof file, "%.400s/%.300s", below, e->d_name);
        (void)closedir(dir);
        ino_t made = inode_of(file);
        assert_ok(es_loaded_open(path, 0, NULL, &l, test_err()));
        assert_true(inode_of(file) == made);
        es_loaded_close(&l);
        assert_int_equal(unlink(file), 0);
    }
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    static const char *const parts[] = {"/embedscope/converted", "/embedscope", ""};
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(below, sizeof below, "%s%s", folder, parts[i]);
        assert_int_equal(rmdir(below), 0);
    }
}

/* Tokens of any bytes, and no file of another format under the name. */
TEST(word_text__takes__what_is_no_text_but_no_other_format) {
    es_loaded l = {0};
    static const char latin[] = "caf\xe9 1 2 3\n\x01\x02 4 5 6\n";
    assert_ok(
        es_loaded_open(write_file("a.vec", latin, sizeof latin - 1), 0, NULL, &l, test_err()));
    assert_int_equal(l.tensors.items[0].array.n, 2);
    es_loaded_close(&l);
    assert_int_not_equal(
        es_loaded_open(write_text("a.vec", "\x93NUMPY 1 2 3\n"), 0, NULL, &l, test_err()), ES_OK);
    assert_contains(test_message(), "is a NumPy array; name it .npy");
}

TEST(readers__report__that_memory_ran_out) {
    static const char *const files[] = {"several.npz", "packed.npz", "rows.jsonl", "bare.jsonl",
                                        "words.vec",   "words.bin",  "ids.csv",    "plain.txt",
                                        "glove.txt",   "plain.h5",   "cells.h5ad", "sparse.h5ad"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char path[400];
        es_loaded usual = {0};
        bool met = true;
        (void)snprintf(path, sizeof path, READERS "%s", files[f]);
        if (!es_loader_find(path)->load)
            continue; /* built without the library */
        open_reference(files[f], &usual);
        for (long k = 0; met; k++) {
            es_loaded l = {0};
            refuse_one(k);
            es_status st = es_loaded_open(path, 0, NULL, &l, test_err());
            met = refuse_end() || st != ES_OK; /* HDF5's process has a count of its own */
            if (st != ES_OK && st != ES_ENOMEM)
                fail_msg("%s after %ld: %s", files[f], k, test_message());
            if (st == ES_OK)
                check_same(&l, &usual);
            es_loaded_close(&l);
        }
        es_loaded_close(&usual);
    }
}

/* With as many layers as there may be, all of what a file can hold comes back. */
TEST(cmim__written__is_read_the_same) {
    static char name[] = "m", sources[] = "[]";
    es_cmim_tensor table[ES_CMIM_TENSORS];
    es_cmim_model got = {0},
                  m = {.name = name, .sources = sources, .seed = 5, .step = 20, .best_loss = 0.5};
    es_cmim_point curve[] = {{10, {1, 2, 3, 4, 5, 6}, 7}, {20, {8, 9, 10, 11, 12, 13}, 14}};
    float param[1000];
    es_cmim_defaults(m.values);
    assert_ok(es_setting_assign(es_cmim_settings, es_cmim_setting_count, "a recipe", "layers=4",
                                m.values, NULL));
    const es_cmim_recipe recipe = es_cmim_recipe_of(m.values, m.seed);
    assert_ok(es_cmim_columns_new(3, 2, &m.columns, NULL));
    for (size_t j = 0; j < 2; j++) {
        m.columns.column[j] = (uint32_t)j + 1;
        m.columns.shift[j] = 0.5 * (double)j;
        m.columns.factor[j] = 2;
    }
    m.shape = (es_cmim_shape){
        .d = 2, .h = 3, .k = 2, .layers = 4, .relu = recipe.relu, .bernoulli = recipe.bernoulli};
    (void)es_cmim_tensors(&m.shape, table, &m.n_params);
    assert_true(m.n_params <= sizeof param / sizeof *param);
    for (size_t i = 0; i < m.n_params; i++)
        param[i] = (float)i / 8;
    m.param = m.moment1 = m.moment2 = m.best = param;
    m.curve = curve;
    m.n_points = 2;
    const char *path = in_dir("m.safetensors");
    assert_ok(es_cmim_model_write(path, &m, test_err()));
    if (es_cmim_model_read(path, &got, test_err()) != ES_OK || !got.param || !got.moment2 ||
        !got.best || !got.curve) {
        fail_msg("%s", test_message());
        return;
    }
    assert_int_equal(got.n_params, m.n_params);
    for (size_t i = 0; i < m.n_params; i++)
        assert_true(got.param[i] == param[i] && got.moment2[i] == param[i] &&
                    got.best[i] == param[i]);
    assert_int_equal(got.n_points, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(got.curve[i].step, curve[i].step);
        assert_true(got.curve[i].batch.loss == curve[i].batch.loss &&
                    got.curve[i].batch.cosine == curve[i].batch.cosine &&
                    got.curve[i].validation == curve[i].validation);
    }
    assert_int_equal(got.columns.column[1], 2);
    es_cmim_model_deinit(&got);
    m.columns.column[1] = 3; /* of 0 to 2 */
    const char *wrong = in_dir("wrong.safetensors");
    assert_ok(es_cmim_model_write(wrong, &m, test_err()));
    assert_error(es_cmim_model_read(wrong, &got, test_err()), ES_EFORMAT,
                 "one of its columns is not in the input");
    path = in_dir("m.safetensors");
    bool met = true;
    for (long k = 0; met; k++) {
        refuse_one(k);
        es_status st = es_cmim_model_read(path, &got, test_err());
        met = refuse_end();
        assert_int_equal(st, met ? ES_ENOMEM : ES_OK);
        if (st == ES_OK)
            assert_true(got.n_points == 2 && got.best[7] == param[7]);
        es_cmim_model_deinit(&got);
    }
    /* what training goes on from is there as a whole, or not */
    static const struct {
        const char *part;
        es_status status;
    } parts[] = {
        {"state.moment1", ES_OK}, {"state.moment2", ES_EFORMAT}, {"state.best", ES_EFORMAT}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *bytes = NULL;
        size_t size = 0;
        assert_ok(es_file_read(path, 0, SIZE_MAX, &bytes, &size, NULL));
        size_t at = 0;
        while (memcmp(bytes + at, parts[i].part, strlen(parts[i].part)) != 0)
            at++; /* it is there */
        bytes[at] = 'S';
        const char *other = write_file("other.safetensors", bytes, size);
        assert_int_equal(es_cmim_model_read(other, &got, test_err()), parts[i].status);
        if (parts[i].status == ES_OK)
            assert_true(got.param && !got.moment1 && !got.moment2 && !got.best);
        es_cmim_model_deinit(&got);
        es_free(bytes);
    }
    es_cmim_columns_deinit(&m.columns);
}
