/* One store into another: what is taken and what stays, whichever of the two comes first. */
#include "support.h"

#include <sqlite3.h>

#include "engine_store.h"
#include "keeping.h"

static char root[SUPPORT_PATH];
static es_store *here, *there;

static es_store *open_share(const char *name) {
    es_store *store = NULL;
    assert_ok(es_store_open_file(support_in(root, name), false, NULL, &store, NULL));
    return keep_store(store);
}

static int set_up(void **state) {
    support_temp_dir(root);
    here = open_share("here.db");
    there = open_share("there.db");
    return 0;
}

TEST_EACH(set_up, NULL);

static const es_store_key key = {"linear", 1, "a=1", UINT64_MAX, {7, 8}},
                          cka = {"measure cka", 1, "b=2", 3, {7, 8}};

static es_store_pair a_pair(uint64_t source, uint64_t target) {
    return (es_store_pair){
        .source = {source, 1},
        .target = {target, 1},
        .seconds = 0.25,
        .result = {.is = 0.5, .se = 0.1, .h = 1, .h_cond = 0.5, .n_eval = 3, .epochs = 17}};
}

static void put(es_store *store, const es_store_pair *pair) {
    char origin[40]; /* of which store it is */
    (void)snprintf(origin, sizeof origin, "{\"of\":\"%s\"}", store == here ? "here" : "there");
    assert_ok(es_store_put(store, &key, pair, origin, NULL));
}

static void run_sql(const char *name, const char *text) {
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(support_in(root, name), &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

static unsigned version_of(const char *estimator) {
    return strcmp(estimator, "knife") == 0 ? 2 : strcmp(estimator, "gone") == 0 ? 0 : 1;
}

typedef struct told {
    size_t count;
    double here, there;
    char estimator[40];
    es_digest source, target;
} told;

static void tell(void *context, const es_merge_conflict *c) {
    told *t = context;
    t->count++;
    t->here = c->here;
    t->there = c->there;
    t->source = c->source;
    t->target = c->target;
    (void)snprintf(t->estimator, sizeof t->estimator, "%s v%u %s %llu", c->key.estimator,
                   c->key.version, c->key.settings, (unsigned long long)c->key.seed);
}

static const es_digest contents[] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}};

static es_merged merge(es_store *to, es_store *from, told *t) {
    const es_merge_rules rules = {contents, 4, version_of, tell, t};
    es_merged merged = {0};
    assert_ok(es_store_merge(to, from, &rules, &merged, test_err()));
    assert_int_equal(t->count, merged.conflicts);
    return merged;
}

/* taken, known, conflicts; nothing else */
static void expect(es_merged m, size_t taken, size_t known, size_t conflicts) {
    assert_int_equal(m.taken, taken);
    assert_int_equal(m.known, known);
    assert_int_equal(m.conflicts, conflicts);
    assert_int_equal(m.contents + m.versions + m.unreadable, 0);
}

static es_store_pair get(es_store *store, uint64_t source, uint64_t target) {
    es_store_pair pair = {0};
    assert_ok(es_store_get(store, &key, (es_digest){source, 1}, (es_digest){target, 1}, true, &pair,
                           NULL));
    return pair;
}

static void expect_origin(es_store *store, uint64_t source, uint64_t target, const char *of) {
    char *text = NULL;
    assert_ok(
        es_store_origin(store, &key, (es_digest){source, 1}, (es_digest){target, 1}, &text, NULL));
    assert_contains(text, of);
    es_free(text);
}

/* ---- pairs ---- */

TEST(pairs__unknown__are_taken_as_they_are) {
    float pmi[3] = {1.5F, -0.25F, 3e-30F};
    told t = {0};
    es_store_pair whole = a_pair(1, 2), bare = a_pair(2, 1), failed = a_pair(3, 3);
    whole.result.pmi = pmi;
    whole.result.se = NAN;
    failed.failed = true;
    failed.reason = (char[]){"no luck"};
    put(there, &whole);
    put(there, &bare);
    put(there, &failed);
    expect(merge(here, there, &t), 3, 0, 0);
    es_store_pair got = get(here, 1, 2);
    assert_true(got.result.is == 0.5 && isnan(got.result.se) && got.result.h == 1);
    assert_true(got.result.h_cond == 0.5 && got.seconds == 0.25);
    assert_int_equal(got.result.n_eval, 3);
    assert_int_equal(got.result.epochs, 17);
    assert_memory_equal(got.result.pmi, pmi, sizeof pmi);
    es_free(got.result.pmi);
    expect_origin(here, 1, 2, "there");
    assert_null(get(here, 2, 1).result.pmi);
    got = get(here, 3, 3);
    assert_true(got.failed);
    assert_string_equal(got.reason, "no luck");
    es_free(got.reason);
    expect(merge(here, there, &t), 0, 3, 0); /* and once more */
}

TEST(pairs__failed__give_way_to_values) {
    told t = {0};
    es_store_pair value = a_pair(1, 2), failed = a_pair(1, 2);
    failed.failed = true;
    failed.reason = (char[]){"no luck"};
    put(here, &failed);
    put(there, &value);
    expect(merge(here, there, &t), 1, 0, 0);
    assert_false(get(here, 1, 2).failed);
    es_store_pair other = a_pair(2, 2);
    put(here, &other);
    other.failed = true;
    other.reason = failed.reason;
    put(there, &other);
    expect(merge(here, there, &t), 0, 2, 0);
    assert_false(get(here, 2, 2).failed);
    assert_true(get(here, 2, 2).result.is == 0.5);
}

/* Whichever of the stores is the one that takes. */
TEST(pairs__equal__are_those_finished_first) {
    static const struct {
        const char *here, *there; /* SQL */
        bool theirs;
    } times[] = {{"finished = 100", "finished = 99", true},
                 {"finished = 99", "finished = 100", false},
                 {"finished = 100, seconds = 2", "finished = 100, seconds = 1", true},
                 {"finished = 100, seconds = 1", "finished = 100, seconds = 2", false},
                 {"finished = 100, seconds = 1", "finished = 99, seconds = 2", true},
                 {"finished = 100, seconds = 1", "finished = 100, seconds = 1", false}};
    const es_store_pair pair = a_pair(1, 2);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char text[80];
        told t = {0};
        put(here, &pair);
        put(there, &pair);
        (void)snprintf(text, sizeof text, "UPDATE pair SET %s", times[i].here);
        run_sql("here.db", text);
        (void)snprintf(text, sizeof text, "UPDATE pair SET %s", times[i].there);
        run_sql("there.db", text);
        expect(merge(here, there, &t), 0, 1, 0);
        expect_origin(here, 1, 2, times[i].theirs ? "\"there\"" : "\"here\"");
        assert_ok(es_store_remove(here, &key, pair.source, pair.target, NULL));
    }
}

TEST(pairs__other_numbers__are_told_and_stay) {
    float mine[3] = {1, 2, 3}, theirs[3] = {1, 2, 4};
    for (int field = 0; field < 7; field++) {
        told t = {0};
        es_store_pair a = a_pair(1, 2), b = a_pair(1, 2);
        a.result.pmi = mine;
        b.result.pmi = field == 6 ? theirs : mine;
        b.result.is = field == 0 ? 0.6 : 0.5;
        b.result.se = field == 1 ? (double)NAN : 0.1;
        b.result.h = field == 2 ? 2 : 1;
        b.result.h_cond = field == 3 ? 0 : 0.5;
        if (field == 4) {
            b.result.pmi = NULL;
            b.result.n_eval = 4;
        }
        b.result.epochs = field == 5 ? 18 : 17;
        put(here, &a);
        put(there, &b);
        expect(merge(here, there, &t), 0, 0, 1);
        assert_true(t.here == 0.5 && t.there == (field == 0 ? 0.6 : 0.5));
        assert_string_equal(t.estimator, "linear v1 a=1 18446744073709551615");
        assert_true(es_digest_equal(t.source, a.source) && es_digest_equal(t.target, a.target));
        es_store_pair got = get(here, 1, 2);
        assert_true(got.result.is == 0.5 && got.result.h == 1 && got.result.h_cond == 0.5);
        assert_memory_equal(got.result.pmi, mine, sizeof mine);
        es_free(got.result.pmi);
    }
}

/* One that has none does not take them away, either. */
TEST(pairs__without_values_of_rows__get_them) {
    float pmi[3] = {1, 2, 3};
    for (int order = 0; order < 4; order++) { /* who was first; who has them */
        told t = {0};
        es_store_pair bare = a_pair(1, 2), whole = a_pair(1, 2);
        whole.result.pmi = pmi;
        put(here, order / 2 ? &whole : &bare);
        put(there, order / 2 ? &bare : &whole);
        run_sql("here.db", "UPDATE pair SET finished = 100");
        run_sql("there.db",
                order % 2 ? "UPDATE pair SET finished = 99" : "UPDATE pair SET finished = 101");
        expect(merge(here, there, &t), 0, 1, 0);
        es_store_pair got = get(here, 1, 2);
        assert_non_null(got.result.pmi);
        assert_memory_equal(got.result.pmi, pmi, sizeof pmi);
        es_free(got.result.pmi);
        assert_ok(es_store_remove(here, &key, bare.source, bare.target, NULL));
        assert_ok(es_store_remove(there, &key, bare.source, bare.target, NULL));
    }
}

TEST(pairs__leased__are_over_with_what_is_taken) {
    told t = {0};
    const es_store_pair pair = a_pair(1, 2);
    es_leased leased = {.source = pair.source, .target = pair.target};
    es_store *other = open_share("here.db");
    assert_ok(es_store_lease(other, &key, ES_AGAIN_NEVER, &leased, 1, NULL, NULL));
    assert_int_equal(leased.state, ES_LEASE_MINE);
    put(there, &pair);
    expect(merge(here, there, &t), 1, 0, 0);
    assert_ok(es_store_lease_look(here, &key, &leased, 1, NULL));
    assert_int_equal(leased.state, ES_LEASE_KNOWN);
}

TEST(pairs__of_other_contents_or_versions__stay_out) {
    static const es_store_key others[] = {{"linear", 2, "a=1", 1, {7, 8}},
                                          {"knife", 1, "a=1", 1, {7, 8}},
                                          {"gone", 1, "a=1", 1, {7, 8}}},
                              newer = {"knife", 2, "a=1", 1, {7, 8}};
    told t = {0};
    es_store_pair pair = a_pair(5, 2); /* whose source the pool does not have */
    put(there, &pair);
    pair = a_pair(2, 5);
    put(there, &pair);
    pair = a_pair(1, 2);
    for (size_t i = 0; i < 3; i++)
        assert_ok(es_store_put(there, &others[i], &pair, NULL, NULL));
    assert_ok(es_store_put(there, &newer, &pair, NULL, NULL));
    es_merged m = merge(here, there, &t);
    assert_int_equal(m.taken, 1);
    assert_int_equal(m.contents, 2);
    assert_int_equal(m.versions, 3);
    assert_int_equal(m.known + m.conflicts + m.unreadable, 0);
}

TEST(pairs__damaged__are_counted) {
    static const char *const damage[] = {
        "UPDATE pair SET is_ = NULL", "UPDATE pair SET source = x'00'",
        "UPDATE pair SET target = 'text'", "UPDATE run SET rowset = x'00'", NULL};
    for (size_t i = 0; damage[i]; i++) {
        told t = {0};
        char name[20];
        (void)snprintf(name, sizeof name, "odd%zu.db", i);
        es_store *odd = open_share(name);
        const es_store_pair pair = a_pair(1, 2);
        assert_ok(es_store_put(odd, &key, &pair, NULL, NULL));
        run_sql(name, damage[i]);
        es_merged m = merge(here, odd, &t);
        assert_int_equal(m.taken + m.known + m.conflicts + m.contents, 0);
        assert_int_equal(m.unreadable + m.versions, 1);
        test_drop(odd);
    }
}

/* More than goes into one transaction. */
TEST(pairs__thousands__are_all_taken) {
    enum { MANY = 4100 };
    char text[400];
    told t = {0};
    const es_store_pair pair = a_pair(1, 2);
    put(there, &pair);
    (void)snprintf(text, sizeof text,
                   "WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < %d)"
                   " INSERT INTO run(estimator, version, settings, seed, rowset) SELECT 'linear',"
                   " 1, 'k=' || i, 0, x'%032d' FROM k",
                   MANY, 0);
    run_sql("there.db", text);
    run_sql("there.db",
            "INSERT INTO pair(run, source, target, failed, is_, n_eval, epochs, finished)"
            " SELECT r.id, p.source, p.target, 0, 1.5, 3, 0, 0 FROM run r, pair p WHERE r.id > 1");
    expect(merge(here, there, &t), MANY + 1, 0, 0);
    expect(merge(here, there, &t), 0, MANY + 1, 0);
}

/* ---- measures ---- */

enum { FIELDS = 32 };

static size_t fields_of_cka(void) {
    const es_measure *m = es_measure_find("cka");
    assert_non_null(m);
    assert_true(m->n_fields < FIELDS);
    return m->n_fields;
}

/* Values 1, 2 ...; the last, behind the fields, are seconds. */
static void put_measured(es_store *store, uint64_t source, size_t odd, const char *why) {
    es_measure_value value[FIELDS];
    size_t count = fields_of_cka() + 1;
    for (size_t f = 0; f < count; f++)
        value[f] = (es_measure_value){f == odd ? 99 : (double)f + 1, 0, NAN, NULL, "careful"};
    if (why)
        value[0] = (es_measure_value){NAN, NAN, NAN, why, NULL};
    const es_store_measured m = {{source, 1}, {2, 1}, count, value};
    assert_ok(es_store_measured_put(store, &cka, &m, "{}", NULL));
}

typedef struct seen {
    size_t count;
    double value[FIELDS];
    char why[80], warning[80];
} seen;

static es_status see(void *context, es_digest source, es_digest target, size_t field,
                     const es_measure_value *value, es_error *err) {
    seen *s = context;
    (void)target;
    (void)err;
    if (source.hi != 1)
        return ES_OK;
    s->count++;
    s->value[field] = value->value;
    if (field == 0)
        (void)snprintf(s->why, sizeof s->why, "%s", value->why ? value->why : "");
    (void)snprintf(s->warning, sizeof s->warning, "%s", value->warning ? value->warning : "");
    return ES_OK;
}

static seen measured_here(void) {
    seen s = {0};
    assert_ok(es_store_measured_load(here, &cka, see, &s, NULL));
    return s;
}

TEST(measures__unknown__are_taken_field_by_field) {
    told t = {0};
    size_t count = fields_of_cka() + 1;
    put_measured(there, 1, SIZE_MAX, NULL);
    expect(merge(here, there, &t), count, 0, 0);
    seen s = measured_here();
    assert_int_equal(s.count, count);
    for (size_t f = 0; f < count; f++)
        assert_true(s.value[f] == (double)f + 1);
    assert_string_equal(s.warning, "careful");
    expect(merge(here, there, &t), 0, count, 0);
    put_measured(there, 1, SIZE_MAX, "nothing to see");
    assert_int_equal(merge(here, there, &t).conflicts, 1);
    put_measured(there, 3, SIZE_MAX, "nothing to see");
    assert_int_equal(merge(here, there, &(told){0}).taken, count);
}

TEST(measures__other_values__are_told_but_for_seconds) {
    size_t count = fields_of_cka() + 1;
    for (size_t odd = 0; odd < count; odd++) {
        told t = {0};
        bool seconds = odd + 1 == count;
        put_measured(here, 1, SIZE_MAX, NULL);
        put_measured(there, 1, odd, NULL);
        run_sql("here.db", "UPDATE measured SET finished = 100");
        run_sql("there.db", "UPDATE measured SET finished = 99");
        expect(merge(here, there, &t), 0, seconds ? count : count - 1, seconds ? 0 : 1);
        assert_true(measured_here().value[odd] == (seconds ? 99 : (double)odd + 1));
        if (!seconds) {
            assert_true(t.here == (double)odd + 1 && t.there == 99);
            assert_string_equal(t.estimator, "measure cka v1 b=2 3");
        }
    }
    /* Of what was finished later nothing is taken. */
    told t = {0};
    put_measured(here, 1, SIZE_MAX, NULL);
    put_measured(there, 1, count - 1, NULL);
    run_sql("here.db", "UPDATE measured SET finished = 100");
    run_sql("there.db", "UPDATE measured SET finished = 101");
    expect(merge(here, there, &t), 0, count, 0);
    assert_true(measured_here().value[count - 1] == (double)count);
}

/* What samples of rows came to lies in the same table and is found again. */
TEST(measures__of_other_kinds__stay_out) {
    told t = {0};
    size_t count = fields_of_cka() + 1;
    put_measured(there, 5, SIZE_MAX, NULL);
    run_sql("there.db", "UPDATE measured SET field = -1 WHERE field = 0");
    es_merged m = merge(here, there, &t);
    assert_int_equal(m.unreadable, 1);
    assert_int_equal(m.contents, count - 1);
    run_sql("there.db", "UPDATE run SET estimator = 'growth'");
    m = merge(here, there, &t);
    assert_int_equal(m.unreadable + m.contents + m.versions + m.taken, 0);
}

/* ---- files ---- */

TEST(same__file__is_told_by_what_it_is) {
    es_store *again = open_share("here.db"), *none = NULL;
    assert_true(es_store_same(here, here));
    assert_true(es_store_same(here, again));
    assert_false(es_store_same(here, there));
    assert_ok(es_store_open(NULL, false, &none, NULL)); /* in memory */
    assert_false(es_store_same(none, here));
    assert_false(es_store_same(here, none));
    assert_false(es_store_same(none, none));
    assert_int_equal(remove(support_in(root, "there.db")), 0);
    assert_false(es_store_same(there, here));
    assert_false(es_store_same(here, there));
    es_store_close(none);
}
