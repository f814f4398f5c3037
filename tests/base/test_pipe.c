#include "testing.h"

#include <poll.h>

#include "base.h"

static bool waits(int fd) {
    struct pollfd at = {.fd = fd, .events = POLLIN};
    return poll(&at, 1, 0) == 1;
}

TEST(pipe__wakes__until_it_is_drained) {
    int ends[2];
    assert_ok(es_pipe_open(ends, test_err()));
    assert_false(waits(ends[0]));
    assert_false(es_fd_drain(ends[0]));
    for (int i = 0; i < 200000; i++) /* more than there is room for */
        es_pipe_wake(ends, i);
    assert_true(waits(ends[0]));
    assert_true(es_fd_drain(ends[0]));
    assert_false(waits(ends[0]));
    es_pipe_close(ends);
    assert_int_equal(ends[0], -1);
    es_pipe_close(ends);
}

TEST(pipe__rest__ends_by_time_by_news_or_by_a_stop) {
    int stop[2], news[2];
    assert_ok(es_pipe_open(stop, test_err()));
    assert_ok(es_pipe_open(news, test_err()));
    assert_true(es_pipe_rest(stop, news[0], 0.001));
    es_pipe_wake(news, 0);
    assert_true(es_pipe_rest(stop, news[0], -1));
    assert_false(waits(news[0]));
    es_pipe_wake(news, 0);
    assert_true(es_pipe_rest(stop, news[0], 0)); /* for a time: news wait */
    assert_true(waits(news[0]));
    es_pipe_wake(stop, 0);
    assert_false(es_pipe_rest(stop, -1, -1));
    assert_false(es_pipe_rest(stop, news[0], 1));
    es_pipe_close(stop);
    es_pipe_close(news);
}
