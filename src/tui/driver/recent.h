/* Pools that were opened lately, newest first: a line each in the file "recent" of the user's state
 * folder. */
#ifndef ES_TUI_RECENT_H
#define ES_TUI_RECENT_H

#include "driver_state.h"

/** Put the pool of this session first, and tell the app of the others. Without a word where nothing
 *  can be kept. */
void es_recent_note(es_driver *driver);

#endif
