/* The matrix's cells: which glyph and which colours tell what a pair is, alone and two in a
 * character. */
#include "app/bench.h"
#include "tui/grids.h"
#include "heatmap_panes.h"
#include "tui_screen.h"
#include "app_state.h"
#include "app_values.h"
#include "app_dialogs.h"

typedef struct es_bench {
    es_mock *mock;
    es_app *app;
    es_grid *grid;
    es_effects *effects;
    es_rect in;        /* of the matrix's pane */
    es_heatmap_view m; /* where the matrix is */
} es_bench;

/* All pairs known by the first of two estimators, by name, in half blocks; nothing is refined. */
static es_bench *bench_open(size_t n) {
    es_bench *b = test_alloc(1, sizeof *b);
    *b = (es_bench){.mock = mock_kept(n, NULL, 0), .grid = grid_kept(), .effects = effects_kept()};
    mock_fill(b->mock, 1);
    mock_refine(b->mock, 0);
    b->mock->source.phase = ES_PHASE_RUNNING;
    b->app = app_over(b->mock);
    b->app->moved = true; /* the cursor stays where tests put it */
    assert_true(es_grid_resize(b->grid, 120, 40));
    mock_send(b->app, (es_msg){.kind = ES_MSG_RESIZE, .now = 100, .w = 120, .h = 40}, b->effects);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 100}, b->effects);
    mock_keys(b->app, ":heatmap<Enter>:order name<Enter>", b->effects);
    b->app->set.zoom = ES_ZOOM_HALF;
    return b;
}

static void bench_draw(es_bench *b) {
    b->mock->results.revision++;
    mock_count_progress(b->mock);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now + 10}, b->effects);
    b->grid->ascii = b->app->ascii;
    es_screen_draw(b->app, b->grid);
    b->in = es_layout_inside(
        es_layout_make(ES_VIEW_HEATMAP, ES_PANE_MAIN, 120, 40, 0).pane[ES_PANE_MAIN]);
    b->m = es_heatmap_make(b->app, b->grid, b->in);
}

/* R refined, T tentative (a preview), P pending, X running, F failed. */
static void set_pair(es_bench *b, size_t row, size_t column, char state) {
    const es_list *list = &b->app->list[ES_LIST_HEAT];
    size_t s = list->item[row], t = list->item[column];
    es_results *r = &b->mock->results, *f = b->mock->refined;
    size_t cell = s * r->m + t;
    r->state[cell] = state == 'P'   ? ES_PAIR_PENDING
                     : state == 'X' ? ES_PAIR_RUNNING
                     : state == 'F' ? ES_PAIR_FAILED
                                    : ES_PAIR_DONE;
    f->state[cell] = state == 'R' ? ES_PAIR_DONE : ES_PAIR_PENDING;
    if (state == 'R') {
        f->is[cell] = r->is[cell];
        f->se[cell] = 0.01;
    }
    f->revision++;
}

static const es_cell *cell_at(es_bench *b, size_t line, size_t column) {
    return es_grid_at(b->grid, b->m.x + (int)column, b->m.y + (int)line);
}

/* The colour of a pair as the map has it. */
static es_paint colour_of(const es_bench *b, size_t row, size_t column) {
    es_tile tile = es_heatmap_pair(&b->m, row, column);
    return tile.kind == TILE_VALUE ? es_heatmap_paint(&b->m, &tile) : ES_PAINT_NONE;
}

static es_paint role(es_role of) {
    return (es_paint)(ES_PAINT_ROLE + (int)of);
}

TEST(halves__mixtures__have_a_shape_each) {
    enum { UPPER, LOWER, NOTHING, ANY };
    static const struct {
        char upper, lower;
        uint32_t code;
        int fg, bg; /* whose colour */
    } cases[] = {
        {'R', 'R', 0x2580, UPPER, LOWER},   {'T', 'T', 0x259a, ANY, LOWER},
        {'T', 'R', 0x259f, LOWER, UPPER},   {'R', 'T', 0x259b, UPPER, LOWER},
        {'R', 'P', 0x2580, UPPER, NOTHING}, {'P', 'R', 0x2584, LOWER, NOTHING},
        {'T', 'P', 0x2598, UPPER, NOTHING}, {'P', 'T', 0x2597, LOWER, NOTHING},
        {'P', 'P', 0xb7, ANY, NOTHING},     {'F', 'R', 0xd7, NOTHING, LOWER},
        {'R', 'F', 0xd7, NOTHING, UPPER},   {'F', 'T', 0xd7, NOTHING, LOWER},
        {'F', 'P', 0xd7, ANY, NOTHING},     {'F', 'F', 0xd7, ANY, NOTHING},
        {'X', 'T', 0x2218, NOTHING, LOWER}, {'R', 'X', 0x2218, NOTHING, UPPER},
        {'X', 'P', 0x2218, ANY, NOTHING},   {'X', 'F', 0xd7, ANY, NOTHING},
    };
    enum { CASES = sizeof cases / sizeof *cases, N = CASES + 3 };
    es_bench *b = bench_open(N);
    for (size_t i = 0; i < CASES; i++) {
        set_pair(b, 0, i + 2, cases[i].upper);
        set_pair(b, 1, i + 2, cases[i].lower);
    }
    mock_keys(b->app, "GG", b->effects); /* the cursor is elsewhere */
    b->app->list[ES_LIST_HEAT].top = 0;
    bench_draw(b);
    for (size_t i = 0; i < CASES; i++) {
        const es_cell *cell = cell_at(b, 0, i + 2);
        es_paint colour[] = {colour_of(b, 0, i + 2), colour_of(b, 1, i + 2), ES_PAINT_NONE};
        if (cell->code[0] != cases[i].code)
            fail_msg("%c over %c: U+%04X", cases[i].upper, cases[i].lower, cell->code[0]);
        assert_int_equal(cell->width, 1);
        assert_int_equal(es_code_width(cell->code[0]), 1);
        assert_int_equal((colour[0] & ES_PAINT_DIM) != 0, cases[i].upper == 'T');
        assert_int_equal((colour[1] & ES_PAINT_DIM) != 0, cases[i].lower == 'T');
        if (cases[i].fg != ANY)
            assert_int_equal(cell->fg, colour[cases[i].fg]);
        assert_int_equal(cell->bg, colour[cases[i].bg]);
        if (cell->code[0] == 0xd7)
            assert_int_equal(cell->role, ES_ROLE_CELL_FAILED);
        if (cell->code[0] == 0x259a) /* in full colour, so that equal values still show it */
            assert_int_equal(cell->fg | ES_PAINT_DIM, colour[UPPER]);
    }
}

TEST(halves__equal_previews__still_make_a_pattern) {
    es_bench *b = bench_open(6);
    const es_list *list = &b->app->list[ES_LIST_HEAT];
    for (size_t row = 0; row < 2; row++) {
        b->mock->results.is[list->item[row] * 6 + list->item[3]] = 0.25;
        b->mock->results.is[list->item[row] * 6 + list->item[4]] = 0.25;
    }
    set_pair(b, 0, 4, 'R');
    mock_keys(b->app, "G", b->effects);
    bench_draw(b);
    const es_cell *both = cell_at(b, 0, 3), *one = cell_at(b, 0, 4);
    assert_int_equal(both->code[0], 0x259a);
    assert_int_not_equal(both->fg, both->bg);
    assert_int_equal(one->code[0], 0x259b);
    assert_int_not_equal(one->fg, one->bg);
}

TEST(halves__self_and_odd_last_row__leave_the_rest_empty) {
    es_bench *b = bench_open(7);
    set_pair(b, 6, 0, 'R');
    set_pair(b, 6, 2, 'P');
    set_pair(b, 6, 3, 'F');
    set_pair(b, 0, 1, 'P');
    set_pair(b, 1, 0, 'R');
    mock_keys(b->app, "jj", b->effects);
    bench_draw(b);
    const es_cell *last = cell_at(b, 3, 0);
    assert_int_equal(last->code[0], 0x2580);
    assert_int_equal(last->bg, ES_PAINT_NONE);
    last = cell_at(b, 3, 1); /* a preview */
    assert_int_equal(last->code[0], 0x2598);
    assert_int_equal(last->bg, ES_PAINT_NONE);
    assert_int_equal(cell_at(b, 3, 2)->code[0], 0xb7);
    assert_int_equal(cell_at(b, 3, 3)->code[0], 0xd7);
    assert_int_equal(cell_at(b, 3, 6)->code[0], 0x2572);
    const es_cell *self = cell_at(b, 0, 0); /* above a refined value */
    assert_int_equal(self->code[0], 0x2580);
    assert_int_equal(self->fg, role(ES_ROLE_CELL_SELF));
    assert_int_equal(self->bg, colour_of(b, 1, 0));
    self = cell_at(b, 0, 1); /* below a pending one */
    assert_int_equal(self->code[0], 0x2584);
    assert_int_equal(self->fg, role(ES_ROLE_CELL_SELF));
    assert_int_equal(self->bg, ES_PAINT_NONE);
    self = cell_at(b, 1, 2); /* above a preview */
    assert_int_equal(self->code[0], 0x259b);
    assert_int_equal(self->fg, role(ES_ROLE_CELL_SELF));
    assert_int_equal(self->bg, colour_of(b, 3, 2));
}

TEST(halves__cursor_and_new_value__are_whole) {
    es_bench *b = bench_open(8);
    const es_list *list = &b->app->list[ES_LIST_HEAT];
    b->app->cursor = list->item[1];
    b->app->column = list->item[4];
    bench_draw(b);
    const es_cell *cell = cell_at(b, 0, 4);
    assert_int_equal(cell->code[0], 0x2580);
    assert_int_equal(cell->fg, colour_of(b, 0, 4));
    assert_int_equal(cell->bg, role(ES_ROLE_CURSOR));
    b->app->newest_source = list->item[2];
    b->app->newest_target = list->item[5];
    b->app->newest_at = b->app->now;
    es_screen_draw(b->app, b->grid);
    cell = cell_at(b, 1, 5);
    assert_int_equal(cell->code[0], 0x259b); /* as a value that counts, beside a preview */
    assert_int_equal(cell->fg, role(ES_ROLE_CELL_FLASH));
}

TEST(characters__few_colours_or_ascii__tell_previews_too) {
    es_bench *b = bench_open(9);
    set_pair(b, 0, 3, 'R');
    mock_keys(b->app, "G", b->effects);
    for (int ascii = 0; ascii < 2; ascii++) {
        es_app_display(b->app, ascii != 0, true, false);
        bench_draw(b);
        assert_false(b->m.g.half);
        assert_int_equal(b->m.g.cell_w, 1);
        for (size_t c = 1; c < 9; c++) {
            uint32_t code = cell_at(b, 0, c)->code[0];
            int step = es_limits_step(b->m.limits, es_heatmap_pair(&b->m, 0, c).value);
            bool refined = code == es_heatmap_ramp(step, ascii != 0);
            assert_int_equal(refined, c == 3);
            if (!refined && ascii)
                assert_int_equal(code, '0' + step * 10 / 256);
            else if (!refined)
                assert_non_null(memchr("\x98\x9a\x99\xa0", (int)(code & 0xff), 4));
        }
    }
}

TEST(ramp__ascii__shares_no_sign_with_states) {
    for (int step = 0; step < 256; step++) {
        uint32_t code = es_heatmap_ramp(step, true);
        assert_true(code > ' ' && code < 0x7f);
        assert_null(strchr("0123456789~?X", (int)code));
        for (int kind = TILE_SELF; kind < TILE_VALUE; kind++)
            assert_int_not_equal(code, es_code_ascii(es_heatmap_glyph((es_tile_kind)kind)));
    }
}

/* The line of the legend that explains states. */
static void legend_of(es_bench *b, char *out, size_t capacity) {
    es_rect in = b->in;
    size_t used = 0;
    for (int x = in.x; x < in.x + in.w && used + 5 < capacity; x++) {
        uint32_t code = es_grid_at(b->grid, x, in.y + in.h - 2)->code[0];
        out[used++] = code == 0 ? ' ' : code < 0x80 ? (char)code : code == 0x259a ? '%' : '*';
    }
    out[used] = '\0';
}

TEST(legend__states__counts_what_is_shown) {
    char text[256];
    es_bench *b = bench_open(10);
    for (size_t row = 0; row < 10; row++)
        for (size_t c = 0; c < 10; c++)
            set_pair(b, row, c, row < 7 ? 'R' : c < 3 ? 'P' : 'T');
    set_pair(b, 2, 4, 'F');
    bench_draw(b); /* three rows of seven previews, less the diagonal */
    legend_of(b, text, sizeof text);
    assert_contains(text, "% 18 previews (linear)  * 9 pending  * 1 failed  * self");
    for (size_t row = 7; row < 10; row++)
        for (size_t c = 0; c < 10; c++)
            set_pair(b, row, c, 'R');
    set_pair(b, 2, 4, 'T');
    bench_draw(b);
    legend_of(b, text, sizeof text);
    assert_contains(text, "% 1 preview (linear)  * self");
    assert_lacks(text, "pending");
}

/* What the estimator says of itself with these rows stands where values are explained. */
TEST(legend__remark__is_said) {
    static const char remark[] = "not steady: halves of the rows may rank otherwise";
    char text[256];
    es_bench *b = bench_open(10);
    for (int with = 0; with < 2; with++) {
        b->mock->results.remark = b->mock->refined->remark = with ? remark : NULL;
        bench_draw(b);
        legend_of(b, text, sizeof text);
        assert_int_equal(strstr(text, "not steady") != NULL, with);
        assert_lacks(text, "rows"); /* without room what stands before the colon */
        char *note = es_note_cell(b->app, 0, 1);
        assert_int_equal(note && strstr(note, remark) != NULL, with);
        free(note);
    }
    b->mock->results.remark = b->mock->refined->remark = NULL;
}

/* The lines of the cell's pane. */
/* Where it gets narrow, what can be seen anyway is not said; the rest is whole. */
TEST(border__little_room__is_not_cut) {
    static const struct {
        size_t n;
        const char *expected;
    } cases[] = {{11, " 11x11 * every 2nd name * 0/110 refined -"},
                 {40, "- 1-28, 1-33 of 40 * 0/1560 refined -"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[128];
        size_t used = 0;
        es_bench *b = bench_open(cases[i].n);
        mock_send(b->app, (es_msg){.kind = ES_MSG_RESIZE, .now = 200, .w = 80, .h = 24},
                  b->effects);
        assert_true(es_grid_resize(b->grid, 80, 24));
        es_screen_draw(b->app, b->grid);
        es_rect pane = es_layout_make(ES_VIEW_HEATMAP, ES_PANE_MAIN, 80, 24, 0).pane[ES_PANE_MAIN];
        for (int x = pane.x; x < pane.x + pane.w; x++) {
            uint32_t code = es_grid_at(b->grid, x, pane.y + pane.h - 1)->code[0];
            line[used++] = code == 0      ? ' '
                           : code < 0x80  ? (char)code
                           : code == 0xd7 ? 'x'
                           : code == 0xb7 ? '*'
                                          : '-';
        }
        line[used] = '\0';
        if (strstr(line, cases[i].expected) == NULL)
            fail_msg("%s", line);
    }
}

static char *inspector_of(es_bench *b) {
    char *all, *out = calloc(1, 10000);
    bench_draw(b);
    es_rect side = es_layout_make(ES_VIEW_HEATMAP, ES_PANE_MAIN, 120, 40, 0).pane[ES_PANE_SIDE];
    for (int y = side.y; y < side.y + side.h; y++)
        for (int x = side.x; x < side.x + side.w; x++) { /* beyond ASCII all are one byte here */
            uint32_t code = es_grid_at(b->grid, x, y)->code[0];
            all = out + strlen(out);
            *all = code == 0 ? ' ' : code < 0x80 ? (char)code : '|';
        }
    return out;
}

TEST(inspector__any_magnitude__shows_numbers_that_fit) {
    static const struct {
        double is, back, se, h, seconds;
        const char *value, *nats, *reverse, *time;
    } cases[] = {
        {1e-9, -1e-9, 1e-12, 1, 0.00123, "0.000   95% [0.000, 0.000]",
         "0 nats  H 1.00  H(V|U) 1.00", "0.000   asymmetry +0.000", "1.2 ms"},
        {1.5e12, -2e300, 1e10, 3e8, 12345.678, "1.5e12   95% [1.5e12, 1.5e12]", "3.8e14 nats",
         "-2.0e300   asy", "12345.68 s"},
        {-12.3456, 7, 0.5, -1.25, 1e7, "-12.3   95% [-13.3, -11.4]", "-3123 nats  H",
         "7.000   asymmetry -19.346", "1.0e7 s"},
        {0.25, (double)NAN, 0.01, 1, (double)NAN, "0.250   95% [0.230, 0.270]", "H 1.25",
         "not known yet", "row 1/"},
        {0.25, 0.125, (double)NAN, (double)NAN, 0, "0.250", "IS/d", "0.125   asymmetry +0.125",
         "0 ms"},
    };
    es_bench *b = bench_open(4);
    const es_list *list = &b->app->list[ES_LIST_HEAT];
    size_t s = list->item[0], t = list->item[2];
    es_results *r = &b->mock->results;
    b->app->cursor = s;
    b->app->column = t;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        r->is[s * 4 + t] = cases[i].is;
        r->is[t * 4 + s] = cases[i].back;
        r->se[s * 4 + t] = cases[i].se;
        r->h_cond[s * 4 + t] = cases[i].h;
        r->seconds[s * 4 + t] = cases[i].seconds;
        char *text = inspector_of(b);
        const char *const parts[] = {cases[i].value, cases[i].nats, cases[i].reverse,
                                     cases[i].time};
        for (size_t k = 0; k < 4; k++)
            if (strstr(text, parts[k]) == NULL)
                fail_msg("case %zu: no \"%s\" in %s", i, parts[k], text);
        assert_lacks(text, "nan");
        free(text);
    }
}

/* One row decides the pair of list places (0, 3). */
static void decide(es_bench *b, uint32_t *deciding, double *without) {
    es_results *r = &b->mock->results;
    const es_list *list = &b->app->list[ES_LIST_HEAT];
    size_t cell = list->item[0] * r->m + list->item[3];
    for (size_t k = 0; k < r->m * r->m; k++)
        deciding[k] = k == cell ? 17 : UINT32_MAX;
    without[cell] = 0.3125;
    r->deciding = deciding;
    r->without = without;
    r->is[cell] = -115;
    r->se[cell] = 59;
    b->app->cursor = list->item[0];
    b->app->column = list->item[3];
}

TEST(cells__one_row_decides__are_marked_and_explained) {
    enum { N = 9 };
    static const es_zoom zooms[] = {ES_ZOOM_HALF, ES_ZOOM_SQUARE, ES_ZOOM_LARGE};
    uint32_t deciding[N * N];
    double without[N * N] = {0};
    char legend[256];
    es_bench *b = bench_open(N);
    decide(b, deciding, without);
    char *text = inspector_of(b); /* row 17 of those evaluated is row 51 of the files */
    assert_contains(text, "! one row decides this: 51, s0051");
    assert_contains(text, "without it 0.312");
    free(text);
    mock_keys(b->app, "GG", b->effects); /* the cursor is elsewhere */
    b->app->list[ES_LIST_HEAT].top = 0;
    for (size_t k = 0; k < 6; k++) {
        size_t marks = 0;
        es_app_display(b->app, k >= 3, k >= 3, false);
        b->app->set.zoom = zooms[k % 3];
        bench_draw(b);
        for (int y = 0; y < N * b->m.g.cell_h; y++)
            for (int x = 0; x < N * b->m.g.cell_w; x++) {
                bool mark = es_grid_at(b->grid, b->m.x + x, b->m.y + y)->code[0] == '!';
                marks += mark;
                if (mark && (x / b->m.g.cell_w != 3 || y / b->m.g.cell_h != 0))
                    fail_msg("zoom %zu: a mark at %d, %d", k, x, y);
            }
        assert_int_equal(marks, 1);
        legend_of(b, legend, sizeof legend);
        assert_contains(legend, "! 1 by one row");
    }
    mock_keys(b->app, ":metric seconds<Enter>", b->effects); /* time is no mean over rows */
    bench_draw(b);
    legend_of(b, legend, sizeof legend);
    assert_lacks(legend, "by one row");
    set_pair(b, 0, 3, 'R'); /* what refines it is not the doing of one */
    mock_keys(b->app, ":metric is<Enter>", b->effects);
    bench_draw(b);
    legend_of(b, legend, sizeof legend);
    assert_lacks(legend, "by one row");
    b->mock->refined->deciding = NULL;
    b->mock->results.deciding = NULL;
    b->mock->results.without = NULL;
}

/* By an estimator of errors no value is an entropy. */
TEST(cells__errors__are_called_so) {
    char legend[256];
    es_bench *b = bench_open(9);
    for (int errors = 0; errors < 2; errors++) {
        b->mock->lower[0] = b->mock->lower[1] = errors == 1;
        mock_keys(b->app, ":metric h_cond<Enter>", b->effects);
        bench_draw(b);
        legend_of(b, legend, sizeof legend);
        if ((strstr(legend, "error of the column") != NULL) != errors)
            fail_msg("%s", legend);
        assert_string_equal(es_metric_title(b->app, ES_METRIC_H_COND),
                            errors ? "error" : "H(V|U)/d");
        assert_string_equal(es_metric_title(b->app, ES_METRIC_NATS),
                            errors ? "error in all" : "IS in nats");
    }
}

/* A block is the mean of its pairs, however it was looked up; some have failed, some are pending.
 */
static void check_means(es_bench *b) {
    size_t count = b->m.list->count, pool = b->m.g.pool;
    for (int transposed = 0; transposed < 2; transposed++) {
        b->app->set.transposed = transposed;
        for (size_t row = 0; row < b->m.g.total; row++)
            for (size_t column = 0; column < b->m.g.total; column++) {
                double sum = 0;
                size_t known = 0;
                for (size_t r = row * pool; r < (row + 1) * pool && r < count; r++)
                    for (size_t c = column * pool; c < (column + 1) * pool && c < count; c++) {
                        es_tile pair = es_heatmap_pair(&b->m, r, c);
                        sum += pair.kind == TILE_VALUE ? pair.value : 0;
                        known += pair.kind == TILE_VALUE;
                    }
                es_tile tile = es_heatmap_tile(&b->m, row, column);
                assert_int_equal(tile.kind == TILE_VALUE, known > 0);
                assert_true(known == 0 || tile.value == sum / (double)known);
            }
    }
    b->app->set.transposed = false;
}

/* Smaller cells, until all pairs are seen; only then, and when they are too many, the overview. */
TEST(zoom__out__ends_where_all_pairs_are_seen) {
    es_bench *b = bench_open(10);
    b->app->set.zoom = ES_ZOOM_AUTO;
    bench_draw(b);
    assert_true(b->m.g.cell_w > 1);
    mock_keys(b->app, "-", b->effects);
    bench_draw(b);
    assert_true(b->m.g.half);
    mock_keys(b->app, "--", b->effects);
    bench_draw(b);
    assert_true(b->m.g.half);
    assert_int_equal(b->m.g.pool, 1);
    mock_keys(b->app, "+++++", b->effects);
    bench_draw(b);
    assert_true(b->m.g.digits);
    b = bench_open(150);
    b->app->wanted_entry = 0; /* nothing merged: cells as they lie in the results */
    for (size_t k = 0; k < 600; k++) {
        b->mock->results.state[k] = k % 3 ? ES_PAIR_PENDING : ES_PAIR_FAILED;
        b->mock->results.is[k] = (double)NAN;
    }
    mock_keys(b->app, "-", b->effects);
    bench_draw(b);
    assert_true(b->m.g.pool > 1);
    assert_ptr_equal(b->app->source->results[b->app->entry], b->app->results);
    check_means(b);
    mock_keys(b->app, "-", b->effects);
    assert_int_equal(b->app->set.zoom, ES_ZOOM_OVERVIEW);
    mock_keys(b->app, "+", b->effects);
    bench_draw(b);
    assert_true(b->m.g.half);
    assert_int_equal(b->m.g.pool, 1);
}

/* Names are cut, and cells narrow, before two rows share a line. */
TEST(zoom__lines_for_all__names_all) {
    const size_t many[] = {23, 28, 31, 32};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        es_bench *b = bench_open(many[i]);
        b->app->set.zoom = ES_ZOOM_AUTO;
        bench_draw(b);
        assert_int_equal(b->m.g.half,
                         (int)many[i] + 5 > b->in.h); /* two of heads, three of legend */
        assert_int_equal(b->m.g.cell_w, 2 * many[i] + 17 < (size_t)b->in.w ? 2 : 1);
        assert_true(b->m.g.rows >= many[i] && b->m.g.columns >= many[i]);
    }
}

/* Is the name of this column over it, with a line down to the column? The edge may cut it. */
static bool is_named(es_bench *b, size_t column) {
    const char *name = es_app_name(b->app, b->app->list[ES_LIST_HEAT].item[column]);
    int x = b->m.x + (int)column * b->m.g.cell_w + (b->m.g.cell_w - 1) / 2, y = b->m.y - 2;
    while (y > b->in.y && es_grid_at(b->grid, x, y)->code[0] == 0x2502)
        y--;
    for (size_t i = 0; name[i] != '\0'; i++) {
        uint32_t code = es_grid_at(b->grid, x + (int)i, y)->code[0];
        if (code != (unsigned char)name[i])
            return i > 0 && code == 0x2026;
    }
    return true;
}

TEST(heads__lines_for_names__are_stairs) {
    static const struct {
        size_t n, every;
    } cases[] = {{14, 1}, {20, 2}, {24, 4}, {40, 4}, {27, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_bench *b = bench_open(cases[i].n);
        b->app->set.zoom = ES_ZOOM_AUTO;
        b->app->column = b->app->list[ES_LIST_HEAT].item[0];
        bench_draw(b);
        for (size_t c = 1; c < cases[i].n; c++)
            if (is_named(b, c) != (cases[i].every > 0 && c % cases[i].every == 0))
                fail_msg("%zu embedders, column %zu", cases[i].n, c);
        b->app->column = b->app->list[ES_LIST_HEAT].item[5]; /* the cursor's always has its name */
        bench_draw(b);
        assert_true(is_named(b, 5));
    }
}

/* Whether they were asked for or come with a small matrix. */
TEST(digits__key__turns_what_is_seen) {
    es_bench *b = bench_open(5);
    b->app->set.zoom = ES_ZOOM_AUTO;
    for (int i = 0; i < 4; i++) {
        bench_draw(b);
        assert_int_equal(b->m.g.digits, i % 2 == 0);
        mock_keys(b->app, "i", b->effects);
    }
    for (int on = 0; on < 4; on++) {
        mock_keys(b->app, on < 2 ? ":set digits yes<Enter>" : ":set digits no<Enter>", b->effects);
        bench_draw(b);
        assert_int_equal(b->m.g.digits, on < 2);
    }
    b = bench_open(30);
    mock_keys(b->app, ".", b->effects); /* the overview, which has none */
    b->app->set.zoom = ES_ZOOM_OVERVIEW;
    mock_keys(b->app, "i", b->effects);
    bench_draw(b);
    assert_true(b->m.g.digits);
}

/* Brackets where there is room for them; they never take a sign or a digit away. */
TEST(digits__cursor__leaves_the_number_whole) {
    static const struct {
        double value;
        const char *text;
        bool selected;
    } cases[] = {{0.25, "[0.25]", false},
                 {-0.25, "-0.25 ", true},
                 {-123456, "-1.2e5", true},
                 {1e300, "1e300 ", true},
                 {-1e300, "-1e300", true}};
    es_bench *b = bench_open(9);
    const es_list *list = &b->app->list[ES_LIST_HEAT];
    b->app->cursor = list->item[0];
    b->app->column = list->item[2];
    b->app->set.digits = true;
    for (size_t row = 0; row < 9; row++)
        for (size_t c = 0; c < 9; c++)
            set_pair(b, row, c, 'R');
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        b->mock->refined->is[list->item[0] * 9 + list->item[2]] = cases[i].value;
        b->mock->refined->revision++;
        bench_draw(b);
        char text[32] = "", *at = text;
        int y = b->m.y + (b->m.g.cell_h - 1) / 2;
        bool selected = false;
        for (int k = 0; k < b->m.g.cell_w; k++) {
            const es_cell *cell = es_grid_at(b->grid, b->m.x + 2 * b->m.g.cell_w + k, y);
            selected = selected || cell->role == ES_ROLE_SELECTION;
            *at++ = cell->code[0] < 0x80 ? (char)cell->code[0] : '|';
        }
        assert_int_equal(b->m.g.cell_w, 6);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(selected, cases[i].selected);
    }
}

/* Columns that the matrix leaves blank make names whole. */
TEST(names__blank_columns__are_theirs) {
    static const char *const long_names[] = {"Alibaba-NLP/gte-multilingual-base", "a/b",
                                             "sentence-transformers/all-MiniLM-L12-v2"};
    es_mock *mock = mock_kept(3, long_names, 0);
    es_effects *effects = effects_kept();
    mock_fill(mock, 1);
    es_app *app = app_over(mock);
    mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = 100}, effects);
    mock_keys(app, ":heatmap<Enter>", effects);
    assert_true(es_heat_geometry(app, (es_rect){0, 0, 130, 40}).label_w > 39 + 2);
    assert_true(es_heat_geometry(app, (es_rect){0, 0, 62, 20}).label_w < 30);
}
