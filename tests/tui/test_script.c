#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"
#include "script.h"

static es_script parsed(const char *text) {
    es_script script;
    assert_ok(es_script_parse(text, strlen(text), "s", &script, test_err()));
    return script;
}

static void assert_refused(const char *text, const char *message) {
    es_script script = {.count = 99};
    assert_int_equal(es_script_parse(text, strlen(text), "s", &script, test_err()), ES_EFORMAT);
    if (!strstr(test_message(), message))
        fail_msg("expected \"%s\", got \"%s\"", message, test_message());
    assert_int_equal(script.count, 99);
}

TEST(script_parse__reads__named_keys) {
    es_script script = parsed("# nothing\n\n  2é<enter><c-l><lt><s-tab>x \n");
    static const uint32_t keys[] = {'2', 0xE9, ES_KEY_ENTER, 12, '<', ES_KEY_BACKTAB, 'x'};
    assert_int_equal(script.count, sizeof keys / sizeof *keys);
    for (size_t i = 0; i < script.count; i++) {
        assert_int_equal(script.steps[i].kind, ES_STEP_KEY);
        assert_int_equal(script.steps[i].key, keys[i]);
        assert_int_equal(script.steps[i].line, 3);
    }
    es_script_free(&script);
}

TEST(script_parse__reads__commands) {
    es_script script = parsed(":order name\n:wait idle\n:wait done\n:wait 0.5\n:assert  3 failed\n"
                              ":assert-not x\n:dump a.txt\r\n:dump-roles b\n:resize 60x16");
    static const es_step_kind kinds[] = {ES_STEP_COMMAND, ES_STEP_WAIT_IDLE,  ES_STEP_WAIT_DONE,
                                         ES_STEP_WAIT,    ES_STEP_ASSERT,     ES_STEP_ASSERT_NOT,
                                         ES_STEP_DUMP,    ES_STEP_DUMP_ROLES, ES_STEP_RESIZE};
    assert_int_equal(script.count, sizeof kinds / sizeof *kinds);
    for (size_t i = 0; i < script.count; i++)
        assert_int_equal(script.steps[i].kind, kinds[i]);
    assert_string_equal(script.steps[0].text, "order name");
    assert_true(script.steps[3].seconds > 0.49 && script.steps[3].seconds < 0.51);
    assert_string_equal(script.steps[4].text, "3 failed");
    assert_string_equal(script.steps[6].text, "a.txt");
    assert_int_equal(script.steps[8].w, 60);
    assert_int_equal(script.steps[8].h, 16);
    es_script_free(&script);
}

TEST(script_parse__names__the_line_of_mistakes) {
    assert_refused("q\n<entr>\n", "s:2: \"<entr>\" is not the name of a key");
    assert_refused("a<b", "s:1: \"<b\" is not the name of a key");
    assert_refused(":wait forever\n", "s:1: :wait needs idle, done or a number");
    assert_refused(":wait -1\n", "s:1: :wait needs");
    assert_refused("\n:assert\n", "s:2: :assert needs something");
    assert_refused(":resize 0x5\n", "\"0x5\" is not a size like 80x24");
    assert_refused(":resize 80\n", "not a size");
    assert_refused(":dump \n", ":dump needs something");
}

TEST(script_parse__reports__each_failed_allocation) {
    static const char text[] = "abc\n:dump x\n:order name\n";
    for (long after = 0; after < 20; after++) {
        es_script script;
        es_alloc_fail_after(after);
        es_status st = es_script_parse(text, sizeof text - 1, "s", &script, NULL);
        es_alloc_fail_after(-1);
        if (st == ES_OK) {
            assert_true(after >= 3);
            es_script_free(&script);
            return;
        }
        assert_int_equal(st, ES_ENOMEM);
    }
    fail();
}

TEST(clip_osc52__encodes__base64) {
    static const char *const cases[][2] = {
        {"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
        {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xff\xfe", "//4="}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[64], *sequence = es_clipboard_osc52(cases[i][0], strlen(cases[i][0]));
        snprintf(expected, sizeof expected, "\033]52;c;%s\a", cases[i][1]);
        assert_string_equal(sequence, expected);
        es_free(sequence);
    }
}

TEST(clip_osc52__refuses__what_terminals_would_cut) {
    static char text[60000];
    memset(text, 'x', sizeof text);
    char *sequence = es_clipboard_osc52(text, sizeof text);
    assert_string_equal(sequence, "");
    es_free(sequence);
}

static void assert_copied(const char *path) {
    char said[256], read[16] = "";
    assert_ok(es_clipboard_copy(NULL, "hello", said, NULL));
    assert_contains(said, path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(read, 1, sizeof read, file), 5);
    assert_string_equal(read, "hello");
    fclose(file);
    assert_int_equal(remove(path), 0);
}

TEST(clip_copy__writes__a_file_without_terminal) {
    char dir[] = "/tmp/es-clip-XXXXXX", path[64], said[256];
    assert_non_null(mkdtemp(dir));
    setenv("XDG_RUNTIME_DIR", dir, 1);
    setenv("XDG_STATE_HOME", dir, 1);
    snprintf(path, sizeof path, "%s/embedscope-yank", dir);
    assert_copied(path);
    unsetenv("XDG_RUNTIME_DIR");
    snprintf(path, sizeof path, "%s/embedscope/yank", dir);
    assert_copied(path);
    assert_int_equal(mkdir(path, 0700), 0); /* in the file's place */
    assert_int_equal(es_clipboard_copy(NULL, "hello", said, NULL), ES_EIO);
    assert_int_equal(rmdir(path), 0);
    *strrchr(path, '/') = '\0';
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(dir), 0);
    unsetenv("XDG_STATE_HOME");
}

TEST(spawn__talks__to_programs) {
    static const char *const cat[] = {"cat", NULL}, *const no[] = {"no-such-program-here", NULL};
    static const char *const slow[] = {"sleep", "10", NULL}, *const bad[] = {"false", NULL};
    static const char *const deaf[] = {"true", NULL};
    static char big[200000];
    char out[16];
    memset(big, 'x', sizeof big);
    signal(SIGPIPE, SIG_IGN); /* as the event loop does */
    assert_true(es_spawn(cat, "hello", 5, out, sizeof out, 5));
    assert_string_equal(out, "hello");
    assert_true(es_spawn(cat, big, sizeof big, out, sizeof out, 5));
    assert_int_equal(strlen(out), sizeof out - 1);
    assert_false(es_spawn(no, NULL, 0, NULL, 0, 5));
    assert_false(es_spawn(bad, NULL, 0, NULL, 0, 5));
    assert_false(es_spawn(slow, NULL, 0, NULL, 0, 0.05));
    (void)es_spawn(deaf, big, sizeof big, NULL, 0, 5); /* a broken pipe must not end the program */
}

TEST(setup_terms__offers__a_relative) {
    const char *names[3];
    assert_int_equal(es_setup_terms(NULL, names), 0);
    assert_int_equal(es_setup_terms("dumb", names), 0);
    assert_int_equal(es_setup_terms("vt100", names), 1);
    assert_int_equal(es_setup_terms("xterm-kitty", names), 2);
    assert_string_equal(names[1], "xterm-256color");
    assert_int_equal(es_setup_terms("tmux-direct", names), 3);
    assert_string_equal(names[1], "screen-256color");
}
