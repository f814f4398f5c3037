/* Gives the terminal back on every way out: a crash in any thread, abort(), exit(), a sanitizer's
 * report. One terminal at a time. Nothing here needs ncurses, which may not be called from a signal
 * handler. */
#ifndef ES_TUI_GUARD_H
#define ES_TUI_GUARD_H

#include <stddef.h>
#include <termios.h>

typedef struct es_guard {
    int tty;                     /* where the reset goes */
    int report;                  /* the user's stderr, for the last words; -1: none */
    int log;                     /* where the backtrace goes; -1: nowhere */
    const struct termios *modes; /* of the terminal before the program changed them */
    const char *reset;           /* bytes that undo what was switched on */
    const char *log_path;        /* named in the last words; NULL: none */
} es_guard;

/** Copies everything (a reset is cut to 512 bytes) and installs handlers for SEGV, BUS, FPE, ILL,
 *  ABRT, SYS and TRAP. The handlers restore the terminal and die of the same signal. */
void es_guard_arm(const es_guard *guard);
/** The terminal is in order again; handlers stay installed and do nothing but die. */
void es_guard_disarm(void);
/** After a request to end (SIGTERM, SIGHUP): when the program has not ended after `seconds`,
 * restore the terminal and exit with 128 + signal. Finished results are in the store by then. */
void es_guard_deadline(unsigned seconds, int signal);

#endif
