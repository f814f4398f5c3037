/* Queries that go by their ids: whose vectors are whose, in whatever order each embedder has them.
 */
#include "rooted.h"

#include "settled_pool.h"

enum { N = 20, D = 3, Q = 4 };

/* NAME.npy and NAME.queries.npy, whose query k has the value order[k] first. */
static void put(const char *name, const char *order) {
    double x[N * D], q[Q * D];
    char file[40];
    for (size_t i = 0; i < N * D; i++)
        x[i] = sin((double)(i * i) + name[0]);
    for (size_t i = 0; i < Q * D; i++)
        q[i] = i % D == 0 ? order[i / D] : 0.5;
    (void)snprintf(file, sizeof file, "%s.npy", name);
    support_write_npy(root, file, N, D, x);
    (void)snprintf(file, sizeof file, "%s.queries.npy", name);
    support_write_npy(root, file, Q, D, q);
}

TEST(queries__with_ids__are_put_in_one_order) {
    static const struct {
        const char *a_ids, *b_file, *b_ids, *b_order; /* as b.queries.npy has them */
        const char *ids, *wrong;
    } cases[] = {
        {"p\nq\nr\ns\n", "b.queries.ids.txt", "s\nr\nq\np\n", "srqp", "pqrs", NULL},
        {"p\nq\nr\ns\n", "b.queries.ids.csv", "id\nq\np\nr\ns\n", "qprs", "pqrs", NULL},
        {"p\nq\nr\ns\n", NULL, NULL, "pqrs", "pqrs", NULL}, /* taken to be in that order */
        {NULL, "b.queries.ids.txt", "s\nr\nq\np\n", "pqrs", "srqp", NULL},
        {NULL, NULL, NULL, "pqrs", "", NULL},
        {"p\nq\nr\ns\n", "b.queries.ids.txt", "s\nr\nq\nx\n", "srqp", "pqrs",
         "b: 1 of the 4 queries have no vector of their own by its ids, first \"p\""},
        {"p\nq\nr\ns\n", "b.queries.ids.txt", "s\nr\nq\n", "srqp", "pqrs",
         "b.queries.ids.txt: 3 ids, but there are 4 vectors of queries"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        es_row_ids ids = {0};
        es_matrix m = {0};
        es_digest plain, ordered;
        put("a", "pqrs");
        put("b", cases[c].b_order);
        if (cases[c].a_ids)
            support_write_text(root, "a.queries.ids.txt", cases[c].a_ids);
        es_pool *pool = settled_pool(root, NULL);
        assert_ok(es_pool_queries_digest(pool, 1, &plain, NULL));
        if (cases[c].b_file)
            support_write_text(root, cases[c].b_file, cases[c].b_ids);
        assert_int_equal(es_pool_warnings(pool), 0);
        assert_ok(es_pool_query_ids(pool, &ids, NULL));
        assert_int_equal(ids.n, strlen(cases[c].ids));
        for (size_t k = 0; k < ids.n; k++)
            assert_int_equal(es_row_ids_get(&ids, k, NULL)[0], cases[c].ids[k]);
        es_status st = es_pool_queries(pool, 1, &m, test_err());
        assert_int_equal(st, cases[c].wrong ? ES_EFORMAT : ES_OK);
        if (cases[c].wrong && !strstr(test_message(), cases[c].wrong))
            fail_msg("case %zu: %s", c, test_message());
        for (size_t k = 0; st == ES_OK && k < Q; k++)
            assert_true(m.x[k * D] == "pqrs"[k]);
        bool moved = strcmp(cases[c].b_order, "pqrs") != 0;
        if (st == ES_OK) {
            assert_ok(es_pool_queries_digest(pool, 1, &ordered, NULL));
            assert_int_equal(es_digest_equal(plain, ordered), !moved);
        }
        es_matrix_free(&m);
        es_row_ids_deinit(&ids);
        test_drop(pool);
        support_remove(root);
        assert_int_equal(mkdir(root, 0700), 0);
    }
}

TEST(query_ids__of_no_embedder__are_told) {
    put("a", "pqrs");
    put("b", "pqrs");
    support_write_text(root, "A.queries.ids.txt", "p\nq\nr\ns\n");
    es_pool *pool = settled_pool(root, NULL);
    assert_int_equal(es_pool_warnings(pool), 1);
    assert_contains(es_pool_warning(pool, 0),
                    "if it holds the ids of queries of a, call it a.queries.ids.txt");
}
