/* What stands beside a table or a picture is true of it: whose score it is, what is drawn, what is
 * known. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

/* Nothing but ones: no value is above another. */
static const char equal[] = "source,a,b,c,d\na,1,1,1,1\nb,1,1,1,1\nc,1,1,1,1\nd,1,1,1,1\n";

/* What a command writes to a file, or else prints. */
static char *written(const char *const *words, const char *path) {
    run_result r = run_ok(words);
    char *text = path ? slurp(path) : r.out;
    assert_non_null(text);
    return text;
}
#define WRITTEN(path, ...) written((const char *const[]){__VA_ARGS__, NULL}, path)

static void says(char *text, const char *what, bool said) {
    if ((strstr(text, what) != NULL) != said)
        fail_msg("%s '%s' in: %.3000s", said ? "no" : "a", what, text);
}

TEST(matrix_of_a_file__its_score_is_no_predictive_one) {
    write_text("m.csv", "source,a,b,c\na,1,.5,.2\nb,.4,1,.3\nc,.1,.2,1\n");
    char *text = WRITTEN("x.svg", "export", "ranking", "--matrix", "m.csv", "-q", "-o", "x.svg");
    says(text, "lead in the file's values, nats per dimension", true);
    says(text, "redictive", false);
    text = WRITTEN("x.html", "report", "--matrix", "m.csv", "-q", "-o", "x.html");
    says(text, "all are those of the file", true);
    says(text, "redictive score", false);
    says(text, "ridge", false);
    text = WRITTEN(NULL, "rank", "--matrix", "m.csv", "-q");
    says(text, "score: of the file", true);
    says(text, "redictive score", false);
}

/* Half of the pairs of a pool: its ranking is of those that are through. */
TEST(unfinished__correlate_and_compare_say_how_much_is_known) {
    write_text("m.csv", "source,a,b,c,d\na,1,.5,.2,.1\nb,.4,1,.3,.2\nc,.1,.2,1,.4\nd,,,,\n");
    write_text("s.csv", "model,t,u\na,3,1\nb,2,2\nc,1,3\nd,4,4\n");
    char *text = WRITTEN(NULL, "correlate", "--matrix", "m.csv", "--scores", "s.csv", "-q");
    says(text, "3 of 3 embedders of the ranking have scores; 1 more is not ranked\n", true);
    says(text, "of the 3 embedders that have them all\n", true);
    text = WRITTEN(NULL, "compare", "--matrix", "m.csv", "a", "b", "-q");
    says(text, "12 of 16 pairs are known\n", true);
    says(text, "2 of 3", true);
}

/* The mean rank is the same of all: nobody is better or worse than the score predicts. */
TEST(correlate__undefined__has_no_residuals) {
    es_buf *m = test_buf(), *s = test_buf();
    es_buf_puts(m, "source,a,b,c,d,e,f,g\n");
    es_buf_puts(s, "model,t,u\n");
    for (int i = 0; i < 7; i++) {
        es_buf_printf(m, "%c", 'a' + i);
        for (int j = 0; j < 7; j++)
            es_buf_printf(m, ",%g", i == j ? 1 : 0.1 * i + 0.01 * j);
        es_buf_putc(m, '\n');
        es_buf_printf(s, "%c,%d,%d\n", 'a' + i, i, 7 - i);
    }
    write_text("m.csv", m->data);
    write_text("s.csv", s->data);
    char *text = WRITTEN(NULL, "correlate", "--matrix", "m.csv", "--scores", "s.csv", "-q");
    says(text, "mean rank", true);
    says(text, "better than the score predicts", false);
}

TEST(pictures__all_values_equal__invent_no_scale) {
    write_text("m.csv", equal);
    char *text = WRITTEN("x.svg", "export", "tree", "--matrix", "m.csv", "--method", "ward", "-q",
                         "-o", "x.svg");
    says(text, ">−0.", false);
    text = WRITTEN("x.svg", "export", "tree", "--matrix", "m.csv", "-q", "-o", "x.svg");
    says(text, ">1.00<", true);
    says(text, ">2.00<", false);
    text = WRITTEN("x.svg", "export", "matrix", "--matrix", "m.csv", "-q", "-o", "x.svg");
    says(text, ">1.00<", true);
    says(text, ">1.25<", false);
    says(text, ">2.00<", false);
    write_text("m.csv", "source,a,b\na,1,-.5\nb,-.4,1\n");
    text = WRITTEN("x.svg", "export", "tree", "--matrix", "m.csv", "-q", "-o", "x.svg");
    says(text, "modularity -0", false);
}

TEST(pictures__captions_tell_of_what_is_drawn) {
    write_text("m.csv", "source,a,b\na,1,.5\nb,.4,1\n");
    write_text("s.csv", "model,t\na,3\nb,2\nc,1\nd,4\n");
    char *text = WRITTEN("x.svg", "export", "correlation", "--matrix", "m.csv", "--scores", "s.csv",
                         "-q", "-o", "x.svg");
    says(text, "Line:", false);
    text = WRITTEN("x.svg", "export", "ranking", "--matrix", "m.csv", "-q", "-o", "x.svg");
    says(text, "bars", false);
    text = WRITTEN("x.svg", "export", "compare", "--matrix", "m.csv", "--models", "a,b", "-q", "-o",
                   "x.svg");
    says(text, "no other target", true);
    says(text, "Dark lines", false);
    says(text, "nats per dimension", false);
    expect_error(RUN("rank", "--matrix", "m.csv", "--explain", "a", "b", "-q"), 4,
                 "a is not ranked: there is nothing to compare");
    write_text("m.csv", "source,a,b,c\na,1,.5,.2\nb,.4,1,.3\nc,.1,.2,1\n");
    text = WRITTEN(NULL, "rank", "--matrix", "m.csv", "--explain", "a", "b", "-q");
    says(text, "target  family", false);
    says(text, "Among these, b leads a by 0.100. Too few kinds", true);
    says(text, " ± ", false); /* no rows, no kinds: no interval */
    text = WRITTEN(NULL, "rank", "--curve", "--matrix", "m.csv", "-q");
    assert_int_equal(strncmp(text, "the pool is too small", 21), 0);
    write_text("m.csv", equal);
    expect_error(RUN("export", "ranking", "--curve", "--matrix", "m.csv", "-o", "y.svg"), 4,
                 "no agreement is defined|equal");
    text = WRITTEN(NULL, "rank", "--curve", "--matrix", "m.csv", "-q");
    says(text, "no agreement is defined: all values of the score are equal\n", true);
    says(text, "agreement: ", false);
    says(text, "reliability", false);
}

/* What makes the score stands wherever the score is, and what does not is not skipped. */
TEST(pool__rule__is_said_of_every_score) {
    static const char others[] = "over targets of other families";
    estimate_pool();
    write_text("pool/pool.json",
               "{\"models\": [{\"file\": \"a.npy\", \"family\": \"f\"}, {\"file\": \"b.npy\", "
               "\"family\": \"f\"}, {\"file\": \"c.npy\"}, {\"file\": \"d10.npy\"}]}");
    char *text = WRITTEN(NULL, "compare", "pool", "a", "b", "--leave-family-out", "-q");
    says(text, others, true);
    text = WRITTEN(NULL, "rank", "pool", "--explain", "a", "b", "--leave-family-out", "-q");
    says(text, others, true);
    text = WRITTEN(NULL, "agree", "pool", "uniformity", "--leave-family-out", "-q");
    says(text, "is: median over targets of other families\n", true);
    text = WRITTEN(NULL, "rank", "pool", "--leave-family-out", "--include-self", "--json", "-q");
    says(text, "\"include_self\": false", true);
    run_result r = RUN_OK("rank", "pool", "--coverage", "0.3", "--targets", "a");
    says(r.err, "--targets has no effect here", true);
    expect_error(RUN("pool", "--plain", "--include-self"), 2, "--include-self|embedscope rank");
    write_text("config", "leave-family-out = yes\n");
    r = RUN("pool", "--plain", "--config", "config");
    says(r.out, "leave-family-out of the configuration", true);
}

/* A task on which all known scores are equal compares nobody: it counts nowhere, and who lacks it
 * lacks nothing. */
TEST(downstream__equal_scores__are_no_task) {
    static const char scores[] = "model,t,u,k\na,3,1,7\nb,2,2,7\nc,1,3,\nd,4,4,\n";
    write_text("m.csv", "source,a,b,c,d\na,1,.5,.2,.3\nb,.4,1,.3,.2\nc,.1,.2,1,.1\nd,.3,.3,.3,1\n");
    write_text("s.csv", scores);
    char *text = WRITTEN(NULL, "correlate", "--matrix", "m.csv", "--scores", "s.csv", "-q");
    says(text, "over the 2 tasks that tell any two apart, of the 4 embedders", true);
    text = WRITTEN(NULL, "correlate", "--matrix", "m.csv", "--scores", "s.csv", "-q", "--json");
    es_json_value root = parse_json(text), sum = member(&root, "mean_rank", ES_JSON_OBJECT);
    assert_true(number_of(&sum, "n") == 4);
    estimate_pool();
    write_text("pool/scores.csv", scores);
    text = WRITTEN(NULL, "agree", "pool", "uniformity", "-q");
    says(text, "downstream: mean rank over 2 tasks, of 3 embedders", true);
    write_text("pool/tasks.csv", "task,weight\nt,2\n");
    text = WRITTEN(NULL, "agree", "pool", "uniformity", "-q");
    says(text, "downstream: mean rank over 2 weighted tasks, of 3 embedders", true);
    text = WRITTEN(NULL, "correlate", "pool", "-q");
    says(text, "over the 2 weighted tasks", true);
    text = WRITTEN(NULL, "rivals", "pool", "-q");
    says(text, "mean rank over 2 weighted tasks", true);
}

/* Two that are one stand level: neither is before the other. */
TEST(explain__equal__are_level) {
    write_text("m.csv", "source,a,b,c\na,1,.5,.2\nb,.5,1,.2\nc,.1,.1,1\n");
    char *text = WRITTEN(NULL, "rank", "--matrix", "m.csv", "--explain", "a", "b", "-q");
    says(text, "Among these, a and b are level. Too few kinds of embedders to say more", true);
}

/* Score, communities and what is bold, each by its own name. */
TEST(pool__each_says_by_what_it_is) {
    make_pool("pool");
    add_model("pool", "e", 240, 6, 5, 0.9);
    add_model("pool", "f", 240, 7, 6, 1.5);
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
    write_text("pool/scores.csv", "model,t\na,1\nb,2\nc,3\nd10,5\ne,6\nf,4\n");
    char *text = WRITTEN("x.svg", "export", "pool", "correlation", "-q", "-o", "x.svg");
    says(text, ">lead, nats per dimension<", true);
    text = WRITTEN("x.svg", "export", "pool", "correlation", "--score", "published", "-q", "-o",
                   "x.svg");
    says(text, "published score, nats per dimension", true);
    text = WRITTEN(NULL, "rank", "pool", "--format", "tex", "-q");
    says(text, "{\\footnotesize Bold: a candidate for the best (95 ", true);
    says(text, "Columns published, group: by linear default", true);
}

/* Errors are no entropy, and in no nats. */
TEST(errors__are_called_so_in_tables_and_figures) {
    static const char *const cases[][2] = {
        {"is", "error of predicting the target from the source: lower is better"},
        {"h_cond", "error of predicting the target from the source: lower is better"},
        {"se", "standard error of the error"},
        {"asymmetry", "error(row, column) - error(column, row)"},
        {"total", "error of predicting the target, summed over its dimensions"},
        {"h", "error of predicting the target by its mean"},
    };
    static const char *const none[] = {"nats", "ntropy", "shares", "H(", "IS("};
    make_pool("pool");
    RUN_OK("estimate", "pool", "--estimator", "l2", "--preset", "linear", "-q");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = WRITTEN(NULL, "matrix", "pool", "--estimator", "l2", "--preset", "linear",
                             "--value", cases[i][0], "-q"),
             *figure = WRITTEN("x.svg", "export", "pool", "matrix", "--estimator", "l2", "--preset",
                               "linear", "--value", cases[i][0], "-o", "x.svg", "-q");
        says(text, cases[i][1], true);
        says(figure, cases[i][1], true);
        for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
            says(text, none[k], false);
            says(figure, none[k], false);
        }
    }
}

/* Whatever is drawn, its order is that of information sufficiency. */
TEST(matrix__other_values__trees_are_said_to_be_of_is) {
    static const char *const value[] = {"h_cond", "se", "asymmetry"};
    estimate_pool();
    char *text = WRITTEN("x.svg", "export", "pool", "matrix", "-o", "x.svg", "-q");
    says(text, "linkage of the rows without the diagonal", true);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        text =
            WRITTEN("x.svg", "export", "pool", "matrix", "--value", value[i], "-o", "x.svg", "-q");
        says(text, "linkage of the rows of information sufficiency", true);
    }
}

/* Of equal scores none is called first alone. */
TEST(ranking__equal_scores__are_first_together) {
    static const struct {
        const char *values, *says;
    } cases[] = {{"a,1,.5,.5\nb,.5,1,.5\nc,.5,.4,1\n", "a and b are first with equal scores."},
                 {"a,1,.5,.5\nb,.5,1,.5\nc,.5,.5,1\n", "a, b and 1 more are first with equal"},
                 {"a,1,.5,.6\nb,.5,1,.5\nc,.5,.4,1\n", "a is first, then b and c."}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        es_buf *m = test_buf();
        es_buf_printf(m, "source,a,b,c\n%s", cases[k].values);
        write_text("m.csv", m->data);
        char *text = WRITTEN(NULL, "rank", "--matrix", "m.csv", "--score", "published", "-q");
        says(text, cases[k].says, true);
    }
}

/* Ten epochs do not fit even a copy, whatever the data; that is said, not that they have heavy
 * tails. */
TEST(matrix__published_recipe__names_its_epochs) {
    make_pool("pool");
    RUN_OK("estimate", "pool", "--estimator", "knife", "--preset", "paper-nlp", "-q");
    char *text =
        WRITTEN(NULL, "matrix", "pool", "--estimator", "knife", "--preset", "paper-nlp", "-q");
    says(text, "(this preset ends after 10 epochs): its column is understated", true);
    says(text, "heavy tails", false);
}
