/* Scores as people hold them: MTEB's folder of results in both layouts, its exports, and tables
 * with other separators. */
#include "rooted.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

#include "io_scores_parts.h"
#include "refuse.h"

static es_scores read_ok(const char *name) {
    char path[SUPPORT_PATH];
    es_scores s = {0};
    assert_ok(es_scores_read(support_path(path, root, name), 0, NULL, &s, test_err()));
    return s;
}

static void refuse(const char *name, es_status code, const char *part) {
    char path[SUPPORT_PATH];
    es_scores s = {0};
    assert_int_equal(es_scores_read(support_path(path, root, name), 0, NULL, &s, test_err()), code);
    assert_contains(test_message(), part);
    assert_null(s.model);
}

static double at(const es_scores *s, const char *model, const char *task) {
    size_t i = es_scores_find(s, model), j = 0;
    assert_true(i < s->models);
    while (j < s->tasks && strcmp(s->task[j], task) != 0)
        j++;
    assert_true(j < s->tasks);
    return s->value[i * s->tasks + j];
}

/* ---- MTEB ---- */

static double score_of(const char *text) {
    double value = -1;
    assert_ok(es_mteb_score(text, strlen(text), "x.json", &value, test_err()));
    return value;
}

TEST_WITH(mteb__score__of_both_layouts, NULL, NULL) {
    /* version 2: a list of subsets a split, the main score written */
    assert_true(score_of("{\"task_name\":\"X\",\"mteb_version\":\"2.0\",\"scores\":{\"dev\":[{"
                         "\"main_score\":0.1}],\"test\":[{\"main_score\":0.5,\"hf_subset\":"
                         "\"default\",\"languages\":[\"eng-Latn\"]}]},\"evaluation_time\":3}") ==
                0.5);
    assert_true(score_of("{\"scores\":{\"test\":[{\"main_score\":0.25,\"hf_subset\":\"en\"},"
                         "{\"main_score\":0.75,\"hf_subset\":\"de\"}]}}") == 0.5);
    /* splits of other names: their mean */
    assert_true(score_of("{\"scores\":{\"a\":[{\"main_score\":0.25}],\"b\":[{\"main_score\":0.75}],"
                         "\"c\":[{\"main_score\":0.5}]}}") == 0.5);
    /* As Python writes a number that is none: missing, and no other metric in its place. */
    assert_true(score_of("{\"scores\":{\"test\":[{\"ap\":NaN,\"x\":-Infinity,\"s\":\"a \\\" NaN\","
                         "\"main_score\":0.5}]}}") == 0.5);
    assert_true(isnan(score_of("{\"test\":{\"main_score\":NaN,\"accuracy\":0.5}}")));
    assert_true(isnan(score_of("{\"test\":{\"main_score\":null,\"map\":0.5}}")));
    assert_true(score_of("{\"scores\":{\"validation\":[{\"main_score\":0.25}],\"train\":[{"
                         "\"main_score\":1}]}}") == 0.25);
    /* version 1: metrics in the split, or a language each; the main one goes by the kind of task */
    assert_true(
        score_of("{\"mteb_version\":\"1.1.1\",\"dataset_revision\":\"a\",\"test\":{"
                 "\"cos_sim\":{\"pearson\":0.1,\"spearman\":0.5},\"evaluation_time\":7}}") == 0.5);
    assert_true(score_of("{\"test\":{\"en\":{\"accuracy\":0.25,\"f1\":0.9},\"de\":{\"accuracy\":"
                         "0.75},\"evaluation_time\":7}}") == 0.5);
    assert_true(score_of("{\"test\":{\"accuracy\":0.9,\"f1\":0.5,\"precision\":0.4,\"recall\":"
                         "0.6}}") == 0.5);
    assert_true(score_of("{\"test\":{\"map_at_10\":0.2,\"ndcg_at_10\":0.5}}") == 0.5);
    assert_true(score_of("{\"test\":{\"v_measure\":0.5}}") == 0.5);
    assert_true(score_of("{\"test\":{\"map\":0.5,\"mrr\":0.7}}") == 0.5);
    assert_true(score_of("{\"test\":{\"cos_sim\":{\"ap\":0.5,\"accuracy\":0.8}}}") == 0.5);
    assert_true(isnan(score_of("{\"other\":3}")));
    assert_true(isnan(score_of("[]")));
}

#define SCORE(x) "{\"scores\":{\"test\":[{\"main_score\":" #x "}]}}"

/* Where the process may open no more files. */
TEST(mteb__folder_that_does_not_open__is_said) {
    struct rlimit usual, none;
    es_scores scores = {0};
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    none = usual;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    es_status st = es_mteb_read(root, NULL, &scores, test_err());
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_int_equal(st, ES_EIO);
    assert_contains(test_message(), strerror(EMFILE));
}

TEST(mteb__read__folders_of_models) {
    support_write_text(root, "r/results/intfloat__e5/rev1/STS12.json", SCORE(0.1));
    support_write_text(root, "r/results/intfloat__e5/rev2/STS12.json", SCORE(0.2));
    support_write_text(root, "r/results/intfloat__e5/rev2/NQ.json", SCORE(0.3));
    support_write_text(root, "r/results/bge/rev/STS12.json", SCORE(0.4));
    support_write_text(root, "r/results/bge/rev/model_meta.json", "{\"name\":\"BAAI/bge\"}");
    support_write_text(root, "r/results/old/NQ.json", "{\"test\":{\"ndcg_at_10\":0.5}}");
    support_write_text(root, "r/results/old/odd.json", "{\"nothing\":1}");
    support_write_text(root, "r/results/old/Q.json", SCORE(0.6));
    support_write_text(root, "r/results/old/.json", SCORE(0.7));
    support_write_text(root, "r/results/empty/README.md", "none");
    es_scores s = read_ok("r");
    assert_int_equal(s.models, 3);
    assert_int_equal(s.tasks, 3);
    assert_true(at(&s, "old", "Q") == 0.6);
    assert_true(at(&s, "intfloat/e5", "STS12") == 0.2);
    assert_true(at(&s, "intfloat/e5", "NQ") == 0.3);
    assert_true(at(&s, "BAAI/bge", "STS12") == 0.4);
    assert_true(isnan(at(&s, "BAAI/bge", "NQ")));
    assert_true(at(&s, "old", "NQ") == 0.5);
    assert_non_null(s.remark);
    assert_contains(s.remark, "odd.json holds no main score and is skipped");
    es_scores_deinit(&s);
    s = read_ok("r/results");
    assert_int_equal(s.models, 3);
    es_scores_deinit(&s);
    support_write_text(root, "r/results/old/STS12.json", "{\"test\":\n{\"map\":,}}");
    refuse("r", ES_EFORMAT, "STS12.json: line 2");
    support_write_text(root, "other/a.txt", "x");
    refuse("other", ES_EEMPTY, "no results of MTEB in it: expected MODEL/REVISION/TASK.json");
}

#define SPLIT(name, list) "{\"scores\":{\"" name "\":[" list "]}}"
#define SUBSET(name, x) "{\"hf_subset\":\"" name "\",\"main_score\":" #x "}"

TEST(mteb__read__compares_what_all_models_have) {
    support_write_text(root, "c/a/r/T.json", SPLIT("test", SUBSET("en", 0.5)));
    support_write_text(root, "c/b/r/T.json",
                       SPLIT("test", SUBSET("en", 0.25) "," SUBSET("de", 0.75)));
    support_write_text(root, "c/c/r/T.json",
                       "{\"test\":{\"en\":{\"accuracy\":0.375},\"de\":{"
                       "\"accuracy\":0.125}}}");
    support_write_text(root, "c/a/r/U.json",
                       "{\"scores\":{\"test\":[{\"main_score\":0.5}],\"dev\":[{"
                       "\"main_score\":0.125}]}}");
    support_write_text(root, "c/b/r/U.json", SPLIT("dev", SUBSET("default", 0.25)));
    support_write_text(root, "c/a/r/V.json", SPLIT("test", SUBSET("en", 0.5)));
    support_write_text(root, "c/b/r/V.json", SPLIT("test", SUBSET("en", 0.25)));
    support_write_text(root, "c/c/r/V.json", SPLIT("test", SUBSET("fr", 0.75)));
    support_write_text(root, "c/a/r2/T.json", SCORE(0.1));
    es_scores s = read_ok("c");
    assert_true(at(&s, "a", "T") == 0.5 && at(&s, "b", "T") == 0.25 && at(&s, "c", "T") == 0.375);
    assert_true(at(&s, "a", "U") == 0.125 && at(&s, "b", "U") == 0.25);
    assert_true(at(&s, "a", "V") == 0.5 && at(&s, "b", "V") == 0.25);
    assert_true(isnan(at(&s, "c", "V")));
    static const char *const said[] = {
        "V: no subset that all 3 models have; compared by test: en, without c",
        "T: compared by test: en, which all 3 models have, alone (and 1 more task)",
        "a: of its 2 revisions r is read"};
    for (size_t i = 0; i < 3; i++)
        if (!strstr(s.remark, said[i]))
            fail_msg("'%s' is not in: %s", said[i], s.remark);
    es_scores_deinit(&s);
}

/* Models that are not of the pool change no number, no count and no remark. */
TEST(mteb__settle__over_the_models_that_count) {
    char path[SUPPORT_PATH];
    static const char *const pool[] = {"a", "b", "without scores"};
    support_write_text(root, "s/a/r/T.json",
                       SPLIT("test", SUBSET("en", 0.5) "," SUBSET("de", 0.25)));
    support_write_text(root, "s/b/r/T.json", SPLIT("test", SUBSET("en", 0.25) "," SUBSET("de", 1)));
    support_write_text(root, "s/b/r/U.json", SPLIT("test", SUBSET("en", 0.5)));
    (void)support_path(path, root, "s");
    const es_scores_for whose = {.embedder = pool, .n = 3};
    es_buf sentence = {0};
    es_scores few = {0}, all = {0};
    assert_ok(es_scores_read_for(path, &whose, NULL, &few, NULL));
    assert_true(at(&few, "a", "T") == 0.375 && at(&few, "b", "T") == 0.625);
    assert_null(few.remark);
    support_write_text(root, "s/c/r/T.json", SPLIT("test", SUBSET("en", 0.75)));
    support_write_text(root, "s/c/r/odd.json", "{}");
    support_write_text(root, "s/c/r2/T.json", "{}");
    support_write_text(root, "s/d/r/U.json", SPLIT("dev", SUBSET("en", 0.75)));
    assert_ok(es_scores_read_for(path, &whose, NULL, &all, NULL));
    for (size_t i = 0; i < few.models; i++)
        for (size_t t = 0; t < few.tasks; t++) {
            double one = few.value[i * few.tasks + t], other = at(&all, few.model[i], few.task[t]);
            assert_true((isnan(one) && isnan(other)) || one == other);
        }
    assert_null(all.remark);
    bool counts[4] = {true, true, true, false}; /* c has joined */
    es_buf_puts(&sentence, "tasks.csv: x");
    assert_ok(es_scores_take_remark(&all, &sentence, NULL));
    assert_ok(es_scores_settle(&all, counts, NULL));
    assert_true(at(&all, "a", "T") == 0.5 && at(&all, "b", "T") == 0.25);
    assert_contains(all.remark, "T: compared by test: en, which all 3 models have, alone; "
                                "c: of its 2 revisions r is read; ");
    assert_contains(all.remark, "odd.json holds no main score and is skipped; tasks.csv: x");
    counts[2] = false;
    assert_ok(es_scores_settle(&all, counts, NULL));
    assert_string_equal(all.remark, "tasks.csv: x");
    assert_true(at(&all, "a", "T") == 0.375);
    es_scores copy = {0};
    assert_ok(es_scores_copy(&all, &copy, NULL));
    es_scores_deinit(&all);
    counts[2] = true;
    assert_ok(es_scores_settle(&copy, counts, NULL)); /* parts outlive the first */
    assert_true(at(&copy, "a", "T") == 0.5);
    es_scores_deinit(&copy);
    es_scores_deinit(&few);
}

/* Two folders of one model are not averaged; a file of many things without a score costs little. */
TEST(mteb__read__takes_one_folder_of_a_model) {
    es_buf *many = test_buf();
    support_write_text(root, "d/aa/r/T.json", SCORE(0.2));
    support_write_text(root, "d/bb/r/T.json", SCORE(0.8));
    support_write_text(root, "d/bb/r/model_meta.json", "{\"name\":\"aa\"}");
    es_buf_putc(many, '{');
    for (int i = 0; i < 40000; i++)
        es_buf_printf(many, "\"q%d\":{\"d\":0.5},", i);
    es_buf_puts(many, "\"test\":{\"main_score\":0.5}}");
    support_write(root, "d/aa/r/U.json", many->data, many->length);
    es_buf_free(many);
    es_scores s = read_ok("d");
    assert_int_equal(s.models, 1);
    assert_true(at(&s, "aa", "T") == 0.2 && at(&s, "aa", "U") == 0.5);
    assert_contains(s.remark, "bb is another folder of aa and is skipped");
    es_scores_deinit(&s);
    es_buf_putc(many, '{');
    for (int i = 0; i < 1025; i++)
        es_buf_printf(many, "\"q%d\":{\"main_score\":0.5},", i);
    es_buf_puts(many, "\"test\":{\"main_score\":0.5}}");
    support_write(root, "d/aa/r/U.json", many->data, many->length);
    refuse("d", ES_EFORMAT, "U.json: splits of more than 1024 names");
}

TEST(mteb__out_of_memory__is_reported) {
    char path[SUPPORT_PATH];
    bool met = true;
    support_write_text(root, "r/a__b/rev1/STS12.json", SCORE(0.1));
    support_write_text(root, "r/a__b/rev2/STS12.json", SCORE(0.2));
    support_write_text(root, "r/a__b/rev2/model_meta.json", "{\"name\":\"a/c\"}");
    support_write_text(root, "r/d/NQ.json", SCORE(0.3));
    support_write_text(root, "r/d/odd.json", "{}");
    (void)support_path(path, root, "r");
    for (long after = 0; met; after++) {
        es_scores s = {0};
        refuse_one(after);
        es_status st = es_scores_read(path, 0, NULL, &s, test_err());
        met = refuse_end();
        if (st != ES_OK && (st != ES_ENOMEM || !met))
            fail_msg("after %ld: %s", after, test_message());
        if (st == ES_OK) {
            assert_int_equal(s.models, 2);
            assert_int_equal(s.tasks, 2);
            assert_true(at(&s, "a/c", "STS12") == 0.2 && at(&s, "d", "NQ") == 0.3);
            assert_contains(s.remark, "odd.json");
        }
        es_scores_deinit(&s);
    }
}

TEST(mteb__read__fifty_models) {
    enum { MODELS = 50, TASKS = 56 };
    struct timespec from, to;
    for (int i = 0; i < MODELS; i++)
        for (int j = 0; j < TASKS; j++) {
            char name[64], text[256];
            snprintf(name, sizeof name, "t/owner__m%d/rev/Task%d.json", i, j);
            snprintf(text, sizeof text,
                     "{\"dataset_revision\":\"x\",\"task_name\":\"Task%d\",\"scores\":{\"test\":[{"
                     "\"accuracy\":0.5,\"main_score\":0.%02d%02d,\"hf_subset\":\"default\","
                     "\"languages\":[\"eng-Latn\"]}]}}",
                     j, i, j);
            support_write_text(root, name, text);
        }
    clock_gettime(CLOCK_MONOTONIC, &from);
    es_scores s = read_ok("t");
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_int_equal(s.models, MODELS);
    assert_int_equal(s.tasks, TASKS);
    assert_true(fabs(at(&s, "owner/m49", "Task55") - 0.4955) < 1e-12);
    double seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    print_message("%d x %d results read in %.3f s\n", MODELS, TASKS, seconds);
    es_scores_deinit(&s);
}

/* ---- tables ---- */

TEST(scores__read__other_separators) {
    support_write_text(root, "a.csv",
                       "\xEF\xBB\xBFmodel;sts;rmse:lower\na;0,85;1,5\nb;0.25;\n\"c;d\";1e-3;2\n");
    es_scores s = read_ok("a.csv");
    assert_true(at(&s, "a", "sts") == 0.85);
    assert_true(at(&s, "b", "sts") == 0.25);
    assert_true(isnan(at(&s, "b", "rmse:lower")));
    assert_true(at(&s, "c;d", "sts") == 1e-3);
    assert_false(es_score_is_lower_better(&s, 0));
    assert_true(es_score_is_lower_better(&s, 1));
    es_scores_deinit(&s);
    support_write_text(root, "b.csv", "model\tx, y\na\t0,5\n");
    s = read_ok("b.csv");
    assert_true(at(&s, "a", "x, y") == 0.5);
    es_scores_deinit(&s);
    support_write_text(root, "c.csv", "model,t\na,\"0,5\"\n"); /* or five hundred? */
    refuse("c.csv", ES_EFORMAT, "line 2, column 2: '0,5' is not a number");
    support_write_text(root, "d.csv", "model;t\na;1.234,5\n");
    refuse("d.csv", ES_EFORMAT, "line 2, column 2: '1.234,5' is not a number");
    support_write_text(root, "f.csv", "model;t\na;1,5e999\n");
    refuse("f.csv", ES_EFORMAT, "line 2, column 2: the score is infinite");
    support_write_text(root, "e.csv", "model;t\na;1;2\n");
    refuse("e.csv", ES_EFORMAT, "line 2: expected 2 cells, found 3");
}

TEST(scores__read__exports_of_mteb) {
    support_write_text(root, "wide.csv",
                       "task_name,intfloat/e5,BAAI/bge\nSTS12,0.1,0.2\nNQ,,0.4\n");
    es_scores s = read_ok("wide.csv");
    assert_int_equal(s.models, 2);
    assert_true(at(&s, "intfloat/e5", "STS12") == 0.1);
    assert_true(at(&s, "BAAI/bge", "NQ") == 0.4);
    assert_true(isnan(at(&s, "intfloat/e5", "NQ")));
    es_scores_deinit(&s);
    support_write_text(root, "long.csv",
                       "model_name,model_revision,task_name,score\ne5,r,STS12,0.1\ne5,r,NQ,0.3\n"
                       "bge,r,NQ,0.4\n");
    s = read_ok("long.csv");
    assert_int_equal(s.models, 2);
    assert_int_equal(s.tasks, 2);
    assert_true(at(&s, "bge", "NQ") == 0.4);
    assert_true(isnan(at(&s, "bge", "STS12")));
    es_scores_deinit(&s);
    support_write_text(root, "board.csv",
                       "Rank (Borda),Model,Zero-shot,Memory Usage (MB),Embedding Dimensions,"
                       "Max Tokens,Mean (Task),Retrieval,STS\n"
                       "1,[e5](https://x.org/a/e5),99%,1,1024,514.0,5,60.5,70\n"
                       "2,bge,Unknown,,Unknown,,,,71\n");
    s = read_ok("board.csv");
    assert_int_equal(s.models, 2);
    assert_int_equal(s.tasks, 2);
    assert_true(at(&s, "e5", "Retrieval") == 60.5 && at(&s, "e5", "STS") == 70);
    assert_true(isnan(at(&s, "bge", "Retrieval")) && at(&s, "bge", "STS") == 71);
    es_scores_deinit(&s);
    support_write_text(root, "twice.csv", "model,task,score\na,t,1\nb,t,1\na,t,2\n");
    refuse("twice.csv", ES_EFORMAT, "line 4: the score of 'a' in 't' is in line 2 already");
    static const char *const shapes[] = {"wide.csv", "long.csv", "board.csv"};
    for (size_t i = 0; i < 3; i++) {
        char path[SUPPORT_PATH];
        bool met = true;
        for (long k = 0; met; k++) {
            refuse_one(k);
            es_status st = es_scores_read(support_path(path, root, shapes[i]), 0, NULL, &s, NULL);
            met = refuse_end();
            assert_true(st == ES_OK || (met && st == ES_ENOMEM));
            if (st == ES_OK)
                assert_true(s.models == 2 && s.tasks == 2);
            es_scores_deinit(&s);
        }
    }
    support_write_text(root, "text.csv", "model,task,score\na,t,good\n");
    refuse("text.csv", ES_EFORMAT, "line 2, column 3: 'good' is not a number");
}

/* ---- shapes, cells and columns ---- */

/* The same scores of three embedders in every shape and spelling; NULL: no remark. */
TEST(scores__read__shapes_and_cells) {
    static const char *const pool[] = {"org/a", "b", "c"};
    static const struct {
        const char *text, *remark;
    } same[] = {
        {"model,t,u\na,62,0.5\nb,75,\nc,66,0.25\n", NULL},
        {",model,t,u\n0,a,62,0.5\n1,b,75,\n2,c,66,0.25\n", NULL},
        {"Unnamed: 0,#,Model,t,u\n0,1,a,62,0.5\n1,2,b,75,\n2,3,c,66,0.25\n", NULL},
        {"Rank,Model,t,u\n1,a,62,0.5\n2,b,75,\n3,c,66,0.25\n", "'Rank' is a mean, a sum or a rank"},
        {"x,t,what,u\n1.5,62,a,0.5\n,75,b,\n,66,c,0.25\n", NULL},
        {"model,t,u,,\na,62,0.5,,\nb,75,,,\nc,66,0.25,,\n", NULL},
        {",a,b,c\nt,62,75,66\nu,0.5,\xe2\x80\x94,0.25\n", NULL},
        {",tests,a,b,c,\n0,t,62,75,66,\n1,u,**0.5**,-,25 %,\n", "2 cells hold more"},
        {"tests,a,b,c\nt,62,75,66\nu,0.5,-,0.25\n", NULL},
        {"task,a,b,c\nt,62,75,66\nu,0.5,-,0.25\n", NULL},
        {"model,dataset,value\na,t,62\na,u,0.5\nb,t,75\nc,t,66\nc,u,0.25\n", NULL},
        {",model,variable,value\n0,a,t,62\n1,a,u,.5\n2,b,t,75\n3,c,t,66\n4,c,u,.25\n", NULL},
        {"who,where,how well\na,t,62\na,u,0.5\nb,t,75\nc,t,66\nc,u,0.25\n", NULL},
        {"ndcg,benchmark,embedder\n62,t,a\n0.5,u,a\n75,t,b\n66,t,c\n.25,u,c\n", NULL},
        {"model,t,u\na,62 ± 0.1,0.5\nb,75±.2,\nc,66 +/- 1,0.25\n",
         "3 cells hold more than a number or a name, as '62 ± 0.1' in line 2, column 2"},
        {"model,t,u\na,62 (0.1),0.5 [3]\nb,75(1),\nc,66,0.25\n", "3 cells hold more"},
        {"model,t,u\na,62 %,50%\nb,75%,\nc,66.0 %,0.25\n", "4 cells hold more"},
        {"model,t,u\na,62,0.5\n**b**,**75**,—\nc,__66__,.25*\n", "4 cells hold more"},
        {"model,t,u\na,$62_{0.1}$,\\textbf{0.5}\nb,75†,--\nc,66$\\pm$2,0.25^1\n",
         "5 cells hold more"},
        {"model,t,u\n<a href='https://x.org/a'>a</a>,<b>62</b>,0.5\n[b](https://x.org),75,–\n"
         "`c`,66,0.25\n",
         "4 cells hold more"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char path[SUPPORT_PATH];
        const es_scores_for whose = {.embedder = pool, .n = 3};
        es_scores s = {0};
        support_write_text(root, "s.csv", same[i].text);
        if (es_scores_read_for(support_path(path, root, "s.csv"), &whose, NULL, &s, test_err()) !=
            ES_OK)
            fail_msg("%zu: %s", i, test_message());
        if (s.models != 3 || !(at(&s, "a", "t") == 62 && at(&s, "b", "t") == 75) ||
            !(at(&s, "c", "t") == 66 && at(&s, "a", "u") == 0.5 && at(&s, "c", "u") == 0.25) ||
            !isnan(at(&s, "b", "u")))
            fail_msg("%zu: other scores", i);
        if (!same[i].remark != !s.remark || (s.remark && !strstr(s.remark, same[i].remark)))
            fail_msg("%zu: remark %s", i, s.remark ? s.remark : "none");
        es_scores_deinit(&s);
    }
}

TEST(scores__read__refuses_text_beside_numbers) {
    static const char *const bad[] = {"good",    "0.5 good", "0.5/0.6", "2024-01-01", "7B",
                                      "0.5 0.6", "± 0.5",    "(0.5)",   "1.2.3",      "0.5%x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, ",model,t\n0,a,%s\n1,b,1\n", bad[i]);
        support_write_text(root, "s.csv", text);
        (void)snprintf(text, sizeof text,
                       "line 2, column 3: '%s' is not a number; write a number, "
                       "or leave the cell empty",
                       bad[i]);
        refuse("s.csv", ES_EFORMAT, text);
    }
}

/* Names of tasks with a blank between, then of facts. */
static void expect_columns(const char *text, const char *tasks, const char *facts) {
    es_buf *got = test_buf();
    support_write_text(root, "s.csv", text);
    es_scores s = read_ok("s.csv");
    for (size_t j = 0; j < s.tasks; j++)
        es_buf_printf(got, "%s%s", j ? "|" : "", s.task[j]);
    es_buf_puts(got, " ; ");
    for (size_t j = 0; j < s.facts; j++)
        es_buf_printf(got, "%s%s", j ? "|" : "", s.fact[j]);
    es_buf *want = test_buf();
    es_buf_printf(want, "%s ; %s", tasks, facts);
    assert_string_equal(got->data, want->data);
    if (s.remark)
        assert_contains(s.remark, "; to keep a column as a task, add ↑ or ↓ to its name");
    else
        assert_int_equal(s.facts, 0);
    es_scores_deinit(&s);
}

#define LINES(a, b, c, d, e) "a," a "\nb," b "\nc," c "\nd," d "\ne," e "\n"

TEST(scores__columns__facts_and_sums_are_no_tasks) {
    static const struct {
        const char *text, *tasks, *facts;
    } table[] = {
        /* facts by their names, with text in them */
        {"model,Max Tokens,License,t\na,512,mit,1\nb,Unknown,apache,2\n", "t", "Max Tokens"},
        {"model,Model Size (M),Year,t_1\na,1,2020,1\nb,2,2021,2\n", "t_1", "Model Size (M)|Year"},
        {"task,a,b\nSpeed,1,2\nt,3,4\n", "t", "Speed"},
        {"model,task,score\na,Max Tokens,512\na,t,1\nb,t,2\n", "t", "Max Tokens"},
        /* sums by their names beside facts, or with brackets */
        {"Rank,Model,Average,t,u\n1,a,9,1,2\n2,b,5,2,1\n", "t|u", ""},
        {"model,Average (56 datasets),t,u\na,9,1,2\nb,5,2,1\n", "t|u", ""},
        {"model,Mean (Task),Retrieval\na,9,1\nb,5,2\n", "Retrieval", ""},
        /* tasks: neither by name nor by numbers */
        {"model,MeanMatch,Years\n" LINES("1,5", "4,2", "2,9", "7,3", "5,5"), "MeanMatch|Years", ""},
        {"model,average,t,u\n" LINES("9,10,20", "8,30,5", "7,20,20", "6,1,7", "5,2,4"),
         "average|t|u", ""},
        {"model,Average Precision,MRR\n" LINES("1,5", "4,2", "2,9", "7,3", "5,5"),
         "Average Precision|MRR", ""},
        {"model,Speed ↑,Rank (lower),t\na,1,2,3\nb,2,1,4\n", "Speed ↑|Rank (lower)|t", ""},
        /* by their numbers, whatever the name */
        {"model,all,t,u\n" LINES("15,10,20", "17.5,30,5", "21,20,22", "4,1,7", "3,2,4"), "t|u", ""},
        {"model,t,u,both\n" LINES("101,20,121", "30,75,105", "20,62,82", "1,47,48", "2,44,46"),
         "t|u", ""},
        {"model,average,t,u\n" LINES("15,10,20", "17.5,30,5", "21,20,22", "4,1,7", "3,2,4"), "t|u",
         ""},
        {"model,place,t,u\n" LINES("3,10,20", "2,30,5", "1,20,22", "4,1,7", "5,2,4"), "t|u", ""},
        {"model,x,T average,t,u\n" LINES("7,15,10,20", "1,17.5,30,5", "9,21,20,22", "3,4,1,7",
                                         "8,3,2,4"),
         "x|t|u", ""},
        {"task,a,b,c,d\nSTS,1,2,3,4\nRank,4,3,2,1\n", "STS", ""},
        /* copies, multiples and columns that are nearly alike are tasks */
        {"model,s,t,u\n" LINES("1,2,3", "2,4,6", "3,6,9", "4,8,12", "25,50,75"), "s|t|u", ""},
        {"model,t,u\n" LINES("0,7", "1,6", "2,5", "3,4", "4,3") "f,5,2\ng,6,1\n", "t|u", ""},
        {"model,f1,precision,recall\n" LINES(".81,.80,.82", ".52,.50,.53", ".70,.71,.70",
                                             ".33,.32,.33", ".61,.60,.62"),
         "f1|precision|recall", ""},
        /* errors of a column beside it */
        {"model,t,t_std,u (mean),u (sem),v,± v\n1,50,.1,60,.2,70,.3\n2,60,.2,50,.1,60,.1\n",
         "t|u (mean)|v", ""},
        {"model,sts_de,sts_se,std\na,50,40,1\nb,40,50,2\n", "sts_de|sts_se|std", ""},
        {"model,sts,sts_se\na,50,40\nb,40,50\n", "sts|sts_se", ""},
        {"model,t,seed,params_M,train_seconds,file size (MB)\na,5,1,7,9,3\nb,4,2,8,8,3\n", "t",
         "seed|params_M|train_seconds|file size (MB)"},
        {"model,t,massive_en-GB,disk_gb\na,5,1,7\nb,4,2,8\n", "t|massive_en-GB", "disk_gb"},
        /* without any other column they are what there is */
        {"model,Speed\na,1\nb,2\n", "Speed", ""},
        {"model,Speed,mean\na,1,3\nb,2,4\n", "mean", "Speed"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        expect_columns(table[i].text, table[i].tasks, table[i].facts);
    support_write_text(root, "s.csv", "model,License\na,mit\n");
    refuse("s.csv", ES_EFORMAT, "line 2, column 2: 'mit' is not a number");
}

/* A line of means is no model; a mean by its name alone is one. */
TEST(scores__lines__means_are_no_models) {
    static const struct {
        const char *last;
        size_t models;
    } table[] = {{"Average,2,20\n", 3},
                 {"mean score,2.0,\n", 3},
                 {"Average,2,30\n", 4},
                 {"other,2,20\n", 4},
                 {"avg,,\n", 4}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "model,t,u\na,1,10\nb,3,30\nc,2,20\n%s", table[i].last);
        support_write_text(root, "s.csv", text);
        es_scores s = read_ok("s.csv");
        assert_int_equal(s.models, table[i].models);
        assert_int_equal(s.remark != NULL, table[i].models == 3);
        assert_true(at(&s, "c", "u") == 20);
        es_scores_deinit(&s);
    }
}

/* What may be another scale, or ranks, is noted; NULL: nothing is. */
TEST(scores__numbers__of_another_scale_are_noted) {
    static const struct {
        const char *text, *remark;
    } table[] = {
        {LINES("61,50", "72,60", ".55,.45", "81,70", "49,52"),
         "all scores of c are within 0 and 1"},
        {LINES("61,50", "72,60", ".55,45", "81,70", "49,52"), NULL},
        {LINES(".61,.50", ".72,.60", ".55,.45", ".81,.70", ".49,.52"), NULL},
        {LINES("1,2", "2,5", "3,4", "4,1", "5,3"), "'t' and 'u' may be better when lower"},
        {LINES("1,2", "2,5", "3,4", "4,1", "5,9"), "'t' may be better when lower"},
        {LINES("1,2", "2,5", "2,4", "4,1", "4,9"), NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[128], path[SUPPORT_PATH];
        (void)snprintf(text, sizeof text, "model,t,u\n%s", table[i].text);
        support_write_text(root, "s.csv", text);
        es_scores s = read_ok("s.csv");
        assert_ok(es_scores_describe_beside(&s, support_path(path, root, "s.csv"), NULL));
        if (!table[i].remark != !s.remark || (s.remark && !strstr(s.remark, table[i].remark)))
            fail_msg("%zu: remark %s", i, s.remark ? s.remark : "none");
        es_scores_deinit(&s);
    }
}

/* Numbers as other countries write them, and tables that are no CSV, have a line that helps. */
TEST(scores__refused__have_a_remedy) {
    static const char *const cells[][2] = {
        {"\"43,1\"", "write 43.1,"},         {"\"4,310.5\"", "write 4310.5,"},
        {"\"4.310,5\"", "write 4310.5,"},    {"4'310", "write 4310,"},
        {"\"4,310,700\"", "write 4310700,"}, {"\"4,310\"", "write a number,"}};
    static const char *const tables[][2] = {
        {"| model | t |\n|---|---|\n| a | 1 |\n", "it looks like Markdown: sed"},
        {"model & t \\\\\na & 1 \\\\\n", "it looks like LaTeX"},
        {"model t\na 1\n", "put commas between the cells"},
        {"model,t\na,1\na,2\n", "'a' is in line 2 and again in line 3; keep one"}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "model,t\na,%s\nb,1\n", cells[i][0]);
        support_write_text(root, "s.csv", text);
        refuse("s.csv", ES_EFORMAT, cells[i][1]);
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        support_write_text(root, "s.csv", tables[i][0]);
        refuse("s.csv", ES_EFORMAT, tables[i][1]);
    }
    support_write_text(root, "s.json", "{}");
    refuse("s.json", ES_EFORMAT, "is JSON; write a table");
}

TEST(scores__facts__keep_their_models) {
    support_write_text(root, "s.csv", "Model,\"Memory Usage (GB, fp32)\",t\na,0.5,1\nb,2,3\n");
    es_scores s = read_ok("s.csv"), copy = {0};
    assert_ok(es_scores_copy(&s, &copy, NULL));
    es_scores_deinit(&s);
    assert_int_equal(copy.facts, 1);
    assert_string_equal(copy.fact[0], "Memory Usage (GB, fp32)");
    assert_true(copy.fact_value[0] == 0.5 && copy.fact_value[1] == 2);
    es_scores_deinit(&copy);
}

/* Text among the numbers of models.csv is left empty, and reported once. */
TEST(scores__text_in_models_csv__is_reported_once) {
    char path[SUPPORT_PATH];
    es_scores known = {0};
    const es_scores_for facts = {.facts = true};
    support_write_text(root, "models.csv", "model,params,city\na,many,Rome\nb,12,\n");
    assert_ok(
        es_scores_read_for(support_path(path, root, "models.csv"), &facts, NULL, &known, NULL));
    assert_non_null(known.remark);
    assert_contains(known.remark, "line 2, column 2: 'many'");
    assert_contains(known.remark, "2 such cells are left empty");
    assert_true(isnan(known.value[0]) && known.value[known.tasks] == 12);
    es_scores_deinit(&known);
    support_write_text(root, "models.csv", "model,params\na,7\nb,12\n");
    assert_ok(
        es_scores_read_for(support_path(path, root, "models.csv"), &facts, NULL, &known, NULL));
    assert_null(known.remark);
    es_scores_deinit(&known);
}

/* models.csv with an index or a rank before the names, turned, with empty columns and markup. */
TEST(scores__models_csv__as_tables_are_found) {
    static const char *const pool[] = {"org/a", "b"};
    static const char *const same[] = {
        "model,params,year\na,62,2020\nb,75,\n",
        ",model,params,year\n0,a,62,2020\n1,b,75,\n",
        "Rank,Model,params,year\n2,a,62,2020\n1,b,75,\n",
        "model,params,year,,\na,62,2020,,\nb,75,,,\n",
        "fact,a,b\nparams,62,75\nyear,2020,-\n",
        ("model,params,year\n\"<a href=\"\"https://x.org\"\">a</a>\",**62**,2020*\n"
         "**b**,75 \xc2\xb1 2,\xe2\x80\x94\n")};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char path[SUPPORT_PATH];
        const es_scores_for whose = {.embedder = pool, .n = 2, .facts = true};
        es_scores s = {0};
        support_write_text(root, "models.csv", same[i]);
        if (es_scores_read_for(support_path(path, root, "models.csv"), &whose, NULL, &s,
                               test_err()) != ES_OK)
            fail_msg("%zu: %s", i, test_message());
        if (s.models != 2 || !(at(&s, "a", "params") == 62 && at(&s, "b", "params") == 75) ||
            !(at(&s, "a", "year") == 2020) || !isnan(at(&s, "b", "year")))
            fail_msg("%zu: other facts", i);
        es_scores_deinit(&s);
    }
}

/* Said once, unless something says which way is better. */
TEST(scores__errors_and_costs__are_noted) {
    static const char *const names[][2] = {{"RMSE", "'RMSE'"},
                                           {"val_loss", "'val_loss'"},
                                           {"MAE (kcal/mol)", "'MAE (kcal/mol)'"},
                                           {"log perplexity", "'log perplexity'"},
                                           {"RMSE ↓", NULL},
                                           {"loss (higher)", NULL},
                                           {"glossary", NULL},
                                           {"MAEstro", NULL}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[128], path[SUPPORT_PATH];
        (void)snprintf(text, sizeof text, "model,%s,t\na,1,2\nb,2,1\n", names[i][0]);
        support_write_text(root, "s.csv", text);
        es_scores s = read_ok("s.csv");
        assert_ok(es_scores_describe_beside(&s, support_path(path, root, "s.csv"), NULL));
        bool noted = s.remark && strstr(s.remark, "may be better when lower") &&
                     strstr(s.remark, "in the column 'better' of tasks.csv");
        if (noted != (names[i][1] != NULL) || (noted && !strstr(s.remark, names[i][1])))
            fail_msg("%s: %s", names[i][0], s.remark ? s.remark : "no remark");
        es_scores_deinit(&s);
    }
    char path[SUPPORT_PATH];
    support_write_text(root, "s.csv", "model,RMSE\na,1\nb,2\n");
    support_write_text(root, "tasks.csv", ",task,better\n0,RMSE,lower\n");
    es_scores s = read_ok("s.csv");
    assert_ok(es_scores_describe_beside(&s, support_path(path, root, "s.csv"), NULL));
    assert_null(s.remark);
    assert_true(es_score_is_lower_better(&s, 0));
    es_scores_deinit(&s);
}

TEST(scores__shapes__out_of_memory__is_reported) {
    char path[SUPPORT_PATH];
    (void)support_path(path, root, "s.csv");
    support_write_text(root, "s.csv", "Rank,Model,Year,t,u\n1,a,2020,1 ± 1,2\n2,[b](x),2021,2,3\n");
    bool met = true;
    for (long k = 0; met; k++) {
        es_scores s = {0};
        refuse_one(k);
        es_status st = es_scores_read(path, 0, NULL, &s, test_err());
        met = refuse_end();
        assert_true(st == ES_OK || (met && st == ES_ENOMEM));
        if (st == ES_OK)
            assert_true(s.models == 2 && s.tasks == 2 && s.facts == 1);
        es_scores_deinit(&s);
    }
}

TEST(scores__read_by_a_run_that_is_called_off__gives_nothing) {
    char path[SUPPORT_PATH];
    es_buf *large = test_buf();
    es_run run;
    support_write_text(root, "wide.csv", "model,t\na,1\n");
    support_write_text(root, "turned.csv", "task_name,a,b\nt,1,2\n");
    support_write_text(root, "long.csv", "model,task,score\na,t,1\n");
    es_buf_puts(large, "model,t\n");
    for (int i = 0; large->length < 3u << 20; i++)
        es_buf_printf(large, "%d,1\n", i);
    support_write_text(root, "large.csv", large->data);
    support_write_text(root, "results/m/T.json", "{\"test\": {\"main_score\": 0.5}}");
    static const char *const names[] = {"wide.csv", "turned.csv", "long.csv", "large.csv",
                                        "results"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        es_scores s = {0};
        es_run_init(&run);
        es_run_cancel(&run);
        support_path(path, root, names[i]);
        assert_int_equal(es_scores_read(path, 0, &run, &s, NULL), ES_ECANCELED);
        assert_true(s.model == NULL && s.value == NULL);
        es_run_init(&run);
        assert_ok(es_scores_read(path, 0, &run, &s, NULL));
        assert_true(s.models > 0 && s.tasks == 1);
        es_scores_deinit(&s);
    }
}
