/* Orders of embedders, and joining names. */
#include "table.h"

#include "core_ranking.h"
#include "core_structure.h"

static const char *const name[] = {"e5-10", "e5-2", "bert", "zeta", "alpha"};
static const uint32_t rank[] = {2, 0, 1, 4, 2}, group[] = {1, 1, 0, 2, 2},
                      leaves[] = {4, 2, 0, 1, 3};
static const size_t dim[] = {768, 384, 768, 32, 768};

static void expect(es_order_kind kind, const es_order_keys *keys, const uint32_t *expected) {
    uint32_t order[5];
    assert_ok(es_order_make(kind, keys, order, NULL));
    for (size_t k = 0; k < 5; k++)
        if (order[k] != expected[k])
            fail_msg("order %d: place %zu has %u, not %u", (int)kind, k, order[k], expected[k]);
}

TEST(order__each_kind__sorts_by_its_key) {
    const es_order_keys keys = {5, name, rank, dim, group, leaves};
    expect(ES_ORDER_NAME, &keys, (const uint32_t[]){4, 2, 1, 0, 3});
    expect(ES_ORDER_RANK, &keys, (const uint32_t[]){2, 4, 0, 3, 1});
    expect(ES_ORDER_DIM, &keys, (const uint32_t[]){3, 1, 2, 4, 0});
    expect(ES_ORDER_COMMUNITY, &keys, (const uint32_t[]){0, 1, 4, 3, 2});
    expect(ES_ORDER_CLUSTER, &keys, leaves);
}

/* Numbers of communities only tell them apart; of equal sizes the one with the best member is
 * first. */
TEST(order__any_group_numbers__sort_alike) {
    static const uint32_t places[] = {5, 1, 4, 2, 3}, far[] = {9, 70, 9, 4000000000U, 70};
    const es_order_keys keys = {.m = 5, .rank = places, .group = far};
    expect(ES_ORDER_COMMUNITY, &keys, (const uint32_t[]){1, 4, 2, 0, 3});
}

TEST(order__missing_keys__fall_back) {
    const es_order_keys bare = {.m = 5}, ranked = {.m = 5, .rank = rank};
    for (int kind = ES_ORDER_NAME; kind <= ES_ORDER_CLUSTER; kind++)
        expect((es_order_kind)kind, &bare, (const uint32_t[]){0, 1, 2, 3, 4});
    expect(ES_ORDER_COMMUNITY, &ranked, (const uint32_t[]){2, 0, 4, 3, 1});
}

TEST(names__each_rule__proposes) {
    const char *const a[] = {"intfloat/e5-small", "BGE_base", "same",  "gtr",
                             "org/dup",           "m-2-10",   "a/one", "Same"};
    const char *const b[] = {"E5-Small", "bge-base", "same",   "GTR",
                             "dup",      "DUP",      "m-21-0", "b/one"};
    const es_name_match how[] = {ES_NAME_OWNER, ES_NAME_SEPARATOR, ES_NAME_EXACT, ES_NAME_CASE,
                                 ES_NAME_NONE,  ES_NAME_NONE,      ES_NAME_NONE,  ES_NAME_NONE};
    const size_t partner[] = {0, 1, 2, 3, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    size_t got[8];
    es_name_match why[8];
    assert_ok(es_names_match(a, 8, b, 8, got, why, NULL));
    for (size_t i = 0; i < 8; i++)
        if (got[i] != partner[i] || why[i] != how[i])
            fail_msg("%s: joined with %zu by rule %d", a[i], got[i], (int)why[i]);
}

TEST(names__separators_between_digits__matter) {
    const char *const a[] = {"v1.5", "bert base", "x_1-2"};
    const char *const b[] = {"v15", "BertBase", "x1.2"};
    size_t got[3];
    es_name_match why[3];
    assert_ok(es_names_match(a, 3, b, 3, got, why, NULL));
    assert_int_equal(why[0], ES_NAME_NONE);
    assert_int_equal(why[1], ES_NAME_SEPARATOR);
    assert_int_equal(why[2], ES_NAME_SEPARATOR);
    assert_ok(es_names_match(a, 3, b, 0, got, why, NULL));
    assert_int_equal(why[1], ES_NAME_NONE);
    assert_ok(es_names_match(a, 0, b, 3, got, why, NULL));
}

/* Revisions, endings and notes behind a name are no other model; numbers in brackets are. */
TEST(names__what_is_added_at_the_end__is_proposed) {
    static const struct {
        const char *a, *b;
        es_name_match how;
    } cases[] = {
        {"e5-small", "intfloat/e5-small@8e0c1d5", ES_NAME_ADDED},
        {"e5-small.npy", "e5-small", ES_NAME_ADDED},
        {"e5_small", "E5-small (ours)", ES_NAME_ADDED},
        {"e5", "e5 [re-run] @main", ES_NAME_ADDED},
        {"a/e5.safetensors", "e5 (ours)", ES_NAME_ADDED},
        {"x/e5", "x/e5@v1", ES_NAME_ADDED},
        {"x/e5", "y/e5@v1", ES_NAME_NONE},
        {"e5", "e5 (2)", ES_NAME_NONE},
        {"e5", "(ours)", ES_NAME_NONE},
        {"e5", "@e5", ES_NAME_NONE},
        {"e5", "e6.npy", ES_NAME_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t partner;
        es_name_match how;
        assert_ok(es_names_match(&cases[i].a, 1, &cases[i].b, 1, &partner, &how, NULL));
        if (how != cases[i].how)
            fail_msg("%s, %s: %d", cases[i].a, cases[i].b, (int)how);
        assert_ok(es_names_match(&cases[i].b, 1, &cases[i].a, 1, &partner, &how, NULL));
        assert_int_equal(how, cases[i].how);
    }
}

TEST(names__one_name_for_two__is_not_proposed) {
    const char *const a[] = {"x/model", "y/model"}, *const b[] = {"Model"};
    size_t got[2];
    es_name_match why[2];
    assert_ok(es_names_match(a, 2, b, 1, got, why, NULL));
    assert_int_equal(why[0], ES_NAME_NONE);
    assert_int_equal(why[1], ES_NAME_NONE);
    assert_true(got[0] == SIZE_MAX && got[1] == SIZE_MAX);
}
