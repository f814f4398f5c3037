/* Every figure from made-up numbers: against small grey reference pictures, in both themes, and
 * with nothing known. ES_GOLDEN_UPDATE=1 writes the references anew: look at them then. */
#include <sys/stat.h>

#include "testing.h"
#include "base.h"
#include "canvas.h"
#include "figure.h"
#include "tui_draw.h"

enum { M = 6 };
static const char *const names[M] = {"alpha", "beta_base", "gamma-large", "delta", "eps", "noise"};
static const unsigned groups[M] = {1, 1, 2, 2, 2, 3};
static const double score[M] = {0.61, 0.52, 0.47, 0.33, 0.2, 0.01};
static const double simulated[M] = {0.31, 0.4, 0.52, 0.61, 0.7, 0.0};

static void matrix(double is[M * M]) {
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < M; j++)
            is[i * M + j] = i == j ? 1.5 : score[i] * (groups[i] == groups[j] ? 1.2 : 0.7);
    is[1] = NAN; /* not known */
}

typedef es_status drawing(const es_figure_style *style, es_picture format, es_buf *out,
                          es_error *err);

static es_status forest(const es_figure_style *style, es_picture format, es_buf *out,
                        es_error *err) {
    es_forest_row rows[M];
    for (size_t i = 0; i < M; i++)
        rows[i] = (es_forest_row){.name = names[i],
                                  .best = i < 2,
                                  .rank = i + 1,
                                  .dim = 64 * (i + 1),
                                  .value = i == 4 ? (double)NAN : score[i],
                                  .low = score[i] - 0.1,
                                  .high = score[i] + 0.2};
    const es_forest figure = {
        .row = rows, .count = M, .axis = "median IS", .null_low = -0.01, .null_high = 0.02};
    return es_figure_forest(&figure, style, format, out, err);
}

static es_status heatmap(const es_figure_style *style, es_picture format, es_buf *out,
                         es_error *err) {
    double is[M * M], ordered[M * M];
    const char *name[M];
    unsigned group[M];
    es_linkage *tree = NULL;
    matrix(is);
    es_status st = es_linkage_new(is, M, ES_LINKAGE_AVERAGE, ES_LINKAGE_SOURCES,
                                  ES_DIAGONAL_MISSING, NULL, &tree, err);
    if (st != ES_OK)
        return st;
    for (size_t i = 0; i < M; i++) {
        name[i] = names[tree->order[i]];
        group[i] = groups[tree->order[i]];
        for (size_t j = 0; j < M; j++)
            ordered[i * M + j] = is[tree->order[i] * M + tree->order[j]];
    }
    const es_heatmap figure = {.rows = M,
                               .columns = M,
                               .value = ordered,
                               .row_name = name,
                               .column_name = name,
                               .row_group = group,
                               .column_group = group,
                               .row_tree = tree,
                               .column_tree = tree,
                               .row_title = "source",
                               .column_title = "target",
                               .value_title = "IS",
                               .low = (double)NAN,
                               .high = (double)NAN,
                               .diagonal_apart = true,
                               .decimals = 2};
    st = es_figure_heatmap(&figure, style, format, out, err);
    es_linkage_free(tree);
    return st;
}

static es_status scatter(const es_figure_style *style, es_picture format, es_buf *out,
                         es_error *err) {
    static const double y[M] = {0.9, 0.7, 0.8, 0.5, 0.55, 0.1};
    static const char *const facts[] = {"Spearman 0.94", "Pearson 0.95"};
    const es_scatter figure = {.n = M,
                               .x = score,
                               .y = y,
                               .name = names,
                               .group = groups,
                               .x_title = "score",
                               .y_title = "task",
                               .slope = 1.2,
                               .intercept = 0.15,
                               .fact = facts,
                               .facts = 2};
    return es_figure_scatter(&figure, style, format, out, err);
}

static es_status network(const es_figure_style *style, es_picture format, es_buf *out,
                         es_error *err) {
    static const double x[M] = {0, 1, 3, 4, 3.5, 2}, y[M] = {0, 0.5, 0.2, 0.8, 2, 3};
    double strength[M * M];
    for (size_t k = 0; k < (size_t)M * M; k++)
        strength[k] = k / M == k % M ? (double)NAN : 0.5 + 0.08 * (double)((k / M + k % M) % 7);
    const es_network figure = {.m = M,
                               .x = x,
                               .y = y,
                               .name = names,
                               .group = groups,
                               .out = score,
                               .in = simulated,
                               .strength = strength,
                               .shown_from = 0.6,
                               .out_title = "simulates",
                               .in_title = "is simulated"};
    return es_figure_network(&figure, style, format, out, err);
}

static es_status dendrogram(const es_figure_style *style, es_picture format, es_buf *out,
                            es_error *err) {
    double is[M * M];
    es_linkage *tree = NULL;
    matrix(is);
    es_status st = es_linkage_new(is, M, ES_LINKAGE_WARD, ES_LINKAGE_SOURCES, ES_DIAGONAL_KEEP,
                                  NULL, &tree, err);
    if (st != ES_OK)
        return st;
    const es_dendrogram figure = {.tree = tree, .name = names, .group = groups, .axis = "distance"};
    st = es_figure_dendrogram(&figure, style, format, out, err);
    es_linkage_free(tree);
    return st;
}

static es_status curve(const es_figure_style *style, es_picture format, es_buf *out,
                       es_error *err) {
    double x[M], y[M], low[M], high[M];
    for (size_t i = 0; i < M; i++) {
        x[i] = 2 + 3 * (double)i;
        y[i] = i == 5 ? (double)NAN : 0.5 + 0.1 * (double)i;
        low[i] = y[i] - 0.2;
        high[i] = y[i] + 0.08;
    }
    const es_curve_line line = {.title = "agreement", .y = y, .low = low, .high = high};
    const es_curve figure = {.points = M,
                             .x = x,
                             .line = &line,
                             .lines = 1,
                             .x_title = "targets",
                             .y_title = "Spearman",
                             .mark_x = 11,
                             .mark = "11 are enough"};
    return es_figure_curves(&figure, 1, style, format, out, err);
}

static es_status dumbbell(const es_figure_style *style, es_picture format, es_buf *out,
                          es_error *err) {
    es_dumbbell_row rows[M];
    for (size_t i = 0; i < M; i++)
        rows[i] = (es_dumbbell_row){
            .name = names[i],
            .value = {i == 3 ? (double)NAN : score[i], i == 3 ? (double)NAN : simulated[i]},
            .clear = i % 2 == 0};
    const es_dumbbell figure = {
        .count = 2, .name = {"first", "second"}, .row = rows, .rows = M, .axis = "IS"};
    return es_figure_dumbbell(&figure, style, format, out, err);
}

/* Ranks with a tie and a gap over columns whose names must be turned, values below. */
static es_status strands(const es_figure_style *style, es_picture format, es_buf *out,
                         es_error *err) {
    static const char *const columns[] = {"first score", "a score of a long name", "third"};
    static const double rank[M * 3] = {1, 2, 1, 2, 1, 2, 3, 3, 2, 4, NAN, 4, 5, 4, 5, 6, 5, 6};
    static const double value[M * 3] = {0.9, 0.8, 0.7, 0.5, 0.5, 0.6, 0.2, 0.1, NAN,
                                        0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0,   0,   0};
    const es_strands panel[] = {{.rows = M,
                                 .columns = 3,
                                 .value = rank,
                                 .row_name = names,
                                 .column_name = columns,
                                 .y_title = "ranks",
                                 .ranks = true},
                                {.rows = M,
                                 .columns = 3,
                                 .value = value,
                                 .row_name = names,
                                 .column_name = columns,
                                 .y_title = "values"}};
    return es_figure_strands(panel, 2, style, format, out, err);
}

static es_status panels(const es_figure_style *style, es_picture format, es_buf *out,
                        es_error *err) {
    static const char *const titles[] = {"one", "two", "three", "four"};
    static const char *const facts[] = {"rho = 0.94"};
    double x[4 * M], y[M];
    es_scatter panel[4];
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < M; i++) {
            x[k * M + i] = i == k ? (double)NAN : (double)(k + 1) * score[i];
            y[i] = simulated[i];
        }
        panel[k] = (es_scatter){.n = M,
                                .x = x + k * M,
                                .y = y,
                                .name = names,
                                .group = groups,
                                .x_title = titles[k],
                                .y_title = "task",
                                .slope = 0.5,
                                .intercept = 0.1,
                                .fact = facts,
                                .facts = 1};
    }
    return es_figure_panels(panel, 4, style, format, out, err);
}

static const struct {
    const char *name;
    drawing *draw;
} figures[] = {{"forest", forest},     {"heatmap", heatmap}, {"scatter", scatter},
               {"network", network},   {"curve", curve},     {"dendrogram", dendrogram},
               {"dumbbell", dumbbell}, {"strands", strands}, {"panels", panels}};
enum { FIGURES = sizeof figures / sizeof *figures };

static es_buf draw(size_t k, const es_figure_style *style, es_picture format) {
    es_buf out = {0};
    if (figures[k].draw(style, format, &out, test_err()) != ES_OK)
        fail_msg("%s: %s", figures[k].name, test_message());
    assert_true(out.length > 100);
    return out;
}

/* ---- against the references ---- */

enum { SIDE = 40 }; /* a reference's width and height: what is where, not which pixel */

typedef struct reader {
    const es_buf *buf;
    size_t at;
} reader;

static cairo_status_t give(void *context, unsigned char *bytes, unsigned length) {
    reader *r = context;
    if (r->at + length > r->buf->length)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(bytes, r->buf->data + r->at, length);
    r->at += length;
    return CAIRO_STATUS_SUCCESS;
}

/* Mean grey of each of SIDE x SIDE parts of a PNG, 0 to 255. */
static void shrink(const es_buf *png, int out[SIDE * SIDE]) {
    reader r = {png, 0};
    cairo_surface_t *s = cairo_image_surface_create_from_png_stream(give, &r);
    assert_int_equal(cairo_surface_status(s), CAIRO_STATUS_SUCCESS);
    size_t w = (size_t)cairo_image_surface_get_width(s);
    size_t h = (size_t)cairo_image_surface_get_height(s);
    size_t stride = (size_t)cairo_image_surface_get_stride(s);
    const unsigned char *bytes = cairo_image_surface_get_data(s);
    for (size_t cell = 0; cell < (size_t)SIDE * SIDE; cell++) {
        size_t x0 = cell % SIDE * w / SIDE, x1 = (cell % SIDE + 1) * w / SIDE;
        size_t y0 = cell / SIDE * h / SIDE, y1 = (cell / SIDE + 1) * h / SIDE;
        size_t sum = 0;
        for (size_t y = y0; y < y1; y++)
            for (size_t x = x0; x < x1; x++) {
                const unsigned char *p = bytes + y * stride + 4 * x;
                sum += (size_t)p[0] + p[1] + p[2];
            }
        out[cell] = (int)(sum / (3 * (x1 - x0) * (y1 - y0)));
    }
    cairo_surface_destroy(s);
}

static void write_reference(const char *path, const int grey[SIDE * SIDE]) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "P2\n%d %d\n255\n", SIDE, SIDE);
    for (int k = 0; k < SIDE * SIDE; k++)
        fprintf(f, "%d%c", grey[k], k % SIDE == SIDE - 1 ? '\n' : ' ');
    assert_int_equal(fclose(f), 0);
}

/* Mean difference of grey, and the share of parts that differ by more than a quarter. */
static void compare(const char *path, const int grey[SIDE * SIDE], double *mean, double *far) {
    FILE *f = fopen(path, "r");
    int w = 0, h = 0, value = 0;
    if (f == NULL)
        fail_msg("%s is missing", path);
    assert_int_equal(fscanf(f, "P2 %d %d 255", &w, &h), 2);
    assert_true(w == SIDE && h == SIDE);
    *mean = *far = 0;
    for (int k = 0; k < SIDE * SIDE; k++) {
        assert_int_equal(fscanf(f, "%d", &value), 1);
        *mean += abs(value - grey[k]);
        *far += abs(value - grey[k]) > 64;
    }
    *mean /= SIDE * SIDE;
    *far /= SIDE * SIDE;
    (void)fclose(f);
}

TEST(figures__pictures__are_the_references) {
    for (size_t k = 0; k < FIGURES; k++)
        for (int dark = 0; dark < 2; dark++) {
            char path[512];
            int grey[SIDE * SIDE];
            double mean, far;
            const es_figure_style style = {.dark = dark, .note = "A note below."};
            es_buf png = draw(k, &style, ES_PICTURE_PNG);
            shrink(&png, grey);
            es_buf_free(&png);
            (void)snprintf(path, sizeof path, "%s/figure/reference/%s-%s.pgm", ES_TEST_DATA,
                           figures[k].name, dark ? "dark" : "light");
            if (getenv("ES_GOLDEN_UPDATE")) {
                write_reference(path, grey);
                continue;
            }
            compare(path, grey, &mean, &far);
            if (mean > 4 || far > 0.02)
                fail_msg("%s: mean difference %.1f, far off %.1f %%", path, mean, 100 * far);
        }
}

/* ---- files ---- */

TEST(figures__files__are_the_same_again) {
    const es_figure_style style = {.title = "A title", .note = "A note"};
    for (size_t k = 0; k < FIGURES; k++) {
        es_buf a = draw(k, &style, ES_PICTURE_PDF), b = draw(k, &style, ES_PICTURE_PDF);
        assert_int_equal(a.length, b.length);
        assert_memory_equal(a.data, b.data, a.length);
        assert_memory_equal(a.data, "%PDF-", 5);
        es_buf_free(&a);
        es_buf_free(&b);
        a = draw(k, &style, ES_PICTURE_SVG);
        assert_memory_equal(a.data, "<?xml", 5);
        es_buf_free(&a);
    }
}

TEST(figures__width__is_that_asked_for) {
    es_figure_style style = {.width = 300};
    es_buf svg = draw(0, &style, ES_PICTURE_SVG), out = {0};
    assert_contains(svg.data, "width=\"300pt\"");
    es_buf_free(&svg);
    style.width = 10;
    assert_error(forest(&style, ES_PICTURE_SVG, &out, test_err()), ES_EINVAL, "inches wide");
    assert_true(out.length == 0);
}

/* ---- what readers would stumble over ---- */

TEST(palette__groups__share_no_colour) {
    const es_figure_style style = {0};
    const es_canvas c = {.style = &style};
    for (unsigned a = 1; a <= 40; a++)
        for (unsigned b = a + 1; b <= 40; b++) {
            es_rgb p = es_group_colour(&c, a), q = es_group_colour(&c, b);
            double apart = sqrt((p.r - q.r) * (p.r - q.r) + (p.g - q.g) * (p.g - q.g) +
                                (p.b - q.b) * (p.b - q.b));
            if (apart < (b <= 16 ? 0.12 : 0.04))
                fail_msg("%u and %u are %.3f apart", a, b, apart);
        }
}

/* A theme has eight: those of further rounds are others. */
TEST(palette__groups_of_a_theme__share_no_colour) {
    const es_picture_colours nord = {
        .group = {0xe69f00, 0x56b4e9, 0x009e65, 0xcc79a7, 0xf0e442, 0x4a90e7, 0xd55e00, 0xb8bec9}};
    const es_figure_style style = {.colours = &nord};
    const es_canvas c = {.style = &style};
    es_rgb first = es_group_colour(&c, 1);
    assert_int_equal(
        lround(first.r * 255) << 16 | lround(first.g * 255) << 8 | lround(first.b * 255), 0xe69f00);
    for (unsigned a = 1; a <= 24; a++)
        for (unsigned b = a + 1; b <= 24; b++) {
            es_rgb p = es_group_colour(&c, a), q = es_group_colour(&c, b);
            if (fabs(p.r - q.r) + fabs(p.g - q.g) + fabs(p.b - q.b) < 0.04)
                fail_msg("%u and %u are alike", a, b);
        }
}

static size_t occurrences(const es_buf *svg, const char *part) {
    size_t count = 0;
    for (const char *at = svg->data; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

static es_lab seen(es_rgb colour, int vision) {
    uint32_t rgb = (uint32_t)lround(colour.r * 255) << 16 | (uint32_t)lround(colour.g * 255) << 8 |
                   (uint32_t)lround(colour.b * 255);
    return es_lab_of(es_simulate(rgb, (es_vision)vision));
}

/* Some four just noticeable steps between any two of sixteen groups, and from the paper. */
TEST(palette__groups__are_told_apart_by_every_eye) {
    const es_figure_style style = {0};
    const es_canvas c = {.style = &style};
    for (int vision = 0; vision < ES_VISION_COUNT; vision++)
        for (unsigned a = 1; a <= ES_GROUP_COLOURS; a++) {
            es_lab one = seen(es_group_colour(&c, a), vision);
            assert_true(es_lab_distance(one, seen((es_rgb){1, 1, 1}, vision)) > 0.1);
            for (unsigned b = a + 1; b <= ES_GROUP_COLOURS; b++) {
                double apart = es_lab_distance(one, seen(es_group_colour(&c, b), vision));
                if (apart < 0.065)
                    fail_msg("vision %d: %u and %u are %.3f apart", vision, a, b, apart);
            }
        }
}

/* Eight values of a map, on paper and in the dark: neighbours differ, lightness keeps its
 * direction, and on a diverging one no side looks like the other. */
TEST(palette__maps__are_told_apart_by_every_eye) {
    enum { LEVELS = 8 };
    for (int dark = 0; dark < 2; dark++)
        for (int vision = 0; vision < ES_VISION_COUNT; vision++) {
            const es_figure_style style = {.dark = dark == 1};
            const es_canvas c = {.style = &style};
            es_lab at[2][LEVELS];
            for (int k = 0; k < LEVELS; k++) {
                double share = (double)k / (LEVELS - 1);
                at[0][k] = seen(es_heat_colour(&c, ES_HEAT_SEQUENTIAL, NULL, share), vision);
                at[1][k] = seen(es_heat_colour(&c, ES_HEAT_DIVERGING, NULL, share), vision);
            }
            for (int k = 1; k < LEVELS; k++) {
                assert_true(dark ? at[0][k].l > at[0][k - 1].l : at[0][k].l < at[0][k - 1].l);
                for (int map = 0; map < 2; map++)
                    if (es_lab_distance(at[map][k], at[map][k - 1]) < 0.04)
                        fail_msg("map %d, dark %d, vision %d: %d and %d", map, dark, vision, k - 1,
                                 k);
            }
            for (int k = 0; k < LEVELS / 2 - 1; k++) /* the middle pair is about the same */
                if (es_lab_distance(at[1][k], at[1][LEVELS - 1 - k]) < 0.06)
                    fail_msg("dark %d, vision %d: both sides of %d", dark, vision, k);
        }
}

static bool is_in(const es_buf *svg, const char *part) {
    return strstr(svg->data, part) != NULL;
}

/* Beyond eight groups the shape of a point tells it, too: squares are paths of four corners. */
TEST(scatter__many_groups__have_shapes) {
    es_buf *few = test_buf(), *many = test_buf();
    const es_figure_style style = {0};
    unsigned group[M];
    static const char *const name[M] = {"a", "b", "c", "d", "e", "f"};
    es_scatter figure = {.n = M,
                         .x = score,
                         .y = simulated,
                         .name = name,
                         .group = group,
                         .slope = (double)NAN,
                         .intercept = (double)NAN};
    for (unsigned i = 0; i < M; i++)
        group[i] = 1;
    assert_ok(es_figure_scatter(&figure, &style, ES_PICTURE_SVG, few, NULL));
    group[0] = 17; /* a triangle */
    assert_ok(es_figure_scatter(&figure, &style, ES_PICTURE_SVG, many, NULL));
    assert_true(few->length != many->length);
    assert_true(occurrences(few, " C ") > occurrences(many, " C ")); /* a disc less */
}

/* Who does not see the bar's colours reads its numbers. */
TEST(dendrogram__groups__have_numbers) {
    const es_figure_style style = {0};
    es_buf *svg = test_buf();
    bool seen[M + 1] = {false};
    assert_ok(dendrogram(&style, ES_PICTURE_SVG, svg, NULL));
    for (size_t i = 0; i < M; i++) {
        char number[64];
        (void)snprintf(number, sizeof number, "lengthAdjust=\"spacingAndGlyphs\">%u</text>",
                       groups[i]);
        const char *bar = svg->data;
        while (bar && !seen[groups[i]]) {
            bar = strstr(bar, "font-size=\"5.5\"");
            const char *end = bar ? strchr(bar, '\n') : NULL;
            const char *found = bar ? strstr(bar, number) : NULL;
            seen[groups[i]] = found && end && found < end;
            bar = end;
        }
        assert_true(groups[i] == 0 || seen[groups[i]]);
    }
}

/* Names that are cut must not read the same, in every figure that has them. */
TEST(figures__long_names__are_told_apart) {
    enum { MANY = 9 };
    static double value[MANY * MANY], other[MANY];
    char text[MANY][96];
    const char *name[MANY];
    es_buf *svg = test_buf();
    es_dumbbell_row row[MANY];
    const es_figure_style style = {.width = ES_FIGURE_SINGLE};
    for (size_t i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i],
                 "Alibaba-NLP/gte-en-v1.5-truncated-to-%zu-dimensions-and-normalised-anew",
                 64 * (i + 1));
        name[i] = text[i];
        row[i] = (es_dumbbell_row){.name = text[i], .value = {(double)i, 1}};
        other[i] = (double)(i * i % 7);
        for (size_t j = 0; j < MANY; j++)
            value[i * MANY + j] = (double)(i * j % MANY);
    }
    const es_dumbbell pair = {.count = 2, .name = {name[0], name[1]}, .row = row, .rows = MANY};
    const es_strands lines = {
        .rows = MANY, .columns = MANY, .value = value, .row_name = name, .column_name = name};
    const es_scatter panel[2] = {
        {.n = MANY, .x = value, .y = other, .name = name, .x_title = name[7]},
        {.n = MANY, .x = value, .y = other, .name = name, .x_title = name[8]}};
    for (int figure = 0; figure < 3; figure++) {
        es_buf_clear(svg);
        assert_ok(figure == 0   ? es_figure_dumbbell(&pair, &style, ES_PICTURE_SVG, svg, NULL)
                  : figure == 1 ? es_figure_strands(&lines, 1, &style, ES_PICTURE_SVG, svg, NULL)
                                : es_figure_panels(panel, 2, &style, ES_PICTURE_SVG, svg, NULL));
        for (size_t i = 0; i < MANY; i++) {
            char number[16];
            snprintf(number, sizeof number, "%zu", 64 * (i + 1));
            if (!is_in(svg, number))
                fail_msg("figure %d: %s cannot be told", figure, text[i]);
        }
    }
}

TEST(scale__narrow__numbers_do_not_touch) {
    const es_figure_style style = {.width = ES_FIGURE_NARROWEST};
    es_canvas c;
    assert_ok(es_canvas_init(&c, &style, 0, NULL));
    for (double length = 20; length < 200; length += 7) {
        es_scale axis = es_scale_make(-0.2, 0.8, 6);
        axis.from = 0;
        axis.to = length;
        es_stride stride = es_scale_stride(&c, &axis, true);
        double apart = length / (double)(es_scale_ticks(&axis) - 1) * (double)stride.every;
        assert_true(apart >= es_text_room(&c, ES_FONT_SMALL, "−0.2") || stride.every > 5);
        assert_true(es_stride_has(stride, (size_t)lround(-axis.low / axis.step))); /* 0 */
    }
    es_canvas_deinit(&c);
}

/* Spans that overflow, that vanish, and that are rounding beside what they are of. */
TEST(scale__extremes__has_few_steps) {
    static const double ends[][2] = {{-9e307, 9e307},  {0, 1.7e308},         {0, 5e-324},
                                     {1e-320, 9e-320}, {1e15, 1e15 + 0.125}, {-1e-200, 1e-200},
                                     {1, 1 + 1e-16},   {-INFINITY, 3},       {1e30, 2e30}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        es_scale axis = es_scale_make(ends[i][0], ends[i][1], 6);
        axis.from = 0;
        axis.to = 100;
        size_t ticks = es_scale_ticks(&axis);
        assert_true(ticks >= 2 && ticks <= 20);
        assert_true(axis.step > 0 && isfinite(axis.low) && isfinite(axis.high));
        assert_true(axis.high > axis.low && isfinite(es_scale_at(&axis, axis.low)));
    }
}

static bool crosses(const double a[2], const double b[2], const double p[2], const double q[2]) {
    double s[4];
    const double *const ends[4][3] = {{a, b, p}, {a, b, q}, {p, q, a}, {p, q, b}};
    for (int k = 0; k < 4; k++)
        s[k] = (ends[k][1][0] - ends[k][0][0]) * (ends[k][2][1] - ends[k][0][1]) -
               (ends[k][1][1] - ends[k][0][1]) * (ends[k][2][0] - ends[k][0][0]);
    return s[0] * s[1] < 0 && s[2] * s[3] < 0;
}

/* Points so close that names need lines. */
TEST(labels__crowded__lines_do_not_cross) {
    enum { N = 60 };
    es_label label[N];
    const es_area area = {0, 0, 500, 330};
    size_t led = 0;
    for (size_t i = 0; i < N; i++)
        label[i] = (es_label){.px = 150 + 190 * fmod((double)i * 0.618, 1),
                              .py = 60 + 190 * fmod((double)i * 0.414, 1),
                              .radius = 3,
                              .w = 60 + 10 * (double)(i % 5),
                              .h = 7.5};
    es_labels_place(label, N, area);
    for (size_t i = 0; i < N; i++) {
        double a[2], b[2], p[2], q[2];
        if (!label[i].placed)
            continue;
        assert_true(label[i].x >= 0 && label[i].y >= 0 && label[i].x + label[i].w <= area.w &&
                    label[i].y + label[i].h <= area.h);
        if (!es_label_leads(&label[i], a, b))
            continue;
        led++;
        for (size_t j = i + 1; j < N; j++)
            if (label[j].placed && es_label_leads(&label[j], p, q))
                assert_false(crosses(a, b, p, q));
    }
    assert_true(led > 3);
}

/* 40 long names in a single column: what is left out is said; no two that are there are the same.
 */
TEST(heatmap__many_names__are_told_apart_and_counted) {
    enum { MANY = 40 };
    static double value[MANY * MANY];
    char text[MANY][96];
    const char *name[MANY];
    es_buf *svg = test_buf();
    for (size_t i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "Alibaba-NLP/gte-en-v1.5-truncated-to-%zu-dimensions",
                 64 * (i + 1));
        name[i] = text[i];
        for (size_t j = 0; j < MANY; j++)
            value[i * MANY + j] = (double)(i + j);
    }
    const es_heatmap figure = {.rows = MANY,
                               .columns = MANY,
                               .value = value,
                               .row_name = name,
                               .column_name = name,
                               .low = (double)NAN,
                               .high = (double)NAN,
                               .decimals = 2};
    es_figure_style style = {.width = ES_FIGURE_SINGLE};
    assert_ok(es_figure_heatmap(&figure, &style, ES_PICTURE_SVG, svg, NULL));
    assert_contains(svg->data, "names are left out");
    es_buf_clear(svg);
    style = (es_figure_style){.width = ES_FIGURE_DOUBLE,
                              .title = "A title of so many words that they need more than one line "
                                       "of the page, which they get, in full, to the last word"};
    assert_ok(es_figure_heatmap(&figure, &style, ES_PICTURE_SVG, svg, NULL));
    assert_lacks(svg->data, "left out");
    for (size_t i = 0; i < MANY; i++) { /* whatever is cut, the number by which they differ stays */
        char number[16];
        snprintf(number, sizeof number, "%zu-", 64 * (i + 1));
        if (occurrences(svg, number) < 2)
            fail_msg("%s is on no side", text[i]);
    }
    assert_contains(svg->data, "last word</text>");
}

static bool covers(const es_spot *hull, size_t corners, es_spot p) {
    for (size_t k = 0; k < corners; k++) {
        es_spot a = hull[k], b = hull[(k + 1) % corners];
        if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) < 0)
            return false;
    }
    return corners > 2;
}

/* Points of four groups anywhere: no hull covers one of another group, and those that lie together
 * with nobody between them share a hull. */
TEST(hulls__groups_among_each_other__cover_no_other) {
    enum { POINTS = 60, LAST = POINTS - 3 };
    es_spot at[POINTS], own[POINTS], hull[2 * POINTS + 2];
    unsigned group[POINTS];
    size_t piece[POINTS], joined = 0;
    es_rng rng = test_rng(3, 0);
    for (size_t i = 0; i < POINTS; i++) {
        at[i] = (es_spot){300 * es_rng_uniform(&rng), 200 * es_rng_uniform(&rng)};
        group[i] = (unsigned)(i % 5); /* 0: in none */
        if (i >= LAST) {
            at[i] = (es_spot){500 + 5 * (double)(i % 2), 5 * (double)i};
            group[i] = 5;
        }
    }
    assert_ok(es_hull_pieces(at, group, POINTS, 10, piece, NULL));
    for (size_t p = 0; p < POINTS; p++) {
        size_t count = 0;
        for (size_t i = 0; i < POINTS; i++)
            if (piece[i] == p) {
                assert_int_equal(group[i], group[p]);
                own[count++] = at[i];
            }
        joined += count > 1;
        assert_true(group[p] > 0 || count <= 1);
        count = count > 0 ? es_hull_of(own, count, hull) : 0;
        for (size_t i = 0; i < POINTS; i++)
            assert_true(piece[i] == p || group[i] == group[p] || !covers(hull, count, at[i]));
    }
    assert_true(joined > 5);
    assert_int_equal(piece[LAST], piece[LAST + 1]);
    assert_int_equal(piece[LAST], piece[LAST + 2]);
}

/* Where hardly any node has room for its name each community is named below, and counted. */
TEST(network__crowded__names_one_of_each_community) {
    enum { N = 120 };
    static double x[N], y[N], out_of[N], in_of[N], strength[N * N];
    static char text[N][64];
    static const char *name[N];
    static unsigned group[N];
    for (size_t i = 0; i < N; i++) {
        group[i] = i % 10 == 0 ? 0 : i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 4; /* 3 is not drawn */
        x[i] = 10 * (double)group[i] + (double)(i % 7);
        y[i] = (double)(i * 31 % 17);
        in_of[i] = out_of[i] = i == 51 || i == 52 || i == 53 ? 0.9 : 0.001 * (double)i;
        (void)snprintf(text[i], sizeof text[i], "a-long-name-of-an-embedder-%zu", i);
        name[i] = text[i];
    }
    for (size_t k = 0; k < (size_t)N * N; k++)
        strength[k] = (double)NAN;
    const es_network figure = {.m = N,
                               .x = x,
                               .y = y,
                               .name = name,
                               .group = group,
                               .out = out_of,
                               .in = in_of,
                               .strength = strength,
                               .shown_from = 1,
                               .out_title = "out",
                               .in_title = "in"};
    const es_figure_style narrow = {.width = ES_FIGURE_SINGLE};
    es_buf *out = test_buf();
    assert_ok(es_figure_network(&figure, &narrow, ES_PICTURE_SVG, out, test_err()));
    for (unsigned g = 1; g <= 4; g++) {
        char line[96];
        size_t members = 0;
        for (size_t i = 0; i < N; i++)
            members += group[i] == g;
        (void)snprintf(line, sizeof line, "%s and %zu more", text[g == 4 ? 53 : 50 + g],
                       members - 1);
        assert_int_equal(strstr(out->data, line) != NULL, g != 3);
    }
    assert_contains(out->data, "117 names are");
}

TEST(figures__letters_without_a_font__are_said) {
    static const char *const odd[M] = {"a\xF4\x8F\xBF\xBD", "b", "c", "d", "e", "f"};
    es_buf *svg = test_buf();
    const es_figure_style style = {0};
    const es_scatter figure = {.n = M,
                               .x = score,
                               .y = simulated,
                               .name = odd,
                               .slope = (double)NAN,
                               .intercept = (double)NAN};
    assert_ok(es_figure_scatter(&figure, &style, ES_PICTURE_SVG, svg, NULL));
    assert_contains(svg->data, "1 letter is in no font");
    assert_contains(svg->data, "paint-order=\"stroke\""); /* names stand on paper */
}

TEST(figures__nothing_known__is_drawn) {
    const double nothing[2] = {NAN, NAN};
    const es_figure_style style = {0};
    es_buf *out = test_buf();
    const es_scatter points = {.n = 2,
                               .x = nothing,
                               .y = nothing,
                               .name = names,
                               .slope = (double)NAN,
                               .intercept = (double)NAN};
    assert_ok(es_figure_scatter(&points, &style, ES_PICTURE_SVG, out, NULL));
    const es_strands lines = {
        .rows = 2, .columns = 1, .value = nothing, .row_name = names, .column_name = names};
    assert_ok(es_figure_strands(&lines, 1, &style, ES_PICTURE_SVG, out, NULL));
    assert_ok(es_figure_panels(&points, 1, &style, ES_PICTURE_SVG, out, NULL));
    const es_forest none = {.null_low = (double)NAN, .null_high = (double)NAN};
    assert_ok(es_figure_forest(&none, &style, ES_PICTURE_SVG, out, NULL));
    const es_heatmap empty = {.rows = 1,
                              .columns = 2,
                              .value = nothing,
                              .row_name = names,
                              .column_name = names,
                              .low = (double)NAN,
                              .high = (double)NAN};
    assert_ok(es_figure_heatmap(&empty, &style, ES_PICTURE_SVG, out, NULL));
}

/* One font for all machines, so that texts are equally wide. */
static int choose_font(void **state) {
    struct stat found;
    static const char dejavu[] = "/usr/share/fonts/truetype/dejavu";
    static const char conf[] = "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">"
                               "<fontconfig><dir>%s</dir></fontconfig>\n";
    if (stat(dejavu, &found) != 0)
        return 0;
    static char path[] = "/tmp/es_fonts_XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (f == NULL)
        return -1;
    fprintf(f, conf, dejavu);
    return fclose(f) == 0 && setenv("FONTCONFIG_FILE", path, 1) == 0 ? 0 : -1;
}

static int drop_font(void **state) {
    const char *path = getenv("FONTCONFIG_FILE");
    return path ? remove(path) : 0;
}

TEST_GROUP(choose_font, drop_font);
