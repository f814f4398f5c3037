/* embedscope-script: the program with three options more, for tests and for recording sessions. Its
 * entry is the program's own; this stands between main and the command line.
 *
 *     --script FILE [--size WxH]   keys and commands from a file in place of a terminal (script.h)
 *     --trace FILE                 milliseconds from each key to the frame that shows it
 *     --check-theme FILE           a theme's contrasts, and what is wrong with it (theme_check.h)
 */
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "script.h"
#include "theme_check.h"

int __real_es_cli_main(int argc, char **argv, const es_cli_hooks *hooks);
int __wrap_es_cli_main(int argc, char **argv, const es_cli_hooks *hooks);
int __real_poll(struct pollfd *fds, nfds_t n, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout);
es_input __real_es_term_read(es_term *term);
es_input __wrap_es_term_read(es_term *term);
size_t __real_es_term_draw(es_term *term, const es_grid *grid);
size_t __wrap_es_term_draw(es_term *term, const es_grid *grid);

/* ---- from key to frame ---- */

static _Thread_local struct { /* of the thread that draws */
    FILE *out;                /* NULL: not asked for */
    double drained;           /* when there was last nothing more to read */
    double arrived;           /* when the next key can have come at the earliest */
    double from;              /* the same of the oldest key that is not shown */
    size_t pending;
} trace;

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout) {
    double before = es_clock_now();
    int ready = __real_poll(fds, n, timeout);
    double after = es_clock_now();
    /* if the wait ended at once, the key may have come while the last turn was at work */
    trace.arrived = after - before < 0.0005 && trace.drained > 0 ? trace.drained : after;
    return ready;
}

es_input __wrap_es_term_read(es_term *term) {
    es_input input = __real_es_term_read(term);
    if (input.kind == ES_INPUT_NONE)
        trace.drained = es_clock_now();
    else if (trace.pending++ == 0)
        trace.from = trace.arrived;
    return input;
}

size_t __wrap_es_term_draw(es_term *term, const es_grid *grid) {
    size_t bytes = __real_es_term_draw(term, grid);
    double ms = (es_clock_now() - trace.from) * 1e3;
    for (; trace.pending > 0; trace.pending--)
        if (trace.out)
            fprintf(trace.out, "%.3f\n", ms);
    if (trace.out)
        (void)fflush(trace.out); /* it can be read meanwhile */
    return bytes;
}

/* ---- options ---- */

static const char *script;
static int width = 120, height = 40;

/* Takes an option and its argument out of the command line, the last of several. NULL: it is not
 * there. */
static const char *take(int *argc, char **argv, const char *name) {
    const char *value = NULL;
    for (int i = 1; i + 1 < *argc;) {
        if (strcmp(argv[i], name) != 0) {
            i++;
            continue;
        }
        value = argv[i + 1];
        memmove(&argv[i], &argv[i + 2], (size_t)(*argc - i - 1) * sizeof *argv);
        *argc -= 2;
    }
    return value;
}

static es_status play(es_session *session, const es_explorer *explorer, int *exit_code,
                      es_error *err) {
    return es_script_main(session, explorer, script, width, height, exit_code, err);
}

static int check_theme(const char *theme, const char *theme_dir) {
    es_buf text = {0};
    es_error err = {0};
    size_t found = 0;
    int code = 3;
    if (es_theme_check_file(theme, theme_dir, &text, &found, &err) != ES_OK)
        fprintf(stderr, "%s\n", err.message);
    else if (fputs(text.data, stdout) >= 0 && found == 0)
        code = 0;
    es_buf_free(&text);
    return code;
}

int __wrap_es_cli_main(int argc, char **argv, const es_cli_hooks *hooks) {
    es_cli_hooks own = *hooks;
    const char *theme = take(&argc, argv, "--check-theme");
    const char *size = take(&argc, argv, "--size"), *path = take(&argc, argv, "--trace");
    if (theme)
        return check_theme(theme, take(&argc, argv, "--theme-dir"));
    if ((size && !es_script_size(size, &width, &height)) ||
        (path && !(trace.out = fopen(path, "w")))) {
        fprintf(stderr, "embedscope-script: %s: cannot be used\n", size ? size : path);
        return 2;
    }
    script = take(&argc, argv, "--script");
    own.scripted = script != NULL;
    if (script)
        own.explore = play;
    return __real_es_cli_main(argc, argv, &own);
}
