/* Sheets on a screen: the list of analyses, and one sheet made by hand. */
#include "screens.h"
#include "app_sheets.h"

static const es_out_column columns[] = {
    {.key = "series", .title = "series", .flags = ES_COLUMN_KEY},
    {.key = "step", .title = "step", .kind = ES_COLUMN_NUMBER},
    {.key = "model", .title = "model"},
    {.key = "score", .title = "score", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "low",
     .title = "95 % low",
     .brief = "low",
     .kind = ES_COLUMN_NUMBER,
     .decimals = 3,
     .flags = ES_COLUMN_LOW},
    {.key = "high", .title = "95 % high", .brief = "high", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "about", .flags = ES_COLUMN_DATA_ONLY},
};
static const es_out_column few[] = {{.key = "other", .title = "other", .flags = ES_COLUMN_KEY},
                                    {.key = "count", .title = "count", .kind = ES_COLUMN_COUNT}};

/* Two runs of four steps; the third step of the second has no value. */
static es_sheet *make_sheet(es_drawing drawing) {
    es_sheet *sheet = es_sheet_new("Training runs");
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t i = 0; i < 8; i++) {
        double value = i == 6 ? (double)NAN : 0.1 * (double)(i % 4) - 0.02 * (double)i;
        es_table_out_text(t, i < 4 ? "e5" : "gte");
        es_table_out_number(t, 100 * (double)(i % 4 + 1));
        es_table_out_text(t, "bge-base-en-v1.5");
        es_table_out_number(t, value);
        es_table_out_number(t, value - 0.05);
        es_table_out_number(t, value + 0.05);
        es_table_out_text(t, "for data alone");
    }
    es_sheet_take_table(sheet, t);
    t = ES_TABLE_OUT(few);
    es_table_out_text(t, "one");
    es_table_out_count(t, 3);
    es_sheet_take_table(sheet, t);
    es_sheet_say(sheet, ES_SAYS_ANSWER, "e5: 4 steps, 100 to 400; the score went up.");
    es_sheet_say_lines(sheet, ES_SAYS_NOTE, "\nscore: the lead\n\nbands: 95 %\n");
    es_sheet_say(sheet, ES_SAYS_WARNING, "%d embedder is left out", 1);
    sheet->plot = (es_sheet_plot){
        .kind = drawing, .x = 1, .value = {3, 4}, .values = 2, .line = drawing ? 0 : (double)NAN};
    assert_ok(es_sheet_check(sheet, NULL));
    return sheet;
}

/* Rows of two groups and of none on two planes. */
static es_sheet *make_map(void) {
    static const es_out_column heads[] = {
        {.key = "row", .title = "row", .kind = ES_COLUMN_COUNT},
        {.key = "group", .title = "group"},
        {.key = "x_a", .title = "x", .kind = ES_COLUMN_NUMBER, .flags = ES_COLUMN_DATA_ONLY},
        {.key = "y_a", .title = "LaBSE", .kind = ES_COLUMN_NUMBER, .flags = ES_COLUMN_DATA_ONLY},
        {.key = "x_b", .title = "x", .kind = ES_COLUMN_NUMBER, .flags = ES_COLUMN_DATA_ONLY},
        {.key = "y_b", .title = "e5-small", .kind = ES_COLUMN_NUMBER, .flags = ES_COLUMN_DATA_ONLY},
        {.key = "text", .title = "text"}};
    static const char *const columns_of[] = {"topic", "set", "none", NULL};
    es_sheet *sheet = es_sheet_new("Map of rows");
    es_table_out *t = ES_TABLE_OUT(heads);
    for (size_t k = 0; k < 60; k++) {
        es_table_out_count(t, 3 * k);
        es_table_out_text(t, k < 8 ? "news" : k > 50 ? "law" : NULL);
        for (size_t c = 0; c < 4; c++)
            es_table_out_number(t, c == 1 && k == 20 ? (double)NAN
                                                     : mock_noise(k + 60 * (c / 2), 7 + c % 2));
        es_table_out_text(t, mock_texts[k % 5]);
    }
    es_sheet_take_table(sheet, t);
    es_sheet_say(sheet, ES_SAYS_NOTE, "60 of 200 rows.");
    es_sheet_offer(sheet, "--colour-by", columns_of, "topic");
    sheet->plot = (es_sheet_plot){
        .kind = ES_DRAWN_SCATTER, .label = 1, .value = {3, 5}, .values = 2, .line = (double)NAN};
    assert_ok(es_sheet_check(sheet, NULL));
    return sheet;
}

static es_app *open_sheet(es_mock *mock, es_drawing drawing, es_effects *effects) {
    es_app *app = open_app(mock);
    mock_keys(app, ":sheet ranking<Enter>", effects);
    assert_int_equal(effects->items[effects->count - 1].kind, ES_FX_SHEET);
    assert_string_equal(effects->items[effects->count - 1].text, "ranking");
    es_app_sheet_known(app, make_sheet(drawing));
    return app;
}

TEST(sheets__draw__as_golden) {
    static const struct {
        const char *golden, *keys;
        es_drawing drawing;
    } cases[] = {
        {"sheets/table", "jl", ES_DRAWN_NOT},         {"sheets/lines", "jjjjj", ES_DRAWN_LINES},
        {"sheets/forest", "lllsjm", ES_DRAWN_FOREST}, {"sheets/second", "t", ES_DRAWN_NOT},
        {"sheets/row", "j<Enter>", ES_DRAWN_NOT},     {"sheets/list", "<Esc>jj", ES_DRAWN_NOT}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        es_mock *mock = make_scene(SCENE_DONE);
        es_effects *effects = effects_kept();
        es_buf out = {0};
        es_app *app = open_sheet(mock, cases[k].drawing, effects);
        mock_keys(app, cases[k].keys, effects);
        add_screen(&out, app, 120, 40, false, false);
        add_screen(&out, app, 80, 24, true, false);
        check_golden(cases[k].golden, &out);
    }
}

/* Columns of the rows: Enter asks for the values of one, then for the map of rows with a value; Esc
 * goes back. */
static es_sheet *make_columns(void) {
    static const es_out_column heads[] = {{.key = "column", .title = "column"},
                                          {.key = "file", .title = "file"},
                                          {.key = "values", .title = "most frequent values"}};
    es_sheet *sheet = es_sheet_new("Columns");
    es_table_out *t = ES_TABLE_OUT(heads);
    es_table_out_text(t, "smiles");
    es_table_out_text(t, "rows.csv");
    es_table_out_text(t, "CC, CO and 1498 more");
    es_table_out_text(t, "kind");
    es_table_out_text(t, "labels.csv");
    es_table_out_text(t, "a 1000, b 500");
    es_sheet_take_table(sheet, t);
    assert_ok(es_sheet_check(sheet, NULL));
    return sheet;
}

TEST(sheets__columns__lead_to_their_values) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_words words = {0};
    es_app *app = open_app(mock);
    mock_keys(app, ":sheet columns<Enter>", effects);
    es_app_sheet_known(app, make_columns());
    mock_keys(app, "j<Enter>", effects);
    assert_string_equal(effects->items[effects->count - 1].text, "columns");
    assert_ok(es_sheets_words(app, &words, NULL));
    assert_string_equal(words.word[words.count - 2], "columns");
    assert_string_equal(words.word[words.count - 1], "labels.csv:kind");
    es_words_deinit(&words);
    es_app_sheet_known(app, make_columns());
    mock_keys(app, "<Enter>", effects);
    assert_string_equal(effects->items[effects->count - 1].text, "map");
    assert_ok(es_sheets_words(app, &words, NULL));
    assert_string_equal(words.word[words.count - 2], "--where");
    assert_string_equal(words.word[words.count - 1], "labels.csv:kind=smiles");
    es_words_deinit(&words);
    mock_keys(app, ":rank<Enter>gp", effects); /* the limit stays */
    assert_string_equal(es_sheets_where(app), "labels.csv:kind=smiles");
    mock_keys(app, "<Esc>", effects);
    assert_null(app->sheets->where);
    assert_ok(es_sheets_words(app, &words, NULL));
    assert_string_equal(words.word[words.count - 1], "labels.csv:kind");
    es_words_deinit(&words);
    mock_keys(app, "<Esc>", effects);
    assert_ok(es_sheets_words(app, &words, NULL));
    assert_string_equal(words.word[words.count - 1], "columns");
    es_words_deinit(&words);
    es_app_sheet_known(app, make_columns());
    mock_keys(app, "<Esc>", effects);
    assert_null(app->sheets->shown);
}

/* Both planes side by side where there is room; without colours a letter a group. */
TEST(sheets__map__as_golden) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_buf out = {0};
    es_app *app = open_app(mock);
    mock_keys(app, ":compare LaBSE e5-small<Enter>gp", effects);
    es_app_sheet_known(app, make_map());
    mock_keys(app, "jjjm", effects);
    app->toast_until = 0;
    add_screen(&out, app, 120, 40, false, false);
    app->mono = true;
    add_screen(&out, app, 120, 30, false, false);
    add_screen(&out, app, 80, 24, true, false);
    check_golden("sheets/map", &out);
}

/* Compressions of two embedders over the bytes that they take. */
static es_sheet *make_frontier(bool partial) {
    static const es_out_column heads[] = {
        {.key = "model", .title = "model", .flags = ES_COLUMN_KEY},
        {.key = "transform", .title = "transform", .flags = ES_COLUMN_KEY},
        {.key = "bytes", .title = "bytes", .kind = ES_COLUMN_COUNT},
        {.key = "kept", .title = "kept", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    };
    static const char *const how[] = {"full", "int8", "first 32, int8", "pca 32, int4", "binary"};
    static const size_t bytes[] = {512, 128, 32, 16, 16};
    es_sheet *sheet = es_sheet_new("Frontier");
    es_table_out *t = ES_TABLE_OUT(heads);
    for (size_t i = 0; i < 10; i++) {
        es_table_out_text(t, i < 5 ? "LaBSE" : "e5-small");
        es_table_out_text(t, how[i % 5]);
        es_table_out_count(t, bytes[i % 5] << i / 5);
        es_table_out_number(t, i == 7 ? (double)NAN : 1 - 0.07 * (double)(i % 5));
    }
    es_sheet_take_table(sheet, t);
    es_sheet_say(sheet, ES_SAYS_ANSWER, "LaBSE in int8 (128 bytes) keeps 93 %%.");
    sheet->plot = (es_sheet_plot){
        .kind = ES_DRAWN_POINTS, .x = 2, .value = {3}, .values = 1, .line = (double)NAN};
    sheet->partial = partial;
    assert_ok(es_sheet_check(sheet, NULL));
    return sheet;
}

static es_app *open_frontier(es_mock *mock, bool partial, es_effects *effects) {
    es_app *app = open_app(mock);
    mock_keys(app, ":sheet frontier<Enter>", effects);
    es_app_sheet_known(app, make_frontier(partial));
    return app;
}

TEST(sheets__points__as_golden) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_buf out = {0};
    es_app *app = open_frontier(mock, false, effects);
    mock_keys(app, "jj", effects);
    app->toast_until = 0;
    add_screen(&out, app, 120, 40, false, false);
    add_screen(&out, app, 80, 24, true, false);
    check_golden("sheets/points", &out);
}

/* A sheet of a part is asked for until it is whole, with a pause between. */
TEST(sheets__partial__are_asked_for_again) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_app *app = open_frontier(mock, true, effects);
    assert_false(app->sheets->asking);
    assert_true(isfinite(es_sheets_deadline(app)));
    mock_send(app, (es_msg){.kind = ES_MSG_CLOCK, .now = app->now + 0.5}, effects);
    assert_false(app->sheets->asking);
    mock_send(app, (es_msg){.kind = ES_MSG_CLOCK, .now = app->now + 5}, effects);
    assert_true(app->sheets->asking);
    es_app_sheet_known(app, make_frontier(false));
    assert_true(isinf(es_sheets_deadline(app)));
}

/* Enter on a compression puts the command that makes an embedder of it into the prompt. */
TEST(sheets__compression__becomes_a_derived_embedder) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_app *app = open_frontier(mock, false, effects);
    mock_keys(app, "<Enter>", effects); /* all of it: nothing to derive */
    assert_int_equal(app->view, ES_VIEW_SHEETS);
    mock_keys(app, "<Esc>jjjjjjj<Enter>", effects);
    assert_int_equal(app->view, ES_VIEW_POOL);
    assert_string_equal(es_app_model(app, app->cursor)->name, "e5-small");
    mock_keys(app, "<Enter>", effects);
    const es_effect *last = &effects->items[effects->count - 1];
    assert_int_equal(last->kind, ES_FX_DERIVE);
    assert_string_equal(last->text, "first 32, int8");
}

static const char *cell(const es_app *app, size_t line, size_t column) {
    return app->sheets->text[app->sheets->order[line] * app->sheets->columns + column];
}

TEST(sheets__sort__goes_round_and_keeps_missing_last) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_app *app = open_sheet(mock, ES_DRAWN_NOT, effects);
    mock_keys(app, "llls", effects);
    assert_int_equal(app->sheets->sort, 3);
    assert_string_equal(cell(app, 0, 3), "0.240");
    assert_null(cell(app, 7, 3));
    mock_keys(app, "s", effects);
    assert_string_equal(cell(app, 0, 3), "-0.080");
    assert_null(cell(app, 7, 3));
    mock_keys(app, "s", effects);
    assert_int_equal(app->sheets->sort, ES_NONE);
    assert_string_equal(cell(app, 0, 3), "0.000");
}

/* Asked for again when results or measures are others, and not before. */
TEST(sheets__stale__are_asked_for_again) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_app *app = open_sheet(mock, ES_DRAWN_NOT, effects);
    for (int k = 0; k < 3; k++) {
        es_effects_clear(effects);
        mock_send(app, (es_msg){.kind = ES_MSG_CLOCK, .now = app->now + 10}, effects);
        for (size_t i = 0; i < effects->count; i++)
            assert_int_not_equal(effects->items[i].kind, ES_FX_SHEET);
        mock->results.revision += k == 0;
        mock->source.measures_revision += k == 1;
        mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = app->now + 10}, effects);
        assert_int_equal(app->sheets->asking, k < 2);
        if (app->sheets->asking)
            es_app_sheet_known(app, make_sheet(ES_DRAWN_NOT));
    }
}

/* A newer sheet leaves cursor, order and table where they are; what was not asked for is dropped.
 */
TEST(sheets__newer__stays_where_one_was) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_app *app = open_sheet(mock, ES_DRAWN_NOT, effects);
    mock_keys(app, "llsjjj", effects);
    size_t line = app->sheets->line;
    es_app_sheet_known(app, make_sheet(ES_DRAWN_NOT)); /* nobody asked */
    app->sheets->asking = true;
    es_app_sheet_known(app, make_sheet(ES_DRAWN_NOT));
    assert_int_equal(app->sheets->sort, 2);
    assert_true(app->sheets->line <= line);
    mock_keys(app, "t", effects);
    assert_int_equal(es_sheets_lines(app), 1);
    app->sheets->asking = true;
    es_app_sheet_known(app, make_sheet(ES_DRAWN_NOT));
    assert_int_equal(es_sheets_lines(app), 1);
    app->sheets->asking = true;
    es_app_sheet_failed(app, "the store is locked");
    assert_string_equal(app->sheets->problem, "the store is locked");
}

/* What an analysis lacks is said instead of asking for it; Esc goes back to where one came from. */
TEST(sheets__keys__do_what_they_say) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_effects *effects = effects_kept();
    es_app *app = open_app(mock);
    mock_keys(app, "4:sheet series<Enter>", effects);
    assert_int_equal(app->view, ES_VIEW_RANK);
    assert_contains(app->toast, "RUN@STEP");
    mock_keys(app, ":sheet nosuch<Enter>", effects);
    assert_contains(app->toast, "rivals, duels");
    mock_keys(app, "ga", effects);
    assert_int_equal(app->view, ES_VIEW_SHEETS);
    assert_string_equal(app->sheets->shown->id, "agreement");
    mock_keys(app, "<Esc>", effects);
    assert_null(app->sheets->shown);
    mock_keys(app, "<Esc>", effects);
    assert_int_equal(app->view, ES_VIEW_RANK);
}

TEST(sheets__any_size__draws) {
    check_any_size(ES_VIEW_SHEETS);
}
