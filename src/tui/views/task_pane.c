/* Tasks of a cluster: their state, where they run, how far they are, and when they were last heard
 * of. */
#include "task_pane.h"

#include <stdio.h>

#include "tui_draw.h"

enum { STATES = ES_SHARD_DONE + 1 };

/* As they are listed: what is under way or in trouble before what waits or is done. */
static const struct {
    const char *name;
    es_shard_state state;
    es_role role;
} kinds[STATES] = {
    {"cut short", ES_SHARD_BROKEN, ES_ROLE_ERROR},   {"silent", ES_SHARD_SILENT, ES_ROLE_WARNING},
    {"stopped", ES_SHARD_STOPPED, ES_ROLE_WARNING},  {"running", ES_SHARD_RUNNING, ES_ROLE_TEXT},
    {"waiting", ES_SHARD_WAITING, ES_ROLE_TEXT_DIM}, {"done", ES_SHARD_DONE, ES_ROLE_TEXT_DIM},
};

size_t es_task_lines(const es_app *app) {
    size_t count = app->source->shard_count;
    return count > 0 ? count + 1 : 0;
}

static size_t count_of(const es_app *app, es_shard_state state) {
    size_t count = 0;
    for (size_t i = 0; i < app->source->shard_count; i++)
        count += app->source->shards[i].state == state;
    return count;
}

static void draw_heading(const es_app *app, es_grid *grid, es_rect r) {
    char text[200] = "";
    for (size_t k = 0; k < STATES; k++) {
        size_t count = count_of(app, kinds[k].state);
        if (count > 0)
            es_phrase_add(text, sizeof text, "%s%zu %s", text[0] ? " · " : "", count,
                          kinds[k].name);
    }
    if (count_of(app, ES_SHARD_DONE) == app->source->shard_count)
        es_phrase_add(text, sizeof text, ": embedscope merge stores what they found");
    int x = r.x + es_grid_printf(grid, r.x, r.y, ES_ROLE_COLUMN_HEADER, "tasks %zu  ",
                                 app->source->shard_count);
    es_grid_field(grid, x, r.y, r.x + r.w - x, -1, ES_ROLE_TEXT_DIM, text);
}

static void draw_task(const es_app *app, es_grid *grid, es_rect r, const es_shard *task,
                      size_t kind) {
    char share[48], text[200];
    (void)snprintf(share, sizeof share, "%zu/%zu", task->number, task->of);
    (void)snprintf(text, sizeof text, "%7s  %-9s %6zu/%zu%s", share, kinds[kind].name, task->pairs,
                   task->total, r.w < 66 ? "" : " pairs");
    if (task->host[0])
        es_phrase_add(text, sizeof text, "  %.40s", task->host);
    if (task->host[0] && task->heard > 0 && app->now > task->heard)
        es_phrase_add(text, sizeof text, r.w < 66 ? ", %.0f s ago" : ", heartbeat %.0f s ago",
                      app->now - task->heard);
    es_grid_field(grid, r.x, r.y, r.w, -1, kinds[kind].role, text);
}

void es_draw_tasks(const es_app *app, es_grid *grid, es_rect r) {
    size_t drawn = 0, count = app->source->shard_count, room = r.h > 1 ? (size_t)r.h - 1 : 0;
    size_t most = count <= room ? count : room > 0 ? room - 1 : 0;
    draw_heading(app, grid, r);
    for (size_t k = 0; k < STATES; k++)
        for (size_t i = 0; i < count && drawn < most; i++)
            if (app->source->shards[i].state == kinds[k].state) {
                es_rect line = {r.x + 1, r.y + 1 + (int)drawn++, r.w - 1, 1};
                draw_task(app, grid, line, &app->source->shards[i], k);
            }
    if (drawn < count && room > 0)
        es_grid_printf(grid, r.x + 2, r.y + 1 + (int)drawn, ES_ROLE_TEXT_DIM, "%zu more",
                       count - drawn);
}
