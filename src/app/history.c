/* Undo and redo of view changes: whole snapshots, they are small. */
#include <string.h>

#include "app_state.h"
#include "embedscope/alloc.h"

_Static_assert(sizeof(bool) == 1, "snapshots keep flags as bytes");

struct es_snapshot {
    es_settings set;
    uint8_t flags[]; /* (FLAGS, n) */
};

enum { FLAGS = 5 };

/* The items' flags that are part of what the user looks at. */
static void *flags_of(const es_app *app, size_t which) {
    void *const flags[FLAGS] = {app->marked, app->hidden, app->folded, app->excluded,
                                app->accepted};
    return flags[which];
}

static struct es_snapshot *snapshot(const es_app *app) {
    struct es_snapshot *shot = es_alloc(1, sizeof *shot + FLAGS * app->n);
    if (shot == NULL)
        return NULL;
    shot->set = app->set;
    for (size_t f = 0; f < FLAGS; f++)
        memcpy(shot->flags + f * app->n, flags_of(app, f), app->n);
    return shot;
}

static void push(struct es_snapshot **stack, size_t *count, struct es_snapshot *shot) {
    if (*count == ES_APP_UNDO) {
        es_free(stack[0]);
        for (size_t i = 1; i < ES_APP_UNDO; i++)
            stack[i - 1] = stack[i];
        (*count)--;
    }
    stack[(*count)++] = shot;
}

static void clear(struct es_snapshot **stack, size_t *count) {
    while (*count > 0)
        es_free(stack[--*count]);
}

void es_history_push(es_app *app) {
    struct es_snapshot *shot = snapshot(app);
    clear(app->redo, &app->redo_count);
    if (shot != NULL) /* without memory the change is made and cannot be taken back */
        push(app->undo, &app->undo_count, shot);
}

bool es_history_move(es_app *app, bool redo) {
    struct es_snapshot **from = redo ? app->redo : app->undo, **to = redo ? app->undo : app->redo;
    size_t *from_count = redo ? &app->redo_count : &app->undo_count;
    size_t *to_count = redo ? &app->undo_count : &app->redo_count;
    struct es_snapshot *here = *from_count == 0 ? NULL : snapshot(app);
    if (here == NULL)
        return false;
    struct es_snapshot *shot = from[--*from_count];
    push(to, to_count, here);
    app->set = shot->set;
    for (size_t f = 0; f < FLAGS; f++)
        memcpy(flags_of(app, f), shot->flags + f * app->n, app->n);
    es_free(shot);
    return true;
}

void es_history_cancel(es_app *app) {
    if (es_history_move(app, false))
        es_free(app->redo[--app->redo_count]);
}

void es_history_free(es_app *app) {
    clear(app->undo, &app->undo_count);
    clear(app->redo, &app->redo_count);
}
