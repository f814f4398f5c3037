/* Heatmap on a screen. Its cells one by one are in test_heatmap.c. */
#include "screens.h"

static void heatmap__draw__as_golden(void **state) {
    (void)state;
    check_view(ES_VIEW_HEATMAP, "heatmap");
}

static const es_picture_case pictures[] = {
    {"heatmap/digits", "]i", SCENE_DONE},
    {"heatmap/overview", "]0", SCENE_200},
    {"heatmap/asymmetry", "]:metric asymmetry<Enter>", SCENE_DONE},
    {"heatmap/measure", ":heatmap<Enter>:metric cka<Enter>jjllll", SCENE_MEASURED},
    {"heatmap/transposed", "]t", SCENE_PARTIAL},
    {"heatmap/scrolled", "]GR", SCENE_200},
    {"heatmap/filtered", "]fe5<Enter>", SCENE_DONE},
    {"heatmap/cell-focused", "]<Tab>", SCENE_DONE},
    {"heatmap/community", "2:order community<Enter>", SCENE_DONE},
    {"heatmap/cluster", "2:order cluster<Enter>", SCENE_DONE},
};

static void heatmap__keys__as_golden(void **state) {
    (void)state;
    check_pictures(pictures, sizeof pictures / sizeof *pictures);
}

/* While knife refines what linear has shown; and with intervals and a zero line. */
static void heatmap__preview__as_golden(void **state) {
    (void)state;
    check_preview(ES_VIEW_HEATMAP, "heatmap/preview", "jj l");
    check_preview(ES_VIEW_HEATMAP, "heatmap/preview-digits", "jj ld");
}

static void inspect__no_asymmetry__points_nowhere(void **state) {
    (void)state;
    static const int sizes[][2] = {{120, 40}, {80, 24}};
    for (int i = 0; i < 4; i++) {
        es_mock *mock = make_scene(SCENE_DONE);
        size_t m = mock->results.m;
        for (size_t k = 0; k < m * m && i < 2; k++)
            mock->results.is[k] = 0.25;
        es_app *app = open_app(mock);
        es_grid grid = {0};
        app->view = ES_VIEW_HEATMAP;
        assert_true(es_grid_resize(&grid, sizes[i % 2][0], sizes[i % 2][1]));
        es_screen_draw(app, &grid);
        char *text = es_grid_dump_text(&grid), *at = strstr(text, "asym");
        assert_non_null(at);
        size_t line = strcspn(at, "\n");
        at[line] = '\0';
        bool points = strstr(at, "▶") != NULL || strstr(at, "◀") != NULL;
        assert_int_equal(points, i >= 2);
        es_free(text);
        es_grid_free(&grid);
        es_app_free(app);
        mock_free(mock);
    }
}

static void heatmap__any_size__draws(void **state) {
    (void)state;
    check_any_size(ES_VIEW_HEATMAP);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heatmap__draw__as_golden),
        cmocka_unit_test(heatmap__keys__as_golden),
        cmocka_unit_test(heatmap__preview__as_golden),
        cmocka_unit_test(inspect__no_asymmetry__points_nowhere),
        cmocka_unit_test(heatmap__any_size__draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
