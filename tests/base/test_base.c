/* Errors, allocation, buffers, cancel tokens, the log, the clock, the processor. */
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"
#include "base.h"
#include "embedscope/status.h"

TEST(error__set__cleans_and_cuts) {
    es_error err;
    assert_int_equal(es_fail(&err, ES_EFORMAT, "%s: row %d", "a\x1b.npy", 7), ES_EFORMAT);
    assert_int_equal(err.code, ES_EFORMAT);
    assert_string_equal(err.message, "a\xEF\xBF\xBD.npy: row 7");
    char longer[2000];
    for (size_t i = 0; i + 1 < sizeof longer; i++)
        longer[i] = "\xE4\xB8\xAD"[i % 3]; /* 中 */
    longer[sizeof longer - 1] = '\0';
    es_error_set(&err, ES_EIO, "%s", longer);
    assert_int_equal(strlen(err.message), 1023); /* 341 whole characters */
    es_error_set(NULL, ES_EIO, "nobody listens");
}

TEST(error__prefix__keeps_the_code) {
    es_error err;
    es_error_set(&err, ES_ENOTFOUND, "no such model");
    es_error_prefix(&err, "pool.json");
    assert_string_equal(err.message, "pool.json: no such model");
    assert_int_equal(err.code, ES_ENOTFOUND);
    es_error_prefix(NULL, "x");
}

TEST(status__name__knows_all) {
    for (int i = 0; i < ES_STATUS_COUNT; i++)
        assert_string_not_equal(es_status_name((es_status)i), "unknown status");
    assert_string_equal(es_status_name((es_status)-3), "unknown status");
    assert_string_equal(es_status_name(ES_STATUS_COUNT), "unknown status");
}

TEST(alloc__product__refuses_overflow) {
    assert_null(es_alloc(SIZE_MAX / 2, 4));
    assert_null(es_alloc_zero(SIZE_MAX, SIZE_MAX));
    assert_null(es_alloc_aligned(SIZE_MAX / 8 + 1, 8));
    void *empty = es_alloc(0, 8);
    assert_non_null(empty);
    es_free(empty);
    es_free(NULL);
}

TEST(alloc__aligned__is_aligned) {
    for (size_t n = 1; n < 300; n += 37) {
        float *x = es_alloc_aligned(n, sizeof *x);
        assert_non_null(x);
        assert_int_equal((uintptr_t)x % 64, 0);
        es_free(x);
    }
    char *zero = es_alloc_zero(100, 1);
    assert_non_null(zero);
    for (int i = 0; i < 100; i++)
        assert_int_equal(zero[i], 0);
    es_free(zero);
}

TEST(alloc__fault_hook__fails_once) {
    es_alloc_fail_after(2);
    unsigned long before = es_alloc_count();
    void *a = es_alloc(1, 1), *b = es_alloc_zero(1, 1), *c = es_alloc_aligned(1, 1);
    void *d = es_realloc(NULL, 4, 1);
    assert_non_null(a);
    assert_non_null(b);
    assert_null(c);
    assert_non_null(d);
    assert_int_equal(es_alloc_count() - before, 4);
    es_alloc_fail_after(0);
    assert_null(es_realloc(d, 8, 1)); /* d stays valid */
    es_alloc_fail_after(0);
    es_alloc_fail_after(-1);
    char *e = es_strndup("abcdef", 3);
    assert_string_equal(e, "abc");
    es_alloc_fail_after(0);
    assert_null(es_strdup("x"));
    es_free(a);
    es_free(b);
    es_free(d);
    es_free(e);
}

/* A line that is shown stays one line, and no byte of a name steers the terminal. */
TEST(buf__put_shell__quotes_what_a_shell_would_read) {
    static const char *const cases[][2] = {
        {"pool/a-b", "pool/a-b"},     {"", "''"},
        {"two words", "'two words'"}, {"it's", "'it'\\''s'"},
        {"a\nb", "$'a\\012b'"},       {"\033[2J'\\\x7f", "$'\\033[2J\\'\\\\\\177'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_buf buf = {0};
        es_buf_put_shell(&buf, cases[i][0]);
        assert_string_equal(buf.data, cases[i][1]);
        es_buf_free(&buf);
    }
}

TEST(buf__grows__and_stays_terminated) {
    es_buf buf = {0};
    for (int i = 0; i < 1000; i++)
        es_buf_printf(&buf, "%d,", i % 10);
    assert_int_equal(buf.length, 2000);
    assert_int_equal(strlen(buf.data), 2000);
    es_buf_clear(&buf);
    assert_string_equal(buf.data, "");
    es_buf_puts(&buf, "ab");
    es_buf_putc(&buf, 'c');
    es_buf_add(&buf, "\0d", 2);
    assert_memory_equal(buf.data, "abc\0d", 6);
    assert_ok(es_buf_check(&buf, NULL));
    es_buf_free(&buf);
    assert_null(buf.data);
}

TEST(buf__out_of_memory__is_reported_at_the_end) {
    es_buf buf = {0};
    es_buf_puts(&buf, "kept");
    es_alloc_fail_after(0);
    for (int i = 0; i < 100; i++)
        es_buf_puts(&buf, "0123456789");
    es_alloc_fail_after(-1);
    assert_true(buf.failed);
    assert_int_equal(es_buf_check(&buf, test_err()), ES_ENOMEM);
    assert_memory_equal(buf.data, "kept", 4);
    es_buf_free(&buf);
}

static void check_double(double value, const char *expected) {
    es_buf buf = {0};
    es_buf_put_double(&buf, value);
    assert_string_equal(buf.data, expected);
    es_buf_free(&buf);
}

TEST(buf__take__hands_over_what_was_put) {
    es_buf buf = {0};
    assert_null(es_buf_take(&buf));
    es_buf_puts(&buf, "ab");
    char *text = es_buf_take(&buf);
    assert_string_equal(text, "ab");
    assert_null(buf.data);
    es_free(text);
    es_alloc_fail_after(0);
    es_buf_puts(&buf, "ab");
    assert_null(es_buf_take(&buf));
    assert_false(buf.failed);
}

/* An allocation that fails leaves what was there; NULL is behind the last. */
TEST(words__take__keeps_the_rest_without_memory) {
    es_words words = {0};
    assert_ok(es_words_add(&words, "a", NULL));
    for (long k = 0; k < 2; k++) {
        es_alloc_fail_after(k);
        assert_int_equal(es_words_add(&words, "b", NULL), ES_ENOMEM);
        assert_int_equal(words.count, 1);
        assert_null(words.word[1]);
    }
    assert_ok(es_words_take(&words, es_strdup("b c"), NULL));
    es_buf line = {0};
    es_words_put(&words, &line);
    assert_string_equal(line.data, "a 'b c'");
    es_buf_free(&line);
    es_words_deinit(&words);
    assert_int_equal(words.count, 0);
}

TEST(buf__put_double__is_short) {
    check_double(0.0, "0");
    check_double(-0.0, "-0");
    check_double(0.1, "0.1");
    check_double(1.0 / 3.0, "0.3333333333333333");
    check_double(0.1 + 0.2, "0.30000000000000004");
    check_double(1e300, "1e+300");
    check_double(-1234.5, "-1234.5");
    check_double((double)NAN, "nan");
    check_double((double)-INFINITY, "-inf");
    check_double((double)INFINITY, "inf");
}

TEST(buf__put_double__reads_back) {
    es_rng rng = test_rng(9, 9);
    es_buf buf = {0};
    for (int i = 0; i < 50000; i++) {
        uint64_t bits = es_rng_u64(&rng);
        double x = 0;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x))
            continue;
        es_buf_clear(&buf);
        es_buf_put_double(&buf, x);
        double back = strtod(buf.data, NULL);
        assert_memory_equal(&back, &x, sizeof x);
    }
    es_buf_free(&buf);
}

TEST(buf__put_double__ignores_the_locale) {
    static const char *const comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    bool set = false;
    for (size_t i = 0; i < sizeof comma / sizeof *comma && !set; i++)
        set = setlocale(LC_NUMERIC, comma[i]) != NULL;
    if (!set)
        skip(); /* no locale with a decimal comma on this machine */
    check_double(0.5, "0.5");
    check_double(1.0 / 3.0, "0.3333333333333333");
    double value = 0;
    assert_true(es_text_parse_double("123456789.123456789e-30", 23, &value));
    (void)setlocale(LC_NUMERIC, "C");
    assert_true(value == strtod("123456789.123456789e-30", NULL));
    (void)setlocale(LC_NUMERIC, "C");
}

TEST(run__cancel__is_seen) {
    es_run run;
    es_run_init(&run);
    assert_ok(es_run_check(&run, test_err()));
    es_run_progress(&run, 3, 10);
    assert_int_equal(atomic_load(&run.done), 3);
    assert_int_equal(atomic_load(&run.total), 10);
    for (int i = 0; i < ES_RUN_TRACE + 2; i++)
        es_run_trace(&run, i);
    assert_int_equal(atomic_load(&run.traced), ES_RUN_TRACE + 2);
    assert_true(atomic_load(&run.trace[1]) == (float)(ES_RUN_TRACE + 1));
    es_run_view view;
    es_buf text = {0};
    es_run_look(&run, &view);
    assert_null(view.doing);
    es_run_view_put(&view, &text);
    assert_int_equal(text.length, 0);
    es_run_begin(&run, "pool/a\x1b.csv", "counting its rows");
    es_run_bytes(&run, (size_t)3 << 40, (size_t)12 << 40); /* more than an unsigned has of bytes */
    es_run_begin(&run, NULL, "reading its values");
    es_run_look(&run, &view);
    assert_int_equal(view.total, 0); /* it is begun anew */
    es_run_bytes(&run, 3 << 20, 12 << 20);
    es_run_look(&run, &view);
    es_run_view_put(&view, &text);
    assert_string_equal(text.data, "pool/a\xEF\xBF\xBD.csv: reading its values, 25 %");
    es_buf_free(&text);
    es_run_cancel(&run);
    assert_int_equal(es_run_check(&run, test_err()), ES_ECANCELED);
    assert_ok(es_run_check(NULL, test_err()));
    es_run_cancel(NULL);
    es_run_progress(NULL, 1, 1);
    es_run_trace(NULL, 1.0);
}

TEST(log__ring__keeps_the_last_256) {
    es_log *log = NULL;
    char text[600];
    assert_ok(es_log_open(NULL, ES_LOG_INFO, &log, NULL));
    assert_null(es_log_path(log));
    es_log_write(log, ES_LOG_DEBUG, "below the level");
    assert_int_equal(es_log_count(log), 0);
    for (int i = 0; i < 300; i++)
        es_log_write(log, i % 2 ? ES_LOG_WARN : ES_LOG_INFO, "line %d\x1b", i);
    assert_int_equal(es_log_count(log), 300);
    assert_int_equal(es_log_line(log, 43, text, sizeof text), -1);
    assert_int_equal(es_log_line(log, 300, text, sizeof text), -1);
    assert_int_equal(es_log_line(log, 44, text, sizeof text), ES_LOG_INFO);
    assert_string_equal(text + 9, "info line 44\xEF\xBF\xBD");
    assert_int_equal(es_log_line(log, 299, text, 12), ES_LOG_WARN);
    assert_int_equal(strlen(text), 11);
    es_log_close(log);
    es_log_close(NULL);
    es_log_write(NULL, ES_LOG_ERROR, "nowhere");
}

TEST(log__file__gets_lines_and_refuses_links) {
    const char *base = getenv("TMPDIR");
    char dir[200], path[240], link_path[240], content[200] = {0};
    (void)snprintf(dir, sizeof dir, "%s/embedscope-log-XXXXXX", base ? base : ".");
    assert_non_null(mkdtemp(dir));
    (void)snprintf(path, sizeof path, "%s/a.log", dir);
    (void)snprintf(link_path, sizeof link_path, "%s/b.log", dir);
    es_log *log = NULL;
    assert_ok(es_log_open(path, ES_LOG_DEBUG, &log, test_err()));
    assert_string_equal(es_log_path(log), path);
    es_log_write(log, ES_LOG_ERROR, "one\ntwo");
    es_log_close(log);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(content, 1, sizeof content - 1, file) > 0);
    (void)fclose(file);
    assert_string_equal(content + 8, " error one\xEF\xBF\xBDtwo\n");
    assert_int_equal(symlink(path, link_path), 0);
    log = NULL;
    assert_int_equal(es_log_open(link_path, ES_LOG_DEBUG, &log, test_err()), ES_EIO);
    assert_null(log);
    assert_contains(test_message(), "b.log");
    assert_int_equal(es_log_open(dir, ES_LOG_DEBUG, &log, test_err()), ES_EIO);
    (void)unlink(path);
    (void)unlink(link_path);
    (void)rmdir(dir);
}

TEST(log__open__survives_every_failed_allocation) {
    for (long k = 0;; k++) {
        es_log *log = NULL;
        es_alloc_fail_after(k);
        es_status st = es_log_open("/dev/null/nothing", ES_LOG_INFO, &log, NULL);
        es_alloc_fail_after(-1);
        assert_null(log);
        if (st == ES_EIO)
            break;
        assert_int_equal(st, ES_ENOMEM);
    }
}

TEST(clock__now__never_goes_back) {
    double last = es_clock_now();
    for (int i = 0; i < 1000; i++) {
        double now = es_clock_now();
        assert_true(now >= last);
        last = now;
    }
}

TEST(cpu__detect__names_something) {
    es_cpu cpu;
    es_cpu_detect(&cpu);
    assert_true(strlen(cpu.name) > 0);
    assert_true(cpu.cores >= 1);
    if (cpu.avx512_bf16)
        assert_true(cpu.avx512);
}

TEST(cpu__flush_denormals__makes_subnormals_zero) {
#if defined(__x86_64__)
    volatile float tiny = 1e-38f;
    assert_true(tiny * 0.1f != 0.0f);
    es_cpu_flush_denormals();
    assert_true(tiny * 0.1f == 0.0f);
    volatile double small = 1e-308;
    assert_true(small * 0.1 == 0.0);
#else
    es_cpu_flush_denormals();
#endif
}
