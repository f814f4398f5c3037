/* Rows that have ids: matched whatever order they stand in, left out where not all have them, and
 * matrices in another order that have none. The first column of every matrix here is the number of
 * the row's id, so that what is read shows who was read. */
#include "rooted.h"

#include <poll.h>

#include "io_readers.h"
#include "settled_pool.h"

enum { N = 40, D = 3 };

static double value(const char *name, unsigned id, size_t j) {
    double x = sin((double)(id * 131 + j * 17 + (unsigned char)name[0])) * 43758.5453;
    return j == 0 ? id : x - floor(x);
}

/* NAME.npy with a row for each of ids[0..n), and its ids where `ending` says so. */
static void put(const char *name, const unsigned *ids, size_t n, const char *ending) {
    static double x[4 * N * D];
    char file[64], text[2048];
    size_t length = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < D; j++)
            x[i * D + j] = value(name, ids[i], j);
    snprintf(file, sizeof file, "%s.npy", name);
    support_write_npy(root, file, n, D, x);
    if (!ending)
        return;
    if (strcmp(ending, ".ids.csv") == 0)
        length += (size_t)snprintf(text, sizeof text, "text,id\n");
    for (size_t i = 0; i < n; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%sdoc-%u\n",
                                   strcmp(ending, ".ids.csv") == 0 ? "x," : "", ids[i]);
    snprintf(file, sizeof file, "%s%s", name, ending);
    support_write_text(root, file, text);
}

/* The same as text, its ids inside. */
static void put_text(const char *file, const unsigned *ids, size_t n) {
    bool json = strstr(file, ".jsonl") != NULL;
    char blank = strstr(file, ".csv") ? ';' : json ? ',' : ' ';
    es_buf *text = test_buf();
    for (size_t i = 0; i < n; i++) {
        es_buf_printf(text, json ? "{\"id\": \"doc-%u\", \"embedding\": [" : "doc-%u%c", ids[i],
                      blank);
        for (size_t j = 0; j < D; j++) {
            if (j > 0)
                es_buf_putc(text, blank);
            es_buf_put_double(text, value(file, ids[i], j));
        }
        es_buf_puts(text, json ? "]}\n" : "\n");
    }
    for (size_t i = 0; blank == ';' && i < text->length; i++)
        if (text->data[i] == '.')
            text->data[i] = ',';
    support_write(root, file, text->data, text->length);
}

static void put_npz(const char *file, const unsigned *ids, size_t n) {
    static double x[N * D];
    static char name[N][16];
    const char *names[N];
    es_buf *bytes = test_buf();
    es_npz npz = {.out = bytes};
    for (size_t i = 0; i < n; i++) {
        names[i] = name[i];
        (void)snprintf(name[i], sizeof name[i], "doc-%u", ids[i]);
        for (size_t j = 0; j < D; j++)
            x[i * D + j] = value(file, ids[i], j);
    }
    es_npz_put_doubles(&npz, "emb", x, n, D);
    es_npz_put_texts(&npz, "ids", names, n);
    assert_ok(es_npz_end(&npz, NULL));
    support_write(root, file, bytes->data, bytes->length);
}

static void plain(unsigned *ids, unsigned from, unsigned to) {
    for (unsigned i = from; i < to; i++)
        ids[i - from] = i;
}

static es_pool *settled(const es_pool_options *options) {
    return settled_pool(root, options);
}

/* Who the rows of a model are, as they are read. */
static void read_who(const es_pool *pool, const char *name, double *who) {
    static double x[N * D];
    uint32_t rows[N];
    es_rows from;
    size_t index = es_pool_find(pool, name), n = es_pool_rows(pool);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = i;
    assert_ok(es_pool_rows_of(pool, index, &from, NULL));
    assert_int_equal(from.n, n);
    assert_int_equal(from.d, D);
    assert_ok(from.read(from.context, rows, n, x, NULL));
    for (size_t i = 0; i < n; i++) {
        who[i] = x[i * D];
        for (size_t j = 1; j < D; j++)
            assert_true(x[i * D + j] == value(name, (unsigned)who[i], j));
    }
}

/* All are read as these, in this order. */
static void assert_rows(const es_pool *pool, const unsigned *ids, size_t n) {
    double who[N];
    assert_int_equal(es_pool_rows(pool), n);
    for (size_t k = 0; k < es_pool_count(pool); k++) {
        const es_model *m = es_pool_model(pool, k);
        if (m->state != ES_MODEL_READY)
            continue;
        read_who(pool, m->name, who);
        for (size_t i = 0; i < n; i++)
            if (who[i] != ids[i])
                fail_msg("%s: row %zu is %g", m->name, i, who[i]);
    }
}

static void shuffle(unsigned *ids, size_t n) { /* 7 and n have no common divisor here */
    unsigned other[4 * N];
    memcpy(other, ids, n * sizeof *ids);
    for (size_t i = 0; i < n; i++)
        ids[i] = other[(i * 7 + 3) % n];
}

TEST(ids__match__another_order) {
    unsigned ids[N], moved[N];
    plain(ids, 0, N);
    plain(moved, 0, N);
    shuffle(moved, N);
    put("a", ids, N, ".ids.txt");
    put("b", moved, N, ".ids.csv");
    put("c", ids, N, ".ids.csv");
    put("d", ids, N, NULL);
    es_pool *pool = open_pool_with(root, NULL);
    assert_int_equal(es_pool_rows(pool), N); /* before any is read */
    settle(pool);
    assert_rows(pool, ids, N);
    assert_int_equal(model(pool, "a")->order, ES_ORDER_SAME);
    assert_int_equal(model(pool, "b")->order, ES_ORDER_MATCHED);
    assert_int_equal(model(pool, "d")->order, ES_ORDER_ASSUMED);
    assert_true(
        is_said(pool, "in the order of a: all have 40 of its 40, and 1 embedder holds them"));
    assert_null(es_pool_rows_note(pool));
    assert_true(is_said(pool, "d has no ids: its rows are taken to be in the order of a"));
    assert_int_equal(es_pool_unused(pool)->file.count, 0);
}

/* Ids under a name that is nobody's are read by nobody: the name that would be is told, and where
 * rows are taken as they stand for want of them, by every command. */
TEST(ids_files__of_no_embedder__are_told) {
    unsigned ids[N];
    plain(ids, 0, N);
    assert_int_equal(mkdir(support_in(root, "sub"), 0755), 0);
    put("e5", ids, N, NULL);
    put("bge", ids, N, NULL);
    put("sub/bge", ids, N, NULL);
    put("gte", ids, N, ".ids.txt");
    static const char *const others[] = {"e5.npy.ids.txt", "sub/BGE.ids.csv",   "bge.IDS.txt",
                                         "gte.ids.csv",    "stranger.ids.txt",  "foo.queries.npy",
                                         "e5.queries.npy", "e5.npy.queries.npy"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        support_write_text(root, others[i], "x\n");
    static const char *const said[] = {
        "e5.npy.ids.txt: not read; if it holds the ids of e5.npy, call it e5.ids.txt",
        "sub/BGE.ids.csv: not read; if it holds the ids of sub/bge.npy, call it sub/bge.ids.csv",
        "bge.IDS.txt: not read; if it holds the ids of bge.npy, call it bge.ids.txt",
        "gte.ids.csv: not read, as there are ids in the file that ends with .ids.txt, too",
        "stranger.ids.txt: not read, as there is no embedder of this name",
        "foo.queries.npy: not read, as there is no embedder of this name",
        "e5.npy.queries.npy: not read; if it holds the queries of e5, call it e5.queries.npy"};
    es_pool *pool = open_pool_with(root, &(es_pool_options){.models = "gte,e5"});
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!is_said(pool, said[i]))
            fail_msg("%s", said[i]);
    assert_int_equal(es_pool_grave_list(pool)->count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_contains(es_pool_grave_list(pool)->word[i], "if it holds the ids of");
    assert_int_equal(es_pool_warnings(pool), sizeof said / sizeof *said);
    test_drop(pool);
    for (unsigned i = 0; i < 20; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "a%u.ids.txt", i);
        support_write_text(root, name, "x\n");
    }
    pool = open_pool_with(root, NULL);
    assert_true(is_said(pool, "15 more files of ids or queries belong to no embedder"));
}

/* Where pool.json names the embedders, the ids of others are nobody's mistake. */
TEST(ids_files__of_embedders_not_listed__are_not_told) {
    unsigned ids[N];
    plain(ids, 0, N);
    put("a", ids, N, ".ids.txt");
    put("b", ids, N, ".ids.txt");
    support_write_text(root, "A.ids.csv", "x\n");
    support_write_text(root, "pool.json", "{\"models\": [{\"name\": \"x\", \"file\": \"a.npy\"}]}");
    es_pool *pool = open_pool_with(root, NULL);
    assert_int_equal(es_pool_warnings(pool), 2);
    assert_true(is_said(pool, "A.ids.csv: not read; if it holds the ids of a.npy, call it a.ids"));
    assert_int_equal(es_pool_grave_list(pool)->count, 0); /* it has some */
}

/* Formats that hold ids with the rows. */
TEST(ids__match__those_inside_the_files) {
    unsigned ids[N], moved[N], other[N];
    plain(ids, 0, N);
    plain(moved, 0, N);
    shuffle(moved, N);
    plain(other, 0, N);
    shuffle(other, N);
    shuffle(other, N);
    put("a", ids, N, ".ids.txt");
    put_text("b.jsonl", moved, N);
    put_text("c.csv", other, N); /* semicolons and decimal commas */
    put_text("d.vec", ids, N);
    put_npz("e.npz", other, N);
    es_pool *pool = settled(NULL);
    assert_int_equal(es_pool_usable(pool), 5);
    assert_rows(pool, ids, N);
    for (const char *name = "bcde"; *name; name++) {
        const char one[2] = {*name, '\0'};
        assert_int_equal(model(pool, one)->order, *name == 'd' ? ES_ORDER_SAME : ES_ORDER_MATCHED);
    }
}

/* A pair has the same rows in the same order whichever embedders are opened beside it; that it is
 * of more rows without one that lacks some is told. */
TEST(ids__select__keeps_the_order_and_tells_of_other_rows) {
    unsigned ids[N], moved[N];
    plain(ids, 0, N);
    plain(moved, 0, N);
    shuffle(moved, N);
    put("a", ids, N, ".ids.txt");
    put("b", moved, N, ".ids.txt");
    put("c", moved, N, ".ids.txt");
    put("d", ids, N, ".ids.txt");
    put("e", ids, N - 9, ".ids.txt");
    es_pool *all = settled(&(es_pool_options){.exclude = "e"});
    es_pool *some = settled(&(es_pool_options){.models = "b,c"});
    assert_rows(some, ids, N);
    assert_true(es_digest_equal(model(all, "b")->digest, model(some, "b")->digest));
    assert_true(es_digest_equal(es_pool_rowset(all), es_pool_rowset(some)));
    assert_non_null(es_pool_rows_note(some));
    assert_true(is_said(some, "these embedders share 40 rows by their ids, all of the pool 31"));
    test_drop(some);
    some = settled(&(es_pool_options){.models = "b,e"});
    assert_int_equal(es_pool_rows(some), N - 9);
    assert_contains(es_pool_rows_note(some), "all have 31 of its 40");
}

/* A pair that was estimated before ids came is the same pair where they change nothing, and another
 * one where they do. */
TEST(ids__digest__changes_with_the_order_alone) {
    unsigned ids[N], moved[N];
    plain(ids, 0, N);
    plain(moved, 0, N);
    shuffle(moved, N);
    put("a", ids, N, NULL);
    put("b", moved, N, NULL);
    es_pool *before = settled(NULL);
    put("a", ids, N, ".ids.txt");
    put("b", ids, N, ".ids.txt");
    put("b", moved, N, NULL); /* its rows are those of ids all the same */
    es_pool *same = settled(NULL);
    put("b", moved, N, ".ids.txt");
    es_pool *matched = settled(NULL);
    assert_true(es_digest_equal(es_pool_rowset(before), es_pool_rowset(same)));
    assert_true(es_digest_equal(es_pool_rowset(before), es_pool_rowset(matched)));
    assert_true(es_digest_equal(model(before, "b")->digest, model(same, "b")->digest));
    assert_false(es_digest_equal(model(before, "b")->digest, model(matched, "b")->digest));
    assert_true(es_digest_equal(model(before, "a")->digest, model(matched, "a")->digest));
}

/* What is known of a file's contents is of its ids, too, up to the last of them. */
TEST(ids__known_contents__are_of_these_ids) {
    unsigned ids[N], moved[N];
    char text[2048];
    size_t length = 0;
    plain(ids, 0, N);
    plain(moved, 0, N);
    moved[N - 1] = ids[N - 2];
    moved[N - 2] = ids[N - 1];
    put("a", ids, N, ".ids.txt");
    put("b", moved, N, ".ids.txt");
    es_looks *looks = es_looks_new();
    assert_non_null(looks);
    (void)poll(NULL, 0, 3200); /* what was written just now is not taken for known */
    es_pool *before = settled(&(es_pool_options){.looks = looks});
    plain(moved, 0, N);
    moved[N - 3] = ids[N - 4];
    moved[N - 4] = ids[N - 3];
    for (size_t i = 0; i < N; i++) /* of b, whose matrix stays */
        length += (size_t)snprintf(text + length, sizeof text - length, "doc-%u\n", moved[i]);
    support_write_text(root, "b.ids.txt", text);
    es_pool *after = settled(&(es_pool_options){.looks = looks}), *plainly = settled(NULL);
    assert_false(es_digest_equal(model(before, "b")->digest, model(after, "b")->digest));
    assert_true(es_digest_equal(model(plainly, "b")->digest, model(after, "b")->digest));
    assert_true(es_digest_equal(model(before, "a")->digest, model(after, "a")->digest));
    es_looks_free(looks);
}

/* Of so many it is said what does not match; how many more there are, only where there are. */
TEST(ids__match__counts_those_that_are_not_named) {
    enum { SAID = 12 };
    unsigned all[N], some[N];
    char name[8];
    plain(all, 0, N);
    put("a", all, N, ".ids.txt");
    for (unsigned i = 0; i <= SAID; i++) { /* each without a row of its own */
        (void)snprintf(name, sizeof name, "b%u", i);
        plain(some, 0, i);
        plain(some + i, i + 1, N);
        put(name, some, N - 1, ".ids.txt");
        if (i + 1 < SAID)
            continue;
        es_pool *pool = settled(NULL);
        assert_int_equal(is_said(pool, "do not all match"), i == SAID);
        assert_int_equal(is_said(pool, "rows of 1 more embedder do"), i == SAID);
        test_drop(pool);
    }
}

TEST(ids__match__names_doubles_and_strangers) {
    unsigned ids[N], some[N], shared[N];
    size_t n = 0;
    plain(ids, 0, N);
    plain(some, 2, N); /* lacks 0 and 1 */
    some[N - 2] = 999; /* a stranger */
    some[N - 1] = 5;   /* stands twice */
    put("a", ids, N, ".ids.txt");
    put("b", some, N, ".ids.txt");
    put("c", ids, N, ".ids.txt");
    for (unsigned i = 2; i < N; i++)
        if (i != 5)
            shared[n++] = i;
    es_pool *pool = settled(NULL);
    assert_rows(pool, shared, n);
    assert_int_equal(model(pool, "b")->strangers, 1);
    assert_int_equal(model(pool, "b")->doubled_ids, 1);
    assert_true(is_said(pool, "b.npy: the id \"doc-5\" stands in rows 3 and 39"));
    assert_true(is_said(pool, "b.npy: 1 of its 40 rows is not among those of a, first row 38 "
                              "(\"doc-999\")"));
    assert_true(is_said(pool, "b.npy: lacks 2 of the 40 rows of a, first \"doc-0\""));
    test_drop(pool);
    pool = settled(&(es_pool_options){.rows = {ES_ROWS_FIRST, 30}});
    assert_rows(pool, shared, 27); /* of the first 30 rows of a */
}

/* NAME.npz with these ids. */
static void put_named(const char *file, const char *const *names, size_t n) {
    static double x[N * D];
    es_buf *bytes = test_buf();
    es_npz npz = {.out = bytes};
    for (size_t i = 0; i < n * D; i++)
        x[i] = value(file, (unsigned)(i / D), i % D);
    es_npz_put_doubles(&npz, "emb", x, n, D);
    es_npz_put_texts(&npz, "ids", names, n);
    assert_ok(es_npz_end(&npz, NULL));
    support_write(root, file, bytes->data, bytes->length);
}

/* What is wrong with the ids that all are matched by is told once, of these and not of a match. */
TEST(ids__that_stand_twice_or_are_empty__have_sentences) {
    const char *names[N];
    char name[N][16];
    unsigned ids[N];
    plain(ids, 0, N);
    for (size_t i = 0; i < N; i++) {
        (void)snprintf(name[i], sizeof name[i], "w%zu", i);
        names[i] = name[i];
    }
    names[4] = "";
    put_named("m.npz", names, N);
    put("u", ids, N, NULL);
    put("v", ids, N, NULL);
    es_pool *pool = settled(NULL);
    assert_true(is_said(pool, "m: row 4 has an empty id and is left out"));
    assert_false(is_said(pool, "not among those of"));
    assert_false(is_said(pool, "lacks"));
    assert_true(is_said(pool, "u and others have no ids: their rows are taken"));
    test_drop(pool);
    names[7] = "";
    names[8] = names[9] = "w3";
    put_named("m.npz", names, N);
    pool = settled(NULL);
    assert_true(is_said(pool, "m: 2 rows have an empty id and are left out, first row 4"));
    assert_true(is_said(pool, "m: the id \"w3\" stands in it twice, and which is meant cannot be "
                              "known: rows whose id stands several times are left out (2 repeat "
                              "one, first row 8)"));
    assert_false(is_said(pool, "stands in rows"));
    assert_int_equal(es_pool_rows(pool), N - 5);
    test_drop(pool);
    for (size_t i = 0; i < N; i++)
        names[i] = "x";
    put_named("m.npz", names, N);
    pool = settled(NULL);
    assert_string_equal(model(pool, "m")->reason,
                        "m.npz: 40 of its 40 ids are empty or stand several times (that of row 0 "
                        "is \"x\"), and do not say which row is which; correct them, or leave them "
                        "out");
    assert_int_equal(es_pool_rows(pool), N);
    assert_false(is_said(pool, "stands in it twice"));
}

TEST(ids__exclude__those_of_other_rows) {
    unsigned ids[N], other[N], few[8];
    plain(ids, 0, N);
    plain(other, 500, 500 + N);
    plain(few, 0, 8);
    put("a", ids, N, ".ids.txt");
    put("b", ids, N, ".ids.txt");
    put("c", other, N, ".ids.txt");
    put("d", few, 8, NULL);
    put("e", ids, N, NULL);
    support_write_text(root, "e.ids.txt", "one\ntwo\n");
    put("f", ids, N, NULL);
    support_write_text(root, "f.ids.txt", "one\n\ntwo\n");
    es_pool *pool = settled(NULL);
    assert_rows(pool, ids, N);
    assert_string_equal(model(pool, "c")->reason, "c.npy: of its 40 rows 0 are among the 40 of a "
                                                  "by their ids (row 0 is \"doc-500\")");
    assert_string_equal(model(pool, "d")->reason,
                        "d.npy: 8 rows without ids (NAME.ids.txt), the pool has 40");
    assert_contains(model(pool, "e")->reason, "e.ids.txt: 2 ids, the matrix has 40 rows");
    assert_contains(model(pool, "f")->reason, "f.ids.txt: line 2: the id is empty");
}

/* Whoever has half of the rows stays, and all are of that half; a row less, and it is left out. */
TEST(ids__exclude__those_with_less_than_half) {
    unsigned all[N], some[N];
    plain(all, 0, N);
    put("a", all, N, ".ids.txt");
    put("b", all, N, ".ids.txt");
    for (unsigned found = N / 2; found >= N / 2 - 1; found--) {
        plain(some, N - found, 2 * N - found);
        put("c", some, N, ".ids.txt");
        es_pool *pool = settled(NULL);
        bool stays = found == N / 2;
        assert_int_equal(model(pool, "c")->state, stays ? ES_MODEL_READY : ES_MODEL_EXCLUDED);
        assert_int_equal(es_pool_rows(pool), stays ? found : N);
        if (!stays)
            assert_contains(model(pool, "c")->reason, "only 19 are among the 40 of ");
        test_drop(pool);
    }
}

/* Texts and what people say of rows go by rows.csv: its order is the pool's where it knows the
 * rows.
 */
TEST(ids__match__rows_csv_leads) {
    unsigned ids[N], moved[N];
    char text[2048] = "id,text\n";
    plain(ids, 0, N);
    plain(moved, 0, N);
    shuffle(moved, N);
    for (size_t i = 0; i < N; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "doc-%u,text %u\n", moved[i],
                 moved[i]);
    put("a", ids, N, ".ids.txt");
    put("b", ids, N, ".ids.txt");
    support_write_text(root, "rows.csv", text);
    es_pool *pool = settled(NULL);
    const es_row_texts *texts = NULL;
    assert_rows(pool, moved, N);
    assert_ok(es_pool_texts(pool, &texts, NULL));
    assert_non_null(texts);
    for (size_t i = 0; i < N; i++) {
        char wanted[24];
        snprintf(wanted, sizeof wanted, "text %u", moved[i]);
        assert_string_equal(es_row_texts_text(texts, es_pool_file_row(pool, i)), wanted);
    }
}

/* rows.csv in the order of ids, `head` above it; with a number of each line in front, or without.
 */
static void put_rows(const char *head, bool numbered, const char *id, const unsigned *ids) {
    es_buf *text = test_buf();
    es_buf_printf(text, "%s\n", head);
    for (unsigned i = 0; i < N; i++) {
        if (numbered)
            es_buf_printf(text, "%u,", i);
        es_buf_printf(text, "%s%u,text %u\n", id, ids[i], ids[i]);
    }
    support_write(root, "rows.csv", text->data, text->length);
}

static void assert_texts(es_pool *pool, const unsigned *ids) {
    const es_row_texts *texts = NULL;
    assert_ok(es_pool_texts(pool, &texts, NULL));
    assert_non_null(texts);
    for (size_t i = 0; i < N; i++) {
        char wanted[24];
        snprintf(wanted, sizeof wanted, "text %u", ids[i]);
        assert_string_equal(es_row_texts_text(texts, es_pool_file_row(pool, i)), wanted);
    }
}

/* The column of ids of rows.csv is the one that is called so, as behind the index of pandas. */
TEST(ids__match__the_id_column_of_rows_csv) {
    unsigned ids[N], moved[N];
    plain(ids, 0, N);
    plain(moved, 0, N);
    shuffle(moved, N);
    put("a", ids, N, ".ids.txt");
    put("b", ids, N, ".ids.txt");
    static const char *const heads[] = {",id,text", "Unnamed: 0,doc_id,text", "row,name,text",
                                        ",what,text"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        put_rows(heads[i], true, "doc-", moved);
        es_pool *pool = settled(NULL);
        assert_rows(pool, moved, N);
        assert_texts(pool, moved);
        assert_true(is_said(pool, "in the order of rows.csv: all have 40 of its 40"));
        test_drop(pool);
    }
}

/* NAME.csv with a column `head` of these numbers, and no other ids. */
static void put_numbers(const char *name, const char *head, const unsigned *ids,
                        const char *ending) {
    es_buf *text = test_buf();
    char file[32];
    es_buf_printf(text, "%s,x,y,z\n", head);
    for (size_t i = 0; i < N; i++) {
        es_buf_printf(text, "%u%s", ids[i], ending);
        for (size_t j = 0; j < D; j++) {
            es_buf_putc(text, ',');
            es_buf_put_double(text, value(name, ids[i], j));
        }
        es_buf_putc(text, '\n');
    }
    (void)snprintf(file, sizeof file, "%s.csv", name);
    support_write(root, file, text->data, text->length);
}

static void describe_tables(void) {
    support_write_text(root, "pool.json",
                       "{\"models\": [{\"file\": \"a.csv\"}, {\"file\": \"b.csv\"}]}");
}

/* 17.0 is 17. */
TEST(ids__match__whole_numbers_written_as_floats) {
    unsigned ids[N], moved[N];
    plain(ids, 0, N);
    plain(moved, 0, N);
    shuffle(moved, N);
    describe_tables();
    put_numbers("a", "id", moved, ".0");
    put_numbers("b", "id", moved, ".0");
    put_rows("id,text", false, "", ids);
    es_pool *pool = settled(NULL);
    assert_rows(pool, ids, N);
    assert_texts(pool, ids);
}

/* That rows.csv has other ids is told, also where no embedder has its rows in another order. */
TEST(ids__other_ids_in_rows_csv__are_told) {
    unsigned ids[N];
    plain(ids, 0, N);
    put("a", ids, N, ".ids.txt");
    put("b", ids, N, ".ids.txt");
    put_rows("id,text", false, "Doc-", ids);
    es_pool *pool = settled(NULL);
    assert_int_equal(model(pool, "a")->order, ES_ORDER_SAME);
    assert_true(is_said(pool, "rows.csv: it has 0 of the 40 ids of the embedders (its first is "
                              "\"Doc-0\", theirs \"doc-0\"): its lines, and row numbers in "
                              "labels.csv and the like, are taken to be in the order of a"));
    test_drop(pool);
    put_rows("id,text", false, "doc-", ids);
    pool = settled(NULL);
    assert_int_equal(es_pool_warnings(pool), 0);
}

/* An index that only counts the rows is none but where another embedder's tells them apart. */
TEST(ids__index_that_counts__is_matched_with_one_in_another_order) {
    unsigned ids[N], moved[N];
    plain(ids, 0, N);
    plain(moved, 0, N);
    shuffle(moved, N);
    describe_tables();
    put_numbers("a", "", ids, "");
    put_numbers("b", "", moved, "");
    es_pool *pool = settled(NULL);
    assert_int_equal(es_pool_usable(pool), 2);
    double who[N], other[N];
    read_who(pool, "a", who);
    read_who(pool, "b", other);
    assert_memory_equal(who, other, sizeof who);
    assert_int_equal(model(pool, "a")->order + model(pool, "b")->order,
                     ES_ORDER_SAME + ES_ORDER_MATCHED);
    test_drop(pool);
    put_numbers("b", "", ids, ""); /* both count: as without ids */
    pool = settled(NULL);
    assert_rows(pool, ids, N);
    assert_int_equal(model(pool, "a")->order, model(pool, "b")->order);
    assert_int_equal(es_pool_warnings(pool), 0);
    test_drop(pool);
    put_text("b.csv", moved, N); /* other ids */
    pool = settled(NULL);
    assert_int_equal(es_pool_usable(pool), 2);
    assert_int_equal(model(pool, "a")->order, ES_ORDER_ASSUMED);
}

/* Ids within a file that are not as many as its rows exclude it, as those beside it do; if they are
 * as many as its columns, it is turned, as R writes a matrix into HDF5. */
TEST(ids__inside_of_another_number__exclude) {
    static const struct {
        size_t rows, columns, ids;
        const char *reason;
    } cases[] = {
        {N, D, N - 1,
         "a.npz: 39 ids in it, the matrix has 40 rows; correct them, or call them otherwise if "
         "they are not of its rows"},
        {D, N, N, "its columns are as many: it is transposed; save x.T"},
    };
    double x[N * D];
    unsigned ids[N];
    const char *names[N];
    for (size_t i = 0; i < N * D; i++)
        x[i] = sin((double)i);
    for (size_t i = 0; i < N; i++)
        names[i] = "d";
    plain(ids, 0, N);
    put("b", ids, N, NULL);
    for (size_t k = 0; k < 2; k++) {
        es_buf *bytes = test_buf();
        es_npz npz = {.out = bytes};
        es_npz_put_doubles(&npz, "emb", x, cases[k].rows, cases[k].columns);
        es_npz_put_texts(&npz, "ids", names, cases[k].ids);
        assert_ok(es_npz_end(&npz, NULL));
        support_write(root, "a.npz", bytes->data, bytes->length);
        es_pool *pool = settled(NULL);
        assert_contains(model(pool, "a")->reason, cases[k].reason);
        test_drop(pool);
    }
}

/* A stored array that is not what its archive says is no embedder. */
TEST(contents__damaged_archive__is_excluded) {
    unsigned ids[N];
    char path[2 * SUPPORT_PATH];
    plain(ids, 0, N);
    put("b", ids, N, NULL);
    put_npz("a.npz", ids, N);
    (void)snprintf(path, sizeof path, "%s/a.npz", root);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 200, SEEK_SET), 0); /* among its values */
    assert_int_equal(fputc('#', file), '#');
    assert_int_equal(fclose(file), 0);
    es_pool *pool = settled(NULL);
    assert_contains(model(pool, "a")->reason, "a.npz: an array's checksum is wrong");
}

/* Samples and rows that are dropped are of the pool's order, too. */
TEST(ids__match__samples_and_bad_rows) {
    enum { BIG = 4 * N };
    unsigned ids[BIG], moved[BIG];
    double who[N], other[N];
    plain(ids, 0, BIG);
    plain(moved, 0, BIG);
    shuffle(moved, BIG - 1); /* 7 and 159 */
    put("a", ids, BIG, ".ids.txt");
    put("b", moved, BIG, ".ids.txt");
    es_pool *pool = settled(&(es_pool_options){.rows = {ES_ROWS_SAMPLE, N}});
    read_who(pool, "a", who);
    read_who(pool, "b", other);
    assert_memory_equal(who, other, sizeof who);
    test_drop(pool);
    put("a", ids, N, ".ids.txt");
    plain(moved, 0, N);
    shuffle(moved, N);
    put("b", moved, N, ".ids.txt");
    double x[N * D];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            x[i * D + j] = value("b", moved[i], j);
    x[4 * D] = (double)NAN;
    support_write_npy(root, "b.npy", N, D, x);
    unsigned kept[N];
    size_t n = 0;
    for (unsigned i = 0; i < N; i++)
        if (i != moved[4])
            kept[n++] = i;
    pool = settled(&(es_pool_options){.drop_rows = true});
    assert_rows(pool, kept, n);
}

TEST(ids__none__rows_in_another_order_are_told) {
    unsigned ids[N], moved[N];
    double x[N * D];
    plain(ids, 0, N);
    plain(moved, 0, N);
    shuffle(moved, N);
    put("a", ids, N, NULL);
    put("b", ids, N, NULL);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            x[i * D + j] = value("a", moved[i], j);
    support_write_npy(root, "c.npy", N, D, x);
    for (size_t i = 0; i < N; i++) /* the same rows in the same order, by columns */
        for (size_t j = 0; j < D; j++)
            x[j * N + i] = value("a", (unsigned)i, j);
    support_write_npy_raw(
        root, "e.npy", "{'descr': '<f8', 'fortran_order': True, 'shape': (40, 3), }", x, sizeof x);
    es_pool *pool = settled(NULL);
    assert_int_equal(es_pool_warnings(pool), 2);
    assert_true(is_said(pool, "c.npy: holds the rows of a.npy in another order"));
    assert_true(is_said(pool, "e.npy: holds the rows of c.npy in another order"));
}

/* `file` with row `of` in the place of row `row`, for each of n pairs. */
static void put_copies(const char *file, const unsigned (*pair)[2], size_t n, bool reversed) {
    double x[N * D], turned[N * D];
    for (size_t i = 0; i < N * D; i++)
        x[i] = value(file, (unsigned)(i / D), i % D);
    for (size_t k = 0; k < n; k++)
        memcpy(x + pair[k][0] * D, x + pair[k][1] * D, D * sizeof *x);
    es_buf *ids = test_buf();
    for (size_t i = 0; i < N; i++) {
        memcpy(turned + i * D, x + (N - 1 - i) * D, D * sizeof *x);
        es_buf_printf(ids, "doc-%zu\n", reversed ? N - 1 - i : i);
    }
    support_write_npy(root, file, N, D, reversed ? turned : x);
    char beside[64];
    (void)snprintf(beside, sizeof beside, "%.1s.ids.txt", file);
    support_write(root, beside, ids->data, ids->length);
}

TEST(copies__of_rows_in_all_embedders__are_told) {
    static const unsigned all[][2] = {{7, 3}, {20, 3}, {39, 38}}, own[][2] = {{7, 4}, {20, 3}};
    put_copies("a.npy", all, 3, false);
    put_copies("b.npy", all, 3, true);
    es_pool *pool = settled(NULL);
    assert_true(is_said(pool, "3 of 40 rows are copies of others in every embedder"));
    test_drop(pool);
    put_copies("c.npy", own, 2, false); /* 7 is a copy of another row, 39 of none */
    pool = settled(NULL);
    assert_true(is_said(pool, "1 of 40 rows are copies of others in every embedder"));
    test_drop(pool);
    pool = settled(&(es_pool_options){.rows = {ES_ROWS_FIRST, 21}}); /* of those in use */
    assert_true(is_said(pool, "1 of 21 rows are copies"));
    test_drop(pool);
    pool = settled(&(es_pool_options){.rows = {ES_ROWS_FIRST, 20}});
    assert_false(is_said(pool, "copies"));
    test_drop(pool);
    put_copies("d.npy", NULL, 0, false); /* who tells them apart says that they are none */
    pool = settled(NULL);
    assert_false(is_said(pool, "copies"));
    test_drop(pool);
    support_write_text(root, "pool.json",
                       "{\"models\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"d\","
                       " \"family\": \"control\"}]}");
    pool = settled(NULL); /* a control tells nothing of the rows */
    assert_true(is_said(pool, "3 of 40 rows are copies of others in every embedder"));
}
