/* Rank on a screen. */
#include "screens.h"

TEST(rank__draw__as_golden) {
    check_view(ES_VIEW_RANK, "rank");
}

static const es_picture_case pictures[] = {
    {"rank/frozen", "4F", SCENE_PARTIAL},
    {"rank/sorted", "4:sort MTEB<Enter>", SCENE_DONE},
};

TEST(rank__keys__as_golden) {
    check_pictures(pictures, sizeof pictures / sizeof *pictures);
}

/* While knife refines what linear has shown; and with intervals and a zero line. */
TEST(rank__preview__as_golden) {
    check_preview(ES_VIEW_RANK, "rank/preview", "jj");
}

/* With everything that a ranking states: the set of the best, who is distinguished from the row
 * under the cursor, the sentence, why. */
TEST(rank__decided__as_golden) {
    static const struct {
        const char *name, *keys;
    } shots[] = {{"rank/decided", ""}, {"rank/why", "jj<Enter>"}};
    for (size_t p = 0; p < sizeof shots / sizeof *shots; p++) {
        es_mock *mock = make_scene(SCENE_DONE);
        es_effects *effects = effects_kept();
        es_buf out = {0};
        mock_predict(mock);
        mock_pmi(mock);
        es_app *app = open_app(mock);
        mock_keys(app, "4", effects);
        mock_compute(mock, app, app->intervals.tag);
        mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = 110}, effects);
        app->now += 10;
        settle(app);
        mock_keys(app, shots[p].keys, effects);
        add_screen(&out, app, 200, 60, false, false);
        add_all_sizes(&out, app);
        check_golden(shots[p].name, &out);
    }
}

/* The frame says that derived embedders vote, where one is there and they do. */
TEST(rank__derived__is_said_to_vote) {
    static const struct {
        const char *keys;
        bool said;
    } cases[] = {{"4", false}, {"4:set derived on<Enter>", true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        es_mock *mock = make_scene(SCENE_DONE);
        es_effects *effects = effects_kept();
        es_buf *out = test_buf();
        mock->model[2].derived = true;
        es_app *app = open_app(mock);
        mock_keys(app, cases[c].keys, effects);
        settle(app);
        add_screen(out, app, 160, 40, false, false);
        assert_contains(out->data, "derived");
        assert_int_equal(strstr(out->data, "derived, voting (d)") != NULL, cases[c].said);
    }
}

TEST(rank__any_size__draws) {
    check_any_size(ES_VIEW_RANK);
}
