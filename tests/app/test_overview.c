/* The overview: shown first, every tile is a door, and what takes under a minute begins by itself.
 */
#include "app/bench.h"
#include "app_commands.h"
#include "app_values.h"

TEST(overview__new_pool__is_shown_first) {
    for (int finished = 0; finished < 2; finished++) {
        es_mock *mock = mock_kept(7, NULL, 1);
        mock->source.phase = finished ? ES_PHASE_DONE : ES_PHASE_IDLE;
        mock_fill(mock, finished);
        es_app *app = test_keep(es_app_new(&mock->source, NULL), free_app);
        assert_int_equal(app->view, ES_VIEW_OVERVIEW);
    }
}

TEST(overview__tab_and_enter__each_tile_leads_to_its_view) {
    bench *b = bench_of(13, 1);
    static const es_view_id leads[] = {ES_VIEW_RANK, ES_VIEW_HEATMAP, ES_VIEW_TREE,
                                       ES_VIEW_CORR, ES_VIEW_JOBS,    ES_VIEW_RANK};
    for (size_t tile = 0; tile < sizeof leads / sizeof *leads; tile++) {
        bench_keys(b, "0");
        assert_int_equal(b->app->view, ES_VIEW_OVERVIEW);
        assert_int_equal(b->app->focus[ES_VIEW_OVERVIEW], tile);
        bench_keys(b, "<Enter>");
        assert_int_equal(b->app->view, leads[tile]);
        bench_keys(b, "0<Tab>");
    }
    assert_int_equal(b->app->focus[ES_VIEW_OVERVIEW], 0); /* once around */
    bench_keys(b, "jjk");
    assert_int_equal(b->app->focus[ES_VIEW_OVERVIEW], 1); /* motions walk the tiles, too */
}

/* A tile that a small screen has no room for is shown alone while it has the focus. */
TEST(overview__layout__tiles_fill_any_screen) {
    static const int size[][2] = {{200, 60}, {120, 40}, {80, 24}, {60, 16}};
    for (size_t s = 0; s < sizeof size / sizeof *size; s++)
        for (int answer = 0; answer < 8; answer++) {
            int w = size[s][0], h = size[s][1], cells = 0;
            es_layout l = es_layout_make(ES_VIEW_OVERVIEW, ES_PANE_MAIN, w, h, answer);
            for (int p = 0; p < ES_PANE_COUNT; p++)
                cells += l.pane[p].w * l.pane[p].h;
            assert_int_equal(cells, w * (h - 3)); /* all of it, nothing twice */
            assert_true(l.pane[ES_TILE_FIRST].h >= (h >= 24 ? 7 : 5)); /* five and the border */
            assert_int_equal(l.answer.h, 0);
        }
    es_layout l = es_layout_make(ES_VIEW_OVERVIEW, ES_TILE_RUN, 80, 24, 2);
    assert_int_equal(l.pane[ES_TILE_RUN].h, 21);
}

TEST(overview__headline__a_line_for_each_statement_where_there_is_room) {
    bench *b = bench_of(13, 1);
    mock_predict(b->mock);
    mock_pmi(b->mock);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 101}, b->effects);
    mock_compute(b->mock, b->app, b->app->intervals.tag);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 110}, b->effects);
    bench_keys(b, "0");
    assert_non_null(b->app->headline.text);
    assert_non_null(strchr(b->app->headline.text, '\n'));
    assert_lacks(b->app->headline.text, "Downstream ("); /* a tile of its own */
    int lines = 1;
    for (const char *c = b->app->headline.text; *c != '\0'; c++)
        lines += *c == '\n';
    assert_true(b->app->headline.lines >= lines && b->app->headline.lines <= 7);
}

/* Too long a list of those that may be the best is counted, not left out. */
TEST(overview__headline__says_how_many_may_be_the_best) {
    bench *b = bench_of(13, 1);
    mock_predict(b->mock);
    mock_pmi(b->mock);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 101}, b->effects);
    mock_compute(b->mock, b->app, b->app->intervals.tag);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 110}, b->effects);
    bench_keys(b, "4");
    char sentence[2000] = "Best of these: a. With other kinds of embedders the best would be ";
    memset(sentence + strlen(sentence), 'n', 1500);
    es_bottom_line line = {.sentence = sentence,
                           .end = {17, strlen(sentence)},
                           .kind = {ES_STATEMENT_FIRST, ES_STATEMENT_SET},
                           .statements = 2};
    es_decision decision = *b->app->intervals.known;
    es_bottom_line *was = b->app->ranked.line;
    const es_decision *known = b->app->intervals.known;
    decision.said = true;
    line.best_count = 3;
    b->app->ranked.line = &line;
    b->app->intervals.known = &decision;
    es_headline_update(b->app);
    char expected[100];
    (void)snprintf(expected, sizeof expected, "Best of these: a. 3 of %zu could be the best. ",
                   decision.scored);
    assert_memory_equal(b->app->headline.text, expected, strlen(expected));
    assert_contains(b->app->headline.text, "…"); /* what has room follows: agreement */
    assert_lacks(b->app->headline.text, "nnn");
    assert_int_equal(b->app->headline.lead, 17);
    b->app->ranked.line = was;
    b->app->intervals.known = known;
}

/* Advice goes first, and what warns goes last; a mark says that more is known. */
TEST(headline__little_room__keeps_what_warns) {
    bench *b = bench_of(13, 1);
    mock_predict(b->mock);
    mock_pmi(b->mock);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 101}, b->effects);
    mock_compute(b->mock, b->app, b->app->intervals.tag);
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 110}, b->effects);
    static const struct {
        const char *text;
        es_statement kind;
    } part[] = {{"Best of these: a.", ES_STATEMENT_FIRST},
                {"With other kinds the best would be a or b, of which much could be said.",
                 ES_STATEMENT_SET},
                {"Try a, b.", ES_STATEMENT_ADVICE},
                {"The other 11 are clearly behind, and by much.", ES_STATEMENT_REST},
                {"More kinds of embedders would narrow it.", ES_STATEMENT_NARROW},
                {"d shares nothing with the others.", ES_STATEMENT_WARNING},
                {"Reference: 8 kinds of embedders.", ES_STATEMENT_REST}};
    char sentence[400] = "";
    es_bottom_line line = {.sentence = sentence};
    es_decision decision = *b->app->intervals.known;
    es_bottom_line *was = b->app->ranked.line;
    const es_decision *known = b->app->intervals.known;
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        snprintf(sentence + strlen(sentence), sizeof sentence - strlen(sentence), "%s%s",
                 k > 0 ? " " : "", part[k].text);
        line.end[k] = strlen(sentence);
        line.kind[k] = part[k].kind;
        line.statements++;
    }
    decision.said = true;
    line.best_count = 2;
    b->app->ranked.line = &line;
    b->app->intervals.known = &decision;
    static const struct {
        int w, h; /* three lines, one line */
        const char *expected;
    } screen[] = {{80, 24,
                   "Best of these: a. With other kinds the best would be a or b, of which much "
                   "could be said. Try a, b. The other 11 are clearly behind, and by much. More "
                   "kinds of embedders would narrow it. d shares nothing with the others. …"},
                  {71, 24, "Best of these: a. Try a, b. d shares nothing with the others. …"}};
    bench_keys(b, "4");
    for (size_t k = 0; k < sizeof screen / sizeof *screen; k++) {
        mock_send(b->app,
                  (es_msg){.kind = ES_MSG_RESIZE, .now = 111, .w = screen[k].w, .h = screen[k].h},
                  b->effects);
        es_headline_update(b->app);
        assert_string_equal(b->app->headline.text, screen[k].expected);
    }
    b->app->ranked.line = was;
    b->app->intervals.known = known;
}

/* ---- What begins by itself ---- */

static size_t starts(const bench *b) {
    size_t count = 0;
    for (size_t i = 0; i < b->effects->count; i++)
        count += b->effects->items[i].kind == ES_FX_START;
    return count;
}

static bench *waiting(double seconds) {
    static es_outlook outlook;
    bench *b = bench_of(13, 0);
    outlook =
        (es_outlook){.seconds = seconds, .parts = 1, .part = {{.seconds = seconds}}, .at_once = 1};
    b->mock->source.outlook = &outlook;
    es_effects_clear(b->effects);
    return b;
}

static void look(bench *b) {
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now + 1}, b->effects);
}

TEST(autostart__seconds__begins_once_and_says_so) {
    bench *b = waiting(12);
    const es_outlook *told = b->mock->source.outlook;
    look(b);
    assert_int_equal(starts(b), 0); /* nobody sits before it */
    b->app->may_start = true;
    b->mock->source.phase = ES_PHASE_CHECKING;
    look(b);
    assert_int_equal(starts(b), 0); /* it is not known yet what is missing */
    b->mock->source.phase = ES_PHASE_IDLE;
    b->mock->source.outlook = NULL;
    look(b);
    assert_int_equal(starts(b), 0); /* nor what it takes, which is being measured */
    b->mock->source.outlook = told;
    look(b);
    assert_int_equal(starts(b), 1);
    bench_assert_said(b, "about 12 s; p pauses");
    b->mock->source.phase = ES_PHASE_RUNNING;
    look(b);
    assert_true(b->app->toast_until > 0);
    b->mock->source.phase = ES_PHASE_PAUSED;
    look(b);
    assert_true(b->app->toast_until <= 0); /* it says so no longer */
    b->mock->source.phase = ES_PHASE_IDLE;
    look(b);
    assert_int_equal(starts(b), 1); /* who stops it is not overruled */
    b = waiting(12);                /* one that is over between two looks has ended all the same */
    b->app->may_start = true;
    look(b);
    bench_assert_said(b, "about 12 s; p pauses");
    b->mock->source.phase = ES_PHASE_DONE;
    look(b);
    bench_assert_said(b, "Run finished");
}

/* A folder that files come into one by one: as soon as there is a pair. */
TEST(autostart__empty_folder__begins_when_files_come) {
    bench *b = waiting(12);
    b->app->may_start = true;
    for (size_t usable = 0; usable <= 2; usable++) {
        for (size_t i = 0; i < b->mock->source.model_count; i++)
            b->mock->model[i].state = i < usable ? ES_MODEL_READY : ES_MODEL_EXCLUDED;
        look(b);
        assert_int_equal(starts(b), usable == 2);
    }
}

/* Of a long run the passes that take under a minute together; once in each session, for embedders
 * that come later too, and never again after a cancel. */
TEST(autostart__long_plan__ranks_first) {
    static const struct {
        double seconds[3];
        size_t passes; /* 0: nothing begins */
    } rows[] = {
        {{5, 6, 300}, 2}, {{5, 70, 10}, 1}, {{61, 1, 1}, 0}, {{0, 0, 300}, 0}, {{5, 5, 5}, 3}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        bench *b = waiting(0);
        es_outlook *outlook = (es_outlook *)b->mock->source.outlook;
        outlook->parts = 3;
        outlook->at_once = 2;
        outlook->seconds = 0;
        for (size_t e = 0; e < 3; e++) {
            outlook->part[e].seconds = 2 * rows[k].seconds[e];
            outlook->seconds += rows[k].seconds[e];
        }
        b->app->may_start = true;
        look(b);
        assert_int_equal(starts(b), rows[k].passes > 0);
        for (size_t i = 0; i < b->effects->count; i++)
            if (b->effects->items[i].kind == ES_FX_START)
                assert_int_equal(b->effects->items[i].number, rows[k].passes);
        look(b);
        assert_int_equal(starts(b), rows[k].passes > 0);
        const es_outlook kept = *outlook;
        bench *next = waiting(0);
        *(es_outlook *)next->mock->source.outlook = kept;
        es_app_take_place(next->app, b->app); /* the folder has changed */
        es_effects_clear(next->effects);
        look(next);
        assert_int_equal(starts(next), rows[k].passes > 0);
    }
}

/* Of samples that grow the first is ranked, the others wait for r; with a plan of one entry nothing
 * begins, since all of it would go on to larger ones. */
TEST(autostart__growing_samples__rank_the_first) {
    for (size_t parts = 1; parts <= 3; parts += 2) {
        bench *b = waiting(0);
        es_outlook *outlook = (es_outlook *)b->mock->source.outlook;
        outlook->parts = parts;
        outlook->part[0].seconds = outlook->seconds = 4; /* the others are not asked for yet */
        b->mock->source.waits = true;
        b->app->may_start = true;
        look(b);
        assert_int_equal(starts(b), parts > 1);
        for (size_t i = 0; i < b->effects->count; i++)
            if (b->effects->items[i].kind == ES_FX_START)
                assert_int_equal(b->effects->items[i].number, 1);
    }
}

/* r asks for the rest while the first passes are on; who pauses them has nothing begun for later
 * files. */
TEST(autostart__first_passes_on__r_starts_the_rest) {
    bench *b = waiting(0);
    es_outlook *outlook = (es_outlook *)b->mock->source.outlook;
    outlook->parts = 2;
    outlook->part[0].seconds = 4;
    outlook->part[1].seconds = 400;
    outlook->seconds = 404;
    b->mock->source.waits = true;
    b->app->may_start = true;
    look(b);
    assert_int_equal(starts(b), 1);
    b->mock->source.phase = ES_PHASE_RUNNING;
    look(b);
    assert_null(es_command_refusal(b->app, ES_COMMAND_START));
    bench_keys(b, "p");
    assert_false(b->app->may_start);
    bench_keys(b, "r");
    assert_int_equal(starts(b), 2);
    for (size_t i = 0; i < b->effects->count; i++)
        if (b->effects->items[i].kind == ES_FX_START)
            outlook->pairs = b->effects->items[i].number; /* of the last */
    assert_true(outlook->pairs == SIZE_MAX);
    assert_non_null(es_command_refusal(b->app, ES_COMMAND_START));
}

TEST(autostart__minutes_or_not_wanted__waits_for_r) {
    for (int why = 0; why < 4; why++) {
        bench *b = waiting(why == 0 ? 61 : why == 3 ? 0 : 12);
        if (why == 1)
            bench_command(b, "set autostart no");
        b->mock->source.read_only = why == 2;
        b->app->may_start = true;
        look(b);
        assert_int_equal(starts(b), 0);
    }
}

/* There is nothing to measure, and it is ranked by the lead or its median. */
TEST(matrix__finished__has_two_scores_and_no_measures) {
    bench *b = bench_of(12, 1);
    assert_null(es_command_refusal(b->app, ES_COMMAND_MEASURE));
    b->mock->source.read_only = true;
    b->mock->source.rows = 0;
    b->mock->results.estimator = NULL;
    b->mock->source.predictive = 2;
    look(b);
    assert_non_null(es_command_refusal(b->app, ES_COMMAND_MEASURE));
    bench_command(b, "rank");
    bench_command(b, "score");
    bench_assert_said(b, "Ranked by the published score");
    bench_command(b, "score");
    bench_assert_said(b, "Ranked by the lead");
}

/* While pairs are missing the first is the first so far; once all are there, no longer. */
TEST(overview__run_that_has_ended__is_not_said_to_go_on) {
    for (int published = 0; published < 2; published++) {
        bench *b = bench_of(13, 0);
        b->mock->source.phase = ES_PHASE_RUNNING;
        b->app->set.published = published;
        for (size_t s = 0; s < 6; s++)
            for (size_t t = 0; t < b->mock->results.m; t++)
                mock_put(b->mock, s, t);
        look(b);
        assert_int_equal(b->app->ranked.published, published);
        mock_compute(b->mock, b->app, b->app->intervals.tag);
        look(b);
        assert_non_null(b->app->ranked.line);
        assert_contains(b->app->ranked.line->sentence, "Ranking after ");
        assert_contains(b->app->ranked.line->sentence, " is first so far");
        mock_fill(b->mock, 1);
        b->mock->source.phase = ES_PHASE_DONE;
        look(b);
        look(b);
        mock_compute(b->mock, b->app, b->app->intervals.tag);
        look(b);
        assert_lacks(b->app->ranked.line->sentence, "so far");
    }
}
