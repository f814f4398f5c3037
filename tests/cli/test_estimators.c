/* Every estimator and preset from the command line to a ranking, and the zero line. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

/* A small pool: 60 rows, so that the published recipes take moments. */
static void make_small_pool(void) {
    add_model("pool", "clear", 60, 6, 1, 0.05);
    add_model("pool", "good", 60, 5, 2, 0.3);
    add_model("pool", "noise", 60, 4, 3, 30);
}

static void estimate(const char *estimator, const char *preset, const char *more) {
    run_result r =
        RUN_OK("estimate", "pool", "-q", "--estimator", estimator, "--preset", preset, more);
    assert_string_equal(r.err, "");
}

/* The value of `key` in the first object that follows `after`; the text of its line is enough here.
 */
static double number_after(const char *text, const char *after, const char *key) {
    char word[64];
    const char *at = strstr(text, after);
    assert_non_null(at);
    (void)snprintf(word, sizeof word, "\"%s\": ", key);
    at = strstr(at, word);
    assert_non_null(at);
    return strtod(at + strlen(word), NULL);
}

/* Intervals are around what they are of; by the score of three kinds, and of what is not ranked,
 * there are none. */
static void expect_intervals(const es_json_value *row) {
    double low = number_or_none(row, "ci_low");
    if (isnan(low)) {
        assert_true(isnan(number_or_none(row, "ci_high")) &&
                    isnan(number_or_none(row, "rank_low")));
        return;
    }
    double score = number_of(row, "score");
    assert_true(low <= score && score <= number_of(row, "ci_high"));
    assert_true(number_of(row, "rank_low") <= number_of(row, "rank_high"));
}

/* A ranking of four, the last of them noise. */
static void expect_noise_last(const char *text, bool last) {
    es_json_value root = parse_json(text), list = member(&root, "ranking", ES_JSON_ARRAY);
    size_t n = 0;
    for (es_json_value row = es_json_first(&list); row.node; row = es_json_next(&row)) {
        expect_intervals(&row);
        if (++n == 4 && last)
            assert_string_equal(text_of(&row, "model"), "noise");
    }
    assert_int_equal(n, 4);
}

TEST(rank__every_preset__puts_noise_last) {
    static const struct {
        const char *estimator, *preset, *lower;
        bool learns; /* something of 60 rows */
    } cases[] = {
        {"linear", "default", "false", true},  {"linear", "shrunk", "false", true},
        {"knife", "default", "false", true},   {"knife", "paper-nlp", "false", false},
        {"knife", "paper-mol", "false", true}, {"flow", "default", "false", true},
        {"l2", "default", "true", true},       {"l2", "linear", "true", true},
        {"l2", "paper", "true", true},
    };
    make_small_pool();
    add_model("pool", "plain", 60, 6, 5, 0.6);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *estimator = cases[i].estimator, *preset = cases[i].preset;
        estimate(estimator, preset, NULL);
        run_result r =
            RUN_OK("rank", "pool", "--estimator", estimator, "--preset", preset, "--json");
        bool unsteady = strcmp(estimator, "l2") == 0 && strcmp(preset, "linear") != 0;
        assert_int_equal(strstr(r.out, "\"remark\": \"not steady") != NULL, unsteady);
        char word[64];
        (void)snprintf(word, sizeof word, "\"preset\": \"%s\"", preset);
        assert_contains(r.out, word);
        (void)snprintf(word, sizeof word, "\"lower_is_better\": %s", cases[i].lower);
        assert_contains(r.out, word);
        /* Values per row are there for all of them, in-sample or not. */
        bool lead = strcmp(preset, "shrunk") == 0;
        assert_contains(r.out, lead ? "\"resampled\": \"kinds and rows\""
                                    : "\"resampled\": \"rows and targets\"");
        expect_noise_last(r.out, cases[i].learns);
    }
}

TEST(set__several__are_in_force_and_in_the_document) {
    make_small_pool();
    run_result a = RUN("estimate", "pool", "-q", "--estimator", "knife", "--set", "modes=2",
                       "--set", "hidden=8", "--json");
    run_result b =
        RUN("matrix", "pool", "--estimator", "knife", "--set", "modes=2 hidden=8", "--json");
    expect_code(&a, 0);
    expect_code(&b, 0);
    assert_contains(a.out, "\"modes\": 2,");
    assert_contains(a.out, "\"hidden\": 8,");
    assert_contains(b.out, "\"hidden\": 8,");
    assert_string_equal(strstr(a.out, "\"models\": ["), strstr(b.out, "\"models\": ["));
    expect_error(RUN("estimate", "pool", "--set", "modes=2 hiden=8"), 2, "hiden|hidden");
    expect_error(RUN("estimate", "pool", "--set", "modes=2 hidden"), 2, "hidden|key=value");
    a = RUN("estimate", "--help=estimators");
    static const char *const keys[] = {"modes=", "hidden=", "layers=", "lr=",       "batch=",
                                       "range=", "clip=",   "folds=",  "patience=", "epochs="};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_contains(a.out, keys[i]);
}

TEST(null__option__measures_what_no_information_gives) {
    make_small_pool();
    estimate("linear", "default", NULL);
    run_result r = RUN("matrix", "pool", "--json");
    assert_contains(r.out, "\"null\": []");
    r = RUN("rank", "pool");
    assert_lacks(r.out, "no information");
    r = RUN("rank", "pool", "--json");
    assert_contains(r.out, "\"null\": null");

    run_result one = RUN_OK("estimate", "pool", "-q", "--null", "--threads",
                            "1"); /* linear's pairs are there; 3 + 2 (9 + 3) are new */
    assert_contains(one.out, "36 pairs: 27 estimated");
    assert_contains(one.out, "9 from the store");
    r = RUN("rank", "pool");
    assert_contains(r.out, "no information gives ");
    assert_contains(r.out, "(3 targets, rows shuffled)");
    r = RUN("matrix", "pool", "--json");
    run_result two =
        RUN("estimate", "pool", "-q", "--null", "--threads", "2", "--no-store", "--json");
    const char *stored = strstr(r.out, "\"null\": ["), *fresh = strstr(two.out, "\"null\": [");
    assert_non_null(stored);
    assert_string_equal(stored, fresh);
    double noise = number_after(stored, "\"target\": \"noise\"", "is");
    assert_true(fabs(noise) < 0.1);

    r = RUN_OK("rank", "pool", "--null"); /* it shows only */
    assert_contains(r.err, "--null has no effect here");
}
