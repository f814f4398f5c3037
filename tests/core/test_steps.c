/* Rows out of step, in values of rows that are drawn. */
#include "testing.h"
#include "core_ranking.h"

enum { M = 6, ROWS = 300 };

/* Embedders of one group predict each other everywhere, of two groups only outside from..to. */
static size_t find(const unsigned group[M], size_t from, size_t to, es_stretch *first) {
    static float value[M * M][ROWS];
    static double is[M * M];
    float *pmi[M * M];
    bool use[M];
    es_stretch *found = NULL;
    size_t count = 0;
    es_rng rng = test_rng(7, group[0] + 3 * group[1] + from);
    for (size_t k = 0; k < (size_t)M * M; k++) {
        bool own = k / M == k % M, apart = group[k / M] != group[k % M];
        is[k] = own ? 1 : 0.5;
        pmi[k] = value[k];
        use[k / M] = true;
        for (size_t r = 0; r < ROWS; r++)
            value[k][r] = (float)((own                            ? 1
                                   : apart && r >= from && r < to ? 0
                                                                  : 0.5) +
                                  0.4 * es_rng_normal(&rng));
    }
    const es_steps_problem problem = {.is = is, .pmi = pmi, .m = M, .rows = ROWS, .use = use};
    assert_ok(es_steps_find(&problem, &found, &count, test_err()));
    if (count > 0)
        *first = found[0];
    es_free(found);
    return count;
}

TEST(steps__fewer_embedders__are_out_of_step) {
    static const struct {
        unsigned group[M];
        size_t from, to, found, embedder, alike;
    } cases[] = {
        {{0, 0, 0, 0, 0, 0}, 200, ROWS, 0, 0, 0}, {{0, 0, 1, 0, 0, 0}, 200, ROWS, 1, 2, 0},
        {{0, 1, 0, 0, 0, 0}, 0, 80, 1, 1, 0},     {{0, 0, 0, 0, 0, 1}, 100, 180, 1, 5, 0},
        {{0, 1, 0, 0, 1, 0}, 200, ROWS, 2, 1, 1}, {{1, 0, 0, 0, 0, 1}, 60, 150, 2, 0, 1},
        {{0, 1, 0, 1, 0, 1}, 200, ROWS, 0, 0, 0}, /* which half is it? */
        {{0, 1, 0, 0, 2, 0}, 200, ROWS, 2, 1, 0}, /* each in its own way */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        es_stretch x = {0};
        size_t found = find(cases[k].group, cases[k].from, cases[k].to, &x);
        if (found != cases[k].found)
            fail_msg("case %zu: %zu stretches", k, found);
        if (found == 0)
            continue;
        assert_int_equal(x.embedder, cases[k].embedder);
        assert_int_equal(x.alike, cases[k].alike);
        assert_true(x.from + 5 > cases[k].from && x.from < cases[k].from + 5);
        assert_true(x.to + 5 > cases[k].to && x.to < cases[k].to + 5);
    }
}
