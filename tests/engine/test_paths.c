/* Where files are kept and found. */
#include "support.h"

#include "engine_place.h"

static void assert_user(es_user_dir which, const char *expected) {
    char *path = NULL;
    assert_ok(es_path_user(which, &path, NULL));
    assert_string_equal(path, expected);
    es_free(path);
}

TEST(user_directories__follow__the_environment) {
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

TEST(home__at_the_beginning__is_the_users) {
    static const char *const cases[][2] = {{"~", "/home/ada"},
                                           {"~/a", "/home/ada/a"},
                                           {"~/ab/c d", "/home/ada/ab/c d"},
                                           {"~x/a", "~x/a"},
                                           {"a/~", "a/~"},
                                           {"/a", "/a"},
                                           {"relative/b", "relative/b"},
                                           {"", ""}};
    setenv("HOME", "/home/ada", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = es_path_at_home(cases[i][0]);
        assert_string_equal(path, cases[i][1]);
        es_free(path);
    }
    setenv("HOME", "relative", 1); /* is none */
    char *path = es_path_at_home("~/a");
    assert_string_equal(path, "~/a");
    es_free(path);
    unsetenv("HOME");
    path = es_path_at_home("~");
    assert_string_equal(path, "~");
    es_free(path);
}

TEST(shared__finds__what_came_with_the_program) {
    char *path = NULL;
    assert_ok(es_path_shared("sample_data/molecules/pool.json", &path, NULL));
    assert_int_equal(access(path, R_OK), 0);
    es_free(path);
    path = NULL;
    assert_int_equal(es_path_shared("no/such/thing", &path, test_err()), ES_ENOTFOUND);
    assert_null(path);
    assert_contains(test_message(), "no/such/thing");
}

TEST(join__puts__one_slash) {
    static const char *const cases[][3] = {
        {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"/", "b", "/b"}, {"/a//", "b/c", "/a/b/c"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = es_path_join(cases[i][0], cases[i][1]);
        assert_string_equal(path, cases[i][2]);
        es_free(path);
    }
}

TEST(canonical__resolves__links) {
    char root[SUPPORT_PATH], link[SUPPORT_PATH], *path = NULL, *plain = NULL;
    support_temp_dir(root);
    assert_int_equal(symlink(root, support_path(link, root, "l")), 0);
    assert_ok(es_path_canonical(link, &path, NULL));
    assert_ok(es_path_canonical(root, &plain, NULL));
    assert_string_equal(path, plain);
    es_free(path);
    es_free(plain);
    assert_int_equal(symlink("c", support_path(link, root, "c")), 0);
    assert_int_equal(es_path_canonical(link, &path, NULL), ES_EIO);
    support_path(link, root, "none");
    assert_int_equal(es_path_canonical(link, &path, NULL), ES_ENOTFOUND);
}

/* What was written is read again; one file a subject and part of it, whatever the way there. */
TEST(state_files__keep__a_text_of_each_subject) {
    char root[SUPPORT_PATH], pool[SUPPORT_PATH], path[SUPPORT_PATH], link[SUPPORT_PATH];
    char *file[5] = {NULL}, *text = NULL;
    size_t length = 0;
    struct stat info;
    support_temp_dir(root);
    support_write_text(root, "pool/x", "");
    support_write_text(root, "other/x", "");
    (void)support_path(pool, root, "pool");
    assert_int_equal(symlink(pool, support_path(link, root, "link")), 0);
    setenv("XDG_STATE_HOME", support_path(path, root, "state"), 1);
    assert_ok(es_state_pool_path("sessions", pool, NULL, &file[0], NULL));
    assert_ok(es_state_pool_path("sessions", link, "", &file[1], NULL));
    assert_ok(es_state_pool_path("sessions", pool, "a*", &file[2], NULL));
    assert_ok(
        es_state_pool_path("sessions", support_path(path, root, "other"), NULL, &file[3], NULL));
    assert_ok(es_path_user_file(ES_USER_STATE, "recent", &file[4], NULL));
    assert_string_equal(file[0], file[1]);
    assert_string_not_equal(file[0], file[2]);
    assert_string_not_equal(file[0], file[3]);
    assert_string_equal(file[4], support_path(path, root, "state/embedscope/recent"));
    (void)support_path(path, root, "state/embedscope/sessions");
    assert_memory_equal(file[0], path, strlen(path));
    support_remove(support_path(path, root, "state"));
    assert_int_equal(
        es_state_pool_path("sessions", support_path(path, root, "none"), NULL, &text, NULL),
        ES_ENOTFOUND);
    assert_int_equal(es_state_read(file[0], &text, &length, NULL), ES_ENOTFOUND);
    assert_null(text);
    assert_ok(es_state_check(file[0], NULL));
    assert_int_equal(es_state_read(file[0], &text, &length, NULL), ES_ENOTFOUND);
    assert_ok(es_state_write(file[0], "first", 5, NULL));
    assert_ok(es_state_write(file[0], "second text", 6, NULL));
    assert_ok(es_state_write(file[4], "", 0, NULL));
    assert_int_equal(stat(file[0], &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_ok(es_state_read(file[0], &text, &length, NULL));
    assert_int_equal(length, 6);
    assert_string_equal(text, "second");
    es_free(text);
    assert_ok(es_state_set_aside(file[0], NULL));
    text = NULL;
    assert_int_equal(es_state_read(file[0], &text, &length, NULL), ES_ENOTFOUND);
    (void)snprintf(path, sizeof path, "%s.kept", file[0]);
    assert_ok(es_state_read(path, &text, &length, NULL));
    assert_string_equal(text, "second");
    es_free(text);
    assert_int_equal(es_state_set_aside(file[0], NULL), ES_EIO); /* there is none */
    support_write_text(root, "file", "");                        /* where a folder should be */
    assert_ok(es_state_write(support_path(path, root, "file"), "x", 1, NULL));
    (void)support_path(path, root, "file/below");
    assert_int_not_equal(es_state_write(path, "x", 1, NULL), ES_OK);
    assert_int_not_equal(es_state_check(path, NULL), ES_OK);
    for (size_t i = 0; i < 5; i++)
        es_free(file[i]);
    unsetenv("XDG_STATE_HOME");
}
