/* One thread a sheet; the end of a pipe says when it is over. */
#include "sheet_maker.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "alloc.h"
#include "workers.h"

typedef struct es_sheet_request {
    const es_explorer_sheets *how;
    es_words words;
    es_run run;
    pthread_t thread;
    int end; /* closed by the thread */
    es_sheet *sheet;
    es_status status;
    es_error error;
} es_sheet_request;

void es_sheet_maker_init(es_sheet_maker *maker, const es_explorer_sheets *how) {
    *maker = (es_sheet_maker){.how = how, .fd = -1};
}

static void *make(void *data) {
    es_sheet_request *r = data;
    r->status = r->how->make(r->how->context, &r->words, &r->run, &r->sheet, &r->error);
    (void)close(r->end);
    return NULL;
}

/* Takes `words`. */
static es_status begin(es_sheet_maker *maker, es_words *words, es_error *err) {
    int ends[2];
    es_sheet_request *r = es_alloc_zero(1, sizeof *r);
    if (r == NULL || pipe(ends) != 0) {
        es_free(r);
        es_words_deinit(words);
        return es_no_memory(err);
    }
    for (int i = 0; i < 2; i++)
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    r->how = maker->how;
    r->words = *words;
    r->end = ends[1];
    *words = (es_words){0};
    es_run_init(&r->run);
    if (es_workers_thread(&r->thread, make, r) != 0) {
        (void)close(ends[0]);
        (void)close(ends[1]);
        es_words_deinit(&r->words);
        es_free(r);
        return es_fail(err, ES_EIO, "no thread can be started");
    }
    maker->now = r;
    maker->fd = ends[0];
    return ES_OK;
}

/* Waits for the thread, and gives what came of it. */
static es_status end(es_sheet_maker *maker, es_sheet **sheet, es_error *err) {
    es_sheet_request *r = maker->now;
    (void)pthread_join(r->thread, NULL);
    (void)close(maker->fd);
    es_status st = r->status;
    *sheet = r->sheet;
    *err = r->error;
    es_words_deinit(&r->words);
    es_free(r);
    maker->now = NULL;
    maker->fd = -1;
    return st;
}

es_status es_sheet_maker_ask(es_sheet_maker *maker, es_words *words, es_error *err) {
    if (maker->now == NULL)
        return begin(maker, words, err);
    es_run_cancel(&maker->now->run);
    es_words_deinit(&maker->next);
    maker->next = *words;
    *words = (es_words){0};
    return ES_OK;
}

bool es_sheet_maker_step(es_sheet_maker *maker, es_sheet **sheet, es_error *err) {
    struct pollfd over = {.fd = maker->fd, .events = POLLIN};
    if (maker->now == NULL || poll(&over, 1, 0) <= 0)
        return false;
    es_status st = end(maker, sheet, err);
    if (maker->next.count > 0) {
        es_sheet_free(*sheet);
        *sheet = NULL;
        return begin(maker, &maker->next, err) != ES_OK;
    }
    err->code = st;
    return true;
}

void es_sheet_maker_close(es_sheet_maker *maker) {
    es_sheet *sheet = NULL;
    es_error err;
    if (maker->now) {
        es_run_cancel(&maker->now->run);
        (void)end(maker, &sheet, &err);
    }
    es_sheet_free(sheet);
    es_words_deinit(&maker->next);
}
