/* A sheet, made in another thread, is the command's document: the same table, byte for byte, and
 * the same sentences. */
#include "program.h"

#include <pthread.h>

#include "report.h"
#include "cmd.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static void make_scored_pool(void) {
    static const char *const names[] = {"run@9", "run@10", "run@1k", "a", "b", "c", "d", "e", "f"};
    es_buf *scores = test_buf();
    es_buf_puts(scores, "model,one,two,three\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        add_model("pool", names[i], 300, 6, 3 + i, 0.3 + 0.2 * (double)i);
        es_buf_printf(scores, "%s,%g,%g,%g\n", names[i], 0.9 - 0.05 * (double)i,
                      0.5 + 0.01 * (double)(i * i % 7), 0.7 - 0.03 * (double)i);
    }
    write_text("pool/scores.csv", scores->data);
    RUN_OK("estimate", "pool", "-q");
    RUN_OK("measure", "pool", "effective-rank,cka", "-q");
}

typedef struct asked {
    es_words words;
    es_run run;
    es_sheet *sheet;
    es_status status;
    es_error error;
} asked;

static void *call(void *data) {
    const es_cli cli = {.commands = es_cli_commands()};
    asked *a = data;
    a->status = es_cli_call_run(&cli, &a->words, &a->run, &a->sheet, &a->error);
    return NULL;
}

/* "embedscope", the command, the pool, and the options with blanks between. */
static void ask(asked *a, const char *command, const char *options, bool canceled) {
    pthread_t thread;
    *a = (asked){.status = ES_OK};
    es_run_init(&a->run);
    static const char *const first[] = {"embedscope", NULL, "pool"};
    for (size_t i = 0; i < 3; i++)
        assert_ok(es_words_add(&a->words, first[i] ? first[i] : command, NULL));
    for (const char *at = options; at && *at;
         at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' '))
        assert_ok(es_words_take(&a->words, es_strndup(at, strcspn(at, " ")), NULL));
    if (canceled)
        es_run_cancel(&a->run);
    assert_int_equal(pthread_create(&thread, NULL, call, a), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    es_words_deinit(&a->words);
}

static bool says(const es_sheet *sheet, const char *text) {
    for (size_t i = 0; i < sheet->statements; i++)
        if (strstr(sheet->statement[i].text, text))
            return true;
    return false;
}

/* The main table of a sheet as csv is the document's. Measures are those that are stored. */
TEST(sheet__any_analysis__is_the_document) {
    static const struct {
        const char *id, *names; /* names: what the command computes; the sheet computes nothing */
        const char *says;
    } cases[] = {{"series", NULL, "run: 3 steps"},
                 {"ranking", NULL, NULL},
                 {"rivals", "effective-rank,cka", "not computed yet"},
                 {"agreement", "effective-rank", "kendall: tau-b"},
                 {"correlation", NULL, "embedders of the ranking have scores"},
                 {"coverage", NULL, NULL},
                 {"communities", NULL, NULL}};
    make_scored_pool();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const es_analysis *analysis = es_analysis_find(cases[k].id);
        asked a;
        es_buf *csv = test_buf();
        ask(&a, analysis->command, analysis->options, false);
        if (a.status != ES_OK)
            fail_msg("%s: %s", cases[k].id, a.error.message);
        assert_true(a.sheet->tables > 0);
        assert_ok(es_table_out_write(a.sheet->table[0], ES_FORMAT_CSV, 0, csv, NULL));
        run_result r =
            cases[k].names      ? RUN(analysis->command, "pool", cases[k].names, "--csv", "-q")
            : analysis->options ? RUN(analysis->command, "pool", analysis->options, "--csv", "-q")
                                : RUN(analysis->command, "pool", "--csv", "-q");
        expect_code(&r, 0);
        if (strcmp(r.out, csv->data) != 0)
            fail_msg("%s: the document is\n%s\nand the sheet\n%s", cases[k].id, r.out, csv->data);
        if (cases[k].says && !says(a.sheet, cases[k].says))
            fail_msg("%s does not say '%s'", cases[k].id, cases[k].says);
        es_sheet_free(a.sheet);
    }
}

TEST(sheet__what_fails__says_why) {
    asked a;
    make_scored_pool();
    ask(&a, "rank", NULL, true);
    assert_int_equal(a.status, ES_ECANCELED);
    assert_null(a.sheet);
    ask(&a, "rank", "--nosuch", false);
    assert_int_equal(a.status, ES_EINVAL);
    ask(&a, "nosuch", NULL, false);
    assert_int_equal(a.status, ES_EINVAL);
    assert_int_equal(unlink("pool/scores.csv"), 0);
    ask(&a, "correlate", NULL, false);
    assert_int_equal(a.status, ES_ENOTFOUND);
    assert_contains(a.error.message, "scores");
}
