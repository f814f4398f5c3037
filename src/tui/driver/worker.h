/* Runs commands of the program in a thread of its own, one at a time: for a sheet, to write a file,
 * to estimate beside the session that is shown. */
#ifndef ES_TUI_WORKER_H
#define ES_TUI_WORKER_H

#include <stdbool.h>

#include "explorer.h"
#include "sheet.h"
#include "base.h"

typedef struct es_worker {
    struct es_worker_job *now; /* under way; NULL: nothing is */
    es_words next;             /* asked for meanwhile; empty: nothing */
    const es_explorer_commands *how;
    bool sheets; /* what is printed is taken in as a sheet; else it is dropped */
    int fd;      /* readable when the one under way has ended; -1: nothing is under way */
} es_worker;

/** how: NULL where commands cannot be run. */
void es_worker_init(es_worker *worker, const es_explorer_commands *how, bool sheets);
/** Begins a command line, which is taken. It cancels the one under way. */
es_status es_worker_ask(es_worker *worker, es_words *words, es_error *err);
bool es_worker_busy(const es_worker *worker);
/** Returns true when the newest request has just ended: then err->code is its status, with its
 * message, and *sheet (the caller's) its sheet where it succeeded. */
bool es_worker_step(es_worker *worker, es_sheet **sheet, es_error *err);
/** Returns how far an estimation under way is; "" while it says nothing. */
const char *es_worker_says(const es_worker *worker, es_run_view *room);
/** Cancels what is under way; es_worker_step reports the end. */
void es_worker_stop(es_worker *worker);
/** Waits for what is under way, `seconds` at most; then cancels it and waits for its end. */
void es_worker_close(es_worker *worker, double seconds);

#endif
