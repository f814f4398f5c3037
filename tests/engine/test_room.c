/* What there is of memory, who may take how much of it, and how long the rest of a run takes. */
#include "support.h"

#include <pthread.h>

#include "core_estimators.h"
#include "estimator_rows.h"
#include "engine_place.h"
#include "engine_jobs.h"

/* ---- memory of the machine ---- */

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

TEST(machine_memory__control_groups__the_least_limit_of_all_above) {
    char root[] = "/tmp/es_cgroup_XXXXXX", path[256];
    assert_non_null(mkdtemp(root));
    const char *const folders[] = {"/a", "/a/b", "/memory", "/memory/c"};
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(path, sizeof path, "%s%s", root, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    (void)snprintf(path, sizeof path, "%s/a/memory.max", root);
    write_file(path, "3000000\n");
    (void)snprintf(path, sizeof path, "%s/a/b/memory.max", root);
    write_file(path, "max\n");
    (void)snprintf(path, sizeof path, "%s/memory/c/memory.limit_in_bytes", root);
    write_file(path, "2000000\n");
    (void)snprintf(path, sizeof path, "%s/memory/memory.limit_in_bytes", root);
    write_file(path, "9223372036854771712\n"); /* what version 1 says for none */
    assert_int_equal(es_cgroup_memory(root, "0::/a/b\n"), 3000000);
    assert_int_equal(es_cgroup_memory(root, "5:devices:/c\n4:cpu,memory:/c\n0::/a\n"), 2000000);
    assert_true(es_cgroup_memory(root, "5:devices:/c\n") == SIZE_MAX);
    assert_true(es_cgroup_memory(root, "0::/no/such/group\n") == SIZE_MAX);
    assert_true(es_cgroup_memory(root, "nonsense\n\n:\n::\n") == SIZE_MAX);
    (void)snprintf(path, sizeof path, "%s/a/b/memory.max", root);
    write_file(path, "0\n"); /* in which nothing would run */
    assert_int_equal(es_cgroup_memory(root, "0::/a/b\n"), 3000000);
    (void)snprintf(path, sizeof path, "rm -r %s", root);
    assert_int_equal(system(path), 0);
    assert_true(es_machine_memory() > 1 << 20);
}

/* ---- room ---- */

TEST(room__take__what_fits_and_whoever_is_alone) {
    es_room *room = NULL;
    size_t a = 0, b = 0;
    assert_ok(es_room_new(100, &room, NULL));
    assert_int_equal(es_room_size(room), 100);
    assert_true(es_room_take(room, &a, 60) && a == 60);
    assert_false(es_room_take(room, &b, 41));
    assert_int_equal(b, 0);
    assert_true(es_room_take(room, &b, 40));
    assert_int_equal(es_room_left(room), 0);
    assert_false(es_room_take(room, &a, 61)); /* nor more than before */
    assert_true(es_room_take(room, &a, 10));  /* less always */
    assert_int_equal(es_room_left(room), 50);
    assert_true(es_room_take(room, &a, 60));
    assert_true(es_room_take(room, &b, 0));
    assert_true(es_room_take(room, &a, 500)); /* alone: nobody would ever make room */
    assert_false(es_room_take(room, &b, 1));
    assert_int_equal(es_room_left(room), 0);
    es_room_free(room);
}

enum { TAKERS = 6, ROUNDS = 400 };
static es_room *shared;
static pthread_mutex_t sums = PTHREAD_MUTEX_INITIALIZER;
static size_t in_use, most;

static void *take_often(void *data) {
    size_t need = *(size_t *)data, held = 0;
    for (int i = 0; i < ROUNDS; i++) {
        while (!es_room_take(shared, &held, need))
            es_room_wait(shared);
        pthread_mutex_lock(&sums);
        in_use += need;
        most = in_use > most ? in_use : most;
        in_use -= i % 3 ? need : 0;
        pthread_mutex_unlock(&sums);
        pthread_mutex_lock(&sums);
        in_use -= i % 3 ? 0 : need;
        pthread_mutex_unlock(&sums);
        assert_true(es_room_take(shared, &held, 0));
    }
    return NULL;
}

TEST(room__threads__never_more_than_there_is) {
    pthread_t thread[TAKERS];
    size_t need[TAKERS] = {10, 20, 30, 40, 50, 60};
    assert_ok(es_room_new(70, &shared, NULL));
    for (size_t i = 0; i < TAKERS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, take_often, &need[i]), 0);
    for (size_t i = 0; i < TAKERS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_true(most <= 70);
    assert_int_equal(es_room_left(shared), 70);
    es_room_free(shared);
}

/* ---- how long the rest takes ---- */

TEST(pace__left__by_work_and_by_the_nearest_part_that_has_begun) {
    es_pace pace[3] = {{0}};
    double left[3] = {0, 200, 600};
    assert_true(isnan(es_pace_left(pace, left, 3, 2)));
    es_pace_add(&pace[0], 1, 100, 10); /* ten a second */
    assert_true(fabs(es_pace_left(pace, left, 3, 2) - 800 / 10.0 / 2) < 1e-9);
    es_pace_add(&pace[1], 2, 100, 5); /* twenty: also for the last */
    assert_true(fabs(es_pace_left(pace, left, 3, 1) - 40) < 1e-9);
    left[1] = left[2] = 0;
    assert_true(es_pace_left(pace, left, 3, 1) == 0);
    left[0] = 0.5; /* of a pair's work: as any other */
    assert_true(fabs(es_pace_left(pace, left, 3, 1) - 0.05) < 1e-9);
    left[0] = 0;
    es_pace_add(&pace[1], 602, 100, 20); /* ten half-lives later: slower now */
    left[1] = 100;
    assert_true(fabs(es_pace_left(pace, left, 3, 1) - 20) < 0.1);
}

/* A recorded run: pairs in the order in which they ended, on 2 threads. */
typedef struct lap {
    size_t part;
    double work, seconds;
} lap;

enum { LAPS_MOST = 4000, PARTS = 3 };

static double work_of(const es_split *split, size_t part, size_t source, size_t target) {
    static const es_estimator *const estimators[PARTS] = {
        &es_estimator_linear, &es_estimator_linear, &es_estimator_knife};
    static const char *const presets[PARTS] = {"shrunk", "default", "default"};
    double values[32];
    assert_ok(es_estimator_preset(estimators[part], presets[part], values, NULL));
    es_problem problem = {split, values, 0, 0};
    return es_estimator_cost(estimators[part], &problem, (es_pair_shape){source, target, 0})
        .pair_operations;
}

static size_t read_run(const char *name, lap *out) {
    char path[512];
    es_split *split = NULL;
    (void)snprintf(path, sizeof path, "%s/engine/runs/%s.csv", ES_TEST_DATA, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_ok(es_split_new(1500, 0, 0, &split, NULL));
    size_t count = 0, part, source, target;
    double seconds;
    assert_int_equal(fscanf(file, "%*[^\n]"), 0);
    while (count < LAPS_MOST &&
           fscanf(file, "%zu,%zu,%zu,%lf", &part, &source, &target, &seconds) == 4)
        out[count++] = (lap){part, work_of(split, part, source, target), seconds};
    assert_int_equal(fclose(file), 0);
    es_split_free(split);
    return count;
}

/* The mean of |ln(told / true)| over the run, each moment counted by its length: exp of it is the
 * fold error. Told after every pair, except the last tenth of a second. by_pairs: as if all pairs
 * were alike, to see that the work says more. */
static double fold_error(const char *name, bool by_pairs) {
    static lap run[LAPS_MOST];
    es_pace pace[PARTS] = {{0}};
    double left[PARTS] = {0}, all = 0, now = 0, sum = 0, weight = 0;
    size_t count = read_run(name, run);
    assert_true(count > 400);
    for (size_t i = 0; i < count; i++) {
        run[i].work = by_pairs ? 1 : run[i].work;
        run[i].part = by_pairs ? 0 : run[i].part;
        left[run[i].part] += run[i].work;
        all += run[i].seconds / 2;
    }
    for (size_t i = 0; i < count; i++) {
        double step = run[i].seconds / 2;
        now += step;
        es_pace_add(&pace[run[i].part], now, run[i].work, run[i].seconds);
        left[run[i].part] -= run[i].work;
        double told = es_pace_left(pace, left, PARTS, 2), rest = all - now;
        if (rest < 0.1)
            break;
        sum += step * fabs(log(told / rest));
        weight += step;
    }
    return exp(sum / weight);
}

TEST(pace__recorded_runs__within_a_factor_of_one_and_a_half) {
    static const char *const names[] = {"molecules", "sentences", "images"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double by_work = fold_error(names[i], false), by_pairs = fold_error(names[i], true);
        print_message("%s: fold error %.2f by work, %.2f by pairs\n", names[i], by_work, by_pairs);
        assert_true(by_work < 1.5);
        assert_true(by_work < by_pairs);
    }
}

/* Two threads, each at a pair for half of the time: the rest takes twice as long as its pairs. A
 * few long pairs say nothing of what lies between them. */
TEST(pace__gaps_between_short_pairs__count) {
    es_pace often = {0}, seldom = {0};
    const double left = 1000;
    for (int i = 0; i <= 3000; i++)
        es_pace_add(&often, 0.01 * i, 1, 0.01);
    for (int i = 0; i <= 3; i++)
        es_pace_add(&seldom, 10 * i, 1, 10);
    assert_true(fabs(es_pace_left(&often, &left, 1, 2) - 10) < 0.1);
    assert_true(fabs(es_pace_left(&seldom, &left, 1, 2) - 5000) < 1);
}

/* Results come in batches: a rate is over the time since, not over the batch. */
TEST(laps__batches__are_no_rate_of_their_own) {
    es_laps laps = {0};
    assert_true(es_laps_rate(&laps, 5) == 0);
    for (int batch = 1; batch <= 10; batch++)
        for (int i = 0; i < 4000; i++)
            es_laps_add(&laps, batch + 1e-7 * i, 0);
    assert_true(fabs(es_laps_rate(&laps, 10.001) - 4000) < 10);
    assert_true(fabs(es_laps_rate(&laps, 20) - 2000) < 10);
    assert_true(es_laps_rate(&laps, 100) == 0);
    for (int i = 0; i < 100000; i++) /* more steps than are kept */
        es_laps_add(&laps, 200 + 0.01 * i, 0);
    assert_true(fabs(es_laps_rate(&laps, 1200) - 100) < 2);
}

/* A quick part says nothing of the slow one behind it, nor do its last pairs, which come late. */
TEST(laps__another_part__begins_anew) {
    es_laps laps = {0};
    for (int i = 0; i < 1000; i++)
        es_laps_add(&laps, 0.001 * i, 0);
    assert_true(fabs(es_laps_rate(&laps, 1) - 1000) < 10);
    for (int i = 1; i <= 40; i++) {
        es_laps_add(&laps, 1 + 0.25 * i, 1);
        if (i < 4)
            es_laps_add(&laps, 1 + 0.25 * i, 0);
    }
    assert_true(fabs(es_laps_rate(&laps, 11) - 4) < 0.1);
    es_laps_add(&laps, 14, 0); /* more of the first part, as of a sample that grows */
    assert_true(fabs(es_laps_rate(&laps, 14) - 1.0 / 3) < 0.01);
}
