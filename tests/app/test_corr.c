/* Corr's state: the same numbers as es_correlate_task, from a worker. */
#include <time.h>

#include "app/bench.h"
#include "app_corr.h"
#include "app_dialogs.h"
#include "app_state.h"
#include "app_lists.h"
#include "io_scores_parts.h"
#include "sanitized.h"

static void post(bench *b, es_msg msg) {
    mock_send(b->app, msg, b->effects);
    mock_decide(b->mock, b->app, b->effects);
}
static void command(bench *b, const char *line) {
    post(b, (es_msg){.kind = ES_MSG_COMMAND, .now = b->app->now, .text = line});
}

/* By the published score, which is known before any decision. */
static bench *show_corr(bench *b) {
    b->app->set.published = true;
    post(b, (es_msg){.kind = ES_MSG_RESIZE, .now = 99, .w = 120, .h = 40});
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = 99});
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = 100}); /* asks for a decision */
    command(b, "corr");
    return b;
}

static bench *open_corr(es_mock *mock) {
    return show_corr(bench_new(mock));
}

static bench *start(size_t n, double share) {
    es_mock *mock = mock_kept(n, NULL, 0);
    mock->source.phase = share < 1 ? ES_PHASE_RUNNING : ES_PHASE_DONE;
    mock_fill(mock, share);
    return open_corr(mock);
}

/* Ticks until none is wanted now; how many. */
static size_t settle(bench *b) {
    size_t ticks = 0;
    for (; es_app_deadline(b->app) <= b->app->now; ticks++) {
        assert_true(ticks < 20000);
        post(b, (es_msg){.kind = ES_MSG_TICK, .now = b->app->now});
    }
    return ticks;
}

static void assert_same(double a, double b) {
    if (isnan(a) || isnan(b))
        assert_true(isnan(a) && isnan(b));
    else
        assert_true(fabs(a - b) < 1e-12);
}

/* The report of a column over the items that `out` does not name, straight from the source. */
static es_correlation_report expected(const bench *b, size_t column, const bool *out) {
    double x[256], y[256], size[256];
    es_correlate_options options = {.family = b->app->corr->family};
    es_correlation_report r;
    for (size_t i = 0; i < b->app->n; i++) {
        x[i] = out != NULL && out[i] ? (double)NAN : b->app->live[i].score;
        y[i] = mock_score(b->mock, i, column);
        size[i] = log((double)b->mock->model[i].dim);
    }
    assert_ok(es_correlate_task(x, y, size, b->app->n, &options, NULL, NULL, &r, NULL));
    return r;
}

static void assert_report(const es_correlation_report *a, const es_correlation_report *b) {
    assert_int_equal(a->n, b->n);
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        assert_same(a->value[k].value, b->value[k].value);
        assert_same(a->low[k], b->low[k]);
        assert_same(a->high[k], b->high[k]);
    }
    assert_same(a->p.value, b->p.value);
    assert_same(a->partial.value, b->partial.value);
    assert_same(a->leave_one_low, b->leave_one_low);
    assert_same(a->leave_one_high, b->leave_one_high);
    assert_same(a->top_half.value, b->top_half.value);
    assert_same(a->slope.value, b->slope.value);
}

TEST(corr__settled__is_correlate_task) {
    bench *b = start(13, 1);
    settle(b);
    for (size_t t = 0; t < 2; t++) {
        es_correlation_report r = expected(b, t, NULL);
        assert_true(es_corr_set(b->app)->drawn[t]);
        assert_report(es_corr_report(b->app, t), &r);
    }
    assert_true(isinf(es_app_deadline(b->app))); /* idle: not one wake-up more */
}

/* The worker ends with what was asked for last. */
static void finish(bench *b) {
    size_t k = b->effects->count;
    while (k > 0 && b->effects->items[k - 1].kind != ES_FX_CORRELATE)
        k--;
    assert_true(k > 0);
    b->mock->late = false;
    mock_correlate(b->app, &b->effects->items[k - 1]);
    b->mock->late = true;
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now});
}

static size_t asked(const bench *b) {
    size_t count = 0;
    for (size_t k = 0; k < b->effects->count; k++)
        count += b->effects->items[k].kind == ES_FX_CORRELATE;
    return count;
}

static bench *start_late(size_t n, double share) {
    es_mock *mock = mock_kept(n, NULL, 0);
    mock->source.phase = share < 1 ? ES_PHASE_RUNNING : ES_PHASE_DONE;
    mock->late = true;
    mock_fill(mock, share);
    return open_corr(mock);
}

TEST(corr__open__coefficients_at_once_intervals_later) {
    bench *b = start_late(60, 1);
    es_correlation_report r = expected(b, 1, NULL);
    assert_null(es_corr_set(b->app));
    assert_true(es_corr_waits(b->app));
    finish(b);
    for (size_t t = 0; t < b->app->corr->tasks; t++)
        assert_false(es_corr_set(b->app)->drawn[t]);
    assert_same(es_corr_report(b->app, 1)->value[ES_KENDALL].value, r.value[ES_KENDALL].value);
    assert_true(isnan(es_corr_report(b->app, 1)->low[ES_KENDALL]));
    assert_same(es_corr_report(b->app, 1)->low[ES_SPEARMAN], r.low[ES_SPEARMAN]);
    finish(b);
    assert_true(es_corr_set(b->app)->drawn[b->app->corr->task]);
    assert_report(es_corr_report(b->app, 1), &r);
    size_t before = asked(b);
    mock_keys(b->app, "jkjk", b->effects); /* nothing is asked twice, for all that are selected */
    assert_int_equal(asked(b), before);
    assert_false(es_corr_waits(b->app));
}

TEST(corr__mean_rank__is_of_the_embedders_with_every_task) {
    bench *b = start(13, 1);
    double table[13 * 2], rank[13];
    size_t complete;
    for (size_t i = 0; i < 13; i++)
        for (size_t t = 0; t < 2; t++)
            table[2 * i + t] = mock_score(b->mock, i, t);
    assert_ok(es_mean_rank(table, 13, 2, NULL, rank, &complete, NULL));
    assert_true(es_corr_is_mean(b->app, 2));
    assert_int_equal(es_corr_report(b->app, 2)->n, complete);
    for (size_t i = 0; i < 13; i++)
        assert_same(es_corr_shown_y(b->app, 2, es_corr_y(b->app, 2, i)), rank[i]);
}

TEST(corr__exclude__leaves_out_and_undo_takes_back) {
    bench *b = start(13, 1);
    bool out[13] = {false};
    command(b, "task MTEB");
    mock_keys(b->app, "l", b->effects);
    settle(b);
    es_correlation_report all = expected(b, 0, NULL);
    out[b->app->cursor] = true;
    es_correlation_report less = expected(b, 0, out);
    b->mock->late = true;
    mock_keys(b->app, "x", b->effects);
    finish(b);
    assert_true(isnan(es_corr_report(b->app, 0)->low[ES_KENDALL])); /* none of other values */
    finish(b);
    b->mock->late = false;
    assert_report(es_corr_report(b->app, 0), &less);
    assert_int_equal(es_corr_excluded(b->app), 1);
    assert_false(b->app->hidden[b->app->cursor]);
    mock_keys(b->app, "u", b->effects);
    settle(b);
    assert_report(es_corr_report(b->app, 0), &all);
    mock_keys(b->app, "<Space>", b->effects); /* marks go together */
    mock_keys(b->app, "l x", b->effects);
    assert_int_equal(es_corr_excluded(b->app), 2);
}

/* Where a task has no place for what is left out, it is counted all the same. */
TEST(corr__exclude__is_said_of_the_mean_rank) {
    bench *b = start(13, 1);
    assert_true(es_corr_is_mean(b->app, b->app->corr->task));
    settle(b);
    size_t points = b->app->corr->points;
    mock_keys(b->app, "lx", b->effects);
    settle(b);
    assert_int_equal(b->app->corr->points, points - 1);
    assert_int_equal(es_corr_excluded(b->app), 1);
}

TEST(corr__missing__leaves_out_of_that_task_only) {
    bench *b = start(13, 1); /* the mock lacks scores of items 3 and 10 */
    snprintf(b->mock->score_row[0], 64, "nobody");
    bench *c = show_corr(bench_new(b->mock));
    assert_int_equal(es_corr_report(c->app, 0)->n, 10);
    assert_int_equal(c->app->corr->joined, 12);
    assert_int_equal(b->app->corr->joined, 13);
}

TEST(corr__hidden_and_filtered__do_not_count) {
    bench *b = start(13, 1);
    command(b, "hide LaBSE");
    assert_int_equal(es_corr_report(b->app, 0)->n, 10);
    command(b, "filter !e5");
    assert_int_equal(es_corr_report(b->app, 0)->n, 8);
}

TEST(corr__names__count_only_when_accepted) {
    es_mock *mock = mock_kept(13, NULL, 0);
    mock->source.phase = ES_PHASE_DONE;
    mock_fill(mock, 1);
    snprintf(mock->score_row[1], 64, "sentence-transformers/LaBSE");
    snprintf(mock->score_row[5], 64, "BGE_base_en_v1.5");
    bench *b = open_corr(mock);
    assert_int_equal(es_corr_report(b->app, 0)->n, 9);
    assert_int_equal(es_corr_proposal(b->app, 0), 1);
    mock_keys(b->app, "a", b->effects);
    assert_int_equal(es_corr_report(b->app, 0)->n, 10);
    assert_same(es_corr_y(b->app, 0, 1), mock->source.scores.value[mock->source.scores.tasks]);
    assert_same(es_app_score(b->app, 1, 0), es_corr_y(b->app, 0, 1)); /* in every view */
    assert_string_equal(b->app->scores.model[1], es_app_model(b->app, 1)->name);
    mock_keys(b->app, "u", b->effects);
    assert_int_equal(es_corr_report(b->app, 0)->n, 9);
    command(b, "accept bge-base-en-v1.5");
    assert_true(b->app->accepted[5] && !b->app->accepted[1]);
    mock_keys(b->app, "uA", b->effects);
    assert_int_equal(es_corr_report(b->app, 0)->n, 11);
    assert_int_equal(es_corr_proposal(b->app, 0), ES_NONE);
    mock_keys(b->app, "u4gn", b->effects); /* from any other view, by a question */
    assert_true(b->app->mode == ES_MODE_ASK && b->app->ask == ES_ASK_NAMES);
    mock_keys(b->app, "n", b->effects);
    assert_int_equal(es_corr_proposal(b->app, 1), 5);
    mock_keys(b->app, "gny", b->effects);
    assert_int_equal(es_corr_proposal(b->app, 0), ES_NONE);
    assert_same(es_app_score(b->app, 5, 0),
                mock->source.scores.value[5 * mock->source.scores.tasks]);
}

/* A model whose name is accepted has a say in which subsets of MTEB's results are compared. */
TEST(corr__accepted_name__settles_mteb_anew) {
    es_mock *mock = mock_kept(13, NULL, 0);
    es_mteb_parts parts = {0};
    mock->source.phase = ES_PHASE_DONE;
    mock_fill(mock, 1);
    snprintf(mock->score_row[1], 64, "sentence-transformers/LaBSE");
    for (size_t i = 0; i < 13; i++) {
        static const char both[] = "{\"test\":{\"en\":{\"accuracy\":0.5},\"de\":{\"accuracy\":1}}}";
        static const char one[] = "{\"test\":{\"en\":{\"accuracy\":0.25}}}";
        const char *text = i == 1 ? one : both;
        size_t count = 0;
        assert_ok(es_mteb_parts_read(&parts, text, strlen(text), "T.json", i, &count, NULL));
        es_mteb_parts_file(&parts, count, 0);
    }
    mock->source.scores.parts = &parts;
    bench *b = open_corr(mock);
    command(b, "accept LaBSE");
    assert_same(es_app_score(b->app, 0, 0), 0.5);
    assert_same(es_app_score(b->app, 1, 0), 0.25);
    assert_same(es_corr_y(b->app, 0, 0), 0.5);
    mock_keys(b->app, "u", b->effects);
    assert_same(es_app_score(b->app, 0, 0), 0.75);
    assert_same(es_corr_y(b->app, 0, 0), 0.75);
    es_mteb_parts_deinit(&parts);
}

TEST(corr__lower_is_better__turns_the_sign) {
    bench *b = start(13, 1);
    double up = es_corr_report(b->app, 0)->value[ES_SPEARMAN].value;
    b->mock->lower[0] = true;
    post(b, (es_msg){.kind = ES_MSG_TICK, .now = b->app->now + 1});
    assert_same(es_corr_report(b->app, 0)->value[ES_SPEARMAN].value, -up);
}

/* Marks in `seen` every point that hjkl lead to from the cursor. */
static void walk(bench *b, bool *seen) {
    static const char *const keys[] = {"h", "j", "k", "l"};
    size_t from = b->app->cursor;
    if (seen[from])
        return;
    seen[from] = true;
    for (size_t k = 0; k < 4; k++) {
        b->app->cursor = from;
        mock_keys(b->app, keys[k], b->effects);
        walk(b, seen);
    }
}

TEST(corr__plot__hjkl_reach_every_point) {
    bench *b = start(13, 1);
    const struct es_corr *c = b->app->corr;
    bool seen[16] = {false};
    mock_keys(b->app, "j<Tab>gg", b->effects);
    size_t task = c->task;
    double top, y, x;
    assert_true(es_corr_place(b->app, task, b->app->cursor, &x, &top));
    for (size_t k = 0; k < c->points; k++)
        assert_true(es_corr_place(b->app, task, c->point[k], &x, &y) && y <= top);
    mock_keys(b->app, "j", b->effects);
    assert_true(es_corr_place(b->app, task, b->app->cursor, &x, &y) && y < top);
    walk(b, seen);
    for (size_t k = 0; k < c->points; k++)
        assert_true(seen[c->point[k]]);
    assert_int_equal(c->task, task); /* the task stays */
    mock_keys(b->app, "<Esc>j", b->effects);
    assert_int_not_equal(c->task, task); /* Esc goes back to the tasks */
}

TEST(corr__move__tasks_and_points) {
    bench *b = start(13, 1);
    assert_true(es_corr_is_mean(b->app, b->app->corr->task));
    mock_keys(b->app, "jj", b->effects); /* past the mean */
    assert_int_equal(b->app->corr->task, 0);
    mock_keys(b->app, "gg", b->effects);
    assert_true(es_corr_is_mean(b->app, b->app->corr->task));
    double last = -1e9;
    b->app->cursor = b->app->corr->point[0];
    for (size_t k = 0; k < b->app->corr->points; k++) {
        assert_true(b->app->live[b->app->cursor].score > last);
        last = b->app->live[b->app->cursor].score;
        mock_keys(b->app, "l", b->effects);
    }
    command(b, "kind kendall");
    assert_int_equal(es_corr_kind(b->app), ES_KENDALL);
    mock_keys(b->app, "u", b->effects);
    assert_int_equal(es_corr_kind(b->app), ES_SPEARMAN);
    mock_keys(b->app, "s", b->effects);
    const struct es_corr *c = b->app->corr;
    assert_true(es_corr_report(b->app, c->order[2])->value[ES_SPEARMAN].value >=
                es_corr_report(b->app, c->order[3])->value[ES_SPEARMAN].value);
}

/* While results come in, nothing is asked for before the last answer is there. */
TEST(corr__run__asks_again_after_an_answer) {
    bench *b = start_late(30, 0.4);
    mock_fill(b->mock, 1); /* all are ranked, and the run goes on */
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now + 0.1});
    finish(b);
    while (!es_corr_set(b->app)->drawn[b->app->corr->task])
        finish(b);
    double before = es_corr_report(b->app, 0)->value[ES_SPEARMAN].value;
    for (size_t round = 0, count = asked(b); round < 3; round++) {
        for (size_t t = 1; t < b->mock->results.m; t++)
            mock_change(b->mock, 0, t);
        mock_compute(b->mock, b->app, ++b->app->intervals.tag);
        post(b, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now + 3}); /* decided anew */
        assert_int_equal(asked(b), count + 1);
        assert_same(es_corr_report(b->app, 0)->value[ES_SPEARMAN].value, before);
    }
    size_t count = asked(b);
    finish(b);
    assert_int_equal(asked(b), count + 1); /* of what has come meanwhile */
    finish(b);
    assert_true(es_corr_report(b->app, 0)->value[ES_SPEARMAN].value != before);
}

TEST(corr__degenerate__is_undefined_and_idle) {
    for (int i = 0; i < 4; i++) {
        es_mock *mock = mock_kept(i == 0 ? 2 : i == 1 ? 1 : 13, NULL, 0);
        mock->source.phase = ES_PHASE_DONE;
        mock->constant = i == 2;
        mock_fill(mock, i == 3 ? 0 : 1);
        bench *b = open_corr(mock);
        settle(b);
        assert_non_null(es_corr_report(b->app, 0)->value[ES_SPEARMAN].why);
        assert_true(isinf(es_app_deadline(b->app)) || b->app->toast_until > 0);
        mock_keys(b->app, "hjklxuKLsaA<Enter>", b->effects);
        assert_true(b->app->view == ES_VIEW_SHEETS || b->app->view == ES_VIEW_RANK ||
                    strstr(b->app->toast, "needs") != NULL);
    }
}

/* The means of tasks have no column in Rank: their numbers are shown. */
TEST(corr__enter__ranks_by_the_task) {
    bench *b = start(13, 1);
    settle(b);
    for (size_t line = 0; line < b->app->corr->tasks; line++) {
        const es_table_settings *set = &b->app->set.table[ES_TABLE_RANK];
        size_t task = b->app->corr->order[line];
        size_t column = es_columns_find(b->app, ES_TABLE_RANK, es_corr_task_name(b->app, task));
        command(b, "corr");
        b->app->corr->task = task;
        mock_keys(b->app, "<Enter>", b->effects);
        assert_int_equal(b->app->view, column == ES_NONE ? ES_VIEW_SHEETS : ES_VIEW_RANK);
        if (column == ES_NONE)
            continue;
        assert_int_equal(set->sort, column);
        assert_int_equal(set->column, column);
        assert_int_equal(set->descending, !es_corr_is_turned(b->app, task));
    }
    command(b, "corr");
    mock_keys(b->app, "i", b->effects);
    assert_int_equal(b->app->view, ES_VIEW_SHEETS);
}

/* Lower is better: kept with its sign turned, shown as it is. */
TEST(corr__cost__is_turned_and_shown_as_it_is) {
    es_mock *mock = mock_kept(13, NULL, 0);
    mock_fill(mock, 1);
    bench *plain = start(13, 1);
    mock->source.phase = ES_PHASE_DONE;
    mock->costs = true;
    bench *b = open_corr(mock);
    settle(b);
    settle(plain);
    const es_correlation_report *r = es_corr_report(b->app, 0), *p = es_corr_report(plain->app, 0);
    assert_true(es_corr_is_turned(b->app, 0) && !es_corr_is_turned(b->app, 1));
    assert_same(r->value[ES_SPEARMAN].value, -p->value[ES_SPEARMAN].value);
    assert_same(r->slope.value, -p->slope.value);
    double x, y;
    assert_true(es_corr_place(b->app, 0, 0, &x, &y));
    assert_same(es_corr_shown_y(b->app, 0, y), mock_score(b->mock, 0, 0));
    /* The mean rank takes the lowest as the best. */
    assert_true(es_corr_report(b->app, 2)->value[ES_SPEARMAN].value !=
                es_corr_report(plain->app, 2)->value[ES_SPEARMAN].value);
}

TEST(corr__band__follows_its_key) {
    bench *b = start(13, 1);
    double fit, low, high, x = es_corr_set(b->app)->score[es_corr_set(b->app)->n / 2];
    settle(b);
    assert_true(es_corr_band(b->app, x, &fit, &low, &high));
    assert_true(low < fit && fit < high);
    assert_same(high - fit, fit - low);
    double all = high - low;
    mock_keys(b->app, "lllx", b->effects); /* other points, another band */
    assert_true(es_corr_band(b->app, x, &fit, &low, &high));
    assert_true(high - low != all);
    mock_keys(b->app, "B", b->effects);
    assert_int_equal(b->app->set.corr_band, ES_BAND_OFF);
    assert_true(es_corr_band(b->app, x, &fit, &low, &high));
    assert_true(isnan(low) && isnan(high));
    mock_keys(b->app, "uu", b->effects);
    assert_int_equal(b->app->set.corr_band, ES_BAND_LINE);
}

TEST(corr__200_models__never_blocks) {
    bench *b = start_late(200, 1);
    finish(b);
    double total = 0;
    enum { KEYS = 40 };
    for (size_t k = 0; k < KEYS; k++) {
        clock_t begin = clock(); /* of this process: other work runs on this machine */
        mock_keys(b->app, k % 2 == 0 ? "jlx" : "klx", b->effects);
        total += (double)(clock() - begin) / CLOCKS_PER_SEC;
    }
    print_message("200 embedders, 3 tasks: three keys in %.2f ms\n", 1e3 * total / KEYS);
    assert_true(!IS_FAST || total / KEYS < 0.030);
}

TEST(corr__copy__has_every_task) {
    bench *b = start(13, 1);
    settle(b);
    char *text = es_copy_table(b->app, ES_COPY_TSV, false);
    assert_contains(text, "task\tn\tspearman");
    assert_contains(text, "mean rank\t11\t");
    assert_contains(text, "\nRetrieval\t11\t");
    es_free(text);
    text = es_copy_table(b->app, ES_COPY_TSV, true);
    assert_lacks(text, "Retrieval");
    es_free(text);
}

static bool looked_for(bench *b) {
    bool found = false;
    for (size_t i = 0; i < b->effects->count; i++)
        found = found || b->effects->items[i].kind == ES_FX_STORED;
    es_effects_clear(b->effects);
    return found;
}

static void assert_baseline(const bench *b, size_t task) {
    double l2[64], y[64];
    const es_correlation_set *set = es_corr_set(b->app);
    for (size_t k = 0; k < set->n; k++) {
        l2[k] = isfinite(set->score[k]) ? b->mock->source.baseline.score[set->at[k]] : (double)NAN;
        y[k] = es_corr_y(b->app, task, set->at[k]);
    }
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        es_stat expected_stat;
        assert_ok(es_correlate((es_correlation)k, l2, y, set->n, &expected_stat, NULL));
        assert_true(isfinite(expected_stat.value));
        assert_same(set->baseline[ES_BASELINE_L2][task].value[k].value, expected_stat.value);
    }
}

TEST(corr__l2__is_over_the_points_that_count) {
    bench *b = start(13, 1);
    settle(b);
    double before = es_corr_report(b->app, 0)->low[ES_SPEARMAN];
    assert_false(es_corr_set(b->app)->has[ES_BASELINE_L2]);
    b->mock->source.baseline = (es_source_baseline){true, false, 156, 156, NULL};
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now});
    settle(b);
    for (size_t t = 0; t < b->app->corr->tasks; t++)
        assert_baseline(b, t);
    assert_same(es_corr_report(b->app, 0)->low[ES_SPEARMAN], before); /* the same */
    double whole = es_corr_set(b->app)->baseline[ES_BASELINE_L2][0].value[ES_SPEARMAN].value;
    command(b, "goto e5-large-v2");
    command(b, "exclude");
    settle(b);
    assert_baseline(b, 0);
    assert_true(es_corr_set(b->app)->baseline[ES_BASELINE_L2][0].value[ES_SPEARMAN].value != whole);
}

TEST(corr__stored_scores__are_looked_for_whenever_corr_opens) {
    bench *b = start(13, 1);
    assert_true(looked_for(b));
    command(b, "task STS");
    assert_false(looked_for(b)); /* once, until Corr opens again */
    command(b, "rank");
    command(b, "corr");
    assert_true(looked_for(b));
    b->mock->source.store_path = NULL; /* a matrix from a file has no store */
    command(b, "rank");
    command(b, "corr");
    assert_false(looked_for(b));
}
