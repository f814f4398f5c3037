#include "testing.h"
#include "tui_draw.h"

static es_grid grid;
static const es_rect all = {1, 1, 12, 3};

static es_plot begin(es_plot_style style) {
    assert_true(es_grid_resize(&grid, 14, 5));
    es_grid_clear(&grid);
    grid.ascii = style == ES_PLOT_ASCII;
    return es_plot_begin(&grid, all, style, ES_ROLE_BACKGROUND);
}

static uint32_t at(int x, int y) {
    return es_grid_at(&grid, x, y)->code[0];
}

TEST(dot__braille__sets_its_bit) {
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 2; x++) {
            es_plot plot = begin(ES_PLOT_BRAILLE);
            assert_int_equal(plot.w, 24);
            assert_int_equal(plot.h, 12);
            es_plot_dot(&plot, 2 + x, 4 + y, ES_ROLE_POINT);
            assert_int_equal(at(2, 2), 0x2800 + bits[y][x]);
        }
    es_plot plot = begin(ES_PLOT_BRAILLE);
    es_plot_dot(&plot, 0, 0, ES_ROLE_POINT);
    es_plot_dot(&plot, 1, 3, ES_ROLE_FIT);
    assert_int_equal(at(1, 1), 0x2881); /* both, in the colour of the later one */
    assert_int_equal(es_grid_at(&grid, 1, 1)->role, ES_ROLE_FIT);
    assert_int_equal(at(2, 1), ' ');
}

TEST(dot__outside__is_dropped) {
    es_plot plot = begin(ES_PLOT_BRAILLE);
    es_plot_point(&plot, -2, 3, ES_ROLE_POINT);
    es_plot_point(&plot, 24, 3, ES_ROLE_POINT);
    es_plot_dot(&plot, 3, 12, ES_ROLE_POINT);
    es_plot_glyph(&plot, 3, -1, ES_ROLE_POINT, "x");
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 14; x++)
            assert_true(at(x, y) == 0 || at(x, y) == ' ');
}

TEST(point__blocks_and_ascii__fall_back) {
    es_plot plot = begin(ES_PLOT_BLOCKS);
    assert_int_equal(plot.h, 6);
    es_plot_dot(&plot, 0, 0, ES_ROLE_POINT);
    assert_int_equal(at(1, 1), 0x2598);
    es_plot_dot(&plot, 1, 1, ES_ROLE_POINT);
    assert_int_equal(at(1, 1), 0x259A);
    es_plot_point(&plot, 2, 0, ES_ROLE_POINT);
    es_plot_under(&plot, 3, 1, ES_ROLE_FIT);
    assert_int_equal(at(2, 1), 0x25A0);
    plot = begin(ES_PLOT_ASCII);
    assert_int_equal(plot.w, 12);
    es_plot_point(&plot, 0, 0, ES_ROLE_POINT);
    assert_int_equal(at(1, 1), 'o');
    es_plot_point(&plot, 0, 0, ES_ROLE_POINT);
    assert_int_equal(at(1, 1), '8');
    es_plot_line(&plot, 0, 0, 11, 0, 1, ES_ROLE_FIT);
    assert_int_equal(at(1, 1), '8'); /* lines stay behind */
    assert_int_equal(at(12, 1), '.');
}

TEST(line__any_direction__joins_its_ends) {
    static const int ends[][4] = {{0, 0, 23, 11}, {23, 11, 0, 0}, {0, 11, 23, 0}, {5, 0, 5, 11}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        es_plot plot = begin(ES_PLOT_BRAILLE);
        es_plot_point(&plot, 10, 4, ES_ROLE_POINT);
        es_role before = (es_role)es_grid_at(&grid, 6, 2)->role;
        es_plot_line(&plot, ends[i][0], ends[i][1], ends[i][2], ends[i][3], 1, ES_ROLE_FIT);
        assert_true(at(es_plot_column(&plot, ends[i][0]), es_plot_row(&plot, ends[i][1])) > 0x2800);
        assert_true(at(es_plot_column(&plot, ends[i][2]), es_plot_row(&plot, ends[i][3])) > 0x2800);
        assert_int_equal(es_grid_at(&grid, 6, 2)->role, before);
    }
}

TEST(label__crowded__finds_a_free_place_or_none) {
    es_plot plot = begin(ES_PLOT_BRAILLE);
    es_plot_point(&plot, 2, 4, ES_ROLE_POINT);
    assert_true(es_plot_label(&plot, 2, 4, ES_ROLE_TEXT, "right"));
    assert_int_equal(at(4, 2), 'r');
    es_plot_point(&plot, 22, 4, ES_ROLE_POINT); /* room only at a corner, then none */
    assert_true(es_plot_label(&plot, 22, 4, ES_ROLE_TEXT, "left"));
    assert_false(es_plot_label(&plot, 22, 4, ES_ROLE_TEXT, "far too long"));
    assert_true(es_plot_label(&plot, 20, 8, ES_ROLE_TEXT, "left"));
    assert_int_equal(at(6, 3), 'l');
    assert_false(es_plot_label(&plot, 20, 8, ES_ROLE_TEXT, "much too long for this"));
    assert_false(es_plot_label(&plot, -1, 0, ES_ROLE_TEXT, "x"));
    plot = begin(ES_PLOT_BRAILLE);
    es_plot_label(&plot, 2, 4, ES_ROLE_TEXT, "abc");
    es_plot_line(&plot, 0, 5, 23, 5, 1, ES_ROLE_FIT);
    assert_int_equal(at(4, 2), 'a'); /* lines do not cross names */
    plot = begin(ES_PLOT_BRAILLE);
    es_plot_line(&plot, 0, 4, 23, 4, 1, ES_ROLE_FIT);
    assert_true(es_plot_label(&plot, 2, 4, ES_ROLE_TEXT, "abc"));
    assert_true(at(4, 2) >= 0x2800); /* nor do names a line */
}

TEST(axis__ticks__are_round_and_few) {
    static const double span[] = {0.003, 0.37, 1, 17, 4200};
    for (size_t i = 0; i < sizeof span / sizeof *span; i++)
        for (int most = 1; most < 12; most++) {
            es_axis axis = es_axis_make(0.123, 0.123 + span[i], 100);
            double step = es_axis_step(&axis, most), ten = pow(10, floor(log10(step) + 1e-9));
            assert_true((axis.high - axis.low) / step <= most + 1e-9);
            assert_true(fabs(step / ten - 1) < 1e-9 || fabs(step / ten - 2) < 1e-9 ||
                        fabs(step / ten - 5) < 1e-9);
            long first, last;
            es_axis_ticks(&axis, step, &first, &last);
            assert_true((double)first * step >= axis.low && (double)(first - 1) * step < axis.low);
            assert_true((double)last * step <= axis.high && (double)(last + 1) * step > axis.high);
            double scaled = step * pow(10, es_axis_digits(step));
            assert_true(fabs(scaled - round(scaled)) < 1e-6);
        }
    es_axis axis = es_axis_make(2, 2, 50); /* one value: still an axis */
    assert_true(axis.high > axis.low);
    es_axis wild = es_axis_make(-1e308, 1e308, 50);
    long first, last;
    es_axis_ticks(&wild, es_axis_step(&wild, 5), &first, &last);
    assert_true(first > last || es_axis_digits(es_axis_step(&wild, 5)) == 0);
    assert_int_equal(es_axis_dot(&axis, -1e300), -1);
    assert_int_equal(es_axis_dot(&axis, (double)NAN), -1);
    assert_int_equal(es_axis_dot(&axis, 1e300), 50);
    assert_int_equal(es_axis_dot(&axis, es_axis_value(&axis, 17)), 17);
}

static int close_grid(void **state) {
    es_grid_free(&grid);
    return 0;
}

TEST_GROUP(NULL, close_grid);
