/* What is known of downstream tasks: tasks.csv, MTEB's categories, which way is better; copies of
 * scores; and rows that are asked for in words. */
#include "io_test.h"

#include "io_scores.h"

TEST_GROUP(make_test_dir, remove_test_dir);

static char *tasks[] = {(char[]){"acc"}, (char[]){"rmse (lower)"}, (char[]){"STSBenchmark"},
                        (char[]){"loss"}};
static char *models[] = {(char[]){"a"}, (char[]){"b"}};
static double values[] = {1, 2, 3, 4, 5, 6, NAN, 8};

static es_scores borrowed(void) {
    return (es_scores){.models = 2, .tasks = 4, .model = models, .task = tasks, .value = values};
}

static void let_go(es_scores *s) {
    for (size_t j = 0; s->about && j < s->tasks; j++)
        es_free(s->about[j].category);
    es_free(s->about);
    es_free(s->remark);
    s->about = NULL;
    s->remark = NULL;
}

static void assert_about(const es_scores *s, size_t task, const char *category, double size,
                         double weight, int lower) {
    const es_task_about *a = &s->about[task];
    if (category)
        assert_string_equal(a->category, category);
    else
        assert_null(a->category);
    assert_true(isnan(size) ? isnan(a->size) : a->size == size);
    assert_true(a->weight == weight);
    assert_int_equal(a->lower, lower);
}

TEST(tasks__described__have_what_is_said) {
    es_scores s = borrowed();
    const char *path = write_text("tasks.csv", "better,weight,size,task,category\n"
                                               "Lower,2,100,acc,odd ones\n"
                                               "HIGHER,,,rmse (lower),\n"
                                               ",0.5,7,loss,\n"
                                               "lower,3,1,of no score,x\n");
    assert_ok(es_scores_describe(&s, path, NULL));
    assert_contains(s.remark,
                    "tasks.csv: line 5: no task is called 'of no score'; the scores have ");
    assert_about(&s, 0, "odd ones", 100, 2, 1);
    assert_about(&s, 1, NULL, NAN, 1, 0);
    assert_about(&s, 2, NULL, NAN, 1, -1); /* is not listed */
    assert_about(&s, 3, NULL, 7, 0.5, -1);
    assert_true(es_score_is_lower_better(&s, 0));
    assert_false(es_score_is_lower_better(&s, 1)); /* whatever its name says */
    assert_false(es_score_is_lower_better(&s, 3));
    assert_string_equal(es_score_category(&s, 0), "odd ones");
    assert_string_equal(es_score_category(&s, 2), "sts");
    assert_null(es_score_category(&s, 3));
    assert_true(es_score_turned(&s, 1, 0) == -5 && es_score_turned(&s, 1, 1) == 6);
    let_go(&s);
    assert_ok(es_scores_describe(&s, write_text("tasks.csv", "task\nacc\n"), NULL));
    assert_about(&s, 0, NULL, NAN, 1, -1);
    let_go(&s);
}

/* The same lines with an index or a rank before them, empty columns, other cases, markup. */
TEST(tasks__described__as_tables_are_found) {
    static const struct {
        const char *text, *remark;
    } same[] = {
        {",task,size\n0,acc,3\n1,loss,\n", NULL},
        {"#;Task;Size\n1;acc;3\n2;loss;\n", NULL},
        {"Rank,Task,Size\n2,acc,3\n1,loss,\n", NULL},
        {"task,size,,\nacc,3,,\nloss,,,\n", NULL},
        {"task,size\nacc,3\nloss,\xe2\x80\x94\n", NULL},
        {"task,size\n**acc**,3\n\"<a href=\"\"https://x.org\"\">loss</a>\",N/A\n",
         "tasks.csv: 2 cells hold more than a number or a name, as '**acc**' in line 2, column 1"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        es_scores s = borrowed();
        if (es_scores_describe(&s, write_text("tasks.csv", same[i].text), test_err()) != ES_OK)
            fail_msg("%zu: %s", i, test_message());
        assert_about(&s, 0, NULL, 3, 1, -1);
        assert_about(&s, 3, NULL, NAN, 1, -1);
        if (!same[i].remark != !s.remark || (s.remark && !strstr(s.remark, same[i].remark)))
            fail_msg("%zu: remark %s", i, s.remark ? s.remark : "none");
        let_go(&s);
    }
}

TEST(tasks__beside__are_found_where_there_are_any) {
    es_scores s = borrowed();
    assert_int_equal(remove(in_dir("tasks.csv")), 0);
    assert_ok(es_scores_describe_beside(&s, in_dir("scores.csv"), NULL));
    assert_null(s.about);
    (void)write_text("tasks.csv", "task,size\nacc,3\n");
    assert_ok(es_scores_describe_beside(&s, in_dir("scores.csv"), NULL));
    assert_about(&s, 0, NULL, 3, 1, -1);
    let_go(&s);
    assert_ok(es_scores_describe_beside(&s, "no-such-scores.csv", NULL));
    assert_null(s.about);
    let_go(&s);
}

TEST(tasks__bad__name_the_line) {
    static const char *const bad[][2] = {
        {"task,colour\nacc,red\n", "line 1: 'colour' is not a column"},
        {"size\n3\n", "line 1: expected a column 'task'"},
        {"task,size\nacc,0\n", "line 2: a size of 0 is not above 0"},
        {"task,size\nacc,1\nloss,-2\n", "line 3: a size of -2 is not above 0"},
        {"task,weight\nacc,0\n", "line 2: a weight of 0 is not above 0"},
        {"task,better\nacc,worse\n", "line 2: better is 'worse', expected higher or lower"},
        {"task\nacc\nloss\nacc\n", "'acc' is in line 2 and again in line 4"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        es_scores s = borrowed();
        assert_error(es_scores_describe(&s, write_text("tasks.csv", bad[i][0]), test_err()),
                     ES_EFORMAT, bad[i][1]);
        let_go(&s);
    }
}

TEST(categories__of_mteb__go_by_the_name) {
    static const char *const known[][2] = {
        {"amazoncounterfactualclassification", "classification"},
        {"TweetSentimentExtractionClassification", "classification"},
        {"ArxivClusteringP2P", "clustering"},
        {"TwentyNewsgroupsClustering", "clustering"},
        {"SprintDuplicateQuestions", "pair classification"},
        {"AskUbuntuDupQuestions", "reranking"},
        {"SciDocsRR", "reranking"},
        {"ArguAna", "retrieval"},
        {"treccovid", "retrieval"},
        {"SCIDOCS", "retrieval"},
        {"BIOSSES", "sts"},
        {"SummEval", "summarization"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char name[60], *task[] = {name};
        const es_scores s = {.tasks = 1, .task = task};
        (void)snprintf(name, sizeof name, "%s", known[i][0]);
        assert_string_equal(es_score_category(&s, 0), known[i][1]);
    }
}

TEST(tasks__described__are_found_without_case_and_arrows) {
    char a[] = "rmse", b[] = "Err (\xe2\x86\x93) [%]", c[] = "Acc", d[] = "ACC",
         *task[] = {a, b, c, d};
    es_scores s = {.models = 1, .tasks = 4, .task = task};
    const char *path = write_text("tasks.csv", "task,better\nRMSE,lower\nerr [%],higher\n"
                                               "acc,lower\nrmsd,lower\n");
    assert_ok(es_scores_describe(&s, path, NULL));
    assert_true(es_score_is_lower_better(&s, 0));
    assert_false(es_score_is_lower_better(&s, 1));
    assert_false(es_score_is_lower_better(&s, 2)); /* which of the two? */
    assert_false(es_score_is_lower_better(&s, 3));
    assert_contains(s.remark, "tasks.csv: line 4: no task is called 'acc' (and 1 more line "
                              "like it); did you mean 'Acc'?");
    es_free(s.remark);
    s.remark = NULL;
    let_go(&s);
}

TEST(directions__by_name__are_said_anywhere) {
    static const char *const lower[] = {"rmse (\xe2\x86\x93)",   "\xe2\x86\x93 rmse",
                                        "rmse [\xe2\x86\x93]",   "rmse \xe2\x86\x93 (%)",
                                        "$\\downarrow$ rmse",    "rmse \xe2\xac\x87\xef\xb8\x8f",
                                        "rmse, lower is better", "rmse (lower=better)"};
    static const char *const higher[] = {"acc (\xe2\x86\x91)", "limb (lower) f1", "$\\uparrow$ acc",
                                         "lower jaw"};
    for (size_t i = 0; i < sizeof lower / sizeof *lower; i++) {
        char *bare = es_score_bare_name(lower[i]);
        assert_true(es_score_name_says_lower(lower[i]));
        assert_string_equal(bare, i == 3 ? "rmse (%)" : "rmse");
        es_free(bare);
    }
    for (size_t i = 0; i < sizeof higher / sizeof *higher; i++)
        assert_false(es_score_name_says_lower(higher[i]));
}

TEST(directions__by_name__end_in_a_mark) {
    static const char *const lower[] = {"rmse \xe2\x86\x93", "rmse (lower)", "x(lower is better)",
                                        "hiv (Lower)",       "hiv [lower]",  "rmse:lower"},
                             *const higher[] = {"acc",    "\xe2\x86\x93",
                                                ":lower", "(lower) rmse",
                                                "lower",  "(lower is better)"};
    for (size_t i = 0; i < 12; i++) {
        char name[60], *task[] = {name};
        es_scores s = {.tasks = 1, .task = task};
        (void)snprintf(name, sizeof name, "%s", i < 6 ? lower[i] : higher[i - 6]);
        assert_int_equal(es_score_is_lower_better(&s, 0), i < 6);
        assert_ok(es_scores_mark(&s, 0, i >= 6, NULL));
        assert_int_equal(es_score_is_lower_better(&s, 0), i >= 6);
        let_go(&s);
    }
}

TEST(scores__copied__share_nothing) {
    es_scores s = borrowed(), copy = {0};
    es_status st = ES_ENOMEM;
    (void)write_text("tasks.csv", "task,category,size\nacc,odd,3\n");
    assert_ok(es_scores_describe(&s, in_dir("tasks.csv"), NULL));
    s.remark = (char[]){"two lines are skipped"};
    for (long after = 0; st != ES_OK; after++) {
        es_alloc_fail_after(after);
        st = es_scores_copy(&s, &copy, NULL);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK || (st == ES_ENOMEM && !copy.model));
    }
    assert_int_equal(copy.models, 2);
    assert_int_equal(copy.tasks, 4);
    assert_memory_equal(copy.value, values, sizeof values);
    assert_string_equal(copy.task[3], "loss");
    assert_string_equal(copy.model[1], "b");
    assert_string_equal(copy.remark, s.remark);
    assert_about(&copy, 0, "odd", 3, 1, -1);
    assert_about(&copy, 3, NULL, NAN, 1, -1);
    assert_true(copy.task[0] != s.task[0] && copy.about[0].category != s.about[0].category);
    assert_int_equal(es_scores_find(&copy, "b"), 1);
    assert_int_equal(es_scores_find(&copy, "c"), SIZE_MAX);
    es_scores_deinit(&copy);
    s.remark = NULL; /* it is not the scores' own */
    let_go(&s);
    assert_ok(es_scores_copy(&s, &copy, NULL)); /* of which nothing more is said */
    assert_true(!copy.about && !copy.remark);
    es_scores_deinit(&copy);
}

TEST(rows__in_words__are_parsed_and_said) {
    static const struct {
        const char *text;
        es_row_request request;
    } good[] = {{"all", {ES_ROWS_ALL, 0}},
                {"auto", {ES_ROWS_AUTO, ES_ROWS_USUAL_SAMPLE}},
                {"first:20", {ES_ROWS_FIRST, 20}},
                {"4294967295", {ES_ROWS_SAMPLE, 4294967295}},
                {"0", {ES_ROWS_SAMPLE, 0}}};
    static const char *const bad[] = {"",   "all ", "first",      "first:", "first:-1",
                                      "1x", "-1",   "4294967296", "+1",     " 1",
                                      "0x", "1.5",  "first:auto"};
    es_row_request request = {ES_ROWS_GROWN, 7};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_error(es_row_request_parse(bad[i], &request, test_err()), ES_EINVAL, bad[i]);
        assert_int_equal(request.count, 7);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        es_buf *said = test_buf();
        assert_ok(es_row_request_parse(good[i].text, &request, NULL));
        assert_int_equal(request.choice, good[i].request.choice);
        assert_int_equal(request.count, good[i].request.count);
        es_row_request_put(&request, said);
        assert_string_equal(said->data, good[i].text);
    }
    request.choice = ES_ROWS_GROWN;
    es_buf *said = test_buf();
    es_row_request_put(&request, said);
    assert_string_equal(said->data, "auto");
    for (size_t count = 0; count < 40; count++) {
        request = (es_row_request){ES_ROWS_FIRST, count};
        es_status st = es_row_request_check(&request, test_err());
        assert_int_equal(st == ES_OK, count >= 20);
        if (st != ES_OK)
            assert_contains(test_message(), "at least 20 are needed");
        request.choice = ES_ROWS_ALL;
        assert_ok(es_row_request_check(&request, NULL));
    }
}
