/* Measures in the explorer: columns, the heatmap's metric, Corr's score, and the commands. */
#include "app/bench.h"
#include "app_corr.h"
#include "app_lists.h"
#include "app_commands.h"
#include "app_compare.h"
#include "app_values.h"
#include "app_update.h"
#include "app_sheets.h"

static void post(bench *b, es_msg msg) {
    mock_send(b->app, msg, b->effects);
    mock_decide(b->mock, b->app, b->effects);
}

static void command(bench *b, const char *line) {
    post(b, (es_msg){.kind = ES_MSG_COMMAND, .now = b->app->now, .text = line});
}

static void press(bench *b, uint32_t key) {
    post(b, (es_msg){.kind = ES_MSG_KEY, .now = b->app->now, .key = key});
}

static bench *start_of(size_t n, bool measures) {
    es_mock *mock = mock_kept(n, NULL, 0);
    mock->source.phase = ES_PHASE_DONE;
    mock->measures = measures;
    mock_fill(mock, 1);
    bench *b = bench_new(mock);
    post(b, (es_msg){.kind = ES_MSG_RESIZE, .now = 98, .w = 120, .h = 40});
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = 98});
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = 99}); /* asks for a decision */
    mock_compute(mock, b->app, b->app->intervals.tag);
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = 100});
    return b;
}

static bench *start(bool measures) {
    return start_of(6, measures);
}

static const es_effect *last_effect(const bench *b, es_effect_kind kind) {
    for (size_t i = b->effects->count; i-- > 0;)
        if (b->effects->items[i].kind == kind)
            return &b->effects->items[i];
    return NULL;
}

TEST(measures__computed__are_columns_behind_the_scores) {
    bench *plain = start(false), *b = start(true);
    size_t before = es_columns_count(plain->app, ES_TABLE_RANK);
    assert_int_equal(es_columns_count(b->app, ES_TABLE_RANK), before + 2);
    assert_string_equal(es_columns_at(b->app, ES_TABLE_RANK, before).title, "evalrank");
    char text[64];
    es_columns_text(b->app, ES_TABLE_RANK, before, 3, text, sizeof text);
    assert_string_equal(text, "0.300");
    assert_int_equal(es_score_count(b->app), 4); /* two tasks, two measures */
    assert_true(es_score_value(b->app, 5, 2) == 0.5 && !es_score_lower(b->app, 2));
    assert_true(es_score_value(b->app, 5, 3) == 5 && es_score_lower(b->app, 3)); /* as it is */
    es_columns_text(b->app, ES_TABLE_RANK, before + 1, 3, text, sizeof text);
    assert_string_equal(text, "3.000");
    assert_false(es_columns_at(b->app, ES_TABLE_RANK, before + 1).numeric); /* the least first */
}

TEST(metric__pairwise__is_one_more) {
    bench *plain = start(false), *b = start(true);
    command(plain, "heatmap");
    command(plain, "metric cka");
    assert_int_equal(plain->app->set.metric, ES_METRIC_IS);
    command(b, "heatmap");
    command(b, "metric cka");
    assert_int_equal(b->app->set.metric, ES_METRIC_MEASURE);
    assert_string_equal(es_metric_title(b->app, ES_METRIC_MEASURE), "cka");
    assert_true(es_metric_value(b->app, ES_METRIC_MEASURE, 1, 3) == 1 / 3.0);
    assert_true(isnan(es_metric_value(b->app, ES_METRIC_MEASURE, 2, 2)));
    press(b, 'm'); /* and round again */
    assert_int_equal(b->app->set.metric, ES_METRIC_IS);
}

TEST(axis__measure__takes_the_place_of_the_score) {
    bench *b = start(true);
    command(b, "corr");
    assert_string_equal(es_corr_axis(b->app), "lead");
    command(b, "axis evalrank");
    assert_string_equal(es_corr_axis(b->app), "evalrank");
    for (size_t i = 0; i < 6; i++)
        assert_true(fabs(b->app->corr->place[i] - 0.1 * (double)i) < 1e-12);
    press(b, 'm');
    assert_string_equal(es_corr_axis(b->app), "uniformity");
    for (size_t i = 0; i < 6; i++) /* turned to correlate, shown as it is */
        assert_true(b->app->corr->place[i] == -(double)i &&
                    es_corr_shown_x(b->app, b->app->corr->place[i]) == (double)i);
    assert_true(es_corr_axis_turned(b->app));
    press(b, 'm'); /* of pairs: the median over the others */
    assert_string_equal(es_corr_axis(b->app), "cka");
    for (size_t i = 0; i < 6; i++) {
        double others[6], scratch[5];
        size_t n = 0;
        for (size_t j = 0; j < 6; j++)
            others[j] = 1 / (1 + fabs((double)i - (double)j));
        for (size_t j = 0; j < 6; j++)
            if (j != i)
                scratch[n++] = others[j];
        assert_float_equal(b->app->corr->place[i], es_stat_median(scratch, n), 1e-12);
    }
    press(b, 'm');
    assert_string_equal(es_corr_axis(b->app), "lead");
    command(b, "axis nothing");
    assert_string_equal(es_corr_axis(b->app), "lead");
}

/* As on the command line: those of embedders, each left out without a word if the pool lacks its
 * data. */
TEST(measure__all__asks_for_those_of_embedders) {
    bench *b = start(true);
    size_t before = b->effects->count;
    command(b, "measure all");
    size_t asked = b->effects->count - before, known = 0;
    for (size_t k = 0; es_measure_at(k); k++)
        known += es_measure_at(k)->pair == NULL;
    assert_int_equal(asked, known);
    assert_true(known > 3);
    for (size_t i = 0; i < asked; i++) {
        assert_int_equal(b->effects->items[before + i].kind, ES_FX_MEASURE);
        assert_true(b->effects->items[before + i].flag);
        assert_string_not_equal(b->effects->items[before + i].text, "cka");
    }
}

/* Settings of a measure: once for every combination of their values. */
TEST(measure__settings__are_asked_for_one_by_one) {
    bench *b = start(true);
    size_t before = b->effects->count;
    command(b, "measure retmmd power=2,3 rbf=all");
    assert_int_equal(b->effects->count, before + 2);
    assert_string_equal(b->effects->items[before].text, "retmmd[power=2 rbf=all]");
    assert_string_equal(b->effects->items[before + 1].text, "retmmd[power=3 rbf=all]");
    command(b, "measure retmmd.c[power=2]"); /* a name as it is */
    assert_string_equal(last_effect(b, ES_FX_MEASURE)->text, "retmmd.c[power=2]");
    before = b->effects->count;
    command(b, "measure retmmd power");
    command(b, "measure retmmd a=1,2,3,4,5 b=1,2,3,4,5");
    assert_int_equal(b->effects->count, before);
}

/* As the command line has them: one after the other. */
TEST(measure__list__is_taken_apart) {
    bench *b = start_of(9, false);
    size_t count = b->effects->count;
    command(b, "measure evalrank,cka");
    assert_int_equal(b->effects->count, count + 2);
    assert_string_equal(b->effects->items[count].text, "evalrank");
    assert_string_equal(b->effects->items[count + 1].text, "cka");
}

TEST(commands__measure_and_derive__ask_the_session) {
    bench *b = start(false);
    command(b, "measure retmmd");
    assert_string_equal(last_effect(b, ES_FX_MEASURE)->text, "retmmd");
    press(b, 'g');
    press(b, 'm');
    assert_int_equal(b->app->mode, ES_MODE_PICK);
    press(b, '\r');
    assert_string_equal(last_effect(b, ES_FX_MEASURE)->text, "evalrank");
    command(b, "pool");
    command(b, "derive abtt 3");
    assert_string_equal(last_effect(b, ES_FX_DERIVE)->text, "abtt 3");
    press(b, 'd');
    press(b, 'j');
    press(b, '\r');
    const es_effect *effect = last_effect(b, ES_FX_DERIVE);
    assert_string_equal(effect->text, "whiten 64");
    assert_int_equal(effect->number, b->app->cursor);
}

/* Item 2 as if it had been derived; what else its results need is the caller's static memory. */
static void derive_one(bench *b) {
    enum { M = 6 };
    static char label[80], *labels[M];
    static size_t dropped[M];
    static double h[M], without[M * M];
    static uint32_t deciding[M * M];
    es_results *r = &b->mock->results;
    snprintf(label, sizeof label, ES_DERIVED_MARK "%s", r->name[2]);
    labels[2] = label;
    r->label = labels;
    r->dropped = dropped;
    r->h = h;
    r->without = without;
    r->deciding = deciding;
    r->revision++;
    b->mock->model[2].derived = true;
    b->mock->model[2].label = label;
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now + 10});
}

/* How many targets Compare lists of two embedders, and whether item 2 is one. */
static size_t targets_of(bench *b, bool *third) {
    es_compare_refresh(b->app);
    *third = false;
    for (size_t line = 0; line < b->app->compare.lines; line++)
        *third = *third || es_compare_item(b->app, line) == 2;
    assert_int_equal(b->app->compare.lines, b->app->compare.others);
    return b->app->compare.lines;
}

/* It is no target of Compare either, until it votes. */
TEST(derived__compare__is_no_target_until_asked) {
    const size_t two[] = {0, 1};
    bool third = false;
    bench *b = start(false);
    derive_one(b);
    es_compare_choose(b->app, two, 2);
    assert_int_equal(targets_of(b, &third), 3);
    assert_false(third);
    command(b, "set derived on");
    assert_int_equal(targets_of(b, &third), 4);
    assert_true(third);
    b->mock->results.label = NULL;
}

/* A derived embedder has no place and changes no score, is marked, and is let in by d, by :set and
 * by u. */
TEST(derived__rank__leaves_it_out_until_asked) {
    bench *with = start(false), *without = start(false);
    double before[6];
    with->app->set.published = true;
    post(with, (es_msg){.kind = ES_MSG_SESSION, .now = 101});
    for (size_t i = 0; i < 6; i++)
        before[i] = with->app->live[i].score;
    derive_one(with);
    assert_int_equal(with->app->live[2].place, 0);
    assert_true(isnan(with->app->live[2].score));
    assert_true(isfinite(with->app->live[2].published) || with->app->source->plan == 1);
    for (size_t i = 0; i < 6; i++) { /* the median over the four others that are left to it */
        const double *row = with->mock->results.is + i * 6;
        double sum = 0, least = (double)INFINITY, most = -(double)INFINITY;
        for (size_t j = 0; j < 6; j++)
            if (j != i && j != 2) {
                sum += row[j];
                least = fmin(least, row[j]);
                most = fmax(most, row[j]);
            }
        if (i != 2)
            assert_float_equal(with->app->live[i].score, (sum - least - most) / 2, 1e-12);
    }
    press(with, '4');
    assert_int_equal(with->app->list[ES_LIST_RANK].count, 5);
    assert_int_equal(with->app->list[ES_LIST_HEAT].count, 6);
    assert_int_equal(es_app_name(with->app, 2)[0], ES_DERIVED_MARK[0]);
    press(with, 'd');
    assert_int_equal(with->app->list[ES_LIST_RANK].count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_float_equal(with->app->live[i].score, before[i], 1e-12);
    press(with, 'u');
    assert_int_equal(with->app->list[ES_LIST_RANK].count, 5);
    command(with, "set derived on");
    assert_int_equal(with->app->list[ES_LIST_RANK].count, 6);
    press(without, '4');
    press(without, 'd'); /* there is none */
    assert_false(without->app->set.with_derived);
    with->mock->results.label = NULL;
}

/* Removing asks the session; what it did is one step, which u and ^r ask it for again, but not in
 * the middle of a run. */
TEST(derived__remove__is_a_step_of_undo) {
    bench *b = start(false);
    derive_one(b);
    command(b, "pool");
    command(b, "remove LaBSE");
    assert_null(last_effect(b, ES_FX_REMOVE)); /* it is not derived */
    command(b, "remove SFR-Embedding-Mistral");
    assert_int_equal(last_effect(b, ES_FX_REMOVE)->number, 2);
    es_history_edited(b->app);
    press(b, 'u');
    assert_int_equal(last_effect(b, ES_FX_EDITS)->number, 0);
    command(b, "redo");
    assert_int_equal(last_effect(b, ES_FX_EDITS)->number, 1);
    es_effects_clear(b->effects);
    b->mock->source.phase = ES_PHASE_RUNNING;
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now + 1});
    press(b, 'u');
    command(b, "remove SFR-Embedding-Mistral");
    assert_null(last_effect(b, ES_FX_EDITS));
    assert_null(last_effect(b, ES_FX_REMOVE));
    b->mock->results.label = NULL;
}

static void assert_worst(bench *b, const char *expected) {
    es_words words = {0};
    es_buf *text = test_buf();
    assert_string_equal(es_sheets_shown(b->app)->id, "worst");
    assert_ok(es_sheets_words(b->app, &words, NULL));
    es_words_put(&words, text);
    assert_string_equal(text->data, expected);
    es_words_deinit(&words);
}

/* W and then Esc twice, back to the view. */
static void check_worst(bench *b, const char *expected) {
    es_view_id view = b->app->view;
    press(b, 'W');
    assert_worst(b, expected);
    press(b, ES_KEY_ESC);
    press(b, ES_KEY_ESC);
    assert_int_equal(b->app->view, view);
}

/* The sheet is about what the view shows: its measure, its embedder, or its two. */
TEST(worst__follows__the_measure_that_is_shown) {
    bench *b = start(true);
    b->mock->lists = true;
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now});
    command(b, "rank");
    command(b, "goto LaBSE");
    command(b, "corr");
    command(b, "axis is");
    check_worst(b, "evalrank --worst-of LaBSE");
    command(b, "axis uniformity"); /* has no list: the first that has */
    check_worst(b, "evalrank --worst-of LaBSE");
    command(b, "axis retmmd");
    check_worst(b, "retmmd --worst-of LaBSE");
    command(b, "rank");
    command(b, "sort retmmd");
    check_worst(b, "retmmd --worst-of LaBSE");
    command(b, "worst evalrank");
    assert_worst(b, "evalrank --worst-of LaBSE");
    command(b, "rank");
    command(b, "worst nothing");
    assert_int_equal(b->app->view, ES_VIEW_RANK);
    command(b, "sheet worst retmmd");
    assert_worst(b, "retmmd --worst-of LaBSE");
}

TEST(worst__of_a_pair__is_of_both_or_of_one) {
    bench *b = start(true);
    b->mock->lists = true;
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now});
    command(b, "heatmap");
    b->app->cursor = 1;
    b->app->column = 3;
    check_worst(b, "evalrank --worst-of LaBSE"); /* a cell of no measure: its row */
    command(b, "metric knn-overlap");
    press(b, 'W');
    es_words words = {0};
    assert_ok(es_sheets_words(b->app, &words, NULL));
    assert_string_equal(words.word[0], "knn-overlap");
    assert_string_equal(words.word[2], "LaBSE");
    assert_string_equal(words.word[4], es_app_model(b->app, 3)->name);
    es_words_deinit(&words);
    command(b, "heatmap");
    b->app->column = 1; /* the diagonal: there is no other one */
    check_worst(b, "evalrank --worst-of LaBSE");
    command(b, "compare LaBSE bge-base-en-v1.5");
    check_worst(b, "knn-overlap --worst-of LaBSE --other bge-base-en-v1.5");
}

TEST(worst__without_evalrank__says_what_is_missing) {
    bench *b = start(false);
    command(b, "worst");
    assert_int_equal(b->app->mode, ES_MODE_NORMAL);
    assert_contains(b->app->toast, ":measure evalrank");
}

TEST(concat__marked__is_the_other) {
    bench *b = start(false);
    command(b, "pool");
    command(b, "derive concat");
    assert_null(last_effect(b, ES_FX_DERIVE)); /* with what? */
    command(b, "goto LaBSE");
    command(b, "mark");
    command(b, "goto all-MiniLM-L6-v2");
    command(b, "derive concat");
    assert_string_equal(last_effect(b, ES_FX_DERIVE)->text, "concat LaBSE");
}

/* The session tells which measures were shown; when they are there again, so is what showed them.
 */
TEST(state__measures__come_back_by_name) {
    bench *b = start(true), *fresh = start(false), *again = start(true);
    char name[64];
    command(b, "corr");
    command(b, "axis uniformity");
    command(b, "heatmap");
    command(b, "metric cka");
    command(b, "rank");
    command(b, "sort evalrank");
    char *text = test_keep(es_app_state(b->app), es_free);
    assert_true(es_app_state_measure(text, 0, name, sizeof name) > 0);
    assert_string_equal(name, "evalrank");
    assert_true(es_app_state_measure(text, 2, name, sizeof name) > 0);
    assert_string_equal(name, "cka");
    assert_int_equal(es_app_state_measure(text, 3, name, sizeof name), 0);
    /* Before they are loaded: the defaults stand in. */
    assert_ok(es_app_restore(fresh->app, text, strlen(text), fresh->effects, NULL));
    assert_int_equal(fresh->app->set.axis, 0);
    assert_int_equal(fresh->app->set.metric, ES_METRIC_IS);
    assert_ok(es_app_restore(again->app, text, strlen(text), again->effects, NULL));
    assert_string_equal(es_corr_axis(again->app), "uniformity");
    assert_int_equal(again->app->set.metric, ES_METRIC_MEASURE);
    assert_int_equal(again->app->set.table[ES_TABLE_RANK].sort, ES_RANK_SCORES + 2);
}

TEST(setting__metric_measure__wants_a_name) {
    assert_error(es_setting_check("metric", "measure", test_err()), ES_EINVAL, "name the measure");
    assert_ok(es_setting_check("metric", "asymmetry", NULL));
}

TEST(setting__metric__takes_a_measure_that_is_computed) {
    bench *b = start(true), *none = start(false);
    bool listed = false;
    const char *value;
    for (size_t i = 0; (value = es_setting_value(b->app, "metric", i)) != NULL; i++)
        listed = listed || strcmp(value, "cka") == 0;
    assert_true(listed);
    command(b, "heatmap");
    command(b, "set metric cka");
    assert_int_equal(b->app->set.metric, ES_METRIC_MEASURE);
    assert_string_equal(es_metric_title(b->app, b->app->set.metric), "cka");
    command(b, "set metric");
    assert_contains(b->app->toast, "metric is cka");
    command(b, "set metric cka --save"); /* not of use in the next pool */
    assert_null(last_effect(b, ES_FX_SAVE));
    assert_contains(b->app->toast, "cannot be saved");
    command(b, "set metric ckaa");
    assert_contains(b->app->toast, "no metric is called 'ckaa'");
    assert_string_equal(es_metric_title(b->app, b->app->set.metric), "cka");
    command(none, "set metric cka"); /* nothing is computed */
    assert_int_equal(none->app->set.metric, ES_METRIC_IS);
    assert_contains(none->app->toast, "computed (gm)");
}

TEST(number__any_size__fits_its_column) {
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {
        {0.12345, 3, "0.123"},     {-1e-9, 3, "0.000"},     {1e300, 3, "1.0e300"},
        {-1.7e308, 1, "-1.7e308"}, {1e-300, 3, "0.000"},    {1e-300, ES_FORMAT_E, "1.0e-300"},
        {0, ES_FORMAT_E, "0"},     {(double)NAN, 3, "-"},   {(double)INFINITY, 3, "inf"},
        {999999.4, 0, "999999"},   {12345.6, 1, "12345.6"}, {1234567, 1, "1.2e6"}};
    char text[32];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_format_number(cases[i].value, cases[i].digits, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    es_metric_format(ES_METRIC_ASYMMETRY, 2e30, 3, text, sizeof text);
    assert_string_equal(text, "+2.0e30");
    es_metric_format(ES_METRIC_IS, 123.4, 3, text, sizeof text);
    assert_string_equal(text, "123");
}
