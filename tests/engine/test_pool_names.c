/* Files whose names are decomposed, as macOS spells them, are met by names that are composed. */
#include "rooted.h"

#include "settled_pool.h"

#define COMPOSED "mod\xC3\xA8le"
#define DECOMPOSED "mode\xCC\x80le"

enum { N = 20, D = 3 };

static void put(const char *file, double turn) {
    double x[N * D];
    for (size_t i = 0; i < N * D; i++)
        x[i] = sin((double)(i * i) + turn);
    support_write_npy(root, file, N, D, x);
}

static void put_ids(const char *file) {
    char text[N * 8] = "";
    for (size_t i = 0; i < N; i++)
        (void)snprintf(text + strlen(text), 8, "r%zu\n", i);
    support_write_text(root, file, text);
}

TEST(names__decomposed__are_those_composed) {
    static const struct {
        const char *beside, *text; /* one more file, that names the embedder composed */
    } cases[] = {
        {"scores.csv", "model,t\n" COMPOSED ",0.5\nb,0.25\n"},
        {"pool.json", "{\"models\": [{\"file\": \"" COMPOSED ".npy\"}, {\"file\": \"b.npy\"}]}"},
        {"pool.json", "{\"models\": [{\"name\": \"" COMPOSED "\"}, {\"name\": \"b\"}]}"},
        {"families.csv", "model,family\n" COMPOSED ",f\n"},
        {COMPOSED ".ids.txt", NULL},
        {COMPOSED ".queries.npy", ""},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const es_scores *scores = NULL;
        put(DECOMPOSED ".npy", 0.0);
        put("b.npy", 1.0);
        put_ids("b.ids.txt");
        if (!cases[c].text)
            put_ids(cases[c].beside);
        else if (*cases[c].text)
            support_write_text(root, cases[c].beside, cases[c].text);
        else
            put(cases[c].beside, 2.0);
        es_pool *pool = settled_pool(root, NULL);
        size_t at = es_pool_find(pool, COMPOSED);
        assert_int_equal(es_pool_count(pool), 2);
        assert_int_not_equal(at, SIZE_MAX);
        assert_int_equal(es_pool_find(pool, DECOMPOSED), at);
        const es_model *m = es_pool_model(pool, at);
        assert_string_equal(m->name, COMPOSED);
        assert_int_equal(m->state, ES_MODEL_READY);
        assert_ok(es_pool_scores(pool, NULL, &scores, NULL));
        if (c == 0) {
            assert_int_not_equal(es_scores_find(scores, COMPOSED), SIZE_MAX);
            assert_int_not_equal(es_scores_find(scores, DECOMPOSED), SIZE_MAX);
        }
        if (c == 3)
            assert_string_equal(m->family, "f");
        assert_int_equal(m->order, c == 4 ? ES_ORDER_SAME : ES_ORDER_ASSUMED);
        assert_int_equal(es_pool_has_queries(pool), c == 5);
        test_drop(pool);
        support_remove(root);
        assert_int_equal(mkdir(root, 0700), 0);
    }
}

TEST(names__globs__match_either_form) {
    static const char *const globs[] = {COMPOSED, DECOMPOSED, "mod\xC3\xA8*"};
    put(DECOMPOSED ".npy", 0.0);
    put("b.npy", 1.0);
    for (size_t i = 0; i < 3; i++) {
        es_pool *pool = settled_pool(root, &(es_pool_options){.models = globs[i]});
        assert_int_equal(es_pool_count(pool), 1);
        test_drop(pool);
    }
}
