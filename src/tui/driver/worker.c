/* One thread a command; the end of a pipe says when it is over. */
#include "tui_driver.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

typedef struct es_worker_job {
    const es_explorer_commands *how;
    bool wants_sheet;
    es_words words;
    es_run run;
    pthread_t thread;
    int end; /* closed by the thread */
    es_sheet *sheet;
    es_status status;
    es_error error;
} es_worker_job;

void es_worker_init(es_worker *worker, const es_explorer_commands *how, bool sheets) {
    *worker = (es_worker){.how = how, .sheets = sheets, .fd = -1};
}

/* The thread that runs one command line; closing its pipe reports the end. */
static void *worker_thread(void *data) {
    es_worker_job *r = data;
    r->status = r->how->run(r->how->context, &r->words, &r->run, r->wants_sheet ? &r->sheet : NULL,
                            &r->error);
    (void)close(r->end);
    return NULL;
}

/* Takes `words`. */
static es_status begin(es_worker *worker, es_words *words, es_error *err) {
    int ends[2];
    if (worker->how == NULL) {
        es_words_deinit(words);
        return es_fail(err, ES_EUNSUPPORTED, "no command can be run here");
    }
    es_worker_job *r = es_alloc_zero(1, sizeof *r);
    es_status st = r ? es_pipe_open(ends, err) : es_no_memory(err);
    if (st != ES_OK) {
        es_free(r);
        es_words_deinit(words);
        return st;
    }
    r->how = worker->how;
    r->wants_sheet = worker->sheets;
    r->words = *words;
    r->end = ends[1];
    *words = (es_words){0};
    es_run_init(&r->run);
    if (es_workers_thread(&r->thread, worker_thread, r) != 0) {
        es_pipe_close(ends);
        es_words_deinit(&r->words);
        es_free(r);
        return es_fail(err, ES_EIO, "no thread can be started");
    }
    worker->now = r;
    worker->fd = ends[0];
    return ES_OK;
}

/* Waits for the thread, and gives what came of it. */
static es_status end(es_worker *worker, es_sheet **sheet, es_error *err) {
    es_worker_job *r = worker->now;
    (void)pthread_join(r->thread, NULL);
    (void)close(worker->fd);
    es_status st = r->status;
    *sheet = r->sheet;
    *err = r->error;
    es_words_deinit(&r->words);
    es_free(r);
    worker->now = NULL;
    worker->fd = -1;
    return st;
}

es_status es_worker_ask(es_worker *worker, es_words *words, es_error *err) {
    if (worker->now == NULL)
        return begin(worker, words, err);
    es_run_cancel(&worker->now->run);
    es_words_deinit(&worker->next);
    worker->next = *words;
    *words = (es_words){0};
    return ES_OK;
}

bool es_worker_step(es_worker *worker, es_sheet **sheet, es_error *err) {
    struct pollfd over = {.fd = worker->fd, .events = POLLIN};
    if (worker->now == NULL || poll(&over, 1, 0) <= 0)
        return false;
    es_status st = end(worker, sheet, err);
    if (worker->next.count > 0) {
        es_sheet_free(*sheet);
        *sheet = NULL;
        return begin(worker, &worker->next, err) != ES_OK;
    }
    err->code = st;
    return true;
}

bool es_worker_busy(const es_worker *worker) {
    return worker->now != NULL;
}

const char *es_worker_says(const es_worker *worker, es_run_view *room) {
    if (worker->now == NULL)
        return "";
    es_run_look(&worker->now->run, room);
    return room->subject;
}

void es_worker_stop(es_worker *worker) {
    if (worker->now)
        es_run_cancel(&worker->now->run);
    es_words_deinit(&worker->next);
}

void es_worker_close(es_worker *worker, double seconds) {
    struct pollfd over = {.fd = worker->fd, .events = POLLIN};
    es_sheet *sheet = NULL;
    es_error err;
    if (worker->now && seconds > 0)
        (void)poll(&over, 1, (int)(seconds * 1000));
    es_worker_stop(worker);
    if (worker->now)
        (void)end(worker, &sheet, &err);
    es_sheet_free(sheet);
}
