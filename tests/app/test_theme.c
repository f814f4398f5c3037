#include <unistd.h>

#include "testing.h"
#include "app_look.h"

static char dir[] = "/tmp/es-theme-XXXXXX";

static int make_dir(void **state) {
    return mkdtemp(dir) ? 0 : -1;
}

static void write_theme(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s.theme", dir, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int remove_dir(void **state) {
    char command[160];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command);
}

TEST_GROUP(make_dir, remove_dir);

static es_status parse(const char *text, es_theme *theme, es_error *err) {
    return es_theme_parse(text, strlen(text), "t.theme", dir, theme, NULL, err);
}

static void assert_refused(const char *text, const char *message) {
    es_theme theme, before;
    memset(&theme, 7, sizeof theme);
    before = theme;
    if (parse(text, &theme, test_err()) == ES_OK)
        fail_msg("accepted: %s", text);
    if (!strstr(test_message(), message))
        fail_msg("expected \"%s\", got \"%s\"", message, test_message());
    assert_memory_equal(&theme, &before, sizeof theme);
}

TEST(theme_equal__sees__what_shows) {
    es_theme a, b;
    const char *text = "[roles]\nkey = red\n[colormap heat]\nstops = #000000 #ffffff\n";
    assert_ok(parse(text, &a, test_err()));
    assert_ok(es_theme_parse(text, strlen(text), "elsewhere.theme", dir, &b, NULL, test_err()));
    (void)snprintf(b.name, sizeof b.name, "%s", a.name);
    assert_true(es_theme_equal(&a, &b));
    assert_ok(parse("[roles]\nkey = red bold\n[colormap heat]\nstops = #000000 #ffffff\n", &b,
                    test_err()));
    assert_false(es_theme_equal(&a, &b));
    assert_ok(
        parse("[roles]\nkey = red\n[colormap heat]\nstops = #000000 #fffffe\n", &b, test_err()));
    assert_false(es_theme_equal(&a, &b));
}

TEST(theme_parse__reads__every_form_of_colour) {
    es_theme theme;
    const char *text = "# comment\nname = Test   # said after two blanks\nvariant = light\r\n"
                       "borders = square\nglyphs = block\n\n[palette]\nfg = #aabbcc\nalias = fg\n"
                       "green = #010203\n[roles]\nbackground = fg on #123\ntext = alias bold\n"
                       "key = red on default underline\nmark = bright-blue\nlink = 200\n"
                       "selection = reverse\nsuccess = green\n[roles.16]\nsuccess = green\n";
    assert_ok(parse(text, &theme, test_err()));
    const es_style *styles = theme.styles[ES_STYLES_FULL];
    assert_string_equal(theme.name, "Test");
    assert_string_equal(theme.id, "t");
    assert_int_equal(theme.variant, ES_VARIANT_LIGHT);
    assert_int_equal(theme.borders, ES_BORDERS_SQUARE);
    assert_int_equal(theme.glyphs, ES_GLYPHS_BLOCK);
    assert_int_equal(styles[ES_ROLE_BACKGROUND].bg, 0x112233);
    assert_int_equal(styles[ES_ROLE_TEXT].fg, 0xAABBCC);
    assert_int_equal(styles[ES_ROLE_TEXT].bg, 0x112233);
    assert_int_equal(styles[ES_ROLE_TEXT].attrs, ES_ATTR_BOLD);
    assert_int_equal(styles[ES_ROLE_KEY].fg, ES_COLOUR_INDEX + 1);
    assert_int_equal(styles[ES_ROLE_KEY].bg, ES_COLOUR_DEFAULT);
    assert_int_equal(styles[ES_ROLE_MARK].fg, ES_COLOUR_INDEX + 12);
    assert_int_equal(styles[ES_ROLE_LINK].fg, ES_COLOUR_INDEX + 200);
    assert_int_equal(styles[ES_ROLE_SELECTION].fg, 0xAABBCC);
    assert_int_equal(styles[ES_ROLE_SELECTION].attrs, ES_ATTR_REVERSE);
    assert_int_equal(styles[ES_ROLE_SUCCESS].fg, 0x010203);
    assert_int_equal(theme.styles[ES_STYLES_16][ES_ROLE_SUCCESS].fg, ES_COLOUR_INDEX + 2);
}

TEST(theme_parse__names__file_and_line_of_mistakes) {
    assert_refused("name = x\n[roles]\ntext = nosuch\n", "t.theme:3: \"nosuch\" is neither");
    assert_refused("\n\n[rolls]\n", "t.theme:3: unknown section");
    assert_refused("colour = red\n", "t.theme:1: unknown key");
    assert_refused("name\n", "t.theme:1: expected key = value");
    assert_refused("= 3\n", "t.theme:1: nothing before");
    assert_refused("name =\n", "t.theme:1: name has no value");
    assert_refused("variant = pink\n", "it can be any, dark, light");
    assert_refused("[roles]\ntext = #12345\n", "t.theme:2: \"#12345\" is neither");
    assert_refused("[roles]\ntext = red blue\n", "t.theme:2: \"blue\" is one word too many");
    assert_refused("[roles]\ntext = red on\n", "t.theme:2: no colour after \"on\"");
    assert_refused("[palette]\na = b\nb = a\n", "refers to itself");
    assert_refused("[palette]\nbold = #fff\n", "t.theme:2: \"bold\" already has a meaning");
    assert_refused("[palette]\n9x = #fff\n", "cannot be a palette name");
    assert_refused("[colormap heat]\nstops = #000000\n", "at least 2 stops");
    assert_refused("[colormap heat]\nstops = #000000 red\n", "\"red\" is not a colour #rrggbb");
    assert_refused("[colormap heat]\nc256 = 16 999\n", "\"999\" is not a number from 16 to 255");
    assert_refused("[colormap asym]\nramp = abc\n", "put the ramp in quotes");
    assert_refused("[colormap asym]\nramp = \"a\033\"\n", "cannot be shown");
    assert_refused("[colormap asym]\nramps = 1\n", "has stops, c256, ramp");
}

TEST(theme_parse__refuses__endless_lines_and_nul) {
    char text[700];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_refused(text, "t.theme:1: the line is longer than 511 bytes");
    es_theme theme;
    assert_int_equal(es_theme_parse("name = a\0b", 10, "t.theme", NULL, &theme, NULL, test_err()),
                     ES_EFORMAT);
}

TEST(theme_parse__warns__about_unknown_roles) {
    const char *text = "[roles]\nno.such.role = red\ntext = red\n";
    es_theme theme;
    es_error warning = {0};
    assert_ok(es_theme_parse(text, strlen(text), "t.theme", dir, &theme, &warning, NULL));
    assert_string_equal(warning.message, "t.theme:2: there is no role \"no.such.role\"");
    assert_int_equal(theme.styles[ES_STYLES_FULL][ES_ROLE_TEXT].fg, ES_COLOUR_INDEX + 1);
}

TEST(theme_load__inherits__roles_and_lets_palettes_win) {
    write_theme("base", "[palette]\nfg = #111111\nbg = #222222\n[roles]\nbackground = fg on bg\n"
                        "text = fg\nkey = #333333\n[colormap heat]\nstops = #000000 #ffffff\n"
                        "c256 = 16 231\n");
    write_theme("child", "name = Child\ninherits = base\n[palette]\nfg = #aaaaaa\n[roles]\n"
                         "key = #bbbbbb\n");
    es_theme theme;
    assert_ok(es_theme_load("child", dir, &theme, NULL, test_err()));
    const es_style *styles = theme.styles[ES_STYLES_FULL];
    assert_string_equal(theme.id, "child");
    assert_int_equal(styles[ES_ROLE_TEXT].fg, 0xAAAAAA);
    assert_int_equal(styles[ES_ROLE_TEXT].bg, 0x222222);
    assert_int_equal(styles[ES_ROLE_KEY].fg, 0xBBBBBB);
    assert_int_equal(theme.maps[ES_MAP_HEAT].n_c256, 2);
    /* new stops make the parent's tuned steps wrong */
    const char *text = "inherits = base\n[colormap heat]\nstops = #ff0000 #ffff00\n";
    assert_ok(parse(text, &theme, NULL));
    assert_int_equal(theme.maps[ES_MAP_HEAT].n_c256, 0);
}

TEST(theme_load__detects__loops_and_depth) {
    es_theme theme;
    write_theme("loop1", "name = a\ninherits = loop2\n");
    write_theme("loop2", "inherits = loop1\n");
    assert_error(es_theme_load("loop1", dir, &theme, NULL, test_err()), ES_EFORMAT,
                 "loop2.theme:1: \"loop1\" inherits from this theme");
    write_theme("self", "inherits = self\n");
    assert_int_equal(es_theme_load("self", dir, &theme, NULL, test_err()), ES_EFORMAT);
    write_theme("d0", "name = d0\n");
    for (int i = 1; i <= 5; i++) {
        char name[16], text[32];
        snprintf(name, sizeof name, "d%d", i);
        snprintf(text, sizeof text, "inherits = d%d\n", i - 1);
        write_theme(name, text);
    }
    assert_ok(es_theme_load("d4", dir, &theme, NULL, test_err()));
    assert_error(es_theme_load("d5", dir, &theme, NULL, test_err()), ES_EFORMAT, "more than 4");
    assert_refused("name = x\ninherits = absent\n", "t.theme:2: there is no theme \"absent\"");
}

TEST(theme_load__says__where_it_looked) {
    es_theme theme;
    assert_error(es_theme_load("absent", dir, &theme, NULL, test_err()), ES_ENOTFOUND, dir);
    assert_error(es_theme_load(dir, NULL, &theme, NULL, test_err()), ES_EFORMAT,
                 "not a theme file");
}

TEST(theme_list__finds__each_name_once) {
    write_theme("nord", "name = mine\n");
    es_words names = {0};
    size_t nords = 0;
    assert_ok(es_theme_list(dir, &names, NULL));
    for (size_t i = 0; i < names.count; i++) {
        nords += strcmp(names.word[i], "nord") == 0;
        if (i > 0)
            assert_true(strcmp(names.word[i - 1], names.word[i]) < 0);
    }
    assert_int_equal(nords, 1);
    es_words_deinit(&names);
    es_theme theme;
    assert_ok(es_theme_load("nord", dir, &theme, NULL, NULL));
    assert_string_equal(theme.name, "mine");
}

TEST(theme_load__reports__each_failed_allocation) {
    for (long after = 0; after < 100; after++) {
        es_theme theme;
        es_alloc_fail_after(after);
        es_status st = es_theme_load("nord", ES_THEME_DIR, &theme, NULL, test_err());
        es_alloc_fail_after(-1);
        if (st == ES_OK) {
            assert_true(after > 3);
            return;
        }
        assert_int_equal(st, ES_ENOMEM);
    }
    fail();
}

/* Whatever the bytes: a theme or a message with a line, never more. */
TEST(theme_parse__survives__random_edits) {
    static const char seed[] = "name = a\n[palette]\nx = #fff\n[roles]\ntext = x on red bold\n"
                               "[colormap heat]\nstops = #000 #fff\nramp = \" .:\"\n[roles.mono]\n"
                               "key = bold\n";
    unsigned random = 12345;
    for (int i = 0; i < 5000; i++) {
        char text[sizeof seed];
        memcpy(text, seed, sizeof seed);
        for (int edits = 0; edits < 4; edits++) {
            random = random * 1103515245 + 12345;
            text[(random >> 8) % (sizeof seed - 1)] = (char)(random >> 20);
        }
        es_theme theme;
        if (es_theme_parse(text, sizeof seed - 1, "f", NULL, &theme, NULL, test_err()) != ES_OK)
            assert_true(strncmp(test_message(), "f:", 2) == 0);
    }
}
