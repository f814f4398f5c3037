/* The full look: a pool that was opened by what earlier looks have seen of its files is read once
 * more while the answer is on the screen, so that a file whose size and times tell nothing of a
 * change is found all the same. */
#include "engine_session_parts.h"

typedef struct look_work {
    es_pool *pool;  /* the session's */
    size_t changed; /* SIZE_MAX: none is */
} look_work;

static es_status look(void *data, es_run *run, es_error *err) {
    look_work *work = data;
    es_status st = ES_OK;
    for (size_t i = 0; i < es_pool_count(work->pool) && st == ES_OK; i++) {
        bool same = true;
        if (es_pool_is_remembered(work->pool, i))
            st = es_pool_look_again(work->pool, i, run, &same, err);
        if (st == ES_OK && !same && work->changed == SIZE_MAX)
            work->changed = i;
    }
    return st;
}

static const es_latest_task_kind kind = {look, NULL, 0.1, "reading the files again"};

es_status es_session_look_again(es_session *s, es_error *err) {
    double seconds;
    if (s->looked_again || !s->pool || !s->ready || es_pool_remembered(s->pool, &seconds) == 0)
        return ES_OK;
    look_work *work = es_alloc(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    *work = (look_work){.pool = s->pool, .changed = SIZE_MAX};
    s->looked_again = true;
    return es_session_task_start(s, ES_TASK_FULL_LOOK, &kind, work, 1, err);
}

es_full_look es_session_full_look(const es_session *s) {
    const es_latest_task *task = es_session_task(s, ES_TASK_FULL_LOOK);
    const look_work *done = task->newest;
    es_full_look out = {.busy = task->job != NULL, .over = done != NULL, .changed = SIZE_MAX};
    if (s->pool && s->ready)
        out.files = es_pool_remembered(s->pool, &out.seconds);
    if (done) {
        out.changed = done->changed;
        out.seconds = task->seconds;
    }
    return out;
}
