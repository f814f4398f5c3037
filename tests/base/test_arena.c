#include "testing.h"
#include "base.h"

TEST(arena__alloc__blocks_are_aligned_and_apart) {
    es_arena *arena = es_arena_new();
    unsigned char *block[200];
    for (size_t i = 0; i < 200; i++) {
        block[i] = es_arena_alloc(arena, i * 991 + 1, 1);
        assert_non_null(block[i]);
        assert_int_equal((uintptr_t)block[i] % 64, 0);
        memset(block[i], (int)i, i * 991 + 1);
    }
    for (size_t i = 0; i < 200; i++) {
        assert_int_equal(block[i][0], i);
        assert_int_equal(block[i][i * 991], i);
    }
    es_arena_free(arena);
}

TEST(arena__reset__keeps_one_block_of_the_peak) {
    es_arena *arena = es_arena_new();
    for (int i = 0; i < 5; i++)
        assert_non_null(es_arena_alloc(arena, 1 << 20, 1));
    es_arena_reset(arena);
    size_t held = es_arena_bytes(arena);
    unsigned long calls = es_alloc_count();
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 5; i++)
            assert_non_null(es_arena_alloc(arena, 1 << 20, 1));
        es_arena_reset(arena);
    }
    assert_int_equal(es_arena_bytes(arena), held);
    assert_int_equal(es_alloc_count(), calls); /* warm: the system is not asked again */
    es_arena_free(arena);
}

TEST(arena__clear__gives_all_back) {
    es_arena *arena = es_arena_new();
    assert_non_null(arena);
    es_arena_clear(arena); /* nothing yet */
    assert_non_null(es_arena_alloc(arena, 1, 3 << 20));
    assert_non_null(es_arena_alloc(arena, 1, 5 << 20));
    es_arena_clear(arena);
    assert_int_equal(es_arena_bytes(arena), 0);
    unsigned char *again = es_arena_alloc(arena, 1, 100);
    assert_non_null(again);
    memset(again, 7, 100);
    es_arena_free(arena);
}

TEST(arena__alloc__reports_overflow_and_lack_of_memory) {
    es_arena *arena = es_arena_new();
    assert_null(es_arena_alloc(arena, SIZE_MAX / 2, 3));
    es_alloc_fail_after(0);
    assert_null(es_arena_alloc(arena, 8 << 20, 1));
    es_alloc_fail_after(-1);
    assert_non_null(es_arena_alloc(arena, 0, 8));
    es_arena_free(arena);
    es_arena_free(NULL);
}
