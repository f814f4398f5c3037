/* Communities and dendrograms found by workers, of a finished matrix. */
#include "support.h"

#include <poll.h>

#include "engine_session.h"
#include "keeping.h"

enum { M = 60 };

static es_session *open_matrix(char *dir) {
    static char text[M * M * 12];
    size_t used = 0;
    support_temp_dir(dir);
    for (int j = 0; j < M; j++)
        used += (size_t)sprintf(text + used, ",m%d", j);
    for (int i = 0; i < M; i++) {
        used += (size_t)sprintf(text + used, "\nm%d", i);
        for (int j = 0; j < M; j++)
            used += (size_t)sprintf(text + used, ",%.4f",
                                    (i % 4 == j % 4 ? 0.7 : 0.2) + (i * 31 + j * 17) % 23 * 0.003);
    }
    (void)sprintf(text + used, "\n");
    support_write_text(dir, "is.csv", text);
    es_session *s = NULL;
    const es_matrix_files files = {.matrix = support_in(dir, "is.csv")};
    assert_ok(es_session_open_matrix(&files, &s, test_err()));
    return keep_session(s);
}

static es_structure *of(es_session *s) {
    return es_session_structure(s);
}

static void wait_for(es_session *s, es_structure_look (*look)(const es_structure *)) {
    while (look(of(s)).busy) {
        struct pollfd wake = {es_session_fd(s), POLLIN, 0};
        (void)poll(&wake, 1, 1000);
        (void)es_session_pump(s, 0);
    }
}

TEST(structure__families__are_those_of_core_and_taken_once) {
    char dir[SUPPORT_PATH];
    es_session *s = open_matrix(dir);
    const double *is = es_session_results(s, 0)->is;
    const es_louvain problem = {.is = is, .m = M, .resolution = 1};
    es_communities *expected = NULL;
    double *means = NULL, inside[2 * M], between[M * M];
    assert_null(es_structure_families_take(of(s), &means));
    assert_ok(es_structure_families_start(of(s), &problem, 7, NULL));
    assert_true(es_structure_families(of(s)).busy);
    wait_for(s, es_structure_families);
    assert_int_equal(es_structure_families(of(s)).tag, 7);
    assert_int_equal(es_structure_families(of(s)).runs, ES_LOUVAIN_RUNS);
    es_communities *found = es_structure_families_take(of(s), &means);
    assert_non_null(found);
    assert_ok(es_communities_new(&problem, NULL, &expected, NULL));
    assert_int_equal(found->groups, 4);
    assert_memory_equal(found->group, expected->group, M * sizeof *found->group);
    assert_true(found->agreement == expected->agreement);
    assert_ok(es_communities_means(is, expected, inside, between, NULL));
    assert_memory_equal(means, inside, found->listed * sizeof *means);
    assert_memory_equal(means + found->listed, between, 16 * sizeof *means);
    assert_null(es_structure_families_take(of(s), &(double *){NULL}));
    es_communities_free(found);
    es_communities_free(expected);
    es_free(means);
}

/* What is not the session's own matrix may change: it is copied, with its errors, which are so
 * large here that there is no edge. */
TEST(structure__asked_again__only_the_newest_counts) {
    char dir[SUPPORT_PATH];
    es_session *s = open_matrix(dir);
    double *own = test_keep(es_alloc(M * M, sizeof *own), es_free),
           *se = test_keep(es_alloc(M * M, sizeof *se), es_free), *means = NULL;
    for (size_t k = 0; k < (size_t)M * M; k++)
        se[k] = 1e3;
    memcpy(own, es_session_results(s, 0)->is, M * M * sizeof *own);
    es_louvain problem = {.is = own, .m = M, .resolution = 1};
    assert_ok(es_structure_families_start(of(s), &problem, 1, NULL));
    problem.se = se;
    problem.runs = 1;
    assert_ok(es_structure_families_start(of(s), &problem, 2, NULL));
    memset(se, 0, (size_t)M * M * sizeof *se);
    wait_for(s, es_structure_families);
    assert_int_equal(es_structure_families(of(s)).tag, 2);
    es_communities *found = es_structure_families_take(of(s), &means);
    assert_non_null(found);
    assert_int_equal(found->groups, M);
    es_communities_free(found);
    es_free(means);
}

/* The nodes of a live graph go on from where they are. */
TEST(structure__places__are_those_of_core) {
    char dir[SUPPORT_PATH];
    es_session *s = open_matrix(dir);
    const double *is = es_session_results(s, 0)->is;
    es_force *expected = NULL, *found[2] = {NULL, NULL};
    assert_ok(es_force_of(is, M, 0, NULL, &expected, NULL));
    assert_int_equal(expected->pairs, M * (M - 1) / 2);
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(es_structure_places_start(of(s), is, M, found[0], 3 + (unsigned)turn, NULL));
        wait_for(s, es_structure_places);
        assert_int_equal(es_structure_places(of(s)).tag, 3 + turn);
        found[turn] = es_structure_places_take(of(s));
        assert_non_null(found[turn]);
        assert_null(es_structure_places_take(of(s)));
        if (turn > 0) {
            memcpy(expected->x, found[0]->x, M * sizeof *expected->x);
            memcpy(expected->y, found[0]->y, M * sizeof *expected->y);
            expected->step = ES_FORCE_STEPS / 2;
        }
        (void)es_force_move(expected, ES_FORCE_STEPS);
        assert_int_equal(found[turn]->step, ES_FORCE_STEPS);
        assert_memory_equal(found[turn]->x, expected->x, M * sizeof *expected->x);
        assert_memory_equal(found[turn]->y, expected->y, M * sizeof *expected->y);
        assert_int_equal(found[turn]->edges, expected->edges);
        assert_memory_equal(found[turn]->edge, expected->edge,
                            expected->edges * sizeof *expected->edge);
    }
    es_force_free(expected);
    es_force_free(found[0]);
    es_force_free(found[1]);
}

TEST(structure__no_memory__is_reported) {
    char dir[SUPPORT_PATH];
    es_session *s = open_matrix(dir);
    double *own = test_keep(es_alloc(M * M, sizeof *own), es_free), *means = NULL;
    memcpy(own, es_session_results(s, 0)->is, M * M * sizeof *own);
    const es_louvain problem = {.is = own, .m = M, .resolution = 1};
    es_status st = ES_ENOMEM;
    size_t refused = 0;
    for (long k = 0; st != ES_OK; k++) {
        es_alloc_fail_after(k);
        st = es_structure_families_start(of(s), &problem, 1, NULL);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK || st == ES_ENOMEM);
        refused += st != ES_OK;
    }
    assert_true(refused >= 2); /* the work and its matrix at least */
    wait_for(s, es_structure_families);
    es_communities *found = es_structure_families_take(of(s), &means);
    assert_non_null(found);
    assert_int_equal(found->groups, 4);
    es_communities_free(found);
    es_free(means);
}

TEST(structure__closed_meanwhile__does_not_wait) {
    char dir[SUPPORT_PATH];
    es_session *s = open_matrix(dir);
    const double *is = es_session_results(s, 0)->is;
    const es_louvain problem = {.is = is, .m = M, .resolution = 1, .runs = 1000000};
    assert_ok(es_structure_families_start(of(s), &problem, 1, NULL));
    assert_ok(es_structure_dendrogram_start(of(s), is, M, 1, NULL));
    wait_for(s, es_structure_dendrogram); /* a worker of its own */
    assert_true(es_structure_families(of(s)).busy);
    es_linkage *linkage = es_structure_dendrogram_take(of(s));
    assert_non_null(linkage);
    assert_int_equal(linkage->m, M);
    es_linkage *expected = NULL;
    assert_ok(es_linkage_cluster(is, M, NULL, &expected, NULL));
    assert_memory_equal(linkage->order, expected->order, M * sizeof *expected->order);
    es_linkage_free(expected);
    es_linkage_free(linkage); /* hangs for hours if it waits */
}
