/* What the progress line says. */
#include "testing.h"
#include "cli_session.h"

static void check_duration(double seconds, const char *expected) {
    char text[32];
    (void)es_duration_text(text, sizeof text, seconds);
    assert_string_equal(text, expected);
}

TEST(progress__duration__is_readable) {
    check_duration(0, "0:00");
    check_duration(5.4, "0:05");
    check_duration(59.6, "1:00");
    check_duration(754, "12:34");
    check_duration(3 * 3600 + 25 * 60 + 45, "3:25:45");
    check_duration((double)NAN, "-");
    check_duration((double)INFINITY, "-");
    check_duration(-1, "-");
}

static void check_text(const es_progress *progress, const char *expected) {
    char text[200];
    (void)es_progress_text(text, sizeof text, progress);
    assert_string_equal(text, expected);
}

TEST(progress__text__counts_what_is_over) {
    es_progress p = {.checked = 3, .to_check = 14};
    check_text(&p, "reading 3/14 matrices");
    p = (es_progress){.total = 196, .done = 10, .rate = 12.34, .eta = 15.1};
    check_text(&p, "10/196 pairs, 5 %, 12.3 pairs/s, ETA 0:15");
    p = (es_progress){
        .total = 196, .done = 194, .failed = 1, .rate = (double)NAN, .eta = (double)NAN};
    check_text(&p, "195/196 pairs, 99 %, 0.0 pairs/s, ETA -, 1 failed");
    p = (es_progress){.total = 196, .done = 98, .elsewhere = 12, .rate = 2, .eta = 49};
    check_text(&p, "98/196 pairs, 50 %, 2.0 pairs/s, ETA 0:49, 12 by other processes");
    p = (es_progress){.total = 196, .done = 98, .rate = 2, .eta = 49, .waits = 3.4};
    check_text(&p, "waiting 3 s for the store, which another process holds; 98/196 pairs, 50 %, "
                   "2.0 pairs/s, ETA 0:49");
    p = (es_progress){.total = 196, .done = 196};
    check_text(&p, "196/196 pairs, 100 %, 0.0 pairs/s, ETA 0:00");
}
