/* What all views share on a screen: the frame around them, pools that have nothing or too much to
 * show, and what must hold in each of them. */
#include "screens.h"

#include "app_corr.h"
#include "app_lists.h"
#include "tui_terminal.h"

/* Values at the ends of what a number can hold, names that differ at their ends only, one task. */
TEST(screen__extremes__as_golden) {
    static const char *const names[] = {"an-embedder-with-a-long-name-of-a-family-v1-base",
                                        "an-embedder-with-a-long-name-of-a-family-v1-large",
                                        "an-embedder-with-a-long-name-of-a-family-v2-base", "huge",
                                        "nothing"};
    es_mock *mock = mock_kept(5, names, 0);
    es_effects *effects = effects_kept();
    es_buf out = {0};
    es_results *r = &mock->results;
    mock->source.phase = ES_PHASE_DONE;
    mock->source.scores.tasks = 1;
    mock_fill(mock, 1);
    for (size_t t = 0; t < 5; t++) {
        r->is[3 * 5 + t] = t % 2 == 0 ? 1e300 : 1.5e308;
        r->is[4 * 5 + t] = 0;
        r->is[0 * 5 + t] = t == 1 ? 1e-300 : r->is[t];
    }
    mock->model[1].duplicate_of = 0;
    es_app *app = open_app(mock);
    for (int view = 0; view < ES_VIEW_COUNT; view++) {
        app->view = (es_view_id)view;
        if (view == ES_VIEW_COMPARE)
            mock_keys(app, ":compare huge nothing<Enter>", effects);
        settle(app);
        app->now += 10;
        mock_send(app, (es_msg){.kind = ES_MSG_TICK, .now = app->now}, effects);
        add_screen(&out, app, 120, 40, false, false);
        add_screen(&out, app, 80, 24, true, false);
        add_screen(&out, app, 60, 16, false, false);
    }
    check_golden("screen/extremes", &out);
}

/* Two embedders: the least there can be. */
TEST(screen__two__as_golden) {
    es_mock *mock = mock_kept(2, NULL, 0);
    es_effects *effects = effects_kept();
    es_buf out = {0};
    mock->source.phase = ES_PHASE_DONE;
    mock_fill(mock, 1);
    es_app *app = open_app(mock);
    for (int view = 0; view < ES_VIEW_COUNT; view++) {
        app->view = (es_view_id)view;
        mock_send(app, (es_msg){.kind = ES_MSG_TICK, .now = app->now}, effects);
        settle(app);
        add_screen(&out, app, 80, 24, false, false);
    }
    check_golden("screen/two", &out);
}

/* Errors: the lowest is the best, and the words say so. */
TEST(screen__errors__as_golden) {
    static const es_view_id views[] = {ES_VIEW_HEATMAP, ES_VIEW_RANK};
    es_mock *mock = make_scene(SCENE_FIVE);
    es_effects *effects = effects_kept();
    es_buf out = {0};
    mock->lower[0] = true;
    es_app *app = open_app(mock);
    mock_send(app, (es_msg){.kind = ES_MSG_TICK, .now = 101}, effects);
    mock_compute(mock, app, app->intervals.tag);
    mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = 110}, effects);
    for (int i = 0; i < 2; i++) {
        app->view = views[i];
        add_screen(&out, app, 120, 40, false, false);
        add_screen(&out, app, 80, 24, false, false);
    }
    check_golden("screen/errors", &out);
}

/* What a finished matrix from a file looks like: names and values, nothing to run. */
static void make_matrix(es_mock *mock) {
    mock->source.read_only = true;
    mock->source.threads = 0;
    mock->source.rows = 0;
    mock->source.store_path = NULL;
    mock_fill(mock, 1);
    for (size_t i = 0; i < mock->source.model_count; i++)
        mock->model[i] =
            (es_model){.name = mock->name[i], .state = ES_MODEL_READY, .duplicate_of = SIZE_MAX};
}

static void fail_all(es_mock *mock) {
    mock->source.phase = ES_PHASE_DONE;
    for (size_t source = 0; source < mock->results.m; source++)
        for (size_t target = 0; target < mock->results.m; target++)
            if (source != target)
                mock_fail(mock, source, target,
                          "source: the file is gone: no such file or directory");
    mock_count_progress(mock);
}

TEST(screen__problems__are_explained) {
    static const char *const names[] = {
        "screen/problem-pool",  "screen/problem-one", "screen/problem-checking",
        "screen/problem-none",  "screen/small",       "screen/matrix",
        "screen/problem-failed"};
    for (int i = 0; i < 7; i++) {
        es_mock *mock = mock_kept(i == 1 ? 1 : i == 3 ? 0 : 13, NULL, i == 0 ? 12 : 0);
        es_buf out = {0};
        es_effects *effects = effects_kept();
        mock->have_results = i >= 4;
        if (i == 2) {
            mock->source.phase = ES_PHASE_CHECKING;
            mock->source.progress.checked = 5;
            for (size_t m = 5; m < 13; m++)
                mock->model[m].state = ES_MODEL_UNCHECKED;
        } else if (i == 5) {
            make_matrix(mock);
        } else if (i == 6) {
            fail_all(mock);
        } else if (i != 4) {
            mock->source.problem.code = ES_EEMPTY;
            snprintf(mock->source.problem.message, sizeof mock->source.problem.message,
                     "mteb-en: %s; at least two are needed",
                     i == 3 ? "no embedders" : "one usable embedder");
        } else
            mock->source.phase = ES_PHASE_RUNNING;
        es_app *app = open_app(mock);
        if (i == 4) {
            add_screen(&out, app, 40, 10, false, false);
            add_screen(&out, app, 59, 15, true, false);
            add_screen(&out, app, 20, 3, false, false);
            add_screen(&out, app, 10, 2, false, false);
            add_screen(&out, app, 1, 1, false, false);
        } else
            for (int view = 0; view < 5; view++) {
                add_screen(&out, app, 120, 40, false, false);
                add_screen(&out, app, 60, 16, true, false);
                mock_keys(app, "]", effects);
            }
        check_golden(names[i], &out);
    }
}

/* Where no box has room, what the window needs stays; a question can be answered there all the
 * same. */
TEST(screen__small__is_not_covered) {
    static const char *const keys[] = {"?", ":log<Enter>", "e", "q"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        es_mock *mock = mock_kept(5, NULL, 0);
        mock->source.phase = ES_PHASE_RUNNING;
        es_app *app = open_app(mock);
        es_effects *effects = effects_kept();
        es_buf *text = test_buf();
        mock_keys(app, keys[k], effects);
        add_screen(text, app, 24, 6, false, false);
        bool question = keys[k][0] == 'q';
        assert_true(question || strstr(text->data, "This needs 60×16.") != NULL);
        assert_lacks(text->data, "? help");
    }
}

/* The selected row is told by a glyph, not by colour alone. */
TEST(screen__selection__has_a_glyph) {
    for (int view = 0; view < ES_VIEW_COUNT; view++) { /* of which there is none */
        es_mock *mock = make_scene(SCENE_PARTIAL);
        es_app *app = open_app(mock);
        es_grid *grid = grid_kept();
        es_effects effects = {0};
        app->view = (es_view_id)view;
        settle(app);
        if (view == ES_VIEW_COMPARE) /* nothing is selected before something is compared */
            mock_keys(app, "4c", &effects);
        assert_true(es_grid_resize(grid, 120, 40));
        es_screen_draw(app, grid);
        int found = 0;
        for (int i = 0; i < 120 * 40; i++)
            found += grid->cells[i].code[0] == 0x276f;
        assert_int_equal(found, view != ES_VIEW_OVERVIEW);
    }
}

/* The footer keeps "? help" at any width. */
TEST(footer__any_width__keeps_help) {
    es_mock *mock = make_scene(SCENE_PARTIAL);
    es_app *app = open_app(mock);
    for (int w = 60; w < 200; w += 3) {
        es_grid *grid = grid_kept();
        assert_true(es_grid_resize(grid, w, 30));
        es_screen_draw(app, grid);
        char *text = test_keep(es_grid_dump_text(grid), es_free);
        assert_contains(text, "? help");
    }
}

TEST(footer__paused__offers_to_go_on) {
    static const int sizes[][2] = {{120, 40}, {60, 16}, {40, 10}};
    es_mock *mock = make_scene(SCENE_PARTIAL);
    mock->source.phase = ES_PHASE_PAUSED;
    es_app *app = open_app(mock);
    for (int i = 0; i < 3; i++) {
        es_grid *grid = grid_kept();
        assert_true(es_grid_resize(grid, sizes[i][0], sizes[i][1]));
        es_screen_draw(app, grid);
        char *text = test_keep(es_grid_dump_text(grid), es_free);
        assert_contains(text, "p resume");
        assert_contains(text, "? help");
        assert_lacks(text, "p pause");
    }
}

/* CJK and combining names must not bend a border. */
TEST(screen__wide_names__borders_stay_straight) {
    for (int view = 0; view < ES_VIEW_COUNT; view++) {
        es_mock *mock = make_scene(SCENE_WIDE_NAMES);
        es_app *app = open_app(mock);
        es_grid *grid = grid_kept();
        app->view = (es_view_id)view;
        settle(app);
        assert_true(es_grid_resize(grid, 80, 24));
        es_screen_draw(app, grid);
        for (int y = 1 + app->headline.lines; y < 22; y++) {
            uint32_t left = es_grid_at(grid, 0, y)->code[0],
                     right = es_grid_at(grid, 79, y)->code[0];
            assert_true(left >= 0x2500 && left < 0x2580 && right >= 0x2500 && right < 0x2580);
        }
    }
}

/* The order is frozen: every view says so, and how much has changed meanwhile. */
TEST(screen__frozen__says_what_changed) {
    es_mock *mock = make_scene(SCENE_PARTIAL);
    es_app *app = open_app(mock);
    es_effects *effects = effects_kept();
    mock_keys(app, "4F", effects);
    mock_fill(mock, 0.9);
    mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = 120}, effects);
    size_t changes = es_select_changes(app);
    assert_true(changes > 1);
    char expected[64];
    snprintf(expected, sizeof expected, "order frozen: %zu rank changes (F)", changes);
    for (int view = 0; view < ES_VIEW_COUNT; view++) {
        es_grid *grid = grid_kept();
        app->view = (es_view_id)view;
        mock_send(app, (es_msg){.kind = ES_MSG_TICK, .now = 130}, effects);
        assert_true(es_grid_resize(grid, 120, 40));
        es_screen_draw(app, grid);
        char *text = test_keep(es_grid_dump_text(grid), es_free);
        assert_contains(text, expected);
    }
}

/* ---- Colours that meet ---- */

typedef struct met {
    es_cell cell; /* of role, paints and reverse alone */
} met;

typedef struct meetings {
    met *list;
    size_t count, capacity;
} meetings;

/* Every combination of role and paints in which a letter or a digit is drawn. */
static void collect(meetings *m, const es_grid *grid) {
    for (int i = 0; i < grid->w * grid->h; i++) {
        const es_cell *cell = &grid->cells[i];
        uint32_t code = cell->code[0];
        bool letter = (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') ||
                      (code >= 'A' && code <= 'Z');
        bool known = !letter || cell->role == ES_ROLE_OVERLAY_SHADOW; /* not to be read */
        for (size_t k = 0; k < m->count && !known; k++)
            known = m->list[k].cell.role == cell->role && m->list[k].cell.fg == cell->fg &&
                    m->list[k].cell.bg == cell->bg && m->list[k].cell.reverse == cell->reverse;
        if (known)
            continue;
        met *list = es_grow(m->list, m->count, &m->capacity, sizeof *list);
        assert_non_null(list);
        m->list = list;
        m->list[m->count].cell = *cell;
        m->list[m->count++].cell.code[0] = '8';
    }
}

static void collect_views(meetings *m, es_scene scene, const char *keys) {
    es_mock *mock = make_scene(scene);
    es_effects *effects = effects_kept();
    es_grid *grid = grid_kept();
    es_app *app = open_app(mock);
    assert_true(es_grid_resize(grid, 200, 60));
    for (int view = 0; view < ES_VIEW_COUNT; view++) {
        app->view = (es_view_id)view;
        settle(app);
        mock_send(app, (es_msg){.kind = ES_MSG_RESIZE, .now = app->now, .w = 200, .h = 60},
                  effects);
        mock_keys(app, keys, effects);
        es_screen_draw(app, grid);
        collect(m, grid);
        mock_keys(app, "<Esc>", effects);
    }
}

static uint32_t shown_rgb(es_colour colour, uint32_t own) {
    if (colour == ES_COLOUR_DEFAULT)
        return own;
    return colour >= ES_COLOUR_INDEX ? es_palette_rgb((uint8_t)(colour - ES_COLOUR_INDEX))
                                     : (uint32_t)colour;
}

/* Of all combinations of roles and maps that meet on screens, in every theme and depth: what is to
 * be read can be. 16 colours differ between terminals: there it must only be there. */
TEST(screen__colours_that_meet__can_be_read) {
    meetings m = {0};
    es_words names = {0};
    size_t found = 0;
    collect_views(&m, SCENE_DONE, "");
    collect_views(&m, SCENE_DONE, "i");
    collect_views(&m, SCENE_MEASURED, "?");
    collect_views(&m, SCENE_FAILED, ":");
    assert_true(m.count > 60);
    assert_ok(es_theme_list(ES_THEME_DIR, &names, NULL));
    for (size_t t = 0; t < names.count; t++) {
        static es_theme theme;
        static es_look look;
        assert_ok(es_theme_load(names.word[t], ES_THEME_DIR, &theme, NULL, NULL));
        const es_style *text = &theme.styles[ES_STYLES_FULL][ES_ROLE_TEXT];
        bool light = es_lab_of(shown_rgb(text->fg, 0xFFFFFF)).l < 0.5;
        for (int depth = ES_DEPTH_8; depth <= ES_DEPTH_RGB; depth++) {
            es_look_set(&look, &theme, (es_depth)depth);
            for (size_t k = 0; k < m.count; k++) {
                const es_cell *cell = &m.list[k].cell;
                es_glyph glyph;
                es_look_cell(&look, cell, &glyph);
                bool swap = (glyph.attrs & ES_ATTR_REVERSE) != 0;
                uint32_t fg = shown_rgb(glyph.fg, light ? 0x000000 : 0xE5E5E5),
                         bg = shown_rgb(glyph.bg, light ? 0xFFFFFF : 0x000000);
                bool own = look.depth < ES_DEPTH_256;
                bool mark = cell->role >= ES_ROLE_COMMUNITY_1 && cell->role <= ES_ROLE_COMMUNITY_8;
                double least = own ? 1.8 : mark || cell->role == ES_ROLE_BORDER_FOCUS ? 3 : 4.5;
                double contrast = es_contrast(fg, bg);
                if (contrast < least) {
                    print_error("%s, %s: %s, paints %x on %x, swapped %d: %.2f\n", names.word[t],
                                es_depth_name(look.depth), es_role_name((es_role)cell->role),
                                (unsigned)cell->fg, (unsigned)cell->bg, swap, contrast);
                    found++;
                }
            }
        }
    }
    es_words_deinit(&names);
    es_free(m.list);
    assert_int_equal(found, 0);
}

/* "-0.00": what the decimals do not tell from 0. */
static const char *negative_zero(const char *text) {
    for (const char *at = text; (at = strstr(at, "-0.0")) != NULL; at++) {
        const char *end = at + 3;
        while (*end == '0')
            end++;
        if (*end < '1' || *end > '9')
            return at;
    }
    return NULL;
}

/* In every view, of embedders that tell nothing of the others: a little less than 0. */
TEST(screen__any_view__has_no_negative_zero) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_results *r = &mock->results;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < r->m; j++) {
            if (r->state[i * r->m + j] == ES_PAIR_DONE)
                r->is[i * r->m + j] = -0.0001 * (double)(1 + j % 3);
            if (r->state[j * r->m + i] == ES_PAIR_DONE)
                r->is[j * r->m + i] = -0.0001;
        }
    es_app *app = open_app(mock);
    es_effects *effects = effects_kept();
    static const char *const keys[] = {"0", "1", "2", "3", "g", "4", "5", "6", "7", "9"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        es_buf *out = test_buf();
        mock_keys(app, keys[k], effects);
        settle(app);
        add_screen(out, app, 120, 40, false, false);
        add_screen(out, app, 80, 24, false, false);
        const char *found = negative_zero(out->data);
        if (found != NULL)
            fail_msg("key %s: %.30s", keys[k], found);
    }
}

static void check_says(es_app *app, int w, int h, const char *keys, const char *text) {
    es_buf *out = test_buf();
    add_screen(out, app, w, h, false, false);
    if (strstr(out->data, text) == NULL)
        fail_msg("key %s: no \"%s\" in\n%s", keys, text, out->data);
}

/* Whoever does not see that a filter hides rows, or that a part of the rows was used, takes what is
 * shown for all of it: both are said at any width, whatever gives way. */
TEST(screen__narrow__still_says_what_is_left_out) {
    static const char *const keys[] = {"1", "2", "3", "4", "5", "6", "7"};
    static const int size[][2] = {{120, 40}, {80, 24}, {60, 16}};
    static const es_scene scenes[] = {SCENE_DONE, SCENE_PARTIAL, SCENE_EMPTY};
    for (size_t s = 0; s < 3; s++) {
        es_mock *mock = make_scene(scenes[s]);
        es_app *app = open_app(mock);
        es_effects *effects = effects_kept();
        mock->source.rows = 300;
        mock->source.rows_of = 1500;
        mock_keys(app, ":filter /gte|bge|UAE|ember|GIST|stella|e5-small|gtr-t5/<Enter>", effects);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            for (int z = 0; z < 3; z++) {
                mock_keys(app, keys[k], effects);
                settle(app);
                app->toast_until = 0;
                if (k < 4)
                    check_says(app, size[z][0], size[z][1], keys[k], "filter: /gt");
                check_says(app, size[z][0], size[z][1], keys[k],
                           size[z][0] < 80 ? "300/1500 rows" : "300 of 1500 rows");
            }
    }
}

/* A coefficient over three points, with what they are: how many, that they are few, and how many
 * more there would be. */
TEST(corr__narrow__says_how_many_points) {
    es_mock *mock = make_scene(SCENE_DONE);
    es_app *app = open_app(mock);
    es_effects *effects = effects_kept();
    char filter[300];
    mock_keys(app, "5", effects);
    settle(app);
    const size_t *point = app->corr->point;
    (void)snprintf(filter, sizeof filter, ":filter /^(%s|%s|%s)$/<Enter>",
                   es_app_model(app, point[0])->name, es_app_model(app, point[1])->name,
                   es_app_model(app, point[2])->name);
    mock_keys(app, filter, effects);
    settle(app);
    for (int w = 60; w <= 120; w += 20) {
        check_says(app, w, w == 60 ? 16 : 24, "5", "n=3: ");
        check_says(app, w, w == 60 ? 16 : 24, "5", w == 60 ? " (-9)" : "9");
    }
}

/* What is not shown, and will not come, is said where it is missed. */
TEST(screen__missing__is_said_where_it_is_missed) {
    static const struct {
        size_t n;
        const char *keys, *text;
    } shots[] = {
        {2, "0", "Fewer than three"},
        {13, "1:filter nobody<Enter>0", "No embedder matches the filter. Esc"},
        {13, "3:filter e5<Enter>", " not shown"},
        {13, "4:sort rank<Enter>", "rank ▲"},
        {13, "4??", "Views, each in its own"},
        {13, "4??", "Pool, Rank"},
        {13, ":help rank<Enter>", "The score is the lead"},
    };
    for (size_t k = 0; k < sizeof shots / sizeof *shots; k++) {
        es_mock *mock = mock_kept(shots[k].n, NULL, 0);
        mock->source.phase = ES_PHASE_DONE;
        mock_fill(mock, 1);
        mock_count_progress(mock);
        es_app *app = open_app(mock);
        es_effects *effects = effects_kept();
        mock_keys(app, shots[k].keys, effects);
        settle(app);
        check_says(app, 120, 60, shots[k].keys, shots[k].text);
    }
}

TEST(footer__first_start__explains_until_a_key) {
    es_mock *mock = make_scene(SCENE_PARTIAL);
    es_app *app = open_app(mock);
    es_effects *effects = effects_kept();
    mock_keys(app, "0", effects);
    app->newcomer = true;
    check_says(app, 120, 40, "", "arrows move · Enter opens · ? explains this screen · q quits");
    check_says(app, 80, 24, "", "? explains this screen · q quits");
    check_says(app, 60, 16, "", "arrows move · Enter opens · q quits");
    mock_keys(app, "j", effects);
    check_says(app, 120, 40, "j", "hjkl move");
}

/* On the smallest usual screen the first paragraph of each page is there, and then keys. */
TEST(help__any_view__begins_with_how_to_read_it) {
    for (int v = 0; v < ES_VIEW_COUNT; v++) {
        es_mock *mock = make_scene(SCENE_DONE);
        es_app *app = open_app(mock);
        es_effects *effects = effects_kept();
        char keys[40], first[40];
        (void)snprintf(keys, sizeof keys, ":%s<Enter>?", es_view_word((es_view_id)v));
        (void)snprintf(first, sizeof first, "%s", es_topic_text((es_view_id)v));
        mock_keys(app, keys, effects);
        assert_true(strlen(first) > 30);
        check_says(app, 80, 24, keys, first);
        check_says(app, 80, 24, keys, "Move: arrows or hjkl");
        check_says(app, 80, 24, keys, "❯ ");
    }
}
