/* Letters that the first font lacks come from another. The fonts are DejaVu's, Serif first: it has
 * no Arabic, Sans has. Skipped where they are not installed. */
#include <sys/stat.h>

#include "testing.h"
#include "figure.h"
#include "canvas.h"

#define BEH "\xd8\xa8"
#define JEEM "\xd8\xac"
#define SIZE 20.0

enum { WIDTH = 64, HEIGHT = 48 };

typedef struct sheet {
    cairo_surface_t *surface;
    cairo_t *cr;
    es_fonts *fonts;
} sheet;

static bool is_here;

static void open_sheet(sheet *s) {
    assert_ok(es_drawing_load(test_err()));
    s->surface = cairo_image_surface_create(CAIRO_FORMAT_A8, WIDTH, HEIGHT);
    s->cr = cairo_create(s->surface);
    assert_ok(es_fonts_new(&s->fonts, test_err()));
}

static void close_sheet(sheet *s) {
    es_fonts_free(s->fonts);
    assert_int_equal(cairo_status(s->cr), CAIRO_STATUS_SUCCESS);
    cairo_destroy(s->cr);
    cairo_surface_destroy(s->surface);
}

TEST(drawing__library_that_lacks_them__is_named) {
    assert_error(es_drawing_load_from("libnosuch.so.0", test_err()), ES_EUNSUPPORTED,
                 "figures need Pango and Cairo: libnosuch.so.0");
    assert_error(es_drawing_load_from("libm.so.6", test_err()), ES_EUNSUPPORTED,
                 "figures need Pango and Cairo: ");
    assert_contains(test_message(), "libm.so.6");
    sheet s;
    open_sheet(&s); /* what was tried in vain did no harm */
    close_sheet(&s);
}

/* The ink of a text, set alone on a sheet. */
static void ink_of(const char *text, bool bold, unsigned char ink[WIDTH * HEIGHT]) {
    sheet s;
    open_sheet(&s);
    cairo_move_to(s.cr, 8, 30);
    es_fonts_show(s.fonts, s.cr, SIZE, bold, text);
    cairo_surface_flush(s.surface);
    for (int y = 0; y < HEIGHT; y++)
        memcpy(ink + y * WIDTH,
               cairo_image_surface_get_data(s.surface) +
                   y * cairo_image_surface_get_stride(s.surface),
               WIDTH);
    close_sheet(&s);
}

TEST(fonts__letters_that_the_first_lacks__come_from_another) {
    unsigned char beh[WIDTH * HEIGHT], jeem[WIDTH * HEIGHT], han[WIDTH * HEIGHT];
    if (!is_here)
        skip();
    for (int bold = 0; bold < 2; bold++) {
        ink_of(BEH, bold, beh);
        ink_of(JEEM, bold, jeem);
        ink_of("\xe4\xb8\xad", bold, han); /* no font has it: the empty box */
        assert_memory_not_equal(beh, jeem, sizeof beh);
        assert_memory_not_equal(beh, han, sizeof beh);
    }
}

/* Joined, two letters are narrower than side by side, and the first is to the right of the second.
 */
/* An svg names the font that its texts were measured with. */
TEST(fonts__family__is_that_of_the_first) {
    static const double at[] = {1, 2, 3};
    static const char *const name[] = {"a", "b", "c"};
    const es_figure_style style = {0};
    const es_scatter figure = {
        .n = 3, .x = at, .y = at, .name = name, .slope = (double)NAN, .intercept = (double)NAN};
    sheet s;
    es_buf *svg = test_buf();
    if (!is_here)
        skip();
    open_sheet(&s);
    assert_string_equal(es_fonts_family(s.fonts), "DejaVu Serif");
    close_sheet(&s);
    assert_ok(es_figure_scatter(&figure, &style, ES_PICTURE_SVG, svg, NULL));
    assert_contains(svg->data, "font-family=\"'DejaVu Serif', ");
}

TEST(fonts__arabic__joins_from_right_to_left) {
    unsigned char pair[WIDTH * HEIGHT], first[WIDTH * HEIGHT], turned[WIDTH * HEIGHT];
    sheet s;
    if (!is_here)
        skip();
    open_sheet(&s);
    double alone = es_fonts_width(s.fonts, s.cr, SIZE, false, BEH) +
                   es_fonts_width(s.fonts, s.cr, SIZE, false, JEEM);
    double joined = es_fonts_width(s.fonts, s.cr, SIZE, false, BEH JEEM);
    assert_true(joined > 5 && joined < 0.95 * alone);
    close_sheet(&s);
    ink_of(BEH JEEM, false, pair);
    ink_of(JEEM BEH, false, turned);
    ink_of(BEH, false, first);
    assert_memory_not_equal(pair, turned, sizeof pair);
    /* the dot under the first letter is on the right, the tail of the second on the left */
    size_t below[2] = {0, 0};
    for (int y = 32; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            below[x > 8 + (int)(joined / 2)] += pair[y * WIDTH + x] > 100;
    assert_true(below[0] > 0 && below[1] > 0 && below[0] > below[1]);
}

TEST(fonts__runs__add_up) {
    sheet s;
    double x, y;
    if (!is_here)
        skip();
    open_sheet(&s);
    double sum = 0;
    const char *const parts[] = {"model ", BEH JEEM, " \xce\xb2 v2"};
    for (size_t i = 0; i < 3; i++)
        sum += es_fonts_width(s.fonts, s.cr, SIZE, false, parts[i]);
    const char whole[] = "model " BEH JEEM " \xce\xb2 v2";
    assert_true(fabs(es_fonts_width(s.fonts, s.cr, SIZE, false, whole) - sum) < 0.02 * sum);
    cairo_move_to(s.cr, 0, 30);
    es_fonts_show(s.fonts, s.cr, SIZE, false, whole); /* ends where its width says */
    cairo_get_current_point(s.cr, &x, &y);
    assert_true(fabs(x - es_fonts_width(s.fonts, s.cr, SIZE, false, whole)) < 1e-6 * sum);
    close_sheet(&s);
}

TEST(fonts__long_text__is_whole) {
    sheet s;
    char text[2 * 1200 + 1];
    open_sheet(&s);
    for (size_t i = 0; i < 1200; i++)
        memcpy(text + 2 * i, "\xce\xb2", 3);
    double one = es_fonts_width(s.fonts, s.cr, SIZE, false, "\xce\xb2");
    double all = es_fonts_width(s.fonts, s.cr, SIZE, false, text);
    assert_true(one > 0 && fabs(all - 1200 * one) < 1e-3 * all);
    assert_true(es_fonts_width(s.fonts, s.cr, SIZE, false, "") == 0);
    close_sheet(&s);
}

/* Only these fonts, and Serif in place of Helvetica. */
static int choose_fonts(void **state) {
    struct stat found;
    static const char dejavu[] = "/usr/share/fonts/truetype/dejavu";
    static const char conf[] =
        "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig><dir>%s</dir>"
        "<match><test name=\"family\"><string>Helvetica</string></test><edit name=\"family\" "
        "mode=\"assign\"><string>DejaVu Serif</string></edit></match></fontconfig>\n";
    is_here = stat(dejavu, &found) == 0;
    if (!is_here)
        return 0;
    static char path[] = "/tmp/es_fonts_XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (f == NULL)
        return -1;
    fprintf(f, conf, dejavu);
    return fclose(f) == 0 && setenv("FONTCONFIG_FILE", path, 1) == 0 ? 0 : -1;
}

static int drop_fonts(void **state) {
    return is_here ? remove(getenv("FONTCONFIG_FILE")) : 0;
}

TEST_GROUP(choose_fonts, drop_fonts);
