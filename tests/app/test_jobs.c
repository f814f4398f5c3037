/* Jobs: the queue and who steers it, failures and the filter, the run's pace. */
#include "app/bench.h"
#include "app_state.h"
#include "app_values.h"

static void post(bench *b, es_msg msg) {
    mock_send(b->app, msg, b->effects);
}

static bench *start(size_t n, double share) {
    es_mock *mock = mock_kept(n, NULL, 0);
    mock->source.phase = ES_PHASE_RUNNING;
    mock_fill(mock, share);
    return bench_over(mock);
}

/* What the loop and a worker do: priorities handed on, the first pair of the queue computed. */
static bool work(bench *b, es_queued *done) {
    for (size_t i = 0; i < b->effects->count; i++)
        if (b->effects->items[i].kind == ES_FX_PRIORITISE)
            b->mock->urgency = es_app_urgency(b->app);
    es_effects_clear(b->effects);
    if (b->mock->source.queue(b->mock, done, 1) == 0)
        return false;
    mock_put(b->mock, done->source, done->target);
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now + 0.05});
    return true;
}

/* P puts a row's pairs in front: from the next pair on, and until there are none left. */
TEST(queue__P__the_row_comes_first) {
    bench *b = start(13, 0.3);
    es_queued pair;
    mock_keys(b->app, "4", b->effects);
    for (int i = 0; i < 5; i++)
        assert_true(work(b, &pair));
    mock_keys(b->app, "jjj", b->effects);
    size_t row = b->app->position[b->app->cursor], left = 0;
    for (size_t t = 0; t < 13; t++)
        left += t != row && b->mock->results.state[row * 13 + t] == ES_PAIR_PENDING;
    assert_true(left > 3);
    mock_keys(b->app, "P", b->effects);
    for (size_t k = 0; k < left; k++) {
        assert_true(work(b, &pair));
        assert_int_equal(pair.source, row);
    }
    assert_true(work(b, &pair));
    assert_int_not_equal(pair.source, row);
    mock_keys(b->app, "PP", b->effects); /* back to the natural order, and once more */
    assert_int_equal(b->app->first, ES_NONE);
    assert_contains(b->app->toast, "has no pairs left to estimate");
    mock_keys(b->app, "P", b->effects);
    /* In Jobs, P takes the row of the line. */
    mock_keys(b->app, ":jobs<Enter>jjP", b->effects);
    es_activity a;
    assert_true(b->mock->source.activity(b->mock, 2, &a));
    assert_int_equal(b->app->first, b->mock->results.model[a.source]);
    mock_keys(b->app, "P", b->effects);
    assert_int_equal(b->app->first, ES_NONE);
}

TEST(filter__failures__shows_those_of_its_embedders) {
    bench *b = start(13, 1);
    mock_fail(b->mock, 1, 3, "the loss diverged");
    mock_fail(b->mock, 4, 0, "not enough memory");
    mock_fail(b->mock, 6, 7, "not enough memory");
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = 101});
    mock_keys(b->app, ":jobs<Enter>", b->effects);
    assert_int_equal(es_jobs_lines(b->app), 4 + 3);
    mock_keys(b->app, "G", b->effects);
    assert_int_equal(b->app->job, 6);
    mock_keys(b->app, "fe5-small<Enter>", b->effects); /* the target of the last one */
    assert_int_equal(es_jobs_lines(b->app), 4 + 1);
    assert_int_equal(b->app->job, 4);
    size_t source, target;
    assert_true(es_jobs_pair(b->app, 4, &source, &target));
    assert_string_equal(es_app_model(b->app, target)->name, "e5-small");
    assert_int_equal(es_jobs_failures(b->app), 3);
    mock_keys(b->app, "<Esc>", b->effects);
    assert_int_equal(es_jobs_lines(b->app), 4 + 3);
    mock_keys(b->app, "gg/LaBSE<Enter>", b->effects);
    assert_true(es_jobs_pair(b->app, b->app->job, &source, &target));
    assert_true(strcmp(es_app_model(b->app, source)->name, "LaBSE") == 0 ||
                strcmp(es_app_model(b->app, target)->name, "LaBSE") == 0);
}

/* Once the run is over: the sum over all done pairs, and the longest in descending order. */
TEST(took__finished_run__adds_up) {
    bench *b = start(13, 1);
    assert_null(b->app->took); /* a run is on */
    mock_fail(b->mock, 1, 3, "the loss diverged");
    es_results *r = &b->mock->results;
    double sum = 0;
    size_t done = 0;
    for (size_t i = 0; i < r->m * r->m; i++)
        if (r->state[i] == ES_PAIR_DONE) {
            r->seconds[i] = 1 + (double)(i * 37 % 101);
            sum += r->seconds[i];
            done++;
        }
    b->mock->source.phase = ES_PHASE_DONE;
    r->revision++;
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = 101});
    const es_took *took = b->app->took;
    assert_non_null(took);
    assert_int_equal(took->pairs[0], done);
    assert_true(fabs(took->seconds[0] - sum) < 1e-9);
    assert_int_equal(took->slowest, ES_JOBS_SLOWEST);
    for (size_t i = 0; i < took->slowest; i++) {
        size_t cell = 0, longer = 0;
        for (size_t c = 0; c < r->m * r->m; c++) {
            cell = r->model[c / r->m] == took->slow[i].source &&
                           r->model[c % r->m] == took->slow[i].target
                       ? c
                       : cell;
            longer += r->state[c] == ES_PAIR_DONE && r->seconds[c] > took->slow[i].seconds;
        }
        assert_true(took->slow[i].seconds >= r->seconds[cell] &&
                    took->slow[i].seconds <= r->seconds[cell]);
        assert_true(longer <= i);
    }
}

TEST(pace__seconds__are_sampled_while_it_runs) {
    bench *b = start(13, 0.1);
    double now = 100;
    post(b, (es_msg){.kind = ES_MSG_TICK, .now = now});
    size_t before = b->app->paces;
    for (int i = 0; i < 5; i++) {
        size_t done = b->mock->results.done;
        mock_fill(b->mock, 0.2 + 0.1 * i);
        now += 2;
        post(b, (es_msg){.kind = ES_MSG_SESSION, .now = now});
        post(b, (es_msg){.kind = ES_MSG_TICK, .now = now});
        if (i > 0)
            assert_true(fabs((double)b->app->pace[(b->app->paces - 1) % ES_APP_PACE] -
                             (double)(b->mock->results.done - done) / 2) < 1e-6);
        post(b, (es_msg){.kind = ES_MSG_TICK, .now = now + 0.3}); /* too early for another */
    }
    assert_true(b->app->paces - before >= 4 && b->app->paces - before <= 5);
    b->mock->source.phase = ES_PHASE_PAUSED;
    post(b, (es_msg){.kind = ES_MSG_SESSION, .now = now + 1});
    before = b->app->paces;
    post(b, (es_msg){.kind = ES_MSG_TICK, .now = now + 5});
    assert_int_equal(b->app->paces, before);
}
