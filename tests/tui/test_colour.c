#include "testing.h"
#include "theme_check.h"
#include "tui_draw.h"

static double lightness(es_colour colour) {
    return es_lab_of(colour >= ES_COLOUR_INDEX ? es_palette_rgb((uint8_t)(colour - ES_COLOUR_INDEX))
                                               : (uint32_t)colour)
        .l;
}

/* Known values of Oklab (Ottosson 2020): sRGB red and blue. */
TEST(lab_of__gives__published_values) {
    es_lab red = es_lab_of(0xFF0000), blue = es_lab_of(0x0000FF), white = es_lab_of(0xFFFFFF);
    assert_true(fabs(red.l - 0.62796) < 1e-4 && fabs(red.a - 0.22486) < 1e-4);
    assert_true(fabs(red.b - 0.12585) < 1e-4);
    assert_true(fabs(blue.l - 0.45201) < 1e-4 && fabs(blue.b + 0.31153) < 1e-4);
    assert_true(fabs(white.l - 1) < 1e-4);
}

TEST(rgb_of__reverses__lab_of) {
    for (uint32_t rgb = 0; rgb < 0x1000000; rgb += 0x10305)
        assert_int_equal(es_rgb_of(es_lab_of(rgb)), rgb);
}

TEST(contrast__gives__the_range_of_wcag) {
    assert_true(fabs(es_contrast(0, 0xFFFFFF) - 21) < 1e-9);
    assert_true(fabs(es_contrast(0x777777, 0xFFFFFF) - 4.478) < 1e-3);
    assert_true(fabs(es_contrast(0x123456, 0x123456) - 1) < 1e-9);
}

TEST(nearest_256__returns__palette_colours_themselves) {
    for (int i = 16; i < 256; i++)
        assert_int_equal(es_palette_rgb(es_nearest_256(es_palette_rgb((uint8_t)i))),
                         es_palette_rgb((uint8_t)i));
}

/* Rounding to the cube's six levels alone would send this dark blue to black. */
TEST(nearest_256__keeps__the_hue_of_dark_colours) {
    es_lab lab = es_lab_of(es_palette_rgb(es_nearest_256(0x2F4A73)));
    assert_true(lab.b < -0.02);
    assert_true(lab.l > 0.25);
}

TEST(simulate__merges__red_and_green) {
    es_lab red = es_lab_of(es_simulate(0xC04040, ES_VISION_DEUTAN));
    es_lab green = es_lab_of(es_simulate(0x707030, ES_VISION_DEUTAN));
    double seen = es_lab_distance(red, green);
    double normal = es_lab_distance(es_lab_of(0xC04040), es_lab_of(0x707030));
    assert_true(seen < 0.5 * normal);
    assert_int_equal(es_simulate(0x808080, ES_VISION_PROTAN), 0x808080);
}

TEST(simulate__merges__blue_and_green__without_blue_cones) {
    es_lab blue = es_lab_of(es_simulate(0x4080C0, ES_VISION_TRITAN));
    es_lab green = es_lab_of(es_simulate(0x209070, ES_VISION_TRITAN));
    double seen = hypot(blue.a - green.a, blue.b - green.b);
    es_lab x = es_lab_of(0x4080C0), y = es_lab_of(0x209070);
    assert_true(seen < 0.5 * hypot(x.a - y.a, x.b - y.b));
    assert_int_equal(es_simulate(0x808080, ES_VISION_TRITAN), 0x808080);
}

static es_depth choose(es_depth_facts facts) {
    es_depth depth = ES_DEPTH_MONO;
    char reason[160] = "";
    assert_ok(es_depth_choose(&facts, &depth, reason, NULL));
    assert_true(strlen(reason) > 5);
    return depth;
}

TEST(depth_choose__follows__the_ladder) {
    assert_int_equal(choose((es_depth_facts){.colors = 8}), ES_DEPTH_8);
    assert_int_equal(choose((es_depth_facts){.colors = 256}), ES_DEPTH_256);
    assert_int_equal(choose((es_depth_facts){.colors = -1}), ES_DEPTH_MONO);
    assert_int_equal(choose((es_depth_facts){.colors = 256, .no_color = "1"}), ES_DEPTH_MONO);
    assert_int_equal(choose((es_depth_facts){.colors = 256, .no_color = ""}), ES_DEPTH_256);
    /* what the user says at the prompt wins over the environment */
    assert_int_equal(choose((es_depth_facts){.option = "256", .colors = 256, .no_color = "1"}),
                     ES_DEPTH_256);
    assert_int_equal(choose((es_depth_facts){.option = "never", .colors = 256}), ES_DEPTH_MONO);
    assert_int_equal(choose((es_depth_facts){.option = "rgb", .colors = 256}), ES_DEPTH_256);
    assert_int_equal(choose((es_depth_facts){.option = "rgb", .colors = 256, .rgb_entry = true}),
                     ES_DEPTH_RGB);
    es_depth_facts facts = {.colors = 256, .colorterm = "truecolor", .rgb_entry = true};
    assert_int_equal(choose(facts), ES_DEPTH_RGB);
    facts.tmux_features = "256,clipboard"; /* COLORTERM leaked into a tmux that cannot show it */
    assert_int_equal(choose(facts), ES_DEPTH_256);
    facts.tmux_features = "256,RGB,title\n";
    assert_int_equal(choose(facts), ES_DEPTH_RGB);
    facts.rgb_entry = false;
    assert_int_equal(choose(facts), ES_DEPTH_256);
}

TEST(depth_choose__refuses__an_unknown_option) {
    es_depth depth = ES_DEPTH_16;
    char reason[160];
    es_depth_facts facts = {.option = "lots", .colors = 256};
    assert_int_equal(es_depth_choose(&facts, &depth, reason, test_err()), ES_EINVAL);
    assert_int_equal(depth, ES_DEPTH_16);
    assert_contains(test_message(), "never, auto, 16, 256 or rgb");
}

/* Any sequential map, quantised: lightness strictly rises, no step twice. */
TEST(steps_of__stays_monotone__when_quantised) {
    static const es_colormap maps[] = {
        {.stops = {0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xfde725}, .n_stops = 5},
        {.stops = {0x00204d, 0x31446b, 0x666970, 0x958f78, 0xcbba69, 0xffea46}, .n_stops = 6},
        {.stops = {0x000004, 0x781c6d, 0xed6925, 0xfcffa4}, .n_stops = 4},
        {.stops = {0xffffff, 0x000000}, .n_stops = 2},
    };
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        es_steps steps = es_steps_of(&maps[m], false, ES_DEPTH_256);
        assert_true(steps.count >= 10);
        double sign = m == 3 ? -1 : 1;
        for (size_t i = 1; i < steps.count; i++)
            assert_true(sign * (lightness(steps.colours[i]) - lightness(steps.colours[i - 1])) > 0);
    }
}

TEST(steps_of__balances__a_diverging_map) {
    es_colormap map = {.stops = {0x2166ac, 0x67a9cf, 0xd1d1d1, 0xf4a261, 0xb2560d}, .n_stops = 5};
    es_steps steps = es_steps_of(&map, true, ES_DEPTH_256);
    assert_true(steps.count >= 7 && steps.count % 2 == 1);
    size_t middle = steps.count / 2;
    for (size_t i = 0; i < middle; i++) {
        assert_true(lightness(steps.colours[i]) < lightness(steps.colours[i + 1]));
        assert_true(lightness(steps.colours[steps.count - 1 - i]) <
                    lightness(steps.colours[steps.count - 2 - i]));
    }
    assert_int_equal(es_steps_at(&steps, 128), steps.colours[middle]);
    assert_int_equal(es_steps_at(&steps, 0), steps.colours[0]);
    assert_int_equal(es_steps_at(&steps, 255), steps.colours[steps.count - 1]);
}

/* In 16 colours a map with hues has hues, and lightness goes one way. */
TEST(steps_of__takes_the_palette__in_16_colours) {
    es_colormap map = {.stops = {0x000000, 0xffffff}, .n_stops = 2};
    es_colormap hues = {.stops = {0x440154, 0x21918c, 0xfde725}, .n_stops = 3},
                back = {.stops = {0xfde725, 0x21918c, 0x440154}, .n_stops = 3};
    const es_colormap *of[] = {&hues, &back};
    for (size_t k = 0; k < 2; k++) {
        es_steps steps = es_steps_of(of[k], false, ES_DEPTH_16);
        assert_int_equal(steps.count, 5);
        for (size_t i = 0; i < steps.count; i++) {
            assert_in_range(steps.colours[i] - ES_COLOUR_INDEX, 0, 15);
            es_lab lab = es_lab_of(es_palette_rgb((uint8_t)(steps.colours[i] - ES_COLOUR_INDEX)));
            assert_true(hypot(lab.a, lab.b) > 0.05);
            if (i > 0)
                assert_true((lightness(steps.colours[i]) > lightness(steps.colours[i - 1])) ==
                            (k == 0));
        }
    }
    assert_int_equal(es_steps_of(&map, false, ES_DEPTH_16).count, 0);
    assert_int_equal(es_steps_of(&map, false, ES_DEPTH_8).count, 0);
    assert_int_equal(es_steps_of(&map, false, ES_DEPTH_RGB).count, 64);
}

TEST(steps_dim__lies_between__the_map_and_the_background) {
    es_colormap map = {.stops = {0x440154, 0x21918c, 0xfde725}, .n_stops = 3};
    static const es_depth depths[] = {ES_DEPTH_RGB, ES_DEPTH_256};
    for (size_t d = 0; d < 2; d++) {
        es_steps full = es_steps_of(&map, false, depths[d]);
        es_steps dark = es_steps_dim(&full, 0x000000, 0xffffff, depths[d]);
        es_steps light = es_steps_dim(&full, ES_COLOUR_DEFAULT, 0x101010, depths[d]);
        assert_int_equal(dark.count, full.count);
        for (size_t i = full.count / 3; i < full.count; i++) {
            assert_true(lightness(dark.colours[i]) < lightness(full.colours[i]));
            assert_true(lightness(light.colours[i]) > lightness(full.colours[i]) - 0.03);
        }
        assert_int_equal(depths[d] == ES_DEPTH_256, dark.colours[5] >= ES_COLOUR_INDEX);
        for (size_t i = 0; i < full.count && depths[d] == ES_DEPTH_256; i++) {
            es_lab grey = es_lab_of(es_palette_rgb((uint8_t)(dark.colours[i] - ES_COLOUR_INDEX)));
            assert_true(hypot(grey.a, grey.b) < 1e-3);
        }
    }
    es_steps none = {.count = 0};
    assert_int_equal(es_steps_dim(&none, 0, 0xffffff, ES_DEPTH_16).count, 0);
}

/* In 8 colours nothing may be drawn in its own background. */
TEST(style_at_depth__shows_every_role__in_8_colours) {
    es_words names = {0};
    assert_ok(es_theme_list(ES_THEME_DIR, &names, NULL));
    for (size_t i = 0; i < names.count; i++) {
        es_theme theme;
        assert_ok(es_theme_load(names.word[i], ES_THEME_DIR, &theme, NULL, NULL));
        for (int role = 0; role < ES_ROLE_COUNT; role++) {
            es_style style = es_style_at_depth(&theme, (es_role)role, ES_DEPTH_8);
            assert_true(style.fg < ES_COLOUR_INDEX + 8 && style.bg < ES_COLOUR_INDEX + 8);
            if (style.fg != ES_COLOUR_DEFAULT)
                assert_int_not_equal(style.fg, style.bg);
        }
    }
    es_words_deinit(&names);
}

TEST(theme_check__finds_nothing__in_shipped_themes) {
    es_words names = {0};
    assert_ok(es_theme_list(ES_THEME_DIR, &names, NULL));
    assert_true(names.count >= 8);
    size_t found = 0;
    for (size_t i = 0; i < names.count; i++) {
        es_theme theme;
        es_error warning = {0};
        assert_ok(es_theme_load(names.word[i], ES_THEME_DIR, &theme, &warning, test_err()));
        assert_string_equal(warning.message, "");
        es_buf *report = test_buf();
        size_t problems = es_theme_check(&theme, report);
        es_picture_colours colours;
        es_status st = es_theme_picture(&theme, &colours, report, test_err());
        assert_int_equal(st, theme.colours == ES_PALETTE_ALL ? ES_OK : ES_EUNSUPPORTED);
        if (report->length > 0)
            print_error("%s:\n%s", names.word[i], report->data);
        found += problems + report->length;
    }
    es_words_deinit(&names);
    assert_int_equal(found, 0);
}

TEST(theme_check__finds_nothing__in_colour_maps_to_choose_from) {
    size_t found = 0;
    for (size_t map = 1; map < ES_COLORMAPS; map++) {
        es_theme theme, own;
        assert_ok(es_theme_load("default-dark", ES_THEME_DIR, &own, NULL, test_err()));
        theme = own;
        es_colormap_choose(&theme, map);
        assert_memory_equal(theme.maps[ES_MAP_HEAT].ramp, own.maps[ES_MAP_HEAT].ramp,
                            sizeof own.maps[ES_MAP_HEAT].ramp);
        assert_int_equal(es_theme_equal(&theme, &own),
                         map == es_text_index(es_colormap_names, ES_COLORMAPS, "viridis"));
        es_buf *report = test_buf();
        size_t problems = es_theme_check(&theme, report);
        if (problems > 0)
            print_error("%s:\n%s", es_colormap_names[map], report->data);
        found += problems;
    }
    assert_int_equal(found, 0);
}

TEST(theme_check__reports__an_invisible_selection) {
    static const char text[] = "inherits = default-dark\n[roles]\nselection = #808080 on #707070\n"
                               "community.2 = #e69f00\n";
    es_theme theme;
    assert_ok(
        es_theme_parse(text, sizeof text - 1, "bad.theme", ES_THEME_DIR, &theme, NULL, test_err()));
    es_buf *report = test_buf();
    assert_true(es_theme_check(&theme, report) >= 2);
    assert_contains(report->data, "selection: contrast 1.");
    assert_contains(report->data, "community.1 and community.2");
    es_buf_free(report);
    es_theme_table(&theme, report);
    assert_contains(report->data, "selection.blur");
}

static size_t findings(const char *text, es_buf *report) {
    es_theme theme;
    assert_ok(
        es_theme_parse(text, strlen(text), "bad.theme", ES_THEME_DIR, &theme, NULL, test_err()));
    es_buf_clear(report);
    return es_theme_check(&theme, report);
}

TEST(theme_check__reports__maps_that_fold_back) {
    es_buf *report = test_buf();
    assert_true(findings("inherits = default-dark\n[colormap heat]\n"
                         "stops = #202020 #c04040 #208020 #f0f0f0\n",
                         report) > 0);
    assert_contains(report->data, "colormap heat: lightness does not rise");
    assert_true(findings("inherits = default-dark\n[colormap asym]\n"
                         "stops = #a06020 #c8b060 #d1d1d1 #90b060 #507020\n",
                         report) > 0);
    assert_contains(report->data, "colormap asym: its ends");
}

/* Red against green: to most eyes another colour, to some the same. */
TEST(theme_check__reports__arms_alike_to_some_eyes) {
    es_theme theme;
    es_buf *report = test_buf();
    assert_ok(es_theme_load("default-dark", ES_THEME_DIR, &theme, NULL, NULL));
    static const uint32_t stops[] = {0xC05000, 0x303030, 0x7A7A00};
    memcpy(theme.maps[ES_MAP_ASYM].stops, stops, sizeof stops);
    theme.maps[ES_MAP_ASYM].n_stops = 3;
    theme.maps[ES_MAP_ASYM].n_c256 = 0;
    assert_true(es_theme_check(&theme, report) > 0);
    assert_contains(report->data, "colormap asym: +64 and -64 of 128 are ");
    assert_contains(report->data, "tanopic eyes");
}

TEST(theme_check__reports__roles_without_difference_in_mono) {
    es_buf *report = test_buf();
    assert_true(findings("colours = none\n[roles.mono]\nselection = default\n", report) > 0);
    assert_contains(report->data, "selection looks like text in no colour");
}

TEST(theme_check_file__reads__files_and_names) {
    es_buf *out = test_buf();
    size_t found = 99;
    assert_ok(es_theme_check_file("nord", ES_THEME_DIR, out, &found, test_err()));
    assert_int_equal(found, 0);
    assert_contains(out->data, "No findings.");
    es_buf_clear(out);
    assert_error(es_theme_check_file("absent.theme", ES_THEME_DIR, out, &found, test_err()),
                 ES_ENOTFOUND, "./absent.theme");
}
