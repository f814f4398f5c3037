/* The export dialog, and the command lines that it makes. */
#include "app/bench.h"
#include "app_dialogs.h"

static const char *const begin[ES_EXPORT_VIEWS][5] = {
    {"embedscope", "export", "pool", "ranking"},
    {"embedscope", "export", "pool", "matrix"},
    {"embedscope", "export", "pool", "tree"},
    {"embedscope", "export", "pool", "correlation"},
    {"embedscope", "export", "pool", "compare"},
    [ES_EXPORT_REPORT] = {"embedscope", "report", "pool"},
};

static bench *start(void) {
    const char *const *base[ES_EXPORT_VIEWS];
    bench *b = bench_start(false);
    for (int v = 0; v < ES_EXPORT_VIEWS; v++)
        base[v] = begin[v];
    es_app_exporter(b->app, base);
    return b;
}

static size_t count(const bench *b, es_effect_kind kind) {
    size_t found = 0;
    for (size_t i = 0; i < b->effects->count; i++)
        found += b->effects->items[i].kind == kind;
    return found;
}

/* The words handed to the loop, without those that every line begins with. */
static void assert_line(const bench *b, const char *view, const char *rest) {
    char *const *word = b->app->export.line.word;
    es_buf *text = test_buf();
    assert_non_null(word);
    assert_string_equal(word[3], view);
    for (size_t i = 4; word[i] != NULL; i++)
        es_buf_printf(text, "%s%s", i > 4 ? " " : "", word[i]);
    assert_string_equal(text->data, rest);
}

TEST(export__four_keys__write_a_picture_of_the_matrix) {
    bench *b = start();
    bench_keys(b, "2");
    bench_keys(b, "ep<Enter>");
    assert_int_equal(count(b, ES_FX_EXPORT), 1);
    assert_line(b, "matrix", "--order rank --limits 0.1181,0.5945 -o matrix.pdf");
    assert_int_equal(b->app->mode, ES_MODE_NORMAL);
    es_app_export_begun(b->app);
    es_app_export_done(b->app, b->app->now, ES_OK, "/home/a/paper/matrix.pdf", "");
    bench_assert_said(b, "Written, with .meta.json (E again): /home/a/paper/matrix.pdf");
    bench_keys(b, "o"); /* the next order */
    bench_keys(b, "1E");
    assert_int_equal(count(b, ES_FX_EXPORT), 2);
    assert_true(b->effects->items[b->effects->count - 1].flag); /* does not ask */
    assert_line(b, "matrix", "--order dim --limits 0.1181,0.5945 -o matrix.pdf");
}

/* A capital letter writes; one that is no format's, or whose format the view lacks, does not. */
TEST(export__capital_letter__writes_at_once) {
    bench *b = start();
    bench_keys(b, "2eS");
    assert_int_equal(count(b, ES_FX_EXPORT), 1);
    assert_line(b, "matrix", "--order rank --limits 0.1181,0.5945 -o matrix.svg");
    assert_int_equal(b->app->mode, ES_MODE_NORMAL);
    bench_keys(b, "5eZN");
    assert_int_equal(count(b, ES_FX_EXPORT), 1);
    assert_int_equal(b->app->mode, ES_MODE_EXPORT);
}

TEST(export__eight_keys__write_marked_rows) {
    bench *b = start();
    bench_keys(b, "4");
    bench_keys(b, "gg");
    bench_keys(b, "v7jvel<Enter>");
    char *const *word = b->app->export.line.word;
    assert_string_equal(word[4], "--show");
    size_t commas = 0;
    for (const char *c = word[5]; *c != '\0'; c++)
        commas += *c == ',';
    assert_int_equal(commas, 7);
    assert_string_equal(word[7], "ranking.tex");
    bench_keys(b, "ea<Enter>"); /* all of them, although some are marked */
    assert_line(b, "ranking", "-o ranking.tex");
}

TEST(export__hidden_and_filtered__are_left_out) {
    bench *b = start();
    bench_command(b, "hide LaBSE");
    bench_command(b, "export tree t.svg");
    assert_line(b, "tree", "--resolution 1 --hide LaBSE -o t.svg");
    bench_command(b, "filter e5");
    bench_command(b, "export matrix m.csv");
    assert_line(b, "matrix", "--order rank --show e5-large-v2,e5-small -o m.csv");
    bench_command(b, "filter nothing-is-called-this");
    bench_command(b, "export matrix m.csv");
    bench_assert_said(b, "all embedders are hidden");
}

/* Communities in a file are those of the screen: whoever has chosen a resolution gets it wherever
 * they are a column, an order or colours, and nowhere else. */
TEST(export__resolution__goes_with_communities) {
    bench *b = start();
    bench_keys(b, "3++++");
    bench_command(b, "export ranking r.csv");
    assert_line(b, "ranking", "--resolution 1.2 -o r.csv");
    bench_keys(b, "2");
    bench_command(b, "order community");
    bench_command(b, "export matrix m.csv");
    assert_line(b, "matrix", "--resolution 1.2 --order community -o m.csv");
    bench_command(b, "order name");
    bench_command(b, "export matrix m.csv");
    assert_line(b, "matrix", "--order name -o m.csv");
    bench_command(b, "export correlation c.svg");
    assert_contains(b->app->export.line.word[4], "--resolution");
}

/* A picture has the colours of the screen, as far as they were chosen, and ends them there too. */
TEST(export__picture__has_the_colours_of_the_screen) {
    bench *b = start();
    bench_command(b, "heatmap");
    bench_command(b, "colours magma");
    bench_command(b, "export m.svg");
    assert_line(b, "matrix", "--order rank --colours magma --limits 0.1181,0.5945 -o m.svg");
    bench_command(b, "export m.csv");
    assert_line(b, "matrix", "--order rank -o m.csv");
    bench_command(b, "metric asymmetry"); /* which has colours of its own, on both sides of 0 */
    bench_command(b, "export m.svg");
    char *const *word = b->app->export.line.word;
    double low, high;
    assert_string_equal(word[7], "asymmetry");
    assert_string_equal(word[8], "--limits");
    assert_int_equal(sscanf(word[9], "%lf,%lf", &low, &high), 2);
    assert_true(low < 0 && low == -high);
}

TEST(export__values__only_where_a_table_has_them) {
    bench *b = start();
    bench_command(b, "heatmap");
    bench_command(b, "metric se");
    bench_command(b, "export m.csv");
    assert_line(b, "matrix", "--order rank --value se -o m.csv");
    bench_command(b, "export m.json");
    assert_line(b, "matrix", "--order rank -o m.json");
    bench_command(b, "export m.svg");
    assert_line(b, "matrix", "--order rank --value se --limits 0.003987,0.01246 -o m.svg");
    bench_command(b, "metric nats");
    bench_command(b, "export m.svg");
    assert_line(b, "matrix", "--order rank --limits 0.1181,0.5945 -o m.svg");
    char remark[160];
    es_export_remark(b->app, &b->app->export.now, remark, sizeof remark);
    assert_contains(remark, "IS/d");
}

/* The command line compares by one estimator; so does the screen. */
TEST(export__refining__compares_by_one_estimator) {
    bench *b = start();
    char remark[160];
    mock_complete(b->mock);
    mock_refine(b->mock, 0.5);
    mock_forget(b->mock, 3, 4);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now + 1}, b->effects);
    bench_keys(b, "2e");
    es_export_remark(b->app, &b->app->export.now, remark, sizeof remark);
    assert_contains(remark, "not of the best known pairs");
    bench_keys(b, "<Esc>");
    bench_command(b, "compare LaBSE e5-small");
    bench_keys(b, "e");
    es_export_remark(b->app, &b->app->export.now, remark, sizeof remark);
    assert_string_equal(remark, "");
}

TEST(export__task_and_names__are_those_of_the_view) {
    bench *b = start();
    snprintf(b->mock->score_row[1], sizeof *b->mock->score_row, "labse");
    bench *c = bench_new(b->mock);
    const char *const *base[ES_EXPORT_VIEWS];
    for (int v = 0; v < ES_EXPORT_VIEWS; v++)
        base[v] = begin[v];
    es_app_exporter(c->app, base);
    mock_send(c->app, (es_msg){.kind = ES_MSG_SESSION, .now = 100}, c->effects);
    bench_command(c, "corr");
    bench_command(c, "accept");
    bench_command(c, "task Retrieval");
    bench_command(c, "export c.pdf");
    assert_line(c, "correlation", "--task Retrieval --match LaBSE=labse -o c.pdf");
    bench_command(c, "export c.csv");
    assert_line(c, "correlation", "--match LaBSE=labse -o c.csv");
}

TEST(export__compared__are_named) {
    bench *b = start();
    bench_command(b, "export compare c.md");
    bench_assert_said(b, "no embedders are compared yet");
    bench_command(b, "compare LaBSE e5-small");
    bench_command(b, "export c.md");
    assert_line(b, "compare", "--models LaBSE,e5-small -o c.md");
}

TEST(export__dialog__names_looks_and_views) {
    bench *b = start();
    bench_command(b, "rank");
    bench_keys(b, "esw");
    bench_keys(b, "f<Home>figures/");
    mock_send(b->app, (es_msg){.kind = ES_MSG_PASTE, .now = b->app->now, .text = "a\nb"},
              b->effects);
    bench_keys(b, "<Enter>");
    assert_string_equal(b->app->export.now.file, "figures/aranking.svg");
    bench_keys(b, "p"); /* another format keeps the name */
    assert_string_equal(b->app->export.now.file, "figures/aranking.pdf");
    bench_keys(b, "y");
    assert_int_equal(count(b, ES_FX_COPY), 1);
    assert_string_equal(b->effects->items[b->effects->count - 1].text,
                        "embedscope export pool ranking --width single -o figures/aranking.pdf");
    bench_keys(b, "v");
    assert_int_equal(b->app->export.now.view, ES_EXPORT_MATRIX);
    bench_keys(b, "vl");
    assert_int_equal(b->app->export.now.view, ES_EXPORT_TREE);
    bench_assert_said(b, "not a table");
    bench_keys(b, "<Esc>");
    assert_int_equal(b->app->mode, ES_MODE_NORMAL);
    assert_int_equal(count(b, ES_FX_EXPORT), 0);
    bench_keys(b, "ef<Enter>"); /* an ending of another format says so */
    bench_keys(b, "f<End>");
    for (int i = 0; i < 3; i++)
        mock_send(b->app, (es_msg){.kind = ES_MSG_KEY, .now = 200, .key = ES_KEY_BACKSPACE},
                  b->effects);
    bench_keys(b, "csv<Enter>");
    assert_int_equal(b->app->export.now.form, ES_EXPORT_CSV);
    bench_keys(b, "f2.csv<Enter>"); /* the ending stood there already */
    size_t length = strlen(b->app->export.now.file);
    assert_true(length > 5 && strcmp(b->app->export.now.file + length - 5, "2.csv") == 0);
    bench_keys(b, "f");
    mock_send(b->app, (es_msg){.kind = ES_MSG_KEY, .now = 200, .key = 'u' - ES_KEY_CTRL},
              b->effects);
    mock_send(b->app, (es_msg){.kind = ES_MSG_KEY, .now = 200, .key = 'k' - ES_KEY_CTRL},
              b->effects);
    bench_keys(b, "<Enter>");
    bench_assert_said(b, "a file needs a name");
}

/* t goes through light, dark and the screen's own theme, which is looked for where it was found. */
TEST(export__dialog__third_look_is_the_theme_of_the_screen) {
    bench *b = start();
    bench_command(b, "rank");
    (void)snprintf(b->app->theme, sizeof b->app->theme, "nord");
    static const char *const said[] = {"--theme dark -o", "--theme nord -o", "ranking -o",
                                       "--theme dark -o", "--theme nord --theme-dir my/themes -o"};
    bench_keys(b, "es");
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        b->app->theme_dir = i >= 3 ? "my/themes" : NULL;
        bench_keys(b, "ty");
        assert_contains(b->effects->items[b->effects->count - 1].text, said[i]);
    }
}

TEST(export__existing_file__is_asked_about) {
    bench *b = start();
    bench_command(b, "export rank r.csv");
    assert_false(b->effects->items[b->effects->count - 1].flag);
    es_app_export_exists(b->app);
    bench_keys(b, "n");
    assert_int_equal(count(b, ES_FX_EXPORT), 1);
    es_app_export_exists(b->app);
    bench_keys(b, "y");
    assert_int_equal(count(b, ES_FX_EXPORT), 2);
    assert_true(b->effects->items[b->effects->count - 1].flag);
    es_app_export_begun(b->app);
    bench_command(b, "export rank s.csv");
    bench_assert_said(b, "still being written");
    es_app_export_done(b->app, b->app->now, ES_EIO, NULL, "r.csv: no space left");
    bench_assert_said(b, "no space left");
}

TEST(export__nothing_to_write__is_said) {
    bench *b = start();
    bench_command(b, "export rank");
    assert_int_equal(b->app->mode, ES_MODE_EXPORT);
    bench_keys(b, "<Esc>");
    bench_command(b, "export rank.doc");
    bench_assert_said(b, "chooses the format");
    (void)es_fail(&b->mock->source.store_problem, ES_EIO, "results.db: deleted or moved");
    bench_command(b, "export r.csv");
    bench_assert_said(b, "it reads stored results, and these could not be stored");
    b->mock->source.store_problem = (es_error){0};
    b->mock->source.store_path = NULL;
    bench_command(b, "export r.csv");
    bench_assert_said(b, "in memory only");
    b->mock->have_results = false;
    bench_keys(b, "e");
    bench_assert_said(b, "nothing is estimated yet");
    assert_int_equal(count(b, ES_FX_EXPORT), 0);
}

static void assert_report(const bench *b, const char *file) {
    const char *const expected[] = {"embedscope", "report", "pool", "-o", file, NULL};
    char *const *word = b->app->export.line.word;
    assert_non_null(word);
    for (size_t i = 0; expected[i] != NULL; i++)
        assert_string_equal(word[i], expected[i]);
    assert_null(word[5]);
}

TEST(export__report_and_pairs__are_formats_of_their_views) {
    bench *b = start();
    bench_keys(b, "2eh<Enter>");
    assert_int_equal(count(b, ES_FX_EXPORT), 1);
    assert_report(b, "report.html");
    es_app_export_begun(b->app);
    es_app_export_done(b->app, b->app->now, ES_OK, NULL, "");
    bench_assert_said(b, "Written (E again): report.html");
    bench_keys(b, "ehp<Enter>"); /* and back */
    assert_line(b, "matrix", "--order rank --limits 0.1181,0.5945 -o matrix.pdf");
    bench_command(b, "export pairs.jsonl");
    assert_line(b, "matrix", "--order rank -o pairs.jsonl");
    bench_keys(b, "en<Enter>");
    assert_line(b, "matrix", "--order rank -o matrix.npz");
    bench_command(b, "export rank pairs.npz");
    bench_assert_said(b, "npz are formats of the matrix");
    bench_command(b, "export for-all.html");
    assert_report(b, "for-all.html");
    bench_command(b, "export report x.pdf");
    bench_assert_said(b, "a report is a page: html");
    bench_command(b, "export tree x.html");
    assert_report(b, "x.html");
}
