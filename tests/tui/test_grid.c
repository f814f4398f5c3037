#include <locale.h>
#include <wchar.h>

#include "tui/grids.h"

static es_grid grid_of(int w, int h) {
    es_grid grid = {0};
    assert_true(es_grid_resize(&grid, w, h));
    return grid;
}

static void assert_screen(const es_grid *grid, const char *expected) {
    char *text = test_keep(es_grid_dump_text(grid), es_free);
    assert_string_equal(text, expected);
}

TEST(grid_text__draws__latin_and_greek) {
    es_grid grid = grid_of(12, 2);
    assert_int_equal(es_grid_text(&grid, 1, 0, ES_ROLE_TEXT, "γ=1 → é"), 7);
    assert_int_equal(es_grid_printf(&grid, 0, 1, ES_ROLE_TEXT, "%d/%s", 42, "x"), 4);
    assert_screen(&grid, " γ=1 → é\n42/x\n");
    es_grid_free(&grid);
}

TEST(grid_text__joins__combining_marks) {
    es_grid grid = grid_of(8, 1);
    assert_int_equal(es_grid_text(&grid, 0, 0, ES_ROLE_TEXT, "e\xCC\x81x"), 2);
    assert_int_equal(es_grid_at(&grid, 0, 0)->code[0], 'e');
    assert_int_equal(es_grid_at(&grid, 0, 0)->code[1], 0x301);
    assert_int_equal(es_grid_at(&grid, 1, 0)->code[0], 'x');
    assert_screen(&grid, "e\xCC\x81x\n");
    es_grid_free(&grid);
}

/* A joiner belongs to its letter; between pictures terminals would draw one in place of two. */
TEST(grid_text__joins__letters_but_no_pictures) {
    es_grid grid = grid_of(8, 1);
    assert_int_equal(es_grid_text(&grid, 0, 0, ES_ROLE_TEXT, "\xDB\x8C\xE2\x80\x8C\xD8\xAE"), 2);
    assert_int_equal(es_grid_at(&grid, 0, 0)->code[1], 0x200C);
    assert_int_equal(
        es_grid_text(&grid, 2, 0, ES_ROLE_TEXT, "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9"), 4);
    assert_int_equal(es_grid_at(&grid, 2, 0)->code[1], 0);
    assert_int_equal(es_grid_at(&grid, 4, 0)->code[0], 0x1F469);
    es_grid_free(&grid);
}

TEST(grid_text__keeps__only_the_marks_that_fit) {
    es_grid grid = grid_of(4, 1);
    const char *zalgo = "a\xCC\x81\xCC\x82\xCC\x83\xCC\x84\xCC\x85\xCC\x86"
                        "b";
    assert_int_equal(es_grid_text(&grid, 0, 0, ES_ROLE_TEXT, zalgo), 2);
    assert_int_equal(es_grid_at(&grid, 0, 0)->code[3], 0x303);
    assert_int_equal(es_grid_at(&grid, 1, 0)->code[0], 'b');
    es_grid_free(&grid);
}

TEST(grid_text__draws__wide_characters_in_two_cells) {
    es_grid grid = grid_of(6, 1);
    assert_int_equal(es_grid_text(&grid, 0, 0, ES_ROLE_TEXT, "中文x"), 5);
    assert_int_equal(es_grid_at(&grid, 0, 0)->width, 2);
    assert_int_equal(es_grid_at(&grid, 1, 0)->width, 0);
    assert_int_equal(es_grid_at(&grid, 4, 0)->code[0], 'x');
    assert_screen(&grid, "中文x\n");
    es_grid_free(&grid);
}

TEST(grid_text__blanks__a_wide_character_cut_by_the_edge) {
    es_grid grid = grid_of(4, 1);
    es_grid_text(&grid, 3, 0, ES_ROLE_TEXT, "中");
    es_grid_text(&grid, -1, 0, ES_ROLE_TEXT, "文");
    assert_screen(&grid, "\n");
    for (int x = 0; x < 4; x++)
        assert_int_equal(es_grid_at(&grid, x, 0)->width, 1);
    es_grid_free(&grid);
}

TEST(grid_text__blanks__the_other_half_when_one_is_overwritten) {
    es_grid grid = grid_of(6, 1);
    es_grid_text(&grid, 0, 0, ES_ROLE_TEXT, "中文国");
    es_grid_text(&grid, 1, 0, ES_ROLE_TEXT, "ab");
    assert_screen(&grid, " ab 国\n");
    es_grid_free(&grid);
}

TEST(grid_text__shows__escapes_as_replacement) {
    es_grid grid = grid_of(20, 1);
    es_grid_text(&grid, 0, 0, ES_ROLE_TEXT, "a\033]52;c;x\a\xE2\x80\xAE\xFF");
    char *text = test_keep(es_grid_dump_text(&grid), es_free);
    assert_null(strchr(text, 033));
    assert_null(strchr(text, '\a'));
    assert_string_equal(text, "a\xEF\xBF\xBD]52;c;x\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\n");
    es_grid_free(&grid);
}

TEST(grid_text__stays_inside__the_clip) {
    es_grid grid = grid_of(8, 2);
    es_rect old = es_grid_clip(&grid, (es_rect){2, 0, 3, 1});
    es_grid_text(&grid, 0, 0, ES_ROLE_TEXT, "abcdefgh");
    es_grid_text(&grid, 0, 1, ES_ROLE_TEXT, "abcdefgh");
    es_grid_fill(&grid, (es_rect){-5, -5, 100, 100}, ES_ROLE_MARK, 0);
    assert_int_equal(es_grid_at(&grid, 1, 0)->role, ES_ROLE_BACKGROUND);
    assert_int_equal(es_grid_at(&grid, 2, 0)->role, ES_ROLE_MARK);
    es_grid_set_clip(&grid, old);
    es_grid_text(&grid, 7, 1, ES_ROLE_TEXT, "xyz");
    assert_screen(&grid, "\n       x\n");
    es_grid_free(&grid);
}

TEST(grid_ascii__maps__boxes_blocks_braille_and_letters) {
    es_grid grid = grid_of(30, 1);
    grid.ascii = true;
    es_grid_text(&grid, 0, 0, ES_ROLE_TEXT, "┏━┓│─╮❯●▲→…é█▁⣿⠀±中e\xCC\x81");
    assert_screen(&grid, "+=+|-+>*^->..e#_# +-??e\n");
    es_grid_free(&grid);
}

/* A bound without its sign, or an error without its sign, would say something else. */
TEST(grid_ascii__spells_out__what_one_character_cannot_say) {
    es_grid grid = grid_of(40, 2);
    const char *text = "d≤8 ±2 ≥≠ a→b ✓·× ρτγ";
    assert_int_equal(es_grid_width(&grid, text), es_text_width(text));
    grid.ascii = true;
    assert_int_equal(es_grid_width(&grid, text), 34);
    assert_int_equal(es_grid_text(&grid, 0, 0, ES_ROLE_TEXT, text), 34);
    es_grid_text(&grid, 34, 0, ES_ROLE_TEXT, "|");
    assert_screen(&grid, "d<=8 +-2 >=!= a->b v.x rhotaugamma|\n\n");
    es_grid_free(&grid);
}

TEST(grid_ascii__fields_keep_their_width__whatever_is_spelled_out) {
    es_grid grid = grid_of(24, 1);
    grid.ascii = true;
    for (int w = 1; w <= 20; w++) {
        es_grid_fill(&grid, (es_rect){0, 0, 24, 1}, ES_ROLE_TEXT, '#');
        es_grid_field(&grid, 1, 0, w, 1, ES_ROLE_TEXT, "0.118 ±0.012 ≤ 中→…");
        assert_int_equal(es_grid_at(&grid, 0, 0)->code[0], '#');
        assert_int_equal(es_grid_at(&grid, w + 1, 0)->code[0], '#');
        assert_int_not_equal(es_grid_at(&grid, w, 0)->code[0], '#');
    }
    es_grid_free(&grid);
}

TEST(grid_ascii__never_holds__anything_else) {
    es_grid grid = grid_of(2, 1);
    grid.ascii = true;
    for (uint32_t code = 0; code < 0x30000; code++) {
        es_grid_fill(&grid, (es_rect){0, 0, 1, 1}, ES_ROLE_TEXT, code);
        uint32_t shown = es_grid_at(&grid, 0, 0)->code[0];
        if (shown < 0x20 || shown > 0x7E)
            fail_msg("U+%04X is drawn as 0x%X", code, shown);
    }
    es_grid_free(&grid);
}

TEST(grid_half__shows__two_values_or_a_ramp) {
    es_grid grid = grid_of(3, 1);
    es_grid_half(&grid, 0, 0, ES_ROLE_TEXT, ES_PAINT_HEAT + 255, ES_PAINT_HEAT + 3);
    assert_int_equal(es_grid_at(&grid, 0, 0)->fg, ES_PAINT_HEAT + 255);
    assert_int_equal(es_grid_at(&grid, 0, 0)->bg, ES_PAINT_HEAT + 3);
    grid.ascii = true;
    es_grid_half(&grid, 1, 0, ES_ROLE_TEXT, ES_PAINT_HEAT + 255, ES_PAINT_HEAT + 255);
    es_grid_half(&grid, 2, 0, ES_ROLE_TEXT, ES_PAINT_HEAT + 128, ES_PAINT_NONE);
    assert_screen(&grid, "▀@+\n");
    es_grid_block(&grid, 0, 0, ES_ROLE_TEXT, 0x259A, ES_PAINT_HEAT + 255, ES_PAINT_HEAT + 255);
    grid.ascii = false;
    es_grid_block(&grid, 1, 0, ES_ROLE_TEXT, 0x259A, ES_PAINT_HEAT + 1, ES_PAINT_HEAT + 2);
    assert_int_equal(es_grid_at(&grid, 1, 0)->fg, ES_PAINT_HEAT + 1);
    assert_int_equal(es_grid_at(&grid, 1, 0)->bg, ES_PAINT_HEAT + 2);
    assert_screen(&grid, "@▚+\n");
    es_grid_free(&grid);
}

TEST(grid_field__shortens__in_the_middle) {
    es_grid grid = grid_of(40, 1);
    es_grid_field(&grid, 0, 0, 13, -1, ES_ROLE_TEXT, "SFR-Embedding-Mistral");
    es_grid_field(&grid, 14, 0, 6, 1, ES_ROLE_TEXT, "0.7");
    es_grid_field(&grid, 21, 0, 7, 0, ES_ROLE_TEXT, "mid");
    es_grid_text(&grid, 28, 0, ES_ROLE_TEXT, "|");
    assert_screen(&grid, "SFR-Embe…tral    0.7   mid  |\n");
    es_grid_free(&grid);
}

/* A field fills exactly its columns for every width and any text. */
TEST(grid_field__fills_exactly__every_width) {
    static const char *const texts[] = {"",
                                        "x",
                                        "all-MiniLM-L6-v2",
                                        "bge-base-中文-v1.5",
                                        "中",
                                        "中文中文中文",
                                        "e\xCC\x81\xCC\x82longer-name",
                                        "\xFF\xFE\033"};
    es_grid grid = grid_of(40, 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int w = 0; w < 30; w++) {
            es_grid_clear(&grid);
            es_grid_fill(&grid, (es_rect){0, 0, 40, 1}, ES_ROLE_TEXT, '#');
            es_grid_field(&grid, 3, 0, w, (int)(i % 3) - 1, ES_ROLE_MARK, texts[i]);
            for (int x = 0; x < 40; x++) {
                const es_cell *cell = es_grid_at(&grid, x, 0);
                bool inside = x >= 3 && x < 3 + w;
                assert_int_equal(cell->role, inside ? ES_ROLE_MARK : ES_ROLE_TEXT);
                if (!inside)
                    assert_int_equal(cell->code[0], '#');
            }
        }
    es_grid_free(&grid);
}

TEST(grid_pane__draws__border_and_captions) {
    es_grid grid = grid_of(24, 3);
    es_rect inside = es_grid_pane(&grid, (es_rect){0, 0, 24, 3}, true, "Rank", "sort", "9/42");
    assert_screen(&grid, "┏━ Rank ━━━━━━━━ sort ━┓\n┃                      ┃\n"
                         "┗━━━━━━━━━━━━━━━ 9/42 ━┛\n");
    assert_int_equal(inside.w, 22);
    assert_int_equal(inside.h, 1);
    grid.ascii = true;
    es_grid_pane(&grid, (es_rect){0, 0, 24, 3}, false, "Rank", NULL, NULL);
    assert_screen(&grid, "+- Rank ---------------+\n|                      |\n"
                         "+----------------------+\n");
    es_grid_free(&grid);
}

TEST(grid_pane__is_total__for_any_rectangle) {
    es_grid grid = grid_of(20, 6);
    for (int w = -2; w < 24; w++)
        for (int h = -2; h < 8; h++)
            for (int x = -3; x < 22; x += 5) {
                es_rect in = es_grid_pane(&grid, (es_rect){x, x / 2, w, h}, (w + h) & 1,
                                          "中文 title", "right", "bottom text");
                assert_true(in.w >= 0 && in.h >= 0);
            }
    es_grid_free(&grid);
}

TEST(grid_resize__accepts__nothing_at_all) {
    es_grid grid = grid_of(0, 0);
    es_grid_text(&grid, 0, 0, ES_ROLE_TEXT, "x");
    es_grid_half(&grid, 0, 0, ES_ROLE_TEXT, 0, 0);
    assert_null(es_grid_at(&grid, 0, 0));
    assert_screen(&grid, "");
    es_alloc_fail_after(0);
    assert_false(es_grid_resize(&grid, 4, 4));
    es_alloc_fail_after(-1);
    assert_int_equal(grid.w, 0);
    es_grid_free(&grid);
}

TEST(grid_dump_roles__names__each_role_used) {
    es_grid grid = grid_of(4, 1);
    es_grid_text(&grid, 1, 0, ES_ROLE_SELECTION, "ab");
    es_grid_at(&grid, 2, 0)->reverse = true;
    char *roles = test_keep(es_grid_dump_roles(&grid), es_free);
    assert_contains(roles, " selection\n");
    assert_contains(roles, ". background\n");
    assert_contains(roles, "reversed 2,0\n");
    assert_int_equal(roles[0], '.');
    assert_int_equal(roles[1], roles[2]);
    es_grid_free(&grid);
}

/* The fallback table and the C library must give the same layout for all that we expect in names.
 */
TEST(code_width__agrees__with_and_without_locale) {
    static const uint32_t blocks[][2] = {
        {0x20, 0x7E},     {0xA1, 0xAC},     {0xC0, 0x2AF},    {0x370, 0x377},   {0x391, 0x3A1},
        {0x410, 0x44F},   {0x300, 0x36F},   {0x2010, 0x2027}, {0x2190, 0x21FF}, {0x2500, 0x25FF},
        {0x2800, 0x28FF}, {0x3041, 0x3096}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, {0xFF01, 0xFF60}};
    setlocale(LC_ALL, "C");
    static signed char widths[0x10000];
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (uint32_t code = blocks[b][0]; code <= blocks[b][1]; code++)
            widths[code] = (signed char)es_code_width(code);
    if (!setlocale(LC_ALL, "C.UTF-8"))
        skip();
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (uint32_t code = blocks[b][0]; code <= blocks[b][1]; code++)
            if (widths[code] != es_code_width(code))
                fail_msg("U+%04X: %d against %d", code, widths[code], es_code_width(code));
    setlocale(LC_ALL, "C");
}

TEST(role_find__reverses__role_name) {
    for (int role = 0; role < ES_ROLE_COUNT; role++)
        assert_int_equal(es_role_find(es_role_name((es_role)role)), role);
    assert_int_equal(es_role_find("no.such"), ES_ROLE_COUNT);
}

static const char *name_of(const void *context, size_t i) {
    return ((const char *const *)context)[i];
}

TEST(grid_field__names_alike__differ) {
    static const char *const name[] = {"Alibaba-NLP/gte-multilingual-base-to-256-dimensions",
                                       "Alibaba-NLP/gte-multilingual-base-to-512-dimensions"};
    static const char *const other[] = {"short", "Alibaba-NLP/gte-multilingual-base"};
    es_grid *grid = grid_kept();
    char first[2][64];
    for (int ascii = 0; ascii < 2; ascii++) {
        assert_true(es_grid_resize(grid, 40, 2));
        grid->ascii = ascii;
        es_grid_set_names(grid, 2, name_of, name);
        for (int w = 4; w <= 40; w++) {
            for (int i = 0; i < 2; i++) {
                es_grid_clear(grid);
                es_grid_field(grid, 0, 0, w, -1, ES_ROLE_TEXT, name[i]);
                char *text = es_grid_dump_text(grid);
                (void)snprintf(first[i], sizeof first[i], "%s", text);
                es_free(text);
            }
            assert_string_not_equal(first[0], first[1]);
        }
        es_grid_field(grid, 0, 0, 24, -1, ES_ROLE_TEXT, name[1]);
        char *text = es_grid_dump_text(grid);
        assert_contains(text, "512");
        es_free(text);
        /* Another pool: its names, and no other's. */
        es_grid_set_names(grid, 2, name_of, other);
        assert_null(es_grid_short_name(grid, name[0], 20));
        assert_string_equal(es_grid_short_name(grid, other[1], 14),
                            ascii ? "…gte-mu…base" : "…gte-mult…base");
    }
}
