/* Naming families in the explorer: who is meant, what is asked, and that only a yes has a file
 * written. */
#include "app/bench.h"
#include "app_lists.h"
#include "app_commands.h"
#include "app_keys.h"

/* The family that a file is to be written with; NULL: none is. */
static const char *written(const bench *b) {
    const char *family = NULL;
    for (size_t i = 0; i < b->effects->count; i++)
        if (b->effects->items[i].kind == ES_FX_FAMILY)
            family = b->effects->items[i].text;
    return family;
}

static void assert_asked(const bench *b, const char *question) {
    char text[ES_FAMILY_QUESTION];
    assert_int_equal(b->app->mode, ES_MODE_ASK);
    assert_int_equal(b->app->ask, ES_ASK_FAMILY);
    es_family_question(b->app, text, sizeof text);
    assert_string_equal(text, question);
}

static bench *start(void) {
    bench *b = bench_start(false);
    b->mock->source.path = "pools/text";
    mock_predict(b->mock); /* families of two */
    b->app->cursor = 4;
    return b;
}

TEST(family__of_the_cursor__is_asked_about) {
    bench *b = start();
    char question[300];
    bench_command(b, "family bge small");
    (void)snprintf(question, sizeof question,
                   "Write families.csv in pools/text: %s becomes family bge small?",
                   b->mock->name[4]);
    assert_asked(b, question);
    assert_null(written(b));
    bench_keys(b, "n");
    assert_null(written(b));
    assert_int_equal(b->app->mode, ES_MODE_NORMAL);
    bench_command(b, "family bge small");
    bench_keys(b, "y");
    assert_string_equal(written(b), "bge small");
    size_t item[12];
    assert_int_equal(es_family_items(b->app, item), 1);
    assert_int_equal(item[0], 4);
}

TEST(family__of_marked_ones__is_one_question) {
    bench *b = start();
    size_t item[12];
    b->app->marked[1] = b->app->marked[7] = b->app->marked[9] = true;
    bench_command(b, "family bge");
    assert_asked(b, "Write families.csv in pools/text: 3 embedders become family bge?");
    assert_int_equal(es_family_items(b->app, item), 3);
    assert_int_equal(item[2], 9);
    bench_keys(b, "y");
    assert_string_equal(written(b), "bge");
}

TEST(family__empty_or_dash__takes_the_name_away) {
    static const char *const lines[] = {"family", "family -"};
    for (size_t k = 0; k < 2; k++) {
        bench *b = start();
        char question[300];
        bench_command(b, lines[k]);
        (void)snprintf(question, sizeof question,
                       "Write families.csv in pools/text: %s loses its family?", b->mock->name[4]);
        assert_asked(b, question);
        bench_keys(b, "y");
        assert_string_equal(written(b), "");
        b->mock->model[4].family = NULL;
        bench_command(b, lines[k]);
        assert_int_equal(b->app->mode, ES_MODE_NORMAL);
        bench_assert_said(b, "no family is named here");
    }
}

TEST(family__same_as_before__asks_nothing) {
    bench *b = start();
    bench_command(b, "family mistral");
    assert_int_equal(b->app->mode, ES_MODE_NORMAL);
    bench_assert_said(b, "the family is mistral already");
}

TEST(family__key__opens_a_line_with_its_family) {
    bench *b = start();
    bench_keys(b, "gF");
    assert_int_equal(b->app->mode, ES_MODE_PROMPT);
    assert_string_equal(b->app->prompt.line.text, "family mistral");
}

TEST(family__completion__knows_families) {
    bench *b = start();
    char text[300];
    es_app *app = b->app;
    app->prompt.kind = ES_PROMPT_COMMAND;
    assert_true(es_prompt_candidate(app, "family B", 0, text, sizeof text));
    assert_string_equal(text, "family BERTs");
    assert_false(es_prompt_candidate(app, "family B", 1, text, sizeof text));
    assert_true(es_prompt_candidate(app, "family co", 0, text, sizeof text));
    assert_string_equal(text, "family counts");
    assert_true(es_prompt_candidate(app, "family co", 1, text, sizeof text));
    assert_string_equal(text, "family control");
    assert_string_equal(es_family_known(app, 6), "control");
    assert_null(es_family_known(app, 7));
    b->mock->model[0].family = (char *)(uintptr_t) "Control";
    assert_string_equal(es_family_known(app, 0), "Control");
    assert_string_equal(es_family_known(app, 6), "e5"); /* "vectors" is there once more */
    assert_null(es_family_known(app, 7));
}

TEST(family__of_a_matrix__names_the_option) {
    bench *b = start();
    b->mock->source.path = "";
    b->mock->source.rows = 0;
    b->mock->source.read_only = true;
    bench_command(b, "family bge");
    assert_true(es_app_of_file(b->app));
    bench_assert_said(b, "--families FILE.csv");
    assert_null(written(b));
}

TEST(pool__columns__show_family_and_kind) {
    bench *b = start();
    char text[64];
    es_columns_text(b->app, ES_TABLE_POOL, ES_POOL_FAMILY, 4, text, sizeof text);
    assert_string_equal(text, "mistral");
    b->mock->model[4].family = NULL;
    es_columns_text(b->app, ES_TABLE_POOL, ES_POOL_FAMILY, 4, text, sizeof text);
    assert_string_equal(text, "-");
    b->app->live[4].kind = 0; /* before a decision, and of controls */
    es_columns_text(b->app, ES_TABLE_POOL, ES_POOL_KIND, 4, text, sizeof text);
    assert_string_equal(text, "-");
    b->app->live[4].kind = 3;
    b->app->live[5].kind = 2;
    es_columns_text(b->app, ES_TABLE_POOL, ES_POOL_KIND, 4, text, sizeof text);
    assert_string_equal(text, "3");
    assert_true(es_columns_compare(b->app, ES_TABLE_POOL, ES_POOL_KIND, 5, 4) < 0);
    assert_true(es_columns_compare(b->app, ES_TABLE_POOL, ES_POOL_FAMILY, 2, 6) <
                0); /* BERTs, T5 */
}

TEST(count__controls__are_counted_apart) {
    bench *b = bench_start(false);
    mock_controls(b->mock, 3, 5);
    assert_int_equal(es_app_controls(b->app, false), 2);
    b->mock->model[3].state = ES_MODEL_EXCLUDED;
    assert_int_equal(es_app_controls(b->app, false), 1);
}
