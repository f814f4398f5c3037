/* Measures of two pools, of several label columns and of two embedders row by row, and what `agree`
 * says of controls and duplicates. */
#include "labelled.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

/* "other": the embedders of make_labelled on its rows, moved by `shift` in the first embedder. */
static void make_other(double shift) {
    double x[120 * 5];
    make_labelled();
    assert_int_equal(system("cp -r pool other && rm other/noise.npy other/fair.npy"), 0);
    es_rng rng = test_rng(5, 1);
    for (size_t i = 0; i < 120 * 5; i++)
        x[i] = es_rng_normal(&rng) + 2.0 * (double)(i / 10 % 3) + shift;
    write_npy("other/good.npy", x, 120, 5);
    write_npy("other/fair.npy", x, 200, 3);
    write_npy("other/wide.npy", x, 120, 4);
}

/* `field` of `model` in "distances". */
static double distance_of(const char *text, const char *model, const char *field) {
    es_json_value root = parse_json(text), list = member(&root, "distances", ES_JSON_ARRAY), row;
    double out = NAN;
    for (row = es_json_first(&list); row.node; row = es_json_next(&row))
        if (strcmp(text_of(&row, "model"), model) == 0)
            out = number_of(&row, field);
    return out;
}

TEST(distance__two_pools__grows_with_the_shift) {
    double last = -1;
    for (int shift = 0; shift < 3; shift++) {
        empty_scratch(NULL);
        make_other(3.0 * shift);
        run_result r = RUN_OK("measure", "pool", "dataset-distance", "--other", "other", "--task",
                              "topic", "--json", "-q");
        check_json_tool(r.out);
        double w1 = distance_of(r.out, "good", "w1");
        assert_true(w1 > last && distance_of(r.out, "good", "matched") == 100);
        assert_true((distance_of(r.out, "good", "mmd2") > 0.3) == (shift > 0));
        assert_contains(r.out, "\"why\": \"not in the other pool\"");
        last = w1;
    }
}

TEST(distance__formats_and_settings__are_those_of_measures) {
    make_other(1);
    run_result r =
        RUN_OK("measure", "pool", "dataset-distance", "--other", "other", "--set", "runs=1",
               "--set", "recall=0.5", "--set", "recall-transferred=0.4", "--models", "good");
    assert_contains(r.out, "transferability: -0.2000");
    assert_contains(r.out, "1 draw;");
    r = RUN_OK("measure", "pool", "dataset-distance", "--other", "other", "--csv");
    assert_contains(r.err, "fair is left out"); /* of 200 rows */
    assert_int_equal(strncmp(r.out, "model,dim,mmd2,mmd2_sd,", 23), 0);
}

/* What `rank` may choose `measure` cannot: it is not advised there. */
TEST(distance__rankings_by_two_scores__advise_what_measure_takes) {
    make_labelled();
    add_relatives();
    assert_int_equal(system("cp -r pool other"), 0);
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    run_result r = RUN("estimate", "other", "--estimator", "linear", "--preset", "shrunk", "-q");
    r = RUN_CODE(2, "measure", "pool", "other", "dataset-distance", "-q");
    assert_contains(r.err, "; `embedscope estimate` makes them one");
    expect_error(RUN("rank", "pool", "other", "-q"), 2, "--score published or");
}

TEST(distance__misuse__is_refused) {
    make_other(1);
    expect_error(RUN("measure", "pool", "dataset-distance"), 2, "--other POOL2");
    expect_error(RUN("measure", "pool", "evalrank", "--other", "other"), 2, "dataset-distance");
    expect_error(RUN("measure", "pool", "dataset-distance", "--other", "nowhere"), 3, "nowhere");
    expect_error(
        RUN("measure", "pool", "dataset-distance", "--other", "other", "--set", "recall=1"), 2,
        "recall");
    expect_error(
        RUN("measure", "pool", "dataset-distance", "--other", "other", "--set", "recall=0.5"), 2,
        "needs both");
    expect_error(RUN("measure", "pool", "dataset-distance", "--other", "other", "--set", "k=3"), 2,
                 "k");
    expect_error(
        RUN("measure", "pool", "dataset-distance", "--other", "other", "--task", "size", "-q"), 2,
        "no column of classes 'size'");
    expect_error(
        RUN("measure", "pool", "dataset-distance", "--other", "other", "--models", "noise", "-q"),
        4, "other|noise");
    assert_int_equal(system("mv other/good.npy other/best.npy"), 0);
    expect_error(RUN("measure", "pool", "dataset-distance", "--other", "other", "-q"), 4,
                 "no embedder in common|by name");
    assert_int_equal(system("rm other/*.csv"), 0);
    expect_error(RUN("measure", "pool", "dataset-distance", "--other", "other", "-q"), 3,
                 "other: needs queries");
}

/* gbc wants classes: a column of numbers has no value of it, and is not one of those ranked over.
 */
TEST(measure__column_of_numbers__leaves_the_mean_rank_of_classes) {
    make_labelled();
    FILE *f = fopen("pool/labels.csv", "w");
    assert_non_null(f);
    fputs("row,topic,half,size\n", f);
    for (int i = 0; i < 120; i++) /* the rows of make_labelled */
        fprintf(f, "%d,%c,%c,%d.25\n", i, "xyz"[i % 3], "lr"[i % 2], i);
    fclose(f);
    run_result r = RUN("measure", "pool", "gbc", "-q");
    assert_contains(r.out, "gbc mean rank: over 2 label columns, of the 3 embedders");
}

TEST(measure__several_label_columns__have_a_mean_rank) {
    make_labelled();
    run_result r = RUN_OK("measure", "pool", "smoothness,probe,effective-rank", "--json", "-q");
    es_json_value root = parse_json(r.out), list = member(&root, "mean_ranks", ES_JSON_ARRAY), one;
    assert_int_equal(es_json_count(&list), 2);
    for (one = es_json_first(&list); one.node; one = es_json_next(&one)) {
        double sum = 0;
        assert_true(number_of(&one, "tasks") == 2 && number_of(&one, "ranked") == 3);
        es_json_value ranking = member(&one, "ranking", ES_JSON_ARRAY), row;
        for (row = es_json_first(&ranking); row.node; row = es_json_next(&row)) {
            double rank = number_of(&row, "mean_rank");
            assert_true(rank >= 1 && rank <= 3);
            assert_true(strcmp(text_of(&row, "model"), "noise") != 0 || rank == 3);
            sum += rank;
        }
        assert_true(sum == 6);
    }
    r = RUN("measure", "pool", "smoothness", "-q");
    assert_contains(r.out, "smoothness mean rank: over 2 label columns, of the 3");
    r = RUN("measure", "pool", "smoothness", "--task", "topic", "--csv", "-q");
    assert_lacks(r.out, "mean-rank");
}

TEST(measure__several_sets_of_pairs__have_a_mean_rank_over_sets) {
    make_labelled();
    FILE *f = fopen("pool/pairs.csv", "w");
    assert_non_null(f);
    fputs("a,b,score,set\n", f);
    for (int i = 0; i < 60; i++)
        fprintf(f, "%d,%d,%d,%c\n", i, i + 60, i % 7, "xy"[i % 2]);
    fclose(f);
    assert_int_equal(remove("pool/pairs_graded.csv"), 0);
    static const char *const measures[] = {"evalrank", "similarity"};
    for (size_t k = 0; k < 2; k++) {
        char words[80];
        run_result r = RUN("measure", "pool", measures[k], "-q");
        snprintf(words, sizeof words, "%s mean rank: over 2 sets of pairs, of the 3", measures[k]);
        if (!strstr(r.out, words))
            fail_msg("%s", r.out);
    }
}

TEST(worst__neighbours__are_rows_of_two_embedders) {
    make_labelled();
    run_result r = RUN_OK("measure", "pool", "knn-overlap", "--worst-of", "good", "--other",
                          "noise", "--top", "0", "--json", "-q");
    es_json_value root = parse_json(r.out), list = member(&root, "worst", ES_JSON_ARRAY), one;
    double last = 0, sum = 0;
    assert_int_equal(es_json_count(&list), 120);
    for (one = es_json_first(&list); one.node; one = es_json_next(&one)) {
        double shared = number_of(&one, "shared");
        assert_true(shared >= last && number_of(&one, "k") == 10);
        assert_true(number_of(&one, "nearest") != number_of(&one, "row"));
        last = shared;
        sum += shared;
    }
    /* their mean is the measure */
    r = RUN("measure", "pool", "knn-overlap", "--models", "good,noise", "--csv", "-q");
    const char *value = strstr(r.out, "\ngood,1,");
    assert_non_null(value);
    assert_true(fabs(strtod(value + 8, NULL) - sum / 1200) < 1e-12);
    expect_error(RUN("measure", "pool", "knn-overlap", "--worst-of", "good", "-q"), 2,
                 "--other MODEL");
    expect_error(RUN("measure", "pool", "evalrank", "--worst-of", "good", "--other", "fair", "-q"),
                 2, "leave out --other");
}

TEST(score__any_measure__ranks_and_correlates) {
    make_labelled();
    write_text("pool/scores.csv", "model,t1\ngood,0.9\nfair,0.7\nnoise,0.1\n");
    run_result r = RUN("rank", "pool", "--score", "evalrank", "--csv", "-q"), own;
    expect_code(&r, 0);
    assert_int_equal(strncmp(r.out, "rank,model,score,ci_low,ci_high,", 32), 0);
    assert_contains(r.out, "\n1,good,");
    assert_contains(r.out, "\n3,noise,");
    own = RUN("measure", "pool", "evalrank.mrr", "--csv", "-q");
    const char *a = strstr(r.out, "\n2,fair,"), *b = strstr(own.out, "\n2,fair,");
    assert_true(a && b && strtod(a + 8, NULL) == strtod(b + 8, NULL));
    es_json_value root = RUN_JSON("correlate", "pool", "--score", "smoothness.loss-1", "--task",
                                  "topic", "--json", "-q"),
                  list = member(&root, "tasks", ES_JSON_ARRAY);
    es_json_value first = es_json_first(&list), measure = member(&root, "measure", ES_JSON_OBJECT);
    assert_true(number_of(&first, "spearman") == 1); /* a loss: turned before it is correlated */
    assert_string_equal(text_of(&measure, "name"), "smoothness:topic.loss-1");
    r = RUN_OK("rank", "pool", "--score", "procrustes", "-q");
    assert_contains(r.out, "median over the other embedders; lower is better");
    expect_error(RUN("rank", "pool", "--score", "smoothness", "-q"), 2, "2 columns|--task");
    expect_error(RUN("rank", "pool", "--score", "evalrank,cka", "-q"), 2, "one measure|agree");
    expect_error(RUN("rank", "pool", "--score", "cka", "--curve", "-q"), 2, "--curve");
    expect_error(RUN("rank", "pool", "--score", "ckb", "-q"), 2, "no measure 'ckb'");
}

TEST(retmmd__queries_with_own_numbers__are_no_rows) {
    es_buf *qrels = test_buf();
    make_labelled();
    es_buf_puts(qrels, "query,doc,rel\n");
    for (int q = 0; q < 6; q++) /* a query a topic, answered by rows of it */
        for (int i = 0; i < 8; i++)
            es_buf_printf(qrels, "%d,%d,1\n", 5000 + q, 12 * i + 2 * (q % 3) + q / 3);
    write_text("pool/qrels.csv", qrels->data);
    expect_error(RUN("measure", "pool", "retmmd", "-q"), 3, "qrels.csv: line 2|row 5000");
    run_result r =
        RUN_OK("measure", "pool", "retmmd,lssvm", "--set", "query-ids=own", "--csv", "-q");
    assert_contains(r.out, "\n3,noise,");
    es_json_value root = RUN_JSON("measure", "pool", "retmmd", "--set", "query-ids=own",
                                  "--worst-of", "good", "--json", "-q"),
                  list = member(&root, "worst", ES_JSON_ARRAY);
    es_json_value first = es_json_first(&list);
    assert_true(number_of(&first, "row") >= 5000 && es_json_count(&list) == 6);
}

/* A pool of the reference: e, and f of its first three columns. */
static void make_reference_pool(void) {
    static const char *const files[] = {"e.npy", "pairs.csv", "background.csv"};
    char from[512], to[64];
    assert_int_equal(mkdir("pool", 0700), 0);
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(from, sizeof from, "%s/reference/pairs/%s", ES_TEST_DATA, files[i]);
        (void)snprintf(to, sizeof to, "pool/%s", files[i]);
        FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
        assert_non_null(in);
        assert_non_null(out);
        for (int c; in && out && (c = fgetc(in)) != EOF;)
            (void)fputc(c, out);
        (void)fclose(in);
        (void)fclose(out);
    }
    double other[90 * 2];
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        other[i] = (double)(i * i % 17);
    write_npy("pool/other.npy", other, 90, 2);
    write_text("pool/qrels.csv", "query,doc,rel\n0,1,1\n0,5,2\n7,9,1\n20,21,1\n");
}

/* One line of a reference: its numbers behind `key`. */
static void reference(const char *file, const char *key, double *out, size_t count) {
    char path[512], line[512];
    (void)snprintf(path, sizeof path, "%s/reference/pairs/%s", ES_TEST_DATA, file);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    bool found = false;
    while (in && !found && fgets(line, sizeof line, in))
        found = strncmp(line, key, strlen(key)) == 0;
    (void)fclose(in);
    assert_true(found);
    const char *at = line + strlen(key);
    for (size_t i = 0; i < count; i++) {
        char *end;
        out[i] = strtod(at, &end);
        at = end + 1;
    }
}

/* Each set, all together; all rows and a list of them: as NumPy has it. */
TEST(measure__sets_of_pairs__are_those_of_numpy) {
    static const char *const sets[] = {"all", "sick", "sts"};
    static const char *const fields[] = {"mrr",       "hits1",       "hits3",    "hits10",
                                         "mean-rank", "l2-mrr",      "l2-hits1", "l2-hits3",
                                         "l2-hits10", "l2-mean-rank"};
    make_reference_pool();
    for (size_t s = 0; s < 3; s++)
        for (size_t list = 0; list < 2; list++) {
            double expected[10];
            char key[64];
            for (size_t l2 = 0; l2 < 2; l2++) {
                (void)snprintf(key, sizeof key, "%s,%s,%s,", sets[s], list ? "list" : "all",
                               l2 ? "l2" : "cos");
                reference("expected.csv", key, expected + 5 * l2, 5);
            }
            const char *background = list ? "background=list" : "background=all";
            run_result r =
                s == 0 ? RUN("measure", "pool", "evalrank", "--json", "-q", "--set", background)
                       : RUN("measure", "pool", "evalrank", "--json", "-q", "--set", background,
                             "--task", sets[s]);
            expect_code(&r, 0);
            for (size_t f = 0; f < 10; f++)
                assert_true(fabs(json_value(r.out, "e", fields[f]) - expected[f]) < 1e-12);
        }
}

TEST(measure__levels__are_those_of_scipy) {
    static const char *const sets[] = {"all", "sick", "sts"};
    static const char *const fields[] = {"spearman", "low",    "middle", "high",  "level1",
                                         "level2",   "level3", "level4", "level5"};
    make_reference_pool();
    for (size_t s = 0; s < 3; s++) {
        double expected[9];
        char key[64];
        (void)snprintf(key, sizeof key, "%s,", sets[s]);
        reference("levels.csv", key, expected, 9);
        run_result r = s == 0 ? RUN("measure", "pool", "similarity", "--json", "-q", "--set",
                                    "preprocess=centre")
                              : RUN("measure", "pool", "similarity", "--json", "-q", "--set",
                                    "preprocess=centre", "--task", sets[s]);
        expect_code(&r, 0);
        for (size_t f = 0; f < 9; f++)
            assert_true(fabs(json_value(r.out, "e", fields[f]) - expected[f]) < 1e-12);
    }
}

/* similarity has fields "low" and "high", and an interval. */
TEST(measure__columns__have_names_of_their_own) {
    make_reference_pool();
    run_result r = RUN_OK("measure", "pool", "similarity", "--fields", "--csv", "-q");
    *strchr(r.out, '\n') = '\0';
    assert_contains(r.out, ",similarity.ci-low,");
    for (char *at = strchr(r.out, ','); at; at = strchr(at + 1, ',')) {
        char name[80];
        (void)snprintf(name, sizeof name, ",%.*s,", (int)strcspn(at + 1, ","), at + 1);
        char *again = strstr(at + 1, name);
        if (again)
            fail_msg("twice: %s", name);
    }
    r = RUN_OK("measure", "pool", "evalrank.ties", "-q"); /* counts ties: more is no better */
    assert_lacks(r.out, "higher is better");
}

TEST(measure__sets_of_pairs__misuse_is_named) {
    make_reference_pool();
    RUN_OK("rank", "pool", "--score", "evalrank", "--csv", "-q"); /* all together */
    expect_error(RUN("measure", "pool", "evalrank", "--task", "none", "-q"), 2, "none");
    write_text("pool/pairs.csv", "a,b,set\n1,2,x\n3,4,\n");
    expect_error(RUN("measure", "pool", "evalrank", "-q"), 3, "pairs.csv: line 3: no set");
    write_text("pool/pairs.csv", "a,b,score,more\n1,2,3,4\n");
    expect_error(RUN("measure", "pool", "evalrank", "-q"), 3, "row,row[,score][,set]|more");
    write_text("pool/pairs.csv", "a,b,set\n1,2,x\n3,3,y\n");
    expect_error(RUN("measure", "pool", "evalrank", "-q"), 3, "pairs.csv: set y");
    write_text("pool/pairs.csv", "a,b\n1,2\n3,5\n");
    write_text("pool/background.csv", "row\n90\n");
    expect_error(RUN("measure", "pool", "evalrank", "--set", "background=list", "-q"), 3,
                 "background.csv: line 2");
    (void)unlink("pool/background.csv");
    expect_error(RUN("measure", "pool", "evalrank", "--set", "background=list", "-q"), 3,
                 "background.csv");
}

TEST(measure__sweep__is_one_table) {
    make_reference_pool();
    run_result r =
        RUN_OK("measure", "pool", "evalrank.mrr,uniformity", "--sweep", "preprocess=none,whiten",
               "--sweep", "background=all,list", "--csv", "-q");
    assert_contains(r.out, ",evalrank[preprocess=whiten background=list],");
    assert_contains(r.out, ",uniformity,"); /* once: it has no such setting */
    assert_lacks(r.out, "uniformity[");
    run_result one = RUN("measure", "pool", "evalrank.mrr", "--csv", "-q", "--set",
                         "preprocess=whiten background=list");
    double alone = strtod(strstr(one.out, ",e,") + 3, NULL);
    const char *head = strchr(r.out, '\n'), *at = strstr(r.out, ",e,") + 3;
    const char *column = strstr(r.out, "evalrank[preprocess=whiten background=list]");
    assert_true(column < head);
    size_t skip = 0;
    for (const char *c = strstr(r.out, "model,") + 6; c < column; c++)
        skip += *c == ',';
    for (; skip > 0; skip--)
        at = strchr(at, ',') + 1;
    assert_true(strtod(at, NULL) == alone); /* from the store, to the bit */
    write_text("pool/scores.csv", "model,t\ne,1\nother,2\n");
    r = RUN_OK("agree", "pool", "evalrank", "--by-task", "--sweep", "preprocess=none,centre",
               "--csv", "-q");
    assert_contains(r.out, "\nevalrank[preprocess=centre],t,2,");
    expect_error(RUN("measure", "pool", "evalrank", "--sweep", "nope=1,2"), 2, "nope");
    expect_error(RUN("measure", "pool", "evalrank", "--sweep", "draws=1000,x"), 2, "draws");
}

TEST(measure__worst_of_retrieval__lists_queries) {
    make_reference_pool();
    run_result r = RUN_OK("measure", "pool", "retrieval", "--worst-of", "e", "--json", "-q");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), list = member(&root, "worst", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 3);
    es_json_value first = es_json_first(&list);
    double last = -1;
    for (es_json_value one = first; one.node; one = es_json_next(&one)) {
        assert_true(number_of(&one, "ndcg") >= last);
        last = number_of(&one, "ndcg");
        if (number_of(&one, "row") == 20) { /* rows 20 and 21 are equal */
            assert_true(last == 1 && number_of(&one, "first") == 21);
            assert_true(number_of(&one, "found") == 1 && number_of(&one, "answers") == 1);
        }
        if (number_of(&one, "row") == 0)
            assert_true(number_of(&one, "answer") == 5); /* the most relevant */
    }
}

TEST(agree__controls_and_duplicates__are_named) {
    make_labelled();
    assert_int_equal(system("cp pool/good.npy pool/twin.npy"), 0);
    write_text("pool/pool.json",
               "{\"models\": [{\"name\": \"good\", \"file\": \"good.npy\"}, {\"name\": \"fair\", "
               "\"file\": \"fair.npy\"}, {\"name\": \"twin\", \"file\": \"twin.npy\"}, {\"name\": "
               "\"noise\", \"file\": \"noise.npy\", \"family\": \"control\"}]}");
    run_result r = RUN_OK("agree", "pool", "evalrank");
    assert_contains(r.out, "controls (noise): last by evalrank; not last by dimension");
    assert_contains(r.out, "no 95 % interval: fewer than 7 embedders");
    assert_contains(r.err, "good and twin hold the same values");
    r = RUN("estimate", "pool", "--estimator", "linear");
    assert_contains(r.err, "good and twin hold the same values and have one vote");
    r = RUN("rank", "pool", "--estimator", "linear");
    assert_contains(r.err, "good and twin hold the same values and have one vote");
    r = RUN("agree", "pool", "evalrank", "--json", "-q");
    assert_contains(r.out, "\"controls_last\": true");
    assert_contains(r.out, "\"controls\": [\"noise\"]");
}
