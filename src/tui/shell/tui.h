/* The explorer on a terminal. */
#ifndef ES_TUI_TUI_H
#define ES_TUI_TUI_H

#include "explorer.h"
#include "engine_session.h"

/** Run until the user quits; returns the exit code (0, or 130 after an interrupt). The terminal is
 *  restored on every way out, fatal signals included. ES_EUNSUPPORTED: no usable terminal. */
es_status es_tui_run(es_session *session, const es_explorer *options, int *exit_code,
                     es_error *err);

/** Before there is a session: the pool's name and how far it is read, until it is open. *left: q,
 *  Esc or Ctrl-C was pressed, or the terminal has gone. ES_EUNSUPPORTED: no usable terminal. */
es_status es_tui_wait(const es_explorer_wait *wait, bool *left, es_error *err);

/* The explorer in lines instead of on a screen: for screen readers, dumb terminals and pipes. The
 * same app behind it; commands are read as lines, and each change is reported in a line. */

/** es_tui_run for options->plain: reads stdin until "quit" or its end; when it ends while a run is
 *  on, the run is finished first. Prints no escape sequence. */
es_status es_plain_run(es_session *session, const es_explorer *options, int *exit_code,
                       es_error *err);

#endif
