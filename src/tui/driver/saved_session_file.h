/* What lasts: reads the session of a pool when the explorer opens, and writes it when nobody has
 * typed for a while and when it ends, so that no key waits for a disk. */
#ifndef ES_TUI_SAVED_SESSION_FILE_H
#define ES_TUI_SAVED_SESSION_FILE_H

#include "driver_state.h"

/** Go on where the last session ended, as the options say; the caller carries out the effects. What
 *  cannot be read or written is said in one notice, and everything else works on. driver->quit: the
 *  pool is to be opened again with the scores that the session names. */
void es_saved_open(es_driver *driver, es_effects *effects);
/** When the pool has been checked: load the measures of the last session, as far as they are
 * stored. True: all are there, the app is to be told and then es_saved_measured called. */
bool es_saved_measures(es_driver *driver);
/** Go on where that session ended, now that its measures are there. */
void es_saved_measured(es_driver *driver, es_effects *effects);
/** Leave it to who opens the pool again (options->next), where no file keeps it. */
void es_saved_hand_over(es_driver *driver);
/** Write it all, as a whole or not at all: at the end, before the program is suspended, and from
 *  es_driver_tick. Problems go to the log. */
void es_saved_save(es_driver *driver);
void es_saved_save_now(es_driver *driver); /* because the user asked; says how it went */
void es_saved_close(es_driver *driver);

#endif
