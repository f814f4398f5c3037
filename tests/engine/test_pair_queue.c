/* The order of work. */
#include "engine_jobs.h"

#include "testing.h"
#include "keeping.h"

enum { M = 4 };
static const size_t dims[M] = {100, 400, 200, 300};

static double product(const void *context, es_lease pair) {
    const size_t *dim = context;
    return ((double)dim[pair.source] + 32) * ((double)dim[pair.target] + 32);
}

static es_pair_queue *new_queue(size_t entries, size_t offset) {
    es_pair_queue *queue = NULL;
    const es_pair_costs costs = {product, dims};
    assert_ok(es_pair_queue_new(entries, M, &costs, offset, NULL, &queue, NULL));
    return keep_pair_queue(queue);
}

static void want_all(es_pair_queue *queue, size_t entry) {
    for (size_t i = 0; i < (size_t)M * M; i++)
        assert_true(es_pair_queue_want(queue, (es_lease){entry, i / M, i % M}));
}

static es_lease idle(void) {
    return (es_lease){0, SIZE_MAX, 0};
}

TEST(pair_queue__lease__every_pair_once_the_costliest_source_first) {
    es_pair_queue *queue = new_queue(2, 0);
    want_all(queue, 1);
    want_all(queue, 0);
    assert_false(es_pair_queue_want(queue, (es_lease){0, 1, 1}));
    assert_int_equal(es_pair_queue_left(queue), 32);
    static const size_t sources[M] = {1, 3, 2, 0};
    es_lease pair = idle();
    for (size_t k = 0; k < 32; k++) {
        assert_true(es_pair_queue_lease(queue, &pair));
        assert_int_equal(pair.entry, k / 16);
        assert_int_equal(pair.source, sources[k % 16 / M]);
        assert_int_equal(pair.target, k % M);
    }
    assert_false(es_pair_queue_lease(queue, &pair));
    assert_int_equal(es_pair_queue_left(queue), 0);
    assert_true(es_pair_queue_cost_left(queue, 0) == 0);
    es_pair_queue_leave(queue, pair);
}

TEST(pair_queue__workers__take_different_sources_and_help_at_the_end) {
    es_pair_queue *queue = new_queue(1, 0);
    want_all(queue, 0);
    es_lease pairs[M];
    for (size_t w = 0; w < M; w++)
        pairs[w] = idle();
    static const size_t sources[M] = {1, 3, 2, 0};
    for (size_t w = 0; w < M; w++) {
        assert_true(es_pair_queue_lease(queue, &pairs[w]));
        assert_int_equal(pairs[w].source, sources[w]);
    }
    for (int i = 1; i < M; i++) /* the last worker finishes its source */
        assert_true(es_pair_queue_lease(queue, &pairs[3]));
    assert_int_equal(pairs[3].source, 0);
    assert_true(es_pair_queue_lease(queue, &pairs[3])); /* and helps where most is left */
    assert_int_equal(pairs[3].source, 1);
    assert_int_not_equal(pairs[3].target, pairs[0].target);
    assert_false(es_pair_queue_spent(queue, 0, 1));
    assert_true(es_pair_queue_spent(queue, 0, 0));
}

TEST(pair_queue__urgency__counts_from_the_next_pair) {
    es_pair_queue *queue = new_queue(2, 0);
    want_all(queue, 0);
    want_all(queue, 1);
    es_lease a = idle(), b = idle();
    es_pair_queue_lease(queue, &a);
    es_pair_queue_lease(queue, &b);
    es_pair_queue_urge(queue, (const uint8_t[M]){1, 0, 0, 0});
    for (int i = 0; i < 2; i++) {
        es_pair_queue_lease(queue, &a);
        es_pair_queue_lease(queue, &b);
        assert_int_equal(a.source, 0);
        assert_int_equal(b.source, 0);
        assert_int_equal(b.entry, 0); /* the second entry still waits */
    }
    es_pair_queue_lease(queue, &a);
    assert_int_equal(a.source, 1); /* back at the costliest, which nobody is at any more */
    es_pair_queue_urge(queue, NULL);
    es_pair_queue_lease(queue, &a);
    assert_int_equal(a.source, 1);
}

TEST(pair_queue__urgency__orders_sources_by_level) {
    es_pair_queue *queue = new_queue(1, 0);
    want_all(queue, 0);
    es_pair_queue_urge(queue, (const uint8_t[M]){2, 0, 1, 200}); /* too much is the most */
    static const size_t sources[M] = {3, 0, 2, 1};
    es_lease pair = idle();
    for (size_t k = 0; k < (size_t)M * M; k++) {
        assert_true(es_pair_queue_lease(queue, &pair));
        assert_int_equal(pair.source, sources[k / M]);
    }
}

/* Looking ahead tells what is leased then, and changes nothing. */
TEST(pair_queue__next__is_what_is_leased) {
    for (size_t workers = 0; workers < 3; workers++) {
        es_pair_queue *queue = new_queue(2, 0);
        es_lease at[2] = {idle(), idle()}, next[ES_PAIR_QUEUE_LOOK], seen;
        want_all(queue, 0);
        want_all(queue, 1);
        for (size_t w = 0; w < workers; w++)
            assert_true(es_pair_queue_lease(queue, &at[w]));
        for (size_t left = es_pair_queue_left(queue); left > 0;) {
            size_t many = workers > 0 ? workers : 1;
            size_t count = es_pair_queue_next(queue, next, 5);
            assert_int_equal(count, left < 5 ? left : 5);
            assert_int_equal(es_pair_queue_left(queue), left);
            for (size_t w = 0; w < many && left > 0; w++, left--) {
                /* the lower unit is looked at first */
                size_t k = many == 2 && (at[0].entry > at[1].entry || (at[0].entry == at[1].entry &&
                                                                       at[0].source > at[1].source))
                               ? 1 - w
                               : w;
                if (w == 0)
                    seen = next[0];
                assert_true(es_pair_queue_lease(queue, &at[many == 2 ? k : 0]));
                if (w == 0)
                    assert_memory_equal(&seen, &at[many == 2 ? k : 0], sizeof seen);
            }
            es_pair_queue_urge(queue, (const uint8_t[M]){0, left % 3 == 0, left % 2, 0});
        }
        assert_int_equal(es_pair_queue_next(queue, next, 5), 0);
        test_drop(queue);
    }
}

TEST(pair_queue__stand_ins__come_last_in_their_entry) {
    es_pair_queue *queue = new_queue(2, 0);
    for (size_t e = 0; e < 2; e++)
        for (size_t t = 0; t < M; t++)
            assert_true(es_pair_queue_want(queue, (es_lease){e, M + t, t}));
    want_all(queue, 0);
    want_all(queue, 1);
    assert_int_equal(es_pair_queue_left(queue), 2 * (M * M + M));
    assert_true(es_pair_queue_cost(queue, (es_lease){0, M + 1, 1}) ==
                es_pair_queue_cost(queue, (es_lease){0, 1, 1}));
    es_lease pair = idle();
    for (size_t k = 0; k < 2 * (M * M + M); k++) {
        assert_true(es_pair_queue_lease(queue, &pair));
        assert_int_equal(pair.entry, k / (M * M + M));
        assert_true((k % (M * M + M) >= M * M) == (pair.source >= M));
        if (pair.source >= M)
            assert_int_equal(pair.target, pair.source - M);
    }
    assert_false(es_pair_queue_lease(queue, &pair));
}

TEST(pair_queue__rank__replaces_cost) {
    es_pair_queue *queue = new_queue(1, 0);
    want_all(queue, 0);
    static const double sources[M] = {1, 2, 9, 3};
    double targets[M * M] = {0};
    for (size_t i = 0; i < (size_t)M * M; i++)
        targets[i] = (double)(i % M);
    assert_ok(es_pair_queue_rank(queue, 0, sources, targets, NULL));
    es_lease pair = idle();
    es_pair_queue_lease(queue, &pair);
    assert_int_equal(pair.source, 2);
    assert_int_equal(pair.target, 3);
    es_pair_queue_lease(queue, &pair);
    assert_int_equal(pair.target, 2);
    assert_ok(es_pair_queue_rank(queue, 0, NULL, NULL, NULL));
    es_pair_queue_lease(queue, &pair);
    assert_int_equal(pair.target, 0);
    /* of equal ones the first, source and target */
    static const double equal[M * M] = {0};
    assert_ok(es_pair_queue_rank(queue, 0, equal, equal, NULL));
    es_lease other = idle();
    es_pair_queue_lease(queue, &other);
    assert_int_equal(other.source, 0);
    assert_int_equal(other.target, 0);
}

TEST(pair_queue__offset__varies_the_first_targets) {
    es_pair_queue *queue = new_queue(1, 0);
    want_all(queue, 0);
    es_lease pair = idle();
    es_pair_queue_lease(queue, &pair);
    test_drop(queue);
    static const size_t sources[M] = {1, 3, 2, 0};
    size_t others = 0;
    for (size_t offset = 1; offset <= 16; offset++) {
        queue = new_queue(1, 1000 + offset);
        want_all(queue, 0);
        pair = idle();
        for (size_t k = 0; k < (size_t)M * M; k++) {
            es_pair_queue_lease(queue, &pair);
            assert_int_equal(pair.source, sources[k / M]); /* these are not turned */
            others += k % M == 0 && pair.target != 0;
        }
        assert_int_equal(es_pair_queue_left(queue), 0);
        test_drop(queue);
    }
    assert_in_range(others, 32, 60); /* of 64 first targets three in four */
}

/* ---- with prepared states ---- */

typedef struct making {
    es_pair_queue *queue;
    size_t targets[M + 1]; /* leased while the first model is being made */
    const double *rank;
} making;

static es_status make_state(void *context, size_t entry, es_cache_kind kind, size_t model,
                            es_run *run, void **out, es_error *err) {
    making *m = context;
    es_lease pair = idle();
    (void)entry;
    (void)kind;
    (void)run;
    (void)err;
    for (size_t k = 0; model == 0 && k < M; k++) {
        assert_true(es_pair_queue_lease(m->queue, &pair));
        assert_int_equal(pair.source, 1);
        m->targets[k] = pair.target;
    }
    *out = m;
    return ES_OK;
}

static size_t state_bytes(void *context, size_t entry, es_cache_kind kind, const void *held) {
    (void)context;
    (void)entry;
    (void)kind;
    (void)held;
    return 1;
}

static void drop_state(void *context, size_t entry, es_cache_kind kind, void *held) {
    (void)context;
    (void)entry;
    (void)kind;
    (void)held;
}

/* What another one is making would have to be waited for. */
TEST(pair_queue__targets__being_made_come_last_and_prepared_first) {
    static const double rank[M * M] = {0, 0, 0, 0, 9, 1, 3, 2};
    static const size_t by_state[M] = {2, 1, 3, 0}, by_rank[M] = {2, 3, 1, 0};
    for (int ranked = 0; ranked < 2; ranked++) {
        making m = {0};
        const es_cache_maker maker = {&m, make_state, state_bytes, drop_state};
        const es_pair_costs costs = {product, dims};
        es_cache *cache = NULL;
        const void *held = NULL;
        assert_ok(es_cache_new(1, (size_t)2 * M, 100, &maker, &cache, NULL));
        assert_ok(es_pair_queue_new(1, M, &costs, 0, cache, &m.queue, NULL));
        want_all(m.queue, 0);
        if (ranked)
            assert_ok(es_pair_queue_rank(m.queue, 0, (const double[]){0, 1, 0, 0}, rank, NULL));
        for (size_t model = 2; model != SIZE_MAX; model = model == 2 ? 0 : SIZE_MAX) {
            assert_ok(es_cache_hold(cache, 0, ES_CACHE_TARGET, model, NULL, &held, NULL));
            es_cache_release(cache, 0, ES_CACHE_TARGET, model, true);
        }
        for (size_t k = 0; k < M; k++)
            assert_int_equal(m.targets[k], ranked ? by_rank[k] : by_state[k]);
        es_pair_queue_free(m.queue);
        es_cache_free(cache);
    }
}

TEST(pair_queue__clear__takes_down_what_is_not_leased) {
    es_pair_queue *queue = new_queue(1, 0);
    want_all(queue, 0);
    es_lease pair = idle();
    es_pair_queue_lease(queue, &pair);
    es_pair_queue_clear(queue);
    assert_false(es_pair_queue_lease(queue, &pair));
    assert_true(es_pair_queue_want(queue, (es_lease){0, 1, 2}));
    assert_true(es_pair_queue_cost_left(queue, 0) ==
                es_pair_queue_cost(queue, (es_lease){0, 1, 2}));
}

/* What a worker is at may not be dropped, nor what is still to come. */
TEST(pair_queue__leased__is_not_put_up_before_its_end) {
    es_pair_queue *queue = new_queue(1, 0);
    es_lease one = {0, 2, 3}, pair = idle();
    assert_true(es_pair_queue_want(queue, one));
    assert_true(es_pair_queue_lease(queue, &pair));
    assert_false(es_pair_queue_want(queue, one));
    es_pair_queue_clear(queue);
    assert_false(es_pair_queue_want(queue, one));
    es_pair_queue_ended(queue, one);
    assert_true(es_pair_queue_want(queue, one));
    es_pair_queue_ended(queue, one); /* not leased: stays up */
    assert_int_equal(es_pair_queue_left(queue), 1);
    assert_false(es_pair_queue_want(queue, one));
    es_pair_queue_leave(queue, pair);
}

TEST(pair_queue__spent__once_nothing_is_left_and_nobody_at_it) {
    es_pair_queue *queue = new_queue(1, 0);
    assert_true(es_pair_queue_spent(queue, 0, 2));
    assert_true(es_pair_queue_want(queue, (es_lease){0, 2, 0}));
    assert_false(es_pair_queue_spent(queue, 0, 2));
    es_lease pair = idle();
    assert_true(es_pair_queue_lease(queue, &pair));
    assert_int_equal(es_pair_queue_left(queue), 0);
    assert_false(es_pair_queue_spent(queue, 0, 2));
    es_pair_queue_leave(queue, pair);
    assert_true(es_pair_queue_spent(queue, 0, 2));
}

/* ---- several processes ---- */

TEST(pair_queue__ahead__in_the_order_of_leases) {
    es_pair_queue *queue = new_queue(1, 3);
    es_lease pair = idle(), ahead[M + 1];
    want_all(queue, 0);
    assert_true(es_pair_queue_lease(queue, &pair));
    assert_int_equal(es_pair_queue_ahead(queue, pair, ahead, M + 1), M);
    assert_int_equal(es_pair_queue_ahead(queue, pair, ahead, 2), 2);
    assert_int_equal(es_pair_queue_ahead(queue, pair, ahead, M + 1), M);
    assert_memory_equal(&ahead[0], &pair, sizeof pair);
    es_pair_queue_hold(queue, ahead[2]);
    assert_true(es_pair_queue_is_held(queue, ahead[2]));
    es_lease again[M + 1];
    assert_int_equal(es_pair_queue_ahead(queue, pair, again, M + 1), M - 1); /* all but that */
    assert_int_equal(es_pair_queue_left(queue), M * M - 1);
    for (size_t k = 1; k < M; k++) {
        assert_true(es_pair_queue_lease(queue, &pair));
        assert_memory_equal(&pair, &ahead[k], sizeof pair);
    }
    es_pair_queue_ended(queue, ahead[2]);
    assert_false(es_pair_queue_is_held(queue, ahead[2]));
    es_pair_queue_hold(queue, ahead[1]);
    es_pair_queue_forget_held(queue);
    assert_false(es_pair_queue_is_held(queue, ahead[1]));
    es_pair_queue_leave(queue, pair);
}

TEST(pair_queue__away__until_it_is_back_or_known) {
    es_pair_queue *queue = new_queue(1, 0);
    es_lease pair = idle(), listed[4];
    static const es_lease other = {0, 2, 1}, third = {0, 3, 3};
    want_all(queue, 0);
    double cost = es_pair_queue_cost_left(queue, 0);
    assert_true(es_pair_queue_lease(queue, &pair));
    es_pair_queue_away(queue, pair, false); /* leased: not for others to take away */
    assert_int_equal(es_pair_queue_count_away(queue), 0);
    es_pair_queue_away(queue, pair, true);
    es_pair_queue_away(queue, other, false);
    es_pair_queue_away(queue, other, false);
    es_pair_queue_away(queue, third, false);
    assert_int_equal(es_pair_queue_count_away(queue), 3);
    assert_int_equal(es_pair_queue_left(queue), M * M - 3);
    assert_false(es_pair_queue_want(queue, other));
    assert_int_equal(es_pair_queue_list_away(queue, listed, 2), 2);
    assert_int_equal(es_pair_queue_list_away(queue, listed, 4), 3);
    assert_memory_equal(&listed[0], &pair, sizeof pair);
    assert_memory_equal(&listed[1], &other, sizeof other);
    assert_memory_equal(&listed[2], &third, sizeof third);
    es_pair_queue_back(queue, pair);
    es_pair_queue_back(queue, pair);
    es_pair_queue_drop(queue, other);
    es_pair_queue_back(queue, other); /* known: it does not come back */
    assert_int_equal(es_pair_queue_count_away(queue), 1);
    assert_int_equal(es_pair_queue_left(queue), M * M - 2);
    assert_true(es_pair_queue_want(queue, other));
    es_pair_queue_back(queue, third);
    assert_true(es_pair_queue_cost_left(queue, 0) == cost);
    es_pair_queue_drop(queue, third); /* up, and known now */
    es_pair_queue_away(queue, other, false);
    es_pair_queue_clear(queue);
    assert_int_equal(es_pair_queue_count_away(queue), 0);
    assert_int_equal(es_pair_queue_left(queue), 0);
    assert_true(es_pair_queue_want(queue, other));
    es_pair_queue_leave(queue, pair);
}

static void check_yields(size_t entry) {
    es_pair_queue *queue = new_queue(2, 0);
    es_lease pair = idle();
    want_all(queue, entry);
    static const size_t sources[M] = {1, 3, 2, 0};
    for (size_t k = 0; k + 1 < M; k++) {
        assert_true(es_pair_queue_lease(queue, &pair));
        assert_true(pair.entry == entry && pair.source == sources[k]);
        assert_true(es_pair_queue_may_yield(queue, pair));
        assert_true(es_pair_queue_yield(queue, &pair));
        assert_int_equal(pair.source, SIZE_MAX);
        assert_int_equal(es_pair_queue_left(queue), M * M);
    }
    assert_true(es_pair_queue_lease(queue, &pair));
    assert_int_equal(pair.source, sources[M - 1]);
    es_lease last = pair;
    assert_false(es_pair_queue_may_yield(queue, pair));
    assert_false(es_pair_queue_yield(queue, &pair)); /* others are everywhere */
    assert_memory_equal(&pair, &last, sizeof pair);
    for (size_t k = 1; k < M; k++)
        assert_true(es_pair_queue_lease(queue, &pair));
    assert_true(es_pair_queue_lease(queue, &pair)); /* then where they are, the costliest first */
    assert_int_equal(pair.source, sources[0]);
    es_pair_queue_leave(queue, pair);
}

TEST(pair_queue__yield__to_a_source_where_nobody_is) {
    check_yields(0);
    check_yields(1);
}
