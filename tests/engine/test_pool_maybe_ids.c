/* Ids that nothing is called so: found because several files hold the same. The first value of
 * every row is its id, so that what is read shows which row it is. */
#include "rooted.h"

#include "io_readers.h"
#include "settled_pool.h"

enum { N = 30, D = 4 };

static unsigned id_of(size_t row) {
    return (unsigned)(1000 + row * row * 7);
}

static double value(const char *file, size_t row, size_t j) {
    double x = sin((double)(row * 131 + j * 17 + (unsigned char)file[1])) * 43758.5453;
    return j == 0 ? (double)row + 0.5 : x - floor(x);
}

/* One file in one of the ways in which people keep ids. The name over or of the ids is `head`:
 *  c f  csv, first column whole or of floats    t   numbers alone, parted by blanks
 *  w d  npz, texts or whole floats              n   a note of safetensors
 *  j    JSON lines                              -   .npy without ids
 *  i    .npy with ids beside it */
typedef struct file {
    char kind;
    const char *head;
} file;

static void put_lines(const char *name, const file *f, const size_t *row, size_t n) {
    char cut = f->kind == 't' ? ' ' : ',';
    es_buf *text = test_buf();
    if (*f->head && f->kind != 'j')
        es_buf_printf(text, "%s,d0,d1,d2,d3\n", f->head);
    for (size_t i = 0; i < n; i++) {
        unsigned id = id_of(row[i]);
        if (f->kind == 'j')
            es_buf_printf(text, "{\"%s\": %u, \"embedding\": [", f->head, id);
        else
            es_buf_printf(text, f->kind == 'f' ? "%u.0%c" : "%u%c", id, cut);
        for (size_t j = 0; j < D; j++) {
            if (j > 0)
                es_buf_putc(text, cut);
            es_buf_put_double(text, value(name, row[i], j));
        }
        es_buf_puts(text, f->kind == 'j' ? "]}\n" : "\n");
    }
    support_write(root, name, text->data, text->length);
}

static void put_archive(const char *name, const file *f, const size_t *row, const double *x,
                        size_t n) {
    static char text[N][16];
    const char *texts[N];
    double number[N];
    es_buf *bytes = test_buf();
    es_npz npz = {.out = bytes};
    for (size_t i = 0; i < n; i++) {
        texts[i] = text[i];
        (void)snprintf(text[i], sizeof text[i], "%u", id_of(row[i]));
        number[i] = id_of(row[i]);
    }
    es_npz_put_doubles(&npz, "emb", x, n, D);
    if (f->kind == 'd')
        es_npz_put_doubles(&npz, f->head, number, n, 1);
    else
        es_npz_put_texts(&npz, f->head, texts, n);
    assert_ok(es_npz_end(&npz, NULL));
    support_write(root, name, bytes->data, bytes->length);
}

static void put_note(const char *name, const file *f, const size_t *row, const double *x,
                     size_t n) {
    es_buf *list = test_buf();
    for (size_t i = 0; i < n; i++)
        es_buf_printf(list, "%s\"%u\"", i ? "," : "[", id_of(row[i]));
    es_buf_puts(list, "]");
    const es_tensor_note notes[] = {{"format", "pt"}, {f->head, list->data}};
    const es_tensor_out tensor = {.name = "emb", .doubles = x, .rows = n, .columns = D};
    assert_ok(es_safetensors_write(support_in(root, name), &tensor, 1, notes, 2, NULL));
}

static void put(size_t k, const file *f, const size_t *row, size_t n) {
    static const struct {
        char kind;
        const char *ending;
    } endings[] = {{'c', "csv"},   {'f', "csv"}, {'t', "txt"}, {'w', "npz"},        {'d', "npz"},
                   {'j', "jsonl"}, {'-', "npy"}, {'i', "npy"}, {'n', "safetensors"}};
    char name[40], ids[40];
    double x[N * D];
    size_t e = 0;
    while (endings[e].kind != f->kind)
        e++;
    (void)snprintf(name, sizeof name, "e%zu.%s", k, endings[e].ending);
    for (size_t i = 0; i < n * D; i++)
        x[i] = value(name, row[i / D], i % D);
    if (f->kind == 'w' || f->kind == 'd')
        put_archive(name, f, row, x, n);
    else if (f->kind == 'n')
        put_note(name, f, row, x, n);
    else if (f->kind == '-' || f->kind == 'i')
        support_write_npy(root, name, n, D, x);
    else
        put_lines(name, f, row, n);
    if (f->kind != 'i')
        return;
    es_buf *text = test_buf();
    for (size_t i = 0; i < n; i++)
        es_buf_printf(text, "%u\n", id_of(row[i]));
    (void)snprintf(ids, sizeof ids, "e%zu.ids.txt", k);
    support_write(root, ids, text->data, text->length);
}

static void shuffle(size_t *row, size_t n, size_t step) { /* step and n have no common divisor */
    for (size_t i = 0; i < n; i++)
        row[i] = (i * step + 3) % n;
}

/* Does an embedder read as the same rows as the first one? */
static bool reads_alike(const es_pool *pool, size_t index) {
    static double x[2][N * D];
    uint32_t rows[N];
    es_rows from[2];
    size_t n = es_pool_rows(pool);
    bool alike = true;
    for (uint32_t i = 0; i < n; i++)
        rows[i] = i;
    for (size_t k = 0; k < 2; k++) {
        assert_ok(es_pool_rows_of(pool, k ? index : 0, &from[k], NULL));
        assert_int_equal(from[k].d, D);
        assert_ok(from[k].read(from[k].context, rows, n, x[k], NULL));
    }
    for (size_t i = 0; i < n; i++)
        alike = alike && fabs(x[0][i * D] - x[1][i * D]) < 1e-9;
    return alike;
}

static void begin_again(es_pool *pool) {
    test_drop(pool);
    support_remove(root);
    assert_int_equal(mkdir(root, 0700), 0);
}

TEST(ids__under_any_name__are_found_by_their_values) {
    static const struct {
        file file[4];
        size_t rows[4]; /* 0: N */
        bool matched;
        const char *said;
    } cases[] = {
        {{{'c', "node"}, {'c', "node"}, {'c', "node"}}, {0}, true, "\"node\" of e0.csv"},
        {{{'c', "cid"}, {'c', "pmid"}, {'f', "qid"}}, {0}, true, "\"pmid\" of e1.csv"},
        {{{'c', ""}, {'t', ""}},
         {0},
         true,
         "the first column of e0.csv, the first column of e1.txt"},
        {{{'w', "IDs"}, {'w', "words"}, {'w', "paths"}}, {0}, true, "\"words\" of e1.npz"},
        {{{'d', "id"}, {'w', "words"}}, {0}, true, "\"id\" of e0.npz"},
        {{{'w', "names"}, {'n', "labels_of_rows"}, {'j', "node"}},
         {0},
         true,
         "\"node\" of e2.jsonl"},
        {{{'c', "gene"}, {'i', ""}}, {0}, true, "\"gene\" of e0.csv, and rows are matched by it"},
        {{{'c', "user"}, {'c', "user"}}, {N, N - 4}, true, "\"user\" of e1.csv"},
        {{{'c', "node"}, {'-', ""}}, {0}, false, "its first column (\"node\") is taken as values"},
        {{{'t', ""}, {'-', ""}}, {0}, false, "its first column is taken as values"},
        {{{'w', "IDs"}, {'-', ""}},
         {0},
         false,
         "e0.npz: \"IDs\" differs in every row, but no other"},
        {{{'n', "who"}, {'-', ""}}, {0}, false, "\"who\" differs in every row"},
        {{{'j', "node"}, {'-', ""}}, {0}, false, "\"node\" differs in every row"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t row[N], count = 0;
        for (size_t k = 0; k < 4 && cases[c].file[k].kind; k++, count++) {
            size_t n = cases[c].rows[k] ? cases[c].rows[k] : N;
            shuffle(row, n, k == 0 ? 1 : 4 * k + 3);
            put(k, &cases[c].file[k], row, n);
        }
        es_pool *pool = settled_pool(root, NULL);
        if (!is_said(pool, cases[c].said))
            fail_msg("case %zu: %s", c,
                     es_pool_warnings(pool) ? es_pool_warning(pool, 0) : "no word");
        assert_int_equal(es_pool_count(pool), count);
        assert_int_equal(es_pool_rows(pool), cases[c].rows[1] ? cases[c].rows[1] : N);
        for (size_t k = 0; k < count && cases[c].matched; k++)
            if (!reads_alike(pool, k))
                fail_msg("case %zu: embedder %zu is read in another order", c, k);
        begin_again(pool);
    }
}

/* Columns that are no ids: of other numbers in every file, or all of a kind, as ranks are. */
TEST(ids__values_that_only_look_so__stay_values) {
    for (size_t c = 0; c < 2; c++) {
        for (size_t k = 0; k < 2; k++) {
            char name[16];
            es_buf *text = test_buf();
            for (size_t i = 0; i < N; i++)
                if (c == 0)
                    es_buf_printf(text, "%zu,%zu,%zu\n", (i * 7 + k) % N, (i * 11 + k) % N,
                                  (i * 13 + 2 * k) % N);
                else
                    es_buf_printf(text, "%zu,0.5,%zu\n", 100 + i + 1000 * k + i * i, i % 7);
            (void)snprintf(name, sizeof name, "e%zu.csv", k);
            support_write(root, name, text->data, text->length);
        }
        es_pool *pool = settled_pool(root, NULL);
        assert_int_equal(es_pool_model(pool, 0)->dim, 3);
        assert_int_equal(es_pool_model(pool, 1)->dim, 3);
        assert_true(is_said(pool, "is taken as values") == (c == 1));
        assert_false(is_said(pool, "read as ids"));
        begin_again(pool);
    }
}

/* pool.json says how many dimensions there are. */
TEST(ids__column__goes_by_the_dim_that_is_declared) {
    static const size_t dims[] = {D, D + 1};
    for (size_t c = 0; c < 2; c++) {
        char json[160];
        size_t row[N];
        shuffle(row, N, 1);
        put(0, &(file){'c', "node"}, row, N);
        put(1, &(file){'-', ""}, row, N);
        (void)snprintf(json, sizeof json,
                       "{\"models\": [{\"file\": \"e0.csv\", \"dim\": %zu}, {\"file\": "
                       "\"e1.npy\"}]}",
                       dims[c]);
        support_write_text(root, "pool.json", json);
        es_pool *pool = settled_pool(root, NULL);
        assert_int_equal(es_pool_model(pool, 0)->state, ES_MODEL_READY);
        assert_int_equal(es_pool_model(pool, 0)->dim, dims[c]);
        assert_false(is_said(pool, "is taken as values"));
        begin_again(pool);
    }
}
