/* What a session makes of a measure: the values that it has by itself, each computed once, in both
 * directions where it knows none, kept with what it took; and what is said of them. The measures
 * here count how often they are called. */
#include "support.h"

#include <poll.h>
#include <stdatomic.h>
#include <time.h>

#include "engine_session.h"
#include "keeping.h"

enum { MODELS = 5, ROWS = 90, WAIT_SECONDS = 200 };

static char folder[SUPPORT_PATH];

static struct {
    atomic_uint embedders, pools, sides, pairs, held; /* held: pools and sides that are not freed */
    atomic_bool fails;                                /* of the matrix of 5 columns */
    atomic_uint may;                                  /* so many go on, above 0; the others wait */
} called;

static int make_pool(void **state) {
    memset(&called, 0, sizeof called);
    support_temp_dir(folder);
    setenv("XDG_DATA_HOME", folder, 1);
    for (uint64_t i = 0; i < MODELS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "pool/m%d.npy", (int)i);
        support_write_random_npy(folder, name, 7 + i, ROWS, 4 + i);
    }
    support_write_text(folder, "pool/pairs.csv", "a,b\n0,1\n2,3\n4,5\n6,7\n");
    support_write_text(folder, "pool/pairs_graded.csv", "a,b,score\n0,1,2\n2,3,1\n4,5,3\n");
    support_write_text(folder, "pool/qrels.csv",
                       "query,doc,rel\n0,1,1\n0,2,1\n0,3,0\n0,4,0\n5,6,1\n5,7,2\n5,1,0\n5,2,0\n");
    char labels[40 * ROWS];
    size_t length = (size_t)snprintf(labels, sizeof labels, "row,kind,weight\n");
    for (int i = 0; i < ROWS; i++) /* the last five have none */
        length += (size_t)snprintf(labels + length, sizeof labels - length, "%d,%s,%s%d\n", i,
                                   i >= ROWS - 5 ? ""
                                   : i % 3       ? "a"
                                                 : "b",
                                   i >= ROWS - 5 ? "0." : "1.", i);
    support_write_text(folder, "pool/labels.csv", labels);
    return 0;
}

TEST_EACH(make_pool, NULL);

static es_session *open_pool(bool read_only, unsigned threads) {
    const es_session_options options = {.threads = threads, .read_only = read_only};
    es_session *s = NULL;
    assert_ok(es_session_open(support_in(folder, "pool"), &options, &s, test_err()));
    return keep_session(s);
}

static void settle(es_session *s) {
    double until = es_clock_now() + WAIT_SECONDS;
    es_measure_progress p;
    for (;;) {
        es_session_pump(s, 0);
        es_session_measure_progress(s, &p);
        if (!p.running && es_session_phase(s) != ES_PHASE_CHECKING)
            return;
        await_message(s, until);
    }
}

static size_t ask(es_session *s, const es_measure *measure) {
    size_t first = SIZE_MAX, count = 0;
    if (es_session_measure(s, measure, NULL, false, &first, &count, test_err()) != ES_OK)
        fail_msg("%s: %s", measure->name, test_message());
    return first;
}

static const es_measured *compute(es_session *s, const es_measure *measure) {
    size_t entry = ask(s, measure);
    assert_ok(es_session_measure_start(s, entry, NULL));
    settle(s);
    return es_session_measured(s, entry);
}

/* ---- measures that count ---- */

static const es_measure_field fields[] = {{.name = "columns"}, {.name = "first"}};

static es_status give(const es_matrix *m, double times, es_measure_value *out, es_error *err) {
    if (m->d == 5 && atomic_load(&called.fails))
        return es_fail(err, ES_EINVAL, "five columns are odd");
    out[0] = (es_measure_value){times * (double)m->d, NAN, NAN, NULL, NULL};
    out[1] = (es_measure_value){m->x[0], m->x[0] - 1, m->x[0] + 1, NULL, NULL};
    return ES_OK;
}

static es_status count_embedder(const es_matrix *m, const es_measure_data *data,
                                const double *values, const es_run *run, es_measure_value *out,
                                es_error *err) {
    (void)data;
    (void)values;
    (void)run;
    atomic_fetch_add(&called.embedders, 1);
    return give(m, 1, out, err);
}

static es_status count_pool(const es_embedders *all, const es_measure_data *data,
                            const double *values, const es_run *run, void **out, es_error *err) {
    (void)data;
    (void)values;
    (void)run;
    size_t *columns = es_alloc_zero(1, sizeof *columns);
    assert_non_null(columns);
    for (size_t i = 0; i < all->count; i++) {
        es_matrix m = {0};
        es_status st = all->read(all->context, i, &m, err);
        if (st != ES_OK)
            return st;
        *columns += m.d;
        es_matrix_free(&m);
    }
    atomic_fetch_add(&called.pools, 1);
    atomic_fetch_add(&called.held, 1);
    *out = columns;
    return ES_OK;
}

static es_status count_among(const void *pool, const es_matrix *m, const es_run *run,
                             es_measure_value *out, es_error *err) {
    (void)run;
    unsigned before = atomic_fetch_add(&called.embedders, 1);
    while (atomic_load(&called.may) > 0 && before >= atomic_load(&called.may))
        (void)poll(NULL, 0, 1);
    return give(m, (double)*(const size_t *)pool, out, err);
}

static es_status count_side(const es_matrix *m, const es_measure_data *data, const double *values,
                            const es_run *run, void **out, es_error *err) {
    (void)data;
    (void)values;
    (void)run;
    (void)err;
    size_t *side = es_alloc(1, sizeof *side);
    assert_non_null(side);
    *side = m->d;
    atomic_fetch_add(&called.sides, 1);
    atomic_fetch_add(&called.held, 1);
    *out = side;
    return ES_OK;
}

static void release(void *made) {
    atomic_fetch_sub(&called.held, made ? 1 : 0);
    es_free(made);
}

static size_t bytes_of(const void *made) {
    (void)made;
    return sizeof(size_t);
}

/* 10 a + b, and a alone. */
static es_status count_pair(const void *a, const void *b, const es_run *run, es_measure_value *out,
                            es_error *err) {
    double x = (double)*(const size_t *)a, y = (double)*(const size_t *)b;
    (void)run;
    atomic_fetch_add(&called.pairs, 1);
    if (x == 5 && y == 7 && atomic_load(&called.fails))
        return es_fail(err, ES_EINVAL, "5 and 7 do not go together");
    out[0] = (es_measure_value){10 * x + y, NAN, NAN, NULL, NULL};
    out[1] = (es_measure_value){x, NAN, NAN, NULL, NULL};
    return ES_OK;
}

#define COMMON .title = "", .caveat = "", .version = 1, .fields = fields, .n_fields = 2
static const es_measure alone = {.name = "t-alone", COMMON, .embedder = count_embedder},
                        among = {.name = "t-among",
                                 COMMON,
                                 .pool_new = count_pool,
                                 .pool_free = release,
                                 .pool_bytes = bytes_of,
                                 .among = count_among},
                        directed = {.name = "t-directed",
                                    COMMON,
                                    .side_new = count_side,
                                    .side_free = release,
                                    .side_bytes = bytes_of,
                                    .pair = count_pair},
                        symmetric = {.name = "t-symmetric",
                                     COMMON,
                                     .symmetric = true,
                                     .side_new = count_side,
                                     .side_free = release,
                                     .side_bytes = bytes_of,
                                     .pair = count_pair};

static void assert_columns(const es_measured *r, double times) {
    assert_int_equal(r->width, 2);
    for (size_t i = 0; i < MODELS; i++) {
        assert_true(r->value[2 * i].value == times * (double)(4 + i));
        assert_true(r->value[2 * i + 1].high == r->value[2 * i + 1].value + 1);
    }
}

TEST(measured__one_embedder__is_computed_once_and_again_where_it_failed) {
    es_session *s = open_pool(false, 1);
    settle(s);
    atomic_store(&called.fails, true);
    const es_measured *r = compute(s, &alone);
    es_measure_progress p;
    assert_int_equal(r->done, MODELS - 1);
    assert_int_equal(r->failed, 1);
    assert_int_equal(r->state[1], ES_PAIR_FAILED);
    assert_string_equal(r->reason[1], "five columns are odd");
    assert_string_equal(r->value[2].why, "not computed yet");
    for (size_t i = 0; i < MODELS; i++)
        assert_int_equal(r->reason[i] != NULL, i == 1);
    assert_int_equal(atomic_load(&called.embedders), MODELS);
    es_session_measure_progress(s, &p);
    assert_true(p.total == MODELS && p.done == MODELS - 1 && p.failed == 1 && !p.running);
    (void)compute(s, &alone); /* of those that are known nothing is computed again */
    assert_int_equal(atomic_load(&called.embedders), MODELS + 1);
    assert_int_equal(r->failed, 1);
    assert_true(es_session_measure_memory(s) > 0);
    atomic_store(&called.fails, false);
    uint64_t revision = r->revision;
    (void)compute(s, &alone);
    assert_true(r->revision > revision);
    assert_int_equal(atomic_load(&called.embedders), MODELS + 2);
    assert_int_equal(r->done, MODELS);
    assert_int_equal(r->failed, 0);
    assert_null(r->reason[1]);
    assert_columns(r, 1);
    assert_true(es_session_measure_memory(s) == 0); /* nothing is left */
    (void)compute(s, &alone);
    assert_int_equal(atomic_load(&called.embedders), MODELS + 2);
}

TEST(measured__one_among_all__shares_what_belongs_to_the_pool) {
    es_session *s = open_pool(false, 2);
    settle(s);
    atomic_store(&called.fails, true);
    const es_measured *r = compute(s, &among);
    assert_int_equal(r->done, MODELS - 1);
    assert_int_equal(atomic_load(&called.embedders), MODELS);
    assert_int_equal(atomic_load(&called.pools), 1);
    assert_int_equal(atomic_load(&called.held), 0); /* let go with the last */
    atomic_store(&called.fails, false);
    (void)compute(s, &among);
    assert_int_equal(r->done, MODELS);
    assert_columns(r, 4 + 5 + 6 + 7 + 8);
    assert_int_equal(atomic_load(&called.embedders), MODELS + 1);
    assert_int_equal(atomic_load(&called.pools), 2);
    assert_int_equal(atomic_load(&called.held), 0);
}

/* One after the other ends, and what they share stays until the last has. */
TEST(measured__one_among_all__leaves_it_to_the_next) {
    es_session *s = open_pool(false, 1);
    settle(s);
    size_t entry = ask(s, &among);
    const es_measured *r = es_session_measured(s, entry);
    atomic_store(&called.may, 1);
    assert_ok(es_session_measure_start(s, entry, NULL));
    for (double until = es_clock_now() + WAIT_SECONDS; r->done < MODELS;) {
        await_message(s, until);
        assert_int_equal(atomic_load(&called.held), r->done < MODELS && r->done > 0 ? 1 : 0);
        atomic_store(&called.may, (unsigned)r->done + 1);
    }
    assert_int_equal(atomic_load(&called.pools), 1);
}

TEST(measured__one_pair__is_computed_once) {
    es_session *s = open_pool(false, 2);
    settle(s);
    const es_measured *r = compute(s, &directed);
    assert_int_equal(r->width, MODELS);
    assert_int_equal(r->done, MODELS * MODELS);
    assert_int_equal(atomic_load(&called.pairs), MODELS * MODELS);
    assert_int_equal(atomic_load(&called.sides), MODELS);
    assert_int_equal(atomic_load(&called.held), 0);
    for (size_t i = 0; i < MODELS; i++)
        for (size_t j = 0; j < MODELS; j++) {
            assert_true(es_measured_matrix(r, 0)[i * MODELS + j].value ==
                        (double)(10 * (4 + i) + 4 + j));
            assert_true(es_measured_matrix(r, 1)[i * MODELS + j].value == (double)(4 + i));
        }
}

TEST(measured__pair_without_direction__is_that_of_the_other) {
    enum { EACH = MODELS * (MODELS + 1) / 2, A = 1 * MODELS + 3, B = 3 * MODELS + 1 };
    es_session *s = open_pool(false, 1);
    settle(s);
    atomic_store(&called.fails, true);
    const es_measured *r = compute(s, &symmetric);
    assert_int_equal(atomic_load(&called.pairs), EACH);
    assert_int_equal(r->done, MODELS * MODELS - 2);
    assert_int_equal(r->failed, 2);
    for (size_t i = 0; i < MODELS * MODELS; i++) {
        assert_int_equal(r->state[i], i == A || i == B ? ES_PAIR_FAILED : ES_PAIR_DONE);
        assert_int_equal(r->reason[i] != NULL, i == A || i == B);
    }
    assert_string_equal(r->reason[B], "5 and 7 do not go together");
    atomic_store(&called.fails, false);
    (void)compute(s, &symmetric);
    assert_int_equal(atomic_load(&called.pairs), EACH + 1);
    assert_int_equal(r->done, MODELS * MODELS);
    assert_int_equal(r->failed, 0);
    assert_true(r->reason[A] == NULL && r->reason[B] == NULL);
    for (size_t i = 0; i < MODELS; i++)
        for (size_t j = 0; j < MODELS; j++) {
            size_t low = i < j ? i : j, high = i < j ? j : i;
            assert_true(r->value[i * MODELS + j].value == (double)(10 * (4 + low) + 4 + high));
            assert_true(r->value[MODELS * MODELS + i * MODELS + j].value == (double)(4 + low));
        }
}

/* Seconds are those of each pair once, there as here, and all of them a processor's. */
TEST(measured__stored__is_known_to_the_next_session) {
    double sum = 0;
    clock_t begun = clock();
    static const es_measure *const all[] = {&alone, &among, &directed, &symmetric};
    es_session *s = open_pool(false, 1);
    settle(s);
    const es_measured *was[4];
    for (size_t k = 0; k < 4; k++)
        sum += es_measured_seconds(compute(s, all[k]));
    assert_true(sum > 0 && sum <= (double)(clock() - begun) / CLOCKS_PER_SEC + 1e-5);
    es_session *again = open_pool(true, 1);
    settle(again);
    unsigned embedders = atomic_load(&called.embedders), pairs = atomic_load(&called.pairs);
    for (size_t k = 0; k < 4; k++) {
        was[k] = es_session_measured(s, k);
        const es_measured *is = compute(again, all[k]);
        assert_int_equal(was[k]->reused, 0);
        assert_int_equal(is->reused, is->of);
        assert_int_equal(is->done, is->of);
        assert_int_equal(is->failed, 0);
        for (size_t i = 0; i < is->of * 2; i++)
            assert_memory_equal(&is->value[i].value, &was[k]->value[i].value, 3 * sizeof(double));
        assert_true(es_measured_seconds(was[k]) > 0);
        assert_true(es_measured_seconds(is) == es_measured_seconds(was[k]));
    }
    assert_int_equal(atomic_load(&called.embedders), embedders);
    assert_int_equal(atomic_load(&called.pairs), pairs);
    test_drop(again);
    static es_measure newer; /* whose values are others; the session goes after the test */
    newer = symmetric;
    newer.version++;
    again = open_pool(true, 1);
    settle(again);
    const es_measured *r = es_session_measured(again, ask(again, &newer));
    assert_int_equal(r->reused, 0);
    assert_int_equal(r->done, 0);
}

/* What another process measured, by the names that bring its values back. */
TEST(measured__stored__is_listed_with_its_settings) {
    static const char *const few[] = {"k=5", NULL};
    const struct {
        const char *measure;
        const char *const *settings;
    } asked[] = {{"effective-rank", NULL}, {"knn-overlap", few}, {"consensus", NULL}};
    static const char *const listed[] = {"consensus", "effective-rank", "knn-overlap[k=5]"};
    size_t first = 0, count = 0;
    es_words names = {0};
    es_session *s = open_pool(false, 1);
    settle(s);
    assert_ok(es_session_measures_stored(s, &names, NULL));
    assert_int_equal(names.count, 0);
    for (size_t k = 0; k < 3; k++) {
        assert_ok(es_session_measure(s, es_measure_find(asked[k].measure), asked[k].settings, false,
                                     &first, &count, NULL));
        assert_ok(es_session_measure_start(s, first, NULL));
        settle(s);
    }
    es_session *again = open_pool(true, 1);
    settle(again);
    assert_ok(es_session_measures_stored(again, &names, NULL));
    assert_int_equal(names.count, 3);
    for (size_t k = 0; k < 3; k++)
        assert_string_equal(names.word[k], listed[k]);
    es_words_deinit(&names);
}

static void assert_value(const es_measured *r, size_t at, const es_measure_value *expected) {
    const es_measure_value *v = &r->value[at];
    if (memcmp(&v->value, &expected->value, 3 * sizeof(double)) != 0)
        fail_msg("%s: %g, alone %g", r->name, v->value, expected->value);
    assert_true((v->why == NULL) == (expected->why == NULL));
    if (v->why)
        assert_string_equal(v->why, expected->why);
    assert_true((v->warning == NULL) == (expected->warning == NULL));
    if (v->warning)
        assert_string_equal(v->warning, expected->warning);
}

/* Pumps until a look has ended. */
static es_status looked(es_session *s, es_words *names) {
    double until = es_clock_now() + WAIT_SECONDS;
    es_status st = ES_EBUSY;
    while ((st = es_session_measures_looked(s, names, NULL)) == ES_EBUSY) {
        await_message(s, until);
    }
    return st;
}

/* What another session stores is noticed, and its values come: of an entry that was asked for, of
 * embedders and of pairs, with the texts beside them; computed ones stay. */
TEST(measured__elsewhere__comes_while_the_session_is_open) {
    es_words names = {0};
    const es_session_options follows = {.threads = 1, .with_shards = true};
    es_session *s = NULL, *other = open_pool(false, 1);
    assert_ok(es_session_open(support_in(folder, "pool"), &follows, &s, NULL));
    settle(s);
    settle(other);
    const es_measure *measures[] = {es_measure_find("effective-rank"),
                                    es_measure_find("knn-overlap"), &alone};
    size_t entry[3];
    for (size_t k = 0; k < 3; k++)
        entry[k] = ask(s, measures[k]);
    const es_measured *mine = compute(s, &alone);
    uint64_t elsewhere = es_session_elsewhere(s), revision = es_session_measures_revision(s);
    assert_int_equal(es_session_measures_looked(s, &names, NULL), ES_ENOTFOUND); /* nobody asked */
    for (size_t k = 0; k < 2; k++)
        (void)compute(other, measures[k]);
    double until = es_clock_now() + WAIT_SECONDS;
    while (es_session_elsewhere(s) == elsewhere) {
        await_message(s, until);
    }
    assert_int_equal(es_session_measured(s, entry[0])->done, 0); /* not before a look */
    assert_ok(es_session_measures_look(s, NULL));
    assert_int_equal(es_session_measures_look(s, NULL), ES_EBUSY);
    assert_ok(looked(s, &names));
    for (size_t k = 0; k < 2; k++) {
        const es_measured *r = es_session_measured(s, entry[k]),
                          *theirs = es_session_measured(other, ask(other, measures[k]));
        assert_int_equal(r->done, r->of);
        assert_int_equal(r->reused, r->of);
        assert_true(r->nanoseconds == theirs->nanoseconds);
        for (size_t i = 0; i < r->m * r->width; i++)
            assert_value(r, i, &theirs->value[i]);
    }
    assert_int_equal(mine->reused, 0);
    assert_true(es_session_measures_revision(s) > revision);
    assert_true(names.count >= 2);
    es_words_deinit(&names);
}

/* ---- the measures that there are ---- */

static es_status read_one(void *context, size_t model, es_matrix *out, es_error *err) {
    return es_session_matrix(context, model, out, err);
}

static void assert_each_embedder(es_session *s, size_t entry) {
    const es_measured *r = es_session_measured(s, entry);
    const es_measure *m = r->measure;
    const es_embedders all = {MODELS, s, read_one};
    es_measure_data data;
    const double *values = NULL;
    void *pool = NULL;
    es_session_measure_inputs(s, entry, &data, &values);
    if (m->among)
        assert_ok(m->pool_new(&all, &data, values, NULL, &pool, NULL));
    for (size_t i = 0; i < MODELS; i++) {
        es_measure_value out[ES_MEASURE_FIELDS];
        es_matrix x = {0};
        es_status st;
        assert_ok(es_session_matrix(s, i, &x, NULL));
        es_measure_undefined(m, out);
        st = m->among ? m->among(pool, &x, NULL, out, NULL)
                      : es_measure_embedder(m, &x, &data, values, NULL, out, NULL);
        assert_int_equal(r->state[i], st == ES_OK ? ES_PAIR_DONE : ES_PAIR_FAILED);
        for (size_t f = 0; f < m->n_fields && st == ES_OK; f++)
            assert_value(r, i * m->n_fields + f, &out[f]);
        es_matrix_free(&x);
    }
    if (pool)
        m->pool_free(pool);
}

static void assert_each_pair(es_session *s, size_t entry) {
    const es_measured *r = es_session_measured(s, entry);
    const es_measure *m = r->measure;
    es_measure_data data;
    const double *values = NULL;
    void *side[MODELS] = {NULL};
    es_session_measure_inputs(s, entry, &data, &values);
    for (size_t i = 0; i < MODELS; i++) {
        es_matrix x = {0};
        assert_ok(es_session_matrix(s, i, &x, NULL));
        assert_ok(es_measure_side(m, &x, &data, values, NULL, &side[i], NULL));
        es_matrix_free(&x);
    }
    for (size_t i = 0; i < MODELS; i++)
        for (size_t j = r->symmetric ? i : 0; j < MODELS; j++) {
            es_measure_value out[ES_MEASURE_FIELDS] = {{0}};
            es_status st = m->pair(side[i], side[j], NULL, out, NULL);
            assert_int_equal(r->state[i * MODELS + j], st == ES_OK ? ES_PAIR_DONE : ES_PAIR_FAILED);
            for (size_t f = 0; f < m->n_fields && st == ES_OK; f++) {
                assert_value(r, f * MODELS * MODELS + i * MODELS + j, &out[f]);
                if (r->symmetric)
                    assert_value(r, f * MODELS * MODELS + j * MODELS + i, &out[f]);
            }
        }
    for (size_t i = 0; i < MODELS; i++)
        m->side_free(side[i]);
}

TEST(measured__every_measure__is_what_it_is_alone) {
    es_session *s = open_pool(false, 2);
    settle(s);
    for (const es_measure *const *m = es_measures; *m; m++)
        for (size_t first = ask(s, *m), k = first; k < es_session_measured_count(s); k++)
            assert_ok(es_session_measure_start(s, k, NULL));
    settle(s);
    for (size_t i = 0; i < es_session_measured_count(s); i++) {
        const es_measured *r = es_session_measured(s, i);
        if (r->measure->pair)
            assert_each_pair(s, i);
        else
            assert_each_embedder(s, i);
    }
}

/* ---- names, notes and words ---- */

TEST(measured__columns_of_labels__are_entries_of_their_own) {
    static const char *const other[] = {"labels=classes", NULL};
    const es_measure *m = es_measure_find("smoothness");
    size_t first = SIZE_MAX, count = 0;
    es_session *s = open_pool(true, 1);
    settle(s);
    assert_null(es_session_annotations(s));
    assert_ok(es_session_measure(s, m, NULL, false, &first, &count, NULL));
    assert_int_equal(count, 2);
    const es_measured *kind = es_session_measured(s, first),
                      *weight = es_session_measured(s, first + 1);
    assert_string_equal(kind->name, "smoothness:kind");
    assert_string_equal(kind->task, "kind");
    assert_string_equal(weight->name, "smoothness:weight");
    const es_annotations *read = es_session_annotations(s);
    size_t notes = es_annotations_notes(read);
    assert_int_equal(notes, 1);
    assert_string_equal(es_annotations_note(read, 0),
                        "labels.csv: kind: 85 of 90 rows have a label; the others are left out");
    assert_ok(es_session_measure(s, m, NULL, false, &first, &count, NULL));
    assert_int_equal(es_session_measured_count(s), 2);
    assert_ptr_equal(es_session_annotations(s), read);
    assert_int_equal(es_annotations_notes(read), notes); /* the file is read once */
    assert_ok(es_session_measure_as(s, m, other, false, "classes", &first, &count, NULL));
    assert_int_equal(first, 2);
    assert_ptr_not_equal(es_session_annotations(s), read);
    assert_string_equal(es_session_measured(s, 3)->name, "smoothness:weight[classes]");
    assert_string_equal(es_session_measured(s, 3)->field[0], "smoothness:weight[classes]");
}

TEST(measured__bad_file__is_said_each_time) {
    es_session *s = open_pool(true, 1);
    settle(s);
    support_write_text(folder, "pool/labels.csv", "row,l\n0,a\n0,b\n");
    for (int time = 0; time < 2; time++) {
        size_t first = 7, count = 7;
        assert_error(es_session_measure(s, es_measure_find("probe"), NULL, false, &first, &count,
                                        test_err()),
                     ES_EFORMAT, "labels.csv: line 3");
        assert_int_equal(count, 7);
    }
}

/* A result as a session has it: m embedders, everything known and of no remark. */
typedef struct made {
    es_measured r;
    es_measure_value value[2 * 9];
    uint8_t state[9];
} made;

static void make(made *x, const es_measure *measure, const double *values) {
    bool pair = measure->pair != NULL;
    *x = (made){.r = {.measure = measure,
                      .m = 3,
                      .symmetric = measure->symmetric,
                      .width = pair ? 3 : measure->n_fields,
                      .of = pair ? 9 : 3,
                      .value = x->value,
                      .state = x->state}};
    for (size_t i = 0; i < 2 * x->r.of; i++)
        x->value[i].value = values[i];
    memset(x->state, ES_PAIR_DONE, sizeof x->state);
}

/* What is known stays; of a measure with a direction the way back is another pair. */
TEST_WITH(put_and_fail__count__what_is_known, NULL, NULL) {
    const es_measure_value seven[2] = {{.value = 7}, {.value = 7}}; /* a field each */
    static const double none[18] = {0};
    for (int both = 0; both < 2; both++) {
        es_measure m = directed;
        char *reason[9] = {0};
        made x;
        m.symmetric = both > 0;
        make(&x, &m, none);
        memset(x.state, 0, sizeof x.state);
        x.r.reason = reason;
        es_measured_fail(&x.r, 0, 1, "why");
        assert_int_equal(x.r.failed, 1 + both);
        assert_string_equal(reason[1], "why");
        assert_true((reason[3] != NULL) == both && x.r.done == 0);
        es_measured_fail(&x.r, 0, 1, "why not");
        assert_int_equal(x.r.failed, 1 + both);
        es_measured_put(&x.r, 0, 1, seven);
        assert_true(x.r.failed == 0 && x.r.done == 1 + (size_t)both && reason[1] == NULL);
        assert_true(x.value[1].value == 7 && (x.value[3].value == 7) == both);
        uint64_t revision = x.r.revision;
        es_measured_fail(&x.r, 0, 1, "late");
        assert_true(x.r.failed == 0 && x.state[1] == ES_PAIR_DONE && reason[1] == NULL);
        assert_int_equal(x.r.revision, revision);
        es_measured_put(&x.r, 2, 2, seven);
        assert_int_equal(x.r.done, 2 + both);
    }
}

/* Whatever the order in which workers deliver it: documents are the same to the last digit. */
TEST_WITH(seconds__any_order__add_up_to_the_same, NULL, NULL) {
    static const double took[] = {0.1, 0.2, 0.3};
    es_measured up = {0}, down = {0};
    double plainly[2] = {0, 0};
    for (size_t i = 0; i < 3; i++) {
        es_measured_took(&up, took[i]);
        es_measured_took(&down, took[2 - i]);
        plainly[0] += took[i];
        plainly[1] += took[2 - i];
    }
    assert_true(plainly[0] != plainly[1]);
    assert_true(es_measured_seconds(&up) == es_measured_seconds(&down));
    assert_true(es_measured_seconds(&up) == 0.6);
    es_measured_took(&up, NAN);
    assert_true(isnan(es_measured_seconds(&up)));
}

TEST_WITH(column__of_pairs__is_the_median_without_itself, NULL, NULL) {
    static const es_measure_field lower[] = {{.name = "a"}, {.name = "b", .lower_is_better = true}};
    static const double values[] = {90, 1,  5,   3,   90,  NAN, NAN, INFINITY, 90,
                                    90, 10, 500, 300, 900, 80,  7,   8,        90};
    es_measure m = directed;
    made x;
    double out[3];
    m.fields = lower;
    make(&x, &m, values);
    assert_ok(es_measured_column(&x.r, 0, out, NULL));
    assert_true(out[0] == 3 && out[1] == 3 && isnan(out[2]));
    assert_ok(es_measured_column(&x.r, 1, out, NULL));
    assert_true(out[0] == -255 && out[1] == -190 && out[2] == -7.5);
}

TEST_WITH(column__of_embedders__is_what_is_known, NULL, NULL) {
    static const es_measure_field lower[] = {{.name = "a"}, {.name = "b", .lower_is_better = true}};
    static const double values[] = {1, 2, 3, 4, 5, 6};
    es_measure m = alone;
    made x;
    double out[3];
    m.fields = lower;
    make(&x, &m, values);
    x.state[1] = ES_PAIR_FAILED;
    assert_ok(es_measured_column(&x.r, 0, out, NULL));
    assert_true(out[0] == 1 && isnan(out[1]) && out[2] == 5);
    assert_ok(es_measured_column(&x.r, 1, out, NULL));
    assert_true(out[0] == -2 && isnan(out[1]) && out[2] == -6);
}

static void expect_remark(const made *x, const char *expected) {
    char out[ES_MEASURED_REMARK] = "";
    assert_int_equal(es_measured_remark(&x->r, out, sizeof out), expected != NULL);
    if (expected)
        assert_string_equal(out, expected);
}

TEST_WITH(remark__most_frequent_warning__is_counted_once_a_pair, NULL, NULL) {
    static const double zeros[2 * 9] = {0};
    made x;
    make(&x, &directed, zeros);
    expect_remark(&x, NULL);
    x.value[0].warning = "of itself";
    x.value[9 + 1].warning = "of another field";
    expect_remark(&x, NULL);
    x.value[1].warning = "rare";
    expect_remark(&x, "rare (1 of 6 pairs)");
    x.value[3].warning = x.value[7].warning = "frequent";
    expect_remark(&x, "frequent (2 of 6 pairs)");
    x.value[5].warning = "rare"; /* as often: the first */
    x.value[2].warning = "third";
    expect_remark(&x, "rare (2 of 6 pairs)");
    x.state[1] = ES_PAIR_FAILED;
    x.value[2].value = NAN;
    expect_remark(&x, "frequent (2 of 4 pairs)");
    x.r.symmetric = true; /* 3 and 7 stand below: they are 1 and 5 */
    expect_remark(&x, "rare (1 of 1 pairs)");

    make(&x, &alone, zeros);
    x.value[1].warning = "of another field";
    expect_remark(&x, NULL);
    x.value[0].warning = x.value[4].warning = "high";
    expect_remark(&x, "high (2 of 3 embedders)");
    x.state[0] = ES_PAIR_PENDING;
    expect_remark(&x, "high (1 of 2 embedders)");
}

/* What values depend on is written down whole: one setting, too, decides what is stored. */
TEST_WITH(settings__text__has_every_setting, NULL, NULL) {
    size_t with_one = 0;
    for (const es_measure *const *m = es_measures; *m; m++) {
        double own[32], data[32], other[32];
        const es_digest digest = {1, 2};
        char *text = NULL, *changed = NULL;
        assert_true((*m)->n_settings < 32 && ES_ANNOTATIONS_SETTINGS < 32);
        assert_ok(es_measure_settings(*m, NULL, false, own, data, NULL));
        assert_ok(es_measure_settings_text(*m, own, data, digest, digest, &text, NULL));
        for (size_t i = 0; i < (*m)->n_settings; i++) {
            const es_setting *setting = &(*m)->settings[i];
            assert_contains(text, setting->key);
            memcpy(other, own, sizeof own);
            if (setting->choices)
                other[i] = own[i] == 0;
            else
                other[i] = own[i] == setting->high ? setting->low : setting->high;
            assert_ok(es_measure_settings_text(*m, other, data, digest, digest, &changed, NULL));
            assert_string_not_equal(text, changed);
            es_free(changed);
        }
        with_one += (*m)->n_settings == 1;
        es_free(text);
    }
    assert_true(with_one > 0);
}
