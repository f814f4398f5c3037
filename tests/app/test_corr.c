/* Corr's state: the same numbers as es_correlate_task, a little at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "alloc.h"
#include "app/mock.h"
#include "corr.h"
#include "copy.h"
#include "corr_line.h"
#include "effects.h"
#include "facts.h"
#include "joined_scores.h"
#include "mteb_parts.h"
#include "sanitized.h"

typedef struct bench {
    es_mock *mock;
    es_app *app;
    es_effects effects;
} bench;

static void post(bench *b, es_msg msg) {
    mock_send(b->app, msg, &b->effects);
    mock_decide(b->mock, b->app, &b->effects);
}
static void command(bench *b, const char *line) {
    post(b, (es_msg){.kind = ES_MSG_COMMAND, .now = b->app->now, .text = line});
}

/* By the published score, which is known before any decision. */
static bench open_corr(es_mock *mock) {
    bench b = {.mock = mock, .app = es_app_new(&mock->source, NULL)};
    mock_at_pool(b.app);
    assert_non_null(b.app);
    b.app->set.published = true;
    post(&b, (es_msg){.kind = ES_MSG_RESIZE, .now = 99, .w = 120, .h = 40});
    post(&b, (es_msg){.kind = ES_MSG_SESSION, .now = 99});
    post(&b, (es_msg){.kind = ES_MSG_SESSION, .now = 100}); /* asks for a decision */
    command(&b, "corr");
    return b;
}

static bench start(size_t n, double share) {
    es_mock *mock = mock_new(n, NULL, 0);
    mock->source.phase = share < 1 ? ES_PHASE_RUNNING : ES_PHASE_DONE;
    mock_fill(mock, share);
    return open_corr(mock);
}

static void stop(bench *b) {
    es_effects_clear(&b->effects);
    es_app_free(b->app);
    mock_free(b->mock);
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
        size[i] = log((double)b->mock->model[i].dim_used);
    }
    assert_int_equal(es_correlate_task(x, y, size, b->app->n, &options, NULL, NULL, &r, NULL),
                     ES_OK);
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

static void corr__settled__is_correlate_task(void **state) {
    (void)state;
    bench b = start(13, 1);
    settle(&b);
    for (size_t t = 0; t < 2; t++) {
        es_correlation_report r = expected(&b, t, NULL);
        assert_true(b.app->corr->at[t].settled);
        assert_report(&b.app->corr->at[t].report, &r);
    }
    assert_true(isinf(es_app_deadline(b.app))); /* idle: not one wake-up more */
    stop(&b);
}

static void corr__open__coefficients_at_once_intervals_later(void **state) {
    (void)state;
    bench b = start(60, 1);
    es_correlation_report r = expected(&b, 1, NULL);
    for (size_t t = 0; t < b.app->corr->tasks; t++)
        assert_true(b.app->corr->at[t].fresh && !b.app->corr->at[t].settled);
    assert_same(b.app->corr->at[1].report.value[ES_KENDALL].value, r.value[ES_KENDALL].value);
    assert_true(isnan(b.app->corr->at[1].report.low[ES_KENDALL]));
    assert_same(b.app->corr->at[1].report.low[ES_SPEARMAN], r.low[ES_SPEARMAN]);
    while (!b.app->corr->at[b.app->corr->task].settled)
        post(&b, (es_msg){.kind = ES_MSG_TICK, .now = b.app->now});
    assert_false(b.app->corr->at[0].settled); /* the selected task came first */
    assert_true(settle(&b) > 3);
    assert_report(&b.app->corr->at[1].report, &r);
    stop(&b);
}

static void corr__mean_rank__is_of_the_embedders_with_every_task(void **state) {
    (void)state;
    bench b = start(13, 1);
    double table[13 * 2], rank[13];
    size_t complete;
    for (size_t i = 0; i < 13; i++)
        for (size_t t = 0; t < 2; t++)
            table[2 * i + t] = mock_score(b.mock, i, t);
    assert_int_equal(es_mean_rank(table, 13, 2, NULL, rank, &complete, NULL), ES_OK);
    assert_true(es_corr_is_mean(b.app, 2));
    assert_int_equal(b.app->corr->at[2].report.n, complete);
    for (size_t i = 0; i < 13; i++)
        assert_same(es_corr_shown_y(b.app, 2, b.app->corr->y[2 * 13 + i]), rank[i]);
    stop(&b);
}

static void corr__exclude__leaves_out_and_undo_takes_back(void **state) {
    (void)state;
    bench b = start(13, 1);
    bool out[13] = {false};
    command(&b, "task MTEB");
    mock_keys(b.app, "l", &b.effects);
    settle(&b);
    es_correlation_report all = expected(&b, 0, NULL);
    out[b.app->cursor] = true;
    es_correlation_report less = expected(&b, 0, out);
    mock_keys(b.app, "x", &b.effects);
    assert_false(b.app->corr->at[0].settled); /* an interval of other values is not shown */
    assert_true(isnan(b.app->corr->at[0].report.low[ES_KENDALL]));
    settle(&b);
    assert_report(&b.app->corr->at[0].report, &less);
    assert_int_equal(es_corr_excluded(b.app), 1);
    assert_false(b.app->hidden[b.app->cursor]);
    mock_keys(b.app, "u", &b.effects);
    settle(&b);
    assert_report(&b.app->corr->at[0].report, &all);
    mock_keys(b.app, "<Space>", &b.effects); /* marks go together */
    mock_keys(b.app, "l x", &b.effects);
    assert_int_equal(es_corr_excluded(b.app), 2);
    stop(&b);
}

/* Where a task has no place for what is left out, it is counted all the same. */
static void corr__exclude__is_said_of_the_mean_rank(void **state) {
    (void)state;
    bench b = start(13, 1);
    assert_true(es_corr_is_mean(b.app, b.app->corr->task));
    settle(&b);
    size_t points = b.app->corr->points;
    mock_keys(b.app, "lx", &b.effects);
    settle(&b);
    assert_int_equal(b.app->corr->points, points - 1);
    assert_int_equal(es_corr_excluded(b.app), 1);
    stop(&b);
}

static void corr__missing__leaves_out_of_that_task_only(void **state) {
    (void)state;
    bench b = start(13, 1); /* the mock lacks scores of items 3 and 10 */
    snprintf(b.mock->score_row[0], 64, "nobody");
    bench c = open_corr(b.mock);
    assert_int_equal(c.app->corr->at[0].report.n, 10);
    assert_int_equal(c.app->corr->joined, 12);
    assert_int_equal(b.app->corr->joined, 13);
    es_effects_clear(&c.effects);
    es_app_free(c.app);
    stop(&b);
}

static void corr__hidden_and_filtered__do_not_count(void **state) {
    (void)state;
    bench b = start(13, 1);
    command(&b, "hide LaBSE");
    assert_int_equal(b.app->corr->at[0].report.n, 10);
    command(&b, "filter !e5");
    assert_int_equal(b.app->corr->at[0].report.n, 8);
    stop(&b);
}

static void corr__names__count_only_when_accepted(void **state) {
    (void)state;
    es_mock *mock = mock_new(13, NULL, 0);
    mock->source.phase = ES_PHASE_DONE;
    mock_fill(mock, 1);
    snprintf(mock->score_row[1], 64, "sentence-transformers/LaBSE");
    snprintf(mock->score_row[5], 64, "BGE_base_en_v1.5");
    bench b = open_corr(mock);
    assert_int_equal(b.app->corr->at[0].report.n, 9);
    assert_int_equal(es_corr_proposal(b.app, 0), 1);
    mock_keys(b.app, "a", &b.effects);
    assert_int_equal(b.app->corr->at[0].report.n, 10);
    assert_same(b.app->corr->y[1], mock->source.scores.value[mock->source.scores.tasks]);
    assert_same(es_app_score(b.app, 1, 0), b.app->corr->y[1]); /* in every view */
    assert_string_equal(b.app->scores.model[1], es_app_model(b.app, 1)->name);
    mock_keys(b.app, "u", &b.effects);
    assert_int_equal(b.app->corr->at[0].report.n, 9);
    command(&b, "accept bge-base-en-v1.5");
    assert_true(b.app->accepted[5] && !b.app->accepted[1]);
    mock_keys(b.app, "uA", &b.effects);
    assert_int_equal(b.app->corr->at[0].report.n, 11);
    assert_int_equal(es_corr_proposal(b.app, 0), ES_NONE);
    mock_keys(b.app, "u4gn", &b.effects); /* from any other view, by a question */
    assert_true(b.app->mode == ES_MODE_ASK && b.app->ask == ES_ASK_NAMES);
    mock_keys(b.app, "n", &b.effects);
    assert_int_equal(es_corr_proposal(b.app, 1), 5);
    mock_keys(b.app, "gny", &b.effects);
    assert_int_equal(es_corr_proposal(b.app, 0), ES_NONE);
    assert_same(es_app_score(b.app, 5, 0),
                mock->source.scores.value[5 * mock->source.scores.tasks]);
    stop(&b);
}

/* A model whose name is accepted has a say in which subsets of MTEB's results are compared. */
static void corr__accepted_name__settles_mteb_anew(void **state) {
    (void)state;
    es_mock *mock = mock_new(13, NULL, 0);
    es_mteb_parts parts = {0};
    mock->source.phase = ES_PHASE_DONE;
    mock_fill(mock, 1);
    snprintf(mock->score_row[1], 64, "sentence-transformers/LaBSE");
    for (size_t i = 0; i < 13; i++) {
        static const char both[] = "{\"test\":{\"en\":{\"accuracy\":0.5},\"de\":{\"accuracy\":1}}}";
        static const char one[] = "{\"test\":{\"en\":{\"accuracy\":0.25}}}";
        const char *text = i == 1 ? one : both;
        size_t count = 0;
        assert_int_equal(es_mteb_parts_read(&parts, text, strlen(text), "T.json", i, &count, NULL),
                         ES_OK);
        es_mteb_parts_file(&parts, count, 0);
    }
    mock->source.scores.parts = &parts;
    bench b = open_corr(mock);
    command(&b, "accept LaBSE");
    assert_same(es_app_score(b.app, 0, 0), 0.5);
    assert_same(es_app_score(b.app, 1, 0), 0.25);
    assert_same(b.app->corr->y[0], 0.5);
    mock_keys(b.app, "u", &b.effects);
    assert_same(es_app_score(b.app, 0, 0), 0.75);
    assert_same(b.app->corr->y[0], 0.75);
    stop(&b);
    es_mteb_parts_deinit(&parts);
}

static void corr__lower_is_better__turns_the_sign(void **state) {
    (void)state;
    bench b = start(13, 1);
    double up = b.app->corr->at[0].report.value[ES_SPEARMAN].value;
    b.mock->lower[0] = true;
    post(&b, (es_msg){.kind = ES_MSG_TICK, .now = b.app->now + 1});
    assert_same(b.app->corr->at[0].report.value[ES_SPEARMAN].value, -up);
    stop(&b);
}

static void corr__move__tasks_and_points(void **state) {
    (void)state;
    bench b = start(13, 1);
    assert_true(es_corr_is_mean(b.app, b.app->corr->task));
    mock_keys(b.app, "jj", &b.effects); /* past the mean */
    assert_int_equal(b.app->corr->task, 0);
    mock_keys(b.app, "gg", &b.effects);
    assert_true(es_corr_is_mean(b.app, b.app->corr->task));
    double last = -1e9;
    b.app->cursor = b.app->corr->point[0];
    for (size_t k = 0; k < b.app->corr->points; k++) {
        assert_true(b.app->live[b.app->cursor].score > last);
        last = b.app->live[b.app->cursor].score;
        mock_keys(b.app, "l", &b.effects);
    }
    command(&b, "kind kendall");
    assert_int_equal(es_corr_kind(b.app), ES_KENDALL);
    mock_keys(b.app, "u", &b.effects);
    assert_int_equal(es_corr_kind(b.app), ES_SPEARMAN);
    mock_keys(b.app, "s", &b.effects);
    const struct es_corr *c = b.app->corr;
    assert_true(c->at[c->order[2]].report.value[ES_SPEARMAN].value >=
                c->at[c->order[3]].report.value[ES_SPEARMAN].value);
    stop(&b);
}

/* While results come in, the intervals shown are the last ones, and are said to be. */
static void corr__run__keeps_intervals_and_paces_itself(void **state) {
    (void)state;
    bench b = start(30, 0.4);
    mock_fill(b.mock, 1); /* all are ranked, and the run goes on */
    post(&b, (es_msg){.kind = ES_MSG_SESSION, .now = b.app->now + 0.1});
    settle(&b);
    es_corr_task *task = &b.app->corr->at[b.app->corr->task];
    assert_true(task->settled && !task->held);
    assert_true(es_app_deadline(b.app) > b.app->now);
    for (size_t t = 1; t < b.mock->results.m; t++)
        mock_change(b.mock, 0, t);
    post(&b, (es_msg){.kind = ES_MSG_SESSION, .now = b.app->now + 3}); /* decided anew */
    assert_true(task->fresh && !task->settled && task->held);
    assert_true(isfinite(task->report.low[ES_SPEARMAN]));
    mock_keys(b.app, "<Enter>", &b.effects);
    assert_non_null(strstr(b.app->note.text, "two-sided, of the independent ones"));
    mock_keys(b.app, "<Esc>", &b.effects);
    settle(&b);
    for (size_t t = 1; t < b.mock->results.m; t++)
        mock_change(b.mock, 1, t > 1 ? t : 0);
    mock_compute(b.mock, b.app, ++b.app->intervals.tag);
    post(&b, (es_msg){.kind = ES_MSG_SESSION, .now = b.app->now + 0.1});
    assert_true(task->fresh && !task->settled && task->held);
    assert_int_equal(settle(&b), 0); /* not at once */
    post(&b, (es_msg){.kind = ES_MSG_TICK, .now = b.app->now + 3});
    settle(&b);
    assert_true(task->settled && !task->held);
    stop(&b);
}

static void corr__degenerate__is_undefined_and_idle(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        es_mock *mock = mock_new(i == 0 ? 2 : i == 1 ? 1 : 13, NULL, 0);
        mock->source.phase = ES_PHASE_DONE;
        mock->constant = i == 2;
        mock_fill(mock, i == 3 ? 0 : 1);
        bench b = open_corr(mock);
        settle(&b);
        assert_non_null(b.app->corr->at[0].report.value[ES_SPEARMAN].why);
        assert_true(isinf(es_app_deadline(b.app)) || b.app->toast_until > 0);
        mock_keys(b.app, "hjklxuKLsaA<Enter>", &b.effects);
        bool nobody = strstr(b.app->note.text, "No embedder is ranked yet") != NULL;
        assert_true(nobody == (i == 3 || i == 1)); /* not "0 embedders have both" */
        stop(&b);
    }
}

/* Lower is better: kept with its sign turned, shown as it is. */
static void corr__cost__is_turned_and_shown_as_it_is(void **state) {
    (void)state;
    es_mock *mock = mock_new(13, NULL, 0);
    mock_fill(mock, 1);
    bench plain = start(13, 1);
    mock->source.phase = ES_PHASE_DONE;
    mock->costs = true;
    bench b = open_corr(mock);
    settle(&b);
    settle(&plain);
    const es_correlation_report *r = &b.app->corr->at[0].report,
                                *p = &plain.app->corr->at[0].report;
    assert_true(es_corr_is_turned(b.app, 0) && !es_corr_is_turned(b.app, 1));
    assert_same(r->value[ES_SPEARMAN].value, -p->value[ES_SPEARMAN].value);
    assert_same(r->slope.value, -p->slope.value);
    double x, y;
    assert_true(es_corr_place(b.app, 0, 0, &x, &y));
    assert_same(es_corr_shown_y(b.app, 0, y), mock_score(b.mock, 0, 0));
    /* The mean rank takes the lowest as the best. */
    assert_true(b.app->corr->at[2].report.value[ES_SPEARMAN].value !=
                plain.app->corr->at[2].report.value[ES_SPEARMAN].value);
    stop(&b);
    stop(&plain);
}

static void corr__band__follows_its_key(void **state) {
    (void)state;
    bench b = start(13, 1);
    double fit, low, high, x = b.app->corr->at[b.app->corr->task].mean;
    settle(&b);
    assert_true(es_corr_band(b.app, x, &fit, &low, &high));
    assert_true(low < fit && fit < high);
    assert_same(high - fit, fit - low);
    mock_keys(b.app, "B", &b.effects);
    assert_int_equal(b.app->set.corr_band, ES_BAND_BOOTSTRAP);
    double before = high - low;
    assert_true(es_corr_band(b.app, x, &fit, &low, &high));
    assert_true(low < fit && fit < high && high - low < 2 * before && high - low > before / 2);
    double all = high - low;
    mock_keys(b.app, "lllx", &b.effects); /* other points, another band */
    assert_true(es_corr_band(b.app, x, &fit, &low, &high));
    assert_true(high - low != all);
    mock_keys(b.app, "B", &b.effects);
    assert_true(es_corr_band(b.app, x, &fit, &low, &high));
    assert_true(isnan(low) && isnan(high));
    mock_keys(b.app, "uuu", &b.effects);
    assert_int_equal(b.app->set.corr_band, ES_BAND_LINE);
    stop(&b);
}

static void corr__residuals__are_plotted(void **state) {
    (void)state;
    bench b = start(13, 1);
    double x, y, sum = 0;
    settle(&b);
    mock_keys(b.app, "i", &b.effects);
    for (size_t k = 0; k < b.app->corr->points; k++) {
        size_t item = b.app->corr->point[k];
        assert_true(es_corr_plot(b.app, item, &x, &y));
        assert_same(y, es_corr_residual(b.app, b.app->corr->task, item));
        sum += y;
    }
    assert_true(fabs(sum) < 1e-9);
    mock_keys(b.app, "u", &b.effects);
    assert_false(b.app->set.corr_residuals);
    stop(&b);
}

static void corr__200_models__never_blocks(void **state) {
    (void)state;
    bench b = start(200, 1);
    double worst = 0, total = 0;
    size_t ticks = 0;
    while (es_app_deadline(b.app) <= b.app->now) {
        clock_t begin = clock(); /* of this process: other work runs on this machine */
        post(&b, (es_msg){.kind = ES_MSG_TICK, .now = b.app->now});
        double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
        total += took;
        worst = took > worst ? took : worst;
        ticks++;
    }
    print_message("200 embedders, 3 tasks: %zu ticks, mean %.2f ms, longest %.2f ms\n", ticks,
                  1e3 * total / (double)ticks, 1e3 * worst);
    assert_true(!IS_FAST || total / (double)ticks < 0.010);
    stop(&b);
}

static size_t fresh_tasks(const bench *b) {
    const struct es_corr *c = b->app->corr;
    size_t count = 0;
    for (size_t t = 0; t < c->tasks; t++)
        count += c->at[t].fresh && c->at[t].based;
    return count;
}

/* Of so many embedders one task is as much as a message may do, besides the selected one. */
static void corr__many_embedders__a_task_at_a_message(void **state) {
    (void)state;
    bench b = start(1100, 1);
    const struct es_corr *c = b.app->corr;
    size_t known = fresh_tasks(&b);
    assert_true(known <= 2 && known < c->tasks);
    while (known < c->tasks) {
        assert_true(es_app_deadline(b.app) <= b.app->now); /* it goes on by itself */
        post(&b, (es_msg){.kind = ES_MSG_TICK, .now = b.app->now});
        size_t more = fresh_tasks(&b) - known;
        assert_int_equal(more, 1);
        known += more;
    }
    uint64_t found = c->found;
    mock_keys(b.app, "jkjk", &b.effects);
    assert_int_equal(c->found, found); /* and nothing twice, for all that are selected */
    stop(&b);
}

static void corr__copy__has_every_task(void **state) {
    (void)state;
    bench b = start(13, 1);
    settle(&b);
    char *text = es_copy_table(b.app, ES_COPY_TSV, false);
    assert_non_null(strstr(text, "task\tn\tspearman"));
    assert_non_null(strstr(text, "mean rank\t11\t"));
    assert_non_null(strstr(text, "\nRetrieval\t11\t"));
    es_free(text);
    text = es_copy_table(b.app, ES_COPY_TSV, true);
    assert_null(strstr(text, "Retrieval"));
    es_free(text);
    stop(&b);
}

static bool looked_for(bench *b) {
    bool found = false;
    for (size_t i = 0; i < b->effects.count; i++)
        found = found || b->effects.items[i].kind == ES_FX_STORED;
    es_effects_clear(&b->effects);
    return found;
}

static void assert_baseline(const bench *b, size_t task) {
    double l2[64];
    size_t n = b->app->n;
    for (size_t i = 0; i < n; i++)
        l2[i] = isfinite(b->app->corr->x[i]) ? b->mock->source.baseline.score[i] : (double)NAN;
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        es_stat expected_stat;
        assert_int_equal(es_correlate((es_correlation)k, l2, b->app->corr->y + task * n, n,
                                      &expected_stat, NULL),
                         ES_OK);
        assert_true(isfinite(expected_stat.value));
        assert_same(b->app->corr->at[task].l2[k].value, expected_stat.value);
    }
}

static void corr__l2__is_over_the_points_that_count(void **state) {
    (void)state;
    bench b = start(13, 1);
    settle(&b);
    double before = b.app->corr->at[0].report.low[ES_SPEARMAN];
    assert_true(isnan(b.app->corr->at[0].l2[ES_SPEARMAN].value));
    b.mock->source.baseline = (es_source_baseline){true, false, 156, 156, NULL};
    post(&b, (es_msg){.kind = ES_MSG_SESSION, .now = b.app->now});
    settle(&b);
    for (size_t t = 0; t < b.app->corr->tasks; t++)
        assert_baseline(&b, t);
    assert_same(b.app->corr->at[0].report.low[ES_SPEARMAN], before); /* not drawn again */
    double whole = b.app->corr->at[0].l2[ES_SPEARMAN].value;
    command(&b, "goto e5-large-v2");
    command(&b, "exclude");
    settle(&b);
    assert_baseline(&b, 0);
    assert_true(b.app->corr->at[0].l2[ES_SPEARMAN].value != whole);
    stop(&b);
}

static void corr__stored_scores__are_looked_for_whenever_corr_opens(void **state) {
    (void)state;
    bench b = start(13, 1);
    assert_true(looked_for(&b));
    command(&b, "task STS");
    assert_false(looked_for(&b)); /* once, until Corr opens again */
    command(&b, "rank");
    command(&b, "corr");
    assert_true(looked_for(&b));
    b.mock->source.store_path = NULL; /* a matrix from a file has no store */
    command(&b, "rank");
    command(&b, "corr");
    assert_false(looked_for(&b));
    stop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corr__l2__is_over_the_points_that_count),
        cmocka_unit_test(corr__stored_scores__are_looked_for_whenever_corr_opens),
        cmocka_unit_test(corr__settled__is_correlate_task),
        cmocka_unit_test(corr__open__coefficients_at_once_intervals_later),
        cmocka_unit_test(corr__mean_rank__is_of_the_embedders_with_every_task),
        cmocka_unit_test(corr__exclude__leaves_out_and_undo_takes_back),
        cmocka_unit_test(corr__exclude__is_said_of_the_mean_rank),
        cmocka_unit_test(corr__missing__leaves_out_of_that_task_only),
        cmocka_unit_test(corr__hidden_and_filtered__do_not_count),
        cmocka_unit_test(corr__names__count_only_when_accepted),
        cmocka_unit_test(corr__accepted_name__settles_mteb_anew),
        cmocka_unit_test(corr__lower_is_better__turns_the_sign),
        cmocka_unit_test(corr__move__tasks_and_points),
        cmocka_unit_test(corr__run__keeps_intervals_and_paces_itself),
        cmocka_unit_test(corr__degenerate__is_undefined_and_idle),
        cmocka_unit_test(corr__cost__is_turned_and_shown_as_it_is),
        cmocka_unit_test(corr__band__follows_its_key),
        cmocka_unit_test(corr__residuals__are_plotted),
        cmocka_unit_test(corr__200_models__never_blocks),
        cmocka_unit_test(corr__many_embedders__a_task_at_a_message),
        cmocka_unit_test(corr__copy__has_every_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
