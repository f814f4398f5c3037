/* `embedscope correlate`: the paper's tables, names that differ, missing scores, bad input. */
#include <cjson/cJSON.h>

#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static const char ranking[] = ES_SAMPLE_DATA "/paper-nlp/ranking.csv";
static const char scores[] = ES_SAMPLE_DATA "/paper-nlp/scores.csv";

static es_json_value task_of(const es_json_value *root, const char *task) {
    es_json_value list = member(root, "tasks", ES_JSON_ARRAY);
    es_json_value t = es_json_first(&list);
    while (t.node && strcmp(text_of(&t, "task"), task) != 0)
        t = es_json_next(&t);
    if (t.node == NULL)
        fail_msg("no task %s", task);
    /* what was walked over goes out of scope: a value without its way from the root */
    t.parent = NULL;
    return t;
}

static bool is_null(const es_json_value *object, const char *key) {
    es_json_value v = es_json_first(object);
    while (v.node && strcmp(es_json_key_of(&v), key) != 0)
        v = es_json_next(&v);
    assert_non_null(v.node);
    return es_json_type_of(&v) == ES_JSON_NULL;
}

static double item(const es_json_value *object, const char *key, size_t index) {
    es_json_value list = member(object, key, ES_JSON_ARRAY), v = es_json_first(&list);
    while (index-- > 0)
        v = es_json_next(&v);
    assert_ok(es_json_expect(&v, ES_JSON_NUMBER, NULL));
    return v.node->valuedouble;
}

/* A task called as a sum over tasks is another row than that sum. */
TEST(correlate__task_called_mean__is_no_sum) {
    write_text("m.csv", ",a,b,c,d\na,1,.4,.5,.6\nb,.3,1,.4,.5\nc,.2,.1,1,.4\nd,.1,.2,.1,1\n");
    write_text("s.csv", "model,mean,t\na,1,5\nb,2,3\nc,3,1\nd,4,2\n");
    run_result r = RUN_OK("correlate", "--matrix", "m.csv", "--scores", "s.csv", "--csv");
    assert_contains(r.out, "\nmean,");
    assert_contains(r.out, "\nmean rank,");
    assert_contains(r.out, "\nmean over tasks,");
}

/* A ranking goes through a file of either kind, and the numbers stay. */
TEST(correlate__ranking_of_json__is_as_of_csv) {
    static const char matrix[] = ES_SAMPLE_DATA "/paper-nlp/matrix.csv";
    run_result r[2] = {RUN("rank", "--matrix", matrix, "--json", "-o", "r.json"),
                       RUN("rank", "--matrix", matrix, "--csv", "-o", "r.csv")};
    for (int k = 0; k < 2; k++) {
        expect_code(&r[k], 0);
        r[k] =
            RUN_OK("correlate", "--ranking", k ? "r.csv" : "r.json", "--scores", scores, "--csv");
    }
    assert_string_equal(r[0].out, r[1].out);
    static const char *const plain_and_marked[] = {
        "model,score\nember-v1,0.3\nGritLM-7B,0.2\ne5-large-v2,0.1\n",
        "Rank,model,score\n1,**ember-v1**,**0.3**\n2,GritLM-7B,0.2 \xC2\xB1 0.1\n"
        "3,e5-large-v2,0.1*\n"};
    for (int k = 0; k < 2; k++) {
        FILE *f = fopen("marked.csv", "w");
        assert_non_null(f);
        fputs(plain_and_marked[k], f);
        assert_int_equal(fclose(f), 0);
        r[k] = RUN_OK("correlate", "--ranking", "marked.csv", "--scores", scores, "--csv");
    }
    assert_string_equal(r[0].out, r[1].out);
    /* An error is lower where it is better, and so may a measure be: either says so. */
    static const char *const lower[] = {
        "{\"provenance\": {\"lower_is_better\": true}, \"ranking\": [",
        "{\"measure\": {\"lower_is_better\": true}, \"ranking\": [",
        "{\"provenance\": {\"lower_is_better\": false}, \"measure\": null, \"ranking\": ["};
    for (int k = 0; k < 3; k++) {
        FILE *f = fopen("lower.json", "w");
        assert_non_null(f);
        fprintf(f, "%s", lower[k]);
        for (int i = 0; i < 4; i++)
            fprintf(f, "%s{\"model\": \"m%d\", \"score\": %d}", i ? ", " : "", i, i);
        assert_true(fputs("]}", f) >= 0 && fclose(f) == 0);
        f = fopen("task.csv", "w");
        assert_non_null(f);
        assert_true(fputs("model,task\nm0,4\nm1,3\nm2,2\nm3,1\n", f) >= 0 && fclose(f) == 0);
        r[0] = RUN_OK("correlate", "--ranking", "lower.json", "--scores", "task.csv", "--json");
        assert_contains(r[0].out, k < 2 ? "\"score_negated\": true" : "\"score_negated\": false");
        assert_contains(r[0].out, k < 2 ? "\"spearman\": 1" : "\"spearman\": -1");
    }
    static const char *const written[] = {
        "model,score\ne5-large-v2,0.5\ngte-large,0.25\ngte-base,-1\n",
        "model;score\ne5-large-v2;0,5\ngte-large;0,25\ngte-base;-1\n"};
    for (int k = 0; k < 2; k++) {
        FILE *f = fopen("parted.csv", "w");
        assert_non_null(f);
        assert_true(fputs(written[k], f) >= 0 && fclose(f) == 0);
        r[k] = RUN_OK("correlate", "--ranking", "parted.csv", "--scores", scores, "--csv");
    }
    assert_string_equal(r[0].out, r[1].out);
    static const char *const bad[][2] = {
        {"{}", "ranking"},
        {"{\"ranking\": []}", "holds no models"},
        {"{\"ranking\": [{\"score\": 1}]}", "model"},
        {"{\"ranking\": [{\"model\": \"a\", \"score\": \"x\"}]}", "score"},
        {"{\"ranking\": [{\"model\": \"a\"}, {\"model\": \"a\"}]}", "'a' is there twice"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        FILE *f = fopen("bad.json", "w");
        assert_non_null(f);
        assert_true(fputs(bad[k][0], f) >= 0 && fclose(f) == 0);
        run_result b = RUN_CODE(3, "correlate", "--ranking", "bad.json", "--scores", scores);
        assert_contains(b.err, bad[k][1]);
    }
}

TEST(correlate__paper_tables__to_4_decimals) {
    static const struct {
        const char *task, *values[3];
    } table[] = {{"average", {"0.9319", "0.8801", "0.7281"}},
                 {"classification", {"0.9137", "0.8540", "0.7233"}},
                 {"clustering", {"0.8517", "0.8287", "0.6583"}},
                 {"reranking", {"0.8323", "0.7652", "0.6203"}},
                 {"retrieval", {"0.8805", "0.8683", "0.6916"}},
                 {"sts", {"0.9169", "0.7881", "0.6067"}}};
    static const char *const keys[] = {"pearson", "spearman", "kendall"};
    static const char *const intervals[] = {"pearson_ci", "spearman_ci", "kendall_ci"};
    run_result r = RUN_OK("correlate", "--ranking", ranking, "--scores", scores, "--json");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), list = member(&root, "tasks", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 6);
    for (size_t i = 0; i < 6; i++) {
        es_json_value t = task_of(&root, table[i].task);
        assert_true(number_of(&t, "n") == 30);
        for (size_t k = 0; k < 3; k++) {
            char text[16];
            double value = number_of(&t, keys[k]);
            (void)snprintf(text, sizeof text, "%.4f", value);
            assert_string_equal(text, table[i].values[k]);
            assert_true(item(&t, intervals[k], 0) < value && value < item(&t, intervals[k], 1));
        }
        assert_true(number_of(&t, "p_permutation") < 0.001);
        assert_true(item(&t, "leave_one_out", 0) <= number_of(&t, "spearman"));
        assert_true(number_of(&t, "top_half") < number_of(&t, "spearman"));
        assert_true(is_null(&t, "reason") && is_null(&t, "partial_log_dim"));
    }
    es_json_value mean = member(&root, "mean_rank", ES_JSON_OBJECT);
    assert_true(number_of(&mean, "spearman") > 0.8);
    assert_int_equal(count_of(&root, "models"), 34);
    r = RUN_OK("correlate", "--ranking", ranking, "--scores", scores);
    assert_contains(r.out, "\naverage         30     30    0.932     0.880 ");
    assert_contains(r.out, "\nmean rank       30 ");
}

/* The ranking with tasks that a user has: named so, without a best. */
TEST(rank__tasks__are_combined_with_the_ranking) {
    estimate_pool();
    write_text("pool/scores.csv", "model,t1,t2,other\na,4,1,1\nb,3,,2\nc,1,2,3\nd10,2,9,4\n");
    run_result r = RUN_OK("rank", "pool", "--tasks", "t*", "--json");
    es_json_value root = parse_json(r.out), list = member(&root, "tasks", ES_JSON_ARRAY);
    assert_string_equal(text_of(&root, "score"), "your 2 tasks + ranking");
    assert_int_equal(es_json_count(&list), 2);
    list = member(&root, "ranking", ES_JSON_ARRAY);
    es_json_value first = es_json_first(&list);
    assert_int_equal(es_json_count(&list), 4);
    assert_true(number_of(&first, "rank") == 1 && number_of(&first, "tasks_known") >= 1);
    r = RUN_OK("rank", "pool", "--tasks", "t1,other");
    assert_contains(r.out, "\nscore: your 2 tasks + ranking, mean of normal scores");
    assert_lacks(r.out, "best");
    r = RUN_OK("rank", "pool", "--tasks", "other", "--csv");
    assert_contains(r.out, "rank,model,score,by_ranking,by_tasks,tasks_known\n1,");
    expect_error(RUN("rank", "pool", "--tasks", "t3"), 2, "t3");
    expect_error(RUN("rank", "pool", "--tasks", "t1", "--curve"), 2, "--tasks");
    r = RUN_OK("correlate", "pool", "--tasks", "t*", "--csv");
    assert_contains(r.out, "\nt2,");
    assert_lacks(r.out, "\nother,");
    expect_error(RUN("correlate", "pool", "--tasks", "t1", "--task", "t2"), 2, "--task");
    assert_int_equal(remove("pool/scores.csv"), 0);
    expect_error(RUN("rank", "pool", "--tasks", "t1"), 3, "scores.csv");
}

/* What `rank` prints is what `correlate` joins, and a ranking of its csv gives the same. */
TEST(correlate__pool__is_that_of_its_ranking) {
    estimate_pool();
    write_text("pool/scores.csv", "model,t1,t2\na,4,1\nb,3,\nc,1,2\nd10,2,9\nzebra,7,7\n");
    RUN_OK("rank", "pool", "--csv", "-o", "rank.csv");
    run_result pool = RUN("correlate", "pool", "--csv"),
               file = RUN("correlate", "--ranking", "rank.csv", "--scores", "pool/scores.csv",
                          "--csv");
    expect_code(&pool, 0);
    expect_code(&file, 0);
    assert_string_equal(pool.out, file.out);
    assert_contains(pool.out, "\nt1,4,");
    assert_contains(pool.out, "\nt2,3,"); /* a missing score leaves b out of t2 only */
    assert_contains(pool.out, "\nmean rank,3,");
    run_result r = RUN_OK("correlate", "pool", "--json");
    es_json_value root = parse_json(r.out), unmatched = member(&root, "unmatched", ES_JSON_OBJECT);
    es_json_value list = member(&unmatched, "scores", ES_JSON_ARRAY), name = es_json_first(&list);
    const char *text = NULL;
    assert_int_equal(es_json_count(&list), 1);
    assert_ok(es_json_as_text(&name, &text, NULL));
    assert_string_equal(text, "zebra");
    list = member(&root, "baselines", ES_JSON_ARRAY);
    name = es_json_first(&list);
    assert_string_equal(text_of(&name, "name"), "dimension");
    write_text("other.csv", "model,only\na,1\nb,2\nd10,3\n");
    assert_contains(RUN_OK("correlate", "pool", "--scores", "other.csv", "--csv").out, "\nonly,3,");
}

TEST(correlate__l2__stands_beside_where_it_is_stored) {
    estimate_pool();
    write_text("pool/scores.csv", "model,t\na,4\nb,3\nc,1\nd10,2\n");
    run_result r = RUN("correlate", "pool");
    assert_lacks(r.out, "l2 alone");
    RUN_OK("estimate", "pool", "--estimator", "l2", "-q");
    assert_contains(RUN_OK("correlate", "pool").out, "l2 alone");
    r = RUN_OK("correlate", "pool", "--estimator", "l2",
               "--json"); /* errors: their sign is turned */
    es_json_value root = parse_json(r.out), t = task_of(&root, "t");
    bool negated = false;
    assert_ok(es_json_get_bool(&root, "score_negated", ES_JSON_REQUIRED, &negated, NULL));
    assert_true(negated && number_of(&t, "pearson") > 0);
}

/* A ranking with an index or a rank before it, empty columns and markup around names. */
TEST(correlate__ranking__as_tables_are_found) {
    static const char *const same[] = {
        "model,score\na,1\nb,2\nc,4\nd,\n", ",model,score\n0,a,1\n1,b,2\n2,c,4\n3,d,\n",
        "Rank,Model,Score\n3,a,1\n2,b,2\n1,c,4\n4,d,-\n",
        "#,name,value,,\n1,a,1,,\n2,b,2,,\n3,c,4,,\n4,d,,,\n",
        "model,score\n**a**,1\n[b](https://x.org),2\n`c`,4\nd,\xe2\x80\x94\n"};
    char *first = NULL;
    write_text("s.csv", "model,t\na,1\nb,3\nc,2\nd,4\n");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        write_text("r.csv", same[i]);
        run_result r = RUN_OK("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--csv");
        if (first)
            assert_string_equal(r.out, first);
        else
            assert_non_null(first = strdup(r.out));
    }
}

TEST(correlate__names__are_proposed_and_never_guessed) {
    write_text("r.csv", "model,score\norg/E5-small,3\nGTE,2\nbge,1\nalone,0\nx=y,5\n");
    write_text("s.csv", "model,t\ne5_small,30\ngte,20\nbge,10\nother,1\nz=1,4\n");
    run_result r = RUN_OK("correlate", "--ranking", "r.csv", "--scores", "s.csv");
    assert_contains(r.out, "1 of 5 embedders");
    assert_contains(r.out, "'org/E5-small' may be 'e5_small'");
    assert_contains(r.out, "--accept-names");
    assert_contains(r.out, "n < 3");
    r = RUN_OK("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--accept-names", "--json");
    es_json_value root = parse_json(r.out), t = task_of(&root, "t");
    assert_true(number_of(&t, "n") == 3 && fabs(number_of(&t, "pearson") - 1) < 1e-12);
    r = RUN_OK("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--match", "GTE=gte",
               "--match", "x=y=z=1", "--csv");
    assert_contains(r.out, "\nt,3,");
    expect_error(RUN("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--match", "gtee=gte"),
                 2, "gtee");
    expect_error(RUN("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--match", "GTE=gt"),
                 2, "did you mean 'gte'?");
    expect_error(RUN("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--match", "GTE=bge"),
                 2, "joined already");
    expect_error(RUN("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--match", "GTE"), 2,
                 "A=B");
}

TEST(correlate__nothing_in_common__names_both_lists) {
    write_text("r.csv", "model,score\na,3\nb,2\nc,1\nd,0\n");
    write_text("s.csv", "model,t\nx,30\ny,20\n");
    expect_error(RUN("correlate", "--ranking", "r.csv", "--scores", "s.csv"), 3,
                 "'a', 'b', 'c', ...|'x', 'y'|--match");
    static const char nlp[] = ES_TEST_DATA "/reference/analysis/nlp_is_square20.csv";
    expect_error(RUN("correlate", "--matrix", nlp, "--scores", scores), 3,
                 "'BAAI/bge-base-en-v1.5'|'SFR-Embedding-Mistral'|--accept-names");
    RUN_OK("correlate", "--matrix", nlp, "--scores", scores, "--accept-names", "--csv");
}

/* Other commands that ask for scores by name join them alike. */
TEST(rank__names__are_proposed_and_never_guessed) {
    static const char nlp[] = ES_TEST_DATA "/reference/analysis/nlp_is_square20.csv";
    run_result r = RUN_OK("rank", "--matrix", nlp, "--scores", scores);
    assert_contains(r.err, "the scores are not used");
    assert_contains(r.err, "--accept-names");
    assert_lacks(r.out, "Downstream (");
    r = RUN_OK("rank", "--matrix", nlp, "--scores", scores, "--match",
               "Salesforce/SFR-Embedding-Mistral=SFR-Embedding-Mistral");
    assert_contains(r.err, "scores not used, since their names match no");
    r = RUN_OK("rank", "--matrix", nlp, "--scores", scores, "--accept-names");
    assert_contains(r.out, "Downstream (");
    assert_lacks(r.err, "not used");
    expect_error(RUN("rank", "--matrix", nlp, "--scores", scores, "--match", "e5=gt"), 2, "e5");
}

TEST(correlate__undefined__is_null_with_its_reason) {
    write_text("r.csv", "model,score\na,3\nb,2\nc,1\nd,\n");
    write_text("s.csv", "model,flat,two,empty\na,1,1,\nb,1,2,\nc,1,,\nd,1,3,\n");
    es_json_value root = RUN_JSON("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--json"),
                  t = task_of(&root, "flat"),
                  intervals = member(&root, "intervals", ES_JSON_OBJECT);
    assert_true(number_of(&intervals, "level") == 0.95 && number_of(&intervals, "draws") == 1000 &&
                number_of(&intervals, "permutations") == 4999);
    assert_true(number_of(&t, "n") == 3 && is_null(&t, "spearman"));
    assert_string_equal(text_of(&t, "reason"), "constant");
    t = task_of(&root, "two"); /* d has no score, c no value */
    assert_true(number_of(&t, "n") == 2 && is_null(&t, "pearson") && is_null(&t, "p_permutation"));
    assert_string_equal(text_of(&t, "reason"), "n < 3");
    t = task_of(&root, "empty");
    assert_true(number_of(&t, "n") == 0 && is_null(&t, "kendall"));
}

/* Errors and costs, said by the task's name: their sign is turned, their values are as in the file.
 */
TEST(correlate__lower_is_better__turns_the_sign) {
    write_text("r.csv", "model,score\na,4\nb,3\nc,2\nd,1\n");
    write_text(
        "s.csv",
        "model,rmse \xe2\x86\x93,cost (lower),gain\na,1,10,4\nb,2,20,2\nc,4,50,3\nd,5,40,1\n");
    run_result r = RUN_OK("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--json");
    es_json_value root = parse_json(r.out), t = task_of(&root, "rmse \xe2\x86\x93");
    assert_true(fabs(number_of(&t, "spearman") - 1) < 1e-12);
    t = task_of(&root, "cost (lower)");
    assert_true(fabs(number_of(&t, "spearman") - 0.8) < 1e-12);
    t = task_of(&root, "gain");
    assert_true(fabs(number_of(&t, "spearman") - 0.8) < 1e-12);
    es_json_value models = member(&root, "models", ES_JSON_ARRAY), first = es_json_first(&models);
    assert_true(item(&first, "downstream", 0) == 1 && item(&first, "downstream", 2) == 4);
    assert_true(fabs(number_of(&first, "mean_rank") - 1) < 1e-12);
    r = RUN("correlate", "--ranking", "r.csv", "--scores", "s.csv");
    assert_contains(r.out, "lower is better, their signs are turned: rmse");
}

/* The score itself may be an error, and other columns stand beside it. */
TEST(correlate__ranking_by_errors__turns_the_sign) {
    write_text("r.csv", "model,note,score \xe2\x86\x93\na,x,1\nb,x,2\nc,x,3\nd,x,4\n");
    write_text("s.csv", "model,gain\na,4\nb,3\nc,2\nd,1\n");
    run_result r = RUN_OK("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--json");
    es_json_value root = parse_json(r.out), t = task_of(&root, "gain");
    assert_true(fabs(number_of(&t, "spearman") - 1) < 1e-12);
}

/* A task that tasks.csv calls otherwise keeps its direction: that is said where it is used. */
TEST(correlate__unknown_task__is_noted) {
    write_text("r.csv", "model,score\na,4\nb,3\nc,2\nd,1\n");
    write_text("s.csv", "model,rmse\na,1\nb,2\nc,3\nd,4\n");
    write_text("tasks.csv", "task,better\nRMSE,lower\n");
    run_result r = RUN_OK("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--json");
    assert_lacks(r.err, "tasks.csv");
    es_json_value root = parse_json(r.out), t = task_of(&root, "rmse");
    assert_true(fabs(number_of(&t, "spearman") - 1) < 1e-12);
    write_text("tasks.csv", "task,better\nrsme,lower\n");
    r = RUN("correlate", "--ranking", "r.csv", "--scores", "s.csv", "--csv");
    assert_contains(r.err, "line 2: no task is called 'rsme'; did you mean 'rmse'?");
}

TEST(correlate__bad_files__name_the_place) {
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"model,score\na,1\na,2\n", "r.csv|'a'|line 2|line 3"},
        {"model,score\na,x\n", "r.csv|line 2"},
        {"model,score\na,inf\n", "r.csv|line 2|infinite"},
        {"model,score\na,1\nb,-1e31\n", "r.csv|line 3|-1e+31"},
        {"model,score\n,1\n", "r.csv|line 2|empty"},
        {"model,score\n", "r.csv|no models"},
        {"a,1\nb,2\n", "r.csv|header"},
        {"model,x,y\na,1,2\n", "r.csv|'score'"},
        {"model\na\n", "r.csv|'score'"},
        {"", "r.csv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text("r.csv", cases[i].text);
        expect_error(RUN("correlate", "--ranking", "r.csv", "--scores", scores), 3, cases[i].words);
    }
    expect_error(RUN("correlate", "--ranking", "none.csv", "--scores", scores), 3, "none.csv");
    expect_error(RUN("correlate", "--ranking", ranking, "--scores", "none.csv"), 3, "none.csv");
    expect_error(RUN("correlate", "--ranking", ranking), 2, "--scores");
    expect_error(RUN("correlate"), 2, "--ranking");
    expect_error(RUN("correlate", "--ranking", ranking, "--matrix", "m.csv", "--scores", scores), 2,
                 "--ranking");
    estimate_pool();
    expect_error(RUN("correlate", "pool"), 3, "scores.csv|--scores");
}

/* Of other rows is no other estimator. */
TEST(stored__over_other_rows__is_said) {
    estimate_pool();
    expect_error(RUN("matrix", "pool", "--rows", "100"), 4, "linear default over other rows");
    expect_error(RUN("matrix", "pool", "--estimator", "knife"), 4, "but those of linear default;");
}

/* Who has a line and no score is named; sums are called as their rows are; results/ is no file. */
TEST(scores__without_values__are_named) {
    estimate_pool();
    write_text("pool/scores.csv", "model,mean,x\na,1,2\nb,3,1\nc,,\nd10,2,5\n");
    run_result r = RUN_OK("correlate", "pool");
    assert_contains(r.out, "in the scores without any: c\n");
    assert_contains(r.out, "mean rank, mean over tasks: over the 2 tasks");
    r = RUN_OK("info", "pool");
    assert_contains(r.out, "scores.csv: 4 embedders, 2 tasks");
    assert_contains(r.out, "in the scores without any: c\n");
    assert_int_equal(unlink("pool/scores.csv"), 0);
    assert_int_equal(mkdir("pool/results", 0700), 0);
    assert_int_equal(mkdir("pool/results/a", 0700), 0);
    write_text("pool/results/a/T.json", "{\"test\": {\"main_score\": 0.5}}");
    assert_contains(RUN_OK("info", "pool").out, "results: 1 embedder, 1 task\n");
}

/* A model that is not of the pool leaves what it is compared by; one whose name is accepted counts.
 */
TEST(mteb__strangers__change_no_number) {
    static const char *const first[] = {"a", "b", "c"};
    char path[64], text[256];
    estimate_pool();
    assert_int_equal(mkdir("pool/results", 0700), 0);
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "pool/results/%s", first[i]);
        assert_int_equal(mkdir(path, 0700), 0);
        (void)snprintf(path, sizeof path, "pool/results/%s/T.json", first[i]);
        (void)snprintf(text, sizeof text,
                       "{\"scores\":{\"test\":[{\"hf_subset\":\"en\",\"main_score\":0.%zu},"
                       "{\"hf_subset\":\"de\",\"main_score\":0.%zu}]}}",
                       i + 1, 9 - 3 * i);
        write_text(path, text);
    }
    run_result alone = RUN_OK("correlate", "pool", "--csv");
    assert_lacks(alone.err, "compared by");
    assert_int_equal(mkdir("pool/results/D10", 0700), 0);
    write_text("pool/results/D10/T.json",
               "{\"scores\":{\"test\":[{\"hf_subset\":\"en\",\"main_score\":0.5}]}}");
    run_result beside = RUN_OK("correlate", "pool", "--csv");
    assert_string_equal(beside.out, alone.out);
    assert_lacks(beside.err, "compared by");
    beside = RUN_OK("correlate", "pool", "--csv", "--accept-names");
    assert_string_not_equal(beside.out, alone.out);
    assert_contains(beside.err, "T: compared by test: en, which all 4 models have, alone");
    beside = RUN_OK("rank", "pool", "--accept-names");
    assert_contains(beside.err, "T: compared by test: en, which all 4 models have, alone");
}

/* A size that a leaderboard names stands in agree as one of models.csv does. */
TEST(agree__facts_of_scores__are_columns) {
    estimate_pool();
    write_text("pool/scores.csv", "Rank,Model,Max Tokens,t\n4,a,512,1\n3,b,256,3\n2,c,128,2\n"
                                  "1,d10,64,4\n");
    run_result r = RUN_OK("agree", "pool");
    assert_contains(r.out, "Max Tokens");
    assert_lacks(r.out, "Rank");
    assert_contains(r.err, "'Max Tokens' is a fact about the models, not a task; 'Rank' is a "
                           "mean, a sum or a rank of other columns, not a task; to keep a "
                           "column as a task, add ↑ or ↓ to its name");
    assert_lacks(RUN_OK("correlate", "pool", "--csv").out, "Max Tokens");
}

TEST(tasks__category_of_two_embedders__is_not_defined) {
    estimate_pool();
    write_text("pool/scores.csv", "model,t1,t2\na,1,2\nb,3,\nc,2,1\n");
    write_text("pool/tasks.csv", "task,category\nt1,one\nt2,two\n");
    run_result r = RUN_OK("correlate", "pool");
    assert_contains(r.out, "two (1 task): not defined (n < 3)\n");
    assert_lacks(r.out, "nan");
}
