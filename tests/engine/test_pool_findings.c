/* Files that are taken for what they are not: each kind, and what is like it but is what it seems.
 */
#include "support.h"

#include "engine_pool_parts.h"
#include "settled_pool.h"

static char pool_dir[SUPPORT_PATH];

enum { N = 60 };

static int set_up(void **state) {
    support_temp_dir(pool_dir);
    return 0;
}

TEST_EACH(set_up, NULL);

/* Everything that is said of the pool, in one text; es_free. */
static char *said_of(es_pool *pool) {
    es_buf said = {0};
    es_buf_puts(&said, "");
    for (size_t i = 0; i < es_pool_warnings(pool); i++)
        es_buf_printf(&said, "%s\n", es_pool_warning(pool, i));
    for (size_t i = 0; i < es_pool_count(pool); i++)
        if (es_pool_model(pool, i)->reason)
            es_buf_printf(&said, "%s\n", es_pool_model(pool, i)->reason);
    return es_buf_take(&said);
}

static void expect_said(es_pool *pool, const char *part, bool expected) {
    char *said = said_of(pool);
    assert_non_null(said);
    if ((strstr(said, part) != NULL) != expected)
        fail_msg("\"%s\" is%s said: %s", part, expected ? " not" : "", said);
    es_free(said);
}

/* ---- weights ---- */

TEST(arrays__of_a_network__are_no_embedders) {
    enum { MOST = 4 };
    static const struct {
        const char *name[MOST];
        bool weights;
    } cases[] = {
        {{"h.0.attn.weight", "h.0.attn.bias", "wte.weight"}, true},
        {{"linear.weight", "linear.bias"}, true},
        {{"base.q_proj.lora_A.weight", "base.q_proj.lora_B.weight"}, true},
        {{"dense/kernel:0", "dense/bias:0", "norm/gamma:0", "norm/beta:0"}, true},
        {{"layers/dense/vars/0", "layers/dense/vars/1"}, true},
        {{"lstm.weight_ih_l0", "lstm.bias_hh_l0"}, true},
        {{"embedding.weight"}, false}, /* one matrix alone is a row for each item */
        {{"train", "test"}, false},
        {{"kernel", "kernel_pca"}, false},
        {{"e5.small", "e5.base", "x.weight"}, false},
        {{"layer.0", "layer.1", "layer.2"}, false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        es_tensor tensor[MOST] = {{0}};
        es_tensors all = {.items = tensor};
        es_buf *why = test_buf();
        while (all.count < MOST && cases[c].name[all.count]) {
            tensor[all.count].array = (es_array){.n = 5, .d = 5};
            tensor[all.count].name = (char *)(uintptr_t)cases[c].name[all.count];
            all.count++;
        }
        if (pool_find_in_arrays(&all, "/p/m.safetensors", why) != cases[c].weights)
            fail_msg("%s: %s", cases[c].name[0], why->data ? why->data : "nothing is said");
        if (cases[c].weights)
            assert_contains(why->data, "{\"models\": [{\"file\": \"m.safetensors\"}]}");
    }
}

/* ---- one vote a file ---- */

TEST(rows__are_settled__by_files_not_arrays) {
    enum { TENSORS = 12, SMALL = 24 };
    static float values[SMALL * 3];
    es_tensor_out tensor[TENSORS];
    char name[TENSORS][8], path[SUPPORT_PATH];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        values[i] = (float)(i * i % 17);
    for (size_t i = 0; i < TENSORS; i++) {
        (void)snprintf(name[i], sizeof name[i], "t%zu", i);
        tensor[i] = (es_tensor_out){.name = name[i], .floats = values, .rows = SMALL, .columns = 3};
    }
    support_path(path, pool_dir, "many.safetensors");
    assert_ok(es_safetensors_write(path, tensor, TENSORS, NULL, 0, NULL));
    for (size_t files = 1; files <= 2; files++) {
        char file[16];
        (void)snprintf(file, sizeof file, "e%zu.npy", files);
        support_write_random_npy(pool_dir, file, files, N, 3);
        es_pool *pool = open_pool_with(pool_dir, NULL);
        /* one against one: that of more arrays */
        assert_int_equal(es_pool_rows(pool), files == 1 ? SMALL : N);
        test_drop(pool);
    }
}

/* ---- parts ---- */

TEST(parts__are_found__by_words_counts_and_sums) {
    enum { MOST = 5 };
    static const struct {
        struct {
            const char *file;
            size_t rows;
        } file[MOST];
        size_t parts;
    } cases[] = {
        {{{"e_part0.npy", 30}, {"e_part1.npy", 30}, {"a.npy", 60}}, 2},
        {{{"e/shard-1.npy", 30}, {"e/shard-2.npy", 31}, {"a.npy", 60}}, 2},
        {{{"e-00001-of-00002.npy", 30}, {"e-00002-of-00002.npy", 30}, {"a.npy", 60}}, 2},
        {{{"e_0.npy", 30}, {"e_1.npy", 30}, {"a.npy", 60}}, 2},
        {{{"e_0.npy", 60}, {"e_1.npy", 60}, {"a.npy", 60}}, 0}, /* two seeds */
        {{{"e_0.npy", 60}, {"e_1.npy", 60}, {"a.npy", 120}, {"b.npy", 60}}, 0},
        {{{"e_part0.npy", 30}, {"e_part2.npy", 30}, {"a.npy", 60}}, 0}, /* a gap */
        {{{"e_1.npy", 30}, {"f_2.npy", 30}, {"a.npy", 60}}, 0},         /* two names */
        {{{"e5.npy", 30}, {"e6.npy", 30}, {"a.npy", 60}}, 0},
        {{{"party-1.npy", 60}, {"party-2.npy", 60}, {"a.npy", 60}}, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t parts = 0;
        for (size_t k = 0; k < MOST && cases[c].file[k].file; k++)
            support_write_random_npy(pool_dir, cases[c].file[k].file, k, cases[c].file[k].rows, 3);
        es_pool *pool = open_pool_with(pool_dir, NULL);
        for (size_t i = 0; i < es_pool_count(pool); i++) {
            const char *reason = es_pool_model(pool, i)->reason;
            parts += reason && strstr(reason, "of one matrix");
        }
        if (parts != cases[c].parts)
            fail_msg("%s: %zu parts, expected %zu", cases[c].file[0].file, parts, cases[c].parts);
        test_drop(pool);
        support_remove(pool_dir);
        assert_int_equal(mkdir(pool_dir, 0700), 0);
    }
}

/* Those that pool.json names are what it says. */
TEST(parts__named_in_pool_json__are_embedders) {
    support_write_random_npy(pool_dir, "e_part0.npy", 1, N, 3);
    support_write_random_npy(pool_dir, "e_part1.npy", 2, N, 3);
    support_write_random_npy(pool_dir, "f.npy", 3, N, 3);
    support_write_text(pool_dir, "pool.json",
                       "{\"models\": [{\"file\": \"e_part0.npy\"}, {\"file\": \"e_part1.npy\"}]}");
    es_pool *pool = open_pool_with(pool_dir, NULL);
    assert_int_equal(es_pool_usable(pool), 2);
    expect_said(pool, "1 other file of embeddings is not read: f.npy", true);
}

/* ---- vectors ---- */

static void read_all(const es_pool *pool, const char *name, double *out) {
    es_rows rows = {0};
    size_t at = es_pool_find(pool, name);
    assert_true(at != SIZE_MAX);
    if (es_pool_whole_rows_of(pool, at, &rows, test_err()) != ES_OK)
        fail_msg("%s: %s", name, test_message());
    for (uint32_t r = 0; r < es_pool_rows(pool); r++)
        assert_ok(rows.read(rows.context, &r, 1, out + r * es_pool_model(pool, at)->dim, NULL));
}

/* By their ids, in whatever order files are listed. */
TEST(vectors__in_files__are_rows_with_ids) {
    static double matrix[N * 2], read[N * 2];
    es_buf *ids = test_buf();
    for (size_t i = 0; i < N; i++) {
        char file[40];
        size_t id = i * 7 % N;
        matrix[2 * i] = (double)(id * id % 23);
        matrix[2 * i + 1] = (double)(id % 5);
        (void)snprintf(file, sizeof file, "v/P%02zu.npy", id);
        if (i % 2)
            support_write_npy(pool_dir, file, 1, 2, matrix + 2 * i);
        else
            support_write_npy_raw(pool_dir, file,
                                  "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
                                  matrix + 2 * i, 2 * sizeof *matrix);
        es_buf_printf(ids, "P%02zu\n", id);
    }
    support_write_npy(pool_dir, "m.npy", N, 2, matrix);
    support_write_text(pool_dir, "m.ids.txt", ids->data);
    support_write_text(pool_dir, "pool.json",
                       "{\"models\": [{\"file\": \"m.npy\"}, {\"name\": \"v\", \"rows\": "
                       "\"v/*.npy\"}, {\"name\": \"none\", \"rows\": \"w/*.npy\"}]}");
    es_pool *pool = settled_pool(pool_dir, NULL);
    assert_int_equal(es_pool_usable(pool), 2);
    assert_int_equal(es_pool_rows(pool), N);
    double other[N * 2];
    read_all(pool, "m", read);
    read_all(pool, "v", other);
    assert_memory_equal(read, other, sizeof other);
    expect_said(pool, "w/*.npy: no such files, although pool.json lists them", true);
    expect_said(pool, "are not read", false);
    test_drop(pool);
    support_write_random_npy(pool_dir, "v/P01.npy", 1, 1, 3);
    pool = open_pool_with(pool_dir, NULL);
    expect_said(pool, "v/P01.npy: 3 values, the first file has 2", true);
    test_drop(pool);
    support_write_random_npy(pool_dir, "v/P00.npy", 1, 4, 3);
    pool = open_pool_with(pool_dir, NULL);
    expect_said(pool, "v/P00.npy: is a matrix (4 x 3), expected one vector a file", true);
}

/* ---- bits ---- */

static void write_bytes(const char *name, size_t n, size_t d, char kind, const unsigned char *x) {
    char header[120];
    (void)snprintf(header, sizeof header,
                   "{'descr': '|%c1', 'fortran_order': False, 'shape': (%zu, %zu), }", kind, n, d);
    support_write_npy_raw(pool_dir, name, header, x, n * d);
}

TEST(bits__of_pool_json__are_unpacked) {
    enum { BYTES = 2, COLUMNS = 8 * BYTES };
    static unsigned char packed[N * BYTES], shifted[N * BYTES];
    static double plain[N * COLUMNS], read[N * COLUMNS];
    es_rng rng = test_rng(1, 2);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        bool set = es_rng_uniform(&rng) < 0.4;
        plain[i] = set;
        if (set)
            packed[i / 8] = (unsigned char)(packed[i / 8] | 0x80u >> i % 8);
    }
    for (size_t i = 0; i < sizeof packed; i++)
        shifted[i] = (unsigned char)(packed[i] - 128);
    write_bytes("u.npy", N, BYTES, 'u', packed);
    write_bytes("i.npy", N, BYTES, 'i', shifted);
    support_write_random_npy(pool_dir, "f.npy", 1, N, 3);
    support_write_text(
        pool_dir, "pool.json",
        "{\"models\": [{\"file\": \"u.npy\", \"kind\": \"bits\"}, {\"file\": "
        "\"i.npy\", \"kind\": \"bits\"}, {\"file\": \"f.npy\", \"kind\": \"bits\"}]}");
    es_pool *pool = settled_pool(pool_dir, NULL);
    static const char *const names[] = {"u", "i"};
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(es_pool_model(pool, es_pool_find(pool, names[k]))->dim, COLUMNS);
        read_all(pool, names[k], read);
        assert_memory_equal(read, plain, sizeof plain);
    }
    expect_said(pool, "f.npy: \"kind\": \"bits\" unpacks bytes (uint8, int8), found float64", true);
}

/* What bytes are made of. */
typedef enum bytes_of { BITS, SPARSE_BITS, SIGNED, UNSIGNED, COUNTS, FEW } bytes_of;

static unsigned char draw(es_rng *rng, bytes_of what) {
    unsigned byte = 0;
    double sum = -6;
    switch (what) {
    case BITS:
    case SPARSE_BITS:
        for (int k = 0; k < 8; k++)
            byte = byte << 1 | (es_rng_uniform(rng) < (what == BITS ? 0.5 : 0.06));
        return (unsigned char)byte;
    case SIGNED:
    case UNSIGNED:
        for (int k = 0; k < 12; k++)
            sum += es_rng_uniform(rng);
        return (unsigned char)(int)(sum * 30 + (what == SIGNED ? 256 : 128));
    case COUNTS:
        return (unsigned char)(-log(es_rng_uniform(rng) + 1e-9) * 8);
    default:
        return (unsigned char)(es_rng_uniform(rng) * 4);
    }
}

TEST(bytes__of_bits__are_reported) {
    enum { ROWS = 400, BYTES = 8 };
    static const struct {
        bytes_of what;
        char kind;
        bool packed;
    } cases[] = {{BITS, 'u', true},    {BITS, 'i', true},      {SPARSE_BITS, 'u', true},
                 {SIGNED, 'i', false}, {UNSIGNED, 'u', false}, {COUNTS, 'u', false},
                 {FEW, 'u', false}};
    support_write_random_npy(pool_dir, "a.npy", 1, ROWS, 3);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static unsigned char bytes[ROWS * BYTES];
        es_rng rng = test_rng(3, c);
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = draw(&rng, cases[c].what);
        write_bytes("x.npy", ROWS, BYTES, cases[c].kind, bytes);
        es_pool *pool = settled_pool(pool_dir, NULL);
        assert_int_equal(es_pool_grave_list(pool)->count, cases[c].packed);
        expect_said(pool, "if it holds 64 packed bits a row", cases[c].packed);
        expect_said(pool, "np.unpackbits(", cases[c].packed);
        test_drop(pool);
    }
}

/* Four or eight bytes to a value. */
TEST(bytes__of_wide_values__are_reported_too) {
    enum { ROWS = 400, BYTES = 16 };
    static const struct {
        bytes_of what;
        const char *descr;
        size_t size;
        bool packed;
    } cases[] = {{BITS, "<u4", 4, true},        {BITS, ">u8", 8, true},
                 {SPARSE_BITS, "<i8", 8, true}, {COUNTS, "<u4", 4, false},
                 {SIGNED, "<i4", 4, false},     {FEW, "<u2", 2, false}};
    support_write_random_npy(pool_dir, "a.npy", 1, ROWS, 3);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static unsigned char x[ROWS * BYTES];
        char header[120];
        es_rng rng = test_rng(3, c);
        for (size_t i = 0; i < sizeof x; i++)
            x[i] = draw(&rng, cases[c].what);
        snprintf(header, sizeof header,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %zu), }", cases[c].descr,
                 (int)ROWS, BYTES / cases[c].size);
        support_write_npy_raw(pool_dir, "x.npy", header, x, sizeof x);
        es_pool *pool = settled_pool(pool_dir, NULL);
        expect_said(pool, "if it holds 128 packed bits a row, this unpacks", cases[c].packed);
        expect_said(pool, "view('uint8'),axis=1)", cases[c].packed);
        test_drop(pool);
    }
}

/* Bytes as lists of JSON and np.array keep them. */
TEST(bytes__of_wider_types__are_reported_too) {
    enum { ROWS = 400, BYTES = 8 };
    static const struct {
        bytes_of what;
        double shift, scale;
        bool packed;
    } cases[] = {{BITS, 0, 1, true},    {BITS, -128, 1, true}, {BITS, 0, 2, false},
                 {BITS, 0, 0.5, false}, {COUNTS, 0, 1, false}, {UNSIGNED, 0, 1, false}};
    support_write_random_npy(pool_dir, "a.npy", 1, ROWS, 3);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static double x[ROWS * BYTES];
        es_rng rng = test_rng(3, c);
        for (size_t i = 0; i < sizeof x / sizeof *x; i++)
            x[i] = (draw(&rng, cases[c].what) + cases[c].shift) * cases[c].scale;
        support_write_npy(pool_dir, "x.npy", ROWS, BYTES, x);
        es_pool *pool = settled_pool(pool_dir, NULL);
        expect_said(pool, "if it holds 64 packed bits a row, this unpacks", cases[c].packed);
        expect_said(pool, "astype('int16').astype('uint8')", cases[c].packed);
        test_drop(pool);
    }
}

/* ---- ids among the values ---- */

TEST(ids__among_values__are_reported) {
    enum { D = 4 };
    static const struct {
        size_t column, step; /* 0: random numbers */
        double first, fraction;
        bool whole; /* all other values */
        const char *said;
    } cases[] = {
        {0, 7, 100, 0, false, "x.npy: its first column is taken as values"},
        {D - 1, 7, 0, 0, false, "x.npy: its last column is taken as values"},
        {0, 1, 0, 0, false, "ids=x[:,0].astype('int64'), x=x[:,1:]"},
        {D - 1, 1, -5, 0, false, "ids=x[:,-1].astype('int64'), x=x[:,:-1]"},
        {1, 7, 100, 0, false, NULL},   /* in the middle */
        {0, 7, 100, 0.5, false, NULL}, /* of halves */
        {0, 0, 0, 0, false, NULL},
        {0, 7, 100, 0, true, NULL},    /* counts */
        {0, N / 2, 0, 0, false, NULL}, /* two numbers */
    };
    support_write_random_npy(pool_dir, "a.npy", 1, N, 3);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double x[N * D];
        es_rng rng = test_rng(6, c);
        for (size_t i = 0; i < N * D; i++) {
            double value = es_rng_normal(&rng) * 9;
            bool own = i % D == cases[c].column && cases[c].step > 0;
            size_t number = i / D * cases[c].step % (cases[c].step == N / 2 ? N : 7 * N + 1);
            x[i] = own              ? cases[c].first + (double)number + cases[c].fraction
                   : cases[c].whole ? floor(value)
                                    : value;
        }
        support_write_npy(pool_dir, "x.npy", N, D, x);
        es_pool *pool = settled_pool(pool_dir, NULL);
        expect_said(pool, cases[c].said ? cases[c].said : "is taken as values",
                    cases[c].said != NULL);
        assert_int_equal(es_pool_grave_list(pool)->count, cases[c].said != NULL);
        test_drop(pool);
    }
}

/* Vectors as long as a matrix has rows are its ids or its labels, and no rows of another. */
TEST(vectors__as_long_as_the_pool__are_not_joined) {
    double x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = (double)i;
    support_write_random_npy(pool_dir, "a.npy", 1, N, 3);
    support_write_random_npy(pool_dir, "b.npy", 2, N, 3);
    for (size_t k = 0; k < 3; k++) {
        char file[40];
        (void)snprintf(file, sizeof file, "a%zu_ids.npy", k);
        support_write_npy_raw(pool_dir, file,
                              "{'descr': '<f8', 'fortran_order': False, 'shape': (60,), }", x,
                              sizeof x);
    }
    es_pool *pool = settled_pool(pool_dir, NULL);
    expect_said(pool, "join them", false);
    expect_said(pool, "np.savetxt('NAME.ids.txt', x, fmt='%s')", true);
}

/* ---- rows that are not there ---- */

TEST(rows__that_repeat__are_reported) {
    static const struct {
        size_t from, to;
        bool zero, both;  /* in both embedders */
        const char *said; /* NULL: nothing */
    } cases[] = {
        {40, N, true, false, "x.npy: its last 20 rows, from row 40 on, are zero"},
        {40, N, false, false, "x.npy: its last 20 rows, from row 40 on, repeat one row"},
        {10, 30, true, false, "x.npy: 20 rows, from row 10 to 29, are zero"},
        {0, 20, false, false, "x.npy: 20 rows, from row 0 to 19, repeat one row"},
        {56, N, true, false, NULL}, /* so few may be empty texts */
        {40, N, false, true, NULL}, /* the items are the same */
        {40, N, true, true, "x.npy: its last 20 rows, from row 40 on, are zero"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static double x[2][N * 3];
        for (size_t k = 0; k < 2; k++) {
            es_rng rng = test_rng(5, k);
            for (size_t i = 0; i < (size_t)N * 3; i++) {
                size_t row = i / 3;
                bool in = row >= cases[c].from && row < cases[c].to && (k == 0 || cases[c].both);
                double value = es_rng_normal(&rng);
                x[k][i] = in ? (cases[c].zero ? 0 : (double)(1 + i % 3)) : value;
            }
        }
        support_write_npy(pool_dir, "x.npy", N, 3, x[0]);
        support_write_npy(pool_dir, "y.npy", N, 3, x[1]);
        es_pool *pool = settled_pool(pool_dir, NULL);
        expect_said(pool, cases[c].said ? cases[c].said : "its last", cases[c].said != NULL);
        if (!cases[c].both) /* else rows stand more than once, which is reported, too */
            assert_int_equal(es_pool_grave_list(pool)->count, cases[c].said != NULL);
        test_drop(pool);
    }
}

/* One row that sets the scale of the columns; NULL: none does. */
TEST(rows__of_another_scale__are_reported) {
    static const struct {
        double times;
        size_t rows;
        bool both;
        const char *said;
    } cases[] = {
        {1e6, 1, false,
         "row 7 (counted from 0) is over 1000 times as long as the median row in x,"},
        {100, 1, true, "times as long as the median row in x, y, and decides"},
        {100, 2, false, "times as long as the median row in x, as are other rows, and decides"},
        {5, 1, false, NULL},
        {100, 20, false, NULL}, /* two kinds of rows */
        {1, 0, false, NULL},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static double x[2][N * 3];
        for (size_t k = 0; k < 2; k++) {
            es_rng rng = test_rng(5, k);
            for (size_t i = 0; i < (size_t)N * 3; i++)
                x[k][i] = 2 + es_rng_normal(&rng) / 4;
            for (size_t r = 7; r < 7 + cases[c].rows && (k == 0 || cases[c].both); r++)
                for (size_t j = 0; j < 3; j++)
                    x[k][r * 3 + j] = 2 * cases[c].times / (double)(r - 6);
        }
        support_write_npy(pool_dir, "x.npy", N, 3, x[0]);
        support_write_npy(pool_dir, "y.npy", N, 3, x[1]);
        es_pool *pool = settled_pool(pool_dir, NULL);
        expect_said(pool, cases[c].said ? cases[c].said : "times as long", cases[c].said != NULL);
        assert_int_equal(es_pool_grave_list(pool)->count, cases[c].said != NULL);
        test_drop(pool);
    }
}

TEST(rows__that_are_zero_here_and_there__are_reported) {
    static double x[N * 3];
    static const size_t every[] = {3, 20};
    support_write_random_npy(pool_dir, "y.npy", 1, N, 3);
    for (size_t c = 0; c < 2; c++) {
        for (size_t i = 0; i < (size_t)N * 3; i++)
            x[i] = i / 3 % every[c] == 0 ? 0 : sin((double)(i * i));
        support_write_npy(pool_dir, "x.npy", N, 3, x);
        es_pool *pool = settled_pool(pool_dir, NULL);
        expect_said(pool, "x.npy: 20 of its 60 rows are zero, as after answers", c == 0);
        assert_int_equal(es_pool_grave_list(pool)->count, c == 0);
        test_drop(pool);
    }
}

/* Labels in the order of their classes repeat themselves everywhere, and are no run that died. */
TEST(rows__of_sorted_classes__are_not_reported) {
    static double x[N * 3];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < 3; j++)
            x[i * 3 + j] = i / 20 == j;
    support_write_npy(pool_dir, "x.npy", N, 3, x);
    support_write_random_npy(pool_dir, "y.npy", 1, N, 3);
    es_pool *pool = settled_pool(pool_dir, NULL);
    assert_int_equal(es_pool_grave_list(pool)->count, 0);
}

/* ---- the list ---- */

static void put_line(void *context, const es_finding *f) {
    es_buf_printf(context, "%s | %s | %s | %s\n", f->file ? f->file : "-", f->what,
                  f->remedy ? f->remedy : "-", es_gravity_name(f->gravity));
}

/* All kinds of findings say the same four things: about what, what, what helps, how grave. */
TEST(findings__of_all_kinds__have_a_file_and_a_remedy) {
    static const char *const expected[] = {
        "pool.json | model 1 has a key 'famly', which is not known | did you mean 'family'? | "
        "warning",
        "families.csv | line 2: no embedder is called \"aa\" | did you mean \"a\"? | warning",
        "g.npy | its last 20 rows, from row 40 on, are zero, as after a run that ended early | "
        "make "
        "it again, or leave it out with --exclude | grave",
        "b.npy | 2 constant columns left out | - | warning",
        "d.npy | 1 constant column left out | - | note",
        "c.npy | same contents as a, and both have one vote | --exclude leaves one out | warning",
        "g.npy | 20 zero rows | - | warning",
        "e.npy | is 1-D (60 values), expected 2-D (rows, columns) | for one dimension save ",
        "f.npy | 59 rows, the pool has 60 | 1 row missing, but not which: write the file again, or "
        "give all files ids (NAME.ids.txt), by which rows are matched | unusable",
    };
    double x[4][N * 3], vector[N];
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < (size_t)N * 3; i++)
            x[k][i] = (k == 1 && i % 3 > 0) || (k == 2 && i % 3 == 1) ? 1
                      : k == 3 && i >= (size_t)40 * 3                 ? 0
                                                      : sin((double)((k + 2) * i * i));
    for (size_t i = 0; i < N; i++)
        vector[i] = x[0][i];
    support_write_npy(pool_dir, "a.npy", N, 3, x[0]);
    support_write_npy(pool_dir, "b.npy", N, 3, x[1]);
    support_write_npy(pool_dir, "c.npy", N, 3, x[0]);
    support_write_npy(pool_dir, "d.npy", N, 3, x[2]);
    support_write_npy_raw(pool_dir, "e.npy",
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (60,), }", vector,
                          sizeof vector);
    support_write_npy(pool_dir, "f.npy", N - 1, 3, x[2]);
    support_write_npy(pool_dir, "g.npy", N, 3, x[3]);
    support_write_text(pool_dir, "families.csv", "model,family\naa,x\n");
    support_write_text(pool_dir, "pool.json",
                       "{\"models\": [{\"file\": \"a.npy\", \"famly\": \"x\"}, {\"file\": "
                       "\"b.npy\"}, {\"file\": \"c.npy\"}, {\"file\": \"d.npy\"}, {\"file\": "
                       "\"e.npy\"}, {\"file\": \"f.npy\"}, {\"file\": \"g.npy\"}]}");
    es_pool *pool = settled_pool(pool_dir, NULL);
    const es_model *model[7];
    es_buf said = {0};
    assert_int_equal(es_pool_count(pool), 7);
    for (size_t i = 0; i < 7; i++)
        model[i] = es_pool_model(pool, i);
    es_pool_findings(pool, put_line, &said);
    es_model_findings(model, 7, put_line, &said);
    for (size_t c = 0; c < sizeof expected / sizeof *expected; c++)
        if (!strstr(said.data, expected[c]))
            fail_msg("not found: %s\nin:\n%s", expected[c], said.data);
    size_t lines = 0;
    for (const char *at = said.data; *at; at++)
        lines += *at == '\n';
    if (lines != sizeof expected / sizeof *expected)
        fail_msg("more than expected:\n%s", said.data);
    es_buf_free(&said);
}

/* A file that is nobody's has the line that helps for a remedy. */
TEST(findings__of_unused_files__end_with_what_helps) {
    support_write_random_npy(pool_dir, "a.npy", 1, N, 3);
    support_write_random_npy(pool_dir, "b.npy", 2, N, 3);
    support_write_text(pool_dir, "c.npy.part", "");
    es_pool *pool = settled_pool(pool_dir, NULL);
    es_buf said = {0};
    es_unused_findings(es_pool_unused(pool), put_line, &said);
    assert_string_equal(said.data, "c.npy.part | a download that is not finished | fetch it again, "
                                   "or wait until it is there | note\n");
    es_buf_free(&said);
}
