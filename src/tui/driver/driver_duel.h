/* Duels: questions found and answers counted by the session's workers, duels.csv, and the files of
 * rows shown by the user's own command. */
#ifndef ES_TUI_DRIVER_DUEL_H
#define ES_TUI_DRIVER_DUEL_H

#include "driver_state.h"

es_status es_driver_duel_ask(es_driver *driver, uint64_t tag, es_error *err);
es_status es_driver_duel_count(es_driver *driver, es_error *err);
/** line: "row,left,right,answer", which is added to duels.csv, or taken back. */
es_status es_driver_duel_say(es_driver *driver, const char *line, bool remove, es_error *err);
/** Runs `viewer` with the file of a row in the place of %s, as one word whatever it holds: no shell
 *  reads it. Does not wait for its end. */
es_status es_driver_show_row(es_driver *driver, size_t row, const char *viewer, es_error *err);
void es_driver_duel_close(es_driver *driver);

#endif
