/* The dialog that asks about rows: its screens, its keys, and what it asks the loop for. */
#include "screens.h"

static const es_error well = {.code = ES_OK};
static es_duel_question found;
static const char *texts[3];

/* Texts by what the row is in the question: 7 the row, 8 left, 9 right. */
static char *mock_text(void *context, size_t row) {
    (void)context;
    return row >= 7 && row < 10 && texts[row - 7] ? es_strdup(texts[row - 7]) : NULL;
}

typedef struct scene {
    es_mock *mock;
    es_app *app;
    es_effects effects;
} scene;

static scene open_scene(void) {
    scene s = {.mock = make_scene(SCENE_DONE)};
    s.mock->source.row_text = mock_text;
    s.app = open_app(s.mock);
    return s;
}

static void close_scene(scene *s) {
    es_effects_clear(&s->effects);
}

static size_t count_effects(const scene *s, es_effect_kind kind, const char *text, bool flag) {
    size_t count = 0;
    for (size_t i = 0; i < s->effects.count; i++) {
        const es_effect *e = &s->effects.items[i];
        count += e->kind == kind && e->flag == flag &&
                 (text == NULL || (e->text && strcmp(e->text, text) == 0));
    }
    return count;
}

/* The workers have found a question for the last search. */
static void find_question(scene *s, uint32_t row, uint64_t at) {
    found = (es_duel_question){.row = row, .left = 8, .right = 9, .at = at};
    s->mock->source.duel.found = &found;
    s->mock->source.duel.why = &well;
    s->mock->source.duel.tag = s->app->duels->tag;
    mock_send(s->app, (es_msg){.kind = ES_MSG_SESSION, .now = s->app->now}, &s->effects);
}

static es_duel_report *say(scene *s, const char *sentence) {
    es_duel_report *report = es_alloc_zero(1, sizeof *report);
    report->sentence = es_strdup(sentence);
    s->mock->source.duel.report = report;
    return report;
}

static void check_screen(scene *s, const char *name) {
    es_buf out = {0};
    add_screen(&out, s->app, 120, 40, false, false);
    add_screen(&out, s->app, 80, 24, false, false);
    add_screen(&out, s->app, 80, 24, true, false);
    add_screen(&out, s->app, 80, 24, false, true);
    check_golden(name, &out);
}

static const char sentence[] =
    "After 14 answers: bge is ahead of e5 for your rows (.71 [.52, .93]); gte is out. 2 candidates "
    "are left. About 9 more answers like these would leave one.";

/* Texts of 400 letters, of as many Chinese signs, and none. */
TEST(duel__screens__as_golden) {
    char latin[401] = "", chinese[1201] = "";
    for (size_t i = 0; i < 400; i++)
        latin[i] = i % 6 == 5 ? ' ' : (char)('a' + i % 26);
    for (size_t i = 0; i < 400; i++)
        memcpy(chinese + 3 * i, i % 2 ? "\xe6\x96\x87" : "\xe5\xad\x97", 3);
    const char *const of[][3] = {{"Why hasn't my payment gone through?", "When will it go through?",
                                  "How busy is the shop at 5 pm?"},
                                 {latin, latin, latin},
                                 {chinese, chinese, "\xe7\x9f\xad"},
                                 {NULL, NULL, NULL}};
    static const char *const names[] = {"duel/short", "duel/long", "duel/chinese", "duel/none"};
    for (size_t i = 0; i < 4; i++) {
        scene s = open_scene();
        memcpy(texts, of[i], sizeof texts);
        mock_keys(s.app, "4D", &s.effects);
        assert_int_equal(s.app->mode, ES_MODE_DUEL);
        find_question(&s, 7, 0);
        es_duel_report *report = say(&s, sentence);
        if (i == 2)
            mock_keys(s.app, "jj", &s.effects);
        check_screen(&s, names[i]);
        close_scene(&s);
        es_duel_report_free(report);
    }
}

/* Before the first question, and where there is none. */
TEST(duel__nothing_to_ask__says_why) {
    static const es_error none = {.code = ES_EEMPTY, .message = "no question is left: they agree"};
    scene s = open_scene();
    mock_keys(s.app, "4D", &s.effects);
    check_screen(&s, "duel/looking");
    s.mock->source.duel.why = &none;
    s.mock->source.duel.tag = s.app->duels->tag;
    mock_send(s.app, (es_msg){.kind = ES_MSG_SESSION, .now = s.app->now}, &s.effects);
    check_screen(&s, "duel/no-question");
    mock_keys(s.app, "hl=su", &s.effects); /* nothing to answer */
    assert_int_equal(count_effects(&s, ES_FX_DUEL_SAY, NULL, false), 0);
    mock_keys(s.app, "q", &s.effects);
    assert_int_equal(s.app->mode, ES_MODE_NORMAL);
    close_scene(&s);
}

/* Answers are written as they are given; u takes the last one back and shows its question again. */
TEST(duel__keys__write_and_take_back) {
    scene s = open_scene();
    mock_keys(s.app, "4D", &s.effects);
    assert_int_equal(count_effects(&s, ES_FX_DUEL_ASK, NULL, false), 1);
    assert_int_equal(count_effects(&s, ES_FX_DUEL_COUNT, NULL, false), 1);
    find_question(&s, 17, 3);
    assert_int_equal(count_effects(&s, ES_FX_DUEL_ASK, NULL, false), 2); /* the one after it */
    assert_int_equal(s.app->duels->at, 4);
    find_question(&s, 27, 5);
    mock_keys(s.app, "h", &s.effects);
    assert_int_equal(count_effects(&s, ES_FX_DUEL_SAY, "17,8,9,left", false), 1);
    assert_int_equal(s.app->duels->next[0].question.row, 27);
    mock_keys(s.app, "l", &s.effects);
    assert_int_equal(count_effects(&s, ES_FX_DUEL_SAY, "27,8,9,right", false), 1);
    mock_keys(s.app, "u", &s.effects);
    assert_int_equal(count_effects(&s, ES_FX_DUEL_SAY, "27,8,9,right", true), 1);
    assert_int_equal(s.app->duels->next[0].question.row, 27);
    mock_keys(s.app, "=", &s.effects);
    assert_int_equal(count_effects(&s, ES_FX_DUEL_SAY, "27,8,9,=", false), 1);
    find_question(&s, 37, 6);
    mock_keys(s.app, "s", &s.effects);
    size_t held = 0;
    es_duel_question *list = es_duels_held(s.app, &held);
    assert_int_equal(held, 1);
    assert_int_equal(list[0].row, 37); /* skipped: not asked again */
    es_free(list);
    /* the view's own commands are out of reach */
    assert_int_equal(s.app->duels->answered, 2);
    mock_keys(s.app, "q", &s.effects);
    assert_int_equal(s.app->mode, ES_MODE_NORMAL);
    mock_keys(s.app, "D", &s.effects); /* goes on */
    assert_int_equal(s.app->duels->answered, 2);
    close_scene(&s);
}

/* A search that was overtaken is not taken. */
TEST(duel__old_search__is_not_taken) {
    scene s = open_scene();
    mock_keys(s.app, "4D", &s.effects);
    found = (es_duel_question){.row = 5, .left = 8, .right = 9};
    s.mock->source.duel.found = &found;
    s.mock->source.duel.why = &well;
    s.mock->source.duel.tag = s.app->duels->tag - 1;
    mock_send(s.app, (es_msg){.kind = ES_MSG_SESSION, .now = s.app->now}, &s.effects);
    assert_int_equal(s.app->duels->count, 0);
    close_scene(&s);
}

TEST(duel__marked__instead_of_candidates) {
    scene s = open_scene();
    mock_keys(s.app, "4D", &s.effects);
    assert_int_equal(s.app->duels->k, 2); /* candidates */
    mock_keys(s.app, "qgg<Space>j<Space>j<Space>D", &s.effects);
    assert_int_equal(s.app->duels->k, 3);
    close_scene(&s);
}

TEST(duel__finished_matrix__is_refused) {
    scene s = open_scene();
    s.mock->source.row_text = NULL;
    mock_keys(s.app, "4D", &s.effects);
    assert_int_equal(s.app->mode, ES_MODE_NORMAL);
    assert_contains(s.app->toast, "has no rows");
    close_scene(&s);
}

/* o needs a viewer, and passes the rows of the question. */
TEST(duel__viewer__gets_the_rows) {
    scene s = open_scene();
    mock_keys(s.app, "4D", &s.effects);
    find_question(&s, 7, 0);
    mock_keys(s.app, "o", &s.effects);
    assert_int_equal(count_effects(&s, ES_FX_SHOW_ROW, NULL, false), 0);
    mock_keys(s.app, "q:set viewer feh %s<Enter>Do", &s.effects);
    assert_int_equal(count_effects(&s, ES_FX_SHOW_ROW, "feh %s", false), 3);
    close_scene(&s);
}
