/* Patterns that took all memory, all time or the whole stack in a C library's regular expressions.
 */
#include <sys/resource.h>
#include <time.h>

#include "testing.h"
#include "app_state.h"

static bool holds(const char *pattern, const char *text) {
    char error[128] = "";
    es_pattern *last = NULL;
    bool found = es_pattern_holds(&last, pattern, text, error, sizeof error);
    es_pattern_free(last);
    assert_string_equal(error, "");
    return found;
}

TEST(pattern__names__are_found_whatever_their_case) {
    assert_true(holds("e5.*large", "multilingual-E5-Large"));
    assert_false(holds("^e5", "multilingual-e5-large"));
    assert_true(holds("^(e5|gte)-[[:alpha:]]+-v[0-9]{1,2}$", "gte-base-v2"));
    assert_true(holds("\\d\\w\\b", "bge-m3x"));
    assert_true(holds("ÉTÉ", "été"));       /* case beyond ASCII */
    assert_true(holds("^...$", "文字化"));  /* characters, not bytes */
    assert_true(holds("b", "a\xff\xfe b")); /* names are any bytes */
    assert_true(holds("", "anything"));
}

TEST(pattern__faulty__says_why) {
    static const char *const faulty[] = {"(", "[a", "a{9999999}", "*", "\\", "\xff"};
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        char error[128] = "", small[4] = "xxx";
        es_pattern *last = NULL;
        assert_true(es_pattern_holds(&last, faulty[i], "name", error, sizeof error));
        assert_true(strlen(error) > 5);
        assert_true(es_pattern_holds(&last, faulty[i], "name", small, sizeof small));
        assert_non_null(memchr(small, '\0', sizeof small));
        assert_null(last); /* nothing to keep */
    }
}

TEST(pattern__costly__is_cheap_or_refused) {
    static const char *const costly[] = {"^(a+)+$",
                                         "(a|a)*$x",
                                         "(.*)*(.*)*(.*)*x",
                                         "(((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+",
                                         "(a{1,200}){1,200}x",
                                         "e5j*{1,99}{1,99}la",
                                         "((((a{1,99}){1,99}){1,99}){1,99}){1,99}",
                                         "(a*)*\\1*\\1*x",
                                         "^(?R)*a",
                                         "(?:a?){500}a{500}x"};
    static char name[4097], nested[512];
    struct rusage before, after;
    memset(name, 'a', sizeof name - 2);
    name[sizeof name - 2] = 'b';
    memset(nested, '(', sizeof nested - 1);
    assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
    for (size_t i = 0; i <= sizeof costly / sizeof *costly; i++) {
        const char *pattern = i < sizeof costly / sizeof *costly ? costly[i] : nested;
        char error[128] = "";
        clock_t start = clock();
        es_pattern *last = NULL;
        bool found = es_pattern_holds(&last, pattern, name, error, sizeof error);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        es_pattern_free(last);
        if (seconds > 0.5)
            fail_msg("%s: %.2f s", pattern, seconds);
        assert_true(found || error[0] == '\0');
        if (i == 0)
            assert_string_equal(error, "that pattern takes too long; try a simpler one");
    }
    assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
    assert_in_range(after.ru_maxrss - before.ru_maxrss, 0, 32 * 1024); /* kB */
}

/* One pattern for many names, and one after the other. */
TEST(pattern__kept__is_compiled_once) {
    char error[128] = "";
    es_pattern *last = NULL;
    assert_true(es_pattern_holds(&last, "a+", "caat", error, sizeof error));
    const es_pattern *first = last;
    assert_non_null(first);
    assert_false(es_pattern_holds(&last, "a+", "dog", error, sizeof error));
    assert_ptr_equal(last, first);
    assert_true(es_pattern_holds(&last, "o", "dog", error, sizeof error));
    assert_false(es_pattern_holds(&last, "a+", "dog", error, sizeof error));
    assert_string_equal(error, "");
    es_pattern_free(last);
}
