/* `measure` and `derive` as users and scripts see them: formats, the store, and what is said about
 * data that do not fit. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "labelled.h"
#include "io.h"

#include "embedscope/measure.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

TEST(measure__evalrank__is_the_contract) {
    make_labelled();
    run_result r = RUN_OK("measure", "pool", "evalrank", "--json", "-q");
    assert_string_equal(r.err, "");
    check_json_tool(r.out);
    assert_true(json_value(r.out, "good", "mrr") > 0.95);
    assert_true(json_value(r.out, "good", "hits10") == 1);
    assert_true(json_value(r.out, "noise", "mrr") < 0.2);
    assert_true(json_value(r.out, "good", "pairs") == 120); /* both ways */
    es_json_value root = parse_json(r.out), first = es_json_first(&root);
    assert_string_equal(es_json_key_of(&first), "embedscope");
    es_json_value provenance = member(&root, "provenance", ES_JSON_OBJECT);
    (void)member(&provenance, "digests", ES_JSON_OBJECT);
    /* again: from the store, to the bit */
    run_result again = RUN("measure", "pool", "evalrank", "--json", "-q");
    assert_string_equal(r.out, again.out);
    run_result fresh =
        RUN("measure", "pool", "evalrank", "--json", "-q", "--refresh", "--threads", "1");
    assert_int_equal(json_value(fresh.out, "fair", "mrr") == json_value(r.out, "fair", "mrr"), 1);
    run_result whole =
        RUN("measure", "pool", "evalrank", "--json", "-q", "--set", "preprocess=none axes=3");
    assert_true(json_value(whole.out, "fair", "mrr") != json_value(r.out, "fair", "mrr"));
}

TEST(measure__labels__give_a_column_a_task) {
    make_labelled();
    run_result r = RUN_OK("measure", "pool", "smoothness,probe", "--csv", "-q");
    assert_contains(r.out, "smoothness:topic,");
    assert_contains(r.out, "smoothness:size.loss-1,");
    assert_contains(r.out, "probe:size,");
    assert_int_equal(strncmp(strchr(r.out, '\n') + 1, "1,good,", 7), 0);
    r = RUN_OK("measure", "pool", "smoothness.disagree", "--task", "topic", "--csv", "-q");
    assert_lacks(r.out, "size");
    assert_int_equal(strncmp(r.out, "rank,model,smoothness:topic.disagree\n1,good,", 43), 0);
    assert_contains(RUN_OK("measure", "pool", "retmmd", "-q").out, "good");
    expect_error(RUN("measure", "pool", "probe", "--task", "colour"), 2, "no column 'colour'");
}

TEST(measure__all__takes_what_there_are_data_for) {
    make_labelled();
    run_result r = RUN_OK("measure", "pool", "all");
    static const char *const names[] = {
        "evalrank",  "similarity", "alignment",  "uniformity",          "probe:topic",
        "gbc:topic", "retmmd",     "logme:size", "intrinsic-dimension", "effective-rank"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strstr(r.out, names[i]))
            fail_msg("no %s in %s", names[i], r.out);
    assert_int_equal(
        unlink("pool/labels.csv") | unlink("pool/pairs.csv") | unlink("pool/pairs_graded.csv"), 0);
    r = RUN_OK("measure", "pool", "all");
    assert_lacks(r.out, "evalrank");
    assert_contains(r.err, "evalrank needs pairs");
    expect_error(RUN("measure", "pool", "evalrank"), 3, "evalrank needs pairs|pairs.csv");
    expect_error(RUN("measure", "pool", "probe"), 3, "probe needs labels|labels.csv");
    expect_error(RUN("measure", "pool", "similarity"), 3, "pairs_graded.csv");
    expect_error(RUN("measure", "pool", "retmmd"), 3, "qrels.csv");
}

TEST(measure__pairwise__is_a_matrix) {
    make_labelled();
    run_result r = RUN("measure", "pool", "cka", "--csv", "-q"), two, json;
    expect_code(&r, 0);
    assert_int_equal(strncmp(r.out, "source,fair,good,noise\nfair,1", 29), 0);
    two = RUN_OK("measure", "pool", "cka,linear-r2", "--csv", "-q");
    assert_int_equal(strncmp(two.out, "measure,source,target,value,note\ncka,fair,fair,", 47), 0);
    json = RUN_OK("measure", "pool", "svcca", "--json", "-q");
    check_json_tool(json.out);
    assert_contains(json.out, "\"kind\": \"pairwise\"");
    static const char *const rest[] = {"cka-biased",      "cka-rbf",     "rsa",
                                       "rsa-correlation", "knn-overlap", "knn-jaccard",
                                       "procrustes",      "pwcca",       "cca"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        r = RUN_OK("measure", "pool", rest[i], "-q", "--no-store");
        assert_non_null(strstr(r.out, "1.000") ? r.out : strstr(r.out, "0.000"));
    }
}

TEST(measure__pairwise_fields__are_matrices_of_their_own) {
    make_labelled();
    run_result whole = RUN("measure", "pool", "cca-information", "--csv", "-q"),
               again = RUN("measure", "pool", "cca-information", "--csv", "-q"),
               field = RUN("measure", "pool", "cca-information.chance", "--csv", "-q"),
               all = RUN("measure", "pool", "cca-information", "--fields", "--csv", "-q"),
               json = RUN("measure", "pool", "cca-information", "--json", "-q"),
               table = RUN("measure", "pool", "cca-information.chance", "-q");
    expect_code(&whole, 0);
    assert_string_equal(whole.out, again.out);
    assert_int_equal(strncmp(whole.out, "source,fair,good,noise\nfair,", 28), 0);
    expect_code(&field, 0);
    assert_string_not_equal(whole.out, field.out);
    expect_code(&all, 0);
    assert_contains(all.out, "\ncca-information,fair,good,");
    assert_contains(all.out, "\ncca-information.chance,noise,fair,");
    assert_contains(all.out, "\ncca-information.strongest,good,good,");
    check_json_tool(json.out);
    assert_contains(json.out, "\"name\": \"chance\"");
    assert_contains(table.out, "what unrelated embedders get");
    RUN_OK("rank", "pool", "--score", "cca-information.chance", "--csv", "-q");
}

TEST(measure__infonce__does_not_depend_on_threads) {
    make_labelled();
    run_result one = RUN("measure", "pool", "infonce", "--fields", "--csv", "-q", "--threads", "1",
                         "--no-store"),
               two = RUN("measure", "pool", "infonce", "--fields", "--csv", "-q", "--threads", "3",
                         "--no-store"),
               directed = RUN("measure", "pool", "infonce", "--set", "maps=source", "--json", "-q"),
               wrong = RUN("measure", "pool", "infonce", "--set", "temperature=0");
    expect_code(&one, 0);
    assert_string_equal(one.out, two.out);
    assert_contains(one.out, "\ninfonce.match,fair,good,");
    check_json_tool(directed.out);
    assert_contains(directed.out, "\"symmetric\": false");
    assert_int_equal(wrong.code, 2);
    assert_contains(wrong.err, "temperature");
}

/* What is not there has its reason below the table, as in json; N is the one in force. */
TEST(measure__pairs__say_what_is_missing_and_how_many_rows) {
    make_labelled();
    double flat[120 * 2]; /* except its mean */
    for (size_t i = 0; i < 240; i++)
        flat[i] = 1e9 + (double)(i * 7 % 11);
    write_npy("pool/flat.npy", flat, 120, 2);
    run_result r = RUN_OK("measure", "pool", "cca-information", "-q", "--models", "good,flat");
    assert_contains(r.out, "\n- 3 of 4 values: constant\n");
    r = RUN_OK("measure", "pool", "infonce", "-q", "--models", "good,fair");
    assert_contains(r.out, "batch=128 ");
    assert_contains(r.out, "\n  N = 30: log N is 3.401\n");
    r = RUN_OK("measure", "pool", "infonce.step", "-q", "--models", "good,fair");
    assert_lacks(r.out, ".000"); /* a count is whole */
}

TEST(measure__list__needs_no_pool) {
    run_result r = RUN_OK("measure", "--list");
    assert_contains(r.out, "evalrank");
    assert_contains(r.out, "pwcca");
    assert_contains(r.out, "\ndataset-distance --other POOL2");
    r = RUN_OK("measure", "--list", "evalrank");
    assert_contains(r.out, "hits10");
    assert_contains(r.out, "preprocess");
    assert_contains(r.out, "quantile");
    make_labelled();
    RUN_OK("measure", "pool", "cka", "-q");
    r = RUN_OK("measure", "--list", "pool", "--json", "-q");
    check_json_tool(r.out);
    assert_contains(r.out, "\"here\": \"stored\"");
    assert_contains(r.out, "\"here\": \"can be computed\"");
}

TEST(measure__misuse__is_a_usage_error) {
    make_labelled();
    expect_error(RUN("measure", "pool"), 2, "--list");
    expect_error(RUN("measure", "pool", "evalrnk"), 2, "no measure 'evalrnk'|evalrank");
    expect_error(RUN("measure", "pool", "evalrank.hits7"), 2, "no field 'hits7'|hits10");
    expect_error(RUN("measure", "pool", "evalrank", "--set", "colour=red"), 2,
                 "colour=red|preprocess");
    expect_error(RUN("measure", "pool", "evalrank,cka", "--set", "colour=red"), 2, "colour=red");
    expect_error(RUN("measure", "pool", "evalrank", "--set", "quantile=2"), 2, "quantile=2");
    expect_error(RUN("measure", "nowhere", "cka"), 3, "nowhere");
}

TEST(measure__worst__shows_pairs_and_queries) {
    es_buf *rows = test_buf();
    make_labelled();
    es_buf_puts(rows, "row,text\n");
    for (int i = 0; i < 120; i++)
        es_buf_printf(rows, "%d,text of %d\n", i, i);
    write_text("pool/rows.csv", rows->data);
    run_result r =
        RUN_OK("measure", "pool", "evalrank", "--worst-of", "noise", "--top", "3", "--json");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), list = member(&root, "worst", ES_JSON_ARRAY), one;
    double last = 1e9;
    assert_int_equal(es_json_count(&list), 3);
    for (one = es_json_first(&list); one.node; one = es_json_next(&one)) {
        char text[64];
        double row = number_of(&one, "row"), rank = number_of(&one, "rank");
        (void)snprintf(text, sizeof text, "text of %.0f", row);
        assert_string_equal(text_of(&one, "text"), text);
        assert_true(number_of(&one, "partner") == ((int)row ^ 1)); /* as make_labelled pairs them */
        assert_true(rank <= last && rank > 10);
        assert_true(number_of(&one, "between_similarity") >= number_of(&one, "similarity"));
        last = rank;
    }
    r = RUN_OK("measure", "pool", "retmmd", "--worst-of", "good", "--csv", "-q");
    assert_int_equal(strncmp(r.out, "m,p,positives,negatives,row,text,", 33), 0);
    expect_error(RUN("measure", "pool", "cka", "--worst-of", "good", "-q"), 2, "evalrank");
    expect_error(RUN("measure", "pool", "evalrank", "--worst-of", "goo", "-q"), 2, "'goo'");
    r = RUN_OK("measure", "pool", "evalrank", "--worst-of", "noise", "--csv", "--where",
               "text=text of 7");
    assert_contains(r.out, ",7,text of 7,6,");
    assert_lacks(r.out, ",6,text of 6,7,");
    expect_error(RUN("measure", "pool", "evalrank", "--where", "text=a"), 2, "--worst-of");
}

typedef struct bad_case {
    const char *file, *text, *measure;
    int code;
    const char *words;
} bad_case;

TEST(measure__bad_data__is_named_with_its_line) {
    static const bad_case cases[] = {
        {"pairs.csv", "a,b\n0,1\n2,500\n", "evalrank", 3, "pairs.csv: line 3|row 500|0 to 119"},
        {"pairs.csv", "a,b\n0,dog\n", "evalrank", 3, "pairs.csv: line 2|'dog'"},
        {"pairs.csv", "a,b\n0,1\n2,-3\n", "evalrank", 3, "pairs.csv: line 3|'-3'"},
        {"pairs.csv", "a,b\n0,1.5\n", "evalrank", 3, "pairs.csv: line 2|'1.5'"},
        {"pairs.csv", "a,b\n0\n", "evalrank", 3, "pairs.csv: line 2"},
        {"pairs_graded.csv", "a,b,s\n0,1,good\n", "similarity", 3,
         "pairs_graded.csv: line 2|'good'"},
        {"pairs.csv", "a,b\n3,3\n", "evalrank", 3, "pairs.csv: no pair of two different rows"},
        {"pairs.csv", "", "evalrank", 3, "pairs.csv"},
        {"pairs.csv", "a,b,score\n0,1,2\n2,3,\n", "evalrank", 3, "pairs.csv: line 3: no score"},
        {"labels.csv", "row,l\n0,a\n1,b\n1,a\n", "smoothness", 3, "labels.csv: line 4|line 3"},
        {"labels.csv", "row,l\n0,a\n120,b\n", "probe", 3, "labels.csv: line 3|120|0 to 119"},
        {"labels.csv", "row,l\nzero,a\n", "probe", 3, "labels.csv: line 2|'zero'"},
        {"labels.csv", "", "probe", 3, "labels.csv"},
        {"qrels.csv", "query,doc,rel\n0,x,1\n", "retmmd", 3, "qrels.csv: line 2|'x'"},
        {"qrels.csv", "query,doc,rel\n0,1,1\n0,400,1\n", "retmmd", 3, "qrels.csv: line 3|400"},
        {"labels.csv", "row,l\n0,a\n1,a\n2,a\n3,a\n4,a\n5,a\n6,a\n7,a\n8,a\n9,a\n", "retmmd", 3,
         "needs queries|labels.csv with"},
        {"qrels.csv", "query,doc,rel\n0,1,1\n0,1,0\n", "retmmd", 3, "qrels.csv: line 3|line 2"},
        {"qrels.csv", "query,doc,rel\n0,0,1\n", "retmmd", 3, "qrels.csv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[64];
        empty_scratch(NULL);
        make_labelled();
        (void)snprintf(path, sizeof path, "pool/%s", cases[i].file);
        if (strcmp(cases[i].measure, "retmmd") == 0)
            assert_int_equal(unlink("pool/pairs.csv") | unlink("pool/pairs_graded.csv"), 0);
        write_text(path, cases[i].text);
        expect_error(RUN("measure", "pool", cases[i].measure), cases[i].code, cases[i].words);
    }
}

TEST(measure__odd_data__is_counted_and_shown) {
    double zero[120 * 2] = {0}, same[120 * 2];
    make_labelled();
    write_text("pool/pairs.csv", "a,b\n0,1\n1,0\n0,1\n5,5\n2,3\n");
    for (size_t i = 0; i < 240; i++) {
        same[i] = i < 2 ? 1.0 : 2.0; /* all rows but one are one point */
        zero[i] = i % 12 == 0 ? 1.0 : 0.0;
    }
    write_npy("pool/same.npy", same, 120, 2);
    write_npy("pool/zero.npy", zero, 120, 2);
    run_result r = RUN_OK("measure", "pool", "evalrank");
    assert_contains(r.err, "paired with itself: 1 of the pairs");
    assert_contains(r.err, "counted once, as they are given again: ");
    assert_contains(r.out, "ties change it");
    assert_contains(r.out, "all zero, which as they are resemble none: zero (100)");
    r = RUN("measure", "pool", "evalrank", "--json", "-q");
    assert_true(json_value(r.out, "zero", "zero-rows") == 100);
    assert_true(json_value(r.out, "same", "mrr") < 0.5); /* collapse does not pay */
    write_text("pool/labels.csv", "row,l\n0,a\n1,a\n2,b\n3,b\n4,c\n9,a\n");
    r = RUN_OK("measure", "pool", "smoothness");
    assert_contains(r.err, "6 of 120 rows have a label");
    assert_contains(r.err, "1 of 3 classes have one row");
    r = RUN("measure", "pool", "smoothness", "--rows", "first:60");
    assert_contains(r.err, "6 of 60 rows have a label");
    write_text("pool/labels.csv", "row,l\n0,a\n1,a\n2,a\n");
    r = RUN_CODE(1, "measure", "pool", "gbc");
    assert_contains(r.err, "one class only");
    assert_contains(r.err, "of one class: nothing to tell apart");
}

/* A row of "-" says why. */
TEST(agree__measure_without_values__says_why) {
    make_labelled();
    es_buf *labels = test_buf();
    es_buf_puts(labels, "row,logp\n");
    for (int i = 0; i < 60; i++)
        es_buf_printf(labels, "%d,%g\n", i, 0.37 * i + i % 7);
    write_text("pool/labels.csv", labels->data);
    run_result r = RUN_OK("agree", "pool", "gbc,uniformity", "-q");
    assert_contains(r.out, "\ngbc: no value: needs classes");
    r = RUN("agree", "pool", "gbc,uniformity", "-q", "--json");
    assert_contains(r.out, "\"remark\": \"no value: needs classes");
}

TEST(agree__json__has_every_measure) {
    make_labelled();
    write_text("pool/scores.csv", "model,t1,t2\ngood,0.9,0.8\nfair,0.7,0.7\nnoise,0.1,0.2\n");
    write_text("pool/models.csv", "model,params\ngood,100\nfair,50\n");
    run_result r = RUN_OK("agree", "pool", "evalrank,uniformity", "--json", "-q");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), list = member(&root, "measures", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 4); /* dimension and params beside */
    list = member(&root, "agreement", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 6);
    for (es_json_value pair = es_json_first(&list); pair.node; pair = es_json_next(&pair)) {
        const char *why = NULL, *lacks = NULL;
        assert_ok(es_json_get_text(&pair, "why", 0, &why, NULL));
        assert_ok(es_json_get_text(&pair, "ci_reason", 0, &lacks, NULL));
        if (why)
            assert_null(lacks);
        else
            assert_string_equal(lacks, "fewer than 7 embedders");
    }
    list = member(&root, "against_downstream", ES_JSON_ARRAY);
    es_json_value first = es_json_first(&list);
    assert_string_equal(text_of(&first, "measure"), "evalrank");
    assert_true(number_of(&first, "spearman") == 1 && number_of(&first, "n") == 3);
    assert_string_equal(text_of(&first, "few"), "too few embedders");
    assert_string_equal(text_of(&root, "downstream"), "mean rank over 2 tasks");
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    r = RUN_OK("agree", "pool", "--against", "t2");
    assert_contains(r.out, "\nis ");
    assert_contains(r.out, "uniformity: lower is better");
    assert_contains(r.out, "above the diagonal; no 95 % interval: fewer than 7 embedders");
    assert_contains(r.out, "downstream: t2");
    r = RUN_OK("agree", "pool", "cka", "--csv", "-q");
    assert_int_equal(strncmp(r.out, "measure,n,n_effective,spearman,", 31), 0);
    expect_error(RUN("agree", "pool", "cka", "--against", "t9", "-q"), 2, "t9");
    write_text("pool/models.csv", "model,licences\ngood,many\nfair,2\n");
    r = RUN_OK("agree", "pool", "cka");
    assert_contains(r.err, "models.csv: line 2, column 2: 'many' is not a number");
    FILE *wide = fopen("pool/models.csv", "w"); /* these would take ten minutes */
    fputs("model", wide);
    for (int i = 0; i < 1000; i++)
        fprintf(wide, ",c%d", i);
    fputs("\ngood", wide);
    for (int i = 0; i < 1000; i++)
        fprintf(wide, ",%d", i);
    fclose(wide);
    expect_error(RUN("agree", "pool", "cka", "-q"), 2, "models.csv: has 1000 columns of numbers");
}

/* The number in one cell of a csv, by its row's first two cells; NaN: empty, -9: no such row. */
static double csv_cell(const char *text, const char *row, size_t column) {
    size_t length = strlen(row);
    for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        if (strncmp(at, row, length) != 0)
            continue;
        for (size_t c = 0; c < column && at; c++)
            at = strchr(at + (c > 0), ',');
        return at && at[1] != ',' ? strtod(at + 1, NULL) : (double)NAN;
    }
    return -9;
}

TEST(agree__by_task__means_what_correlate_means) {
    make_labelled();
    add_relatives();
    write_text("pool/scores.csv",
               "model,t1,t2 (lower)\ngood,0.9,8\nfair,0.7,1\npart,0.5,7\nrough,0.3,9\n");
    write_text("pool/tasks.csv", "task,category,weight\nt1,one,3\nt2 (lower),two,1\n");
    RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
    run_result table =
        RUN_OK("agree", "pool", "evalrank,evalrank.hits1", "--by-task", "--csv", "-q");
    run_result set = RUN_OK("correlate", "pool", "--csv", "-q");
    static const char *const columns[] = {"t1", "t2 (lower)", "mean rank", "mean"};
    for (size_t i = 0; i < 4; i++) {
        char row[64];
        (void)snprintf(row, sizeof row, "predictive,%s,", columns[i]);
        double rho = csv_cell(table.out, row, 4);
        (void)snprintf(row, sizeof row, "%s,", columns[i]);
        assert_true(rho == csv_cell(set.out, row, 6)); /* spearman, to the bit */
    }
    run_result agree = RUN("agree", "pool", "evalrank", "--csv", "-q");
    assert_true(csv_cell(agree.out, "predictive,", 3) ==
                csv_cell(table.out, "predictive,mean rank,", 4));
    agree = RUN("agree", "pool", "evalrank", "--csv", "-q", "--against", "mean");
    assert_true(csv_cell(agree.out, "predictive,", 3) ==
                csv_cell(table.out, "predictive,mean,", 4));
    run_result r = RUN_OK("rank", "pool", "--curve", "--against", "mean", "--json", "-q");
    check_json_tool(r.out);
    r = RUN_OK("agree", "pool", "evalrank", "--by-task", "--json", "-q");
    check_json_tool(r.out);
    assert_contains(r.out, "\"ci_reason\": \"fewer than 7 embedders\"");
    r = RUN_OK("agree", "pool", "evalrank", "--by-task", "-q");
    assert_contains(r.out, "1.00?");
    assert_contains(r.out, "\n?: fewer than 7 embedders\n");
    expect_error(RUN("agree", "pool", "--runs", "3"), 2, "--by-task");
    expect_error(RUN("agree", "pool", "--by-task", "--against", "t1"), 2, "--against");
    (void)unlink("pool/scores.csv");
    expect_error(RUN("agree", "pool", "evalrank", "--by-task", "-q"), 3, "scores.csv");
}

TEST(agree__runs__spread_what_is_drawn) {
    make_labelled();
    write_text("pool/scores.csv", "model,t1,t2\ngood,0.9,8\nfair,0.7,1\nnoise,0.1,9\n");
    run_result r = RUN_OK("agree", "pool", "evalrank,retmmd", "--by-task", "--runs", "3", "--csv",
                          "-q", "--set", "runs=1 permutations=19");
    assert_true(csv_cell(r.out, "evalrank,mean,", 19) == 0); /* spearman_sd: nothing is drawn */
    double pearson = csv_cell(r.out, "retmmd,t1,", 10);
    assert_true(csv_cell(r.out, "retmmd,t1,", 23) > 0); /* pearson_sd */
    assert_true(fabs(pearson - csv_cell(r.out, "retmmd,t1,", 22)) > 0);
}

static const char *list_of(const char *document) {
    const char *from = strstr(document, "\"rivals\": [");
    assert_non_null(from);
    return from;
}

TEST(rivals__every_score_without_labels__stands_beside_the_dimension) {
    make_labelled();
    add_relatives();
    expect_error(RUN("rivals", "pool", "-q"), 3, "no scores.csv");
    write_text("pool/scores.csv",
               "model,t1,t2\ngood,0.9,0.8\nfair,0.7,0.7\npart,0.5,0.6\nrough,0.3,0.4\n");
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    run_result r = RUN_OK("rivals", "pool", "consensus,effective-rank", "--json", "-q");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), list = member(&root, "rivals", ES_JSON_ARRAY), row;
    /* dimension, linear, three ranks, consensus; then the other task */
    assert_int_equal(es_json_count(&list), 7);
    assert_string_equal(text_of(&root, "line"), "dimension");
    size_t found = 0;
    for (row = es_json_first(&list); row.node; row = es_json_next(&row)) {
        if (strcmp(text_of(&row, "score"), "consensus") == 0) {
            found++; /* noise knows nothing of the others, and the others are one another's */
            assert_true(number_of(&row, "spearman") > 0.4 && number_of(&row, "n") == 4);
            assert_true(number_of(&row, "seconds") > 0);
        }
        if (strcmp(text_of(&row, "score"), "linear") == 0) {
            found++;
            assert_true(number_of(&row, "regret_first") == 0);
        }
    }
    assert_int_equal(found, 2);
    double above = 2; /* lines in order; who is level with the one above has its place */
    size_t line = 0, place = 0, level = 0;
    for (row = es_json_first(&list); row.node; row = es_json_next(&row)) {
        if (number_of(&row, "labelled_tasks") > 0) {
            found++;
            assert_string_equal(text_of(&row, "score"), "leaderboard");
            assert_true(number_of(&row, "each_task") == 1); /* both tasks have one order */
            continue;
        }
        double rho = number_of(&row, "spearman");
        bool tied = fabs(above - rho) < 1e-12;
        line++;
        level += tied;
        place = tied ? place : line;
        above = rho;
        assert_int_equal((size_t)number_of(&row, "rank"), place);
    }
    assert_int_equal(found, 3);
    assert_true(level > 0); /* three embedders have few orders */
    run_result again = RUN("rivals", "pool", "consensus,effective-rank", "--json", "-q");
    assert_string_equal(r.out, again.out); /* with the seconds that it took then */
    RUN_OK("derive", "pool", "good", "--whiten", "-q");
    again = RUN_OK("rivals", "pool", "consensus,effective-rank", "--json", "-q");
    assert_string_equal(list_of(r.out), list_of(again.out)); /* what was derived judges nobody */
    RUN_OK("rivals", "pool", "effective-rank", "--with-derived", "--csv", "-q");
    r = RUN_OK("rivals", "pool", "--csv", "-q");
    for (size_t i = 0; es_measure_at(i); i++) /* each stands there by its row in the table */
        if (es_measure_needs(es_measure_at(i)) == 0)
            assert_contains(r.out, es_measure_name(es_measure_at(i)));
    expect_error(RUN("rivals", "pool", "evalrank", "-q"), 2, "evalrank needs pairs|agree");
    expect_error(RUN("export", "pool", "rivals", "--hide", "fair", "-o", "r.svg", "-q"), 2,
                 "over all embedders");
    RUN_OK("export", "pool", "rivals", "-o", "r.tex", "-q");
    RUN_OK("export", "pool", "rivals", "-o", "r.svg", "-q");
    assert_int_equal(access("r.svg", R_OK), 0);
}

static double rival(const run_result *r, const char *name, const char *key) {
    es_json_value root = parse_json(r->out), list = member(&root, "rivals", ES_JSON_ARRAY), row;
    double value = NAN;
    for (row = es_json_first(&list); row.node; row = es_json_next(&row))
        if (strcmp(text_of(&row, "score"), name) == 0)
            value = number_of(&row, key);
    return value;
}

/* What is not steady on these rows says so where it is used: by the estimator's row, or by the
 * values that have a warning. */
TEST(rivals__unsteady_scores__are_said) {
    make_labelled();
    write_text("pool/scores.csv", "model,t1,t2\ngood,0.9,0.8\nfair,0.7,0.7\nnoise,0.1,0.2\n");
    run_result r = RUN_OK("estimate", "pool", "--estimator", "l2", "-q");
    static const char *const commands[] = {"rivals", "agree"};
    for (size_t i = 0; i < 2; i++) {
        r = RUN_OK(commands[i], "pool", "linear-r2,knn-overlap", "-q", "--rows", "first:20");
        assert_contains(r.out, "\nlinear-r2: n <= 4 d1: a quarter of it or more is chance "
                               "(4 of 6 pairs)\n");
        assert_lacks(r.out, "\nknn-overlap: ");
        assert_contains(RUN_OK(commands[i], "pool", "knn-overlap", "-q").out, "\nl2: not steady");
    }
    r = RUN_OK("rivals", "pool", "knn-overlap", "--json", "-q");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), list = member(&root, "rivals", ES_JSON_ARRAY), row;
    for (row = es_json_first(&list); row.node; row = es_json_next(&row)) {
        const char *remark = NULL;
        assert_ok(es_json_get_text(&row, "remark", ES_JSON_OPTIONAL, &remark, NULL));
        assert_int_equal(remark != NULL, strcmp(text_of(&row, "score"), "l2") == 0);
    }
    static const char *const shown[] = {"rank", "matrix"};
    for (size_t i = 0; i < 2; i++) {
        r = RUN_OK(shown[i], "pool", "--estimator", "l2", "-q");
        assert_contains(r.out, "\nl2 default: not steady");
    }
}

/* What was derived makes nothing of what the embedders share. */
TEST(consensus__derived__are_no_members) {
    make_labelled();
    run_result before = RUN("measure", "pool", "consensus", "--csv", "-q"), r;
    RUN_OK("derive", "pool", "good", "--center", "--name", "again", "-q");
    r = RUN_OK("measure", "pool", "consensus", "--csv", "-q");
    for (char *line = strtok(before.out, "\n"); line; line = strtok(NULL, "\n"))
        assert_contains(r.out, line);
    r = RUN("measure", "pool", "consensus", "-q");
    assert_contains(r.out, "no value (derived: included only");
    assert_lacks(RUN_OK("measure", "pool", "consensus", "--with-derived", "-q").out, "no value");
}

/* Errors make no kinds and no set: the order alone is given, and no best. */
TEST(rank__errors__say_nothing_of_new_targets) {
    make_labelled();
    RUN_OK("estimate", "pool", "--estimator", "l2", "--preset", "linear", "-q");
    run_result r =
        RUN_OK("rank", "pool", "--estimator", "l2", "--preset", "linear", "--json", "-q");
    check_json_tool(r.out);
    assert_lacks(r.out, "Best of these");
    assert_contains(r.out, "This score does not say which is the best.");
    assert_contains(r.out, "\"kinds\": 0,");
    assert_contains(r.out, "\"kind\": null");
    assert_contains(r.out, "\"scope\": \"these\"");
    assert_contains(r.out, "\"best\": null");
    assert_contains(r.out, "\"best_set\": []");
}

/* A session has one plan; what another has stored at its defaults stands there all the same, with
 * the numbers that its own plan shows. */
TEST(rivals__other_estimators__are_read_from_the_store) {
    make_labelled();
    add_relatives();
    write_text("pool/scores.csv",
               "model,t1,t2\ngood,0.9,0.8\nfair,0.7,0.7\npart,0.5,0.6\nrough,0.3,0.4\n");
    static const char *const others[] = {"linear", "flow", "l2"};
    for (size_t i = 0; i < 3; i++) {
        RUN_OK("estimate", "pool", "--estimator", others[i], "-q");
    }
    run_result all = RUN_OK("rivals", "pool", "consensus", "--json", "-q");
    assert_true(isnan(rival(&all, "knife", "spearman"))); /* not stored */
    for (size_t i = 0; i < 3; i++) {
        run_result own =
            RUN_OK("rivals", "pool", "consensus", "--estimator", others[i], "--json", "-q");
        static const char *const keys[] = {"spearman", "regret_first"};
        for (size_t k = 0; k < 2; k++)
            assert_true(rival(&all, others[i], keys[k]) == rival(&own, others[i], keys[k]));
        double seconds = rival(&all, others[i], "seconds"); /* summed in another order */
        assert_true(fabs(seconds / rival(&own, others[i], "seconds") - 1) < 1e-12);
        if (strcmp(others[i], "l2") == 0) /* by its own plan and from the store alike */
            assert_contains(own.out, "\"about\": \"error, l2 default\"");
    }
    assert_true(rival(&all, "l2", "spearman") > 0); /* of errors, turned about */
}

TEST(derive__every_way__is_a_member) {
    static const char *const ways[][3] = {
        {"--whiten", NULL, "good+whiten"},
        {"--whiten", "2", "good+whiten2"},
        {"--abtt", "1", "good+abtt1"},
        {"--pcr", "1", "good+pcr1"},
        {"--pca", "3", "good+pca3"},
        {"--center", NULL, "good+centred"},
        {"--normalize", NULL, "good+normalised"},
        {"--random-projection", "4", "good+random4"},
        {"--concat", "fair", "good+fair"},
    };
    make_labelled();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        run_result r = ways[i][1] ? RUN("derive", "pool", "good", ways[i][0], ways[i][1])
                                  : RUN("derive", "pool", "good", ways[i][0]);
        expect_code(&r, 0);
        assert_int_equal(strncmp(r.out, ways[i][2], strlen(ways[i][2])), 0);
    }
    run_result r = RUN_OK("measure", "pool", "evalrank", "--json", "-q");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        assert_true(isfinite(json_value(r.out, ways[i][2], "mrr")));
    /* to measure a whitened embedder and to whiten within the measure are the same, except the
     * single precision of the file */
    run_result inside =
        RUN("measure", "pool", "evalrank", "--json", "-q", "--set", "preprocess=whiten");
    assert_true(fabs(json_value(r.out, "good+whiten", "mrr") -
                     json_value(inside.out, "good", "mrr")) < 1e-6);
    /* a change of the source shows */
    double x[120 * 5];
    for (size_t i = 0; i < 600; i++)
        x[i] = sin((double)(i * i));
    write_npy("pool/good.npy", x, 120, 5);
    r = RUN("info", "pool");
    assert_contains(r.out, "good has changed since it was derived");
    /* what one that was killed left long ago goes */
    static const char left[] = "pool/.embedscope/derived/.embedscope-99999999-0.tmp";
    static const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    write_text(left, "half a matrix");
    assert_int_equal(utimensat(AT_FDCWD, left, long_ago, 0), 0);
    r = RUN_OK("derive", "pool", "good", "--pca", "3", "--name", "mine");
    assert_int_equal(strncmp(r.out, "mine: 120 rows, 3 columns", 25), 0);
    assert_int_equal(access(left, F_OK), -1);
    /* a name stands for one way; made anew in this way, it is as it was */
    expect_error(RUN("derive", "pool", "good", "--center", "--name", "mine"), 2,
                 "'mine', made differently (derived from good: pca 3)");
    RUN_OK("derive", "pool", "good", "--pca", "3", "--name", "mine");
    RUN_OK("derive", "pool", "good", "--random-projection", "3", "--seed", "2", "--name", "any");
    expect_error(
        RUN("derive", "pool", "good", "--random-projection", "3", "--seed", "3", "--name", "any"),
        2, "random-projection 3, seed 2): choose another name");
    RUN_OK("derive", "pool", "--remove", "mine", "-q");
    RUN_OK("derive", "pool", "good", "--center", "--name", "mine");
}

TEST(derive__misuse__is_refused) {
    make_labelled();
    expect_error(RUN("derive", "pool", "good"), 2, "say how");
    expect_error(RUN("derive", "pool", "good", "--whiten", "--center"), 2, "one way at a time");
    expect_error(RUN("derive", "pool", "god", "--center"), 2, "'god'|'good'");
    expect_error(RUN("derive", "pool", "good", "--pca", "9"), 2, "from 1 to 5");
    expect_error(RUN("derive", "pool", "good", "--center", "--name", "fair"), 2, "already");
    expect_error(RUN("derive", "pool", "good", "--center", "--rows", "60"), 2, "--rows");
    expect_error(RUN("derive", "pool"), 2, "name a source");
}

static char *ranking_of(const char *option) {
    run_result r =
        option ? RUN("rank", "pool", "--csv", "-q", option) : RUN("rank", "pool", "--csv", "-q");
    expect_code(&r, 0);
    char *copy = strdup(r.out);
    return copy;
}

/* The ranking is byte for byte that of the pool without it, until it is asked for. */
TEST(derived__ranking__neither_votes_nor_ranks) {
    make_pool("pool");
    write_text("pool/scores.csv", "model,t1\na,0.9\nb,0.7\nc,0.5\nd10,0.1\n");
    run_result r = RUN("estimate", "pool", "-q");
    char *before = ranking_of(NULL);
    r = RUN("derive", "pool", "b", "--whiten");
    char *unknown = ranking_of(NULL);
    assert_string_equal(before, unknown);
    assert_contains(RUN_OK("estimate", "pool").out,
                    "1 derived embedder is left out (~b+whiten); --with-derived");
    char *after = ranking_of(NULL), *asked = ranking_of("--with-derived");
    assert_string_equal(before, after);
    assert_lacks(after, "b+whiten");
    assert_contains(asked, ",b+whiten,");
    assert_contains(asked, ",true\n");
    assert_lacks(after, ",true\n");
    r = RUN("rank", "pool");
    assert_contains(r.out, "1 derived embedder is left out (~b+whiten)");
    r = RUN("rank", "pool", "--with-derived");
    assert_contains(r.out, "~b+whiten");
    assert_lacks(r.out, "left out");
    r = RUN("rank", "pool", "--json", "-q");
    assert_contains(r.out, "\"derived_left_out\": [\"b+whiten\"]");
    for (size_t i = 0; i < 2; i++) { /* correlate and agree leave it out, and say so */
        const char *command = i ? "agree" : "correlate";
        r = i ? RUN(command, "pool", "effective-rank") : RUN(command, "pool");
        expect_code(&r, 0);
        assert_contains(r.err, "1 derived embedder is left out");
        assert_lacks(r.out, "b+whiten");
    }
    r = RUN("matrix", "pool", "--json", "-q");
    assert_contains(r.out, "\"derived\": true");
    static const char *const marked[][3] = {
        {"matrix"}, {"tree"}, {"info"}, {"compare", "a", "b+whiten"}};
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++) {
        r = marked[i][1] ? RUN(marked[i][0], "pool", marked[i][1], marked[i][2])
                         : RUN(marked[i][0], "pool");
        expect_code(&r, 0);
        assert_contains(r.out, "~b+whiten");
    }
}

TEST(derive__remove__undoes_it) {
    make_pool("pool");
    run_result r = RUN("derive", "pool", "b", "--whiten");
    expect_error(RUN("derive", "pool", "--remove", "b"), 2, "b is not derived");
    expect_error(RUN("derive", "pool", "--remove", "b+whitn"), 2, "'b+whitn'|'b+whiten'");
    expect_error(RUN("derive", "pool", "b", "--remove", "b+whiten"), 2, "no source and no way");
    expect_error(RUN("derive", "pool", "--pca", "2", "--remove", "b+whiten"), 2, "no way");
    r = RUN("info", "pool", "--models", "a,b+whiten");
    assert_lacks(r.out, "is not here");
    assert_int_equal(rename("pool/b.npy", "b.npy"), 0);
    r = RUN_OK("info", "pool");
    assert_contains(r.out, "b+whiten: b, which it was derived from, is not here");
    assert_int_equal(rename("b.npy", "pool/b.npy"), 0);
    r = RUN_OK("derive", "pool", "--remove", "b+whiten");
    assert_int_equal(strncmp(r.out, "b+whiten is removed: ", 21), 0);
    assert_int_equal(access("pool/.embedscope/derived/b+whiten.npy", F_OK), -1);
    assert_int_equal(access("pool/.embedscope/derived/b+whiten.json", F_OK), -1);
    r = RUN("info", "pool");
    assert_lacks(r.out, "b+whiten");
}

/* Of what was trained both embedders go, and with the last of them the weights. */
TEST(derive__remove__takes_the_weights_along) {
    static const char weights[] = "pool/.embedscope/derived/one.safetensors";
    make_pool("pool");
    for (int i = 0; i < 2; i++) {
        RUN_OK("derive", "pool", "b", "--cmim", "2", "--set", "steps=20", "--name", "one", "-q");
        RUN_OK("derive", "pool", "--remove", i ? "one" : "one.mu");
        assert_int_equal(access(weights, F_OK), i ? -1 : 0);
    }
    run_result r = RUN("info", "pool");
    assert_lacks(r.out, "one.");
}

/* Killed between the two: the entry went first, so the pool is whole; a matrix that nobody names is
 * swept when it is a day old, by the next one that derives. */
TEST(derive__remove__may_be_killed) {
    static const char orphan[] = "pool/.embedscope/derived/b+whiten.npy";
    static const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    make_pool("pool");
    run_result r = RUN("derive", "pool", "b", "--whiten");
    assert_int_equal(unlink("pool/.embedscope/derived/b+whiten.json"), 0);
    r = RUN_OK("info", "pool");
    assert_lacks(r.out, "b+whiten");
    assert_string_equal(r.err, "");
    r = RUN("derive", "pool", "a", "--center");
    assert_int_equal(access(orphan, F_OK), 0); /* another may be writing its entry */
    assert_int_equal(utimensat(AT_FDCWD, orphan, long_ago, 0), 0);
    r = RUN("derive", "pool", "a", "--pca", "2");
    assert_int_equal(access(orphan, F_OK), -1);
    assert_int_equal(access("pool/.embedscope/derived/a+centred.npy", F_OK), 0);
}

/* Queries of their own: documents are rows, and every embedder brings the queries' vectors. */
TEST(measure__retrieval__takes_queries_of_their_own) {
    enum { QUERIES = 5 };
    make_pool("pool");
    write_text("pool/qrels.csv", "query,doc,rel\n0,10,1\n1,20,1\n2,30,2\n3,40,1\n4,50,1\n");
    run_result r = RUN_OK("measure", "pool", "retrieval", "--json"); /* rows 0 to 4 are asked */
    check_json_tool(r.out);
    static const size_t columns[] = {6, 8}, rows[QUERIES] = {10, 20, 30, 40, 51};
    double all[240 * 8], some[QUERIES * 8];
    for (size_t k = 0; k < 2; k++) {
        size_t d = columns[k], bytes = 240 * d * sizeof *all;
        FILE *f = fopen(k ? "pool/b.npy" : "pool/a.npy", "rb");
        assert_non_null(f);
        assert_int_equal(fseek(f, -(long)bytes, SEEK_END), 0);
        assert_int_equal(fread(all, 1, bytes, f), bytes);
        fclose(f);
        for (size_t q = 0; q < QUERIES; q++)
            memcpy(some + q * d, all + rows[q] * d, d * sizeof *all);
        assert_ok(es_npy_write(k ? "pool/b.queries.npy" : "pool/a.queries.npy", some, QUERIES, d,
                               0600, NULL));
    }
    r = RUN_CODE(1, "measure", "pool", "retrieval", "--set", "k=1", "--csv");
    assert_contains(r.err, "no c.queries.npy");
    const char *a = strstr(r.out, ",a,"), *c = strstr(r.out, ",c,");
    assert_true(a && c);
    assert_true(fabs(strtod(a + 3, NULL) - 0.8) < 1e-12); /* 51 is not 50's nearest */
    assert_true(c[3] == ',' || c[3] == '\n');
    for (int k = 0; k < 2; k++) /* broken ones do not turn the queries into rows */
        write_text(k ? "pool/b.queries.npy" : "pool/a.queries.npy", "broken");
    r = RUN_CODE(1, "measure", "pool", "retrieval", "--csv", "-q");
    assert_lacks(r.out, ",0.");        /* nobody has a value */
    r = RUN("info", "pool", "--json"); /* they are no embedders */
    assert_lacks(r.out, "queries");
    RUN_OK("measure", "pool", "retrieval", "--set", "query-ids=rows", "--csv", "-q");
}

/* A column for every setting and label column, and a mean rank for every setting, each under a name
 * of its own; a setting that changes nothing is reported; no line of text is wider than a page. */
TEST(measure__sweep_over_label_columns__has_names_of_its_own) {
    char head[16384], name[64];
    make_labelled();
    es_buf *labels = test_buf();
    es_buf_puts(labels, "row,topic,genre\n");
    for (int i = 0; i < 120; i++)
        es_buf_printf(labels, "%d,%c,%c\n", i, "xyz"[i / 2 % 3], "uv"[i / 2 % 2]);
    write_text("pool/labels.csv", labels->data);
    assert_int_equal(unlink("pool/pairs.csv") | unlink("pool/pairs_graded.csv"), 0);
    run_result r = RUN_OK("measure", "pool", "retmmd", "--sweep", "power=2,3,4", "--csv", "-q");
    (void)snprintf(head, sizeof head, ",%.*s,", (int)strcspn(r.out, "\r\n"), r.out);
    for (const char *at = head + 1; *at; at += strcspn(at, ",") + 1) {
        (void)snprintf(name, sizeof name, ",%.*s,", (int)strcspn(at, ","), at);
        if (strstr(at, name) != NULL)
            fail_msg("two columns are called %s", name);
    }
    assert_contains(head, ",retmmd.mean-rank[power=3],");
    r = RUN_OK("measure", "pool", "retmmd", "--sweep", "power=2,3,4", "-q");
    assert_contains(r.out, "retmmd:topic[power=2] has the same values as [power=3], [power=4]: "
                           "the setting does not change this field");
    for (const char *at = r.out; (at = strstr(at, "\n  quantile=")) != NULL; at++)
        assert_true(strcspn(at + 1, "\n") <= 100);
    r = RUN_OK("measure", "pool", "retmmd", "--sweep", "queries=10,60", "-q");
    assert_lacks(r.out, "the same values");
}

/* Fewer rows than columns on both sides: near 0 even of noise, which is said as cca says it. */
TEST(measure__procrustes_of_few_rows__warns) {
    static const size_t wide[] = {30, 50, 4};
    double x[40 * 50];
    es_rng rng = test_rng(3, 1);
    assert_int_equal(mkdir("few", 0700), 0);
    for (size_t k = 0; k < 3; k++) {
        char path[16];
        for (size_t i = 0; i < 24 * wide[k]; i++)
            x[i] = es_rng_normal(&rng);
        (void)snprintf(path, sizeof path, "few/%c.npy", (int)('a' + k));
        write_npy(path, x, 24, wide[k]);
    }
    run_result r = RUN_OK("measure", "few", "procrustes", "-q");
    assert_contains(r.out, "~ 4 of 9 values: n <= d1 and n <= d2: near 0 whatever");
}
