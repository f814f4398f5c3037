/* What lasts: reads the session of a pool when the explorer opens, and writes it when nobody has
 * typed for a while and when it ends, so that no key waits for a disk. */
#ifndef ES_TUI_SAVED_SESSION_H
#define ES_TUI_SAVED_SESSION_H

#include "driver.h"

/** The settings of the configuration file and the keys of the user's own. A file of keys that was
 *  asked for must be there. */
es_status es_saved_configure(es_driver *driver, es_error *err);
/** Put one line into the configuration file or the file of keys, because the user asked to; the
 *  rest of the file stays as it is. */
void es_saved_line(es_driver *driver, es_save what, const char *line);

/** Run the commands of a file. */
void es_saved_source(es_driver *driver, const char *path);

/** Go on where the last session ended, as the options say. What cannot be read or written is said
 *  in one notice, and everything else works on. driver->quit: the pool is to be opened again with
 *  the scores that the session names. */
void es_saved_open(es_driver *driver);
/** When the pool has been checked: the measures of the last session, as far as they are stored. */
void es_saved_measures(es_driver *driver);
/** Leave it to who opens the pool again, where no file keeps it. */
void es_saved_hand_over(es_driver *driver);
/** Write it all, as a whole or not at all: at the end, before the program is suspended, and from
 *  es_driver_tick. Problems go to the log. */
void es_saved_save(es_driver *driver);
void es_saved_now(es_driver *driver); /* because the user asked; says how it went */
void es_saved_close(es_driver *driver);

#endif
