/* Data sets, sweeps and maps of rows as sheets, and what is estimated beside the session. */
#include "app/bench.h"
#include "app_sheets.h"
#include "app_dialogs.h"
#include "app_state.h"

static const char *const names[] = {"news", "sick", "stsb"};

static bench *open_sets(void) {
    bench *b = bench_of(6, 1);
    b->mock->source.store_path = "store";
    es_app_sets(b->app, names, 3, 0);
    return b;
}

static size_t count_effects(const bench *b, es_effect_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < b->effects->count; i++)
        count += b->effects->items[i].kind == kind;
    return count;
}

static const es_effect *last_effect(const bench *b, es_effect_kind kind) {
    for (size_t i = b->effects->count; i-- > 0;)
        if (b->effects->items[i].kind == kind)
            return &b->effects->items[i];
    return NULL;
}

/* The ranking over two of the data sets, then the list of all of them. */
static es_sheet *sheet_of_sets(void) {
    static const es_out_column ranking[] = {
        {.key = "model", .title = "model", .flags = ES_COLUMN_KEY},
        {.key = "news", .title = "news", .kind = ES_COLUMN_NUMBER, .decimals = 2},
        {.key = "stsb", .title = "stsb", .kind = ES_COLUMN_NUMBER, .decimals = 2}};
    static const es_out_column list[] = {
        {.key = "name", .title = "data set", .flags = ES_COLUMN_KEY},
        {.key = "rows", .title = "rows", .kind = ES_COLUMN_COUNT}};
    static const char *const within[] = {"share", "score", "rank", NULL};
    es_sheet *sheet = es_sheet_new("Data sets");
    es_table_out *t = ES_TABLE_OUT(ranking);
    es_table_out_text(t, "LaBSE");
    es_table_out_number(t, 1);
    es_table_out_number(t, 0.5);
    es_sheet_take_table(sheet, t);
    t = ES_TABLE_OUT(list);
    for (size_t k = 0; k < 3; k++) {
        es_table_out_text(t, names[k]);
        es_table_out_count(t, 100 + k);
    }
    es_sheet_take_table(sheet, t);
    es_sheet_offer(sheet, "--within", within, "share");
    assert_ok(es_sheet_check(sheet, NULL));
    return sheet;
}

static void assert_words(const bench *b, const char *expected) {
    es_words words = {0};
    es_buf *text = test_buf();
    assert_ok(es_sheets_words(b->app, &words, NULL));
    es_words_put(&words, text);
    assert_string_equal(text->data ? text->data : "", expected);
    es_words_deinit(&words);
}

TEST(sets__key__opens_their_sheet) {
    bench *b = open_sets();
    bench_keys(b, "4");
    bench_keys(b, "8");
    assert_int_equal(b->app->view, ES_VIEW_SHEETS);
    assert_string_equal(es_sheets_shown(b->app)->id, "sets");
    assert_string_equal(last_effect(b, ES_FX_SHEET)->text, "sets");
    es_app_sheet_known(b->app, sheet_of_sets());
    assert_int_equal(es_export_of_view(b->app), ES_EXPORT_SETS);
    assert_words(b, "");
    bench_keys(b, "C"); /* the next of what it offers, asked for at once */
    assert_int_equal(count_effects(b, ES_FX_SHEET), 2);
    assert_words(b, "--within=score");
    es_app_sheet_known(b->app, sheet_of_sets());
    bench_command(b, "choose rank");
    assert_words(b, "--within=rank");
    bench_command(b, "choose nothing");
    assert_contains(b->app->toast, "nothing");
}

/* The data set of a column or of a row; of the one that is open, only the view is another. */
TEST(sets__enter__opens_a_data_set) {
    bench *b = open_sets();
    bench_keys(b, "4");
    bench_keys(b, "8");
    es_app_sheet_known(b->app, sheet_of_sets());
    bench_keys(b, "<Enter>"); /* on a model: its row */
    assert_non_null(b->app->note.text);
    bench_keys(b, "<Esc>");
    bench_keys(b, "l");
    bench_keys(b, "<Enter>"); /* it is open */
    assert_int_equal(b->app->view, ES_VIEW_RANK);
    assert_int_equal(count_effects(b, ES_FX_OPEN_SET), 0);
    bench_keys(b, "8");
    bench_keys(b, "ll<Enter>");
    assert_int_equal(last_effect(b, ES_FX_OPEN_SET)->number, 2);
    bench_keys(b, "8");
    bench_keys(b, "tj<Enter>");
    assert_int_equal(last_effect(b, ES_FX_OPEN_SET)->number, 1);
    bench_command(b, "open-set stsb");
    assert_int_equal(last_effect(b, ES_FX_OPEN_SET)->number, 2);
    bench_command(b, "open-set nowhere");
    assert_int_equal(count_effects(b, ES_FX_OPEN_SET), 3);
}

/* What others store makes a sheet of data sets stale, and no other one. */
TEST(sets__changes_elsewhere__are_asked_for) {
    bench *b = open_sets();
    bench_keys(b, "8");
    es_app_sheet_known(b->app, sheet_of_sets());
    b->app->now += 10;
    bench_keys(b, "j");
    assert_int_equal(count_effects(b, ES_FX_SHEET), 1);
    es_sheets_elsewhere(b->app);
    bench_keys(b, "j");
    assert_int_equal(count_effects(b, ES_FX_SHEET), 2);
    es_app_sheet_known(b->app, sheet_of_sets());
    bench_command(b, "sheet ranking");
    es_app_sheet_known(b->app, sheet_of_sets());
    es_sheets_elsewhere(b->app);
    b->app->now += 10;
    bench_keys(b, "j");
    assert_int_equal(count_effects(b, ES_FX_SHEET), 3);
}

TEST(sets__of_one_pool__are_refused) {
    bench *b = bench_of(6, 1);
    bench_keys(b, "4");
    bench_keys(b, "8");
    assert_int_equal(b->app->view, ES_VIEW_RANK);
    assert_contains(b->app->toast, "one pool is open");
}

static void send_phase(bench *b, es_phase phase) {
    b->mock->source.phase = phase;
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now}, b->effects);
}

/* Once the open one is over, all in one estimation; what failed of it is reported. */
TEST(others__are_estimated__after_the_open_one) {
    bench *b = open_sets();
    send_phase(b, ES_PHASE_DONE);
    assert_int_equal(count_effects(b, ES_FX_BESIDE), 0); /* nobody has asked */
    es_app_sets_start(b->app);
    send_phase(b, ES_PHASE_RUNNING);
    assert_int_equal(count_effects(b, ES_FX_BESIDE), 0);
    assert_false(es_beside_busy(b->app));
    send_phase(b, ES_PHASE_DONE);
    bench_keys(b, "j");
    assert_int_equal(count_effects(b, ES_FX_BESIDE), 1);
    assert_true(last_effect(b, ES_FX_BESIDE)->flag);
    assert_true(es_beside_busy(b->app) && !es_app_settled(b->app));
    es_app_beside_says(b->app, "sick (2 of 3): 7/36 pairs");
    assert_string_equal(b->app->beside.says, "sick (2 of 3): 7/36 pairs");
    es_app_beside_over(b->app, ES_OK, "sick: its disk is full");
    assert_contains(b->app->toast, "disk is full");
    bench_keys(b, "j");
    assert_int_equal(count_effects(b, ES_FX_BESIDE), 1);
    assert_false(es_beside_busy(b->app));
}

/* X stops it for good, q asks first; without a store there would be nothing to show for it. */
TEST(others__being_estimated__can_be_stopped) {
    bench *b = open_sets();
    es_app_sets_start(b->app);
    send_phase(b, ES_PHASE_DONE);
    bench_keys(b, "q");
    assert_int_equal(b->app->ask, ES_ASK_QUIT);
    bench_keys(b, "n");
    assert_int_equal(count_effects(b, ES_FX_QUIT), 0);
    bench_keys(b, "X");
    assert_int_equal(count_effects(b, ES_FX_BESIDE_STOP), 1);
    es_app_beside_over(b->app, ES_ECANCELED, "interrupted");
    bench_keys(b, "j");
    assert_lacks(b->app->toast, "interrupted");
    assert_int_equal(count_effects(b, ES_FX_BESIDE), 1);
    es_app_sets(b->app, names, 3, 0);
    b->mock->source.store_path = NULL;
    es_app_sets_start(b->app);
    send_phase(b, ES_PHASE_DONE);
    assert_int_equal(count_effects(b, ES_FX_BESIDE), 1);
}

TEST(folders__are_asked_about__once) {
    bench *b = bench_of(6, 1);
    es_app_ask_folders(b->app);
    assert_int_equal(b->app->mode, ES_MODE_NORMAL);
    b->mock->source.folders_question = "one, two: 2 folders";
    es_app_ask_folders(b->app);
    assert_int_equal(b->app->mode, ES_MODE_ASK);
    b->app->may_start = true;
    bench_keys(b, "<Esc>"); /* left open: nothing begins by itself */
    assert_false(b->app->set.same_rows);
    assert_false(b->app->may_start);
    assert_contains(b->app->toast, "r estimates");
    es_app_ask_folders(b->app);
    bench_keys(b, "n");
    assert_int_equal(count_effects(b, ES_FX_FOLDERS), 1);
    es_app_ask_folders(b->app);
    bench_keys(b, "y");
    assert_true(b->app->set.same_rows);
    es_app_ask_folders(b->app);
    assert_int_equal(b->app->mode, ES_MODE_NORMAL);
}

/* ---- sweeps ---- */

TEST(sweep__settings__are_estimated_and_shown) {
    bench *b = bench_of(6, 1);
    b->mock->source.store_path = "store";
    bench_command(b, "sweep retmmd power=2,3");
    bench_command(b, "sweep power=2");
    bench_command(b, "sweep knife modes");
    assert_true(count_effects(b, ES_FX_BESIDE) == 0 && b->app->set.sweep[0] == '\0');
    assert_non_null(es_export_view_refusal(b->app, ES_EXPORT_SWEEP));
    bench_keys(b, "gw"); /* of nothing: it asks for settings */
    assert_int_equal(b->app->mode, ES_MODE_PROMPT);
    bench_keys(b, "modes=1,4<Enter>"); /* the estimator that has it */
    assert_string_equal(b->app->set.sweep, "knife modes=1,4");
    assert_string_equal(es_sheets_shown(b->app)->id, "sweep");
    assert_words(b, "--estimator knife --sweep modes=1,4");
    assert_int_equal(es_export_of_view(b->app), ES_EXPORT_SWEEP);
    assert_false(last_effect(b, ES_FX_BESIDE)->flag);
    bench_command(b, "sweep modes=2"); /* not beside it */
    assert_string_equal(b->app->set.sweep, "knife modes=1,4");
    bench_keys(b, "X");
    assert_int_equal(count_effects(b, ES_FX_BESIDE_STOP), 1);
    assert_false(es_beside_busy(b->app));
    es_app_beside_over(b->app, ES_ECANCELED, "interrupted");
    bench_keys(b, "R"); /* goes on */
    assert_int_equal(count_effects(b, ES_FX_BESIDE), 2);
    es_app_beside_over(b->app, ES_OK, "");
    assert_contains(b->app->toast, "finished");
    bench_keys(b, "R");
    es_app_beside_over(b->app, ES_EINVAL, "--sweep: no such value");
    assert_contains(b->app->toast, "no such value");
    bench_command(b, "sheet sweep linear lambda=1,2"); /* shown as far as it is stored */
    assert_words(b, "--estimator linear --sweep lambda=1,2");
    assert_int_equal(count_effects(b, ES_FX_BESIDE), 3);
}

TEST(sweep__without_rows_or_a_store__is_refused) {
    bench *b = bench_of(6, 1);
    b->mock->source.store_path = NULL;
    bench_command(b, "sweep knife modes=1,4");
    assert_int_equal(count_effects(b, ES_FX_BESIDE), 0);
    bench_keys(b, "4R");
    assert_int_equal(count_effects(b, ES_FX_BESIDE), 0);
}

/* ---- maps ---- */

/* In Compare the pair, elsewhere the embedder under the cursor, or those that are named. */
TEST(map__is__of_what_is_here) {
    size_t item[2];
    bench *b = bench_of(12, 1);
    b->mock->source.rows = 60;
    bench_command(b, "compare LaBSE e5-small");
    bench_keys(b, "gp");
    assert_string_equal(es_sheets_shown(b->app)->id, "map");
    assert_words(b, "LaBSE e5-small");
    assert_int_equal(es_sheets_embedders(b->app, item), 2);
    assert_int_equal(es_export_of_view(b->app), ES_EXPORT_MAP);
    bench_keys(b, "<Esc><Esc>");
    assert_int_equal(b->app->view, ES_VIEW_COMPARE);
    bench_keys(b, "4");
    bench_keys(b, "jj");
    size_t cursor = b->app->cursor;
    bench_keys(b, "gp");
    assert_int_equal(es_sheets_embedders(b->app, item), 1);
    assert_int_equal(item[0], cursor);
    bench_command(b, "sheet map e5-small bge-base");
    assert_words(b, "e5-small bge-base-en-v1.5");
    bench_command(b, "map-of nobody");
    assert_words(b, "e5-small bge-base-en-v1.5");
    b->mock->source.rows = 0;
    bench_command(b, "map-of LaBSE");
    assert_words(b, "e5-small bge-base-en-v1.5");
}
