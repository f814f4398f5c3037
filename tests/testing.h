/* What every cmocka test includes: cmocka, and tests that list themselves.
 *
 *     TEST(unit__verb__scenario) { ... }
 *
 * TEST_EACH names what runs around each TEST of the file, TEST_GROUP what runs around them all, and
 * TEST_WITH a test whose surroundings are its own. The tests of a file run in its order. */
#ifndef ES_TESTS_TESTING_H
#define ES_TESTS_TESTING_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base.h"

typedef struct es_test {
    const char *file;
    int line;
    bool is_plain; /* takes the fixture of TEST_EACH */
    struct CMUnitTest test;
    struct es_test *next;
} es_test;

typedef struct es_test_fixture {
    const char *file;
    bool is_group;
    CMFixtureFunction set_up, tear_down;
    struct es_test_fixture *next;
} es_test_fixture;

/** Lists a test, or a fixture, of the file that is compiled; they are kept, not copied. */
void es_test_list(es_test *test);
void es_test_list_fixture(es_test_fixture *fixture);

/** What the program was called with, NULL after the last. */
extern char **es_test_arguments;

/** What a program does instead of testing if its first argument is "child" or "misled". */
extern int (*es_test_child)(char **arguments);

/* ---- assertions ---- */

/** The error that a call fills: empty, and the same one each time. */
es_error *test_err(void);

/** What the last call said to test_err(). */
const char *test_message(void);

/** The call succeeds; if not, the test fails with its message. */
#define assert_ok(call) test_ok((call), #call, __FILE__, __LINE__)
void test_ok(es_status status, const char *call, const char *file, int line);

/** The call ends with this status, and its message contains `part`. */
#define assert_error(call, status, part)                                                           \
    test_error((call), (status), (part), false, #call, __FILE__, __LINE__)

/** The call ends with this status, and this is its message. */
#define assert_error_is(call, status, message)                                                     \
    test_error((call), (status), (message), true, #call, __FILE__, __LINE__)
void test_error(es_status got, es_status expected, const char *message, bool is_whole,
                const char *call, const char *file, int line);

#define assert_contains(text, part) test_contains((text), (part), true, __FILE__, __LINE__)
#define assert_lacks(text, part) test_contains((text), (part), false, __FILE__, __LINE__)
void test_contains(const char *text, const char *part, bool expected, const char *file, int line);

/* ---- what a test makes ---- */

/** Frees `object` by `release` after the test, the last kept first and before the file's fixture
 * tears down; of a group's fixture, after the group. Returns the object; NULL fails the test. */
void *test_keep(void *object, void (*release)(void *));

/** Frees a kept object now. */
void test_drop(void *object);

/** `count` zeroed items of `size`, kept. */
void *test_alloc(size_t count, size_t size);

/** A generator at the start of a stream. */
es_rng test_rng(uint64_t seed, uint64_t stream);

/** An empty buffer, kept. */
es_buf *test_buf(void);

/* ---- lists ---- */

#define TEST_LISTED(name, is_plain, set_up, tear_down)                                             \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void list_##name(void) {                                   \
        static es_test listed = {                                                                  \
            __BASE_FILE__, __LINE__, is_plain, {#name, name, set_up, tear_down, NULL}, NULL};      \
        es_test_list(&listed);                                                                     \
    }                                                                                              \
    static void name(void **state)

#define TEST(name) TEST_LISTED(name, true, NULL, NULL)
#define TEST_WITH(name, set_up, tear_down) TEST_LISTED(name, false, set_up, tear_down)

#define TEST_FIXTURE(name, is_group, set_up, tear_down)                                            \
    __attribute__((constructor)) static void name(void) {                                          \
        static es_test_fixture listed = {__BASE_FILE__, is_group, set_up, tear_down, NULL};        \
        es_test_list_fixture(&listed);                                                             \
    }                                                                                              \
    _Static_assert(true, "a semicolon follows")

#define TEST_EACH(set_up, tear_down) TEST_FIXTURE(list_each, false, set_up, tear_down)
#define TEST_GROUP(set_up, tear_down) TEST_FIXTURE(list_group, true, set_up, tear_down)

#endif
