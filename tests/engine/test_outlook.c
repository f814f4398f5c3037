/* What a run would take, against plain sums over all pairs. */
#include "support.h"

#include "base.h"
#include "engine_session.h"
#include "engine_session_parts.h"
#include "keeping.h"

enum { ROWS = 200, MODELS = 5 };
static const size_t widths[MODELS] = {3, 17, 8, 40, 5};

static char root[SUPPORT_PATH], folder[SUPPORT_PATH];

static int make_pool(void **state) {
    support_temp_dir(root);
    (void)setenv("XDG_DATA_HOME", root, 1);
    for (size_t i = 0; i < MODELS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "pool/m%zu.npy", i);
        support_write_random_npy(root, name, 3 + i, ROWS, widths[i]);
    }
    (void)support_path(folder, root, "pool");
    return 0;
}

TEST_EACH(make_pool, NULL);

static es_session *open_session(es_session_options options) {
    es_session *s = NULL;
    options.no_store = true;
    options.threads = 2;
    assert_ok(es_session_open(folder, &options, &s, NULL));
    assert_ok(es_session_wait(s, -1, NULL));
    return keep_session(s);
}

static bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* Of each entry: pairs, work and the largest. */
static void assert_sums(const es_session *s, const es_outlook *o, bool null) {
    size_t pairs = 0;
    double operations = 0, largest = 0, seconds = 0;
    for (size_t e = 0; e < o->parts; e++) {
        double work = 0, most = 0, whole = 0;
        size_t count = 0, held;
        for (size_t i = 0; i < MODELS * (MODELS + 1); i++) {
            bool stands_in = i >= MODELS * MODELS; /* the zero line of a target */
            if (stands_in && !null)
                continue;
            size_t target = i % MODELS, source = stands_in ? MODELS + target : i / MODELS;
            const es_lease pair = {e, source, target};
            work += es_pair_work(s, pair);
            whole += stands_in ? 0 : es_pair_work(s, pair);
            most = fmax(most, (double)es_pair_need(s, pair, &held));
            count++;
        }
        const es_outlook_part *part = &o->part[e];
        assert_int_equal(part->pairs, count);
        assert_true(is_near(part->operations, work));
        assert_true(part->largest == most);
        assert_true(part->seconds > 0);
        assert_true(is_near(part->whole / part->seconds, whole / work));
        pairs += count;
        operations += work;
        seconds += part->seconds;
        largest = fmax(largest, most);
    }
    assert_int_equal(o->pairs, pairs);
    assert_true(is_near(o->operations, operations));
    assert_true(o->largest == largest);
    assert_true(is_near(o->seconds, seconds / o->at_once));
    assert_true(is_near(o->rate, operations / seconds));
}

TEST(outlook__of_all_pairs__is_their_sum) {
    for (int null = 0; null < 2; null++) {
        es_outlook o;
        double allowed = 0, peak = 0;
        es_session *s = open_session((es_session_options){.with_null = null, .with_pmi = true});
        assert_ok(es_session_outlook(s, 0, &o, NULL));
        assert_true(o.parts > 1);
        assert_sums(s, &o, null);
        assert_int_equal(o.threads, 2);
        assert_int_equal(o.at_once, 2);
        assert_false(o.measured);
        assert_true(o.standing == es_room_standing(s));
        assert_true(o.peak > o.standing + 2 * o.largest);
        assert_true(es_session_memory(s, &allowed, &peak));
        assert_true(allowed == o.memory && allowed == (double)es_memory_allowed(0));
        if (!null)
            assert_true(peak == o.peak); /* by the widest alone */
        test_drop(s);
    }
    assert_false(es_session_memory(NULL, NULL, NULL));
    es_outlook o;
    assert_int_equal(es_session_outlook(NULL, 0, &o, NULL), ES_EINVAL);
}

/* Sources and targets are prepared once in a share. */
TEST(outlook__shared__is_the_costliest_share) {
    enum { NODES = 3 };
    es_outlook one, o;
    uint32_t number[MODELS * MODELS];
    es_session *s = open_session((es_session_options){.estimator = "linear"});
    assert_ok(es_session_outlook(s, 1, &one, NULL));
    assert_true(is_near(one.speed_up, 1));
    assert_ok(es_session_outlook(s, NODES, &o, NULL));
    double share[NODES] = {0}, all = 0, most = 0;
    es_share_cut(s, 0, NODES, number);
    for (size_t i = 0; i < MODELS * MODELS; i++) {
        double work = es_pair_work(s, (es_lease){0, i / MODELS, i % MODELS});
        assert_true(number[i] < NODES && (i == 0 || number[i] >= number[i - 1]));
        share[number[i]] += work;
        all += work;
        most = fmax(most, work);
    }
    for (size_t k = 0; k < NODES; k++)
        assert_true(fabs(share[k] - all / NODES) <= most);
    assert_true(o.speed_up > 1 && o.speed_up <= NODES);
    assert_true(o.node_seconds > 0); /* by one speed: each outlook measures it anew */
    assert_true(o.node_seconds * o.speed_up >= o.seconds * 0.5);
}

/* What is known is not counted, and says how fast this machine is. */
/* Embedders of one width are looked up alike, unless one of them is binary. */
TEST(costs__looked_up__are_those_of_each_pair) {
    static unsigned char bits[ROWS * 8];
    for (size_t i = 0; i < sizeof bits; i++)
        bits[i] = (unsigned char)(i * 7919 % 13 < 5);
    support_write_npy_raw(root, "pool/bits.npy",
                          "{'descr': '|b1', 'fortran_order': False, 'shape': (200, 8), }", bits,
                          sizeof bits);
    support_write_random_npy(root, "pool/twin.npy", 77, ROWS, 8);
    support_write_text(
        root, "pool/pool.json",
        "{\"models\": [{\"file\": \"m0.npy\"}, {\"file\": \"m1.npy\"},"
        "{\"file\": \"m2.npy\"}, {\"file\": \"m3.npy\"}, {\"file\": \"m4.npy\"},"
        "{\"file\": \"twin.npy\"}, {\"file\": \"bits.npy\", \"kind\": \"binary\"}]}");
    es_session *s = open_session((es_session_options){.estimator = "linear", .with_null = true});
    const es_entry *e = &s->entries[0];
    assert_int_equal(s->m, MODELS + 2);
    assert_int_equal(e->shapes, MODELS + 1); /* the twin has the shape of m2 */
    for (size_t i = 0; i < s->m * s->m + s->m; i++) {
        size_t target = i % s->m, source = i < s->m * s->m ? i / s->m : s->m + target;
        size_t of = source % s->m;
        es_pair_shape shape = {e->results->dim_used[of], e->results->dim_used[target],
                               es_pool_model(s->pool, e->results->model[target])->kind};
        es_cost c = es_estimator_cost(e->config.estimator, &e->problem, shape);
        double work =
            floor(c.pair_operations + (c.source_operations + c.target_operations) / (double)s->m) +
            1;
        assert_true(es_pair_work(s, (es_lease){0, source, target}) == work);
    }
}

TEST(outlook__known_pairs__are_left_out) {
    es_outlook o;
    es_session *s = open_session((es_session_options){.estimator = "l2"});
    assert_ok(es_session_start(s, NULL));
    assert_ok(es_session_wait(s, -1, NULL));
    assert_true(es_session_told(s, &o)); /* at once: there is nothing to measure */
    assert_int_equal(o.pairs, 0);
    assert_true(o.measured);
    assert_true(o.operations == 0 && o.peak == 0 && o.seconds == 0);
    assert_true(o.part[0].whole > 0);
}

TEST(outlook__no_memory__is_an_error_wherever_it_runs_out) {
    es_session *s = open_session((es_session_options){.estimator = "linear"});
    size_t refused = 0;
    for (long k = 0; k < 30; k++) {
        es_outlook o = {.pairs = 77};
        es_alloc_fail_after(k);
        es_status st = es_session_outlook(s, 3, &o, NULL);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK || (st == ES_ENOMEM && o.pairs == 77));
        refused += st != ES_OK;
    }
    /* rates; pairs measured, missing, all; the shares of one and of three */
    assert_int_equal(refused, 1 + 3 + 3 + 3);
}

TEST(refusal__of_too_much__names_what_would_do) {
    char need[32], expected[400];
    es_session *s = open_session((es_session_options){.memory = (size_t)200 << 20});
    double standing = es_room_standing(s), room = (double)es_room_size(s->room);
    assert_true(is_near(room, floor(209715200 - standing)));
    assert_ok(es_room_refuses(s, "it", room, true, test_err()));
    assert_int_equal(es_room_refuses(s, "it", room + 1, true, test_err()), ES_EUNSUPPORTED);
    (void)es_bytes_text(need, sizeof need, room + 1 + standing);
    /* 0.9 of the rows, in two digits */
    (void)snprintf(
        expected, sizeof expected,
        "it needs %s of memory, but the limit is 200 MB: use --memory %.0fM, or fewer rows: "
        "--rows 170",
        need, ceil((room + 1 + standing) * 1.02 / 1048576));
    assert_string_equal(test_message(), expected);
    assert_error(es_room_refuses(s, "it", 3 * room, true, test_err()), ES_EUNSUPPORTED,
                 ": --rows 60");
    assert_int_equal(es_room_refuses(s, "it", 30 * room, true, test_err()), ES_EUNSUPPORTED);
    assert_lacks(test_message(), "--rows"); /* too few to do anything with */
    assert_int_equal(es_room_refuses(s, "it", 2 * room, false, test_err()), ES_EUNSUPPORTED);
    assert_lacks(test_message(), "--rows");
    assert_ok(es_session_fits(s, NULL));
}

TEST_WITH(bytes__in_words__are_rounded, NULL, NULL) {
    static const struct {
        double bytes;
        const char *text;
    } cases[] = {{0, "0 MB"},
                 {1048576, "1 MB"},
                 {157286400, "150 MB"},
                 {1073741823, "1024 MB"},
                 {1073741824, "1.0 GB"},
                 {1610612736, "1.5 GB"},
                 {1073741824000, "1000.0 GB"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32];
        assert_int_equal(es_bytes_text(text, sizeof text, cases[i].bytes), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
    assert_int_equal(es_memory_allowed(5), 5);
}
