/* Makes sheets in a thread of its own. Only the newest request counts: it cancels the one before.
 */
#ifndef ES_TUI_SHEET_MAKER_H
#define ES_TUI_SHEET_MAKER_H

#include <stdbool.h>

#include "explorer.h"
#include "sheet.h"
#include "words.h"

typedef struct es_sheet_maker {
    struct es_sheet_request *now; /* under way; NULL: nothing is */
    es_words next;                /* asked for meanwhile; empty: nothing */
    const es_explorer_sheets *how;
    int fd; /* readable when the one under way has ended; -1: nothing is under way */
} es_sheet_maker;

void es_sheet_maker_init(es_sheet_maker *maker, const es_explorer_sheets *how);
/** Begins the sheet of a command line, which is taken. */
es_status es_sheet_maker_ask(es_sheet_maker *maker, es_words *words, es_error *err);
/** True when the newest request has just ended: then *sheet is the caller's, or NULL with *err. */
bool es_sheet_maker_step(es_sheet_maker *maker, es_sheet **sheet, es_error *err);
/** Cancels, and waits for the thread. */
void es_sheet_maker_close(es_sheet_maker *maker);

#endif
