/* What a terminal types, and what a cell looks like on it, without a terminal. */
#include <time.h>

#include "testing.h"
#include "tui_terminal.h"

/* ---- what is typed ---- */

/* One thing after the other; NOTHING stands for a pause. */
typedef struct typist {
    const es_typed *typed;
    size_t count, at;
} typist;

static es_typed type(void *context) {
    typist *t = context;
    es_typed typed = t->at < t->count ? t->typed[t->at++] : (es_typed){.kind = ES_TYPED_NOTHING};
    if (typed.kind == ES_TYPED_NOTHING && typed.code > 0)
        nanosleep(&(struct timespec){.tv_nsec = 110000000}, NULL);
    return typed;
}

enum { MOST = 64 };

/* Characters as they are; '\1' begins a paste, '\2' ends it, '\3' begins a mouse report, '\4' is
 * the key Up, '\5' a key that nobody knows, '\6' a short pause, '\7' one too long for a link. */
static size_t spell(const char *text, es_typed out[MOST]) {
    static const es_typed special[] = {{ES_TYPED_PASTE_BEGIN, 0}, {ES_TYPED_PASTE_END, 0},
                                       {ES_TYPED_MOUSE, 0},       {ES_TYPED_KEY, ES_KEY_UP},
                                       {ES_TYPED_KEY, 0},         {ES_TYPED_NOTHING, 0},
                                       {ES_TYPED_NOTHING, 1}};
    size_t count = 0;
    for (; text[count] != '\0' && count < MOST; count++) {
        unsigned char c = (unsigned char)text[count];
        out[count] = c <= 7 ? special[c - 1] : (es_typed){ES_TYPED_CHARACTER, c};
    }
    return count;
}

/* What was meant, as text: keys as characters, Up as '^', "<...>" a paste, "[kind x,y]" the mouse.
 */
static void meant(const char *text, char *out, size_t capacity) {
    es_typed typed[MOST];
    typist t = {typed, spell(text, typed), 0};
    es_reader reader;
    size_t used = 0;
    es_reader_init(&reader, type, &t);
    out[0] = '\0';
    for (int idle = 0; idle < 4;) { /* after a pause the caller asks again */
        es_input in = es_reader_read(&reader);
        idle = in.kind == ES_INPUT_NONE ? idle + 1 : 0;
        if (in.kind == ES_INPUT_KEY)
            used += (size_t)snprintf(out + used, capacity - used, "%c",
                                     in.key == ES_KEY_UP      ? '^'
                                     : in.key == ES_KEY_ENTER ? '!'
                                     : in.key == ES_KEY_ESC   ? '$'
                                                              : (int)in.key);
        else if (in.kind == ES_INPUT_PASTE)
            used += (size_t)snprintf(out + used, capacity - used, "<%s>", in.text);
        else if (in.kind == ES_INPUT_MOUSE)
            used += (size_t)snprintf(out + used, capacity - used, "[%d %d,%d]", (int)in.mouse, in.x,
                                     in.y);
    }
    es_reader_free(&reader);
}

static void check(const char *typed, const char *wanted) {
    char out[256];
    meant(typed, out, sizeof out);
    assert_string_equal(out, wanted);
}

TEST(keys__characters__are_keys) {
    check("qx\4\n", "qx^!");
    check("a\5b", "ab"); /* what nobody knows is no key */
    check("a\6b", "ab");
}

TEST(keys__paste__runs_nothing) {
    check("\1q\nr\2x", "<q\nr>x");
    check("\1q\4r\2", "<qr>");   /* no keys in it */
    check("\1q\6r\2x", "<qr>x"); /* it may come in pieces */
    check("\1\2x", "x");
}

TEST(keys__mouse__clicks_and_wheel) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "[%d 4,6]", (int)ES_MOUSE_CLICK);
    check("\3"
          "0;5;7M",
          wanted);
    snprintf(wanted, sizeof wanted, "[%d 4,6]x", (int)ES_MOUSE_WHEEL_DOWN);
    check("\3"
          "65;5;7Mx",
          wanted);
    check("\3"
          "0;5;7mx",
          "x"); /* a release */
    check("\3"
          "2;5;7Mx",
          "x"); /* another button */
    check("\3"
          "0;5Mx",
          "x"); /* half a report */
    check("\3"
          "0;5\4x",
          "^x"); /* broken off by a key */
}

TEST(keys__escape__takes_no_key_with_it) {
    check("\033", "$");
    check("\033\4", "$^");
    check("\033[?64;1;2cx", "x"); /* an answer */
    check("\033[57x", "");        /* a sequence that nobody knows: its end is no key */
}

/* kitty and others can send keys by their code points. */
TEST(keys__csi_u__are_keys) {
    check("\033[106u", "j");
    check("\033[106;1u\033[107u", "jk");
    check("\033[103;2u", "G");    /* Shift */
    check("\033[49:33;2u", "!");  /* the character that Shift makes of it */
    check("\033[100;5u", "\004"); /* Ctrl-D */
    check("\033[91;5u", "$");     /* Ctrl-[ */
    check("\033[13u\033[27u", "!$");
    check("\033[9u\033[127u", "\t\177");
    check("\033[57419u\033[57403u", "^4"); /* Up and 4 of the number pad */
    check("\033[106;1:3ux", "x");          /* released */
    check("\033[106;3ux", "x");            /* Alt */
    check("\033[57441ux", "x");            /* Shift alone */
    check("\033\6[106;1ux", "$jx");        /* over a slow link */
    check("\033[\6"
          "106ux",
          "jx"); /* torn twice */
}

/* A slow link brings the ESC of a key by itself: what follows is no typing. */
TEST(keys__torn_escape__is_not_three_keys) {
    check("\033\6[A", "$^");
    check("\033\6OAx", "$^x");
    check("\033\6[1;5Ax", "$^x");
    check("\033\6[57x", "$");
    check("\033\6[<0;5;7m\6x", "$x"); /* the mouse is let go */
    check("\033\6[\6Ax", "$^x");      /* torn twice */
    check("\033[\6Ax", "^x");         /* not even the ESC acts */
    check("\033O\6\6Ax", "^x");
    check("\033[\6jx", "$[jx"); /* Alt and a key, by hand */
    check("\033\6[\7A", "$[A"); /* by hand, too slow for a link */
    check("\033[\7A", "$[A");
    check("\033[\6\033\6j", "$[$j");
    check("\033[\7", "$[");
    check("\033\6[x", "$[x");
    check("\033\6j", "$j");
}

/* ---- what a cell looks like ---- */

static es_look make_look(const char *text, es_depth depth) {
    es_theme theme;
    es_look look = {0};
    assert_ok(es_theme_parse(text, strlen(text), "t.theme", NULL, &theme, NULL, test_err()));
    es_look_set(&look, &theme, depth);
    return look;
}

static es_glyph show(const es_look *look, uint32_t code, es_paint fg, es_paint bg) {
    es_cell cell = {.code = {code}, .width = 1, .role = ES_ROLE_TEXT, .fg = fg, .bg = bg};
    es_glyph out;
    es_look_cell(look, &cell, &out);
    return out;
}

TEST(look__borders__follow_the_theme) {
    es_look rounded = make_look("", ES_DEPTH_256),
            square = make_look("borders = square\n", ES_DEPTH_256),
            heavy = make_look("borders = heavy\n", ES_DEPTH_256),
            ascii = make_look("borders = ascii\n", ES_DEPTH_256);
    assert_int_equal(show(&rounded, 0x256D, 0, 0).code, 0x256D);
    assert_int_equal(show(&square, 0x256D, 0, 0).code, 0x250C);
    assert_int_equal(show(&heavy, 0x256D, 0, 0).code, 0x250F);
    assert_int_equal(show(&heavy, 0x2500, 0, 0).code, 0x2501);
    assert_in_range(show(&ascii, 0x256D, 0, 0).code, 0x20, 0x7E);
}

TEST(look__braille__has_a_fallback) {
    es_look block = make_look("glyphs = block\n", ES_DEPTH_256),
            plain = make_look("", ES_DEPTH_256);
    assert_int_equal(show(&plain, 0x28FF, 0, 0).code, 0x28FF);
    assert_int_equal(show(&block, 0x28FF, 0, 0).code, 0x2588);
    assert_int_equal(show(&block, 0x2803, 0, 0).code, 0x2598);
    plain.ascii = true;
    assert_in_range(show(&plain, 0x28FF, 0, 0).code, 0x20, 0x7E);
}

TEST(look__values__by_colour_or_by_ramp) {
    static const char text[] = "[colormap heat]\nstops = #000000 #ffffff\nramp = \" .:#\"\n";
    es_look many = make_look(text, ES_DEPTH_RGB), few = make_look(text, ES_DEPTH_8);
    es_glyph low = show(&many, ' ', 0, ES_PAINT_HEAT),
             high = show(&many, ' ', 0, ES_PAINT_HEAT | 255);
    assert_int_not_equal(low.bg, high.bg);
    assert_int_equal(show(&many, 0x2580, ES_PAINT_HEAT | 9, ES_PAINT_HEAT | 9).code, ' ');
    assert_int_equal(show(&many, '7', 0, ES_PAINT_HEAT | 255).fg,
                     0x000000); /* a digit can be read */
    assert_int_equal(show(&many, '7', 0, ES_PAINT_HEAT).fg, 0xFFFFFF);
    assert_int_equal(show(&few, ' ', 0, ES_PAINT_HEAT).code, ' ');
    assert_int_equal(show(&few, ' ', 0, ES_PAINT_HEAT | 255).code, '#');
    assert_int_equal(show(&few, 0x2580, ES_PAINT_HEAT, ES_PAINT_HEAT | 255).code,
                     '.'); /* the mean */
}

/* Blocks of quarters say something by their shape: it must show in every theme, whatever the
 * colours of its two values are. */
TEST(look__quarters__always_show) {
    static const char *const themes[] = {"default-dark",    "default-light", "terminal",
                                         "high-contrast",   "nord",          "gruvbox",
                                         "solarized-light", "mono"};
    static const es_paint maps[] = {ES_PAINT_HEAT, ES_PAINT_DIVERGE};
    static es_theme theme;
    static es_look look;
    for (size_t i = 0; i < sizeof themes / sizeof *themes; i++)
        for (int rgb = 0; rgb < 2; rgb++) {
            assert_ok(es_theme_load(themes[i], ES_THEME_DIR, &theme, NULL, NULL));
            es_look_set(&look, &theme, rgb ? ES_DEPTH_RGB : ES_DEPTH_256);
            bool halves = look.depth >= ES_DEPTH_256; /* with fewer colours there are none */
            for (size_t m = 0; m < 2 && halves; m++)
                for (unsigned a = 0; a < 256; a += 5)
                    for (unsigned b = 0; b < 256; b += 3) {
                        es_paint full = (es_paint)(maps[m] | a), dim = (es_paint)(maps[m] | b);
                        dim |= ES_PAINT_DIM;
                        es_glyph both = show(&look, 0x259A, full, dim),
                                 one = show(&look, 0x2598, dim, ES_PAINT_NONE);
                        assert_int_equal(both.code, 0x259A);
                        assert_int_not_equal(both.fg, both.bg);
                        assert_int_not_equal(one.fg, one.bg);
                    }
        }
}

TEST(look__reverse__is_undone_by_reverse) {
    es_look look = make_look("[roles]\nselection = reverse\n", ES_DEPTH_256);
    es_cell cell = {.code = {'x'}, .width = 1, .role = ES_ROLE_SELECTION};
    es_glyph out;
    es_look_cell(&look, &cell, &out);
    assert_int_equal(out.attrs & ES_ATTR_REVERSE, ES_ATTR_REVERSE);
    cell.reverse = true;
    es_look_cell(&look, &cell, &out);
    assert_int_equal(out.attrs & ES_ATTR_REVERSE, 0);
}

/* Dim words in a dialog stand on the dialog, not on holes in it. */
TEST(look__dialog__is_the_ground_of_what_has_none) {
    es_look look = make_look("[roles]\nbackground = #ffffff on #000000\noverlay = #ffffff on "
                             "#222222\ntext.dim = #888888\nselection = #ffffff on #0000ff\n",
                             ES_DEPTH_RGB);
    es_grid grid = {.cursor_x = -1, .cursor_y = -1};
    es_glyph out;
    assert_true(es_grid_resize(&grid, 20, 3));
    es_grid_ground(&grid, (es_rect){2, 0, 10, 3}, ES_ROLE_OVERLAY);
    es_grid_text(&grid, 0, 1, ES_ROLE_TEXT_DIM, "abcdef");
    es_grid_text(&grid, 6, 1, ES_ROLE_SELECTION, "x");
    const struct {
        int x;
        es_colour bg;
    } expected[] = {{1, 0x000000}, {2, 0x222222}, {5, 0x222222}, {6, 0x0000ff}, {7, 0x222222}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        es_look_cell(&look, es_grid_at(&grid, expected[i].x, 1), &out);
        assert_int_equal(out.bg, expected[i].bg);
    }
    es_grid_free(&grid);
}
