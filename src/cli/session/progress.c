/* The progress of an estimation on stderr: on a terminal one line that is redrawn four times a
 * second, else a line every 5 %. */
#include "cli_session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
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

static size_t reading_text(char *out, size_t capacity, const es_run_view *view) {
    es_buf text = {0};
    es_run_view_put(view, &text);
    int length = snprintf(out, capacity, "%s", text.data ? text.data : "");
    es_buf_free(&text);
    return length < 0 ? 0 : (size_t)length;
}

size_t es_progress_text(char *out, size_t capacity, const es_progress *progress) {
    char eta[32];
    if (progress->total == 0) {
        int length = snprintf(out, capacity, "reading %zu/%zu matrices", progress->checked,
                              progress->to_check);
        return length < 0 ? 0 : (size_t)length;
    }
    (void)es_duration_text(eta, sizeof eta, progress->eta);
    char failed[40] = "";
    if (progress->failed > 0)
        (void)snprintf(failed, sizeof failed, ", %zu failed", progress->failed);
    char elsewhere[60] = "";
    if (progress->elsewhere > 0)
        (void)snprintf(elsewhere, sizeof elsewhere, ", %zu by other processes",
                       progress->elsewhere);
    char waits[80] = "";
    if (progress->waits > 0)
        (void)snprintf(waits, sizeof waits,
                       "waiting %.0f s for the store, which another process holds; ",
                       progress->waits);
    int length = snprintf(out, capacity, "%s%zu/%zu pairs, %u %%, %.1f pairs/s, ETA %s%s%s", waits,
                          progress->done + progress->failed, progress->total, percent_of(progress),
                          isfinite(progress->rate) ? progress->rate : 0.0, eta, failed, elsewhere);
    return length < 0 ? 0 : (size_t)length;
}

/* Measures under way take the place of pairs. True when there are any. */
static bool measures_text(const es_session *session, char *out, size_t capacity,
                          unsigned *percent) {
    es_measure_progress p;
    es_session_measure_progress(session, &p);
    if (p.total == 0)
        return false;
    *percent = (unsigned)(100 * (p.done + p.failed) / p.total);
    char failed[40] = "";
    if (p.failed > 0)
        (void)snprintf(failed, sizeof failed, ", %zu failed", p.failed);
    (void)snprintf(out, capacity, "%zu/%zu values, %u %%%s", p.done + p.failed, p.total, *percent,
                   failed);
    return true;
}

/* So does training. */
static bool training_text(const es_session *session, char *out, size_t capacity,
                          unsigned *percent) {
    const es_cmim_live *live = es_session_training(session);
    if (!live)
        return false;
    unsigned step = live->step, steps = live->steps;
    *percent = steps > 0 ? (unsigned)(100ULL * step / steps) : 0;
    (void)snprintf(out, capacity,
                   "step %u/%u, loss of its batch %.3f (reconstruction %.3f, contrastive %.3f), "
                   "mean cosine %.3f",
                   step, steps, (double)live->loss, (double)live->reconstruction,
                   (double)live->contrastive, (double)live->cosine);
    return true;
}

void es_progress_line_init(es_progress_line *line, bool quiet) {
    *line = (es_progress_line){
        .quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1, .drawn = (double)-INFINITY};
}

static void redraw_line(es_progress_line *line, const char *text) {
    struct winsize size = {0};
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
    char text[200];
    unsigned percent = percent_of(&progress);
    bool told = !checking && (training_text(session, text, sizeof text, &percent) ||
                              measures_text(session, text, sizeof text, &percent));
    if (!told && !checking && es_session_deriving(session)) /* which estimates no pair */
        return;
    if (!told)
        (void)es_progress_text(text, sizeof text, &progress);
    es_run_view view;
    size_t length = strlen(text);
    if (checking && es_session_reading(session, &view) && length + 4 < sizeof text) {
        memcpy(text + length, "; ", 3);
        (void)reading_text(text + length + 2, sizeof text - length - 2, &view);
    }
    if (line->terminal) {
        if (now - line->drawn >= redraw_seconds) {
            line->drawn = now;
            redraw_line(line, text);
        }
        return;
    }
    if (checking)
        return;
    if (progress.waits > 0 && !line->waited)
        (void)fprintf(stderr, "embedscope: %s\n", text);
    line->waited = progress.waits > 0;
    percent = percent / STEP_PERCENT * STEP_PERCENT;
    if (percent > line->shown) {
        line->shown = percent;
        (void)fprintf(stderr, "embedscope: %s\n", text);
    }
}

void es_progress_line_reading(es_progress_line *line, const es_run_view *view, double now) {
    char text[200] = "reading ";
    if (line->quiet || !line->terminal || !view->doing || now - line->drawn < redraw_seconds)
        return;
    line->drawn = now;
    (void)reading_text(text + 8, sizeof text - 8, view);
    redraw_line(line, text);
}

void es_progress_line_clear(es_progress_line *line) {
    if (line->on_screen)
        (void)fputs("\r\033[K", stderr);
    line->on_screen = false;
}
