/* What benchmarks print: rows of one table, or a JSON object a line for comparing commits. */
#ifndef ES_BENCH_REPORT_H
#define ES_BENCH_REPORT_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool report_json;

/* Takes --json and --no-header out of the arguments; returns how many are left. */
static int report_begin(int argc, char **argv) {
    bool header = true;
    int kept = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            report_json = true;
        else if (strcmp(argv[i], "--no-header") == 0)
            header = false;
        else
            argv[kept++] = argv[i];
    }
    argv[kept] = NULL;
    if (header && !report_json)
        printf("%-9s %-34s %10s %8s %6s  %s\n", "bench", "case", "ms", "GFLOP/s", "peak", "more");
    return kept;
}

/* "rows=6000 blas=Zen" as members of an object: numbers where they are some. */
static void report_members(const char *more) {
    for (const char *at = more; *at;) {
        size_t length = strcspn(at, " "), key = strcspn(at, "=");
        const char *value = at + key + 1;
        size_t room = length > key ? length - key - 1 : 0;
        bool number = room > 0 && strspn(value, "0123456789.+-e") >= room;
        printf(",\"%.*s\":%s%.*s%s", (int)key, at, number ? "" : "\"", (int)room, value,
               number ? "" : "\"");
        at += length + (at[length] == ' ');
    }
}

/* One result. rate and share (of the sgemm peak) may be NAN; `format` makes "key=value key=value".
 */
__attribute__((format(printf, 6, 7))) static void report(const char *bench, const char *what,
                                                         double seconds, double rate, double share,
                                                         const char *format, ...) {
    char more[256], gflops[16] = "", peak[16] = "";
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(more, sizeof more, format, arguments);
    va_end(arguments);
    if (report_json) {
        printf("{\"bench\":\"%s\",\"case\":\"%s\",\"seconds\":%.6g", bench, what, seconds);
        if (isfinite(rate))
            printf(",\"gflops\":%.5g", rate);
        if (isfinite(share))
            printf(",\"share\":%.4g", share);
        report_members(more);
        printf("}\n");
    } else {
        if (isfinite(rate))
            (void)snprintf(gflops, sizeof gflops, "%.1f", rate);
        if (isfinite(share))
            (void)snprintf(peak, sizeof peak, "%.0f %%", 100 * share);
        printf("%-9s %-34s %10.3f %8s %6s  %s\n", bench, what, 1e3 * seconds, gflops, peak, more);
    }
    fflush(stdout);
}

#endif
