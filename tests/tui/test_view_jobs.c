/* Jobs on a screen. */
#include "screens.h"

static void jobs__draw__as_golden(void **state) {
    (void)state;
    check_view(ES_VIEW_JOBS, "jobs");
}

static const es_picture_case pictures[] = {
    {"jobs/failure", "7G", SCENE_FAILED},
    {"jobs/filter", "7fLaBSE<Enter>G", SCENE_FAILED},
    {"jobs/first", "4jjP7", SCENE_PARTIAL},
};

static void jobs__keys__as_golden(void **state) {
    (void)state;
    check_pictures(pictures, sizeof pictures / sizeof *pictures);
}

static void jobs__any_size__draws(void **state) {
    (void)state;
    check_any_size(ES_VIEW_JOBS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs__draw__as_golden),
        cmocka_unit_test(jobs__keys__as_golden),
        cmocka_unit_test(jobs__any_size__draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
