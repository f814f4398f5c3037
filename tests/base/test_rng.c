/* The generator against NumPy's, and the distributions built on it. */
#include "testing.h"
#include "base.h"

/* python3 -c "import numpy as np
 * for k in ([0,0],[1,2],[42,7],[2**64-1,0x123456789ABCDEF]):
 *     print([hex(x) for x in np.random.Philox(key=np.array(k,np.uint64)).random_raw(5)])" */
TEST(rng__words__equal_numpy) {
    static const struct {
        uint64_t seed, stream, words[5];
    } known[] = {
        {0,
         0,
         {0x2f4ba6408e4d89b, 0x3dd62b0b9ca8c5b2, 0x1c8667a55d902e79, 0x907d7a052fd5b4dc,
          0x809bf322883987c3}},
        {1,
         2,
         {0x4f2f4313b5536b09, 0x5b617be3219ff32a, 0x97293476f9275cb, 0xf63f3bf4962c3942,
          0x4dcc60473aa0f43}},
        {42,
         7,
         {0xa64064f34e84b9a3, 0xe287959a866a08fd, 0x8dc181f009b96c03, 0xf3f6001d4fa83454,
          0x69c633ee791df6b3}},
        {UINT64_MAX,
         0x123456789ABCDEF,
         {0x9e954b4ef8d9aaa2, 0xd0f348a816810dc2, 0x6d9c6b86a8d0acc2, 0x4736a149e493167c,
          0x5a8c30c9f5b18d49}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        es_rng rng = test_rng(known[i].seed, known[i].stream);
        for (size_t j = 0; j < 5; j++)
            assert_true(es_rng_u64(&rng) == known[i].words[j]);
    }
}

/* np.random.Philox(key=[1,2], counter=[2**64-1, 2**64-1, 5, 0]) with np.uint64 arrays */
TEST(rng__counter__carries_into_the_next_word) {
    static const uint64_t words[] = {0x566487005a22099c, 0xb53194ee65c59ce4, 0x93808a66c11b9d39,
                                     0xc472ba84ba4f1712};
    es_rng rng = test_rng(1, 2);
    rng.counter[0] = rng.counter[1] = UINT64_MAX;
    rng.counter[2] = 5;
    for (size_t i = 0; i < 4; i++)
        assert_true(es_rng_u64(&rng) == words[i]);
}

TEST(rng__skip__is_as_if_drawn) {
    for (unsigned before = 0; before < 6; before++)
        for (uint64_t count = 0; count < 20; count++) {
            es_rng drawn, skipped;
            es_rng_init(&drawn, 1, 2);
            drawn.counter[0] = UINT64_MAX - 2; /* which carries */
            for (unsigned i = 0; i < before; i++)
                (void)es_rng_u64(&drawn);
            skipped = drawn;
            for (uint64_t i = 0; i < count; i++)
                (void)es_rng_u64(&drawn);
            es_rng_skip(&skipped, count);
            for (size_t i = 0; i < 5; i++)
                assert_true(es_rng_u64(&skipped) == es_rng_u64(&drawn));
        }
}

/* np.random.Generator(np.random.Philox(key=np.array([42,7],np.uint64))).random(5) */
TEST(rng__uniform__equals_numpy) {
    static const double known[] = {0.649420079613736, 0.8848813535936771, 0.5537339411764371,
                                   0.9529724189339113, 0.41318058559510695};
    es_rng rng = test_rng(42, 7);
    for (size_t i = 0; i < 5; i++)
        assert_true(es_rng_uniform(&rng) == known[i]);
}

TEST(rng__normal__has_its_moments) {
    enum { N = 200000 };
    double sum[4] = {0};
    es_rng rng = test_rng(3, 1);
    for (int i = 0; i < N; i++) {
        double z = es_rng_normal(&rng);
        assert_true(isfinite(z));
        sum[0] += z;
        sum[1] += z * z;
        sum[2] += z * z * z;
        sum[3] += z * z * z * z;
    }
    assert_true(fabs(sum[0] / N) < 0.01);       /* sd of the mean 0.0022 */
    assert_true(fabs(sum[1] / N - 1.0) < 0.02); /* 0.0032 */
    assert_true(fabs(sum[2] / N) < 0.04);       /* 0.0087 */
    assert_true(fabs(sum[3] / N - 3.0) < 0.1);  /* 0.022 */
}

TEST(rng__below__stays_below_and_is_even) {
    es_rng rng = test_rng(5, 5);
    unsigned counts[7] = {0};
    for (int i = 0; i < 70000; i++) {
        uint64_t x = es_rng_below(&rng, 7);
        assert_true(x < 7);
        counts[x]++;
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(counts[i], 9500, 10500); /* 10000, sd 93 */
    assert_true(es_rng_below(&rng, 1) == 0);
    for (int i = 0; i < 1000; i++) /* the bound that refuses most draws */
        assert_true(es_rng_below(&rng, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
}

TEST(rng__shuffle__permutes) {
    uint32_t items[100];
    unsigned seen[100] = {0}, fixed = 0;
    for (uint32_t i = 0; i < 100; i++)
        items[i] = i;
    es_rng rng = test_rng(1, 1);
    es_rng_shuffle(&rng, items, 0);
    es_rng_shuffle(&rng, items, 100);
    for (uint32_t i = 0; i < 100; i++) {
        assert_true(items[i] < 100);
        seen[items[i]]++;
        fixed += items[i] == i;
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(seen[i], 1);
    assert_true(fixed < 10);
}

TEST(rng__stream__differs_by_purpose_and_id) {
    uint64_t a = es_rng_stream(ES_STREAM_SPLIT, 1);
    assert_true(a == es_rng_stream(ES_STREAM_SPLIT, 1));
    assert_true(a != es_rng_stream(ES_STREAM_SPLIT, 2));
    assert_true(a != es_rng_stream(ES_STREAM_INIT, 1));
}
