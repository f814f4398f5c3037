#include "app/bench.h"
#include "app_compare.h"
#include "app_dialogs.h"
#include "app_values.h"
#include "app_update.h"

static bench *open_stage(size_t n, double share, bool rows) {
    es_mock *mock = mock_kept(n, NULL, n > 5 ? 1 : 0);
    mock_fill(mock, share);
    if (rows)
        mock_pmi(mock);
    mock->source.scores.tasks = 3;
    mock->source.phase = share < 1 ? ES_PHASE_RUNNING : ES_PHASE_DONE;
    bench *s = bench_new(mock);
    mock_send(s->app, (es_msg){.kind = ES_MSG_RESIZE, .now = 100, .w = 120, .h = 40}, s->effects);
    return s;
}

static void keys(bench *s, const char *text) {
    mock_keys(s->app, text, s->effects);
}

static void assert_compares(const es_app *app, size_t count, size_t a, size_t b, size_t c) {
    const size_t expected[] = {a, b, c};
    assert_int_equal(app->view, ES_VIEW_COMPARE);
    assert_int_equal(app->set.compare.count, count);
    for (size_t k = 0; k < count; k++)
        assert_int_equal(app->set.compare.item[k], expected[k]);
}

/* ---- What c means ---- */

TEST(c__nothing_marked__takes_cursor_and_best) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":rank<Enter>Gc");
    size_t best = ES_NONE, cursor = s->app->set.compare.item[0];
    for (size_t i = 0; i < s->app->n; i++)
        if (s->app->live[i].place == 1)
            best = i;
    assert_compares(s->app, 2, s->app->list[ES_LIST_RANK].item[11], best, 0);
    /* The best is compared with the next. */
    keys(s, "<Esc>ggc");
    assert_compares(s->app, 2, best, s->app->list[ES_LIST_RANK].item[1], 0);
    assert_int_not_equal(cursor, best);
}

TEST(c__marks__takes_two_or_three) {
    bench *s = open_stage(13, 1, true);
    keys(s, "1gg j c");
    assert_compares(s->app, 2, 0, 2, 0);
    keys(s, "<Esc> c");
    assert_compares(s->app, 3, 0, 2, 3);
    keys(s, "<Esc>  c"); /* five marks: refused */
    assert_int_equal(s->app->view, ES_VIEW_POOL);
    assert_contains(s->app->toast, "5 are marked");
}

TEST(c__heatmap__takes_row_and_column) {
    bench *s = open_stage(13, 1, true);
    keys(s, "2:order name<Enter>ggjjlll");
    size_t row = s->app->cursor, column = s->app->column;
    keys(s, "c");
    assert_compares(s->app, 2, row, column, 0);
    keys(s, "<Esc>");
    assert_int_equal(s->app->view, ES_VIEW_HEATMAP);
    assert_int_equal(s->app->cursor, row);
}

TEST(c__excluded__is_refused) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":pool<Enter>Gc");
    assert_int_equal(s->app->view, ES_VIEW_POOL);
    assert_contains(s->app->toast, "excluded");
}

TEST(command__names__are_checked) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare LaBSE e5-small GIST<Enter>");
    assert_compares(s->app, 3, 1, 7, 0);
    keys(s, ":compare LaBSE LaBSE<Enter>");
    assert_contains(s->app->toast, "twice");
    keys(s, ":compare LaBSE nobody<Enter>");
    assert_contains(s->app->toast, "nobody");
    keys(s, ":compare LaBSE e5-small GIST glove<Enter>");
    assert_contains(s->app->toast, "two or three");
    keys(s, ":compare e5<Enter>"); /* e5-large-v2 and e5-small */
    assert_contains(s->app->toast, "several");
    assert_compares(s->app, 3, 1, 7, 0);
}

TEST(command__tab__completes_each_name) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare LaB<Tab> e5-s<Tab><Enter>");
    assert_compares(s->app, 2, 1, 7, 0);
}

/* ---- Sides and undo ---- */

TEST(assign__side__is_undone) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare LaBSE e5-small<Enter>l:assign gte-base<Enter>");
    assert_compares(s->app, 2, 1, 11, 0);
    keys(s, "l:assign SFR<Enter>"); /* the place of a third */
    assert_compares(s->app, 3, 1, 11, 2);
    keys(s, "w"); /* C with A */
    assert_compares(s->app, 3, 2, 11, 1);
    keys(s, "-");
    assert_compares(s->app, 2, 2, 11, 0);
    keys(s, "uuuu");
    assert_compares(s->app, 2, 1, 7, 0);
    assert_int_equal(s->app->compare.known->count, 2);
    keys(s, "<^r><^r>");
    assert_compares(s->app, 3, 1, 11, 2);
    assert_int_equal(s->app->compare.known->pairs, 3);
}

TEST(assign__compared_already__changes_places) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare LaBSE e5-small gte-base<Enter>:assign gte-base<Enter>");
    assert_compares(s->app, 3, 11, 7, 1);
}

TEST(assign__list__starts_at_the_side) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare LaBSE e5-small<Enter>la");
    assert_int_equal(s->app->mode, ES_MODE_PICK);
    keys(s, "j<Enter>");
    assert_compares(s->app, 2, 1, 8, 0);
}

/* ---- Targets ---- */

TEST(targets__sorted__by_size_without_the_compared) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare LaBSE e5-small<Enter>");
    const es_compare_state *c = &s->app->compare;
    assert_int_equal(c->lines, 10);
    assert_int_equal(c->others, 10);
    for (size_t i = 0; i < c->lines; i++) {
        size_t item = es_compare_item(s->app, i);
        const es_compared_target *target = es_compare_target(s->app, i);
        assert_true(item != 1 && item != 7);
        assert_true(target->value[0] == s->mock->results.is[12 * 1 + item]);
        if (i > 0)
            assert_true(fabs(target->difference) <=
                        fabs(es_compare_target(s->app, i - 1)->difference));
    }
    keys(s, "s");
    for (size_t i = 1; i < c->lines; i++)
        assert_true(es_compare_target(s->app, i)->difference <=
                    es_compare_target(s->app, i - 1)->difference);
    keys(s, "s");
    for (size_t i = 1; i < c->lines; i++)
        assert_true(es_compare_item(s->app, i) > es_compare_item(s->app, i - 1));
}

TEST(targets__d__keeps_clear_ones) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare e5-large-v2 glove.6B.300d<Enter>");
    size_t clear = s->app->compare.clear;
    assert_true(clear > 0 && clear < 10);
    keys(s, "d");
    assert_int_equal(s->app->compare.lines, clear);
    for (size_t i = 0; i < clear; i++)
        assert_true(es_compare_target(s->app, i)->clear);
    keys(s, "u");
    assert_int_equal(s->app->compare.lines, 10);
}

/* What differs is counted among those that the filter passes, with d and without. */
TEST(targets__filter__counts_those_it_passes) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare e5-large-v2 glove.6B.300d<Enter>:filter dim>64<Enter>");
    size_t lines = s->app->compare.lines, clear = s->app->compare.clear;
    assert_true(lines < 10 && clear <= lines && s->app->compare.passed == lines);
    keys(s, "d");
    assert_int_equal(s->app->compare.lines, clear);
    assert_int_equal(s->app->compare.passed, lines);
}

/* Results that are gone for a while, as when a file has changed, do not move the cursor. */
TEST(targets__results_come_back__cursor_is_where_it_was) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare LaBSE e5-small<Enter>jjj");
    size_t here = s->app->compare.target;
    s->mock->have_results = false;
    mock_send(s->app, (es_msg){.kind = ES_MSG_SESSION, .now = s->app->now + 5}, s->effects);
    s->mock->have_results = true;
    s->mock->results.revision++;
    mock_send(s->app, (es_msg){.kind = ES_MSG_SESSION, .now = s->app->now + 5}, s->effects);
    assert_true(s->app->compare.lines > 3);
    assert_int_equal(s->app->compare.target, here);
    char *kept = test_keep(es_app_state(s->app), es_free);
    s->app->compare.aimed = ES_NONE;
    assert_ok(es_app_restore(s->app, kept, strlen(kept), s->effects, NULL));
    assert_int_equal(s->app->compare.aimed, here);
}

/* Targets can be searched, marked and filtered as embedders elsewhere. */
TEST(targets__search_mark_filter__work) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare LaBSE e5-small<Enter>");
    size_t all = s->app->compare.lines;
    keys(s, "/mistral<Enter>");
    assert_contains(es_app_model(s->app, s->app->compare.target)->name, "istral");
    size_t first = s->app->compare.target;
    keys(s, "n");
    assert_int_not_equal(s->app->compare.target, first);
    assert_contains(es_app_model(s->app, s->app->compare.target)->name, "istral");
    keys(s, "N");
    assert_int_equal(s->app->compare.target, first);
    keys(s, "/gte<Esc>");
    assert_int_equal(s->app->compare.target, first);
    keys(s, " ");
    assert_true(s->app->marked[first]);
    keys(s, "fmistral<Enter>");
    assert_true(s->app->compare.lines > 0 && s->app->compare.lines < all);
    for (size_t line = 0; line < s->app->compare.lines; line++)
        assert_contains(es_app_model(s->app, es_compare_item(s->app, line))->name, "istral");
}

TEST(targets__new_pairs__keep_the_cursor) {
    bench *s = open_stage(13, 0.5, true);
    keys(s, ":compare LaBSE e5-small<Enter>j");
    size_t item = s->app->compare.target, lines = s->app->compare.lines;
    assert_int_not_equal(item, ES_NONE);
    mock_fill(s->mock, 1);
    mock_send(s->app, (es_msg){.kind = ES_MSG_SESSION, .now = s->app->now + 1}, s->effects);
    assert_true(s->app->compare.lines > lines);
    assert_int_equal(s->app->compare.target, item);
}

/* ---- Words ---- */

static void put(es_mock *mock, size_t s, size_t t, double is) {
    mock->results.is[s * mock->results.m + t] = is;
    mock->results.se[s * mock->results.m + t] = 0.001;
    mock->results.state[s * mock->results.m + t] = ES_PAIR_DONE;
}

static void session(bench *s) {
    mock_send(s->app, (es_msg){.kind = ES_MSG_SESSION, .now = s->app->now + 1}, s->effects);
}

/* An estimator that is through with all pairs is compared, not the part of the next one. */
TEST(refining__one_complete__is_compared) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare LaBSE e5-small<Enter>");
    size_t all = s->app->compare.lines, rows = s->app->compare.row_lines;
    es_verdict verdict = s->app->compare.known->pair[0].verdict;
    mock_complete(s->mock);
    mock_refine(s->mock, 0.5);
    for (int running = 1; running >= 0; running--) { /* and so after a cancel */
        s->mock->source.phase = running ? ES_PHASE_RUNNING : ES_PHASE_IDLE;
        session(s);
        assert_ptr_equal(s->app->results, s->app->merged);
        assert_ptr_equal(es_compare_results(s->app), &s->mock->results);
        assert_string_equal(es_compare_by(s->app), "linear");
        assert_int_equal(s->app->compare.lines, all);
        assert_int_equal(s->app->compare.row_lines, rows);
        assert_int_equal(s->app->compare.known->pair[0].verdict, verdict);
        for (size_t line = 0; line < all; line++)
            assert_true(es_compare_target(s->app, line)->value[0] ==
                        s->mock->results.is[12 * 1 + es_compare_item(s->app, line)]);
    }
    mock_refine(s->mock, 2);
    session(s);
    assert_ptr_equal(es_compare_results(s->app), s->mock->refined);
    assert_string_equal(es_compare_by(s->app), "");
}

/* Every value that Compare sets against another comes from the same estimator, also where none is
 * through with all pairs. */
TEST(refining__none_complete__is_of_the_first) {
    bench *s = open_stage(13, 1, true);
    s->mock->source.phase = ES_PHASE_RUNNING;
    keys(s, ":compare LaBSE e5-small<Enter>");
    size_t all = s->app->compare.lines;
    mock_complete(s->mock);
    mock_refine(s->mock, 0.5);
    mock_forget(s->mock, 3, 4);
    session(s);
    assert_ptr_equal(es_compare_results(s->app), &s->mock->results);
    assert_string_equal(es_compare_by(s->app), "linear");
    assert_int_equal(s->app->compare.lines, all);
    mock_refine(s->mock, 2);
    session(s);
    assert_int_equal(s->app->compare.lines, all);
}

/* B simulates A and C, A simulates C, and not the other way round. */
TEST(verdict__three_in_a_row__is_a_chain) {
    bench *s = open_stage(5, 1, false);
    char text[96], reading[160];
    for (size_t t = 0; t < 5; t++)
        put(s->mock, t, t, 1);
    put(s->mock, 1, 0, 0.9);
    put(s->mock, 0, 1, 0.3);
    put(s->mock, 0, 2, 0.8);
    put(s->mock, 2, 0, 0.2);
    put(s->mock, 1, 2, 0.9);
    put(s->mock, 2, 1, 0.1);
    keys(s, ":compare GIST LaBSE SFR<Enter>");
    es_compare_verdict(s->app, text, sizeof text);
    assert_string_equal(text, "B ⊃ A ⊃ C");
    es_compare_sentence(s->app, 0, reading, sizeof reading);
    es_compare_put_gap(s->app, 0, reading, sizeof reading);
    assert_string_equal(reading,
                        "B holds most of A (90%), A not most of B (30%) (gap 0.600 ±0.003)");
    assert_string_equal(es_compare_sureness(s->app), "all gaps exceed their intervals");
    s->app->ascii = true;
    es_compare_verdict(s->app, text, sizeof text);
    assert_string_equal(text, "B > A > C");
    keys(s, "-"); /* A out: B and C are now A and B */
    es_compare_verdict(s->app, text, sizeof text);
    assert_string_equal(text, "A > B");
    assert_string_equal(es_compare_sureness(s->app), "the gap exceeds its interval");
}

/* Without a value of A itself no share of A is known, whatever others say of it. */
TEST(verdict__no_value_with_itself__is_not_known) {
    bench *s = open_stage(5, 1, false);
    char sentence[160];
    put(s->mock, 0, 0, -0.1);
    put(s->mock, 1, 1, 1);
    put(s->mock, 1, 0, 0.9);
    put(s->mock, 0, 1, 0.8);
    keys(s, ":compare GIST LaBSE<Enter>");
    assert_int_equal(s->app->compare.known->pair[0].verdict, ES_VERDICT_UNKNOWN);
    es_compare_sentence(s->app, 0, sentence, sizeof sentence);
    assert_string_equal(sentence,
                        "not known: the value of A with itself is missing or not above 0");
    assert_contains(es_compare_sureness(s->app), "with itself");
    es_compare_put_gap(s->app, 0, sentence, sizeof sentence);
    assert_lacks(sentence, "gap");
}

TEST(verdict__failed_pair__says_so) {
    bench *s = open_stage(5, 1, false);
    mock_fail(s->mock, 0, 1, "the loss diverged");
    keys(s, ":compare GIST LaBSE<Enter>");
    assert_int_equal(s->app->compare.known->pair[0].verdict, ES_VERDICT_UNKNOWN);
    assert_contains(es_compare_sureness(s->app), "failed");
}

/* ---- Downstream ---- */

TEST(tasks__values__are_judged) {
    bench *s = open_stage(13, 1, false);
    double value[ES_COMPARE_MOST], lead;
    keys(s, ":compare LaBSE e5-small<Enter>");
    size_t best = es_compare_task(s->app, 0, value, &lead);
    double a = mock_score(s->mock, 1, 0), b = mock_score(s->mock, 7, 0);
    assert_true(value[0] == a && value[1] == b && isnan(value[2]));
    assert_int_equal(best, a > b ? 0 : 1);
    assert_true(lead == fabs(a - b));
    keys(s, ":assign all-MiniLM-L6-v2<Enter>"); /* has no scores */
    assert_int_equal(es_compare_task(s->app, 0, value, &lead), ES_NONE);
    assert_true(isnan(lead));
    assert_true(isnan(es_compare_percentile(s->app, s->app->set.compare.item[0])));
}

/* ---- Rows and going deeper ---- */

TEST(rows__differences__lead_the_list) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare LaBSE e5-small<Enter>");
    const es_compare_state *c = &s->app->compare;
    assert_non_null(c->rows);
    assert_int_equal(c->row_lines, MOCK_ROWS);
    assert_int_equal(c->rows->targets, 10);
    for (size_t i = 1; i < c->row_lines; i++)
        assert_true(fabs(c->rows->difference[c->row[i]]) <=
                    fabs(c->rows->difference[c->row[i - 1]]));
    keys(s, "<Enter>"); /* of the target under the cursor */
    assert_int_equal(s->app->focus[ES_VIEW_COMPARE], ES_PANE_ROWS);
    assert_int_equal(c->row_target, c->target);
    size_t value = c->row[0], t = c->target;
    float *const *pmi = s->mock->results.pmi;
    assert_true(fabs(c->rows->difference[value] -
                     (double)(pmi[12 * 1 + t][value] - pmi[12 * 7 + t][value])) < 1e-6);
    keys(s, "s");
    for (size_t i = 0; i < c->row_lines; i++)
        assert_true(c->rows->difference[c->row[i]] > 0);
    keys(s, "j<Enter>");
    assert_int_equal(s->app->mode, ES_MODE_NOTE);
    assert_contains(s->app->note.text, "LaBSE simulates this row better than e5-small");
    keys(s, "<Esc><Esc>");
    assert_int_equal(s->app->focus[ES_VIEW_COMPARE], ES_PANE_TARGETS);
    assert_int_equal(c->row_target, ES_NONE);
}

/* Of an estimator whose values are errors, who predicts a row better has the smaller one. */
TEST(rows__of_errors__are_turned) {
    bench *s = open_stage(13, 1, true);
    s->mock->lower[0] = true;
    keys(s, ":compare LaBSE e5-small<Enter><Enter>");
    const es_compare_state *c = &s->app->compare;
    float *const *pmi = s->mock->results.pmi;
    size_t t = c->row_target;
    assert_true(t < 12);
    for (size_t k = 0; k < 2; k++) { /* the best of LaBSE alone, then of e5-small */
        keys(s, "s");
        assert_true(c->row_lines > 0 && c->row_lines < MOCK_ROWS);
        for (size_t i = 0; i < c->row_lines; i++) {
            float a = pmi[12 * 1 + t][c->row[i]], b = pmi[12 * 7 + t][c->row[i]];
            assert_true(k == 0 ? a < b : b < a);
            assert_true((es_compare_row_difference(s->app, c->row[i]) > 0) == (k == 0));
        }
    }
    keys(s, "j<Enter>");
    assert_contains(s->app->note.text, "e5-small predicts this row better than LaBSE");
}

TEST(rows__missing__are_explained) {
    bench *s = open_stage(13, 1, false);
    keys(s, ":compare LaBSE e5-small<Enter>");
    assert_null(s->app->compare.rows);
    assert_contains(es_compare_missing_rows(s->app), "--refresh");
    keys(s, "<Enter>"); /* no rows: the cell instead */
    assert_int_equal(s->app->view, ES_VIEW_HEATMAP);
    assert_int_equal(s->app->cursor, 1);
}

TEST(cell__esc__comes_back) {
    bench *s = open_stage(13, 1, true);
    keys(s, "4:compare LaBSE e5-small<Enter>jlgh");
    assert_int_equal(s->app->view, ES_VIEW_HEATMAP);
    assert_int_equal(s->app->cursor, 7); /* side B */
    assert_int_equal(s->app->column, s->app->compare.target);
    keys(s, "<Esc>");
    assert_int_equal(s->app->view, ES_VIEW_COMPARE);
    keys(s, "<Esc>");
    assert_int_equal(s->app->view, ES_VIEW_RANK);
}

/* ---- Clipboard ---- */

TEST(copy__targets__as_shown) {
    bench *s = open_stage(13, 1, true);
    keys(s, ":compare LaBSE e5-small<Enter>d");
    char *text = es_copy_table(s->app, ES_COPY_TSV, false);
    size_t lines = 0;
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, s->app->compare.lines + 1);
    assert_int_equal(strncmp(text, "target\tLaBSE\te5-small\tdifference\tse\n", 36), 0);
    es_free(text);
    text = es_copy_table(s->app, ES_COPY_JSON, true);
    assert_int_equal(text[0], '{');
    es_free(text);
}

/* The four sentences, and that a lopsided pair is not called alike. */
TEST(verdicts__each_case__has_its_sentence) {
    static const struct {
        es_verdict verdict;
        double ab, ba, error, se; /* se: of the values, which are shares of 4 */
        const char *says;
    } cases[] = {
        {ES_VERDICT_A_CONTAINS_B, 0.72, 0.24, 0.01, 0,
         "A holds most of B (72%), B not most of A (24%)"},
        {ES_VERDICT_B_CONTAINS_A, 0.70, 0.90, 0.01, 0,
         "B holds most of A (90%), A less of B (70%)"},
        {ES_VERDICT_EQUIVALENT, 0.83, 0.81, 0.005, 0, "they hold each other (83%, 81%)"},
        {ES_VERDICT_NEITHER, 0.31, 0.28, 0.01, 0, "neither holds the other (31%, 28%)"},
        {ES_VERDICT_NOT_SEPARABLE, 0.48, 0.17, 0.03, 0,
         "not settled: A holds more of B (48%) than B of A (17%), but most of it? More rows"},
        {ES_VERDICT_NOT_SEPARABLE, 0.60, 0.55, 0.05, 0,
         "not settled: who holds more, about 4 times the rows would tell"},
        {ES_VERDICT_NOT_SEPARABLE, 0.60, 0.5999, 0.05, 0,
         "not settled: who holds more, rows alone would hardly tell"},
        {ES_VERDICT_NOT_SEPARABLE, 0.52, 0.49, 0.014, 0, /* the gap may be 0.05 */
         "not settled: 52% and 49% are too close to call; more rows"},
        {ES_VERDICT_NOT_SEPARABLE, 0.51, 0.50, 0.01, 0.1, /* either may be half, or not */
         "not settled: 51% and 50% are too close to call; more rows"},
        {ES_VERDICT_NOT_SEPARABLE, 0.52, 0.49, 0.001, 0.1,
         "not settled: A holds more of B (52%) than B of A (49%), but most of it? More rows"},
        {ES_VERDICT_NOT_SEPARABLE, 0.52, 0.49, 0.001, 0, /* which no rows change */
         "not settled: 52% and 49% are too close to call, one above half, one below"},
        {ES_VERDICT_NOT_SEPARABLE, 0.501, 0.499, 0.002, 0,
         "not settled: 50% and 50% are too close to call, one above half, one below"},
        {ES_VERDICT_NOT_SEPARABLE, 0.48, 0.52, 0, 0,
         "not settled: 52% and 48% are too close to call, one above half, one below"},
        {ES_VERDICT_UNKNOWN, (double)NAN, (double)NAN, 0, 0,
         "not known: by this estimator the value of an embedder with itself is no whole to take "
         "shares of; linear or knife tell"},
    };
    bench *b = bench_of(6, 1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        es_comparison c = {.count = 2,
                           .is = {{4, 1}, {1, 4}},
                           .se = {{0, cases[k].se}, {cases[k].se, 0}},
                           .z = 1.959964,
                           .without_shares = isnan(cases[k].ab),
                           .pairs = 1},
                      *before = b->app->compare.known;
        c.cover[0][1] = cases[k].ab;
        c.cover[1][0] = cases[k].ba;
        c.pair[0] = (es_compared_pair){.a = 0,
                                       .b = 1,
                                       .verdict = cases[k].verdict,
                                       .gap = cases[k].ba - cases[k].ab,
                                       .gap_error = cases[k].error};
        b->app->compare.known = &c;
        es_compare_sentence(b->app, 0, text, sizeof text);
        b->app->compare.known = before;
        assert_string_equal(text, cases[k].says);
    }
    assert_string_equal(es_compare_sign(ES_VERDICT_NOT_SEPARABLE, false), "?");
}

/* Of two estimators a value and its way back have no gap. */
TEST(compare__refined__the_most_telling_is_of_one_estimator) {
    bench *b = bench_of(6, 1);
    size_t x = ES_NONE, y = ES_NONE, m = 6;
    b->mock->source.phase = ES_PHASE_RUNNING;
    mock_refine(b->mock, 0.5);
    for (size_t cell = 0; cell < m * m; cell++)
        if (b->mock->refined->state[cell] == ES_PAIR_DONE)
            b->mock->refined->is[cell] += 3; /* no gap of one estimator is as large */
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = 101}, b->effects);
    es_compare_telling(b->app, &x, &y);
    assert_true(x < m && y < m);
    size_t there = b->app->position[x] * m + b->app->position[y],
           back = b->app->position[y] * m + b->app->position[x];
    assert_int_equal(es_refine_entry(b->app, x, y), es_refine_entry(b->app, y, x));
    assert_true(b->app->results->is[there] > b->app->results->is[back]);
}

TEST(compare__nothing_chosen__enter_takes_the_most_telling) {
    bench *b = bench_of(6, 1);
    size_t x, y;
    es_compare_telling(b->app, &x, &y);
    const es_results *r = &b->mock->results;
    double most = 0;
    for (size_t s = 0; s < r->m; s++)
        for (size_t t = 0; t < r->m; t++)
            if (s != t)
                most = fmax(most, r->is[s * r->m + t] - r->is[t * r->m + s]);
    assert_true(r->is[b->app->position[x] * r->m + b->app->position[y]] -
                    r->is[b->app->position[y] * r->m + b->app->position[x]] ==
                most);
    bench_keys(b, "6<Enter>");
    assert_int_equal(b->app->set.compare.count, 2);
    assert_int_equal(b->app->set.compare.item[0], x);
    assert_int_equal(b->app->set.compare.item[1], y);
    b->mock->model[x].derived = true;
    size_t again, other;
    es_compare_telling(b->app, &again, &other);
    assert_int_not_equal(again, x); /* what was derived is no news */
    assert_int_not_equal(other, x);
    b->app->ranked.derived = true;
    es_compare_telling(b->app, &again, &other);
    assert_int_equal(again, x);
}
