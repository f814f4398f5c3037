#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double redraw_seconds = 0.2;
enum { STEP_PERCENT = 5 };

size_t es_duration_text(char *out, size_t capacity, double seconds) {
    int length = 0;
    if (!isfinite(seconds) || seconds < 0 || seconds > 1e8) {
        length = snprintf(out, capacity, "-");
    } else {
        unsigned long whole = (unsigned long)(seconds + 0.5);
        if (whole >= 3600)
            length = snprintf(out, capacity, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60,
                              whole % 60);
        else
            length = snprintf(out, capacity, "%lu:%02lu", whole / 60, whole % 60);
    }
    return length < 0 ? 0 : (size_t)length;
}

static unsigned percent_of(const es_progress *progress) {
    size_t over = progress->done + progress->failed;
    return progress->total ? (unsigned)(100 * over / progress->total) : 0;
}

size_t es_progress_text(char *out, size_t capacity, const es_progress *progress) {
    char eta[32];
    if (progress->total == 0) {
        int length = snprintf(out, capacity, "reading %zu/%zu embedders", progress->checked,
                              progress->to_check);
        return length < 0 ? 0 : (size_t)length;
    }
    (void)es_duration_text(eta, sizeof eta, progress->eta);
    char failed[40] = "";
    if (progress->failed > 0)
        (void)snprintf(failed, sizeof failed, ", %zu failed", progress->failed);
    int length = snprintf(out, capacity, "%zu/%zu pairs, %u %%, %.1f pairs/s, ETA %s%s",
                          progress->done + progress->failed, progress->total, percent_of(progress),
                          isfinite(progress->rate) ? progress->rate : 0.0, eta, failed);
    return length < 0 ? 0 : (size_t)length;
}

void es_progress_line_init(es_progress_line *line, bool quiet) {
    *line = (es_progress_line){
        .quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1, .drawn = (double)-INFINITY};
}

static void redraw(es_progress_line *line, const es_progress *progress) {
    char text[200];
    struct winsize size = {0};
    (void)es_progress_text(text, sizeof text, progress);
    /* a line that wraps could not be redrawn */
    int most =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
    (void)fprintf(stderr, "\r%.*s\033[K", most, text);
    (void)fflush(stderr);
    line->on_screen = true;
}

void es_progress_line_update(es_progress_line *line, const es_session *session, double now) {
    es_progress progress;
    if (line->quiet)
        return;
    es_session_progress(session, &progress);
    bool checking = es_session_phase(session) == ES_PHASE_CHECKING;
    if (checking)
        progress.total = 0; /* what is stored is not known yet */
    if (line->terminal) {
        if (now - line->drawn >= redraw_seconds) {
            line->drawn = now;
            redraw(line, &progress);
        }
        return;
    }
    if (checking)
        return;
    unsigned percent = percent_of(&progress) / STEP_PERCENT * STEP_PERCENT;
    if (percent > line->shown) {
        char text[200];
        line->shown = percent;
        (void)es_progress_text(text, sizeof text, &progress);
        (void)fprintf(stderr, "embedscope: %s\n", text);
    }
}

void es_progress_line_clear(es_progress_line *line) {
    if (line->on_screen)
        (void)fputs("\r\033[K", stderr);
    line->on_screen = false;
}
