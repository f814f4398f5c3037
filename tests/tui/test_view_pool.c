/* Pool on a screen. */
#include "screens.h"

TEST(pool__draw__as_golden) {
    check_view(ES_VIEW_POOL, "pool");
}

static const es_picture_case pictures[] = {
    {"pool/checks-focused", "<Tab>", SCENE_FAILED},
};

TEST(pool__keys__as_golden) {
    check_pictures(pictures, sizeof pictures / sizeof *pictures);
}

TEST(pool__any_size__draws) {
    check_any_size(ES_VIEW_POOL);
}
