/* Rank on a screen. */
#include "screens.h"

static void rank__draw__as_golden(void **state) {
    (void)state;
    check_view(ES_VIEW_RANK, "rank");
}

static const es_picture_case pictures[] = {
    {"rank/frozen", "4F", SCENE_PARTIAL},
    {"rank/sorted", "4:sort MTEB<Enter>", SCENE_DONE},
};

static void rank__keys__as_golden(void **state) {
    (void)state;
    check_pictures(pictures, sizeof pictures / sizeof *pictures);
}

/* While knife refines what linear has shown; and with intervals and a zero line. */
static void rank__preview__as_golden(void **state) {
    (void)state;
    check_preview(ES_VIEW_RANK, "rank/preview", "jj");
}

static void rank__any_size__draws(void **state) {
    (void)state;
    check_any_size(ES_VIEW_RANK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank__draw__as_golden),
        cmocka_unit_test(rank__keys__as_golden),
        cmocka_unit_test(rank__preview__as_golden),
        cmocka_unit_test(rank__any_size__draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
