#include "clip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "embedscope/alloc.h"
#include "embedscope/buf.h"

static const double PATIENCE = 0.5; /* seconds for tmux to answer */

char *es_clip_osc52(const char *text, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    es_buf out = {0};
    if ((length + 2) / 3 * 4 > ES_CLIP_OSC52_MAX)
        return es_strdup("");
    es_buf_puts(&out, "\033]52;c;");
    for (size_t i = 0; i < length; i += 3) {
        unsigned bits = (unsigned)(unsigned char)text[i] << 16;
        if (i + 1 < length)
            bits |= (unsigned)(unsigned char)text[i + 1] << 8;
        if (i + 2 < length)
            bits |= (unsigned char)text[i + 2];
        es_buf_putc(&out, digits[bits >> 18]);
        es_buf_putc(&out, digits[bits >> 12 & 63]);
        es_buf_putc(&out, i + 1 < length ? digits[bits >> 6 & 63] : '=');
        es_buf_putc(&out, i + 2 < length ? digits[bits & 63] : '=');
    }
    es_buf_puts(&out, "\a");
    if (!out.failed)
        return out.data;
    es_buf_free(&out);
    return NULL;
}

static bool copy_by_tmux(const char *text, size_t length) {
    static const char *const outer[] = {"tmux", "load-buffer", "-w", "-", NULL};
    static const char *const inner[] = {"tmux", "load-buffer", "-", NULL}; /* before tmux 3.2 */
    const char *inside = getenv("TMUX");
    if (!inside || !inside[0])
        return false;
    return es_spawn(outer, text, length, NULL, 0, PATIENCE) ||
           es_spawn(inner, text, length, NULL, 0, PATIENCE);
}

/* The text console and hardware terminals print such a sequence instead of obeying it. */
static bool copy_by_terminal(es_term *term, const char *text, size_t length) {
    const char *name = getenv("TERM");
    if (!term || !name || strncmp(name, "linux", 5) == 0 || strncmp(name, "vt", 2) == 0)
        return false;
    char *sequence = es_clip_osc52(text, length);
    bool sent = sequence && sequence[0];
    if (sent)
        es_term_send(term, sequence, strlen(sequence));
    es_free(sequence);
    return sent;
}

static es_status copy_to_file(const char *text, size_t length, char said[256], es_error *err) {
    char path[200];
    const char *dir = getenv("XDG_RUNTIME_DIR");
    if (!dir || dir[0] != '/')
        return es_fail(err, ES_EUNSUPPORTED,
                       "no way to copy: not in tmux, a terminal without clipboard, and "
                       "XDG_RUNTIME_DIR is not set");
    if (snprintf(path, sizeof path, "%s/embedscope-yank", dir) >= (int)sizeof path)
        return es_fail(err, ES_EINVAL, "XDG_RUNTIME_DIR is too long");
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool written = fd >= 0;
    for (size_t at = 0; written && at < length;) {
        ssize_t n = write(fd, text + at, length - at);
        if (n < 0 && errno == EINTR)
            continue;
        written = n > 0;
        at += n > 0 ? (size_t)n : 0;
    }
    es_status st = ES_OK;
    if (!written)
        st = es_fail(err, ES_EIO, "%s: %s", path, strerror(errno));
    else
        snprintf(said, 256, "Copied into the file %s", path);
    if (fd >= 0)
        close(fd);
    return st;
}

es_status es_clip_copy(es_term *term, const char *text, char said[256], es_error *err) {
    size_t length = strlen(text);
    if (term && copy_by_tmux(text, length))
        snprintf(said, 256, "Copied %zu bytes to the tmux buffer (tmux show-buffer)", length);
    else if (copy_by_terminal(term, text, length))
        snprintf(said, 256, "Copied %zu bytes through the terminal (OSC 52)", length);
    else
        return copy_to_file(text, length, said, err);
    return ES_OK;
}
