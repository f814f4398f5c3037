/* Where files are kept and found. */
#include "support.h"

#include "alloc.h"
#include "paths.h"

static void assert_user(es_user_dir which, const char *expected) {
    char *path = NULL;
    assert_int_equal(es_path_user(which, &path, NULL), ES_OK);
    assert_string_equal(path, expected);
    es_free(path);
}

static void user_directories__follow__the_environment(void **state) {
    (void)state;
    setenv("HOME", "/home/ada", 1);
    setenv("XDG_DATA_HOME", "/data/", 1);
    setenv("XDG_STATE_HOME", "relative/is/ignored", 1);
    unsetenv("XDG_CONFIG_HOME");
    assert_user(ES_USER_DATA, "/data/embedscope");
    assert_user(ES_USER_STATE, "/home/ada/.local/state/embedscope");
    assert_user(ES_USER_CONFIG, "/home/ada/.config/embedscope");
    unsetenv("XDG_DATA_HOME");
    assert_user(ES_USER_DATA, "/home/ada/.local/share/embedscope");
    unsetenv("HOME"); /* then the system's list of users, or a message */
    char *path = NULL;
    es_status st = es_path_user(ES_USER_DATA, &path, NULL);
    assert_true(st == ES_OK ? path[0] == '/' : st == ES_ENOTFOUND && !path);
    es_free(path);
}

static void shared__finds__what_came_with_the_program(void **state) {
    (void)state;
    char *path = NULL;
    es_error err = {0};
    assert_int_equal(es_path_shared("sample_data/molecules/pool.json", &path, NULL), ES_OK);
    assert_int_equal(access(path, R_OK), 0);
    es_free(path);
    path = NULL;
    assert_int_equal(es_path_shared("no/such/thing", &path, &err), ES_ENOTFOUND);
    assert_null(path);
    assert_non_null(strstr(err.message, "no/such/thing"));
}

static void join__puts__one_slash(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"/", "b", "/b"}, {"/a//", "b/c", "/a/b/c"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = es_path_join(cases[i][0], cases[i][1]);
        assert_string_equal(path, cases[i][2]);
        es_free(path);
    }
}

static void canonical__resolves__links(void **state) {
    (void)state;
    char root[SUPPORT_PATH], link[SUPPORT_PATH], *path = NULL, *plain = NULL;
    support_temp_dir(root);
    assert_int_equal(symlink(root, support_path(link, root, "l")), 0);
    assert_int_equal(es_path_canonical(link, &path, NULL), ES_OK);
    assert_int_equal(es_path_canonical(root, &plain, NULL), ES_OK);
    assert_string_equal(path, plain);
    es_free(path);
    es_free(plain);
    assert_int_equal(symlink("c", support_path(link, root, "c")), 0);
    assert_int_equal(es_path_canonical(link, &path, NULL), ES_EIO);
    support_path(link, root, "none");
    assert_int_equal(es_path_canonical(link, &path, NULL), ES_ENOTFOUND);
    support_remove(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(user_directories__follow__the_environment),
        cmocka_unit_test(shared__finds__what_came_with_the_program),
        cmocka_unit_test(join__puts__one_slash),
        cmocka_unit_test(canonical__resolves__links),
    };
    return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
