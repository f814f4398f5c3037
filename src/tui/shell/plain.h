/* The explorer in lines instead of on a screen: for screen readers, dumb terminals and pipes. The
 * same app behind it; commands are read as lines, and what changes is said in one line each. */
#ifndef ES_TUI_PLAIN_H
#define ES_TUI_PLAIN_H

#include "tui.h"

/** es_tui_run for options->plain: reads stdin until "quit" or its end; when it ends while a run is
 *  on, the run is finished first. Prints no escape sequence. */
es_status es_plain_run(es_session *session, const es_explorer *options, int *exit_code,
                       es_error *err);

#endif
