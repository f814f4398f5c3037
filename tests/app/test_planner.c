/* The run dialog: its fields, the plan that it hands out, and the command line that does the same.
 */
#include "app/bench.h"
#include "app_keys.h"
#include "app_state.h"
#include "app_dialogs.h"

/* As the command line would: the estimator and its preset must be in the tables, rows end at 10^6.
 */
static es_status check(const char *lines, es_error *err) {
    char estimator[32] = "", preset[32] = "";
    const char *at = strstr(lines, "estimator="), *rows = strstr(lines, "rows=");
    if (at != NULL)
        (void)sscanf(at, "estimator=%31[^\n]", estimator);
    at = strstr(lines, "preset=");
    if (at != NULL)
        (void)sscanf(at, "preset=%31[^\n]", preset);
    const es_estimator *found = es_estimator_find(estimator);
    if (estimator[0] != '\0' && found == NULL)
        return es_fail(err, ES_EINVAL, "no estimator '%s'", estimator);
    if (rows != NULL && strtod(rows + 5, NULL) > 1e6)
        return es_fail(err, ES_EINVAL, "--rows takes a whole number from 0 to 1000000");
    if (preset[0] == '\0' || found == NULL)
        return ES_OK;
    double *values = test_keep(es_alloc(found->n_settings, sizeof *values), es_free);
    es_status st = es_estimator_preset(found, preset, values, err);
    return st;
}

static const char *const command[] = {"embedscope", "estimate", "my pool", NULL};

static bench *start(const char *open) {
    bench *b = bench_start(false);
    es_app_planning(b->app, &(es_planning){open, command, check});
    es_effects_clear(b->effects);
    return b;
}

static const es_effect *last(const bench *b) {
    assert_true(b->effects->count > 0);
    return &b->effects->items[b->effects->count - 1];
}

static void assert_plan(const bench *b, const char *lines) {
    assert_int_equal(last(b)->kind, ES_FX_PLAN);
    assert_string_equal(last(b)->text, lines);
    assert_int_equal(b->app->mode, ES_MODE_NORMAL);
}

static void assert_text(const bench *b, const char *wanted) {
    char *text = es_planner_text(b->app, &b->app->planner.now);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    es_free(text);
}

TEST(planner__four_keys__run_another_estimator) {
    bench *b = start("");
    bench_command(b, "plan");
    assert_int_equal(b->app->mode, ES_MODE_PLANNER);
    bench_keys(b, "<Right>");
    assert_string_equal(b->app->planner.now.value[ES_PLANNER_ESTIMATOR], es_estimators[0]->name);
    assert_text(b, "embedscope estimate 'my pool' --estimator linear");
    bench_keys(b, "<Enter>");
    assert_plan(b, "estimator=linear\n");
}

TEST(planner__left_and_right__go_through_the_tables) {
    bench *b = start("");
    es_planner_request *now = &b->app->planner.now;
    bench_command(b, "plan");
    for (size_t e = 0; es_estimators[e] != NULL; e++) {
        bench_keys(b, "<Right>");
        assert_string_equal(now->value[ES_PLANNER_ESTIMATOR], es_estimators[e]->name);
        bench_keys(b, "<Tab>");
        for (size_t p = 1; es_estimators[e]->presets[p].name != NULL; p++) {
            bench_keys(b, "<Right>");
            assert_string_equal(now->value[ES_PLANNER_PRESET], es_estimators[e]->presets[p].name);
            assert_ptr_equal(es_planner_preset(now), &es_estimators[e]->presets[p]);
        }
        bench_keys(b, "<Up>");
    }
    bench_keys(b, "<Right>"); /* round: the plan without a word, and no preset of another one */
    assert_string_equal(now->value[ES_PLANNER_ESTIMATOR], "");
    assert_string_equal(now->value[ES_PLANNER_PRESET], "");
    bench_keys(b, "<Left><Esc>");
    assert_int_equal(b->app->mode, ES_MODE_NORMAL);
    assert_int_equal(b->effects->count, 0);
}

TEST(planner__numbers__are_typed_or_counted) {
    bench *b = start("seed=5\n");
    bench_command(b, "plan");
    bench_keys(b, "<Tab><Tab>300<Tab>1<Right><Right><Left>");
    assert_text(b, "embedscope estimate 'my pool' --rows 300 --seed 2");
    bench_keys(b, "<Up>12<Tab><Left><Left><Left>");
    assert_text(b, "embedscope estimate 'my pool' --rows 12 --seed 0");
    bench_keys(b, "<Enter>");
    assert_plan(b, "rows=12\n");
    bench_command(b, "plan");
    bench_keys(b, "<Tab><Tab>");
    mock_send(b->app, (es_msg){.kind = ES_MSG_PASTE, .now = b->app->now, .text = "1,500\n7"},
              b->effects);
    assert_string_equal(b->app->planner.now.value[ES_PLANNER_ROWS], "1500");
}

TEST(planner__unfit__is_said_and_stays) {
    bench *b = start("");
    bench_command(b, "plan");
    bench_keys(b, "<Tab><Tab>99999999<Enter>");
    assert_int_equal(b->app->mode, ES_MODE_PLANNER);
    bench_assert_said(b, "--rows takes a whole number from 0 to 1000000");
    assert_int_equal(b->effects->count, 0);
    bench_keys(b, "<Esc>");
    bench_command(b, "run no-such-estimator");
    bench_assert_said(b, "no estimator 'no-such-estimator'");
    bench_command(b, "run linear no-such-preset");
    bench_assert_said(b, "no-such-preset");
    bench_command(b, "run colour=3");
    bench_assert_said(b, "there are estimator, preset, rows, seed, threads");
    bench_command(b, "run linear shrunk knife");
    bench_assert_said(b, "'knife'");
    bench_command(b, "run seed=1234567890123456789012345678901234567890");
    bench_assert_said(b, "seed: this is too long");
    assert_int_equal(b->effects->count, 0);
}

TEST(planner__command__takes_all_in_a_line) {
    bench *b = start("estimator=knife\nrows=500\nset=hidden=8\n");
    bench_command(b, "run linear shrunk seed=4");
    assert_plan(b, "estimator=linear\npreset=shrunk\nrows=500\nseed=4\n");
    bench_command(b, "run rows=all");
    assert_plan(b, "estimator=knife\nset=hidden=8\n");
    bench_command(b, "run standard threads=2");
    assert_plan(b, "rows=500\nthreads=2\n");
}

TEST(planner__settings__stay_with_their_estimator) {
    bench *b = start("estimator=linear\nset=folds=3\nset=clip=2\n");
    char remark[200];
    bench_command(b, "plan");
    assert_text(b, "embedscope estimate 'my pool' --estimator linear --set folds=3 --set clip=2");
    es_planner_remark(b->app, &b->app->planner.now, remark, sizeof remark);
    assert_string_equal(remark, "");
    bench_keys(b, "<Right>");
    assert_text(b, "embedscope estimate 'my pool' --estimator knife");
    es_planner_remark(b->app, &b->app->planner.now, remark, sizeof remark);
    assert_contains(remark, "left out");
}

TEST(planner__same_plan__starts_as_r_does) {
    bench *b = start("");
    b->mock->source.phase = ES_PHASE_IDLE;
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now}, b->effects);
    es_effects_clear(b->effects);
    bench_command(b, "plan");
    bench_keys(b, "<Enter>");
    assert_int_equal(last(b)->kind, ES_FX_START);
    es_effects_clear(b->effects);
    size_t threads = b->app->source->threads;
    bench_command(b, "plan");
    bench_keys(b, "<Up><Right><Enter>"); /* one thread more needs no other session */
    assert_int_equal(b->effects->items[0].kind, ES_FX_THREADS);
    assert_int_equal(b->effects->items[0].number, threads + 1);
    assert_int_equal(last(b)->kind, ES_FX_START);
}

TEST(planner__in_the_way__is_said) {
    bench *b = start("");
    bench_command(b, "run threads=1");
    bench_assert_said(b, "every pair is done");
    b->mock->source.store_path = NULL;
    b->mock->source.progress.done = 3;
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now}, b->effects);
    bench_command(b, "run linear");
    bench_assert_said(b, "in memory only");
    b->mock->source.phase = ES_PHASE_RUNNING;
    mock_send(b->app, (es_msg){.kind = ES_MSG_SESSION, .now = b->app->now}, b->effects);
    bench_command(b, "run linear");
    bench_assert_said(b, "X cancels it");
    b->mock->source.read_only = true;
    bench_command(b, "plan");
    bench_assert_said(b, "results only");
    for (size_t i = 0; i < b->effects->count; i++)
        assert_int_not_equal(b->effects->items[i].kind, ES_FX_PLAN);
}

TEST(planner__outlook__counts_what_is_known) {
    bench *b = start("estimator=linear\n");
    b->mock->results.estimator = es_estimator_find("linear");
    b->mock->results.preset = "default";
    es_planner_request untold = b->app->planner.open;
    b->mock->results.done /= 2;
    assert_true(isnan(es_planner_look(b->app, &untold).seconds));
    es_outlook outlook = {.parts = 1, .part[0] = {.seconds = 30, .whole = 80}};
    b->mock->source.outlook = &outlook;
    size_t pairs = es_app_pairs(b->app), done = b->mock->results.done;
    es_planner_request request = b->app->planner.open;
    es_planner_outlook look = es_planner_look(b->app, &request);
    assert_int_equal(look.pairs, pairs);
    assert_int_equal(look.known, done);
    snprintf(request.value[ES_PLANNER_THREADS], ES_PLANNER_VALUE, "2");
    assert_true(fabs(es_planner_look(b->app, &request).seconds - 15) < 1e-9);
    snprintf(request.value[ES_PLANNER_SEED], ES_PLANNER_VALUE, "1");
    snprintf(request.value[ES_PLANNER_THREADS], ES_PLANNER_VALUE, "4");
    look = es_planner_look(b->app, &request);
    assert_int_equal(look.known, 0);
    assert_true(fabs(look.seconds - 20) < 1e-9);
    snprintf(request.value[ES_PLANNER_ROWS], ES_PLANNER_VALUE, "50");
    assert_true(isnan(es_planner_look(b->app, &request).seconds));
    request = (es_planner_request){0};
    assert_int_equal(es_planner_look(b->app, &request).pairs, 3 * pairs);
}

TEST(planner__tab__offers_tables) {
    bench *b = start("");
    char line[ES_APP_LINE];
    b->app->prompt.kind = ES_PROMPT_COMMAND;
    assert_true(es_prompt_candidate(b->app, "run lin", 0, line, sizeof line));
    assert_string_equal(line, "run linear");
    assert_true(es_prompt_candidate(b->app, "run linear sh", 0, line, sizeof line));
    assert_string_equal(line, "run linear shrunk");
    assert_true(es_prompt_candidate(b->app, "run linear shrunk se", 0, line, sizeof line));
    assert_string_equal(line, "run linear shrunk seed=");
    assert_false(es_prompt_candidate(b->app, "run linear pap", 0, line, sizeof line));
}
