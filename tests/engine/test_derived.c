/* Derived embedders: what is written against plain matrices, what is listed and left out, and
 * taking them out of a pool and back. */
#include "support.h"

#include <sys/time.h>

#include "engine_requests.h"
#include "engine_pool_parts.h"
#include "refuse.h"
#include "settled_pool.h"
#include "matrices.h"

#define DERIVED ".embedscope/derived/"
enum { ROWS = ES_DERIVE_BLOCK + 40, DAY = 24 * 60 * 60 };

static char root[SUPPORT_PATH], data[SUPPORT_PATH];

static int make_pool(void **state) {
    support_temp_dir(root);
    support_temp_dir(data);
    (void)setenv("XDG_DATA_HOME", data, 1);
    support_write_random_npy(root, "a.npy", 1, ROWS, 4);
    support_write_random_npy(root, "b.npy", 2, ROWS, 3);
    support_write_text(root, "pool.json",
                       "{\"models\": [{\"file\": \"a.npy\", \"family\": \"f\"}, {\"file\": "
                       "\"b.npy\", \"family\": \"g\"}]}");
    return 0;
}

TEST_EACH(make_pool, NULL);

static es_pool *open_with(const es_pool_options *options) {
    return settled_pool(root, options);
}

static es_pool *open_pool(void) {
    return open_with(NULL);
}

static const char *derived(const char *name) {
    static char path[SUPPORT_PATH + 300];
    (void)snprintf(path, sizeof path, "%s/" DERIVED "%s", root, name);
    return path;
}

static bool is_there(const char *name) {
    return access(derived(name), F_OK) == 0;
}

static es_derivation way(es_derive_kind kind, size_t k) {
    return (es_derivation){.source = 0, .other = SIZE_MAX, .how = {.kind = kind, .k = k}};
}

static es_derived make(const es_pool *pool, const es_derivation *d) {
    es_derived made = {0};
    assert_ok(es_derived_make(pool, d, NULL, &made, test_err()));
    return made;
}

static void make_named(const char *name, es_derive_kind kind) {
    es_derivation d = way(kind, 0);
    es_pool *pool = open_pool();
    d.name = name;
    es_derived made = make(pool, &d);
    assert_string_equal(made.name, name);
    es_derived_deinit(&made);
}

static void make_both(const es_pool *pool) {
    const es_derivation d = {.source = 0, .other = es_pool_find(pool, "b")};
    es_derived made = make(pool, &d);
    es_derived_deinit(&made);
}

/* float32 of what is expected, except the last bits: sums in blocks are not sums in one. */
static void assert_matrix(const char *path, const es_matrix *expected) {
    es_loaded loaded = {0};
    assert_ok(es_loaded_open(path, 0, NULL, &loaded, NULL));
    const es_array *a = &loaded.tensors.items[0].array;
    assert_int_equal(a->dtype, ES_DTYPE_F32);
    assert_int_equal(a->n, expected->n);
    assert_int_equal(a->d, expected->d);
    es_matrix m = matrix_kept(a->n, a->d);
    es_array_read_range(a, 0, a->n, m.x);
    for (size_t i = 0; i < m.n * m.d; i++)
        if (!(fabs(m.x[i] - expected->x[i]) <= 1e-6 * (1 + fabs(expected->x[i]))))
            fail_msg("%s: number %zu is %g, not %g", path, i, m.x[i], expected->x[i]);
    es_loaded_close(&loaded);
}

/* ---- making ---- */

TEST(derive__each_way__is_its_plain_twin) {
    static const struct {
        es_derive how;
        const char *name, *notes;
    } ways[] = {
        {{ES_DERIVE_CENTRE, 0, 0, 0}, "a+centred", "derived from a: centre"},
        {{ES_DERIVE_NORMALISE, 0, 0, 0}, "a+normalised", "derived from a: normalise"},
        {{ES_DERIVE_ABTT, 0, 2, 0}, "a+abtt2", "derived from a: abtt 2"},
        {{ES_DERIVE_PCR, 0, 1, 0}, "a+pcr1", "derived from a: pcr 1"},
        {{ES_DERIVE_WHITEN, 0, 0, 0}, "a+whiten", "derived from a: whiten"},
        {{ES_DERIVE_WHITEN, 0, 3, 0}, "a+whiten3", "derived from a: whiten 3"},
        {{ES_DERIVE_PCA, 0, 2, 0}, "a+pca2", "derived from a: pca 2"},
        {{ES_DERIVE_FIRST, 8, 2, 0}, "a+first2-int8", "derived from a: first 2, int8"},
        {{ES_DERIVE_PCA, 4, 2, 0}, "a+pca2-int4", "derived from a: pca 2, int4"},
        {{ES_DERIVE_NONE, 1, 0, 0}, "a+binary", "derived from a: binary"},
        {{ES_DERIVE_RANDOM, 0, 5, 0}, "a+random5", "derived from a: random-projection 5, seed 0"},
        {{ES_DERIVE_FLOW, 8, 0, 3}, "a+flow-int8s3", "derived from a: flow, int8, seed 3"},
        {{ES_DERIVE_RANDOM, 0, 5, 9},
         "a+random5s9",
         "derived from a: random-projection 5, seed 9"}};
    es_pool *pool = open_pool();
    es_matrix a = {0};
    assert_ok(es_pool_matrix(pool, 0, NULL, &a, NULL));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const es_derivation d = {.source = 0, .other = SIZE_MAX, .how = ways[i].how};
        es_matrix expected = {0};
        es_derived made = make(pool, &d);
        assert_ok(es_derive_matrix(&a, &ways[i].how, &expected, NULL));
        assert_string_equal(made.name, ways[i].name);
        assert_string_equal(made.remark, "");
        assert_int_equal(made.n, ROWS);
        assert_int_equal(made.d, expected.d);
        assert_matrix(made.path, &expected);
        assert_true(es_derived_bytes(pool, &d) == es_derive_map_bytes(ROWS, 4, &d.how));
        es_matrix_free(&expected);
        es_derived_deinit(&made);
    }
    es_matrix_free(&a);
    test_drop(pool);
    pool = open_pool();
    assert_int_equal(es_pool_count(pool), 2 + sizeof ways / sizeof *ways);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const es_model *m = model(pool, ways[i].name);
        assert_int_equal(m->state, ES_MODEL_READY);
        assert_true(m->derived);
        assert_string_equal(m->notes, ways[i].notes);
        assert_string_equal(m->family, "f");
    }
}

TEST(derive__two__stand_side_by_side) {
    const es_derivation d = {.source = 0, .other = 1};
    es_pool *pool = open_pool();
    es_matrix m[2] = {{0}}, expected = {0};
    es_derived made = make(pool, &d);
    for (size_t i = 0; i < 2; i++)
        assert_ok(es_pool_matrix(pool, i, NULL, &m[i], NULL));
    assert_ok(es_matrix_new(m[0].n, m[0].d + m[1].d, &expected, NULL));
    for (size_t i = 0; i < expected.n; i++)
        for (size_t j = 0; j < expected.d; j++)
            expected.x[i * expected.d + j] =
                j < m[0].d ? m[0].x[i * m[0].d + j] : m[1].x[i * m[1].d + j - m[0].d];
    assert_string_equal(made.name, "a+b");
    assert_int_equal(made.d, 7);
    assert_matrix(made.path, &expected);
    assert_true(es_derived_bytes(pool, &d) == 2.0 * ES_DERIVE_BLOCK * 8 * 7);
    for (size_t i = 0; i < 2; i++)
        es_matrix_free(&m[i]);
    es_matrix_free(&expected);
    es_derived_deinit(&made);
    test_drop(pool);
    pool = open_pool();
    assert_string_equal(model(pool, "a+b")->notes, "a beside b");
}

static void refuse(const es_pool *pool, const es_derivation *d, const char *part) {
    es_derived made = {0};
    assert_int_equal(es_derived_make(pool, d, NULL, &made, test_err()), ES_EINVAL);
    assert_null(made.name);
    assert_contains(test_message(), part);
}

TEST(derive__whitening__says_what_cannot_be) {
    enum { FEW = 24 };
    double *x = support_numbers(3, FEW * 30), *tall = support_numbers(4, FEW * 3);
    for (size_t i = 0; i < FEW; i++)
        tall[3 * i + 2] = 2 * tall[3 * i];
    support_write_npy(root, "a.npy", FEW, 30, x);
    support_write_npy(root, "b.npy", FEW, 3, tall);
    assert_int_equal(remove(support_in(root, "pool.json")), 0);
    es_pool *pool = open_pool();
    es_derivation d = way(ES_DERIVE_WHITEN, 0);
    es_derived made = make(pool, &d);
    assert_string_equal(made.remark,
                        "24 rows and 30 columns: no more than 23 directions can be whitened");
    es_derived_deinit(&made);
    d = way(ES_DERIVE_PCA, 2);
    made = make(pool, &d);
    assert_string_equal(made.remark, "");
    es_derived_deinit(&made);
    d = way(ES_DERIVE_WHITEN, 0);
    d.source = 1;
    made = make(pool, &d);
    assert_string_equal(made.remark, "2 of 3 directions have variance and are kept");
    es_derived_deinit(&made);
    d.how.k = 1; /* as it was asked for */
    made = make(pool, &d);
    assert_string_equal(made.remark, "");
    es_derived_deinit(&made);
    d.how = (es_derive){ES_DERIVE_PCA, 0, 3, 0}; /* fewer columns than were asked for */
    made = make(pool, &d);
    assert_string_equal(made.remark, "2 of 3 directions have variance and are kept");
    es_derived_deinit(&made);
}

/* Without all directions of variance only rounding is left, which would rank like an embedder. */
TEST(derive__all_directions_taken_out__is_refused) {
    double *flat = support_numbers(4, ROWS * 4);
    for (size_t i = 0; i < ROWS; i++) {
        flat[4 * i + 2] = 2 * flat[4 * i];
        flat[4 * i + 3] = flat[4 * i] - flat[4 * i + 1];
    }
    support_write_npy(root, "a.npy", ROWS, 4, flat);
    assert_int_equal(remove(support_in(root, "pool.json")), 0);
    es_pool *pool = open_pool();
    es_derivation d = way(ES_DERIVE_ABTT, 2);
    const char *why = ": 2 directions have variance: without 2 nothing but rounding would be left";
    refuse(pool, &d, why);
    d = way(ES_DERIVE_PCR, 2);
    refuse(pool, &d, why);
    es_matrix m = {ROWS, 4, flat}, out = {0};
    assert_int_equal(es_derive_matrix(&m, &d.how, &out, NULL), ES_EINVAL);
    d = way(ES_DERIVE_ABTT, 1);
    es_derived made = make(pool, &d);
    es_derived_deinit(&made);
}

TEST(derive__what_cannot_be__is_refused) {
    double *odd = support_numbers(9, ROWS * 2);
    odd[3] = NAN;
    support_write_npy(root, "odd.npy", ROWS, 2, odd);
    assert_int_equal(remove(support_in(root, "pool.json")), 0);
    es_pool *pool = open_pool();
    es_derivation d = way(ES_DERIVE_CENTRE, 0);
    d.name = "";
    refuse(pool, &d, "needs a name");
    d.name = "b";
    refuse(pool, &d, "an embedder 'b' already");
    d = way(ES_DERIVE_PCA, 5);
    refuse(pool, &d, "axes from 1 to 4");
    d.source = es_pool_find(pool, "odd");
    refuse(pool, &d, "odd is not in use: odd.npy");
    refuse(pool, &d, "1 of 552 rows is hit; what is derived has all rows"); /* not: drop them */
    d = (es_derivation){.source = 0, .other = es_pool_find(pool, "odd")};
    refuse(pool, &d, "odd is not in use");
    test_drop(pool);
    pool = open_with(&(es_pool_options){.rows = {ES_ROWS_FIRST, ROWS - 1}});
    d = way(ES_DERIVE_CENTRE, 0);
    refuse(pool, &d, "only 551 of 552 rows are in use: derive with --rows all");
    test_drop(pool);
    pool = open_with(&(es_pool_options){.drop_rows = true});
    refuse(pool, &d, "only 551 of 552 rows are in use: derive without --drop-rows");
    d.source = es_pool_find(pool, "odd"); /* which is left out then */
    refuse(pool, &d,
           "odd: 1 of its rows has values that are not finite; what is derived has all "
           "rows: put values there");
    test_drop(pool);
    d.source = 0;
    const double values[] = {1, 2, 3, 4};
    const es_array_view view = {"v", NULL, values, 2, 2, ES_ELEMENT_FLOAT64, ES_KIND_CONTINUOUS};
    assert_ok(es_pool_open_arrays(&view, 1, NULL, &pool, NULL));
    refuse(pool, &d, "v is not in use: not checked");
    es_pool_close(pool);
    assert_false(is_there("a+centred.npy") || is_there("a+centred.json"));
}

static void put_ids(const char *file, size_t count, const char *head) {
    es_buf *text = test_buf();
    es_buf_puts(text, head);
    for (size_t i = 0; i < count; i++)
        es_buf_printf(text, head[0] ? "r%zu,%s\n" : "r%zu%s\n", i, head[0] && i % 2 ? "odd" : "");
    support_write_text(root, file, text->data);
}

/* The advice is one that can be followed. */
TEST(derive__rows_that_not_all_have__are_told) {
    const es_pool_options some = {.models = "a"}, odd = {.set_rows = "odd"};
    es_derivation one = way(ES_DERIVE_CENTRE, 0), two = {.source = 0, .other = 1};
    put_ids("a.ids.txt", ROWS, "");
    put_ids("b.ids.txt", ROWS - 9, "");
    put_ids("rows.csv", ROWS, "id,set\n");
    support_write_random_npy(root, "b.npy", 2, ROWS - 9, 3);
    es_pool *pool = open_pool();
    refuse(pool, &one, "only 543 of 552 rows are in use: b lacks some; derive with --models a");
    refuse(pool, &two, "b lacks rows that others have, and what is derived has all");
    test_drop(pool);
    pool = open_with(&odd);
    refuse(pool, &one, "b lacks some; derive without --set-rows, with --models a");
    test_drop(pool);
    pool = open_with(&some);
    es_derived made = make(pool, &one);
    assert_int_equal(made.n, ROWS);
    es_derived_deinit(&made);
    test_drop(pool);
    pool = open_with(&(es_pool_options){.models = "a", .set_rows = "odd"});
    one.name = "again";
    refuse(pool, &one, "only 276 of 552 rows are in use: derive without --set-rows");
}

TEST(derive__cancelled__leaves_nothing) {
    es_run run;
    es_derived made = {0};
    const es_derivation one = way(ES_DERIVE_WHITEN, 0), two = {.source = 0, .other = 1};
    es_pool *pool = open_pool();
    es_run_init(&run);
    es_run_cancel(&run);
    assert_int_equal(es_derived_make(pool, &one, &run, &made, NULL), ES_ECANCELED);
    assert_int_equal(es_derived_make(pool, &two, &run, &made, NULL), ES_ECANCELED);
    assert_null(made.name);
    test_drop(pool);
    pool = open_pool();
    assert_int_equal(es_pool_count(pool), 2);
}

TEST(derive__out_of_memory__leaves_nothing_or_all) {
    for (int both = 0; both < 2; both++) {
        es_pool *pool = open_pool();
        size_t before = es_pool_count(pool);
        es_derivation d = way(ES_DERIVE_PCA, 2);
        d.other = both ? es_pool_find(pool, "b") : SIZE_MAX;
        es_status st = ES_ENOMEM;
        for (long after = 0; st != ES_OK; after++) {
            es_derived made = {0};
            es_alloc_fail_after(after);
            st = es_derived_make(pool, &d, NULL, &made, NULL);
            es_alloc_fail_after(-1);
            assert_true(st == ES_OK || st == ES_ENOMEM);
            assert_int_equal(made.name != NULL, st == ES_OK);
            es_derived_deinit(&made);
        }
        test_drop(pool);
        pool = open_pool();
        assert_int_equal(es_pool_count(pool), before + 1);
        assert_int_equal(es_pool_usable(pool), before + 1);
        test_drop(pool);
    }
}

/* ---- what they were made from ---- */

/* Of a pair of sources either counts. */
TEST(derived__source_that_changed__leaves_it_out) {
    static const char *const files[] = {"a.npy", "b.npy"}, *const names[] = {"a", "b"};
    for (size_t i = 0; i < 2; i++) {
        char expected[120];
        es_pool *pool = open_pool();
        make_both(pool);
        test_drop(pool);
        support_write_random_npy(root, files[i], 7 + i, ROWS, 4 - i);
        pool = open_pool();
        const es_model *m = model(pool, "a+b");
        assert_int_equal(m->state, ES_MODEL_EXCLUDED);
        (void)snprintf(expected, sizeof expected, ": %s has changed since it was derived; run",
                       names[i]);
        assert_contains(m->reason, expected);
        assert_int_equal(es_pool_usable(pool), 2);
        make_both(pool); /* made again it is in the pool again */
        test_drop(pool);
        pool = open_pool();
        assert_int_equal(model(pool, "a+b")->state, ES_MODEL_READY);
        test_drop(pool);
    }
}

TEST(derived__source_that_is_gone__changes_nothing) {
    es_pool *pool = open_pool();
    make_both(pool);
    test_drop(pool);
    pool = open_with(&(es_pool_options){.exclude = "b"});
    assert_int_equal(model(pool, "a+b")->state, ES_MODEL_READY);
    test_drop(pool);
    pool = open_with(&(es_pool_options){.without_derived = true});
    assert_int_equal(es_pool_count(pool), 2);
    assert_int_equal(es_pool_derived_left_out(pool)->count, 1);
    assert_string_equal(es_pool_derived_left_out(pool)->word[0], "a+b");
}

/* ---- the list ---- */

TEST(list__entries__are_read_or_passed_over) {
    static const char *const bad[] = {
        "[]",
        "{\"file\": \"x.npy\", \"sources\": []}",
        "{\"name\": \"x\", \"sources\": []}",
        "{\"name\": \"x\", \"file\": \"x.npy\"}",
        "{\"name\": \"x\", \"file\": \"../x.npy\", \"sources\": []}",
        "{\"name\": \"x\", \"file\": \".x.npy\", \"sources\": []}",
        "{\"name\": \"x\", \"file\": \"\", \"sources\": []}",
        "{\"name\": \"x\", \"file\": \"x.npy\", \"model\": \"y/x\", \"sources\": []}",
        "{\"name\": \"x\", \"file\": \"x.npy\", \"sources\": [{\"digest\": \"0\"}]}",
        "{\"name\": \"x\", \"file\": \"x.npy\", \"sources\": [{\"name\": \"a\"}]}",
        "{\"name\": \"x\", \"file\": \"x\", \"sources\": [{\"name\": \"a\", \"digest\": \"no\"}]}"};
    char hex[ES_DIGEST_HEX], text[600];
    derived_list list = {0};
    const es_digest digest = {3, 4};
    assert_ok(derived_list_read(derived(""), &list, NULL)); /* no such folder */
    assert_int_equal(list.count, 0);
    (void)snprintf(text, sizeof text,
                   "{\"name\": \"n\", \"file\": \"z.npy\", \"model\": \"w.safetensors\", "
                   "\"family\": \"f\", \"notes\": \"o\", \"sources\": [{\"name\": \"a\", "
                   "\"digest\": \"%s\"}, {\"name\": \"b\", \"digest\": \"%s\"}]}",
                   es_digest_hex(digest, hex), hex);
    support_write_text(root, DERIVED "one.json", text);
    support_write_text(root, DERIVED "two.json",
                       "{\"name\": \"m\", \"file\": \"y.npy\", \"sources\": []}");
    support_write_text(root, DERIVED ".hidden.json", "{");
    support_write_text(root, DERIVED ".json", "{");
    support_write_text(root, DERIVED "other.jsonl", "{");
    assert_ok(derived_list_read(derived(""), &list, NULL));
    assert_null(list.problem);
    assert_int_equal(list.count, 2); /* by file */
    assert_string_equal(list.entry[0].name, "m");
    assert_string_equal(list.entry[0].side, "two.json");
    assert_null(list.entry[0].family);
    assert_null(list.entry[0].model);
    assert_int_equal(list.entry[0].n_sources, 0);
    const derived_entry *e = &list.entry[1];
    assert_string_equal(e->name, "n");
    assert_string_equal(e->file, "z.npy");
    assert_string_equal(e->model, "w.safetensors");
    assert_string_equal(e->family, "f");
    assert_string_equal(e->notes, "o");
    assert_int_equal(e->n_sources, 2);
    assert_string_equal(e->source[1].name, "b");
    assert_true(es_digest_equal(e->source[1].digest, digest));
    derived_list_deinit(&list);
    es_pool *pool = open_pool();
    assert_int_equal(es_pool_warnings(pool), 0);
    test_drop(pool);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        support_write_text(root, DERIVED "bad.json", bad[i]);
        assert_ok(derived_list_read(derived(""), &list, NULL));
        assert_int_equal(list.count, 2);
        assert_contains(list.problem, "bad.json");
        derived_list_deinit(&list);
    }
    pool = open_pool();
    assert_int_equal(es_pool_warnings(pool), 1);
    assert_contains(es_pool_warning(pool, 0), "a derived embedder is skipped: ");
    assert_contains(es_pool_warning(pool, 0), "bad.json");
    test_drop(pool);
    bool met = true;
    for (long after = 0; met; after++) {
        refuse_one(after);
        es_status st = derived_list_read(derived(""), &list, NULL);
        met = refuse_end();
        assert_true(st == ES_OK ? list.count == 2 : met && st == ES_ENOMEM);
        derived_list_deinit(&list);
    }
}

TEST_WITH(stem__any_name__is_a_plain_file_of_its_own, NULL, NULL) {
    static const char *const names[] = {".a", "_a", "a/b", "a_b", "a b", "\xC3\xA9", "a+b.c-d_E9"};
    char stem[7][ES_DERIVED_STEM], most[400], one[ES_DERIVED_STEM];
    for (size_t i = 0; i < 7; i++) {
        es_derived_stem(names[i], stem[i]);
        assert_true(stem[i][0] != '.' && !strchr(stem[i], '/') && !strchr(stem[i], ' '));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(stem[i], stem[k]);
    }
    assert_string_equal(stem[6], names[6]);
    assert_string_equal(stem[1], "_a");
    memset(most, 'x', sizeof most);
    most[ES_DERIVED_STEM - 24] = '\0';
    es_derived_stem(most, one);
    assert_string_equal(one, most);
    most[ES_DERIVED_STEM - 24] = 'x';
    most[ES_DERIVED_STEM - 23] = '\0';
    es_derived_stem(most, one);
    assert_int_equal(strlen(one), ES_DERIVED_STEM - 24 + 9); /* cut, with a digest */
}

/* ---- out of the pool and back ---- */

static void make_old(const char *name, time_t seconds) {
    char path[SUPPORT_PATH], below[120];
    (void)snprintf(below, sizeof below, DERIVED "%s", name);
    support_write_text(root, below, "x");
    const struct timeval then = {.tv_sec = time(NULL) - seconds};
    assert_int_equal(utimes(support_path(path, root, below), (struct timeval[]){then, then}), 0);
}

/* What a removal was killed in the middle of goes after a day; what is listed, ours or not, stays.
 */
TEST(folder__left_over__is_swept_after_a_day) {
    char *folder = NULL;
    support_write_text(root, DERIVED "n.json",
                       "{\"name\": \"n\", \"file\": \"listed.npy\", \"model\": "
                       "\"listed.safetensors\", \"sources\": []}");
    static const char *const stay[] = {"listed.npy", "listed.safetensors", "notes.txt", ".npy"};
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
        make_old(stay[i], 2 * DAY);
    const time_t edge = getenv("ES_SHIM") ? 6 * DAY : 300; /* the clock may jump (./dev steady) */
    make_old("young.npy", DAY - edge);
    make_old("old.npy", DAY + edge);
    make_old("old.safetensors", DAY + edge);
    support_write_text(root, DERIVED "odd.json", "{");
    es_pool *pool = open_pool();
    assert_ok(es_derived_folder(pool, &folder, NULL));
    es_free(folder);
    assert_true(is_there("old.npy")); /* odd.json may name it */
    assert_int_equal(remove(support_in(root, DERIVED "odd.json")), 0);
    assert_ok(es_derived_folder(pool, &folder, NULL));
    es_free(folder);
    assert_false(is_there("old.npy") || is_there("old.safetensors"));
    assert_true(is_there("young.npy"));
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
        assert_true(is_there(stay[i]));
}

TEST(folder__link__is_refused) {
    char path[SUPPORT_PATH], *folder = NULL;
    support_write_text(root, ".embedscope/x", "");
    assert_int_equal(symlink(data, support_path(path, root, ".embedscope/derived")), 0);
    es_pool *pool = open_pool();
    assert_error(es_derived_folder(pool, &folder, test_err()), ES_EIO, "is a symbolic link");
    assert_null(folder);
}

static uint64_t size_of(const char *name) {
    struct stat info;
    return stat(derived(name), &info) == 0 ? (uint64_t)info.st_size : 0;
}

static size_t count_files(void) {
    size_t count = 0;
    DIR *dir = opendir(derived(""));
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return count;
}

TEST(remove__for_good_or_aside__is_out_of_the_pool) {
    uint64_t freed = 0;
    make_named("n", ES_DERIVE_CENTRE);
    make_named("m", ES_DERIVE_NORMALISE);
    uint64_t size = size_of("n.npy") + size_of("n.json");
    es_pool *pool = open_pool();
    assert_error(es_derived_remove(pool, 0, NULL, &freed, test_err()), ES_EINVAL,
                 "a is not derived");
    assert_int_equal(es_derived_remove(pool, es_pool_count(pool), NULL, &freed, test_err()),
                     ES_EINVAL);
    assert_ok(es_derived_remove(pool, es_pool_find(pool, "n"), NULL, &freed, NULL));
    assert_int_equal(freed, size);
    assert_false(is_there("n.npy") || is_there("n.json"));
    assert_int_equal(count_files(), 2);
    assert_error(es_derived_remove(pool, es_pool_find(pool, "n"), NULL, &freed, test_err()),
                 ES_ENOTFOUND, "n.npy: is not listed any more");

    es_derived_aside aside = {0};
    size = size_of("m.npy") + size_of("m.json");
    assert_ok(es_derived_remove(pool, es_pool_find(pool, "m"), &aside, &freed, NULL));
    assert_int_equal(freed, size);
    assert_string_equal(aside.name, "m");
    assert_false(is_there("m.npy") || is_there("m.json"));
    assert_int_equal(count_files(), 2); /* aside */
    assert_ok(es_derived_restore(&aside, NULL));
    assert_int_equal(size_of("m.npy") + size_of("m.json"), size);
    assert_int_equal(count_files(), 2);
    es_derived_forget(&aside); /* nothing is aside any more */
    assert_int_equal(count_files(), 2);

    assert_ok(es_derived_remove(pool, es_pool_find(pool, "m"), &aside, &freed, NULL));
    support_write_text(root, DERIVED "m.npy", "of another");
    assert_error(es_derived_restore(&aside, test_err()), ES_EIO,
                 "m.npy: cannot bring back it: File exists");
    assert_false(is_there("m.json")); /* what is listed is there */
    es_derived_forget(&aside);
    assert_int_equal(count_files(), 1);
}

/* Weights go with the last that names them. */
TEST(remove__of_two_parts__leaves_shared_weights) {
    static const char *const parts[] = {"n.mu", "n.info"};
    uint64_t freed = 0;
    size_t at[2];
    for (size_t i = 0; i < 2; i++) {
        char name[40], text[200];
        (void)snprintf(name, sizeof name, DERIVED "%s.npy", parts[i]);
        support_write_random_npy(root, name, 5 + i, ROWS, 2);
        (void)snprintf(name, sizeof name, DERIVED "%s.json", parts[i]);
        (void)snprintf(text, sizeof text,
                       "{\"name\": \"%s\", \"file\": \"%s.npy\", \"model\": \"n.safetensors\", "
                       "\"sources\": []}",
                       parts[i], parts[i]);
        support_write_text(root, name, text);
    }
    support_write_text(root, DERIVED "n.safetensors", "weights");
    make_named("n.x", ES_DERIVE_CENTRE);
    es_pool *pool = open_pool();
    assert_int_equal(es_derived_named(pool, "n", at), 2);
    assert_int_equal(at[0], es_pool_find(pool, "n.mu"));
    assert_int_equal(at[1], es_pool_find(pool, "n.info"));
    assert_int_equal(es_derived_named(pool, "n.mu", at), 1);
    assert_int_equal(at[0], es_pool_find(pool, "n.mu"));
    assert_int_equal(es_derived_named(pool, "a", at), 0);
    assert_int_equal(es_derived_named(pool, "nobody", at), 0);
    assert_ok(es_derived_remove(pool, es_pool_find(pool, "n.mu"), NULL, &freed, NULL));
    assert_true(is_there("n.safetensors"));
    assert_ok(es_derived_remove(pool, es_pool_find(pool, "n.info"), NULL, &freed, NULL));
    assert_false(is_there("n.safetensors") || is_there("n.info.npy"));
    assert_true(is_there("n.x.npy"));
}

TEST(remove__out_of_memory__leaves_it_where_it_was) {
    make_named("n", ES_DERIVE_CENTRE);
    es_pool *pool = open_pool();
    es_derived_aside aside = {0};
    uint64_t freed = 0;
    es_status st = ES_ENOMEM;
    for (long after = 0; st != ES_OK; after++) {
        es_alloc_fail_after(after);
        st = es_derived_remove(pool, es_pool_find(pool, "n"), &aside, &freed, NULL);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK || st == ES_ENOMEM);
        if (st != ES_OK)
            assert_true(is_there("n.npy") && is_there("n.json"));
    }
    assert_false(is_there("n.npy"));
    assert_ok(es_derived_restore(&aside, NULL));
    es_derived_forget(&aside);
}

/* ---- edits of the explorer ---- */

static void add_removal(es_edits *edits, size_t number, const char *name) {
    es_pool *pool = open_pool();
    es_derived_aside aside = {0};
    uint64_t freed = 0;
    assert_ok(es_derived_remove(pool, es_pool_find(pool, name), &aside, &freed, NULL));
    assert_ok(es_edits_add(edits, number, name, &aside, NULL));
    assert_null(aside.name);
}

static es_status reach(es_edits *edits, size_t number) {
    es_pool *pool = open_pool();
    es_status st = es_edits_reach(edits, pool, number, NULL);
    test_drop(pool);
    return st;
}

/* Numbers 0 to 4 were those of earlier sessions. */
TEST(edits__back_and_forth__come_and_go) {
    es_edits edits = {0};
    make_named("n", ES_DERIVE_CENTRE);
    assert_ok(es_edits_add(&edits, 4, "n", NULL, NULL)); /* 5: made */
    make_named("m", ES_DERIVE_NORMALISE);
    assert_ok(es_edits_add(&edits, 5, "m", NULL, NULL)); /* 6: made */
    add_removal(&edits, 6, "n");                         /* 7: removed */
    assert_true(!is_there("n.npy") && is_there("m.npy"));
    assert_ok(reach(&edits, 6));
    assert_true(is_there("n.npy") && is_there("m.npy"));
    assert_ok(reach(&edits, 5));
    assert_true(is_there("n.npy") && !is_there("m.npy"));
    assert_ok(reach(&edits, 4));
    assert_true(!is_there("n.npy") && !is_there("m.npy"));
    assert_ok(reach(&edits, 1)); /* of earlier sessions nothing is known */
    assert_int_equal(edits.at, 0);
    assert_ok(reach(&edits, 6));
    assert_true(is_there("n.json") && is_there("m.json"));
    assert_ok(reach(&edits, 7));
    assert_true(!is_there("n.npy") && is_there("m.npy"));
    assert_ok(reach(&edits, 9)); /* there are no more */
    assert_int_equal(edits.at, 3);
    assert_ok(reach(&edits, 6));
    add_removal(&edits, 6, "m"); /* what was undone is forgotten */
    assert_int_equal(edits.count, 3);
    assert_ok(reach(&edits, 6));
    assert_true(is_there("n.npy") && is_there("m.npy"));
    assert_ok(reach(&edits, 7));
    assert_true(is_there("n.npy") && !is_there("m.npy"));
    assert_int_equal(count_files(), 4); /* two of them aside */
    es_edits_deinit(&edits);
    assert_int_equal(count_files(), 2);
}

TEST(edits__gone_meanwhile__stay_where_they_are) {
    es_edits edits = {0};
    uint64_t freed = 0;
    make_named("n", ES_DERIVE_CENTRE);
    assert_ok(es_edits_add(&edits, 0, "n", NULL, NULL));
    es_pool *pool = open_pool();
    assert_ok(es_derived_remove(pool, es_pool_find(pool, "n"), NULL, &freed, NULL));
    test_drop(pool);
    assert_int_equal(reach(&edits, 0), ES_ENOTFOUND);
    assert_int_equal(edits.at, 1);
    es_edits_deinit(&edits);
}

TEST(edits__out_of_memory__forget_what_is_aside) {
    es_status st = ES_ENOMEM;
    for (long after = 0; st != ES_OK; after++) {
        es_edits edits = {0};
        es_derived_aside aside = {0};
        uint64_t freed = 0;
        make_named("n", ES_DERIVE_CENTRE);
        es_pool *pool = open_pool();
        assert_ok(es_derived_remove(pool, es_pool_find(pool, "n"), &aside, &freed, NULL));
        es_alloc_fail_after(after);
        st = es_edits_add(&edits, 0, "n", &aside, NULL);
        es_alloc_fail_after(-1);
        assert_null(aside.name);
        assert_int_equal(edits.count, st == ES_OK ? 1 : 0);
        assert_int_equal(count_files(), st == ES_OK ? 2 : 0);
        es_edits_deinit(&edits);
        assert_int_equal(count_files(), 0);
        test_drop(pool);
    }
}
