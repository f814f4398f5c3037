/* While the explorer is up, a library that prints would destroy the screen: stderr is the log file.
 */
#ifndef ES_TUI_TERM_STDERR_H
#define ES_TUI_TERM_STDERR_H

typedef struct es_stderr {
    int user, log; /* the user's stderr; the file. -1: not open */
} es_stderr;

extern const es_stderr es_stderr_none;

/** Lead stderr to the end of this file; NULL, or one that cannot be opened: to nowhere. */
void es_stderr_redirect(es_stderr *aside, const char *path);
/** And back. */
void es_stderr_restore(es_stderr *aside);

#endif
