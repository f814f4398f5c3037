/* A folder for each test of a file, in `root`. */
#ifndef ES_TESTS_ROOTED_H
#define ES_TESTS_ROOTED_H

#include "support.h"

static char root[SUPPORT_PATH];

static int make_root(void **state) {
    support_temp_dir(root);
    return 0;
}

TEST_EACH(make_root, NULL);

#endif
