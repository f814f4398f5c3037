/* The store's protocol against a model of it: two processes that lease, store, give back, take each
 * other for gone and die, in every order. The model is what engine_store.h promises, in a
 * few arrays; after each operation all that either process can see must be as the model has it.
 *
 * Two walks: every sequence of operations up to `deep`, and every operation from each state of the
 * model that is reached by fewer than `far` of them; which of the two processes is the first makes
 * no difference. A process that dies has forgotten which owner it was,
 * and nothing else: transactions are SQLite's, and test_store_power.c has what happens inside one.
 */
#include "support.h"

#include <sqlite3.h>

#include "engine_store_parts.h"

enum { PAIRS = 2, PROCESSES = 2, OWNERS = 12, DEEP = 3, FAR = 9, MOST_STATES = 6000 };
static size_t deep = 2, far = 3; /* with ES_SLOW: DEEP and FAR */

/* ---- the model ---- */

typedef enum kept { NOTHING, FAILURE, VALUE } kept;

typedef struct model {
    unsigned char stored[PAIRS];   /* kept */
    unsigned char lease[PAIRS];    /* owner; 0: none */
    unsigned char self[PROCESSES]; /* which owner it takes itself for; 0: none */
    unsigned char beat[OWNERS];    /* of each owner */
    unsigned char there[OWNERS];   /* it is entered */
    unsigned char owners;          /* entered so far */
} model;

typedef enum verb {
    LEASE,        /* what is not stored */
    LEASE_FAILED, /* failures as well */
    LEASE_AGAIN,  /* whatever is stored */
    LEASE_BOTH,   /* both pairs, unless others are at their source */
    PUT_VALUE,
    PUT_FAILURE,
    GIVE_BACK,
    GIVE_BACK_ALL,
    BEAT,
    REAP,  /* the first other owner that has leases */
    LEAVE, /* in order */
    DIE,
    MERGE, /* a store that has the value of the second pair */
    VERBS
} verb;

static bool of_a_pair(verb v) {
    return v == LEASE || v == LEASE_FAILED || v == LEASE_AGAIN || v == PUT_VALUE ||
           v == PUT_FAILURE || v == GIVE_BACK;
}

typedef struct step {
    unsigned char process, verb, pair;
} step;

static bool has_leases(const model *m, unsigned owner) {
    return m->lease[0] == owner || m->lease[1] == owner;
}

static void model_enter(model *m, unsigned process) {
    if (m->self[process] && m->there[m->self[process]])
        return;
    m->self[process] = ++m->owners;
    assert_true(m->owners < OWNERS);
    m->there[m->owners] = 1;
}

static es_lease_state model_lease(model *m, unsigned process, unsigned pair, verb v) {
    unsigned holder = m->lease[pair];
    bool counts = v == LEASE_AGAIN    ? false
                  : v == LEASE_FAILED ? m->stored[pair] == VALUE
                                      : m->stored[pair] != NOTHING;
    if (holder && holder != m->self[process] && v == LEASE_AGAIN)
        return ES_LEASE_THEIRS;
    if (counts)
        return ES_LEASE_KNOWN;
    if (holder && holder != m->self[process])
        return ES_LEASE_THEIRS;
    m->lease[pair] = m->self[process];
    return ES_LEASE_MINE;
}

static es_lease_state model_look(const model *m, unsigned process, unsigned pair) {
    if (m->lease[pair] && m->lease[pair] != m->self[process])
        return ES_LEASE_THEIRS;
    if (m->stored[pair] != NOTHING)
        return ES_LEASE_KNOWN;
    return m->lease[pair] ? ES_LEASE_MINE : ES_LEASE_FREE;
}

static void model_drop(model *m, unsigned owner, bool all) {
    for (unsigned p = 0; p < PAIRS; p++)
        if (m->lease[p] == owner)
            m->lease[p] = 0;
    if (all)
        m->there[owner] = 0;
}

static unsigned first_other(const model *m, unsigned process) {
    for (unsigned owner = 1; owner <= m->owners; owner++)
        if (m->there[owner] && owner != m->self[process] && has_leases(m, owner))
            return owner;
    return 0;
}

/* ---- the store ---- */

static const es_store_key key = {"linear", 1, "a=1", 0, {7, 7}};
static char root[SUPPORT_PATH];
static es_store *process_of[PROCESSES], *shard;
static sqlite3 *raw;

static es_store_pair pair_at(unsigned pair) {
    es_store_pair at = {.source = {1, 1}, .target = {pair + 1, 2}};
    at.result = (es_pair_result){.is = 0.5 + pair, .se = 0.1, .h = 1, .h_cond = 0.5, .n_eval = 9};
    return at;
}

static es_leased leased_at(unsigned pair) {
    es_store_pair at = pair_at(pair);
    return (es_leased){.source = at.source, .target = at.target};
}

static void put(es_store *store, unsigned pair, bool failed) {
    es_store_pair at = pair_at(pair);
    at.failed = failed;
    assert_ok(es_store_put(store, &key, &at, NULL, NULL));
}

static int set_up(void **state) {
    support_temp_dir(root);
    for (unsigned i = 0; i < PROCESSES; i++) {
        assert_ok(es_store_open(root, false, &process_of[i], NULL));
        assert_int_equal(
            sqlite3_exec(process_of[i]->db, "PRAGMA synchronous=OFF", NULL, NULL, NULL), SQLITE_OK);
    }
    assert_int_equal(sqlite3_open(support_in(root, ".embedscope/results.db"), &raw), SQLITE_OK);
    assert_ok(es_store_open_file(support_in(root, "shard.db"), false, NULL, &shard, NULL));
    put(shard, 1, false);
    return 0;
}

/* The walk that is under way; what is left of one when a test ends has failed. */
static step walk[FAR];
static size_t walk_length;

static int tear_down(void **state) {
    for (size_t i = 0; i < walk_length; i++)
        print_message("process %u: operation %u on pair %u\n", walk[i].process, walk[i].verb,
                      walk[i].pair);
    walk_length = 0;
    for (unsigned i = 0; i < PROCESSES; i++)
        es_store_close(process_of[i]);
    es_store_close(shard);
    sqlite3_close(raw);
    return 0;
}

static int choose_depth(void **state) {
    const char *slow = getenv("ES_SLOW");
    if (slow && *slow) {
        deep = DEEP;
        far = FAR;
    }
    return 0;
}

TEST_GROUP(choose_depth, NULL);
TEST_EACH(set_up, tear_down);

/* Owners' numbers are never used again, so each walk's begin behind those of the last. */
static int64_t first_owner;

static void empty_store(void) {
    sqlite3_stmt *last = NULL;
    assert_int_equal(sqlite3_exec(raw, "DELETE FROM claim; DELETE FROM owner; DELETE FROM pair",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    for (unsigned i = 0; i < PROCESSES; i++)
        process_of[i]->owner = 0;
    assert_int_equal(
        sqlite3_prepare_v2(raw, "SELECT ifnull(max(seq), 0) FROM sqlite_sequence", -1, &last, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(last), SQLITE_ROW);
    first_owner = sqlite3_column_int64(last, 0);
    sqlite3_finalize(last);
}

/* ---- one operation on both ---- */

static void lease_both(model *m, unsigned process) {
    es_leased pairs[PAIRS] = {leased_at(0), leased_at(1)};
    bool shared = false, others = false;
    assert_ok(
        es_store_lease(process_of[process], &key, ES_AGAIN_NEVER, pairs, PAIRS, &shared, NULL));
    model_enter(m, process);
    for (unsigned p = 0; p < PAIRS; p++)
        others = others || (m->lease[p] && m->lease[p] != m->self[process]);
    assert_int_equal(shared, others);
    for (unsigned p = 0; p < PAIRS && !others; p++)
        assert_int_equal(pairs[p].state, model_lease(m, process, p, LEASE));
}

static void lease_one(model *m, step s) {
    static const es_lease_again again[] = {[LEASE] = ES_AGAIN_NEVER,
                                           [LEASE_FAILED] = ES_AGAIN_FAILED,
                                           [LEASE_AGAIN] = ES_AGAIN_ALWAYS};
    es_leased at = leased_at(s.pair);
    assert_ok(es_store_lease(process_of[s.process], &key, again[s.verb], &at, 1, NULL, NULL));
    model_enter(m, s.process);
    assert_int_equal(at.state, model_lease(m, s.process, s.pair, (verb)s.verb));
}

static void beat(model *m, unsigned process) {
    bool expired = false;
    unsigned self = m->self[process];
    assert_ok(es_store_beat(process_of[process], &expired, NULL));
    assert_int_equal(expired, self != 0 && !m->there[self]);
    if (self && m->there[self])
        m->beat[self]++;
}

static void reap(model *m, unsigned process) {
    unsigned owner = first_other(m, process);
    assert_ok(es_store_reap(process_of[process], first_owner + owner, NULL));
    if (owner)
        model_drop(m, owner, true);
}

static unsigned version_of(const char *estimator) {
    (void)estimator;
    return 1;
}

static void merge(model *m, unsigned process) {
    const es_digest contents[] = {{1, 1}, {2, 2}};
    const es_merge_rules rules = {.contents = contents, .n_contents = 2, .version = version_of};
    es_merged merged = {0};
    assert_ok(es_store_merge(process_of[process], shard, &rules, &merged, NULL));
    assert_int_equal(merged.taken, m->stored[1] != VALUE);
    assert_int_equal(merged.known, m->stored[1] == VALUE);
    if (m->stored[1] != VALUE)
        m->lease[1] = 0; /* as if it had been put */
    m->stored[1] = VALUE;
}

/* A process that is no longer there comes back as another one. */
static void go(model *m, unsigned process, bool in_order) {
    if (in_order && m->self[process]) {
        store_leave(process_of[process]);
        (void)sqlite3_busy_timeout(process_of[process]->db, STORE_BUSY_MS);
        model_drop(m, m->self[process], true);
    }
    process_of[process]->owner = 0;
    m->self[process] = 0;
}

static void do_step(model *m, step s) {
    es_store *store = process_of[s.process];
    es_leased at = leased_at(s.pair);
    switch ((verb)s.verb) {
    case LEASE:
    case LEASE_FAILED:
    case LEASE_AGAIN:
        lease_one(m, s);
        break;
    case LEASE_BOTH:
        lease_both(m, s.process);
        break;
    case PUT_VALUE:
    case PUT_FAILURE:
        put(store, s.pair, s.verb == PUT_FAILURE);
        if (s.verb == PUT_VALUE || m->stored[s.pair] == NOTHING)
            m->stored[s.pair] = s.verb == PUT_VALUE ? VALUE : FAILURE;
        m->lease[s.pair] = 0; /* whosever: it is known */
        break;
    case GIVE_BACK:
        assert_ok(es_store_release(store, &key, at.source, at.target, NULL));
        if (m->lease[s.pair] == m->self[s.process])
            m->lease[s.pair] = 0;
        break;
    case GIVE_BACK_ALL:
        assert_ok(es_store_release_all(store, NULL));
        if (m->self[s.process])
            model_drop(m, m->self[s.process], false);
        break;
    case BEAT:
        beat(m, s.process);
        break;
    case REAP:
        reap(m, s.process);
        break;
    case LEAVE:
    case DIE:
        go(m, s.process, s.verb == LEAVE);
        break;
    case MERGE:
        merge(m, s.process);
        break;
    case VERBS:
        break;
    }
}

/* ---- what can be seen ---- */

typedef struct seen_pairs {
    unsigned char stored[PAIRS];
    bool wrong;
} seen_pairs;

static es_status see_pair(void *context, es_store_pair *pair, es_error *err) {
    seen_pairs *seen = context;
    (void)err;
    unsigned p = (unsigned)pair->target.hi - 1;
    seen->wrong = seen->wrong || p >= PAIRS || (!pair->failed && pair->result.is != 0.5 + p);
    if (p < PAIRS)
        seen->stored[p] = pair->failed ? FAILURE : VALUE;
    return ES_OK;
}

typedef struct seen_owners {
    const model *m;
    unsigned char there[OWNERS];
} seen_owners;

static es_status see_owner(void *context, const es_owner *owner, es_error *err) {
    seen_owners *seen = context;
    int64_t i = owner->id - first_owner;
    (void)err;
    assert_true(i > 0 && i < OWNERS);
    assert_int_equal(owner->beat, seen->m->beat[i]);
    seen->there[i] = 1;
    return ES_OK;
}

static void compare(const model *m, unsigned process) {
    seen_pairs pairs = {0};
    seen_owners owners = {.m = m};
    es_store *store = process_of[process];
    for (unsigned p = 0; p < PAIRS; p++) {
        es_leased at = leased_at(p);
        assert_ok(es_store_lease_look(store, &key, &at, 1, NULL));
        assert_int_equal(at.state, model_look(m, process, p));
        assert_true(m->lease[p] == 0 || m->there[m->lease[p]]); /* else it would never be free */
    }
    assert_ok(es_store_load(store, &key, false, see_pair, &pairs, NULL));
    assert_false(pairs.wrong);
    assert_memory_equal(pairs.stored, m->stored, PAIRS);
    assert_ok(es_store_owners(store, see_owner, &owners, NULL));
    for (unsigned i = 1; i <= m->owners; i++)
        assert_int_equal(owners.there[i], m->there[i] && i != m->self[process] && has_leases(m, i));
}

/* Whatever has happened, a process that takes those for gone that are can finish all pairs. */
static void finish(model *m) {
    go(m, 1, false);
    while (first_other(m, 1))
        reap(m, 1);
    for (unsigned p = 0; p < PAIRS; p++) {
        es_leased at = leased_at(p);
        assert_ok(es_store_lease(process_of[1], &key, ES_AGAIN_FAILED, &at, 1, NULL, NULL));
        model_enter(m, 1);
        assert_int_equal(at.state, m->stored[p] == VALUE ? ES_LEASE_KNOWN : ES_LEASE_MINE);
        if (at.state == ES_LEASE_MINE)
            do_step(m, (step){1, PUT_VALUE, (unsigned char)p});
        assert_int_equal(m->stored[p], VALUE);
    }
    compare(m, 1);
}

/* ---- the walks ---- */

static step every[PROCESSES * VERBS * PAIRS];
static size_t n_every;

static void list_steps(void) {
    n_every = 0;
    for (unsigned process = 0; process < PROCESSES; process++)
        for (unsigned v = 0; v < VERBS; v++)
            for (unsigned p = 0; p < (of_a_pair((verb)v) ? PAIRS : 1); p++)
                every[n_every++] =
                    (step){(unsigned char)process, (unsigned char)v, (unsigned char)p};
}

/* From an empty store; the last step's outcome is compared, those before were by shorter walks. */
static model run(const step *steps, size_t count) {
    model m = {0};
    empty_store();
    memcpy(walk, steps, count * sizeof *steps);
    walk_length = count;
    for (size_t i = 0; i < count; i++)
        do_step(&m, steps[i]);
    for (unsigned process = 0; process < PROCESSES; process++)
        compare(&m, process);
    walk_length = 0;
    return m;
}

TEST(model__every_sequence__is_as_promised) {
    size_t at[DEEP], sequences = 1;
    step steps[DEEP];
    list_steps();
    for (size_t depth = 1; depth <= deep; depth++) {
        sequences *= n_every;
        for (size_t i = 0; i < sequences; i++) {
            for (size_t k = 0, rest = i; k < depth; k++, rest /= n_every) {
                at[k] = rest % n_every;
                steps[k] = every[at[k]];
            }
            if (steps[0].process == 0)
                (void)run(steps, depth);
        }
    }
}

typedef struct visited {
    model m;
    step way[FAR];
    size_t length;
} visited;

/* Numbers of owners by first use, and heartbeats left out: they steer nothing. */
static model canonical(const model *m) {
    model c = {0};
    unsigned char name[OWNERS] = {0}, next = 0;
    const unsigned char holders[] = {m->self[0], m->self[1], m->lease[0], m->lease[1]};
    for (size_t i = 0; i < sizeof holders; i++)
        if (holders[i] && !name[holders[i]])
            name[holders[i]] = ++next;
    memcpy(c.stored, m->stored, PAIRS);
    for (unsigned i = 0; i < 2; i++) {
        c.self[i] = name[m->self[i]];
        c.lease[i] = name[m->lease[i]];
    }
    for (unsigned i = 1; i <= m->owners; i++)
        if (name[i])
            c.there[name[i]] = m->there[i];
    c.owners = next;
    return c;
}

static visited states[MOST_STATES];

TEST(model__every_state__leads_where_it_should) {
    size_t count = 1;
    list_steps();
    states[0] = (visited){0};
    for (size_t i = 0; i < count; i++) {
        visited from = states[i];
        for (size_t e = 0; e < n_every && from.length < far; e++) {
            if (from.length == 0 && every[e].process != 0)
                continue;
            from.way[from.length] = every[e];
            model m = run(from.way, from.length + 1), c = canonical(&m);
            size_t same = 0;
            while (same < count && memcmp(&states[same].m, &c, sizeof c) != 0)
                same++;
            if (same < count)
                continue;
            finish(&m);
            assert_true(count < MOST_STATES);
            states[count] = from;
            states[count].m = c;
            states[count++].length = from.length + 1;
        }
    }
    print_message("%zu states of the protocol, %zu operations from each\n", count, n_every);
    assert_true(count > 50);
}
