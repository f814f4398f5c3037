/* UTF-8, cleaning, number parsing, natural order and globs. */
#include <time.h>

#include "testing.h"
#include "base.h"
#include "sanitized.h"

TEST(utf8__round_trip__every_code_point) {
    for (uint32_t c = 0; c < 0x110000; c++) {
        char bytes[4];
        size_t count = es_utf8_encode(c, bytes);
        if (c >= 0xD800 && c < 0xE000) {
            assert_int_equal(count, 0);
            continue;
        }
        uint32_t back = 0;
        assert_int_equal(es_utf8_decode(bytes, count, &back), count);
        assert_int_equal(back, c);
        if (count > 1) { /* cut short: one byte, U+FFFD */
            assert_int_equal(es_utf8_decode(bytes, count - 1, &back), 1);
            assert_int_equal(back, 0xFFFD);
        }
    }
    char bytes[4];
    assert_int_equal(es_utf8_encode(0x110000, bytes), 0);
}

TEST(utf8__decode__refuses_invalid) {
    static const char *const bad[] = {
        "\x80",             /* continuation alone */
        "\xC0\x80",         /* overlong NUL */
        "\xC1\xBF",         /* overlong DEL */
        "\xE0\x80\xAF",     /* overlong slash */
        "\xF0\x80\x80\xAF", /* the same in four bytes */
        "\xED\xA0\x80",     /* surrogate */
        "\xF4\x90\x80\x80", /* beyond U+10FFFF */
        "\xF8\x88\x80\x80", /* five-byte form */
        "\xFF",
        "\xE2\x28\xA1",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t c = 0;
        assert_int_equal(es_utf8_decode(bad[i], strlen(bad[i]), &c), 1);
        assert_int_equal(c, 0xFFFD);
    }
    uint32_t c = 1;
    assert_int_equal(es_utf8_decode("", 0, &c), 0);
}

static void check_clean(const char *text, size_t max_bytes, const char *expected) {
    char *clean = es_text_clean(text, strlen(text), max_bytes);
    assert_non_null(clean);
    assert_string_equal(clean, expected);
    es_free(clean);
}

TEST(text__clean__replaces_what_must_not_be_shown) {
    check_clean("e5-small/été 中 ✓", 0, "e5-small/été 中 ✓");
    check_clean("a\x1b[31mb", 0, "a\xEF\xBF\xBD[31mb");
    check_clean("a\nb\tc\x7f", 0,
                "a\xEF\xBF\xBD"
                "b\xEF\xBF\xBD"
                "c\xEF\xBF\xBD");
    check_clean("\xC2\x9B"
                "31m",
                0,
                "\xEF\xBF\xBD"
                "31m");                                     /* C1 CSI */
    check_clean("x\xE2\x80\xAEgpj", 0, "x\xEF\xBF\xBDgpj"); /* right-to-left override */
    check_clean("\xF3\xA0\x81\x81", 0, "\xEF\xBF\xBD");     /* tag character */
    check_clean("\xEF\xBF\xBE", 0, "\xEF\xBF\xBD");         /* non-character */
    check_clean("\xFF\xFE", 0, "\xEF\xBF\xBD\xEF\xBF\xBD");
    check_clean("", 0, "");
}

/* Letters with marks are one character, however they came; joiners stay, direction marks do not. */
TEST(text__clean__composes_and_keeps_joiners) {
    static const struct {
        const char *text, *clean;
    } cases[] = {
        {"mode\xCC\x80le", "mod\xC3\xA8le"},
        {"u\xCC\x88"
         "ber",
         "\xC3\xBC"
         "ber"},
        {"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", "\xED\x95\x9C"}, /* Hangul */
        {"q\xCC\x88", "q\xCC\x88"},                               /* there is no such letter */
        {"e\xCC\x81\xFF", "\xC3\xA9\xEF\xBF\xBD"},
        {"\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE", "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE"},
        {"\xE0\xA4\x95\xE0\xA5\x8D\xE2\x80\x8D\xE0\xA4\xB7", /* Devanagari */
         "\xE0\xA4\x95\xE0\xA5\x8D\xE2\x80\x8D\xE0\xA4\xB7"},
        {"a\xE2\x80\x8E", "a\xEF\xBF\xBD"},
        {"a\xE2\x80\x8F", "a\xEF\xBF\xBD"},
        {"a\xE2\x80\x8B", "a\xEF\xBF\xBD"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_clean(cases[i].text, 0, cases[i].clean);
    check_clean("xe\xCC\x81", 2, "x"); /* cut after it was composed */
    check_clean("xe\xCC\x81", 3, "x\xC3\xA9");
}

TEST(text__same__goes_by_form_c) {
    size_t length;
    assert_true(es_text_same("a", "a"));
    assert_false(es_text_same("a", "b"));
    assert_true(es_text_same("e\xCC\x81-1", "\xC3\xA9-1"));
    assert_false(es_text_same("e\xCC\x81", "e"));
    assert_false(es_text_same("e\xCC\x81", "\xC3\xA8"));
    assert_true(es_text_same("\xFF", "\xFF"));
    assert_false(es_text_same("\xFF", "\xFE"));
    char *raw = es_text_nfc("\xFF\0b", 3, &length);
    assert_int_equal(length, 3);
    assert_memory_equal(raw, "\xFF\0b", 4);
    es_free(raw);
}

TEST(text__clean__cuts_at_a_character) {
    check_clean("abc", 2, "ab");
    check_clean("aéb", 2, "a");
    check_clean("aéb", 3, "aé");
    char out[6];
    assert_int_equal(es_text_clean_into(out, sizeof out, "中中", 6), 3);
    assert_string_equal(out, "中");
    char one[1] = {'x'};
    assert_int_equal(es_text_clean_into(one, 1, "abc", 3), 0);
    assert_int_equal(one[0], 0);
}

static int sign(int x) {
    return (x > 0) - (x < 0);
}

TEST(text__natural_cmp__is_a_total_order) {
    static const char *const sorted[] = {
        "",
        "0",
        "00",
        "1",
        "2",
        "10",
        "99999999999999999999998",
        "99999999999999999999999",
        "B",
        "a",
        "a-",
        "a1",
        "a01",
        "a1b",
        "a01b",
        "a2",
        "a10",
        "a10b2",
        "a10b10",
        "b",
        "\xC3\xA9",
    };
    enum { N = sizeof sorted / sizeof *sorted };
    /* "a01" < "a1" by bytes, and digits < letters: put the list into the order the rule gives */
    const char *list[N];
    memcpy(list, sorted, sizeof list);
    for (size_t i = 1; i < N; i++)
        for (size_t j = i; j > 0 && es_text_natural_cmp(list[j], list[j - 1]) < 0; j--) {
            const char *t = list[j];
            list[j] = list[j - 1];
            list[j - 1] = t;
        }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            assert_int_equal(sign(es_text_natural_cmp(list[i], list[j])), sign((int)i - (int)j));
    assert_true(es_text_natural_cmp("e5-2", "e5-10") < 0);
    assert_true(es_text_natural_cmp("e5-10", "e5-2") > 0);
    assert_true(es_text_natural_cmp("e5-02", "e5-2") < 0);
    assert_true(es_text_natural_cmp("v1.9.0", "v1.10.0") < 0);
    assert_true(es_text_natural_cmp("z", "\xC3\xA9") < 0);
}

TEST(text__glob__matches_like_a_shell) {
    static const struct {
        const char *pattern, *name;
        bool match;
    } cases[] = {
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"*", "a/b", true},
        {"?", "", false},
        {"?", "é", true},
        {"??", "é", false},
        {"a*c", "abc", true},
        {"a*c", "abcd", false},
        {"e5-*", "e5-small", true},
        {"*/e5", "intfloat/e5", true},
        {"*small*", "e5-small", true},
        {"[a-c]x", "bx", true},
        {"[a-c]x", "dx", false},
        {"[!a-c]x", "dx", true},
        {"[!a-c]x", "ax", false},
        {"[]]", "]", true},
        {"[a-]", "-", true},
        {"[a", "[a", true},
        {"[a", "a", false},
        {"\\*", "*", true},
        {"\\*", "a", false},
        {"a\\", "a\\", true},
        {"[\\]]", "]", true},
        {"[é-ü]", "ö", true},
        {"**a**", "bab", true},
        {"a*b*c", "aXbYbc", true},
        {"A", "a", false},
        {"*[0-9]", "pca64", true},
        {"*[0-9]", "pca", false},
        {"mode\xCC\x80*", "mod\xC3\xA8le", true},
        {"mod\xC3\xA8l?", "mode\xCC\x80le", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (es_text_glob(cases[i].pattern, cases[i].name) != cases[i].match)
            fail_msg("glob '%s' on '%s'", cases[i].pattern, cases[i].name);
}

TEST(text__glob__is_never_exponential) {
    char name[4001];
    memset(name, 'a', 4000);
    name[4000] = '\0';
    assert_false(es_text_glob("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", name));
}

TEST(text__parse_double__equals_strtod) {
    static const char *const good[] = {
        "0",
        "-0",
        "1",
        "+1",
        "1.",
        ".5",
        "-.5e1",
        "1e5",
        "1E-5",
        "  3.25\t",
        "0.1",
        "1e22",
        "1e23",
        "123456789012345678",
        "9007199254740993",
        "1.7976931348623157e308",
        "4.9e-324",
        "2.5e-324",
        "1e400",
        "-1e400",
        "1e-400",
        "0.000000000000000000000000000012345",
        "1e99999999999999999",
        "0e999999",
        "8.41e21",
        "5e-1",
        "179769313486231580793728971405301e276",
        "0.500000000000000166533453693773481063544750213623046875",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = 77, expected = strtod(good[i], NULL);
        if (!es_text_parse_double(good[i], strlen(good[i]), &value) || value != expected ||
            signbit(value) != signbit(expected))
            fail_msg("'%s' read as %.17g", good[i], value);
    }
    es_rng rng = test_rng(11, 0);
    for (int i = 0; i < 20000; i++) { /* short and long mantissas, all exponents */
        char text[64];
        int digits = 1 + (int)es_rng_below(&rng, 20);
        double x = es_rng_uniform(&rng), value = 0;
        int length = snprintf(text, sizeof text, "%.*fe%d", digits, x * 100.0,
                              (int)es_rng_below(&rng, 70) - 35);
        assert_true(es_text_parse_double(text, (size_t)length, &value));
        assert_true(value == strtod(text, NULL));
    }
}

/* What takes the short way with 64 bits of mantissa, and halves that must not: strtod is the twin.
 */
TEST(text__parse_double__rounds_long_numbers_as_strtod) {
    es_rng rng = test_rng(5, 0);
    for (size_t i = 0; i < 100000; i++) {
        char text[64];
        uint64_t bits = es_rng_u64(&rng);
        unsigned shift = (unsigned)(es_rng_u64(&rng) % 60);
        double value = 0;
        if (i % 3 == 0)
            (void)snprintf(text, sizeof text, "%.17g", (double)((float)(bits >> 40) * 0x1p-24f));
        else if (i % 3 == 1)
            (void)snprintf(text, sizeof text, "%llue%d", (unsigned long long)(bits >> shift),
                           (int)shift - 30);
        else
            (void)snprintf(text, sizeof text, "%llu.%d", (unsigned long long)(bits >> 10 | 1),
                           shift % 2 ? 5 : 0);
        assert_true(es_text_parse_double(text, strlen(text), &value));
        if (value != strtod(text, NULL))
            fail_msg("'%s' was read as %.17g", text, value);
    }
}

TEST(text__parse_double__reads_words) {
    double value = 0;
    assert_true(es_text_parse_double("NaN", 3, &value) && isnan(value));
    assert_true(es_text_parse_double("-Inf", 4, &value) && isinf(value) && value < 0);
    assert_true(es_text_parse_double("INFINITY", 8, &value) && isinf(value) && value > 0);
}

TEST(text__parse_double__refuses_the_rest) {
    static const char *const bad[] = {"",     " ",   "-",    ".",     "e5",  "1e",   "1e+",
                                      "0x1",  "1,5", "1 2",  "abc",   "--1", "1..2", "na",
                                      "nanx", "1f",  "1e5.", "infin", "+-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value = 77;
        if (es_text_parse_double(bad[i], strlen(bad[i]), &value) || value != 77)
            fail_msg("'%s' was read as %g", bad[i], value);
    }
    char *longest = es_alloc(2001, 1);
    assert_non_null(longest);
    memset(longest, '1', 2000);
    double value = 77;
    assert_false(es_text_parse_double(longest, 2000, &value));
    assert_true(es_text_parse_double(longest, 300, &value));
    es_free(longest);
}

/* ---- Short names ---- */

static double columns(const void *context, const char *utf8) {
    (void)context;
    uint32_t code;
    double sum = 0;
    for (size_t length = strlen(utf8), used; length > 0; utf8 += used, length -= used) {
        used = es_utf8_decode(utf8, length, &code);
        sum += code >= 0x300 && code < 0x370 ? 0 : code >= 0x4E00 && code < 0xA000 ? 2 : 1;
    }
    return sum;
}

static const es_ruler ruler = {columns, NULL, "…"};

TEST(short_names__long_ones__keep_what_tells_them_apart) {
    static const char *const name[] = {
        "Alibaba-NLP/gte-multilingual-base-to-256-dimensions",
        "Alibaba-NLP/gte-multilingual-base-to-512-dimensions",
        "sentence-transformers/all-mpnet-base-v2",
        "e5-small",
        "intfloat/multilingual-e5-large-instruct",
        "somebody/multilingual-e5-large-instruct",
    };
    const struct {
        double room;
        const char *shown[6];
    } cases[] = {
        {60, {name[0], name[1], name[2], name[3], name[4], name[5]}},
        {32,
         {"…gte-multilingual-base-to-256-d…", "…gte-multilingual-base-to-512-d…",
          "sentence-tran…/all-mpnet-base-v2", "e5-small", "intfloat/multilingual-e…instruct",
          "somebody/multilingual-e…instruct"}},
        {24,
         {"…gte-multili…256-dimens…", "…gte-multili…512-dimens…", "sente…/all-mpnet-base-v2",
          "e5-small", "intfloat/multiling…truct", "somebody/multiling…truct"}},
        {12,
         {"…gte-…256-d…", "…gte-…512-d…", "…all-mp…e-v2", "e5-small", "intflo…mul…t",
          "somebo…mul…t"}},
    };
    char *out[6];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(es_short_names_make(name, 6, cases[i].room, &ruler, out, NULL));
        for (size_t k = 0; k < 6; k++)
            assert_string_equal(out[k], cases[i].shown[k]);
        es_short_names_free(out, 6);
    }
}

/* Files of a hub's models are often called so. */
TEST(short_names__publishers_in_files__go_first) {
    static const char *const name[] = {"sentence-transformers__all-mpnet-base-v2", "e5-small"};
    char *out[2];
    assert_ok(es_short_names_make(name, 2, 20, &ruler, out, NULL));
    assert_string_equal(out[0], "…all-mpnet-base-v2");
    es_short_names_free(out, 2);
}

TEST(short_names__steps_of_a_run__drop_what_all_share) {
    static const char *const name[] = {"my-long-experiment-step-100",
                                       "my-long-experiment-step-2000",
                                       "my-long-experiment-step-30000"};
    char *out[3];
    assert_ok(es_short_names_make(name, 3, 7, &ruler, out, NULL));
    assert_string_equal(out[0], "…100");
    assert_string_equal(out[1], "…2000");
    assert_string_equal(out[2], "…30000");
    es_short_names_free(out, 3);
}

/* Names that differ at three places are told by their words, as long as there is room for those. */
TEST(short_names__several_differences__are_all_shown) {
    enum { NAMES = 16 };
    static const char *const size[] = {"base", "large"}, *const dims[] = {"128", "256"},
                             *const suffix[] = {"", "-rev2", "-rev3", "-rev4"};
    char text[NAMES][100], *out[NAMES];
    const char *name[NAMES];
    for (size_t i = 0; i < NAMES; i++) {
        (void)snprintf(text[i], sizeof *text, "org/gte-%s-en-truncated-to-%s-dimensions%s",
                       size[i % 2], dims[i / 2 % 2], suffix[i / 4]);
        name[i] = text[i];
    }
    for (double room = 18; room < 40; room++) {
        assert_ok(es_short_names_make(name, NAMES, room, &ruler, out, NULL));
        for (size_t i = 0; i < NAMES; i++)
            assert_null(strchr(out[i], '~'));
        if (room < 19)
            assert_string_equal(out[7], "…large-e…256…-rev2");
        es_short_names_free(out, NAMES);
    }
}

/* Any names of a few words from a few words, where many are alike: in any room from that of a
 * number on, no two read the same, none is too wide, and none is cut that fits. */
TEST(short_names__any_names__never_read_the_same) {
    enum { NAMES = 60 };
    static const char *const word[] = {"gte", "base", "large", "256",         "512",
                                       "-",   "/",    "大型",  "e5",          "v2",
                                       "_",   "é",    "\xff",  "multilingual"};
    es_rng rng = test_rng(5, 0);
    char text[NAMES][200], *out[NAMES];
    const char *name[NAMES];
    for (size_t i = 0; i < NAMES; i++) {
        do {
            text[i][0] = '\0';
            for (size_t k = 0; k < 3 + i % 8; k++)
                strcat(text[i], word[es_rng_below(&rng, sizeof word / sizeof *word)]);
            name[i] = text[i];
        } while (es_text_index(name, i, text[i]) != SIZE_MAX);
    }
    for (double room = 4; room < 60; room++) {
        assert_ok(es_short_names_make(name, NAMES, room, &ruler, out, NULL));
        for (size_t i = 0; i < NAMES; i++) {
            assert_true(columns(NULL, out[i]) <= room);
            if (columns(NULL, name[i]) <= room && room > 6)
                assert_string_equal(out[i], name[i]);
            assert_int_equal(es_text_index((const char *const *)out, NAMES, out[i]), i);
        }
        es_short_names_free(out, NAMES);
    }
}

static int by_spelling(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Thousands of names that read the same in little room: numbers, at once and in order. */
TEST(short_names__thousands_alike__have_numbers) {
    enum { NAMES = 3000, SECONDS = 5 }; /* 12 s if each were told by words */
    static char text[NAMES][60], *out[NAMES];
    static const char *name[NAMES];
    for (size_t i = 0; i < NAMES; i++) {
        (void)snprintf(text[i], sizeof *text, "organization-%zu__gte-%s-en-ft%02zu-step%zu", i % 9,
                       i % 2 ? "large" : "small", i / 100, i);
        name[i] = text[i];
    }
    clock_t before = clock();
    assert_ok(es_short_names_make(name, NAMES, 10, &ruler, out, NULL));
    assert_true(SANITIZED || (double)(clock() - before) / CLOCKS_PER_SEC < SECONDS);
    qsort(out, NAMES, sizeof *out, by_spelling);
    for (size_t i = 1; i < NAMES; i++)
        assert_string_not_equal(out[i - 1], out[i]);
    es_short_names_free(out, NAMES);
}

TEST(short_names__no_memory__is_reported) {
    static const char *const name[] = {"org/gte-base-256-dimensions",
                                       "org/gte-base-512-dimensions"};
    char *out[2];
    es_status status = ES_ENOMEM;
    long after = 0;
    for (; status != ES_OK; after++) {
        es_alloc_fail_after(after);
        status = es_short_names_make(name, 2, 14, &ruler, out, test_err());
        es_alloc_fail_after(-1);
        assert_true(status == ES_OK || (status == ES_ENOMEM && out[0] == NULL && out[1] == NULL));
    }
    assert_true(after > 5);
    es_short_names_free(out, 2);
}

TEST(buf_name__more_than_most__are_counted) {
    for (size_t n = 0; n <= 4; n++) {
        static const char *const name[] = {"a", "b", "c", "d"}, *const wanted[] = {
                                                                    "", "a", "a, b",
                                                                    "a, b and 1 more",
                                                                    "a, b and 2 more"};
        es_buf out = {0};
        size_t count = 0;
        es_buf_puts(&out, "");
        for (size_t i = 0; i < n; i++)
            es_buf_name(&out, &count, 2, name[i]);
        es_buf_names_end(&out, count, 2);
        assert_int_equal(count, n);
        assert_string_equal(out.data, wanted[n]);
        es_buf_free(&out);
    }
}

TEST(count__embedders_and_controls__are_counted_apart) {
    static const struct {
        size_t count, controls, derived;
        const char *text, *brief;
    } cases[] = {{29, 2, 0, "27 embedders + 2 controls", "27 + 2"},
                 {14, 0, 0, "14 embedders", "14"},
                 {2, 1, 0, "1 embedder + 1 control", "1 + 1"},
                 {2, 2, 0, "0 embedders + 2 controls", "0 + 2"},
                 {30, 2, 1, "27 embedders + 2 controls + 1 derived", "27 + 3"},
                 {3, 0, 1, "2 embedders + 1 derived", "2 + 1"},
                 {0, 0, 0, "0 embedders", "0"}};
    char text[ES_COUNT_TEXT], small[12];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_string_equal(
            es_count_text(cases[k].count, cases[k].controls, cases[k].derived, text, sizeof text),
            cases[k].text);
        assert_string_equal(
            es_count_brief(cases[k].count, cases[k].controls, cases[k].derived, text, sizeof text),
            cases[k].brief);
    }
    assert_string_equal(es_count_text(29, 2, 0, small, sizeof small), "27 embedder");
}
