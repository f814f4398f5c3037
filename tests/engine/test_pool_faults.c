/* Pools of every kind, opened, checked, settled and read, with each request for memory refused
 * once: that is reported, or all is as it is otherwise. Nothing is left out, renamed or reordered
 * by it. */
#include "rooted.h"

#include "engine_pool.h"
#include "refuse.h"

enum { N = 80, D = 4 };

/* The last row is a copy of the first. */
static double value(size_t who, size_t row, size_t column) {
    row = row == N - 1 ? 0 : row;
    double x = sin((double)(who * 977 + row * 131 + column * 17)) * 43758.5453;
    return column == 3 ? 1 : x - floor(x); /* the last is constant */
}

/* Row i of the matrix is row (i * step) % N of the pool; beside it are their ids, if `ids`. */
static void put(const char *file, size_t who, size_t step, bool ids, const char *beside) {
    double x[N * D];
    es_buf *text = test_buf();
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            x[i * D + j] = value(who, i * step % N, j);
    support_write_npy(root, file, N, D, x);
    for (size_t i = 0; i < N; i++)
        es_buf_printf(text, "doc-%zu\n", i * step % N);
    if (ids)
        support_write(root, beside, text->data, text->length);
}

static void put_csv(const char *file, size_t who) {
    es_buf *text = test_buf();
    es_buf_puts(text, "x,y\n");
    for (size_t i = 0; i < N; i++)
        es_buf_printf(text, "%.6f,%.6f\n", value(who, i, 0), value(who, i, 1));
    support_write(root, file, text->data, text->length);
}

static void put_rows(void) {
    es_buf *text = test_buf();
    es_buf_puts(text, "id,text,set\n");
    for (size_t i = 0; i < N; i++)
        es_buf_printf(text, "doc-%zu,text %zu,%s\n", i, i, i % 2 ? "odd" : "even");
    support_write(root, "rows.csv", text->data, text->length);
}

static void add_text(es_buf *out, const char *text) {
    es_buf_printf(out, "%s;", text ? text : "-");
}

/* All that can be asked of it except warnings, which there must be memory for. */
static es_status tell(es_pool *pool, es_buf *out, es_error *err) {
    es_words sets = {0};
    es_status st = ES_OK;
    char hex[ES_DIGEST_HEX];
    add_text(out, es_pool_name(pool));
    es_buf_printf(out, "%zu %zu %s\n", es_pool_rows(pool), es_pool_rows_available(pool),
                  es_digest_hex(es_pool_rowset(pool), hex));
    for (size_t r = 0; r < es_pool_rows(pool); r++)
        es_buf_printf(out, "%zu ", es_pool_file_row(pool, r));
    ES_TRY(es_pool_sets(pool, &sets, err));
    for (size_t i = 0; i < sets.count; i++)
        add_text(out, sets.word[i]);
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        const es_model *m = es_pool_model(pool, i);
        const uint32_t ask[] = {0, 3};
        double x[2 * D];
        es_rows rows;
        es_buf_putc(out, '\n');
        add_text(out, m->name);
        add_text(out, m->label);
        add_text(out, m->file);
        add_text(out, m->family);
        add_text(out, m->notes);
        add_text(out, m->series);
        add_text(out, es_model_exclusion(m));
        es_buf_printf(out, "%d %zu %zu %zu %g ", (int)m->state, m->rows, m->dim, m->dim_used,
                      m->step);
        if (m->state != ES_MODEL_READY)
            continue;
        ES_TRY(es_pool_rows_of(pool, i, &rows, err));
        assert_true(rows.d <= D);
        ES_TRY(rows.read(rows.context, ask, 2, x, err));
        for (size_t k = 0; k < 2 * rows.d; k++)
            es_buf_printf(out, "%.17g ", x[k]);
    }
done:
    es_words_deinit(&sets);
    return st == ES_OK ? es_buf_check(out, err) : st;
}

static es_status look(const es_pool_options *options, es_buf *out, es_error *err) {
    es_pool *pool = NULL;
    es_model_check check = {0};
    es_status st = ES_OK;
    ES_TRY(es_pool_open(root, options, &pool, err));
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        if (es_pool_model(pool, i)->state == ES_MODEL_EXCLUDED)
            continue;
        ES_TRY(es_pool_check_model(pool, i, NULL, &check, err));
        ES_TRY(es_pool_apply(pool, i, &check, err));
        es_model_check_deinit(&check);
    }
    ES_TRY(es_pool_settle(pool, err));
    ES_TRY(tell(pool, out, err));
done:
    es_model_check_deinit(&check);
    es_pool_close(pool);
    return st;
}

/* `part` is something that is told of it. */
static void refuse_each(const es_pool_options *options, const char *part) {
    es_buf *usual = test_buf();
    bool met = true;
    assert_ok(look(options, usual, test_err()));
    if (!strstr(usual->data, part))
        fail_msg("\"%s\" is not in: %s", part, usual->data);
    for (long k = 0; met; k++) {
        es_buf *out = test_buf();
        refuse_one(k);
        es_status st = look(options, out, test_err());
        met = refuse_end();
        if (st != ES_OK && (st != ES_ENOMEM || !met))
            fail_msg("allocation %ld: %d, %s", k, (int)st, test_message());
        if (st == ES_OK && strcmp(out->data, usual->data) != 0)
            fail_msg("allocation %ld: %s\ninstead of: %s", k, out->data, usual->data);
    }
}

TEST(pool__with_ids__out_of_memory_is_reported) {
    put("a@1k.npy", 1, 9, true, "a@1k.ids.txt"); /* none in the order of rows.csv */
    put("a@2k.npy", 2, 3, true, "a@2k.ids.txt");
    put("sub/c.npy", 3, 7, true, "sub/c.ids.txt");
    put_rows();
    refuse_each(&(es_pool_options){0}, "a@2k;-;a@2k.npy;-;-;a;");
    refuse_each(&(es_pool_options){.set_rows = "odd"}, "/odd;40 40");
    refuse_each(&(es_pool_options){.rows = {ES_ROWS_SAMPLE, 30}}, ";30 80");
    refuse_each(&(es_pool_options){.rows = {ES_ROWS_SAMPLE, 30}, .set_rows = "odd"}, "/odd;30 40");
    refuse_each(&(es_pool_options){.models = "a*"}, "a@2k;-;a@2k.npy;-;-;a;");
    es_pool *pool = NULL;
    support_write_text(root, "rows.csv", "id,text\ndoc-0\n"); /* told when texts are read */
    assert_ok(es_pool_open(root, NULL, &pool, NULL));
    es_pool_close(pool);
}

TEST(pool__described__out_of_memory_is_reported) {
    put("a.npy", 1, 1, false, NULL);
    put("sub/b.npy", 2, 1, false, NULL);
    put("c.npy", 1, 3, false, NULL); /* as a, in another order */
    put_csv("t.csv", 4);
    support_write_text(root, "pool.json",
                       "{\"name\": \"p\", \"models\": [{\"name\": \"a\", \"family\": \"f\","
                       " \"notes\": \"n\", \"series\": \"s\", \"step\": 3}, {\"name\": \"sub/b\"},"
                       " {\"name\": \"none\"}, {\"file\": \"c.npy\", \"series\": \"s\"},"
                       " {\"file\": \"t.csv\"}]}");
    refuse_each(&(es_pool_options){0}, "none.safetensors: no such file, although");
}

/* Broken and bad ones, equal names, more folders than are looked into, files that are none. */
TEST(pool__of_odd_files__out_of_memory_is_reported) {
    double x[N * D];
    put("a.npy", 1, 1, false, NULL);
    put("x/a.npy", 2, 1, false, NULL);
    for (size_t i = 0; i < N * D; i++)
        x[i] = value(3, i / D, i % D);
    x[5 * D + 1] = (double)NAN;
    support_write_npy(root, "bad.npy", N, D, x);
    support_write_npy(root, "short.npy", N - 3, D, x);
    support_write_text(root, "odd.npy", "?");
    support_write_text(root, "archive.dat", "PK\x03\x04");
    support_write_npy(root, "x/y/z/w/deep.npy", N, D, x);
    put_csv("x/y/t.csv", 4);
    put_csv("a.csv", 5);
    support_write_text(root, "scores.csv", "model,t\na,x\n");
    refuse_each(&(es_pool_options){0}, "bad.npy: NaN at row 5");
    refuse_each(&(es_pool_options){.drop_rows = true}, ";79 79");
    refuse_each(&(es_pool_options){.models = "a*,bad", .exclude = "x*", .drop_rows = true},
                ";79 79");
}
