/* One thread opens and says when it is done; whoever asked joins it. */
#include "engine_requests.h"

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

struct es_open_beside {
    es_opener *open;
    void *context;
    size_t rows;
    locale_t locale; /* of the thread that asked */
    pthread_t thread;
    es_run run;
    int done[2]; /* a pipe that ends with the thread */
    es_session *session;
    es_status status;
    es_error error;
};

/* The thread that opens the second session; closing the pipe reports its end. */
static void *open_thread(void *data) {
    es_open_beside *b = data;
    (void)uselocale(b->locale);
    b->status = b->open(b->context, b->rows, &b->run, &b->session, &b->error);
    (void)close(b->done[1]);
    return NULL;
}

es_status es_open_beside_new(es_opener *open, void *context, size_t rows, es_open_beside **out,
                             es_error *err) {
    es_open_beside *b = es_alloc_zero(1, sizeof *b);
    if (b == NULL)
        return es_no_memory(err);
    b->open = open;
    b->context = context;
    b->rows = rows;
    b->locale = uselocale((locale_t)0);
    es_run_init(&b->run);
    if (pipe(b->done) != 0) {
        es_free(b);
        return es_fail(err, ES_EIO,
                       "cannot open another pool: too many files are open (ulimit -n)");
    }
    for (int i = 0; i < 2; i++)
        (void)fcntl(b->done[i], F_SETFD, FD_CLOEXEC);
    if (es_workers_thread(&b->thread, open_thread, b) != 0) {
        (void)close(b->done[0]);
        (void)close(b->done[1]);
        es_free(b);
        return es_no_memory(err);
    }
    *out = b;
    return ES_OK;
}

int es_open_beside_fd(const es_open_beside *b) {
    return b->done[0];
}

es_run *es_open_beside_run(es_open_beside *b) {
    return &b->run;
}

bool es_open_beside_done(const es_open_beside *b, double seconds) {
    struct pollfd wait = {.fd = b->done[0], .events = POLLIN};
    return poll(&wait, 1, (int)(1000 * seconds)) > 0;
}

es_status es_open_beside_take(es_open_beside **beside, es_session **session, es_error *err) {
    es_open_beside *b = *beside;
    es_status st = ES_OK;
    (void)pthread_join(b->thread, NULL);
    (void)close(b->done[0]);
    st = b->status;
    if (st == ES_OK)
        *session = b->session;
    else if (err)
        *err = b->error;
    es_free(b);
    *beside = NULL;
    return st;
}

void es_open_beside_free(es_open_beside *beside) {
    es_session *session = NULL;
    if (beside == NULL)
        return;
    es_run_cancel(&beside->run);
    if (es_open_beside_take(&beside, &session, NULL) == ES_OK)
        es_session_leave(session, 0);
}
