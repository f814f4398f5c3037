/* Opening a pool without silence: text files are gone through once to know their rows, which takes
 * long where they are large. */
#ifndef ES_CLI_OPENING_H
#define ES_CLI_OPENING_H

#include "command.h"
#include "session.h"
#include "embedscope/status.h"

/** es_session_open in a thread of its own. Meanwhile the explorer shows how far it is and can be
 *  left (screen), a terminal has a line about it, and a program around us is asked whether to stop:
 *  then ES_ECANCELED. */
es_status es_opening_run(es_cli *cli, const char *path, const es_session_options *options,
                         bool screen, es_session **out, es_error *err);

#endif
