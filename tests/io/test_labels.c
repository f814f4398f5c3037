/* labels.csv, pairs.csv and qrels.csv: what is read, and what is said where they are wrong. */
#include "support.h"

#include "io.h"

static char folder[SUPPORT_PATH];

static int set_up(void **state) {
    support_temp_dir(folder);
    return 0;
}

TEST_GROUP(set_up, NULL);

static const char *file(const char *text) {
    static char path[SUPPORT_PATH];
    support_write_text(folder, "x.csv", text);
    return support_path(path, folder, "x.csv");
}

static es_labels labels_of(const char *text, es_label_kind kind) {
    es_labels l = {0};
    assert_ok(es_labels_read(file(text), 0, 6, kind, NULL, &l, test_err()));
    return l;
}

TEST(labels__columns__are_classes_or_numbers) {
    es_labels l = labels_of("row,topic,size,grade\n4,b,1.5,2\n0,a,2,1\n1,b,,10\n", ES_LABELS_AUTO);
    assert_int_equal(l.tasks, 3);
    assert_string_equal(l.task[0].name, "topic");
    assert_true(l.task[0].classes && !l.task[1].classes && l.task[2].classes);
    assert_int_equal(l.task[0].n_classes, 2);
    assert_int_equal(l.task[0].singletons, 1);
    assert_int_equal(l.task[0].labelled, 3);
    assert_true(l.task[0].value[4] == 1 && l.task[0].value[0] == 0 && isnan(l.task[0].value[2]));
    assert_true(l.task[1].value[4] == 1.5 && isnan(l.task[1].value[1]));
    assert_int_equal(l.task[1].labelled, 2);
    assert_true(l.task[2].value[1] == 2); /* natural order: 1, 2, 10 */
    es_labels_deinit(&l);
    l = labels_of("id,label\n0,3\n1,4\n", ES_LABELS_NUMBERS);
    assert_true(!l.task[0].classes && l.task[0].value[1] == 4);
    es_labels_deinit(&l);
    l = labels_of("id,label\n0,0.5\n1,0.25\n", ES_LABELS_CLASSES);
    assert_true(l.task[0].classes);
    es_labels_deinit(&l);
    /* as spreadsheets of much of Europe write it */
    l = labels_of("row;size;\"a, b\"\n0;1,5;x\n2;2,25;y\n", ES_LABELS_AUTO);
    assert_int_equal(l.tasks, 2);
    assert_true(!l.task[0].classes && l.task[0].value[0] == 1.5 && l.task[0].value[2] == 2.25);
    assert_true(l.task[1].classes && strcmp(l.task[1].name, "a, b") == 0);
    es_labels_deinit(&l);
}

typedef struct complaint {
    const char *text, *words;
} complaint;

/* ---- what headers say ---- */

/* Rows whose ids are numbers and words, two of them alike. */
static es_status name_rows(void *context, es_row_ids *out, es_error *err) {
    static const char *const ids[] = {"40", "r4", "2", "r2", "twice", "twice"};
    es_status st = ES_OK;
    *(size_t *)context += 1;
    for (size_t i = 0; i < 6 && st == ES_OK; i++)
        st = es_row_ids_push(out, ids[i], strlen(ids[i]), err);
    return st;
}

TEST(labels__ids__find_rows_where_the_header_says_so) {
    size_t asked = 0;
    const es_row_naming naming = {name_rows, &asked};
    es_labels l = {0};
    static const char *const by_ids[] = {"id,size\n2,0.5\n40,1.5\n", "label,id\n0.5,2\n1.5,40\n",
                                         ",id,size\n0,2,0.5\n1,40,1.5\n"};
    static const char *const numbers[] = {"row,size\n2,0.5\n", "what,size\n2,0.5\n",
                                          "id,size\n0,1\n3,0.5\n", "label,row\n0.5,2\n"};
    for (size_t i = 0; i < 3; i++) {
        const char *path = file(by_ids[i]);
        assert_ok(es_labels_read(path, 0, 6, ES_LABELS_AUTO, &naming, &l, test_err()));
        assert_true(l.by_ids && l.tasks == 1);
        assert_true(l.task[0].value[2] == 0.5 && l.task[0].value[0] == 1.5);
        assert_int_equal(l.task[0].labelled, 2);
        es_labels_deinit(&l);
    }
    assert_int_equal(asked, 3);
    for (size_t i = 0; i < 4; i++) {
        const char *path = file(numbers[i]);
        assert_ok(es_labels_read(path, 0, 6, ES_LABELS_AUTO, &naming, &l, test_err()));
        assert_false(l.by_ids);
        assert_true(l.task[0].value[i == 2 ? 3 : 2] == 0.5);
        es_labels_deinit(&l);
    }
    /* Where rows have no ids, the first column is the row, as it was. */
    assert_ok(es_labels_read(file(",id,size\n0,2,0.5\n1,40,1.5\n"), 0, 6, ES_LABELS_AUTO, NULL, &l,
                             test_err()));
    assert_true(l.tasks == 2 && l.task[1].value[0] == 0.5 && l.task[1].value[1] == 1.5);
    es_labels_deinit(&l);
    /* Words are ids under any heading; under one that is not of ids whole numbers are rows. */
    asked = 0;
    assert_ok(es_labels_read(file("name,size\nr4,0.5\nr2,1.5\n"), 0, 6, ES_LABELS_AUTO, &naming, &l,
                             test_err()));
    assert_true(l.by_ids && l.task[0].value[1] == 0.5 && l.task[0].value[3] == 1.5);
    es_labels_deinit(&l);
    assert_int_equal(asked, 1);
    assert_ok(es_labels_read(file("name,size\n2,0.5\n0,1.5\n"), 0, 6, ES_LABELS_AUTO, &naming, &l,
                             test_err()));
    assert_true(!l.by_ids && l.task[0].value[2] == 0.5 && l.task[0].value[0] == 1.5);
    es_labels_deinit(&l);
    assert_int_equal(es_labels_read(file("row,size\n2,0.5\n1x,1.5\n"), 0, 6, ES_LABELS_AUTO,
                                    &naming, &l, test_err()),
                     ES_OK + ES_EFORMAT);
    asked = 4;
    assert_int_equal(asked, 4); /* once for the ids that are no rows' */
    static const complaint bad[] = {
        {"id,size\n2,1\n3,1\n", "line 3, column 1: no row has the id '3'"},
        {"id,size\nx,1\n", "line 2, column 1: no row has the id 'x'"},
        {"id,size\n2,1\n2,1\n", "line 3: row 2 has its labels on line 2"},
        {"id,size\ntwice,1\n", "more than one row has the id 'twice'"}};
    for (size_t i = 0; i < 4; i++) {
        assert_error(
            es_labels_read(file(bad[i].text), 0, 6, ES_LABELS_AUTO, &naming, &l, test_err()),
            ES_EFORMAT, bad[i].words);
    }
}

TEST(labels__words_for_nothing__are_missing_among_numbers) {
    es_labels l = labels_of("row,x,k,c\n0,1.5,1,NA\n1,NA,none,None\n2,n/a,2,b\n3,-,NULL,b\n"
                            "4,2.5,nan,b\n",
                            ES_LABELS_AUTO);
    assert_true(!l.task[0].classes && l.task[0].labelled == 2 && isnan(l.task[0].value[1]));
    assert_true(l.task[1].classes && l.task[1].n_classes == 2 && l.task[1].labelled == 2);
    assert_int_equal(l.task[1].like_missing, 0);
    assert_true(l.task[2].n_classes == 3 && l.task[2].labelled == 5); /* they may be classes */
    assert_int_equal(l.task[2].like_missing, 2);
    es_labels_deinit(&l);
    l = labels_of("row,x\n0,1.5\n1,<NA>\n2,#N/A\n3,Missing\n", ES_LABELS_AUTO);
    assert_true(!l.task[0].classes && l.task[0].labelled == 1);
    es_labels_deinit(&l);
    l = labels_of("row,x\n0,1\n1,NA\n", ES_LABELS_NUMBERS);
    assert_int_equal(l.task[0].labelled, 1);
    es_labels_deinit(&l);
}

TEST(labels__a_number_spelled_in_several_ways__is_one_class) {
    es_labels l = labels_of("row,cls,zip,word\n0,1.0,01,1\n1,2,1,1.0\n2,+1,,x\n3,1,2,1\n"
                            "4,2.0,03,1\n5,-0,3.,01\n",
                            ES_LABELS_AUTO);
    const es_label_column *cls = &l.task[0], *zip = &l.task[1], *word = &l.task[2];
    assert_true(cls->classes && cls->n_classes == 3 && cls->respelled == 2);
    assert_string_equal(cls->spelling[0], "1");
    assert_string_equal(cls->spelling[1], "1.0");
    assert_true(cls->value[0] == cls->value[3] && cls->value[2] == cls->value[3]);
    assert_true(cls->value[1] == cls->value[4] && cls->value[1] != cls->value[0]);
    assert_int_equal(cls->singletons, 1);
    assert_true(zip->n_classes == 3 && zip->respelled == 2 && isnan(zip->value[2]));
    assert_string_equal(zip->class_name[0], "1");
    assert_true(zip->value[0] == 0 && zip->value[1] == 0 && zip->value[4] == zip->value[5]);
    assert_true(word->n_classes == 4 && word->respelled == 0 && !word->spelling[0]);
    es_labels_deinit(&l);
    /* beyond 2^53 two numbers may have one value */
    l = labels_of("row,id,x\n0,9007199254740993,1.5\n1,9007199254740992,1.50\n", ES_LABELS_CLASSES);
    assert_true(l.task[0].n_classes == 2 && l.task[0].respelled == 0);
    assert_true(l.task[1].n_classes == 1 && l.task[1].respelled == 1);
    es_labels_deinit(&l);
}

/* An infinity is no more a class among whole numbers than a number among others. */
TEST(labels__an_infinity_among_numbers__is_refused) {
    static const char *const all[] = {"row,x\n0,1\n1,inf\n", "row,x\n0,1.5\n1,inf\n",
                                      "row,x\n0,1\n1,-Infinity\n"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        es_labels l = {0};
        assert_error(es_labels_read(file(all[i]), 0, 6, ES_LABELS_AUTO, NULL, &l, test_err()),
                     ES_EFORMAT, "line 3, column 2: an infinity; correct the cell");
    }
    es_labels l = labels_of(all[0], ES_LABELS_CLASSES);
    assert_int_equal(l.task[0].n_classes, 2);
    es_labels_deinit(&l);
    l = labels_of("row,x\n0,a\n1,inf\n", ES_LABELS_AUTO);
    assert_int_equal(l.task[0].n_classes, 2);
    es_labels_deinit(&l);
}

TEST(pairs__columns__go_by_their_headings) {
    static const char *const same[] = {"row,row,score\n0,5,4\n1,3,2\n",
                                       "score,row,row\n4,0,5\n2,1,3\n",
                                       ",row,row,score\n0,0,5,4\n1,1,3,2\n",
                                       "Unnamed: 0,row,row.1,mine\n0,0,5,4\n1,1,3,2\n",
                                       "a,score,b\n0,4,5\n1,2,3\n",
                                       "id1,id2,score\n0,5,4\n1,3,2\n",
                                       "set,score,row_i,row_j\nx,4,0,5\nx,2,1,3\n",
                                       "one,other,mine\n0,5,4\n1,3,2\n",
                                       "score,one,other\n4,0,5\n2,1,3\n",
                                       "id,row_i,row_j,score\n7,0,5,4\n8,1,3,2\n",
                                       ",other,grade\n0,5,4\n1,3,2\n", /* no index: three columns */
                                       ",one,other,mine\n0,0,5,4\n1,1,3,2\n"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        es_pair_list p = {0};
        if (es_pair_list_read(file(same[i]), 0, 6, NULL, &p, test_err()) != ES_OK)
            fail_msg("%s: %s", same[i], test_message());
        assert_true(p.count == 2 && p.pair[0].a == 0 && p.pair[0].b == 5 && p.pair[0].score == 4);
        assert_true(p.pair[1].a == 1 && p.pair[1].b == 3 && p.pair[1].score == 2);
        es_pair_list_deinit(&p);
    }
}

TEST(judgements__columns__go_by_their_headings) {
    static const char *const same[] = {"query,doc,rel\n0,5,2\n1,3,0\n",
                                       "doc,query,rel\n5,0,2\n3,1,0\n",
                                       "query,iter,doc,rel\n0,0,5,2\n1,0,3,0\n",
                                       "qid,Q0,docid,relevance\n0,Q0,5,2\n1,Q0,3,0\n",
                                       "query-id,corpus-id,score\n0,5,2\n1,3,0\n",
                                       ",query,doc,rel\n0,0,5,2\n1,1,3,0\n",
                                       "rel,doc,query\n2,5,0\n0,3,1\n",
                                       "id,query,doc,rel\n7,0,5,2\n9,1,3,0\n",
                                       "one,other,rel\n0,5,2\n1,3,0\n",
                                       "doc,doc,rel\n0,5,2\n1,3,0\n",
                                       "a,b,c\n0,5,2\n1,3,0\n"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        es_judgement_list j = {0};
        if (es_judgement_list_read(file(same[i]), 0, 6, false, NULL, NULL, &j, test_err()) != ES_OK)
            fail_msg("%s: %s", same[i], test_message());
        assert_true(j.count == 2 && !j.frequency && j.judgement[0].query == 0);
        assert_true(j.judgement[0].doc == 5 && j.judgement[0].relevance == 2);
        assert_true(j.judgement[1].query == 1 && j.judgement[1].doc == 3);
        es_judgement_list_deinit(&j);
    }
    es_judgement_list j = {0};
    size_t asked = 0; /* "doc" is the usual heading of row numbers, which are no ids */
    const es_row_naming naming = {name_rows, &asked};
    assert_ok(es_judgement_list_read(file("query,doc,rel\n2,0,1\n"), 0, 6, false, NULL, &naming, &j,
                                     test_err()));
    assert_true(j.judgement[0].query == 2 && j.judgement[0].doc == 0 && asked == 0);
    es_judgement_list_deinit(&j);
    assert_error(es_judgement_list_read(file("query,doc,rel,freq,x\n0,5,2,1,1\n"), 0, 6, false,
                                        NULL, NULL, &j, test_err()),
                 ES_EFORMAT, "line 1: columns are query,doc,rel[,freq]; found 'x'");
}

static void expect_words(const char *message, const char *words) {
    char part[128];
    for (const char *at = words; *at;) {
        size_t n = strcspn(at, "|");
        snprintf(part, sizeof part, "%.*s", (int)n, at);
        assert_contains(message, part);
        at += n + (at[n] == '|');
    }
}

TEST(labels__bad_files__are_named_by_line) {
    static const complaint all[] = {
        {"row,label\n0,a\n6,b\n", "line 3|row 6|rows go from 0 to 5"},
        {"row,label\n0,a\nx,b\n", "line 3|'x' is not a row number"},
        {"row,label\n0,a\n-1,b\n", "line 3|'-1' is not a row number"},
        {"row,label\n1.0,a\n", "line 2|'1.0' is not a row number"},
        {"row,label\n99999999999999999999,a\n", "line 2|rows go from 0 to 5"},
        {"row,label\n2,a\n2,b\n", "line 3|row 2|line 2 already"},
        {"row,label\n", "nothing below it"},
        {"0,a\n1,b\n", "line 1|put a header"},
        {"row\n1\n", "1 column"},
        {"row,a,a\n1,x,y\n", "columns 2 and 3"},
        {"row,label\n1\n", "line 2"},
        {"", "x.csv"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        es_labels l = {0};
        assert_int_not_equal(
            es_labels_read(file(all[i].text), 0, 6, ES_LABELS_AUTO, NULL, &l, test_err()), ES_OK);
        expect_words(test_message(), all[i].words);
        assert_null(l.task);
    }
    es_labels l = {0};
    /* a short file may not ask for a table of all rows times any number of columns */
    assert_int_equal(es_labels_read(file("row,a,b\n1,x,y\n"), 0, (size_t)200 << 20, ES_LABELS_AUTO,
                                    NULL, &l, test_err()),
                     ES_EFORMAT);
    expect_words(test_message(), "2 columns for 209715200 rows are too many|keep 1 of them");
    assert_int_equal(
        es_labels_read(file("row,label\n1,x\n"), 0, 6, ES_LABELS_NUMBERS, NULL, &l, test_err()),
        ES_EFORMAT);
    expect_words(test_message(), "line 2");
}

TEST(pairs__good_and_bad__are_told_apart) {
    static const complaint all[] = {
        {"a,b\n0,6\n", "line 2|column 2|row 6"},
        {"a,b\n0,cat\n", "line 2|'cat' is not a row number"},
        {"a,b,score\n0,1,high\n", "line 2"},
        {"a,b,score\n0,1,inf\n", "line 2|infinity"},
        {"0,1\n2,3\n", "put a header"},
        {"a,b,c,d\n0,1,2,3\n", "line 1: |[,set]; found 'd'"},
        {"a,b\n", "nothing below it"},
    };
    es_pair_list p = {0};
    assert_ok(es_pair_list_read(file("row_i,row_j,score\n0,1,4.5\n5,2,\n3,3,1\n"), 0, 6, NULL, &p,
                                test_err()));
    assert_true(p.count == 3 && p.scored == 2 && isnan(p.pair[1].score) && p.line[2] == 4);
    es_pair_list_deinit(&p);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_not_equal(es_pair_list_read(file(all[i].text), 0, 6, NULL, &p, test_err()),
                             ES_OK);
        expect_words(test_message(), all[i].words);
        assert_null(p.pair);
    }
}

TEST(pairs__sets__have_numbers_in_the_order_of_their_names) {
    static const uint32_t sets[] = {0, 1, 0, 2};
    es_pair_list p = {0};
    assert_ok(es_pair_list_read(file("a,b,set,s\n0,1,x,1\n1,2,y,\n2,3,x,3\n3,4,\x1bz,4\n"), 0, 6,
                                NULL, &p, test_err()));
    assert_int_equal(p.count, 4);
    assert_int_equal(p.scored, 3);
    assert_int_equal(p.sets, 3);
    assert_memory_equal(p.set, sets, sizeof sets);
    assert_string_equal(p.set_name[1], "y");
    assert_null(strchr(p.set_name[2], '\x1b'));
    assert_true(p.pair[2].score == 3 && p.pair[2].b == 3);
    es_pair_list_deinit(&p);
    assert_int_equal(es_pair_list_read(file("a,b,set\n0,1,x\n1,2,\n"), 0, 6, NULL, &p, test_err()),
                     ES_EFORMAT);
    expect_words(test_message(), "line 3: no set");
    assert_int_equal(es_pair_list_read(file("a,b,set,set\n0,1,x,x\n"), 0, 6, NULL, &p, test_err()),
                     ES_EFORMAT);
    expect_words(test_message(), "line 1|found 'set'");
    for (int sets_wanted = 64; sets_wanted < 66; sets_wanted++) {
        char text[1200];
        size_t length = (size_t)snprintf(text, sizeof text, "a,b,set\n");
        for (int i = 0; i < sets_wanted; i++)
            length += (size_t)snprintf(text + length, sizeof text - length, "0,1,s%d\n", i);
        es_status st = es_pair_list_read(file(text), 0, 6, NULL, &p, test_err());
        assert_int_equal(st, sets_wanted == 64 ? ES_OK : ES_EFORMAT);
        if (st == ES_OK)
            assert_int_equal(p.sets, 64);
        else
            expect_words(test_message(), "line 66: more than 64 sets");
        es_pair_list_deinit(&p);
    }
}

TEST(background__rows__come_in_order_and_once) {
    static const uint32_t rows[] = {0, 2, 5};
    static const complaint all[] = {{"row\n1\n6\n", "line 3|row 6|rows go from 0 to 5"},
                                    {"row\nx\n", "line 2|'x' is not a row number"},
                                    {"row,b\n1,2\n", "x.csv|2 columns"},
                                    {"row\n", "nothing below it"},
                                    {"1\n2\n", "line 1|put a header"}};
    es_row_list r = {0};
    assert_ok(es_row_list_read(file("row\n5\n0\n2\n0\n"), 0, 6, &r, test_err()));
    assert_int_equal(r.count, 3);
    assert_memory_equal(r.row, rows, sizeof rows);
    es_row_list_deinit(&r);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(es_row_list_read(file(all[i].text), 0, 6, &r, test_err()), ES_EFORMAT);
        expect_words(test_message(), all[i].words);
        assert_null(r.row);
    }
}

/* Queries of their own by ids, and by numbers where no cell is an id. */
static void check_query_ids(void) {
    static const struct {
        const char *text;
        bool ids;
        uint32_t query; /* of the first judgement */
        const char *words;
    } cases[] = {
        {"query-id,corpus-id,score\nPLAIN-1,2,1\n", true, 1, NULL},
        {"query,doc,rel\n1,2,1\n", true, 1, NULL},
        {"query,doc,rel\n77,2,1\n", true, 2, NULL}, /* an id, though it is a number */
        {"query,doc,rel\nPLAIN-9,2,1\n", true, 0, "line 2|column 1|no query has the id 'PLAIN-9'"},
        {"query,doc,rel\nPLAIN-3,2,1\n", true, 0, "more than one query has the id 'PLAIN-3'"},
        {"query,doc,rel\nPLAIN-1,2,1\n", false, 0, "line 2|number the queries|.queries.ids.txt"},
    };
    static const char *const names[] = {"PLAIN-0", "PLAIN-1", "77", "PLAIN-3", "PLAIN-3"};
    es_row_ids ids = {0};
    for (size_t i = 0; i < 5; i++)
        assert_ok(es_row_ids_push(&ids, names[i], strlen(names[i]), NULL));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_judgement_list j = {0};
        es_status st = es_judgement_list_read(file(cases[i].text), 0, 6, true,
                                              cases[i].ids ? &ids : NULL, NULL, &j, test_err());
        assert_int_equal(st, cases[i].words ? ES_EFORMAT : ES_OK);
        if (cases[i].words)
            expect_words(test_message(), cases[i].words);
        else
            assert_int_equal(j.judgement[0].query, cases[i].query);
        es_judgement_list_deinit(&j);
    }
    es_row_ids_deinit(&ids);
}

TEST(judgements__contradictions__name_both_lines) {
    static const complaint all[] = {
        {"query,doc,rel\n0,1,1\n2,3,0\n0,1,0\n", "line 4|document 1|query 0|line 2"},
        {"query,doc,rel\n0,1,-1\n", "line 2|relevance"},
        {"query,doc,rel\n0,1,\n", "line 2|relevance"},
        {"query,doc,rel,freq\n0,1,1,0\n", "line 2|frequency"},
        {"query,doc,rel,freq\n0,1,1,2\n0,2,1,3\n", "line 3|another frequency|line 2"},
        {"query,doc,rel\n0,7,1\n", "line 2|column 2|row 7"},
    };
    es_judgement_list j = {0};
    const char *good = "query,doc,rel,freq\n3,1,2,5\n0,1,1,2\n0,0,1,2\n0,1,1,2\n";
    assert_ok(es_judgement_list_read(file(good), 0, 6, false, NULL, NULL, &j, test_err()));
    assert_true(j.count == 3 && j.self == 1 && j.judgement[0].query == 0);
    assert_true(j.frequency[2] == 5 && j.judgement[2].relevance == 2);
    es_judgement_list_deinit(&j);
    /* numbers of their own: not rows, and not among the documents */
    const char *own = "query,doc,rel\n900,1,1\n2,2,1\n";
    assert_ok(es_judgement_list_read(file(own), 0, 6, true, NULL, NULL, &j, test_err()));
    assert_true(j.count == 2 && j.self == 0 && j.judgement[1].query == 900);
    es_judgement_list_deinit(&j);
    assert_int_equal(es_judgement_list_read(file(own), 0, 6, false, NULL, NULL, &j, test_err()),
                     ES_EFORMAT);
    check_query_ids();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(
            es_judgement_list_read(file(all[i].text), 0, 6, false, NULL, NULL, &j, test_err()),
            ES_EFORMAT);
        expect_words(test_message(), all[i].words);
        assert_null(j.judgement);
    }
}

TEST(labels__out_of_memory__is_reported) {
    es_status st[5] = {ES_ENOMEM, ES_ENOMEM, ES_ENOMEM, ES_ENOMEM, ES_ENOMEM};
    for (long after = 0; st[0] || st[1] || st[2] || st[3] || st[4]; after++) {
        es_labels l = {0};
        es_pair_list p = {0};
        es_judgement_list j = {0};
        const char *path = file("query,doc,rel\n0,1,1\n2,3,0\n1,4,1.0\n");
        es_alloc_fail_after(after);
        st[0] = es_labels_read(path, 0, 6, ES_LABELS_AUTO, NULL, &l, NULL);
        es_alloc_fail_after(after);
        st[1] = es_pair_list_read(path, 0, 6, NULL, &p, NULL);
        es_alloc_fail_after(after);
        st[2] = es_judgement_list_read(path, 0, 6, false, NULL, NULL, &j, NULL);
        es_pair_list sets = {0};
        es_row_list r = {0};
        es_alloc_fail_after(-1);
        path = file("a,b,set\n0,1,x\n2,3,y\n");
        es_alloc_fail_after(after);
        st[3] = es_pair_list_read(path, 0, 6, NULL, &sets, NULL);
        es_alloc_fail_after(-1);
        path = file("row\n1\n");
        es_alloc_fail_after(after);
        st[4] = es_row_list_read(path, 0, 6, &r, NULL);
        es_alloc_fail_after(-1);
        for (int i = 0; i < 5; i++)
            assert_true(st[i] == ES_OK || st[i] == ES_ENOMEM);
        es_pair_list_deinit(&sets);
        es_row_list_deinit(&r);
        es_labels_deinit(&l);
        es_pair_list_deinit(&p);
        es_judgement_list_deinit(&j);
    }
}
