/* Copies a text to where the user can paste it: tmux's buffer, the terminal by OSC 52, else a
 * file. */
#include "tui_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io_files.h"
#include "engine_place.h"

static const double PATIENCE = 0.5; /* seconds for tmux to answer */

char *es_clipboard_osc52(const char *text, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    es_buf out = {0};
    if ((length + 2) / 3 * 4 > ES_CLIPBOARD_OSC52_MAX)
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

/* The text console and hardware terminals print such a sequence instead of obeying it; GNU screen
 * keeps it to itself. */
static bool copy_by_terminal(es_term *term, const char *text, size_t length) {
    const char *name = getenv("TERM"), *screen = getenv("STY");
    if (!term || !name || strncmp(name, "linux", 5) == 0 || strncmp(name, "vt", 2) == 0 ||
        (screen && screen[0]))
        return false;
    char *sequence = es_clipboard_osc52(text, length);
    bool sent = sequence && sequence[0];
    if (sent)
        es_term_send(term, sequence, strlen(sequence));
    es_free(sequence);
    return sent;
}

/* Where the file goes: the session's own folder, which only its user can read; else the user's
 * state folder. */
static es_status yank_path(char **out, es_error *err) {
    es_status st = ES_OK;
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    char *folder = NULL, *path = NULL;
    if (runtime && runtime[0] == '/') {
        path = es_path_join(runtime, "embedscope-yank");
    } else {
        ES_TRY(es_path_user(ES_USER_STATE, &folder, err));
        ES_TRY(es_dir_make(folder, err));
        path = es_path_join(folder, "yank");
    }
    if (!path)
        st = es_no_memory(err);
    else
        *out = path;
done:
    es_free(folder);
    return st;
}

static bool write_all(int fd, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        ssize_t n = write(fd, text + at, length - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

static es_status copy_to_file(const char *text, size_t length, char said[256], es_error *err) {
    char *path = NULL, label[ES_PATH_LABEL];
    es_status st = yank_path(&path, err);
    if (st != ES_OK)
        return st;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write_all(fd, text, length);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && written) {
        why = errno;
        written = false;
    }
    es_path_label(label, path);
    if (written)
        snprintf(said, 256, "Copied into the file %.230s", label);
    else
        st = es_fail(err, ES_EIO, "%s: %s", label, strerror(why));
    es_free(path);
    return st;
}

es_status es_clipboard_copy(es_term *term, const char *text, char said[256], es_error *err) {
    size_t length = strlen(text);
    if (term && copy_by_tmux(text, length))
        snprintf(said, 256, "Copied %zu bytes to the tmux buffer (tmux show-buffer)", length);
    else if (copy_by_terminal(term, text, length))
        snprintf(said, 256, "Copied %zu bytes through the terminal (OSC 52)", length);
    else
        return copy_to_file(text, length, said, err);
    return ES_OK;
}
