/* Matrices that are written: byte by byte against what the formats say, and read again; and files
 * put aside. */
#include "io_test.h"

#include <fcntl.h>

#include "io_readers.h"

TEST_GROUP(make_test_dir, remove_test_dir);

/* ---- plain writers ---- */

static void put(es_buf *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++, value /= 256)
        es_buf_putc(out, (char)(unsigned char)(value % 256));
}

/* A header of version 1.0, padded so that the values begin at a multiple of 64. */
static void put_npy_header(es_buf *out, const char *type, const char *shape) {
    es_buf *text = test_buf();
    es_buf_printf(text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    while ((10 + text->length + 1) % 64 != 0)
        es_buf_putc(text, ' ');
    es_buf_putc(text, '\n');
    es_buf_puts(out, "\x93NUMPY");
    put(out, 1, 1);
    put(out, 0, 1);
    put(out, text->length, 2);
    es_buf_add(out, text->data, text->length);
}

static uint32_t crc_of(const char *bytes, size_t size) {
    uint32_t crc = 0xffffffffU;
    for (size_t i = 0; i < size; i++) {
        crc ^= (unsigned char)bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320U : crc >> 1;
    }
    return ~crc;
}

static void put_about(es_buf *out, const char *name, const es_buf *data) {
    put(out, 20, 2);   /* version 2.0 */
    put(out, 0, 2);    /* flags */
    put(out, 0, 2);    /* stored */
    put(out, 0, 2);    /* midnight */
    put(out, 0x21, 2); /* 1 January 1980 */
    put(out, crc_of(data->data, data->length), 4);
    put(out, data->length, 4);
    put(out, data->length, 4);
    put(out, strlen(name), 2);
    put(out, 0, 2); /* nothing more */
}

static void put_zip(es_buf *out, const char *const *names, const es_buf *data, size_t count) {
    size_t offset[4], start;
    for (size_t i = 0; i < count; i++) {
        offset[i] = out->length;
        put(out, 0x04034b50, 4);
        put_about(out, names[i], &data[i]);
        es_buf_puts(out, names[i]);
        es_buf_add(out, data[i].data, data[i].length);
    }
    start = out->length;
    for (size_t i = 0; i < count; i++) {
        put(out, 0x02014b50, 4);
        put(out, 20, 2);
        put_about(out, names[i], &data[i]);
        put(out, 0, 10); /* no comment, disk, attributes */
        put(out, offset[i], 4);
        es_buf_puts(out, names[i]);
    }
    size_t end = out->length;
    put(out, 0x06054b50, 4);
    put(out, 0, 4);
    put(out, count, 2);
    put(out, count, 2);
    put(out, end - start, 4);
    put(out, start, 4);
    put(out, 0, 2);
}

static void assert_same(const es_buf *got, const es_buf *expected) {
    assert_false(got->failed || expected->failed);
    assert_int_equal(got->length, expected->length);
    assert_memory_equal(got->data, expected->data, got->length);
}

static es_buf slurp(const char *path) {
    es_buf out = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (int c; (c = getc(file)) != EOF;)
        es_buf_putc(&out, (char)c);
    assert_int_equal(fclose(file), 0);
    return out;
}

/* ---- .npy ---- */

TEST(npy__write__is_the_format_byte_by_byte) {
    static const struct {
        size_t n, d;
    } sizes[] = {{1, 1}, {3, 2}, {100, 7}, {1, 65536}, {70000, 1}, {257, 300}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = sizes[i].n, d = sizes[i].d;
        double *values = test_alloc(n * d, sizeof *values);
        es_buf *expected = test_buf();
        char shape[40];
        (void)snprintf(shape, sizeof shape, "%zu, %zu", n, d);
        put_npy_header(expected, "<f4", shape);
        for (size_t k = 0; k < n * d; k++) {
            float f = (float)sin((double)k) * (k % 3 ? 1 : 1e30F);
            uint32_t bits;
            memcpy(&bits, &f, sizeof bits);
            put(expected, bits, 4);
            values[k] = (double)f;
        }
        assert_ok(es_npy_write(in_dir("a.npy"), values, n, d, 0600, NULL));
        es_buf got = slurp(in_dir("a.npy"));
        assert_same(&got, expected);
        es_buf_free(&got);
        /* in parts, the last an empty one */
        es_npy_writer w = {0};
        assert_ok(es_npy_begin(in_dir("b.npy"), n, d, 0600, &w, NULL));
        assert_ok(es_npy_add(&w, values, n / 2, NULL));
        assert_ok(es_npy_add(&w, values + n / 2 * d, n - n / 2, NULL));
        assert_ok(es_npy_add(&w, values, 0, NULL));
        assert_int_not_equal(access(in_dir("b.npy"), F_OK), 0); /* not before its end */
        assert_ok(es_npy_end(&w, NULL));
        got = slurp(in_dir("b.npy"));
        assert_same(&got, expected);
        assert_int_equal(remove(in_dir("b.npy")), 0);
        es_buf_free(&got);
    }
    struct stat info;
    assert_int_equal(stat(in_dir("a.npy"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

TEST(npy__write__refuses_what_floats_cannot_hold) {
    double values[6] = {0, 1, 2, 3, 1e39, 5};
    es_npy_writer w = {0};
    const char *path = write_text("old.npy", "old");
    assert_error(es_npy_write(path, values, 3, 2, 0600, test_err()), ES_ENONFINITE,
                 "row 2, column 0 does not fit");
    assert_ok(es_npy_begin(path, 4, 2, 0600, &w, NULL));
    assert_ok(es_npy_add(&w, values, 2, NULL));
    values[3] = NAN;
    assert_error(es_npy_add(&w, values, 2, test_err()), ES_ENONFINITE, "row 3, column 1");
    es_npy_drop(&w);
    es_npy_drop(&w); /* twice does no harm */
    es_buf old = slurp(path);
    assert_int_equal(old.length, 3); /* as it was */
    es_buf_free(&old);
    assert_error(es_npy_begin(path, SIZE_MAX / 4, 2, 0600, &w, test_err()), ES_EINVAL, "too large");
    assert_int_equal(es_npy_begin(in_dir("none/a.npy"), 1, 1, 0600, &w, NULL), ES_ENOTFOUND);
    for (long after = 0;; after++) {
        es_alloc_fail_after(after);
        es_status st = es_npy_write(path, values, 1, 2, 0600, NULL);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK || st == ES_ENOMEM);
        if (st == ES_OK)
            break;
    }
    DIR *dir = opendir(test_dir); /* nothing half written is left */
    size_t files = 0;
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        files += e->d_name[0] != '.' || strlen(e->d_name) > 2;
    (void)closedir(dir);
    assert_int_equal(files, 2); /* a.npy of before, and this one */
}

/* ---- .npz ---- */

TEST(npz__write__is_the_format_byte_by_byte) {
    static const double values[] = {0.5, NAN, -1e300, 3};
    static const char *const texts[] = {"a", "", "\xC3\xA9\xF0\x9F\x98\x80x"};
    static const uint32_t codes[3][3] = {{'a'}, {0}, {0xE9, 0x1F600, 'x'}};
    static const char *const names[] = {"x.npy", "names.npy"};
    es_buf got = {0}, expected = {0}, data[2] = {{0}};
    es_npz npz = {.out = &got};
    es_npz_put_doubles(&npz, "x", values, 2, 2);
    es_npz_put_texts(&npz, "names", texts, 3);
    assert_ok(es_npz_end(&npz, NULL));
    put_npy_header(&data[0], "<f8", "2, 2");
    for (size_t i = 0; i < 4; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put(&data[0], bits, 8);
    }
    put_npy_header(&data[1], "<U3", "3,");
    for (size_t i = 0; i < 9; i++)
        put(&data[1], codes[i / 3][i % 3], 4);
    put_zip(&expected, names, data, 2);
    assert_same(&got, &expected);
    es_buf_free(&got);
    es_buf_free(&expected);
    for (size_t i = 0; i < 2; i++)
        es_buf_free(&data[i]);
    /* Texts that are all empty have one character, as NumPy's. */
    es_npz none = {.out = &got};
    es_npz_put_texts(&none, "n", (const char *const[]){""}, 1);
    put_npy_header(&data[0], "<U1", "1,");
    put(&data[0], 0, 4);
    assert_ok(es_npz_end(&none, NULL));
    put_zip(&expected, (const char *const[]){"n.npy"}, data, 1);
    assert_same(&got, &expected);
    es_buf_free(&got);
    es_buf_free(&expected);
    es_buf_free(&data[0]);
}

TEST(npz__written__is_read_again) {
    double values[15], back[15];
    es_buf *out = test_buf();
    es_npz npz = {.out = out};
    es_loaded loaded = {0};
    for (size_t i = 0; i < 15; i++)
        values[i] = (double)i / 7;
    es_npz_put_doubles(&npz, "first", values, 5, 3);
    es_npz_put_doubles(&npz, "second", values, 3, 5);
    assert_ok(es_npz_end(&npz, NULL));
    assert_ok(es_loaded_open(write_file("a.npz", out->data, out->length), 0, NULL, &loaded, NULL));
    assert_int_equal(loaded.tensors.count, 2);
    for (size_t t = 0; t < 2; t++) {
        const es_array *a = &loaded.tensors.items[t].array;
        assert_int_equal(a->n, t ? 3 : 5);
        es_array_read_range(a, 0, a->n, back);
        assert_memory_equal(back, values, sizeof back);
    }
    es_loaded_close(&loaded);
    es_buf_free(out);
    for (long after = 0;; after++) {
        es_npz again = {.out = out};
        es_alloc_fail_after(after);
        es_npz_put_doubles(&again, "first", values, 5, 3);
        es_status st = es_npz_end(&again, NULL);
        es_alloc_fail_after(-1);
        es_buf_free(out);
        assert_true(st == ES_OK || st == ES_ENOMEM);
        if (st == ES_OK)
            break;
    }
}

/* ---- aside ---- */

TEST(aside__a_file__keeps_its_bytes_under_another_name) {
    char *aside = NULL;
    struct stat info;
    const char *path = write_text("a.txt", "bytes");
    struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    assert_ok(es_file_put_aside(path, &aside, NULL));
    assert_int_not_equal(access(path, F_OK), 0);
    es_buf got = slurp(aside);
    assert_int_equal(got.length, 5);
    assert_memory_equal(got.data, "bytes", 5);
    es_buf_free(&got);
    assert_int_equal(stat(aside, &info), 0);
    assert_true(info.st_mtime > 1000); /* its day begins now: until then it is not swept */
    assert_int_equal(remove(aside), 0);
    es_free(aside);
    aside = NULL;
    assert_error(es_file_put_aside(path, &aside, test_err()), ES_ENOTFOUND, "a.txt: no such file");
    assert_null(aside);
    assert_int_equal(es_file_put_aside(in_dir("none/a"), &aside, NULL), ES_ENOTFOUND);
    (void)write_text("b.txt", "b");
    es_status st = ES_ENOMEM;
    for (long after = 0; st != ES_OK; after++) {
        es_alloc_fail_after(after);
        st = es_file_put_aside(in_dir("b.txt"), &aside, NULL);
        es_alloc_fail_after(-1);
        if (st != ES_OK)
            assert_int_equal(access(in_dir("b.txt"), F_OK), 0);
    }
    assert_int_equal(remove(aside), 0);
    es_free(aside);
}
