#include "tui/grids.h"
#include "tui_terminal.h"

static size_t count(const char *text, const char *part) {
    size_t n = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        n++;
    return n;
}

static void take_theme(es_look *look, const char *name, es_depth depth) {
    static es_theme theme;
    assert_ok(es_theme_load(name, ES_THEME_DIR, &theme, NULL, test_err()));
    es_look_set(look, &theme, depth);
}

static char *draw_at(const es_grid *grid, const char *theme_name, es_depth depth) {
    static es_look look;
    take_theme(&look, theme_name, depth);
    char *svg = es_screen_svg(grid, &look);
    assert_non_null(svg);
    assert_int_equal(strncmp(svg, "<svg ", 5), 0);
    assert_int_equal(count(svg, "<text"), count(svg, "</text>"));
    assert_string_equal(svg + strlen(svg) - 7, "</svg>\n");
    return svg;
}

static char *draw(const es_grid *grid, const char *theme_name) {
    return draw_at(grid, theme_name, ES_DEPTH_RGB);
}

/* Is a colour of the picture one that a terminal of this depth has? */
static bool has_colour(es_depth depth, uint32_t rgb) {
    for (unsigned i = 0; i < (depth == ES_DEPTH_256 ? 256U : 16U); i++)
        if (es_palette_rgb((uint8_t)i) == rgb)
            return true;
    return rgb == 0x1C1C1C || rgb == 0xDADADA; /* stand for the terminal's own */
}

/* What --color says holds for the picture, too: its colours, and characters in their place. */
TEST(picture__svg__has_the_colours_of_the_depth) {
    static const struct {
        es_depth depth;
        size_t least, most; /* different colours */
        bool ramp;          /* values are characters */
    } rows[] = {{ES_DEPTH_MONO, 1, 2, true},
                {ES_DEPTH_16, 3, 16, true},
                {ES_DEPTH_256, 8, 40, false},
                {ES_DEPTH_RGB, 20, 80, false}};
    es_grid *grid = grid_kept();
    assert_true(es_grid_resize(grid, 40, 3));
    es_grid_clear(grid);
    es_grid_text(grid, 0, 1, ES_ROLE_WARNING, "warning");
    es_grid_text(grid, 10, 1, ES_ROLE_KEY, "key");
    es_grid_text(grid, 20, 1, ES_ROLE_ERROR, "error");
    for (int x = 0; x < 32; x++)
        es_grid_half(grid, x, 0, ES_ROLE_TEXT, (es_paint)(ES_PAINT_HEAT + x * 8),
                     (es_paint)(ES_PAINT_HEAT + x * 8));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *svg = draw_at(grid, "default-dark", rows[i].depth);
        size_t different = 0;
        uint32_t seen[256];
        for (const char *at = svg; (at = strstr(at, "fill=\"#")) != NULL; at++) {
            uint32_t rgb = (uint32_t)strtoul(at + 7, NULL, 16);
            size_t k = 0;
            if (rows[i].depth < ES_DEPTH_RGB && !has_colour(rows[i].depth, rgb))
                fail_msg("depth %d: #%06x", (int)rows[i].depth, (unsigned)rgb);
            while (k < different && seen[k] != rgb)
                k++;
            if (k == different)
                seen[different++] = rgb;
        }
        assert_in_range(different, rows[i].least, rows[i].most);
        assert_int_equal(strstr(svg, "##") != NULL, rows[i].ramp);
        es_free(svg);
    }
}

/* The theme's lines and dots, and ASCII alone where a terminal has no more. */
TEST(picture__svg__has_the_characters_of_the_theme) {
    static es_look look;
    es_grid *grid = grid_kept();
    assert_true(es_grid_resize(grid, 20, 3));
    es_grid_clear(grid);
    es_grid_text(grid, 0, 0, ES_ROLE_TEXT, "\xe2\x95\xad\xe2\xa3\xbf"); /* corner, 8 dots */
    take_theme(&look, "default-dark", ES_DEPTH_RGB);
    look.theme.borders = ES_BORDERS_HEAVY;
    look.theme.glyphs = ES_GLYPHS_BLOCK;
    char *svg = es_screen_svg(grid, &look);
    assert_contains(svg, "\xe2\x94\x8f"); /* a heavy corner */
    assert_int_equal(count(svg, "<path"), 0);
    es_free(svg);
    look.ascii = true;
    svg = es_screen_svg(grid, &look);
    assert_contains(svg, ">+");
    es_free(svg);
}

TEST(picture__svg__holds_text_and_escapes_it) {
    es_grid *grid = grid_kept();
    assert_true(es_grid_resize(grid, 30, 3));
    es_grid_clear(grid);
    es_grid_text(grid, 1, 1, ES_ROLE_TEXT, "a<b&c>d \xe4\xb8\xad");
    char *svg = draw(grid, "default-dark");
    assert_contains(svg, ">a&lt;b&amp;c&gt;d</text>");
    assert_contains(svg, "\xe4\xb8\xad</text>");
    es_free(svg);
}

TEST(picture__svg__paints_half_blocks_and_marks_rows) {
    es_grid *grid = grid_kept();
    assert_true(es_grid_resize(grid, 10, 2));
    es_grid_clear(grid);
    for (int x = 0; x < 4; x++) /* one colour above, two below */
        es_grid_half(grid, x, 0, ES_ROLE_TEXT, ES_PAINT_HEAT + 10,
                     (es_paint)(ES_PAINT_HEAT + (x < 2 ? 100 : 250)));
    char *svg = draw(grid, "default-light");
    /* the picture's ground, two runs below, one run above */
    assert_int_equal(count(svg, "<rect"), 4);
    assert_int_equal(count(svg, "<text"), 0);
    es_free(svg);
    es_grid_role(grid, (es_rect){0, 1, 10, 1}, ES_ROLE_SELECTION);
    svg = draw(grid, "default-light");
    assert_int_equal(count(svg, "<rect"), 5);
    es_free(svg);
}

TEST(picture__svg__draws_quarters_as_rectangles) {
    static const struct {
        uint32_t code;
        size_t rects; /* filled quarters, side by side as one */
    } blocks[] = {{0x2584, 1}, {0x2597, 1}, {0x2598, 1}, {0x259a, 2}, {0x259b, 2}, {0x259f, 2}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        es_grid *grid = grid_kept();
        assert_true(es_grid_resize(grid, 3, 1));
        es_grid_clear(grid);
        es_grid_block(grid, 1, 0, ES_ROLE_TEXT, blocks[i].code, ES_PAINT_HEAT + 250,
                      ES_PAINT_HEAT + 10);
        char *svg = draw(grid, "default-dark");
        assert_int_equal(count(svg, "<rect"),
                         2 + blocks[i].rects); /* grounds of picture and cell */
        assert_int_equal(count(svg, "<text"), 0);
        es_free(svg);
    }
}

/* Beyond ASCII each character has its place; braille is drawn, dot by dot. */
TEST(picture__svg__keeps_columns_whatever_the_font) {
    es_grid *grid = grid_kept();
    assert_true(es_grid_resize(grid, 20, 3));
    es_grid_clear(grid);
    es_grid_text(grid, 0, 0, ES_ROLE_TEXT, "plain");
    es_grid_text(grid, 0, 1, ES_ROLE_TEXT,
                 "\xce\xb1\xe4\xb8\xad"
                 "b");                                      /* the second is wide */
    es_grid_text(grid, 10, 1, ES_ROLE_TEXT, "xe\xcc\x81y"); /* the second has an accent */
    es_grid_text(grid, 0, 2, ES_ROLE_TEXT,
                 "\xe2\xa0\x80\xe2\xa3\xbf\xe2\xa0\x81"); /* 0, 8, 1 dots */
    char *svg = draw(grid, "default-dark");
    assert_contains(svg, "<text x=\"8.00\" textLength=\"42.15\" ");
    assert_contains(svg, "<text x=\"8.00 16.43 33.29\" y=");
    assert_contains(svg, ">e\xcc\x81</text>");
    assert_int_equal(count(svg, "textLength"), 3); /* plain, x, y */
    assert_int_equal(count(svg, "<path"), 1);
    assert_int_equal(count(svg, "v2.4"), 9);
    assert_lacks(svg, "\xe2\xa3\xbf");
    es_free(svg);
}

TEST(picture__svg__survives_lack_of_memory_and_no_cells) {
    es_grid *grid = grid_kept();
    assert_true(es_grid_resize(grid, 0, 0));
    char *svg = draw(grid, "mono");
    es_free(svg);
    assert_true(es_grid_resize(grid, 200, 60));
    es_grid_clear(grid);
    for (int y = 0; y < 60; y++)
        es_grid_text(grid, y, y, ES_ROLE_KEY, "many words");
    static es_look look;
    take_theme(&look, "nord", ES_DEPTH_RGB);
    for (long after = 0; after < 3; after++) {
        es_alloc_fail_after(after);
        assert_null(es_screen_svg(grid, &look));
        es_alloc_fail_after(-1);
    }
}
