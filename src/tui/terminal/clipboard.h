/* Copying to the clipboard, from wherever the program runs. */
#ifndef ES_TUI_CLIPBOARD_H
#define ES_TUI_CLIPBOARD_H

#include "embedscope/status.h"
#include "terminal.h"

enum { ES_CLIPBOARD_OSC52_MAX = 74994 }; /* what terminals accept at least, in base64 */

/** Copy a text: inside tmux into its buffer and, where tmux may, on to the outer terminal; else by
 * the terminal (OSC 52); else into a file. *said: one line that tells where it went. `term` may be
 * NULL: a file then. */
es_status es_clipboard_copy(es_term *term, const char *text, char said[256], es_error *err);

/** The OSC 52 sequence of a text, "" when it is too long. Free with es_free; NULL: out of memory.
 */
char *es_clipboard_osc52(const char *text, size_t length);

#endif
