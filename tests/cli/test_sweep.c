/* `estimate --sweep`, `rank --sweep`, and pictures of several scores: every value once, what is
 * stored is not estimated again, and the numbers are those that each value gives alone. */
#include "labelled.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static es_json_value nth(const es_json_value *list, size_t n) {
    es_json_value v = es_json_first(list);
    while (n-- > 0)
        v = es_json_next(&v);
    return v;
}

/* A pool of six, with a downstream task. */
static void make_scored(void) {
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    for (size_t i = 0; i < 6; i++)
        add_model("six", names[i], 200, 3 + i % 2, 40 + i, 0.1 + 0.6 * (double)i);
    write_text("six/scores.csv", "model,t\na,6\nb,5\nc,4\nd,2\ne,3\nf,1\n");
}

#define SWEEP "--estimator", "knife", "--set", "epochs=2", "--sweep", "modes=1,3", "-q"

/* The score of a model in a list of objects, "score" each. */
static double score_of(const es_json_value *list, const char *model) {
    for (es_json_value v = es_json_first(list); v.node; v = es_json_next(&v))
        if (strcmp(text_of(&v, "model"), model) == 0)
            return number_of(&v, "score");
    fail_msg("%s is missing", model);
    return NAN;
}

TEST(sweep__estimator__is_what_each_value_gives_alone) {
    make_scored();
    run_result r = RUN_OK("estimate", "six", "--json", SWEEP);
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), sweep = member(&root, "sweep", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&sweep), 2);
    es_json_value first = nth(&sweep, 0), last = nth(&sweep, 1);
    assert_string_equal(text_of(&first, "name"), "modes=1");
    assert_string_equal(text_of(&last, "name"), "modes=3");
    assert_true(number_of(&first, "stored") == 0 && number_of(&first, "known") == 36);
    assert_true(number_of(&first, "kendall_first") == 1);
    es_json_value downstream = member(&last, "downstream", ES_JSON_OBJECT);
    es_json_value fields = member(&root, "fields", ES_JSON_ARRAY);
    size_t median = 0;
    for (es_json_value f = es_json_first(&fields); f.node; f = es_json_next(&f)) {
        bool own = strcmp(text_of(&f, "field"), "median") == 0 &&
                   strcmp(text_of(&f, "value"), "modes=3") == 0;
        median += own; /* the published score, so the same numbers */
        if (own)
            assert_true(number_of(&f, "spearman") == number_of(&downstream, "spearman"));
    }
    assert_int_equal(median, 1);
    assert_int_equal(es_json_count(&fields), 10); /* five ways to sum up, two values */
    run_result one = RUN_OK("rank", "six", "--estimator", "knife", "--set", "epochs=2 modes=3",
                            "--score", "published", "--json", "-q");
    es_json_value whole = parse_json(one.out), ranking = member(&whole, "ranking", ES_JSON_ARRAY);
    es_json_value swept = member(&last, "ranking", ES_JSON_ARRAY);
    for (const char *name = "a\0b\0c\0d\0e\0f\0"; *name; name += 2)
        assert_true(score_of(&ranking, name) == score_of(&swept, name));
    run_result against = RUN_OK("correlate", "six", "--estimator", "knife", "--set",
                                "epochs=2 modes=3", "--score", "published", "--json", "-q");
    es_json_value top = parse_json(against.out), tasks = member(&top, "tasks", ES_JSON_ARRAY);
    es_json_value task = nth(&tasks, 0);
    assert_true(fabs(number_of(&task, "kendall") - number_of(&downstream, "kendall")) < 1e-12);
}

TEST(sweep__again__estimates_nothing) {
    make_scored();
    RUN_OK("estimate", "six", "--csv", SWEEP);
    run_result r = RUN_OK("estimate", "six", "--csv", SWEEP);
    assert_contains(r.out, "\nmodes=1,36,36,36,0,");
    assert_contains(r.out, "\nmodes=3,36,36,36,0,");
    run_result shown = RUN("rank", "six", "--csv", SWEEP);
    assert_string_equal(shown.out, r.out);
    r = RUN_OK("rank", "six", "--estimator", "knife", "--set", "epochs=2", "--sweep",
               "modes=1,5"); /* what is not stored is shown as such */
    assert_contains(r.out, "\nmodes=5      0  36");
}

TEST(sweep__misuse__is_named_before_anything_is_estimated) {
    make_scored();
    expect_error(RUN("estimate", "six", "--estimator", "knife", "--sweep", "modes=1,x", "-q"), 2,
                 "modes=x");
    expect_error(RUN("estimate", "six", "--estimator", "knife", "--sweep", "modes", "-q"), 2,
                 "KEY=VALUE");
    expect_error(RUN("estimate", "six", "--estimator", "knife", "--sweep", "modes=2,2", "-q"), 2,
                 "twice");
    expect_error(RUN("estimate", "six", "--estimator", "knife", "--sweep", "modes=2", "--sweep",
                     "modes=3", "-q"),
                 2, "named twice");
    expect_error(RUN("estimate", "six", "--sweep", "folds=1,2", "-q"), 2, "--estimator");
    expect_error(RUN("rank", "six", "--estimator", "knife", "--sweep", "modes=1,2", "-q"), 4,
                 "embedscope estimate six --estimator knife --sweep modes=1,2");
    expect_error(RUN("estimate", "six", "six", "--sweep", "modes=1,2", "-q"), 2, "one pool");
    expect_error(RUN("rank", "six", "--sweep", "modes=1,2", "--curve", "-q"), 2, "alone");
    expect_error(RUN("export", "six", "sweep", "--csv", "-q"), 2, "which values");
    expect_error(RUN("export", "six", "ranking", "--sweep", "modes=1,2", "--csv", "-q"), 2,
                 "sweep, panels");
}

/* Every value of a measure has a name of its own, in a table and in JSON. */
TEST(sweep__measure__has_distinct_names) {
    make_labelled();
    es_json_value root = RUN_JSON("measure", "pool", "evalrank.hits1", "--sweep",
                                  "preprocess=none,whiten", "--json", "-q"),
                  list = member(&root, "measures", ES_JSON_ARRAY);
    es_json_value first = nth(&list, 0), last = nth(&list, 1);
    assert_string_equal(text_of(&first, "name"), "evalrank[preprocess=none]");
    assert_string_equal(text_of(&last, "name"), "evalrank[preprocess=whiten]");
    es_json_value values = member(&last, "values", ES_JSON_ARRAY);
    double whitened = NAN;
    for (es_json_value v = es_json_first(&values); v.node; v = es_json_next(&v))
        if (strcmp(text_of(&v, "model"), "good") == 0) {
            es_json_value cell = member(&v, "hits1", ES_JSON_OBJECT);
            whitened = number_of(&cell, "value");
        }
    run_result r = RUN_OK("rank", "pool", "--score", "evalrank.hits1", "--sweep",
                          "preprocess=none,whiten", "--json", "-q");
    root = parse_json(r.out);
    list = member(&root, "sweep", ES_JSON_ARRAY);
    last = nth(&list, 1);
    es_json_value ranking = member(&last, "ranking", ES_JSON_ARRAY);
    assert_true(score_of(&ranking, "good") == whitened);
    r = RUN_OK("export", "pool", "sweep", "--score", "evalrank", "--sweep",
               "preprocess=none,whiten", "--format", "svg", "-q");
    assert_contains(r.out, ">evalrank.hits1<"); /* a line each, with its name */
    assert_contains(r.out, ">Kendall, first<"); /* there is nothing downstream */
    r = RUN_OK("measure", "pool", "evalrank[preprocess=whiten],evalrank", "--csv", "-q");
    assert_contains(r.out, "evalrank[preprocess=whiten],");
    expect_error(RUN("measure", "pool", "evalrank[power=2]", "-q"), 2, "no setting 'power=2'");
    expect_error(RUN("measure", "pool", "evalrank[preprocess=whiten", "-q"), 2, "NAME[KEY=VALUE");
    expect_error(RUN("rank", "pool", "--score", "smoothness", "--sweep", "metric=l2,cosine", "-q"),
                 2, "--task names one");
}

/* Pictures of several scores are written, of the measures that are named and no other. */
TEST(export__scores__draws_what_is_named) {
    make_labelled();
    write_text("pool/scores.csv", "model,t\ngood,3\nfair,2\nnoise,1\n");
    run_result r = RUN_OK("export", "pool", "agreement", "--score", "evalrank,uniformity",
                          "--format", "svg", "-q");
    assert_contains(r.out, "<svg");
    r = RUN_OK("export", "pool", "agreement", "--score", "published", "--json", "-q");
    assert_lacks(r.out, "uniformity"); /* no measure was asked for */
    RUN_OK("export", "pool", "panels", "--score", "evalrank", "--sweep", "preprocess=none,centre",
           "--format", "svg", "-q");
    RUN_OK("export", "pool", "matrix", "--measure", "cka", "--order", "rank", "--format", "svg",
           "-q");
    expect_error(RUN("matrix", "pool", "--measure", "cka", "--order", "rank", "-q"), 2,
                 "is of pictures");
    r = RUN_OK("export", "pool", "matrices", "--measure", "cka,knn-overlap", "--sweep", "k=2,3",
               "--format", "svg", "-q");
    assert_contains(r.out, ">cka: linear CKA, debiased<");
    assert_contains(r.out, ">knn-overlap[k=2]: shared nearest neighbours<");
    assert_contains(r.out, ">knn-overlap[k=3]: shared nearest neighbours<");
    expect_error(
        RUN("export", "pool", "matrices", "--measure", "cka,uniformity", "--format", "svg", "-q"),
        2, "uniformity is of one embedder");
    expect_error(RUN("export", "pool", "matrices", "--format", "svg", "-q"), 2,
                 "of which measures");
    expect_error(RUN("matrix", "pool", "--measure", "cka,rsa", "-q"), 2, "matrices --measure");
    expect_error(RUN("matrix", "pool", "--sweep", "k=2,3", "-q"), 2, "--measure NAME --sweep");
    (void)unlink("pool/scores.csv");
    expect_error(RUN("export", "pool", "panels", "--score", "evalrank", "--format", "svg", "-q"), 3,
                 "scores.csv");
}
