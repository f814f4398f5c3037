/* Jobs on a screen. */
#include "screens.h"

TEST(jobs__draw__as_golden) {
    check_view(ES_VIEW_JOBS, "jobs");
}

static const es_picture_case pictures[] = {
    {"jobs/failure", "7G", SCENE_FAILED},
    {"jobs/filter", "7fLaBSE<Enter>G", SCENE_FAILED},
    {"jobs/first", "4jjP7", SCENE_PARTIAL},
};

TEST(jobs__keys__as_golden) {
    check_pictures(pictures, sizeof pictures / sizeof *pictures);
}

/* Where pairs have nothing to say, its line takes theirs; beside a run it stands below. */
TEST(jobs__training__is_shown) {
    static const es_scene scenes[] = {SCENE_EMPTY, SCENE_PARTIAL};
    static const es_cmim_live live = {1234,     5000,   183.89F, -218.44F,
                                      -0.0021F, 87.63F, -18.5F,  0.023F};
    es_buf out = {0};
    for (size_t k = 0; k < 2; k++) {
        es_mock *mock = make_scene(scenes[k]);
        es_app *app = open_app(mock);
        mock->source.training = &live;
        app->view = ES_VIEW_JOBS;
        settle(app);
        assert_true(es_app_deadline(app) <= app->now + 1); /* it is looked at again */
        add_screen(&out, app, 120, 40, false, false);
        add_screen(&out, app, 80, 24, false, false);
    }
    check_golden("jobs/training", &out);
}

/* Another process holds the store: what is finished is not kept yet. */
TEST(jobs__locked_store__is_waited_for) {
    es_buf out = {0};
    es_mock *mock = make_scene(SCENE_PARTIAL);
    mock->source.progress.waits = 3.4;
    es_app *app = open_app(mock);
    static const es_view_id views[] = {ES_VIEW_JOBS, ES_VIEW_OVERVIEW};
    for (size_t k = 0; k < 2; k++) {
        app->view = views[k];
        settle(app);
        add_screen(&out, app, 120, 40, false, false);
        add_screen(&out, app, 80, 24, false, false);
    }
    check_golden("jobs/waiting", &out);
}

/* Tasks of a cluster: below the threads, what is under way or in trouble first, as far as there is
 * room. */
TEST(jobs__tasks__are_listed) {
    static const es_shard_state states[] = {ES_SHARD_DONE,    ES_SHARD_RUNNING, ES_SHARD_SILENT,
                                            ES_SHARD_WAITING, ES_SHARD_BROKEN,  ES_SHARD_STOPPED};
    enum { TASKS = 24, KINDS = sizeof states / sizeof *states };
    es_shard tasks[TASKS];
    es_buf out = {0};
    es_mock *mock = make_scene(SCENE_PARTIAL);
    es_app *app = open_app(mock);
    for (size_t i = 0; i < TASKS; i++) {
        es_shard_state at = states[i % KINDS];
        bool held = at == ES_SHARD_RUNNING || at == ES_SHARD_SILENT;
        tasks[i] = (es_shard){.number = i + 1,
                              .of = TASKS,
                              .state = at,
                              .pairs = at == ES_SHARD_DONE ? 36 : i,
                              .total = 36,
                              .heard = held ? app->now - (double)i : 0};
        if (held)
            (void)snprintf(tasks[i].host, sizeof tasks[i].host, "node%02zu", i);
    }
    mock->source.shards = tasks;
    app->view = ES_VIEW_JOBS;
    for (mock->source.shard_count = 6; mock->source.shard_count <= TASKS;
         mock->source.shard_count += TASKS - 6) {
        settle(app);
        add_screen(&out, app, 120, 40, false, false);
        add_screen(&out, app, 80, 24, false, false);
    }
    check_golden("jobs/tasks", &out);
}

TEST(jobs__any_size__draws) {
    check_any_size(ES_VIEW_JOBS);
}
