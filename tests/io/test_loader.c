/* .safetensors, and files of embeddings by their names. */
#include "io_test.h"

#include "io_files_parts.h"
#include "io_readers.h"

TEST_GROUP(make_test_dir, remove_test_dir);

static unsigned char image[8192];

/* A file in memory: header text, then `data` bytes 0, 1, 2 ... */
static es_map make(const char *header, size_t data) {
    size_t length = strlen(header);
    memset(image, 0, 8);
    image[0] = (unsigned char)(length & 255);
    image[1] = (unsigned char)(length >> 8);
    memcpy(image + 8, header, length + 1); /* the NUL goes under the data */
    for (size_t i = 0; i < data; i++)
        image[8 + length + i] = (unsigned char)i;
    return (es_map){.data = image, .size = 8 + length + data};
}

TEST(safetensors__parse__all_kinds) {
    es_map map =
        make("{\"__metadata__\":{\"format\":\"pt\"},"
             "\"a/f32\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
             "\"bias\":{\"dtype\":\"F16\",\"shape\":[4],\"data_offsets\":[24,32]},"
             "\"bf\":{\"dtype\":\"BF16\",\"shape\":[2,1],\"data_offsets\":[32,36]},"
             "\"cube\":{\"dtype\":\"I8\",\"shape\":[1,2,2],\"data_offsets\":[36,40]},"
             "\"f8\":{\"dtype\":\"F8_E4M3\",\"shape\":[2,2],\"data_offsets\":[40,44]},"
             "\"none\":{\"dtype\":\"F32\",\"shape\":[0,3],\"data_offsets\":[44,44]},"
             "\"b\\u001b\":{\"dtype\":\"BOOL\",\"shape\":[1,4],\"data_offsets\":[44,48]}}   ",
             48);
    es_tensors t = {0};
    assert_ok(es_safetensors_parse(&map, "x.safetensors", &t, test_err()));
    assert_int_equal(t.count, 7);
    assert_string_equal(t.items[0].name, "a/f32");
    assert_null(t.items[0].skipped);
    assert_int_equal(t.items[0].array.n, 2);
    assert_int_equal(t.items[0].array.d, 3);
    assert_int_equal(t.items[0].array.dtype, ES_DTYPE_F32);
    assert_ptr_equal(t.items[0].array.data, image + map.size - 48);
    assert_string_equal(t.items[1].skipped, "it is 1-D, expected 2-D (rows, columns)");
    assert_int_equal(t.items[2].array.dtype, ES_DTYPE_BF16);
    double out[2];
    es_array_read(&t.items[2].array, NULL, 2, out);
    assert_true(out[0] == es_bf16_to_double(0x2120) && out[1] == es_bf16_to_double(0x2322));
    assert_string_equal(t.items[3].skipped, "it is 3-D, expected 2-D (rows, columns)");
    assert_string_equal(t.items[4].skipped, "its dtype F8_E4M3 is not read; save it as F32");
    assert_string_equal(t.items[5].skipped, "it holds no values");
    assert_string_equal(t.items[6].name, "b\xEF\xBF\xBD");
    es_tensors_deinit(&t);
    es_tensors_deinit(&t);
    map = make("{}", 0);
    assert_ok(es_safetensors_parse(&map, "x.safetensors", &t, test_err()));
    assert_int_equal(t.count, 0);
    es_tensors_deinit(&t);
}

static void check_bad(const char *header, size_t data, const char *message) {
    es_map map = make(header, data);
    es_tensors t = {.count = 77};
    assert_error(es_safetensors_parse(&map, "x.safetensors", &t, test_err()), ES_EFORMAT,
                 "x.safetensors: ");
    assert_contains(test_message(), message);
    assert_int_equal(t.count, 77);
}

#define TENSOR(name, dtype, shape, offsets)                                                        \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"

TEST(safetensors__parse__refuses) {
    check_bad("{" TENSOR("a", "F32", "[2,2]", "[0,16]") "}", 15,
              "a.data_offsets: ends at byte 16 of the data, found 15: cut short?");
    check_bad("{" TENSOR("a", "F32", "[2,2]", "[0,12]") "}", 16,
              "a: its shape needs 16 bytes, its offsets span 12");
    check_bad("{" TENSOR("a", "F32", "[2,2]", "[16,0]") "}", 16, "the end is before the start");
    check_bad("{" TENSOR("a", "F32", "[2,2]", "[-1,15]") "}", 16, "expected a whole number");
    check_bad("{" TENSOR("a", "F32", "[2,2]", "[0.5,16]") "}", 16, "expected a whole number");
    check_bad("{" TENSOR("a", "F32", "[2,2]", "[0]") "}", 16, "expected two numbers");
    check_bad("{" TENSOR("a", "F32", "[2,2]", "[0,1e300]") "}", 16, "expected a whole number");
    check_bad("{" TENSOR("a", "F32", "[4294967296,4294967296,4]", "[0,16]") "}", 16, "its shape");
    check_bad("{" TENSOR("a", "F32", "[\"2\",2]", "[0,16]") "}", 16,
              "a.shape[0]: expected a number, found a string");
    check_bad(
        "{" TENSOR("a", "F32", "[2,2]", "[0,16]") "," TENSOR("b", "F32", "[2,2]", "[8,24]") "}", 24,
        "the data of tensors 'a' and 'b' overlap");
    check_bad("{" TENSOR("a", "F32", "[1,1]", "[0,4]") "," TENSOR("a", "F32", "[1,1]", "[4,8]") "}",
              8, "tensor 'a' is in the header twice");
    check_bad("{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1]}}", 4, "a.data_offsets: is missing");
    check_bad("{\"a\":3}", 4, "a: expected an object, found a number");
    check_bad("{\"a\":", 4, "not valid JSON");
    es_map map = make("{}", 0);
    es_tensors t = {0};
    image[0] = 200;
    assert_error(es_safetensors_parse(&map, "x.safetensors", &t, test_err()), ES_EFORMAT,
                 "header is cut short: expected 200 bytes, found 2");
    map.size = 3;
    assert_int_equal(es_safetensors_parse(&map, "x.safetensors", &t, test_err()), ES_EFORMAT);
    map = (es_map){.data = (const unsigned char *)"PK\3\4 archive/data.pkl", .size = 21};
    assert_error(es_safetensors_parse(&map, "x.safetensors", &t, test_err()), ES_EUNSUPPORTED,
                 "is a PyTorch archive");
}

TEST(safetensors__faults_and_changed_bytes__leave_nothing) {
    static const char header[] =
        "{" TENSOR("a", "F32", "[2,2]", "[0,16]") "," TENSOR("b", "I8", "[4]", "[16,20]") "}";
    for (long k = 0, done = 0; !done; k++) {
        es_map map = make(header, 20);
        es_tensors t = {0};
        es_alloc_fail_after(k);
        es_status st = es_safetensors_parse(&map, "x.safetensors", &t, test_err());
        es_alloc_fail_after(-1);
        done = st == ES_OK;
        if (!done)
            assert_int_equal(st, ES_ENOMEM);
        es_tensors_deinit(&t);
    }
    es_rng rng;
    es_rng_init(&rng, 2, 2);
    for (int round = 0; round < 20000; round++) {
        es_map map = make(header, 20);
        for (int k = 0; k < 2; k++)
            image[es_rng_below(&rng, map.size)] = (unsigned char)es_rng_below(&rng, 256);
        es_tensors t = {0};
        if (es_safetensors_parse(&map, "x.safetensors", &t, test_err()) == ES_OK)
            for (size_t i = 0; i < t.count; i++) {
                const es_array *a = &t.items[i].array;
                assert_true(t.items[i].skipped ||
                            (a->data >= image &&
                             a->data + a->n * a->d * es_dtype_size(a->dtype) <= image + map.size));
            }
        es_tensors_deinit(&t);
    }
}

/* With each request for memory refused once, it ends, says so, and leaves no file. Notes of every
 * length, so that the buffer grows at many lengths of the header. */
TEST(safetensors__write__ends_when_memory_does) {
    static const float values[6] = {1, 2, 3, 4, 5, 6};
    const es_tensor_out tensor = {"w", values, NULL, 2, 3};
    const char *path = in_dir("written.safetensors");
    char text[128];
    for (size_t length = 0; length < sizeof text; length++) {
        memset(text, 'n', length);
        text[length] = '\0';
        const es_tensor_note note = {"note", text};
        es_status st = ES_ENOMEM;
        for (long k = 0; st != ES_OK; k++) {
            es_alloc_fail_after(k);
            st = es_safetensors_write(path, &tensor, 1, &note, 1, test_err());
            es_alloc_fail_after(-1);
            assert_true(st == ES_OK || st == ES_ENOMEM);
            assert_int_equal(access(path, F_OK) == 0, st == ES_OK);
        }
        es_loaded l = {0};
        assert_ok(es_loaded_open(path, 0, NULL, &l, test_err()));
        assert_int_equal((uintptr_t)l.tensors.items[0].array.data % 8, 0);
        es_loaded_close(&l);
        assert_int_equal(unlink(path), 0);
    }
}

TEST(loader__find__by_ending) {
    assert_string_equal(es_loader_find("pool/e5.npy")->ending, ".npy");
    assert_string_equal(es_loader_find("pool/E5.NPY")->ending, ".npy");
    assert_string_equal(es_loader_find("x.y.safetensors")->ending, ".safetensors");
    assert_non_null(es_loader_find("rows.csv")->looks);
    assert_null(es_loader_find("e5.pt")->load);
    assert_null(es_loader_find("README.md"));
    assert_null(es_loader_find("npy"));
    assert_null(es_loader_find(".npy")); /* a hidden file without a name */
    assert_null(es_loader_find("pool/.npy"));
    assert_int_equal(es_loader_stem("a/e5.v2.npy"), 7);
    assert_int_equal(es_loader_stem("README"), 6);
}

TEST(loaded__open__every_format) {
    es_loaded l = {0};
    double row[8];
    assert_ok(es_loaded_open(ES_SAMPLE_DATA "/molecules/maccs_167.npy", 0, NULL, &l, test_err()));
    assert_int_equal(l.tensors.count, 1);
    assert_null(l.tensors.items[0].name);
    assert_int_equal(l.tensors.items[0].array.d, 167);
    es_loaded_close(&l);
    assert_ok(es_loaded_open(write_text("a.csv", "x,y\n1,2\n3,4\n"), 0, NULL, &l, test_err()));
    es_array_read(&l.tensors.items[0].array, NULL, 2, row);
    assert_true(row[3] == 4);
    es_loaded_close(&l);
    es_map map = make("{" TENSOR("a", "U8", "[2,2]", "[0,4]") "}", 4);
    assert_ok(
        es_loaded_open(write_file("a.safetensors", map.data, map.size), 0, NULL, &l, test_err()));
    es_array_read(&l.tensors.items[0].array, NULL, 2, row);
    assert_true(row[3] == 3);
    es_loaded_close(&l);
    es_loaded_close(&l);
}

TEST(loaded__open__refuses) {
    es_loaded l = {0};
    static const char torch[] = "PK\3\4..........................archive/data.pkl";
    assert_error(es_loaded_open(write_file("e5.pt", torch, sizeof torch), 0, NULL, &l, test_err()),
                 ES_EUNSUPPORTED, "e5.pt: is a PyTorch archive; convert it: python3 -c");
    assert_error(es_loaded_open(write_file("e5.npy", torch, sizeof torch), 0, NULL, &l, test_err()),
                 ES_EUNSUPPORTED, "is a PyTorch archive");
    assert_int_equal(es_loaded_open(in_dir("none.npy"), 0, NULL, &l, test_err()), ES_ENOTFOUND);
    assert_error(es_loaded_open(write_text("notes.md", "hello"), 0, NULL, &l, test_err()),
                 ES_EUNSUPPORTED, "notes.md: is text, expected a file of embeddings");
    /* what is plain from the content, else what the name says */
    static const struct {
        const char *name, *text, *said;
    } cases[] = {{"e5.pt", "\x93NUMPY", "e5.pt: is a NumPy array; name it .npy"},
                 {"e5.pt", "\x89HDF\r\n\x1a\n", "e5.pt: is an HDF5 file"},
                 {"e5.pt", "\x01\x02\x03", "e5.pt: is a PyTorch archive"},
                 {"e5.pt", "some text", "e5.pt: is a PyTorch archive"},
                 {"e5.pt", "\x80\x04.", "e5.pt: is a PyTorch archive"},
                 {"e5.parquet", "PK\x03\x04", "e5.parquet: is a Parquet file"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *other = write_text(cases[i].name, cases[i].text);
        assert_error(es_loaded_open(other, 0, NULL, &l, test_err()), ES_EUNSUPPORTED,
                     cases[i].said);
    }
    const char *path = write_text("b.csv", "1,2\n3,4\n");
    for (long k = 0, done = 0; !done; k++) {
        es_alloc_fail_after(k);
        es_status st = es_loaded_open(path, 0, NULL, &l, test_err());
        es_alloc_fail_after(-1);
        done = st == ES_OK;
        if (!done)
            assert_int_equal(st, ES_ENOMEM);
    }
    es_loaded_close(&l);
}

/* Memory of this process that stands for files, in bytes; 0 where the system does not tell. */
static size_t file_memory(void) {
    char line[200];
    unsigned long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "RssFile: %lu", &kilobytes) == 1)
            break;
    if (status)
        (void)fclose(status);
    return kilobytes * 1024;
}

/* 96 MB of zeros except the last row, read in each way; they do not stay in memory. */
TEST(array__read__lets_go_of_a_large_file) {
    enum { N = 1 << 17, D = 192, STEP = 512, MOST = 40 << 20 };
    static const char *const orders[] = {"False", "True"};
    for (size_t fortran = 0; fortran < 2; fortran++) {
        char header[129], dictionary[100];
        (void)snprintf(dictionary, sizeof dictionary,
                       "{'descr': '<f4', 'fortran_order': %s, 'shape': (%d, %d), }",
                       orders[fortran], (int)N, (int)D);
        (void)snprintf(header, sizeof header, "?NUMPY????%-117s\n", dictionary);
        header[0] = '\x93';
        header[6] = 1;
        header[7] = 0;
        header[8] = 118;
        header[9] = 0;
        const char *path = write_file("large.npy", header, 128);
        FILE *file = fopen(path, "r+b");
        float one = 1;
        assert_int_equal(fseek(file, 128 + (long)(((size_t)N * D - 1) * sizeof one), SEEK_SET), 0);
        assert_int_equal(fwrite(&one, sizeof one, 1, file), 1);
        assert_int_equal(fclose(file), 0);
        es_loaded l = {0};
        es_digest digest;
        static double rows[(size_t)STEP * D];
        uint32_t list[STEP];
        size_t before = file_memory(), most = before;
        assert_ok(es_loaded_open(path, 0, NULL, &l, test_err()));
        const es_array *a = &l.tensors.items[0].array;
        for (size_t at = 0; at < N; at += STEP) {
            for (uint32_t i = 0; i < STEP; i++)
                list[i] = (uint32_t)at + i;
            es_array_read(a, list, STEP, rows);
            es_array_read_range(a, at, STEP, rows);
            size_t now = file_memory();
            most = now > most ? now : most;
        }
        assert_true(rows[(size_t)STEP * D - 1] == 1.0 && rows[(size_t)STEP * D - 2] == 0.0);
        assert_ok(es_array_digest(a, NULL, &digest, test_err()));
        size_t now = file_memory();
        most = now > most ? now : most;
        if (!fortran && most - before > MOST) /* each column has its own pages */
            fail_msg("%zu MB of the file are in memory", (most - before) >> 20);
        es_map_rest(&l.map);
        assert_true(file_memory() < before + (1 << 20));
        es_loaded_close(&l);
    }
}
