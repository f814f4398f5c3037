/* Pool on a screen. */
#include "screens.h"

static void pool__draw__as_golden(void **state) {
    check_view(ES_VIEW_POOL, "pool");
}

static const es_picture_case pictures[] = {
    {"pool/checks-focused", "<Tab>", SCENE_FAILED},
};

static void pool__keys__as_golden(void **state) {
    check_pictures(pictures, sizeof pictures / sizeof *pictures);
}

static void pool__any_size__draws(void **state) {
    check_any_size(ES_VIEW_POOL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pool__draw__as_golden),
        cmocka_unit_test(pool__keys__as_golden),
        cmocka_unit_test(pool__any_size__draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
