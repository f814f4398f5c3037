/* What people said about a pool's rows, as measures get it: in the numbers of the rows in use, with
 * a digest that changes with all that counts and with nothing else, and with notes of what is left
 * out. */
#include "support.h"

#include "engine_measures.h"
#include "refuse.h"
#include "settled_pool.h"
#include "keeping.h"

/* Row 2 holds a NaN in one embedder and is not in use: of later rows the number is one less. */
enum { FILE_ROWS = 40, ROWS = FILE_ROWS - 1, GONE = 2, SEED = 3 };

static char root[SUPPORT_PATH];
static es_pool *pool;

static int make_pool(void **state) {
    support_temp_dir(root);
    support_write_random_npy(root, "a.npy", 1, FILE_ROWS, 3);
    double *values = support_numbers(2, FILE_ROWS * 4);
    values[4 * GONE] = NAN;
    support_write_npy(root, "b.npy", FILE_ROWS, 4, values);
    return 0;
}

static int remove_pool(void **state) {
    pool = NULL;
    return 0;
}

TEST_EACH(make_pool, remove_pool);

static void open_rows(bool drop) {
    const es_pool_options options = {.drop_rows = drop};
    if (pool)
        test_drop(pool);
    pool = settled_pool(root, &options);
    assert_int_equal(es_pool_rows(pool), drop ? ROWS : FILE_ROWS);
}

/* With the default settings but one; `key` NULL: all. */
static es_annotations *annotate_with(const char *key, double value) {
    double values[ES_ANNOTATIONS_SETTINGS];
    es_annotations *e = NULL;
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS; i++)
        values[i] = es_annotations_settings[i].value;
    if (key)
        values[es_setting_find(es_annotations_settings, ES_ANNOTATIONS_SETTINGS, key)] = value;
    assert_ok(es_annotations_new(pool, values, SEED, &e, NULL));
    return keep_annotations(e);
}

static es_annotations *annotate(void) {
    es_annotations *e = NULL;
    open_rows(true);
    assert_ok(es_annotations_new(pool, NULL, SEED, &e, NULL));
    return keep_annotations(e);
}

static size_t times_of(es_annotations *e, unsigned needs) {
    size_t times = 0;
    assert_ok(es_annotations_times(e, needs, &times, test_err()));
    return times;
}

static es_measure_data take(es_annotations *e, unsigned needs, size_t k, const char *task) {
    es_measure_data data;
    es_digest digest;
    const char *name = "";
    assert_ok(es_annotations_take(e, needs, k, &data, &name, &digest, test_err()));
    assert_int_equal(data.seed, SEED);
    if (task)
        assert_string_equal(name, task);
    else
        assert_null(name);
    return data;
}

static void refuse(es_annotations *e, unsigned needs, es_status expected, const char *part) {
    size_t times = 0;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(es_annotations_times(e, needs, &times, test_err()), expected);
        assert_contains(test_message(), part);
    }
    assert_lacks(test_message(), root); /* nobody has to read where the pool lies */
}

/* Exactly these lines, in this order; NULL ends them. */
static void expect_notes(const es_annotations *e, const char *const *expected) {
    size_t count = 0;
    for (; expected[count]; count++) {
        assert_true(count < es_annotations_notes(e));
        assert_string_equal(es_annotations_note(e, count), expected[count]);
    }
    if (count < es_annotations_notes(e))
        fail_msg("also \"%s\"", es_annotations_note(e, count));
}

static void put(const char *name, const char *text) {
    support_write_text(root, name, text);
}

/* The row of the files that is row i. */
static size_t file_row(size_t i) {
    return i < GONE ? i : i + 1;
}

/* ---- labels ---- */

TEST(labels__columns__are_values_of_the_rows_in_use) {
    char text[100 * FILE_ROWS];
    size_t length = (size_t)snprintf(text, sizeof text, "row,kind,weight,one,many\n");
    for (int i = 0; i < FILE_ROWS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%d,%s,%g,%s,%d\n", i,
                                   i == 5   ? ""
                                   : i == 7 ? "rare"
                                   : i % 2  ? "b"
                                            : "a",
                                   i / 4.0, "x", i);
    put("labels.csv", text);
    es_annotations *e = annotate();
    assert_int_equal(times_of(e, ES_NEED_TASK), 4);
    const es_task *kind = take(e, ES_NEED_TASK, 0, "kind").task,
                  *weight = take(e, ES_NEED_TASK, 1, "weight").task;
    assert_int_equal(kind->n, ROWS);
    assert_true(kind->classes && !weight->classes);
    assert_true(take(e, ES_NEED_TASK, 2, "one").task->classes);
    for (size_t i = 0; i < ROWS; i++) {
        size_t row = file_row(i);
        double expected = row == 7 ? 2 : (double)(row % 2);
        assert_true(row == 5 ? isnan(kind->value[i]) : kind->value[i] == expected);
        assert_true(weight->value[i] == (double)row / 4);
    }
    (void)times_of(e, ES_NEED_TASK);
    static const char *const notes[] = {
        "labels.csv: kind: 38 of 39 rows have a label; the others are left out",
        "labels.csv: kind: 1 of 3 classes have one row",
        "labels.csv: one: one class only, so classes cannot be compared",
        "labels.csv: many: 40 of 40 classes have one row",
        "labels.csv: many: 40 classes among 40 labels; if they are numbers, --set labels=numbers",
        NULL};
    expect_notes(e, notes);
    /* All labelled columns of two classes or more can ask. */
    assert_int_equal(times_of(e, ES_NEED_QUERIES), 3);
    test_drop(e);
    e = annotate_with("labels", 2);
    refuse(e, ES_NEED_TASK, ES_EFORMAT, "labels.csv: line 2");
}

TEST(labels__of_one_number_in_two_spellings__are_noted) {
    put("labels.csv", "row,cls,zip\n0,1.0,01\n1,2,2\n3,1,1\n4,2,02\n5,2,2\n6,1,1\n");
    es_annotations *e = annotate();
    const double *value = take(e, ES_NEED_TASK, 0, "cls").task->value;
    assert_true(value[0] == value[2]);
    static const char *const notes[] = {
        "labels.csv: cls: 6 of 39 rows have a label; the others are left out",
        "labels.csv: cls: 1 and 1.0 are taken as one class",
        "labels.csv: zip: 6 of 39 rows have a label; the others are left out",
        "labels.csv: zip: 1 and 01 are taken as one class, and so are the spellings of 1 more",
        NULL};
    expect_notes(e, notes);
}

TEST(labels__more_than_20_classes__may_be_numbers) {
    for (int classes = 20; classes < 22; classes++) {
        char text[100 * FILE_ROWS];
        size_t length = (size_t)snprintf(text, sizeof text, "row,l\n"), many = 0;
        for (int i = 0; i < FILE_ROWS; i++)
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "%d,c%d\n", i, i % classes);
        put("labels.csv", text);
        es_annotations *e = annotate();
        (void)times_of(e, ES_NEED_TASK);
        for (size_t i = 0; i < es_annotations_notes(e); i++)
            many += strstr(es_annotations_note(e, i), "if they are numbers") != NULL;
        assert_int_equal(many, classes == 21);
        test_drop(e);
    }
}

/* ---- pairs ---- */

static void assert_positives(const es_positives *p, const es_graded_pair *pairs, size_t count,
                             const es_pair_rules *rules) {
    es_positives expected;
    assert_ok(es_positives_new(pairs, count, ROWS, rules, &expected, NULL));
    assert_int_equal(p->count, expected.count);
    for (size_t i = 0; i < p->count; i++) {
        assert_int_equal(p->item[i].query, expected.item[i].query);
        assert_int_equal(p->item[i].partner, expected.item[i].partner);
        assert_int_equal(p->item[i].group, expected.item[i].group);
    }
    assert_int_equal(p->groups, expected.groups);
    es_positives_free(&expected);
}

TEST(pairs__plain__are_those_of_rows_in_use) {
    const es_graded_pair pairs[] = {{0, 1, NAN}, {2, 3, NAN}, {4, 4, NAN}, {3, 38, NAN}};
    const es_pair_rules both = {false, 0.25}, one_way = {true, 0.25};
    put("pairs.csv", "a,b\n0,1\n2,5\n3,4\n5,5\n3,4\n4,39\n6,2\n");
    es_annotations *e = annotate();
    assert_int_equal(times_of(e, ES_NEED_POSITIVES), 1);
    assert_positives(take(e, ES_NEED_POSITIVES, 0, NULL).positives, pairs, 4, &both);
    static const char *const notes[] = {
        "pairs.csv: left out as their rows are not in use: 2 of the pairs",
        "pairs.csv: left out as a row is paired with itself: 1 of the pairs",
        "pairs.csv: counted once, as they are given again: 1 of the pairs",
        "pairs.csv: 3 positive pairs of 5 lines", NULL};
    expect_notes(e, notes);
    refuse(e, ES_NEED_GRADED, ES_ENOTFOUND, "pairs_graded.csv (row,row,score)");
    test_drop(e);
    e = annotate_with("directed", 1);
    assert_positives(take(e, ES_NEED_POSITIVES, 0, NULL).positives, pairs, 4, &one_way);
}

TEST(pairs__scored__are_positive_from_their_quantile_on) {
    const es_graded_pair pairs[] = {{0, 1, 1}, {2, 3, 2}, {4, 5, 3}, {6, 7, 4}, {8, 9, 5}};
    put("pairs_graded.csv", "a,b,score\n0,1,1\n3,4,2\n5,6,3\n7,8,4\n9,10,5\n2,4,9\n");
    es_annotations *e = annotate();
    const es_pair_rules usual = {false, 0.25}, most = {false, 0.6}, all = {false, 1};
    assert_positives(take(e, ES_NEED_POSITIVES, 0, NULL).positives, pairs, 5, &usual);
    es_measure_data data = take(e, ES_NEED_GRADED, 0, NULL);
    assert_int_equal(data.graded_count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_memory_equal(&data.graded[i], &pairs[i], sizeof pairs[i]);
    static const char *const notes[] = {
        "pairs_graded.csv: left out as their rows are not in use: 1 of the pairs",
        "pairs_graded.csv: 1 of 5 pairs, with a score of 5 or more, count as positive "
        "(quantile=0.25; --set quantile=1 takes all)",
        "pairs_graded.csv: left out as their rows are not in use: 1 of the pairs", NULL};
    expect_notes(e, notes);
    test_drop(e);
    e = annotate_with("quantile", 0.6);
    assert_positives(take(e, ES_NEED_POSITIVES, 0, NULL).positives, pairs, 5, &most);
    test_drop(e);
    e = annotate_with("quantile", 1);
    assert_positives(take(e, ES_NEED_POSITIVES, 0, NULL).positives, pairs, 5, &all);
    test_drop(e);
    /* Pairs with scores serve where there are none for the purpose. */
    put("pairs.csv", "a,b,score\n0,1,\n3,4,7\n5,6,8\n");
    e = annotate();
    refuse(e, ES_NEED_POSITIVES, ES_EFORMAT, "pairs.csv: line 2: no score");
    assert_int_equal(take(e, ES_NEED_GRADED, 0, NULL).graded_count, 5); /* of its own file */
    test_drop(e);
    assert_int_equal(remove(support_in(root, "pairs_graded.csv")), 0);
    e = annotate();
    assert_int_equal(take(e, ES_NEED_GRADED, 0, NULL).graded_count, 3);
    static const char *const said[] = {
        "similarity task: 1 of 3 pairs have no score and are left out", NULL};
    expect_notes(e, said);
}

TEST(pairs__sets__are_all_together_and_each) {
    const es_graded_pair x[] = {{0, 1, 10}, {2, 3, 30}, {4, 5, 20}, {6, 7, 20}},
                         y[] = {{0, 1, 0.5}, {8, 9, 0.1}};
    /* mid-ranks less a half, of four and of two */
    static const double together[] = {0.125, 0.875, 0.5, 0.5, 0.75, 0.25};
    const es_pair_rules half = {false, 0.5};
    put("pairs_graded.csv", "a,b,score,set\n0,1,10,x\n3,4,30,x\n2,3,9,x\n5,6,20,x\n7,8,20,x\n"
                            "0,1,0.5,y\n9,10,0.1,y\n");
    open_rows(true);
    es_annotations *e = annotate_with("quantile", 0.5);
    assert_int_equal(times_of(e, ES_NEED_POSITIVES), 3);
    assert_int_equal(times_of(e, ES_NEED_GRADED), 3);
    assert_positives(take(e, ES_NEED_POSITIVES, 1, "x").positives, x, 4, &half);
    assert_positives(take(e, ES_NEED_POSITIVES, 2, "y").positives, y, 2, &half);
    const es_positives *all = take(e, ES_NEED_POSITIVES, 0, NULL).positives;
    assert_int_equal(all->groups, 4); /* (2, 3), (4, 5), (6, 7) and (0, 1) */
    assert_int_equal(all->count, 8);
    assert_int_equal(all->unpositive, 2);
    assert_int_equal(all->item[0].query, 0);
    assert_int_equal(all->item[0].partner, 1);
    es_measure_data data = take(e, ES_NEED_GRADED, 0, NULL);
    assert_int_equal(data.graded_count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(data.graded[i].a, i < 4 ? x[i].a : y[i - 4].a);
        assert_true(data.graded[i].score == together[i]);
    }
    data = take(e, ES_NEED_GRADED, 2, "y");
    assert_int_equal(data.graded_count, 2);
    assert_memory_equal(&data.graded[1], &y[1], sizeof y[1]);
    static const char *const notes[] = {
        "pairs_graded.csv: left out as their rows are not in use: 1 of the pairs",
        "pairs_graded.csv: 2 sets of pairs; together they are the positives of each by its own "
        "scores",
        "pairs_graded.csv: 4 pairs of all sets count as positive (quantile=0.5 of each set)",
        "pairs_graded.csv: left out as their rows are not in use: 1 of the pairs",
        "similarity task: 2 sets of pairs; together their scores are ranks within a set",
        NULL};
    expect_notes(e, notes);
    test_drop(e);
    put("pairs_graded.csv", "a,b,score,set\n0,1,10,x\n3,3,1,y\n");
    e = annotate_with("quantile", 0.5);
    refuse(e, ES_NEED_POSITIVES, ES_EFORMAT, "pairs_graded.csv: set y: no pair of two different");
    test_drop(e);
    /* A pair of two sets is one pair; what is left out of each is so of all. */
    put("pairs_graded.csv", "a,b,set\n0,1,x\n0,1,x\n4,4,x\n1,0,y\n5,6,y\n5,6,y\n8,8,y\n");
    e = annotate();
    all = take(e, ES_NEED_POSITIVES, 0, NULL).positives;
    assert_int_equal(all->groups, 2);
    assert_int_equal(all->self, 2);
    assert_int_equal(all->duplicates, 3);
    assert_int_equal(all->unpositive, 0);
}

/* ---- queries ---- */

/* Every answer and every other document of a query, in the numbers of the rows in use. */
static void assert_query(const es_query *q, uint32_t row, const uint32_t *docs, size_t positives,
                         size_t negatives) {
    assert_int_equal(q->row, row);
    assert_int_equal(q->positives, positives);
    assert_int_equal(q->negatives, negatives);
    for (size_t part = 0; part < 2; part++)
        for (size_t i = part ? positives : 0; i < positives + (part ? negatives : 0); i++) {
            bool found = false;
            for (size_t k = part ? positives : 0; k < positives + (part ? negatives : 0); k++)
                found = found || q->doc[k] == docs[i];
            assert_true(found);
        }
}

TEST(queries__of_judgements__are_rows_in_use) {
    static const uint32_t first[] = {2, 3, 4, 5}, second[] = {7, 8, 9, 10};
    put("qrels.csv", "query,doc,rel,frequency\n0,3,1,4\n0,4,2,4\n0,5,0,4\n0,6,0,4\n0,2,1,4\n"
                     "7,8,1,2\n7,9,1,2\n7,10,0,2\n7,11,0,2\n7,7,1,2\n"
                     "2,8,1,1\n2,9,1,1\n2,10,0,1\n9,1,1,8\n9,3,0,8\n9,4,0,8\n");
    es_annotations *e = annotate();
    assert_int_equal(times_of(e, ES_NEED_QUERIES), 1);
    es_measure_data data = take(e, ES_NEED_QUERIES | ES_NEED_JUDGEMENTS, 0, NULL);
    assert_int_equal(data.runs, 5);
    for (size_t r = 0; r < 5; r++) {
        const es_query_set *set = &data.queries[r];
        assert_int_equal(set->count, 2);
        assert_int_equal(set->skipped, 1);
        assert_query(&set->query[0], 0, first, 2, 2);
        assert_query(&set->query[1], 6, second, 2, 2);
        assert_true(set->query[0].weight == 0.25 && set->query[1].weight == 0.5);
    }
    assert_int_equal(data.judgement_count, 11);
    assert_false(data.own_queries);
    assert_int_equal(data.judgements[0].query, 0);
    assert_int_equal(data.judgements[0].doc, 2);
    assert_true(data.judgements[1].relevance == 2);
    assert_int_equal(data.judgements[10].query, 8);
    assert_int_equal(data.judgements[10].doc, 3);
    static const char *const notes[] = {
        "qrels.csv: left out as their rows are not in use: 4 of the judgements",
        "qrels.csv: left out as a query is among its own documents: 1 of the judgements",
        "qrels.csv: left out as their rows are not in use: 4 of the judgements",
        "qrels.csv: left out as a query is among its own documents: 1 of the judgements",
        "qrels.csv: left out for fewer than 2 documents of a kind: 1 of the queries",
        "qrels.csv: 2 of 2 queries have fewer than 5 answers; theirs are used",
        NULL};
    expect_notes(e, notes);
    test_drop(e);
    e = annotate_with("runs", 2);
    assert_int_equal(take(e, ES_NEED_QUERIES, 0, NULL).runs, 2);
    test_drop(e);
    e = annotate_with("queries", 1);
    assert_int_equal(take(e, ES_NEED_QUERIES, 0, NULL).queries[0].count, 1);
    test_drop(e);
    e = annotate_with("positives", 2);
    assert_int_equal(take(e, ES_NEED_QUERIES, 0, NULL).queries[0].fewer, 0);
}

/* Vectors of queries beside an embedder say that they are no rows. */
TEST(queries__with_own_ids__keep_their_numbers) {
    static const uint32_t docs[] = {2, 3, 4, 5};
    put("qrels.csv", "query,doc,rel\n2,3,1\n2,4,2\n2,5,0\n2,6,0\n90,0,1\n90,2,1\n90,1,0\n");
    es_annotations *e = annotate();
    refuse(e, ES_NEED_JUDGEMENTS, ES_EFORMAT, "qrels.csv: line 6");
    test_drop(e);
    support_write_random_npy(root, "a.queries.npy", 4, 91, 3);
    open_rows(true);
    for (int k = 0; k < 2; k++) {
        e = annotate_with("query-ids", k ? 2 : 0);
        es_measure_data data = take(e, ES_NEED_QUERIES | ES_NEED_JUDGEMENTS, 0, NULL);
        assert_true(data.own_queries);
        assert_true(data.queries[0].own_ids);
        assert_int_equal(data.queries[0].count, 1);
        assert_query(&data.queries[0].query[0], 2, docs, 2, 2);
        assert_int_equal(data.judgement_count, 6);
        assert_int_equal(data.judgements[4].query, 90);
        test_drop(e);
    }
    e = annotate_with("query-ids", 1);
    refuse(e, ES_NEED_JUDGEMENTS, ES_EFORMAT, "qrels.csv: line 6");
}

TEST(queries__source__is_the_first_there_is) {
    open_rows(true);
    es_annotations *e = annotate_with(NULL, 0);
    refuse(e, ES_NEED_QUERIES, ES_ENOTFOUND, "needs queries: put qrels.csv");
    refuse(e, ES_NEED_JUDGEMENTS, ES_ENOTFOUND, "needs judged documents");
    refuse(e, ES_NEED_POSITIVES, ES_ENOTFOUND, "needs pairs of rows that belong together");
    refuse(e, ES_NEED_TASK, ES_ENOTFOUND, "needs labels");
    test_drop(e);
    e = annotate_with("from", 1);
    assert_int_equal(times_of(e, ES_NEED_QUERIES), 1);
    es_measure_data data;
    es_digest digest;
    const char *name;
    assert_error(es_annotations_take(e, ES_NEED_QUERIES, 0, &data, &name, &digest, test_err()),
                 ES_ENOTFOUND, "no qrels.csv (query,doc,rel)");
    test_drop(e);

    put("pairs.csv", "a,b\n0,1\n0,3\n4,5\n");
    e = annotate_with(NULL, 0);
    assert_int_equal(times_of(e, ES_NEED_QUERIES), 1);
    const es_query_set *set = take(e, ES_NEED_QUERIES, 0, NULL).queries;
    assert_int_equal(set->count, 1);
    assert_int_equal(set->query[0].row, 0);
    assert_int_equal(set->query[0].positives, 2);
    assert_int_equal(set->query[0].negatives, ROWS - 3);
    assert_true(set->query[0].weight == 1);
    test_drop(e);

    char text[100 * FILE_ROWS];
    size_t length = (size_t)snprintf(text, sizeof text, "row,one,weight,kind,half\n");
    for (int i = 0; i < FILE_ROWS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%d,x,%g,%s,%s\n", i,
                                   i / 4.0, i < 10 ? "a" : "b", i < 20 ? "a" : "b");
    put("labels.csv", text);
    e = annotate_with(NULL, 0);
    assert_int_equal(times_of(e, ES_NEED_QUERIES), 3); /* columns of classes */
    set = take(e, ES_NEED_QUERIES, 1, "kind").queries;
    assert_int_equal(set->count, ROWS);
    assert_int_equal(set->query[0].positives, 5);
    assert_int_equal(set->query[0].negatives, ROWS - 9);
    assert_true(set->query[0].weight == 1.0 / 9);
    assert_true(take(e, ES_NEED_QUERIES, 2, "half").queries->query[0].weight == 1.0 / 19);
    test_drop(e);
    e = annotate_with("from", 3);
    assert_int_equal(take(e, ES_NEED_QUERIES, 0, NULL).queries->count, 1);
    test_drop(e);

    put("qrels.csv", "query,doc,rel\n8,3,1\n8,4,1\n");
    e = annotate_with(NULL, 0);
    set = take(e, ES_NEED_QUERIES, 0, NULL).queries;
    assert_int_equal(set->query[0].row, 7);
    test_drop(e);
    e = annotate_with("from", 2);
    assert_int_equal(times_of(e, ES_NEED_QUERIES), 3);
    test_drop(e);
    put("qrels.csv", "query,doc,rel\n8,3,1\n8,4,0\n");
    e = annotate_with(NULL, 0);
    assert_error(es_annotations_take(e, ES_NEED_QUERIES, 0, &data, &name, &digest, test_err()),
                 ES_EFORMAT, "qrels.csv: no query has 2 documents");
}

/* ---- rows that compete ---- */

TEST(background__list__is_taken_where_it_is_asked_for) {
    static const uint32_t expected[] = {0, 2, 9};
    open_rows(true);
    es_annotations *e = annotate_with("background", 1);
    refuse(e, ES_NEED_BACKGROUND, ES_ENOTFOUND, "put background.csv (row) into the pool");
    test_drop(e);
    put("background.csv", "row\n10\n0\n2\n3\n10\n");
    e = annotate_with("background", 1);
    assert_int_equal(times_of(e, ES_NEED_BACKGROUND), 1);
    es_measure_data data = take(e, ES_NEED_BACKGROUND, 0, NULL);
    assert_int_equal(data.background_count, 3);
    assert_memory_equal(data.background, expected, sizeof expected);
    static const char *const notes[] = {"background.csv: 3 rows compete, beside those of the pairs",
                                        NULL};
    expect_notes(e, notes);
    test_drop(e);
    e = annotate_with(NULL, 0);
    assert_null(take(e, ES_NEED_BACKGROUND, 0, NULL).background);
}

/* ---- digests ---- */

static es_digest digest_with(unsigned needs, const char *key, double value) {
    es_annotations *e = annotate_with(key, value);
    es_measure_data data;
    es_digest digest;
    const char *name;
    assert_ok(es_annotations_take(e, needs, 0, &data, &name, &digest, test_err()));
    test_drop(e);
    return digest;
}

TEST(digest__any_change__is_another_digest) {
    static const struct {
        unsigned needs;
        const char *file, *was, *is;
    } changes[] = {
        {ES_NEED_POSITIVES, "pairs.csv", "a,b\n0,1\n3,4\n", "a,b\n0,1\n3,5\n"},
        {ES_NEED_POSITIVES, "pairs.csv", "a,b\n0,1\n3,4\n", "a,b\n0,1\n4,3\n"},
        {ES_NEED_POSITIVES, "pairs.csv", "a,b\n0,1\n3,4\n", "a,b\n0,1\n"},
        {ES_NEED_POSITIVES, "pairs.csv", "a,b,s\n0,1,1\n3,4,2\n", "a,b,s\n0,1,1\n3,4,3\n"},
        {ES_NEED_POSITIVES, "pairs.csv", "a,b,set\n0,1,x\n3,4,y\n5,6,y\n",
         "a,b,set\n0,1,x\n3,4,x\n5,6,y\n"},
        {ES_NEED_GRADED, "pairs_graded.csv", "a,b,s\n0,1,1\n3,4,2\n", "a,b,s\n0,1,1\n3,4,3\n"},
        {ES_NEED_GRADED, "pairs_graded.csv", "a,b,s,set\n0,1,1,x\n3,4,2,y\n5,6,0,y\n",
         "a,b,s,set\n0,1,1,x\n3,4,2,y\n5,6,3,y\n"},
        {ES_NEED_TASK, "labels.csv", "row,l\n0,a\n1,b\n3,a\n", "row,l\n0,a\n1,b\n3,b\n"},
        {ES_NEED_TASK, "labels.csv", "row,l\n0,1\n1,0\n3,1.5\n39,2\n",
         "row,l\n0,1\n1,0\n3,1.5\n39,3\n"},
        {ES_NEED_JUDGEMENTS, "qrels.csv", "q,d,r\n0,1,1\n0,3,0\n", "q,d,r\n0,1,2\n0,3,0\n"},
        {ES_NEED_JUDGEMENTS, "qrels.csv", "q,d,r\n0,1,1\n0,3,0\n", "q,d,r\n0,1,1\n0,4,0\n"},
        {ES_NEED_JUDGEMENTS, "qrels.csv", "q,d,r\n0,1,1\n0,3,0\n", "q,d,r\n0,1,1\n4,3,0\n"},
        {ES_NEED_QUERIES, "qrels.csv", "q,d,r\n0,1,1\n0,3,1\n0,4,0\n0,5,0\n",
         "q,d,r\n0,1,1\n0,3,1\n0,4,0\n0,6,0\n"},
        {ES_NEED_QUERIES, "qrels.csv", "q,d,r\n0,1,1\n0,3,1\n0,4,0\n0,5,0\n",
         "q,d,r\n7,1,1\n7,3,1\n7,4,0\n7,5,0\n"},
        {ES_NEED_QUERIES, "qrels.csv", "q,d,r,f\n0,1,1,1\n0,3,1,1\n0,4,0,1\n0,5,0,1\n",
         "q,d,r,f\n0,1,1,2\n0,3,1,2\n0,4,0,2\n0,5,0,2\n"},
        {ES_NEED_QUERIES, "qrels.csv", "q,d,r\n0,1,1\n0,3,1\n0,4,1\n0,5,0\n0,6,0\n",
         "q,d,r\n0,1,1\n0,3,1\n0,4,0\n0,5,0\n0,6,0\n"},
    };
    open_rows(true);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        put(changes[i].file, changes[i].was);
        es_digest was = digest_with(changes[i].needs, NULL, 0);
        assert_true(es_digest_equal(digest_with(changes[i].needs, NULL, 0), was));
        put("README.md", changes[i].is); /* and no other file counts */
        assert_true(es_digest_equal(digest_with(changes[i].needs, NULL, 0), was));
        put(changes[i].file, changes[i].is);
        if (es_digest_equal(digest_with(changes[i].needs, NULL, 0), was))
            fail_msg("%s for %s has the same digest", changes[i].is, changes[i].was);
        assert_int_equal(remove(support_in(root, changes[i].file)), 0);
    }
    /* The same numbers as classes and as numbers are two tasks. */
    put("labels.csv", "row,l\n0,0\n1,1\n3,2\n");
    assert_false(es_digest_equal(digest_with(ES_NEED_TASK, "labels", 1),
                                 digest_with(ES_NEED_TASK, "labels", 2)));
    put("background.csv", "row\n0\n1\n5\n");
    es_digest was = digest_with(ES_NEED_BACKGROUND, "background", 1);
    put("background.csv", "row\n0\n1\n6\n");
    assert_false(es_digest_equal(digest_with(ES_NEED_BACKGROUND, "background", 1), was));
    put("background.csv", "row\n0\n1\n5\n6\n");
    assert_false(es_digest_equal(digest_with(ES_NEED_BACKGROUND, "background", 1), was));
    /* What one asks for is not in another's, whatever was read before. */
    put("pairs.csv", "a,b\n0,1\n3,4\n");
    was = digest_with(ES_NEED_POSITIVES, "background", 1);
    es_annotations *e = annotate_with("background", 1);
    es_digest digest = {0};
    const unsigned needs[] = {ES_NEED_BACKGROUND, ES_NEED_POSITIVES};
    for (size_t i = 0; i < 2; i++) {
        es_measure_data data;
        const char *name;
        assert_ok(es_annotations_take(e, needs[i], 0, &data, &name, &digest, NULL));
        assert_int_equal(data.background != NULL, i == 0);
    }
    assert_true(es_digest_equal(digest, was));
    test_drop(e);
    /* One draw is enough to tell queries apart. */
    put("qrels.csv", "q,d,r\n0,1,1\n0,3,1\n0,4,0\n0,5,0\n");
    was = digest_with(ES_NEED_QUERIES, "runs", 1);
    put("qrels.csv", "q,d,r\n7,1,1\n7,3,1\n7,4,0\n7,5,0\n");
    assert_false(es_digest_equal(digest_with(ES_NEED_QUERIES, "runs", 1), was));
    /* What is computed of queries hangs on their vectors. */
    put("qrels.csv", "q,d,r\n0,1,1\n0,3,0\n");
    support_write_random_npy(root, "a.queries.npy", 1, 1, 3);
    open_rows(true);
    was = digest_with(ES_NEED_JUDGEMENTS, NULL, 0);
    support_write_random_npy(root, "a.queries.npy", 2, 1, 3);
    assert_false(es_digest_equal(digest_with(ES_NEED_JUDGEMENTS, NULL, 0), was));
}

/* ---- what goes wrong ---- */

/* Nothing that was half read is taken for what there is. */
TEST(annotations__out_of_memory__are_as_with_it) {
    static const unsigned needs[] = {ES_NEED_POSITIVES, ES_NEED_GRADED,     ES_NEED_TASK,
                                     ES_NEED_QUERIES,   ES_NEED_JUDGEMENTS, ES_NEED_BACKGROUND};
    static const char *const from[] = {"qrels", "labels", "pairs"};
    put("pairs.csv", "a,b,set\n0,1,x\n0,4,y\n0,5,y\n");
    put("pairs_graded.csv", "a,b,score,set\n0,1,1,x\n3,4,2,y\n5,6,3,y\n");
    put("labels.csv", "row,l,m\n0,a,1\n1,a,0.5\n3,b,2\n4,b,3\n5,a,4\n6,b,5\n");
    put("qrels.csv", "query,doc,rel,frequency\n0,3,1,4\n0,4,2,4\n0,5,0,4\n0,6,0,4\n");
    put("background.csv", "row\n0\n1\n5\n");
    support_write_random_npy(root, "b.queries.npy", 1, 1, 3);
    open_rows(true);
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        for (size_t k = 0; k < (needs[i] == ES_NEED_QUERIES ? 3 : 1); k++) {
            const char *key = needs[i] == ES_NEED_QUERIES ? "from" : "background";
            double value = needs[i] == ES_NEED_QUERIES ? (double)(k + 1) : 1;
            es_digest usual = digest_with(needs[i], key, value), digest = {0};
            es_annotations *e = annotate_with(key, value);
            bool met = true;
            for (long after = 0; met; after++) {
                es_measure_data data = {0};
                const char *name = NULL;
                refuse_one(after);
                es_status st =
                    es_annotations_take(e, needs[i], 0, &data, &name, &digest, test_err());
                met = refuse_end();
                if (st != ES_OK && st != ES_ENOMEM)
                    fail_msg("%s %zu: %s", from[k], i, test_message());
                assert_true(st == ES_OK ? es_digest_equal(digest, usual) : met);
            }
            test_drop(e);
        }
    bool met = true;
    for (long after = 0; met; after++) {
        es_annotations *e = NULL;
        refuse_one(after);
        es_status st = es_annotations_new(pool, NULL, SEED, &e, NULL);
        met = refuse_end();
        assert_true(met || st == ES_OK);
        assert_int_equal(st == ES_OK, e != NULL);
        es_annotations_free(e);
    }
}

TEST(annotations__bad_files__are_named_each_time) {
    static const struct {
        unsigned needs;
        const char *file, *text, *part;
    } files[] = {
        {ES_NEED_POSITIVES, "pairs.csv", "a,b\n0,40\n", "pairs.csv: line 2"},
        {ES_NEED_POSITIVES, "pairs.csv", "a,b\n1,1\n", "pairs.csv: no pair of two different"},
        {ES_NEED_GRADED, "pairs_graded.csv", "a,b,s\n0,1,x\n", "pairs_graded.csv: line 2"},
        {ES_NEED_TASK, "labels.csv", "row,l\n0,a\n0,b\n", "labels.csv: line 3"},
        {ES_NEED_QUERIES, "labels.csv", "row,l\n0,a\n0,b\n", "labels.csv: line 3"},
        {ES_NEED_BACKGROUND, "background.csv", "row\n0\nx\n", "background.csv: line 3"},
        {ES_NEED_JUDGEMENTS, "qrels.csv", "q,d,r\n0,1,1\n0,3,-1\n", "qrels.csv: line 3"}};
    open_rows(true);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        put(files[i].file, files[i].text);
        es_annotations *e = annotate_with("background", 1);
        refuse(e, files[i].needs, ES_EFORMAT, files[i].part);
        test_drop(e);
        assert_int_equal(remove(support_in(root, files[i].file)), 0);
    }
}

/* The folder's name is no table's. */
TEST(annotations__in_a_folder_like_a_table__name_the_file) {
    size_t length = strlen(root);
    (void)snprintf(root + length, sizeof root - length, "/of.csv");
    assert_int_equal(mkdir(root, 0700), 0);
    support_write_random_npy(root, "a.npy", 1, FILE_ROWS, 3);
    put("labels.csv", "row,l\n0,a\n0,b\n");
    open_rows(false);
    es_annotations *e = annotate_with(NULL, 0);
    size_t times = 0;
    assert_int_equal(es_annotations_times(e, ES_NEED_TASK, &times, test_err()), ES_EFORMAT);
    assert_ptr_equal(strstr(test_message(), "labels.csv: line 3"), test_message());
    test_drop(e);
    root[length] = '\0';
}

static void put_ids(const char *name, size_t from, size_t to) {
    es_buf *text = test_buf();
    for (size_t i = to; i > from; i--)
        es_buf_printf(text, "i%zu\n", i - 1);
    put(name, text->data);
}

static void expect_label(const char *labels, size_t row, double value, const char *const *notes) {
    put("labels.csv", labels);
    es_annotations *e = annotate_with(NULL, 0);
    assert_int_equal(times_of(e, ES_NEED_TASK), 1);
    es_measure_data data = take(e, ES_NEED_TASK, 0, "x");
    for (size_t i = 0; i < data.task->n; i++)
        if (es_pool_file_row(pool, i) == row)
            assert_true(data.task->value[i] == value);
        else
            assert_true(isnan(data.task->value[i]));
    expect_notes(e, notes);
}

/* Embedders of 45 rows and of 40 of them, matched by ids: the files' rows are the 45. */
TEST(labels__of_matched_rows__go_by_their_order_or_their_ids) {
    assert_int_equal(remove(support_in(root, "a.npy")), 0);
    assert_int_equal(remove(support_in(root, "b.npy")), 0);
    support_write_random_npy(root, "c.npy", 1, 45, 3);
    put_ids("c.ids.txt", 0, 45);
    support_write_random_npy(root, "z.npy", 2, 40, 3);
    put_ids("z.ids.txt", 0, 40);
    if (pool)
        test_drop(pool);
    pool = settled_pool(root, NULL);
    assert_int_equal(es_pool_rows(pool), 40);
    const char *by_row[] = {"labels.csv: x: 1 of 40 rows have a label; the others are left out",
                            NULL};
    const char *by_id[] = {"labels.csv: its rows go by their ids, not by their numbers", by_row[0],
                           NULL};
    expect_label("row,x\n44,0.5\n", 44, 0.5, by_row);
    expect_label("id,x\ni7,0.5\n", 37, 0.5, by_id);
    expect_label("row,x\n37,0.5\n", 37, 0.5, by_row);
    put("labels.csv", "id,x\ni7,0.5\n7,0.5\n");
    es_annotations *e = annotate_with(NULL, 0);
    refuse(e, ES_NEED_TASK, ES_EFORMAT, "labels.csv: line 3, column 1: no row has the id '7'");
}

TEST(labels__of_rows_csv__go_by_its_ids) {
    es_buf *text = test_buf();
    for (size_t i = 0; i < FILE_ROWS; i++)
        es_buf_printf(text, "%s%zu,some text\n", i == 0 ? "id,text\n" : "",
                      (i * 7 + 3) % FILE_ROWS);
    put("rows.csv", text->data);
    open_rows(false);
    const char *notes[] = {"labels.csv: its rows go by their ids, not by their numbers",
                           "labels.csv: x: 1 of 40 rows have a label; the others are left out",
                           NULL};
    expect_label("id,x\n10,0.5\n", 1, 0.5, notes);
    expect_label("row,x\n10,0.5\n", 10, 0.5, notes + 1);
    put("labels.csv", "id,x\n40,0.5\n3,1\n");
    es_annotations *e = annotate_with(NULL, 0);
    refuse(e, ES_NEED_TASK, ES_EFORMAT, "labels.csv: line 2, column 1: no row has the id '40'");
}
